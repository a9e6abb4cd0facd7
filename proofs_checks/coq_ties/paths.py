"""Compare the machine-checked definitions with the Python code along random paths.

Run as ``python -m coq_ties.paths [paths [most_arms [seed]]]``.

A path is an algorithm with random arms, conventions, levels and outcomes. The prover's kernel
follows it through the definitions that the theorems are about (``Paths.v``). Python follows it
through the functions of :class:`Implementation`. The two must agree question by question: pairs,
exact levels, blocks of self-play, the answer, and the incumbents.

There are two kinds of paths:

* Over whole matches, for any test and up to more than a thousand arms.
* Duel by duel, like the program extracted from the proofs. These paths go through the paper's
  stopping rules, with odd and even budgets, and through the tests beyond the paper. ``certify`` and
  ``find_then_certify`` are followed in this way too, except for the matches of the knockout. Each
  of these is one question, with its known gap.

``Trees.v``, ``Paths.v`` (``play_...``), ``Executed.v`` (``start_does``) and ``ExecutedStages.v``
prove that these paths are those of the theorems.
"""

from __future__ import annotations

import random
import re
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import assert_never, cast

from tgite.beyond.certificate import Assumption, Certificate, OneSided, Verdict, one_sided
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
from tgite_checks.proofs.extract import ProverMissing, query, require_prover
from tgite_checks.proofs.gate import ProofsFailed
from tgite_checks.proofs.record import COQ
from tgite_laws.implementation import REFERENCE, Implementation
from tgite_laws.pairwise import ChosenTest, PairwiseName
from tgite_laws.whole_matches import Knockout

ALGORITHMS = (
    "bkt",
    "bai",
    "main_text",
    "screen_and_replace",
    "weak",
    "known_horizon",
    "anytime",
)
"""The algorithms: ``bai`` is a pass of TreeAscent, ``main_text`` one of its main-text version."""

CERTIFYING = ("certify", "find_then_certify", "find_then_certify_winner")
"""The algorithms beyond the paper; the last one assumes that there is a winner."""

STAGES = 3
"""The most stages of find-then-certify in a path; few, because the kernel's budgets are unary."""

_PREAMBLE = """From Coq Require Import List ZArith QArith Bool.
Import ListNotations.
From TGITE Require Import Setting Algorithms Trees Executed Paths ExecutedStages.
Set Printing Width 1000000.
Set Printing Depth 1000000.
Local Open Scope nat_scope.
"""
_LIST = re.compile(r"^\s*= \[(?P<items>[^\]]*)\]", re.MULTILINE)
_NUMBER = re.compile(r"-?\d+")
_NEW_LEVEL, _WON, _DUELED, _RESTED, _ANSWERED, _EXPIRED, _CUT = range(-1, -8, -1)
_UNANNOUNCED = -8  # in Python alone: self-play or an answer that was not announced
_TRIED = -9

Asked = Duel | Match | SelfPlay | Incumbent | Knockout
Told = bool | int | None


