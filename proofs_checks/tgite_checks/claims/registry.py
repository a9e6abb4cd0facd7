"""The registry: the project's ledger, assembled from its files.

Claims and findings are in ``claims/*.toml``, mutants in ``claims/mutants/*.toml``. These files name
a check or a demonstration by its module and name. The module is imported when one of its checks is
first used.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from importlib import import_module
from importlib.resources import files
from typing import Any, TypeVar

from msgspec import Struct

from tgite.checked import checked
from tgite_checks.check import Argument, Check, Demonstration, StatementCheck
from tgite_checks.claims.book import LazyMapping, Ledger
from tgite_checks.claims.model import PROOFS, Claim, Consequence, Finding
from tgite_checks.claims.mutants import mutants as all_mutants
from tgite_checks.claims.reading import flowing, mapped, parsed, record
from tgite_checks.mutation import Mutant
from tgite_checks.proofs import accepted

LEDGER = "tgite_checks.claims.registry:ledger"
"""The project's own ledger, in the form that :func:`load` takes."""

_REPEATED = ("not_established", "numbers", "proved_domain", "verdicts")
"""The fields that a claim takes from the one that it repeats, if it has no verdicts itself."""

_PACKAGE = "tgite_checks"
_T = TypeVar("_T")


class _File(Struct, forbid_unknown_fields=True):
    """A file of claims; ``every`` has the defaults of its claims."""

    every: dict[str, Any] = {}
    claim: list[dict[str, Any]] = []
    finding: list[dict[str, Any]] = []


class Duplicate(LookupError):
    """Two different parts of the ledger have the same name."""


class NotFound(LookupError):
    """A claim or a finding names a check or a demonstration that does not exist."""


@functools.cache
def ledger() -> Ledger:
    """Return the project's ledger, in the order of the paper's labels."""
    folder = files("tgite_checks.claims")
    texts = {
        file.name: file.read_text(encoding="utf-8")
        for file in sorted(folder.iterdir(), key=lambda file: file.name)
        if file.name.endswith(".toml")
    }
    return assemble(texts, all_mutants(), tuple(label for label, _ in paper_labels()))


@checked
def load(source: str = LEDGER) -> Ledger:
    """Return the ledger that ``source``, ``"module:attribute"``, names; it may be a function.

    Worker processes load the ledger in this way, because checks are functions and cannot be sent.
    """
    module, _, attribute = source.partition(":")
    found: object = getattr(import_module(module), attribute)
    made = found() if callable(found) else found
    if not isinstance(made, Ledger):
        raise TypeError(f"{source} is not a Ledger")
    return made


