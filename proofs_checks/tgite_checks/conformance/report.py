"""The report of an examination: for a person, for a program (JSON), and for CI (JUnit)."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import chain, islice, zip_longest

from tgite_checks.conformance.divergence import Parting
from tgite_checks.conformance.flags import FLAGS
from tgite_checks.conformance.mistakes import asks_the_same
from tgite_checks.conformance.protocol import Mode
from tgite_checks.conformance.referee import Level
from tgite_checks.conformance.runner import BAD, CaseResult, Status
from tgite_checks.conformance.strict_json import printable
from tgite_checks.mutation import Mutant

REPORT_FORMAT = "tgite-conformance-report/1"
_WELL_ABOVE = 1.25
_MOST_STATES = 5
_FEWEST_CASES = 5
_ALONE = "played alone, in a fresh process, this case passes: does something outlive a run?"


@dataclass(frozen=True, slots=True)
class Report:
    """All results of an examination of the subject ``name`` at ``level``.

    ``mistakes`` are the known mistakes that explain them, ``mode`` is how it was played,
    ``pass_alone`` names those of the cases shown that conform when a fresh process plays them
    alone.
    """

    name: str
    level: Level
    results: tuple[CaseResult, ...]
    mistakes: tuple[Mutant, ...] = ()
    mode: Mode = Mode.DUEL
    pass_alone: tuple[str, ...] = ()

    @property
    def conforms(self) -> bool:
        """Say whether every case that applies conforms, and there was one."""
        counts = self.counts()
        return counts[Status.CONFORMS] > 0 and not any(counts[status] for status in BAD)

    def counts(self) -> Counter[Status]:
        """Count the results by status."""
        return Counter(result.status for result in self.results)

    def by_algorithm(self) -> dict[str, Counter[Status]]:
        """Count the results by algorithm and status."""
        counts: dict[str, Counter[Status]] = defaultdict(Counter)
        for result in self.results:
            counts[result.case.algorithm][result.status] += 1
        return counts

    def by_branch(self) -> dict[str, Counter[Status]]:
        """Count the results by flag and status; a case counts under each of its flags."""
        counts: dict[str, Counter[Status]] = {flag: Counter() for flag in FLAGS}
        for result in self.results:
            for flag in result.case.flags:
                counts[flag][result.status] += 1
        return {flag: some for flag, some in counts.items() if some}

    def shown(self, most: int) -> list[CaseResult]:
        """Return the differing results to show: of each algorithm the shortest ones first."""
        of_algorithm: dict[str, list[CaseResult]] = defaultdict(list)
        for result in self.results:
            if result.status in BAD:
                of_algorithm[result.case.algorithm].append(result)
        for results in of_algorithm.values():
            results.sort(key=lambda result: (_at(result), result.case.duels))
        turns = chain.from_iterable(zip_longest(*of_algorithm.values()))
        return list(islice((result for result in turns if result is not None), most))

    def to_json(self) -> dict[str, object]:
        """Return the report as JSON."""
        played = [result for result in self.results if result.status is Status.CONFORMS]
        return {
            "format": REPORT_FORMAT,
            "implementation": self.name,
            "level": self.level,
            "mode": self.mode,
            "conforms": self.conforms,
            "counts": _plain(self.counts()),
            "algorithms": {name: _plain(some) for name, some in self.by_algorithm().items()},
            "branches": {flag: _plain(some) for flag, some in self.by_branch().items()},
            "known_mistakes": [
                {"name": one.name, "label": one.label, "mistake": one.mistake}
                for one in self.mistakes
            ],
            "pass_alone": list(self.pass_alone),
            "duels": sum(result.duels for result in played),
            "milliseconds": round(1000 * sum(result.seconds for result in played)),
            "cases": [result.to_json() for result in self.results],
        }

    def to_junit(self) -> str:
        """Return the report as JUnit XML: a suite for each algorithm."""
        root = ET.Element("testsuites", name=f"tgite conform {_xml_text(self.name)}")
        for algorithm, counts in self.by_algorithm().items():
            suite = ET.SubElement(
                root,
                "testsuite",
                name=algorithm,
                tests=str(counts.total()),
                failures=str(counts[Status.WRONG] + counts[Status.DIFFERS_BY_CONVENTION]),
                errors=str(counts[Status.FAULT]),
                skipped=str(counts[Status.SKIPPED]),
            )
            for result in self.results:
                if result.case.algorithm == algorithm:
                    _add_junit_case(suite, result, self.mode)
        ET.indent(root)
        return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"

    def text(self, most_shown: int = 5) -> str:
        """Return the report for a person."""
        played = [result for result in self.results if result.status is Status.CONFORMS]
        duels, seconds = sum(one.duels for one in played), sum(one.seconds for one in played)
        lines = [
            f"{self.name}: {_said(self.counts())}",
            f"{duels:,} duels of conforming cases in {seconds:.1f} s "
            f"(level: {self.level}, mode: {self.mode})",
            "",
        ]
        by_algorithm = self.by_algorithm()
        skipped = [name for name, some in by_algorithm.items() if set(some) == {Status.SKIPPED}]
        width = max((len(name) for name in by_algorithm if name not in skipped), default=0)
        lines += [
            f"  {name:{width}}  {_said(counts)}"
            for name, counts in by_algorithm.items()
            if name not in skipped
        ]
        if skipped:
            lines.append(f"  skipped altogether: {', '.join(skipped)}")
        if self.mistakes:
            like = "parts at the duels of" if self.mode is Mode.BATCH else "fails like"
            lines += ["", f"it {like} an implementation with a known mistake:"]
            lines += [f"  {one.label}: {one.mistake} ({one.name})" for one in self.mistakes]
        for result in self.shown(most_shown):
            lines += ["", f"{result.case.id}: {result.case.name}", *_told(result, self.mode)]
            if result.case.id in self.pass_alone:
                lines.append(f"  {_ALONE}")
        bad = sum(self.counts()[status] for status in BAD)
        if bad > most_shown:
            lines += ["", f"... and {bad - most_shown} more (--shown {bad} shows them, --json too)"]
        if states := self._telling_states():
            lines += ["", "of the cases that reach these states, more fail than of all cases:"]
            lines += [f"  {bad:4} of {all_:4}  {FLAGS[flag]}" for bad, all_, flag in states]
        return printable("\n".join(lines) + "\n", also="\n")

    def _telling_states(self) -> list[tuple[int, int, str]]:
        """Return the states whose cases fail well above the overall rate, the worst first.

        A state is given as how many cases fail, of how many, and its flag.
        """
        bad, played = _bad_and_played(self.counts())
        if bad == 0:
            return []
        states = [(*_bad_and_played(counts), flag) for flag, counts in self.by_branch().items()]
        telling = [
            one
            for one in states
            if one[1] >= _FEWEST_CASES and one[0] * played >= _WELL_ABOVE * bad * one[1]
        ]
        return sorted(telling, key=lambda one: (-one[0] / one[1], -one[0]))[:_MOST_STATES]


def _told(result: CaseResult, mode: Mode) -> list[str]:
    lines = [f"  {result.status}: {result.detail}" if result.detail else f"  {result.status}"]
    if result.divergence is not None:
        lines += [f"  {line}" for line in str(result.divergence).splitlines()]
    note, divergence = result.case.mutant, result.divergence
    if note is not None and divergence is not None and divergence.duel == note.duel:
        if mode is Mode.BATCH and divergence.parting is not Parting.SELF_PLAY:
            lines.append(f"  a known mistake parts at this duel, too: {note.mistake}")
        elif asks_the_same(note, result):
            lines.append(f"  a known mistake asks the same at this duel: {note.mistake}")
    if result.case.boundary:
        lines.append("  this case comes within 1e-9 of a boundary: is single precision used?")
    return lines


def _bad_and_played(counts: Counter[Status]) -> tuple[int, int]:
    return sum(counts[status] for status in BAD), counts.total() - counts[Status.SKIPPED]


def _at(result: CaseResult) -> int:
    return 0 if result.divergence is None else result.divergence.duel


def _said(counts: Counter[Status]) -> str:
    return ", ".join(f"{counts[status]} {status}" for status in Status if counts[status])


def _plain(counts: Counter[Status]) -> dict[str, int]:
    return {str(status): counts[status] for status in Status if counts[status]}


def _add_junit_case(suite: ET.Element, result: CaseResult, mode: Mode) -> None:
    case = ET.SubElement(
        suite,
        "testcase",
        classname=f"tgite.{result.case.algorithm}",
        name=_xml_text(f"{result.case.id}: {result.case.name}"),
        time=f"{result.seconds:.6f}",
    )
    if result.status is Status.CONFORMS:
        return
    kind = {Status.SKIPPED: "skipped", Status.FAULT: "error"}.get(result.status, "failure")
    message = result.detail if result.divergence is None else str(result.divergence.parting)
    told = ET.SubElement(case, kind, message=_xml_text(message))
    if kind == "failure":
        told.set("type", str(result.status))
    if kind != "skipped":
        told.text = _xml_text("\n".join(_told(result, mode)))


_NOT_IN_XML = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _xml_text(text: str) -> str:
    """Replace what XML 1.0 cannot hold: a foreign program may say anything."""
    return _NOT_IN_XML.sub("\ufffd", text)
