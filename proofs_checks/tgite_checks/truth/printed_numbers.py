"""Do the Experiments section's numbers follow from the text? Fewest duels, and exact laws.

DuelTest cannot stop before ``least_duels(delta)`` duels, whatever the outcomes, and TreeAscent
always plays N - 1 matches at known levels. So the regrets have floors that hold for every sequence
of outcomes, every instance and every seed; several printed numbers lie below them.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from tgite.comparators.seq_elim import seq_elim
from tgite.confidence import Confidence
from tgite.instances import cyclic
from tgite.questions import Arm, Match, match
from tgite_checks.enclosure import Enclosure
from tgite_checks.explore import walk
from tgite_checks.implementation import Implementation
from tgite_checks.laws.arithmetic import times
from tgite_checks.laws.bracket import bracket, bracket_law
from tgite_checks.laws.pairs import pairs
from tgite_checks.laws.policies import strong_regret_anytime, strong_regret_known_horizon
from tgite_checks.ledger.model import Check, Depth, Kind, Number, Question, Result
from tgite_checks.truth.comparing import AtMost, compared, rational
from tgite_checks.truth.duel_test import laws_of, least_duels
from tgite_checks.truth.keeping import kept
from tgite_checks.truth.tournaments import anytime_laws, ascent, knockout, paper_settings

_IN, _OUT = 1 - 1e-12, 1 + 1e-12
"""Factors that move a quotient of floats outwards by far more than its rounding."""

N = 256
HORIZON = 100_000


@dataclass(frozen=True, slots=True)
class Printed:
    """A printed mean with its standard deviation over ten seeds."""

    mean: int
    deviation: int

    def low(self, deviations: int = 2) -> Enclosure:
        """Return the mean less so many of its deviations."""
        return rational(self.mean - deviations * self.deviation)

    def high(self, deviations: int = 2) -> Enclosure:
        """Return the mean and so many of its deviations."""
        return rational(self.mean + deviations * self.deviation)


WEAK = Printed(2384, 82)
KNOWN_HORIZON = Printed(5928, 154)
ANYTIME = Printed(25_337, 336)
PLATEAU_BEFORE = 5000
FLATTENS_AT = 7000


@kept
def levels_of_pass(under_test: Implementation, epsilon: Confidence) -> tuple[Confidence, ...]:
    """Return the levels of the 255 matches of a pass at N = 256 (the same for every start)."""

    def first_wins(asked: Match) -> Arm:
        return asked.first

    tree = under_test.BalancedTree.over(N)
    path = walk(under_test.tree_ascent(0, tree, epsilon, match), first_wins, N)
    return tuple(asked.delta for asked in path.matches)


@kept
def fewest(under_test: Implementation, epsilon: Confidence, spared: int = 0) -> int:
    """Return the fewest duels of a pass at N = 256, without its ``spared`` longest matches."""
    known = functools.cache(least_duels)
    durations = sorted(known(level) for level in levels_of_pass(under_test, epsilon))
    return sum(durations[: len(durations) - spared])


def matches_of_one_arm(under_test: Implementation) -> int:
    """Return the most matches of any one arm in a pass at N = 256, over all entry levels.

    An arm that enters in block h plays h - 1 rounds there and 8 - h + 1 merges; the start plays 8.
    """
    tree = under_test.BalancedTree.over(N)
    return max(tree.L, *((h - 1) + (tree.L - h + 1) for h in range(1, tree.L + 1)))


def _floor_cases(under_test: Implementation, allowed: str) -> Iterator[AtMost]:
    warm_start = under_test.schedules.WEAK_WARM_START
    free = matches_of_one_arm(under_test)
    known = under_test.schedules.known_horizon_level(HORIZON)
    floor = {
        "weak": fewest(under_test, warm_start, free),
        "plateau": fewest(under_test, warm_start, free),
        "known": fewest(under_test, known),
        "flattening": fewest(under_test, known),
        "anytime": anytime_floor(under_test),
    }[allowed]
    printed, said = {
        "weak": (WEAK.high(), "weak regret 2384 +- 82, two deviations up"),
        "plateau": (rational(PLATEAU_BEFORE), "the plateau before t = 5000"),
        "known": (KNOWN_HORIZON.high(), "strong regret 5928 +- 154, two deviations up"),
        "flattening": (rational(FLATTENS_AT), "flattening at about 7000 rounds"),
        "anytime": (ANYTIME.high(), "strong regret 25 337 +- 336, two deviations up"),
    }[allowed]
    yield AtMost(f"fewest duels of any run, against {said}", rational(floor), printed)


def anytime_floor(under_test: Implementation) -> int:
    """Return the least strong regret of the anytime policy after 100 000 rounds, of any run.

    A run that has ended the passes of phases 1 to 4 has spent their fewest duels; one that has
    not has self-played in phases 1 to 3 at most.
    """
    schedules = under_test.schedules
    passes = sum(fewest(under_test, schedules.anytime_level(s)) for s in range(1, 5))
    self_play = sum(schedules.self_play_rounds(s) for s in range(1, 4))
    return min(passes, HORIZON - self_play)


def _impossible(under_test: Implementation, depth: Depth, *, what: str) -> Result:
    """Show that what is printed lies below what every run costs."""
    (case,) = tuple(_floor_cases(under_test, what))
    number = Number(case.name, case.value, case.bound)
    if case.value.low > case.bound.high:
        return Result(True, 1, f"impossible: {case.name}", (number,))
    return Result(False, 1, f"possible: {case.name}", (number,), case.name)


def _at_level_one(under_test: Implementation, depth: Depth, *, what: str) -> Result:
    """Examine the perturbed statement that every DuelTest may stop after 3 duels."""
    matches = N - 1 - (matches_of_one_arm(under_test) if what == "weak" else 0)
    passes = 4 if what == "anytime" else 1
    printed = {
        "weak": WEAK.high(),
        "plateau": rational(PLATEAU_BEFORE),
        "known": KNOWN_HORIZON.high(),
        "flattening": rational(FLATTENS_AT),
        "anytime": ANYTIME.high(),
    }[what]
    case = AtMost(f"fewest duels, three a match, {what}", rational(3 * matches * passes), printed)
    return compared(_reversed(case), "floor")


def _reversed(case: AtMost) -> Iterator[AtMost]:
    """Return the case of the printed number lying below the floor."""
    yield AtMost(case.name, case.bound, case.value)


def _impossible_check(what: str, name: str, domain: str) -> Check:
    return Check(
        name=name,
        question=Question.EXPERIMENT,
        kind=Kind.CERTIFIED,
        domain=domain,
        run=functools.partial(_impossible, what=what),
        refuses={
            "the same floor with three duels a match": functools.partial(_at_level_one, what=what)
        },
    )


@kept
def exact_numbers(under_test: Implementation) -> dict[str, Enclosure]:
    """Return what the text's algorithms cost exactly on the text's instances."""
    laws = laws_of(under_test)
    tree = under_test.BalancedTree.over(N)
    weak_setting, known_setting = paper_settings()[4], paper_settings()[5]
    warm = ascent(under_test, weak_setting, anytime_laws(under_test, weak_setting))
    one_pass = ascent(under_test, known_setting, laws)
    instance = cyclic(N, "0.30", "0.38")
    if warm.weak_regret is None:
        raise AssertionError("the instance has a winner")
    return {
        "weak": warm.weak_regret.mean,
        "weak sd": warm.weak_regret.standard_deviation,
        "warm start duels": warm.comparisons.mean,
        "known": strong_regret_known_horizon(0, tree, HORIZON, instance, laws).total,
        "pass duels": one_pass.comparisons.mean,
        "pass sd": one_pass.comparisons.standard_deviation,
        "anytime": strong_regret_anytime(0, tree, HORIZON, instance, laws).total,
    }


def _exact(under_test: Implementation, depth: Depth, *, what: str, printed: Printed) -> Result:
    """Show that the exact mean is farther from the printed one than any deviation explains."""
    found = exact_numbers(under_test)[what]
    numbers = (
        Number(f"exact mean, {what}", found, rational(printed.mean)),
        Number("ten printed deviations above the printed mean", printed.high(10)),
    )
    if found.low > printed.high(10).high:
        return Result(True, 1, f"the exact mean is {found}, printed {printed.mean}", numbers)
    return Result(False, 1, "the printed mean is within reach", numbers, f"{what}: {found}")


def _near(under_test: Implementation, depth: Depth, *, what: str, printed: Printed) -> Result:
    """Examine the perturbed statement that the printed number agrees with the exact mean."""
    found = exact_numbers(under_test)[what]
    return compared(_within(found, what, printed), "printed mean")


def _within(found: Enclosure, what: str, printed: Printed) -> Iterator[AtMost]:
    yield AtMost(f"exact mean of {what} against ten deviations up", found, printed.high(10))


def _exact_check(what: str, printed: Printed, name: str, domain: str) -> Check:
    return Check(
        name=name,
        question=Question.EXPERIMENT,
        kind=Kind.CERTIFIED,
        domain=domain,
        run=functools.partial(_exact, what=what, printed=printed),
        refuses={
            "the printed mean lies within ten deviations": functools.partial(
                _near, what=what, printed=printed
            )
        },
    )


@kept
def costs_of_identification(
    under_test: Implementation, depth: Depth
) -> tuple[tuple[int, Enclosure, Enclosure], ...]:
    """Return for N = 8, 16, 32, 256 the exact expected duels of TreeAscent and of BKT([N])."""
    laws = laws_of(under_test)
    return tuple(
        (
            setting.preferences.size,
            ascent(under_test, setting, laws).comparisons.mean,
            knockout(under_test, setting, laws).comparisons.mean,
        )
        for setting in paper_settings()[:4]
    )


def _bkt_cheaper_cases(
    under_test: Implementation, depth: Depth, factor: Fraction
) -> Iterator[AtMost]:
    for size, tree, knock in costs_of_identification(under_test, depth):
        scaled = Enclosure(tree.low * float(factor), tree.low * float(factor))
        yield AtMost(f"E[duels] of BKT([N]) against TreeAscent's, N = {size}", knock, scaled)


def _bkt_cheaper(
    under_test: Implementation, depth: Depth, *, factor: Fraction = Fraction(1)
) -> Result:
    return compared(_bkt_cheaper_cases(under_test, depth, factor), "number of arms")


def _linear_cases(under_test: Implementation, depth: Depth, growth: Fraction) -> Iterator[AtMost]:
    costs = costs_of_identification(under_test, depth)
    first = costs[0]
    per_arm = Enclosure(first[1].low / first[0], first[1].high / first[0])
    for size, tree, _ in costs:
        yield AtMost(
            f"E[duels]/N of TreeAscent, N = {size}, against N = 8's",
            Enclosure(tree.low / size * _IN, tree.high / size * _OUT),
            Enclosure(per_arm.low * float(growth), per_arm.low * float(growth)),
        )


def _linear(
    under_test: Implementation, depth: Depth, *, growth: Fraction = Fraction(11, 10)
) -> Result:
    return compared(_linear_cases(under_test, depth, growth), "number of arms")


IMPOSSIBLE_WEAK = _impossible_check(
    "weak",
    "printed-weak-impossible",
    "every outcome sequence and instance: 255 matches of the warm start, without the eight longest "
    "(the winner is in at most eight), each at least its fewest duels, above 2384 + 2 * 82",
)
IMPOSSIBLE_PLATEAU = _impossible_check(
    "plateau",
    "printed-plateau-impossible",
    "every outcome sequence and instance: the fewest duels of the warm start without the winner's "
    "are above 5000, so that regret still grows then",
)
IMPOSSIBLE_KNOWN = _impossible_check(
    "known",
    "printed-known-horizon-impossible",
    "every outcome sequence and instance: the fewest duels of the pass at level 1/100 001, each of "
    "regret one, above 5928 + 2 * 154",
)
IMPOSSIBLE_FLATTENING = _impossible_check(
    "flattening",
    "printed-flattening-impossible",
    "every outcome sequence and instance: the fewest duels of the pass at level 1/100 001, above "
    "7000",
)
IMPOSSIBLE_ANYTIME = _impossible_check(
    "anytime",
    "printed-anytime-impossible",
    "every outcome sequence and instance: the fewest duels of four passes, or the rounds that are "
    "not self-play before the fourth ends, above 25 337 + 2 * 336",
)

EXACT_WEAK = _exact_check(
    "weak",
    WEAK,
    "printed-weak-exact",
    "sparse instance N = 256, gaps .26/.44: the exact mean of the warm start's weak regret (a "
    "lower bound of the run's) is more than ten printed deviations above the printed mean",
)
EXACT_KNOWN = _exact_check(
    "known",
    KNOWN_HORIZON,
    "printed-known-horizon-exact",
    "cyclic instance N = 256, gaps .30/.38, H = 10^5: the exact mean of the strong regret",
)
EXACT_ANYTIME = _exact_check(
    "anytime",
    ANYTIME,
    "printed-anytime-exact",
    "cyclic instance N = 256, gaps .30/.38, T = 10^5: the exact mean of the strong regret",
)

BKT_CHEAPER = Check(
    name="printed-bkt-cheaper",
    question=Question.EXPERIMENT,
    kind=Kind.CERTIFIED,
    domain="cyclic instances .32/.38, level 1/10, N = 8, 16, 32, 256: exact expected duels of BKT "
    "on all arms are at most TreeAscent's, contrary to what is printed",
    run=_bkt_cheaper,
    refuses={"even by a fifth, at every N": functools.partial(_bkt_cheaper, factor=Fraction(4, 5))},
)

NEAR_LINEAR = Check(
    name="printed-near-linear",
    question=Question.EXPERIMENT,
    kind=Kind.CERTIFIED,
    domain="cyclic instances .32/.38, level 1/10, N = 8, 16, 32, 256: TreeAscent's exact expected "
    "duels per arm stay within a tenth of those at N = 8",
    run=_linear,
    refuses={"within a twentieth": functools.partial(_linear, growth=Fraction(21, 20))},
)


def _seq_elim_cases(under_test: Implementation, growth: Fraction) -> Iterator[AtMost]:
    laws = laws_of(under_test)
    per_arm: list[tuple[int, Enclosure]] = []
    for setting in paper_settings()[:4]:
        size = setting.preferences.size
        played = bracket(functools.partial(seq_elim, tuple(range(size)), setting.level))
        law = bracket_law(played, pairs(setting.preferences), laws, setting.preferences.winner())
        mean = law.comparisons.mean
        per_arm.append((size, Enclosure(mean.low / size * _IN, mean.high / size * _OUT)))
    for (_, few), (size, many) in itertools.pairwise(per_arm):
        yield AtMost(
            f"{float(growth)} times SeqElim's E[duels]/N at the N before, N = {size}",
            Enclosure(few.high * float(growth), few.high * float(growth)),
            many,
        )


def _seq_elim(
    under_test: Implementation, depth: Depth, *, growth: Fraction = Fraction(21, 20)
) -> Result:
    return compared(_seq_elim_cases(under_test, growth), "number of arms")


def _false_beaters(
    under_test: Implementation, depth: Depth, *, most: Fraction = Fraction(1, 10**11)
) -> Result:
    rho = under_test.schedules.screening_level(1)
    law = laws_of(under_test).law(rho, Fraction(76, 100))
    expected = times(Enclosure.exactly(N - 1), law.second.probability)
    case = AtMost("expected false beaters of a*, epoch 1, gap .26", expected, rational(most))
    return compared((case,), "epoch")


def _four_times(
    under_test: Implementation, depth: Depth, *, most: Fraction = Fraction(9, 2)
) -> Result:
    ratio = Fraction(ANYTIME.mean, KNOWN_HORIZON.mean)
    return compared(
        (
            AtMost(
                "4.27 against Anytime / KnownHorizon", rational(Fraction(427, 100)), rational(ratio)
            ),
            AtMost(
                "Anytime / KnownHorizon against what rounds to 4", rational(ratio), rational(most)
            ),
        ),
        "ratio",
    )


SEQ_ELIM_GROWS = Check(
    name="printed-seqelim-grows",
    question=Question.EXPERIMENT,
    kind=Kind.CERTIFIED,
    domain="cyclic instances .32/.38, level 1/10, N = 8, 16, 32, 256, our reading of SeqElim: its "
    "exact expected duels per arm grow by more than 5% from each N to the next",
    run=_seq_elim,
    refuses={"by more than 20%": functools.partial(_seq_elim, growth=Fraction(6, 5))},
)

FALSE_BEATERS = Check(
    name="printed-false-positives",
    question=Question.EXPERIMENT,
    kind=Kind.CERTIFIED,
    domain="sparse instance N = 256, epoch 1, the incumbent being the winner: fewer than 1e-11 "
    "false beaters are expected",
    run=_false_beaters,
    refuses={"fewer than 1e-12": functools.partial(_false_beaters, most=Fraction(1, 10**12))},
)

FOUR_TIMES = Check(
    name="printed-four-times",
    question=Question.EXPERIMENT,
    kind=Kind.EXHAUSTIVE,
    domain="the printed numbers themselves: Anytime is 4.27 times KnownHorizon, between 4.27 and "
    "4.5",
    run=_four_times,
    refuses={"at most 4 times": functools.partial(_four_times, most=Fraction(4))},
)

CHECKS = (
    IMPOSSIBLE_WEAK,
    IMPOSSIBLE_PLATEAU,
    IMPOSSIBLE_KNOWN,
    IMPOSSIBLE_FLATTENING,
    IMPOSSIBLE_ANYTIME,
    EXACT_WEAK,
    EXACT_KNOWN,
    EXACT_ANYTIME,
    BKT_CHEAPER,
    NEAR_LINEAR,
    SEQ_ELIM_GROWS,
    FALSE_BEATERS,
    FOUR_TIMES,
)
