"""One-sided matches (:mod:`tgite.beyond.certificate`) as single questions.

With these questions :func:`tgite.beyond.find_then_certify.stages` is a stream over whole matches.
So the code of ``stages`` itself gives exact laws and fast simulations.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from tgite.beyond.certificate import Ended, Rule, Verdict
from tgite.confidence import Confidence
from tgite.errors import InvalidReply
from tgite.questions import Arm, PairwiseTest, Stream


@dataclass(frozen=True, slots=True)
class Knockout:
    """A match of the truncated SprtTest with known gap ``g``, as one question.

    The reply is the winner.
    """

    first: Arm
    second: Arm
    g: Fraction
    delta: Confidence

    def check_reply(self, reply: object) -> None:
        """Refuse a winner that is not one of the two."""
        if reply not in (self.first, self.second):
            raise InvalidReply("winner", reply, f"must be {self.first} or {self.second}")

    def rounds_taken(self, reply: object) -> int:
        """Count it as one round."""
        return 1


@dataclass(frozen=True, slots=True)
class OneSidedMatch:
    """A one-sided match, as one question; the reply is its verdict, its duels and the wins."""

    first: Arm
    second: Arm
    rule: Rule
    most: int | None

    def check_reply(self, reply: object) -> None:
        """Refuse a reply that is not a verdict with duels within the budget and wins."""
        match reply:
            case (Verdict(), int(n), int(S)) if S <= n <= (n if self.most is None else self.most):
                return
        raise InvalidReply("verdict", reply, "must be a verdict, a number of duels and the wins")

    def rounds_taken(self, reply: object) -> int:
        """Count it as one round."""
        return 1


Asked: TypeAlias = Knockout | OneSidedMatch
Told: TypeAlias = Arm | Ended


def knockout(g: Fraction) -> PairwiseTest[Asked, Told]:
    """Return the truncated SprtTest with known gap ``g``, as a test that asks for whole matches."""

    def test(u: Arm, v: Arm, delta: Confidence) -> Stream[Asked, Told, Arm]:
        winner = yield Knockout(u, v, g, delta)
        assert isinstance(winner, int)
        return winner

    return test


def one_sided_match(u: Arm, v: Arm, rule: Rule, most: int | None) -> Stream[Asked, Told, Ended]:
    """Ask for a whole one-sided match and return how it ended."""
    ended = yield OneSidedMatch(u, v, rule, most)
    assert isinstance(ended, tuple)
    return ended
