"""The vectors that come with the package, read once for all tests."""

from __future__ import annotations

import os
from pathlib import Path

from tgite_conform.algorithms import Group, Maker
from tgite_conform.format import Case, Expected, read_vectors
from tgite_conform.subjects import StreamSubject
from tgite_laws.implementation import Implementation

CASES = [case for case in read_vectors() if case.duels <= StreamSubject.longest]
"""All but the ones that would take minutes duel by duel."""
LISTED = [case for case in CASES if case.arms <= 4096]
"""The ones for implementations that list all arms."""
PAPER_CASES = [case for case in LISTED if case.algorithm in Group.PAPER.algorithms]
RUNS = [(case, case.expected) for case in CASES if isinstance(case.expected, Expected)]
REFERENCE = "tgite_conform.algorithms:reference"

_ROOT = Path(__file__).parents[1]
PYTHONPATH = os.pathsep.join(
    str(_ROOT / one) for one in ("reference", "proofs_checks", "tests", "tests/conform")
)
"""With it child processes find the packages."""


def played_of(expected: Expected) -> dict[str, object]:
    """Return what a right implementation that plays whole tapes says that it played."""
    return {
        "matches": [[m.first, m.second, m.length, m.winner] for m in expected.matches],
        "self_play": [[block.arm, block.rounds] for block in expected.self_play],
        "incumbents": [one.arm for one in expected.incumbents],
        "result": expected.result,
    }


def subject_of(implementation: Implementation) -> StreamSubject:
    """Return a subject that plays an implementation with the reference's interface."""
    return StreamSubject(Maker(implementation), implementation.name)


def run_of(algorithm: str, words: str = "") -> tuple[Case, Expected]:
    """Return the first run of an algorithm with these words in its name."""
    return next(
        (case, expected)
        for case, expected in RUNS
        if case.algorithm == algorithm and words in case.name
    )
