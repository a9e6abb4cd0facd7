"""Checking the types of arguments at run time, with beartype."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar, cast

from tgite.errors import WrongType

_Function = TypeVar("_Function", bound=Callable[..., Any])


def checked(function: _Function) -> _Function:
    """Check the arguments' types of a public function at every call.

    Raises :class:`~tgite.errors.WrongType` there. The checks are made at the first call, since to
    import beartype takes longer than all else that ``import tgite`` does.
    """
    checking: Callable[..., Any] | None = None

    @functools.wraps(function)
    def call(*arguments: object, **named: object) -> object:
        nonlocal checking
        if checking is None:
            checking = _with_checks(function)
        return checking(*arguments, **named)

    return cast(_Function, call)


def _with_checks(function: Callable[..., Any]) -> Callable[..., Any]:
    from beartype import BeartypeConf, beartype

    return beartype(conf=BeartypeConf(violation_param_type=WrongType))(function)
