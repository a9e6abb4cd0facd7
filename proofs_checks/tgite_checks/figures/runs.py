"""Play the contestants, one run per seed, and save each finished run."""

from __future__ import annotations

import multiprocessing
import os
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from tgite import (
    Arm,
    Ended,
    InvalidInput,
    PreferenceMatrix,
    Preferences,
    Run,
    SeededEnvironment,
    play,
)
from tgite.comparators.several_runs import Together
from tgite_checks.figures.contestants import Panel, contestant
from tgite_checks.figures.curves import Regret, RegretCurve, evenly
from tgite_checks.figures.settings import Arena

FORMAT = "tgite-experiments/1"
POINTS = 500
"""The number of points saved of each regret curve."""

MOST_TOGETHER = 16
"""The most seeds that are played at once, which an interrupt may lose. More are hardly faster."""


@dataclass(frozen=True, slots=True)
class Job:
    """One run: an arena, a contestant, a seed."""

    arena: Arena
    key: str
    seed: int

    @property
    def identity(self) -> str:
        """One line that identifies the run, including the arena's limits."""
        limits = f"horizon {self.arena.horizon}, budget {self.arena.budget}"
        name = f"{self.arena.data}/{self.arena.panel}/{self.arena.name}/{limits}"
        return f"{name}/{self.key}/seed {self.seed}"


class Played(msgspec.Struct, frozen=True):
    """A run's result: its end, whether the answer is right, and the regret in panels b and c."""

    ended: str
    right: bool | None
    comparisons: int
    regret: int | None
    curve: tuple[int, ...]


def times(arena: Arena) -> tuple[int, ...]:
    """Return the times of a regret panel's curves."""
    return () if arena.horizon is None else evenly(arena.horizon, POINTS)


def perform(job: Job) -> Played:
    """Play one run; outcomes and the contestant's choices have separate generators."""
    arena, entry = job.arena, contestant(job.arena.panel, job.key)
    # A table is faster where the pair changes every round; identification changes it seldom.
    preferences = arena.preferences() if arena.panel is Panel.BAI else table_of(arena)
    winner = preferences.winner()
    choices = _choices_of(job)
    stream = entry.make(preferences, arena.horizon or 1, choices)
    environment = SeededEnvironment(preferences, job.seed)
    if arena.panel is Panel.BAI:
        run: Run[Arm | None] = play(stream, environment, winner, budget=arena.budget)
        right = None if run.returned is None else run.returned == winner
        return Played(str(run.ended), right, run.comparisons, None, ())
    weak = arena.panel is Panel.WEAK
    curve = RegretCurve(Regret.WEAK if weak else Regret.STRONG, winner, times(arena))
    run = play(stream, environment, winner, horizon=arena.horizon, recorder=curve)
    regret = run.weak_regret if weak else run.strong_regret
    return Played(str(run.ended), None, run.comparisons, regret, tuple(curve.values))


def perform_together(jobs: Sequence[Job]) -> list[Played]:
    """Return what :func:`perform` returns for jobs that differ only in their seeds.

    Contestants that can play several runs at once do so, to save time.
    """
    arena, together = jobs[0].arena, contestant(jobs[0].arena.panel, jobs[0].key).together
    if together is None or arena.horizon is None:
        return [perform(job) for job in jobs]
    preferences = table_of(arena)
    winner = preferences.winner()
    stream = together(preferences.size, [_choices_of(job) for job in jobs])
    seeds = [job.seed for job in jobs]
    first, second, _ = play_together(stream, preferences, seeds, arena.horizon)
    first_other, second_other = first != winner, second != winner
    weak = arena.panel is Panel.WEAK
    costs = first_other & second_other if weak else first_other | second_other
    regrets = np.cumsum(costs, axis=0)
    curves = regrets[np.array(times(arena)) - 1]
    comparisons = np.count_nonzero(first != second, axis=0)
    return [
        Played(
            str(Ended.HORIZON),
            None,
            int(comparisons[run]),
            int(regrets[-1, run]),
            tuple(curves[:, run].tolist()),
        )
        for run in range(len(jobs))
    ]


def play_together(
    stream: Together, preferences: Preferences, seeds: Sequence[int], horizon: int
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.bool_]]:
    """Play ``horizon`` rounds of a stream, each run with the ``SeededEnvironment`` of its seed.

    Returns the first arms, the second arms, and whether the first won (false for self-play). Rows
    are rounds, columns are runs.
    """
    arms = range(preferences.size)
    chances = [[float(preferences.probability(i, j)) for j in arms] for i in arms]
    draws = [random.Random(seed).random for seed in seeds]
    shape = horizon, len(seeds)
    first, second, won = np.empty(shape, np.intp), np.empty(shape, np.intp), np.empty(shape, bool)
    asked = next(stream)
    for t in range(horizon):
        first[t], second[t] = asked
        outcomes = [
            None if i == j else chances[i][j] > draw()
            for i, j, draw in zip(*asked, draws, strict=True)
        ]
        won[t] = outcomes
        if t < horizon - 1:
            asked = stream.send(outcomes)
    return first, second, won


