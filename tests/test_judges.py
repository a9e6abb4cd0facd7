"""Asking programs and people: answers, failures, journals, and what survives a kill."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from tgite import Confidence, Duel, InvalidInput, TapeMismatch, budget
from tgite.budgeted_duel_test import known_gap
from tgite.duel_test import duel_test
from tgite_checks.cli.judging import read_items
from tgite_checks.cli.main import status
from tgite_checks.implementation import REFERENCE
from tgite_checks.judging.expectations import (
    outlook,
)
from tgite_checks.judging.journal import Answer, Journal
from tgite_checks.judging.judges import (
    JournalledEnvironment,
    JudgeFailed,
    JudgeProgram,
    Person,
    always_repeats_itself,
    read_verdict,
)
from tgite_checks.laws.fewest import fewest_duels, one_pass
from tgite_checks.pairwise import ChosenTest

KILLS = int(os.environ.get("TGITE_KILLS", "10"))
ITEMS = ("fig", "plum", "apple", "pear")

ALPHABETICAL = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    print("first" if asked["first"] < asked["second"] else "second", flush=True)
"""


def program(folder: Path, source: str) -> str:
    """Write a judge program; return the command that runs it."""
    path = folder / "judge.py"
    path.write_text(source, encoding="utf-8")
    return f"{sys.executable} {path}"


@pytest.fixture
def items(tmp_path: Path) -> Path:
    """Write a file of four items."""
    path = tmp_path / "items.txt"
    path.write_text("\n".join(ITEMS) + "\n", encoding="utf-8")
    return path


def ask(items: Path, judge: str, *more: str) -> list[str]:
    """Return the words of the command."""
    return ["run", "bai", "--delta", "0.05", "--items", str(items), "--judge", judge, *more]


def answers_of(items: Path) -> list[str]:
    """Return the lines of the items' journal."""
    return Path(f"{items}.journal").read_text(encoding="utf-8").splitlines()


def test_a_program_finds_the_best_item(
    items: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status(ask(items, program(tmp_path, ALPHABETICAL), "--json")) == 0
    printed = capsys.readouterr()
    found = json.loads(printed.out)
    assert found["item"] == "apple"
    assert found["comparisons"] == found["asked_now"] == len(answers_of(items)) - 1
    assert found["judge_repeats_itself"] is True
    assert "MixtureTest (this run): at least 27 comparisons, without a bound" in printed.err
    assert "DuelTest (for comparison, the paper's): at least 70 comparisons" in printed.err
    assert found["comparisons"] == 27
    assert status(ask(items, "false", "--json")) == 2
    assert "belongs to another run: its judge is" in capsys.readouterr().err
    assert status(ask(items, program(tmp_path, "raise SystemExit"), "--json")) == 0
    again = json.loads(capsys.readouterr().out)
    assert (again["item"], again["asked_now"]) == ("apple", 0)


def test_positions_are_swapped_and_recorded(items: Path, tmp_path: Path) -> None:
    assert status(ask(items, program(tmp_path, ALPHABETICAL), "--swap", "7")) == 0
    swapped = [json.loads(line)["swapped"] for line in answers_of(items)[1:]]
    assert 5 < sum(swapped) < 22
    wins = [json.loads(line)["first_wins"] for line in answers_of(items)[1:]]
    duels = [json.loads(line)["duel"] for line in answers_of(items)[1:]]
    assert wins == [ITEMS[u] < ITEMS[v] for u, v in duels]


FAILING = {
    "exited without an answer": "import sys; sys.stdin.readline()",
    "neither first nor second": "import sys\nfor line in sys.stdin: print('both', flush=True)",
    "a tie is no answer here": "import sys\nfor line in sys.stdin: print('tie', flush=True)",
    "no answer within 0.3 seconds": "import time; time.sleep(60)",
    "longer than a mebibyte": "import sys\nwhile True: sys.stdout.write('x' * 65536)",
}


@pytest.mark.parametrize(("failure", "source"), FAILING.items())
def test_failures_of_a_judge_are_reported_and_nothing_is_lost(
    items: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    failure: str,
    source: str,
) -> None:
    good = program(tmp_path, ALPHABETICAL)
    assert status(ask(items, good, "--budget", "5")) == 0
    kept = answers_of(items)
    bad = program(tmp_path, source)
    # Only the limit that is meant to be met is short: a program may take long to start.
    limit = "0.3" if "0.3" in failure else "60"
    assert status(ask(items, bad, "--timeout", limit, "--retries", "1")) == 1
    reported = capsys.readouterr().err
    assert "the judge failed 2 times on 'fig' against 'plum'; last: " in reported
    assert failure in reported
    assert answers_of(items) == kept
    assert status(ask(items, program(tmp_path, ALPHABETICAL))) == 0
    assert "apple is the best item" in capsys.readouterr().out


def test_a_judge_may_answer_one_question_and_exit(items: Path, tmp_path: Path) -> None:
    once = ALPHABETICAL.replace("flush=True)", "flush=True)\n    break")
    judge = JudgeProgram(program(tmp_path, once), timeout=10, retries=0)
    assert [judge.prefers_first("a", "b"), judge.prefers_first("b", "a")] == [True, False]
    judge.close()


TALKATIVE = "import sys\nfor line in sys.stdin: print('first\\nsecond', flush=True)"
LATE = """
import sys, time
for line in sys.stdin:
    print("first", flush=True)
    time.sleep(0.05)
    print("second", flush=True)
"""


def test_two_lines_in_answer_to_one_question_are_no_answer(tmp_path: Path) -> None:
    judge = JudgeProgram(program(tmp_path, TALKATIVE), timeout=10, retries=5)
    with pytest.raises(JudgeFailed, match="more than one line"):
        judge.prefers_first("a", "b")
    judge = JudgeProgram(program(tmp_path, LATE), timeout=10, retries=5)
    assert judge.prefers_first("a", "b")
    time.sleep(0.5)
    with pytest.raises(JudgeFailed, match="more than one line"):
        judge.prefers_first("a", "b")


def test_a_flood_ends_the_run(
    items: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status(ask(items, program(tmp_path, "while True: print('first', flush=True)"))) == 1
    assert "more than one line" in capsys.readouterr().err


def test_a_judge_that_fails_now_and_then_is_asked_again(items: Path, tmp_path: Path) -> None:
    """The judge exits without an answer to every fifth question."""
    flaky = ALPHABETICAL.replace(
        "    asked =",
        "    with open(sys.argv[0] + '.count', 'a+') as count:\n"
        "        fail = count.write('x') and count.tell() % 5 == 0\n"
        "    if fail: sys.exit(1)\n"
        "    asked =",
    )
    assert status(ask(items, program(tmp_path, flaky), "--retries", "1")) == 0
    assert (tmp_path / "judge.py.count").stat().st_size > 27 * 6 / 5


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("first", True),
        (" 2\n", False),
        ('{"winner": "second"}', False),
        ('{"winner": 1}', True),
        ("A", True),
        ('"b"', False),
    ],
)
def test_verdicts(text: str, first: bool) -> None:
    assert read_verdict(text) is first


