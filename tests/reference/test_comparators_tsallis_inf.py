"""Tsallis-INF's weights, Versatile-DB and WR-TINF: fixed numbers and enumerated expectations.

``test_comparators_broken.py`` runs the checks, on broken versions too.
"""

from __future__ import annotations

import itertools
import math
import random
import statistics
from collections.abc import Sequence
from types import ModuleType
from typing import cast

import numpy as np
import pytest

from comparator_breaking import Makers, check_runs, noticing
from tgite import Duel, SeededEnvironment, SelfPlay, cyclic, play
from tgite.comparators import tsallis_inf, versatile_db, wr_tinf
from tgite.comparators.together import Together
from tgite.comparators.tsallis_inf import TsallisInf


def weights(module: ModuleType, losses: Sequence[float], eta: float) -> list[float]:
    learner = module.TsallisInf(len(losses))
    learner.losses[0] = losses
    return [float(weight) for weight in learner.weigh(eta)[0]]


FIXED = (
    ((0, 1), 1.0, (0.66458323, 0.33541677)),
    ((0, 1, 3), 0.5, (0.46084014, 0.33681518, 0.20234468)),
    ((0, 0, 0, 10), 2.0, (0.33091418, 0.33091418, 0.33091418, 0.00725746)),
    ((3, 0, 0), math.sqrt(2), (0.07743186, 0.46128407, 0.46128407)),
    ((5, 5, 5, 5), 0.3, (0.25, 0.25, 0.25, 0.25)),
)


@noticing("tsallis_inf", ("2 / eta\n", "1 / eta\n"))
def check_fixed_numbers(module: ModuleType) -> None:
    for losses, eta, expected in FIXED:
        assert weights(module, losses, eta) == pytest.approx(expected, abs=2e-8)


@noticing("tsallis_inf", ("2 / eta\n", "4 / eta\n"), ("min(step, 0.9 * twice / root)", "step"))
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


@noticing(
    "tsallis_inf", ("subtract(self.losses, np.array(x)[", "add(self.losses, -2 * np.array(x)[")
)
def check_shift_and_order(module: ModuleType) -> None:
    """A constant added to all losses changes nothing; a larger loss has a smaller weight."""
    losses = [0.0, 2.0, 7.0, 7.5]
    p = weights(module, losses, 0.4)
    assert weights(module, [loss + 1000 for loss in losses], 0.4) == pytest.approx(p, abs=1e-9)
    assert p == sorted(p, reverse=True)


@noticing("tsallis_inf", ("totals[run] * (1 - root)", "totals[run] * (root - 1)"))
def check_many_rounds(module: ModuleType) -> None:
    """Started from the last solution, the weights are those of a fresh start, round by round."""
    learner, numbers = module.TsallisInf(64), random.Random(3)
    for t in range(1, 1500):
        eta = module.learning_rate(2.0, t)
        (p,) = learner.weigh(eta)
        if t % 50 == 0:
            assert list(p) == pytest.approx(weights(module, list(learner.losses[0]), eta), abs=1e-9)
        (arm,) = learner.draw([numbers])
        learner.losses[0, arm] += numbers.random() / p[arm]


@noticing(
    "tsallis_inf",
    ("for run in going:", "for run in range(len(x)):"),
    ("/= total[:, None]", "/= total[0]"),
    ("array(x)[:, None]", "array(x)[0]"),
)
def check_rows(module: ModuleType) -> None:
    """Each row has the weights of a learner by itself, to the last bit, as its losses grow."""
    K, runs, numbers = 37, 5, random.Random(2)
    rows, learners = module.TsallisInf(K, runs), [module.TsallisInf(K) for _ in range(runs)]
    for t in range(1, 300):
        eta = module.learning_rate(2.0, t)
        p = rows.weigh(eta)
        for run, learner in enumerate(learners):
            assert p[run].tolist() == learner.weigh(eta)[0].tolist()
            # The rows need different numbers of steps: only some have a loss in a round.
            if numbers.random() < 0.6:
                arm, loss = numbers.randrange(K), numbers.random() * 40
                rows.losses[run, arm] += loss
                learner.losses[0, arm] += loss


@noticing(
    "tsallis_inf",
    ("self._cumulated[:, -1] = np.inf", "pass"),
    (
        "self.draw(choices), self.arms_at(uniform_numbers(choices))",
        "(self.draw(choices), self.arms_at(uniform_numbers(choices)))[::-1]",
    ),
)
def check_drawing(module: ModuleType) -> None:
    """A uniform number is found in its arm's part of the unit interval, at the ends too."""
    numbers = (0.0, 0.25, 0.499, 0.5, 0.999, 1.0)
    learner = module.TsallisInf(4, len(numbers))
    learner.weights[:] = (0.0, 0.5, 0.0, 0.5)
    assert learner.draw([Recorded([number]) for number in numbers]) == [1, 1, 1, 3, 3, 3]
    assert module.TsallisInf(2).draw_two([Recorded([0.1, 0.6])]) == ([0], [1])


P = ((0.5, 0.8, 0.7), (0.2, 0.5, 0.35), (0.3, 0.65, 0.5))
ALL_PAIRS = [
    (i, j, i_wins, 1.0 if i_wins is None else P[i][j] if i_wins else P[j][i])
    for i, j in itertools.product(range(3), repeat=2)
    for i_wins in ((None,) if i == j else (True, False))
]
"""All that may happen in a round of three arms, with its probability given the pair."""


