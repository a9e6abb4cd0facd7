"""What a report says first of the paper's claims, and beside it of the run.

The page, its two pages in print and the terminal all begin with this: sentences (in
``sentences.py``), the headline claims with their constants, the printed numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tgite_checks.audit.judgement import Entry, Judged
from tgite_checks.audit.report.numbers import outwards
from tgite_checks.bounds.constants.constant import STATED, Stated
from tgite_checks.check import Question, Result
from tgite_checks.claims.model import ClaimKind
from tgite_checks.figures.table import PrintedRow, printed_table
from tgite_laws.enclosure import Enclosure

PARTS = {
    "headline": (ClaimKind.TABLE_ROW, ClaimKind.THEOREM, ClaimKind.COROLLARY),
    "printed": (ClaimKind.NUMBER, ClaimKind.FIGURE),
    "steps": (ClaimKind.LEMMA, ClaimKind.EQUATION, ClaimKind.STEP),
    "said": (ClaimKind.ASSERTION,),
    "definitions": (ClaimKind.ASSUMPTION, ClaimKind.DEFINITION),
    "code": (ClaimKind.ALGORITHM,),
    "headings": (ClaimKind.SECTION,),
}
"""The parts of a report, in their order, and the kinds of claims that stand in each."""


def part_of(judged: Judged, part: str) -> tuple[Entry, ...]:
    """Return the entries that stand in a part of the report."""
    return tuple(entry for entry in judged.entries if entry.claim.kind in PARTS[part])


def headline(judged: Judged) -> tuple[tuple[Entry, tuple[Entry, ...]], ...]:
    """Return the headline claims, each with those that say it again.

    What repeats a claim that is not there stands for itself.
    """
    entries = part_of(judged, "headline")
    again: dict[str, list[Entry]] = {one.claim.label: [] for one in entries}
    for one in entries:
        again.get(one.claim.repeats, []).append(one)
    return tuple(
        (one, tuple(again[one.claim.label])) for one in entries if one.claim.repeats not in again
    )


def word(entry: Entry, question: Question) -> str:
    """Return the verdict's word, or that the run does not bear it out; empty without a verdict."""
    if question not in entry.statuses:
        return ""
    if not entry.statuses[question].is_as_recorded:
        return "not confirmed"
    return entry.claim.verdicts[question].outcome


@dataclass(frozen=True, slots=True)
class Bound:
    """What is known of a universal constant: one that is proved, and where the least one lies.

    ``found`` has what is attained below; without a run nothing is known of it.
    """

    stated: Stated
    found: Enclosure | None

    @property
    def name(self) -> str:
        """Its name, as a formula."""
        letter, _, of = self.stated.name.partition("_")
        return f"${letter}_{{\\text{{{of.replace('_', ', ')}}}}}$"

    @property
    def proved(self) -> str:
        """The machine-checked constant, rounded up; empty if there is none."""
        value = self.stated.machine_checked()
        return "" if value is None else outwards(0, value)[1]

    @property
    def best(self) -> str:
        """The interval of the least constant."""
        low, high = outwards(self.found.low if self.found else 0, self.stated.certified)
        return f"[{low}, {high}]" if self.found else f"at most {high}"

    @property
    def remark(self) -> str:
        """What has to be said of the machine-checked one."""
        return self.stated.proved.remark if self.stated.proved else ""


def bounds(judged: Judged) -> Mapping[str, tuple[Bound, ...]]:
    """Return what is known of the universal constants that claims speak of, by their labels."""
    found = {name: result.numbers[0].value for name, result in found_by(judged) if result.numbers}
    return {
        entry.claim.label: tuple(
            Bound(stated, found.get(f"constant-{stated.key}"))
            for stated in STATED.values()
            if not entry.claim.proved_as.isdisjoint(stated.labels)
        )
        for entry in judged.entries
    }


def found_by(judged: Judged) -> Iterator[tuple[str, Result]]:
    """Yield the name and the result of each check that holds."""
    for entry in judged.all_entries:
        for one in entry.evidence:
            if one.holds and one.finished.result is not None:
                yield one.check.name, one.finished.result


def printed_rows(judged: Judged) -> tuple[tuple[Entry, PrintedRow], ...]:
    """Return the rows of the table of printed numbers, each after the entry of its label."""
    entries = {entry.claim.label: entry for entry in judged.entries}
    return tuple((entries[row.label], row) for row in printed_table(dict(found_by(judged))))


def standing(judged: Judged) -> str:
    """Say whether this run confirms what is recorded: not what the paper's claims came to."""
    differences = judged.differences()
    if not differences:
        said = (
            "This run confirms our record, for the paper and against it: every check and "
            "demonstration came out as recorded"
        )
        proofs = judged.theorems and not judged.rechecked
        return said + ("; the proofs were not compiled here." if proofs else ".")
    things = "thing is" if len(differences) == 1 else "things are"
    return f"This run does not confirm our record: {len(differences)} {things} not as recorded."
