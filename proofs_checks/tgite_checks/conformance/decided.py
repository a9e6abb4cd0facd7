"""Runs that are decided on their tapes: where a match stops is found without playing it.

The algorithm asks for whole matches and is told their winners. Where one stops is said by the real
numbers' boundaries, not by the test's floats, and by whole pieces of the tape, so that a run of
thousands of millions of duels takes seconds. (MixtureTest's boundary is looked at duel by duel.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, cast

from tgite import Arm, Confidence, Incumbent, InvalidInput, Match, SelfPlay
from tgite_checks.conformance.algorithms import ReferenceStream
from tgite_checks.conformance.certificates import NOBODY, Test, Watch
from tgite_checks.conformance.format import (
    Expected,
    ExpectedIncumbent,
    ExpectedMatch,
    ExpectedSelfPlay,
    PairTape,
)
from tgite_checks.conformance.margins import Margin, nearest_budget
from tgite_checks.conformance.places import Following, is_ordered
from tgite_checks.conformance.tape import MatchOutcomes, first_stop
from tgite_checks.fidelity.boundaries import least_budgeted_margin, least_margin
from tgite_checks.pairwise import ChosenTest, PairwiseName

_SPARE_OUTCOMES = 16


@dataclass(slots=True)
class _Meeting:
    """A whole match that is asked for, arms as they are written, and how it went.

    ``rounds`` is how many duels it takes in full, as far as the tape says; ``length`` how many are
    played. ``winner`` is None where it is cut.
    """

    first: Arm
    second: Arm
    level: Confidence
    place: str
    rounds: int = 0
    length: int = 0
    winner: Arm | None = None

    def rounds_taken(self, reply: object) -> int:
        """Take the rounds of the match, for a policy that counts them."""
        return self.rounds

    @property
    def pair(self) -> tuple[Arm, Arm]:
        """Its two arms, the lower one first."""
        return min(self.first, self.second), max(self.first, self.second)

    @property
    def expected(self) -> ExpectedMatch:
        """What stands in the vectors."""
        level = str(self.level)
        return ExpectedMatch(self.first, self.second, level, self.length, self.winner, self.place)


class DecidedRun:
    """A run on a tape, each of whose matches is decided when it is asked for."""

    def __init__(
        self,
        stream: Callable[[Watch], ReferenceStream],
        following: Following,
        test: ChosenTest,
        first_arm: int,
        tape: Iterable[PairTape],
        horizon: int | None,
        H: int | None,
    ) -> None:
        """Begin; ``stream`` makes the algorithm's stream with a watch around its pairwise test.

        ``horizon`` is the player's, ``H`` the algorithm's own.
        """
        self._stream, self._following, self._test = stream, following, test
        self._first_arm, self._horizon, self._H = first_arm, horizon, H
        self._left = {(pair.low, pair.high): iter(pair.outcomes) for pair in tape}
        self._used: dict[tuple[Arm, Arm], list[str]] = {}
        self._rounds = 0
        self._meetings: list[_Meeting] = []
        self._blocks: list[ExpectedSelfPlay] = []
        self._announced: list[ExpectedIncumbent] = []
        self.margins: list[Margin] = []
        """Of the paper's tests, those of the last decisions of each match."""

    def expected(self) -> Expected:
        """Decide the run.

        Raises :class:`~tgite.errors.InvalidInput` for a tape that does not reach as far as the run,
        and for a horizon that is not reached.
        """
        result, ended = self._play(), self._rounds != self._horizon
        if self._horizon is not None and ended:
            raise InvalidInput("horizon", self._horizon, f"is beyond the end at {self._rounds}")
        played = [meeting for meeting in self._meetings if meeting.length]
        return Expected(
            tape=tuple(PairTape(*pair, tuple(self._used[pair])) for pair in sorted(self._used)),
            matches=tuple(meeting.expected for meeting in played),
            self_play=tuple(self._blocks),
            incumbents=tuple(self._announced),
            horizon=self._horizon,
            result=result,
            ordered=is_ordered(
                [meeting.place for meeting in self._meetings],
                len(played),
                any(meeting.winner is None for meeting in played),
            ),
            margin="",
        )

    def _asking(self, test: Test) -> Test:
        """Return the test that asks for whole matches."""

        def asking(u: Arm, v: Arm, delta: Confidence) -> Any:
            place = self._following.begin(Match(u, v, delta))
            meeting = _Meeting(u + self._first_arm, v + self._first_arm, delta, place)
            self._meetings.append(meeting)
            yield meeting
            winner, loser = (v, u) if meeting.winner == meeting.second else (u, v)
            self._following.won(winner, loser)
            return winner

        return cast(Test, asking)

    def _play(self) -> Arm | None:
        """Play to the end or to the player's horizon; return the result."""
        stream = cast(Any, self._stream(Watch(self._asking, NOBODY.one_sided)))
        try:
            question = next(stream)
            while True:
                left = None if self._horizon is None else self._horizon - self._rounds
                match question:
                    case Incumbent(arm):
                        self._announced.append(ExpectedIncumbent(self._over, arm))
                    case _ if left == 0:
                        break
                    case SelfPlay(arm, rounds):
                        rounds = rounds if left is None else min(rounds, left)
                        if rounds:
                            self._blocks.append(ExpectedSelfPlay(self._over, arm, rounds))
                            self._rounds += rounds
                        if rounds < question.rounds:
                            break
                    case _:
                        self._decide(question, left)
                        if question.winner is None and self._rounds == self._horizon:
                            break
                question = stream.send(None)
        except StopIteration as stop:
            return cast("Arm | None", stop.value)
        stream.close()
        return None

    @property
    def _over(self) -> int:
        return sum(1 for meeting in self._meetings if meeting.length)

    def _decide(self, meeting: _Meeting, left: int | None) -> None:
        """Find where a match stops on the tape, with so many rounds ``left`` to the player."""
        limits = [left] if left is not None else []
        limits += [self._H - self._rounds] if self._H is not None else []
        entry = next(self._left.get(meeting.pair, iter(())), None)
        if entry is None:
            raise self._too_short(meeting, "is missing")
        outcomes = MatchOutcomes(entry, inverted=meeting.first > meeting.second)
        most = self._test.most(meeting.level)
        find = _stepped if self._test.name is PairwiseName.MIXTURE else first_stop
        stop = find(outcomes, self._margin(meeting.level), most)
        cut = min(limits, default=None)
        if stop is None:
            if cut is None or cut > outcomes.length:
                raise self._too_short(meeting, f"ends after {outcomes.length} duels")
            meeting.rounds = cut + 1
        else:
            meeting.rounds, lead = stop
        meeting.length = meeting.rounds if cut is None else min(meeting.rounds, cut)
        if stop is not None and meeting.length == meeting.rounds:
            meeting.winner = meeting.first if lead >= 0 else meeting.second
        self._rounds += meeting.length
        self._used.setdefault(meeting.pair, []).append(_with_spare(entry, outcomes, meeting))
        self._note_margins(meeting, outcomes, most)

    def _margin(self, level: Confidence) -> Callable[[int], int]:
        """Return the lead at which a match stops, as a function of its duels."""
        g = self._test.g
        if not self._test.name.of_the_paper:
            lead = self._test.lead(level)
            assert lead is not None
            return lead
        if g is None:
            return lambda n: least_margin(n, level)
        return lambda n: least_budgeted_margin(n, g, level)

    def _note_margins(self, meeting: _Meeting, outcomes: MatchOutcomes, most: int | None) -> None:
        if self._test.name.of_the_paper:
            last = {meeting.length - 1, meeting.length} - {0}
            self.margins += (
                Margin.of(n, outcomes.wins(n), meeting.level, self._test.g) for n in last
            )
        if meeting.length == most:
            self.margins.append(nearest_budget(self._test, meeting.level))

    def _too_short(self, meeting: _Meeting, why: str) -> InvalidInput:
        number = len(self._meetings)
        said = f"match {number}: ({meeting.first}, {meeting.second}) at level {meeting.level}"
        return InvalidInput("tape", said, f"{why}, where the reference plays on")


def _stepped(
    outcomes: MatchOutcomes, margin: Callable[[int], int], most: int | None
) -> tuple[int, int] | None:
    """Do what ``first_stop`` does, for any margin: MixtureTest's has the parity of n."""
    lead = 0
    for n, outcome in enumerate(outcomes.after(0), start=1):
        lead += 1 if outcome else -1
        if abs(lead) >= margin(n) or n == most:
            return n, lead
    return None


def _with_spare(entry: str, outcomes: MatchOutcomes, meeting: _Meeting) -> str:
    """Let the winner win on beyond the end, so that an entry's length does not give it away."""
    missing = meeting.length + _SPARE_OUTCOMES - outcomes.length
    if missing <= 0:
        return entry
    digit = "f" if meeting.winner in (None, meeting.pair[0]) else "0"
    space = " " if "*" in entry.rpartition(" ")[2] else ""
    return entry + space + digit * -(-missing // 4)
