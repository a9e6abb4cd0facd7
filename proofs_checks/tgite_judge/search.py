"""The search for the best item: which questions are open, and what the answers show so far.

This module asks no judge. It takes answers in any order and returns the next useful question. The
result depends only on the answers to the questions, not on the order in which answers arrive. So it
does not depend on the number of judges, nor on whether the run was killed.

First a candidate is found, in rounds of questions that a model of the answers chooses
(:mod:`.model`). Then the candidate is certified: it meets every other item, with new questions, and
is called the best only if it wins all of these meetings (see :class:`Certification`).
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from itertools import count, islice, takewhile
from typing import NamedTuple

import msgspec

from tgite import Arm, Confidence, Outcome
from tgite.beyond.certificate import Rule, Verdict, evidence_rule
from tgite.errors import require, require_whole_number
from tgite.schedules import require_rational_level
from tgite_judge.journal import Question, Record, Stage
from tgite_judge.model import Model
from tgite_judge.replies import Said
from tgite_judge.standings import Counts

SURE = 0.95
"""A candidate is certified once the model gives it this chance to be the best one."""
MOST_TO_FIND = 30
"""After this number of questions for each item, the candidate is certified in any case."""
_ROUND = 8
_MOST_TIES = 100
_AHEAD = 10
_PATIENCE = 4


class Ties(StrEnum):
    """How a tie counts."""

    HALF = "half"
    """A fair coin decides: the guarantee is about ``p_ij`` plus half the chance of a tie."""
    AGAIN = "again"
    """The question is asked again: the guarantee is about the answers without a tie."""
    REFUSE = "refuse"
    """A tie is not accepted as an answer."""


@dataclass(frozen=True, slots=True)
class Rules:
    """How questions are asked and how answers count.

    The order in which two items are shown is drawn for each question, with the seed ``swap``. With
    ``both_orders`` every question is asked in both orders, and is a tie if the two answers differ.
    """

    swap: int = 0
    ties: Ties = Ties.HALF
    both_orders: bool = False

    def __post_init__(self) -> None:
        """Refuse rules that contradict each other."""
        require_whole_number("swap", self.swap, at_least=0)
        if self.both_orders:
            refused = self.ties is not Ties.REFUSE
            require(refused, "ties", "refuse", "has no meaning with --both-orders")

    def described(self) -> dict[str, str]:
        """Return the rules as a journal stores them, without the seed."""
        return {"random order": "True", "ties": self.ties, "both orders": str(self.both_orders)}

    @staticmethod
    def of(described: Mapping[str, str]) -> Rules:
        """Return the rules that a journal stores, with any seed."""
        said = described.get("ties", "")
        ties = Ties(said) if said in list(Ties) else Ties.HALF
        return Rules(0, ties, described.get("both orders") == str(True))

    def fits(self, records: Sequence[Record], following: Record) -> bool:
        """Return whether a record can follow others: the second of both orders is the other one."""
        second = self.both_orders and len(records) % 2 == 1
        return not second or records[-1].swapped is not following.swapped

    def swapped(self, question: Question, earlier: int) -> bool:
        """Return whether a question, asked ``earlier`` times, next shows its second item first."""
        turn = earlier // 2 if self.both_orders else earlier
        drawn = self._draw("swap", question, turn)
        return drawn is not (self.both_orders and earlier % 2 == 1)

    def record(self, question: Question, earlier: list[Record], said: Said) -> Record:
        """Return the record of an answer, with the result of a coin if a tie needs one."""
        record = Record(question, self.swapped(question, len(earlier)), said)
        half = self.both_orders and len(earlier) % 2 == 0
        if half or self.ties is not Ties.HALF or self.outcome([*earlier, record]) is not None:
            return record
        coin = self._draw("coin", question, len(earlier))
        return msgspec.structs.replace(record, coin=coin)

    def outcome(self, records: list[Record]) -> Outcome | None:
        """Return the outcome of a question from its records; ``None`` if there is none yet."""
        decided = self.decide(records)
        return decided and decided[0]

    def decide(self, records: list[Record]) -> tuple[Outcome, bool] | None:
        """Return the outcome of a question, if there is one, and whether a coin decided it."""
        for place, last in enumerate(records):
            if not self.both_orders:
                outcome = last.first_won
            elif place % 2 == 1:
                one, other = records[place - 1].first_won, last.first_won
                outcome = one if one is other else None
            else:
                continue
            if outcome is not None:
                return outcome, False
            if last.coin is not None:
                return last.coin, True
        return None

    def _draw(self, what: str, question: Question, turn: int) -> bool:
        one = question
        place = f"{one.stage}:{one.first}:{one.second}:{one.number}:{turn}"
        return random.Random(f"{what}:{self.swap}:{place}").random() < 0.5


class Meeting(NamedTuple):
    """Two items that meet at a stage: a match of the tournament, or of a certificate."""

    stage: Stage
    first: Arm
    second: Arm


class MeetingState:
    """A meeting of a candidate: a match of :func:`tgite.beyond.certificate.certify`.

    Questions in ``doubted`` had to be asked again. A judge may fail more often where it would
    prefer one of the items, and what it would have said at once is not known. The match ends as
    won or lost only if that holds for every reading of these questions: all lost by the candidate,
    or all won.

    The reason why the levels hold: suppose that every question was answered at once. Then the item
    wins each question with its chance, so the rule's evidence is a supermartingale for an item that
    is not the better one. The wins that are not doubted are at most the wins in that run. The rule
    is monotone in the wins, so the match is won only if it is won in that run, too. A match that is
    decided only as answered is given up after ``_PATIENCE`` times as many questions.
    """

    def __init__(self, meeting: Meeting, rule: Rule, doubted: Set[int]) -> None:
        """Begin without outcomes."""
        self.meeting, self._verdict, self._doubted = meeting, rule.verdict, doubted
        self.outcomes: list[Outcome] = []
        self.result: Verdict | None = None
        self._low = self._high = 0
        self._given_up: int | None = None

    def add(self, Y: Outcome) -> None:
        """Take the next outcome."""
        doubt = len(self.outcomes) in self._doubted
        self.outcomes.append(Y)
        self._low, self._high = self._low + (Y and not doubt), self._high + (Y or doubt)
        n, verdict = len(self.outcomes), self._verdict
        if verdict(n, self._low) is verdict(n, self._high):
            self.result = verdict(n, self._low)
        if self._given_up is None and verdict(n, sum(self.outcomes)) is not None:
            self._given_up = _PATIENCE * n
        if self.result is None and n == self._given_up:
            self.result = Verdict.BUDGET

    def fewest_left(self, enough: int = 128) -> int:
        """Return the fewest missing outcomes that can decide the meeting, at most ``enough``."""
        n, ends = len(self.outcomes), self._verdict
        for more in range(1, enough):
            for wins in (more, 0):
                verdict = ends(n + more, self._low + wins)
                if verdict is not None and verdict is ends(n + more, self._high + wins):
                    return more
        return enough


@dataclass(slots=True)
class Certification:
    """A series of candidates, until one is certified or every item is rejected.

    This is :func:`tgite.beyond.certificate.certify` with its matches in parallel. Candidate number
    s = 0, 1, ... meets every other item at level ``delta/((s+1)(s+2))``; the levels sum to
    ``delta``. To be certified, a candidate that does not beat every other item must win one
    particular meeting in which it is not the better item. So with probability at least
    ``1 - delta`` no such item is certified, provided only that answers are independent.

    A candidate is rejected at level ``delta/N`` in each of its meetings. So an item that beats
    every other one is rejected with probability at most ``delta``. If all items are rejected, no
    item beats every other one, except with that probability. A rejected item is never a candidate
    again. The next candidate is the item that it lost to, or else the first one left.
    """

    candidate: Arm
    left: list[Arm]
    number: int = 0
    rejected: dict[Arm, Arm] = field(default_factory=dict)
    certified: bool = False
    equivalent: list[Arm] = field(default_factory=list)
    doubtful: list[Arm] = field(default_factory=list)
    """The items against whom only questions that had to be asked again would decide."""

    def levels(self, delta: Confidence, N: int) -> tuple[Confidence, Confidence]:
        """Return the levels at which the candidate wins a meeting and loses one."""
        shares = (self.number + 1) * (self.number + 2)
        return Confidence(delta.rational / shares), Confidence(delta.rational / N)

    def reject(self, conqueror: Arm) -> bool:
        """Reject the candidate; return whether there is another one."""
        self.rejected[self.candidate] = conqueror
        self.left = [arm for arm in self.left if arm not in self.rejected]
        if not self.left:
            return False
        self.candidate = conqueror if conqueror in self.left else self.left[0]
        self.left.remove(self.candidate)
        self.number += 1
        return True


@dataclass(frozen=True, slots=True)
class Goal:
    """The goal of a search among ``size`` items, at level ``delta``.

    With a ``margin``, items within it count as equivalent to the best one. If the judge is
    ``consistent``, the winner of a knockout, which asks once about each pair, is the answer.
    """

    size: int
    delta: Confidence
    margin: Fraction | None = None
    consistent: bool = False

    def __post_init__(self) -> None:
        """Refuse values that have no meaning."""
        require_whole_number("N", self.size, at_least=2)
        require_rational_level("delta", self.delta)
        if self.margin is not None:
            meant = not self.consistent and 0 < self.margin < Fraction(1, 2)
            must = "must be above 0 and below 1/2, and has no meaning without a certificate"
            require(meant, "margin", str(self.margin), must)


class Search:
    """A search and the answers that it was given so far."""

    def __init__(self, goal: Goal, rules: Rules) -> None:
        """Begin a search without answers."""
        self.goal = goal
        self.rules = rules
        self.champion: Arm | None = None
        self.certification: Certification | None = None
        self.records: dict[Question, list[Record]] = {}
        self._doubted: defaultdict[Meeting, set[int]] = defaultdict(set)
        self._states: dict[Meeting, MeetingState] = {}
        self._open: list[MeetingState] = []
        self._found: defaultdict[Meeting, list[Outcome]] = defaultdict(list)
        self._planned: Counter[Meeting] = Counter()
        self._round: list[Question] = []
        self._left = list(range(goal.size))
        self._turns, self._turn = count(1), Counter[Meeting]()
        # After the certificate loses a meeting, its other meetings go on up to this number of
        # outcomes.
        self._limit: int | None = None
        self._plan()

    @property
    def ended(self) -> bool:
        """Whether no question is left to ask."""
        return self.champion is not None and not self._open

    def outcomes_and_ties(self) -> Iterator[tuple[Question, Outcome | None]]:
        """Yield the used questions and whether the first item won, ``None`` if a coin decided."""
        certified = ((meeting, one.outcomes) for meeting, one in self._states.items())
        for meeting, outcomes in (*self._found.items(), *certified):
            for number, outcome in enumerate(outcomes):
                question = Question(*meeting, number)
                decided = self.rules.decide(self.records[question])
                yield question, None if decided is None or decided[1] else outcome

    def counts(self, names: Sequence[str] = ()) -> Counts:
        """Count the questions used so far."""
        asked = (
            (one.first, one.second, won, one.number in self._doubted[_meeting(one)])
            for one, won in self.outcomes_and_ties()
        )
        return Counts.of(names or tuple(map(str, range(self.goal.size))), asked)

    @property
    def planned(self) -> int:
        """The number of questions that were chosen to find a candidate."""
        return self._planned.total()

    def open_to_find(self) -> int:
        """Return how many questions of the present round are without an outcome."""
        return sum(self._outcome(one) is None for one in self._round)

    def unfinished(self) -> list[MeetingState]:
        """Return the meetings of the certificate that are left if no candidate is rejected."""
        state = self.certification or Certification(0, list(range(1, self.goal.size)))
        if state.certified or self.goal.consistent:
            return []
        states = self._states_of(state, keep=self.certification is not None)
        return [one for one in states if one.result is None]

    def add(self, record: Record) -> None:
        """Store an answer, and use it when its question is open, if ever."""
        one = record.question
        if one.stage is Stage.FIND and one.first > one.second:
            # Items that were listed in another order when the answer was given.
            one = msgspec.structs.replace(one, first=one.second, second=one.first)
            coin = None if record.coin is None else not record.coin
            swapped = not record.swapped
            record = msgspec.structs.replace(record, question=one, swapped=swapped, coin=coin)
        meeting = _meeting(one)
        if record.said is Said.NOTHING:
            self._doubted[meeting].add(one.number)
            return
        self.records.setdefault(one, []).append(record)
        self._turn[meeting] = next(self._turns)
        state = self._states.get(meeting)
        if one.stage is Stage.FIND:
            if self._advance_found(meeting) and self.champion is None and not self.open_to_find():
                self._plan()
        # A meeting that has ended or was cut off takes no further outcomes.
        elif state is not None and state in self._open and self._advance(state):
            self._plan()

    def record(self, question: Question, said: Said) -> Record:
        """Return the record of an answer to a question, to be stored and then added."""
        earlier = self.records.get(question, [])
        few = self.rules.ties is not Ties.AGAIN or len(earlier) < _MOST_TIES
        require(few, "ties", "again", f"{_MOST_TIES} ties in a row: consider --ties half")
        return self.rules.record(question, earlier, said)

    def shown(self, question: Question) -> tuple[Arm, Arm]:
        """Return the items of a question in the order for showing them next."""
        swapped = self.rules.swapped(question, len(self.records.get(question, [])))
        pair = (question.first, question.second)
        return pair[::-1] if swapped else pair

    def next_question(self, pending: Set[Question] = frozenset()) -> Question | None:
        """Return a question to ask while the ``pending`` ones are being answered.

        Questions that are needed in any case come first, of these one from the meeting with the
        fewest pending questions, and then from the one that waited longest. Otherwise, a meeting
        may run ahead of what it certainly needs, by a tenth of its outcomes so far.
        """
        if self.champion is None:
            free = [one for one in self._round if one not in pending and self._outcome(one) is None]
            return min(free, key=lambda one: self._turn[_meeting(one)], default=None)
        ranked: dict[tuple[bool, int, int], Question] = {}
        for state in self._open:
            begun = len(state.outcomes)
            asked = (Question(*state.meeting, number) for number in count(begun))
            new = next(one for one in asked if one not in pending and self._outcome(one) is None)
            ahead = new.number - begun
            left = state.fewest_left(ahead + 1)
            within = self._limit is None or new.number < self._limit
            if within and ahead < left + begun // _AHEAD:
                ranked.setdefault((ahead >= left, ahead, self._turn[state.meeting]), new)
        return ranked[min(ranked)] if ranked else None

    def _outcome(self, question: Question) -> Outcome | None:
        return self.rules.outcome(self.records.get(question, []))

    def _following(self, meeting: Meeting, outcomes: list[Outcome]) -> Iterator[Outcome]:
        """Yield the known outcomes of a meeting, each of which is then added to ``outcomes``."""
        while (one := self._outcome(Question(*meeting, len(outcomes)))) is not None:
            yield one

    def _advance(self, state: MeetingState) -> bool:
        """Give a meeting its known outcomes; return whether that may open or close others."""
        before = len(state.outcomes)
        known = self._following(state.meeting, state.outcomes)
        for outcome in takewhile(lambda _: state.result is None, known):
            state.add(outcome)
        moved = len(state.outcomes) > before
        return moved and (state.result is not None or self._limit is not None)

    def _advance_found(self, meeting: Meeting) -> bool:
        """Use the known outcomes of the planned questions; return whether there is a new one."""
        outcomes = self._found[meeting]
        before = len(outcomes)
        left = self._planned[meeting] - before
        for outcome in islice(self._following(meeting, outcomes), left):
            outcomes.append(outcome)
        return len(outcomes) > before

    def _plan(self) -> None:
        """Compute which questions are open, and whether the search has ended."""
        while self.champion is None and not self.open_to_find():
            self._plan_round()
        if self.champion is not None and not self.goal.consistent:
            self._plan_certificate(self.champion)

    def _plan_round(self) -> None:
        """Choose the questions of the next round, or the candidate."""
        N, asked = self.goal.size, self.planned
        if self.goal.consistent:
            for one in self._round:
                self._left.remove(one.second if self._outcome(one) else one.first)
            if len(self._left) == 1:
                self.champion = self._left[0]
        elif asked:
            model = Model.of_counts(self.counts())
            chances = model.chances()
            if chances.max() >= SURE or asked >= MOST_TO_FIND * N:
                self.champion = int(chances.argmax())
            pairs = model.pairs(max(_ROUND, asked // _ROUND), asked)
        if self.goal.consistent or not asked:
            pairs = list(zip(self._left[::2], self._left[1::2], strict=False))
            if not self.goal.consistent and N % 2:
                pairs.append((0, N - 1))
        self._round = []
        for u, v in pairs if self.champion is None else ():
            meeting = Meeting(Stage.FIND, min(u, v), max(u, v))
            self._round.append(Question(*meeting, self._planned[meeting]))
            self._planned[meeting] += 1
            self._advance_found(meeting)

    def _plan_certificate(self, champion: Arm) -> None:
        if self.certification is None:
            left = [arm for arm in range(self.goal.size) if arm != champion]
            self.certification = Certification(champion, left)
        certification = self.certification
        while not certification.certified:
            states = self._states_of(certification)
            for one in states:
                self._advance(one)
            unfinished = [one for one in states if one.result is None]
            losses = [
                (len(one.outcomes), one.meeting.second)
                for one in states
                if one.result is Verdict.LOST
            ]
            if losses:
                # Another meeting may be lost after fewer outcomes, so it goes on until that is
                # known.
                self._limit, conqueror = min(losses)
                unfinished = [one for one in unfinished if len(one.outcomes) < self._limit]
            self._open = unfinished
            if unfinished:
                return
            if not losses:
                others = {one.meeting.second: one.result for one in states}
                certification.doubtful = [i for i, end in others.items() if end is Verdict.BUDGET]
                if certification.doubtful:
                    return
                certification.certified = True
                near = [i for i, end in others.items() if end is Verdict.EQUIVALENT]
                certification.equivalent = near
            else:
                # Outcomes after the limit depend on the order of the answers, so they do not count.
                for one in states:
                    del one.outcomes[self._limit :]
                if not certification.reject(conqueror):
                    return
            self._limit = None

    def _states_of(self, state: Certification, *, keep: bool = True) -> list[MeetingState]:
        """Return the meetings of a candidate; those that did not begin do so, unless not kept."""
        c, N = state.candidate, self.goal.size
        win, lose = state.levels(self.goal.delta, N)
        rule = evidence_rule(win, lose, self.goal.margin)
        states = []
        for one in (Meeting(Stage.CERTIFY, c, other) for other in range(N) if other != c):
            began = self._states.get(one) or MeetingState(one, rule, self._doubted[one])
            if keep:
                self._states[one] = began
            states.append(began)
        return states


def _meeting(question: Question) -> Meeting:
    return Meeting(question.stage, question.first, question.second)
