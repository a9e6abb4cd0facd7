"""Check the printed numbers under each reading of the pairwise test.

The text says that the four policies were run, whose test is DuelTest (Algorithm 1). The most
charitable other reading is BudgetedDuelTest (Algorithm 8) with the largest valid gap, ``g =
Delta*``. A smaller g lengthens every match, outcome for outcome. So a number that is too small for
``Delta*`` is too small for every valid g.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from tgite import sparse
from tgite_checks.check import (
    AtMost,
    Cases,
    Check,
    Depth,
    Number,
    Words,
    at_most,
    demonstration,
    experiment,
)
from tgite_checks.figures import exact, luckiest
from tgite_checks.figures.assertions import one_gap_fits_all_three
from tgite_checks.figures.exact import ExactCost
from tgite_checks.figures.luckiest import Luckiest
from tgite_checks.figures.table import NO_CHANCE, ROWS, Reading, What, number_name
from tgite_checks.printed import (
    FLATTENING,
    NUMBERS,
    PLATEAU,
    STRONG,
    WEAK,
    WEAK_REGRET,
    PanelSetting,
    PrintedNumber,
)
from tgite_laws.arithmetic import ONE, ZERO
from tgite_laws.enclosure import Enclosure, rational
from tgite_laws.implementation import Implementation

Gap = Fraction | None
_HALF = Fraction(1, 2)


def _gap(reading: Reading, panel: PanelSetting) -> Gap:
    return panel.winner_gap if reading is Reading.KNOWN_GAP else None


def _numbers(
    reading: Reading, cost: ExactCost, fewest: int, printed: PrintedNumber
) -> Iterator[Number]:
    yield Number(number_name(What.MEAN, reading), cost.mean, printed.enclosure())
    yield Number(number_name(What.DEVIATION, reading), cost.deviation)
    yield Number(number_name(What.FEWEST, reading), Enclosure.exactly(fewest))


def _regret_check(
    label: str,
    panel: PanelSetting,
    cost: Callable[[Implementation, Gap], ExactCost],
    least: Callable[[Implementation, Gap], Luckiest],
    chance: Callable[[Implementation, Gap, Fraction], Enclosure],
    perturbed: int,
) -> Check:
    """Return the check that neither reading gives a printed regret as the mean of ten runs.

    Algorithm 8 does give the regret ``perturbed``.
    """
    title, name = ROWS[label]

    def examine(
        under_test: Implementation, depth: Depth, *, printed: int = NUMBERS[label].mean
    ) -> Cases:
        said: list[str] = []
        for reading in Reading:
            g = _gap(reading, panel)
            exactly, luckiest_run = cost(under_test, g), least(under_test, g)
            fewest = luckiest_run.least
            # The largest mean that is rounded to the printed number.
            most = printed + _HALF
            few = ZERO if fewest > most else chance(under_test, g, most)
            yield from _numbers(reading, exactly, fewest, NUMBERS[label])
            yield Number(number_name(What.CHANCE, reading), Enclosure.exactly(few.high))
            # The probability has only an upper bound; a regret that is reached shows in the mean.
            rounded = f"what is rounded to {printed}, against the mean, {reading}"
            yield AtMost(rounded, rational(most), exactly.mean)
            yield AtMost(
                f"chance of {printed} or less, {reading}", few, Enclosure.exactly(NO_CHANCE)
            )
            said.append(f"{reading}: {exactly}, at least {fewest}")
        yield Words(f"printed {NUMBERS[label]}; {'; '.join(said)}")

    return experiment(
        name,
        domain=f"The printed number ({title}) is not the mean of ten runs of Algorithm 1, nor of "
        "Algorithm 8 with any valid g. Exact laws and all outcomes show this.",
        case="reading",
        refuses={f"neither algorithm gives {perturbed}": {"printed": perturbed}},
    )(examine)


def _not_bounded(under_test: Implementation, g: Gap, most: Fraction) -> Enclosure:
    return ONE


weak_regret_by_reading = _regret_check(
    "number:weak-2384", WEAK, exact.weak, luckiest.weak_regret, _not_bounded, 3130
)
known_horizon_by_reading = _regret_check(
    "number:known-horizon-5928",
    STRONG,
    exact.known_horizon,
    luckiest.known_horizon,
    exact.chance_of_known_horizon,
    6642,
)
anytime_by_reading = _regret_check(
    "number:anytime-25337",
    STRONG,
    exact.anytime,
    luckiest.anytime,
    exact.chance_of_anytime,
    28_440,
)


_REGRETS = {
    "weak": weak_regret_by_reading,
    "known horizon": known_horizon_by_reading,
    "anytime": anytime_by_reading,
}


@demonstration(
    case="printed regret", refuses={"nor does Algorithm 8 give its own regrets": {"own": True}}
)
def no_regret_comes_out(under_test: Implementation, depth: Depth, *, own: bool = False) -> Cases:
    """Show that neither of the paper's tests gives a printed regret; an invalid g would."""
    for name, check in {**_REGRETS, "with g = .34": one_gap_fits_all_three}.items():
        run = next(iter(check.refuses.values())) if own else check.run
        result = run(under_test, depth)
        yield "" if result.holds() else f"{name}: {result.counterexample}"
        for number in result.numbers:
            yield Number(f"{name}: {number.name}", number.value, number.bound)
    for reading in Reading:
        weighted = exact.gap_weighted(under_test, _gap(reading, STRONG))
        yield Number(f"known horizon: {number_name(What.WEIGHTED, reading)}", weighted)


