"""The vectors without Python: what is released, and the checker in C that comes with it."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import tarfile
import tomllib
from collections import Counter
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest

import in_c
from tgite_conform.format import SHIPPED, VERSIONS, Version, read_folder, read_vectors
from tgite_conform.process import ProcessConnection
from tgite_conform.program import ProgramSubject
from tgite_conform.release import archive
from tgite_conform.runner import Status, examine
from tgite_conform.subjects import LONGEST_TAPE
from tgite_laws.cli.main import status

STRICTLY = ("-std=c99", "-pedantic")
DUELS = SHIPPED / "v1" / "duel_test.json"
DATA = tomllib.loads(Path(__file__).with_name("in_c.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def checker(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The checker with an implementation that is right."""
    folder = tmp_path_factory.mktemp("checker")
    return in_c.compiled(in_c.EXAMPLE, in_c.CHECKER, folder, *STRICTLY)


def _run(command: str, *words: object, **environment: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [command, *map(str, words)],
        env={name: str(value) for name, value in environment.items()},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


# What is released.


def test_the_archive_is_packed_with_nothing_of_this_machine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "vectors.tar"
    assert status(["vectors", "pack", str(file)]) == 0
    content = file.read_bytes()
    assert capsys.readouterr().out == f"{sha256(content).hexdigest()}  {file}\n"
    with tarfile.open(fileobj=io.BytesIO(content)) as tar:
        entries = tar.getmembers()
    names = [entry.name for entry in entries]
    assert names == sorted(names)
    vectors = {
        f"tgite-vectors-{VERSIONS[-1]}/{p.relative_to(SHIPPED)}" for p in SHIPPED.glob("v*/*")
    }
    others = {name.partition("/")[2] for name in set(names) - vectors}
    assert vectors < set(names)
    assert others == {*DATA["released"]}
    told = {(e.uid, e.gid, e.uname, e.gname, e.mode, e.mtime, e.isreg()) for e in entries}
    assert told == {(0, 0, "", "", 0o644, 946_684_800, True)}
    assert status(["vectors", "pack", str(tmp_path)]) == 2


def test_the_commands_of_what_is_released_do_what_the_kit_does(
    tmp_path: Path, checker: str
) -> None:
    """On all vectors: as many cases as the kit plays, and no other ones, conform."""
    with tarfile.open(fileobj=io.BytesIO(archive())) as tar:
        tar.extractall(tmp_path, filter="data")
    (folder,) = tmp_path.iterdir()
    commands = re.findall("^ {6}(.*)$", (folder / "README.md").read_text(), re.MULTILINE)
    page = (folder / "conformance-reference.md").read_text()
    printed = in_c.MISTAKES["a tournament's rounds are forgotten"]["told"]
    assert len(commands) == 2
    assert all(f"    {command}\n" in page for command in (*commands, printed))
    ran = subprocess.run(
        ["sh", "-e", "-c", "\n".join(commands)],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    speaking = in_c.compiled(in_c.EXAMPLE, in_c.SPEAKS_JSON, tmp_path, "-std=c11", "-D_GNU_SOURCE")
    subject = ProgramSubject(ProcessConnection([speaking]), "c_tgite", 20.0)
    subject.close()
    plays = Counter(
        case.duels <= LONGEST_TAPE
        and subject.declaration.why_skipped(case) == ""
        and not re.search("(first|second|result)=[0-9]{19}", repr(case.expected))
        for case in read_vectors()
    )
    told = f"all: {plays[True]} conform, 0 differ, {plays[False]} skipped"
    assert ran.stdout.splitlines()[-1] == told
    assert plays[True] > 1300


# The first programs that the page names.


def test_the_first_program_in_c_conforms(tmp_path: Path) -> None:
    source = (in_c.RELEASE / "mine.c").read_text("utf-8")
    checker = in_c.compiled(source, in_c.CHECKER, tmp_path, *STRICTLY)
    ran = _run(checker, *map(str, sorted(SHIPPED.glob("v*/duel_test.json"))))
    assert " 0 differ, " in ran.stdout.splitlines()[-1]
    assert ran.returncode == 0


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_first_program_in_javascript_conforms() -> None:
    program = in_c.RELEASE / "mine.js"
    cases = read_vectors(algorithms=["duel_test"])
    short = [case for case in cases if case.duels < 1000 and case.conventions.first_arm == 0]
    with closing(ProgramSubject(ProcessConnection(["node", str(program)]), "js", 20.0)) as subject:
        results = list(examine(subject, short))
    assert {one.status for one in results} == {Status.CONFORMS}


# What is wrong differs.


@pytest.mark.parametrize("mistake", in_c.MISTAKES)
def test_planted_mistakes_differ_where_they_go_wrong(mistake: str, tmp_path: Path) -> None:
    vectors, told = (in_c.MISTAKES[mistake][one] for one in ("vectors", "told"))
    wrong = in_c.compiled(in_c.mistaken(mistake), in_c.CHECKER, tmp_path, *STRICTLY)
    ran = _run(wrong, f"{SHIPPED / vectors}.json")
    assert (ran.returncode, ran.stdout.splitlines()[0]) == (1, told)


def test_no_trick_conforms(tmp_path: Path) -> None:
    """Nothing conforms but what plays the matches that are expected and refuses what is bad."""
    tricks = [*DATA["tricks"].items(), ("exit(0);", "")]
    ways = "".join(f"case {number}: {way} break;\n" for number, (way, _) in enumerate(tricks))
    source = DATA["tricky"].replace("WAYS", ways)
    tricky = in_c.compiled(source, in_c.CHECKER, tmp_path, *STRICTLY)
    cases = read_folder(Version("1").folder(), {"duel_test"})
    flags = Counter(flag for case in cases for flag in case.flags)
    for number, (way, told) in enumerate(tricks):
        ran = _run(tricky, DUELS, TRICK=number)
        if way == "exit(0);":
            told = "check: the program was ended within duel_test-6fa1bad041\n"
            assert (ran.returncode, ran.stdout, ran.stderr) == (2, "", told)
            continue
        first, *_, last = ran.stdout.splitlines()
        assert (ran.returncode, first) == (1, f"duel_test-6fa1bad041: {told}")
        assert last.endswith(" 0 skipped")
        unrefused = ran.stdout.count(", but must refuse the input")
        assert unrefused == (flags["refusal"] if way.startswith(("play", "for", "return 0")) else 0)
        # Whoever asks for duels without end is right where the horizon cuts them.
        rightly = flags["refusal"] if "REFUSED" in way else flags["cut-in-match"]
        assert int(last.split()[1]) <= rightly < 12, way


def test_the_later_matches_of_a_pair_have_their_own_outcomes(tmp_path: Path) -> None:
    """Who beats the incumbent in an epoch's screening may meet it again."""
    source = (
        in_c.EXAMPLE.replace('"duel_test", "', '"screen_and_replace", "duel_test", "')
        .replace('"bye=last"', '"bye=last", "candidates=incumbent-first", "screening=ascending"')
        .replace("    bool bai", f"{DATA['screens']}    bool bai")
    )
    screens = in_c.compiled(source, in_c.CHECKER, tmp_path, *STRICTLY)
    ran = _run(screens, SHIPPED / "v1" / "screen_and_replace.json")
    assert ran.returncode == 0, ran.stdout
    assert int(ran.stdout.splitlines()[-1].split()[1]) > 100


# What is damaged is refused.


@pytest.mark.parametrize("damage", DATA["damage"])
def test_damaged_vectors_are_refused(damage: str, checker: str, tmp_path: Path) -> None:
    before, after, told = (DATA["damage"][damage][one] for one in ("before", "after", "told"))
    file, text = tmp_path / "damaged.json", DUELS.read_text()
    assert before in text
    file.write_text(text.replace(before, after, 1))
    ran = _run(checker, file)
    assert ran.returncode == 2
    assert re.match(rf"check: {re.escape(str(file))}, line \d+: ", ran.stderr)
    assert told in ran.stderr


def test_what_cannot_be_checked_is_said(checker: str, tmp_path: Path) -> None:
    """Nothing at all, a file that is missing, none that applies, a convention that there is not."""
    assert "none of the cases applies" in _run(checker).stderr
    assert "cannot be read" in _run(checker, tmp_path / "none.json").stderr
    (tmp_path / "empty.json").touch()
    ran, told = _run(checker, tmp_path / "empty.json"), "empty.json, line 1: must go on with {"
    assert (ran.returncode, told in ran.stderr) == (2, True)
    ran = _run(checker, SHIPPED / "v1.2" / "certify.json")
    assert (ran.returncode, "none of the cases applies" in ran.stderr) == (2, True)
    misspelt = in_c.EXAMPLE.replace('"bye=last"', '"by=last"')
    ran = _run(in_c.compiled(misspelt, in_c.CHECKER, tmp_path, *STRICTLY), DUELS)
    assert (ran.returncode, "has by=last: there is no such" in ran.stderr) == (2, True)


def test_any_of_the_declared_values_will_do(tmp_path: Path) -> None:
    """Who declares both values of a choice is asked to play both; it is a mistake to."""
    both = in_c.EXAMPLE.replace('"bye=last"', '"bye=last", "bye=first"')
    ran = _run(in_c.compiled(both, in_c.CHECKER, tmp_path, *STRICTLY), SHIPPED / "v1" / "bkt.json")
    assert ran.returncode == 1
    assert int(ran.stdout.splitlines()[-1].split()[1]) >= 90
