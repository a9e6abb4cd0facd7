"""Makes a case: the reference plays, and its run becomes the expected run.

A run is played duel by duel with outcomes from a plan, or match by match from a tape
(:mod:`~tgite_conform.tape_player`). Every match is compared with the paper's rules, which give its
place in the algorithm.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import islice, repeat
from math import inf

from tgite import (
    RULINGS,
    Arm,
    Confidence,
    Conventions,
    Duel,
    Ended,
    InvalidInput,
    Match,
    Outcome,
    Stream,
    play,
)
from tgite.beyond import Verdict
from tgite.beyond.certificate import Ended as MatchEnded
from tgite.beyond.certificate import Rule
from tgite_conform.algorithms import (
    ALGORITHMS,
    ReferenceStream,
    radius_of,
    rules_of,
    stream_of,
    test_of,
)
from tgite_conform.cases.outcomes import Bout, Plan
from tgite_conform.certificates import NOBODY, Ending, OneSidedMatch, Test, Watch, ending_of
from tgite_conform.flags import flags_of
from tgite_conform.format import (
    Case,
    Expected,
    ExpectedIncumbent,
    ExpectedSelfPlay,
    PairTape,
    Parameters,
    Refusal,
    answer_of,
)
from tgite_conform.margins import (
    Margin,
    margin_text,
    nearest_budget,
    nearest_evidence,
    nearest_weighed,
)
from tgite_conform.positions import Following
from tgite_conform.tape import SPARE_OUTCOMES, packed
from tgite_conform.tape_player import AskedMatch, DecidedRun, decided, run_of
from tgite_laws.implementation import REFERENCE
from tgite_laws.pairwise import ChosenTest

_MOST_DUELS = 10**6
_BOUNDARY = Fraction(1, 10**9)
_SAFE = Fraction(1, 10**13)


@dataclass(frozen=True, slots=True)
class Recipe:
    """The input of a case: an algorithm, its parameters as text, and a plan for the outcomes.

    The player stops after ``horizon`` rounds. Arms in ``parameters`` are numbered as the
    conventions say. If the algorithm must refuse the parameter ``bad``, there is no plan. With a
    ``tape`` in the plan's place, matches are decided from the tape without being played.
    """

    name: str
    algorithm: str
    parameters: Parameters
    plan: Plan | None
    conventions: Conventions = RULINGS
    horizon: int | None = None
    bad: str = ""
    tape: tuple[PairTape, ...] = ()

    def stream(self, watch: Watch = NOBODY) -> ReferenceStream:
        """Return the reference's stream."""
        return stream_of(REFERENCE, self.algorithm, self.parameters, self.conventions, watch)

    def following(self) -> Following:
        """Return the paper's rules for a run."""
        return Following(rules_of(self.algorithm, self.parameters, self.conventions))

    def wrong(self, why: str) -> ValueError:
        """Return the error for a recipe from which no case can be made."""
        return ValueError(f"{self.algorithm}, {self.name}: {why}")


def case_of(recipe: Recipe) -> Case:
    """Return the case.

    Raises ``ValueError`` for a run that is too long, does not end as planned, breaks the paper's
    rules, or comes too near to the paper's boundary for a decision in double precision.
    """
    flags: tuple[str, ...] = ("refusal",)
    expected: Expected | Refusal = Refusal(recipe.bad)
    margin: Margin | None = None
    if recipe.bad:
        with suppress(InvalidInput):
            recipe.stream().close()
            raise recipe.wrong("the reference does not refuse it")
    else:
        if recipe.tape:
            given = recipe.algorithm, recipe.parameters, recipe.conventions.first_arm
            follows = DecidedRun(recipe.following(), *given, recipe.tape, recipe.horizon)
            run, margins = decided(recipe.stream, follows)
            margin = min(margins, key=lambda one: one.distance, default=None)
        else:
            run, recording = _recorded(recipe)
            margin = recording.margin()
        papers = ALGORITHMS[recipe.algorithm].test.of_the_paper
        if papers and margin is not None and margin.distance < _SAFE:
            raise recipe.wrong(f"margin {margin.distance}")
        expected = replace(run, margin="" if margin is None else margin_text(margin))
        flags = flags_of(recipe.algorithm, recipe.parameters, recipe.conventions, expected)
    return Case(
        name=recipe.name,
        algorithm=recipe.algorithm,
        parameters=recipe.parameters,
        conventions=recipe.conventions,
        expected=expected,
        flags=flags,
        boundary=margin is not None and margin.distance < _BOUNDARY,
    )


def played(recipe: Recipe) -> Expected:
    """Play a recipe without computing its margin, to choose parameters."""
    return _recorded(recipe)[0]


def _recorded(recipe: Recipe) -> tuple[Expected, _Recording]:
    recording = _Recording(recipe)
    watch = Watch(recording.watched, recording.watched_match)
    limits = {"horizon": recipe.horizon, "budget": _MOST_DUELS}
    run = play(recipe.stream(watch), recording, recorder=recording, **limits)
    if run.ended is not (Ended.RETURNED if recipe.horizon is None else Ended.HORIZON):
        raise recipe.wrong(f"ended by {run.ended}")
    # A match at the horizon may have been asked for without any duel.
    asked = [match for match in recording.matches if match.length or not match.over]
    both, result = (recording.blocks, recording.announced), answer_of(run.returned)
    return run_of(asked, _tape(asked), *both, recipe.horizon, result), recording


