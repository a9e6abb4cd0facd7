"""Words of the report: for verdicts, findings, and the sizes of checks."""

from __future__ import annotations

from dataclasses import dataclass

from tgite_checks.check import Check
from tgite_checks.claims.model import Outcome, Severity


@dataclass(frozen=True, slots=True)
class Word:
    """A word: its mark, its tone (``for`` the claim, ``against``, ``neither``), its meaning."""

    mark: str
    tone: str
    meaning: str


_MARKED = {
    Outcome.PROVED: ("◆", "for", "a theorem that a proof kernel accepts, with the constants given"),
    Outcome.PROVED_AMENDED: ("◇", "for", "such a theorem, under a hypothesis that the text lacks"),
    Outcome.CERTIFIED: ("●", "for", "computed with a bounded error, on the whole domain"),
    Outcome.HOLDS: ("●", "for", "true on the stated cases, exactly, or by the argument given"),
    Outcome.REFUTED: ("✕", "against", "false even read charitably; a counterexample is run"),
    Outcome.OVERCLAIMED: ("▲", "against", "says more than is true; the true reading is given"),
    Outcome.UNDERSPECIFIED: ("≈", "neither", "its readings have different answers, each given"),
    Outcome.NOT_REPRODUCED: ("⊘", "against", "a printed result that we do not reproduce"),
    Outcome.DEFINITION: ("≔", "neither", "there is nothing to check"),
    Outcome.OUT_OF_SCOPE: ("∅", "neither", "about others' work, or about priority"),
    Outcome.OPEN: ("?", "neither", "neither shown nor contradicted; the entry says why"),
}

OUTCOMES = {outcome: Word(*said) for outcome, said in _MARKED.items()}
"""The words of verdicts."""

SEVERITIES = {
    Severity.ERROR: "false under the most charitable reading that the text allows",
    Severity.OVERCLAIM: "the text says more than is true",
    Severity.PROOF_GAP: "a step of a proof is not valid as written",
    Severity.UNDERSPECIFIED: "several readings are possible, and they differ",
    Severity.SLACK: "true, but looser or costlier than necessary",
    Severity.EDITORIAL: "a matter of wording",
}
"""The words of findings, most serious first."""


def sizes_in_words(check: Check) -> list[str]:
    """Return a sentence for each size of a check that depends on the depth."""
    return [_sentence(what, [*map(_shown, sizes)]) for what, sizes in check.sizes.items()]


def in_words(check: Check) -> str:
    """Return what a check shows, with its sizes at each depth."""
    return " ".join([check.domain, *sizes_in_words(check)])


def _sentence(what: str, sizes: list[str]) -> str:
    depths = ["quick", "standard", "deep"] if sizes[1] != sizes[2] else ["quick", "else"]
    said = [f"{size} ({depth})" for size, depth in zip(sizes, depths, strict=False)]
    return f"{what[0].upper()}{what[1:]} {('; ' if ',' in ''.join(sizes) else ', ').join(said)}."


def _shown(size: object) -> str:
    match size:
        case range():
            return f"{size[0]} to {size[-1]}" + (f" by {size.step}" if size.step > 1 else "")
        case tuple():
            return " and ".join(", ".join(map(str, size)).rsplit(", ", 1)) or "none"
        case _:
            return str(size)
