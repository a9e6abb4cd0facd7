"""Ways to read a table of comparisons, by the layouts of ``layouts.toml``.

:func:`readings` lists all ways to read a table with these columns. Each of them ends at the first
row that it does not fit. :mod:`.reader` refuses a table that two ways read differently.
"""

from __future__ import annotations

import csv
import re
import shlex
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product
from pathlib import Path
from typing import TypeAlias

import msgspec

from tgite import InvalidInput
from tgite.confidence import read_number
from tgite.errors import require
from tgite_judge.replies import composed

Compared: TypeAlias = tuple[str, str, int, int, int]
"""Two items, the wins of each against the other, and the ties."""
ABOVE, LEVEL, NESTED = "\x1e", "\x1f", "\0"
"""What separates ranks, and items of one rank, and what marks a cell with a list or an object."""
EXTRA_ROLES = ("id", "question", "time")

_TOO_MANY = 10**15
_MANY = 20
_ORDERED = {"first/second", "1/2", "a/b", "left/right"}
_THOUSANDS = re.compile(r"[1-9]\d{0,2}([.,])\d{3} (?:(?!\1).)*")
_SCORE = re.compile(r"([\d.]+|1/2|½)\s*[-\u2013:]\s*([\d.]+|1/2|½)")


class Layout(msgspec.Struct, frozen=True):
    """A layout: the roles that it needs, and those that it may have."""

    form: str
    needs: tuple[str, ...]
    may: tuple[str, ...]


class _Data(msgspec.Struct, frozen=True):
    item: str
    shown: str
    ties: str
    corner: str
    blank: frozenset[str]
    no_result: frozenset[str]
    kinds: dict[str, str]
    sides: dict[str, tuple[str, str]]
    results: dict[str, tuple[str, str, str]]
    names: dict[str, str]
    layouts: tuple[Layout, ...]


DATA = msgspec.toml.decode(Path(__file__).with_suffix(".toml").read_bytes(), type=_Data)
_PAIRS = [(f"first{kind}", f"second{kind}") for kind in ("", *DATA.kinds)] + [("winner", "loser")]
ROLES = (
    *dict.fromkeys(role for layout in DATA.layouts for role in (*layout.needs, *layout.may)),
    *EXTRA_ROLES,
)


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """A way to read a table: a layout, the place of each role, and what the results mean.

    ``side`` names the two sides as the columns of the items do. ``words`` counts the results.
    """

    layout: Layout
    header: Sequence[str]
    places: Mapping[str, int]
    side: str | None
    winner_is: str | None
    words: Counter[str] = field(default_factory=Counter)

    def compared(self, row: Sequence[str]) -> Iterator[Compared]:
        """Return the comparisons in a row; raise ``InvalidInput`` if it does not fit."""
        cells = {role: composed(row[at]) for role, at in self.places.items()}
        must = "must hold only words and numbers, one record a line (pandas: orient='records')"
        nested = any(cell.startswith(NESTED) for cell in cells.values())
        require(not nested, "counts", "cell", must)
        one, other = (cells.get(role, "") for role in _PAIRS[0])
        n, ties = _whole(cells.get("count", "1")), cells.get("ties", "0")
        match self.layout.needs:
            case ("ranking",):
                yield from _ranked(cells["ranking"], n)
            case ("winner", "loser"):
                said, tied = cells.get("outcome", ""), _tied(ties)
                must = f"names a winner and says {said}: leave out or mend this row"
                require(not says("name", None, _word(said)), "counts", "cell", must)
                yield cells["winner"], cells["loser"], n * (not tied), 0, n * tied
            case (*_, "second_wins"):
                both = both_wins(one, other, cells["first_wins"], cells["second_wins"], ties)
                flags = "winner" in plain(self.header[self.places["first_wins"]])
                must = "must have one result; columns of counts are named wins, not winner"
                require(not flags or max(both[2:]) != 1 or sum(both[2:]) == 1, "counts", "", must)
                self.words[f"sum {sum(both[2:])}"] += 1
                yield both
            case (*_, "second_score"):
                scores = cells["first_score"], cells["second_score"]
                a, b = (number(score) or Fraction(0) for score in scores)
                known = all(number(score) is not None for score in scores) and min(a, b) >= 0
                must = f"must have scores of 0 or more, not {' and '.join(scores)}"
                require(known or all(map(is_blank, scores)), "counts", "cell", must)
                unclear = any(_THOUSANDS.fullmatch(" ".join(s)) for s in (scores, scores[::-1]))
                must = f"has thousands or thousandths, {' and '.join(scores)}: write 1250 or 1.2500"
                require(not unclear, "counts", "cell", must)
                if known:
                    yield one, other, int(a > b), int(a < b), int(a == b)
            case _ if cells["winner"].lower() not in DATA.no_result:
                won = self._outcome(one, other, cells["winner"])
                won = None if _tied(ties) else won
                yield one, other, n * (won is True), n * (won is False), n * (won is None)
            case _ if _tied(ties):
                yield one, other, 0, 0, n

    def _outcome(self, first: str, second: str, cell: str) -> bool | None:
        """Return whether the first item won, ``None`` for a tie."""
        word, known = _word(cell), self.winner_is or ""
        heads = [plain(self.header[self.places[role]]) for role in _PAIRS[0]]
        if known == "name" and cell in (first, second):
            meant: bool | None = cell == first
        elif known == (self.side or "first/second") and word in heads:
            meant = word == heads[0]
        else:
            found = [won for won in (True, False, None) if says(known, won, word)]
            must = f"must be {first}, {second}, a position (first, second) or tie"
            require(bool(found), "counts", cell, f"winner {cell}: {must}")
            meant = found[0]
            played = (self.side, plain(cell)) != ("white/black", "0-0")
            require(played, "counts", cell, "is a game that nobody won, and no tie: leave it out")
        self.words[word] += 1
        return meant

    def __str__(self) -> str:
        """Return the reading in words."""
        named = self.winner_is in (None, "name")
        may = {self.header[at] for role, at in self.places.items() if role in self.layout.may}
        form = self.layout.form + ("" if named else f" ({self.winner_is})")
        return " with ".join([form, *sorted(may - {"count"})])

    def flags(self, among: Sequence[Reading]) -> str:
        """The options that choose this reading ``among`` several."""
        columns = [f"{role}={self.header[at]}" for role, at in self.places.items()]
        quoted = shlex.quote(",".join(f'"{one}"' if "," in one else one for one in columns))
        named = f"--columns {quoted} " if any(self.places != one.places for one in among) else ""
        return (named + (f"--winner-is {self.winner_is}" if self.winner_is else "")).strip()


