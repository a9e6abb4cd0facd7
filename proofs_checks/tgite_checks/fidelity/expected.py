"""What the paper's pseudocode asks, worked out in another way than the transcription.

The streams of this module are what the checks hold an implementation against, question by
question, under this project's default conventions. They share no code with the algorithms of
``tgite``: tournaments are folded in place by strides, the tree is cut from the root down, levels
are written out as fractions, the pairwise tests compare whole numbers with boundaries from ball
arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from fractions import Fraction
from typing import Never, TypeVar, cast

from tgite.confidence import Confidence
from tgite.questions import (
    A,
    Arm,
    Duel,
    Incumbent,
    Match,
    Outcome,
    PairwiseTest,
    Q,
    Question,
    SelfPlay,
    Stream,
)
from tgite_checks.explore import Asked, MatchStream, Path, written
from tgite_checks.fidelity.boundaries import budget, budgeted_margins, margins

_Q = TypeVar("_Q", bound=Question)
_A = TypeVar("_A")
_R = TypeVar("_R")


def duel_test(u: Arm, v: Arm, delta: Confidence) -> Stream[Duel, Outcome, Arm]:
    """DuelTest: go on until one arm leads by the least margin that stops."""
    duel = Duel(u, v)
    needed = margins(delta)
    u_wins = v_wins = 0
    while True:
        if (yield duel):
            u_wins += 1
        else:
            v_wins += 1
        if abs(u_wins - v_wins) >= needed[u_wins + v_wins]:
            return u if u_wins > v_wins else v


def budgeted(g: Fraction) -> PairwiseTest[Duel, Outcome]:
    """BudgetedDuelTest at a known gap."""

    def test(u: Arm, v: Arm, delta: Confidence) -> Stream[Duel, Outcome, Arm]:
        duel = Duel(u, v)
        needed = budgeted_margins(g, delta)
        u_wins = v_wins = 0
        for played in range(1, 1 + budget(g, delta)):
            if (yield duel):
                u_wins += 1
            else:
                v_wins += 1
            if abs(u_wins - v_wins) >= needed[played]:
                break
        return v if v_wins > u_wins else u

    return test


def knockout(arms: Sequence[Arm], delta: Fraction, test: PairwiseTest[Q, A]) -> Stream[Q, A, Arm]:
    """BKT: in round r, every 2**r-th seat plays the seat 2**(r-1) places on, if there is one."""
    seats = list(arms)
    stride, r = 1, 1
    while stride < len(seats):
        level = Confidence(delta / (r * r), basel=True)
        for seat in range(0, len(seats) - stride, 2 * stride):
            seats[seat] = yield from test(seats[seat], seats[seat + stride], level)
        stride, r = 2 * stride, r + 1
    return seats[0]


def completed(N: int) -> list[Arm | None]:
    """Return the leaves of the completed tree: the arms in order, then formal byes."""
    M = 1
    while M < N:
        M += M
    return [arm if arm < N else None for arm in range(M)]


def sibling_runs(leaves: Sequence[Arm | None], b: Arm) -> list[list[Arm | None]]:
    """Return the sibling blocks of ``b``, byes included, from the smallest to the largest.

    Halve the run of leaves that holds ``b`` until it is alone; the other halves are the blocks.
    """
    if len(leaves) == 1:
        return []
    half = len(leaves) // 2
    left, right = list(leaves[:half]), list(leaves[half:])
    own, other = (left, right) if b in left else (right, left)
    return [*sibling_runs(own, b), other]


def arms_of(run: Sequence[Arm | None]) -> list[Arm]:
    """Return the arms of a run of leaves, without the formal byes."""
    return [leaf for leaf in run if leaf is not None]


def ascent(
    b: Arm, leaves: Sequence[Arm | None], epsilon: Fraction, test: PairwiseTest[Q, A]
) -> Stream[Q, A, Arm]:
    """TreeAscent of the appendix: blocks share half of epsilon by their capacity."""
    blocks = sibling_runs(leaves, b)
    champion = b
    for run in blocks:
        block = arms_of(run)
        if block:
            share = epsilon * len(run) / (2 * (len(leaves) - 1))
            challenger = yield from knockout(block, share, test)
            merge = Confidence(epsilon / (2 * len(blocks)))
            champion = yield from test(champion, challenger, merge)
    return champion


def ascent_of_main_text(
    b: Arm, leaves: Sequence[Arm | None], epsilon: Fraction, test: PairwiseTest[Q, A]
) -> Stream[Q, A, Arm]:
    """TreeAscent of the main text, without byes: blocks share half of epsilon by their size."""
    blocks = sibling_runs(leaves, b)
    champion = b
    for run in blocks:
        block = arms_of(run)
        share = epsilon / 2 * Fraction(len(block), len(arms_of(leaves)) - 1)
        challenger = yield from knockout(block, share, test)
        champion = yield from test(champion, challenger, Confidence(epsilon / 2 / len(blocks)))
    return champion


def epoch(
    c: Arm, rho: Confidence, kappa: Fraction, N: int, test: PairwiseTest[Q, A]
) -> Stream[Q, A, Arm]:
    """ScreenAndReplace: the incumbent against all others, then against those that beat it."""
    candidates = [c]
    for challenger in (*range(c), *range(c + 1, N)):
        winner = yield from test(c, challenger, rho)
        candidates += [challenger] * (winner != c)
    if len(candidates) == 1:
        return c
    survivor = yield from knockout(candidates, kappa, test)
    return survivor


def weak(
    b: Arm, leaves: Sequence[Arm | None], warm_start: Fraction, test: PairwiseTest[Q, A]
) -> Stream[Q | Incumbent, A | None, Never]:
    """TG-ITE-Weak: a pass, then epochs whose two levels start at 1/64 and fall fourfold."""
    c = yield from ascent(b, leaves, warm_start, test)
    level = Fraction(1, 64)
    while True:
        yield Incumbent(c)
        c = yield from epoch(c, Confidence(level), level, len(arms_of(leaves)), test)
        level /= 4


def known_horizon(
    b: Arm,
    leaves: Sequence[Arm | None],
    H: int,
    test: PairwiseTest[Q, A],
) -> Stream[Q | Incumbent | SelfPlay, A | None, Arm | None]:
    """TG-ITE-Strong-KnownHorizon: a pass while rounds are left, then self-play of its answer."""
    identification = ascent(b, leaves, Fraction(1, 1 + H), test)
    left = H
    asked, answer = _step(identification, None)
    while asked is not None:
        if left <= 0:
            return None
        reply = cast(A, (yield asked))
        left -= asked.rounds_taken(reply)
        asked, answer = _step(identification, reply)
    if answer is None or left < 0:
        return None
    yield Incumbent(answer)
    if left:
        yield SelfPlay(answer, left)
    return answer


def _step(stream: Stream[Q, A, Arm], reply: A | None) -> tuple[Q | None, Arm | None]:
    """Return what a stream asks next, or what it returns."""
    try:
        # None starts a generator.
        return (next(stream) if reply is None else stream.send(reply)), None
    except StopIteration as stop:
        answer: Arm = stop.value
        return None, answer


def anytime(
    b: Arm, leaves: Sequence[Arm | None], test: PairwiseTest[Q, A]
) -> Stream[Q | Incumbent | SelfPlay, A | None, Never]:
    """TG-ITE-Strong-Anytime: passes at 1/4, 1/16, 1/256, ..., and as long self-play."""
    c, block = b, 2
    while True:
        block *= block
        c = yield from ascent(c, leaves, Fraction(1, block), test)
        yield Incumbent(c)
        yield SelfPlay(c, block)


def path_difference(path: Path[_R], expected: MatchStream[_R]) -> str:
    """Say where a path departs from what ``expected`` asks under the path's replies, if it does."""
    # A stream that asks for matches alone is never told None.
    send = cast(Callable[[Arm | None], Asked], expected.send)
    winners = iter(path.winners)
    reply: Arm | None = None
    for number, question in enumerate(path.asked, 1):
        try:
            wanted = send(reply)
        except StopIteration as stop:
            return f"asks on where {stop.value} is to be returned, step {number} of: {path}"
        if question != wanted:
            return f"step {number} is to be {written(wanted)} on the path: {path}"
        reply = next(winners) if isinstance(question, Match) else None
    if path.ended:
        try:
            return f"is to ask {written(send(reply))} and not to return, at the end of: {path}"
        except StopIteration as stop:
            if stop.value != path.result:
                return f"is to return {stop.value} at the end of: {path}"
    return ""


