"""The ledger's entries: complete, consistent with the record of proofs, fit to be read.

That their checks hold, and that findings are demonstrated, ``tgite audit`` says.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import msgspec
import pytest
from msgspec import structs

import synthetic_ledger
from golden import table
from synthetic_ledger import BELOW, FINDING, made_of
from tgite_checks import printed
from tgite_checks.audit.judgement import judge
from tgite_checks.audit.report.formulas import mathml
from tgite_checks.audit.report.prose import paragraphs, pieces
from tgite_checks.audit.tasks import Finished, tasks_of
from tgite_checks.bounds.constants.constant import STATED
from tgite_checks.bounds.constants.proved import proved_constant
from tgite_checks.check import Depth, Kind, Number, Question, Result
from tgite_checks.claims.coverage import sentences
from tgite_checks.claims.model import Claim, ClaimKind, Consequence, Finding, Outcome
from tgite_checks.claims.mutants import mutants
from tgite_checks.claims.problems import problems
from tgite_checks.claims.registry import ledger, paper_labels
from tgite_checks.claims.rendering import NoNumber, filled_in, render, sources_of, written
from tgite_checks.proofs.record import proved
from tgite_laws.enclosure import Enclosure
from tgite_laws.implementation import REFERENCE

CLAIMS = tuple(ledger().claims.values())
THEOREMS = tuple(check for check in ledger().checks.values() if check.kind is Kind.THEOREM)


def test_the_ledger_has_no_inconsistency() -> None:
    assert problems(ledger(), paper_labels(), parts=sentences()) == ()


def test_entries_are_of_the_papers_kinds_or_say_what_they_are() -> None:
    known = dict(paper_labels())
    rows = {f"{label}:": ClaimKind.TABLE_ROW for label, kind in known.items() if kind == "table"}
    for claim in CLAIMS:
        if claim.label in known:
            assert claim.kind == ClaimKind(known[claim.label])
        elif not claim.label.startswith(("assert:", "number:", "beyond:")):
            (kind,) = (kind for label, kind in rows.items() if claim.label.startswith(label))
            assert claim.kind is kind


def test_every_theorem_is_used_and_every_lemma_theorem_and_corollary_is_proved() -> None:
    used = {name for check in THEOREMS for name in check.certifies}
    assert {name for name, theorem in proved().items() if theorem.labels} <= used
    for claim in CLAIMS:
        if claim.kind in (ClaimKind.LEMMA, ClaimKind.THEOREM, ClaimKind.COROLLARY):
            theorems = [proved()[name] for name in claim.checks.get("coq", ())]
            assert any(claim.is_proved_by(theorem.labels) for theorem in theorems), claim.label


def test_a_refuted_claim_is_amended_and_a_constant_is_explicit() -> None:
    """Of other words :mod:`tgite_checks.claims.words` asks what they need."""
    for claim in CLAIMS:
        for verdict in claim.verdicts.values():
            assert verdict.outcome is not Outcome.REFUTED or verdict.amendment.strip(), claim.label
        truth = claim.verdicts.get(Question.TRUTH)
        if truth is not None and any(one.startswith("constant-") for one in claim.check_names):
            assert re.search(r"C\S* = {{(constant|proved) .*}}", truth.explicit), claim.label


_NAMES = {"label", "name", "numbers", "checks", "transcription", "demonstration", "repeats"}


def _strings(held: object) -> Iterator[str]:
    """Yield the texts in what an entry holds: all strings but names."""
    if isinstance(held, str):
        yield held
    elif isinstance(held, dict | list | tuple):
        of = held.items() if isinstance(held, dict) else enumerate(held)
        yield from (text for name, one in of if name not in _NAMES for text in _strings(one))


TEXTS = [
    (name, text)
    for parts in (ledger().claims, ledger().findings)
    for name, part in parts.items()
    for text in _strings(msgspec.to_builtins(part))
]
"""Each text of a claim or a finding, with the entry's name."""
OF_CHECKS = [(check.name, check.domain) for check in ledger().checks.values()]


def test_texts_are_in_plain_words_and_name_places_by_section() -> None:
    unwanted = re.compile(r"\bl\.\d|\\[a-z]+|\$|\bTODO\b|/(work|tmp|home)/")
    for name, text in TEXTS + OF_CHECKS:
        in_words = "".join(piece for kind, piece in pieces(text) if kind in ("words", "code"))
        assert not unwanted.search(in_words), f"{name}: {unwanted.search(in_words)}"
        assert "  " not in text, f"{name}: doubled space"
        for displayed, paragraph in paragraphs(text):
            alone = re.fullmatch(r"\$\$[^$]+\$\$", paragraph) is not None
            assert alone == displayed == ("$$" in paragraph), f"{name}: displayed in a paragraph"


