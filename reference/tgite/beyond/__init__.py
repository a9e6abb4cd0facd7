"""Tests and a search that are not in the paper; the paper's modules never import them.

Pairwise tests that need fewer duels, each a drop-in for the paper's test in every algorithm::

    mixture_test  for an unknown gap, in DuelTest's place
    sprt_test  for a known gap, in BudgetedDuelTest's place

Ways to find the winner without assuming a gap between all pairs::

    likelihood  the likelihood ratio of one gap against a fair coin, exactly
    certificate  shows that an arm beats every other arm, under no assumption
    find_then_certify  finds the winner without knowing a gap, or plays for regret
"""

from tgite.beyond.certificate import Assumption, Certificate, Verdict, certify
from tgite.beyond.find_then_certify import endless_search, find_then_certify
from tgite.beyond.mixture_test import mixture_test
from tgite.beyond.sprt_test import known_gap_sprt, sprt_test, truncated_sprt_test

__all__ = [
    "Assumption",
    "Certificate",
    "Verdict",
    "certify",
    "endless_search",
    "find_then_certify",
    "known_gap_sprt",
    "mixture_test",
    "sprt_test",
    "truncated_sprt_test",
]
