"""Finds known mistakes with which the reference plays as the subject does.

These are other readings of a tape or a level, wrong transcriptions whose case in the vectors fails,
and those of ``mistakes.toml``. The reference plays some cases with each of them.
"""

from __future__ import annotations

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
from itertools import chain, product, takewhile, zip_longest
from math import exp, inf, pi
from types import ModuleType
from typing import Any, cast

from msgspec import UNSET

from tgite import Arm, Confidence, InvalidInput
from tgite.beyond import Verdict, certificate
from tgite.exact import basel_factor_enclosure
from tgite_checks.claims.mutants import mutants
from tgite_checks.mutation import Mutant, mutated, source_of
from tgite_conform.algorithms import stream_of
from tgite_conform.certificates import OneSidedMatch, Test
from tgite_conform.divergence import Diverged, Divergence, Parting
from tgite_conform.faults import Fault
from tgite_conform.format import Case, Expected
from tgite_conform.protocol import Played
from tgite_conform.referee import Level, check_played
from tgite_conform.runner import CaseResult, Status
from tgite_conform.tape import MatchOutcomes, packed
from tgite_conform.tape_player import DecidedRun, as_played
from tgite_conform.time_limit import TimeLimit
from tgite_laws.implementation import REFERENCE, Implementation, implementation

_MOST_DUELS, _LONGEST_ENTRY, _MOST_TOLD, _FEW_LEVELS = 2_000, 20_000, 3, 6
_MOST_CPU_SECONDS, _MOST_SECONDS = 0.8, 3.0
_FEWEST, _MOST_FAILING, _MOST_AGREEING, _MOST_TO_SEPARATE = 2, 8, 12, 40
_OF_CERTIFICATES = {  # They import other modules as they are.
    "certify": ("beyond.certificate", "beyond.likelihood"),
    "find_then_certify": ("beyond.find_then_certify", "beyond.sprt_test"),
}
_IMPORTED = {"bkt", "schedules", "tree_ascent", "screen_and_replace"}  # by other modules
_LEVELS = {"delta", "epsilon", "rho", "kappa", "warm_start"}
_ENDS = {Parting.STOPPED_EARLY, Parting.WENT_ON}
_AS_IT_IS = "entry"  # The tape is read so, but the last duel of a budget decides no match.
_UNKNOWN = Confidence.of("1/2")


_compiled = cache(partial(compile, filename="mistakes.toml", mode="eval"))


def _value(expression: str, names: Mapping[str, object]) -> Any:
    """Return the value of one of the expressions in ``mistakes.toml``."""
    return eval(_compiled(expression), dict(names))


def _in_digits(entry: str, change: Callable[[str, str], str]) -> str:
    """Return an entry with each of its pieces changed, given its digits and its repeats."""
    pieces = (one.partition("*") for one in entry.split(" "))
    return " ".join(change(digits, star + times) for digits, star, times in pieces)


def _bitwise(change: Callable[[int], int], entry: str) -> str:
    table = str.maketrans({f"{n:x}": f"{change(n):x}" for n in range(16)})
    return _in_digits(entry, lambda digits, times: digits.translate(table) + times)


