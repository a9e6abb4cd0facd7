"""Making a case: the reference plays under a plan, and what it does becomes the expectation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf

from tgite import (
    RULINGS,
    Arm,
    Confidence,
    Conventions,
    Duel,
    Ended,
    InvalidInput,
    Outcome,
    PairwiseTest,
    Run,
    Stream,
    play,
)
from tgite.budgeted_duel_test import b, budget
from tgite.confidence import read_rational
from tgite.duel_test import c
from tgite_checks.conformance.algorithms import stream_of
from tgite_checks.conformance.flags import flags_of
from tgite_checks.conformance.format import (
    Case,
    Expected,
    ExpectedIncumbent,
    ExpectedMatch,
    ExpectedSelfPlay,
    MutantNote,
    PairTape,
    Parameters,
    Refusal,
    packed,
)
from tgite_checks.conformance.margins import Margin, margin_text, nearest_budget
from tgite_checks.conformance.places import part_of, place_of_caller
from tgite_checks.conformance.plans import Bout, Plan
from tgite_checks.implementation import REFERENCE

_MOST_DUELS = 10**6
_SPARE_OUTCOMES = 16
_BOUNDARY = Fraction(1, 10**9)
_SAFE = Fraction(1, 10**13)


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a case is made: an algorithm with written parameters, and a plan for the outcomes.

    ``horizon`` is where the player stops. Arms in ``parameters`` are written by the conventions.
    """

    name: str
    algorithm: str
    parameters: Parameters
    plan: Plan
    conventions: Conventions = RULINGS
    horizon: int | None = None
    mutant: MutantNote | None = None


@dataclass(frozen=True, slots=True)
class Bad:
    """How a negative case is made: ``field`` is the parameter that the algorithm must refuse."""

    name: str
    algorithm: str
    parameters: Parameters
    field: str
    conventions: Conventions = RULINGS


def case_of(recipe: Recipe | Bad) -> Case:
    """Make the case.

    Raises ``ValueError`` for a recipe that plays too long, does not end as it should, or comes so
    close to a boundary that double precision cannot be asked to decide it.
    """
    if isinstance(recipe, Bad):
        return _refused_case(recipe)
    log, run = _recorded(recipe)
    margin = _smallest_margin(log)
    if margin is not None and margin.distance < _SAFE:
        raise ValueError(f"{recipe.algorithm}, {recipe.name}: margin {margin.distance}")
    expected = _expected(recipe, log, run, "" if margin is None else margin_text(margin))
    return Case(
        name=recipe.name,
        algorithm=recipe.algorithm,
        parameters=recipe.parameters,
        conventions=recipe.conventions,
        expected=expected,
        flags=flags_of(recipe.algorithm, recipe.parameters, recipe.conventions, expected),
        boundary=margin is not None and margin.distance < _BOUNDARY,
        mutant=recipe.mutant,
    )


def played(recipe: Recipe) -> Expected:
    """Play a recipe to see what happens, for choosing parameters; its margin is left out."""
    log, run = _recorded(recipe)
    return _expected(recipe, log, run, "")


def _recorded(recipe: Recipe) -> tuple[_Log, Run[Arm | None]]:
    log = _Log(recipe)
    stream = stream_of(
        REFERENCE, recipe.algorithm, recipe.parameters, recipe.conventions, log.watched
    )
    run: Run[Arm | None] = play(
        stream, log, horizon=recipe.horizon, budget=_MOST_DUELS, recorder=log
    )
    if run.ended is not (Ended.RETURNED if recipe.horizon is None else Ended.HORIZON):
        raise ValueError(f"{recipe.algorithm}, {recipe.name}: ended by {run.ended}")
    return log, run


def _refused_case(recipe: Bad) -> Case:
    try:
        stream_of(REFERENCE, recipe.algorithm, recipe.parameters, recipe.conventions).close()
    except InvalidInput:
        return Case(
            name=recipe.name,
            algorithm=recipe.algorithm,
            parameters=recipe.parameters,
            conventions=recipe.conventions,
            expected=Refusal(recipe.field),
            flags=("refusal",),
        )
    raise ValueError(f"{recipe.algorithm}, {recipe.name}: the reference does not refuse it")


@dataclass(slots=True)
class _Playing:
    """A match of the run that is being recorded; arms are as the stream writes them."""

    first: Arm
    second: Arm
    level: Confidence
    place: str
    plan: Iterator[Outcome]
    outcomes: list[Outcome] = field(default_factory=list)
    first_won: bool | None = None

    @property
    def winner(self) -> Arm | None:
        """The match's winner; None if it was cut."""
        if self.first_won is None:
            return None
        return self.first if self.first_won else self.second


