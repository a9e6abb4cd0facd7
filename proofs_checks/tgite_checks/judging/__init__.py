"""Judges, persons and counts of wins: where comparisons come from."""

from tgite_checks.judging.account import Found
from tgite_checks.judging.best import Options, find_best, find_best_async
from tgite_checks.judging.counts import Columns, read_data
from tgite_checks.judging.find import Ended
from tgite_checks.judging.replies import Answers, JudgeRaised
from tgite_checks.judging.search import Ties

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
