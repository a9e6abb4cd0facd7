"""Finds conventions under which the reference first differs where an implementation does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import TypeAlias

from tgite import InvalidInput
from tgite_conform.algorithms import ALGORITHMS
from tgite_conform.divergence import Diverged, Divergence, Parting
from tgite_conform.format import CHOICES, Case
from tgite_conform.referee import Level, check_played
from tgite_conform.tape_player import played_on

# Playing these duels takes less than a second.
_MOST_DUELS = 400_000
_MOST_UNEXPLAINED = 2

Changes: TypeAlias = dict[str, object]
"""New values of some conventions."""


class ConventionFinder:
    """Finds conventions that explain where a subject's runs differ.

    It tries all single changes and the conventions found before, then these with one more change,
    and then all pairs of changes. For an algorithm with two unexplained runs, by whatever test, it
    tries only what it has found.
    """

    def __init__(self, level: Level = Level.MATCHES, whole: bool = False) -> None:
        """Begin; if the subject plays ``whole`` tapes, matches are compared whole."""
        self._level, self._whole = level, whole
        self._found: list[Changes] = []
        self._unexplained = Counter[str]()
        self._left = _MOST_DUELS

    def changes(self, case: Case, parted: Divergence) -> list[Changes] | None:
        """Return the changes of conventions that each explain a subject's divergence ``parted``.

        The result is empty if no changes explain it, and None if they cannot be sought.
        """
        if parted.parting is Parting.REFUSED:
            return None  # the conventions are among what is refused, and explain nothing
        tried: list[Changes] = []
        for candidates in self._candidates(case, parted.parting):
            explaining: list[Changes] = []
            for changes in candidates:
                if not changes or changes in tried:
                    continue
                if self._left <= 0:
                    return explaining or None
                self._left -= parted.duel
                tried.append(changes)
                if self._explains(case, parted, changes):
                    explaining.append(changes)
            self._found += (changes for changes in explaining if changes not in self._found)
            if explaining:
                return explaining
        self._unexplained[_base(case)] += 1
        return []

    def _explains(self, case: Case, parted: Divergence, changes: Changes) -> bool:
        """Return whether the reference with these changes diverges in the same way."""
        # The type checker does not know that ``changes`` holds the fields' values.
        conventions = replace(case.conventions, **changes)  # type: ignore[arg-type]
        try:
            played = played_on(case, conventions, parted.parting)
            check_played(case, played, self._level, self._whole)
        except Diverged as diverged:
            return diverged.divergence.ends_as(parted)
        except InvalidInput:
            pass
        return False

    def _candidates(self, case: Case, parting: Parting) -> Iterator[list[Changes]]:
        """Yield the changes to try, first those of which each that explains is wanted."""
        by = {name: getattr(case.conventions, name) for name in ALGORITHMS[case.algorithm].choices}
        found: list[Changes] = [
            {name: value for name, value in changes.items() if value != by.get(name, value)}
            for changes in self._found
        ]
        singles: list[Changes] = [
            {name: value} for name in by for value in CHOICES[name] if value != by[name]
        ]
        if self._unexplained[_base(case)] >= _MOST_UNEXPLAINED:
            yield found
            return
        yield singles + found
        # In another order other matches are played, which is seen before their lengths.
        firsts = found if parting in (Parting.STOPPED_EARLY, Parting.WENT_ON) else found + singles
        yield [{**changes, **single} for changes in firsts for single in singles]


def _base(case: Case) -> str:
    return ALGORITHMS[case.algorithm].base or case.algorithm
