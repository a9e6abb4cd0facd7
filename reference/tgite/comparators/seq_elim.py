"""SeqElim: one champion meets every other arm in turn, in two readings.

The paper names SeqElim without a definition.

**SeqElim-DuelTest** (:func:`seq_elim`) is our own construction, in the paper's terms: no gap is
known, and a Condorcet winner is assumed (and no ties, with DuelTest). The result is right if the
winner wins all its matches. A union bound over N - 1 matches makes the probability of error at most
delta; because of it the cost per arm grows like log N.

**SeqEliminate-PAC** (:func:`seq_eliminate_pac`). Source: Falahatgar, Hao, Orlitsky, Pichapati and
Ravindrakumar, "Maxing and ranking with few assumptions" (NeurIPS 2017). It returns an
epsilon-maximum with probability ``1 - delta`` after O(N/epsilon**2 log(N/delta)) duels, if strong
stochastic transitivity holds. With only a Condorcet winner it needs ``upper <= Delta*`` and
``lower >= -Delta*``. In our reading, a comparison goes on at equality (``<=``).

Tie policy: a tie at the end of a comparison keeps the champion.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import log

from tgite.checked import checked
from tgite.comparators.knockout import compare
from tgite.confidence import Confidence
from tgite.errors import InvalidInput
from tgite.questions import A, Arm, Duel, Outcome, PairwiseTest, Q, Stream, require_arms
from tgite.schedules import require_rational_level


@checked
def seq_elim(S: Sequence[Arm], delta: Confidence, test: PairwiseTest[Q, A]) -> Stream[Q, A, Arm]:
    """Test a champion against each other arm at level ``delta/(|S|-1)``; return the last champion.

    The first arm of ``S`` is the first champion; the others come in the order of ``S``. Plays
    ``|S| - 1`` matches. Raises :class:`~tgite.errors.InvalidInput` if ``S`` is empty or repeats
    an arm, or ``delta`` carries the factor ``6/pi**2``.
    """
    require_arms(S)
    require_rational_level("delta", delta)

    def algorithm() -> Stream[Q, A, Arm]:
        champion = S[0]
        for challenger in S[1:]:
            level = Confidence(delta.rational / (len(S) - 1))
            champion = yield from test(champion, challenger, level)
        return champion

    return algorithm()


@checked
def seq_eliminate_pac(
    S: Sequence[Arm], lower: Fraction, upper: Fraction, delta: Confidence
) -> Stream[Duel, Outcome, Arm]:
    """Compare an anchor with every other arm, replace it by each better one, return the last.

    The first arm of ``S`` is the first anchor (the source draws it). A comparison decides whether
    the gap is at most ``lower`` or at least ``upper``.

    Raises :class:`~tgite.errors.InvalidInput` if ``S`` is empty or repeats an arm, unless
    ``-1/2 <= lower < upper <= 1/2``, or if ``delta`` carries the factor ``6/pi**2``.
    """
    require_arms(S)
    require_rational_level("delta", delta)
    if not Fraction(-1, 2) <= lower < upper <= Fraction(1, 2):
        raise InvalidInput(
            "lower, upper", f"{lower}, {upper}", "must satisfy -1/2 <= lower < upper <= 1/2"
        )

    def algorithm() -> Stream[Duel, Outcome, Arm]:
        anchor, level = S[0], Confidence(delta.rational / len(S))
        # A comparison decides whether the gap lies nearer ``upper`` than ``lower``.
        middle, width = float(lower + upper) / 2, float(upper - lower)
        most = 2 * (log(2) + level.log_inverse) / width**2
        for challenger in S[1:]:
            gap = yield from compare(Duel(challenger, anchor), level, most, middle)
            if gap > middle:
                anchor = challenger
        return anchor

    return algorithm()
