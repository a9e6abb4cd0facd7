"""The referee answers a run's duels from a case's tape and reports where the run first differs.

Two matches of a pair cannot overlap, because the later one depends on the earlier one's winner. So
the pair determines which match a duel belongs to, and matches may be played in parallel.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import cached_property
from itertools import zip_longest

from msgspec import UNSET

from tgite import Arm, Confidence, InvalidInput
from tgite_conform.algorithms import ALGORITHMS
from tgite_conform.divergence import (
    Diverged,
    Divergence,
    OneSidedState,
    Parting,
    State,
    Step,
    match_lines,
    show_match,
    state_of,
    stopping_step,
    winner_step,
)
from tgite_conform.format import Answer, Case, Expected, ExpectedMatch, ExpectedSelfPlay, Outcomes
from tgite_conform.positions import Line, Waits, self_play_lines, waits_of, whole_algorithm
from tgite_conform.protocol import Played, PlayedMatch
from tgite_conform.streams import Counterpart
from tgite_conform.tape import MatchOutcomes

_MOST_SHOWN = 4


class Level(StrEnum):
    """How much of the reference's behaviour is required."""

    MATCHES = "matches"
    """The same matches, of the same lengths, and the same answer."""
    ORDER = "order"
    """The same duels in the same order."""


def length_and_winner(match: PlayedMatch | ExpectedMatch) -> str:
    """Return in words how long a match lasted and who won it."""
    duels = f"{match.length} duel{'' if match.length == 1 else 's'}"
    return f"cut after {duels}" if match.winner is None else f"of {duels}, won by {match.winner}"


