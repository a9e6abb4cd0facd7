"""Truth of the lemmas on one epoch of ScreenAndReplace, by its exact law on few arms.

``lem:app-one-step-repair`` and ``lem:app-screen-epoch-regret``, and with the budgeted test
``lem:app-budgeted-screen-epoch``.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from fractions import Fraction

from flint import arb

from tgite.confidence import Confidence
from tgite.instances import cyclic
from tgite.preferences import PreferenceMatrix, Preferences
from tgite.questions import Arm
from tgite_checks.bounds.budgeted_duel_test import budgeted_laws_of
from tgite_checks.bounds.comparing import AtMost, compared, rational, real
from tgite_checks.bounds.duel_test import laws_of
from tgite_checks.bounds.keeping import kept
from tgite_checks.bounds.proved_constants import proved_constant
from tgite_checks.check import Check, Depth, Kind, Question, Result
from tgite_checks.enclosure import Enclosure
from tgite_checks.implementation import Implementation
from tgite_checks.laws.balls import ball, log_inverse_ball
from tgite_checks.laws.bracket import TournamentLaw
from tgite_checks.laws.match_law import MatchLaws
from tgite_checks.laws.screen_and_replace import screen_and_replace_law

_LEVELS = tuple(
    (Confidence.of(rho), Confidence.of(kappa))
    for rho, kappa in (("0.999", "0.999"), ("1/2", "1/64"), ("1/64", "1/64"), ("1/1024", "1/2"))
)

_MIXED = PreferenceMatrix.of(
    [
        ["0.50", "0.35", "0.70", "0.10"],
        ["0.65", "0.50", "0.60", "0.90"],
        ["0.30", "0.40", "0.50", "0.80"],
        ["0.90", "0.10", "0.20", "0.50"],
    ]
)
"""Four arms, the second of which wins; the others form a cycle of unequal gaps."""


def instances(depth: Depth) -> tuple[tuple[str, Preferences], ...]:
    """Return the instances on which epochs are weighed: 3^(N-1) paths each."""
    few = (
        ("cyclic N = 2, gap .1", cyclic(2, "0.1", "0.1")),
        ("cyclic N = 4, all gaps .05", cyclic(4, "0.05", "0.05")),
        ("cyclic N = 4, gaps .30/.38", cyclic(4, "0.30", "0.38")),
        ("four mixed arms", _MIXED),
    )
    if depth is Depth.QUICK:
        return few
    return (*few, ("cyclic N = 6, gaps .26/.44", cyclic(6, "0.26", "0.44")))


LawsFor = Callable[[Implementation, Preferences], MatchLaws]
"""How an instance's pairwise test is chosen."""


def anytime(under_test: Implementation, preferences: Preferences) -> MatchLaws:
    """Choose DuelTest."""
    return laws_of(under_test)


def known_gap(under_test: Implementation, preferences: Preferences) -> MatchLaws:
    """Choose BudgetedDuelTest with g = Delta*."""
    return budgeted_laws_of(under_test, preferences.winner_gap())


@kept
def epoch(
    under_test: Implementation,
    preferences: Preferences,
    laws: MatchLaws,
    c: Arm,
    rho: Confidence,
    kappa: Confidence,
) -> TournamentLaw:
    """Return the law of an epoch; kept for the next check."""
    return screen_and_replace_law(
        c, rho, kappa, preferences, laws, algorithm=under_test.screen_and_replace
    )


def _epochs(
    under_test: Implementation, depth: Depth, laws_for: LawsFor
) -> Iterator[tuple[str, Preferences, bool, Confidence, Confidence, TournamentLaw]]:
    for name, preferences in instances(depth):
        laws = laws_for(under_test, preferences)
        for rho, kappa in _LEVELS:
            for c in range(preferences.size):
                law = epoch(under_test, preferences, laws, c, rho, kappa)
                wrong = c != preferences.winner()
                where = f"{name}, c = {c}{'' if wrong else ' = a*'}, rho = {rho}, kappa = {kappa}"
                yield where, preferences, wrong, rho, kappa, law


def _one_step_cases(
    under_test: Implementation, depth: Depth, laws_for: LawsFor, share: Fraction
) -> Iterator[AtMost]:
    for where, _, wrong, rho, kappa, law in _epochs(under_test, depth, laws_for):
        bound = kappa.rational + (rho.rational if wrong else 0)
        yield AtMost(f"P(c+ is wrong), {where}", _error(law), rational(share * bound))


