"""The laws of BKT, of TreeAscent and of an epoch of ScreenAndReplace, on given preferences."""

from __future__ import annotations

from collections.abc import Sequence

from tgite.checked import checked
from tgite.confidence import Confidence
from tgite.conventions import RULINGS, Conventions
from tgite.errors import InvalidInput
from tgite.preferences import NoCondorcetWinner, Preferences
from tgite.questions import Arm
from tgite_laws.bracket import TournamentLaw, bracket, bracket_law
from tgite_laws.exploration import explored_law
from tgite_laws.implementation import Bkt, ScreenAndReplace, Tree, TreeAscent
from tgite_laws.match_law import MatchLaws
from tgite_laws.pairs import pairs


@checked
def bkt_law(
    algorithm: Bkt,
    S: Sequence[Arm],
    delta: Confidence,
    preferences: Preferences,
    match_laws: MatchLaws,
    conventions: Conventions = RULINGS,
) -> TournamentLaw:
    """Return the law of ``BKT(S, delta)``: survivor, duels, weak regret.

    The bracket is read from ``algorithm`` itself, the transcription's or a mutant's. Raises
    :class:`~tgite.errors.InvalidInput` as BKT does.
    """
    played = bracket(lambda test: algorithm(S, delta, test, conventions))
    return bracket_law(played, pairs(preferences), match_laws, condorcet_winner(preferences))


@checked
def tree_ascent_law(
    algorithm: TreeAscent,
    b: Arm,
    tree: Tree,
    epsilon: Confidence,
    preferences: Preferences,
    match_laws: MatchLaws,
    conventions: Conventions = RULINGS,
) -> TournamentLaw:
    """Return the law of one pass from ``b``: identified arm, duels, weak regret.

    The bracket is read from ``algorithm`` itself, either version of the transcription or a mutant.
    Raises :class:`~tgite.errors.InvalidInput` as TreeAscent does, and if the tree is over other
    arms.
    """
    if preferences.size != tree.N:
        raise InvalidInput("tree", tree.N, f"must be over the {preferences.size} arms")
    played = bracket(lambda test: algorithm(b, tree, epsilon, test, conventions))
    return bracket_law(played, pairs(preferences), match_laws, condorcet_winner(preferences))


@checked
def screen_and_replace_law(
    algorithm: ScreenAndReplace,
    c: Arm,
    rho: Confidence,
    kappa: Confidence,
    preferences: Preferences,
    match_laws: MatchLaws,
    conventions: Conventions = RULINGS,
) -> TournamentLaw:
    """Return the law of an epoch with the incumbent ``c``: the next incumbent, duels, weak regret.

    All ``3**(N-1)`` paths of ``algorithm`` are played, so N can be at most about 9. Raises
    :class:`~tgite.errors.InvalidInput` as ScreenAndReplace does.
    """
    N = preferences.size
    return explored_law(
        lambda test: algorithm(c, rho, kappa, N, test, conventions),
        pairs(preferences),
        match_laws,
        condorcet_winner(preferences),
    )


def condorcet_winner(preferences: Preferences) -> Arm | None:
    """Return the Condorcet winner, or ``None`` if there is none."""
    try:
        return preferences.winner()
    except NoCondorcetWinner:
        return None
