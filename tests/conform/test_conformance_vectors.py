"""The vectors: complete, well-formed, written as they are read, and played by the reference."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from hashlib import sha256
from itertools import islice
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shipped_vectors import CASES, RUNS
from tgite import RULINGS, Confidence, InvalidInput
from tgite.conventions import Byes, Pairing
from tgite_checks.mutation import source_of
from tgite_conform.algorithms import ALGORITHMS, Group, reference
from tgite_conform.flags import FLAGS, flags_of
from tgite_conform.format import (
    CHECKSUMS,
    CHOICES,
    SHIPPED,
    Case,
    Expected,
    ExpectedIncumbent,
    ExpectedMatch,
    ExpectedSelfPlay,
    MutantNote,
    Outcomes,
    PairTape,
    Refusal,
    Version,
    file_text,
    read_folder,
    read_text,
    read_vectors,
)
from tgite_conform.margins import Margin
from tgite_conform.referee import Level
from tgite_conform.subjects import StreamSubject
from tgite_conform.tape import packed, unpacked, written_out
from tgite_conform.vector_files import differences, folder_texts, write_folder

if TYPE_CHECKING:
    from _typeshed import TraceFunction

SCHEMA = json.loads((SHIPPED.parent / "schemas" / "vectors.schema.json").read_text())
V1 = Version.V1.folder()
PUBLISHED = ("1.4", "ccaf908d05c16fef38a56911dd4f8289c33ea3e756f33ca2cfb26108c79f58d3")
"""The newest version of the format, and the checksum of its schema."""
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def test_they_are_written_byte_for_byte_as_they_are_read(tmp_path: Path) -> None:
    """That the rows give the same cases anew is what the command ``vectors --check`` says."""
    for version in Version:
        folder = version.folder()
        assert differences(folder, folder_texts(read_folder(folder), version)) == []
    texts = folder_texts(read_folder(V1), Version.V1)
    # Changes are found, and told.
    changed = tmp_path / "v1"
    shutil.copytree(V1, changed)
    (changed / "bkt.json").unlink()
    (changed / "more.json").write_text("{}")
    lines = (changed / "duel_test.json").read_text().splitlines(keepends=True)
    lines[10] = lines[10].replace("f", "e", 1)
    (changed / "duel_test.json").write_text("".join(lines))
    assert differences(changed, texts) == [
        "bkt.json is missing",
        "more.json does not belong here",
        "duel_test.json differs from line 11 on",
    ]
    write_folder(changed, texts)
    assert differences(changed, texts) == []
    (changed / "notes.txt").write_text("mine")
    with pytest.raises(InvalidInput, match=r"notes\.txt"):
        write_folder(changed, texts)


def test_they_are_a_few_megabytes() -> None:
    assert sum(path.stat().st_size for path in SHIPPED.glob("*/*")) < 4_000_000


def test_the_reference_replays_them_all_in_order() -> None:
    subject = StreamSubject(reference, "reference")
    duels = sum(subject.play(case, Level.ORDER) for case in CASES)
    assert duels == sum(expected.duels for _, expected in RUNS) > 800_000


# Their form.


def test_they_follow_the_schema() -> None:
    """Of every group every tenth case; the reader, which is as strict, reads all of them."""
    VALIDATOR.check_schema(SCHEMA)
    for path in sorted(SHIPPED.glob("*/*.json")):
        file = json.loads(path.read_text())
        for group in file["groups"]:
            group["cases"] = group["cases"][::10]
        found = [f"{error.json_path}: {error.message}" for error in VALIDATOR.iter_errors(file)]
        assert found == [], path.name
        assert file["format"].removeprefix("tgite-vectors/") == path.parent.name.removeprefix("v")


def _shortened() -> str:
    """Return the text of a file with a run of BAI and a bad input."""
    file = json.loads((V1 / "tg_ite_bai.json").read_text())
    kinds = {group["kind"]: group for group in reversed(file["groups"])}
    file["groups"] = [kinds["runs"], kinds["refusals"]]
    for group in file["groups"]:
        group["cases"] = group["cases"][:1]
    return json.dumps(file)


SMALL = _shortened()
_OTHERWISE = replace(RULINGS, pairing=Pairing.FOLD, byes=Byes.SPREAD, first_arm=1)


def _small_file(**changes: object) -> dict[str, Any]:
    """Return that file, fields of the run replaced."""
    file: dict[str, Any] = json.loads(SMALL)
    file["groups"][0]["cases"][0] |= changes
    return file


def _small_text(**changes: object) -> str:
    return json.dumps(_small_file(**changes))


def _places(value: object) -> Iterator[tuple[Any, Any]]:
    """Yield every container within a value with each of its keys."""
    for key in value if isinstance(value, dict) else range(len(value)):  # type: ignore[arg-type]
        yield value, key
        inner = value[key]  # type: ignore[index]
        if isinstance(inner, dict | list):
            yield from _places(inner)


_OTHERS: tuple[object, ...] = (
    *(None, True, -1, 0, 1, 2, 2**64, "", "0", "g"),
    *([], [0], [0, 1], [-1, 1, "f"], {}, {"x": 1}),
)


def test_what_the_schema_refuses_the_reader_refuses_in_one_line() -> None:
    """One value anywhere in a file is another one, is missing, or is one too many."""
    outcomes = Counter[bool]()
    for number, (container, key) in enumerate(_places(_small_file())):
        for other in (*_OTHERS, "missing", "surplus"):
            file = _small_file()
            container, key = next(islice(_places(file), number, None))
            if other == "missing":
                del container[key]
            elif other != "surplus":
                container[key] = other
            elif isinstance(container, dict):
                container["surplus"] = 0
            else:
                container.append(0)
            try:
                read_text(json.dumps(file), "file")
                refused = None
            except InvalidInput as error:
                refused = error
            outcomes[refused is not None] += 1
            if refused is None:
                assert VALIDATOR.is_valid(file)
            else:
                assert str(refused).isprintable()
                assert refused.field.startswith("file")
    assert outcomes[True] > 900
    assert outcomes[False] > 50


_ARMS = st.integers(0, 9)
_LEVELS = st.sampled_from(["1/10", "2^-1024", "1/40 * 6/pi^2"])
_RUNS = st.builds(
    Expected,
    tape=st.lists(
        st.tuples(
            st.integers(0, 4), st.integers(5, 9), st.text("0123456789abcdef", min_size=1)
        ).map(lambda row: PairTape(row[0], row[1], (row[2], "0")))
    ).map(tuple),
    matches=st.lists(
        st.builds(
            ExpectedMatch,
            _ARMS,
            _ARMS,
            _LEVELS,
            st.integers(1, 10**6),
            st.none() | _ARMS,
            st.sampled_from(["", "h2 merge", "s1 h3 r2", "s2 screen", "s0 h1 r1", "s1 replace r2"]),
        )
    ).map(tuple),
    self_play=st.lists(st.builds(ExpectedSelfPlay, _ARMS, _ARMS, st.integers(1, 2**300))).map(
        tuple
    ),
    incumbents=st.lists(st.builds(ExpectedIncumbent, _ARMS, _ARMS)).map(tuple),
    horizon=st.none() | st.integers(1, 2**300),
    result=st.none() | _ARMS,
    ordered=st.booleans(),
    margin=st.sampled_from(["", "1.7e-3"]),
)
_CASES = st.builds(
    Case,
    name=st.text(min_size=1),
    algorithm=st.just("bkt"),
    parameters=st.fixed_dictionaries(
        {"S": st.lists(_ARMS).map(tuple), "delta": _LEVELS, "H": st.integers(0, 2**300)}
    ),
    conventions=st.sampled_from([RULINGS, _OTHERWISE]),
    expected=_RUNS | st.builds(Refusal, st.text()),
    flags=st.lists(st.sampled_from(sorted(FLAGS)), unique=True).map(tuple),
    mutant=st.none()
    | st.builds(
        MutantNote, st.text(), st.text(), st.text(), st.integers(0, 9), st.tuples(st.text())
    ),
)


@given(st.lists(_CASES, min_size=1, max_size=2, unique_by=lambda case: case.id))
def test_whatever_is_written_is_read_back(cases: list[Case]) -> None:
    text = file_text("bkt", FLAGS, cases)
    assert VALIDATOR.is_valid(json.loads(text))
    assert sorted(read_text(text, "file"), key=_id) == sorted(cases, key=_id)
    with pytest.raises(InvalidInput, match="must be there once"):
        file_text("bkt", FLAGS, [*cases, replace(cases[0], name="again")])


def _id(case: Case) -> str:
    return case.id


def _doubled() -> str:
    file = _small_file()
    file["groups"][0]["cases"] *= 2
    return json.dumps(file)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (_doubled(), "is there twice"),
        (_small_text(extra=1), "file.groups[0].cases[0] = {"),
        (_small_text(extra=1), 'has the unknown field "extra"'),
        (_small_text(id="tg_ite_bai-0123456789"), "by the content of the case"),
        (_small_text(horizon=7), "by the content of the case"),
        (_small_text(flags=["no-such-flag"]), "unexplained flags"),
        (_small_text(flags=["full-tree", "full-tree"]), "has a flag twice"),
        (_small_text(ordered=1), "file.groups[0].cases[0].ordered = 1: must be true or false"),
        (_small_text(tape=[[1, 0, "ff"]]), "two arms in order"),
        (_small_text(tape=[[0, 1, "xy"]]), "hexadecimal"),
        (_small_text(refusal={"field": "delta"}), "unknown field"),
        (_small_text().replace('"horizon": null', '"horizon": 1.0'), "floating-point"),
        (_small_text().replace('"horizon": null', '"horizon": NaN'), "floating-point"),
        (_small_text().replace('"margin"', '"margin": "", "margin"'), "no field twice"),
        (
            _small_text().replace("vectors/1", "vectors/2"),
            "one of tgite-vectors/1, tgite-vectors/1.1, tgite-vectors/1.2",
        ),
        (_small_text().replace('"kind": "runs"', '"kind": "mutants"'), "does not belong"),
        (_small_text().replace('"kind": "runs"', '"kind": "walks"'), "must be one of runs, bound"),
        (
            _small_text().replace("consecutive", "random"),
            "conventions.pairing = random: must be one of consecutive, fold, halves",
        ),
        (_small_text()[:-1], "must be JSON"),
        ("[" * 100_000, "must be JSON"),
        ("[]", "must be an object"),
    ],
)
def test_reading_is_strict(text: str, complaint: str) -> None:
    with pytest.raises(InvalidInput, match=re.escape(complaint)):
        read_text(text, "file")


def test_the_checksums_guard_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "v1"
    shutil.copytree(V1, folder)
    with (folder / "bkt.json").open("a") as file:
        file.write(" ")
    with pytest.raises(InvalidInput, match=f"differs from {CHECKSUMS}"):
        read_folder(folder)
    (folder / "surplus.json").write_text("{}")
    with pytest.raises(InvalidInput, match=r"odd: surplus\.json"):
        read_folder(folder)
    (folder / "surplus.json").unlink()
    (folder / "bkt.json").unlink()
    with pytest.raises(InvalidInput, match=r"odd: bkt\.json"):
        read_folder(folder)
    (folder / CHECKSUMS).unlink()
    with pytest.raises(InvalidInput, match=f"has no {CHECKSUMS}"):
        read_folder(folder)


@pytest.mark.parametrize("version", Version)
def test_no_version_may_be_missing(version: Version, tmp_path: Path) -> None:
    for one in Version:
        if one is not version:
            one.folder(tmp_path).symlink_to(one.folder())
    # Without its first version it is no folder of versions at all.
    complaint = f"has no {CHECKSUMS}" if version is Version.V1 else "it is not there"
    with pytest.raises(InvalidInput, match=complaint) as refused:
        read_vectors(tmp_path)
    assert refused.value.field == "vectors"


@given(st.lists(st.booleans()).map(lambda some: 4 * some))
def test_packing_is_its_own_inverse(outcomes: list[bool]) -> None:
    assert unpacked(packed(outcomes)) == outcomes
    assert unpacked(packed(outcomes), inverted=True) == [not outcome for outcome in outcomes]
    with pytest.raises(InvalidInput):
        packed([*outcomes, True])


def test_the_earliest_duel_stands_in_the_highest_bit() -> None:
    assert packed([True, False, False, False, True, True, True, True]) == "8f"


# What they cover.


def test_flags_are_those_of_the_runs() -> None:
    for case, expected in RUNS:
        found = flags_of(case.algorithm, case.parameters, case.conventions, expected)
        assert found == case.flags, case.id


def test_every_state_is_reached_by_every_algorithm_that_has_it() -> None:
    reached = Counter((case.algorithm, flag) for case in CASES for flag in case.flags)
    everywhere = set(Group.PAPER.algorithms)
    tests, sets = {"duel_test", "budgeted_duel_test"}, {"bkt", "bkt_g"}
    epochs, weak = ({name, f"{name}_g"} for name in ("screen_and_replace", "tg_ite_weak"))
    known = {"tg_ite_strong_known_horizon", "tg_ite_strong_known_horizon_g"}
    anytime = {"tg_ite_strong_anytime", "tg_ite_strong_anytime_g"}
    trees = everywhere - tests - sets - epochs
    byes = trees - {"tree_ascent_power_of_two", "tree_ascent_power_of_two_g"}
    ties = {"budgeted_duel_test", "bkt_g", "tree_ascent_g", "screen_and_replace_g", "tg_ite_weak_g"}
    expected = {
        "first-wins second-wins refusal": everywhere,
        "other-conventions": everywhere - {"budgeted_duel_test"},
        "long": {*tests, "bkt", "tree_ascent", "screen_and_replace"},
        "budget-spent tie": ties,
        "level-above-half": {*tests, "bkt"},
        "level-below-floats": {"duel_test", "bkt", "tree_ascent", "tg_ite_weak_g"},
        "no-match": sets,
        "bye": sets | epochs | byes,
        "rounds-4": {*sets, "tree_ascent", "tree_ascent_g", *epochs},
        "two-arms start-first start-last": trees | epochs,
        "full-tree start-kept start-replaced": trees,
        "formal-byes empty-block": byes,
        "no-beaters some-beaters all-beaters tournament-keeps tournament-replaces": epochs | weak,
        "epochs-2": weak | anytime,
        "self-play beyond-64-bits": known | anytime,
        "cut-in-match": weak | anytime | known,
        "cut-between-matches": weak,
        "cut-in-self-play cut-after-self-play": anytime,
        "expires just-in-time": known,
    }
    certificates = {"certify", "find_then_certify"}
    of_certificates = {
        "first-wins second-wins refusal exact-tie": certificates,
        "other-conventions": certificates,
        "certified match-lost match-over cut-in-match two-arms": certificates,
        "equivalent level-below-floats": {"certify"},
        "bye rounds-4 budget-spent tie screened-out certificates-2": {"find_then_certify"},
        "exposed not-exposed cut-between-matches": {"find_then_certify"},
    }
    pairs = [(flag, names) for flags, names in expected.items() for flag in flags.split()]
    pairs += _beyond(pairs)
    pairs += [(flag, some) for flags, some in of_certificates.items() for flag in flags.split()]
    assert {flag for flag, _ in pairs} == set(FLAGS)
    assert [(name, flag) for flag, some in pairs for name in some if not reached[name, flag]] == []


# What needs many cases to be reached is reached with the paper's tests alone.
_RARE = frozenset(
    {"refusal", "long", "level-above-half", "level-below-floats", "budget-spent", "tie"}
)


def _beyond(papers: list[tuple[str, set[str]]]) -> list[tuple[str, set[str]]]:
    """Return the states of the algorithms with a test beyond the paper: those of the paper's."""
    rows = {name: ALGORITHMS[name] for name in Group.BEYOND.algorithms}
    pairs = [
        (flag, {name for name, row in rows.items() if row.base in names})
        for flag, names in papers
        if flag not in _RARE
    ]
    tests = {name for name, row in rows.items() if row.is_a_test}
    budgeted = {"truncated_sprt_test", "bkt_truncated_sprt", "screen_and_replace_truncated_sprt"}
    return [
        *pairs,
        *((flag, tests) for flag in ("first-wins", "second-wins", "refusal", "exact-tie")),
        *((flag, tests) for flag in ("level-above-half", "level-below-floats")),
        *((flag, budgeted) for flag in ("budget-spent", "tie")),
        ("cut-in-self-play", {name for name in ALGORITHMS if "known_horizon" in name} - {_KNOWN_G}),
    ]


