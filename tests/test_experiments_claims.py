"""The verdicts on the experiments: each stands, and refuses its perturbed statement.

Checks that play whole panels are left to the ledger's own tests; here are the ones that compute.
"""

from __future__ import annotations

import pytest

from tgite_checks.experiments.claims import CHECKS
from tgite_checks.implementation import REFERENCE
from tgite_checks.ledger.model import Check, Depth, Question

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


def test_every_check_is_an_experiment_with_a_name_of_its_own() -> None:
    assert len({check.name for check in CHECKS}) == len(CHECKS)
    assert {check.question for check in CHECKS} == {Question.EXPERIMENT}
    assert {check.name for check in CHECKS} > PLAYED
