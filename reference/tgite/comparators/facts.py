"""What is known of each comparator (``facts.toml``), and on which preferences it is valid.

Before a run, call :func:`objection` and report what it returns.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from tgite.checked import checked
from tgite.errors import InvalidInput
from tgite.preferences import HALF, Preferences


@dataclass(frozen=True, slots=True)
class Facts:
    """A comparator's name, source, assumptions and guarantee.

    ``reconstruction`` is true if the original was not available; such a comparator must be named as
    our reconstruction. ``needs_order`` says why the comparator needs a total order of the arms; it
    is "" if it needs none.
    """

    name: str
    module: str
    source: str
    assumptions: str
    guarantee: str
    reconstruction: bool = False
    needs_order: str = ""

    @property
    def full_name(self) -> str:
        """The name, marked if it is our reconstruction."""
        return f"{self.name} (our reconstruction)" if self.reconstruction else self.name

    def objects(self, preferences: Preferences) -> str:
        """Return why the comparator is not valid on these preferences, or "" if it is valid."""
        disorder = no_total_order(preferences) if self.needs_order else ""
        return f"not valid here: {self.needs_order}, but {disorder}" if disorder else ""


def no_total_order(preferences: Preferences) -> str:
    """Return a message if the arms have no total order, else ""."""
    N = preferences.size
    wins = [sum(preferences.probability(i, j) > HALF for j in range(N) if j != i) for i in range(N)]
    if sorted(wins) == list(range(N)):
        return ""
    return "the arms have no total order (their preferences go round in cycles, or tie)"


COMPARATORS = tuple(
    Facts(name, **entry)
    for name, entry in tomllib.loads(
        Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
    ).items()
)


@checked
def facts(name: str) -> Facts:
    """Return what is known of a comparator.

    Raises :class:`~tgite.errors.InvalidInput` for another name.
    """
    for entry in COMPARATORS:
        if entry.name == name:
            return entry
    known = ", ".join(entry.name for entry in COMPARATORS)
    raise InvalidInput("comparator", name, f"must be one of {known}")


@checked
def objection(name: str, preferences: Preferences) -> str:
    """Return why a comparator is not valid on these preferences, or "" if it is valid.

    Raises :class:`~tgite.errors.InvalidInput` for an unknown name.
    """
    return facts(name).objects(preferences)
