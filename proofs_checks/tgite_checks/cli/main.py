"""The command ``tgite``.

Exit status 0: all is as recorded; 1: a difference; 2: unusable input, said in one line.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import typer

from tgite import InvalidInput
from tgite_checks.cli.audit import audit
from tgite_checks.cli.conform import conform, conform_law
from tgite_checks.cli.figures import figures
from tgite_checks.cli.law import law_app
from tgite_checks.cli.matrix import matrix
from tgite_checks.cli.run import run
from tgite_checks.cli.vectors import vectors

_UNUSABLE = 2

# The error that the command line parser raises for unusable words, by its public descendant.
_UsageError: type[Exception] = typer.BadParameter.__mro__[1]

app = typer.Typer(
    name="tgite",
    help="Tree-Guided Identify-Then-Exploit (dueling bandits): play it, audit it.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command()(audit)
app.command()(run)
app.command()(matrix)
app.command()(figures)
app.command()(conform)
app.command("conform-law")(conform_law)
app.command()(vectors)
app.add_typer(law_app)


@app.callback()
def _commands() -> None:
    pass


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its status."""
    sys.exit(status(arguments))


def status(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status; say unusable input in one line."""
    try:
        result: object = app(
            args=None if arguments is None else list(arguments), standalone_mode=False
        )
    except InvalidInput as error:
        return _unusable(str(error))
    except OSError as error:
        return _unusable(f"output: {error.strerror}")
    except _UsageError as error:
        shown = error.format_message() if hasattr(error, "format_message") else str(error)
        return _unusable(str(shown))
    return result if isinstance(result, int) else 0


def _unusable(message: str) -> int:
    if message:  # Empty where the help was shown because nothing was asked for.
        print(f"tgite: {' '.join(message.split())}", file=sys.stderr)
    return _UNUSABLE
