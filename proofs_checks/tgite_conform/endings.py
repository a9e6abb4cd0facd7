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
from functools import cached_property, partial
from importlib.resources import files
from itertools import accumulate, product
from math import exp, inf, log
from types import CodeType
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from tgite import Confidence
from tgite_conform.algorithms import ALGORITHMS, is_one_sided, test_of
from tgite_conform.causes import LEVELS, ComparedMatch, contrast
from tgite_conform.divergence import Parting
from tgite_conform.format import Outcomes
from tgite_conform.positions import lines_of
from tgite_laws.evidence import EVIDENCE_BITS, evidence_along

_FEW, _FEW_FORMULAS, _MOST_TOLD = 2, 6, 3
_NEARLY_ALL, _HARDLY_ANY, _MANY = 0.85, 0.02, 20
_CLOSE = 3e-12
_HAIR, _ROUNDING, _ALMOST_ALL = 1e-6, 1e-13, 0.95
_FIRST, _MOST_DIFFERING, _MOST_AGREEING = 8, 60, 400
_LONGEST, _LONGEST_AGREEING, _LONG, _MOST_DUELS = 200_000, 20_000, 500, 400_000

_Floats: TypeAlias = npt.NDArray[np.float64]


@functools.cache
def _table() -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath("endings.toml").read_text(encoding="utf-8"))


@functools.cache
def _compiled(expression: str) -> CodeType:
    return compile(expression, "endings.toml", "eval")


@functools.cache
def _names() -> dict[str, Any]:
    of_numpy = {name: getattr(np, name) for name in _table()["of_numpy"]}
    # NumPy takes no logarithm of an integer beyond 64 bits.
    of_any = {"log": lambda x: log(x) if isinstance(x, int) and x >> 63 > 0 else np.log(x)}
    return _with_names("names", of_numpy | of_any)


def _with_names(table: str, names: Mapping[str, object]) -> dict[str, Any]:
    """Return the names with those of a table, each by the first expression that can be computed."""
    found = dict(names)
    for name, ways in _table()[table].items():
        for way in [ways] if isinstance(ways, str) else ways:
            with suppress(NameError):
                found[name] = _value(way, found)
                break
    return found


def _value(expression: str, names: Mapping[str, object]) -> Any:
    """Return the value of one of the expressions in ``endings.toml``."""
    return eval(_compiled(expression), dict(names))


