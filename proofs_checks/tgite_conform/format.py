"""The vectors: the contents of a case, and functions that read and write files of cases.

Reading is strict: unknown fields, duplicates, floating-point numbers and wrong identifiers are
refused. A test compares the records with ``schemas/vectors.schema.json``.
"""

from __future__ import annotations

import functools
import hashlib
import json
import re
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import InitVar, dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Annotated, TypeAlias, TypeGuard, cast, get_type_hints

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tgite import Arm, Confidence, Conventions, InvalidInput
from tgite.beyond import Certificate, Verdict
from tgite.checked import checked
from tgite.errors import require
from tgite_conform.strict_json import Strict, parsed, read
from tgite_conform.tape import ENTRY, MatchOutcomes, written_out

CHECKSUMS = "SHA256SUMS"
SHIPPED = Path(__file__).parent / "vectors"
"""The folder of the vectors that come with the package, with a folder for each version."""
PUBLISHED = SHIPPED / "PUBLISHED"
"""The checksums of what was published: each version's list of files, and the schema."""


class Version(str):
    """A version of the format, such as "1.4"; published files never change."""

    __slots__ = ()

    def folder(self, vectors: Path = SHIPPED) -> Path:
        """Return the version's folder among all vectors."""
        return vectors / f"v{self}"


ROWS = Path(__file__).parent / "cases"
"""The inputs of the vectors: a file of rows for each version."""
VERSIONS = tuple(
    sorted(
        (Version(path.stem.removeprefix("v")) for path in ROWS.glob("v*.json")),
        key=lambda version: [int(part) for part in version.split(".")],
    )
)
"""The versions, oldest first."""

Parameter: TypeAlias = int | str | tuple[int, ...]
Parameters: TypeAlias = Mapping[str, Parameter]
"""An algorithm's parameters: arms and counts are integers, levels and gaps exact strings."""

_ID_DIGITS = 10

_Count: TypeAlias = Annotated[int, Meta(ge=0)]
_Positive: TypeAlias = Annotated[int, Meta(ge=1)]
_Named: TypeAlias = Annotated[str, Meta(min_length=1)]
LEVEL = r"^([1-9][0-9]*(/[1-9][0-9]*)?|2\^-[1-9][0-9]*)( \* 6/pi\^2)?$"
"""The pattern of a level as the vectors write it."""
_PLACE = r"^(s[0-9]+ ?)?(h[0-9]+ ?)?(merge|screen|(certify|expose|replace) ?)?(r[0-9]+)?$"
_Margin: TypeAlias = Annotated[str, Meta(pattern=r"^([0-9](\.[0-9])?e[+-][0-9]+)?$")]
_Kind: TypeAlias = Annotated[str, Meta(pattern="^(runs|boundary|mutants|refusals)$")]
_FORMATS = "|".join(f"tgite-vectors/{version.replace('.', '[.]')}" for version in VERSIONS)
_Format: TypeAlias = Annotated[str, Meta(pattern=f"^({_FORMATS})$")]


class PairTape(msgspec.Struct, frozen=True):
    """The outcomes of a pair's matches: the k-th entry of ``outcomes`` is for their k-th match.

    Entries are packed as in :mod:`~tgite_conform.tape`; 1 means that ``low`` wins. An entry is
    longer than its match, so that its length does not reveal the match's length.
    """

    low: Arm
    high: Arm
    outcomes: tuple[str, ...]

    @property
    def row(self) -> list[int | str]:
        """The row as a file has it."""
        return [self.low, self.high, *self.outcomes]

    @property
    def row_written_out(self) -> list[int | str]:
        """The row with repeated outcomes written out."""
        return [self.low, self.high, *map(written_out, self.outcomes)]


class ExpectedMatch(Strict, frozen=True, array_like=True):
    """A match as the reference plays it.

    ``winner`` is None if the horizon cuts the match, or if a certificate's match has no winner.
    ``place`` is the match's place in the algorithm (see :mod:`~tgite_conform.positions`).
    """

    first: _Count
    second: _Count
    level: str
    length: _Positive
    winner: _Count | None
    place: str

    @property
    def pair(self) -> tuple[Arm, Arm]:
        """The match's two arms, the lower one first."""
        return min(self.first, self.second), max(self.first, self.second)


