"""Tsallis-INF's weights, Versatile-DB and WR-TINF: fixed numbers and enumerated expectations.

Broken versions fail on purpose here. PYTEST_DONT_REWRITE: pytest explains, where CI is set, how two
traces of a thousand duels differ, which takes longer than all tests together.
"""

from __future__ import annotations

import itertools
import math
import random
import statistics
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import cast

import numpy as np
import pytest

from comparator_breaking import broken
from tgite import Duel, InvalidInput, SeededEnvironment, SelfPlay, cyclic, play
from tgite.comparators import tsallis_inf, versatile_db, wr_tinf
from tgite.comparators.tsallis_inf import TsallisInf


def weights(module: ModuleType, losses: Sequence[float], eta: float) -> list[float]:
    learner = module.TsallisInf(len(losses))
    learner.losses[:] = losses
    return [float(weight) for weight in learner.weigh(eta)]


FIXED = (
    ((0, 1), 1.0, (0.66458323, 0.33541677)),
    ((0, 1, 3), 0.5, (0.46084014, 0.33681518, 0.20234468)),
    ((0, 0, 0, 10), 2.0, (0.33091418, 0.33091418, 0.33091418, 0.00725746)),
    ((3, 0, 0), math.sqrt(2), (0.07743186, 0.46128407, 0.46128407)),
    ((5, 5, 5, 5), 0.3, (0.25, 0.25, 0.25, 0.25)),
)


def check_fixed_numbers(module: ModuleType) -> None:
    for losses, eta, expected in FIXED:
        assert weights(module, losses, eta) == pytest.approx(expected, abs=2e-8)


