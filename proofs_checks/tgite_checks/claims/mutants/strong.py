"""Wrong transcriptions of the strong-regret policies."""

from __future__ import annotations

from tgite_checks.mutation import Mutant


def _known(name: str, original: str, replaced: str, mistake: str) -> Mutant:
    return Mutant(
        f"known-horizon-{name}", "alg:tlcr-strong-known", "strong", original, replaced, mistake
    )


def _anytime(name: str, original: str, replaced: str, mistake: str) -> Mutant:
    return Mutant(
        f"anytime-{name}", "alg:tlcr-strong-anytime", "strong", original, replaced, mistake
    )


_PASS = "identification = tree_ascent(b_0, tree, epsilon_H, test, conventions)"
_TERMINATED = "return Terminated(stop.value, rounds) if rounds <= horizon else Expired()"
_REMAINING = "yield SelfPlay(a_hat, H - ended.rounds)  # L4"
_FOR = "c, s = b_0, 0  # L1: c_0"
_LEVELS = "epsilon_s, B_s = anytime_level(s), self_play_rounds(s)  # L3"
_ASCENT = "c = yield from tree_ascent(c, tree, epsilon_s, test, conventions)  # L4"
_BLOCK = "yield SelfPlay(c, B_s)  # L5"

MUTANTS = (
    _known(
        "one-round-late",
        "while rounds < horizon:",
        "while rounds <= horizon:",
        "The pass is cut one round after the horizon.",
    ),
    _known(
        "self-play-full",
        _REMAINING,
        "yield SelfPlay(a_hat, H)  # L4",
        "Self-play for H rounds instead of the ones that remain.",
    ),
    _known(
        "plays-start",
        _REMAINING,
        "yield SelfPlay(b_0, H - ended.rounds)  # L4",
        "The starting arm is played against itself.",
    ),
    _known(
        "level-of-2h",
        "epsilon_H = known_horizon_level(H)  # L1",
        "epsilon_H = known_horizon_level(2 * H)  # L1",
        "The level of twice the horizon.",
    ),
    _known(
        "exact-end-expires",
        _TERMINATED,
        _TERMINATED.replace("rounds <= horizon", "rounds < horizon"),
        "A pass that ends in the very last round counts as cut.",
    ),
    _known(
        "counts-matches",
        "rounds += question.rounds_taken(reply)",
        "rounds += 1",
        "Questions are counted instead of rounds.",
    ),
    _known(
        "overshoot-counts",
        _TERMINATED,
        "return Terminated(stop.value, rounds)",
        "A pass that ends beyond the horizon counts as ended by then.",
    ),
    _known(
        "conventions-dropped",
        _PASS,
        _PASS.replace(", conventions", ""),
        "The conventions are not handed on.",
    ),
    _anytime(
        "restarts-at-start",
        _ASCENT,
        _ASCENT.replace("(c, tree", "(b_0, tree"),
        "Every phase starts from b_0 instead of the last phase's answer.",
    ),
    _anytime(
        "level-constant",
        _LEVELS,
        _LEVELS.replace("anytime_level(s)", "anytime_level(1)"),
        "All phases run at the first one's level.",
    ),
    _anytime(
        "phases-from-2",
        _FOR,
        _FOR.replace("b_0, 0", "b_0, 1"),
        "The phases are counted from 2.",
    ),
    _anytime(
        "plays-start",
        _BLOCK,
        "yield SelfPlay(b_0, B_s)  # L5",
        "The starting arm is played against itself.",
    ),
    _anytime(
        "self-play-capped",
        _LEVELS,
        _LEVELS.replace("self_play_rounds(s)", "min(self_play_rounds(s), 2**1024)"),
        "The blocks of self-play end to grow where floats do.",
    ),
    _anytime(
        "level-capped",
        _LEVELS,
        _LEVELS.replace("anytime_level(s)", "anytime_level(min(s, 10))"),
        "The levels stay at 2^-1024, the last power of two that floats hold.",
    ),
    _anytime(
        "conventions-dropped",
        _ASCENT,
        _ASCENT.replace(", conventions", ""),
        "The conventions are not handed on.",
    ),
    _anytime(
        "passes-by-dueltest",
        _ASCENT,
        "from tgite.duel_test import duel_test\n            "
        + _ASCENT.replace("test,", "duel_test,"),
        "The known-gap variant keeps DuelTest for its passes.",
    ),
    _anytime(
        "self-play-before-pass",
        "            " + _ASCENT + "\n            yield Incumbent(c)\n            " + _BLOCK,
        "            yield SelfPlay(c, B_s)\n            "
        + _ASCENT
        + "\n            yield Incumbent(c)",
        "The phase's self-play comes before its pass, with the last phase's answer.",
    ),
)
