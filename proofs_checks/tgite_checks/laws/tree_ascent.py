"""The exact law of TreeAscent (``alg:app-plr``; ``alg:plr-pass`` for N a power of two)."""

from __future__ import annotations

from tgite.checked import checked
from tgite.confidence import Confidence
from tgite.conventions import RULINGS, Conventions
from tgite.errors import InvalidInput
from tgite.preferences import Preferences
from tgite.questions import Arm
from tgite_checks.implementation import Tree, TreeAscent
from tgite_checks.laws.bracket import TournamentLaw, bracket, bracket_law
from tgite_checks.laws.match_law import MatchLaws
from tgite_checks.laws.pairs import pairs
from tgite_checks.laws.tournament import condorcet_winner


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
    """Return the law of one pass from ``b``: who is identified, duels, weak regret.

    The bracket is read off ``algorithm`` itself, either version of the transcription or a mutant.
    Raises :class:`~tgite.errors.InvalidInput` as TreeAscent does, and if the tree is over other
    arms.
    """
    if preferences.size != tree.N:
        raise InvalidInput("tree", tree.N, f"must be over the {preferences.size} arms")
    played = bracket(lambda test: algorithm(b, tree, epsilon, test, conventions))
    return bracket_law(played, pairs(preferences), match_laws, condorcet_winner(preferences))