class ExpectedSelfPlay(Strict, frozen=True, array_like=True):
    """A block of self-play, played after the first ``after`` matches."""

    after: _Count
    arm: _Count
    rounds: _Positive


class ExpectedIncumbent(Strict, frozen=True, array_like=True):
    """An announcement, made after the first ``after`` matches."""

    after: _Count
    arm: _Count


class SaidCertificate(Strict, frozen=True):
    """A certificate as an answer, with its level in the text form of the vectors."""

    champion: _Count
    verdict: Annotated[str, Meta(pattern=f"^({'|'.join(Verdict)})$")]
    level: str
    duels: _Count
    lost_to: _Count | None
    equivalent: tuple[_Count, ...]

    def __post_init__(self) -> None:
        """Convert the level to the vectors' form; refuse an invalid level."""
        try:
            level = str(Confidence.of(self.level))
        except InvalidInput:
            raise ValueError('must have a level such as "1/40"') from None
        msgspec.structs.force_setattr(self, "level", level)

    @staticmethod
    def of(certificate: Certificate, first_arm: int = 0) -> SaidCertificate:
        """Return a certificate of the library, whose arms count from 0, as an answer."""
        lost_to = certificate.lost_to
        return SaidCertificate(
            certificate.champion + first_arm,
            str(certificate.verdict),
            str(certificate.level),
            certificate.duels,
            None if lost_to is None else lost_to + first_arm,
            tuple(arm + first_arm for arm in certificate.equivalent),
        )

    def __str__(self) -> str:
        """Return the text for a reader."""
        lost_to = "" if self.lost_to is None else f" to {self.lost_to}"
        equal = f", equivalent to {list(self.equivalent)}" if self.equivalent else ""
        counted = f"{self.duels} duels, level {self.level}"
        return f"{self.champion}: {self.verdict}{lost_to}{equal} ({counted})"


def is_certificate(value: object) -> TypeGuard[Certificate]:
    """Return whether the value has the fields of a certificate."""
    return all(hasattr(value, name) for name in SaidCertificate.__struct_fields__)


Answer: TypeAlias = Arm | SaidCertificate | None
"""The answer of an algorithm at its end."""

Returned: TypeAlias = Answer | Certificate
"""The answer of a stream, in which a certificate is the library's."""


def answer_of(returned: Returned, first_arm: int = 0) -> Answer:
    """Return a stream's result as an answer, without a change of the arms' numbers."""
    if is_certificate(returned):
        return SaidCertificate.of(returned, first_arm)
    return None if returned is None else cast(Arm, returned) + first_arm


class _ExpectedRun(Strict, frozen=True):
    """The value of ``expected`` in a file."""

    matches: tuple[ExpectedMatch, ...]
    self_play: tuple[ExpectedSelfPlay, ...]
    incumbents: tuple[ExpectedIncumbent, ...]
    result: _Count | SaidCertificate | None


@dataclass(frozen=True, slots=True)
class Expected:
    """The reference's run: matches in their order, self-play, announcements and result.

    The player stops after ``horizon`` rounds, if that is given. ``result`` is also None if a known
    horizon expires within the pass. ``ordered`` is true if a cut makes the result depend on the
    order of duels. ``margin``, for information, is the smallest distance of any decision from its
    boundary.
    """

    tape: tuple[PairTape, ...]
    matches: tuple[ExpectedMatch, ...]
    self_play: tuple[ExpectedSelfPlay, ...]
    incumbents: tuple[ExpectedIncumbent, ...]
    horizon: int | None
    result: Answer
    ordered: bool
    margin: str

    @property
    def duels(self) -> int:
        """The number of duels."""
        return sum(match.length for match in self.matches)


class Refusal(Strict, frozen=True):
    """The expected refusal of an invalid input; ``field`` is the bad parameter."""

    field: str


