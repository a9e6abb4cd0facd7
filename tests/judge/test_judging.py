"""The search for the best item: what it names, what it refuses to name, and what it asks."""

from __future__ import annotations

import asyncio
import heapq
import os
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from math import comb, exp, log, sin
from pathlib import Path
from typing import cast

import numpy as np
import pytest

from tgite import Confidence, InvalidInput
from tgite.beyond import mixture_test
from tgite_checks.bounds.judged_best import searched_by
from tgite_judge import Answers, JudgeRaised, find_best, find_best_async
from tgite_judge.account import Found
from tgite_judge.find import Asked, Ended, ask
from tgite_judge.identity import Identity
from tgite_judge.journal import Asking, Head, Journal, Question, Stage
from tgite_judge.judges import Reply
from tgite_judge.positions import ALPHA, STOPPING_ERROR, Positions
from tgite_judge.replies import JudgeFailed, Said
from tgite_judge.search import Rules, Search, Searched, Ties
from tgite_judge.standings import Standings, error_bound, smith_set

RUNS = int(os.environ.get("TGITE_JUDGED_RUNS", "12"))
Chances = Sequence[Sequence[float]]

CYCLE = [[0.5 if i == j else 0.7 if (j - i) % 5 < 3 else 0.3 for j in range(5)] for i in range(5)]
"""Five items; each beats the next two, and loses to the two after them."""


def strengths(*logits: float) -> list[list[float]]:
    """Return the chances of items with such strengths."""
    return [[1 / (1 + exp(v - u)) for v in logits] for u in logits]


@dataclass
class Simulated:
    """A judge drawn at random, with a bias (in logits) for what is shown first, and ties.

    With a ``drift`` all differences between items grow and shrink, and never turn round.
    """

    chances: Chances
    seed: int = 0
    bias: float = 0.0
    ties: float = 0.0
    fails: float = 0.0
    drift: float = 0.0
    asked: Counter[tuple[str, str]] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.drawn = random.Random(self.seed)

    def compare(self, first: str, second: str) -> Reply:
        """Answer at random, or fail."""
        self.asked[first, second] += 1
        if self.drawn.random() < self.fails:
            raise JudgeFailed("no answer this time")
        if self.drawn.random() < self.ties:
            return Reply(Said.TIE)
        p = self.chances[int(first)][int(second)]
        spread = 1 + self.drift * sin(self.asked.total() / 40)
        logit = spread * log(p / (1 - p)) + self.bias
        return Reply(Said.FIRST if self.drawn.random() < 1 / (1 + exp(-logit)) else Said.SECOND)

    def stop(self) -> None:
        """Nothing is running."""

    def close(self) -> None:
        """Nothing is running."""


@pytest.fixture(autouse=True)
def _no_waiting_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.fsync", lambda file: None)


def searched(
    size: int, delta: str = "0.05", *, certify: bool = True, margin: Fraction | None = None
) -> Searched:
    """Return a search among ``size`` items."""
    return Searched(size, Confidence.of(delta), mixture_test, certify=certify, margin=margin)


def found(
    path: Path,
    judge: Simulated,
    rules: Rules | None = None,
    budget: int | None = None,
    sought: Searched | None = None,
    *,
    despite_position: bool = False,
) -> Found:
    """Ask a simulated judge with a journal; return what was found."""
    rules = rules or Rules()
    items = tuple(map(str, range(len(judge.chances))))
    with Journal(path, Head(items, Identity("simulated"), {})) as journal:
        asked = Asked(sought or searched(len(items)), rules, journal)
        ended = ask(asked, items, [judge], budget=budget, despite_position=despite_position)
        return Found.of(asked, ended, items)


def test_a_position_bias_names_no_wrong_item(tmp_path: Path) -> None:
    """Without random orders "0" was the best item: shown first, it is preferred to "1"."""
    chances = strengths(0, 0.6, -1, -1)
    for seed in range(3):
        result = found(tmp_path / f"journal{seed}", Simulated(chances, seed, bias=1.0))
        assert (result.best, result.ended) == ("1", Ended.CERTIFIED)
        share, low, high = result.position.share()
        assert 0.5 < low < 0.7 < high
        assert share == pytest.approx(0.7, abs=0.08)
    shown = found(tmp_path / "shown", Simulated(chances, bias=1.0), Rules(swap=None))
    assert (shown.best, shown.ended, shown.to_json()["certified"]) == ("0", Ended.AS_SHOWN, False)
    assert shown.lines()[0].startswith(
        "If no answer depends on which of the two items is shown first, which --no-swap leaves "
        "unknown, 0 is the best item"
    )
    assert "a judge that favours a position favours an item" in "\n".join(shown.lines())


