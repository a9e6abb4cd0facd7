"""Compare the recorded verdicts with the results of the checks.

A recorded verdict is confirmed if all checks of its claim and question hold. For a recorded
``refuted``, these checks hold if the counterexamples are valid.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from tgite_checks.audit.tasks import Aim, Finished, Task
from tgite_checks.check import Check, Depth, Question
from tgite_checks.claims.book import Ledger
from tgite_checks.claims.model import Claim, Consequence, Finding, Severity
from tgite_checks.claims.rendering import filled_in
from tgite_checks.proofs.record import Extract, ProvedTheorem
from tgite_checks.verdict import Status, of_checks, of_demonstration


@dataclass(frozen=True, slots=True)
class Trial:
    """A mutant or a perturbed statement, and whether the check rejected it."""

    name: str
    explanation: str
    finished: Finished

    @property
    def told_apart(self) -> bool:
        """Whether the check examined the mutant or statement and found it wrong."""
        return self.finished.tells_apart()


@dataclass(frozen=True, slots=True)
class Evidence:
    """A check with its result; ``trials`` are empty unless ``mutants`` were requested."""

    check: Check
    finished: Finished
    missing: tuple[str, ...] = ()
    trials: tuple[Trial, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether the check passed and the theorems that it relies on are proved."""
        return self.finished.holds() and not self.missing


@dataclass(frozen=True, slots=True)
class Entry:
    """A claim of the ledger, with the statuses of its verdicts in this run."""

    claim: Claim
    statuses: Mapping[Question, Status]
    evidence: tuple[Evidence, ...]

    @property
    def is_as_recorded(self) -> bool:
        """Whether the run contradicts none of the claim's verdicts."""
        return all(status.is_as_recorded for status in self.statuses.values())

    @property
    def command(self) -> str:
        """The command that runs only this claim again."""
        return f"tgite audit --claim {self.claim.label}"


@dataclass(frozen=True, slots=True)
class Shown:
    """A finding or a consequence, with the result of its demonstration, if there is one."""

    part: Finding | Consequence
    finished: Finished | None

    @property
    def status(self) -> Status:
        """The status of the finding, from the result of its demonstration."""
        if self.finished is None:
            return Status.READING
        return of_demonstration(self.finished.holds() if self.finished.result else None)


@dataclass(frozen=True, slots=True)
class Confirmation:
    """A finding with its consequences, and the results of all their demonstrations."""

    finding: Finding
    finished: Finished | None
    consequences: tuple[Shown, ...] = ()

    @property
    def parts(self) -> tuple[Shown, ...]:
        """The finding and its consequences."""
        return (Shown(self.finding, self.finished), *self.consequences)

    @property
    def status(self) -> Status:
        """The status of the finding, from the results of all its demonstrations."""
        statuses = {part.status for part in self.parts}
        for one in (Status.FAILED, Status.CONTRADICTED, Status.CONFIRMED):
            if one in statuses:
                return one
        return Status.READING


@dataclass(frozen=True, slots=True)
class Judged:
    """The result of an audit: the recorded verdicts, with their statuses in this run.

    - ``entries`` and ``beyond``: the paper's claims, and those beyond the paper.
    - ``whole``: whether all claims were audited.
    - ``mutants``: whether the trials were run.
    - ``problems``: inconsistencies of the ledger itself.
    - ``notes``: what the reader should know about the run.
    """

    depth: Depth
    mutants: bool
    whole: bool
    entries: tuple[Entry, ...]
    beyond: tuple[Entry, ...]
    findings: tuple[Confirmation, ...]
    theorems: tuple[ProvedTheorem, ...]
    rechecked: bool
    problems: tuple[str, ...]
    notes: tuple[str, ...]
    reused: int
    ran: int

    @property
    def all_entries(self) -> tuple[Entry, ...]:
        """The entries of the paper, then the entries beyond the paper."""
        return (*self.entries, *self.beyond)

    def about(self, label: str) -> tuple[Confirmation, ...]:
        """Return the findings that are about that label, or have a consequence about it."""
        return tuple(one for one in self.findings if label in one.finding.labels)

    def differences(self) -> tuple[str, ...]:
        """Return one line for each difference from the record."""
        return (*_differences(self), *self.problems)


