"""The search for the best item: what it names, what it refuses to name, and what it asks."""

from __future__ import annotations

import heapq
import random
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import comb, exp
from pathlib import Path
from typing import NamedTuple

import pytest

from golden import same_as
from rational_laws import law_of_rule
from tgite import Confidence
from tgite_checks.bounds.judged_best import Simulated
from tgite_judge.fingerprint import Fingerprint
from tgite_judge.forecast import Remaining, remaining
from tgite_judge.journal import Head, Journal, Question, Stage
from tgite_judge.judges import Judge, Reply
from tgite_judge.position_bias import INTERVAL_ERROR, STOPPING_ERROR, PositionBias
from tgite_judge.replies import Said
from tgite_judge.result import Found
from tgite_judge.search import Certification, Goal, Rules, Search, Ties
from tgite_judge.session import Ended, Session, ask
from tgite_judge.standings import Counts, Standings, error_bound, smith_set


@pytest.fixture(autouse=True)
def _no_waiting_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.fsync", lambda file: None)


def strengths(*logits: float) -> list[list[float]]:
    """Return the chances of items with such strengths."""
    return [[1 / (1 + exp(v - u)) for v in logits] for u in logits]


class Drawn(Judge):
    """Draws its answers, with ties, and a bias (in logits) for the item shown first."""

    def __init__(
        self,
        chances: Sequence[Sequence[float]],
        seed: int = 0,
        *,
        bias: float = 0.0,
        ties: float = 0.0,
    ) -> None:
        self.chances, self.asked = chances, Counter[tuple[str, str]]()
        self._judge = Simulated(chances, str(seed), bias, ties)

    def compare(self, first: str, second: str) -> Reply:
        """Answer at random."""
        self.asked[first, second] += 1
        return Reply(self._judge.say(int(first), int(second)))


def goal(size: int, delta: str = "0.05", **more: object) -> Goal:
    """Return the goal to find the best of ``size`` items."""
    return Goal(size, Confidence.of(delta), **more)  # type: ignore[arg-type]


def opened(path: Path, size: int) -> Journal:
    """Open a journal of simulated answers about items that are named by numbers."""
    return Journal(path, Head(tuple(map(str, range(size))), Fingerprint("simulated"), {}))


def ever(ends: Callable[[int, int], bool], chance: Fraction, last: int) -> Fraction:
    """Return the probability that ``ends(n, k)`` for k successes in one of n = 1..last trials."""
    return 1 - law_of_rule(ends, chance, last).going_on


class Seen(NamedTuple):
    """A judge and what it is asked: in each run up to a budget, and despite its position or not."""

    judge: Drawn
    rules: Rules = Rules()
    sought: Goal | None = None
    runs: Sequence[tuple[int | None, bool]] = ((None, False),)


CYCLE = [[0.5 if i == j else 0.7 if (j - i) % 5 < 3 else 0.3 for j in range(5)] for i in range(5)]
"""Five items; each beats the next two, and loses to the two after them."""
NEAR, TIED = strengths(0, 0.6, -1, -1), strengths(0, 0.4)
BOTH, AGAIN = Rules(both_orders=True), Rules(ties=Ties.AGAIN)
SEEN = {
    "a bias for the first position": Seen(Drawn(NEAR, bias=1.0)),
    "the position alone, which is stopped again, and goes on if that is asked for": Seen(
        Drawn(strengths(0, 1, 2), bias=9.0), runs=((None, False), (None, False), (9, True))
    ),
    "a strong bias for the second one": Seen(Drawn(strengths(-1, -1, 0.6, 0), bias=-9.0)),
    "both orders": Seen(Drawn(strengths(0, 2), bias=0.5), BOTH),
    "a cycle": Seen(Drawn(CYCLE)),
    "a cycle, each pair once": Seen(Drawn(CYCLE), sought=goal(5, consistent=True)),
    "a tie, asked about once": Seen(Drawn(TIED, ties=1), sought=goal(2, consistent=True)),
    "a tie at the top, within a margin": Seen(
        Drawn(strengths(0, 1.5, 1.5)), sought=goal(3, margin=Fraction(3, 20))
    ),
    "bit by bit": Seen(
        Drawn(strengths(0, 1.2, 0.3, 0.2), 5), runs=[(25, False)] * 5 + [(None, False)]
    ),
    "ties, each half a win": Seen(Drawn(strengths(0, 2.5), 1, ties=0.5)),
    "ties, asked again": Seen(Drawn(strengths(0, 2.5), 1, ties=0.5), AGAIN),
    "only ties": Seen(Drawn(strengths(0, 1), ties=1.0), AGAIN),
    "coins, which count in no pair": Seen(Drawn(TIED, ties=0.6), runs=[(60, False)]),
    "coins, in both orders": Seen(Drawn(TIED, ties=0.6), BOTH, runs=[(60, False)]),
}


