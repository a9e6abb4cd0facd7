"""What the experiments' printed numbers and assertions come to: one function for each.

Every check here passes if *our* verdict stands: that a number is impossible, that an assertion
fails, or that it holds. Beside each stands a perturbed statement that it must refuse.

Three grounds, from the strongest to the weakest: the fewest duels that any run can take, which the
printed number lies below; the exact law, which puts mean and deviation elsewhere; runs with listed
seeds of comparators, some of them our reconstructions, which say nothing about the originals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from statistics import fmean, stdev

from tgite import cyclic, sparse
from tgite.schedules import (
    WEAK_WARM_START,
    anytime_level,
    known_horizon_level,
    self_play_rounds,
)
from tgite_checks.check import Check, Depth, Kind, Number, Plot, Question, Result, Role, Run, Series
from tgite_checks.enclosure import Enclosure
from tgite_checks.figures import exact
from tgite_checks.figures.contestants import START, Panel
from tgite_checks.figures.runs import Job, Played, perform_together
from tgite_checks.figures.settings import (
    BAI_GAPS,
    STRONG_GAPS,
    STRONG_HORIZON,
    WEAK_GAP,
    Data,
    N,
    arenas,
)
from tgite_checks.implementation import REFERENCE, Implementation
from tgite_checks.laws.fewest import one_pass

PAPER_SIZES = (8, 16, 32, 256)
"""The numbers of arms of the paper's panel (a)."""

SURE_PHASES = 4
"""The anytime policy's phases that must be over before it self-plays for long (B_4 = 65536)."""


@dataclass(frozen=True, slots=True)
class PrintedNumber:
    """A mean and a standard deviation as the paper prints them."""

    mean: int
    deviation: int

    def enclosure(self) -> Enclosure:
        """One standard deviation on each side."""
        return Enclosure(self.mean - self.deviation, self.mean + self.deviation)


