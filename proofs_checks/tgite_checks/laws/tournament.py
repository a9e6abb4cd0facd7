"""The exact law of BKT (``alg:bkt``) on a set of arms."""

from __future__ import annotations

from collections.abc import Sequence

from tgite.bkt import bkt
from tgite.checked import checked
from tgite.confidence import Confidence
from tgite.conventions import RULINGS, Conventions
from tgite.preferences import NoCondorcetWinner, Preferences
from tgite.questions import Arm
from tgite_checks.implementation import Bkt
from tgite_checks.laws.bracket import TournamentLaw, bracket, bracket_law
from tgite_checks.laws.match_law import MatchLaws
from tgite_checks.laws.pairs import Pairs, pairs


@checked
def bkt_law(
    S: Sequence[Arm],
    delta: Confidence,
    preferences: Preferences,
    match_laws: MatchLaws,
    conventions: Conventions = RULINGS,
    algorithm: Bkt = bkt,
    sorted_pairs: Pairs | None = None,
) -> TournamentLaw:
    """Return the law of ``BKT(S, delta)``: who survives, duels, weak regret.

    The bracket is read off ``algorithm`` itself, the transcription's or a mutant's.
    ``sorted_pairs`` spares the sorting of the pairs where it has been done before. Raises
    :class:`~tgite.errors.InvalidInput` as BKT does.
    """
    played = bracket(lambda test: algorithm(S, delta, test, conventions))
    known = pairs(preferences) if sorted_pairs is None else sorted_pairs
    return bracket_law(played, known, match_laws, condorcet_winner(preferences))


def condorcet_winner(preferences: Preferences) -> Arm | None:
    """Return the Condorcet winner, ``None`` if there is none."""
    try:
        return preferences.winner()
    except NoCondorcetWinner:
        return None
