"""Bounds of DuelTest (``lem:app-dueltest-correct``, ``lem:app-dueltest-time``), by its exact laws.

The laws use the radius of the implementation under test.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from fractions import Fraction

from flint import arb, ctx

from tgite.confidence import Confidence
from tgite_checks.bounds.confidence_sequence import LEVELS
from tgite_checks.bounds.constants.constant import (
    STATED,
    Attained,
    Constant,
    not_of_all_gaps,
    of_gaps,
)
from tgite_checks.bounds.constants.extremal import NEARLY_ONE, below
from tgite_checks.bounds.constants.lines import duration, touching
from tgite_checks.bounds.constants.proved import cost_bound, proved_constant
from tgite_checks.bounds.constants.totals import single_totals
from tgite_checks.bounds.exact_laws import laws_of
from tgite_checks.check import (
    Cases,
    Depth,
    Number,
    argument,
    at_most,
    by_depth,
    demonstration,
    statement,
    truth,
)
from tgite_checks.plot import Plot, Role, Series
from tgite_laws.balls import ball, log_integer_ball, log_inverse_ball, real
from tgite_laws.duel_test import HALF
from tgite_laws.enclosure import Enclosure, rational
from tgite_laws.fewest_duels import fewest_duels
from tgite_laws.implementation import Implementation

GAPS = tuple(map(Fraction, ("0.44", "0.38", "0.32", "0.30", "0.26", "0.1", "0.05")))
"""The gaps of the paper's instances, and smaller ones."""

_SMALLER_GAPS = tuple(map(Fraction, ("0.02", "0.01", "0.005")))
_TENTH = Confidence(Fraction(1, 10))
_CURVE = tuple(map(Fraction, ("0.49", "0.4", "0.3", "0.2", "0.1", "0.05", "0.02")))


_SMALLER = (0, 1, 3)
_SIZES = {"gaps from 0.44 down to": [float((*GAPS, *_SMALLER_GAPS[:k])[-1]) for k in _SMALLER]}


def gaps(depth: Depth) -> tuple[Fraction, ...]:
    """Return the gaps for a depth: the work for a law grows like 1/gap^2."""
    return (*GAPS, *_SMALLER_GAPS[: by_depth(depth, *_SMALLER)])


def _over_gaps(name: str, of: Callable[[Fraction], Enclosure], role: Role = Role.FOUND) -> Series:
    return Series(name, tuple((float(gap), of(gap)) for gap in sorted(GAPS)), role)


@truth(
    "dueltest-error",
    domain="The supremum of the exact error over all gaps in (0, 1/2) is at most delta, by "
    "coupling with a tie. Single gaps are computed too. Six levels from 0.999 to 1e-30 are tried.",
    sizes=_SIZES,
    case="error probability",
    refuses={
        "error <= delta/2000": {"share": Fraction(1, 2000)},
        "an arm is returned with probability 1 - delta on a tie too": {"with_ties": True},
    },
)
def error(
    under_test: Implementation,
    depth: Depth,
    *,
    share: Fraction = Fraction(1),
    with_ties: bool = False,
) -> Cases:
    laws = laws_of(under_test)
    for delta in LEVELS:
        bound = rational(share * delta.rational)
        yield at_most(
            f"largest error over all gaps, delta = {delta}", laws.largest_error(delta), bound
        )
        for gap in gaps(depth):
            law = laws.law(delta, HALF + gap)
            yield at_most(f"error, delta = {delta}, gap {gap}", law.second.probability, bound)
        if with_ties:
            never = laws.law(delta, HALF).never
            yield at_most(f"no arm returned, delta = {delta}, gap 0", never, bound)
    yield Plot(
        "DuelTest's error at delta = 1/10, exactly",
        "gap",
        "P(worse arm returned)",
        (
            _over_gaps("exact", lambda gap: laws.law(_TENTH, HALF + gap).second.probability),
            _over_gaps("delta", lambda gap: rational(_TENTH.rational), Role.BOUND),
        ),
        log_y=True,
    )