_KNOWN_G = "tg_ite_strong_known_horizon_g"


@pytest.mark.parametrize("choice", CHOICES)
def test_every_value_of_every_convention_has_vectors(choice: str) -> None:
    concerned = {name for name, row in ALGORITHMS.items() if choice in row.choices}
    for value in CHOICES[choice]:
        having = {case.algorithm for case, _ in RUNS if getattr(case.conventions, choice) == value}
        assert len(having & concerned) > 1, f"{choice} = {value}: add rows to a new version"


def test_the_published_schema_changes_with_a_new_version_only() -> None:
    """And lists the values of conventions as the code does."""
    properties = SCHEMA["$defs"]["conventions"]["properties"]
    assert {name: tuple(one["enum"]) for name, one in properties.items()} == CHOICES
    assert SCHEMA["properties"]["format"]["enum"] == [version.written for version in Version]
    text = (SHIPPED.parent / "schemas" / "vectors.schema.json").read_bytes()
    assert (list(Version)[-1], sha256(text).hexdigest()) == PUBLISHED, "add a version of the format"


def test_sizes_starts_levels_and_conventions_are_covered() -> None:
    sizes = {(case.algorithm, case.parameters.get("N")) for case, _ in RUNS}
    for N in range(2, 18):
        for name in ("tree_ascent", "tree_ascent_g", "screen_and_replace"):
            assert (name, N) in sizes
    bkt_sizes = {len(S) for case, _ in RUNS if isinstance(S := case.parameters.get("S"), tuple)}
    assert {*range(1, 18), 31, 32, 33, 64, 65} <= bkt_sizes
    assert {("tree_ascent", N) for N in (31, 32, 33, 64, 65)} <= sizes
    levels = {case.parameters.get("delta") for case, _ in RUNS if case.algorithm == "duel_test"}
    assert {"999/1000", "1/10", "2^-1024", "2^-1100"} <= levels
    conventions = {case.conventions for case, _ in RUNS}
    assert len({c.pairing for c in conventions}) == 3
    assert len(conventions) > 30
    longest = max(match.length for _, expected in RUNS for match in expected.matches)
    assert longest > 100_000