@pytest.mark.parametrize("text", ["", "tie", "0", "12", "{}", "[1]", "null", '{"winner": null}'])
def test_what_is_no_verdict(text: str) -> None:
    with pytest.raises(JudgeFailed):
        read_verdict(text)


def test_a_person_is_asked_again_until_there_is_an_answer() -> None:
    said: list[str] = []
    typed = iter(["", "tie\n", "3\n", "2\n", "1\n"])
    person = Person(lambda: next(typed), said.append)
    assert person.prefers_first("fig", "plum") is False
    assert person.prefers_first("fig", "plum") is True
    assert sum("Which is better?" in line for line in said) == 5
    assert any("a tie is no answer" in line for line in said)


@pytest.mark.parametrize("leaving", ["q\n", None])
def test_a_person_may_stop(leaving: str | None) -> None:
    def read() -> str:
        if leaving is None:
            raise EOFError
        return leaving

    with pytest.raises(KeyboardInterrupt):
        Person(read, lambda _: None).prefers_first("fig", "plum")


HEAD: dict[str, object] = {"items": ["a", "b"], "delta": "1/20"}


def journal_with(path: Path, outcomes: list[bool]) -> bytes:
    """Write a journal of duels (0, 1); return its bytes."""
    with Journal(path, HEAD) as journal:
        for outcome in outcomes:
            journal.append(Answer(Duel(0, 1), False, outcome))
    return path.read_bytes()


def test_journals_of_other_runs_and_damaged_ones_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    whole = journal_with(path, [True, False])
    lines = whole.splitlines(keepends=True)
    refused = {
        "its delta is": (whole, {**HEAD, "delta": "1/10"}),
        "its items is": (whole, {**HEAD, "items": ["a", "c"]}),
        "its start is": (whole, {**HEAD, "start": 0}),
        "is not a journal": (b"{}\n", HEAD),
        ":1 = .*: is damaged|is damaged": (b"no\n" + whole, HEAD),
        "damaged: Expected .array. of length 2": (lines[0] + b'{"duel": [0]}\n', HEAD),
        "damaged: JSON is malformed": (lines[0] + b"x\n" + lines[1], HEAD),
        "must differ from u": (
            lines[0] + b'{"duel": [1, 1], "swapped": false, "first_wins": true}\n',
            HEAD,
        ),
    }
    for message, (content, head) in refused.items():
        path.write_bytes(content)
        with pytest.raises(InvalidInput, match=message):
            Journal(path, head)
        assert path.read_bytes() == content


def test_a_journal_in_use_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with Journal(path, HEAD), pytest.raises(InvalidInput, match="in use by another process"):
        Journal(path, HEAD)
    with Journal(path, HEAD):
        pass