@truth(
    "dueltest-earliest-stop",
    domain="For every delta in (0, 1) no run stops before 12 duels. So for every gap the error is "
    "at most delta/(2 n_min) <= delta/24, where the shortest run has n_min duels.",
    case="number of duels or level",
    refuses={"no stop before 13 duels": {"n_min": 13}},
)
def earliest(under_test: Implementation, depth: Depth, *, n_min: int = 12) -> Cases:
    # For every delta < 1 and n < n_min: n/2 <= log(2n(n+1)) < log(2n(n+1)/delta), no stop.
    for n in range(1, n_min):
        yield at_most(
            f"n/2 against log(2n(n+1)), n = {n}",
            Fraction(n, 2),
            real(log_integer_ball, 2 * n * (n + 1)),
        )
    # Before n_min(delta) nothing stops, and a wrong stop is one-sided: sum of delta/(2n(n+1)) from
    # there on, which telescopes to delta/(2 n_min).
    for delta in LEVELS:
        fewest = fewest_duels(under_test.duel_test, delta)
        yield at_most(f"{n_min} against n_min, delta = {delta}", n_min, fewest)


@truth(
    "dueltest-time",
    domain="The exact mean is at most C_dt/gap^2 (log(1/delta) + log(1/gap) + 1) with the proved "
    "constant C_dt. Six levels from 0.999 to 1e-30 are tried.",
    sizes=_SIZES,
    case="expected number of duels",
    refuses={"C_dt = 2": {"C": Fraction(2)}},
)
def time(under_test: Implementation, depth: Depth, *, C: Fraction | None = None) -> Cases:
    C_dt = proved_constant("lem_app_dueltest_time", "C_dt") if C is None else C
    laws = laws_of(under_test)

    def mean(delta: Confidence, gap: Fraction) -> Enclosure:
        return laws.law(delta, HALF + gap).mean

    def allowed(delta: Confidence, gap: Fraction, constant: Fraction = C_dt) -> Enclosure:
        return real(lambda: cost_bound(constant, 1, gap, log_inverse_ball(delta)))

    for delta in LEVELS:
        for gap in gaps(depth):
            name = f"E[tau], delta = {delta}, gap {gap}"
            yield at_most(name, mean(delta, gap), allowed(delta, gap))
    best = STATED["dueltest"].certified
    series = [_over_gaps("exact mean", functools.partial(mean, _TENTH))]
    for constant, role in ((C_dt, Role.BOUND), (best, Role.PRINTED)):
        bound = functools.partial(allowed, _TENTH, constant=constant)
        kind = "nearly the least" if constant == best else "the proved"
        series.append(_over_gaps(f"bound with {kind} C = {float(constant):.4g}", bound, role))
    yield Plot(
        "Expected duels of DuelTest at delta = 1/10", "gap", "E[tau]", tuple(series), True, True
    )


@statement(
    "dueltest-time-steps",
    domain="The steps of the lemma's proof hold with C_0 = 16, for all gaps in (0, 1/2] and "
    "levels in (0, 1).",
    case="step of the proof",
    refuses={"the steps with C_0 = 12": {"C_0": Fraction(12)}},
)
def time_steps(depth: Depth, *, C_0: Fraction = Fraction(16)) -> Cases:

    # With log n_star <= log(2 C_0) + log A + 2 log(1/gamma), what the proof needs follows from
    # log 4 + 2 log(2 C_0) + 2 log A + 4 (A - 1) <= C_0 A / 2 for all A >= 1 + log 2.
    def least() -> arb:
        return 1 + log_integer_ball(2)

    def needed() -> arb:
        A = least()
        return log_integer_ball(4) + 2 * ball(2 * C_0).log() + 2 * A.log() + 4 * (A - 1)

    yield at_most(
        "boundary inversion at the least A = 1 + log 2",
        real(needed),
        real(lambda: ball(C_0 / 2) * least()),
    )
    # Beyond it: the left side's slope 2/A + 4 stays below the right side's C_0/2.
    yield at_most("slope of the left side against C_0/2", real(lambda: 4 + 2 / least()), C_0 / 2)
    # n_star >= 4/gamma^2 since C_0 A >= 4; and 1 - e^-x >= x/2 on (0, 1]: concave, 0 at 0.
    yield at_most("4 against C_0 A", 4, real(lambda: ball(C_0) * least()))
    yield at_most("1/2 against 1 - e^-1", HALF, real(lambda: 1 - arb(-1).exp()))
    # E[tau] <= n_star + 4/gamma^2, n_star <= C_0 A/gamma^2 + 1 and gamma <= 1/2.
    yield Number("C_dt by this proof", real(lambda: ball(C_0) + ball(Fraction(17, 4)) / least()))
    yield Number("1 - e^-1 - 1/2", real(lambda: 0.5 - arb(-1).exp()))


