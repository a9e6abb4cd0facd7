"""A farm of planted bugs: what catches each, after how many cases or samples, at what cost.

``python tests/bug_farm.py`` plants every bug of ``bug_farm.toml`` in the NumPy implementation, one
at a time, plays the vectors with it and, where it changes a law, draws samples; it writes the table
of ``tests/bug_farm.md``. Names may follow: then these alone are planted, their rows written anew.
"""

from __future__ import annotations

import sys
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from types import ModuleType

import msgspec
import numpy as np

from tgite import RULINGS, Confidence, InvalidInput, PreferenceMatrix, Preferences, cyclic
from tgite.preferences import HALF
from tgite_conform.algorithms import Group
from tgite_conform.divergence import Diverged
from tgite_conform.faults import Fault
from tgite_conform.format import Case, conventions_to_json, read_vectors
from tgite_conform.law.catalogue import epoch_check, match_check, tournament_check
from tgite_conform.law.check import LawCheck, Terms
from tgite_conform.protocol import handed, read_played
from tgite_conform.referee import Level
from tgite_conform.subjects import BatchSubject, judge_played
from tgite_laws.pairwise import ChosenTest

_HERE = Path(__file__).parent
SOURCE = _HERE / "implementations" / "numpy_tgite.py"
PAGE = _HERE / "bug_farm.md"
_TOGETHER = 400
_LONGEST_CASE = 10**6
_MOST_SAMPLES = 600
_DRAWN_TOGETHER = 20
RULE = "|---|---|---:|---:|---:|---:|---:|---|\n"
# Outcomes to draw for each match of a sample: hardly any takes more.
_LONGEST = 1024
_MOST_MATCHES = 4


