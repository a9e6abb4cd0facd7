"""Runs that are decided on their tapes: where a match stops is found without playing it.

The algorithm asks for whole matches and is told how they ended. Where one stops is said by the
boundaries of the definitions, not by the test's floats or tables, and by whole pieces of the tape,
so that a run of thousands of millions of duels takes seconds.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Any, cast

from tgite import Arm, Confidence, Incumbent, InvalidInput, Match, SelfPlay
from tgite.beyond import Verdict
from tgite.beyond.certificate import Rule
from tgite_checks.fidelity.boundaries import least_budgeted_margin, least_margin
from tgite_checks.fidelity.boundaries_beyond import mixture_lead
from tgite_conform.algorithms import ReferenceStream
from tgite_conform.certificates import Ending, OneSidedMatch, Test, Watch
from tgite_conform.format import (
    Answer,
    AnyCertificate,
    Expected,
    ExpectedIncumbent,
    ExpectedMatch,
    ExpectedSelfPlay,
    PairTape,
    SaidCertificate,
)
from tgite_conform.margins import Margin, nearest_budget
from tgite_conform.positions import Following, is_ordered
from tgite_conform.tape import MatchOutcomes, Piece
from tgite_laws.pairwise import ChosenTest, PairwiseName

_SPARE_OUTCOMES = 16


@dataclass(slots=True)
class _Meeting:
    """A whole match that is asked for, arms as they are written, and how it went.

    ``test`` is the pairwise test that is played, None in a one-sided match. The ``rule`` ends it,
    or ``most`` duels. ``rounds`` is how many duels it takes in full, as far as the tape says;
    ``length`` how many are played. Until it is ``over`` it has no ``verdict`` for its first arm,
    and no ``winner``; where it is equivalent, or without a pairwise test comes to its most duels,
    it has no winner then.
    """

    first: Arm
    second: Arm
    level: Confidence
    place: str
    test: ChosenTest | None
    rule: Rule
    most: int | None
    rounds: int = 0
    length: int = 0
    over: bool = False
    verdict: Verdict = Verdict.BUDGET
    winner: Arm | None = None

    def rounds_taken(self, reply: object) -> int:
        """Take the rounds of the match, for a policy that counts them."""
        return self.rounds

    def end(self, S: int) -> None:
        """Note that it is over, with S of its duels won by its first arm."""
        self.over = True
        self.verdict = self.rule.verdict(self.length, S) or Verdict.BUDGET
        if self.verdict is Verdict.BUDGET and self.test is not None:
            self.verdict = Verdict.WON if self.length <= 2 * S else Verdict.LOST
        self.winner = {Verdict.WON: self.first, Verdict.LOST: self.second}.get(self.verdict)

    @property
    def pair(self) -> tuple[Arm, Arm]:
        """Its two arms, the lower one first."""
        return min(self.first, self.second), max(self.first, self.second)

    @property
    def expected(self) -> ExpectedMatch:
        """What stands in the vectors."""
        level = str(self.level)
        return ExpectedMatch(self.first, self.second, level, self.length, self.winner, self.place)


class DecidedRun:
    """A run on a tape, each of whose matches is decided when it is asked for."""

    def __init__(
        self,
        stream: Callable[[Watch], ReferenceStream],
        following: Following,
        test_at: Callable[[str], ChosenTest],
        ending_at: Callable[[str, Confidence], Ending | None],
        first_arm: int,
        tape: Iterable[PairTape],
        horizon: int | None,
        H: int | None,
    ) -> None:
        """Begin; ``stream`` makes the algorithm's stream with a watch around its matches.

        ``test_at`` and ``ending_at`` say, at a place, which pairwise test is played and what ends a
        one-sided match. ``horizon`` is the player's, ``H`` the algorithm's own.
        """
        self._stream, self._following = stream, following
        self._test_at, self._ending_at = test_at, ending_at
        self._first_arm, self._horizon, self._H = first_arm, horizon, H
        self._left = {(pair.low, pair.high): iter(pair.outcomes) for pair in tape}
        self._used: dict[tuple[Arm, Arm], list[str]] = {}
        self._rounds = 0
        self._meetings: list[_Meeting] = []
        self._blocks: list[ExpectedSelfPlay] = []
        self._announced: list[ExpectedIncumbent] = []
        self._returned = False
        self.margins: list[Margin] = []
        """Of the paper's tests, those of the last decisions of each match."""

    def expected(self) -> Expected:
        """Decide the run.

        Raises :class:`~tgite.errors.InvalidInput` for a tape that does not reach as far as the run,
        and for a horizon that does not cut it.
        """
        result = self._play()
        if self._horizon is not None and self._returned:
            raise InvalidInput(
                "horizon", self._horizon, f"must be before the end at {self._rounds}"
            )
        played = [meeting for meeting in self._meetings if meeting.length]
        return Expected(
            tape=tuple(PairTape(*pair, tuple(self._used[pair])) for pair in sorted(self._used)),
            matches=tuple(meeting.expected for meeting in played),
            self_play=tuple(self._blocks),
            incumbents=tuple(self._announced),
            horizon=self._horizon,
            result=result,
            ordered=is_ordered(
                [meeting.place for meeting in self._meetings],
                len(played),
                not all(meeting.over for meeting in played),
            ),
            margin="",
        )

    def _asking(self, test: Test) -> Test:
        """Return the pairwise test that asks for whole matches."""

        def asking(u: Arm, v: Arm, delta: Confidence) -> Any:
            place = self._following.begin(Match(u, v, delta))
            chosen = self._test_at(place)
            rule, most = two_sided(_margin(chosen, delta)), chosen.most(delta)
            first, second = u + self._first_arm, v + self._first_arm
            meeting = _Meeting(first, second, delta, place, chosen, rule, most)
            self._meetings.append(meeting)
            yield meeting
            winner, loser = (v, u) if meeting.winner == meeting.second else (u, v)
            self._following.won(winner, loser)
            return winner

        return cast(Test, asking)

    def _asking_one_sided(self, one_sided: OneSidedMatch) -> OneSidedMatch:
        """Return the one-sided match that asks for whole ones."""

        def asking(u: Arm, v: Arm, rule: Rule, most: int | None) -> Any:
            place, level = self._following.begin_one_sided(u, v)
            if most == 0:  # It is not played.
                self._following.won(v, u)
                return Verdict.BUDGET, 0
            ending = self._ending_at(place, level)
            assert ending is not None
            first, second = u + self._first_arm, v + self._first_arm
            meeting = _Meeting(first, second, level, place, None, ending.rule, most)
            self._meetings.append(meeting)
            yield meeting
            held = meeting.verdict in (Verdict.WON, Verdict.EQUIVALENT)
            self._following.won(*((u, v) if held else (v, u)))
            return meeting.verdict, meeting.length

        return cast(OneSidedMatch, asking)

    def _play(self) -> Answer:
        """Play to the end or to the player's horizon; return the result."""
        stream = cast(Any, self._stream(Watch(self._asking, self._asking_one_sided)))
        try:
            question = next(stream)
            while True:
                left = None if self._horizon is None else self._horizon - self._rounds
                match question:
                    case Incumbent(arm):
                        self._announced.append(ExpectedIncumbent(self._over, arm))
                    case _ if left == 0:
                        break
                    case SelfPlay(arm, rounds):
                        rounds = rounds if left is None else min(rounds, left)
                        if rounds:
                            self._blocks.append(ExpectedSelfPlay(self._over, arm, rounds))
                            self._rounds += rounds
                        if rounds < question.rounds:
                            break
                    case _:
                        self._decide(question, left)
                        if not question.over and self._rounds == self._horizon:
                            break
                question = stream.send(None)
        except StopIteration as stop:
            self._returned = True
            result = cast("Arm | AnyCertificate | None", stop.value)
            return SaidCertificate.of(result) if isinstance(result, AnyCertificate) else result
        stream.close()
        return None

    @property
    def _over(self) -> int:
        return sum(1 for meeting in self._meetings if meeting.length)

    def _decide(self, meeting: _Meeting, left: int | None) -> None:
        """Find where a match stops on the tape, with so many rounds ``left`` to the player."""
        limits = [left] if left is not None else []
        limits += [self._H - self._rounds] if self._H is not None else []
        entry = next(self._left.get(meeting.pair, iter(())), None)
        if entry is None:
            raise self._too_short(meeting, "is missing")
        outcomes = MatchOutcomes(entry, inverted=meeting.first > meeting.second)
        stop = first_stop(outcomes, meeting.rule, meeting.most)
        cut = min(limits, default=None)
        if stop is None:
            if cut is None or cut > outcomes.length:
                raise self._too_short(meeting, f"ends after {outcomes.length} duels")
            meeting.rounds = cut + 1
        else:
            meeting.rounds, S = stop
        meeting.length = meeting.rounds if cut is None else min(meeting.rounds, cut)
        if stop is not None and meeting.length == meeting.rounds:
            meeting.end(S)
        self._rounds += meeting.length
        self._used.setdefault(meeting.pair, []).append(_with_spare(entry, outcomes, meeting))
        if meeting.test is not None:
            self._note_margins(meeting, meeting.test, outcomes)

    def _note_margins(self, meeting: _Meeting, test: ChosenTest, outcomes: MatchOutcomes) -> None:
        if test.name.of_the_paper:
            last = {meeting.length - 1, meeting.length} - {0}
            self.margins += (Margin.of(n, outcomes.wins(n), meeting.level, test.g) for n in last)
        if meeting.length == meeting.most:
            self.margins.append(nearest_budget(test, meeting.level))

    def _too_short(self, meeting: _Meeting, why: str) -> InvalidInput:
        number = len(self._meetings)
        said = f"match {number}: ({meeting.first}, {meeting.second}) at level {meeting.level}"
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


