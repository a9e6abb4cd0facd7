"""Wrong transcriptions of TG-ITE-Weak (``alg:tlcr-weak``)."""

from __future__ import annotations

from tgite_checks.mutation import Mutant


def _mutant(name: str, original: str, replaced: str, mistake: str) -> Mutant:
    return Mutant(f"weak-{name}", "alg:tlcr-weak", "weak", original, replaced, mistake)


_WARM_START = "identification = tree_ascent(b_0, tree, warm_start, test, conventions)"
_IDENTIFY = "c = yield from identification  # L1: c_0"
_FOR = "s = 0\n"
_LEVELS = "rho_s, kappa_s = screening_level(s), replacement_level(s)  # L3"
_EPOCH = "c = yield from screen_and_replace(c, rho_s, kappa_s, tree.N, test, conventions)  # L4"

MUTANTS = (
    _mutant(
        "no-warm-start",
        _IDENTIFY,
        "c = b_0",
        "The epochs begin at the starting arm, without a warm start.",
    ),
    _mutant(
        "warm-start-level-ignored",
        _WARM_START,
        _WARM_START.replace("warm_start", "WEAK_WARM_START"),
        "The warm start runs at 1/4 even where delta is asked for.",
    ),
    _mutant(
        "epochs-from-2",
        _FOR,
        "s = 1\n",
        "The epochs are counted from 2.",
    ),
    _mutant(
        "incumbent-not-updated",
        _EPOCH,
        _EPOCH.replace("(c, rho_s", "(b_0, rho_s"),
        "Every epoch screens against the starting arm.",
    ),
    _mutant(
        "screening-level-constant",
        _LEVELS,
        _LEVELS.replace("screening_level(s)", "screening_level(1)"),
        "All epochs screen at the first one's level.",
    ),
    _mutant(
        "replacement-level-next",
        _LEVELS,
        _LEVELS.replace("replacement_level(s)", "replacement_level(s + 1)"),
        "The replacement's level is the next epoch's.",
    ),
    _mutant(
        "byes-screened",
        _EPOCH,
        _EPOCH.replace("tree.N", "tree.M"),
        "The formal byes are screened as if they were arms.",
    ),
    _mutant(
        "levels-capped",
        _LEVELS,
        "rho_s, kappa_s = screening_level(min(s, 24)), replacement_level(min(s, 24))  # L3",
        "The levels stay at 4^-26, where floats end to resolve them from 1.",
    ),
    _mutant(
        "conventions-dropped",
        _EPOCH,
        _EPOCH.replace(", conventions", ""),
        "The conventions are not handed on to the epochs.",
    ),
    _mutant(
        "epochs-by-dueltest",
        _EPOCH,
        "from tgite.duel_test import duel_test\n            "
        + _EPOCH.replace("test,", "duel_test,"),
        "The known-gap variant keeps DuelTest for its epochs.",
    ),
    _mutant(
        "announces-late",
        "            " + _EPOCH + "\n            yield Incumbent(c)",
        "            a = c\n            " + _EPOCH + "\n            yield Incumbent(a)",
        "The incumbent of the epoch before is announced.",
    ),
    _mutant(
        "float-levels",
        _LEVELS,
        "rho_s = kappa_s = Confidence(type(warm_start.rational)(max(4.0 ** -(s + 2), 5e-324)))",
        "The levels are floats, which end at 2^-1074.",
    ),
)
