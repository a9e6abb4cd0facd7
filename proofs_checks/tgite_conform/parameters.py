"""Reads an algorithm's parameters from their text form, one by one."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tgite import Arm, BalancedTree, Confidence, Conventions, InvalidInput
from tgite.confidence import read_rational
from tgite_conform.format import Parameters
from tgite_conform.large import MOST_LISTED, LargeTree
from tgite_conform.strict_json import read
from tgite_laws.implementation import Implementation


@dataclass(frozen=True, slots=True)
class Inputs:
    """Parameters and conventions as text; a method raises InvalidInput for the wrong kind."""

    values: Parameters
    by: Conventions

    def count(self, name: str) -> int:
        """Read a whole number."""
        return read(self.values[name], int, name)

    def arm(self, name: str) -> Arm:
        """Read an arm."""
        return self.count(name) - self.by.first_arm

    def arms(self, name: str) -> list[Arm]:
        """Read a list of arms."""
        return [arm - self.by.first_arm for arm in read(self.values[name], list[int], name)]

    def level(self, name: str) -> Confidence:
        """Read a confidence level."""
        try:
            return Confidence.of(read(self.values[name], str, name))
        except InvalidInput as error:
            raise InvalidInput(name, error.value, error.rule) from None

    def gap(self, name: str = "g") -> Fraction | None:
        """Read a gap; None if there is none."""
        if name not in self.values:
            return None
        return read_rational(name, read(self.values[name], str, name))

    def has(self, name: str) -> bool:
        """Return whether an optional parameter is given."""
        return name in self.values

    def tree(self, of: Implementation) -> BalancedTree:
        """Return an implementation's tree over all arms."""
        N = self.count("N")
        if self.is_large and of.BalancedTree is not BalancedTree:
            raise NotImplementedError("has trees of its own, which list all arms")
        return LargeTree(N, self.by) if self.is_large else of.BalancedTree.over(N, self.by)

    @property
    def is_large(self) -> bool:
        """Whether there are more arms than are put into lists."""
        return self.count("N") > MOST_LISTED
