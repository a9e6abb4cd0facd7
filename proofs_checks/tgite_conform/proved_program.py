"""The program that is extracted from the proofs: build it, and hold it to the reference.

``python -m tgite_conform.proved_program NUMBER`` builds the program
``proofs_checks/program/tgite-proved`` and plays every vector and as many random cases with it. What
is proved of it is said in ``docs/program.md``; the reference is not proved, so that each is a check
on the other.
"""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from tgite_checks.proofs.extract import ProverMissing, require_prover
from tgite_checks.proofs.gate import ProofsFailed
from tgite_checks.proofs.record import COQ
from tgite_conform.cases.random_cases import random_cases
from tgite_conform.format import Case, read_vectors
from tgite_conform.process import ProcessConnection
from tgite_conform.program import ProgramSubject
from tgite_conform.runner import CaseResult, Status, examine

PROGRAM = COQ.parent / "program"
"""Where the program is built; absent where only the wheel is installed."""

_SECONDS = 60.0
_RIGHT = (Status.CONFORMS, Status.SKIPPED)
"""What is no difference; it does not play what it does not declare."""
_SEED = 1


def require_compiler() -> None:
    """Raise ``ProverMissing`` (of ``proofs.extract``), with the reason, unless all is there."""
    require_prover()
    if shutil.which("ocamlfind") is None:
        raise ProverMissing("ocamlfind is not installed (Debian: ocaml-findlib)")
    for library in ("zarith", "yojson"):
        done = subprocess.run(["ocamlfind", "query", library], capture_output=True, check=False)
        if done.returncode != 0:
            raise ProverMissing(f"{library} is not installed (Debian: lib{library}-ocaml-dev)")


def build(directory: Path = PROGRAM) -> Path:
    """Build the program from the proofs and return its path; they are compiled if need be.

    Raises :class:`~.gate.ProofsFailed`, with the message, if that fails.
    """
    made = subprocess.run(
        ["make", "-C", str(directory)], capture_output=True, text=True, check=False
    )
    if made.returncode != 0:
        raise ProofsFailed(f"make -C {directory} failed:\n{made.stderr[-3000:]}")
    return directory / "tgite-proved"


@dataclass(frozen=True, slots=True)
class Tally:
    """What came of some cases: how many of each status, and what did not conform.

    ``seconds`` is the program's own processor time.
    """

    statuses: Counter[Status]
    duels: int
    seconds: float
    differing: tuple[CaseResult, ...] = field(repr=False)

    def __str__(self) -> str:
        """Write it for a reader."""
        counts = ", ".join(f"{count:,} {status}" for status, count in self.statuses.items())
        speed = self.duels / self.seconds
        return f"{counts}; {self.duels:,} duels, {speed:,.0f} a second of the program's time"


def held_to_the_reference(program: Path, cases: Iterable[Case], *options: str) -> Tally:
    """Play cases with the program, whole tapes at a time."""
    before = _time_of_children()
    command = [str(program), *options]
    subject = ProgramSubject(ProcessConnection(command), program.name, _SECONDS)
    try:
        results = list(examine(subject, cases))
    finally:
        subject.close()
    return Tally(
        Counter(result.status for result in results),
        sum(result.duels for result in results),
        _time_of_children() - before,
        tuple(result for result in results if result.status not in _RIGHT),
    )


def _time_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main(arguments: Sequence[str]) -> int:
    """Build the program and play all vectors and NUMBER random cases; print what came of it.

    Returns 0 if all conforms, 1 if something does not or cannot be built, 2 if it cannot be done
    here.
    """
    if len(arguments) != 1 or not arguments[0].isdecimal():
        print(__doc__, file=sys.stderr)
        return 2
    try:
        require_compiler()
        program = build()
    except (ProverMissing, ProofsFailed) as error:
        print(error, file=sys.stderr)
        return 2 if isinstance(error, ProverMissing) else 1
    conforms = True
    for name, cases in (
        ("vectors", read_vectors()),
        ("random cases", list(islice(random_cases(_SEED), int(arguments[0])))),
    ):
        tally = held_to_the_reference(program, cases)
        print(f"{name}: {tally}")
        for result in tally.differing[:3]:
            print(f"  {result.case.name}: {result.case.algorithm} {result.case.parameters}")
            print(f"  {result.divergence or result.detail}")
        conforms = conforms and not tally.differing
    return 0 if conforms else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
