"""Serves a Python implementation as a program: ``python -m tgite_conform.serve NAME``.

``tgite conform --isolate`` uses it for an implementation that may hang or crash.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from typing import IO

import msgspec

from tgite import Duel, Incumbent, SelfPlay
from tgite_conform import protocol
from tgite_conform.streams import Made, Question, read_answer, read_question
from tgite_conform.subjects import BatchSubject, StreamSubject, python_subject


def serve(name: str, requests: Iterable[bytes], replies: IO[bytes]) -> None:
    """Answer requests until ``bye`` or the input's end; pass the implementation's errors on."""
    subject = python_subject(name)
    run: Made | None = None
    for line in requests:
        reply = b""
        match protocol.read_request(line.decode()):
            case protocol.Outcome(told) | protocol.Outcomes(told) if run is not None:
                reply = _say(run, told)
            case protocol.Noted() if run is not None:
                reply = _say(run, None)
            case protocol.Greeting():
                says = subject.declaration
                conventions: dict[str, object] = {k: list(v) for k, v in says.conventions.items()}
                about = says.name, tuple(sorted(says.algorithms)), (subject.mode,), conventions
                can = says.parallel, says.runs, says.most_arms
                reply = _line(protocol.Hello(protocol.PROTOCOL, *about, *can))
            case protocol.Play() as play if isinstance(subject, BatchSubject):
                (played,) = subject.play_raw([play.as_object()])
                reply = _line(_play_reply(played))
            case protocol.Start(_, algorithm, parameters) if isinstance(subject, StreamSubject):
                try:
                    run = subject.stream(algorithm, parameters)
                    reply = _say(run, None)
                except (ValueError, TypeError) as error:
                    run, reply = None, _line(protocol.Refused(str(error)))
            case protocol.Stop():
                if run is not None:
                    run.close()
                run = None
            case protocol.Bye():
                return
            case other:
                raise ValueError(f"unexpected message {other}")
        replies.write(reply)
        replies.flush()


def _line(reply: object) -> bytes:
    return json.dumps(msgspec.to_builtins(reply)).encode() + b"\n"


def _play_reply(played: object) -> object:
    """Return the implementation's answer unchanged, because the kit judges it."""
    if not isinstance(played, dict):
        raise TypeError(f"cannot send {played!r}")
    if "refusal" in played:
        return {"type": "refusal", "message": played["refusal"]}
    return {"type": "played", **played}


def _say(stream: Made, reply: bool | list[bool] | None) -> bytes:
    """Send a reply into the stream; return its next message as a line."""
    try:
        asked = stream.send(reply)
    except StopIteration as stop:
        return _line(read_answer(stop.value))
    return _line(_message(read_question(asked)))


def _message(question: Question) -> protocol.Message:
    match question:
        case Duel(first, second):
            return protocol.AskDuel((first, second))
        case SelfPlay(arm, rounds):
            return protocol.AskSelfPlay(arm, rounds)
        case Incumbent(arm):
            return protocol.Announce(arm)
        case _:
            return protocol.AskDuels(tuple((duel.first, duel.second) for duel in question))


def main(name: str) -> None:
    """Serve ``module:function`` on standard input and output; its prints go to standard error."""
    # Buffered, whatever Python's options are.
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as replies:
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        serve(name, (line.rstrip(b"\n") for line in sys.stdin.buffer), replies)


if __name__ == "__main__":
    main(sys.argv[1])
