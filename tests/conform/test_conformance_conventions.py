"""Who plays by other conventions than the case's is told so, at little cost; a mistake is not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator
from copy import deepcopy
from typing import Any, TypeAlias, cast

import pytest

from implementations import numpy_tgite
from shipped_vectors import LISTED
from tgite_conform.algorithms import ALGORITHMS, reference
from tgite_conform.format import CHOICES, Expected
from tgite_conform.runner import CaseResult, Status, examine, settled
from tgite_conform.subjects import BatchSubject, StreamSubject

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
two_changes = _by(candidates="ascending", screening="descending")

CHOSEN = [case for case in LISTED if case.duels < 500][::6]


def test_two_other_conventions_are_named_in_every_case() -> None:
    results = settled(list(examine(StreamSubject(two_changes, "it"), CHOSEN)))
    assert {one.status for one in results} == {Status.CONFORMS, Status.DIFFERS_BY_CONVENTION}


ROWS = [(name, value) for name in CHOICES if name != "first_arm" for value in CHOICES[name]]


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize(("name", "value"), ROWS)
def test_another_convention_is_named_in_every_case(name: str, value: str, whole: bool) -> None:
    """So it is if whole tapes are played, on which another run soon wants a pair without a tape."""

    def play_all(cases: list[dict[str, object]]) -> list[dict[str, object]]:
        given: Any = deepcopy(cases)
        for case in given:
            case["parameters"]["conventions"][name] = value
        return numpy_tgite.play(given)

    stream = StreamSubject(_by(**{name: value}), "it")
    subject = BatchSubject(play_all, "it") if whole else stream
    cases = [case for case in CHOSEN if getattr(case.conventions, name) != value]
    results = settled(list(examine(subject, cases)))
    told = Counter(one.detail for one in results if one.divergence)
    assert told.total() > 5
    assert all(detail.startswith(f"{name} {value} where") for detail in told), told


def test_two_values_of_a_convention_explain_nothing_beside_what_none_explains() -> None:
    differs, some = Status.DIFFERS_BY_CONVENTION, (["fold"], ["halves"])
    for of, status in ((*some, []), Status.WRONG), (some, differs):
        by: list[list[dict[str, object]]] = [[{"pairing": x} for x in one] for one in of]
        judged = settled([CaseResult(CHOSEN[0], differs, explanations=one) for one in by])
        assert {one.status for one in judged} == {status}


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
    statuses = {one.case.id: one.status for one in settled(list(examine(subject, cases)))}
    seen: Counter[Status] = Counter()
    for case in cases:
        if case.algorithm == "duel_test" and isinstance(case.expected, Expected):
            late = case.duels > 60
            assert statuses[case.id] is (Status.WRONG if late else Status.CONFORMS)
        seen[statuses[case.id]] += 1
    assert all(seen[one] > 5 for one in (Status.WRONG, Status.DIFFERS_BY_CONVENTION))
