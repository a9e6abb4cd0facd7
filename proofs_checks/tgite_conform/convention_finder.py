"""Finds conventions under which the reference first differs where an implementation does."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import cast

from tgite import Conventions, InvalidInput
from tgite_conform.algorithms import ALGORITHMS, stream_of
from tgite_conform.divergence import Diverged, Divergence
from tgite_conform.faults import Refused
from tgite_conform.format import CHOICES, Case
from tgite_conform.referee import Level, Referee
from tgite_conform.streams import Made, TooLong, play_stream
from tgite_laws.implementation import REFERENCE

# In the reference these duels take about a second.
_MOST_DUELS = 400_000
_MOST_UNEXPLAINED = 2


class _Until(Referee):
    """A referee that stops after the question for the duel with the given number."""

    def __init__(self, case: Case, level: Level, duel: int) -> None:
        super().__init__(case, level)
        self._duel = duel

    def count(self, number: int, duels: int) -> None:
        super().count(number, duels)
        if self.duels >= self._duel:
            raise TooLong


class ConventionFinder:
    """Finds conventions that explain where a subject's runs differ.

    It tries first the conventions found before, then these with one more change, then all single
    changes, and then all pairs of changes. For an algorithm with two unexplained runs it tries only
    what it has found.
    """

    def __init__(self, level: Level = Level.MATCHES, whole: bool = False) -> None:
        """Begin; if the subject plays ``whole`` tapes, matches are compared in their order."""
        self._level = Level.ORDER if whole else level
        self._found: list[dict[str, object]] = []
        self._unexplained = Counter[str]()
        self._left = _MOST_DUELS

    def changes(self, case: Case, parted: Divergence) -> dict[str, object] | None:
        """Return changes of conventions that explain a subject's divergence ``parted``.

        The result is empty if no changes explain it, and None if they could not be sought.
        """
        for changes in self._candidates(case):
            if self._left <= 0:
                return None
            self._left -= parted.duel
            if self._explains(case, parted, changes):
                if changes not in self._found:
                    self._found.append(changes)
                return changes
        self._unexplained[case.algorithm] += 1
        return {}

    def _explains(self, case: Case, parted: Divergence, changes: dict[str, object]) -> bool:
        """Return whether the reference with these changes diverges in the same way."""
        try:
            stream = stream_of(REFERENCE, case.algorithm, case.parameters, _changed(case, changes))
            # A stream that asks only for duels is never sent a list or None.
            play_stream(cast(Made, stream), _Until(case, self._level, parted.duel))
        except Diverged as diverged:
            return _key(diverged.divergence) == _key(parted)
        except (TooLong, Refused, InvalidInput):
            return False
        return False

    def _candidates(self, case: Case) -> Iterator[dict[str, object]]:
        names = ALGORITHMS[case.algorithm].choices
        yield from (changes for changes in self._found[::-1] if set(changes) <= set(names))
        if self._unexplained[case.algorithm] >= _MOST_UNEXPLAINED:
            return
        singles: list[dict[str, object]] = [
            {name: value}
            for name in names
            for value in CHOICES[name]
            if value != getattr(case.conventions, name)
        ]
        for single in singles:
            yield from ({**changes, **single} for changes in list(self._found))
        yield from singles
        yield from (
            {**one, **other} for one, other in combinations(singles, 2) if set(one) != set(other)
        )


def _key(parted: Divergence) -> tuple[object, ...]:
    """Return what a divergence must share: of a duel or a match that is asked, its arms."""
    arms = re.match(r"(?:duel|match) (\(\d+, \d+\))", parted.asked)
    return parted.duel, parted.parting, arms[1] if arms else parted.asked


def _changed(case: Case, changes: dict[str, object]) -> Conventions:
    # The type checker does not know that ``changes`` holds the fields' values.
    return replace(case.conventions, **changes)  # type: ignore[arg-type]
