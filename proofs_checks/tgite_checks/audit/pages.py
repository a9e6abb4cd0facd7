"""The pages of ``docs/`` that list claims, discrepancies and error rates, made from the ledger.

``python -m tgite_checks.audit.pages`` writes them; ``--check`` writes nothing, and says which ones
have drifted (exit status 1).
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import tgite_checks
from tgite_checks.audit.executors import executor
from tgite_checks.audit.report.progress import progress
from tgite_checks.audit.runner import Audit, tasks_of
from tgite_checks.audit.store import FileStore
from tgite_checks.check import Check, Depth, Kind, Question
from tgite_checks.claims.book import Ledger
from tgite_checks.claims.model import Claim, Finding, Outcome, Severity
from tgite_checks.claims.registry import LEDGER, ledger
from tgite_checks.claims.rendering import filled_in, sources_of
from tgite_checks.false_alarms import BUDGET

DOCS = Path(tgite_checks.__file__).resolve().parents[2] / "docs"
"""The folder of the pages, in a source tree."""

RESULTS = Path("audit/results")
"""Where ``tgite audit`` stores results, unless it is told otherwise."""

_MADE = (
    "<!-- Made from the ledger by `python -m tgite_checks.audit.pages`: "
    "edit the ledger, not this. -->"
)
_CODE = re.compile(r"(`[^`]*`)")
_SPECIAL = re.compile(r"([\\*_<>|\[\]#~])")


def pages(of: Ledger) -> Mapping[str, str]:
    """Return the text of each page by its file name; the texts of ``of`` are filled in."""
    return {
        "claims.md": _text(_claims_page(of)),
        "discrepancies.md": _text(_discrepancies_page(of)),
        "statistics.md": _text(_statistics_page(of)),
    }


def with_numbers(of: Ledger, source: str = LEDGER, folder: Path = RESULTS) -> Ledger:
    """Fill in the texts of the ledger that ``source`` names, from runs at quick depth.

    What an audit has stored in ``folder`` is used, what is run is stored there.
    """
    parts: list[Claim | Finding] = [*of.claims.values(), *of.findings.values()]
    names = {name for part in parts for name in sources_of(part)}
    tasks = [task for task in tasks_of(of, mutants=False) if task.name in names]
    with progress() as observer:
        store, runs_on = FileStore(folder), executor(jobs=1)
        done = Audit(of, source, Depth.QUICK, store, runs_on, observer).run(tasks)
    results = {task.name: one.result for task, one in done.items() if one.result is not None}
    return filled_in(of, results)


def drifted(of: Ledger, docs: Path = DOCS) -> tuple[str, ...]:
    """Name the pages that are not as the ledger, its texts filled in, makes them."""
    return tuple(
        name
        for name, text in pages(of).items()
        if not (docs / name).is_file() or (docs / name).read_text(encoding="utf-8") != text
    )


def main(arguments: Sequence[str], of: Ledger | None = None, docs: Path = DOCS) -> int:
    """Write the pages, or check them; return 0 (all well), 1 (drift) or 2 (unusable arguments)."""
    made_from = with_numbers(ledger()) if of is None else of
    match list(arguments):
        case []:
            docs.mkdir(exist_ok=True)
            for name, text in pages(made_from).items():
                (docs / name).write_text(text, encoding="utf-8")
            return 0
        case ["--check"]:
            for name in (late := drifted(made_from, docs)):
                print(
                    f"docs/{name} is not as the ledger makes it: python -m tgite_checks.audit.pages"
                )
            return 1 if late else 0
        case _:
            print("usage: python -m tgite_checks.audit.pages [--check]", file=sys.stderr)
            return 2


def _text(lines: Iterable[str]) -> str:
    text = "\n".join(lines).strip() + "\n"
    return re.sub(r"\n{3,}", "\n\n", text)


def escaped(text: str) -> str:
    """Return a text as Markdown that shows it literally, code in backticks excepted."""
    parts = _CODE.split(text)
    return "".join(
        part if number % 2 else _SPECIAL.sub(r"\\\1", part) for number, part in enumerate(parts)
    )


def _prose(text: str) -> Iterator[str]:
    """Set a text of the ledger: paragraphs, and displayed formulas as blocks of plain text."""
    for block in re.split(r"\n[ \t]*\n", text.strip("\n")):
        lines = [line.rstrip() for line in block.split("\n") if line.strip()]
        if lines and all(line.startswith("  ") for line in lines):
            yield from ("```text", *(line.strip() for line in lines), "```", "")
        elif lines:
            yield from (" ".join(escaped(line.strip()) for line in lines), "")


def _cell(text: str) -> str:
    return " ".join(escaped(text).split())


def _row(*cells: str) -> str:
    return "| " + " | ".join(cells) + " |"


def _header(*names: str) -> Iterator[str]:
    yield _row(*names)
    yield _row(*("---" for _ in names))


def _anchor(label: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", label.lower()).strip("-")


def _claims_page(of: Ledger) -> Iterator[str]:
    yield _MADE
    yield "# Claims"
    yield ""
    yield (
        "Every labelled statement of the paper, and every unlabelled assertion that matters, with "
        "what the project says of it under three questions: does the code do what the text says "
        "(fidelity), is what the text claims true (truth), do the printed numbers follow from the "
        "text (experiment)? `tgite audit` re-runs the checks; `tgite audit --claim LABEL` those of "
        "one claim."
    )
    yield ""
    yield from _header("claim", *Question)
    for claim in of.claims.values():
        verdicts = (claim.verdicts.get(question) for question in Question)
        yield _row(
            f"[`{claim.label}`](#{_anchor(claim.label)}) {_cell(claim.title)}",
            *("" if verdict is None else str(verdict.outcome) for verdict in verdicts),
        )
    yield ""
    for claim in of.claims.values():
        yield from _claim(claim, of)


def _claim(claim: Claim, of: Ledger) -> Iterator[str]:
    yield f'<a id="{_anchor(claim.label)}"></a>'
    yield ""
    yield f"## {_cell(claim.title)}"
    yield ""
    yield f"`{claim.label}`, {claim.kind}, {_cell(claim.place)}"
    yield ""
    if claim.hypotheses.strip():
        yield "**Suppose.**"
        yield from _prose(claim.hypotheses)
    yield "**Claim.**"
    yield from _prose(claim.statement)
    for question, verdict in claim.verdicts.items():
        domain = f" ({_cell(verdict.domain)})" if verdict.domain.strip() else ""
        yield f"- {question}: **{verdict.outcome}**{domain}"
        if verdict.amendment.strip():
            yield f"  - as amended: {_cell(verdict.amendment)}"
    yield ""
    if claim.transcription:
        yield f"Transcription: {', '.join(f'`{place}`' for place in claim.transcription)}."
        yield ""
    for check in of.checks_of(claim):
        yield from _check(check)
    if claim.nothing_to_check:
        yield f"Nothing to check: {_cell(claim.nothing_to_check)}"
    yield ""
    yield f"Not established: {_cell(claim.not_established)}"
    yield ""
    found = [finding for finding in of.findings.values() if finding.label == claim.label]
    if found:
        links = (f"[{one.name}](discrepancies.md#{_anchor(one.name)})" for one in found)
        yield f"Findings: {', '.join(links)}."
        yield ""


def _check(check: Check) -> Iterator[str]:
    yield f"- check `{check.name}` ({check.question}, {check.kind}): {_cell(check.domain)}"
    if check.certifies:
        yield f"  - theorems: {', '.join(f'`{name}`' for name in check.certifies)}"
    if check.rejects:
        yield f"  - rejects the mutants {', '.join(f'`{name}`' for name in check.rejects)}"
    if check.refuses:
        yield f"  - refuses: {'; '.join(_cell(statement) for statement in check.refuses)}"


def _discrepancies_page(of: Ledger) -> Iterator[str]:
    yield _MADE
    yield "# Discrepancies"
    yield ""
    yield (
        "What is wrong, missing, ambiguous or needlessly loose in the paper, the most serious "
        "first. Each has a demonstration that `tgite audit --claim LABEL` re-runs, unless it is an "
        "argument in words."
    )
    yield ""
    for severity in Severity:
        found = [one for one in of.findings.values() if one.severity is severity]
        if not found:
            continue
        yield f"## {severity.capitalize()} ({len(found)})"
        yield ""
        for finding in found:
            yield from _finding(finding)
    amended = [
        (claim, question, verdict)
        for claim in of.claims.values()
        for question, verdict in claim.verdicts.items()
        if verdict.outcome is not Outcome.HOLDS or verdict.amendment.strip()
    ]
    yield "## Claims that do not simply hold"
    yield ""
    yield from _header("claim", "question", "outcome", "holds as amended")
    for claim, question, verdict in amended:
        yield _row(
            f"[`{claim.label}`](claims.md#{_anchor(claim.label)})",
            str(question),
            str(verdict.outcome),
            _cell(verdict.amendment),
        )


def _finding(finding: Finding) -> Iterator[str]:
    yield f'<a id="{_anchor(finding.name)}"></a>'
    yield ""
    yield f"### {finding.name}"
    yield ""
    yield (
        f"[`{finding.label}`](claims.md#{_anchor(finding.label)}), {_cell(finding.place)}; "
        f"{'demonstrated by a run' if finding.demonstration else 'argued in words'}"
    )
    yield ""
    yield "**The paper.**"
    yield from _prose(finding.claim)
    yield "**But.**"
    yield from _prose(finding.reason)
    yield "**Corrected.**"
    yield from _prose(finding.correction)


def _statistics_page(of: Ledger) -> Iterator[str]:
    yield _MADE
    yield "# Statistics"
    yield ""
    yield (
        "Sampling is the last resort, for what no exact law decides. Each statistical check states "
        "how often it fails though all is right (false alarm) and how often it fails on a named "
        f"wrong alternative (power). The whole suite shares {BUDGET:g} of false alarms "
        "per run; seeds are fixed, and nothing is ever re-run until it passes."
    )
    yield ""
    sampled = [check for check in of.checks.values() if check.statistics is not None]
    yield from _header("check", "question", "false alarm", "power", "alternative")
    for check in sampled:
        if check.statistics is not None:
            rates = check.statistics
            yield _row(
                f"`{check.name}`",
                str(check.question),
                f"{rates.alpha:.3g}",
                f"{rates.power:.6g}",
                _cell(rates.alternative),
            )
    spent = sum(check.statistics.alpha for check in sampled if check.statistics is not None)
    yield _row("**all**", "", f"**{spent:.3g}**", "", f"of {BUDGET:g}")
    yield ""
    yield "## The evidence, counted"
    yield ""
    kinds = Counter((check.kind, check.question) for check in of.checks.values())
    yield from _header("kind", *Question)
    for kind in Kind:
        yield _row(str(kind), *(str(kinds[kind, question] or "") for question in Question))
    yield ""
    told = sum(len(check.refuses) for check in of.checks.values())
    yield (
        f"{len(of.mutants)} mutants of the transcription, each rejected by a named check; "
        f"{told} perturbed statements, each refused by the check that it perturbs."
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
