"""Which case is there for which known mistake: ``python -m tgite_checks.conformance.mutant_cases``.

It plays every case of moderate length against every mutant and writes the choice to
``cases/mutants.json``. That takes some ten minutes and is needed only when the mutants change.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence

from tgite_checks.conformance.algorithms import ReferenceStream, stream_of
from tgite_checks.conformance.cases import mutants as mutant_recipes
from tgite_checks.conformance.cases import recipes
from tgite_checks.conformance.divergence import Diverged
from tgite_checks.conformance.faults import Fault
from tgite_checks.conformance.format import Case, Expected, Parameter, read_conventions
from tgite_checks.conformance.generate import made
from tgite_checks.conformance.strict_json import Reader
from tgite_checks.conformance.subjects import StreamSubject
from tgite_checks.implementation import Implementation
from tgite_checks.mutation import Mutant, mutated

_MOST_DUELS = 600
# Mistakes that show only in a long run: their cases are looked at too.
_LONG_RUNS = ("2 arms, very many epochs", "2 arms; cut at 2^")


def subject_of(implementation: Implementation) -> StreamSubject:
    """Return an implementation in the shape of the transcription as a subject."""

    def make(algorithm: str, parameters: dict[str, object]) -> ReferenceStream:
        given = dict(parameters)
        conventions = read_conventions(Reader(given.pop("conventions"), "conventions"))
        read: dict[str, Parameter] = {}
        for name, value in given.items():
            if isinstance(value, list):
                read[name] = tuple(value)
            elif isinstance(value, int | str):
                read[name] = value
        return stream_of(implementation, algorithm, read, conventions)

    return StreamSubject(make, implementation.name)


def fails(subject: StreamSubject, case: Case) -> bool:
    """Say whether a subject fails a case."""
    try:
        subject.play(case)
    except (Diverged, Fault):
        return True
    return False


def failures(mutants: Iterable[Mutant], cases: Sequence[Case]) -> dict[str, set[str]]:
    """Return the identifiers of the cases that each mutant fails."""
    found: dict[str, set[str]] = {}
    for mutant in mutants:
        subject = subject_of(mutated(mutant))
        found[mutant.name] = {case.id for case in cases if fails(subject, case)}
        print(f"{mutant.name}: fails {len(found[mutant.name])}", file=sys.stderr, flush=True)
    return found


def choose(
    failed: Mapping[str, set[str]], cases: Sequence[Case]
) -> dict[str, mutant_recipes.Choice]:
    """Choose for each mutant a case of its own, which it fails with the fewest others.

    The mutants with the fewest cases choose first.
    """
    duels = {case.id: case.expected.duels for case in cases if isinstance(case.expected, Expected)}
    failing = {case: {name for name in failed if case in failed[name]} for case in duels}
    taken: set[str] = set()
    chosen: dict[str, mutant_recipes.Choice] = {}

    def rank(case: str) -> tuple[int, int, str]:
        return len(failing[case]), duels[case], case

    by_need = sorted(failed, key=lambda name: (len(failed[name] & set(duels)), name))
    for name in by_need:
        free = (failed[name] & set(duels)) - taken
        if free:
            best = min(free, key=rank)
            taken.add(best)
            chosen[name] = mutant_recipes.Choice(best, tuple(sorted(failing[best] - {name})))
    return chosen


def main() -> None:
    """Choose anew and write the table."""
    everything = [*recipes(), *mutant_recipes.recipes()]
    cases = [
        case
        for case in made(everything)
        if isinstance(case.expected, Expected)
        and (case.expected.duels <= _MOST_DUELS or case.name.startswith(_LONG_RUNS))
    ]
    chosen = choose(failures(mutant_recipes.all_mutants().values(), cases), cases)
    table = {
        name: {"case": chosen[name].case, "also": list(chosen[name].also)}
        for name in sorted(chosen)
    }
    mutant_recipes.CHOSEN.write_text(json.dumps(table, indent=1) + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
