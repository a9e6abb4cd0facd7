"""The paper's sentences: what is wrong with their list is said, and the project's is right."""

from __future__ import annotations

import pytest

from synthetic_ledger import SOUND
from tgite_checks.claims.coverage import (
    NoClaim,
    counted,
    problems_of_coverage,
    read_sentences,
    sentences,
)
from tgite_checks.claims.problems import problems
from tgite_checks.claims.reading import Unreadable
from tgite_checks.claims.registry import ledger

COVERED = f"""
[[section]]
place = "Section 1"
[[section.paragraph]]
name = "paragraph 1"
sentences = [
"course",
["all of it", {", ".join(map(repr, (*SOUND.claims, *SOUND.findings)))}],
]"""


def test_a_list_that_covers_a_ledger_has_no_problems() -> None:
    parts = read_sentences(COVERED)
    assert list(problems_of_coverage(SOUND, parts)) == []
    (paragraph,) = parts[0].paragraph
    assert list(paragraph.claims) == [2]
    assert counted(parts)[1] == {NoClaim.DEFINITION: 0, NoClaim.COURSE: 1, NoClaim.MOTIVATION: 0}


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("'lem:first'", "'lem:frist'", "sentence 2 (all of it): lem:frist is neither a claim nor"),
        ("'lem:first', ", "", "lem:first: it covers no sentence of the paper"),
        ("'lem:first'", "'lem:first', 'lem:first'", "names lem:first 2 times"),
        ('"course"', '["nothing"]', "paragraph 1, sentence 1 (nothing): no entry covers it"),
        ('"Section 1"', '"Section 1"\nlabel = "sec:no"', "sec:no: the heading has no entry"),
        (COVERED, f"{COVERED}\n{COVERED}", "Section 1, paragraph 1: occurs 2 times"),
    ],
)
def test_what_is_wrong_with_a_list_is_said(right: str, wrong: str, said: str) -> None:
    text = COVERED.replace(right, wrong)
    assert text != COVERED
    found = list(problems_of_coverage(SOUND, read_sentences(text)))
    assert any(said in one for one in found), found


@pytest.mark.parametrize(
    ("right", "wrong"), [('"course"', '"aside"'), ("place", "plaice"), ('"course"', "3")]
)
def test_a_list_of_another_form_is_refused(right: str, wrong: str) -> None:
    with pytest.raises(Unreadable, match=r"sentences\.toml"):
        read_sentences(COVERED.replace(right, wrong))


def test_every_sentence_of_the_paper_is_covered_and_every_entry_is_reached() -> None:
    assert list(problems_of_coverage(ledger(), sentences())) == []


def test_a_ledger_with_an_uncovered_entry_has_a_problem() -> None:
    parts = read_sentences(COVERED.replace("'lem:first', ", ""))
    assert "lem:first: it covers no sentence of the paper" in problems(SOUND, (), {}, parts)
