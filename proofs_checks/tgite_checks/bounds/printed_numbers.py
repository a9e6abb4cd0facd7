"""Do the Experiments section's numbers follow from the text? Their exact means say no.

The floors that hold for every run are examined in ``tgite_checks.figures.claims``, and by other
code in ``tgite_checks.bounds.demonstrations.experiments``.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from fractions import Fraction

from tgite_checks.bounds.comparing import AtMost, compared, rational
from tgite_checks.bounds.duel_test import laws_of
from tgite_checks.bounds.keeping import kept
from tgite_checks.bounds.tournaments import anytime_laws, ascent, paper_settings
from tgite_checks.check import Check, Depth, Kind, Number, Question, Result
from tgite_checks.enclosure import Enclosure
from tgite_checks.implementation import Implementation
from tgite_checks.laws.arithmetic import times
from tgite_checks.laws.policies import strong_regret_anytime, strong_regret_known_horizon
from tgite_checks.printed import (
    ANYTIME_REGRET,
    KNOWN_HORIZON_REGRET,
    STRONG,
    WEAK_REGRET,
    PrintedNumber,
)

N, HORIZON = STRONG.arms[-1], STRONG.horizon


@kept
def exact_numbers(under_test: Implementation) -> dict[str, Enclosure]:
    """Return what the text's algorithms cost exactly on the text's instances."""
    laws = laws_of(under_test)
    tree = under_test.BalancedTree.over(N)
    weak_setting, known_setting = paper_settings()[4], paper_settings()[5]
    warm = ascent(under_test, weak_setting, anytime_laws(under_test, weak_setting))
    one_pass = ascent(under_test, known_setting, laws)
    instance = STRONG.preferences()
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


def _exact(
    under_test: Implementation, depth: Depth, *, what: str, printed: PrintedNumber
) -> Result:
    """Show that the exact mean is farther from the printed one than any deviation explains."""
    found = exact_numbers(under_test)[what]
    numbers = (
        Number(f"exact mean, {what}", found, rational(printed.mean)),
        Number("ten printed deviations above the printed mean", printed.up(10)),
    )
    if found.low > printed.up(10).high:
        return Result(True, 1, f"the exact mean is {found}, printed {printed.mean}", numbers)
    return Result(False, 1, "the printed mean is within reach", numbers, f"{what}: {found}")


def _near(under_test: Implementation, depth: Depth, *, what: str, printed: PrintedNumber) -> Result:
    """Examine the perturbed statement that the printed number agrees with the exact mean."""
    found = exact_numbers(under_test)[what]
    return compared(_within(found, what, printed), "printed mean")


def _within(found: Enclosure, what: str, printed: PrintedNumber) -> Iterator[AtMost]:
    yield AtMost(f"exact mean of {what} against ten deviations up", found, printed.up(10))


def _exact_check(what: str, printed: PrintedNumber, name: str, domain: str) -> Check:
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


EXACT_WEAK = _exact_check(
    "weak",
    WEAK_REGRET,
    "printed-weak-exact",
    "sparse instance N = 256, gaps .26/.44: the exact mean of the warm start's weak regret (a "
    "lower bound of the run's) is more than ten printed deviations above the printed mean",
)
EXACT_KNOWN = _exact_check(
    "known",
    KNOWN_HORIZON_REGRET,
    "printed-known-horizon-exact",
    "cyclic instance N = 256, gaps .30/.38, H = 10^5: the exact mean of the strong regret",
)
EXACT_ANYTIME = _exact_check(
    "anytime",
    ANYTIME_REGRET,
    "printed-anytime-exact",
    "cyclic instance N = 256, gaps .30/.38, T = 10^5: the exact mean of the strong regret",
)


def _false_beaters(
    under_test: Implementation, depth: Depth, *, most: Fraction = Fraction(1, 10**11)
) -> Result:
    rho = under_test.schedules.screening_level(1)
    law = laws_of(under_test).law(rho, Fraction(76, 100))
    expected = times(Enclosure.exactly(N - 1), law.second.probability)
    case = AtMost("expected false beaters of a*, epoch 1, gap .26", expected, rational(most))
    return compared((case,), "epoch")


FALSE_BEATERS = Check(
    name="printed-false-positives",
    question=Question.EXPERIMENT,
    kind=Kind.CERTIFIED,
    domain="sparse instance N = 256, epoch 1, the incumbent being the winner: fewer than 1e-11 "
    "false beaters are expected",
    run=_false_beaters,
    refuses={"fewer than 1e-12": functools.partial(_false_beaters, most=Fraction(1, 10**12))},
)

CHECKS = (EXACT_WEAK, EXACT_KNOWN, EXACT_ANYTIME, FALSE_BEATERS)
