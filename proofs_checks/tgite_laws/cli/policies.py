"""The policies by name, and the parameters of a run, checked before any duel."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from typing import Any, TypeAlias, assert_never

from tgite import (
    RULINGS,
    Arm,
    BalancedTree,
    Confidence,
    Conventions,
    Duel,
    Incumbent,
    Outcome,
    PairwiseTest,
    SelfPlay,
    Stream,
    tg_ite_bai,
    tg_ite_strong_anytime,
    tg_ite_strong_known_horizon,
    tg_ite_weak,
)
from tgite.beyond import Assumption, Certificate, Verdict, certify, known_gap_sprt
from tgite.beyond.certificate import Ended, Rule, one_sided
from tgite.beyond.find_then_certify import stages
from tgite.errors import require, require_whole_number
from tgite.questions import require_arm
from tgite.schedules import WEAK_WARM_START
from tgite_laws.pairwise import ChosenTest, PairwiseName

Question: TypeAlias = Duel | SelfPlay | Incumbent
PolicyStream: TypeAlias = Generator[Question, Outcome | None, Arm | None]


class Policy(StrEnum):
    """The four instantiations of TG-ITE, and two policies that are not the paper's.

    ``best`` finds the winner and certifies it. ``certify`` only certifies one given arm.
    """

    BAI = "bai"
    BEST = "best"
    CERTIFY = "certify"
    WEAK = "weak"
    STRONG_KNOWN_HORIZON = "strong-known-horizon"
    STRONG_ANYTIME = "strong-anytime"


class CertificateProgress:
    """The progress of ``best`` or ``certify``, for the report of a run without an answer."""

    def __init__(self) -> None:
        """Start before the first stage."""
        self.certificate: Certificate | None = None
        self._gap: Fraction | None = None
        self._last: tuple[Arm, Arm] | None = None

    def known_gap(self, g: Fraction) -> PairwiseTest[Duel, Outcome]:
        """Record that a stage begins with ``g`` as the winner's assumed gap."""
        self._gap, self._last = g, None
        return known_gap_sprt(g)

    def one_sided(
        self, u: Arm, v: Arm, rule: Rule, most: int | None
    ) -> Stream[Duel, Outcome, Ended]:
        """Return a match, and record who plays it."""
        self._last = u, v
        return one_sided(u, v, rule, most)

    def missing(self, names: Sequence[str]) -> str:
        """Return the reason why there is no answer, as text."""
        one = self.certificate
        if one is not None and one.lost_to is not None:
            return f"{names[one.champion]} lost to {names[one.lost_to]}, at level {one.level}"
        if one is not None:
            return f"{names[one.champion]} had not yet won against every other arm"
        if self._last is None:
            return f"no champion was found yet, for a winner's gap of {self._gap}"
        first, second = (names[arm] for arm in self._last)
        return f"{first} was playing {second}, for a winner's gap of {self._gap}"


@dataclass(frozen=True, slots=True)
class Setting:
    """A policy with its parameters, to be played among ``size`` arms.

    - ``delta``: BAI's confidence level, or the weak policy's warm start in place of 1/4.
    - ``test``: the pairwise test.
    - ``assumes``: the assumption of the certificate of ``best``.
    - ``margin``: the margin of the certificate of ``certify``, whose arm is ``start``.
    - ``horizon``: H for the known-horizon policy; for the others, the round at which play stops.
    - ``budget``: the maximal number of duels.

    Raises :class:`~tgite.errors.InvalidInput` for a parameter that is missing, has no meaning for
    the policy, or breaks a rule.
    """

    policy: Policy
    size: int
    start: Arm = 0
    delta: Confidence | None = None
    test: ChosenTest = ChosenTest(PairwiseName.DUEL)  # noqa: RUF009  # immutable
    horizon: int | None = None
    budget: int | None = None
    conventions: Conventions = RULINGS
    assumes: Assumption = Assumption.NOTHING
    margin: Fraction | None = None

    def __post_init__(self) -> None:
        """Check everything before any duel is spent."""
        require_arm("start", self.start, self.size)
        policy, level = self.policy, self.delta
        identifies = policy in (Policy.BAI, Policy.BEST, Policy.CERTIFY)
        if identifies:
            given = level is not None
            require(given, "delta", "nothing", f"must be given for {policy}: the allowed error")
        elif policy is not Policy.WEAK:
            require(level is None, "delta", str(level), f"has no meaning for {policy}")
        if policy is Policy.STRONG_KNOWN_HORIZON:
            given = self.horizon is not None
            require(given, "horizon", "nothing", f"must be given for {policy}")
        elif not identifies:
            limited = self.horizon is not None or self.budget is not None
            never = f"must be given, or a budget: {policy} never ends by itself"
            require(limited, "horizon", "nothing", never)
        for name in ("horizon", "budget"):
            if (limit := getattr(self, name)) is not None:
                require_whole_number(name, limit, at_least=1)
        self.stream().close()

    @property
    def means(self) -> str:
        """The test or the certificate that the policy uses, in words."""
        if self.policy in (Policy.BEST, Policy.CERTIFY):
            within = "" if self.margin is None else f", within a margin of {self.margin}"
            return f"a certificate that assumes {self.assumes}{within}"
        return str(self.test)

    def stream(self, progress: CertificateProgress | None = None) -> PolicyStream:
        """Return the policy's stream.

        ``progress`` records the progress of ``best`` or ``certify``.
        """
        # Arms count from 0 inside; only their output uses the numbering convention.
        conventions = replace(self.conventions, first_arm=0)
        b_0, test = self.start, self.test.test
        tree = BalancedTree.over(self.size, conventions)
        made: Generator[Any, Any, Arm | None]
        match self.policy:
            case Policy.BEST | Policy.CERTIFY:
                return self._certified(progress or CertificateProgress())
            case Policy.BAI:
                made = tg_ite_bai(b_0, tree, self._level, test, conventions)
            case Policy.WEAK:
                level = WEAK_WARM_START if self.delta is None else self.delta
                made = tg_ite_weak(b_0, tree, test, conventions, warm_start=level)
            case Policy.STRONG_KNOWN_HORIZON:
                assert self.horizon is not None
                made = tg_ite_strong_known_horizon(b_0, tree, self.horizon, test, conventions)
            case Policy.STRONG_ANYTIME:
                made = tg_ite_strong_anytime(b_0, tree, test, conventions)
            case never:
                assert_never(never)
        return made

    @property
    def _level(self) -> Confidence:
        assert self.delta is not None
        return self.delta

    def _certified(self, progress: CertificateProgress) -> PolicyStream:
        """Return the stream of a certificate; it returns the arm if that is certified."""
        made: Stream[Duel, Outcome, Certificate]
        if self.policy is Policy.CERTIFY:
            made = certify(
                self.start, self.size, self._level, margin=self.margin, budget=self.budget
            )
        else:
            made = stages(
                *(self.size, self._level, self.assumes),
                *(progress.known_gap, progress.one_sided, self.conventions),
            )

        def algorithm() -> PolicyStream:
            progress.certificate = one = yield from made
            return one.champion if one.verdict in (Verdict.WON, Verdict.EQUIVALENT) else None

        return algorithm()
