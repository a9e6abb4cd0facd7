"""Running a ledger: results, resuming, interruption, dying workers, what is stored and when."""

from __future__ import annotations

import io
import itertools
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule
from msgspec import structs

import synthetic_ledger
import tgite_checks
from synthetic_ledger import BELOW, NO_SQUARE_ROOT, RADIUS, SOUND, claim, made_of, raising
from tgite import InvalidInput
from tgite_checks.audit import executors, sources, tasks
from tgite_checks.audit.executors import Workers, workers
from tgite_checks.audit.judgement import judge
from tgite_checks.audit.report.progress import Observer
from tgite_checks.audit.runner import Audit
from tgite_checks.audit.store import FileStore
from tgite_checks.audit.tasks import Aim, Finished, Task, perform, tasks_of
from tgite_checks.check import Depth, Number, Result
from tgite_checks.claims.book import Ledger
from tgite_checks.plot import Plot, Series
from tgite_checks.verdict import Status
from tgite_laws.enclosure import Enclosure

QUICK = Depth.QUICK


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "log"
    monkeypatch.setenv("SYNTHETIC_LOG", str(path))
    return path


def lines(log: Path) -> list[str]:
    return log.read_text(encoding="utf-8").splitlines() if log.exists() else []


def run(
    name: str, folder: Path, pool: Workers | None = None, mutants: bool = False, fresh: bool = False
) -> tuple[Mapping[Task, Finished], FileStore]:
    ledger: Ledger = vars(synthetic_ledger)[name]
    store, quiet, source = FileStore(folder), Observer(io.StringIO()), f"synthetic_ledger:{name}"
    audit = Audit(ledger, source, QUICK, store, pool or workers(1), quiet, fresh=fresh)
    return audit.run(tasks_of(ledger, mutants)), store


def differences(name: str, done: Mapping[Task, Finished]) -> tuple[str, ...]:
    ledger: Ledger = vars(synthetic_ledger)[name]
    return judge(ledger, done, depth=QUICK, mutants=True).differences()


def test_every_task_is_run_once_and_then_answered_from_the_store(tmp_path: Path, log: Path) -> None:
    done, _ = run("SOUND", tmp_path / "r", mutants=True)
    assert set(done) == set(tasks_of(SOUND, mutants=True))
    assert sorted(lines(log)) == [
        *("below-1 quick 0.5", "below-1 quick 1", "demonstrated quick", "failing quick"),
        *("radius quick no-square-root", "radius quick reference"),
        *("slow quick begins", "slow quick ends"),
    ]
    assert differences("SOUND", done) == ()
    before = lines(log)
    again, _ = run("SOUND", tmp_path / "r", mutants=True)
    assert lines(log) == before
    assert all(one.reused for one in again.values())
    run("SOUND", tmp_path / "r", mutants=True, fresh=True)
    assert len(lines(log)) == 2 * len(before)


def test_what_goes_wrong_is_reported_and_the_others_go_on(tmp_path: Path, log: Path) -> None:
    done, _ = run("BROKEN", tmp_path / "r")
    assert len(done) == 5
    raising = done[Task(Aim.CHECK, "raising")]
    assert raising.result is None
    assert raising.error.startswith("raised ZeroDivisionError: by <nothing>\n  in raising, line ")
    shown = done[Task(Aim.DEMONSTRATION, "one-is-two")]
    # A demonstration that raises or is missing is an error of ours, and never a reading.
    without = {task: finished for task, finished in done.items() if task != shown.task}
    for more, expected in (
        ({shown.task: shown}, Status.CONTRADICTED),
        ({shown.task: Finished(shown.task, None, raised="x")}, Status.FAILED),
        ({}, Status.FAILED),
    ):
        of = judge(synthetic_ledger.BROKEN, without | more, depth=QUICK)
        (finding,) = of.findings
        assert finding.status is expected
        assert any("one-is-two" in one for one in of.differences())
    # What raised is not taken for a result: it is tried again, as is what is not read.
    FileStore(tmp_path / "r").path(Task(Aim.CHECK, "empty"), QUICK).write_bytes(b"")
    assert len(run("BROKEN", tmp_path / "r")[1].notes) == 1
    assert sorted(lines(log)) == [
        *("empty quick", "empty quick", "failing quick", "failing quick"),
        *("radius quick reference", "raising quick", "raising quick"),
    ]


