"""Many seeds at once: each row is the run of its seed alone, duel by duel and bit by bit.

Broken versions fail on purpose here. PYTEST_DONT_REWRITE: pytest explains, where CI is set, how two
long traces differ, which takes longer than all tests together.
"""

from __future__ import annotations

import itertools
import random
import sys
from collections.abc import Callable
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from tgite import Arm, Duel, SeededEnvironment, cyclic, play
from tgite.comparators.tsallis_inf import TsallisInf, learning_rate
from tgite_checks.figures import runs, together, together_tsallis
from tgite_checks.figures.contestants import Panel, contestant
from tgite_checks.figures.runs import (
    MOST_TOGETHER,
    Job,
    Kept,
    perform,
    perform_all,
    perform_together,
)
from tgite_checks.figures.settings import Arena, Data

SEEDS = (0, 3, 4, 11)
KEYS = ("wr-tinf", "versatile-db", "wr-exp3-ix")
Trace = list[tuple[Arm, Arm, bool]]


class Recorded:
    """Every round that is played: the pair and whether its first arm won."""

    def __init__(self) -> None:
        self.trace: Trace = []

    def duels(self, duel: Duel, outcomes: bytes) -> None:
        self.trace += [(duel.first, duel.second, bool(outcome)) for outcome in outcomes]

    def self_play(self, arm: Arm, rounds: int) -> None:
        self.trace += [(arm, arm, False)] * rounds

    def incumbent(self, arm: Arm) -> None:
        raise AssertionError("none of these announces an incumbent")


@lru_cache
def alone(key: str, N: int, horizon: int, seed: int) -> Trace:
    instance, recorded = cyclic(N, "0.3", "0.38"), Recorded()
    stream = contestant(Panel.STRONG, key).make(instance, horizon, random.Random(f"c {seed}"))
    play(stream, SeededEnvironment(instance, seed), horizon=horizon, recorder=recorded)
    return recorded.trace


def check_key(module: ModuleType, key: str, N: int, horizon: int) -> None:
    choices = [random.Random(f"c {seed}") for seed in SEEDS]
    stream = module.TOGETHER[key](N, choices)
    rounds = module.play_rows(stream, cyclic(N, "0.3", "0.38"), SEEDS, horizon)
    for column, seed in enumerate(SEEDS):
        columns = (one[:, column].tolist() for one in (rounds.first, rounds.second, rounds.won))
        assert list(zip(*columns, strict=True)) == alone(key, N, horizon, seed)


def check_wr_tinf(module: ModuleType) -> None:
    check_key(module, "wr-tinf", 6, 400)


def check_versatile_db(module: ModuleType) -> None:
    check_key(module, "versatile-db", 6, 400)


def check_wr_exp3_ix(module: ModuleType) -> None:
    check_key(module, "wr-exp3-ix", 6, 400)


def check_weights(module: ModuleType) -> None:
    """The weights are those of each learner by itself, to the last bit, however the losses grow."""
    K, numbers = 37, random.Random(2)
    rows, learners = module.TsallisRows(K, 5), [TsallisInf(K) for _ in range(5)]
    for t in range(1, 300):
        eta = learning_rate(2.0, t)
        rows.weigh(eta)
        for number, learner in enumerate(learners):
            assert rows.weights[number].tolist() == learner.weigh(eta).tolist()
            # The rows need different numbers of steps: only some have a loss in a round.
            if numbers.random() < 0.6:
                arm, loss = learner.draw(numbers), numbers.random() * 40
                rows.losses[number][arm] += loss
                learner.losses[arm] += loss
        rows.cumulate()


def check_leap(module: ModuleType) -> None:
    """From a fresh start the first step of one row would leap over its least loss."""
    rows, learner = module.TsallisRows(201, 2), TsallisInf(201)
    rows.losses[1][1:] = 28.3
    learner.losses[1:] = 28.3
    rows.weigh(2.0)
    assert rows.weights[0].tolist() == TsallisInf(201).weigh(2.0).tolist()
    assert rows.weights[1].tolist() == learner.weigh(2.0).tolist()


def check_drawing(module: ModuleType) -> None:
    """A number at a border belongs to the next arm that has a weight, and 1 to the last arm."""
    numbers = (0.0, 0.25, 0.499, 0.5, 0.999, 1.0)
    rows = module.TsallisRows(4, len(numbers))
    for weights in rows.weights:
        weights[:] = (0.0, 0.5, 0.0, 0.5)
    rows.cumulate()
    assert rows.arms_at(list(numbers)) == [1, 1, 1, 3, 3, 3]


@pytest.mark.parametrize("check", [check_wr_tinf, check_versatile_db, check_wr_exp3_ix])
def test_each_row_is_the_run_of_its_seed(check: Callable[[ModuleType], None]) -> None:
    check(together)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(("N", "horizon"), [(2, 300), (64, 500), (256, 100), (4, 1)])
def test_other_sizes(key: str, N: int, horizon: int) -> None:
    check_key(together, key, N, horizon)


@pytest.mark.parametrize("check", [check_weights, check_leap, check_drawing])
def test_rows_of_learners(check: Callable[[ModuleType], None]) -> None:
    check(together_tsallis)