@statement(
    "dueltest-smallest-c0",
    domain="With C_0 = 11.05, log(2n(n+1)/delta) <= n gamma^2/2 for all n >= n_star, all gaps in "
    "(0, 1/2] and levels in (0, 1). With C_0 = 10.92 this fails.",
    case="inequality",
    refuses={
        "C_0 = 10.95 is enough": {"serves": Fraction(1095, 100)},
        "C_0 = 11 is not enough": {"fails": Fraction(11)},
    },
)
def smallest_start(
    depth: Depth, *, serves: Fraction = Fraction(1105, 100), fails: Fraction = Fraction(1092, 100)
) -> Cases:
    """Show that C_0 = 11.05 suffices, and that 10.92 does not.

    1. Let l = log(1/gamma) >= log 2, a = log(1/delta) and A = a + l + 1. If n >= C_0 A/gamma^2,
       then 1/n <= 1/(4 C_0 (1 + log 2)) =: r, so log(2n(n+1)) <= log 2 + r + 2 log n.
    2. So at n = C_0 A/gamma^2, log 2 + r + 2 log C_0 + 2 log A + 4 l + a <= C_0 A/2 suffices. This
       is hardest at the least l and a. Beyond that n, n gamma^2/2 grows faster.
    3. At gamma = 1/2 and delta -> 1 the first n is ceil(4 C_0 (1 + log 2)).
    """

    def least() -> arb:
        return 1 + log_integer_ball(2)

    def needed(C_0: Fraction) -> arb:
        r = 1 / (4 * ball(C_0) * least())
        return 5 * log_integer_ball(2) + r + 2 * ball(C_0).log() + 2 * least().log()

    def allowed(C_0: Fraction) -> arb:
        return ball(C_0) * least() / 2

    yield at_most(
        "what is needed at gamma = 1/2, delta -> 1",
        real(functools.partial(needed, serves)),
        real(functools.partial(allowed, serves)),
    )
    yield at_most("slope of the left side in l", real(lambda: 4 + 2 / least()), serves / 2)
    # A first n that is too small: there the radius is not yet below half of the gap.
    start = real(lambda: 4 * ball(fails) * least())
    n = math.ceil(start.low)
    yield "" if start.high < n else f"ceil({start}) is not known"
    yield at_most(
        f"n gamma^2/2 at n = {n}, gamma = 1/2",
        Fraction(n, 8),
        real(log_integer_ball, 2 * n * (n + 1)),
    )
    yield Number("smallest C_0", rational(fails, serves))


def _attained(under_test: Implementation, depth: Depth) -> Attained:
    gap = by_depth(depth, Fraction(1, 100), Fraction(1, 200), Fraction(1, 300))
    mean = laws_of(under_test).law(NEARLY_ONE, HALF + gap).mean.low
    scale = (log_inverse_ball(NEARLY_ONE) - ball(gap).log() + 1) / ball(gap * gap)
    return Attained(below(ball(Fraction(mean)) / scale), f"gap {gap}, delta -> 1")


def _curve(under_test: Implementation) -> Plot:
    """Draw gap^2 E[tau]/(log(1/gap) + 1) at delta -> 1: exact values and the best lines' bounds."""
    exact: list[tuple[float, Enclosure]] = []
    lines: list[tuple[float, Enclosure]] = []
    with ctx.workprec(160):
        for gap in _CURVE:
            scale = (1 - ball(gap).log()) / ball(gap * gap)
            mean = laws_of(under_test).law(NEARLY_ONE, HALF + gap).mean
            low, high = (ball(Fraction(end)) / scale for end in (mean.low, mean.high))
            exact.append((float(gap), Enclosure(below(low), -below(-high))))
        for gap in (*_CURVE, *(Fraction(1, 10**k) for k in range(2, 13))):
            line = duration(touching(float(gap), 0.0), ball(gap))
            if line is not None:
                bound = (line.base - line.per_log * ball(gap).log()) / (1 - ball(gap).log())
                lines.append((float(gap), Enclosure(below(bound), -below(-bound))))
    return Plot(
        "The constant that DuelTest's time needs, gap by gap (delta -> 1)",
        "gap",
        "gap^2 E[tau] / (log(1/gap) + 1)",
        (Series("exact law", tuple(exact)), Series("certified", tuple(lines), Role.BOUND)),
        log_x=True,
    )


CONSTANT = Constant(
    stated=STATED["dueltest"],
    certify=of_gaps(single_totals),
    attained=_attained,
    weakened=not_of_all_gaps(single_totals),
    curve=_curve,
)
constant = CONSTANT.check()


