"""Finds whether all matches that end elsewhere than they should come near a boundary."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate
from math import inf, log
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from tgite import Confidence
from tgite_conform.algorithms import is_one_sided, test_of
from tgite_conform.causes import ComparedMatch, contrast
from tgite_conform.divergence import Parting
from tgite_conform.format import Outcomes
from tgite_laws.evidence import EVIDENCE_BITS, evidence_along

_FEW, _MOST_TOLD, _HARDLY_ANY = 3, 3, 0.01
_HAIR, _ROUNDING, _ALMOST_ALL = 1e-6, 1e-13, 0.95
_FIRST, _MOST_DIFFERING, _MOST_AGREEING = 8, 60, 400
_LONGEST, _LONGEST_AGREEING, _LONG, _MOST_DUELS = 200_000, 20_000, 500, 400_000

_Floats: TypeAlias = npt.NDArray[np.float64]


class Ending:
    """Where a subject ended a match: after ``length`` duels, or if None after more than its own."""

    def __init__(self, one: ComparedMatch, length: int | None, S: _Floats) -> None:
        """Keep a match and its first argument's wins ``S`` after each duel."""
        case, match = one.case, one.match
        self.one, self.length, self._S, self.duels = one, length, S, len(S)
        self.test = test_of(case.algorithm, case.parameters, match.place)
        self.x = Confidence.of(match.level).log_inverse

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


def _by_a_hair(some: Sequence[Ending], others: Sequence[Ending]) -> str:
    """Return how near to its boundary each match is that ends elsewhere, or "" if some are not."""
    late = [e.length is None or e.length > e.one.match.length for e in some]
    away = sorted(map(Ending.away, some, late))
    most = max(away[int(_ALMOST_ALL * (len(away) - 1))], _ROUNDING)
    if most > _HAIR:
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
    common = contrast([e.one for e in (*some, *near)], 0.3) if len(near) >= _FEW else ""
    return f"{told}; {common} so near" if common else told


def near_boundaries(played: Sequence[ComparedMatch]) -> list[str]:
    """Return a line if all matches that end elsewhere than they should come near a boundary."""
    parted = {one.turn for one in played if one.divergence is not None}
    differing = list(endings(one for one in played if one.divergence is not None))
    some = _chosen(differing, _MOST_DIFFERING)
    # In a case that differs, a match may end early unnoticed if its arms meet again.
    right = (one for one in played if one.turn not in parted)
    hair = _by_a_hair(some, _agreeing(right, some)) if len(some) >= _FEW else ""
    return [hair] if hair else []


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
