"""``tgite judge``: find the best of named items by asking a program or a person."""

from __future__ import annotations

import json
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from math import isfinite
from pathlib import Path
from types import FrameType
from typing import Annotated, ClassVar

import typer

from tgite import Confidence, InvalidInput
from tgite.confidence import read_rational
from tgite.errors import handled, require, require_whole_number
from tgite.preferences import HALF
from tgite_judge.account import Found, repeats_without_contradiction
from tgite_judge.expectations import (
    NEAR,
    Outlook,
    Remaining,
    ending_after,
    near_tie,
    outlook,
    remaining,
)
from tgite_judge.find import Asked, Ended, ask
from tgite_judge.identity import Identity
from tgite_judge.journal import Head, Journal
from tgite_judge.judges import Judge, JudgeProgram, Person
from tgite_judge.replies import Answers, Vocabulary, require_items
from tgite_judge.search import FIND_MOST, Certification, Rules, Searched, Ties, once
from tgite_laws.cli.inputs import (
    OUTPUT,
    PLAYING,
    AsJson,
    KnownGap,
    Test,
    in_panels,
    read_arm,
    read_conventions,
    read_test,
    taking_groups,
)
from tgite_laws.cli.policies import Policy, Setting
from tgite_laws.fewest import Pass, one_pass
from tgite_laws.implementation import REFERENCE
from tgite_laws.pairwise import ChosenTest, PairwiseName

DEFAULT_GAPS = (Fraction(1, 10), Fraction(1, 5), Fraction(3, 10))
_NO_ANSWER = 1
_SECONDS_BETWEEN_REPORTS = 5.0
_MOST_JUDGES = 256


def read_items(path: Path) -> tuple[str, ...]:
    """Read the items' names, one a line; empty lines do not count.

    Raises :class:`~tgite.errors.InvalidInput` unless there are two or more, all different.
    """
    with handled("items", path):
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    items = tuple(line.strip() for line in lines if line.strip())
    require_items(items, str(path))
    return items


@dataclass(frozen=True, slots=True)
class Judged:
    """Who compares the items, and how, as the options of the command say it."""

    PANEL: ClassVar[str] = "Judges"

    judge: Annotated[
        str | None, typer.Option(help="A program that compares two items (see docs/judges.md).")
    ]
    ask: Annotated[bool | None, typer.Option("--ask", help="Ask a person at the terminal.")]
    journal: Annotated[
        Path | None, typer.Option(help="Where answers are kept; default ITEMS.journal.")
    ]
    adopt: Annotated[
        bool | None,
        typer.Option("--adopt", help="Take over the journal's answers of another judge or run."),
    ]
    certify: Annotated[
        bool | None,
        typer.Option(
            "--certify/--no-certify",
            help="Call an item the best only if it wins a meeting with every other one (default).",
        ),
    ]
    consistent: Annotated[
        bool | None,
        typer.Option("--consistent", help="Ask about a pair once: its answer is always the same."),
    ]
    margin: Annotated[
        str | None, typer.Option(help="Certify against near ties, too, within this margin.")
    ]
    answers: Annotated[
        Answers | None, typer.Option(help="How the judge answers; by default in either way.")
    ]
    ties: Annotated[
        Ties | None, typer.Option(help="What a tie is: half a win for each (default), ...")
    ]
    swap: Annotated[
        int | None, typer.Option(help="Seed of the random order of showing two items (0).")
    ]
    no_swap: Annotated[
        bool | None,
        typer.Option("--no-swap", help="Show two items always in the same order."),
    ]
    both_orders: Annotated[
        bool | None,
        typer.Option("--both-orders", help="Ask in both orders; a tie where these differ."),
    ]
    despite_position: Annotated[
        bool | None,
        typer.Option(
            "--despite-position", help="Go on with a judge who follows the position shown."
        ),
    ]
    concurrency: Annotated[int | None, typer.Option(help="How many judges run side by side (1).")]
    gap: Annotated[
        list[str] | None, typer.Option(help="A gap for which to say what a judge's run costs.")
    ]
    price: Annotated[float | None, typer.Option(help="What one answer costs.")]
    timeout: Annotated[
        float | None, typer.Option(help="Seconds to wait for a judge's answer (60).")
    ]
    retries: Annotated[int | None, typer.Option(help="How often to ask a failing judge again (2).")]


