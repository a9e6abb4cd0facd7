"""Wrong transcriptions of BKT (``alg:bkt``)."""

from __future__ import annotations

from tgite_checks.mutation import Mutant


def _mutant(name: str, original: str, replaced: str, mistake: str) -> Mutant:
    return Mutant(f"bkt-{name}", "alg:bkt", "bkt", original, replaced, mistake)


_NEXT_ROUND = "X, r = conventions.next_round(winners, bye), r + 1  # L6"
_PAIR = "pairs, bye = conventions.pairs_and_bye(X)  # L4"
_MATCH = "winner = yield from test(u, v, delta_r)"

MUTANTS = (
    _mutant(
        "bye-lost",
        _NEXT_ROUND,
        "X, r = conventions.next_round(winners, ()), r + 1  # L6",
        "The arm with the bye is dropped.",
    ),
    _mutant(
        "round-not-counted",
        _NEXT_ROUND,
        "X, r = conventions.next_round(winners, bye), r  # L6",
        "r stays at 1: every round is played at the first round's level.",
    ),
    _mutant(
        "rounds-from-2",
        "X, r = list(arms), 1  # L1",
        "X, r = list(arms), 2  # L1",
        "The rounds are counted from 2.",
    ),
    _mutant(
        "level-not-split",
        _MATCH,
        "winner = yield from test(u, v, delta)",
        "Every match is played at delta.",
    ),
    _mutant(
        "level-by-arms-left",
        "delta_r = bkt_round_level(delta, r)  # L3",
        "delta_r = bkt_round_level(delta, len(X) // 2)  # L3",
        "The level is split by the number of matches instead of the number of the round.",
    ),
    _mutant(
        "arguments-swapped",
        _MATCH,
        "winner = yield from test(v, u, delta_r)",
        "The pair is handed to the test in the other order.",
    ),
    _mutant(
        "loser-kept",
        "winners.append(winner)",
        "winners.append(u if winner == v else v)",
        "The loser of a match goes on.",
    ),
    _mutant(
        "first-arm-returned",
        "return survivor  # L8",
        "return arms[0]",
        "The first arm of S is returned instead of the one in X.",
    ),
    _mutant(
        "bye-plays-on",
        _PAIR,
        "pairs, bye = conventions.pairs_and_bye([*X, *X[:1]] if len(X) % 2 else X)  # L4",
        "Instead of a bye, an odd round fills up with an arm that plays twice.",
    ),
    _mutant(
        "conventions-ignored-by-bye",
        _NEXT_ROUND,
        "X, r = [*winners, *(bye if conventions == RULINGS else bye[1:])], r + 1  # L6",
        "The bye goes on under the default conventions only.",
    ),
    _mutant(
        "level-capped",
        "delta_r = bkt_round_level(delta, r)  # L3",
        "delta_r = bkt_round_level(delta, min(r, 6))  # L3",
        "The levels are tabulated for six rounds and then repeated.",
    ),
    _mutant(
        "plays-twice",
        _MATCH,
        "yield from test(u, v, delta_r)\n                " + _MATCH,
        "Every match is played twice, and the second result counts.",
    ),
)
