"""Bounds of weak regret: the sums of the schedules, and the exact regret of instances.

``thm:app-online-weak``, ``thm:online-weak-linear-main`` (repeated as ``cor:app-weak-warm-start``)
and ``cor:app-weak-high-confidence-warm-start``, with their constants.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from fractions import Fraction

from flint import arb

from tgite.confidence import Confidence
from tgite.instances import cyclic, sparse
from tgite.preferences import Preferences
from tgite.questions import Arm, match
from tgite_checks.bounds.constants.certificates import Certify
from tgite_checks.bounds.constants.constant import (
    STATED,
    Attained,
    Constant,
    not_of_all_gaps,
    of_gaps,
)
from tgite_checks.bounds.constants.extremal import (
    NEARLY_ONE,
    EndOfDomain,
    clustered,
    warm_start_matches,
)
from tgite_checks.bounds.constants.proved import cost_bound, proved_constant
from tgite_checks.bounds.constants.shares import error_share, tree_share
from tgite_checks.bounds.constants.totals import Totals, tail_totals, tree_totals
from tgite_checks.bounds.exact_laws import epoch, laws_of, weak_regret_of, weak_run
from tgite_checks.check import Cases, Depth, at_most, by_depth, truth
from tgite_checks.plot import Plot, Series
from tgite_laws.arithmetic import ONE, ZERO, plus, times
from tgite_laws.balls import log_integer_ball, log_inverse_ball, real
from tgite_laws.enclosure import Enclosure, rational
from tgite_laws.implementation import Implementation
from tgite_laws.match_paths import walk
from tgite_laws.weak import WeakRegret

_EPOCHS = 60

WARM_STARTS = tuple(map(Confidence.of, ("1/4", "1/100", "1e-8", "1e-32")))
"""The constant warm start of 1/4, and high-confidence ones."""


def _wrong_before(under_test: Implementation, s: int) -> Fraction:
    """Return the bound on ``p_s``, the probability that epoch s begins with a wrong incumbent."""
    if s == 1:
        return Fraction(1)
    levels = under_test.schedules
    return levels.screening_level(s - 1).rational + levels.replacement_level(s - 1).rational


def _summed(under_test: Implementation, weight: Callable[[int], int]) -> Enclosure:
    """Enclose the sum of ``(p_s + rho_s) weight(s)``: its first 60 terms, and a bound for the rest.

    In the rest ``p_s + rho_s <= 9 * 4**-(s+2)`` and ``weight(s) <= 2**s``, so it is less than
    ``9 * 2**-(60+4)``.
    """
    rho = under_test.schedules.screening_level
    terms = [
        (_wrong_before(under_test, s) + rho(s).rational) * weight(s) for s in range(1, _EPOCHS + 1)
    ]
    low = sum(terms, Fraction(0))
    return rational(low, low + Fraction(9, 2 ** (_EPOCHS + 4)))


@truth(
    "weak-tail-sums",
    domain="Over all epochs s, p_s + rho_s sums to 17/16, (p_s + rho_s)(s + 1) to 35/16, and (p_s "
    "+ rho_s)(s + 2) to 13/4. Epochs 1 to 60 are summed, and later ones bounded.",
    case="sum over the epochs",
    refuses={
        "sum of p_s + rho_s <= 1": {"total": Fraction(1)},
        "sum of (p_s + rho_s)(s + 1) <= 2": {"weighted": Fraction(2)},
    },
)
def tail_sums(
    under_test: Implementation,
    depth: Depth,
    *,
    total: Fraction = Fraction(17, 16),
    weighted: Fraction = Fraction(35, 16),
) -> Cases:
    for s in range(2, _EPOCHS):
        yield at_most(
            f"p_{s} <= rho_{s - 1} + kappa_{s - 1} against 2 * 4^-(s+1)",
            _wrong_before(under_test, s),
            2 * Fraction(1, 4 ** (s + 1)),
        )
    slack = Fraction(1, 10**12)
    for name, weight, bound in (
        ("sum of p_s + rho_s", lambda s: 1, total),
        ("sum of (p_s + rho_s)(s + 1)", lambda s: s + 1, weighted),
        ("sum of (p_s + rho_s)(s + 2)", lambda s: s + 2, Fraction(13, 4)),
    ):
        yield at_most(name, _summed(under_test, weight), bound + slack)


def instances(depth: Depth) -> tuple[tuple[str, Preferences], ...]:
    """Return the instances whose weak regret is enclosed, including the figure's."""
    few = (
        ("cyclic N = 4, all gaps .05", cyclic(4, "0.05", "0.05")),
        ("cyclic N = 4, gaps .30/.38", cyclic(4, "0.30", "0.38")),
        ("sparse N = 256, gaps .26/.44", sparse(256, "0.26")),
    )
    if depth is Depth.QUICK:
        return few
    return (*few, ("cyclic N = 6, gaps .26/.44", cyclic(6, "0.26", "0.44")))


