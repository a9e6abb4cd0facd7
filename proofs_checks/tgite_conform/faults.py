"""What can be wrong with a run that is not even a run."""

from __future__ import annotations

from enum import StrEnum


class FaultKind(StrEnum):
    """What is wrong with a run that is not a run."""

    CRASHED = "crashed"
    HUNG = "hung"
    FLOODED = "flooded"
    EXITED_EARLY = "exited early"
    NONSENSE = "answered nonsense"
    NOT_STARTED = "did not start"


class Fault(Exception):
    """A subject crashed, hung, flooded, exited early or answered nonsense."""

    def __init__(self, kind: FaultKind, detail: str, duels: int | None = None) -> None:
        """Say what happened, for a person, and after how many ``duels`` if that is known."""
        when = "" if duels is None else f" after {duels} duels" if duels else " before any duel"
        super().__init__(f"{kind}{when}: {detail}")
        self.kind = kind
        self.detail = detail
        self.duels = duels

    def after(self, duels: int) -> Fault:
        """Return the same fault for a run of ``duels`` duels."""
        return Fault(self.kind, self.detail, duels)


class Lacking(Exception):
    """The subject does not have what the case needs; the case is skipped for the reason given."""


class Refused(Exception):
    """The subject refuses the input; the message is its own."""