class Bug(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A planted bug: in the NumPy implementation ``original``, there once, is ``replaced``.

    ``kind`` is of what kind it is, ``law`` the algorithm whose law it changes
    at the parameters that are sampled, if it does.
    ``explained`` says why the vectors do not tell it, where they do not.
    """

    kind: str
    original: str
    replaced: str
    law: str = ""
    explained: str = ""


def bugs() -> dict[str, Bug]:
    """Read the bugs by name."""
    text = (_HERE / "bug_farm.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), dict[str, Bug])


def planted(bug: Bug) -> Callable[[list[dict[str, object]]], list[object]]:
    """Return the implementation with the bug; raises ``LookupError`` if it cannot be planted."""
    source = SOURCE.read_text(encoding="utf-8")
    if source.count(bug.original) != 1:
        raise LookupError(f"{bug.original!r} stands {source.count(bug.original)} times")
    module = ModuleType("planted")
    sys.modules["planted"] = module
    exec(compile(source.replace(bug.original, bug.replaced), "planted", "exec"), vars(module))
    play: Callable[[list[dict[str, object]]], list[object]] = module.play
    return play


class Caught(msgspec.Struct, frozen=True):
    """What the vectors say: the number of the first case that fails, how many do, CPU seconds.

    ``crashed`` counts those that fail by a crash alone.
    """

    first: int | None
    failed: int
    crashed: int
    seconds: float


def by_vectors(bug: Bug, cases: Sequence[Case]) -> Caught:
    """Play cases with a bug, in their order."""
    subject = BatchSubject(planted(bug), "planted")
    started, first, failed, crashed = time.process_time(), None, 0, 0
    for at in range(0, len(cases), _TOGETHER):
        some = cases[at : at + _TOGETHER]
        replies: Sequence[object] = ()
        with suppress(Exception):  # One case may end the call for all.
            replies = subject.play_raw([handed(case).as_object() for case in some])
        for number, case in enumerate(some):
            try:
                if len(replies) == len(some):
                    judge_played(case, read_played(replies[number]), Level.MATCHES)
                else:
                    subject.play(case)
            except Diverged:
                failed += 1
                first = first or at + number + 1
            except (Fault, InvalidInput):
                crashed += 1
    return Caught(first, failed, crashed, time.process_time() - started)


_TENTH, _QUARTER = Confidence.of("1/10"), Confidence.of("1/4")


def _law_checks(law: str) -> Iterator[tuple[LawCheck, dict[str, object], Preferences]]:
    """Yield checks of an algorithm's law: the check, what is handed out, the chances of duels."""
    if law in ("duel_test", "budgeted_duel_test"):
        g = None if law == "duel_test" else Fraction(1, 4)
        test, terms = ChosenTest.of_the_paper(g), Terms(cut=_LONGEST)
        match = {"u": 0, "v": 1, "delta": "1/10"} | ({} if g is None else {"g": "1/4"})
        # At smaller gaps DuelTest's runs would be longer than the tapes that are drawn.
        for p in (Fraction(7, 10), Fraction(3 if g is None else 6, 10)):
            two = PreferenceMatrix(((HALF, p), (1 - p, HALF)))
            yield match_check(_TENTH, p, test, terms), match, two
        return
    # The winner of the last is the neighbour of the start.
    for N, start in ((8, 3), (6, 3), (32, 17)):
        among = cyclic(N, Fraction(2, 5), Fraction(2, 5))
        given: dict[str, object] = {"N": N, "b": start, "epsilon": "1/10"}
        if law == "screen_and_replace":
            given = {"N": N, "c": start, "rho": "1/10", "kappa": "1/4"}
            yield epoch_check(start, _TENTH, _QUARTER, among), given, among
            continue
        if law == "bkt":
            given, start = {"S": list(range(N)), "delta": "1/10"}, 0
        yield tournament_check(law, _TENTH, among, start), given, among


def by_law(bug: Bug, seed: int = 1) -> int | None:
    """Return how many samples the law check rejects a bug after, None if no check of it does."""
    play = planted(bug)
    for check, given, among in _law_checks(bug.law):
        draw, seen = np.random.default_rng(seed), 0
        while seen < _MOST_SAMPLES:
            handed = [_handed(bug.law, given, among, draw) for _ in range(_DRAWN_TOGETHER)]
            for reply in play(handed):
                assert isinstance(reply, dict)
                seen += 1
                comparisons = sum(length for _, _, length, _ in reply["matches"])
                # A match that has used up its tape was cut; a longer run that has is no sample.
                is_sample = reply["result"] is not None or comparisons == check.terms.cut
                if is_sample and check.add_all([(comparisons, reply["result"])]):
                    return seen
    return None


def _handed(
    law: str, given: dict[str, object], among: Preferences, draw: np.random.Generator
) -> dict[str, object]:
    """Return a run to play: its tape is drawn beforehand."""
    tape: list[list[object]] = []
    for low, high in combinations(range(among.size), 2):
        p = float(among.probability(low, high))
        one, several = (1, _LONGEST), (_MOST_MATCHES, _LONGEST // 4)
        wins = draw.random(one if among.size == 2 else several) < p
        tape.append([low, high, *(np.packbits(match).tobytes().hex() for match in wins)])
    parameters = {**given, "conventions": conventions_to_json(RULINGS)}
    return {"case": "", "algorithm": law, "parameters": parameters, "horizon": None, "tape": tape}


def row(name: str, bug: Bug, cases: Sequence[Case]) -> str:
    """Return a bug's row of the table."""
    caught = by_vectors(bug, cases)
    samples = ""
    if bug.law:
        after = by_law(bug)
        samples = "not" if after is None else f"{after:,}"
    first = "not" if caught.first is None else f"{caught.first:,}"
    return (
        f"| {name} | {bug.kind} | {first} | {caught.failed:,} | {caught.crashed or ''} "
        f"| {caught.seconds:.1f} | {samples} | {bug.explained} |"
    )


def paper_cases() -> list[Case]:
    """Return all vectors of the paper's algorithms but those that are too long for this NumPy."""
    cases = read_vectors(algorithms=Group.PAPER.algorithms)
    return [one for one in cases if one.duels <= _LONGEST_CASE and one.arms <= 4096]


def main(names: Sequence[str]) -> None:
    """Run the farm, or a part of it, and write its rows into the table."""
    known, cases = bugs(), paper_cases()
    head, _, table = PAGE.read_text(encoding="utf-8").partition(RULE)
    rows = {line.split("|")[1].strip(): line for line in table.splitlines()}
    for name in names or known:
        rows[name] = row(name, known[name], cases)
        print(rows[name], flush=True)
    found = "\n".join(rows[name] for name in known if name in rows)
    PAGE.write_text(f"{head}{RULE}{found}\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
