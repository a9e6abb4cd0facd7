"""``tgite judge``: programs and people as judges, their failures, and runs that were stopped."""

from __future__ import annotations

import io
import json
import os
import random
import re
import shlex
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path

import pytest
from simulated_judges import ALPHABETICAL, program

from tgite import Confidence, budget
from tgite_judge.cli.judge import read_items
from tgite_judge.fingerprint import Fingerprint
from tgite_judge.forecast import forecast
from tgite_judge.judges import JudgeProgram, Person, Skipped, Undone
from tgite_judge.replies import Answers, JudgeFailed, Said, Vocabulary
from tgite_judge.search import FIND_MOST
from tgite_laws.cli.main import status
from tgite_laws.fewest_duels import one_pass
from tgite_laws.implementation import REFERENCE
from tgite_laws.pairwise import ChosenTest, PairwiseName

KILLS = int(os.environ.get("TGITE_KILLS", "4"))
ITEMS = ("fig", "plum", "apple", "pear")
PEARS = Vocabulary(ITEMS)
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def items(tmp_path: Path) -> Path:
    """Write a file of four items."""
    path = tmp_path / "items.txt"
    path.write_text("\n".join(ITEMS) + "\n", encoding="utf-8-sig")
    return path


def asking(items: Path, judge: str, *more: str) -> list[str]:
    """Return the words of the command that asks a program."""
    return ["judge", str(items), "--delta", "0.05", "--judge", judge, *more]


def by_hand(items: Path, *more: str) -> list[str]:
    """Return the words of the command that asks a person."""
    return ["judge", str(items), "--delta", "0.05", "--ask", *more]


