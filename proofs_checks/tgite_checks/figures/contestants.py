"""The contestants of each panel, with all their parameters.

A contestant makes its stream from the preferences, the horizon (if any) and a random generator for
its own choices. Another generator draws the outcomes.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from tgite import (
    Arm,
    BalancedTree,
    Duel,
    Incumbent,
    Outcome,
    PairwiseTest,
    Preferences,
    SelfPlay,
    duel_test,
    known_gap,
    tg_ite_bai,
    tg_ite_strong_anytime,
    tg_ite_strong_known_horizon,
    tg_ite_weak,
)
from tgite.comparators.beat_the_mean import beat_the_mean
from tgite.comparators.bkt_all import bkt_all
from tgite.comparators.double_ts import double_ts
from tgite.comparators.facts import facts, objection
from tgite.comparators.interleaved_filter import interleaved_filter
from tgite.comparators.knockout import knockout
from tgite.comparators.merge_rucb import merge_rucb
from tgite.comparators.rmed import rmed1, rmed2
from tgite.comparators.rucb import rucb
from tgite.comparators.seq_elim import seq_elim, seq_eliminate_pac
from tgite.comparators.several_runs import Together
from tgite.comparators.ties import uniformly
from tgite.comparators.versatile_db import versatile_db, versatile_db_together
from tgite.comparators.winner_stays import ws_s, ws_w
from tgite.comparators.wr_exp3_ix import wr_exp3_ix, wr_exp3_ix_together
from tgite.comparators.wr_tinf import wr_tinf, wr_tinf_together
from tgite.comparators.wsw_pe import wsw_pe
from tgite_checks import printed

START: Arm = 0
"""TG-ITE's starting arm in every panel; it is not the winner."""

DELTA = printed.BAI.level
"""The error level of identification in panel (a)."""

ContestantStream: TypeAlias = (
    Generator[Duel, Outcome, Arm | None]
    | Generator[Duel | SelfPlay, Outcome | None, Arm | None]
    | Generator[Duel | SelfPlay | Incumbent, Outcome | None, Arm | None]
)

Maker: TypeAlias = Callable[[Preferences, int, random.Random], ContestantStream]
Joint: TypeAlias = Callable[[int, Sequence[random.Random]], Together]


class Panel(StrEnum):
    """The three panels of ``fig:experiments``."""

    BAI = "bai"
    WEAK = "weak"
    STRONG = "strong"


@dataclass(frozen=True, slots=True)
class Contestant:
    """An algorithm with its parameters.

    ``own`` says whether it is the paper's; otherwise ``name`` is the comparator's. ``together``
    plays several runs at once. Beyond ``most_arms`` arms it is left out because it is slow.
    ``wider`` says that the paper does not run it.
    """

    key: str
    name: str
    make: Maker
    note: str = ""
    own: bool = False
    together: Joint | None = None
    most_arms: int = 1 << 30
    wider: bool = False

    @property
    def label(self) -> str:
        """The contestant's name in figures, which marks reconstructions."""
        label = f"{self.name}{f' ({self.note})' if self.note else ''}"
        reconstruction = not self.own and facts(self.name).reconstruction
        return f"{label} [our reconstruction]" if reconstruction else label

    def objection(self, preferences: Preferences) -> str:
        """Return why the contestant is invalid on these preferences; "" if it is valid."""
        return "" if self.own else objection(self.name, preferences)


def _own(key: str, name: str, make: Callable[..., ContestantStream]) -> tuple[Contestant, ...]:
    """Return an algorithm of the paper with both pairwise tests.

    ``make`` is called with the start, the balanced tree, the horizon and the test.
    """

    def made(test_for: Callable[[Preferences], PairwiseTest[Duel, Outcome]]) -> Maker:
        return lambda p, T, r: make(START, BalancedTree.over(p.size), T, test_for(p))

    told = made(lambda p: known_gap(p.winner_gap()))
    return (
        Contestant(key, name, made(lambda p: duel_test), own=True),
        Contestant(f"{key}-known-gap", name, told, "known gap", own=True),
    )


