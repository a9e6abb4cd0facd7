"""The commands of this package, for ``tgite`` to collect."""

from __future__ import annotations

from tgite_laws.cli.commands import Command

COMMANDS = {
    "conform": Command(
        "tgite_conform.cli.conform",
        "Check whether an implementation asks the same duels and gives the same answers.",
        "conform",
    ),
    "conform-law": Command(
        "tgite_conform.cli.conform_law",
        "Check whether samples follow the exact law; the check may stop after any sample.",
        "conform",
    ),
    "vectors": Command(
        "tgite_conform.cli.vectors",
        "Make the conformance vectors: the same bytes on every machine.",
        "conform",
    ),
}
