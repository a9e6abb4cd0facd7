"""The tests beyond the paper: their rules, guarantees and laws, and how much shorter they are."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb, log

import pytest

from cost_tables.winner_only import least_assuming_nothing
from rational_laws import rational_law
from tgite import Confidence, TapeEnvironment, cyclic, example, play
from tgite.beyond import mixture_test
from tgite.beyond.mixture_test import is_evident, leads_of, stopping_lead
from tgite.beyond.sprt_test import budget
from tgite.beyond.sprt_test import stopping_lead as sprt_lead
from tgite.exact import basel_factor_enclosure
from tgite.preferences import HALF
from tgite_checks.fidelity.boundaries_beyond import mixture_lead
from tgite_laws.enclosure import Enclosure
from tgite_laws.implementation import REFERENCE
from tgite_laws.lower_bound import least_mean
from tgite_laws.mixture_and_sprt import MixtureTestLaws, SprtTestLaws
from tgite_laws.pairwise import ChosenTest, PairwiseName

LEVELS = [Confidence.of(text) for text in ("1/10", "2/21", "0.99", "2^-40", "1/40 * 6/pi^2")]
TENTH = LEVELS[0]


def bounds(level: Confidence) -> tuple[Fraction, Fraction]:
    """Enclose a level."""
    low, high = basel_factor_enclosure(60) if level.basel else (Fraction(1), Fraction(1))
    return level.rational * low, level.rational * high


def evidence(n: int, s: int) -> Fraction:
    """The evidence of s wins in n duels, as it is defined."""
    return Fraction(sum(comb(n + 1, k) for k in range(s + 1)), (n + 1) * comb(n, s))


def within(value: Fraction, enclosure: Enclosure) -> bool:
    """Say whether an enclosure holds a number."""
    return enclosure.low <= value <= enclosure.high


# At 2/21 five wins in a row are just enough, and a hair below they are not.
@pytest.mark.parametrize("level", [*LEVELS, Confidence(Fraction(2, 21) - Fraction(1, 2**200))])
def test_the_stopping_lead_is_the_least_with_enough_evidence(level: Confidence) -> None:
    low, high = bounds(level)
    for n in range(1, 70):
        decided = {evidence(n, s) * low >= 1: s for s in range(n, -1, -1)}
        assert decided == {evidence(n, s) * high >= 1: s for s in range(n, -1, -1)}
        least = decided.get(True, n + 1)
        assert stopping_lead(n, level) == 2 * least - n
        assert all(is_evident(n, s, level) is (s >= least) for s in range(n + 1))
        # More wins are more evidence, and half of them are none.
        assert all(evidence(n, s) < evidence(n, s + 1) for s in range(n))
        assert evidence(n, n // 2) < 1


@pytest.mark.parametrize("written", ["999/1000", "3/7", "1/10", "2^-64", "1/40 * 6/pi^2"])
def test_the_leads_after_any_number_of_duels_are_found_at_once(written: str) -> None:
    """By the evidence less a tail, of which some terms are added up and the rest is enclosed."""
    level = Confidence.of(written)
    # The rest of the tail decides after 2484 duels at the first level, 7678 at the second.
    for n in (*range(1, 120), 2484, 7678, *range(1000, 20_000, 371)):
        assert mixture_lead(n, level) == stopping_lead(n, level), n


@pytest.mark.parametrize("level", LEVELS, ids=str)
@pytest.mark.parametrize("g", [Fraction(1, 100), Fraction(3, 10), Fraction(499, 1000)], ids=str)
def test_the_lead_of_sprt_is_the_least_that_is_enough(level: Confidence, g: Fraction) -> None:
    k, ratio = sprt_lead(g, level), (1 + 2 * g) / (1 - 2 * g)
    assert k >= 1
    assert 1 / (1 + ratio**k) <= bounds(level)[0]
    assert k == 1 or 1 / (1 + ratio ** (k - 1)) > bounds(level)[1]
    # The budget of the truncated one is below the paper's.
    assert budget(g, level) <= REFERENCE.budget(g, level)


@pytest.mark.parametrize("p", ["1/2", "11/20", "3/5", "9/10", "1/10"])
@pytest.mark.parametrize("g", ["1/10", "1/3"])
def test_the_law_of_sprt_is_the_gamblers_ruin(p: str, g: str) -> None:
    chance, gap = Fraction(p), Fraction(g)
    law, k = SprtTestLaws(gap).law(TENTH, chance), sprt_lead(gap, TENTH)
    odds = chance / (1 - chance)
    second = 1 / (1 + odds**k)
    mean = Fraction(k * k) if chance == HALF else k * (1 - 2 * second) / (2 * chance - 1)
    assert within(second, law.second.probability)
    assert within(1 - second, law.first.probability)
    assert within(mean, law.mean)
    assert law.mean.high - law.mean.low < 1e-9 * law.mean.high


@pytest.mark.parametrize("p", ["3/5", "1/10", "1/2"])
@pytest.mark.parametrize(
    "name", [PairwiseName.MIXTURE, PairwiseName.SPRT, PairwiseName.TRUNCATED_SPRT]
)
def test_a_law_is_that_of_exact_arithmetic_as_far_as_it_goes(name: PairwiseName, p: str) -> None:
    chosen = ChosenTest(name, None if name is PairwiseName.MIXTURE else Fraction(1, 5))
    last = chosen.most(TENTH) or 120
    if name is PairwiseName.MIXTURE:
        leads = [stopping_lead(n, TENTH) for n in range(1, last + 1)]
    else:
        level = TENTH if name is PairwiseName.SPRT else Confidence.of("1/20")
        leads = [sprt_lead(Fraction(1, 5), level)] * last
        leads = [lead + (lead - n) % 2 for n, lead in enumerate(leads, 1)]
    exact = rational_law(leads, Fraction(p), chosen.most(TENTH))
    found = chosen.laws().stopping_law(TENTH, Fraction(p))
    for part, masses in ((exact.first, found.first), (exact.second, found.second)):
        sums = dict.fromkeys(range(1, last + 1), 0.0)
        for n, mass in zip(found.duels.tolist(), masses.tolist(), strict=True):
            if n <= last:
                sums[n] += mass
        for n in range(1, min(last, int(found.duels[-1])) + 1):
            mass = sums[n]
            assert mass == pytest.approx(float(part.get(n, 0)), rel=1e-9, abs=1e-300)


def test_what_is_beyond_the_cut_of_a_tie_is_bounded() -> None:
    """A law that is cut earlier has the other law's answer between its ends."""
    from tgite_laws import duel_test as module

    law = MixtureTestLaws().law(TENTH, HALF)
    long = law.first.probability
    assert long == law.second.probability == MixtureTestLaws().largest_error(TENTH)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(module, "_TIE_CUT", 16)
        short = MixtureTestLaws().law(TENTH, HALF).first.probability
    assert short.low < long.low < long.high < short.high