def typing(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    """Let a person type these lines, and then no more."""
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def lines_of(items: Path) -> list[str]:
    """Return the lines of the items' journal."""
    return Path(f"{items}.journal").read_text(encoding="utf-8").splitlines()


def test_the_tutorial_runs_and_prints_what_it_shows(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    page = (Path(__file__).parents[2] / "docs/judges.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```(\w+)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    for (kind, text), name in zip(blocks, ("items.txt", "judge.py"), strict=False):
        assert kind in ("text", "python")
        Path(name).write_text(text, encoding="utf-8")
    shown = [text.split("\n", 1) for kind, text in blocks if kind == "console"]
    assert [command.split()[1:4:2] for command, _ in shown] == [
        ["tgite", "items.txt"],
        ["tgite", "items.txt.journal"],
    ]
    for command, printed in shown:
        words = shlex.split(command)[2:]
        assert status(words) == (1 if words[0] == "matrix" else 0)
        assert capsys.readouterr().out == printed


def test_the_order_of_showing_is_random_or_fixed_and_recorded(items: Path, tmp_path: Path) -> None:
    swapped: list[list[bool]] = []
    for order in ([], ["--swap", "7"], ["--no-swap"]):
        place = tmp_path / f"journal{len(swapped)}"
        done = status(asking(items, program(tmp_path), *order, "--journal", str(place)))
        assert done == (1 if "--no-swap" in order else 0)
        lines = [json.loads(line) for line in place.read_text("utf-8").splitlines()[1:]]
        swapped.append([line["swapped"] for line in lines])
        for line in lines:
            u, v = line["pair"][::-1] if line["swapped"] else line["pair"]
            assert line["said"] == ("first" if ITEMS[u] < ITEMS[v] else "second")
            assert "--no-swap" not in order or u < v
    assert 10 < sum(swapped[0]) < 41
    assert 10 < sum(swapped[1]) < 41
    assert swapped[0] != swapped[1]


def test_a_judge_may_answer_one_question_and_exit(tmp_path: Path) -> None:
    """It also has a process group of its own, so that Ctrl-C does not end it."""
    once = ALPHABETICAL.replace("flush=True)", "flush=True)\n    break").replace(
        'asked["first"] <', 'os.getpgrp() == os.getpid() and asked["first"] <'
    )
    source = once.replace("import json", "import os, json")
    judge = JudgeProgram(program(tmp_path, source), PEARS, timeout=10, retries=0)
    pairs = (("fig", "pear"), ("pear", "fig"))
    assert [judge.compare(*pair).said for pair in pairs] == [Said.FIRST, Said.SECOND]
    judge.close()


def test_two_lines_in_answer_to_one_question_are_not_an_answer(
    items: Path, tmp_path: Path, capsys: Capture
) -> None:
    at_once = "print('first\\nsecond', flush=True)"
    later = "print('first', flush=True); time.sleep(0.05); print('second', flush=True)"
    for pause, answer in enumerate((at_once, later)):
        source = f"import sys, time\nfor line in sys.stdin: {answer}"
        judge = JudgeProgram(program(tmp_path, source), PEARS, timeout=10, retries=5)
        if pause:
            assert judge.compare("fig", "pear").said is Said.FIRST
            time.sleep(0.5)
        with pytest.raises(JudgeFailed, match="more than one line"):
            judge.compare("fig", "pear")
    assert status(asking(items, program(tmp_path, "while True: print('first', flush=True)"))) == 1
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
    assert status(asking(items, program(tmp_path, flaky), "--retries", "1")) == 0
    assert (tmp_path / "judge.py.count").stat().st_size > 51 * 6 / 5


REPLIES = {
    Said.FIRST: ("first", '{"winner": 1}', "A", '{"winner": "fig"}'),
    Said.SECOND: (" 2\n", '{"winner": "second"}', '"b"', "pear"),
    Said.TIE: ("tie", "0"),
    None: (
        *("", "12", "{}", "[1]", "null", '{"winner": null}', "True", "1.0", "apple", "[" * 9999),
        *('{"winner": "first", "winner": "second"}', '{"a": {"b": 1, "b": 2}, "winner": 1}'),
    ),
}


def test_replies_are_read_or_refused() -> None:
    for said, texts in REPLIES.items():
        for text in texts:
            if said is None:
                with pytest.raises(JudgeFailed):
                    PEARS.read(text, "fig", "pear")
            else:
                assert PEARS.read(text, "fig", "pear") is said, text
    with pytest.raises(JudgeFailed, match="--ties refuse does not accept"):
        Vocabulary(ITEMS, ties=False).read("tie", "fig", "pear")
    words = Vocabulary(["a", "tie"], Answers.NAMES)
    assert words.read("tie", "a", "tie") is Said.SECOND
    assert words.read("equal", "a", "tie") is Said.TIE
    with pytest.raises(JudgeFailed, match="is not an item's name or tie"):
        words.read("first", "a", "tie")


def test_a_person_is_asked_until_there_is_an_answer() -> None:
    said: list[str] = []
    typed = iter(["u", "", "first\n", "3\n", "2\n", "1\n", "=\n", "u\n", "s\n", "1"])
    kept = iter([0, 1, 2, 3, 2, 2])
    person = Person(ITEMS, lambda: next(typed), said.append, lambda: "9 left", lambda: next(kept))
    assert person.compare("fig", "plum").said is Said.SECOND
    assert person.compare("fig", "plum").said is Said.FIRST
    assert person.compare("fig", "plum").said is Said.TIE
    with pytest.raises(Undone):
        person.compare("fig", "plum")
    with pytest.raises(Skipped):
        person.compare("fig", "plum")
    assert person.compare("plum", "fig").said is Said.FIRST
    assert [line[0] for line in said if "Which is better?" in line] == list("123433")
    assert sum("is not an answer; type 1, 2, =, s, u or q" in line for line in said) == 3
    assert said[0] == "9 left\n"
    assert "there is no answer to withdraw; type 1, 2, =, s, u or q: " in said
    assert said[-2] == "No other question is open now.\n"
    labelled = Person(("2", "1", "B"), lambda: ">", said.append)
    assert labelled.compare("2", "1").said is Said.SECOND
    assert "<: 2   >: 1" in said[-1]
    with pytest.raises(KeyboardInterrupt):
        Person(ITEMS, lambda: "q\n", said.append).compare("fig", "plum")


def test_a_person_skips_withdraws_and_stops(
    items: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    typing(monkeypatch, "s", "1", "2", "u", "=")  # The end of the input stops, as q does.
    assert status(by_hand(items, "--swap", "5")) == 1
    said = capsys.readouterr()
    assert "No result yet: interrupted after 2 comparisons. The best guess is" in said.out
    shown = [text.split("=: a tie")[0] for text in said.err.split("Which is better?")[1:]]
    assert ["fig" in text for text in shown] == [True, False, True, False, True, False]
    left = "Questions left: at least 51 more, about 355 if the better of two wins 70%, without an"
    assert left in said.err
    kept = [json.loads(line) for line in lines_of(items)[1:]]
    assert [one.get("said", one.get("undone")) for one in kept] == ["first", "second", True, "tie"]
    assert kept[1]["pair"] == kept[3]["pair"] != kept[0]["pair"]


def test_a_consistent_person_is_asked_about_each_pair_once(
    items: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = ["--journal", str(items.with_name("again"))]
    typing(monkeypatch, *"1" * 21)
    assert status(by_hand(items, "--no-swap", *place)) == 1
    said = capsys.readouterr().err
    assert said.count("3 questions are enough: continue with --consistent --adopt") == 1
    typing(monkeypatch)
    assert status(by_hand(items, "--no-swap", "--consistent", "--adopt", *place)) == 0
    assert "fig is the best item, after 21 comparisons, provided" in capsys.readouterr().out


def test_what_a_command_line_runs_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of an interpreter only the script counts, of another program all of its words."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "package" / "deep").mkdir(parents=True)
    for name in ("judge.py", "data.txt", "package/__main__.py", "package/deep/rules.py"):
        (tmp_path / name).write_text(name, encoding="utf-8")

    def known(command: str) -> tuple[tuple[str, ...], str]:
        one = Fingerprint.of_command(command)
        return tuple(name for name, _ in one.files), " ".join(one.words)

    assert known("python3 -u judge.py --strict data.txt") == (("judge.py", "data.txt"), "--strict")
    assert known("python3 -u -m judge data.txt") == (("judge", "data.txt"), "-m judge")
    assert known("python3 -m package") == (("package",), "-m package")
    assert known("python3 -c print(1) data.txt") == (("python3", "data.txt"), "-c print(1)")
    assert known("cat --model one data.txt") == (("cat", "data.txt"), "--model one")
    before = Fingerprint.of_command("python3 -m package")
    (tmp_path / "package/deep/rules.py").write_text("edited", encoding="utf-8")
    assert Fingerprint.of_command("python3 -m package").files != before.files
    assert before.remark == ""
    assert "elsewhere was not found" in Fingerprint.of_command("python3 -m elsewhere").remark


@pytest.mark.parametrize("judges", [1, 3])
def test_a_run_killed_at_any_moment_continues(items: Path, tmp_path: Path, judges: int) -> None:
    """Kill at random moments (SIGKILL): the same command ends with the same answers each time.

    Several judges answer in any order: then it is the same set of answers.
    """
    pause = "    time.sleep(0.002)\n    asked ="
    slow = f"import time{ALPHABETICAL}".replace("    asked =", pause)
    words = asking(items, program(tmp_path, slow), "--swap", "3", "--json")
    assert status(words) == 0
    undisturbed = lines_of(items)
    words += ["--concurrency", str(judges)]
    journal = Path(f"{items}.journal")
    moments = random.Random(20)
    for _ in range(max(1, KILLS // 4)):
        journal.unlink()
        before: list[str] = []
        for stop in sorted(moments.sample(range(2, len(undisturbed)), 2)):
            process = subprocess.Popen(
                [sys.executable, "-c", "from tgite_laws.cli.main import main; main()", *words],
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
            kept = journal.read_text(encoding="utf-8")
            whole = kept[: kept.rfind("\n") + 1].splitlines()
            assert judges > 1 or whole == undisturbed[: len(whole)]
            assert len(whole) == len(set(whole)) >= stop
            assert set(before) <= set(whole)
            before = whole
        assert status(words) == 0
        assert lines_of(items)[: len(before)] == before
        assert set(undisturbed) <= set(lines_of(items))
        assert judges > 1 or lines_of(items) == undisturbed


def test_a_judge_that_cannot_be_run_is_refused(items: Path, capsys: Capture) -> None:
    for judge, hint in (
        ("/nowhere/judge", ""),
        ("mine:better", "; a Python function is for tgite"),
    ):
        assert status(asking(items, judge)) == 2
        said = capsys.readouterr().err
        assert f"judge = {judge}: cannot be run (No such file or directory){hint}" in said
    assert read_items(items) == ITEMS  # Without the byte order mark of the file.


def test_the_forecast_agrees_with_the_laws_of_the_tests() -> None:
    played = one_pass(REFERENCE, 7, 2, Confidence.of("0.05"))
    assert played.matches == 6
    g, gap = Fraction(3, 10), Fraction(1, 5)
    for known in (None, g):
        test = ChosenTest.of_the_paper(known)
        one = forecast(played, test, (gap,))
        levels = played.levels.items()
        assert one.most == (None if known is None else sum(n * budget(g, at) for at, n in levels))
        mean = one.expected[gap]
        law = sum(n * test.laws().law(at, Fraction(1, 2) + gap).mean.middle for at, n in levels)
        assert mean.middle == pytest.approx(law)
        assert one.fewest < mean.low <= mean.high < (one.most or 10**6)


BY_TURNS = """
import sys
for number, line in enumerate(sys.stdin):
    print(("fig", "pear")[number % 2], flush=True)
"""


@pytest.mark.parametrize(
    ("more", "hints", "offer"),
    [
        ([], [0, 1, 1], "With --margin 0.05 the same"),
        (["--no-certify"], [0, 1, 1], "With --margin 0.05 and without --no-certify the same"),
        (["--margin", "0.02"], [0, 0, 0], ""),
    ],
)
def test_a_margin_is_suggested_once_if_items_look_tied(
    tmp_path: Path,
    capsys: Capture,
    monkeypatch: pytest.MonkeyPatch,
    more: list[str],
    hints: list[int],
    offer: str,
) -> None:
    """As soon as it took more comparisons than a gap of 1/20 takes on average, by the exact law."""
    monkeypatch.setattr("os.fsync", lambda file: None)
    items = tmp_path / "items.txt"
    items.write_text("fig\npear\n", encoding="utf-8")
    # The tournament's level, and that of the certificate: both are half of delta.
    law = ChosenTest(PairwiseName.MIXTURE).laws().law(Confidence.of("1/5"), Fraction(11, 20))
    mean = law.mean.middle
    words = ["judge", str(items), "--delta", "0.4", *more]
    words += ["--judge", program(tmp_path, BY_TURNS)]
    at_first = int(mean) + (0 if "--no-certify" in more else FIND_MOST)
    for budget_now, hint in zip((at_first, 1, 20), hints, strict=True):
        assert status([*words, "--budget", str(budget_now)]) == 1
        said = capsys.readouterr().err
        assert said.count("fig and pear may be tied: fig won ") == hint
        if hint:
            assert f"wins 55%, about {mean:.0f} decide it" in said
            assert offer in said


def test_progress_is_json_lines_with_json(
    items: Path, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tgite_judge.cli.judge._SECONDS_BETWEEN_REPORTS", 0.0)
    words = asking(items, program(tmp_path), "--budget", "9", "--price", "0.5", "--json")
    assert status(words) == 1
    events = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    progress = [one for one in events if one["event"] == "progress"]
    assert [one["comparisons"] for one in progress] == list(range(1, 10))
    assert progress[-1]["cost"] == 4.5
    assert progress[-1]["fewest_left"] == 51 - 9
    assert progress[-1]["likely_cost"] > 25
    assert {one["event"] for one in events} == {"note", "progress"}
    assert status([word for word in words if word != "--json"]) == 1
    assert ", cost 5 of about" in capsys.readouterr().err
