"""``tgite run bai --judge COMMAND`` and ``--ask``: find the best of named items by asking."""

from __future__ import annotations

import json
import signal
import sys
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path
from types import FrameType

import typer

from tgite import Arm, Confidence, Ended, InvalidInput, Run, play
from tgite.errors import handled, require, require_whole_number
from tgite.preferences import HALF
from tgite_checks.cli.policies import Setting
from tgite_checks.implementation import REFERENCE
from tgite_checks.judging.expectations import Outlook, outlook
from tgite_checks.judging.journal import Journal
from tgite_checks.judging.judges import (
    JournalledEnvironment,
    JudgeFailed,
    JudgeProgram,
    Person,
    always_repeats_itself,
)
from tgite_checks.laws.fewest import one_pass
from tgite_checks.pairwise import ChosenTest

DEFAULT_GAPS = (Fraction(1, 10), Fraction(1, 5), Fraction(3, 10))
_JUDGE_FAILED = 1
_INTERRUPTED = 130
_FEWEST_TO_WARN = 20


@dataclass(frozen=True, slots=True)
class Asking:
    """How to ask: whom, about what, and where the answers are kept.

    ``judge`` is a command, ``None`` for a person at the terminal. ``gaps`` are the gaps that the
    expected numbers of comparisons are told for. ``swap`` is the seed by which the item shown first
    is chosen, ``None`` to show the test's first argument first. ``timeout`` is in seconds.
    """

    items: tuple[str, ...]
    judge: str | None
    journal: Path
    gaps: tuple[Fraction, ...]
    swap: int | None
    timeout: float
    retries: int

    def __post_init__(self) -> None:
        """Refuse what cannot be used, before anybody is asked."""
        for gap in self.gaps:
            require(0 < gap < HALF, "gap", str(gap), "must lie strictly between 0 and 1/2")
        require(self.timeout > 0, "timeout", self.timeout, "must be above 0 seconds")
        require_whole_number("retries", self.retries, at_least=0)


def read_items(path: Path) -> tuple[str, ...]:
    """Read the items' names, one a line; empty lines do not count.

    Raises :class:`~tgite.errors.InvalidInput` unless there are two or more, all different.
    """
    with handled("items", path):
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    items = tuple(line.strip() for line in lines if line.strip())
    require(len(items) > 1, "items", str(path), "must name at least two items, one a line")
    for item in items:
        printable = "must be printable: no control characters"
        require(item.isprintable(), "items", repr(item), printable)
    for item in sorted(items):
        require(items.count(item) == 1, "items", item, "must be named once")
    return items


def run_judge(setting: Setting, asking: Asking, as_json: bool) -> None:
    """Ask until the best item is known, or the asking is interrupted, and say what was found."""
    head: dict[str, object] = {
        "items": list(asking.items),
        "judge": "a person" if asking.judge is None else asking.judge,
        "delta": str(setting.delta),
        "g": None if setting.test.g is None else str(setting.test.g),
        "start": setting.start,
        "conventions": asdict(setting.conventions),
        "swap": asking.swap,
    }
    if setting.test != ChosenTest.of_the_paper(setting.test.g):
        head["test"] = str(setting.test)
    with Journal(asking.journal, head) as journal:
        before = len(journal.answers)
        _say_what_to_expect(setting, asking, journal)
        run, failure = _asked(setting, asking, journal)
        _say_result(setting, asking.items, run, journal, before, as_json)
    if failure is not None:
        typer.echo(f"tgite: {failure}; the same command asks again", err=True)
        raise typer.Exit(_JUDGE_FAILED)
    if run.ended is Ended.INTERRUPTED:
        raise typer.Exit(_INTERRUPTED)


