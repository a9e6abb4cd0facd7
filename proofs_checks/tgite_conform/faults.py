"""Faults: reasons why there is no complete run to compare with the reference."""

from __future__ import annotations

from enum import StrEnum


class FaultKind(StrEnum):
    """The kind of a fault."""

    CRASHED = "crashed"
    HUNG = "hung"
    FLOODED = "flooded"
    EXITED_EARLY = "exited early"
    NONSENSE = "answered nonsense"
    NOT_STARTED = "did not start"


class Fault(Exception):
    """A subject crashed, hung, flooded its output, exited early or answered nonsense."""

    def __init__(self, kind: FaultKind, detail: str, duels: int | None = None) -> None:
        """Describe what happened, and after how many ``duels`` if that is known."""
        when = "" if duels is None else f" after {duels} duels" if duels else " before any duel"
        super().__init__(f"{kind}{when}: {detail}")
        self.kind = kind
        self.detail = detail
        self.duels = duels

    def after(self, duels: int) -> Fault:
        """Return the same fault for a run of ``duels`` duels."""
        return Fault(self.kind, self.detail, duels)


class Lacking(Exception):
    """The subject lacks what the case needs; the case is skipped for this reason."""


class Refused(Exception):
    """The subject refuses the input, with its own message."""
