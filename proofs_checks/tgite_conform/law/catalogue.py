"""Ready-made law checks: of a match, a tournament, a pass, an epoch and two policies."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import combinations

import numpy as np

from tgite import (
    RULINGS,
    Arm,
    BalancedTree,
    Confidence,
    Conventions,
    InvalidInput,
    Match,
    PairwiseTest,
    Preferences,
    Stream,
    bkt,
    screen_and_replace,
    tree_ascent,
    tree_ascent_power_of_two,
)
from tgite.errors import require, require_whole_number
from tgite.instances import CyclicInstance
from tgite.preferences import HALF
from tgite.schedules import WEAK_WARM_START, known_horizon_level, replacement_level, screening_level
from tgite_conform.law.check import LawCheck, Terms
from tgite_conform.law.wrong_versions import all_laws
from tgite_laws.bracket import Bracket, bracket
from tgite_laws.cost import CostDistribution, cost_distribution, match_distribution
from tgite_laws.duel_test import DuelTestLaws
from tgite_laws.likely_paths import likely_cost_distribution
from tgite_laws.match_law import MatchLaws
from tgite_laws.pairs import Pairs, pairs
from tgite_laws.pairwise import ChosenTest

_LONGEST_MATCH = 4000
_MOST_ARMS = 8
# The unlikely costs of a tournament are left out, up to this total probability.
_DROPPED = 1e-40
# An epoch's path is followed while its probability is above this. For wrong versions, which only
# serve as bets, the limit is higher if there are many paths, or long ones.
_UNLIKELY = 1e-9
_MOST_PATHS = 64
_LEFT_SOONER = (1e-9, 1e-5)
_MOST_MATCHES = 2048
_LEFT_SOONEST = 1e-2
_DUEL_TEST, _TERMS = ChosenTest.of_the_paper(None), Terms()
_PASSES = {
    "tree_ascent": tree_ascent,
    "tree_ascent_power_of_two": tree_ascent_power_of_two,
    "tg_ite_bai": tree_ascent,
}

_OverMatches = Callable[[PairwiseTest[Match, Arm]], Stream[Match, Arm, Arm]]


@dataclass(frozen=True, slots=True)
class Settings:
    """What the law of every algorithm depends on, and the terms of its check."""

    test: ChosenTest = _DUEL_TEST
    conventions: Conventions = RULINGS
    terms: Terms = _TERMS


_USUAL = Settings()


def match_check(
    delta: Confidence, p: Fraction, test: ChosenTest = _DUEL_TEST, terms: Terms = _TERMS
) -> LawCheck:
    """Return the check of one match at ``delta``; the first argument wins with probability ``p``.

    Samples are the number of duels, and 0 or 1 for the first or second argument. Raises
    :class:`~tgite.errors.InvalidInput` unless ``0 < p < 1``, and for a tie without a known gap.
    """
    if test.g is None and p == HALF:
        raise InvalidInput("p", str(p), "must not be 1/2: the test need not end on a tie")
    laws, wrong = all_laws(test)
    return LawCheck(
        match_distribution(laws.stopping_law(delta, p)),
        {name: match_distribution(one.stopping_law(delta, p)) for name, one in wrong.items()},
        terms,
    )


def tournament_check(
    algorithm: str,
    level: Confidence,
    preferences: Preferences,
    start: Arm = 0,
    settings: Settings = _USUAL,
) -> LawCheck:
    """Return the check of ``bkt`` on all arms, or of a pass of TreeAscent from ``start``.

    A sample is the number of duels and the arm returned. A cyclic instance may have hundreds of
    arms, others at most 8. Raises :class:`~tgite.errors.InvalidInput` for another algorithm, for
    ties without a known gap, and for gaps that are too small.
    """
    test, conventions = settings.test, settings.conventions
    if algorithm == "bkt":
        arms = tuple(range(preferences.size))
        played = bracket(lambda pairwise: bkt(arms, level, pairwise, conventions))
    else:
        known_passes = ", ".join(_PASSES)
        require(algorithm in _PASSES, "algorithm", algorithm, f"must be bkt, {known_passes}")
        tree = BalancedTree.over(preferences.size, conventions)
        make = _PASSES[algorithm]
        played = bracket(lambda pairwise: make(start, tree, level, pairwise, conventions))
    known, kind, names = pairs(preferences), _itself, {}
    if isinstance(preferences, CyclicInstance):
        known, kind, names = _winner_and_others(preferences), partial(_kind, preferences), _KINDS
    elif preferences.size > _MOST_ARMS:
        raise InvalidInput(
            "preferences",
            f"{preferences.size} arms",
            f"must have at most {_MOST_ARMS} arms for this check, or be a cyclic instance",
        )
    levels = (meeting.delta for meeting in played.matches)
    laws, wrong = _all_laws(levels, preferences, known, test)

    def law(played: Bracket, laws: MatchLaws) -> CostDistribution:
        return cost_distribution(played, known, laws, None, kind, _DROPPED)

    versions = {name: law(played, one) for name, one in wrong.items()}
    if len(played.matches) > 1:
        unsplit = tuple(replace(meeting, delta=level) for meeting in played.matches)
        whole = Bracket(unsplit, played.survivor)
        versions["every match at the whole level"] = law(whole, laws)
    return LawCheck(law(played, laws), versions, settings.terms, kind, names)


def known_horizon_check(
    b_0: Arm, H: int, preferences: Preferences, settings: Settings = _USUAL
) -> LawCheck:
    """Return the check of the pass of ``tg_ite_strong_known_horizon``, cut at ``H``.

    A sample is the duels of the pass and its arm, or ``H`` and no arm if the horizon expired.
    Raises :class:`~tgite.errors.InvalidInput` for another cut, and what :func:`tournament_check`
    raises.
    """
    terms = settings.terms
    require(terms.cut in (None, H), "cut", terms.cut, f"must be the horizon, {H}")
    at_horizon = replace(settings, terms=replace(terms, cut=H))
    return tournament_check("tree_ascent", known_horizon_level(H), preferences, b_0, at_horizon)


def epoch_check(
    c: Arm,
    rho: Confidence,
    kappa: Confidence,
    preferences: Preferences,
    settings: Settings = _USUAL,
) -> LawCheck:
    """Return the check of one epoch, ``screen_and_replace`` from ``c``.

    A sample is the number of duels and the arm returned. The gaps must be so large that the worse
    arm hardly ever wins. Raises what :func:`tournament_check` raises.
    """
    N = preferences.size

    def epoch(rho: Confidence, kappa: Confidence) -> _OverMatches:
        by = settings.conventions
        return lambda pairwise: screen_and_replace(c, rho, kappa, N, pairwise, by)

    exchanged = {"the two levels exchanged": epoch(kappa, rho)} if rho != kappa else {}
    return _of_likely_paths(epoch(rho, kappa), exchanged, (rho, kappa), preferences, settings)


def weak_check(
    b_0: Arm,
    epochs: int,
    preferences: Preferences,
    warm_start: Confidence = WEAK_WARM_START,
    settings: Settings = _USUAL,
) -> LawCheck:
    """Return the check of ``tg_ite_weak``'s warm start and epochs; see :func:`epoch_check`."""
    require_whole_number("epochs", epochs, at_least=0)
    N, conventions = preferences.size, settings.conventions
    tree = BalancedTree.over(N, conventions)

    def policy(warm_start: Confidence | None = warm_start, first: int = 1) -> _OverMatches:
        def over_matches(pairwise: PairwiseTest[Match, Arm]) -> Stream[Match, Arm, Arm]:
            c = b_0
            if warm_start is not None:
                c = yield from tree_ascent(b_0, tree, warm_start, pairwise, conventions)
            for s in range(first, first + epochs):
                rho, kappa = screening_level(s), replacement_level(s)
                c = yield from screen_and_replace(c, rho, kappa, N, pairwise, conventions)
            return c

        return over_matches

    wrong: dict[str, _OverMatches] = {}
    if epochs > 0:
        wrong = {"no warm start": policy(None), "epochs counted from 2": policy(first=2)}
    levels = [
        one for s in range(1, epochs + 1) for one in (screening_level(s), replacement_level(s))
    ]
    played = bracket(lambda pairwise: tree_ascent(b_0, tree, warm_start, pairwise, conventions))
    levels += [meeting.delta for meeting in played.matches]
    return _of_likely_paths(policy(), wrong, levels, preferences, settings)


