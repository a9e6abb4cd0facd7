"""Reading what the commands share: preferences, arms, levels and conventions."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_args, get_type_hints

import typer

from tgite import (
    RULINGS,
    Arm,
    Conventions,
    InvalidInput,
    PreferenceMatrix,
    Preferences,
    cyclic,
    example,
    sparse,
)
from tgite.confidence import read_rational
from tgite.errors import require
from tgite.instances import SPARSE_GAP
from tgite_checks.judging.replies import Answers
from tgite_checks.judging.search import Ties
from tgite_checks.pairwise import ChosenTest, PairwiseName

_Command = TypeVar("_Command", bound=Callable[..., None])


class Family(StrEnum):
    """The families of instances of the Experiments section."""

    CYCLIC = "cyclic"
    SPARSE = "sparse"


KnownGap = Annotated[
    str | None,
    typer.Option(help="Known gap, for a test that is told one."),
]
Test = Annotated[
    PairwiseName | None,
    typer.Option(help="The pairwise test; else the paper's for that g."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@dataclass(frozen=True, slots=True)
class Named:
    """Preferences as the options of a command name them."""

    matrix: Annotated[
        Path | None, typer.Option(help="Preferences from CSV: names, then rows of probabilities.")
    ]
    example: Annotated[str | None, typer.Option(help="sushi16, mslr5 or arxiv6.")]
    instance: Annotated[Family | None, typer.Option(help="A family of the paper.")]
    arms: Annotated[int | None, typer.Option(help="N, with --instance.")]
    delta_star: Annotated[str | None, typer.Option(help="The winner's gap.")]
    delta_cyc: Annotated[str | None, typer.Option(help="The gap within the cycle.")]

    def require_none(self, rule: str) -> None:
        """Refuse preferences, which break this rule."""
        for one in fields(self):
            value = getattr(self, one.name)
            require(value is None, one.name.replace("_", "-"), value, rule)

    def read(self) -> tuple[str, Preferences]:
        """Return the preferences, after a name for them."""
        named = [one for one in (self.matrix, self.example, self.instance) if one is not None]
        if len(named) != 1:
            raise InvalidInput(
                "preferences",
                " and ".join(map(str, named)) or "nothing",
                "give one of --matrix FILE, --example NAME and --instance FAMILY",
            )
        for option in ("arms", "delta_star", "delta_cyc") if self.instance is None else ():
            value, rule = getattr(self, option), "has a meaning only with --instance"
            require(value is None, option.replace("_", "-"), value, rule)
        if self.matrix is not None:
            return str(self.matrix), read_preferences(self.matrix)
        if self.example is not None:
            return self.example, example(self.example)
        if self.arms is None or self.delta_star is None:
            raise InvalidInput("instance", str(self.instance), "needs --arms and --delta-star")
        if self.instance is Family.CYCLIC and self.delta_cyc is None:
            raise InvalidInput("instance", "cyclic", "needs --delta-cyc, the gap within the cycle")
        winner = read_rational("delta-star", self.delta_star)
        within = (
            SPARSE_GAP if self.delta_cyc is None else read_rational("delta-cyc", self.delta_cyc)
        )
        name = f"{self.instance}(N={self.arms}, Delta*={winner}, {within} within)"
        make = cyclic if self.instance is Family.CYCLIC else sparse
        return name, make(self.arms, winner, within)


@dataclass(frozen=True, slots=True)
class Judged:
    """Who compares one's own items, and how, as the options of a command say it."""

    items: Annotated[
        Path | None, typer.Option(help="Names of items to compare, one a line, for a judge.")
    ]
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

    def given(self) -> dict[str, object]:
        """Return the options that were given, by name."""
        return {
            name.replace("_", "-"): value
            for name in self.__dataclass_fields__
            if (value := getattr(self, name)) not in (None, [])
        }


_GROUPS = {"named": Named, "judged": Judged}
_PANELS = {"named": "Preferences", "judged": "Judges"}
PLAYING, OUTPUT = "Playing", "Output"


