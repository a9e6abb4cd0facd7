"""The verdicts on the experiments: each stands, and refuses its perturbed statement.

Checks that play whole panels are left to the ledger's own tests; here are the ones that compute.
"""

from __future__ import annotations

import pytest

from shipped_vectors import CASES
from tgite_checks.check import Check, Depth, Question
from tgite_checks.conformance.format import Expected
from tgite_checks.figures.claims import (
    CHECKS,
    STRONG_ANYTIME,
    STRONG_KNOWN_HORIZON,
    WEAK_REGRET,
    PrintedNumber,
)
from tgite_checks.implementation import REFERENCE

PLAYED = {
    "next-best-is-near",
    "anytime-beats-not-all",
    "weak-not-lowest",
    "ws-w-varies-most",
    "wsw-pe-grows-faster",
}


@pytest.mark.parametrize(
    "check", [one for one in CHECKS if one.name not in PLAYED], ids=lambda one: one.name
)
def test_a_verdict_stands_and_refuses_its_perturbation(check: Check) -> None:
    result = check.run(REFERENCE, Depth.QUICK)
    assert result.holds(), result.summary
    assert result.numbers
    assert check.refuses
    for words, perturbed in check.refuses.items():
        assert not perturbed(REFERENCE, Depth.QUICK).holds(), words


def test_the_numbers_of_the_ledger_are_the_known_ones() -> None:
    """Two independent computations of the same least numbers and exact means."""
    numbers = {
        number.name: number.value
        for check in CHECKS
        if check.name in ("weak-2384-impossible", "strong-5928-impossible")
        for number in check.run(REFERENCE, Depth.QUICK).numbers
    }
    assert numbers["fewest regret of any run, DuelTest"].contains(5902)
    assert numbers["fewest duels, DuelTest"].contains(12_039)
    assert abs(numbers["mean, known gap g = Delta*"].middle - 6642) < 1


@pytest.mark.parametrize(
    ("algorithm", "printed", "fewest"),
    [
        ("tg_ite_weak", WEAK_REGRET, 5902),
        ("tg_ite_strong_known_horizon", STRONG_KNOWN_HORIZON, 12_039),
        ("tg_ite_strong_anytime", STRONG_ANYTIME, 33_599),
    ],
)
def test_a_vector_refutes_what_is_printed(
    algorithm: str, printed: PrintedNumber, fewest: int
) -> None:
    """The run without an upset, duel by duel: the regret is counted from the vector alone."""
    (case,) = (case for case in CASES if case.algorithm == algorithm and " no upset, " in case.name)
    assert f"regret of {printed.mean}" in case.name
    expected, winner = case.expected, 128
    assert isinstance(expected, Expected)
    weak = algorithm == "tg_ite_weak"
    regret = 0
    for match in expected.matches:
        pair = (match.first, match.second)
        assert match.winner in ((winner, None) if winner in pair else (*pair, None))
        regret += match.length * (winner not in pair if weak else 1)
    assert regret >= fewest > printed.mean + 5 * printed.deviation
    if not weak:
        # All self-play is the winner's own, which costs nothing.
        assert {block.arm for block in expected.self_play} == {winner}
        rounds = sum(block.rounds for block in expected.self_play)
        assert regret + rounds == (expected.horizon or case.parameters["H"]) == 100_000
    # Not far above the fewest of any run.
    assert regret < 1.02 * fewest


def test_every_check_is_an_experiment_with_a_name_of_its_own() -> None:
    assert len({check.name for check in CHECKS}) == len(CHECKS)
    assert {check.question for check in CHECKS} == {Question.EXPERIMENT}
    assert {check.name for check in CHECKS} > PLAYED
