"""The settings of the three panels: the paper's, and the same on real preference matrices."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from tgite import PreferenceMatrix, Preferences, example
from tgite_checks import printed
from tgite_checks.figures.contestants import CONTESTANTS, Contestant, Panel


class Data(StrEnum):
    """On what the panels are played."""

    PAPER = "paper"
    SUSHI16 = "sushi16"
    MSLR5 = "mslr5"


@dataclass(frozen=True, slots=True)
class Arena:
    """Preferences and limits of one panel, for one number of arms.

    ``horizon`` bounds rounds, in the regret panels; ``budget`` bounds duels in panel (a), ``None``
    where all runs end by themselves.
    """

    data: Data
    panel: Panel
    name: str
    size: int
    horizon: int | None = None
    budget: int | None = None

    def preferences(self) -> Preferences:
        """Make the preferences."""
        if self.data is not Data.PAPER:
            return winner_in_the_middle(example(str(self.data)))
        return printed.PANELS[self.panel].preferences(self.size)


def winner_in_the_middle(matrix: PreferenceMatrix) -> PreferenceMatrix:
    """Move the winner to ``floor(N/2)``, as on the paper's instances; the others keep their order.

    Else it would be arm 0 in every real matrix, where all algorithms begin.
    """
    winner = matrix.winner()
    order = [arm for arm in range(matrix.size) if arm != winner]
    order.insert(matrix.size // 2, winner)
    return PreferenceMatrix(
        tuple(tuple(matrix.rows[i][j] for j in order) for i in order),
        tuple(matrix.names[i] for i in order),
    )


BAI_SIZES = (8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096)
"""The paper's 8, 16, 32 and 256, the sizes between, and on to 4096."""

REAL_HORIZON = 200_000
"""Their small gaps make identification long: the paper's horizons would end within it."""
REAL_BUDGET = 2_000_000
_REAL_SIZES = {Data.SUSHI16: 16, Data.MSLR5: 5}


def arenas(data: Data) -> tuple[Arena, ...]:
    """Return the arenas of the three panels."""
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
    size = _REAL_SIZES[data]
    name = f"{data}, winner relabelled {size // 2}"
    return (
        Arena(data, Panel.BAI, name, size, budget=REAL_BUDGET),
        Arena(data, Panel.WEAK, name, size, REAL_HORIZON),
        Arena(data, Panel.STRONG, name, size, REAL_HORIZON),
    )


def entries(data: Data, wider: bool) -> Iterator[tuple[Arena, Contestant]]:
    """Go through all pairs of an arena and a contestant that plays there."""
    for arena in arenas(data):
        for contestant in CONTESTANTS[arena.panel]:
            if arena.size <= contestant.most_arms and (wider or not contestant.wider):
                yield arena, contestant
