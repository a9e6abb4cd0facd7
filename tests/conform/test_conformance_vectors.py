"""The vectors: complete, well-formed, written as they are read, and played by the reference."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from golden import table
from shipped_vectors import CASES, RUNS
from tgite import InvalidInput
from tgite_conform import vector_files
from tgite_conform.algorithms import ALGORITHMS, Group, reference
from tgite_conform.cases.rows import rows
from tgite_conform.flags import FLAGS
from tgite_conform.format import (
    CHECKSUMS,
    CHOICES,
    PUBLISHED,
    SHIPPED,
    VERSIONS,
    Refusal,
    Version,
    checksums,
    file_text,
    read_folder,
    read_text,
    read_vectors,
)
from tgite_conform.protocol import handed
from tgite_conform.recorder import case_of
from tgite_conform.referee import Level
from tgite_conform.runner import in_turns
from tgite_conform.subjects import StreamSubject
from tgite_conform.vector_files import (
    SCHEMA,
    completed,
    folder_texts,
    publish,
    recorded,
    unpublished,
    write_folder,
)

FORM = json.loads(SCHEMA.read_text())
PROPERTIES = FORM["$defs"]["conventions"]["properties"]
V1 = VERSIONS[0].folder()
RARE = {"refusal", "long", "level-above-half", "level-below-floats", "rounds-4"} | {
    *("budget-spent", "tie", "cut-in-match", "cut-between-matches", "cut-in-self-play")
}
"""States that it is enough to reach with the paper's own test."""
VALIDATOR = jsonschema.Draft202012Validator(FORM)


def test_they_are_written_byte_for_byte_as_they_are_read(tmp_path: Path) -> None:
    for version in VERSIONS:
        folder = version.folder()
        there = {path.name: path.read_text("ascii") for path in folder.iterdir()}
        assert there == folder_texts(read_folder(folder), version)
    changed = tmp_path / "v1"
    shutil.copytree(V1, changed)
    texts = folder_texts(read_folder(V1), VERSIONS[0])
    (changed / "bkt.json").unlink()
    (changed / "more.json").write_text("{}")
    (changed / "duel_test.json").write_text("{}")
    write_folder(changed, texts)
    assert {path.name: path.read_text("ascii") for path in changed.iterdir()} == texts
    (changed / "notes.txt").write_text("mine")
    with pytest.raises(InvalidInput, match=r"notes\.txt"):
        write_folder(changed, texts)


@pytest.mark.parametrize("version", VERSIONS)
def test_the_recorder_makes_them_of_their_rows(version: Version) -> None:
    """Of some rows; continuous integration makes all, and compares them."""
    cases = {case.id: case for case in read_folder(version.folder())}
    for row in rows(version)[::12]:
        case = case_of(row.recipe())
        # A case that is there for a mistake stands in the group of these.
        near = case.boundary and row.mutant is None
        assert replace(case, mutant=row.mutant, boundary=near) == cases[case.id], row.name


def test_the_reference_replays_them_all_in_order() -> None:
    subject = StreamSubject(reference, "reference")
    short = [case for case in CASES if case.duels < 20_000]
    duels = [subject.play(case, Level.ORDER) for case in short]
    assert duels == [case.duels for case in short]
    assert sum(duels) > 800_000


# Their form.


def test_they_follow_the_schema() -> None:
    """Of every group every tenth case; the reader, which is as strict, reads all of them."""
    VALIDATOR.check_schema(FORM)
    for path in sorted(SHIPPED.glob("*/*.json")):
        text = path.read_text()
        assert read_text(text, path.name) == read_text(text, path.name, published=True)
        file = json.loads(text)
        for group in file["groups"]:
            group["cases"] = group["cases"][::10]
        found = [f"{error.json_path}: {error.message}" for error in VALIDATOR.iter_errors(file)]
        assert found == [], path.name
        assert file["format"].removeprefix("tgite-vectors/") == path.parent.name.removeprefix("v")


def _small_file() -> dict[str, Any]:
    """Return the content of a file with a run of BAI and a bad input."""
    file: dict[str, Any] = json.loads((V1 / "tg_ite_bai.json").read_text())
    kinds = {group["kind"]: group for group in reversed(file["groups"])}
    file["groups"] = [kinds["runs"], kinds["refusals"]]
    for group in file["groups"]:
        group["cases"] = group["cases"][:1]
    return file


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


@given(st.text(min_size=1))
def test_whatever_name_is_written_is_read_back(name: str) -> None:
    case = replace(CASES[0], name=name)
    text = file_text(case.algorithm, FLAGS, [case])
    assert text.isascii()
    assert VALIDATOR.is_valid(json.loads(text))
    assert read_text(text, "file") == (case,)
    with pytest.raises(InvalidInput, match="must be there once"):
        file_text(case.algorithm, FLAGS, [case, replace(case, name="again")])


@pytest.mark.parametrize(
    ("right", "wrong", "complaint"), table("conform/strict_reading.toml", "refused")
)
def test_reading_is_strict(right: str, wrong: str, complaint: str) -> None:
    small = _small_file()
    wrong = wrong.replace("CASE", json.dumps(small["groups"][0]["cases"][0]))
    text = json.dumps(small).replace(right, wrong, 1)
    for bad, said in ((text, complaint), ("[" * 100_000, "must be JSON"), ("[]", "an object")):
        with pytest.raises(InvalidInput, match=re.escape(said)):
            read_text(bad, "file")