class Ending:
    """Where a subject ended a match: after ``length`` duels, or if None after more than its own.

    ``line`` is the paper's line that plays the match.
    """

    def __init__(self, one: ComparedMatch, length: int | None, S: _Floats) -> None:
        """Keep a match and its first argument's wins ``S`` after each duel."""
        case, match = one.case, one.match
        self.one, self.length, self._S, self.duels = one, length, S, len(S)
        self.test = test_of(case.algorithm, case.parameters, match.place)
        lines = lines_of(case.algorithm, match.place)[-1:]
        self.line = re.sub(r" \(.*", "", str(lines[0])) if lines else self.test.name.label
        self.level = Confidence.of(match.level)
        self.x = self.level.log_inverse

    @cached_property
    def evidence(self) -> _Floats:
        """The greatest log(1/level) at which the match would have ended after each duel."""
        return np.asarray(np.maximum.accumulate(self.weight))

    @cached_property
    def weight(self) -> _Floats:
        """The greatest log(1/level) at which a match would end right after each duel."""
        n, g = np.arange(1.0, len(self._S) + 1), float(self.test.g or 0)
        lead = np.abs(2 * self._S - n)
        if self.test.name.of_the_paper:
            found = 2 * n * (lead / (2 * n) + g) ** 2 - np.log(8 * n**2 if g else 2 * n * (n + 1))
        elif g:
            share = log(float(self.test.descriptor.share))
            found = np.where(lead, np.logaddexp(0, lead * self.ratio) + share, -inf)
        else:
            along = evidence_along(enumerate(lead.astype(int).tolist(), start=1))
            found = np.array([log(one) for one in along]) - EVIDENCE_BITS * log(2) - np.log(n + 1)
        return np.asarray(found)

    @property
    def ratio(self) -> float:
        """log((1+2g)/(1-2g)); g may be 1/2 as a float."""
        g = self.test.g or 0
        return log(1 + 2 * float(g)) - log(max(float(1 - 2 * g), 5e-324))

    def most(self, x: float) -> float:
        """Return the match's budget at a level with log(1/level) = x."""
        times, g = self.test.descriptor.budget_times, float(self.test.g or 0)
        return float(np.ceil((log(times) + x) / (2 * g**2 or 1e-300))) if times and g else inf

    def ends_at(self, x: float, of_budget: float, evidence: _Floats | None = None) -> bool:
        """Return whether the match ends so at other levels of test and budget, or by evidence."""
        # At a boundary either end is right, as far as floats can tell.
        near = x + np.array([-_CLOSE, _CLOSE]) * (1 + abs(x))
        along = self.evidence if evidence is None else np.maximum.accumulate(evidence)
        ends = np.minimum(np.searchsorted(along, near) + 1, self.most(of_budget))
        return bool((ends > self.duels).any() if self.length is None else self.length in ends)

    @property
    def between(self) -> tuple[float, float]:
        """Between which values of log(1/level) the match ends so, if not by its budget."""
        last = self.duels if self.length is None else self.length - 1
        return float(
            self.evidence[last - 1]
        ) if last else 0.0, inf if self.length is None else float(self.evidence[last])

    def away(self, late: bool) -> float:
        """Return by what share its boundary is where the match would end, or is due to end.

        For a match that ends as it should, it is the one that would make it end too ``late``.
        """
        parted, x = self.one.divergence is not None, self.x
        of_next = late != parted
        found = abs(x - self.between[of_next])
        n = max(1, (self.duels if self.length is None else self.length - 1) + of_next)
        if self.test.name.of_the_paper:
            found /= 2 * (x + log(8 * n**2 if self.test.g else 2 * n * (n + 1)))
        most, early = self.most(x), parted and not late
        if most - early == (self.length if early else self.one.match.length):
            times, g = self.test.descriptor.budget_times, float(self.test.g or 0)
            quotient = (log(times) + x) / (2 * g**2)
            found = min(found, abs(most - early - quotient) / quotient)
        return found

    def ends(self, stops: npt.NDArray[np.bool_], most: float | None = None) -> bool:
        """Return whether a match that stops there, or after its budget, ends so."""
        if self.test.g is not None:
            stops = stops | (self.names["n"] >= (self.names["most"] if most is None else most))
        if self.length is None:
            return not stops.any()
        return bool(stops[self.length - 1]) and not stops[: self.length - 1].any()

    @cached_property
    def names(self) -> Mapping[str, Any]:
        """What expressions for the paper's tests use."""
        n, g = np.arange(1.0, self.duels + 1), float(self.test.g or 0)
        most = float(min(self.most(self.x), 1e300))
        of_match = {"n": n, "S": self._S, "x": self.x, "g": g, "most": most}
        return _with_names("of_radius", _names() | of_match)

    @cached_property
    def of_level(self) -> dict[str, Any]:
        """What expressions for levels use."""
        given, place, match = self.one.case.parameters, self.one.match.place, self.one.match
        digits = re.findall(r"\b([rhs])(\d+)\b", place)
        names = _names() | {letter: int(digits) for letter, digits in digits}
        names |= {name: int(str(given[name])) for name in "NH" if name in given}
        of = {name: Confidence.of(str(given[name])).log_inverse for name in LEVELS & set(given)}
        names |= {f"x_{name}": x for name, x in of.items()} | {"x": self.x}
        names |= {"basel_of": self.level.basel, "replace": "replace" in place}
        names["anytime"] = "anytime" in self.one.case.algorithm
        before = self.one.expected.matches[: self.one.number]
        round_ = re.sub(r".*(?=r\d)", "", place)
        alike = [one for one in before if one.place.endswith(round_) and one.place != place]
        for name, some in (
            ("of_first", alike[:1]),
            ("of_one_before", alike[-1:]),
            ("of_match_before", before[-1:]),
            ("of_pair", [one for one in before if one.pair == match.pair][-1:]),
        ):
            if some:
                names[name] = Confidence.of(some[0].level).log_inverse
        return _with_names("of_level", names)


