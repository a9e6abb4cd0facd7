"""The vectors without Python: what is released, and the checker in C that comes with it."""

from __future__ import annotations

import gzip
import io
import re
import subprocess
import tarfile
from collections import Counter
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

import in_c
from tgite_conform.format import SHIPPED, Version, read_folder, read_vectors
from tgite_conform.process import ProcessConnection
from tgite_conform.program import ProgramSubject
from tgite_conform.release import archive
from tgite_conform.subjects import LONGEST_TAPE
from tgite_laws.cli.main import status

STRICTLY = ("-std=c99", "-pedantic")


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
    file = tmp_path / "vectors.tar.gz"
    assert status(["vectors", "pack", str(file)]) == 0
    content = file.read_bytes()
    assert capsys.readouterr().out == f"{sha256(content).hexdigest()}  {file}\n"
    assert content[:10] == b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
    with tarfile.open(fileobj=io.BytesIO(gzip.decompress(content))) as tar:
        entries = tar.getmembers()
    names = [entry.name for entry in entries]
    assert names == sorted(names)
    vectors = {f"tgite-vectors-1.4/{p.relative_to(SHIPPED)}" for p in SHIPPED.glob("v*/*")}
    others = {name.partition("/")[2] for name in set(names) - vectors}
    assert vectors < set(names)
    assert others == {
        *(
            "LICENSE",
            "README.md",
            "conformance.md",
            "conformance-reference.md",
            "vectors.schema.json",
        ),
        *("check.c", "example.c", "sha256.h", "tgite.h", "vectors.h"),
    }
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
    assert len(commands) == 2
    assert all(f"    {command}\n" in page for command in (*commands, FORGOTTEN))
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
        case.duels <= LONGEST_TAPE and subject.declaration.why_skipped(case) == ""
        for case in read_vectors()
    )
    told = f"all: {plays[True]} conform, 0 differ, {plays[False]} skipped"
    assert ran.stdout.splitlines()[-1] == told
    assert plays[True] > 1300


# What is wrong differs.

_OVER = "goes on with a match that is over"
_EARLY = "ends a match that is not over"
FORGOTTEN = f"bkt-f2656f802e: after 38 duels it {_EARLY}"
PLANTED: dict[str, tuple[str, str]] = {
    "the union bound is dropped": (
        "v1/duel_test",
        f"duel_test-6fa1bad041: after 2 duels it {_EARLY}",
    ),
    "the next duel's radius": (
        "v1/duel_test",
        f"duel_test-6fa1bad041: after 11 duels it {_EARLY}",
    ),
    "ties go to the second argument": (
        "v1/budgeted_duel_test",
        "budgeted_duel_test-abd89c3349: after 8 duels it takes 1 as the winner instead of 0",
    ),
    "a merge's arguments are swapped": (
        "v1/tree_ascent",
        "tree_ascent-a6378e72ab: after 0 duels it asks for one of 1 and 0 instead of 0 and 1",
    ),
    "a tournament's rounds are forgotten": (
        "v1/bkt",
        FORGOTTEN,
    ),
    "the bye is lost": ("v1/bkt", "bkt-f2656f802e: after 19 duels it returns, but must go on"),
    "beta is uniform over levels": (
        "v1/tree_ascent",
        f"tree_ascent-8a66fd4eb6: after 22 duels it {_OVER}",
    ),
    "the budget is rounded down": (
        "v1/budgeted_duel_test",
        f"budgeted_duel_test-291b945ef7: after 2 duels it {_EARLY}",
    ),
    "the budget is in single precision": (
        "v1.3/budgeted_duel_test",
        f"budgeted_duel_test-98d9d8c8ec: after 4198 duels it {_EARLY}",
    ),
    "arms have 8 bits": (
        "v1.3/bkt",
        "bkt-324eee17d3: after 19 duels it asks for one of 255 and 0 instead of 255 and 256",
    ),
    "duels are counted in 16 bits": (
        "v1.3/duel_test",
        f"duel_test-bfc05b2f33: after 34043 duels it {_OVER}",
    ),
}


