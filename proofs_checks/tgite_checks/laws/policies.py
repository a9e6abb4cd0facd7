"""Expected regret of the policies, enclosed: the public names of the two modules."""

from __future__ import annotations

from tgite_checks.laws.strong import (
    StrongRegret,
    strong_regret_anytime,
    strong_regret_known_horizon,
)
from tgite_checks.laws.weak import Epoch, WeakRegret, weak_regret

__all__ = [
    "Epoch",
    "StrongRegret",
    "WeakRegret",
    "strong_regret_anytime",
    "strong_regret_known_horizon",
    "weak_regret",
]
