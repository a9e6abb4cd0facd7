"""The exceptions of the package: what it raises when an input cannot be used.

Each exception names the field, the value and the rule that the value breaks. It is raised before
any duel is played.
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
            # A long value keeps both ends, because the line number follows a path.
            half = _LONGEST_VALUE_SHOWN // 2
            shown = f"{shown[: half - 3]}...{shown[-half:]}"
        super().__init__(f"{field} = {shown}: {rule}")


class WrongType(InvalidInput, TypeError):
    """An argument of a public function has the wrong type (found by beartype)."""

    def __init__(self, message: str, *_: object, **__: object) -> None:
        """Take beartype's message: the argument, its value and the type that it must have."""
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
    """Turn a file error inside the block into the refusal that ``path`` "cannot be ``done``"."""
    try:
        yield
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise InvalidInput(field, str(path), f"cannot be {done} ({why})") from None