def read_preferences(path: Path) -> PreferenceMatrix:
    """Read a matrix as ``tgite matrix`` does; counts are for that command to estimate from."""
    from tgite_checks.judging.counts import read_data  # Takes longer to load than help should.

    read = read_data(path, field="matrix")
    if read.matrix is None:
        must = "holds counts: tgite matrix FILE --out MATRIX makes a preference matrix of them"
        raise InvalidInput("matrix", str(path), must)
    if any("mended" in one for one in read.said):
        typer.echo(f"{path}: read as {'; '.join(read.said)}", err=True)
    return read.matrix


def taking_groups(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of :class:`Named` in the place of its parameter ``named``.

    And those of :class:`Judged` in the place of ``judged``.
    """
    signature = inspect.signature(command, eval_str=True)
    groups = {
        one: {
            name: _in_panel(_PANELS[one], hint)
            for name, hint in get_type_hints(kind, include_extras=True).items()
        }
        for one, kind in _GROUPS.items()
        if one in signature.parameters
    }

    @functools.wraps(command)
    def taking(**given: Any) -> None:
        values = {
            one: _GROUPS[one](*(given.pop(option) for option in options))
            for one, options in groups.items()
        }
        command(**values, **given)

    parameters = []
    for one in signature.parameters.values():
        if one.name in groups:
            kinds = [(name, None, kind) for name, kind in groups[one.name].items()]
        else:
            kinds = [(one.name, one.default, one.annotation)]
        for name, default, kind in kinds:
            keyword = inspect.Parameter.KEYWORD_ONLY
            parameters.append(inspect.Parameter(name, keyword, default=default, annotation=kind))
    taking.__annotations__ = {one.name: one.annotation for one in parameters}
    vars(taking)["__signature__"] = inspect.Signature(parameters)
    return taking


def in_panels(panels: Mapping[str, str]) -> Callable[[_Command], _Command]:
    """Show the options of a command in panels: by a panel's title the names of its parameters."""

    def shown(command: _Command) -> _Command:
        hints = get_type_hints(command, include_extras=True)
        for title, names in panels.items():
            hints |= {name: _in_panel(title, hints[name]) for name in names.split()}
        command.__annotations__ = hints
        return command

    return shown


def _in_panel(title: str, hint: Any) -> Any:
    kind, option = get_args(hint)
    option = copy(option)  # Some are of several commands.
    option.rich_help_panel = title
    return Annotated[kind, option]


def read_arm(names: Sequence[str], written: str | None, conventions: Conventions) -> Arm:
    """Return the arm that is written by its number or its name; the first one by default."""
    first = conventions.first_arm
    if written is None:
        return 0
    try:
        arm = int(written) - first
    except ValueError:
        if written not in names:
            raise InvalidInput("start", written, "must be an arm's number or name") from None
        return names.index(written)
    among = f"must be one of the arms {first}..{len(names) - 1 + first}"
    require(0 <= arm < len(names), "start", written, among)
    return arm


def read_conventions(written: list[str]) -> Conventions:
    """Return the rulings with the choices ``name=value`` in their place."""
    chosen: dict[str, Any] = {}
    for choice in written:
        name, _, value = choice.partition("=")
        name = name.strip().replace("-", "_")
        if name not in Conventions.__dataclass_fields__:
            known = ", ".join(Conventions.__dataclass_fields__)
            raise InvalidInput("convention", choice, f"must be NAME=VALUE, NAME one of {known}")
        kind = type(getattr(RULINGS, name))
        values = list(kind) if issubclass(kind, StrEnum) else ["0", "1"]
        must = f"must have one of the values {', '.join(values)}"
        require(value in values, "convention", choice, must)
        chosen[name] = kind(value)
    return replace(RULINGS, **chosen)


def read_test(name: PairwiseName | None, g: str | None) -> ChosenTest:
    """Return the named test, with its known gap; without a name the paper's test for that gap."""
    gap = None if g is None else read_rational("g", g)
    return ChosenTest.of_the_paper(gap) if name is None else ChosenTest(name, gap)
