"""Why cases of a report were not played: the reasons, each with what it is about."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterable
from dataclasses import dataclass

from tgite_conform.algorithms import Group
from tgite_conform.runner import CaseResult
from tgite_conform.subjects import ALGORITHM_NOT_DECLARED

_MOST_NAMED = 4
_GROUPS = {
    Group.PAPER: "of the paper",
    Group.BEYOND: "with tests beyond the paper",
    Group.CERTIFICATES: "certificates",
}


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason, and the number of cases for each thing that it is about."""

    reason: str
    about: Counter[str]

    @property
    def cases(self) -> int:
        """The number of cases."""
        return self.about.total()

    def to_json(self) -> dict[str, object]:
        """Return it as JSON."""
        about = {what: count for what, count in self.about.items() if what}
        return {"reason": self.reason, "cases": self.cases, "about": about}

    def __str__(self) -> str:
        """Write it for a reader, on a line: algorithms by their groups."""
        if self.reason == ALGORITHM_NOT_DECLARED:
            groups = (_of_group(group, self.about) for group in Group)
            return f"{self.reason}: {'; '.join(filter(None, groups))}"
        whats = [
            f"{what} ({count})" if len(self.about) > 1 else what
            for what, count in self.about.most_common(_MOST_NAMED)
        ]
        if more := len(self.about) - len(whats):
            whats.append(f"{more} others")
        return f"{self.reason}: {', '.join(whats)}" if any(self.about) else self.reason


def reasons(results: Iterable[CaseResult]) -> list[Reason]:
    """Return the reasons why these were not played, that of most cases first."""
    about: dict[str, Counter[str]] = defaultdict(Counter)
    for result in results:
        reason, _, what = result.detail.partition(": ")
        about[reason][what] += 1
    found = [Reason(reason, whats) for reason, whats in about.items()]
    return sorted(found, key=lambda one: -one.cases)


def _of_group(group: Group, names: Container[str]) -> str:
    """Name those algorithms of a group, or say how many they are."""
    found = [name for name in group.algorithms if name in names]
    if len(found) <= _MOST_NAMED:
        return ", ".join(found)
    of = len(group.algorithms)
    return f"{f'all {of}' if len(found) == of else f'{len(found)} of the {of}'} {_GROUPS[group]}"
