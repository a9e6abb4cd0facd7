"""The verdict on the paper in at most five sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from fractions import Fraction

from tgite_checks.audit.judgement import Entry, Judged
from tgite_checks.audit.report.numbers import outwards, whole
from tgite_checks.audit.report.opening import bounds, part_of, printed_rows, tally, word
from tgite_checks.check import Question
from tgite_checks.claims.model import Outcome, Severity
from tgite_checks.figures.table import NO_CHANCE, Fit, Reading


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
    machine = words[Outcome.PROVED] + words[Outcome.PROVED_AMENDED]
    said = (
        f"Of the {len(entries)} statements of Table 1, the theorems and the corollaries "
        f"{_all(machine, len(entries))} proved by machine-checked proofs of our own"
    )
    if machine and not judged.rechecked:
        said += ", which this run did not compile"
    others = (one for one in words.items() if one[0] != Outcome.PROVED)
    said += "".join(f", {count} {other}" for other, count in others)
    known = bounds(judged)
    constants = {one.stated.key: one for entry in entries for one in known[entry.claim.label]}
    stated = [(one.stated.machine_checked(), one.found) for one in constants.values()]
    values = [value for value, _ in stated if value]
    over = [value / Fraction(found.low) for value, found in stated if value and found]
    if over:
        low, high = outwards(min(values), max(values))
        said += (
            f'. Where they say "a universal constant", one is proved for each, from {low} to '
            f"{high}, and at most {outwards(0, max(over))[1]} times the least possible one"
        )
    return f"{said}. Refuted of these: {words[Outcome.REFUTED] or 'none'}."


def _refuted(judged: Judged) -> str:
    """Return how many claims are refuted or overclaimed, and the findings that show it."""
    said = []
    wrong = {Outcome.REFUTED: Severity.ERROR, Outcome.OVERCLAIMED: Severity.OVERCLAIM}
    for outcome, severity in wrong.items():
        claims = tally(judged).get(outcome, ())
        found = [one.finding for one in judged.findings if one.finding.severity is severity]
        said.append(f"{_claims(len(claims))} {outcome}{_quoted(claims)}")
        if titles := "; ".join(one.title or one.claim for one in found):
            said.append(f"What we found instead: {titles}.")
    return " ".join(said)


def _numbers(judged: Judged) -> str:
    """Return which printed numbers cannot come from the algorithms as printed."""
    rows = [row for _, row in printed_rows(judged)]
    if not rows:
        return ""
    impossible = [row for row in rows if row.is_impossible]
    said = (
        f"Of the {len(rows)} printed regrets and times of TG-ITE's policies "
        f"{_all(len(impossible), len(rows))} impossible, if regret is binary (Section 2) and the "
        "test is DuelTest (Algorithm 1), which these policies call"
    )
    if impossible:
        found = ((row.amount, row.readings[Reading.AS_PRINTED].fewest) for row in impossible)
        least = (f"{printed} (every run: at least {whole(fewest)})" for printed, fewest in found)
        said += f": {', '.join(least)}"
    known_gap = [row for row in rows if row.readings[Reading.KNOWN_GAP].fit is Fit.POSSIBLE]
    possible = ", ".join(row.amount for row in known_gap) or "none"
    said += f". With Algorithm 8 and the largest valid gap, g = Delta*, possible are: {possible}"
    if len(known_gap) < len(rows):
        said += f". The others have probability 0, or at most {NO_CHANCE} as means of ten runs"
    return f"{said}. A test that no lemma covers fits the regrets. We had no pictures and no code."


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
    wrong = {name for one in checks for name in one.check.rejects}
    told = {trial.name for one in checks for trial in one.trials if trial.told_apart} & wrong
    does = "does" if held == len(checks) else "does not fully do"
    said = (
        f"Our transcription {does} what the text says: {held} of {len(checks)} checks of "
        f"{len(part_of(judged, 'code'))} algorithms hold. "
    )
    if judged.mutants:
        return f"{said}They rejected {len(told)} of {len(wrong)} wrong transcriptions."
    return (
        f"{said}Whether the checks reject {len(wrong)} wrong transcriptions, as they must, was not "
        "tried in this run (`tgite audit --mutants` does)."
    )


def _open(judged: Judged) -> str:
    """Return which claims are open, not reproduced, have several readings, or are others' work."""
    found = tally(judged)
    counts = [
        f"{_are(len(found[outcome]))} {outcome}"
        for outcome in (Outcome.NOT_REPRODUCED, Outcome.UNDERSPECIFIED, Outcome.OUT_OF_SCOPE)
        if outcome in found
    ]
    said = [f"Of all claims {', '.join(counts)}."] if counts else []
    if unknown := found.get(Outcome.OPEN):
        said.append(f"{_claims(len(unknown))} open{_quoted(unknown)}")
    return " ".join(said)


def _quoted(entries: Collection[Entry]) -> str:
    """Return the titles of claims, which are the paper's and not ours."""
    return ": " * bool(entries) + "; ".join(f"“{one.claim.title}”" for one in entries) + "."


def _all(some: int, of: int) -> str:
    """Return "all n are" if k = n > 1, else "k is" or "k are"."""
    return f"all {of} are" if some == of > 1 else _are(some)


def _are(count: int) -> str:
    return f"{count} {'is' if count == 1 else 'are'}"


def _claims(count: int) -> str:
    return f"{count or 'No'} {'claim is' if count <= 1 else 'claims are'}"
