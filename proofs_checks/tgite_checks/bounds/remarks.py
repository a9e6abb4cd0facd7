"""Checks of what is asserted outside of statements: abstract, remarks, outlook."""

from __future__ import annotations

import functools
from fractions import Fraction

from tgite_checks.bounds.demonstrations import duel_test, identification, policies
from tgite_checks.check import Check, Kind, Question

TIE_STOPS_THE_PASS = Check(
    name="tie-stops-the-pass-check",
    question=Question.TRUTH,
    kind=Kind.CERTIFIED,
    domain="a Condorcet winner among three arms, the others tied and siblings, epsilon = 1/10 "
    "(standard: arxiv6 too): the pass never ends with probability above 0.999",
    run=identification.a_tie_stops_the_pass,
    refuses={
        "the same of the known-gap pass": functools.partial(
            identification.a_tie_stops_the_pass, known_gap=True
        )
    },
)

KNOCKOUT_CHEAPER = Check(
    name="knockout-alone-is-cheaper",
    question=Question.TRUTH,
    kind=Kind.CERTIFIED,
    domain="N = 8 and 64 (standard: 256 too), all gaps .3, levels 1/4 and 1e-5: BKT on all arms "
    "keeps its level and costs at most what TreeAscent costs",
    run=identification.knockout_alone_is_cheaper,
    refuses={
        "at most 4/5 of it": functools.partial(
            identification.knockout_alone_is_cheaper, factor=Fraction(4, 5)
        )
    },
)

SMALL_GAP = Check(
    name="one-small-gap-costs",
    question=Question.TRUTH,
    kind=Kind.CERTIFIED,
    domain="four arms, Delta* = .3, one other pair of gap 0.1, 0.03 (standard: 0.01): the pass "
    "costs more than 5/x^2 duels, the known-gap pass at most 88",
    run=identification.one_small_gap_costs_much,
    refuses={
        "more than 50/x^2": functools.partial(identification.one_small_gap_costs_much, multiple=50)
    },
)

BINARY_UNITS = Check(
    name="binary-weak-regret-lower-bound",
    question=Question.TRUTH,
    kind=Kind.CERTIFIED,
    domain="N = 256, all gaps Delta = 1e-3 to 1e-6: every policy has binary weak regret above "
    "0.007 N/Delta^2 on some instance, by a change of measure",
    run=policies.binary_weak_regret_needs_more,
    refuses={
        "above 0.01 N/Delta^2, by the same argument": functools.partial(
            policies.binary_weak_regret_needs_more, thousandths=10
        )
    },
)

STITCHED = Check(
    name="stitched-radius-crosses-earlier",
    question=Question.TRUTH,
    kind=Kind.CERTIFIED,
    domain="delta = 1/10, gaps 1e-16 to 1e-120: a radius that knows no gap crosses by 48/gap^2, "
    "the paper's not by 4 log10(1/gap)/gap^2",
    run=duel_test.gap_logarithm_is_not_forced,
    refuses={
        "the paper's not by 8 log10(1/gap)/gap^2": functools.partial(
            duel_test.gap_logarithm_is_not_forced, multiple=8
        )
    },
)

BLOCK_REPRESENTATIVE = Check(
    name="block-representative",
    question=Question.TRUTH,
    kind=Kind.EXHAUSTIVE,
    domain="three arms in a cycle and one that loses to all, no noise, all 24 orders: each of the "
    "three represents 8",
    run=identification.representative_is_an_accident,
    refuses={
        "one arm represents all orders": functools.partial(
            identification.representative_is_an_accident, each=24
        )
    },
)

CHECKS = (
    TIE_STOPS_THE_PASS,
    KNOCKOUT_CHEAPER,
    SMALL_GAP,
    BINARY_UNITS,
    STITCHED,
    BLOCK_REPRESENTATIVE,
)