class Referee(Counterpart):
    """One run of one valid case; every method raises ``Diverged`` at the first difference."""

    def __init__(self, case: Case, level: Level = Level.MATCHES) -> None:
        """Begin a run."""
        if not isinstance(case.expected, Expected):
            raise InvalidInput("case", case.id, "must be one that is played")
        super().__init__(case.expected.horizon)
        self.case = case
        self._level = level
        self.expected = case.expected
        matches = self.expected.matches
        self._outcomes = Outcomes(self.expected)
        self._unpacked: dict[int, MatchOutcomes] = {}
        self._played = [0] * len(matches)
        self._current = 0
        """The first match that is not over, in the reference's order."""
        self._last: int | None = None
        """The match of the latest duel."""
        self._left_of: defaultdict[tuple[Arm, Arm], deque[int]] = defaultdict(deque)
        """The matches of a pair that are not over."""
        for number, match in enumerate(matches):
            self._left_of[match.pair].append(number)
        self._blocks_over = 0
        self._block_rounds = 0
        self._announced = 0

    @cached_property
    def _waits(self) -> tuple[Waits, ...]:
        return waits_of(self.expected.matches)

    def needed(self, number: int) -> tuple[int, ...]:
        """Return the matches that must be over before this one begins."""
        return (*range(self._waits[number].barrier), *self._waits[number].feeders)

    def open(self, first: Arm, second: Arm) -> int:
        """Return the number of the match that a duel of these arms belongs to."""
        numbers = self._left_of[min(first, second), max(first, second)]
        if not numbers:
            raise self._other_duel(first, second, None)
        number = numbers[0]
        if self._level is Level.ORDER and number != self._current:
            raise self._other_duel(first, second, number)
        if self._played[number] == 0:
            self._check_ready(first, second, number)
        match = self.expected.matches[number]
        if match.first != first:
            if self._played[number]:
                raise self._stopped_early(number, f"duel ({first}, {second})")
            raise self._swapped(
                match, f"duel ({first}, {second})", f"duel ({match.first}, {match.second})"
            )
        return number

    def left(self, number: int) -> Iterable[bool]:
        """Return the outcomes of a match that are not used yet."""
        return self._outcomes_of(number).after(self._played[number])

    def _outcomes_of(self, number: int) -> MatchOutcomes:
        if number not in self._unpacked:
            self._unpacked[number] = self._outcomes.of(number)
        return self._unpacked[number]

    def count(self, number: int, duels: int) -> None:
        """Mark this number of the match's outcomes as used."""
        self._last = number
        self._played[number] += duels
        self.duels += duels
        self.rounds += duels
        match = self.expected.matches[number]
        if self._played[number] == match.length:
            self._left_of[match.pair].popleft()
            self._unpacked.pop(number, None)
            while self._current < len(self._played) and self._is_over(self._current):
                self._current += 1

    def answer(self, first: Arm, second: Arm) -> bool:
        """Return the outcome of the next duel."""
        number = self.open(first, second)
        outcome = self._outcomes_of(number)[self._played[number]]
        self.count(number, 1)
        return outcome

    def self_play(self, arm: Arm, rounds: int) -> None:
        """Take a block of self-play, or a part of one."""
        if self.expected.horizon is not None:
            rounds = min(rounds, self.expected.horizon - self.rounds)
        asked = f"self-play of {arm} for {rounds} rounds"
        due = self._self_play_due
        self._require_over(len(self._played) if due is None else due.after, asked)
        if due is None or due.arm != arm or rounds > due.rounds:
            raise self._other_self_play(asked)
        self.rounds += rounds
        self._block_rounds += rounds
        # A duel after self-play cannot continue a match.
        self._last = None
        if rounds == due.rounds:
            self._blocks_over, self._block_rounds = self._blocks_over + 1, 0

    def whole_match(self, number: int, one: PlayedMatch) -> None:
        """Compare a whole match with the ``number``-th expected one."""
        match = self.expected.matches[number]
        same = (one.first, one.length, one.winner) == (match.first, match.length, match.winner)
        if same and one.level is UNSET:
            self.count(number, match.length)
            return
        asked = f"match ({one.first}, {one.second}) {length_and_winner(one)}"
        expected = f"match {show_match(match)} {length_and_winner(match)}"
        if one.level is not UNSET and Confidence.of(one.level) != Confidence.of(match.level):
            lines = match_lines(self.case, match, Step.BEGIN)
            levels = f"level {one.level}", f"level {match.level}"
            raise self.parted(Parting.WRONG_LEVEL, *levels, lines)
        if one.first != match.first:
            raise self._swapped(match, asked, expected)
        # A match that the horizon cuts has no winner yet; naming one means that it was stopped.
        stopped = match.winner is None and one.winner is not None and one.length == match.length
        if one.length != match.length or stopped:
            n = min(one.length, match.length)
            early = one.length < match.length or stopped
            self.duels += n
            parting = Parting.STOPPED_EARLY if early else Parting.WENT_ON
            # A match that used up its tape goes on further.
            length = one.length + (one.winner is None and not early)
            raise self._parted_in(parting, number, n, asked, expected, length)
        if one.winner != match.winner:
            self.duels += match.length - 1
            raise self._parted_in(Parting.WRONG_WINNER, number, match.length, asked, expected)
        self.count(number, match.length)

    def incumbent(self, arm: Arm) -> None:
        """Compare an announcement; a run without announcements conforms, too."""
        announced = self.expected.incumbents
        asked = f"announces {arm}"
        if self._announced == len(announced):
            self._require_over(len(self._played), asked)
            raise self._other_announcement(asked, "no announcement here")
        due = announced[self._announced]
        self._require_over(due.after, asked)
        if due.arm != arm:
            note = self._lost_note((arm,))
            raise self._other_announcement(asked, f"announces {due.arm}", note)
        self._announced += 1

    def returned(self, result: Answer) -> None:
        """Check that the run may return here, with this result."""
        asked = f"returns {result}"
        self._require_over(len(self._played), asked)
        if self._self_play_due is not None:
            raise self._other_self_play(asked)
        if self.expected.horizon is not None:
            last = len(self._played) - 1
            if last >= 0 and self.expected.matches[last].winner is None:
                # The horizon cuts the run, so the run must not return by itself.
                raise self._stopped_early(last, asked)
            lines = whole_algorithm(self.case.algorithm, "does not end")
            raise self.parted(Parting.ENDED_EARLY, asked, "asks on: the player ends it", lines)
        self._check_announcements(asked)
        if result != self.expected.result:
            note = self._lost_note((result,)) if isinstance(result, int) else ""
            if result is None:
                note = "no arm is what a run returns that forgets to return one"
            raise self.parted(
                Parting.WRONG_RESULT,
                asked,
                f"returns {self.expected.result}",
                self.last_lines(),
                note=note,
            )

    def stopped_at_horizon(self) -> None:
        """Check the run's state when the player stops it at the horizon."""
        self._check_announcements("stops at the horizon")

    # Describing a divergence.

    def _is_over(self, number: int) -> bool:
        return self._played[number] == self.expected.matches[number].length

    def _may_go_on(self, number: int) -> bool:
        waits = self._waits[number]
        ready = self._current >= waits.barrier and all(map(self._is_over, waits.feeders))
        return ready and not self._is_over(number)

    def _check_ready(self, first: Arm, second: Arm, number: int) -> None:
        if not self._may_go_on(number):
            raise self._other_duel(first, second, number)
        due = self._self_play_due
        if due is not None and due.after <= number:
            raise self._other_self_play(f"duel ({first}, {second})")

    def _require_over(self, matches: int, asked: str) -> None:
        """Diverge unless the first ``matches`` matches are over."""
        if self._current >= matches:
            return
        unfinished = [n for n in self._unfinished() if n < matches]
        if unfinished:
            raise self._stopped_early(unfinished[0], asked)
        match = self.expected.matches[self._current]
        raise self.parted(
            Parting.ENDED_EARLY,
            asked,
            f"match {show_match(match)}",
            match_lines(self.case, match, Step.BEGIN),
        )

    def _other_duel(self, first: Arm, second: Arm, number: int | None) -> Diverged:
        """Return the divergence of a duel that the reference does not ask."""
        asked = f"duel ({first}, {second})"
        last = self._last
        if last is not None and self._is_over(last):
            match = self.expected.matches[last]
            if {match.first, match.second} == {first, second}:
                return self._went_on(last, asked)
        if number is None:
            blamed = [n for n in self._unfinished() if n == last or self._shares(n, first, second)]
        else:
            needed = {*self.needed(number), last}
            blamed = [n for n in self._unfinished() if n in needed]
        if blamed:
            return self._stopped_early(blamed[0], asked)
        if self._current == len(self._played):
            if self._self_play_due is not None:
                return self._other_self_play(asked)
            end = f"returns {self.expected.result}"
            return self.parted(Parting.DID_NOT_END, asked, end, self.last_lines())
        match = self.expected.matches[self._current]
        return self.parted(
            Parting.OTHER_DUEL if number is None else Parting.TOO_SOON,
            asked,
            self._show_ready(),
            match_lines(self.case, match, Step.BEGIN)[:-1]
            or match_lines(self.case, match, Step.DUEL),
            note=self._lost_note((first, second)) or self._round_note(match),
        )

    def _unfinished(self) -> list[int]:
        return [n for n, played in enumerate(self._played) if played and not self._is_over(n)]

    def _shares(self, number: int, first: Arm, second: Arm) -> bool:
        match = self.expected.matches[number]
        return bool({match.first, match.second} & {first, second})

    def _show_ready(self) -> str:
        matches = enumerate(self.expected.matches)
        ready = [match for number, match in matches if self._may_go_on(number)]
        if self._level is Level.ORDER:
            ready = ready[:1]
        shown = [f"duel ({match.first}, {match.second})" for match in ready[:_MOST_SHOWN]]
        if len(ready) > _MOST_SHOWN:
            shown.append(f"{len(ready) - _MOST_SHOWN} others")
        return " or ".join(shown)

    def _stopped_early(self, number: int, asked: str) -> Diverged:
        played = self._played[number]
        match = self.expected.matches[number]
        if match.winner is not None or ALGORITHMS[self.case.algorithm].certifies:
            goes_on = f"to {match.length}"
        else:
            goes_on = (
                "beyond the horizon" if played == match.length else f"to {match.length} at least"
            )
        due = f"duel ({match.first}, {match.second}) again: after {played} duels the match goes on"
        due = f"{due}, {goes_on}"
        return self._parted_in(Parting.STOPPED_EARLY, number, played, asked, due, played)

    def _went_on(self, number: int, asked: str) -> Diverged:
        length = self.expected.matches[number].length
        over = f"the match is over after {length} duels"
        return self._parted_in(Parting.WENT_ON, number, length, f"{asked} again", over)

    def _parted_in(
        self,
        parting: Parting,
        number: int,
        n: int,
        asked: str,
        expected: str,
        length: int | None = None,
    ) -> Diverged:
        """Return the divergence at a match's stop after ``n`` duels, or at its winner."""
        step_of = winner_step if parting is Parting.WRONG_WINNER else stopping_step
        step = step_of(self.case, number, n, self.expected)
        lines = match_lines(self.case, self.expected.matches[number], step)
        state = state_of(self.case, self.expected, number, n)
        parted = self.parted(parting, asked, expected, lines, state).divergence
        return Diverged(replace(parted, match=number, length=length))

    def _swapped(self, match: ExpectedMatch, asked: str, expected: str) -> Diverged:
        lines = match_lines(self.case, match, Step.DUEL)
        note = self._round_note(match)
        return self.parted(Parting.SWAPPED, asked, expected, lines, note=note)

    def _lost_note(self, arms: Iterable[Arm]) -> str:
        """Return which of the arms lost its latest match, as a remark; "" if none did."""
        for arm in arms:
            for number in reversed(range(len(self._played))):
                match = self.expected.matches[number]
                if self._is_over(number) and arm in (match.first, match.second):
                    if match.winner is not None and match.winner != arm:
                        step = winner_step(self.case, number, match.length, self.expected)
                        at = match_lines(self.case, match, step)[-1]
                        return (
                            f"arm {arm} lost its match ({match.first}, {match.second}) "
                            f"of {match.length} duels ({at})"
                        )
                    break
        return ""

    def _round_note(self, match: ExpectedMatch) -> str:
        """Return the matches of a tournament's later round, as a remark; "" for other matches.

        Arms seem to be swapped or wrong where the arm with the bye, or a winner, stands elsewhere.
        """
        tournament, is_round, r = match.place.rpartition("r")
        if not is_round or not r.isdecimal() or int(r) == 1:
            return ""
        of_round: dict[int, list[ExpectedMatch]] = {}
        for one in self.expected.matches:
            if one.place.startswith(f"{tournament}r"):
                of_round.setdefault(int(one.place.rpartition("r")[2]), []).append(one)
        now, later = of_round[int(r)], [of_round[one] for one in of_round if one >= int(r)]
        shown = ", ".join(f"({one.first}, {one.second})" for one in now[:_MOST_SHOWN])
        note = f"the matches of round {r}: {shown}{', ...' if len(now) > _MOST_SHOWN else ''}"
        winners = [str(one.winner) for one in of_round.get(int(r) - 1, [])]
        if 1 < len(winners) <= 4 * _MOST_SHOWN:
            note += f"; the winners of round {int(r) - 1}, in order: {', '.join(winners)}"
        byes = {arm for round_ in later for one in round_ for arm in one.pair}
        byes -= {arm for one in of_round.get(int(r) - 1, []) for arm in one.pair}
        return f"{note}; arm {min(byes)} had the bye in round {int(r) - 1}" if byes else note

    def order_note(self, played: Played, number: int) -> str:
        """Return from where on a whole run has other matches than expected, as a remark."""
        pairs = [(one.first, one.second) for one in played.matches]
        if played.wanted is not UNSET and (not pairs or played.matches[-1].winner is not None):
            pairs.append(played.wanted)
        due = [(one.first, one.second) for one in self.expected.matches]
        both = enumerate(zip_longest(pairs, due))
        at = next((n for n, (one, right) in both if one != right), 0)
        other, right = (
            ", ".join(map(str, some[at : at + _MOST_SHOWN])) or "none" for some in (pairs, due)
        )
        same = " (the same, in another order)" if sorted(pairs) == sorted(due) else ""
        order = f"from match {at + 1} on it plays {other}; the reference plays {right}{same}"
        asked = () if at == len(pairs) else pairs[at]
        told = self._lost_note(asked) or self._round_note(self.expected.matches[number])
        return f"{told}; {order}" if told else order

    def _check_announcements(self, asked: str) -> None:
        if 0 < self._announced < len(self.expected.incumbents):
            due = self.expected.incumbents[self._announced]
            raise self._other_announcement(asked, f"announces {due.arm}")

    def _other_announcement(self, asked: str, expected: str, note: str = "") -> Diverged:
        lines = whole_algorithm(self.case.algorithm, "its incumbent")
        return self.parted(Parting.INCUMBENT, asked, expected, lines, note=note)

    @property
    def _self_play_due(self) -> ExpectedSelfPlay | None:
        """Return the rest of the next block of self-play."""
        for block in self.expected.self_play[self._blocks_over :]:
            return ExpectedSelfPlay(block.after, block.arm, block.rounds - self._block_rounds)
        return None

    def _other_self_play(self, asked: str) -> Diverged:
        due = self._self_play_due
        expected = (
            "no self-play here"
            if due is None
            else f"self-play of {due.arm} for {due.rounds} rounds"
        )
        lines = self_play_lines(self.case.algorithm, self._blocks_over)
        return self.parted(Parting.SELF_PLAY, asked, expected, lines)

    def last_lines(self) -> tuple[Line, ...]:
        """Return the lines that lead to the end of the last match."""
        matches = self.expected.matches
        if not matches:
            return (Line("alg:bkt", "L8"),)
        step = winner_step(self.case, len(matches) - 1, matches[-1].length, self.expected)
        return match_lines(self.case, matches[-1], step)

    def parted(
        self,
        parting: Parting,
        asked: str,
        expected: str,
        lines: tuple[Line, ...],
        state: State | OneSidedState | None = None,
        note: str = "",
    ) -> Diverged:
        """Return a divergence at the run's next duel."""
        at = self._current
        return Diverged(
            Divergence(parting, self.duels + 1, asked, expected, lines, state, note, at=at)
        )