def test_who_follows_the_position_is_stopped(tmp_path: Path) -> None:
    follower = Simulated(strengths(0, 1, 2), bias=9.0)
    result = found(tmp_path / "journal", follower)
    assert (result.ended, result.best) == (Ended.POSITION, None)
    assert result.comparisons < 60
    assert "the judge follows the position and not the items" in result.lines()[0]
    for _ in range(2):  # The same command stops at once; another one goes on.
        assert found(tmp_path / "journal", follower).comparisons == result.comparisons
    on = found(tmp_path / "journal", follower, budget=9, despite_position=True)
    assert (on.ended, on.asked_now) == (Ended.BUDGET, 9)
    shown = found(tmp_path / "shown", Simulated(strengths(*range(7)), bias=99.0), Rules(swap=None))
    assert (shown.ended, shown.best) == (Ended.POSITION, None)
    assert "nobody can tell whether the judge follows the position" in shown.lines()[0]


def test_the_evidence_for_following_is_a_martingale_at_the_threshold() -> None:
    """By all paths of a judge at the threshold the test errs no more often than it says, exactly.

    The chance to be stopped within n answers is computed by dynamic programming over the count of
    answers for the first position; both positions have their share.
    """
    p = Fraction(9, 10)
    alive = {0: Fraction(1)}
    stopped = Fraction(0)
    for n in range(1, 80):
        following: dict[int, Fraction] = {}
        for k, mass in alive.items():
            for first, chance in ((1, p), (0, 1 - p)):
                following[k + first] = following.get(k + first, Fraction(0)) + mass * chance
        alive = {}
        for k, mass in following.items():
            if Positions(n, k).follow():
                stopped += mass
            else:
                alive[k] = mass
    assert 0 < stopped <= STOPPING_ERROR / 2


def test_the_interval_of_the_bias_holds_at_all_times() -> None:
    """By all paths of answers with one chance: it ever misses with a probability below ALPHA."""
    for p in (Fraction(1, 2), Fraction(4, 5)):
        alive, missed = {0: 1.0}, 0.0
        for n in range(1, 30):
            following: dict[int, float] = defaultdict(float)
            for k, mass in alive.items():
                following[k + 1] += mass * float(p)
                following[k] += mass * float(1 - p)
            shares = {k: Positions(n, k).share() for k in following}
            missed += sum(
                following[k] for k, (_, low, high) in shares.items() if not low < p < high
            )
            alive = {k: following[k] for k, (_, low, high) in shares.items() if low < p < high}
        assert ALPHA / 10 < missed <= ALPHA


def test_both_orders_in_one_question(tmp_path: Path) -> None:
    """A win only if both orders agree: who follows the position makes nothing but ties."""
    judge = Simulated(strengths(0, 2), bias=0.5)
    result = found(tmp_path / "journal", judge, Rules(both_orders=True))
    assert result.best == "1"
    assert judge.asked["0", "1"] == judge.asked["1", "0"]
    drawn = Rules(both_orders=True)
    question = Question(Stage.FIND, 0, 1, 0)
    for said, outcome in (((Said.FIRST, Said.SECOND), True), ((Said.FIRST, Said.FIRST), None)):
        first = drawn.judged(question, [], said[0])
        second = drawn.judged(question, [first], said[1])
        assert first.swapped is not second.swapped
        assert first.coin is None
        expected = second.coin if outcome is None else (not first.swapped)
        assert drawn.outcome([first, second]) is expected


