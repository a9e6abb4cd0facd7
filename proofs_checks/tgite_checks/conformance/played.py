"""What an implementation says that it played, when it plays a whole tape at once."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest

from tgite import Arm, Confidence, InvalidInput
from tgite_checks.conformance.divergence import (
    Diverged,
    Divergence,
    Parting,
    match_lines,
    show_match,
    state_of,
    stopping_line,
    winner_line,
)
from tgite_checks.conformance.format import Case, Expected, ExpectedMatch
from tgite_checks.conformance.places import self_play_lines
from tgite_checks.conformance.referee import Level
from tgite_checks.conformance.strict_json import Reader


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match as it was played; ``winner`` is None where the horizon or the tape cut it."""

    first: Arm
    second: Arm
    length: int
    winner: Arm | None
    level: str | None = None


@dataclass(frozen=True, slots=True)
class Played:
    """A whole run as it was played.

    ``self_play`` holds ``(arm, rounds)`` in order, ``incumbents`` the announcements or None if the
    implementation makes none. ``wanted`` is the pair whose tape was used up or missing, if that
    ended the run. ``refusal`` is the message if the input was refused.
    """

    matches: tuple[PlayedMatch, ...] = ()
    self_play: tuple[tuple[Arm, int], ...] = ()
    incumbents: tuple[Arm, ...] | None = None
    result: Arm | None = None
    wanted: tuple[Arm, Arm] | None = None
    refusal: str | None = None


def handed_tape(expected: Expected) -> list[list[object]]:
    """Return the tape as it is handed out: ``[low, high, outcomes of their matches...]``."""
    return [[pair.low, pair.high, *pair.outcomes] for pair in expected.tape]


_OPTIONAL = ("self_play", "incumbents", "wanted")


def read_played(reply: object, place: str = "played") -> Played:
    """Read what was played; raises :class:`~tgite.errors.InvalidInput` for nonsense."""
    reader = Reader(reply, place)
    if "refusal" in reader.any_fields():
        return Played(refusal=reader.fields("refusal")["refusal"].text())
    fields = reader.fields("matches", "result", optional=_OPTIONAL)
    matches = []
    for match in fields["matches"].entries():
        entries = match.entries()
        if len(entries) not in (4, 5):
            raise match.refused("must be [u, v, length, winner] or [u, v, length, winner, level]")
        matches.append(_read_match(entries))
    blocks = (
        [block.entries(2) for block in fields["self_play"].entries()]
        if ("self_play" in fields)
        else []
    )
    wanted = fields["wanted"].entries(2) if "wanted" in fields else None
    return Played(
        tuple(matches),
        tuple((arm.integer(), rounds.integer()) for arm, rounds in blocks),
        tuple(arm.integer() for arm in fields["incumbents"].entries())
        if "incumbents" in fields
        else None,
        fields["result"].integer_or_none(),
        None if wanted is None else (wanted[0].integer(), wanted[1].integer()),
    )


def _read_match(entries: list[Reader]) -> PlayedMatch:
    arms = [arm.integer() for arm in entries[:2]]
    length, winner = entries[2].integer(), entries[3].integer_or_none()
    if arms[0] == arms[1]:
        raise entries[1].refused("must be another arm than the first")
    if length < 1:
        raise entries[2].refused("must be 1 or more duels")
    if winner is not None and winner not in arms:
        raise entries[3].refused("must be one of the two arms, or null")
    level = entries[4].text() if len(entries) == 5 else None
    if level is not None:
        try:
            Confidence.of(level)
        except InvalidInput:
            raise entries[4].refused('must be a level such as "1/40 * 6/pi^2"') from None
    return PlayedMatch(arms[0], arms[1], length, winner, level)


def check_played(case: Case, expected: Expected, played: Played, level: Level) -> None:
    """Compare a whole run with the reference's; raises ``Diverged`` for the first difference.

    The order of the matches counts only at the level ``order``; otherwise the differences of the
    match that comes first in the reference's order are told first.
    """
    taken = _matched(expected, played, level)
    duels = 0
    for number, match in enumerate(expected.matches):
        one = taken[number]
        if one is None:
            _raise_missing(case, expected, played, number, duels)
        else:
            _check_match(case, expected, number, one, duels)
        duels += match.length
    surplus = [one for one in played.matches if not any(one is other for other in taken)]
    if surplus or played.wanted is not None:
        u, v = (surplus[0].first, surplus[0].second) if surplus else played.wanted or (0, 0)
        raise Diverged(
            Divergence(
                Parting.DID_NOT_END,
                duels + 1,
                f"match ({u}, {v})",
                f"{'stops at the horizon' if expected.horizon else f'returns {expected.result}'}",
            )
        )
    _check_rest(case, expected, played, duels)


