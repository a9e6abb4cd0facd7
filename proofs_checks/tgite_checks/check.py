"""Checks: the pieces of evidence that can be re-run, and what they find.

Three questions are kept apart: *fidelity* (does the code do what the text says?), *truth* (is what
the text says true, with which constant?) and *experiment* (do the printed numbers follow?).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from functools import partial
from math import inf, isfinite
from typing import Concatenate, ParamSpec, TypeAlias, TypeVar, cast

from tgite.errors import InvalidInput, require
from tgite_laws.enclosure import Enclosure, rational
from tgite_laws.implementation import Implementation

_T = TypeVar("_T")
_P = ParamSpec("_P")


class Question(StrEnum):
    """What a check or a verdict is about."""

    FIDELITY = "fidelity"
    TRUTH = "truth"
    EXPERIMENT = "experiment"


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

    def refutes(self) -> bool:
        """Say whether something was looked at and found wrong, not merely left open."""
        left_open = self.counterexample.startswith(UNDECIDED)
        return not self.passed and self.examined > 0 and not left_open


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

    ``rejects`` names the mutants that a fidelity check must reject (at least one); the registry
    takes it from the mutants. ``refuses``
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


class StatementCheck(Check):
    """A check of a statement alone: no implementation has any part in what it finds."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Demonstration:
    """What shows a finding: a run that passes if the finding is confirmed.

    ``refuses`` holds perturbed findings, as in a :class:`Check`.
    """

    run: Run
    refuses: Mapping[str, Run] = field(default_factory=dict)


class Argument(Demonstration):
    """A demonstration that speaks of the text alone, as a :class:`StatementCheck` does."""

    __slots__ = ()


UNDECIDED = "undecided"
"""How the counterexample of a case begins that the enclosures leave open."""

_MOST_SHOWN = 12


@dataclass(frozen=True, slots=True)
class AtMost:
    """One case of a statement: the number called ``name`` is at most ``bound``.

    It holds only if all that the number may be is at most all that the bound may be; a case that
    the enclosures leave open counts as not shown, and its counterexample says so.
    """

    name: str
    value: Enclosure
    bound: Enclosure

    @property
    def holds(self) -> bool:
        """Say whether the enclosures show it."""
        return self.value.high <= self.bound.low

    @property
    def wrong(self) -> str:
        """Say what is wrong with the case; nothing if it holds."""
        if self.holds:
            return ""
        said = f"{self.name}: {self.value} is not at most {self.bound}"
        return said if self.value.low > self.bound.high else f"{UNDECIDED}: {said}"

    @property
    def tightness(self) -> float:
        """The quotient value/bound, to tell which cases come closest."""
        if self.bound.high <= 0:
            return inf
        return self.value.high / self.bound.high


@dataclass(frozen=True, slots=True)
class Words:
    """What a reader is told if all cases are right, in place of how many there were.

    ``counterexample``: of a claim that the check shows to be false, in words and numbers that allow
    to repeat it.
    """

    summary: str
    counterexample: str = ""


def at_most(
    name: str, value: Enclosure | Fraction | int, bound: Enclosure | Fraction | int
) -> AtMost:
    """Return the case that the number called ``name`` is at most ``bound``."""
    return AtMost(name, *(x if isinstance(x, Enclosure) else rational(x) for x in (value, bound)))


Cases: TypeAlias = Iterable[str | AtMost | Number | Plot | Words]
"""What a check looks at, one after the other.

A string is a case: empty if it is right, else what is wrong with it. An :class:`AtMost` is a case
that compares. A number, a plot or words are no case: they are shown with the result.
"""


def by_depth(depth: Depth, quick: _T, standard: _T, deep: _T) -> _T:
    """Return the choice that belongs to a depth."""
    return {Depth.QUICK: quick, Depth.STANDARD: standard, Depth.DEEP: deep}[depth]


def result_of(cases: Cases, what: str) -> Result:
    """Look at the cases up to the first wrong one; ``what`` says what one case is.

    Comparisons are all looked at, and of many the tightest are shown. A refusal of input that is
    legal (an :class:`~tgite.errors.InvalidInput`) counts as wrong; any other error passes through.
    """
    compared: list[AtMost] = []
    numbers: list[Number] = []
    plots: list[Plot] = []
    words = Words("")
    examined = 0
    wrong = ""
    try:
        for case in cases:
            match case:
                case Number():
                    numbers.append(case)
                case Plot():
                    plots.append(case)
                case Words():
                    words = case
                case AtMost():
                    examined += 1
                    compared.append(case)
                case _:
                    examined += 1
                    wrong = case
                    if wrong:
                        break
    except InvalidInput as refusal:
        examined += 1
        wrong = f"refused: {refusal}"
    tightest = sorted(compared, key=lambda case: -case.tightness)[:_MOST_SHOWN]
    numbers += [Number(one.name, one.value, one.bound) for one in compared if one in tightest]
    found = tuple(numbers)
    if wrong:
        return Result(False, examined, f"case {examined} ({what}) is wrong", found, wrong)
    first = next((case for case in compared if not case.holds), None)
    if first is not None:
        summary = f"not every {what} is within its bound"
        return Result(False, examined, summary, found, first.wrong)
    if not examined:
        return Result(False, 0, f"no {what} was looked at")
    if words.summary:
        summary = words.summary
    elif not compared:
        summary = f"{examined} cases ({what}), all right"
    else:
        summary = (
            f"{examined} cases ({what}), all within their bounds; the tightest reaches "
            f"{tightest[0].tightness:.4g} of its bound"
        )
    return Result(True, examined, summary, found, words.counterexample, tuple(plots))


