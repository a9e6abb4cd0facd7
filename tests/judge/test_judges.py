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

from golden import same_as
from tgite import Confidence
from tgite_judge.forecast import TO_FIND, remaining, to_certify
from tgite_judge.items import read_items
from tgite_judge.judges import JudgeProgram
from tgite_judge.replies import Answers, JudgeFailed, Said, Vocabulary
from tgite_judge.search import Goal, Rules, Search
from tgite_laws.cli.main import status
from tgite_laws.pairwise import ChosenTest, PairwiseName

KILLS = int(os.environ.get("TGITE_KILLS", "4"))
ITEMS = ("fig", "plum", "apple", "pear")
PEARS = Vocabulary(ITEMS)
Capture = pytest.CaptureFixture[str]


ALPHABETICAL = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    print("first" if asked["first"] < asked["second"] else "second", flush=True)
"""


def program(folder: Path, source: str = ALPHABETICAL) -> str:
    """Write a judge program; return the command that runs it."""
    path = folder / "judge.py"
    path.write_text(source, encoding="utf-8")
    return f"{sys.executable} {path}"


@pytest.fixture
def items(tmp_path: Path) -> Path:
    """Write a file of four items."""
    path = tmp_path / "items.txt"
    path.write_text("\n".join(ITEMS) + "\n", encoding="utf-8-sig")
    return path


def asking(items: Path, judge: str, *more: str) -> list[str]:
    """Return the words of the command that asks a program."""
    return ["judge", str(items), "--delta", "0.05", "--judge", judge, *more]


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
    ((command, printed),) = shown
    words = shlex.split(command)[2:]
    assert words[:2] == ["judge", "items.txt"]
    assert status(words) == 1
    assert capsys.readouterr().out == printed


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
    assert read_items(items) == ITEMS  # Without the byte order mark of the file.
    assert status(asking(items, program(tmp_path, "while True: print('first', flush=True)"))) == 1
    assert "more than one line" in capsys.readouterr().err


def test_verdicts_are_read_or_refused() -> None:
    """Those of verdicts.txt, about fig and pear; long ones, too, are refused in seconds."""
    for line in Path(__file__).with_name("verdicts.txt").read_text("utf-8").splitlines():
        meant, text = line.split("\t")
        try:
            said = str(PEARS.read(json.loads(text), "fig", "pear"))
        except JudgeFailed:
            said = "-"
        assert said == meant, text
    for one in ("[", "\n{", " ", "\n", "answer\n", "```\n", "\\boxed{", "<think>", "my "):
        with pytest.raises(JudgeFailed):
            PEARS.read(f"{one * (1 << 16)}x", "fig", "pear")
    with pytest.raises(JudgeFailed, match="--ties refuse does not accept"):
        Vocabulary(ITEMS, ties=False).read("tie", "fig", "pear")
    words = Vocabulary(["a", "tie"], Answers.NAMES)
    assert words.read("tie", "a", "tie") is Said.SECOND
    assert words.read("equal", "a", "tie") is Said.TIE
    with pytest.raises(JudgeFailed, match="is not an item's name or tie"):
        words.read("first", "a", "tie")


DIALOGUES = (
    # The items, a journal, options, and what is typed until the input ends, as with q.
    ("fig plum apple pear", "withdrawn", "--swap 5", "u  first 3 2 1 = u u 1"),
    ("fig plum apple pear", "again", "--swap 2", "1 " * 21),
    ("fig plum apple pear", "again", "--swap 2 --consistent --adopt", "q"),
    ("2 1 B", "labelled", "--swap 5", "> 2"),
    (f"{'dry-' * 20}fig plum", "two", "--swap 5", "1 u 2"),
)


def test_a_person_is_asked_in_the_words_of_person_txt(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Answers, withdrawn answers and what is no answer; and what is kept."""
    monkeypatch.chdir(tmp_path)
    told: list[str] = []
    for names, journal, options, typed in DIALOGUES:
        Path("items").write_text("\n".join(names.split()) + "\n", encoding="utf-8")
        monkeypatch.setattr("sys.stdin", io.StringIO(typed.replace(" ", "\n") + "\n"))
        words = ["judge", "items", "--delta", "0.05", "--ask", "--journal", journal]
        ended = status([*words, *options.split()])
        said = capsys.readouterr()
        asked = re.sub(r"(q: stop\)|or q:) ", r"\1\n", said.err)
        told += [f"== {names}; {options}; typed: {typed}", asked, said.out, f"[{ended}]"]
        kept = Path(journal).read_text("utf-8").splitlines()
        told += kept[1:] if len(kept) < 20 else []
    same_as(Path(__file__).with_name("person.txt"), "\n".join(told) + "\n")


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


def test_the_forecast_agrees_with_the_laws_of_the_test() -> None:
    """A certificate of seven items is six meetings at half of the level."""
    sought, gap = Goal(7, Confidence.of("0.05")), Fraction(1, 5)
    law = ChosenTest(PairwiseName.MIXTURE).laws().law(Confidence.of("0.025"), Fraction(7, 10))
    assert to_certify(sought, gap) == pytest.approx(6 * law.mean.middle)
    left = remaining(Search(sought, Rules()), gap)
    assert left.likely == pytest.approx(TO_FIND * 7 + 6 * law.mean.middle)
    assert left.fewest < left.likely


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
    assert progress[-1]["fewest_left"] >= 24
    assert progress[-1]["likely_cost"] > 25
    assert {one["event"] for one in events} == {"note", "progress"}
    assert status([word for word in words if word != "--json"]) == 1
    assert ", cost 5 of about" in capsys.readouterr().err
