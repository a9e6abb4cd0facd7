"""The evidence for "X is the best item" (``beyond:judged-best``): the search and its argument.

The theorems are about one certificate from independent comparisons. These checks compare the
search that asks judges with the conditions of those theorems.

- An item is called the best only on evidence from new questions, counted again from the answers, at
  the level of that candidate.
- This holds for all judges and every order of the answers.
- For two items the error is computed exactly.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import exp, log, sin

from tgite import Arm, Confidence, InvalidInput, Outcome
from tgite.beyond.certificate import Verdict, evidence_rule
from tgite_checks.check import Cases, Depth, Number, by_depth, statement
from tgite_checks.check import Kind as KindOfEvidence
from tgite_checks.fidelity.certificate import evidence
from tgite_judge.journal import Question, Record, Stage
from tgite_judge.replies import Said
from tgite_judge.search import Certification, Goal, Rules, Search, Ties
from tgite_judge.standings import error_bound
from tgite_laws.arithmetic import quotient
from tgite_laws.enclosure import Enclosure, rational

_SEEDS = (10, 100, 1000)
_MOST_ASKED = 1000
_LEVELS = tuple(map(Fraction, ("1/2", "1/5", "1/20", "1/100")))


@dataclass
class Simulated:
    """A random judge, with a position bias (in logits), ties, and a drift.

    The drift scales all differences between items, and never reverses them.
    """

    chances: Sequence[Sequence[float]]
    seed: str
    bias: float = 0.0
    ties: float = 0.0
    drift: float = 0.0
    asked: int = 0

    def __post_init__(self) -> None:
        """Start the random generator."""
        self._drawn = random.Random(self.seed)

    def say(self, first: Arm, second: Arm) -> Said:
        """Answer once."""
        self.asked += 1
        if self._drawn.random() < self.ties:
            return Said.TIE
        p = self.chances[first][second]
        logit = (1 + self.drift * sin(self.asked / 40)) * log(p / (1 - p)) + self.bias
        return Said.FIRST if self._drawn.random() < 1 / (1 + exp(-logit)) else Said.SECOND


def drawn_chances(source: random.Random) -> list[list[float]]:
    """Draw the chances of two to four items: by strengths, with ties at the top, or in a cycle."""
    N = source.randint(2, 4)
    if N > 2 and source.random() < 0.3:
        return [
            [0.5 if i == j else 0.85 if (j - i) % N <= N // 2 else 0.15 for j in range(N)]
            for i in range(N)
        ]
    strengths = [source.choice((-1.5, 0.0, 1.5, 1.5)) for _ in range(N)]
    return [[1 / (1 + exp(v - u)) for v in strengths] for u in strengths]


def searched_by(seed: int) -> tuple[Search, list[Record]]:
    """Search with a random judge, several questions at a time, its answers in random order.

    Returns the search and all answers in order of arrival. If items tie, or a judge answers only
    with ties, the search may not end and is given up.
    """
    source = random.Random(f"guarantee {seed}")
    judge = Simulated(
        drawn_chances(source),
        f"judge {seed}",
        source.choice((0.0, 1.0, 3.0)),
        source.choice((0.0, 0.3)),
        source.choice((0.0, 0.9)),
    )
    rules = Rules(seed, source.choice((Ties.HALF, Ties.AGAIN)), source.random() < 0.3)
    delta = Confidence(source.choice(_LEVELS))
    search = Search(Goal(len(judge.chances), delta), rules)
    records: list[Record] = []
    pending: set[Question] = set()
    at_once = source.choice((1, 3, 8))
    while not search.ended and len(records) < _MOST_ASKED:
        while len(pending) < at_once and (question := search.next_question(pending)) is not None:
            pending.add(question)
        question = source.choice(sorted(pending))
        pending.remove(question)
        try:
            record = search.record(question, judge.say(*search.shown(question)))
        except InvalidInput as error:
            # A judge with too many ties in a row is asked no more, and no item is named.
            if error.field != "ties":
                raise
            break
        records.append(record)
        search.add(record)
    return search, records


def first_won(records: Sequence[Record], *, both_orders: bool) -> Outcome | None:
    """Return whether the first item won, counted from a question's answers; ``None``: undecided."""
    groups = [records[k : k + 2] for k in range(0, len(records), 2)] if both_orders else None
    for group in [[one] for one in records] if groups is None else groups:
        said = {one.first_won for one in group}
        if both_orders and len(group) < 2:
            return None
        if len(said) == 1 and (outcome := said.pop()) is not None:
            return outcome
        if (coin := group[-1].coin) is not None:
            return coin
    return None


