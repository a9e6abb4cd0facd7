"""WS-W and WS-S against the argmax form, the exact chain of three arms, and rigged outcomes.

``test_comparators_broken.py`` runs the checks, on broken versions too.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Generator, Sequence
from fractions import Fraction
from types import ModuleType
from typing import cast

import pytest

from comparator_breaking import Makers, noticing
from tgite import CallbackEnvironment, Duel, SeededEnvironment, SelfPlay, cyclic, play
from tgite.comparators import winner_stays
from tgite.comparators.ties import Ties, chosen, lowest_index, uniformly


def argmax_form(N: int, ties: Ties) -> Generator[tuple[int, int], bool, None]:
    """WS-W by its definition: the two highest scores, the last pair's arms preferred."""
    scores, last = [0] * N, (-1, -1)
    while True:
        i = best(scores, range(N), last, ties)
        j = best(scores, [arm for arm in range(N) if arm != i], last, ties)
        first_wins = yield i, j
        scores[i] += 1 if first_wins else -1
        scores[j] -= 1 if first_wins else -1
        last = (i, j)


def best(scores: list[int], arms: Sequence[int], last: tuple[int, int], ties: Ties) -> int:
    highest = max(scores[arm] for arm in arms)
    tied = [arm for arm in arms if scores[arm] == highest]
    preferred = [arm for arm in last if arm in tied]
    return preferred[0] if preferred else chosen(tied, ties)


@noticing(
    "winner_stays",
    ("if scores[second] > scores[first]", "if False"),
    ("incumbent, challenger = self._last", "challenger, incumbent = self._last"),
)
def check_equals_argmax_form(module: ModuleType) -> None:
    """The same pairs in the same order, for both tie policies."""
    for N, seed, at_random in itertools.product((2, 3, 5, 16), (1, 2), (False, True)):
        instance = cyclic(N if N % 2 == 0 else N + 1, "0.1", "0.2")
        outcomes = random.Random(seed)
        policies: list[Ties] = [
            uniformly(random.Random(seed)) if at_random else lowest_index for _ in range(2)
        ]
        stream, literal = module.ws_w(N, policies[0]), argmax_form(N, policies[1])
        duel, pair = next(stream), next(literal)
        for t in range(3000):
            assert (duel.first, duel.second) == pair, (N, seed, at_random, t)
            outcome = outcomes.random() < instance.probability(*pair)
            duel, pair = stream.send(outcome), literal.send(outcome)


def chain_regret(p_win: float, p_other: float, winner: int) -> float:
    """Expected total weak regret of WS-W with three arms and ties by lowest index, by its chain.

    Iteration k of round l is a gambler's ruin: the incumbent is out after a net loss of
    3(l-1) + k, the challenger after a net loss of one. Arms other than the winner: the one with the
    lower index beats the other with ``p_other``.
    """
    others = [arm for arm in range(3) if arm != winner]

    def p(i: int, j: int) -> float:
        if i == winner:
            return p_win
        if j == winner:
            return 1 - p_win
        return p_other if i == others[0] else 1 - p_other

    def iteration(number: int, k: int, i: int, j: int) -> tuple[float, float]:
        a, r = 3 * (number - 1) + k, (1 - p(i, j)) / p(i, j)
        stays = (1 - r**a) / (1 - r ** (a + 1))
        length = ((a + 1) * stays - a) / (2 * p(i, j) - 1)
        return stays, length

    regret, law = 0.0, {(0, 1): 1.0}
    for number in range(1, 60):
        after: dict[tuple[int, int], float] = {}
        for (z, y), mass in law.items():
            waiting = 3 - z - y
            stays, length = iteration(number, 1, z, y)
            regret += mass * length * (winner == waiting)
            for kept, out, part in ((z, y, stays), (y, z, 1 - stays)):
                again, length = iteration(number, 2, kept, waiting)
                regret += mass * part * length * (winner == out)
                for pair, share in (((kept, waiting), again), ((waiting, kept), 1 - again)):
                    after[pair] = after.get(pair, 0.0) + mass * part * share
        law = after
    return regret


def enumerated_regret(module: ModuleType, p_win: float, winner: int, depth: int) -> float:
    """Expected weak regret of ``depth`` rounds, over all that the stream may be told."""
    others = [arm for arm in range(3) if arm != winner]
    regret = 0.0
    for outcomes in itertools.product((True, False), repeat=depth):
        stream, weight, cost = module.ws_w(3), 1.0, 0
        duel = next(stream)
        for outcome in outcomes:
            i, j = duel.first, duel.second
            if winner in (i, j):
                first = p_win if i == winner else 1 - p_win
            else:
                first = 0.8 if i == others[0] else 0.2
                cost += 1
            weight *= first if outcome else 1 - first
            duel = stream.send(outcome)
        regret += weight * cost
    return regret


