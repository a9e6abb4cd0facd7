"""The paper's sentences with the ledger's entries that cover them (``data/sentences.toml``)."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterator
from enum import StrEnum
from importlib.resources import files

from msgspec import Struct

from tgite_checks.claims.book import Ledger
from tgite_checks.claims.reading import parsed


class NoClaim(StrEnum):
    """The reason why a sentence claims nothing."""

    DEFINITION = "definition"
    """It gives a name, a symbol, a case or an assumption."""
    COURSE = "course"
    """It says what comes next, or where something is."""
    MOTIVATION = "motivation"
    """It is an opinion, or a reason that neither a proof nor a computation can decide."""


class Paragraph(Struct, frozen=True, forbid_unknown_fields=True):
    """A paragraph, statement, caption, table or algorithm of the paper, sentence by sentence.

    A sentence that claims nothing has the reason for that. Any other sentence has its claim in our
    words, and the names of the claims and findings that cover it.
    """

    name: str
    sentences: tuple[NoClaim | tuple[str, ...], ...]

    @property
    def claims(self) -> dict[int, tuple[str, ...]]:
        """The sentences that claim something, by number from 1."""
        numbered = enumerate(self.sentences, 1)
        return {number: one for number, one in numbered if not isinstance(one, NoClaim)}


class Part(Struct, frozen=True, forbid_unknown_fields=True):
    """A section of the paper; ``label`` is the label of its heading, if there is one."""

    place: str
    paragraph: tuple[Paragraph, ...]
    label: str = ""


class _File(Struct, forbid_unknown_fields=True):
    section: tuple[Part, ...]


def counted(parts: tuple[Part, ...]) -> tuple[int, dict[NoClaim, int]]:
    """Return the number of sentences that claim something, and of the others by reason."""
    said = [one for part in parts for each in part.paragraph for one in each.sentences]
    others = {why: said.count(why) for why in NoClaim}
    return len(said) - sum(others.values()), others


@functools.cache
def sentences() -> tuple[Part, ...]:
    """Return all sentences of the paper, in the paper's order."""
    return read_sentences(
        files("tgite_checks").joinpath("data/sentences.toml").read_text(encoding="utf-8")
    )


def read_sentences(text: str) -> tuple[Part, ...]:
    """Return the sentences in a TOML file.

    Raises :class:`~tgite_checks.claims.reading.Unreadable` if the file has another form.
    """
    return parsed("sentences.toml", text, _File).section


def problems_of_coverage(of: Ledger, parts: tuple[Part, ...]) -> Iterator[str]:
    """Yield the sentences without an entry, the names that are not entries, and duplicates.

    Each claim of the paper must cover a sentence, or belong to a heading.
    """
    reached = {part.label for part in parts if part.label}
    known = {*of.claims, *(part.name for one in of.findings.values() for part in one.parts)}
    for label in sorted(reached - of.claims.keys()):
        yield f"{label}: the heading has no entry"
    places = [(part.place, paragraph.name) for part in parts for paragraph in part.paragraph]
    for (place, name), times in Counter(places).items():
        if times > 1:
            yield f"{place}, {name}: occurs {times} times among the sentences"
    for part in parts:
        for paragraph in part.paragraph:
            for number, (says, *by) in paragraph.claims.items():
                where = f"{part.place}, {paragraph.name}, sentence {number} ({says})"
                if not by:
                    yield f"{where}: no entry covers it"
                for name, times in Counter(by).items():
                    if times > 1:
                        yield f"{where}: names {name} {times} times"
                    if name not in known:
                        yield f"{where}: {name} is neither a claim nor a finding"
                reached.update(by)
    for label, claim in of.claims.items():
        if label not in reached and not claim.is_beyond:
            yield f"{label}: it covers no sentence of the paper"
