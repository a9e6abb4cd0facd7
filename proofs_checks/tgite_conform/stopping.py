"""Where a match ends on its tape, found piece by piece and not duel by duel."""

from __future__ import annotations

import functools
from collections.abc import Callable
from itertools import accumulate

from tgite.beyond.certificate import Rule
from tgite_conform.tape import MatchOutcomes, Piece

_FEW = 64
"""As many duels are looked at one by one."""


def two_sided(margin: Callable[[int], int]) -> Rule:
    """Return the rule of a pairwise test: it ends with a lead ``|2S - n| >= margin(n) >= 1``."""
    margin = functools.cache(margin)
    return Rule(lambda n: (n + margin(n) + 1) // 2, lambda n: (n - margin(n)) // 2)


def first_stop(
    outcomes: MatchOutcomes, rule: Rule, most: int | None = None
) -> tuple[int, int] | None:
    """Return after how many duels a match ends, and its first arm's wins then; None: it goes on.

    It ends as the rule says, or after ``most`` duels. Outcomes are passed over in one step where no
    lead 2S - n within them can come up to an end. For that the leads at which the rule ends a match
    must, between two numbers of duels, be nowhere nearer than at these, but for 1, which is for
    their parity. (So they are where a match is won by a lead that is the next one above a concave
    function, lost by one below a convex function, and equivalent between a line and another one.)
    """
    n = S = 0
    for piece in outcomes.pieces:
        stop = _stop_within(piece, n, S, rule, most)
        if stop is not None:
            return stop
        n += piece.length
        S += piece.wins(piece.length)
    return None


def _stop_within(
    piece: Piece, n: int, S: int, rule: Rule, most: int | None
) -> tuple[int, int] | None:
    last = n + piece.length
    low, high = _leads(piece, 2 * S - n)
    if (most is None or last < most) and _passes_over(rule, n + 1, last, low - 1, high + 1):
        return None
    if piece.length <= _FEW:
        for outcome in piece.once() * piece.times:
            n, S = n + 1, S + outcome
            if rule.verdict(n, S) is not None or n == most:
                return n, S
        return None
    first, second = piece.halves()
    stop = _stop_within(first, n, S, rule, most)
    if stop is not None:
        return stop
    return _stop_within(second, n + first.length, S + first.wins(first.length), rule, most)


def _passes_over(rule: Rule, first: int, last: int, low: int, high: int) -> bool:
    """Say whether no lead from ``low`` to ``high`` ends a match at its ``first`` or ``last`` duel.

    That of each way to end one excludes it at both of them.
    """

    def below(wins: Callable[[int], int]) -> bool:
        return all(high < 2 * wins(n) - n for n in (first, last))

    def above(wins: Callable[[int], int]) -> bool:
        return all(low > 2 * wins(n) - n for n in (first, last))

    if not (below(rule.won) and above(rule.lost)):
        return False
    if rule.no_better is None or rule.no_worse is None:
        return True
    return above(rule.no_better) or below(rule.no_worse)


def _leads(piece: Piece, lead: int) -> tuple[int, int]:
    """Bound the leads within a piece: the least and the greatest are in its first or last turn.

    For a few outcomes they are these leads themselves.
    """
    net = (piece.lead // piece.times) if piece.times > 1 else 0
    ends = (lead, lead + (piece.times - 1) * net)
    if piece.turn > _FEW:
        return min(ends) - piece.turn, max(ends) + piece.turn
    within = list(accumulate(1 if outcome else -1 for outcome in piece.once()))
    return min(ends) + min(within), max(ends) + max(within)
