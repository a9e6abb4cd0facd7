"""The comparators: their recorded runs, wrong versions that these show, and independent checks.

The recorded runs show any change; that they are right is for the checks, which compute by other
means. PYTEST_DONT_REWRITE: pytest explains, where CI is set, how two long traces differ, which
takes longer than all tests together.
"""

from __future__ import annotations

import itertools
import math
import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import partial
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import TypeAlias, cast

import numpy as np
import pytest
from comparators import NAMES, ROWS, TENTH, made_anew, recorded

from golden import same_as
from tgite import (
    CallbackEnvironment,
    Confidence,
    Duel,
    InvalidInput,
    Match,
    Outcome,
    SeededEnvironment,
    SelfPlay,
    Stream,
    cyclic,
    drive,
    match,
    play,
)
from tgite.comparators import tsallis_inf, versatile_db, wr_exp3_ix, wr_tinf
from tgite.comparators.several_runs import Together
from tgite.comparators.ties import Ties, chosen, lowest_index, uniformly
from tgite.comparators.tsallis_inf import TsallisInf
from tgite.comparators.winner_stays import ws_w

Question: TypeAlias = Duel | SelfPlay
Rounds: TypeAlias = Stream[Question, Outcome | None, object] | Stream[Duel, Outcome, object]
Coin: TypeAlias = Callable[[int, int], bool]
GOLDEN = Path(__file__).with_name("comparators.txt")
CHECKS: dict[str, tuple[str, Callable[[ModuleType], None]]] = {}


def checking(module: str) -> Callable[[Callable[[ModuleType], None]], Callable[[ModuleType], None]]:
    """Let a check be run on that module of the comparators."""

    def noted(check: Callable[[ModuleType], None]) -> Callable[[ModuleType], None]:
        CHECKS[check.__name__] = module, check
        return check

    return noted


def test_every_comparator_plays_as_it_is_recorded() -> None:
    with made_anew() as modules:
        same_as(GOLDEN, "".join(f"{line}\n" for line in recorded(modules)))


@pytest.mark.parametrize("row", ROWS["broken"], ids=lambda row: f"{row['module']}: {row['new']}")
def test_a_wrong_version_is_shown(row: dict[str, str]) -> None:
    names = row.get("shown_by", row["module"])
    with made_anew(row["module"], row["old"], row["new"]) as modules:
        if names in CHECKS:
            module, check = CHECKS[names]
            with pytest.raises((AssertionError, ArithmeticError, InvalidInput)):
                check(vars(modules)[module])
            return
        expected = [one for one in GOLDEN.read_text("utf-8").splitlines() if one.startswith(names)]
        with suppress(ArithmeticError, InvalidInput, RuntimeWarning):
            found = recorded(modules, names)
            assert any(one != other for one, other in zip(found, expected, strict=True))


def matches(stream: Stream[Match, int, int], best: int) -> list[Match]:
    """The matches that a stream plays when ``best`` always wins, else the lower number."""
    asked: list[Match] = []

    def answer(question: Match) -> int:
        asked.append(question)
        pair = (question.first, question.second)
        return best if best in pair else min(pair)

    assert drive(stream, answer) == best
    return asked


def coin(seed: int, p: Fraction | float = 0.8) -> Coin:
    """Return outcomes: the lower number wins with probability ``p``."""
    outcomes = random.Random(seed)
    return lambda u, v: outcomes.random() < (p if u < v else 1 - p)


def questions(stream: Rounds, first_wins: Coin, number: int) -> list[Question]:
    """Return the first questions of a stream."""
    send = cast(Callable[[Outcome | None], Question], stream.send)
    asked: list[Question] = []
    reply: Outcome | None = None
    for _ in range(number):
        asked.append(send(reply))
        match asked[-1]:
            case SelfPlay():
                reply = None
            case Duel(u, v):
                reply = first_wins(u, v)
    return asked


@checking("seq_elim")
def check_seq_elim(module: ModuleType) -> None:
    """The champion meets each other arm once, at delta/(N-1), in the given order."""
    for N in range(2, 30):
        for best in range(N):
            asked = matches(module.seq_elim(range(N), TENTH, match), best)
            level = Confidence(Fraction(1, 10 * (N - 1)))
            champions = [0 if arm <= best else best for arm in range(1, N)]
            assert asked == [
                Match(champion, arm, level)
                for champion, arm in zip(champions, range(1, N), strict=True)
            ]


