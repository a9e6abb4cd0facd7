"""Check that the Python code of both tests is the code that ``FloatCode.v`` is about.

``FloatCode.v`` has the decisions of DuelTest and BudgetedDuelTest as terms, operation by operation.
Its ``run`` says what Python computes for a term. It proves that the result is the decision of a
rule of the theorems. This module compares the Python code with both:

* The terms: the decisions in the code's syntax tree must be the recorded terms. This does not
  depend on any choice of ``n``, ``S``, ``delta`` and ``g``.
* The evaluation: the terms are run as ``run`` says, in rational numbers, with each operation
  rounded to nearest by integers. The code must give the same floats, bit by bit. Logarithms are
  Python's.
"""

from __future__ import annotations

import ast
import builtins
import functools
import linecache
import math
import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import cycle
from types import FunctionType
from typing import TypeVar

from flint import arb

from tgite.confidence import Confidence
from tgite_checks.check import (
    Cases,
    Check,
    Depth,
    Kind,
    Number,
    at_most,
    by_depth,
    fidelity,
    statement,
)
from tgite_checks.fidelity.budgeted_duel_test import GAPS
from tgite_checks.fidelity.duel_test import LEVELS
from tgite_checks.proofs.record import recorded
from tgite_laws.balls import log_inverse_ball, real
from tgite_laws.implementation import Implementation

_T = TypeVar("_T")

FILE = "FloatCode"
"""The file of the proofs that has the terms."""

DECISIONS = {
    "duel_test": ("code_stops", "code_ahead"),
    "budgeted_duel_test": ("code_budgeted_stops", "code_budgeted_ahead", "code_budgeted_ahead"),
}
"""For each test of the code, the terms of its decisions in the order of its lines."""

_FARTHEST = {"duel_test": 60, "budgeted_duel_test": 52}  # powers of 2: the proofs' limits
_TOKEN = re.compile(r"[\w.']+|[()]")
_OPERATIONS: dict[str, Callable[..., int | Fraction]] = {"Add": operator.add, "Sub": operator.sub}
_OPERATIONS |= {"Mul": operator.mul, "Div": Fraction}
_OWN = {"sqrt": math.sqrt, "log": math.log, "abs": builtins.abs, "float": builtins.float}
_WRITTEN = {
    "Add": "({} + {})",
    "Sub": "({} - {})",
    "Mul": "({} * {})",
    "Div": "({} / {})",
    "Pow": "({} ** {})",
    "Abs": "abs({})",
    "Sqrt": "sqrt({})",
    "Log": "log({})",
    "above": "{} > {}",
    "at_least": "{} >= {}",
    "Z.of_nat": "{}",
    "s": "S",
    "log_inverse": "delta.log_inverse",
    "nearest": "float({})",
}
"""Python's code for a term, with the code of the arguments in its gaps."""


class NotATerm(ArithmeticError):
    """The code has an expression that ``FloatCode.v`` has no terms for; the message says which."""


@dataclass(frozen=True, slots=True)
class Term:
    """A term: a number or a name, applied to arguments."""

    head: str
    arguments: tuple[Term, ...] = ()

    def __str__(self) -> str:
        """Return the term as the prover writes it."""
        return " ".join(
            [self.head, *(f"({one})" if one.arguments else one.head for one in self.arguments)]
        )


def term(text: str) -> Term:
    """Parse a term of names, numbers, applications and parentheses."""
    tokens = _TOKEN.findall(text)

    def applied() -> Term:
        parts: list[Term] = []
        while tokens and tokens[0] != ")":
            token = tokens.pop(0)
            if token == "(":
                parts.append(applied())
                tokens.pop(0)
            else:
                parts.append(Term(token.removeprefix(f"{FILE}.")))
        first, *rest = parts
        return Term(first.head, (*first.arguments, *rest)) if rest else first

    return applied()


