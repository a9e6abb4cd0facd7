"""The cost of finding the winner if nothing but its existence is assumed.

Costs of the paper's algorithms are exact. Algorithms without an exact law are played, with separate
seeds for each line. Find-then-certify is played match by match with its own code.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from fractions import Fraction
from functools import partial
from math import log
from typing import NamedTuple

import numpy as np

from cost_tables.competitors import (
    Duels,
    TooLongError,
    dkw_tournament,
    explore_then_verify,
    savage,
)
from cost_tables.methods import METHODS, Task
from cost_tables.table import Key, Row, Rows, Table
from tgite import Arm, Confidence, PreferenceMatrix, Preferences, cyclic, drive, example, sparse
from tgite.beyond.certificate import Assumption
from tgite.beyond.find_then_certify import stages
from tgite.preferences import HALF
from tgite_laws.lower_bound import least_mean
from tgite_laws.one_sided import Drawn, means_and_errors
from tgite_laws.pairwise import ChosenTest
from tgite_laws.whole_matches import knockout, one_sided_match

C_level, C_loglog, C_arm, C_once = Fraction(33, 4), 4, 72, 153
"""Constants of ``find_then_certify_identifies_statement`` in ``RoundsCost.v``."""


class Way(StrEnum):
    """The method or the bound of a line of the file."""

    LEAST = "least"
    PAPER = "TG-ITE-BAI"
    BKT = "BKT with MixtureTest"
    DKW = "DKW tournament"
    DKW_MIXTURE = "DKW tournament with MixtureTest"
    SAVAGE = "SAVAGE"
    SAVAGE_MIXTURE = "SAVAGE with MixtureTest"
    KARNIN = "explore, then verify"
    KARNIN_MIXTURE = "explore, then verify, with MixtureTest"
    A_WINNER = "find, then certify, assuming a winner"
    LEAST_ASSUMING_NOTHING = "least, assuming nothing"
    NOTHING = "find, then certify, assuming nothing"


class Instance(NamedTuple):
    """Preferences and a level, and the number of runs of a method without an exact law."""

    name: str
    preferences: Preferences
    delta: str
    runs: int

    @property
    def level(self) -> Confidence:
        """The confidence level."""
        return Confidence.of(self.delta)


def tied(N: int, gap: str) -> PreferenceMatrix:
    """Return an instance in which arm 0 beats every other arm by ``gap``, and the others tie."""
    up, down = HALF + Fraction(gap), HALF - Fraction(gap)
    first = (HALF, *[up] * (N - 1))
    return PreferenceMatrix((first, *[(down, *[HALF] * (N - 1))] * (N - 1)))


_RUNS = {5: 2000, 6: 2000, 8: 2000, 16: 2000, 64: 400, 256: 400, 1024: 60, 4096: 20}


def _instance(name: str, preferences: Preferences, delta: str) -> Instance:
    fewer = {"1e-6": 2, "1e-12": 5}.get(delta, 1)
    return Instance(name, preferences, delta, _RUNS[preferences.size] // fewer)


def _cyclic(N: int, winner: str, of: str, delta: str) -> Instance:
    return _instance(f"cyclic, N = {N}, {winner[1:]} and {of[1:]}", cyclic(N, winner, of), delta)


def instances() -> Iterator[Instance]:
    """Yield the instances of the file, in its order."""
    for delta in ("1/10", "1e-6", "1e-12"):
        yield _cyclic(256, "0.3", "0.05", delta)
    for delta in ("1/10", "1e-6", "1e-12"):
        yield _instance("N = 256, .3, others tie", tied(256, "0.3"), delta)
    for gap in ("0.32", "0.1"):
        for N in (8, 64, 256):
            for delta in ("1/10", "1e-6"):
                yield _cyclic(N, gap, gap, delta)
    yield _cyclic(256, "0.32", "0.38", "1/10")
    for delta in ("1/10", "1e-6"):
        yield _instance("sparse, N = 64, .1", sparse(64, "0.1"), delta)
    for N in (16, 64, 256, 1024, 4096):
        yield _cyclic(N, "0.3", "0.05", "1/100")
    for name in ("sushi16", "mslr5", "arxiv6"):
        for delta in ("1/10", "1e-6", "1e-12"):
            yield _instance(name, example(name), delta)
    for gap in ("0.2", "0.1", "0.02"):
        yield _cyclic(64, "0.3", gap, "1/100")


_COLUMNS = ("instance", "arms", "delta", "way", "comparisons", "error", "runs", "wrong", "over")
"""For a played method, ``comparisons`` is the mean of ``runs`` runs, with its standard error.
``wrong`` counts the runs that named an arm other than the winner, and ``over`` those that were
stopped after :data:`MOST_DUELS`, which count as that many. For other rows these are empty."""


def seed_of(instance: Instance, way: Way, run: int) -> int:
    """Return the seed of a run; no other line has the same seed."""
    text = f"{instance.name}; {instance.delta}; {way}; {run}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


class Played(NamedTuple):
    """The cost of an algorithm's runs: the mean, its standard error, the wrong and stopped runs."""

    mean: float
    error: float
    runs: int
    wrong: int
    over: int = 0


