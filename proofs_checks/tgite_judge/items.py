"""Reads items: names, one a line, or texts with names from a table or a folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path

from tgite.errors import require
from tgite_judge.layouts import NESTED, plain
from tgite_judge.replies import BLANKS, Item, composed, name_of, require_printable
from tgite_judge.tables import read_lines, table_of

_TABLES = (".csv", ".tsv", ".json", ".jsonl", ".ndjson")
_ROLES = {"id": ("id", "name", "key"), "text": ("text", "content", "prompt")}


def read_items(path: Path, columns: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """Read items from a file or a folder.

    * A folder: each file is an item, with the file's name and its content.
    * A table (``.csv``, ``.tsv``, ``.jsonl``, ``.json``): columns ``id`` and ``text``, or those
      that ``columns`` gives to these roles. One of the two is enough.
    * Any other file: the items' names, one a line, without empty lines.

    Raises :class:`~tgite.errors.InvalidInput` unless there are two or more, all different.
    """
    items: list[str] = []
    if path.is_dir():
        for one in sorted(path.iterdir()):
            if not one.name.startswith("."):
                items.append(Item.of(one.name, "".join(read_lines(one)[0]).strip("\n")))
    elif path.suffix.lower() in _TABLES:
        table = table_of(*read_lines(path))
        header, places = list(map(plain, table.header)), list[int]()
        for role, usual in _ROLES.items():
            names = [plain(columns[role])] if columns and role in columns else usual
            places += [header.index(name) for name in names if name in header][:1]
        must = f"must have a column id or text, but has {', '.join(table.header)}: name them with "
        require(bool(places), "items", str(path), f"{must}--columns id=...,text=...")
        for where, row in table.rows:
            name, text = row[places[0]], row[places[-1]]
            require(NESTED not in name + text, "items", where, "must be words, not a list")
            items.append(Item.of(composed(name), text.strip("\n")))
    else:
        items += filter(None, (line.strip(BLANKS) for line in read_lines(path)[0]))
    check_items(items, str(path))
    return tuple(items)


def check_items(items: Sequence[str], source: str) -> None:
    """Refuse fewer than two items, names that are empty, repeated or not printable, and such texts.

    Names that differ only in how Unicode composes their letters count as the same.
    """
    require(len(items) > 1, "items", source, "must name at least two items, one a line")
    names, texts = set[str](), set[str]()
    for item, name in zip(items, map(name_of, items), strict=True):
        require(bool(name.strip(BLANKS)), "items", repr(name), "must have a name")
        require_printable(name, "items", repr(name))
        require(composed(name) not in names, "items", name, "must be named once")
        own = bool(item.strip()) and item not in texts
        require(own, "items", name, "must have a text, and one that no other item has")
        names.add(composed(name))
        texts.add(item)


def digests(items: Sequence[str]) -> tuple[str, ...]:
    """Return what a journal stores of the items' texts, nothing if they are the names."""
    if all(item == name_of(item) for item in items):
        return ()
    return tuple(blake2b(item.encode(), digest_size=8).hexdigest() for item in items)
