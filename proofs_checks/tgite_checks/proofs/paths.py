"""The tie between the machine-checked proofs and the Python code: both follow the same paths.

A path is an algorithm, drawn at random with its arms, conventions, levels and the outcomes of what
it asks. The prover's kernel follows it through the very definitions that the theorems are about
(``Paths.v``), Python through the functions of :class:`Implementation`; what both ask must be equal,
question by question: pairs, exact levels, blocks of self-play, the answer, and the incumbents.

Two kinds: over whole matches, for any test and up to a thousand arms and more; and duel by duel, as
the program extracted from the proofs does, through the paper's stopping rules, with budgets
that are odd and even, and through the tests beyond the paper. Why what is followed speaks for the
theorems is proved in ``Trees.v``, ``Paths.v`` (``play_...``) and ``Executed.v`` (``start_does``).

Run as ``python -m tgite_checks.proofs.paths [paths [most_arms [seed]]]``.
"""

from __future__ import annotations

import random
import re
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import cast

from tgite.confidence import Confidence
from tgite.conventions import (
    Arguments,
    Byes,
    Candidates,
    Conventions,
    End,
    Order,
    Pairing,
)
from tgite.questions import (
    A,
    Arm,
    Duel,
    Incumbent,
    Match,
    Outcome,
    PairwiseTest,
    Q,
    SelfPlay,
    Stream,
)
from tgite.questions import match as whole_match
from tgite.schedules import WEAK_WARM_START
from tgite_checks.implementation import REFERENCE, Implementation
from tgite_checks.pairwise import ChosenTest, PairwiseName
from tgite_checks.proofs.extract import ProverMissing, query, require_prover
from tgite_checks.proofs.gate import ProofsFailed

ALGORITHMS = (
    "bkt",
    "bai",
    "main_text",
    "screen_and_replace",
    "weak",
    "known_horizon",
    "anytime",
)
"""What is followed: ``bai`` is a pass of TreeAscent, ``main_text`` one of the main text's."""

_PREAMBLE = """From Coq Require Import List ZArith QArith Bool.
Import ListNotations.
From TGITE Require Import Setting Algorithms Trees Executed Paths.
Set Printing Width 1000000.
Set Printing Depth 1000000.
Local Open Scope nat_scope.
"""
_LIST = re.compile(r"^\s*= \[(?P<items>[^\]]*)\]", re.MULTILINE)
_NUMBER = re.compile(r"-?\d+")
_NEW_LEVEL, _WON, _DUELED, _RESTED, _ANSWERED, _EXPIRED, _CUT = range(-1, -8, -1)
_UNANNOUNCED = -8  # in Python alone: self-play or an answer that was not announced

Asked = Duel | Match | SelfPlay | Incumbent
Told = bool | int | None


@dataclass(frozen=True, slots=True)
class Followed:
    """A path to follow: ``N`` arms, from ``start``.

    ``level`` is the tournament's, the pass's, the screening's, or the warm start's;
    ``replacement`` is the level of a replacement tournament. ``parts`` are the epochs or phases.
    ``replies`` are the outcomes, ``True`` for the first arm. The path goes duel by duel through
    ``test``, and over whole matches where there is none. ``rounds`` bounds the rounds, and is the
    known horizon; a match counts as one.
    """

    algorithm: str
    N: int
    start: Arm
    conventions: Conventions
    level: Confidence
    replacement: Confidence
    parts: int
    rounds: int
    replies: tuple[bool, ...]
    test: ChosenTest | None = None

    def __str__(self) -> str:
        """Write the path as it is reported."""
        test = self.test or "whole matches"
        return f"{self.algorithm} of {self.N} arms from {self.start} by {test}, {self.conventions}"