def _rest(entry: str, n: int) -> str:
    """Return an entry without its first n outcomes, up to a whole digit."""
    outcomes = MatchOutcomes(entry)
    rest = list(outcomes.after(n)) if outcomes.length <= _LONGEST_ENTRY else []
    return packed(rest[: len(rest) // 4 * 4])


_OF_TAPES = {
    "in_digits": _in_digits,
    "rest": _rest,
    "other_arm": partial(_bitwise, lambda n: 15 - n),
    "lowest_first": partial(_bitwise, lambda n: int(f"{n:04b}"[::-1], 2)),
}


def _changed_level(expression: str, k: object, level: Confidence) -> Confidence:
    basel, of = basel_factor_enclosure(60)[0], level.rational
    own = of * basel if level.basel else of
    names = {"level": level, "own": own, "of": of, "basel": basel, "k": k}
    return Confidence(Fraction(_value(expression, {**_OF_LEVELS, **names})))


_OF_LEVELS = {
    "Fraction": Fraction,
    "digits": lambda x, k: Fraction(f"{float(x):.{k - 1}e}"),
    "exp": exp,
    "pi": pi,
}
_OF_LEVELS |= {"single": lambda x: array("f", [x])[0]}


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
        lengths = [one.length for one in self.matches if one.pair == pair]
        entries = self.entries.get(pair, ())[: len(lengths) + 1]
        entry = entries[-1] if len(entries) > len(lengths) else ""
        if entry and self.mistake.tape:
            names = {"entries": entries, "entry": entry, "lengths": lengths, "higher": u > v}
            entry = _value(self.mistake.tape, _OF_TAPES | names)
        self._left[pair] = iter([entry] if entry else [])
        return MatchOutcomes(entry, inverted=u > v) if entry else None

    def _asking(self, test: Test) -> Test:
        def asking(u: Arm, v: Arm, delta: Confidence) -> Any:
            played = delta if self.mistake.level is None else self.mistake.level(delta)
            n, winner = _end(test(u, v, played), self._outcomes(u, v))
            match = yield self._begin(u, v, delta, "", None, *_after(n, winner == u, winner == v))
            asked.length = match.length  # for a mistake of those who play in parallel
            return u if match.winner == match.first else v

        asked: Any = asking
        return cast(Test, asked)

    def _asking_one_sided(self, one_sided: OneSidedMatch) -> OneSidedMatch:
        def asking(u: Arm, v: Arm, rule: certificate.Rule, most: int | None) -> Any:
            if most == 0:
                return (yield from cast(Any, one_sided(u, v, rule, most)))
            outcomes = self._outcomes(u, v)
            if one_sided is not certificate.one_sided:  # Its verdicts are of a class of its own.
                n, ended = _end(one_sided(u, v, rule, most), outcomes)
                verdict = ended[0] if ended else None
                after = _after(n, verdict == Verdict.WON, verdict == Verdict.LOST)
                yield self._begin(u, v, _UNKNOWN, "", None, *after)
                return ended
            match = yield self._begin(u, v, _UNKNOWN, "", None, rule, most)
            if self.mistake.tape == _AS_IT_IS and match.length == most:
                match.verdict, match.winner = Verdict.BUDGET, None
            return match.verdict, match.length, match.wins

        return cast(OneSidedMatch, asking)


def _after(length: float, won: bool, lost: bool) -> tuple[certificate.Rule, int | None]:
    """Return a rule and a budget with which a match ends so after so many duels."""
    rule = certificate.Rule(
        lambda n: 0 if won and n >= length else n + 1, lambda n: n if lost and n >= length else -1
    )
    return rule, int(length) if length < inf else None


def _end(stream: Any, outcomes: MatchOutcomes | None) -> tuple[float, Any]:
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


def _filled(row: Sequence[Any]) -> Iterator[tuple[str, list[str]]]:
    """Yield a row's texts, with each of the values for k, if it has some."""
    ks = row[-1] if isinstance(row[-1], list) else [""]
    for k in ks:
        yield str(k), [text.replace("{k}", str(k)) for text in row if text is not ks]


_source = cache(lambda module: source_of(module).replace("\n@checked\n", "\n"))
_code = cache(lambda module: compile(_source(module), module, "exec"))
_LATER = 0x1000000  # from __future__ import annotations


def _changed(modules: Sequence[str], texts: Sequence[str]) -> dict[str, str]:
    """Return the modules' sources, with every second text for the one before it."""
    sources = {one: _source(one) for one in modules}
    for original, replaced in zip(texts[::2], texts[1::2], strict=True):
        (module,) = (one for one in modules if sources[one].count(original) == 1)
        sources[module] = sources[module].replace(original, replaced)
    return sources


def _planted(sources: Mapping[str, str]) -> Implementation:
    """Return the implementation with other modules, on which no other one depends."""
    fresh: dict[str, ModuleType] = {}
    for name, source in sources.items():
        # Registered under its own name, because dataclasses look for it.
        fresh[name] = module = ModuleType(f"tgite_planted_{name}".replace(".", "_"))
        sys.modules[module.__name__] = module
        exec(_code(name), module.__dict__)
        parts = zip(_source(name).split("\n\n\n"), source.split("\n\n\n"), strict=True)
        other = "\n\n\n".join(new for old, new in parts if new != old)
        exec(compile(other, name, "exec", flags=_LATER), module.__dict__)
    return implementation("planted", lambda one: fresh.get(one) or import_module(f"tgite.{one}"))


@dataclass(frozen=True, slots=True)
class Mistake:
    """A mistake with which the reference may play; ``told`` says which.

    It is in modules, in what it reads for a ``tape``, or for the ``level`` of a match (if
    ``given``, for the levels that are given). ``k`` fills the gap in the words.
    """

    told: str
    mutant: Mutant | None = None
    changes: Mapping[str, str] = field(default_factory=dict)
    tape: str = ""
    level: Callable[[Confidence], Confidence] | None = None
    given: bool = False
    k: str = ""

    def made(self) -> Implementation:
        """Return the implementation that has the mistake."""
        mutant, (of, source) = self.mutant, next(iter(self.changes.items()), ("", ""))
        if mutant is None and of in _IMPORTED:
            mutant = Mutant("planted", "", of, source_of(of), source, "")
        if mutant is not None:
            return mutated(mutant)
        return _planted(self.changes) if of else REFERENCE

    def is_in(self, result: CaseResult) -> bool:
        """Return whether a case is played with what is changed."""
        modules = [*self.changes] if self.mutant is None else [self.mutant.module]
        here = _OF_CERTIFICATES.get(result.case.algorithm)
        return here is None or not modules or modules[0] in here

    def explains(self, made: Implementation, result: CaseResult) -> bool:
        """Return whether the run differs where the subject's does, or nowhere if that conforms."""
        case, parted, answer = result.case, result.divergence, None
        run, given = _Run(result, replace(self, level=None) if self.given else self), {}
        try:
            if self.given and self.level is not None:
                for name in _LEVELS & case.parameters.keys():
                    given[name] = str(self.level(Confidence.of(str(case.parameters[name]))))
            stream = partial(stream_of, made, case.algorithm, {**case.parameters, **given})
            try:
                answer = run.play(partial(stream, case.conventions))
            except InvalidInput:
                if run.wanted is UNSET:  # The tape has not ended.
                    raise
            played = as_played(run, answer, parted.parting if parted else Parting.OTHER_DUEL)
        except Exception:  # A wrong run may end in any error, which says nothing of the subject's.
            return parted is None
        if parted is not None and parted.parting in _ENDS and not parted.asked.startswith("match"):
            return _ends_there(result.case, parted, played, run)
        for whole in (True, False):
            try:
                check_played(case, played, Level.MATCHES, whole)
            except Diverged as diverged:
                if parted is not None and diverged.divergence.ends_as(parted):
                    return True
            else:
                return parted is None
        return False


def _ends_there(case: Case, parted: Divergence, played: Played, run: DecidedRun) -> bool:
    """Return whether a match is the first one that ends elsewhere, after the same duels."""
    number, length = parted.match, parted.length
    if number is None or length is None or len(played.matches) <= number:
        return False
    told, due = (
        [(one.first, one.second, one.length, one.winner) for one in of[: number + 1]]
        for of in (played.matches, cast(Expected, case.expected).matches)
    )
    same = told[:-1] == due[:-1] and told[-1][:2] == due[-1][:2]
    over = [one.over for one in run.matches if one.length][number]
    return same and (length == told[-1][2] if over else length > told[-1][2])


def _mistakes(results: Sequence[CaseResult], some: Sequence[CaseResult]) -> Iterator[Mistake]:
    """Yield the mistakes that may explain the results, of which some differ."""
    parted = [one.divergence for one in some if one.divergence is not None]
    for told, expression in _table()["tape"].items():
        yield Mistake(f"the tape: {told}", tape=expression)
    planted = (
        Mistake(f"{' or '.join(modules)}: {told}", changes=_changed(modules, row), k=k)
        for at, rows in _table()["planted"].items()
        for label, *modules in [at.split()]
        if all(re.search(label, str(one.lines)) for one in parted)
        for told, written in rows.items()
        for k, row in _filled(written)
    )
    yield from _plausible(results, parted, surely=True)
    yield from planted
    yield from _plausible(results, parted, surely=False)
    if all(one.parting in {*_ENDS, Parting.WRONG_LEVEL} for one in parted):
        for told, (expression, *ks) in _table()["level"].items():
            for k, given in product(ks or [0], (False, True)):
                level = partial(_changed_level, expression, k)
                yield Mistake(told, level=level, given=given, k=str(k))


def _plausible(
    results: Sequence[CaseResult], parted: Sequence[Divergence], surely: bool
) -> Iterator[Mistake]:
    """Yield wrong transcriptions of which no case conforms.

    Either ``surely`` one ends as it would with them, or all that differ do so at their label.
    """
    noted = [(one.case.mutant, one) for one in results if one.case.mutant is not None]
    right, ends = set[str](), set[str]()
    for note, one in noted:
        if one.status is Status.CONFORMS:
            right |= {note.name, *note.also}
        elif one.divergence is not None and one.divergence.duel <= note.duel:
            ends.add(note.name)
    for mutant in mutants():
        at_label = surely or all(mutant.label in str(one.lines) for one in parted)
        if at_label and mutant.name not in right and (mutant.name in ends) == surely:
            yield Mistake(f"{mutant.module}: {mutant.mistake.rstrip('.')}", mutant)


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
    failing = {one.case.algorithm for one in some}
    right = [
        one for one in short if one.status is Status.CONFORMS and one.case.algorithm in failing
    ]
    right.sort(key=lambda one: -float(cast(Expected, one.case.expected).margin or inf))
    first, others = some[:_MOST_FAILING], right[:: -(-len(right) // _MOST_AGREEING) or 1]
    more, many = some[:_MOST_TO_SEPARATE], [*others, *right[-_MOST_TO_SEPARATE:]]
    found: dict[tuple[bool, int], dict[str, list[str]]] = {}
    with suppress(Fault), TimeLimit(_MOST_SECONDS):  # A wrong run may have no end.
        until = time.thread_time() + _MOST_CPU_SECONDS
        mistakes = _mistakes(results, first) if len(first) >= _FEWEST else ()
        for one in takewhile(lambda one: not (hair and (one.changes or one.level)), mistakes):
            if time.thread_time() > until:
                break
            made, tried = one.made(), list(filter(one.is_in, first))
            if len(tried) < _FEWEST or not all(one.explains(made, of) for of in tried):
                continue
            if sum(not one.explains(made, of) for of in others) > 1:
                continue
            tried = list(filter(one.is_in, more))
            n, right_so = (sum(one.explains(made, of) for of in these) for these in (tried, many))
            share, few = (1.0, _FEW_LEVELS) if one.level else (0.8 if one.tape else 0.9, 1)
            if n >= max(few, share * len(tried)) and right_so + 1 >= len(many):
                alike = found.setdefault((n == len(tried), right_so), {})
                line = f"{one.told} ({n} of {len(tried)} cases that differ)"
                alike.setdefault(line, []).append(one.k)
    best = found[max(found)] if found else {}
    told = [line.replace("{k}", " or ".join(dict.fromkeys(ks[:3]))) for line, ks in best.items()]
    told.sort(key=lambda line: " level" in line)
    # Of many levels that explain the same cases, none is the cause.
    return [] if len(told) > _MOST_TOLD and " level" in told[0] else told[:_MOST_TOLD]
