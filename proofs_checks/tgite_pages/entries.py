"""The entry of a claim on a page: everything about the claim, with links to the sources."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from itertools import islice
from math import inf

from tgite_checks.audit.report.numbers import shown, slack
from tgite_checks.bounds.constants.constant import Constant
from tgite_checks.check import Check, Number, Result
from tgite_checks.claims.book import Ledger
from tgite_checks.claims.model import Claim, ClaimKind, Severity
from tgite_checks.mutation import Mutant
from tgite_checks.proofs.record import ProvedTheorem, proved
from tgite_pages.places import (
    CHECKS,
    COQ,
    ROOT,
    Place,
    Stated,
    exists,
    line_with,
    lines_of,
    modelled,
    module_file,
    stated,
    transcribed,
)

BLOCKS = ("Statement", "Code", "Proof", "Checks")
"""The headings of an entry's blocks, in order; the site shows the blocks side by side."""

BEYOND = "What is claimed"
"""The first heading of an entry beyond the paper."""

OF_THEIR_OWN = (ClaimKind.ALGORITHM, ClaimKind.LEMMA, ClaimKind.THEOREM, ClaimKind.COROLLARY)
"""The kinds of entries with their own pages; other entries share the page of their file."""

BEYOND_PAGE = "beyond/beyond-the-paper.md"
"""The page of the entries that are not about the paper; only the site has it."""

_LONGEST_STATEMENT = 20
"""The most lines of a Coq statement that is shown; longer ones are only linked."""

_TESTS_OF_CONSTANTS = "tests/checks/test_constants.py"


@dataclass(frozen=True, slots=True)
class Compared:
    """A number, its bound, and the slack between them, as text."""

    name: str
    value: str
    bound: str
    slack: str


@dataclass(frozen=True, slots=True)
class Checked:
    """A check: its place, the mutants that it rejects, and its last result."""

    check: Check
    place: Place
    mutants: tuple[tuple[Mutant, Place], ...]
    result: Result | None
    certificate: tuple[Place, ...] = ()
    """For a constant: the places of its certificate and of the certificate's tests."""

    @property
    def tightest(self) -> Compared | None:
        """The number that comes closest to its bound."""
        found = [] if self.result is None else self.result.numbers
        ranked = sorted(_compared(found), key=lambda pair: pair[0])
        return ranked[0][1] if ranked else None


@dataclass(frozen=True, slots=True)
class Proved:
    """A machine-checked theorem, and the place of its statement."""

    theorem: ProvedTheorem
    stated: Stated

    @property
    def file(self) -> Place:
        """The file that holds the proof."""
        return Place(f"{COQ}/{self.theorem.file}")

    @property
    def is_short(self) -> bool:
        """Whether the statement is shown."""
        return self.theorem.statement.count("\n") < _LONGEST_STATEMENT

    @property
    def axioms(self) -> list[str]:
        """The axioms that the theorem depends on, without their modules."""
        return [axiom.rpartition(".")[2] for axiom in self.theorem.axioms]


@dataclass(frozen=True, slots=True)
class Entry:
    """A claim with everything about it; ``page`` is its page, relative to ``docs/``."""

    claim: Claim
    page: str
    anchor: str
    written: Place | None
    code: tuple[tuple[str, Place], ...]
    model: Place | None
    """The place of an algorithm's definition in Coq."""
    proofs: tuple[Proved, ...]
    checks: tuple[Checked, ...]
    tests: tuple[Place, ...]
    findings: tuple[tuple[str, str, Severity], ...]
    """The names, titles and severities of findings, and of their consequences, about the claim."""

    @property
    def parts(self) -> tuple[str, ...]:
        """The names of the entry's code, theorems and checks; one page shows each in full."""
        return (
            *(name for name, _ in self.code),
            *(one.theorem.name for one in self.proofs),
            *(one.check.name for one in self.checks),
        )

    def link(self, page: str) -> str:
        """Return the address of the entry's page, or of its TOML, from a page of ``docs/``."""
        if self.claim.is_beyond and self.written is not None:
            return self.written.link(page)
        return Place(f"docs/{self.page}").link(page) + (f"#{self.anchor}" if self.anchor else "")


def entries(of: Ledger, results: Mapping[str, Result]) -> dict[str, Entry]:
    """Return the entries of a ledger by label; ``results`` are its checks' results by name."""
    written = _written()
    return {label: _entry(claim, of, results, written) for label, claim in of.claims.items()}


