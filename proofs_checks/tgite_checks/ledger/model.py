"""The words of the ledger: claims, checks, results and verdicts.

Three questions are kept apart: *fidelity* (does the code do what the text says?), *truth* (is what
the text says true, with which constant?) and *experiment* (do the printed numbers follow?).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from math import isfinite

from tgite.errors import require
from tgite_checks.enclosure import Enclosure
from tgite_checks.implementation import Implementation


class Question(StrEnum):
    """What a check or a verdict is about."""

    FIDELITY = "fidelity"
    TRUTH = "truth"
    EXPERIMENT = "experiment"


class Outcome(StrEnum):
    """The outcome of a verdict."""

    HOLDS = "holds"
    FAILS = "fails"
    AMBIGUOUS = "ambiguous"
    NOT_FALSIFIABLE = "not-falsifiable"
    NOT_REPRODUCIBLE = "not-reproducible"
    OPEN = "open"


class Kind(StrEnum):
    """What kind of evidence a check gives."""

    THEOREM = "theorem"
    """Accepted by a proof kernel."""
    CERTIFIED = "certified"
    """Computed with an enclosed error, on a continuous domain."""
    EXHAUSTIVE = "exhaustive"
    """All listed finite cases."""
    STATISTICAL = "statistical"
    """By sampling, at a stated false-alarm rate and power."""
    READING = "reading"
    """An argument in words."""


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


class Depth(StrEnum):
    """How much work an audit does."""

    QUICK = "quick"
    STANDARD = "standard"
    DEEP = "deep"


@dataclass(frozen=True, slots=True)
class Number:
    """A number that a check found, beside what the paper says of it (``bound``), if it does."""

    name: str
    value: Enclosure
    bound: Enclosure | None = None


class Role(StrEnum):
    """What a curve of a plot is; the report draws each role in its own way."""

    FOUND = "found"
    """Computed or measured by the check."""
    BOUND = "bound"
    """What a statement allows."""
    PRINTED = "printed"
    """What the paper prints."""


@dataclass(frozen=True, slots=True)
class Series:
    """A named curve: points ``(x, y)`` with ``y`` enclosed, in the order in which they are joined.

    Raises :class:`~tgite.errors.InvalidInput` without a point, or where an ``x`` is not finite.
    """

    name: str
    points: tuple[tuple[float, Enclosure], ...]
    role: Role = Role.FOUND

    def __post_init__(self) -> None:
        """Refuse what cannot be drawn."""
        require(len(self.points) > 0, "series", self.name, "must have a point")
        for x, _ in self.points:
            require(isfinite(x), "series", f"{self.name} at x = {x}", "must have finite x")


@dataclass(frozen=True, slots=True)
class Plot:
    """A picture of a check's numbers: curves over axes named ``x`` and ``y`` (with their units).

    Raises :class:`~tgite.errors.InvalidInput` without a series.
    """

    title: str
    x: str
    y: str
    series: tuple[Series, ...]
    log_x: bool = False
    log_y: bool = False

    def __post_init__(self) -> None:
        """Refuse an empty plot."""
        require(len(self.series) > 0, "plot", self.title, "must have a series")


@dataclass(frozen=True, slots=True)
class Result:
    """What a check found.

    ``passed``: whether the claim stood up (for a check that shows a claim false: whether its
    counterexample is one). ``examined``: the number of cases looked at; a check that looked at
    nothing has failed. ``summary``: one line. ``numbers``: what was measured. ``counterexample``:
    the first case that went wrong, in words and numbers that allow to repeat it. ``plots``: what is
    better seen than read.
    """

    passed: bool
    examined: int
    summary: str
    numbers: tuple[Number, ...] = ()
    counterexample: str = ""
    plots: tuple[Plot, ...] = ()

    def holds(self) -> bool:
        """Say whether the check passed and looked at something."""
        return self.passed and self.examined > 0


Run = Callable[[Implementation, Depth], Result]
"""A check's work: examine an implementation at a depth."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """A statistical check's error rates: ``alpha`` false alarms, ``power`` at ``alternative``."""

    alpha: float
    power: float
    alternative: str


@dataclass(frozen=True, slots=True)
class Check:
    """A piece of evidence that can be re-run.

    ``rejects`` names the mutants that a fidelity check must reject (at least one). ``refuses``
    holds, for a truth or experiment check, perturbed statements (a constant lowered, a hypothesis
    dropped), each with the run that examines it and must not pass (at least one, unless ``kind`` is
    a theorem or a reading). ``domain`` says what is covered. ``statistics`` is there for the
    statistical kind. ``certifies`` names the kernel-checked theorems that a check of the kind
    theorem relies on.
    """

    name: str
    question: Question
    kind: Kind
    domain: str
    run: Run
    rejects: tuple[str, ...] = ()
    refuses: Mapping[str, Run] = field(default_factory=dict)
    statistics: Statistics | None = None
    certifies: tuple[str, ...] = ()


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
