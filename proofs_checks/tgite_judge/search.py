"""The search for the best item: which questions are open, and what the answers have come to.

Nothing here asks anybody: a search is told answers, in any order, and says what it could use next.
Its course depends only on what was answered to the k-th question of each meeting, never on which
answer came first, so that one judge or many, a killed run and an undisturbed one, end the same.

First TreeAscent finds a candidate, meeting by meeting. Then the candidate is certified: it meets
every other item again, from fresh questions, and is called the best only if it wins all of these
meetings (see :class:`Certification`).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from functools import partial
from itertools import count
from typing import TypeAlias

from tgite import (
    RULINGS,
    Arm,
    BalancedTree,
    Confidence,
    Conventions,
    Duel,
    InvalidInput,
    Match,
    Outcome,
    PairwiseTest,
    Stream,
    drive,
    match,
    tg_ite_bai,
)
from tgite.beyond.certificate import Rule, Verdict, evidence_rule, one_sided
from tgite.errors import require, require_whole_number
from tgite_judge.journal import Asking, Question, Stage
from tgite_judge.replies import Said

_FIND_LEVEL = Fraction(1, 20)
FIND_MOST = 128
_MOST_TIES = 100
_AHEAD = 10


class Ties(StrEnum):
    """What a tie counts as."""

    HALF = "half"
    """A fair coin decides: the guarantee is then of ``p_ij`` plus half the chance of a tie."""
    AGAIN = "again"
    """The question is put again: the guarantee is then of the answers that are no ties."""
    REFUSE = "refuse"
    """A tie is no answer."""


@dataclass(frozen=True, slots=True)
class Rules:
    """How questions are put and answers count.

    ``swap`` seeds the order in which two items are shown, drawn anew for each asking; ``None``
    shows that one first that comes first in the list. With ``both_orders`` every question is put in
    both orders; where the two answers differ that is a tie.
    """

    swap: int | None = 0
    ties: Ties = Ties.HALF
    both_orders: bool = False

    def __post_init__(self) -> None:
        """Refuse rules that contradict each other."""
        if self.swap is not None:
            require_whole_number("swap", self.swap, at_least=0)
        if self.both_orders:
            require(self.swap is not None, "both-orders", "given", "has no meaning with --no-swap")
            refused = self.ties is not Ties.REFUSE
            require(refused, "ties", "refuse", "has no meaning with --both-orders")

    def swapped(self, question: Question, earlier: int) -> bool:
        """Say whether the next asking of a question shows its second item first."""
        if self.swap is None:
            return question.first > question.second
        turn = earlier // 2 if self.both_orders else earlier
        drawn = self._drawn("swap", question, turn)
        return drawn is not (self.both_orders and earlier % 2 == 1)

    def judged(self, question: Question, earlier: list[Asking], said: Said) -> Asking:
        """Return the asking to keep, with a coin thrown if it ends in a tie that needs one."""
        swapped = self.swapped(question, len(earlier))
        asking = Asking(question, swapped, said)
        if self.ties is not Ties.HALF or self.outcome([*earlier, asking]) is not None:
            return asking
        if self.both_orders and len(earlier) % 2 == 0:
            return asking
        return Asking(question, swapped, said, self._drawn("coin", question, len(earlier)))

    def outcome(self, askings: list[Asking]) -> Outcome | None:
        """Return what the askings of one question come to; ``None``: to nothing yet."""
        decided = self._decided(askings)
        return decided and decided[0]

    def tied(self, askings: list[Asking]) -> bool:
        """Say whether a coin decided what the askings of one question come to."""
        decided = self._decided(askings)
        return decided is not None and decided[1]

    def _decided(self, askings: list[Asking]) -> tuple[Outcome, bool] | None:
        for place, last in enumerate(askings):
            if not self.both_orders:
                outcome = last.first_won
            elif place % 2 == 1:
                one, other = askings[place - 1].first_won, last.first_won
                outcome = one if one is other else None
            else:
                continue
            if outcome is not None:
                return outcome, False
            if last.coin is not None:
                return last.coin, True
        return None

    def _drawn(self, what: str, question: Question, turn: int) -> bool:
        one = question
        place = f"{one.stage}:{one.first}:{one.second}:{one.number}:{turn}"
        return random.Random(f"{what}:{self.swap or 0}:{place}").random() < 0.5


@dataclass(frozen=True, slots=True, order=True)
class Meeting:
    """Two items that meet at a stage: a match of the bracket, or of a certificate."""

    stage: Stage
    first: Arm
    second: Arm


def certificate_match(u: Arm, v: Arm, rule: Rule) -> Stream[Duel, Outcome, Verdict]:
    """Compare a candidate ``u`` with ``v``: a match of :func:`tgite.beyond.certificate.certify`."""
    verdict, _ = yield from one_sided(u, v, rule, None)
    return verdict


def capped(test: PairwiseTest[Duel, Outcome], most: int) -> PairwiseTest[Duel, Outcome]:
    """Return a pairwise test that ends after ``most`` duels for whoever is ahead, else ``u``."""

    def test_capped(u: Arm, v: Arm, delta: Confidence) -> Stream[Duel, Outcome, Arm]:
        def algorithm() -> Stream[Duel, Outcome, Arm]:
            stream = test(u, v, delta)
            S = 0
            try:
                duel = next(stream)
                for _ in range(most):
                    Y = yield duel
                    S += Y
                    duel = stream.send(Y)
            except StopIteration as stop:
                decided: Arm = stop.value
                return decided
            return u if most <= 2 * S else v

        return algorithm()

    return test_capped


_Start: TypeAlias = Callable[[], Stream[Duel, Outcome, Arm | Verdict]]


class _Playing:
    """A meeting being played: its stream, what it was told, and its result."""

    def __init__(self, meeting: Meeting, start: _Start) -> None:
        self.meeting = meeting
        self.told: list[Outcome] = []
        self.result: Arm | Verdict | None = None
        self.turn = 0
        self._start = start
        self._stream = start()
        self._fewest_at, self._fewest = 0, 1
        next(self._stream)

    def tell(self, outcome: Outcome) -> None:
        self.told.append(outcome)
        try:
            self._stream.send(outcome)
        except StopIteration as stop:
            self.result = stop.value

    def fewest_left(self, enough: int) -> int:
        """Return how many more outcomes it takes at least, or that it takes ``enough``."""
        known = self._fewest - (len(self.told) - self._fewest_at)
        if known < enough:
            known = min(self._left(True), self._left(False))
            self._fewest, self._fewest_at = known, len(self.told)
        return max(known, 1)

    def _left(self, outcome: Outcome) -> int:
        """Count the outcomes that are missing if all that come are ``outcome``."""
        left, told = 0, iter(self.told)

        def answer(_: Duel) -> Outcome:
            nonlocal left
            if (known := next(told, None)) is not None:
                return known
            left += 1
            return outcome

        drive(self._start(), answer)
        return left


@dataclass(slots=True)
class Certification:
    """Candidates one after the other, until one is certified or every item is rejected.

    It is :func:`tgite.beyond.certificate.certify`, its matches played side by side. Candidate
    number s = 0, 1, ... meets every other item at level ``delta/((s+1)(s+2))``; these sum to
    ``delta``. A candidate that does not beat every other item must win one meeting that it should
    not, whatever the others do: so that *any* item is certified that does not beat every other one
    has probability at most ``delta``, with no assumption but independent answers.

    A rejection costs the candidate ``delta/N`` in each of its meetings: so an item that beats every
    other one is rejected with probability at most ``delta``, and when all items are rejected, no
    item beats every other one, up to that error. A rejected candidate is no candidate again; the
    next one is the item that it lost to, or else the first of those that are left.
    """

    candidate: Arm
    left: list[Arm]
    number: int = 0
    rejected: dict[Arm, Arm] = field(default_factory=dict)
    certified: bool = False
    equivalent: list[Arm] = field(default_factory=list)

    def levels(self, delta: Confidence, N: int) -> tuple[Confidence, Confidence]:
        """Return the levels of the candidate's meetings: to win one, and to lose one."""
        shares = (self.number + 1) * (self.number + 2)
        return Confidence(delta.rational / shares), Confidence(delta.rational / N)

    def reject(self, conqueror: Arm) -> bool:
        """Turn to the next candidate, if there is one."""
        self.rejected[self.candidate] = conqueror
        self.left = [arm for arm in self.left if arm not in self.rejected]
        if not self.left:
            return False
        self.candidate = conqueror if conqueror in self.left else self.left[0]
        self.left.remove(self.candidate)
        self.number += 1
        return True


