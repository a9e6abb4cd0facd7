"""Many seeds at once: each row is the run of its seed alone, duel by duel.

PYTEST_DONT_REWRITE: pytest explains, where CI is set, how two long traces differ, which takes
longer than all tests together.
"""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import pytest

from tgite import Arm, Duel, SeededEnvironment, cyclic, play
from tgite_checks.figures import runs
from tgite_checks.figures.contestants import Panel, contestant
from tgite_checks.figures.runs import Job, SavedRuns, perform, perform_together
from tgite_checks.figures.settings import Arena, Data

KEYS = ("wr-tinf", "versatile-db", "wr-exp3-ix")


class Recorded:
    """Every round that is played: the pair and whether its first arm won."""

    def __init__(self) -> None:
        self.trace: list[tuple[Arm, Arm, bool]] = []

    def duels(self, duel: Duel, outcomes: bytes) -> None:
        self.trace += [(duel.first, duel.second, bool(outcome)) for outcome in outcomes]

    def self_play(self, arm: Arm, rounds: int) -> None:
        self.trace += [(arm, arm, False)] * rounds

    def incumbent(self, arm: Arm) -> None:
        raise AssertionError("none of these announces an incumbent")


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(("N", "horizon"), [(2, 300), (6, 400), (64, 200), (256, 50), (4, 1)])
def test_each_row_is_the_run_of_its_seed(key: str, N: int, horizon: int) -> None:
    """The rounds of each seed are those that the player plays of its stream."""
    instance, seeds, one = cyclic(N, "0.3", "0.38"), (0, 3, 4, 11), contestant(Panel.STRONG, key)
    assert one.together is not None
    stream = one.together(N, [random.Random(f"c {seed}") for seed in seeds])
    rounds = runs.play_together(stream, instance, seeds, horizon)
    for column, seed in enumerate(seeds):
        recorded = Recorded()
        alone = one.make(instance, horizon, random.Random(f"c {seed}"))
        play(alone, SeededEnvironment(instance, seed), horizon=horizon, recorder=recorded)
        columns = (part[:, column].tolist() for part in rounds)
        assert list(zip(*columns, strict=True)) == recorded.trace


WEAK = Arena(Data.PAPER, Panel.WEAK, "sparse, N = 16", 16, 900)
STRONG = Arena(Data.PAPER, Panel.STRONG, "cyclic, N = 8", 8, 700)
REAL = Arena(Data.MSLR5, Panel.STRONG, "mslr5", 5, 700)
TWO = Arena(Data.PAPER, Panel.WEAK, "sparse, N = 2", 2, 300)


def jobs_of(arena: Arena, seeds: int) -> list[list[Job]]:
    keys = [key for key in KEYS if arena.panel is Panel.STRONG or key != "versatile-db"]
    return [[Job(arena, key, seed) for seed in range(seeds)] for key in keys]


def test_what_is_played_together_is_what_each_gives() -> None:
    """Also of those that are played one by one."""
    bai = Arena(Data.PAPER, Panel.BAI, "cyclic, N = 8", 8)
    alike = [jobs for arena in (WEAK, STRONG, REAL, TWO) for jobs in jobs_of(arena, 3)]
    single = [
        [Job(arena, key, seed) for seed in (1, 2)]
        for arena, key in ((bai, "bkt"), (STRONG, "ws-s-2"))
    ]
    for jobs in alike + single:
        assert perform_together(jobs) == [perform(job) for job in jobs]


@pytest.mark.parametrize(("seeds", "processes"), [(10, 1), (10, 2), (10, 16), (3, 64), (33, 2)])
def test_tasks_hold_each_job_once_and_share_it_evenly(seeds: int, processes: int) -> None:
    alike = jobs_of(STRONG, seeds) + jobs_of(WEAK, seeds)
    single = [Job(STRONG, "ws-s-2", seed) for seed in range(seeds)]
    jobs = [*itertools.chain(*alike), *single]
    tasks = list(runs._tasks(jobs, processes))
    assert sorted(itertools.chain(*tasks), key=jobs.index) == jobs
    for task in tasks:
        assert len({(job.arena, job.key) for job in task}) == 1
        assert 1 <= len(task) <= runs.MOST_TOGETHER
    for them in alike:
        lengths = [len(task) for task in tasks if task[0] in them]
        assert max(lengths) - min(lengths) <= 1
        if processes <= 4:
            assert len(lengths) == -(-seeds // runs.MOST_TOGETHER)
    assert [task for task in tasks if task[0] in single] == [(job,) for job in single]


@pytest.mark.parametrize("processes", [1, 2])
def test_each_run_is_kept_and_told_and_what_is_kept_is_not_played_again(
    tmp_path: Path, processes: int
) -> None:
    jobs = [*itertools.chain(*jobs_of(STRONG, 5)), Job(STRONG, "ws-s-2", 0)]
    before = [jobs[1], jobs[7]]
    told: list[Job] = []
    with SavedRuns(tmp_path / "runs.jsonl") as kept:
        for job in before:
            kept.keep(job, perform(job))
        runs.perform_all(jobs, kept, processes, told.append)
    assert sorted(told, key=jobs.index) == [job for job in jobs if job not in before]
    assert len((tmp_path / "runs.jsonl").read_text().splitlines()) == len(jobs)
    with SavedRuns(tmp_path / "runs.jsonl") as again:
        assert again.played == {job.identity: perform(job) for job in jobs}
