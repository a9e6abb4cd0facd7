"""What a judge is: files on its command line, the words after them, a version that it states."""

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
_CODE = ("-c", "-m", "-e", "-E", "-p", "-r", "--eval", "--print")
"""How options begin that give an interpreter its program in another way than by a script."""

_TOLD = str | bool
"""What under a name tells functions of one code apart: a model's name, say.

A number there may be a count or a time, and then no judge would be itself the next time.
"""

_GIVEN = str | bool | int | float
"""What tells them apart as an argument that was given, or as a default: nobody counts there."""


class Identity(msgspec.Struct, frozen=True):
    """A judge as a journal knows it.

    ``command`` is how it was run, for people to read. ``files`` are the names and digests of the
    files that the command line names, the program among them, and ``words`` the others. Of an
    interpreter and its options only the script counts: so ``python3 -u judge.py`` is the same judge
    as ``python3 judge.py``, and an edited ``judge.py`` is another one. What ``python3 -m judge``
    runs is looked for in this folder and on ``PYTHONPATH``. ``version`` is what the judge says of
    itself, if it does: then that alone says whether it is the same.
    """

    command: str
    files: tuple[tuple[str, str], ...] = ()
    words: tuple[str, ...] = ()
    version: str | None = None

    @staticmethod
    def of_command(command: str) -> Identity:
        """Return the judge that a command line runs.

        Raises :class:`~tgite.errors.InvalidInput` for what is no command line.
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
        return Identity(
            command,
            (*known, *((path.name, _digest(path)) for path in named)),
            tuple(word for word in words if _file_of(word) is None),
        )

    @staticmethod
    def of_function(function: Callable[..., object], version: str | None) -> Identity:
        """Return the judge that a Python function is: by its name, its code, and what it holds.

        That is: the words and truth values that it finds under names (of its closure, its module or
        its object), and these and numbers as defaults and as arguments that were given to it. Other
        numbers and other objects may change while it judges, and are not compared.
        """
        held = list(_held_by(function))
        while isinstance(function, functools.partial):
            function = function.func
        module = getattr(function, "__module__", "")
        name = f"{module}.{getattr(function, '__qualname__', type(function).__name__)}"
        code = getattr(function, "__code__", None) or getattr(
            type(function).__call__, "__code__", None
        )
        files = ((name, _digest_of_code(code)),) if isinstance(code, CodeType) else ()
        return Identity(name, files, tuple(f"{one}={value}" for one, value in held), version)

    @property
    def remark(self) -> str:
        """Say where a change of the judge would go unnoticed; nothing where it would not."""
        if self.words[:1] != ("-m",) or self.version or _module(self.words[1]):
            return ""
        return (
            f"What -m {self.words[1]} runs was not found in this folder or on PYTHONPATH: that it "
            "is the same the next time is known only if the judge states its version."
        )


def split_command(command: str) -> list[str]:
    """Split a command line as a shell splits words; refuse an empty one."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise InvalidInput("judge", command, f"cannot be split into words ({error})") from None
    if not words:
        raise InvalidInput("judge", command, "must name a program")
    return words


def differences(before: Identity, now: Identity) -> tuple[list[str], list[str]]:
    """Say what makes ``now`` another judge than ``before``, and what else differs.

    Where the earlier judge stated a version, its answers' version decides, once it is stated.
    """
    found: list[str] = []
    digests = [[digest for _, digest in one.files] for one in (before, now)]
    if digests[0] != digests[1]:
        names = sorted({name for name, _ in set(before.files) ^ set(now.files)})
        found.append(f"the judge's {', '.join(names)} had another content")
    if before.words != now.words:
        old, new = (shlex.join(one.words) or "nothing" for one in (before, now))
        found.append(f"the judge was told {old}, not {new}")
    if not found and not now.files and before.command != now.command:
        found.append(f"the judge was {before.command}, not {now.command}")
    if before.version is not None:
        return [], [f"Since the last time, {one}; its version decides." for one in found]
    if not found and before.command != now.command:
        return [], [f"The judge was run as {before.command} before; it is the same one."]
    return found, []


def _is_option(word: str) -> bool:
    return word.startswith("-") and not word.startswith(_CODE)


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
    """Return the name and the digest of a module that Python would run, where it is to be seen."""
    for folder in (Path(), *map(Path, os.environ.get("PYTHONPATH", "").split(os.pathsep))):
        place = folder.joinpath(*name.split("."))
        if place.with_name(f"{place.name}.py").is_file():
            return [(name, _digest(place.with_name(f"{place.name}.py")))]
        if (place / "__main__.py").is_file():
            parts = (f"{path.relative_to(place)} {_digest(path)}" for path in place.rglob("*.py"))
            return [(name, hashlib.sha256("\n".join(sorted(parts)).encode()).hexdigest())]
    return []


def _held_by(function: Callable[..., object]) -> Iterator[tuple[str, object]]:
    """Yield the names and values that tell functions of one code apart."""
    if isinstance(function, functools.partial):
        given = [*enumerate(function.args), *sorted(function.keywords.items())]
        yield from ((str(name), one) for name, one in given if isinstance(one, _GIVEN))
        yield from _held_by(function.func)
        return
    own = function.__self__ if isinstance(function, MethodType) else function
    found = dict(getattr(own, "__dict__", {}))
    plain = getattr(function, "__func__", function)
    if isinstance(plain, FunctionType):
        names = plain.__code__.co_names
        found |= {name: plain.__globals__[name] for name in names if name in plain.__globals__}
        for name, cell in zip(plain.__code__.co_freevars, plain.__closure__ or (), strict=True):
            with suppress(ValueError):  # A cell that is empty still.
                found[name] = cell.cell_contents
        defaults = [*enumerate(plain.__defaults__ or ()), *(plain.__kwdefaults__ or {}).items()]
        yield from (
            (f"default {one}", value) for one, value in defaults if isinstance(value, _GIVEN)
        )
    told = ((name, value) for name, value in sorted(found.items()) if isinstance(value, _TOLD))
    yield from ((name, value) for name, value in told if not name.startswith("__"))


def _digest_of_code(code: CodeType) -> str:
    """Return a digest of what a function does, wherever it stands and however it is laid out."""
    constants = [
        _digest_of_code(one)
        if isinstance(one, CodeType)
        else repr(sorted(map(repr, one)) if isinstance(one, frozenset) else one)
        for one in code.co_consts
    ]
    parts = (code.co_code.hex(), code.co_names, code.co_varnames, code.co_freevars, constants)
    return hashlib.sha256(repr(parts).encode()).hexdigest()