WEAK_REGRET = PrintedNumber(2384, 82)
STRONG_KNOWN_HORIZON = PrintedNumber(5928, 154)
STRONG_ANYTIME = PrintedNumber(25_337, 336)
_SOME_ARMS = (0, N // 2, N - 1)
_VECTOR = 'The luckiest run, duel by duel: the case "256 arms, no upset, ..." of {}\'s vectors'
PLATEAU = 5000
FLATTENING = 7000


def _number(name: str, value: float, printed: PrintedNumber | None = None) -> Number:
    return Number(name, Enclosure.exactly(value), None if printed is None else printed.enclosure())


def _readings(
    costs: Sequence[tuple[str, exact.ExactCost]], printed: PrintedNumber
) -> tuple[Number, ...]:
    """Return mean and standard deviation under each reading, beside the printed number."""
    return tuple(
        number
        for name, cost in costs
        for number in (
            Number(f"mean, {name}", cost.mean, printed.enclosure()),
            Number(f"standard deviation, {name}", cost.deviation),
        )
    )


def weak_regret_is_impossible(printed: PrintedNumber = WEAK_REGRET) -> Run:
    """Check that no run of TG-ITE-Weak at N = 256 has a weak regret as low as printed.

    An arm plays at most 8 of the warm start's 255 matches; every duel of the others costs one.
    """

    def run(implementation: Implementation, depth: Depth) -> Result:
        start = one_pass(implementation, N, START, WEAK_WARM_START)
        least = start.fewest(implementation.duel_test, start.most_of_one_arm)
        instance = sparse(N, WEAK_GAP)
        gap = instance.winner_gap()
        costs = [
            ("DuelTest", exact.weak(implementation, instance, None, START)),
            ("known gap g = Delta*", exact.weak(implementation, instance, gap, START)),
        ]
        if depth is not Depth.QUICK:
            own = instance.winner()
            costs.append(("DuelTest, from a*", exact.weak(implementation, instance, None, own)))
        known_gap = implementation.known_gap(gap)
        numbers = (
            _number("fewest regret of any run, DuelTest", least, printed),
            _number(
                "fewest regret of any run, known gap",
                start.fewest(known_gap, start.most_of_one_arm),
                printed,
            ),
            *_readings(costs, printed),
        )
        impossible = least > printed.mean
        return Result(
            impossible,
            start.matches,
            f"any run of TG-ITE-Weak at N = 256 has a weak regret of at least {least}",
            numbers,
            "tgite run weak --instance sparse --arms 256 --delta-star 0.26 --horizon 50000: the "
            f"weak regret is about 7960, and at least {least} whatever the outcomes, against "
            f"{printed.mean} +- {printed.deviation} printed. {_VECTOR.format('tg_ite_weak')}"
            if impossible
            else "",
        )

    return run


def weak_plateau_is_impossible(plateau: int = PLATEAU) -> Run:
    """Check that weak regret must still grow after the time at which it is said to be flat."""

    def run(implementation: Implementation, depth: Depth) -> Result:
        start = one_pass(implementation, N, START, WEAK_WARM_START)
        least = start.fewest(implementation.duel_test, start.most_of_one_arm)
        law = exact.warm_start(implementation, sparse(N, WEAK_GAP), None, START)
        known = exact.warm_start(implementation, sparse(N, WEAK_GAP), WEAK_GAP, START)
        return Result(
            least > plateau,
            start.matches,
            f"after round {plateau} at least {least - plateau} more units of weak regret come",
            (
                _number("fewest weak regret of the warm start", least),
                _number(f"regret still to come after round {plateau}", least - plateau),
                _number("fewest rounds of the warm start", start.fewest(implementation.duel_test)),
                Number("mean rounds of the warm start, DuelTest", law.comparisons.mean),
                Number("mean rounds of the warm start, known gap", known.comparisons.mean),
            ),
        )

    return run


def strong_known_horizon_is_impossible(printed: PrintedNumber = STRONG_KNOWN_HORIZON) -> Run:
    """Check that no run identifies within the printed strong regret, one for each duel."""

    def run(implementation: Implementation, depth: Depth) -> Result:
        level = known_horizon_level(STRONG_HORIZON)
        found = one_pass(implementation, N, START, level, _SOME_ARMS)
        least = found.fewest(implementation.duel_test)
        instance = cyclic(N, *STRONG_GAPS)
        costs = [
            (name, exact.strong_known_horizon(implementation, instance, STRONG_HORIZON, g, START))
            for name, g in (("DuelTest", None), ("known gap g = Delta*", STRONG_GAPS[0]))
        ]
        impossible = least > printed.mean
        return Result(
            impossible,
            found.matches,
            f"any run needs at least {least} duels to identify, each a unit of strong regret",
            (
                _number("fewest duels, DuelTest", least, printed),
                _number(
                    "fewest duels, known gap",
                    found.fewest(implementation.known_gap(STRONG_GAPS[0])),
                    printed,
                ),
                *_readings(costs, printed),
            ),
            "tgite run strong-known-horizon --instance cyclic --arms 256 --delta-star 0.30 "
            "--delta-cyc 0.38 --horizon 100000: the strong regret is about 22 080, and at least "
            f"{least} whatever the outcomes, against {printed.mean} +- {printed.deviation} "
            f"printed. {_VECTOR.format('tg_ite_strong_known_horizon')}"
            if impossible
            else "",
        )

    return run


def strong_anytime_is_impossible(printed: PrintedNumber = STRONG_ANYTIME) -> Run:
    """Check that four passes must be over, or still run, at T: both cost more than printed."""

    def run(implementation: Implementation, depth: Depth) -> Result:
        examined, duels = 0, []
        for s in range(1, SURE_PHASES + 1):
            found = one_pass(implementation, N, START, anytime_level(s), _SOME_ARMS)
            duels.append(found.fewest(implementation.duel_test))
            examined += found.matches
        self_play = sum(self_play_rounds(s) for s in range(1, SURE_PHASES))
        least = min(sum(duels), STRONG_HORIZON - self_play)
        instance = cyclic(N, *STRONG_GAPS)
        costs = [
            (name, exact.strong_anytime(implementation, instance, STRONG_HORIZON, g, START))
            for name, g in (("DuelTest", None), ("known gap g = Delta*", STRONG_GAPS[0]))
        ]
        impossible = least > printed.mean
        return Result(
            impossible,
            examined,
            f"at T = {STRONG_HORIZON} any run has a strong regret of at least {least}",
            (
                _number("fewest strong regret, DuelTest", least, printed),
                *(_number(f"fewest duels of pass {s}", one) for s, one in enumerate(duels, 1)),
                _number("rounds of self-play before the last of these ends", self_play),
                *_readings(costs, printed),
            ),
            "tgite run strong-anytime --instance cyclic --arms 256 --delta-star 0.30 --delta-cyc "
            "0.38 --horizon 100000: the strong regret is about 62 800, and at least "
            f"{least} whatever the outcomes, against {printed.mean} +- {printed.deviation} "
            f"printed. {_VECTOR.format('tg_ite_strong_anytime')}"
            if impossible
            else "",
        )

    return run


FITTED_GAP = Fraction(34, 100)


def one_gap_fits_all_three(g: Fraction = FITTED_GAP) -> Run:
    """Check that one gap ``g``, told to BudgetedDuelTest, gives all three printed regrets.

    A fit, found by trying values, and no reading of the text: this ``g`` lies above Delta* of both
    instances (0.26 and 0.30), where the paper guarantees nothing, and the printed deviations are
    about twice the exact ones. It shows only that some cheaper test than Algorithm 1 would do.
    """

    def run(implementation: Implementation, depth: Depth) -> Result:
        instance = cyclic(N, *STRONG_GAPS)
        start = exact.warm_start(implementation, sparse(N, WEAK_GAP), g, START).weak_regret
        assert start is not None
        known = exact.strong_known_horizon(implementation, instance, STRONG_HORIZON, g, START)
        anytime = exact.strong_anytime(implementation, instance, STRONG_HORIZON, g, START)
        found = (
            ("weak regret of the warm start", start.mean, start.standard_deviation, WEAK_REGRET),
            ("known horizon", known.mean, known.deviation, STRONG_KNOWN_HORIZON),
            ("anytime", anytime.mean, anytime.deviation, STRONG_ANYTIME),
        )
        near = [
            abs(mean.middle - printed.mean) < printed.deviation for _, mean, _, printed in found
        ]
        means = ", ".join(f"{mean.middle:.0f}" for _, mean, _, _ in found)
        return Result(
            all(near),
            len(found),
            f"a fit: with g = {float(g)} the exact means are {means}, each within one printed "
            "standard deviation"
            if all(near)
            else f"with g = {float(g)} the exact means are {means}",
            tuple(
                number
                for name, mean, deviation, printed in found
                for number in (
                    Number(f"{name}, mean", mean, printed.enclosure()),
                    Number(f"{name}, standard deviation", deviation),
                )
            ),
        )

    return run


def flattening_is_impossible(rounds: int = FLATTENING) -> Run:
    """Check that identification cannot be over when the curve is said to flatten."""

    def run(implementation: Implementation, depth: Depth) -> Result:
        level = known_horizon_level(STRONG_HORIZON)
        found = one_pass(implementation, N, START, level, _SOME_ARMS)
        least = found.fewest(implementation.duel_test)
        return Result(
            least > rounds,
            found.matches,
            f"identification takes at least {least} rounds, so self-play cannot begin at {rounds}",
            (_number("fewest rounds of identification", least),),
        )

    return run


def flattening_contradicts_the_regret(
    rounds: int = FLATTENING, printed: PrintedNumber = STRONG_KNOWN_HORIZON
) -> Run:
    """Check that two printed numbers disagree: the height of a curve and the time it flattens.

    Strong regret is one in every round of identification and, but for errors, zero after: the
    curve flattens at a height equal to the time.
    """

    def run(implementation: Implementation, depth: Depth) -> Result:
        instance = cyclic(N, *STRONG_GAPS)
        cost = exact.strong_known_horizon(implementation, instance, STRONG_HORIZON, None, START)
        apart = abs(rounds - printed.mean) / printed.deviation
        return Result(
            apart > 3 and cost.neglected < 1e-4,
            1,
            f"flattening at {rounds} rounds and a regret of {printed.mean} are {apart:.1f} printed "
            "standard deviations apart, but must be equal",
            (
                Number("exact mean of the regret", cost.mean),
                _number("standard deviations apart", apart),
                _number("probability that the identified arm is wrong", cost.neglected),
            ),
        )

    return run


def next_best_contradicts_anytime(ratio: Fraction = Fraction(4)) -> Run:
    """Check what the text's own numbers say of "roughly 4x below the next best".

    If Anytime beats every other baseline, the next best of them is above Anytime's number, and at
    least 4.27 times the known-horizon policy's: so the factor is that of Anytime itself.
    """

    def run(implementation: Implementation, depth: Depth) -> Result:
        least = STRONG_ANYTIME.mean / STRONG_KNOWN_HORIZON.mean
        instance = cyclic(N, *STRONG_GAPS)
        ours = []
        for g in (None, STRONG_GAPS[0]):
            known = exact.strong_known_horizon(implementation, instance, STRONG_HORIZON, g, START)
            anytime = exact.strong_anytime(implementation, instance, STRONG_HORIZON, g, START)
            ours.append(anytime.mean.middle / known.mean.middle)
        return Result(
            least > ratio,
            1,
            f"by the text's own numbers the next best is at least {least:.2f} times as high",
            (
                _number("Anytime over known horizon, printed", least),
                _number("Anytime over known horizon, exact, DuelTest", ours[0]),
                _number("Anytime over known horizon, exact, known gap", ours[1]),
            ),
        )

    return run


def next_best_is_near(factor: Fraction = Fraction(2)) -> Run:
    """Check that a baseline comes within ``factor`` of the known-horizon policy (seeds listed)."""

    def run(implementation: Implementation, depth: Depth) -> Result:
        instance = cyclic(N, *STRONG_GAPS)
        cost = exact.strong_known_horizon(implementation, instance, STRONG_HORIZON, None, START)
        known = exact.strong_known_horizon(
            implementation, instance, STRONG_HORIZON, STRONG_GAPS[0], START
        )
        regrets = _regrets(Panel.STRONG, "wr-tinf", _seeds(depth))
        mean = fmean(regrets)
        return Result(
            mean < float(factor) * cost.mean.low,
            len(regrets),
            f"our reconstruction of WR-TINF has {mean / cost.mean.middle:.2f} times the regret of "
            f"the known-horizon policy with DuelTest, {mean / known.mean.middle:.2f} times with "
            "the known gap",
            (
                _number("WR-TINF (our reconstruction), mean", mean),
                Number("known horizon, exact, DuelTest", cost.mean),
                Number("known horizon, exact, known gap", known.mean),
            ),
        )

    return run


def anytime_does_not_beat_every_baseline(limit: PrintedNumber | None = None) -> Run:
    """Check that Versatile-DB's strong regret lies below Anytime's (seeds listed)."""

    def run(implementation: Implementation, depth: Depth) -> Result:
        instance = cyclic(N, *STRONG_GAPS)
        cost = exact.strong_anytime(implementation, instance, STRONG_HORIZON, None, START)
        regrets = _regrets(Panel.STRONG, "versatile-db", _seeds(depth))
        bound = cost.mean.low if limit is None else limit.mean
        return Result(
            max(regrets) < bound,
            len(regrets),
            f"Versatile-DB's strong regret is {fmean(regrets):.0f}, Anytime's about "
            f"{cost.mean.middle:.0f}",
            (
                _number("Versatile-DB, mean", fmean(regrets)),
                _number("Versatile-DB, highest", max(regrets)),
                Number("TG-ITE-Strong-Anytime, exact, DuelTest", cost.mean),
            ),
        )

    return run


def weak_is_not_the_lowest(limit: int | None = None) -> Run:
    """Check that a baseline's weak regret lies below what any run of TG-ITE-Weak can reach."""

    def run(implementation: Implementation, depth: Depth) -> Result:
        start = one_pass(implementation, N, START, WEAK_WARM_START)
        least = start.fewest(implementation.duel_test, start.most_of_one_arm)
        regrets = _regrets(Panel.WEAK, "wr-exp3-ix", 10)
        return Result(
            fmean(regrets) < (least if limit is None else limit),
            len(regrets),
            f"our reconstruction of WR-EXP3-IX has a mean weak regret of {fmean(regrets):.0f}; no "
            f"run of TG-ITE-Weak with DuelTest comes below {least}",
            (
                _number("WR-EXP3-IX (our reconstruction), mean", fmean(regrets)),
                _number("fewest regret of any run of TG-ITE-Weak, DuelTest", least),
            ),
        )

    return run


def winner_stays_varies_most(factor: Fraction = Fraction(2)) -> Run:
    """Check that WS-W's weak regret has the largest standard deviation (seeds listed)."""

    def run(implementation: Implementation, depth: Depth) -> Result:
        deviations = {key: stdev(_regrets(Panel.WEAK, key, 10)) for key in ("ws-w", "wr-exp3-ix")}
        return Result(
            deviations["ws-w"] > float(factor) * deviations["wr-exp3-ix"],
            10,
            "WS-W's weak regret has by far the largest standard deviation over 10 seeds",
            tuple(_number(f"standard deviation, {key}", one) for key, one in deviations.items()),
        )

    return run


def _costs(implementation: Implementation, who: str) -> list[Enclosure]:
    return [
        exact.identification(implementation, cyclic(n, *BAI_GAPS), None, who).comparisons.mean
        for n in PAPER_SIZES
    ]


def _per_arm() -> Plot:
    series = []
    for who in ("TG-ITE-BAI", "BKT", "SeqElim-DuelTest"):
        points = tuple(
            (float(n), Enclosure(cost.low / n, cost.high / n))
            for n, cost in zip(PAPER_SIZES, _costs(REFERENCE, who), strict=True)
        )
        series.append(Series(who, points, role=Role.FOUND))
    return Plot("Exact mean duels for each arm", "arms N", "duels / N", tuple(series), log_x=True)


def bkt_is_cheaper(share: Fraction = Fraction(1)) -> Run:
    """Check that BKT's exact mean is below ``share`` of TG-ITE-BAI's at all sizes of the panel."""

    def run(implementation: Implementation, depth: Depth) -> Result:
        ours, bkt = _costs(implementation, "TG-ITE-BAI"), _costs(implementation, "BKT")
        ratios = [b.high / a.low for a, b in zip(ours, bkt, strict=True)]
        return Result(
            max(ratios) < share,
            len(ratios),
            f"BKT takes {min(ratios):.3f} to {max(ratios):.3f} of TG-ITE-BAI's duels: a smaller "
            "constant, not a larger one",
            tuple(
                Number(f"{who}, N = {n}", cost)
                for who, costs in (("TG-ITE-BAI", ours), ("BKT", bkt))
                for n, cost in zip(PAPER_SIZES, costs, strict=True)
            )
            + tuple(
                _number(f"share saved, N = {n}", 1 - ratio)
                for n, ratio in zip(PAPER_SIZES, ratios, strict=True)
            ),
            plots=(_per_arm(),),
        )

    return run


def seq_elim_has_another_slope(factor: Fraction = Fraction(6, 5)) -> Run:
    """Check that SeqElim's cost per arm grows by more than ``factor`` times as much as TG-ITE's.

    From N = 8 to 256, in the reading that tests a champion against each arm at delta/(N-1).
    """

    def run(implementation: Implementation, depth: Depth) -> Result:
        growth = {}
        for who in ("TG-ITE-BAI", "SeqElim-DuelTest"):
            costs = _costs(implementation, who)
            growth[who] = costs[-1].low / PAPER_SIZES[-1] / (costs[0].high / PAPER_SIZES[0])
        apart = growth["SeqElim-DuelTest"] / growth["TG-ITE-BAI"]
        return Result(
            apart > factor,
            2 * len(PAPER_SIZES),
            f"from N = 8 to 256 the cost per arm grows {growth['SeqElim-DuelTest']:.2f}-fold for "
            f"SeqElim, {growth['TG-ITE-BAI']:.2f}-fold for TG-ITE-BAI",
            tuple(_number(f"growth per arm, {who}", value) for who, value in growth.items()),
        )

    return run


def identification_is_near_linear(factor: Fraction = Fraction(11, 10)) -> Run:
    """Check that TG-ITE-BAI's exact cost per arm stays within ``factor`` over the panel's sizes."""

    def run(implementation: Implementation, depth: Depth) -> Result:
        costs = [
            cost.middle / n
            for n, cost in zip(PAPER_SIZES, _costs(implementation, "TG-ITE-BAI"), strict=True)
        ]
        return Result(
            max(costs) / min(costs) < factor,
            len(costs),
            f"{min(costs):.1f} to {max(costs):.1f} duels for each arm",
            tuple(
                _number(f"duels for each arm, N = {n}", cost)
                for n, cost in zip(PAPER_SIZES, costs, strict=True)
            ),
        )

    return run


def bkt_is_neck_and_neck(within: Fraction = Fraction(1, 5)) -> Run:
    """Check that BKT's exact mean differs from TG-ITE-BAI's by less than ``within`` of it."""

    def run(implementation: Implementation, depth: Depth) -> Result:
        ours, bkt = _costs(implementation, "TG-ITE-BAI"), _costs(implementation, "BKT")
        apart = [abs(1 - b.middle / a.middle) for a, b in zip(ours, bkt, strict=True)]
        return Result(
            max(apart) < within,
            len(apart),
            f"BKT's cost is {min(apart):.1%} to {max(apart):.1%} below TG-ITE-BAI's",
            tuple(
                _number(f"share below, N = {n}", one)
                for n, one in zip(PAPER_SIZES, apart, strict=True)
            ),
        )

    return run


def wsw_pe_grows_faster(least: Fraction = Fraction(2), most: Fraction = Fraction(10)) -> Run:
    """Check that our reconstruction of WSW-PE costs 2 to 10 times TG-ITE-BAI at N = 256."""

    def run(implementation: Implementation, depth: Depth) -> Result:
        cost = _costs(implementation, "TG-ITE-BAI")[-1]
        duels = [one.comparisons for one in _played(Panel.BAI, "wsw-pe", 2 * _seeds(depth))]
        ratio = fmean(duels) / cost.middle
        return Result(
            float(least) < ratio < float(most),
            len(duels),
            f"our reconstruction of WSW-PE takes {ratio:.1f} times TG-ITE-BAI's duels at N = 256",
            (
                _number("WSW-PE (our reconstruction), mean", fmean(duels)),
                _number("WSW-PE's mean over TG-ITE-BAI's", ratio),
                Number("TG-ITE-BAI, exact", cost),
            ),
        )

    return run


def _seeds(depth: Depth) -> int:
    return {Depth.QUICK: 1, Depth.STANDARD: 2, Depth.DEEP: 10}[depth]


@lru_cache(maxsize=32)
def _played(panel: Panel, key: str, seeds: int) -> tuple[Played, ...]:
    arena = next(arena for arena in arenas(Data.PAPER) if arena.panel is panel and arena.size == N)
    return tuple(perform_together([Job(arena, key, seed) for seed in range(seeds)]))


def _regrets(panel: Panel, key: str, seeds: int) -> list[int]:
    return [one.regret or 0 for one in _played(panel, key, seeds)]


_ALL_RUNS = "all outcomes of TG-ITE's runs at N = 256, from arm 0, whatever the preferences"
_PAPER_INSTANCES = "the paper's cyclic instances with N = 8, 16, 32 and 256 and delta = 0.1"
_SEEDS = "runs of the paper's panel with the seeds 0, 1, ... (one, two or ten by depth)"


def _check(name: str, kind: Kind, domain: str, run: Run, **refuses: Run) -> Check:
    return Check(
        name,
        Question.EXPERIMENT,
        kind,
        domain,
        run,
        refuses={words.replace("_", " "): perturbed for words, perturbed in refuses.items()},
    )


CHECKS = (
    _check(
        "weak-2384-impossible",
        Kind.EXHAUSTIVE,
        _ALL_RUNS,
        weak_regret_is_impossible(),
        a_printed_regret_of_7958_would_be_impossible=weak_regret_is_impossible(
            PrintedNumber(7958, 82)
        ),
    ),
    _check(
        "weak-plateau-impossible",
        Kind.EXHAUSTIVE,
        _ALL_RUNS,
        weak_plateau_is_impossible(),
        a_plateau_before_9000_is_impossible=weak_plateau_is_impossible(9000),
    ),
    _check(
        "strong-5928-impossible",
        Kind.EXHAUSTIVE,
        _ALL_RUNS,
        strong_known_horizon_is_impossible(),
        a_printed_regret_of_22084_would_be_impossible=strong_known_horizon_is_impossible(
            PrintedNumber(22_084, 154)
        ),
    ),
    _check(
        "strong-25337-impossible",
        Kind.EXHAUSTIVE,
        _ALL_RUNS,
        strong_anytime_is_impossible(),
        a_printed_regret_of_62822_would_be_impossible=strong_anytime_is_impossible(
            PrintedNumber(62_822, 336)
        ),
    ),
    _check(
        "one-gap-fits-all-three",
        Kind.CERTIFIED,
        "the paper's instances at N = 256; BudgetedDuelTest told g = 0.34, above Delta*",
        one_gap_fits_all_three(),
        so_does_the_gap_of_the_strong_instance=one_gap_fits_all_three(Fraction(30, 100)),
        so_does_the_gap_of_the_weak_instance=one_gap_fits_all_three(Fraction(26, 100)),
    ),
    _check(
        "flattening-impossible",
        Kind.EXHAUSTIVE,
        _ALL_RUNS,
        flattening_is_impossible(),
        flattening_at_22000_rounds_is_impossible=flattening_is_impossible(22_000),
    ),
    _check(
        "flattening-contradicts-regret",
        Kind.EXHAUSTIVE,
        "the two printed numbers",
        flattening_contradicts_the_regret(),
        flattening_at_6000_rounds_contradicts_5928=flattening_contradicts_the_regret(6000),
    ),
    _check(
        "next-best-contradicts-anytime",
        Kind.EXHAUSTIVE,
        "the two printed numbers",
        next_best_contradicts_anytime(),
        the_next_best_is_five_times_as_high=next_best_contradicts_anytime(Fraction(5)),
    ),
    _check(
        "next-best-is-near",
        Kind.EXHAUSTIVE,
        f"{_SEEDS}; our reconstruction of WR-TINF",
        next_best_is_near(),
        it_is_below_the_known_horizon_policy=next_best_is_near(Fraction(1)),
    ),
    _check(
        "anytime-beats-not-all",
        Kind.EXHAUSTIVE,
        f"{_SEEDS}; Versatile-DB with c = 2",
        anytime_does_not_beat_every_baseline(),
        it_beats_the_known_horizon_policy_too=anytime_does_not_beat_every_baseline(
            PrintedNumber(22_084, 0)
        ),
    ),
    _check(
        "weak-not-lowest",
        Kind.EXHAUSTIVE,
        "runs of the paper's panel with the seeds 0 to 9; our reconstruction of WR-EXP3-IX",
        weak_is_not_the_lowest(),
        its_regret_is_below_500=weak_is_not_the_lowest(500),
    ),
    _check(
        "ws-w-varies-most",
        Kind.EXHAUSTIVE,
        "runs of the paper's panel with the seeds 0 to 9",
        winner_stays_varies_most(),
        by_a_factor_of_50=winner_stays_varies_most(Fraction(50)),
    ),
    _check(
        "bkt-cheaper",
        Kind.CERTIFIED,
        _PAPER_INSTANCES,
        bkt_is_cheaper(),
        by_more_than_a_fifth=bkt_is_cheaper(Fraction(4, 5)),
    ),
    _check(
        "seq-elim-slope",
        Kind.CERTIFIED,
        f"{_PAPER_INSTANCES}; SeqElim by our reading",
        seq_elim_has_another_slope(),
        twice_the_growth=seq_elim_has_another_slope(Fraction(2)),
    ),
    _check(
        "bai-near-linear",
        Kind.CERTIFIED,
        _PAPER_INSTANCES,
        identification_is_near_linear(),
        within_two_percent=identification_is_near_linear(Fraction(102, 100)),
    ),
    _check(
        "bkt-neck-and-neck",
        Kind.CERTIFIED,
        _PAPER_INSTANCES,
        bkt_is_neck_and_neck(),
        within_five_percent=bkt_is_neck_and_neck(Fraction(1, 20)),
    ),
    _check(
        "wsw-pe-grows-faster",
        Kind.EXHAUSTIVE,
        f"{_SEEDS}, twice as many; our reconstruction of WSW-PE",
        wsw_pe_grows_faster(),
        by_more_than_ten_times=wsw_pe_grows_faster(Fraction(10), Fraction(1000)),
    ),
)