@dataclass(frozen=True, slots=True)
class FollowedPath:
    """A path of an algorithm on ``N`` arms, from ``start``.

    - ``level``: the level of the tournament, pass, screening or warm start.
    - ``replacement``: the level of a replacement tournament.
    - ``parts``: the number of epochs or phases.
    - ``rounds``: the known horizon, and a bound on the rounds; a match counts as one round.
    - ``replies``: the outcomes, ``True`` for the first arm.
    - ``test``: the test of a path that goes duel by duel; ``None`` for whole matches.

    ``certify`` takes the champion ``start``, ``level``, ``replacement`` as its level against the
    champion, ``margin``, ``order``, and ``rounds`` as its budget. ``find_then_certify`` takes
    ``level``.
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
    margin: Fraction | None = None
    order: tuple[Arm, ...] = ()

    @property
    def certifies(self) -> bool:
        """Whether the algorithm gives certificates."""
        return self.algorithm in CERTIFYING

    def __str__(self) -> str:
        """Return the path as shown in reports."""
        test = self.test or "whole matches"
        return f"{self.algorithm} of {self.N} arms from {self.start} by {test}, {self.conventions}"


def proved_tests() -> tuple[PairwiseName, ...]:
    """Return the tests that ``Executed.v`` defines."""
    text = (COQ / "Executed.v").read_text(encoding="utf-8")
    return tuple(name for name in PairwiseName if re.search(rf"\| {_constructor(name)}\b", text))


def _constructor(name: PairwiseName) -> str:
    return f"{name.replace('-', '_').capitalize()}_test"


def random_path(
    source: random.Random, most_arms: int, tests: Sequence[PairwiseName] = ()
) -> FollowedPath:
    """Return a random path with at most ``most_arms`` arms, uniform on a logarithmic scale.

    It goes duel by duel through one of the tests, or over whole matches without tests.
    """
    algorithm = source.choice(ALGORITHMS)
    N = min(most_arms, int(2 ** source.uniform(1, most_arms.bit_length())))
    if algorithm == "main_text":
        N = 1 << (N.bit_length() - 1)
    conventions = _conventions(source, N)
    most_parts = (11 if algorithm == "anytime" else 27) if N <= 4 else 3 if N <= 100 else 1
    parts = source.randint(algorithm == "anytime", most_parts)
    if tests:
        gap = Fraction(source.randint(60, 100), 200)
        name = source.choice(tests)
        if not name.of_the_paper:
            gap = min(gap, Fraction(99, 200))
        test = ChosenTest(name, gap if name.needs_known_gap else None)
        replies = source.randint(1, 600)
    else:
        test = None
        replies = source.randint(1, 4 * (parts + 1) * N)
    bias = source.choice([source.random(), 0.5])
    endless = {"known_horizon": N, "anytime": 2**2 ** (min(parts, 11) + 1)}.get(algorithm, 10**6)
    return FollowedPath(
        algorithm=algorithm,
        N=N,
        start=source.randrange(N),
        conventions=conventions,
        level=source.choice([_level(source), WEAK_WARM_START]),
        replacement=_level(source),
        parts=parts,
        # A pass has N - 1 matches, so a horizon of N - 1 ends with it.
        rounds=source.choice([source.randint(1, 2 * replies), N - 1, endless]),
        replies=tuple(source.random() < bias for _ in range(replies)),
        test=test,
    )


def random_certifying_path(source: random.Random, most_arms: int) -> FollowedPath:
    """Return a random path of an algorithm that gives certificates, with at most that many arms."""
    algorithm = source.choice(CERTIFYING)
    N = source.randint(2, most_arms)
    margin = source.choice([None, Fraction(source.randint(1, 49), 100)])
    replies: list[bool] = []
    for _ in range(source.randint(1, 3)):
        replies += _outcomes(source)
    start = source.randrange(N)
    most = 10 ** source.choice([1, source.randint(1, 6)])
    level = Confidence(Fraction(1, source.randint(2, most)))
    return FollowedPath(
        algorithm=algorithm,
        N=N,
        start=start,
        conventions=_conventions(source, N),
        level=level,
        replacement=source.choice([_level(source), _by_default(level, N)]),
        parts=0,
        rounds=source.choice([source.randint(1, 2 * len(replies)), len(replies) + 1]),
        replies=tuple(replies),
        margin=margin if algorithm == "certify" else None,
        order=tuple(source.sample([arm for arm in range(N) if arm != start], N - 1)),
    )


def _by_default(level: Confidence, N: int) -> Confidence:
    """Return the default of certify's level against its champion."""
    return Confidence(level.rational / (N - 1))


