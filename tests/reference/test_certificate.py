"""Certificates: when a match ends, exactly, and what is said of the arms then."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import pytest

from tgite import Confidence, PreferenceMatrix, SeededEnvironment, play
from tgite.beyond import Certificate, Verdict, certify
from tgite.beyond.certificate import Rule, evidence_rule
from tgite.beyond.likelihood import likelihood
from tgite_laws.likelihood import least_likely, most_unlikely
from tgite_laws.one_sided import verdict_law

TENTH = Confidence.of("1/10")
HALF = Fraction(1, 2)


def ended(rule: Rule, p: Fraction, duels: int) -> Mapping[Verdict | None, Fraction]:
    """Return the exact chances of a match's verdicts after so many duels; ``None``: it goes on."""
    chances: dict[Verdict | None, Fraction] = dict.fromkeys(Verdict, Fraction(0))
    going_on = {0: Fraction(1)}
    for n in range(1, duels + 1):
        after: dict[int, Fraction] = {}
        for S, chance in going_on.items():
            for wins, part in ((S, 1 - p), (S + 1, p)):
                verdict = rule.verdict(n, wins)
                if verdict is None:
                    after[wins] = after.get(wins, Fraction(0)) + chance * part
                else:
                    chances[verdict] += chance * part
        going_on = after
    chances[None] = sum(going_on.values(), Fraction(0))
    return chances


@pytest.mark.parametrize("g", [Fraction(3, 8), Fraction(1, 4), Fraction(49, 100), Fraction(1, 99)])
@pytest.mark.parametrize("level", ["2/3", "4/9", "1/10", "1e-12"])
def test_the_likelihood_is_decided_exactly(g: Fraction, level: str) -> None:
    """At g = 1/4 levels of 2/3 and 4/9 are met exactly, by one win and by two."""
    delta = Confidence.of(level)
    boundary = likelihood(g, delta)

    def value(n: int, s: int) -> Fraction:
        return (1 + 2 * g) ** s * (1 - 2 * g) ** (n - s)

    for n in range(60):
        least, most = boundary.least_wins(n), boundary.most_wins(n)
        assert value(n, least - 1) < 1 / delta.rational <= value(n, least)
        assert value(n, most) <= delta.rational < value(n, most + 1)
        assert (least_likely(n, g, delta), most_unlikely(n, g, delta)) == (least, most)
    far = 10_000
    assert least_likely(far, g, delta) == boundary.least_wins(far)
    assert most_unlikely(far, g, delta) == boundary.most_wins(far)


@pytest.mark.parametrize("margin", [None, Fraction(1, 8)])
def test_a_match_is_won_by_no_worse_arm_more_often_than_its_level(margin: Fraction | None) -> None:
    rule = evidence_rule(TENTH, TENTH, margin)
    fair = ended(rule, HALF, 160)
    for verdict, enclosure in verdict_law(rule, HALF, 160).chances.items():
        exact = fair[None if verdict is Verdict.BUDGET else verdict]
        assert enclosure.low <= exact <= enclosure.high <= enclosure.low + 1e-12
    assert 0 < fair[Verdict.WON] == fair[Verdict.LOST] <= TENTH.rational
    if margin is not None:
        assert fair[Verdict.WON] <= TENTH.rational / 2
        assert fair[Verdict.EQUIVALENT] > HALF
        far = ended(rule, HALF - margin, 120)
        assert 0 < far[Verdict.WON] + far[Verdict.EQUIVALENT] <= TENTH.rational


def played(p: Mapping[tuple[int, int], str], N: int, c: int, **options: object) -> Certificate:
    """Certify ``c`` on preferences whose entries are 1/2 but for ``p``."""
    rows = [[HALF] * N for _ in range(N)]
    for (i, j), chance in p.items():
        rows[i][j], rows[j][i] = Fraction(chance), 1 - Fraction(chance)
    environment = SeededEnvironment(PreferenceMatrix.of(rows), 1)
    made = certify(c, N, TENTH, **options)  # type: ignore[arg-type]
    returned = play(made, environment, winner=None).returned
    assert isinstance(returned, Certificate)
    return returned


def test_a_winner_is_certified_and_another_arm_is_told_who_beat_it() -> None:
    cycle = {(0, 1): "0.9", (0, 2): "0.8", (1, 2): "0.7"}
    won = played(cycle, 3, 0)
    assert won == Certificate(0, Verdict.WON, TENTH, won.duels)
    lost = played(cycle, 3, 1)
    assert lost == Certificate(1, Verdict.LOST, Confidence.of("1/20"), lost.duels, 0)
    assert played(cycle, 3, 2, order=(1, 0)).lost_to == 1


def test_a_tie_ends_with_a_margin_and_by_the_budget_without() -> None:
    nearly = {(0, 1): "0.9"}
    told = played(nearly, 3, 0, margin=Fraction(1, 10))
    assert told == Certificate(0, Verdict.EQUIVALENT, TENTH, told.duels, None, (2,))
    stopped = played({(0, 2): "0.9"}, 3, 0, budget=50, against=Confidence.of("1e-9"))
    assert stopped == Certificate(0, Verdict.BUDGET, TENTH, 50)
