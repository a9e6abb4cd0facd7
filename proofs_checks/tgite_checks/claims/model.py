"""Claims and findings: what the paper says, and what the project says of it, as data.

They stand in the TOML files beside this module; ``tgite_checks.claims.reading`` reads them. Their
texts may hold placeholders for numbers, which ``tgite_checks.claims.rendering`` fills in.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

from tgite_checks.check import Question

PROOFS = "coq"
"""Where, among the modules of a claim's checks, the theorems stand that prove it."""


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


class Verdict(Struct, frozen=True, forbid_unknown_fields=True):
    """What the project says of a claim, for one question.

    ``amendment`` is the corrected statement under which the claim holds, where its own does not.
    """

    outcome: Outcome
    domain: str
    amendment: str = ""


class Claim(Struct, frozen=True, forbid_unknown_fields=True):
    """An entry of the ledger.

    ``label`` is the paper's LaTeX label, or a name of ours after ``assert:`` or ``number:`` for an
    assertion that has none. ``place`` says where it stands; ``hypotheses``, ``statement`` (with its
    formula) are in our own words; ``transcription`` names the code. ``checks`` names its checks
    under the modules (of ``tgite_checks``) that hold them, and under ``coq`` the theorems that
    prove it on ``proved_domain``. ``not_established`` says what the evidence does not show,
    ``nothing_to_check`` gives the reason where there are no checks. ``numbers`` names the numbers
    that its texts use.
    """

    label: str
    kind: ClaimKind
    title: str
    place: str
    statement: str
    not_established: str
    verdicts: Mapping[Question, Verdict]
    hypotheses: str = ""
    transcription: tuple[str, ...] = ()
    checks: Mapping[str, tuple[str, ...]] = {}
    proved_domain: str = ""
    nothing_to_check: str = ""
    numbers: Mapping[str, str] = {}

    @property
    def check_of_proofs(self) -> str:
        """The name of the check that its theorems are proved."""
        return f"proved-{self.label.replace(':', '-')}"

    @property
    def check_names(self) -> tuple[str, ...]:
        """The names of all its checks, in the order of the file."""
        return tuple(
            name
            for module, names in self.checks.items()
            for name in ((self.check_of_proofs,) if module == PROOFS else names)
        )


class Finding(Struct, frozen=True, forbid_unknown_fields=True):
    """Something wrong, missing, ambiguous or loose in the paper, with its evidence.

    ``label`` is the claim that it is about, ``correction`` what a corrected statement would be.
    ``demonstration``, ``"module:name"`` (a module of ``tgite_checks``), is the run that shows it:
    its result passes if the finding is confirmed. Without one the finding is argued in words.
    ``numbers`` names the numbers that its texts use.
    """

    name: str
    label: str
    severity: Severity
    place: str
    claim: str
    reason: str
    correction: str
    demonstration: str = ""
    numbers: Mapping[str, str] = {}
