"""Wrong versions of the pairwise tests, by name, and their laws: what the law check bets on."""

from __future__ import annotations

import functools
from fractions import Fraction

import numpy as np

from tgite import Confidence
from tgite.duel_test import c, duel_test
from tgite_checks.mutation import Mutant, mutated
from tgite_laws.boundary import stopping_leads
from tgite_laws.duel_test import DuelTestLaws
from tgite_laws.implementation import REFERENCE, Implementation
from tgite_laws.match_law import MatchLaws, StoppingLaw, stopping_law
from tgite_laws.pairwise import ChosenTest, PairwiseName
from tgite_laws.rule import Rule
from tgite_laws.walk import StoppedWalk, rounding_error

_RADIUS = "sqrt((log(2 * n * (n + 1)) + delta.log_inverse) / (2 * n))"
_BUDGETED_RADIUS = "sqrt((log(8 * n**2) + delta.log_inverse) / (2 * n))"
_BUDGET = "ceil_of_log(4, delta, 2 * g * g)"
_NEVER = "1.0"

WRONG_VERSIONS: dict[str, dict[str, tuple[str, str, str]]] = {
    "duel_test": {
        name: ("c", _RADIUS, radius)
        for name, radius in {
            "the union bound dropped": _RADIUS.replace("2 * n * (n + 1)", "2"),
            "2n for 2n(n+1)": _RADIUS.replace("2 * n * (n + 1)", "2 * n"),
            "2n(n-1) for 2n(n+1)": _RADIUS.replace("(n + 1)", "max(n - 1, 1)"),
            "the factor 2 of the two sides missing": _RADIUS.replace("2 * n * (", "n * ("),
            "4n(n+1) for 2n(n+1)": _RADIUS.replace("2 * n * (", "4 * n * ("),
            "divided by 4n for 2n": _RADIUS.replace("/ (2 * n)", "/ (4 * n)"),
        }.items()
    },
    "budgeted_duel_test": {
        "the union bound dropped": (
            "b",
            _BUDGETED_RADIUS,
            _BUDGETED_RADIUS.replace("8 * n**2", "8"),
        ),
        "8n for 8n^2": ("b", _BUDGETED_RADIUS, _BUDGETED_RADIUS.replace("n**2", "n")),
        "4n^2 for 8n^2": ("b", _BUDGETED_RADIUS, _BUDGETED_RADIUS.replace("8 * n", "4 * n")),
        "divided by 4n for 2n": (
            "b",
            _BUDGETED_RADIUS,
            _BUDGETED_RADIUS.replace("/ (2 * n)", "/ (4 * n)"),
        ),
        "looked at every 8 duels": (
            "b",
            _BUDGETED_RADIUS,
            f"{_BUDGETED_RADIUS} if n % 8 == 0 else {_NEVER}",
        ),
        "no early stop": ("b", _BUDGETED_RADIUS, _NEVER),
        "M rounded down": ("budget", _BUDGET, f"{_BUDGET} - 1"),
        "M one too high": ("budget", _BUDGET, f"{_BUDGET} + 1"),
        "a final tie to the second arm": (
            "budgeted_duel_test",
            "if mean >= 1 / 2:  # L13",
            "if mean > 1 / 2:",
        ),
    },
    "beyond.mixture_test": {
        "the level halved for two sides": (
            "_stopping_leads",
            "delta.rational.as_integer_ratio()",
            "(delta.rational / 2).as_integer_ratio()",
        ),
        "n + 2 for n + 1": (
            "_stopping_leads",
            "low_lost, high_lost = low * times // n - one, -(-high * times // n) - one",
            "low_lost = high_lost = low * times // (n + 1) - one",
        ),
        "n for n + 1": (
            "_stopping_leads",
            "if low >= (n + 1) * enough:",
            "if low >= max(n, 1) * enough:",
        ),
    },
    "beyond.sprt_test": {
        "a lead one less": ("_stopping_lead", "return enough", "return max(enough - 1, 1)"),
        "a lead one more": ("_stopping_lead", "return enough", "return enough + 1"),
        "half of the gap": (
            "_stopping_lead",
            "(1 + 2 * g) / (1 - 2 * g)",
            "(1 + g) / (1 - g)",
        ),
    },
}
"""For each test what may go wrong in it: the function, its text, and the wrong text."""


@functools.cache
def _wrong(test: str, name: str) -> Implementation:
    """Return the reference with that mistake."""
    function, right, wrong = WRONG_VERSIONS[test][name]
    mistake = "".join(letter if letter.isalnum() else "-" for letter in name)
    return mutated(Mutant(f"{test}-{mistake}", "", test, right, wrong, name, function))


class _LookedAtSeldom(DuelTestLaws):
    """DuelTest's laws if the mean is compared after every so many duels only."""

    def __init__(self, every: int) -> None:
        super().__init__(REFERENCE)
        self._every = every

    def stopping_law(self, delta: Confidence, p: Fraction) -> StoppingLaw:
        """Return the joint law of duels and the arm returned; nothing beyond its cut."""
        n = np.arange(1, self.law_cut(delta, p) + 1)
        leads = stopping_leads(lambda n: c(n, delta), 1, len(n))
        walk = StoppedWalk()
        walk.advance(np.where(n % self._every == 0, leads, n + 2))
        return stopping_law(Rule(duel_test, delta), walk.stops(), p, rounding_error(len(n)))


def all_laws(test: ChosenTest) -> tuple[MatchLaws, dict[str, MatchLaws]]:
    """Return the laws of a test, and those of wrong versions of it.

    What a wrong version beyond the paper has beyond its law's cut is bounded as if it were right,
    which is good enough to bet on it.
    """
    of = test.descriptor.module
    wrong = {name: test.laws(_wrong(of, name)) for name in WRONG_VERSIONS[of]}
    if test.name is PairwiseName.DUEL:
        wrong |= {f"looked at every {n} duels": _LookedAtSeldom(n) for n in (8, 64)}
    return test.laws(), wrong