def test_levels_and_gaps_are_written_exactly_and_in_one_way() -> None:
    for case, expected in RUNS:
        for name in ("delta", "epsilon", "rho", "kappa", "warm_start"):
            if name in case.parameters:
                text = case.parameters[name]
                assert isinstance(text, str)
                assert str(Confidence.of(text)) == text
        for match in expected.matches:
            assert str(Confidence.of(match.level)) == match.level
        if "g" in case.parameters:
            assert str(Fraction(str(case.parameters["g"]))) == case.parameters["g"]


def test_negative_cases_name_what_is_bad() -> None:
    refused = [(c, c.expected.field) for c in CASES if isinstance(c.expected, Refusal)]
    assert len(refused) > 250
    assert all(field in case.name for case, field in refused)
    for name, algorithm in ALGORITHMS.items():
        fields = {field for case, field in refused if case.algorithm == name}
        due = set(algorithm.parameters)
        if algorithm.group is Group.BEYOND and not algorithm.is_a_test:
            due &= {"g"}
        assert fields == due


def test_names_are_unique() -> None:
    assert len({(case.algorithm, case.name) for case in CASES}) == len(CASES)


def test_a_tape_goes_on_beyond_each_match() -> None:
    for _, expected in RUNS:
        queues = {(pair.low, pair.high): iter(pair.outcomes) for pair in expected.tape}
        for match in expected.matches:
            low, high = sorted((match.first, match.second))
            assert 4 * len(written_out(next(queues[low, high]))) >= match.length + 16
        assert all(next(queue, None) is None for queue in queues.values())


