"""The first place where a run differs from the reference, described for its author."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum

from tgite import Confidence, Match
from tgite.beyond import Verdict
from tgite_checks.fidelity.find_then_certify import Expected as Certifying
from tgite_checks.fidelity.rules import Due
from tgite_conform.algorithms import (
    ALGORITHMS,
    is_one_sided,
    radius_of,
    rules_of,
    test_of,
)
from tgite_conform.certificates import ending_of
from tgite_conform.format import Case, Expected, ExpectedMatch, Outcomes
from tgite_conform.margins import evidence_text
from tgite_conform.positions import Following, Line, lines_of


class Parting(StrEnum):
    """The kind of a divergence."""

    OTHER_DUEL = "asks another duel"
    STOPPED_EARLY = "stops a match early"
    WENT_ON = "goes on with a match that is over"
    SWAPPED = "swaps a match's arguments"
    TOO_SOON = "asks a duel that is due only later"
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
    """A match's state after ``n`` duels, ``S`` of them won by its first argument.

    The test stops if ``distance``, |S/n - 1/2|, exceeds ``threshold``. ``most`` is the budget M of
    a budgeted test, ``lead`` the stopping lead of a test beyond the paper, ``evidence`` that of the
    leader.
    """

    n: int
    S: int
    level: str
    distance: float
    threshold: float
    most: int | None
    lead: int | None = None
    evidence: str = ""

    def __str__(self) -> str:
        """Return the text for a reader."""
        stops = self.distance > self.threshold
        spent = "" if self.most is None else f", {'n = ' * (self.n == self.most)}M = {self.most}"
        if self.lead is not None:
            lead = abs(2 * self.S - self.n)
            rule = f"|2S - n| = {lead} {'>=' if lead >= self.lead else '<'} {self.lead}"
            rule += f", {self.evidence}" if self.evidence else ""
        else:
            rule = (
                f"|S/n - 1/2| = {self.distance:.12g} {'>' if stops else '<='} {self.threshold:.12g}"
            )
        return f"n = {self.n}, S = {self.S}: {rule}{spent} (level {self.level})"


@dataclass(frozen=True, slots=True)
class OneSidedState:
    """A one-sided match's state; it is won if S >= ``won_from`` and lost if S <= ``lost_to``.

    It is equivalent for S from ``equivalent[0]`` to ``equivalent[1]``, and not played beyond the
    budget. ``levels`` are those that the evidence is compared with.
    """

    n: int
    S: int
    level: str
    won_from: int
    lost_to: int
    equivalent: tuple[int, int] | None = None
    levels: str = ""

    def __str__(self) -> str:
        """Return the text for a reader."""
        lost = f"S <= {self.lost_to}" if self.lost_to >= 0 else "no S yet"
        rule = f"won for S >= {self.won_from}, lost for {lost}"
        if self.equivalent is not None:
            least, most = self.equivalent
            found = f"for {least} <= S <= {most}" if least <= most else "for no S yet"
            rule += f", equivalent {found}"
        return f"n = {self.n}, S = {self.S}: {rule} ({self.levels or f'level {self.level}'})"


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first divergence of a run, at the duel with the number ``duel``, counted from 1.

    ``lines`` are the paper's lines from the outermost algorithm down to the decision. ``state`` is
    the state of the match. ``match`` is the number of a match that ends elsewhere than it should,
    ``length`` the number of duels after which it ends, if that is known; if that is one more than
    the tape has, it may be any larger number. Before it ``at`` matches are over.
    """

    parting: Parting
    duel: int
    asked: str
    expected: str
    lines: tuple[Line, ...]
    state: State | OneSidedState | None = None
    note: str = ""
    match: int | None = None
    length: int | None = None
    at: int = 0

    def __str__(self) -> str:
        """Return the text for a reader, on several lines."""
        parts = [f"at duel {self.duel} it {self.parting}"]
        parts.append(f"asked:    {self.asked}")
        parts.append(f"expected: {self.expected}")
        parts.append(f"paper:    {' > '.join(map(str, self.lines))}")
        if self.state is not None:
            parts.append(f"state:    {self.state}")
        if self.note:
            parts.append(f"note:     {self.note}")
        return "\n".join(parts)

    def ends_as(self, other: Divergence) -> bool:
        """Return whether two runs differ in the same way at the same duel."""
        return (self.duel, self.parting, self.asked) == (other.duel, other.parting, other.asked)

    def to_json(self) -> dict[str, object]:
        """Return the JSON form."""
        written = asdict(self)
        del written["at"]
        if isinstance(self.state, State):
            state = written["state"]
            state["M"] = state.pop("most")
            state.update({name: repr(state[name]) for name in ("distance", "threshold")})
        return written


