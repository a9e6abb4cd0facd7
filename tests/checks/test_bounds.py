"""The bounds' checks: what counts as shown, and that they notice a wrong transcription.

That each passes, and refuses its perturbed statements, is what ``tgite audit`` runs.
"""

from __future__ import annotations

from fractions import Fraction
from math import inf

import pytest
from flint import arb
from hypothesis import given
from hypothesis import strategies as st

from golden import table
from tgite import Confidence
from tgite_checks.bounds import confidence_sequence
from tgite_checks.bounds.constants.proved import cost_bound, proved_constant
from tgite_checks.check import UNDECIDED, AtMost, Depth, result_of
from tgite_checks.claims.registry import ledger
from tgite_checks.mutation import Mutant, mutated
from tgite_laws.balls import ball, real
from tgite_laws.enclosure import Enclosure, rational

MISTAKES = {row["name"]: Mutant(**row) for row in table("checks/bounds.toml", "mistake")}
"""Mistakes that are told by what they break, and not by the algorithm's own rules alone."""


@pytest.mark.parametrize(("check", "mutant"), table("checks/bounds.toml", "notices"))
def test_a_check_notices_a_transcription_of_which_it_is_false(check: str, mutant: str) -> None:
    wrong = MISTAKES[mutant] if mutant in MISTAKES else ledger().mutants[mutant]
    result = ledger().checks[check].run(mutated(wrong), Depth.QUICK)
    assert not result.passed
    assert result.examined > 0


@given(st.fractions())
def test_a_rational_lies_within_its_enclosure_of_at_most_two_floats(value: Fraction) -> None:
    enclosed = rational(value)
    assert Fraction(enclosed.low) <= value <= Fraction(enclosed.high)
    if Fraction(float(value)) == value:
        assert enclosed.low == enclosed.high


def test_an_identity_is_held_to_thirty_digits(monkeypatch: pytest.MonkeyPatch) -> None:
    for off, is_wrong in ((Fraction(0), False), (Fraction(1, 10**29), True)):
        monkeypatch.setattr(
            *(confidence_sequence, "log_integer_ball"),
            lambda value, off=off: ball(Fraction(value)).log() + ball(off),
        )
        assert bool(confidence_sequence._wrong_identity(17, Confidence.of("1/10"))) is is_wrong


def test_other_numbers_lie_within_their_enclosures() -> None:
    assert rational(10**400).high == inf
    assert 0 < rational(10**400).low < inf
    assert rational(-(10**400)).low == -inf
    enclosed = real(lambda: ball(Fraction(2)).sqrt())
    assert Fraction(enclosed.low) ** 2 < 2 < Fraction(enclosed.high) ** 2
    assert enclosed.high - enclosed.low < 1e-15


def test_only_what_the_enclosures_show_holds() -> None:
    narrow, wide = Enclosure(1.0, 2.0), Enclosure(1.5, 3.0)
    assert AtMost("a", narrow, Enclosure(2.0, 2.0)).wrong == ""
    assert AtMost("a", narrow, wide).wrong.startswith(UNDECIDED)
    assert AtMost("a", Enclosure(4.0, 4.0), wide).wrong.startswith("a: 4 is not at most")


def test_a_result_fails_with_its_first_wrong_case_and_without_any() -> None:
    right = AtMost("right", rational(1), rational(2))
    wrong = AtMost("wrong", rational(3), rational(2))
    assert result_of((right,), "case").holds()
    failed = result_of((right, wrong, right), "case")
    assert not failed.passed
    assert failed.examined == 3
    assert "wrong" in failed.counterexample
    assert failed.refutes()
    undecided = AtMost("undecided", Enclosure(1.0, 3.0), rational(2))
    left_open = result_of((right, undecided), "case")
    assert not left_open.holds()
    assert not left_open.refutes()
    assert not result_of((), "case").holds()


def test_of_many_cases_the_tightest_are_shown() -> None:
    cases = [AtMost(f"case {k}", rational(k), rational(100)) for k in range(100)]
    shown = result_of(cases, "case").numbers
    assert [number.name for number in shown] == [f"case {k}" for k in range(88, 100)]


def test_proved_constants_are_read_from_the_record() -> None:
    high_confidence = proved_constant("cor_app_weak_high_confidence_warm_start", "C_bai")
    assert high_confidence == proved_constant("cor_tlcr_bai", "C_bai")
    with pytest.raises(LookupError, match="no theorem"):
        proved_constant("no_such_theorem", "C")
    with pytest.raises(LookupError, match="not a number"):
        proved_constant("lem_app_dueltest_time", "no_such_constant")


def test_the_cost_bound_has_the_papers_form() -> None:
    computed = real(lambda: cost_bound(Fraction(3), 5, Fraction(1, 4), arb(2).log()))
    by_hand = real(lambda: 3 * 5 * 16 * (arb(2).log() + arb(4).log() + 1))
    assert computed.low <= by_hand.high
    assert by_hand.low <= computed.high