# The boundary.


def _decisions(case: Case, expected: Expected, number: int) -> list[tuple[Margin, bool]]:
    """Return the decisions of a match that are near the boundary, and what the tape says."""
    match = expected.matches[number]
    level = Confidence.of(match.level)
    g = Fraction(str(case.parameters["g"])) if "g" in case.parameters else None
    found: list[tuple[Margin, bool]] = []
    S, log_inverse = 0, level.log_inverse
    for n, outcome in enumerate(Outcomes(expected).of(number).after(0), start=1):
        S += outcome
        lead, gap = abs(2 * S - n), 0.0 if g is None else float(g)
        quotient = 2 * n * (n + 1) if g is None else 8 * n * n
        square = 2 * n * (float(Decimal(quotient).ln()) + log_inverse)
        if abs((lead + 2 * n * gap) ** 2 / square - 1) < 1e-6 * max(1, 1000 / n):
            stops = n == match.length and match.winner is not None
            found.append((Margin.of(n, S, level, g), stops))
    return found


def test_near_the_boundary_the_real_numbers_decide_as_the_vectors_say() -> None:
    papers = Group.PAPER.algorithms
    near = [(case, run) for case, run in RUNS if case.boundary and case.algorithm in papers]
    assert {case.algorithm for case, _ in near} >= {"duel_test", "budgeted_duel_test"}
    looked_at = Counter[bool]()
    for case, expected in near:
        if expected.duels > 20_000:
            continue
        for number in range(len(expected.matches)):
            for margin, stops in _decisions(case, expected, number):
                assert margin.stops == stops, case.name
                looked_at[margin.stops] += 1
    assert looked_at[True] >= 6
    assert looked_at[False] >= 6


