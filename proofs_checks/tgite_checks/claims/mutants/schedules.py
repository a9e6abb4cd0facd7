"""Wrong transcriptions of the confidence schedules."""

from __future__ import annotations

from tgite_checks.mutation import Mutant


def _mutant(name: str, label: str, original: str, replaced: str, mistake: str) -> Mutant:
    return Mutant(f"schedules-{name}", label, "schedules", original, replaced, mistake)


_ROUND = "return Confidence(delta.rational / r**2, basel=True)"
_BLOCK = "return Confidence(epsilon.rational / 2 * Fraction(block, whole - 1))"
_MERGE = "return Confidence(epsilon.rational / (2 * L))"
_SCREENING = """\
    require_whole_number("s", s, at_least=1)
    return Confidence(Fraction(1, 4 ** (s + 2)))


@checked
def replacement_level"""
_REPLACEMENT = """\
    require_whole_number("s", s, at_least=1)
    return Confidence(Fraction(1, 4 ** (s + 2)))


@checked
def known_horizon_level"""
_HORIZON = "return Confidence(Fraction(1, H + 1))"
_PHASE = "return Confidence(Fraction(1, 2 ** (2**s)))"
_SELF_PLAY = "return int(2 ** (2**s))"

MUTANTS = (
    _mutant(
        "r-for-r-squared",
        "alg:bkt",
        _ROUND,
        "return Confidence(delta.rational / r, basel=True)",
        "r in place of r^2.",
    ),
    _mutant(
        "basel-factor-lost",
        "alg:bkt",
        _ROUND,
        "return Confidence(delta.rational / r**2)",
        "The factor 6/pi^2 is forgotten.",
    ),
    _mutant(
        "rounds-from-0",
        "alg:bkt",
        _ROUND,
        "return Confidence(delta.rational / (r + 1) ** 2, basel=True)",
        "The schedule is off by one round.",
    ),
    _mutant(
        "halved-each-round",
        "alg:bkt",
        _ROUND,
        "return Confidence(delta.rational / 2**r)",
        "Geometric levels delta/2^r, which sum to delta as well.",
    ),
    _mutant(
        "block-epsilon-not-halved",
        "alg:app-plr",
        _BLOCK,
        "return Confidence(epsilon.rational * Fraction(block, whole - 1))",
        "The blocks share all of epsilon instead of half.",
    ),
    _mutant(
        "block-over-whole",
        "alg:app-plr",
        _BLOCK,
        "return Confidence(epsilon.rational / 2 * Fraction(block, whole))",
        "Divided by the whole instead of the whole less one.",
    ),
    _mutant(
        "block-uniform-over-levels",
        "alg:app-plr",
        _BLOCK,
        "return Confidence(epsilon.rational / 2 / (whole - 1).bit_length())",
        "beta is uniform over the levels.",
    ),
    _mutant(
        "merge-epsilon-not-halved",
        "alg:app-plr",
        _MERGE,
        "return Confidence(epsilon.rational / L)",
        "The merges share all of epsilon instead of half.",
    ),
    _mutant(
        "merge-one-level-more",
        "alg:app-plr",
        _MERGE,
        "return Confidence(epsilon.rational / (2 * (L + 1)))",
        "L + 1 levels, the leaves' among them.",
    ),
    _mutant(
        "warm-start-half",
        "alg:tlcr-weak",
        "WEAK_WARM_START = Confidence(Fraction(1, 4))",
        "WEAK_WARM_START = Confidence(Fraction(1, 2))",
        "The warm start at 1/2 instead of 1/4.",
    ),
    _mutant(
        "rho-one-epoch-early",
        "alg:tlcr-weak",
        _SCREENING,
        _SCREENING.replace("s + 2", "s + 1"),
        "4^-(s+1) in place of 4^-(s+2).",
    ),
    _mutant(
        "kappa-one-epoch-late",
        "alg:tlcr-weak",
        _REPLACEMENT,
        _REPLACEMENT.replace("s + 2", "s + 3"),
        "4^-(s+3) in place of 4^-(s+2).",
    ),
    _mutant(
        "rho-base-2",
        "alg:tlcr-weak",
        _SCREENING,
        _SCREENING.replace("4 **", "2 **"),
        "Powers of two in place of powers of four.",
    ),
    _mutant(
        "horizon-inverse",
        "alg:tlcr-strong-known",
        _HORIZON,
        "return Confidence(Fraction(1, H))",
        "1/H in place of 1/(H+1).",
    ),
    _mutant(
        "horizon-squared",
        "alg:tlcr-strong-known",
        _HORIZON,
        "return Confidence(Fraction(1, (H + 1) ** 2))",
        "1/(H+1)^2 in place of 1/(H+1).",
    ),
    _mutant(
        "phase-level-single-exponent",
        "alg:tlcr-strong-anytime",
        _PHASE,
        "return Confidence(Fraction(1, 2 ** (2 * s)))",
        "2^-2s in place of 2^-2^s; the first two phases agree.",
    ),
    _mutant(
        "phase-level-one-early",
        "alg:tlcr-strong-anytime",
        _PHASE,
        "return Confidence(Fraction(1, 2 ** (2 ** (s - 1))))",
        "The phases' levels are off by one.",
    ),
    _mutant(
        "self-play-2-to-the-2s",
        "alg:tlcr-strong-anytime",
        _SELF_PLAY,
        "return int(2 ** (2 * s))",
        "2^2s in place of 2^2^s; the first two phases agree.",
    ),
    _mutant(
        "self-play-one-phase-late",
        "alg:tlcr-strong-anytime",
        _SELF_PLAY,
        "return int(2 ** (2 ** (s + 1)))",
        "The blocks of self-play are off by one phase.",
    ),
)