def _error(law: TournamentLaw) -> Enclosure:
    if law.error is None:
        raise AssertionError("every instance here has a winner")
    return law.error


def _one_step(
    under_test: Implementation,
    depth: Depth,
    *,
    laws_for: LawsFor = anytime,
    share: Fraction = Fraction(1),
) -> Result:
    cases = _one_step_cases(under_test, depth, laws_for, share)
    return compared(cases, "probability of a wrong incumbent")


def _regret_cases(
    under_test: Implementation, depth: Depth, laws_for: LawsFor, constant: Fraction
) -> Iterator[AtMost]:
    for where, preferences, wrong, rho, kappa, law in _epochs(under_test, depth, laws_for):
        if law.weak_regret is None:
            raise AssertionError("every instance here has a winner")
        allowed = functools.partial(
            _allowed, constant, preferences, laws_for is known_gap, wrong, rho, kappa
        )
        yield AtMost(f"E[W], {where}", law.weak_regret.mean, real(allowed))


def _allowed(
    constant: Fraction,
    preferences: Preferences,
    gap_known: bool,
    wrong: bool,
    rho: Confidence,
    kappa: Confidence,
) -> arb:
    """Return the proved bound on an epoch's regret: the paper's, with one more gap term.

    With a wrong incumbent both the screening and the replacement cost ``log(1/Delta) + 1`` beside
    their own level's logarithm; the paper's form, with one of the two, follows with twice the
    constant.
    """
    gap = preferences.winner_gap() if gap_known else preferences.global_gap()
    once = arb(1) if gap_known else 1 - ball(gap).log()
    replacement = log_inverse_ball(kappa) + once
    bracket = replacement * ball(rho.rational)
    if wrong:
        bracket += log_inverse_ball(rho) + once + replacement
    return ball(constant * (preferences.size - 1) / gap**2) * bracket


def _regret(
    under_test: Implementation,
    depth: Depth,
    *,
    laws_for: LawsFor = anytime,
    constant: Fraction | None = None,
) -> Result:
    C = constant or (
        proved_constant("lem_app_budgeted_screen_epoch", "C_budgeted_epoch")
        if laws_for is known_gap
        else proved_constant("lem_app_screen_epoch_regret", "C_epoch")
    )
    return compared(_regret_cases(under_test, depth, laws_for, C), "expected weak regret")


_DOMAIN = (
    "all incumbents of four instances with 2 or 4 arms (standard: 6 arms too), four pairs of "
    "levels from 0.999 to 1/1024"
)

ONE_STEP = Check(
    name="epoch-one-step",
    question=Question.TRUTH,
    kind=Kind.CERTIFIED,
    domain=_DOMAIN,
    run=_one_step,
    refuses={"1e-5 of rho + kappa": functools.partial(_one_step, share=Fraction(1, 10**5))},
)

REGRET = Check(
    name="epoch-regret",
    question=Question.TRUTH,
    kind=Kind.CERTIFIED,
    domain=f"{_DOMAIN}; beside the proved bound, from which the paper's follows with twice its "
    "constant",
    run=_regret,
    refuses={"C = 1/4": functools.partial(_regret, constant=Fraction(1, 4))},
)

KNOWN_GAP_ONE_STEP = Check(
    name="known-gap-epoch-one-step",
    question=Question.TRUTH,
    kind=Kind.CERTIFIED,
    domain=f"BudgetedDuelTest, g = Delta*; {_DOMAIN}",
    run=functools.partial(_one_step, laws_for=known_gap),
    refuses={
        "1/100 of rho + kappa": functools.partial(
            _one_step, laws_for=known_gap, share=Fraction(1, 100)
        )
    },
)

KNOWN_GAP_REGRET = Check(
    name="known-gap-epoch-regret",
    question=Question.TRUTH,
    kind=Kind.CERTIFIED,
    domain=f"BudgetedDuelTest, g = Delta*; {_DOMAIN}",
    run=functools.partial(_regret, laws_for=known_gap),
    refuses={"C = 1/8": functools.partial(_regret, laws_for=known_gap, constant=Fraction(1, 8))},
)

CHECKS = (ONE_STEP, REGRET, KNOWN_GAP_ONE_STEP, KNOWN_GAP_REGRET)