def test_no_winner_is_called_the_best(tmp_path: Path) -> None:
    """In a cycle the order of the list decided who was "the best item, error at most 1/20"."""
    for seed in range(2):
        result = found(tmp_path / f"journal{seed}", Simulated(CYCLE, seed))
        assert (result.ended, result.best) == (Ended.NO_BEST, None)
        said = "\n".join(result.lines())
        assert "No item beats every other one, with probability of error at most 1/20" in said
        assert set(result.standings.contenders) == set(range(5))
        for pair in result.standings.decided:
            assert CYCLE[pair.better][pair.worse] > 0.5
    uncertified = found(
        tmp_path / "uncertified", Simulated(CYCLE), sought=searched(5, certify=False)
    )
    assert uncertified.ended is Ended.SURVIVED
    assert uncertified.never_met > 0
    said = uncertified.lines()[0]
    assert said.startswith(
        "If one item beats every other one more often than not, which nobody has asked, "
        f"{uncertified.best} is the best item, with probability of error at most 1/20, after "
    )
    assert f"was not certified: it never met {uncertified.never_met} of the 4 others." in said


def test_a_tie_at_the_top_is_certified_within_a_margin(tmp_path: Path) -> None:
    chances = strengths(0, 1.5, 1.5)
    sought = searched(3, margin=Fraction(3, 20))
    result = found(tmp_path / "journal", Simulated(chances), sought=sought)
    assert result.ended is Ended.CERTIFIED
    assert result.best in ("1", "2")
    assert result.equivalent == ({"1": "2", "2": "1"}[result.best],)
    assert "is the best item within 3/20: no other one beats it by as much" in result.lines()[0]
    with pytest.raises(InvalidInput, match="margin = 1/2: must be above 0 and below 1/2"):
        searched(3, margin=Fraction(1, 2))


def test_a_budget_leaves_a_guess_and_nothing_is_asked_twice(tmp_path: Path) -> None:
    judge = Simulated(strengths(0, 1.2, 0.3, 0.2), 5)
    spent = 0
    for _ in range(40):
        result = found(tmp_path / "journal", judge, budget=25)
        spent += result.asked_now
        assert result.comparisons == spent == judge.asked.total()
        if result.best is not None:
            break
        assert "The same command goes on." in result.lines()[0]
        assert 0 < result.guess.error <= 1
    assert result.best == "1"
    assert result.guess.error <= Fraction(1, 20)


def test_ties_are_half_a_win_or_asked_again(tmp_path: Path) -> None:
    chances = strengths(0, 2.5)
    for ties in (Ties.HALF, Ties.AGAIN):
        judge = Simulated(chances, 1, ties=0.5)
        result = found(tmp_path / ties, judge, Rules(ties=ties))
        assert (result.best, result.comparisons) == ("1", judge.asked.total())
        assert 0.3 * result.comparisons < result.ties < 0.7 * result.comparisons
        assert f"{result.ties} of {result.comparisons} answers were ties." in result.lines()
    tying = found(tmp_path / "all", Simulated(chances, ties=1.0), Rules(ties=Ties.AGAIN))
    assert tying.ended is Ended.JUDGE_FAILED
    assert tying.failure is not None
    assert "100 ties in a row" in tying.failure


def _entry(table: Sequence[Sequence[bool]], i: int, j: int) -> bool:
    return table[i][j]


SIX = (
    ((4, 5, 7, 1, 5, 5), (3, 4, 7, 5, 3, 1), (1, 1, 4, 1, 3, 3)),
    ((7, 3, 7, 4, 3, 3), (3, 5, 5, 5, 4, 7), (3, 7, 5, 5, 1, 4)),
)
"""A tournament (in eighths) in which a cycle at the top, 0, 1 and 3, leaves members out."""


def test_a_simulated_judge_that_only_ties_is_given_up_and_names_nothing() -> None:
    """Of the judges that the audit draws at standard depth, this one follows its position."""
    search, told = searched_by(52)
    assert not search.ended
    asked_most = Counter(asking.question for asking in told).most_common(1)
    assert asked_most[0][1] == 100