Mistake: TypeAlias = Callable[[Ending], bool]
"""Whether a match ends with the mistake where the subject's does."""


def endings(some: Iterable[ComparedMatch]) -> Iterator[Ending]:
    """Yield where matches of pairwise tests ended."""
    for one in some:
        case, match, parted = one.case, one.match, one.divergence
        length = None if match.winner is None else match.length
        if parted is not None:
            length = parted.length
        if (
            (parted and parted.parting not in (Parting.STOPPED_EARLY, Parting.WENT_ON))
            or length == 0
            or is_one_sided(case.algorithm, match.place)
        ):
            continue
        # Of a match that goes on it may be unknown how long it is.
        of = Outcomes(one.expected).of(one.number, spare=length is not None)
        known = of.length if length is None else min(length, of.length)
        if known > _LONGEST:
            continue
        S = np.cumsum(list(of.after(0, known)), dtype=float)
        yield Ending(one, None if length is None or length > known else length, S)


# Mistakes in a test's arithmetic.


def _arithmetic(some: Sequence[Ending]) -> Iterator[tuple[tuple[str, str], Mistake]]:
    """Yield mistakes in the test of these matches, each with what fills a gap in the words."""
    lengths = {e.length for e in some}
    one_length = [k for k in lengths if k is not None and len(lengths) == 1]
    for row in _table()["mistake"]:
        test = some[0].test
        if row.get("budgeted", False) and test.g is None:
            continue
        if test.name not in row.get("tests", ()) if not test.name.of_the_paper else "tests" in row:
            continue
        for j, (shown, k) in product(row.get("j", [0]), _filling(row, one_length)):
            yield (row["told"].replace("{j}", str(j)), shown), partial(_ends_with, row, j, k)


def _filling(row: Mapping[str, Any], lengths: Sequence[int] = ()) -> Iterator[tuple[str, Any]]:
    """Yield what fills a row's gap, in words and as a value."""
    ks = row.get("k", [0])
    for k in {**_table()["values"], "length": lengths}[ks] if isinstance(ks, str) else ks:
        yield (k[0], k[1]) if isinstance(k, list) else (f"{k:,}" if k >= 1 else f"{k:g}", k)


def _ends_with(row: Mapping[str, Any], j: object, k: object, e: Ending) -> bool:
    names = {**e.names, "j": j, "k": k}
    if "weight" in row:
        lead, share = np.abs(2 * e.names["S"] - e.names["n"]), float(e.test.descriptor.share)
        beyond = {"weight": e.weight, "lead": lead, "share": share, "ratio": e.ratio}
        return e.ends_at(e.x, e.x, _value(row["weight"], names | beyond))
    if "stops" in row:
        stops = _value(row["stops"], names)
    else:
        stops = names["distance"] > _value(row.get("radius", "radius"), names)
    return e.ends(stops, _value(row["most"], names) if "most" in row else None)


def _formulas(budgeted: bool) -> Iterator[tuple[tuple[str, str], Mistake]]:
    """Yield other radii: one part of the formula is wrong, or two are."""
    of = _table()["formula"]
    right = ("8*n**2" if budgeted else "2*n*(n+1)", "2*n", "1/delta")
    for number, parts in product((1, 2), product(of["union"], of["below"], of["level"])):
        if sum(one != other for one, other in zip(parts, right, strict=True)) == number:
            union, below, level = parts
            told = f"the radius is sqrt((log({union}) + log({level})) / ({below}))"
            radius = f"sqrt((log({union}) + {of['level'][level]}) / ({below})) - g"
            yield (told.replace("*", ""), ""), partial(_ends_with, {"radius": radius}, 0, 0)


# Other levels.


def _levels() -> Iterator[tuple[tuple[str, str], Callable[[Ending], float]]]:
    """Yield other levels at which matches may be played, as log(1/level)."""
    for row in _table()["level"]:
        for shown, k in _filling(row):
            yield (row["told"], shown), partial(_level, row["x"], k)


def _level(expression: str, k: object, e: Ending) -> float:
    with suppress(NameError, ZeroDivisionError, OverflowError, ValueError):
        return float(_value(expression, {**e.of_level, "k": k}))
    return e.x


