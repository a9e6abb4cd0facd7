"""What an asking came to, in words and as JSON: never more than the answers show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from tgite import Arm
from tgite_judge.find import Asked, Ended, Guess
from tgite_judge.journal import Asking, Stage
from tgite_judge.positions import ALPHA, FOLLOWING, STOPPING_ERROR, Positions
from tgite_judge.replies import Said
from tgite_judge.search import Search
from tgite_judge.standings import Pair, Standings

INDEPENDENT = "answers are independent, and a pair's chances stay the same throughout"
ONE_BEST = "one item beats every other one more often than not"
POSITION_IS_NOTHING = "no answer depends on which of the two items is shown first"
_IN_DOUBT = {
    POSITION_IS_NOTHING: "which --no-swap leaves unknown",
    ONE_BEST: "which nobody has asked",
}
SAME_ANSWER = "a pair is answered in the same way whenever it is asked about"
_FEWEST_TO_WARN = 20
_MOST_SHOWN = 10
_SEVERAL = 3


@dataclass(frozen=True)
class Found:
    """The result of an asking.

    ``best`` is the item that is called the best, ``None`` where none is. ``error`` bounds the
    probability that such an item does not beat every other one, under ``assumptions``. ``guess`` is
    the item that leads otherwise, with the bound of its own error. ``comparisons`` counts all
    answers kept, ``asked_now`` those of this sitting, ``unused`` those that were asked ahead, or
    taken over, and not needed, ``ties`` the ties among them, and ``coins`` the
    questions that a fair coin decided.
    """

    ended: Ended
    best: str | None
    error: Fraction
    assumptions: tuple[str, ...]
    guess: Guess
    items: tuple[str, ...]
    comparisons: int
    asked_now: int
    unused: int
    abandoned: int
    ties: int
    coins: int
    never_met: int
    position: Positions
    random_order: bool
    repeats_itself: bool
    standings: Standings
    missing: str = ""
    rejected: dict[Arm, Arm] = field(default_factory=dict)
    failure: str | None = None
    equivalent: tuple[str, ...] = ()
    margin: Fraction | None = None

    @staticmethod
    def of(
        asked: Asked,
        ended: Ended,
        items: Sequence[str],
        assumed: str | None = None,
        *,
        consistent: bool = False,
    ) -> Found:
        """Take stock; ``assumed`` is what a pairwise test needs beside the rest.

        ``consistent`` says that each pair was asked once, on the word of whoever was asked.
        """
        askings, search = asked.journal.askings, asked.search
        result, guess = asked.result, asked.guess()
        answers = SAME_ANSWER if consistent else INDEPENDENT
        repeats = len(askings) >= _FEWEST_TO_WARN and always_repeats_itself(askings)
        tournament = (ONE_BEST, assumed)
        survived = tuple(one for one in tournament if one) if not asked.searched.certify else ()
        random_order = asked.rules.swap is not None
        shown = () if random_order else (POSITION_IS_NOTHING,)
        return Found(
            ended=ended,
            best=None if result is None or ended is Ended.POSITION else items[result],
            error=Fraction(0) if consistent else asked.searched.delta.rational,
            assumptions=(*shown, *survived, answers),
            guess=guess,
            items=tuple(items),
            comparisons=len(askings),
            asked_now=len(askings) - asked.before,
            unused=len(askings) - search.used,
            abandoned=asked.abandoned,
            ties=sum(one.said is Said.TIE for one in askings),
            coins=sum(one.coin is not None for one in askings),
            never_met=asked.never_met(guess.arm if result is None else result),
            position=asked.positions,
            random_order=random_order,
            repeats_itself=repeats and not consistent,
            standings=asked.standings,
            missing=_missing(search),
            rejected={} if search.certification is None else search.certification.rejected,
            failure=asked.failure,
            equivalent=tuple(
                items[arm]
                for arm in (search.certification.equivalent if search.certification else ())
            ),
            margin=asked.searched.margin,
        )

    def to_json(self) -> dict[str, object]:
        """Return all of it for programs."""
        name = self.items
        share, low, high = self.position.share()
        table = self.standings
        return {
            "ended": str(self.ended),
            "item": self.best,
            "certified": self.ended is Ended.CERTIFIED,
            "error_at_most": str(self.error) if self.best is not None else None,
            "equivalent": list(self.equivalent),
            "margin": None if self.margin is None else str(self.margin),
            "assumptions": list(self.assumptions),
            "leader": {"item": name[self.guess.arm], "error_at_most": float(self.guess.error)},
            "never_met": self.never_met,
            "comparisons": self.comparisons,
            "asked_now": self.asked_now,
            "asked_and_not_needed": self.unused,
            "under_way_at_the_end": self.abandoned,
            "ties": self.ties,
            "decided_by_a_fair_coin": self.coins,
            "first_position": {
                "preferred": share,
                "interval": [low, high],
                "interval_misses_at_most": ALPHA,
                "answers": self.position.answers,
                "random_order": self.random_order,
            },
            "missing": self.missing or None,
            "judge_repeats_itself": self.repeats_itself,
            "pairs": [pair.to_json(name) for pair in table.pairs.values()],
            "smith_set": {
                "within": [name[arm] for arm in table.contenders],
                "exactly": table.contenders_are_all_needed,
                "error_at_most": str(table.delta),
            },
            "copeland": [name[arm] for arm in table.copeland],
            "borda": [name[arm] for arm in table.borda],
            "undecided": [
                {
                    "pair": [name[i], name[j]],
                    "comparisons_at_least": table.fewest_to_settle(i, j),
                }
                for i, j in table.undecided()
            ],
        }

    def __str__(self) -> str:
        """Say all of it for people."""
        return "\n".join(self.lines())

    def lines(self) -> list[str]:
        """Return what :meth:`__str__` says, in lines."""
        said = [self._verdict()]
        if self.repeats_itself:
            said.append(
                "No pair was ever answered in two ways: the judge may be repeating itself, in "
                "which case the guarantee does not hold: its answers then say no more than one "
                "answer a pair."
            )
        said += [*self._standings(), self._position()]
        if self.ties:
            said.append(f"{self.ties} of {self.comparisons} answers were ties.")
        if self.coins > self.ties:
            said.append(
                f"A fair coin decided {self.coins} questions, where the answers in both orders did "
                "not agree on an item."
            )
        if self.unused or self.abandoned:
            said.append(
                f"Asked ahead and not needed: {self.unused} answers"
                + (f", and {self.abandoned} more under way." if self.abandoned else ".")
            )
        return said

    def _verdict(self) -> str:
        after = f"after {self.comparisons} comparisons"
        provided = f"provided that {'; '.join(self.assumptions)}"
        # What nobody knows stands before what follows from it.
        unknown = [f"{one}, {_IN_DOUBT[one]}" for one in self.assumptions if one in _IN_DOUBT]
        doubts = f"If {', and '.join(unknown)}, " if unknown else ""
        known = "; ".join(one for one in self.assumptions if one not in _IN_DOUBT)
        rest = f"provided that {known}"
        match self.ended:
            case Ended.CERTIFIED | Ended.AS_SHOWN:
                said = f"{self.best} is the best item: it beats every other one"
                if self.equivalent:
                    said = (
                        f"{self.best} is the best item within {self.margin}: no other one beats it "
                        f"by as much ({', '.join(self.equivalent)} came nearest)"
                    )
                sure = f"with probability of error at most {self.error}"
                return f"{doubts}{said}, {sure}, {after}, {rest}."
            case Ended.SURVIVED:
                sure = f", with probability of error at most {self.error}" if self.error else ""
                return (
                    f"{doubts}{self.best} is the best item{sure}, {after}, {rest}. It survived the "
                    f"tournament and was not certified: it never met {self.never_met} of the "
                    f"{len(self.items) - 1} others."
                )
            case Ended.NO_BEST:
                lost = "; ".join(
                    f"{self.items[loser]} loses to {self.items[winner]}"
                    for loser, winner in list(self.rejected.items())[:_MOST_SHOWN]
                )
                return (
                    f"No item beats every other one, with probability of error at most "
                    f"{self.error}, {after}, {provided}: {lost}."
                )
            case Ended.POSITION:
                n, k = self.position.answers, self.position.first
                most, where = max((k, "first"), (n - k, "second"))
                counted = f"{most} of {n} answers preferred the item shown {where}"
                if not self.random_order:
                    return (
                        f"Stopped {after}: {counted}, and two items were always shown in one order "
                        "(--no-swap). So nobody can tell whether the judge follows the position, "
                        "or the items stand in the order of their worth, and none is called the "
                        "best. Without --no-swap the order is drawn at random, which tells; "
                        "--despite-position goes on."
                    )
                return (
                    f"Stopped {after}: the judge follows the position and not the items. "
                    f"{counted}, whichever that was; a judge that prefers either position with a "
                    f"chance of at most {float(FOLLOWING):g} in each answer is stopped so with "
                    f"probability at most {STOPPING_ERROR} in the whole run. Random orders keep "
                    "that from naming a wrong item, but what is left to tell the items apart is "
                    "little; --despite-position goes on."
                )
            case _:
                ended = f"{self.ended}{f' ({self.failure})' if self.failure else ''}"
                if not self.comparisons:
                    return (
                        f"No result yet: {ended} {after}; of no item is anything known. The "
                        "same command begins anew."
                    )
                leader = self.items[self.guess.arm]
                sure = (
                    "how sure that is, nothing says yet"
                    if self.guess.error == 1
                    else f"with probability of error at most {float(self.guess.error):.2g}"
                )
                return (
                    f"No result yet: {ended} {after}. The best guess is {leader}, {sure}, "
                    f"{provided}. What is missing: {self.missing}. The same command goes on."
                )

    def _standings(self) -> list[str]:
        said_already = (Ended.CERTIFIED, Ended.AS_SHOWN, Ended.SURVIVED, Ended.POSITION)
        if self.ended in said_already or not self.comparisons:
            return []
        table, name = self.standings, self.items
        decided = table.decided
        said = [
            "Who beats whom, all of it with probability of error at most "
            f"{table.delta}: {'; '.join(map(self._pair, decided[:_MOST_SHOWN])) or 'not known yet'}"
            + (f"; and {len(decided) - _MOST_SHOWN} more." if len(decided) > _MOST_SHOWN else ".")
        ]
        top = table.contenders
        names = ", ".join(name[arm] for arm in top)
        if len(top) == table.size and not table.contenders_are_all_needed:
            said.append("No item is known to be outside the Smith set.")
        else:
            exactly = "is" if table.contenders_are_all_needed else "lies within"
            said.append(f"The Smith set {exactly} {names}, with that error.")
        said.append(
            f"As the counts stand: ahead of the most others (Copeland) "
            f"{', '.join(name[arm] for arm in table.copeland)}; with the highest mean share "
            f"(Borda) {', '.join(name[arm] for arm in table.borda)}."
        )
        if undecided := table.undecided():
            fewest = sum(table.fewest_to_settle(*pair) for pair in undecided)
            pairs = "one pair" if len(undecided) == 1 else f"{len(undecided)} pairs"
            said.append(
                f"Of {pairs} of these nobody knows who is better. To know it takes {fewest} more "
                "comparisons at least; how many it will take nothing says, for any of them may be "
                "a tie."
            )
        return said

    def _pair(self, pair: Pair) -> str:
        return f"{self.items[pair.better]} beats {self.items[pair.worse]} ({pair.counted()})"

    def _position(self) -> str:
        if not self.position.answers:
            return "Position bias: no answer tells it yet."
        share, low, high = self.position.share()
        said = f"The item shown first was preferred in {share:.0%} of {self.position.answers} "
        if not self.random_order:
            return (
                f"{said}answers. The order of showing was not drawn at random (--no-swap): a judge "
                "that favours a position favours an item, and how much nobody can tell."
            )
        return f"{said}answers ({low:.0%} to {high:.0%}; without position bias 50%)."


def _missing(search: Search) -> str:
    """Say what a search lacks for its answer, in meetings and in the fewest questions."""
    if search.ended:
        return ""
    left = list(search.unfinished())
    found = sum(one.meeting.stage is Stage.FIND for one in left)
    meetings = [
        f"of the tournament ({found})" if found else "",
        f"of the certificate ({len(left) - found})" if len(left) > found else "",
    ]
    orders = 2 if search.rules.both_orders else 1
    fewest = orders * sum(one.fewest for one in left)
    return f"the meetings {' and '.join(filter(None, meetings))}, {fewest} answers at least"


def repeats_without_contradiction(askings: Sequence[Asking]) -> bool:
    """Say whether several pairs were asked several times, and each answered in one way."""
    asked = Counter(frozenset((one.question.first, one.question.second)) for one in askings)
    often = sum(number >= _SEVERAL for number in asked.values())
    return often >= min(_SEVERAL, len(asked)) > 0 and always_repeats_itself(askings)


def always_repeats_itself(askings: Sequence[Asking]) -> bool:
    """Say whether no pair was ever answered in two ways, though there are answers."""
    by_pair: dict[tuple[Arm, Arm], set[Arm | None]] = {}
    for asking in askings:
        u, v = asking.question.first, asking.question.second
        shown = (v, u) if asking.swapped else (u, v)
        preferred = {Said.FIRST: shown[0], Said.SECOND: shown[1], Said.TIE: None}[asking.said]
        by_pair.setdefault((min(u, v), max(u, v)), set()).add(preferred)
    return bool(askings) and all(len(winners) == 1 for winners in by_pair.values())
