"""Programs behind a pipe: well-behaved, misbehaving in every way, and fuzzed."""

from __future__ import annotations

import io
import json
import os
import random
import re
import sys
import textwrap
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

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


def _serving(implementation: str, mode: Mode | None = None) -> ProgramSubject:
    command = [sys.executable, "-m", "tgite_conform.serve", implementation]
    return ProgramSubject(ProcessConnection(command), implementation, 20.0, mode)


# Well-behaved programs.


def test_the_reference_conforms_as_a_program() -> None:
    subject = _serving(REFERENCE)
    chosen = [
        case for name in sorted(subject.declaration.algorithms) for case in _shortest(name, 3)
    ]
    chosen += [case for case in CASES if isinstance(case.expected, Refusal)][::9]
    try:
        results = list(examine(subject, chosen))
    finally:
        subject.close()
    assert {result.status for result in results} == {Status.CONFORMS}
    assert subject.mode is Mode.DUEL


def test_whole_tapes_conform_as_a_program() -> None:
    subject = _serving("implementations.numpy_tgite:play")
    assert subject.mode is Mode.BATCH
    try:
        results = list(examine(subject, _shortest("tg_ite_weak") + _shortest("bkt_g")))
        with pytest.raises(Lacking):
            subject.meet(CASES[0], None)  # type: ignore[arg-type]
    finally:
        subject.close()
    assert {result.status for result in results} == {Status.CONFORMS}


def test_a_divergence_does_not_end_the_program(tmp_path: Path) -> None:
    """After a divergence the run is called off and the next one begins in the same process."""
    subject = _program(
        tmp_path,
        """
        say(hello)
        for request in requests:
            if request["type"] != "start":
                sys.exit(1)
            say({"type": "duel", "arms": [7, 8]})
            if next(requests) != {"type": "stop"}:
                sys.exit(2)
        """,
        seconds=20.0,
    )
    for case in _shortest("duel_test", 3):
        with pytest.raises(Diverged) as caught:
            subject.play(case)
        assert caught.value.divergence.parting is Parting.OTHER_DUEL
    process = subject._connection._process
    assert process is not None
    assert process.poll() is None
    subject.close()


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


def _command(folder: Path, body: str) -> list[str]:
    script = folder / "program.py"
    script.write_text(_HEAD + textwrap.dedent(body))
    return [sys.executable, str(script)]


def _program(folder: Path, body: str, seconds: float = LIMIT) -> ProgramSubject:
    # A slow machine may take longer than the limit to start a process.
    subject = ProgramSubject(ProcessConnection(_command(folder, body)), "it", 20.0)
    subject._seconds = seconds
    return subject


MISBEHAVIOUR = {
    "exits with an error": ("sys.exit(3)", FaultKind.CRASHED, "exited with status 3"),
    "raises": ("1 / 0", FaultKind.CRASHED, "ZeroDivisionError"),
    "is killed": ("os.kill(os.getpid(), 11)", FaultKind.CRASHED, "SIGSEGV"),
    "exits early": ("sys.exit(0)", FaultKind.EXITED_EARLY, "exited with status 0"),
    "hangs": ("time.sleep(60)", FaultKind.HUNG, "no answer within"),
    "hangs in the middle of a line": (
        "sys.stdout.write('{\"type\":'); sys.stdout.flush(); time.sleep(60)",
        FaultKind.HUNG,
        "no answer within",
    ),
    "ends in the middle of a line": (
        "sys.stdout.write('{\"type\":'); sys.exit(0)",
        FaultKind.EXITED_EARLY,
        "exited with status 0",
    ),
    "closes its output and goes on": (
        "os.close(1); time.sleep(60)",
        FaultKind.EXITED_EARLY,
        "closed its output",
    ),
    "answers nonsense": ("print('what?', flush=True); next(requests)", FaultKind.NONSENSE, "JSON"),
    "speaks out of turn": (
        "line = json.dumps({'type': 'duel', 'arms': [0, 1]}).encode() + b'\\n'; "
        "os.write(1, line + line); time.sleep(60)",
        FaultKind.NONSENSE,
        "spoke out of turn",
    ),
    "floods": (
        "while True: os.write(1, b'x' * 65536)",
        FaultKind.FLOODED,
        "a line of more than",
    ),
    "complains for ever": (
        "while True: os.write(2, b'complaint ' * 6000)",
        FaultKind.HUNG,
        "complaint",
    ),
}


@pytest.mark.parametrize("what", MISBEHAVIOUR)
def test_misbehaviour_is_reported_within_the_limit(what: str, tmp_path: Path) -> None:
    action, kind, detail = MISBEHAVIOUR[what]
    body = f"""
        say(hello)
        for request in requests:
            if request["type"] == "start":
                {action}
        """
    # Only what hangs is to meet the limit, whatever the machine has to do meanwhile.
    subject = _program(tmp_path, body, LIMIT if kind is FaultKind.HUNG else 20.0)
    started = time.monotonic()
    with pytest.raises(Fault) as caught:
        subject.play(DUEL)
    subject.close()
    assert caught.value.kind is kind
    assert detail in str(caught.value)
    assert time.monotonic() - started < 15


