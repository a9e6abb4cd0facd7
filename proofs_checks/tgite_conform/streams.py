"""Plays streams of duels, of this library or of any other."""

from __future__ import annotations

import operator
from collections.abc import Callable, Generator, Mapping
from typing import TypeAlias, TypeVar

from tgite import Arm, Duel, Incumbent, InvalidInput, SelfPlay
from tgite_conform.divergence import Diverged
from tgite_conform.faults import Fault, FaultKind, Lacking, Refused
from tgite_conform.format import SaidCertificate, is_certificate
from tgite_conform.protocol import Result
from tgite_conform.referee import Referee
from tgite_conform.strict_json import read
from tgite_conform.time_limit import TimeLimit
from tgite_laws.user_code import CRASHES, described

Question: TypeAlias = Duel | SelfPlay | Incumbent | list[Duel]
Made: TypeAlias = Generator[object, bool | list[bool] | None, object]
_T = TypeVar("_T")

_MOST_IDLE = 1000
"""The most questions in a row without a round; a policy announces once between two matches."""

_MOST_SELF_PLAY = 100_000
_LONGEST_SHOWN = 80


class Idleness:
    """Detects a run that asks too many questions without a round, or self-play round by round."""

    def __init__(self) -> None:
        """Begin with nothing asked."""
        self._questions = self._self_play = 0

    def note(self, question: object) -> None:
        """Count the next question; raises :class:`Fault` if there are too many without a round."""
        rounds = question.rounds if isinstance(question, SelfPlay) else None
        idle = isinstance(question, Incumbent) or rounds == 0
        self._questions = self._questions + 1 if idle else 0
        self._self_play = 0 if rounds is None else self._self_play + 1
        if self._self_play > _MOST_SELF_PLAY:
            rest = "for self-play: ask for blocks"
            raise Fault(FaultKind.FLOODED, f"{_MOST_SELF_PLAY} questions in a row {rest}")
        if self._questions > _MOST_IDLE:
            rest = f"that cost no round: {question}"
            raise Fault(FaultKind.FLOODED, f"{_MOST_IDLE} questions in a row {rest}")


def as_stream(made: object) -> Made:
    """Return a generator as a stream; raises :class:`Fault` for anything else."""
    if isinstance(made, Generator):
        return made
    raise Fault(FaultKind.NONSENSE, f"{type(made).__name__} is no generator")


def play_stream(stream: Made, referee: Referee, limit: TimeLimit | None = None) -> None:
    """Play a stream to its end or to the horizon; ``limit`` counts each message.

    Raises :class:`Refused`, :class:`Fault`, and what ``referee`` raises.
    """
    limit, idleness = limit or TimeLimit(), Idleness()
    try:
        asked = before_any_duel(lambda: next(stream), referee.case.algorithm)
        while True:
            limit.answered += 1
            question = read_question(asked)
            idleness.note(question)
            cut = referee.cuts(rounds_of(question))
            if cut and referee.cuts():
                break
            if isinstance(question, Duel):
                number = referee.open(question.first, question.second)
                asked = _play_match(stream, referee, asked, number, limit)
                continue
            reply = reply_to(question, referee)
            if cut:
                break
            asked = stream.send(reply)
        referee.check_announcements()
        return
    except StopIteration as stop:
        result: object = stop.value
    except (Diverged, Fault, Lacking, Refused):
        raise
    except CRASHES as error:
        raise crash(error) from None
    answer = read_answer(result)
    referee.returned(answer.answer)


def rounds_of(question: Question) -> int:
    """Return the rounds that a question takes."""
    if isinstance(question, Duel | Incumbent):
        return int(isinstance(question, Duel))
    return question.rounds if isinstance(question, SelfPlay) else len(question)


def reply_to(question: Question, referee: Referee) -> bool | list[bool] | None:
    """Return what a question is answered with."""
    match question:
        case Duel(first, second):
            return referee.answer(first, second)
        case SelfPlay(arm, rounds):
            referee.self_play(arm, rounds)
        case Incumbent(arm):
            referee.incumbent(arm)
        case _:
            return referee.answers(question)
    return None