def drawn(source: random.Random, most_arms: int, tests: Sequence[PairwiseName] = ()) -> Followed:
    """Draw a path: of at most so many arms, their number as likely small as large.

    It goes duel by duel through one of the tests, over whole matches if there are none.
    """
    algorithm = source.choice(ALGORITHMS)
    N = min(most_arms, int(2 ** source.uniform(1, most_arms.bit_length())))
    if algorithm == "main_text":
        N = 1 << (N.bit_length() - 1)
    conventions = Conventions(
        pairing=source.choice(list(Pairing)),
        bye=source.choice(list(End)),
        bye_place=source.choice(list(End)),
        arguments=source.choice(list(Arguments)),
        candidates=source.choice(list(Candidates)),
        screening=source.choice(list(Order)),
        # Spreading the byes is slow in the kernel's unary numbers.
        byes=source.choice(list(Byes) if N <= 100 else [Byes.LAST, Byes.FIRST]),
    )
    most_parts = (11 if algorithm == "anytime" else 27) if N <= 4 else 3 if N <= 100 else 1
    parts = source.randint(algorithm == "anytime", most_parts)
    if tests:
        gap = Fraction(source.randint(60, 100), 200)
        name = source.choice(tests)
        if not name.of_the_paper:
            gap = min(gap, Fraction(99, 200))
        test = ChosenTest(name, gap if name.is_told_a_gap else None)
        replies = source.randint(1, 600)
    else:
        test = None
        replies = source.randint(1, 4 * (parts + 1) * N)
    bias = source.choice([source.random(), 0.5])
    endless = {"known_horizon": N, "anytime": 2**2 ** (min(parts, 11) + 1)}.get(algorithm, 10**6)
    return Followed(
        algorithm=algorithm,
        N=N,
        start=source.randrange(N),
        conventions=conventions,
        level=source.choice([_level(source), WEAK_WARM_START]),
        replacement=_level(source),
        parts=parts,
        # A pass over matches is of N - 1, so that a horizon may end with it.
        rounds=source.choice([source.randint(1, 2 * replies), N - 1, endless]),
        replies=tuple(source.random() < bias for _ in range(replies)),
        test=test,
    )


def _level(source: random.Random) -> Confidence:
    if source.random() < 0.2:
        return Confidence(Fraction(1, 2 ** source.randint(1, 300)))
    below = source.randint(2, 10 ** source.randint(1, 9))
    return Confidence(Fraction(source.randint(1, below - 1), below))


def python_path(path: Followed, code: Implementation = REFERENCE) -> list[int]:
    """Follow a path through the Python functions; write it as ``Paths.v`` does."""
    return _Python(path, code).numbers()


class _Python:
    """The Python function's run along one path, written as numbers."""

    def __init__(self, path: Followed, code: Implementation) -> None:
        self.path = path
        self.written: list[int] = []
        self.level: Confidence | None = None
        self.incumbents: list[Arm] = []
        # The executed program goes on for as long as there are replies.
        self.parts = None if path.test else path.parts
        if path.test:
            plain = path.test.of(path.test.placed_in(code))
            self.stream = _stream(path, code, self._announcing(plain))
        else:
            self.stream = _stream(path, code, whole_match)

    def numbers(self) -> list[int]:
        path, replies = self.path, iter(self.path.replies)
        left = path.rounds if not path.test else None
        rested = 0
        told: Told = None
        try:
            while True:
                question = self.stream.send(told)
                told = None
                match question:
                    case Duel(first, second) | Match(first, second):
                        won = next(replies, None)
                        if won is None or left == 0:
                            return self._ended(_CUT)
                        left = left and left - 1
                        if isinstance(question, Match):
                            self._at(question.delta)
                            self.written.append(4096 * first + second)
                            told = first if won else second
                        else:
                            self._dueled(first, second)
                            told = won
                    case SelfPlay(arm, rounds):
                        # A known horizon is the policy's own to keep.
                        known = path.algorithm == "known_horizon"
                        played = rounds if known or left is None else min(rounds, left)
                        left = left and left - played
                        if played:
                            self.written += [_RESTED, arm, played]
                        rested += 1
                        if self.incumbents[-1:] != [arm]:
                            self.written.append(_UNANNOUNCED)
                        if path.algorithm == "anytime" and rested == self.parts:
                            return self._ended(_ANSWERED, arm)
                    case Incumbent(arm):
                        self.incumbents.append(arm)
                        if path.algorithm == "weak" and len(self.incumbents) - 1 == self.parts:
                            return self._ended(_ANSWERED, arm)
        except StopIteration as stop:
            answer = cast(Arm | None, stop.value)
            if answer is None:
                return self._ended(_EXPIRED if path.test else _CUT)
            if path.algorithm == "known_horizon" and self.incumbents != [answer]:
                self.written.append(_UNANNOUNCED)
            return self._ended(_ANSWERED, answer)
        finally:
            self.stream.close()

    def _ended(self, *end: int) -> list[int]:
        """Add the end, and for the weak policy over matches the earlier incumbents."""
        path, announced = self.path, self.incumbents
        before: list[int] = []
        if path.algorithm == "weak" and not path.test:
            for k in range(path.parts):
                before += [_ANSWERED, announced[k]] if k < len(announced) else [_CUT]
        return [*self.written, *end, *before]

    def _at(self, level: Confidence) -> None:
        if level != self.level:
            rational = level.rational
            self.written += [_NEW_LEVEL, rational.numerator, rational.denominator, level.basel]
            self.level = level

    def _dueled(self, first: Arm, second: Arm) -> None:
        pair = 4096 * first + second
        if self.written[-3:-1] == [_DUELED, pair]:
            self.written[-1] += 1
        else:
            self.written += [_DUELED, pair, 1]

    def _announcing(self, plain: PairwiseTest[Duel, Outcome]) -> PairwiseTest[Duel, Outcome]:
        """Return the test, the end of its matches being written, too."""

        def test(u: Arm, v: Arm, delta: Confidence) -> Stream[Duel, Outcome, Arm]:
            winner = yield from plain(u, v, delta)
            self._at(delta)
            self.written += [_WON, winner]
            return winner

        return test


