"""Judges, persons and counts of wins: where comparisons come from."""

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
