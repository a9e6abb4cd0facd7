"""Programs behind a pipe: well-behaved, misbehaving in every way, and fuzzed."""

from __future__ import annotations

import io
import json
import os
import random
import re
import socket
import sys
import textwrap
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import msgspec
import pytest

from golden import errors, same_as, table
from shipped_vectors import CASES, PYTHONPATH, REFERENCE, RUNS, played_of
from tgite import InvalidInput
from tgite_conform import runner
from tgite_conform.algorithms import ALGORITHMS
from tgite_conform.divergence import Diverged, Parting
from tgite_conform.faults import Fault, FaultKind, Lacking
from tgite_conform.format import Case, Expected, Refusal
from tgite_conform.process import LineChannel, ProcessConnection
from tgite_conform.program import ProgramSubject
from tgite_conform.protocol import Hello, Mode, handed, read_played, read_reply
from tgite_conform.referee import Level
from tgite_conform.runner import Status, examine
from tgite_conform.serve import serve
from tgite_conform.subjects import judge_played

LIMIT = 0.4
AMPLE = 60.0
"""More seconds than a slow machine needs."""


def _shortest(algorithm: str, number: int = 5) -> list[Case]:
    """Return an algorithm's shortest runs that end by themselves, if it ends."""
    cut = ALGORITHMS[algorithm].endless
    runs = [
        case
        for case, expected in RUNS
        if case.algorithm == algorithm and (expected.horizon is not None) == cut and case.duels > 3
    ]
    return sorted(runs, key=lambda case: case.duels)[:number]


(DUEL,) = _shortest("duel_test", 1)
DUELS = next(expected for case, expected in RUNS if case is DUEL)


