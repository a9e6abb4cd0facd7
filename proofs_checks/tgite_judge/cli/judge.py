"""``tgite judge``: find the best of your own items by asking a program or a person."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Annotated

import typer
from typer import Option

from tgite import Confidence
from tgite.confidence import read_rational
from tgite.errors import handled, require
from tgite.preferences import HALF
from tgite_judge.endpoint import KEY, PROMPT, JudgeEndpoint
from tgite_judge.fingerprint import Fingerprint
from tgite_judge.forecast import NEAR, TO_FIND, Remaining, near_tie, remaining, to_certify
from tgite_judge.items import digests, read_items
from tgite_judge.journal import Head, Journal
from tgite_judge.judges import Judge, JudgeProgram, Person
from tgite_judge.layouts import read_columns
from tgite_judge.order import CsvFile, HtmlFile, write_order
from tgite_judge.replies import Answers, Vocabulary, name_of
from tgite_judge.result import Found
from tgite_judge.search import MOST_TO_FIND, Goal, Rules, Ties
from tgite_judge.session import Session, ask
from tgite_laws.cli.inputs import OUTPUT, AsJson, in_panels

GAPS = (Fraction(1, 10), Fraction(1, 5), Fraction(3, 10))
_GAP = GAPS[1]
_SECONDS_BETWEEN_REPORTS = 5.0


@in_panels(
    {
        "Judge": "columns judge endpoint ask_person concurrency timeout retries answers price",
        "Endpoint": "model prompt temperature per_minute price_in price_out",
        "Questions": "ties swap both_orders despite_position budget",
        "Search": "delta margin consistent",
        OUTPUT: "journal adopt csv_file html_file as_json",
    }
)
def judge(
    items_file: Annotated[
        Path,
        typer.Argument(metavar="ITEMS", help="Names, one a line, or a table or folder of texts."),
    ],
    judge: Annotated[str | None, Option(help="A program that compares two items.")] = None,
    endpoint: Annotated[str | None, Option(help="A chat endpoint, as https://HOST/v1.")] = None,
    model: Annotated[str | None, Option(help="The model to ask.")] = None,
    prompt: Annotated[Path | None, Option(help="A file with {first} and {second}.")] = None,
    temperature: Annotated[float | None, Option(min=0, help="How much answers vary (1).")] = None,
    per_minute: Annotated[float | None, Option(min=0, help="The most requests a minute.")] = None,
    price_in: Annotated[float | None, Option(min=0, help="Of a million tokens asked.")] = None,
    price_out: Annotated[float | None, Option(min=0, help="Of a million tokens answered.")] = None,
    ask_person: Annotated[bool, Option("--ask", help="Ask a person at the terminal.")] = False,
    concurrency: Annotated[int | None, Option(min=1, max=256, help="Judges at once (1).")] = None,
    timeout: Annotated[float | None, Option(help="Seconds to wait for an answer (60).")] = None,
    retries: Annotated[int | None, Option(help="How often to ask again (2).")] = None,
    answers: Annotated[Answers | None, Option(help="How the judge answers (either).")] = None,
    price: Annotated[float | None, Option(min=0, help="What one answer costs.")] = None,
    ties: Annotated[Ties, Option(help="Half a win each, asked again, or refused.")] = Ties.HALF,
    swap: Annotated[int, Option(help="Seed of the order of showing items.")] = 0,
    both_orders: Annotated[bool, Option("--both-orders", help="Ask in both orders.")] = False,
    despite_position: Annotated[
        bool, Option("--despite-position", help="Continue with a judge that follows positions.")
    ] = False,
    budget: Annotated[int | None, Option(min=1, help="The most comparisons now.")] = None,
    columns: Annotated[
        list[str] | None, Option(help="Columns of a table of items: id=COLUMN,text=COLUMN.")
    ] = None,
    delta: Annotated[str, Option(help="The allowed probability of error.")] = "0.05",
    margin: Annotated[str | None, Option(help="Accept near ties within this margin.")] = None,
    consistent: Annotated[bool, Option("--consistent", help="Ask once about a pair.")] = False,
    journal: Annotated[Path | None, Option(help="Where answers are (ITEMS.journal).")] = None,
    adopt: Annotated[bool, Option("--adopt", help="Use answers of another judge or run.")] = False,
    csv_file: CsvFile = None,
    html_file: HtmlFile = None,
    as_json: AsJson = False,
) -> None:
    """Find the best of your own items, which a program or you compare two at a time.

    Every answer is stored in a journal: to continue after a stop, run the same command. The exit
    status is 1 if no item is called the best. For the options see docs/judges.md.
    """
    given = [judge is not None, endpoint is not None, ask_person]
    must = "exactly one of --judge, --endpoint and --ask must be given"
    require(sum(given) == 1, "judge", f"{sum(given)} of these", must)
    of_endpoint = {"model": model, "prompt": prompt, "temperature": temperature}
    of_endpoint |= {"per-minute": per_minute, "price-in": price_in, "price-out": price_out}
    for name, option in of_endpoint.items() if endpoint is None else ():
        require(option is None, name, str(option), "needs --endpoint")
    if ask_person:
        for_programs = {"answers": answers, "concurrency": concurrency, "timeout": timeout}
        for name, value in {**for_programs, "retries": retries, "price": price}.items():
            require(value is None, name, str(value), "has no meaning with --ask")
    items = read_items(items_file, read_columns(columns or []))
    names = tuple(map(name_of, items))
    rules = Rules(swap, ties, both_orders)
    judges: list[Judge] = []
    fingerprint = Fingerprint("a person")
    accepted = ties is not Ties.REFUSE
    number, asked = concurrency or 1, None
    seconds = 60.0 if timeout is None else timeout
    if judge is not None:
        fingerprint = Fingerprint.of_command(judge)
        words = Vocabulary(items, answers or Answers.EITHER, ties=accepted)
        again = 2 if retries is None else retries
        judges = [JudgeProgram(judge, words, seconds, again) for _ in range(number)]
    elif endpoint is not None:
        with handled("prompt", prompt):
            text = (prompt or PROMPT).read_text("utf-8-sig")
        asked = JudgeEndpoint(
            endpoint,
            model or "",
            text,
            Vocabulary(items, answers or Answers.POSITIONS, ties=accepted),
            key=os.environ.get(KEY, "").strip(),
            temperature=1.0 if temperature is None else temperature,
            per_minute=per_minute or 0.0,
            prices=(price_in or 0.0, price_out or 0.0),
            timeout=seconds,
            retries=5 if retries is None else retries,
        )
        judges, fingerprint = [asked] * number, asked.fingerprint
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
        progress = _Progress(session, price, asked, say)
        if ask_person and not consistent:
            also = " --adopt" if opened.records else ""
            say(
                f"With --consistent{also} {len(items) - 1} questions are enough, if your answer "
                "about two items is always the same and one item beats every other one. "
                f"{progress.remaining()}\n"
            )
        elif consistent:
            say(f"{progress.remaining()}\n")
        else:
            paid = " What one costs is shown after the first ones." if price_in or price_out else ""
            _say_forecast(goal, paid if price is None else f" Each costs {price:g}.", say)
        for remark in opened.remarks:
            say(f"{remark}\n")
        if ask_person:
            judges = [Person(items, input, _show, progress.remaining, opened, ties=accepted)]
        previous = signal.signal(signal.SIGTERM, signal.default_int_handler)
        try:
            watch = progress.watch
            ended = ask(session, judges, budget, watch=watch, despite_position=despite_position)
            progress.hint()
            if asked is not None:
                paid = f"; cost {asked.cost:.4g}" if asked.cost else ""
                say(f"Tokens now: {asked.tokens[0]} asked, {asked.tokens[1]} answered{paid}.\n")
        finally:
            signal.signal(signal.SIGTERM, previous)
        found = Found.of(session, ended)
    as_text = json.dumps(found.to_json(), ensure_ascii=False, indent=2) if as_json else str(found)
    typer.echo(as_text)
    write_order(csv_file, html_file, found.lines(), found.order, found.standings)
    if found.failure is not None:
        kept = f"the {found.comparisons} answers so far are kept in {place}"
        typer.echo(f"tgite: {found.failure}; {kept}; to go on, run the same command", err=True)
    if found.best is None:
        raise typer.Exit(1)


class _Progress:
    """Reports at intervals which item leads, the cost so far, and the questions left."""

    def __init__(
        self,
        session: Session,
        price: float | None,
        asked: JudgeEndpoint | None,
        say: Callable[[str], None],
    ) -> None:
        self._session, self._price, self._asked, self._say = session, price, asked, say
        self._begun = self._reported = time.monotonic()
        self._hinted = False

    def watch(self, session: Session) -> None:
        """Report, unless a report was made a moment ago."""
        now = time.monotonic()
        if now - self._reported < _SECONDS_BETWEEN_REPORTS:
            return
        self._reported = now
        self.hint()
        number, guess = len(session.journal.records), session.guess()
        left = remaining(session.search, _GAP)
        seconds = left.likely * (now - self._begun) / max(1, number - session.before)
        price = self._price
        if self._asked is not None and self._asked.cost:
            price = self._asked.cost / max(1, number - session.before)
        cost = None if price is None else number * price
        likely_cost = None if price is None else (number + left.likely) * price
        if self._say is _say_json:
            _show_event(
                "progress",
                comparisons=number,
                guess=guess.item,
                error_at_most=float(guess.error),
                fewest_left=left.fewest,
                likely_left=round(left.likely),
                seconds_left=round(seconds),
                cost=cost,
                likely_cost=likely_cost,
            )
            return
        paid = "" if cost is None else f", cost {cost:g} of about {likely_cost:g}"
        self._say(
            f"{number} comparisons{paid}; {guess.item} leads; {self._left(left)}, "
            f"{seconds / 60:.0f} minutes\n"
        )

    def hint(self) -> None:
        """Suggest a margin, once, if two items look like a tie."""
        if self._hinted or (state := near_tie(self._session.search)) is None:
            return
        self._hinted = True
        outcomes, names = state.outcomes, self._session.items
        first, second = names[state.meeting.first], names[state.meeting.second]
        self._say(
            f"{first} and {second} may be tied: {first} won {sum(outcomes)} of {len(outcomes)} "
            f"comparisons. With --margin {float(NEAR):g} the same command continues and ends such "
            "meetings. The result is then that no other item beats the best one by the margin or "
            "more, not that it beats all.\n"
        )

    def remaining(self) -> str:
        """Return a line on how many questions are left."""
        return f"Questions left: {self._left(remaining(self._session.search, _GAP))}."

    def _left(self, left: Remaining) -> str:
        if left.exactly:
            return f"{left.fewest} more"
        return (
            f"at least {left.fewest} more, about {left.likely:.0f} if the better of two wins "
            f"{float(HALF + _GAP):.0%}, without an upper bound"
        )


def _show(text: str) -> None:
    print(text, end="", file=sys.stderr, flush=True)


def _show_event(event: str, **values: object) -> None:
    _show(json.dumps({"event": event, **values}, ensure_ascii=False) + "\n")


def _say_json(text: str) -> None:
    _show_event("note", text=text.strip())


def _say_forecast(goal: Goal, paid: str, say: Callable[[str], None]) -> None:
    costs = ", ".join(f"{to_certify(goal, gap):.0f} (if {float(HALF + gap):.0%})" for gap in GAPS)
    say(
        f"To find the best guess takes about {TO_FIND * goal.size} comparisons, at most "
        f"{MOST_TO_FIND * goal.size}. To certify it takes about this many more, by the share of "
        f"comparisons that the best item wins: {costs}. There is no upper bound, because items may "
        f"tie.{paid}\n"
    )
