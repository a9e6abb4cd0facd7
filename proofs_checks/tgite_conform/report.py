"""The report on an implementation: as text, as JSON, and as JUnit XML for CI."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from collections import Counter, defaultdict
from collections.abc import Container, Iterable
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import chain, zip_longest

from tgite import RULINGS
from tgite_conform.algorithms import Group
from tgite_conform.divergence import Parting
from tgite_conform.flags import FLAGS
from tgite_conform.format import (
    VERSIONS,
    Case,
    Expected,
    case_to_json,
    conventions_to_json,
    file_text,
)
from tgite_conform.mistakes import Likeness, asks_the_same
from tgite_conform.protocol import Mode
from tgite_conform.referee import Level
from tgite_conform.runner import BAD, DIFFERING, CaseResult, Status
from tgite_conform.strict_json import printable
from tgite_conform.subjects import ALGORITHM_NOT_DECLARED

REPORT_FORMAT = "tgite-conformance-report/1.1"
_WELL_ABOVE = 1.25
_MOST_STATES = 5
_FEWEST_CASES, _FEWEST_FAILING = 5, 3
_MOST_REASONS = 6
_MOST_PARTINGS = 6
_ALONE = "this case passes alone in a fresh process: is anything kept between runs?"


@dataclass(frozen=True, slots=True)
class Report:
    """All results of the subject ``name``.

    ``pass_alone`` holds the failing cases that conform if a fresh process plays only this case.
    """

    name: str
    level: Level
    results: tuple[CaseResult, ...]
    mistakes: tuple[Likeness, ...] = ()
    mode: Mode = Mode.DUEL
    other_mode: Mode | None = None
    pass_alone: tuple[str, ...] = ()
    drawn: RandomSummary | None = None

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

    def by_branch(self) -> dict[str, Counter[Status]]:
        """Return the number of results by flag and status; a case may have several flags."""
        counts: dict[str, Counter[Status]] = {flag: Counter() for flag in FLAGS}
        for result in self.results:
            for flag in result.case.flags:
                counts[flag][result.status] += 1
        return {flag: some for flag, some in counts.items() if some}

    def why_skipped(self) -> list[str]:
        """Return a line for each of the main reasons for skipping, and one for the others."""
        found = reasons(self._with(Status.SKIPPED))
        told = [f"{one.cases:,} skipped: {one}" for one in found[:_MOST_REASONS]]
        more = sum(one.cases for one in found[_MOST_REASONS:])
        return [*told, f"{more:,} skipped for other reasons (--json)"] if more else told

    def _with(self, *statuses: Status) -> list[CaseResult]:
        return [result for result in self.results if result.status in statuses]

    def differing(self) -> list[CaseResult]:
        """Return the failing results; within an algorithm, early divergences come first.

        The smallest random case comes before all others. Faults that repeat an earlier one come
        last.
        """
        smallest = None if self.drawn is None else self.drawn.smallest
        of_algorithm: dict[str, list[CaseResult]] = defaultdict(list)
        others = [one for one in self._with(*DIFFERING) if one is not smallest]
        for result in others if smallest is None else (smallest, *others):
            of_algorithm[result.case.algorithm].append(result)
        for results in of_algorithm.values():
            results.sort(key=lambda one: (one is not smallest, _at(one), one.case.duels))
        turns = chain.from_iterable(zip_longest(*of_algorithm.values()))
        told: set[str] = set()
        new: list[CaseResult] = []
        again: list[CaseResult] = []
        for result in turns:
            if result is not None:
                (again if result.fault and result.detail in told else new).append(result)
                told.add(result.detail)
        return new + again

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
            "skipped": [one.to_json() for one in reasons(self._with(Status.SKIPPED))],
            "not_played": [one.to_json() for one in reasons(self._with(Status.NOT_PLAYED))],
            "known_mistakes": [one.to_json() for one in self.mistakes if one.is_it],
            "nearest_mistakes": [one.to_json() for one in self.mistakes if not one.is_it],
            "pass_alone": list(self.pass_alone),
            "random": None if self.drawn is None else self.drawn.to_json(),
            "duels": sum(result.duels for result in played),
            "milliseconds": round(1000 * sum(result.seconds for result in played)),
            "cases": [result.to_json() for result in self.results],
        }

    def to_junit(self) -> str:
        """Return the report as JUnit XML, with a suite for each algorithm."""
        root = ET.Element("testsuites", name=f"tgite conform {_xml_text(self.name)}")
        for algorithm, counts in self.by_algorithm().items():
            suite = ET.SubElement(
                root,
                "testsuite",
                name=algorithm,
                tests=str(counts.total()),
                failures=str(counts[Status.WRONG] + counts[Status.DIFFERS_BY_CONVENTION]),
                errors=str(counts[Status.FAULT] + counts[Status.NOT_PLAYED]),
                skipped=str(counts[Status.SKIPPED]),
            )
            for result in self.results:
                if result.case.algorithm == algorithm:
                    self._add_junit_case(suite, result)
        return _xml(root)

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
        errors = {Status.FAULT: "error", Status.NOT_PLAYED: "error"}
        kind = {Status.SKIPPED: "skipped", **errors}.get(result.status, "failure")
        message = result.detail if result.divergence is None else str(result.divergence.parting)
        told = ET.SubElement(case, kind, message=_xml_text(message))
        if kind == "failure":
            told.set("type", str(result.status))
        if kind != "skipped":
            told.text = _xml_text("\n".join(self._told(result)))

    def text(self, most_shown: int = 5) -> str:
        """Return the report as text."""
        played = self._with(Status.CONFORMS)
        duels, seconds = sum(one.duels for one in played), sum(one.seconds for one in played)
        untried = "" if self.other_mode is None else f"; not tried: --mode {self.other_mode}"
        lines = [
            f"{self.name}: {_said(self.counts())}",
            f"{duels:,} duels of conforming cases in {seconds:.1f} s "
            f"(level: {self.level}, mode: {self.mode}{untried})",
        ]
        of_algorithms = {
            name: _said(some)
            for name, some in self.by_algorithm().items()
            if not set(some) <= {Status.SKIPPED, Status.NOT_PLAYED}
        }
        width = max(map(len, of_algorithms), default=0)
        not_played = reasons(self._with(Status.NOT_PLAYED))
        why_not = [*self.why_skipped(), *(f"{one.cases:,} not played: {one}" for one in not_played)]
        lines += _block("", [f"{name:{width}}  {said}" for name, said in of_algorithms.items()])
        lines += _block("", why_not)
        differing = self.differing()
        if len(differing) > 1:
            first = Counter(map(_first, differing)).most_common(_MOST_PARTINGS)
            told = [f"{count:4} {what}" for what, count in first]
            lines += _block("the first difference, and in how many cases:", told)
        like = "differs at the duels of" if self.mode is Mode.BATCH else "fails like"
        made = [str(one) for one in self.mistakes if one.is_it]
        known = "a known mistake" if len(made) == 1 else "one of these, which fail alike"
        lines += _block(f"it {like} an implementation with {known}:", made)
        lines += _block(
            "no known mistake fails in exactly these cases; the nearest may not be the cause:",
            [str(one) for one in self.mistakes if not one.is_it],
        )
        for result in differing[:most_shown]:
            lines += ["", f"{result.case.id}: {result.case.name}"]
            lines += [f"  {line}" for line in self._told(result)]
        if (most := len(differing)) > most_shown:
            more = f"... and {most - most_shown} more"
            lines += ["", f"{more} (--shown {most} shows them, --json too)"]
        if self.drawn is not None:
            lines += ["", *self.drawn.lines()]
        told = [f"{bad:4} of {all_:4}  {FLAGS[flag]}" for bad, all_, flag in self._telling_states()]
        lines += _block("states whose cases fail more often than others:", told)
        return printable("\n".join(lines) + "\n", also="\n\t")

    def _told(self, result: CaseResult) -> list[str]:
        lines = [f"{result.status}: {result.detail}" if result.detail else f"{result.status}"]
        note, divergence = result.case.mutant, result.divergence
        if divergence is not None:
            lines += str(divergence).splitlines()
        if note is not None and divergence is not None and divergence.duel == note.duel:
            if self.mode is Mode.BATCH and divergence.parting is not Parting.SELF_PLAY:
                lines.append(f"a known mistake differs at this duel, too: {note.mistake}")
            elif asks_the_same(note, result):
                lines.append(f"a known mistake asks the same at this duel: {note.mistake}")
        if divergence is not None and divergence.duel >= 2**31:
            lines.append("it differs after 2^31 duels or more: do all counts have 64 bits?")
        elif result.case.boundary:
            lines.append("this case comes within 1e-9 of a boundary: is single precision used?")
        if self.drawn is not None:
            lines += input_lines(result.case)
        if result.case.id in self.pass_alone:
            lines.append(_ALONE)
        return lines

    def _telling_states(self) -> list[tuple[int, int, str]]:
        """Return (failing cases, cases, flag) for flags that fail well above the overall rate."""
        bad, played = _bad_and_played(self.counts())
        if bad == 0:
            return []
        states = [(*_bad_and_played(counts), flag) for flag, counts in self.by_branch().items()]
        telling = [
            one
            for one in states
            if one[0] >= _FEWEST_FAILING
            and one[1] >= _FEWEST_CASES
            and one[0] * played >= _WELL_ABOVE * bad * one[1]
        ]
        return sorted(telling, key=lambda one: (-one[0] / one[1], -one[0]))[:_MOST_STATES]


def without_verdict() -> str:
    """Return JUnit XML with an error that says that there is no verdict."""
    root = ET.Element("testsuites", name="tgite conform")
    suite = ET.SubElement(root, "testsuite", name="tgite conform", tests="1", errors="1")
    case = ET.SubElement(suite, "testcase", classname="tgite", name="a verdict")
    ET.SubElement(case, "error", message="tgite conform gave no verdict: its output says why")
    return _xml(root)


def _xml(root: ET.Element) -> str:
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _block(head: str, lines: list[str]) -> list[str]:
    return ["", *([head] if head else []), *(f"  {line}" for line in lines)] if lines else []


def _first(result: CaseResult) -> str:
    found = result.divergence
    return f"fault: {result.fault}" if found is None else f"it {found.parting}"


def _bad_and_played(counts: Counter[Status]) -> tuple[int, int]:
    bad = sum(counts[status] for status in DIFFERING)
    return bad, bad + counts[Status.CONFORMS]


def _at(result: CaseResult) -> int:
    return result.duels if result.divergence is None else result.divergence.duel


def _said(counts: Counter[Status]) -> str:
    return ", ".join(f"{counts[status]:,} {status}" for status in Status if counts[status])


def _plain(counts: Counter[Status]) -> dict[str, int]:
    return {str(status): counts[status] for status in Status if counts[status]}


_NOT_IN_XML = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _xml_text(text: str) -> str:
    """Replace characters that XML 1.0 forbids; a program's output may have any."""
    return _NOT_IN_XML.sub("\ufffd", text)