def _at_level(of: Callable[[Ending], float], scope: str, e: Ending) -> bool:
    x = of(e)
    explains = e.one.divergence is None or abs(x - e.x) > _CLOSE * (1 + x)
    in_test, of_budget = (e.x if scope == other else x for other in ("budget", "radius"))
    return explains and e.ends_at(in_test, of_budget)


def _other_levels(some: Sequence[Ending], others: Sequence[Ending]) -> list[tuple[int, str]]:
    """Return at which other levels these matches end as the subject's do."""
    counts = Counter(e.line for e in some)
    lines = sorted(line for line, count in counts.items() if 10 * count > len(some))
    near = [e for e in others if e.line in lines]
    where = ", ".join(lines)
    for scope in ("", "radius", "budget") if any(e.most(e.x) < inf for e in some) else ("",):
        part = f" in the {scope}" if scope else ""
        ways = (
            ((f"{told}{part} ({where})", value), partial(_at_level, of, scope))
            for (told, value), of in _levels()
        )
        if found := _explaining(ways, some, near, 1):
            break
    if len(found) <= _MOST_TOLD and any(count == len(some) for count, _ in found):
        return found
    # More hypotheses than one can tell apart, or none: what is known is the ratio.
    ratios = [[exp(e.x - x) for x in e.between] for e in some if e.most(e.x) != e.length]
    low = max((below for _, below in ratios), default=1.0)
    high = min((above for above, _ in ratios), default=1.0)
    if len(ratios) > 1 and low < high < 2 * low and (low > 1.01 or high < 0.99):
        between = " to ".join(dict.fromkeys((f"{low:.3g}", f"{high:.3g}")))
        return [(len(some), f"matches are played at {between} times their level ({where})")]
    return found[:_MOST_TOLD]


# What explains the matches.


def _by_a_hair(some: Sequence[Ending], others: Sequence[Ending]) -> str:
    """Return how near to its boundary each match is that ends elsewhere, or "" if some are not."""
    late = [e.length is None or e.length > e.one.match.length for e in some]
    away = sorted(map(Ending.away, some, late))
    most = max(away[int(_ALMOST_ALL * (len(away) - 1))], _ROUNDING)
    if len(some) <= _FEW or most > _HAIR:
        return ""
    ways = set(late)
    when = "late" if ways == {True} else "early" if ways == {False} else "late or early"
    ties = sum("exact-tie" in e.one.case.flags for e in some)
    what = "rounding" if len(ways) > 1 else "a tolerance, or rounding"
    if when == "late" and 2 * ties > len(some) and most <= _ROUNDING:
        what = "equality does not stop a match (> for >=), or rounding"
    near = [e for e in others if min(map(e.away, ways)) <= most]
    least = min((e.away(way) for e in others for way in ways), default=inf)
    told = f"matches end {when} where they come within {most:.0e} of the boundary: {what}"
    told += f" ({len(some)} of {len(some)} that end elsewhere"
    told += f", others come within {least:.0e})" if least > most else ")"
    common = contrast([e.one for e in (*some, *near)], 0.3) if len(near) > _FEW else ""
    return f"{told}; {common} so near" if common else told


def ending_mistakes(played: Sequence[ComparedMatch]) -> list[str]:
    """Return the mistakes with which matches of pairwise tests end as the subject's do."""
    parted = {one.turn for one in played if one.divergence is not None}
    differing = list(endings(one for one in played if one.divergence is not None))
    tests = {e.test.name for e in differing}
    # In a case that differs, a match may end early unnoticed if its arms meet again.
    right = [one for one in played if one.turn not in parted]
    some = _chosen(differing, _MOST_DIFFERING)
    hair = _by_a_hair(some, _agreeing(right, some)) if some else ""
    told = [hair] if hair else []
    # Where matches of other tests end elsewhere, too, the cause is not in the paper's tests.
    for name in sorted(tests) if len({name.of_the_paper for name in tests}) == 1 else ():
        some = _chosen([e for e in differing if e.test.name is name], _MOST_DIFFERING)
        others = _agreeing(right, some)
        # What explains a hair otherwise is a guess.
        precise = (one for one in _arithmetic(some) if "precision" in one[0][1])
        by_a_hair = partial(_explaining, precise, some, others, _FEW_FORMULAS, True)
        found = by_a_hair()[:_MOST_TOLD] if hair else _of_one_test(some, others)
        told += [f"{name.label}: {text}" for _, text in found]
    some = _chosen(differing, _MOST_DIFFERING)
    if some and not told:
        told = [text for _, text in _other_levels(some, _agreeing(right, some))]
    return told


