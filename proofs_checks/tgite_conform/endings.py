"""Finds the mistake with which matches of the paper's tests end where the subject ends them.

Each mistake of ``endings.toml`` is computed: from a match's outcomes and level follows where the
match would end with it. A mistake is told if it explains nearly all matches that end elsewhere, and
all the others that it was tried on.
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from itertools import accumulate, product
from math import exp, inf, log, pi
from types import CodeType
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from tgite import Confidence
from tgite_conform.algorithms import ALGORITHMS, test_of
from tgite_conform.causes import LEVELS, ComparedMatch
from tgite_conform.divergence import Parting, Step, match_lines
from tgite_conform.format import Outcomes
from tgite_laws.pairwise import TESTS, PairwiseName

_FEWEST, _MOST_TOLD = 2, 3
_NEARLY_ALL, _HARDLY_ANY, _MANY = 0.85, 0.01, 20
_FIRST, _MOST_DIFFERING, _MOST_AGREEING = 8, 60, 400
_LONGEST, _LONGEST_AGREEING, _MOST_DUELS = 200_000, 20_000, 400_000

_Floats: TypeAlias = npt.NDArray[np.float64]


def _kind(values: Any, kind: str) -> Any:
    return np.asarray(values).astype(kind)


def _held(values: Any, kind: str) -> Any:
    if "int" not in kind or np.max(values) > 2**62:
        return _kind(values, kind if "float" in kind else "f8").astype(float)
    return _kind(_kind(values, "i8"), kind).astype(float)


def _shifted(values: Any, first: object) -> Any:
    return np.concatenate((np.array([first]), values[:-1]))


def _before(S: _Floats, k: int) -> _Floats:
    return np.concatenate((np.zeros(min(k, len(S))), S[:-k]))


def _digits(value: float, k: int) -> float:
    return float(f"{value:.{k}g}") or 1e-323


_OF_NUMPY = "log exp sqrt ceil floor around inf minimum maximum pi abs"
_NAMES = {
    **{name: getattr(np, name) for name in _OF_NUMPY.split()},
    **{"kind": _kind, "held": _held, "earlier": _shifted, "before": _before, "digits": _digits},
    "basel": pi**2 / 6,
}


@functools.cache
def _table() -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath("endings.toml").read_text(encoding="utf-8"))


@functools.cache
def _compiled(expression: str) -> CodeType:
    return compile(expression, "endings.toml", "eval")


def _value(expression: str, names: Mapping[str, object]) -> Any:
    """Return the value of one of the expressions in ``endings.toml``."""
    return eval(_compiled(expression), {**_NAMES, **names})


@dataclass(frozen=True, slots=True)
class Ending:
    """Where a subject ended a match: after ``length`` duels, or if None after more than its own.

    ``line`` is the paper's line that plays the match, and ``names`` what expressions use.
    """

    one: ComparedMatch
    length: int | None
    line: str
    names: Mapping[str, Any]

    @property
    def budgeted(self) -> bool:
        """Whether the match has a budget."""
        return bool(self.names["g"])

    def ends(self, stops: npt.NDArray[np.bool_], most: float | None = None) -> bool:
        """Whether a match that stops there, or after its budget, ends where the subject's does."""
        if self.budgeted:
            stops = stops | (self.names["n"] >= (self.names["most"] if most is None else most))
        if self.length is None:
            return not stops.any()
        return bool(stops[self.length - 1]) and not stops[: self.length - 1].any()


Mistake: TypeAlias = Callable[[Ending], bool]
"""Whether a match ends with the mistake where the subject's does."""

Told: TypeAlias = tuple[str, str]
"""A mistake in words, with a gap, and what fills the gap."""


def endings(some: Iterable[ComparedMatch]) -> Iterator[Ending]:
    """Yield where matches of the paper's tests ended."""
    for one in some:
        case, match, parted = one.case, one.match, one.divergence
        length = None if match.winner is None else match.length
        if parted is not None:
            length = parted.length
        if (
            not ALGORITHMS[case.algorithm].test.of_the_paper
            or (parted and parted.parting not in (Parting.STOPPED_EARLY, Parting.WENT_ON))
            or length == 0
        ):
            continue
        # Of a match that goes on it may be unknown how long it is.
        of = Outcomes(one.expected).of(one.number, spare=length is not None)
        known = of.length if length is None else min(length, of.length)
        if known > _LONGEST:
            continue
        # The line that plays the match, without its turn of a loop.
        line = re.sub(r" \(.*", "", str(match_lines(case, match, Step.STOP)[-2:][0]))
        names = _names(one, np.cumsum(list(of.after(0, known)), dtype=float))
        yield Ending(one, None if length is None or length > known else length, line, names)


