"""``tgite law``: the numbers of the laws, and refusals."""

from __future__ import annotations

import json

import pytest

from tgite_laws.cli.law import rounded
from tgite_laws.cli.main import status
from tgite_laws.enclosure import Enclosure

CYCLIC = ["--instance", "cyclic", "--arms", "4", "--delta-star", "0.3", "--delta-cyc", "0.4"]


def numbers(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, dict[str, float]]:
    """Run a law command with ``--json``; return its enclosures by name."""
    assert status(["law", *arguments, "--json"]) == 0
    printed: dict[str, dict[str, float]] = json.loads(capsys.readouterr().out)
    return printed


def test_a_match_and_its_mirror_image(capsys: pytest.CaptureFixture[str]) -> None:
    one = numbers(capsys, "match", "--delta", "0.1", "--gap", "0.3")
    other = numbers(capsys, "match", "--delta", "0.1", "--gap", "-0.3")
    for name, mirrored in (
        ("P(first returned)", "P(second returned)"),
        ("P(second returned)", "P(first returned)"),
        ("E[duels]", "E[duels]"),
    ):
        assert one[name]["low"] == pytest.approx(other[mirrored]["low"], rel=1e-9)
        assert one[name]["low"] <= other[mirrored]["high"]
        assert other[mirrored]["low"] <= one[name]["high"]
    assert status(["law", "match", "--delta", "0.1", "--gap", "0", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["E[duels]"] == {"low": "inf", "high": "inf"}


@pytest.mark.parametrize("test", [[], ["--g", "0.3"]])
def test_two_arms_are_one_match_at_half_the_level(
    capsys: pytest.CaptureFixture[str], test: list[str]
) -> None:
    two = ["--instance", "cyclic", "--arms", "2", "--delta-star", "0.3", "--delta-cyc", "0.3"]
    whole = numbers(capsys, "tree-ascent", "--delta", "0.1", *two, *test)
    # Arm 0 meets the winner, arm 1, as the first argument.
    match = numbers(capsys, "match", "--delta", "0.05", "--gap", "-0.3", *test)
    assert whole["E[comparisons]"]["low"] <= match["E[duels]"]["high"]
    assert match["E[duels]"]["low"] <= whole["E[comparisons]"]["high"]
    assert whole["P(not the winner)"]["low"] <= match["P(first returned)"]["high"]
    assert match["P(first returned)"]["low"] <= whole["P(not the winner)"]["high"]


def test_the_starting_arm_and_the_conventions_count(capsys: pytest.CaptureFixture[str]) -> None:
    laws = [
        numbers(capsys, "tree-ascent", "--delta", "0.1", "--example", "mslr5", "--g", "0.03", *more)
        for more in ([], ["--start", "mslr4"], ["--convention", "byes=first"])
    ]
    assert len({law["E[comparisons]"]["low"] for law in laws}) == 3


@pytest.mark.parametrize(("told", "who"), [([], "any algorithm"), (["--g", "0.3"], "any told g")])
@pytest.mark.parametrize("command", ["match", "bkt", "tree-ascent"])
def test_the_least_is_that_of_those_who_know_as_much(
    capsys: pytest.CaptureFixture[str], command: str, told: list[str], who: str
) -> None:
    of = ["--gap", "0.3"] if command == "match" else CYCLIC
    law = numbers(capsys, command, "--delta", "0.1", *of, *told)
    mean = law.get("E[duels]") or law["E[comparisons]"]
    over = law["E over the least"]
    least = law[f"least E[{who}]"]
    assert over["low"] <= mean["high"] / least["low"]
    assert mean["low"] / least["high"] <= over["high"]
    assert over["low"] > 1


def test_bkt_on_all_arms(capsys: pytest.CaptureFixture[str]) -> None:
    law = numbers(capsys, "bkt", "--delta", "0.1", *CYCLIC)
    assert law["P(2 returned)"]["low"] > 0.999
    assert sum(law[f"P({arm} returned)"]["high"] for arm in range(4)) >= 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["match", "--delta", "0", "--gap", "0.1"], "confidence = 0"),
        (["match", "--delta", "0.1", "--gap", "0.5"], "gap = 0.5: must lie strictly between"),
        (["match", "--delta", "0.1", "--gap", "0.1", "--g", "1"], "g = 1: must be above 0"),
        (["bkt", "--delta", "0.1"], "preferences = nothing"),
        (["tree-ascent", "--delta", "0.1", *CYCLIC, "--start", "4"], "start = 4"),
        (["match"], "Missing option '--delta'"),
    ],
)
def test_unusable_input_is_refused(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert status(["law", *arguments]) == 2
    printed = capsys.readouterr()
    assert message in printed.err
    assert printed.err.count("\n") == 1


@pytest.mark.parametrize(
    ("low", "high", "shown"),
    [
        (0.5, 0.5, "0.5"),
        (1.23456789, 1.2345679, "[1.23456, 1.23457]"),
        (9.9999999e-41, 1e-40, "[9.99999e-41, 1e-40]"),
        (12691.35267885, 12691.3526789, "[12691.3, 12691.4]"),
        (0.0, float("inf"), "[0, Infinity]"),
    ],
)
def test_shown_digits_enclose(low: float, high: float, shown: str) -> None:
    assert rounded(Enclosure(low, high)) == shown
    if low < high:
        ends = [float(end) for end in shown.strip("[]").split(", ")]
        assert ends[0] <= low <= high <= ends[1]
