"""Finds conventions under which an implementation's run would be correct.

The implementation plays again on tapes that have outcomes for every pair. So does the reference,
under other conventions.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain, combinations
from typing import TypeAlias, cast

from tgite import Arm, Conventions, InvalidInput
from tgite_conform.algorithms import ALGORITHMS, stream_of
from tgite_conform.divergence import Diverged, Divergence
from tgite_conform.faults import Fault, Lacking, Refused
from tgite_conform.format import CHOICES, Answer, Case, Expected
from tgite_conform.referee import Level, Referee
from tgite_conform.streams import Counterpart, Made, TooLong, play_stream
from tgite_laws.implementation import REFERENCE

_MOST_DUELS = 200_000
_MORE_DUELS = 500
# In the reference these duels take about three seconds.
_ALL_DUELS = 1_000_000
_MOST_UNEXPLAINED = 2
_MOST_FAULTS = 1


Meet: TypeAlias = Callable[[Case, Counterpart], None]
"""Plays a case's algorithm and parameters against a counterpart."""


@dataclass(slots=True)
class Transcript:
    """A run: each pair's first arms and how many duels they had in a row, self-play, result."""

    pairs: dict[tuple[Arm, Arm], list[list[int]]] = field(default_factory=dict)
    self_play: list[list[int]] = field(default_factory=list)
    result: Answer = None

    @property
    def meetings(self) -> dict[tuple[Arm, Arm], list[Arm]]:
        """For each pair its first arms in order, without the numbers of duels."""
        return {pair: [first for first, _ in runs] for pair, runs in self.pairs.items()}

    @property
    def duels(self) -> int:
        """The number of duels."""
        return sum(duels for runs in self.pairs.values() for _, duels in runs)


TAPES = 2


def outcome_for(tape: int, low: Arm, high: Arm, k: int) -> bool:
    """Return whether ``low`` wins a pair's k-th duel, from 0, on a tape.

    The better arm loses one duel in five. Which arm of a pair is better differs between the tapes.
    """
    low_is_better = ((low + 2 * high) % 3 != 0) == (tape == 0)
    return low_is_better == (k % 5 != 3)


class Observer(Counterpart):
    """Answers up to ``most`` questions from one of the tapes, and records a transcript."""

    def __init__(self, horizon: int | None, most: int, tape: int = 0) -> None:
        """Begin with an empty transcript."""
        super().__init__(horizon)
        self.seen = Transcript()
        self._most, self._tape = most, tape
        self._self_play_questions = 0
        self._asked: tuple[Arm, Arm] = (0, 1)

    def open(self, first: Arm, second: Arm) -> int:
        """Store the arms; here all matches have the same number."""
        self._asked = (first, second)
        return 0

    def left(self, number: int) -> Iterator[bool]:
        """Yield the next outcomes of the pair that was asked, up to the horizon."""
        low, high = sorted(self._asked)
        k = sum(duels for _, duels in self.seen.pairs.setdefault((low, high), []))
        left = self._most - self.duels
        if self.horizon is not None:
            left = min(left, self.horizon - self.rounds)
        if left <= 0:
            raise TooLong
        for at in range(k, k + left):
            yield outcome_for(self._tape, low, high, at) == (self._asked[0] == low)

    def count(self, number: int, duels: int) -> None:
        """Record the duels."""
        low, high = sorted(self._asked)
        _prolong(self.seen.pairs[low, high], self._asked[0], duels)
        self.duels += duels
        self.rounds += duels

    def self_play(self, arm: Arm, rounds: int) -> None:
        """Record a block, joined to the previous one of the same arm."""
        self._self_play_questions += 1
        if self._self_play_questions > self._most:
            raise TooLong
        if self.horizon is not None:
            rounds = min(rounds, self.horizon - self.rounds)
        self.rounds += rounds
        _prolong(self.seen.self_play, arm, rounds)

    def returned(self, result: Answer) -> None:
        """Record the result."""
        self.seen.result = result


def _prolong(runs: list[list[int]], arm: Arm, rounds: int) -> None:
    """Lengthen the last run if it belongs to this arm, or begin another run."""
    if runs and runs[-1][0] == arm:
        runs[-1][1] += rounds
    else:
        runs.append([arm, rounds])


def reference_under(conventions: Conventions) -> Meet:
    """Return a function that plays a case with the reference under these conventions."""

    def meet(case: Case, counterpart: Counterpart) -> None:
        stream = stream_of(REFERENCE, case.algorithm, case.parameters, conventions)
        # A stream that asks only for duels is never sent a list or None.
        play_stream(cast(Made, stream), counterpart)

    return meet


