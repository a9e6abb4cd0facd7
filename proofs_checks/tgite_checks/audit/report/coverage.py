"""The sentences of the paper with the entries that cover them, on a terminal."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from rich.console import Console

from tgite_checks.claims.coverage import Paragraph, Part, counted


def show_sentences(parts: tuple[Part, ...], console: Console, of: Collection[str] = ()) -> None:
    """Print the sentences by their places; with ``of`` only those that these entries cover."""
    for part in parts:
        for paragraph in part.paragraph:
            lines = list(_lines(paragraph, of))
            if lines:
                console.print(f"{part.place}, {paragraph.name}", style="bold", markup=False)
            for line in lines:
                console.print(f"  {line}", markup=False)
    claims, others = counted(parts)
    listed = ", ".join(f"{number} {why}" for why, number in others.items())
    console.print(f"{claims} sentences claim something; of the others: {listed}")


def _lines(paragraph: Paragraph, of: Collection[str]) -> Iterator[str]:
    for number, (says, *by) in paragraph.claims.items():
        if not of or set(of) & set(by):
            yield f"{number}. {says}: {', '.join(by)}"
    if not of:
        for why, numbers in paragraph.others.items():
            yield f"{', '.join(map(str, numbers))}. ({why})"
