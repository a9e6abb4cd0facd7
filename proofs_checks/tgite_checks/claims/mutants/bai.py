"""Wrong transcriptions of TG-ITE-BAI."""

from __future__ import annotations

from tgite_checks.mutation import Mutant


def _mutant(name: str, replaced: str, mistake: str) -> Mutant:
    return Mutant(f"bai-{name}", "cor:tlcr-bai", "bai", _PASS, replaced, mistake)


_PASS = "return tree_ascent(b_0, tree, delta, test, conventions)"

MUTANTS = (
    _mutant(
        "delta-halved",
        "return tree_ascent(b_0, tree, Confidence(delta.rational / 2), test, conventions)",
        "The pass runs at delta/2.",
    ),
    _mutant(
        "main-text-version",
        "from tgite.tree_ascent import tree_ascent_power_of_two\n"
        "    return tree_ascent_power_of_two(b_0, tree, delta, test, conventions)",
        "The main text's TreeAscent, which is for powers of two only.",
    ),
    _mutant(
        "conventions-dropped",
        "return tree_ascent(b_0, tree, delta, test)",
        "The conventions are not handed on.",
    ),
    _mutant(
        "starts-at-arm-0",
        "return tree_ascent(0, tree, delta, test, conventions)",
        "The pass starts from arm 0, whatever the starting arm.",
    ),
)