def _stream(
    path: Followed, code: Implementation, test: PairwiseTest[Q, A]
) -> Stream[Asked, Told, Arm | None]:
    """Make the stream; what its questions are told, the run knows."""
    conventions, N = path.conventions, path.N
    tree = code.BalancedTree.over(N, conventions)
    made: object
    match path.algorithm:
        case "bkt":
            made = code.bkt(range(N), path.level, test, conventions)
        case "bai":
            made = code.tg_ite_bai(path.start, tree, path.level, test, conventions)
        case "main_text":
            made = code.tree_ascent_power_of_two(path.start, tree, path.level, test, conventions)
        case "screen_and_replace":
            made = code.screen_and_replace(
                path.start, path.level, path.replacement, N, test, conventions
            )
        case "weak":
            if path.level == WEAK_WARM_START:
                made = code.tg_ite_weak(path.start, tree, test, conventions)
            else:
                made = code.tg_ite_weak(path.start, tree, test, conventions, warm_start=path.level)
        case "known_horizon":
            made = code.tg_ite_strong_known_horizon(
                path.start, tree, path.rounds, test, conventions
            )
        case _:
            made = code.tg_ite_strong_anytime(path.start, tree, test, conventions)
    return cast(Stream[Asked, Told, Arm | None], made)


def kernel_paths(paths: Sequence[Followed]) -> list[list[int]]:
    """Have the prover's kernel follow the paths through its own definitions."""
    asked = [f"Eval vm_compute in {_request(path)}." for path in paths]
    printed = query(_PREAMBLE + "\n".join(asked) + "\n")
    assert printed is not None
    found = [
        [int(number) for number in _NUMBER.findall(one["items"])]
        for one in _LIST.finditer(printed.replace("%Z", ""))
    ]
    if len(found) != len(paths):
        raise ProofsFailed(f"{len(paths)} paths were asked for, {len(found)} can be read")
    return found


def differences(paths: Sequence[Followed], code: Implementation = REFERENCE) -> list[str]:
    """Return one line for each path that the kernel and the Python functions follow differently."""
    return [
        difference
        for path, expected in zip(paths, kernel_paths(paths), strict=True)
        if (difference := difference_from(path, expected, code)) is not None
    ]


def difference_from(path: Followed, expected: Sequence[int], code: Implementation) -> str | None:
    """Say where the Python functions leave the path that the kernel has followed, if they do."""
    found = python_path(path, code)
    if found == list(expected):
        return None
    place = next(
        (k for k, (a, b) in enumerate(zip(found, expected, strict=False)) if a != b),
        min(len(found), len(expected)),
    )
    return (
        f"{path}: at {place} {found[place : place + 4]} in Python, "
        f"{list(expected[place : place + 4])} in the proofs"
    )


def _request(path: Followed) -> str:
    replies = f"(replies {_binary(path.replies)})"
    if path.test:
        test = f"{path.test.name.replace('-', '_').capitalize()}_test"
        if path.test.g is not None:
            test = f"({test} {_rational(path.test.g)}%Q)"
        fuel = len(path.replies) + 1
        followed = f"follow_request {_choices(path)} {test} {fuel} ({_executed(path)}) {replies}"
        return f"written ({followed}) None"
    rounds = f"{path.rounds:#x}%N"
    if path.algorithm != "weak":
        return f"written (follow ({_generic(path, path.parts)}) {replies} {rounds}) None"
    # The incumbents are the answers after so many epochs.
    return (
        f"let ends := fun k => follow ({_generic(path, 'k')}) {replies} {rounds} in "
        f"written (ends {path.parts}) None ++ "
        f"written (map (fun k => last (ends k) Cut) (seq 0 {path.parts})) None"
    )


