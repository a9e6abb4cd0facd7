"""Writing the ledger's texts as Markdown, as a Git host and the site show it alike."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tgite_checks.audit.report.prose import paragraphs, pieces

_SPECIAL = re.compile(r"([\\*_<>|\[\]#~])")
_QUOTED = re.compile(r"\[([^\[\]]+)\]")


def escaped(text: str) -> str:
    """Return a text as Markdown that shows it literally, code and formulas excepted."""

    def put(kind: str, piece: str) -> str:
        match kind:
            case "words":
                return _SPECIAL.sub(r"\\\1", piece)
            case "code":
                return f"`{piece}`"
            case _:
                marks = "$$" if kind == "display" else "$"
                # A bar would end the cell of a table.
                return marks + piece.replace("|", r"\vert ") + marks

    return "".join(put(kind, piece) for kind, piece in pieces(text))


def prose(text: str) -> str:
    """Set a text of the ledger: paragraphs, and displayed formulas apart, the first one, too."""
    set_apart = "\n" if text.strip("\n").startswith("$$") else ""
    return set_apart + "\n".join(f"{line(part)}\n" for _, part in paragraphs(text))


def line(text: str) -> str:
    """Set a text of one paragraph, on one line."""
    return " ".join(escaped(text).split())


def comment(text: str) -> str:
    """Set a comment of the machine-checked development, where brackets enclose code."""
    return line(_QUOTED.sub(r"`\1`", text))


def listed(names: Iterable[str]) -> str:
    """Set names of code, with commas between them."""
    return ", ".join(f"`{name}`" for name in names)
