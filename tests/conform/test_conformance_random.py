"""Random cases: the reference passes them, what breaks at a width does not, and shrinks."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Generator
from itertools import count, islice
from pathlib import Path

import pytest

from shipped_vectors import subject_of
from tgite_checks.claims.mutants import mutants
from tgite_checks.mutation import mutated
from tgite_conform.algorithms import ALGORITHMS, Group
from tgite_conform.cases import shrinking
from tgite_conform.cases.random_cases import random_cases
from tgite_conform.cases.shrinking import smallest_failing
from tgite_conform.format import Case, Expected, case_to_json, read_folder, read_text
from tgite_conform.referee import Level
from tgite_conform.report import RandomSummary
from tgite_conform.runner import BAD, CaseResult, Status, examine
from tgite_conform.subjects import StreamSubject
from tgite_laws.cli.main import status


def test_a_horizon_kept_as_a_float_is_found_made_small_and_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # The number of cases that are tried ends the search, however slow the machine is.
    monkeypatch.setattr(shrinking, "_MOST_TRIED", 60)
    monkeypatch.setattr(shrinking, "_MOST_SECONDS", 300.0)
    words = (
        *("conform", "odd_implementations:double_horizon"),
        *("--algorithm", "tg_ite_strong_known_horizon"),
    )
    kept = tmp_path / "kept"
    assert status([*words, "--random", "12", "--keep", str(kept)]) == 1
    (case,) = read_folder(kept)
    N, H = case.parameters["N"], case.parameters["H"]
    assert isinstance(N, int)
    assert isinstance(H, int)
    assert N <= 8
    assert int(float(H)) != H
    text = capsys.readouterr().out
    counts = re.findall(r"\d+", text.partition("\n")[0].partition(": ")[2])
    assert sum(map(int, counts)) == 12, "the one made smaller is not counted"
    assert isinstance(case.expected, Expected)
    for line in (
        "the same cases again: --random 12 --seed 1",
        f"\n{case.id}: drawn at random\n",
        f"\n{case.id} is ",
        f"  parameters:  {json.dumps(case.parameters)}\n",
        f"  tape:        {json.dumps([pair.row for pair in case.expected.tape])}\n",
    ):
        assert line in text
    said = RandomSummary(12, 1, CaseResult(case, Status.WRONG)).to_json()
    assert said["result"] == CaseResult(case, Status.WRONG).to_json()
    assert read_text(json.dumps(said["vectors"]), "its vectors") == (case,)
    # What was kept fails again, and not for the reference.
    assert status([*words, "--vectors", str(kept)]) == 1
    assert case.id in capsys.readouterr().out
    assert status(["conform", "tgite_conform.algorithms:reference", "--vectors", str(kept)]) == 0


def test_the_search_for_the_smallest_ends_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each look at the clock takes a second, and every case fails."""
    monkeypatch.setattr(time, "monotonic", count().__next__)
    played = list[Case]()

    def playing(algorithm: str, parameters: dict[str, object]) -> Generator[object, object]:
        yield (0, 0)

    class Slow(StreamSubject):
        def play(self, case: Case, level: Level = Level.MATCHES) -> int:
            played.append(case)
            return super().play(case, level)

    failing = [CaseResult(case, Status.WRONG) for case in islice(random_cases(1, ["duel_test"]), 3)]
    smallest_failing(Slow(playing, "it"), Level.MATCHES, failing, 1)
    assert len(played) <= 12


def test_a_seed_gives_the_same_cases_and_another_one_others() -> None:
    def drawn(seed: int) -> list[dict[str, object]]:
        return [case_to_json(case) for case in islice(random_cases(seed), 5)]

    assert drawn(1) == drawn(1) != drawn(2)
    beyond = islice(random_cases(1, Group.BEYOND.algorithms), 5)
    assert {case.algorithm for case in beyond} <= set(Group.BEYOND.algorithms)


def test_every_known_mistake_of_certificates_is_noticed_within_few_random_cases() -> None:
    """The last one is by the 37th case of this seed."""
    cases = list(islice(random_cases(2, Group.CERTIFICATES.algorithms), 50))
    labels = {ALGORITHMS[name].label for name in Group.CERTIFICATES.algorithms}
    mistakes = [mutant for mutant in mutants() if mutant.label in labels]
    page = (Path(__file__).resolve().parents[2] / "docs" / "conformance-reference.md").read_text(
        "utf-8"
    )
    said = (
        f"Each of the {len(mistakes)} known mistakes in certificates is detected within the first "
        f"{len(cases)} such cases"
    )
    assert said in " ".join(page.split())
    for mutant in mistakes:
        subject = subject_of(mutated(mutant))
        assert any(one.status in BAD for one in examine(subject, cases)), mutant.name
