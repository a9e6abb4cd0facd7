"""The command ``tgite``.

Exit status:

- 0: everything is as recorded;
- 1: a difference;
- 2: unusable input, explained in one line;
- 130: interrupted;
- 141: the reader of the output has closed the pipe.

Only the module of the requested command is loaded, because loading all takes longer than most
commands take to run.
"""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from importlib.metadata import PackageNotFoundError, entry_points, requires, version
from typing import Annotated

import typer

from tgite_laws.cli.commands import Command

_UNUSABLE = 2
_INTERRUPTED = 130
_PIPE_CLOSED = 141
"""The exit status of a program that SIGPIPE ends."""


class _Unusable(Exception):
    """The command cannot be used; the message says why."""


# The parser's own usage error, reached through a public subclass of it.
_UsageError: type[Exception] = typer.BadParameter.__mro__[1]

ORDER = ("audit", "run", "judge", "matrix", "figures", "compare", "conform", "conform-law")
"""The commands that the help lists first; the others follow in alphabetical order."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its status.

    SIGINT interrupts the command even in the background of a script, where shells ignore it. An
    interrupted command keeps the results that it has.
    """
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.exit(status(sys.argv[1:] if arguments is None else arguments))


def status(arguments: Sequence[str]) -> int:
    """Run the command line and return its exit status; report unusable input in one line."""
    try:
        result: object = app(arguments)(args=list(arguments), standalone_mode=False)
        sys.stdout.flush()
    except BrokenPipeError:
        return _pipe_closed()
    except SystemExit as end:
        # The command line parser exits with status 1 when the pipe is closed.
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
        from tgite.errors import InvalidInput  # Help and usage errors do not load the package.

        if not isinstance(error, InvalidInput):
            raise
        return _unusable(str(error))
    return result if isinstance(result, int) else 0


def app(arguments: Sequence[str]) -> typer.Typer:
    """Return the command line with the command that ``arguments`` name; the others are stubs."""
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
    """Return the commands of all installed packages, found by their entry points."""
    found: dict[str, Command] = {}
    for point in entry_points(group="tgite.commands"):
        found.update(point.load())
    places = {name: place for place, name in enumerate(ORDER)}
    return dict(sorted(found.items(), key=lambda one: (places.get(one[0], len(places)), one[0])))


def _loaded(
    name: str, one: Command, arguments: Sequence[str]
) -> typer.Typer | Callable[..., object]:
    """Return a loaded command; if a dependency is missing, say which extra to install.

    If the module has a function ``before_reading``, it is called with the arguments before they are
    parsed.
    """
    if one.extra and (missing := _missing(one.extra)):
        must = f"needs {missing}, which is not installed: pip install 'tgite[{one.extra}]'"
        raise _Unusable(f"{name}: {must}")
    module = import_module(one.module)
    before: Callable[[Sequence[str]], None] = getattr(module, "before_reading", _ignore)
    before(arguments)
    command: typer.Typer | Callable[..., object] = getattr(module, name.replace("-", "_"))
    return command


def _missing(extra: str) -> str:
    """Return the first distribution of an extra that is not installed, "" if all are."""
    for requirement in requires("tgite") or ():
        needed, _, marker = requirement.partition(";")
        name = re.split(r"[^\w.-]", needed.strip(), maxsplit=1)[0]
        if re.search(rf"extra\s*==\s*['\"]{extra}['\"]", marker):
            try:
                version(name)
            except PackageNotFoundError:
                return name
    return ""


def _ignore(arguments: Sequence[str]) -> None:
    pass


def _nothing() -> None:
    pass


def _print_versions(asked: bool) -> None:
    """Print the distribution's version, and the versions that packages add by entry points."""
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
            help="Print the versions of package, protocol and vectors.",
        ),
    ] = False,
) -> None:
    pass


def _pipe_closed() -> int:
    """Discard the remaining output, so that Python does not report the closed pipe at exit."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return _PIPE_CLOSED


def _unusable(message: str) -> int:
    if message:  # Empty where the help was shown because no command was given.
        print(f"tgite: {' '.join(message.split())}", file=sys.stderr)
    return _UNUSABLE
