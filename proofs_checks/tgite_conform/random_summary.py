"""What a report says of random cases: how they were drawn, and the smallest one that fails."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.util import find_spec

from tgite import RULINGS
from tgite_conform.flags import FLAGS
from tgite_conform.format import (
    Case,
    Expected,
    Version,
    case_to_json,
    conventions_to_json,
    file_text,
)
from tgite_conform.runner import CaseResult

_LONGEST_TAPE = 400
_MOST_ROWS, _MOST_IN_A_ROW = 8, 10
_LONGEST_OUTCOMES = 40


@dataclass(frozen=True, slots=True)
class Drawn:
    """How many random cases were drawn of which seed; the smallest that fails, if any does.

    ``how_small`` says what was done to find it.
    """

    number: int
    seed: int
    smallest: CaseResult | None = None
    how_small: str = ""

    def failing(self, smallest: CaseResult, made: bool) -> Drawn:
        """Say that ``smallest`` is the smallest that fails, of those drawn or ``made`` of them."""
        if find_spec("hypothesis") is None:
            how = (
                "the smallest of those drawn that fail: nothing smaller was looked for, as "
                "hypothesis is missing (pip install hypothesis)"
            )
        elif not made:
            how = "the smallest of those drawn that fail: hypothesis came upon no smaller one"
        else:
            how = "made smaller by hypothesis from those drawn that fail"
        return Drawn(self.number, self.seed, smallest, how)

    def to_json(self) -> dict[str, object]:
        """Return it as JSON, the smallest one as the whole file of vectors."""
        written: dict[str, object] = {"cases": self.number, "seed": self.seed}
        if self.smallest is not None:
            case = self.smallest.case
            text = file_text(case.algorithm, FLAGS, [case], list(Version)[-1])
            written |= {"smallest": case.id, "how_small": self.how_small}
            written["result"] = self.smallest.to_json()
            written["vectors"] = json.loads(text)
        return written

    def lines(self) -> list[str]:
        """Write for a reader how the cases are played again."""
        again = f"--random {self.number} --seed {self.seed}"
        lines = [f"the same cases again: {again}, with the same algorithms"]
        if self.smallest is not None:
            lines += [
                f"{self.smallest.case.id} is {self.how_small}",
                f"to keep it: {again} --keep FOLDER writes it as vectors (--json prints them), "
                "--vectors FOLDER plays them",
            ]
        return lines


def input_lines(case: Case) -> list[str]:
    """Write a case's input for a reader: all of it, but for a long tape."""
    written = case_to_json(case)
    conventions = {
        name: value
        for name, value in conventions_to_json(case.conventions).items()
        if value != getattr(RULINGS, name)
    }
    others = ", ".join(f"{name} {value}" for name, value in conventions.items())
    lines = [
        f"parameters:  {json.dumps(written['parameters'])}",
        f"conventions: {others or 'the defaults'}",
    ]
    if isinstance(case.expected, Expected):
        lines.append(
            f"horizon:     {'none' if case.expected.horizon is None else written['horizon']}"
        )
        lines.append(f"tape:        {_shown([pair.row for pair in case.expected.tape])}")
    return lines


def _shown(rows: list[list[int | str]]) -> str:
    """Write a tape, shortened where it is long."""
    whole = json.dumps(rows)
    if len(whole) <= _LONGEST_TAPE:
        return whole
    short = [[_cut(one) for one in row[:_MOST_IN_A_ROW]] for row in rows[:_MOST_ROWS]]
    return f"{json.dumps(short)[:_LONGEST_TAPE]} ... (shortened)"


def _cut(outcomes: int | str) -> int | str:
    if isinstance(outcomes, int) or len(outcomes) <= _LONGEST_OUTCOMES:
        return outcomes
    return outcomes[:_LONGEST_OUTCOMES] + "..."
