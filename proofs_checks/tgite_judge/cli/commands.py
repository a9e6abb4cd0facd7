"""The commands of this package, for ``tgite`` to collect."""

from __future__ import annotations

from tgite_laws.cli.commands import Command

COMMANDS = {
    "judge": Command(
        "tgite_judge.cli.judge",
        "Find the best of your own items, which a program or you compare two at a time.",
        "judge",
    ),
    "matrix": Command(
        "tgite_judge.cli.matrix",
        "Order items by counts of wins, and turn the counts into a preference matrix.",
        "judge",
    ),
}
