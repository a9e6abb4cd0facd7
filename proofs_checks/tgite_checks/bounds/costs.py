"""The table of ``docs/beyond.md``: what identifying the winner costs, test by test, exactly.

``python -m tgite_checks.bounds.costs`` writes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import TypeAlias

import tgite_checks
from tgite import BalancedTree, Confidence, Preferences, cyclic, example
from tgite_checks.enclosure import Enclosure
from tgite_checks.implementation import REFERENCE
from tgite_checks.laws.arithmetic import plus, times
from tgite_checks.laws.lower_bound import least_mean
from tgite_checks.laws.match_law import MatchLaws
from tgite_checks.laws.tournaments import bkt_law, tree_ascent_law
from tgite_checks.pairwise import ChosenTest, PairwiseName
from tgite_checks.proofs.extract import page_with_table

_TITLES = (
    "instance",
    "delta",
    "least",
    "TG-ITE-BAI",
    "with MixtureTest",
    "BKT with it",
    "every pair, with it",
    "least, told g",
    "BAI told g",
    "with the truncated SprtTest",
)


Instance: TypeAlias = tuple[str, Preferences, Fraction]

_DELTAS = ("1/10", "1/100", "1e-6")


def instances() -> Iterator[Instance]:
    """Yield the instances of the table, each with its name and the gap that is known."""
    for gap in ("0.4", "0.32", "0.1"):
        for N in (8, 64, 256):
            yield f"cyclic, N = {N}, gaps {gap}", cyclic(N, gap, gap), Fraction(gap)
    for name, known in (("sushi16", "3/250"), ("mslr5", "3/100")):
        yield name, example(name), Fraction(known)


def rows(of: Iterable[Instance]) -> Iterator[tuple[str, ...]]:
    """Yield the rows of the table about instances."""
    for name, preferences, g in of:
        for delta in _DELTAS:
            yield (name, delta, *_costs(preferences, Confidence.of(delta), g))


def _costs(preferences: Preferences, delta: Confidence, g: Fraction) -> Iterator[str]:
    arms = range(preferences.size)
    mixture = ChosenTest(PairwiseName.MIXTURE).laws()
    least, told = least_mean(delta, preferences), least_mean(delta, preferences, g)

    def pass_of(laws: MatchLaws) -> Enclosure:
        tree = BalancedTree.over(preferences.size)
        law = tree_ascent_law(REFERENCE.tree_ascent, 0, tree, delta, preferences, laws)
        return law.comparisons.mean

    yield f"{least.middle:.0f}"
    for mean in (
        pass_of(ChosenTest.of_the_paper(None).laws()),
        pass_of(mixture),
        bkt_law(REFERENCE.bkt, arms, delta, preferences, mixture).comparisons.mean,
        _every_pair(preferences, delta, mixture),
    ):
        yield f"{mean.middle:.0f} ({mean.middle / least.middle:.1f})"
    yield f"{told.middle:.0f}"
    for chosen in (ChosenTest.of_the_paper(g), ChosenTest.cheapest(g)):
        mean = pass_of(chosen.laws())
        yield f"{mean.middle:.0f} ({mean.middle / told.middle:.1f})"


def _every_pair(preferences: Preferences, delta: Confidence, laws: MatchLaws) -> Enclosure:
    """Match every pair, each at delta/(N-1): the winner's matches then share delta."""
    N = preferences.size
    level = Confidence(delta.rational / (N - 1), delta.basel) if N > 2 else delta
    chances = [preferences.probability(i, j) for i in range(N) for j in range(i)]
    return plus(
        *(
            times(Enclosure.exactly(chances.count(p)), laws.law(level, p).mean)
            for p in sorted(set(chances))
        )
    )


def costs_table() -> str:
    """Return the table, in Markdown."""
    lines = [_TITLES, ("---",) * len(_TITLES), *rows(instances())]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


PAGE = Path(tgite_checks.__file__).resolve().parents[2] / "docs" / "beyond.md"
"""The page that shows the table, in a source tree."""


def main() -> None:
    """Write the table into the page."""
    page = page_with_table(PAGE.read_text(encoding="utf-8"), costs_table())
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
