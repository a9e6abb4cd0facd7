"""Who plays by other conventions than the case's is told so, at little cost; a mistake is not."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Generator
from typing import Any, TypeAlias, cast

import pytest

from shipped_vectors import CASES, PYTHONPATH
from tgite_conform import serve
from tgite_conform.algorithms import ALGORITHMS, reference
from tgite_conform.format import Case, Expected
from tgite_conform.mistakes import settled
from tgite_conform.process import ProcessConnection
from tgite_conform.program import ProgramSubject
from tgite_conform.runner import CaseResult, Status, examine
from tgite_conform.subjects import StreamSubject, Subject

Stream: TypeAlias = Generator[object, Any, object]
Make: TypeAlias = Callable[[str, dict[str, Any]], Stream]


def _by(**changes: str) -> Make:
    """Return the reference with some conventions of its own, whatever the case says."""

    def make(algorithm: str, parameters: dict[str, Any]) -> Stream:
        conventions = {**parameters["conventions"], **changes}
        return cast(Stream, reference(algorithm, {**parameters, "conventions": conventions}))

    make.algorithms = tuple(ALGORITHMS)  # type: ignore[attr-defined]
    return make


folding = _by(pairing="fold")
byes_first = _by(byes="first")
two_changes = _by(candidates="ascending", screening="descending")

CHOSEN = [case for case in CASES if case.duels < 500][::6]


def _settled(subject: Subject, cases: list[Case]) -> tuple[CaseResult, ...]:
    return settled(list(examine(subject, cases)))


@pytest.mark.parametrize(
    ("name", "piped"),
    [("folding", False), ("folding", True), ("byes_first", False), ("two_changes", False)],
)
def test_other_conventions_are_named_in_every_case(
    name: str, piped: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", PYTHONPATH)
    subject: Subject = StreamSubject(globals()[name], name)
    if piped:
        command = [sys.executable, "-m", serve.__name__, f"{__name__}:{name}"]
        subject = ProgramSubject(ProcessConnection(command), name, 20.0)
    results = _settled(subject, CHOSEN)
    subject.close()
    assert {one.status for one in results} == {Status.CONFORMS, Status.DIFFERS_BY_CONVENTION}
    differing = Counter(
        one.case.algorithm for one in results if one.status is Status.DIFFERS_BY_CONVENTION
    )
    assert differing.total() > 30


def folding_and_stopping(algorithm: str, parameters: dict[str, Any]) -> Stream:
    """It pairs otherwise, and stops a test's match after 60 duels at the latest."""
    stream, told, n = folding(algorithm, parameters), None, 0
    while n < 60 or algorithm != "duel_test":
        n += 1
        try:
            told = yield stream.send(told)
        except StopIteration as stop:
            return stop.value
    return parameters["u"]


def test_a_mistake_beside_other_conventions_is_wrong_where_it_is() -> None:
    subject = StreamSubject(folding_and_stopping, "it")
    cases = [case for case in CHOSEN if case.algorithm in ("duel_test", "bkt")]
    statuses = {one.case.id: one.status for one in _settled(subject, cases)}
    seen: Counter[Status] = Counter()
    for case in cases:
        if case.algorithm == "duel_test" and isinstance(case.expected, Expected):
            late = case.duels > 60
            assert statuses[case.id] is (Status.WRONG if late else Status.CONFORMS)
        seen[statuses[case.id]] += 1
    assert all(seen[one] > 5 for one in (Status.WRONG, Status.DIFFERS_BY_CONVENTION))
