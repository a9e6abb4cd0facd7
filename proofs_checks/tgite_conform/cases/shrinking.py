"""Finds the smallest random case that an implementation fails."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence

from tgite_conform.cases.random_cases import random_recipe
from tgite_conform.divergence import Diverged
from tgite_conform.faults import Fault, Lacking
from tgite_conform.format import Case
from tgite_conform.recorder import case_of
from tgite_conform.referee import Level
from tgite_conform.runner import DIFFERING, CaseResult, examine
from tgite_conform.subjects import Subject

_MOST_TRIED = 2000
_MOST_DUELS = 400_000
_MOST_SECONDS = 10.0


def smallest_failing(
    subject: Subject, level: Level, failing: Sequence[CaseResult], seed: int
) -> CaseResult:
    """Return the smallest random case that a subject fails, among those given and similar ones.

    More cases are drawn for about ten seconds, and those that are smaller than the smallest so far
    are played.
    """
    given = min(failing, key=lambda result: _size(result.case))
    smallest, drawn, duels = given.case, random.Random(f"smaller than {seed}"), 0
    algorithms = sorted({result.case.algorithm for result in failing})
    started = time.monotonic()
    for _ in range(_MOST_TRIED):
        if time.monotonic() - started > _MOST_SECONDS or duels > _MOST_DUELS:
            break
        try:
            case = case_of(random_recipe(drawn, algorithms))
            if _size(case) < _size(smallest):
                duels += case.duels
                subject.play(case, level)
        except (Diverged, Fault):
            smallest = case
        except (ValueError, Lacking):
            continue
    if smallest is given.case:
        return given
    # Conventions that explain the failure are sought only now, because that is slow.
    (found,) = examine(subject, [smallest], level)
    return found if found.status in DIFFERING else given


def _size(case: Case) -> tuple[int, int]:
    return len(str(case.parameters)) + case.duels, case.duels
