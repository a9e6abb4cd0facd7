"""Checking the types of arguments at run time, with beartype."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, cast, get_type_hints

from tgite.errors import WrongType

_Function = TypeVar("_Function", bound=Callable[..., Any])


def checked(function: _Function) -> _Function:
    """Make a public function check the types of its arguments at every call.

    Raises :class:`~tgite.errors.WrongType`. beartype is imported at the first call, because its
    import takes longer than the rest of ``import tgite``.
    """
    checking: Callable[..., Any] | None = None

    @functools.wraps(function)
    def call(*arguments: object, **named: object) -> object:
        nonlocal checking
        if checking is None:
            checking = _with_checks(function)
        try:
            return checking(*arguments, **named)
        except WrongType:
            _name_missing_methods(function, arguments, named)
            raise

    return cast(_Function, call)


def _name_missing_methods(
    function: Callable[..., Any], arguments: tuple[object, ...], named: Mapping[str, object]
) -> None:
    """Refuse an argument that lacks a method of its protocol, and name that method."""
    hints = get_type_hints(function)
    for name, value in (
        inspect.signature(function).bind_partial(*arguments, **named).arguments.items()
    ):
        hint: type = hints.get(name, object)
        if getattr(hint, "_is_protocol", False):
            members = [one for one in vars(hint) if not one.startswith("_")]
            missing = [one for one in members if not hasattr(value, one)]
            if missing:
                rule = f"must have {', '.join(missing)}: see {hint.__module__}.{hint.__name__}"
                refusal = WrongType(f"{name} = {value!r}: {rule}")
                refusal.field, refusal.value, refusal.rule = name, value, rule
                raise refusal from None


def _with_checks(function: Callable[..., Any]) -> Callable[..., Any]:
    from beartype import BeartypeConf, beartype

    return beartype(conf=BeartypeConf(violation_param_type=WrongType))(function)
