"""Ready-made law checks: of a match, a tournament, a pass and an epoch."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import replace
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
    Preferences,
    bkt,
    budget,
    screen_and_replace,
    tree_ascent,
)
from tgite.duel_test import c, duel_test
from tgite.instances import CyclicInstance
from tgite.preferences import HALF
from tgite_checks.conformance.law_check import Counted, LawCheck
from tgite_checks.implementation import REFERENCE, Implementation
from tgite_checks.laws.boundary import stopping_leads
from tgite_checks.laws.bracket import Bracket, bracket
from tgite_checks.laws.budgeted_duel_test import BudgetedDuelTestLaws
from tgite_checks.laws.cost import CostDistribution, cost_distribution, match_distribution
from tgite_checks.laws.duel_test import DuelTestLaws
from tgite_checks.laws.likely import likely_cost_distribution
from tgite_checks.laws.match_law import MatchLaws, StoppingLaw, stopping_law
from tgite_checks.laws.pairs import Pairs, pairs, winner_and_others
from tgite_checks.laws.rule import Rule
from tgite_checks.laws.walk import StoppedWalk, rounding_error
from tgite_checks.mutation import Mutant, mutated
from tgite_checks.pairwise import ChosenTest, PairwiseName

ALPHA = 1e-6
POWER = 0.99
_LONGEST_MATCH = 4000
_MOST_ARMS = 8
# Of a tournament's cost, what is likelier than this altogether is kept.
_DROPPED = 1e-40
# An epoch's paths are followed as long as they are as likely; those of wrong versions, which only
# serve to bet on, are left sooner.
_UNLIKELY = 1e-9
_OFTEN = 1e-2
_MOST_PATHS = 64
_WINNER_COUNTED = "the winner's matches counted too"


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


def all_laws(g: Fraction | None) -> tuple[MatchLaws, dict[str, MatchLaws]]:
    """Return the laws of the test, DuelTest's without a gap, and those of wrong versions."""
    test = "duel_test" if g is None else "budgeted_duel_test"

    def laws(of: Implementation) -> MatchLaws:
        return DuelTestLaws(of) if g is None else BudgetedDuelTestLaws(of, g)

    wrong = {name: laws(_wrong(test, name)) for name in WRONG_VERSIONS[test]}
    if g is None:
        wrong |= {f"looked at every {n} duels": _LookedAtSeldom(n) for n in (8, 64)}
    return laws(REFERENCE), wrong


def laws_beyond(chosen: ChosenTest) -> tuple[MatchLaws, dict[str, MatchLaws]]:
    """Return the laws of a test beyond the paper, and those of wrong versions.

    What a wrong version's law has beyond its cut is bounded as if it were right, which is good
    enough to bet on it.
    """
    module = "beyond.mixture_test" if chosen.g is None else "beyond.sprt_test"
    wrong = {name: chosen.laws(_wrong(module, name)) for name in WRONG_VERSIONS[module]}
    return chosen.laws(), wrong


def match_check(
    delta: Confidence,
    p: Fraction,
    g: Fraction | None = None,
    alpha: float = ALPHA,
    power: float = POWER,
    test: PairwiseName | None = None,
) -> LawCheck:
    """Return the check of one match at level ``delta``, ``p`` being the first argument's chance.

    Without a ``test`` it is BudgetedDuelTest's with ``g``, else DuelTest's. Samples are the number
    of duels, and 0 or 1 for the first or the second argument returned. Raises
    :class:`~tgite.errors.InvalidInput` unless ``0 < p < 1`` and, without ``g``, ``p != 1/2``, and
    for a ``g`` that the test cannot be told.
    """
    if g is None and p == HALF:
        raise InvalidInput("p", str(p), "must not be 1/2: the test may never end on a tie")
    chosen = ChosenTest.of_the_paper(g) if test is None else ChosenTest(test, g)
    laws, wrong = all_laws(g) if chosen.name.of_the_paper else laws_beyond(chosen)
    return LawCheck(
        match_distribution(laws.stopping_law(delta, p)),
        {name: match_distribution(one.stopping_law(delta, p)) for name, one in wrong.items()},
        alpha,
        power,
    )


