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
from itertools import pairwise
from pathlib import Path
from typing import Annotated

import typer

_UNUSABLE = 2
_INTERRUPTED = 130
_PIPE_CLOSED = 141
"""As of a program that is ended by SIGPIPE."""

# The error that the command line parser raises for unusable words, by its public descendant.
_UsageError: type[Exception] = typer.BadParameter.__mro__[1]

COMMANDS = {
    "audit": "Check every claim of the paper, and say whether all is as the ledger records.",
    "run": (
        "Play a policy and say which arm it found, after how many comparisons, with what regret."
    ),
    "matrix": "Turn counts of wins into a preference matrix, and say how sure the winner is.",
    "figures": (
        "Play the paper's experiments and draw its three panels, with tables of all numbers."
    ),
    "compare": (
        "Play TG-ITE and any comparator, your own too, on your preferences: finals and curves."
    ),
    "conform": "Say whether an implementation asks the same duels and gives the same answers.",
    "conform-law": (
        "Say whether samples follow the exact law; looking after every sample is allowed."
    ),
    "vectors": "Make the conformance vectors: the same bytes on every machine.",
    "law": "Exact laws, as enclosures: of one match, of BKT, of TreeAscent.",
}
"""Each command and what the list of commands says of it.

Its module and its function (or group of commands) have its name.
"""


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
        if "conform" in arguments:
            _begin_report(arguments)
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
    for name, summary in COMMANDS.items():
        command = _loaded(name) if name == asked else _nothing
        if isinstance(command, typer.Typer):
            group.add_typer(command, name=name, help=summary)
        else:
            group.command(name, help=None if name == asked else summary)(command)
    return group


def _begin_report(arguments: Sequence[str]) -> None:
    """Have ``conform`` begin its report before its words are read: one may be misspelt."""
    from tgite_checks.cli.conform import begin_report

    for word, following in pairwise([*arguments, ""]):
        name, _, value = word.partition("=")
        if name == "--junit" and (file := value or following):
            begin_report(Path(file))


def _loaded(name: str) -> typer.Typer | Callable[..., object]:
    name = name.replace("-", "_")
    command: typer.Typer | Callable[..., object] = getattr(
        import_module(f"tgite_checks.cli.{name}"), name
    )
    return command


def _nothing() -> None:
    pass


def _print_versions(asked: bool) -> None:
    """Print the versions of the package, and of what other implementations are held to."""
    if not asked:
        return
    from hashlib import sha256
    from importlib.metadata import version

    from tgite_checks.conformance.format import Version
    from tgite_checks.conformance.protocol import PROTOCOL
    from tgite_checks.conformance.report import REPORT_FORMAT

    typer.echo(f"tgite {version('tgite')}")
    typer.echo(f"conformance: protocol {PROTOCOL}, report {REPORT_FORMAT}")
    for one in Version:
        sums = one.folder() / "SHA256SUMS"
        if sums.exists():
            typer.echo(f"vectors {one}: SHA256SUMS {sha256(sums.read_bytes()).hexdigest()}")
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
