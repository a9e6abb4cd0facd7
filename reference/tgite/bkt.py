"""BKT: the balanced knockout tournament on a set of arms (``alg:bkt``)."""

from __future__ import annotations

from collections.abc import Sequence

from tgite.checked import checked
from tgite.confidence import Confidence
from tgite.conventions import RULINGS, Conventions
from tgite.questions import A, Arm, PairwiseTest, Q, Stream, require_arms
from tgite.schedules import bkt_round_level, require_rational_level


@checked
def bkt(
    S: Sequence[Arm],
    delta: Confidence,
    test: PairwiseTest[Q, A],
    conventions: Conventions = RULINGS,
) -> Stream[Q, A, Arm]:
    """Play a knockout tournament among the arms ``S``; return the arm that survives.

    ``alg:bkt``, with ``test`` in DuelTest's place; the order of ``S`` is the fixed order of L4. It
    plays ``|S| - 1`` matches in ``ceil(log2 |S|)`` rounds, no match twice, and
    (``lem:app-bkt-subset``)

    * returns the arm that beats all others in ``S``, if there is one, with probability at least
      ``1 - delta`` (otherwise the result is only the bracket's survivor);
    * takes an expected number of duels of at most
      ``C |S|/Delta**2 (log(1/delta) + log(1/Delta) + 1)`` (``eq:app-bkt-cost``).

    With the known-gap test ``lem:app-budgeted-bkt`` applies.

    Raises :class:`~tgite.errors.InvalidInput` if ``S`` is empty or repeats an arm, or ``delta``
    carries the factor ``6/pi**2``.
    """
    require_arms(S)
    require_rational_level("delta", delta)
    arms = tuple(S)

    def algorithm() -> Stream[Q, A, Arm]:
        X, r = list(arms), 1  # L1
        while len(X) > 1:  # L2
            delta_r = bkt_round_level(delta, r)  # L3
            pairs, bye = conventions.pairs_and_bye(X)  # L4
            winners: list[Arm] = []
            for u, v in pairs:  # L5
                winner = yield from test(u, v, delta_r)
                winners.append(winner)
            X, r = conventions.next_round(winners, bye), r + 1  # L6
        (survivor,) = X
        return survivor  # L8

    return algorithm()
