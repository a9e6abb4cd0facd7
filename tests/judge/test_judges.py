"""Asking programs and people: answers, failures, journals, and what survives a kill."""

from __future__ import annotations

import io
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import msgspec
import pytest

from tgite import Confidence, InvalidInput, budget
from tgite.budgeted_duel_test import known_gap
from tgite.duel_test import duel_test
from tgite_judge.cli.judge import read_items
from tgite_judge.expectations import outlook
from tgite_judge.identity import Identity
from tgite_judge.journal import Asking, Head, Journal, Question, Stage
from tgite_judge.judges import JudgeProgram, Person, Skipped, Undone
from tgite_judge.replies import Answers, JudgeFailed, Said, Vocabulary
from tgite_judge.search import FIND_MOST
from tgite_laws.cli.main import status
from tgite_laws.fewest import fewest_duels, one_pass
from tgite_laws.implementation import REFERENCE
from tgite_laws.pairwise import ChosenTest, PairwiseName

KILLS = int(os.environ.get("TGITE_KILLS", "4"))
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


PEARS = Vocabulary(ITEMS)


@pytest.fixture
def items(tmp_path: Path) -> Path:
    """Write a file of four items."""
    path = tmp_path / "items.txt"
    path.write_text("\n".join(ITEMS) + "\n", encoding="utf-8")
    return path


def ask(items: Path, judge: str, *more: str) -> list[str]:
    """Return the words of the command."""
    return ["judge", str(items), "--delta", "0.05", "--judge", judge, *more]


def answers_of(items: Path) -> list[str]:
    """Return the lines of the items' journal."""
    return Path(f"{items}.journal").read_text(encoding="utf-8").splitlines()


