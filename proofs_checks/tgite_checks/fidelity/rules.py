"""The paper's rules: which match is due, between which arms, at which level, and what follows.

Checks compare an implementation with these rules, which share no code with the algorithms of
``tgite``. Brackets are seats, the tree is cut from the root down, and levels are written as
fractions. The rules of an algorithm are a generator. It yields what is due (a match, an
announcement, a block of self-play), receives the winner and the loser of a match, and returns the
algorithm's result.

The text leaves open who meets whom in a round, who gets the bye, and in which order a pair is
given. Without conventions a match is due between any two arms that the text allows. Under given
conventions the two arms and their order are determined, and the text must allow them.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence, Set
from dataclasses import dataclass
from fractions import Fraction
from typing import Never, TypeAlias, TypeVar, assert_never

from tgite.confidence import Confidence
from tgite.conventions import RULINGS, Arguments, Byes, Candidates, Conventions, End, Order, Pairing
from tgite.questions import A, Arm, Incumbent, Match, PairwiseTest, Q, SelfPlay, Stream
from tgite_laws.match_paths import Asked, Path, written

_R = TypeVar("_R")
_X = TypeVar("_X")
_Y = TypeVar("_Y")


@dataclass(frozen=True, slots=True)
class Due:
    """A match that is due, between two of the arms ``among``, at ``level``.

    ``first`` is the arm that the text names first, if any; ``pair`` is the two arms in order, if
    they are determined. ``place`` names the step of the algorithm: ``s1`` (epoch, phase or stage 1;
    ``s0`` is the weak policy's warm start), ``h3`` (level 3 of the tree), ``merge``, ``screen``,
    ``replace``, ``certify``, ``expose``, ``r2`` (round 2 of a tournament).
    """

    among: Set[Arm]
    level: Confidence
    place: str
    first: Arm | None = None
    pair: tuple[Arm, Arm] | None = None

    def wrong(self, question: Match) -> str:
        """Return which rule ``question`` breaks while this match is due, or nothing."""
        arms = {question.first, question.second}
        if question.delta != self.level:
            return f"{written(question)} is not at {self.level}"
        if not arms <= self.among:
            return f"{written(question)} is not among {set(self.among)}"
        if self.first is not None and question.first != self.first:
            return f"{written(question)} does not name {self.first} first"
        if self.pair is not None and (question.first, question.second) != self.pair:
            return f"{written(question)} must be between {self.pair}, in this order"
        return ""


Step: TypeAlias = Due | Incumbent | SelfPlay
"""What is due."""

Rules: TypeAlias = Generator[Step, tuple[Arm, Arm], _R]
"""The rules of an algorithm: they yield what is due and receive each match's winner and loser."""


def _paired(seats: Sequence[Arm], conventions: Conventions | None) -> list[tuple[Arm, Arm] | None]:
    """Return the pairs of a round; without conventions, only how many there are."""
    matches = len(seats) // 2
    if conventions is None:
        return [None] * matches
    match conventions.bye:  # With an odd number of seats one stays out.
        case End.FIRST:
            playing = seats[-2 * matches :]
        case End.LAST:
            playing = seats[: 2 * matches]
        case _:
            assert_never(conventions.bye)
    pairs: list[tuple[Arm, Arm] | None] = []
    for k in range(matches):
        match conventions.pairing:
            case Pairing.CONSECUTIVE:
                low, high = 2 * k, 2 * k + 1
            case Pairing.FOLD:
                low, high = k, 2 * matches - 1 - k
            case Pairing.HALVES:
                low, high = k, matches + k
            case _:
                assert_never(conventions.pairing)
        match conventions.arguments:
            case Arguments.EARLIER_FIRST:
                pairs.append((playing[low], playing[high]))
            case Arguments.LATER_FIRST:
                pairs.append((playing[high], playing[low]))
            case _:
                assert_never(conventions.arguments)
    return pairs


def knockout(
    arms: Sequence[Arm], delta: Fraction, conventions: Conventions | None = None, place: str = ""
) -> Rules[Arm]:
    """BKT: in each round all arms meet in disjoint pairs, except one if their number is odd."""
    seats, r = list(arms), 1
    while len(seats) > 1:
        level, where = Confidence(delta / r**2, basel=True), f"{place} r{r}".lstrip()
        waiting, winners = dict.fromkeys(seats), list[Arm]()
        for pair in _paired(seats, conventions):
            winner, loser = yield Due(waiting.keys(), level, where, pair=pair)
            del waiting[winner], waiting[loser]
            winners.append(winner)
        match (conventions or RULINGS).bye_place:
            case End.FIRST:
                seats = [*waiting, *winners]
            case End.LAST:
                seats = [*winners, *waiting]
            case never:
                assert_never(never)
        r += 1
    return seats[0]


def leaves_of(N: int, conventions: Conventions = RULINGS) -> list[Arm | None]:
    """Return the leaves of the completed tree: the arms in order, ``None`` for a formal bye."""
    M = 1
    while M < N:
        M += M
    match conventions.byes:
        case Byes.LAST:
            taken = list(range(N))
        case Byes.FIRST:
            taken = list(range(M - N, M))
        case Byes.SPREAD:
            taken = [int(Fraction(arm * M, N)) for arm in range(N)]
        case _:
            assert_never(conventions.byes)
    arm_at = {leaf: arm for arm, leaf in enumerate(taken)}
    return [arm_at.get(leaf) for leaf in range(M)]


def sibling_runs(leaves: Sequence[Arm | None], b: Arm) -> list[list[Arm | None]]:
    """Return the sibling blocks of ``b``, byes included, from the smallest to the largest.

    The run of leaves that contains ``b`` is halved until ``b`` is alone; the other halves are the
    blocks.
    """
    if len(leaves) == 1:
        return []
    half = len(leaves) // 2
    left, right = list(leaves[:half]), list(leaves[half:])
    own, other = (left, right) if b in left else (right, left)
    return [*sibling_runs(own, b), other]


def arms_of(run: Sequence[Arm | None]) -> list[Arm]:
    """Return the arms of a run of leaves, without formal byes."""
    return [leaf for leaf in run if leaf is not None]


def entry_levels(leaves: Sequence[Arm | None], b: Arm) -> dict[Arm, int]:
    """Return for each arm the level whose sibling block contains it; 0 for ``b`` itself."""
    runs = enumerate(sibling_runs(leaves, b), 1)
    return {b: 0} | {arm: h for h, run in runs for arm in arms_of(run)}


def ascent(
    b: Arm,
    leaves: Sequence[Arm | None],
    epsilon: Fraction,
    conventions: Conventions | None = None,
    place: str = "",
) -> Rules[Arm]:
    """TreeAscent: each sibling block's tournament, then the champion against its survivor.

    The blocks' capacities share half of epsilon, the levels the other half. On a tree without byes
    this is also the main text's version, where sizes equal capacities.
    """
    champion = b
    blocks = sibling_runs(leaves, b)
    for h, run in enumerate(blocks, 1):
        block, where = arms_of(run), f"{place} h{h}".lstrip()
        if block:
            share = epsilon * len(run) / (2 * (len(leaves) - 1))
            challenger = yield from knockout(block, share, conventions, where)
            pair, level = (champion, challenger), Confidence(epsilon / (2 * len(blocks)))
            champion, _ = yield Due(set(pair), level, f"{where} merge", pair=pair)
    return champion


def epoch(
    c: Arm,
    rho: Confidence,
    kappa: Fraction,
    N: int,
    conventions: Conventions | None = None,
    place: str = "",
) -> Rules[Arm]:
    """ScreenAndReplace: the incumbent meets every other arm, then BKT on it and its beaters."""
    chosen = conventions or RULINGS
    order = sorted(set(range(N)) - {c})
    match chosen.screening:
        case Order.ASCENDING:
            pass
        case Order.DESCENDING:
            order.reverse()
        case _:
            assert_never(chosen.screening)
    waiting, beaters = set(order), list[Arm]()
    for challenger in order:
        pair = None if conventions is None else (c, challenger)
        winner, loser = yield Due(waiting | {c}, rho, f"{place} screen".lstrip(), c, pair)
        waiting.remove(loser if winner == c else winner)
        beaters += [winner] * (winner != c)
    if not beaters:
        return c
    match chosen.candidates:
        case Candidates.INCUMBENT_FIRST:
            candidates = [c, *beaters]
        case Candidates.INCUMBENT_LAST:
            candidates = [*beaters, c]
        case Candidates.ASCENDING:
            candidates = sorted({c, *beaters})
        case _:
            assert_never(chosen.candidates)
    return (yield from knockout(candidates, kappa, conventions, f"{place} replace".lstrip()))


def weak(
    b: Arm,
    leaves: Sequence[Arm | None],
    warm_start: Fraction,
    conventions: Conventions | None = None,
) -> Rules[Never]:
    """TG-ITE-Weak: a pass, then epochs whose two levels start at 1/64 and fall fourfold."""
    c = yield from ascent(b, leaves, warm_start, conventions, "s0")
    level, s = Fraction(1, 64), 1
    while True:
        yield Incumbent(c)
        N = len(arms_of(leaves))
        c = yield from epoch(c, Confidence(level), level, N, conventions, f"s{s}")
        level, s = level / 4, s + 1


def anytime(
    b: Arm, leaves: Sequence[Arm | None], conventions: Conventions | None = None
) -> Rules[Never]:
    """TG-ITE-Strong-Anytime: passes at 1/4, 1/16, ..., and 4, 16, ... self-play rounds."""
    c, block, s = b, 4, 1
    while True:
        c = yield from ascent(c, leaves, Fraction(1, block), conventions, f"s{s}")
        yield Incumbent(c)
        yield SelfPlay(c, block)
        block, s = block * block, s + 1


def horizon_level(H: int) -> Fraction:
    """Return the level of TG-ITE-Strong-KnownHorizon's pass."""
    return Fraction(1, 1 + H)


def known_horizon(
    identification: Generator[_X, _Y, Arm], H: int, rounds_of: Callable[[_X, _Y], int]
) -> Generator[_X | Incumbent | SelfPlay, _Y, Arm | None]:
    """TG-ITE-Strong-KnownHorizon: a pass while rounds are left, then self-play of its answer.

    ``rounds_of`` returns how many rounds a step of the pass takes, given the reply.
    """
    left = H
    try:
        step = next(identification)
        while left > 0:
            reply = yield step
            left -= rounds_of(step, reply)
            step = identification.send(reply)
    except StopIteration as stop:
        answer: Arm = stop.value
        if left >= 0:
            yield Incumbent(answer)
            if left:
                yield SelfPlay(answer, left)
            return answer
    return None


def broken_rule(path: Path[_R], rules: Rules[_R]) -> str:
    """Return which rule a path breaks, or nothing."""
    winners = iter(path.winners)
    reply: tuple[Arm, Arm] | None = None
    for number, question in enumerate(path.asked, 1):
        try:
            due = next_due(rules, reply)
        except StopIteration as stop:
            return f"step {number} asks more where {stop.value} must be returned: {path}"
        if wrong := _wrong(question, due):
            return f"step {number}: {wrong} on the path: {path}"
        reply = None
        if isinstance(question, Match):
            winner = next(winners)
            reply = winner, question.second if winner == question.first else question.first
    if path.ended:
        try:
            return f"must go on with {next_due(rules, reply)}, at the end of: {path}"
        except StopIteration as stop:
            if stop.value != path.result:
                return f"must return {stop.value} at the end of: {path}"
    return ""


def next_due(rules: Rules[_R], reply: tuple[Arm, Arm] | None) -> Step:
    """Return what is due after the reply, or at the beginning."""
    return next(rules) if reply is None else rules.send(reply)


def _wrong(question: Asked, due: Step) -> str:
    if not isinstance(due, Due):
        return "" if question == due else f"{written(question)} where {written(due)} is due"
    if isinstance(question, Match):
        return due.wrong(question)
    return f"{written(question)} where a match among {set(due.among)} is due"


def asked(
    rules: Rules[_R], test: PairwiseTest[Q, A]
) -> Stream[Q | Incumbent | SelfPlay, A | None, _R]:
    """Ask what is due under given conventions, playing each match by a pairwise test."""
    try:
        due = next(rules)
        while True:
            if isinstance(due, Due):
                if due.pair is None:
                    raise ValueError("without conventions the pairs are not determined")
                u, v = due.pair
                winner = yield from test(u, v, due.level)
                due = rules.send((winner, v if winner == u else u))
            else:
                yield due
                due = next(rules)
    except StopIteration as stop:
        result: _R = stop.value
        return result
