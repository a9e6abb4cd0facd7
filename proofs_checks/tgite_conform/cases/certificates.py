"""Cases of the certificates, which are not the paper's: every ending, every assumption."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction

from tgite import RULINGS
from tgite.beyond.find_then_certify import gap_tried
from tgite.confidence import write_rational
from tgite_conform.cases.choices import (
    BRACKETS,
    FIRST_ARM_IS_ONE,
    UNLIKE_RULINGS,
    described,
    recipe,
)
from tgite_conform.format import Parameter
from tgite_conform.margins import evidence, likelihood
from tgite_conform.plans import (
    Plan,
    along_the_boundary,
    arm_wins,
    by_place,
    by_turns,
    cycle,
    held,
    higher_wins,
    late,
    loses_to,
    lower_wins,
    noisy,
    plan,
    scripted,
    straight,
    tie,
)
from tgite_conform.record import Recipe, played

_A_WINNER = "that there is a winner"
_HAIR = Fraction(1, 10**15)
_VARIED = by_turns(straight, late(2), noisy(5, 80), late(1))
_LEVELS = ("1/10", "9/10", "1/3", "1/1000000", "2^-64")
_TINY = "2^-1100"

# (n, s) at which the evidence W is made to be exactly 1/level.
_TIES = ((2, 2), (7, 7), (20, 16), (61, 42))

# More of them: double precision falls short of 1/level, by sums and by logarithms of factorials.
_SHORT_IN_DOUBLES = ((5, 4), (12, 9), (21, 19), (30, 20), (57, 47))

# (stage, n, s) at which the likelihood of the stage's gap is made to be exactly what wins a match,
# while W is less. Sums of logarithms in double precision fall short of it in one way or another,
# at (11, 10) and (70, 53) in every way that was tried.
_LIKELIHOOD_TIES = ((0, 5, 5), (0, 10, 10), (0, 11, 10), (0, 29, 27), (1, 70, 53))

# (margin, n) at which n/2 wins are made to be equivalent exactly: such sums miss all of them.
_EQUIVALENT_TIES = (("1/4", 10), ("1/4", 20), ("1/3", 4), ("1/3", 18))

# (arms, duels along the boundary) with which fewer duels are left than an arm has to lose again.
_LEAST_LEFT = ((6, 69), (9, 58))


def recipes() -> Iterator[Recipe]:
    """Yield the recipes."""
    yield from _levels()
    yield from _equalities(_TIES, 3)
    yield from _margins()
    yield from _budgets_and_orders()
    yield from _found()
    yield from _later_stages()
    yield from _cut()


def recipes_of_equalities() -> Iterator[Recipe]:
    """Yield those of version 1.4: equalities that double precision misses, and what is left."""
    yield from _equalities(_SHORT_IN_DOUBLES, 2)
    yield from _equivalences()
    yield from _likelihoods()
    yield from _lost_by_likelihood()
    for N, duels in _LEAST_LEFT:
        certified = plan(arm_wins(0), along_the_boundary(duels))
        outcomes = _by_place(s0_certify=certified, s0_expose=plan(lambda bout: True, held))
        name = f"{N} arms: what is left of the budget ends a match of an arm that lost before"
        yield _find(name, outcomes, N, "9/10", assumes=_A_WINNER)


# A certificate alone.


def _certify(name: str, outcomes: Plan, N: int, c: int, delta: str, **more: Parameter) -> Recipe:
    return recipe("certify", name, outcomes, None, RULINGS, N=N, c=c, delta=delta, **more)


def _levels() -> Iterator[Recipe]:
    for delta in _LEVELS:
        for N in (2, 3, 5):
            for words, way in (("straight", straight), ("late", late(2)), ("3 of 4", noisy(2, 75))):
                name = f"delta = {delta}, {N} arms, {words}: it wins"
                yield _certify(name, plan(arm_wins(1), way), N, 1, delta)
            name = f"delta = {delta}, {N} arms: it loses to the last"
            yield _certify(name, plan(loses_to(N - 1), _VARIED), N, 0, delta)
    yield _certify(f"delta = {_TINY}: it wins", plan(arm_wins(0), straight), 2, 0, _TINY)
    for against in ("1/10", "1/2", "2^-64"):
        for words, winner in (("wins", arm_wins(2)), ("loses to 3", loses_to(3))):
            name = f"against = {against}, 4 arms: it {words}"
            yield _certify(name, plan(winner, _VARIED), 4, 2, "1/100", against=against)
    for own_side, how, winner in (
        (True, "won", arm_wins(0)),
        (False, "won", arm_wins(0)),
        (True, "one lost", loses_to(2)),
    ):
        for duels in (50, 400):
            whose = "its own" if own_side else "the other"
            name = f"4 arms: matches along {whose} boundary to {duels}, {how}"
            yield _certify(name, plan(winner, along_the_boundary(duels, own_side)), 4, 0, "1/10")


def _equalities(ties: Iterable[tuple[int, int]], N: int) -> Iterator[Recipe]:
    """The evidence is exactly what it must reach, or a hair from it."""
    for n, s in ties:
        exact = 1 / evidence(n, s)
        for which, near in (
            ("exactly", exact),
            ("a hair short", exact * (1 - _HAIR)),
            ("a hair over", exact * (1 + _HAIR)),
        ):
            for words, winner in (("won", lower_wins), ("lost", loses_to(1))):
                level = write_rational(near)
                name = f"W({n}, {s}) = 1/level, {which}: {words}"
                outcomes = plan(winner, late(n - s))
                yield _certify(name, outcomes, N, 0, level, against=level)


def _equivalences() -> Iterator[Recipe]:
    for margin, n in _EQUIVALENT_TIES:
        exact = 2 * likelihood(Fraction(margin), n, n // 2)
        due, short = write_rational(exact), write_rational(exact * (1 - _HAIR))
        # That of the side that was ahead before the last duel decides.
        for words, delta, against, ahead in (
            ("exactly", due, due, True),
            ("a hair short", short, short, True),
            ("exactly by delta", due, "99/100", False),
            ("exactly by against", "99/100", due, True),
        ):
            name = f"margin {margin}: equivalent at {n} duels, {words}"
            outcomes = plan(scripted("u" if ahead else "v"), tie)
            yield _certify(name, outcomes, 2, 0, delta, against=against, margin=margin)


def _margins() -> Iterator[Recipe]:
    for margin in ("1/4", "1/10", "2/5"):
        for words, way in (("ties", tie), ("ties and wins", by_turns(tie, straight, late(1)))):
            for N in (2, 4):
                name = f"margin {margin}, {N} arms: {words}"
                yield _certify(name, plan(arm_wins(0), way), N, 0, "1/10", margin=margin)
        name = f"margin {margin}: a tie, then a loss"
        outcomes = plan(loses_to(2), by_turns(tie, straight))
        yield _certify(name, outcomes, 4, 0, "1/10", margin=margin, against="1/7")
        for percent in (45, 55):
            name = f"margin {margin}: it wins {percent} of 100"
            outcomes = plan(lambda bout: True, noisy(percent, percent))
            yield _certify(name, outcomes, 3, 0, "1/10", margin=margin, against="1/10")
    # Four wins in eight duels have the likelihood 81/256 on both sides.
    for which, near in (("exactly", Fraction(81, 128)), ("a hair", Fraction(81, 128) - _HAIR)):
        level = write_rational(near)
        name = f"margin 1/4: equivalent at 8 duels, {which}"
        yield _certify(name, plan(arm_wins(0), tie), 3, 0, level, margin="1/4", against=level)
    for which in ("delta", "against"):
        levels: dict[str, Parameter] = {"delta": "1/4", "against": "1/4", which: "1/1000"}
        name = f"margin 1/4: {which} far below the other level"
        outcomes = plan(arm_wins(0), by_turns(tie, noisy(3, 60)))
        yield recipe("certify", name, outcomes, None, RULINGS, N=4, c=0, margin="1/4", **levels)


def _budgets_and_orders() -> Iterator[Recipe]:
    whole = played(_certify("", plan(arm_wins(0), _VARIED), 4, 0, "1/10"))
    lengths = [match.length for match in whole.matches]
    ends = [sum(lengths[:number]) for number in range(1, 4)]
    for budget in sorted({1, *ends, *(end - 1 for end in ends), ends[0] + 1, ends[-1] + 1}):
        name = f"4 arms, budget {budget} where {ends[-1]} are enough"
        yield _certify(name, plan(arm_wins(0), _VARIED), 4, 0, "1/10", budget=budget)
    name = "a tie without a margin: the budget ends it"
    yield _certify(name, plan(arm_wins(0), tie), 3, 0, "1/10", budget=101)
    name = "ties within a margin, then the budget"
    yield _certify(name, plan(arm_wins(0), tie), 4, 0, "1/10", budget=150, margin="1/4")
    for order in ((2, 1, 3, 4), (4, 3, 2, 1), (3, 1, 4, 2)):
        name = f"in the order {list(order)}: it loses to 3"
        yield _certify(name, plan(loses_to(3), _VARIED), 5, 0, "1/10", order=order)
    for by in (FIRST_ARM_IS_ONE, UNLIKE_RULINGS):
        first = by.first_arm
        for words, winner in (("wins", arm_wins(first + 1)), ("loses", loses_to(first))):
            name = f"it {words}: {described(by)}"
            more: dict[str, Parameter] = {"N": 4, "c": first + 1, "delta": "1/10"}
            more["order"] = (first + 3, first, first + 2)
            yield recipe("certify", name, plan(winner, _VARIED), None, by, **more)
        name = f"ties within a margin: {described(by)}"
        more = {"N": 3, "c": first + 2, "delta": "1/10", "margin": "1/4"}
        yield recipe("certify", name, plan(arm_wins(first + 2), tie), None, by, **more)


# Find, then certify.


def _find(name: str, outcomes: Plan, N: int, delta: str, **more: Parameter) -> Recipe:
    return recipe("find_then_certify", name, outcomes, None, RULINGS, N=N, delta=delta, **more)


_ASSUMING: dict[str, dict[str, Parameter]] = {
    "nothing": {},
    "nothing, said": {"assumes": "nothing"},
    "a winner": {"assumes": _A_WINNER},
}


def _found() -> Iterator[Recipe]:
    for N in (2, 3, 4, 5, 8, 11):
        for c in sorted({0, N // 2, N - 1}):
            for words in ("nothing", "a winner"):
                outcomes = plan(arm_wins(c), _VARIED if N < 9 else straight)
                name = f"{N} arms, {c} wins, assuming {words}"
                yield _find(name, outcomes, N, "1/10", **_ASSUMING[words])
    for delta in _LEVELS:
        for words, more in _ASSUMING.items():
            name = f"delta = {delta}: 4 arms, assuming {words}"
            yield _find(name, plan(arm_wins(2), straight), 4, delta, **more)
    for N in (16, 33):
        for words in ("nothing", "a winner"):
            name = f"{N} arms, assuming {words}"
            yield _find(name, plan(arm_wins(N // 3), straight), N, "1/3", **_ASSUMING[words])
    for by in (*BRACKETS[1::3], FIRST_ARM_IS_ONE, UNLIKE_RULINGS):
        for words in ("nothing", "a winner"):
            given: dict[str, Parameter] = {"N": 5, "delta": "1/10", **_ASSUMING[words]}
            winner = arm_wins(by.first_arm + 3)
            name = f"5 arms, assuming {words}: {described(by)}"
            yield recipe("find_then_certify", name, plan(winner, straight), None, by, **given)


def _by_place(**ways: Plan) -> Plan:
    """Let arm 0 win straight where nothing else is said."""
    return by_place(plan(arm_wins(0), straight), ways)


def _later_stages() -> Iterator[Recipe]:
    lost, tied = plan(lambda bout: False, straight), plan(lambda bout: True, tie)
    undecided = plan(lambda bout: True, held)
    second, third = plan(arm_wins(1), straight), plan(arm_wins(2), straight)
    runs: dict[str, Plan] = {
        "it loses the first screening": _by_place(s0_screen=lost),
        "it loses two screenings": _by_place(s0_screen=lost, s1_screen=lost),
        "the first screening is a tie": _by_place(s0_screen=tied),
        "the first screening has no more duels": _by_place(s0_screen=undecided),
        "the first certificate is lost": _by_place(s0_certify=lost),
        "two certificates are lost": _by_place(s0_certify=lost, s1_certify=lost),
        "a screening and a certificate are lost": _by_place(s0_screen=lost, s1_certify=lost),
        "another champion each time": _by_place(
            s0_find=second, s0_certify=lost, s1_find=third, s1_screen=lost
        ),
        "the tournament ends in ties": _by_place(find=plan(scripted("u"), tie)),
        "long matches": _by_place(certify=plan(arm_wins(0), along_the_boundary(60))),
        "lost late": _by_place(s0_certify=plan(lambda bout: False, along_the_boundary(30))),
        "noisy": plan(arm_wins(0), noisy(1, 80)),
        "noisier": plan(arm_wins(0), noisy(4, 70)),
    }
    exposing: dict[str, Plan] = {
        "nobody is exposed": _by_place(expose=plan(lambda bout: False, straight)),
        "exposing is a tie": _by_place(expose=tied),
        "exposing has no more duels": _by_place(expose=undecided),
        "exposed late": _by_place(expose=plan(lambda bout: True, late(3))),
        "some are exposed": _by_place(expose=plan(scripted("uuv"), late(1))),
        "exposed in stage 1": _by_place(s0_screen=lost),
        "not exposed and lost": _by_place(
            s0_expose=plan(lambda bout: False, straight), s0_certify=lost
        ),
    }
    for N in (3, 5, 8):
        for words, outcomes in runs.items():
            yield _find(f"{N} arms: {words}", outcomes, N, "1/10")
            yield _find(
                f"{N} arms, assuming a winner: {words}", outcomes, N, "1/10", assumes=_A_WINNER
            )
        for words, outcomes in exposing.items():
            name = f"{N} arms, assuming a winner: {words}"
            yield _find(name, outcomes, N, "1/10", assumes=_A_WINNER)
    # Matches that are won late spend the budget of a certificate before the last of them is over.
    late_wins, nobody = along_the_boundary(58), plan(lambda bout: False, straight)
    for words in ("nothing", "a winner"):
        for N in (5, 6, 9):
            name = f"{N} arms, assuming {words}: the budget is spent"
            outcomes = _by_place(s0_certify=plan(arm_wins(0), late_wins), s0_expose=nobody)
            yield _find(name, outcomes, N, "9/10", **_ASSUMING[words])


def _likelihoods() -> Iterator[Recipe]:
    """The likelihood is exactly what wins a match, of a certificate and of an arm that lost."""
    lost = plan(lambda bout: False, straight)
    for s, n, wins in _LIKELIHOOD_TIES:
        value = likelihood(gap_tried(s), n, wins)
        late_win = plan(lambda bout: True, late(n - wins))
        for which, near in (("exactly", value), ("a hair short", value * (1 + _HAIR))):
            # 2/a, or where it is assumed that there is a winner, 1/a.
            level = write_rational(3 / near)
            words = f"L({n}, {wins}) = {{}}/a in stage {s}, {which}"
            before = {f"s{earlier}_screen": lost for earlier in range(s)}
            outcomes = _by_place(**before, certify=late_win)
            yield _find(words.format(2), outcomes, 2, level)
            if s == 0 and n - wins < 2:  # Two lost duels at the beginning end such a match.
                outcomes = _by_place(expose=late_win)
                name = f"{words.format(1)}: an arm loses again"
                yield _find(name, outcomes, 4, level, assumes=_A_WINNER)


def _lost_by_likelihood() -> Iterator[Recipe]:
    """In stage 0, of a power of two, it is exactly what loses a match after so many lost duels."""
    lost = plan(lambda bout: False, straight)
    for N in (2, 4, 8, 16):
        name = f"{N} arms: L = 1/{2 * N}^6 after {3 * N.bit_length()} duels"
        yield _find(name, _by_place(s0_certify=lost), N, "1/10")


def _cut() -> Iterator[Recipe]:
    cyclic = _find("", plan(cycle(5), straight), 5, "1/10")
    for words, way in (("straight", straight), ("late", late(2))):
        made = replace(cyclic, plan=plan(cycle(5), way))
        for horizon in (1, 30, 200, 1000):
            yield replace(made, name=f"a cycle, {words}; cut after {horizon}", horizon=horizon)
    whole = played(_find("", plan(higher_wins, straight), 4, "1/10"))
    rounds = 0
    for number, match in enumerate(whole.matches, start=1):
        rounds += match.length
        if rounds < whole.duels:
            made = _find(
                f"4 arms; cut after match {number}", plan(higher_wins, straight), 4, "1/10"
            )
            yield replace(made, horizon=rounds)
            yield replace(made, name=f"{made.name}, one duel before", horizon=rounds - 1)
    certificate = _certify("", plan(arm_wins(0), late(2)), 4, 0, "1/10")
    for horizon in (1, 10, 20):
        yield replace(certificate, name=f"a certificate; cut after {horizon}", horizon=horizon)
