"""Truth of what is said of TreeAscent's levels and bookkeeping, for every number of arms.

``thm:app-plr-correctness`` and ``thm:app-plr-cost`` without the laws of its matches; these stand in
``truth/tournaments.py``.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from fractions import Fraction

from flint import arb

from tgite.confidence import Confidence
from tgite.conventions import Byes, Conventions
from tgite.questions import Arm, Match, match
from tgite.tree import BalancedTree
from tgite_checks.bounds.comparing import AtMost, compared, real
from tgite_checks.check import Cases, Check, Depth, Kind, Question, Result, result_of
from tgite_checks.explore import Path, paths
from tgite_checks.implementation import Implementation
from tgite_checks.laws.balls import ball, log_integer_ball

_EPSILON = Confidence(Fraction(1, 10))
_LEVELS = (Confidence(Fraction(1, 100_001)), Confidence(Fraction(1, 4)))


def _budget_cases(under_test: Implementation, depth: Depth, invoked_only: bool) -> Cases:
    levels = under_test.schedules
    most = 66 if depth is Depth.QUICK else 514
    for N in range(2, most):
        tree = under_test.BalancedTree.over(N)
        spent = Fraction(0)
        for h in range(1, tree.L + 1):
            if invoked_only and not tree.sibling_block(N - 1, h):
                continue
            spent += levels.block_level(_EPSILON, tree.sibling_capacity(h), tree.M).rational
            spent += levels.merge_level(_EPSILON, tree.L).rational
        yield "" if spent == _EPSILON.rational else f"N = {N}: levels sum to {spent}, not 1/10"


def _budget(under_test: Implementation, depth: Depth, *, invoked_only: bool = False) -> Result:
    return result_of(_budget_cases(under_test, depth, invoked_only), "tree's levels")


def _entropy(L: int) -> arb:
    M = 2**L
    return sum(
        (2 ** (h - 1) * (ball(Fraction(M - 1, 2 ** (h - 1)))).log() for h in range(1, L + 1)),
        arb(0),
    )


def _entropy_cases(constant: Fraction) -> Iterator[AtMost]:
    log_two = functools.partial(log_integer_ball, 2)
    # For every L: (M - 1)/2^(h-1) < 2^(L-h+1), and the sum of j/2^j is 2 - (L + 2)/2^L.
    for L in range(1, 31):
        # The proof's chain: entropy <= M log 2 sum of j/2^j <= 2 M log 2; all divided by M.
        weights = 2 - Fraction(L + 2, 2**L)
        yield AtMost(
            f"(1/M) sum of mbar_h log((M-1)/mbar_h), L = {L}",
            real(functools.partial(lambda L: _entropy(L) / 2**L, L), 256),
            real(functools.partial(lambda w: ball(w) * log_two(), weights), 256),
        )
        yield AtMost(
            f"log 2 times the sum of j/2^j, L = {L}",
            real(functools.partial(lambda w: ball(w) * log_two(), weights), 256),
            real(functools.partial(lambda c: ball(c) * log_two(), constant), 256),
        )


def _entropy_sum(
    under_test: Implementation, depth: Depth, *, constant: Fraction = Fraction(2)
) -> Result:
    return compared(_entropy_cases(constant), "step of the size-weighted sum")


def _merge_cases(slack: Fraction) -> Iterator[AtMost]:
    # L log(2L) / 2^L is largest at L = 2, where it is log 2; from L = 2 on it falls, since
    # (1 + 1/L) (1 + log(1 + 1/L) / log(2L)) < 2.
    for L in range(1, 129):
        yield AtMost(
            f"L log(2L), L = {L}",
            real(functools.partial(lambda L: L * log_integer_ball(2 * L), L)),
            real(functools.partial(lambda L: ball(slack) * 2**L * log_integer_ball(2), L)),
        )


def _merges(
    under_test: Implementation, depth: Depth, *, slack: Fraction = 1 + Fraction(1, 10**12)
) -> Result:
    return compared(_merge_cases(slack), "number of merges")


def _block_of(tree: BalancedTree, b: Arm, h: int) -> Sequence[Arm]:
    return tree.sibling_block(b, h)


def _merge_heights(tree: BalancedTree, b: Arm, path: Path[Arm]) -> Iterator[tuple[Match, Arm, int]]:
    """Return each match with its winner and its height; the match that merges block h ends it."""
    heights = [h for h in range(1, tree.L + 1) if _block_of(tree, b, h)]
    for question, winner in zip(path.matches, path.winners, strict=True):
        yield question, winner, heights[0]
        if not question.delta.basel:
            heights.pop(0)


def _capture_cases(under_test: Implementation, depth: Depth, premises: frozenset[str]) -> Cases:
    most = 7 if depth is Depth.QUICK else 9
    for N in range(2, most):
        for byes in (Byes.LAST, Byes.SPREAD):
            tree = under_test.BalancedTree.over(N, Conventions(byes=byes))
            for b in range(N):
                make = functools.partial(under_test.tree_ascent, b, tree, _EPSILON, match)
                for path in paths(make, most_matches=N):
                    yield from _capture_on_path(tree, b, path, premises)


def _capture_on_path(
    tree: BalancedTree, b: Arm, path: Path[Arm], premises: frozenset[str]
) -> Iterator[str]:
    played = list(_merge_heights(tree, b, path))
    for winner in range(tree.N):
        h_star = tree.winner_entry_level(b, winner)
        captured = all(
            won == winner
            for asked, won, h in played
            if asked.delta.basel and h == h_star and winner in (asked.first, asked.second)
        )
        first = max(1, h_star) + ("entry merge" not in premises)
        kept = all(
            won == winner
            for asked, won, h in played
            if not asked.delta.basel and h >= first and winner in (asked.first, asked.second)
        )
        if (captured or "capture" not in premises) and kept:
            returned = path.result
            yield (
                ""
                if returned == winner
                else f"N = {tree.N}, b = {b}, a* = {winner}: returned {returned} on {path}"
            )


def _capture(
    under_test: Implementation,
    depth: Depth,
    *,
    premises: frozenset[str] = frozenset({"capture", "entry merge"}),
) -> Result:
    return result_of(_capture_cases(under_test, depth, premises), "path on which the premises hold")


def _two_texts_cases(under_test: Implementation, depth: Depth) -> Cases:
    for L in (1, 2, 3):
        tree = under_test.BalancedTree.over(2**L)
        for epsilon in _LEVELS[: 1 if depth is Depth.QUICK else 2]:
            for b in range(2**L):
                first = paths(
                    functools.partial(under_test.tree_ascent_power_of_two, b, tree, epsilon, match),
                    most_matches=2**L,
                )
                second = paths(
                    functools.partial(under_test.tree_ascent, b, tree, epsilon, match),
                    most_matches=2**L,
                )
                for one, other in zip(first, second, strict=True):
                    yield "" if one == other else f"L = {L}, b = {b}: {one} against {other}"


def _two_texts(under_test: Implementation, depth: Depth) -> Result:
    return result_of(_two_texts_cases(under_test, depth), "path")


def _main_text_anywhere_cases(under_test: Implementation) -> Cases:
    levels = under_test.schedules
    for N in range(2, 10):
        tree = under_test.BalancedTree.over(N)
        for h in range(1, tree.L + 1):
            size = len(tree.sibling_block(0, h))
            main = levels.block_level(_EPSILON, size, N) if size else None
            appendix = levels.block_level(_EPSILON, tree.sibling_capacity(h), tree.M)
            yield "" if main == appendix else f"N = {N}, h = {h}: {main} and {appendix}"


def _main_text_anywhere(under_test: Implementation, depth: Depth) -> Result:
    return result_of(_main_text_anywhere_cases(under_test), "block's level")


BUDGET = Check(
    name="treeascent-levels-sum",
    question=Question.TRUTH,
    kind=Kind.EXHAUSTIVE,
    domain="epsilon = 1/10 (all levels are proportional to it), N = 2..513 (quick: 2..65): "
    "sum beta_h + sum eta_h = epsilon, exactly",
    run=_budget,
    refuses={
        "the calls that are made spend epsilon exactly, empty blocks or not": functools.partial(
            _budget, invoked_only=True
        )
    },
)


def _one_level_cases(divisor: int) -> Iterator[AtMost]:
    for L in (2, 3, 4, 8, 16, 32, 64):
        yield AtMost(
            f"sum of m_h log(1/beta_h), one level for all blocks, epsilon = 1/2, N = 2^{L}",
            real(functools.partial(_one_level_sum, L, divisor), 256),
            real(functools.partial(_proportional_sum, L), 256),
        )


def _one_level_sum(L: int, divisor: int) -> arb:
    """Return the sum with beta_h = epsilon/2 (divisor 1) or epsilon/(2L) (divisor L)."""
    total: arb = (2**L - 1) * log_integer_ball(4 * (divisor or L))
    return total


def _proportional_sum(L: int) -> arb:
    N = 2**L
    return sum(
        (2 ** (h - 1) * -ball(Fraction(2 ** (h - 1), 4 * (N - 1))).log() for h in range(1, L + 1)),
        arb(0),
    )


def _one_level(under_test: Implementation, depth: Depth, *, divisor: int = 1) -> Result:
    return compared(_one_level_cases(divisor), "number of levels")


ENTROPY = Check(
    name="treeascent-entropy-sum",
    question=Question.TRUTH,
    kind=Kind.CERTIFIED,
    domain="sum of mbar_h log((M-1)/mbar_h) <= M log 2 sum of j/2^j <= 2 M log 2 for L = 1..30; "
    "for every L since the sum of j/2^j is 2 - (L+2)/2^L",
    run=_entropy_sum,
    refuses={"(19/10) M log 2": functools.partial(_entropy_sum, constant=Fraction(19, 10))},
)

MERGES = Check(
    name="treeascent-merge-sum",
    question=Question.TRUTH,
    kind=Kind.CERTIFIED,
    domain="L log(2L) <= M log 2 for every L >= 1, with equality at L = 2: the paper's L log(2L) "
    "<= C M has C = log 2",
    run=_merges,
    refuses={"0.99 M log 2": functools.partial(_merges, slack=Fraction(99, 100))},
)

ONE_LEVEL = Check(
    name="treeascent-one-level-for-all-blocks",
    question=Question.TRUTH,
    kind=Kind.CERTIFIED,
    domain="beta_h = epsilon/2 for every block against the proportional rule, epsilon = 1/2, N = "
    "4 to 2^64: its size-weighted sum is the smaller one, and linear",
    run=_one_level,
    refuses={
        "the uniform epsilon/(2L), which the text "
        "compares with, is the smaller one": functools.partial(_one_level, divisor=0)
    },
)

CAPTURE = Check(
    name="treeascent-capture-preserve",
    question=Question.TRUTH,
    kind=Kind.EXHAUSTIVE,
    domain="N = 2..8 (quick: 2..6), byes last and spread, every start, every winner, every way the "
    "matches may end that meets the premises",
    run=_capture,
    refuses={
        "without the merge at the entry level": functools.partial(
            _capture, premises=frozenset({"capture"})
        ),
        "without the capture by the block's tournament": functools.partial(
            _capture, premises=frozenset({"entry merge"})
        ),
    },
)

TWO_TEXTS = Check(
    name="treeascent-two-texts-agree",
    question=Question.TRUTH,
    kind=Kind.EXHAUSTIVE,
    domain="N = 2, 4, 8, two levels (quick: one), every start, every path: same matches, levels "
    "and answers",
    run=_two_texts,
    refuses={"the main text's levels serve for every N": _main_text_anywhere},
)

CHECKS = (BUDGET, ENTROPY, MERGES, ONE_LEVEL, CAPTURE, TWO_TEXTS)
