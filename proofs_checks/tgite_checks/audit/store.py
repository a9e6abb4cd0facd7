"""The store of results: one file for each task, written atomically, so that a run can resume.

A file names the digest of the sources of its result. A torn or corrupt file is reported in a note,
and its task is run again.
"""

from __future__ import annotations

import hashlib
import os
import re
from dataclasses import dataclass, field, fields
from pathlib import Path
from tempfile import NamedTemporaryFile

import msgspec

from tgite.errors import handled
from tgite_checks.audit.json_form import plain, read
from tgite_checks.audit.tasks import Finished, Task
from tgite_checks.check import Depth, Result
from tgite_checks.plot import Plot

_LONGEST_SLUG = 80


@dataclass(frozen=True, slots=True)
class _WithPlots(Result):
    """The type of a result in a file."""

    plots: tuple[Plot, ...] = ()


class _Entry(msgspec.Struct, frozen=True, tag="tgite-result/2", tag_field="format"):
    """The content of a file, below a line with its SHA-256."""

    task: str
    depth: Depth
    digest: str
    seconds: float
    result: _WithPlots


@dataclass(slots=True)
class FileStore:
    """Results in a folder; ``notes`` lists the files that could not be used.

    Raises :class:`~tgite.errors.InvalidInput` if the folder cannot be created.
    """

    folder: Path
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Create the folder."""
        with handled("out", self.folder, "made"):
            self.folder.mkdir(parents=True, exist_ok=True)

    def path(self, task: Task, depth: Depth) -> Path:
        """Return the file of a task's result at a depth."""
        name = f"{depth} {task}"
        slug = re.sub(r"[^A-Za-z0-9.]+", "-", name)[:_LONGEST_SLUG].strip("-")
        return self.folder / f"{slug}-{hashlib.sha256(name.encode()).hexdigest()[:12]}.json"

    def find(self, task: Task, depth: Depth, digest: str) -> Finished | None:
        """Return the stored result for these sources; note a file that is torn or corrupt."""
        path = self.path(task, depth)
        try:
            seal, _, content = path.read_bytes().partition(b"\n")
            if seal != _seal(content):
                raise ValueError("not what was written")
            entry = read(content, _Entry)
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            self.notes.append(f"{path.name} cannot be read or is torn ({error}); run anew")
            return None
        if (entry.task, entry.depth, entry.digest) != (str(task), depth, digest):
            return None
        result = Result(*(getattr(entry.result, one.name) for one in fields(Result)))
        return Finished(task, result, seconds=entry.seconds, reused=True)

    def keep(self, finished: Finished, depth: Depth, digest: str) -> None:
        """Store a result; a concurrent reader sees either the old file or the new one, complete."""
        if finished.result is None:
            raise ValueError("only a result is stored")
        seconds = round(finished.seconds, 3)
        parts = (getattr(finished.result, one.name) for one in fields(Result))
        entry = _Entry(str(finished.task), depth, digest, seconds, _WithPlots(*parts))
        content = msgspec.json.encode(plain(entry))
        with handled("out", self.folder, "written"):
            with NamedTemporaryFile(
                dir=self.folder, prefix=".", suffix=".part", delete=False
            ) as file:
                file.write(_seal(content) + b"\n" + content)
            os.replace(file.name, self.path(finished.task, depth))


def _seal(content: bytes) -> bytes:
    return hashlib.sha256(content).hexdigest().encode()