@checking("seq_elim")
def check_seq_eliminate_pac(module: ModuleType) -> None:
    """An unbeaten challenger is compared until its gap leaves the middle by the radius."""
    for N in (2, 3, 7):
        level = Fraction(1, 10 * N)
        t = next(
            t for t in itertools.count(1) if math.sqrt(math.log(4 * t * t / level) / (2 * t)) < 0.5
        )
        for best in range(N):
            stream = module.seq_eliminate_pac(range(N), Fraction(-1, 4), Fraction(1, 4), TENTH)
            run = play(stream, CallbackEnvironment(partial(wins, best)))
            assert run.returned == best
            # The challenger's gap is +-1/2 at every t, and the middle 0: t duels decide.
            assert run.comparisons == (N - 1) * t
    # Never decided: floor(2 log(2/level) / (upper - lower)**2) + 1 duels; a tie keeps the anchor.
    outcomes = itertools.cycle((False, True))
    stream = module.seq_eliminate_pac((4, 6), Fraction(-13, 100), Fraction(13, 100), TENTH)
    run = play(stream, CallbackEnvironment(lambda u, v: next(outcomes)))
    assert run.comparisons == math.floor(2 * math.log(2 / 0.05) / 0.26**2) + 1 == 110
    assert run.returned == 4


def wins(best: int, u: int, v: int) -> bool:
    return u == best or (v != best and u < v)


@checking("knockout")
def check_knockout_ceiling(module: ModuleType) -> None:
    """Outcomes that alternate decide nothing: every comparison takes floor(m) + 1 duels."""
    for N, ceiling in ((8, 4762), (16, 12_172), (32, 29_052), (256, 319_212)):
        turns = defaultdict[tuple[int, int], Iterator[bool]](lambda: itertools.cycle((False, True)))
        environment = CallbackEnvironment(lambda u, v: next(turns[u, v]))  # noqa: B023
        run = play(module.knockout(range(N), Fraction(32, 100), TENTH), environment)
        assert run.comparisons == ceiling
        # At an even count the mean is 1/2, and the tie goes to the second argument.
        assert len(turns) == N - 1


@checking("wsw_pe")
def check_wsw_pe_marks(module: ModuleType) -> None:
    """It ends with the first arm that confidently beats all others, recounted from its duels."""
    for N, seed in ((2, 1), (3, 2), (6, 3), (6, 4)):
        asked: list[Duel] = []
        played: dict[tuple[int, int], list[int]] = {}
        beaten: list[set[int]] = [set() for _ in range(N)]
        toss = coin(seed, 0.75)

        def answer(duel: Duel) -> Outcome:
            assert N - 1 not in map(len, beaten)  # noqa: B023
            i, j = duel.first, duel.second
            asked.append(duel)  # noqa: B023
            outcome = toss(i, j)  # noqa: B023
            for a, b, won in ((i, j, outcome), (j, i, not outcome)):
                count = played.setdefault((a, b), [0, 0])  # noqa: B023
                count[0] += won
                count[1] += 1
                k = count[1]
                margin = math.sqrt(math.log(N * (N - 1) * k * (k + 1) / 0.1) / (2 * k))  # noqa: B023
                if count[0] / k - margin > 1 / 2:
                    beaten[a].add(b)  # noqa: B023
            return outcome

        winner = drive(module.wsw_pe(N, TENTH), answer)
        assert [arm for arm in range(N) if len(beaten[arm]) == N - 1] == [winner]
        assert asked == questions(ws_w(N), coin(seed, 0.75), len(asked))


def argmax_form(N: int, ties: Ties) -> Stream[Duel, Outcome, None]:
    """WS-W by its definition: the two highest scores, the last pair's arms preferred."""
    scores, last = [0] * N, (-1, -1)
    while True:
        i = best(scores, range(N), last, ties)
        j = best(scores, [arm for arm in range(N) if arm != i], last, ties)
        change = 1 if (yield Duel(i, j)) else -1
        scores[i] += change
        scores[j] -= change
        last = (i, j)


def best(scores: list[int], arms: Sequence[int], last: tuple[int, int], ties: Ties) -> int:
    highest = max(scores[arm] for arm in arms)
    tied = [arm for arm in arms if scores[arm] == highest]
    preferred = [arm for arm in last if arm in tied]
    return preferred[0] if preferred else chosen(tied, ties)