def test_the_smith_set_has_all_its_members() -> None:
    eighths = [row for half in SIX for row in half]
    assert smith_set(6, lambda i, j: eighths[i][j] > 4) == (0, 1, 3, 4, 5)
    for size in range(1, 6):
        drawn = random.Random(size)
        for _ in range(20):
            wins = [[drawn.random() < 0.5 for _ in range(size)] for _ in range(size)]
            beats = [[wins[i][j] and not wins[j][i] for j in range(size)] for i in range(size)]
            dominant = [
                members
                for members in range(1, 2**size)
                if all(
                    beats[i][j]
                    for i in range(size)
                    for j in range(size)
                    if members >> i & 1 and not members >> j & 1
                )
            ]
            least = min(dominant, key=int.bit_count)
            assert sum(1 << arm for arm in smith_set(size, partial(_entry, beats))) == least


def test_what_is_known_of_pairs_is_known_of_all_at_once() -> None:
    """For two items, exactly: a fair coin is ever called decided with probability below delta."""
    alive = {0: Fraction(1)}
    called = Fraction(0)
    for n in range(1, 60):
        following: dict[int, Fraction] = {}
        for s, mass in alive.items():
            for won in (0, 1):
                following[s + won] = following.get(s + won, Fraction(0)) + mass / 2
        alive = {}
        for s, mass in following.items():
            if Standings(((0, s), (n - s, 0)), Fraction(1, 5)).decided:
                called += mass
            else:
                alive[s] = mass
    assert Fraction(1, 20) < called <= Fraction(1, 5)
    for n in range(9):
        tails = [sum(comb(n + 1, k) for k in range(s + 1)) for s in range(n + 1)]
        for s, tail in enumerate(tails):
            assert error_bound(n, s) == min(1, Fraction((n + 1) * comb(n, s), tail))


def test_the_stated_error_holds_whoever_judges(tmp_path: Path) -> None:
    """Many small runs at a large delta, of all kinds of judges, with and without a winner.

    Were the error 1/5 in each run, more than ``allowed`` wrong ones had probability below 1e-6.
    """
    delta, runs = Fraction(1, 5), RUNS
    wrong = named = 0
    for seed in range(runs):
        drawn = random.Random(f"run {seed}")
        chances: list[list[float]]
        if seed % 3 == 0:
            chances = [[0.5, 0.75, 0.25], [0.25, 0.5, 0.75], [0.75, 0.25, 0.5]]
        elif seed % 3 == 1:
            chances = [[0.5, 0.5, 0.8], [0.5, 0.5, 0.8], [0.2, 0.2, 0.5]]
        else:
            chances = strengths(0, drawn.choice((0.8, 1.5)), -1)
        judge = Simulated(
            chances,
            seed,
            bias=drawn.choice((0, 1)),
            ties=drawn.choice((0, 0.3)),
            fails=0.01,
            drift=drawn.choice((0, 0.9)),
        )
        rules = Rules(seed, drawn.choice((Ties.HALF, Ties.AGAIN)), drawn.random() < 0.2)
        for _ in range(9):
            result = found(tmp_path / f"{seed}", judge, rules, 400, searched(3, str(delta)))
            if result.ended not in (Ended.JUDGE_FAILED, Ended.BUDGET) or result.asked_now == 400:
                break
        if result.best is not None:
            named += 1
            best = int(result.best)
            wrong += any(chances[best][j] <= 0.5 for j in range(3) if j != best)
    allowed = next(
        k
        for k in range(runs + 1)
        if sum(comb(runs, i) * 0.2**i * 0.8 ** (runs - i) for i in range(k + 1, runs + 1)) < 1e-6
    )
    assert named > runs // 6
    assert wrong <= allowed


def answers_for(search: Search, question: Question, chances: Chances) -> Asking:
    """Draw the answer that a question gets whenever it is asked."""
    drawn = random.Random(f"{question}").random()
    first, _ = search.shown(question)
    first_wins = drawn < chances[question.first][question.second]
    said = Said.FIRST if first_wins is (first == question.first) else Said.SECOND
    return search.judged(question, said)


@pytest.mark.parametrize("chances", [CYCLE, strengths(0, 0.2, 1.9, 0.4, 0, 0.3)])
def test_the_answer_does_not_depend_on_the_order_of_the_answers(chances: Chances) -> None:
    ends = set()
    for seed in range(3):
        drawn = random.Random(seed)
        search = Search(searched(len(chances), "0.1"), Rules())
        pending: set[Question] = set()
        while not search.ended:
            while len(pending) < seed * 3 + 1:
                question = search.next_question(pending)
                if question is None:
                    break
                pending.add(question)
            question = drawn.choice(sorted(pending))
            pending.remove(question)
            search.tell(answers_for(search, question, chances))
        state = search.certification
        assert state is not None
        told = sorted((one, tuple(told)) for one, told in search.meetings())
        ends.add((state.candidate, state.certified, str(state.rejected), str(told)))
    assert len(ends) == 1


