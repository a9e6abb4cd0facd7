"""What the audit of the paper led to: not in the paper, and never imported by its modules.

Sharper pairwise tests, each a drop-in for the paper's in every algorithm::

    mixture_test  for an unknown gap, in DuelTest's place
    sprt_test  for a known gap, in BudgetedDuelTest's place

And the winner without the assumption of a gap between all pairs::

    likelihood  one gap against a fair coin, exactly
    certificate  an arm beats every other one: under no assumption
    find_then_certify  which arm it is, knowing no gap
"""

from tgite.beyond.certificate import Assumption, Certificate, Verdict, certify
from tgite.beyond.find_then_certify import find_then_certify
from tgite.beyond.mixture_test import mixture_test
from tgite.beyond.sprt_test import known_gap_sprt, sprt_test, truncated_sprt_test

__all__ = [
    "Assumption",
    "Certificate",
    "Verdict",
    "certify",
    "find_then_certify",
    "known_gap_sprt",
    "mixture_test",
    "sprt_test",
    "truncated_sprt_test",
]
