"""The ledger: how it is gathered, what makes one inconsistent, and that the project's is not."""

from __future__ import annotations

import pkgutil
import subprocess
import sys
import tomllib
from dataclasses import replace
from importlib import import_module
from math import inf
from pathlib import Path

import pytest
from msgspec import structs

import synthetic_ledger
from synthetic_ledger import BELOW, FINDING, RADIUS, SLOW, SOUND, claim, made_of
from tgite import InvalidInput
from tgite_checks.bounds import bkt
from tgite_checks.check import Check, Kind, Question, Statistics
from tgite_checks.claims.book import Ledger
from tgite_checks.claims.model import ClaimKind, Outcome, Verdict
from tgite_checks.claims.problems import problems
from tgite_checks.claims.reading import Unreadable
from tgite_checks.claims.registry import Duplicate, NotFound, assemble, ledger, load
from tgite_checks.plot import Plot, Series
from tgite_checks.proofs.record import ProvedTheorem, Record, dump, read_record
from tgite_laws.enclosure import Enclosure

ONE = Enclosure(1.0, 1.0)
HOLDS = Verdict(Outcome.HOLDS, "all")
SPARE = replace(BELOW, name="spare")
THEOREM = ProvedTheorem("sum", "Sum.v", ("lem:first",), "1 + 1 = 2", {"two": "2"}, ())


def with_mutant(**changes: object) -> Ledger:
    changed = structs.replace(synthetic_ledger.NO_SQUARE_ROOT, **changes)
    return replace(SOUND, mutants={**SOUND.mutants, changed.name: changed})


def entry(*checks: Check, **changes: object) -> Ledger:
    return made_of(claim("lem:x", *checks, **changes))


@pytest.mark.parametrize(
    ("spoiled", "said"),
    [
        (entry(replace(RADIUS, rejects=())), "must reject at least one mutant"),
        (entry(replace(RADIUS, rejects=("absent",))), "absent, which is no"),
        (entry(replace(BELOW, refuses={})), "must refuse at least one perturbed statement"),
        (entry(replace(SLOW, statistics=None)), "error rates"),
        (entry(replace(BELOW, kind=Kind.STATISTICAL)), "error rates"),
        (entry(replace(SLOW, statistics=Statistics(2e-6, 0.9, "some"))), "over 1e-06"),
        (entry(replace(BELOW, kind=Kind.THEOREM)), "names no theorem"),
        (entry(replace(BELOW, certifies=("product",))), "relies on product"),
        (entry(RADIUS, nothing_to_check="none"), "must have checks"),
        (entry(nothing_to_check=""), "must have checks"),
        (entry(RADIUS, verdicts={}), "has no verdict"),
        (entry(RADIUS, verdicts={Question.TRUTH: HOLDS}), "a check of its fidelity, but no verd"),
        (entry(RADIUS, RADIUS), "2 times"),
        (entry(RADIUS, not_established=" "), "its not_established is empty"),
        (entry(replace(RADIUS, domain="")), "its domain is empty"),
        (entry(replace(RADIUS, domain="With the seeds 0 to 9.")), "exhaustive, and draws seeds"),
        (entry(replace(BELOW, sizes={"seeds:": (1, 2, 3)})), "certified, and draws seeds"),
        (made_of(claim("lem:x", RADIUS), findings=(FINDING,)), "lem:first, which has no entry"),
        (replace(SOUND, findings={"x": structs.replace(FINDING, correction="")}), "no correction"),
        (replace(SOUND, checks={**SOUND.checks, "spare": SPARE}), "no claim"),
        (with_mutant(name="idle"), "idle: no check rejects"),
        (with_mutant(original="x y"), "occurs 0 times"),
        (with_mutant(rejected_by=("absent",)), "rejected by absent, which is no check"),
    ],
)
def test_what_is_wrong_with_a_ledger_is_said(spoiled: Ledger, said: str) -> None:
    assert problems(SOUND, (("lem:first", "lemma"),), {}) == ()
    assert any(said in problem for problem in problems(spoiled, (), {}))


def test_a_label_of_the_paper_needs_an_entry_and_rows_stand_for_their_table() -> None:
    rows = made_of(claim("tab:one:row", RADIUS))
    assert problems(rows, (("tab:one", "table"),), {}) == ()
    (problem,) = problems(rows, (("tab:on", "table"), ("tab:one", "table")), {})
    assert problem == "tab:on: the paper's table has no entry"


def test_theorems_come_from_the_record() -> None:
    certified = made_of(claim("lem:first", replace(BELOW, kind=Kind.THEOREM, certifies=("sum",))))
    assert any("sum" in problem for problem in problems(certified, (), {}))
    record = Record((THEOREM,), {"Sum.two": "2"})
    assert read_record(dump(record)) == record
    assert not any("sum" in problem for problem in problems(certified, (), {"sum": THEOREM}))


@pytest.mark.parametrize(
    "text", ["", "[]", '{"theorems": {}}', '{"theorems": [{"name": "sum"}]}', '{"theorems": [1']
)
def test_what_is_no_record_of_theorems_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match=r"proved\.json"):
        read_record(text)


