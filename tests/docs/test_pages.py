"""The pages that are made from the ledger: what they say, and that they have not drifted."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs

from golden import same_as
from synthetic_ledger import SOUND
from tgite_checks.audit.tasks import perform, tasks_of
from tgite_checks.check import Depth
from tgite_checks.claims.registry import ledger, paper_labels
from tgite_checks.claims.rendering import filled_in
from tgite_laws.implementation import REFERENCE
from tgite_pages.entries import BLOCKS, OF_THEIR_OWN, entries
from tgite_pages.markdown import comment, escaped, prose
from tgite_pages.pages import DOCS, drifted, main, pages, pages_of_site
from tgite_pages.places import exists

LEFT_OPEN = filled_in(ledger(), {}, missing=True)


@functools.cache
def the_pages() -> Mapping[str, str]:
    """Return the project's own pages, with no number filled in."""
    return pages(LEFT_OPEN)


def test_pages_of_a_small_ledger_are_as_they_are_kept() -> None:
    """All of them, whole, but for the lines of files that they link to."""
    ran = {
        task.name: perform(task, Depth.QUICK, "synthetic_ledger:SOUND").result
        for task in tasks_of(SOUND, mutants=False)
    }
    made = pages(SOUND, {name: found for name, found in ran.items() if found})
    text = "".join(f"===== {name}\n{page}" for name, page in sorted(made.items()))
    same_as(Path(__file__).with_name("pages.txt"), re.sub(r"#L\d+(-L\d+)?", "#L", text))


def test_a_label_leads_to_code_data_checks_mutants_proofs_and_tests() -> None:
    """Its entry is one hop from the index, and all of them one from the entry, mutants two.

    Algorithms also lead to their definitions in Coq, constants to certificates and their tests.
    """
    of, made = entries(LEFT_OPEN, {}), the_pages()
    everything = "".join(made.values())
    for label, kind in paper_labels():
        if label not in of:
            continue
        entry = of[label]
        assert f"[`{label}`]({entry.link('docs/claims.md')})" in made["claims.md"], label
        assert entry.written is not None, label
        assert entry.proofs or kind not in {"lemma", "theorem", "corollary"}, label
        places = [entry.written, *(place for _, place in entry.code), *entry.tests]
        if kind == "algorithm":
            assert entry.code, label
            assert entry.tests, label
            assert any(one.mutants for one in entry.checks), label
            assert entry.model is not None, label
            assert "Definition " in entry.model.text, label
            places.append(entry.model)
        if entry.claim.kind in OF_THEIR_OWN:
            assert all(f"\n## {title}\n" in made[entry.page] for title in BLOCKS), label
        places += [one.place for one in entry.checks]
        places += [place for one in entry.proofs for place in (one.stated.place, one.file)]
        for one in entry.checks:
            assert bool(one.certificate) == one.check.name.startswith("constant-"), label
        for place in places:
            assert place.link(f"docs/{entry.page}") in made[entry.page], (label, place)
        elsewhere = [place for one in entry.checks for _, place in one.mutants]
        for place in [*elsewhere, *(place for one in entry.checks for place in one.certificate)]:
            assert exists(place.file), (label, place)
            assert place.link(f"docs/{entry.page}") in everything, (label, place)
    bkt = of["alg:bkt"]
    assert bkt.code[0][1].file == "reference/tgite/bkt.py"
    assert "tests/reference/test_algorithms.py" in [place.file for place in bkt.tests]
    assert bkt.model is not None
    assert bkt.model.text.startswith("(** ** BKT (alg:bkt)")
    assert "TreeAscent" not in bkt.model.text
    strong = of["thm:strong-anytime-main"].checks
    (certify, _), *_ = [one.certificate for one in strong if "constant-strong" in one.check.name]
    assert certify.file.endswith("bounds/constants/phases.py")
    assert "def anytime(" in certify.text


def test_the_site_has_what_is_too_long_to_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tgite_pages.pages.with_results", lambda of: (of, {}))
    made = pages_of_site()
    assert "| [`bkt`](../reference/tgite/bkt.py) |" in made["api.md"]
    assert "[`alg:bkt`](paper/alg-bkt.md)" in made["sentences.md"]
    assert "\n`beyond:mixture-test`, " in made["beyond/beyond-the-paper.md"]


@pytest.mark.parametrize(
    ("shown", "text", "expected"),
    [
        (prose, "$$x$$\n\nand", "\n$$x$$\n\nand\n"),
        (escaped, "a* < b_1 | c", r"a\* \< b\_1 \| c"),
        (escaped, "`a_b | <c>` and d_e", r"`a_b | <c>` and d\_e"),
        (escaped, "[0, 1] ~ #2", r"\[0, 1\] \~ \#2"),
        (escaped, r"so $|a_1|$ it is", r"so $\vert a_1\vert $ it is"),
        (comment, "_Here:_ E[R_T] of [policy n]", r"*Here:* E\[R\_T\] of `policy n`"),
    ],
)
def test_texts_are_shown_literally(shown: Callable[[str], str], text: str, expected: str) -> None:
    """Formulas on lines of their own, and code that Coq's comments have in brackets."""
    assert shown(text) == expected


@pytest.mark.parametrize(
    "name",
    [
        *("bkt-paths", "dueltest-radius", "schedules-weak", "weak-epochs", "tree-blocks"),
        *("bkt-log-rounds", "known-gap-budgets"),
    ],
)
def test_the_page_counts_what_a_check_examines(name: str) -> None:
    """Only for quick checks: continuous integration compares all pages."""
    pages = "".join(path.read_text("utf-8") for path in sorted(DOCS.glob("paper/*.md")))
    said = re.search(rf"- \[`{name}`\]\([^)]*\) \([^)]* ([\d,]+) cases right\)", pages)
    assert said is not None
    assert said[1] == f"{ledger().checks[name].run(REFERENCE, Depth.QUICK).examined:,}"


def test_the_command_writes_and_checks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    docs, made = tmp_path / "docs", pages(SOUND)
    assert main(["--check"], made, docs) == 1
    assert capsys.readouterr().out.count("docs/") == len(made)
    assert main([], made, docs) == 0
    assert main(["--check"], made, docs) == 0
    spoilt = structs.replace(SOUND.claims["lem:first"], title="Another title")
    other = replace(SOUND, claims={**SOUND.claims, "lem:first": spoilt})
    assert drifted(pages(other), docs) == ("claims.md", "paper/lem-first.md")
    (docs / "statistics.md").write_text("drifted", encoding="utf-8")
    (docs / "paper" / "gone.md").write_text("made no more", encoding="utf-8")
    capsys.readouterr()
    assert main(["--check"], made, docs) == 1
    told = capsys.readouterr().out
    assert "docs/statistics.md is out of date" in told
    assert "docs/paper/gone.md is out of date" in told
    assert main([], made, docs) == 0
    assert not (docs / "paper" / "gone.md").exists()
    assert main(["--force"], made, docs) == 2