def check_minimiser(module: ModuleType) -> None:
    """The weights minimise <p, L> - (4/eta) sum sqrt(p): no neighbour in the simplex is lower."""
    numbers = np.random.default_rng(1)
    cases = [
        (numbers.exponential(20, K), eta)
        for K, eta in itertools.product((2, 3, 8, 50), (0.05, 0.5, 2.0))
    ]
    # From a fresh start the first step would leap over the least loss here.
    cases.append((np.array([0.0] + [28.3] * 200), 2.0))
    for losses, eta in cases:
        K = len(losses)
        p = np.array(weights(module, list(losses), eta))

        def objective(q: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
            return float(q @ losses - 4 / eta * np.sqrt(q).sum())  # noqa: B023

        assert abs(p.sum() - 1) < 1e-9
        for _ in range(20):
            direction = numbers.normal(size=K)
            direction -= direction.mean()
            direction *= 1e-3 * p.min() / np.abs(direction).max()
            assert objective(p) <= objective(p + direction) + 1e-12 * abs(objective(p))


def check_shift_and_order(module: ModuleType) -> None:
    """A constant added to all losses changes nothing; a larger loss has a smaller weight."""
    losses = [0.0, 2.0, 7.0, 7.5]
    p = weights(module, losses, 0.4)
    assert weights(module, [loss + 1000 for loss in losses], 0.4) == pytest.approx(p, abs=1e-9)
    assert p == sorted(p, reverse=True)


def check_many_rounds(module: ModuleType) -> None:
    """Started from the last solution, the weights are those of a fresh start, round by round."""
    learner, numbers = module.TsallisInf(64), random.Random(3)
    for t in range(1, 1500):
        eta = module.learning_rate(2.0, t)
        p = learner.weigh(eta)
        if t % 50 == 0:
            assert list(p) == pytest.approx(weights(module, list(learner.losses), eta), abs=1e-9)
        arm = learner.draw(numbers)
        learner.losses[arm] += numbers.random() / p[arm]


def check_drawing(module: ModuleType) -> None:
    """A uniform number is found in its arm's part of the unit interval, at the ends too."""
    learner = module.TsallisInf(4)
    learner.weights[:] = (0.0, 0.5, 0.0, 0.5)
    np.add.accumulate(learner.weights, out=learner._cumulated)
    numbers = (0.0, 0.25, 0.499, 0.5, 0.999)
    assert [learner.arm_at(number) for number in numbers] == [1, 1, 1, 3, 3]
    assert learner.arm_at(1.0) == 3


P = ((0.5, 0.8, 0.7), (0.2, 0.5, 0.35), (0.3, 0.65, 0.5))


def check_wr_tinf_is_unbiased(module: ModuleType) -> None:
    """The expected increment of each arm is its chance to lose to an opponent drawn from p."""
    learner = TsallisInf(3)
    learner.losses[:] = (0.0, 2.0, 1.0)
    p = learner.weigh(0.7)
    expected = [0.0, 0.0, 0.0]
    for i, j in itertools.product(range(3), repeat=2):
        for i_wins in (None,) if i == j else (True, False):
            chance = 1.0 if i_wins is None else P[i][j] if i_wins else P[j][i]
            arm, increment = module.loss_estimate(p, i, j, i_wins)
            expected[arm] += float(p[i] * p[j]) * chance * increment
    losing = [sum(float(p[j]) * P[j][k] for j in range(3)) for k in range(3)]
    assert expected == pytest.approx(losing, abs=1e-12)


def check_versatile_db_is_unbiased(module: ModuleType) -> None:
    """So it is for each learner of Versatile-DB, against the other one's weights."""
    plus, minus = TsallisInf(3), TsallisInf(3)
    plus.losses[:], minus.losses[:] = (0.0, 2.0, 1.0), (4.0, 0.0, 1.0)
    p, q = plus.weigh(0.7), minus.weigh(0.7)
    of_plus, of_minus = [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]
    for i, j in itertools.product(range(3), repeat=2):
        for i_wins in (None,) if i == j else (True, False):
            chance = 1.0 if i_wins is None else P[i][j] if i_wins else P[j][i]
            loss_of_i, loss_of_j = module.losses(i_wins)
            mass = float(p[i] * q[j]) * chance
            of_plus[i] += mass * loss_of_i / p[i]
            of_minus[j] += mass * loss_of_j / q[j]
    losing = [sum(float(q[j]) * P[j][k] for j in range(3)) for k in range(3)]
    assert of_plus == pytest.approx(losing, abs=1e-12)
    losing = [sum(float(p[i]) * P[i][k] for i in range(3)) for k in range(3)]
    assert of_minus == pytest.approx(losing, abs=1e-12)


class Recorded(random.Random):
    """Gives out the numbers of a list."""

    def __init__(self, numbers: Sequence[float]) -> None:
        super().__init__(0)
        self._left = iter(numbers)

    def random(self) -> float:
        return next(self._left)


def check_trace_of_versatile_db(module: ModuleType) -> None:
    """The first rounds for given draws and outcomes, with both learners recomputed by hand."""
    draws = (0.1, 0.9, 0.1, 0.2, 0.5, 0.05)
    stream = module.versatile_db(3, Recorded(draws))
    assert next(stream) == Duel(0, 2)
    assert stream.send(False) == (
        # Lost by the first place: plus has the loss 3 for arm 0, minus none.
        Duel(pick(weights_at([3, 0, 0], 2), 0.1), 0)
    )
    p, q = weights_at([3, 0, 0], 2), weights_at([0, 0, 0], 2)
    i = pick(p, 0.1)
    plus, minus = [3.0, 0.0, 0.0], [1 / q[0], 0.0, 0.0]
    assert i == 1
    assert stream.send(True) == Duel(
        pick(weights_at(plus, 3), 0.5), pick(weights_at(minus, 3), 0.05)
    )


def weights_at(losses: Sequence[float], t: int) -> list[float]:
    return weights(tsallis_inf, losses, 2 / math.sqrt(t))


def pick(p: Sequence[float], number: float) -> int:
    return next(k for k in range(len(p)) if sum(p[: k + 1]) > number)


def check_trace_of_wr_tinf(module: ModuleType) -> None:
    """The first rounds for given draws: self-play counts, the loser pays."""
    stream = module.wr_tinf(3, Recorded((0.4, 0.5, 0.35, 0.9, 0.6, 0.9)))
    assert next(stream) == SelfPlay(1, 1)
    losses = [0.0, 1.5, 0.0]
    p = weights_at(losses, 2)
    assert stream.send(None) == Duel(pick(p, 0.35), pick(p, 0.9)) == Duel(0, 2)
    losses[2] += 1 / (2 * p[2])
    p = weights_at(losses, 3)
    assert stream.send(True) == Duel(pick(p, 0.6), pick(p, 0.9))


@pytest.mark.parametrize(
    "check",
    [
        check_fixed_numbers,
        check_minimiser,
        check_shift_and_order,
        check_many_rounds,
        check_drawing,
    ],
)
def test_tsallis_inf(check: Callable[[ModuleType], None]) -> None:
    check(tsallis_inf)


@pytest.mark.parametrize("check", [check_wr_tinf_is_unbiased, check_trace_of_wr_tinf])
def test_wr_tinf(check: Callable[[ModuleType], None]) -> None:
    check(wr_tinf)


@pytest.mark.parametrize("check", [check_versatile_db_is_unbiased, check_trace_of_versatile_db])
def test_versatile_db(check: Callable[[ModuleType], None]) -> None:
    check(versatile_db)


@pytest.mark.parametrize(
    ("check", "module", "original", "replaced"),
    [
        (check_fixed_numbers, "tsallis_inf", "2 / eta\n", "1 / eta\n"),
        (check_minimiser, "tsallis_inf", "2 / eta\n", "4 / eta\n"),
        (check_shift_and_order, "tsallis_inf", "subtract(losses, x,", "add(losses, -x * 2,"),
        (check_minimiser, "tsallis_inf", "if step * sqrt(total) < twice:", "if True:"),
        (check_drawing, "tsallis_inf", '"right"', '"left"'),
        (check_drawing, "tsallis_inf", "- 1)\n\n\ndef", ")\n\n\ndef"),
        (check_wr_tinf_is_unbiased, "wr_tinf", "1 / (2 *", "1 / (1 *"),
        (check_wr_tinf_is_unbiased, "wr_tinf", "j if i_wins else i", "i if i_wins else j"),
        (check_trace_of_wr_tinf, "wr_tinf", "+= increment", "-= -increment * (i != j)"),
        (check_trace_of_wr_tinf, "wr_tinf", "learning_rate(c, t)", "learning_rate(c, 1)"),
        (check_versatile_db_is_unbiased, "versatile_db", "1 / 2, 1 / 2", "0.0, 0.0"),
        (check_versatile_db_is_unbiased, "versatile_db", "(0.0, 1.0) if", "(1.0, 0.0) if not"),
        (check_trace_of_versatile_db, "versatile_db", "loss_of_j / q[j]", "loss_of_j / p[j]"),
        (check_trace_of_versatile_db, "versatile_db", "loss_of_i / p[i]", "loss_of_i"),
    ],
)
def test_a_broken_version_is_noticed(
    check: Callable[[ModuleType], None], module: str, original: str, replaced: str
) -> None:
    with pytest.raises((AssertionError, ArithmeticError, InvalidInput)):
        check(broken(module, original, replaced))


def test_wr_tinf_flattens_and_its_strong_regret_does_not() -> None:
    """Weak regret hardly grows from 10 000 to 20 000 rounds, strong regret by hundreds."""
    instance = cyclic(16, "0.30", "0.38")
    weak: dict[int, list[int]] = {10_000: [], 20_000: []}
    strong: dict[int, list[int]] = {10_000: [], 20_000: []}
    for seed, horizon in itertools.product(range(2), weak):
        stream = wr_tinf.wr_tinf(16, random.Random(seed))
        run = play(stream, SeededEnvironment(instance, seed), winner=8, horizon=horizon)
        assert run.weak_regret is not None
        assert run.strong_regret is not None
        weak[horizon].append(run.weak_regret)
        strong[horizon].append(run.strong_regret)
    assert 180 < statistics.fmean(weak[20_000]) < 350
    assert statistics.fmean(weak[20_000]) - statistics.fmean(weak[10_000]) < 15
    assert 150 < statistics.fmean(strong[20_000]) - statistics.fmean(strong[10_000]) < 550


@pytest.mark.parametrize(
    "make",
    [
        lambda: wr_tinf.wr_tinf(1, random.Random(1)),
        lambda: wr_tinf.wr_tinf(4, random.Random(1), 0.0),
        lambda: wr_tinf.wr_tinf(4, cast(random.Random, 7)),
        lambda: versatile_db.versatile_db(1, random.Random(1)),
        lambda: versatile_db.versatile_db(4, random.Random(1), math.nan),
        lambda: TsallisInf(0),
        lambda: TsallisInf(3).weigh(0.0),
    ],
)
def test_bad_parameters(make: Callable[[], object]) -> None:
    with pytest.raises(InvalidInput):
        make()


def test_losses_that_are_not_numbers_are_refused() -> None:
    learner = TsallisInf(2)
    learner.losses[0] = math.nan
    with pytest.raises(ArithmeticError):
        learner.weigh(1.0)
