"""Walking through match-level streams: one path, or every path there is.

With a pairwise test that asks for a whole match, an algorithm is a decision tree: each match has
two replies. A generator cannot be copied, so every path is replayed from the root, and it is
checked on the way that equal replies bring equal questions.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar, cast

from tgite.confidence import Confidence
from tgite.questions import Arm, Incumbent, Match, PairwiseTest, SelfPlay, Stream

R = TypeVar("R", covariant=True)

Asked: TypeAlias = Match | Incumbent | SelfPlay
"""What a policy asks when its pairwise test asks for whole matches."""

Won: TypeAlias = tuple[Match, Arm]
"""A match and its winner."""

MatchStream: TypeAlias = Generator[Match, Arm, R] | Generator[Asked, Arm | None, R]
"""A stream over matches: an algorithm's, or a policy's with its announcements and self-play."""


@dataclass(frozen=True, slots=True)
class TimedMatch(Match):
    """A match that takes as many rounds as ``lasting`` says of it and its winner."""

    lasting: Callable[[Match, Arm], int]

    def rounds_taken(self, reply: object) -> int:
        """Return what ``lasting`` says."""
        return self.lasting(self, self.second if reply == self.second else self.first)


def timed(lasting: Callable[[Match, Arm], int]) -> PairwiseTest[Match, Arm]:
    """Return the pairwise test that asks for whole matches of known lengths."""

    def test(u: Arm, v: Arm, delta: Confidence) -> Stream[Match, Arm, Arm]:
        winner: Arm = yield TimedMatch(u, v, delta, lasting)
        return winner

    return test


@dataclass(frozen=True, slots=True)
class Path(Generic[R]):
    """One way through a stream.

    ``asked`` holds all its questions, ``winners`` the winner told for each match among them.
    ``ended`` says whether the stream returned, and ``result`` is what (``None`` if it was cut).
    """

    asked: tuple[Asked, ...]
    winners: tuple[Arm, ...]
    ended: bool
    result: R | None

    @property
    def matches(self) -> tuple[Match, ...]:
        """The matches asked, in order; ``winners`` belong to them."""
        return tuple(question for question in self.asked if isinstance(question, Match))

    @property
    def won(self) -> tuple[Won, ...]:
        """The matches with their winners."""
        return tuple(zip(self.matches, self.winners, strict=True))

    def __str__(self) -> str:
        """Write the path so that it can be replayed: each match with its winner, and the end."""
        winners = iter(self.winners)
        steps = [
            written(question) + (f" won by {next(winners)}" if isinstance(question, Match) else "")
            for question in self.asked
        ]
        end = f"returned {self.result}" if self.ended else "cut"
        return "; ".join([*steps, end])


def written(question: Asked) -> str:
    """Write a question so that even the longest level or block of self-play can be read."""
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
    """A stream asked differently after the same replies: it is no function of what it is told."""


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
    # A stream that asks for matches alone is never told None.
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
    """Go through every path of the streams that ``make`` returns, cut as :func:`walk` does.

    The first path is the one on which every match is won by its first argument; the order is
    lexicographic. Raises :class:`NotDetermined` where a replay asks other questions than before.
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
    """Return a decision that names ``winners`` one after the other, then each first argument."""
    left = iter(winners)

    def decide(question: Match) -> Arm:
        return next(left, question.first)

    return decide