def test_many_judges_are_faster_and_ask_little_more() -> None:
    """In simulated time, of answers that take from 0.3 to 0.7 seconds each."""

    def played(judges: int) -> tuple[float, int]:
        drawn = random.Random(judges)
        chances = strengths(*(-0.05 * arm for arm in range(1, 16)), 1.5)
        search = Search(searched(16), Rules())
        now, asked = 0.0, 0
        under_way: list[tuple[float, Question]] = []
        while not search.ended:
            while len(under_way) < judges:
                question = search.next_question({one for _, one in under_way})
                if question is None:
                    break
                heapq.heappush(under_way, (now + drawn.uniform(0.3, 0.7), question))
                asked += 1
            now, question = heapq.heappop(under_way)
            search.tell(answers_for(search, question, chances))
        assert search.champion == 15
        return now, asked

    alone, together = played(1), played(16)
    assert alone[0] > 10 * together[0]
    assert alone[1] <= together[1] <= 1.15 * alone[1]


WORDS = ("fig", "pear", "apple", "banana")


def longer(first: str, second: str) -> str:
    """Prefer the longer name."""
    return max(first, second, key=len)


def _answering(answer: object, first: str, second: str) -> object:
    return answer


def test_a_function_is_a_judge(tmp_path: Path) -> None:
    one = find_best(WORDS, longer)
    assert (one.best, one.ended, one.comparisons) == ("banana", Ended.CERTIFIED, 51)
    several = find_best(WORDS, longer, concurrency=4, journal=tmp_path / "journal")
    assert (several.best, several.abandoned < 4) == ("banana", True)
    again = find_best(WORDS, longer, journal=tmp_path / "journal")
    assert (again.best, again.asked_now) == ("banana", 0)
    assert find_best(WORDS, lambda u, v: len(u) > len(v), budget=7).ended is Ended.BUDGET
    shown = find_best(WORDS, lambda u, v: np.bool_(len(u) > len(v)), budget=2)
    assert shown.ended is Ended.BUDGET
    assert find_best(["b", "a"], min, answers=Answers.NAMES, ties=Ties.AGAIN).best == "a"
    for wrong in (None, 1, "grape"):
        failed = find_best(WORDS, partial(_answering, wrong))
        assert failed.ended is Ended.JUDGE_FAILED


def test_what_a_function_raises_is_the_cause_of_one_error_and_the_rest_is_kept(
    tmp_path: Path,
) -> None:
    for concurrency in (1, 3):
        left = iter(range(10))
        path = tmp_path / f"journal{concurrency}"

        def failing(first: str, second: str, left: Iterator[int] = left) -> str:
            if next(left, None) is None:
                raise ZeroDivisionError("no units")
            return longer(first, second)

        with pytest.raises(JudgeRaised, match="raised ZeroDivisionError: no units, on '") as raised:
            find_best(WORDS, failing, journal=path, concurrency=concurrency)
        assert {raised.value.first, raised.value.second} < set(WORDS)
        assert f"on {raised.value.first!r} against" in str(raised.value)
        assert isinstance(raised.value.__cause__, ZeroDivisionError)
        assert raised.value.__notes__ == [
            "The 10 answers before it are kept: the same call goes on."
        ]
        assert len(path.read_text(encoding="utf-8").splitlines()) == 11
        assert find_best(WORDS, longer, journal=path, adopt=True).asked_now >= 41
    with pytest.raises(JudgeRaised, match="raised ZeroDivisionError") as lost:
        find_best(WORDS, lambda first, second: 1 / 0)
    assert lost.value.__notes__ == ["The 0 answers before it are lost."]

    async def failing_too(first: str, second: str) -> str:
        return {first: second}[second]

    with pytest.raises(JudgeRaised, match="raised KeyError"):
        asyncio.run(find_best_async(WORDS, failing_too, concurrency=2))