@noticing("wr_tinf", ("1 / (2 *", "1 / (1 *"), ("j if i_wins else i", "i if i_wins else j"))
def check_wr_tinf_is_unbiased(module: ModuleType) -> None:
    """The expected increment of each arm is its chance to lose to an opponent drawn from p."""
    p, expected = np.array(weights(tsallis_inf, (0.0, 2.0, 1.0), 0.7)), np.zeros(3)
    for i, j, i_wins, chance in ALL_PAIRS:
        arm, increment = module.loss_estimate(p, i, j, i_wins)
        expected[arm] += p[i] * p[j] * chance * increment
    assert expected == pytest.approx(p @ np.array(P), abs=1e-12)


@noticing("versatile_db", ("1 / 2, 1 / 2", "0.0, 0.0"), ("(0.0, 1.0) if", "(1.0, 0.0) if not"))
def check_versatile_db_is_unbiased(module: ModuleType) -> None:
    """So it is for each learner of Versatile-DB, against the other one's weights."""
    p = np.array(weights(tsallis_inf, (0.0, 2.0, 1.0), 0.7))
    q = np.array(weights(tsallis_inf, (4.0, 0.0, 1.0), 0.7))
    of_plus, of_minus = np.zeros(3), np.zeros(3)
    for i, j, i_wins, chance in ALL_PAIRS:
        loss_of_i, loss_of_j = module.losses(i_wins)
        of_plus[i] += q[j] * chance * loss_of_i
        of_minus[j] += p[i] * chance * loss_of_j
    assert of_plus == pytest.approx(q @ np.array(P), abs=1e-12)
    assert of_minus == pytest.approx(p @ np.array(P), abs=1e-12)


class Recorded(random.Random):
    """Gives out the numbers of a list."""

    def __init__(self, numbers: Sequence[float]) -> None:
        super().__init__(0)
        self._left = iter(numbers)

    def random(self) -> float:
        return next(self._left)


@noticing("together", ("(cumulated > numbers", "(cumulated >= numbers"))
def check_first_above(module: ModuleType) -> None:
    cumulated = np.array([[1.0, 1.0, 3.0], [0.0, 2.0, 2.0]])
    for numbers, places in (((0, 0), [0, 1]), ((1, 1), [2, 1]), ((2.9, 1.9), [2, 1])):
        assert module.first_above(cumulated, np.array(numbers)) == places


@noticing(
    "together", ("send((i_wins,))", "send((not i_wins,))"), ("one_round(i, j)", "one_round(j, i)")
)
def check_alone(module: ModuleType) -> None:
    """A single run asks what its row asks, and its row is told what it is told."""
    told: list[Sequence[bool | None]] = []

    def together() -> Together:
        for i, j in ((0, 1), (2, 2), (1, 0)):
            told.append((yield [i], [j]))
        raise AssertionError("nothing more was asked")

    stream = module.alone(together())
    asked = [next(stream), stream.send(True), stream.send(None)]
    assert asked == [Duel(0, 1), SelfPlay(2, 1), Duel(1, 0)]
    with pytest.raises(AssertionError):
        stream.send(False)
    assert told == [(True,), (None,), (False,)]


@noticing(
    "versatile_db",
    (
        "arm, loss in zip(learners.losses, weights,",
        "arm, loss in zip(learners.losses, weights[::-1],",
    ),
    ("loss / p[arm]", "loss"),
    ("of_i + of_j", "of_j + of_i"),
    ("arms[:runs], arms[runs:]", "arms[runs:], arms[:runs]"),
)
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


@noticing(
    "wr_tinf",
    ("+= increment", "+= increment * (of_run[-1] is not None)"),
    ("learning_rate(c, t)", "learning_rate(c, 1)"),
)
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


@noticing(
    "wr_tinf",
    ("zip(learner.losses, p,", "zip(learner.losses, p[::-1],"),
    ("zip(learner.losses, p,", "zip(learner.losses[::-1], p,"),
    ("i, j = learner", "j, i = learner"),
)
def check_runs_of_wr_tinf(module: ModuleType) -> None:
    check_runs(module.wr_tinf_together, wr_tinf.wr_tinf)


@noticing(
    "versatile_db",
    ("[*choices, *choices]", "[one for one in choices for _ in range(2)]"),
    ("loss / p[arm]", "loss / weights[0, arm]"),
    ("learning_rate(c, t)", "learning_rate(c, t + 1)"),
)
def check_runs_of_versatile_db(module: ModuleType) -> None:
    check_runs(module.versatile_db_together, versatile_db.versatile_db)


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


BAD_PARAMETERS: Makers = (
    lambda: wr_tinf.wr_tinf(1, random.Random(1)),
    lambda: wr_tinf.wr_tinf(4, random.Random(1), 0.0),
    lambda: wr_tinf.wr_tinf(4, cast(random.Random, 7)),
    lambda: versatile_db.versatile_db(1, random.Random(1)),
    lambda: versatile_db.versatile_db(4, random.Random(1), math.nan),
    lambda: TsallisInf(0),
    lambda: TsallisInf(3, 0),
    lambda: TsallisInf(3).weigh(0.0),
)


def test_losses_that_are_not_numbers_are_refused() -> None:
    learner = TsallisInf(2, 3)
    learner.losses[1, 0] = math.nan
    with pytest.raises(ArithmeticError):
        learner.weigh(1.0)