def check_played(case: Case, played: Played, level: Level) -> None:
    """Compare a whole run with the reference's; raise ``Diverged`` for the first difference.

    The order of the matches counts only at the level ``order``.
    """
    referee = Referee(case, level)
    expected = referee.expected
    taken = _matched(expected, played, level)
    blocks = [(block.arm, block.rounds) for block in expected.self_play]
    for number, one in enumerate(taken):
        try:
            if one is not None:
                referee.whole_match(number, one)
                continue
        except Diverged as diverged:
            found, last = diverged, played.matches.index(one)
        else:
            found, last = _missing(referee, played, taken, number), len(played.matches)
        # After wrong self-play or matches, the same arms may meet at another place.
        due = blocks[: sum(block.after <= number for block in expected.self_play)]
        _check_self_play(referee, case, played.self_play[: len(due)], due)
        strange = _out_of_place(referee, played, taken)
        if any(strange is other for other in played.matches[:last]):
            found = _missing(referee, played, taken, number)
        raise found
    surplus = len(played.matches) > len(taken) or played.wanted is not UNSET
    if not surplus or list(played.self_play[: len(blocks)]) != blocks:
        _check_self_play(referee, case, played.self_play, blocks)
    if surplus:
        asked = _asked(played, _out_of_place(referee, played, taken))
        end = "stops at the horizon" if expected.horizon else f"returns {expected.result}"
        raise referee.parted(Parting.DID_NOT_END, asked, end, referee.last_lines())
    _check_rest(referee, case, played)


