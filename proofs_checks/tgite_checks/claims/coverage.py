"""Which entries of the ledger cover which sentence of the paper: ``data/sentences.toml``."""

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
    """Why a sentence claims nothing."""

    DEFINITION = "definition"
    """It gives a name, a symbol, a case or an assumption."""
    COURSE = "course"
    """It says what is done next, or where something stands."""
    MOTIVATION = "motivation"
    """It is a view, or a reason that no proof and no computation could decide."""


class Paragraph(Struct, frozen=True, forbid_unknown_fields=True):
    """A paragraph, statement, caption, table or algorithm of the paper, sentence by sentence.

    A sentence is why it claims nothing; or what it claims, in our words, and the names of the
    claims and findings that cover it.
    """

    name: str
    sentences: tuple[NoClaim | tuple[str, ...], ...]

    @property
    def claims(self) -> dict[int, tuple[str, ...]]:
        """The sentences that claim something, by their numbers (from 1)."""
        numbered = enumerate(self.sentences, 1)
        return {number: one for number, one in numbered if not isinstance(one, NoClaim)}

    @property
    def others(self) -> Counter[NoClaim]:
        """How many sentences claim nothing, by the reason."""
        return Counter(one for one in self.sentences if isinstance(one, NoClaim))


class Part(Struct, frozen=True, forbid_unknown_fields=True):
    """A section of the paper; ``label`` is its heading's, if that has one."""

    place: str
    paragraph: tuple[Paragraph, ...]
    label: str = ""


class _File(Struct, forbid_unknown_fields=True):
    section: tuple[Part, ...]


def counted(parts: tuple[Part, ...]) -> tuple[int, dict[NoClaim, int]]:
    """Count the sentences that claim something, and the others by the reason."""
    paragraphs = [paragraph for part in parts for paragraph in part.paragraph]
    others = {why: sum(one.others[why] for one in paragraphs) for why in NoClaim}
    return sum(len(one.claims) for one in paragraphs), others


@functools.cache
def sentences() -> tuple[Part, ...]:
    """Return every sentence of the paper, by its place, in the paper's order."""
    return read_sentences(
        files("tgite_checks").joinpath("data/sentences.toml").read_text(encoding="utf-8")
    )


def read_sentences(text: str) -> tuple[Part, ...]:
    """Return what a TOML file says of sentences.

    Raises :class:`~tgite_checks.claims.reading.Unreadable` if it is of another form.
    """
    return parsed("sentences.toml", text, _File).section


def problems_of_coverage(of: Ledger, parts: tuple[Part, ...]) -> Iterator[str]:
    """Say which sentences no entry covers, which names are no entries, and what stands twice.

    Each claim of the paper must be reached from a sentence, or be a heading's.
    """
    reached = {part.label for part in parts if part.label}
    known = {*of.claims, *(part.name for one in of.findings.values() for part in one.parts)}
    for label in sorted(reached - of.claims.keys()):
        yield f"{label}: the heading has no entry"
    places = [(part.place, paragraph.name) for part in parts for paragraph in part.paragraph]
    for (place, name), times in Counter(places).items():
        if times > 1:
            yield f"{place}, {name}: stands {times} times among the sentences"
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
                        yield f"{where}: {name} is no claim and no finding"
                reached.update(by)
    for label, claim in of.claims.items():
        if label not in reached and not claim.is_beyond:
            yield f"{label}: no sentence of the paper leads to it"