def tournament_check(
    algorithm: str,
    level: Confidence,
    preferences: Preferences,
    start: Arm = 0,
    g: Fraction | None = None,
    conventions: Conventions = RULINGS,
    alpha: float = ALPHA,
    power: float = POWER,
    counted: Counted = Counted.COMPARISONS,
) -> LawCheck:
    """Return the check of ``bkt`` (on all arms) or ``tree_ascent`` (from ``start``).

    Samples are the total of what is ``counted`` and the arm returned. Without ``g`` no two arms may
    tie, and no gap be so small that the exact law takes too long. Of a cyclic instance's arms only
    the winner is told from the others, so that there may be hundreds; of others there may be 8.
    Raises :class:`~tgite.errors.InvalidInput` for another algorithm, as that does, and for weak
    regret :class:`~tgite.errors.NoCondorcetWinner` where there is no winner.
    """
    arms = range(preferences.size)
    _require_no_tie(preferences, g)
    match algorithm:
        case "bkt":
            played = bracket(lambda test: bkt(tuple(arms), level, test, conventions))
        case "tree_ascent":
            tree = BalancedTree.over(preferences.size, conventions)
            played = bracket(lambda test: tree_ascent(start, tree, level, test, conventions))
        case _:
            raise InvalidInput("algorithm", algorithm, "must be bkt or tree_ascent")
    known, kind = pairs(preferences), _itself
    if isinstance(preferences, CyclicInstance):
        known, kind = winner_and_others(preferences), partial(_kind, preferences)
    elif preferences.size > _MOST_ARMS:
        raise InvalidInput(
            "preferences",
            f"{preferences.size} arms",
            f"must have at most {_MOST_ARMS} arms for this check, or be a cyclic instance",
        )
    _require_short_matches((meeting.delta for meeting in played.matches), known, g)
    laws, wrong = all_laws(g)

    winner = _free_arm(preferences, counted)
    free_arm = None if winner is None else kind(winner)

    def law(played: Bracket, laws: MatchLaws, free: Arm | None = free_arm) -> CostDistribution:
        return cost_distribution(played, known, laws, None, kind, _DROPPED, free)

    versions = {name: law(played, one) for name, one in wrong.items()}
    if len(played.matches) > 1:
        unsplit = tuple(replace(meeting, delta=level) for meeting in played.matches)
        whole = Bracket(unsplit, played.survivor)
        versions["every match at the whole level"] = law(whole, laws)
    if free_arm is not None:
        versions[_WINNER_COUNTED] = law(played, laws, None)
    return LawCheck(law(played, laws), versions, alpha, power, kind, counted)


def epoch_check(
    c: Arm,
    rho: Confidence,
    kappa: Confidence,
    preferences: Preferences,
    g: Fraction | None = None,
    conventions: Conventions = RULINGS,
    alpha: float = ALPHA,
    power: float = POWER,
    counted: Counted = Counted.COMPARISONS,
) -> LawCheck:
    """Return the check of one epoch, ``screen_and_replace`` from ``c``.

    Samples are the total of what is ``counted`` and the arm returned. The gaps must be so large
    that the worse arm hardly ever wins a match; then there may be hundreds of arms. Raises
    :class:`~tgite.errors.InvalidInput` where they are not, as that does, and for weak regret
    :class:`~tgite.errors.NoCondorcetWinner` where there is no winner.
    """
    _require_no_tie(preferences, g)
    free_arm = _free_arm(preferences, counted)
    known, N = pairs(preferences), preferences.size
    _require_short_matches((rho, kappa), known, g)
    laws, wrong = all_laws(g)

    def law(
        laws: MatchLaws,
        unlikely: float,
        rho: Confidence = rho,
        kappa: Confidence = kappa,
        free: Arm | None = free_arm,
    ) -> CostDistribution:
        return likely_cost_distribution(
            lambda test: screen_and_replace(c, rho, kappa, N, test, conventions),
            known,
            laws,
            unlikely,
            _MOST_PATHS,
            free,
        )

    versions = {name: law(one, _OFTEN) for name, one in wrong.items()}
    versions["the two levels exchanged"] = law(laws, _OFTEN, kappa, rho)
    if free_arm is not None:
        versions[_WINNER_COUNTED] = law(laws, _OFTEN, free=None)
    return LawCheck(law(laws, _UNLIKELY), versions, alpha, power, counted=counted)


def _free_arm(preferences: Preferences, counted: Counted) -> Arm | None:
    """Return the arm whose matches cost nothing, if there is one."""
    return preferences.winner() if counted is Counted.WEAK_REGRET else None


def _itself(arm: Arm) -> Arm:
    return arm


def _kind(instance: CyclicInstance, arm: Arm) -> Arm:
    """Return 0 for the winner, 1 for the other arms, -1 for what is none."""
    return int(arm != instance.winner()) if 0 <= arm < instance.N else -1


def _require_no_tie(preferences: Preferences, g: Fraction | None) -> None:
    """Refuse a tie without a known gap."""
    if g is None:
        for u, v in combinations(range(preferences.size), 2):
            if preferences.probability(u, v) == HALF:
                raise InvalidInput(
                    "preferences", f"({u}, {v})", "must not be a tie: DuelTest may never end on it"
                )


def _require_short_matches(levels: Iterable[Confidence], known: Pairs, g: Fraction | None) -> None:
    """Refuse what would take too long: matches at these levels may be too long."""
    finest = min(levels)
    if g is not None:
        longest = budget(g, finest)
    else:
        laws = DuelTestLaws(REFERENCE)
        longest = max(laws.law_cut(finest, p) for p in known.probabilities if p != HALF)
    if longest > _LONGEST_MATCH:
        raise InvalidInput(
            "preferences",
            f"matches of up to {longest} duels",
            f"must have matches of at most {_LONGEST_MATCH} duels for this check: sample at a "
            "larger gap",
        )
