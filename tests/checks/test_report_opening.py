"""What a report says first: counted and named as the ledger and the run have it."""

from __future__ import annotations

import io
from collections.abc import Mapping
from fractions import Fraction

import pytest
from rich.console import Console

from synthetic_ledger import Checked, claim, failing, made_of
from tgite_checks.audit.judgement import Judged, judge
from tgite_checks.audit.report.numbers import outwards
from tgite_checks.audit.report.opening import agreement, bounds, headline, printed_rows, word
from tgite_checks.audit.report.sentences import sentences
from tgite_checks.audit.report.terminal import show
from tgite_checks.audit.tasks import Aim, Finished, Task
from tgite_checks.bounds.constants.constant import STATED
from tgite_checks.check import Check, Depth, Kind, Number, Question, Result
from tgite_checks.claims.model import ClaimKind, Outcome, Verdict
from tgite_checks.claims.registry import ledger
from tgite_checks.figures.table import ROWS, Reading, What, number_name
from tgite_checks.printed import NUMBERS
from tgite_laws.enclosure import Enclosure


def check(name: str, question: Question = Question.TRUTH) -> Check:
    return Check(name, question, Kind.CERTIFIED, "all", failing)


def said(label: str, outcome: Outcome, kind: ClaimKind = ClaimKind.ASSERTION) -> Checked:
    verdicts = {Question.TRUTH: Verdict(outcome, "all")}
    return claim(label, kind=kind, title=f"Title of {label}", verdicts=verdicts)


def found(
    *claims: Checked, results: Mapping[str, Result] | None = None, whole: bool = True
) -> Judged:
    """Judge claims whose checks found what is given."""
    done = {
        Task(Aim.CHECK, name): Finished(Task(Aim.CHECK, name), result)
        for name, result in (results or {}).items()
    }
    return judge(made_of(*claims), done, depth=Depth.QUICK, whole=whole)


def of_readings(fewest: Mapping[Reading, float]) -> Result:
    """Return what a check of a printed number finds, if that is the least of any run."""
    named = {
        number_name(what, reading): Enclosure.exactly(
            fewest[reading] if what is What.FEWEST else 100_000.0
        )
        for reading in Reading
        for what in What
        if what is not What.CHANCE
    }
    return Result(True, 1, "found", tuple(Number(*one) for one in named.items()))


def test_a_headline_claim_stands_once_with_what_repeats_it() -> None:
    theorem = said("thm:x", Outcome.PROVED, ClaimKind.THEOREM)
    row = claim("tab:x", kind=ClaimKind.TABLE_ROW, repeats="thm:x")
    alone = claim("cor:y", kind=ClaimKind.COROLLARY, repeats="thm:elsewhere")
    shown = headline(found(row, theorem, alone, said("lem:z", Outcome.HOLDS, ClaimKind.LEMMA)))
    assert {one.claim.label: [two.claim.label for two in again] for one, again in shown} == {
        "thm:x": ["tab:x"],
        "cor:y": [],
    }


def test_what_the_run_contradicts_is_not_counted_as_proved() -> None:
    theorem = claim("thm:x", check("x"), kind=ClaimKind.THEOREM)
    right, wrong = (found(theorem, results={"x": Result(ok, 1, "")}) for ok in (True, False))
    assert word(right.entries[0], Question.TRUTH) == Outcome.CERTIFIED
    assert word(wrong.entries[0], Question.TRUTH) == "not confirmed"
    assert word(wrong.entries[0], Question.EXPERIMENT) == ""
    assert "1 certified" in sentences(right)[0]
    assert "1 not confirmed" in sentences(wrong)[0]
    assert agreement(right).startswith("All results match the recorded ones")
    assert "1 result differs from the recorded ones" in agreement(wrong)


def test_the_first_sentence_counts_every_word() -> None:
    outcomes = (Outcome.PROVED, Outcome.PROVED, Outcome.PROVED_AMENDED, Outcome.REFUTED)
    claims = [said(f"thm:{n}", one, ClaimKind.THEOREM) for n, one in enumerate(outcomes)]
    assert sentences(found(*claims))[0] == (
        "Of the 4 statements of Table 1, the theorems and the corollaries 3 are proved here, by "
        "machine-checked proofs of our own (1 with an added hypothesis), 1 refuted."
    )
    assert "all 2 are proved here" in sentences(found(*claims[:2]))[0]


def test_the_other_sentences_name_what_is_refuted_overclaimed_and_open() -> None:
    outcomes = (Outcome.REFUTED, Outcome.OVERCLAIMED, Outcome.OPEN, Outcome.UNDERSPECIFIED)
    told = " ".join(sentences(found(*(said(f"assert:{one.name}", one) for one in outcomes))))
    assert "1 is refuted" in told
    assert "Title of assert:REFUTED (`assert:REFUTED`); 1 is overclaimed: Title of" in told
    assert "1 is open: Title of assert:OPEN; 1 has readings with different answers." in told
    assert "none is refuted" in " ".join(sentences(found(said("assert:x", Outcome.HOLDS))))


