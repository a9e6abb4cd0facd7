"""The audit as one self-contained HTML page: no network, no scripts, readable in print."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from tgite_checks.audit.judgement import Entry, Judged, Status, why_not
from tgite_checks.audit.report.numbers import WIDTH, ratio, scale_of, slack
from tgite_checks.audit.report.plots import drawn, left_out
from tgite_checks.audit.report.progress import answered
from tgite_checks.audit.report.prose import inline, prose
from tgite_checks.audit.sources import digest_of_everything, versions
from tgite_checks.check import Plot, Question
from tgite_checks.claims.model import Outcome, Severity
from tgite_checks.proofs.record import RECHECK

_TEMPLATES = Path(__file__).parent / "templates"


def page(judged: Judged, made_at: datetime | None = None) -> str:
    """Return the page; ``made_at`` is now, unless given."""
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(prose=prose, inline=inline, clock=clock)
    made = datetime.now(UTC) if made_at is None else made_at
    claiming = [one for one in judged.entries if not one.claim.claims_nothing]
    text: str = environment.get_template("page.html").render(
        judged=judged,
        differences=judged.differences(),
        labels=frozenset(entry.claim.label for entry in judged.entries),
        theorem_names=frozenset(theorem.name for theorem in judged.theorems),
        questions=list(Question),
        claiming=claiming,
        headings=[one for one in judged.entries if one.claim.claims_nothing],
        counts=[(question, _counts(claiming, question)) for question in Question],
        severities=list(Severity),
        pictures=_pictures(itertools.count(1)),
        scale_of=scale_of,
        width=WIDTH,
        slack=lambda number: ratio(slack(number)),
        why_not=why_not,
        answered=answered(judged.reused, judged.ran),
        outcomes=_OUTCOMES,
        proved_elsewhere=Status.PROVED_ELSEWHERE,
        recheck=RECHECK,
        style=Markup((_TEMPLATES / "style.css").read_text(encoding="utf-8")),
        made=made.strftime("%Y-%m-%d %H:%M UTC"),
        sources=digest_of_everything()[:16],
        versions=versions(),
    )
    return re.sub(r"\n\s*\n+", "\n", text) + "\n"


_OUTCOMES = {
    Outcome.PROVED: ("◆", "is a theorem that a proof kernel accepts, with the constants given"),
    Outcome.PROVED_AMENDED: ("◇", "is such a theorem under a hypothesis that its text lacks"),
    Outcome.CERTIFIED: ("●", "is shown by enclosed computation, on its whole domain"),
    Outcome.HOLDS: ("○", "holds exactly on the cases stated, or by the argument given"),
    Outcome.REFUTED: ("✕", "is false under the reading kindest to it; a counterexample is run"),
    Outcome.OVERCLAIMED: ("▲", "says more than is true; the true reading is given"),
    Outcome.UNDERSPECIFIED: ("≈", "has readings with different answers, each of which is given"),
    Outcome.NOT_REPRODUCED: ("⊘", "is a printed result that does not come out as the text has it"),
    Outcome.DEFINITION: ("≔", "is a definition: there is nothing to check"),
    Outcome.OUT_OF_SCOPE: ("∅", "is about others' work or about priority"),
    Outcome.OPEN: ("?", "is neither shown nor contradicted here"),
}
"""How each outcome is marked, and what it says of the claim."""


def clock(seconds: float) -> str:
    """Write a time."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    return f"{int(seconds) // 60} min {int(seconds) % 60} s"


def _counts(entries: list[Entry], question: Question) -> list[tuple[Outcome, int]]:
    """Count the recorded outcomes."""
    verdicts = (entry.claim.verdicts.get(question) for entry in entries)
    counted = Counter(verdict.outcome for verdict in verdicts if verdict is not None)
    return [(outcome, counted[outcome]) for outcome in Outcome if counted[outcome]]


def _pictures(serial: Iterator[int]) -> Callable[[Plot], tuple[str, Markup]]:
    """Return a function that captions and draws a plot, each with ids of its own."""

    def picture(plot: Plot) -> tuple[str, Markup]:
        beyond = left_out(plot)
        note = f" (in part beyond the plot: {', '.join(beyond)})" if beyond else ""
        return plot.title + note, Markup(drawn(plot, f"plot{next(serial)}"))

    return picture
