"""Subjects, the implementations that the kit examines: functions that make streams or play tapes.

Programs behind a pipe are in :mod:`~tgite_conform.program`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Protocol, TypeAlias, cast

from tgite import InvalidInput
from tgite_conform import protocol
from tgite_conform.algorithms import ALGORITHMS, Group
from tgite_conform.divergence import Diverged, Divergence, Parting
from tgite_conform.faults import Fault, FaultKind, Lacking, Refused
from tgite_conform.format import CHOICES, Case, Refusal, conventions_to_json
from tgite_conform.positions import whole_algorithm
from tgite_conform.protocol import Mode, Played
from tgite_conform.referee import Level, Referee, check_played
from tgite_conform.streams import (
    Made,
    as_stream,
    before_any_duel,
    close_stream,
    crash,
    play_stream,
)
from tgite_conform.time_limit import TimeLimit
from tgite_laws.user_code import CRASHES, load

Make: TypeAlias = Callable[[str, dict[str, object]], object]
"""Makes a stream from an algorithm's name and parameters."""

LONGEST_TAPE = 2**25
"""The most duels of a case that is played as a whole tape by default."""

PlayAll: TypeAlias = Callable[[list[dict[str, object]]], Sequence[object]]
"""Takes cases and returns the run of each."""


@dataclass(frozen=True, slots=True)
class Declaration:
    """What a subject declares: its algorithms, and for some conventions the values it supports.

    If ``parallel``, it does not keep the global order of duels. If ``runs``, it reads repeated
    outcomes on tapes. Cases of more than ``most_arms`` are skipped.
    """

    name: str
    algorithms: frozenset[str]
    conventions: Mapping[str, frozenset[object]]
    parallel: bool = False
    runs: bool = False
    most_arms: int | None = None

    def why_skipped(self, case: Case) -> str:
        """Return why a case does not apply, or ""."""
        if case.algorithm not in self.algorithms:
            return f"algorithm not declared: {case.algorithm}"
        for choice, value in conventions_to_json(case.conventions).items():
            if choice in self.conventions and value not in self.conventions[choice]:
                return f"convention not declared: {choice}={value}"
        if self.most_arms is not None and case.arms > self.most_arms:
            return f"more than {self.most_arms:,} arms: it does not declare that it plays so many"
        if self.parallel and not isinstance(case.expected, Refusal) and case.expected.ordered:
            return "the horizon cuts it within a round, and it plays in parallel"
        return ""


class Subject(Protocol):
    """An implementation under examination."""

    declaration: Declaration
    mode: Mode
    other_mode: Mode | None = None
    """Another mode that it supports but that is not used."""
    longest: int
    """Cases of more duels are played only on demand, because of their time or memory."""
    slowest: float = 500_000
    """A whole tape may take one more second for this number of duels."""

    def play(self, case: Case, level: Level = Level.MATCHES) -> int:
        """Play a case; return the number of duels. Raises ``Diverged``, Fault or Lacking."""
        referee = None if isinstance(case.expected, Refusal) else Referee(case, level)
        try:
            self.meet(case, referee)
        except Refused as refused:
            check_refusal(case, str(refused))
        except Fault as fault:
            raise fault if referee is None else fault.after(referee.duels) from None
        return 0 if referee is None else referee.duels

    def meet(self, case: Case, referee: Referee | None) -> None:
        """Play against ``referee``; without one the subject must refuse the case's input.

        Raises :class:`Lacking` if it plays whole tapes only.
        """
        raise Lacking(f"{self.declaration.name} plays whole tapes only")

    def close(self) -> None:
        """Release its resources."""
        return

    def time_for(self, case: Case) -> float:
        """Return the seconds that a whole tape may take beyond the limit of a message."""
        return case.duels / self.slowest


class StreamSubject(Subject):
    """A Python function that returns a generator."""

    mode = Mode.DUEL
    longest = 10**6

    def __init__(self, make: Make, name: str, seconds: float | None = None) -> None:
        """Examine ``make``, with a time limit in seconds for each message."""
        self._make = make
        self._seconds = seconds
        self.declaration = declared(make, name)

    def stream(self, algorithm: str, parameters: dict[str, object]) -> Made:
        """Return the stream of a case."""
        return as_stream(self._make(algorithm, parameters))

    def meet(self, case: Case, referee: Referee | None) -> None:
        """Play a case's algorithm and parameters against ``referee``."""
        with TimeLimit(self._seconds) as limit:
            of, given = case.algorithm, case.handed_parameters()
            stream = before_any_duel(lambda: self.stream(of, given), of)
            try:
                if referee is not None:
                    play_stream(stream, referee, limit)
                    return
                with suppress(StopIteration):
                    before_any_duel(lambda: next(stream), of)
                raise not_refused(case)
            finally:
                close_stream(stream)


