"""The structure of policies at match level, read from their own streams.

A policy *announces* its incumbents. Between two announcements, it depends on earlier matches only
through the last announced arm. So a run consists of segments, one for each pair of an incumbent and
a number of announcements. To read a segment, the policy itself is played up to the segment's end.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tgite.errors import InvalidInput
from tgite.questions import Arm, Incumbent, PairwiseTest, SelfPlay, Stream
from tgite_laws.bracket import Bracket, Meeting, bracket

Policy = Callable[
    [PairwiseTest[Meeting, int]], Stream[Meeting | Incumbent | SelfPlay, int | None, object]
]
"""A policy's stream, as a function of its pairwise test."""


@dataclass(frozen=True, slots=True)
class Block:
    """Rounds of self-play of ``arm``; ``None`` means the survivor of the previous pass."""

    arm: Arm | None
    rounds: int


class _Ended(Exception):
    """The policy ended before it announced an incumbent."""


@dataclass(frozen=True, slots=True)
class Segment:
    """What a policy does from one announcement to the next.

    - ``before``: the self-play before the first match.
    - ``played``: the matches, whose survivor is announced at the end.
    - ``after``: the self-play that follows, with 0 rounds if there is none.
    """

    before: tuple[Block, ...]
    played: Bracket
    after: Block


def segment(policy: Policy, announcements: int, incumbent: Arm, self_play: bool) -> Segment | None:
    """Return the segment after ``announcements`` announcements, the last one of ``incumbent``.

    Until then that arm wins all its matches. In the segment, names take the place of winners. With
    ``self_play``, the question after the segment's own announcement is read too. Returns ``None``
    if the policy ends before the segment's announcement.

    Raises :class:`~tgite.errors.InvalidInput` in three cases: the policy announces another arm
    earlier, it asks anything but its test's matches and self-play, or its matches do not form a
    bracket.
    """
    before: list[Block] = []
    after = Block(None, 0)

    def until_announced(test: PairwiseTest[Meeting, int]) -> Stream[Meeting, int, int]:
        nonlocal after
        stream = policy(test)
        announced = matches = 0
        reply: int | None = None
        while True:
            try:
                question = next(stream) if reply is None else stream.send(reply)
            except StopIteration as stop:
                raise _Ended from stop
            reply = None
            match question:
                case Incumbent(arm) if announced == announcements:
                    following = next(stream, None) if self_play else None
                    if isinstance(following, SelfPlay):
                        whom = None if following.arm == arm else following.arm
                        after = Block(whom, following.rounds)
                    stream.close()
                    return arm
                case Incumbent(arm):
                    announced += 1
                    if arm != incumbent:
                        raise InvalidInput("policy", question, f"must announce {incumbent}")
                case SelfPlay(whom, rounds):
                    if announced == announcements:
                        if matches:
                            raise InvalidInput("policy", question, "must end its pass first")
                        before.append(Block(whom, rounds))
                case Meeting(first, second):
                    if announced == announcements:
                        matches += 1
                        reply = yield question
                    else:
                        reply = incumbent if incumbent in (first, second) else first
                case _:
                    raise InvalidInput("policy", question, "must ask for its test's matches")

    try:
        played = bracket(until_announced)
    except _Ended:
        return None
    return Segment(tuple(before), played, after)
