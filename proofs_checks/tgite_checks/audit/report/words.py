"""How the words of verdicts and findings are marked, and what they mean to a reader."""

from __future__ import annotations

from dataclasses import dataclass

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
    Outcome.CERTIFIED: ("●", "for", "shown by enclosed computation, on the whole domain"),
    Outcome.HOLDS: ("●", "for", "so it is, exactly, on the cases stated, or by the argument given"),
    Outcome.REFUTED: ("✕", "against", "false under the reading kindest to it; anyone can run why"),
    Outcome.OVERCLAIMED: ("▲", "against", "more is said than is true; the true reading is given"),
    Outcome.UNDERSPECIFIED: ("≈", "neither", "its readings have different answers, each given"),
    Outcome.NOT_REPRODUCED: ("⊘", "against", "a printed result that does not come out"),
    Outcome.DEFINITION: ("≔", "neither", "there is nothing to check"),
    Outcome.OUT_OF_SCOPE: ("∅", "neither", "it is about others' work, or about priority"),
    Outcome.OPEN: ("?", "neither", "neither shown nor contradicted; the entry says why"),
}

OUTCOMES = {outcome: Word(*said) for outcome, said in _MARKED.items()}
"""The words of verdicts."""

SEVERITIES = {
    Severity.ERROR: "what is stated is false, read as kindly as the text admits",
    Severity.OVERCLAIM: "more is said than is true",
    Severity.PROOF_GAP: "a step of a proof does not stand as written",
    Severity.UNDERSPECIFIED: "several readings are possible, and they differ",
    Severity.SLACK: "true, and looser or costlier than it need be",
    Severity.EDITORIAL: "a matter of wording",
}
"""The words of findings, most serious first."""
