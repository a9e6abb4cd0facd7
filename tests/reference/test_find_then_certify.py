"""Find, then certify: what it asks, how sure its certificates are, how often a stage fails."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from cost_tables import wrong_certificates
from cost_tables.stages import certificate_probabilities
from tgite import Confidence, PreferenceMatrix, SeededEnvironment, cyclic, play, sparse
from tgite.beyond import Assumption, Certificate, Verdict, find_then_certify
from tgite.beyond.find_then_certify import (
    FINDING,
    certificate_budget,
    certificate_level,
    certificate_rule,
    gap_tried,
    screening_budget,
    screening_rule,
    stages,
)
from tgite.preferences import HALF
from tgite.questions import drive
from tgite_laws.implementation import REFERENCE
from tgite_laws.one_sided import Drawn, knockout, one_sided_match, verdict_law
from tgite_laws.pairwise import ChosenTest, PairwiseName
from tgite_laws.tournaments import bkt_law
from tgite_pages.pages import DOCS

TENTH = Confidence.of("1/10")


def test_the_levels_add_up_to_delta_and_no_more() -> None:
    levels = [certificate_level(TENTH, k).rational for k in range(50)]
    assert levels[0] == Fraction(2, 30)
    assert sum(levels) == TENTH.rational * (1 - Fraction(1, 101))


TOP_TIE = PreferenceMatrix.of(wrong_certificates.INSTANCES["two that tie above a third"])
CYCLE = PreferenceMatrix.of(wrong_certificates.INSTANCES["a cycle, .9"])


def test_wrong_certificates_are_as_rare_as_their_levels_and_not_much_rarer() -> None:
    """Two arms that tie at the top: no winner, and one wrong match is all that it takes."""
    given = certificate_probabilities(TOP_TIE, TENTH, wrong_certificates.STAGES)
    assert given.rightly.high == 0
    assert 0.02 < given.wrongly.low <= given.wrongly.high < given.ever.high < TENTH.rational
    shown = f"| {given.wrongly.high:.2g} | {given.ever.high:.2g} |"
    (line,) = re.findall(
        "two that tie above a third.*", (DOCS / "one-assumption.md").read_text("utf-8")
    )
    assert line.endswith(shown)
    cycle = certificate_probabilities(CYCLE, TENTH, 1)
    assert 0 < cycle.wrongly.low < cycle.wrongly.high < 1e-5


@pytest.mark.parametrize(("N", "s"), [(2, 0), (8, 0), (8, 1), (32, 1)])
def test_a_stage_with_the_winner_s_gap_fails_less_often_than_is_claimed(N: int, s: int) -> None:
    """Exactly, at the gap itself; parts that the proof bounds are below their bounds."""
    g, level = gap_tried(s), certificate_level(TENTH, 0)
    laws = ChosenTest(PairwiseName.TRUNCATED_SPRT, g).laws()
    instance = cyclic(N, g, Fraction(1, 50))
    found = bkt_law(REFERENCE.bkt, range(N), FINDING, instance, laws)
    assert found.error is not None
    assert found.error.high < 1 / 8
    screened = verdict_law(screening_rule(s), HALF + g, screening_budget(s)).chances
    assert screened[Verdict.LOST].high <= 1 / 32
    assert screened[Verdict.BUDGET].high < 1e-6
    rule, most = certificate_rule(N, s, level), certificate_budget(N, s, level)
    match = verdict_law(rule, HALF + g, most)
    lost = (N - 1) * match.chances[Verdict.LOST].high
    assert lost <= (N - 1) / (2 * N) ** 6
    assert match.mean.high * (N - 1) < most / 4
    fails = found.error.high + screened[Verdict.LOST].high + 1e-6 + lost + 1 / 128
    assert fails < 1 / 6


def test_a_certificate_says_what_it_assumes() -> None:
    stream = find_then_certify(8, TENTH, Assumption.A_WINNER)
    found = play(stream, SeededEnvironment(sparse(8, "0.1"), 3)).returned
    assert isinstance(found, Certificate)
    assert found == Certificate(4, Verdict.WON, TENTH, found.duels, assumes=Assumption.A_WINNER)


def test_match_by_match_it_costs_the_same_as_comparison_by_comparison() -> None:
    """Two samples of 60 runs: their means agree within four of their standard errors."""
    preferences = cyclic(4, "0.3", "0.1")
    whole, single = [], []
    for seed in range(60):
        drawn = Drawn(preferences, seed)
        drive(stages(4, TENTH, Assumption.NOTHING, knockout, one_sided_match), drawn)
        whole.append(drawn.duels)
        run = play(find_then_certify(4, TENTH), SeededEnvironment(preferences, seed))
        single.append(run.comparisons)
    means = sum(whole) / 60, sum(single) / 60
    squares = sum((x - means[0]) ** 2 for x in whole) + sum((x - means[1]) ** 2 for x in single)
    assert abs(means[0] - means[1]) < 4 * (squares / 60**2) ** 0.5
