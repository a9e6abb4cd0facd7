"""Programs in any language, behind a pipe that carries one JSON object a line.

The kit speaks first. It waits for one message after each of its own, except after ``stop`` and
``bye``:

=========================================  ====================================================
the kit says                               the program says
=========================================  ====================================================
``hello``: protocol                        ``hello``: protocol, name, algorithms, modes, and
                                           optionally conventions, parallel
``start``: case, algorithm, parameters     one of the next five, or ``refusal``: message
``outcome``: first_wins                    ``duel``: arms
``outcomes``: first_wins                   ``duels``: arms (several at a time)
``noted``                                  ``self_play``: arm, rounds
``noted``                                  ``incumbent``: arm
the next ``start`` or ``bye``              ``result``: arm (or null)
``stop`` and the next ``start`` or         (nothing: the run is over)
``bye``
``play``: case, algorithm, parameters,     ``played``: matches, result, and optionally
horizon, tape                              self_play, incumbents, wanted; or ``refusal``
``bye``                                    (nothing: it exits)
=========================================  ====================================================
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, TypeVar

from tgite import Arm, Duel, Incumbent, InvalidInput, SelfPlay
from tgite_checks.conformance.channel import Ended, LineChannel
from tgite_checks.conformance.counterpart import Counterpart, TooLong
from tgite_checks.conformance.divergence import Diverged
from tgite_checks.conformance.faults import Fault, FaultKind, Lacking
from tgite_checks.conformance.format import Case, Refusal
from tgite_checks.conformance.played import Played, read_played
from tgite_checks.conformance.referee import Level, Referee
from tgite_checks.conformance.streams import Idleness
from tgite_checks.conformance.strict_json import Reader, parsed
from tgite_checks.conformance.subjects import (
    Declaration,
    check_refusal,
    declaration_of,
    handed_case,
    judge_played,
    not_refused,
)

PROTOCOL = 1

_LONGEST_NAME = 200

_T = TypeVar("_T")


class Mode(StrEnum):
    """How a program is played."""

    DUEL = "duel"
    """One message a duel (or for a few of them)."""
    BATCH = "batch"
    """One message a case, with its tape."""


class Connection(Protocol):
    """A way to a program, which is started when it is needed."""

    def channel(self) -> LineChannel:
        """Return the channel to the program; start it if it is not running."""

    def fault(self) -> Fault:
        """Say how the program ended, now that its output has ended."""

    def end(self) -> str:
        """End the program at once; return the end of what it wrote to its standard error."""

    def finish(self, seconds: float) -> None:
        """Wait for the program to exit by itself, for so many seconds at most."""


class ProgramSubject:
    """A program as a subject: every message has a time limit, and no fault outlives its case.

    After a fault the program is ended, and started anew for the next case.
    """

    def __init__(
        self, connection: Connection, name: str, seconds: float, mode: Mode | None = None
    ) -> None:
        """Start the program and greet it.

        ``seconds`` is the time limit of one message; ``mode`` None means batched where the program
        can. Raises :class:`~tgite.errors.InvalidInput` if it does not greet as it should.
        """
        self._connection = connection
        self._seconds = seconds
        self._name = name
        self._said: tuple[Declaration, frozenset[Mode]] | None = None
        try:
            self.declaration, self._modes = self._guarded(self._introduction)
        except Fault as fault:
            raise InvalidInput("program", name, str(fault)) from None
        self.mode = mode or (Mode.BATCH if Mode.BATCH in self._modes else Mode.DUEL)
        if self.mode not in self._modes:
            self.close()
            known = ", ".join(sorted(self._modes))
            raise InvalidInput("mode", str(self.mode), f"must be one of the program's: {known}")

    def play(self, case: Case, level: Level = Level.MATCHES) -> int:
        """Play a case; return the number of duels.

        Raises ``Diverged``, :class:`Fault` or :class:`Lacking`.
        """
        if self.mode is Mode.BATCH:
            played = self._guarded(lambda: self._play_whole(case))
            return judge_played(case, played, level)
        if isinstance(case.expected, Refusal):
            if not self._guarded(lambda: self._is_refused(case)):
                raise not_refused(case)
            return 0
        referee = Referee(case, level)
        self.meet(case, referee)
        return referee.duels

    def meet(self, case: Case, counterpart: Counterpart) -> None:
        """Play a case duel by duel."""
        if Mode.DUEL not in self._modes:
            raise Lacking(f"{self._name} plays whole tapes only")
        self._guarded(lambda: self._meet(case, counterpart))

    def close(self) -> None:
        """Say goodbye and let the program exit; end it if it does not."""
        if self._said is not None:
            try:
                self._connection.channel().send(_line({"type": "bye"}), self._seconds)
                self._connection.finish(self._seconds)
            except (Fault, Ended):
                pass
        self._connection.end()
        self._said = None

    def _guarded(self, conversation: Callable[[], _T]) -> _T:
        """Hold a conversation, greeting first; after a fault, end the program."""
        try:
            try:
                if self._said is None:
                    self._said = self._greet()
                return conversation()
            except Ended:
                fault = self._connection.fault()
                when = "in the middle of a case" if self._said is not None else "before its hello"
                raise Fault(fault.kind, f"{fault.detail} {when}") from None
            except InvalidInput as error:
                raise Fault(FaultKind.NONSENSE, str(error)) from None
        except Fault as fault:
            self._said = None
            complaint = self._connection.end()
            detail = f"{fault.detail}; standard error: {complaint}" if complaint else fault.detail
            raise Fault(fault.kind, detail) from None

    def _introduction(self) -> tuple[Declaration, frozenset[Mode]]:
        """Return what the program said of itself when it was greeted."""
        if self._said is None:
            raise Fault(FaultKind.NOT_STARTED, "it was not greeted")
        return self._said

    def _greet(self) -> tuple[Declaration, frozenset[Mode]]:
        reply = self._ask({"type": "hello", "protocol": PROTOCOL})
        fields = reply.fields(
            "type", "protocol", "name", "algorithms", "modes", optional=("conventions", "parallel")
        )
        if _type(reply) != "hello":
            raise fields["type"].refused('must be "hello"')
        if fields["protocol"].integer() != PROTOCOL:
            raise fields["protocol"].refused(f"must be {PROTOCOL}")
        modes = [mode.text() for mode in fields["modes"].entries()]
        if not modes or set(modes) - set(Mode):
            raise fields["modes"].refused(f"must be among {', '.join(Mode)}")
        declaration = declaration_of(
            _read_name(fields["name"]),
            [name.text() for name in fields["algorithms"].entries()],
            fields["conventions"].value if "conventions" in fields else {},
            fields["parallel"].boolean() if "parallel" in fields else False,
        )
        return declaration, frozenset(map(Mode, modes))

    def _play_whole(self, case: Case) -> Played:
        reply = self._ask({"type": "play", **handed_case(case)})
        if _type(reply) == "refusal":
            return Played(refusal=reply.fields("type", "message")["message"].text())
        if _type(reply) != "played":
            raise reply.refused("must be of the type played or refusal")
        fields = reply.any_fields()
        return read_played({name: one.value for name, one in fields.items() if name != "type"})

    def _is_refused(self, case: Case) -> bool:
        """Start a run that must be refused; stop it if it is not."""
        reply = self._ask(_start(case))
        if _type(reply) == "refusal":
            reply.fields("type", "message")["message"].text()
            return True
        if not isinstance(read_message(reply), Result):
            self._stop()
        return False

    def _meet(self, case: Case, counterpart: Counterpart) -> None:
        reply = self._ask(_start(case))
        if _type(reply) == "refusal":
            check_refusal(case, reply.fields("type", "message")["message"].text())
        try:
            idleness = Idleness()
            while True:
                message = read_message(reply)
                if isinstance(message, Result):
                    break
                idleness.note(message)
                if counterpart.at_horizon and not isinstance(message, Incumbent):
                    counterpart.stopped_at_horizon()
                    self._stop()
                    return
                reply = self._ask(_answer(message, counterpart))
        except (Diverged, TooLong):
            self._stop()
            raise
        counterpart.returned(message.arm)

    def _stop(self) -> None:
        """Call a run off; a program that does not take that in is ended."""
        try:
            self._tell({"type": "stop"})
        except (Fault, Ended):
            self._connection.end()
            self._said = None

    def _ask(self, message: dict[str, object]) -> Reader:
        self._tell(message)
        return _read_line(self._connection.channel().receive(self._seconds))

    def _tell(self, message: dict[str, object]) -> None:
        self._connection.channel().send(_line(message), self._seconds)


def _read_name(name: Reader) -> str:
    text = name.text()
    if not 0 < len(text) <= _LONGEST_NAME or not text.isprintable():
        # Not with the name in the message: it may be anything.
        raise InvalidInput(
            name.place, f"{len(text)} letters", f"must be printable, 1 to {_LONGEST_NAME} letters"
        )
    return text


@dataclass(frozen=True, slots=True)
class Result:
    """A run's result, as the program gives it."""

    arm: Arm | None


