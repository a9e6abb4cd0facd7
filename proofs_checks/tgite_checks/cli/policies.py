"""The policies by name, with everything that one run of them needs, checked before any duel."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from tgite import RULINGS, Arm, Confidence, Conventions
from tgite.beyond import Assumption, find_then_certify
from tgite.errors import require, require_whole_number
from tgite.questions import require_arm
from tgite_checks.conformance.algorithms import ReferenceStream, stream_of
from tgite_checks.pairwise import ChosenTest, PairwiseName


class Policy(StrEnum):
    """The four instantiations of TG-ITE; ``best`` is not the paper's: it finds and certifies."""

    BAI = "bai"
    BEST = "best"
    WEAK = "weak"
    STRONG_KNOWN_HORIZON = "strong-known-horizon"
    STRONG_ANYTIME = "strong-anytime"


@dataclass(frozen=True, slots=True)
class Setting:
    """A policy with its parameters, to be played among ``size`` arms.

    ``delta`` is BAI's confidence, or the weak policy's warm start in place of 1/4. ``test`` is the
    pairwise test. ``assumes`` is what the certificate of ``best`` assumes. ``horizon`` is H for
    the known-horizon policy, and where the player stops for the others; ``budget`` is the most
    duels.

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

    def __post_init__(self) -> None:
        """Check everything before any duel is spent."""
        require_arm("start", self.start, self.size)
        policy, level = self.policy, self.delta
        if policy in (Policy.BAI, Policy.BEST):
            given = level is not None
            require(given, "delta", "nothing", f"must be given for {policy}: the allowed error")
        elif policy is not Policy.WEAK:
            require(level is None, "delta", str(level), f"has no meaning for {policy}")
        if policy is Policy.STRONG_KNOWN_HORIZON:
            given = self.horizon is not None
            require(given, "horizon", "nothing", f"must be given for {policy}")
        elif policy not in (Policy.BAI, Policy.BEST):
            limited = self.horizon is not None or self.budget is not None
            never = f"must be given, or a budget: {policy} never ends by itself"
            require(limited, "horizon", "nothing", never)
        for name in ("horizon", "budget"):
            if (limit := getattr(self, name)) is not None:
                require_whole_number(name, limit, at_least=1)
        self.stream().close()

    @property
    def means(self) -> str:
        """Say in words what the policy is played with."""
        if self.policy is Policy.BEST:
            return f"a certificate that assumes {self.assumes}"
        return str(self.test)

    def stream(self) -> ReferenceStream:
        """Return the policy's stream: the algorithm of that name among those of the vectors."""
        if self.policy is Policy.BEST:
            return self._champion()
        g = self.test.g
        level = "delta" if self.policy is Policy.BAI else "warm_start"
        given = {
            "N": self.size,
            "b_0": self.start,
            level: None if self.delta is None else str(self.delta),
            "H": self.horizon if self.policy is Policy.STRONG_KNOWN_HORIZON else None,
            "g": None if g is None else str(g),
        }
        return stream_of(
            self.test.implementation,
            f"tg_ite_{self.policy.replace('-', '_')}{'' if g is None else '_g'}",
            {name: value for name, value in given.items() if value is not None},
            # Arms are written by their number where they are written, and not before.
            replace(self.conventions, first_arm=0),
        )

    def _champion(self) -> ReferenceStream:
        """Return the stream of find-then-certify, of whose certificate the arm is returned."""
        assert self.delta is not None
        made = find_then_certify(self.size, self.delta, self.assumes, self.conventions)

        def algorithm() -> ReferenceStream:
            certificate = yield from made
            return certificate.champion

        return algorithm()
