"""The ledger as one value: every claim, check, mutant and finding under its name."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from tgite.errors import InvalidInput
from tgite_checks.check import Check
from tgite_checks.claims.model import Claim, Finding
from tgite_checks.mutation import Mutant


@dataclass(frozen=True, slots=True)
class Ledger:
    """Everything that is claimed and checked.

    ``claims`` go by label, ``findings``, ``mutants`` and ``checks`` by name, in the order in which
    they are shown. ``owners`` names the module that registers a check (or a finding): what it
    imports can influence the result.
    """

    claims: Mapping[str, Claim]
    findings: Mapping[str, Finding] = field(default_factory=dict)
    mutants: Mapping[str, Mutant] = field(default_factory=dict)
    checks: Mapping[str, Check] = field(default_factory=dict)
    owners: Mapping[str, str] = field(default_factory=dict)

    def selected(self, labels: Iterable[str]) -> Ledger:
        """Return the part of the ledger that is about ``labels``, with the checks it needs.

        ``tab:x`` selects the rows ``tab:x:...`` too. Raises
        :class:`~tgite.errors.InvalidInput` for a label that has no entry, naming near ones.
        """
        wanted = [label for asked in labels for label in self._entries(asked)]
        claims = {label: claim for label, claim in self.claims.items() if label in wanted}
        checks = {check.name: check for claim in claims.values() for check in claim.checks}
        findings = {
            name: finding for name, finding in self.findings.items() if finding.label in wanted
        }
        return Ledger(claims, findings, self.mutants, checks, self.owners)

    def _entries(self, asked: str) -> list[str]:
        found = [label for label in self.claims if (label + ":").startswith(asked + ":")]
        if not found:
            near = difflib.get_close_matches(asked, self.claims, n=3, cutoff=0.4)
            near += [label for label in self.claims if asked in label and label not in near][:3]
            raise InvalidInput(
                "claim",
                asked,
                f"is no label of the ledger; near ones: {', '.join(near)}"
                if near
                else "is no label of the ledger (docs/claims.md lists them)",
            )
        return found