FOLDER = Path(__file__).parent
FILE = (FOLDER / "ledger.toml").read_text("utf-8")
WRONG = tomllib.loads((FOLDER / "wrong_ledgers.toml").read_text("utf-8"))


def test_a_ledger_is_put_together_from_files() -> None:
    made = assemble({"some.toml": FILE}, (synthetic_ledger.NO_SQUARE_ROOT,), ("lem:first",))
    assert list(made.claims) == ["lem:first", "lem:a"]
    first = made.claims["lem:first"]
    assert first.kind is ClaimKind.LEMMA
    assert first.statement == "One and one is\n\n  2\n\nto all who count."
    assert first.verdicts == {Question.TRUTH: Verdict(Outcome.HOLDS, "all")}
    halving, theorem = made.checks_of(first)
    assert halving is made.checks["bkt-halving"] is bkt.halving
    assert (theorem.name, theorem.certifies) == ("proved-lem-first", ("lem_app_bkt_subset_cost",))
    assert {one.run for one in made.demonstrations.values()} == {bkt.halving.run}
    finding = made.findings["one-is-two"]
    assert [one.follows for one in finding.consequences] == ["2 = 3."]
    assert made.findings_about("lem:first") == made.findings_about("lem:a") == (finding,)
    found = "tgite_checks.bounds.bkt"
    assert made.owners == dict.fromkeys(("bkt-halving", "one-is-two", "two-is-three"), found) | {
        "proved-lem-first": "tgite_checks.proofs.accepted"
    }
    assert made.mutants == {"no-square-root": synthetic_ledger.NO_SQUARE_ROOT}


def test_a_claim_takes_from_the_one_that_it_repeats_what_it_does_not_say() -> None:
    again = (FOLDER / "ledger_again.toml").read_text("utf-8")
    made = assemble({"again.toml": again, "some.toml": FILE}).claims
    for field in ("verdicts", "not_established", "proved_domain"):
        assert getattr(made["lem:again"], field) == getattr(made["lem:first"], field)
    assert not made["lem:again"].check_names
    assert not made["lem:less"].verdicts
    assert made["lem:less"].not_established == "Less."


@pytest.mark.parametrize(("right", "wrong", "said"), WRONG["unreadable"])
def test_a_file_of_another_form_is_refused(right: str, wrong: str, said: str) -> None:
    with pytest.raises(Unreadable, match=said):
        assemble({"some.toml": FILE.replace(right, wrong, 1)})


@pytest.mark.parametrize(("right", "wrong", "said"), WRONG["absent"])
def test_a_name_that_leads_nowhere_is_said(right: str, wrong: str, said: str) -> None:
    made = assemble({"some.toml": FILE.replace(right, wrong, 1)})
    with pytest.raises(NotFound, match=said):
        [*made.checks.values(), *made.demonstrations.values()]


@pytest.mark.parametrize(("right", "wrong", "said"), WRONG["named_twice"])
def test_two_parts_of_one_name_are_refused(right: str, wrong: str, said: str) -> None:
    with pytest.raises(Duplicate, match=said):
        assemble({"some.toml": FILE.replace(right, wrong, 1)})
    with pytest.raises(Duplicate, match="named lem:first"):
        assemble({"some.toml": FILE, "other.toml": FILE})
    with pytest.raises(Duplicate, match="named no-square-root"):
        assemble({}, (synthetic_ledger.NO_SQUARE_ROOT, synthetic_ledger.NO_SQUARE_ROOT))


def test_a_ledger_is_found_by_its_name() -> None:
    assert load("synthetic_ledger:BROKEN") is synthetic_ledger.BROKEN
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


def test_plots_hold_what_can_be_drawn() -> None:
    with pytest.raises(InvalidInput, match="finite x"):
        Series("curve", ((inf, ONE),))
    with pytest.raises(InvalidInput, match="must have a point"):
        Series("curve", ())
    with pytest.raises(InvalidInput, match="must have a series"):
        Plot("picture", "x", "y", ())


def test_every_check_of_the_modules_belongs_to_a_claim() -> None:
    for folder in ("fidelity", "bounds", "figures"):
        package = import_module(f"tgite_checks.{folder}")
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            for held in vars(import_module(found.name)).values():
                for one in held if isinstance(held, tuple) else (held,):
                    if isinstance(one, Check):
                        assert ledger().checks[one.name].run is one.run


def test_one_claim_imports_only_what_it_needs() -> None:
    """Selecting a claim of BKT loads none of the other algorithms' checks, and no figures."""
    asked = (
        "import sys; from tgite_checks.claims.registry import ledger; "
        "ledger().selected(['alg:bkt']); print(*sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    loaded = set(ran.stdout.split())
    assert "tgite_checks.fidelity.bkt" in loaded
    for other in ("fidelity.weak", "fidelity.strong", "figures.assertions", "bounds.weak"):
        assert f"tgite_checks.{other}" not in loaded, other
