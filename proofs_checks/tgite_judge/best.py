"""The best of one's own items by a Python function: what a notebook calls.

from tgite_judge import find_best

found = find_best(["fig", "pear"], lambda first, second: len(first) < len(second))
print(found.best, found.comparisons)
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
from collections.abc import Awaitable, Callable, Sequence
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypedDict, Unpack

from tgite import Confidence, Duel, Outcome, PairwiseTest
from tgite.beyond import mixture_test
from tgite.errors import require, require_whole_number
from tgite_judge.account import Found
from tgite_judge.find import Asked, ask
from tgite_judge.identity import Identity
from tgite_judge.journal import Head, Journal
from tgite_judge.judges import JudgeFunction
from tgite_judge.replies import (
    Answers,
    JudgeFailed,
    JudgeRaised,
    Vocabulary,
    require_items,
)
from tgite_judge.search import Rules, Searched, Ties


class Options(TypedDict, total=False):
    """How :func:`find_best` asks; each has a default.

    ``delta`` is the allowed error (1/20), ``test`` the pairwise test (MixtureTest), ``certify``
    whether the best must win a meeting with every other item (yes), ``margin`` within which it
    may be equal. ``concurrency`` is how many questions are put at once (1), ``budget`` the most
    questions now. ``journal`` is a file that keeps every answer, and gives them back to the next
    call; ``version`` says what the judge is, and ``adopt`` takes over a journal of another one.
    ``swap``, ``ties`` and ``both_orders`` are those of :class:`~.search.Rules`, ``answers`` says
    how the judge answers. ``watch`` is called after each answer.
    """

    delta: Confidence | Fraction | float | str
    test: PairwiseTest[Duel, Outcome]
    certify: bool
    margin: Fraction | None
    concurrency: int
    budget: int | None
    journal: Path | str | None
    version: str | None
    adopt: bool
    swap: int | None
    ties: Ties
    both_orders: bool
    answers: Answers
    despite_position: bool
    watch: Callable[[Asked], None]


def find_best(
    items: Sequence[str], judge: Callable[[str, str], object], **options: Unpack[Options]
) -> Found:
    """Ask ``judge(first, second)`` until the best item is known; return what was found.

    The judge returns the better item's name, or ``True`` for the first one and ``False`` for the
    second one, or a word as a judge program would: ``"first"``, ``"second"``, ``"tie"``. It is
    called in threads of their own where ``concurrency`` is above 1. See :class:`Options`.

    Raises :class:`~tgite.errors.InvalidInput` for items that no judge could tell apart by name,
    options that have no meaning, and a journal of another judge; :class:`~.replies.JudgeRaised`,
    from what the judge raised, if it raises an error: a journal keeps what was answered before.
    """
    identity = Identity.of_function(judge, options.get("version"))
    return _find_best(items, judge, identity, options, lambda: False)


async def find_best_async(
    items: Sequence[str],
    judge: Callable[[str, str], Awaitable[object]],
    **options: Unpack[Options],
) -> Found:
    """Do as :func:`find_best`, with a judge that is a coroutine function of this event loop.

    If this is cancelled, so are the judge's calls that are under way.
    """
    loop = asyncio.get_running_loop()
    stopped = threading.Event()
    identity = Identity.of_function(judge, options.get("version"))
    under_way: set[concurrent.futures.Future[object]] = set()

    async def called(first: str, second: str) -> object:
        return await judge(first, second)

    def answer(first: str, second: str) -> object:
        future = asyncio.run_coroutine_threadsafe(called(first, second), loop)
        under_way.add(future)
        # What is asked after the cancellation is seen here, what was before it below.
        if stopped.is_set():
            future.cancel()
        try:
            return future.result()
        except concurrent.futures.CancelledError:
            raise JudgeFailed("it was cancelled") from None
        finally:
            under_way.discard(future)

    asking = asyncio.ensure_future(
        asyncio.to_thread(_find_best, items, answer, identity, options, stopped.is_set)
    )
    try:
        return await asyncio.shield(asking)
    except asyncio.CancelledError:
        stopped.set()
        for future in list(under_way):
            future.cancel()
        await asyncio.wait([asking])
        raise


def _find_best(
    items: Sequence[str],
    judge: Callable[[str, str], object],
    identity: Identity,
    options: Options,
    interrupted: Callable[[], bool],
) -> Found:
    for name in options:
        known = name in Options.__annotations__
        require(known, "option", name, f"must be one of {', '.join(Options.__annotations__)}")
    items = tuple(items)  # Whatever a table's column takes for an index.
    for item in items:
        named: object = item
        require(isinstance(named, str), "items", item, "must be a str")
    require_items(items, "items")
    rules = Rules(
        options.get("swap", 0), options.get("ties", Ties.HALF), options.get("both_orders", False)
    )
    words = Vocabulary(
        items, options.get("answers", Answers.EITHER), ties=rules.ties is not Ties.REFUSE
    )
    searched = Searched(
        len(items),
        _level(options.get("delta", "1/20")),
        options.get("test", mixture_test),
        certify=options.get("certify", True),
        margin=options.get("margin"),
    )
    side_by_side = options.get("concurrency", 1)
    require_whole_number("concurrency", side_by_side, at_least=1)
    chosen = {
        "delta": searched.delta,
        "random order": rules.swap is not None,
        "ties": rules.ties,
        "both orders": rules.both_orders,
    }
    head = Head(items, identity, {name: str(value) for name, value in chosen.items()})
    with TemporaryDirectory() as folder:
        path = Path(options.get("journal") or Path(folder) / "journal")
        with Journal(path, head, adopt=options.get("adopt", False)) as journal:
            asked = Asked(searched, rules, journal)
            asked_by = JudgeFunction(judge, words, options.get("version"))
            try:
                ended = ask(
                    asked,
                    items,
                    [asked_by] * side_by_side,
                    budget=options.get("budget"),
                    despite_position=options.get("despite_position", False),
                    watch=options.get("watch", lambda _: None),
                    interrupted=interrupted,
                )
            except JudgeRaised as raised:
                kept = "are kept: the same call goes on" if options.get("journal") else "are lost"
                raised.add_note(f"The {len(journal.askings)} answers before it {kept}.")
                raise
            return Found.of(asked, ended, items)


def _level(delta: Confidence | Fraction | float | str) -> Confidence:
    """Return a level as it is written: ``0.1`` is a tenth."""
    return delta if isinstance(delta, Confidence) else Confidence.of(str(delta))
