"""Finds known mistakes with which the reference plays as the subject does.

They are those of ``mistakes.toml``. The reference plays some cases with each of them.
"""

from __future__ import annotations

import builtins
import re
import sys
import time
import tomllib
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache, partial
from importlib import import_module
from importlib.resources import files
from itertools import chain, product, zip_longest
from math import exp, inf, pi
from types import ModuleType
from typing import Any, cast

from msgspec import UNSET

from tgite import Arm, Confidence, InvalidInput
from tgite.beyond import Verdict, certificate
from tgite.exact import basel_factor_enclosure
from tgite_checks.mutation import source_of
from tgite_conform.algorithms import ALGORITHMS, stream_of
from tgite_conform.certificates import OneSidedMatch, Test
from tgite_conform.divergence import Diverged, Divergence, Parting
from tgite_conform.faults import Fault
from tgite_conform.format import Expected
from tgite_conform.referee import Level, check_played
from tgite_conform.runner import CaseResult, Status
from tgite_conform.tape import MatchOutcomes, packed
from tgite_conform.tape_player import DecidedRun, as_played
from tgite_conform.time_limit import TimeLimit
from tgite_laws.implementation import REFERENCE, Implementation, implementation

_MOST_DUELS, _LONGEST_ENTRY, _MOST_TOLD, _FEW_LEVELS = 2_000, 20_000, 3, 6
_MOST_CPU_SECONDS, _MOST_SECONDS = 0.75, 3.0
_FEWEST, _MOST_FAILING, _MOST_AGREEING, _MOST_TO_SEPARATE = 2, 8, 12, 40
_OF_CERTIFICATES = {"certify": "certificate", "find_then_certify": "find_then_certify"}
_MODULES = (
    *("schedules", "duel_test", "budgeted_duel_test", "bkt", "tree", "tree_ascent"),
    *("screen_and_replace", "bai", "weak", "strong", "beyond.likelihood", "beyond.mixture_test"),
    *("beyond.sprt_test", "beyond.certificate", "beyond.find_then_certify"),
)
_LEVELS = {"against", "delta", "epsilon", "rho", "kappa", "warm_start"}
_ENDS = {Parting.STOPPED_EARLY, Parting.WENT_ON}
_AS_IT_IS = "entry"  # The tape is read so, but the last duel of a budget decides no match.
_UNKNOWN = Confidence.of("1/2")


_compiled = cache(partial(compile, filename="mistakes.toml", mode="eval"))


def _in_digits(entry: str, change: Callable[[str, str], str]) -> str:
    """Return an entry with each of its pieces changed, given its digits and its repeats."""
    pieces = (one.partition("*") for one in entry.split(" "))
    return " ".join(change(digits, star + times) for digits, star, times in pieces)


