"""The definitions that each statement depends on, directly or indirectly, as Coq prints them.

The meaning of a statement depends on the definitions that it names, on the definitions that these
name, and so on. To find them all, Coq prints with notations, implicit arguments and instances
written out (``Set Printing All``) and nothing imported. Every name of this development then has its
file before it. So even an instance that a statement uses without naming it is found.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from tgite_checks.proofs.gate import ProofsFailed

MARK = "@@@"
"""The mark that separates two answers of the prover."""

Ask = Callable[[str], str]
"""A function that runs commands in the prover and returns its output."""


@dataclass(frozen=True, slots=True)
class Foundation:
    """The definitions that a theorem's statement depends on.

    ``names`` are the definitions, each with its file. ``digest`` is the digest of the statement and
    of all these definitions, as the prover prints them with nothing hidden.
    """

    names: tuple[str, ...]
    digest: str


def foundations(statements: Sequence[str], stems: Sequence[str], ask: Ask) -> dict[str, Foundation]:
    """Return the foundation of each statement.

    ``statements`` are names with their files. ``stems`` are the files of the development.
    """
    texts = _unabbreviated(statements, stems, ask)
    found: dict[str, Foundation] = {}
    for statement in statements:
        closure = sorted(_closure(statement, texts, _names_of(stems)))
        full = "\n".join(texts[name] for name in [statement, *closure])
        found[statement] = Foundation(tuple(closure), hashlib.sha256(full.encode()).hexdigest())
    return found


def answers(ask: Ask, opening: Iterable[str], commands: Sequence[str]) -> list[str]:
    """Return the prover's answers to commands after an opening, with a mark before each."""
    marked = [
        line for command in commands for line in (f'Goal True. idtac "{MARK}". Abort.', command)
    ]
    commanded = ["Set Printing Depth 10000.", *opening, *marked, ""]
    blocks = ask("\n".join(commanded)).split(MARK)[1:]
    if len(blocks) != len(commands):
        raise ProofsFailed("the prover's answer cannot be read")
    return blocks


def _unabbreviated(statements: Sequence[str], stems: Sequence[str], ask: Ask) -> dict[str, str]:
    """Return the texts of the statements and of all names in them, directly or indirectly."""
    named = _names_of(stems)
    texts: dict[str, str] = {}
    unread = list(statements)
    while unread:
        opening = [f"From TGITE Require {' '.join(stems)}.", "Set Printing All."]
        printed = answers(ask, opening, [f"Print {name}." for name in unread])
        if any("..." in text for text in printed):
            raise ProofsFailed("the prover leaves out a part of a definition")
        texts |= {name: _body(text) for name, text in zip(unread, printed, strict=True)}
        unread = sorted({name for text in texts.values() for name in named(text)} - texts.keys())
    return texts


def _closure(
    statement: str, texts: Mapping[str, str], named: Callable[[str], set[str]]
) -> set[str]:
    """Return the names that a statement depends on, with a type in place of its constructors."""
    reached: set[str] = set()
    unread = [statement]
    while unread:
        new = named(texts[unread.pop()]) - reached - {statement}
        reached |= new
        unread += new
    types = {texts[name] for name in reached if _is_type(name, texts[name])}
    return {name for name in reached if texts[name] not in types or _is_type(name, texts[name])}


def _names_of(stems: Sequence[str]) -> Callable[[str], set[str]]:
    """Return a function that finds the names of the development's files in a text."""
    name = re.compile(rf"(?<![\w.'])(?:{'|'.join(stems)})(?:\.[A-Za-z_][\w']*)+")
    return lambda text: set(name.findall(text))


def _is_type(name: str, text: str) -> bool:
    """Return whether a text defines a type of this name, and not one of its constructors."""
    return (
        re.match(rf"(?:Inductive|Variant|Record|CoInductive) {name.split('.')[-1]}\b", text)
        is not None
    )


def definition(printed: str) -> str:
    """Return the definition without the notes on its arguments that Coq prints after it."""
    return printed.partition("\n\nArguments ")[0].strip()


def _body(printed: str) -> str:
    return " ".join(definition(printed).split())
