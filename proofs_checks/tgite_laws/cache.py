"""A cache for results, because several checks compute the same exact laws."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import ParamSpec, TypeVar, cast

P = ParamSpec("P")
R = TypeVar("R")


def cached(function: Callable[P, R]) -> Callable[P, R]:
    """Return the function with its results cached for the life of the process.

    Arguments must be hashable. Preferences, laws and implementations are, although their protocols
    do not say so.
    """
    return cast(Callable[P, R], functools.cache(function))