def _out_of_place(
    referee: Referee, played: Played, taken: Sequence[PlayedMatch | None]
) -> PlayedMatch | None:
    """Return the first match in the run's order that is not expected there."""
    number_of, over = {id(one): number for number, one in enumerate(taken)}, set[int]()
    for one in played.matches:
        number = number_of.get(id(one))
        if number is None or not over.issuperset(referee.needed(number)):
            return one
        over.add(number)
    return None


def _asked(played: Played, strange: PlayedMatch | None) -> str:
    """Return an unexpected match, or else the pair without a tape, as text."""
    if strange is not None:
        return f"match ({strange.first}, {strange.second})"
    return "" if played.wanted is UNSET else "match ({}, {})".format(*played.wanted)


def _matched(expected: Expected, played: Played, level: Level) -> list[PlayedMatch | None]:
    """Return for each expected match the one that was played in its place."""
    if level is Level.ORDER:
        in_order: list[PlayedMatch | None] = list(played.matches[: len(expected.matches)])
        for number, one in enumerate(in_order):
            match = expected.matches[number]
            if one is not None and {one.first, one.second} != {match.first, match.second}:
                in_order[number] = None
        return in_order + [None] * (len(expected.matches) - len(in_order))
    of_pair: dict[frozenset[Arm], list[PlayedMatch]] = {}
    for one in played.matches:
        of_pair.setdefault(frozenset((one.first, one.second)), []).append(one)
    queues = {pair: iter(matches) for pair, matches in of_pair.items()}
    return [
        next(queues.get(frozenset((match.first, match.second)), iter(())), None)
        for match in expected.matches
    ]


