"""The program that is extracted from the proofs: build it, and hold it to the reference.

``python -m tgite_checks.conformance.proved_program NUMBER`` builds the program
``proofs_checks/program/tgite-proved`` and plays every vector and as many random cases with it. What
is proved of it is said in ``docs/program.md``; the reference is not proved, so that each is a check
on the other.
"""

from __future__ import annotations

import random
import resource
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice
from pathlib import Path

from tgite import Confidence, Conventions, InvalidInput
from tgite.confidence import write_rational
from tgite.exact import basel_factor_enclosure
from tgite_checks.conformance import plans
from tgite_checks.conformance.algorithms import ALGORITHMS, Group
from tgite_checks.conformance.format import CHOICES, Case, Parameter, read_vectors
from tgite_checks.conformance.process import ProcessConnection
from tgite_checks.conformance.program import ProgramSubject
from tgite_checks.conformance.record import Recipe, case_of
from tgite_checks.conformance.runner import CaseResult, Status, examine
from tgite_checks.pairwise import PairwiseName
from tgite_checks.proofs.extract import ProverMissing, require_prover
from tgite_checks.proofs.gate import ProofsFailed
from tgite_checks.proofs.record import COQ

PROGRAM = COQ.parent / "program"
"""Where the program is built; absent where only the wheel is installed."""

_SECONDS = 60.0
_RIGHT = (Status.CONFORMS, Status.SKIPPED)
"""What is no difference; it does not play what it does not declare."""
_SEED = 1
_MOST_ARMS = 40


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


# Random cases.


def random_cases(seed: int, algorithms: Sequence[str] = Group.PAPER.algorithms) -> Iterator[Case]:
    """Make cases without end: algorithms, sizes, levels, gaps, conventions, outcomes and cuts.

    Some levels lie just above 1, and must be refused. Candidates are left out that do not end as
    they should, play too long, or come nearer to a boundary than double precision can tell.
    """
    drawn = random.Random(seed)
    while True:
        try:
            yield case_of(_recipe(drawn, algorithms))
        except ValueError:
            continue


def _recipe(drawn: random.Random, algorithms: Sequence[str]) -> Recipe:
    algorithm = drawn.choice(algorithms)
    row = ALGORITHMS[algorithm]
    # The values are of CHOICES, which types do not tie to the fields.
    by = Conventions(**{name: drawn.choice(CHOICES[name]) for name in CHOICES})  # type: ignore[arg-type]
    N = drawn.choice((2, 3, 4, 5, 6, 7, 8, drawn.randint(2, _MOST_ARMS)))
    if "power_of_two" in algorithm:
        N = 2 ** drawn.randint(1, 5)
    parameters: dict[str, Parameter] = {"N": N} if "N" in row.parameters else {}
    bad = ""
    for name in row.parameters:
        if name in row.optional and drawn.random() < 0.5:
            continue
        match name:
            case "u" | "v":
                parameters |= zip(("u", "v"), _arms(drawn, 2, by.first_arm), strict=True)
            case "S":
                parameters[name] = _arms(drawn, N, by.first_arm)
            case "b" | "b_0" | "c":
                parameters[name] = drawn.randrange(N) + by.first_arm
            case "H":
                parameters[name] = drawn.randint(1, 10 ** drawn.choice((1, 2, 3, 4, 30)))
            case "g":
                denominator = drawn.randint(2, 30)
                gap = Fraction(drawn.randint(1, denominator), 2 * denominator)
                parameters[name] = write_rational(max(gap, Fraction(1, 20)))
                if 2 * gap == 1 and not row.test.of_the_paper:
                    bad = name
            case _ if name != "N":
                factor = row.is_a_test or name == "rho"
                level = _level(drawn, drawn.random() < 0.3 and factor)
                parameters[name] = level
                bad = bad or ("" if _is_level(level) else name)
    cut = row.endless or drawn.random() < 0.1
    horizon = int(10 ** drawn.uniform(0, 3.5)) if cut else None
    budgeted = row.test in (PairwiseName.BUDGETED, PairwiseName.TRUNCATED_SPRT)
    outcomes = _plan(drawn, N, budgeted)
    return Recipe("drawn at random", algorithm, parameters, outcomes, by, horizon, bad)


def _arms(drawn: random.Random, number: int, first_arm: int) -> tuple[int, ...]:
    return tuple(arm + first_arm for arm in drawn.sample(range(2 * _MOST_ARMS), number))


def _level(drawn: random.Random, factor: bool) -> str:
    if factor and drawn.random() < 0.5:
        # A neighbour of pi^2/6 on either side: the level is just below 1, or just above.
        low, _ = basel_factor_enclosure(60)
        near = (1 / low).limit_denominator(10 ** drawn.randint(1, 12))
        return f"{write_rational(near)} * 6/pi^2"
    denominator = drawn.choice((drawn.randint(2, 100), 10 ** drawn.randint(1, 30)))
    rational = Fraction(drawn.randint(1, denominator - 1), denominator)
    text = drawn.choice((write_rational(rational), f"2^-{drawn.randint(1, 200)}"))
    return f"{text} * 6/pi^2" if factor else text


def _is_level(text: str) -> bool:
    try:
        Confidence.of(text)
    except InvalidInput:
        return False
    return True


def _plan(drawn: random.Random, N: int, budgeted: bool) -> plans.Plan:
    script = "".join(drawn.choice("uv") for _ in range(drawn.randint(1, 20)))
    winner = drawn.choice(
        (plans.scripted(script), plans.cycle(N), plans.arm_wins(drawn.randrange(N)))
    )
    ways: list[plans.Way] = [
        plans.straight,
        plans.late(drawn.randint(0, 30)),
        plans.noisy(drawn.randrange(10**6), drawn.randint(75, 95)),
        plans.along_the_boundary(drawn.randint(1, 200), drawn.random() < 0.5),
    ]
    # Without a budget a tie goes on for ever.
    ways += [plans.tie] * budgeted
    return plans.plan(winner, plans.by_turns(*drawn.sample(ways, 3)))


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