def small_instances(depth: Depth) -> tuple[tuple[str, Preferences], ...]:
    """Return the instances with few arms."""
    return tuple(one for one in instances(depth) if one[1].size <= 6)


def exact_weak_regret(
    under_test: Implementation, preferences: Preferences, warm_start: Confidence
) -> WeakRegret:
    """Return the enclosed weak regret of the infinite run with DuelTest."""
    return weak_run(under_test, preferences, laws_of(under_test), warm_start)


@truth(
    "weak-regret",
    domain="The enclosed weak regret of the infinite run is within its proved bounds. If the warm "
    "start is not 1/4, the bound has the term log(1/delta). One instance is the figure's sparse "
    "instance with N = 256.",
    sizes={
        "instances:": (3, 4, 4),
        "warm starts:": ("1/4 and 1e-32", *2 * ("also 1/100 and 1e-8",)),
    },
    case="expected weak regret",
    refuses={
        "the bound with C = 1/2": {"C": Fraction(1, 2)},
        "a bound without log(1/delta) for every delta, C = 2": {
            "C": Fraction(2),
            "with_delta": False,
        },
    },
)
def regret(
    under_test: Implementation, depth: Depth, *, C: Fraction | None = None, with_delta: bool = True
) -> Cases:
    C_weak = C or proved_constant("cor_app_weak_warm_start", "C_weak")
    C_delta = C or proved_constant("cor_app_weak_high_confidence_warm_start", "C_weak_delta")

    def allowed(warm_start: Confidence, size: int, gap: Fraction) -> arb:
        if warm_start is WARM_STARTS[0] or not with_delta:
            return cost_bound(C_weak, size, gap, arb(0))
        return cost_bound(C_delta, size, gap, log_inverse_ball(warm_start))

    for name, preferences in instances(depth):
        size, gap = preferences.size - 1, preferences.global_gap()
        for warm_start in WARM_STARTS[:: by_depth(depth, 3, 1, 1)]:
            yield at_most(
                f"E[R_inf^weak], warm start {warm_start}, {name}",
                exact_weak_regret(under_test, preferences, warm_start).total,
                real(allowed, warm_start, size, gap),
            )
    sixty_four = sparse(64, "0.26")
    points = tuple(
        (level.log_inverse, exact_weak_regret(under_test, sixty_four, level).total)
        for level in WARM_STARTS
    )
    yield Plot(
        "Weak regret of the infinite run against the warm start, sparse N = 64",
        "log(1/delta)",
        "E[R_inf^weak]",
        (Series("enclosed", points),),
    )


def tail_regret(
    under_test: Implementation, preferences: Preferences, c_0: Arm, epochs: int
) -> Enclosure:
    """Return the expected weak regret of the first epochs from the incumbent ``c_0``, exactly."""
    laws = laws_of(under_test)
    schedules = under_test.schedules
    held = {c_0: ONE}
    regrets: list[Enclosure] = []
    for s in range(1, epochs + 1):
        reached = dict.fromkeys(range(preferences.size), ZERO)
        for c, probability in held.items():
            if probability.high == 0:
                continue
            rho, kappa = schedules.screening_level(s), schedules.replacement_level(s)
            law = epoch(under_test, preferences, laws, c, rho, kappa)
            regrets.append(times(probability, weak_regret_of(law).mean))
            for arm, part in law.survives.items():
                reached[arm] = plus(reached[arm], times(probability, part.probability))
        held = reached
    return plus(*regrets)


