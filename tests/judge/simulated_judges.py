"""Judges for tests: simulated ones with known chances, and programs."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from math import exp
from pathlib import Path

from tgite import Confidence
from tgite.beyond import mixture_test
from tgite_checks.bounds.judged_best import Simulated
from tgite_judge.fingerprint import Fingerprint
from tgite_judge.journal import Head, Journal
from tgite_judge.judges import Judge, Reply
from tgite_judge.result import Found
from tgite_judge.search import Goal, Rules
from tgite_judge.session import Session, ask

Chances = Sequence[Sequence[float]]

CYCLE = [[0.5 if i == j else 0.7 if (j - i) % 5 < 3 else 0.3 for j in range(5)] for i in range(5)]
"""Five items; each beats the next two, and loses to the two after them."""

ALPHABETICAL = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    print("first" if asked["first"] < asked["second"] else "second", flush=True)
"""


def program(folder: Path, source: str = ALPHABETICAL) -> str:
    """Write a judge program; return the command that runs it."""
    path = folder / "judge.py"
    path.write_text(source, encoding="utf-8")
    return f"{sys.executable} {path}"


def strengths(*logits: float) -> list[list[float]]:
    """Return the chances of items with such strengths."""
    return [[1 / (1 + exp(v - u)) for v in logits] for u in logits]


class Drawn(Judge):
    """Draws its answers, with ties, and a bias (in logits) for the item shown first."""

    def __init__(
        self, chances: Chances, seed: int = 0, *, bias: float = 0.0, ties: float = 0.0
    ) -> None:
        self.chances, self.asked = chances, Counter[tuple[str, str]]()
        self._judge = Simulated(chances, str(seed), bias, ties)

    def compare(self, first: str, second: str) -> Reply:
        """Answer at random."""
        self.asked[first, second] += 1
        return Reply(self._judge.say(int(first), int(second)))


def goal(size: int, delta: str = "0.05", **more: object) -> Goal:
    """Return the goal to find the best of ``size`` items."""
    return Goal(size, Confidence.of(delta), mixture_test, **more)  # type: ignore[arg-type]


def opened(path: Path, size: int) -> Journal:
    """Open a journal of simulated answers about items that are named by numbers."""
    return Journal(path, Head(tuple(map(str, range(size))), Fingerprint("simulated"), {}))


def found(
    path: Path,
    judge: Drawn,
    rules: Rules | None = None,
    budget: int | None = None,
    sought: Goal | None = None,
    *,
    despite_position: bool = False,
) -> Found:
    """Ask a simulated judge with a journal; return what was found."""
    with opened(path, len(judge.chances)) as journal:
        session = Session(sought or goal(len(judge.chances)), rules or Rules(), journal)
        ended = ask(session, [judge], budget, despite_position=despite_position)
        return Found.of(session, ended)