def test_a_journal_of_other_duels_is_refused(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal", HEAD) as journal:
        journal.append(Answer(Duel(1, 0), False, True))
        person = Person(lambda: "1", lambda _: None)
        environment = JournalledEnvironment(journal, ("a", "b"), person, None)
        with pytest.raises(TapeMismatch, match="which the journal holds"):
            environment.outcomes(Duel(0, 1))()


def test_a_repeating_judge_is_noticed() -> None:
    same = [Answer(Duel(0, 1), False, True), Answer(Duel(1, 0), True, False)]
    assert always_repeats_itself(same)
    assert not always_repeats_itself([*same, Answer(Duel(0, 1), False, False)])
    assert not always_repeats_itself([])


@pytest.fixture
def undisturbed(items: Path, tmp_path: Path) -> Iterator[list[str]]:
    """Run once without a kill; return the journal."""
    command = ask(items, program(tmp_path, ALPHABETICAL), "--swap", "3")
    assert status(command) == 0
    yield answers_of(items)
    Path(f"{items}.journal").unlink()


def test_a_run_killed_at_any_moment_goes_on(
    items: Path, tmp_path: Path, undisturbed: list[str]
) -> None:
    """Kill at random moments, SIGKILL; the same command ends with the same answers, each time."""
    slow = ALPHABETICAL.replace("import json, sys", "import json, sys, time").replace(
        "    asked =", "    time.sleep(0.002)\n    asked ="
    )
    words = ask(items, program(tmp_path, slow), "--swap", "3", "--json")
    journal = Path(f"{items}.journal")
    moments = random.Random(20)
    killed = 0
    while killed < KILLS:
        journal.unlink(missing_ok=True)
        stops = sorted(moments.sample(range(2, len(undisturbed)), 2))
        for stop in stops:
            process = subprocess.Popen(
                [sys.executable, "-c", "from tgite_checks.cli.main import main; main()", *words],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            while process.poll() is None:
                if journal.exists() and journal.read_bytes().count(b"\n") >= stop:
                    time.sleep(moments.uniform(0, 0.004))
                    break
                time.sleep(0.001)
            process.kill()
            process.wait()
            killed += 1
            kept = journal.read_text(encoding="utf-8")
            whole = kept[: kept.rfind("\n") + 1].splitlines()
            assert whole == undisturbed[: len(whole)]
        assert status(words) == 0
        assert answers_of(items) == undisturbed


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--matrix", "m.csv"], "matrix = m.csv: has no meaning with a judge"),
        (["--gap", "0.5"], "gap = 1/2: must lie strictly between 0 and 1/2"),
        (["--timeout", "0"], "timeout = 0.0: must be above 0 seconds"),
        (["--retries", "-1"], "retries = -1"),
        (["--start", "grape"], "start = grape: must be an arm's number or name"),
        (["--g", "0.6"], "g = 3/5: must be above 0 and at most 1/2"),
        (["--ask"], "must be given, with --ask or --judge COMMAND"),
        (["--judge", "'"], "cannot be split into words"),
        (["--judge", ""], "must name a program"),
        (["--judge", "/nowhere/judge"], "judge = /nowhere/judge: cannot be run"),
        (["--journal", "/nowhere/journal"], "journal = /nowhere/journal: cannot be opened"),
        (["--items", "/nowhere"], "items = /nowhere: cannot be read"),
    ],
)
def test_unusable_words_are_refused(
    items: Path, capsys: pytest.CaptureFixture[str], more: list[str], message: str
) -> None:
    assert status(ask(items, "false", *more)) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "message"), [("a\n", "at least two items"), ("a\nb\na\n", "items = a: must be named")]
)
def test_bad_items_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, message: str
) -> None:
    items = tmp_path / "items.txt"
    items.write_text(text, encoding="utf-8")
    assert status(ask(items, "false")) == 2
    assert message in capsys.readouterr().err


def test_what_to_expect_agrees_with_what_the_tests_do() -> None:
    delta = Confidence.of("0.05")
    played = one_pass(REFERENCE, 7, 2, delta)
    levels = played.levels
    assert played.matches == 6
    g, gap = Fraction(3, 10), Fraction(1, 5)
    anytime, bounded = (
        outlook(played, ChosenTest.of_the_paper(known), (gap,)) for known in (None, g)
    )
    assert anytime.most is None
    assert bounded.most == sum(count * budget(g, level) for level, count in levels.items())
    for level in levels:
        fewest = fewest_duels(duel_test, level)
        assert _radius(fewest, level) < 1 / 2
        assert not _radius(fewest - 1, level) < 1 / 2
        assert 1 <= fewest_duels(known_gap(g), level) <= budget(g, level)
    for one in (anytime, bounded):
        ((_, mean),) = one.expected
        assert one.fewest < mean.low <= mean.high < (one.most or 10**6)


def _radius(n: int, delta: Confidence) -> float:
    from math import log, sqrt

    return sqrt((log(2 * n * (n + 1)) + delta.log_inverse) / (2 * n))


def test_a_byte_order_mark_is_no_part_of_an_item(tmp_path: Path) -> None:
    path = tmp_path / "items.txt"
    path.write_text("one\ntwo\n", encoding="utf-8-sig")
    assert read_items(path) == ("one", "two")
