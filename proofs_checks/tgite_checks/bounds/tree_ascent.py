"""Bounds of TreeAscent for every number of arms: levels, sums, and the constant of its cost.

``thm:app-plr-correctness`` and ``thm:app-plr-cost`` without the laws of matches, which are in
:mod:`.identification`.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from fractions import Fraction

from flint import arb

from tgite.confidence import Confidence
from tgite.conventions import Byes, Conventions
from tgite.questions import Arm, Match, match
from tgite.tree import BalancedTree
from tgite_checks.bounds.bkt import level_share
from tgite_checks.bounds.constants.constant import (
    STATED,
    Attained,
    Constant,
    not_of_all_gaps,
    of_gaps,
)
from tgite_checks.bounds.constants.extremal import NEARLY_ONE, clustered, one_pass
from tgite_checks.bounds.constants.totals import tree_totals
from tgite_checks.check import (
    Cases,
    Depth,
    Kind,
    argument,
    at_most,
    by_depth,
    demonstration,
    statement,
    truth,
)
from tgite_laws import fewest_duels as passes
from tgite_laws.balls import ball, log_integer_ball, log_inverse_ball, real
from tgite_laws.implementation import Implementation
from tgite_laws.match_paths import Path, paths

_MOST_LEVELS = (65, 513, 513)
_MOST_PATHS = (6, 8, 8)
_MOST_EMPTY = (33, 129, 129)
_LEVELS_TRIED = (1, 2, 2)
_EPSILON = Confidence(Fraction(1, 10))
_LEVELS = (Confidence(Fraction(1, 100_001)), Confidence(Fraction(1, 4)))
_NEARLY_USELESS = Confidence.of("0.999")


@truth(
    "treeascent-levels-sum",
    kind=Kind.EXHAUSTIVE,
    domain="The levels beta_h and eta_h sum to exactly epsilon, to which they are proportional.",
    sizes={"N from 2 to": _MOST_LEVELS},
    case="tree",
    refuses={"the matches that are played spend exactly epsilon": {"invoked_only": True}},
)
def levels_sum(under_test: Implementation, depth: Depth, *, invoked_only: bool = False) -> Cases:
    levels = under_test.schedules
    for N in range(2, by_depth(depth, *_MOST_LEVELS) + 1):
        tree = under_test.BalancedTree.over(N)
        spent = Fraction(0)
        for h in range(1, tree.L + 1):
            if invoked_only and not tree.sibling_block(N - 1, h):
                continue
            spent += levels.block_level(_EPSILON, tree.sibling_capacity(h), tree.M).rational
            spent += levels.merge_level(_EPSILON, tree.L).rational
        yield "" if spent == _EPSILON.rational else f"N = {N}: levels sum to {spent}, not 1/10"


def _block_logs(L: int, factor: int) -> arb:
    whole = factor * (2**L - 1)
    return sum(
        (2 ** (h - 1) * ball(Fraction(whole, 2 ** (h - 1))).log() for h in range(1, L + 1)), arb(0)
    )


@statement(
    "treeascent-entropy-sum",
    domain="The sum of mbar_h log((M-1)/mbar_h) is at most M log 2 times the sum of j/2^j, and so "
    "2 M log 2. L = 1 to 30 are computed. For every L the sum of j/2^j is 2 - (L+2)/2^L.",
    case="step of the size-weighted sum",
    refuses={"the sum is at most (19/10) M log 2": {"C": Fraction(19, 10)}},
)
def entropy_sum(depth: Depth, *, C: Fraction = Fraction(2)) -> Cases:

    def entropy(L: int) -> arb:
        return ball(Fraction(1, 2**L)) * _block_logs(L, 1)

    def times_log_2(factor: Fraction) -> arb:
        return ball(factor) * log_integer_ball(2)

    # For every L: (M - 1)/2^(h-1) < 2^(L-h+1), and the sum of j/2^j is 2 - (L + 2)/2^L.
    for L in range(1, 31):
        # The proof's chain: entropy <= M log 2 sum of j/2^j <= 2 M log 2; all divided by M.
        weighted = real(times_log_2, 2 - Fraction(L + 2, 2**L), bits=256)
        yield at_most(
            f"(1/M) sum of mbar_h log((M-1)/mbar_h), L = {L}", real(entropy, L, bits=256), weighted
        )
        yield at_most(
            f"log 2 times the sum of j/2^j, L = {L}", weighted, real(times_log_2, C, bits=256)
        )


@statement(
    "treeascent-merge-sum",
    domain="L log(2L) <= M log 2 for every L >= 1, with equality at L = 2. So the paper's C is "
    "log 2.",
    case="number of merges",
    refuses={"L log(2L) <= 0.99 M log 2": {"slack": Fraction(99, 100)}},
)
def merge_sum(depth: Depth, *, slack: Fraction = 1 + Fraction(1, 10**12)) -> Cases:

    def merges(L: int) -> arb:
        return L * log_integer_ball(2 * L)

    def leaves(L: int) -> arb:
        return ball(slack * 2**L) * log_integer_ball(2)

    # L log(2L) / 2^L is largest at L = 2, where it is log 2; from L = 2 on it falls, since
    # (1 + 1/L) (1 + log(1 + 1/L) / log(2L)) < 2.
    for L in range(1, 129):
        yield at_most(f"L log(2L), L = {L}", real(merges, L), real(leaves, L))


@statement(
    "treeascent-one-level-for-all-blocks",
    domain="With beta_h = epsilon/2 for every block, the size-weighted sum is linear and smaller "
    "than with the proportional rule. This is tried at epsilon = 1/2 and N = 4 to 2^64.",
    case="number of levels",
    refuses={"the uniform levels epsilon/(2L) have a smaller sum": {"uniform": True}},
)
def one_level(depth: Depth, *, uniform: bool = False) -> Cases:
    """Compare the size-weighted sums of one level for all blocks and of the proportional rule.

    The winner is in one block only. So with beta_h = epsilon/2 the pass errs with probability at
    most epsilon/2 in that block's tournament, and at most epsilon/2 in the merges.
    """

    def same_level(L: int) -> arb:
        total: arb = (2**L - 1) * log_integer_ball(4 * (L if uniform else 1))
        return total

    for L in (2, 3, 4, 8, 16, 32, 64):
        yield at_most(
            f"sum of m_h log(1/beta_h), one level for all blocks, epsilon = 1/2, N = 2^{L}",
            real(same_level, L, bits=256),
            real(_block_logs, L, 4, bits=256),
        )


def _merge_heights(tree: BalancedTree, b: Arm, path: Path[Arm]) -> Iterator[tuple[Match, Arm, int]]:
    """Return each match with its winner and its height; the merge of block h is its last match."""
    heights = [h for h in range(1, tree.L + 1) if tree.sibling_block(b, h)]
    for question, winner in zip(path.matches, path.winners, strict=True):
        yield question, winner, heights[0]
        if not question.delta.basel:
            heights.pop(0)


@truth(
    "treeascent-capture-preserve",
    kind=Kind.EXHAUSTIVE,
    domain="Every pass whose matches satisfy the lemma's premises returns the winner. Every "
    "start, every winner and all such results of matches are tried, with the byes last or spread.",
    sizes={"N from 2 to": _MOST_PATHS},
    case="path on which the premises hold",
    refuses={
        "the lemma without its premise on merges": {"premises": frozenset({"capture"})},
        "the lemma without its premise on the tournament": {"premises": frozenset({"entry merge"})},
    },
)
def capture(
    under_test: Implementation,
    depth: Depth,
    *,
    premises: frozenset[str] = frozenset({"capture", "entry merge"}),
) -> Cases:
    for N in range(2, by_depth(depth, *_MOST_PATHS) + 1):
        for byes in (Byes.LAST, Byes.SPREAD):
            tree = under_test.BalancedTree.over(N, Conventions(byes=byes))
            for b in range(N):
                make = functools.partial(under_test.tree_ascent, b, tree, _EPSILON, match)
                for path in paths(make, most_matches=N):
                    yield from _capture_on_path(tree, b, path, premises)


@truth(
    "treeascent-beating-tree",
    kind=Kind.EXHAUSTIVE,
    domain="Each arm except the returned one loses exactly once, so the results of a pass form a "
    "tree with that arm as root. Every start and all results of matches are tried.",
    sizes={"N from 2 to": _MOST_PATHS},
    case="path",
    refuses={"the preferences determine the tree, whatever the results": {"of_preferences": True}},
)
def beating_tree(
    under_test: Implementation, depth: Depth, *, of_preferences: bool = False
) -> Cases:
    for N in range(2, by_depth(depth, *_MOST_PATHS) + 1):
        tree = under_test.BalancedTree.over(N)
        for b in range(N):
            make = functools.partial(under_test.tree_ascent, b, tree, _EPSILON, match)
            for path in paths(make, most_matches=N):
                lost = [
                    asked.second if won == asked.first else asked.first for asked, won in path.won
                ]
                others = [arm for arm in range(N) if arm != path.result]
                against = of_preferences and any(
                    won > loser for (_, won), loser in zip(path.won, lost, strict=True)
                )
                wrong = sorted(lost) != others or against
                yield f"N = {N}, b = {b}: {path}" if wrong else ""


@truth(
    "treeascent-empty-block-levels",
    kind=Kind.EXHAUSTIVE,
    domain="The main text's levels are the appendix's if and only if N = 2^L. Otherwise they "
    "differ, and are 0 at the empty blocks. Every start is tried, with the byes last or spread.",
    sizes={"N from 2 to": _MOST_EMPTY},
    case="start",
    refuses={"the two rules agree for every N": {"always": True}},
)
def empty_block_levels(under_test: Implementation, depth: Depth, *, always: bool = False) -> Cases:
    half = _EPSILON.rational / 2
    for N in range(2, by_depth(depth, *_MOST_EMPTY) + 1):
        for byes in (Byes.LAST, Byes.SPREAD):
            tree = under_test.BalancedTree.over(N, Conventions(byes=byes))
            for b in range(N):
                sizes = [len(tree.sibling_block(b, h)) for h in range(1, tree.L + 1)]
                main = [half * Fraction(m, N - 1) for m in sizes]
                appendix = [
                    under_test.schedules.block_level(
                        _EPSILON, tree.sibling_capacity(h), tree.M
                    ).rational
                    for h in range(1, tree.L + 1)
                ]
                right = (main == appendix) == (always or tree.M == N) and all(appendix)
                yield "" if right else f"N = {N}, byes {byes}, b = {b}: {main} and {appendix}"


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
            right = path.result == winner
            where = f"N = {tree.N}, b = {b}, a* = {winner}"
            yield "" if right else f"{where}: returned {path.result} on {path}"


@truth(
    "treeascent-two-texts-agree",
    kind=Kind.EXHAUSTIVE,
    domain="Both versions play the same matches at the same levels and give the same answers, for "
    "N = 2, 4 and 8. Every start and every path is tried.",
    sizes={"levels:": _LEVELS_TRIED},
    case="path",
    refuses={"the main text's levels serve for every N": {"any_N": True}},
)
def two_texts(under_test: Implementation, depth: Depth, *, any_N: bool = False) -> Cases:
    if any_N:
        yield from _levels_for_any(under_test)
    for L in (1, 2, 3):
        tree = under_test.BalancedTree.over(2**L)
        for epsilon in _LEVELS[: by_depth(depth, *_LEVELS_TRIED)]:
            for b in range(2**L):
                first, second = (
                    paths(functools.partial(text, b, tree, epsilon, match), most_matches=2**L)
                    for text in (under_test.tree_ascent_power_of_two, under_test.tree_ascent)
                )
                for one, other in zip(first, second, strict=True):
                    yield "" if one == other else f"L = {L}, b = {b}: {one} against {other}"


def _levels_for_any(under_test: Implementation) -> Iterator[str]:
    levels = under_test.schedules
    for N in range(2, 10):
        tree = under_test.BalancedTree.over(N)
        for h in range(1, tree.L + 1):
            size = len(tree.sibling_block(0, h))
            main = levels.block_level(_EPSILON, size, N) if size else None
            appendix = levels.block_level(_EPSILON, tree.sibling_capacity(h), tree.M)
            yield "" if main == appendix else f"N = {N}, h = {h}: {main} and {appendix}"


def _attained(under_test: Implementation, depth: Depth) -> Attained:
    exponent = by_depth(depth, 16, 17, 18)
    arms = clustered(exponent)
    value = arms.need(under_test, one_pass(under_test, arms, NEARLY_ONE), NEARLY_ONE)
    return Attained(value, f"N = 2^{exponent} + 1, gap -> 1/2, epsilon -> 1")


CONSTANT = Constant(
    stated=STATED["tree-ascent"],
    certify=of_gaps(tree_totals),
    attained=_attained,
    weakened={
        **not_of_all_gaps(tree_totals),
        "a proof that counts all M - 1 < 2N leaves as arms": of_gaps(
            functools.partial(tree_totals, leaves_as_arms=True)
        ),
    },
)
constant = CONSTANT.check()


@argument(case="entry level")
def half_of_epsilon_is_spare(depth: Depth) -> Cases:
    """Show that by the paper's own lemmas TreeAscent's error is epsilon/2, for every N and b."""

    # The error over epsilon: the rounds of a block's tournament, and the merges from h* on.
    def spent(L: int, h: int) -> arb:
        merges = ball(Fraction(L - max(h, 1) + 1, 2 * L))
        if h <= 1:
            return merges
        return merges + level_share(h - 1) * ball(Fraction(2 ** (h - 1), 2 * (2**L - 1)))

    for L in (*range(1, 13), 20, 30, 60):
        for h in range(L + 1):
            yield at_most(
                f"error over epsilon, L = {L}, h* = {h}",
                real(spent, L, h, bits=256),
                Fraction(1, 2) + (Fraction(1, 10**15) if h in (0, 1) else 0),
            )


def fewest_duels(under_test: Implementation, N: int, level: Confidence) -> int:
    """Return the fewest duels of a pass from arm 0 with the byes last, over all outcomes."""
    return passes.one_pass(under_test, N, 0, level, (0,)).fewest(under_test.duel_test)


@demonstration(case="number of arms")
def clustered_byes_cost_most(under_test: Implementation, depth: Depth) -> Cases:
    """Show that N = 2^k + 1 with the byes in one block costs more per arm than 2^k and 2^(k+1).

    The fewest duels are counted: the cost of a pass as all gaps tend to 1/2.
    """
    worst = Fraction(fewest_duels(under_test, 1025, _NEARLY_USELESS), 1025)
    for N in (1024, 2048):
        per_arm = Fraction(fewest_duels(under_test, N, _NEARLY_USELESS), N)
        yield at_most(f"fewest duels per arm, N = {N}, against N = 1025", per_arm, worst)


@demonstration(case="bound")
def bound_is_vacuous(under_test: Implementation, depth: Depth) -> Cases:
    """Show that with the imported constant both strong bounds exceed the horizon.

    At gaps near 1/2 a pass costs at least its fewest duels, which bounds C from below.
    """
    N, level, gap = 4097, _NEARLY_USELESS, Fraction(499, 1000)
    least, C = fewest_duels(under_test, N, level), Fraction(337, 100)
    arms, Delta, T = 256, Fraction(3, 10), 100_000

    def least_constant() -> arb:
        return ball(least * gap**2 / N) / (log_inverse_ball(level) - ball(gap).log() + 1)

    def known() -> arb:
        return ball(C * arms / Delta**2) * (log_integer_ball(T + 1) - ball(Delta).log() + 1)

    yield at_most("3.37 against the constant of the pass", C, real(least_constant))
    yield at_most("100,000 against the known-horizon bound at N = 256", T, real(known))
