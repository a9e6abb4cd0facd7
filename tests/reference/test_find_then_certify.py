"""Find, then certify: what it asks, how sure its certificates are, how often a stage fails."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from cost_tables import wrong_certificates
from cost_tables.stages import certificate_probabilities
from tgite import (
    Confidence,
    Duel,
    Incumbent,
    PreferenceMatrix,
    SeededEnvironment,
    SelfPlay,
    cyclic,
    play,
    sparse,
)
from tgite.beyond import Assumption, Certificate, Verdict, find_then_certify
from tgite.beyond.find_then_certify import (
    FINDING,
    SHARE_OF_W,
    Cell,
    Stage,
    champion_level,
    endless_search,
    gap_tried,
    level_in_round,
    part,
    screening_budget,
    screening_rule,
    stages,
)
from tgite.preferences import HALF
from tgite.questions import drive
from tgite_laws.implementation import REFERENCE
from tgite_laws.one_sided import Drawn, verdict_law
from tgite_laws.pairwise import ChosenTest, PairwiseName
from tgite_laws.tournaments import bkt_law
from tgite_laws.whole_matches import knockout, one_sided_match
from tgite_pages.pages import DOCS

TENTH = Confidence.of("1/10")


def test_the_levels_add_up_to_delta_and_no_more() -> None:
    levels = [champion_level(TENTH, k).rational for k in range(50)]
    assert levels[0] == Fraction(4, 5) * TENTH.rational
    assert sum(levels) == TENTH.rational * (1 - Fraction(1, 201))
    for share in SHARE_OF_W.values():
        assert share + sum((1 - share) * part(m) for m in range(50)) < 1


def test_the_rounds_square_the_evidence_up_to_the_last() -> None:
    a = Confidence.of("1e-9")
    assert [1 / level_in_round(a, r).rational for r in range(4)] == [16, 256, 65536, 10**9]
    assert 1 / level_in_round(None, 4).rational == 2**64


TOP_TIE = PreferenceMatrix.of(wrong_certificates.INSTANCES["two that tie above a third"])
CYCLE = PreferenceMatrix.of(wrong_certificates.INSTANCES["a cycle, .9"])


def test_wrong_certificates_are_as_rare_as_their_levels_and_not_much_rarer() -> None:
    """Two arms that tie at the top: no winner, and one wrong match is all that it takes."""
    rightly, wrongly = certificate_probabilities(TOP_TIE, TENTH)
    assert rightly.high == 0
    assert 0.02 < wrongly.low <= wrongly.high < champion_level(TENTH, 0).rational
    _, wrongly = certificate_probabilities(CYCLE, TENTH)
    assert 0 < wrongly.low <= wrongly.high < 1e-5


def test_no_count_of_wrong_certificates_is_far_above_its_bound() -> None:
    """In the table's file: four standard errors above the exact bound, which the page shows."""
    page = (DOCS / "one-assumption.md").read_text("utf-8")
    for row in wrong_certificates.ROWS.read():
        preferences = PreferenceMatrix.of(wrong_certificates.INSTANCES[row["instance"]])
        delta, runs = Confidence.of(row["delta"]), int(row["runs"])
        mean = runs * certificate_probabilities(preferences, delta)[1].high
        assert int(row["wrong in stage 0"]) <= mean + 4 * mean**0.5 + 4
        assert int(row["wrong"]) < runs * delta.rational
        said = f"| {row['wrong']} | {row['wrong in stage 0']} | {mean:.3g} |"
        assert re.search(rf"\n\| {row['instance']} .*{re.escape(said)}", page)


@pytest.mark.parametrize(("N", "s"), [(2, 0), (8, 0), (8, 1), (32, 1)])
def test_a_stage_with_the_winner_s_gap_fails_less_often_than_is_claimed(N: int, s: int) -> None:
    """Exactly, at the gap itself; parts that the proof bounds are below their bounds."""
    g = gap_tried(s)
    laws = ChosenTest(PairwiseName.TRUNCATED_SPRT, g).laws()
    instance = cyclic(N, g, Fraction(1, 50))
    found = bkt_law(REFERENCE.bkt, range(N), FINDING, instance, laws)
    assert found.error is not None
    assert found.error.high < 1 / 8
    screened = verdict_law(screening_rule(s), HALF + g, screening_budget(s)).chances
    assert screened[Verdict.LOST].high <= 1 / 32
    assert screened[Verdict.BUDGET].high < 1e-6
    cell = Cell(champion_level(TENTH, 0))
    stage = Stage(N, s, 0, cell, SHARE_OF_W[Assumption.NOTHING])
    last = next(r for r in range(9) if stage.last(r))
    rule, most = stage.rule(last, 0, 1), stage.most(last, 0, 1)
    match = verdict_law(rule, HALF + g, most)
    lost = (N - 1) * match.chances[Verdict.LOST].high
    assert lost <= (N - 1) / (2 * N) ** 6
    assert match.mean.high * (N - 1) < most / 4
    fails = found.error.high + screened[Verdict.LOST].high + 1e-6 + lost + 1 / 128
    assert fails < 1 / 6


def test_the_endless_search_plays_its_champion_against_itself_after_every_round() -> None:
    """Among two arms of which one always wins, with no question left out."""
    stream, duels = endless_search(2), 0
    blocks: list[tuple[int, int]] = []
    question = next(stream)
    while len(blocks) < 4:
        reply = None
        match question:
            case Duel(first, _):
                duels, reply = duels + 1, first == 0
            case Incumbent(arm):
                assert arm == 0
            case SelfPlay(arm, rounds):
                assert arm == 0
                blocks.append((duels, rounds))
        question = stream.send(reply)
    assert [rounds for _, rounds in blocks] == [16, 64, 4096, 2**26]

    def enough(n: int, r: int) -> bool:
        """Return whether n wins in the first stage are enough for round r, by definition."""
        W, L = Fraction(2 ** (n + 1) - 1, n + 1), Fraction(7, 4) ** n
        return max(W / 2, L * Fraction(1, 2) * Fraction(4, 5)) >= 1 << (1 << (r + 2))

    wins = [next(n for n in range(99) if enough(n, r)) for r in range(4)]
    assert [after - blocks[0][0] for after, _ in blocks] == [n - wins[0] for n in wins]


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
