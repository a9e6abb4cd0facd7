"""What a judge is: files on its command line, the words after them, a version that it states."""

from __future__ import annotations

import hashlib
import shlex
import shutil
from pathlib import Path

import msgspec

from tgite import InvalidInput
from tgite.errors import handled


class Identity(msgspec.Struct, frozen=True):
    """A judge as a journal knows it.

    ``command`` is how it was run, for people to read. ``files`` are the names and digests of the
    files that the command line names, and ``words`` what follows the first of them. So
    ``python3 -u judge.py`` is the same judge as ``python3 judge.py``, and an edited ``judge.py`` is
    another one. The program itself counts where it is the only file. ``version`` is what the judge
    says of itself, if it does: then that alone says whether it is the same.
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
        files = [(place, path) for place, word in enumerate(words) if (path := _file_of(word))]
        if not files:
            found = shutil.which(program)
            own = ((program, _digest(Path(found))),) if found else ()
            return Identity(command, own, tuple(words))
        after = words[files[0][0] + 1 :]
        return Identity(
            command,
            tuple((path.name, _digest(path)) for _, path in files),
            tuple(word for word in after if _file_of(word) is None),
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
