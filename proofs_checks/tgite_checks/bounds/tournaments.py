"""Truth of the bounds on BKT and TreeAscent, by their exact laws on the paper's and real instances.

``lem:app-bkt-subset``, ``thm:plr-repair-main``, ``cor:tlcr-bai`` and, with the budgeted test,
``lem:app-budgeted-bkt``, ``lem:app-budgeted-tree-ascent``. Brackets and levels are read off the
implementation under examination.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from tgite.confidence import Confidence
from tgite.instances import cyclic, sparse
from tgite.playing.matrices import example
from tgite.preferences import PreferenceMatrix, Preferences
from tgite.questions import Arm, PairwiseTest, Stream
from tgite.tree import BalancedTree
from tgite_checks.bounds.budgeted_duel_test import budgeted_laws_of
from tgite_checks.bounds.comparing import AtMost, compared, rational, real
from tgite_checks.bounds.duel_test import laws_of
from tgite_checks.bounds.keeping import kept
from tgite_checks.bounds.proved_constants import cost_bound, proved_constant
from tgite_checks.check import Check, Depth, Kind, Plot, Question, Result, Series, by_depth
from tgite_checks.enclosure import Enclosure
from tgite_checks.implementation import Implementation
from tgite_checks.laws.arithmetic import plus
from tgite_checks.laws.balls import ball, log_inverse_ball
from tgite_checks.laws.bracket import Meeting, TournamentLaw, bracket
from tgite_checks.laws.match_law import MatchLaws
from tgite_checks.laws.pairs import Pairs, pairs
from tgite_checks.laws.tournament import bkt_law
from tgite_checks.laws.tree_ascent import tree_ascent_law


@dataclass(frozen=True, slots=True)
class Setting:
    """An instance with the level at which it is identified."""

    name: str
    preferences: Preferences
    level: Confidence


def _setting(name: str, preferences: Preferences, level: str) -> Setting:
    return Setting(f"{name}, level {level}", preferences, Confidence.of(level))


@functools.cache
def paper_settings() -> tuple[Setting, ...]:
    """Return the settings of the three figures, and one with small gaps and a useless level."""
    return (
        *(
            _setting(f"cyclic N = {N}, gaps .32/.38", cyclic(N, "0.32", "0.38"), "1/10")
            for N in (8, 16, 32, 256)
        ),
        _setting("sparse N = 256, gaps .26/.44", sparse(256, "0.26"), "1/4"),
        _setting("cyclic N = 256, gaps .30/.38", cyclic(256, "0.30", "0.38"), "1/100001"),
        _setting("cyclic N = 8, all gaps .05", cyclic(8, "0.05", "0.05"), "1/2"),
    )


@functools.cache
def real_settings() -> tuple[Setting, ...]:
    """Return the real matrices that satisfy Assumption 1."""
    return (
        _setting("mslr5", example("mslr5"), "1/10"),
        _setting("sushi16", example("sushi16"), "1/10"),
    )


@functools.cache
def _pairs_of(setting: Setting) -> Pairs:
    return pairs(setting.preferences)


@kept
def knockout(under_test: Implementation, setting: Setting, laws: MatchLaws) -> TournamentLaw:
    """Return the law of BKT on all arms of a setting."""
    return bkt_law(
        tuple(range(setting.preferences.size)),
        setting.level,
        setting.preferences,
        laws,
        algorithm=under_test.bkt,
        sorted_pairs=_pairs_of(setting),
    )


@kept
def ascent(
    under_test: Implementation,
    setting: Setting,
    laws: MatchLaws,
    b: Arm = 0,
    tree: BalancedTree | None = None,
) -> TournamentLaw:
    """Return the law of a pass from ``b``, on the ruled tree unless another is given."""
    chosen = under_test.BalancedTree.over(setting.preferences.size) if tree is None else tree
    return tree_ascent_law(
        b,
        chosen,
        setting.level,
        setting.preferences,
        laws,
        algorithm=under_test.tree_ascent,
        sorted_pairs=_pairs_of(setting),
    )


def _starts(setting: Setting, depth: Depth) -> tuple[Arm, ...]:
    """Return starts: the winner, one in every other half, all of a small instance."""
    N, winner = setting.preferences.size, setting.preferences.winner()
    every_start_up_to = by_depth(depth, 8, 32, 256)
    if every_start_up_to >= N:
        return tuple(range(N))
    return by_depth(depth, (0,), (0, winner, N - 1), (0, winner, N - 1))


LawsFor = Callable[[Implementation, Setting], MatchLaws]
"""How a setting's pairwise test is chosen."""