def read_columns(options: Iterable[str]) -> dict[str, str]:
    """Return the columns of roles from ``role=column``, several separated by commas."""
    named = {}
    for one in (part for row in csv.reader(options) for part in row):
        role, equals, column = one.partition("=")
        require(bool(equals), "columns", one, "must be like first=home,second=away,winner=result")
        named[role.strip()] = column
    return named


def readings(
    header: Sequence[str], given: Mapping[str, int], winner_is: str | None
) -> list[Reading]:
    """Return all ways to read a table; ``given`` are the places of roles that the user named."""
    found: defaultdict[str, list[tuple[int, str | None, str]]] = defaultdict(list)
    # Of columns that say the same, a name is preferred to an identifier.
    for at in sorted(range(len(header)), key=lambda at: plain(header[at]).endswith("id")):
        for role, side, rest in _roles(plain(header[at])):
            found[role].append((at, side, rest))
    found.update({role: [(at, None, "")] for role, at in given.items()})
    ways = list[Reading]()
    for layout in DATA.layouts:
        fits = given.keys() - EXTRA_ROLES <= {*layout.needs, *layout.may}
        for chosen in product(*(found[role] for role in layout.needs)) if fits else ():
            spots = dict(zip(layout.needs, chosen, strict=True))
            side = spots["first"][1] if "first" in spots else None
            own = side is None or {one for _, one, _ in chosen if one} <= {side, *_ORDERED}
            if own and all(spots[u][1:] == spots[v][1:] for u, v in _PAIRS if v in spots):
                spots.update({role: found[role][0] for role in layout.may if found[role]})
                places = {role: spot[0] for role, spot in spots.items()}
                several = [places]
                if "count" in {*layout.may} - {*places} and {*layout.needs} - {*given}:
                    several += [{**places, "count": at} for at, _, _ in found["perhaps"]]
                results = (None,) if "winner" not in spots or "loser" in spots else DATA.results
                said = (winner_is,) if winner_is and results is DATA.results else results
                for result, spot in product(said, several):
                    ways.append(Reading(layout, header, spot, side, result))
    return ways


def _roles(name: str) -> Iterator[tuple[str, str | None, str]]:
    """Return the roles that a column's name can have, its side, and its other words."""
    yield from ((role, None, "") for role, one in DATA.names.items() if re.fullmatch(one, name))
    for side, both in {"": ("winner|winning", "loser|losing"), **DATA.sides}.items():
        words = "|".join((DATA.item, *DATA.kinds.values())) if side else DATA.item
        for one, role in zip(both, _PAIRS[0 if side else -1], strict=True):
            if match := re.fullmatch(f"((?:{words})*)(?:{one})((?:{words})*)", name):
                told = [word for rest in match.groups() for word in re.findall(words, rest)]
                of = DATA.kinds.items()
                kinds = {kind for kind, one in of for word in told if re.fullmatch(one, word)}
                if len(kinds) < 2:
                    yield role + "".join(kinds), side, f"{match[1]} {match[2]}"


