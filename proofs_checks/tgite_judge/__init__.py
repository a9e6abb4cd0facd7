"""Judges, persons and counts of wins: find the best of your own items.

A name is loaded when it is first used, so that ``tgite`` can list the commands of this package
where its extra ``judge`` is not installed.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tgite_judge.account import Found
    from tgite_judge.best import Options, find_best, find_best_async
    from tgite_judge.counts import Columns, read_data
    from tgite_judge.find import Ended
    from tgite_judge.replies import Answers, JudgeRaised
    from tgite_judge.search import Ties

__all__ = [
    "Answers",
    "Columns",
    "Ended",
    "Found",
    "JudgeRaised",
    "Options",
    "Ties",
    "find_best",
    "find_best_async",
    "read_data",
]

_MODULES = {
    "account": ("Found",),
    "best": ("Options", "find_best", "find_best_async"),
    "counts": ("Columns", "read_data"),
    "find": ("Ended",),
    "replies": ("Answers", "JudgeRaised"),
    "search": ("Ties",),
}


def __getattr__(name: str) -> object:
    for module, names in _MODULES.items():
        if name in names:
            found: object = getattr(import_module(f"{__name__}.{module}"), name)
            return found
    raise AttributeError(f"module {__name__} has no attribute {name}")
