"""Compare the prover's probabilities and expected costs with sums over the Python code's paths.

Both are exact rationals, compared on small cases. ``Trees.v`` proves that the prover's rationals
are the theorems' probabilities (``EQ_correct``, ``ETQ_correct``). For larger cases,
:mod:`coq_ties.paths` compares the algorithms along single paths.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tgite.confidence import Confidence
from tgite.instances import CyclicInstance
from tgite.questions import Arm, Match, Outcome, Stream
from tgite.questions import match as whole_match
from tgite_checks.proofs.extract import query
from tgite_checks.proofs.gate import ProofsFailed
from tgite_checks.proofs.record import proved
from tgite_laws.duel_test import DuelTestLaws
from tgite_laws.implementation import REFERENCE, Implementation
from tgite_laws.match_paths import Path, paths
from tgite_laws.tournaments import tree_ascent_law

_BKT_LEVEL = Confidence(Fraction(1, 10))
_PASS_LEVEL = Confidence(Fraction(1, 20))
_SCREENING_LEVEL = Confidence(Fraction(1, 64))
_REPLACEMENT_LEVEL = Confidence(Fraction(3, 100))

_MOST_MATCHES = 64
_PREAMBLE = """From Coq Require Import List ZArith QArith Bool.
Import ListNotations.
From TGITE Require Import Setting Algorithms Trees.
Set Printing Width 1000000.
Set Printing Depth 1000000.
"""
_LIST = re.compile(r"^\s*= \[(?P<items>.*)\]$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Case:
    """An algorithm on the arms 0..N-1 and a starting arm; BKT ignores the starting arm."""

    algorithm: str
    size: int
    start: Arm

    def __str__(self) -> str:
        """Return the case as shown in reports."""
        return f"{self.algorithm} of {self.size} arms from arm {self.start}"


def cases(sizes: Sequence[int]) -> list[Case]:
    """Return all cases with the given numbers of arms (at least 2)."""
    listed: list[Case] = []
    for size in sizes:
        listed.append(Case("bkt", size, 0))
        for algorithm in ("tree_ascent", "screen_and_replace"):
            listed += [Case(algorithm, size, start) for start in range(size)]
    return listed


def _paths(case: Case, code: Implementation) -> Iterator[Path[Arm]]:
    return paths(lambda: _stream_of(case, code), _MOST_MATCHES)


def _stream_of(case: Case, code: Implementation) -> Stream[Match, Arm, Arm]:
    size, start = case.size, case.start
    match case.algorithm:
        case "bkt":
            return code.bkt(range(size), _BKT_LEVEL, whole_match)
        case "tree_ascent":
            return code.tree_ascent(start, code.BalancedTree.over(size), _PASS_LEVEL, whole_match)
        case _:
            return code.screen_and_replace(
                start, _SCREENING_LEVEL, _REPLACEMENT_LEVEL, size, whole_match
            )


def match_law_differences(sizes: Sequence[int], code: Implementation = REFERENCE) -> list[str]:
    """Return the cases whose law of the answer or expected number of matches differs.

    Both are exact rationals. Every match is won by its first argument ``u`` with probability
    (u+1)/(u+v+2).
    """
    listed = cases(sizes)
    terms = {
        "bkt": "BKT (cv := standard) ask (seq 0 {size}) (level 1 10)",
        "tree_ascent": "TreeAscent (cv := standard) ask {size} (height {size}) {start} "
        "(level 1 20)",
        "screen_and_replace": "ScreenReplace (cv := standard) ask {size} {start} "
        "(level 1 64) (level 3 100)",
    }
    asked = []
    for case in listed:
        term = terms[case.algorithm].format(size=case.size, start=case.start)
        asked.append(
            f"Eval vm_compute in let m := {term} in ETQ P m :: map (fun a => "
            f"EQ P m (fun o => if is_arm a o then 1%Q else 0%Q)) (seq 0 {case.size})."
        )
    definition = (
        "Definition P (u v : nat) : Q := Z.of_nat (u + 1) # Pos.of_nat (u + v + 2).\n"
        "Local Open Scope nat_scope.\n"
    )
    differences: list[str] = []
    for case, printed in zip(listed, _lists(definition, asked), strict=True):
        expected = [_rational(text) for text in printed]
        law = [Fraction(0)] * (case.size + 1)
        for path in _paths(case, code):
            weight = Fraction(1)
            for question, winner in zip(path.matches, path.winners, strict=True):
                weight *= Fraction(winner + 1, question.first + question.second + 2)
            law[0] += weight * len(path.winners)
            assert path.result is not None
            law[path.result + 1] += weight
        if law != expected:
            differences.append(f"{case}: {law} in Python, {expected} in the proofs")
    return differences


@dataclass(frozen=True, slots=True)
class TruncatedTest:
    """A pairwise test that is cut at a horizon, with its level and gap (``None``: DuelTest)."""

    level: Confidence
    horizon: int
    gap: Fraction | None = None


TRUNCATED_TESTS = (
    TruncatedTest(Confidence(Fraction(9, 10)), 14),
    TruncatedTest(Confidence(Fraction(1, 2)), 5, Fraction(1, 2)),
    TruncatedTest(Confidence(Fraction(1, 4)), 9, Fraction(2, 5)),
    TruncatedTest(Confidence(Fraction(1, 5)), 6, Fraction(1, 2)),
    TruncatedTest(Confidence(Fraction(1, 4)), 8, Fraction(21, 50)),
)
"""Tests small enough for all paths; with a gap the horizon is the budget, odd or even."""

_WIN = Fraction(3, 5)


def duel_law_differences(code: Implementation = REFERENCE) -> list[str]:
    """Return the single tests whose law or expected cost differs, at P(first wins) = 3/5.

    The prover's test runs on a table of the lead at which the Python test stops, for each number of
    duels. Compared are the expected duels and three probabilities: of the answers 0 and 1, and of
    no answer within the horizon.
    """
    asked = []
    for case in TRUNCATED_TESTS:
        table = "; ".join(str(lead) for lead in _stopping_leads(case, code))
        at_end = "fun n s => None" if case.gap is None else "fun n s => Some (Nat.leb n (2 * s))"
        asked.append(
            f"Eval vm_compute in let m := seqtest (on_table [{table}]) ({at_end}) {case.horizon} "
            "0 0 0 1 in ETQ P m :: map (fun ev => EQ P m (fun o => if (ev o : bool) then 1%Q "
            "else 0%Q)) [is_arm 0; is_arm 1; ran_out]."
        )
    definition = (
        "Definition P (u v : nat) : Q := if Nat.eqb u 0 then 3 # 5 else 2 # 5.\n"
        "Local Open Scope nat_scope.\n"
        "Definition on_table (leads : list nat) (n s : nat) : option bool :=\n"
        "  let lead := Nat.max (2 * s - n) (n - 2 * s) in\n"
        "  if Nat.leb (nth n leads (S n)) lead then Some (Nat.leb n (2 * s)) else None.\n"
    )
    differences: list[str] = []
    for case, printed in zip(TRUNCATED_TESTS, _lists(definition, asked), strict=True):
        expected = [_rational(text) for text in printed]
        law = [Fraction(0)] * 4
        for outcomes, answer in _duel_paths(case, code):
            weight = Fraction(1)
            for outcome in outcomes:
                weight *= _WIN if outcome else 1 - _WIN
            law[0] += weight * len(outcomes)
            law[3 if answer is None else answer + 1] += weight
        if law != expected:
            differences.append(f"{case}: {law} in Python, {expected} in the proofs")
    return differences


def printed_law_differences(code: Implementation = REFERENCE) -> list[str]:
    """Return the numbers of ``tgite law`` that are not in the kernel's bounds (``ExactLaws.v``)."""
    laws, gap, tree = DuelTestLaws(code), Fraction(3, 10), code.BalancedTree.over(8)
    match, instance = laws.law(_BKT_LEVEL, _WIN), CyclicInstance(8, gap, gap)
    whole = tree_ascent_law(code.tree_ascent, 0, tree, _BKT_LEVEL, instance, laws)
    assert whole.error is not None
    found = {"duels": match.mean, "error": match.second.probability}
    found |= {"pass": whole.comparisons.mean, "pass_error": whole.error}
    known = proved()["dueltest_law"].constants | proved()["pass_law"].constants
    ends = {name: Fraction(text.replace(" ", "")) for name, text in known.items()}
    return [
        name
        for name, value in found.items()
        if not ends[f"{name}_low"] <= value.low <= value.high <= ends[f"{name}_high"]
    ]