_MOST_NAMED = 4
_GROUPS = {
    Group.PAPER: "of the paper",
    Group.BEYOND: "with tests beyond the paper",
    Group.CERTIFICATES: "certificates",
}


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason for skipping, with the number of cases for each subject of the reason."""

    reason: str
    about: Counter[str]

    @property
    def cases(self) -> int:
        """The number of cases."""
        return self.about.total()

    def to_json(self) -> dict[str, object]:
        """Return the JSON form."""
        about = {what: count for what, count in self.about.items() if what}
        return {"reason": self.reason, "cases": self.cases, "about": about}

    def __str__(self) -> str:
        """Return the reason as one line that names groups instead of their algorithms."""
        if self.reason == ALGORITHM_NOT_DECLARED:
            groups = (_of_group(group, self.about) for group in Group)
            return f"{self.reason}: {'; '.join(filter(None, groups))}"
        whats = [
            f"{what} ({count})" if len(self.about) > 1 else what
            for what, count in self.about.most_common(_MOST_NAMED)
        ]
        if more := len(self.about) - len(whats):
            whats.append(f"{more} others")
        return f"{self.reason}: {', '.join(whats)}" if any(self.about) else self.reason


def reasons(results: Iterable[CaseResult]) -> list[Reason]:
    """Return the reasons why these cases were not played, the most frequent first."""
    about: dict[str, Counter[str]] = defaultdict(Counter)
    for result in results:
        reason, _, what = result.detail.partition(": ")
        about[reason][what] += 1
    found = [Reason(reason, whats) for reason, whats in about.items()]
    return sorted(found, key=lambda one: -one.cases)


def _of_group(group: Group, names: Container[str]) -> str:
    """Return the names of these algorithms of a group, or their number."""
    found = [name for name in group.algorithms if name in names]
    if len(found) <= _MOST_NAMED:
        return ", ".join(found)
    of = len(group.algorithms)
    return f"{f'all {of}' if len(found) == of else f'{len(found)} of the {of}'} {_GROUPS[group]}"


_LONGEST_TAPE = 400


@dataclass(frozen=True, slots=True)
class RandomSummary:
    """The seed and number of the random cases, the smallest failing one, and its origin."""

    number: int
    seed: int
    smallest: CaseResult | None = None
    how_small: str = ""

    def failing(self, smallest: CaseResult, made: bool) -> RandomSummary:
        """Set the smallest failing case, which was drawn or ``made`` from a drawn one."""
        if find_spec("hypothesis") is None:
            how = "the smallest of those drawn that fail (pip install hypothesis to look for less)"
        elif not made:
            how = "the smallest of those drawn that fail: hypothesis came upon no smaller one"
        else:
            how = "made smaller by hypothesis from those drawn that fail"
        return RandomSummary(self.number, self.seed, smallest, how)

    def to_json(self) -> dict[str, object]:
        """Return the JSON form, in which the smallest case is a whole file of vectors."""
        written: dict[str, object] = {"cases": self.number, "seed": self.seed}
        if self.smallest is not None:
            case = self.smallest.case
            text = file_text(case.algorithm, FLAGS, [case], VERSIONS[-1])
            written |= {"smallest": case.id, "how_small": self.how_small}
            written["result"] = self.smallest.to_json()
            written["vectors"] = json.loads(text)
        return written

    def lines(self) -> list[str]:
        """Return lines that say how to play the cases again."""
        again = f"--random {self.number} --seed {self.seed}"
        lines = [f"the same cases again: {again}, with the same algorithms"]
        if self.smallest is not None:
            lines += [
                f"{self.smallest.case.id} is {self.how_small}",
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
