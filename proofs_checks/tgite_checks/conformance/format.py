"""The vectors: what a case holds, and how a file of cases is read and written.

A file is read strictly: unknown fields, duplicates and floating-point numbers are refused, and so
is a case whose identifier is not the one that its content gives.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TypeAlias, TypeVar

from tgite import (
    Arguments,
    Arm,
    Byes,
    Candidates,
    Conventions,
    End,
    InvalidInput,
    Order,
    Pairing,
)
from tgite.checked import checked
from tgite_checks.conformance.strict_json import Reader, parsed

FORMAT = "tgite-vectors/1"
VERSION = "v1"
CHECKSUMS = "SHA256SUMS"
SHIPPED = Path(__file__).parents[1] / "vectors" / VERSION
"""The folder of vectors that comes with the package."""

Parameter: TypeAlias = int | str | tuple[int, ...]
Parameters: TypeAlias = Mapping[str, Parameter]
"""An algorithm's parameters: arms and counts are integers, levels and gaps exact strings."""

_Choice = TypeVar("_Choice", bound=StrEnum)

_ID_DIGITS = 10


@dataclass(frozen=True, slots=True)
class PairTape:
    """The outcomes of a pair's matches: the k-th entry of ``outcomes`` is for their k-th match.

    Each entry is packed: a hexadecimal digit holds four duels, the earliest in its highest bit;
    1 means that ``low``, the arm with the lower number, wins. An entry goes on beyond the duels
    that the match takes, so that its length does not give the answer away.
    """

    low: Arm
    high: Arm
    outcomes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ExpectedMatch:
    """A match as the reference plays it.

    ``first`` and ``second`` are the pairwise test's arguments u and v, ``level`` is its confidence,
    ``length`` counts its duels. ``winner`` is None where the horizon cuts it. ``place`` says where
    in the algorithm it stands (see :mod:`~tgite_checks.conformance.places`).
    """

    first: Arm
    second: Arm
    level: str
    length: int
    winner: Arm | None
    place: str


@dataclass(frozen=True, slots=True)
class ExpectedSelfPlay:
    """A block of self-play, played after the first ``after`` matches."""

    after: int
    arm: Arm
    rounds: int


@dataclass(frozen=True, slots=True)
class ExpectedIncumbent:
    """An announcement, made after the first ``after`` matches."""

    after: int
    arm: Arm


@dataclass(frozen=True, slots=True)
class Expected:
    """What the reference does: its matches in its order, self-play, announcements and result.

    ``horizon`` is the number of rounds after which the player stops, None where the algorithm
    returns; ``result`` is what it returns (None also where the known horizon expires within the
    pass). ``ordered`` is true where a cut makes the result depend on the global order of duels.
    ``margin`` is the smallest distance of a mean from the stopping boundary, in decimals that are
    rounded down: for information only.
    """

    tape: tuple[PairTape, ...]
    matches: tuple[ExpectedMatch, ...]
    self_play: tuple[ExpectedSelfPlay, ...]
    incumbents: tuple[ExpectedIncumbent, ...]
    horizon: int | None
    result: Arm | None
    ordered: bool
    margin: str

    @property
    def duels(self) -> int:
        """The number of duels."""
        return sum(match.length for match in self.matches)


@dataclass(frozen=True, slots=True)
class Refusal:
    """What is expected of an input that the algorithm does not admit; ``field`` is the bad one."""

    field: str


@dataclass(frozen=True, slots=True)
class MutantNote:
    """The wrong transcription that a case is there to tell from the right one.

    The mutant parts from the reference at ``duel`` (0: it crashes); ``also`` names the other known
    mutants that part there.
    """

    name: str
    label: str
    mistake: str
    duel: int
    also: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """One case: an algorithm with parameters and conventions, and what is expected of it.

    Arms are written as ``conventions.first_arm`` says. ``boundary`` is true for the cases that
    come within 1e-9 of a stopping boundary. ``id`` is derived from the content.
    """

    name: str
    algorithm: str
    parameters: Parameters
    conventions: Conventions
    expected: Expected | Refusal
    flags: tuple[str, ...] = ()
    boundary: bool = False
    mutant: MutantNote | None = None
    id: str = field(init=False)

    def __post_init__(self) -> None:
        """Derive the identifier."""
        content = json.dumps(_input(self), sort_keys=True, separators=(",", ":"))
        digest = hashlib.sha256(content.encode("ascii")).hexdigest()[:_ID_DIGITS]
        object.__setattr__(self, "id", f"{self.algorithm}-{digest}")

    @property
    def duels(self) -> int:
        """The number of duels that the reference plays."""
        return self.expected.duels if isinstance(self.expected, Expected) else 0

    def handed_parameters(self) -> dict[str, object]:
        """Return the parameters as they are handed to an implementation: conventions included."""
        parameters: dict[str, object] = {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in self.parameters.items()
        }
        parameters["conventions"] = conventions_to_json(self.conventions)
        return parameters


