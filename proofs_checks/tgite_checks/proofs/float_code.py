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
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import cycle
from types import FunctionType

from tgite.confidence import Confidence
from tgite_checks.check import Cases, Depth, by_depth, fidelity
from tgite_checks.fidelity.budgeted_duel_test import GAPS
from tgite_checks.fidelity.duel_test import LEVELS
from tgite_checks.proofs.record import recorded
from tgite_laws.implementation import Implementation

FILE = "FloatCode"
"""The file of the proofs that has the terms."""

DECISIONS = {
    "duel_test": ("code_stops", "code_ahead"),
    "budgeted_duel_test": ("code_budgeted_stops", "code_budgeted_ahead", "code_budgeted_ahead"),
}
"""For each test of the code, the terms of its decisions in the order of its lines."""

_FARTHEST = {"duel_test": 60, "budgeted_duel_test": 52}  # powers of 2: the proofs' limits
_TOKEN = re.compile(r"[\w.']+|[()]")
_OPERATIONS: Mapping[type[ast.operator], str] = {
    ast.Add: "Add",
    ast.Sub: "Sub",
    ast.Mult: "Mul",
    ast.Div: "Div",
}
_FUNCTIONS: Mapping[str, tuple[object, str]] = {
    "sqrt": (math.sqrt, "Sqrt"),
    "log": (math.log, "Log"),
    "abs": (builtins.abs, "Abs"),
}
_COMPARISONS: Mapping[type[ast.cmpop], str] = {ast.Gt: "above", ast.GtE: "at_least"}


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


def decisions(code: Implementation, test: str) -> list[Term]:
    """Return the decisions of ``test`` in the code as terms, in the order of its lines.

    Raises :class:`NotATerm` if a decision is not a term.
    """
    radius = code.c if test == "duel_test" else code.b
    if not isinstance(radius, FunctionType):
        raise NotATerm("a radius that is not a Python function")
    return _Reader(radius).decisions(test)


class _Reader:
    def __init__(self, radius: FunctionType) -> None:
        tree = ast.parse("".join(linecache.getlines(radius.__code__.co_filename)))
        self._functions = {
            node.name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)
        }
        self._globals = radius.__globals__
        self._radius = radius.__name__

    def decisions(self, test: str) -> list[Term]:
        """Return the conditions of the test's ``if`` lines as terms."""
        if test not in self._functions:
            raise NotATerm(f"no source of {test}")
        body = self._functions[test]
        assigned: dict[str, list[ast.expr]] = {}
        for node in ast.walk(body):
            if isinstance(node, ast.Assign) and len(node.targets) == 1:
                assigned.setdefault(ast.unparse(node.targets[0]), []).append(node.value)
        names = (node for node in ast.walk(body) if isinstance(node, ast.Name))
        bound = [name.id for name in names if isinstance(name.ctx, ast.Store)]
        local = {
            name: values[0]
            for name, values in assigned.items()
            if name in {"mean", "gap"} and bound.count(name) == 1
        }
        asked = [node for node in ast.walk(body) if isinstance(node, ast.If | ast.IfExp)]
        asked.sort(key=lambda node: node.test.lineno)
        return [self._decision(node.test, local) for node in asked]

    def _decision(self, node: ast.expr, local: Mapping[str, ast.expr]) -> Term:
        match node:
            case ast.Compare(left=left, ops=[operation], comparators=[right]) if (
                type(operation) in _COMPARISONS
            ):
                arguments = self._term(left, local), self._term(right, local)
                return Term(
                    "compared", (Term("log"), Term(_COMPARISONS[type(operation)]), *arguments)
                )
            case _:
                raise NotATerm(f"the decision {ast.unparse(node)}")

    def _term(self, node: ast.expr, local: Mapping[str, ast.expr]) -> Term:
        """Return an expression as a term; ``local`` has the expressions of local variables."""
        text = ast.unparse(node)
        match node:
            case ast.Constant(value=int(value)) if type(value) is int:
                return term(f"int {value}")
            case ast.Name(id="n" | "S"):
                return term(f"int (Z.of_nat {text.lower()})")
            case ast.Name(id=name) if name in local:
                return self._term(local[name], local)
            case ast.Attribute() if text == "delta.log_inverse":
                return term("float (log_inverse d)")
            case ast.Call() if text == "float(g)" and "float" not in self._globals:
                return term("float (nearest g)")
            case ast.Call() if text == f"{self._radius}(n, delta)":
                return self._term(self._returned(), {})
            case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]) if (
                self._is_function(name)
            ):
                return Term(_FUNCTIONS[name][1], (self._term(argument, local),))
            case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=int(power))):
                return Term("Pow", (self._term(left, local), Term(str(power))))
            case ast.BinOp(left=left, op=operation, right=right) if type(operation) in _OPERATIONS:
                arguments = self._term(left, local), self._term(right, local)
                return Term(_OPERATIONS[type(operation)], arguments)
            case _:
                raise NotATerm(f"the expression {text}")

    def _is_function(self, name: str) -> bool:
        """Return whether a name is Python's own function of that name."""
        found: object = self._globals.get(name, getattr(builtins, name, None))
        return name in _FUNCTIONS and found is _FUNCTIONS[name][0]

    def _returned(self) -> ast.expr:
        """Return the radius's expression, which must be all that its function contains."""
        radius = self._functions[self._radius]
        match [argument.arg for argument in radius.args.args], radius.body:
            case ["n", "delta"], [
                ast.Expr(value=ast.Constant()),
                ast.Return(value=ast.expr() as e),
            ]:
                return e
            case _:
                raise NotATerm(f"more than one expression in {self._radius}")


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
    if operation == "Div":
        both = isinstance(x, int) and isinstance(y, int)
        return nearest(Fraction(x, y) if both else _double(x) / _double(y))
    exact: dict[str, Callable[[int | Fraction, int | Fraction], int | Fraction]] = {
        "Add": lambda x, y: x + y,
        "Sub": lambda x, y: x - y,
        "Mul": lambda x, y: x * y,
    }
    if operation not in exact:
        raise NotATerm(operation)
    if isinstance(x, int) and isinstance(y, int):
        return exact[operation](x, y)
    return nearest(Fraction(exact[operation](_double(x), _double(y))))


