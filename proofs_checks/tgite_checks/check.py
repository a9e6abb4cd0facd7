"""Checks, the pieces of evidence that can be run again, and their results.

There are three separate questions: *fidelity* (does the code do what the text says?), *truth* (is
the text true, and with which constant?) and *experiment* (do the printed numbers follow?).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from functools import partial
from math import inf
from typing import Concatenate, ParamSpec, TypeAlias, TypeVar, cast

from tgite.errors import InvalidInput
from tgite_laws.enclosure import Enclosure, rational
from tgite_laws.implementation import Implementation

_T = TypeVar("_T")
_P = ParamSpec("_P")


class Question(StrEnum):
    """The question that a check or a verdict answers."""

    FIDELITY = "fidelity"
    TRUTH = "truth"
    EXPERIMENT = "experiment"


class Kind(StrEnum):
    """The kind of evidence that a check gives."""

    THEOREM = "theorem"
    """Accepted by a proof kernel."""
    CERTIFIED = "certified"
    """Computed with a bounded error, on a continuous domain."""
    EXHAUSTIVE = "exhaustive"
    """All cases of a finite list."""
    LISTED_SEEDS = "listed seeds"
    """Runs with the seeds that the domain lists; says nothing about other seeds."""
    STATISTICAL = "statistical"
    """Sampled, with a stated false-alarm rate and power."""
    READING = "reading"
    """An argument in words."""


class Depth(StrEnum):
    """The amount of work of an audit."""

    QUICK = "quick"
    STANDARD = "standard"
    DEEP = "deep"


@dataclass(frozen=True, slots=True)
class Number:
    """A number that a check found, with the paper's ``bound`` on that number if there is one."""

    name: str
    value: Enclosure
    bound: Enclosure | None = None


@dataclass(frozen=True, slots=True)
class Shown:
    """What is shown with a result, such as a plot. It has no influence on the result."""


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a check.

    - ``passed``: whether no case was wrong. For a check that refutes a claim: whether its
      counterexample is valid.
    - ``examined``: the number of examined cases; with none, the check has failed.
    - ``summary``: one line.
    - ``numbers``: the numbers found.
    - ``counterexample``: the first wrong case, in words and numbers with which to repeat it.
    - ``plots``: plots of the numbers.
    """

    passed: bool
    examined: int
    summary: str
    numbers: tuple[Number, ...] = ()
    counterexample: str = ""
    plots: tuple[Shown, ...] = ()

    def holds(self) -> bool:
        """Return whether the check passed and examined at least one case."""
        return self.passed and self.examined > 0

    def refutes(self) -> bool:
        """Return whether a case was examined and found wrong, and not merely left undecided."""
        left_open = self.counterexample.startswith(UNDECIDED)
        return not self.passed and self.examined > 0 and not left_open


Run = Callable[[Implementation, Depth], Result]
"""A check's function: examine an implementation at a depth."""

Sizes: TypeAlias = Mapping[str, Sequence[object]]
"""Sizes of a check by what they are: the values at quick, standard and deep depth."""

_NO_SIZES: Sizes = {}


@dataclass(frozen=True, slots=True)
class Statistics:
    """A statistical check's false-alarm rate ``alpha``, and its ``power`` at ``alternative``."""

    alpha: float
    power: float
    alternative: str


@dataclass(frozen=True, slots=True)
class Check:
    """A piece of evidence that can be run again.

    - ``domain``: what the check shows and for which cases, in plain sentences.
    - ``sizes``: what depends on the depth, with its value at quick, standard and deep depth.
    - ``rejects``: the mutants that a fidelity check must reject (at least one). The registry takes
      them from the mutants.
    - ``refuses``: perturbed statements of a truth or experiment check, for example with a lower
      constant or without a hypothesis. Each has the run that examines it, which must not pass.
      There is at least one, unless ``kind`` is theorem or reading.
    - ``statistics``: the error rates, for the statistical kind only.
    - ``certifies``: the kernel-checked theorems that a check of the kind theorem relies on.
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
    sizes: Sizes = field(default_factory=dict)


class StatementCheck(Check):
    """A check of a statement alone, whose result does not depend on an implementation."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Demonstration:
    """The evidence for a finding: a run that passes if the finding is confirmed.

    ``refuses`` holds perturbed findings, as in a :class:`Check`.
    """

    run: Run
    refuses: Mapping[str, Run] = field(default_factory=dict)


class Argument(Demonstration):
    """A demonstration about the text alone, like a :class:`StatementCheck`."""

    __slots__ = ()


UNDECIDED = "undecided"
"""The first word of a counterexample if the enclosures do not decide its case."""

_MOST_SHOWN = 12


@dataclass(frozen=True, slots=True)
class AtMost:
    """One case of a statement: the number called ``name`` is at most ``bound``.

    It holds only if the enclosures prove it, for all values in them. An undecided case counts as
    wrong, and its counterexample says that it is undecided.
    """

    name: str
    value: Enclosure
    bound: Enclosure

    @property
    def holds(self) -> bool:
        """Whether the enclosures prove the case."""
        return self.value.high <= self.bound.low

    @property
    def wrong(self) -> str:
        """What is wrong with the case, or nothing if it holds."""
        if self.holds:
            return ""
        said = f"{self.name}: {self.value} is not at most {self.bound}"
        return said if self.value.low > self.bound.high else f"{UNDECIDED}: {said}"

    @property
    def tightness(self) -> float:
        """The ratio value/bound, which is largest for the tightest case."""
        if self.bound.high <= 0:
            return inf
        return self.value.high / self.bound.high