def _input(case: Case) -> dict[str, object]:
    """Return all that determines what a right implementation does."""
    content: dict[str, object] = {
        "algorithm": case.algorithm,
        "parameters": _parameters_to_json(case.parameters),
        "conventions": conventions_to_json(case.conventions),
    }
    if isinstance(case.expected, Expected):
        content["horizon"] = case.expected.horizon
        content["tape"] = _tape_to_json(case.expected.tape)
    return content


# Packed outcomes.

_NIBBLE = {
    f"{value:x}": tuple(bool(value >> bit & 1) for bit in (3, 2, 1, 0)) for value in range(16)
}
_OTHER_NIBBLE = {digit: tuple(not y for y in outcomes) for digit, outcomes in _NIBBLE.items()}


@checked
def packed(outcomes: Sequence[bool]) -> str:
    """Pack outcomes, a multiple of four of them, into hexadecimal digits."""
    if len(outcomes) % 4:
        raise InvalidInput("outcomes", len(outcomes), "must be a multiple of four")
    digits = "".join("1" if outcome else "0" for outcome in outcomes)
    return "".join(f"{int(digits[at : at + 4], 2):x}" for at in range(0, len(digits), 4))


@checked
def unpacked(digits: str, inverted: bool = False) -> list[bool]:
    """Unpack the outcomes of a match; ``inverted`` takes the other arm's view."""
    nibbles = _OTHER_NIBBLE if inverted else _NIBBLE
    return [outcome for digit in digits for outcome in nibbles[digit]]


# Writing.


def conventions_to_json(conventions: Conventions) -> dict[str, object]:
    """Return the conventions by name, all of them."""
    values = {name: getattr(conventions, name) for name in Conventions.__dataclass_fields__}
    return {name: value if isinstance(value, int) else str(value) for name, value in values.items()}


def _parameters_to_json(parameters: Parameters) -> dict[str, object]:
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in parameters.items()
    }


def _tape_to_json(tape: Sequence[PairTape]) -> list[list[object]]:
    return [[pair.low, pair.high, *pair.outcomes] for pair in tape]


def case_to_json(case: Case) -> dict[str, object]:
    """Return a case as it stands in a file, without what its group says."""
    written: dict[str, object] = {
        "id": case.id,
        "name": case.name,
        "flags": list(case.flags),
        "parameters": _parameters_to_json(case.parameters),
    }
    if case.mutant is not None:
        written["mutant"] = {
            "name": case.mutant.name,
            "label": case.mutant.label,
            "mistake": case.mutant.mistake,
            "duel": case.mutant.duel,
            "also": list(case.mutant.also),
        }
    expected = case.expected
    if isinstance(expected, Refusal):
        written["refusal"] = {"field": expected.field}
        return written
    written["tape"] = _tape_to_json(expected.tape)
    written["horizon"] = expected.horizon
    written["expected"] = {
        "matches": [
            [match.first, match.second, match.level, match.length, match.winner, match.place]
            for match in expected.matches
        ],
        "self_play": [[block.after, block.arm, block.rounds] for block in expected.self_play],
        "incumbents": [[one.after, one.arm] for one in expected.incumbents],
        "result": expected.result,
    }
    written["ordered"] = expected.ordered
    written["margin"] = expected.margin
    return written


