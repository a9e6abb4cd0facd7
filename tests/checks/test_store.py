"""The store of the audit: results are kept, files are cut off or spoilt, and read again, at random.

What was kept is found again, and a spoilt file is never read.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from tgite_checks.audit.store import FileStore
from tgite_checks.audit.tasks import Aim, Finished, Task
from tgite_checks.check import Depth, Number, Result
from tgite_checks.plot import Plot, Series
from tgite_laws.enclosure import Enclosure

words = st.text('aé—"\\\n', max_size=4)
floats = st.floats(allow_nan=False)
enclosures = st.builds(lambda a, b: Enclosure(min(a, b), max(a, b)), floats, floats)
finite = st.floats(allow_nan=False, allow_infinity=False)
points = st.lists(st.tuples(finite, enclosures), min_size=1, max_size=3)
series = st.builds(lambda name, points: Series(name, tuple(points)), words, points)
results = st.builds(
    lambda passed, examined, summary, numbers, drawn: Result(
        passed, examined, summary, tuple(numbers), summary[::-1], tuple(drawn)
    ),
    st.booleans(),
    st.integers(0, 2**63 - 1),
    words,
    st.lists(st.builds(Number, words, enclosures, st.none() | enclosures), max_size=3),
    st.lists(st.builds(lambda one: Plot("p", "x", "y", (one,)), series), max_size=1),
)
tasks = st.sampled_from(
    [Task(Aim.CHECK, "a"), Task(Aim.CHECK, "a:b"), Task(Aim.MUTANT, "a", "b"), Task(Aim.CHECK, "ü")]
)
depths = st.sampled_from([Depth.QUICK, Depth.DEEP])
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

    @rule(task=tasks, depth=depths, digest=digests, result=results)
    def keep(self, task: Task, depth: Depth, digest: str, result: Result) -> None:
        self.store.keep(Finished(task, result, seconds=0.5), depth, digest)
        self.kept[task, depth] = digest, result

    @rule(
        task=tasks,
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

    @rule(task=tasks, other=tasks, depth=depths)
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

    @rule(task=tasks, depth=depths, digest=digests)
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
    paths = {FileStore(tmp_path).path(Task(Aim.CHECK, name), Depth.QUICK) for name in names}
    assert len(paths) == len(names)
