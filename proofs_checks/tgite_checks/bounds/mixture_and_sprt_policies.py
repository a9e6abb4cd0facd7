"""Whole runs with the pairwise tests beyond the paper, beside the proved bounds.

``BeyondPolicies.v`` proves the paper's theorems with another test in DuelTest's place. These checks
show how much of each bound the exact laws of several instances attain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from flint import arb

from tgite.confidence import Confidence
from tgite.instances import cyclic
from tgite.preferences import HALF, PreferenceMatrix, Preferences
from tgite_checks.bounds.constants.proved import (
    anytime_bound,
    cost_bound,
    known_gap_anytime_bound,
    known_gap_bound,
    proved_constant,
)
from tgite_checks.bounds.exact_laws import anytime_run, known_horizon_run, weak_run
from tgite_checks.check import Cases, Depth, Number, at_most, by_depth, truth
from tgite_laws.arithmetic import minus, quotient, times
from tgite_laws.balls import log_integer_ball, log_inverse_ball, real
from tgite_laws.cache import cached
from tgite_laws.enclosure import Enclosure, rational
from tgite_laws.implementation import Implementation
from tgite_laws.match_law import MatchLaws
from tgite_laws.pairwise import ChosenTest, PairwiseName
from tgite_laws.tournaments import tree_ascent_law

_INSTANCES = {
    "cyclic instances:": (
        "2 and 8 arms with all gaps .49",
        *2 * ("also 64 arms with all gaps .49, and 8 with all gaps .1",),
    )
}
_ONE = Fraction(1)
_LEVELS = tuple(map(Confidence.of, ("1/2", "1/100", "1e-30")))
_ROUNDS = (100, 100_000)

_ByLevel = Callable[[Fraction, int, Fraction, arb], arb]
_ByTime = Callable[[Fraction, Fraction, int, Fraction, int], arb]

POLICIES = {
    "bai": "TG-ITE-BAI",
    "weak": "TG-ITE-Weak",
    "weak_delta": "TG-ITE-Weak from a warm start at delta",
    "strong_known": "TG-ITE-Strong, horizon known",
    "strong_anytime": "TG-ITE-Strong, anytime",
}
"""The policies, by the ends of their theorems' names."""
_OTHER_FORM = "global", "bai"


def _runs(
    under_test: Implementation,
    preferences: Preferences,
    laws: MatchLaws,
    by_level: _ByLevel,
    by_time: _ByTime,
    extra: Fraction,
) -> Iterator[tuple[str, str, Enclosure, Enclosure]]:
    """Yield policy, setting, exact mean, and the factor of the constant in the bound.

    The bound's last term, which has another constant, is subtracted from the mean.
    """
    size, gap = preferences.size - 1, preferences.winner_gap()

    def unit(log_inverse: arb) -> Enclosure:
        return real(by_level, _ONE, size, gap, log_inverse)

    for delta in _LEVELS:
        tree, where = under_test.BalancedTree.over(preferences.size), f"delta = {delta}"
        law = tree_ascent_law(under_test.tg_ite_bai, 0, tree, delta, preferences, laws)
        yield "bai", where, law.comparisons.mean, unit(log_inverse_ball(delta))
        regret = weak_run(under_test, preferences, laws, delta).total
        yield "weak_delta", where, regret, unit(log_inverse_ball(delta))
    regret = weak_run(under_test, preferences, laws, Confidence.of("1/4")).total
    yield "weak", "warm start 1/4", regret, unit(arb(0))
    for rounds in _ROUNDS:
        paid = minus(known_horizon_run(under_test, preferences, laws, rounds), rational(_ONE))
        yield "strong_known", f"H = {rounds}", paid, unit(log_integer_ball(rounds + 1))
        last = real(by_time, Fraction(0), extra, size, gap, rounds)
        paid = minus(anytime_run(under_test, preferences, laws, rounds), last)
        unit_of_time = real(by_time, _ONE, Fraction(0), size, gap, rounds)
        yield "strong_anytime", f"T = {rounds}", paid, unit_of_time


@cached
def _laws(under_test: Implementation, chosen: ChosenTest) -> MatchLaws:
    return chosen.laws(under_test)


