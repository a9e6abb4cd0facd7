"""Numbers in the ledger's texts: each from what gives it, written as precisely as it is known."""

from __future__ import annotations

import pytest
from msgspec import structs

from golden import table
from synthetic_ledger import BELOW, FINDING, claim, made_of
from tgite_checks.bounds.constants.constant import STATED
from tgite_checks.bounds.constants.proved import proved_constant
from tgite_checks.check import Number, Result
from tgite_checks.claims.model import Consequence
from tgite_checks.claims.rendering import NoNumber, filled_in, render, sources_of, written
from tgite_laws.enclosure import Enclosure

NUMBERS = (
    Number("duels, N = 8", Enclosure(12038.6, 12039.4), Enclosure(24.44, 24.46)),
    Number("fewest", Enclosure(5902.0, 5902.0)),
)
RESULTS = {"counted": Result(True, 1, "", NUMBERS)}


def test_placeholders_are_filled() -> None:
    proved = proved_constant("lem_app_dueltest_time", "C_dt")
    for text, filled in (
        ("at least {{counted: fewest}} of them", "at least 5902 of them"),
        ("{{counted: duels, N = 8 | whole}}", "12 039"),
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
    asking = claim("lem:x", BELOW, title="{{counted: fewest}}", not_established="{{other: n}}")
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