def _choices_of(job: Job) -> random.Random:
    return random.Random(f"choices {job.seed}")


@lru_cache(maxsize=4)
def table_of(arena: Arena) -> PreferenceMatrix:
    """Return an arena's preferences as a table, which is faster to read."""
    preferences = arena.preferences()
    arms = range(preferences.size)
    rows = tuple(tuple(preferences.probability(i, j) for j in arms) for i in arms)
    return PreferenceMatrix(rows, preferences.names)


class _Line(Played, frozen=True, kw_only=True, tag_field="format", tag=FORMAT):
    """One line of the file of finished runs."""

    run: str


class SavedRuns(AbstractContextManager["SavedRuns"]):
    """The file of finished runs, one JSON line each.

    Raises :class:`~tgite.errors.InvalidInput` if the file cannot be read or written, or is damaged
    before its last line. An incomplete last line, left by an interrupt, is dropped.
    """

    def __init__(self, path: Path) -> None:
        """Read the finished runs and open the file for more."""
        self.played: dict[str, Played] = {}
        try:
            lines = path.read_text(encoding="utf-8").split("\n") if path.exists() else []
        except (OSError, UnicodeDecodeError) as error:
            raise InvalidInput("runs", str(path), f"cannot be read ({error})") from None
        whole = lines[:-1]
        for number, line in enumerate(whole, start=1):
            try:
                one = msgspec.json.decode(line, type=_Line)
            except msgspec.MsgspecError:
                problem = f'must be a finished run of format "{FORMAT}"'
                raise InvalidInput("runs", f"{path}:{number}", problem) from None
            self.played[one.run] = msgspec.convert(one, Played, from_attributes=True)
        try:
            with path.open("w", encoding="utf-8") as file:
                file.writelines(line + "\n" for line in whole)
            self._file = path.open("a", encoding="utf-8")
        except OSError as error:
            raise InvalidInput("runs", str(path), f"cannot be written ({error.strerror})") from None

    def keep(self, job: Job, played: Played) -> None:
        """Write a finished run to the file."""
        self.played[job.identity] = played
        line = _Line(run=job.identity, **msgspec.structs.asdict(played))
        self._file.write(msgspec.json.encode(line).decode() + "\n")
        self._file.flush()

    def __exit__(self, *error: object) -> None:
        """Close the file."""
        self._file.close()


def perform_all(
    jobs: Sequence[Job], kept: SavedRuns, processes: int, finished: Callable[[Job], None]
) -> None:
    """Play the unfinished jobs, the longest first; save each and call ``finished`` with it.

    ``KeyboardInterrupt`` drops unfinished jobs.
    """
    missing = [job for job in jobs if job.identity not in kept.played]
    tasks = sorted(_tasks(missing, processes), key=_cost, reverse=True)

    def keep(task: Sequence[Job], played: Sequence[Played]) -> None:
        for job, one in zip(task, played, strict=True):
            kept.keep(job, one)
            finished(job)

    if processes == 1:
        for task in tasks:
            keep(task, perform_together(task))
        return
    # One thread per process: the arrays are too short for more.
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, context) as pool:
        futures: Mapping[Future[list[Played]], Sequence[Job]] = {
            pool.submit(perform_together, task): task for task in tasks
        }
        try:
            for future in as_completed(futures):
                keep(futures[future], future.result())
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _tasks(jobs: Sequence[Job], processes: int) -> Iterator[Sequence[Job]]:
    """Yield groups of jobs that are played at once, and the other jobs one by one.

    The paper's panels have five such groups, enough for four processes; for more processes the
    groups are split.
    """
    alike: dict[tuple[Arena, str], list[Job]] = {}
    for job in jobs:
        if contestant(job.arena.panel, job.key).together is not None:
            alike.setdefault((job.arena, job.key), []).append(job)
        else:
            yield (job,)
    for them in alike.values():
        parts = min(len(them), max(ceil(len(them) / MOST_TOGETHER), ceil(processes / 4)))
        for part in range(parts):
            yield them[part::parts]


# Approximate microseconds per round, used only to order the jobs.
_SLOW = {
    "versatile-db": 35,
    "wr-tinf": 20,
    "wr-exp3-ix": 12,
    "rucb": 50,
    "rmed1": 80,
    "double-ts": 90,
}


def _cost(task: Sequence[Job]) -> int:
    arena = task[0].arena
    rounds = arena.horizon or arena.size * 100
    # Four seeds played at once cost about as much as one.
    return rounds * _SLOW.get(task[0].key, 1) * (1 + len(task) // 4)