def judge(
    ledger: Ledger,
    done: Mapping[Task, Finished],
    *,
    depth: Depth,
    mutants: bool = False,
    whole: bool = True,
    theorems: Extract = MappingProxyType({}),
    rechecked: bool = False,
    problems: tuple[str, ...] = (),
    notes: tuple[str, ...] = (),
) -> Judged:
    """Return the audit of a ledger from the results of its tasks."""
    reused = sum(finished.reused for finished in done.values())
    results = {
        task.name: finished.result
        for task, finished in done.items()
        if task.aim in (Aim.CHECK, Aim.DEMONSTRATION) and finished.result is not None
    }
    ledger = filled_in(ledger, results, missing=True)
    findings = [
        Confirmation(
            finding,
            _demonstrated(finding, done),
            tuple(Shown(one, _demonstrated(one, done)) for one in finding.consequences),
        )
        for finding in ledger.findings.values()
    ]
    severities = list(Severity)
    findings.sort(key=lambda one: severities.index(one.finding.severity))
    entries = [_entry(claim, ledger, done, theorems, rechecked) for claim in ledger.claims.values()]
    return Judged(
        depth=depth,
        mutants=mutants,
        whole=whole,
        entries=tuple(one for one in entries if not one.claim.is_beyond),
        beyond=tuple(one for one in entries if one.claim.is_beyond),
        findings=tuple(findings),
        theorems=tuple(theorems.values()),
        rechecked=rechecked,
        problems=problems,
        notes=notes,
        reused=reused,
        ran=len(done) - reused,
    )


def _demonstrated(part: Finding | Consequence, done: Mapping[Task, Finished]) -> Finished | None:
    """Return the run of a demonstration, ``None`` only where there is none to run."""
    task = Task(Aim.DEMONSTRATION, part.name)
    return done.get(task, Finished(task, None, lost="was not run")) if part.demonstration else None


def about(theorems: Extract, ledger: Ledger) -> Extract:
    """Return the theorems that are about claims of this ledger, or that the ledger's checks use."""
    used = {name for check in ledger.checks.values() for name in check.certifies}
    return {
        name: theorem
        for name, theorem in theorems.items()
        if name in used or not ledger.claims.keys().isdisjoint(theorem.labels)
    }


def _entry(
    claim: Claim, ledger: Ledger, done: Mapping[Task, Finished], theorems: Extract, rechecked: bool
) -> Entry:
    evidence = tuple(
        Evidence(
            check,
            done[Task(Aim.CHECK, check.name)],
            tuple(name for name in check.certifies if name not in theorems),
            tuple(_trials(check, ledger, done)),
        )
        for check in ledger.checks_of(claim)
    )
    statuses = {
        question: of_checks(
            [
                (one.check.kind, one.holds if one.finished.result else None)
                for one in evidence
                if one.check.question is question
            ],
            rechecked,
        )
        for question in Question
        if question in claim.verdicts
    }
    return Entry(claim, statuses, evidence)


def _trials(check: Check, ledger: Ledger, done: Mapping[Task, Finished]) -> Iterator[Trial]:
    mistakes = {name: one.mistake for name, one in ledger.mutants.items()}
    for aim, against in ((Aim.MUTANT, check.rejects), (Aim.REFUSAL, check.refuses)):
        for name in against:
            finished = done.get(Task(aim, check.name, name))
            if finished is not None:
                explanation = mistakes.get(name, "unknown mutant") if aim is Aim.MUTANT else ""
                yield Trial(name, explanation, finished)


def _differences(judged: Judged) -> Iterator[str]:
    for entry in judged.all_entries:
        for one in entry.evidence:
            label = f"{entry.claim.label}: {one.check.question} check {one.check.name}"
            if not one.holds:
                yield f"{label}: {why_not(one)}"
            for trial in one.trials:
                if not trial.told_apart:
                    why = f": {_why(trial.finished)}" if trial.finished.error else ""
                    yield f"{label} does not tell {trial.name} from the right one{why}"
    for part in (part for finding in judged.findings for part in finding.parts):
        if part.finished is not None and not part.status.is_as_recorded:
            yield f"finding {part.part.name} is not demonstrated: {_why(part.finished)}"


def why_not(evidence: Evidence) -> str:
    """Return in one line why a check does not hold."""
    if evidence.missing:
        return f"relies on a theorem that is not in the record: {evidence.missing[0]}"
    return _why(evidence.finished)


def _why(finished: Finished) -> str:
    result = finished.result
    if result is None:
        return finished.error.splitlines()[0]
    if result.examined <= 0:
        return "it examined no case"
    return result.counterexample.strip().partition("\n")[0] or result.summary
