"""The referee answers a run's duels from a case's tape and reports where the run first differs.

Two matches of a pair cannot overlap, because the later one depends on the earlier one's winner. So
the pair determines which match a duel belongs to, and matches may be played in parallel.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from dataclasses import replace
from enum import StrEnum
from itertools import zip_longest

from msgspec import UNSET, UnsetType

from tgite import Arm, Confidence, Duel, InvalidInput
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
from tgite_conform.format import (
    Answer,
    Case,
    Expected,
    ExpectedMatch,
    ExpectedSelfPlay,
    Outcomes,
    SaidCertificate,
)
from tgite_conform.positions import Line, self_play_lines, waits_of, whole_algorithm
from tgite_conform.protocol import Played, PlayedMatch

_MOST_SHOWN = 4
OTHER_MATCHES = Parting.OTHER_DUEL, Parting.TOO_SOON, Parting.SWAPPED, Parting.ENDED_EARLY
"""The partings of a run in which another match is next, or none."""


class Level(StrEnum):
    """How much of the reference's behaviour is required."""

    MATCHES = "matches"
    """The same matches, of the same lengths, and the same answer."""
    ORDER = "order"
    """The same duels in the same order."""


def length_and_winner(match: PlayedMatch | ExpectedMatch, without: str = "cut") -> str:
    """Return in words how long a match lasted and who won it, or how it ended ``without`` that."""
    duels = f"{match.length} duel{'' if match.length == 1 else 's'}"
    if match.winner is None:
        return f"{without} after {duels}"
    return f"of {duels}, won by {match.winner}"


def _without_winner(expected: Expected, match: ExpectedMatch) -> str:
    """Return how a certificate's match ended without a winner."""
    said = expected.result
    if isinstance(said, SaidCertificate) and match.second in said.equivalent:
        return "equivalent"
    if expected.horizon is not None and match is expected.matches[-1]:
        return "cut"
    return "ended by a budget"


