"""Random cases of certificates: every ending, and near it, in some thousands of duels at most.

Outcomes by chance hardly ever end a certificate. So a champion that wins is planned, and how; where
it loses, is held or equals another arm is drawn as far as the run ends all the same.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate

from tgite.confidence import write_rational
from tgite_conform import plans, random_values
from tgite_conform.format import Parameter
from tgite_conform.margins import evidence, likelihood
from tgite_conform.record import Recipe, played

_FEW_ARMS, _MANY_ARMS = 12, 400
_POWERS = (2, 4, 8)
_LONGEST_TIE = 60
_HAIR = Fraction(1, 10**15)
_NAME = "drawn at random"
_A_WINNER = "that there is a winner"
_NO_LEVELS = ("1", "3/2", "1/4 * 6/pi^2")


def recipe(drawn: random.Random, algorithm: str, many_arms: float) -> Recipe:
    """Draw a recipe for one of the two; ``many_arms``: how often it has hundreds of arms.

    Raises ``ValueError`` now and then, for an exact level that is none.
    """
    many = _seldom(drawn, many_arms)
    few = drawn.choice((2, 3, 4, 5, 6, 8, drawn.randint(2, _FEW_ARMS)))
    N = drawn.randint(_FEW_ARMS, _MANY_ARMS) if many else few
    made = (_certify if algorithm == "certify" else _find)(drawn, N, many)
    return replace(made, horizon=_cut(drawn, made)) if _seldom(drawn, 0.08) else made


def _seldom(drawn: random.Random, chance: float) -> bool:
    """Draw whether something happens, with a chance; where a case is made small it does not."""
    return drawn.random() > 1 - chance


def _cut(drawn: random.Random, made: Recipe) -> int | None:
    """Draw a horizon that cuts a run."""
    if made.bad:
        return None
    return drawn.randint(1, max(1, played(made).duels - 1))


def _level(drawn: random.Random, many: bool) -> str:
    """Draw a level at which matches last some hundred duels, or with many arms some ten."""
    denominator = drawn.randint(2, 100)
    level = write_rational(Fraction(drawn.randint(1, denominator - 1), denominator))
    smaller = f"2^-{drawn.randint(1, 60)}", f"1/{10 ** drawn.randint(1, 15)}"
    return level if many else drawn.choice((level, *smaller))


def _near(drawn: random.Random, exact: Fraction) -> str:
    """Write a level that evidence reaches exactly, or with a hair too little or too much."""
    level = exact * drawn.choice((1, 1, 1 - _HAIR, 1 + _HAIR))
    if not 0 < level < 1:
        raise ValueError(f"no level: {level}")
    return write_rational(level)


def _tie(drawn: random.Random) -> tuple[Fraction, plans.Way]:
    """Draw evidence of MixtureTest's, and how a match comes to it."""
    lost = drawn.randint(0, _LONGEST_TIE // 3)
    n = drawn.randint(2 * lost + 1, 2 * lost + _LONGEST_TIE // 2)
    return evidence(n, n - lost), plans.late(lost)


def _likelihood_tie(drawn: random.Random, g: Fraction) -> tuple[Fraction, plans.Way]:
    """Draw a likelihood of the gap g, and how a match comes to it."""
    lost, ahead = drawn.randint(0, 3), drawn.randint(1, 20)
    return likelihood(g, 2 * lost + ahead, lost + ahead), plans.late(lost)


def _ways(drawn: random.Random) -> list[plans.Way]:
    """Draw ways on which the winner wins in the end."""
    return [
        plans.straight,
        plans.late(drawn.randint(0, 30)),
        plans.noisy(drawn.randrange(10**6), drawn.randint(75, 95)),
        plans.along_the_boundary(drawn.randint(1, 120), drawn.random() < 0.5),
    ]


# A certificate alone.


def _certify(drawn: random.Random, N: int, many: bool) -> Recipe:
    by = random_values.conventions(drawn)
    arms = range(by.first_arm, by.first_arm + N)
    c = drawn.choice(arms)
    others = [arm for arm in arms if arm != c]
    parameters: dict[str, Parameter] = {"N": N, "c": c, "delta": _level(drawn, many)}
    ways: list[plans.Way] = [plans.straight] if many else drawn.sample(_ways(drawn), 3)
    if _seldom(drawn, 0.5):
        parameters["against"] = _level(drawn, many)
    margin = Fraction(drawn.randint(13, 49), 100) if _seldom(drawn, 0.4) else None
    if margin is not None:
        parameters["margin"] = write_rational(margin)
        # Arms that hardly differ come to an end now.
        equal = plans.tie, plans.noisy(drawn.randrange(10**6), drawn.randint(40, 60))
        ways[0] = drawn.choice(equal)
    if _seldom(drawn, 0.3):
        level, way = _exact_level(drawn, margin)
        parameters |= {"delta": level, "against": level}
        ways = [way]
    if _seldom(drawn, 0.5):
        parameters["order"] = tuple(drawn.sample(others, N - 1))
    winner = plans.loses_to(drawn.choice(others)) if _seldom(drawn, 0.4) else plans.arm_wins(c)
    made = Recipe(_NAME, "certify", parameters, plans.plan(winner, plans.by_turns(*ways)), by)
    if _seldom(drawn, 0.18):
        return _refused(made, *_bad_input(drawn, c, others, arms))
    if margin is None and _seldom(drawn, 0.1):
        tied = plans.plan(winner, plans.by_turns(plans.tie, *ways))
        return _with(replace(made, plan=tied), "budget", drawn.randint(1, 300))
    return _with(made, "budget", _budget(drawn, made)) if _seldom(drawn, 0.35) else made


def _exact_level(drawn: random.Random, margin: Fraction | None) -> tuple[str, plans.Way]:
    """Draw a level of both sides at which a match ends by equality."""
    if margin is None or drawn.random() < 0.5:
        value, way = _tie(drawn)
        return _near(drawn, (1 if margin is None else 2) / value), way
    pairs = drawn.randint(1, _LONGEST_TIE // 2)
    return _near(drawn, 2 * likelihood(margin, 2 * pairs, pairs)), plans.tie


def _budget(drawn: random.Random, made: Recipe) -> int:
    """Draw a budget near the end of one of the matches."""
    ends = list(accumulate(match.length for match in played(made).matches))
    return max(1, drawn.choice(ends[::-1]) + drawn.choice((0, -1, 1)))


def _bad_input(
    drawn: random.Random, c: int, others: Sequence[int], arms: Sequence[int]
) -> tuple[str, Parameter]:
    """Draw a parameter that must be refused."""
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
    by = random_values.conventions(drawn)
    parameters: dict[str, Parameter] = {"N": N, "delta": _level(drawn, many)}
    if _seldom(drawn, 0.75):
        parameters["assumes"] = drawn.choice((_A_WINNER, _A_WINNER, "nothing"))
    champions = [plans.arm_wins(drawn.randrange(N) + by.first_arm) for _ in range(2)]
    ways: dict[str, plans.Plan] = {
        "find": plans.plan(champions[0], plans.straight),
        "s1_find": plans.plan(champions[1], plans.straight),
    }
    if not many:
        _vary(drawn, ways, N, champions)
        if _seldom(drawn, 0.4):
            said = parameters.get("assumes") == _A_WINNER
            parameters["delta"], ways["s0_certify"] = _first_certificate(drawn, N, said)
            ways["s0_screen"] = plans.plan(_first_wins, plans.straight)
    outcomes = plans.by_place(plans.plan(_first_wins, plans.straight), ways)
    made = Recipe(_NAME, "find_then_certify", parameters, outcomes, by)
    if not _seldom(drawn, 0.08):
        return made
    several: list[tuple[str, Parameter]] = [
        ("N", 1),
        ("delta", drawn.choice(_NO_LEVELS)),
        ("assumes", drawn.choice(("a winner", "that there is no winner"))),
    ]
    return _refused(made, *drawn.choice(several))


def _first_certificate(
    drawn: random.Random, N: int, assumes_a_winner: bool
) -> tuple[str, plans.Plan]:
    """Draw delta and the matches of a certificate in stage 0, which tries the gap 3/8.

    Matches that are won by equality, or lost by it, or so late that the budget of all is spent.
    """
    if drawn.random() < 0.4:
        # The two ends of a match, won and lost, come together after some more duels.
        slow = plans.along_the_boundary(drawn.randint(50, 62))
        level = write_rational(Fraction(drawn.randint(25, 99), 100))
        return level, plans.plan(_first_wins, slow)
    if N in _POWERS and drawn.random() < 0.5:
        # The likelihood that loses a match, (2N)**-6, is a power of 1/4: so many losses.
        return _level(drawn, many=True), plans.plan(_first_loses, plans.straight)
    # It has 2/3 of delta, half of that where there is another match, for two kinds of evidence.
    share = 6 if assumes_a_winner else 3
    value, way = drawn.choice((_tie(drawn), _likelihood_tie(drawn, Fraction(3, 8))))
    return _near(drawn, share / value), plans.plan(_first_wins, way)


def _vary(
    drawn: random.Random, ways: dict[str, plans.Plan], N: int, champions: Sequence[plans.Winner]
) -> None:
    """Draw what happens in the first two stages: the third ends straight."""
    for s, champion in enumerate(champions):
        winner = drawn.choice((champion, plans.cycle(N), plans.scripted(_script(drawn))))
        ways[f"s{s}_find"] = plans.plan(winner, _way(drawn, plans.tie))
        screened = _first_loses if _seldom(drawn, 0.25) else _first_wins
        ways[f"s{s}_screen"] = plans.plan(screened, _way(drawn, plans.tie, plans.held))
        some = drawn.choice((_first_wins, plans.scripted(_script(drawn)), _first_loses))
        ways[f"s{s}_expose"] = plans.plan(some, _way(drawn, plans.tie, plans.held))
        but_for_some = plans.scripted("u" * drawn.randint(0, 9) + "v")
        certified = but_for_some if _seldom(drawn, 0.4) else _first_wins
        ways[f"s{s}_certify"] = plans.plan(certified, _way(drawn))


def _way(drawn: random.Random, *more: plans.Way) -> plans.Way:
    return plans.by_turns(*drawn.sample([*_ways(drawn), *more], 2))


def _script(drawn: random.Random) -> str:
    return "".join(drawn.choice("uv") for _ in range(drawn.randint(1, 12)))


def _first_wins(bout: plans.Bout) -> bool:
    return True


def _first_loses(bout: plans.Bout) -> bool:
    return False
