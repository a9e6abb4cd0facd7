"""Tree-Guided Identify-Then-Exploit (TG-ITE), transcribed from the paper.

Each algorithm is a stream: a generator that asks for duels and is sent their outcomes. ``play``
plays a stream against preferences, a tape or a callback. ``drive`` answers the questions of a
stream with a function.

The modules in reading order, which is the paper's; each needs only those above it::

    errors, checked, exact, confidence  refusals; levels as exact numbers
    questions, preferences  the problem (``sec:pre``)
    duel_test  ``alg:dueltest``
    conventions, schedules  what the text leaves open; the levels that it sets
    bkt  ``alg:bkt``
    tree, tree_ascent  ``app:tree-geometry``; ``alg:plr-pass``, ``alg:app-plr``
    bai  ``subsec:bai-policy``
    screen_and_replace, weak  ``alg:screen-and-replace``, ``alg:tlcr-weak``
    strong  ``alg:tlcr-strong-known``, ``alg:tlcr-strong-anytime``
    budgeted_duel_test  ``alg:budgeted-dueltest``
    instances  ``sec:experiments``

The policies take ``(b_0, tree, level or horizon, test, conventions)``. Policies without a level or
a horizon in the paper leave out the third. The weak policy's level, 1/4 in the paper, is the
keyword argument ``warm_start``.

Three packages are not part of the paper's algorithms: ``playing`` plays streams, ``comparators``
holds the algorithms that the paper compares with, and ``beyond`` holds tests and a search that are
not in the paper.
"""

from tgite.bai import tg_ite_bai
from tgite.bkt import bkt
from tgite.budgeted_duel_test import budget, budgeted_duel_test, known_gap
from tgite.confidence import Confidence
from tgite.conventions import (
    RULINGS,
    Arguments,
    Byes,
    Candidates,
    Conventions,
    End,
    Order,
    Pairing,
)
from tgite.duel_test import duel_test
from tgite.errors import InvalidInput, InvalidReply, TapeMismatch, WrongType
from tgite.instances import CyclicInstance, cyclic, sparse
from tgite.playing.environments import (
    CallbackEnvironment,
    Environment,
    SeededEnvironment,
    TapeEnvironment,
    TapeExhausted,
)
from tgite.playing.matrices import EXAMPLES, example, read_matrix
from tgite.playing.play import Ended, Interrupted, Recorder, Run, play
from tgite.preferences import (
    NoCondorcetWinner,
    PreferenceMatrix,
    Preferences,
    require_condorcet_gap,
    require_known_gap,
)
from tgite.questions import (
    Arm,
    Duel,
    Incumbent,
    Match,
    Outcome,
    PairwiseTest,
    SelfPlay,
    Stream,
    drive,
    match,
)
from tgite.screen_and_replace import screen_and_replace
from tgite.strong import tg_ite_strong_anytime, tg_ite_strong_known_horizon
from tgite.tree import BalancedTree
from tgite.tree_ascent import tree_ascent, tree_ascent_power_of_two
from tgite.weak import tg_ite_weak

__all__ = [
    "EXAMPLES",
    "RULINGS",
    "Arguments",
    "Arm",
    "BalancedTree",
    "Byes",
    "CallbackEnvironment",
    "Candidates",
    "Confidence",
    "Conventions",
    "CyclicInstance",
    "Duel",
    "End",
    "Ended",
    "Environment",
    "Incumbent",
    "Interrupted",
    "InvalidInput",
    "InvalidReply",
    "Match",
    "NoCondorcetWinner",
    "Order",
    "Outcome",
    "Pairing",
    "PairwiseTest",
    "PreferenceMatrix",
    "Preferences",
    "Recorder",
    "Run",
    "SeededEnvironment",
    "SelfPlay",
    "Stream",
    "TapeEnvironment",
    "TapeExhausted",
    "TapeMismatch",
    "WrongType",
    "bkt",
    "budget",
    "budgeted_duel_test",
    "cyclic",
    "drive",
    "duel_test",
    "example",
    "known_gap",
    "match",
    "play",
    "read_matrix",
    "require_condorcet_gap",
    "require_known_gap",
    "screen_and_replace",
    "sparse",
    "tg_ite_bai",
    "tg_ite_strong_anytime",
    "tg_ite_strong_known_horizon",
    "tg_ite_weak",
    "tree_ascent",
    "tree_ascent_power_of_two",
]
