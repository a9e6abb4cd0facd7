"""The ledger as one value: every claim, check, mutant and finding by its name."""

from __future__ import annotations

import difflib
import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from tgite.errors import InvalidInput
from tgite_checks.check import Check, Demonstration
from tgite_checks.claims.model import Claim, Finding
from tgite_checks.mutation import Mutant

_T = TypeVar("_T")


class LazyMapping(Mapping[str, _T]):
    """A mapping whose values are computed on first access, and then cached."""

    def __init__(self, finders: Mapping[str, Callable[[], _T]]) -> None:
        """Store the functions that compute the values."""
        self._finders = {name: functools.cache(find) for name, find in finders.items()}

    def __getitem__(self, name: str) -> _T:
        """Return the value of that name."""
        return self._finders[name]()

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names."""
        return iter(self._finders)

    def __len__(self) -> int:
        """Return the number of names."""
        return len(self._finders)


@dataclass(frozen=True, slots=True)
class Ledger:
    """All claims with their evidence, in the order in which they are shown.

    - ``claims`` by label; ``findings``, ``mutants`` and ``checks`` by name.
    - ``demonstrations`` by the name of their finding or consequence.
    - ``owners``: the module of each check and demonstration. Its imports can influence the result.
    """

    claims: Mapping[str, Claim]
    findings: Mapping[str, Finding] = field(default_factory=dict)
    mutants: Mapping[str, Mutant] = field(default_factory=dict)
    checks: Mapping[str, Check] = field(default_factory=dict)
    demonstrations: Mapping[str, Demonstration] = field(default_factory=dict)
    owners: Mapping[str, str] = field(default_factory=dict)

    def findings_about(self, label: str) -> tuple[Finding, ...]:
        """Return the findings that are about that label, or have a consequence about it."""
        return tuple(one for one in self.findings.values() if label in one.labels)

    def checks_of(self, claim: Claim) -> tuple[Check, ...]:
        """Return the checks of a claim."""
        return tuple(self.checks[name] for name in claim.check_names)

    def selected(self, labels: Iterable[str]) -> Ledger:
        """Return the part of the ledger that is about ``labels``, with the checks that it needs.

        ``tab:x`` selects the rows ``tab:x:...`` too. Raises :class:`~tgite.errors.InvalidInput` for
        a label without an entry, and suggests similar labels.
        """
        wanted = [label for asked in labels for label in self._entries(asked)]
        claims = {label: claim for label, claim in self.claims.items() if label in wanted}
        findings = {
            name: finding
            for name, finding in self.findings.items()
            if not finding.labels.isdisjoint(wanted)
        }
        parts = [part.name for finding in findings.values() for part in finding.parts]
        names = dict.fromkeys(name for claim in claims.values() for name in claim.check_names)
        return Ledger(
            claims,
            findings,
            self.mutants,
            {name: self.checks[name] for name in names},
            {name: self.demonstrations[name] for name in parts if name in self.demonstrations},
            self.owners,
        )

    def _entries(self, asked: str) -> list[str]:
        found = [label for label in self.claims if (label + ":").startswith(asked + ":")]
        if not found:
            near = difflib.get_close_matches(asked, self.claims, n=3, cutoff=0.4)
            near += [label for label in self.claims if asked in label and label not in near][:3]
            raise InvalidInput(
                "claim",
                asked,
                f"is not a label of the ledger; similar labels: {', '.join(near)}"
                if near
                else "is not a label of the ledger (docs/claims.md lists them)",
            )
        return found
