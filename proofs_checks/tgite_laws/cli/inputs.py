"""Options that the commands share: preferences, arms, levels and conventions."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, ClassVar, TypeVar, get_args, get_type_hints

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
    read_matrix,
    sparse,
)
from tgite.confidence import read_rational
from tgite.errors import require
from tgite.instances import SPARSE_GAP
from tgite_laws.pairwise import ChosenTest, PairwiseName

_Command = TypeVar("_Command", bound=Callable[..., None])


class Family(StrEnum):
    """The families of instances of the Experiments section."""

    CYCLIC = "cyclic"
    SPARSE = "sparse"


KnownGap = Annotated[
    str | None,
    typer.Option(help="Known gap, for a test that needs one."),
]
Test = Annotated[
    PairwiseName | None,
    typer.Option(help="The pairwise test; by default the paper's for that g."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@dataclass(frozen=True, slots=True)
class PreferenceOptions:
    """The options by which a command names preferences."""

    PANEL: ClassVar[str] = "Preferences"

    matrix: Annotated[
        Path | None, typer.Option(help="Preferences from CSV: names, then rows of probabilities.")
    ]
    example: Annotated[str | None, typer.Option(help="sushi16, mslr5 or arxiv6.")]
    instance: Annotated[Family | None, typer.Option(help="A family of the paper.")]
    arms: Annotated[int | None, typer.Option(help="N, with --instance.")]
    delta_star: Annotated[str | None, typer.Option(help="The winner's gap.")]
    delta_cyc: Annotated[str | None, typer.Option(help="The gap within the cycle.")]

    def require_none(self, rule: str) -> None:
        """Raise if any preferences are named, with ``rule`` as the reason."""
        for one in fields(self):
            value = getattr(self, one.name)
            require(value is None, one.name.replace("_", "-"), value, rule)

    def read(self) -> tuple[str, Preferences]:
        """Return a name for the preferences, and the preferences."""
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
            return str(self.matrix), _read_matrix(self.matrix)
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


def _read_matrix(path: Path) -> PreferenceMatrix:
    """Read a matrix; if its entries are refused, name the command that reads counts."""
    try:
        return read_matrix(path)
    except InvalidInput as error:
        if not error.field.startswith("p["):
            raise
        hint = "tgite matrix makes a matrix of counts"
        raise InvalidInput(error.field, error.value, f"{error.rule} ({hint})") from None


PLAYING, OUTPUT = "Playing", "Output"


def with_option_groups(command: Callable[..., None]) -> Callable[..., None]:
    """Replace a command's parameter ``named`` by the options of :class:`PreferenceOptions`.

    Any other parameter whose type is a dataclass with an attribute ``PANEL`` is replaced too.
    """
    signature = inspect.signature(command, eval_str=True)
    kinds: dict[str, Any] = {
        one.name: one.annotation
        for one in signature.parameters.values()
        if hasattr(one.annotation, "PANEL")
    }
    groups: dict[str, dict[str, Any]] = {}
    for parameter, kind in kinds.items():
        hints = get_type_hints(kind, include_extras=True)
        groups[parameter] = {
            field.name: _in_panel(kind.PANEL, hints[field.name]) for field in fields(kind)
        }

    @functools.wraps(command)
    def taking(**given: Any) -> None:
        values = {
            one: kinds[one](*(given.pop(option) for option in options))
            for one, options in groups.items()
        }
        command(**values, **given)

    parameters = []
    for one in signature.parameters.values():
        if one.name in groups:
            shown = [(name, None, kind) for name, kind in groups[one.name].items()]
        else:
            shown = [(one.name, one.default, one.annotation)]
        for name, default, kind in shown:
            keyword = inspect.Parameter.KEYWORD_ONLY
            parameters.append(inspect.Parameter(name, keyword, default=default, annotation=kind))
    taking.__annotations__ = {one.name: one.annotation for one in parameters}
    vars(taking)["__signature__"] = inspect.Signature(parameters)
    return taking


def in_panels(panels: Mapping[str, str]) -> Callable[[_Command], _Command]:
    """Group a command's options in panels of its help: panel title to parameter names."""

    def shown(command: _Command) -> _Command:
        hints = get_type_hints(command, include_extras=True)
        for title, names in panels.items():
            hints |= {name: _in_panel(title, hints[name]) for name in names.split()}
        command.__annotations__ = hints
        return command

    return shown


def _in_panel(title: str, hint: Any) -> Any:
    kind, option = get_args(hint)
    option = copy(option)  # Several commands may share an option.
    option.rich_help_panel = title
    return Annotated[kind, option]


def read_arm(names: Sequence[str], written: str | None, conventions: Conventions) -> Arm:
    """Return the arm with the number or name ``written``; by default the first arm."""
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
    """Return the default conventions, changed by the choices ``name=value``."""
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
