"""The registry: gathers the ledger from the modules that hold its parts, and keeps it consistent.

A module of ``laws``, ``fidelity``, ``truth``, ``experiments``, ``mutants`` or ``claims`` may hold
``CHECKS``, ``MUTANTS``, ``CLAIMS`` and ``FINDINGS``. Two different parts of one name are refused.
"""

from __future__ import annotations

import functools
import pkgutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from importlib.resources import files
from types import ModuleType
from typing import TypeVar

from tgite.checked import checked
from tgite_checks.check import Check, Kind, Question
from tgite_checks.claims.book import Ledger
from tgite_checks.claims.model import Claim, Finding, Outcome
from tgite_checks.false_alarms import BUDGET
from tgite_checks.mutation import Mutant, mutated_source
from tgite_checks.proofs.record import Extract, proved

LEDGER = "tgite_checks.claims.registry:ledger"
"""Where the project's own ledger is found, in the form that :func:`load` reads."""

# In the order of owning: what a claim lists belongs to the module of checks that defines it.
_FOLDERS = ("laws", "fidelity", "bounds", "figures", "claims.mutants", "claims")

# Kinds of evidence that need no perturbed statement: a proof kernel, or a reader, judges.
_WITHOUT_REFUSALS = (Kind.THEOREM, Kind.READING)


_T = TypeVar("_T")


class Duplicate(LookupError):
    """Two different parts of the ledger have the same name."""


@functools.cache
def ledger() -> Ledger:
    """Return the project's ledger, in the order of the paper's labels."""
    modules = [module for folder in _FOLDERS for module in _modules_of(folder)]
    return assemble(modules, tuple(label for label, _ in paper_labels()))


@checked
def load(source: str = LEDGER) -> Ledger:
    """Return the ledger that ``source``, ``"module:attribute"``, names: one, or a function of one.

    Worker processes find the ledger so: checks are functions, which are not sent.
    """
    module, _, attribute = source.partition(":")
    found: object = getattr(import_module(module), attribute)
    made = found() if callable(found) else found
    if not isinstance(made, Ledger):
        raise TypeError(f"{source} is not a Ledger")
    return made


def assemble(modules: Iterable[ModuleType], order: tuple[str, ...] = ()) -> Ledger:
    """Gather the parts that ``modules`` hold; claims in ``order``, then the others by label.

    Raises :class:`Duplicate` where two different parts have one name.
    """
    claims: dict[str, Claim] = {}
    findings: dict[str, Finding] = {}
    mutants: dict[str, Mutant] = {}
    checks: dict[str, Check] = {}
    owners: dict[str, str] = {}
    for module in modules:
        for check in _parts(module, "CHECKS", Check):
            _add(checks, check.name, check, module)
            owners.setdefault(check.name, module.__name__)
        for mutant in _parts(module, "MUTANTS", Mutant):
            _add(mutants, mutant.name, mutant, module)
        for finding in _parts(module, "FINDINGS", Finding):
            _add(findings, finding.name, finding, module)
            owners.setdefault(finding.name, module.__name__)
        for claim in _parts(module, "CLAIMS", Claim):
            _add(claims, claim.label, claim, module)
            for check in claim.checks:
                _add(checks, check.name, check, module)
                owners.setdefault(check.name, module.__name__)
    for name in findings.keys() & checks.keys():
        raise Duplicate(f"{name} names a check and a finding")
    place = {label: number for number, label in enumerate(order)}
    in_order = sorted(claims, key=lambda label: (_place(label, place), label))
    return Ledger({label: claims[label] for label in in_order}, findings, mutants, checks, owners)


def paper_labels() -> tuple[tuple[str, str], ...]:
    """Return the paper's labels in their order, each with what it stands for."""
    text = files("tgite_checks").joinpath("data/labels.txt").read_text(encoding="utf-8")
    pairs = (line.split() for line in text.splitlines() if line)
    return tuple((label, kind) for kind, label in pairs)


def problems(
    of: Ledger, labels: Iterable[tuple[str, str]], extract: Extract | None = None
) -> tuple[str, ...]:
    """Say what is inconsistent in a whole ledger, each in one line; empty if nothing is.

    ``labels`` are the ones that must have an entry, ``extract`` the proved theorems (the project's
    own, unless given).
    """
    theorems = proved() if extract is None else extract
    return (
        *_without_entry(of, labels),
        *(line for claim in of.claims.values() for line in _problems_of_claim(claim)),
        *(line for check in of.checks.values() for line in _problems_of_check(check, of, theorems)),
        *_problems_of_findings(of),
        *_problems_of_mutants(of),
        *_problems_of_budget(of),
    )