def _generic(path: Followed, parts: int | str) -> str:
    """Write an algorithm over whole matches."""
    N, b, level = path.N, path.start, _level_text(path.level)
    tree = f"(cv := chosen {_choices(path)} {N} (height {N})) ask {N}"
    match path.algorithm:
        case "bkt":
            return f"BKT (cv := chosen {_choices(path)} 0 0) ask (seq 0 {N}) {level}"
        case "bai":
            return f"TG_ITE_BAI {tree} (height {N}) {b} {level}"
        case "main_text":
            return f"TreeAscent_main {tree} (height {N}) {b} {level}"
        case "screen_and_replace":
            return f"ScreenReplace {tree} {b} {level} {_level_text(path.replacement)}"
        case "weak":
            return f"TG_ITE_Weak {tree} (height {N}) {level} {parts} {b}"
        case "known_horizon":
            return f"TG_ITE_Strong_KnownHorizon {tree} (height {N}) (N.to_nat {path.rounds:#x}) {b}"
        case _:
            return f"TG_ITE_Strong_Anytime {tree} (height {N}) {parts} {b}"


def _executed(path: Followed) -> str:
    """Write a request of the executed program."""
    N, b, level = path.N, path.start, _level_text(path.level)
    match path.algorithm:
        case "bkt":
            return f"Tournament (map Z.of_nat (seq 0 {N})) {level}"
        case "bai" | "main_text":
            main_text = _bool(path.algorithm == "main_text")
            return f"Pass {main_text} {N}%Z {b}%Z {level}"
        case "screen_and_replace":
            return f"Epoch {N}%Z {b}%Z {level} {_level_text(path.replacement)}"
        case "weak":
            return f"WeakPolicy {N}%Z {b}%Z {level}"
        case "known_horizon":
            return f"KnownHorizon {N}%Z {b}%Z {path.rounds}%Z"
        case _:
            return f"Anytime {N}%Z {b}%Z"


def _choices(path: Followed) -> str:
    chosen = path.conventions
    places = {Byes.LAST: "ByesLast", Byes.FIRST: "ByesFirst", Byes.SPREAD: "Spread"}
    candidates = {
        Candidates.INCUMBENT_FIRST: "IncumbentFirst",
        Candidates.INCUMBENT_LAST: "IncumbentLast",
        Candidates.ASCENDING: "Ascending",
    }
    fields = {
        "pairs_are": chosen.pairing.name.capitalize(),
        "bye_is_first": _bool(chosen.bye is End.FIRST),
        "bye_stands_first": _bool(chosen.bye_place is End.FIRST),
        "later_first": _bool(chosen.arguments is Arguments.LATER_FIRST),
        "candidates_are": candidates[chosen.candidates],
        "screening_descends": _bool(chosen.screening is Order.DESCENDING),
        "byes_are": places[chosen.byes],
    }
    return "{| " + "; ".join(f"{name} := {value}" for name, value in fields.items()) + " |}"


def _bool(value: bool) -> str:
    return "true" if value else "false"


def _rational(value: Fraction) -> str:
    return f"(Qmake {value.numerator} {value.denominator})"


def _level_text(level: Confidence) -> str:
    return f"(level {level.rational.numerator}%Z {level.rational.denominator}%positive)"


def _binary(outcomes: Sequence[bool]) -> str:
    """Write outcomes as a number: the first is the last binary digit, before all stands a 1."""
    return hex((1 << len(outcomes)) + sum(won << k for k, won in enumerate(outcomes))) + "%positive"


def main(arguments: Sequence[str]) -> int:
    """Follow random paths; the arguments are how many, the most arms, and the seed.

    A third of the paths go duel by duel, with at most 12 arms. Returns 0 if all are equal, 1 if
    not, 2 if it cannot be done here.
    """
    given = [int(argument) for argument in arguments]
    count, most_arms, seed = (*given, *(150, 128, 0)[len(given) :])
    source = random.Random(seed)
    paths = [
        drawn(source, most_arms) if k % 3 else drawn(source, 12, tuple(PairwiseName))
        for k in range(count)
    ]
    began = time.perf_counter()
    try:
        require_prover()
        found = differences(paths)
    except (ProverMissing, ProofsFailed) as stopped:
        print(stopped, file=sys.stderr)
        return 2 if isinstance(stopped, ProverMissing) else 1
    seconds = time.perf_counter() - began
    print("\n".join(found) or f"{count} paths are the same in the kernel and in Python")
    print(f"{seconds:.0f} s; the most arms: {max(path.N for path in paths)}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