def assemble(
    texts: Mapping[str, str], known: tuple[Mutant, ...] = (), order: tuple[str, ...] = ()
) -> Ledger:
    """Return a ledger made of the ``texts`` of TOML files, by file name.

    Claims are in ``order``, and the others follow by label. Raises
    :class:`~tgite_checks.claims.reading.Unreadable` if a file has another form, and
    :class:`Duplicate` if two different parts have the same name.
    """
    claims: dict[str, Claim] = {}
    findings: dict[str, Finding] = {}
    mutants: dict[str, Mutant] = {}
    held = {file: parsed(file, text, _File) for file, text in texts.items()}
    written = [
        (f"{file}, claim {fields.get('label')}", one.every | fields)
        for file, one in held.items()
        for fields in one.claim
    ]
    by_label = {str(fields.get("label")): fields for _, fields in written}
    for where, fields in written:
        same: dict[str, Any] = {}
        if "verdicts" not in fields:
            first = by_label.get(str(fields.get("repeats")), {})
            same = {name: first[name] for name in _REPEATED if name in first}
        claim = record(where, mapped(same | fields, flowing), Claim)
        _add(claims, claim.label, claim)
    for file, one in held.items():
        for fields in one.finding:
            where = f"{file}, finding {fields.get('name')}"
            finding = record(where, mapped(fields, flowing), Finding)
            _add(findings, finding.name, finding)
    for mutant in known:
        _add(mutants, mutant.name, mutant)
    place = {label: number for number, label in enumerate(order)}
    in_order = sorted(claims, key=lambda label: (_place(label, place), label))
    owners: dict[str, str] = {}
    find_check: dict[str, Callable[[], Check]] = {}
    rejects: dict[str, tuple[str, ...]] = {}
    for mutant in known:
        for name in mutant.rejected_by:
            rejects[name] = (*rejects.get(name, ()), mutant.name)
    for label in in_order:
        for name, owner, find in _checks_of(claims[label]):
            if owners.setdefault(name, owner) != owner:
                raise Duplicate(f"the check {name} is in {owner} and in {owners[name]}")
            find_check[name] = functools.partial(_rejecting, find, rejects.get(name, ()))
    parts: dict[str, Finding | Consequence] = {}
    for finding in findings.values():
        for part in finding.parts:
            _add(parts, part.name, part)
    for name in parts.keys() & owners.keys():
        raise Duplicate(f"{name} names a check and a finding")
    shown = {name: one.demonstration for name, one in parts.items() if one.demonstration}
    owners |= {name: f"{_PACKAGE}.{path.partition(':')[0]}" for name, path in shown.items()}
    return Ledger(
        {label: claims[label] for label in in_order},
        findings,
        mutants,
        LazyMapping(find_check),
        LazyMapping({name: functools.partial(_demonstration, name, shown[name]) for name in shown}),
        owners,
    )


def paper_labels() -> tuple[tuple[str, str], ...]:
    """Return the paper's labels in their order, each with its kind."""
    text = files("tgite_checks").joinpath("data/labels.txt").read_text(encoding="utf-8")
    pairs = (line.split() for line in text.splitlines() if line)
    return tuple((label, kind) for kind, label in pairs)


def _checks_of(claim: Claim) -> Iterator[tuple[str, str, Callable[[], Check]]]:
    for module, names in claim.checks.items():
        if module == PROOFS:
            said = (claim.check_of_proofs, claim.proved_on, names, claim.is_proved_by)
            yield said[0], accepted.__name__, functools.partial(accepted.check, *said)
            continue
        owner = f"{_PACKAGE}.{module}"
        for name in names:
            yield name, owner, functools.partial(_check, claim.label, owner, name)


def _rejecting(find: Callable[[], Check], mutants: tuple[str, ...]) -> Check:
    check = find()
    return replace(check, rejects=mutants) if mutants else check


def _check(label: str, owner: str, name: str) -> Check:
    try:
        held = vars(import_module(owner)).values()
    except ModuleNotFoundError as error:
        raise NotFound(f"claim {label}: no module {error.name} for the check {name}") from error
    listed = (one for part in held for one in (part if isinstance(part, tuple) else (part,)))
    for one in listed:
        if isinstance(one, Check) and one.name == name:
            return one
    raise NotFound(f"claim {label}: {owner} has no check {name}")


def _demonstration(finding: str, path: str) -> Demonstration:
    module, _, attribute = path.partition(":")
    try:
        found: object = getattr(import_module(f"{_PACKAGE}.{module}"), attribute)
    except (ModuleNotFoundError, AttributeError) as error:
        raise NotFound(f"finding {finding}: no demonstration {path} ({error})") from error
    match found:
        case Demonstration():
            return found
        case StatementCheck(run=run, refuses=refuses):
            return Argument(run, refuses)
        case Check(run=run, refuses=refuses):
            return Demonstration(run, refuses)
        case _:
            raise NotFound(f"finding {finding}: {path} is not a demonstration")


def _add(known: dict[str, _T], name: str, part: _T) -> None:
    if name in known:
        raise Duplicate(f"two parts of the ledger are named {name}")
    known[name] = part


def _place(label: str, place: Mapping[str, int]) -> int:
    """Return a label's position in the paper; a row has its table's, and our labels come last."""
    while label not in place and ":" in label:
        label = label.rpartition(":")[0]
    return place.get(label, len(place))
