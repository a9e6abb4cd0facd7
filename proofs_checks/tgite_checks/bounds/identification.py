"""Bounds of identification, by exact laws of BKT and TreeAscent on the paper's and real instances.

``lem:app-bkt-subset``, ``thm:plr-repair-main`` and ``cor:tlcr-bai`` with DuelTest;
``lem:app-budgeted-bkt`` and ``lem:app-budgeted-tree-ascent`` with the budgeted test. Also: what the
tree gains, what it costs, and the effect of a tie.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction

from flint import arb

from tgite.confidence import Confidence
from tgite.instances import cyclic
from tgite.preferences import PreferenceMatrix
from tgite.questions import Arm
from tgite_checks.bounds.constants.proved import cost_bound, proved_constant
from tgite_checks.bounds.exact_laws import (
    LawsFor,
    Setting,
    anytime,
    ascent,
    error_of,
    knockout,
    known_gap,
    laws_of,
    most_duels_of,
    paper_settings,
    passes_with_a_tie,
    real_settings,
)
from tgite_checks.check import Cases, Depth, Number, at_most, by_depth, demonstration, truth
from tgite_checks.plot import Plot, Series
from tgite_laws.arithmetic import quotient, times
from tgite_laws.balls import log_inverse_ball, real
from tgite_laws.bracket import Bracket, TournamentLaw, bracket, bracket_law
from tgite_laws.enclosure import Enclosure, rational
from tgite_laws.implementation import Implementation
from tgite_laws.lower_bound import least_mean
from tgite_laws.pairs import pairs

_KNOCKOUTS = ((8, 64, 256), (8, 64, 256), (8, 64, 256, 1024))
_GAPS = (("0.1", "0.03"), ("0.1", "0.03", "0.01"), ("0.1", "0.03", "0.01"))
_TENTH = Confidence(Fraction(1, 10))
_NEAR = 1 + Fraction(1, 10**9)
"""The largest ratio of two enclosures of one number."""


_ALL_STARTS = (8, 32, 256)
_STARTS = {
    "all starts are tried for N up to": _ALL_STARTS,
    "starts for larger N:": (1, 3, 3),
}


def _starts(setting: Setting, depth: Depth) -> tuple[Arm, ...]:
    """Return the starting arms: all arms of a small instance, otherwise one or three of them."""
    N, winner = setting.preferences.size, setting.preferences.winner()
    if by_depth(depth, *_ALL_STARTS) >= N:
        return tuple(range(N))
    return by_depth(depth, (0,), (0, winner, N - 1), (0, winner, N - 1))


def _tournaments(
    under_test: Implementation, depth: Depth, settings: tuple[Setting, ...], laws_for: LawsFor
) -> Iterator[tuple[str, Setting, TournamentLaw]]:
    for setting in settings:
        laws = laws_for(under_test, setting.preferences)
        yield f"BKT, {setting.name}", setting, knockout(under_test, setting, laws)
        for b in _starts(setting, depth):
            law = ascent(under_test, setting, laws, b)
            yield f"TreeAscent from b = {b}, {setting.name}", setting, law


def _errors(
    under_test: Implementation,
    depth: Depth,
    share: Fraction,
    laws_for: LawsFor,
    settings: tuple[Setting, ...] | None = None,
) -> Cases:
    chosen = paper_settings() if settings is None else settings
    for name, setting, law in _tournaments(under_test, depth, chosen, laws_for):
        bound = rational(share * setting.level.rational)
        yield at_most(f"error of {name}", error_of(law), bound)


@truth(
    "identification-errors",
    domain="The exact errors of BKT on all arms and of TreeAscent are at most the level. The "
    "instances and levels are those of the figures (cyclic with N = 8, 16, 32 and 256, sparse "
    "with N = 256). One more instance has N = 8, all gaps 0.05 and level 1/2.",
    sizes=_STARTS,
    case="error probability",
    refuses={"errors at most 1e-6 of the level": {"share": Fraction(1, 10**6)}},
)
def errors(under_test: Implementation, depth: Depth, *, share: Fraction = Fraction(1)) -> Cases:
    yield from _errors(under_test, depth, share, anytime)


@truth(
    "known-gap-identification-errors",
    domain="On the instances of `identification-errors`, the exact errors with BudgetedDuelTest "
    "and g = Delta* are at most the level.",
    sizes=_STARTS,
    case="error probability",
    refuses={"errors at most 1/1000 of the level": {"share": Fraction(1, 1000)}},
)
def known_gap_errors(
    under_test: Implementation, depth: Depth, *, share: Fraction = Fraction(1)
) -> Cases:
    yield from _errors(under_test, depth, share, known_gap)


def _costs(
    under_test: Implementation,
    depth: Depth,
    settings: tuple[Setting, ...],
    constant: Fraction | None = None,
) -> Cases:
    C_bkt = proved_constant("lem_app_bkt_subset_cost", "C_bkt")
    C_bai = proved_constant("cor_tlcr_bai", "C_bai")
    for name, setting, law in _tournaments(under_test, depth, settings, anytime):
        C = constant or (C_bkt if name.startswith("BKT") else C_bai)
        size, gap = setting.preferences.size - 1, setting.preferences.global_gap()
        allowed = real(_cost_bound, C, size, gap, setting.level)
        yield at_most(f"E[duels] of {name}", law.comparisons.mean, allowed)
        if law.weak_regret is not None:
            yield at_most(f"E[weak regret] of {name}", law.weak_regret.mean, allowed)


def _cost_bound(C: Fraction, size: int, gap: Fraction, level: Confidence) -> arb:
    return cost_bound(C, size, gap, log_inverse_ball(level))


@truth(
    "identification-costs",
    domain="On the instances of `identification-errors`, the exact expected duels and weak regret "
    "are at most C (N-1)/Delta^2 (log(1/level) + log(1/Delta) + 1) with the proved constants.",
    sizes=_STARTS,
    case="expected cost",
    refuses={"the bound with C = 1 for both algorithms": {"constant": Fraction(1)}},
)
def costs(under_test: Implementation, depth: Depth, *, constant: Fraction | None = None) -> Cases:
    settings = paper_settings()
    yield from _costs(under_test, depth, settings, constant)
    laws = laws_of(under_test)

    def per_arm(name: str, law: Callable[..., TournamentLaw]) -> Series:
        points: list[tuple[float, Enclosure]] = []
        for setting in settings[:4]:
            N, mean = setting.preferences.size, law(under_test, setting, laws).comparisons.mean
            each = Enclosure(mean.low / N * (1 - 1e-12), mean.high / N * (1 + 1e-12))
            points.append((float(N), each))
        return Series(name, tuple(points))

    yield Plot(
        "Exact expected duels per arm, cyclic instances .32/.38, level 1/10",
        "N",
        "E[duels]/N",
        (per_arm("TreeAscent", ascent), per_arm("BKT([N])", knockout)),
        log_x=True,
    )


@truth(
    "identification-on-real-matrices",
    domain="On the real matrices mslr5 and sushi16 at level 1/10, the exact errors of BKT and "
    "TreeAscent are at most the level. With DuelTest their costs are within the proved bounds.",
    sizes={
        "pairwise tests:": (
            "BudgetedDuelTest, g = Delta*",
            "this and DuelTest",
            "this and DuelTest",
        )
    },
    case="error or cost",
    refuses={"errors at most 1/1000 of the level": {"share": Fraction(1, 1000)}},
)
def real_matrices(
    under_test: Implementation, depth: Depth, *, share: Fraction = Fraction(1)
) -> Cases:
    settings = real_settings()
    yield from _errors(under_test, depth, share, known_gap, settings)
    if depth is not Depth.QUICK:
        yield from _errors(under_test, Depth.QUICK, share, anytime, settings)
        yield from _costs(under_test, Depth.QUICK, settings)


@truth(
    "tie-stops-the-pass-check",
    domain="One arm beats all others, but two of these tie and are siblings in the tree. With "
    "probability above 0.999 the pass at level 1/10 never ends.",
    sizes={"instances:": ("three arms", *2 * ("also the real matrix arxiv6",))},
    case="instance with a tie",
    refuses={"the known-gap pass never ends either": {"laws_for": known_gap}},
)
def a_tie_stops_the_pass(
    under_test: Implementation, depth: Depth, *, laws_for: LawsFor = anytime
) -> Cases:
    for setting, i, _, law in passes_with_a_tie(under_test, depth, laws_for):
        name = f"0.999 against P(the pass from {i} never ends), {setting.name}"
        yield at_most(name, Fraction(999, 1000), law.never)


def _scaled(value: Enclosure, factor: Fraction) -> Enclosure:
    low = value.low * float(factor) * (1 - 1e-12)
    return Enclosure(low, low)


@truth(
    "knockout-alone-is-cheaper",
    domain="BKT on all arms errs with probability at most its level, and costs at most as much as "
    "TreeAscent. All gaps are 0.3, and the levels are 1/4 and 1e-5.",
    sizes={"N =": _KNOCKOUTS},
    case="setting",
    refuses={"BKT costs at most 4/5 of TreeAscent": {"factor": Fraction(4, 5)}},
)
def knockout_alone_is_cheaper(
    under_test: Implementation, depth: Depth, *, factor: Fraction = Fraction(1)
) -> Cases:
    laws = laws_of(under_test)
    for N in by_depth(depth, *_KNOCKOUTS):
        for level in map(Confidence.of, ("1/4", "1e-5")):
            name = f"N = {N}, all gaps .3, level {level}"
            setting = Setting(name, cyclic(N, "0.3", "0.3"), level)
            one, other = knockout(under_test, setting, laws), ascent(under_test, setting, laws)
            yield at_most(f"error of BKT([N]), {name}", error_of(one), level.rational)
            yield at_most(
                f"E[duels] of BKT([N]) against TreeAscent's, {name}",
                one.comparisons.mean,
                _scaled(other.comparisons.mean, factor),
            )
            yield Number(
                f"TreeAscent's E[duels] over BKT's, {name}",
                quotient(other.comparisons.mean, one.comparisons.mean),
            )


@demonstration(
    case="number of arms", refuses={"nor do the levels make a difference": {"moved": False}}
)
def levels_make_the_knockout_cheaper(
    under_test: Implementation, depth: Depth, *, moved: bool = True
) -> Cases:
    """Show that TreeAscent from arm 0 has BKT's bracket, and with BKT's levels BKT's cost."""
    laws = laws_of(under_test)
    for setting in paper_settings()[:4]:
        instance, N = setting.preferences, setting.preferences.size
        tree, level = under_test.BalancedTree.over(N), setting.level
        of_bkt = bracket(functools.partial(under_test.bkt, range(N), level))
        of_tree = bracket(functools.partial(under_test.tree_ascent, 0, tree, level))
        levels, found = _levels_by_match(of_bkt), _levels_by_match(of_tree)
        yield "" if found.keys() == levels.keys() else f"N = {N}: two brackets"
        matches = (
            replace(match, delta=levels[key]) if moved else match
            for match, key in zip(of_tree.matches, found, strict=True)
        )
        with_levels = Bracket(tuple(matches), of_tree.survivor)
        means = [
            bracket_law(one, pairs(instance), laws, instance.winner()).comparisons.mean
            for one in (of_bkt, with_levels)
        ]
        ratio = quotient(means[1], means[0])
        yield Number(f"E[duels] of BKT, N = {N}", means[0])
        yield Number(f"E[duels] of TreeAscent with BKT's levels, N = {N}", means[1])
        yield at_most(f"E[duels] of TreeAscent with BKT's levels over BKT's, N = {N}", ratio, _NEAR)
        yield at_most(f"the inverse, N = {N}", quotient(means[0], means[1]), _NEAR)


