"""Claims and findings: what the paper says, and what the project says of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from tgite_checks.check import Check, Question, Run


class Outcome(StrEnum):
    """The outcome of a verdict."""

    HOLDS = "holds"
    FAILS = "fails"
    AMBIGUOUS = "ambiguous"
    NOT_FALSIFIABLE = "not-falsifiable"
    NOT_REPRODUCIBLE = "not-reproducible"
    OPEN = "open"


class Severity(StrEnum):
    """How much a finding about the paper matters."""

    ERROR = "error"
    GAP = "gap"
    AMBIGUITY = "ambiguity"
    LOOSENESS = "looseness"
    PRESENTATION = "presentation"


class ClaimKind(StrEnum):
    """What an entry of the ledger stands for in the paper."""

    ASSUMPTION = "assumption"
    DEFINITION = "definition"
    ALGORITHM = "algorithm"
    LEMMA = "lemma"
    THEOREM = "theorem"
    COROLLARY = "corollary"
    EQUATION = "equation"
    TABLE_ROW = "table row"
    FIGURE = "figure"
    NUMBER = "printed number"
    ASSERTION = "assertion"
    SECTION = "section"
    """A heading, which claims nothing itself: its entry says where its claims stand."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the project says of a claim, for one question.

    ``amendment`` is the corrected statement under which the claim holds, where its own does not.
    """

    outcome: Outcome
    domain: str
    amendment: str = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """An entry of the ledger.

    ``label`` is the paper's LaTeX label, or a name of ours after ``assert:`` or ``number:`` for an
    assertion that has none. ``place`` says where it stands; ``hypotheses``, ``statement`` (with its
    formula) are in our own words; ``transcription`` names the code. ``not_established`` says what
    the evidence does not show. ``nothing_to_check`` gives the reason where there are no checks.
    """

    label: str
    kind: ClaimKind
    title: str
    place: str
    hypotheses: str
    statement: str
    verdicts: Mapping[Question, Verdict]
    not_established: str
    checks: tuple[Check, ...] = ()
    transcription: tuple[str, ...] = ()
    nothing_to_check: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong, missing, ambiguous or loose in the paper, with its evidence.

    ``label`` is the claim that it is about, ``demonstration`` the run that shows it (its result
    passes if the finding is confirmed), ``correction`` what a corrected statement would be.
    """

    name: str
    label: str
    severity: Severity
    place: str
    claim: str
    reason: str
    correction: str
    demonstration: Run | None = None