def _tournaments(
    under_test: Implementation, depth: Depth, settings: tuple[Setting, ...], laws_for: LawsFor
) -> Iterator[tuple[str, Setting, TournamentLaw]]:
    for setting in settings:
        laws = laws_for(under_test, setting)
        yield f"BKT, {setting.name}", setting, knockout(under_test, setting, laws)
        for b in _starts(setting, depth):
            law = ascent(under_test, setting, laws, b)
            yield f"TreeAscent from b = {b}, {setting.name}", setting, law


def anytime_laws(under_test: Implementation, setting: Setting) -> MatchLaws:
    """Choose DuelTest."""
    return laws_of(under_test)


def known_gap_laws(under_test: Implementation, setting: Setting) -> MatchLaws:
    """Choose BudgetedDuelTest with the largest valid gap, g = Delta*."""
    return budgeted_laws_of(under_test, setting.preferences.winner_gap())


def _error_cases(
    under_test: Implementation,
    depth: Depth,
    settings: tuple[Setting, ...],
    laws_for: LawsFor,
    share: Fraction,
) -> Iterator[AtMost]:
    for name, setting, law in _tournaments(under_test, depth, settings, laws_for):
        if law.error is None:
            raise AssertionError(f"{name}: no Condorcet winner takes part")
        yield AtMost(f"error of {name}", law.error, rational(share * setting.level.rational))


def _errors(
    under_test: Implementation,
    depth: Depth,
    *,
    laws_for: LawsFor = anytime_laws,
    share: Fraction = Fraction(1),
) -> Result:
    cases = _error_cases(under_test, depth, paper_settings(), laws_for, share)
    return compared(cases, "error probability")


def _cost_cases(
    under_test: Implementation,
    depth: Depth,
    settings: tuple[Setting, ...],
    constant: Fraction | None,
) -> Iterator[AtMost]:
    C_bkt = proved_constant("lem_app_bkt_subset_cost", "C_bkt")
    C_bai = proved_constant("cor_tlcr_bai", "C_bai")
    for name, setting, law in _tournaments(under_test, depth, settings, anytime_laws):
        C = constant or (C_bkt if name.startswith("BKT") else C_bai)
        allowed = _allowed(C, setting)
        yield AtMost(f"E[duels] of {name}", law.comparisons.mean, real(allowed))
        if law.weak_regret is not None:
            yield AtMost(f"E[weak regret] of {name}", law.weak_regret.mean, real(allowed))


def _allowed(constant: Fraction, setting: Setting) -> Callable[[], arb]:
    """Return ``constant (N-1)/Delta^2 (log(1/level) + log(1/Delta) + 1)``, to be computed."""
    size, gap = setting.preferences.size - 1, setting.preferences.global_gap()
    return lambda: cost_bound(constant, size, gap, log_inverse_ball(setting.level))


def _costs(under_test: Implementation, depth: Depth, *, constant: Fraction | None = None) -> Result:
    settings = paper_settings()
    cases = _cost_cases(under_test, depth, settings, constant)
    return compared(cases, "expected cost", (_cost_plot(under_test, settings),))


def _cost_plot(under_test: Implementation, settings: tuple[Setting, ...]) -> Plot:
    """Draw exact costs on the instances of the figure on identification, per arm."""
    scaled = settings[:4]
    laws = laws_of(under_test)

    def per_arm(law: TournamentLaw, N: int) -> Enclosure:
        mean = law.comparisons.mean
        return Enclosure(mean.low / N * (1 - 1e-12), mean.high / N * (1 + 1e-12))

    ascents: list[tuple[float, Enclosure]] = []
    knockouts: list[tuple[float, Enclosure]] = []
    for setting in scaled:
        N = setting.preferences.size
        ascents.append((float(N), per_arm(ascent(under_test, setting, laws), N)))
        knockouts.append((float(N), per_arm(knockout(under_test, setting, laws), N)))
    return Plot(
        "Exact expected duels per arm, cyclic instances .32/.38, level 1/10",
        "N",
        "E[duels]/N",
        (Series("TreeAscent", tuple(ascents)), Series("BKT([N])", tuple(knockouts))),
        log_x=True,
    )


