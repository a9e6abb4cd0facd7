"""DuelTest: the anytime pairwise test (``alg:dueltest``)."""

from __future__ import annotations

from math import log, sqrt

from tgite.checked import checked
from tgite.confidence import Confidence
from tgite.questions import Arm, Duel, Outcome, Stream


def c(n: int, delta: Confidence) -> float:
    """Return the anytime confidence radius ``c(n, delta) = sqrt(log(2n(n+1)/delta) / (2n))``.

    ``alg:dueltest`` L6, for ``n >= 1`` duels. With probability at least ``1 - delta`` the mean is
    within this radius of ``p_uv`` for all ``n`` at once (``lem:app-anytime-cs``). The logarithm is
    computed as ``log(2n(n+1)) + log(1/delta)``, because ``2n(n+1)/delta`` overflows at the later
    levels of the schedules. Arguments are not checked at run time, because the radius is computed
    at every duel.
    """
    return sqrt((log(2 * n * (n + 1)) + delta.log_inverse) / (2 * n))


@checked
def duel_test(u: Arm, v: Arm, delta: Confidence) -> Stream[Duel, Outcome, Arm]:
    """Compare ``u`` with ``v`` until the mean leaves the radius around 1/2; return the leader.

    ``alg:dueltest``. For a gap ``gamma = |p_uv - 1/2| > 0`` it ends almost surely and

    * returns the better arm with probability at least ``1 - delta`` (``lem:app-dueltest-correct``),
    * takes an expected number of duels of at most ``C/gamma**2 (log(1/delta) + log(1/gamma) + 1)``
      (``lem:app-dueltest-time``, ``eq:app-dueltest-exp``).

    If the arms tie, it ends with probability at most ``delta``.

    Raises :class:`~tgite.errors.InvalidInput` unless ``u`` and ``v`` are two different arms.
    """
    duel = Duel(u, v)

    def algorithm() -> Stream[Duel, Outcome, Arm]:
        n, S = 0, 0  # L1
        while True:  # L2
            n += 1  # L3
            Y = yield duel  # L4
            S += Y  # L5
            mean = S / n  # L5
            if abs(mean - 1 / 2) > c(n, delta):  # L6
                break
        if mean > 1 / 2:  # L7
            return u  # L8
        return v  # L10

    return algorithm()
