"""The rule that gives a recorded verdict its status from the results of its checks."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from tgite_checks.check import Kind


class Status(StrEnum):
    """The status of a recorded verdict or finding after a run."""

    CONFIRMED = "evidence reproduced in this run"
    CONTRADICTED = "contradicted in this run"
    FAILED = "not run, by an error of ours"
    """A check or a demonstration raised, or could not be run."""
    PROVED = "proved"
    """Reproduced, at least in part by a theorem, and the proofs were compiled here."""
    PROVED_ELSEWHERE = "proved (not re-checked here)"
    READING = "by reading"
    """Nothing was run, because there is nothing to check or only an argument in words."""

    @property
    def is_as_recorded(self) -> bool:
        """Whether the run does not contradict the record."""
        return self not in (Status.CONTRADICTED, Status.FAILED)


def of_checks(found: Sequence[tuple[Kind, bool | None]], rechecked: bool) -> Status:
    """Return the status of a verdict from its checks: the kind of each, and whether it holds.

    A check without a result has ``None``. ``rechecked``: whether this run compiled the proofs.
    """
    said = [holds for _, holds in found]
    if not all(said):
        return of_demonstration(False if False in said else None)
    kinds = [kind for kind, _ in found]
    if Kind.THEOREM in kinds:
        return Status.PROVED if rechecked else Status.PROVED_ELSEWHERE
    if all(kind is Kind.READING for kind in kinds):
        return Status.READING
    return Status.CONFIRMED


def of_demonstration(holds: bool | None) -> Status:
    """Return the status of a finding by its demonstration, ``None`` if it has no result."""
    if holds is None:
        return Status.FAILED
    return Status.CONFIRMED if holds else Status.CONTRADICTED