@dataclass(frozen=True, slots=True)
class Searched:
    """What is searched, and how sure the answer has to be."""

    size: int
    delta: Confidence
    test: PairwiseTest[Duel, Outcome]
    start: Arm = 0
    conventions: Conventions = RULINGS
    certify: bool = True
    margin: Fraction | None = None

    def __post_init__(self) -> None:
        """Refuse a margin that has no meaning."""
        if self.margin is not None:
            meant = self.certify and 0 < self.margin < Fraction(1, 2)
            must = "must be above 0 and below 1/2, and has no meaning without a certificate"
            require(meant, "margin", str(self.margin), must)

    @property
    def find_test(self) -> PairwiseTest[Duel, Outcome]:
        """The test of the tournament: where a certificate follows it gives up on near ties."""
        return capped(self.test, FIND_MOST) if self.certify else self.test

    @property
    def find_level(self) -> Confidence:
        """The level of the tournament: a candidate's certificate makes up for its errors."""
        if not self.certify:
            return self.delta
        return Confidence(max(self.delta.rational, _FIND_LEVEL))

    def tournament(self) -> Stream[Match, Arm, Arm]:
        """Return the tournament, meeting by meeting."""
        tree = BalancedTree.over(self.size, self.conventions)
        return tg_ite_bai(self.start, tree, self.find_level, match, self.conventions)


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A meeting that goes on, or is to come: its level, how much it was told, how much it takes."""

    meeting: Meeting
    level: Confidence
    told: int
    fewest: int


def once(u: Arm, v: Arm, delta: Confidence) -> Stream[Duel, Outcome, Arm]:
    """Ask once, whatever the level: for whoever always answers in the same way."""
    first_wins = yield Duel(u, v)
    return u if first_wins else v


class Search:
    """A search and what it was told so far."""

    def __init__(self, searched: Searched, rules: Rules) -> None:
        """Begin a search that was told nothing."""
        self.searched = searched
        self.rules = rules
        self.champion: Arm | None = None
        self.certification: Certification | None = None
        self.askings: dict[Question, list[Asking]] = {}
        self._playing: dict[Meeting, _Playing] = {}
        self._open: list[_Playing] = []
        self._turns = count(1)
        self._limit: int | None = None  # Until when a certificate with a lost meeting goes on.
        self._plan()

    @property
    def ended(self) -> bool:
        """Whether no question is left to ask."""
        return not self._open

    @property
    def open_meetings(self) -> list[Meeting]:
        """The meetings that can go on now."""
        return [one.meeting for one in self._open]

    def told_of(self, meeting: Meeting) -> list[Outcome]:
        """Return the outcomes of a meeting that were used so far."""
        playing = self._playing.get(meeting)
        return [] if playing is None else playing.told

    def meetings(self) -> Iterator[tuple[Meeting, list[Outcome]]]:
        """Give out the meetings that began, and what they were told."""
        for one in self._playing.values():
            yield one.meeting, one.told

    def counted(self) -> Iterator[tuple[Meeting, list[Outcome | None]]]:
        """Give out the meetings that began, and what was said: ``None`` where a coin decided."""
        for meeting, told in self.meetings():
            ties = (self.rules.tied(self.askings[_question(meeting, k)]) for k in count())
            yield meeting, [None if tie else one for one, tie in zip(told, ties, strict=False)]

    @property
    def used(self) -> int:
        """The number of askings that the search has used."""
        return sum(
            len(self.askings[_question(one.meeting, number)])
            for one in self._playing.values()
            for number in range(len(one.told))
        )

    def unfinished(self) -> Iterator[Unfinished]:
        """Give out all meetings that are to be won still if no candidate is rejected."""
        for meeting, question in self._walked(first=True).items():
            start = partial(self.searched.find_test, meeting.first, meeting.second, question.delta)
            yield self._left_of(meeting, question.delta, start)
        if not self.searched.certify:
            return
        N = self.searched.size
        state = self.certification or Certification(0, [])
        win, lose = state.levels(self.searched.delta, N)
        rule = evidence_rule(win, lose, self.searched.margin)
        c = state.candidate
        for other in range(N) if not state.certified else ():
            meeting = Meeting(Stage.CERTIFY, c, other)
            playing = self._playing.get(meeting) if self.certification else None
            if other != c and (playing is None or playing.result is None):
                yield self._left_of(meeting, win, partial(certificate_match, c, other, rule))

    def _left_of(self, meeting: Meeting, level: Confidence, start: _Start) -> Unfinished:
        playing = self._playing.get(meeting) or _Playing(meeting, start)
        told = len(playing.told)
        return Unfinished(meeting, level, told, playing.fewest_left(FIND_MOST))

    def tell(self, asking: Asking) -> None:
        """Take an answer, to a question that was to be asked or will be, or never will."""
        self.askings.setdefault(asking.question, []).append(asking)
        one = asking.question
        playing = self._playing.get(Meeting(one.stage, one.first, one.second))
        if playing is not None:
            playing.turn = next(self._turns)
            # A meeting that is over, or was cut off, is told no more.
            if playing in self._open and self._advance(playing):
                self._plan()

    def postpone(self, question: Question) -> None:
        """Let the other meetings have their turn first."""
        meeting = Meeting(question.stage, question.first, question.second)
        self._playing[meeting].turn = next(self._turns)

    def judged(self, question: Question, said: Said) -> Asking:
        """Return the asking to keep and tell for what was said to a question."""
        earlier = self.askings.get(question, [])
        if self.rules.ties is Ties.AGAIN and len(earlier) >= _MOST_TIES:
            raise InvalidInput(
                "ties",
                "again",
                f"{_MOST_TIES} ties in a row: see --ties half",
            )
        return self.rules.judged(question, earlier, said)

    def shown(self, question: Question) -> tuple[Arm, Arm]:
        """Return the items of a question in the order in which it shows them next."""
        swapped = self.rules.swapped(question, len(self.askings.get(question, [])))
        pair = (question.first, question.second)
        return pair[::-1] if swapped else pair

    def next_question(self, pending: Set[Question] = frozenset()) -> Question | None:
        """Return a question that is worth asking while the answers to ``pending`` are awaited.

        Of the questions that are needed in any case the one is chosen whose meeting has the fewest
        answers on the way, and of these the one that was answered longest ago. Only where there is
        none a meeting may run ahead of what it needs, by a tenth of what it took so far at most.
        """
        best: tuple[bool, int, int] | None = None
        chosen: Question | None = None
        for playing in self._open:
            question, ahead = self._next_of(playing, pending)
            speculative = False
            if ahead > 0:
                left = playing.fewest_left(ahead + 1)
                if ahead >= left + len(playing.told) // _AHEAD:
                    continue
                speculative = ahead >= left
            if self._limit is not None and question.number >= self._limit:
                continue
            rank = (speculative, ahead, playing.turn)
            if best is None or rank < best:
                best, chosen = rank, question
        return chosen

    def _next_of(self, playing: _Playing, pending: Set[Question]) -> tuple[Question, int]:
        for number in count(len(playing.told)):
            question = _question(playing.meeting, number)
            if question not in pending and self._outcome(question) is None:
                return question, number - len(playing.told)
        raise AssertionError("a count has no end")

    def _outcome(self, question: Question) -> Outcome | None:
        return self.rules.outcome(self.askings.get(question, []))

    def _advance(self, playing: _Playing) -> bool:
        """Tell a meeting what is known; return whether that may open or close others."""
        moved = False
        while playing.result is None:
            outcome = self._outcome(_question(playing.meeting, len(playing.told)))
            if outcome is None:
                break
            playing.tell(outcome)
            moved = True
        return moved and (playing.result is not None or self._limit is not None)

    def _plan(self) -> None:
        """Find out which meetings are open, and whether the search is at its end."""
        while self.champion is None:
            opened = self._open_of_tournament()
            moved = [self._advance(one) for one in opened]
            if opened and not any(moved):
                self._open = opened
                return
        if not self.searched.certify:
            self._open = []
            return
        self._plan_certificate(self.champion)

    def _plan_certificate(self, champion: Arm) -> None:
        N = self.searched.size
        if self.certification is None:
            others = [arm for arm in range(N) if arm != champion]
            self.certification = Certification(champion, others)
        state = self.certification
        while not state.certified:
            meetings = self._meetings_of(state)
            for one in meetings:
                self._advance(one)
            unfinished = [one for one in meetings if one.result is None]
            losses = [
                (len(one.told), one.meeting.second)
                for one in meetings
                if one.result is Verdict.LOST
            ]
            if losses:
                # Another meeting could have been lost sooner: until that is known, it goes on.
                self._limit, conqueror = min(losses)
                unfinished = [one for one in unfinished if len(one.told) < self._limit]
            self._open = unfinished
            if unfinished:
                return
            if not losses:
                state.certified = True
                state.equivalent = [
                    one.meeting.second for one in meetings if one.result is Verdict.EQUIVALENT
                ]
            else:
                for one in meetings:  # What was asked ahead depends on who answered first.
                    del one.told[self._limit :]
                if not state.reject(conqueror):
                    return
            self._limit = None

    def _meetings_of(self, state: Certification) -> list[_Playing]:
        c, N = state.candidate, self.searched.size
        win, lose = state.levels(self.searched.delta, N)
        rule = evidence_rule(win, lose, self.searched.margin)
        return [
            self._begun(
                Meeting(Stage.CERTIFY, c, other),
                partial(certificate_match, c, other, rule),
            )
            for other in range(N)
            if other != c
        ]

    def _begun(self, meeting: Meeting, start: _Start) -> _Playing:
        if meeting not in self._playing:
            self._playing[meeting] = _Playing(meeting, start)
        return self._playing[meeting]

    def _open_of_tournament(self) -> list[_Playing]:
        """Return the meetings that take place however those before them end.

        The tournament is walked through twice: unknown meetings are won by their first item, or by
        their second. A meeting of both walks does not depend on an unknown one.
        """
        walks = [self._walked(first=True), self._walked(first=False)]
        if not walks[0]:
            return []
        opened = []
        for question in walks[0].values():
            meeting = Meeting(Stage.FIND, question.first, question.second)
            if meeting in walks[1]:
                u, v, level = question.first, question.second, question.delta
                start = partial(self.searched.find_test, u, v, level)
                opened.append(self._begun(meeting, start))
        return opened

    def _walked(self, *, first: bool) -> dict[Meeting, Match]:
        unknown: dict[Meeting, Match] = {}

        def answer(question: Match) -> Arm:
            meeting = Meeting(Stage.FIND, question.first, question.second)
            playing = self._playing.get(meeting)
            if playing is not None and isinstance(playing.result, int):
                return playing.result
            unknown[meeting] = question
            return question.first if first else question.second

        survivor = drive(self.searched.tournament(), answer)
        if not unknown:
            self.champion = survivor
        return unknown


def _question(meeting: Meeting, number: int) -> Question:
    return Question(meeting.stage, meeting.first, meeting.second, number)
