"""Reading the law check's samples: lines ``COUNT ANSWER``; ``>COUNT -`` of runs that were cut."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import nullcontext

from tgite.errors import InvalidInput, handled
from tgite_conform.law.lattice import Sample

STDIN = "-"
_RULE = (
    "must be COUNT ANSWER, two whole numbers of 0 or more (no heading, no third column), or "
    ">COUNT - of a run that was cut"
)
_DIGITS = 18


def read_samples(name: str, answers: int, least: int, cut: int | None) -> Iterator[Sample]:
    """Read samples from a file, or from standard input if its name is ``-``.

    Raises :class:`~tgite.errors.InvalidInput`, naming the line, for a count outside ``least`` to
    ``cut``, an answer that is none, and a file without samples.
    """
    # There are few different lines.
    known: dict[str, Sample] = {}
    number = 0
    with (
        handled("samples", name),
        nullcontext(sys.stdin) if name == STDIN else open(name, encoding="utf-8-sig") as lines,
    ):
        for number, line in enumerate(lines, start=1):
            sample = known.get(line)
            if sample is None:
                text = line.strip().removeprefix("\ufeff" if number == 1 else "")
                try:
                    sample = known[line] = _read(text, answers, least, cut)
                except ValueError as broken:
                    field = f"line {number} of {'standard input' if name == STDIN else name}"
                    raise InvalidInput(field, text or "nothing", str(broken)) from None
            yield sample
    if number == 0:
        raise InvalidInput("samples", name, "holds no sample")


def _read(text: str, answers: int, least: int, cut: int | None) -> Sample:
    """Read one sample; raises ``ValueError`` with the rule that it breaks."""
    words = text.replace(",", " ").split()
    if len(words) != 2:
        raise ValueError(_RULE)
    was_cut = words[0].startswith(">") and words[1] == "-"
    if was_cut:
        words = [words[0][1:]]
    if not all(one.isascii() and one.isdecimal() for one in words):
        raise ValueError(_RULE)
    if any(len(one) > _DIGITS for one in words):
        raise ValueError(f"must have at most {_DIGITS} digits a number")
    count = int(words[0])
    if was_cut:
        if cut is None:
            raise ValueError(f"is a run that was cut: say where with --cut {count}")
        if count != cut:
            raise ValueError(f"must be cut where all runs are: after {cut}")
        return count, None
    if count < least:
        raise ValueError(f"must count {least} or more")
    if cut is not None and count > cut:
        raise ValueError(f"must count at most {cut}, where runs are cut")
    answer = int(words[1])
    if answer >= answers:
        raise ValueError(f"must answer one of 0..{answers - 1}")
    return count, answer
