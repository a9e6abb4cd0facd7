"""TG-ITE in NumPy, playing many runs at once. It shares no code with the library.

Every run is a small generator that asks for whole matches, a round of them at a time. All runs'
matches are then played together: a row of outcomes each, summed up and held against the boundary
for all duels of all matches in one go.

``play`` is the right implementation; ``wrong(...)`` makes versions with a mistake.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, TypeAlias, TypedDict, assert_never, get_args, get_type_hints

import numpy as np
import numpy.typing as npt

BASEL = math.log(math.pi**2 / 6)
PI_SQUARED_BY_6 = Fraction("1.6449340668482264364724151666460251892189499")
LONGEST_TOGETHER = 1 << 22


Numbers: TypeAlias = npt.NDArray[np.floating[Any]]


@dataclass(frozen=True)
class Mistakes:
    """What a wrong version does otherwise."""

    quotient: Callable[[npt.NDArray[np.float64]], npt.NDArray[np.float64]] = lambda n: (
        2 * n * (n + 1)
    )
    single_precision: bool = False
    tie_to_second: bool = False
    bye_lost: bool = False
    uniform_beta: bool = False
    epoch_offset: int = 2
    schedule_base: int = 2


@dataclass(frozen=True)
class Match:
    """A match to be played at a level whose log(1/delta) is ``log_inverse``."""

    u: int
    v: int
    log_inverse: float


@dataclass(frozen=True)
class SelfPlay:
    """Self-play, for the rounds given or (None) for the rest of the horizon."""

    arm: int
    rounds: int


Run = Generator[list[Match] | SelfPlay, list[int], int | None]


def log_inverse(level: str) -> float:
    """Return log(1/level) of a level such as 1/10, 2^-1024 or 1/40 * 6/pi^2; refuse others."""
    rational, star, factor = level.partition(" * ")
    if star and factor != "6/pi^2":
        raise ValueError(f"not a level: {level}")
    is_power = rational.startswith("2^-")
    exact = Fraction(1, 2 ** int(rational[3:])) if is_power else Fraction(rational)
    if not 0 < exact < (PI_SQUARED_BY_6 if star else 1):
        raise ValueError(f"not a level in (0, 1): {level}")
    if is_power:
        value = int(rational[3:]) * math.log(2)
    else:
        value = math.log(exact.denominator) - math.log(exact.numerator)
    value += BASEL if star else 0.0
    return value


def require(condition: bool, what: str) -> None:
    """Refuse an input."""
    if not condition:
        raise ValueError(what)


class Choices(TypedDict):
    """The conventions, with the values that are known here."""

    pairing: Literal["consecutive", "fold", "halves"]
    bye: Literal["first", "last"]
    bye_place: Literal["first", "last"]
    arguments: Literal["earlier-first", "later-first"]
    candidates: Literal["incumbent-first", "incumbent-last", "ascending"]
    screening: Literal["ascending", "descending"]
    byes: Literal["last", "first", "spread"]
    first_arm: Literal[0, 1]


def require_known(choices: dict[str, object]) -> None:
    """Refuse a convention, or a value of one, that is not known here."""
    known = get_type_hints(Choices)
    require(set(choices) == set(known), f"conventions {sorted(choices)}")
    for name, value in choices.items():
        require(value in get_args(known[name]), f"{name} {value}")


@dataclass
class Bracket:
    """The algorithms under given conventions; arms are numbered from 0 in here."""

    choices: Choices
    mistakes: Mistakes

    def knockout(self, arms: Sequence[int], level: float) -> Generator[list[Match], list[int], int]:
        """Play BKT: each round's matches are independent and asked for together."""
        alive, r = list(arms), 1
        while len(alive) > 1:
            bye: list[int] = []
            paired = alive
            if len(alive) % 2:
                match self.choices["bye"]:
                    case "last":
                        paired, bye = alive[:-1], alive[-1:]
                    case "first":
                        paired, bye = alive[1:], alive[:1]
                    case bye_rule:
                        assert_never(bye_rule)
            half = len(paired) // 2
            match self.choices["pairing"]:
                case "consecutive":
                    lefts, rights = paired[::2], paired[1::2]
                case "fold":
                    lefts, rights = paired[:half], paired[half:][::-1]
                case "halves":
                    lefts, rights = paired[:half], paired[half:]
                case pairing:
                    assert_never(pairing)
            match self.choices["arguments"]:
                case "earlier-first":
                    pass
                case "later-first":
                    lefts, rights = rights, lefts
                case arguments:
                    assert_never(arguments)
            at = level + BASEL + 2 * math.log(r)
            winners = yield [Match(u, v, at) for u, v in zip(lefts, rights, strict=True)]
            if self.mistakes.bye_lost:
                bye = []
            match self.choices["bye_place"]:
                case "last":
                    alive = winners + bye
                case "first":
                    alive = bye + winners
                case bye_place:
                    assert_never(bye_place)
            r += 1
        return alive[0]

    def leaves(self, N: int) -> list[int | None]:
        """Place the arms on the leaves of the completed tree."""
        M = 1 << (N - 1).bit_length()
        at: list[int | None] = [None] * M
        for arm in range(N):
            match self.choices["byes"]:
                case "last":
                    at[arm] = arm
                case "first":
                    at[M - N + arm] = arm
                case "spread":
                    at[arm * M // N] = arm
                case byes:
                    assert_never(byes)
        return at

    def ascent(self, N: int, start: int, level: float) -> Generator[list[Match], list[int], int]:
        """Play TreeAscent (the appendix's version, of which the main text's is a special case)."""
        leaves = self.leaves(N)
        M, leaf = len(leaves), leaves.index(start)
        L = M.bit_length() - 1
        champion = start
        for h in range(1, L + 1):
            size = 1 << (h - 1)
            first = ((leaf >> (h - 1)) ^ 1) << (h - 1)
            block = [arm for arm in leaves[first : first + size] if arm is not None]
            if not block:
                continue
            share = 1 / L if self.mistakes.uniform_beta else size / (M - 1)
            beta = level + math.log(2) - math.log(share)
            representative = yield from self.knockout(block, beta)
            eta = level + math.log(2 * L)
            (champion,) = yield [Match(champion, representative, eta)]
        return champion

    def epoch(
        self, N: int, c: int, rho: float, kappa: float
    ) -> Generator[list[Match], list[int], int]:
        """Play ScreenAndReplace; the screening matches are independent."""
        others = [arm for arm in range(N) if arm != c]
        match self.choices["screening"]:
            case "ascending":
                pass
            case "descending":
                others.reverse()
            case screening:
                assert_never(screening)
        winners = yield [Match(c, arm, rho) for arm in others]
        beaters = [arm for arm, winner in zip(others, winners, strict=True) if winner == arm]
        if not beaters:
            return c
        match self.choices["candidates"]:
            case "incumbent-first":
                candidates = [c, *beaters]
            case "incumbent-last":
                candidates = [*beaters, c]
            case "ascending":
                candidates = sorted([c, *beaters])
            case order:
                assert_never(order)
        return (yield from self.knockout(candidates, kappa))


@dataclass
class Case:
    """A case in play: its run, and what it has played so far."""

    run: Run
    tape: dict[tuple[int, int], list[str]]
    horizon: int | None
    gap: float | None
    first_arm: int
    known: int | None = None
    matches: list[list[int | None]] = field(default_factory=list)
    self_play: list[list[int]] = field(default_factory=list)
    rounds: int = 0
    result: int | None = None
    wanted: list[int] | None = None
    over: bool = False

    def limit(self) -> int | None:
        """Return how many rounds are left."""
        return None if self.horizon is None else self.horizon - self.rounds

    def take(self, asked: Sequence[Match], played: Sequence[tuple[int, int | None]]) -> list[int]:
        """Book a round of matches in order, up to the horizon; return the winners."""
        winners: list[int] = []
        for match, (length, winner) in zip(asked, played, strict=True):
            left = self.limit()
            if left == 0:
                self.over = True
                return winners
            u, v = match.u + self.first_arm, match.v + self.first_arm
            if left is not None and length >= left and (winner is None or length > left):
                length, winner = left, None
            if length:
                self.matches.append(
                    [u, v, length, None if winner is None else winner + self.first_arm]
                )
            self.rounds += length
            if winner is None:
                if self.horizon is None or self.rounds < self.horizon:
                    self.wanted = [u, v]
                self.over = True
                return winners
            winners.append(winner)
        return winners

    def reply(self) -> dict[str, object]:
        """Return what was played."""
        said: dict[str, object] = {
            "matches": self.matches,
            "self_play": self.self_play,
            "result": self.result,
        }
        if self.wanted is not None:
            said["wanted"] = self.wanted
        return said


def make_case(handed: dict[str, object], mistakes: Mistakes) -> Case:
    """Read a case; raises ValueError for an input that must be refused.

    The conformance page says of what types its entries are; JSON does not.
    """
    parameters = dict(handed["parameters"])  # type: ignore[call-overload]
    choices = parameters.pop("conventions")
    require_known(choices)
    first_arm = choices["first_arm"]
    algorithm = str(handed["algorithm"])
    g = parameters.pop("g", None)
    gap = None if g is None else Fraction(g)
    if gap is not None:
        require(0 < gap <= Fraction(1, 2), f"g = {g}")
    tape = {(low, high): list(outcomes) for low, high, *outcomes in handed["tape"]}  # type: ignore[attr-defined]
    horizon = handed["horizon"]
    run, known = _run(
        algorithm.removesuffix("_g"), parameters, Bracket(choices, mistakes), first_arm
    )
    return Case(
        run,
        tape,
        min((one for one in (known, horizon) if isinstance(one, int)), default=None),
        None if gap is None else float(gap),
        first_arm,
        known,
    )


def _run(
    algorithm: str, given: dict[str, object], bracket: Bracket, first_arm: int
) -> tuple[Run, int | None]:
    """Make the run of an algorithm; return its own horizon too, if it has one."""
    mistakes = bracket.mistakes

    def level(name: str, factor_allowed: bool = False) -> float:
        text = str(given[name])
        require(factor_allowed or " * " not in text, f"{name} = {text}")
        return log_inverse(text)

    def arm(name: str, N: int | None = None) -> int:
        number = int(str(given[name])) - first_arm
        require(number >= 0 and (N is None or number < N), f"{name} = {number}")
        return number

    if algorithm in ("duel_test", "budgeted_duel_test"):
        u, v = arm("u"), arm("v")
        require(u != v, "u = v")
        return _single(Match(u, v, level("delta", factor_allowed=True))), None
    if algorithm == "bkt":
        S = [number - first_arm for number in given["S"]]  # type: ignore[attr-defined]
        require(len(S) > 0 and len(set(S)) == len(S) and min(S) >= 0, f"S = {S}")
        return bracket.knockout(S, level("delta")), None
    N = int(str(given["N"]))
    require(N >= 2, f"N = {N}")
    if algorithm == "screen_and_replace":
        rho, kappa = level("rho", factor_allowed=True), level("kappa")
        return bracket.epoch(N, arm("c", N), rho, kappa), None
    if algorithm == "tree_ascent_power_of_two":
        require(N & (N - 1) == 0, f"N = {N} is no power of two")
    if algorithm.startswith("tree_ascent"):
        return bracket.ascent(N, arm("b", N), level("epsilon")), None
    start = arm("b_0", N)
    warm_start = level("warm_start") if "warm_start" in given else math.log(4)
    match algorithm:
        case "tg_ite_bai":
            return bracket.ascent(N, start, level("delta")), None
        case "tg_ite_weak":
            return _weak(bracket, N, start, warm_start, mistakes.epoch_offset), None
        case "tg_ite_strong_known_horizon":
            H = int(str(given["H"]))
            require(H >= 1, f"H = {H}")
            return _known_horizon(bracket, N, start, H), H
        case _:
            return _anytime(bracket, N, start, mistakes.schedule_base), None


def _single(match: Match) -> Run:
    (winner,) = yield [match]
    return winner


def _weak(bracket: Bracket, N: int, start: int, level: float, offset: int) -> Run:
    c = yield from bracket.ascent(N, start, level)
    s = 1
    while True:
        at = (s + offset) * math.log(4)
        c = yield from bracket.epoch(N, c, at, at)
        s += 1


def _known_horizon(bracket: Bracket, N: int, start: int, H: int) -> Run:
    found = yield from bracket.ascent(N, start, math.log(H + 1))
    yield SelfPlay(found, -1)
    return found


def _anytime(bracket: Bracket, N: int, start: int, base: int) -> Run:
    c, s = start, 1
    while True:
        c = yield from bracket.ascent(N, c, 2**s * math.log(base))
        yield SelfPlay(c, int(2 ** (2**s)))
        s += 1


# Playing many matches at once.


@dataclass(frozen=True)
class _Row:
    """A match with its outcomes: 1 where its first argument wins."""

    log_inverse: float
    gap: float | None
    outcomes: npt.NDArray[np.uint8]


def _unpack(digits: str, first_is_low: bool) -> npt.NDArray[np.uint8]:
    bits = np.unpackbits(np.frombuffer(bytes.fromhex(digits + "0" * (len(digits) % 2)), np.uint8))
    bits = bits[: 4 * len(digits)]
    return bits if first_is_low else 1 - bits


def play_matches(rows: Sequence[_Row], mistakes: Mistakes) -> list[tuple[int, bool | None]]:
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
        for row, result in zip(
            together, _play_block([rows[row] for row in together], longest, mistakes), strict=True
        ):
            results[row] = result
    return results


def _play_block(
    rows: Sequence[_Row], longest: int, mistakes: Mistakes
) -> Iterable[tuple[int, bool | None]]:
    number = np.dtype(np.float32 if mistakes.single_precision else np.float64)
    outcomes = np.zeros((len(rows), longest), np.int64)
    lengths = np.array([len(row.outcomes) for row in rows])
    for at, row in enumerate(rows):
        outcomes[at, : len(row.outcomes)] = row.outcomes
    n = np.arange(1, longest + 1, dtype=number)[None, :]
    S = np.cumsum(outcomes, axis=1).astype(number)
    levels = np.array([row.log_inverse for row in rows], dtype=number)[:, None]
    gaps = np.array([row.gap or 0.0 for row in rows])
    budgeted = np.array([row.gap is not None for row in rows])
    mean = S / n
    plain = np.sqrt((np.log(mistakes.quotient(n)) + levels) / (2 * n))
    with_gap = np.sqrt((np.log(8 * n**2) + levels) / (2 * n)) - gaps.astype(number)[:, None]
    stops = np.abs(mean - number.type(0.5)) > np.where(budgeted[:, None], with_gap, plain)
    budgets = np.full(len(rows), np.inf)
    budgets[budgeted] = np.ceil(
        (math.log(4) + levels[budgeted, 0].astype(np.float64)) / (2 * gaps[budgeted] ** 2)
    )
    stops |= n == budgets[:, None]
    stops &= np.arange(1, longest + 1)[None, :] <= lengths[:, None]
    for at in range(len(rows)):
        if not stops[at].any():
            yield int(lengths[at]), None
            continue
        last = int(np.argmax(stops[at]))
        wins = 2 * int(S[at, last]) - (last + 1)
        yield last + 1, wins > 0 or (wins == 0 and not mistakes.tie_to_second)


def play_all(handed: Sequence[dict[str, object]], mistakes: Mistakes) -> list[dict[str, object]]:
    """Play cases side by side."""
    replies: list[dict[str, object]] = [{} for _ in handed]
    cases: list[tuple[int, Case]] = []
    for at, one in enumerate(handed):
        try:
            cases.append((at, make_case(one, mistakes)))
        except (ValueError, ZeroDivisionError) as error:
            replies[at] = {"refusal": str(error)}
    waiting = [(at, case, _advance(case, None)) for at, case in cases]
    while waiting:
        rows: list[_Row] = []
        for _, case, asked in waiting:
            rows += [_row(case, match) for match in asked]
        played = iter(play_matches(rows, mistakes))
        following = []
        for at, case, asked in waiting:
            results = [
                (length, None if first is None else (match.u if first else match.v))
                for match, (length, first) in zip(asked, played, strict=False)
            ]
            winners = case.take(asked, results)
            if not case.over:
                following.append((at, case, _advance(case, winners)))
        waiting = [one for one in following if one[2]]
    for at, case in cases:
        replies[at] = case.reply()
    return replies


def _row(case: Case, match: Match) -> _Row:
    low, high = sorted((match.u + case.first_arm, match.v + case.first_arm))
    tapes = case.tape.get((low, high), [])
    digits = tapes.pop(0) if tapes else ""
    return _Row(match.log_inverse, case.gap, _unpack(digits, match.u < match.v))


def _advance(case: Case, winners: list[int] | None) -> list[Match]:
    """Go on to the next round of matches; none are left when the run is over."""
    try:
        asked = next(case.run) if winners is None else case.run.send(winners)
        while isinstance(asked, SelfPlay):
            left = case.limit()
            rounds = (
                left
                if left is not None and (asked.rounds < 0 or asked.rounds > left)
                else asked.rounds
            )
            if rounds > 0:
                case.self_play.append([asked.arm + case.first_arm, rounds])
                case.rounds += rounds
            if case.limit() == 0 and case.horizon != case.known:
                case.over = True
                return []
            asked = next(case.run)
        if case.limit() == 0:
            case.over = True
            return []
        return asked
    except StopIteration as stop:
        answer: int | None = stop.value
        case.result = None if answer is None else answer + case.first_arm
        case.over = True
        return []


def wrong(mistakes: Mistakes) -> Callable[[Sequence[dict[str, object]]], list[dict[str, object]]]:
    """Make a version with mistakes."""
    return lambda handed: play_all(handed, mistakes)


def play(handed: Sequence[dict[str, object]]) -> list[dict[str, object]]:
    """Play cases, as the conformance kit hands them out."""
    return play_all(handed, Mistakes())


play.plays_whole_tapes = True  # type: ignore[attr-defined]
