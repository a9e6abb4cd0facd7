"""The messages between the kit and a program, one JSON object a line.

``docs/conformance-reference.md`` has tables of all messages, made from the classes and their
docstrings. The kit waits for one reply to each of its messages except ``stop`` and ``bye``.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Annotated, TypeAlias, cast

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tgite import Arm, Confidence, InvalidInput
from tgite_conform.format import LEVEL, Answer, Case, Expected, PairTape, SaidCertificate
from tgite_conform.strict_json import Strict, parsed, read

PROTOCOL = 1

_Positive: TypeAlias = Annotated[int, Meta(ge=1)]
_Mode: TypeAlias = Annotated[str, Meta(pattern="^(duel|batch)$")]


class Message(Strict, frozen=True, tag_field="type", tag=True):
    """A message of either side; the field ``type`` names its kind."""


# Messages of the kit.


class Greeting(Message, frozen=True, tag="hello"):
    """The kit's first message; the answer is ``hello``."""

    protocol: int = PROTOCOL


class Start(Message, frozen=True, tag="start"):
    """A case begins, duel by duel; the answer is the first question, or ``refusal``."""

    case: str
    algorithm: str
    parameters: dict[str, object]


class Outcome(Message, frozen=True, tag="outcome"):
    """The reply to ``duel``; the answer is the next question, or ``result``."""

    first_wins: bool


class Outcomes(Message, frozen=True, tag="outcomes"):
    """The reply to ``duels``, in their order; the same answers."""

    first_wins: list[bool]


class Noted(Message, frozen=True, tag="noted"):
    """The reply to ``self_play`` and ``incumbent``; the same answers."""


class Stop(Message, frozen=True, tag="stop"):
    """The run is over; no answer."""


class Play(Message, frozen=True, tag="play"):
    """A whole case; the answer is ``played``, or ``refusal``.

    - After ``horizon`` rounds the player stops, unless it is null. Rounds are duels and self-play.
    - ``tape`` has ``[low, high, outcomes of their first match, of their second match, ...]``,
      sorted by the arms.
    """

    case: str
    algorithm: str
    parameters: dict[str, object]
    horizon: int | None
    tape: list[list[int | str]]

    def as_object(self) -> dict[str, object]:
        """Return the fields without the type, as a function gets them."""
        return msgspec.structs.asdict(self)


class Bye(Message, frozen=True, tag="bye"):
    """The program is to exit; no answer."""


Request: TypeAlias = Greeting | Start | Outcome | Outcomes | Noted | Stop | Play | Bye
"""Any message of the kit."""


# Messages of the program.


class Mode(StrEnum):
    """How a program is played."""

    DUEL = "duel"
    """One message for each duel, or for several."""
    BATCH = "batch"
    """One message for each case, with its tape."""


class Hello(Message, frozen=True, tag="hello"):
    """What the program supports; ``modes`` are ``duel``, ``batch`` or both."""

    protocol: Annotated[int, Meta(ge=PROTOCOL, le=PROTOCOL)]
    name: str
    algorithms: tuple[str, ...]
    modes: Annotated[tuple[_Mode, ...], Meta(min_length=1)]
    conventions: dict[str, object] = msgspec.field(default_factory=dict)
    parallel: bool = False
    runs: bool = False
    most_arms: int | None = None


class Refused(Message, frozen=True, tag="refusal"):
    """The parameters are refused."""

    message: str


class AskDuel(Message, frozen=True, tag="duel"):
    """A question: one duel."""

    arms: tuple[Arm, Arm]


class AskDuels(Message, frozen=True, tag="duels"):
    """A question: several duels at once."""

    arms: Annotated[tuple[tuple[Arm, Arm], ...], Meta(min_length=1)]


class AskSelfPlay(Message, frozen=True, tag="self_play"):
    """A question: a block of self-play."""

    arm: Arm
    rounds: _Positive


class Announce(Message, frozen=True, tag="incumbent"):
    """An announcement: this arm is now believed to be best."""

    arm: Arm


