"""Journals: what was stored is never lost, and answers of other runs are not mixed in."""

from __future__ import annotations

from pathlib import Path
from resource import RLIMIT_FSIZE, getrlimit, setrlimit
from tempfile import TemporaryDirectory

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from tgite import InvalidInput
from tgite_judge.fingerprint import Fingerprint
from tgite_judge.journal import Head, Journal, Question, Record, Stage
from tgite_judge.replies import Said

HEAD = Head(("a", "c"), Fingerprint("judge"), {"delta": "1/20"})
ONE = Record(Question(Stage.FIND, 0, 1, 0), False, Said.FIRST)


def stored(path: Path, records: list[Record], head: Head = HEAD) -> bytes:
    """Write a journal; return its bytes."""
    with Journal(path, head) as journal:
        for record in records:
            journal.append(record)
    return path.read_bytes()


def replace(**changes: object) -> Head:
    """Return the head with changes."""
    changed: Head = msgspec.structs.replace(HEAD, **changes)
    return changed


def test_journals_of_other_runs_and_damaged_ones_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    whole = stored(path, [ONE, ONE])
    head, line, _ = whole.splitlines(keepends=True)
    pair = b'{"stage":"find","pair":[%s],"number":0,"swapped":false,"said":"first"}\n'
    refused = {
        "its delta is 1/20, not 1/10; to use them": (whole, replace(rules={"delta": "1/10"})),
        "its items are a, c, not a, d": (whole, replace(items=("a", "d"))),
        "the judge was judge, not other": (whole, replace(judge=Fingerprint("other"))),
        "is not a journal of the format": (b"{}\n", HEAD),
        "is not a journal": (b"no\n" + whole, HEAD),
        "format tgite-journal/3": (b'{"format": "tgite-journal/2"}\n', HEAD),
        "damaged: Expected .array. of length 2": (head + pair % b"0", HEAD),
        "damaged: JSON is malformed": (head + b"x\n" + line, HEAD),
        "must differ from u": (head + pair % b"1,1", HEAD),
        "must name two of 2 items": (head + pair % b"0,2", HEAD),
    }
    for message, (content, now) in refused.items():
        path.write_bytes(content)
        with pytest.raises(InvalidInput, match=message):
            Journal(path, now)
        assert path.read_bytes() == content


def test_a_journal_in_use_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with Journal(path, HEAD), pytest.raises(InvalidInput, match="in use by another process"):
        Journal(path, HEAD)
    with Journal(path, HEAD):
        pass
    with pytest.raises(InvalidInput, match="journal = /nowhere/journal: cannot be opened"):
        Journal(Path("/nowhere/journal"), HEAD)


def test_a_full_disk_is_told_and_all_answers_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with Journal(path, HEAD) as journal:
        journal.append(ONE)
        size, limits = path.stat().st_size, getrlimit(RLIMIT_FSIZE)
        setrlimit(RLIMIT_FSIZE, (size + 20, limits[1]))
        try:
            with pytest.raises(InvalidInput, match=r"journal: cannot be written .*; the 1 answers"):
                journal.append(ONE)
        finally:
            setrlimit(RLIMIT_FSIZE, limits)
        assert path.stat().st_size == size
    with Journal(path, HEAD) as journal:
        assert (journal.records, len(journal.remarks)) == ([ONE], 1)


def test_answers_are_adopted_by_the_names_of_the_items(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    gone = Record(Question(Stage.FIND, 1, 2, 0), True, Said.TIE, True)
    head = replace(items=("a", "c", "b"))
    # A journal without answers fits every run.
    stored(path, [], Head(("x", "y"), Fingerprint("another"), {"delta": "1/3"}))
    before = stored(path, [ONE, gone], head)
    now = Head(("c", "d", "a"), Fingerprint("other"), {"delta": "1/10"})
    for adopt in (True, True, False):  # Once adopted, they belong to this run.
        with Journal(path, now, adopt=adopt) as journal:
            assert journal.records == [Record(Question(Stage.FIND, 2, 0, 0), False, Said.FIRST)]
            assert path.read_bytes().startswith(before)
            if not adopt:
                journal.undo()
    with Journal(path, now) as journal:
        assert journal.records == []
    # The answer about another item is still there.
    with Journal(path, head, adopt=True) as journal:
        assert journal.records == [gone]


arms = st.integers(0, 3)
answers = st.builds(
    lambda stage, arms, number, *rest: Record(Question(stage, arms[0], arms[1], number), *rest),
    st.sampled_from(Stage),
    st.lists(arms, min_size=2, max_size=2, unique=True),
    st.integers(0, 99),
    st.booleans(),
    st.sampled_from(Said),
    st.sampled_from((None, True, False)),
)
LINE = b'{"stage":"certify","pair":[0,1],"number":4,"swapped":false,"said":"tie","coin":true}\n'


class Journals(RuleBasedStateMachine):
    """A journal: answers are stored, the process is killed while it writes, another one opens it.

    No answer that was stored is lost, and no incomplete one is read.
    """

    head = replace(items=("fig", "plum", "pear", 'é\n"format" "undone"'))

    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()
        self.path = Path(self.folder.name) / "journal"
        self.stored: list[Record] = []
        self.missed: list[Record] = []
        self.lines = 1
        self.journal = Journal(self.path, self.head)

    @rule(answer=answers)
    def store(self, answer: Record) -> None:
        self.journal.append(answer)
        (self.missed if answer.said is Said.NOTHING else self.stored).append(answer)
        self.lines += 1

    @precondition(lambda self: self.stored)
    @rule()
    def undo(self) -> None:
        self.journal.undo()
        self.stored.pop()
        self.lines += 1

    @rule(written=st.integers(0, len(LINE)))
    def killed_while_writing(self, written: int) -> None:
        """An answer was written in part, and does not count, or as a whole, and counts."""
        self.journal.__exit__(None, None, None)
        with self.path.open("ab") as file:
            file.write(LINE[:written])
        if written == len(LINE):
            self.lines += 1
            self.stored.append(Record(Question(Stage.CERTIFY, 0, 1, 4), False, Said.TIE, True))
        self.journal = Journal(self.path, self.head)
        assert ("incomplete" in "".join(self.journal.remarks)) == (0 < written < len(LINE))

    @precondition(lambda self: self.lines == 1)
    @rule(share=st.floats(0, 1, exclude_max=True))
    def killed_as_it_began(self, share: float) -> None:
        """Only a part of the first line was written."""
        self.journal.__exit__(None, None, None)
        content = self.path.read_bytes()
        self.path.write_bytes(content[: int(share * len(content))])
        self.journal = Journal(self.path, self.head)

    @invariant()
    def all_that_was_stored_is_there(self) -> None:
        assert (self.journal.records, self.journal.missed) == (self.stored, self.missed)
        assert self.path.read_bytes().count(b"\n") == self.lines

    def teardown(self) -> None:
        self.journal.__exit__(None, None, None)
        self.folder.cleanup()


TestJournals = Journals.TestCase
TestJournals.settings = settings(max_examples=20, stateful_step_count=25, deadline=None)
