"""The instances of the Experiments section, held as rules, and preference matrices from files.

The section leaves some of its rule open. Rulings: the winner is *inserted* at ``floor(N/2)``, and
the other arms keep their order and get the cycle's labels 0..N-2; a label does not beat itself,
so the rule's distance starts at 1; N is even, because for an odd N both arms of a pair would claim
the distance ``(N-1)/2``.
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from fractions import Fraction
from importlib import resources
from pathlib import Path

from tgite.checked import checked
from tgite.confidence import is_plain_number, write_rational
from tgite.errors import InvalidInput, require_whole_number
from tgite.preferences import HALF, PreferenceMatrix
from tgite.questions import Arm

EXAMPLES = ("sushi16", "mslr5", "arxiv6")
"""Names of the real preference matrices that come with the package."""

SPARSE_GAP = Fraction(44, 100)
"""The gap among the other arms of a sparse instance: probabilities 0.94 and 0.06."""


@dataclass(frozen=True, slots=True)
class CyclicInstance:
    """A winner that beats everybody, and a directed cycle among the others; no table is held.

    The winner, arm ``floor(N/2)``, beats every other arm with gap ``delta_star``. Among the others,
    label x beats label y with gap ``delta_cyc`` iff ``1 <= (y - x) mod (N-1) <= (N-1)/2``.

    Raises :class:`~tgite.errors.InvalidInput` unless N is even and at least 2 and both gaps lie
    strictly between 0 and 1/2.
    """

    N: int
    delta_star: Fraction
    delta_cyc: Fraction

    def __post_init__(self) -> None:
        """Check the number of arms and the gaps."""
        require_whole_number("N", self.N, at_least=2)
        if self.N % 2 == 1:
            raise InvalidInput(
                "N", self.N, "must be even: for odd N the cycle's rule contradicts itself"
            )
        for name in ("delta_star", "delta_cyc"):
            gap: object = getattr(self, name)
            if not isinstance(gap, Fraction):
                raise InvalidInput(name, gap, "must be a Fraction (see cyclic and sparse)")
            if not 0 < gap < HALF:
                raise InvalidInput(name, write_rational(gap), "must lie strictly between 0 and 1/2")

    @property
    def size(self) -> int:
        """The number of arms."""
        return self.N

    @property
    def names(self) -> tuple[str, ...]:
        """The arms' numbers."""
        return tuple(str(arm) for arm in range(self.N))

    def winner(self) -> Arm:
        """The Condorcet winner, ``floor(N/2)``."""
        return self.N // 2

    def winner_gap(self) -> Fraction:
        """``Delta*``."""
        return self.delta_star

    def global_gap(self) -> Fraction:
        """``Delta``: the smaller of the two gaps; with two arms there is only the winner's."""
        return self.delta_star if self.N == 2 else min(self.delta_star, self.delta_cyc)

    def probability(self, i: Arm, j: Arm) -> Fraction:
        """Return ``p_ij``."""
        if i == j:
            return HALF
        winner = self.winner()
        if i == winner:
            return HALF + self.delta_star
        if j == winner:
            return HALF - self.delta_star
        distance = (self._label(j) - self._label(i)) % (self.N - 1)
        return HALF + self.delta_cyc if 2 * distance <= self.N - 1 else HALF - self.delta_cyc

    def _label(self, arm: Arm) -> int:
        return arm if arm < self.winner() else arm - 1


def read_gap(name: str, value: str | int | float | Fraction) -> Fraction:
    """Read a gap exactly; a float counts as the decimal that Python prints for it."""
    if isinstance(value, bool):
        raise InvalidInput(name, value, "must be a number")
    try:
        if not isinstance(value, str) or is_plain_number(value):
            return Fraction(repr(value) if isinstance(value, float) else value)
    except (ValueError, ZeroDivisionError):
        pass
    raise InvalidInput(name, value, "must be a finite number")


@checked
def cyclic(
    N: int, delta_star: str | float | Fraction, delta_cyc: str | float | Fraction
) -> CyclicInstance:
    """Return the cyclic instance of the Experiments section (see :class:`CyclicInstance`)."""
    return CyclicInstance(N, read_gap("delta_star", delta_star), read_gap("delta_cyc", delta_cyc))


@checked
def sparse(
    N: int, delta_star: str | float | Fraction, delta_sub: str | float | Fraction = SPARSE_GAP
) -> CyclicInstance:
    """Return the sparse instance: the cyclic skeleton with all other pairs at 0.94 and 0.06.

    "Pushed toward" those values may mean all or some of the pairs; all is the plain reading.
    """
    return cyclic(N, delta_star, delta_sub)


@checked
def read_matrix(path: Path) -> PreferenceMatrix:
    """Read a preference matrix from CSV: a line of arm names, then one row of numbers for each arm.

    Decimals are read exactly. Raises :class:`~tgite.errors.InvalidInput` for a file that cannot be
    read and as :class:`~tgite.preferences.PreferenceMatrix` does.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput("matrix", str(path), f"cannot be read ({error})") from None
    return parse_matrix(text, str(path))


@checked
def example(name: str) -> PreferenceMatrix:
    """Return one of the real matrices of :data:`EXAMPLES`.

    Raises :class:`~tgite.errors.InvalidInput` for another name.
    """
    if name not in EXAMPLES:
        raise InvalidInput("example", name, f"must be one of {', '.join(EXAMPLES)}")
    text = (resources.files("tgite") / "examples" / f"{name}.csv").read_text(encoding="utf-8")
    return parse_matrix(text, name)


def parse_matrix(text: str, source: str) -> PreferenceMatrix:
    """Parse CSV text as :func:`read_matrix` describes; ``source`` names it in errors."""
    try:
        table = [row for row in csv.reader(io.StringIO(text), strict=True) if row]
    except csv.Error as error:
        raise InvalidInput("matrix", source, f"is not CSV ({error})") from None
    if not table:
        raise InvalidInput("matrix", source, "is empty: must begin with a line of arm names")
    names = [name.strip() for name in table[0]]
    return PreferenceMatrix.of([[entry.strip() for entry in row] for row in table[1:]], names)
