"""Change the definitions of the proofs, one at a time, and print what detects each change.

    python -m coq_ties.mutations [--record] [NAME ...]

The command works on copies of the compiled development. For each change of ``coq/mutations.toml``,
or for each named one, it answers two questions. Does the record of the definitions detect the
change? In which file do the proofs fail? With ``--record`` only the first is answered, because
compiling the proofs is most of the work. Returns 1 if the record misses a change, or if the proofs
fail in another file than ``coq/mutations.toml`` says.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import msgspec

from tgite_checks.proofs.definitions import foundations
from tgite_checks.proofs.extract import query, readable
from tgite_checks.proofs.gate import BELIEVED, sources
from tgite_checks.proofs.record import COQ, recorded

LISTED = COQ / "mutations.toml"
_PROOFS = "(** * Proofs *)"
_STATEMENT = re.compile(r"^Definition ([\w']+)_statement\b", re.MULTILINE)
_FAILED = re.compile(r'File "\./(\w+)\.v"')
_UNREADABLE = re.compile("Syntax error|was not found in the current")


class Mutation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A change: in ``file``, ``before`` becomes ``after``.

    ``breaks`` is the file whose proofs fail first. It is empty if that is not recorded, or if no
    proof fails because the changed statements hold too. In the latter case ``proved`` says so.
    """

    name: str
    file: str
    before: str
    after: str
    breaks: str = ""
    proved: str = ""


def mutations() -> list[Mutation]:
    """Read the listed changes."""
    listed = tomllib.loads(LISTED.read_text(encoding="utf-8"))["mutation"]
    return msgspec.convert(listed, list[Mutation])


def changed(mutation: Mutation, folder: Path) -> Path:
    """Copy the development into ``folder`` with the change; return the copy's path.

    The text to change must occur exactly once.
    """
    copy = folder / "coq"
    shutil.copytree(COQ, copy)
    source = copy / f"{mutation.file}.v"
    text = source.read_text(encoding="utf-8")
    if text.count(mutation.before) != 1:
        raise LookupError(f"{mutation.name}: the text occurs {text.count(mutation.before)} times")
    source.write_text(text.replace(mutation.before, mutation.after), encoding="utf-8")
    return copy


@contextmanager
def stated(mutation: Mutation, copy: Path) -> Iterator[str]:
    """Compile the changed definitions and yield the file whose statements depend on them.

    If a file also has proofs, only the part before them is compiled, because the proofs may fail.
    """
    if mutation.file in BELIEVED:
        compiled(copy, "Statements.vo").check_returncode()
        yield "Statements"
        return
    source = copy / f"{mutation.file}.v"
    text = source.read_text(encoding="utf-8")
    source.write_text(text.partition(_PROOFS)[0], encoding="utf-8")
    compiled(copy, f"{mutation.file}.vo").check_returncode()
    yield mutation.file
    source.write_text(text, encoding="utf-8")


def compiled(directory: Path, target: str) -> subprocess.CompletedProcess[str]:
    """Compile ``target`` and what it needs; return the finished process."""
    command = ["make", "-f", "Makefile.coq", target]
    return subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)


def broken_file(mutation: Mutation, done: subprocess.CompletedProcess[str]) -> str:
    """Return the file in which a proof failed, or nothing if none did.

    Raises ``LookupError`` if the changed text does not parse, because that would show nothing.
    """
    if done.returncode == 0:
        return ""
    failed = _FAILED.search(done.stderr)
    if failed is None or (failed[1] == mutation.file and _UNREADABLE.search(done.stderr)):
        raise LookupError(done.stderr[-500:])
    return failed[1]


def unrecorded(directory: Path, file: str = "Statements") -> list[str]:
    """Return the theorems whose statements depend on something that differs from the record.

    They are the file's statements with other digests, and all theorems that depend on a changed
    definition of the file. Only this file and the files before it need to be compiled. For
    ``Statements`` these are the files that a reader must check.
    """
    stems = [path.stem for path in sources(directory)]
    stems = stems[: stems.index(file) + 1]
    ask = partial(query, directory=directory)
    text = (directory / f"{file}.v").read_text(encoding="utf-8")
    named = {f"{file}.{name}_statement": name for name in _STATEMENT.findall(text)}
    found = foundations(list(named), stems, ask)
    record = recorded()
    before = {
        name: text for name, text in record.definitions.items() if name.startswith(f"{file}.")
    }
    now = readable(list(before), stems, ask)
    changed = {name for name in before if now[name] != before[name]}
    digests = {theorem.name: theorem.digest for theorem in record.theorems}
    otherwise = {name for one, name in named.items() if found[one].digest != digests[name]}
    otherwise |= {one.name for one in record.theorems if not changed.isdisjoint(one.rests_on)}
    return sorted(otherwise)


def main(arguments: Sequence[str]) -> int:
    """Make the changes, and print for each change what detects it."""
    names = [argument for argument in arguments if argument != "--record"]
    missed = 0
    for mutation in mutations():
        if names and mutation.name not in names:
            continue
        began = time.perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            copy = changed(mutation, Path(folder))
            with stated(mutation, copy) as file:
                noticed = len(unrecorded(copy, file))
            said = f"{mutation.name}: {noticed} recorded statements depend on it"
            right = noticed > 0
            if "--record" not in arguments:
                broken = broken_file(mutation, compiled(copy, "all"))
                said += f"; proofs fail in {broken or 'no file'}"
                right = (
                    right and mutation.breaks in {broken, ""} and not (broken and mutation.proved)
                )
        missed += not right
        seconds = time.perf_counter() - began
        print(f"{'' if right else 'MISSED '}{said} ({seconds:.0f} s)", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
