"""``tgite judge``: find the best of your own items by asking a program or a person."""

from __future__ import annotations

import json
import signal
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from math import isfinite
from pathlib import Path
from types import FrameType
from typing import Annotated

import typer
from typer import Option

from tgite import Confidence
from tgite.confidence import read_rational
from tgite.errors import require, require_whole_number
from tgite.preferences import HALF
from tgite_judge.fingerprint import Fingerprint
from tgite_judge.forecast import NEAR, TO_FIND, Remaining, near_tie, remaining, to_certify
from tgite_judge.items import digests, read_items
from tgite_judge.journal import Head, Journal
from tgite_judge.judges import Judge, JudgeProgram, Person
from tgite_judge.layouts import read_columns
from tgite_judge.replies import Answers, Vocabulary, name_of
from tgite_judge.result import Found, seems_consistent
from tgite_judge.search import MOST_TO_FIND, Goal, Rules, Ties
from tgite_judge.session import Ended, Session, ask
from tgite_laws.cli.inputs import OUTPUT, AsJson, in_panels

GAPS = (Fraction(1, 10), Fraction(1, 5), Fraction(3, 10))
_GAP = GAPS[1]
_NO_BEST = 1
_SECONDS_BETWEEN_REPORTS = 5.0
_MOST_JUDGES = 256


