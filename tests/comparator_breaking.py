"""Checks of the comparators, and broken versions of these, so that each check is seen to fail."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import NamedTuple, Never, cast

from tgite import Duel, Outcome, SelfPlay, Stream
from tgite.comparators.together import Together

Check = Callable[[ModuleType], None]
Makers = tuple[Callable[[], object], ...]
Rounds = Stream[Duel | SelfPlay, Outcome | None, Never]


class Case(NamedTuple):
    """A check of a comparator's module, and the changes of its source that the check notices."""

    check: Check
    module: str
    broken: tuple[tuple[str, str], ...]


CASES: list[Case] = []


def noticing(module: str, *changes: tuple[str, str]) -> Callable[[Check], Check]:
    """Let a check be run on that module, and on each change of its source, which it notices.

    Each change is a text that stands once in the source, and what replaces it.
    """

    def noted(check: Check) -> Check:
        CASES.append(Case(check, module, changes))
        return check

    return noted


def broken(module: str, original: str, replaced: str) -> ModuleType:
    """Execute a module's source anew with one change; the text must stand there once."""
    spec = find_spec(module if "." in module else f"tgite.comparators.{module}")
    if spec is None or spec.origin is None:
        raise LookupError(f"no source for {module}")
    source = Path(spec.origin).read_text(encoding="utf-8")
    if source.count(original) != 1:
        raise LookupError(f"the text stands {source.count(original)} times, not once: {original}")
    # Registered under a name of its own: annotations are resolved by the module's name.
    fresh = ModuleType(f"broken_{module.replace('.', '_')}_{abs(hash((original, replaced)))}")
    sys.modules[fresh.__name__] = fresh
    exec(compile(source.replace(original, replaced), spec.origin, "exec"), fresh.__dict__)
    return fresh


def check_runs(
    together: Callable[..., Together], alone: Callable[..., Rounds | Stream[Duel, Outcome, Never]]
) -> None:
    """Each of several runs asks what it asks by itself, after the same outcomes."""
    for N, rounds in ((2, 200), (6, 400), (40, 150)):
        seeds = (0, 3, 4, 11)
        runs = together(N, [random.Random(seed) for seed in seeds])
        single = [alone(N, random.Random(seed)) for seed in seeds]
        outcomes = random.Random(N)
        (i, j), asked = next(runs), [next(one) for one in single]
        for _ in range(rounds):
            pairs = [
                (one.arm, one.arm) if isinstance(one, SelfPlay) else (one.first, one.second)
                for one in asked
            ]
            assert list(zip(i, j, strict=True)) == pairs
            told = [None if one == other else outcomes.random() < 0.6 for one, other in pairs]
            i, j = runs.send(told)
            asked = [
                one.send(cast(bool, outcome)) for one, outcome in zip(single, told, strict=True)
            ]
