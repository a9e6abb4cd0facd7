"""Claims and findings: what the paper says, and what the project says of it, as data.

They stand in the TOML files beside this module; ``tgite_checks.claims.reading`` reads them. Their
texts may hold placeholders for numbers, which ``tgite_checks.claims.rendering`` fills in.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import StrEnum

from msgspec import Struct

from tgite_checks.check import Question

BEYOND = "beyond:"
"""How the labels of entries begin that are not about the paper."""

PROOFS = "coq"
"""Where, among the modules of a claim's checks, the theorems stand that prove it."""


class Outcome(StrEnum):
    """The outcome of a verdict; ``tgite_checks.claims.words`` says which evidence each needs."""

    PROVED = "proved"
    """A theorem accepted by a proof kernel; for "there is a constant" with the constant."""
    PROVED_AMENDED = "proved with an added hypothesis"
    """The same, under a hypothesis that the paper's statement does not name."""
    CERTIFIED = "certified"
    """By enclosed computation on the whole domain."""
    HOLDS = "holds"
    """Exactly, on the stated cases; or by an argument in words that the entry gives."""
    REFUTED = "refuted"
    """False under the most charitable reading that the text admits: a counterexample is run."""
    OVERCLAIMED = "overclaimed"
    """More is said than is true; the true reading is given."""
    UNDERSPECIFIED = "underspecified"
    """Several readings, with different answers, each given."""
    NOT_REPRODUCED = "not reproduced"
    """A printed result that does not come out, with the readings under which it was tried."""
    DEFINITION = "definition"
    """Nothing to check."""
    OUT_OF_SCOPE = "out of scope"
    """What others' work shows, or priority."""
    OPEN = "open"
    """Unknown, and why."""


class Severity(StrEnum):
    """How much a finding about the paper matters."""

    ERROR = "error"
    """A stated claim is false under the most charitable reading that the text admits."""
    OVERCLAIM = "overclaim"
    """More is said than is true."""
    PROOF_GAP = "proof gap"
    """A step of a proof that does not stand as written; its conclusion is judged apart."""
    UNDERSPECIFIED = "underspecified"
    """Several readings are possible, and they differ."""
    SLACK = "slack"
    """True, and looser or costlier than it need be."""
    EDITORIAL = "editorial"
    """A matter of wording."""


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
    STEP = "proof step"
    SECTION = "section"
    """A heading, which claims nothing itself: its entry says where its claims stand."""


class Verdict(Struct, frozen=True, forbid_unknown_fields=True):
    """What the project says of a claim, for one question.

    ``domain`` says what is covered; of what is a definition, out of scope or open, why it is so.
    ``amendment`` is the corrected statement under which the claim holds, where its own does not.
    ``explicit`` gives the constants where the claim is that there are some.
    """

    outcome: Outcome
    domain: str
    amendment: str = ""
    explicit: str = ""


class Claim(Struct, frozen=True, forbid_unknown_fields=True):
    """An entry of the ledger.

    ``label`` is the paper's LaTeX label, or a name of ours after ``assert:`` or ``number:`` for an
    assertion that has none, and after ``beyond:`` for what is not the paper's: that is shown apart,
    and counts nowhere as a claim of the paper. ``place`` says where it stands; ``hypotheses``,
    ``statement`` (with its formula) are in our own words; ``transcription`` names the code.
    ``checks`` names its checks under the modules (of ``tgite_checks``) that hold them, and under
    ``coq`` the theorems that prove it: on ``proved_domain``, or if that is empty on the domain of
    its truth. Where it says again what another entry says, ``repeats`` is that one's label;
    theorems about that one are about it too, and its file need not say again what is the same.
    ``argument`` shows it in words; ``nothing_to_check`` gives the reason where there is no
    evidence. ``not_established`` says what the evidence does not show. ``numbers`` names the
    numbers that its texts use. There is no
    verdict on what :attr:`claims_nothing`.
    """

    label: str
    kind: ClaimKind
    title: str
    place: str
    statement: str
    not_established: str
    verdicts: Mapping[Question, Verdict] = {}
    hypotheses: str = ""
    transcription: tuple[str, ...] = ()
    checks: Mapping[str, tuple[str, ...]] = {}
    proved_domain: str = ""
    repeats: str = ""
    argument: str = ""
    nothing_to_check: str = ""
    numbers: Mapping[str, str] = {}

    @property
    def is_beyond(self) -> bool:
        """Say whether it is of this project, and not of the paper."""
        return self.label.startswith(BEYOND)

    @property
    def claims_nothing(self) -> bool:
        """Say whether it is a heading or a picture: what these contain has entries of its own."""
        return self.kind in (ClaimKind.SECTION, ClaimKind.FIGURE)

    @property
    def proved_as(self) -> frozenset[str]:
        """The labels of the theorems that prove it: its own, and the one that it repeats."""
        return frozenset({self.label, self.repeats} - {""})

    def is_proved_by(self, labels: Collection[str]) -> bool:
        """Say whether a theorem with such labels of the paper may prove it.

        What is beyond the paper is proved by theorems that the paper does not state.
        """
        return not labels if self.is_beyond else not self.proved_as.isdisjoint(labels)

    @property
    def proved_on(self) -> str:
        """The domain on which its theorems prove it."""
        verdict = self.verdicts.get(Question.TRUTH)
        return self.proved_domain or (verdict.domain if verdict else "")

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


class Consequence(Struct, frozen=True, forbid_unknown_fields=True):
    """What follows from a finding elsewhere in the paper.

    ``label`` is the claim that it is about, ``follows`` says what is so there. ``demonstration``
    and ``numbers`` are as in a :class:`Finding`, whose numbers its text may use as well.
    """

    name: str
    label: str
    place: str
    follows: str
    demonstration: str = ""
    numbers: Mapping[str, str] = {}


class Finding(Struct, frozen=True, forbid_unknown_fields=True):
    """Something wrong, missing, left open or loose in the paper, with its evidence: one cause.

    ``label`` is the claim that it is about, ``correction`` what a corrected statement would be.
    ``reading`` is the most charitable reading that the text admits, under which it is judged (or,
    of what is underspecified, the readings with their answers); ``answer`` the strongest that the
    authors could give, ``rebuttal`` why that does not save the claim.
    ``demonstration``, ``"module:name"`` (a module of ``tgite_checks``), is the run that shows it:
    its result passes if the finding is confirmed. Without one the finding is argued in words.
    ``consequences`` are what follows from it elsewhere. ``numbers`` names the numbers that its
    texts use.
    """

    name: str
    label: str
    severity: Severity
    place: str
    claim: str
    reason: str
    correction: str
    reading: str = ""
    answer: str = ""
    rebuttal: str = ""
    demonstration: str = ""
    consequences: tuple[Consequence, ...] = ()
    numbers: Mapping[str, str] = {}

    @property
    def parts(self) -> tuple[Finding | Consequence, ...]:
        """The finding and its consequences, each with a name and perhaps a demonstration."""
        return (self, *self.consequences)

    @property
    def labels(self) -> frozenset[str]:
        """The labels that it, or a consequence of it, is about."""
        return frozenset(part.label for part in self.parts)
