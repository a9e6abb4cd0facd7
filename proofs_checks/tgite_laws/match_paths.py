"""Play a match-level stream along one path, or along every path.

With a pairwise test that asks for a whole match, an algorithm is a decision tree with two replies
to each match. A generator cannot be copied, so every path is replayed from the root. Each replay
checks that equal replies give equal questions.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar, cast

from tgite.confidence import Confidence
from tgite.questions import Arm, Incumbent, Match, PairwiseTest, SelfPlay, Stream

R = TypeVar("R", covariant=True)

Asked: TypeAlias = Match | Incumbent | SelfPlay
"""A question of a policy whose pairwise test asks for whole matches."""

Won: TypeAlias = tuple[Match, Arm]
"""A match and its winner."""

MatchStream: TypeAlias = Generator[Match, Arm, R] | Generator[Asked, Arm | None, R]
"""A stream over matches: an algorithm's, or a policy's with its announcements and self-play."""


@dataclass(frozen=True, slots=True)
class TimedMatch(Match):
    """A match that takes ``lasting(match, winner)`` rounds."""

    lasting: Callable[[Match, Arm], int]

    def rounds_taken(self, reply: object) -> int:
        """Return ``lasting(match, winner)``."""
        return self.lasting(self, self.second if reply == self.second else self.first)


def timed(lasting: Callable[[Match, Arm], int]) -> PairwiseTest[Match, Arm]:
    """Return the pairwise test that asks for whole matches of known lengths."""

    def test(u: Arm, v: Arm, delta: Confidence) -> Stream[Match, Arm, Arm]:
        winner: Arm = yield TimedMatch(u, v, delta, lasting)
        return winner

    return test


@dataclass(frozen=True, slots=True)
class Path(Generic[R]):
    """One path through a stream.

    ``asked`` holds all questions, and ``winners`` the winner of each match among them. ``ended``
    says whether the stream returned. ``result`` is what it returned, or ``None`` if it was cut.
    """

    asked: tuple[Asked, ...]
    winners: tuple[Arm, ...]
    ended: bool
    result: R | None

    @property
    def matches(self) -> tuple[Match, ...]:
        """The matches in order, parallel to ``winners``."""
        return tuple(question for question in self.asked if isinstance(question, Match))

    @property
    def won(self) -> tuple[Won, ...]:
        """The matches with their winners."""
        return tuple(zip(self.matches, self.winners, strict=True))

    def __str__(self) -> str:
        """Return the path as text that can be replayed: each match with its winner, and the end."""
        winners = iter(self.winners)
        steps = [
            written(question) + (f" won by {next(winners)}" if isinstance(question, Match) else "")
            for question in self.asked
        ]
        end = f"returned {self.result}" if self.ended else "cut"
        return "; ".join([*steps, end])


def written(question: Asked) -> str:
    """Return a question as short text, even for the longest level or block of self-play."""
    match question:
        case Match(first, second, delta):
            return f"({first},{second} @ {delta})"
        case SelfPlay(arm, rounds):
            exponent = rounds.bit_length() - 1
            count = f"2^{exponent}" if rounds == 1 << exponent else f"about 2^{exponent}"
            return f"self-play of {arm}, {rounds if exponent < 64 else count} rounds"
        case Incumbent(arm):
            return f"incumbent {arm}"


class NotDetermined(Exception):
    """A stream asked different questions after the same replies."""


def walk(
    stream: MatchStream[R],
    decide: Callable[[Match], Arm],
    most_matches: int,
    announcements: int | None = None,
) -> Path[R]:
    """Follow a stream along the path on which ``decide`` names the winner of each match.

    The path is cut before match number ``most_matches + 1`` and, where ``announcements`` is given,
    before the first match that follows that many announcements of an incumbent.
    """
    # A stream that asks only for matches never receives None.
    send = cast(Callable[[Arm | None], Asked], stream.send)
    asked: list[Asked] = []
    winners: list[Arm] = []
    announced = 0
    reply: Arm | None = None
    while True:
        try:
            question = send(reply)
        except StopIteration as stop:
            result = cast(R, stop.value)
            return Path(tuple(asked), tuple(winners), True, result)
        reply = None
        if isinstance(question, Match):
            if len(winners) == most_matches or announced == announcements:
                stream.close()
                return Path(tuple(asked), tuple(winners), False, None)
            reply = decide(question)
            winners.append(reply)
        announced += isinstance(question, Incumbent)
        question.check_reply(reply)
        asked.append(question)


def paths(
    make: Callable[[], MatchStream[R]], most_matches: int, announcements: int | None = None
) -> Iterator[Path[R]]:
    """Yield every path of the streams that ``make`` returns, cut as by :func:`walk`.

    The order is lexicographic. On the first path every first argument wins. Raises
    :class:`NotDetermined` if a replay asks different questions.
    """
    forced: list[Arm] = []
    before: Sequence[Match] = ()
    while True:
        path = walk(make(), replaying(forced), most_matches, announcements)
        matches = path.matches
        if matches[: len(forced)] != tuple(before[: len(forced)]):
            raise NotDetermined(f"after {forced}: {matches} and {before}")
        yield path
        forced = list(path.winners)
        while forced and forced[-1] == matches[len(forced) - 1].second:
            forced.pop()
        if not forced:
            return
        forced[-1] = matches[len(forced) - 1].second
        before = matches


def replaying(winners: Sequence[Arm]) -> Callable[[Match], Arm]:
    """Return a decision that names ``winners`` in order, then always the first argument."""
    left = iter(winners)

    def decide(question: Match) -> Arm:
        return next(left, question.first)

    return decide
