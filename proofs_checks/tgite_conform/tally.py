"""What an answer may count besides: its run's rounds, and the regrets of Section ``sec:pre``."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from tgite import Arm
from tgite_conform.format import Case, Expected
from tgite_conform.strict_json import Strict


class Tally(Strict, frozen=True, kw_only=True):
    """The rounds played and the binary regrets, each if it is stated."""

    rounds: int | UnsetType = UNSET
    weak_regret: int | UnsetType = UNSET
    strong_regret: int | UnsetType = UNSET

    @property
    def counts_nothing(self) -> bool:
        """Say whether none is stated."""
        return all(getattr(self, name) is UNSET for name in Tally.__struct_fields__)


def regret_against(case: Case) -> Arm:
    """Return the arm from which a case's regrets are counted, one that plays.

    The case's identifier chooses it, so that it does not give the answer away.
    """
    expected = case.expected
    arms: set[Arm] = set()
    if isinstance(expected, Expected):
        arms = {arm for match in expected.matches for arm in match.pair}
        arms |= {block.arm for block in expected.self_play}
    in_order = sorted(arms) or [case.conventions.first_arm]
    return in_order[int(case.id.rpartition("-")[2], 16) % len(in_order)]


def tally(expected: Expected, best: Arm) -> Tally:
    """Count a run as far as it is played, ``best`` being the Condorcet winner.

    A round costs weak regret if ``best`` is not in it, strong regret unless ``best`` plays itself.
    """
    blocks = expected.self_play
    others = sum(match.length for match in expected.matches if best not in match.pair)
    rounds = expected.duels + sum(block.rounds for block in blocks)
    of_best = sum(block.rounds for block in blocks if block.arm == best)
    weak = others + rounds - expected.duels - of_best
    return Tally(rounds=rounds, weak_regret=weak, strong_regret=rounds - of_best)


def differing(stated: Tally, due: Tally) -> tuple[str, str]:
    """Return what is stated wrongly and what is due, in words; empty if nothing is."""
    for name in Tally.__struct_fields__:
        said, right = getattr(stated, name), getattr(due, name)
        if said is not UNSET and said != right:
            words = name.replace("_", " ")
            return f"counts {words} {said}", f"{words} {right}"
    return "", ""