def _modules_of(folder: str) -> Iterator[ModuleType]:
    try:
        package = import_module(f"tgite_checks.{folder}")
    except ModuleNotFoundError as error:
        if error.name != f"tgite_checks.{folder}":
            raise
        return
    for found in pkgutil.iter_modules(package.__path__):
        yield import_module(f"{package.__name__}.{found.name}")


def _parts(module: ModuleType, attribute: str, kind: type[_T]) -> tuple[_T, ...]:
    found: object = getattr(module, attribute, ())
    if not isinstance(found, tuple):
        raise TypeError(f"{module.__name__}.{attribute} must be a tuple")
    return tuple(_of_kind(module, attribute, kind, part) for part in found)


def _of_kind(module: ModuleType, attribute: str, kind: type[_T], part: object) -> _T:
    if not isinstance(part, kind):
        raise TypeError(f"{module.__name__}.{attribute} holds {part!r}, not a {kind.__name__}")
    return part


def _add(known: dict[str, _T], name: str, part: _T, module: ModuleType) -> None:
    if known.setdefault(name, part) is not part:
        raise Duplicate(
            f"two different parts of the ledger are named {name}, one of them in {module.__name__}"
        )


def _place(label: str, place: Mapping[str, int]) -> int:
    """Return where a label stands in the paper; a row stands with its table, ours at the end."""
    while label not in place and ":" in label:
        label = label.rpartition(":")[0]
    return place.get(label, len(place))


def _without_entry(of: Ledger, labels: Iterable[tuple[str, str]]) -> Iterator[str]:
    for label, kind in labels:
        entries = [entry for entry in of.claims if (entry + ":").startswith(label + ":")]
        if not entries:
            yield f"{label}: the paper's {kind} has no entry"


def _problems_of_claim(claim: Claim) -> Iterator[str]:
    if bool(claim.checks) == bool(claim.nothing_to_check):
        yield f"{claim.label}: must have checks, or say why there is nothing to check, not both"
    if not claim.verdicts:
        yield f"{claim.label}: has no verdict"
    examined = {check.question for check in claim.checks}
    for question in Question:
        verdict = claim.verdicts.get(question)
        if verdict is None and question in examined:
            yield f"{claim.label}: has a check of its {question}, but no verdict"
        if verdict is None or question in examined or claim.nothing_to_check:
            continue
        if verdict.outcome in (Outcome.HOLDS, Outcome.FAILS):
            yield f"{claim.label}: its {question} {verdict.outcome}, says the ledger, unchecked"
    for name, times in Counter(check.name for check in claim.checks).items():
        if times > 1:
            yield f"{claim.label}: lists the check {name} {times} times"
    for required in ("title", "place", "statement", "not_established"):
        if not str(getattr(claim, required)).strip():
            yield f"{claim.label}: its {required} is empty"


def _problems_of_check(check: Check, of: Ledger, theorems: Extract) -> Iterator[str]:
    fidelity = check.question is Question.FIDELITY
    if not any(check in claim.checks for claim in of.claims.values()):
        yield f"{check.name}: belongs to no claim"
    if fidelity and not check.rejects:
        yield f"{check.name}: a fidelity check without a mutant that it rejects"
    if not fidelity and not check.refuses and check.kind not in _WITHOUT_REFUSALS:
        yield f"{check.name}: a {check.question} check without a statement that it refuses"
    for mutant in check.rejects:
        if mutant not in of.mutants:
            yield f"{check.name}: rejects {mutant}, which is no mutant"
    if (check.kind is Kind.STATISTICAL) != (check.statistics is not None):
        yield f"{check.name}: error rates go with the statistical kind, and only with it"
    if check.kind is Kind.THEOREM and not check.certifies:
        yield f"{check.name}: names no theorem"
    for name in check.certifies:
        if name not in theorems:
            yield f"{check.name}: relies on {name}, which is no theorem of the extract"
    if not check.domain.strip():
        yield f"{check.name}: its domain is empty"


def _problems_of_findings(of: Ledger) -> Iterator[str]:
    for finding in of.findings.values():
        if finding.label not in of.claims:
            yield f"{finding.name}: is about {finding.label}, which has no entry"
        if not finding.correction.strip():
            yield f"{finding.name}: says of no correction"


def _problems_of_mutants(of: Ledger) -> Iterator[str]:
    rejected = {name for check in of.checks.values() for name in check.rejects}
    for mutant in of.mutants.values():
        if mutant.name not in rejected:
            yield f"{mutant.name}: a mutant that no check rejects"
        try:
            mutated_source(mutant)
        except LookupError as error:
            yield str(error)


def _problems_of_budget(of: Ledger) -> Iterator[str]:
    spent = sum(check.statistics.alpha for check in of.checks.values() if check.statistics)
    if spent > BUDGET * (1 + 1e-9):
        yield f"the statistical checks spend {spent:.3g} of false alarms, over {BUDGET}"
