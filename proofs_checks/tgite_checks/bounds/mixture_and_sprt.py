"""Bounds of the pairwise tests beyond the paper (``beyond:...``), by their exact laws.

The theorems in ``MixtureTest.v``, ``SprtTest.v`` and ``LowerBound.v`` prove the bounds. These
checks show how much of each bound is attained.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import inf

from tgite.confidence import Confidence
from tgite.instances import cyclic
from tgite.preferences import HALF, Preferences
from tgite.tree import BalancedTree
from tgite_checks.bounds.confidence_sequence import LEVELS
from tgite_checks.bounds.constants.proved import cost_bound, known_gap_bound, proved_constant
from tgite_checks.bounds.exact_laws import laws_of
from tgite_checks.check import Cases, Depth, Kind, Number, at_most, by_depth, truth
from tgite_checks.fidelity.boundaries import least_margin
from tgite_laws.arithmetic import quotient, times
from tgite_laws.balls import log_inverse_ball, real
from tgite_laws.budgeted_duel_test import BudgetedDuelTestLaws
from tgite_laws.cache import cached
from tgite_laws.enclosure import Enclosure, rational
from tgite_laws.fewest_duels import most_duels
from tgite_laws.implementation import Implementation
from tgite_laws.lower_bound import least_mean
from tgite_laws.match_law import MatchLaws
from tgite_laws.mixture_and_sprt import MixtureTestLaws, SprtTestLaws
from tgite_laws.pairwise import ChosenTest, PairwiseName
from tgite_laws.tournaments import bkt_law, tree_ascent_law

_MOST = (2_000, 2_000, 20_000)
_LONGEST_TIE = 12
_ARMS = ((8,), (8, 32), (8, 32))
GAPS = tuple(map(Fraction, ("0.44", "0.38", "0.3", "0.2", "0.1", "0.05")))
_SMALLER_GAPS = tuple(map(Fraction, ("0.02", "0.01")))
KNOWN_GAPS = tuple(map(Fraction, ("0.4", "0.25", "0.1", "0.05")))


_SMALLER = (0, 1, 2)


def _gaps(depth: Depth) -> tuple[Fraction, ...]:
    return (*GAPS, *_SMALLER_GAPS[: by_depth(depth, *_SMALLER)])


@cached
def _mixture(under_test: Implementation) -> MixtureTestLaws:
    return MixtureTestLaws(under_test)


@cached
def _sprt(under_test: Implementation, g: Fraction) -> SprtTestLaws:
    return SprtTestLaws(g, under_test)


@cached
def _truncated(under_test: Implementation, g: Fraction) -> BudgetedDuelTestLaws:
    chosen = ChosenTest(PairwiseName.TRUNCATED_SPRT, g)
    return BudgetedDuelTestLaws(chosen.placed_in(under_test), g)


def _attained(name: str, found: list[Enclosure], most: Fraction | int) -> Number:
    """Return the largest of several ratios, with the bound that is proved for all of them."""
    largest = Enclosure(max(one.low for one in found), max(one.high for one in found))
    return Number(name, largest, rational(Fraction(most)))


# MixtureTest.


@truth(
    "mixture-error",
    domain="The supremum of the exact error over all gaps in (0, 1/2) is at most delta, by "
    "coupling with a tie. Six levels from 0.999 to 1e-30 are tried.",
    case="error probability",
    refuses={"error <= delta/2": {"share": HALF}},
)
def mixture_error(
    under_test: Implementation, depth: Depth, *, share: Fraction = Fraction(1)
) -> Cases:
    laws, shares = _mixture(under_test), []
    for delta in LEVELS:
        error = laws.largest_error(delta)
        name = f"largest error over all gaps, delta = {delta}"
        yield at_most(name, error, share * delta.rational)
        shares.append(quotient(error, rational(delta.rational)))
    yield _attained("largest error over delta", shares, 1)


@truth(
    "mixture-dominates",
    kind=Kind.EXHAUSTIVE,
    domain="After every number of duels, the lead that stops the test is at most DuelTest's. Six "
    "levels from 0.999 to 1e-30 are tried.",
    sizes={"most duels:": _MOST},
    case="number of duels",
    refuses={"a lead of at most a third of DuelTest's": {"times": 3}},
)
def mixture_dominates(under_test: Implementation, depth: Depth, *, times: int = 1) -> Cases:
    for delta in LEVELS:
        for n in range(1, by_depth(depth, *_MOST) + 1):
            theirs = least_margin(n, delta)
            theirs += (n - theirs) % 2
            ours = under_test.module("beyond.mixture_test").stopping_lead(n, delta)
            later = theirs <= n and times * ours > theirs
            said = f"delta = {delta}, n = {n}: a lead of {ours}, DuelTest's is {theirs}"
            yield said if later else ""


@truth(
    "mixture-time",
    domain="The exact mean is at most C_mixture/gap^2 (log(1/delta) + log(1/gap) + 1) at six "
    "levels from 0.999 to 1e-30.",
    sizes={"gaps from 0.44 down to": [float((*GAPS, *_SMALLER_GAPS[:k])[-1]) for k in _SMALLER]},
    case="expected number of duels",
    refuses={"the bound with C = 2/5": {"C": Fraction(2, 5)}},
)
def mixture_time(under_test: Implementation, depth: Depth, *, C: Fraction | None = None) -> Cases:
    proved = proved_constant("mixture_time", "C_mixture") if C is None else C
    laws, shares = _mixture(under_test), []
    for delta in LEVELS:
        for gap in _gaps(depth):
            mean = laws.law(delta, HALF + gap).mean
            unit = real(cost_bound, Fraction(1), 1, gap, log_inverse_ball(delta))
            yield at_most(
                f"E[tau], delta = {delta}, gap {gap}", mean, times(rational(proved), unit)
            )
            shares.append(quotient(mean, unit))
    yield _attained("least C for MixtureTest", shares, proved)


# SprtTest, and its truncated form.


_SIZES = {"known gaps from 0.4 down to": ("0.05", "0.02", "0.02")}


def _settings(depth: Depth) -> Iterator[tuple[Fraction, Confidence]]:
    known = (*KNOWN_GAPS, *by_depth(depth, (), (Fraction(1, 50),), (Fraction(1, 50),)))
    return ((g, delta) for g in known for delta in LEVELS)


@truth(
    "sprt-error",
    domain="The exact error of a pair with the known gap is at most delta, and so is that of "
    "larger gaps. Six levels from 0.999 to 1e-30 are tried.",
    sizes=_SIZES,
    case="error probability",
    refuses={"error <= delta/2": {"share": HALF}},
)
def sprt_error(under_test: Implementation, depth: Depth, *, share: Fraction = Fraction(1)) -> Cases:
    shares = []
    for g, delta in _settings(depth):
        k = int(under_test.module("beyond.sprt_test").stopping_lead(g, delta))
        ruin = 1 / (1 + ((1 + 2 * g) / (1 - 2 * g)) ** k)
        where = f"g = {g}, delta = {delta}"
        said = f"{where}: the gambler's ruin {ruin} is above {share * delta.rational}"
        yield said if ruin > share * delta.rational else ""
        error = _sprt(under_test, g).law(delta, HALF + g).second.probability
        said = f"{where}: the error {error} is not the gambler's ruin {float(ruin)}"
        yield "" if error.low <= ruin <= error.high else said
        shares.append(rational(ruin / delta.rational))
    yield _attained("largest error over delta", shares, 1)


@truth(
    "sprt-time",
    domain="The exact mean is at most k/(2 gap) and at most k^2, where k is the lead that stops "
    "the test. The pair has the known gap or twice that, and for k up to 12 also half of it, or a "
    "tie. Six levels from 0.999 to 1e-30 are tried.",
    sizes=_SIZES,
    case="expected number of duels",
    refuses={"at most nine tenths of the bounds": {"share": Fraction(9, 10)}},
)
def sprt_time(under_test: Implementation, depth: Depth, *, share: Fraction = Fraction(1)) -> Cases:
    shares = []
    for g, delta in _settings(depth):
        k = int(under_test.module("beyond.sprt_test").stopping_lead(g, delta))
        laws = _sprt(under_test, g)
        nearer = (Fraction(0), g / 2) if k <= _LONGEST_TIE else ()
        for gap in (*nearer, g, 2 * g):
            if gap < HALF:
                bound = Fraction(k * k) if gap == 0 else k / (2 * gap)
                mean = laws.law(delta, HALF + gap).mean
                # A tie's mean is k^2 itself, so its enclosure must overlap the bound.
                allowed = rational(share * bound * (1 + Fraction(1, 10**6)))
                yield at_most(f"E[tau], g = {g}, delta = {delta}, gap {gap}", mean, allowed)
                shares.append(quotient(mean, rational(bound)))
    yield _attained("largest mean over its bound", shares, 1)


@truth(
    "truncated-error",
    domain="The largest error over all pairs with at least the known gap is at most delta, for "
    "both orders of the arguments. Six levels from 0.999 to 1e-30 are tried.",
    sizes=_SIZES,
    case="error probability",
    refuses={"error <= delta/3": {"share": Fraction(1, 3)}},
)
def truncated_error(
    under_test: Implementation, depth: Depth, *, share: Fraction = Fraction(1)
) -> Cases:
    shares = []
    for g, delta in _settings(depth):
        error = _truncated(under_test, g).largest_error(delta)
        yield at_most(f"error, g = {g}, delta = {delta}", error, share * delta.rational)
        shares.append(quotient(error, rational(delta.rational)))
    yield _attained("largest error over delta", shares, 1)


@truth(
    "truncated-time",
    domain="The most duels, on alternating outcomes, are at most BudgetedDuelTest's and at most "
    "C/g^2 (log(1/delta) + 1). Six levels from 0.999 to 1e-30 are tried.",
    sizes=_SIZES,
    case="number of duels",
    refuses={
        "the bound with C = 1/2": {"C": HALF},
        "at most three quarters of BudgetedDuelTest's duels": {"share": Fraction(3, 4)},
    },
)
def truncated_time(
    under_test: Implementation,
    depth: Depth,
    *,
    C: Fraction | None = None,
    share: Fraction = Fraction(1),
) -> Cases:
    proved = proved_constant("truncated_sprt_test", "C_truncated") if C is None else C
    shares = []
    for g, delta in _settings(depth):
        duels = most_duels(under_test.module("beyond.sprt_test").known_gap_sprt(g), delta)
        unit = real(known_gap_bound, Fraction(1), 1, g, log_inverse_ball(delta))
        where = f"g = {g}, delta = {delta}"
        yield at_most(f"most duels, {where}", duels, times(rational(proved), unit))
        theirs = under_test.budget(g, delta)
        yield at_most(f"most duels against BudgetedDuelTest's, {where}", duels, share * theirs)
        shares.append(quotient(rational(Fraction(duels)), unit))
    yield _attained("least C for the truncated SprtTest", shares, proved)


# The lower bound.


@truth(
    "lower-bound-respected",
    domain="The exact mean comparisons of BKT and TG-ITE-BAI, with DuelTest and with MixtureTest, "
    "are at least the lower bound. All gaps are 0.4 or 0.1, at four levels from 1/4 to 1e-6.",
    sizes={"N =": _ARMS},
    case="algorithm on an instance",
    refuses={"at least three times the bound": {"times_it": 3}},
)
def respected(under_test: Implementation, depth: Depth, *, times_it: int = 1) -> Cases:
    least = inf
    for N in by_depth(depth, *_ARMS):
        for gap in ("0.4", "0.1"):
            preferences = cyclic(N, gap, gap)
            for text in ("1/4", "1/10", "1/100", "1e-6"):
                delta = Confidence.of(text)
                bound = least_mean(delta, preferences)
                for algorithm, mean in _means(under_test, preferences, delta):
                    name = f"bound, of {algorithm}, N = {N}, gap {gap}, delta = {delta}"
                    yield at_most(name, times(rational(times_it), bound), mean)
                    least = min(least, mean.high / bound.low)
    yield Number("least mean over the bound", Enclosure.exactly(least))


def _means(
    under_test: Implementation, preferences: Preferences, delta: Confidence
) -> Iterator[tuple[str, Enclosure]]:
    N = preferences.size
    tests: dict[str, MatchLaws] = {
        "DuelTest": laws_of(under_test),
        "MixtureTest": _mixture(under_test),
    }
    for test, laws in tests.items():
        law = bkt_law(under_test.bkt, range(N), delta, preferences, laws)
        yield f"BKT with {test}", law.comparisons.mean
        tree = BalancedTree.over(N)
        law = tree_ascent_law(under_test.tg_ite_bai, 0, tree, delta, preferences, laws)
        yield f"TG-ITE-BAI with {test}", law.comparisons.mean
