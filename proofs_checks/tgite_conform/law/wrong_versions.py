"""Wrong versions of the pairwise tests, by name, and their laws; the law check bets on them."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import numpy as np

from tgite import Confidence
from tgite.duel_test import c, duel_test
from tgite_checks.claims.mutants import mutants_of
from tgite_checks.mutation import Mutant, mutated
from tgite_laws.boundary import stopping_leads
from tgite_laws.duel_test import DuelTestLaws
from tgite_laws.implementation import REFERENCE, Implementation
from tgite_laws.match_law import MatchLaws, StoppingLaw, stopping_law
from tgite_laws.pairwise import ChosenTest, PairwiseName
from tgite_laws.rule import Rule
from tgite_laws.walk import StoppedWalk, rounding_error


@functools.cache
def _wrong_versions(module: str) -> Mapping[str, Implementation]:
    """Return the wrong versions of a test's module by what is wrong."""
    found = {one.in_law_check: one for one in mutants_of(module) if one.in_law_check}
    text = Path(__file__).with_name("wrong_versions.toml").read_text(encoding="utf-8")
    for number, (name, of) in enumerate(tomllib.loads(text).get(module, {}).items()):
        found[name] = Mutant(f"{module}-wrong-{number}", "", module, mistake=name, **of)
    return {name: mutated(one) for name, one in found.items()}


class _LookedAtSeldom(DuelTestLaws):
    """DuelTest's laws if the mean is compared only at multiples of a number of duels."""

    def __init__(self, every: int) -> None:
        super().__init__(REFERENCE)
        self._every = every

    def stopping_law(self, delta: Confidence, p: Fraction) -> StoppingLaw:
        """Return the joint law of duels and the arm returned, up to the law's cut."""
        n = np.arange(1, self.law_cut(delta, p) + 1)
        leads = stopping_leads(lambda n: c(n, delta), 1, len(n))
        walk = StoppedWalk()
        walk.advance(np.where(n % self._every == 0, leads, n + 2))
        return stopping_law(Rule(duel_test, delta), walk.stops(), p, rounding_error(len(n)))


def all_laws(test: ChosenTest) -> tuple[MatchLaws, dict[str, MatchLaws]]:
    """Return the laws of a test, and the laws of wrong versions of the test.

    Beyond the cut a wrong version is bounded as if it were correct, which is enough for a bet.
    """
    wrong_versions = _wrong_versions(test.descriptor.module)
    wrong = {name: test.laws(of) for name, of in wrong_versions.items()}
    if test.name is PairwiseName.DUEL:
        wrong |= {f"looked at every {n} duels": _LookedAtSeldom(n) for n in (8, 64)}
    return test.laws(), wrong