def observed(meet: Meet, case: Case, most: int = _MOST_DUELS) -> list[Transcript] | None:
    """Return a subject's transcript on each tape; None if it takes too long or refuses."""
    horizon = case.expected.horizon if isinstance(case.expected, Expected) else None
    observers = [Observer(horizon, most, tape) for tape in range(TAPES)]
    try:
        for observer in observers:
            meet(case, observer)
    except (TooLong, Refused, InvalidInput, Diverged):
        # Without a referee the only divergence is a refusal.
        return None
    return [observer.seen for observer in observers]


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
    """Finds conventions under which a subject's runs would be correct.

    It tries first the conventions found before, then these with one more change, then all single
    changes, and then all pairs of changes. It gives up on an algorithm after a few unexplained
    runs, and on everything after a fault or a million duels. Conventions that were found explain a
    further run if the reference under them diverges at the same question. The second, fourth,
    eighth, ... of these runs is played again in full, in case it also has another mistake.
    """

    def __init__(self, cost_factor: int = 1, level: Level = Level.MATCHES) -> None:
        """Begin; a duel of the subject costs ``cost_factor`` times as much as the reference's."""
        self._cost_factor = cost_factor
        self._level = level
        self._found: list[dict[str, object]] = []
        self._found_of: defaultdict[str, list[dict[str, object]]] = defaultdict(list)
        self._explained, self._unexplained = Counter[str](), Counter[str]()
        self._doubted: set[str] = set()
        self._faults = 0
        self.lost = 0.0
        """The seconds that faults have cost."""
        self._left = _ALL_DUELS

    def changes(self, meet: Meet, case: Case, parted: Divergence) -> dict[str, object] | None:
        """Return changes of conventions that explain a subject's divergence ``parted``.

        The result is empty if no changes explain it, and None if they could not be sought.
        """
        of, found = case.algorithm, self._found_of[case.algorithm]
        # Later findings have more changes and explain more, so they are tried first.
        likely = (one for one in reversed(found) if self._explains(case, parted, one))
        changes = None if of in self._doubted else next(likely, None)
        if changes is None:
            changes = self._search(meet, case, parted)
        elif self._explained[of].bit_count() == 1 and self._left > _ALL_DUELS // 2:
            in_vain = self._unexplained[of]
            again = self._search(meet, case, parted, in_order=True)
            if again or self._unexplained[of] > in_vain:
                changes = again
            if not changes:
                self._doubted.add(of)
        if changes:
            self._explained[of] += 1
            for known in (found, self._found):
                if changes not in known:
                    known.append(changes)
        return changes

    def _explains(self, case: Case, parted: Divergence, changes: dict[str, object]) -> bool:
        """Return whether the reference with these changes diverges in the same way."""
        referee = _Until(case, self._level, parted.duel)
        try:
            reference_under(_changed(case, changes))(case, referee)
        except Diverged as diverged:
            return diverged.divergence.is_as(parted)
        except (TooLong, Refused, InvalidInput):
            return False
        return False

    def _search(
        self, meet: Meet, case: Case, parted: Divergence, in_order: bool = False
    ) -> dict[str, object] | None:
        """Play the subject again; return changes under which the reference plays the same."""
        of = case.algorithm
        hopeless = self._unexplained[of] >= _MOST_UNEXPLAINED
        if self._faults >= _MOST_FAULTS or (hopeless and not self._found):
            return None
        reference = self._reference(case, case.conventions)
        if reference is None:
            # This algorithm's findings were tried before; those of other algorithms are tried here.
            if hopeless or of in self._doubted:
                return {} if self._found_of[of] and of not in self._doubted else None
            names = set(ALGORITHMS[of].choices)
            found = (one for one in self._found if set(one) <= names)
            return next((one for one in found if self._explains(case, parted, one)), None)
        # Other conventions lead to other matches, but not to several times as many duels.
        longest = max(transcript.duels for transcript in reference)
        enough = 4 * longest + _MORE_DUELS
        most = max(0, min(enough, self._left // self._cost_factor))
        seen = None
        started = time.perf_counter()
        try:
            seen = observed(meet, case, most)
        except (Fault, Lacking):
            # A fault may have cost its time limit, so it is not risked again.
            self._faults += 1
            self.lost += time.perf_counter() - started
            return None
        finally:
            duels = most if seen is None else sum(one.duels for one in seen)
            self._left -= self._cost_factor * duels
        if seen is None:
            self._unexplained[of] += most == enough
            return {} if most == enough else None
        likely = self._explaining(case, parted)
        # A subject that plays matches in parallel diverges elsewhere, so all candidates are tried.
        # If at most the lengths of matches differ, a candidate must diverge at the same question.
        same_meetings = [one.meetings for one in seen] == [one.meetings for one in reference]
        no_others = in_order or same_meetings
        for changes in chain(likely, () if no_others else self._candidates(case)):
            if seen == self._reference(case, _changed(case, changes)):
                return changes
        self._unexplained[of] += seen != reference
        return {} if self._left > 0 else None

    def _explaining(self, case: Case, parted: Divergence) -> Iterator[dict[str, object]]:
        """Yield the candidates under which the reference diverges in the same way."""
        for changes in self._candidates(case):
            self._left -= parted.duel
            if self._left > 0 and self._explains(case, parted, changes):
                yield changes

    def _reference(self, case: Case, conventions: Conventions) -> list[Transcript] | None:
        """Return the reference's transcripts under these conventions; None if they are too long."""
        most = max(0, min(_MOST_DUELS, self._left))
        found = observed(reference_under(conventions), case, most)
        self._left -= sum(one.duels for one in found) if found else most
        return found

    def _candidates(self, case: Case) -> Iterator[dict[str, object]]:
        names = ALGORITHMS[case.algorithm].choices
        yield from (changes for changes in self._found if set(changes) <= set(names))
        if self._unexplained[case.algorithm] >= _MOST_UNEXPLAINED:
            return
        singles: list[dict[str, object]] = [
            {name: value}
            for name in names
            for value in CHOICES[name]
            if value != getattr(case.conventions, name)
        ]
        for single in singles:
            yield from ({**changes, **single} for changes in self._found)
        yield from singles
        yield from (
            {**one, **other} for one, other in combinations(singles, 2) if set(one) != set(other)
        )


def _changed(case: Case, changes: dict[str, object]) -> Conventions:
    # The type checker does not know that ``changes`` holds the fields' values.
    return replace(case.conventions, **changes)  # type: ignore[arg-type]