@checking("winner_stays")
def check_equals_argmax_form(module: ModuleType) -> None:
    """The same pairs in the same order, for both tie policies."""
    for N, seed, at_random in itertools.product((2, 3, 5, 16), (1, 2), (False, True)):
        ours, literal = (
            questions(
                make(N, uniformly(random.Random(seed)) if at_random else lowest_index),
                coin(seed, 0.6),
                3000,
            )
            for make in (module.ws_w, argmax_form)
        )
        assert ours == literal, (N, seed, at_random)


@checking("winner_stays")
def check_exact_trace_of_strong(module: ModuleType) -> None:
    """Where the lower number always wins, every round is known: N - 1 duels of the winner."""
    orders = ((1, 2, 3), (3, 1, 2), (2, 1, 3))
    expected: list[Question] = []
    for rounds, order in enumerate(orders, start=1):
        expected += [Duel(0, arm) for arm in order]
        expected.append(SelfPlay(0, rounds))
    assert questions(module.ws_s(4, Fraction(3, 2)), coin(0, 1), 12) == expected


def weights(module: ModuleType, losses: Sequence[float], eta: float) -> list[float]:
    learner = module.TsallisInf(len(losses))
    learner.losses[0] = losses
    return [float(weight) for weight in learner.weigh(eta)[0]]


@checking("tsallis_inf")
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


@checking("tsallis_inf")
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


@checking("tsallis_inf")
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


@checking("tsallis_inf")
def check_drawing(module: ModuleType) -> None:
    """A uniform number is found in its arm's part of the unit interval, at the ends too."""
    numbers = (0.0, 0.25, 0.499, 0.5, 0.999, 1.0)
    learner = module.TsallisInf(4, len(numbers))
    learner.weights[:] = (0.0, 0.5, 0.0, 0.5)
    given = [SimpleNamespace(random=iter([number]).__next__) for number in numbers]
    assert learner.draw(given) == [1, 1, 1, 3, 3, 3]
    two = SimpleNamespace(random=iter((0.1, 0.6)).__next__)
    assert module.TsallisInf(2).draw_two([two]) == ([0], [1])


P = np.array(((0.5, 0.8, 0.7), (0.2, 0.5, 0.35), (0.3, 0.65, 0.5)))
ALL_PAIRS = [
    (i, j, i_wins, 1.0 if i_wins is None else P[i][j] if i_wins else P[j][i])
    for i, j in itertools.product(range(3), repeat=2)
    for i_wins in ((None,) if i == j else (True, False))
]


@checking("wr_tinf")
def check_wr_tinf_is_unbiased(module: ModuleType) -> None:
    """The expected increment of each arm is its chance to lose to an opponent drawn from p."""
    p, expected = np.array(weights(tsallis_inf, (0.0, 2.0, 1.0), 0.7)), np.zeros(3)
    for i, j, i_wins, chance in ALL_PAIRS:
        arm, increment = module.loss_estimate(p, i, j, i_wins)
        expected[arm] += p[i] * p[j] * chance * increment
    assert expected == pytest.approx(p @ P, abs=1e-12)


@checking("versatile_db")
def check_versatile_db_is_unbiased(module: ModuleType) -> None:
    """So it is for each learner of Versatile-DB, against the other one's weights."""
    p = np.array(weights(tsallis_inf, (0.0, 2.0, 1.0), 0.7))
    q = np.array(weights(tsallis_inf, (4.0, 0.0, 1.0), 0.7))
    of_plus, of_minus = np.zeros(3), np.zeros(3)
    for i, j, i_wins, chance in ALL_PAIRS:
        loss_of_i, loss_of_j = module.losses(i_wins)
        of_plus[i] += q[j] * chance * loss_of_i
        of_minus[j] += p[i] * chance * loss_of_j
    assert of_plus == pytest.approx(q @ P, abs=1e-12)
    assert of_minus == pytest.approx(p @ P, abs=1e-12)


@checking("wr_exp3_ix")
def check_first_increments(module: ModuleType) -> None:
    """With K = 3 opponents eta = 0.60515 at first, and the increment is 1.57256."""
    attackers = module.Attackers(4)
    (j,) = attackers.draw([2], [random.Random(1)])
    assert attackers.eta == pytest.approx([0.60515], abs=1e-5)
    assert attackers.probabilities[0].tolist() == pytest.approx([1 / 3, 1 / 3, 0, 1 / 3])
    for target_won in (True, False):
        attackers.record([2], [j], [target_won])
        assert attackers.losses[0, 2, j] == pytest.approx(1.57256, abs=1e-5)


