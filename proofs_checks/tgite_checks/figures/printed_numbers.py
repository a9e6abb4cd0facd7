"""Show what is wrong with sentences on the printed numbers, by exact laws and arithmetic."""

from __future__ import annotations

import itertools
from fractions import Fraction

from tgite_checks.check import (
    AtMost,
    Cases,
    Depth,
    Number,
    argument,
    at_most,
    demonstration,
    experiment,
)
from tgite_checks.figures import exact
from tgite_checks.printed import ANYTIME_REGRET, BAI, FLATTENING, KNOWN_HORIZON_REGRET, WEAK
from tgite_laws.arithmetic import ONE, minus, quotient, times
from tgite_laws.enclosure import rational
from tgite_laws.implementation import Implementation


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