@taking_groups
@in_panels(
    {
        "Search": "delta g test start convention",
        PLAYING: "budget",
        OUTPUT: "as_json",
    }
)
def judge(
    items_file: Annotated[
        Path, typer.Argument(metavar="ITEMS", help="A file with the items' names, one a line.")
    ],
    judged: Judged,
    delta: Annotated[
        str | None, typer.Option(help="The allowed probability of error, such as 0.05.")
    ] = None,
    g: KnownGap = None,
    test: Test = None,
    start: Annotated[str | None, typer.Option(help="The item to begin with.")] = None,
    convention: Annotated[
        list[str] | None, typer.Option(help="A choice the paper leaves open, NAME=VALUE.")
    ] = None,
    budget: Annotated[
        int | None, typer.Option(help="The most comparisons in this sitting.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Find the best of your own items, which a program or you compare two at a time.

    Every answer is kept in a journal: the same command goes on where it was stopped. The exit
    status is 1 where no item is named the best.
    """
    asks_one = bool(judged.ask) is (judged.judge is None)
    require(asks_one, "judge", str(judged.judge), "must be given, or --ask, and not both")
    require(delta is not None, "delta", "nothing", "must be given: the allowed error, such as 0.05")
    path = items_file
    conventions = read_conventions(convention or [])
    chosen_by_name = read_test(test, g)
    items = read_items(path)
    setting = Setting(
        policy=Policy.BAI,
        size=len(items),
        start=read_arm(items, start, conventions),
        delta=None if delta is None else Confidence.of(delta),
        test=chosen_by_name if test is not None else ChosenTest.cheapest(chosen_by_name.g),
        budget=budget,
        conventions=conventions,
    )
    gaps = tuple(read_rational("gap", one) for one in judged.gap or []) or DEFAULT_GAPS
    for gap in gaps:
        require(0 < gap < HALF, "gap", str(gap), "must lie strictly between 0 and 1/2")
    price = judged.price
    priced = price is None or (isfinite(price) and price >= 0)
    require(priced, "price", str(price), "must be a number of 0 or more")
    rules = _rules(judged)
    judges, identity = _judges(judged, items, rules)
    searched = Searched(
        size=len(items),
        delta=_level(setting),
        test=once if judged.consistent else setting.test.test,
        start=setting.start,
        conventions=setting.conventions,
        certify=judged.certify is not False and not judged.consistent,
        margin=None if judged.margin is None else read_rational("margin", judged.margin),
    )
    chosen = {
        "delta": searched.delta,
        "test": "one answer a pair" if judged.consistent else setting.test,
        "start": setting.start,
        **asdict(replace(setting.conventions, first_arm=0)),
        "random order": rules.swap is not None,
        "ties": rules.ties,
        "both orders": rules.both_orders,
    }
    head = Head(items, identity, {name: str(value) for name, value in chosen.items()})
    place = judged.journal or path.with_name(path.name + ".journal")
    with Journal(place, head, adopt=bool(judged.adopt)) as journal:
        asked = Asked(searched, rules, journal)
        say = _Events() if as_json else _show
        chosen_test = None if judged.consistent else setting.test
        if chosen_test is not None:
            _say_what_to_expect(setting, gaps, asked, say)
        for remark in _remarks(journal):
            say(f"{remark}\n")
        progress = _Progress(asked, items, chosen_test, gaps[len(gaps) // 2], price, say)
        if judged.ask:
            ties = rules.ties is not Ties.REFUSE
            judges = [
                Person(items, _read_line, _show, progress.remaining, progress.answered, ties=ties)
            ]
        previous = signal.signal(signal.SIGTERM, _interrupt)
        try:
            ended = ask(
                asked,
                items,
                judges,
                budget=setting.budget,
                despite_position=bool(judged.despite_position),
                watch=progress.watch,
            )
            progress.hint()
        finally:
            signal.signal(signal.SIGTERM, previous)
        assumed = None if judged.consistent else _assumed(setting.test)
        found = Found.of(asked, ended, items, assumed, consistent=bool(judged.consistent))
    if as_json:
        typer.echo(json.dumps(found.to_json(), ensure_ascii=False, indent=2))
    else:
        typer.echo("\n".join(found.lines()))
    if found.failure is not None:
        typer.echo(f"tgite: {found.failure}; the same command asks again", err=True)
    if found.best is None or found.ended is Ended.AS_SHOWN:
        raise typer.Exit(_NO_ANSWER)


def _rules(judged: Judged) -> Rules:
    both = judged.swap is not None and judged.no_swap
    require(not both, "swap", str(judged.swap), "contradicts --no-swap")
    return Rules(
        swap=None if judged.no_swap else judged.swap or 0,
        ties=judged.ties or Ties.HALF,
        both_orders=bool(judged.both_orders),
    )


def _judges(judged: Judged, items: Sequence[str], rules: Rules) -> tuple[list[Judge], Identity]:
    if judged.judge is None:
        for name in ("answers", "concurrency", "timeout", "retries", "price"):
            value: object = getattr(judged, name)
            require(value is None, name, str(value), "has no meaning with --ask")
        return [], Identity("a person")
    identity = Identity.of_command(judged.judge)
    words = Vocabulary(items, judged.answers or Answers.EITHER, ties=rules.ties is not Ties.REFUSE)
    side_by_side = 1 if judged.concurrency is None else judged.concurrency
    require_whole_number("concurrency", side_by_side, at_least=1)
    few = side_by_side <= _MOST_JUDGES
    require(few, "concurrency", side_by_side, f"must be at most {_MOST_JUDGES}")
    timeout = 60.0 if judged.timeout is None else judged.timeout
    retries = 2 if judged.retries is None else judged.retries
    return [
        JudgeProgram(judged.judge, words, timeout, retries) for _ in range(side_by_side)
    ], identity


def _assumed(test: ChosenTest) -> str:
    if test.g is None:
        return "no two items are exactly tied"
    return f"the best item beats every other one with probability at least {float(HALF + test.g):g}"


class _Events:
    """Says by JSON lines what else would be said in words."""

    def __call__(self, text: str) -> None:
        self.event("note", text=text.strip())

    def event(self, name: str, **values: object) -> None:
        _show(json.dumps({"event": name, **values}, ensure_ascii=False) + "\n")


class _Progress:
    """Says now and then who leads, what was spent, and what is left."""

    def __init__(
        self,
        asked: Asked,
        items: Sequence[str],
        test: ChosenTest | None,
        gap: Fraction,
        price: float | None,
        say: Callable[[str], None],
    ) -> None:
        self._asked, self._items, self._test, self._gap = asked, items, test, gap
        self._price, self._say = price, say
        self._begun = self._said = time.monotonic()
        self._offered = self._hinted = False

    def watch(self, asked: Asked) -> None:
        """Report, unless that was done a moment ago."""
        now = time.monotonic()
        if now - self._said < _SECONDS_BETWEEN_REPORTS:
            return
        self._said = now
        self.hint()
        number, guess = len(asked.journal.askings), asked.guess()
        left = remaining(asked.search, self._test, self._gap)
        seconds = left.likely * (now - self._begun) / max(1, number - asked.before)
        cost = None if self._price is None else number * self._price
        likely_cost = None if self._price is None else (number + left.likely) * self._price
        if isinstance(self._say, _Events):
            self._say.event(
                "progress",
                comparisons=number,
                leader=self._items[guess.arm],
                error_at_most=float(guess.error),
                open_meetings=len(asked.search.open_meetings),
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
        """Say once of two items that look like a tie what would end their meeting."""
        if self._hinted or (tie := near_tie(self._asked.search, self._test)) is None:
            return
        self._hinted = True
        first, second = self._items[tie.meeting.first], self._items[tie.meeting.second]
        margin = float(NEAR)
        self._say(
            f"{first} and {second} may be as good as equal: {first} won {tie.wins} of {tie.told} "
            f"comparisons and nothing is decided, where about {tie.mean:.0f} decide it if the "
            f"better one wins {float(HALF + NEAR):.0%}. If they are equal, no number of "
            f"comparisons need ever decide it. With --margin {margin:g} "
            + ("" if self._asked.searched.certify else "and without --no-certify ")
            + "the same command goes on with the answers that are kept, and such a meeting ends, "
            f"too: then it is said that no other item beats the best one by {margin:g} or more, "
            "not that it beats all of them.\n"
        )

    def answered(self) -> int:
        """Return how many answers are kept."""
        return len(self._asked.journal.askings)

    def remaining(self) -> str:
        """Say how many questions are left, and once what would need fewer."""
        said = (
            f"Questions left: {self._left(remaining(self._asked.search, self._test, self._gap))}."
        )
        askings = self._asked.journal.askings
        if self._test is None or self._offered or not repeats_without_contradiction(askings):
            return said
        self._offered = True
        return (
            f"{said}\nNo pair was answered in two ways so far. Whoever always answers a pair in "
            f"the same way needs {len(self._items) - 1} questions in all: --consistent --adopt "
            "goes on so, and supposes just that, and that one item beats every other one."
        )

    def _left(self, left: Remaining) -> str:
        if left.fewest == left.most:
            return f"{left.most} more"
        return (
            f"at least {left.fewest} more, about {left.likely:.0f} if the better of two wins "
            f"{float(HALF + self._gap):.0%}, "
            + ("without a bound" if left.most is None else f"at most {left.most}")
        )


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _level(setting: Setting) -> Confidence:
    if setting.delta is None:
        raise InvalidInput("delta", "nothing", "must be given, for a judge")
    return setting.delta


def _show(text: str) -> None:
    print(text, end="", file=sys.stderr, flush=True)


def _read_line() -> str:
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line


def _say_what_to_expect(
    setting: Setting, gaps: tuple[Fraction, ...], asked: Asked, say: Callable[[str], None]
) -> None:
    searched = asked.searched
    N, start, delta = setting.size, setting.start, searched.find_level
    played = one_pass(REFERENCE, N, start, delta, (start,), setting.conventions)
    own = outlook(played, setting.test, gaps)
    if searched.certify:
        own = ending_after(own, played.matches * FIND_MOST)
    say(_described(own, "to find an item" if searched.certify else "this run"))
    if searched.certify:
        (level, _) = Certification(start, []).levels(searched.delta, N)
        meetings = Pass(Counter({level: N - 1}), N - 1)
        certificate = outlook(meetings, ChosenTest(PairwiseName.MIXTURE), gaps)
        say(_described(certificate, "to certify it"))
    paper = ChosenTest.of_the_paper(setting.test.g)
    if setting.test != paper:
        say(_described(outlook(played, paper, gaps), "for comparison, the paper's"))
    if setting.test.g is None:
        gap = max(gaps)
        told = outlook(played, ChosenTest.cheapest(gap), (gap,))
        (_, mean), (_, untold) = told.expected[0], own.expected[gaps.index(gap)]
        if mean.high < untold.low:
            say(
                f"If the best item is known to win at least {float(HALF + gap):.0%} of its "
                f"comparisons, --g {float(gap)} finds it in about {mean.middle:.0f} instead of "
                f"{untold.middle:.0f}, and in at most {told.most}.\n"
            )
    say(
        "The guarantee rests on independent answers: a judge that always answers the same pair in "
        "the same way breaks it, and its answers then say no more than one answer a pair.\n"
    )


def _remarks(journal: Journal) -> list[str]:
    said = [*journal.remarks, *filter(None, [journal.head.judge.remark])]
    if journal.repaired:
        said.append(f"The last answer in {journal.path} was cut off in writing; it is asked again.")
    if journal.askings:
        said.append(f"Going on after the {len(journal.askings)} answers in {journal.path}.")
    return said


def _described(expected: Outlook, role: str) -> str:
    most = "without a bound" if expected.most is None else f"at most {expected.most}"
    means = "; ".join(f"about {mean.middle:.0f} at {float(gap)}" for gap, mean in expected.expected)
    return (
        f"{expected.test} ({role}): at least {expected.fewest} comparisons, {most}; "
        f"expected, if every pair has the gap: {means}.\n"
    )
