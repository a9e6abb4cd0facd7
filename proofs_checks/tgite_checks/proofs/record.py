"""The record of what the proof kernel has accepted, and whether it did so on this machine.

``tgite_checks.proofs.extract`` makes ``data/proved.json``, which is committed. Whether the present
proofs were compiled on this machine is a separate question (:func:`rechecked_here`).
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
"""The folder of the development; absent where only the wheel is installed."""

RECORD = Path(str(files("tgite_checks").joinpath("data/proved.json")))
"""The committed extract."""

RECHECK = "make -C proofs_checks/coq"
"""The command that compiles all proofs again."""


class ProvedTheorem(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A theorem: its name and file, the paper's labels, and the prover's text of it.

    ``labels`` is empty if the paper does not state it (for example a bridge to the Python code).
    ``constants`` has the values of the constants named in the statement. ``rests_on`` are all
    definitions that the statement depends on, each with its file. ``digest`` is the digest of their
    full text (see :mod:`tgite_checks.proofs.definitions`).
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
    """The record: the theorems, and the text of each definition that a theorem depends on."""

    theorems: tuple[ProvedTheorem, ...]
    definitions: dict[str, str] = {}
    comment: str = "Made by `python -m tgite_checks.proofs.extract extract`; not to be edited."


Extract: TypeAlias = Mapping[str, ProvedTheorem]
"""The proved theorems by name."""


def recorded() -> Record:
    """Return the record, or an empty one if the file is absent.

    Raises :class:`~tgite.errors.InvalidInput` for a file that is not a record.
    """
    return read_record(RECORD.read_text(encoding="utf-8")) if RECORD.is_file() else Record(())


def proved() -> Extract:
    """Return the proved theorems, or none if the record is absent.

    Raises :class:`~tgite.errors.InvalidInput` for a file that is not a record.
    """
    return {theorem.name: theorem for theorem in recorded().theorems}


def read_record(text: str) -> Record:
    """Parse a record that :func:`dump` wrote.

    Raises :class:`~tgite.errors.InvalidInput` for anything else.
    """
    try:
        return msgspec.json.decode(text, type=Record)
    except msgspec.DecodeError as error:
        raise InvalidInput("proved.json", text, f"is not a record ({error})") from None


def dump(record: Record) -> str:
    """Return a record as the text that is committed."""
    return msgspec.json.format(msgspec.json.encode(record), indent=1).decode() + "\n"


def rechecked_here(directory: Path = COQ) -> bool:
    """Return whether the present proofs of this source tree were compiled on this machine.

    That is so if the prover is installed and the file ``.compiled``, which compilation writes,
    lists exactly these files.
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