@dataclass(slots=True)
class _Recorded(AskedMatch):
    """A match of the recorded run; it is ``over`` when it ended, with or without a winner."""

    plan: Iterator[Outcome]
    test: ChosenTest
    ending: Ending | None = None
    outcomes: list[Outcome] = field(default_factory=list)


class _Recording:
    """The environment and the recorder of one run; it stores the plan's outcomes by match."""

    def __init__(self, recipe: Recipe) -> None:
        if recipe.plan is None:
            raise recipe.wrong("there is no plan")
        self._plan = recipe.plan
        self._first_arm = recipe.conventions.first_arm
        self._recipe, self._following = recipe, recipe.following()
        self.matches: list[_Recorded] = []
        self.blocks: list[ExpectedSelfPlay] = []
        self.announced: list[ExpectedIncumbent] = []

    def watched(self, test: Test) -> Test:
        """Return the test, made to record every match that it plays."""

        def watching(u: Arm, v: Arm, delta: Confidence) -> Stream[Duel, Outcome, Arm]:
            match = self._begin(u, v, self._following.begin(Match(u, v, delta)), delta)
            winner = yield from test(u, v, delta)
            match.over, match.winner = True, winner + self._first_arm
            self._following.won(*((u, v) if winner == u else (v, u)))
            return winner

        return watching

    def watched_match(self, one_sided: OneSidedMatch) -> OneSidedMatch:
        """Return the one-sided match, made to record every match that is played."""

        def watching(
            u: Arm, v: Arm, rule: Rule, most: int | None
        ) -> Generator[Duel, Outcome, MatchEnded]:
            due = self._following.begin_one_sided(u, v)
            ending = ending_of(self._recipe.parameters, due)
            match = self._begin(u, v, due.place, due.level, ending)
            verdict, n, S = yield from one_sided(u, v, rule, most)
            match.over = True
            match.winner = {Verdict.WON: match.first, Verdict.LOST: match.second}.get(verdict)
            self._following.ended(u, v, verdict, n, S)
            return verdict, n, S

        return watching

    def _begin(
        self, u: Arm, v: Arm, place: str, level: Confidence, ending: Ending | None = None
    ) -> _Recorded:
        test = test_of(self._recipe.algorithm, self._recipe.parameters, place)
        first, second = u + self._first_arm, v + self._first_arm
        stops = _stops(test, level, ending)
        plan = self._plan(Bout(len(self.matches), first, second, place, stops))
        self.matches.append(_Recorded(first, second, level, place, plan, test, ending))
        return self.matches[-1]

    def outcomes(self, duel: Duel) -> Callable[[], Outcome]:
        """Return a function that draws the plan's outcomes for the current match."""

        def draw() -> Outcome:
            match = self.matches[-1]
            match.outcomes.append(next(match.plan))
            match.length += 1
            return match.outcomes[-1]

        return draw

    def duels(self, duel: Duel, outcomes: bytes) -> None:
        """Do nothing, because the duels were recorded when they were drawn."""

    def self_play(self, arm: Arm, rounds: int) -> None:
        """Record a block of self-play."""
        self.blocks.append(ExpectedSelfPlay(len(self.matches), arm, rounds))

    def incumbent(self, arm: Arm) -> None:
        """Record an announcement."""
        self.announced.append(ExpectedIncumbent(len(self.matches), arm))

    def margin(self) -> Margin | None:
        """Return the margin of the decision nearest to its boundary, if any was made."""
        budgets = [
            nearest_budget(match.test, match.level)
            for match in self.matches
            if match.ending is None and match.length == match.test.most(match.level)
        ]
        papers = ALGORITHMS[self._recipe.algorithm].test.of_the_paper
        decisions = self._on_means() if papers else self._on_evidence()
        return min((*decisions, *budgets), key=lambda one: one.distance, default=None)

    def _on_evidence(self) -> Iterator[Margin]:
        for match in self.matches:
            if match.outcomes and match.ending is not None:
                yield nearest_weighed([one.weighed for one in match.ending.all], match.outcomes)
            elif match.outcomes:
                yield nearest_evidence(match.test, match.level, match.outcomes)

    def _on_means(self) -> Iterator[Margin]:
        smallest, decision = inf, None
        for match in self.matches:
            radius, S = radius_of(match.test, match.level), 0
            for n, outcome in enumerate(match.outcomes, start=1):
                S += outcome
                distance = abs(abs(S / n - 1 / 2) - radius(n))
                if distance < smallest:
                    smallest, decision = distance, (n, S, match.level, match.test.g)
        if decision is not None:
            yield Margin.of(*decision)


def _stops(
    test: ChosenTest, level: Confidence, ending: Ending | None
) -> Callable[[int, int], bool]:
    if ending is not None:
        rule = ending.rule
        return lambda n, S: rule.verdict(n, S) is not None
    radius = radius_of(test, level)
    return lambda n, S: abs(S / n - 1 / 2) > radius(n)


def _tape(asked: list[_Recorded]) -> tuple[PairTape, ...]:
    of_pair: dict[tuple[Arm, Arm], list[str]] = {}
    for match in asked:
        if not match.length:
            continue
        # After its end a match is extended by wins of its winner, a cut match by its plan.
        more = match.plan if match.winner is None else repeat(match.winner == match.first)
        spare = islice(more, SPARE_OUTCOMES + -match.length % 4)
        inverted = match.first > match.second
        outcomes = [outcome != inverted for outcome in (*match.outcomes, *spare)]
        of_pair.setdefault(match.pair, []).append(packed(outcomes))
    return tuple(PairTape(*pair, tuple(of_pair[pair])) for pair in sorted(of_pair))