def _run(
    case: TruncatedTest, code: Implementation, outcomes: Sequence[Outcome]
) -> tuple[int, Arm | None]:
    """Return how many of the outcomes the test uses, and the test's answer if it returns."""
    test = code.duel_test if case.gap is None else code.known_gap(case.gap)
    stream = test(0, 1, case.level)
    next(stream)
    for used, outcome in enumerate(outcomes, start=1):
        try:
            stream.send(outcome)
        except StopIteration as stop:
            answer: Arm = stop.value
            return used, answer
    stream.close()
    return len(outcomes), None


def _duel_paths(
    case: TruncatedTest, code: Implementation
) -> Iterator[tuple[tuple[Outcome, ...], Arm | None]]:
    """Yield all paths of a test up to the horizon: outcomes, and the answer if any."""
    unfinished: list[tuple[Outcome, ...]] = [()]
    while unfinished:
        prefix = unfinished.pop()
        used, answer = _run(case, code, prefix) if prefix else (0, None)
        if answer is not None or used == case.horizon:
            yield prefix, answer
        else:
            unfinished += [(*prefix, True), (*prefix, False)]


def _stopping_leads(case: TruncatedTest, code: Implementation) -> list[int]:
    """Return, for n = 0, 1, ..., the least lead |2S - n| at which the Python test stops."""
    decide: Callable[[int, float], bool]
    if case.gap is None:

        def decide(n: int, distance: float) -> bool:
            return distance > code.c(n, case.level)

    else:
        gap = float(case.gap)

        def decide(n: int, distance: float) -> bool:
            return distance > code.b(n, case.level) - gap

    leads = [1]
    for n in range(1, case.horizon + 1):
        wins = (s for s in range((n + 1) // 2, n + 1) if decide(n, abs(s / n - 1 / 2)))
        first = next(wins, None)
        leads.append(n + 1 if first is None else 2 * first - n)
    return leads


def _lists(definitions: str, asked: Sequence[str]) -> list[list[str]]:
    printed = query(_PREAMBLE + definitions + "\n".join(asked) + "\n")
    found = [answer["items"].split("; ") for answer in _LIST.finditer(printed)]
    if len(found) != len(asked):
        raise ProofsFailed(f"the prover printed {len(found)} lists, {len(asked)} were expected")
    return found


def _rational(text: str) -> Fraction:
    """Parse ``1 # 3`` or ``0.37``, the prover's forms of a fraction."""
    return Fraction(text.strip("()%Q ").replace(" # ", "/"))
