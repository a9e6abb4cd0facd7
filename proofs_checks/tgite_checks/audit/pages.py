"""The pages of ``docs/`` that list claims, discrepancies and error rates, made from the ledger.

``python -m tgite_checks.audit.pages`` writes them; ``--check`` writes nothing, and says which ones
have drifted (exit status 1).
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from jinja2 import Environment, PackageLoader

import tgite_checks
from tgite_checks.audit.executors import workers
from tgite_checks.audit.report.progress import progress
from tgite_checks.audit.report.prose import paragraphs, pieces
from tgite_checks.audit.runner import Audit
from tgite_checks.audit.store import FileStore
from tgite_checks.audit.tasks import tasks_of
from tgite_checks.check import Depth, Kind, Question
from tgite_checks.claims.book import Ledger
from tgite_checks.claims.model import Claim, Finding, Outcome, Severity
from tgite_checks.claims.registry import LEDGER, ledger
from tgite_checks.claims.rendering import filled_in, sources_of
from tgite_checks.false_alarms import BUDGET
from tgite_checks.proofs.record import proved

DOCS = Path(tgite_checks.__file__).resolve().parents[2] / "docs"
"""The folder of the pages, in a source tree."""

RESULTS = Path("audit/results")
"""Where ``tgite audit`` stores results, unless it is told otherwise."""

_MADE = (
    "<!-- Made from the ledger by `python -m tgite_checks.audit.pages`: "
    "edit the ledger, not this. -->"
)
_CHECKS = "proofs_checks/tgite_checks"
_PAGES = ("claims.md", "discrepancies.md", "statistics.md")
_SPECIAL = re.compile(r"([\\*_<>|\[\]#~])")


def pages(of: Ledger) -> Mapping[str, str]:
    """Return the text of each page by its file name; the texts of ``of`` are filled in."""
    checks = list(of.checks.values())
    environment = Environment(
        loader=PackageLoader("tgite_checks.audit.report"), trim_blocks=True, lstrip_blocks=True
    )
    environment.filters.update(
        anchor=_anchor, line=_line, prose=_prose, listed=_listed, dashes=lambda _: "---"
    )
    environment.globals.update(
        made=_MADE,
        where=where,
        ledger=of,
        questions=list(Question),
        severities=list(Severity),
        standing=(Outcome.PROVED, Outcome.CERTIFIED, Outcome.HOLDS, Outcome.DEFINITION),
        kinds=list(Kind),
        budget=BUDGET,
        sampled=[check for check in checks if check.statistics is not None],
        counts=Counter((check.kind, check.question) for check in checks),
    )
    texts = {name: environment.get_template(name).render() for name in _PAGES}
    return {name: re.sub(r"\n{3,}", "\n\n", text.strip()) + "\n" for name, text in texts.items()}


def where(claim: Claim, of: Ledger) -> Mapping[str, list[str]]:
    """Say in which files of the source tree all stands that belongs to a claim, by what it is."""
    modules = [name.rpartition(".")[0] for name in claim.transcription]
    checks = of.checks_of(claim)
    owners = [of.owners[check.name] for check in checks if not check.certifies]
    theorems = proved()
    mutants = [of.mutants[name] for check in checks for name in check.rejects]
    named = sorted({module.rpartition(".")[::2] for module in modules + owners})
    files = {
        "code": [f"reference/{module.replace('.', '/')}.py" for module in modules],
        "claim": [
            f"{_CHECKS}/claims/{path.name}"
            for path in sorted((DOCS.parent / _CHECKS / "claims").glob("*.toml"))
            if f'\nlabel = "{claim.label}"\n' in path.read_text(encoding="utf-8")
        ],
        "checks": [f"proofs_checks/{owner.replace('.', '/')}.py" for owner in owners],
        "mutants": [f"{_CHECKS}/claims/mutants/{mutant.module}.toml" for mutant in mutants],
        "proofs": [
            f"proofs_checks/coq/{theorems[name].file}"
            for check in checks
            for name in check.certifies
            if name in theorems
        ],
        "tests": [
            next(filter(_there, (f"tests/test_{of_folder}_{stem}.py", f"tests/test_{stem}.py")), "")
            for folder, stem in named
            for of_folder in [folder.rpartition(".")[2]]
        ],
    }
    return {
        what: there
        for what, names in files.items()
        if (there := list(filter(_there, dict.fromkeys(names))))
    }


def _there(name: str) -> bool:
    return (DOCS.parent / name).is_file()


def with_numbers(of: Ledger, source: str = LEDGER, folder: Path = RESULTS) -> Ledger:
    """Fill in the texts of the ledger that ``source`` names, from runs at quick depth.

    What an audit has stored in ``folder`` is used, what is run is stored there.
    """
    parts: list[Claim | Finding] = [*of.claims.values(), *of.findings.values()]
    names = {name for part in parts for name in sources_of(part)}
    tasks = [task for task in tasks_of(of, mutants=False) if task.name in names]
    with progress() as observer:
        store, runs_on = FileStore(folder), workers(jobs=1)
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


def escaped(text: str) -> str:
    """Return a text as Markdown that shows it literally, code and formulas excepted."""

    def put(kind: str, piece: str) -> str:
        match kind:
            case "words":
                return _SPECIAL.sub(r"\\\1", piece)
            case "code":
                return f"`{piece}`"
            case _:
                marks = "$$" if kind == "display" else "$"
                # A bar would end the cell of a table.
                return marks + piece.replace("|", r"\vert ") + marks

    return "".join(put(kind, piece) for kind, piece in pieces(text))


def _prose(text: str) -> str:
    """Set a text of the ledger: paragraphs, and displayed formulas apart."""
    return "\n".join(
        "\n".join(("```text", part, "```", ""))
        if displayed and not part.startswith("$$")
        else f"{_line(part)}\n"
        for displayed, part in paragraphs(text)
    )


def _line(text: str) -> str:
    return " ".join(escaped(text).split())


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _anchor(label: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", label.lower()).strip("-")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