def played(instance: Instance, way: Way, runs: int | None = None) -> Played:
    """Return the cost of find-then-certify, by default from the instance's number of runs."""
    runs = instance.runs if runs is None else runs
    assumes = Assumption.NOTHING if way is Way.NOTHING else Assumption.A_WINNER
    delta, preferences = instance.level, instance.preferences
    duels, wrong, winner = np.zeros(runs), 0, preferences.winner()
    for run in range(runs):
        drawn = Drawn(preferences, seed_of(instance, way, run))
        algorithm = stages(preferences.size, delta, assumes, knockout, one_sided_match)
        wrong += drive(algorithm, drawn).champion != winner
        duels[run] = drawn.duels
    return Played(*means_and_errors(duels), runs, wrong)


COMPETITORS: Mapping[Way, Callable[[Duels, Confidence], Arm]] = {
    Way.DKW: partial(dkw_tournament, mixture=False),
    Way.DKW_MIXTURE: partial(dkw_tournament, mixture=True),
    Way.SAVAGE: partial(savage, mixture=False),
    Way.SAVAGE_MIXTURE: partial(savage, mixture=True),
    Way.KARNIN: partial(explore_then_verify, mixture=False),
    Way.KARNIN_MIXTURE: partial(explore_then_verify, mixture=True),
}

MOST_DUELS = 10**6
"""The most duels of a competitor's run."""

_EXACT = {Way.PAPER: "TG-ITE-BAI, DuelTest", Way.BKT: "BKT, MixtureTest"}
"""The methods with an exact law, by their names in the table of every method."""

NEED_A_GAP = (*_EXACT, Way.DKW, Way.DKW_MIXTURE)
"""These methods need not end if some arms tie."""

MOST_ARMS = 256
"""The most arms for which laws are computed and competitors are played."""


def competed(instance: Instance, way: Way) -> Played:
    """Return a competitor's cost, from fewer runs where a run takes long."""
    explores = way in (Way.KARNIN, Way.KARNIN_MIXTURE)
    duels, wrong, over = list[int](), 0, 0
    for run in range(20 if explores and instance.preferences.size > 8 else 200):
        drawn = Duels(instance.preferences, seed_of(instance, way, run), MOST_DUELS)
        try:
            wrong += COMPETITORS[way](drawn, instance.level) != instance.preferences.winner()
        except TooLongError:
            over += 1
        duels.append(min(drawn.total, MOST_DUELS))
        if run == 4 and over == 5:
            break
    return Played(*means_and_errors(np.array(duels, float)), len(duels), wrong, over)


def has_cost(instance: Instance, way: Way) -> bool:
    """Return whether the method has a cost here: it must end, and must be fast enough."""
    preferences = instance.preferences
    if way in NEED_A_GAP and preferences.global_gap() == 0:
        return False
    return preferences.size <= MOST_ARMS or way not in {*_EXACT, *COMPETITORS}


