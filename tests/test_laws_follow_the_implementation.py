"""Laws speak of the implementation that they are given.

Every mutant against every law that runs through the lines it changes: the law moves, or the table
below says why it cannot. A law that refuses a mutant says so there; a crash is none of the two.
"""

from __future__ import annotations

import difflib
import functools
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from types import FrameType
from typing import Any

from tgite.confidence import Confidence
from tgite.conventions import Arguments, Byes, Candidates, Conventions, End, Order, Pairing
from tgite.errors import InvalidInput
from tgite.instances import CyclicInstance
from tgite.preferences import HALF, PreferenceMatrix
from tgite_checks.enclosure import Enclosure
from tgite_checks.implementation import REFERENCE, Implementation
from tgite_checks.laws.balls import NearTie
from tgite_checks.laws.bracket import TournamentLaw
from tgite_checks.laws.budgeted_duel_test import BudgetedDuelTestLaws
from tgite_checks.laws.duel_test import DuelTestLaws
from tgite_checks.laws.match_law import MatchLaw, MatchLaws
from tgite_checks.laws.screen_and_replace import screen_and_replace_law
from tgite_checks.laws.strong import strong_regret_anytime, strong_regret_known_horizon
from tgite_checks.laws.tournament import bkt_law
from tgite_checks.laws.tree_ascent import tree_ascent_law
from tgite_checks.laws.weak import weak_regret
from tgite_checks.mutation import Mutant, mutated, mutated_source, source_of

G = Fraction(1, 5)
DELTA = Confidence.of("0.3")
OTHER = Conventions(
    Pairing.FOLD,
    End.FIRST,
    End.FIRST,
    Arguments.LATER_FIRST,
    Candidates.ASCENDING,
    Order.DESCENDING,
    Byes.SPREAD,
)
MANY = CyclicInstance(70, Fraction(2, 5), Fraction(3, 10))