@experiment(
    ROWS["number:plateau-before-5000"][1],
    domain="No run of Algorithm 1 is flat by the printed time. With Algorithm 8 and g = Delta* the "
    "curve is flat by then, on average.",
    case="reading",
    refuses={"a plateau before 9000": {"rounds": 9000}, "a plateau before 3000": {"rounds": 3000}},
)
def plateau_by_reading(
    under_test: Implementation, depth: Depth, *, rounds: int = PLATEAU.mean
) -> Cases:
    said: list[str] = []
    for reading in Reading:
        g = _gap(reading, WEAK)
        flat, fewest = exact.flat_from(under_test, g), luckiest.flat_from(under_test, g).least
        yield from _numbers(reading, flat, fewest, PLATEAU)
        said.append(f"{reading}: flat from {flat} rounds on, from {fewest} at the earliest")
        if g is None:
            yield at_most("a round more than printed, against any run's least", rounds + 1, fewest)
        else:
            yield at_most(f"mean rounds until it is flat, {reading}", flat.mean, rounds)
    yield Words("; ".join(said))


@experiment(
    ROWS["number:flattening-7000"][1],
    domain="No run of Algorithm 1 flattens by the printed time. With Algorithm 8 and g = Delta* it "
    "flattens within 10% of that time, on average.",
    case="reading",
    refuses={"flattening at 8000": {"rounds": 8000}, "flattening at 22,000": {"rounds": 22_000}},
)
def flattening_by_reading(
    under_test: Implementation, depth: Depth, *, rounds: int = FLATTENING.mean
) -> Cases:
    said: list[str] = []
    for reading in Reading:
        g = _gap(reading, STRONG)
        cost = exact.known_horizon(under_test, g)
        fewest = luckiest.known_horizon(under_test, g).least
        yield from _numbers(reading, cost, fewest, FLATTENING)
        said.append(f"{reading}: flat from {cost} rounds on, from {fewest} at the earliest")
        if g is None:
            yield at_most("a round more than printed, against any run's least", rounds + 1, fewest)
        else:
            yield at_most("nine tenths of what is printed", Fraction(9, 10) * rounds, cost.mean)
            yield at_most(f"mean, {reading}", cost.mean, Fraction(11, 10) * rounds)
    yield Words("; ".join(said))


PRINTED_CHECKS = (*_REGRETS.values(), plateau_by_reading, flattening_by_reading)
"""The checks of all rows of :data:`~tgite_checks.figures.table.ROWS`."""


@experiment(
    "weak-regret-by-instance",
    domain="No choice in the sparse instance brings TG-ITE-Weak's mean weak regret to 2384. The "
    "winner gap is .26 and the other gap .26 to .499, where our reading is .44. The start is arm "
    "0, the winner or the last arm, and N = 256.",
    case="instance",
    refuses={"means always above 8000": {"least": 8000}, "always below 8200": {"largest": 8200}},
)
def weak_regret_by_instance(
    under_test: Implementation, depth: Depth, *, least: int = 5900, largest: int = 27_000
) -> Cases:
    """The text pushes the other probabilities "toward" .06 and .94. The smallest other gap is
    the winner's own, .26; above .44 matches get shorter, down to their fewest duels.
    """
    found: list[Enclosure] = []
    for gap in ("0.26", "0.35", "0.40", "0.44", "0.47", "0.499"):
        instance = sparse(exact.N, WEAK.winner_gap, gap)
        for reading in Reading:
            cost = exact.warm_start_on(under_test, _gap(reading, WEAK), instance)
            yield Number(f"mean, other gap {gap}, {reading}", cost.mean)
            if reading is Reading.AS_PRINTED:
                found.append(cost.mean)
                yield at_most(f"least, other gap {gap}", least, cost.mean)
                yield at_most(f"mean, other gap {gap}", cost.mean, largest)
    for start in (exact.SPARSE.winner(), exact.N - 1):
        cost = exact.warm_start_on(under_test, None, exact.SPARSE, start)
        yield Number(f"mean from arm {start}, {Reading.AS_PRINTED}", cost.mean)
        yield at_most(f"least, from arm {start}", least, cost.mean)
    yield Words(
        f"for other gaps of .26 to .499 the mean weak regret is {found[0].middle:.0f} to "
        f"{found[-1].middle:.0f}; {WEAK_REGRET} is printed"
    )