class Diverged(Exception):
    """A run differs from the reference."""

    def __init__(self, divergence: Divergence) -> None:
        """Store the divergence."""
        super().__init__(str(divergence))
        self.divergence = divergence


def state_of(case: Case, expected: Expected, number: int, n: int) -> State | OneSidedState | None:
    """Return the state of a match after its first ``n`` duels on the tape; None if n is 0."""
    match = expected.matches[number]
    n = min(n, match.length)
    if n <= 0:
        return None
    S = Outcomes(expected).of(number).wins(n)
    level, place = Confidence.of(match.level), match.place
    if is_one_sided(case.algorithm, place):
        try:
            due = _due_in(case, expected, number)
        except ValueError:  # The run has left the rules before.
            return None
        ending = ending_of(case.parameters, due)
        rule = ending.rule
        more = rule.no_worse and rule.no_better and (rule.no_worse(n), rule.no_better(n))
        levels = f"won at {' or '.join(map(str, ending.won))}, lost at {ending.lost}"
        if ending.equivalent is not None:
            levels += f", equivalent at {' and '.join(map(str, ending.equivalent))}"
        if isinstance(due, Certifying):
            levels += f", {due.most} duels at most"
        if "budget" in case.parameters:
            levels += f"; a budget of {case.parameters['budget']} in all"
        return OneSidedState(n, S, match.level, rule.won(n), rule.lost(n), more or None, levels)
    test = test_of(case.algorithm, case.parameters, place)
    threshold, lead = radius_of(test, level)(n), test.lead(level)
    return State(
        n,
        S,
        match.level,
        abs(S / n - 1 / 2),
        threshold,
        test.most(level),
        None if lead is None else lead(n),
        "" if lead is None else evidence_text(test, level, n, abs(2 * S - n)),
    )


def _due_in(case: Case, expected: Expected, number: int) -> Due | Certifying:
    """Return the one-sided match of a run that is due after all that was played before it."""
    conventions = case.conventions
    following = Following(rules_of(case.algorithm, case.parameters, conventions))
    outcomes = Outcomes(expected)
    for played, match in enumerate(expected.matches):
        pair = match.first - conventions.first_arm, match.second - conventions.first_arm
        first_won = match.winner == match.first
        if not is_one_sided(case.algorithm, match.place):
            following.begin(Match(*pair, Confidence.of(match.level)))
            following.won(*(pair if first_won else pair[::-1]))
            continue
        due = following.begin_one_sided(*pair)
        if played == number:
            return due
        held = Verdict.EQUIVALENT if match.winner is None else Verdict.LOST
        S = outcomes.of(played).wins(match.length)
        following.ended(*pair, Verdict.WON if first_won else held, match.length, S)
    raise AssertionError(f"there is no match number {number}")


class Step(StrEnum):
    """The steps of a pairwise test in which a divergence can occur."""

    BEGIN = "begins"
    DUEL = "asks for a duel"
    STOP = "stops"
    SPENT = "has spent its budget"
    WINNER = "returns the leader"
    AHEAD = "returns who is in front"


_ONE_SIDED = ALGORITHMS["certify"].label


def match_lines(case: Case, match: ExpectedMatch, step: Step) -> tuple[Line, ...]:
    """Return the paper's lines that lead to a match and to a step of its test."""
    if is_one_sided(case.algorithm, match.place):
        last = Line(_ONE_SIDED, f"({Step.STOP if step is Step.WINNER else step})")
        return (*lines_of(case.algorithm, match.place), last)
    of = test_of(case.algorithm, case.parameters, match.place).descriptor
    line = dict(zip(Step, of.lines.split(), strict=False)).get(step, f"({step})")
    return (*lines_of(case.algorithm, match.place), Line(of.label, line))


def stopping_step(case: Case, number: int, n: int, expected: Expected) -> Step:
    """Return the step that decides whether a match stops after ``n`` duels."""
    state = state_of(case, expected, number, n)
    spent = isinstance(state, State) and state.n == state.most and state.distance <= state.threshold
    return Step.SPENT if spent else Step.STOP


def winner_step(case: Case, number: int, n: int, expected: Expected) -> Step:
    """Return the step that decides a match's winner after its ``n`` duels."""
    spent = stopping_step(case, number, n, expected) is Step.SPENT
    return Step.AHEAD if spent else Step.WINNER


def show_match(match: ExpectedMatch) -> str:
    """Return a match as text."""
    return f"({match.first}, {match.second}) at level {match.level}"