def _levels_by_match(played: Bracket) -> dict[frozenset[frozenset[Arm]], Confidence]:
    """Return the matches' levels in order, by the two sets of arms that can meet in a match."""
    below: dict[int, frozenset[Arm]] = {}
    found: dict[frozenset[frozenset[Arm]], Confidence] = {}
    for k, match in enumerate(played.matches):
        sides = [below.get(side, frozenset({side})) for side in (match.first, match.second)]
        below[Bracket.winner_of(k)] = sides[0] | sides[1]
        found[frozenset(sides)] = match.delta
    return found


@demonstration(
    case="algorithm and test", refuses={"twelve times the lower bound": {"multiple": Fraction(12)}}
)
def far_above_the_least(
    under_test: Implementation, depth: Depth, *, multiple: Fraction = Fraction(7)
) -> Cases:
    """Show identification's cost over the lower bound for any algorithm (``LowerBound.v``).

    The known-gap pass is compared with the lower bound for algorithms that know the gap.
    """
    setting = paper_settings()[3]
    preferences, g = setting.preferences, setting.preferences.winner_gap()
    least = least_mean(setting.level, preferences)
    with_gap = least_mean(setting.level, preferences, g)
    unknown, known = anytime(under_test, preferences), known_gap(under_test, preferences)
    for name, law, limit in (
        ("TreeAscent", ascent(under_test, setting, unknown), least),
        ("BKT([N])", knockout(under_test, setting, unknown), least),
        ("TreeAscent, told g", ascent(under_test, setting, known), with_gap),
    ):
        mean = law.comparisons.mean
        yield Number(f"E[duels] of {name}", mean)
        yield Number(f"the least for {name}", limit)
        yield Number(f"E[duels] of {name} over the least", quotient(mean, limit))
        lowered = times(limit, rational(multiple))
        yield at_most(f"{multiple} times the least against {name}", lowered, mean)


