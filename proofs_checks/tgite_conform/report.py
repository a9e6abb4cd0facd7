"""The report on an implementation: as text, as JSON, and as JUnit XML for CI."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tgite import RULINGS
from tgite_conform.algorithms import ALGORITHMS
from tgite_conform.divergence import Parting
from tgite_conform.flags import FLAGS
from tgite_conform.format import (
    VERSIONS,
    Case,
    Expected,
    Refusal,
    case_to_json,
    conventions_to_json,
    file_text,
)
from tgite_conform.protocol import Mode
from tgite_conform.referee import Level
from tgite_conform.runner import BAD, DIFFERING, CaseResult, Status
from tgite_conform.strict_json import printable

REPORT_FORMAT = "tgite-conformance-report/2"
_MOST_PARTINGS = 6


@dataclass(frozen=True, slots=True)
class Report:
    """All results of the subject ``name``, and what may be the cause."""

    name: str
    level: Level
    results: tuple[CaseResult, ...]
    mode: Mode = Mode.DUEL
    other_mode: Mode | None = None
    kept: str = ""
    drawn: RandomSummary | None = None
    in_common: str = ""
    endings: tuple[str, ...] = ()

    @property
    def conforms(self) -> bool:
        """Whether every case that applies conforms, and at least one applies."""
        counts = self.counts()
        return counts[Status.CONFORMS] > 0 and not any(counts[status] for status in BAD)

    def counts(self) -> Counter[Status]:
        """Return the number of results by status."""
        return Counter(result.status for result in self.results)

    def by_algorithm(self) -> dict[str, Counter[Status]]:
        """Return the number of results by algorithm and status."""
        counts: dict[str, Counter[Status]] = defaultdict(Counter)
        for result in self.results:
            counts[result.case.algorithm][result.status] += 1
        return counts

    def why(self, status: Status) -> list[str]:
        """Return a line for each reason why cases are skipped, or not played."""
        return [f"{cases:,} {status}: {line}" for cases, line, _ in reasons(self._with(status))]

    def _with(self, *statuses: Status) -> list[CaseResult]:
        return [result for result in self.results if result.status in statuses]

    def differing(self) -> list[CaseResult]:
        """Return the failing results: wrong play, then missing refusals, then faults.

        Algorithms take turns, those that others are built on first; within one, early divergences
        come first. The smallest random case comes before all others, and faults that repeat an
        earlier one last.
        """
        smallest = None if self.drawn is None else self.drawn.smallest
        said = Counter(one.detail for one in self._with(Status.DIFFERS_BY_CONVENTION))
        turns = Counter[str]()

        def early(one: CaseResult) -> tuple[int, ...]:
            at = one.divergence.duel if one.divergence else one.duels
            return _rank(one), -said[one.detail], at, one.case.duels

        def in_turns(one: CaseResult) -> tuple[int, ...]:
            algorithm, repeats = one.case.algorithm, one.fault is not None and turns[one.detail] > 0
            turns.update((algorithm, one.detail))
            return repeats, _rank(one), turns[algorithm], [*ALGORITHMS].index(algorithm)

        found = [one for one in self._with(*DIFFERING) if one is not smallest]
        found = sorted(sorted(found, key=early), key=in_turns)
        return found if smallest is None else [smallest, *found]

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
            "skipped": [one for *_, one in reasons(self._with(Status.SKIPPED))],
            "not_played": [one for *_, one in reasons(self._with(Status.NOT_PLAYED))],
            "matches_end_as_if": self.endings,
            "in_common": self.in_common,
            "kept_between_cases": self.kept,
            "random": None if self.drawn is None else self.drawn.to_json(),
            "duels": sum(result.duels for result in played),
            "milliseconds": round(1000 * sum(result.seconds for result in played)),
            "cases": [one.to_json() for one in self.results if one.status is not Status.SKIPPED],
        }

    def to_junit(self) -> str:
        """Return the report as JUnit XML, with a suite for each algorithm."""
        root = ET.Element("testsuites", name=f"tgite conform {_xml_text(self.name)}")
        for algorithm, counts in self.by_algorithm().items():
            if played := counts.total() - counts[Status.SKIPPED]:
                suite = ET.SubElement(root, "testsuite", name=algorithm, tests=str(played))
                suite.set(
                    "failures", str(counts[Status.WRONG] + counts[Status.DIFFERS_BY_CONVENTION])
                )
                suite.set("errors", str(counts[Status.FAULT] + counts[Status.NOT_PLAYED]))
                for result in self.results:
                    if result.case.algorithm == algorithm and result.status is not Status.SKIPPED:
                        self._add_junit_case(suite, result)
        # What an implementation lacks is one test for each reason, not one for each case.
        if skipped := reasons(self._with(Status.SKIPPED)):
            number = str(len(skipped))
            suite = ET.SubElement(root, "testsuite", name="skipped", tests=number, skipped=number)
            for cases, line, as_json in skipped:
                name = str(as_json["reason"])
                case = ET.SubElement(suite, "testcase", classname="tgite", name=name)
                ET.SubElement(case, "skipped", message=_xml_text(f"{cases:,} cases: {line}"))
        ET.indent(root)
        return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"

    def _add_junit_case(self, suite: ET.Element, result: CaseResult) -> None:
        case = ET.SubElement(
            suite,
            "testcase",
            classname=f"tgite.{result.case.algorithm}",
            name=_xml_text(f"{result.case.id}: {result.case.name}"),
            time=f"{result.seconds:.6f}",
        )
        if result.status is Status.CONFORMS:
            return
        kind = "error" if result.status in (Status.FAULT, Status.NOT_PLAYED) else "failure"
        message = result.detail if result.divergence is None else str(result.divergence.parting)
        told = ET.SubElement(case, kind, message=_xml_text(message))
        if kind == "failure":
            told.set("type", str(result.status))
        told.text = _xml_text("\n".join(self._told(result)))

    def text(self, most_shown: int = 5) -> str:
        """Return the report as text."""
        played = self._with(Status.CONFORMS)
        duels, seconds = sum(one.duels for one in played), sum(one.seconds for one in played)
        untried = "" if self.other_mode is None else f"; not tried: --mode {self.other_mode}"
        lines = [
            f"{self.name}: {in_words(self.counts())}",
            f"{duels:,} duels of conforming cases in {seconds:.1f} s "
            f"(level: {self.level}, mode: {self.mode}{untried})",
        ]
        differing = self.differing()
        lines += self._causes(differing)
        if len(differing) > 1:
            first = Counter(map(_first, differing)).most_common(_MOST_PARTINGS)
            told = [f"{count:4} {what}" for what, count in first]
            lines += _block("the first difference, and in how many cases:", told)
        for result in differing[:most_shown]:
            lines += ["", f"{result.case.id}: {result.case.name}"]
            lines += [f"  {line}" for line in self._told(result)]
        if (most := len(differing)) > most_shown:
            more = f"... and {most - most_shown} more"
            lines += ["", f"{more} (--shown {most} shows them, --json too)"]
        if self.drawn is not None:
            lines += ["", *self.drawn.lines()]
        tell = {*DIFFERING} if differing else {Status.CONFORMS}
        all_ = self.by_algorithm()
        of = {name: some for name, some in all_.items() if tell & {*some}}
        width = max(map(len, of), default=0)
        counts = [f"{name:{width}}  {in_words(some)}" for name, some in of.items()]
        others = sum(Status.CONFORMS in some for name, some in all_.items() if name not in of)
        counts += [f"{others} other algorithms conform, as far as they were played"] * (others > 0)
        why_not = [*self.why(Status.SKIPPED), *self.why(Status.NOT_PLAYED)]
        lines += [*_block("", counts), *_block("", why_not)]
        return printable("\n".join(lines) + "\n", also="\n\t")

    def _causes(self, differing: Sequence[CaseResult]) -> list[str]:
        """Return what may be the cause: state, a convention, a mistake, another level, a trait."""
        common = [self.in_common] if self.in_common else []
        in_common = _block("what the matches that differ have in common:", common)
        if self.kept:
            return ["", self.kept, *in_common]
        lines: list[str] = []
        chosen = Counter(
            one.detail for one in differing if one.status is Status.DIFFERS_BY_CONVENTION
        )
        told = [f"{count} cases: {detail}" for detail, count in chosen.most_common(_MOST_PARTINGS)]
        if 4 * chosen.total() > len(differing):
            lines += _block("as the reference plays under other conventions:", told)
        if 2 * chosen.total() > len(differing):
            return lines
        each = "this mistake" if len(self.endings) == 1 else "any one of these mistakes"
        lines += _block(f"it plays like the reference with {each}:", list(self.endings))
        return lines + in_common

    def _told(self, result: CaseResult) -> list[str]:
        lines = [f"{result.status}: {result.detail}" if result.detail else f"{result.status}"]
        divergence = result.divergence
        if divergence is not None:
            lines += re.sub(r"\d{50,}", _shortened, str(divergence)).splitlines()
        if self.drawn is not None:
            lines += input_lines(result.case)
        return lines


def _block(head: str, lines: list[str]) -> list[str]:
    return ["", *([head] if head else []), *(f"  {line}" for line in lines)] if lines else []


def _shortened(digits: re.Match[str]) -> str:
    return f"{digits[0][:12]}...{digits[0][-8:]} ({len(digits[0])} digits)"


def _first(result: CaseResult) -> str:
    found = result.divergence
    if found is not None and isinstance(result.case.expected, Refusal):
        return f"it does not refuse a bad {result.case.expected.field}"
    return f"fault: {result.fault}" if found is None else f"it {found.parting}"


def _rank(result: CaseResult) -> int:
    """Return 0 for wrong play, 1 for a bad input that is played, 2 for a fault."""
    if result.divergence is None:
        return 2
    return int(result.divergence.parting is Parting.NOT_REFUSED)


def in_words(counts: Counter[Status]) -> str:
    """Return the number of results by status as text."""
    return ", ".join(f"{counts[status]:,} {status}" for status in Status if counts[status])


def _plain(counts: Counter[Status]) -> dict[str, int]:
    return {str(status): counts[status] for status in Status if counts[status]}


_NOT_IN_XML = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _xml_text(text: str) -> str:
    """Replace characters that XML 1.0 forbids; a program's output may have any."""
    return _NOT_IN_XML.sub("\ufffd", text)