def test_a_program_that_does_not_read_is_reported(tmp_path: Path) -> None:
    subject = _program(
        tmp_path,
        """
        say({**hello, "modes": ["batch"]})
        time.sleep(60)
        """,
    )
    longest = max(
        (case for case in CASES if case.algorithm == "duel_test"), key=lambda case: case.duels
    )

    def fill_the_pipe() -> None:
        for _ in range(20):
            subject._tell(handed(longest))

    with pytest.raises(Fault, match="does not read its input"):
        fill_the_pipe()
    subject.close()


def test_what_the_program_started_is_ended_too(tmp_path: Path) -> None:
    note = tmp_path / "child"
    subject = _program(
        tmp_path,
        f"""
        import subprocess
        child = subprocess.Popen(["sleep", "60"])
        open({str(note)!r}, "w").write(str(child.pid))
        say(hello)
        for request in requests:
            sys.exit(1)
        """,
    )
    child = int(note.read_text())
    with pytest.raises(Fault):
        subject.play(DUEL)
    subject.close()
    deadline = time.monotonic() + 10
    while _is_running(child) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not _is_running(child)


def _is_running(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def test_a_new_process_is_started_after_a_fault(tmp_path: Path) -> None:
    """It crashes at every other case; the cases between are played."""
    count = tmp_path / "count"
    count.write_text("0")
    subject = _program(
        tmp_path,
        f"""
        say(hello)
        for request in requests:
            number = int(open({str(count)!r}).read())
            open({str(count)!r}, "w").write(str(number + 1))
            if number % 2:
                sys.exit(4)
            say({{"type": "refusal", "message": "not today"}})
        """,
        seconds=20.0,
    )
    for case, error in zip(_shortest("duel_test", 4), (Diverged, Fault) * 2, strict=True):
        with pytest.raises(error):
            subject.play(case)
    subject.close()


def test_a_program_that_refuses_every_input_is_wrong(tmp_path: Path) -> None:
    """No other conventions are its excuse: asked whether there are any, it refuses again."""
    subject = _program(
        tmp_path,
        """
        say(hello)
        for request in requests:
            say({"type": "refusal", "message": "not today"})
        """,
        seconds=3.0,
    )
    results = list(examine(subject, _shortest("duel_test", 2)))
    subject.close()
    assert [result.status for result in results] == [Status.WRONG] * 2


def test_it_gives_up_on_a_program_that_hangs_every_time(tmp_path: Path) -> None:
    subject = _program(
        tmp_path,
        """
        say(hello)
        for request in requests:
            time.sleep(60)
        """,
        seconds=20.0,
    )
    subject._seconds = 0.2
    started = time.monotonic()
    # Greeting anew takes longer than that: it counts as hanging, too.
    chosen = [case for case in CASES if case.algorithm == "duel_test"]
    results = list(examine(subject, [one for one in chosen if one.duels <= subject.longest]))
    subject.close()
    assert [result.status for result in results[:4]] == [Status.FAULT] * 3 + [Status.NOT_PLAYED]
    assert {result.status for result in results[4:]} == {Status.NOT_PLAYED}
    assert results[-1].detail == "hung 3 times in a row"
    assert time.monotonic() - started < 10


def test_it_gives_up_on_a_program_whose_faults_cost_too_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It hangs at every other case, never several times in a row."""
    monkeypatch.setattr(runner, "_MOST_SECONDS_LOST", 0.1)
    subject = _program(
        tmp_path,
        """
        say(hello)
        for _ in range(2):  # Once more when conventions are sought.
            next(requests)
            say({"type": "refusal", "message": "not today"})
        next(requests)
        time.sleep(60)
        """,
        seconds=20.0,
    )
    subject._seconds = 0.2
    results = list(examine(subject, [case for case in CASES if case.algorithm == "duel_test"]))
    subject.close()
    assert results[0].status is Status.WRONG
    assert results[1].detail.startswith("hung before any duel: no answer within 0.2 s")
    assert results[-1].status is Status.NOT_PLAYED
    assert results[-1].detail == "faults have cost more than 0.1 s"


@pytest.mark.parametrize(
    ("reply", "complaint"),
    [
        ({**HELLO, "protocol": 2}, "reply.protocol = 2: must be an integer <= 1"),
        ({**HELLO, "type": "hi"}, "reply.type = hi: is none that is known"),
        ({"type": "result", "arm": 0}, "reply.type = result: must be hello"),
        ({**HELLO, "modes": []}, "reply.modes = []: must be a list of length >= 1"),
        ({**HELLO, "modes": ["batch", "telepathy"]}, "must be one of duel, batch"),
        ({**HELLO, "algorithms": ["quicksort"]}, "such as duel_test"),
        ({**HELLO, "conventions": {"pairing": "fold"}}, "known choice with a list"),
        ({**HELLO, "more": 1}, 'unknown field "more"'),
        ({"type": "hello"}, 'must have the field "protocol"'),
    ],
)
def test_a_bad_greeting_is_unusable_input(
    reply: dict[str, object], complaint: str, tmp_path: Path
) -> None:
    with pytest.raises(InvalidInput, match=re.escape(complaint)):
        _program(tmp_path, f"say({reply!r})\nnext(requests)")


def test_a_program_that_cannot_be_run_is_unusable_input(tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text("#!/no/such/interpreter\n")
    for command, complaint in (
        (["no-such-program-anywhere"], "must be a command"),
        ([str(tmp_path / "missing")], "not found"),
        ([str(script)], "cannot be executed"),
        ([], "program = nothing"),
    ):
        with pytest.raises(InvalidInput, match=complaint):
            ProcessConnection(command)
    script.chmod(0o755)
    connection = ProcessConnection([str(script)])
    with pytest.raises(InvalidInput, match="did not start"):
        ProgramSubject(connection, "broken", 1.0)
    connection = ProcessConnection(_command(tmp_path, "say(hello)\nnext(requests)"))
    with pytest.raises(InvalidInput, match="must be one of the program's: duel"):
        ProgramSubject(connection, "it", 20.0, Mode.BATCH)


def test_an_exit_is_told_by_when_it_comes(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="exited early: exited with status 0 before its hello"):
        _program(tmp_path, "sys.exit(0)")
    subject = _program(tmp_path, "say(hello)\nnext(requests)\nsys.exit(0)")
    with pytest.raises(Fault, match="exited with status 0 in the middle of a case"):
        subject.play(DUEL)
    subject.close()


@pytest.mark.parametrize("name", ["", "x" * 5000, "\x1b[31mred", "two\nlines", "\ud800"])
def test_a_name_must_be_short_and_printable(name: str, tmp_path: Path) -> None:
    rule = "must be printable, 1 to 200 letters|must hold no half of a character"
    with pytest.raises(InvalidInput, match=rule) as caught:
        _program(tmp_path, f"say({ ({**HELLO, 'name': name})!r})\nnext(requests)")
    assert str(caught.value).isprintable()


# Fuzzing.


class _Script(ProcessConnection):
    """A program's side of the pipes, in this process: it says what it is told to say."""

    def __init__(self, replies: Iterator[bytes]) -> None:
        self.replies = replies
        self._channel: LineChannel | None = None
        self._open: list[int] = []

    def channel(self) -> LineChannel:
        if self._channel is None:
            to_program, from_kit = os.pipe()
            to_kit, from_program = os.pipe()
            self._open = [to_program, from_kit, to_kit, from_program]
            self._channel = _Answering(self, from_kit, to_kit, to_program, from_program)
        return self._channel

    def fault(self) -> Fault:
        return Fault(FaultKind.EXITED_EARLY, "the script is over")

    def end(self) -> str:
        for descriptor in self._open:
            os.close(descriptor)
        self._open, self._channel = [], None
        return ""

    def finish(self, seconds: float) -> None:
        pass

    def hang_up(self) -> None:
        """Close the program's output."""
        os.close(self._open.pop())


class _Answering(LineChannel):
    """Writes the script's next reply to each line that the kit has said."""

    def __init__(
        self, script: _Script, from_kit: int, to_kit: int, to_program: int, from_program: int
    ) -> None:
        super().__init__(from_kit, to_kit, longest=20_000)
        self._script, self._to_program, self._from_program = script, to_program, from_program

    def send(self, line: bytes, seconds: float) -> None:
        super().send(line, seconds)
        for _ in os.read(self._to_program, 1 << 20).splitlines():
            reply = next(self._script.replies, None)
            if reply is not None:
                os.write(self._from_program, reply)
            if reply is None or not reply.endswith(b"\n"):
                self._script.hang_up()
                return


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


def _scripted(case: Case, mode: str, *replies: bytes) -> ProgramSubject:
    hello = _line({**HELLO, "modes": [mode], "algorithms": [case.algorithm]})
    return ProgramSubject(_Script(iter([hello, *replies])), "scripted", 5.0)


def test_two_thousand_malformed_replies_are_each_reported() -> None:
    draw = random.Random("malformed")
    asked: dict[str, object] = {"type": "duel", "arms": [0, 1]}
    played = {k: v for k, v in _played(DUELS).items() if v != []}
    kinds = Counter[FaultKind | Parting]()
    for number in range(2000):
        mode, valid = ("batch", played) if number % 2 else ("duel", asked)
        reply = _malformed(draw, valid)
        subject = _scripted(DUEL, mode, reply)
        try:
            subject.play(DUEL)
        except Fault as fault:
            kinds[fault.kind] += 1
        except Diverged as diverged:
            kinds[diverged.divergence.parting] += 1
        else:
            pytest.fail(f"reply {number} passes: {reply[:200]!r}")
        subject.close()
    assert kinds[FaultKind.NONSENSE] > 1000
    assert kinds[FaultKind.EXITED_EARLY] > 50
    assert kinds[FaultKind.FLOODED] > 5


def test_the_valid_replies_of_the_fuzz_pass() -> None:
    """So that it is the malformation that is reported."""
    (match,) = DUELS.matches
    asked = _line({"type": "duel", "arms": [match.first, match.second]})
    result = _line({"type": "result", "arm": DUELS.result})
    subject = _scripted(DUEL, "duel", *[asked] * match.length, result)
    assert subject.play(DUEL) == match.length
    subject.close()
    assert _scripted(DUEL, "batch", _line(_played(DUELS))).play(DUEL) == match.length


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
            _scripted(case, "batch", changed.encode() + b"\n").play(case)
        if isinstance(caught.value, Diverged):
            assert caught.value.divergence.lines
    assert _scripted(case, "batch", text.encode() + b"\n").play(case) == case.duels


def test_more_than_the_reference_plays_is_reported() -> None:
    (match,) = DUELS.matches
    one = [match.first, match.second, match.length, match.winner]
    right: dict[str, object] = {"matches": [one], "result": DUELS.result}
    for surplus in ({"matches": [one, one]}, {"wanted": [0, 1]}):
        with pytest.raises(Diverged) as caught:
            judge_played(DUEL, read_played({**right, **surplus}), Level.MATCHES)
        assert caught.value.divergence.parting is Parting.DID_NOT_END
        assert caught.value.divergence.duel == match.length + 1


@pytest.mark.parametrize(
    ("reply", "complaint"),
    [
        ([], "played = []: must be an object"),
        ({"matches": [], "result": 0, "type": "played"}, "must be an object, without a type"),
        ({"matches": [[0, 1, 5]], "result": 0}, "matches[0] = [0, 1, 5]: must be a list of at"),
        ({"matches": [[0, 1, 5, 0, "1/10", 7]], "result": 0}, "at most length 5"),
        ({"matches": [["0", 1, 5, 0]], "result": 0}, 'matches[0][0] = "0": must be an integer'),
        ({"matches": [[0, 1, -5, 0]], "result": 0}, "matches[0][2] = -5: must be an integer >= 1"),
        ({"matches": [[0, 1, 0, 0]], "result": 0}, "matches[0][2] = 0: must be an integer >= 1"),
        ({"matches": [[0, 1, 3, 7]], "result": 0}, "must be won by one of the two arms, or null"),
        ({"matches": [[1, 1, 3, 1]], "result": 0}, "must be of two different arms"),
        ({"matches": [[0, 1, 3, 1, "x"]], "result": 0}, "must have a level"),
        (
            {"matches": [], "result": True},
            "played.result = True: must be an integer or an object or null",
        ),
        ({"matches": []}, 'must have the field "result"'),
        ({"refusal": 1}, "played.refusal = 1: must be a string"),
        ({"refusal": "no", "matches": []}, 'has the unknown field "matches"'),
        ({"matches": [], "result": 0, "wanted": [0]}, "played.wanted = [0]: must be a list of"),
        ({"matches": [], "result": 0, "self_play": [[0]]}, "played.self_play[0] = [0]"),
        ({"matches": [], "result": 0, "incumbents": None}, "played.incumbents = None: must be a"),
        ({"matches": [[0, 1, 3, 1, None]], "result": 0}, "matches[0][4] = None: must be a string"),
    ],
)
def test_nonsense_about_whole_runs(reply: object, complaint: str) -> None:
    with pytest.raises(InvalidInput, match=re.escape(complaint)):
        read_played(reply)


# Serving.


def test_serving_takes_only_what_the_protocol_knows() -> None:
    with pytest.raises(ValueError, match="unexpected message"):
        serve(REFERENCE, [b'{"type":"outcome","first_wins":true}'], io.BytesIO())
    with pytest.raises(InvalidInput, match=r"request\.type = hi"):
        serve(REFERENCE, [b'{"type":"hi"}'], io.BytesIO())
    replies = io.BytesIO()
    serve(REFERENCE, [b'{"type":"hello"}', b'{"type":"stop"}', b'{"type":"bye"}'], replies)
    (line,) = replies.getvalue().splitlines()
    hello = read_reply(line)
    assert isinstance(hello, Hello)
    assert hello.name == REFERENCE