Examine: TypeAlias = Callable[Concatenate[Implementation, Depth, _P], Cases | Result]
"""What a check examines: cases of an implementation at a depth, or a result made by hand.

Keyword arguments, all with defaults, are what a perturbed statement changes.
"""

Perturbed: TypeAlias = Mapping[str, Mapping[str, object]]
"""Perturbed statements in words, each with the keyword arguments that make it."""


def fidelity(
    name: str,
    *,
    domain: str,
    case: str,
    kind: Kind = Kind.EXHAUSTIVE,
    statistics: Statistics | None = None,
) -> Callable[[Examine[[]]], Check]:
    """Make a check of fidelity of the function that yields its cases; ``case`` says what one is."""

    def of(examine: Examine[[]]) -> Check:
        run = _run(examine, case, {})
        return Check(name, Question.FIDELITY, kind, domain, run, statistics=statistics)

    return of


def truth(
    name: str,
    *,
    domain: str,
    case: str,
    refuses: Perturbed,
    kind: Kind = Kind.CERTIFIED,
    question: Question = Question.TRUTH,
) -> Callable[[Examine[_P]], Check]:
    """Make a check of truth of the function that yields its cases; ``case`` says what one is."""

    def of(examine: Examine[_P]) -> Check:
        run, refused = _run(examine, case, {}), _refused(examine, case, refuses)
        return Check(name, question, kind, domain, run, refuses=refused)

    return of


experiment = partial(truth, question=Question.EXPERIMENT)
"""Make a check of the printed numbers, as :func:`truth` does of a statement."""


def statement(
    name: str,
    *,
    domain: str,
    case: str,
    refuses: Perturbed,
    kind: Kind = Kind.CERTIFIED,
    question: Question = Question.TRUTH,
) -> Callable[[Callable[Concatenate[Depth, _P], Cases | Result]], StatementCheck]:
    """Make a check of a statement alone: the function that yields its cases is given a depth."""

    def of(examine: Callable[Concatenate[Depth, _P], Cases | Result]) -> StatementCheck:
        of_any = _of_any(examine)
        run, refused = _run(of_any, case, {}), _refused(of_any, case, refuses)
        return StatementCheck(name, question, kind, domain, run, refuses=refused)

    return of


def demonstration(
    *, case: str, refuses: Perturbed | None = None
) -> Callable[[Examine[_P]], Demonstration]:
    """Make a finding's demonstration of the function that yields its cases."""

    def of(examine: Examine[_P]) -> Demonstration:
        return Demonstration(_run(examine, case, {}), _refused(examine, case, refuses or {}))

    return of


def argument(
    *, case: str
) -> Callable[[Callable[Concatenate[Depth, _P], Cases | Result]], Argument]:
    """Make a finding's demonstration that speaks of the text alone; its cases need a depth only."""

    def of(examine: Callable[Concatenate[Depth, _P], Cases | Result]) -> Argument:
        return Argument(_run(_of_any(examine), case, {}))

    return of


def _of_any(examine: Callable[Concatenate[Depth, _P], Cases | Result]) -> Examine[_P]:
    """Return what examines any implementation alike."""

    def examine_any(
        under_test: Implementation, depth: Depth, /, *args: _P.args, **perturbation: _P.kwargs
    ) -> Cases | Result:
        return examine(depth, *args, **perturbation)

    return examine_any


def _run(examine: Examine[_P], case: str, perturbation: Mapping[str, object]) -> Run:
    examined = cast(Callable[..., Cases | Result], examine)

    def run(under_test: Implementation, depth: Depth) -> Result:
        found = examined(under_test, depth, **perturbation)
        return found if isinstance(found, Result) else result_of(found, case)

    return run


def _refused(examine: Examine[_P], case: str, perturbed: Perturbed) -> Mapping[str, Run]:
    return {words: _run(examine, case, changed) for words, changed in perturbed.items()}
