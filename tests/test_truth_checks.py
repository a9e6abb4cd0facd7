"""The truth checks pass, refuse what is perturbed, and notice a wrong transcription."""

from __future__ import annotations

import pytest

from tgite_checks.bounds import (
    bkt,
    budgeted_duel_test,
    duel_test,
    instances,
    known_gap,
    printed_numbers,
    remarks,
    screen_and_replace,
    strong,
    tournaments,
    tree,
    tree_ascent,
    weak,
)
from tgite_checks.bounds.comparing import UNDECIDED
from tgite_checks.check import Check, Depth, Kind, Question
from tgite_checks.claims.registry import ledger
from tgite_checks.implementation import REFERENCE
from tgite_checks.mutation import mutated

CHECKS: tuple[Check, ...] = (
    *duel_test.CHECKS,
    *bkt.CHECKS,
    *tree.CHECKS,
    *tree_ascent.CHECKS,
    *screen_and_replace.CHECKS,
    *weak.CHECKS,
    *strong.CHECKS,
    *budgeted_duel_test.CHECKS,
    *known_gap.CHECKS,
    *tournaments.CHECKS,
    *instances.CHECKS,
    *printed_numbers.CHECKS,
    *remarks.CHECKS,
)
PERTURBED = [(check, statement) for check in CHECKS for statement in check.refuses]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name)
def test_each_check_passes_on_the_transcription(check: Check) -> None:
    result = check.run(REFERENCE, Depth.QUICK)
    assert result.holds(), result.counterexample
    assert result.summary


@pytest.mark.parametrize(
    ("check", "statement"),
    PERTURBED,
    ids=[f"{check.name}: {statement}" for check, statement in PERTURBED],
)
def test_each_perturbed_statement_is_refuted_not_merely_left_open(
    check: Check, statement: str
) -> None:
    result = check.refuses[statement](REFERENCE, Depth.QUICK)
    assert not result.passed
    assert result.examined > 0
    assert result.counterexample
    assert not result.counterexample.startswith(UNDECIDED)


def test_every_truth_check_has_something_to_refuse() -> None:
    assert all(check.refuses for check in CHECKS)
    assert all(check.question in (Question.TRUTH, Question.EXPERIMENT) for check in CHECKS)
    assert all(check.kind in (Kind.CERTIFIED, Kind.EXHAUSTIVE) for check in CHECKS)


@pytest.mark.parametrize(
    ("check", "mutant"),
    [
        (bkt.HALVING, "bkt-bye-lost"),
        (bkt.LEVELS_SUM, "bkt-level-not-split"),
        (tree.PARTITION, "tree-arm-0-lost"),
        (tree.ENTRY, "tree-entry-level-off-by-one"),
        (tree_ascent.BUDGET, "schedules-block-epsilon-not-halved"),
        (tree_ascent.BUDGET, "schedules-merge-epsilon-not-halved"),
        (tree_ascent.CAPTURE, "treeascent-start-not-updated"),
        (tree_ascent.TWO_TEXTS, "treeascent-merge-twice"),
        (weak.TAIL_SUMS, "schedules-rho-base-2"),
        (strong.LEVELS, "schedules-horizon-inverse"),
        (strong.LEVELS, "schedules-self-play-2-to-the-2s"),
        (strong.PHASES, "schedules-self-play-2-to-the-2s"),
        (budgeted_duel_test.ATTAINED, "budgeted-budget-floor"),
        (duel_test.ERROR, "dueltest-no-union-bound"),
        (screen_and_replace.ONE_STEP, "epoch-beaten-arms-collected"),
    ],
    ids=lambda part: part if isinstance(part, str) else part.name,
)
def test_a_truth_check_notices_a_transcription_of_which_it_is_false(
    check: Check, mutant: str
) -> None:
    wrong = mutated(ledger().mutants[mutant])
    try:
        result = check.run(wrong, Depth.QUICK)
    except (ArithmeticError, ValueError, IndexError):
        return
    assert not result.passed
    assert result.examined > 0
