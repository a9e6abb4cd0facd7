"""The exact law of one epoch of ScreenAndReplace (``alg:screen-and-replace``), for few arms."""

from __future__ import annotations

from tgite.checked import checked
from tgite.confidence import Confidence
from tgite.conventions import RULINGS, Conventions
from tgite.preferences import Preferences
from tgite.questions import Arm
from tgite_checks.implementation import ScreenAndReplace
from tgite_checks.laws.bracket import TournamentLaw
from tgite_checks.laws.exploration import explored_law
from tgite_checks.laws.match_law import MatchLaws
from tgite_checks.laws.pairs import pairs
from tgite_checks.laws.tournament import condorcet_winner


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

    All ``3**(N-1)`` paths of ``algorithm`` are driven, so that N is about 9 at the most. Raises
    :class:`~tgite.errors.InvalidInput` as ScreenAndReplace does.
    """
    N = preferences.size
    return explored_law(
        lambda test: algorithm(c, rho, kappa, N, test, conventions),
        pairs(preferences),
        match_laws,
        condorcet_winner(preferences),
    )
