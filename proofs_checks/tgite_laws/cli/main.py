"""The command ``tgite``.

Exit status 0: all is as recorded; 1: a difference; 2: unusable input, said in one line; 130:
interrupted; 141: whoever reads the output has closed it. Only the module of the command that is
asked for is loaded: all of them together take longer to load than most of them take to run.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from importlib.metadata import entry_points, version
from typing import Annotated

import typer

from tgite_laws.cli.commands import Command

_UNUSABLE = 2
_INTERRUPTED = 130
_PIPE_CLOSED = 141
"""As of a program that is ended by SIGPIPE."""


class _Unusable(Exception):
    """The command cannot be used; the message says why."""


# The error that the command line parser raises for unusable words, by its public descendant.
_UsageError: type[Exception] = typer.BadParameter.__mro__[1]

ORDER = ("audit", "run", "judge", "matrix", "figures", "compare", "conform", "conform-law")
"""The commands that come first in the list; others follow, ordered by name."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its status.

    Whoever sends SIGINT interrupts it, in the background of a script too, where a shell has it
    ignored: what is interrupted keeps what was done, and this is the way to ask for that.
    """
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.exit(status(sys.argv[1:] if arguments is None else arguments))


def status(arguments: Sequence[str]) -> int:
    """Run the command line and return its exit status; say unusable input in one line."""
    try:
        result: object = app(arguments)(args=list(arguments), standalone_mode=False)
        sys.stdout.flush()
    except BrokenPipeError:
        return _pipe_closed()
    except SystemExit as end:
        # The command line parser's answer to a closed pipe, with the status of a difference.
        if isinstance(end.__context__, BrokenPipeError):
            return _pipe_closed()
        raise
    except OSError as error:
        return _unusable(f"output: {error.strerror}")
    except _Unusable as error:
        return _unusable(str(error))
    except _UsageError as error:
        shown = error.format_message() if hasattr(error, "format_message") else str(error)
        return _unusable(str(shown))
    except typer.Abort:
        return _INTERRUPTED
    except ValueError as error:
        from tgite.errors import InvalidInput  # Help and slips of the pen do without the package.

        if not isinstance(error, InvalidInput):
            raise
        return _unusable(str(error))
    return result if isinstance(result, int) else 0


def app(arguments: Sequence[str]) -> typer.Typer:
    """Return the command line with the one command that ``arguments`` name, and dummies else."""
    group = typer.Typer(
        name="tgite",
        help="Tree-Guided Identify-Then-Exploit (dueling bandits): play it, audit it.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
    )
    group.callback()(_start)
    asked = next((word for word in arguments if not word.startswith("-")), "")
    for name, one in commands().items():
        command = _loaded(name, one, arguments) if name == asked else _nothing
        if isinstance(command, typer.Typer):
            group.add_typer(command, name=name, help=one.summary)
        else:
            group.command(name, help=None if name == asked else one.summary)(command)
    return group


def commands() -> dict[str, Command]:
    """Return the commands of all installed packages, which name theirs by entry points."""
    found: dict[str, Command] = {}
    for point in entry_points(group="tgite.commands"):
        found.update(point.load())
    places = {name: place for place, name in enumerate(ORDER)}
    return dict(sorted(found.items(), key=lambda one: (places.get(one[0], len(places)), one[0])))


def _loaded(
    name: str, one: Command, arguments: Sequence[str]
) -> typer.Typer | Callable[..., object]:
    """Load a command; say which extra to install where something that it needs is missing.

    A module with a function ``before_reading`` is told the arguments before they are read.
    """
    try:
        module = import_module(one.module)
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if not one.extra or missing.startswith("tgite"):
            raise
        must = f"needs {missing}, which is not installed: pip install 'tgite[{one.extra}]'"
        raise _Unusable(f"{name}: {must}") from error
    before: Callable[[Sequence[str]], None] = getattr(module, "before_reading", _ignore)
    before(arguments)
    command: typer.Typer | Callable[..., object] = getattr(module, name.replace("-", "_"))
    return command


def _ignore(arguments: Sequence[str]) -> None:
    pass


def _nothing() -> None:
    pass


def _print_versions(asked: bool) -> None:
    """Print the version of the distribution; packages add theirs by entry points."""
    if not asked:
        return
    typer.echo(f"tgite {version('tgite')}")
    for point in entry_points(group="tgite.versions"):
        with suppress(ModuleNotFoundError):  # Its extra is not installed.
            for line in point.load()():
                typer.echo(line)
    raise typer.Exit


def _start(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_print_versions,
            is_eager=True,
            help="Say the versions of package, protocol and vectors.",
        ),
    ] = False,
) -> None:
    pass


def _pipe_closed() -> int:
    """Let Python write what is left to nowhere, without a complaint at its end."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return _PIPE_CLOSED


def _unusable(message: str) -> int:
    if message:  # Empty where the help was shown because nothing was asked for.
        print(f"tgite: {' '.join(message.split())}", file=sys.stderr)
    return _UNUSABLE
