"""The ledger: how it is gathered, what makes one inconsistent, and that the project's is not."""

from __future__ import annotations

from dataclasses import replace
from math import inf, nan
from types import ModuleType

import pytest

from synthetic_ledger import (
    BELOW,
    BROKEN,
    FINDING,
    NO_SQUARE_ROOT,
    RADIUS,
    SLOW,
    SOUND,
    claim,
    made_of,
)
from tgite import InvalidInput
from tgite_checks.audit.report.slack import slack
from tgite_checks.check import Check, Kind, Number, Plot, Question, Result, Series, Statistics
from tgite_checks.claims.book import Ledger
from tgite_checks.claims.model import Claim, Outcome, Verdict
from tgite_checks.claims.registry import (
    Duplicate,
    assemble,
    ledger,
    load,
    paper_labels,
    problems,
)
from tgite_checks.enclosure import Enclosure
from tgite_checks.proofs.record import ProvedTheorem, dump, read_extract

ONE = Enclosure(1.0, 1.0)
SPARE = replace(BELOW, name="spare")
IDLE = replace(NO_SQUARE_ROOT, name="idle")
THEOREM = ProvedTheorem("sum", "Sum.v", ("lem:first",), "1 + 1 = 2", {"two": "2"}, ())


def module(name: str, **parts: object) -> ModuleType:
    made = ModuleType(name)
    vars(made).update(parts)
    return made


def test_the_projects_ledger_is_consistent() -> None:
    assert problems(ledger(), paper_labels()) == ()


def test_a_sound_ledger_has_no_problems() -> None:
    assert problems(SOUND, (("lem:first", "lemma"),), {}) == ()


@pytest.mark.parametrize(
    ("spoiled", "said"),
    [
        (made_of(claim("lem:x", replace(RADIUS, rejects=()))), "without a mutant"),
        (made_of(claim("lem:x", replace(RADIUS, rejects=("absent",)))), "absent, which is no"),
        (made_of(claim("lem:x", replace(BELOW, refuses={}))), "without a statement"),
        (made_of(claim("lem:x", replace(SLOW, statistics=None))), "error rates"),
        (made_of(claim("lem:x", replace(BELOW, kind=Kind.STATISTICAL))), "error rates"),
        (
            made_of(claim("lem:x", replace(SLOW, statistics=Statistics(2e-6, 0.9, "some")))),
            "over 1e-06",
        ),
        (made_of(claim("lem:x", replace(BELOW, kind=Kind.THEOREM))), "names no theorem"),
        (made_of(claim("lem:x", replace(BELOW, certifies=("product",)))), "relies on product"),
        (made_of(claim("lem:x", RADIUS, nothing_to_check="none")), "not both"),
        (made_of(claim("lem:x", nothing_to_check="")), "must have checks"),
        (made_of(claim("lem:x", RADIUS, verdicts={})), "has no verdict"),
        (
            made_of(
                claim("lem:x", RADIUS, verdicts={Question.TRUTH: Verdict(Outcome.HOLDS, "all")})
            ),
            "its truth holds, says the ledger, unchecked",
        ),
        (
            made_of(
                claim("lem:x", RADIUS, verdicts={Question.TRUTH: Verdict(Outcome.OPEN, "none")})
            ),
            "a check of its fidelity, but no verdict",
        ),
        (made_of(claim("lem:x", RADIUS, RADIUS)), "2 times"),
        (made_of(claim("lem:x", RADIUS, not_established=" ")), "its not_established is empty"),
        (made_of(claim("lem:x", replace(RADIUS, domain=""))), "its domain is empty"),
        (made_of(claim("lem:x", RADIUS), findings=(FINDING,)), "lem:first, which has no entry"),
        (
            made_of(claim("lem:first", RADIUS), findings=(replace(FINDING, correction=""),)),
            "no correction",
        ),
        (
            replace(SOUND, checks={**SOUND.checks, "spare": replace(BELOW, name="spare")}),
            "no claim",
        ),
        (
            replace(SOUND, mutants={**SOUND.mutants, "idle": IDLE}),
            "idle: a mutant that no check rejects",
        ),
        (
            replace(
                SOUND, mutants={NO_SQUARE_ROOT.name: replace(NO_SQUARE_ROOT, original="no such")}
            ),
            "stands 0 times",
        ),
    ],
)
def test_each_inconsistency_is_said(spoiled: Ledger, said: str) -> None:
    assert any(said in problem for problem in problems(spoiled, (), {}))


def test_a_label_of_the_paper_needs_an_entry_and_rows_stand_for_their_table() -> None:
    rows = made_of(claim("tab:one:row", RADIUS))
    assert problems(rows, (("tab:one", "table"),), {}) == ()
    (problem,) = problems(rows, (("tab:on", "table"), ("tab:one", "table")), {})
    assert problem == "tab:on: the paper's table has no entry"


def test_theorems_come_from_the_record() -> None:
    certified = made_of(claim("lem:first", replace(BELOW, kind=Kind.THEOREM, certifies=("sum",))))
    assert any("sum" in problem for problem in problems(certified, (), {}))
    extract = read_extract(dump((THEOREM,)))
    assert extract == {"sum": THEOREM}
    assert not [one for one in problems(certified, (), extract) if "sum" in one]


@pytest.mark.parametrize(
    "text", ["", "[]", '{"theorems": {}}', '{"theorems": [{"name": "sum"}]}', '{"theorems": [1']
)
def test_what_is_no_record_of_theorems_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match=r"proved\.json"):
        read_extract(text)