class MutantNote(Strict, frozen=True):
    """The wrong transcription that a case detects.

    It differs from the reference at ``duel`` (0 if it crashes), and so do the mutants in ``also``.
    """

    name: str
    label: str
    mistake: str
    duel: _Count
    also: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """One case: an algorithm with parameters and conventions, and its expected run.

    ``boundary`` is true if the run comes within 1e-9 of a stopping boundary. ``id`` is derived from
    the content, unless it is ``known``. The reference plays this number of ``duels``.
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
    duels: int = field(init=False)
    known: InitVar[str] = ""

    def __post_init__(self, known: str) -> None:
        """Derive the identifier from everything that determines a correct implementation's run."""
        object.__setattr__(self, "duels", getattr(self.expected, "duels", 0))
        if known:
            object.__setattr__(self, "id", known)
            return
        content: dict[str, object] = {
            "algorithm": self.algorithm,
            "parameters": self.parameters,
            "conventions": conventions_to_json(self.conventions),
        }
        if isinstance(self.expected, Expected):
            content["horizon"] = self.expected.horizon
            content["tape"] = [pair.row for pair in self.expected.tape]
        text = json.dumps(content, sort_keys=True, separators=(",", ":"))
        digest = hashlib.sha256(text.encode("ascii")).hexdigest()[:_ID_DIGITS]
        object.__setattr__(self, "id", f"{self.algorithm}-{digest}")

    @property
    def arms(self) -> int:
        """The number of arms."""
        N, S = self.parameters.get("N", 2), self.parameters.get("S", ())
        return max(N if isinstance(N, int) else 2, len(S) if isinstance(S, tuple) else 2)

    @property
    def kind(self) -> str:
        """The kind of the case's group."""
        if self.mutant is not None:
            return "mutants"
        if isinstance(self.expected, Refusal):
            return "refusals"
        return "boundary" if self.boundary else "runs"

    def handed_parameters(self) -> dict[str, object]:
        """Return the parameters that an implementation gets, including the conventions."""
        parameters: dict[str, object] = {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in self.parameters.items()
        }
        parameters["conventions"] = conventions_to_json(self.conventions)
        return parameters


# Outcomes.


class Outcomes:
    """The outcomes of a run's matches, from their first arguments' view."""

    def __init__(self, expected: Expected) -> None:
        """Find the part of the tape that belongs to each match."""
        tapes = {(pair.low, pair.high): iter(pair.outcomes) for pair in expected.tape}
        self._matches = expected.matches
        self._entries = [next(tapes[match.pair]) for match in expected.matches]

    def of(self, number: int, spare: bool = False) -> MatchOutcomes:
        """Return the outcomes of a match, up to its expected length or with the spare ones."""
        match = self._matches[number]
        length = None if spare else match.length
        return MatchOutcomes(self._entries[number], length, match.first > match.second)


# Conventions.

_CHOSEN = get_type_hints(Conventions)
CHOICES: Mapping[str, tuple[StrEnum | int, ...]] = {
    name: (0, 1) if kind is int else tuple(kind) for name, kind in _CHOSEN.items()
}
"""The conventions, each with its possible values."""

_WRITTEN_CONVENTIONS = msgspec.defstruct(
    "WrittenConventions",
    [
        (
            name,
            Annotated[int, Meta(ge=0, le=1)]
            if kind is int
            else Annotated[str, Meta(pattern=f"^({'|'.join(kind)})$")],
        )
        for name, kind in _CHOSEN.items()
    ],
    frozen=True,
    forbid_unknown_fields=True,
)


def conventions_to_json(conventions: Conventions) -> dict[str, object]:
    """Return all conventions by name."""
    return {**_by_name(conventions)}  # a copy, which may be changed


@functools.cache
def _by_name(conventions: Conventions) -> dict[str, object]:
    values = {name: getattr(conventions, name) for name in CHOICES}
    return {name: value if isinstance(value, int) else str(value) for name, value in values.items()}


def read_conventions(value: object, place: str = "conventions") -> Conventions:
    """Return the conventions of an object that holds all of them."""
    written = msgspec.structs.asdict(read(value, _WRITTEN_CONVENTIONS, place))
    return Conventions(**{name: _CHOSEN[name](one) for name, one in written.items()})


# Files.


class _WrittenCase(Strict, frozen=True, kw_only=True):
    """A case in a file, to be refused or, with the fields after ``refusal``, to be played."""

    id: str
    name: _Named
    flags: tuple[str, ...]
    parameters: Annotated[dict[str, Parameter], Meta(min_length=1)]
    mutant: MutantNote | UnsetType = UNSET
    refusal: Refusal | UnsetType = UNSET
    tape: tuple[Annotated[tuple[int | str, ...], Meta(min_length=3)], ...] | UnsetType = UNSET
    horizon: _Positive | UnsetType | None = UNSET
    expected: _ExpectedRun | UnsetType = UNSET
    ordered: bool | UnsetType = UNSET
    margin: _Margin | UnsetType = UNSET