def test_a_domain_is_in_sentences() -> None:
    domains = [(one.name, one.domain) for one in ledger().checks.values()]
    domains += [(one.label, it.domain) for one in CLAIMS for it in one.verdicts.values()]
    for name, domain in domains:
        assert re.search(r"\.\)?\s*$", domain), f"{name}: {domain}"
        assert name.startswith("constant-") or ";" not in domain, f"{name}: {domain}"


def test_formulas_can_be_set() -> None:
    for name, text in TEXTS + OF_CHECKS:
        for kind, piece in pieces(text):
            if kind in ("formula", "display"):
                # A number is filled in where a formula has its place: any may stand for it.
                filled = re.sub(r"\{\{[^{}]*\}\}", "1", piece)
                assert "<math" in mathml(filled), name
                assert "\\mathrm" not in filled, f"{name}: the words in a formula are text"


def test_entries_refer_to_entries_that_there_are() -> None:
    # A reference is a label in backticks; a module path has dots, a file a dot too.
    for name, text in TEXTS + OF_CHECKS:
        for label in re.findall(r"`((?:assert|number|lem|thm|cor|alg|tab|fig|eq):[^`]+)`", text):
            named = any(f"{entry}:".startswith(f"{label}:") for entry in ledger().claims)
            assert named or label.endswith("..."), f"{name} refers to {label}"


_NUMBER = re.compile(r"(?<![\w.])(?:\d{1,3}(?:,\d{3})+(?!\d)|\d*\.\d+(?:e-?\d+)?|\d+(?:e-?\d+)?)")
_NO_NUMBERS = re.compile(r"\{\{.*?\}\}|`[^`]*`|\d+/\d[\d,]*")
_COUNTED = re.compile(r"\d+ (?:conventions|mutants|vectors|checks|claims|findings|theorems)")


def _digits(number: str) -> int:
    """Count the significant digits of a number as it is written."""
    digits = number.partition("e")[0]
    counted = digits.replace(".", "").lstrip("0")
    return len(counted if "." in digits else counted.rstrip("0"))


def test_no_number_of_ours_is_typed() -> None:
    """What a computation gives is taken from it; what is typed is the paper's, or given."""
    lists = tomllib.loads((Path(__file__).parents[1] / "typed_numbers.toml").read_text("utf-8"))
    listed = {*lists["printed"], *lists["given"]}
    experiments = Path(printed.__file__).with_suffix(".toml").read_text("utf-8")
    known = {number.replace("_", "") for number in re.findall(r"[\d_.]+", experiments)}
    met = set()
    for name, text in TEXTS:
        typed = _NO_NUMBERS.sub("", text)
        assert not _COUNTED.search(typed), f"{name}: {text}"
        numbers = {number.replace(",", "") for number in _NUMBER.findall(typed)}
        met |= numbers
        strays = {one for one in numbers if _digits(one) >= 3} - listed - known
        assert not strays, f"{name}: {strays} typed in {text!r}"
    assert listed <= met


def test_a_stray_number_is_seen() -> None:
    assert _COUNTED.search("36 conventions")
    for stray in ("22,084 duels", "1.71e-5", "0.608 delta"):
        assert max(_digits(one.replace(",", "")) for one in _NUMBER.findall(stray)) >= 3


def test_texts_take_numbers_from_what_runs_with_them() -> None:
    """So that the audit of one claim alone has them; and none is named in vain."""
    for label, claim in ledger().claims.items():
        about = ledger().findings_about(label)
        shown = {part.name for one in about for part in one.parts if part.demonstration}
        ours = {*claim.check_names, *shown}
        parts: list[Claim | Finding] = [claim, *about]
        for part in parts:
            assert sources_of(part) <= ours, part
            said = msgspec.json.encode(part).decode()
            assert all(f"{{{{{name}}}}}" in said for name in part.numbers), label


HELD = {name: finding for finding in ledger().findings.values() for name in finding.held_by}
SLOWLY = {"anytime-beats-not-all", "weak-not-lowest"}  # The audit with --mutants tries them.


@pytest.mark.parametrize("name", HELD)
def test_a_false_correction_fails_the_audit(name: str) -> None:
    """What holds a correction refuses another one, whose run contradicts the record."""
    evidence = ledger().checks.get(name) or ledger().demonstrations[name]
    assert evidence.refuses
    part = ledger().selected([HELD[name].label])
    tasks = tasks_of(part, mutants=False)
    done = {task: Finished(task, Result(True, 1, "so it is")) for task in tasks}
    assert judge(part, done, depth=Depth.QUICK, theorems=proved()).differences() == ()
    (planted,) = (task for task in tasks if task.name == name)
    for run in () if name in SLOWLY else evidence.refuses.values():
        done[planted] = Finished(planted, run(REFERENCE, Depth.QUICK))
        assert done[planted].tells_apart()
        (found,) = judge(part, done, depth=Depth.QUICK, theorems=proved()).differences()
        assert name in found


