"""BudgetedDuelTest: the pairwise test for a known gap (``alg:budgeted-dueltest``).

The known-gap variants BKT_g, TreeAscent_g, ScreenAndReplace_g and the policies built on them are
the same algorithms with the test :func:`known_gap` in DuelTest's place.
"""

from __future__ import annotations

from fractions import Fraction
from math import log, sqrt

from tgite.checked import checked
from tgite.confidence import Confidence, ceil_of_log, write_rational
from tgite.errors import InvalidInput
from tgite.questions import Arm, Duel, Outcome, PairwiseTest, Stream


@checked
def budget(g: Fraction, delta: Confidence) -> int:
    """Return ``M = ceil(log(4/delta) / (2 g**2))``, the most duels of one test (L1), exactly.

    Raises :class:`~tgite.errors.InvalidInput` unless ``0 < g <= 1/2``.
    """
    require_gap(g)
    return ceil_of_log(4, delta, 2 * g * g)


def b(n: int, delta: Confidence) -> float:
    """Return the radius ``b_n(delta) = sqrt(log(8 n**2/delta) / (2n))`` for ``n >= 1`` duels (L4).

    Arguments are not checked, because the radius is computed at every duel.
    """
    return sqrt((log(8 * n**2) + delta.log_inverse) / (2 * n))


@checked
def budgeted_duel_test(
    u: Arm, v: Arm, g: Fraction, delta: Confidence
) -> Stream[Duel, Outcome, Arm]:
    """Compare ``u`` with ``v`` at most M times; return the better arm, ``u`` on a tie.

    ``alg:budgeted-dueltest``. If ``|p_uv - 1/2| >= g`` it returns the better arm with probability
    at least ``1 - delta``; for every pair it ends within :func:`budget` duels
    (``lem:budgeted-dueltest-main``).

    Raises :class:`~tgite.errors.InvalidInput` unless ``u`` and ``v`` are two different arms and
    ``0 < g <= 1/2``.
    """
    duel = Duel(u, v)
    M = budget(g, delta)  # L1
    gap = float(g)

    def algorithm() -> Stream[Duel, Outcome, Arm]:
        S = 0  # L1
        for n in range(1, M + 1):  # L2
            Y = yield duel  # L3
            S += Y  # L4
            mean = S / n  # L4
            if abs(mean - 1 / 2) > b(n, delta) - gap:  # L5
                if mean >= 1 / 2:  # L6
                    return u  # L7
                return v  # L9
        if mean >= 1 / 2:  # L13
            return u  # L14
        return v  # L16

    return algorithm()


@checked
def known_gap(g: Fraction) -> PairwiseTest[Duel, Outcome]:
    """Return BudgetedDuelTest for the known gap ``g`` as a pairwise test.

    The guarantees hold if ``g`` is at most the winner's gap Delta*. The bounds have ``g`` in
    Delta's place and no term ``log(1/Delta)``. The bounds of BKT_g (``lem:app-budgeted-bkt``) and
    TreeAscent_g (``lem:app-budgeted-tree-ascent``) hold on every run, the one of ScreenAndReplace_g
    (``lem:app-budgeted-screen-epoch``) on average. The policies' bounds are in
    ``thm:known-gap-extension-main``.

    Raises :class:`~tgite.errors.InvalidInput` unless ``0 < g <= 1/2``.
    """
    require_gap(g)

    def test(u: Arm, v: Arm, delta: Confidence) -> Stream[Duel, Outcome, Arm]:
        return budgeted_duel_test(u, v, g, delta)

    return test


def require_gap(g: Fraction) -> None:
    """Refuse a gap that is not above 0 and at most 1/2."""
    if not 0 < g <= Fraction(1, 2):
        raise InvalidInput("g", write_rational(g), "must be above 0 and at most 1/2")