def _names(one: ComparedMatch, S: _Floats) -> dict[str, object]:
    n, level = np.arange(1.0, len(S) + 1), Confidence.of(one.match.level)
    test = test_of(one.case.algorithm, one.case.parameters, one.match.place)
    x, g, most = level.log_inverse, float(test.g or 0), test.most(level)

    def union_at(n: _Floats) -> _Floats:
        return 8 * n**2 if g else 2 * n * (n + 1)

    def c_at(n: _Floats) -> _Floats:
        found: _Floats = np.sqrt((np.log(union_at(n)) + x) / (2 * n))
        return found

    c, mean = c_at(n), S / n
    return {
        **{"n": n, "S": S, "x": x, "g": g, "mean": mean, "distance": np.abs(mean - 0.5)},
        **{"union": union_at(n), "c": c, "c_at": c_at, "radius": c - g},
        **{"x0": _given_level(one), "most": float(min(most or inf, 1e300))},
        "has_basel": level.basel,
    }


def _given_level(one: ComparedMatch) -> float:
    """Return log(1/level) of the parameter that a match's level comes from; 0 if none does."""
    given, place = one.case.parameters, one.match.place
    names = ["delta", "epsilon", "kappa" if "replace" in place else "rho"]
    names += ["warm_start"] if place.startswith("s0") else []
    return next(
        (Confidence.of(str(given[name])).log_inverse for name in names if name in given), 0.0
    )


# Mistakes in a test's arithmetic.


def _arithmetic(some: Sequence[Ending]) -> Iterator[tuple[Told, Mistake]]:
    """Yield the mistakes that can be made in the test of these matches."""
    budgeted = some[0].budgeted
    lengths = {e.length for e in some}
    one_length = [k for k in lengths if k is not None and len(lengths) == 1]
    for row in _table()["mistake"]:
        if row.get("budgeted", False) and not budgeted:
            continue
        tables = {**_table()["values"], "length": one_length}
        ks = row.get("k", [0])
        for j, k in product(row.get("j", [0]), tables[ks] if isinstance(ks, str) else ks):
            shown, value = k if isinstance(k, list) else (f"{k:,}" if k >= 1 else f"{k:g}", k)
            told = row["told"].replace("{j}", str(j))
            yield (told, shown), partial(_ends_with, row, j, value)


def _ends_with(row: Mapping[str, Any], j: object, k: object, e: Ending) -> bool:
    names = {**e.names, "j": j, "k": k}
    if row.get("basel", False) and not names["has_basel"]:
        return e.ends(names["distance"] > names["radius"])
    if "stops" in row:
        stops = _value(row["stops"], names)
    else:
        stops = names["distance"] > _value(row.get("radius", "radius"), names)
    return e.ends(stops, _value(row["most"], names) if "most" in row else None)


def _formulas(budgeted: bool) -> Iterator[tuple[Told, Mistake]]:
    """Yield other radii: one part of the formula is wrong, or two are."""
    of = _table()["formula"]
    right = ("8*n**2" if budgeted else "2*n*(n+1)", "2*n", "1/delta")
    for number, parts in product((1, 2), product(of["union"], of["below"], of["level"])):
        if sum(one != other for one, other in zip(parts, right, strict=True)) == number:
            union, below, level = parts
            told = f"the radius is sqrt((log({union}) + log({level})) / ({below}))"
            radius = f"sqrt((log({union}) + {of['level'][level]}) / ({below})) - g"
            yield (told.replace("*", ""), ""), partial(_ends_with, {"radius": radius}, 0, 0)


def _levels(some: Sequence[Ending], where: str) -> Iterator[tuple[Told, Mistake]]:
    """Yield other levels at which these matches, played by the paper's lines, may end."""
    for told in dict.fromkeys(told for e in some for told in _other_levels(e)):
        yield (f"{told} ({where})", ""), partial(_ends_at, told)


def _ends_at(told: str, e: Ending) -> bool:
    found = _other_levels(e).get(told)
    if found is None:
        return e.one.divergence is None
    of = e.names
    radius = np.sqrt((np.log(of["union"]) + found) / (2 * of["n"])) - of["g"]
    return e.ends(of["distance"] > radius, np.ceil((log(4) + found) / (2 * of["g"] ** 2 or 1e-300)))


def _other_levels(e: Ending) -> dict[str, float]:
    """Return levels that a mistake gives, as log(1/level)."""
    words = re.findall(r"\b([rhs])(\d+)\b", e.one.match.place)
    names: dict[str, float] = {letter: int(digits) for letter, digits in words}
    given, x, found = e.one.case.parameters, e.names["x"], dict[str, float]()
    names |= {name: int(str(given[name])) for name in "NH" if name in given}
    for name in LEVELS & set(given):
        names[name] = exp(-Confidence.of(str(given[name])).log_inverse)
    names["own"] = exp(-x)
    if names.get("N", 0) > 2:
        names["L"] = (int(names["N"]) - 1).bit_length()
        names["M"] = 2 ** names["L"]
    for told, expression in _table()["levels"].items():
        for k in range(2, 13) if "{k}" in told else [0]:
            with suppress(NameError, ZeroDivisionError, OverflowError):
                factor = float(_value(expression, {**names, "k": k}))
                if 0 < factor < inf and factor != 1:
                    found[f"matches are played at {told.replace('{k}', str(k))}"] = x - log(factor)
    return {told: level for told, level in found.items() if level > 0}


