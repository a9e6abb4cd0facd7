"""What a package tells ``tgite`` of its commands, and the commands of this package.

A package lists its commands in a table, which the entry points of the group ``tgite.commands``
name. So ``tgite`` can list all of them, and load the module of one alone.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Command:
    """A command: the module that holds it, under the command's own name, and what it is for.

    ``extra`` is the extra of the distribution that installs what the command needs.
    """

    module: str
    summary: str
    extra: str = ""


COMMANDS = {
    "run": Command(
        "tgite_laws.cli.run",
        "Play a policy and say which arm it found, after how many comparisons, with what regret.",
    ),
    "law": Command(
        "tgite_laws.cli.law", "Exact laws, as enclosures: of one match, of BKT, of TreeAscent."
    ),
}
