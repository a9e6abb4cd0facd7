"""Recorded curves, kept runs and the command ``figures``, on small settings."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from fractions import Fraction
from pathlib import Path

import pytest

import tgite
from tgite import Confidence, InvalidInput, duel_test, known_gap, play
from tgite.comparators.winner_stays import ws_s
from tgite_checks.figures import runs, settings
from tgite_checks.figures.contestants import CONTESTANTS, START, Panel
from tgite_checks.figures.curves import Regret, RegretCurve, evenly
from tgite_checks.figures.drawing import Printed, draw_all
from tgite_checks.figures.runs import Job, SavedRuns, perform_all
from tgite_checks.figures.settings import Arena, Data, entries
from tgite_checks.figures.summary import summarised, write_curves, write_finals
from tgite_laws.cli.main import status
from tgite_laws.duel_test import DuelTestLaws
from tgite_laws.fewest_duels import fewest_duels, one_pass
from tgite_laws.implementation import REFERENCE


def test_a_curve_by_hand() -> None:
    """Runs of duels and self-tgite.play that cross several times at once, weak and strong."""
    weak, strong = (RegretCurve(kind, 1, (1, 3, 4, 6, 9)) for kind in Regret)
    for curve in (weak, strong):
        curve.duels(tgite.Duel(0, 2), bytes(2))  # rounds 1, 2: costs both regrets
        curve.duels(tgite.Duel(1, 2), bytes(3))  # rounds 3 to 5: costs strong regret
        curve.incumbent(1)
        curve.self_play(1, 2)  # rounds 6, 7: free
        curve.self_play(0, 1)  # round 8: costs both
    assert weak.values == [1, 2, 2, 2]
    assert strong.values == [1, 3, 4, 5]


def test_a_curve_ends_at_the_regret_that_the_player_counts() -> None:
    instance = tgite.cyclic(8, "0.3", "0.38")
    for kind in Regret:
        curve = RegretCurve(kind, 4, evenly(3000, 7))
        stream = ws_s(8, Fraction(2))
        run = play(stream, tgite.SeededEnvironment(instance, 1), 4, horizon=3000, recorder=curve)
        assert len(curve.values) == 7
        assert curve.values[-1] == getattr(run, f"{kind}_regret")


def test_bad_times_are_refused() -> None:
    for times in ((), (0, 1), (2, 2), (3, 1)):
        with pytest.raises(InvalidInput):
            RegretCurve(Regret.WEAK, 0, times)


@pytest.mark.parametrize("data", [Data.SUSHI16, Data.MSLR5])
def test_the_winner_of_a_real_matrix_is_not_where_all_begin(data: Data) -> None:
    original = tgite.example(str(data))
    for arena in settings.arenas(data):
        moved = arena.preferences()
        assert moved.winner() == arena.size // 2 != START
        assert moved.names[moved.winner()] == original.names[original.winner()]
        assert moved.winner_gap() == original.winner_gap()
        assert moved.global_gap() == original.global_gap()


def test_fewest_duels_are_those_of_one_sided_matches() -> None:
    laws = DuelTestLaws(REFERENCE)
    for text in ("1/2", "1/10", "2^-40"):
        level = Confidence.of(text)
        stops = laws.stopping_law(level, Fraction(9, 10)).duels
        assert fewest_duels(duel_test, level) == stops.min()
        assert fewest_duels(known_gap(Fraction(1, 4)), level) <= fewest_duels(duel_test, level)
    found = one_pass(REFERENCE, 16, 3, Confidence.of("1/4"))
    assert found.matches == 15


SMALL_ARENAS = (
    Arena(Data.PAPER, Panel.BAI, "cyclic, N = 8", 8),
    Arena(Data.PAPER, Panel.BAI, "cyclic, N = 16", 16),
    Arena(Data.PAPER, Panel.WEAK, "sparse, N = 8", 8, 400),
    Arena(Data.PAPER, Panel.STRONG, "cyclic, N = 8", 8, 600),
)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "arenas", lambda data, own: SMALL_ARENAS)
    monkeypatch.setattr(runs, "POINTS", 20)


def all_jobs(wider: bool = False) -> list[Job]:
    both = range(2)
    return [Job(arena, one.key, seed) for arena, one in entries(Data.PAPER, wider) for seed in both]


@pytest.mark.usefixtures("small")
def test_every_contestant_plays_and_is_drawn(tmp_path: Path) -> None:
    """All of them, the wider field too; the figures are files that can be read."""
    jobs = all_jobs(wider=True)
    assert {job.key for job in jobs} == {one.key for all_ in CONTESTANTS.values() for one in all_}
    with SavedRuns(tmp_path / "runs.jsonl") as kept:
        perform_all(jobs, kept, 1, lambda job: None)
    summaries = [summarised(arena, one, 2, kept.played) for arena, one in entries(Data.PAPER, True)]
    printed = {Panel.WEAK: (Printed(100.0, "printed"),)}
    for path in draw_all(Data.PAPER, summaries, printed, tmp_path):
        if path.suffix != ".svg":
            assert path.read_bytes().startswith(b"\x89PNG")
        elif "strong" in path.name:
            text = "".join(ET.parse(path).getroot().itertext())
            for words in ("WR-TINF [our reconstruction]", "Beat-the-Mean", "(not valid here)"):
                assert words in text
    real = [one for one in summaries if one.arena.panel is not Panel.BAI or one.arena.size == 8]
    assert len(draw_all(Data.MSLR5, real, {}, tmp_path)) == 6
    finals = tmp_path / "finals.csv"
    write_finals(finals, summaries)
    write_curves(tmp_path / "curves.csv", summaries)
    assert finals.read_text().count("\n") == len(summaries) + 1
    assert "cycles" in finals.read_text()


def test_ones_own_matrix_is_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "REAL_HORIZON", 300)
    monkeypatch.setattr(settings, "REAL_BUDGET", 3000)
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "own.csv"
    words = ["figures", "--matrix", "own.csv", "--seeds", "1", "--jobs", "1"]
    for p in ("0.8", "0.9"):  # What was kept of the one is not taken for the other.
        path.write_text(f",x,y\nx,,{p}\ny,{float(1 - Fraction(p))},\n", "utf-8")
        assert status([*words, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out.split("\n}\n")[1] + "\n}")
    assert {one["panel"] for one in printed["contestants"]} == {"bai", "weak", "strong"}
    assert len(printed["files"]) == 6
    assert all(Path(file).exists() for file in printed["files"])
    assert ", winner relabelled 1" in printed["contestants"][0]["arena"]
    kept = (tmp_path / "figures/matrix/runs.jsonl").read_text("utf-8").splitlines()
    assert len(kept) == 2 * len(printed["contestants"])
    assert status([*words, "--data", "mslr5"]) == 2
    assert status(["figures", "--data", "matrix"]) == 2
    path.write_text("a,b,c\n0.5,0.9,0.1\n0.1,0.5,0.9\n0.9,0.1,0.5\n", "utf-8")
    assert status(words) == 2
    assert "no arm beats every other one" in capsys.readouterr().err


@pytest.mark.usefixtures("small")
def test_interrupted_runs_go_on(tmp_path: Path) -> None:
    """What an interrupt leaves, a torn last line included, is neither lost nor played again."""
    path, jobs = tmp_path / "runs.jsonl", all_jobs()
    played: list[Job] = []

    def interrupt(job: Job) -> None:
        played.append(job)
        if len(played) == 5:
            raise KeyboardInterrupt

    with SavedRuns(path) as kept, pytest.raises(KeyboardInterrupt):
        perform_all(jobs, kept, 1, interrupt)
    assert len(path.read_text().splitlines()) == 5
    path.write_text(path.read_text() + '{"format": "tgite-exp')
    again: list[Job] = []
    with SavedRuns(path) as kept:
        assert len(kept.played) == 5
        perform_all(jobs, kept, 1, again.append)
    assert len(again) == len(jobs) - 5
    with SavedRuns(tmp_path / "fresh.jsonl") as fresh:
        perform_all(jobs, fresh, 1, lambda job: None)
    with SavedRuns(path) as read_again:
        assert fresh.played == kept.played == read_again.played


def test_other_limits_are_other_runs() -> None:
    weak, strong = (Job(arena, "ws-w", 0) for arena in SMALL_ARENAS[2:])
    longer = Job(Arena(Data.PAPER, Panel.WEAK, "sparse, N = 8", 8, 500), "ws-w", 0)
    assert len({job.identity for job in (weak, strong, longer)}) == 3


@pytest.mark.parametrize(
    "line", ["not json", '{"format": "other"}', '{"format": "tgite-experiments/1"}']
)
def test_damaged_files_are_refused(tmp_path: Path, line: str) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_text(line + "\n")
    with pytest.raises(InvalidInput, match="runs"):
        SavedRuns(path)
