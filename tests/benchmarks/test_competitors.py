"""The published competitors under one assumption: their leads, duels and answers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from math import exp, lgamma, log

import numpy as np

from cost_tables import competitors
from tgite import Confidence, cyclic

TENTH = Confidence.of("1/10")
KARNIN = competitors.karnin_lead(2, 3)


def duels_of(chances: Sequence[Sequence[float]]) -> competitors.Duels:
    """Return duels with these chances, which may be 0 and 1."""
    duels = competitors.Duels(cyclic(4, "0.1", "0.1"), 1, 10**6)
    duels.chances = np.array(chances)
    return duels


def first(lead: competitors.Lead, share: float = 1) -> int:
    """Return the first number of duels in which a lead of this share of all is enough."""
    return next(t for t in count(1) if share * t >= lead(np.array([float(t)]))[0])


def test_the_leads_spend_their_levels() -> None:
    """Hoeffding's bound at every t and for each pair, added up; or MixtureTest's lead."""
    t, savage = np.arange(1.0, 20_000), competitors.savage_lead(TENTH, 8)
    for lead, pairs, level, slack in ((savage, 28, 0.1, 1.001), (KARNIN, 3, exp(-2), 4)):
        spent = pairs * np.sum(2 * np.exp(-(lead(t) ** 2) / (2 * t)))
        assert spent < level < spent * slack
    assert competitors.mixture_lead(TENTH, 3)(np.array([70.0])) == 26


def test_beyond_the_radius_the_evidence_has_reached_its_level() -> None:
    """That of the averaged likelihood ratio; well within the radius it has not."""
    for n, s in ((10, 10), (40, 25), (300, 150), (2000, 700)):
        found = competitors.mixture_radius(2, 5)(np.array([1.0 * n]), np.array([2.0 * s - n]))
        radius = found[0] / 2
        average = lgamma(s + 1) + lgamma(n - s + 1) - lgamma(n + 2)
        for share, reached in ((1, True), (-1, True), (0.9, False), (-0.9, False)):
            p = s / n + share * radius
            if 0 < p < 1 and (reached or n > 40):
                evidence = average - s * log(p) - (n - s) * log(1 - p)
                assert (evidence >= 2 + log(4)) is reached, (n, s, p)


def test_savage_drops_the_pairs_of_a_beaten_arm_at_once() -> None:
    """With sure outcomes one round decides all pairs; 0 beats 1, then 2 beats 0, and last 3."""
    leads = competitors.savage_lead(TENTH, 4), competitors.mixture_lead(TENTH, 3)
    for mixture, lead in enumerate(leads):
        duels = duels_of([[0, 1, 0, 0], [0, 0, 0, 1], [1, 1, 0, 1], [1, 0, 0, 0]])
        assert competitors.savage(duels, TENTH, bool(mixture)) == 2
        assert duels.total == (first(lead) - 1) * 6 + 3


def test_what_is_explored_names_the_strongest_opponent_as_witness() -> None:
    """Arm 2 loses by more to arm 1 than to arm 0, the winner; then all pairs are sure."""
    loses = duels_of([[0, 1, 0.8], [0, 0, 1], [0.2, 0, 0]])
    assert competitors.explore(loses, lambda t, _: KARNIN(t) / t) == (0, {1: 0, 2: 1})
    sure = duels_of([[0, 1, 1], [0, 0, 1], [0, 0, 0]])
    assert competitors.explore(sure, lambda t, _: KARNIN(t) / t) == (0, {1: 0, 2: 0})
    # A certain pair is over once it is known within a factor of 2: radius a third of the mean.
    assert sure.total == 3 * first(KARNIN, 1 / 3)


def test_an_arm_that_is_no_winner_is_not_verified() -> None:
    """Arm 1 beats arm 0, which it should lose to; arm 2 does lose, and is first or second."""
    wrong, late, right = ({1: 0, 2: 0}, False, 1), ({2: 0, 1: 0}, False, 2), ({2: 1, 0: 1}, True, 2)
    for witnesses, verified, last in (wrong, late, right):
        duels = duels_of([[0, 0, 1], [1, 0, 1], [0, 0, 0]])
        assert competitors.verify(duels, witnesses, KARNIN) is verified
        assert duels.total == (first(KARNIN) - 1) * 2 + last


def test_a_batch_decides_once_it_is_fine_enough() -> None:
    """Of shares that differ by 1/4, the first batch can tell about every second time."""
    sizes = [8 * (log(4 * (np.pi * s) ** 2 / 6) + 3.0) * 4 ** (s + 1) for s in (1, 2)]
    duels = duels_of([[0, 0.625], [0.375, 0]])
    assert sum(competitors.dkw_match(duels, 0, 1, 3.0) for _ in range(400)) > 390
    assert sizes[0] + 0.4 * sizes[1] < duels.total / 400 < sizes[0] + 0.6 * sizes[1] + 2
