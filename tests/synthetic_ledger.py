"""A small ledger of no meaning, for the tests of what runs and reports ledgers.

Its checks do what the environment tells them to: ``SYNTHETIC_LOG`` names a file that gets a line
for every run, ``SYNTHETIC_GATE`` a file without which the check ``slow`` waits.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import replace
from math import inf, log, sqrt
from pathlib import Path

from msgspec import structs

from tgite import Confidence
from tgite_checks.check import (
    Check,
    Demonstration,
    Depth,
    Kind,
    Number,
    Question,
    Result,
    Statistics,
)
from tgite_checks.claims.book import Ledger
from tgite_checks.claims.model import (
    Claim,
    ClaimKind,
    Consequence,
    Finding,
    Outcome,
    Severity,
    Verdict,
)
from tgite_checks.mutation import Mutant
from tgite_checks.plot import Plot, Role, Series
from tgite_laws.enclosure import Enclosure
from tgite_laws.implementation import Implementation

TENTH = Confidence.of("1/10")


def note(line: str) -> None:
    name = os.environ.get("SYNTHETIC_LOG")
    if name:
        with Path(name).open("a", encoding="utf-8") as file:
            file.write(line + "\n")


def radius(implementation: Implementation, depth: Depth) -> Result:
    """Look at the radius of DuelTest for one n."""
    note(f"radius {depth} {implementation.name}")
    found = Enclosure.exactly(implementation.c(1, TENTH))
    right = found.contains(sqrt(log(40) / 2))
    return Result(
        right,
        3,
        "c(1, 1/10) is `sqrt(log(40)/2)`",
        numbers=(
            Number("c(1, 1/10)", found, Enclosure(2.0, 2.0)),
            Number("c(2, 1/10)", Enclosure(1.0, 1.5), Enclosure(2.0, 2.0)),
            Number("infinite & <odd>", Enclosure(1.0, inf), Enclosure(2.0, inf)),
        ),
        counterexample="" if right else f"c(1, 1/10) = {found}",
        plots=(
            Plot(
                "Radius <n>",
                "duels n",
                "radius",
                (
                    Series("c", tuple((n, Enclosure(1 / n, 1.1 / n)) for n in (1.0, 2.0, 4.0))),
                    Series("twice", ((1.0, Enclosure(2, 2)), (4.0, Enclosure(1, 1))), Role.BOUND),
                    Series("above", ((1.0, Enclosure(2, inf)),), Role.PRINTED),
                ),
                log_x=True,
                log_y=True,
            ),
        ),
    )


def below(bound: float, depth: Depth) -> Result:
    """Look whether three values are below a bound."""
    note(f"below-1 {depth} {bound:g}")
    found = [Enclosure(value, value * (1 + 1e-12)) for value in (0.01, 0.3, 0.9)]
    numbers = (Number(f"at {value.low:g}", value, Enclosure(bound, bound)) for value in found)
    right = all(one.high < bound for one in found)
    return Result(right, 3, f"all below {bound:g}", tuple(numbers))


def slow(_: Implementation, depth: Depth) -> Result:
    """Wait for the gate to open."""
    note(f"slow {depth} begins")
    gate = os.environ.get("SYNTHETIC_GATE")
    while gate and not Path(gate).exists():
        time.sleep(0.02)
    note(f"slow {depth} ends")
    return Result(True, 1, "the gate is open")


def raising(_: Implementation, depth: Depth) -> Result:
    note(f"raising {depth}")
    raise ZeroDivisionError("by <nothing>")


def dying(_: Implementation, depth: Depth) -> Result:
    os._exit(9)


def noted(name: str, result: Result) -> Callable[[Implementation, Depth], Result]:
    """Return what gives a result."""

    def run(_: Implementation, depth: Depth) -> Result:
        note(f"{name} {depth}")
        return result

    return run


empty = noted("empty", Result(True, 0, "nothing was looked at"))
failing = noted("failing", Result(False, 2, "one of two is wrong", (), "the second: 2 > 1"))
demonstrated = noted("demonstrated", Result(True, 1, "1 is not 2"))
NO_SQUARE_ROOT = Mutant(
    name="no-square-root",
    label="alg:dueltest",
    module="duel_test",
    function="c",
    original="return sqrt(",
    replaced="return (",
    mistake="the square root is forgotten",
)
RADIUS = Check(
    "radius",
    Question.FIDELITY,
    Kind.EXHAUSTIVE,
    "The radius is right for n = 1 at level 1/10.",
    radius,
    rejects=(NO_SQUARE_ROOT.name,),
)
BELOW = Check(
    "below-1",
    Question.TRUTH,
    Kind.CERTIFIED,
    "Three values are below the limit.",
    lambda _, depth: below(1.0, depth),
    refuses={"half as much": lambda _, depth: below(0.5, depth)},
    sizes={"values:": ((), range(1, 10, 3), (4, 5, 6)), "limit": (1.0, 1.0, 1.0)},
)
SLOW = Check(
    "slow",
    Question.EXPERIMENT,
    Kind.STATISTICAL,
    "One gate opens.",
    slow,
    refuses={"a closed gate": failing},
    statistics=Statistics(1e-9, 0.99, "a gate that is closed"),
)


WORDS = {
    Kind.THEOREM: Outcome.PROVED,
    Kind.CERTIFIED: Outcome.CERTIFIED,
    Kind.STATISTICAL: Outcome.NOT_REPRODUCED,
}
"""What may be said where there is a check of that kind, if it is not that it holds."""


class Checked(Claim, frozen=True):
    """An entry and the checks that it names."""

    held: tuple[Check, ...] = ()

    def plain(self) -> Claim:
        """Return the entry alone."""
        return Claim(**{name: getattr(self, name) for name in Claim.__struct_fields__})


def claim(label: str, *checks: Check, **changes: object) -> Checked:
    """Return an entry that these checks confirm."""
    made = Checked(
        label=label,
        kind=ClaimKind.LEMMA,
        title=f"About `{label}`",
        place="Section 9",
        hypotheses="0 < δ < 1.",
        statement="The error is small:\n\n$$P(error) \\le \\delta < 1$$",
        verdicts={
            check.question: Verdict(WORDS.get(check.kind, Outcome.HOLDS), "as stated")
            for check in checks
        }
        or {Question.TRUTH: Verdict(Outcome.OPEN, "nowhere")},
        not_established="Anything else.",
        checks={__name__: tuple(check.name for check in checks)} if checks else {},
        transcription=("tgite.duel_test.c",),
        nothing_to_check="" if checks else "It is a definition.",
        held=checks,
    )
    return structs.replace(made, **changes)


FINDING = Finding(
    *("one-is-two", "lem:first", Severity.SLACK, "line 1"),
    *("1 = 2", "They differ.", "Write 1."),
    demonstration="demonstrated",
)
SHOWN = {"demonstrated": Demonstration(demonstrated), "failing": Demonstration(failing)}


def made_of(*claims: Checked, findings: tuple[Finding, ...] = ()) -> Ledger:
    """Return a ledger of these claims."""
    checks = {check.name: check for one in claims for check in one.held}
    parts = [part for one in findings for part in one.parts]
    shown = {one.name: SHOWN[one.demonstration] for one in parts if one.demonstration}
    return Ledger(
        {one.label: one.plain() for one in claims},
        {finding.name: finding for finding in findings},
        {NO_SQUARE_ROOT.name: NO_SQUARE_ROOT},
        checks,
        shown,
        dict.fromkeys([*checks, *shown], __name__),
    )


SOUND = made_of(
    claim("lem:first", RADIUS, BELOW),
    claim("lem:second", SLOW),
    claim("def:third"),
    findings=(FINDING, structs.replace(FINDING, name="in-words", demonstration="")),
)
BROKEN = made_of(
    claim("lem:first", RADIUS),
    claim("lem:raises", Check("raising", Question.TRUTH, Kind.READING, "all", raising)),
    claim("lem:empty", Check("empty", Question.TRUTH, Kind.READING, "all", empty)),
    claim("lem:fails", Check("failing", Question.TRUTH, Kind.READING, "all", failing)),
    findings=(structs.replace(FINDING, demonstration="failing"),),
)
FOLLOWS = Consequence("hence", "lem:second", "line 2", "2 = 3 too.", "", "failing")
HENCE = made_of(
    claim("lem:first", RADIUS),
    claim("lem:second", BELOW),
    findings=(structs.replace(FINDING, consequences=(FOLLOWS,)),),
)
DYING = made_of(
    claim("lem:first", RADIUS, BELOW),
    claim("lem:dies", Check("dying", Question.TRUTH, Kind.READING, "all", dying)),
    claim("lem:second", SLOW),
)
INCONSISTENT = replace(
    SOUND, mutants={**SOUND.mutants, "idle": structs.replace(NO_SQUARE_ROOT, name="idle")}
)
