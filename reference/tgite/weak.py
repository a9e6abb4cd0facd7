"""TG-ITE-Weak: a warm start, then epochs of ScreenAndReplace without end (``alg:tlcr-weak``)."""

from __future__ import annotations

from typing import Never

from tgite.checked import checked
from tgite.confidence import Confidence
from tgite.conventions import RULINGS, Conventions
from tgite.questions import A, Arm, Incumbent, PairwiseTest, Q, Stream
from tgite.schedules import WEAK_WARM_START, replacement_level, screening_level
from tgite.screen_and_replace import screen_and_replace
from tgite.tree import BalancedTree
from tgite.tree_ascent import tree_ascent


@checked
def tg_ite_weak(
    b_0: Arm,
    tree: BalancedTree,
    test: PairwiseTest[Q, A],
    conventions: Conventions = RULINGS,
    *,
    warm_start: Confidence = WEAK_WARM_START,
) -> Stream[Q | Incumbent, A | None, Never]:
    """Play for weak regret: warm start from ``b_0``, then epochs; never returns.

    ``alg:tlcr-weak``. The expected weak regret of the infinite run is at most

    * ``C N/Delta**2 (log(1/Delta) + 1)`` (``thm:online-weak-linear-main``,
      ``cor:app-weak-warm-start``; for the epochs alone, from any ``c_0``, ``thm:app-online-weak``);
    * ``C N/Delta**2 (log(1/delta) + log(1/Delta) + 1)`` with ``warm_start = delta`` in place of 1/4
      (``cor:app-weak-high-confidence-warm-start``); the first announced incumbent, ``c_0``, is then
      a delta-correct answer (``cor:dual``).

    Each ``c_s``, from ``c_0`` on, is announced as an :class:`~tgite.questions.Incumbent`.
    Raises :class:`~tgite.errors.InvalidInput` as TreeAscent does.
    """
    identification = tree_ascent(b_0, tree, warm_start, test, conventions)

    def algorithm() -> Stream[Q | Incumbent, A | None, Never]:
        c = yield from identification  # L1: c_0
        yield Incumbent(c)
        s = 0
        while True:  # L2: for s = 1, 2, 3, ...
            s += 1
            rho_s, kappa_s = screening_level(s), replacement_level(s)  # L3
            c = yield from screen_and_replace(c, rho_s, kappa_s, tree.N, test, conventions)  # L4
            yield Incumbent(c)

    return algorithm()