def read_message(reply: Reader) -> Duel | SelfPlay | Incumbent | Result | list[Duel]:
    """Read what a program says within a run.

    Raises :class:`~tgite.errors.InvalidInput` for anything that is not one of the messages.
    """
    match _type(reply):
        case "duel":
            return _duel(reply.fields("type", "arms")["arms"])
        case "duels":
            duels = [_duel(one) for one in reply.fields("type", "arms")["arms"].entries()]
            if not duels:
                raise reply.refused("must ask for a duel")
            return duels
        case "self_play":
            fields = reply.fields("type", "arm", "rounds")
            if fields["rounds"].integer() < 1:
                raise fields["rounds"].refused("must be 1 or more")
            return SelfPlay(fields["arm"].integer(), fields["rounds"].integer())
        case "incumbent":
            return Incumbent(reply.fields("type", "arm")["arm"].integer())
        case "result":
            return Result(reply.fields("type", "arm")["arm"].integer_or_none())
    raise reply.refused("must be duel, duels, self_play, incumbent or result")


@functools.lru_cache(maxsize=64)
def _read_line(line: bytes) -> Reader:
    """Parse a line; a program that asks the same duel again and again says the same line."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        raise Fault(FaultKind.NONSENSE, f"a line that is not UTF-8: {line[:40]!r}") from None
    return Reader(parsed(text, "reply"), "reply")


def _type(reply: Reader) -> str:
    fields = reply.any_fields()
    if "type" not in fields:
        raise reply.refused('must have the field "type"')
    return fields["type"].text()


def _duel(arms: Reader) -> Duel:
    first, second = arms.entries(2)
    return Duel(first.integer(), second.integer())


def _answer(
    message: Duel | SelfPlay | Incumbent | list[Duel], counterpart: Counterpart
) -> dict[str, object]:
    """Return the kit's answer to a message."""
    match message:
        case Duel(first, second):
            return _OUTCOMES[counterpart.answer(first, second)]
        case SelfPlay(arm, rounds):
            counterpart.self_play(arm, rounds)
            return {"type": "noted"}
        case Incumbent(arm):
            counterpart.incumbent(arm)
            return {"type": "noted"}
        case _:
            outcomes = [counterpart.answer(duel.first, duel.second) for duel in message]
            return {"type": "outcomes", "first_wins": outcomes}


def _start(case: Case) -> dict[str, object]:
    return {
        "type": "start",
        "case": case.id,
        "algorithm": case.algorithm,
        "parameters": case.handed_parameters(),
    }


_OUTCOMES: dict[bool, dict[str, object]] = {
    outcome: {"type": "outcome", "first_wins": outcome} for outcome in (False, True)
}


def _line(message: dict[str, object]) -> bytes:
    return json.dumps(message, separators=(",", ":")).encode("ascii")
