"""The sentences of the paper with the entries that cover them, on a terminal."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from rich.console import Console

from tgite_checks.claims.coverage import NoClaim, Paragraph, Part


def show_sentences(parts: tuple[Part, ...], console: Console, of: Collection[str] = ()) -> None:
    """Print the sentences by their places; with ``of`` only those that these entries cover."""
    for part in parts:
        for paragraph in part.paragraph:
            lines = list(_lines(paragraph, of))
            if lines:
                console.print(f"{part.place}, {paragraph.name}", style="bold", markup=False)
            for line in lines:
                console.print(f"  {line}", markup=False)
    paragraphs = [paragraph for part in parts for paragraph in part.paragraph]
    claims = sum(len(one.claims) for one in paragraphs)
    others = ", ".join(f"{sum(one.others[why] for one in paragraphs)} {why}" for why in NoClaim)
    console.print(f"{claims} sentences claim something; of the others: {others}")


def _lines(paragraph: Paragraph, of: Collection[str]) -> Iterator[str]:
    for number, (says, *by) in paragraph.claims.items():
        if not of or set(of) & set(by):
            yield f"{number}. {says}: {', '.join(by)}"
    if not of and paragraph.others:
        yield f"no claims: {', '.join(f'{n} {why}' for why, n in paragraph.others.items())}"
