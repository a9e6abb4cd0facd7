"""The description of a command of ``tgite``, and the table of this package's commands.

Each package has such a table, named by an entry point of the group ``tgite.commands``. So ``tgite``
can list all commands and load the module of only one.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Command:
    """A command: the module that holds it, and its help text.

    ``extra`` names the optional dependencies that the command needs (``pip install 'tgite[...]'``).
    """

    module: str
    summary: str
    extra: str = ""


COMMANDS = {
    "run": Command(
        "tgite_laws.cli.run",
        "Play a policy; print the arm that it found, its comparisons and its regret.",
    ),
    "law": Command(
        "tgite_laws.cli.law", "Exact laws, as enclosures: of one match, of BKT, of TreeAscent."
    ),
}
