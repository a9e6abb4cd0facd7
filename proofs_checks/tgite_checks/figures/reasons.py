"""Check the reasons that the paper gives for what its figures show."""

from __future__ import annotations

import random
from fractions import Fraction
from statistics import fmean

from tgite import Arm, PreferenceMatrix, Preferences, SeededEnvironment, play
from tgite.comparators.ties import uniformly
from tgite.comparators.wsw_pe import wsw_pe
from tgite_checks.bounds.instances import HALF
from tgite_checks.check import Cases, Depth, Number, at_most, by_depth
from tgite_checks.figures.settings import seeded_statement
from tgite_checks.printed import BAI
from tgite_laws.enclosure import Enclosure, rational

_ARMS = (64, 256, 256)
_SEEDS = 10


def ordered(N: int) -> PreferenceMatrix:
    """Return panel (a)'s gaps with the other arms in an order instead of a cycle."""
    winner = N // 2

    def entry(i: Arm, j: Arm) -> Fraction:
        if i == j:
            return HALF
        gap = BAI.winner_gap if winner in (i, j) else BAI.cyclic_gap
        return HALF + gap if i == winner or (j != winner and i < j) else HALF - gap

    return PreferenceMatrix(tuple(tuple(entry(i, j) for j in range(N)) for i in range(N)))


def _duels(preferences: Preferences) -> Fraction:
    counts: list[int] = []
    for seed in range(_SEEDS):
        choices = uniformly(random.Random(f"choices {seed}"))
        stream = wsw_pe(preferences.size, BAI.level, choices)
        environment = SeededEnvironment(preferences, seed)
        counts.append(play(stream, environment, preferences.winner()).comparisons)
    return Fraction(fmean(counts))


@seeded_statement(
    "wsw-pe-without-cycles",
    domain="If the other arms have an order instead of cycles, our reconstruction of WSW-PE needs "
    "more than half of the duels. The gaps are panel (a)'s, and the seeds 0 to 9.",
    sizes={"N =": _ARMS},
    case="number of arms",
    refuses={"an order needs all of the duels": {"share": Fraction(1)}},
)
def wsw_pe_without_cycles(depth: Depth, *, share: Fraction = HALF) -> Cases:
    N = by_depth(depth, *_ARMS)
    cyclic, order = _duels(BAI.preferences(N)), _duels(ordered(N))
    yield at_most(f"duels with a cycle, the share {share} of them, N = {N}", share * cyclic, order)
    yield Number("share of the duels that an order leaves", rational(order / cyclic))
    yield Number("mean duels with an order", Enclosure.exactly(float(order)))