def test_a_coroutine_is_a_judge() -> None:
    most = now = 0

    async def judge(first: str, second: str) -> bool:
        nonlocal most, now
        now += 1
        most = max(most, now)
        await asyncio.sleep(0.001)
        now -= 1
        return len(first) > len(second)

    found = asyncio.run(find_best_async(WORDS, judge, concurrency=3))
    assert found.best == "banana"
    assert most == 3


def test_a_cancelled_search_keeps_what_was_answered(tmp_path: Path) -> None:
    path = tmp_path / "journal"

    async def run() -> None:
        left = iter(range(10))
        hanging = asyncio.Event()

        async def judge(first: str, second: str) -> str:
            if next(left, None) is None:
                hanging.set()
                await asyncio.Event().wait()
            return longer(first, second)

        asking = asyncio.ensure_future(
            find_best_async(WORDS, judge, concurrency=3, journal=path, version="1")
        )
        await hanging.wait()
        asking.cancel()
        await asyncio.wait([asking])
        assert asking.cancelled()

    asyncio.run(run())
    assert len(path.read_text(encoding="utf-8").splitlines()) == 11
    assert find_best(WORDS, longer, journal=path, version="1").asked_now == 41


def test_a_function_is_known_by_its_code(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    same: list[Callable[[str, str], bool]] = [lambda u, v: u in {"fig", "pear"} for _ in "12"]
    same.append(lambda u, v: u in {"fig", "apple"})
    find_best(WORDS, same[0], journal=path, budget=3)
    assert find_best(WORDS, same[1], journal=path, budget=3).comparisons == 6
    with pytest.raises(InvalidInput, match="had another content"):
        find_best(WORDS, same[2], journal=path, budget=3)

    async def coroutine(first: str, second: str) -> bool:
        return len(first) > len(second)

    with pytest.raises(InvalidInput, match="had another content"):
        asyncio.run(find_best_async(WORDS, coroutine, journal=path, budget=3))


def test_items_are_taken_in_their_order() -> None:
    class Column:
        """A column of a table, of which [0] means another thing than its first one."""

        def __iter__(self) -> Iterator[str]:
            return iter(WORDS)

    items = cast(Sequence[str], Column())
    assert find_best(items, longer).best == "banana"
    with pytest.raises(InvalidInput, match="items = 3: must be a str"):
        find_best(cast(Sequence[str], [3, "x"]), longer)


FRUIT = ["fig", "pear", "kiwi"]


def test_functions_of_one_code_that_hold_other_words_are_other_judges(tmp_path: Path) -> None:
    """A model's name in a closure, an argument or an object; a number as a default.

    A count that goes up makes no other judge.
    """

    def judge_of(model: str) -> Callable[[str, str], str]:
        asked = 0

        def judge(first: str, second: str) -> str:
            nonlocal asked
            asked += 1
            return model if model in (first, second) else first

        return judge

    class Judge:
        def __init__(self, model: str) -> None:
            self.model, self.asked = model, 0

        def __call__(self, first: str, second: str) -> str:
            self.asked += 1
            return self.model if self.model in (first, second) else first

    def told(model: str, first: str, second: str) -> str:
        return model if model in (first, second) else first

    def positioned(model: str) -> Callable[[str, str], str]:
        def judge(first: str, second: str, place: int = FRUIT.index(model)) -> str:
            return FRUIT[place] if FRUIT[place] in (first, second) else first

        return judge

    def named(model: str) -> Callable[[str, str], str]:
        def judge(first: str, second: str, *, share: float = FRUIT.index(model) / 2) -> str:
            return FRUIT[int(2 * share)] if FRUIT[int(2 * share)] in (first, second) else first

        return judge

    makers: list[Callable[[str], Callable[[str, str], str]]] = [
        judge_of,
        Judge,
        lambda model: Judge(model).__call__,
        lambda model: partial(told, model),
        positioned,
        named,
    ]
    for number, made in enumerate(makers):
        journal = str(tmp_path / f"journal{number}")
        one = made("fig")
        assert find_best(FRUIT, one, journal=journal).best == "fig"
        assert find_best(FRUIT, one, journal=journal).asked_now == 0
        with pytest.raises(InvalidInput, match=r"was told .*(fig|0.*), not .*(kiwi|2|1.0)"):
            find_best(FRUIT, made("kiwi"), journal=journal)


MODEL = "fig"


def test_a_word_of_its_module_makes_a_function_another_judge(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def judge(first: str, second: str) -> str:
        return MODEL if MODEL in (first, second) else first

    journal = tmp_path / "journal"
    assert find_best(["fig", "pear", "kiwi"], judge, journal=journal).best == "fig"
    monkeypatch.setattr(sys.modules[__name__], "MODEL", "kiwi")
    with pytest.raises(InvalidInput, match="MODEL=fig, not MODEL=kiwi"):
        find_best(["fig", "pear", "kiwi"], judge, journal=journal)


def test_why_a_judge_failed_is_told() -> None:
    told = find_best(["fig", "pear"], lambda first, second: None).lines()[0]
    assert "judge failed (its answer None is neither a str nor a bool)" in told


def test_misspelt_options_are_refused_and_levels_are_read_as_written(tmp_path: Path) -> None:
    items = ["fig", "pear"]
    with pytest.raises(InvalidInput, match="option = budgt: must be one of delta, test"):
        find_best(items, lambda first, second: "fig", budgt=5)  # type: ignore[call-arg]
    for level in (0.1, "0.1", Fraction(1, 10)):
        assert find_best(items, lambda first, second: "fig", delta=level).error == Fraction(1, 10)


def test_without_random_orders_nine_of_ten_for_one_position_name_nothing(tmp_path: Path) -> None:
    for bias, worths in ((2.5, (0, 0.6, -1, -1)), (-2.5, (-1, -1, 0.6, 0))):
        judge = Simulated(strengths(*worths), bias=bias)
        shown = found(tmp_path / f"journal{bias}", judge, Rules(swap=None))
        share, _, _ = shown.position.share()
        assert 0.9 <= max(share, 1 - share) < 1
        assert (shown.ended, shown.best) == (Ended.POSITION, None)


def test_what_an_undecided_pair_lacks_is_counted_exactly() -> None:
    """The fewest comparisons that can decide it do, all won by one item, and no fewer."""
    for wins, losses, ties in ((0, 0, 0), (5, 2, 0), (2, 5, 4), (30, 30, 0)):
        table = Standings(((0, wins), (losses, 0)), Fraction(1, 20), ((0, ties), (ties, 0)))
        fewest = table.fewest_to_settle(0, 1)
        for more, decided in ((fewest - 1, False), (fewest, True)):
            won = (
                ((0, wins + more), (losses, 0))
                if wins > losses
                else ((0, wins), (losses + more, 0))
            )
            assert bool(Standings(won, Fraction(1, 20)).decided) is decided
    undecided = find_best(["fig", "pear"], lambda first, second: "tie", budget=40)
    assert undecided.standings.undecided() == [(0, 1)]
    fewest = Standings(((0, 0), (0, 0)), Fraction(1, 20)).fewest_to_settle(0, 1)
    assert (
        f"Of one pair of these nobody knows who is better. To know it takes {fewest} more"
        in str(undecided)
    )
    pairs = cast(list[dict[str, object]], undecided.to_json()["undecided"])
    assert pairs == [{"pair": ["fig", "pear"], "comparisons_at_least": fewest}]


@pytest.mark.parametrize("rules", [Rules(), Rules(both_orders=True)])
def test_a_tie_is_a_tie_in_the_standings_and_a_coin_in_the_search(
    tmp_path: Path, rules: Rules
) -> None:
    result = found(tmp_path / "journal", Simulated(strengths(0, 0.4), ties=0.6), rules, budget=60)
    (pair,) = result.standings.pairs.values()
    assert pair.ties == result.coins > 10
    assert pair.played == (result.comparisons - result.unused) / (1 + rules.both_orders)
    losses = pair.played - pair.wins - pair.ties
    assert pair.share == (pair.wins + Fraction(pair.ties, 2)) / pair.played
    assert pair.error == min(1, 2 * error_bound(pair.wins + losses, pair.wins))
    assert pair.counted() == f"{pair.wins} of {pair.played}, {pair.ties} ties"
    assert pair.to_json(result.items)["ties"] == pair.ties
