"""Keeping results: several checks ask for the same exact laws."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import ParamSpec, TypeVar, cast

P = ParamSpec("P")
R = TypeVar("R")


def kept(function: Callable[P, R]) -> Callable[P, R]:
    """Keep what a function returned for its arguments, for as long as the process lives.

    The arguments must be hashable, as preferences, laws and implementations are, though their
    protocols do not say so.
    """
    return cast(Callable[P, R], functools.cache(function))
