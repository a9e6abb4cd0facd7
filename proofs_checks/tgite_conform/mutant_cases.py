"""Which case is there for which known mistake: ``python -m tgite_conform.mutant_cases``.

It plays every case of moderate length against every mutant and writes the choice to
``cases/mutants.json``. That takes some ten minutes and is needed only when the mutants change. The
mutants of a version alone are chosen for by ``... mutant_cases 1.1``: the tests beyond the paper
have had cases since then.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence

from tgite_checks.mutation import Mutant, mutated
from tgite_conform.algorithms import ALGORITHMS, Maker
from tgite_conform.cases import mutants as mutant_recipes
from tgite_conform.cases import recipes
from tgite_conform.divergence import Diverged, Divergence
from tgite_conform.faults import Fault
from tgite_conform.format import Case, Expected, Version
from tgite_conform.generate import made
from tgite_conform.subjects import StreamSubject
from tgite_laws.implementation import Implementation

_MOST_DUELS = 600
KEEPS_STATE = frozenset({"dueltest-stale-samples"})
"""Mutants that carry something over from one run to the next: each run needs a new one."""
# Mistakes that show only in a long run: their cases are looked at too.
_LONG_RUNS = ("2 arms, many epochs", "2 arms, very many epochs", "2 arms; cut at 2^", "65 arms")


def subject_of(implementation: Implementation) -> StreamSubject:
    """Return an implementation in the shape of the transcription as a subject."""
    return StreamSubject(Maker(implementation), implementation.name)


def first_divergence(subject: StreamSubject, case: Case) -> Divergence | Fault | None:
    """Return the first divergence of a subject in a case, or its fault, or None if it conforms."""
    try:
        subject.play(case)
    except Diverged as diverged:
        return diverged.divergence
    except Fault as fault:
        return fault
    return None


def parting_duel(subject: StreamSubject, case: Case) -> int | None:
    """Return the duel at which a subject parts from the reference, 0 for a fault, None if never."""
    found = first_divergence(subject, case)
    return found.duel if isinstance(found, Divergence) else None if found is None else 0


def partings(mutants: Iterable[Mutant], cases: Sequence[Case]) -> dict[str, dict[str, int]]:
    """Return for each mutant the cases that it fails, with the duels at which it parts."""
    found: dict[str, dict[str, int]] = {}
    for mutant in mutants:
        subject = subject_of(mutated(mutant))
        duels: dict[str, int | None] = {}
        for case in cases:
            if mutant.name in KEEPS_STATE:
                subject = subject_of(mutated(mutant))
            duels[case.id] = parting_duel(subject, case)
        found[mutant.name] = {case: duel for case, duel in duels.items() if duel is not None}
        print(f"{mutant.name}: fails {len(found[mutant.name])}", file=sys.stderr, flush=True)
    return found


def choose(
    parted: Mapping[str, Mapping[str, int]], cases: Sequence[Case]
) -> dict[str, mutant_recipes.Choice]:
    """Choose for each mutant a case of its own, in which few others part at the same duel.

    Runs are preferred to bad inputs, and short runs to long ones. The mutants with the fewest cases
    choose first.
    """
    lengths = {
        case.id: (0, case.expected.duels) if isinstance(case.expected, Expected) else (1, 0)
        for case in cases
    }
    together: dict[tuple[str, int], set[str]] = {}
    for name, duels in parted.items():
        for case, duel in duels.items():
            together.setdefault((case, duel), set()).add(name)
    taken: set[str] = set()
    chosen: dict[str, mutant_recipes.Choice] = {}
    for name in sorted(parted, key=lambda name: (len(parted[name]), name)):
        best = min(
            (
                (lengths[case][0], len(together[case, duel]), lengths[case][1], case, duel)
                for case, duel in parted[name].items()
                if case not in taken
            ),
            default=None,
        )
        if best is not None:
            *_, case, duel = best
            taken.add(case)
            others = tuple(sorted(together[case, duel] - {name}))
            chosen[name] = mutant_recipes.Choice(case, duel, others)
    return chosen


def candidates(version: Version) -> list[Case]:
    """Make all the cases of a version that are looked at.

    For a mistake in a test beyond the paper they are matches of that test alone, and for one in a
    certificate, certificates: no mistake in the paper's algorithms shows there.
    """
    cases = made([*recipes(version), *mutant_recipes.recipes(version)])
    return [case for case in cases if _is_looked_at(case, version)]


def _is_looked_at(case: Case, version: Version) -> bool:
    row = ALGORITHMS[case.algorithm]
    if version is not Version.V1 and not (row.is_a_test or row.certifies):
        return False
    return (
        not isinstance(case.expected, Expected)
        or case.expected.duels <= _MOST_DUELS
        or case.name.startswith(_LONG_RUNS)
    )


def main(versions: Sequence[str]) -> None:
    """Choose anew for the mutants of some versions, all by default, and write the table."""
    chosen = mutant_recipes.chosen()
    for version in map(Version, versions or Version):
        mutants = mutant_recipes.mutants_of(version)
        cases = candidates(version)
        chosen = {name: choice for name, choice in chosen.items() if name not in mutants}
        chosen |= choose(partings(mutants.values(), cases), cases)
    mutant_recipes.write(chosen)


if __name__ == "__main__":
    main(sys.argv[1:])