def broken(module: str, original: str, replaced: str, times: int = 1) -> ModuleType:
    """Execute a module's source anew with one change; the text must stand there so many times."""
    spec = find_spec(f"tgite_checks.figures.{module}")
    assert spec is not None
    assert spec.origin is not None
    source = Path(spec.origin).read_text(encoding="utf-8")
    assert source.count(original) == times, original
    fresh = ModuleType(f"broken_{module}_{abs(hash((original, replaced)))}")
    sys.modules[fresh.__name__] = fresh
    exec(compile(source.replace(original, replaced), spec.origin, "exec"), fresh.__dict__)
    return fresh


@pytest.mark.parametrize(
    ("check", "module", "original", "replaced", "times"),
    [
        (check_wr_tinf, "together", "firsts, seconds = (l", "seconds, firsts = (l", 1),
        (check_wr_tinf, "together", "learning_rate(c, t)", "learning_rate(c, t + 1)", 2),
        (check_versatile_db, "together", "learning_rate(c, t)", "learning_rate(c, t + 1)", 2),
        (check_versatile_db, "together", "in choices] * 2", "in choices for _ in range(2)]", 1),
        (check_versatile_db, "together", "chain((of_i for of_i, _", "chain((of_i for _, of_i", 1),
        (check_wr_tinf, "together", "None if i == j", "None if i == j and draw() < 2", 1),
        (check_versatile_db, "together", "None if i == j", "None if i == j and draw() < 2", 1),
        (check_wr_tinf, "together", "chances[i][j] > draw()", "chances[j][i] > draw()", 1),
        (check_wr_tinf, "together", "random.Random(seed)", "random.Random(seed + 1)", 1),
        (check_wr_exp3_ix, "together", "K * played[a", "K + K * played[a", 1),
        (check_wr_exp3_ix, "together", "score[i] < score", "score[i] <= score", 1),
        (check_wr_exp3_ix, "together", "if i_wins:", "if not i_wins:", 1),
        (check_wr_exp3_ix, "together", "etas[row] / 2)", "etas[row])", 1),
        (check_weights, "together_tsallis", "for row in going:", "for row in every:", 1),
        (check_weights, "together_tsallis", "x[row] += step", "x[row] += step / 2", 1),
        (check_leap, "together_tsallis", "min()) - twice", "min()) - 1.5 * twice", 1),
        (check_leap, "together_tsallis", "losses[row].min()", "losses[0].min() - 1", 1),
        (check_drawing, "together_tsallis", "np.greater(", "np.greater_equal(", 1),
        (check_drawing, "together_tsallis", "self._cumulated[:, -1] = np.inf", "pass", 1),
    ],
)
def test_a_broken_version_is_noticed(
    check: Callable[[ModuleType], None], module: str, original: str, replaced: str, times: int
) -> None:
    with pytest.raises((AssertionError, ArithmeticError, LookupError)):
        check(broken(module, original, replaced, times))


def test_losses_that_are_not_numbers_are_refused() -> None:
    rows = together_tsallis.TsallisRows(2, 3)
    rows.losses[1][0] = np.nan
    with pytest.raises(ArithmeticError):
        rows.weigh(1.0)


WEAK = Arena(Data.PAPER, Panel.WEAK, "sparse, N = 16", 16, 900)
STRONG = Arena(Data.PAPER, Panel.STRONG, "cyclic, N = 8", 8, 700)
REAL = Arena(Data.MSLR5, Panel.STRONG, "mslr5", 5, 700)
TWO = Arena(Data.PAPER, Panel.WEAK, "sparse, N = 2", 2, 300)
ARENAS = (WEAK, STRONG, REAL, TWO)


def jobs_of(arena: Arena, seeds: int) -> list[list[Job]]:
    keys = [key for key in KEYS if arena.panel is Panel.STRONG or key != "versatile-db"]
    return [[Job(arena, key, seed) for seed in range(seeds)] for key in keys]


@pytest.mark.parametrize("arena", ARENAS)
def test_what_is_played_together_is_what_each_gives(arena: Arena) -> None:
    for jobs in jobs_of(arena, 3):
        assert perform_together(jobs) == [perform(job) for job in jobs]


def test_others_are_played_one_by_one() -> None:
    bai = Arena(Data.PAPER, Panel.BAI, "cyclic, N = 8", 8)
    for arena, key in ((bai, "bkt"), (STRONG, "ws-s-2")):
        jobs = [Job(arena, key, seed) for seed in (1, 2)]
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
        assert 1 <= len(task) <= MOST_TOGETHER
    for them in alike:
        lengths = [len(task) for task in tasks if task[0] in them]
        assert max(lengths) - min(lengths) <= 1
        if processes <= 4:
            assert len(lengths) == -(-seeds // MOST_TOGETHER)
    assert [task for task in tasks if task[0] in single] == [(job,) for job in single]


@pytest.mark.parametrize("processes", [1, 2])
def test_each_run_is_kept_and_told_and_what_is_kept_is_not_played_again(
    tmp_path: Path, processes: int
) -> None:
    jobs = [*itertools.chain(*jobs_of(STRONG, 5)), Job(STRONG, "ws-s-2", 0)]
    before = [jobs[1], jobs[7]]
    told: list[Job] = []
    with Kept(tmp_path / "runs.jsonl") as kept:
        for job in before:
            kept.keep(job, perform(job))
        perform_all(jobs, kept, processes, told.append)
    assert sorted(told, key=jobs.index) == [job for job in jobs if job not in before]
    assert len((tmp_path / "runs.jsonl").read_text().splitlines()) == len(jobs)
    with Kept(tmp_path / "runs.jsonl") as again:
        assert again.played == {job.identity: perform(job) for job in jobs}