@pytest.mark.parametrize("mistake", PLANTED)
def test_planted_mistakes_differ_where_they_go_wrong(mistake: str, tmp_path: Path) -> None:
    vectors, told = PLANTED[mistake]
    wrong = in_c.compiled(in_c.mistaken(mistake), in_c.CHECKER, tmp_path, *STRICTLY)
    ran = _run(wrong, f"{SHIPPED / vectors}.json")
    assert (ran.returncode, ran.stdout.splitlines()[0]) == (1, told)


TRICKS = {
    "return 0;": "after 0 duels it returns, but must go on",
    "return TGITE_REFUSED;": "after 0 duels it refuses a valid input",
    "tgite_won(0); return 0;": "after 0 duels it ends a match that is not over",
    "play(11); return 0;": "after 11 duels it returns, but must go on",
    "play(12); return 0;": "after 12 duels it returns, but must go on",
    "play(13); return 0;": "after 12 duels it goes on with a match that is over",
    "for (;;) play(1);": "after 12 duels it goes on with a match that is over",
    "play(12); tgite_won(0); return 1;": "after 12 duels it returns 1 instead of 0",
    "play(12); tgite_won(0); play(1); return 0;": (
        "after 12 duels it asks for one of 0 and 1, but must end"
    ),
    "play(12); tgite_won(0); tgite_won(0); return 0;": (
        "after 12 duels it ends a match that is not over"
    ),
    "exit(0);": "",
}
"""What an implementation might do instead, and where that differs from a match of 12 duels."""


def test_no_trick_conforms(tmp_path: Path) -> None:
    """Nothing conforms but what plays the matches that are expected and refuses what is bad."""
    ways = "".join(f"case {number}: {way} break;\n" for number, way in enumerate(TRICKS))
    source = (
        '#include <stddef.h>\n#include <stdlib.h>\n#include "tgite.h"\n'
        'const char *const tgite_algorithms[] = {"duel_test", NULL};\n'
        "const char *const tgite_conventions[] = {NULL};\n"
        "static void play(int duels) { while (duels-- > 0) tgite_duel(0, 1); }\n"
        "int64_t tgite_play(const char *algorithm) {\n"
        f'switch (atoi(getenv("TRICK"))) {{\n{ways}}}\nreturn algorithm[0];\n}}\n'
    )
    tricky = in_c.compiled(source, in_c.CHECKER, tmp_path, *STRICTLY)
    cases = read_folder(Version.V1.folder(), {"duel_test"})
    flags = Counter(flag for case in cases for flag in case.flags)
    for number, (way, told) in enumerate(TRICKS.items()):
        ran = _run(tricky, SHIPPED / DUELS, TRICK=number)
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


_SCREENS = """
    if (strcmp(algorithm, "screen_and_replace") == 0) {
        int N = integer("N"), c = integer("c") - first_arm, arms[MOST_ARMS], count = 1;
        double kappa;
        if (N < 2 || N > MOST_ARMS || c < 0 || c >= N) return TGITE_REFUSED;
        if (!log_inverse("rho", true, &level) || !log_inverse("kappa", false, &kappa))
            return TGITE_REFUSED;
        arms[0] = c;
        for (int arm = 0; arm < N; arm++)
            if (arm != c && test(c, arm, level) == arm) arms[count++] = arm;
        return knockout(arms, count, kappa) + first_arm;
    }
"""


def test_the_later_matches_of_a_pair_have_their_own_outcomes(tmp_path: Path) -> None:
    """Who beats the incumbent in an epoch's screening may meet it again."""
    source = (
        in_c.EXAMPLE.replace('"duel_test", "', '"screen_and_replace", "duel_test", "')
        .replace('"bye=last"', '"bye=last", "candidates=incumbent-first", "screening=ascending"')
        .replace("    bool bai", f"{_SCREENS}    bool bai")
    )
    screens = in_c.compiled(source, in_c.CHECKER, tmp_path, *STRICTLY)
    ran = _run(screens, SHIPPED / "v1" / "screen_and_replace.json")
    assert ran.returncode == 0, ran.stdout
    assert int(ran.stdout.splitlines()[-1].split()[1]) > 100


# What is damaged is refused.

DUELS = "v1/duel_test.json"
_TAPE = '"tape":[[0,1,"fffffff"]]'
_ID = "has an identifier that is not its content's: duel_test-6fa1bad041"
Damage = Callable[[str], str]


