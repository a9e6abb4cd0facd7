"""Finding the best item with a Python function as the judge.

from tgite_judge import find_best

found = find_best(["fig", "pear"], lambda first, second: len(first) < len(second))
print(found.best, found.comparisons)
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
from collections.abc import Awaitable, Callable, Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Generic, TypedDict, TypeVar, Unpack

from tgite import Confidence, InvalidInput
from tgite.errors import require, require_whole_number
from tgite_judge.fingerprint import Fingerprint
from tgite_judge.items import check_items, digests
from tgite_judge.journal import Head, Journal
from tgite_judge.judges import JudgeFunction
from tgite_judge.replies import Answers, Item, JudgeFailed, JudgeRaised, Vocabulary, name_of
from tgite_judge.result import Found
from tgite_judge.search import Goal, Rules, Ties
from tgite_judge.session import Session, ask

T = TypeVar("T")


class Options(TypedDict, total=False):
    """The options of :func:`find_best`.

    * ``delta``: the allowed error (default 1/20).
    * ``margin``: items within this gap of the best one count as equivalent to it.
    * ``consistent``: whether to ask once about each pair, of a judge that repeats its answers.
    * ``concurrency``: how many questions are asked at once (1). ``budget``: the most questions now.
    * ``journal``: a file that keeps every answer. ``adopt`` accepts those of another judge.
    * ``swap``, ``ties`` and ``both_orders``: see :class:`~.search.Rules`.
    * ``answers``: how the judge answers. ``watch``: called after each answer.
    * ``despite_position``: whether to continue with a judge that follows the position.
    """

    delta: Confidence | Fraction | float | str
    margin: Fraction | None
    consistent: bool
    concurrency: int
    budget: int | None
    journal: Path | str | None
    adopt: bool
    swap: int
    ties: Ties
    both_orders: bool
    answers: Answers
    despite_position: bool
    watch: Callable[[Session], None]


def find_best(
    items: Sequence[T],
    judge: Callable[[T, T], object],
    *,
    key: Callable[[T], str] | None = None,
    **options: Unpack[Options],
) -> Found:
    """Ask ``judge(first, second)`` until the best item is known; return what was found.

    Items can be any objects; ``key`` returns an item's name, by default the item as a str. The
    judge returns the better item, or one with the same name, or whether the first one is better, or
    ``"first"``, ``"second"`` or ``"tie"``. With ``concurrency`` above 1, threads call it.

    Raises :class:`~tgite.errors.InvalidInput` for unusable items, options and journals, and
    :class:`~.replies.JudgeRaised` for an error of the judge, which is its cause.
    """
    must = "is a coroutine function: use await find_best_async(...)"
    require(not asyncio.iscoroutinefunction(judge), "judge", str(judge), must)
    fingerprint = Fingerprint.of_function(judge)
    things = _Things(items, key)
    return _find_best(things, things.asked(judge), fingerprint, options, lambda: False)


async def find_best_async(
    items: Sequence[T],
    judge: Callable[[T, T], Awaitable[object]],
    *,
    key: Callable[[T], str] | None = None,
    **options: Unpack[Options],
) -> Found:
    """Do as :func:`find_best`, with a judge that is a coroutine function of this event loop.

    Cancelling this also cancels the pending calls of the judge.
    """
    loop = asyncio.get_running_loop()
    stopped = threading.Event()
    fingerprint = Fingerprint.of_function(judge)
    pending: set[concurrent.futures.Future[object]] = set()

    async def called(first: T, second: T) -> object:
        return await judge(first, second)

    def answer(first: T, second: T) -> object:
        future = asyncio.run_coroutine_threadsafe(called(first, second), loop)
        pending.add(future)
        # This cancels a call that was made after the cancellation below.
        if stopped.is_set():
            future.cancel()
        try:
            return future.result()
        except concurrent.futures.CancelledError:
            raise JudgeFailed("it was cancelled") from None
        finally:
            pending.discard(future)

    things = _Things(items, key)
    asked = things.asked(answer)
    asking = asyncio.ensure_future(
        asyncio.to_thread(_find_best, things, asked, fingerprint, options, stopped.is_set)
    )
    try:
        return await asyncio.shield(asking)
    except asyncio.CancelledError:
        stopped.set()
        for future in list(pending):
            future.cancel()
        await asyncio.wait([asking])
        raise


class _Things(Generic[T]):
    """The user's own items, and their texts with names for a search."""

    def __init__(self, items: Iterable[T], key: Callable[[T], str] | None) -> None:
        # A column of a table may have an index that does not count from 0.
        things, self._key, self._things = list(items), key or str, dict[str, T]()
        self.items = list[str]()
        for one in things:
            name: object = self._key(one)
            if not isinstance(name, str) or " at 0x" in name:
                raise InvalidInput("items", str(name), "must be named by key=, which returns a str")
            self.items.append(Item.of(name, one if isinstance(one, str) else name))
            self._things[name] = one
        check_items(self.items, "items")
        # A judge of other objects returns one of them, and no name.
        words = all(isinstance(one, str) for one in things)
        self.answers = Answers.EITHER if words else Answers.POSITIONS

    def asked(self, judge: Callable[[T, T], object]) -> Callable[[str, str], object]:
        """Return the judge as one of texts, which says by position what it returned by item."""

        def answer(*shown: str) -> object:
            first, second = (self._things[name_of(item)] for item in shown)
            returned = judge(first, second)
            if isinstance(returned, str | bool) and self._key is str:
                return returned
            for one, said in ((first, True), (second, False)):
                same = type(returned) is type(one) and self._key(returned) == self._key(one)
                if returned is one or same:
                    return said
            return returned

        return answer


def _find_best(
    things: _Things[T],
    judge: Callable[[str, str], object],
    fingerprint: Fingerprint,
    options: Options,
    interrupted: Callable[[], bool],
) -> Found:
    for name in options:
        known = name in Options.__annotations__
        require(known, "option", name, f"must be one of {', '.join(Options.__annotations__)}")
    items = things.items
    ties = options.get("ties", Ties.HALF)
    rules = Rules(options.get("swap", 0), ties, options.get("both_orders", False))
    answers = options.get("answers", things.answers)
    words = Vocabulary(items, answers, ties=ties is not Ties.REFUSE)
    goal = Goal(
        len(items),
        # The float 0.1 is one tenth.
        Confidence.of(str(options.get("delta", "1/20"))),
        options.get("margin"),
        options.get("consistent", False),
    )
    concurrency = options.get("concurrency", 1)
    require_whole_number("concurrency", concurrency, at_least=1)
    described = {"delta": str(goal.delta), **rules.described()}
    head = Head(tuple(map(name_of, items)), fingerprint, described, digests(items))
    with TemporaryDirectory() as folder:
        path = Path(options.get("journal") or Path(folder) / "journal")
        with Journal(path, head, adopt=options.get("adopt", False)) as journal:
            session = Session(goal, rules, journal, items)
            function = JudgeFunction(judge, words)
            try:
                ended = ask(
                    session,
                    [function] * concurrency,
                    options.get("budget"),
                    despite_position=options.get("despite_position", False),
                    watch=options.get("watch", lambda _: None),
                    interrupted=interrupted,
                )
            except JudgeRaised as raised:
                stored = options.get("journal")
                kept = "are kept: the same call continues" if stored else "are lost"
                raised.add_note(f"The {len(journal.records)} answers before it {kept}.")
                raise
            return Found.of(session, ended)
