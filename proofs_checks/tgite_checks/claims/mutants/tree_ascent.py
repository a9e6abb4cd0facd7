"""Wrong transcriptions of TreeAscent (``alg:plr-pass`` and ``alg:app-plr``)."""

from __future__ import annotations

from tgite_checks.mutation import Mutant


def _mutant(name: str, original: str, replaced: str, mistake: str) -> Mutant:
    return Mutant(f"treeascent-{name}", "alg:app-plr", "tree_ascent", original, replaced, mistake)


def _main(name: str, original: str, replaced: str, mistake: str) -> Mutant:
    return Mutant(
        f"treeascent-main-{name}", "alg:plr-pass", "tree_ascent", original, replaced, mistake
    )


_LEVELS = "beta_h, eta_h = block_level(epsilon, mbar_h, M), merge_level(epsilon, L)  # L5"
_BLOCK = "g_h = yield from bkt(blocks[h], beta_h, test, conventions)  # L9"
_MERGE = "c[h] = yield from test(c[h - 1], g_h, eta_h)  # L10"
_RETURN = "return c[L]  # L13"
_START = "        M, L = tree.M, tree.L  # L1"
_EMPTY = "if m_h == 0:  # L6"
_MAIN_LEVELS = "beta_h, eta_h = block_level(epsilon, m_h, N), merge_level(epsilon, L)  # L5"
_MAIN_BLOCK = "g_h = yield from bkt(blocks[h], beta_h, test, conventions)  # L6"
_MAIN_MERGE = "c[h] = yield from test(c[h - 1], g_h, eta_h)  # L7"

MUTANTS = (
    _mutant(
        "m-for-mbar",
        _LEVELS,
        _LEVELS.replace("mbar_h, M", "m_h or 1, M"),
        "The block's arms m_h in place of its capacity mbar_h.",
    ),
    _mutant(
        "n-for-m",
        _LEVELS,
        _LEVELS.replace("mbar_h, M", "mbar_h, tree.N"),
        "N - 1 in place of M - 1 under the capacity.",
    ),
    _mutant(
        "merge-level-by-height",
        _LEVELS,
        _LEVELS.replace("merge_level(epsilon, L)", "merge_level(epsilon, h)"),
        "The merge levels are split by h instead of L.",
    ),
    _mutant(
        "block-at-merge-level",
        _BLOCK,
        _BLOCK.replace("beta_h", "eta_h"),
        "The block's tournament is played at the merge's level.",
    ),
    _mutant(
        "merge-at-block-level",
        _MERGE,
        _MERGE.replace("eta_h", "beta_h"),
        "The merge is played at the block's level.",
    ),
    _mutant(
        "empty-block-played",
        _EMPTY,
        "if m_h < 0:  # L6",
        "Empty blocks are not passed over.",
    ),
    _mutant(
        "merge-arguments-swapped",
        _MERGE,
        _MERGE.replace("c[h - 1], g_h", "g_h, c[h - 1]"),
        "The block's champion is the first argument of the merge.",
    ),
    _mutant(
        "levels-by-leaves",
        _LEVELS,
        _LEVELS.replace("mbar_h, M", "mbar_h, M + 1"),
        "The capacity is divided by M instead of M - 1.",
    ),
    _mutant(
        "start-not-updated",
        _MERGE,
        _MERGE.replace("c[h - 1], g_h", "b, g_h"),
        "Every block's champion meets the starting arm instead of the champion of the path.",
    ),
    _mutant(
        "last-merge-forgotten",
        _RETURN,
        "return c[L - 1]  # L13",
        "The champion below the root is returned.",
    ),
    _mutant(
        "one-arm-block-skipped",
        _EMPTY,
        "if m_h <= 1:  # L6",
        "Blocks of one arm are passed over like empty ones.",
    ),
    _mutant(
        "first-arm-champion",
        _MERGE,
        _MERGE.replace("c[h - 1], g_h", "c[h - 1], blocks[h][0]")
        + "\n                c[h] = g_h if c[h] == blocks[h][0] else c[h]",
        "The first arm of the block plays the merge in the name of its champion.",
    ),
    _mutant(
        "top-level-share",
        _LEVELS,
        _LEVELS.replace("mbar_h, M", "min(mbar_h, 16), M"),
        "The capacities are tabulated for five levels and then repeated.",
    ),
    _mutant(
        "merge-twice",
        _MERGE,
        "yield from test(c[h - 1], g_h, eta_h)\n                " + _MERGE,
        "Every merge is played twice, and the second result counts.",
    ),
    _mutant(
        "merge-by-dueltest",
        _MERGE,
        "from tgite.duel_test import duel_test\n                "
        + _MERGE.replace("test(", "duel_test("),
        "The known-gap variant keeps DuelTest for its merges.",
    ),
    _mutant(
        "answer-forgotten",
        _RETURN,
        "return b",
        "The starting arm is returned.",
    ),
    _main(
        "m-over-n",
        _MAIN_LEVELS,
        _MAIN_LEVELS.replace("m_h, N", "m_h, N + 1"),
        "The block's size is divided by N instead of N - 1.",
    ),
    _main(
        "block-at-epsilon",
        _MAIN_BLOCK,
        _MAIN_BLOCK.replace("beta_h", "epsilon"),
        "Every block's tournament gets all of epsilon.",
    ),
    _main(
        "merge-arguments-swapped",
        _MAIN_MERGE,
        _MAIN_MERGE.replace("c[h - 1], g_h", "g_h, c[h - 1]"),
        "The block's champion is the first argument of the merge.",
    ),
    _main(
        "start-not-updated",
        _MAIN_MERGE,
        _MAIN_MERGE.replace("c[h - 1], g_h", "b, g_h"),
        "Every block's champion meets the starting arm instead of the champion of the path.",
    ),
    _main(
        "takes-any-number",
        "if tree.N != tree.M:",
        "if tree.N > tree.M:",
        "Numbers of arms that are no power of two are not refused.",
    ),
    _main(
        "merge-level-by-blocks",
        _MAIN_LEVELS,
        _MAIN_LEVELS.replace("merge_level(epsilon, L)", "merge_level(epsilon, L + 1)"),
        "The merges share their half of epsilon among the L + 1 heights of the path.",
    ),
)