def _outcomes(source: random.Random) -> list[bool]:
    """Return random outcomes, chosen so that matches end in all possible ways."""
    length = source.randint(1, 60)
    match source.randrange(5):
        case 0:
            bias = source.choice([0.3, 0.5, 0.7, 0.9, 1])
            return [source.random() < bias for _ in range(length)]
        case 1:
            return [True] * length + [False] * source.randint(1, 12)
        case 2 if source.random() < 0.3:  # the likelihood of stage 0 stays about constant
            return [5 * k % 7 < 5 for k in range(300)]
        case 2:  # a champion is screened, and then evidence of neither kind comes soon
            return [True] * source.randint(8, 14) + [k % 3 < 2 for k in range(300)]
        case 3:  # arms are out, champions lose and come back
            runs = [source.randint(1, 30 if k % 2 else 12) for k in range(source.randint(2, 10))]
            return [won for k, run in enumerate(runs) for won in [k % 2 == 1] * run]
        case _:  # a champion is found and screened, and its certificate is slow
            return [True] * source.randint(10, 25) + [13 * k % 19 < 13 for k in range(120)]


def _conventions(source: random.Random, N: int) -> Conventions:
    return Conventions(
        pairing=source.choice(list(Pairing)),
        bye=source.choice(list(End)),
        bye_place=source.choice(list(End)),
        arguments=source.choice(list(Arguments)),
        candidates=source.choice(list(Candidates)),
        screening=source.choice(list(Order)),
        # Spreading the byes is slow with the kernel's unary numbers.
        byes=source.choice(list(Byes) if N <= 100 else [Byes.LAST, Byes.FIRST]),
    )


def _level(source: random.Random) -> Confidence:
    if source.random() < 0.2:
        return Confidence(Fraction(1, 2 ** source.randint(1, 300)))
    below = source.randint(2, 10 ** source.randint(1, 9))
    return Confidence(Fraction(source.randint(1, below - 1), below))


def python_path(path: FollowedPath, code: Implementation = REFERENCE) -> list[int]:
    """Return a path through the Python functions, encoded as in ``Paths.v``."""
    return _Python(path, code).numbers()


class _Python:
    """The run of the Python function along one path, encoded as numbers."""

    def __init__(self, path: FollowedPath, code: Implementation) -> None:
        self.path = path
        self.written: list[int] = []
        self.level: Confidence | None = None
        self.incumbents: list[Arm] = []
        # The extracted program continues while there are replies.
        self.parts = None if path.test else path.parts
        if path.certifies:
            self.stream = _certifying(path, code)
        elif path.test:
            plain = path.test.of(path.test.placed_in(code))
            self.stream = _stream(path, code, self._announcing(plain))
        else:
            self.stream = _stream(path, code, whole_match)

    def numbers(self) -> list[int]:
        path, replies = self.path, iter(self.path.replies)
        left = None if path.test or path.certifies else path.rounds
        rested = 0
        matches = STAGES * (path.N - 1)
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
                    case Knockout(first, second, gap, level):
                        if matches == 0:
                            return self._ended(_EXPIRED)
                        won = next(replies, None)
                        if won is None:
                            return self._ended(_CUT)
                        matches -= 1
                        self.written += [_TRIED, gap.numerator, gap.denominator]
                        self._at(level)
                        self.written.append(4096 * first + second)
                        told = first if won else second
                    case SelfPlay(arm, rounds):
                        # The policy itself must keep a known horizon.
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
            answer = _answer(path, stop.value)
            if answer is None:
                return self._ended(_EXPIRED if path.test or path.certifies else _CUT)
            if path.algorithm == "known_horizon" and self.incumbents != [answer]:
                self.written.append(_UNANNOUNCED)
            return self._ended(_ANSWERED, answer)
        finally:
            self.stream.close()

    def _ended(self, *end: int) -> list[int]:
        """Return the numbers, the end and, for the weak policy over matches, the incumbents."""
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
        """Return the test, changed to record the end of each match too."""

        def test(u: Arm, v: Arm, delta: Confidence) -> Stream[Duel, Outcome, Arm]:
            winner = yield from plain(u, v, delta)
            self._at(delta)
            self.written += [_WON, winner]
            return winner

        return test


def _stream(
    path: FollowedPath, code: Implementation, test: PairwiseTest[Q, A]
) -> Stream[Asked, Told, Arm | None]:
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


