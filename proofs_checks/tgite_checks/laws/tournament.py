"""The exact law of BKT (``alg:bkt``) on a set of arms."""

from __future__ import annotations

from collections.abc import Sequence

from tgite.checked import checked
from tgite.confidence import Confidence
from tgite.conventions import RULINGS, Conventions
from tgite.preferences import NoCondorcetWinner, Preferences
from tgite.questions import Arm
from tgite_checks.implementation import Bkt
from tgite_checks.laws.bracket import TournamentLaw, bracket, bracket_law
from tgite_checks.laws.match_law import MatchLaws
from tgite_checks.laws.pairs import pairs


@checked
def bkt_law(
    algorithm: Bkt,
    S: Sequence[Arm],
    delta: Confidence,
    preferences: Preferences,
    match_laws: MatchLaws,
    conventions: Conventions = RULINGS,
) -> TournamentLaw:
    """Return the law of ``BKT(S, delta)``: who survives, duels, weak regret.

    The bracket is read off ``algorithm`` itself, the transcription's or a mutant's. Raises
    :class:`~tgite.errors.InvalidInput` as BKT does.
    """
    played = bracket(lambda test: algorithm(S, delta, test, conventions))
    return bracket_law(played, pairs(preferences), match_laws, condorcet_winner(preferences))


def condorcet_winner(preferences: Preferences) -> Arm | None:
    """Return the Condorcet winner, ``None`` if there is none."""
    try:
        return preferences.winner()
    except NoCondorcetWinner:
        return None