@pytest.fixture(autouse=True)
def _path(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let child processes find the packages."""
    monkeypatch.setenv("PYTHONPATH", PYTHONPATH)


# Well-behaved programs.


def _serving(implementation: str) -> ProgramSubject:
    command = [sys.executable, "-m", "tgite_conform.serve", implementation]
    return ProgramSubject(ProcessConnection(command), implementation, AMPLE)


def test_the_reference_conforms_as_a_program() -> None:
    with closing(_serving(REFERENCE)) as subject:
        assert subject.mode is Mode.DUEL
        chosen = [one for name in sorted(subject.declaration.algorithms) for one in _shortest(name)]
        chosen += [case for case in CASES if isinstance(case.expected, Refusal)][::9]
        assert {one.status for one in examine(subject, chosen)} == {Status.CONFORMS}


def test_whole_tapes_conform_as_a_program() -> None:
    with closing(_serving("implementations.numpy_tgite:play")) as subject:
        assert subject.mode is Mode.BATCH
        chosen = _shortest("tg_ite_weak") + _shortest("bkt_g")
        assert {one.status for one in examine(subject, chosen)} == {Status.CONFORMS}
        with pytest.raises(Lacking):
            subject.meet(CASES[0], None)


# Misbehaving programs.

HELLO = {
    "type": "hello",
    "protocol": 1,
    "name": "it",
    "algorithms": ["duel_test"],
    "modes": ["duel"],
}
_HEAD = f"""
import json, os, sys, time
hello = {HELLO!r}
def say(message):
    print(json.dumps(message), flush=True)
requests = map(json.loads, sys.stdin)
first = next(requests)
"""
_EACH_RUN = """
say(hello)
for request in requests:
    if request["type"] == "bye":
        break
    if request["type"] == "start":
        """


def _program(folder: Path, body: str, seconds: float = AMPLE) -> ProgramSubject:
    """Start a program; once it has said hello it has so many ``seconds`` for each answer."""
    script = folder / "program.py"
    script.write_text(_HEAD + textwrap.dedent(body))
    subject = ProgramSubject(ProcessConnection([sys.executable, str(script)]), "it", AMPLE)
    subject._seconds = seconds
    return subject


HANGS, MISBEHAVES, ANSWERS = (
    table("conform/programs.toml", one) for one in ("hangs", "misbehaves", "answers")
)
GREETINGS = [{**HELLO, **json.loads(one)} for one in ANSWERS["greetings"]]
GREETINGS += [{"type": "result", "arm": 0}, {"type": "hello"}]


def _play(folder: Path, action: str, seconds: float) -> None:
    """Play a case, and again where it diverges, with a program that does that in each run."""
    with closing(_program(folder, _EACH_RUN + action, seconds)) as subject:
        with suppress(Diverged):
            subject.play(DUEL)
        subject.play(DUEL)


def test_what_programs_do_wrong_is_told_within_the_limit(tmp_path: Path) -> None:
    """Only what hangs is to meet the limit, whatever the machine has to do meanwhile."""
    script = tmp_path / "script"
    script.write_text("#!/no/such/interpreter\n")
    commands: tuple[list[str], ...] = (
        ["no-such-program-anywhere"],
        ["./missing"],
        [str(script)],
        [],
    )
    calls: dict[str, Callable[[], object]] = {
        **{f"runs {command}": partial(ProcessConnection, command) for command in commands},
        **{what: partial(_play, tmp_path, action, LIMIT) for what, action in HANGS.items()},
        **{what: partial(_play, tmp_path, action, AMPLE) for what, action in MISBEHAVES.items()},
        "exits before its hello": partial(_program, tmp_path, "sys.exit(0)"),
        **{
            f"greets {json.dumps(hello)[:200]}": partial(
                _program, tmp_path, f"say({hello!r})\nnext(requests)"
            )
            for hello in GREETINGS
        },
        **{f"has played {one}": partial(read_played, json.loads(one)) for one in ANSWERS["whole"]},
        "is served an answer": partial(
            serve, REFERENCE, [b'{"type":"outcome","first_wins":true}'], io.BytesIO()
        ),
        "is served nonsense": partial(serve, REFERENCE, [b'{"type":"hi"}'], io.BytesIO()),
    }
    started = time.monotonic()
    told = errors(calls)
    assert time.monotonic() - started < 100
    told = re.sub(r"Traceback.*?(?=\w+Error)", "Traceback ... ", told, flags=re.DOTALL)
    told = re.sub("[complaint ]{100,}", " complaint ...", told.replace(f"{tmp_path}/", ""))
    same_as(Path(__file__).with_name("programs.txt"), told)


def test_what_cannot_be_started_or_lacks_the_mode_is_unusable_input(tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text("#!/no/such/interpreter\n")
    script.chmod(0o755)
    with pytest.raises(InvalidInput, match="did not start"):
        ProgramSubject(ProcessConnection([str(script)]), "broken", 1.0)
    script.write_text(f"#!{sys.executable}\n{_HEAD}say(hello)\nnext(requests)")
    with pytest.raises(InvalidInput, match="must be one of the program's: duel"):
        ProgramSubject(ProcessConnection([str(script)]), "it", AMPLE, Mode.BATCH)


def test_a_divergence_does_not_end_the_program(tmp_path: Path) -> None:
    """After a divergence the run is called off and the next one begins in the same process."""
    asks = "say({'type': 'duel', 'arms': [7, 8]}); assert next(requests) == {'type': 'stop'}"
    with closing(_program(tmp_path, _EACH_RUN + asks)) as subject:
        for case in _shortest("duel_test", 3):
            with pytest.raises(Diverged) as caught:
                subject.play(case)
            assert caught.value.divergence.parting is Parting.OTHER_DUEL
        process = subject._connection._process
        assert process is not None
        assert process.poll() is None


def test_a_program_that_does_not_read_is_reported(tmp_path: Path) -> None:
    says = "say({**hello, 'modes': ['batch']})\ntime.sleep(600)"
    longest = max((one for one in CASES if one.algorithm == "duel_test"), key=lambda one: one.duels)
    with closing(_program(tmp_path, says, LIMIT)) as subject:

        def fill_the_pipe() -> None:
            for _ in range(20):
                subject._tell(handed(longest))

        with pytest.raises(Fault, match="does not read its input"):
            fill_the_pipe()


def test_what_the_program_started_is_ended_too(tmp_path: Path) -> None:
    note = tmp_path / "child"
    starts = f"""
        import subprocess
        child = subprocess.Popen(["sleep", "600"])
        open({str(note)!r}, "w").write(str(child.pid))
        say(hello)
        """
    with closing(_program(tmp_path, starts, LIMIT)) as subject, pytest.raises(Fault):
        subject.play(DUEL)
    child = int(note.read_text())
    deadline = time.monotonic() + AMPLE
    while _is_running(child) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not _is_running(child)


def _is_running(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


REFUSES = 'say({"type": "refusal", "message": "not today"})'
CRASHES_NEXT = f"say(hello)\nnext(requests)\n{REFUSES}\nnext(requests)\nsys.exit(4)"


def test_a_new_process_is_started_after_a_fault(tmp_path: Path) -> None:
    """It crashes at every other case; the cases between are played."""
    with closing(_program(tmp_path, CRASHES_NEXT)) as subject:
        for case, error in zip(_shortest("duel_test", 4), (Diverged, Fault) * 2, strict=True):
            with pytest.raises(error):
                subject.play(case)


def test_it_gives_up_on_a_program_whose_faults_cost_too_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "_MOST_SECONDS_LOST", 0.0)
    with closing(_program(tmp_path, CRASHES_NEXT)) as subject:
        results = list(examine(subject, [one for one in CASES if one.algorithm == "duel_test"]))
    played = [one for one in results if one.status is not Status.SKIPPED]
    assert [one.status for one in played[:2]] == [Status.WRONG, Status.FAULT]
    left_out = Status.NOT_PLAYED, "faults have cost more than 0 s"
    assert {(one.status, one.detail) for one in played[2:]} == {left_out}


# Fuzzing.


def _heard(case: Case, mode: str, *replies: bytes) -> int:
    """Play a case with a program that has these replies ready; return the number of duels."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours, theirs, open(os.devnull, "wb") as nowhere:
        for reply in (_line({**HELLO, "modes": [mode], "algorithms": [case.algorithm]}), *replies):
            theirs.send(reply)
        theirs.close()
        connection = ProcessConnection([sys.executable])
        connection._channel = LineChannel(nowhere.fileno(), ours.fileno(), longest=20_000)
        return ProgramSubject(connection, "it", AMPLE).play(case)


_VALUES: tuple[object, ...] = (
    *(None, True, False, "", "0", "duel", "\ud800", "x" * 50),
    *(-1, 0, 1, 2, 10**30, -(10**30), 0.5, 1e308),
    *([], {}, [0], [0, 1], [1, 0], [0, 0], [[0, 1]], {"arms": [0, 1]}),
)


def _line(value: object) -> bytes:
    return json.dumps(value).encode() + b"\n"


def _malformed(draw: random.Random, valid: dict[str, object]) -> bytes:
    """Return a reply that is not the valid one."""
    text = json.dumps(valid)
    name, at = draw.choice(list(valid)), draw.randrange(1, len(text))
    others = [one for one in _VALUES if type(one) is not type(valid[name])]
    letter = draw.choice([one for one in '{}[]",:x\x00\\' if one != text[at]])
    number = draw.choice(["NaN", "Infinity", "1e999", "0.0", "9" * 5000])
    nested = draw.choice([b"[", b'{"a":']) * draw.choice([10, 3000])
    ways: list[Callable[[], bytes]] = [
        lambda: draw.randbytes(draw.randrange(1, 80)).replace(b"\n", b" ") + b"\n",
        lambda: text[:at].encode() + b"\n",
        lambda: text[:at].encode(),
        lambda: _line(draw.choice(_VALUES)),
        lambda: _line({k: v for k, v in valid.items() if k != name}),
        lambda: _line({**valid, draw.choice("abc"): draw.choice(_VALUES)}),
        lambda: _line({**valid, name: draw.choice(others)}),
        lambda: (text[:at] + letter + text[at + 1 :]).encode() + b"\n",
        lambda: (text[:-1] + ', "type": "duel"}').encode() + b"\n",
        lambda: b'{"type": ' + nested + b"\n",
        lambda: text.replace("0", number).encode() + b"\n",
        lambda: b"\xff\xfe" + text.encode() + b"\n",
        lambda: b"z" * 30_000 if draw.random() < 0.2 else b"\n",
        lambda: _line({**valid, "type": draw.choice(["Duel", "outcome", "hello", "stop", ""])}),
    ]
    return draw.choice(ways)()


def _played(expected: Expected) -> dict[str, object]:
    return {"type": "played", **played_of(expected)}


def test_two_thousand_malformed_replies_are_each_reported() -> None:
    draw = random.Random("malformed")
    asked: dict[str, object] = {"type": "duel", "arms": [0, 1]}
    played = {k: v for k, v in _played(DUELS).items() if v != []}
    kinds = Counter[str]()
    for number in range(2000):
        mode, valid = ("batch", played) if number % 2 else ("duel", asked)
        reply = _malformed(draw, valid)
        try:
            _heard(DUEL, mode, reply)
        except Fault as fault:
            kinds["late" if fault.duels else fault.kind] += 1
        except Diverged as diverged:
            kinds[diverged.divergence.parting] += 1
        else:
            pytest.fail(f"reply {number} passes: {reply[:200]!r}")
    assert kinds[FaultKind.NONSENSE] > 1000
    assert kinds["late"] == 0
    # Replies without the end of the line.
    assert kinds[FaultKind.NOT_STARTED] > 50
    assert kinds[FaultKind.FLOODED] > 5


def test_the_valid_replies_of_the_fuzz_pass() -> None:
    """So that it is the malformation that is reported."""
    with pytest.raises(Fault) as caught:
        _heard(DUEL, "duel", *[_line({"type": "duel", "arms": [*DUELS.matches[0].pair]})] * 3)
    assert caught.value.duels == 3
    assert _heard(DUEL, "batch", _line(_played(DUELS))) == DUEL.duels


@pytest.mark.parametrize("algorithm", ["tg_ite_strong_known_horizon", "tg_ite_weak"])
def test_changed_whole_runs_are_each_reported(algorithm: str) -> None:
    """Every change of a number in what was played is a divergence or nonsense."""
    case, expected = next(
        (case, expected)
        for case, expected in RUNS
        if case.algorithm == algorithm and (expected.self_play or len(expected.incumbents) > 1)
    )
    text = json.dumps(_played(expected))
    for at in [at for at, letter in enumerate(text) if letter.isdigit()]:
        changed = text[:at] + str((int(text[at]) + 1) % 10) + text[at + 1 :]
        with pytest.raises((Diverged, Fault)) as caught:
            _heard(case, "batch", changed.encode() + b"\n")
        if isinstance(caught.value, Diverged):
            assert caught.value.divergence.lines
    assert _heard(case, "batch", text.encode() + b"\n") == case.duels


def test_more_than_the_reference_plays_is_reported() -> None:
    (match,) = DUELS.matches
    one = [match.first, match.second, match.length, match.winner]
    right: dict[str, object] = {"matches": [one], "result": DUELS.result}
    for surplus in ({"matches": [one, one]}, {"wanted": [0, 1]}):
        with pytest.raises(Diverged) as caught:
            judge_played(DUEL, read_played({**right, **surplus}), Level.MATCHES)
        assert caught.value.divergence.parting is Parting.DID_NOT_END
        assert caught.value.divergence.duel == match.length + 1


def test_serving_ends_with_bye() -> None:
    """To stop where nothing is played is nothing."""
    replies = io.BytesIO()
    serve(REFERENCE, [b'{"type":"hello"}', b'{"type":"stop"}', b'{"type":"bye"}', b"?"], replies)
    (line,) = replies.getvalue().splitlines()
    hello = read_reply(line)
    assert isinstance(hello, Hello)
    assert hello.name == REFERENCE


def test_longer_tapes_are_given_more_time(tmp_path: Path) -> None:
    """It answers a case of 100 million duels after more than the limit."""
    says = """
        say({**hello, "modes": ["batch"]})
        for request in requests:
            time.sleep(3 * LIMIT)
            say({"type": "played", "matches": [], "result": None})
        """
    (match,) = DUELS.matches

    def long(duels: int) -> Case:
        matches = (msgspec.structs.replace(match, length=duels),)
        return replace(DUEL, expected=replace(DUELS, matches=matches))

    with closing(_program(tmp_path, says.replace("LIMIT", str(LIMIT)), LIMIT)) as subject:
        with pytest.raises(Diverged):
            subject.play(long(10**8))
        with pytest.raises(Fault, match=rf"no answer within {LIMIT}"):
            subject.play(DUEL)
        # What takes 20 s over a tape of 2^24 duels is slow and does not hang.
        assert subject.time_for(long(2**24)) > 30
        assert subject.time_for(DUEL) < 0.01
