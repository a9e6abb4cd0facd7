"""List the paper's sentences with the entries that cover them, on a terminal or as JSON."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import groupby

import msgspec
from rich.console import Console

from tgite_checks.claims.coverage import Part, counted


class Sentence(msgspec.Struct, frozen=True):
    """A sentence with its place; ``claims_nothing`` is the reason if no entry covers it."""

    place: str
    paragraph: str
    number: int
    says: str = ""
    covered_by: tuple[str, ...] = ()
    claims_nothing: str = ""


def listed(parts: tuple[Part, ...], of: Collection[str] = ()) -> Iterator[Sentence]:
    """Yield the sentences in the paper's order; with ``of`` only ones that these entries cover."""
    for part in parts:
        for paragraph in part.paragraph:
            for number, one in enumerate(paragraph.sentences, 1):
                match one:
                    case (says, *by):
                        if not of or set(of) & set(by):
                            yield Sentence(part.place, paragraph.name, number, says, tuple(by))
                    case str() if not of:
                        why = str(one)
                        yield Sentence(part.place, paragraph.name, number, claims_nothing=why)


def show_sentences(parts: tuple[Part, ...], console: Console, of: Collection[str] = ()) -> None:
    """Print the sentences and their places; with ``of`` only sentences that these entries cover."""
    for (place, name), held in groupby(listed(parts, of), lambda one: (one.place, one.paragraph)):
        console.print(f"{place}, {name}", style="bold", markup=False)
        for one in held:
            said = f"{one.says}: {', '.join(one.covered_by)}" if one.says else one.claims_nothing
            console.print(f"  {one.number}. {said}", markup=False)
    claims, others = counted(parts)
    counts = ", ".join(f"{number} {why}" for why, number in others.items())
    console.print(f"{claims} sentences claim something; of the others: {counts}")


def sentences_in_json(parts: tuple[Part, ...], of: Collection[str] = ()) -> str:
    """Return the sentences as JSON: a list with an object for each sentence."""
    encoded = msgspec.json.encode(list(listed(parts, of)))
    return msgspec.json.format(encoded).decode() + "\n"