def test_what_is_found_with_each_kind_of_judge(tmp_path: Path) -> None:
    """It is right, nothing is asked twice, and it is told in the words of ``found.txt``."""
    told: list[str] = []
    for name, (judge, rules, sought, runs) in SEEN.items():
        told.append(f"== {name}")
        for budget, despite in runs:
            with opened(tmp_path / name, len(judge.chances)) as journal:
                session = Session(sought or goal(len(judge.chances)), rules, journal)
                ended = ask(session, [judge], budget, despite_position=despite)
                result = Found.of(session, ended)
            told += [f"{result.ended}, {result.asked_now} asked, {result.best}", *result.lines()]
            refused = result.ended is Ended.JUDGE_FAILED
            assert judge.asked.total() == result.comparisons + refused
            # A coin decides a question, and counts in no pair's wins.
            assert sum(one.ties for one in result.standings.pairs.values()) == result.coins
            chances, margin = judge.chances, float(result.margin or 0)
            for other in range(len(chances)) if result.ended is Ended.CERTIFIED else ():
                best = int(result.best or "")
                assert other == best or chances[best][other] > 0.5 - margin
            for pair in result.standings.decided:
                assert chances[pair.better][pair.worse] > 0.5
    same_as(Path(__file__).with_name("found.txt"), "\n".join(told) + "\n")


def test_a_judge_at_the_threshold_is_stopped_as_rarely_as_stated() -> None:
    """Exactly, over all paths of 79 answers; each position has half of the stated error."""
    stopped = ever(lambda n, k: bool(PositionBias(n, k).follow()), Fraction(9, 10), 79)
    assert 0 < stopped <= STOPPING_ERROR / 2
    assert PositionBias(79, 0).follow()


@pytest.mark.parametrize("p", [Fraction(1, 2), Fraction(4, 5)])
def test_the_interval_of_the_bias_misses_as_rarely_as_stated(p: Fraction) -> None:
    """Exactly, over all paths of 29 answers with the same chance: it misses at any time at all."""

    def misses(n: int, k: int) -> bool:
        _, low, high = PositionBias(n, k).share()
        return not low < p < high

    assert INTERVAL_ERROR / 10 < ever(misses, p, 29) <= INTERVAL_ERROR


def test_the_coin_of_a_tie_does_not_follow_the_order_of_showing() -> None:
    tied = [Rules(7).record(Question(Stage.FIND, 0, 1, n), [], Said.TIE) for n in range(1000)]
    assert 400 < sum(one.coin is one.swapped for one in tied) < 600
    assert 400 < sum(one.coin is True for one in tied) < 600


def test_the_levels_of_all_candidates_add_up_to_what_is_allowed() -> None:
    delta = Confidence.of("0.05")
    for N in (2, 3, 40):
        levels = [Certification(0, [], number).levels(delta, N) for number in range(N)]
        assert sum(win.rational for win, _ in levels) <= delta.rational
        # The best item is rejected by one of N - 1 others.
        assert all((N - 1) * lose.rational <= delta.rational for _, lose in levels)