@checked
def file_text(algorithm: str, flags: Mapping[str, str], cases: Iterable[Case]) -> str:
    """Return the text of the file of an algorithm's cases, grouped; one case a line.

    ``flags`` explains the flags. Raises :class:`~tgite.errors.InvalidInput` for a case of another
    algorithm and for one that is there twice.
    """
    groups: dict[str, list[Case]] = {}
    seen: set[str] = set()
    for case in cases:
        if case.algorithm != algorithm:
            raise InvalidInput("algorithm", case.algorithm, f"must be {algorithm} in this file")
        if case.id in seen:
            raise InvalidInput("case", f"{case.name} ({case.id})", "must be there once")
        seen.add(case.id)
        groups.setdefault(_compact(_group_head(case)), []).append(case)
    used = {flag for group in groups.values() for case in group for flag in case.flags}
    lines = [
        "{",
        f'"format":"{FORMAT}",',
        f'"algorithm":"{algorithm}",',
        f'"flags":{_compact({flag: flags[flag] for flag in sorted(used)})},',
        '"groups":[',
    ]
    for number, (head, members) in enumerate(groups.items()):
        lines.append(("," if number else "") + head[:-1] + ',"cases":[')
        lines.append(",\n".join(_compact(case_to_json(case)) for case in members))
        lines.append("]}")
    lines.append("]}")
    return "\n".join(lines) + "\n"


def _group_head(case: Case) -> dict[str, object]:
    return {
        "kind": _group_kind(case),
        "conventions": conventions_to_json(case.conventions),
    }


def _group_kind(case: Case) -> str:
    if case.mutant is not None:
        return "mutants"
    if isinstance(case.expected, Refusal):
        return "refusals"
    return "boundary" if case.boundary else "runs"


def _compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=True)


# Reading.


@checked
def read_file(path: Path) -> tuple[Case, ...]:
    """Read a file of vectors.

    Raises :class:`~tgite.errors.InvalidInput`, naming the file and what is wrong in it.
    """
    try:
        text = path.read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput("vectors", str(path), f"cannot be read ({error})") from None
    return read_text(text, path.name)


@checked
def read_text(text: str, name: str) -> tuple[Case, ...]:
    """Read the text of a file of vectors called ``name``."""
    head = Reader(parsed(text, name), name).fields("format", "algorithm", "flags", "groups")
    if head["format"].text() != FORMAT:
        raise head["format"].refused(f'must be "{FORMAT}"')
    algorithm = head["algorithm"].text()
    explained = head["flags"].any_fields()
    for explanation in explained.values():
        explanation.text()
    cases: list[Case] = []
    seen: set[str] = set()
    for group in head["groups"].entries():
        members = group.fields("kind", "conventions", "cases")
        kind = members["kind"]
        if kind.text() not in ("runs", "boundary", "mutants", "refusals"):
            raise kind.refused("must be runs, boundary, mutants or refusals")
        conventions = read_conventions(members["conventions"])
        for one in members["cases"].entries():
            case = _read_case(one, algorithm, conventions, kind.text() == "boundary")
            if _group_kind(case) != kind.text():
                raise one.refused(f"does not belong into a group of {kind.text()}")
            if case.id in seen:
                raise one.refused("is there twice")
            if unexplained := set(case.flags) - set(explained):
                raise one.refused(f"has the unexplained flags {sorted(unexplained)}")
            seen.add(case.id)
            cases.append(case)
    return tuple(cases)


@checked
def read_folder(folder: Path, algorithms: Collection[str] | None = None) -> tuple[Case, ...]:
    """Read the vectors of a folder, all or those of some algorithms, after checking all checksums.

    Raises :class:`~tgite.errors.InvalidInput` for a folder without vectors, a file that is missing,
    surplus or changed, and whatever :func:`read_file` refuses.
    """
    try:
        listed = (folder / CHECKSUMS).read_text(encoding="ascii").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput("vectors", str(folder), f"has no {CHECKSUMS} ({error})") from None
    sums = {line[66:]: line[:64] for line in listed}
    present = {path.name for path in folder.glob("*.json")}
    if present != set(sums) or not present:
        odd = ", ".join(sorted(present ^ set(sums))) or "none"
        raise InvalidInput(
            "vectors", str(folder), f"must hold the files of {CHECKSUMS}; odd: {odd}"
        )
    for name, digest in sums.items():
        if hashlib.sha256((folder / name).read_bytes()).hexdigest() != digest:
            raise InvalidInput("vectors", str(folder / name), f"differs from {CHECKSUMS}")
    return tuple(
        case
        for name in sorted(present)
        if algorithms is None or name.removesuffix(".json") in algorithms
        for case in read_file(folder / name)
    )


def checksums(texts: Mapping[str, str]) -> str:
    """Return the text of the checksum file, as ``sha256sum`` writes it."""
    return "".join(
        f"{hashlib.sha256(texts[name].encode('ascii')).hexdigest()}  {name}\n"
        for name in sorted(texts)
    )