@noticing(
    "winner_stays",
    ("incumbent = first\n", "incumbent = second\n"),
    ("scores[second] > -round_number", "scores[second] >= -round_number"),
)
def check_three_arms(module: ModuleType) -> None:
    """Simulated and enumerated regret of three arms lie where the exact chain puts them."""
    assert chain_regret(0.7, 0.8, 0) == pytest.approx(1.6773, abs=5e-5)
    assert chain_regret(0.7, 0.8, 1) == pytest.approx(1.6773, abs=5e-5)
    for winner in (0, 1, 2):
        # At a gap of 0.45 nearly all regret falls within 12 rounds.
        assert enumerated_regret(module, 0.95, winner, 12) == pytest.approx(
            chain_regret(0.95, 0.8, winner), abs=2e-3
        )


@noticing(
    "winner_stays",
    ("scores[second] -= change", "scores[second] -= 1"),
    ("scores[second] > -round_number", "scores[second] > -1"),
)
def check_invariants(module: ModuleType) -> None:
    """At the end of round l the winner has (N-1) l wins more than losses and the others -l."""
    for N, seed in ((2, 1), (6, 2), (9, 3)):
        outcomes = random.Random(seed)
        rounds = module._Rounds(N, lowest_index)
        for number in range(1, 5):
            stream = rounds.play(number)
            try:
                duel = next(stream)
                while True:
                    assert duel.first != duel.second
                    assert sum(rounds._scores) == 0
                    duel = stream.send(
                        outcomes.random() < (0.7 if duel.first < duel.second else 0.3)
                    )
            except StopIteration as stop:
                expected = [-number] * N
                expected[stop.value] = (N - 1) * number
                assert rounds._scores == expected


@noticing("winner_stays", ("floor(beta**round_number)", "floor(beta) ** round_number"))
def check_exact_trace_of_strong(module: ModuleType) -> None:
    """Where the lower number always wins, every round is known: N - 1 duels of the winner."""
    stream = module.ws_s(4, Fraction(3, 2))
    question, asked = next(stream), []
    for _ in range(15):
        asked.append(question)
        if isinstance(question, SelfPlay):
            question = stream.send(None)
        else:
            question = stream.send(question.first < question.second)
    duels = [Duel(0, 1), Duel(0, 2), Duel(0, 3)]
    second = [Duel(0, 3), Duel(0, 1), Duel(0, 2)]
    third = [Duel(0, 2), Duel(0, 1), Duel(0, 3)]
    expected = [*duels, SelfPlay(0, 1), *second, SelfPlay(0, 2), *third, SelfPlay(0, 3)]
    assert asked[:12] == expected


@noticing("winner_stays", ("return incumbent", "return challenger"))
def check_winner_of_a_round(module: ModuleType) -> None:
    """P(the winner of round l is not the best) <= ((1-p)/p)**l, with a false alarm below 1e-9."""
    runs, p, wrong = 400, 0.75, [0, 0, 0]
    for seed in range(runs):
        outcomes = random.Random(seed)
        rounds = module._Rounds(6, lowest_index)
        for number in (1, 2, 3):
            stream = rounds.play(number)
            try:
                duel = next(stream)
                while True:
                    duel = stream.send(
                        outcomes.random() < (p if duel.first < duel.second else 1 - p)
                    )
            except StopIteration as stop:
                wrong[number - 1] += stop.value != 0
    for number in (1, 2, 3):
        bound = ((1 - p) / p) ** number
        # Hoeffding: exceeding the bound by this much has a probability below 1e-9.
        assert wrong[number - 1] / runs <= bound + 0.161
    assert wrong[0] > wrong[2]


def test_two_arms_cost_nothing() -> None:
    instance = cyclic(2, "0.2", "0.2")
    run = play(winner_stays.ws_w(2), SeededEnvironment(instance, 1), winner=1, horizon=500)
    assert run.weak_regret == 0
    assert run.rounds == 500


def test_horizon_is_exact_within_self_play() -> None:
    run = play(
        winner_stays.ws_s(3, Fraction(2)), CallbackEnvironment(lambda u, v: u < v), 0, horizon=11
    )
    assert (run.rounds, run.comparisons, run.strong_regret) == (11, 5, 5)


BAD_PARAMETERS: Makers = (
    lambda: winner_stays.ws_w(1),
    lambda: winner_stays.ws_w(cast(int, 2.0)),
    lambda: winner_stays.ws_s(3, Fraction(1)),
    lambda: winner_stays.ws_s(3, cast(Fraction, 1.1)),
    lambda: winner_stays.ws_s(0, Fraction(2)),
)
