"""Serve a Python implementation as a program: ``python -m tgite_checks.conformance.serve NAME``.

It is how ``tgite conform --isolate`` keeps an implementation that may hang or crash out of its own
process, and an example of the protocol of :mod:`~tgite_checks.conformance.program`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import IO

from tgite import Duel, Incumbent, SelfPlay
from tgite_checks.conformance.program import PROTOCOL, Mode
from tgite_checks.conformance.streams import Made, read_question, read_result
from tgite_checks.conformance.subjects import BatchSubject, StreamSubject, python_subject


def serve(name: str, requests: IO[str], replies: IO[str]) -> None:
    """Answer requests until ``bye`` or their end, for the function ``module:function``.

    An error of the implementation passes through: the kit sees a program that crashes.
    """
    subject = python_subject(name)
    stream: Made | None = None
    for line in requests:
        request = json.loads(line)
        match request["type"]:
            case "hello":
                reply: dict[str, object] | None = _hello(subject)
            case "play" if isinstance(subject, BatchSubject):
                del request["type"]
                (played,) = subject.play_raw([request])
                reply = _play_reply(played)
            case "start" if isinstance(subject, StreamSubject):
                try:
                    stream = subject.stream(request["algorithm"], request["parameters"])
                    reply = _next(stream, None)
                except (ValueError, TypeError) as error:
                    stream, reply = None, {"type": "refusal", "message": str(error)}
            case "outcome" | "outcomes" if stream is not None:
                reply = _next(stream, request["first_wins"])
            case "noted" if stream is not None:
                reply = _next(stream, None)
            case "stop":
                if stream is not None:
                    stream.close()
                stream = reply = None
            case "bye":
                return
            case other:
                raise ValueError(f"unexpected message {other}")
        if reply is not None:
            replies.write(json.dumps(reply) + "\n")
            replies.flush()


def _hello(subject: StreamSubject | BatchSubject) -> dict[str, object]:
    declaration = subject.declaration
    return {
        "type": "hello",
        "protocol": PROTOCOL,
        "name": declaration.name,
        "algorithms": sorted(declaration.algorithms),
        "modes": [Mode.DUEL if isinstance(subject, StreamSubject) else Mode.BATCH],
        "conventions": {choice: list(some) for choice, some in declaration.conventions.items()},
        "parallel": declaration.parallel,
    }


def _play_reply(played: object) -> dict[str, object]:
    if not isinstance(played, dict):
        raise TypeError(f"cannot send {played!r}")
    if "refusal" in played:
        return {"type": "refusal", "message": played["refusal"]}
    return {"type": "played", **played}


def _next(stream: Made, told: bool | list[bool] | None) -> dict[str, object]:
    """Send a reply into the stream; return its next question as a message."""
    try:
        question = read_question(stream.send(told))
    except StopIteration as stop:
        return {"type": "result", "arm": read_result(stop.value)}
    match question:
        case Duel(first, second):
            return {"type": "duel", "arms": [first, second]}
        case SelfPlay(arm, rounds):
            return {"type": "self_play", "arm": arm, "rounds": rounds}
        case Incumbent(arm):
            return {"type": "incumbent", "arm": arm}
        case _:
            return {"type": "duels", "arms": [[duel.first, duel.second] for duel in question]}


def main(arguments: Iterator[str] | None = None) -> None:
    """Serve the implementation that the command line names."""
    name = next(arguments or iter(sys.argv[1:]))
    serve(name, sys.stdin, sys.stdout)


if __name__ == "__main__":
    main()