def agreed(ways: Sequence[Reading]) -> list[Reading]:
    """Return the ways that are meant, of those that fit every row."""
    # Among many results 1 and 2 there is no 0: so they are positions, and not 0 or 1.
    many = [one.words for one in ways if one.words.total() >= _MANY]
    positions = any(words["1"] and words["2"] and not words["0"] for words in many)
    return [one for one in ways if one.winner_is != "0/1" or not positions]


def _ranked(text: str, times: int) -> Iterator[Compared]:
    """Return all comparisons in a ranking such as ``a > b = c``; other items have no rank."""
    if ABOVE not in text and LEVEL not in text:
        text = text.replace(">", ABOVE).replace("=", LEVEL)
    ranks = [[name.strip() for name in rank.split(LEVEL)] for rank in text.split(ABOVE)]
    names = [name for rank in ranks for name in rank]
    require(len({*names}) == len(names), "counts", text, "must rank each item once")
    for rank in ranks:
        yield from ((one, other, 0, 0, times) for one, other in combinations(rank, 2))
    for above, below in combinations(ranks, 2):
        yield from ((one, other, times, 0, 0) for one, other in product(above, below))


@lru_cache(1024)
def says(known: str, won: bool | None, word: str) -> bool:
    """Return whether a word says that the first item won, lost or tied."""
    own = (*map(re.escape, map(plain, known.split("/"))), "=")
    ones, others, ties = DATA.results.get(known, own)
    if won is None:
        return re.fullmatch(f"{DATA.ties}|{ties}", word) is not None
    more = f"(?:{DATA.item}|{DATA.shown})*" if known in _ORDERED else ""
    return re.fullmatch(f"{more}(?:{ones if won else others}){more}", word) is not None


def _tied(cell: str) -> bool:
    """Return whether a cell beside the winner says that the row is a tie."""
    tie = _word(cell) in ("1", "yes") or says("name", None, _word(cell))
    known = tie or _word(cell) in ("0", "no") or is_blank(cell)
    require(known, "counts", cell, f"must be 0 or 1 in a column of ties, not {cell!r}")
    return tie


@lru_cache(1024)
def _word(cell: str) -> str:
    """Return a result without capitals and blanks, a number in lowest terms, ``>`` for 2-1."""
    if score := _SCORE.fullmatch(cell):
        a, b = (number(one.replace("½", "1/2")) for one in score.groups())
        if a is not None and b is not None:
            return ">" if a > b else "<" if a < b else "="
    found = number(cell.replace("½", "1/2"))
    return plain(cell) if found is None else str(found)


@lru_cache(1024)
def plain(name: str) -> str:
    """Return a name or a word without capitals, blanks and punctuation."""
    return re.sub(r"[\s_.()]+", "", name.casefold())


def is_blank(cell: str) -> bool:
    """Return whether a cell is empty, or holds a word for a missing value."""
    return cell.strip().lower() in DATA.blank


@lru_cache(1024)
def number(cell: str) -> Fraction | None:
    """Return the number in a cell, ``None`` if there is none; 63% is 63/100."""
    text = {"true": "1", "false": "0"}.get(cell.strip().lower(), cell.strip())
    try:
        found = read_number("cell", text.removesuffix("%").replace(",", ".", 1))
    except InvalidInput:
        return None
    return found / 100 if text.endswith("%") else found


@lru_cache(1024)
def _halves(cell: str) -> int:
    """Return twice the number of wins in a cell, which may end in a half."""
    found = number(cell)
    must = f"must be a whole number below 10^15, or end in .5 for a tie, not {cell!r}"
    if found is None or not 0 <= found < _TOO_MANY or (2 * found).denominator > 1:
        raise InvalidInput("counts", cell, must)
    return int(2 * found)


def _whole(cell: str) -> int:
    """Return a whole number, which may be written as the float 3.0."""
    twice = _halves(cell)
    require(twice % 2 == 0, "counts", cell, f"must be a whole number here, not {cell!r}")
    return twice // 2


def both_wins(one: str, other: str, wins: str, losses: str, ties: str = "0") -> Compared:
    """Return the wins of two items against each other; half a win on both sides is a tie."""
    ahead, behind = _halves(wins), _halves(losses)
    must = f"must have the same number of half wins for {one} and {other}"
    require(ahead % 2 == behind % 2, "counts", wins, must)
    return one, other, ahead // 2, behind // 2, ahead % 2 + _whole(ties)