def unshown(search: Search, records: Sequence[Record], share: Fraction) -> Iterator[str]:
    """Return against whom the item called the best lacks evidence, counted from the answers."""
    state = search.certification
    assert state is not None
    by_question: dict[Question, list[Record]] = {}
    for record in records:
        by_question.setdefault(record.question, []).append(record)
    s = len(state.rejected)
    level = share * search.goal.delta.rational / ((s + 1) * (s + 2))
    c = state.candidate
    for other in range(search.goal.size):
        n = wins = 0
        shown = other == c
        while not shown:
            answers = by_question.get(Question(Stage.CERTIFY, c, other, n), [])
            outcome = first_won(answers, both_orders=search.rules.both_orders)
            if outcome is None:
                break
            n, wins = n + 1, wins + outcome
            shown = error_bound(n, wins) <= level
        if not shown:
            yield f"{c} against {other}: {wins} of {n} at level {level}"


@statement(
    "judged-best-on-evidence",
    kind=KindOfEvidence.LISTED_SEEDS,
    domain="An item is called the best only on evidence, in searches among two to four items, "
    "with winners, ties and cycles. The judges are drawn from listed seeds, with noise, position "
    "bias, ties and drift. Ties count half or are asked again, and pairs may be shown in both "
    "orders. Up to eight questions are open at a time, answered in any order.",
    sizes={"seeds:": _SEEDS},
    case="search",
    refuses={"evidence at a thousandth of the level": {"share": Fraction(1, 1000)}},
)
def only_on_evidence(depth: Depth, *, share: Fraction = Fraction(1)) -> Cases:
    for seed in range(by_depth(depth, *_SEEDS)):
        search, records = searched_by(seed)
        state = search.certification
        if not search.ended or state is None:
            continue
        problem = "; ".join(unshown(search, records, share)) if state.certified else ""
        again = Search(search.goal, search.rules)
        # Answers to one question keep their order; the questions are reordered.
        for record in sorted(records, key=lambda one: one.question):
            again.add(record)
        same = again.certification
        ends = [
            (one.candidate, one.certified, [*one.rejected.items()], sorted(of.outcomes_and_ties()))
            for one, of in ((state, search), (same, again))
            if one is not None
        ]
        if len(ends) != 2 or any(one != other for one, other in pairwise(ends)):
            problem = f"in another order of the answers: {ends}"
        yield f"seed {seed}: {problem}" if problem else ""


def error_with_two(delta: Fraction, p: Fraction, longest: int) -> Enclosure:
    """Enclose the probability that of two items the worse, or one of a tie, is called the best.

    ``p`` is the chance that the first candidate wins a comparison. Candidates undecided after
    ``longest`` comparisons win later with probability at most their evidence times the level.
    """
    wrong = [p <= Fraction(1, 2), p >= Fraction(1, 2)]
    low = high = 0.0
    state, reached = Certification(0, [1]), 1.0
    while True:
        win, lose = state.levels(Confidence(delta), 2)
        rule = evidence_rule(win, lose, None)
        q = float(p if state.candidate == 0 else 1 - p)
        masses: Mapping[int, float] = {0: reached}
        won = lost = 0.0
        for n in range(1, longest + 1):
            following: dict[int, float] = {}
            for s, mass in masses.items():
                for gain, chance in ((1, q), (0, 1 - q)):
                    following[s + gain] = following.get(s + gain, 0.0) + mass * chance
            ended = {s: rule.verdict(n, s) for s in following}
            won += sum(mass for s, mass in following.items() if ended[s] is Verdict.WON)
            lost += sum(mass for s, mass in following.items() if ended[s] is Verdict.LOST)
            masses = {s: mass for s, mass in following.items() if ended[s] is None}
        left = sum(masses.values())
        later = sum(
            mass * min(1.0, float(win.rational * evidence(longest, s)))
            for s, mass in masses.items()
        )
        if wrong[state.candidate]:
            low, high = low + won, high + won + later
        # After a later loss, too, the next candidate may win.
        reached = min(1.0, lost + left)
        if not state.reject(1):
            return Enclosure(low * (1 - 1e-9), high * (1 + 1e-9))


@statement(
    "judged-best-error",
    domain="The error for two items is at most delta, at four levels from 1/2 to 1/100, on a tie "
    "or if the candidate is worse. The law is exact to 200 comparisons and bounded beyond.",
    case="error probability",
    refuses={"error at most delta/4": {"share": Fraction(1, 4)}},
)
def two_items(depth: Depth, *, share: Fraction = Fraction(1)) -> Cases:
    found = []
    for delta in _LEVELS:
        for p in map(Fraction, ("1/2", "2/5", "1/5")):
            error = error_with_two(delta, p, 200)
            said = f"delta = {delta}, p = {p}: {error.high:.4g}"
            yield said if error.high > share * delta else ""
            found.append(quotient(error, rational(delta)))
    largest = Enclosure(max(one.low for one in found), max(one.high for one in found))
    yield Number("largest error over delta", largest, rational(Fraction(1)))