@checking("wr_exp3_ix")
def check_second_round(module: ModuleType) -> None:
    """The weights after one loss, by hand: exp(-eta L) with eta = sqrt(log 3/(3*2))."""
    attackers = module.Attackers(4)
    attackers.draw([0], [random.Random(1)])
    attackers.record([0], [1], [True])
    attackers.draw([0], [random.Random(1)])
    weight = math.exp(-math.sqrt(math.log(3) / 6) / (1 / 3 + math.sqrt(math.log(3) / 3) / 2))
    expected = [0, weight / (2 + weight), 1 / (2 + weight), 1 / (2 + weight)]
    assert attackers.probabilities[0].tolist() == pytest.approx(expected, abs=1e-12)
    # The attackers of other arms count their own rounds.
    attackers.draw([3], [random.Random(1)])
    assert attackers.eta == pytest.approx([0.60515], abs=1e-5)


@checking("wr_exp3_ix")
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


@checking("wins")
def check_bounds(module: ModuleType) -> None:
    record = module.Wins(3)
    for i_wins in (True, True, False):
        record.record(0, 1, i_wins)
    record.record(2, 2, None)
    upper, lower = record.bounds(0.75)
    assert upper.ravel().tolist() == pytest.approx(
        [0.5, 2 / 3 + 0.5, 2, 1 / 3 + 0.5, 0.5, 2, 2, 2, 0.5]
    )
    assert lower.ravel().tolist() == pytest.approx(
        [0.5, 2 / 3 - 0.5, 0, 1 / 3 - 0.5, 0.5, 0, 0, 0, 0.5]
    )


def literal_rucb(N: int, choices: random.Random) -> Stream[Question, Outcome | None, None]:
    """RUCB with loops and sets, from the published pseudocode."""
    W = [[0] * N for _ in range(N)]
    B: set[int] = set()
    for t in itertools.count(1):
        U = [[0.5] * N for _ in range(N)]
        for i, j in itertools.permutations(range(N), 2):
            n = W[i][j] + W[j][i]
            U[i][j] = 2.0 if n == 0 else W[i][j] / n + math.sqrt(0.51 * math.log(t) / n)
        C = [c for c in range(N) if all(U[c][j] >= 0.5 for j in range(N))]
        B &= set(C)
        if len(C) == 1:
            B = set(C)
        if not C:
            c = choices.randrange(N)
        elif len(C) == 1:
            (c,) = C
        elif B and choices.random() < 0.5:
            (c,) = B
        else:
            c = choices.choice([arm for arm in C if arm not in B])
        top = max(U[j][c] for j in range(N))
        d = next((j for j in range(N) if U[j][c] == top and j != c), c)
        if c == d:
            yield SelfPlay(c, 1)
        elif (yield Duel(c, d)):
            W[c][d] += 1
        else:
            W[d][c] += 1


@checking("rucb")
def check_rucb_trace(module: ModuleType) -> None:
    for N, seed in ((2, 1), (3, 2), (5, 3)):
        ours, literal = (
            questions(make(N, random.Random(seed)), coin(seed), 1200)
            for make in (module.rucb, literal_rucb)
        )
        assert ours == literal
        assert SelfPlay(0, 1) in ours


@checking("interleaved_filter")
def check_interleaved_filter_trace(module: ModuleType) -> None:
    """Sure outcomes: how many times 109 duels until the last candidate is alone.

    An arm is surely better or worse when sqrt(4 log(900)/t) < 1/2: from t = 109 on.
    """
    cases: list[tuple[Coin, bool, int]] = [
        # Arm 1 takes over from 0, and arm 2 stays, as it leads; then arm 1 loses to 2.
        (lambda u, v: u > v, True, 3),
        # Arm 1 leaves and arm 2 takes over in the same loop: nobody is left.
        (lambda u, v: (u, v) in ((0, 1), (2, 0), (2, 1)), False, 2),
        (lambda u, v: u < v, False, 2),
    ]
    for first_wins, pruning, times in cases:
        stream = module.interleaved_filter(3, 100, pruning=pruning)
        run = play(stream, CallbackEnvironment(first_wins), horizon=3000)
        assert run.comparisons == times * (math.floor(16 * math.log(900)) + 1) == times * 109


