"""Demonstrations about DuelTest: its errors, a tie, and what it need not cost."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from fractions import Fraction

from flint import arb

from tgite.confidence import Confidence
from tgite_checks.bounds.comparing import AtMost, compared, rational, real
from tgite_checks.bounds.duel_test import LEVELS, laws_of, least_duels
from tgite_checks.check import Depth, Result
from tgite_checks.enclosure import Enclosure
from tgite_checks.implementation import Implementation
from tgite_checks.laws.balls import log_integer_ball, log_inverse_ball
from tgite_checks.laws.duel_test import HALF

TENTH = Confidence(Fraction(1, 10))


def error_is_far_below(under_test: Implementation, depth: Depth) -> Result:
    """Show that the largest error over all gaps is at most delta/(2 n_min), at most delta/24."""
    return compared(_far_below(under_test), "level")


def _far_below(under_test: Implementation) -> Iterator[AtMost]:
    laws = laws_of(under_test)
    for delta in LEVELS:
        worst = laws.largest_error(delta)
        n_min = least_duels(delta)
        yield AtMost(
            f"largest error against delta/(2 n_min), delta = {delta}, n_min = {n_min}",
            worst,
            rational(delta.rational / (2 * n_min)),
        )
        yield AtMost(
            f"24 against 2 n_min, delta = {delta}",
            rational(24),
            rational(2 * n_min),
        )


def hardly_ends_on_a_tie(under_test: Implementation, depth: Depth) -> Result:
    """Show that on a tie DuelTest ends with probability at most delta/n_min; exactly how likely."""
    return compared(_on_a_tie(under_test), "level")


def _on_a_tie(under_test: Implementation) -> Iterator[AtMost]:
    laws = laws_of(under_test)
    for delta in LEVELS:
        law = laws.law(delta, HALF)
        stops = Enclosure(2 * law.first.probability.low, 2 * law.first.probability.high)
        yield AtMost(
            f"P(DuelTest ever ends on a tie), delta = {delta}",
            stops,
            rational(delta.rational / least_duels(delta)),
        )


def never_ends_on_alternating_outcomes(under_test: Implementation, depth: Depth) -> Result:
    """Show that no number of duels bounds DuelTest: alternating outcomes never stop it."""
    return compared(_alternating(under_test, depth), "number of duels")


def _alternating(under_test: Implementation, depth: Depth) -> Iterator[AtMost]:
    # After n duels |mean - 1/2| is 1/(2n) or 0; it stays below c(n, delta) since log(2n(n+1)/delta)
    # exceeds 1/(2n) for every n and delta.
    for n in (1, 2, 3, 10, 10**3, 10**6):
        yield AtMost(
            f"1/(2n) against log(2n(n+1)), n = {n}",
            rational(Fraction(1, 2 * n)),
            real(functools.partial(log_integer_ball, 2 * n * (n + 1))),
        )


def gap_logarithm_is_not_forced(
    under_test: Implementation, depth: Depth, *, multiple: int = 4
) -> Result:
    """Show that a stitched radius, as valid and as ignorant of the gap, crosses far earlier.

    For 2^k <= n < 2^(k+1) it stops where |2S - n| > sqrt(2^(k+2) log(2(k+1)(k+2)/delta)). By
    Hoeffding's inequality in its maximal form each k is missed with probability at most
    delta/((k+1)(k+2)), which sums to delta. Compared are drift and boundary: 2 gap n.
    """
    return compared(_stitched_cases(multiple), "gap")


def _stitched_cases(multiple: int) -> Iterator[AtMost]:
    for exponent in (16, 30, 60, 120):
        gap = Fraction(1, 10**exponent)
        early = _power_of_two_near(48 / gap**2)
        late = int(multiple * exponent / gap**2)
        yield AtMost(
            f"stitched boundary against the drift at n = {float(early * gap**2):.3g}/gap^2, "
            f"gap 1e-{exponent}",
            real(functools.partial(_stitched, early), 1024),
            rational(2 * gap * early),
        )
        yield AtMost(
            f"drift against the paper's boundary at n = {multiple * exponent}/gap^2, gap "
            f"1e-{exponent}",
            rational(2 * gap * late),
            real(functools.partial(_anytime, late), 1024),
        )


def _power_of_two_near(value: Fraction) -> int:
    """Return the largest power of two that is at most ``value``."""
    return 1 << (int(value).bit_length() - 1)


def _stitched(n: int) -> arb:
    k = n.bit_length() - 1
    logarithm = log_integer_ball(2 * (k + 1) * (k + 2)) + log_inverse_ball(TENTH)
    boundary: arb = (2 ** (k + 2) * logarithm).sqrt()
    return boundary


def _anytime(n: int) -> arb:
    boundary: arb = (2 * n * (log_integer_ball(2 * n * (n + 1)) + log_inverse_ball(TENTH))).sqrt()
    return boundary


def a_dropped_factor(under_test: Implementation, depth: Depth) -> Result:
    """Show the factor exp(-n_star gamma^2/2) that the proof's geometric tail leaves out."""
    return compared(_dropped(), "case of C_0 A")


def _dropped() -> Iterator[AtMost]:
    # n_star gamma^2 >= C_0 A with C_0 = 16 and A >= 1 + log 2: the tail is smaller by exp(-13.5).
    yield AtMost(
        "exp(-n_star gamma^2/2) at C_0 = 16",
        real(lambda: (-8 * (1 + log_integer_ball(2))).exp()),
        rational(Fraction(2, 10**6)),
    )