def _compared(
    under_test: Implementation,
    name: PairwiseName,
    theorems: str,
    constants: str,
    instances: dict[str, Preferences],
    by_level: _ByLevel,
    by_time: _ByTime,
    share: Fraction,
) -> Cases:
    """Compare the exact means with the bounds of ``theorems``, and report how much is attained."""

    def proved(policy: str, C: str = "C") -> Fraction:
        constant = f"{C}_{constants}_{policy.removeprefix('strong_')}"
        return proved_constant(f"{theorems}_{policy}", constant)

    extra = proved("strong_anytime", "C'")
    # Where all gaps are g, the bound of TG-ITE-BAI has another form.
    bounds = {
        policy: share * proved(policy) for policy in POLICIES if (constants, policy) != _OTHER_FORM
    }
    attained = dict.fromkeys(bounds, Enclosure(0.0, 0.0))
    for instance, preferences in instances.items():
        g = preferences.winner_gap() if name.needs_known_gap else None
        laws = _laws(under_test, ChosenTest(name, g))
        for policy, where, mean, unit in _runs(
            under_test, preferences, laws, by_level, by_time, extra
        ):
            if policy in bounds:
                bound = times(rational(bounds[policy]), unit)
                yield at_most(f"{POLICIES[policy]}, {where}, {instance}", mean, bound)
                found, most = quotient(mean, unit), attained[policy]
                attained[policy] = Enclosure(max(most.low, found.low), max(most.high, found.high))
    for policy, most in attained.items():
        yield Number(f"least C for {POLICIES[policy]}", most, rational(bounds[policy]))


def _cyclic(*settings: tuple[int, str]) -> dict[str, Preferences]:
    return {f"cyclic N = {N}, all gaps {gap}": cyclic(N, gap, gap) for N, gap in settings}


def _tied(N: int, gap: str) -> dict[str, Preferences]:
    above = HALF + Fraction(gap)
    rows = [
        [HALF if i == j or 0 not in (i, j) else above if i == 0 else 1 - above for j in range(N)]
        for i in range(N)
    ]
    return {f"N = {N}, gap {gap}, the others tie": PreferenceMatrix.of(rows)}


def _small(depth: Depth, *quick: tuple[int, str]) -> dict[str, Preferences]:
    more = ((8, "0.1"), (64, "0.49"))
    return _cyclic((2, "0.49"), (8, "0.49"), *by_depth(depth, quick, more, more))


@truth(
    "mixture-policies",
    domain="The exact mean of every policy with MixtureTest is within its proved bound. The "
    "levels are from 1/2 to 1e-30, and the horizons 100 and 10^5 rounds.",
    sizes=_INSTANCES,
    case="expected number of comparisons or regret",
    refuses={"bounds with a tenth of the constants": {"share": Fraction(1, 10)}},
)
def mixture(under_test: Implementation, depth: Depth, *, share: Fraction = _ONE) -> Cases:
    return _compared(
        under_test,
        PairwiseName.MIXTURE,
        "mixture",
        "mixture",
        _small(depth),
        cost_bound,
        anytime_bound,
        share,
    )


@truth(
    "truncated-policies",
    domain="The exact mean of every policy with the truncated SprtTest and the winner's gap known "
    "is within its proved bound. The levels are from 1/2 to 1e-30, and the horizons 100 and 10^5 "
    "rounds. One instance has 8 arms of which all but the winner tie, with gap .1.",
    sizes=_INSTANCES,
    case="expected number of comparisons or regret",
    refuses={"bounds with a tenth of the constants": {"share": Fraction(1, 10)}},
)
def truncated(under_test: Implementation, depth: Depth, *, share: Fraction = _ONE) -> Cases:
    return _compared(
        under_test,
        PairwiseName.TRUNCATED_SPRT,
        "truncated_sprt",
        "truncated",
        _small(depth) | _tied(8, "0.1"),
        known_gap_bound,
        known_gap_anytime_bound,
        share,
    )


@truth(
    "truncated-global-policies",
    domain="The exact mean of the policies with the truncated SprtTest is within the smaller "
    "bound that holds if all gaps are at least the known one. The levels are from 1/2 to 1e-30, "
    "and the horizons 100 and 10^5 rounds. One instance has 8 arms with all gaps .1.",
    sizes=_INSTANCES,
    case="expected regret",
    refuses={"bounds with a fifth of the constants": {"share": Fraction(1, 5)}},
)
def truncated_global(under_test: Implementation, depth: Depth, *, share: Fraction = _ONE) -> Cases:
    return _compared(
        under_test,
        PairwiseName.TRUNCATED_SPRT,
        "truncated_sprt_global",
        "global",
        _small(depth, (8, "0.1")),
        known_gap_bound,
        known_gap_anytime_bound,
        share,
    )
