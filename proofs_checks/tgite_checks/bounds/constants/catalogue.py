"""The constants: every "there is a universal constant C" of the paper, with its interval."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from tgite_checks.bounds.constants import attained, attained_known_gap
from tgite_checks.bounds.constants.attained import Attained
from tgite_checks.bounds.constants.bills import (
    Bill,
    bkt_bill,
    log_rounds,
    merges_pay_enough,
    single_bill,
    tail_bill,
    tree_bill,
)
from tgite_checks.bounds.constants.budgets import budget, budgeted_epoch, budgets
from tgite_checks.bounds.constants.certificates import Certificate, all_gaps, one_epoch
from tgite_checks.bounds.constants.cover import WITHOUT_LIMIT
from tgite_checks.bounds.constants.horizons import budgeted_known_horizon, known_horizon
from tgite_checks.bounds.constants.phases import anytime
from tgite_checks.bounds.constants.shares import budgeted_share, error_share, tree_share
from tgite_checks.bounds.proved_constants import proved_constant
from tgite_checks.check import Depth, Plot
from tgite_checks.implementation import Implementation
from tgite_checks.laws.balls import log_integer_ball

Certify = Callable[[Fraction], Certificate]
"""Says whether a constant is shown to be large enough."""


@dataclass(frozen=True, slots=True)
class Proved:
    """A machine-checked constant for the same bound.

    It is ``factor`` times the constant ``name`` in ``theorem`` where that theorem's bracket is
    another one. All but DuelTest's are proved with N - 1 in place of N, which is stronger.
    """

    theorem: str
    name: str
    factor: int = 1
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Constant:
    """One universal constant of the paper.

    ``labels``: where the paper has it. ``statement``: the inequality; ``held`` says what else in it
    is a constant, and how that is held fixed. ``certified`` is ``b``: ``certify(b)`` shows that it
    does on the whole ``domain``. ``attained`` finds ``a``. ``too_small`` is a value below ``a``;
    ``weakened`` holds certificates with one step made weaker, which do not reach ``b``. ``curve``
    draws the need for the constant over the domain.
    """

    key: str
    name: str
    labels: tuple[str, ...]
    statement: str
    domain: str
    certified: Fraction
    certify: Certify
    attained: Callable[[Implementation, Depth], Attained]
    too_small: Fraction
    weakened: Mapping[str, Certify]
    proved: Proved | None = None
    held: str = ""
    curve: Callable[[Implementation], Plot] | None = None

    def machine_checked(self) -> Fraction | None:
        """Return the machine-checked constant for the same bound, if there is one."""
        if self.proved is None:
            return None
        return self.proved.factor * proved_constant(self.proved.theorem, self.proved.name)


_GAP = "every gap in (0, 1/2]"
_ARMS = "every N >= 2, every tree and starting arm"
_KNOWN = "every g in (0, 1/2]"


def _tree() -> Bill:
    """Return TreeAscent's bill, if the step about merges in its proof holds; else no bound."""
    return tree_bill() if merges_pay_enough() else Bill(arb("inf"), arb("inf"))


def _warm(level: int) -> Bill:
    return _tree().at(log_integer_ball(level))


def _weak(share: Fraction) -> Bill:
    """Return the bill of TG-ITE-Weak: a pass at 1/4, and epochs after it."""
    return _warm(4).plus(tail_bill(Fraction(1, 4) * tree_share() * share, share))


def _weak_high_confidence(share: Fraction) -> Bill:
    """Return the same with a pass at delta, which errs at most as often as at delta = 1."""
    return _tree().plus(tail_bill(tree_share() * share, share))


def _budgeted_weak() -> Bill:
    # The pass has levels up to 1/8, the epochs up to 1/64.
    first = Fraction(1, 4) * tree_share() * budgeted_share(Fraction(1, 8))
    return _warm(4).plus(tail_bill(first, budgeted_share(Fraction(1, 64))))


def _budgeted_weak_high_confidence() -> Bill:
    # The pass has levels up to 1/2.
    first = tree_share() * budgeted_share(Fraction(1, 2))
    return _tree().plus(tail_bill(first, budgeted_share(Fraction(1, 64))))


