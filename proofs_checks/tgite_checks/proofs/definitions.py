"""What the statements rest on: the closure of their definitions, in the prover's own words.

A statement says no more than the definitions that it names, the ones that these name, and so on.
They are found where nothing is hidden: with notations, implicit arguments and instances written out
(``Set Printing All``) and nothing imported, the prover prints every name of this development with
its file before it, and so also what a statement uses without naming it (an instance, say).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from tgite_checks.proofs.gate import ProofsFailed

MARK = "@@@"
"""What stands between two answers of the prover."""

BELIEVED = ("Setting", "Algorithms", "Statements")
"""The files of what one must believe, in reading order."""


def readable(stems: Sequence[str]) -> list[str]:
    """Return the commands after which the prover prints as the files are written."""
    return [
        "Set Printing Width 100.",
        "Set Printing Depth 10000.",
        "From Coq Require Import Reals List.",
        "From Coquelicot Require Import Coquelicot.",
        "Import ListNotations.",
        *(f"From TGITE Require Import {stem}." for stem in BELIEVED if stem in stems),
        "Open Scope R_scope.",
    ]


Ask = Callable[[str], str]
"""Puts commands to the prover and returns what it prints."""


@dataclass(frozen=True, slots=True)
class Foundation:
    """What a theorem's statement rests on.

    ``names`` are the definitions, each with its file; ``digest`` is of the statement and all of
    them, as the prover prints them with nothing hidden.
    """

    names: tuple[str, ...]
    digest: str


def foundations(
    statements: Sequence[str], stems: Sequence[str], ask: Ask
) -> tuple[dict[str, Foundation], dict[str, str]]:
    """Return the foundation of each statement, and the text of every definition in one of them.

    ``statements`` are names with their files; ``stems`` are the files of the development.
    """
    unabbreviated = _unabbreviated(statements, stems, ask)
    named = _names_of(stems)
    closures = {statement: _closure(statement, unabbreviated, named) for statement in statements}
    texts = _readable(sorted(set().union(*closures.values())), stems, ask)
    fields = {name for name in texts if _is_field(name, texts)}
    found: dict[str, Foundation] = {}
    for statement, closure in closures.items():
        full = "\n".join(unabbreviated[name] for name in [statement, *sorted(closure)])
        digest = hashlib.sha256(full.encode()).hexdigest()
        found[statement] = Foundation(tuple(sorted(closure - fields)), digest)
    return found, {name: text for name, text in texts.items() if name not in fields}


def answers(printed: str, count: int) -> list[str]:
    """Part what the prover prints at the marks; refuse another number of answers."""
    blocks = printed.split(MARK)[1:]
    if len(blocks) != count:
        raise ProofsFailed("the prover's answer cannot be read")
    return blocks


def asked(commands: Iterable[str]) -> list[str]:
    """Put a mark before each command."""
    return [
        line for command in commands for line in (f'Goal True. idtac "{MARK}". Abort.', command)
    ]


def _unabbreviated(statements: Sequence[str], stems: Sequence[str], ask: Ask) -> dict[str, str]:
    """Print the statements, and what they name, until nothing new is named."""
    named = _names_of(stems)
    texts: dict[str, str] = {}
    unread = list(statements)
    while unread:
        commands = [
            f"From TGITE Require {' '.join(stems)}.",
            "Set Printing All.",
            "Set Printing Depth 10000.",
            *asked(f"Print {name}." for name in unread),
        ]
        printed = answers(ask("\n".join(commands) + "\n"), len(unread))
        texts |= {name: _body(text) for name, text in zip(unread, printed, strict=True)}
        unread = sorted({name for text in texts.values() for name in named(text)} - texts.keys())
    return texts


def _closure(
    statement: str, texts: Mapping[str, str], named: Callable[[str], set[str]]
) -> set[str]:
    """Return the names that a statement rests on; of a type and its constructors, the type."""
    reached: set[str] = set()
    unread = [statement]
    while unread:
        new = named(texts[unread.pop()]) - reached - {statement}
        reached |= new
        unread += new
    types = {texts[name] for name in reached if _is_type(name, texts[name])}
    return {name for name in reached if texts[name] not in types or _is_type(name, texts[name])}


def _readable(names: Sequence[str], stems: Sequence[str], ask: Ask) -> dict[str, str]:
    commands = [
        f"From TGITE Require {' '.join(stems)}.",
        *readable(stems),
        *asked(f"Print {name}." for name in names),
    ]
    printed = answers(ask("\n".join(commands) + "\n"), len(names))
    return {
        name: "\n".join(line.rstrip() for line in _definition(text).splitlines())
        for name, text in zip(names, printed, strict=True)
    }


def _names_of(stems: Sequence[str]) -> Callable[[str], set[str]]:
    """Return what finds the names of the development's files in a text."""
    name = re.compile(rf"(?<![\w.'])(?:{'|'.join(stems)})(?:\.[A-Za-z_][\w']*)+")
    return lambda text: set(name.findall(text))


def _is_type(name: str, text: str) -> bool:
    """Say whether a text is that of a type by this name, and not of one of its constructors."""
    return (
        re.match(rf"(?:Inductive|Variant|Record|CoInductive) {name.split('.')[-1]}\b", text)
        is not None
    )


def _is_field(name: str, texts: Mapping[str, str]) -> bool:
    """Say whether a name is a field of a record, and so told in the record's text."""
    file, _, short = name.rpartition(".")
    field = re.compile(rf"[{{;]\s*{re.escape(short)} :")
    return any(
        text.startswith("Record ") and record.startswith(f"{file}.") and field.search(text)
        for record, text in texts.items()
    )


def _definition(printed: str) -> str:
    """Leave out how arguments are to be written, which is no part of a definition."""
    return printed.partition("\nArguments ")[0].strip()


def _body(printed: str) -> str:
    return " ".join(_definition(printed).split())
