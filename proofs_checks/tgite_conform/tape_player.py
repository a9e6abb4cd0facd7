"""Decides runs from their tapes, without playing the duels.

The algorithm asks for whole matches and is sent their results. The end of a match follows from the
boundary's definition, not from the test's floats or tables. Whole pieces of the tape are processed
in one step, so a run of billions of duels takes seconds.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import InitVar, dataclass, field
from fractions import Fraction
from itertools import accumulate
from typing import Any, cast

from msgspec import UNSET, UnsetType

from tgite import Arm, Confidence, Conventions, Incumbent, InvalidInput, Match, SelfPlay
from tgite.beyond import Verdict
from tgite.beyond.certificate import Rule
from tgite_checks.fidelity.boundaries import least_budgeted_margin, least_margin
from tgite_checks.fidelity.boundaries_beyond import mixture_lead
from tgite_conform import protocol
from tgite_conform.algorithms import ReferenceStream, rules_of, stream_of, test_of
from tgite_conform.certificates import OneSidedMatch, Test, Watch, ending_of
from tgite_conform.divergence import Parting
from tgite_conform.format import (
    Answer,
    Case,
    Expected,
    ExpectedIncumbent,
    ExpectedMatch,
    ExpectedSelfPlay,
    PairTape,
    Parameters,
    answer_of,
)
from tgite_conform.margins import Margin, nearest_budget
from tgite_conform.positions import Following, is_ordered
from tgite_conform.tape import SPARE_OUTCOMES, MatchOutcomes, Piece
from tgite_laws.implementation import REFERENCE
from tgite_laws.pairwise import ChosenTest, PairwiseName


def decided(
    stream: Callable[[Watch], ReferenceStream], run: DecidedRun
) -> tuple[Expected, list[Margin]]:
    """Return the run that follows from a tape, and the margins of each match's last decisions.

    Raises :class:`~tgite.errors.InvalidInput` if the tape ends before the run, or the run before
    the horizon.
    """
    result, horizon = run.play(stream), run.horizon
    if horizon is not None and run.returned:
        raise InvalidInput("horizon", horizon, f"must be before the end at {run.rounds}")
    tape = tuple(PairTape(*pair, tuple(run.used[pair])) for pair in sorted(run.used))
    return run_of(run.matches, tape, run.blocks, run.announced, horizon, result), run.margins


def run_of(
    asked: Sequence[AskedMatch],
    tape: tuple[PairTape, ...],
    blocks: Iterable[ExpectedSelfPlay],
    announced: Iterable[ExpectedIncumbent],
    horizon: int | None,
    result: Answer,
) -> Expected:
    """Return a run of the reference as a case expects it, from what it asked for."""
    places = [match.place for match in asked]
    played = [match for match in asked if match.length]
    cut = not all(match.over for match in played)
    return Expected(
        tape=tape,
        matches=tuple(match.expected for match in played),
        self_play=tuple(blocks),
        incumbents=tuple(announced),
        horizon=horizon,
        result=result,
        ordered=is_ordered(places, len(played), cut),
        margin="",
    )


def played_on(case: Case, conventions: Conventions, shows: Parting) -> protocol.Played:
    """Return the reference's run on a case's tape under other conventions, as far as it goes."""
    expected, of, given = cast(Expected, case.expected), case.algorithm, case.parameters
    following = Following(rules_of(of, given, conventions))
    rest = conventions.first_arm, expected.tape, expected.horizon
    run, result = DecidedRun(following, of, given, *rest), None
    with suppress(InvalidInput):
        result = run.play(functools.partial(stream_of, REFERENCE, of, given, conventions))
    return as_played(run, result, shows)


def as_played(run: DecidedRun, result: Answer, shows: Parting) -> protocol.Played:
    """Return a run; it has levels or announcements if ``shows`` may be one of these."""
    levels = shows is Parting.WRONG_LEVEL
    matches = (
        (one.first, one.second, one.length, one.winner, str(one.level) if levels else UNSET)
        for one in run.matches
        if one.length
    )
    return protocol.Played(
        tuple(protocol.PlayedMatch(*one) for one in matches),
        result,
        tuple((block.arm, block.rounds) for block in run.blocks),
        tuple(one.arm for one in run.announced) if shows is Parting.INCUMBENT else UNSET,
        run.wanted,
    )


@dataclass(slots=True)
class AskedMatch:
    """A match that a run asks for; ``length`` of its duels are played."""

    first: Arm
    second: Arm
    level: Confidence
    place: str
    length: int = field(default=0, init=False)
    over: bool = field(default=False, init=False)
    winner: Arm | None = field(default=None, init=False)

    @property
    def pair(self) -> tuple[Arm, Arm]:
        """The match's two arms, the lower one first."""
        return min(self.first, self.second), max(self.first, self.second)

    @property
    def expected(self) -> ExpectedMatch:
        """The match as it appears in the vectors."""
        level = str(self.level)
        return ExpectedMatch(self.first, self.second, level, self.length, self.winner, self.place)


