"""The opening of every report: the summary, the headline claims and the printed numbers.

The web page, the PDF and the terminal all begin with it. The summary's sentences are in
``sentences.py``. Headline claims have their constants.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tgite_checks.audit.judgement import Entry, Judged
from tgite_checks.audit.report.numbers import outwards
from tgite_checks.audit.report.prose import symbols
from tgite_checks.bounds.constants.constant import STATED, Stated
from tgite_checks.check import Question, Result
from tgite_checks.claims.model import ClaimKind, Outcome
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
"""The parts of a report, in order, and the kinds of claims in each."""


def part_of(judged: Judged, part: str) -> tuple[Entry, ...]:
    """Return the entries in a part of the report."""
    return tuple(entry for entry in judged.entries if entry.claim.kind in PARTS[part])


def headline(judged: Judged) -> tuple[tuple[Entry, tuple[Entry, ...]], ...]:
    """Return the headline claims, each with the claims that repeat that claim.

    A claim that repeats an absent one is listed separately.
    """
    entries = part_of(judged, "headline")
    again: dict[str, list[Entry]] = {one.claim.label: [] for one in entries}
    for one in entries:
        again.get(one.claim.repeats, []).append(one)
    return tuple(
        (one, tuple(again[one.claim.label])) for one in entries if one.claim.repeats not in again
    )


DIFFERS = "differs in this run"
"""The word in place of an outcome that the run contradicts, or could not examine."""

_FOUND = (Outcome.REFUTED, Outcome.OVERCLAIMED, Outcome.UNDERSPECIFIED, Outcome.NOT_REPRODUCED)


def word(entry: Entry, question: Question) -> str:
    """Return a verdict as a word: :data:`DIFFERS` if the run says else, "" if it is absent."""
    if question not in entry.statuses:
        return ""
    if not entry.statuses[question].is_as_recorded:
        return DIFFERS
    return entry.claim.verdicts[question].outcome


def tally(judged: Judged) -> Mapping[str, tuple[Entry, ...]]:
    """Return the paper's claims by outcome; a claim with two verdicts is under both."""
    found: dict[str, list[Entry]] = {name: [] for name in (*Outcome, DIFFERS)}
    for entry in judged.entries:
        for question in entry.statuses:
            found[word(entry, question)].append(entry)
    return {name: tuple(entries) for name, entries in found.items() if entries}


def title(judged: Judged, entry: Entry) -> str:
    """Return what was found about a claim: its most serious finding, or the claim if it stands."""
    if not any(one.outcome in _FOUND for one in entry.claim.verdicts.values()):
        return entry.claim.title
    parts = (shown.part for one in judged.findings for shown in one.parts)
    titles = (part.title for part in parts if part.label == entry.claim.label and part.title)
    return next(titles, entry.claim.title)


@dataclass(frozen=True, slots=True)
class Bound:
    """A universal constant: the proved value, and an interval for the least possible one.

    ``found`` encloses the lower end, and is ``None`` without a run.
    """

    stated: Stated
    found: Enclosure | None

    @property
    def name(self) -> str:
        """The constant's name, as a formula."""
        letter, _, of = self.stated.name.partition("_")
        return f"${letter}_{{\\text{{{symbols(of.replace('_', ', '))}}}}}$"

    @property
    def proved(self) -> str:
        """The machine-checked constant, rounded up; empty if there is none."""
        value = self.stated.machine_checked()
        return "" if value is None else outwards(0, value)[1]

    @property
    def best(self) -> str:
        """The interval for the least possible constant."""
        low, high = outwards(self.found.low if self.found else 0, self.stated.certified)
        return f"[{low}, {high}]" if self.found else f"at most {high}"

    @property
    def remark(self) -> str:
        """A remark on the machine-checked constant."""
        return self.stated.proved.remark if self.stated.proved else ""


def bounds(judged: Judged) -> Mapping[str, tuple[Bound, ...]]:
    """Return the universal constants of each claim, by label."""
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
    """Return the rows of the table of printed numbers, each with the entry of its label."""
    entries = {entry.claim.label: entry for entry in judged.entries}
    rows = printed_table(dict(found_by(judged)))
    return tuple((entries[row.label], row) for row in rows if row.label in entries)


def agreement(judged: Judged) -> str:
    """Return whether this run's results match the recorded ones, in a sentence."""
    differences = judged.differences()
    if not differences:
        said = "All results match the recorded ones, for and against the paper"
        proofs = judged.theorems and not judged.rechecked
        return said + ("; the proofs were not compiled here." if proofs else ".")
    differ = "result differs" if len(differences) == 1 else "results differ"
    return f"{len(differences)} {differ} from the recorded ones."
