"""The record of what the proof kernel has accepted, and whether it did so on this machine.

``data/proved.json`` is made by ``tgite_checks.proofs.extract`` and committed. That the proofs, as
they stand, were compiled here is another matter, and said apart.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import TypeAlias

import msgspec

from tgite.errors import InvalidInput

COQ = Path(__file__).resolve().parents[2] / "coq"
"""The development; absent where only the wheel is installed."""

RECORD = Path(str(files("tgite_checks").joinpath("data/proved.json")))
"""The committed extract."""

RECHECK = "make -C proofs_checks/coq"
"""The command that has the proof kernel accept everything anew."""


class ProvedTheorem(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A theorem: its name and file, the paper's labels, and the prover's own words on it.

    ``labels`` is empty for what the paper does not state (a bridge to the Python code, say).
    ``constants`` holds what the numbers named in the statement are defined to be. ``rests_on`` are
    all definitions that the statement rests on, each with its file, and ``digest`` is of their full
    text (see :mod:`tgite_checks.proofs.definitions`).
    """

    name: str
    file: str
    labels: tuple[str, ...]
    statement: str
    constants: dict[str, str]
    axioms: tuple[str, ...]
    rests_on: tuple[str, ...] = ()
    digest: str = ""


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is recorded: the theorems, and the text of each definition that one of them rests on."""

    theorems: tuple[ProvedTheorem, ...]
    definitions: dict[str, str] = {}
    comment: str = "Made by `python -m tgite_checks.proofs.extract extract`; not to be edited."


Extract: TypeAlias = Mapping[str, ProvedTheorem]
"""The proved theorems by name."""


def recorded() -> Record:
    """Return the record; an empty one where the file is absent.

    Raises :class:`~tgite.errors.InvalidInput` for a file that is not a record.
    """
    return read_record(RECORD.read_text(encoding="utf-8")) if RECORD.is_file() else Record(())


def proved() -> Extract:
    """Return the proved theorems; none where the record is absent.

    Raises :class:`~tgite.errors.InvalidInput` for a file that is not a record.
    """
    return {theorem.name: theorem for theorem in recorded().theorems}


def read_record(text: str) -> Record:
    """Read a record, as :func:`dump` writes it.

    Raises :class:`~tgite.errors.InvalidInput` for anything else.
    """
    try:
        return msgspec.json.decode(text, type=Record)
    except msgspec.DecodeError as error:
        raise InvalidInput("proved.json", text, f"is not a record ({error})") from None


def dump(record: Record) -> str:
    """Write a record as it is committed."""
    return msgspec.json.format(msgspec.json.encode(record), indent=1).decode() + "\n"


def rechecked_here(directory: Path = COQ) -> bool:
    """Say whether the proofs, as they stand in this source tree, were compiled on this machine.

    They were if the prover is here and compiling left its note, ``.compiled``, of just these files.
    """
    note = directory / ".compiled"
    if shutil.which("coqc") is None or not note.is_file():
        return False
    listed = [directory / "_CoqProject", *sorted(directory.glob("*.v"))]
    digests = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in listed}
    noted = {
        name: digest
        for digest, name in map(str.split, note.read_text(encoding="utf-8").splitlines())
    }
    return noted == digests and all(path.with_suffix(".vo").is_file() for path in listed[1:])
