"""Finds another level at which a test would end matches where the subject ends them.

A match at a lower level is longer. So a match that ends early or late is one at another level, if
the test is right. Which one it is, is sought among the levels that a mistake in a schedule gives.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import accumulate
from math import exp, inf, log, pi
from typing import cast

from tgite import Arm, Confidence
from tgite_conform.algorithms import radius_of, test_of
from tgite_conform.divergence import Diverged, Divergence, Parting
from tgite_conform.faults import Fault, Lacking
from tgite_conform.format import Case, Expected, ExpectedMatch, Outcomes
from tgite_conform.referee import Level, Referee
from tgite_conform.streams import Counterpart, TooLong

_MOST_DUELS = 3000
_MOST_MATCHES = 60
_FEWEST = 2
_NEARLY_ALL = 0.95
_BASEL = pi**2 / 6


@dataclass(frozen=True, slots=True)
class Ending:
    """Where a subject ended a match: after ``length`` duels, or if None after more than its own.

    ``needed[n - 1]`` is the largest log(1/level) at which the radius stops the match after n
    duels.
    """

    case: Case
    match: ExpectedMatch
    line: str
    length: int | None
    needed: tuple[float, ...]
    gap: float | None

    def fits(self, level: float) -> bool:
        """Whether a match at this level, as log(1/level), ends where the subject's does."""
        most = inf if self.gap is None else (log(4) + level) / (2 * self.gap**2)
        end = next((n for n, x in enumerate(self.needed, 1) if x > level or n >= most), inf)
        return end > self.match.length if self.length is None else end == self.length


class _Onwards(Referee):
    """A referee that answers duels after the end of one match, too, as far as its tape goes."""

    def __init__(self, case: Case, level: Level, number: int) -> None:
        super().__init__(case, level)
        self._number = number
        self._all = Outcomes(self.expected).of(number, spare=True)
        self.most = self._all.length
        self.played = 0
        """The number of duels of the match."""

    def open(self, first: Arm, second: Arm) -> int:
        match = self.expected.matches[self._number]
        if self.played and (
            (first, second) != (match.first, match.second) or self.played >= self.most
        ):
            raise TooLong
        over = self._last == self._number and self._is_over(self._number)
        return self._number if over and match.first == first else super().open(first, second)

    def left(self, number: int) -> Iterable[bool]:
        return self._all.after(self.played) if self.played else super().left(number)

    def count(self, number: int, duels: int) -> None:
        if self.played:
            self.played += duels
            return
        super().count(number, duels)
        if number == self._number and self._is_over(number):
            self.played = self._played[number]

    answer = Counterpart.answer


def with_length(
    meet: Callable[[Case, Counterpart], None], case: Case, found: Divergence, level: Level
) -> Divergence:
    """Return a divergence that says how long a match is that went on, at least."""
    if found.parting is not Parting.WENT_ON or found.match is None or found.length is not None:
        return found
    referee = _Onwards(case, level, found.match)
    with suppress(TooLong, Diverged, Fault, Lacking):
        meet(case, referee)
    return replace(found, length=referee.played + (referee.played >= referee.most))


def endings(found: Iterable[tuple[Case, Divergence]]) -> Iterator[Ending]:
    """Yield where matches of the paper's tests ended early or late."""
    for case, parted in found:
        if parted.parting not in (Parting.STOPPED_EARLY, Parting.WENT_ON) or parted.match is None:
            continue
        expected = cast(Expected, case.expected)
        match = expected.matches[parted.match]
        test, level = test_of(case.algorithm, case.parameters, match.place), match.level
        if not test.name.of_the_paper or match.length > _MOST_DUELS:
            continue
        radius, gap = radius_of(test, Confidence.of(level)), float(test.g or 0)
        outcomes = Outcomes(expected).of(parted.match, spare=True).after(0, _MOST_DUELS)
        needed = tuple(
            Confidence.of(level).log_inverse
            + 2 * n * ((abs(S / n - 1 / 2) + gap) ** 2 - (radius(n) + gap) ** 2)
            for n, S in enumerate(accumulate(outcomes), 1)
        )
        # The line that plays the match, without its turn of a loop.
        line = re.sub(r" \(.*", "", str(parted.lines[-2:][0]))
        length = parted.length if (parted.length or inf) <= len(needed) else None
        yield Ending(case, match, line, length, needed, gap or None)


def other_levels(found: Iterable[tuple[Case, Divergence]]) -> list[str]:
    """Return, by the paper's lines, at which other level matches end, where one explains them."""
    of_line: dict[str, list[Ending]] = defaultdict(list)
    for one in sorted(endings(found), key=lambda one: one.match.length):
        if len(of_line[one.line]) < _MOST_MATCHES:
            of_line[one.line].append(one)
    told = []
    for line, some in of_line.items():
        different = {(one.match.level, one.length) for one in some}
        lengths_known = len(different) >= _FEWEST and any(one.length for one in some)
        if lengths_known and (said := _explained(some)):
            told.append(f"{line}: {said}")
    return told


def _explained(some: Sequence[Ending]) -> str:
    """Return at which level these matches end, or "" if no one level explains them."""
    fitting, applies = Counter[str](), Counter[str]()
    examples: dict[str, str] = {}
    for one in some:
        for name, level in _levels(one).items():
            applies[name] += 1
            if one.fits(level):
                fitting[name] += 1
                examples.setdefault(name, f"{exp(-level):.4g} for {one.match.level}")
    for name, count in fitting.most_common():
        if count >= _NEARLY_ALL * len(some):
            return f"{count} of {len(some)} matches end as at {name} ({examples[name]})"
    return ""


def _levels(one: Ending) -> dict[str, float]:
    """Return levels that a mistake gives, as log(1/level), the likelier ones first."""
    words = dict(re.findall(r"\b([rh])(\d+)\b", one.match.place))
    r, given = int(words.get("r", 0)), one.case.parameters
    factors = {"twice their level": 2.0, "half their level": 1 / 2}
    if r:
        factors |= {
            "the tournament's level, not split among rounds": _BASEL * r**2,
            "the level of round 1": r**2,
            "r for r^2": r,
            "the level of the next round": (r / (r + 1)) ** 2,
            "delta/2^r": _BASEL * r**2 / 2**r,
        }
    factors |= {"their level without 6/pi^2": _BASEL, "their level with 6/pi^2": 1 / _BASEL}
    factors |= {"four times their level": 4, "a quarter of their level": 1 / 4}
    if (N := int(str(given.get("N", 0)))) > 2:
        L = (N - 1).bit_length()
        M = 2**L
        for name, value in {"N": N, "N - 1": N - 1, "L": L, "M": M, "M - 1": M - 1}.items():
            factors[f"their level divided by {name}"] = 1 / value
            factors[f"their level times {name}"] = value
        factors |= {"M for M - 1": (M - 1) / M, "N - 1 for M - 1": (M - 1) / (N - 1)}
        factors |= {"L + 1 for L": L / (L + 1), "h for L": L / int(words.get("h", L))}
    if H := int(str(given.get("H", 0))):
        factors |= {"the level of H - 1": 1 + 1 / H, "half of 1/H": (1 + 1 / H) / 2}
    its = Confidence.of(one.match.level).log_inverse
    found = {name: its - log(factor) for name, factor in factors.items() if factor != 1}
    for name in {"delta", "epsilon", "rho", "kappa", "warm_start"} & set(given):
        level = Confidence.of(str(given[name])).log_inverse
        found |= {f"the level {name}": level, f"the level {name} times 6/pi^2": level + log(_BASEL)}
    return {name: level for name, level in found.items() if level > 0}