def test_parts_are_gathered_once_and_owned_by_the_module_of_checks() -> None:
    first = claim("lem:first", RADIUS, BELOW)
    gathered = assemble(
        [
            module("checks", CHECKS=(RADIUS,), MUTANTS=(NO_SQUARE_ROOT,)),
            module("claims", CLAIMS=(claim("lem:a", BELOW), first), FINDINGS=(FINDING,)),
            module("other"),
        ],
        ("lem:first",),
    )
    assert list(gathered.claims) == ["lem:first", "lem:a"]
    assert gathered.owners == {"radius": "checks", "below-1": "claims", "one-is-two": "claims"}
    assert list(gathered.checks) == ["radius", "below-1"]


@pytest.mark.parametrize(
    "again",
    [
        {"CHECKS": (replace(RADIUS, domain="other"),)},
        {"CLAIMS": (claim("lem:first", RADIUS, title="other"),)},
        {"CLAIMS": (claim("lem:second", replace(RADIUS, domain="other")),)},
        {"FINDINGS": (replace(FINDING, place="other"),)},
        {"FINDINGS": (replace(FINDING, name="radius"),)},
        {"MUTANTS": (replace(NO_SQUARE_ROOT, mistake="other"),)},
    ],
)
def test_two_parts_of_one_name_are_refused(again: dict[str, object]) -> None:
    once = module(
        "once",
        CHECKS=(RADIUS,),
        MUTANTS=(NO_SQUARE_ROOT,),
        CLAIMS=(claim("lem:first", RADIUS),),
        FINDINGS=(FINDING,),
    )
    assemble([once, once])
    with pytest.raises(Duplicate):
        assemble([once, module("again", **again)])


@pytest.mark.parametrize("parts", [{"CHECKS": [RADIUS]}, {"CHECKS": (FINDING,)}])
def test_what_is_no_part_is_refused(parts: dict[str, object]) -> None:
    with pytest.raises(TypeError, match="CHECKS"):
        assemble([module("wrong", **parts)])


def test_a_ledger_is_found_by_its_name() -> None:
    assert load("synthetic_ledger:BROKEN") is BROKEN
    assert load() is ledger()
    with pytest.raises(TypeError, match="not a Ledger"):
        load("synthetic_ledger:RADIUS")


def test_selecting_keeps_what_the_labels_need() -> None:
    part = SOUND.selected(["lem:first"])
    assert list(part.claims) == ["lem:first"]
    assert list(part.checks) == ["radius", "below-1"]
    assert list(part.findings) == ["one-is-two", "in-words"]
    assert list(SOUND.selected(["lem:second", "def:third"]).findings) == []
    rows = made_of(claim("tab:a:one", RADIUS), claim("tab:a:two", BELOW), claim("tab:ab", SLOW))
    assert list(rows.selected(["tab:a"]).claims) == ["tab:a:one", "tab:a:two"]


@pytest.mark.parametrize(
    ("asked", "near"), [("lem:frist", "lem:first"), ("second", "lem:second"), ("zzzz", "no label")]
)
def test_an_unknown_label_names_near_ones(asked: str, near: str) -> None:
    with pytest.raises(InvalidInput, match=near) as refusal:
        SOUND.selected([asked])
    assert "\n" not in str(refusal.value)


def test_an_empty_look_does_not_hold() -> None:
    assert not Result(True, 0, "").holds()
    assert not Result(False, 1, "").holds()
    assert Result(True, 1, "").holds()


@pytest.mark.parametrize("x", [nan, inf])
def test_plots_hold_what_can_be_drawn(x: float) -> None:
    with pytest.raises(InvalidInput, match="finite x"):
        Series("curve", ((x, ONE),))
    with pytest.raises(InvalidInput, match="must have a point"):
        Series("curve", ())
    with pytest.raises(InvalidInput, match="must have a series"):
        Plot("picture", "x", "y", ())


@pytest.mark.parametrize(
    ("value", "bound", "expected"),
    [
        (Enclosure(1.0, 2.0), Enclosure(4.0, 6.0), (2.0, 6.0)),
        (Enclosure(1e-40, 1e-40), Enclosure(0.1, 0.1), (1e39, 1e39)),
        (Enclosure(0.0, 2.0), Enclosure(4.0, 4.0), (2.0, inf)),
        (Enclosure(1.0, inf), Enclosure(4.0, inf), (0.0, inf)),
        (Enclosure(inf, inf), Enclosure(4.0, 4.0), (0.0, 0.0)),
    ],
)
def test_slack_is_the_quotient_enclosed(
    value: Enclosure, bound: Enclosure, expected: tuple[float, float]
) -> None:
    found = slack(Number("n", value, bound))
    assert found is not None
    low, high = expected
    assert found.low <= low <= found.low * (1 + 1e-12) + 1e-300
    assert high <= found.high * (1 + 1e-12)
    assert found.high <= high * (1 + 1e-12)


@pytest.mark.parametrize(
    ("value", "bound"),
    [
        (Enclosure(0.0, 0.0), ONE),
        (Enclosure(-1.0, 1.0), ONE),
        (ONE, Enclosure(0.0, 1.0)),
        (ONE, Enclosure(-2.0, -1.0)),
        (ONE, None),
    ],
)
def test_slack_is_silent_where_it_says_nothing(value: Enclosure, bound: Enclosure | None) -> None:
    assert slack(Number("n", value, bound)) is None


def test_the_ledger_is_made_of_claims_and_checks() -> None:
    """The registry finds the modules: an empty ledger would satisfy every rule but the labels'."""
    for one in ledger().claims.values():
        assert isinstance(one, Claim)
        assert all(isinstance(check, Check) for check in one.checks)
    assert set(ledger().owners) == set(ledger().checks) | set(ledger().findings)
