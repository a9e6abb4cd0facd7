"""The settings of the three panels, for the paper's instances and for real matrices."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from pathlib import Path

from tgite import PreferenceMatrix, Preferences, example
from tgite_checks import printed
from tgite_checks.check import Kind, Question, experiment, statement
from tgite_checks.figures.contestants import CONTESTANTS, Contestant, Panel

exhaustive = partial(experiment, kind=Kind.EXHAUSTIVE)
"""Turn a function that yields cases of a finite list into a check of printed numbers."""

seeded = partial(experiment, kind=Kind.LISTED_SEEDS)
"""Turn a function that compares runs with listed seeds into a check of printed numbers."""

seeded_statement = partial(statement, question=Question.EXPERIMENT, kind=Kind.LISTED_SEEDS)
"""Turn a function that plays baselines alone, with listed seeds, into such a check."""


class Data(StrEnum):
    """The preferences on which the panels are played."""

    PAPER = "paper"
    SUSHI16 = "sushi16"
    MSLR5 = "mslr5"
    MATRIX = "matrix"
    """The user's matrix."""


@dataclass(frozen=True, slots=True)
class Arena:
    """Preferences and limits of one panel, for one number of arms.

    ``horizon`` bounds rounds in the regret panels. ``budget`` bounds duels in panel (a); ``None``
    means that all runs end by themselves. ``matrix`` is the user's, identified by ``name``.
    """

    data: Data
    panel: Panel
    name: str
    size: int
    horizon: int | None = None
    budget: int | None = None
    matrix: PreferenceMatrix | None = field(default=None, compare=False, repr=False)

    def preferences(self) -> Preferences:
        """Return the preferences."""
        if self.matrix is not None:
            return winner_in_the_middle(self.matrix)
        if self.data is not Data.PAPER:
            return winner_in_the_middle(example(str(self.data)))
        return printed.PANELS[self.panel].preferences(self.size)


@dataclass(frozen=True, slots=True)
class Own:
    """The user's matrix, with a Condorcet winner and a unique name.

    Raises :class:`~tgite.errors.NoCondorcetWinner` for a matrix without one.
    """

    name: str
    matrix: PreferenceMatrix

    @staticmethod
    def of(path: Path, matrix: PreferenceMatrix) -> Own:
        """Return a matrix named by file and content, so that no other matrix's runs are reused."""
        matrix.winner()
        written = repr((matrix.names, [[str(p) for p in row] for row in matrix.rows]))
        return Own(f"{path.name} {hashlib.sha256(written.encode()).hexdigest()[:8]}", matrix)


def winner_in_the_middle(matrix: Preferences) -> PreferenceMatrix:
    """Return the matrix with the winner moved to ``floor(N/2)``, as on the paper's instances.

    In every real matrix the winner is arm 0, where all algorithms begin.
    """
    winner = matrix.winner()
    order = [arm for arm in range(matrix.size) if arm != winner]
    order.insert(matrix.size // 2, winner)
    return PreferenceMatrix(
        tuple(tuple(matrix.probability(i, j) for j in order) for i in order),
        tuple(matrix.names[i] for i in order),
    )


BAI_SIZES = (8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096)
"""The paper's 8, 16, 32 and 256, and more sizes up to 4096."""

REAL_HORIZON = 200_000
"""The small gaps of real matrices make identification longer than the paper's horizons."""
REAL_BUDGET = 2_000_000
_REAL_SIZES = {Data.SUSHI16: 16, Data.MSLR5: 5}


def arenas(data: Data, own: Own | None = None) -> tuple[Arena, ...]:
    """Return the arenas of the three panels; ``own`` is the matrix for ``Data.MATRIX``."""
    if data is Data.PAPER:
        online = (
            Arena(data, panel, f"{setting.instance}, N = {N}", N, setting.horizon)
            for panel in (Panel.WEAK, Panel.STRONG)
            for setting in (printed.PANELS[panel],)
            for N in setting.arms
        )
        return (
            *(Arena(data, Panel.BAI, f"cyclic, N = {size}", size) for size in BAI_SIZES),
            *online,
        )
    size = _REAL_SIZES[data] if own is None else own.matrix.size
    name = f"{data if own is None else own.name}, winner relabelled {size // 2}"
    matrix = None if own is None else own.matrix
    return (
        Arena(data, Panel.BAI, name, size, budget=REAL_BUDGET, matrix=matrix),
        Arena(data, Panel.WEAK, name, size, REAL_HORIZON, matrix=matrix),
        Arena(data, Panel.STRONG, name, size, REAL_HORIZON, matrix=matrix),
    )


def entries(data: Data, wider: bool, own: Own | None = None) -> Iterator[tuple[Arena, Contestant]]:
    """Yield all pairs of an arena and a contestant that plays there."""
    for arena in arenas(data, own):
        for contestant in CONTESTANTS[arena.panel]:
            if arena.size <= contestant.most_arms and (wider or not contestant.wider):
                yield arena, contestant