def test_twice_as_much_remains_in_both_orders_and_no_bound_where_ties_are_asked_again() -> None:
    for consistent in (True, False):
        once, twice, again = (
            remaining(Search(goal(5, consistent=consistent), rules), Fraction(1, 5))
            for rules in (Rules(), Rules(both_orders=True), Rules(ties=Ties.AGAIN))
        )
        assert twice == Remaining(2 * once.fewest, 2 * once.likely, consistent)
        assert again == Remaining(once.fewest, once.likely, False)
        assert once.exactly is consistent
        assert (once.fewest == 4) is consistent


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("size", range(1, 6))
def test_the_smith_set_is_the_least_that_beats_all_others(size: int, seed: int) -> None:
    drawn = random.Random(f"{size} {seed}")
    won = {pair for pair in product(range(size), repeat=2) if drawn.random() < 0.5}
    beats = {(i, j) for i, j in won if (j, i) not in won}
    dominant = [
        set(members)
        for number in range(1, size + 1)
        for members in combinations(range(size), number)
        if beats.issuperset(product(members, {*range(size)} - {*members}))
    ]
    assert set(smith_set(size, lambda i, j: (i, j) in beats)) == min(dominant, key=len)


PAIR = ("x", "y")


def test_statements_on_pairs_hold_together() -> None:
    """For two items, exactly: a fair coin is ever called decided with probability below delta."""

    def decided(n: int, k: int) -> bool:
        return bool(Standings(Counts(PAIR, ((0, k), (n - k, 0))), Fraction(1, 5)).decided)

    called = ever(decided, Fraction(1, 2), 59)
    assert Fraction(1, 20) < called <= Fraction(1, 5)
    for n in range(9):
        tails = [sum(comb(n + 1, k) for k in range(s + 1)) for s in range(n + 1)]
        for s, tail in enumerate(tails):
            assert error_bound(n, s) == min(1, Fraction((n + 1) * comb(n, s), tail))


def test_the_next_candidate_is_the_item_that_won_after_the_fewest_outcomes() -> None:
    """Items 1 and 2 both beat the candidate 0, item 2 in fewer outcomes, though asked later."""
    search = Search(goal(3, "0.5"), Rules())
    while (state := search.certification) is None or not state.rejected:
        later: set[Question] = set()
        while (question := search.next_question(later)) is not None and question.second == 2:
            later.add(question)
        one = question or min(later)
        winner = one.second
        if one.stage is Stage.FIND or (one.second == 1 and one.number < 3):
            winner = one.first
        said = Said.FIRST if search.shown(one)[0] == winner else Said.SECOND
        search.add(search.record(one, said))
    assert state.rejected == {0: 2}


def test_many_judges_are_faster_and_ask_little_more() -> None:
    """In simulated time, of answers that take from 0.3 to 0.7 seconds each."""
    chances = strengths(*(-0.05 * arm for arm in range(1, 16)), 1.5)
    took: list[tuple[float, int]] = []
    for judges in (1, 16):
        drawn, search = random.Random(judges), Search(goal(16), Rules())
        now, asked = 0.0, 0
        pending: list[tuple[float, Question]] = []
        while not search.ended:
            while len(pending) < judges:
                if (question := search.next_question({one for _, one in pending})) is None:
                    break
                heapq.heappush(pending, (now + drawn.uniform(0.3, 0.7), question))
                asked += 1
            now, question = heapq.heappop(pending)
            # A question gets the same answer whenever it is asked.
            won = random.Random(f"{question}").random() < chances[question.first][question.second]
            shown_first = search.shown(question)[0] == question.first
            said = Said.FIRST if won is shown_first else Said.SECOND
            search.add(search.record(question, said))
        assert search.champion == 15
        took.append((now, asked))
    alone, together = took
    assert alone[0] > 10 * together[0]
    assert alone[1] <= together[1] <= 1.15 * alone[1]


def test_what_an_undecided_pair_lacks_is_counted_exactly() -> None:
    """The fewest comparisons that can decide it do, all won by one item, and no fewer."""
    level = Fraction(1, 20)
    for wins, losses, ties in ((0, 0, 0), (5, 2, 0), (2, 5, 4), (30, 30, 0)):
        table = Standings(Counts(PAIR, ((0, wins), (losses, 0)), ((0, ties), (ties, 0))), level)
        fewest = table.fewest_to_settle(0, 1)
        ahead, behind = max(wins, losses), min(wins, losses)
        for more, decided in ((fewest - 1, False), (fewest, True)):
            counts = Counts(PAIR, ((0, ahead + more), (behind, 0)))
            assert bool(Standings(counts, level).decided) is decided