_MOST_NAMED = 4


def reasons(results: Iterable[CaseResult]) -> list[tuple[int, str, dict[str, object]]]:
    """Return why these cases were not played: how many, as a line, and as JSON."""
    subjects: dict[str, Counter[str]] = defaultdict(Counter)
    for result in results:
        reason, _, what = result.detail.partition(": ")
        subjects[reason][what] += 1
    found = []
    for reason, about in sorted(subjects.items(), key=lambda one: -one[1].total()):
        most = about.most_common(_MOST_NAMED)
        whats = [f"{what} ({count})" if len(about) > 1 else what for what, count in most]
        if more := len(about) - len(whats):
            whats.append(f"{more} others")
        line = f"{reason}: {', '.join(whats)}" if any(about) else reason
        told = {what: count for what, count in about.items() if what}
        as_json = {"reason": reason, "cases": about.total(), "about": told}
        found.append((about.total(), line, as_json))
    return found


_LONGEST_TAPE = 400


@dataclass(frozen=True, slots=True)
class RandomSummary:
    """The seed and number of the random cases, and the smallest failing one."""

    number: int
    seed: int
    smallest: CaseResult | None = None

    def to_json(self) -> dict[str, object]:
        """Return the JSON form, in which the smallest case is a whole file of vectors."""
        written: dict[str, object] = {"cases": self.number, "seed": self.seed}
        if self.smallest is not None:
            case = self.smallest.case
            written["smallest"] = case.id
            written["result"] = self.smallest.to_json()
            written["vectors"] = json.loads(file_text(case.algorithm, FLAGS, [case], VERSIONS[-1]))
        return written

    def lines(self) -> list[str]:
        """Return lines that say how to play the cases again."""
        again = f"--random {self.number} --seed {self.seed}"
        lines = [f"the same cases again: {again}, with the same algorithms"]
        if self.smallest is not None:
            lines += [
                f"{self.smallest.case.id} is the smallest that fails",
                f"to keep it: {again} --keep FOLDER writes it as vectors (--json prints them), "
                "--vectors FOLDER plays them",
            ]
        return lines


def input_lines(case: Case) -> list[str]:
    """Return a case's input as lines; a long tape is cut."""
    written = case_to_json(case)
    conventions = {
        name: value
        for name, value in conventions_to_json(case.conventions).items()
        if value != getattr(RULINGS, name)
    }
    others = ", ".join(f"{name} {value}" for name, value in conventions.items())
    lines = [
        f"parameters:  {json.dumps(written['parameters'])}",
        f"conventions: {others or 'the defaults'}",
    ]
    if isinstance(case.expected, Expected):
        lines.append(f"horizon:     {written['horizon'] or 'none'}")
        tape = json.dumps(written["tape"])
        rest = " ... (shortened)" if len(tape) > _LONGEST_TAPE else ""
        lines.append(f"tape:        {tape[:_LONGEST_TAPE]}{rest}")
    return lines