def _of_one_test(some: Sequence[Ending], others: Sequence[Ending]) -> list[tuple[int, str]]:
    """Return what explains most matches of one test: its arithmetic, or other levels."""
    formulas = partial(_formulas, some[0].test.g is not None)
    ways: list[Callable[[], list[tuple[int, str]]]] = [
        lambda: _explaining(_arithmetic(some), some, others, _FEW_FORMULAS),
        lambda: _other_levels(some, others),
        lambda: _explaining(formulas(), some, others, _FEW_FORMULAS),
    ]
    if not some[0].test.name.of_the_paper:
        del ways[1:]
    # Another level is another formula, too, and is named if the test by itself ends right.
    elif any(ALGORITHMS[e.one.case.algorithm].is_a_test for e in some):
        ways[1:] = ways[:0:-1]
    best: list[tuple[int, str]] = []
    for way in ways:
        if _most(best) < len(some):
            best = max(best, way(), key=_most)
    return best[:_MOST_TOLD]


def _most(found: Sequence[tuple[int, str]]) -> int:
    return max((count for count, _ in found), default=0)


def _chosen(some: list[Ending], most: int) -> list[Ending]:
    """Return some of these matches, of all lengths."""
    some.sort(key=lambda e: e.duels)
    few = some[:: -(-len(some) // most) or 1]
    duels = accumulate(e.duels for e in few)
    return few[: max(1, sum(so_far <= _MOST_DUELS for so_far in duels))]


def _agreeing(right: Iterable[ComparedMatch], some: Sequence[Ending]) -> list[Ending]:
    """Return matches of the algorithms in which some differ, some near a boundary, some long."""
    failing = {e.one.case.algorithm for e in some}
    groups: tuple[list[ComparedMatch], ...] = ([], [], [])
    for one in right:
        if one.case.algorithm in failing and one.match.length <= _LONGEST_AGREEING:
            groups[2 if one.match.length >= _LONG else one.case.boundary].append(one)
    found = [one for of in groups for one in of[:: -(-3 * len(of) // _MOST_AGREEING) or 1]]
    return _chosen(list(endings(found)), _MOST_AGREEING)


def _explaining(
    mistakes: Iterable[tuple[tuple[str, str], Mistake]],
    some: Sequence[Ending],
    others: Sequence[Ending],
    least: int,
    exactly: bool = False,
) -> list[tuple[int, str]]:
    """Return the mistakes that explain nearly all of ``some``, and contradict hardly any others.

    Nothing is told from fewer than ``least`` levels or lengths, and nothing surely from two.
    """
    kinds = len({(e.x, e.length) for e in some})
    if kinds < least or len(some) <= _FEW:
        return []
    perhaps = "" if kinds > _FEW else "perhaps "
    first = some[:: -(-len(some) // _FIRST)]
    found = defaultdict[str, list[tuple[int, int, str]]](list)
    with np.errstate(all="ignore"):
        for (told, value), ends in mistakes:
            if sum(not ends(e) for e in first) > len(first) // 4:
                continue
            explained = sum(map(ends, some))
            if explained < len(some) and explained < max(_MANY, _NEARLY_ALL * len(some)):
                continue
            right = sum(map(ends, others))
            wrong = len(others) - right
            if wrong <= (0 if exactly else max(_FEW, _HARDLY_ANY * len(others))):
                found[told].append((explained, right, value))
    # What explains most is told, with all that may fill its gap.
    most = max((one[:2] for values in found.values() for one in values), key=sum, default=(0, 0))
    counted = f"{most[0]} of {len(some)} that end elsewhere, {most[1]} of {len(others)} others"
    lines = []
    for told, values in found.items():
        if best := [value for *counts, value in values if tuple(counts) == most]:
            shown = told.replace("{k}", " or ".join(best[:_MOST_TOLD]))
            lines.append((most[0], f"{perhaps}{shown} ({counted})"))
    return lines
