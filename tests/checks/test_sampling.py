"""The sampling checks: their error rates, their power, and what they reject."""

from __future__ import annotations

import io
import random
from collections.abc import Callable
from math import exp
from pathlib import Path

import numpy as np
import pytest

from tgite_checks.audit.executors import workers
from tgite_checks.audit.report.progress import Observer
from tgite_checks.audit.runner import Audit
from tgite_checks.audit.store import FileStore
from tgite_checks.audit.tasks import Aim, Task, tasks_of
from tgite_checks.check import Check, Depth
from tgite_checks.claims.registry import LEDGER, ledger
from tgite_checks.false_alarms import BUDGET, SEED, SHARES, alpha_of, sampling_from
from tgite_checks.fidelity import sampling
from tgite_checks.fidelity.sampling import Distribution, agreement, power, tolerance
from tgite_checks.mutation import mutated
from tgite_laws.budgeted_duel_test import BudgetedDuelTestLaws
from tgite_laws.implementation import REFERENCE, Implementation
from tgite_laws.tournaments import bkt_law


def test_the_shares_stay_within_the_budget_and_are_the_ones_drawn() -> None:
    assert sum(SHARES.values()) <= BUDGET == 1e-6
    checks = ledger().checks.values()
    statistical = {one.name: one.statistics.alpha for one in checks if one.statistics is not None}
    assert sum(statistical.values()) <= BUDGET
    for name, alpha in SHARES.items():
        assert statistical[name] == alpha
    with pytest.raises(ValueError, match="no share"):
        alpha_of("another")


def test_another_seed_draws_other_samples_and_is_run_anew(tmp_path: Path) -> None:
    values, reused = [], []
    for seed in (SEED, 7, 7, SEED):
        (task,) = (one for one in tasks_of(ledger(), False, seed) if one.name == "dueltest-sampled")
        silent = Observer(io.StringIO())
        audit = Audit(ledger(), LEDGER, Depth.QUICK, FileStore(tmp_path), workers(1), silent)
        finished = audit.run([task])[Task(Aim.CHECK, task.name)]
        assert finished.result is not None
        assert finished.holds()
        values.append(finished.result.numbers[0].value)
        reused.append(finished.reused)
    assert values[0] == values[3] != values[1] == values[2]
    assert reused == [False, False, True, False]


def test_a_counterexample_names_its_seed() -> None:
    with sampling_from(7):
        result = agreement([1] * 100, Distribution.of(np.arange(2), np.ones(2) / 2, 0.0), 1e-7)
    assert result.counterexample.startswith("seed 7: ")


def laws_of(code: Implementation) -> BudgetedDuelTestLaws:
    return BudgetedDuelTestLaws(code, sampling.KNOWN_GAP)


@pytest.mark.parametrize(
    ("check", "samples", "law"),
    [
        (sampling.duel_test, 4000, sampling.duel_test_law),
        (sampling.budgeted, 8000, lambda code: sampling.budgeted_law(laws_of(code))),
        (sampling.tree_ascent, 1500, lambda code: sampling.total_duels(code, 1)),
    ],
)
def test_the_stated_power_is_had_against_the_named_alternative(
    check: Check, samples: int, law: Callable[[Implementation], Distribution]
) -> None:
    assert check.statistics is not None
    alternative = mutated(ledger().mutants[check.statistics.alternative])
    distance = law(REFERENCE).distance(law(alternative))
    assert power(samples, check.statistics.alpha, distance) >= check.statistics.power


def test_the_power_against_a_lost_bye_follows_from_the_survivors_law() -> None:
    # The mutant's bracket loses an arm, so that its law is not a bracket's: its survivor is one
    # of the first four, who is the fifth with probability zero.
    check = sampling.bkt
    assert check.statistics is not None
    laws, level = laws_of(REFERENCE), sampling.HALF_LEVEL
    law = bkt_law(REFERENCE.bkt, range(5), level, sampling.FIVE, laws)
    distance = law.survives[4].probability.low
    assert power(4000, check.statistics.alpha, distance) >= check.statistics.power


def test_tolerance_and_power_are_the_inequalitys() -> None:
    e = tolerance(1000, 1e-7)
    assert 2 * exp(-2 * 1000 * e * e) == pytest.approx(1e-7)
    assert power(1000, 1e-7, e) == 0.0
    assert power(1000, 1e-7, 2 * e) == pytest.approx(1 - 1e-7)


def test_samples_of_the_exact_law_agree_and_others_do_not() -> None:
    exact = Distribution.of(np.array([3, 1, 2, 1]), np.array([0.5, 0.1, 0.3, 0.1]), 0.0)
    assert exact.values.tolist() == [1, 2, 3]
    assert exact.masses.tolist() == pytest.approx([0.2, 0.3, 0.5])
    generator = random.Random(1)
    drawn = generator.choices([1, 2, 3], [0.2, 0.3, 0.5], k=5000)
    assert agreement(drawn, exact, 1e-7).passed
    shifted = generator.choices([1, 2, 3], [0.3, 0.3, 0.4], k=5000)
    assert not agreement(shifted, exact, 1e-7).passed
    assert not agreement([], exact, 1e-7).holds()