def _rest(entry: str, n: int) -> str:
    """Return an entry without its first n outcomes, up to a whole digit."""
    outcomes = MatchOutcomes(entry)
    rest = list(outcomes.after(n)) if outcomes.length <= _LONGEST_ENTRY else []
    return packed(rest[: len(rest) // 4 * 4])


def _translated(entry: str, to: str) -> str:
    table = str.maketrans("0123456789abcdef", to)
    return _in_digits(entry, lambda digits, times: digits.translate(table) + times)


_OF_TAPES = {
    "in_digits": _in_digits,
    "rest": _rest,
    "other_arm": partial(_translated, to="fedcba9876543210"),
    "lowest_first": partial(_translated, to="084c2a6e195d3b7f"),
}


def _changed_level(expression: str, k: object, level: Confidence) -> Confidence:
    basel, of = basel_factor_enclosure(60)[0], level.rational
    own = of * basel if level.basel else of
    names = {"level": level, "own": own, "of": of, "basel": basel, "k": k}
    return Confidence(Fraction(eval(_compiled(expression), {**_OF_LEVELS, **names})))


_OF_LEVELS = {
    "Fraction": Fraction,
    "digits": lambda x, k: Fraction(f"{float(x):.{k - 1}e}"),
    "exp": exp,
    "pi": pi,
    "single": lambda x: array("f", [x])[0],
}


class _Run(DecidedRun):
    """A run of an implementation with a mistake, as far as that changes the player."""

    def __init__(self, result: CaseResult, mistake: Mistake) -> None:
        case, expected = result.case, cast(Expected, result.case.expected)
        following = cast(Any, None)  # A wrong run has no places.
        rest = case.algorithm, case.parameters, case.conventions.first_arm, (), expected.horizon
        super().__init__(following, *rest)
        self.entries = {(pair.low, pair.high): pair.outcomes for pair in expected.tape}
        self.mistake = mistake

    def _outcomes(self, u: Arm, v: Arm) -> MatchOutcomes | None:
        """Return the next outcomes of a pair, and leave them to the player."""
        pair = min(u, v) + self.first_arm, max(u, v) + self.first_arm
        earlier = [one for one in self.matches if one.pair == pair]
        lengths, higher = [one.length for one in earlier], u > v
        entries = self.entries.get(pair, ())[: len(lengths) + 1]
        entry = entries[-1] if len(entries) > len(lengths) else ""
        if entry and self.mistake.tape:
            names = {"entries": entries, "entry": entry, "lengths": lengths, "higher": higher}
            names |= {"first": pair[higher], "second": pair[not higher]}
            names["orders"] = [one.first > one.second for one in earlier]
            entry = eval(_compiled(self.mistake.tape), _OF_TAPES | names)
        self._left[pair] = iter([entry] if entry else [])
        return MatchOutcomes(entry, inverted=higher) if entry else None

    def _asking(self, test: Test) -> Test:
        def asking(u: Arm, v: Arm, delta: Confidence) -> Any:
            played = delta if self.mistake.level is None else self.mistake.level(delta)
            n, winner = end_of(test(u, v, played), self._outcomes(u, v))
            match = yield self._begin(u, v, delta, "", None, *_after(n, winner == u, winner == v))
            asked.length = match.length  # for a mistake of those who play in parallel
            return u if match.winner == match.first else v

        asked: Any = asking
        return cast(Test, asked)

    def _asking_one_sided(self, one_sided: OneSidedMatch) -> OneSidedMatch:
        def asking(u: Arm, v: Arm, rule: certificate.Rule, most: int | None) -> Any:
            if most == 0:
                return (yield from cast(Any, one_sided(u, v, rule, most)))
            n, ended = end_of(one_sided(u, v, rule, most), self._outcomes(u, v))
            verdict = ended[0] if ended else None
            after = _after(n, verdict == Verdict.WON, verdict == Verdict.LOST)
            match = yield self._begin(u, v, _UNKNOWN, "", None, *after)
            if self.mistake.tape == _AS_IT_IS and match.length == most:
                match.verdict, match.winner = Verdict.BUDGET, None
                return Verdict.BUDGET, *ended[1:]
            return ended

        return cast(OneSidedMatch, asking)


def _after(length: float, won: bool, lost: bool) -> tuple[certificate.Rule, int | None]:
    """Return a rule and a budget with which a match ends so after so many duels."""
    rule = certificate.Rule(
        lambda n: 0 if won and n >= length else n + 1, lambda n: n if lost and n >= length else -1
    )
    return rule, int(length) if length < inf else None


def end_of(stream: Any, outcomes: MatchOutcomes | None) -> tuple[float, Any]:
    """Return after how many outcomes a match ends, infinity if it does not, and what it returns."""
    n = 0
    with closing(stream):
        try:
            next(stream)
            for outcome in outcomes.after(0, 4 * _MOST_DUELS) if outcomes else ():
                n += 1
                stream.send(outcome)
        except StopIteration as stop:
            return n, stop.value
    return inf, None


@cache
def _table() -> dict[str, dict[str, Any]]:
    return tomllib.loads(files(__package__).joinpath("mistakes.toml").read_text(encoding="utf-8"))


_checks = partial(re.compile(r"\n *@checked(?=\n)").sub, "")
_source = cache(lambda module: _checks(source_of(module)))
_code = cache(lambda module: compile(_source(module), module, "exec"))
_LATER = 0x1000000  # from __future__ import annotations


@cache
def _affected(changed: frozenset[str]) -> frozenset[str]:
    """Return the changed modules and all that import one, each by way of others, too."""
    importing = {
        name for name in _MODULES for one in changed if f"from tgite.{one} import" in _source(name)
    }
    return changed if importing <= changed else _affected(changed | importing)


def planted(
    label: str, modules: Sequence[str], rows: Mapping[str, Sequence[Any]]
) -> Iterator[Mistake]:
    """Yield the mistakes of a table, in which every second text is instead of the one before it.

    Raises ``ValueError`` unless each text that is replaced stands once in one of the modules.
    """
    for told, row in rows.items():
        for k in map(str, row[-1] if isinstance(row[-1], list) else [""]):
            texts = [text.replace("{k}", k) for text in row if isinstance(text, str)]
            sources = {one: _source(one) for one in modules}
            for original, replaced in zip(texts[::2], texts[1::2], strict=True):
                (module,) = (one for one in modules if sources[one].count(original) == 1)
                sources[module] = sources[module].replace(original, replaced)
            yield Mistake(f"{' or '.join(modules)}: {told}", sources, label=label, k=k)


def made_of(sources: Mapping[str, str]) -> Implementation:
    """Return the implementation with other modules, and with those that import them."""
    fresh: dict[str, ModuleType] = {}
    affected = _affected(frozenset(sources))
    # A search gets its matches, with their verdicts and the tournaments' test, from elsewhere.
    imported = affected - {"beyond.certificate", "beyond.sprt_test"}

    def importing(name: str, *rest: Any) -> ModuleType:
        short = name.removeprefix("tgite.")
        return module(short) if short in imported else builtins.__import__(name, *rest)

    def module(name: str) -> ModuleType:
        if name not in affected:
            return import_module(f"tgite.{name}")
        if name not in fresh:
            # Registered under its own name, because dataclasses look for it.
            fresh[name] = made = ModuleType(f"tgite_planted_{name}".replace(".", "_"))
            sys.modules[made.__name__] = made
            made.__dict__["__builtins__"] = {**vars(builtins), "__import__": importing}
            exec(_code(name), made.__dict__)
            of, to = _source(name).split("\n\n\n"), sources.get(name, _source(name))
            parts = zip(of, to.split("\n\n\n"), strict=True)
            other = "\n\n\n".join(new for old, new in parts if new != old)
            exec(compile(other, name, "exec", flags=_LATER), made.__dict__)
        return fresh[name]

    return implementation("planted", module)


@dataclass(frozen=True, slots=True)
class Mistake:
    """A mistake with which the reference may play; ``told`` says which.

    It is in modules, in what it reads for a ``tape``, or for the ``level`` of a match (if
    ``given``, for the levels that are given), and shows at ``label``. ``k`` fills the gap in the
    words.
    """

    told: str
    changes: Mapping[str, str] = field(default_factory=dict)
    tape: str = ""
    level: Callable[[Confidence], Confidence] | None = None
    given: bool = False
    label: str = ""
    k: str = ""

    def is_in(self, result: CaseResult) -> bool:
        """Return whether a case is played with what is changed."""
        module = _OF_CERTIFICATES.get(result.case.algorithm)
        if module is None or not self.changes:
            return module is None or self.given or self.level is None
        return f"beyond.{module}" in _affected(frozenset(self.changes)) and self.at_label(result)

    def at_label(self, result: CaseResult) -> bool:
        """Return whether a case differs at a line with the label."""
        lines = str(result.divergence.lines if result.divergence else "")
        return re.search(self.label, lines) is not None

    def explains(self, made: Implementation, result: CaseResult) -> bool:
        """Return whether the run differs where the subject's does, or nowhere if that conforms."""
        case, parted, answer = result.case, result.divergence, None
        run = _Run(result, replace(self, level=None) if self.given else self)
        level = self.level if self.given else None
        try:
            given = {
                name: str(level(Confidence.of(str(value)))) if level and name in _LEVELS else value
                for name, value in case.parameters.items()
            }
            stream = partial(stream_of, made, case.algorithm, given)
            try:
                answer = run.play(partial(stream, case.conventions))
            except InvalidInput:
                if run.wanted is UNSET:  # The tape has not ended.
                    raise
            played = as_played(run, answer, parted.parting if parted else Parting.OTHER_DUEL)
        except Exception:  # A wrong run may end in any error, which says nothing of the subject's.
            return parted is None
        for whole in (True, False):
            try:
                check_played(case, played, Level.MATCHES, whole)
            except Diverged as diverged:
                if parted is not None and _alike(diverged.divergence, parted):
                    return True
            else:
                return parted is None
        return False


def _alike(told: Divergence, parted: Divergence) -> bool:
    """Return whether runs differ alike; whole runs name a duel that they want in either order."""
    if parted.length is not None and not parted.asked.startswith("match"):
        ends = [(one.parting, one.match, one.length) for one in (told, parted)]
        return ends[0] == ends[1]
    found = [
        (one.duel, one.parting, sorted(re.findall(r"\w+", one.asked))) for one in (told, parted)
    ]
    return found[0] == found[1]


def _mistakes(some: Sequence[CaseResult], hair: bool) -> Iterator[Mistake]:
    """Yield the mistakes that may explain the results, which differ by a hair or not."""
    for told, expression in _table()["tape"].items():
        yield Mistake(f"the tape: {told}", tape=expression)
    own = " ".join(ALGORITHMS[one.case.algorithm].label for one in some)
    # First what differs where it is played by itself, too.
    for where, rows in sorted(
        _table()["planted"].items(), key=lambda one: not re.search(one[0].split()[0], own)
    ):
        label, *modules = where.split()
        of = Mistake("", dict.fromkeys(modules, ""), label=label)
        tried = list(filter(of.is_in, some))
        if len(tried) >= _FEWEST and all(map(of.at_label, tried)):
            # Many numbers would play so where all that differs does so by a hair.
            few = {told: row for told, row in rows.items() if not isinstance(row[-1], list)}
            yield from planted(label, modules, few if hair else rows)
    ends = {*_ENDS, Parting.WRONG_LEVEL}
    if not hair and all(one.divergence and one.divergence.parting in ends for one in some):
        for told, (expression, *ks) in _table()["level"].items():
            for k, given in product(ks or [0], (False, True)):
                level = partial(_changed_level, expression, k)
                yield Mistake(told, level=level, given=given, k=str(k))


def _some(results: Sequence[CaseResult]) -> list[CaseResult]:
    """Return short failing cases, those of each algorithm and divergence in turn."""
    groups: dict[object, list[CaseResult]] = {}
    for one in sorted(results, key=lambda one: one.case.duels):
        if one.divergence is not None:
            groups.setdefault((one.case.algorithm, one.divergence.parting), []).append(one)
    return list(filter(None, chain.from_iterable(zip_longest(*groups.values()))))


def known_mistakes(results: Sequence[CaseResult], hair: bool) -> list[str]:
    """Return mistakes with which the reference plays as the subject, none in numbers by a hair."""
    plays = [one for one in results if isinstance(one.case.expected, Expected)]
    shortest = min((one.case.duels for one in plays if one.divergence), default=0)
    most = min(max(_MOST_DUELS, 2 * shortest), 4 * _MOST_DUELS)
    some = _some(short := [one for one in plays if one.case.duels <= most])
    # A case that the reference itself seems to play so, as one whose tape ends, says nothing.
    first = [one for one in some[:_MOST_FAILING] if not Mistake("").explains(REFERENCE, one)]
    some = [*first, *some[_MOST_FAILING:_MOST_TO_SEPARATE]] if first else []
    first.sort(key=lambda one: one.case.arms)  # Many mistakes are dismissed by the first case.
    failing = {one.case.algorithm for one in some}
    right = [
        one for one in short if one.status is Status.CONFORMS and one.case.algorithm in failing
    ]
    right.sort(key=lambda one: -float(cast(Expected, one.case.expected).margin or inf))
    others = right[:: -(-len(right) // _MOST_AGREEING) or 1]
    many = [*others, *right[-_MOST_TO_SEPARATE:]]
    found, of_others = dict[tuple[bool, int], dict[str, list[str]]](), False
    with suppress(Fault), TimeLimit(_MOST_SECONDS):  # A wrong run may have no end.
        until = time.thread_time() + _MOST_CPU_SECONDS
        for one in _mistakes(first, hair) if len(first) >= _FEWEST else ():
            if time.thread_time() > until or (one.level and of_others):
                break
            fits, tried = (
                partial(one.explains, made_of(one.changes)),
                list(filter(one.is_in, first)),
            )
            if len(tried) < _FEWEST or not all(map(fits, tried)):
                continue
            if sum(map(fits, others)) < len(others) - 1:
                continue
            tried = list(filter(one.is_in, some))
            n, right_so = (sum(map(fits, these)) for these in (tried, many))
            share, few = (1.0, _FEW_LEVELS) if one.level else (0.85, 1)
            if n >= max(few, share * len(tried)) and right_so >= 0.95 * len(many):
                of_others = of_others or one.level is None
                alike = found.setdefault((n == len(tried), right_so), {})
                line = f"{one.told} ({n} of {len(tried)} cases tried)"
                alike.setdefault(line, []).append(one.k)
    best = found[max(found)] if found else {}
    told = [line.replace("{k}", " or ".join(dict.fromkeys(ks[:3]))) for line, ks in best.items()]
    if len(told) <= _MOST_TOLD:
        return told
    # Of many levels that explain the same cases, none is the cause.
    rest = f"{len(told) - _MOST_TOLD} others"
    return [*told[:_MOST_TOLD], rest] if ": " in told[0] else []