def test_a_program_finds_the_best_item(
    items: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    judge = program(tmp_path, ALPHABETICAL)
    assert status(ask(items, judge, "--json")) == 0
    printed = capsys.readouterr()
    found = json.loads(printed.out)
    assert found["item"] == "apple"
    assert found["certified"] is True
    assert found["comparisons"] == found["asked_now"] == len(answers_of(items)) - 1 == 51
    assert found["judge_repeats_itself"] is True
    assert "MixtureTest (to find an item): at least 27 comparisons" in printed.err
    assert "MixtureTest (to certify it): at least 24 comparisons, without a bound" in printed.err
    assert "DuelTest (for comparison, the paper's): at least 70 comparisons" in printed.err
    assert status(ask(items, judge, "--json", "--timeout", "9")) == 0
    again = json.loads(capsys.readouterr().out)
    assert (again["item"], again["asked_now"]) == ("apple", 0)


def test_positions_are_swapped_and_recorded(items: Path, tmp_path: Path) -> None:
    """At random by default, by a seed that may be given, and in the list's order where asked."""
    swapped: dict[str, list[bool]] = {}
    shown_first_in_the_list = []
    for order in ([], ["--swap", "7"], ["--no-swap"]):
        place = ["--journal", str(tmp_path / f"journal{len(swapped)}")]
        answered = status(ask(items, program(tmp_path, ALPHABETICAL), *order, *place))
        assert answered == (1 if "--no-swap" in order else 0)
        lines = [json.loads(line) for line in Path(place[1]).read_text("utf-8").splitlines()[1:]]
        swapped[" ".join(order)] = [line["swapped"] for line in lines]
        shown_first_in_the_list.append(
            all(line["swapped"] is (line["pair"][0] > line["pair"][1]) for line in lines)
        )
        for line in lines:
            u, v = line["pair"][::-1] if line["swapped"] else line["pair"]
            assert line["said"] == ("first" if ITEMS[u] < ITEMS[v] else "second")
    assert 10 < sum(swapped[""]) < 41
    assert 10 < sum(swapped["--swap 7"]) < 41
    assert swapped[""] != swapped["--swap 7"]
    assert shown_first_in_the_list == [False, False, True]


FAILING = {
    "exited without an answer": "import sys; sys.stdin.readline()",
    "is not first, second, tie or an item's name": (
        "import sys\nfor line in sys.stdin: print('both', flush=True)"
    ),
    "gives a key twice": "import sys\nfor line in sys.stdin: "
    'print(\'{"winner": "first", "winner": "second"}\', flush=True)',
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
    assert status(ask(items, good, "--budget", "5")) == 1
    kept = answers_of(items)
    bad = program(tmp_path, source)
    # Only the limit that is meant to be met is short: a program may take long to start.
    limit = "0.3" if "0.3" in failure else "60"
    words = ask(items, bad, "--timeout", limit, "--retries", "1", "--adopt")
    assert status(words) == 1
    reported = capsys.readouterr().err
    assert "the judge failed 2 times on " in reported
    assert failure in reported
    assert [line for line in answers_of(items) if "format" not in line] == kept[1:]
    assert status(ask(items, program(tmp_path, ALPHABETICAL), "--adopt")) == 0
    assert "apple is the best item" in capsys.readouterr().out


def test_a_judge_may_answer_one_question_and_exit(items: Path, tmp_path: Path) -> None:
    once = ALPHABETICAL.replace("flush=True)", "flush=True)\n    break")
    judge = JudgeProgram(program(tmp_path, once), PEARS, timeout=10, retries=0)
    assert [judge.compare("fig", "pear").said, judge.compare("pear", "fig").said] == [
        Said.FIRST,
        Said.SECOND,
    ]
    judge.close()


def test_what_interrupts_the_search_is_not_sent_to_its_judges(tmp_path: Path) -> None:
    """They have a process group of their own: what they were asked can still be waited for."""
    alone = "print(1 if os.getpgrp() == os.getpid() else 2, flush=True)"
    source = f"import os, sys\nfor line in sys.stdin: {alone}"
    judge = JudgeProgram(program(tmp_path, source), PEARS, timeout=10, retries=0)
    assert judge.compare("fig", "pear").said is Said.FIRST
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
    judge = JudgeProgram(program(tmp_path, TALKATIVE), PEARS, timeout=10, retries=5)
    with pytest.raises(JudgeFailed, match="more than one line"):
        judge.compare("fig", "pear")
    judge = JudgeProgram(program(tmp_path, LATE), PEARS, timeout=10, retries=5)
    assert judge.compare("fig", "pear").said is Said.FIRST
    time.sleep(0.5)
    with pytest.raises(JudgeFailed, match="more than one line"):
        judge.compare("fig", "pear")


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
    assert (tmp_path / "judge.py.count").stat().st_size > 51 * 6 / 5


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("first", Said.FIRST),
        (" 2\n", Said.SECOND),
        ('{"winner": "second"}', Said.SECOND),
        ('{"winner": 1}', Said.FIRST),
        ("A", Said.FIRST),
        ('"b"', Said.SECOND),
        ("pear", Said.SECOND),
        ('{"winner": "fig"}', Said.FIRST),
        ("tie", Said.TIE),
        ("0", Said.TIE),
    ],
)
def test_verdicts(text: str, said: Said) -> None:
    assert PEARS.read(text, "fig", "pear") is said


@pytest.mark.parametrize(
    "text",
    [
        *("", "12", "{}", "[1]", "null", '{"winner": null}', "True", "1.0", "apple", "[" * 9999),
        *('{"winner": "first", "winner": "second"}', '{"a": {"b": 1, "b": 2}, "winner": 1}'),
    ],
)
def test_what_is_no_verdict(text: str) -> None:
    with pytest.raises(JudgeFailed):
        PEARS.read(text, "fig", "pear")


@pytest.mark.parametrize(
    "names",
    [
        *(["b", "a"], ["2", "1"], ["second", "first"], ["Left", "x"], ["fine", "TIE"], ["=", "x"]),
        *(['"b"', "x"], ['{"winner": "2"}', "x"], ["pear", '{"winner": "pear"}'], ["x", '"x"']),
    ],
)
def test_no_answer_has_two_readings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], names: list[str]
) -> None:
    """A judge that answers by name lost the better item where names are words for positions."""
    items = tmp_path / "items.txt"
    items.write_text("\n".join(names), encoding="utf-8")
    by_name = ALPHABETICAL.replace('"first" if', 'asked["first"] if').replace(
        '"second", flush', 'asked["second"], flush'
    )
    assert status(ask(items, program(tmp_path, by_name))) == 2
    said = capsys.readouterr().err
    assert "by which judges answer" in said or "as an answer could also mean" in said
    assert not Path(f"{items}.journal").exists()