def read_conventions(reader: Reader) -> Conventions:
    """Read conventions that are written in full."""
    fields = reader.fields(*Conventions.__dataclass_fields__)
    return Conventions(
        pairing=_choice(fields["pairing"], Pairing),
        bye=_choice(fields["bye"], End),
        bye_place=_choice(fields["bye_place"], End),
        arguments=_choice(fields["arguments"], Arguments),
        candidates=_choice(fields["candidates"], Candidates),
        screening=_choice(fields["screening"], Order),
        byes=_choice(fields["byes"], Byes),
        first_arm=fields["first_arm"].integer(),
    )


def _choice(reader: Reader, kind: type[_Choice]) -> _Choice:
    if reader.text() not in list(kind):
        raise reader.refused(f"must be one of {', '.join(kind)}")
    return kind(reader.text())


def _read_case(reader: Reader, algorithm: str, conventions: Conventions, boundary: bool) -> Case:
    fields = reader.fields(
        "id", "name", "flags", "parameters", optional=("mutant", "refusal", *_RUN_FIELDS)
    )
    expected: Expected | Refusal
    if "refusal" in fields:
        reader.fields("id", "name", "flags", "parameters", "refusal", optional=("mutant",))
        expected = Refusal(fields["refusal"].fields("field")["field"].text())
    else:
        reader.fields("id", "name", "flags", "parameters", *_RUN_FIELDS, optional=("mutant",))
        expected = _read_expected(fields)
    case = Case(
        name=fields["name"].text(),
        algorithm=algorithm,
        parameters=read_parameters(fields["parameters"]),
        conventions=conventions,
        expected=expected,
        flags=tuple(flag.text() for flag in fields["flags"].entries()),
        boundary=boundary,
        mutant=_read_mutant(fields["mutant"]) if "mutant" in fields else None,
    )
    if case.id != fields["id"].text():
        raise fields["id"].refused(f"must be {case.id}, by the content of the case")
    return case


_RUN_FIELDS = ("tape", "horizon", "expected", "ordered", "margin")


def read_parameters(reader: Reader) -> dict[str, Parameter]:
    """Read parameters: integers, strings and lists of integers."""
    values: dict[str, Parameter] = {}
    for name, value in reader.any_fields().items():
        if isinstance(value.value, list):
            values[name] = tuple(arm.integer() for arm in value.entries())
        else:
            values[name] = value.text() if isinstance(value.value, str) else value.integer()
    return values


def _read_mutant(reader: Reader) -> MutantNote:
    fields = reader.fields("name", "label", "mistake", "duel", "also")
    return MutantNote(
        fields["name"].text(),
        fields["label"].text(),
        fields["mistake"].text(),
        fields["duel"].integer(),
        tuple(name.text() for name in fields["also"].entries()),
    )


def _read_expected(fields: Mapping[str, Reader]) -> Expected:
    tape: list[PairTape] = []
    for pair in fields["tape"].entries():
        low, high, *outcomes = pair.entries()
        digits = tuple(one.text() for one in outcomes)
        if low.integer() >= high.integer() or not digits or set("".join(digits)) - set(_NIBBLE):
            raise pair.refused("must be two arms in order, then hexadecimal digits")
        tape.append(PairTape(low.integer(), high.integer(), digits))
    run = fields["expected"].fields("matches", "self_play", "incumbents", "result")
    matches = []
    for match in run["matches"].entries():
        first, second, level, length, winner, place = match.entries(6)
        matches.append(
            ExpectedMatch(
                first.integer(),
                second.integer(),
                level.text(),
                length.integer(),
                winner.integer_or_none(),
                place.text(),
            )
        )
    blocks = [block.entries(3) for block in run["self_play"].entries()]
    announced = [one.entries(2) for one in run["incumbents"].entries()]
    return Expected(
        tape=tuple(tape),
        matches=tuple(matches),
        self_play=tuple(
            ExpectedSelfPlay(after.integer(), arm.integer(), rounds.integer())
            for after, arm, rounds in blocks
        ),
        incumbents=tuple(
            ExpectedIncumbent(after.integer(), arm.integer()) for after, arm in announced
        ),
        horizon=fields["horizon"].integer_or_none(),
        result=run["result"].integer_or_none(),
        ordered=fields["ordered"].boolean(),
        margin=fields["margin"].text(),
    )