def difference(
    stream: Generator[_Q, _A, _R],
    expected: Generator[_Q, _A, _R],
    answer: Callable[[_Q], _A],
    most_questions: int,
) -> str:
    """Say where ``stream`` first departs from ``expected`` under equal replies, if it does.

    ``answer`` is asked once for each question, which both streams ask.
    """
    with_replies = _in_step(stream, expected, answer)
    for number, (found, wanted) in zip(range(most_questions), with_replies, strict=False):
        if found != wanted:
            return f"step {number + 1}: {found}, expected {wanted}"
    stream.close()
    expected.close()
    return ""


def _in_step(
    stream: Generator[_Q, _A, _R],
    expected: Generator[_Q, _A, _R],
    answer: Callable[[_Q], _A],
) -> Iterator[tuple[_Q | tuple[str, _R], _Q | tuple[str, _R]]]:
    """Return, step by step, what the two streams ask or return."""
    found, wanted = _first(stream), _first(expected)
    while True:
        yield found, wanted
        if isinstance(wanted, tuple) or isinstance(found, tuple):
            return
        reply = answer(wanted)
        found, wanted = _next(stream, reply), _next(expected, reply)


def _first(stream: Generator[_Q, _A, _R]) -> _Q | tuple[str, _R]:
    try:
        return next(stream)
    except StopIteration as stop:
        return "returned", stop.value


def _next(stream: Generator[_Q, _A, _R], reply: _A) -> _Q | tuple[str, _R]:
    try:
        return stream.send(reply)
    except StopIteration as stop:
        return "returned", stop.value