class Referee:
    """One run of one valid case; every method raises ``Diverged`` at the first difference."""

    def __init__(self, case: Case, level: Level = Level.MATCHES) -> None:
        """Begin a run."""
        if not isinstance(case.expected, Expected):
            raise InvalidInput("case", case.id, "must be one that is played")
        self.case = case
        self.duels = self.rounds = 0
        self._level = level
        self.expected = case.expected
        matches = self.expected.matches
        self._outcomes = Outcomes(self.expected)
        self._outcomes_left: dict[int, Iterator[bool]] = {}
        self._waits = waits_of(matches)
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

    def cuts(self, rounds: int = 1) -> bool:
        """Return whether the player stops before or within so many more rounds."""
        return self.expected.horizon is not None and rounds > self.expected.horizon - self.rounds

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
            asked, due = f"duel ({first}, {second})", f"duel ({match.first}, {match.second})"
            lines, note = match_lines(self.case, match, Step.DUEL), self._round_note(match)
            raise self.parted(Parting.SWAPPED, asked, due, lines, note=note)
        return number

    def left(self, number: int) -> Iterator[bool]:
        """Return an iterator of the outcomes of a match that are not used yet."""
        if number not in self._outcomes_left:
            self._outcomes_left[number] = iter(self._outcomes.of(number).after(0))
        return self._outcomes_left[number]

    def count(self, number: int, duels: int) -> None:
        """Mark this number of the match's outcomes as used."""
        self._last = number
        self._played[number] += duels
        self.duels += duels
        self.rounds += duels
        match = self.expected.matches[number]
        if self._played[number] == match.length:
            self._left_of[match.pair].popleft()
            self._outcomes_left.pop(number, None)
            while self._current < len(self._played) and self._is_over(self._current):
                self._current += 1

    def answer(self, first: Arm, second: Arm) -> bool:
        """Return the outcome of the next duel."""
        number = self.open(first, second)
        outcome = next(self.left(number))
        self.count(number, 1)
        return outcome

    def answers(self, duels: Iterable[Duel]) -> list[bool]:
        """Return the outcomes of the next duels, up to the horizon."""
        block, told = list(duels), list[bool]()
        try:
            told.extend(self.answer(one.first, one.second) for one in block if not self.cuts())
        except Diverged as diverged:
            at = f"number {len(told) + 1} of the {len(block)} duels that it asks for in one message"
            note = "; ".join(filter(None, (at, diverged.divergence.note)))
            raise Diverged(replace(diverged.divergence, note=note)) from None
        return told

    def self_play(self, arm: Arm, rounds: int) -> None:
        """Take a block of self-play, or a part of one."""
        if self.expected.horizon is not None:
            rounds = min(rounds, self.expected.horizon - self.rounds)
        asked = f"self-play of {arm} for {rounds} rounds"
        due = self._self_play_due
        self._require_over(len(self._played) if due is None else due.after, asked)
        if due is None or due.arm != arm or rounds > due.rounds:
            raise self.other_self_play(asked)
        self.rounds += rounds
        self._block_rounds += rounds
        # A duel after self-play cannot continue a match.
        self._last = None
        if rounds == due.rounds:
            self._blocks_over, self._block_rounds = self._blocks_over + 1, 0

    def whole_self_play(self, blocks: Iterator[tuple[Arm, int]]) -> None:
        """Compare the next whole blocks with those that are due here."""
        while (due := self._self_play_due) is not None and self._current == due.after:
            if (one := next(blocks, None)) is None:
                raise self.other_self_play("no self-play")
            if one != (due.arm, due.rounds):
                raise self.other_self_play(f"self-play of {one[0]} for {one[1]} rounds")
            self.self_play(*one)

    def whole_match(self, number: int, one: PlayedMatch) -> None:
        """Compare a whole match with the ``number``-th expected one."""
        match = self.expected.matches[number]
        if not _is_level(one.level, match.level):
            lines = match_lines(self.case, match, Step.BEGIN)
            levels = f"level {one.level}", f"level {match.level}"
            raise self.parted(Parting.WRONG_LEVEL, *levels, lines)
        if (one.length, one.winner) == (match.length, match.winner):
            self.count(number, match.length)
            # The next match of these arms is another one.
            self._last = None
            return
        certifies = ALGORITHMS[self.case.algorithm].certifies
        how = ("without a winner", _without_winner(self.expected, match)) if certifies else ()
        asked = f"match ({one.first}, {one.second}) {length_and_winner(one, *how[:1])}"
        expected = f"match {show_match(match)} {length_and_winner(match, *how[1:])}"
        # A match that the horizon cuts has no winner yet; naming one means that it was stopped.
        stopped = match.winner is None and one.length == match.length
        if one.length != match.length or stopped:
            n = min(one.length, match.length)
            early = one.length < match.length or stopped
            self.duels += n
            parting = Parting.STOPPED_EARLY if early else Parting.WENT_ON
            # One that used up its tape goes on further. Where one that is cut ends is not known.
            open_ended = one.winner is None and not certifies
            length = 0 if early and open_ended else one.length + (one.winner is None and not early)
            raise self._parted_in(parting, number, n, asked, expected, length)
        self.duels += match.length - 1
        raise self._parted_in(Parting.WRONG_WINNER, number, match.length, asked, expected)

    def duels_of(self, one: PlayedMatch) -> None:
        """Compare a match duel by duel, as far as the tape's matches go."""
        left = one.length
        while left:
            number = self.open(one.first, one.second)
            duels = min(left, self.expected.matches[number].length - self._played[number])
            self.count(number, duels)
            left -= duels

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
            note = self.lost_note((arm,))
            raise self._other_announcement(asked, f"announces {due.arm}", note)
        self._announced += 1

    def returned(self, result: Answer) -> None:
        """Check that the run may return here, with this result."""
        asked = f"returns {result}"
        self.ended(asked)
        if self.expected.horizon is not None:
            last = len(self._played) - 1
            if last >= 0 and self.expected.matches[last].winner is None:
                # The horizon cuts the run, so the run must not return by itself.
                raise self._stopped_early(last, asked)
            lines = whole_algorithm(self.case.algorithm, "does not end")
            raise self.parted(Parting.ENDED_EARLY, asked, "asks on: the player ends it", lines)
        self.check_announcements(asked)
        if result != self.expected.result:
            note = self.lost_note((result,)) if isinstance(result, int) else ""
            if result is None:
                note = "no arm is what a run returns that forgets to return one"
            raise self.parted(
                Parting.WRONG_RESULT,
                asked,
                f"returns {self.expected.result}",
                self.last_lines(),
                note=note,
            )

    def ended(self, asked: str) -> None:
        """Check that the run may end here."""
        self._require_over(len(self._played), asked)
        if self._self_play_due is not None:
            raise self.other_self_play(asked)

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
            raise self.other_self_play(f"duel ({first}, {second})")

    def _require_over(self, matches: int, asked: str) -> None:
        """Diverge unless the first ``matches`` matches are over."""
        if self._current >= matches:
            return
        unfinished = [n for n in self._unfinished() if n < matches]
        if unfinished:
            raise self._stopped_early(unfinished[0], asked)
        match = self.expected.matches[self._current]
        raise self.parted(
            Parting.ENDED_EARLY, asked, f"match {show_match(match)}", self._lines_to(match)
        )

    def _lines_to(self, match: ExpectedMatch) -> tuple[Line, ...]:
        """Return the lines that lead to a match, or to a test by itself its first duel."""
        return match_lines(self.case, match, Step.BEGIN)[:-1] or match_lines(
            self.case, match, Step.DUEL
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
            pairs, arms = [match.pair for match in self.expected.matches], {first, second}
            blamed = [n for n in self._unfinished() if n == last or arms & {*pairs[n]}]
        else:
            needed = set(self._waits[number].feeders)
            needed.update(range(self._waits[number].barrier))
            blamed = [n for n in self._unfinished() if n in needed or n == last]
        if blamed:
            return self._stopped_early(blamed[0], asked)
        if self._current == len(self._played):
            if self._self_play_due is not None:
                return self.other_self_play(asked)
            horizon = self.expected.horizon
            end = f"returns {self.expected.result}" if horizon is None else "stops at the horizon"
            return self.parted(Parting.DID_NOT_END, asked, end, self.last_lines())
        match = self.expected.matches[self._current]
        return self.parted(
            Parting.OTHER_DUEL if number is None else Parting.TOO_SOON,
            asked,
            self._show_ready(),
            self._lines_to(match),
            note=self.lost_note((first, second)) or self._round_note(match),
        )

    def _unfinished(self) -> list[int]:
        return [n for n, played in enumerate(self._played) if played and not self._is_over(n)]

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

    def lost_note(self, arms: Iterable[Arm]) -> str:
        """Return which of the arms lost its latest match, as a remark; "" if none did."""
        for arm in arms:
            over = [n for n, match in enumerate(self.expected.matches) if arm in match.pair]
            for number in [n for n in over if self._is_over(n)][-1:]:
                match = self.expected.matches[number]
                if match.winner not in (None, arm):
                    step = winner_step(self.case, number, match.length, self.expected)
                    at = match_lines(self.case, match, step)[-1]
                    shown = f"({match.first}, {match.second}) of {match.length} duels ({at})"
                    return f"arm {arm} lost its match {shown}"
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

    def order_note(self, played: Played) -> str:
        """Return from where on a whole run has other matches than expected, as a remark."""
        pairs = [(one.first, one.second) for one in played.matches]
        if played.wanted is not UNSET and (not pairs or played.matches[-1].winner is not None):
            pairs.append(played.wanted)
        due = [(one.first, one.second) for one in self.expected.matches]
        both = enumerate(zip_longest(pairs, due))
        at = next((n for n, (one, right) in both if one != right), 0)
        if at == len(pairs):
            return ""
        other, right = (", ".join(map(str, some[at : at + _MOST_SHOWN])) for some in (pairs, due))
        same = " (the same, in another order)" if sorted(pairs) == sorted(due) else ""
        return f"from match {at + 1} on it plays {other}; the reference plays {right}{same}"

    def check_announcements(self, asked: str = "stops at the horizon") -> None:
        """Diverge if the latest match or block must be followed by an announcement first."""
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

    def other_self_play(self, asked: str) -> Diverged:
        """Return the divergence of a run without the self-play that is due."""
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


def _is_level(named: str | UnsetType, due: str) -> bool:
    """Return whether a level that a program names, if any, is the one that is due."""
    if named in (UNSET, due):
        return True
    try:
        return Confidence.of(str(named)) == Confidence.of(due)
    except InvalidInput:
        return False


def _is_match(one: PlayedMatch, due: ExpectedMatch) -> bool:
    """Return whether a match is as expected, with its level in the same form or without it."""
    row = due.first, due.second, due.length, due.winner
    same = (one.first, one.second, one.length, one.winner) == row
    return same and one.level in (UNSET, due.level)


def _is_as(case: Case, played: Played) -> bool:
    """Return whether a run is written as the reference's, in the same order."""
    of, due, announced = played.matches, case.expected, played.incumbents
    return (
        isinstance(due, Expected)
        and len(of) == len(due.matches)
        and all(map(_is_match, of, due.matches))
        and list(played.self_play) == [(block.arm, block.rounds) for block in due.self_play]
        and announced in (UNSET, tuple(one.arm for one in due.incumbents))
        and (played.wanted, played.result) == (UNSET, due.result)
    )


def check_played(case: Case, played: Played, level: Level, whole: bool = True) -> None:
    """Compare a whole run with the reference's; raise ``Diverged`` for the first difference.

    The order of the matches counts only at the level ``order``. If not ``whole``, the difference is
    the one that is found duel by duel.
    """
    if _is_as(case, played):
        return
    referee, blocks = Referee(case, level), iter(played.self_play)
    expected = referee.expected
    try:
        for one in played.matches:
            referee.whole_self_play(blocks)
            if whole:
                referee.whole_match(referee.open(one.first, one.second), one)
            else:
                referee.duels_of(one)
        referee.whole_self_play(blocks)
        if played.wanted is not UNSET:
            referee.open(*played.wanted)
        referee.ended(f"ends after {len(played.matches)} matches")
    except Diverged as diverged:
        if whole and expected.ordered and level is not Level.ORDER:
            check_played(case, played, Level.ORDER, whole)
        found = diverged.divergence
        order = referee.order_note(played) if found.parting in OTHER_MATCHES else ""
        note = "; ".join(filter(None, (found.note, order)))
        raise Diverged(replace(found, note=note)) from None
    if (extra := next(blocks, None)) is not None:
        raise referee.other_self_play(f"self-play of {extra[0]} for {extra[1]} rounds")
    announced = [one.arm for one in expected.incumbents]
    if played.incumbents is not UNSET and list(played.incumbents) != announced:
        made, lines = list(played.incumbents), whole_algorithm(case.algorithm, "its incumbents")
        missing = len(announced) - len(made) if made == announced[: len(made)] else 0
        note = f"of these it leaves out the last {missing}" if missing else ""
        both = f"announces {made}", f"announces {announced}"
        raise referee.parted(Parting.INCUMBENT, *both, lines, note=note)
    if played.result != expected.result:
        cut = ": the horizon ends the run" if expected.horizon else ""
        returned, due = f"returns {played.result}", f"returns {expected.result}{cut}"
        note = referee.lost_note([played.result] if isinstance(played.result, int) else [])
        raise referee.parted(Parting.WRONG_RESULT, returned, due, referee.last_lines(), note=note)
