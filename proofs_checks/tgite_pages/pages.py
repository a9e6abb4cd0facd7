"""Generate the pages of ``docs/`` that come from the ledger, the proofs and the code.

``python -m tgite_pages`` writes the pages, with ``--tables`` only the tables that need no results.
With ``--check`` it writes nothing, lists the pages that are out of date, and exits with status 1 if
there are any.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType

from jinja2 import Environment, PackageLoader, StrictUndefined

from tgite.errors import require
from tgite_checks.audit.executors import workers
from tgite_checks.audit.report.progress import progress
from tgite_checks.audit.report.words import sizes_in_words
from tgite_checks.audit.runner import Audit
from tgite_checks.audit.store import FileStore
from tgite_checks.audit.tasks import tasks_of
from tgite_checks.check import Depth, Kind, Question, Result
from tgite_checks.claims.book import Ledger
from tgite_checks.claims.coverage import counted, sentences
from tgite_checks.claims.model import ClaimKind, Severity
from tgite_checks.claims.registry import LEDGER, ledger
from tgite_checks.claims.rendering import filled_in
from tgite_checks.false_alarms import BUDGET
from tgite_checks.figures.svg import printed_svg
from tgite_checks.figures.table import printed_table
from tgite_checks.proofs.record import COQ, ProvedTheorem, proved
from tgite_pages.entries import (
    BEYOND,
    BEYOND_PAGE,
    BLOCKS,
    OF_THEIR_OWN,
    Entry,
    entries,
    slug,
)
from tgite_pages.markdown import comment, line, listed, prose
from tgite_pages.places import ROOT, Place, lines_of
from tgite_pages.tables import tables

DOCS = ROOT / "docs"
"""The folder of the pages, in a source tree."""

RESULTS = Path("audit/results")
"""The default folder of the results of ``tgite audit``."""

_MADE = "<!-- Made from the ledger by `python -m tgite_pages`. -->"
_PAPER = "paper"
"""The folder of the entries' pages, which has no other files."""


def pages(
    of: Ledger,
    results: Mapping[str, Result] = MappingProxyType({}),
) -> dict[str, str]:
    """Return the text of each page by its file name; the texts of ``of`` must be filled in.

    ``results`` holds the checks' results by name.
    """
    found = entries(of, results)
    page = _pages_of(of, found)
    made = {name: page(name, name) for name in ("findings.md", "statistics.md")}
    made["claims.md"] = page("claims.md", "claims.md", groups=_in_sections(found.values()))
    if rows := printed_table(results):
        made["printed-numbers.svg"] = printed_svg(rows)
    alone = [one for one in found.values() if not one.anchor]
    for before, one, after in zip([None, *alone], alone, [*alone[1:], None], strict=False):
        made[one.page] = page(one.page, "entry.md", entry=one, before=before, after=after)
    for name in dict.fromkeys(one.page for one in found.values() if one.anchor):
        if name != BEYOND_PAGE:
            made[name] = page(name, "part.md", held=_held(found, name), title=_title(name))
    table = page("proofs.md", "proofs.md", groups=_theorems())
    made["proofs.md"] = page_with_table((DOCS / "proofs.md").read_text(encoding="utf-8"), table)
    return made


def pages_of_site() -> dict[str, str]:
    """Return the pages of the project's own ledger that only the site has.

    Checks of claims beyond the paper are run, unless their results are stored.
    """
    of, parts = ledger(), sentences()
    beyond = of.selected(label for label, one in of.claims.items() if one.is_beyond)
    _, results = with_results(beyond)
    of = filled_in(of, results, missing=True)
    found = entries(of, results)
    page = _pages_of(of, found)
    return {
        "api.md": page("api.md", "api.md", packages=list(_packages())),
        "sentences.md": page(
            "sentences.md", "sentences.md", sentences=parts, counted=counted(parts)
        ),
        BEYOND_PAGE: page(
            BEYOND_PAGE, "part.md", held=_held(found, BEYOND_PAGE), title=_title(BEYOND_PAGE)
        ),
    }


