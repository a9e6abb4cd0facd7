"""The tables of ``docs/one-assumption.md``: what the winner costs if it is all that is assumed.

``python -m tgite_checks.bounds.winner_costs`` writes them; it takes a quarter of an hour. Costs of
the paper's algorithms are exact; what finds and certifies is played, from fixed seeds, match by
match with its own code, and each mean has its standard error.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import log
from pathlib import Path
from typing import NamedTuple

import numpy as np

import tgite_checks
from tgite import (
    BalancedTree,
    Confidence,
    PreferenceMatrix,
    Preferences,
    SeededEnvironment,
    cyclic,
    example,
    play,
    sparse,
)
from tgite.beyond.certificate import Assumption
from tgite.beyond.certified_rucb import certified_rucb
from tgite.beyond.find_then_certify import stages
from tgite.preferences import HALF
from tgite.questions import drive
from tgite_checks.implementation import REFERENCE
from tgite_checks.laws.find_then_certify import certificates_given
from tgite_checks.laws.lower_bound import least_mean
from tgite_checks.laws.one_sided import Drawn, knockout, means_and_errors, one_sided_match
from tgite_checks.laws.tournaments import bkt_law, tree_ascent_law
from tgite_checks.pairwise import ChosenTest, PairwiseName
from tgite_checks.proofs.extract import page_with_table

_TITLES = (
    "instance",
    "delta",
    "least",
    "TG-ITE-BAI",
    "BKT with MixtureTest",
    "certified RUCB",
    "find, then certify, assuming a winner",
    "least, assuming nothing",
    "find, then certify, assuming nothing",
    "wrong",
    "proved at most",
)
C_level, C_arm, C_once = Fraction(9), 79, 165
C_winner_level, C_winner_arm = Fraction(197, 12), 129
C_loglog, C_winner_loglog = 2 * C_level, 2 * C_winner_level
"""Of ``duels_at_most`` in ``FindThenCertify.v``, which does not name the third line."""

_MOST_ARMS_EXACTLY = 256
_MOST_STEPS_OF_RUCB = 10**6
_RUCB_RUNS = 4


class Row(NamedTuple):
    """A line of the table."""

    name: str
    preferences: Preferences
    delta: str
    runs: int


def tied(N: int, gap: str) -> PreferenceMatrix:
    """Return an instance whose arm 0 beats every other one by ``gap``; the others tie."""
    up, down = HALF + Fraction(gap), HALF - Fraction(gap)
    first = (HALF, *[up] * (N - 1))
    return PreferenceMatrix((first, *[(down, *[HALF] * (N - 1))] * (N - 1)))


def rows() -> Iterator[Row]:
    """Yield the lines of the table."""
    for delta in ("1/10", "1e-6", "1e-12"):
        yield Row("cyclic, N = 256, .3 and .05", cyclic(256, "0.3", "0.05"), delta, 40)
    for delta in ("1/10", "1e-6"):
        yield Row("N = 256, .3, others tie", tied(256, "0.3"), delta, 40)
    for gap in ("0.32", "0.1"):
        for N, runs in ((8, 200), (64, 80), (256, 40)):
            for delta in ("1/10", "1e-6"):
                name = f"cyclic, N = {N}, {gap[1:]} and {gap[1:]}"
                yield Row(name, cyclic(N, gap, gap), delta, runs)
    yield Row("cyclic, N = 256, .32 and .38", cyclic(256, "0.32", "0.38"), "1/10", 40)
    for delta in ("1/10", "1e-6"):
        yield Row("sparse, N = 64, .1", sparse(64, "0.1"), delta, 40)
    for N, runs in ((16, 200), (64, 80), (256, 40), (1024, 10), (4096, 6)):
        yield Row(f"cyclic, N = {N}, .3 and .05", cyclic(N, "0.3", "0.05"), "1/100", runs)
    for name in ("sushi16", "mslr5", "arxiv6"):
        for delta in ("1/10", "1e-6", "1e-12")[: 3 if name == "sushi16" else 2]:
            yield Row(name, example(name), delta, 16 if name == "sushi16" else 60)


class Played(NamedTuple):
    """What runs of an algorithm cost: the mean with its standard error, and how many were wrong."""

    mean: float
    error: float
    wrong: int


def played(row: Row, assumes: Assumption) -> Played:
    """Play find-then-certify, with the seeds 0, 1, ..."""
    delta, N = Confidence.of(row.delta), row.preferences.size
    duels, wrong = np.zeros(row.runs), 0
    for seed in range(row.runs):
        drawn = Drawn(row.preferences, seed)
        certificate = drive(stages(N, delta, assumes, knockout, one_sided_match), drawn)
        duels[seed] = drawn.duels
        wrong += certificate.champion != row.preferences.winner()
    return Played(*means_and_errors(duels), wrong)


def _rucb(row: Row) -> str:
    """Play RUCB with a certificate, a few times only: a duel takes it O(N**2) time."""
    delta, N = Confidence.of(row.delta), row.preferences.size
    duels = np.zeros(_RUCB_RUNS)
    for seed in range(_RUCB_RUNS):
        stream = certified_rucb(N, delta, random.Random(seed))
        duels[seed] = play(stream, SeededEnvironment(row.preferences, seed)).comparisons
    mean, error = means_and_errors(duels)
    return f"{mean:.0f} ± {error:.0f}"


def written(row: Row) -> tuple[str, ...]:
    """Return a line of the table without what RUCB costs and what is proved."""
    delta, N = Confidence.of(row.delta), row.preferences.size
    least = least_mean(delta, row.preferences).middle
    unassuming = least_assuming_nothing(delta, row.preferences)
    nothing, a_winner = (played(row, assumes) for assumes in Assumption)
    paper = bkt = "-"
    if row.preferences.global_gap() == 0:
        paper = bkt = "need not end"
    elif N <= _MOST_ARMS_EXACTLY:
        duel, mixture = (ChosenTest(PairwiseName(name)).laws() for name in ("duel", "mixture"))
        tree = BalancedTree.over(N)
        law = tree_ascent_law(REFERENCE.tree_ascent, 0, tree, delta, row.preferences, duel)
        paper = f"{law.comparisons.mean.middle:.0f}"
        law = bkt_law(REFERENCE.bkt, range(N), delta, row.preferences, mixture)
        bkt = f"{law.comparisons.mean.middle:.0f}"
    return (
        row.name,
        row.delta,
        f"{least:.0f}",
        paper,
        bkt,
        _over(a_winner, least),
        f"{unassuming:.0f}",
        _over(nothing, unassuming),
        f"{nothing.wrong + a_winner.wrong} of {2 * row.runs}",
    )


def _over(played: Played, least: float) -> str:
    return f"{played.mean:.0f} ± {played.error:.0f} ({played.mean / least:.1f})"


def least_assuming_nothing(delta: Confidence, preferences: Preferences) -> float:
    """Return the least that certifying the winner costs whoever assumes nothing.

    Against a winner that only ties with one arm, and so is none: each of its pairs needs
    ``kl(delta, 1-delta)`` over its own divergence from a fair coin.
    """
    winner, N = preferences.winner(), preferences.size
    pairs = Counter(preferences.probability(winner, j) for j in range(N) if j != winner)

    def least(p: Fraction) -> float:
        return least_mean(delta, PreferenceMatrix(((HALF, p), (1 - p, HALF)))).middle

    return sum(count * least(p) for p, count in pairs.items())


def proved_at_most(row: Row) -> float:
    """Return ``duels_at_most`` of ``FindThenCertify.v``: the bound on the mean."""
    gap = float(row.preferences.winner_gap())
    level, again = Confidence.of(row.delta).log_inverse, log(log(1 / gap) + 1)
    arms = row.preferences.size - 1
    each = float(C_level) * level + float(C_loglog) * again + C_arm
    return (arms * each + C_once) / gap**2


def line(row: Row) -> tuple[str, ...]:
    """Return a line of the table."""
    own = written(row)
    slow = row.preferences.size * float(own[5].split()[0]) > _MOST_STEPS_OF_RUCB
    slow = slow or (row.name, row.delta) == ("arxiv6", "1e-6")  # takes too long
    return (*own[:5], "-" if slow else _rucb(row), *own[5:], f"{proved_at_most(row):.0f}")


def costs_table(lines: Iterable[tuple[str, ...]]) -> str:
    """Return the table, in Markdown."""
    return "".join(f"| {' | '.join(one)} |\n" for one in (_TITLES, ("---",) * len(_TITLES), *lines))


STAGES_WEIGHED = 2
"""So many first stages are weighed exactly for the table of wrong certificates."""

SMALL: Mapping[str, Sequence[Sequence[str]]] = {
    "two arms that tie": ((".5", ".5"), (".5", ".5")),
    "two arms within .001": ((".5", ".501"), (".499", ".5")),
    "two that tie above a third": ((".5", ".5", ".9"), (".5", ".5", ".9"), (".1", ".1", ".5")),
    "two within .001 above it": ((".5", ".501", ".9"), (".499", ".5", ".9"), (".1", ".1", ".5")),
    "three that tie": ((".5",) * 3,) * 3,
    "a cycle, .9": ((".5", ".9", ".1"), (".1", ".5", ".9"), (".9", ".1", ".5")),
    "a cycle, .6": ((".5", ".6", ".4"), (".4", ".5", ".6"), (".6", ".4", ".5")),
}
"""Instances without a winner, or nearly so."""


def errors_table(names: Iterable[str] = SMALL) -> str:
    """Return the table of wrong certificates at delta = 1/10, in Markdown."""
    delta = Confidence.of("1/10")
    lines = [("instance", f"in {STAGES_WEIGHED} stages, at most", "ever, at most"), ("---",) * 3]
    for name in names:
        given = certificates_given(PreferenceMatrix.of(SMALL[name]), delta, STAGES_WEIGHED)
        lines.append((name, f"{given.wrongly.high:.2g}", f"{given.ever.high:.2g}"))
    return "".join(f"| {' | '.join(one)} |\n" for one in lines)


HEADING = "## How often a certificate is wrong"
"""Below it on the page stands the table of wrong certificates."""

PAGE = Path(tgite_checks.__file__).resolve().parents[2] / "docs" / "one-assumption.md"
"""The page that shows the table, in a source tree."""


def main() -> None:
    """Write the tables into the page."""
    costs, heading, errors = PAGE.read_text(encoding="utf-8").partition(HEADING)
    costs = page_with_table(costs, costs_table(map(line, rows())))
    PAGE.write_text(costs + heading + page_with_table(errors, errors_table()), encoding="utf-8")


if __name__ == "__main__":
    main()
