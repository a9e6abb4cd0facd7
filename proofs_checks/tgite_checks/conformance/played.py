"""What an implementation says that it played, when it plays a whole tape at once."""

from __future__ import annotations

from itertools import zip_longest

from tgite import Arm, Confidence
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
from tgite_checks.conformance.protocol import Played, PlayedMatch
from tgite_checks.conformance.referee import Level


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
