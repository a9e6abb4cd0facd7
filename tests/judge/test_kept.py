"""What is kept survives: journals and stores, written, cut off, spoilt and opened again, at random.

Nothing that was acknowledged is lost, and nothing that was not written is ever read.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from tgite_checks.audit.store import FileStore
from tgite_checks.audit.tasks import Aim, Finished, Task
from tgite_checks.check import Depth, Number, Plot, Result, Series
from tgite_judge.identity import Identity
from tgite_judge.journal import Asking, Head, Journal, Question, Stage
from tgite_judge.replies import Said
from tgite_laws.enclosure import Enclosure

HEAD = Head(("fig", "plum", "pear", 'é\n"format" "undone"'), Identity("judge"), {"delta": "1/20"})
LINE = b'{"stage":"certify","pair":[0,1],"number":4,"swapped":false,"said":"tie","coin":true}\n'

arms = st.integers(0, 3)
answers = st.builds(
    lambda stage, arms, number, *rest: Asking(Question(stage, arms[0], arms[1], number), *rest),
    st.sampled_from(Stage),
    st.lists(arms, min_size=2, max_size=2, unique=True),
    st.integers(0, 99),
    st.booleans(),
    st.sampled_from(Said),
    st.sampled_from((None, True, False)),
)


class Journals(RuleBasedStateMachine):
    """One journal: answers are recorded, the process is killed while writing, another goes on."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()
        self.path = Path(self.folder.name) / "journal"
        self.acknowledged: list[Asking] = []
        self.lines = 1
        self.journal = Journal(self.path, HEAD)

    @rule(answer=answers)
    def record(self, answer: Asking) -> None:
        self.journal.append(answer)
        self.acknowledged.append(answer)
        self.lines += 1

    @precondition(lambda self: self.acknowledged)
    @rule()
    def take_back(self) -> None:
        self.journal.undo()
        self.acknowledged.pop()
        self.lines += 1

    @rule(written=st.integers(0, len(LINE)))
    def killed_while_writing(self, written: int) -> None:
        """An answer that nobody was told of is in the file in part, or whole: then it counts."""
        self.journal.__exit__(None, None, None)
        with self.path.open("ab") as file:
            file.write(LINE[:written])
        if written == len(LINE):
            self.lines += 1
            self.acknowledged.append(
                Asking(Question(Stage.CERTIFY, 0, 1, 4), False, Said.TIE, True)
            )
        self.journal = Journal(self.path, HEAD)
        assert self.journal.repaired == (0 < written < len(LINE))

    @precondition(lambda self: self.lines == 1)
    @rule(share=st.floats(0, 1, exclude_max=True))
    def killed_as_it_began(self, share: float) -> None:
        """A part of the first line may be all there is."""
        self.journal.__exit__(None, None, None)
        content = self.path.read_bytes()
        self.path.write_bytes(content[: int(share * len(content))])
        self.journal = Journal(self.path, HEAD)

    @invariant()
    def all_that_was_acknowledged_is_there(self) -> None:
        assert self.journal.askings == self.acknowledged
        assert self.path.read_bytes().count(b"\n") == self.lines

    def teardown(self) -> None:
        self.journal.__exit__(None, None, None)
        self.folder.cleanup()


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

    @rule(task=tasks, depth=depths, share=st.floats(0, 1, exclude_max=True))
    def cut_off(self, task: Task, depth: Depth, share: float) -> None:
        if self.kept.pop((task, depth), None) is not None:
            path = self.store.path(task, depth)
            content = path.read_bytes()
            path.write_bytes(content[: int(share * len(content))])

    @rule(task=tasks, depth=depths, place=st.floats(0, 1, exclude_max=True), bit=st.integers(0, 7))
    def spoil(self, task: Task, depth: Depth, place: float, bit: int) -> None:
        if (task, depth) in self.kept:
            digest, _ = self.kept.pop((task, depth))
            path = self.store.path(task, depth)
            content = bytearray(path.read_bytes())
            content[int(place * len(content))] ^= 1 << bit
            path.write_bytes(content)
            assert self.store.find(task, depth, digest) is None

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


TestJournals = Journals.TestCase
TestJournals.settings = settings(max_examples=20, stateful_step_count=25, deadline=None)
TestStores = Stores.TestCase
TestStores.settings = settings(max_examples=30, stateful_step_count=25, deadline=None)