def test_margins_say_which_cases_are_near() -> None:
    for case, expected in RUNS:
        if not expected.matches:
            assert expected.margin == ""
            continue
        # A case that is there for a mistake stands in the group of these.
        near = Decimal(expected.margin) < Decimal("1e-9")
        assert case.boundary == (near and case.mutant is None)
        if ALGORITHMS[case.algorithm].test.of_the_paper:
            assert Decimal(expected.margin) >= Decimal("1e-13")


# Lines of the paper.


_ALGORITHM_MODULES = {
    *("duel_test", "budgeted_duel_test", "bkt", "tree_ascent"),
    *("screen_and_replace", "weak", "strong"),
}


def test_the_vectors_reach_every_line_of_the_paper() -> None:
    """Every line of the transcription that carries a line number of the paper is executed."""
    smallest: dict[tuple[str, str], Case] = {}
    for case, expected in RUNS:
        for flag in case.flags:
            known = smallest.get((case.algorithm, flag))
            if known is None or expected.duels < known.duels:
                smallest[case.algorithm, flag] = case
    executed: set[tuple[str, int]] = set()

    def tracer(frame: FrameType, event: str, argument: object) -> TraceFunction | None:
        module = frame.f_globals.get("__name__", "").removeprefix("tgite.")
        if module not in _ALGORITHM_MODULES:
            return None
        executed.add((module, frame.f_lineno))
        return tracer

    subject = StreamSubject(reference, "reference")
    before = sys.gettrace()
    sys.settrace(tracer)
    try:
        for case in {case.id: case for case in smallest.values() if case.duels < 400}.values():
            subject.play(case)
    finally:
        sys.settrace(before)
    tagged = {
        (module, number)
        for module in _ALGORITHM_MODULES
        for number, line in enumerate(source_of(module).splitlines(), start=1)
        if re.search(r"#.*\bL\d+", line)
    }
    assert len(tagged) > 60
    assert tagged - executed == set()
