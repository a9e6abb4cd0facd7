"""The verdicts on the experiments, beside other computations of the same numbers.

That each stands, and refuses its perturbed statements, is what ``tgite audit`` runs.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest

from shipped_vectors import CASES
from tgite_checks.check import Check, Question
from tgite_checks.claims.registry import ledger
from tgite_checks.figures import assertions, baselines, hypotheses, luckiest, readings, reasons
from tgite_checks.figures.luckiest import Luckiest
from tgite_checks.printed import (
    ANYTIME_REGRET,
    KNOWN_HORIZON_REGRET,
    NUMBERS,
    PANELS,
    WEAK_REGRET,
    PrintedNumber,
)
from tgite_conform.format import Expected
from tgite_laws.implementation import REFERENCE, Implementation


@pytest.mark.parametrize(
    ("algorithm", "printed", "least"),
    [
        ("tg_ite_weak", WEAK_REGRET, luckiest.weak_regret),
        ("tg_ite_strong_known_horizon", KNOWN_HORIZON_REGRET, luckiest.known_horizon),
        ("tg_ite_strong_anytime", ANYTIME_REGRET, luckiest.anytime),
    ],
)
def test_a_vector_refutes_what_is_printed(
    algorithm: str, printed: PrintedNumber, least: Callable[[Implementation], Luckiest]
) -> None:
    """The run without an upset, duel by duel: the regret is counted from the vector alone."""
    (case,) = (case for case in CASES if case.algorithm == algorithm and " no upset, " in case.name)
    assert f"regret of {printed.mean}" in case.name
    expected, winner = case.expected, 128
    assert isinstance(expected, Expected)
    weak, fewest = algorithm == "tg_ite_weak", least(REFERENCE).least
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


@pytest.mark.parametrize("module", [assertions, baselines, readings, reasons, hypotheses])
def test_every_check_is_an_experiment(module: ModuleType) -> None:
    checks = [one for one in vars(module).values() if isinstance(one, Check)]
    assert checks
    assert {check.question for check in checks} == {Question.EXPERIMENT}


def test_printed_numbers_stand_under_labels_that_name_them() -> None:
    """Each belongs to a panel, and its label has an entry in the ledger and ends with it."""
    for label, printed in NUMBERS.items():
        assert printed.panel in PANELS
        assert label.endswith(f"-{printed.mean}")
    labels = {label for label in ledger().claims if label.startswith("number:")}
    assert labels >= NUMBERS.keys()