def _real_cases(
    under_test: Implementation, depth: Depth, share: Fraction, constant: Fraction | None
) -> Iterator[AtMost]:
    settings = real_settings()
    known = _error_cases(under_test, depth, settings, known_gap_laws, share)
    yield from known
    anytime = by_depth(depth, (), settings, settings)
    yield from _error_cases(under_test, Depth.QUICK, anytime, anytime_laws, share)
    yield from _cost_cases(under_test, Depth.QUICK, anytime, constant)


def _real(
    under_test: Implementation,
    depth: Depth,
    *,
    share: Fraction = Fraction(1),
) -> Result:
    return compared(_real_cases(under_test, depth, share, None), "error or cost")


def most_duels(
    under_test: Implementation,
    make_stream: Callable[[PairwiseTest[Meeting, int]], Stream[Meeting, int, int]],
    g: Fraction,
) -> int:
    """Return the sum of the budgets over a bracket: its most duels with BudgetedDuelTest."""
    return sum(under_test.budget(g, meeting.delta) for meeting in bracket(make_stream).matches)


def _budget_cases(
    under_test: Implementation, depth: Depth, constant: Fraction | None
) -> Iterator[AtMost]:
    C_bkt = constant or proved_constant("lem_app_budgeted_bkt", "C_budgeted_bkt")
    C_ta = constant or proved_constant("lem_app_budgeted_tree_ascent", "C_budgeted_ta")
    sizes = (2, 3, 5, 8, 9, 33, *by_depth(depth, (), (257, 1025), (257, 1025, 4097)))
    for N in sizes:
        for g in map(Fraction, ("0.49", "0.47", "0.3", "0.05")):
            for level in map(Confidence.of, ("0.999", "1/10", "1e-12")):
                where = f"N = {N}, g = {g}, level {level}"
                test_all = functools.partial(under_test.bkt, tuple(range(N)), level)
                allowed = functools.partial(_budget_bound, C_bkt, N, g, level)
                yield AtMost(
                    f"most duels of BKT_g, {where}",
                    rational(most_duels(under_test, test_all, g)),
                    real(allowed),
                )
                # The last arm of the last block alone: the worst place for the byes.
                tree = under_test.BalancedTree.over(N)
                ascend = functools.partial(under_test.tree_ascent, 0, tree, level)
                yield AtMost(
                    f"most duels of TreeAscent_g, {where}",
                    rational(most_duels(under_test, ascend, g)),
                    real(functools.partial(_budget_bound, C_ta, N, g, level)),
                )


def _budget_bound(constant: Fraction, N: int, g: Fraction, level: Confidence) -> arb:
    return ball(constant * (N - 1) / g**2) * (log_inverse_ball(level) + 1)


def _budgets(
    under_test: Implementation, depth: Depth, *, constant: Fraction | None = None
) -> Result:
    return compared(_budget_cases(under_test, depth, constant), "number of duels")


def tree_with_siblings(preferences: Preferences, i: Arm, j: Arm) -> BalancedTree:
    """Return a balanced tree in which ``i`` and ``j`` are the first two leaves, byes last."""
    others = [arm for arm in range(preferences.size) if arm not in (i, j)]
    capacity = 1 << (preferences.size - 1).bit_length()
    byes = [None] * (capacity - preferences.size)
    return BalancedTree((i, j, *others, *byes))


def tie_settings() -> tuple[tuple[Setting, Arm, Arm], ...]:
    """Return instances with a Condorcet winner and a tie, and the two arms that tie."""
    three = PreferenceMatrix.of(
        [["1/2", "0.8", "0.8"], ["0.2", "1/2", "1/2"], ["0.2", "1/2", "1/2"]]
    )
    return (
        (_setting("three arms, two tie", three, "1/10"), 1, 2),
        (_setting("arxiv6", example("arxiv6"), "1/10"), 3, 5),
    )


