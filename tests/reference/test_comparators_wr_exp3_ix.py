"""Our reconstruction of WR-EXP3-IX: fixed numbers, a trace, linear strong regret.

``test_comparators_broken.py`` runs the checks, on broken versions too.
"""

from __future__ import annotations

import math
import random
from types import ModuleType

import pytest

from comparator_breaking import Makers, check_runs, noticing
from tgite import Duel, SeededEnvironment, cyclic, play
from tgite.comparators import wr_exp3_ix


@noticing(
    "wr_exp3_ix", ("self.eta[run] / 2)", "self.eta[run])"), ("if target_won:", "if not target_won:")
)
def check_fixed_numbers(module: ModuleType) -> None:
    """With K = 3 opponents eta = 0.60515 at first, and the increment is 1.57256."""
    attackers = module.Attackers(4)
    (j,) = attackers.draw([2], [random.Random(1)])
    assert attackers.eta == pytest.approx([0.60515], abs=1e-5)
    assert attackers.probabilities[0].tolist() == pytest.approx([1 / 3, 1 / 3, 0, 1 / 3])
    for target_won in (True, False):
        attackers.told([2], [j], [target_won])
        assert attackers.losses[0, 2, j] == pytest.approx(1.57256, abs=1e-5)


@noticing(
    "wr_exp3_ix",
    ("[targets[run]] += 1", "[targets[run]] = 1"),
    ("[targets[run]] += 1", "[0] += 1"),
    ("-np.array(self.eta)", "-1.5 * np.array(self.eta)"),
)
def check_second_round(module: ModuleType) -> None:
    """The weights after one loss, by hand: exp(-eta L) with eta = sqrt(log 3/(3*2))."""
    attackers = module.Attackers(4)
    attackers.draw([0], [random.Random(1)])
    attackers.told([0], [1], [True])
    attackers.draw([0], [random.Random(1)])
    weight = math.exp(-math.sqrt(math.log(3) / 6) / (1 / 3 + math.sqrt(math.log(3) / 3) / 2))
    expected = [0, weight / (2 + weight), 1 / (2 + weight), 1 / (2 + weight)]
    assert attackers.probabilities[0].tolist() == pytest.approx(expected, abs=1e-12)
    # The attackers of other arms count their own rounds.
    attackers.draw([3], [random.Random(1)])
    assert attackers.eta == pytest.approx([0.60515], abs=1e-5)


@noticing("wr_exp3_ix", ("range(N)] = np.inf", "range(N)] = 9"))
def check_never_itself_and_losses_grow(module: ModuleType) -> None:
    choices = [random.Random(5)]
    attackers = module.Attackers(6)
    before = attackers.losses.copy()
    for n in range(3000):
        (j,) = attackers.draw([3], choices)
        assert j != 3
        assert attackers.probabilities[0, 3] == 0
        assert attackers.probabilities.sum() == pytest.approx(1)
        attackers.told([3], [j], [n % 3 > 0])
        assert (attackers.losses >= before).all()
        before = attackers.losses.copy()


@noticing(
    "wr_exp3_ix",
    ("if score[i[run]] < highest", "if score[i[run]] <= highest"),
    ("1 if wins else -1", "1 if wins else 0"),
)
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


@noticing("wr_exp3_ix", ("attackers.told(i, j, i_wins)", "attackers.told(i, j, [not i_wins[0]])"))
def check_strong_regret_is_linear(module: ModuleType) -> None:
    for seed in range(3):
        stream = module.wr_exp3_ix(8, random.Random(seed))
        run = play(stream, SeededEnvironment(cyclic(8, "0.2", "0.4"), seed), 4, horizon=4000)
        assert run.strong_regret == run.rounds == 4000
        # It does find the winner: most rounds have it in one place.
        assert run.weak_regret is not None
        assert run.weak_regret < 1000


@noticing("wr_exp3_ix", ("np.isfinite(weights, weights)", "weights[:] = 1"))
def check_two_arms(module: ModuleType) -> None:
    stream = module.wr_exp3_ix(2, random.Random(1))
    assert next(stream) == Duel(0, 1)
    assert stream.send(False) == Duel(1, 0)


@noticing(
    "wr_exp3_ix",
    ("for _ in choices]", "for _ in [0]] * len(choices)"),
    ("np.array(self.eta)[:, None]", "self.eta[0]"),
    ("total = opponents[run], self._cumulated[run, -1]", "total = opponents[run], 1"),
    (
        "total = opponents[run], self._cumulated[run, ",
        "total = opponents[run], self._cumulated[0, ",
    ),
    ("(K * self._played", "(K + K * self._played"),
)
def check_runs_of_wr_exp3_ix(module: ModuleType) -> None:
    check_runs(module.wr_exp3_ix_together, wr_exp3_ix.wr_exp3_ix)


BAD_PARAMETERS: Makers = (
    lambda: wr_exp3_ix.wr_exp3_ix(1, random.Random(1)),
    lambda: wr_exp3_ix.wr_exp3_ix(-3, random.Random(1)),
)