def _missing(
    referee: Referee, played: Played, taken: Sequence[PlayedMatch | None], number: int
) -> Diverged:
    """Return the divergence of a run without the expected match with this number in its place."""
    match, case = referee.expected.matches[number], referee.case
    lines = match_lines(case, match, Step.BEGIN)[:-1] or match_lines(case, match, Step.BEGIN)
    note = referee.order_note(played, number)
    if asked := _asked(played, _out_of_place(referee, played, taken)):
        expected = f"match {show_match(match)}"
        return referee.parted(Parting.OTHER_DUEL, asked, expected, lines, note=note)
    asked = f"ends after {len(played.matches)} matches"
    expected = f"match {show_match(match)} {length_and_winner(match)}"
    return referee.parted(Parting.ENDED_EARLY, asked, expected, lines, note=note)


def _check_self_play(
    referee: Referee, case: Case, played: Sequence[tuple[Arm, int]], due: list[tuple[Arm, int]]
) -> None:
    expected = referee.expected
    for number, (one, block) in enumerate(zip_longest(played, due)):
        if one != block:
            after = expected.self_play[number].after if block else len(expected.matches)
            referee.duels = sum(match.length for match in expected.matches[:after])
            lines = self_play_lines(case.algorithm, number)
            raise referee.parted(Parting.SELF_PLAY, _shown(one), _shown(block), lines)


def _check_rest(referee: Referee, case: Case, played: Played) -> None:
    expected = referee.expected
    announced = [one.arm for one in expected.incumbents]
    if played.incumbents is not UNSET and list(played.incumbents) != announced:
        made = f"announces {list(played.incumbents)}"
        lines = whole_algorithm(case.algorithm, "its incumbents")
        raise referee.parted(Parting.INCUMBENT, made, f"announces {announced}", lines)
    if played.result != expected.result:
        cut = ": the horizon ends the run" if expected.horizon else ""
        returned, due = f"returns {played.result}", f"returns {expected.result}{cut}"
        raise referee.parted(Parting.WRONG_RESULT, returned, due, referee.last_lines())


def _shown(block: tuple[Arm, int] | None) -> str:
    return "no self-play" if block is None else f"self-play of {block[0]} for {block[1]} rounds"