def _held(found: Mapping[str, Entry], page: str) -> list[Entry]:
    return [one for one in found.values() if one.page == page]


def _pages_of(of: Ledger, found: Mapping[str, Entry]) -> Callable[..., str]:
    """Return a function that makes a ledger's page from its file name and its template."""
    checks = list(of.checks.values())
    environment = Environment(
        loader=PackageLoader("tgite_pages"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        slug=slug,
        line=line,
        prose=prose,
        comment=comment,
        listed=listed,
        sizes_in_words=sizes_in_words,
        dashes=lambda _: "---",
    )
    environment.globals.update(
        made=_MADE,
        blocks=BLOCKS,
        beyond=BEYOND,
        of_their_own=OF_THEIR_OWN,
        ledger=of,
        entries=found,
        related=partial(_related, found),
        shown_with=partial(_shown_with, _homes(found.values())),
        finding_link=_finding_link,
        questions=list(Question),
        severities=list(Severity),
        kinds=list(Kind),
        budget=BUDGET,
        sampled=[check for check in checks if check.statistics is not None],
        counts=Counter((check.kind, check.question) for check in checks),
    )

    def page(name: str, template: str, **context: object) -> str:
        text = environment.get_template(template).render(page=f"docs/{name}", **context)
        return re.sub(r"\n{3,}", "\n\n", text.strip()) + "\n"

    return page


def _homes(found: Iterable[Entry]) -> dict[str, Entry]:
    """Return the entry that shows each part: an algorithm before a statement about it."""

    def rank(one: Entry) -> tuple[bool, bool, bool]:
        return one.claim.is_beyond, bool(one.anchor), one.claim.kind is not ClaimKind.ALGORITHM

    homes: dict[str, Entry] = {}
    for one in sorted(found, key=rank):
        for name in one.parts:
            homes.setdefault(name, one)
    return homes


def _shown_with(homes: Mapping[str, Entry], name: str, entry: Entry) -> Entry | None:
    """Return the entry that shows a part, or ``None`` if that is the given entry."""
    home = homes[name]
    return None if home is entry else home


def page_with_table(page: str, made: str, name: str = "table") -> str:
    """Return the page with a new table of that name between its two marks.

    Raises :class:`~tgite.errors.InvalidInput` if the page has no place for it.
    """
    before, begin, rest = page.partition(f"<!-- begin {name} -->\n")
    _, end, after = rest.partition(f"<!-- end {name} -->")
    require(bool(begin and end), "page", page[:60], f"must have the marks of a {name}")
    return before + begin + made + end + after


def _theorems() -> list[tuple[str, list[ProvedTheorem]]]:
    beyond = {
        path.name
        for path in COQ.rglob("*.v")
        if _IS_BEYOND in path.read_text("utf-8").split("\n")[0]
    }
    theorems = list(proved().values())
    others = [one for one in theorems if not one.labels]
    return [
        ("Of the paper", [one for one in theorems if one.labels]),
        (
            "Supporting theorems, and ties to the code",
            [one for one in others if one.file not in beyond],
        ),
        ("Beyond the paper", [one for one in others if one.file in beyond]),
    ]


_IS_BEYOND = "(not in the paper)"
"""The mark in the first line of a file whose theorems are not about the paper."""


def _related(found: Mapping[str, Entry], entry: Entry) -> list[Entry]:
    """Return the other entries with their own pages that are about the same code."""
    code = set(entry.claim.transcription)
    return [
        other
        for other in found.values()
        if other is not entry and not other.anchor and code & set(other.claim.transcription)
    ]


def _finding_link(name: str, page: str) -> str:
    return f"{Place('docs/findings.md').link(page)}#{slug(name)}"


def _in_sections(found: Iterable[Entry]) -> list[tuple[str, Entry | None, list[Entry]]]:
    """Group the entries under headings: the paper's headings, then the parts without labels."""
    sections: list[tuple[str, Entry | None, list[Entry]]] = [("Labels", None, [])]
    parts: dict[str, list[Entry]] = {}
    beyond: list[Entry] = []
    for one in found:
        if one.claim.kind is ClaimKind.SECTION:
            sections.append((one.claim.title, one, []))
        elif one.claim.is_beyond:
            beyond.append(one)
        elif one.claim.label.startswith(("assert:", "number:")):
            parts.setdefault(_title(one.page), []).append(one)
        else:
            sections[-1][2].append(one)
    unlabelled = [(f"Without a label: {title}", None, held) for title, held in parts.items()]
    apart = [("Beyond the paper: not its claims", None, beyond)] if beyond else []
    return [group for group in sections if group[1] or group[2]] + unlabelled + apart


def _title(page: str) -> str:
    return page.rpartition("/")[2].removesuffix(".md").replace("-", " ").capitalize()


def _packages() -> Iterator[tuple[str, list[tuple[str, Place, str]]]]:
    """Yield each package's name with its modules: each with name, place and first sentence."""
    for source, package in (("reference", "tgite"), ("proofs_checks", "tgite_checks")):
        folder = ROOT / source / package
        for path in [folder, *sorted(one for one in folder.rglob("*") if one.is_dir())]:
            modules = [
                (one.stem, Place(file := one.relative_to(ROOT).as_posix()), _first_line(file))
                for one in sorted(path.glob("*.py"))
                if one.stem != "__init__"
            ]
            if modules:
                yield path.relative_to(ROOT / source).as_posix().replace("/", "."), modules


def _first_line(file: str) -> str:
    docstring = ast.get_docstring(ast.parse("\n".join(lines_of(file)))) or ""
    return docstring.split("\n\n")[0].replace("``", "`")


def with_results(
    of: Ledger, source: str = LEDGER, folder: Path = RESULTS
) -> tuple[Ledger, Mapping[str, Result]]:
    """Run the ledger that ``source`` names at quick depth; return it filled in, and the results.

    Results stored in ``folder`` are used, and new results are stored there.
    """
    with progress() as observer:
        store, runs_on = FileStore(folder), workers(jobs=1)
        tasks = tasks_of(of, mutants=False)
        done = Audit(of, source, Depth.QUICK, store, runs_on, observer).run(tasks)
    results = {task.name: one.result for task, one in done.items() if one.result is not None}
    return filled_in(of, results), results


def pages_with_tables() -> dict[str, str]:
    """Return the text of each page that has tables of registries, with these made anew."""
    made = {}
    for name, of_page in tables().items():
        made[name] = (DOCS / name).read_text(encoding="utf-8")
        for table, text in of_page.items():
            made[name] = page_with_table(made[name], text, table)
    return made


def drifted(made: Mapping[str, str], docs: Path = DOCS) -> tuple[str, ...]:
    """Return the names of pages that are out of date, or that are no longer generated."""
    held = {path.relative_to(docs).as_posix() for path in docs.glob(f"{_PAPER}/*")}
    held = held if any(name.startswith(_PAPER) for name in made) else set()
    return tuple(
        name
        for name in [*made, *sorted(held - made.keys())]
        if not (docs / name).is_file() or (docs / name).read_text("utf-8") != made.get(name)
    )


def main(arguments: Sequence[str], made: Mapping[str, str] | None = None, docs: Path = DOCS) -> int:
    """Write or check the pages; return 0 (up to date), 1 (out of date) or 2 (bad arguments)."""
    if not set(arguments) <= {"--check", "--tables"}:
        print("usage: python -m tgite_pages [--check] [--tables]", file=sys.stderr)
        return 2
    check = "--check" in arguments
    if made is None:
        made = {} if "--tables" in arguments else pages(*with_results(ledger()))
        made = {**made, **pages_with_tables()}
    late = drifted(made, docs)
    for name in late:
        if check:
            print(f"docs/{name} is out of date; run: python -m tgite_pages")
        elif name in made:
            (docs / name).parent.mkdir(parents=True, exist_ok=True)
            (docs / name).write_text(made[name], encoding="utf-8")
        else:
            (docs / name).unlink()
    return 1 if late and check else 0
