"""Fingerprints of judges, from their files, command line, code, or stated version.

A journal stores the fingerprint of its judge, so that answers of another judge are not mixed in.
"""

from __future__ import annotations

import functools
import hashlib
import os
import re
import shlex
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import dropwhile
from pathlib import Path
from types import CodeType, FunctionType, MethodType

import msgspec

from tgite import InvalidInput
from tgite.errors import handled

_INTERPRETER = re.compile(
    r"(python|pypy|node|deno|bun|ruby|perl|php|Rscript|julia|lua|bash|dash|sh|zsh)[\d.]*"
)
_PROGRAM_OPTIONS = ("-c", "-m", "-e", "-E", "-p", "-r", "--eval", "--print")
"""Options by which an interpreter gets its program other than as a script."""

_COMPARED = str | bool
"""The types of variables that are compared, such as a model's name.

Numbers are not compared, because a variable that counts calls would change the fingerprint at each
call.
"""

_COMPARED_ARGUMENTS = str | bool | int | float
"""The types of defaults and bound arguments that are compared; these cannot count calls."""


class Fingerprint(msgspec.Struct, frozen=True):
    """What a journal stores about a judge.

    ``command`` is the command line, for display. ``files`` are the names and digests of the files
    that it names, including the program; ``words`` are its other words. For an interpreter, only
    the script counts: ``python3 -u judge.py`` is the same judge as ``python3 judge.py``, but an
    edited ``judge.py`` is another one. The module of ``python3 -m judge`` is searched in this
    folder and on ``PYTHONPATH``. If the judge states a ``version``, the version alone decides.
    """

    command: str
    files: tuple[tuple[str, str], ...] = ()
    words: tuple[str, ...] = ()
    version: str | None = None

    @staticmethod
    def of_command(command: str) -> Fingerprint:
        """Return the fingerprint of the judge that a command line runs.

        Raises :class:`~tgite.errors.InvalidInput` if it cannot be split into words.
        """
        program, *words = split_command(command)
        interpreted = bool(_INTERPRETER.fullmatch(Path(program).name))
        rest = list(dropwhile(_is_option, words)) if interpreted else words
        if interpreted and rest[:1] == ["-m"] and len(rest) > 1:
            known, words = _module(rest[1]), rest
        elif interpreted and rest and _file_of(rest[0]):
            known, words = [], rest
        else:
            found = shutil.which(program)
            known = [(program, _digest(Path(found)))] if found else []
        named = [path for word in words if (path := _file_of(word))]
        return Fingerprint(
            command,
            (*known, *((path.name, _digest(path)) for path in named)),
            tuple(word for word in words if _file_of(word) is None),
        )

    @staticmethod
    def of_function(function: Callable[..., object], version: str | None) -> Fingerprint:
        """Return the fingerprint of a Python function: its name, its code, and values it uses.

        The values are strings and truth values in variables of its closure, its module or its
        object, and also numbers in defaults and bound arguments. Other values are not compared.
        """
        values = list(_values_of(function))
        while isinstance(function, functools.partial):
            function = function.func
        module = getattr(function, "__module__", "")
        name = f"{module}.{getattr(function, '__qualname__', type(function).__name__)}"
        code = getattr(function, "__code__", None) or getattr(
            type(function).__call__, "__code__", None
        )
        files = ((name, _digest_of_code(code)),) if isinstance(code, CodeType) else ()
        return Fingerprint(name, files, tuple(f"{one}={value}" for one, value in values), version)

    @property
    def remark(self) -> str:
        """A warning if a change of the judge would go unnoticed, else an empty string."""
        if self.words[:1] != ("-m",) or self.version or _module(self.words[1]):
            return ""
        return (
            f"The module {self.words[1]} was not found in this folder or on PYTHONPATH: if it "
            "changes, that is noticed only if the judge states a version."
        )


def split_command(command: str) -> list[str]:
    """Split a command line as a shell does; refuse an empty one."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise InvalidInput("judge", command, f"cannot be split into words ({error})") from None
    if not words:
        raise InvalidInput("judge", command, "must name a program")
    return words


def differences(before: Fingerprint, now: Fingerprint) -> tuple[list[str], list[str]]:
    """Return what makes ``now`` another judge than ``before``, and the harmless differences.

    If the earlier judge stated a version, all differences are harmless, because then only the
    version counts that ``now`` will state.
    """
    found: list[str] = []
    digests = [[digest for _, digest in one.files] for one in (before, now)]
    if digests[0] != digests[1]:
        names = sorted({name for name, _ in set(before.files) ^ set(now.files)})
        found.append(f"the judge's {', '.join(names)} had another content")
    if before.words != now.words:
        old, new = (shlex.join(one.words) or "none" for one in (before, now))
        found.append(f"the judge's arguments were {old}, not {new}")
    if not found and not now.files and before.command != now.command:
        found.append(f"the judge was {before.command}, not {now.command}")
    if before.version is not None:
        return [], [f"Compared with the last run, {one}; the version decides." for one in found]
    if not found and before.command != now.command:
        return [], [f"The last run called the judge by {before.command}; it is the same judge."]
    return found, []


def _is_option(word: str) -> bool:
    return word.startswith("-") and not word.startswith(_PROGRAM_OPTIONS)


def _file_of(word: str) -> Path | None:
    """Return the file that a word names, also after an equals sign."""
    for name in (word, word.partition("=")[2]):
        try:
            if name and Path(name).is_file():
                return Path(name)
        except OSError:  # Too long for a name.
            continue
    return None


def _digest(path: Path) -> str:
    with handled("judge", path), path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _module(name: str) -> list[tuple[str, str]]:
    """Return the name and digest of the module that Python would run, if it is found."""
    for folder in (Path(), *map(Path, os.environ.get("PYTHONPATH", "").split(os.pathsep))):
        place = folder.joinpath(*name.split("."))
        if place.with_name(f"{place.name}.py").is_file():
            return [(name, _digest(place.with_name(f"{place.name}.py")))]
        if (place / "__main__.py").is_file():
            parts = (f"{path.relative_to(place)} {_digest(path)}" for path in place.rglob("*.py"))
            return [(name, hashlib.sha256("\n".join(sorted(parts)).encode()).hexdigest())]
    return []


def _values_of(function: Callable[..., object]) -> Iterator[tuple[str, object]]:
    """Yield the names and values that distinguish functions with the same code."""
    if isinstance(function, functools.partial):
        given = [*enumerate(function.args), *sorted(function.keywords.items())]
        yield from ((str(name), one) for name, one in given if isinstance(one, _COMPARED_ARGUMENTS))
        yield from _values_of(function.func)
        return
    own = function.__self__ if isinstance(function, MethodType) else function
    found = dict(getattr(own, "__dict__", {}))
    plain = getattr(function, "__func__", function)
    if isinstance(plain, FunctionType):
        names = plain.__code__.co_names
        found |= {name: plain.__globals__[name] for name in names if name in plain.__globals__}
        for name, cell in zip(plain.__code__.co_freevars, plain.__closure__ or (), strict=True):
            with suppress(ValueError):  # The cell is still empty.
                found[name] = cell.cell_contents
        for default in (
            *enumerate(plain.__defaults__ or ()),
            *(plain.__kwdefaults__ or {}).items(),
        ):
            if isinstance(default[1], _COMPARED_ARGUMENTS):
                yield f"default {default[0]}", default[1]
    for name, value in sorted(found.items()):
        if isinstance(value, _COMPARED) and not name.startswith("__"):
            yield name, value


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
