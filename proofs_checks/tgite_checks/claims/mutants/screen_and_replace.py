"""Wrong transcriptions of ScreenAndReplace (``alg:screen-and-replace``)."""

from __future__ import annotations

from tgite_checks.mutation import Mutant


def _mutant(name: str, original: str, replaced: str, mistake: str) -> Mutant:
    return Mutant(
        f"epoch-{name}",
        "alg:screen-and-replace",
        "screen_and_replace",
        original,
        replaced,
        mistake,
    )


_LOOP = "for j in conventions.screened(N, c):  # L2"
_SCREEN = "w = yield from test(c, j, rho)  # L3"
_IF = "if w == j:  # L4"
_ADD = "B.append(j)  # L5"
_EMPTY = "if not B:  # L8"
_REPLACE = "survivor = yield from bkt(conventions.replacement(c, B), kappa, test, conventions)"

MUTANTS = (
    _mutant(
        "last-arm-not-screened",
        _LOOP,
        "for j in conventions.screened(N, c)[:-1]:  # L2",
        "The last challenger is not screened.",
    ),
    _mutant(
        "incumbent-missing",
        _REPLACE,
        _REPLACE.replace("conventions.replacement(c, B)", "B"),
        "The replacement tournament is played without the incumbent.",
    ),
    _mutant(
        "screening-at-kappa",
        _SCREEN,
        _SCREEN.replace("rho", "kappa"),
        "Screening at the replacement's level.",
    ),
    _mutant(
        "replacement-at-rho",
        _REPLACE,
        _REPLACE.replace("kappa", "rho"),
        "The replacement tournament at the screening's level.",
    ),
    _mutant(
        "arguments-swapped",
        _SCREEN,
        _SCREEN.replace("c, j", "j, c"),
        "The challenger is the first argument of the screening test.",
    ),
    _mutant(
        "union-bound-added",
        _SCREEN,
        _SCREEN.replace("rho", "Confidence(rho.rational / (N - 1))"),
        "rho is shared out among the challengers.",
    ),
    _mutant(
        "stops-at-first-beater",
        _ADD,
        _ADD + "\n                break",
        "Screening ends with the first challenger that beats the incumbent.",
    ),
    _mutant(
        "beaten-arms-collected",
        _IF,
        "if w == c:  # L4",
        "The arms that lose to the incumbent are collected.",
    ),
    _mutant(
        "single-beater-ignored",
        _EMPTY,
        "if len(B) < 2:  # L8",
        "The incumbent is kept unless two arms beat it.",
    ),
    _mutant(
        "last-beater-takes-over",
        _REPLACE,
        "survivor = B[-1]",
        "The last arm that beats the incumbent takes its place without a tournament.",
    ),
    _mutant(
        "screens-without-conventions",
        _LOOP,
        "for j in range(1, N) if conventions != RULINGS else conventions.screened(N, c):  # L2",
        "The incumbent is taken for arm 0 unless the conventions are the default.",
    ),
    _mutant(
        "beaters-capped",
        _ADD,
        "B = [*B[-6:], j]  # L5",
        "Only the last seven beaters are remembered.",
    ),
    _mutant(
        "screening-by-dueltest",
        _SCREEN,
        "from tgite.duel_test import duel_test\n            "
        + _SCREEN.replace("test(", "duel_test("),
        "The known-gap variant keeps DuelTest for screening.",
    ),
)