@dataclass(frozen=True, slots=True)
class Words:
    """The summary to show if all cases are right, in place of their number.

    ``counterexample``: a counterexample to a claim that the check refutes, in words and numbers
    with which to repeat it.
    """

    summary: str
    counterexample: str = ""


def at_most(
    name: str, value: Enclosure | Fraction | int, bound: Enclosure | Fraction | int
) -> AtMost:
    """Return the case that the number called ``name`` is at most ``bound``."""
    return AtMost(name, *(x if isinstance(x, Enclosure) else rational(x) for x in (value, bound)))


Cases: TypeAlias = Iterable[str | AtMost | Number | Shown | Words]
"""The items that a check examines, in order.

A string is a case: empty if the case is right, else what is wrong with it. An :class:`AtMost` is a
case that compares two numbers. A number, a plot or words are not cases but shown with the result.
"""


def by_depth(depth: Depth, quick: _T, standard: _T, deep: _T) -> _T:
    """Return the one of three values that belongs to a depth."""
    return {Depth.QUICK: quick, Depth.STANDARD: standard, Depth.DEEP: deep}[depth]


def result_of(cases: Cases, what: str) -> Result:
    """Return the result of the cases up to the first wrong one; ``what`` describes one case.

    All comparisons are examined, and the tightest of them are shown. An
    :class:`~tgite.errors.InvalidInput` counts as wrong, because the input of cases is legal. Any
    other error is passed on.
    """
    compared: list[AtMost] = []
    numbers: list[Number] = []
    plots: list[Shown] = []
    words = Words("")
    examined = 0
    wrong = ""
    try:
        for case in cases:
            match case:
                case Number():
                    numbers.append(case)
                case Shown():
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
        return Result(False, 0, f"no {what} was examined")
    if words.summary:
        summary = words.summary
    else:
        count = "1 case" if examined == 1 else f"{examined} cases"
        summary = f"every {what} is {'within its bound' if compared else 'right'} ({count})"
    return Result(True, examined, summary, found, words.counterexample, tuple(plots))


Examine: TypeAlias = Callable[Concatenate[Implementation, Depth, _P], Cases | Result]
"""A function that yields a check's cases for an implementation and a depth, or returns a result.

A perturbed statement changes its keyword arguments, which all have defaults.
"""

Perturbed: TypeAlias = Mapping[str, Mapping[str, object]]
"""Perturbed statements in words, each with the keyword arguments that produce it."""


def fidelity(
    name: str,
    *,
    domain: str,
    case: str,
    kind: Kind = Kind.EXHAUSTIVE,
    statistics: Statistics | None = None,
    sizes: Sizes = _NO_SIZES,
) -> Callable[[Examine[[]]], Check]:
    """Turn a function that yields cases into a fidelity check; ``case`` describes one case."""

    def of(examine: Examine[[]]) -> Check:
        run = _run(examine, case, {})
        said = (name, Question.FIDELITY, kind, domain)
        return Check(*said, run, statistics=statistics, sizes=sizes)

    return of


def truth(
    name: str,
    *,
    domain: str,
    case: str,
    refuses: Perturbed,
    kind: Kind = Kind.CERTIFIED,
    question: Question = Question.TRUTH,
    sizes: Sizes = _NO_SIZES,
) -> Callable[[Examine[_P]], Check]:
    """Turn a function that yields cases into a truth check; ``case`` describes one case."""

    def of(examine: Examine[_P]) -> Check:
        run, refused = _run(examine, case, {}), _refused(examine, case, refuses)
        return Check(name, question, kind, domain, run, refuses=refused, sizes=sizes)

    return of


experiment = partial(truth, question=Question.EXPERIMENT)
"""Turn a function that yields cases into a check of printed numbers, like :func:`truth`."""


def statement(
    name: str,
    *,
    domain: str,
    case: str,
    refuses: Perturbed,
    kind: Kind = Kind.CERTIFIED,
    question: Question = Question.TRUTH,
    sizes: Sizes = _NO_SIZES,
) -> Callable[[Callable[Concatenate[Depth, _P], Cases | Result]], StatementCheck]:
    """Turn a function that yields cases for a depth into a check of a statement alone."""

    def of(examine: Callable[Concatenate[Depth, _P], Cases | Result]) -> StatementCheck:
        of_any = _of_any(examine)
        run, refused = _run(of_any, case, {}), _refused(of_any, case, refuses)
        return StatementCheck(name, question, kind, domain, run, refuses=refused, sizes=sizes)

    return of


def demonstration(
    *, case: str, refuses: Perturbed | None = None
) -> Callable[[Examine[_P]], Demonstration]:
    """Turn a function that yields cases into a finding's demonstration."""

    def of(examine: Examine[_P]) -> Demonstration:
        return Demonstration(_run(examine, case, {}), _refused(examine, case, refuses or {}))

    return of


def argument(
    *, case: str, refuses: Perturbed | None = None
) -> Callable[[Callable[Concatenate[Depth, _P], Cases | Result]], Argument]:
    """Turn a function that yields cases for a depth into a demonstration about the text alone."""

    def of(examine: Callable[Concatenate[Depth, _P], Cases | Result]) -> Argument:
        of_any = _of_any(examine)
        return Argument(_run(of_any, case, {}), _refused(of_any, case, refuses or {}))

    return of


def _of_any(examine: Callable[Concatenate[Depth, _P], Cases | Result]) -> Examine[_P]:
    """Return the function with an additional first argument, an implementation, unused."""

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
