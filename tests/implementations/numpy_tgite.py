"""TG-ITE in NumPy, playing many runs at once. It shares no code with the library.

Every run is a generator that asks for whole matches, a round of them at a time. All runs' matches
are then played together: a row of outcomes each, summed up and held against the boundary for all
duels of all matches in one go. Arms are numbered from 0 in here.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import count
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

BASEL = math.log(math.pi**2 / 6)
PI_SQUARED_BY_6 = Fraction("1.6449340668482264364724151666460251892189499")
LONGEST_TOGETHER = 1 << 22

CONVENTIONS: dict[str, dict[object, Any]] = {
    "pairing": {
        "consecutive": lambda arms, half: (arms[::2], arms[1::2]),
        "fold": lambda arms, half: (arms[:half], arms[half:][::-1]),
        "halves": lambda arms, half: (arms[:half], arms[half:]),
    },
    "bye": {
        "first": lambda arms: (arms[1:], arms[:1]),
        "last": lambda arms: (arms[:-1], arms[-1:]),
    },
    "bye_place": {
        "first": lambda winners, bye: bye + winners,
        "last": lambda winners, bye: winners + bye,
    },
    "arguments": {
        "earlier-first": lambda pair: pair,
        "later-first": lambda pair: pair[::-1],
    },
    "candidates": {
        "incumbent-first": lambda c, beaters: [c, *beaters],
        "incumbent-last": lambda c, beaters: [*beaters, c],
        "ascending": lambda c, beaters: sorted([c, *beaters]),
    },
    "screening": {
        "ascending": lambda arms: arms,
        "descending": lambda arms: arms[::-1],
    },
    # On which of M leaves the arms are.
    "byes": {
        "last": lambda arm, N, M: arm,
        "first": lambda arm, N, M: M - N + arm,
        "spread": lambda arm, N, M: arm * M // N,
    },
    "first_arm": {0: 0, 1: 1},
}
"""What each value of each convention does; one that is not here is refused."""


class Row(NamedTuple):
    """A match: log(1/delta), its gap if it has a budget, and a 1 where its first argument wins."""

    log_inverse: float
    gap: float | None
    outcomes: npt.NDArray[np.uint8]


Rows: TypeAlias = Generator[list[Row], Sequence[tuple[int, bool | None]], int]
"""What plays a part of a run: it asks for a round of rows, and returns an arm."""


class Over(Exception):
    """The run is cut, by its horizon or where its tape ends."""


def require(condition: bool, what: str) -> None:
    """Refuse an input."""
    if not condition:
        raise ValueError(what)


def fraction(text: str) -> Fraction:
    """Return a number such as 1/10 or 2^-1024."""
    return Fraction(1, 2 ** int(text[3:])) if text.startswith("2^-") else Fraction(text)


def log_inverse(level: str) -> float:
    """Return log(1/level) of a level such as 1/10, 2^-1024 or 1/40 * 6/pi^2; refuse others."""
    rational, star, factor = level.partition(" * ")
    require(factor in ("", "6/pi^2"), f"not a level: {level}")
    is_power, exact = rational.startswith("2^-"), fraction(rational)
    require(0 < exact < (PI_SQUARED_BY_6 if star else 1), f"not a level in (0, 1): {level}")
    if is_power:
        value = int(rational[3:]) * math.log(2)
    else:
        value = math.log(exact.denominator) - math.log(exact.numerator)
    value += BASEL if star else 0.0
    return value


class Run:
    """A run of a case, and what it has played so far."""

    def __init__(self, handed: dict[str, Any]) -> None:
        """Read a case; raises ValueError for conventions or a gap that must be refused."""
        self.given = dict(handed["parameters"])
        choices = self.given.pop("conventions")
        require(set(choices) == set(CONVENTIONS), f"conventions {sorted(choices)}")
        for name, value in choices.items():
            require(value in CONVENTIONS[name], f"{name} {value}")
        self.by = {name: CONVENTIONS[name][value] for name, value in choices.items()}
        gap = fraction(self.given["g"]) if "g" in self.given else None
        require(gap is None or 0 < gap <= Fraction(1, 2), f"g = {gap}")
        self.gap = None if gap is None else float(gap)
        self.tape = {(low, high): list(outcomes) for low, high, *outcomes in handed["tape"]}
        self.horizon: int | None = handed["horizon"]
        self.known: int | None = None
        self.rounds = 0
        self.said: dict[str, Any] = {"matches": [], "self_play": [], "result": None}
        self.course = self._course(handed["algorithm"].removesuffix("_g"))

    def level(self, name: str, factor_allowed: bool = False) -> float:
        """Read a level."""
        text = str(self.given[name])
        require(factor_allowed or " * " not in text, f"{name} = {text}")
        return log_inverse(text)

    def arm(self, name: str, N: int | None = None) -> int:
        """Read an arm."""
        number: int = int(self.given[name]) - self.by["first_arm"]
        require(number >= 0 and (N is None or number < N), f"{name} = {number}")
        return number

    def left(self) -> int | None:
        """Return how many rounds are left."""
        return None if self.horizon is None else self.horizon - self.rounds

    def matches(self, asked: Sequence[tuple[int, int, float]]) -> Generator[Any, Any, list[int]]:
        """Play a round of matches, each of two arms at a level; return the winners."""
        played = yield [self._row(*one) for one in asked]
        winners: list[int] = []
        for (u, v, _), (length, first) in zip(asked, played, strict=True):
            winner = None if first is None else u if first else v
            left = self.left()
            if left is not None and length >= left and (winner is None or length > left):
                length, winner = left, None
            first_arm = self.by["first_arm"]
            pair = [u + first_arm, v + first_arm]
            if length:
                won_by = None if winner is None else winner + first_arm
                self.said["matches"].append([*pair, length, won_by])
            self.rounds += length
            if winner is None:
                if self.left() != 0:
                    self.said["wanted"] = pair
                raise Over
            winners.append(winner)
        return winners

    def _row(self, u: int, v: int, log_inverse: float) -> Row:
        low, high = sorted((u + self.by["first_arm"], v + self.by["first_arm"]))
        tapes = self.tape.get((low, high), [])
        digits = tapes.pop(0) if tapes else ""
        return Row(log_inverse, self.gap, _unpack(digits, u < v))

    def self_play(self, arm: int, rounds: int) -> None:
        """Play an arm against itself, up to the horizon."""
        left = self.left()
        rounds = rounds if left is None else min(rounds, left)
        if rounds > 0:
            self.said["self_play"].append([arm + self.by["first_arm"], rounds])
            self.rounds += rounds
        if self.left() == 0 and self.horizon != self.known:
            raise Over

    def knockout(self, arms: Sequence[int], level: float) -> Rows:
        """Play BKT: each round's matches are independent and asked for together."""
        alive = list(arms)
        for r in count(1):
            if len(alive) == 1:
                break
            paired, bye = self.by["bye"](alive) if len(alive) % 2 else (alive, [])
            sides = self.by["pairing"](paired, len(paired) // 2)
            pairs = [self.by["arguments"](pair) for pair in zip(*sides, strict=True)]
            at = level + BASEL + 2 * math.log(r)
            winners = yield from self.matches([(u, v, at) for u, v in pairs])
            alive = self.by["bye_place"](winners, bye)
        return alive[0]

    def ascent(self, N: int, start: int, level: float) -> Rows:
        """Play TreeAscent (the appendix's version, of which the main text's is a special case)."""
        M = 1 << (N - 1).bit_length()
        on = {self.by["byes"](arm, N, M): arm for arm in range(N)}
        (leaf,) = (leaf for leaf, arm in on.items() if arm == start)
        L = M.bit_length() - 1
        champion = start
        for h in range(1, L + 1):
            size = 1 << (h - 1)
            first = ((leaf >> (h - 1)) ^ 1) << (h - 1)
            block = [on[leaf] for leaf in range(first, first + size) if leaf in on]
            if not block:
                continue
            share = size / (M - 1)
            beta = level + math.log(2) - math.log(share)
            representative = yield from self.knockout(block, beta)
            eta = level + math.log(2 * L)
            (champion,) = yield from self.matches([(champion, representative, eta)])
        return champion

    def epoch(self, N: int, c: int, rho: float, kappa: float) -> Rows:
        """Play ScreenAndReplace; the screening matches are independent."""
        others = self.by["screening"]([arm for arm in range(N) if arm != c])
        winners = yield from self.matches([(c, arm, rho) for arm in others])
        beaters = [arm for arm, winner in zip(others, winners, strict=True) if winner == arm]
        if not beaters:
            return c
        return (yield from self.knockout(self.by["candidates"](c, beaters), kappa))

    def _course(self, algorithm: str) -> Iterator[list[Row]]:
        """Play the run; nothing is asked in the end."""
        with suppress(Over):
            arm = yield from self._answer(algorithm)
            self.said["result"] = arm + self.by["first_arm"]
        yield []

    def _answer(self, algorithm: str) -> Rows:
        """Play an algorithm; raises ValueError at once for an input that must be refused."""
        if algorithm in ("duel_test", "budgeted_duel_test"):
            u, v = self.arm("u"), self.arm("v")
            require(u != v, "u = v")
            level = self.level("delta", factor_allowed=True)
            (winner,) = yield from self.matches([(u, v, level)])
            return winner
        if algorithm == "bkt":
            S = [number - self.by["first_arm"] for number in self.given["S"]]
            require(len(S) > 0 and len(set(S)) == len(S) and min(S) >= 0, f"S = {S}")
            return (yield from self.knockout(S, self.level("delta")))
        N = int(self.given["N"])
        require(N >= 2, f"N = {N}")
        if algorithm == "screen_and_replace":
            rho, kappa = self.level("rho", factor_allowed=True), self.level("kappa")
            return (yield from self.epoch(N, self.arm("c", N), rho, kappa))
        if algorithm.startswith("tree_ascent"):
            require(algorithm == "tree_ascent" or N & (N - 1) == 0, f"N = {N} is no power of two")
            return (yield from self.ascent(N, self.arm("b", N), self.level("epsilon")))
        c = start = self.arm("b_0", N)
        if algorithm == "tg_ite_bai":
            return (yield from self.ascent(N, start, self.level("delta")))
        if algorithm == "tg_ite_strong_known_horizon":
            H = int(self.given["H"])
            require(H >= 1, f"H = {H}")
            self.known, self.horizon = H, H if self.horizon is None else min(H, self.horizon)
            found = yield from self.ascent(N, start, math.log(H + 1))
            self.self_play(found, H - self.rounds)
            return found
        if algorithm == "tg_ite_weak":
            warm_start = self.level("warm_start") if "warm_start" in self.given else math.log(4)
            c = yield from self.ascent(N, start, warm_start)
            for s in count(1):
                at = (s + 2) * math.log(4)
                c = yield from self.epoch(N, c, at, at)
        for s in count(1):
            c = yield from self.ascent(N, c, 2**s * math.log(2))
            self.self_play(c, int(2 ** (2**s)))
        raise AssertionError


# Playing many matches at once.


def _unpack(digits: str, first_is_low: bool) -> npt.NDArray[np.uint8]:
    bits = np.unpackbits(np.frombuffer(bytes.fromhex(digits + "0" * (len(digits) % 2)), np.uint8))
    bits = bits[: 4 * len(digits)]
    return bits if first_is_low else 1 - bits


def play_matches(rows: Sequence[Row]) -> list[tuple[int, bool | None]]:
    """Play matches: for each its length, and whether its first argument won (None: unfinished)."""
    results: list[tuple[int, bool | None]] = [(0, None)] * len(rows)
    order = sorted(range(len(rows)), key=lambda row: len(rows[row].outcomes))
    while order:
        # Those of nearly the same length go together.
        longest = max(1, len(rows[order[-1]].outcomes))
        together = [order.pop()]
        while (
            order
            and 2 * len(rows[order[-1]].outcomes) >= longest
            and (len(together) + 1) * longest <= LONGEST_TOGETHER
        ):
            together.append(order.pop())
        played = _play_block([rows[row] for row in together], longest)
        for row, result in zip(together, played, strict=True):
            results[row] = result
    return results


def _play_block(rows: Sequence[Row], longest: int) -> Iterator[tuple[int, bool | None]]:
    outcomes = np.zeros((len(rows), longest), np.int64)
    lengths = np.array([len(row.outcomes) for row in rows])
    for at, row in enumerate(rows):
        outcomes[at, : len(row.outcomes)] = row.outcomes
    n = np.arange(1.0, longest + 1)[None, :]
    S = np.cumsum(outcomes, axis=1).astype(float)
    levels = np.array([row.log_inverse for row in rows])[:, None]
    gaps = np.array([max(row.gap or 0.0, 1e-150) for row in rows])  # squares above 0
    budgeted = np.array([row.gap is not None for row in rows])
    mean = S / n
    plain = np.sqrt((np.log(2 * n * (n + 1)) + levels) / (2 * n))
    with_gap = np.sqrt((np.log(8 * n**2) + levels) / (2 * n)) - gaps[:, None]
    stops = np.abs(mean - 0.5) > np.where(budgeted[:, None], with_gap, plain)
    budgets = np.full(len(rows), np.inf)
    budgets[budgeted] = np.ceil((math.log(4) + levels[budgeted, 0]) / (2 * gaps[budgeted] ** 2))
    stops |= n == budgets[:, None]
    stops &= np.arange(1, longest + 1)[None, :] <= lengths[:, None]
    for at in range(len(rows)):
        if not stops[at].any():
            yield int(lengths[at]), None
            continue
        last = int(np.argmax(stops[at]))
        wins = 2 * int(S[at, last]) - (last + 1)
        yield last + 1, wins >= 0


def play(handed: Sequence[dict[str, object]]) -> list[dict[str, object]]:
    """Play cases side by side, as the conformance kit hands them out."""
    replies: list[dict[str, object]] = [{} for _ in handed]
    waiting: list[tuple[Any, list[Row]]] = []
    for at, one in enumerate(handed):
        try:
            run = Run(one)
            replies[at] = run.said
            waiting.append((run.course, next(run.course)))
        except (ValueError, ZeroDivisionError) as error:
            replies[at] = {"refusal": str(error)}
    while waiting:
        played = iter(play_matches([row for _, rows in waiting for row in rows]))
        told = [(course, [next(played) for _ in rows]) for course, rows in waiting if rows]
        waiting = [(course, course.send(results)) for course, results in told]
    return replies


play.plays_whole_tapes = True  # type: ignore[attr-defined]
play.most_arms = 4096  # type: ignore[attr-defined]