@in_panels(
    {
        "Judge": "columns judge ask_person concurrency timeout retries answers price",
        "Questions": "ties swap no_swap both_orders despite_position budget",
        "Search": "delta margin consistent",
        OUTPUT: "journal adopt as_json",
    }
)
def judge(
    items_file: Annotated[
        Path,
        typer.Argument(metavar="ITEMS", help="Names, one a line, or a table or folder of texts."),
    ],
    judge: Annotated[str | None, Option(help="A program that compares two items.")] = None,
    ask_person: Annotated[bool, Option("--ask", help="Ask a person at the terminal.")] = False,
    concurrency: Annotated[int | None, Option(help="Judges in parallel (1).")] = None,
    timeout: Annotated[float | None, Option(help="Seconds to wait for an answer (60).")] = None,
    retries: Annotated[int | None, Option(help="How often to ask again (2).")] = None,
    answers: Annotated[Answers | None, Option(help="How the judge answers (either).")] = None,
    price: Annotated[float | None, Option(help="What one answer costs.")] = None,
    ties: Annotated[Ties, Option(help="Half a win each, asked again, or refused.")] = Ties.HALF,
    swap: Annotated[int | None, Option(help="Seed of the order of showing items (0).")] = None,
    no_swap: Annotated[bool, Option("--no-swap", help="Show items in the list's order.")] = False,
    both_orders: Annotated[bool, Option("--both-orders", help="Ask in both orders.")] = False,
    despite_position: Annotated[
        bool, Option("--despite-position", help="Continue with a judge that follows positions.")
    ] = False,
    budget: Annotated[int | None, Option(help="The most comparisons in this run.")] = None,
    columns: Annotated[
        list[str] | None, Option(help="Columns of a table of items: id=COLUMN,text=COLUMN.")
    ] = None,
    delta: Annotated[str, Option(help="The allowed probability of error.")] = "0.05",
    margin: Annotated[str | None, Option(help="Accept near ties within this margin.")] = None,
    consistent: Annotated[bool, Option("--consistent", help="Ask once about a pair.")] = False,
    journal: Annotated[Path | None, Option(help="Where answers are (ITEMS.journal).")] = None,
    adopt: Annotated[bool, Option("--adopt", help="Use answers of another judge or run.")] = False,
    as_json: AsJson = False,
) -> None:
    """Find the best of your own items, which a program or you compare two at a time.

    Every answer is stored in a journal: to continue after a stop, run the same command. The exit
    status is 1 if no item is called the best. For the options see docs/judges.md.
    """
    require(judge is not None or ask_person, "judge", "nothing", "must be given, or else --ask")
    require(judge is None or not ask_person, "ask", "given", "contradicts --judge")
    if judge is None:
        for_programs = {"answers": answers, "concurrency": concurrency, "timeout": timeout}
        for name, value in {**for_programs, "retries": retries, "price": price}.items():
            require(value is None, name, str(value), "has no meaning with --ask")
    items = read_items(items_file, read_columns(columns or []))
    names = tuple(map(name_of, items))
    if budget is not None:
        require_whole_number("budget", budget, at_least=1)
    priced = price is None or (isfinite(price) and price >= 0)
    require(priced, "price", str(price), "must be a number of 0 or more")
    require(swap is None or not no_swap, "swap", str(swap), "contradicts --no-swap")
    rules = Rules(None if no_swap else swap or 0, ties, both_orders)
    judges: list[Judge] = []
    fingerprint = Fingerprint("a person")
    accepted = ties is not Ties.REFUSE
    if judge is not None:
        fingerprint = Fingerprint.of_command(judge)
        words = Vocabulary(items, answers or Answers.EITHER, ties=accepted)
        number = 1 if concurrency is None else concurrency
        require_whole_number("concurrency", number, at_least=1)
        few = f"must be at most {_MOST_JUDGES}"
        require(number <= _MOST_JUDGES, "concurrency", number, few)
        seconds, again = 60.0 if timeout is None else timeout, 2 if retries is None else retries
        judges = [JudgeProgram(judge, words, seconds, again) for _ in range(number)]
    goal = Goal(
        size=len(items),
        delta=Confidence.of(delta),
        margin=None if margin is None else read_rational("margin", margin),
        consistent=consistent,
    )
    described = {
        "delta": str(goal.delta),
        "number of answers": "one a pair" if consistent else "any",
        **rules.described(),
    }
    place = journal or items_file.with_name(items_file.name + ".journal")
    with Journal(place, Head(names, fingerprint, described, digests(items)), adopt=adopt) as opened:
        session = Session(goal, rules, opened, items)
        say = _say_json if as_json else _show
        _say_forecast(session, say)
        for remark in _remarks(opened):
            say(f"{remark}\n")
        progress = _Progress(session, price, say)
        if judge is None:
            left, stored = progress.remaining, progress.stored
            judges = [Person(items, _read_line, _show, left, stored, ties=accepted)]
        previous = signal.signal(signal.SIGTERM, _interrupt)
        try:
            watch = progress.watch
            ended = ask(session, judges, budget, watch=watch, despite_position=despite_position)
            progress.hint()
        finally:
            signal.signal(signal.SIGTERM, previous)
        found = Found.of(session, ended)
    if as_json:
        typer.echo(json.dumps(found.to_json(), ensure_ascii=False, indent=2))
    else:
        typer.echo(str(found))
    if found.failure is not None:
        typer.echo(f"tgite: {found.failure}; to ask again, run the same command", err=True)
    if found.best is None or found.ended is Ended.AS_SHOWN:
        raise typer.Exit(_NO_BEST)