@dataclass(slots=True)
class _DecidedMatch(AskedMatch):
    """A question for a whole match, and its result; without a ``test`` it is one-sided.

    The match takes ``rounds`` duels, as far as the tape shows.
    """

    test: ChosenTest | None
    rule: Rule
    most: int | None
    rounds: int = 0
    wins: int = 0
    verdict: Verdict = Verdict.BUDGET

    def rounds_taken(self, reply: object) -> int:
        """Return the rounds of the match, for a policy that counts them."""
        return self.rounds

    def end(self, S: int) -> None:
        """Record the end of the match, after S wins of its first arm."""
        self.over, self.wins = True, S
        self.verdict = self.rule.verdict(self.length, S) or Verdict.BUDGET
        if self.verdict is Verdict.BUDGET and self.test is not None:
            self.verdict = Verdict.WON if self.length <= 2 * S else Verdict.LOST
        self.winner = {Verdict.WON: self.first, Verdict.LOST: self.second}.get(self.verdict)


@dataclass(slots=True)
class DecidedRun:
    """A run that follows from a tape."""

    following: Following
    algorithm: str
    parameters: Parameters
    first_arm: int
    tape: InitVar[Iterable[PairTape]]
    horizon: int | None
    used: dict[tuple[Arm, Arm], list[str]] = field(default_factory=dict)
    rounds: int = 0
    matches: list[_DecidedMatch] = field(default_factory=list)
    blocks: list[ExpectedSelfPlay] = field(default_factory=list)
    announced: list[ExpectedIncumbent] = field(default_factory=list)
    returned: bool = False
    wanted: tuple[Arm, Arm] | UnsetType = UNSET
    margins: list[Margin] = field(default_factory=list)
    _left: dict[tuple[Arm, Arm], Iterator[str]] = field(init=False)

    def __post_init__(self, tape: Iterable[PairTape]) -> None:
        """Read the tape."""
        self._left = {(pair.low, pair.high): iter(pair.outcomes) for pair in tape}

    def _asking(self, test: Test) -> Test:
        """Return the pairwise test that asks for whole matches."""

        def asking(u: Arm, v: Arm, delta: Confidence) -> Any:
            place = self.following.begin(Match(u, v, delta))
            chosen = test_of(self.algorithm, self.parameters, place)
            rule = two_sided(_margin(chosen, delta))
            match = yield self._begin(u, v, delta, place, chosen, rule, chosen.most(delta))
            winner, loser = (v, u) if match.winner == match.second else (u, v)
            self.following.won(winner, loser)
            return winner

        return cast(Test, asking)

    def _asking_one_sided(self, one_sided: OneSidedMatch) -> OneSidedMatch:
        """Return the one-sided match that asks for whole matches."""

        def asking(u: Arm, v: Arm, rule: Rule, most: int | None) -> Any:
            due = self.following.begin_one_sided(u, v)
            if most == 0:  # The pairwise test is not played.
                self.following.ended(u, v, Verdict.BUDGET, 0, 0)
                return Verdict.BUDGET, 0, 0
            ending = ending_of(self.parameters, due)
            match = yield self._begin(u, v, due.level, due.place, None, ending.rule, most)
            ended = match.verdict, match.length, match.wins
            self.following.ended(u, v, *ended)
            return ended

        return cast(OneSidedMatch, asking)

    def _begin(self, u: Arm, v: Arm, *rest: Any) -> _DecidedMatch:
        self.matches.append(_DecidedMatch(u + self.first_arm, v + self.first_arm, *rest))
        return self.matches[-1]

    def play(self, made: Callable[[Watch], ReferenceStream]) -> Answer:
        """Play the stream to its end or to the player's horizon; return the result."""
        stream, told = cast(Any, made(Watch(self._asking, self._asking_one_sided))), None
        try:
            while True:
                question = stream.send(told)
                told = None
                left = None if self.horizon is None else self.horizon - self.rounds
                match question:
                    case Incumbent(arm):
                        if len(self.announced) > len(self.matches):  # Only a wrong run goes on so.
                            raise AssertionError("an epoch has no match")
                        self.announced.append(ExpectedIncumbent(self._over, arm))
                    case _ if left == 0:
                        break
                    case SelfPlay(arm, rounds):
                        rounds = rounds if left is None else min(rounds, left)
                        if rounds:
                            self.blocks.append(ExpectedSelfPlay(self._over, arm, rounds))
                            self.rounds += rounds
                        if rounds < question.rounds:
                            break
                    case _:
                        self._decide(question, left)
                        if not question.over and self.rounds == self.horizon:
                            break
                        told = question
        except StopIteration as stop:
            self.returned = True
            return answer_of(stop.value)
        stream.close()
        return None

    @property
    def _over(self) -> int:
        return sum(1 for match in self.matches if match.length)

    def _decide(self, match: _DecidedMatch, left: int | None) -> None:
        """Find where a match stops on the tape, with ``left`` rounds before the horizon."""
        limits = [left] if left is not None else []
        if isinstance(H := self.parameters.get("H"), int):
            limits.append(H - self.rounds)
        cut = min(limits, default=None)
        entry = next(self._left.get(match.pair, iter(())), None)
        if entry is None:
            raise self._too_short(match, "is missing")
        outcomes = MatchOutcomes(entry, inverted=match.first > match.second)
        stop = first_stop(outcomes, match.rule, match.most)
        if stop is None and (cut is None or cut > outcomes.length):
            match.length = outcomes.length
            raise self._too_short(match, f"ends after {outcomes.length} duels")
        match.rounds = stop[0] if stop is not None else (cut or 0) + 1
        match.length = match.rounds if cut is None else min(match.rounds, cut)
        if stop is not None and match.length == match.rounds:
            match.end(stop[1])
        self.rounds += match.length
        self.used.setdefault(match.pair, []).append(_with_spare(entry, outcomes, match))
        if (test := match.test) is not None:
            if test.name.of_the_paper:
                last = {match.length - 1, match.length} - {0}
                self.margins += (Margin.of(n, outcomes.wins(n), match.level, test.g) for n in last)
            if match.length == match.most:
                self.margins.append(nearest_budget(test, match.level))

    def _too_short(self, match: _DecidedMatch, why: str) -> InvalidInput:
        self.wanted, number = (match.first, match.second), len(self.matches)
        said = f"match {number}: ({match.first}, {match.second}) at level {match.level}"
        return InvalidInput("tape", said, f"{why}, where the reference plays on")


