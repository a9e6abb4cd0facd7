"""The rule that gives a recorded verdict its status from the results of its checks."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from tgite_checks.check import Kind


class Status(StrEnum):
    """The status of a recorded verdict or finding after a run."""

    CONFIRMED = "confirmed"
    CONTRADICTED = "contradicted"
    PROVED = "proved"
    """Confirmed, at least in part by a theorem, and the proofs were compiled here."""
    PROVED_ELSEWHERE = "proved (not re-checked here)"
    READING = "by reading"
    """Nothing was run, because there is nothing to check or only an argument in words."""

    @property
    def is_as_recorded(self) -> bool:
        """Whether the run does not contradict the record."""
        return self is not Status.CONTRADICTED


def of_checks(found: Sequence[tuple[Kind, bool]], rechecked: bool) -> Status:
    """Return the status of a verdict from its checks: the kind of each, and whether it holds.

    ``rechecked``: whether this run compiled the proofs.
    """
    if not all(holds for _, holds in found):
        return Status.CONTRADICTED
    kinds = [kind for kind, _ in found]
    if Kind.THEOREM in kinds:
        return Status.PROVED if rechecked else Status.PROVED_ELSEWHERE
    if all(kind is Kind.READING for kind in kinds):
        return Status.READING
    return Status.CONFIRMED


def of_demonstration(holds: bool | None) -> Status:
    """Return the status of a finding; ``holds`` is ``None`` where it has no demonstration.

    A demonstration that raised does not hold.
    """
    if holds is None:
        return Status.READING
    return Status.CONFIRMED if holds else Status.CONTRADICTED