def _tie_cases(under_test: Implementation, depth: Depth, known: bool) -> Iterator[AtMost]:
    settings = tie_settings()
    # DuelTest's laws at arxiv6's small gaps take long; the three arms say the same.
    few = depth is Depth.QUICK and not known
    for setting, i, j in settings[:1] if few else settings:
        laws = known_gap_laws(under_test, setting) if known else laws_of(under_test)
        tree = tree_with_siblings(setting.preferences, i, j)
        law = ascent(under_test, setting, laws, i, tree)
        if law.error is None:
            raise AssertionError("the winner takes part")
        missed = plus(law.error, law.never)
        yield AtMost(
            f"P(a* is not returned), TreeAscent from {i}, {i} and {j} siblings, {setting.name}",
            missed,
            rational(setting.level.rational),
        )


def _tie(under_test: Implementation, depth: Depth, *, known: bool = True) -> Result:
    return compared(_tie_cases(under_test, depth, known), "pass on an instance with a tie")


def _no_tie_needed(under_test: Implementation, depth: Depth) -> Result:
    return _tie(under_test, depth, known=False)


ERRORS = Check(
    name="identification-errors",
    question=Question.TRUTH,
    kind=Kind.CERTIFIED,
    domain="BKT on all arms and TreeAscent, on the instances and levels of the three figures "
    "(cyclic N = 8, 16, 32, 256; sparse N = 256) and on N = 8 with all gaps 0.05 at level 1/2; "
    "all starts for N <= 8 (standard: 32, deep: 256), else one (standard: three)",
    run=_errors,
    refuses={
        "errors at most 1e-6 of the level": functools.partial(_errors, share=Fraction(1, 10**6))
    },
)

COSTS = Check(
    name="identification-costs",
    question=Question.TRUTH,
    kind=Kind.CERTIFIED,
    domain="the same runs: exact expected duels and weak regret beside C (N-1)/Delta^2 "
    "(log(1/level) + log(1/Delta) + 1) with the proved constants",
    run=_costs,
    refuses={"C = 1 for both": functools.partial(_costs, constant=Fraction(1))},
)

KNOWN_GAP_ERRORS = Check(
    name="known-gap-identification-errors",
    question=Question.TRUTH,
    kind=Kind.CERTIFIED,
    domain="the same runs with BudgetedDuelTest and g = Delta*",
    run=functools.partial(_errors, laws_for=known_gap_laws),
    refuses={
        "errors at most 1/1000 of the level": functools.partial(
            _errors, laws_for=known_gap_laws, share=Fraction(1, 1000)
        )
    },
)

REAL_MATRICES = Check(
    name="identification-on-real-matrices",
    question=Question.TRUTH,
    kind=Kind.CERTIFIED,
    domain="mslr5 and sushi16 at level 1/10: BKT and TreeAscent with BudgetedDuelTest, g = "
    "Delta*, and (not at quick depth) with DuelTest",
    run=_real,
    refuses={
        "errors at most 1/1000 of the level": functools.partial(_real, share=Fraction(1, 1000))
    },
)

BUDGETS = Check(
    name="known-gap-budgets",
    question=Question.TRUTH,
    kind=Kind.EXHAUSTIVE,
    domain="BKT_g and TreeAscent_g for N = 2, 3, 5, 8, 9, 33 (standard: 257, 1025 too), four "
    "gaps, three levels: the sum of all budgets, which is attained, beside the proved C (N-1)/g^2 "
    "(log(1/level) + 1)",
    run=_budgets,
    refuses={"C = 1 for both": functools.partial(_budgets, constant=Fraction(1))},
)

TIES = Check(
    name="known-gap-needs-no-global-gap",
    question=Question.TRUTH,
    kind=Kind.CERTIFIED,
    domain="arxiv6 (arms 3 and 5 tie) and three arms of which two tie, the pass starting at one "
    "of the two, its sibling being the other: TreeAscent_g, g = Delta*, level 1/10",
    run=_tie,
    refuses={"the same with DuelTest": _no_tie_needed},
)

CHECKS = (ERRORS, COSTS, KNOWN_GAP_ERRORS, REAL_MATRICES, BUDGETS, TIES)
