"""The commands of this package, for ``tgite`` to collect."""

from __future__ import annotations

from tgite_laws.cli.commands import Command

COMMANDS = {
    "audit": Command(
        "tgite_checks.cli.audit",
        "Check every claim of the paper, and say whether all results are as recorded.",
        "audit",
    ),
    "figures": Command(
        "tgite_checks.cli.figures",
        "Play the paper's experiments and draw its three panels, with tables of all numbers.",
        "figures",
    ),
    "compare": Command(
        "tgite_checks.cli.compare",
        "Play TG-ITE and any comparator, your own too, on your preferences: finals and curves.",
        "figures",
    ),
}
