"""Which states of which algorithms the vectors reach, as a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from tgite_checks.conformance.algorithms import ALGORITHMS
from tgite_checks.conformance.flags import FLAGS
from tgite_checks.conformance.format import Case


def coverage(cases: Iterable[Case]) -> Counter[tuple[str, str]]:
    """Count the cases by algorithm and flag."""
    counts: Counter[tuple[str, str]] = Counter()
    for case in cases:
        counts.update((case.algorithm, flag) for flag in case.flags)
    return counts


def coverage_table(cases: Iterable[Case]) -> str:
    """Return the table in Markdown: for each flag the number of cases by algorithm."""
    counts = coverage(cases)
    names = list(ALGORITHMS)
    lines = ["| state | " + " | ".join(f"`{name}`" for name in names) + " |"]
    lines.append("|---|" + "---:|" * len(names))
    for flag, meaning in FLAGS.items():
        cells = [str(counts[name, flag] or "") for name in names]
        lines.append(f"| {meaning} (`{flag}`) | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"