def _certifying(path: FollowedPath, code: Implementation) -> Stream[Asked, Told, object]:
    """Return the stream, in which the knockout asks for matches and the certificate for duels."""

    def known_gap(g: Fraction) -> PairwiseTest[Asked, Told]:
        def test(u: Arm, v: Arm, delta: Confidence) -> Stream[Asked, Told, Arm]:
            winner = yield Knockout(u, v, g, delta)
            return cast(Arm, winner)

        return test

    made: object
    if path.algorithm == "certify":
        c, N, level, margin, budget = path.start, path.N, path.level, path.margin, path.rounds
        against = None if path.replacement == _by_default(level, N) else path.replacement
        made = code.module("beyond.certificate").certify(
            c, N, level, against, margin, budget, path.order
        )
    else:
        winner = path.algorithm == "find_then_certify_winner"
        assumes = Assumption.A_WINNER if winner else Assumption.NOTHING
        matches = cast(OneSided[Asked, Told], one_sided)
        stages = code.module("beyond.find_then_certify").stages
        made = stages(path.N, path.level, assumes, known_gap, matches, path.conventions)
    return cast(Stream[Asked, Told, object], made)


def _answer(path: FollowedPath, value: object) -> Arm | None:
    """Return the arm that a stream returned; for ``certify``, its verdict as a number."""
    if value is None or isinstance(value, int):
        return value
    certificate = cast(Certificate, value)  # or a mutant's class
    if path.algorithm != "certify":
        return certificate.champion
    return {Verdict.LOST: 0, Verdict.BUDGET: None}.get(certificate.verdict, 1)


def kernel_paths(paths: Sequence[FollowedPath]) -> list[list[int]]:
    """Return the paths through the definitions of the proofs, computed by the prover's kernel."""
    asked = [f"Eval vm_compute in {_request(path)}." for path in paths]
    printed = query(_PREAMBLE + "\n".join(asked) + "\n")
    found = [
        [int(number) for number in _NUMBER.findall(one["items"])]
        for one in _LIST.finditer(printed.replace("%Z", ""))
    ]
    if len(found) != len(paths):
        raise ProofsFailed(f"the prover printed {len(found)} paths, {len(paths)} were expected")
    return found


def differences(paths: Sequence[FollowedPath], code: Implementation = REFERENCE) -> list[str]:
    """Return one line for each path that the kernel and the Python functions follow differently."""
    return [
        difference
        for path, expected in zip(paths, kernel_paths(paths), strict=True)
        if (difference := difference_from(path, expected, code)) is not None
    ]


def difference_from(
    path: FollowedPath, expected: Sequence[int], code: Implementation
) -> str | None:
    """Return where the Python functions leave the path of the kernel, or ``None``."""
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


def _request(path: FollowedPath) -> str:
    replies = f"(replies {_binary(path.replies)})"
    if path.certifies:
        return f"written ({_certified(path)} {replies}) None"
    if path.test:
        test = _constructor(path.test.name)
        if path.test.g is not None:
            test = f"({test} {_rational(path.test.g)}%Q)"
        fuel = len(path.replies) + 1
        followed = f"follow_request {_choices(path)} {test} {fuel} ({_executed(path)}) {replies}"
        return f"written ({followed}) None"
    rounds = f"{path.rounds:#x}%N"
    if path.algorithm != "weak":
        return f"written (follow ({_generic(path, path.parts)}) {replies} {rounds}) None"
    # The incumbents are the answers after k epochs, for every k.
    return (
        f"let ends := fun k => follow ({_generic(path, 'k')}) {replies} {rounds} in "
        f"written (ends {path.parts}) None ++ "
        f"written (map (fun k => last (ends k) Cut) (seq 0 {path.parts})) None"
    )


def _generic(path: FollowedPath, parts: int | str) -> str:
    """Return the Coq term of an algorithm over whole matches."""
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


def _executed(path: FollowedPath) -> str:
    """Return the Coq term of a request to the extracted program."""
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