def arms(N: int, winner: int) -> PreferenceMatrix:
    """Return preferences whose pairs all differ, with gaps from 0.25 to 0.45."""

    def p(i: int, j: int) -> Fraction:
        if i >= j:
            return HALF if i == j else 1 - p(j, i)
        gap = Fraction(25 + (7 * i + 3 * j) % 21, 100)
        beats = i == winner or (j != winner and j - i <= N // 2)
        return HALF + gap if beats else HALF - gap

    return PreferenceMatrix(tuple(tuple(p(i, j) for j in range(N)) for i in range(N)))


THREE, FIVE, SIX, EIGHT = arms(3, 1), arms(5, 3), arms(6, 3), arms(8, 5)

Numbers = Iterator[tuple[str, Enclosure]]
Family = Callable[[Implementation, MatchLaws], Numbers]


def of_match(name: str, law: MatchLaw) -> Numbers:
    for part, of in (("u", law.first), ("v", law.second)):
        yield f"{name}: P({part})", of.probability
        yield f"{name}: duels, {part}", of.duels


def of_tournament(name: str, law: TournamentLaw) -> Numbers:
    for arm, part in law.survives.items():
        yield f"{name}: P({arm})", part.probability
    yield f"{name}: duels", law.comparisons.mean
    if law.weak_regret is not None:
        yield f"{name}: weak regret", law.weak_regret.mean


def duel_test(under_test: Implementation, laws: MatchLaws) -> Numbers:
    for p in (Fraction(9, 10), Fraction(1, 5)):
        yield from of_match(f"p = {p}", laws.law(DELTA, p))


def budgeted(under_test: Implementation, laws: MatchLaws) -> Numbers:
    for g, level in (("0.28", "0.5"), ("0.3", "0.3"), ("0.2", "1e-6")):
        law = BudgetedDuelTestLaws(under_test, Fraction(g)).law(Confidence.of(level), HALF + G)
        yield from of_match(f"g = {g}, delta = {level}", law)


def bkt(under_test: Implementation, laws: MatchLaws) -> Numbers:
    for k, conventions in enumerate((Conventions(), OTHER)):
        for S, instance in (((2, 0, 4, 3, 1), FIVE), (range(70), MANY)):
            law = bkt_law(under_test.bkt, S, DELTA, instance, laws, conventions)
            yield from of_tournament(f"{k}, {len(S)}", law)


def passes(algorithm: str, *settings: tuple[PreferenceMatrix | CyclicInstance, int]) -> Family:
    def numbers(under_test: Implementation, laws: MatchLaws) -> Numbers:
        for k, conventions in enumerate((Conventions(), OTHER)):
            for instance, b in settings:
                N = instance.size
                tree = under_test.BalancedTree.over(N, conventions)
                of = getattr(under_test, algorithm)
                law = tree_ascent_law(of, b, tree, DELTA, instance, laws, conventions)
                yield from of_tournament(f"{k}, {N}", law)

    return numbers


def epoch(under_test: Implementation, laws: MatchLaws) -> Numbers:
    rho, kappa = Confidence.of("0.2"), Confidence.of("0.1")
    for k, conventions in enumerate((Conventions(), OTHER)):
        for c in (2, 3):
            law = screen_and_replace_law(
                under_test.screen_and_replace, c, rho, kappa, FIVE, laws, conventions
            )
            yield from of_tournament(f"{k}, {c}", law)


def weak(under_test: Implementation, laws: MatchLaws) -> Numbers:
    for k, conventions in enumerate((Conventions(), OTHER)):
        for instance, b, exact, warm in ((THREE, 2, 2, None), (SIX, 4, 0, DELTA)):
            law = weak_regret(
                under_test.tg_ite_weak,
                b,
                under_test.BalancedTree.over(instance.size, conventions),
                instance,
                laws,
                warm,
                epochs=3,
                exact_epochs=exact,
                conventions=conventions,
            )
            name = f"{k}, {instance.size}"
            yield from of_tournament(name, law.warm_start)
            for one in law.epochs:
                yield f"{name}: weak regret of epoch {one.s}", one.weak_regret
                yield f"{name}: wrong after epoch {one.s}", one.wrong_after
            yield f"{name}: later", law.later


def known_horizon(under_test: Implementation, laws: MatchLaws) -> Numbers:
    of = under_test.tg_ite_strong_known_horizon
    for k, conventions in enumerate((Conventions(), OTHER)):
        for instance, b, H in ((SIX, 4, 500), (SIX, 4, 20_000)):
            tree = under_test.BalancedTree.over(6, conventions)
            law = strong_regret_known_horizon(of, b, tree, H, instance, laws, False, conventions)
            yield f"{k}, H = {H}", law.total
            for one in law.passes:
                yield from of_tournament(f"{k}, H = {H}", one)


def anytime(under_test: Implementation, laws: MatchLaws) -> Numbers:
    of = under_test.tg_ite_strong_anytime
    for k, conventions in enumerate((Conventions(), OTHER)):
        tree = under_test.BalancedTree.over(6, conventions)
        law = strong_regret_anytime(of, 4, tree, 100_000, SIX, laws, False, None, conventions)
        yield f"{k}", law.total
        for s, one in enumerate(law.passes):
            yield from of_tournament(f"{k}, phase {s + 1}", one)


ALGORITHMS: dict[str, Family] = {
    "BKT": bkt,
    "TreeAscent": passes("tree_ascent", (FIVE, 4), (SIX, 0), (EIGHT, 3), (MANY, 3)),
    "TreeAscent, power of two": passes("tree_ascent_power_of_two", (EIGHT, 3)),
    "TG-ITE-BAI": passes("tg_ite_bai", (SIX, 4)),
    "epoch": epoch,
    "weak regret": weak,
    "strong regret, known horizon": known_horizon,
    "strong regret, anytime": anytime,
}
FAMILIES: dict[str, Family] = {
    "DuelTest": duel_test,
    "BudgetedDuelTest": budgeted,
    **ALGORITHMS,
    **{f"{name}, known gap": family for name, family in ALGORITHMS.items()},
}


def laws_for(under_test: Implementation, family: str) -> MatchLaws:
    """Return the laws of the family's matches; those of the reference's tests are kept."""
    known = family.endswith("known gap")
    theirs = under_test.known_gap is not REFERENCE.known_gap
    if not known:
        theirs = under_test.duel_test is not REFERENCE.duel_test
    return _laws_of(under_test if theirs else REFERENCE, known)


@functools.cache
def _laws_of(under_test: Implementation, known: bool) -> MatchLaws:
    return BudgetedDuelTestLaws(under_test, G) if known else DuelTestLaws(under_test)


def law(under_test: Implementation, family: str) -> dict[str, Enclosure]:
    return dict(FAMILIES[family](under_test, laws_for(under_test, family)))


@functools.cache
def lines_run(family: str) -> frozenset[tuple[str, int]]:
    """Return the lines of tgite, by module, that the family's law executes.

    They are seen in modules made anew, where nothing has been kept.
    """
    same = Mutant("unchanged", "", "schedules", "WEAK_WARM_START =", "WEAK_WARM_START =", "none")
    lines: set[tuple[str, int]] = set()

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        if not frame.f_code.co_filename.startswith("<unchanged: tgite."):
            return None
        lines.add((frame.f_code.co_filename[len("<unchanged: tgite.") : -1], frame.f_lineno))
        return trace

    fresh = mutated(same)
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        law(fresh, family)
    finally:
        sys.settrace(before)
    return frozenset(lines)


def lines_changed(mutant: Mutant) -> set[tuple[str, int]]:
    """Return the lines that the mutant changes, by module; the one after an insertion."""
    before, after = source_of(mutant.module).splitlines(), mutated_source(mutant).splitlines()
    changes = difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return {
        (mutant.module, line + 1)
        for tag, first, last, _, _ in changes
        if tag != "equal"
        for line in range(first, max(last, first + 1))
    }


def apart(a: dict[str, Enclosure], b: dict[str, Enclosure]) -> bool:
    """Say whether two laws differ for certain: some number's enclosures do not meet."""
    return a.keys() != b.keys() or any(
        a[name].high < b[name].low or b[name].high < a[name].low for name in a
    )


def outcome(mutant: Mutant, under_test: Implementation, family: str) -> str:
    """Return what becomes of a law where the mutant's lines take part in it."""
    run = lines_run(family)
    if not lines_changed(mutant) & run:
        return "not run"
    try:
        found = law(under_test, family)
    except (InvalidInput, NearTie) as refused:
        return f"refused: {refused}"
    return "moved" if apart(of_reference(family), found) else "same"


@functools.cache
def of_reference(family: str) -> dict[str, Enclosure]:
    return law(REFERENCE, family)