def slug(name: str) -> str:
    """Return a label or a name in the form used in addresses."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def _entry(
    claim: Claim, of: Ledger, results: Mapping[str, Result], written: Mapping[str, Place]
) -> Entry:
    place = written.get(claim.label)
    part = place.file.rpartition("/")[2].removesuffix(".toml") if place else "others"
    alone = claim.kind in OF_THEIR_OWN and not claim.is_beyond
    record = proved()
    checks = of.checks_of(claim)
    theorems = [record[name] for one in checks for name in one.certifies if name in record]
    return Entry(
        claim,
        BEYOND_PAGE if claim.is_beyond else f"paper/{slug(claim.label if alone else part)}.md",
        "" if alone else slug(claim.label),
        place,
        tuple((name, transcribed(name)) for name in claim.transcription),
        modelled(claim.label),
        tuple(Proved(one, _stated(one)) for one in sorted(theorems, key=_of_another(claim))),
        tuple(
            Checked(
                one,
                line_with(module_file(of.owners[one.name]), f'"{one.name}"'),
                tuple(_placed(of.mutants[name]) for name in one.rejects),
                results.get(one.name),
                tuple(_certificate(of.owners[one.name], one.name)),
            )
            for one in checks
            if not one.certifies
        ),
        tuple(dict.fromkeys(_tests(claim))),
        tuple(
            (part.name, part.title or part.name, finding.severity)
            for finding in of.findings_about(claim.label)
            for part in finding.parts
            if part.label == claim.label
        ),
    )


def _written() -> dict[str, Place]:
    """Return the place of each claim in the TOML files."""
    found: dict[str, Place] = {}
    for path in sorted((ROOT / CHECKS / "claims").glob("*.toml")):
        file, table = path.relative_to(ROOT).as_posix(), ""
        for number, line in enumerate(lines_of(file), 1):
            table = line if line.startswith("[[") else table
            if table == "[[claim]]" and (label := re.fullmatch(r'label = "([^"]+)"', line)):
                found[label[1]] = Place(file, number)
    return found


def _of_another(claim: Claim) -> Callable[[ProvedTheorem], bool]:
    """Return a predicate that is true for theorems that do not state this claim."""
    return lambda theorem: not claim.is_proved_by(theorem.labels)


def _stated(theorem: ProvedTheorem) -> Stated:
    return stated().get(theorem.name) or Stated(Place(f"{COQ}/{theorem.file}"), "")


def _placed(mutant: Mutant) -> tuple[Mutant, Place]:
    file = mutant.module.rpartition(".")[2]
    return mutant, line_with(f"{CHECKS}/claims/mutants/{file}.toml", f"[{mutant.name}]")


def _certificate(owner: str, check: str) -> Iterator[Place]:
    """Yield the places of a constant's certificate and tests; yield nothing for other checks."""
    key = check.removeprefix("constant-")
    if key == check:
        return
    for one in vars(import_module(owner)).values():
        if isinstance(one, Constant) and one.stated.key == key:
            certify = one.certify
            while isinstance(certify, functools.partial):
                certify = certify.func
            name = certify.__qualname__.partition(".")[0]
            yield transcribed(f"{certify.__module__}.{name}")
            yield Place(_TESTS_OF_CONSTANTS)


def _tests(claim: Claim) -> Iterator[Place]:
    """Yield the files with tests of the claim's modules; some algorithms share a file."""
    modules = [name.rpartition(".")[0] for name in claim.transcription]
    named = sorted({module.rpartition(".")[::2] for module in modules})
    found = dict[str, None]()
    for package, stem in named:
        names = [f"{package.rpartition('.')[2]}_{stem}", stem]
        names += ["algorithms"] if package == "tgite" else []
        files = filter(exists, (f"tests/reference/test_{name}.py" for name in names))
        found |= dict.fromkeys(islice(files, 1))
    yield from map(Place, found)


def _compared(numbers: Iterable[Number]) -> Iterator[tuple[float, Compared]]:
    for number in numbers:
        between = slack(number)
        if between is not None and number.bound is not None and between.high < inf:
            value, bound = shown(number.value), shown(number.bound)
            yield between.low, Compared(number.name, value, bound, shown(between, 3))
