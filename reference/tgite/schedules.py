"""The confidence schedules of the paper, each under its own name."""

from __future__ import annotations

from fractions import Fraction

from tgite.checked import checked
from tgite.confidence import Confidence
from tgite.errors import InvalidInput, require_whole_number

WEAK_WARM_START = Confidence(Fraction(1, 4))
"""The constant confidence of the weak policy's warm start (``alg:tlcr-weak`` L1)."""


@checked
def bkt_round_level(delta: Confidence, r: int) -> Confidence:
    """Return ``delta_r = 6 delta / (pi**2 r**2)`` of BKT's round ``r >= 1`` (``alg:bkt`` L3)."""
    require_rational_level("delta", delta)
    require_whole_number("r", r, at_least=1)
    return Confidence(delta.rational / r**2, basel=True)


@checked
def block_level(epsilon: Confidence, block: int, whole: int) -> Confidence:
    """Return ``beta_h = (epsilon/2) block / (whole - 1)``, the level of a sibling block's BKT.

    With ``block = m_h`` and ``whole = N`` it is ``alg:plr-pass`` L5; with the block's capacity
    ``block = mbar_h`` and ``whole = M`` it is ``alg:app-plr`` L5.
    """
    require_rational_level("epsilon", epsilon)
    require_whole_number("block", block, at_least=1)
    require_whole_number("whole", whole, at_least=2)
    return Confidence(epsilon.rational / 2 * Fraction(block, whole - 1))


@checked
def merge_level(epsilon: Confidence, L: int) -> Confidence:
    """Return ``eta_h = epsilon / (2L)``, the same at each of the ``L`` levels (L5 of both)."""
    require_rational_level("epsilon", epsilon)
    require_whole_number("L", L, at_least=1)
    return Confidence(epsilon.rational / (2 * L))


@checked
def screening_level(s: int) -> Confidence:
    """Return ``rho_s = 4**-(s+2)`` of epoch ``s >= 1`` (``alg:tlcr-weak`` L3)."""
    require_whole_number("s", s, at_least=1)
    return Confidence(Fraction(1, 4 ** (s + 2)))


@checked
def replacement_level(s: int) -> Confidence:
    """Return ``kappa_s = 4**-(s+2)`` of epoch ``s >= 1`` (``alg:tlcr-weak`` L3)."""
    require_whole_number("s", s, at_least=1)
    return Confidence(Fraction(1, 4 ** (s + 2)))


@checked
def known_horizon_level(H: int) -> Confidence:
    """Return ``epsilon_H = 1/(H+1)`` for the horizon ``H >= 1`` (``alg:tlcr-strong-known`` L1)."""
    require_whole_number("H", H, at_least=1)
    return Confidence(Fraction(1, H + 1))


@checked
def anytime_level(s: int) -> Confidence:
    """Return ``epsilon_s = 2**-2**s`` of phase ``s >= 1`` (``alg:tlcr-strong-anytime`` L3)."""
    require_whole_number("s", s, at_least=1)
    return Confidence(Fraction(1, 2 ** (2**s)))


@checked
def self_play_rounds(s: int) -> int:
    """Return ``B_s = 2**2**s``, phase ``s``'s self-play (``alg:tlcr-strong-anytime`` L3)."""
    require_whole_number("s", s, at_least=1)
    return int(2 ** (2**s))


def require_rational_level(name: str, level: Confidence) -> None:
    """Refuse a level that carries the factor ``6/pi**2``: the paper applies that factor once."""
    if level.basel:
        raise InvalidInput(name, str(level), "must be a rational level, without the factor 6/pi^2")