@checking("interleaved_filter")
def check_pruning(module: ModuleType) -> None:
    """IF2 drops an arm that the old candidate leads without being sure; IF1 keeps it."""
    for pruning, left in ((True, SelfPlay(1, 1)), (False, Duel(1, 2))):
        turns = defaultdict[int, Iterator[bool]](lambda: itertools.cycle((True, False)))

        def nearly_even(u: int, v: int) -> bool:
            return (u, v) != (0, 1) and next(turns[v])  # noqa: B023

        stream = module.interleaved_filter(3, 100, pruning=pruning)
        assert questions(stream, nearly_even, 240)[-1] == left


@checking("merge_rucb")
def check_merge_rucb(module: ModuleType) -> None:
    """The winner alone stays, whatever N and its place."""
    for N, best in ((2, 1), (5, 3), (7, 0), (16, 9), (33, 32)):
        stream = module.merge_rucb(N, random.Random(N))
        environment = CallbackEnvironment(partial(wins, best))
        run = play(stream, environment, winner=best, horizon=40_000)
        assert run.strong_regret is not None
        assert run.comparisons < run.rounds == 40_000
        assert run.strong_regret == run.comparisons


def check_numbers(name: str, module: ModuleType) -> None:
    known = NAMES | vars(module) | {"lowest_index": lowest_index}
    for of, text, expected, accuracy in ROWS["numbers"]:
        if of == name:
            value = eval(text, known | {"weights": partial(weights, module)})
            assert np.ravel(value).tolist() == pytest.approx(expected, abs=accuracy), text


for name, *_ in ROWS["numbers"]:
    CHECKS[f"numbers of {name}"] = name, partial(check_numbers, name)


@pytest.mark.parametrize("name", list(CHECKS))
def test_a_check_passes(name: str) -> None:
    module, check = CHECKS[name]
    with made_anew() as modules:
        check(vars(modules)[module])


@pytest.mark.parametrize(
    ("together", "alone"),
    [
        (wr_tinf.wr_tinf_together, wr_tinf.wr_tinf),
        (versatile_db.versatile_db_together, versatile_db.versatile_db),
        (wr_exp3_ix.wr_exp3_ix_together, wr_exp3_ix.wr_exp3_ix),
    ],
)
def test_runs_that_are_played_together_are_those_of_each_alone(
    together: Callable[..., Together], alone: Callable[..., Rounds]
) -> None:
    """Each of several runs asks what it asks by itself, after the same outcomes."""
    for N, rounds in ((2, 200), (6, 400), (40, 150)):
        seeds = (0, 3, 4, 11)
        runs = together(N, [random.Random(seed) for seed in seeds])
        coins, asked = [coin(seed, 0.6) for seed in seeds], list[list[tuple[int, int]]]()
        arms = next(runs)
        for _ in range(rounds):
            # The lists of arms may change in place.
            asked.append([*zip(*arms, strict=True)])
            told = [
                None if i == j else toss(i, j)
                for toss, (i, j) in zip(coins, asked[-1], strict=True)
            ]
            arms = runs.send(told)
        for seed, pairs in zip(seeds, zip(*asked, strict=True), strict=True):
            single = questions(alone(N, random.Random(seed)), coin(seed, 0.6), rounds)
            assert single == [SelfPlay(i, 1) if i == j else Duel(i, j) for i, j in pairs]


@pytest.mark.parametrize(("low", "high", "horizon", "made"), ROWS["regrets"])
def test_the_regret_is_near_that_of_independent_versions(
    low: int, high: int, horizon: int, made: str
) -> None:
    environment = SeededEnvironment(cyclic(8, "0.30", "0.38"), 0)
    with made_anew() as modules:
        stream = eval(made, NAMES | vars(modules))
        regret = play(stream, environment, 4, horizon=horizon).strong_regret
    assert regret is not None
    assert low < regret < high


def test_losses_that_are_not_numbers_are_refused() -> None:
    learner = TsallisInf(2, 3)
    learner.losses[1, 0] = math.nan
    with pytest.raises(ArithmeticError):
        learner.weigh(1.0)


@pytest.mark.parametrize("text", ROWS["bad_parameters"])
def test_bad_parameters_are_refused(text: str) -> None:
    with made_anew() as modules, pytest.raises(InvalidInput):
        eval(text, NAMES | vars(modules))
