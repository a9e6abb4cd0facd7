"""Recorded curves, kept runs and the command ``figures``, on small settings."""

from __future__ import annotations

import itertools
import json
import random
import xml.etree.ElementTree as ET
from fractions import Fraction
from pathlib import Path

import pytest

import tgite
from tgite import Arm, Confidence, InvalidInput, duel_test, known_gap, play
from tgite.comparators.winner_stays import ws_s
from tgite_checks.figures import runs, settings
from tgite_checks.figures.contestants import CONTESTANTS, START, Panel, contestant
from tgite_checks.figures.curves import Regret, RegretCurve, evenly
from tgite_checks.figures.drawing import Printed, draw_all
from tgite_checks.figures.runs import Job, SavedRuns, perform, perform_all, perform_together
from tgite_checks.figures.settings import Arena, Data, entries
from tgite_checks.figures.summary import summarised, write_curves, write_finals
from tgite_laws.cli.main import status
from tgite_laws.duel_test import DuelTestLaws
from tgite_laws.fewest_duels import fewest_duels, one_pass
from tgite_laws.implementation import REFERENCE


def test_a_curve_by_hand() -> None:
    """Runs of duels and self-play that cross several times at once, weak and strong."""
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


# Many seeds at once: each row is the run of its seed alone, duel by duel.


KEYS = ("wr-tinf", "versatile-db", "wr-exp3-ix")


class Recorded:
    """Every round that is played: the pair and whether its first arm won."""

    def __init__(self) -> None:
        self.trace: list[tuple[Arm, Arm, bool]] = []

    def duels(self, duel: tgite.Duel, outcomes: bytes) -> None:
        self.trace += [(duel.first, duel.second, bool(outcome)) for outcome in outcomes]

    def self_play(self, arm: Arm, rounds: int) -> None:
        self.trace += [(arm, arm, False)] * rounds

    def incumbent(self, arm: Arm) -> None:
        raise AssertionError("none of these announces an incumbent")


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(("N", "horizon"), [(2, 300), (6, 400), (64, 200), (256, 50), (4, 1)])
def test_each_row_is_the_run_of_its_seed(key: str, N: int, horizon: int) -> None:
    """The rounds of each seed are those that the player plays of its stream."""
    instance, seeds, one = (
        tgite.cyclic(N, "0.3", "0.38"),
        (0, 3, 4, 11),
        contestant(Panel.STRONG, key),
    )
    assert one.together is not None
    stream = one.together(N, [random.Random(f"c {seed}") for seed in seeds])
    rounds = runs.play_together(stream, instance, seeds, horizon)
    for column, seed in enumerate(seeds):
        recorded = Recorded()
        alone = one.make(instance, horizon, random.Random(f"c {seed}"))
        play(alone, tgite.SeededEnvironment(instance, seed), horizon=horizon, recorder=recorded)
        columns = (part[:, column].tolist() for part in rounds)
        # Not in the assertion: pytest would take minutes to say how two long traces differ.
        same = list(zip(*columns, strict=True)) == recorded.trace
        assert same


WEAK = Arena(Data.PAPER, Panel.WEAK, "sparse, N = 16", 16, 900)
STRONG = Arena(Data.PAPER, Panel.STRONG, "cyclic, N = 8", 8, 700)
REAL = Arena(Data.MSLR5, Panel.STRONG, "mslr5", 5, 700)
TWO = Arena(Data.PAPER, Panel.WEAK, "sparse, N = 2", 2, 300)


def jobs_of(arena: Arena, seeds: int) -> list[list[Job]]:
    keys = [key for key in KEYS if arena.panel is Panel.STRONG or key != "versatile-db"]
    return [[Job(arena, key, seed) for seed in range(seeds)] for key in keys]


def test_what_is_played_together_is_what_each_gives() -> None:
    """Also of those that are played one by one."""
    bai = Arena(Data.PAPER, Panel.BAI, "cyclic, N = 8", 8)
    alike = [jobs for arena in (WEAK, STRONG, REAL, TWO) for jobs in jobs_of(arena, 3)]
    single = [
        [Job(arena, key, seed) for seed in (1, 2)]
        for arena, key in ((bai, "bkt"), (STRONG, "ws-s-2"))
    ]
    for jobs in alike + single:
        assert perform_together(jobs) == [perform(job) for job in jobs]


@pytest.mark.parametrize(("seeds", "processes"), [(10, 1), (10, 2), (10, 16), (3, 64), (33, 2)])
def test_tasks_hold_each_job_once_and_share_it_evenly(seeds: int, processes: int) -> None:
    alike = jobs_of(STRONG, seeds) + jobs_of(WEAK, seeds)
    single = [Job(STRONG, "ws-s-2", seed) for seed in range(seeds)]
    jobs = [*itertools.chain(*alike), *single]
    tasks = list(runs._tasks(jobs, processes))
    assert sorted(itertools.chain(*tasks), key=jobs.index) == jobs
    for task in tasks:
        assert len({(job.arena, job.key) for job in task}) == 1
        assert 1 <= len(task) <= runs.MOST_TOGETHER
    for them in alike:
        lengths = [len(task) for task in tasks if task[0] in them]
        assert max(lengths) - min(lengths) <= 1
        if processes <= 4:
            assert len(lengths) == -(-seeds // runs.MOST_TOGETHER)
    assert [task for task in tasks if task[0] in single] == [(job,) for job in single]


@pytest.mark.parametrize("processes", [1, 2])
def test_runs_are_kept_and_told_and_go_on_after_an_interrupt(
    tmp_path: Path, processes: int
) -> None:
    """What an interrupt leaves, a torn last line included, is neither lost nor played again."""
    path, told = tmp_path / "runs.jsonl", list[Job]()
    jobs = [*itertools.chain(*jobs_of(STRONG, 5)), Job(STRONG, "ws-s-2", 0)]

    def interrupt(job: Job) -> None:
        told.append(job)
        if len(told) == 5:
            raise KeyboardInterrupt

    with SavedRuns(path) as kept, pytest.raises(KeyboardInterrupt):
        perform_all(jobs, kept, processes, interrupt)
    assert len(path.read_text().splitlines()) == 5
    path.write_text(path.read_text() + '{"format": "tgite-exp')
    with SavedRuns(path) as kept:
        assert len(kept.played) == 5
        perform_all(jobs, kept, processes, told.append)
    assert sorted(told, key=jobs.index) == jobs
    with SavedRuns(path) as again:
        assert again.played == {job.identity: perform(job) for job in jobs}
