"""Bounds of the confidence sequence (``lem:app-anytime-cs``): its union bound and its misses.

These checks use the radius of the text, over the real numbers.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from tgite.confidence import Confidence
from tgite_checks.check import Cases, Depth, at_most, by_depth, statement
from tgite_laws.balls import ends, log_integer_ball, log_inverse_ball
from tgite_laws.confidence_sequence import miss_probability

_LEVELS_TRIED = (4, 6, 6)
_EXACT_TO = (1 << 10, 1 << 13, 1 << 14)
LEVELS = tuple(map(Confidence.of, ("0.999", "1/2", "1/10", "1/100", "1e-6", "1e-30")))
"""Levels at which laws are computed, from useless to strict."""

_TELESCOPED = 10_000


@statement(
    "cs-union-sum",
    domain="The numbers 2 exp(-2n c(n, delta)^2) and delta/(n(n+1)) agree to 30 digits, at six "
    "levels and four n. The sum of 1/(n(n+1)) telescopes, in exact fractions to n = 10^4.",
    case="partial sum or identity",
    refuses={
        "a radius with 2n^2 in place of 2n(n+1)": {"summand": "2n^2"},
        "a radius with 2n in place of 2n(n+1)": {"summand": "2n"},
    },
)
def union(depth: Depth, *, summand: str = "2n(n+1)") -> Cases:
    # Hoeffding's inequality allows each n a share of delta, as exact fractions:
    # 2 exp(-2 n c^2) = 2 delta / q(n) where c = sqrt(log(q(n)/delta) / (2n)).
    shares = {
        "2n(n+1)": lambda n: Fraction(2, 2 * n * (n + 1)),
        "2n^2": lambda n: Fraction(2, 2 * n * n),
        "2n": lambda n: Fraction(2, 2 * n),
    }
    total = Fraction(0)
    for n in range(1, 200):
        total += shares[summand](n)
        yield "" if total <= 1 else f"{summand}: the shares of n = 1..{n} sum to {float(total):.4g}"
    # The telescoping identity, exactly: the sum up to n is 1 - 1/(n+1).
    total = Fraction(0)
    for n in range(1, _TELESCOPED):
        total += Fraction(1, n) - Fraction(1, n + 1)
        if n % 1000 == 0:
            yield "" if total == 1 - Fraction(1, n + 1) else f"n = {n}: {total}"
    for delta in LEVELS:
        for n in (1, 2, 17, 10**6):
            yield _wrong_identity(n, delta)


def _wrong_identity(n: int, delta: Confidence) -> str:
    """Return what is wrong with ``2 exp(-2 n c(n, delta)^2) = delta/(n(n+1))``, to 30 digits."""

    def ratio() -> arb:
        level = (-log_inverse_ball(delta)).exp()
        c_squared = (log_integer_ball(2 * n * (n + 1)) + log_inverse_ball(delta)) / (2 * n)
        return 2 * (-2 * n * c_squared).exp() * n * (n + 1) / level

    if all(abs(end - 1) < Fraction(1, 10**30) for end in ends(ratio)):
        return ""
    return f"n = {n}, delta = {delta}: Hoeffding's share is not delta/(n(n+1))"


@statement(
    "cs-miss-probability",
    domain="The mean ever differs from p by the radius with probability at most delta, for p = "
    "1/2, 0.3, 0.06 and 0.9. This probability is exact up to some n, and bounded beyond.",
    sizes={"levels:": _LEVELS_TRIED, "exact up to n =": _EXACT_TO},
    case="probability of a miss",
    refuses={"a miss with probability at most delta/500": {"share": Fraction(1, 500)}},
)
def miss(depth: Depth, *, share: Fraction = Fraction(1)) -> Cases:
    cut = by_depth(depth, *_EXACT_TO)
    for delta in LEVELS[: by_depth(depth, *_LEVELS_TRIED)]:
        for p in map(Fraction, ("1/2", "0.3", "0.06", "0.9")):
            yield at_most(
                f"P(|mean_n - p| >= c(n, delta) for some n), delta = {delta}, p = {p}",
                miss_probability(delta, p, cut).ever,
                share * delta.rational,
            )