_WR_EXP3_IX = Contestant(
    "wr-exp3-ix",
    "WR-EXP3-IX",
    lambda p, T, r: wr_exp3_ix(p.size, r),
    together=wr_exp3_ix_together,
)
_WR_TINF = Contestant(
    "wr-tinf", "WR-TINF", lambda p, T, r: wr_tinf(p.size, r), together=wr_tinf_together
)

BAI = (
    *_own("tg-ite-bai", "TG-ITE-BAI", lambda b, tree, T, test: tg_ite_bai(b, tree, DELTA, test)),
    Contestant("bkt", "BKT", lambda p, T, r: bkt_all(p.size, DELTA, duel_test)),
    Contestant(
        "seq-elim", "SeqElim-DuelTest", lambda p, T, r: seq_elim(range(p.size), DELTA, duel_test)
    ),
    Contestant(
        "seq-eliminate-pac",
        "SeqEliminate-PAC",
        lambda p, T, r: seq_eliminate_pac(range(p.size), Fraction(0), p.winner_gap(), DELTA),
        note="gaps 0, Δ*",
    ),
    Contestant(
        "knockout",
        "Knockout",
        lambda p, T, r: knockout(range(p.size), p.winner_gap(), DELTA, shuffle=r),
        note="ε = Δ*",
    ),
    Contestant(
        "wsw-pe", "WSW-PE", lambda p, T, r: wsw_pe(p.size, DELTA, uniformly(r)), most_arms=512
    ),
)

WEAK = (
    *_own("tg-ite-weak", "TG-ITE-Weak", lambda b, tree, T, test: tg_ite_weak(b, tree, test)),
    _WR_EXP3_IX,
    _WR_TINF,
    Contestant("ws-w", "WS-W", lambda p, T, r: ws_w(p.size, uniformly(r))),
)

STRONG = (
    *_own(
        "tg-ite-strong-kh",
        "TG-ITE-Strong-KH",
        lambda b, tree, T, test: tg_ite_strong_known_horizon(b, tree, T, test),
    ),
    *_own(
        "tg-ite-strong-anytime",
        "TG-ITE-Strong-Anytime",
        lambda b, tree, T, test: tg_ite_strong_anytime(b, tree, test),
    ),
    Contestant(
        "ws-s-1.1",
        "WS-S",
        lambda p, T, r: ws_s(p.size, Fraction(11, 10), uniformly(r)),
        note="β = 1.1",
    ),
    Contestant(
        "ws-s-2", "WS-S", lambda p, T, r: ws_s(p.size, Fraction(2), uniformly(r)), note="β = 2"
    ),
    _WR_TINF,
    Contestant(
        "versatile-db",
        "Versatile-DB",
        lambda p, T, r: versatile_db(p.size, r),
        together=versatile_db_together,
    ),
    _WR_EXP3_IX,
    Contestant("rucb", "RUCB", lambda p, T, r: rucb(p.size, r), most_arms=32, wider=True),
    Contestant("rmed1", "RMED1", lambda p, T, r: rmed1(p.size), most_arms=32, wider=True),
    Contestant("rmed2", "RMED2", lambda p, T, r: rmed2(p.size), most_arms=32, wider=True),
    Contestant(
        "double-ts",
        "D-TS",
        lambda p, T, r: double_ts(p.size, np.random.default_rng(r.getrandbits(64))),
        most_arms=32,
        wider=True,
    ),
    Contestant(
        "beat-the-mean",
        "Beat-the-Mean",
        lambda p, T, r: beat_the_mean(p.size, T, r),
        most_arms=64,
        wider=True,
    ),
    Contestant(
        "interleaved-filter-2",
        "Interleaved Filter 2",
        lambda p, T, r: interleaved_filter(p.size, T),
        wider=True,
    ),
    Contestant("merge-rucb", "MergeRUCB", lambda p, T, r: merge_rucb(p.size, r), wider=True),
)

CONTESTANTS = {Panel.BAI: BAI, Panel.WEAK: WEAK, Panel.STRONG: STRONG}


def contestant(panel: Panel, key: str) -> Contestant:
    """Return a panel's contestant by its key."""
    return next(entry for entry in CONTESTANTS[panel] if entry.key == key)