def before_any_duel(step: Callable[[], _T], algorithm: str) -> _T:
    """Return the result of a step that makes a stream, or asks its first question.

    Raises :class:`Refused` for a ``ValueError`` or ``TypeError``, :class:`Lacking` for
    ``NotImplementedError``, :class:`Fault` for other errors.
    """
    try:
        return step()
    except (StopIteration, Fault):
        raise
    except NotImplementedError as error:
        raise Lacking(f"not implemented: {str(error) or algorithm}") from None
    except (ValueError, TypeError) as error:
        raise Refused(described(error)) from None
    except CRASHES as error:
        raise crash(error) from None


def _play_match(
    stream: Made, referee: Referee, asked: object, number: int, limit: TimeLimit
) -> object:
    """Send a match's outcomes while the stream asks for its duel; return the next question."""
    send, played, following = stream.send, 0, asked
    try:
        for outcome in referee.left(number):
            played += 1
            following = send(outcome)
            limit.answered += 1
            if following is not asked and following != asked:
                break
    finally:
        referee.count(number, played)
    return following


def read_question(asked: object) -> Question:
    """Return a stream's question; raises :class:`Fault` for an invalid one."""
    if isinstance(asked, Duel | SelfPlay | Incumbent):
        return asked
    try:
        match asked:
            case list() if asked and all(isinstance(one, tuple | Duel) for one in asked):
                duels = [one for one in map(read_question, asked) if isinstance(one, Duel)]
                if len(duels) == len(asked):
                    return duels
            case list():
                pass  # A single duel must not be a list, because a list holds several.
            case ("incumbent", arm):
                return Incumbent(read_arm(arm))
            case (first, second):
                u, v = read_arm(first), read_arm(second)
                return SelfPlay(u, 1) if u == v else Duel(u, v)
            case (first, second, rounds) if read_arm(first) == read_arm(second):
                if read_arm(rounds) >= 1:
                    return SelfPlay(read_arm(first), read_arm(rounds))
    except InvalidInput:
        pass
    raise _nonsense(asked, _QUESTIONS)


_QUESTIONS = 'ask (u, v), [(u, v), ...], (a, a), (a, a, rounds) or ("incumbent", a)'


def read_answer(result: object) -> Result:
    """Return a stream's result: an arm, None, a certificate, or the fields of a ``result``."""
    if is_certificate(result):
        return Result.of(SaidCertificate.of(result))
    fields = result if isinstance(result, Mapping) else {"arm": result}
    if "champion" in fields:
        raise _nonsense(result, 'a certificate is returned as {"certificate": {...}}')
    counts = {
        name: value if value is None or name == "certificate" else read_arm(value)
        for name, value in fields.items()
    }
    try:
        return read({"type": "result", **counts}, Result, "result")
    except InvalidInput as error:
        raise _nonsense(result, f"{_ANSWERS} ({error})") from None


_ANSWERS = 'an answer is an arm, None, {"arm": ...} or {"certificate": {...}}'


def read_arm(value: object) -> Arm:
    """Return an integer of any library's type as an arm; raises :class:`Fault` for other values."""
    if not isinstance(value, bool):
        try:
            # ``index`` raises if it is not an integer.
            return operator.index(value)  # type: ignore[arg-type]
        except TypeError:
            pass
    raise _nonsense(value, "arms and counts are integers")


def _nonsense(value: object, rule: str) -> Fault:
    shown = repr(value)
    if len(shown) > _LONGEST_SHOWN:
        shown = shown[: _LONGEST_SHOWN - 3] + "..."
    kind = type(value).__name__
    return Fault(FaultKind.NONSENSE, f"cannot understand {shown}, of type {kind}: {rule}")


def close_stream(stream: Made) -> None:
    """Close a stream and ignore its errors."""
    try:
        stream.close()
    except CRASHES as error:
        raise crash(error, "when it is closed: ") from None


def crash(error: BaseException, when: str = "") -> Fault:
    """Return the fault of raising an error, with the place where it was raised."""
    return Fault(FaultKind.CRASHED, f"{when}{described(error)}")
