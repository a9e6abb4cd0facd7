"""The comparison of an implementation's algorithm with the rules, used by most fidelity checks."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, Protocol, TypeAlias, TypeVar, cast

from tgite.questions import (
    A,
    Arm,
    Duel,
    Incumbent,
    Match,
    Outcome,
    PairwiseTest,
    Q,
    SelfPlay,
    match,
)
from tgite_checks.check import Cases
from tgite_checks.fidelity import boundaries
from tgite_checks.fidelity.environments import RIGGED, Answer, decided_by, for_policies, won_by
from tgite_checks.fidelity.rules import Rules, asked, broken_rule
from tgite_laws.implementation import Implementation
from tgite_laws.match_paths import Path, Won, paths, walk

R = TypeVar("R", covariant=True)
_Q = TypeVar("_Q")
_A = TypeVar("_A")
_R = TypeVar("_R")

GAP = Fraction(3, 10)
"""The known gap at which runs are played duel by duel."""

_LONGEST_TOLD = 2000

Tests: TypeAlias = tuple[PairwiseTest[Duel, Outcome], PairwiseTest[Duel, Outcome]]
"""A pairwise test of an implementation, and its definition."""


def duel_tests(under_test: Implementation) -> Tests:
    """Return DuelTest."""
    return under_test.duel_test, boundaries.duel_test


def budgeted_tests(under_test: Implementation, g: Fraction = GAP) -> Tests:
    """Return BudgetedDuelTest."""
    return under_test.known_gap(g), boundaries.known_gap(g)


class Algorithm(Protocol[R]):
    """An algorithm of an implementation, to be called with a pairwise test."""

    def __call__(
        self, test: PairwiseTest[Q, A], /
    ) -> Generator[Q, A, R] | Generator[Q | Incumbent | SelfPlay, A | None, R]:
        """Make the stream."""


@dataclass(frozen=True, slots=True)
class Setting(Generic[R]):
    """An algorithm with its input, described in words, and the rules for that input."""

    description: str
    make: Algorithm[R]
    rules: Callable[[], Rules[R]]
    most: int
    """A correct run has at most this many matches before the requested announcements."""
    miscounted: Callable[[Path[R]], str] = lambda path: ""
    """What is wrong with the number of a path's matches."""
    match: PairwiseTest[Match, Arm] = match

    def stream(self, test: PairwiseTest[Q, A]) -> Generator[Q | Incumbent | SelfPlay, A | None, R]:
        """Make the stream; one that announces nothing never receives ``None``."""
        return cast(Generator[Q | Incumbent | SelfPlay, A | None, R], self.make(test))

    def paths(self, announcements: int | None = None) -> Iterator[Path[R]]:
        """Yield every path."""
        most = self.most * (announcements or 1)
        return paths(lambda: self.stream(self.match), most, announcements)

    def walk(self, decide: Callable[[Match], Arm], announcements: int | None = None) -> Path[R]:
        """Follow one path."""
        most = self.most * (announcements or 1)
        return walk(self.stream(self.match), decide, most, announcements)

    def wrong(self, path: Path[R], also: str = "") -> str:
        """Return what is wrong with a path: by the rules, by its number of matches, or ``also``."""
        return self.case(broken_rule(path, self.rules()) or self.miscounted(path) or also)

    def every_path(self, announcements: int | None = None) -> Cases:
        """Judge every path."""
        for path in self.paths(announcements):
            yield self.wrong(path)

    def won_by(self, winner: Arm) -> str:
        """Judge the path on which ``winner`` wins all its matches and must be returned."""
        path = self.walk(decided_by(won_by(winner)))
        lost = f"{path.result} returned, {winner} won all its matches"
        return self.wrong(path, also="" if path.result == winner else lost)

    def winners_kept(self, N: int, counting: Callable[[Path[R], Arm], Iterable[Won]]) -> Cases:
        """Check on every path that an arm is returned if it wins all its matches that count.

        ``counting`` yields the matches of an arm that count.
        """
        for path in self.paths():
            for winner in range(N):
                if all(
                    won == winner or winner not in (played.first, played.second)
                    for played, won in counting(path, winner)
                ):
                    yield self.case("" if path.result == winner else f"winner {winner}: {path}")

    def case(self, wrong: str) -> str:
        """Return what is wrong, after the setting's name, or nothing."""
        return f"{self.description}: {wrong[:_LONGEST_TOLD]}" if wrong else ""

    def by_duels(self, tests: Tests, answer: Answer, most_questions: int) -> str:
        """Return where the algorithm differs from the rules when it is played duel by duel."""
        own, right = tests
        return difference(
            self.stream(own), asked(self.rules(), right), for_policies(answer), most_questions
        )

    def rigged(self, most_questions: int, *tests: Tests) -> Cases:
        """Play with all fixed outcomes and all tests: one case for each."""
        for outcomes, answer in RIGGED.items():
            found = (self.by_duels(pair, answer(), most_questions) for pair in tests)
            wrong = next(filter(None, found), "")
            yield self.case(wrong and f"{outcomes}: {wrong}")


def difference(
    stream: Generator[_Q, _A, _R],
    expected: Generator[_Q, _A, _R],
    answer: Callable[[_Q], _A],
    most_questions: int,
) -> str:
    """Return where ``stream`` first differs from ``expected`` under equal replies, or nothing.

    ``answer`` is called once for each question that both streams ask, except the last.
    """
    # None starts a generator.
    reply = cast(_A, None)
    asked: object = None
    due: object = None
    for number in range(1, most_questions + 1):
        found, wanted = _next(stream, reply), _next(expected, reply)
        # Most questions are the same objects as before and need no second comparison.
        if found is not asked or wanted is not due:
            if found != wanted:
                return f"step {number}: {found}, expected {wanted}"
            if isinstance(wanted, _Returned) or isinstance(found, _Returned):
                return ""
            asked, due = found, wanted
        if number < most_questions:
            reply = answer(cast(_Q, wanted))
    stream.close()
    expected.close()
    return ""


@dataclass(frozen=True, slots=True)
class _Returned(Generic[_R]):
    result: _R


def _next(stream: Generator[_Q, _A, _R], reply: _A) -> _Q | _Returned[_R]:
    try:
        return stream.send(reply)
    except StopIteration as stop:
        return _Returned(stop.value)
