"""Where the pairwise tests beyond the paper stop, by separate definitions.

- MixtureTest's evidence is summed in Pascal's triangle, row by row. Far out it is enclosed in a
  ball at growing precision or, if no ball decides, computed as an exact rational.
- SprtTest's evidence comes from the powers of its two chances.

Nothing here shares a recursion or a search with the code.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import accumulate
from math import inf, log, pi, sqrt
from operator import add

from flint import arb, ctx, fmpq, fmpq_poly

from tgite.confidence import Confidence
from tgite.questions import Duel, Outcome, PairwiseTest
from tgite_checks.fidelity.boundaries import Margins, budget, until
from tgite_laws.balls import level_ball

_FIRST_BITS = 96
_MOST_BITS = 96 << 4
_HALF = fmpq(1, 2)
_NEAR = 2


def evidence(n: int, s: int) -> fmpq:
    """Return ``2**(n+1)`` times the integral of ``x**s (1-x)**(n-s)`` from 1/2 to 1, exactly."""
    whole = (fmpq_poly([0, 1]) ** s * fmpq_poly([1, -1]) ** (n - s)).integral()
    return (whole(fmpq(1)) - whole(_HALF)) * fmpq(2) ** (n + 1)


def _decided(product: Callable[[], arb], exactly: Callable[[], bool]) -> bool:
    """Return whether a number is at least 1: by balls, or else exactly."""
    bits = _FIRST_BITS
    while bits <= _MOST_BITS:
        with ctx.workprec(bits):
            value = product()
            if value >= 1:
                return True
            if value < 1:
                return False
        bits *= 2
    return exactly()


def _exact_level(delta: Confidence) -> fmpq:
    if delta.basel:
        raise ArithmeticError(
            "no precision separates a level with the factor 6/pi^2 from a rational"
        )
    return fmpq(delta.rational.numerator, delta.rational.denominator)


def is_evident(n: int, s: int, delta: Confidence) -> bool:
    """Return whether MixtureTest's evidence for an arm that won s of n duels is 1/delta or more.

    It needs ``s >= n/2``.
    """
    return _decided(
        lambda: level_ball(delta) * _evidence_ball(n, s),
        lambda: bool(_exact_level(delta) * evidence(n, s) >= 1),
    )


def _evidence_ball(n: int, s: int) -> arb:
    """Enclose the evidence: ``2**(n+1)`` less C(n+1, k) for all k > s, over ``(n+1) C(n, s)``.

    The first omitted terms are summed; the later ones decrease at least geometrically.
    """
    binomial = arb(n + 1).lgamma() - arb(s + 1).lgamma() - arb(n - s + 1).lgamma()
    whole = ((n + 1) * arb(2).log() - arb(n + 1).log() - binomial).exp()
    left_out, term, last = arb(0), 1 / arb(s + 1), min(s + 1 + _terms(), n + 2)
    for k in range(s + 1, last):
        left_out += term
        term *= arb(n + 1 - k) / (k + 1)
    ratio = arb(n + 1 - last) / (last + 1)
    return whole - left_out - term * arb(1).union(1 / (1 - ratio))


def _terms() -> int:
    """Return how many terms suit the current precision: eight times as many for twice the bits."""
    return int(8 * (ctx.prec // _FIRST_BITS) ** 3)


@functools.lru_cache(maxsize=65536)
def mixture_lead(n: int, delta: Confidence) -> int:
    """Return the least lead at which MixtureTest stops after n duels; n + 2 if there is none."""
    below, enough = (n - 1) // 2, n + 1
    # A guess by the normal law; the search below does not depend on it.
    weight = 2 * (delta.log_inverse + log((n + 1) / 2) - log(pi * n / 2) / 2)
    near = (n + int(sqrt(max(weight * n, 0)))) // 2
    if below < near - _NEAR and near + _NEAR < enough:
        if not is_evident(n, near - _NEAR, delta):
            below = near - _NEAR
        if is_evident(n, near + _NEAR, delta):
            enough = near + _NEAR
    while enough - below > 1:
        s = (below + enough) // 2
        below, enough = (below, s) if is_evident(n, s, delta) else (s, enough)
    return 2 * enough - n


@functools.cache
def mixture_margins(levels: tuple[Confidence, ...], duels: int) -> Mapping[Confidence, Margins]:
    """Return MixtureTest's leads at some levels for up to ``duels`` duels.

    The rows of Pascal's triangle are computed one by one and summed.
    """
    wins = dict.fromkeys(levels, 0)
    leads: dict[Confidence, list[int]] = {delta: [1] for delta in levels}
    following = [1, 1]
    for n in range(1, duels + 1):
        row, following = following, [1, *map(add, following, following[1:]), 1]
        sums = list(accumulate(following))
        for delta, known in leads.items():
            s = wins[delta]
            # The wins needed never decrease: another loss is no evidence.
            while s <= n and not _reaches(sums[s], (n + 1) * row[s], delta):
                s += 1
            wins[delta] = s
            known.append(2 * s - n)
    return {delta: Margins(known.__getitem__) for delta, known in leads.items()}


def _reaches(total: int, of: int, delta: Confidence) -> bool:
    above, below = total * delta.rational.numerator, of * delta.rational.denominator
    if not delta.basel:
        return above >= below
    return _decided(
        lambda: level_ball(delta) * arb(total) / arb(of),
        lambda: bool(_exact_level(delta) * fmpq(total, of) >= 1),
    )


def mixture_test(levels: tuple[Confidence, ...], duels: int) -> PairwiseTest[Duel, Outcome]:
    """Return MixtureTest at some levels, for matches of up to ``duels`` duels."""
    margins = mixture_margins(levels, duels)
    return lambda u, v, delta: until(Duel(u, v), margins[delta], inf)


def sprt_lead(g: Fraction, delta: Confidence) -> int:
    """Return the least ``k >= 1`` with ``q**k / (p**k + q**k) <= delta``, p and q = 1/2 +- g."""
    gap, scale = (2 * g).numerator, (2 * g).denominator
    p, q = scale + gap, scale - gap

    def is_enough(k: int) -> bool:
        return _decided(
            lambda: level_ball(delta) * (1 + (arb(p) / arb(q)) ** k),
            lambda: bool(_exact_level(delta) * fmpq(p**k + q**k, q**k) >= 1),
        )

    with ctx.workprec(_FIRST_BITS):
        near = (1 / level_ball(delta) - 1).log() / (arb(p) / arb(q)).log()
    # Where the lead is sought first; the comparisons do not depend on it.
    k = max(int(float(near.mid())), 1)
    while is_enough(k) and k > 1:
        k -= 1
    while not is_enough(k):
        k += 1
    return k


def sprt_budget(g: Fraction, delta: Confidence) -> int:
    """Return ``ceil(log(2/delta) / (2 g**2))``."""
    return budget(g, delta, 2)


@functools.lru_cache(maxsize=4096)
def _sprt_margins(g: Fraction, delta: Confidence) -> Margins:
    k = sprt_lead(g, delta)
    return Margins(lambda n: k)


def known_gap_unlimited_sprt(g: Fraction) -> PairwiseTest[Duel, Outcome]:
    """SprtTest at a known gap."""
    return lambda u, v, delta: until(Duel(u, v), _sprt_margins(g, delta), inf)


def known_gap_sprt(g: Fraction) -> PairwiseTest[Duel, Outcome]:
    """Truncated SprtTest at a known gap: at half the level, up to its budget."""
    return lambda u, v, delta: until(
        Duel(u, v),
        _sprt_margins(g, Confidence(delta.rational / 2, delta.basel)),
        sprt_budget(g, delta),
    )
