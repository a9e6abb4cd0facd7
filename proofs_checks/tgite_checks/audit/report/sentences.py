"""What the claims came to, in the five sentences that a committee wants to read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from tgite_checks.audit.judgement import Entry, Judged
from tgite_checks.audit.report.numbers import outwards
from tgite_checks.audit.report.opening import PARTS, bounds, part_of, printed_rows, word
from tgite_checks.check import Question
from tgite_checks.claims.model import Outcome
from tgite_checks.figures.table import Fit, PrintedRow, Reading


def sentences(judged: Judged) -> tuple[str, ...]:
    """Say what a committee wants to know, in the ledger's form; nothing of a part of the claims."""
    if not judged.whole:
        return ()
    all_of_them = (_proved, _refuted, _numbers, code, _open)
    return tuple(said for sentence in all_of_them if (said := sentence(judged)))


def _proved(judged: Judged) -> str:
    """Say how many of the headline claims are machine-checked, and with which constants."""
    entries = part_of(judged, "headline")
    if not entries:
        return ""
    words = _words(entries, Question.TRUTH)
    machine = words[Outcome.PROVED] + words[Outcome.PROVED_AMENDED]
    said = f"Of {len(entries)} headline statements (Table 1, theorems, corollaries) {machine} are "
    said += "proved and machine-checked"
    if words[Outcome.PROVED_AMENDED]:
        said += f", {words[Outcome.PROVED_AMENDED]} of them with an added hypothesis"
    said += _others(words, Outcome.PROVED, Outcome.PROVED_AMENDED)
    known = bounds(judged)
    constants = {one.stated.key: one for entry in entries for one in known[entry.claim.label]}
    proved = [value for one in constants.values() if (value := one.stated.machine_checked())]
    widths = [
        one.stated.certified / Fraction(one.found.low) for one in constants.values() if one.found
    ]
    if proved and widths:
        low, high = outwards(min(proved), max(proved))
        said += (
            f'; where they say "a universal constant", one from {low} to {high} is proved, and the '
            f"best possible one is known within a factor of {outwards(0, max(widths))[1]}"
        )
    return f"{said}."


def _refuted(judged: Judged) -> str:
    """Name what is refuted, and count what is overclaimed."""
    entries = [one for one in judged.entries if one.claim.kind not in PARTS["printed"]]
    if not entries:
        return ""
    refuted, overclaimed = (
        [one for one in entries if outcome in (word(one, question) for question in Question)]
        for outcome in (Outcome.REFUTED, Outcome.OVERCLAIMED)
    )
    said = "Nothing that the text states is refuted"
    if refuted:
        verb = "statement is" if len(refuted) == 1 else "statements are"
        said = f"{len(refuted)} {verb} refuted, each by a counterexample to run: {_named(refuted)}"
    if overclaimed:
        said += f"; {len(overclaimed)} say more than is true: {_named(overclaimed)}"
    return f"{said}."


def _numbers(judged: Judged) -> str:
    """Say which printed numbers cannot come from the algorithms as printed."""
    rows = [row for _, row in printed_rows(judged)]
    if not rows:
        return ""
    impossible = [row for row in rows if _fit(row, Reading.AS_PRINTED) is Fit.IMPOSSIBLE]
    said = f"{len(impossible)} of {len(rows)} printed numbers cannot come from the algorithms as "
    said += "printed, whatever the outcomes"
    if impossible:
        least = (f"{row.printed} (least of any run: {_fewest(row)})" for row in impossible)
        said += f": {', '.join(least)}"
    no_better = [row for row in rows if _fit(row, Reading.KNOWN_GAP) is not Fit.POSSIBLE]
    if no_better:
        printed = ", ".join(str(row.printed) for row in no_better)
        said += f"; Algorithm 8, told the gap, does not give {printed} either"
    return f"{said}."


def _fit(row: PrintedRow, reading: Reading) -> Fit:
    return row.readings[reading].fit


def _fewest(row: PrintedRow) -> int:
    return row.readings[Reading.AS_PRINTED].fewest


def code(judged: Judged) -> str:
    """Say whether the code does what the text says."""
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
    does = "does" if held == len(checks) else "does not everywhere do"
    return (
        f"The code here {does} what the text says: {held} of {len(checks)} checks of "
        f"{len(part_of(judged, 'code'))} algorithms hold, which reject {len(rejected)} wrong "
        "transcriptions."
    )


def _open(judged: Judged) -> str:
    """Say what is open, and what nobody could check."""
    kinds = {
        outcome: [one for one in judged.entries if outcome in (word(one, q) for q in Question)]
        for outcome in (Outcome.OPEN, Outcome.UNDERSPECIFIED, Outcome.OUT_OF_SCOPE)
    }
    said = [f"open: {_named(kinds[Outcome.OPEN])}"] if kinds[Outcome.OPEN] else []
    if kinds[Outcome.UNDERSPECIFIED]:
        said.append(f"{len(kinds[Outcome.UNDERSPECIFIED])} claims have readings that differ")
    if kinds[Outcome.OUT_OF_SCOPE]:
        said.append(f"{len(kinds[Outcome.OUT_OF_SCOPE])} rest on other papers")
    return f"Not decided here is what is {'; '.join(said)}." if said else ""


def _words(entries: Sequence[Entry], question: Question) -> Counter[str]:
    return Counter(said for entry in entries if (said := word(entry, question)))


def _others(words: Counter[str], *told: str) -> str:
    """Count the other words, in the order of how many there are."""
    return "".join(f", {n} {said}" for said, n in words.most_common() if said not in told)


def _named(entries: Sequence[Entry]) -> str:
    return "; ".join(f"{one.claim.title} (`{one.claim.label}`)" for one in entries)