@truth(
    "weak-tail-any-start",
    domain="The exact weak regret of the first four epochs is within the proved bound for all "
    "epochs, from every incumbent c_0.",
    sizes={"instances:": ("two with 4 arms", *2 * ("also one with 6 arms",))},
    case="expected weak regret of the tail",
    refuses={"the bound with C = 1": {"C": Fraction(1)}},
)
def tail(under_test: Implementation, depth: Depth, *, C: Fraction | None = None) -> Cases:
    C_tail = C or proved_constant("thm_app_online_weak", "C_tail")
    for name, preferences in small_instances(depth):
        size, gap = preferences.size - 1, preferences.global_gap()
        for c_0 in range(preferences.size):
            yield at_most(
                f"E[weak regret of epochs 1..4], c_0 = {c_0}, {name}",
                tail_regret(under_test, preferences, c_0, 4),
                real(cost_bound, C_tail, size, gap, arb(0)),
            )


def _attained_tail(under_test: Implementation, depth: Depth) -> Attained:
    exponent = by_depth(depth, 14, 15, 16)
    arms = EndOfDomain(2**exponent, 0)
    schedules = under_test.schedules
    rho, kappa = schedules.screening_level(1), schedules.replacement_level(1)
    stream = under_test.screen_and_replace(arms.size - 1, rho, kappa, arms.size, match)
    matches = walk(stream, arms.decide, 2 * arms.size).matches
    value = arms.need(under_test, matches, None, weak=True)
    return Attained(value, f"N = 2^{exponent}, gap -> 1/2, c_0 loses to all")


def _attained(under_test: Implementation, depth: Depth, level: Confidence | None) -> Attained:
    exponent = by_depth(depth, 14, 15, 16)
    arms = clustered(exponent)
    matches = warm_start_matches(under_test, arms, level)
    value = arms.need(under_test, matches, level, weak=True)
    at_level = "" if level is None else ", delta -> 1"
    return Attained(value, f"N = 2^{exponent} + 1, gap -> 1/2{at_level}")


def _certify(totals: Callable[[Fraction], Totals]) -> Certify:
    return of_gaps(lambda: totals(error_share()))


def _weakened(totals: Callable[[Fraction], Totals]) -> dict[str, Certify]:
    return {
        **not_of_all_gaps(lambda: totals(error_share())),
        "a proof in which a test errs with probability delta, not delta/24": of_gaps(
            lambda: totals(Fraction(1))
        ),
    }


def _tail_totals(share: Fraction) -> Totals:
    return tail_totals(Fraction(1), share)


def _weak_totals(share: Fraction) -> Totals:
    warm = tree_totals().at(log_integer_ball(4))
    return warm.plus(tail_totals(Fraction(1, 4) * tree_share() * share, share))


def _high_confidence_totals(share: Fraction) -> Totals:
    """Return the totals with a pass at delta, which errs no more often than at delta = 1."""
    return tree_totals().plus(tail_totals(tree_share() * share, share))


TAIL_CONSTANT = Constant(
    stated=STATED["weak-tail"],
    certify=_certify(_tail_totals),
    attained=_attained_tail,
    weakened=_weakened(_tail_totals),
)
CONSTANT = Constant(
    stated=STATED["weak"],
    certify=_certify(_weak_totals),
    attained=functools.partial(_attained, level=None),
    weakened=_weakened(_weak_totals),
)
HIGH_CONFIDENCE_CONSTANT = Constant(
    stated=STATED["weak-high-confidence"],
    certify=_certify(_high_confidence_totals),
    attained=functools.partial(_attained, level=NEARLY_ONE),
    weakened=_weakened(_high_confidence_totals),
)
tail_constant = TAIL_CONSTANT.check()
constant = CONSTANT.check()
high_confidence_constant = HIGH_CONFIDENCE_CONSTANT.check()
