"""Reading what the proof kernel has accepted, and whether it did so on this machine.

``data/proved.json`` is made by ``tgite_checks.proofs.extract`` and committed. That the proofs, as
they stand, were compiled here is another matter, and said apart.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from tgite.errors import InvalidInput
from tgite_checks.proofs.extract import COQ, RECORD, ProvedTheorem

RECHECK = "make -C proofs_checks/coq"
"""The command that has the proof kernel accept everything anew."""

Extract: TypeAlias = Mapping[str, ProvedTheorem]
"""The proved theorems by name."""

_SECONDS_TO_ASK = 20.0


def proved() -> Extract:
    """Return the proved theorems; none where the record is absent.

    Raises :class:`~tgite.errors.InvalidInput` for a file that is not a record.
    """
    return read_extract(RECORD.read_text(encoding="utf-8")) if RECORD.is_file() else {}


def read_extract(text: str) -> Extract:
    """Read a record, as ``tgite_checks.proofs.extract.dump`` writes it.

    Raises :class:`~tgite.errors.InvalidInput` for anything else.
    """
    try:
        content: object = json.loads(text)
    except ValueError as error:
        raise InvalidInput("proved.json", text, f"is not JSON ({error})") from None
    return {theorem.name: theorem for theorem in _theorems(content)}


def rechecked_here() -> bool:
    """Say whether the proofs, as they stand in this source tree, were compiled on this machine."""
    if not (COQ / "Makefile.coq").is_file() or shutil.which("coqc") is None:
        return False
    question = ["make", "--silent", "--question", "-f", "Makefile.coq", "all"]
    try:
        answer = subprocess.run(
            question, cwd=COQ, capture_output=True, timeout=_SECONDS_TO_ASK, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return answer.returncode == 0


def _theorems(content: object) -> Iterator[ProvedTheorem]:
    match content:
        case {"theorems": list(entries)}:
            pass
        case _:
            raise InvalidInput("proved.json", content, 'must be {"theorems": [...]}')
    for entry in entries:
        match entry:
            case {
                "name": str(name),
                "file": str(file),
                "labels": list(labels),
                "statement": str(statement),
                "constants": dict(constants),
                "axioms": list(axioms),
            }:
                yield ProvedTheorem(
                    name=name,
                    file=file,
                    labels=tuple(map(str, labels)),
                    statement=statement,
                    constants={str(constant): str(value) for constant, value in constants.items()},
                    axioms=tuple(map(str, axioms)),
                )
            case _:
                raise InvalidInput("proved.json", entry, "needs the fields of a ProvedTheorem")
