"""Finding the best of named items by asking, one judge or several at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from tgite import Arm, InvalidInput
from tgite.errors import require_whole_number
from tgite_judge.journal import Asking, Journal, Question, Stage
from tgite_judge.judges import Judge, Reply, Skipped, Undone
from tgite_judge.positions import FOLLOWING, Positions
from tgite_judge.replies import JudgeFailed, JudgeRaised
from tgite_judge.search import Meeting, Rules, Search, Searched
from tgite_judge.standings import Standings, error_bound

_GRACE = 5.0


class Ended(StrEnum):
    """Why the asking ended."""

    CERTIFIED = "certified"
    """The best item won a meeting with every other one."""
    AS_SHOWN = "as shown"
    """An item won a meeting with every other one, its pairs always shown in one order."""
    SURVIVED = "survived"
    """An item survived the tournament, and no certificate was asked for."""
    NO_BEST = "no best item"
    """Every item lost to another one."""
    BUDGET = "budget"
    INTERRUPTED = "interrupted"
    JUDGE_FAILED = "judge failed"
    POSITION = "position"
    """The judge follows the position and not the items, or nobody can tell whether it does."""


@dataclass(frozen=True, slots=True)
class Guess:
    """The item that leads, and a bound of the error of calling it the best; 1 where none is known.

    The bound may be read at any time: an item that does not beat every other one is ever given a
    bound of at most x with probability at most x.
    """

    arm: Arm
    error: Fraction


class Asked:
    """A search that is asked: the journal that keeps its answers, and what they come to."""

    def __init__(self, searched: Searched, rules: Rules, journal: Journal) -> None:
        """Begin with the answers of the journal."""
        self.searched = searched
        self.rules = rules
        self.journal = journal
        self.failure: str | None = None
        self.abandoned = 0
        """How many questions were under way, and no longer needed, when the asking ended."""
        self.before = len(journal.askings)
        self.restart()

    def restart(self) -> None:
        """Begin again with what the journal holds."""
        self.search = Search(self.searched, self.rules)
        self.positions = Positions()
        self._seen: set[Question] = set()
        for asking in self.journal.askings:
            self._take(asking)

    def keep(self, question: Question, reply: Reply) -> None:
        """Keep an answer, then tell it; raises :class:`JudgeFailed` for one that cannot count."""
        try:
            self.journal.meet_version(reply.version)
            asking = self.search.judged(question, reply.said)
        except InvalidInput as error:
            raise JudgeFailed(str(error)) from None
        self.journal.append(asking)
        self._take(asking)

    def undo(self) -> bool:
        """Withdraw the last answer, if there is one."""
        if not self.journal.askings:
            return False
        self.journal.undo()
        self.restart()
        return True

    @property
    def follows_position(self) -> bool:
        """Whether the answers follow the position shown."""
        return self.positions.follow()

    @property
    def favours_position(self) -> bool:
        """Whether one position was preferred so often that its items' order says nothing."""
        share, _, _ = self.positions.share()
        return max(share, 1 - share) >= FOLLOWING

    @property
    def standings(self) -> Standings:
        """Who beats whom, from all answers that were used, and no coin."""
        outcomes = ((one.first, one.second, told) for one, told in self.search.counted())
        return Standings.of(self.searched.size, outcomes, self.searched.delta.rational)

    @property
    def result(self) -> Arm | None:
        """The item that is called the best."""
        search = self.search
        if not search.ended:
            return None
        if search.certification is None:
            return search.champion
        return search.certification.candidate if search.certification.certified else None

    def guess(self) -> Guess:
        """Return the item that leads now."""
        search, N = self.search, self.searched.size
        if (state := search.certification) is None or state.candidate in state.rejected:
            standings = self.standings
            leader = max(standings.copeland, key=lambda arm: (arm in standings.borda, -arm))
            return Guess(leader if search.champion is None else search.champion, Fraction(1))
        c = state.candidate
        told = [
            search.told_of(Meeting(Stage.CERTIFY, c, other)) for other in range(N) if other != c
        ]
        shares = (state.number + 1) * (state.number + 2)
        error = shares * max(error_bound(len(one), sum(one)) for one in told)
        return Guess(c, min(Fraction(1), error))

    def never_met(self, arm: Arm) -> int:
        """Return how many items this one was never compared with."""
        met = {
            other
            for one, told in self.search.meetings()
            if told and arm in (one.first, one.second)
            for other in (one.first, one.second)
        }
        return self.searched.size - len(met | {arm})

    def _take(self, asking: Asking) -> None:
        self.search.tell(asking)
        self.positions.add(asking, self._seen)


