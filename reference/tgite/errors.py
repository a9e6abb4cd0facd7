"""What the package says when an input cannot be used.

Every refusal is one exception that names the field, the value and the rule that the value breaks,
raised before any duel is spent.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

_LONGEST_VALUE_SHOWN = 80


class InvalidInput(ValueError):
    """An input breaks a rule of the model or of an algorithm.

    Attributes: ``field`` (which input), ``value`` (what was given), ``rule`` (what it must be).
    """

    def __init__(self, field: str, value: object, rule: str) -> None:
        """Say that ``field`` was given as ``value`` and breaks ``rule``."""
        self.field = field
        self.value = value
        self.rule = rule
        shown = value if isinstance(value, str) else repr(value)
        if len(shown) > _LONGEST_VALUE_SHOWN:
            # Both ends: a path's line number stands at the end.
            half = _LONGEST_VALUE_SHOWN // 2
            shown = f"{shown[: half - 3]}...{shown[-half:]}"
        super().__init__(f"{field} = {shown}: {rule}")


class WrongType(InvalidInput, TypeError):
    """An argument of a public function has the wrong type (found by beartype)."""

    def __init__(self, message: str, *_: object, **__: object) -> None:
        """Carry beartype's own account of the argument, its value and the type it must have."""
        self.field = "argument"
        self.value: object = None
        self.rule = message
        ValueError.__init__(self, message)


class InvalidReply(InvalidInput):
    """A reply does not answer its question."""


class TapeMismatch(InvalidInput):
    """A stream asks for another duel than the tape holds."""


def require(condition: bool, field: str, value: object, rule: str) -> None:
    """Raise :class:`InvalidInput` unless ``condition`` holds."""
    if not condition:
        raise InvalidInput(field, value, rule)


def require_whole_number(field: str, value: object, at_least: int) -> None:
    """Refuse anything but an ``int`` (not a ``bool``) of ``at_least`` or more."""
    if isinstance(value, bool) or not isinstance(value, int) or value < at_least:
        raise InvalidInput(field, value, f"must be a whole number of {at_least} or more")


@contextmanager
def handled(field: str, path: object, done: str = "read") -> Iterator[None]:
    """Refuse the file ``path``, as ``field``, if what is ``done`` with it inside fails."""
    try:
        yield
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise InvalidInput(field, str(path), f"cannot be {done} ({why})") from None
