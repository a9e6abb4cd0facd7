"""Wrong transcriptions of BudgetedDuelTest (``alg:budgeted-dueltest``)."""

from __future__ import annotations

from tgite_checks.mutation import Mutant


def _mutant(name: str, original: str, replaced: str, mistake: str) -> Mutant:
    return Mutant(
        f"budgeted-{name}",
        "alg:budgeted-dueltest",
        "budgeted_duel_test",
        original,
        replaced,
        mistake,
    )


_RADIUS = "sqrt((log(8 * n**2) + delta.log_inverse) / (2 * n))"
_BUDGET = """\
        fewest = ceil((low + four_low) / (2 * g * g))
        most = ceil((high + four_high) / (2 * g * g))
"""
_STOP = "if abs(mean - 1 / 2) > b(n, delta) - gap:  # L5"

MUTANTS = (
    _mutant(
        "2-over-delta",
        "log_enclosure(Fraction(4), digits)",
        "log_enclosure(Fraction(2), digits)",
        "log(2/delta) in the budget where the text has log(4/delta).",
    ),
    _mutant(
        "budget-floor",
        _BUDGET,
        _BUDGET.replace("ceil", "int"),
        "The budget is rounded down.",
    ),
    _mutant(
        "gap-not-squared",
        _BUDGET,
        _BUDGET.replace("g * g", "g"),
        "The budget is divided by g instead of g squared.",
    ),
    _mutant(
        "budget-twice",
        _BUDGET,
        _BUDGET.replace("2 * g * g", "g * g"),
        "The factor 2 of the budget's denominator is forgotten.",
    ),
    _mutant(
        "8n-for-8n-squared",
        _RADIUS,
        "sqrt((log(8 * n) + delta.log_inverse) / (2 * n))",
        "8n where the union bound has 8n^2.",
    ),
    _mutant(
        "4n-squared",
        _RADIUS,
        "sqrt((log(4 * n**2) + delta.log_inverse) / (2 * n))",
        "4n^2 where the union bound has 8n^2.",
    ),
    _mutant(
        "dueltest-radius",
        _RADIUS,
        "sqrt((log(2 * n * (n + 1)) + delta.log_inverse) / (2 * n))",
        "DuelTest's radius in place of b_n.",
    ),
    _mutant(
        "variance-n",
        _RADIUS,
        "sqrt((log(8 * n**2) + delta.log_inverse) / n)",
        "Divided by n instead of 2n.",
    ),
    _mutant(
        "gap-not-subtracted",
        _STOP,
        "if abs(mean - 1 / 2) > b(n, delta):  # L5",
        "The known gap is not subtracted from the radius.",
    ),
    _mutant(
        "gap-added",
        _STOP,
        "if abs(mean - 1 / 2) > b(n, delta) + gap:  # L5",
        "The known gap is added to the radius.",
    ),
    _mutant(
        "gap-halved",
        "gap = float(g)",
        "gap = float(g) / 2",
        "Half of the known gap is subtracted from the radius.",
    ),
    _mutant(
        "never-early",
        _STOP,
        "if abs(mean - 1 / 2) > b(n, delta) - gap and n == M:  # L5",
        "The early stop is left out: a majority vote of M duels.",
    ),
    _mutant(
        "tie-to-v",
        "if mean >= 1 / 2:  # L13",
        "if mean > 1 / 2:  # L13",
        "A tie at the end of an even budget goes to v.",
    ),
    _mutant(
        "one-duel-less",
        "range(1, M + 1)",
        "range(1, M)",
        "The loop ends at M - 1.",
    ),
    _mutant(
        "one-duel-more",
        "range(1, M + 1)",
        "range(1, M + 2)",
        "The loop ends at M + 1.",
    ),
    _mutant(
        "worse-arm-at-the-end",
        "return u  # L14",
        "return v  # L14",
        "v is returned at the end whatever the score.",
    ),
    _mutant(
        "arguments-swapped",
        "duel = Duel(u, v)",
        "duel = Duel(v, u)",
        "v is compared with u, and the outcome still read as u's.",
    ),
    _mutant(
        "outcome-flipped",
        "S += Y  # L4",
        "S += 1 - Y  # L4",
        "Y = 1 is read as a win of v.",
    ),
    _mutant(
        "worse-arm-early",
        "if mean >= 1 / 2:  # L6",
        "if mean < 1 / 2:  # L6",
        "The worse arm is returned at an early stop.",
    ),
    _mutant(
        "known-gap-swapped",
        "return budgeted_duel_test(u, v, g, delta)",
        "return budgeted_duel_test(v, u, g, delta)",
        "The known-gap variant hands on its two arms in the other order.",
    ),
)
