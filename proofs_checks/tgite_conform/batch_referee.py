"""What an implementation says that it played, when it plays a whole tape at once."""

from __future__ import annotations

from itertools import zip_longest

from msgspec import UNSET

from tgite import Arm
from tgite_conform.divergence import Diverged, Parting, Step, match_lines, show_match
from tgite_conform.format import Case, Expected
from tgite_conform.positions import self_play_lines, whole_algorithm
from tgite_conform.protocol import Played, PlayedMatch
from tgite_conform.referee import Level, Referee, length_and_winner


def check_played(case: Case, played: Played, level: Level) -> None:
    """Compare a whole run with the reference's; raise ``Diverged`` for the first difference.

    The order of the matches counts only at the level ``order``.
    """
    referee = Referee(case, level)
    expected = referee.expected
    taken = _matched(expected, played, level)
    for number, one in enumerate(taken):
        if one is None:
            raise _missing(referee, case, played, number)
        referee.whole_match(number, one)
    surplus = [one for one in played.matches if not any(one is other for other in taken)]
    if asked := _odd(played, surplus):
        end = "stops at the horizon" if expected.horizon else f"returns {expected.result}"
        raise referee.parted(Parting.DID_NOT_END, asked, end, referee.last_lines())
    _check_rest(referee, case, played)


def _odd(played: Played, matches: list[PlayedMatch]) -> str:
    """Name the first of odd matches, or else the pair whose tape was wanted in vain."""
    pairs = [(one.first, one.second) for one in matches]
    pairs += [played.wanted] if played.wanted is not UNSET else []
    return f"match ({pairs[0][0]}, {pairs[0][1]})" if pairs else ""


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


def _missing(referee: Referee, case: Case, played: Played, number: int) -> Diverged:
    match = referee.expected.matches[number]
    lines = match_lines(case, match, Step.BEGIN)[:-1] or match_lines(case, match, Step.BEGIN)
    pairs = [{one.first, one.second} for one in referee.expected.matches]
    strange = [one for one in played.matches if {one.first, one.second} not in pairs]
    if asked := _odd(played, strange):
        return referee.parted(Parting.OTHER_DUEL, asked, f"match {show_match(match)}", lines)
    asked = f"ends after {len(played.matches)} matches"
    expected = f"match {show_match(match)} {length_and_winner(match)}"
    return referee.parted(Parting.ENDED_EARLY, asked, expected, lines)


def _check_rest(referee: Referee, case: Case, played: Played) -> None:
    expected = referee.expected
    blocks = [(block.arm, block.rounds) for block in expected.self_play]
    for number, (one, block) in enumerate(zip_longest(played.self_play, blocks)):
        if one != block:
            after = expected.self_play[number].after if block else len(expected.matches)
            referee.duels = sum(match.length for match in expected.matches[:after])
            lines = self_play_lines(case.algorithm, number)
            raise referee.parted(Parting.SELF_PLAY, _shown(one), _shown(block), lines)
    announced = [one.arm for one in expected.incumbents]
    if played.incumbents is not UNSET and list(played.incumbents) != announced:
        made = f"announces {list(played.incumbents)}"
        lines = whole_algorithm(case.algorithm, "its incumbents")
        raise referee.parted(Parting.INCUMBENT, made, f"announces {announced}", lines)
    if played.result != expected.result:
        returned, due = f"returns {played.result}", f"returns {expected.result}"
        raise referee.parted(Parting.WRONG_RESULT, returned, due, referee.last_lines())
    referee.counted(played)


def _shown(block: tuple[Arm, int] | None) -> str:
    return "no self-play" if block is None else f"self-play of {block[0]} for {block[1]} rounds"
