"""Fidelity of the confidence schedules: exact values, by their products and sums."""

from __future__ import annotations

from fractions import Fraction

from tgite.confidence import Confidence
from tgite_checks.check import Cases, Depth, fidelity
from tgite_laws.implementation import Implementation

_LEVELS = tuple(Fraction(text) for text in ("0.999", "1/2", "1/4", "1/10", "1e-9", f"1/{2**1024}"))


@fidelity(
    "schedules-bkt",
    domain="Levels of rounds 1 to 100 are exactly the text's, for six values of delta from 0.999 "
    "to 2^-1024.",
    case="level of a round",
)
def bkt_rounds(under_test: Implementation, depth: Depth) -> Cases:
    level = under_test.schedules.bkt_round_level
    for delta in _LEVELS:
        for r in range(1, 101):
            found = level(Confidence(delta), r)
            right = found.basel and found.rational * r * r == delta
            yield "" if right else f"delta_{r} = {found} for delta = {delta}"


@fidelity(
    "schedules-treeascent",
    domain="The levels beta_h and eta_h are exactly the text's, for six levels from 0.999 to "
    "2^-1024. The trees have 2 to 39, 600, 1025 and 2^20 leaves, and 1 to 39 levels.",
    case="level of a block or merge",
)
def treeascent_shares(under_test: Implementation, depth: Depth) -> Cases:
    block_level = under_test.schedules.block_level
    merge_level = under_test.schedules.merge_level
    for epsilon in _LEVELS:
        for L in range(1, 40):
            merge = merge_level(Confidence(epsilon), L)
            right = not merge.basel and L * merge.rational * 2 == epsilon
            yield "" if right else f"eta = {merge} for epsilon = {epsilon}, L = {L}"
        for whole in (*range(2, 40), 600, 1025, 2**20):
            for block in {1, 2, 3, whole // 2, whole - 1} & set(range(1, whole)):
                share = block_level(Confidence(epsilon), block, whole)
                right = not share.basel and share.rational * 2 * (whole - 1) == epsilon * block
                yield "" if right else f"beta = {share}: epsilon = {epsilon}, {block} of {whole}"


@fidelity(
    "schedules-weak",
    domain="The warm start's level and those of epochs 1 to 1000 are exactly the text's.",
    case="level of an epoch",
)
def weak_epochs(under_test: Implementation, depth: Depth) -> Cases:
    schedules = under_test.schedules
    warm_start = schedules.WEAK_WARM_START
    yield "" if warm_start == Confidence.of("1/4") else f"the warm start's level is {warm_start}"
    levels = {"rho": schedules.screening_level, "kappa": schedules.replacement_level}
    for name, level in levels.items():
        expected = Fraction(1, 64)
        for s in range(1, 1001):
            found = level(s)
            yield "" if found == Confidence(expected) else f"{name}_{s} = {found}"
            expected /= 4


@fidelity(
    "schedules-known-horizon",
    domain="The level epsilon_H is exactly the text's for the horizons 1 to 1000, 10^5 and 10^30.",
    case="level of a horizon",
)
def known_horizon(under_test: Implementation, depth: Depth) -> Cases:
    for H in (*range(2, 1001), 1, 10**5, 10**30):
        found = under_test.schedules.known_horizon_level(H)
        right = not found.basel and 1 / found.rational - H == 1
        yield "" if right else f"epsilon_{H} = {found}"


@fidelity(
    "schedules-anytime",
    domain="The level epsilon_s and the length B_s are exactly the text's for phases 1 to 16.",
    case="phase",
)
def anytime_phases(under_test: Implementation, depth: Depth) -> Cases:
    rounds = 2
    for s in range(1, 17):
        rounds *= rounds
        level = under_test.schedules.anytime_level(s)
        block = under_test.schedules.self_play_rounds(s)
        yield "" if level == Confidence(Fraction(1, rounds)) else f"epsilon_{s} = {level}"
        yield "" if block == rounds else f"B_{s}, of {block.bit_length()} bits, is not 2^2^{s}"