@pytest.mark.parametrize("answers", ["names", "positions"])
def test_it_can_be_said_how_a_judge_answers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], answers: str
) -> None:
    """The same two items, in both cases the judge's ``2`` is meant as the judge means it."""
    items = tmp_path / "items.txt"
    items.write_text("2\n1\n", encoding="utf-8")
    chosen = '"2"' if answers == "names" else '1 + (asked["second"] == "2")'
    judge = ALPHABETICAL[: ALPHABETICAL.index("print")] + f"print({chosen}, flush=True)"
    assert status(ask(items, program(tmp_path, judge), "--answers", answers, "--json")) == 0
    assert json.loads(capsys.readouterr().out)["item"] == "2"


def test_names_that_are_words_are_names_where_answers_are_names() -> None:
    words = Vocabulary(["a", "tie"], Answers.NAMES)
    assert words.read("tie", "a", "tie") is Said.SECOND
    assert words.read("equal", "a", "tie") is Said.TIE
    with pytest.raises(JudgeFailed, match="is not an item's name or tie"):
        words.read("first", "a", "tie")


def test_a_person_is_asked_again_until_there_is_an_answer() -> None:
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
    assert sum("is no answer: type 1, 2, =, s, u or q" in line for line in said) == 3
    assert said[0] == "9 left\n"
    assert "there is no answer to take back: type 1, 2, =, s, u or q: " in said
    assert said[-2] == "No other question is open now.\n"


def test_the_labels_that_a_person_types_are_no_items() -> None:
    said: list[str] = []
    person = Person(("2", "1", "B"), lambda: ">", said.append)
    assert person.compare("2", "1").said is Said.SECOND
    assert "<: 2   >: 1" in said[0]


@pytest.mark.parametrize("leaving", ["q\n", None])
def test_a_person_may_stop(leaving: str | None) -> None:
    def read() -> str:
        if leaving is None:
            raise EOFError
        return leaving

    with pytest.raises(KeyboardInterrupt):
        Person(ITEMS, read, lambda _: None).compare("fig", "plum")


HEAD = Head(("a", "c"), Identity("judge"), {"delta": "1/20"})
ASKED = Asking(Question(Stage.FIND, 0, 1, 0), False, Said.FIRST)


def journal_with(path: Path, askings: list[Asking], head: Head = HEAD) -> bytes:
    """Write a journal; return its bytes."""
    with Journal(path, head) as journal:
        for asking in askings:
            journal.append(asking)
    return path.read_bytes()


def replace(head: Head, **changes: object) -> Head:
    """Return a head with changes."""
    changed: Head = msgspec.structs.replace(head, **changes)
    return changed


