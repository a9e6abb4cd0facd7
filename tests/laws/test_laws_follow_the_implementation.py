"""Laws speak of the implementation that they are given.

Every mutant against every law that runs through the lines it changes: the law moves, or a table
says why it cannot. A law that refuses a mutant says so there; a crash is none of the two.
"""

from __future__ import annotations

import difflib
import functools
import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from tgite.confidence import Confidence
from tgite.conventions import RULINGS, Arguments, Byes, Candidates, Conventions, End, Order, Pairing
from tgite.errors import InvalidInput, InvalidReply
from tgite.instances import CyclicInstance
from tgite.preferences import HALF, PreferenceMatrix, Preferences
from tgite_checks.claims.mutants import mutants
from tgite_checks.mutation import Mutant, mutated, mutated_source, source_of
from tgite_laws.balls import NearTie
from tgite_laws.enclosure import Enclosure
from tgite_laws.implementation import REFERENCE, Implementation
from tgite_laws.match_law import MatchLaws
from tgite_laws.pairwise import TESTS, ChosenTest, PairwiseName
from tgite_laws.strong import strong_regret_anytime, strong_regret_known_horizon
from tgite_laws.tournaments import bkt_law, screen_and_replace_law, tree_ascent_law
from tgite_laws.weak import weak_regret