def _asked(
    setting: Setting, asking: Asking, journal: Journal
) -> tuple[Run[Arm | None], JudgeFailed | None]:
    failure: JudgeFailed | None = None
    program = None
    if asking.judge is not None:
        program = JudgeProgram(asking.judge, asking.timeout, asking.retries)
    judge = program or Person(_read_line, _show)

    class Reporting:
        """Turns a judge's failure into the end of the run, so that all is still counted."""

        def prefers_first(self, first: str, second: str) -> bool:
            nonlocal failure
            try:
                return judge.prefers_first(first, second)
            except JudgeFailed as failed:
                failure = failed
                raise KeyboardInterrupt from None

    environment = JournalledEnvironment(journal, asking.items, Reporting(), asking.swap)
    previous = signal.signal(signal.SIGTERM, _interrupt)
    try:
        run: Run[Arm | None] = play(setting.stream(), environment, budget=setting.budget)
    finally:
        signal.signal(signal.SIGTERM, previous)
        if program is not None:
            program.close()
    return run, failure


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


def _say_what_to_expect(setting: Setting, asking: Asking, journal: Journal) -> None:
    N, start, delta = setting.size, setting.start, _level(setting)
    played = one_pass(REFERENCE, N, start, delta, (start,), setting.conventions)
    gaps = asking.gaps or DEFAULT_GAPS
    own = outlook(played, setting.test, gaps)
    _show(_described(own, "this run"))
    paper = ChosenTest.of_the_paper(setting.test.g)
    if setting.test != paper:
        _show(_described(outlook(played, paper, gaps), "for comparison, the paper's"))
    if setting.test.g is None:
        gap = max(gaps)
        told = outlook(played, ChosenTest.cheapest(gap), (gap,))
        (_, mean), (_, untold) = told.expected[0], own.expected[gaps.index(gap)]
        if mean.high < untold.low:
            _show(
                f"If the best item is known to win at least {float(HALF + gap):.0%} of its "
                f"comparisons, --g {float(gap)} needs about {mean.middle:.0f} instead of "
                f"{untold.middle:.0f}, and at most {told.most}.\n"
            )
    _show(
        "The guarantee rests on independent answers: a judge that always answers the same pair in "
        "the same way breaks it, and its answers then say no more than one answer a pair.\n"
    )
    if journal.repaired:
        _show(f"The last answer in {asking.journal} was cut off in writing; it is asked again.\n")
    if journal.answers:
        _show(f"Going on after the {len(journal.answers)} answers in {asking.journal}.\n")


def _described(expected: Outlook, role: str) -> str:
    most = "without a bound" if expected.most is None else f"at most {expected.most}"
    means = "; ".join(f"about {mean.middle:.0f} at {float(gap)}" for gap, mean in expected.expected)
    return (
        f"{expected.test} ({role}): at least {expected.fewest} comparisons, {most}; "
        f"expected, if every pair has the gap: {means}.\n"
    )


def _say_result(
    setting: Setting,
    items: tuple[str, ...],
    run: Run[Arm | None],
    journal: Journal,
    before: int,
    as_json: bool,
) -> None:
    g, repeats = setting.test.g, always_repeats_itself(journal.answers)
    gap = (
        "no two items are exactly tied"
        if g is None
        else f"the best item beats every other one with probability at least {float(HALF + g):g}"
    )
    assumptions = [
        "one item beats every other one more often than not",
        gap,
        "answers are independent, and a pair's chances stay the same throughout",
    ]
    warning = len(journal.answers) >= _FEWEST_TO_WARN and repeats
    if as_json:
        found = None if run.returned is None else items[run.returned]
        typer.echo(
            json.dumps(
                {
                    "ended": str(run.ended),
                    "item": found,
                    "confidence": str(setting.delta),
                    "assumptions": assumptions,
                    "comparisons": len(journal.answers),
                    "asked_now": len(journal.answers) - before,
                    "judge_repeats_itself": warning,
                    "test": str(setting.test),
                },
                ensure_ascii=False,
                indent=2,
            )
        )
        return
    if run.returned is None:
        typer.echo(f"No result yet: {run.ended} after {len(journal.answers)} comparisons.")
    else:
        typer.echo(
            f"{items[run.returned]} is the best item, with probability of error at most "
            f"{setting.delta}, after {len(journal.answers)} comparisons, provided that "
            f"{'; '.join(assumptions)} ({setting.test})."
        )
    if warning:
        typer.echo(
            "No pair was ever answered in two ways: the judge may be repeating itself, in which "
            "case the guarantee does not hold."
        )