def _with_spare(entry: str, outcomes: MatchOutcomes, meeting: _Meeting) -> str:
    """Let the winner win on beyond the end, so that an entry's length does not give it away."""
    missing = meeting.length + _SPARE_OUTCOMES - outcomes.length
    if missing <= 0:
        return entry
    digit = "f" if meeting.winner in (None, meeting.pair[0]) else "0"
    space = " " if "*" in entry.rpartition(" ")[2] else ""
    return entry + space + digit * -(-missing // 4)


_FEW = 64
"""As many duels are looked at one by one."""


def two_sided(margin: Callable[[int], int]) -> Rule:
    """Return the rule of a pairwise test: it ends with a lead ``|2S - n| >= margin(n) >= 1``."""
    margin = functools.cache(margin)
    return Rule(lambda n: (n + margin(n) + 1) // 2, lambda n: (n - margin(n)) // 2)


def first_stop(
    outcomes: MatchOutcomes, rule: Rule, most: int | None = None
) -> tuple[int, int] | None:
    """Return after how many duels a match ends, and its first arm's wins then; None: it goes on.

    It ends as the rule says, or after ``most`` duels. Outcomes are passed over in one step where no
    lead 2S - n within them can come up to an end. For that the leads at which the rule ends a match
    must, between two numbers of duels, be nowhere nearer than at these, but for 1, which is for
    their parity. (So they are where a match is won by a lead that is the next one above a concave
    function, lost by one below a convex function, and equivalent between a line and another one.)
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
    """Say whether no lead from ``low`` to ``high`` ends a match at its ``first`` or ``last`` duel.

    That of each way to end one excludes it at both of them.
    """

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
    """Bound the leads within a piece: the least and the greatest are in its first or last turn.

    For a few outcomes they are these leads themselves.
    """
    net = (piece.lead // piece.times) if piece.times > 1 else 0
    ends = (lead, lead + (piece.times - 1) * net)
    if piece.turn > _FEW:
        return min(ends) - piece.turn, max(ends) + piece.turn
    within = list(accumulate(1 if outcome else -1 for outcome in piece.once()))
    return min(ends) + min(within), max(ends) + max(within)
