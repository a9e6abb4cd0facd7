"""ScreenAndReplace: one epoch of winner-centric exploitation (``alg:screen-and-replace``)."""

from __future__ import annotations

from tgite.bkt import bkt
from tgite.checked import checked
from tgite.confidence import Confidence
from tgite.conventions import RULINGS, Conventions
from tgite.errors import require_whole_number
from tgite.questions import A, Arm, PairwiseTest, Q, Stream, require_arm
from tgite.schedules import require_rational_level


@checked
def screen_and_replace(
    c: Arm,
    rho: Confidence,
    kappa: Confidence,
    N: int,
    test: PairwiseTest[Q, A],
    conventions: Conventions = RULINGS,
) -> Stream[Q, A, Arm]:
    """Screen every other of the ``N`` arms against ``c``; return the next incumbent.

    ``alg:screen-and-replace``, with ``test`` in DuelTest's place. If no arm beats ``c``, then ``c``
    is returned. Otherwise the winner of a tournament of ``c`` and the arms that beat it is
    returned.

    * The result differs from the Condorcet winner with probability at most ``rho + kappa``, and at
      most ``kappa`` if ``c`` is that winner (``lem:app-one-step-repair``).
    * With ``l(x) = log(1/x) + log(1/Delta) + 1``, the expected weak regret of the epoch is at most
      ``C N/Delta**2 * rho l(kappa)`` if ``c`` is that winner, and at most
      ``C N/Delta**2 * (rho l(kappa) + log(1/rho) + l(kappa))`` otherwise
      (``lem:app-screen-epoch-regret``, ``eq:app-one-epoch-weak-conditional``;
      ``eq:app-one-epoch-weak`` is its average over ``c``).

    With the known-gap test ``lem:app-budgeted-screen-epoch`` applies.

    Raises :class:`~tgite.errors.InvalidInput` if N is below 2, ``c`` is not an arm, or ``kappa``
    carries the factor ``6/pi**2``.
    """
    require_whole_number("N", N, at_least=2)
    require_arm("c", c, N)
    require_rational_level("kappa", kappa)

    def algorithm() -> Stream[Q, A, Arm]:
        B: list[Arm] = []  # L1
        for j in conventions.screened(N, c):  # L2
            w = yield from test(c, j, rho)  # L3
            if w == j:  # L4
                B.append(j)  # L5
        if not B:  # L8
            return c  # L9
        survivor = yield from bkt(conventions.replacement(c, B), kappa, test, conventions)
        return survivor  # L11

    return algorithm()