def test_a_worker_that_dies_takes_only_its_own_check_down(tmp_path: Path) -> None:
    done, _ = run("DYING", tmp_path / "r", workers(2))
    lost = {task.name: one.lost for task, one in done.items() if not one.holds()}
    assert lost == {"dying": "the process that ran it died"}
    assert len(done) == 4


class Frail(Executor):
    """Two workers in one pool, of which that for ``radius`` dies, and takes the other with it."""

    def __init__(self) -> None:
        self.asked: dict[Future[Any], str] = {}
        self.ended = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **_: Any) -> Future[Any]:
        if len(self.asked) == 4 and self.ended < 3:
            raise BrokenProcessPool("a worker has died since the last task")
        made: Future[Any] = Future()
        self.asked[made] = args[0].name
        if len(self.asked) == 2 or (len(self.asked) > 2 and args[0].name == "radius"):
            for future in self.asked:
                if not future.done():
                    future.set_exception(BrokenProcessPool())
        elif len(self.asked) > 2:
            made.set_result(fn(*args))
        return made

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self.ended += 1


def test_whoever_ran_beside_a_dying_check_is_run_again_alone(tmp_path: Path) -> None:
    frail = Frail()
    done, _ = run("SOUND", tmp_path / "r", Workers(2, lambda: frail))
    lost = {task.name: one.lost for task, one in done.items() if not one.holds()}
    assert lost == {"radius": "the process that ran it died"}
    asked = list(frail.asked.values())
    assert asked[:2] == ["radius", "below-1"]
    assert sorted(asked[2:4]) == ["below-1", "radius"]
    assert (len(asked), frail.ended) == (6, 4)


def test_a_mutant_and_a_perturbed_statement_that_pass_are_differences(tmp_path: Path) -> None:
    done, _ = run("SOUND", tmp_path, mutants=True)
    mutant = Task(Aim.MUTANT, "radius", "no-square-root")
    refusal = Task(Aim.REFUSAL, "below-1", "half as much")
    for task, result in itertools.product(
        (mutant, refusal), (Result(True, 1, "passed"), Result(False, 0, "empty"))
    ):
        (difference,) = differences("SOUND", {**done, task: Finished(task, result)})
        assert f"check {task.name} does not tell {task.against} from" in difference


