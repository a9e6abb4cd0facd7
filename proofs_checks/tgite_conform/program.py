"""Runs programs in any language through pipes; :mod:`.protocol` defines the messages."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TypeVar

from tgite import Duel, Incumbent, InvalidInput, SelfPlay
from tgite_conform import protocol
from tgite_conform.divergence import Diverged
from tgite_conform.faults import Fault, FaultKind, Lacking, Refused
from tgite_conform.format import Case
from tgite_conform.process import Ended, ProcessConnection
from tgite_conform.protocol import Mode, Reply, line_of, read_reply
from tgite_conform.referee import Level, Referee
from tgite_conform.streams import Idleness, Question, reply_to, rounds_of
from tgite_conform.subjects import (
    LONGEST_TAPE,
    Subject,
    declaration_of,
    judge_played,
    not_refused,
)

_LONGEST_NAME = 200
_TO_START = 4
_TO_EXIT = 1.0
_TO_BE_QUIET, _MOST_WATCHED = 0.05, 4
_T = TypeVar("_T")

LONGEST_BY_MESSAGES = 50_000
"""The most duels of a case that is played duel by duel; above 2**15, which some cases have."""


class ProgramSubject(Subject):
    """A program as a subject; after a fault it is started again for the next case."""

    def __init__(
        self, connection: ProcessConnection, name: str, seconds: float, mode: Mode | None = None
    ) -> None:
        """Start the program and greet it; ``mode`` None means whole tapes if it supports them.

        Raises :class:`~tgite.errors.InvalidInput` if it does not greet as it should.
        """
        self._connection = connection
        self._seconds = seconds
        self._name = name
        self._greeted = False
        self._modes: frozenset[str] = frozenset()
        self._quiet_stops = 0
        """How many stops it has not answered; the first ones are watched."""
        try:
            self._guarded(lambda: None)
        except Fault as fault:
            raise InvalidInput("program", name, str(fault)) from None
        self.mode = mode or (Mode.BATCH if Mode.BATCH in self._modes else Mode.DUEL)
        self.longest = LONGEST_TAPE if self.mode is Mode.BATCH else LONGEST_BY_MESSAGES
        if self.mode not in self._modes:
            self.close()
            known = ", ".join(sorted(self._modes))
            raise InvalidInput("mode", str(self.mode), f"must be one of the program's: {known}")
        self.other_mode = next((one for one in Mode if one in self._modes - {self.mode}), None)

    def play(self, case: Case, level: Level = Level.MATCHES) -> int:
        """Play a case; return the number of duels."""
        if self.mode is Mode.BATCH:
            return judge_played(case, self._guarded(lambda: self._play_whole(case)), level)
        return super().play(case, level)

    def meet(self, case: Case, referee: Referee | None) -> None:
        """Play a case duel by duel."""
        if Mode.DUEL not in self._modes:
            raise Lacking(f"{self._name} plays whole tapes only")
        self._guarded(lambda: self._meet(case, referee))

    def close(self) -> None:
        """Ask the program to exit, and kill it if it does not."""
        if self._greeted:
            try:
                self._tell(protocol.Bye())
                self._connection.finish(min(self._seconds, _TO_EXIT))
            except (Fault, Ended):
                pass
        self._end()

    def _guarded(self, conversation: Callable[[], _T]) -> _T:
        """Exchange messages, after a greeting; kill the program after a fault."""
        try:
            try:
                if not self._greeted:
                    self._greet()
                return conversation()
            except Ended:
                fault = self._connection.fault()
                when = "in the middle of a case" if self._greeted else "before its hello"
                raise Fault(fault.kind, f"{fault.detail} {when}") from None
            except InvalidInput as error:
                raise Fault(FaultKind.NONSENSE, str(error)) from None
        except Fault as fault:
            complaint = self._end()
            detail = f"{fault.detail}; standard error: {complaint}" if complaint else fault.detail
            raise Fault(fault.kind, detail) from None

    def _end(self) -> str:
        self._greeted = False
        return self._connection.end()

    def _greet(self) -> None:
        self._tell(protocol.Greeting())
        # Starting may take longer than any answer, because the program loads its modules.
        hello = self._receive(_TO_START * self._seconds)
        if not isinstance(hello, protocol.Hello):
            raise _misplaced(hello, "hello")
        if not 0 < len(hello.name) <= _LONGEST_NAME or not hello.name.isprintable():
            # The message leaves out the program's name, which may be any text.
            raise InvalidInput(
                "reply.name",
                f"{len(hello.name)} letters",
                f"must be printable, 1 to {_LONGEST_NAME} letters",
            )
        of = hello.algorithms, hello.conventions, hello.parallel, hello.runs, hello.most_arms
        self.declaration = declaration_of(hello.name, *of)
        self._modes = frozenset(hello.modes)
        self._greeted = True

    def _play_whole(self, case: Case) -> protocol.Played | protocol.Refused:
        self._tell(protocol.handed(case, self.declaration.runs))
        reply = self._receive(self._seconds + self.time_for(case))
        if isinstance(reply, protocol.Played | protocol.Refused):
            return reply
        raise _misplaced(reply, "played or refusal")

    def _meet(self, case: Case, referee: Referee | None) -> None:
        start = protocol.Start(case.id, case.algorithm, case.handed_parameters())
        reply = self._ask(start)
        if isinstance(reply, protocol.Refused):
            raise Refused(reply.message)
        try:
            if referee is None:
                if not isinstance(reply, protocol.Result):
                    _question(reply)
                raise not_refused(case)
            idleness = Idleness()
            while not isinstance(reply, protocol.Result):
                question = _question(reply)
                idleness.note(question)
                cut = referee.cuts(rounds_of(question))
                if not (cut and referee.cuts()):
                    answer = _answer(reply_to(question, referee))
                if cut:
                    referee.check_announcements()
                    self._stop()
                    return
                reply = self._ask(answer)
            referee.returned(reply.answer)
        except Diverged:
            if not isinstance(reply, protocol.Result):
                self._stop()
            raise

    def _stop(self) -> None:
        """Stop a run; kill the program if it does not react."""
        try:
            self._tell(protocol.Stop())
        except (Fault, Ended):
            self._end()
            return
        if self._quiet_stops < _MOST_WATCHED:
            self._connection.channel().require_silence(_TO_BE_QUIET, "answers stop")
            self._quiet_stops += 1

    def _ask(self, message: protocol.Message) -> Reply:
        self._tell(message)
        return self._receive()

    def _receive(self, seconds: float | None = None) -> Reply:
        return _read(self._connection.channel().receive(seconds or self._seconds))

    def _tell(self, message: protocol.Message) -> None:
        self._connection.channel().send(line_of(message), self._seconds)


# A program that repeats a duel sends the same line again.
_read = functools.lru_cache(maxsize=64)(read_reply)


def _misplaced(reply: Reply, expected: str) -> InvalidInput:
    return InvalidInput("reply.type", reply.__struct_config__.tag, f"must be {expected}")


def _question(reply: Reply) -> Question:
    match reply:
        case protocol.AskDuel((first, second)):
            return Duel(first, second)
        case protocol.AskDuels(pairs):
            return [Duel(first, second) for first, second in pairs]
        case protocol.AskSelfPlay(arm, rounds):
            return SelfPlay(arm, rounds)
        case protocol.Announce(arm):
            return Incumbent(arm)
    raise _misplaced(reply, "duel, duels, self_play, incumbent or result")


def _answer(told: bool | list[bool] | None) -> protocol.Message:
    if told is None:
        return protocol.Noted()
    return protocol.Outcomes(told) if isinstance(told, list) else protocol.Outcome(told)