def _of_likely_paths(
    right: _OverMatches,
    wrong: dict[str, _OverMatches],
    levels: Iterable[Confidence],
    preferences: Preferences,
    settings: Settings,
) -> LawCheck:
    """Return the check of a stream with matches at these levels, along its likely paths."""
    known = pairs(preferences)
    laws, of_wrong_tests = _all_laws(levels, preferences, known, settings.test)

    def law(played: _OverMatches, laws: MatchLaws) -> CostDistribution:
        """Return the law of a wrong version."""
        few = min(_MOST_PATHS, _MOST_MATCHES // preferences.size)
        for unlikely in _LEFT_SOONER:
            with suppress(InvalidInput):
                return likely_cost_distribution(played, known, laws, unlikely, few)
        return likely_cost_distribution(played, known, laws, _LEFT_SOONEST, _MOST_PATHS)

    versions = {name: law(right, one) for name, one in of_wrong_tests.items()}
    versions |= {name: law(one, laws) for name, one in wrong.items()}
    exact = likely_cost_distribution(right, known, laws, _UNLIKELY, _MOST_PATHS)
    return LawCheck(exact, versions, settings.terms)


def _itself(arm: Arm) -> Arm:
    return arm


_KINDS = {0: "the winner as the answer", 1: "another arm as the answer"}


def _kind(instance: CyclicInstance, arm: Arm) -> Arm:
    """Return 0 for the winner, 1 for every other arm, -1 if there is no arm."""
    return int(arm != instance.winner()) if 0 <= arm < instance.N else -1


def _all_laws(
    levels: Iterable[Confidence], preferences: Preferences, known: Pairs, test: ChosenTest
) -> tuple[MatchLaws, dict[str, MatchLaws]]:
    """Return :func:`all_laws`; refuse matches that need not end, or may be too long."""
    if test.g is None:
        for u, v in combinations(range(preferences.size), 2):
            if preferences.probability(u, v) == HALF:
                rule = f"must not be a tie: {test} need not end on it"
                raise InvalidInput("preferences", f"({u}, {v})", rule)
    finest = min(levels)
    longest = test.most(finest)
    if longest is None:
        laws = test.laws()
        assert isinstance(laws, DuelTestLaws)
        longest = max(laws.law_cut(finest, p) for p in known.probabilities if p != HALF)
    if longest > _LONGEST_MATCH:
        raise InvalidInput(
            "preferences",
            f"matches of up to {longest} duels",
            f"must have matches of at most {_LONGEST_MATCH} duels for this check: sample at a "
            "larger gap",
        )
    return all_laws(test)


def _winner_and_others(instance: CyclicInstance) -> Pairs:
    """Return the pairs of two kinds of arms: 0 for the winner, 1 for every other arm.

    Between any two other arms the gap is the same, and only its sign differs. So all other arms are
    alike for the number of duels and for whether the winner survives.
    """
    star, cyc = instance.delta_star, instance.delta_cyc
    index = np.array([[0, 1], [2, 3]], dtype=np.int32)
    return Pairs((HALF, HALF + star, HALF - star, HALF + cyc), index)
