"""Convert the ledger's texts to Markdown that a Git host and the site display alike."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tgite_checks.audit.report.prose import paragraphs, pieces

_SPECIAL = re.compile(r"([\\*_<>|\[\]#~])")
_QUOTED = re.compile(r"(?<!\bE)\[([^\[\]]+)\]")


def escaped(text: str) -> str:
    """Return a text as Markdown that shows it literally, except code and formulas."""

    def put(kind: str, piece: str) -> str:
        match kind:
            case "words":
                return _SPECIAL.sub(r"\\\1", piece)
            case "code":
                return f"`{piece}`"
            case _:
                marks = "$$" if kind == "display" else "$"
                # A bar would end a table's cell.
                return marks + piece.replace("|", r"\vert ") + marks

    return "".join(put(kind, piece) for kind, piece in pieces(text))


def prose(text: str) -> str:
    """Return a text of the ledger as paragraphs and displayed formulas, with blank lines."""
    set_apart = "\n" if text.strip("\n").startswith("$$") else ""
    return set_apart + "\n".join(f"{line(part)}\n" for _, part in paragraphs(text))


def line(text: str) -> str:
    """Return a text that is a single paragraph, as a single line."""
    return " ".join(escaped(text).split())


def comment(text: str) -> str:
    """Return a comment of the Coq development, in which brackets enclose code, as Markdown."""
    shown = line(_QUOTED.sub(r"`\1`", text))  # E[X] is an expectation, not code
    return re.sub(r"\\_(\w+:)\\_", r"*\1*", shown)


def listed(names: Iterable[str]) -> str:
    """Return names as code, separated by commas."""
    return ", ".join(f"`{name}`" for name in names)