def test_a_crash_is_no_rejection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither of a mutant nor of a perturbed statement: it may crash for any reason."""
    crashing = structs.replace(NO_SQUARE_ROOT, replaced="return 1 / 0 * (")
    checked = claim("lem:first", RADIUS, replace(BELOW, refuses={"half as much": raising}))
    spoiled = replace(made_of(checked), mutants={crashing.name: crashing})
    monkeypatch.setattr(synthetic_ledger, "SPOILED", spoiled, raising=False)
    done, _ = run("SPOILED", tmp_path / "r", mutants=True)
    assert differences("SPOILED", done) == (
        "lem:first: fidelity check radius does not tell no-square-root from the right one: "
        "raised ZeroDivisionError: division by zero",
        "lem:first: truth check below-1 does not tell half as much from the right one: "
        "raised ZeroDivisionError: by <nothing>",
    )


def test_a_mutant_that_is_none_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    spoiled = structs.replace(NO_SQUARE_ROOT, original="no such text")
    monkeypatch.setattr(synthetic_ledger, "SOUND", replace(SOUND, mutants={spoiled.name: spoiled}))
    finished = perform(Task(Aim.MUTANT, "radius", spoiled.name), QUICK, "synthetic_ledger:SOUND")
    assert finished.lost.startswith("could not be run: LookupError: mutant no-square-root")


@pytest.mark.parametrize(
    ("number", "jobs", "handler"),
    [
        (signal.SIGINT, 1, signal.SIG_DFL),
        (signal.SIGINT, 2, signal.SIG_IGN),
        (signal.SIGKILL, 2, signal.SIG_DFL),
    ],
)
def test_an_interrupted_run_is_resumed(
    number: signal.Signals,
    jobs: int,
    handler: signal.Handlers,
    tmp_path: Path,
    log: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whether or not whoever started it has it ignore SIGINT, as shells do in the background."""
    gate = tmp_path / "gate"
    monkeypatch.setenv("SYNTHETIC_GATE", str(gate))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    monkeypatch.chdir(tmp_path)
    start = "from tgite_laws.cli.main import main; main()"
    words = f"audit --depth quick --jobs {jobs} --ledger synthetic_ledger:SOUND".split()
    command = [sys.executable, "-c", start, *words]

    def kept() -> int:
        return len(list(tmp_path.glob("audit/results/*.json")))

    before_it = signal.signal(signal.SIGINT, handler)  # Inherited by what starts meanwhile.
    interrupted = subprocess.Popen(
        command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
    )
    signal.signal(signal.SIGINT, before_it)
    try:
        end = time.monotonic() + 20
        while "slow quick begins" not in lines(log) or kept() < 2:
            assert time.monotonic() < end, "waited in vain"
            time.sleep(0.02)
        # A terminal interrupts everybody.
        (os.killpg if number is signal.SIGINT else os.kill)(interrupted.pid, number)
        said = interrupted.communicate(timeout=20)[1].decode()
    finally:
        interrupted.kill()
    before, reused = lines(log), kept()
    if number is signal.SIGINT:
        assert interrupted.returncode == 130
        assert said.splitlines()[-1].startswith("interrupted; what was finished is kept in")
        assert "Traceback" not in said

    gate.touch()
    # Whoever was running `slow` must be gone, or it would end now.
    time.sleep(0.3)
    assert lines(log) == before
    assert "slow quick ends" not in before
    resumed = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert resumed.returncode == 0, resumed.stderr + resumed.stdout
    assert f"{reused} from an earlier run, {4 - reused} run anew" in resumed.stderr
    assert "slow quick ends" in lines(log)
    assert lines(log).count("radius quick reference") == 1