def test_the_checksums_guard_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "v1"
    texts = {path.name: path.read_text() for path in V1.glob("*.json")}
    texts["bkt.json"] = texts["bkt.json"].replace('"horizon":null', '"horizon":7', 1)
    write_folder(folder, texts | {CHECKSUMS: checksums(texts)})
    with pytest.raises(InvalidInput, match="by the content of the case"):  # It is not published.
        read_folder(folder)
    for name, text, said in (
        ("bkt.json", "{}", f"differs from {CHECKSUMS}"),
        ("surplus.json", "{}", "odd: surplus.json"),
        ("bkt.json", None, "odd: bkt.json, surplus.json"),
        (CHECKSUMS, None, f"has no {CHECKSUMS}"),
    ):
        if text is None:
            (folder / name).unlink()
        else:
            (folder / name).write_text(text)
        with pytest.raises(InvalidInput, match=said):
            read_folder(folder)


@pytest.mark.parametrize("version", VERSIONS)
def test_no_version_may_be_missing(version: Version, tmp_path: Path) -> None:
    for one in VERSIONS:
        if one is not version:
            one.folder(tmp_path).symlink_to(one.folder())
    # Without its first version it is no folder of versions at all.
    complaint = f"has no {CHECKSUMS}" if version == VERSIONS[0] else "it is not there"
    with pytest.raises(InvalidInput, match=complaint) as refused:
        read_vectors(tmp_path)
    assert refused.value.field == "vectors"


# What they cover.


def test_every_state_is_reached_with_every_test() -> None:
    """How often by which algorithm is told in docs/coverage.md."""
    reached = {name: set[str]() for name in ALGORITHMS}
    for case in CASES:
        reached[case.algorithm].update(case.flags)
    assert set.union(*reached.values()) == set(FLAGS)
    for name, flags in reached.items():
        assert {"first-wins", "second-wins"} <= flags
        missing = reached[ALGORITHMS[name].base or name] - flags - RARE
        assert not missing, f"{name}: add rows that reach {missing}"
        if ALGORITHMS[name].is_a_test:
            assert {"refusal", "level-above-half"} <= flags


@pytest.mark.parametrize("choice", CHOICES)
def test_every_value_of_every_convention_has_vectors(choice: str) -> None:
    concerned = {name for name, row in ALGORITHMS.items() if choice in row.choices}
    for value in CHOICES[choice]:
        having = {case.algorithm for case, _ in RUNS if getattr(case.conventions, choice) == value}
        assert len(having & concerned) > 1, f"{choice} = {value}: add rows to a new version"


def test_published_files_change_with_a_new_version_only() -> None:
    sums = recorded()
    assert {*sums} == {f"../schemas/{SCHEMA.name}", *(f"v{one}/{CHECKSUMS}" for one in VERSIONS)}
    for name, known in sums.items():
        assert sha256((SHIPPED / name).read_bytes()).hexdigest() == known, "add a version"


def test_the_schema_lists_what_there_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    text = SCHEMA.read_text("ascii")
    assert completed(text) == text
    enumerations = {name: one["enum"] for name, one in PROPERTIES.items()}
    assert {name: tuple(values) for name, values in enumerations.items()} == CHOICES
    # What is new is added at its end.
    monkeypatch.setitem(CHOICES, "byes", (*CHOICES["byes"], "middle"))
    longer = json.loads(completed(text))["$defs"]["conventions"]["properties"]["byes"]["enum"]
    assert longer == [*enumerations["byes"], "middle"]
    monkeypatch.undo()
    # Versions that are published stay; a new one is recorded beside them.
    with pytest.raises(InvalidInput, match="are published and stay"):
        unpublished()
    for name, path in (("PUBLISHED", PUBLISHED), ("SCHEMA", SCHEMA)):
        shutil.copy(path, tmp_path)
        monkeypatch.setattr(vector_files, name, tmp_path / path.name)
    now = PUBLISHED.read_text("ascii").replace(recorded()[f"v1/{CHECKSUMS}"], "0" * 64)
    lines = [line for line in now.splitlines(keepends=True) if f"v{VERSIONS[-1]}/" not in line]
    (tmp_path / PUBLISHED.name).write_text("".join(lines))
    assert unpublished() == [VERSIONS[-1]]
    publish()
    assert (tmp_path / PUBLISHED.name).read_text("ascii") == now
    assert (tmp_path / SCHEMA.name).read_text("ascii") == text


def test_negative_cases_name_what_is_bad() -> None:
    refused = [(c, c.expected.field) for c in CASES if isinstance(c.expected, Refusal)]
    assert len(refused) > 250
    assert all(field in case.name and handed(case).tape for case, field in refused)
    order = [isinstance(c.expected, Refusal) for c in in_turns(CASES) if c.algorithm == "certify"]
    assert (True, False) in pairwise(order)  # what is kept of a refused case can show
    for name, algorithm in ALGORITHMS.items():
        fields = {field for case, field in refused if case.algorithm == name}
        combined = algorithm.group is Group.BEYOND and not algorithm.is_a_test
        due = set(algorithm.parameters)
        assert fields == (due & {"g"} if combined else due)


# Lines of the paper.
