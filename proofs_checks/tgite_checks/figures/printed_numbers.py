"""Check that the printed numbers do not follow from the text.

The exact means are more than ten printed deviations away. Most printed numbers are also below the
least cost of any run, for all outcomes, instances and seeds.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from fractions import Fraction

from tgite_checks.check import (
    AtMost,
    Cases,
    Check,
    Demonstration,
    Depth,
    Number,
    Words,
    argument,
    at_most,
    demonstration,
    experiment,
)
from tgite_checks.figures import exact, luckiest
from tgite_checks.figures.luckiest import Luckiest
from tgite_checks.printed import (
    ANYTIME_REGRET,
    BAI,
    FLATTENING,
    KNOWN_HORIZON_REGRET,
    PLATEAU,
    WEAK,
    WEAK_REGRET,
    PrintedNumber,
)
from tgite_laws.arithmetic import ONE, minus, quotient, times
from tgite_laws.enclosure import Enclosure, rational
from tgite_laws.implementation import Implementation


def _exact_check(
    name: str,
    what: str,
    exactly: Callable[[Implementation], Enclosure],
    printed: PrintedNumber,
    domain: str,
) -> Check:
    """Return the check that the exact mean is over ten printed deviations above the printed one."""

    def examine(under_test: Implementation, depth: Depth, *, near: bool = False) -> Cases:
        found, ten_up = exactly(under_test), printed.up(10)
        if near:
            yield AtMost(f"exact mean of {what} against ten deviations up", found, ten_up)
            return
        yield AtMost("ten printed deviations above the printed mean", ten_up, found)
        yield Number(f"exact mean, {what}", found, rational(printed.mean))
        yield Words(f"the exact mean is {found}, printed {printed.mean}")

    refused = {"the printed mean is within ten deviations": {"near": True}}
    return experiment(name, domain=domain, case="printed mean", refuses=refused)(examine)


exact_weak = _exact_check(
    "printed-weak-exact",
    "weak",
    lambda under_test: exact.warm_start(under_test)[0].mean,
    WEAK_REGRET,
    "The exact mean of the warm start's weak regret, a lower bound for the run's, is over ten "
    "printed deviations above the printed mean. The sparse instance has N = 256 and gaps .26/.44.",
)
exact_known_horizon = _exact_check(
    "printed-known-horizon-exact",
    "known",
    lambda under_test: exact.known_horizon(under_test).mean,
    KNOWN_HORIZON_REGRET,
    "The exact mean of the strong regret is over ten printed deviations above the printed mean. "
    "The cyclic instance has N = 256 and gaps .30/.38, and H = 10^5.",
)
exact_anytime = _exact_check(
    "printed-anytime-exact",
    "anytime",
    lambda under_test: exact.anytime(under_test).mean,
    ANYTIME_REGRET,
    "The exact mean of the strong regret is over ten printed deviations above the printed mean. "
    "The cyclic instance has N = 256 and gaps .30/.38, and T = 10^5.",
)


@experiment(
    "printed-false-positives",
    domain="Fewer than 1e-11 arms are expected to beat the incumbent in the first epoch, if it is "
    "the winner. The sparse instance has N = 256.",
    case="epoch",
    refuses={"fewer than 1e-12 arms": {"most": Fraction(1, 10**12)}},
)
def false_beaters(
    under_test: Implementation, depth: Depth, *, most: Fraction = Fraction(1, 10**11)
) -> Cases:
    rho = under_test.schedules.screening_level(1)
    law = exact.laws_of(under_test, None).law(rho, Fraction(1, 2) + WEAK.winner_gap)
    expected = times(rational(WEAK.arms[-1] - 1), law.second.probability)
    yield at_most("expected false beaters of a*, epoch 1, gap .26", expected, most)


def _too_low(
    what: str, printed: Enclosure, floor: Callable[[Implementation], Luckiest]
) -> Demonstration:
    """Return the demonstration that a printed number is below the least of any run."""

    def examine(under_test: Implementation, depth: Depth) -> Cases:
        yield at_most(f"{what}, against the least of any run", printed, floor(under_test).least - 1)

    return demonstration(case="printed number")(examine)


_WEAK, _STRONG = (f"printed {kind} regret and ten deviations" for kind in ("weak", "strong"))

weak_regret_is_too_low = _too_low(_WEAK, WEAK_REGRET.up(10), luckiest.weak_regret)
plateau_is_too_early = _too_low(
    "printed time of the plateau", PLATEAU.enclosure(), luckiest.flat_from
)
known_horizon_regret_is_too_low = _too_low(
    _STRONG, KNOWN_HORIZON_REGRET.up(10), luckiest.known_horizon
)
flattening_is_too_early = _too_low(
    "printed time of flattening", FLATTENING.enclosure(), luckiest.known_horizon
)
anytime_regret_is_too_low = _too_low(_STRONG, ANYTIME_REGRET.up(10), luckiest.anytime)


@demonstration(case="number of arms")
def knockout_is_cheaper(under_test: Implementation, depth: Depth) -> Cases:
    """Show that BKT on all arms is cheaper than TG-ITE-BAI at every N, with either test."""
    for test, g in (("DuelTest", None), ("known gap", BAI.winner_gap)):
        for n in BAI.arms:
            knockout, tree = (
                exact.identification(under_test, n, who, g) for who in ("BKT", "TG-ITE-BAI")
            )
            yield AtMost(f"E[duels] of BKT against TG-ITE-BAI's, {test}, N = {n}", knockout, tree)
            yield Number(f"share saved, {test}, N = {n}", minus(ONE, quotient(knockout, tree)))


@demonstration(case="number of arms")
def sequential_elimination_grows(under_test: Implementation, depth: Depth) -> Cases:
    """Show that sequential elimination by DuelTest costs more per arm as N grows."""
    per_arm = {
        n: quotient(exact.identification(under_test, n, "SeqElim-DuelTest"), rational(n))
        for n in BAI.arms
    }
    for n, each in per_arm.items():
        yield Number(f"SeqElim's E[duels]/N, N = {n}", each)
    for (_, few), (n, many) in itertools.pairwise(per_arm.items()):
        name = f"1.05 times SeqElim's E[duels]/N at the N before, N = {n}"
        yield AtMost(name, times(rational(Fraction(105, 100)), few), many)


@argument(case="printed number")
def flattening_is_the_regret(depth: Depth) -> Cases:
    """Show that the printed height and time of flattening, which must be equal, differ.

    Every round of the pass costs one; later rounds cost nothing unless the answer is wrong.
    """
    yield AtMost(
        "printed regret and six deviations, against the printed time of flattening",
        KNOWN_HORIZON_REGRET.up(6),
        FLATTENING.enclosure(),
    )


@argument(case="ratio")
def four_times_is_near_equality(depth: Depth) -> Cases:
    """Show that "roughly 4x" puts the next-best baseline near Anytime, if all are above it."""
    known, anytime = KNOWN_HORIZON_REGRET.mean, ANYTIME_REGRET.mean
    ratio = Fraction(anytime, known)
    yield at_most("4.27 against Anytime / KnownHorizon", Fraction(427, 100), ratio)
    name = "4.5 times KnownHorizon against Anytime and four of its deviations"
    yield at_most(name, Fraction(9, 2) * known, ANYTIME_REGRET.up(4))