@functools.cache
def recorded_terms() -> Mapping[str, Term]:
    """Return the terms of the decisions in the proofs' record, with all definitions unfolded.

    Raises ``KeyError`` if the record does not have them.
    """
    definitions = recorded().definitions
    unfolded: dict[str, Term] = {}

    def unfold(found: Term, given: Mapping[str, Term]) -> Term:
        arguments = tuple(unfold(one, given) for one in found.arguments)
        if found.head in given and not arguments:
            return given[found.head]
        if not found.head.endswith(("_code", "mean_of")):
            return Term(found.head, arguments)
        names, body = _definition(definitions[f"{FILE}.{found.head}"])
        return unfold(body, dict(zip(names, arguments, strict=True)))

    for name in {name for names in DECISIONS.values() for name in names}:
        unfolded[name] = unfold(_definition(definitions[f"{FILE}.{name}"])[1], {})
    return unfolded


def _definition(printed: str) -> tuple[list[str], Term]:
    """Parse ``name = fun (names : type) ... => term : type``, as the prover prints it."""
    _, _, rest = printed.partition("=")
    value, _, _ = rest.partition("\n     : ")
    binders, arrow, body = value.rpartition("=>")
    if not arrow:
        return [], term(value)
    groups = re.findall(r"([\w' ]+) :", binders.replace("fun ", " "))
    return [name for group in groups for name in group.split()], term(body)


def written(found: Term) -> str:
    """Return a term as Python code, with all parentheses."""
    match found.head, found.arguments:
        case "compared", (_, relation, *operands):
            return _WRITTEN[relation.head].format(*map(written, operands))
        case "int" | "float", (operand,):
            return written(operand)
        case head, operands:
            return _WRITTEN.get(head, head).format(*map(written, operands))


class _Inlined(ast.NodeTransformer):
    def __init__(self, values: Mapping[str, ast.expr]) -> None:
        self._values = values

    def visit(self, node: ast.AST) -> ast.AST:
        """Return an expression with values in the place of names and calls."""
        if isinstance(node, ast.Name | ast.Call) and ast.unparse(node) in self._values:
            return self._values[ast.unparse(node)]
        return self.generic_visit(node)


def decisions(code: Implementation, test: str) -> list[str]:
    """Return the conditions of a test's lines, with its radius, mean and gap written out.

    Raises :class:`NotATerm` if there is no source, or if a name in it is not what it seems.
    """
    radius = code.c if test == "duel_test" else code.b
    if not isinstance(radius, FunctionType):
        raise NotATerm("a radius that is not a Python function")
    for name, own in _OWN.items():
        if radius.__globals__.get(name, getattr(builtins, name, None)) is not own:
            raise NotATerm(f"another {name} than Python")
    tree = ast.parse("".join(linecache.getlines(radius.__code__.co_filename)))
    functions = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    if test not in functions:
        raise NotATerm(f"no source of {test}")
    inside = list(ast.walk(functions[test]))
    bound = [
        node.id for node in inside if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    ]
    values = {
        one: node.value
        for node in inside
        if isinstance(node, ast.Assign) and len(node.targets) == 1
        if (one := ast.unparse(node.targets[0])) in ("mean", "gap") and bound.count(one) == 1
    }
    match functions.get(radius.__name__):
        case ast.FunctionDef(
            args=ast.arguments(args=[ast.arg(arg="n"), ast.arg(arg="delta")], kwonlyargs=[]),
            body=[ast.Expr(value=ast.Constant()), ast.Return(value=ast.expr() as returned)],
        ):
            values[f"{radius.__name__}(n, delta)"] = returned
        case _:
            raise NotATerm(f"more than one expression in {radius.__name__}")
    asked = [node.test for node in inside if isinstance(node, ast.If | ast.IfExp)]
    asked.sort(key=lambda node: node.lineno)
    return [ast.unparse(_Inlined(values).visit(node)) for node in asked]


def nearest(x: Fraction) -> Fraction:
    """Return the nearest double, ties to even; raise ``OverflowError`` beyond the largest."""
    if x == 0:
        return x
    magnitude = abs(x.numerator).bit_length() - x.denominator.bit_length()
    if abs(x) < Fraction(2) ** magnitude:
        magnitude -= 1
    last_place = Fraction(2) ** max(magnitude - 52, -1074)
    rounded = round(x / last_place) * last_place
    if abs(rounded) >= 2**1024:
        raise OverflowError("no double is so large")
    return rounded


