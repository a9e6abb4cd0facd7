"""The integer boundaries of the laws: the float rule's, the real numbers', the transcription's."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from rational_laws import real_leads
from tgite.budgeted_duel_test import b, budget, known_gap
from tgite.confidence import Confidence
from tgite.duel_test import c, duel_test
from tgite_checks.fidelity.boundaries import least_budgeted_margin, least_margin, shortest
from tgite_laws.balls import NearTie
from tgite_laws.boundary import Boundary, _settle, certify, stopping_leads
from tgite_laws.fewest_duels import fewest_duels
from tgite_laws.rule import Rule

LEVELS = ["0.999", "1/2", "0.1", "1/7 * 6/pi^2", "1e-30", "2^-1024"]
BUDGETS = [
    ("1/2", "1/2"),
    ("0.3", "0.5"),
    ("0.05", "0.1"),
    ("0.1", "1e-30"),
    ("1/3", "1/8 * 6/pi^2"),
]


def dueltest_leads(delta: Confidence, last: int) -> list[int]:
    leads: list[int] = stopping_leads(lambda n: c(n, delta), 1, last).tolist()
    return leads


def budgeted_leads(g: Fraction, delta: Confidence, last: int) -> list[int]:
    leads: list[int] = stopping_leads(lambda n: b(n, delta) - float(g), 1, last).tolist()
    return leads


@pytest.mark.parametrize("level", LEVELS)
def test_dueltest_stops_where_the_real_numbers_say(level: str) -> None:
    delta = Confidence.of(level)
    found, real = dueltest_leads(delta, 2500), real_leads(Boundary(delta, 2, 2), 2500)
    # Below the first n that can stop, both name a lead above n.
    assert [min(lead, n + 2 - (n + lead) % 2) for n, lead in enumerate(found, 1)] == [
        min(lead, n + 2 - (n + lead) % 2) for n, lead in enumerate(real, 1)
    ]
    certify(Boundary(delta, 2, 2), np.array(found), 1)


@pytest.mark.parametrize(("gap", "level"), BUDGETS)
def test_budgeted_test_stops_where_the_real_numbers_say(gap: str, level: str) -> None:
    g, delta = Fraction(gap), Confidence.of(level)
    M = budget(g, delta)
    boundary = Boundary(delta, 8, 0, g)
    found, real = budgeted_leads(g, delta, M), real_leads(boundary, M)
    assert [lead if lead <= n else None for n, lead in enumerate(found, 1)] == [
        lead if lead <= n else None for n, lead in enumerate(real, 1)
    ]
    certify(boundary, np.array(found), 1, every_by_balls=True)


def test_all_by_balls_settles_every_decision() -> None:
    delta = Confidence.of("0.1")
    leads = np.array(dueltest_leads(delta, 400))
    by_balls = certify(Boundary(delta, 2, 2), leads, 1, every_by_balls=True)
    # Two decisions an n, but for leads above n, which cannot occur.
    n = np.arange(1, 401)
    assert by_balls == int((leads <= n).sum() + (leads - 2 >= 0).sum())


@pytest.mark.parametrize("shift", [-2, 2])
@pytest.mark.parametrize("every_by_balls", [False, True])
def test_one_wrong_boundary_is_found(shift: int, every_by_balls: bool) -> None:
    delta = Confidence.of("0.1")
    leads = np.array(dueltest_leads(delta, 1000))
    leads[700] += shift
    with pytest.raises(NearTie, match="after 701 duels"):
        certify(Boundary(delta, 2, 2), leads, 1, every_by_balls=every_by_balls)


@pytest.mark.parametrize("level", LEVELS)
def test_the_margins_of_the_checks_are_those_of_the_real_numbers(level: str) -> None:
    """At small and large numbers of duels: the margin stops, and one less does not."""
    delta, g = Confidence.of(level), Fraction("0.001")
    for n in (1, 2, 99, 4999, 5000, 5001, 12_345, 77_777, 10**6, 10**6 + 1):
        for boundary, margin in (
            (Boundary(delta, 2, 2), least_margin(n, delta)),
            (Boundary(delta, 8, 0, g), least_budgeted_margin(n, g, delta)),
        ):
            for lead, stops in ((margin, True), (margin - 1, False)):
                _settle(boundary, n, lead, stops)
    assert shortest(delta) == fewest_duels(duel_test, delta)


def test_a_rule_that_favours_one_arm_is_reported() -> None:
    # 7/10 - 1/2 and 1/2 - 3/10 are the same number, but not the same float.
    above, below = abs(7 / 10 - 1 / 2), abs(3 / 10 - 1 / 2)
    assert above < below
    with pytest.raises(NearTie, match="favours one arm after n = 10"):
        stopping_leads(lambda n: above if n == 10 else 1.0, 1, 20)


@pytest.mark.parametrize("level", ["0.1", "1e-30", "1/7 * 6/pi^2"])
def test_the_transcription_stops_at_the_leads_of_the_law(level: str) -> None:
    delta = Confidence.of(level)
    read = Rule(duel_test, delta).leads(1, 1200).tolist()
    assert read == dueltest_leads(delta, 1200) != dueltest_leads(Confidence.of("0.101"), 1200)


def test_the_budgeted_transcription_stops_at_the_leads_of_the_law() -> None:
    g, delta = Fraction("0.05"), Confidence.of("0.1")
    M = budget(g, delta)
    read = Rule(known_gap(g), delta).leads(1, M + 1).tolist()
    assert read == [*budgeted_leads(g, delta, M - 1), 0]
