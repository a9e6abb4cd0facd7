"""The summary of an audit, in at most five sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from tgite_checks.audit.judgement import Entry, Judged
from tgite_checks.audit.report.numbers import outwards
from tgite_checks.audit.report.opening import bounds, part_of, printed_rows, word
from tgite_checks.check import Question
from tgite_checks.claims.model import Outcome
from tgite_checks.figures.table import Fit, PrintedRow, Reading


def sentences(judged: Judged) -> tuple[str, ...]:
    """Return the summary's sentences in the ledger's form; empty if not all claims were audited."""
    if not judged.whole:
        return ()
    all_of_them = (_proved, _refuted, _numbers, code, _open)
    return tuple(said for sentence in all_of_them if (said := sentence(judged)))


def _proved(judged: Judged) -> str:
    """Return in words how many headline claims are machine-checked, with their constants."""
    entries = part_of(judged, "headline")
    if not entries:
        return ""
    words = Counter(word(entry, Question.TRUTH) for entry in entries)
    proved = {Outcome.PROVED: "", Outcome.PROVED_AMENDED: "with an added hypothesis"}
    machine = sum(words[outcome] for outcome in proved)
    said = (
        f"Of the {len(entries)} statements of Table 1, the theorems and the corollaries "
        f"{_all(machine, len(entries))} proved here, by machine-checked proofs of our own"
    )
    if words[Outcome.PROVED_AMENDED]:
        said += f" ({words[Outcome.PROVED_AMENDED]} {proved[Outcome.PROVED_AMENDED]})"
    said += "".join(f", {n} {other}" for other, n in words.most_common() if other not in proved)
    known = bounds(judged)
    constants = {one.stated.key: one for entry in entries for one in known[entry.claim.label]}
    values = [value for one in constants.values() if (value := one.stated.machine_checked())]
    widths = [
        one.stated.certified / Fraction(one.found.low) for one in constants.values() if one.found
    ]
    if values and widths:
        low, high = outwards(min(values), max(values))
        said += (
            f'; where they say "a universal constant", one from {low} to {high} is proved, and the '
            f"least possible one is known within a factor of {outwards(0, max(widths))[1]}"
        )
    return f"{said}."


def _refuted(judged: Judged) -> str:
    """Return which claims are refuted or overclaimed, besides headline and printed numbers."""
    told = [*part_of(judged, "headline"), *(entry for entry, _ in printed_rows(judged))]
    entries = [entry for entry in judged.entries if entry not in told]
    if not entries:
        return ""
    refuted, overclaimed = (
        [one for one in entries if outcome in (word(one, question) for question in Question)]
        for outcome in (Outcome.REFUTED, Outcome.OVERCLAIMED)
    )
    said = "Of the other claims none is refuted"
    if refuted:
        said = (
            f"Of the other claims {_are(len(refuted))} refuted, under the most charitable reading "
            f"and by a counterexample that anyone can run: {_named(refuted)}"
        )
    if overclaimed:
        said += f"; {_are(len(overclaimed))} overclaimed: {_named(overclaimed)}"
    return f"{said}."


def _numbers(judged: Judged) -> str:
    """Return which printed numbers cannot come from the algorithms as printed."""
    rows = [row for _, row in printed_rows(judged)]
    if not rows:
        return ""
    impossible = [row for row in rows if _fit(row, Reading.AS_PRINTED) is Fit.IMPOSSIBLE]
    said = (
        f"Of the {len(rows)} printed regrets and times {_all(len(impossible), len(rows))} "
        "impossible for the algorithms as printed, whatever the outcomes"
    )
    if impossible:
        least = (f"{row.printed} where every run has at least {_least(row)}" for row in impossible)
        said += f": {', '.join(least)}"
    no_better = [row for row in rows if _fit(row, Reading.KNOWN_GAP) is not Fit.POSSIBLE]
    if no_better:
        printed = ", ".join(str(row.printed) for row in no_better)
        said += f"; nor does the known-gap test of Algorithm 8 give {printed}"
    return f"{said}."


def _fit(row: PrintedRow, reading: Reading) -> Fit:
    return row.readings[reading].fit


def _least(row: PrintedRow) -> int:
    return row.readings[Reading.AS_PRINTED].fewest


def code(judged: Judged) -> str:
    """Return whether the code does what the text says."""
    checks = [
        one
        for entry in judged.entries
        for one in entry.evidence
        if one.check.question is Question.FIDELITY
    ]
    if not checks:
        return ""
    held = sum(one.holds for one in checks)
    rejected = {name for one in checks for name in one.check.rejects}
    does = "does" if held == len(checks) else "does not fully do"
    return (
        f"The code here {does} what the text says: {held} of {len(checks)} checks of "
        f"{len(part_of(judged, 'code'))} algorithms hold, and they reject {len(rejected)} wrong "
        "transcriptions."
    )


def _open(judged: Judged) -> str:
    """Return which claims are open, have several readings, or rest on others' work."""
    left, differing, elsewhere = (
        [one for one in judged.entries if outcome in (word(one, question) for question in Question)]
        for outcome in (Outcome.OPEN, Outcome.UNDERSPECIFIED, Outcome.OUT_OF_SCOPE)
    )
    said = []
    if left:
        said.append(f"{_are(len(left))} open: {'; '.join(one.claim.title for one in left)}")
    if differing:
        said.append(f"{_are(len(differing), 'has', 'have')} readings with different answers")
    if elsewhere:
        said.append(f"{_are(len(elsewhere), 'rests', 'rest')} on others' work")
    return f"Of all claims {'; '.join(said)}." if said else ""


def _all(some: int, of: int) -> str:
    """Return "all n are" if k = n > 1, else "k is" or "k are"."""
    return f"all {of} are" if some == of > 1 else _are(some)


def _are(count: int, one: str = "is", more: str = "are") -> str:
    return f"{count} {one if count == 1 else more}"


def _named(entries: Sequence[Entry]) -> str:
    return "; ".join(f"{one.claim.title} (`{one.claim.label}`)" for one in entries)