class _WrittenGroup(Strict, frozen=True):
    """A group of a file."""

    kind: _Kind
    conventions: dict[str, object]
    cases: Annotated[tuple[_WrittenCase, ...], Meta(min_length=1)]


class _WrittenFile(Strict, frozen=True):
    """A file."""

    format: _Format
    algorithm: str
    flags: dict[str, _Named]
    groups: Annotated[tuple[_WrittenGroup, ...], Meta(min_length=1)]


def case_to_json(case: Case) -> dict[str, object]:
    """Return a case as JSON, without the fields of its group."""
    expected = case.expected
    written: dict[str, object] = {
        "id": case.id,
        "name": case.name,
        "flags": case.flags,
        "parameters": dict(case.parameters),
    }
    if case.mutant is not None:
        written["mutant"] = case.mutant
    if isinstance(expected, Refusal):
        written["refusal"] = expected
    else:
        written["tape"] = [pair.row for pair in expected.tape]
        written["horizon"] = expected.horizon
        written["expected"] = {
            name: getattr(expected, name) for name in _ExpectedRun.__struct_fields__
        }
        written["ordered"] = expected.ordered
        written["margin"] = expected.margin
    return cast(dict[str, object], msgspec.to_builtins(written))


@checked
def file_text(
    algorithm: str, flags: Mapping[str, str], cases: Iterable[Case], version: Version = VERSIONS[0]
) -> str:
    """Return the text of the file of an algorithm's cases, grouped, one case a line.

    Raises :class:`~tgite.errors.InvalidInput` for another algorithm's case and for a duplicate.
    """
    groups: dict[str, list[Case]] = {}
    seen: set[str] = set()
    used: set[str] = set()
    for case in cases:
        its = case.algorithm
        require(its == algorithm, "algorithm", its, f"must be {algorithm} in this file")
        require(case.id not in seen, "case", f"{case.name} ({case.id})", "must be there once")
        seen.add(case.id)
        used.update(case.flags)
        head = {"kind": case.kind, "conventions": conventions_to_json(case.conventions)}
        groups.setdefault(_compact(head), []).append(case)
    explained = _compact({flag: flags[flag] for flag in sorted(used)})
    listed = ",".join(
        head[:-1]
        + ',"cases":[\n'
        + ",\n".join(_compact(case_to_json(case)) for case in members)
        + "\n]}\n"
        for head, members in groups.items()
    )
    return (
        f'{{\n"format":"tgite-vectors/{version}",\n"algorithm":"{algorithm}",\n"flags":{explained},\n'
        f'"groups":[\n{listed}]}}\n'
    )


def _compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=True)


@checked
def read_text(text: str, name: str, published: bool = False) -> tuple[Case, ...]:
    """Return the cases in the text of the file ``name``; a ``published`` one was checked before.

    Raises :class:`~tgite.errors.InvalidInput`, naming the place in the file and the error.
    """
    if published:
        file = msgspec.json.decode(text, type=_WrittenFile)
    else:
        file = read(parsed(text, name), _WrittenFile, name)
    cases: dict[str, Case] = {}
    for at, group in enumerate(file.groups):
        conventions = read_conventions(group.conventions, f"{name}.groups[{at}].conventions")
        for number, written in enumerate(group.cases):
            place = f"{name}.groups[{at}].cases[{number}]"
            if not published:
                _check_written(written, place)
            case = _case(written, file.algorithm, conventions, group.kind, published)
            unexplained = sorted({*case.flags} - file.flags.keys())
            for broken, rule in (
                (case.id != written.id, f"must be {case.id}, by the content of the case"),
                (case.kind != group.kind, f"does not belong into a group of {group.kind}"),
                (case.id in cases, "is there twice"),
                (unexplained, f"has the unexplained flags {unexplained}"),
                (len(set(case.flags)) < len(case.flags), "has a flag twice"),
            ):
                if broken:
                    raise InvalidInput(place, written.id, rule)
            cases[case.id] = case
    return tuple(cases.values())