class _Progress:
    """Reports at intervals which item leads, the cost so far, and the questions left."""

    def __init__(
        self,
        session: Session,
        price: float | None,
        say: Callable[[str], None],
    ) -> None:
        self._session, self._items = session, session.items
        self._price, self._say = price, say
        self._begun = self._reported = time.monotonic()
        self._offered = self._hinted = False

    def watch(self, session: Session) -> None:
        """Report, unless a report was made a moment ago."""
        now = time.monotonic()
        if now - self._reported < _SECONDS_BETWEEN_REPORTS:
            return
        self._reported = now
        self.hint()
        number, guess = self.stored(), session.guess()
        left = remaining(session.search, _GAP)
        seconds = left.likely * (now - self._begun) / max(1, number - session.before)
        cost = None if self._price is None else number * self._price
        likely_cost = None if self._price is None else (number + left.likely) * self._price
        if self._say is _say_json:
            _show_event(
                "progress",
                comparisons=number,
                leader=self._items[guess.arm],
                error_at_most=float(guess.error),
                fewest_left=left.fewest,
                likely_left=round(left.likely),
                most_left=left.most,
                seconds_left=round(seconds),
                cost=cost,
                likely_cost=likely_cost,
            )
            return
        paid = "" if cost is None else f", cost {cost:g} of about {likely_cost:g}"
        self._say(
            f"{number} comparisons{paid}; {self._items[guess.arm]} leads; {self._left(left)}, "
            f"{seconds / 60:.0f} minutes\n"
        )

    def hint(self) -> None:
        """Suggest a margin, once, if two items look like a tie."""
        if self._hinted or (tie := near_tie(self._session.search)) is None:
            return
        self._hinted = True
        meeting, mean = tie
        outcomes = self._session.search.outcomes_of(meeting)
        first, second = self._items[meeting.first], self._items[meeting.second]
        margin = float(NEAR)
        self._say(
            f"{first} and {second} may be tied: {first} won {sum(outcomes)} of {len(outcomes)} "
            f"comparisons and nothing is decided; if one of them wins {float(HALF + NEAR):.0%}, "
            f"about {mean:.0f} decide it. A true tie may never be decided. With --margin "
            f"{margin:g} the same command continues from the stored answers and such a meeting "
            f"ends, too. The result is then that no other item beats the best one by {margin:g} or "
            "more, not that it beats all others.\n"
        )

    def stored(self) -> int:
        """Return how many answers are stored."""
        return len(self._session.journal.records)

    def remaining(self) -> str:
        """Return a line on how many questions are left, with a hint, once, on how to need fewer."""
        left = remaining(self._session.search, _GAP)
        line = f"Questions left: {self._left(left)}."
        records = self._session.journal.records
        if self._session.goal.consistent or self._offered or not seems_consistent(records):
            return line
        self._offered = True
        return (
            f"{line}\nNo pair was answered in two ways so far. If your answer about a pair is "
            f"always the same, {len(self._items) - 1} questions are enough: continue with "
            "--consistent --adopt. That assumes such answers, and that one item beats every other "
            "one."
        )

    def _left(self, left: Remaining) -> str:
        if left.fewest == left.most:
            return f"{left.most} more"
        most = "without an upper bound" if left.most is None else f"at most {left.most}"
        return (
            f"at least {left.fewest} more, about {left.likely:.0f} if the better of two wins "
            f"{float(HALF + _GAP):.0%}, {most}"
        )


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _show(text: str) -> None:
    print(text, end="", file=sys.stderr, flush=True)


def _show_event(event: str, **values: object) -> None:
    _show(json.dumps({"event": event, **values}, ensure_ascii=False) + "\n")


def _say_json(text: str) -> None:
    _show_event("note", text=text.strip())


def _read_line() -> str:
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line


def _say_forecast(session: Session, say: Callable[[str], None]) -> None:
    goal = session.goal
    if goal.consistent:
        return
    costs = ", ".join(f"{to_certify(goal, gap):.0f} (if {float(HALF + gap):.0%})" for gap in GAPS)
    say(
        f"To find the best guess takes about {TO_FIND * goal.size} comparisons, at most "
        f"{MOST_TO_FIND * goal.size}. To certify it takes about this many more, by the share of "
        f"comparisons that the best item wins: {costs}. There is no upper bound, because items may "
        "tie.\n"
    )
    say(
        "The guarantee needs independent answers. If a judge always repeats its answer, a hundred "
        "answers tell no more than one, and the result is about its fixed answers only.\n"
    )


def _remarks(journal: Journal) -> list[str]:
    remarks = [*journal.remarks, *filter(None, [journal.head.judge.remark])]
    if journal.repaired:
        remarks.append(f"The last line of {journal.path} was incomplete; it is asked again.")
    if journal.records:
        remarks.append(f"Continuing after the {len(journal.records)} answers in {journal.path}.")
    return remarks