def numbers_of_duels(power: int, each: int) -> Iterator[int]:
    """Yield numbers of duels up to ``2**power``, ``each`` of every size."""
    yield from range(1, 40)
    for size in range(5, power):
        for k in range(each):
            # The golden ratio spreads the numbers of this size evenly.
            yield 2**size + (2**size * (k * 0x9E3779B97F4A7C15 % 2**64) >> 64)
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
    if found != expected:
        yield f"{test} decides by {', '.join(map(str, found))}, not by the proofs' terms"
        return
    yield ""
    distance, boundary = expected[0].arguments[2:]
    numbers = numbers_of_duels(_FARTHEST[test], by_depth(depth, *_EACH_SIZE))
    for n, delta, g in zip(numbers, cycle(LEVELS), cycle(GAPS), strict=False):
        given: dict[str, Fraction | int]
        given = {"n": n, "d": Fraction(delta.log_inverse), "g": g}
        radius, exact = _boundary(code, test, n, delta, g), Exactly(given).number(boundary)
        at = f"n = {n}, delta = {delta}, g = {g}"
        yield "" if radius == exact else f"{at}: {radius}, not {float(exact)}"
        for S in (n // g.denominator, n - n // g.denominator):
            away, exact = abs(S / n - 1 / 2), Exactly({"n": n, "s": S}).number(distance)
            yield "" if away == exact else f"n = {n}, S = {S}: {away}, not {float(exact)}"


def _boundary(code: Implementation, test: str, n: int, delta: Confidence, g: Fraction) -> float:
    return code.c(n, delta) if test == "duel_test" else code.b(n, delta) - float(g)


_EACH_SIZE = (2, 16, 128)
_DOMAIN = (
    "At every n, S and level {test}'s code, as its source is read, decides by the formulas of the "
    "proofs. Both are compared bit by bit at eight levels and five gaps, for n = 1 to 39 and for "
    "some n of each size up to 2^{power}."
)


@fidelity(
    "dueltest-float-code",
    domain=_DOMAIN.format(test="DuelTest", power=60),
    sizes={"numbers of duels of each size:": _EACH_SIZE},
    case="decision of the code or operand",
)
def duel_test_code(under_test: Implementation, depth: Depth) -> Cases:
    yield from read_and_run(under_test, "duel_test", depth)


@fidelity(
    "budgeted-float-code",
    domain=_DOMAIN.format(test="BudgetedDuelTest", power=52),
    sizes={"numbers of duels of each size:": _EACH_SIZE},
    case="decision of the code or operand",
)
def budgeted_duel_test_code(under_test: Implementation, depth: Depth) -> Cases:
    yield from read_and_run(under_test, "budgeted_duel_test", depth)