def ask(
    asked: Asked,
    items: Sequence[str],
    judges: Sequence[Judge],
    *,
    budget: int | None = None,
    despite_position: bool = False,
    watch: Callable[[Asked], None] = lambda _: None,
    interrupted: Callable[[], bool] = lambda: False,
) -> Ended:
    """Ask until the best item is known, or the asking ends otherwise, as is said.

    Each of the ``judges`` answers one question at a time, all of them side by side. ``budget`` is
    the most questions to ask now; ``watch`` is called after each answer. A ``KeyboardInterrupt``
    ends the asking. Whatever was answered is kept.

    Raises :class:`~.replies.JudgeRaised` where a judge raised an error.
    """
    if budget is not None:
        require_whole_number("budget", budget, at_least=1)
    pending: dict[Future[Reply], tuple[Question, int]] = {}
    idle = list(range(len(judges)))[::-1]
    left = budget
    with ExitStack() as stack:
        # Left in the opposite order: judges are stopped, then threads end, then pipes are closed.
        for judge in judges:
            stack.callback(judge.close)
        pool = None
        if len(judges) > 1:
            pool = stack.enter_context(ThreadPoolExecutor(len(judges)))
            for judge in judges:
                stack.callback(judge.stop)

        def submit(question: Question, place: int) -> Future[Reply]:
            first, second = (items[arm] for arm in asked.search.shown(question))
            if pool is not None:
                return pool.submit(judges[place].compare, first, second)
            future: Future[Reply] = Future()
            try:
                future.set_result(judges[place].compare(first, second))
            except JudgeFailed as failure:
                future.set_exception(failure)
            return future

        def collect(done: set[Future[Reply]]) -> None:
            # All that came is kept before a failure counts.
            failure: JudgeFailed | None = None
            for future in sorted(done, key=lambda one: pending[one][0]):
                question, place = pending.pop(future)
                idle.append(place)
                try:
                    asked.keep(question, future.result())
                except JudgeFailed as failed:
                    failure = failed
            if failure is not None:
                raise failure

        try:
            while not asked.search.ended:
                if asked.follows_position and not despite_position:
                    return Ended.POSITION
                if interrupted():
                    raise KeyboardInterrupt
                while idle and (left is None or left > 0):
                    busy = {question for question, _ in pending.values()}
                    question = asked.search.next_question(busy)
                    if question is None:
                        break
                    try:
                        future = submit(question, idle[-1])
                    except Skipped:
                        asked.search.postpone(question)
                        continue
                    except Undone:
                        asked.undo()
                        continue
                    pending[future] = question, idle.pop()
                    left = None if left is None else left - 1
                if not pending:
                    return Ended.BUDGET
                collect(wait(pending, return_when=FIRST_COMPLETED).done)
                watch(asked)
        except KeyboardInterrupt:
            return Ended.INTERRUPTED
        except JudgeRaised:
            raise
        except JudgeFailed as failed:
            asked.failure = str(failed)
            return Ended.JUDGE_FAILED
        finally:
            if not asked.search.ended:
                # What was asked is paid for: what comes soon is waited for, and kept.
                done = wait(pending, timeout=_GRACE).done
                try:
                    collect(done)
                except JudgeFailed as failed:
                    asked.failure = asked.failure or str(failed)
            asked.abandoned = len(pending)
    if asked.result is None:
        return Ended.NO_BEST
    if not asked.searched.certify:
        return Ended.SURVIVED
    if asked.rules.swap is not None:
        return Ended.CERTIFIED
    return Ended.POSITION if asked.favours_position and not despite_position else Ended.AS_SHOWN