# What explains the matches.


def ending_mistakes(
    played: Sequence[ComparedMatch], alike: Sequence[ComparedMatch] = ()
) -> list[str]:
    """Return the mistakes with which matches of the paper's tests end as the subject's do.

    If none agrees with all others, they are sought again with the others that are ``alike``.
    """
    parted = {one.turn for one in played if one.divergence is not None}
    differing = list(endings(one for one in played if one.divergence is not None))
    told = []
    for name in (PairwiseName.DUEL, PairwiseName.BUDGETED):
        some = [e for e in differing if e.budgeted is (name is PairwiseName.BUDGETED)]
        some = _chosen(some, _MOST_DIFFERING)
        if len({(e.names["x"], e.length) for e in some}) < _FEWEST:
            continue
        for right in (played, alike):
            # In a case that differs, a match may end early unnoticed if its arms meet again.
            others = _agreeing([one for one in right if one.turn not in parted], some)
            if (others or right is played) and (found := _ways(some, others)):
                told += [f"{TESTS[name].title}: {text}" for _, text in found]
                break
    return told


def _ways(some: Sequence[Ending], others: Sequence[Ending]) -> list[tuple[int, str]]:
    """Return what explains most matches of one test: its arithmetic, or other levels."""
    counts = Counter(e.line for e in some)
    lines = sorted(line for line, count in counts.items() if 10 * count > len(some))
    near = [e for e in others if e.line in lines]
    formulas = partial(_formulas, some[0].budgeted)
    ways = [
        (partial(_arithmetic, some), others),
        (partial(_levels, some[:_FIRST], ", ".join(lines)), near),
        (formulas, others),
    ]
    # Another level is another formula, too, and is named if the test by itself ends right.
    if any(ALGORITHMS[e.one.case.algorithm].is_a_test for e in some):
        ways[1:] = ways[:0:-1]
    best: list[tuple[int, str]] = []
    for mistakes, right in ways:
        if _most(best) < len(some):
            best = max(best, _explaining(mistakes(), some, right), key=_most)
    return best


def _most(found: Sequence[tuple[int, str]]) -> int:
    return max((count for count, _ in found), default=0)


def _chosen(some: list[Ending], most: int) -> list[Ending]:
    """Return some of these matches, of all lengths."""
    some.sort(key=lambda e: len(e.names["n"]))
    few = some[:: -(-len(some) // most) or 1]
    duels = accumulate(len(e.names["n"]) for e in few)
    return few[: max(1, sum(so_far <= _MOST_DUELS for so_far in duels))]


def _agreeing(right: Iterable[ComparedMatch], some: Sequence[Ending]) -> list[Ending]:
    """Return matches of the algorithms in which some differ, half of them near a boundary."""
    failing = {e.one.case.algorithm for e in some}
    groups: tuple[list[ComparedMatch], list[ComparedMatch]] = ([], [])
    for one in right:
        if one.case.algorithm in failing and one.match.length <= _LONGEST_AGREEING:
            groups[one.case.boundary].append(one)
    found = [one for of in groups for one in of[:: -(-2 * len(of) // _MOST_AGREEING) or 1]]
    return _chosen(list(endings(found)), _MOST_AGREEING)


def _explaining(
    mistakes: Iterable[tuple[Told, Mistake]], some: Sequence[Ending], others: Sequence[Ending]
) -> list[tuple[int, str]]:
    """Return the mistakes that explain nearly all of ``some``, and contradict no other match."""
    first = some[:: -(-len(some) // _FIRST)]
    found = defaultdict[str, list[tuple[int, int, str]]](list)
    with np.errstate(all="ignore"):
        for (told, value), ends in mistakes:
            if sum(not ends(e) for e in first) > len(first) // 4:
                continue
            explained = sum(map(ends, some))
            if explained < _NEARLY_ALL * len(some):
                continue
            right = sum(map(ends, others))
            # What explains only few, and not all, must agree with all of many others.
            exact = explained == len(some) > _FEWEST or explained >= _MANY
            least = len(others) * (1 - _HARDLY_ANY if exact else 1)
            if right >= least and (exact or len(others) >= 2 * _MANY):
                found[told].append((explained, right, value))
    lines = []
    for told, values in found.items():
        shown = told.replace("{k}", " or ".join(value for _, _, value in values[:_MOST_TOLD]))
        explained, right, _ = max(values)
        counted = f"{explained} of {len(some)} that end elsewhere, {right} of {len(others)} others"
        lines.append((explained, f"{shown} ({counted})"))
    return sorted(lines, key=lambda one: -one[0])[:_MOST_TOLD]
