"""Our reconstruction of WR-EXP3-IX: fixed numbers, a trace, linear strong regret.

Broken versions fail on purpose here. PYTEST_DONT_REWRITE: pytest explains, where CI is set, how two
traces of a thousand duels differ, which takes longer than all tests together.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from types import ModuleType

import pytest

from comparator_breaking import broken
from tgite import Duel, InvalidInput, SeededEnvironment, cyclic, play
from tgite.comparators import wr_exp3_ix


def check_fixed_numbers(module: ModuleType) -> None:
    """With K = 3 opponents: eta = 0.60515 and gamma = 0.30257 at first, increment 1.57256."""
    attacker = module.Attacker(4, 2)
    j = attacker.draw(random.Random(1))
    assert attacker.gamma == pytest.approx(0.30257, abs=1e-5)
    assert list(attacker.probabilities) == pytest.approx([1 / 3, 1 / 3, 0, 1 / 3])
    attacker.told(j, True)
    assert attacker.losses[j] == pytest.approx(1.57256, abs=1e-5)
    attacker.told(j, False)
    assert attacker.losses[j] == pytest.approx(1.57256, abs=1e-5)


def check_second_round(module: ModuleType) -> None:
    """The weights after one loss, by hand: exp(-eta L) with eta = sqrt(log 3/(3*2))."""
    attacker = module.Attacker(4, 0)
    attacker.draw(random.Random(1))
    attacker.told(1, True)
    attacker.draw(random.Random(1))
    weight = math.exp(-math.sqrt(math.log(3) / 6) / (1 / 3 + math.sqrt(math.log(3) / 3) / 2))
    expected = [0, weight / (2 + weight), 1 / (2 + weight), 1 / (2 + weight)]
    assert list(attacker.probabilities) == pytest.approx(expected, abs=1e-12)


def check_never_itself_and_losses_grow(module: ModuleType) -> None:
    choices = random.Random(5)
    attacker = module.Attacker(6, 3)
    before = attacker.losses.copy()
    for n in range(3000):
        j = attacker.draw(choices)
        assert j != 3
        assert attacker.probabilities[3] == 0
        assert attacker.probabilities.sum() == pytest.approx(1)
        attacker.told(j, n % 3 > 0)
        assert (attacker.losses >= before).all()
        before = attacker.losses.copy()


def check_incumbent(module: ModuleType) -> None:
    """The incumbent stays while nobody has a higher score; then the lowest index leads."""
    stream = module.wr_exp3_ix(3, random.Random(2))
    assert next(stream).first == 0
    assert stream.send(True).first == 0  # scores 1, 0, 0
    assert stream.send(False).first == 0  # scores 0, 0, 0: still among the highest
    assert stream.send(False).first == 1  # scores -1, 0, 0
    assert stream.send(False).first == 2  # scores -1, -1, 0
    assert stream.send(False).first == 2  # scores -1, -1, -1: still among the highest
    assert stream.send(False).first == 0  # scores -1, -1, -2: the lowest index leads


def check_strong_regret_is_linear(module: ModuleType) -> None:
    for seed in range(3):
        stream = module.wr_exp3_ix(8, random.Random(seed))
        run = play(stream, SeededEnvironment(cyclic(8, "0.2", "0.4"), seed), 4, horizon=4000)
        assert run.strong_regret == run.rounds == 4000
        # It does find the winner: most rounds have it in one place.
        assert run.weak_regret is not None
        assert run.weak_regret < 1000


def check_two_arms(module: ModuleType) -> None:
    stream = module.wr_exp3_ix(2, random.Random(1))
    assert next(stream) == Duel(0, 1)
    assert stream.send(False) == Duel(1, 0)


CHECKS = (
    check_fixed_numbers,
    check_second_round,
    check_never_itself_and_losses_grow,
    check_incumbent,
    check_strong_regret_is_linear,
    check_two_arms,
)


@pytest.mark.parametrize("check", CHECKS)
def test_wr_exp3_ix(check: Callable[[ModuleType], None]) -> None:
    check(wr_exp3_ix)


@pytest.mark.parametrize(
    ("check", "original", "replaced"),
    [
        (check_fixed_numbers, "self.gamma = eta / 2", "self.gamma = eta"),
        (check_fixed_numbers, "if target_won:", "if not target_won:"),
        (check_second_round, "self._played += 1", "self._played = 1"),
        (check_second_round, "scratch, -eta, scratch", "scratch, eta / 2 - 2 * eta, scratch"),
        (check_never_itself_and_losses_grow, "losses[target] = np.inf", "losses[target] = 9.0"),
        (check_incumbent, "if scores[i] < highest", "if scores[i] <= highest"),
        (check_incumbent, "1 if i_wins else -1", "1 if i_wins else 0"),
        (check_strong_regret_is_linear, "attacker.told(j, i_wins)", "attacker.told(j, not i_wins)"),
        (check_two_arms, "np.isfinite(losses, scratch)", "scratch[:] = 1"),
    ],
)
def test_a_broken_version_is_noticed(
    check: Callable[[ModuleType], None], original: str, replaced: str
) -> None:
    with pytest.raises((AssertionError, InvalidInput)):
        check(broken("wr_exp3_ix", original, replaced))


@pytest.mark.parametrize("N", [1, 0, -3])
def test_bad_parameters(N: int) -> None:
    with pytest.raises(InvalidInput):
        wr_exp3_ix.wr_exp3_ix(N, random.Random(1))
