"""Serve a Python implementation as a program: ``python -m tgite_checks.conformance.serve NAME``.

It is how ``tgite conform --isolate`` keeps an implementation that may hang or crash out of its own
process, and an example of the protocol of :mod:`~tgite_checks.conformance.protocol`.
"""

from __future__ import annotations

import functools
import json
import sys
from collections.abc import Iterable
from typing import IO

import msgspec
from msgspec import UNSET

from tgite import Duel, Incumbent, SelfPlay
from tgite_checks.conformance import protocol
from tgite_checks.conformance.streams import Made, read_answer, read_question
from tgite_checks.conformance.subjects import BatchSubject, StreamSubject, python_subject


def serve(name: str, requests: Iterable[str], replies: IO[str]) -> None:
    """Answer requests until ``bye`` or their end, for the function ``module:function``.

    An error of the implementation passes through: the kit sees a program that crashes.
    """
    subject = python_subject(name)
    stream: Made | None = None
    for line in requests:
        reply: object = None
        match _OUTCOMES.get(line.rstrip("\n")) or protocol.read_request(line):
            case protocol.Greeting():
                says = subject.declaration
                conventions: dict[str, object] = {k: list(v) for k, v in says.conventions.items()}
                reply = protocol.Hello(
                    protocol.PROTOCOL,
                    says.name,
                    tuple(sorted(says.algorithms)),
                    (subject.mode,),
                    conventions,
                    says.parallel,
                    says.regret,
                    says.runs,
                )
            case protocol.Play() as play if isinstance(subject, BatchSubject):
                (played,) = subject.play_raw([play.as_object()])
                reply = _play_reply(played)
            case protocol.Start(_, algorithm, parameters, best) if isinstance(
                subject, StreamSubject
            ):
                if best is not UNSET:
                    parameters["regret_against"] = best
                try:
                    stream = subject.stream(algorithm, parameters)
                    reply = _next(stream, None)
                except (ValueError, TypeError) as error:
                    stream, reply = None, protocol.Refused(str(error))
            case protocol.Outcome(told) | protocol.Outcomes(told) if stream is not None:
                reply = _next(stream, told)
            case protocol.Noted() if stream is not None:
                reply = _next(stream, None)
            case protocol.Stop():
                if stream is not None:
                    stream.close()
                stream = None
            case protocol.Bye():
                return
            case other:
                raise ValueError(f"unexpected message {other}")
        if reply is not None:
            replies.write(_line(reply) if isinstance(reply, protocol.AskDuel) else _json(reply))
            replies.flush()


# The same outcomes are told, and the same duel is asked for, again and again.
_OUTCOMES = {
    protocol.line_of(outcome).decode(): outcome
    for outcome in (protocol.Outcome(False), protocol.Outcome(True))
}


def _json(reply: object) -> str:
    return json.dumps(msgspec.to_builtins(reply)) + "\n"


_line = functools.lru_cache(maxsize=8)(_json)


def _play_reply(played: object) -> object:
    """Pass on what was played as it is: the kit judges it."""
    if not isinstance(played, dict):
        raise TypeError(f"cannot send {played!r}")
    if "refusal" in played:
        return {"type": "refusal", "message": played["refusal"]}
    return {"type": "played", **played}


def _next(stream: Made, told: bool | list[bool] | None) -> protocol.Message:
    """Send a reply into the stream; return its next question as a message."""
    try:
        question = read_question(stream.send(told))
    except StopIteration as stop:
        return read_answer(stop.value)
    match question:
        case Duel(first, second):
            return protocol.AskDuel((first, second))
        case SelfPlay(arm, rounds):
            return protocol.AskSelfPlay(arm, rounds)
        case Incumbent(arm):
            return protocol.Announce(arm)
        case _:
            return protocol.AskDuels(tuple((duel.first, duel.second) for duel in question))


if __name__ == "__main__":
    serve(sys.argv[1], sys.stdin, sys.stdout)
