"""The result of a session, in words and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from tgite import Arm
from tgite_judge.journal import Record
from tgite_judge.order import Guess, Place, order_as_json, order_lines, order_of
from tgite_judge.position_bias import FOLLOWING, INTERVAL_ERROR, STOPPING_ERROR, PositionBias
from tgite_judge.replies import Said
from tgite_judge.search import Search
from tgite_judge.session import Ended, Session
from tgite_judge.standings import Standings

INDEPENDENT = "answers are independent, and a pair's chances stay the same throughout"
ONE_BEST = "one item beats every other one more often than not"
SAME_ANSWER = "a pair is answered in the same way whenever it is asked about"
_FEWEST_TO_WARN = 12
_MOST_SHOWN = 10


@dataclass(frozen=True)
class Found:
    """The result of a session.

    ``best`` is the item that is called the best, ``None`` if there is none; ``error`` bounds the
    probability that it does not beat every other one, under the ``assumptions``. ``order`` has all
    items, the strongest first. ``comparisons`` counts all answers in the journal, ``asked_now``
    those of this session, ``unused`` those not needed, and ``coins`` the questions that a fair coin
    decided. ``equivalent`` items are within ``margin`` of the best one, or tied. ``different``
    counts the same answer about the same two items in the same order once. ``missed`` counts how
    often questions, ``asked_again`` in number, were asked in vain.
    """

    ended: Ended
    best: str | None
    error: Fraction
    assumptions: tuple[str, ...]
    guess: Guess
    order: tuple[Place, ...]
    items: tuple[str, ...]
    comparisons: int
    asked_now: int
    unused: int
    ties: int
    coins: int
    position: PositionBias
    different: int
    missed: int
    asked_again: int
    repeats_itself: bool
    standings: Standings
    missing: str = ""
    rejected: dict[Arm, Arm] = field(default_factory=dict)
    failure: str | None = None
    equivalent: tuple[str, ...] = ()
    margin: Fraction | None = None

    @staticmethod
    def of(session: Session, ended: Ended) -> Found:
        """Return the result of a session."""
        items, records, search = session.items, session.journal.records, session.search
        certification = search.certification
        best, guess, standings = session.best, session.guess(), session.standings
        consistent = session.goal.consistent
        met = list(search.outcomes_and_ties())
        near = certification.equivalent if certification else []
        if consistent and best is not None:
            pairs = [{one.first, one.second} for one, won in met if won is None]
            near = [arm for pair in pairs if best in pair for arm in pair - {best}]
        assumptions = [ONE_BEST, SAME_ANSWER] if consistent else [INDEPENDENT]
        different, alike = variety(records)
        repeats = alike and len(records) >= different + _FEWEST_TO_WARN
        return Found(
            ended=ended,
            best=None
            if best is None or ended is Ended.POSITION or (consistent and near)
            else items[best],
            error=Fraction(0) if consistent else session.goal.delta.rational,
            assumptions=tuple(assumptions),
            guess=guess,
            order=() if ended is Ended.POSITION else order_of(session.model, standings),
            items=items,
            comparisons=len(records),
            asked_now=len(records) - session.before,
            unused=len(records) - sum(len(search.records[one]) for one, _ in met),
            ties=sum(one.said is Said.TIE for one in records),
            coins=sum(one.coin is not None for one in records),
            position=session.positions,
            different=different,
            missed=len(session.journal.missed),
            asked_again=len({one.question for one in session.journal.missed}),
            repeats_itself=repeats and not consistent,
            standings=standings,
            missing=_missing(search),
            rejected=certification.rejected if certification else {},
            failure=session.failure,
            equivalent=tuple(items[arm] for arm in near),
            margin=session.goal.margin,
        )

    def to_json(self) -> dict[str, object]:
        """Return the result for programs."""
        share, low, high = self.position.share()
        return {
            "ended": str(self.ended),
            "item": self.best,
            "certified": self.ended is Ended.CERTIFIED,
            "error_at_most": str(self.error) if self.best is not None else None,
            "equivalent": list(self.equivalent),
            "margin": None if self.margin is None else str(self.margin),
            "assumptions": list(self.assumptions),
            **order_as_json(self.guess, self.order),
            "comparisons": self.comparisons,
            "asked_now": self.asked_now,
            "asked_and_not_needed": self.unused,
            "ties": self.ties,
            "decided_by_a_fair_coin": self.coins,
            "first_position": {
                "preferred": share,
                "interval": [low, high],
                "interval_misses_at_most": INTERVAL_ERROR,
                "answers": self.position.answers,
            },
            "missing": self.missing or None,
            "different_answers": self.different,
            "judge_repeats_itself": self.repeats_itself,
            "unreadable_or_late": {"times": self.missed, "questions": self.asked_again},
            **self.standings.to_json(),
        }

    def __str__(self) -> str:
        """Return the result in words, with the order."""
        return "\n".join([*self.lines(), *(order_lines(self.order) if self.comparisons else [])])

    def lines(self) -> list[str]:
        """Return the result in words, line by line, without the order."""
        lines = [self._verdict()]
        if self.repeats_itself:
            lines.append(
                "The same two items in the same order were always answered alike: the "
                f"{self.comparisons} answers rest on {self.different} different ones. If the judge "
                "always repeats itself, the result is about these fixed answers only."
            )
        if self.missed:
            lines.append(
                f"Unreadable, late or missing answers: {self.missed}. Questions asked again: "
                f"{self.asked_again}. What the judge would have answered at once is unknown, so "
                "these questions count against every statement with an error bound."
            )
        decided = self.ended in (Ended.POSITION, Ended.SURVIVED) or self.best is not None
        if self.comparisons and not decided:
            lines += self.standings.lines()
        lines.append(self._position())
        if self.ties:
            lines.append(f"{self.ties} of {self.comparisons} answers were ties.")
        if self.coins > self.ties:
            lines.append(
                f"A fair coin decided {self.coins} questions, for which the answers in both orders "
                "did not agree on an item."
            )
        if self.unused:
            lines.append(f"{self.unused} answers were asked ahead and not needed.")
        return lines

    def _verdict(self) -> str:
        after = f"after {self.comparisons} comparisons"
        provided = f"provided that {'; '.join(self.assumptions)}"
        match self.ended:
            case Ended.CERTIFIED:
                claim = f"{self.best} is the best item: it beats every other one"
                if near := ", ".join(self.equivalent):
                    claim = (
                        f"{self.best} is the best item within {self.margin}: no other one beats "
                    )
                    claim += f"it by as much ({near} came nearest)"
                error = f"with probability of error at most {self.error}"
                return f"{claim}, {error}, {after}, {provided}."
            case Ended.SURVIVED if self.equivalent:
                tied = f"{self.guess.item} lost to none that it met, but tied with "
                tied += ", ".join(self.equivalent)
                return (
                    f"No item beats every other one, {after}, provided that {SAME_ANSWER}: {tied}."
                )
            case Ended.SURVIVED:
                return (
                    f"Assuming that {ONE_BEST} (not tested), {self.best} is the best item, "
                    f"{after}, provided that {SAME_ANSWER}. It won a knockout, in which most pairs "
                    "never met."
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
            case Ended.UNREADABLE:
                return (
                    f"No item is called the best, {after}. As the judge answered, "
                    f"{self.guess.item} won; but too many questions had to be asked "
                    "again. If the answers that could not be read or came late were against it, "
                    "the others are not enough evidence."
                )
            case Ended.POSITION:
                n, k = self.position.answers, self.position.first
                most, where = max((k, "first"), (n - k, "second"))
                return (
                    f"Stopped {after}: the judge follows the position and not the items. {most} of "
                    f"{n} answers preferred the item shown {where}, in random order. A judge that "
                    f"prefers each position with a chance of at most {float(FOLLOWING):g} is "
                    f"stopped with probability at most {STOPPING_ERROR} in the whole run. To "
                    "continue, with many more answers, give --despite-position."
                )
            case _:
                ended = f"{self.ended}{f' ({self.failure})' if self.failure else ''}"
                if not self.comparisons:
                    return (
                        f"No result yet: {ended} {after}. Nothing is known of any item. To begin "
                        "again, run the same command."
                    )
                return (
                    f"Best guess {after}: {self.guess.item}. {self.guess.sure(provided)} This run "
                    f"ended ({ended}). The certificate lacks {self.missing}. To continue with all "
                    "answers kept, run the same command."
                )

    def _position(self) -> str:
        if not self.position.answers:
            return "Position bias: not known yet."
        share, low, high = self.position.share()
        line = f"The item shown first was preferred in {share:.0%} of {self.position.answers} "
        return f"{line}answers ({low:.0%} to {high:.0%}; without position bias 50%)."


def _missing(search: Search) -> str:
    """Return in words the meetings and the fewest answers that a search still needs."""
    if search.ended:
        return ""
    left = search.unfinished()
    orders = 2 if search.rules.both_orders else 1
    opened = 0 if search.champion is not None else search.open_to_find()
    fewest = orders * (opened + sum(one.fewest_left() for one in left))
    meetings = "1 meeting" if len(left) == 1 else f"{len(left)} meetings"
    parts = ("a candidate" if opened else "", meetings if left else "")
    return f"{' and '.join(filter(None, parts))}, at least {fewest} answers"


def variety(records: Sequence[Record]) -> tuple[int, bool]:
    """Return the number of different answers, and whether no pair in the same order got two."""
    answers = {(_shown(one), one.said) for one in records}
    shown = {order for order, _ in answers}
    return len(answers), len(shown) == len(answers)


def _shown(record: Record) -> tuple[Arm, Arm]:
    one = record.question
    return (one.second, one.first) if record.swapped else (one.first, one.second)