def test_of_a_part_of_the_claims_nothing_is_said() -> None:
    assert sentences(found(said("assert:x", Outcome.REFUTED), whole=False)) == ()


@pytest.mark.parametrize("key", ["weak", "budget"])
def test_a_constant_is_shown_between_what_is_attained_and_certified(key: str) -> None:
    stated = STATED[key]
    attained = float(stated.certified) * 0.98765
    result = Result(True, 1, "", (Number(stated.name, Enclosure(attained, attained)),))
    theorem = claim(stated.labels[0], check(f"constant-{key}"), kind=ClaimKind.THEOREM)
    again = claim("tab:x", kind=ClaimKind.TABLE_ROW, repeats=stated.labels[0])
    known = bounds(found(theorem, again, results={f"constant-{key}": result}))
    assert known["tab:x"] == known[stated.labels[0]]
    (bound,) = known["tab:x"]
    low, high = (Fraction(end) for end in bound.best.strip("[]").split(", "))
    assert low <= Fraction(attained) <= stated.certified <= high
    assert high - low < Fraction(2, 100) * high
    assert Fraction(bound.proved) >= (stated.machine_checked() or 0) > 0


def test_a_constant_without_a_run_has_no_lower_end() -> None:
    known = bounds(found(said(STATED["weak"].labels[0], Outcome.PROVED, ClaimKind.THEOREM)))
    (bound,) = known[STATED["weak"].labels[0]]
    assert bound.best == f"at most {outwards(0, STATED['weak'].certified)[1]}"


def test_numbers_that_no_run_reaches_are_told_with_the_least_of_any() -> None:
    claims = [claim(label, check(name, Question.EXPERIMENT)) for label, (_, name) in ROWS.items()]
    above = {name: NUMBERS[label].mean + 10_000.0 for label, (_, name) in ROWS.items()}
    impossible = {name: of_readings(dict.fromkeys(Reading, least)) for name, least in above.items()}
    told = sentences(found(*claims, results=impossible))
    all_of_them = next(one for one in told if one.startswith("Of the 5 printed"))
    assert "all 5 are impossible" in all_of_them
    for printed in NUMBERS.values():
        assert f"{printed} where every run has at least" in all_of_them
    one = next(iter(ROWS.values()))[1]
    possible = impossible | {one: of_readings(dict.fromkeys(Reading, 1.0))}
    told = sentences(found(*claims, results=possible))
    assert any("4 are impossible" in one for one in told)
    assert len(printed_rows(found(*claims[:2], results=dict(list(possible.items())[:2])))) == 2


def test_the_terminal_shows_the_headline_and_the_numbers_and_every_claim_if_asked() -> None:
    theorem = said("thm:x", Outcome.PROVED, ClaimKind.THEOREM)
    label, (_, name) = next(iter(ROWS.items()))
    number = claim(label, check(name, Question.EXPERIMENT))
    lemma = said("lem:z", Outcome.HOLDS, ClaimKind.LEMMA)
    judged = found(theorem, number, lemma, results={name: of_readings(dict.fromkeys(Reading, 1e5))})
    for every in (False, True):
        stream = io.StringIO()
        show(judged, Console(file=stream, width=120), every)
        assert "thm:x" in stream.getvalue()
        assert ("lem:z" in stream.getvalue()) == every
        assert ("the paper prints" in stream.getvalue()) != every


def test_the_projects_own_sentences_count_its_ledger() -> None:
    claims = ledger().claims
    unchecked = [
        claim(label, kind=one.kind, title=one.title, verdicts=one.verdicts)
        for label, one in claims.items()
        if one.verdicts
    ]
    told = sentences(judge(made_of(*unchecked), {}, depth=Depth.QUICK))
    kinds = (ClaimKind.TABLE_ROW, ClaimKind.THEOREM, ClaimKind.COROLLARY)
    among = [one for one in claims.values() if one.kind in kinds and not one.is_beyond]
    assert f"Of the {len(among)} statements" in told[0]
    refuted = [
        label
        for label, one in claims.items()
        if one.kind not in kinds and Outcome.REFUTED in {v.outcome for v in one.verdicts.values()}
    ]
    assert all(f"(`{label}`)" in told[1] for label in refuted)


@pytest.mark.parametrize(
    ("ends", "written"),
    [
        ((3.92751, 7.75), ("3.927", "7.75")),
        ((Fraction(1, 3), Fraction(22, 7)), ("0.3333", "3.143")),
    ],
)
def test_numbers_are_rounded_outwards(ends: tuple[float, float], written: tuple[str, str]) -> None:
    assert outwards(*ends) == written
