"""Flags: the states of the algorithms that a case reaches, computed from its run."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from tgite import Confidence, Conventions
from tgite.beyond import Verdict
from tgite.conventions import RULINGS
from tgite.schedules import self_play_rounds
from tgite_conform.algorithms import ALGORITHMS, test_of
from tgite_conform.format import Expected, ExpectedMatch, Outcomes, Parameters, SaidCertificate
from tgite_conform.large import LargeTree
from tgite_conform.positions import part_of

FLAGS: dict[str, str] = tomllib.loads(
    Path(__file__).with_name("flags.toml").read_text(encoding="utf-8")
)
"""All flags, with their meanings."""


_HALF = Confidence(Fraction(1, 2))
_SMALLEST_FLOAT = Confidence(Fraction(1, 2**1074))


def flags_of(
    algorithm: str, parameters: Parameters, conventions: Conventions, expected: Expected
) -> tuple[str, ...]:
    """Return the flags of a case, in the order of :data:`FLAGS`."""
    found = {
        *_test_flags(algorithm, parameters, expected),
        *_tournament_flags(expected),
        *_horizon_flags(algorithm, parameters, expected),
    }
    if ALGORITHMS[algorithm].certifies:
        found.update(_certificate_flags(expected))
    else:
        found.update(_tree_flags(parameters, conventions, expected))
        found.update(_epoch_flags(parameters, expected))
    if expected.margin == "0e+0":
        found.add("exact-tie")
    if conventions != RULINGS:
        found.add("other-conventions")
    numbers = [expected.horizon or 0, *(block.rounds for block in expected.self_play)]
    if max([*numbers, *(n for n in parameters.values() if isinstance(n, int))]) >= 2**63:
        found.add("beyond-64-bits")
    return tuple(flag for flag in FLAGS if flag in found)


def _test_flags(algorithm: str, parameters: Parameters, expected: Expected) -> Iterator[str]:
    outcomes = Outcomes(expected)
    test_at = functools.cache(lambda place: test_of(algorithm, parameters, place))
    for number, match in enumerate(expected.matches):
        level = _level(match.level)
        if match.winner is not None:
            yield "first-wins" if match.winner == match.first else "second-wins"
        if match.length >= 1000:
            yield "long"
        if level > _HALF:
            yield "level-above-half"
        if level < _SMALLEST_FLOAT:
            yield "level-below-floats"
        if match.winner is not None and match.length == test_at(match.place).most(level):
            yield "budget-spent"
            if 2 * outcomes.of(number).wins(match.length) == match.length:
                yield "tie"


_level = functools.lru_cache(maxsize=4096)(Confidence.of)


def _tournament_flags(expected: Expected) -> Iterator[str]:
    if not expected.matches:
        yield "no-match"
    tournaments: dict[str, list[ExpectedMatch]] = {}
    for match in expected.matches:
        turn, is_round, r = match.place.rpartition("r")
        if is_round and r.isdigit():
            tournaments.setdefault(turn, []).append(match)
    for matches in tournaments.values():
        if matches[-1].winner is None:
            continue
        size, rounds = len(matches) + 1, 0
        while size > 1:
            if size % 2 == 1:
                yield "bye"
            size, rounds = (size + 1) // 2, rounds + 1
        if rounds >= 4:
            yield "rounds-4"


def _tree_flags(
    parameters: Parameters, conventions: Conventions, expected: Expected
) -> Iterator[str]:
    N = parameters.get("N")
    start = parameters.get("b", parameters.get("b_0", parameters.get("c")))
    if not isinstance(N, int) or not isinstance(start, int):
        return
    if N == 2:
        yield "two-arms"
    if start == conventions.first_arm:
        yield "start-first"
    if start == conventions.first_arm + N - 1:
        yield "start-last"
    if "c" in parameters:
        return
    tree = LargeTree(N, conventions)
    yield "full-tree" if tree.N == tree.M else "formal-byes"
    incumbent = start
    for matches in _by_part(expected, "pass").values():
        answer = matches[-1].winner
        if len(matches) < N - 1 or answer is None:
            continue
        leaf = incumbent - conventions.first_arm
        if any(not tree.sibling_block(leaf, h) for h in range(1, tree.L + 1)):
            yield "empty-block"
        yield "start-kept" if answer == incumbent else "start-replaced"
        incumbent = answer


def _by_part(expected: Expected, part: str) -> dict[str, list[ExpectedMatch]]:
    found: dict[str, list[ExpectedMatch]] = {}
    for match in expected.matches:
        turn, _, name = part_of(match.place).partition(" ")
        if name == part:
            found.setdefault(turn, []).append(match)
    return found


def _epoch_flags(parameters: Parameters, expected: Expected) -> Iterator[str]:
    N = parameters.get("N")
    tournaments = _by_part(expected, "replace")
    for turn, screened in _by_part(expected, "screen").items():
        if not isinstance(N, int) or len(screened) < N - 1 or screened[-1].winner is None:
            continue
        incumbent = screened[0].first
        beaters = sum(match.winner != incumbent for match in screened)
        if beaters == 0:
            yield "no-beaters"
            continue
        yield "all-beaters" if beaters == N - 1 else "some-beaters"
        tournament = tournaments.get(turn, [])
        if len(tournament) == beaters and tournament[-1].winner is not None:
            keeps = tournament[-1].winner == incumbent
            yield "tournament-keeps" if keeps else "tournament-replaces"


def _certificate_flags(expected: Expected) -> Iterator[str]:
    answer, begun = expected.result, set[str]()
    arms = {arm for match in expected.matches for arm in match.pair}
    if len(arms) == 2:
        yield "two-arms"
    if isinstance(answer, SaidCertificate) and answer.verdict == Verdict.WON:
        yield "certified"
    if isinstance(answer, SaidCertificate) and answer.equivalent:
        yield "equivalent"
    if isinstance(answer, SaidCertificate) and answer.verdict == Verdict.BUDGET:
        yield "match-over"
    for number, match in enumerate(expected.matches):
        cut = expected.horizon is not None and number == len(expected.matches) - 1
        words = match.place.split()
        if "certify" in words:
            begun.add(part_of(match.place))
            if match.winner == match.second:
                yield "match-lost"
            elif match.winner is None and match.place != "certify" and not cut:
                yield "match-over"
        elif "expose" in words and not cut:
            yield "exposed" if match.winner == match.first else "not-exposed"
        elif "screen" in words and match.winner != match.first and not cut:
            yield "screened-out"
    if len(begun) > 1:
        yield "certificates-2"


def _horizon_flags(algorithm: str, parameters: Parameters, expected: Expected) -> Iterator[str]:
    # The weak policy also announces the answer of its warm start.
    if len(expected.incumbents) >= (3 if "weak" in algorithm else 2):
        yield "epochs-2"
    if expected.self_play:
        yield "self-play"
    matches, blocks = expected.matches, expected.self_play
    # A certificate's match may end without a winner: only the last one is cut by a horizon.
    certifies = ALGORITHMS[algorithm].certifies
    if certifies and expected.horizon is None:
        return
    if any(match.winner is None for match in (matches[-1:] if certifies else matches)):
        yield "cut-in-match"
    H = parameters.get("H")
    if isinstance(H, int) and expected.horizon is None:
        if expected.result is None:
            yield "expires"
            if matches[-1].winner is not None:
                yield "cut-between-matches"
        elif not blocks:
            yield "just-in-time"
    if expected.horizon is None:
        return
    if blocks and blocks[-1].after == len(matches):
        due = H - expected.duels if isinstance(H, int) else self_play_rounds(len(blocks))
        whole = blocks[-1].rounds == due
        yield "cut-after-self-play" if whole else "cut-in-self-play"
    elif matches and matches[-1].winner is not None:
        yield "cut-between-matches"
