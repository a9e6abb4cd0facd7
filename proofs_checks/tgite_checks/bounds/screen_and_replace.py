"""Bounds of one epoch of ScreenAndReplace, by its exact law on few arms.

``lem:app-one-step-repair``, ``lem:app-screen-epoch-regret`` and, with the budgeted test,
``lem:app-budgeted-screen-epoch``.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from fractions import Fraction

from flint import arb

from tgite.confidence import Confidence
from tgite.conventions import Candidates, Conventions, Order
from tgite.instances import cyclic
from tgite.preferences import PreferenceMatrix, Preferences
from tgite.questions import Arm
from tgite_checks.bounds.bkt import rounds_of_bkt
from tgite_checks.bounds.constants.certificates import KNOWN_GAP, one_epoch
from tgite_checks.bounds.constants.constant import STATED, Attained, Constant
from tgite_checks.bounds.constants.crossing import slow_test
from tgite_checks.bounds.constants.extremal import NEARLY_ONE, below, known_gap_scaled
from tgite_checks.bounds.constants.proved import proved_constant
from tgite_checks.bounds.constants.shares import budgeted_share
from tgite_checks.bounds.exact_laws import (
    LawsFor,
    anytime,
    budgeted_laws_of,
    epoch,
    error_of,
    known_gap,
    weak_regret_of,
)
from tgite_checks.check import Cases, Depth, Number, at_most, by_depth, demonstration, truth
from tgite_laws.balls import ball, log_integer_ball, log_inverse_ball, real
from tgite_laws.bracket import TournamentLaw
from tgite_laws.duel_test import HALF
from tgite_laws.enclosure import Enclosure, rational
from tgite_laws.implementation import Implementation
from tgite_laws.tournaments import screen_and_replace_law

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

_LONGEST_BLOCK = 12

_SCREENED = tuple(Conventions(screening=order, candidates=Candidates.ASCENDING) for order in Order)
_BRACKETED = tuple(Conventions(candidates=candidates) for candidates in Candidates)
"""Conventions that differ only in the order of the screening, or only in the tournament's."""


def instances(depth: Depth) -> tuple[tuple[str, Preferences], ...]:
    """Return the instances on which epochs are computed: 3^(N-1) paths each."""
    few = (
        ("cyclic N = 2, gap .1", cyclic(2, "0.1", "0.1")),
        ("cyclic N = 4, all gaps .05", cyclic(4, "0.05", "0.05")),
        ("cyclic N = 4, gaps .30/.38", cyclic(4, "0.30", "0.38")),
        ("four mixed arms", _MIXED),
    )
    if depth is Depth.QUICK:
        return few
    return (*few, ("cyclic N = 6, gaps .26/.44", cyclic(6, "0.26", "0.44")))


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


_TRIED = "All incumbents and four pairs of levels from 0.999 to 1/1024 are tried."
_INSTANCES = {
    "instances:": ("four with 2 or 4 arms", *2 * ("also one with 6 arms",)),
}


def _one_step(
    under_test: Implementation, depth: Depth, share: Fraction, laws_for: LawsFor
) -> Cases:
    for where, _, wrong, rho, kappa, law in _epochs(under_test, depth, laws_for):
        bound = kappa.rational + (rho.rational if wrong else 0)
        yield at_most(f"P(c+ is wrong), {where}", error_of(law), share * bound)


@truth(
    "epoch-one-step",
    domain="The exact probability of a wrong result is at most rho + kappa. If the incumbent is "
    f"the winner, it is at most kappa. {_TRIED}",
    sizes=_INSTANCES,
    case="probability of a wrong incumbent",
    refuses={"errors of at most 1e-5 (rho + kappa)": {"share": Fraction(1, 10**5)}},
)
def one_step(under_test: Implementation, depth: Depth, *, share: Fraction = Fraction(1)) -> Cases:
    yield from _one_step(under_test, depth, share, anytime)


@truth(
    "known-gap-epoch-one-step",
    domain="With BudgetedDuelTest and g = Delta*, the exact probability of a wrong result is at "
    f"most rho + kappa. If the incumbent is the winner, it is at most kappa. {_TRIED}",
    sizes=_INSTANCES,
    case="probability of a wrong incumbent",
    refuses={"errors of at most (rho + kappa)/100": {"share": Fraction(1, 100)}},
)
def known_gap_one_step(
    under_test: Implementation, depth: Depth, *, share: Fraction = Fraction(1)
) -> Cases:
    yield from _one_step(under_test, depth, share, known_gap)


