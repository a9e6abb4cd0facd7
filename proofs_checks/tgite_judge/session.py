"""A session, which asks one judge or several until the best item is known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from dataclasses import replace
from enum import StrEnum
from math import inf

from tgite import Arm, InvalidInput
from tgite.errors import require_whole_number
from tgite_judge.journal import Journal, Question, Record
from tgite_judge.judges import Judge, Person, Reply, Undone
from tgite_judge.model import Model
from tgite_judge.order import Guess
from tgite_judge.position_bias import PositionBias
from tgite_judge.replies import JudgeFailed, JudgeRaised, Said
from tgite_judge.search import Goal, Rules, Search
from tgite_judge.standings import Standings

_GRACE = 5.0


class Ended(StrEnum):
    """Why a session ended."""

    CERTIFIED = "certified"
    """The best item won a meeting with every other one."""
    SURVIVED = "survived"
    """An item won the knockout of a consistent judge."""
    NO_BEST = "no best item"
    """Every item lost to another one."""
    BUDGET = "budget"
    INTERRUPTED = "interrupted"
    JUDGE_FAILED = "judge failed"
    UNREADABLE = "unreadable answers"
    """An item won as the judge answered, but not if its unreadable and late answers were against
    it."""
    POSITION = "position"
    """The judge follows the position and not the items, or that cannot be excluded."""


class Session:
    """A search together with the journal that stores its answers."""

    def __init__(
        self, goal: Goal, rules: Rules, journal: Journal, shown: Sequence[str] = ()
    ) -> None:
        """Begin with the answers in the journal; ``shown`` is what judges get of the items."""
        self.goal, self.rules, self.journal = goal, rules, journal
        self.items = journal.head.items
        self.shown = tuple(shown) or self.items
        self.failure: str | None = None
        self.before = len(journal.records)
        self.restart()

    def restart(self) -> None:
        """Begin again with the answers that are in the journal now."""
        self.search = Search(self.goal, self.rules)
        self.positions = PositionBias()
        for record in (*self.journal.missed, *self.journal.records):
            self._add(record)

    def miss(self, question: Question, times: int = 1) -> None:
        """Store that a question was asked in vain, so that it is asked again."""
        swapped = self.rules.swapped(question, len(self.search.records.get(question, [])))
        for _ in range(times):
            record = Record(question, swapped, Said.NOTHING)
            self.journal.append(record)
            self._add(record)

    def store(self, question: Question, reply: Reply) -> None:
        """Store an answer, then use it; raises :class:`JudgeFailed` if it cannot count."""
        self.miss(question, reply.missed)
        try:
            record = self.search.record(question, reply.said)
        except InvalidInput as error:
            # Ties that are too many are answers, and no answer is missing.
            raise JudgeFailed(str(error), int(error.field != "ties")) from None
        self.journal.append(record)
        self._add(record)

    def undo(self) -> None:
        """Withdraw the last answer."""
        self.journal.undo()
        self.restart()

    @property
    def standings(self) -> Standings:
        """Who beats whom, from all answers that were used; the results of coins do not count."""
        return Standings(self.search.counts(self.items), self.goal.delta.rational)

    @property
    def model(self) -> Model:
        """The model of all answers that were used."""
        return Model.of_counts(self.search.counts())

    @property
    def doubtful(self) -> bool:
        """Whether an item won, and only questions that had to be asked again decided that."""
        state = self.search.certification
        return state is not None and bool(state.doubtful)

    @property
    def best(self) -> Arm | None:
        """The item that is called the best."""
        search = self.search
        if not search.ended or self.doubtful:
            return None
        if search.certification is None:
            return search.champion
        return search.certification.candidate if search.certification.certified else None

    def guess(self) -> Guess:
        """Return the best guess from all answers used, or the item that won."""
        state = self.search.certification
        best = state.candidate if state is not None and state.doubtful else self.best
        guess = Guess.of(self.model, self.standings, best)
        certified = state is not None and state.certified
        return replace(guess, error=self.goal.delta.rational) if certified else guess

    def _add(self, record: Record) -> None:
        self.search.add(record)
        if record.said is not Said.NOTHING:
            self.positions.add(record)


def ask(
    session: Session,
    judges: Sequence[Judge],
    budget: int | None = None,
    *,
    despite_position: bool = False,
    watch: Callable[[Session], None] = lambda _: None,
    interrupted: Callable[[], bool] = lambda: False,
) -> Ended:
    """Ask until the best item is known or the session ends for another reason; return the reason.

    Each of the ``judges`` answers one question at a time, all in parallel. ``budget`` is the most
    questions to ask now. ``watch`` is called after each answer. A ``KeyboardInterrupt`` ends the
    session, and :class:`~.replies.JudgeRaised` is raised. All answers are stored in any case.
    """
    if budget is not None:
        require_whole_number("budget", budget, at_least=1)
    pending: dict[Future[Reply], tuple[Question, int]] = {}
    idle = list(range(len(judges)))[::-1]
    left = inf if budget is None else budget
    with ExitStack() as stack:
        # These run in reverse order: judges are stopped, threads end, pipes are closed.
        for judge in judges:
            stack.callback(judge.close)
        pool = None
        if len(judges) > 1:
            pool = stack.enter_context(ThreadPoolExecutor(len(judges)))
            for judge in judges:
                stack.callback(judge.stop)

        def submit(question: Question, place: int) -> Future[Reply]:
            first, second = (session.shown[arm] for arm in session.search.shown(question))
            if pool is not None:
                return pool.submit(judges[place].compare, first, second)
            future: Future[Reply] = Future()
            try:
                future.set_result(judges[place].compare(first, second))
            except JudgeFailed as failure:
                future.set_exception(failure)
            except KeyboardInterrupt:
                # A program may be late where it would prefer one of the items.
                if not isinstance(judges[place], Person):
                    session.miss(question)
                raise
            return future

        def collect(done: set[Future[Reply]]) -> None:
            # Answers are stored before a failure among them counts.
            failure: JudgeFailed | None = None
            for future in sorted(done, key=lambda one: pending[one][0]):
                question, place = pending.pop(future)
                idle.append(place)
                try:
                    session.store(question, future.result())
                except JudgeFailed as failed:
                    session.miss(question, failed.missed)
                    failure = failed
            if failure is not None:
                raise failure

        try:
            while not session.search.ended:
                if session.positions.follow() and not despite_position:
                    return Ended.POSITION
                if interrupted():
                    raise KeyboardInterrupt
                while idle and left > 0:
                    busy = {question for question, _ in pending.values()}
                    question = session.search.next_question(busy)
                    if question is None:
                        break
                    try:
                        future = submit(question, idle[-1])
                    except Undone:
                        session.undo()
                        continue
                    pending[future] = question, idle.pop()
                    left -= 1
                if not pending:
                    return Ended.BUDGET
                collect(wait(pending, return_when=FIRST_COMPLETED).done)
                watch(session)
        except KeyboardInterrupt:
            return Ended.INTERRUPTED
        except JudgeRaised:
            raise
        except JudgeFailed as failed:
            session.failure = str(failed)
            return Ended.JUDGE_FAILED
        finally:
            if not session.search.ended:
                # Pending questions may cost money, so answers that come soon are still stored.
                done = wait(pending, timeout=_GRACE).done
                try:
                    collect(done)
                except JudgeFailed as failed:
                    session.failure = session.failure or str(failed)
                for question, _ in pending.values():
                    session.miss(question)
    if session.best is None:
        return Ended.UNREADABLE if session.doubtful else Ended.NO_BEST
    return Ended.SURVIVED if session.goal.consistent else Ended.CERTIFIED
