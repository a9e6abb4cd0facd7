"""Python functions and coroutine functions as judges."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import cast

import numpy as np
import pytest

from tgite import InvalidInput
from tgite_judge import Answers, Ended, JudgeRaised, Ties, find_best, find_best_async

WORDS = ("fig", "pear", "apple", "banana")
FRUIT = ["fig", "pear", "kiwi"]
AT = {name: place for place, name in enumerate(FRUIT)}
MODEL = "fig"

Judge = Callable[[str, str], object]


def longer(first: str, second: str) -> str:
    """Prefer the longer name."""
    return max(first, second, key=len)


def test_a_function_is_a_judge(tmp_path: Path) -> None:
    one = find_best(WORDS, longer)
    assert (one.best, one.ended, one.comparisons) == ("banana", Ended.CERTIFIED, 50)
    several = find_best(WORDS, longer, concurrency=4, journal=tmp_path / "journal")
    assert several.best == "banana"
    again = find_best(WORDS, longer, journal=tmp_path / "journal")
    assert (again.best, again.asked_now) == ("banana", 0)
    assert find_best(WORDS, lambda u, v: len(u) > len(v), budget=7).ended is Ended.BUDGET
    shown = find_best(WORDS, lambda u, v: np.bool_(len(u) > len(v)), budget=2)
    assert shown.ended is Ended.BUDGET
    assert find_best(["b", "a"], min, answers=Answers.NAMES, ties=Ties.AGAIN).best == "a"
    for wrong in (None, 1, "grape"):
        failed = find_best(WORDS, partial(lambda answer, u, v: answer, wrong))
        assert failed.ended is Ended.JUDGE_FAILED
        assert "judge failed (its answer " in failed.lines()[0]


def test_an_error_of_the_function_is_the_cause_and_the_answers_before_it_are_kept(
    tmp_path: Path,
) -> None:
    for concurrency in (1, 3):
        left, path = iter(range(10)), tmp_path / f"journal{concurrency}"

        def failing(first: str, second: str, left: Iterator[int] = left) -> str:
            if next(left, None) is None:
                raise ZeroDivisionError("no units")
            return longer(first, second)

        with pytest.raises(JudgeRaised) as raised:
            find_best(WORDS, failing, journal=path, concurrency=concurrency)
        error = raised.value
        assert {error.first, error.second} < set(WORDS)
        told = f"raised ZeroDivisionError: no units, on {error.first!r} against {error.second!r}"
        assert told in str(error)
        assert isinstance(error.__cause__, ZeroDivisionError)
        assert error.__notes__ == ["The 10 answers before it are kept: the same call continues."]
        kept = path.read_text(encoding="utf-8")
        assert (kept.count('"said":"') >= 11, '"nothing"' in kept) == (True, True)
        assert find_best(WORDS, longer, journal=path, adopt=True).asked_now >= 40
    with pytest.raises(JudgeRaised, match="raised ZeroDivisionError") as lost:
        find_best(WORDS, lambda first, second: 1 / 0)
    assert lost.value.__notes__ == ["The 0 answers before it are lost."]

    async def failing_too(first: str, second: str) -> str:
        return {first: second}[second]

    with pytest.raises(JudgeRaised, match="raised KeyError"):
        asyncio.run(find_best_async(WORDS, failing_too, concurrency=2))


def test_a_coroutine_function_is_a_judge() -> None:
    most = now = 0

    async def judge(first: str, second: str) -> bool:
        nonlocal most, now
        now += 1
        most = max(most, now)
        await asyncio.sleep(0.001)
        now -= 1
        return len(first) > len(second)

    assert asyncio.run(find_best_async(WORDS, judge, concurrency=3)).best == "banana"
    assert most == 3


def test_a_cancelled_search_keeps_its_answers(tmp_path: Path) -> None:
    path = tmp_path / "journal"

    async def run() -> None:
        left = iter(range(10))
        hanging = asyncio.Event()

        async def judge(first: str, second: str) -> str:
            if next(left, None) is None:
                hanging.set()
                await asyncio.Event().wait()
            return longer(first, second)

        asking = asyncio.ensure_future(find_best_async(WORDS, judge, concurrency=3, journal=path))
        await hanging.wait()
        asking.cancel()
        await asyncio.wait([asking])
        assert asking.cancelled()

    asyncio.run(run())
    kept = path.read_text(encoding="utf-8")
    assert kept.count('"said":"') - kept.count('"nothing"') == 10
    assert kept.count('"nothing"') >= 1
    assert find_best(WORDS, longer, journal=path, adopt=True).asked_now == 40


def test_items_are_taken_in_their_order_and_unusable_arguments_are_refused() -> None:
    # As a column of a table, a dictionary may have another index than 0, 1, ...
    assert find_best(cast(Sequence[str], dict.fromkeys(WORDS)), longer).best == "banana"
    with pytest.raises(InvalidInput, match="must be named by key="):
        find_best([object(), object()], lambda u, v: u)
    with pytest.raises(InvalidInput, match="option = budgt: must be one of delta, margin"):
        find_best(WORDS, longer, budgt=5)  # type: ignore[call-arg]
    for level in (0.1, "0.1", Fraction(1, 10)):
        assert find_best(WORDS, longer, delta=level).error == Fraction(1, 10)


@pytest.mark.parametrize("answer", ["itself", "a copy", "a position"])
def test_items_can_be_any_objects_with_names(tmp_path: Path, answer: str) -> None:
    items = [["x\ny"], ["longest\n\tof \N{FIRE}"], [""]]

    def judge(u: list[str], v: list[str]) -> object:
        better = max(u, v, key=lambda one: len(one[0]))
        return {"itself": better, "a copy": list(better)}.get(answer, better is u)

    async def later(u: list[str], v: list[str]) -> object:
        return judge(u, v)

    path, key = tmp_path / "journal", lambda one: "pqr"[items.index(one)]
    found = find_best(items, judge, key=key, journal=path)
    assert (found.best, found.items) == ("q", ("p", "q", "r"))
    assert find_best(items, judge, key=key, journal=path).asked_now == 0
    assert asyncio.run(find_best_async(items, later, key=key)).best == "q"
    assert (find_best([3, 10, 7], max).best, find_best((3.5, 1), max).best) == ("10", "3.5")
    with pytest.raises(InvalidInput, match="must be named once"):
        find_best([*items, ["x\ny"]], judge, key=key)
    assert find_best(["one\ntwo", "one"], longer, key=lambda one: one[-3:]).best == "two"


def test_a_function_is_known_by_its_code_and_the_words_of_its_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "journal"
    same: list[Judge] = [lambda u, v: u in {"fig", "pear"} for _ in "12"]
    find_best(WORDS, same[0], journal=path, budget=3)
    assert find_best(WORDS, same[1], journal=path, budget=3).comparisons == 6
    with pytest.raises(InvalidInput, match="had another content"):
        find_best(WORDS, lambda u, v: u in {"fig", "apple"}, journal=path, budget=3)

    async def coroutine(first: str, second: str) -> bool:
        return len(first) > len(second)

    with pytest.raises(InvalidInput, match="had another content"):
        asyncio.run(find_best_async(WORDS, coroutine, journal=path, budget=3))
    with pytest.raises(InvalidInput, match="use await find_best_async"):
        find_best(WORDS, coroutine)

    def judge(first: str, second: str) -> str:
        return MODEL if MODEL in (first, second) else first

    assert find_best(FRUIT, judge, journal=tmp_path / "words").best == "fig"
    monkeypatch.setattr(sys.modules[__name__], "MODEL", "kiwi")
    with pytest.raises(InvalidInput, match="MODEL=fig, not MODEL=kiwi"):
        find_best(FRUIT, judge, journal=tmp_path / "words")


def argument(model: str, first: str, second: str) -> str:
    """Prefer the item that is the first argument."""
    return model if model in (first, second) else first


class Holder:
    """A judge that is an object and holds a word, and a count, which alone makes no other judge."""

    def __init__(self, model: str) -> None:
        self.model, self.asked = model, 0

    def __call__(self, first: str, second: str) -> str:
        self.asked += 1
        return argument(self.model, first, second)


@pytest.mark.parametrize(
    "made",
    [
        *(Holder, lambda model: Holder(model).__call__, lambda model: partial(argument, model)),
        lambda model: lambda u, v: argument(model, u, v),
        lambda model: lambda u, v, place=AT[model]: argument(FRUIT[place], u, v),
        lambda model: lambda u, v, *, half=AT[model] / 2: argument(FRUIT[int(2 * half)], u, v),
    ],
)
def test_functions_with_the_same_code_and_other_values_are_other_judges(
    tmp_path: Path, made: Callable[[str], Judge]
) -> None:
    journal = str(tmp_path / "journal")
    one = made("fig")
    assert find_best(FRUIT, one, journal=journal).best == "fig"
    assert find_best(FRUIT, one, journal=journal).asked_now == 0
    with pytest.raises(InvalidInput, match=r"arguments were .*(fig|0.*), not .*(kiwi|2|1.0)"):
        find_best(FRUIT, made("kiwi"), journal=journal)