def _regret(under_test: Implementation, depth: Depth, C: Fraction, laws_for: LawsFor) -> Cases:
    """Compare an epoch's regret with the proved bound, the paper's with N - 1 in N's place."""

    def allowed(preferences: Preferences, wrong: bool, rho: Confidence, kappa: Confidence) -> arb:
        oblivious = laws_for is anytime
        gap = preferences.global_gap() if oblivious else preferences.winner_gap()
        once = 1 - ball(gap).log() if oblivious else arb(1)
        replacement = log_inverse_ball(kappa) + once
        bracket = replacement * ball(rho.rational)
        if wrong:
            bracket += log_inverse_ball(rho) + replacement
        return ball(C * (preferences.size - 1) / gap**2) * bracket

    for where, preferences, wrong, rho, kappa, law in _epochs(under_test, depth, laws_for):
        bound = real(allowed, preferences, wrong, rho, kappa)
        yield at_most(f"E[W], {where}", weak_regret_of(law).mean, bound)


@truth(
    "epoch-regret",
    domain=f"An epoch's exact expected weak regret is within its proved bound. {_TRIED}",
    sizes=_INSTANCES,
    case="expected weak regret",
    refuses={"the bound with C = 1/4": {"C": Fraction(1, 4)}},
)
def regret(under_test: Implementation, depth: Depth, *, C: Fraction | None = None) -> Cases:
    proved = proved_constant("lem_app_screen_epoch_regret", "C_epoch")
    yield from _regret(under_test, depth, C or proved, anytime)


@truth(
    "known-gap-epoch-regret",
    domain="With BudgetedDuelTest and g = Delta*, an epoch's exact expected weak regret is "
    f"within its proved bound. {_TRIED}",
    sizes=_INSTANCES,
    case="expected weak regret",
    refuses={"the bound with C = 1/8": {"C": Fraction(1, 8)}},
)
def known_gap_regret(
    under_test: Implementation, depth: Depth, *, C: Fraction | None = None
) -> Cases:
    proved = proved_constant("lem_app_budgeted_screen_epoch", "C_budgeted_epoch")
    yield from _regret(under_test, depth, C or proved, known_gap)


def _attained(under_test: Implementation, depth: Depth) -> Attained:
    """Return an epoch's regret from an incumbent that loses to all, for a tiny gap.

    The limit of small gaps: log(1/gap) = L is large, kappa constant and rho = 1/L. The right side
    is then close to L, while every test takes nearly 2 L/gap^2 duels (:func:`.slow_test`). With N =
    2^50 the winner's few matches are negligible. B misses an arm with probability at most rho.
    """
    halvings = 2**24
    L = halvings * log_integer_ball(2)
    log_kappa = arb(20)
    log_rho = L.log()
    screening, replacing = slow_test(L, log_rho), slow_test(L, log_kappa)
    beaters = 1 - 1 / L
    # The winner's matches (one screening, at most 51 others) are less than 2^-40 of all.
    cost = (screening + beaters * replacing) * (1 - ball(Fraction(1, 2**40)))
    right = log_rho + log_kappa + L + 1 + (log_kappa + L + 1) / L
    value = below(cost / right)
    return Attained(value, f"gap = 2^-{halvings}, rho = 1/log(1/gap), kappa = e^-20, N = 2^50")


CONSTANT = Constant(
    stated=STATED["epoch"],
    certify=one_epoch,
    attained=_attained,
    weakened={
        "the bound without the term rho (log(1/kappa) + A)": functools.partial(
            one_epoch, with_false_positives=False
        )
    },
    text_alone=True,
)
constant = CONSTANT.check()


def _attained_known_gap(under_test: Implementation, depth: Depth) -> Attained:
    """Return an epoch's regret from an incumbent that all others beat by g; the others tie.

    There are N = 2^40 arms. If q arms beat the incumbent, at least floor(q/2^(s-1)) matches of the
    replacement are in round s or later. This is at least (q+1)/2^(s-1) - 1. Tests get longer from
    round to round. The incumbent and the winner are in fewer than 2^7 matches, below 2^-30 of all.
    """
    g = by_depth(depth, Fraction(1, 20), Fraction(1, 50), Fraction(1, 50))
    rho, N = Confidence(HALF), 2**40
    laws = budgeted_laws_of(under_test, g)
    screening = laws.law(rho, HALF - g)
    beaters = (N - 1) * arb(screening.second.probability.low)
    rounds = [
        laws.law(under_test.schedules.bkt_round_level(NEARLY_ONE, s), HALF).mean
        for s in range(1, _LONGEST_BLOCK + 1)
    ]
    replacing = arb(rounds[0].low) * beaters
    for s in range(1, _LONGEST_BLOCK):
        longer = arb(rounds[s].low) - arb(rounds[s - 1].high)
        if not bool(longer > 0):
            raise ArithmeticError("a later round's tests are not longer")
        replacing += longer * ((beaters + 1) / 2**s - 1)
    regret = ((N - 2) * arb(screening.mean.low) + replacing) * (1 - ball(Fraction(1, 2**30)))
    log_kappa, level = log_inverse_ball(NEARLY_ONE), ball(rho.rational)
    right = log_inverse_ball(rho) + log_kappa + 1 + level * (log_kappa + 1)
    value = known_gap_scaled(g, regret, N, right)
    return Attained(value, f"g = {float(g)}, rho = 1/2, kappa -> 1, N = 2^40, c loses to all by g")