def _certified(path: FollowedPath) -> str:
    """Return the Coq term of an algorithm that gives certificates."""
    level = _rational(path.level.rational)
    if path.algorithm != "certify":
        winner = _bool(path.algorithm == "find_then_certify_winner")
        return f"follow_find_then_certify {_choices(path)} {winner} {path.N} {level} {STAGES}"
    margin = "None" if path.margin is None else f"(Some {_rational(path.margin)})"
    order = ";".join(map(str, path.order))
    against = _rational(path.replacement.rational)
    return f"follow_certify {margin} {level} {against} {path.start} [{order}] {path.rounds}"


def _choices(path: FollowedPath) -> str:
    chosen = path.conventions
    fields = {
        "pairs_are": chosen.pairing.name.capitalize(),
        "bye_is_first": _flag(chosen.bye),
        "bye_stands_first": _flag(chosen.bye_place),
        "later_first": _flag(chosen.arguments),
        "candidates_are": _candidates(chosen.candidates),
        "screening_descends": _flag(chosen.screening),
        "byes_are": _byes(chosen.byes),
    }
    return "{| " + "; ".join(f"{name} := {value}" for name, value in fields.items()) + " |}"


# Values of different conventions may be equal strings, so each has a function of its own.


def _flag(value: End | Arguments | Order) -> str:
    """Return the Boolean in ``Executed.v`` for a convention's value."""
    match value:
        case End.FIRST | Arguments.LATER_FIRST | Order.DESCENDING:
            return "true"
        case End.LAST | Arguments.EARLIER_FIRST | Order.ASCENDING:
            return "false"
        case _:
            assert_never(value)


def _candidates(value: Candidates) -> str:
    match value:
        case Candidates.INCUMBENT_FIRST:
            return "IncumbentFirst"
        case Candidates.INCUMBENT_LAST:
            return "IncumbentLast"
        case Candidates.ASCENDING:
            return "Ascending"
        case _:
            assert_never(value)


def _byes(value: Byes) -> str:
    match value:
        case Byes.LAST:
            return "ByesLast"
        case Byes.FIRST:
            return "ByesFirst"
        case Byes.SPREAD:
            return "Spread"
        case _:
            assert_never(value)


def _bool(value: bool) -> str:
    return "true" if value else "false"


def _rational(value: Fraction) -> str:
    return f"(Qmake {value.numerator} {value.denominator})"


def _level_text(level: Confidence) -> str:
    return f"(level {level.rational.numerator}%Z {level.rational.denominator}%positive)"


def _binary(outcomes: Sequence[bool]) -> str:
    """Return outcomes as a binary number: the first is the last digit, after a leading 1."""
    return hex((1 << len(outcomes)) + sum(won << k for k, won in enumerate(outcomes))) + "%positive"


def main(arguments: Sequence[str]) -> int:
    """Compare random paths; the arguments are their number, the most arms, and the seed.

    A third of the paths go duel by duel, with at most 12 arms. For every five paths there is one
    more with a certificate and at most 5 arms. Returns 0 if all agree, 1 if not, and 2 if the
    prover is missing.
    """
    given = [int(argument) for argument in arguments]
    count, most_arms, seed = (*given, *(150, 128, 0)[len(given) :])
    source = random.Random(seed)
    paths = [
        random_path(source, most_arms) if k % 3 else random_path(source, 12, proved_tests())
        for k in range(count)
    ]
    paths += [random_certifying_path(source, 5) for _ in range(count // 5)]
    began = time.perf_counter()
    try:
        require_prover()
        found = differences(paths)
    except (ProverMissing, ProofsFailed) as stopped:
        print(stopped, file=sys.stderr)
        return 2 if isinstance(stopped, ProverMissing) else 1
    seconds = time.perf_counter() - began
    print("\n".join(found) or f"{len(paths)} paths are the same in the kernel and in Python")
    print(f"{seconds:.0f} s; the most arms: {max(path.N for path in paths)}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
