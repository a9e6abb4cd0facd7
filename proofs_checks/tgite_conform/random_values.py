"""What random cases draw first: conventions, sizes, arms and levels, often where numbers break."""

from __future__ import annotations

import random
from fractions import Fraction

from tgite import Confidence, Conventions, InvalidInput
from tgite.confidence import write_rational
from tgite.exact import basel_factor_enclosure
from tgite_conform.format import CHOICES

MOST_ARMS = 40
MANY_ARMS = 1 << 12
_WIDTHS = (7, 8, 15, 16, 24, 31, 32, 53, 63, 64)
"""Numbers of bits at which implementations' numbers end."""


def conventions(drawn: random.Random) -> Conventions:
    """Draw conventions."""
    # The values are of CHOICES, which types do not tie to the fields.
    return Conventions(**{name: drawn.choice(CHOICES[name]) for name in CHOICES})  # type: ignore[arg-type]


def at_a_width(drawn: random.Random, at_least: int) -> int:
    """Return a number near the end of an integer's width, or of a float's whole numbers."""
    return max(at_least, (1 << drawn.choice(_WIDTHS)) + drawn.randint(-2, 2))


def arms(drawn: random.Random, number: int, first_arm: int) -> tuple[int, ...]:
    """Draw different arms, some with numbers beyond one or two bytes."""
    beyond = drawn.choice((2 * MOST_ARMS, 1 << 9, 1 << 17)) + number
    return tuple(arm + first_arm for arm in drawn.sample(range(beyond), number))


def level(drawn: random.Random, factor: bool = False) -> str:
    """Draw a level, with the factor 6/pi^2 where asked for; with it, it may be none."""
    if factor and drawn.random() < 0.5:
        # The level is just below 1, or just above.
        near = drawn.choice(beside_the_inverse_factor(int(10 ** drawn.uniform(0.5, 16))))
        return f"{write_rational(near)} * 6/pi^2"
    denominator = drawn.choice((drawn.randint(2, 100), 10 ** drawn.randint(1, 30)))
    rational = Fraction(drawn.randint(1, denominator - 1), denominator)
    text = drawn.choice((write_rational(rational), f"2^-{drawn.randint(1, 200)}"))
    return f"{text} * 6/pi^2" if factor else text


def beside_the_inverse_factor(most: int) -> tuple[Fraction, Fraction]:
    """Return the fractions next to pi^2/6 below it and above it, of denominators up to ``most``.

    (The nearest one of all lies below it for nearly every power of ten.)
    """
    _, factor = basel_factor_enclosure(60)
    below, above = (1, 1), (2, 1)
    while True:
        between = below[0] + above[0], below[1] + above[1]
        if between[1] > most:
            return Fraction(*below), Fraction(*above)
        if Fraction(*between) * factor < 1:
            below = between
        else:
            above = between


def is_level(text: str) -> bool:
    """Say whether a text is a level: those next to 1 are so on one side only."""
    try:
        Confidence.of(text)
    except InvalidInput:
        return False
    return True
