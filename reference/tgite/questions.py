"""The questions that an algorithm can ask through its stream.

An algorithm is a generator that yields questions, is sent the replies, and returns its answer:

* :class:`Duel` is one comparison of two different arms; the reply is ``True`` if the first wins;
* :class:`SelfPlay` is a block of self-comparisons; the reply is ``None``, without outcomes;
* :class:`Match` is a whole pairwise test; the reply is its winner;
* :class:`Incumbent` announces the arm that the algorithm now believes to be best; it costs no
  round.

``Stream[Q, A, R]`` asks questions of type ``Q``, is sent replies of type ``A`` and returns an
``R``.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol, TypeAlias, TypeVar

from tgite.checked import checked
from tgite.confidence import Confidence, write_rational
from tgite.errors import InvalidInput, InvalidReply, require_whole_number

Arm: TypeAlias = int
"""An arm, numbered from 0 (see ``Conventions.first_arm`` for how arms are written).

It is an alias and not a new type, so that ``bkt([4, 2, 7], ...)`` is well typed. Functions that
take arms check them with :func:`require_arm`, :func:`require_arms` and :func:`require_two_arms`.
"""

Outcome: TypeAlias = bool
"""The outcome Y of a duel (u, v): ``True`` means that u, the first arm, wins."""


class Question(Protocol):
    """Anything that a stream may ask."""

    def check_reply(self, reply: object) -> None:
        """Raise :class:`~tgite.errors.InvalidReply` unless ``reply`` answers this question."""

    def rounds_taken(self, reply: object) -> int:
        """Return how many rounds this question took, given its ``reply``."""


Q = TypeVar("Q", bound=Question)
A = TypeVar("A")
R = TypeVar("R")

Stream: TypeAlias = Generator[Q, A, R]

PairwiseTest: TypeAlias = Callable[[Arm, Arm, Confidence], Generator[Q, A, Arm]]
"""A pairwise test: given ``(u, v, delta)``, a stream that returns ``u`` or ``v``."""


def require_arm(field: str, arm: Arm, N: int) -> None:
    """Refuse anything but one of the arms ``0..N-1``."""
    require_whole_number(field, arm, at_least=0)
    if arm >= N:
        raise InvalidInput(field, arm, f"must be one of the arms 0..{N - 1}")


def require_arms(S: Sequence[Arm]) -> None:
    """Refuse an empty set, a repeated arm and anything that is not an arm."""
    for arm in S:
        require_whole_number("S", arm, at_least=0)
    if not S:
        raise InvalidInput("S", S, "must hold at least one arm")
    if len(set(S)) != len(S):
        raise InvalidInput("S", S, "must hold each arm once")


def require_two_arms(first: Arm, second: Arm) -> None:
    """Refuse a pair that is not two different arms."""
    require_whole_number("u", first, at_least=0)
    require_whole_number("v", second, at_least=0)
    if first == second:
        raise InvalidInput("v", second, f"must differ from u = {first}")


@dataclass(frozen=True, slots=True)
class Duel:
    """Compare two different arms once; the reply is an :data:`Outcome`."""

    first: Arm
    second: Arm

    def __post_init__(self) -> None:
        """Refuse arms that are negative or equal."""
        require_two_arms(self.first, self.second)

    def check_reply(self, reply: object) -> None:
        """Refuse anything but ``True`` and ``False``."""
        if reply is not True and reply is not False:
            raise InvalidReply("outcome", reply, f"must be True or False, in answer to {self}")

    def rounds_taken(self, reply: object) -> int:
        """Return 1, whoever won."""
        return 1


@dataclass(frozen=True, slots=True, repr=False)
class SelfPlay:
    """Play (arm, arm), a self-comparison, for a block of rounds; the reply is ``None``."""

    arm: Arm
    rounds: int

    def __post_init__(self) -> None:
        """Refuse a negative arm and a negative number of rounds."""
        require_whole_number("arm", self.arm, at_least=0)
        require_whole_number("rounds", self.rounds, at_least=0)

    def check_reply(self, reply: object) -> None:
        """Refuse anything but ``None``, because the outcomes of self-play are ignored."""
        if reply is not None:
            raise InvalidReply("reply", reply, "must be None: self-play tells nothing")

    def rounds_taken(self, reply: object) -> int:
        """Return the number of rounds of the block."""
        return self.rounds

    def __repr__(self) -> str:
        """Show the block, however long."""
        return f"SelfPlay(arm={self.arm}, rounds={write_rational(Fraction(self.rounds))})"


@dataclass(frozen=True, slots=True)
class Match:
    """Play a whole pairwise test of two arms at a confidence level; the reply is its winner."""

    first: Arm
    second: Arm
    delta: Confidence

    def __post_init__(self) -> None:
        """Refuse arms that are negative or equal, and a ``delta`` that is not a level."""
        require_two_arms(self.first, self.second)
        delta: object = self.delta
        if not isinstance(delta, Confidence):
            raise InvalidInput("delta", delta, "must be a Confidence (see Confidence.of)")

    def check_reply(self, reply: object) -> None:
        """Refuse a winner that is not one of the two arms."""
        # The type is checked too, because True and 1.0 equal 1 but are not arms.
        if type(reply) is not int or reply not in (self.first, self.second):
            raise InvalidReply(
                "winner", reply, f"must be one of the two arms {self.first} and {self.second}"
            )

    def rounds_taken(self, reply: object) -> int:
        """Return 1: the match counts as one round; a subclass may count its duels."""
        return 1


@dataclass(frozen=True, slots=True)
class Incumbent:
    """Announce the arm now believed to be the winner; costs no round, the reply is ``None``."""

    arm: Arm

    def __post_init__(self) -> None:
        """Refuse a negative arm."""
        require_whole_number("arm", self.arm, at_least=0)

    def check_reply(self, reply: object) -> None:
        """Refuse anything but ``None``."""
        if reply is not None:
            raise InvalidReply("reply", reply, "must be None: an announcement is not answered")

    def rounds_taken(self, reply: object) -> int:
        """Return 0, because an announcement takes no round."""
        return 0


@checked
def match(u: Arm, v: Arm, delta: Confidence) -> Stream[Match, Arm, Arm]:
    """Test two arms with a single question, which asks for the whole match.

    With this test BKT, TreeAscent, ScreenAndReplace and the policies become decision trees over
    matches. The tree is finite if the algorithm ends. Raises :class:`~tgite.errors.InvalidInput`
    unless the arms are two different ones.
    """
    question = Match(u, v, delta)

    def algorithm() -> Stream[Match, Arm, Arm]:
        winner: Arm = yield question
        return winner

    return algorithm()


def plain(reply: A) -> A:
    """Return the Python value of a scalar such as ``numpy.bool_``, and other replies unchanged."""
    if getattr(reply, "shape", None) == () and hasattr(reply, "item"):
        value: A = reply.item()
        return value
    return reply


def drive(stream: Stream[Q, A, R], answer: Callable[[Q], A]) -> R:
    """Play a stream to its end, with replies from the function ``answer``; return its result.

    Raises :class:`~tgite.errors.InvalidReply` for a reply that the question does not allow. A
    scalar of an array library becomes the Python value that it holds. An exception from ``answer``
    passes through. A stream that never ends is driven forever.
    """
    try:
        question = next(stream)
        while True:
            reply = _answered(question, answer)
            question = stream.send(reply)
    except StopIteration as stop:
        returned: R = stop.value
        return returned


def _answered(question: Q, answer: Callable[[Q], A]) -> A:
    """Return the checked reply; turn a ``StopIteration`` of ``answer`` into another exception."""
    try:
        reply = plain(answer(question))
    except StopIteration as stop:
        raise RuntimeError("the answering function raised StopIteration") from stop
    question.check_reply(reply)
    return reply