def test_one_name_leads_everywhere() -> None:
    root = Path(__file__).resolve().parents[2]
    names = ["duel_test", "budgeted_duel_test", "bkt", "tree", "tree_ascent", "screen_and_replace"]
    for name in [*names, "bai", "weak", "strong"]:
        ours = (f"claims/{name}.toml", f"claims/mutants/{name}.toml", f"fidelity/{name}.py")
        assert all((root / "proofs_checks" / "tgite_checks" / place).is_file() for place in ours)
        assert (root / "reference" / "tgite" / f"{name}.py").is_file()


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.label)
def test_a_label_leads_to_code_and_each_algorithm_to_checks_and_mutants(claim: Claim) -> None:
    for place in claim.transcription:
        module, _, name = place.rpartition(".")
        owner: object = sys.modules.get(module)
        if owner is None:  # A method: its class stands in between.
            module, _, kind = module.rpartition(".")
            owner = getattr(import_module(module), kind)
        assert hasattr(owner, name), place
    if claim.kind is ClaimKind.ALGORITHM:
        rejected = {name for check in ledger().checks_of(claim) for name in check.rejects}
        about = {one.name for one in mutants() if one.label == claim.label}
        assert claim.transcription
        assert about & rejected


def test_a_constant_is_attached_to_the_statements_that_have_it() -> None:
    attached = {
        (f"constant-{constant.key}", label)
        for constant in STATED.values()
        for label in constant.labels
        if Question.TRUTH in ledger().claims[label].verdicts  # Else code, with nothing to be true.
    }
    listed = {(name, claim.label) for claim in CLAIMS for name in claim.check_names}
    assert {one for one in listed if one[0].startswith("constant-")} == attached


NUMBERS = (
    Number("duels, N = 8", Enclosure(12038.6, 12039.4), Enclosure(24.44, 24.46)),
    Number("fewest", Enclosure(5902.0, 5902.0)),
)
RESULTS = {"counted": Result(True, 1, "", NUMBERS)}


def test_placeholders_are_filled() -> None:
    proved = proved_constant("lem_app_dueltest_time", "C_dt")
    for text, filled in (
        ("at least {{counted: fewest}} of them", "at least 5902 of them"),
        ("{{counted: duels, N = 8 | whole}}", "12,039"),
        ("{{ counted: duels, N = 8 | bound 3 }}", "24.4 to 24.5"),
        ("{{proved lem_app_dueltest_time C_dt}}", f"{proved}"),
        ("{{constant dueltest}}", f"{float(STATED['dueltest'].certified):g}"),
        ("P{x} = {y} }} {{", "P{x} = {y} }} {{"),
    ):
        assert render(text, RESULTS) == filled


@pytest.mark.parametrize(("text", "said"), table("checks/rendering.toml", "missing"))
def test_a_number_that_nothing_gives_is_said(text: str, said: str) -> None:
    with pytest.raises(NoNumber, match=said) as refusal:
        render(text, RESULTS)
    assert text in str(refusal.value)
    assert render(text, RESULTS, missing=True).startswith("(no number: ")


@pytest.mark.parametrize(("low", "high", "how", "shown"), table("checks/rendering.toml", "written"))
def test_numbers_are_written_no_more_precisely_than_they_are_known(
    low: float, high: float, how: str, shown: str
) -> None:
    assert written(Enclosure(low, high), how) == shown


def test_a_whole_ledger_is_filled_in() -> None:
    asking = synthetic_ledger.claim(
        "lem:x", BELOW, title="{{counted: fewest}}", not_established="{{other: n}}"
    )
    numbers, words = {"n": "counted: fewest"}, ("hence", "lem:x", "line 2", "Nor is {{n}}; {{m}}.")
    finding = structs.replace(
        FINDING,
        label="lem:x",
        reason="{{counted: fewest}} is not 1.",
        consequences=(Consequence(*words, numbers=numbers),),
        numbers={"m": "counted: fewest"},
    )
    assert sources_of(finding) == {"counted"}
    of = made_of(asking, findings=(finding,))
    assert sources_of(of.claims["lem:x"]) == {"counted", "other"}
    filled = filled_in(of, RESULTS, missing=True)
    assert filled.claims["lem:x"].title == "5902"
    assert filled.claims["lem:x"].not_established == "(no number: other gave no result)"
    assert filled.claims["lem:x"].checks == of.claims["lem:x"].checks
    assert filled.findings["one-is-two"].reason == "5902 is not 1."
    assert filled.findings["one-is-two"].consequences[0].follows == "Nor is 5902; 5902."
    with pytest.raises(NoNumber, match="other"):
        filled_in(of, RESULTS)
