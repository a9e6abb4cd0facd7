"""The first place where a run parts from the reference, told so that its author can find it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum

from tgite import Confidence
from tgite.budgeted_duel_test import budget
from tgite_checks.conformance.algorithms import gap_of, radius_of
from tgite_checks.conformance.format import Case, Expected, ExpectedMatch, Outcomes
from tgite_checks.conformance.places import Line, lines_of


class Parting(StrEnum):
    """In which way a run parts from the reference."""

    OTHER_DUEL = "asks another duel"
    STOPPED_EARLY = "stops a match early"
    WENT_ON = "goes on with a match that is over"
    SWAPPED = "swaps a match's arguments"
    TOO_SOON = "begins a match before those that it depends on are over"
    WRONG_WINNER = "takes the other arm as a match's winner"
    WRONG_LEVEL = "plays a match at another level"
    ENDED_EARLY = "ends before all matches are played"
    DID_NOT_END = "asks on where the algorithm has ended"
    WRONG_RESULT = "returns another result"
    SELF_PLAY = "plays other self-play"
    INCUMBENT = "announces another arm"
    REFUSED = "refuses a valid input"
    NOT_REFUSED = "does not refuse a bad input"


@dataclass(frozen=True, slots=True)
class State:
    """A match's state: ``S`` of ``n`` duels won by its first argument, and the stopping rule there.

    ``level`` is the confidence that the rule is evaluated at, ``distance`` is |S/n - 1/2| and
    ``threshold`` what it must exceed for the test to stop. ``most`` is the budget M of a budgeted
    test.
    """

    n: int
    S: int
    level: str
    distance: float
    threshold: float
    most: int | None

    def __str__(self) -> str:
        """Write it for a reader."""
        rule = ">" if self.distance > self.threshold else "<="
        spent = "" if self.most is None else f", M = {self.most}"
        return (
            f"n = {self.n}, S = {self.S}: |S/n - 1/2| = {self.distance:.12g} {rule} "
            f"{self.threshold:.12g}{spent} (level {self.level})"
        )


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first divergence of a run.

    ``duel`` is the number of the duel, from 1 on, at which the run parts from the reference; what
    was ``asked`` and ``expected`` there; ``lines`` of the paper, from the outermost algorithm in;
    the ``state`` of the match that the decision is about. ``note`` says more, where there is more.
    """

    parting: Parting
    duel: int
    asked: str
    expected: str
    lines: tuple[Line, ...] = ()
    state: State | None = None
    note: str = ""

    def __str__(self) -> str:
        """Write it for a reader, on several lines."""
        parts = [f"at duel {self.duel} it {self.parting}"]
        parts.append(f"asked:    {self.asked}")
        parts.append(f"expected: {self.expected}")
        if self.lines:
            parts.append(f"paper:    {' > '.join(map(str, self.lines))}")
        if self.state is not None:
            parts.append(f"state:    {self.state}")
        if self.note:
            parts.append(f"note:     {self.note}")
        return "\n".join(parts)

    def to_json(self) -> dict[str, object]:
        """Return it as JSON."""
        written = asdict(self)
        if state := written["state"]:
            state["M"] = state.pop("most")
            state.update({name: repr(state[name]) for name in ("distance", "threshold")})
        return written


class Diverged(Exception):
    """A run parts from the reference."""

    def __init__(self, divergence: Divergence) -> None:
        """Carry the divergence."""
        super().__init__(str(divergence))
        self.divergence = divergence


def state_of(case: Case, expected: Expected, number: int, n: int) -> State | None:
    """Return the state of a match after its first ``n`` duels, by the tape; None before any."""
    match = expected.matches[number]
    n = min(n, match.length)
    if n <= 0:
        return None
    S = sum(Outcomes(expected).of(number)[:n])
    level, g = Confidence.of(match.level), gap_of(case.parameters)
    threshold, most = radius_of(g, level)(n), None if g is None else budget(g, level)
    return State(n, S, match.level, abs(S / n - 1 / 2), threshold, most)


def match_lines(case: Case, match: ExpectedMatch, line: str) -> tuple[Line, ...]:
    """Return the lines that lead to a match, down to ``line`` of its pairwise test."""
    budgeted = "g" in case.parameters
    test = Line("alg:budgeted-dueltest" if budgeted else "alg:dueltest", line)
    return (*lines_of(case.algorithm, match.place), test)


def stopping_line(case: Case, number: int, n: int, expected: Expected) -> str:
    """Return the line that decides whether a match stops after ``n`` duels."""
    if "g" not in case.parameters:
        return "L6"
    state = state_of(case, expected, number, n)
    at_budget = state is not None and state.n == state.most
    return "L2" if at_budget and state is not None and state.distance <= state.threshold else "L5"


def winner_line(case: Case, number: int, n: int, expected: Expected) -> str:
    """Return the line that decides a match's winner after its ``n`` duels."""
    if "g" not in case.parameters:
        return "L7"
    return "L13" if stopping_line(case, number, n, expected) == "L2" else "L6"


def show_match(match: ExpectedMatch) -> str:
    """Write a match for a reader."""
    return f"({match.first}, {match.second}) at level {match.level}"