def test_journals_of_other_runs_and_damaged_ones_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    whole = journal_with(path, [ASKED, ASKED])
    lines = whole.splitlines(keepends=True)
    pair = b'{"stage":"find","pair":[%s],"number":0,"swapped":false,"said":"first"}\n'
    refused = {
        "its delta is 1/20, not 1/10": (whole, replace(HEAD, rules={"delta": "1/10"})),
        "its items are a, c, not a, d": (whole, replace(HEAD, items=("a", "d"))),
        "the judge was judge, not other": (whole, replace(HEAD, judge=Identity("other"))),
        "is not a journal": (b"{}\n", HEAD),
        "is not  a journal|is not a journal": (b"no\n" + whole, HEAD),
        "damaged: Expected .array. of length 2": (lines[0] + pair % b"0", HEAD),
        "damaged: JSON is malformed": (lines[0] + b"x\n" + lines[1], HEAD),
        "must differ from u": (lines[0] + pair % b"1,1", HEAD),
        "must name two of 2 items": (lines[0] + pair % b"0,2", HEAD),
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


def test_a_journal_without_answers_is_anybodys(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    journal_with(path, [])
    other = Head(("x", "y", "z"), Identity("other"), {"delta": "1/10"})
    journal_with(path, [ASKED], other)
    with Journal(path, other) as journal:
        assert journal.askings == [ASKED]


def test_answers_are_taken_over_knowingly_and_by_name(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    gone = Asking(Question(Stage.FIND, 1, 2, 0), True, Said.TIE, True)
    head = replace(HEAD, items=("a", "c", "b"))
    before = journal_with(path, [ASKED, gone], head)
    now = Head(("c", "d", "a"), Identity("other"), {"delta": "1/10"})
    for _ in range(2):  # Adopted once, they are this run's own.
        with Journal(path, now, adopt=True) as journal:
            moved = Question(Stage.FIND, 2, 0, 0)
            assert journal.askings == [Asking(moved, False, Said.FIRST)]
            assert path.read_bytes().startswith(before)
    with Journal(path, now) as journal:
        assert len(journal.askings) == 1
        journal.undo()
        assert journal.askings == []
    with Journal(path, now) as journal:
        assert journal.askings == []
    with Journal(path, head, adopt=True) as journal:  # What was about another item is there still.
        assert journal.askings == [gone]


def test_a_journal_of_the_first_format_is_read(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    path.write_text(
        '{"format": "tgite-journal/1", "items": ["a", "c"], "judge": "judge", "delta": "1/20", '
        '"g": null, "start": 0, "conventions": {}, "swap": 1, "test": "MixtureTest"}\n'
        '{"duel": [0, 1], "swapped": true, "first_wins": true}\n'
        '{"duel": [0, 1], "swapped": false, "first_wins": true}\n',
        encoding="utf-8",
    )
    rules = {"delta": "1/20", "start": "0", "test": "MixtureTest", "ties": "half"}
    with pytest.raises(InvalidInput, match="its delta is 1/20, not 1/9; --adopt takes them over"):
        Journal(path, replace(HEAD, rules={**rules, "delta": "1/9"}))
    with Journal(path, replace(HEAD, rules=rules)) as journal:
        assert journal.askings == [
            Asking(Question(Stage.FIND, 0, 1, 0), True, Said.SECOND),
            Asking(Question(Stage.FIND, 0, 1, 1), False, Said.FIRST),
        ]


def test_judges_are_known_by_what_they_are(
    items: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    judge = program(tmp_path, ALPHABETICAL)
    assert status(ask(items, judge, "--budget", "5")) == 1
    unbuffered = judge.replace(" ", " -u ", 1)
    assert status(ask(items, unbuffered, "--budget", "5")) == 1
    assert "it is the same one" in capsys.readouterr().err
    for words, end, what in (
        (" --strict", "", "the judge was told nothing, not --strict"),
        ("", "# edited", "the judge's judge.py had another content"),
    ):
        assert status(ask(items, program(tmp_path, ALPHABETICAL + end) + words)) == 2
        assert f"holds 10 answers of another run: {what}; --adopt" in capsys.readouterr().err
    assert status(ask(items, judge, "--adopt", "--json")) == 0
    assert json.loads(capsys.readouterr().out)["asked_now"] == 41
    assert status(ask(items, judge)) == 0


def test_what_a_command_line_runs_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of an interpreter the script alone; of any other program it, and all of its words."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "package" / "deep").mkdir(parents=True)
    for name in ("judge.py", "data.txt", "package/__main__.py", "package/deep/rules.py"):
        (tmp_path / name).write_text(name, encoding="utf-8")

    def known(command: str) -> tuple[tuple[str, ...], str]:
        one = Identity.of_command(command)
        return tuple(name for name, _ in one.files), " ".join(one.words)

    assert known("python3 -u judge.py --strict data.txt") == (("judge.py", "data.txt"), "--strict")
    assert known("python3 -u -m judge data.txt") == (("judge", "data.txt"), "-m judge")
    assert known("python3 -m package") == (("package",), "-m package")
    assert known("python3 -c print(1) data.txt") == (("python3", "data.txt"), "-c print(1)")
    assert known("cat --model one data.txt") == (("cat", "data.txt"), "--model one")
    before = Identity.of_command("python3 -m package")
    (tmp_path / "package/deep/rules.py").write_text("edited", encoding="utf-8")
    assert Identity.of_command("python3 -m package").files != before.files
    assert before.remark == ""
    assert "-m elsewhere runs was not found" in Identity.of_command("python3 -m elsewhere").remark


def test_a_version_that_a_judge_states_decides(
    items: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of two judges of one version the files may differ; of one that states another, nothing."""

    def greeting(version: str) -> str:
        hello = json.dumps({"hello": "judge", "version": version})
        return program(tmp_path, f"print({hello!r}, flush=True){ALPHABETICAL}# {time.time()}")

    assert status(ask(items, greeting("one"), "--budget", "5")) == 1
    assert status(ask(items, greeting("one"), "--budget", "5")) == 1
    assert "its version decides" in capsys.readouterr().err
    for other in (greeting("two"), program(tmp_path, ALPHABETICAL)):
        assert status(ask(items, other)) == 1
        assert "is not the version one whose 10 answers" in capsys.readouterr().err
    assert status(ask(items, greeting("two"), "--adopt")) == 0
    assert len([line for line in answers_of(items) if "format" not in line]) == 51


@pytest.fixture
def undisturbed(items: Path, tmp_path: Path) -> Iterator[list[str]]:
    """Run once without a kill; return the journal."""
    slow = ALPHABETICAL.replace("import json, sys", "import json, sys, time").replace(
        "    asked =", "    time.sleep(0.002)\n    asked ="
    )
    assert status(ask(items, program(tmp_path, slow), "--swap", "3")) == 0
    yield answers_of(items)
    Path(f"{items}.journal").unlink()


@pytest.mark.parametrize("judges", [1, 3])
def test_a_run_killed_at_any_moment_goes_on(
    items: Path, tmp_path: Path, undisturbed: list[str], judges: int
) -> None:
    """Kill at random moments, SIGKILL; the same command ends with the same answers, each time.

    Several judges answer in any order: then it is the same answers, and none is lost.
    """
    command = f"{sys.executable} {tmp_path / 'judge.py'}"
    words = ask(items, command, "--swap", "3", "--json", "--concurrency", str(judges))
    journal = Path(f"{items}.journal")
    moments = random.Random(20)
    killed = 0
    while killed < KILLS / 2:
        journal.unlink(missing_ok=True)
        before: list[str] = []
        stops = sorted(moments.sample(range(2, len(undisturbed)), 2))
        for stop in stops:
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
            killed += 1
            kept = journal.read_text(encoding="utf-8")
            whole = kept[: kept.rfind("\n") + 1].splitlines()
            if judges == 1:
                assert whole == undisturbed[: len(whole)]
            assert len(whole) == len(set(whole)) >= stop
            assert set(before) <= set(whole)
            before = whole
        assert status(words) == 0
        assert answers_of(items)[: len(before)] == before
        assert set(undisturbed) <= set(answers_of(items))
        assert judges > 1 or answers_of(items) == undisturbed


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--matrix", "m.csv"], "matrix = m.csv: has no meaning with a judge"),
        (["--gap", "0.5"], "gap = 1/2: must lie strictly between 0 and 1/2"),
        (["--timeout", "0"], "timeout = 0.0: must be a number of seconds above 0"),
        (["--timeout", "nan"], "timeout = nan: must be a number of seconds above 0"),
        (["--timeout", "inf"], "timeout = inf: must be a number of seconds above 0"),
        (["--retries", "-1"], "retries = -1"),
        (["--seed", "1"], "seed = 1: has no meaning with a judge"),
        (["--repetitions", "1"], "repetitions = 1: has no meaning with a judge"),
        (["--unguaranteed"], "unguaranteed = True: has no meaning with a judge"),
        (["--swap", "-1"], "swap = -1: must be a whole number"),
        (["--swap", "1", "--no-swap"], "swap = 1: contradicts --no-swap"),
        (["--no-swap", "--both-orders"], "both-orders = given: has no meaning with --no-swap"),
        (["--ties", "refuse", "--both-orders"], "has no meaning with --both-orders"),
        (["--concurrency", "0"], "concurrency = 0: must be a whole number of 1 or more"),
        (["--price", "-1"], "price = -1.0: must be a number of 0 or more"),
        (["--start", "grape"], "start = grape: must be an arm's number or name"),
        (["--g", "0.6"], "g = 3/5: must be above 0 and at most 1/2"),
        (["--ask"], "must be given, with --ask or --judge COMMAND"),
        (["--judge", "'"], "cannot be split into words"),
        (["--judge", ""], "must name a program"),
        (["--judge", "mine:better"], "a Python function is for tgite_judge.find_best"),
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


def test_options_of_judges_are_refused_without_one(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["run", "bai", "--delta", "0.1", "--example", "mslr5", "--no-swap"]
    assert status(words) == 2
    assert "no-swap = True: has a meaning only with --judge or --ask" in capsys.readouterr().err


def typing(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    """Let a person type these lines, and then no more."""
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def by_hand(items: Path, *more: str) -> list[str]:
    """Return the words of the command that asks a person."""
    return ["judge", str(items), "--delta", "0.05", "--ask", *more]


def test_a_person_skips_takes_back_and_stops(
    items: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    typing(monkeypatch, "s", "1", "2", "u", "=", "q")
    assert status(by_hand(items, "--swap", "5")) == 1
    said = capsys.readouterr()
    assert "No result yet: interrupted after 2 comparisons. The best guess is" in said.out
    shown = [text.split("=: a tie")[0] for text in said.err.split("Which is better?")[1:]]
    assert ["fig" in text for text in shown] == [True, False, True, False, True, False]
    assert (
        "Questions left: at least 51 more, about 355 if the better of two wins 70%, without a bound"
        in (said.err)
    )
    kept = [json.loads(line) for line in answers_of(items)[1:]]
    assert [line.get("said", line.get("undone")) for line in kept] == [
        "first",
        "second",
        True,
        "tie",
    ]
    assert kept[1]["pair"] == kept[3]["pair"] != kept[0]["pair"]


def test_a_consistent_person_is_asked_about_each_pair_once(
    items: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    typing(monkeypatch, *"1" * 3)
    assert status(by_hand(items, "--consistent", "--no-swap")) == 0
    said = capsys.readouterr().out
    assert said.startswith(
        "If no answer depends on which of the two items is shown first, which --no-swap leaves "
        "unknown, and one item beats every other one more often than not, which nobody has asked, "
        "fig is the best item, after 3 comparisons, provided that a pair is answered in the same "
        "way whenever it is asked about."
    )
    place = ["--journal", str(items.with_name("again"))]
    typing(monkeypatch, *"1" * 21)
    assert status(by_hand(items, "--no-swap", *place)) == 1
    said = capsys.readouterr().err
    assert said.count("needs 3 questions in all: --consistent --adopt goes on so") == 1
    typing(monkeypatch)
    assert status(by_hand(items, "--no-swap", "--consistent", "--adopt", *place)) == 0
    assert "fig is the best item, after 21 comparisons, provided" in capsys.readouterr().out


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
def test_of_what_looks_like_a_tie_is_said_once_what_would_end_it(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
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
    words = ["run", "bai", "--delta", "0.4", "--items", str(items), *more]
    words += ["--judge", program(tmp_path, BY_TURNS)]
    at_first = int(mean) + (0 if "--no-certify" in more else FIND_MOST)
    for budget_now, hint in zip((at_first, 1, 20), hints, strict=True):
        assert status([*words, "--budget", str(budget_now)]) == 1
        said = capsys.readouterr().err
        assert said.count("fig and pear may be as good as equal: fig won ") == hint
        if hint:
            assert f"about {mean:.0f} decide it if the better one wins 55%" in said
            assert offer in said


def test_events_are_json_lines(
    items: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tgite_judge.cli.judge._SECONDS_BETWEEN_REPORTS", 0.0)
    words = ask(items, program(tmp_path, ALPHABETICAL), "--budget", "9", "--price", "0.5", "--json")
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