def _margin(test: ChosenTest, level: Confidence) -> Callable[[int], int]:
    """Return the lead at which a match by a pairwise test stops, as a function of its duels."""
    match test.name:
        case PairwiseName.DUEL:
            return lambda n: least_margin(n, level)
        case PairwiseName.BUDGETED:
            g = cast(Fraction, test.g)
            return lambda n: least_budgeted_margin(n, g, level)
        case PairwiseName.MIXTURE:
            return lambda n: mixture_lead(n, level)
    lead = test.lead(level)
    assert lead is not None
    return lead


def _with_spare(entry: str, outcomes: MatchOutcomes, match: _DecidedMatch) -> str:
    """Append wins of the winner, so that an entry's length does not reveal the match's."""
    missing = match.length + SPARE_OUTCOMES - outcomes.length
    if missing <= 0:
        return entry
    digit = "f" if match.winner in (None, match.pair[0]) else "0"
    space = " " if "*" in entry.rpartition(" ")[2] else ""
    return entry + space + digit * -(-missing // 4)


# The end of a match, found piece by piece instead of duel by duel.

_FEW = 64
"""The most duels that are checked one by one."""


def two_sided(margin: Callable[[int], int]) -> Rule:
    """Return the rule of a pairwise test: it ends with a lead ``|2S - n| >= margin(n) >= 1``."""
    margin = functools.cache(margin)
    return Rule(lambda n: (n + margin(n) + 1) // 2, lambda n: (n - margin(n)) // 2)


def first_stop(
    outcomes: MatchOutcomes, rule: Rule, most: int | None = None
) -> tuple[int, int] | None:
    """Return the duels and the first arm's wins at a match's end; None if it goes on.

    A piece is processed in one step if no lead within it can end the match. This assumes that
    between two numbers of duels the leads that end a match are no closer than at these two (up to
    1, for parity). It holds for leads above a concave or below a convex function.
    """
    n = S = 0
    for piece in outcomes.pieces:
        stop = _stop_within(piece, n, S, rule, most)
        if stop is not None:
            return stop
        n += piece.length
        S += piece.wins(piece.length)
    return None


def _stop_within(
    piece: Piece, n: int, S: int, rule: Rule, most: int | None
) -> tuple[int, int] | None:
    last = n + piece.length
    low, high = _leads(piece, 2 * S - n)
    if (most is None or last < most) and _passes_over(rule, n + 1, last, low - 1, high + 1):
        return None
    if piece.length <= _FEW:
        for outcome in piece.once() * piece.times:
            n, S = n + 1, S + outcome
            if rule.verdict(n, S) is not None or n == most:
                return n, S
        return None
    first, second = piece.halves()
    stop = _stop_within(first, n, S, rule, most)
    if stop is not None:
        return stop
    return _stop_within(second, n + first.length, S + first.wins(first.length), rule, most)


def _passes_over(rule: Rule, first: int, last: int, low: int, high: int) -> bool:
    """Return whether no lead from ``low`` to ``high`` ends a match at ``first`` or ``last``."""

    def below(wins: Callable[[int], int]) -> bool:
        return all(high < 2 * wins(n) - n for n in (first, last))

    def above(wins: Callable[[int], int]) -> bool:
        return all(low > 2 * wins(n) - n for n in (first, last))

    if not (below(rule.won) and above(rule.lost)):
        return False
    if rule.no_better is None or rule.no_worse is None:
        return True
    return above(rule.no_better) or below(rule.no_worse)


def _leads(piece: Piece, lead: int) -> tuple[int, int]:
    """Return bounds on the leads within a piece, whose extremes are in its first or last turn."""
    net = (piece.lead // piece.times) if piece.times > 1 else 0
    ends = (lead, lead + (piece.times - 1) * net)
    if piece.turn > _FEW:
        return min(ends) - piece.turn, max(ends) + piece.turn
    within = list(accumulate(1 if outcome else -1 for outcome in piece.once()))
    return min(ends) + min(within), max(ends) + max(within)