def _coarse_rounds() -> arb:
    """Return the rounds' levels with log r <= r - 1, whose sum over r/2^r is 1."""
    return log_rounds() + 2 * (1 - log_integer_ball(2) / 2)


def _gaps(bill: Callable[[], Bill]) -> Certify:
    return functools.partial(all_gaps, bill=bill)


def _not_all_gaps(bill: Callable[[], Bill]) -> dict[str, Certify]:
    return {
        "the limit gap -> 0 left out of the certificate": functools.partial(
            all_gaps, bill=bill, start=WITHOUT_LIMIT
        ),
        "one straight line for all gaps": functools.partial(all_gaps, bill=bill, one_line=True),
    }


def _budgets(bill: Callable[[], Bill]) -> Certify:
    return functools.partial(budgets, bill=bill)


def _doubled(bill: Callable[[], Bill]) -> dict[str, Certify]:
    return {"ceil(x) <= 2x in place of x + 1": functools.partial(budgets, bill=bill, doubled=True)}


CONSTANTS = (
    Constant(
        "dueltest",
        "C_dt",
        ("lem:app-dueltest-time", "eq:app-dueltest-exp"),
        "E[tau] <= C/gap^2 (log(1/delta) + log(1/gap) + 1)",
        f"{_GAP}, every delta in (0, 1)",
        Fraction("2.1522"),
        _gaps(single_bill),
        attained.duel_test,
        Fraction("2.06"),
        _not_all_gaps(single_bill),
        Proved("lem_app_dueltest_time", "C_dt"),
        curve=attained.duel_test_curve,
    ),
    Constant(
        "bkt",
        "C_bkt",
        ("lem:app-bkt-subset", "eq:app-bkt-cost"),
        "E[tau] <= C m/Delta^2 (log(1/delta) + log(1/Delta) + 1)",
        f"{_GAP}, every delta in (0, 1), every m >= 1 and pairing",
        Fraction("2.457"),
        _gaps(bkt_bill),
        attained.bkt,
        Fraction("2.33"),
        {
            **_not_all_gaps(bkt_bill),
            "log r <= r - 1 for the rounds' levels": _gaps(lambda: bkt_bill(_coarse_rounds())),
        },
        Proved("lem_app_bkt_subset_cost", "C_bkt"),
    ),
    Constant(
        "tree-ascent",
        "C_TA",
        ("thm:app-plr-cost", "thm:plr-repair-main", "cor:tlcr-bai"),
        "E[tau] <= C N/Delta^2 (log(1/epsilon) + log(1/Delta) + 1)",
        f"{_GAP}, every epsilon in (0, 1), {_ARMS}",
        Fraction("3.47"),
        _gaps(_tree),
        attained.tree_ascent,
        Fraction("3.39"),
        {
            **_not_all_gaps(_tree),
            "all M - 1 < 2N leaves counted as arms": _gaps(
                functools.partial(tree_bill, leaves_as_arms=True)
            ),
        },
        Proved("cor_tlcr_bai", "C_bai"),
    ),
    Constant(
        "epoch",
        "C_epoch",
        ("lem:app-screen-epoch-regret", "eq:app-one-epoch-weak-conditional"),
        "E[W] <= C N/Delta^2 (1{c != a*} (log(1/rho) + log(1/kappa) + A) "
        "+ rho (log(1/kappa) + A)), A = log(1/Delta) + 1",
        f"{_GAP}, every rho and kappa in (0, 1), every N >= 2 and incumbent",
        Fraction("4.01"),
        one_epoch,
        attained.epoch,
        Fraction("3.92"),
        {
            "without the term rho (log(1/kappa) + A)": functools.partial(
                one_epoch, with_false_positives=False
            )
        },
        Proved("lem_app_screen_epoch_regret", "C_epoch", 2, "proved with 2A for A, so twice it"),
    ),
    Constant(
        "weak-tail",
        "C_tail",
        ("thm:app-online-weak",),
        "E[R_tail] <= C N/Delta^2 (log(1/Delta) + 1)",
        f"{_GAP}, every N >= 2, every c_0",
        Fraction("7.406"),
        _gaps(lambda: tail_bill(Fraction(1), error_share())),
        attained.weak_tail,
        Fraction("7.25"),
        {
            **_not_all_gaps(lambda: tail_bill(Fraction(1), error_share())),
            "errors of delta, not delta/24": _gaps(lambda: tail_bill(Fraction(1), Fraction(1))),
        },
        Proved("thm_app_online_weak", "C_tail"),
    ),
    Constant(
        "weak",
        "C_weak",
        ("thm:online-weak-linear-main", "cor:app-weak-warm-start"),
        "E[R_oo] <= C N/Delta^2 (log(1/Delta) + 1)",
        f"{_GAP}, {_ARMS}",
        Fraction("4.016"),
        _gaps(lambda: _weak(error_share())),
        attained.weak,
        Fraction("3.87"),
        {
            **_not_all_gaps(lambda: _weak(error_share())),
            "errors of delta, not delta/24": _gaps(lambda: _weak(Fraction(1))),
        },
        Proved("cor_app_weak_warm_start", "C_weak"),
    ),
    Constant(
        "weak-high-confidence",
        "C_weak_delta",
        ("cor:app-weak-high-confidence-warm-start", "cor:dual"),
        "E[R_oo] <= C N/Delta^2 (log(1/delta) + log(1/Delta) + 1)",
        f"{_GAP}, every delta in (0, 1), {_ARMS}",
        Fraction("3.643"),
        _gaps(lambda: _weak_high_confidence(error_share())),
        attained.weak_high_confidence,
        Fraction("3.39"),
        {
            **_not_all_gaps(lambda: _weak_high_confidence(error_share())),
            "errors of delta, not delta/24": _gaps(lambda: _weak_high_confidence(Fraction(1))),
        },
        Proved("cor_app_weak_high_confidence_warm_start", "C_weak_delta"),
    ),
    Constant(
        "strong-known",
        "C_known",
        ("thm:strong-known-main", "thm:app-strong-known"),
        "E[R_H] <= C N/Delta^2 (log(H+1) + log(1/Delta) + 1) + 1",
        f"{_GAP}, every H >= 1, {_ARMS}",
        Fraction("1.065"),
        known_horizon,
        attained.strong_known,
        Fraction("1.03"),
        {"R_H <= H not used": functools.partial(known_horizon, trivial=False)},
        Proved("thm_app_strong_known", "C_known"),
        held="the 1 at the end is kept",
    ),
    Constant(
        "strong-anytime",
        "C_anytime",
        ("thm:strong-anytime-main", "thm:app-strong-anytime"),
        "E[R_T] <= C N/Delta^2 (log(T+1) + (loglog(T+2) + 1)(log(1/Delta) + 1)) "
        "+ C' (loglog(T+2) + 1)",
        f"{_GAP}, every T >= 2, {_ARMS}",
        Fraction("3.11"),
        anytime,
        attained.strong_anytime,
        Fraction("2.98"),
        {"R_T <= T not used": functools.partial(anytime, trivial=False)},
        Proved("thm_app_strong_anytime", "C_anytime", remark="with C' = 5/3"),
        held="C' = 1",
    ),
    Constant(
        "budget",
        "C_budget",
        ("lem:budgeted-dueltest-main", "alg:budgeted-dueltest"),
        "M <= C/g^2 (log(1/delta) + 1)",
        f"{_KNOWN}, every delta in (0, 1)",
        Fraction("0.9242"),
        budget,
        attained_known_gap.budget,
        Fraction("0.924"),
        {"ceil(x) <= x + 1 in place of M/(M-1)": _budgets(single_bill)},
    ),
    Constant(
        "budgeted-bkt",
        "C_bkt,g",
        ("lem:app-budgeted-bkt",),
        "tau <= C m/g^2 (log(1/delta) + 1)",
        f"{_KNOWN}, every delta in (0, 1), every m >= 1, pairing and run",
        Fraction("1.7"),
        _budgets(bkt_bill),
        attained_known_gap.bkt,
        Fraction("1.64"),
        _doubled(bkt_bill),
        Proved("lem_app_budgeted_bkt", "C_budgeted_bkt"),
    ),
    Constant(
        "budgeted-tree-ascent",
        "C_TA,g",
        ("lem:app-budgeted-tree-ascent", "thm:known-gap-extension-main"),
        "tau <= C N/g^2 (log(1/epsilon) + 1)",
        f"{_KNOWN}, every epsilon in (0, 1), every run, {_ARMS}",
        Fraction("3.087"),
        _budgets(_tree),
        attained_known_gap.tree_ascent,
        Fraction("2.98"),
        _doubled(_tree),
        Proved("lem_app_budgeted_tree_ascent", "C_budgeted_ta"),
    ),
    Constant(
        "budgeted-epoch",
        "C_epoch,g",
        ("lem:app-budgeted-screen-epoch",),
        "E[W] <= C N/g^2 (1{c != a*} (log(1/rho) + log(1/kappa) + 1) + rho (log(1/kappa) + 1))",
        f"{_KNOWN}, every rho and kappa in (0, 1), every N >= 2 and incumbent",
        Fraction("1.38"),
        budgeted_epoch,
        attained_known_gap.epoch,
        Fraction("1.1"),
        {
            "without the term rho (log(1/kappa) + 1)": functools.partial(
                budgeted_epoch, with_false_positives=False
            )
        },
        Proved("lem_app_budgeted_screen_epoch", "C_budgeted_epoch", 2, "proved with 2 for 1"),
    ),
    Constant(
        "budgeted-weak",
        "C_weak,g",
        ("thm:known-gap-extension-main",),
        "E[R_oo] <= C N/g^2",
        f"{_KNOWN}, {_ARMS}",
        Fraction("3.92"),
        _budgets(_budgeted_weak),
        attained_known_gap.weak,
        Fraction("3.5"),
        _doubled(_budgeted_weak),
        Proved("thm_known_gap_extension_main", "C_budgeted_weak"),
    ),
    Constant(
        "budgeted-weak-high-confidence",
        "C_weak_delta,g",
        ("thm:known-gap-extension-main",),
        "E[R_oo] <= C N/g^2 (log(1/delta) + 1)",
        f"{_KNOWN}, every delta in (0, 1), {_ARMS}",
        Fraction("3.63"),
        _budgets(_budgeted_weak_high_confidence),
        attained_known_gap.weak_high_confidence,
        Fraction("2.82"),
        _doubled(_budgeted_weak_high_confidence),
        Proved("thm_known_gap_extension_main", "C_budgeted_weak_delta"),
    ),
    Constant(
        "budgeted-strong-known",
        "C_known,g",
        ("thm:known-gap-extension-main",),
        "E[R_H] <= C N/g^2 (log(H+1) + 1) + 1",
        f"{_KNOWN}, every H >= 1, {_ARMS}",
        Fraction("0.777"),
        budgeted_known_horizon,
        attained_known_gap.strong_known,
        Fraction("0.7"),
        {"R_H <= H not used": functools.partial(budgeted_known_horizon, trivial=False)},
        Proved("thm_known_gap_extension_main", "C_budgeted_known"),
        held="the 1 at the end is kept",
    ),
    Constant(
        "budgeted-strong-anytime",
        "C_anytime,g",
        ("thm:known-gap-extension-main",),
        "E[R_T] <= C N/g^2 (log(T+1) + loglog(T+2) + 1) + C' (loglog(T+2) + 1)",
        f"{_KNOWN}, every T >= 2, {_ARMS}",
        Fraction("2.49"),
        functools.partial(anytime, gap_known=True),
        attained_known_gap.strong_anytime,
        Fraction("2.2"),
        {"R_T <= T not used": functools.partial(anytime, gap_known=True, trivial=False)},
        Proved("thm_known_gap_extension_main", "C_budgeted_anytime", remark="with C' = 5/3"),
        held="C' = 1",
    ),
)
"""Every universal constant of the paper."""