def _matched(expected: Expected, played: Played, level: Level) -> list[PlayedMatch | None]:
    """Find for every expected match the one that was played in its place."""
    if level is Level.ORDER:
        in_order: list[PlayedMatch | None] = list(played.matches[: len(expected.matches)])
        for number, one in enumerate(in_order):
            match = expected.matches[number]
            if one is not None and {one.first, one.second} != {match.first, match.second}:
                in_order[number] = None
        return in_order + [None] * (len(expected.matches) - len(in_order))
    of_pair: dict[frozenset[Arm], list[PlayedMatch]] = {}
    for one in played.matches:
        of_pair.setdefault(frozenset((one.first, one.second)), []).append(one)
    queues = {pair: iter(matches) for pair, matches in of_pair.items()}
    return [
        next(queues.get(frozenset((match.first, match.second)), iter(())), None)
        for match in expected.matches
    ]


def _check_match(
    case: Case, expected: Expected, number: int, one: PlayedMatch, before: int
) -> None:
    match = expected.matches[number]
    asked = f"match ({one.first}, {one.second}) {_course(one)}"
    shown = f"match {show_match(match)} {_course(match)}"
    if one.level is not None and Confidence.of(one.level) != Confidence.of(match.level):
        lines = match_lines(case, match, "L1")
        raise Diverged(
            Divergence(
                Parting.WRONG_LEVEL, before + 1, f"level {one.level}", f"level {match.level}", lines
            )
        )
    if one.first != match.first:
        lines = match_lines(case, match, "L3" if "g" in case.parameters else "L4")
        raise Diverged(Divergence(Parting.SWAPPED, before + 1, asked, shown, lines))
    # A match that the horizon cuts goes on: whoever names a winner of it has stopped it.
    stopped = match.winner is None and one.winner is not None and one.length == match.length
    if one.length != match.length or stopped:
        n = min(one.length, match.length)
        early = one.length < match.length or stopped
        raise Diverged(
            Divergence(
                Parting.STOPPED_EARLY if early else Parting.WENT_ON,
                before + n + 1,
                asked,
                shown,
                match_lines(case, match, stopping_line(case, number, n, expected)),
                state_of(case, expected, number, n),
            )
        )
    if one.winner != match.winner:
        raise Diverged(
            Divergence(
                Parting.WRONG_WINNER,
                before + match.length,
                asked,
                shown,
                match_lines(case, match, winner_line(case, number, expected)),
                state_of(case, expected, number, match.length),
            )
        )


def _course(match: PlayedMatch | ExpectedMatch) -> str:
    """Say how long a match lasted and who won it."""
    duels = f"{match.length} duel{'' if match.length == 1 else 's'}"
    return f"cut after {duels}" if match.winner is None else f"of {duels}, won by {match.winner}"


def _raise_missing(
    case: Case, expected: Expected, played: Played, number: int, before: int
) -> None:
    match: ExpectedMatch = expected.matches[number]
    lines = match_lines(case, match, "L1")[:-1] or match_lines(case, match, "L1")
    pairs = {frozenset((m.first, m.second)) for m in expected.matches}
    strange = [one for one in played.matches if {one.first, one.second} not in pairs]
    wanted = played.wanted
    if strange or wanted is not None:
        u, v = (strange[0].first, strange[0].second) if strange else wanted or (0, 0)
        raise Diverged(
            Divergence(
                Parting.OTHER_DUEL,
                before + 1,
                f"match ({u}, {v})",
                f"match {show_match(match)}",
                lines,
            )
        )
    raise Diverged(
        Divergence(
            Parting.ENDED_EARLY,
            before + 1,
            f"ends after {len(played.matches)} matches",
            f"match {show_match(match)} {_course(match)}",
            lines,
        )
    )


def _check_rest(case: Case, expected: Expected, played: Played, duels: int) -> None:
    blocks = [(block.arm, block.rounds) for block in expected.self_play]
    for number, (one, block) in enumerate(zip_longest(played.self_play, blocks)):
        if one != block:
            after = expected.self_play[number].after if block else len(expected.matches)
            raise Diverged(
                Divergence(
                    Parting.SELF_PLAY,
                    sum(match.length for match in expected.matches[:after]) + 1,
                    _shown(one),
                    _shown(block),
                    self_play_lines(case.algorithm, number),
                )
            )
    announced = tuple(one.arm for one in expected.incumbents)
    if played.incumbents is not None and played.incumbents != announced:
        raise Diverged(
            Divergence(
                Parting.INCUMBENT,
                duels + 1,
                f"announces {list(played.incumbents)}",
                f"announces {list(announced)}",
            )
        )
    if played.result != expected.result:
        raise Diverged(
            Divergence(
                Parting.WRONG_RESULT,
                duels + 1,
                f"returns {played.result}",
                f"returns {expected.result}",
            )
        )


def _shown(block: tuple[Arm, int] | None) -> str:
    return "no self-play" if block is None else f"self-play of {block[0]} for {block[1]} rounds"
