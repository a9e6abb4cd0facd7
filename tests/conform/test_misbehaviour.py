"""Functions that end Python, hang, ask without end or answer impossible things are told as such."""

from __future__ import annotations

import re
import signal
import sys
import time
from collections.abc import Callable, Generator
from functools import partial
from pathlib import Path
from unittest.mock import Mock

from golden import errors, same_as
from shipped_vectors import run_of
from tgite import SelfPlay
from tgite_conform.format import Case
from tgite_conform.subjects import StreamSubject, function_subject

Stream = Generator[object, object, object]

DUEL, DUELS = run_of("duel_test")
HORIZON, _ = run_of("tg_ite_strong_known_horizon")
ANYTIME, _ = run_of("tg_ite_strong_anytime", "2 arms in a cycle; cut at the end of phase 1")


def asking(
    *questions: object, then: Callable[[], object] = lambda: None, closing: object = ()
) -> Callable[..., Stream]:
    """Make a stream that asks these, then does that; it does ``closing`` when it is closed."""

    def make(algorithm: str, parameters: dict[str, object]) -> Stream:
        try:
            yield from questions
            return then()
        finally:
            if callable(closing):
                closing()

    return make


def for_ever(question: object) -> Callable[..., Stream]:
    """Make a stream that asks the same without end."""

    def make(algorithm: str, parameters: dict[str, object]) -> Stream:
        while True:
            yield question

    return make


def at_once(act: Callable[[], object]) -> Callable[..., object]:
    """Make a function that acts before it makes a stream."""
    return lambda algorithm, parameters: act()


def hang() -> None:
    while True:
        pass


def hang_whatever_is_caught() -> None:
    while True:
        try:
            time.sleep(600)
        except Exception:
            continue


def lose() -> None:
    raise KeyError("lost")


def hang_over_tapes(cases: list[dict[str, object]]) -> None:
    hang()


hang_over_tapes.plays_whole_tapes = True  # type: ignore[attr-defined]

ONE = (DUELS.matches[0].first, DUELS.matches[0].second)
NO_QUESTIONS: tuple[object, ...] = (
    *("duel", (0,), (0, 1, 2, 3), (0, 1.5), ("0", 1), (True, 1), (-1, 2), (None, 1)),
    *([], [0, 1], [(0, 0)], {}, None, (0, 0, 0), (0, 0, -1)),
)
FUNCTIONS: dict[str, Callable[..., object]] = {
    "ends Python": at_once(sys.exit),
    "ends Python after a duel": asking(ONE, then=partial(sys.exit, 3)),
    "ends Python when it is closed": asking((97, 98), closing=partial(sys.exit, 4)),
    "hangs": at_once(hang),
    "hangs before its first question": asking(then=hang),
    "hangs after 5 duels and catches every error": asking(*[ONE] * 5, then=hang_whatever_is_caught),
    "hangs when it is closed": asking((97, 98), closing=hang),
    "hangs over tapes": hang_over_tapes,
    "crashes": at_once(lose),
    "crashes after a duel": asking(ONE, then=lose),
    "makes no stream": at_once(lambda: 7),
    "returns no arm": asking(*[ONE] * DUEL.duels, then=lambda: "zero"),
    **{f"asks {question}": asking(question) for question in NO_QUESTIONS},
}
ENDLESS: dict[str, tuple[object, Case]] = {
    "announces for ever": (("incumbent", 0), ANYTIME),
    "plays an arm against itself for ever": (SelfPlay(0, 0), ANYTIME),
    "plays as a pair an arm against itself for ever": ((0, 0), HORIZON),
}


def test_what_functions_do_wrong_is_told() -> None:
    handler = signal.getsignal(signal.SIGALRM)

    def play(function: Callable[..., object], what: str) -> int:
        limit = 0.2 if what.startswith("hangs") else None
        return function_subject(function, "it", limit).play(DUEL)

    def watch(question: object, case: Case) -> None:
        patient = Mock()
        patient.cuts.return_value = False
        StreamSubject(for_ever(question), "idle").meet(case, patient)

    calls: dict[str, Callable[[], object]] = {
        **{what: partial(play, function, what) for what, function in FUNCTIONS.items()},
        **{what: partial(watch, *about) for what, about in ENDLESS.items()},
    }
    told = re.sub(r"\(/.*/(\w+\.py):\d+\)", r"(\1)", errors(calls))
    same_as(Path(__file__).with_name("functions.txt"), told)
    assert signal.getsignal(signal.SIGALRM) is handler
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
