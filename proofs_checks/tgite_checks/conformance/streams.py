"""Playing streams of duels, of this library or of any other."""

from __future__ import annotations

import operator
import traceback
from collections.abc import Generator
from typing import TypeAlias

from tgite import Arm, Duel, Incumbent, InvalidInput, SelfPlay
from tgite_checks.conformance.counterpart import Counterpart, TooLong
from tgite_checks.conformance.divergence import Diverged
from tgite_checks.conformance.faults import Fault, FaultKind, Refused

Question: TypeAlias = Duel | SelfPlay | Incumbent | list[Duel]
Made: TypeAlias = Generator[object, bool | list[bool] | None, object]

CRASHES = (Exception, SystemExit)
"""What counts as a crash: an implementation that ends Python must not end the examination."""

_MOST_IDLE = 1000
"""How many questions in a row may cost no round: a policy announces once between two matches."""

_MOST_SELF_PLAY = 1_000_000


class Idleness:
    """Tells a run that asks on and on without any round, which no horizon would end.

    Self-play round by round, for more rounds than anybody can wait for, is told as well.
    """

    def __init__(self) -> None:
        """Begin with nothing asked."""
        self._questions = self._self_play = 0

    def note(self, question: object) -> None:
        """Take the next question; raises :class:`Fault` if there are too many without a round."""
        idle = isinstance(question, Incumbent) or (
            isinstance(question, SelfPlay) and question.rounds == 0
        )
        self._questions = self._questions + 1 if idle else 0
        self._self_play = self._self_play + 1 if isinstance(question, SelfPlay) else 0
        if self._self_play > _MOST_SELF_PLAY:
            raise Fault(
                FaultKind.FLOODED,
                f"{_MOST_SELF_PLAY} questions in a row for self-play: ask for blocks",
            )
        if self._questions > _MOST_IDLE:
            raise Fault(
                FaultKind.FLOODED, f"{_MOST_IDLE} questions in a row that cost no round: {question}"
            )


def as_stream(made: object) -> Made:
    """Take a generator, or an object with ``ask()``, ``tell(reply)`` and ``result()``."""
    if isinstance(made, Generator):
        return made
    if all(callable(getattr(made, name, None)) for name in ("ask", "tell", "result")):
        return _asked_and_told(made)
    raise Fault(
        FaultKind.NONSENSE,
        f"{type(made).__name__} is neither a generator nor an object with ask, tell and result",
    )


def _asked_and_told(player: object) -> Made:
    """Turn an object with ``ask``, ``tell`` and ``result`` into a stream."""
    # That it has all three, and that they can be called, is what the caller has looked for.
    ask, tell = player.ask, player.tell  # type: ignore[attr-defined]
    while True:
        question: object = ask()
        if question is None:
            return player.result()  # type: ignore[attr-defined]
        reply = yield question
        tell(reply)


def play_stream(stream: Made, counterpart: Counterpart) -> None:
    """Play a stream to its end or to the horizon.

    Raises :class:`Refused` if the stream refuses its input, :class:`Fault` if it raises later or
    asks nonsense, and whatever ``counterpart`` raises.
    """
    try:
        asked = first_question(stream)
        idleness = Idleness()
        while True:
            question = read_question(asked)
            idleness.note(question)
            if counterpart.at_horizon and not isinstance(question, Incumbent):
                counterpart.stopped_at_horizon()
                return
            match question:
                case Duel(first, second):
                    asked = _play_match(stream, counterpart, asked, counterpart.open(first, second))
                case SelfPlay(arm, rounds):
                    counterpart.self_play(arm, rounds)
                    asked = stream.send(None)
                case Incumbent(arm):
                    counterpart.incumbent(arm)
                    asked = stream.send(None)
                case _:
                    answers = [counterpart.answer(duel.first, duel.second) for duel in question]
                    asked = stream.send(answers)
    except StopIteration as stop:
        result: object = stop.value
    except (Diverged, Fault, Refused, TooLong):
        raise
    except CRASHES as error:
        raise Fault(FaultKind.CRASHED, last_lines(error)) from None
    counterpart.returned(read_result(result))


def first_question(stream: Made) -> object:
    """Begin a stream; a generator refuses its input only here, before its first question.

    Raises :class:`Refused` for a ``ValueError`` or ``TypeError``, :class:`Fault` for any other
    error, and ``StopIteration`` if it returns without a question.
    """
    try:
        return next(stream)
    except (StopIteration, Fault):
        raise
    except (ValueError, TypeError) as error:
        raise Refused(str(error)) from None
    except CRASHES as error:
        raise Fault(FaultKind.CRASHED, last_lines(error)) from None


def _play_match(stream: Made, counterpart: Counterpart, asked: object, number: int) -> object:
    """Give out a match's outcomes for as long as it is asked; return the next question."""
    send, played, following = stream.send, 0, asked
    try:
        for outcome in counterpart.left(number):
            played += 1
            following = send(outcome)
            if following is not asked and following != asked:
                break
    finally:
        counterpart.count(number, played)
    return following


def read_question(asked: object) -> Question:
    """Understand what a stream asks.

    Raises :class:`Fault` for anything but a duel ``(u, v)``, self-play ``(a, a)`` or
    ``(a, a, rounds)``, an announcement ``("incumbent", a)``, a list of duels, or the library's own
    questions.
    """
    match asked:
        case Duel() | SelfPlay() | Incumbent():
            return asked
        case list() if asked:
            return [_read_duel(one) for one in asked]
        case ("incumbent", arm):
            return Incumbent(_integer(arm))
        case (first, second) if _integer(first) != _integer(second):
            return _duel(_integer(first), _integer(second))
        case (arm, _):
            return SelfPlay(_integer(arm), 1)
        case (arm, other, rounds) if _integer(arm) == _integer(other) and _integer(rounds) >= 1:
            return SelfPlay(_integer(arm), _integer(rounds))
    raise _nonsense(asked)


def _read_duel(asked: object) -> Duel:
    question = read_question(asked)
    if not isinstance(question, Duel):
        raise _nonsense(asked)
    return question


def _duel(first: int, second: int) -> Duel:
    try:
        return Duel(first, second)
    except InvalidInput:
        raise _nonsense((first, second)) from None


def read_result(result: object) -> Arm | None:
    """Understand a stream's result: an arm or None."""
    return None if result is None else _integer(result)


def _integer(value: object) -> int:
    """Read an integer, of any library's kind."""
    if isinstance(value, bool):
        raise _nonsense(value)
    try:
        # Whether it is an integer is what is asked here.
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise _nonsense(value) from None


def _nonsense(value: object) -> Fault:
    shown = repr(value)
    if len(shown) > 80:
        shown = shown[:77] + "..."
    return Fault(FaultKind.NONSENSE, f"cannot understand {shown}")


def close_stream(stream: Made) -> None:
    """Close a stream, whatever it does about it."""
    try:
        stream.close()
    except CRASHES as error:
        raise Fault(FaultKind.CRASHED, f"when it is closed: {last_lines(error)}") from None


def last_lines(error: BaseException) -> str:
    """Return the error and the place where it was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({frames[-1].filename}:{frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {error}{place}"