def test_leads_are_computed_once_for_all_matches_of_a_level() -> None:
    """A duel costs a look-up: each lead is found once, and from the one before."""
    leads_of.cache_clear()
    for _ in range(3):
        by_turns = TapeEnvironment(k % 2 == 0 for k in range(200))
        assert play(mixture_test(0, 1, TENTH), by_turns).comparisons == 200
    assert leads_of.cache_info().misses == 1
    assert len(leads_of(TENTH)._found) <= 202


def test_an_interruption_loses_no_lead() -> None:
    class Interrupted(list[int]):
        def append(self, lead: int) -> None:
            raise SystemExit  # as KeyboardInterrupt, at which pytest itself would stop

    leads = leads_of(TENTH)
    expected = [leads.after(n) for n in range(30)]
    leads._begin()
    leads.after(11)
    leads._found = Interrupted(leads._found)
    with pytest.raises(SystemExit):
        leads.after(12)
    assert [leads.after(n) for n in range(30)] == expected


@pytest.mark.parametrize("g", [None, Fraction(1, 10), Fraction(1, 4)])
@pytest.mark.parametrize("name", ["mslr5", "arxiv6"])
def test_the_least_is_what_is_proved(name: str, g: Fraction | None) -> None:
    """By the two sums of ``LowerBound.v``; in the second matrix two losers tie."""
    preferences, to_win = example(name), 0.5 + float(g or 0)
    winner, arms = preferences.winner(), range(preferences.size)
    P = [[float(preferences.probability(i, j)) for j in arms] for i in arms]

    def divergence(p: float, q: float) -> float:
        return p * log(p / q) + (1 - p) * log((1 - p) / (1 - q))

    losers = [i for i in arms if i != winner]
    parts = [1 / divergence(min(P[i]), to_win) for i in losers]
    ties = [1 / divergence(P[winner][j], 0.5) for j in losers]
    expected, nothing = (divergence(0.1, 0.9) * sum(each) for each in (parts, ties))
    assert least_assuming_nothing(TENTH, preferences) == pytest.approx(nothing, rel=1e-12)
    gaps = [abs(preferences.probability(i, j) - HALF) for i, j in combinations(losers, 2)]
    halved = 2 if min(gaps) < (g or 0) else 1
    found = least_mean(TENTH, preferences, g)
    assert found.middle == pytest.approx(expected / halved, rel=1e-12)
    # Thousands of arms take no longer: each loser's largest is in the cycle.
    many = least_mean(TENTH, cyclic(2048, "0.1", "0.2"), g)
    each = divergence(0.1, 0.9) / divergence(0.3, to_win)
    assert many.middle == pytest.approx(2047 * each / (2 if (g or 0) > 0.2 else 1), rel=1e-12)


def test_what_a_law_has_beyond_its_cut_is_bounded_for_the_worse_arm_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Cut early, a law bounds what it leaves out."""
    p, level = HALF + Fraction(1, 20), Confidence.of("1/2")
    whole = MixtureTestLaws().stopping_law(level, p)
    monkeypatch.setattr("tgite_laws.duel_test._CUT_EXPONENT", 0.02)
    law = MixtureTestLaws().stopping_law(level, p)
    left_out = float(whole.second[whole.duels > law.duels[-1]].sum())
    assert 0 < left_out <= law.second_beyond.probability


@pytest.mark.parametrize("cut", [60, 200, 1000])
def test_the_lead_at_a_cut_is_not_undercut_later(cut: int) -> None:
    laws, tight = MixtureTestLaws(), 0
    for level in LEVELS:
        if stopping_lead(cut, level) > cut:
            continue
        least = laws._least_lead_beyond(level, cut)
        later = min(stopping_lead(n, level) for n in range(cut + 1, 3 * cut))
        assert least <= later
        tight += later <= least + 2
    assert tight >= 4