def computed(instance: Instance, way: Way) -> Row:
    """Return the row of an instance and a method."""
    delta, preferences = instance.level, instance.preferences
    key = instance.name, preferences.size, instance.delta, way
    if way in (Way.A_WINNER, Way.NOTHING) or way in COMPETITORS:
        mean, error, *counts, over = (competed if way in COMPETITORS else played)(instance, way)
        return ROWS.row(*key, f"{mean:.8g}", f"{error:.3g}", *counts, over or "")
    if way is Way.LEAST:
        mean = least_mean(delta, preferences).middle
    elif way is Way.LEAST_ASSUMING_NOTHING:
        mean = least_assuming_nothing(delta, preferences)
    else:
        (method,) = (one for one in METHODS if one.name == _EXACT[way])
        cost = method.cost(Task(preferences, Fraction(0), delta), ChosenTest.laws)
        assert cost is not None
        mean = cost.comparisons
    return ROWS.row(*key, f"{mean:.8g}", "", "", "", "")


def _keys() -> Iterator[Key]:
    for one in instances():
        yield from ((one.name, one.delta, str(way)) for way in Way if has_cost(one, way))


def _computed(key: Key) -> list[Row]:
    name, delta, way = key
    (instance,) = (one for one in instances() if (one.name, one.delta) == (name, delta))
    return [computed(instance, Way(way))]


ROWS = Rows("winner-only.csv", _COLUMNS, _keys, _computed, ("instance", "delta", "way"))


def least_assuming_nothing(delta: Confidence, preferences: Preferences) -> float:
    """Return the bound of ``lower_bound_assuming_nothing`` in ``LowerBound.v``.

    The winner must not be certified where it ties with some other arm. For this, each of its pairs
    needs ``kl(delta, 1-delta)`` over its own divergence from a fair coin.
    """
    winner, N = preferences.winner(), preferences.size
    pairs = Counter(preferences.probability(winner, j) for j in range(N) if j != winner)

    def least(p: Fraction) -> float:
        return least_mean(delta, PreferenceMatrix(((HALF, p), (1 - p, HALF)))).middle

    return sum(count * least(p) for p, count in pairs.items())


def proved_at_most(instance: Instance) -> float:
    """Return the bound on the mean, ``duels_at_most`` of ``RoundsStages.v``."""
    gap = float(instance.preferences.winner_gap())
    level, again = instance.level.log_inverse, log(log(1 / gap) + 1)
    arms = instance.preferences.size - 1
    return (arms * (float(C_level) * (level + C_loglog * again) + C_arm) + C_once) / gap**2


_SHOWN = ("cyclic, N = 256, .3 and .05", "sparse, N = 64, .1", "sushi16", "mslr5", "arxiv6")
"""The instances that the page shows, at level 1/10."""


def lines(rows: Iterable[Row]) -> Iterator[list[str]]:
    """Yield the lines of the page, which shows a part of the file."""
    found = ROWS.by_key(rows)
    yield ["instance", "delta", *map(str, Way), "wrong", "proved at most"]
    for one in instances():
        if one.name not in _SHOWN or one.delta != "1/10":
            continue
        ways = {way: found.get((one.name, one.delta, str(way))) for way in Way}
        own = [row for way in (Way.A_WINNER, Way.NOTHING) if (row := ways[way]) is not None]
        wrong = sum(int(row["wrong"]) for row in own), sum(int(row["runs"]) for row in own)
        cells = [_cell(one, way, row, ways) for way, row in ways.items()]
        most = f"{proved_at_most(one):.0f}"
        yield [one.name, one.delta, *cells, f"{wrong[0]} of {wrong[1]}", most]


_LEAST_FOR = {Way.A_WINNER: Way.LEAST, Way.NOTHING: Way.LEAST_ASSUMING_NOTHING}


def _cell(one: Instance, way: Way, row: Row | None, ways: Mapping[Way, Row | None]) -> str:
    if row is None:
        ends = way not in NEED_A_GAP or one.preferences.global_gap() > 0
        return "-" if ends else "need not end"
    mean = float(row["comparisons"])
    if row["over"]:
        return f"over {mean:.0f}"
    if not row["error"]:
        return f"{mean:.0f}"
    shown = f"{mean:.0f}±{float(row['error']):.0f}"
    least = ways[_LEAST_FOR[way]] if way in _LEAST_FOR else None
    return shown if least is None else f"{shown} ({mean / float(least['comparisons']):.1f})"


TABLE = Table("one-assumption.md", lines, ROWS)