def _root(x: Fraction) -> Fraction:
    """Return the double nearest to the square root of ``x``."""
    scale = 1 << (2 * max(0, 64 + x.denominator.bit_length() - x.numerator.bit_length() // 2))
    root = math.isqrt(x.numerator * scale * scale // x.denominator)
    exact = root * root * x.denominator == x.numerator * scale * scale
    # Between two neighbours of this grid there is neither a double nor a midpoint of two doubles.
    return nearest(Fraction(root if exact else 2 * root + 1, scale if exact else 2 * scale))


@dataclass(frozen=True, slots=True)
class Exactly:
    """Evaluates terms as ``FloatCode.v``'s ``run`` does: ints are exact, Fractions are floats.

    ``log`` is a function of a float. ``given`` has the values of ``n``, ``s``, ``d`` (as its float
    ``log_inverse``) and ``g``.
    """

    given: Mapping[str, Fraction | int]
    log: Callable[[float], float] = math.log

    def number(self, found: Term) -> int | Fraction:
        """Return a term's value; raise :class:`NotATerm` if it is not a term."""
        match found.head, found.arguments:
            case "int", (Term("Z.of_nat", (Term(name),)),):
                return self.given[name]
            case "int", (Term(literal),):
                return int(literal)
            case "float", (Term("log_inverse"),):
                return Fraction(self.given["d"])
            case "float", (Term("nearest", (Term(name),)),):
                return nearest(Fraction(self.given[name]))
            case "Pow", (base, Term(power)):
                return math.prod([int(self.number(base))] * int(power))
            case "Abs", (one,):
                value = self.number(one)
                return value if value >= 0 else -value
            case "Sqrt", (one,):
                return _root(_double(self.number(one)))
            case "Log", (one,):
                return Fraction(self.log(float(_double(self.number(one)))))
            case operation, (first, second):
                return _operated(operation, self.number(first), self.number(second))
            case _:
                raise NotATerm(str(found))


def _double(value: int | Fraction) -> Fraction:
    return nearest(Fraction(value)) if isinstance(value, int) else value


def _operated(operation: str, x: int | Fraction, y: int | Fraction) -> int | Fraction:
    both = isinstance(x, int) and isinstance(y, int)
    value = _OPERATIONS[operation](*((x, y) if both else (_double(x), _double(y))))
    return value if isinstance(value, int) else nearest(value)


def _spread(k: int) -> int:
    """Return the k-th number of 64 bits; the golden ratio spreads them evenly."""
    return k * 0x9E3779B97F4A7C15 % 2**64


def numbers_of_duels(power: int, each: int) -> Iterator[int]:
    """Yield numbers of duels up to ``2**power``, ``each`` of every size."""
    yield from range(1, 40)
    for size in range(5, power):
        for k in range(each):
            yield 2**size + (2**size * _spread(k) >> 64)
    yield from (2**power - 1, 2**power)


def read_and_run(code: Implementation, test: str, depth: Depth) -> Cases:
    """Compare the code's decisions with the recorded terms, and its floats with their values."""
    terms = recorded_terms()
    try:
        found = decisions(code, test)
    except NotATerm as what:
        yield f"{test} has {what}, which the proofs do not cover"
        return
    expected = [terms[name] for name in DECISIONS[test]]
    if found != [ast.unparse(ast.parse(written(one), mode="eval")) for one in expected]:
        yield f"{test} decides by {', '.join(found)}, not by the proofs' terms"
        return
    yield ""
    distance, boundary = expected[0].arguments[2:]
    numbers = numbers_of_duels(_FARTHEST[test], by_depth(depth, *_EACH_SIZE))
    for n, delta, g in zip(numbers, cycle(LEVELS), cycle(GAPS), strict=False):
        radius = code.c(n, delta) if test == "duel_test" else code.b(n, delta) - float(g)
        exact = Exactly({"n": n, "d": Fraction(delta.log_inverse), "g": g}).number(boundary)
        at = f"n = {n}, delta = {delta}, g = {g}"
        yield "" if radius == exact else f"{at}: {radius}, not {float(exact)}"
        for S in (n // g.denominator, n - n // g.denominator):
            away, exact = abs(S / n - 1 / 2), Exactly({"n": n, "s": S}).number(distance)
            yield "" if away == exact else f"n = {n}, S = {S}: {away}, not {float(exact)}"


_EACH_SIZE = (2, 16, 128)
_DOUBLES = (40, 3400, 20_000)
_LEVELS_TRIED = (200, 4000, 20_000)


def _float_code(name: str, test: str, of: str) -> Check:
    @fidelity(
        name,
        domain=f"At every n, S and level {of}'s code, as its source is read, decides by the "
        "formulas of the proofs. Both are compared bit by bit at eight levels and five gaps, for "
        f"n = 1 to 39 and for some n of each size up to 2^{_FARTHEST[test]}.",
        sizes={"numbers of duels of each size:": _EACH_SIZE},
        case="decision of the code or operand",
    )
    def check(under_test: Implementation, depth: Depth) -> Cases:
        yield from read_and_run(under_test, test, depth)

    return check


duel_test_code = _float_code("dueltest-float-code", "duel_test", "DuelTest")
budgeted_duel_test_code = _float_code(
    "budgeted-float-code", "budgeted_duel_test", "BudgetedDuelTest"
)


def _error(computed: float, exact: arb) -> arb:
    """Return an error in units of the last place of the exact number, or of the next below."""
    return abs(arb(computed) - exact) / math.ulp(math.nextafter(float(exact), 0))


def _worst(computed: Callable[[_T], float], exact: Callable[[_T], arb], of: Sequence[_T]) -> arb:
    return max((_error(computed(one), exact(one)) for one in of), key=float)


def _level(k: int) -> Confidence:
    share = Fraction(_spread(k), 2**64)
    rationals = share ** (1 + k % 60), 1 - share / 2 ** (k % 60), share / 2**2 ** (k % 17)
    return Confidence(rationals[k % 3], basel=k % 2 == 0)


@statement(
    "logarithms-near",
    domain="The one hypothesis of the theorems on the float code: math.log of a double from 4 to "
    "2^122, and log_inverse of a level, err by at most 2^12 units in the last place. Doubles of "
    "each size are tried. The levels are from 2^-65536 to 1 - 2^-60, half of them with 6/pi^2.",
    sizes={"doubles of each of 120 sizes:": _DOUBLES, "levels:": _LEVELS_TRIED},
    case="size of arguments",
    kind=Kind.EXHAUSTIVE,
    refuses={
        "the error is at most a quarter of a unit": {"most": Fraction(1, 4)},
        "a logarithm with a relative error of 2^-40 is near": {
            "library": lambda x: math.log(x) * (1 + 2.0**-40)
        },
    },
)
def logarithms(
    depth: Depth, *, most: Fraction = Fraction(2**12), library: Callable[[float], float] = math.log
) -> Cases:
    """Compare with ball arithmetic."""
    found = {}
    for power in range(2, 122):
        seeds = range(power, 120 * by_depth(depth, *_DOUBLES), 120)
        doubles = [math.ldexp(1 + _spread(k) / 2**64, power) for k in seeds]
        worst = real(_worst, library, lambda x: arb(x).log(), doubles)
        found[f"error of math.log from 2^{power} on, in last places"] = worst
    worst = max(found.values(), key=operator.attrgetter("high"))
    yield Number("largest error of math.log, in last places", worst)
    levels = [_level(k) for k in range(1, by_depth(depth, *_LEVELS_TRIED) + 1)]
    worst = real(_worst, operator.attrgetter("log_inverse"), log_inverse_ball, levels)
    found["largest error of log_inverse, in last places"] = worst
    for name, error in found.items():
        yield at_most(name, error, most)
