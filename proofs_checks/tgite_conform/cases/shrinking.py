"""Finds the smallest random case that an implementation fails."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module

from tgite_conform.cases.random_cases import MOST_ARMS, SELDOM, random_recipe
from tgite_conform.divergence import Diverged
from tgite_conform.faults import Fault, Lacking
from tgite_conform.format import Case
from tgite_conform.recorder import case_of
from tgite_conform.referee import Level
from tgite_conform.runner import DIFFERING, CaseResult, examine
from tgite_conform.subjects import Subject

_OFTEN = 0.25
_ATTEMPTS = 3
_MOST_TRIED = 200
_MOST_DUELS = 400_000
_MOST_SECONDS = 10.0


def smallest_failing(
    subject: Subject,
    level: Level,
    failing: Sequence[CaseResult],
    seed: int,
    progress: Callable[[float], object] = lambda share: None,
) -> CaseResult:
    """Return the smallest random case that a subject fails, among those given and similar ones.

    Hypothesis draws and shrinks more cases for about ten seconds; ``progress`` is called with the
    share of that time. Without hypothesis the result is the smallest of those given.
    """
    given = min(failing, key=lambda result: _size(result.case))
    smallest = given.case
    started = time.monotonic()
    try:
        hypothesis = import_module("hypothesis")
    except ImportError:
        return given
    algorithms = sorted({result.case.algorithm for result in failing})
    # If a case with few arms fails too, the search stays with few arms, which is faster.
    arms = min(_arms_of(result.case) for result in failing)
    many_arms = SELDOM if arms <= MOST_ARMS else _OFTEN
    tried = duels = 0

    def fails(drawn: random.Random) -> bool:
        nonlocal smallest, tried, duels
        tried += 1
        share = (time.monotonic() - started) / _MOST_SECONDS
        progress(share)
        # From here on hypothesis is made to stop.
        if tried > _MOST_TRIED or duels > _MOST_DUELS or share > 1:
            return False
        try:
            case = case_of(random_recipe(drawn, algorithms, many_arms))
        except ValueError:
            return False
        duels += case.duels
        try:
            subject.play(case, level)
        except (Diverged, Fault):
            smallest = min(smallest, case, key=_size)
            return True
        except Lacking:
            pass
        return False

    settings = hypothesis.settings(
        max_examples=_MOST_TRIED,
        derandomize=False,
        database=None,
        deadline=None,
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    drawing = hypothesis.strategies.randoms(use_true_random=False)
    for attempt in range(_ATTEMPTS):
        tried = duels = 0
        # Hypothesis raises if it found nothing, and if it was made to stop.
        with suppress(hypothesis.errors.HypothesisException):
            hypothesis.find(
                drawing, fails, settings=settings, random=random.Random(f"{seed} {attempt}")
            )
        if smallest is not given.case:
            # Conventions that explain the failure are sought only now, because that is slow.
            (found,) = examine(subject, [smallest], level)
            return found if found.status in DIFFERING else given
    return given


def _arms_of(case: Case) -> int:
    parameters = case.parameters
    S = parameters.get("S", ())
    return max(int(str(parameters.get("N", 2))), len(S) if isinstance(S, tuple) else 2)


def _size(case: Case) -> tuple[int, int]:
    return len(str(case.parameters)) + case.duels, case.duels
