"""The pages that are made from the ledger: what they say, and that they have not drifted."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs

from synthetic_ledger import BELOW, SOUND, claim, made_of
from tgite_checks.audit.pages import DOCS, drifted, escaped, main, pages, where
from tgite_checks.check import Question
from tgite_checks.claims.model import Outcome, Verdict
from tgite_checks.claims.registry import ledger, paper_labels
from tgite_checks.claims.rendering import filled_in


def test_claims_are_listed_with_their_verdicts_and_checks() -> None:
    text = pages(SOUND)["claims.md"]
    for said in (
        "| [`lem:first`](#lem-first) About `lem:first` | holds | certified |  |",
        "0 \\< δ \\< 1.",
        "```text\nP(error) ≤ δ·Δ² < 1\n```",
        "- check `radius` (fidelity, exhaustive): n = 1 at level 1/10",
        "  - rejects the mutants `no-square-root`",
        "  - refuses: half as much",
        "Not established: Anything else.",
        "Nothing to check: It is a definition.",
        "[one-is-two](discrepancies.md#one-is-two)",
    ):
        assert said in text, said


def test_discrepancies_are_listed_by_severity_and_with_amendments() -> None:
    failing = claim(
        "lem:x", BELOW, verdicts={Question.TRUTH: Verdict(Outcome.REFUTED, "all", "N > 2 | or so")}
    )
    text = pages(made_of(failing, findings=(*SOUND.findings.values(),)))["discrepancies.md"]
    assert "## Slack (2)" in text
    assert "demonstrated by a run" in text
    assert "argued in words" in text
    assert "| [`lem:x`](claims.md#lem-x) | truth | refuted | N \\> 2 \\| or so |" in text


def test_error_rates_are_added_up() -> None:
    text = pages(SOUND)["statistics.md"]
    assert "| `slow` | experiment | 1e-09 | 0.99 | a gate that is closed |" in text
    assert "| **all** |  | **1e-09** |  | of 1e-06 |" in text
    assert "1 mutants" in text


def test_every_link_within_the_pages_has_a_target() -> None:
    for of in (SOUND, filled_in(ledger(), {}, missing=True)):
        made = pages(of)
        targets = {name: set(re.findall(r'<a id="([^"]*)">', text)) for name, text in made.items()}
        for name, text in made.items():
            assert len(targets[name]) == len(re.findall(r"<a id=", text))
            for page, anchor in re.findall(r"\]\(([a-z]*\.md)?#([^)]*)\)", text):
                assert anchor in targets[page or name], (name, anchor)


def test_a_label_leads_to_code_data_checks_mutants_proofs_and_tests() -> None:
    """One hop: its entry on the page links to all of them."""
    of = ledger()
    for label, kind in paper_labels():
        claim = of.claims.get(label)
        if claim is None:
            continue
        there = where(claim, of)
        assert "claim" in there, label
        if kind == "algorithm":
            assert there.keys() >= {"code", "checks", "mutants", "tests"}, label
        if kind in {"lemma", "theorem", "corollary"}:
            assert "proofs" in there, label
        assert all((DOCS.parent / file).is_file() for files in there.values() for file in files)
    there = where(of.claims["alg:bkt"], of)
    assert "reference/tgite/bkt.py" in there["code"]
    assert "tests/test_bkt.py" in there["tests"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a* < b_1 | c", r"a\* \< b\_1 \| c"),
        ("`a_b | <c>` and d_e", r"`a_b | <c>` and d\_e"),
        ("[0, 1] ~ #2", r"\[0, 1\] \~ \#2"),
    ],
)
def test_texts_are_shown_literally(text: str, shown: str) -> None:
    assert escaped(text) == shown


def test_the_command_writes_and_checks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    docs = tmp_path / "docs"
    assert main(["--check"], SOUND, docs) == 1
    assert main([], SOUND, docs) == 0
    assert main(["--check"], SOUND, docs) == 0
    assert capsys.readouterr().out.count("docs/") == 3
    spoilt = structs.replace(SOUND.claims["lem:first"], title="Another title")
    other = replace(SOUND, claims={**SOUND.claims, "lem:first": spoilt})
    assert drifted(other, docs) == ("claims.md",)
    (docs / "statistics.md").write_text("drifted", encoding="utf-8")
    assert main(["--check"], SOUND, docs) == 1
    assert "docs/statistics.md is not as the ledger makes it" in capsys.readouterr().out
    assert main(["--force"], SOUND, docs) == 2
