"""The strong-regret policies: identify, then play the winner against itself.

``alg:tlcr-strong-known`` for a known horizon, ``alg:tlcr-strong-anytime`` for an unknown one.
"""

from __future__ import annotations

from typing import Never

from tgite.checked import checked
from tgite.conventions import RULINGS, Conventions
from tgite.errors import require_whole_number
from tgite.questions import A, Arm, Incumbent, PairwiseTest, Q, R, SelfPlay, Stream, require_arm
from tgite.schedules import anytime_level, known_horizon_level, self_play_rounds
from tgite.tree import BalancedTree
from tgite.tree_ascent import tree_ascent


def until_horizon(stream: Stream[Q, A, R], horizon: int) -> Stream[Q, A, tuple[R, int] | None]:
    """Play ``stream`` until it returns or ``horizon`` rounds have passed.

    Returns the stream's result and the number of rounds that remain. Each question says how many
    rounds it took. The stream is closed and ``None`` is returned if it asks for more at the
    horizon, or if its last question goes beyond the horizon.
    """
    rounds = 0
    try:
        question = next(stream)
        while rounds < horizon:
            reply = yield question
            rounds += question.rounds_taken(reply)
            question = stream.send(reply)
    except StopIteration as stop:
        return (stop.value, horizon - rounds) if rounds <= horizon else None
    finally:
        stream.close()
    return None


@checked
def tg_ite_strong_known_horizon(
    b_0: Arm,
    tree: BalancedTree,
    H: int,
    test: PairwiseTest[Q, A],
    conventions: Conventions = RULINGS,
) -> Stream[Q | Incumbent | SelfPlay, A | None, Arm | None]:
    """Play ``H`` rounds for strong regret: one pass of TreeAscent, then self-play of its answer.

    ``alg:tlcr-strong-known``. Its expected regret is at most
    ``C N/Delta**2 (log(H+1) + log(1/Delta) + 1) + 1`` (``thm:strong-known-main``,
    ``thm:app-strong-known``). Returns the identified arm, which it announces as an
    :class:`~tgite.questions.Incumbent` too, or ``None`` if the horizon expired within the pass.
    Each question of ``test`` says how many rounds it takes; a duel takes one.

    Raises :class:`~tgite.errors.InvalidInput` if ``H`` is below 1, and as TreeAscent does.
    """
    require_whole_number("H", H, at_least=1)
    epsilon_H = known_horizon_level(H)  # L1
    identification = tree_ascent(b_0, tree, epsilon_H, test, conventions)

    def algorithm() -> Stream[Q | Incumbent | SelfPlay, A | None, Arm | None]:
        terminated = yield from until_horizon(identification, H)  # L2
        if terminated is not None:  # L3
            a_hat, remaining = terminated
            yield Incumbent(a_hat)
            if remaining > 0:
                yield SelfPlay(a_hat, remaining)  # L4
            return a_hat
        return None  # L6

    return algorithm()


@checked
def tg_ite_strong_anytime(
    b_0: Arm,
    tree: BalancedTree,
    test: PairwiseTest[Q, A],
    conventions: Conventions = RULINGS,
) -> Stream[Q | Incumbent | SelfPlay, A | None, Never]:
    """Play for strong regret without a horizon: phases of TreeAscent and self-play; never returns.

    ``alg:tlcr-strong-anytime``. With ``k = log log(T+2) + 1``, its expected regret at every
    ``T >= 2`` is at most ``C N/Delta**2 (log(T+1) + k (log(1/Delta) + 1)) + C' k``
    (``thm:strong-anytime-main``, ``thm:app-strong-anytime``). Each ``c_s``, from ``c_1`` on, is
    announced as an :class:`~tgite.questions.Incumbent`; the self-play of a phase is one question.

    Raises :class:`~tgite.errors.InvalidInput` as TreeAscent does.
    """
    require_arm("b_0", b_0, tree.N)

    def algorithm() -> Stream[Q | Incumbent | SelfPlay, A | None, Never]:
        c, s = b_0, 0  # L1: c_0
        while True:  # L2: for s = 1, 2, 3, ...
            s += 1
            epsilon_s, B_s = anytime_level(s), self_play_rounds(s)  # L3
            c = yield from tree_ascent(c, tree, epsilon_s, test, conventions)  # L4
            yield Incumbent(c)
            yield SelfPlay(c, B_s)  # L5

    return algorithm()