def _share() -> Fraction:
    return budgeted_share(Fraction(1))


KNOWN_GAP_CONSTANT = Constant(
    stated=STATED["budgeted-epoch"],
    certify=functools.partial(one_epoch, test=KNOWN_GAP, share=_share),
    attained=_attained_known_gap,
    weakened={
        "the bound without the term rho (log(1/kappa) + 1)": functools.partial(
            one_epoch, test=KNOWN_GAP, share=_share, with_false_positives=False
        )
    },
)
known_gap_constant = KNOWN_GAP_CONSTANT.check()


def _expected_duels(
    under_test: Implementation, preferences: Preferences, c: Arm, choices: tuple[Conventions, ...]
) -> list[Enclosure]:
    laws, level = anytime(under_test, preferences), Confidence(Fraction(1, 64))
    return [
        screen_and_replace_law(
            under_test.screen_and_replace, c, level, level, preferences, laws, chosen
        ).comparisons.mean
        for chosen in choices
    ]


@truth(
    "epoch-screening-order",
    domain="The order of screening does not change an epoch's expected duels, to a relative error "
    "of 1e-9. With a* as incumbent, neither does the tournament's order. All incumbents are "
    "tried, at levels 1/64.",
    sizes=_INSTANCES,
    case="incumbent",
    refuses={"from a wrong incumbent the tournament's order saves nothing": {"wrong_too": True}},
)
def screening_order(under_test: Implementation, depth: Depth, *, wrong_too: bool = False) -> Cases:
    saved = 0.0
    for name, preferences in instances(depth):
        for c in range(preferences.size):
            right = c == preferences.winner()
            orders = _expected_duels(under_test, preferences, c, _SCREENED)
            brackets = _expected_duels(under_test, preferences, c, _BRACKETED)
            for what, means in (("screening", orders), ("tournament", brackets)):
                least = min(mean.low for mean in means)
                most = max(means, key=lambda mean: mean.high)
                if what == "tournament" and not right:
                    saved = max(saved, 1 - least / most.high)
                    if not wrong_too:
                        continue
                allowed = rational(Fraction(least) * (1 + Fraction(1, 10**9)))
                yield at_most(
                    f"most E[duels], orders of the {what}, {name}, c = {c}", most, allowed
                )
    yield Number(
        "largest share of duels saved by the tournament's order", rational(Fraction(saved))
    )


@demonstration(case="epoch", refuses={"seventy times smaller, too": {"times": 70}})
def failure_needs_two_errors(under_test: Implementation, depth: Depth, *, times: int = 60) -> Cases:
    """Show that with c = a* an epoch fails with probability at most min(1, (N-1) rho) kappa."""
    for name, preferences in instances(depth):
        laws = known_gap(under_test, preferences)
        winner, N = preferences.winner(), preferences.size
        for text in ("1/64", "1/256"):
            level = Confidence.of(text)
            law = epoch(under_test, preferences, laws, winner, level, level)
            bound = min(Fraction(1), (N - 1) * level.rational) * level.rational
            yield at_most(
                f"P(c+ is wrong) from c = a*, rho = kappa = {text}, known gap, {name}",
                error_of(law),
                bound,
            )
    rho = under_test.schedules.screening_level(5).rational
    yield Number("the same bound, epoch 5, N = 256", rational(255 * rho * rho))
    larger = f"{times} times the same bound against kappa, epoch 5, N = 256"
    yield at_most(larger, times * 255 * rho * rho, rho)


@demonstration(case="number of beaters")
def replacement_plays_as_many_as_beat(under_test: Implementation, depth: Depth) -> Cases:
    """Show that BKT on |B| + 1 arms plays |B| matches, so the proof's factor 2 is not needed."""
    for B in range(1, by_depth(depth, 200, 1000, 3000)):
        played = sum(rounds_of_bkt(under_test, B + 1))
        yield "" if played == B else f"|B| = {B}: not |B| matches"
