"""The record of what the proof kernel has accepted, and whether it did so on this machine.

``data/proved.json`` is made by ``tgite_checks.proofs.extract`` and committed. That the proofs, as
they stand, were compiled here is another matter, and said apart.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Mapping, Sequence
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
    ``constants`` holds what the numbers named in the statement are defined to be.
    """

    name: str
    file: str
    labels: tuple[str, ...]
    statement: str
    constants: dict[str, str]
    axioms: tuple[str, ...]


class _Record(msgspec.Struct, forbid_unknown_fields=True):
    """The file."""

    comment: str
    theorems: list[ProvedTheorem]


Extract: TypeAlias = Mapping[str, ProvedTheorem]
"""The proved theorems by name."""


def proved() -> Extract:
    """Return the proved theorems; none where the record is absent.

    Raises :class:`~tgite.errors.InvalidInput` for a file that is not a record.
    """
    return read_extract(RECORD.read_text(encoding="utf-8")) if RECORD.is_file() else {}


def read_extract(text: str) -> Extract:
    """Read a record, as :func:`dump` writes it.

    Raises :class:`~tgite.errors.InvalidInput` for anything else.
    """
    try:
        record = msgspec.json.decode(text, type=_Record)
    except msgspec.DecodeError as error:
        raise InvalidInput("proved.json", text, f"is not a record ({error})") from None
    return {theorem.name: theorem for theorem in record.theorems}


def dump(theorems: Sequence[ProvedTheorem]) -> str:
    """Write an extract as the committed record holds it."""
    comment = "Made by `python -m tgite_checks.proofs.extract extract`; not to be edited."
    packed = msgspec.json.encode(_Record(comment, list(theorems)))
    return msgspec.json.format(packed, indent=1).decode() + "\n"


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