class BatchSubject(Subject):
    """A Python function that plays whole tapes: ``play_all(cases)`` returns a list of runs."""

    mode = Mode.BATCH
    longest = LONGEST_TAPE

    def __init__(self, play_all: PlayAll, name: str, seconds: float | None = None) -> None:
        """Examine ``play_all``, with a time limit in seconds that grows for long tapes."""
        self._seconds = seconds
        self.play_raw = play_all
        self.declaration = declared(play_all, name)

    def play(self, case: Case, level: Level = Level.MATCHES) -> int:
        """Play a case, in a call of its own."""
        given = protocol.handed(case, self.declaration.runs).as_object()
        limit = None if self._seconds is None else self._seconds + self.time_for(case)
        try:
            with TimeLimit(limit):
                replies = self.play_raw([given])
                number = len(replies)
        except Fault:
            raise
        except CRASHES as error:
            raise crash(error) from None
        if number != 1:
            raise Fault(FaultKind.NONSENSE, f"{number} replies to 1 cases")
        try:
            played = protocol.read_played(replies[0])
        except InvalidInput as error:
            raise Fault(FaultKind.NONSENSE, str(error)) from None
        return judge_played(case, played, level)


def judge_played(case: Case, played: Played | protocol.Refused, level: Level) -> int:
    """Compare the run that an implementation states with the case; return the number of duels."""
    if isinstance(played, protocol.Refused):
        check_refusal(case, played.message)
    elif isinstance(case.expected, Refusal):
        raise not_refused(case)
    else:
        check_played(case, played, level)
    return case.duels


def check_refusal(case: Case, message: str) -> None:
    """Raise ``Diverged`` if the refused input is valid."""
    if not isinstance(case.expected, Refusal):
        valid = "the input is valid: plays it"
        where = whole_algorithm(case.algorithm, "its input")
        raise Diverged(Divergence(Parting.REFUSED, 1, f"refuses: {message}", valid, where))


def not_refused(case: Case) -> Diverged:
    """Return the divergence of a bad input that is not refused."""
    field = case.expected.field if isinstance(case.expected, Refusal) else ""
    refuses = f"refuses {field} = {case.parameters.get(field)} before the first duel"
    where = whole_algorithm(case.algorithm, "its input")
    return Diverged(Divergence(Parting.NOT_REFUSED, 1, "plays", refuses, where))


def declared(function: object, name: str) -> Declaration:
    """Return a function's declaration from its attributes, which are all optional."""
    names: object = getattr(function, "algorithms", None)
    rest = {"conventions": {}, "parallel": False, "runs": False, "most_arms": None}
    return declaration_of(name, names, *(getattr(function, k, v) for k, v in rest.items()))


def declaration_of(
    name: str,
    algorithms: object,
    conventions: object,
    parallel: object = False,
    runs: object = False,
    most_arms: object = None,
) -> Declaration:
    """Return the checked declaration; without ``algorithms`` it has all with the paper's tests."""
    names = Group.PAPER.algorithms if algorithms is None else algorithms
    if not isinstance(names, list | tuple | set | frozenset) or not names:
        raise InvalidInput("algorithms", names, "must be a list of names")
    if unknown := [one for one in names if one not in ALGORITHMS]:
        raise InvalidInput("algorithms", unknown[0], no_such(unknown[0]))
    if not isinstance(conventions, Mapping):
        raise InvalidInput("declaration", name, "must have conventions by name")
    for one, value in (("parallel", parallel), ("runs", runs)):
        if not isinstance(value, bool):
            raise InvalidInput("declaration", name, f"must have {one} a bool")
    if most_arms is not None and type(most_arms) is not int:
        raise InvalidInput("most_arms", most_arms, "must be an integer")
    for choice, values in conventions.items():
        if choice not in CHOICES or not isinstance(values, list | tuple) or not values:
            rule = "must be a known choice with a list of values"
            raise InvalidInput("conventions", choice, rule)
        for value in values:
            if value not in CHOICES[choice] or isinstance(value, bool):
                known = ", ".join(map(str, CHOICES[choice]))
                raise InvalidInput(f"conventions.{choice}", value, f"must be among {known}")
    playable = {choice: frozenset(values) for choice, values in conventions.items()}
    declared_names = frozenset(cast(Sequence[str], names))
    return Declaration(name, declared_names, playable, bool(parallel), bool(runs), most_arms)


def no_such(name: object) -> str:
    """Return the rule that an unknown algorithm's name breaks, with similar names."""
    near = get_close_matches(str(name).lower().replace("-", "_"), ALGORITHMS)
    hint = f"is it {' or '.join(near)}?" if near else f"such as {', '.join(Group.PAPER.algorithms)}"
    return f"must be the name of an algorithm of the vectors: {hint}"


def function_subject(
    function: object, name: str, seconds: float | None = None
) -> StreamSubject | BatchSubject:
    """Return a function as a subject, with a time limit in ``seconds`` for each message."""
    if getattr(function, "plays_whole_tapes", False):
        return BatchSubject(cast(PlayAll, function), name, seconds)
    return StreamSubject(cast(Make, function), name, seconds)


def python_subject(name: str, seconds: float | None = None) -> StreamSubject | BatchSubject:
    """Return the function ``module:function`` as a subject."""
    return function_subject(load(name), name, seconds)
