"""Random cases: unlike a fixed list of cases, they cannot be hard-coded by an implementation.

Random outcomes almost never complete a certificate. So runs in which the champion wins are planned.
Losses, ties and equivalent arms are drawn only where the run still ends.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate
from math import exp, pi

from tgite import Confidence, Conventions, InvalidInput
from tgite.confidence import write_rational
from tgite.exact import basel_factor_enclosure
from tgite_checks.fidelity.certificate import evidence, likelihood
from tgite_conform.algorithms import ALGORITHMS, Group
from tgite_conform.cases import outcomes
from tgite_conform.format import CHOICES, Case, Parameter
from tgite_conform.large import MOST_LISTED
from tgite_conform.recorder import Recipe, case_of, played
from tgite_laws.pairwise import TESTS


def random_cases(seed: int, algorithms: Sequence[str] = Group.PAPER.algorithms) -> Iterator[Case]:
    """Yield random cases without end.

    Some have more arms than any list holds, and an early end. Numbers are often near the limits of
    integer types. Cases that are too long, or too near to a boundary, are left out.
    """
    drawn = random.Random(seed)
    while True:
        try:
            yield case_of(random_recipe(drawn, algorithms))
        except ValueError:
            continue


def random_recipe(drawn: random.Random, algorithms: Sequence[str]) -> Recipe:
    """Draw a recipe; raises ``ValueError`` if a drawn exact level is not in (0, 1)."""
    algorithm = drawn.choice(algorithms)
    return (_certificate if ALGORITHMS[algorithm].certifies else _policy)(drawn, algorithm)


def _policy(drawn: random.Random, algorithm: str) -> Recipe:
    row = ALGORITHMS[algorithm]
    by = conventions(drawn)
    N = drawn.choice((2, 3, 4, 5, 6, 7, 8, drawn.randint(2, MOST_ARMS)))
    many = _happens(drawn, 0.02)
    large = {"b", "b_0"} & {*row.parameters} != set() and _happens(drawn, 0.08)
    if many or large:
        N = at_a_width(drawn, 2) if large else min(at_a_width(drawn, 2), MOST_LISTED)
    if "power_of_two" in algorithm:
        N = 2 ** ((N - 1).bit_length() if many or large else drawn.randint(1, 5))
    parameters: dict[str, Parameter] = {"N": N} if "N" in row.parameters else {}
    bad = ""
    for name in row.parameters:
        if name in row.optional and drawn.random() < 0.5:
            continue
        match name:
            case "u" | "v":
                parameters |= zip(("u", "v"), arms(drawn, 2, by.first_arm), strict=True)
            case "S":
                parameters[name] = arms(drawn, N, by.first_arm)
            case "b" | "b_0" | "c":
                parameters[name] = drawn.choice((0, N - 1, drawn.randrange(N))) + by.first_arm
            case "H":
                most = 10 ** drawn.choice((1, 2, 3, 4, 30))
                at_random = drawn.randint(1, most)
                parameters[name] = drawn.choice((at_random, at_a_width(drawn, 1)))
            case "g":
                denominator = drawn.randint(2, 30)
                gap = Fraction(drawn.randint(1, denominator), 2 * denominator)
                parameters[name] = write_rational(max(gap, Fraction(1, 20)))
                if 2 * gap == 1 and not row.test.of_the_paper:
                    bad = name
            case _ if name != "N":
                factor = row.is_a_test or name == "rho"
                parameters[name] = text = level(drawn, drawn.random() < 0.3 and factor)
                try:
                    Confidence.of(text)
                except InvalidInput:
                    bad = bad or name
    cut = row.endless or drawn.random() < 0.1
    horizon = int(10 ** drawn.uniform(0, 3.5)) if cut else None
    if large:
        horizon = drawn.randint(1, 200)
    budgeted = TESTS[row.test].budget_times > 0
    # With many arms, each match is short.
    plan = (
        outcomes.plan(outcomes.cycle(N), outcomes.straight) if many else _plan(drawn, N, budgeted)
    )
    return Recipe(_NAME, algorithm, parameters, plan, by, horizon, bad)


def _plan(drawn: random.Random, N: int, budgeted: bool) -> outcomes.Plan:
    winner = drawn.choice(
        (
            outcomes.scripted(_script(drawn)),
            outcomes.cycle(N),
            outcomes.arm_wins(drawn.randrange(N)),
        )
    )
    ways = _ways(drawn, longest=200)
    # Without a budget, a tie need not end.
    ways += [outcomes.tie] * budgeted
    return outcomes.plan(winner, outcomes.by_turns(*drawn.sample(ways, 3)))


MOST_ARMS = 40
_WIDTHS = (7, 8, 15, 16, 20, 24, 31, 32, 40, 53, 63, 64, 128)
"""Common widths of integer types, in bits, and some between and beyond."""
_INVERSE_FACTOR = 1 / basel_factor_enclosure(60)[0]


def conventions(drawn: random.Random) -> Conventions:
    """Return random conventions."""
    # The type checker does not know that CHOICES holds the fields' values.
    return Conventions(**{name: drawn.choice(CHOICES[name]) for name in CHOICES})  # type: ignore[arg-type]


def at_a_width(drawn: random.Random, at_least: int) -> int:
    """Return a number near the limit of an integer type, or of the integers exact as floats."""
    return max(at_least, (1 << drawn.choice(_WIDTHS)) + drawn.randint(-2, 2))


def arms(drawn: random.Random, number: int, first_arm: int) -> tuple[int, ...]:
    """Draw different arms, some with numbers that need many bytes and agree in the lower ones."""
    width = 1 << max(13, drawn.choice((*_WIDTHS, *_WIDTHS[:4], *_WIDTHS[:4])))
    low = drawn.sample(range(drawn.choice((2 * number, 1 << 13))), number)
    return tuple(arm + drawn.randint(0, 2) * width + first_arm for arm in low)


def level(drawn: random.Random, factor: bool = False) -> str:
    """Draw a level, with the factor 6/pi^2 if asked for; with the factor it may be above 1."""
    if factor and drawn.random() < 0.5:
        # A level just below 1, or just above 1.
        near = _INVERSE_FACTOR.limit_denominator(int(10 ** drawn.uniform(0.5, 16)))
        return f"{write_rational(near)} * 6/pi^2"
    if drawn.random() < 0.2:
        # A hair beside a level at which a match that one arm wins straight takes another duel, in a
        # test, in the first round of BKT or in a merge.
        n, scale = drawn.randint(13, 60), drawn.choice((1, pi**2 / 6, 2, 4, 6, 8))
        near = Fraction(2 * n * (n + 1) * exp(-n / 2) * scale)
        near *= 1 + drawn.choice((-1, 1)) * Fraction(1, 10 ** drawn.randint(3, 11))
        return write_rational(near.limit_denominator(10**25))
    denominator = drawn.choice((drawn.randint(2, 100), 10 ** drawn.randint(1, 30)))
    rational = Fraction(drawn.randint(1, denominator - 1), denominator)
    text = drawn.choice((write_rational(rational), f"2^-{drawn.randint(1, 200)}"))
    return f"{text} * 6/pi^2" if factor else text


_FEW_ARMS, _MANY_ARMS = 12, 400
_POWERS = (2, 4, 8)
_LONGEST_TIE = 60
_HAIR = Fraction(1, 10**15)
_NAME = "drawn at random"
_A_WINNER = "that there is a winner"
_NO_LEVELS = ("1", "3/2", "1/4 * 6/pi^2")


def _certificate(drawn: random.Random, algorithm: str) -> Recipe:
    many = _happens(drawn, 0.02)
    few = drawn.choice((2, 3, 4, 5, 6, 8, drawn.randint(2, _FEW_ARMS)))
    N = drawn.randint(_FEW_ARMS, _MANY_ARMS) if many else few
    made = (_certify if algorithm == "certify" else _find)(drawn, N, many)
    if made.bad or not _happens(drawn, 0.08):
        return made
    return replace(made, horizon=drawn.randint(1, max(1, played(made).duels - 1)))


def _happens(drawn: random.Random, chance: float) -> bool:
    """Return true with this probability."""
    return drawn.random() > 1 - chance


def _level(drawn: random.Random, many: bool) -> str:
    """Draw a level at which matches last some hundred duels, or some ten with many arms."""
    denominator = drawn.randint(2, 100)
    level = write_rational(Fraction(drawn.randint(1, denominator - 1), denominator))
    smaller = f"2^-{drawn.randint(1, 60)}", f"1/{10 ** drawn.randint(1, 15)}"
    return level if many else drawn.choice((level, *smaller))


def _near(drawn: random.Random, exact: Fraction) -> str:
    """Return as text a level that evidence reaches exactly, just exceeds, or just misses."""
    level = exact * drawn.choice((1, 1, 1 - _HAIR, 1 + _HAIR))
    if not 0 < level < 1:
        raise ValueError(f"no level: {level}")
    return write_rational(level)


def _tie(drawn: random.Random) -> tuple[Fraction, outcomes.Way]:
    """Draw a value of MixtureTest's evidence, and outcomes that lead to it."""
    lost = drawn.randint(0, _LONGEST_TIE // 3)
    n = drawn.randint(2 * lost + 1, 2 * lost + _LONGEST_TIE // 2)
    return evidence(n, n - lost), outcomes.late(lost)


def _likelihood_tie(drawn: random.Random, g: Fraction) -> tuple[Fraction, outcomes.Way]:
    """Draw a value of the likelihood of the gap g, and outcomes that lead to it."""
    lost, ahead = drawn.randint(0, 3), drawn.randint(1, 20)
    return likelihood(g, 2 * lost + ahead, lost + ahead), outcomes.late(lost)


def _ways(drawn: random.Random, longest: int = 120) -> list[outcomes.Way]:
    return [
        outcomes.straight,
        outcomes.late(drawn.randint(0, 30)),
        outcomes.noisy(drawn.randrange(10**6), drawn.randint(75, 95)),
        outcomes.along_the_boundary(drawn.randint(1, longest), drawn.random() < 0.5),
    ]


# A certificate by itself.


def _certify(drawn: random.Random, N: int, many: bool) -> Recipe:
    by = conventions(drawn)
    if _happens(drawn, 0.04):
        return _large_certificate(drawn, at_a_width(drawn, 2), by)
    arms = range(by.first_arm, by.first_arm + N)
    c = drawn.choice(arms)
    others = [arm for arm in arms if arm != c]
    parameters: dict[str, Parameter] = {"N": N, "c": c, "delta": _level(drawn, many)}
    ways: list[outcomes.Way] = [outcomes.straight] if many else drawn.sample(_ways(drawn), 3)
    if _happens(drawn, 0.5):
        parameters["against"] = _level(drawn, many)
    margin = Fraction(drawn.randint(13, 49), 100) if _happens(drawn, 0.4) else None
    if margin is not None:
        parameters["margin"] = write_rational(margin)
        # A match of arms that hardly differ ends here.
        equal = outcomes.tie, outcomes.noisy(drawn.randrange(10**6), drawn.randint(40, 60))
        ways[0] = drawn.choice(equal)
    if _happens(drawn, 0.3):
        level, way = _exact_level(drawn, margin)
        parameters |= {"delta": level, "against": level}
        ways = [way]
    if _happens(drawn, 0.5):
        parameters["order"] = tuple(drawn.sample(others, N - 1))
    winner = (
        outcomes.loses_to(drawn.choice(others)) if _happens(drawn, 0.4) else outcomes.arm_wins(c)
    )
    made = Recipe(_NAME, "certify", parameters, outcomes.plan(winner, outcomes.by_turns(*ways)), by)
    if _happens(drawn, 0.18):
        return _refused(made, *_bad_input(drawn, c, others, arms))
    if margin is None and _happens(drawn, 0.1):
        tied = outcomes.plan(winner, outcomes.by_turns(outcomes.tie, *ways))
        return _with(replace(made, plan=tied), "budget", drawn.randint(1, 300))
    return _with(made, "budget", _budget(drawn, made)) if _happens(drawn, 0.35) else made


def _large_certificate(drawn: random.Random, N: int, by: Conventions) -> Recipe:
    """Draw a certificate of many arms that ends at its first match or within a small budget."""
    c = drawn.choice((0, N - 1, drawn.randrange(N))) + by.first_arm
    parameters: dict[str, Parameter] = {"N": N, "c": c, "delta": _level(drawn, many=True)}
    if _happens(drawn, 0.4):
        parameters["budget"] = drawn.choice((drawn.randint(1, 60), at_a_width(drawn, 1)))
    loses = outcomes.loses_to(by.first_arm + drawn.randint(c == by.first_arm, 1))
    plan = outcomes.plan(loses, drawn.choice(_ways(drawn)))
    return Recipe(_NAME, "certify", parameters, plan, by)


def _exact_level(drawn: random.Random, margin: Fraction | None) -> tuple[str, outcomes.Way]:
    """Draw levels for both sides at which a match ends by equality."""
    if margin is None or drawn.random() < 0.5:
        value, way = _tie(drawn)
        return _near(drawn, (1 if margin is None else 2) / value), way
    pairs = drawn.randint(1, _LONGEST_TIE // 2)
    return _near(drawn, 2 * likelihood(margin, 2 * pairs, pairs)), outcomes.tie


def _budget(drawn: random.Random, made: Recipe) -> int:
    ends = list(accumulate(match.length for match in played(made).matches))
    return max(1, drawn.choice(ends[::-1]) + drawn.choice((0, -1, 1)))


def _bad_input(
    drawn: random.Random, c: int, others: Sequence[int], arms: Sequence[int]
) -> tuple[str, Parameter]:
    beyond = drawn.choice((arms[0] - 1, arms[-1] + 1))
    orders = (*others, others[0]), tuple(others[1:]), (*others[1:], c), (*others[1:], beyond)
    several: list[tuple[str, Parameter]] = [
        ("N", 1),
        ("c", beyond),
        ("delta", drawn.choice(_NO_LEVELS)),
        ("against", drawn.choice(_NO_LEVELS)),
        ("margin", drawn.choice(("1/2", "2/3"))),
        ("budget", 0),
        *(("order", order) for order in orders),
    ]
    return drawn.choice(several)


def _with(made: Recipe, name: str, value: Parameter) -> Recipe:
    return replace(made, parameters={**made.parameters, name: value})


def _refused(made: Recipe, name: str, value: Parameter) -> Recipe:
    return replace(_with(made, name, value), plan=None, bad=name)


# Find, then certify.


def _find(drawn: random.Random, N: int, many: bool) -> Recipe:
    by = conventions(drawn)
    if 2 < N < 5 and _happens(drawn, 0.5):
        return _with_arms_out(drawn, N, by)
    parameters: dict[str, Parameter] = {"N": N, "delta": _level(drawn, many)}
    if _happens(drawn, 0.75):
        parameters["assumes"] = drawn.choice((_A_WINNER, _A_WINNER, "nothing"))
    champions = [outcomes.arm_wins(drawn.randrange(N) + by.first_arm) for _ in range(2)]
    ways: dict[str, outcomes.Plan] = {
        "find": outcomes.plan(champions[0], outcomes.straight),
        "s1_find": outcomes.plan(champions[1], outcomes.straight),
    }
    if not many:
        _vary(drawn, ways, N, champions)
        if _happens(drawn, 0.4):
            said = parameters.get("assumes") == _A_WINNER
            parameters["delta"], ways["s0_certify"] = _first_certificate(drawn, N, said)
            ways["s0_screen"] = outcomes.plan(outcomes.first_wins, outcomes.straight)
    plan = outcomes.by_place(outcomes.plan(outcomes.first_wins, outcomes.straight), **ways)
    made = Recipe(_NAME, "find_then_certify", parameters, plan, by)
    if not _happens(drawn, 0.08):
        return made
    several: list[tuple[str, Parameter]] = [
        ("N", 1),
        ("delta", drawn.choice(_NO_LEVELS)),
        ("assumes", drawn.choice(("a winner", "that there is no winner"))),
    ]
    return _refused(made, *drawn.choice(several))


def _with_arms_out(drawn: random.Random, N: int, by: Conventions) -> Recipe:
    """Draw a search whose first champion throws out some arms; then it, or such an arm, is next."""
    first, best, second = drawn.sample(range(by.first_arm, by.first_arm + N), 3)
    last = drawn.choice((best, best, second))  # The second one loses to it, if to any.
    assumes = drawn.choice((_A_WINNER, "nothing"))
    second = second if assumes == _A_WINNER else first
    ways = {
        "s0_find": outcomes.plan(outcomes.arm_wins(first), outcomes.straight),
        "s0_certify": outcomes.plan(outcomes.loses_to(best), outcomes.straight),
        "s1_find": outcomes.plan(outcomes.arm_wins(second), outcomes.straight),
        "s1_certify": outcomes.plan(outcomes.loses_to(last), outcomes.straight),
        "expose": outcomes.plan(outcomes.first_loses, outcomes.straight),
    }
    plan = outcomes.by_place(outcomes.plan(outcomes.first_wins, outcomes.straight), **ways)
    # At these levels the first round is the last one, and the likelihood may decide before W.
    of: dict[str, Parameter] = {"N": N, "assumes": assumes}
    of["delta"] = f"1/{drawn.choice((3, 5, 8, 9))}"
    return Recipe(_NAME, "find_then_certify", of, plan, by)


def _first_certificate(
    drawn: random.Random, N: int, assumes_a_winner: bool
) -> tuple[str, outcomes.Plan]:
    """Draw delta and a certificate of stage 0 that ends by equality or with its budget."""
    if drawn.random() < 0.4:
        # After some more duels a match can be won and lost at the same time.
        slow = outcomes.along_the_boundary(drawn.randint(50, 62))
        level = write_rational(Fraction(drawn.randint(25, 99), 100))
        return level, outcomes.plan(outcomes.first_wins, slow)
    if N in _POWERS and drawn.random() < 0.5:
        # The likelihood that loses a match, (2N)**-6, is this power of 1/4: this many losses.
        return _level(drawn, many=True), outcomes.plan(outcomes.first_loses, outcomes.straight)
    if drawn.random() < 0.5:
        # MixtureTest's evidence has 9/10 of delta, or half of the first champion's 4/5.
        (value, way), share = _tie(drawn), Fraction(9, 10) if assumes_a_winner else Fraction(2, 5)
    else:
        # In a first stage the likelihood has 4/5 of the rest.
        value, way = _likelihood_tie(drawn, Fraction(3, 8))
        share = Fraction(4, 50) if assumes_a_winner else Fraction(8, 25)
    return _near(drawn, 1 / (share * value)), outcomes.plan(outcomes.first_wins, way)


def _vary(
    drawn: random.Random,
    ways: dict[str, outcomes.Plan],
    N: int,
    champions: Sequence[outcomes.Winner],
) -> None:
    """Draw the outcomes of the first two stages; the third one ends without variation."""
    for s, champion in enumerate(champions):
        winner = drawn.choice((champion, outcomes.cycle(N), outcomes.scripted(_script(drawn))))
        ways[f"s{s}_find"] = outcomes.plan(winner, _way(drawn, outcomes.tie))
        screened = outcomes.first_loses if _happens(drawn, 0.25) else outcomes.first_wins
        ways[f"s{s}_screen"] = outcomes.plan(screened, _way(drawn, outcomes.tie, outcomes.held))
        some = drawn.choice(
            (outcomes.first_wins, outcomes.scripted(_script(drawn)), outcomes.first_loses)
        )
        ways[f"s{s}_expose"] = outcomes.plan(some, _way(drawn, outcomes.tie, outcomes.held))
        but_for_some = outcomes.scripted("u" * drawn.randint(0, 9) + "v")
        certified = but_for_some if _happens(drawn, 0.4) else outcomes.first_wins
        ways[f"s{s}_certify"] = outcomes.plan(certified, _way(drawn))


def _way(drawn: random.Random, *more: outcomes.Way) -> outcomes.Way:
    return outcomes.by_turns(*drawn.sample([*_ways(drawn), *more], 2))


def _script(drawn: random.Random) -> str:
    return "".join(drawn.choice("uv") for _ in range(drawn.randint(1, 12)))