@demonstration(case="level", refuses={"delta/25": {"part": 25}})
def error_is_far_below(under_test: Implementation, depth: Depth, *, part: int = 24) -> Cases:
    """Show that the largest error over all gaps is at most delta/(2 n_min), at most delta/24."""
    for delta in LEVELS:
        n_min = fewest_duels(under_test.duel_test, delta)
        yield at_most(
            f"largest error against delta/(2 n_min), delta = {delta}, n_min = {n_min}",
            laws_of(under_test).largest_error(delta),
            delta.rational / (2 * n_min),
        )
        yield at_most(f"{part} against 2 n_min, delta = {delta}", part, 2 * n_min)


@demonstration(case="level")
def hardly_ends_on_a_tie(under_test: Implementation, depth: Depth) -> Cases:
    """Show that on a tie DuelTest ends with probability at most delta/n_min."""
    for delta in LEVELS:
        first = laws_of(under_test).law(delta, HALF).first.probability
        yield at_most(
            f"P(DuelTest ever ends on a tie), delta = {delta}",
            Enclosure(2 * first.low, 2 * first.high),
            delta.rational / fewest_duels(under_test.duel_test, delta),
        )


@argument(case="number of duels")
def never_ends_on_alternating_outcomes(depth: Depth) -> Cases:
    """Show that no number bounds DuelTest's duels: alternating outcomes never stop it."""
    # After n duels |mean - 1/2| is 1/(2n) or 0; it stays below c(n, delta) since log(2n(n+1)/delta)
    # exceeds 1/(2n) for every n and delta.
    for n in (1, 2, 3, 10, 10**3, 10**6):
        yield at_most(
            f"1/(2n) against log(2n(n+1)), n = {n}",
            Fraction(1, 2 * n),
            real(log_integer_ball, 2 * n * (n + 1)),
        )


@statement(
    "stitched-radius-crosses-earlier",
    domain="At delta = 1/10 and gaps 1e-16 to 1e-120, a stitched radius, which needs no known "
    "gap, is below the gap after 48/gap^2 duels. The paper's radius is still above the gap after "
    "4 log10(1/gap)/gap^2 duels.",
    case="gap",
    refuses={"the paper's radius is above the gap at 8 log10(1/gap)/gap^2": {"multiple": 8}},
)
def gap_logarithm_is_not_forced(depth: Depth, *, multiple: int = 4) -> Cases:
    """Compare the drift 2 gap n with a stitched boundary and with the paper's.

    For 2^k <= n < 2^(k+1) the stitched boundary is sqrt(2^(k+2) log(2(k+1)(k+2)/delta)). By the
    maximal form of Hoeffding's inequality, a lead deviates from its drift by more at such an n with
    probability at most delta/((k+1)(k+2)). Over all k this sums to delta.
    """

    def stitched(n: int) -> arb:
        k = n.bit_length() - 1
        logarithm = log_integer_ball(2 * (k + 1) * (k + 2)) + log_inverse_ball(_TENTH)
        boundary: arb = (2 ** (k + 2) * logarithm).sqrt()
        return boundary

    def papers(n: int) -> arb:
        logarithm = log_integer_ball(2 * n * (n + 1)) + log_inverse_ball(_TENTH)
        boundary: arb = (2 * n * logarithm).sqrt()
        return boundary

    for exponent in (16, 30, 60, 120):
        gap = Fraction(1, 10**exponent)
        # The largest power of two that is at most 48/gap^2.
        early = 1 << (int(48 / gap**2).bit_length() - 1)
        late = int(multiple * exponent / gap**2)
        yield at_most(
            f"stitched boundary against the drift at n = {float(early * gap**2):.3g}/gap^2, "
            f"gap 1e-{exponent}",
            real(stitched, early, bits=1024),
            2 * gap * early,
        )
        yield at_most(
            f"drift against the paper's boundary at n = {multiple * exponent}/gap^2, gap "
            f"1e-{exponent}",
            2 * gap * late,
            real(papers, late, bits=1024),
        )


@argument(case="case of C_0 A", refuses={"it is below 1e-6": {"millionths": 1}})
def a_dropped_factor(depth: Depth, *, millionths: int = 2) -> Cases:
    """Show the factor exp(-n_star gamma^2/2) that the proof's geometric tail omits."""
    # n_star gamma^2 >= C_0 A with C_0 = 16 and A >= 1 + log 2: the tail is smaller by exp(-13.5).
    yield at_most(
        "exp(-n_star gamma^2/2) at C_0 = 16",
        real(lambda: (-8 * (1 + log_integer_ball(2))).exp()),
        Fraction(millionths, 10**6),
    )
