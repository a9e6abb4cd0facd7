"""What plays in fresh processes show of a case that fails: what is kept, or what depends on chance."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import cycle

import pytest

from shipped_vectors import CASES
from tgite_conform.divergence import Diverged, Divergence, Parting
from tgite_conform.faults import Fault, FaultKind
from tgite_conform.format import Case
from tgite_conform.referee import Level
from tgite_conform.runner import CaseResult, Status, what_it_keeps
from tgite_conform.subjects import Subject

TESTS = [case for case in CASES if case.algorithm == "duel_test"][:40]
BKT = next(case for case in CASES if case.algorithm == "bkt")
FAILING, PLAYED = TESTS[-1], [*TESTS[:20], BKT, *TESTS[20:-1]]
WRONG = Divergence(Parting.WENT_ON, 9, "", "", ())


class _Fresh(Subject):
    """Fails where ``fails`` says so of the cases before, and raises what it is given."""

    def __init__(self, fails: Callable[[Sequence[Case]], bool], error: Exception) -> None:
        self._fails, self._error, self._before = fails, error, list[Case]()

    def play(self, case: Case, level: Level = Level.MATCHES) -> int:
        if case is FAILING and self._fails(self._before):
            raise self._error
        self._before.append(case)
        return 0


def _by_chance(chances: Iterator[bool]) -> Callable[[Sequence[Case]], bool]:
    return lambda _: next(chances)


@pytest.mark.parametrize("error", [Diverged(WRONG), Fault(FaultKind.CRASHED, "at 0x7f")])
@pytest.mark.parametrize(
    ("fails", "told"),
    [
        (lambda before: True, ""),
        (lambda before: TESTS[7] in before, f"conforms, after {TESTS[7].id} it does not: the im"),
        (lambda before: BKT in before, f"conforms, after {BKT.id} it does not: the im"),
        (lambda before: len(before) >= 30, "conforms: the implementation keeps something from "),
        (_by_chance(cycle([False, True])), "ends differently from one play to the next"),
        (lambda before: False, f"played again, {FAILING.id} conforms: it depends on chance, or"),
        (_by_chance(cycle([False, False, True, False])), "earlier case, or depends on chance"),
    ],
)
def test_what_is_kept_is_told_and_chance_is_not_taken_for_it(
    fails: Callable[[Sequence[Case]], bool], told: str, error: Exception
) -> None:
    results = [CaseResult(case, Status.CONFORMS) for case in PLAYED]
    failing = CaseResult(FAILING, Status.WRONG, divergence=WRONG)
    skipped = CaseResult(TESTS[7], Status.SKIPPED)
    found = what_it_keeps(lambda: _Fresh(fails, error), [*results, failing], failing, Level.MATCHES)
    assert told in found
    assert bool(told) == bool(found)
    if "after" in found:
        left = [one for one in results if one.case.id not in found]
        again = what_it_keeps(
            lambda: _Fresh(fails, error), [skipped, *left, failing], failing, Level.MATCHES
        )
        assert "after" not in again
