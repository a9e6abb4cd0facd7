"""Fingerprints of judges, from their files, command line or code.

A journal stores the fingerprint of its judge, so that answers of another judge are not mixed in.
"""

from __future__ import annotations

import functools
import hashlib
import shlex
from collections.abc import Callable
from contextlib import suppress
from inspect import getclosurevars, signature
from pathlib import Path
from types import CodeType, FunctionType, MethodType

import msgspec

from tgite import InvalidInput
from tgite.errors import handled


class Fingerprint(msgspec.Struct, frozen=True):
    """What a journal stores about a judge.

    ``command`` is for display. ``files`` are the names and digests of the files and modules of this
    folder that a command line names, or of a function's code; ``words`` are its other words, or the
    function's values.
    """

    command: str
    files: tuple[tuple[str, str], ...] = ()
    words: tuple[str, ...] = ()

    @staticmethod
    def of_command(command: str) -> Fingerprint:
        """Return the fingerprint of a command line, which must be one that can be split."""
        words = [(word, _files_of(word)) for word in split_command(command)]
        files = tuple((str(path), _digest(path)) for _, paths in words for path in paths)
        return Fingerprint(command, files, tuple(word for word, paths in words if not paths))

    @staticmethod
    def of_function(function: Callable[..., object]) -> Fingerprint:
        """Return the fingerprint of a Python function: its name, its code, and values it uses.

        The values are strings and truth values in variables of its closure, its module or its
        object, and also numbers in defaults and bound arguments. Other values are not compared.
        """
        given: list[tuple[object, object]] = []
        while isinstance(function, functools.partial):
            given += [*enumerate(function.args), *sorted(function.keywords.items())]
            function = function.func
        own = function.__self__ if isinstance(function, MethodType) else function
        name = f"{getattr(function, '__module__', '')}."
        name += getattr(function, "__qualname__", type(function).__name__)
        plain = getattr(function, "__func__", function)
        if not isinstance(plain, FunctionType):
            plain = type(function).__call__
        files: tuple[tuple[str, str], ...] = ()
        used = dict(getattr(own, "__dict__", {}))
        if isinstance(plain, FunctionType):
            files = ((name, _digest_of_code(plain.__code__)),)
            given += [(one.name, one.default) for one in signature(plain).parameters.values()]
            with suppress(ValueError):  # A variable has no value yet.
                bound = getclosurevars(plain)
                used |= {**bound.globals, **bound.nonlocals}
        given = [(key, one) for key, one in given if isinstance(one, str | bool | int | float)]
        # A number may count the calls, unless it is an argument.
        given += [(key, one) for key, one in sorted(used.items()) if isinstance(one, str | bool)]
        words = [f"{key}={one}" for key, one in given if not str(key).startswith("__")]
        return Fingerprint(name, files, tuple(words if files else [name, *words]))


def split_command(command: str) -> list[str]:
    """Split a command line as a shell does; refuse an empty one."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise InvalidInput("judge", command, f"cannot be split into words ({error})") from None
    if not words:
        raise InvalidInput("judge", command, "must name a program")
    return words


def differences(before: Fingerprint, now: Fingerprint) -> list[str]:
    """Return what makes ``now`` another judge than ``before``."""
    found: list[str] = []
    if [digest for _, digest in before.files] != [digest for _, digest in now.files]:
        names = sorted({name for name, _ in set(before.files) ^ set(now.files)})
        found.append(f"the judge's {', '.join(names)} had another content")
    if before.words != now.words:
        old, new = (shlex.join(one.words) or "none" for one in (before, now))
        found.append(f"the judge's arguments were {old}, not {new}")
    if not (found or now.files or now.words) and before.command != now.command:
        found.append(f"the judge was {before.command}, not {now.command}")
    return found


def _files_of(word: str) -> list[Path]:
    """Return the files that a word names, also after an equals sign or as a module."""
    module = word.replace(".", "/")
    names = (word, word.partition("=")[2], f"{module}.py", f"{module}/__main__.py")
    with suppress(OSError):  # Too long for a name.
        return [Path(name) for name in names if name and Path(name).is_file()]
    return []


def _digest(path: Path) -> str:
    with handled("judge", path), path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _digest_of_code(code: CodeType) -> str:
    """Return a digest of what a function does, independent of its file and line numbers."""
    constants = [
        _digest_of_code(one)
        if isinstance(one, CodeType)
        else repr(sorted(map(repr, one)) if isinstance(one, frozenset) else one)
        for one in code.co_consts
    ]
    parts = (code.co_code.hex(), code.co_names, code.co_varnames, code.co_freevars, constants)
    return hashlib.sha256(repr(parts).encode()).hexdigest()