def _instead(right: str, wrong: str) -> Damage:
    def damaged(text: str) -> str:
        assert right in text
        return text.replace(right, wrong, 1)

    return damaged


DAMAGE: dict[str, tuple[Damage, str]] = {
    "a version from the future": (
        _instead("tgite-vectors/1", "tgite-vectors/1.5"),
        'line 2: has an unknown version of the format: 1.5",',
    ),
    "a truncated line": (
        _instead('"margin":"3.4e-3"},', '"mar'),
        "line 7: must go on with gin",
    ),
    "a truncated file": (lambda text: text[:-4], "must go on with "),
    "a digit of the tape": (_instead(_TAPE, _TAPE.replace("f", "e", 1)), f"line 7: {_ID}"),
    "a digit of a level": (_instead('"999/1000"}', '"998/1000"}'), f"line 7: {_ID}"),
    "another convention": (_instead('"bye":"last"', '"bye":"first"'), f"line 7: {_ID}"),
    "another identifier": (_instead("6fa1bad041", "6fa1bad042"), "line 7: has an identifier"),
    "an unknown field of a case": (
        _instead('"ordered":', '"reordered":true,"ordered":'),
        'line 7: must go on with ordered":',
    ),
    "an unknown field of what is expected": (
        _instead('"self_play":[]', '"self_play":[],"swaps":[]'),
        'line 7: must go on with incumbents":',
    ),
    "an unknown field of a group": (
        _instead(',"cases"', ',"law":1,"cases"'),
        'line 6: must go on with cases":[',
    ),
    "an unknown kind": (_instead('"runs"', '"laws"'), 'line 6: must go on with refusals"'),
    "a match that is no match": (_instead("12,0,", "0,0,"), "line 7: has an impossible match"),
    "a number that is too large": (
        _instead("12,0,", "12000000000000000,0,"),
        "line 7: has too large a number",
    ),
    "no outcomes": (_instead('"fffffff"', '""'), "line 7: must go on with outcomes"),
    "outcomes that come no time": (
        _instead('"fffffff"', '"f*0 fffffff"'),
        "line 7: must go on with outcomes",
    ),
    "a match without outcomes": (_instead("[[0,1,", "[[0,2,"), f"line 7: {_ID}"),
    "a space": (_instead('"result":0', '"result": 0'), "line 7: must go on with a number"),
    "more after the end": (lambda text: text + "[]", "goes on after its end"),
    "a zero byte": (_instead("the first", "the \0first"), "line 7: ends within a string"),
    "nothing": (lambda text: "", "line 1: must go on with {"),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_damaged_vectors_are_refused(damage: str, checker: str, tmp_path: Path) -> None:
    change, told = DAMAGE[damage]
    file = tmp_path / "damaged.json"
    file.write_text(change((SHIPPED / DUELS).read_text()))
    ran = _run(checker, file)
    assert ran.returncode == 2
    assert re.match(rf"check: {re.escape(str(file))}, line \d+: ", ran.stderr)
    assert told in ran.stderr


def test_what_cannot_be_checked_is_said(checker: str, tmp_path: Path) -> None:
    """Nothing at all, a file that is missing, none that applies, a convention that there is not."""
    assert "none of the cases applies" in _run(checker).stderr
    assert "cannot be read" in _run(checker, tmp_path / "none.json").stderr
    ran = _run(checker, SHIPPED / "v1.2" / "certify.json")
    assert (ran.returncode, "none of the cases applies" in ran.stderr) == (2, True)
    misspelt = in_c.EXAMPLE.replace('"bye=last"', '"by=last"')
    ran = _run(in_c.compiled(misspelt, in_c.CHECKER, tmp_path, *STRICTLY), SHIPPED / DUELS)
    assert (ran.returncode, "has by=last: there is no such" in ran.stderr) == (2, True)


def test_any_of_the_declared_values_will_do(tmp_path: Path) -> None:
    """Who declares both values of a choice is asked to play both; it is a mistake to."""
    both = in_c.EXAMPLE.replace('"bye=last"', '"bye=last", "bye=first"')
    ran = _run(in_c.compiled(both, in_c.CHECKER, tmp_path, *STRICTLY), SHIPPED / "v1" / "bkt.json")
    assert ran.returncode == 1
    assert int(ran.stdout.splitlines()[-1].split()[1]) >= 90
