"""Load functions that a user names, and describe the errors that they raise."""

from __future__ import annotations

import importlib
import traceback
from pathlib import Path

from tgite import InvalidInput

CRASHES = (Exception, SystemExit)
"""Exceptions that count as a crash; a user's ``sys.exit`` must not end the caller."""

_OURS = (f"{Path(__file__).parents[1]}/tgite_", str(importlib.__file__), "<frozen importlib")
"""Path prefixes of files that are not the user's code: our packages and the import machinery."""


def load(name: str) -> object:
    """Return the function that ``module:attribute`` names.

    Raises :class:`~tgite.errors.InvalidInput` if it cannot be imported or does not exist.
    """
    module, colon, attribute = name.partition(":")
    if not colon or not module or not attribute:
        raise InvalidInput("implementation", name, "must be written module:function")
    try:
        found: object = importlib.import_module(module)
        for part in attribute.split("."):
            found = getattr(found, part)
    except CRASHES as error:
        must = f"cannot be imported ({described(error)})"
        raise InvalidInput("implementation", name, must) from None
    if not callable(found):
        raise InvalidInput("implementation", name, "must be a function")
    return found


def described(error: BaseException) -> str:
    """Return an error's kind and message, and the place where the user's code raised it."""
    place = ""
    # Python wraps a StopIteration raised in a generator, which is then the error's cause.
    for one in (error, error.__cause__):
        frames = traceback.extract_tb(None if one is None else one.__traceback__)
        others = [frame for frame in frames if not frame.filename.startswith(_OURS)]
        if others and not place:
            place = f" ({others[-1].filename}:{others[-1].lineno})"
    return f"{type(error).__name__}: {error}{place}"