G = Fraction(1, 5)
DELTA = Confidence.of("0.25")
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
    """Return preferences with many different gaps, from 0.25 to 0.45."""

    def p(i: int, j: int) -> Fraction:
        if i >= j:
            return HALF if i == j else 1 - p(j, i)
        gap = Fraction(25 + (7 * i + 3 * j) % 21, 100)
        beats = i == winner or (j != winner and j - i <= N // 2)
        return HALF + gap if beats else HALF - gap

    return PreferenceMatrix(tuple(tuple(p(i, j) for j in range(N)) for i in range(N)))


THREE, FIVE, SIX, EIGHT = arms(3, 0), arms(5, 3), arms(6, 3), arms(8, 5)

Family = Callable[[Implementation, MatchLaws], Iterable[object]]


def numbers(law: object, name: str = "") -> Iterator[tuple[str, Enclosure]]:
    """Yield all numbers of a law, each by its place in it."""
    of: Mapping[object, object] = {}
    match law:
        case Enclosure():
            yield name, law
        case Mapping():
            of = law
        case tuple():
            of = dict(enumerate(law))
        case _ if is_dataclass(law):
            of = {field.name: getattr(law, field.name) for field in fields(law)}
    for key, value in of.items():
        yield from numbers(value, f"{name} {key}")


def of_test(name: PairwiseName, *cases: tuple[str | None, str, str]) -> Family:
    """Return the laws of a pairwise test for these gaps, levels and pairs."""

    def family(under_test: Implementation, laws: MatchLaws) -> Iterator[object]:
        for g, level, p in cases:
            of = ChosenTest(name, None if g is None else Fraction(g)).laws(under_test)
            yield of.law(Confidence.of(level), Fraction(p))

    return family


def bkt(under_test: Implementation, laws: MatchLaws) -> Iterator[object]:
    for S, instance, used in (((2, 0, 4, 3, 1), FIVE, RULINGS), (range(70), MANY, OTHER)):
        yield bkt_law(under_test.bkt, S, DELTA, instance, laws, used)


def passes(algorithm: str, *settings: tuple[Preferences, int, Conventions]) -> Family:
    def family(under_test: Implementation, laws: MatchLaws) -> Iterator[object]:
        for instance, b, used in settings:
            tree = under_test.BalancedTree.over(instance.size, used)
            of = getattr(under_test, algorithm)
            yield tree_ascent_law(of, b, tree, DELTA, instance, laws, used)

    return family


def epoch(under_test: Implementation, laws: MatchLaws) -> Iterator[object]:
    rho, kappa = Confidence.of("0.2"), Confidence.of("0.1")
    for c, used in ((2, RULINGS), (3, OTHER)):
        of = under_test.screen_and_replace
        yield screen_and_replace_law(of, c, rho, kappa, FIVE, laws, used)


def weak(under_test: Implementation, laws: MatchLaws) -> Iterator[object]:
    for instance, b, exact, warm, used in (
        (THREE, 2, 2, None, RULINGS),
        (THREE, 2, 2, None, OTHER),
        (SIX, 3, 0, Confidence.of("0.3"), OTHER),
    ):
        tree = under_test.BalancedTree.over(instance.size, used)
        of = under_test.tg_ite_weak
        yield weak_regret(of, b, tree, instance, laws, warm, 3, exact, conventions=used)


def known_horizon(under_test: Implementation, laws: MatchLaws) -> Iterator[object]:
    of = under_test.tg_ite_strong_known_horizon
    for H, used in ((7, RULINGS), (20_000, OTHER)):
        tree = under_test.BalancedTree.over(6, used)
        yield strong_regret_known_horizon(of, 4, tree, H, SIX, laws, False, used)


def anytime(under_test: Implementation, laws: MatchLaws) -> Iterator[object]:
    tree, of = under_test.BalancedTree.over(6, OTHER), under_test.tg_ite_strong_anytime
    yield strong_regret_anytime(of, 1, tree, 2_000, SIX, laws, False, None, OTHER)


ALGORITHMS: dict[str, Family] = {
    "BKT": bkt,
    "TreeAscent": passes("tree_ascent", (FIVE, 4, RULINGS), (SIX, 4, OTHER), (MANY, 3, RULINGS)),
    "TreeAscent, power of two": passes("tree_ascent_power_of_two", (EIGHT, 3, RULINGS)),
    "TG-ITE-BAI": passes("tg_ite_bai", (SIX, 4, RULINGS), (SIX, 4, OTHER)),
    "epoch": epoch,
    "weak regret": weak,
    "strong regret, known horizon": known_horizon,
    "strong regret, anytime": anytime,
}
FAMILIES: dict[str, Family] = {
    "DuelTest": of_test(PairwiseName.DUEL, (None, "1/4", "9/10"), (None, "1/4", "1/5")),
    "BudgetedDuelTest": of_test(
        PairwiseName.BUDGETED,
        *(("0.28", "0.5", "7/10"), ("0.3", "0.3", "7/10"), ("0.2", "1e-6", "7/10")),
    ),
    # W(20, 16) is 19901/969, and at a lead of 2 the trailing arm's chance is 9/58.
    "MixtureTest": of_test(
        PairwiseName.MIXTURE,
        *((None, "1/4", p) for p in ("9/10", "1/5", "53/100")),
        *((None, level, "7/10") for level in ("1/4 * 6/pi^2", "969/19901")),
    ),
    "SprtTest": of_test(
        PairwiseName.SPRT,
        *(("1/5", level, "7/10") for level in ("1/4", "1/4 * 6/pi^2", "9/58")),
        ("1/5", "1/4", "1/5"),
    ),
    "truncated SprtTest": of_test(
        PairwiseName.TRUNCATED_SPRT,
        *(("1/5", level, "7/10") for level in ("1/4", "2/5 * 6/pi^2", "9/29")),
        ("1/5", "1/4", "1/5"),
    ),
    **ALGORITHMS,
    **{f"{name}, known gap": family for name, family in ALGORITHMS.items()},
}
for _name, _of in TESTS.items():
    _gap = "1/5" if _of.needs_known_gap else None
    FAMILIES.setdefault(_of.title, of_test(_name, (_gap, "1/4", "7/10"), (_gap, "1/4", "1/5")))
MODULES = {of.title: of.module for name, of in TESTS.items() if not name.of_the_paper}
"""Where the tests beyond the paper are defined; no algorithm's module is made anew with them."""


@functools.cache
def _laws_of(under_test: Implementation, known: bool) -> MatchLaws:
    return ChosenTest.of_the_paper(G if known else None).laws(under_test)


def law(under_test: Implementation, family: str) -> Iterator[tuple[str, Enclosure]]:
    """Yield the numbers of a family's laws; the laws of the reference's matches are kept."""
    known = family.endswith("known gap")
    test = "known_gap" if known else "duel_test"
    kept = getattr(under_test, test) is getattr(REFERENCE, test)
    laws = _laws_of(REFERENCE if kept else under_test, known)
    for place, found in enumerate(FAMILIES[family](under_test, laws)):
        yield from numbers(found, str(place))


@functools.cache
def lines_run(family: str) -> frozenset[tuple[str, int]]:
    """Return the lines of tgite, by module, that the family's law executes.

    They are seen in modules made anew, where nothing has been kept.
    """
    module, text = MODULES.get(family, "schedules"), "from __future__ import annotations"
    same = Mutant("unchanged", "", module, text, text, "none")
    lines: set[tuple[str, int]] = set()

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        if not frame.f_code.co_filename.startswith("<unchanged: tgite."):
            return None
        lines.add((frame.f_code.co_filename[len("<unchanged: tgite.") : -1], frame.f_lineno))
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        list(law(mutated(same), family))
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


@functools.cache
def of_reference(family: str) -> dict[str, Enclosure]:
    return dict(law(REFERENCE, family))


DATA = tomllib.loads(Path(__file__).with_name("laws_of_mutants.toml").read_text("utf-8"))
SAME = {name: row["laws"] for row in DATA["same"] for name in row["mutants"]}
REFUSED: dict[str, list[str]] = DATA["refused"]
WITHOUT_LAWS = ("beyond:certificate", "beyond:find-then-certify")
"""Their laws are compared with other computations (``test_find_then_certify.py``)."""
UNUSED = {"tree-ancestor-one-level-up", "tree-entry-level-off-by-one", "tree-entry-by-arm-number"}
"""What they say of the tree is not used by the algorithms, and by no law."""
MUTANTS = [one for one in mutants() if not one.label.startswith(WITHOUT_LAWS)]


def outcome(under_test: Implementation, family: str) -> str:
    """Return "moved", "same", or what is said where the law is refused.

    A law moves at the first of its numbers whose enclosure does not meet the reference's.
    """
    known, found = of_reference(family), set()
    try:
        for name, value in law(under_test, family):
            reference = known.get(name)
            if reference is None or reference.high < value.low or value.high < reference.low:
                return "moved"
            found.add(name)
    except (InvalidInput, InvalidReply, NearTie) as refusal:
        return str(refusal)
    return "same" if found == known.keys() else "moved"


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: str(mutant.name))
def test_a_law_that_runs_through_a_mistake_moves(mutant: Mutant) -> None:
    changed, under_test = lines_changed(mutant), mutated(mutant)
    found = {f: outcome(under_test, f) for f in FAMILIES if changed & lines_run(f)}
    assert found or mutant.name in UNUSED
    refused = {family: said for family, said in found.items() if said not in ("moved", "same")}
    for family, said in refused.items():
        assert any(part in said and mutant.name in names for part, names in REFUSED.items()), family
    assert bool(refused) == any(mutant.name in names for names in REFUSED.values())
    stays = SAME.get(mutant.name, "never")
    same = {family for family, said in found.items() if said == "same"}
    assert same == {f for f in found if re.fullmatch(stays, f) and f not in refused}
    assert same or mutant.name not in SAME
