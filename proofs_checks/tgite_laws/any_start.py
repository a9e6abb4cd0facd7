"""Bounds on the moments of a TreeAscent pass from any starting arm, from its matches' levels.

The bounds hold whatever happened before. The pass loses the winner only if the winner loses one of
its own matches. A match's mean number of duels lies between the least and the greatest mean of the
pairs that may meet in it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from tgite.confidence import Confidence
from tgite.questions import Arm
from tgite_laws.arithmetic import ONE, minus, plus
from tgite_laws.enclosure import Enclosure
from tgite_laws.match_law import MatchLaws, Part
from tgite_laws.pairs import Pairs

# Floats here carry relative errors of some 1e-13; bounds are moved outwards by this.
_OUTWARD = 1.0 + 1e-9


@dataclass(frozen=True, slots=True)
class PassFromAnywhere:
    """Bounds on a pass, whatever happened before it: on the whole, and where the winner is lost."""

    whole: Part
    lost: Part

    def after(self, so_far: Part) -> tuple[Part, Part]:
        """Return the moments with those ``so_far`` included: where the winner is kept, and lost."""
        whole, lost = so_far.then(self.whole), so_far.then(self.lost)
        kept = Part(
            minus(so_far.probability, lost.probability),
            minus(whole.duels, lost.duels),
            Enclosure(0.0, whole.squared_duels.high),
        )
        return kept, lost


def pass_from_anywhere(
    levels: Counter[Confidence], own: int, known: Pairs, match_laws: MatchLaws, winner: Arm
) -> PassFromAnywhere:
    """Bound a pass whose matches have these levels; the winner plays at most ``own`` of them.

    Let r bound the probability that the winner loses a given match. Let e and q bound the
    expectations of that match's duels and of their square on the event of its loss. No other match
    is affected, so ``E[D; lost there] <= r most + e`` and
    ``E[D**2; lost there] <= r square + 2 most e + q``. The ``own`` largest r, e and q are summed.
    """
    least = most = squares = 0.0
    losing: list[tuple[float, float, float]] = []
    for delta, count in levels.items():
        laws = [match_laws.law(delta, p) for p in known.met()]
        least += count * min(law.mean.low for law in laws)
        most += count * max(law.mean.high for law in laws)
        squares += count * max(
            plus(law.first.squared_duels, law.second.squared_duels).high for law in laws
        )
        # The winner may be the first or the second argument.
        lost = [match_laws.law(delta, p).second for p in known.met(winner)]
        lost += [match_laws.law(delta, 1 - p).first for p in known.met(winner)]
        most_lost = (
            max(part.probability.high for part in lost),
            max(part.duels.high for part in lost),
            max(part.squared_duels.high for part in lost),
        )
        losing += [most_lost] * count
    square = most**2 + squares
    r, e, q = (sum(sorted(each, reverse=True)[:own]) for each in zip(*losing, strict=True))
    r = min(1.0, r * _OUTWARD)
    above = [r, r * most + e, r * square + 2 * most * e + q]
    duels = Enclosure(least / _OUTWARD, most * _OUTWARD)
    return PassFromAnywhere(
        Part(ONE, duels, Enclosure(0.0, square * _OUTWARD)),
        Part(*(Enclosure(0.0, bound * _OUTWARD) for bound in above)),
    )