@demonstration(case="start")
def start_does_not_matter(under_test: Implementation, depth: Depth) -> Cases:
    """Show that no start, not even the winner, saves a fifth of a percent."""
    setting = paper_settings()[5]
    winner = setting.preferences.winner()
    # Leaves are the arms' numbers: the winner enters in block h from the start winner ^ 2^(h-1).
    starts = {0: winner, 1: winner ^ 1, 4: winner ^ 8, 8: winner ^ 128}
    means = {
        h: ascent(under_test, setting, laws_of(under_test), b).comparisons.mean
        for h, b in starts.items()
    }
    for h, one in means.items():
        for k, other in means.items():
            if h != k:
                yield at_most(
                    f"E[duels] with entry level {h} against 1.002 times level {k}'s",
                    one,
                    _scaled(other, Fraction(501, 500)),
                )


def four_arms_with_gap(x: Fraction) -> PreferenceMatrix:
    """Return four arms: arm 1 beats all by 0.3, and all other gaps are 0.3, except x for (2, 3)."""
    p, q, half = Fraction(4, 5), Fraction(1, 5), Fraction(1, 2)
    return PreferenceMatrix(
        ((half, q, p, p), (p, half, p, p), (q, q, half, half + x), (q, q, half - x, half))
    )


@truth(
    "one-small-gap-costs",
    domain="Of four arms one beats all others by 0.3, and one other pair has gap x. The pass "
    "costs more than 5/x^2 duels, but with a known gap at most 88.",
    sizes={"gaps x =": _GAPS},
    case="gap",
    refuses={"more than 50/x^2 duels": {"multiple": 50}},
)
def one_small_gap_costs_much(
    under_test: Implementation, depth: Depth, *, multiple: int = 5
) -> Cases:
    tree = under_test.BalancedTree.over(4)
    known = functools.partial(under_test.tree_ascent, 0, tree, _TENTH)
    most = most_duels_of(under_test, known, Fraction(3, 10))
    for text in by_depth(depth, *_GAPS):
        x = Fraction(text)
        setting = Setting(f"x = {text}", four_arms_with_gap(x), _TENTH)
        mean = ascent(under_test, setting, laws_of(under_test)).comparisons.mean
        yield Number(f"1/x^2, x = {text}", rational(1 / x**2))
        yield at_most(
            f"{multiple}/x^2 against E[duels] of TreeAscent, x = {text}", multiple / x**2, mean
        )
        yield at_most(f"most duels of TreeAscent with g = Delta* = 0.3, x = {text}", most, mean)
