"""The audit as one self-contained HTML page, without network access or scripts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from tgite_checks.audit.judgement import Judged, why_not
from tgite_checks.audit.report.formula_font import font_style
from tgite_checks.audit.report.numbers import nearest, shown, slack, whole
from tgite_checks.audit.report.opening import (
    PARTS,
    agreement,
    bounds,
    found_by,
    headline,
    part_of,
    printed_rows,
    tally,
    title,
)
from tgite_checks.audit.report.progress import reuse
from tgite_checks.audit.report.prose import Setting, linked, symbols
from tgite_checks.audit.report.sentences import code, sentences
from tgite_checks.audit.report.words import OUTCOMES, SEVERITIES, in_words
from tgite_checks.audit.sources import digest_of_everything, versions
from tgite_checks.claims.model import Severity
from tgite_checks.claims.rendering import written
from tgite_checks.figures.svg import plot_svg, printed_svg
from tgite_checks.figures.table import NO_CHANCE, Reading
from tgite_checks.proofs.record import RECHECK
from tgite_checks.verdict import Status

TEMPLATES = Path(__file__).parent / "templates"

_LETTERING = "/* the font of the formulas */"

SERIOUS = (Severity.ERROR, Severity.OVERCLAIM)
"""The severities of the findings that are shown unfolded."""

_TITLES = {
    "headline": "Evidence for the bounds and guarantees",
    "printed": "Evidence for the printed numbers",
    "steps": "Lemmas and steps of proofs",
    "said": "Other assertions",
    "definitions": "Definitions",
    "code": "The code",
    "headings": "Headings",
    "beyond": "Beyond the paper",
}

_BEYOND = "None of this is in the paper, and nothing above counts it: tests of our own."


def page(judged: Judged, made_at: datetime | None = None) -> str:
    """Return the page; ``made_at`` is the date to print, by default now."""
    labels = frozenset(entry.claim.label for entry in judged.all_entries)
    environment = template_environment(Setting(code=linked(labels)))
    made = datetime.now(UTC) if made_at is None else made_at
    text: str = environment.get_template("page.html").render(
        opening(judged),
        linked=True,
        differences=judged.differences(),
        labels=labels,
        theorem_names=frozenset(theorem.name for theorem in judged.theorems),
        parts={name: part_of(judged, name) for name in PARTS} | {"beyond": judged.beyond},
        first=_first(judged),
        said={"code": code(judged), "beyond": _BEYOND},
        titles=_TITLES,
        serious=SERIOUS,
        why_not=why_not,
        answered=reuse(judged.reused, judged.ran),
        proved_elsewhere=Status.PROVED_ELSEWHERE,
        recheck=RECHECK,
        lettering=_LETTERING,
        style=Markup((TEMPLATES / "style.css").read_text(encoding="utf-8")),
        made=made.strftime("%Y-%m-%d %H:%M UTC"),
        sources=digest_of_everything()[:16],
        versions=versions(),
    )
    return re.sub(r"\n\s*\n+", "\n", text.replace(_LETTERING, font_style(text))) + "\n"


def template_environment(setting: Setting) -> Environment:
    """Return the environment of the templates; ``setting`` converts the ledger's texts."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters = (setting.prose, setting.inline, clock, written, whole, shown, in_words, symbols)
    environment.filters |= {one.__name__: one for one in filters}
    environment.globals.update(
        outcomes=OUTCOMES,
        severities=SEVERITIES,
        nearest=nearest,
        slack=lambda number: shown(one, 3) if (one := slack(number)) and one.low >= 1 else "",
        picture=lambda plot: Markup(plot_svg(plot)),
    )
    return environment


def opening(judged: Judged) -> dict[str, object]:
    """Return the values for the template of a report's opening."""
    rows = printed_rows(judged)
    return {
        "judged": judged,
        "standing": agreement(judged),
        "sentences": sentences(judged),
        "tally": tally(judged) if judged.whole else {},
        "found": partial(title, judged),
        "headline": headline(judged),
        "bounds": bounds(judged),
        "printed": rows,
        "figure": Markup(printed_svg([row for _, row in rows])) if rows else "",
        "impossible": sum(one.is_impossible for _, one in rows),
        "law_and_bounds": dict(found_by(judged)).get("dueltest-time"),
        "readings": list(Reading),
        "no_chance": NO_CHANCE,
    }


def clock(seconds: float) -> str:
    """Return a duration as text, in seconds or minutes."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    return f"{int(seconds) // 60} min {int(seconds) % 60} s"


def _first(judged: Judged) -> Mapping[str, str]:
    """Return for each check the label of the entry that shows its result; others link to it."""
    entries = [entry for part in PARTS for entry in part_of(judged, part)]
    shown = [
        (one.check.name, entry) for entry in (*entries, *judged.beyond) for one in entry.evidence
    ]
    return {name: entry.claim.label for name, entry in reversed(shown)}
