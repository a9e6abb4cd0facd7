"""The record of what the proof kernel has accepted.

``tgite_checks.proofs.extract`` makes ``data/proved.json``, which is committed. Whether a run has
compiled the proofs is known to that run alone.
"""

from __future__ import annotations

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

RECHECK = "tgite audit --proofs"
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
    """Return the proved theorems, or none if the record is absent."""
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
