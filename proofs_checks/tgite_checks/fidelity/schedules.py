"""Fidelity of the confidence schedules: exact values, tied down by how they multiply and add up."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from tgite.confidence import Confidence
from tgite_checks.check import Cases, Check, Depth, Kind, Question, Result, Run, result_of
from tgite_checks.implementation import Implementation

_LEVELS = tuple(Fraction(text) for text in ("0.999", "1/2", "1/4", "1/10", "1e-9", f"1/{2**1024}"))


def _unless(right: bool, told: str) -> str:
    return "" if right else told


def _run(cases: Callable[[Implementation], Cases], what: str) -> Run:
    def run(under_test: Implementation, depth: Depth) -> Result:
        return result_of(cases(under_test), what)

    return run


def _bkt_cases(under_test: Implementation) -> Cases:
    level = under_test.schedules.bkt_round_level
    for delta in _LEVELS:
        for r in range(1, 101):
            found = level(Confidence(delta), r)
            right = found.basel and found.rational * r * r == delta
            yield _unless(right, f"delta_{r} = {found} for delta = {delta}")


def _treeascent_cases(under_test: Implementation) -> Cases:
    block_level = under_test.schedules.block_level
    merge_level = under_test.schedules.merge_level
    for epsilon in _LEVELS:
        for L in range(1, 40):
            merge = merge_level(Confidence(epsilon), L)
            right = not merge.basel and L * merge.rational * 2 == epsilon
            yield _unless(right, f"eta = {merge} for epsilon = {epsilon}, L = {L}")
        for whole in (*range(2, 40), 600, 1025, 2**20):
            for block in {1, 2, 3, whole // 2, whole - 1} & set(range(1, whole)):
                share = block_level(Confidence(epsilon), block, whole)
                right = not share.basel and share.rational * 2 * (whole - 1) == epsilon * block
                yield _unless(right, f"beta = {share}: epsilon = {epsilon}, {block} of {whole}")


def _weak_cases(under_test: Implementation) -> Cases:
    schedules = under_test.schedules
    warm_start = schedules.WEAK_WARM_START
    yield _unless(warm_start == Confidence.of("1/4"), f"the warm start's level is {warm_start}")
    for name, level in (
        ("rho", schedules.screening_level),
        ("kappa", schedules.replacement_level),
    ):
        expected = Fraction(1, 64)
        for s in range(1, 1001):
            found = level(s)
            yield _unless(found == Confidence(expected), f"{name}_{s} = {found}")
            expected /= 4


def _known_cases(under_test: Implementation) -> Cases:
    for H in (*range(2, 1001), 1, 10**5, 10**30):
        found = under_test.schedules.known_horizon_level(H)
        right = not found.basel and found.rational.numerator == 1
        right = right and found.rational.denominator - H == 1
        yield _unless(right, f"epsilon_{H} = {found}")


def _anytime_cases(under_test: Implementation) -> Cases:
    rounds = 2
    for s in range(1, 17):
        rounds *= rounds
        level, block = (
            under_test.schedules.anytime_level(s),
            under_test.schedules.self_play_rounds(s),
        )
        yield _unless(level == Confidence(Fraction(1, rounds)), f"epsilon_{s} = {level}")
        yield _unless(block == rounds, f"B_{s}, of {block.bit_length()} bits, is not 2^2^{s}")


BKT_ROUNDS = Check(
    name="schedules-bkt",
    question=Question.FIDELITY,
    kind=Kind.EXHAUSTIVE,
    domain="delta_r: six levels from 0.999 to 2^-1024, rounds 1 to 100, exactly",
    run=_run(_bkt_cases, "level of a round"),
    rejects=(
        "schedules-r-for-r-squared",
        "schedules-basel-factor-lost",
        "schedules-rounds-from-0",
        "schedules-halved-each-round",
    ),
)

TREEASCENT_SHARES = Check(
    name="schedules-treeascent",
    question=Question.FIDELITY,
    kind=Kind.EXHAUSTIVE,
    domain="beta_h and eta_h: six levels from 0.999 to 2^-1024, trees of 2 to 39, 600, 1025 and "
    "2^20 leaves, 1 to 39 levels, exactly",
    run=_run(_treeascent_cases, "level of a block or merge"),
    rejects=(
        "schedules-block-epsilon-not-halved",
        "schedules-block-over-whole",
        "schedules-block-uniform-over-levels",
        "schedules-merge-epsilon-not-halved",
        "schedules-merge-one-level-more",
    ),
)

WEAK_EPOCHS = Check(
    name="schedules-weak",
    question=Question.FIDELITY,
    kind=Kind.EXHAUSTIVE,
    domain="the warm start's level, rho_s and kappa_s of the epochs 1 to 1000, exactly",
    run=_run(_weak_cases, "level of an epoch"),
    rejects=(
        "schedules-warm-start-half",
        "schedules-rho-one-epoch-early",
        "schedules-kappa-one-epoch-late",
        "schedules-rho-base-2",
    ),
)

KNOWN_HORIZON = Check(
    name="schedules-known-horizon",
    question=Question.FIDELITY,
    kind=Kind.EXHAUSTIVE,
    domain="epsilon_H of the horizons 1 to 1000, 10^5 and 10^30, exactly",
    run=_run(_known_cases, "level of a horizon"),
    rejects=("schedules-horizon-inverse", "schedules-horizon-squared"),
)

ANYTIME_PHASES = Check(
    name="schedules-anytime",
    question=Question.FIDELITY,
    kind=Kind.EXHAUSTIVE,
    domain="epsilon_s and B_s of the phases 1 to 16, exactly",
    run=_run(_anytime_cases, "phase"),
    rejects=(
        "schedules-phase-level-single-exponent",
        "schedules-phase-level-one-early",
        "schedules-self-play-2-to-the-2s",
        "schedules-self-play-one-phase-late",
    ),
)

CHECKS = (BKT_ROUNDS, TREEASCENT_SHARES, WEAK_EPOCHS, KNOWN_HORIZON, ANYTIME_PHASES)
