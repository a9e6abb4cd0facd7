"""The data model of claims and findings: the paper's statements and our verdicts on them.

The TOML files beside this module hold them, and ``tgite_checks.claims.reading`` reads these. Texts
may have placeholders for numbers, which ``tgite_checks.claims.rendering`` fills in.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import StrEnum

from msgspec import Struct

from tgite_checks.check import Question

BEYOND = "beyond:"
"""The prefix of the labels of entries that are not about the paper."""

PROOFS = "coq"
"""The key, among the modules of a claim's checks, for the theorems that prove the claim."""


class Outcome(StrEnum):
    """The outcome of a verdict; ``tgite_checks.claims.words`` says which evidence each needs."""

    PROVED = "proved"
    """A theorem accepted by a proof kernel; for "there is a constant", with its value."""
    PROVED_AMENDED = "proved with an added hypothesis"
    """Such a theorem, under a hypothesis that the paper's statement does not name."""
    CERTIFIED = "certified"
    """Computed with a bounded error, on the whole domain."""
    HOLDS = "holds"
    """True on the stated cases, exactly, or by an argument in words in the entry."""
    REFUTED = "refuted"
    """False under the most charitable reading that the text allows; a counterexample is run."""
    OVERCLAIMED = "overclaimed"
    """The text says more than is true; the true reading is given."""
    UNDERSPECIFIED = "underspecified"
    """Several readings, with different answers, each given."""
    NOT_REPRODUCED = "not reproduced"
    """A printed result that we do not reproduce, with the readings under which we tried."""
    DEFINITION = "definition"
    """Nothing to check."""
    OUT_OF_SCOPE = "out of scope"
    """About others' work, or about priority."""
    OPEN = "open"
    """Unknown; the reason is given."""


class Severity(StrEnum):
    """The severity of a finding about the paper."""

    ERROR = "error"
    """A claim is false under the most charitable reading that the text allows."""
    OVERCLAIM = "overclaim"
    """The text says more than is true."""
    PROOF_GAP = "proof gap"
    """A step of a proof is not valid as written; its conclusion is judged separately."""
    UNDERSPECIFIED = "underspecified"
    """Several readings are possible, and they differ."""
    SLACK = "slack"
    """True, but looser or costlier than necessary."""
    EDITORIAL = "editorial"
    """A matter of wording."""


class ClaimKind(StrEnum):
    """The kind of the paper's item that an entry is about."""

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
    """A heading, which claims nothing itself; its entry says where the section's claims are."""


class Verdict(Struct, frozen=True, forbid_unknown_fields=True):
    """The project's verdict on a claim, for one question.

    - ``domain``: what is covered, in sentences. For a definition, or a claim that is out of scope
      or open: the reason.
    - ``amendment``: the corrected statement that holds, if the claim itself does not.
    - ``explicit``: the values of the constants, if the claim is that some exist.
    """

    outcome: Outcome
    domain: str
    amendment: str = ""
    explicit: str = ""


class Claim(Struct, frozen=True, forbid_unknown_fields=True):
    """An entry of the ledger.

    - ``label``: the paper's LaTeX label. An assertion without one has a name of ours after
      ``assert:`` or ``number:``. An entry that is not about the paper has a name after ``beyond:``.
      It is shown separately, and does not count as a claim of the paper.
    - ``place``: the place in the paper.
    - ``hypotheses`` and ``statement`` (with its formula): the claim in our own words.
    - ``transcription``: the names of the code.
    - ``checks``: the names of its checks, by the module of ``tgite_checks`` that has them. The key
      ``coq`` has the theorems that prove it.
    - ``proved_domain``: the domain on which these theorems prove it; if empty, the truth verdict's.
    - ``repeats``: the label of an entry that states the same. Theorems about that entry are about
      this one too, and equal fields may be left out.
    - ``argument``: an argument for the claim in words.
    - ``nothing_to_check``: the reason why there is no evidence.
    - ``not_established``: what the evidence does not show.
    - ``numbers``: names for the numbers in its texts.

    An entry that :attr:`claims_nothing` has no verdict.
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
        """Whether the claim is this project's, and not the paper's."""
        return self.label.startswith(BEYOND)

    @property
    def claims_nothing(self) -> bool:
        """Whether the claim is a heading or a figure, whose contents have their own entries."""
        return self.kind in (ClaimKind.SECTION, ClaimKind.FIGURE)

    @property
    def proved_as(self) -> frozenset[str]:
        """The labels whose theorems prove the claim: its own, and that of a repeated entry."""
        return frozenset({self.label, self.repeats} - {""})

    def is_proved_by(self, labels: Collection[str]) -> bool:
        """Return whether a theorem with these labels of the paper may prove it.

        A claim beyond the paper is proved by theorems that the paper does not state.
        """
        return not labels if self.is_beyond else not self.proved_as.isdisjoint(labels)

    @property
    def proved_on(self) -> str:
        """The domain on which theorems prove it."""
        verdict = self.verdicts.get(Question.TRUTH)
        return self.proved_domain or (verdict.domain if verdict else "")

    @property
    def check_of_proofs(self) -> str:
        """The name of the check that the kernel has accepted its theorems."""
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
    """A consequence of a finding elsewhere in the paper.

    ``label`` is the claim that it is about, and ``follows`` says what follows for that claim.
    ``title``, ``demonstration`` and ``numbers`` are as in a :class:`Finding`. Its text may also use
    the finding's numbers.
    """

    name: str
    label: str
    place: str
    follows: str
    title: str = ""
    demonstration: str = ""
    numbers: Mapping[str, str] = {}


class Finding(Struct, frozen=True, forbid_unknown_fields=True):
    """One thing that is wrong, missing, open or loose in the paper, with its evidence.

    - ``label``: the claim that it is about.
    - ``title``: what was found, as a heading; without one, the name is the heading.
    - ``correction``: a corrected statement.
    - ``reading``: the most charitable reading that the text allows, under which it is judged. If
      the text is underspecified: the readings with their answers.
    - ``answer``: the strongest answer that the authors could give.
    - ``rebuttal``: why that answer does not save the claim.
    - ``demonstration``: ``"module:name"`` (a module of ``tgite_checks``), a run that passes if the
      finding is confirmed. Without one, the finding is argued in words.
    - ``held_by``: the checks of its claim, or the demonstrations of its parts, that show that the
      correction is true. A correction that is a claim of ours needs one.
    - ``consequences``: what follows from it elsewhere in the paper.
    - ``numbers``: names for the numbers in its texts.
    """

    name: str
    label: str
    severity: Severity
    place: str
    claim: str
    reason: str
    correction: str
    title: str = ""
    reading: str = ""
    answer: str = ""
    rebuttal: str = ""
    demonstration: str = ""
    held_by: tuple[str, ...] = ()
    consequences: tuple[Consequence, ...] = ()
    numbers: Mapping[str, str] = {}

    @property
    def parts(self) -> tuple[Finding | Consequence, ...]:
        """The finding and its consequences, each with a name and maybe a demonstration."""
        return (self, *self.consequences)

    @property
    def labels(self) -> frozenset[str]:
        """The labels that the finding or one of its consequences is about."""
        return frozenset(part.label for part in self.parts)