class Result(Message, frozen=True, tag="result"):
    """The end of a run: an arm, null or a certificate."""

    arm: Arm | UnsetType | None = UNSET
    certificate: SaidCertificate | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Refuse a result with both an arm and a certificate, or with neither."""
        if (self.arm is UNSET) is (self.certificate is UNSET):
            raise ValueError("must have an arm (or null), or a certificate")

    @staticmethod
    def of(answer: Answer) -> Result:
        """Return the message for an answer."""
        return Result(certificate=answer) if isinstance(answer, SaidCertificate) else Result(answer)

    @property
    def answer(self) -> Answer:
        """The message's answer."""
        if self.certificate is not UNSET:
            return self.certificate
        return None if self.arm is UNSET else self.arm


class PlayedMatch(Strict, frozen=True, array_like=True):
    """A match as it was played; ``winner`` is None if it was cut or has no winner."""

    first: Arm
    second: Arm
    length: Annotated[int, Meta(ge=0)]
    winner: Arm | None
    level: str | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Refuse values that no match has."""
        if self.first == self.second:
            raise ValueError("must be of two different arms")
        if self.winner not in (None, self.first, self.second):
            raise ValueError("must be won by one of the two arms, or null")
        # A level in the vectors' form is not read unless it differs, because reading takes long.
        if self.level is not UNSET and not re.match(LEVEL, self.level):
            try:
                Confidence.of(self.level)
            except InvalidInput:
                raise ValueError('must have a level such as "1/40 * 6/pi^2"') from None


class Played(Message, frozen=True, tag="played"):
    """A whole run as it was played.

    - ``matches`` are ``[u, v, length, winner]`` in order. A level may follow, and is then compared.
    - ``result`` is the arm, null, or a certificate.
    - ``self_play`` is a list of ``[arm, rounds]``, without blocks of no rounds.
    - ``incumbents`` are all arms announced; leave it out if you announce nothing.
    - ``wanted`` is the match whose tape was used up or missing, if that ended the run. The
      unfinished match is then the last one, with winner null. It is left out if it has no duel.
    """

    matches: tuple[PlayedMatch, ...]
    result: Arm | SaidCertificate | None
    self_play: tuple[tuple[Arm, int], ...] = ()
    incumbents: tuple[Arm, ...] | UnsetType = UNSET
    wanted: tuple[Arm, Arm] | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Leave out a last match that has no tape and so no duel; refuse others without a duel."""
        if self.matches and self.matches[-1].length == 0 and self.wanted is not UNSET:
            msgspec.structs.force_setattr(self, "matches", self.matches[:-1])
        if any(match.length == 0 for match in self.matches):
            raise ValueError("must list no match without a duel")


Reply: TypeAlias = Hello | Refused | AskDuel | AskDuels | AskSelfPlay | Announce | Result | Played
"""Any message of a program."""


def handed(case: Case, runs: bool = False) -> Play:
    """Return a case as the message to an implementation that plays whole tapes.

    Repeated outcomes are written out unless the implementation reads ``runs``.
    """
    run = case.expected
    # What must be refused has a tape, too: a program may keep it for the next case.
    tape = run.tape if isinstance(run, Expected) else (PairTape(0, 1, ("5",)),)
    rows = [pair.row if runs else pair.row_written_out for pair in tape]
    horizon = run.horizon if isinstance(run, Expected) else None
    return Play(case.id, case.algorithm, case.handed_parameters(), horizon, rows)


# Lines.


def line_of(message: Message) -> bytes:
    """Return a message as a line, without the end of the line."""
    return msgspec.json.encode(message)


def read_reply(line: bytes) -> Reply:
    """Return a program's message; raises :class:`~tgite.errors.InvalidInput` if it is invalid."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        raise InvalidInput("reply", repr(line[:40]), "must be UTF-8") from None
    if not text.lstrip().startswith("{"):
        rule = "must be a JSON object; write anything else to standard error"
        raise InvalidInput("reply", text, rule)
    return read(parsed(text, "reply"), cast("type[Reply]", Reply), "reply")


def read_request(line: str) -> Request:
    """Return the kit's message; raises :class:`~tgite.errors.InvalidInput` if it is invalid."""
    return read(parsed(line, "request"), cast("type[Request]", Request), "request")


def read_played(reply: object, place: str = "played") -> Played | Refused:
    """Return the answer of a function that plays whole tapes, which has no type."""
    if not isinstance(reply, dict) or "type" in reply:
        raise InvalidInput(place, reply, "must be an object, without a type")
    if "refusal" in reply:
        return Refused(read(reply, _Refusal, place).refusal)
    return read(reply, Played, place)


class _Refusal(Strict, frozen=True):
    refusal: str