def test_a_change_of_sources_makes_all_results_stale_and_one_of_a_mutant_its_own(
    tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("SOUND", tmp_path, mutants=True)
    changed = structs.replace(NO_SQUARE_ROOT, replaced="return 2 * sqrt(")
    monkeypatch.setattr(synthetic_ledger, "SOUND", replace(SOUND, mutants={changed.name: changed}))
    log.unlink()
    run("SOUND", tmp_path, mutants=True)
    assert lines(log) == ["radius quick no-square-root"]
    monkeypatch.setattr("tgite_checks.audit.runner.digest_of_checks", lambda: "new")
    _, store = run("SOUND", tmp_path)
    assert store.notes == []
    assert len(lines(log)) == 1 + 5


def test_the_digest_sees_every_file_that_a_check_can_reach(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reached = (
        *("tgite/bkt.py", "tgite/data.csv", "tgite_checks/new/deep.py", "tgite_checks/x.toml"),
        *("tgite_checks/claims/words.py", "tgite/cli/data.csv"),
    )
    others = (
        *("tgite_checks/cli/run.py", "tgite_checks/audit/page.html"),
        *("tgite_checks/claims/bkt.toml", "tgite_checks/new/__pycache__/deep.pyc"),
    )
    roots = [(name, tmp_path / name) for name in ("tgite", "tgite_checks")]
    monkeypatch.setattr(sources, "_roots", lambda: iter(roots))
    digest = sources.digest_of_checks.__wrapped__
    for path in (tmp_path / name for name in reached + others):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    before = digest()
    for name in reached + others:
        (tmp_path / name).write_text("1", encoding="utf-8")
        assert (digest() != before) == (name in reached), name
        (tmp_path / name).write_text("", encoding="utf-8")
    assert digest() == before
    (tmp_path / "tgite/bkt.py").rename(tmp_path / "tgite/bai.py")
    renamed = digest()
    assert renamed != before
    monkeypatch.setattr(sources, "versions", lambda: {"python": "4.0"})
    assert digest() != renamed


def test_no_check_can_reach_what_the_digest_leaves_out() -> None:
    left_out = sources.WITHOUT_INFLUENCE
    (root,) = map(Path, tgite_checks.__path__)
    reached = {*root.rglob("*.py")} - {
        one for part in left_out for one in root.glob(f"{part}/**/*")
    }
    assert len(reached) > 50
    for path in reached:
        named = re.findall(
            r"""(?:from |import |["'])tgite_checks(?:\.| import )(\w+)""", path.read_text("utf-8")
        )
        assert left_out.isdisjoint(named), path
    # The ledger finds the checks by their modules' names.
    written = "".join(path.read_text("utf-8") for path in (root / "claims").glob("*.toml"))
    of_checks = set(re.findall(r'^"(\w+)\.[\w.]+" = ', written, re.MULTILINE))
    assert of_checks > {"fidelity", "bounds"}
    assert left_out.isdisjoint(of_checks)


# A cluster.


@pytest.fixture
def closed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Put clusters of threads in the place of Dask's; tell which were closed."""
    found: list[str] = []

    def client(address: str, **_: object) -> SimpleNamespace:
        if address == "nowhere":
            raise OSError("timed out")
        return SimpleNamespace(
            get_executor=lambda: ThreadPoolExecutor(2),
            ncores=lambda: {} if address == "empty" else {"a worker": 2},
            close=lambda: found.append(address),
        )

    distributed = ModuleType("distributed")
    vars(distributed)["Client"] = client
    monkeypatch.setitem(sys.modules, "distributed", distributed)
    return found


def test_a_cluster_runs_the_tasks(closed: list[str], tmp_path: Path) -> None:
    cluster = workers(1, "somewhere")
    assert cluster.width == 2
    done, _ = run("SOUND", tmp_path, cluster, mutants=True)
    assert differences("SOUND", done) == ()
    assert closed == ["somewhere"]


def test_a_cluster_must_be_there_have_workers_and_the_same_sources(
    closed: list[str], log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InvalidInput, match="no scheduler answers there"):
        workers(1, "nowhere")
    with pytest.raises(InvalidInput, match="has no workers"):
        workers(1, "empty")
    assert closed == ["empty"]
    digests = iter(("here", "there"))
    for module in (executors, tasks):
        monkeypatch.setattr(module, "digest_of_everything", lambda: next(digests))
    task = Task(Aim.CHECK, "radius")
    finished = workers(1, "somewhere").submit(task, QUICK, "synthetic_ledger:SOUND").result()
    assert "different sources" in finished.lost
    assert lines(log) == []


def test_checks_start_first_and_then_mutants_of_the_longest(tmp_path: Path) -> None:
    audit = Audit(SOUND, "", QUICK, FileStore(tmp_path), workers(1), Observer(io.StringIO()))
    for name, seconds in (("radius", 1.0), ("slow", 9.0)):
        check = Task(Aim.CHECK, name)
        audit.done[check] = Finished(check, None, seconds=seconds)
    waiting = [Task(Aim.MUTANT, name, "one") for name in ("radius", "slow")]
    assert max(waiting, key=audit._expected).name == "slow"
    assert max([*waiting, Task(Aim.CHECK, "below-1")], key=audit._expected).name == "below-1"


# The store: results are kept, files are cut off or spoilt, and read again, at random.


texts = st.text('aé—"\\\n', max_size=4)
floats = st.floats(allow_nan=False)
enclosures = st.builds(lambda a, b: Enclosure(min(a, b), max(a, b)), floats, floats)
finite = st.floats(allow_nan=False, allow_infinity=False)
points = st.lists(st.tuples(finite, enclosures), min_size=1, max_size=3).map(tuple)
numbers = st.builds(Number, texts, enclosures, st.none() | enclosures)
plots = st.builds(Plot, texts, texts, texts, st.tuples(st.builds(Series, texts, points)))
results = st.builds(
    Result,
    st.booleans(),
    st.integers(0, 2**63 - 1),
    texts,
    st.lists(numbers, max_size=3).map(tuple),
    texts,
    st.lists(plots, max_size=1).map(tuple),
)
drawn_tasks = st.sampled_from(
    [Task(Aim.CHECK, "a"), Task(Aim.CHECK, "a:b"), Task(Aim.MUTANT, "a", "b"), Task(Aim.CHECK, "ü")]
)
depths = st.sampled_from([QUICK, Depth.DEEP])
digests = st.sampled_from(["these sources", "other sources"])


def flipped(content: bytes, at: int, bit: int) -> bytes:
    return content[:at] + bytes([content[at] ^ 1 << bit]) + content[at + 1 :]


SPOILT: dict[str, Callable[[bytes, int, int], bytes]] = {
    "cut off": lambda content, at, bit: content[:at],
    "changed": flipped,
    "sealed, but no result": lambda *_: sha256(b"[1]").hexdigest().encode() + b"\n[1]",
}


class Stores(RuleBasedStateMachine):
    """One folder of results: some are kept, some files spoilt, and another process reads them."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()
        self.store = FileStore(Path(self.folder.name))
        self.kept: dict[tuple[Task, Depth], tuple[str, Result]] = {}

    @rule(task=drawn_tasks, depth=depths, digest=digests, result=results)
    def keep(self, task: Task, depth: Depth, digest: str, result: Result) -> None:
        self.store.keep(Finished(task, result, seconds=0.5), depth, digest)
        self.kept[task, depth] = digest, result

    @rule(
        task=drawn_tasks,
        depth=depths,
        share=st.floats(0, 1, exclude_max=True),
        how=st.sampled_from([*SPOILT]),
        bit=st.integers(0, 7),
    )
    def spoil(self, task: Task, depth: Depth, share: float, how: str, bit: int) -> None:
        if (task, depth) in self.kept:
            digest, _ = self.kept.pop((task, depth))
            path = self.store.path(task, depth)
            content = path.read_bytes()
            path.write_bytes(SPOILT[how](content, int(share * len(content)), bit))
            notes = len(self.store.notes)
            assert self.store.find(task, depth, digest) is None
            assert len(self.store.notes) == notes + 1

    @rule(task=drawn_tasks, other=drawn_tasks, depth=depths)
    def put_in_the_place_of_another(self, task: Task, other: Task, depth: Depth) -> None:
        if (task, depth) in self.kept and task != other:
            digest, _ = self.kept.pop((task, depth))
            self.kept.pop((other, depth), None)
            self.store.path(task, depth).replace(self.store.path(other, depth))
            assert self.store.find(other, depth, digest) is None

    @rule(part=st.binary(max_size=9))
    def killed_while_writing(self, part: bytes) -> None:
        (self.store.folder / ".left-over.part").write_bytes(part)
        self.store = FileStore(self.store.folder)

    @rule(task=drawn_tasks, depth=depths, digest=digests)
    def find(self, task: Task, depth: Depth, digest: str) -> None:
        found = self.store.find(task, depth, digest)
        sources, result = self.kept.get((task, depth), ("", None))
        if sources != digest:
            assert found is None
        else:
            assert found == Finished(task, result, seconds=0.5, reused=True)

    def teardown(self) -> None:
        self.folder.cleanup()


TestStores = Stores.TestCase
TestStores.settings = settings(
    max_examples=30, stateful_step_count=25, deadline=None, phases=[Phase.generate]
)
"""A failure is not made smaller, which would take minutes."""


def test_two_names_have_two_files(tmp_path: Path) -> None:
    names = ["a b", "a-b", "a:b", "x" * 300, "x" * 299 + "y"]
    paths = {FileStore(tmp_path).path(Task(Aim.CHECK, name), QUICK) for name in names}
    assert len(paths) == len(names)
