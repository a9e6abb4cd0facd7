"""What is known of each comparator, and whether it may be used on given preferences.

Whoever runs a comparator asks :func:`objection` first and says what it returns.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tgite.checked import checked
from tgite.errors import InvalidInput
from tgite.preferences import HALF, Preferences


@dataclass(frozen=True, slots=True)
class Facts:
    """A comparator's name, source, assumptions and guarantee.

    ``reconstruction``: its original was not at hand, so that it must be called our reconstruction.
    ``objects`` says why the comparator is not valid on given preferences, or "".
    """

    name: str
    module: str
    source: str
    assumptions: str
    guarantee: str
    reconstruction: bool = False
    objects: Callable[[Preferences], str] = lambda preferences: ""

    @property
    def full_name(self) -> str:
        """The name, with what must be said beside it."""
        return f"{self.name} (our reconstruction)" if self.reconstruction else self.name


def no_total_order(preferences: Preferences) -> str:
    """Say so if the arms have no total order, else return ""."""
    N = preferences.size
    wins = [sum(preferences.probability(i, j) > HALF for j in range(N) if j != i) for i in range(N)]
    if sorted(wins) == list(range(N)):
        return ""
    return "the arms have no total order (their preferences go round in cycles, or tie)"


def _invalid_without_total_order(why: str) -> Callable[[Preferences], str]:
    def objects(preferences: Preferences) -> str:
        disorder = no_total_order(preferences)
        return f"not valid here: {why}, but {disorder}" if disorder else ""

    return objects


COMPARATORS = (
    Facts(
        "BKT",
        "bkt_all",
        "alg:bkt of the paper, on all arms",
        "a Condorcet winner, no ties",
        "wrong with probability at most delta; O(N/Delta^2 (log 1/delta + log 1/Delta + 1)) duels",
    ),
    Facts(
        "SeqElim-DuelTest",
        "seq_elim",
        "our own reading; the paper does not define SeqElim",
        "a Condorcet winner, no ties",
        "wrong with probability at most delta; O(N/Delta^2 (log N/delta + log 1/Delta + 1)) duels",
    ),
    Facts(
        "SeqEliminate-PAC",
        "seq_elim",
        "Falahatgar et al., NeurIPS 2017",
        "strong stochastic transitivity; or a Condorcet winner with upper <= Delta*",
        "an epsilon-maximum with probability 1 - delta; O(N/epsilon^2 log N/delta) duels",
    ),
    Facts(
        "Knockout",
        "knockout",
        "Falahatgar et al., ICML 2017",
        "strong stochastic transitivity; or a Condorcet winner with epsilon <= Delta*",
        "an epsilon-maximum with probability 1 - delta; O(N/epsilon^2 log 1/delta) duels",
    ),
    Facts(
        "WS-W",
        "winner_stays",
        "Chen and Frazier, ICML 2017",
        "a Condorcet winner",
        "expected weak regret at most N/(2p-1)^2 + p N^2/(2p-1)^3",
    ),
    Facts(
        "WS-S",
        "winner_stays",
        "Chen and Frazier, ICML 2017",
        "a Condorcet winner",
        "expected strong regret O(N^2 + N log T)",
    ),
    Facts(
        "WR-TINF",
        "wr_tinf",
        "Saad et al., NeurIPS 2024",
        "a Condorcet winner",
        "weak regret O(N/Delta*), gap-weighted (of the original)",
        reconstruction=True,
    ),
    Facts(
        "WR-EXP3-IX",
        "wr_exp3_ix",
        "Saad et al., NeurIPS 2024",
        "a Condorcet winner",
        "bounded weak regret (of the original)",
        reconstruction=True,
    ),
    Facts(
        "WSW-PE",
        "wsw_pe",
        "Ma et al., 2025",
        "a Condorcet winner, a total order",
        "wrong with probability at most delta; O(R_w + N/Delta*^2 log N/(Delta* delta)) duels",
        reconstruction=True,
    ),
    Facts(
        "Versatile-DB",
        "versatile_db",
        "Saha and Gaillard, ICML 2022",
        "none (adversarial), or a Condorcet winner",
        "O(sqrt(N T)), or O(sum of log T/Delta_i), gap-weighted",
    ),
    Facts(
        "RUCB",
        "rucb",
        "Zoghi et al., ICML 2014",
        "a Condorcet winner",
        "O(N^2 + sum of log T/Delta_i), gap-weighted",
    ),
    Facts(
        "RMED1",
        "rmed",
        "Komiyama et al., COLT 2015",
        "a Condorcet winner",
        "O(N log T), gap-weighted",
    ),
    Facts(
        "D-TS",
        "double_ts",
        "Wu and Liu, NeurIPS 2016",
        "none (Copeland winners), or a Condorcet winner",
        "O(N log T + N^2 log log T), gap-weighted",
    ),
    Facts(
        "Beat-the-Mean",
        "beat_the_mean",
        "Yue and Joachims, ICML 2011",
        "relaxed strong stochastic transitivity, stochastic triangle inequality",
        "O(N gamma^8 log T/Delta) as the paper quotes it",
        objects=_invalid_without_total_order("it ranks arms by their mean"),
    ),
    Facts(
        "Interleaved Filter 2",
        "interleaved_filter",
        "Yue et al., JCSS 2012",
        "strong stochastic transitivity, stochastic triangle inequality",
        "O(N log T), gap-weighted",
        objects=_invalid_without_total_order("its pruning drops arms that it has not tested"),
    ),
    Facts(
        "MergeRUCB",
        "merge_rucb",
        "Zoghi et al., WSDM 2015",
        "a Condorcet winner, few pairs that cannot be told apart",
        "O(N log T), gap-weighted",
    ),
)


@checked
def facts(name: str) -> Facts:
    """Return what is known of a comparator.

    Raises :class:`~tgite.errors.InvalidInput` for another name.
    """
    for entry in COMPARATORS:
        if entry.name == name:
            return entry
    known = ", ".join(entry.name for entry in COMPARATORS)
    raise InvalidInput("comparator", name, f"must be one of {known}")


@checked
def objection(name: str, preferences: Preferences) -> str:
    """Say why a comparator is not valid on these preferences; return "" where it is.

    Raises :class:`~tgite.errors.InvalidInput` for an unknown name.
    """
    return facts(name).objects(preferences)