def _check_written(written: _WrittenCase, place: str) -> None:
    """Check what msgspec does not check, or not so fast."""
    for name in ("tape", "horizon", "expected", "ordered", "margin"):
        if (getattr(written, name) is UNSET) == (written.refusal is UNSET):
            rule = "must have the" if written.refusal is UNSET else "has the unknown"
            raise InvalidInput(place, written.id, f'{rule} field "{name}"')
    for row in written.tape or ():
        read_tape(row, f"{place}.tape")
    for number, match in enumerate(written.expected.matches if written.expected else ()):
        for text, pattern in ((match.level, LEVEL), (match.place, _PLACE)):
            if not re.match(pattern, text):
                where = f"{place}.expected.matches[{number}]"
                raise InvalidInput(where, text, f"must be a string matching regex {pattern}")


def _case(
    written: _WrittenCase, algorithm: str, by: Conventions, kind: str, published: bool
) -> Case:
    expected = written.refusal or Expected(
        tape=tuple(map(_pair_tape, written.tape or ())),
        horizon=written.horizon or None,
        ordered=written.ordered or False,
        margin=written.margin or "",
        **msgspec.structs.asdict(cast(_ExpectedRun, written.expected)),
    )
    return Case(
        name=written.name,
        algorithm=algorithm,
        parameters=written.parameters,
        conventions=by,
        expected=expected,
        flags=written.flags,
        boundary=kind == "boundary",
        mutant=written.mutant or None,
        known=written.id if published else "",
    )


def read_tape(row: tuple[int | str, ...], place: str) -> PairTape:
    """Return a row of a tape; raises :class:`~tgite.errors.InvalidInput` if it is invalid."""
    with suppress(TypeError, ValueError):  # of a value that is not of the type that it should be
        pair = _pair_tape(row)
        if 0 <= pair.low < pair.high and all(map(ENTRY.fullmatch, pair.outcomes)):
            return pair
    raise InvalidInput(
        place, list(row), "must be two arms in order, then entries of hexadecimal digits"
    )


def _pair_tape(row: tuple[int | str, ...]) -> PairTape:
    low, high, *outcomes = cast("tuple[int, int, *tuple[str, ...]]", row)
    return PairTape(low, high, tuple(outcomes))


@checked
def read_vectors(
    vectors: Path = SHIPPED, algorithms: Collection[str] | None = None
) -> tuple[Case, ...]:
    """Return the cases of all versions, or of the one folder that is named.

    Raises :class:`~tgite.errors.InvalidInput` as :func:`read_folder` does for each folder.
    """
    if (vectors / CHECKSUMS).exists() or not VERSIONS[0].folder(vectors).is_dir():
        return read_folder(vectors, algorithms)
    folders = (version.folder(vectors) for version in VERSIONS)
    return tuple(case for folder in folders for case in read_folder(folder, algorithms))


@checked
def read_folder(folder: Path, algorithms: Collection[str] | None = None) -> tuple[Case, ...]:
    """Return a folder's cases, of all or some algorithms, after checking all checksums.

    Raises :class:`~tgite.errors.InvalidInput` for a missing folder, a missing, surplus or changed
    file, and bad content.
    """
    rule = "must be a folder of vectors: it is not there"
    require(folder.is_dir(), "vectors", str(folder), rule)
    try:
        listed = (folder / CHECKSUMS).read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput("vectors", str(folder), f"has no {CHECKSUMS} ({error})") from None
    sums = {line[66:]: line[:64] for line in listed.splitlines()}
    published = hashlib.sha256(listed.encode()).hexdigest() in PUBLISHED.read_text("ascii")
    present = {path.name for path in folder.glob("*.json")}
    odd = ", ".join(sorted(present ^ sums.keys())) or "none"
    rule = f"must hold the files of {CHECKSUMS}; odd: {odd}"
    require(bool(present) and present == sums.keys(), "vectors", str(folder), rule)
    cases: list[Case] = []
    for name, digest in sorted(sums.items()):
        content = (folder / name).read_bytes()
        same = hashlib.sha256(content).hexdigest() == digest
        require(same, "vectors", str(folder / name), f"differs from {CHECKSUMS}")
        require(content.isascii(), "vectors", str(folder / name), "must be ASCII")
        if algorithms is None or name.removesuffix(".json") in algorithms:
            cases += read_text(content.decode("ascii"), name, published)
    return tuple(cases)


def checksums(texts: Mapping[str, str]) -> str:
    """Return the text of the checksum file, as ``sha256sum`` writes it."""
    return "".join(
        f"{hashlib.sha256(texts[name].encode('ascii')).hexdigest()}  {name}\n"
        for name in sorted(texts)
    )
