"""Find the best of your own items by comparing two at a time; read tables of comparisons.

``find_best`` asks a Python function, ``find_best_async`` a coroutine function, and ``read_data``
reads judgements, counts of wins or a matrix. On the command line: ``tgite judge``,
``tgite matrix``.

A name is loaded when it is first used, so that ``tgite`` can list the commands of this package
where its extra ``judge`` is not installed.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tgite_judge.api import Options, find_best, find_best_async
    from tgite_judge.order import Guess, Place
    from tgite_judge.reader import read_data
    from tgite_judge.replies import Answers, JudgeRaised
    from tgite_judge.result import Found
    from tgite_judge.search import Ties
    from tgite_judge.session import Ended

__all__ = [
    "Answers",
    "Ended",
    "Found",
    "Guess",
    "JudgeRaised",
    "Options",
    "Place",
    "Ties",
    "find_best",
    "find_best_async",
    "read_data",
]


def __getattr__(name: str) -> object:
    for module in ("api", "reader", "result") if name in __all__ else ():
        if (found := vars(import_module(f"{__name__}.{module}")).get(name)) is not None:
            return found
    raise AttributeError(f"module {__name__} has no attribute {name}")