class _Log:
    """The environment and the recorder of one run: the plan's outcomes, kept match by match."""

    def __init__(self, recipe: Recipe) -> None:
        self._recipe = recipe
        self._first_arm = recipe.conventions.first_arm
        gap = recipe.parameters.get("g")
        self.gap = None if gap is None else read_rational("g", str(gap))
        self.matches: list[_Playing] = []
        self.blocks: list[ExpectedSelfPlay] = []
        self.announced: list[ExpectedIncumbent] = []

    def watched(self, test: PairwiseTest[Duel, Outcome]) -> PairwiseTest[Duel, Outcome]:
        """Return the test, noting every match that it plays."""

        def watching(u: Arm, v: Arm, delta: Confidence) -> Stream[Duel, Outcome, Arm]:
            stops = self._stopping_rule(delta)
            place = place_of_caller()
            first, second = u + self._first_arm, v + self._first_arm
            bout = Bout(len(self.matches), first, second, place, stops)
            playing = _Playing(first, second, delta, place, self._recipe.plan(bout))
            self.matches.append(playing)
            winner = yield from test(u, v, delta)
            playing.first_won = winner == u
            return winner

        return watching

    def _stopping_rule(self, delta: Confidence) -> Callable[[int, int], bool]:
        radius = self.radius(delta)
        return lambda n, S: abs(S / n - 1 / 2) > radius(n)

    def radius(self, delta: Confidence) -> Callable[[int], float]:
        """Return the radius of the run's test, as a function of n."""
        if self.gap is None:
            return lambda n: c(n, delta)
        gap = float(self.gap)
        return lambda n: b(n, delta) - gap

    def outcomes(self, duel: Duel) -> Callable[[], Outcome]:
        """Give out the plan's outcomes for the match that is being played."""

        def draw() -> Outcome:
            playing = self.matches[-1]
            outcome = next(playing.plan)
            playing.outcomes.append(outcome)
            return outcome

        return draw

    def duels(self, duel: Duel, outcomes: bytes) -> None:
        """Take no note: the duels are kept as they are drawn."""

    def self_play(self, arm: Arm, rounds: int) -> None:
        """Note a block of self-play."""
        self.blocks.append(ExpectedSelfPlay(len(self.matches), arm, rounds))

    def incumbent(self, arm: Arm) -> None:
        """Note an announcement."""
        self.announced.append(ExpectedIncumbent(len(self.matches), arm))


def _expected(recipe: Recipe, log: _Log, run: Run[Arm | None], margin: str) -> Expected:
    # A match that the horizon kept from its first duel was asked for and not played.
    played = [playing for playing in log.matches if playing.outcomes]
    matches = tuple(
        ExpectedMatch(
            playing.first,
            playing.second,
            str(playing.level),
            len(playing.outcomes),
            playing.winner,
            playing.place,
        )
        for playing in played
    )
    return Expected(
        tape=_tape(played),
        matches=matches,
        self_play=tuple(log.blocks),
        incumbents=tuple(log.announced),
        horizon=recipe.horizon,
        result=run.returned,
        ordered=_ordered(log.matches, played),
        margin=margin,
    )


def _smallest_margin(log: _Log) -> Margin | None:
    """Return the run's decision that is nearest to the boundary; None if there was none."""
    nearest, smallest = inf, None
    for playing in log.matches:
        radius, S = log.radius(playing.level), 0
        for n, outcome in enumerate(playing.outcomes, start=1):
            S += outcome
            distance = abs(abs(S / n - 1 / 2) - radius(n))
            if distance < nearest:
                nearest, smallest = distance, (n, S, playing.level)
    if smallest is None:
        return None
    margin = Margin.of(*smallest, log.gap)
    budgets = (
        nearest_budget(log.gap, playing.level)
        for playing in log.matches
        if log.gap is not None and len(playing.outcomes) == budget(log.gap, playing.level)
    )
    return min((margin, *budgets), key=lambda one: one.distance)


def _tape(played: list[_Playing]) -> tuple[PairTape, ...]:
    of_pair: dict[tuple[Arm, Arm], list[str]] = {}
    for playing in played:
        low, high = sorted((playing.first, playing.second))
        outcomes = list(playing.outcomes)
        # Beyond its end the match's winner goes on winning; a cut match goes on as it would have.
        spare = _SPARE_OUTCOMES + -len(outcomes) % 4
        if playing.first_won is None:
            outcomes += [next(playing.plan) for _ in range(spare)]
        else:
            outcomes += [playing.first_won] * spare
        if playing.first != low:
            outcomes = [not outcome for outcome in outcomes]
        of_pair.setdefault((low, high), []).append(packed(outcomes))
    return tuple(PairTape(low, high, tuple(of_pair[low, high])) for low, high in sorted(of_pair))


def _ordered(asked: list[_Playing], played: list[_Playing]) -> bool:
    """Say whether the run is cut where a player in parallel might stand elsewhere.

    It is not if it ends by itself, and if everything played is over and what comes next has to
    wait for all of it.
    """
    if any(playing.first_won is None for playing in played):
        return True
    return len(asked) > len(played) > 0 and part_of(asked[len(played)].place) == part_of(
        played[-1].place
    )
