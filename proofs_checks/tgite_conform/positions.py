"""The place of a match in its algorithm, and the matches that must end before it begins.

A place is written as in :mod:`~tgite_checks.fidelity.rules`. ``s1 h3 r2`` is a match in the pass of
phase 1, in the block of level 3, in round 2. ``s0`` is the weak policy's warm start. The place of a
test by itself is empty. Other words are ``merge``, ``screen``, ``replace``, ``certify`` and
``expose``.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any

from tgite import Arm, Match
from tgite.beyond import Verdict
from tgite_checks.fidelity.find_then_certify import Expected
from tgite_checks.fidelity.rules import Due
from tgite_conform.algorithms import ALGORITHMS
from tgite_conform.format import ExpectedMatch


@dataclass(frozen=True, slots=True)
class Line:
    """A line of one of the paper's algorithms; ``where`` is the iteration of its loops."""

    label: str
    line: str
    where: str = ""

    def __str__(self) -> str:
        """Return the text for a reader."""
        return f"{self.label} {self.line}" + (f" ({self.where})" if self.where else "")


_LINES = {
    "s0": Line("alg:tlcr-weak", "L1"),
    "screen": Line("alg:screen-and-replace", "L3"),
    "replace": Line("alg:screen-and-replace", "L11"),
}


def lines_of(algorithm: str, place: str) -> tuple[Line, ...]:
    """Return the paper's lines that play the match at ``place``, from policy to test."""
    base, words = ALGORITHMS[algorithm].base, place.split()
    of_tree, block, merge = "alg:app-plr", "L9", "L10"
    if base == "tree_ascent_power_of_two":
        of_tree, block, merge = "alg:plr-pass", "L6", "L7"
    lines: list[Line] = []
    if ALGORITHMS[algorithm].certifies:
        return _lines_of_certificate(ALGORITHMS[algorithm].label, words)
    if base == "tg_ite_strong_known_horizon":
        lines.append(Line("alg:tlcr-strong-known", "L2"))
    for word in words:
        turn = f"{word[0]} = {word[1:]}"
        if word in _LINES:
            lines.append(_LINES[word])
        elif word[0] == "s":
            label = "alg:tlcr-weak" if base == "tg_ite_weak" else "alg:tlcr-strong-anytime"
            lines.append(Line(label, "L4", turn))
        elif word[0] == "h":
            lines.append(Line(of_tree, merge if "merge" in words else block, turn))
        elif word[0] == "r":
            lines.append(Line("alg:bkt", "L5", turn))
    return tuple(lines)


def _lines_of_certificate(label: str, words: Sequence[str]) -> tuple[Line, ...]:
    """Return the named steps of find-then-certify, which has no numbered lines."""
    if len(words) < 2:
        return ()
    stage, word, *round_word = words
    turn = f"s = {stage[1:]}" + "".join(f", r = {word[1:]}" for word in round_word)
    if word[0] != "r":
        return (Line(label, f"({word})", turn),)
    return Line(label, "(find)", turn), Line("alg:bkt", "L5", f"r = {word[1:]}")


@functools.cache
def part_of(place: str) -> str:
    """Return the part of the algorithm that must end before the next part begins."""
    words = place.split()
    epoch = next((word for word in words if re.fullmatch(r"s\d+", word)), "")
    if "certify" in words or "expose" in words:
        return f"{epoch} certificate"
    return f"{epoch} {next((word for word in words if word in ('screen', 'replace')), 'pass')}"


@dataclass(frozen=True, slots=True)
class Waits:
    """The matches for which a match waits: those numbered below ``barrier``, and ``feeders``."""

    barrier: int
    feeders: tuple[int, ...]


def waits_of(matches: Sequence[ExpectedMatch]) -> tuple[Waits, ...]:
    """Return for each match the matches that must end before that match may begin.

    A pass or a tournament begins when all earlier matches are over. Within it, a match waits for
    the previous matches of its arms. Screening matches do not wait for each other, but
    the matches of a certificate do.
    """
    waits: list[Waits] = []
    part, barrier, last_match_of = "", 0, dict[int, int]()
    for number, match in enumerate(matches):
        if part_of(match.place) != part or number == 0 or part.endswith("certificate"):
            part, barrier, last_match_of = part_of(match.place), number, {}
        feeders: tuple[int, ...] = ()
        if not part.endswith("screen"):
            arms = (match.first, match.second)
            feeders = tuple(sorted({last_match_of[arm] for arm in arms if arm in last_match_of}))
            last_match_of.update(dict.fromkeys(arms, number))
        waits.append(Waits(barrier, feeders))
    return tuple(waits)


def is_ordered(places: Sequence[str], played: int, cut: bool) -> bool:
    """Return whether a run is cut where a parallel player might have played other matches.

    ``places`` are the places of the matches asked for, of which the first ``played`` were played.
    ``cut`` says whether one of these is not over.
    """
    if cut:
        return True
    return len(places) > played > 0 and part_of(places[played]) == part_of(places[played - 1])


class Following:
    """Follows the paper's rules along a run, to find each match's place in the algorithm."""

    def __init__(self, rules: Generator[Any, Any, Any]) -> None:
        """Begin with the first match."""
        self._rules = rules
        self._reply: tuple[int, ...] | None = None
        self._one_sided: Due | Expected | None = None

    def begin(self, match: Match) -> str:
        """Return a match's place; raises ``ValueError`` if the rules expect another match."""
        due = self._due()
        if isinstance(due, Expected):
            raise ValueError(f"a one-sided match is due at {due.place}")
        if wrong := due.wrong(match):
            raise ValueError(wrong)
        return due.place

    def begin_one_sided(self, first: Arm, second: Arm) -> Due | Expected:
        """Return the one-sided match that is due; raises as :meth:`begin` does."""
        self._one_sided = due = self._due()
        if isinstance(due, Expected):
            if due.pair != (first, second):
                raise ValueError(f"({first}, {second}) must be {due.pair}")
        elif wrong := due.wrong(Match(first, second, due.level)):
            raise ValueError(wrong)
        return due

    def _due(self) -> Due | Expected:
        due = next(self._rules) if self._reply is None else self._rules.send(self._reply)
        while not isinstance(due, Due | Expected):
            due = next(self._rules)
        return due

    def won(self, winner: Arm, loser: Arm) -> None:
        """Record the match's winner."""
        self._reply = winner, loser

    def ended(self, first: Arm, second: Arm, verdict: Verdict, n: int, S: int) -> None:
        """Record how a one-sided match ended for its first arm."""
        held = verdict in (Verdict.WON, Verdict.EQUIVALENT)
        self._reply = (first, second) if held else (second, first)
        if isinstance(self._one_sided, Expected):
            self._reply = verdict is Verdict.WON, n, S


def whole_algorithm(algorithm: str, what: str) -> tuple[Line, ...]:
    """Return the algorithm's label as a line, for inputs and other things without a line."""
    return (Line(ALGORITHMS[algorithm].label, f"({what})"),)


def self_play_lines(algorithm: str, block: int) -> tuple[Line, ...]:
    """Return the line that plays block number ``block``, from 0, of a policy's self-play."""
    if "anytime" in algorithm:
        return (Line("alg:tlcr-strong-anytime", "L5", f"s = {block + 1}"),)
    return (Line("alg:tlcr-strong-known", "L4"),)
