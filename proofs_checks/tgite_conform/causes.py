"""What the matches that differ have in common, and few others have, and what may be the cause."""

from __future__ import annotations

import functools
import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib.resources import files
from itertools import product
from math import ceil, inf, isqrt, log
from typing import TypeAlias

from tgite import Confidence
from tgite.exact import basel_factor_enclosure
from tgite_conform.algorithms import is_one_sided, test_of
from tgite_conform.divergence import Divergence, Parting
from tgite_conform.flags import FLAGS
from tgite_conform.format import CHOICES, Case, Expected, ExpectedMatch, Outcomes
from tgite_conform.runner import CaseResult, Status

Value: TypeAlias = int | str
Traits: TypeAlias = Mapping[str, Value]
_One: TypeAlias = "tuple[Traits, ComparedMatch]"
_TABLE = tomllib.loads(files(__package__).joinpath("traits.toml").read_text(encoding="utf-8"))
_OF_MATCH, _OF_CASE = (
    compile(f"{{{','.join(f'{name!r}:{of}' for name, of in some.items())}}}", "traits.toml", "eval")
    for some in (_TABLE["match"], _TABLE["case"])
)
_WORDS = {"r": "round", "s": "epoch, phase or stage", "h": "block h"}
_Condition: TypeAlias = tuple[str, str, frozenset[int]]
_IN_MATCH, _DUELS, _FLAG = "what is played", "duels in the match", "the flag"
_IN_ROUND = "number of the match in its round"
_BYE, _EARLIER = "a bye in the round", "a bye in an earlier round"
_TEST = "the test"
_FEWEST, _MOST_TOLD, _HAIR, _LONG = 3, 3, 1e-6, 10_000
_HALF, _MOST_SHARE, _CLOSE, _FEW_OTHERS = 0.5, 0.1, 0.01, 30
_MOST_TRIED, _LONGEST_TRIED, _MOST_FIT, _BY_CHANCE, _SURELY = 12, 2_000, 0.75, 1e-9, 1e-3
_WIDTHS = 15, 16, 24, 31, 32, 53, 63, 64, 126, 127, 128, 149, 1022, 1024, 1074
_MOST_MATCHES = 3_000, 7_000  # of other algorithms, and of the same
_AT_ONCE = Divergence(Parting.REFUSED, 1, "", "", ())  # No match is known to differ.
_ENDS = {Parting.STOPPED_EARLY: "early", Parting.WENT_ON: "late"}
_OF_MATCHES = set(list(Parting)[: list(Parting).index(Parting.WRONG_LEVEL) + 1])
_INCIDENTAL: tuple[str, ...] = tuple(_TABLE["incidental"]["names"])
_LEAST: Mapping[str, int] = _TABLE["least"]


@dataclass(frozen=True, slots=True)
class ComparedMatch:
    """Match ``number`` of the ``turn``-th played case; it agrees unless there is a divergence."""

    case: Case
    expected: Expected
    number: int
    turn: int
    divergence: Divergence | None = None

    @property
    def match(self) -> ExpectedMatch:
        """The match as the reference plays it."""
        return self.expected.matches[self.number]


def compared_matches(results: Iterable[CaseResult]) -> Iterator[ComparedMatch]:
    """Yield the matches of all played cases; of one that differs, up to its first difference."""
    for turn, result in enumerate(results):
        expected, parted = result.case.expected, _AT_ONCE if result.fault else result.divergence
        if not isinstance(expected, Expected) or not expected.matches:
            continue
        if result.status is Status.CONFORMS:
            last = len(expected.matches)
        elif parted is not None:
            last = min(parted.at if parted.match is None else parted.match, len(expected.matches))
        else:
            continue
        for number in range(last):
            yield ComparedMatch(result.case, expected, number, turn)
        if parted is not None:
            number = min(last, len(expected.matches) - 1)
            yield ComparedMatch(result.case, expected, number, turn, parted)


def _comparable(played: Sequence[ComparedMatch]) -> tuple[str, list[_One], list[_One]]:
    """Return "matches" or "cases", those that differ, and those that agree.

    Matches that agree are left out where those that differ can only be longer, or the first ones.
    """
    some = list(zip(traits_of(played), played, strict=True))
    parted = [both for both in some if both[1].divergence is not None]
    in_match = [both for both in parted if _IN_MATCH in both[0]]
    agree = [both for both in some if both[1].divergence is None]
    if 2 * len(in_match) < len(parted):
        differing = {one.turn for _, one in parted}
        of_cases = {name for of, _ in parted if _IN_MATCH not in of for name in of}
        parted = [({name: of[name] for name in of_cases & of.keys()}, one) for of, one in parted]
        agree = list(
            {one.turn: (of, one) for of, one in agree if one.turn not in differing}.values()
        )
        return "cases", parted, agree
    # Whether there is a bye is not known of tournaments that are cut.
    sure = [(of, one) for of, one in in_match if of[_EARLIER]]
    byes = any(all(of[name] == "yes" for of, _ in sure) for name in (_EARLIER, _BYE))
    parted = sure if byes and len(sure) >= _MOST_FIT * len(in_match) else in_match
    if all(of[_IN_ROUND] == 1 for of, _ in parted):
        agree = [(of, one) for of, one in agree if of[_IN_ROUND] == 1]
    shortest = min((int(of[_DUELS]) for of, _ in parted), default=0)
    if shortest < _LEAST[_DUELS]:
        agree = [(of, one) for of, one in agree if int(of[_DUELS]) >= shortest]
    return "matches", parted, agree


def contrast(played: Sequence[ComparedMatch], by_chance: float = 0) -> str:
    """Return what the matches that differ have in common, and few others have, or "".

    Where most differences are in no match, whole cases are compared. What would be ``by_chance``
    less probable is also told where more of the others have it.
    """
    what, parted, agree = _comparable(played)
    if len(parted) < _FEWEST or not agree:
        return ""
    traits, of_others = [of for of, _ in parted], [of for of, _ in agree]
    names = sorted(set(traits[0]).intersection(*traits))
    found = list(filter(None, (_condition(name, traits, of_others) for name in names)))
    left, chosen = frozenset(range(len(agree))), list[str]()
    # Few matches have something in common by chance.
    most = min(_MOST_FIT if by_chance else _HALF, _SURELY ** (1 / len(parted)))
    noise = _CLOSE * len(agree)
    while len(chosen) < _MOST_TOLD and len(left) > noise:
        shared = [(name, text, left & others) for name, text, others in found]
        useful = [one for one in shared if len(one[2]) <= most * len(left)]
        if not useful:
            break
        # What may follow from the cause must separate better than what may be one.
        weights = [(len(one[2]) + noise) * (1 + one[0].startswith(_INCIDENTAL)) for one in useful]
        _, text, left = useful[weights.index(min(weights))]
        chosen.append(text)
    few = min(_FEW_OTHERS * len(parted), _MOST_SHARE * len(agree))
    if not chosen or (len(left) > few and (len(left) / len(agree)) ** len(parted) > by_chance):
        return ""
    told = f"{', and '.join(chosen)} in all {len(parted):,} {what} that differ"
    return f"{told}, and in {len(left):,} of {len(agree):,} that agree and were compared"


def level_of_others(played: Iterable[ComparedMatch]) -> str:
    """Return at the level of which other matches of their runs matches end as they do, or ""."""
    parted = [(one, one.divergence) for one in played if one.divergence is not None]
    ends = [
        (max(one.match.length, found.length), one.turn, one, found.length)
        for one, found in parted
        if found.length and found.parting in _ENDS
        if not is_one_sided(one.case.algorithm, one.match.place)
    ]
    tried = [(one, length) for most, _, one, length in sorted(ends) if most < _LONGEST_TRIED]
    tried = tried[:_MOST_TRIED]
    fit = Counter(name for one, length in tried for name in set(_levels_that_fit(one, length)))
    most = max(fit.values(), default=0)
    if most < max(_FEWEST, _MOST_FIT * len(tried)):
        return ""
    names = " or ".join(sorted(name for name in fit if fit[name] == most)[:2])
    return f"they end as at the level of {names} ({most} of {len(tried)})"


def _levels_that_fit(one: ComparedMatch, length: int) -> Iterator[str]:
    """Yield names of matches of a run at whose level a match ends after so many duels."""
    from tgite_conform.mistakes import end_of

    match, (kind, due, _), ends = one.match, _parts(one.match.place), dict[str, float]()
    chosen = test_of(one.case.algorithm, one.case.parameters, match.place)
    test, outcomes = chosen.of(chosen.implementation), Outcomes(one.expected).of(one.number, True)
    bare, factor, _ = match.level.partition(" * ")
    twin = bare if factor else f"{bare} * 6/pi^2"
    others = [(twin, ["the same fraction with or without 6/pi^2"])]
    others = others if _level(match.level).rational < 1 else []
    for at, other in enumerate(one.expected.matches):
        of, place, _ = _parts(other.place)
        differ = [name for name in due if due[name] != place.get(name)]
        earlier = at < one.number and "r" in due and "r" in place and "r" not in differ
        names = ["the same round of an earlier tournament"] if earlier else []
        if len(differ) == 1 and of == kind and place.keys() == due.keys():
            was, value, name = due[differ[0]], place[differ[0]], _WORDS[differ[0]]
            near = {1: [f"the {name} before"], -1: [f"the {name} after"]}.get(was - value, [])
            names = [*names, f"{name} {value}", *near]
        others.append((other.level, names))
    for level, names in others:
        if names and level != match.level and len(ends) < _MOST_TRIED:
            if level not in ends:
                ends[level], _ = end_of(test(match.first, match.second, _level(level)), outcomes)
            # A match that goes on may end anywhere after its tape.
            if min(ends[level], outcomes.length + 1) == length:
                yield from names


def _condition(name: str, parted: Sequence[Traits], agree: Sequence[Traits]) -> _Condition | None:
    """Return what all matches that differ have in common by name, and which others have it."""
    values = {of[name] for of in parted}
    others = [(at, value) for at, of in enumerate(agree) if (value := of.get(name, "")) != ""]
    if "" in values:
        return None
    if name not in _LEAST and len(values) <= 1 + (name == _TEST):
        told = " or ".join(sorted(map(_shown, values)))
        return name, f"{name}: {told}", frozenset(at for at, one in others if one in values)
    numbers = [one for one in values if not isinstance(one, str)]
    lowest = min(numbers, default=0)
    known = [(at, one) for at, one in others if not isinstance(one, str)]
    above = frozenset(at for at, one in known if one >= lowest)
    # What holds for all of them says no more than that they have it.
    if len(numbers) < len(values) or len(above) == len(known) > 0 or lowest < _LEAST.get(name, 0):
        return None
    below = max((one for _, one in known if one < lowest), default=0)
    return name, f"{name}: {_shown(lowest)} or more{_limits(name, below, lowest)}", above


def _limits(name: str, below: int, lowest: int) -> str:
    """Return which limits of integers and floats the ``lowest`` passes, but not ``below``."""
    products = product((1, 2, 8), (31, 32, 53, 63, 64)) if name == _DUELS else ()
    at = [of for of in products if lowest == isqrt((2 ** of[1] - 1) // of[0]) + 1]
    if at:
        told = " or ".join(f"{times}n^2 passes 2^{width}" for times, width in at)
        return f", where {told.replace('1n', 'n')}"
    passed = [width for width in _WIDTHS if below < 2**width - 1 <= lowest]
    power = lowest.bit_length() - 1
    if not passed and power > 6 and below < 2**power:
        passed = [power]
    powers = " or ".join(f"2^{width}" for width in passed[:_MOST_TOLD])
    return f", past {powers}" if powers else ""


def _shown(value: Value) -> str:
    if isinstance(value, str):
        return value
    return f"{value:,}" if value < 10**15 else f"2^{value.bit_length() - 1}"


def traits_of(played: Iterable[ComparedMatch]) -> Iterator[Traits]:
    """Yield what can be told of each match; only of its case if it differs outside matches."""
    of_case, turn, earlier, names = dict[str, Value](), -1, Counter[object](), dict[str, object]()
    for one in played:
        match, case, parted = one.match, one.case, one.divergence
        if one.turn != turn:
            turn, earlier, arms = one.turn, Counter(), _arms(one.expected)
            widths = Counter(other.place for other in one.expected.matches)
            names = {**_NAMES, "case": case, "given": case.parameters, "earlier": earlier}
            names |= {"widths": widths, "arms": arms}
            if isinstance(S := case.parameters.get("S"), tuple):
                arms[""] = len(S)
            of_case = {name: str(getattr(case.conventions, name)) for name in CHOICES}
            of_case |= eval(_OF_CASE, names)
            of_case |= {f"{_FLAG} {flag} ({FLAGS.get(flag, '')})": "yes" for flag in case.flags}
        if parted is None or parted.parting in _OF_MATCHES:
            names["kind"], names["place"], names["tournament"] = _parts(match.place)
            names |= {"match": match, "length": parted and parted.length}
            yield {**of_case, **eval(_OF_MATCH, names)}
        else:
            yield of_case
        earlier.update((match.place, match.pair))


def _arms(expected: Expected) -> dict[str | None, int]:
    """Return the numbers of arms of tournaments, but not of one that the horizon cuts."""
    matches = Counter(_parts(one.place)[2] for one in expected.matches)
    cut = {None} if expected.horizon is None else {None, _parts(expected.matches[-1].place)[2]}
    return {name: number + 1 for name, number in matches.items() if name not in cut}


_level = functools.cache(Confidence.of)


@functools.cache
def _value(level: str) -> Fraction:
    """Return a level's value, to sixty digits."""
    return _level(level).rational * (basel_factor_enclosure(60)[0] if "pi" in level else 1)


@functools.cache
def _of_test(algorithm: str, g: str, place: str, level: str) -> tuple[str, Value]:
    """Return the label of a match's test, and its budget, to fifteen digits, or ""."""
    if is_one_sided(algorithm, place):
        return "a certificate", ""
    test, value = test_of(algorithm, {"g": g} if g else {}, place), _value(level)
    of = test.descriptor
    if test.g is None or not of.budget_times:
        return of.label, ""
    logarithm = log(of.budget_times) + log(value.denominator) - log(value.numerator)
    return of.label, ceil(Fraction(logarithm) / (2 * test.g**2))


_inverse = functools.cache(lambda level: int(1 / _value(level)))


def _inverse_of_rest(level: str, times: int) -> int:
    """Return 1/(1 - times * level), rounded down; 1 if that is not positive."""
    rest = 1 - times * _value(level)
    return int(1 / rest) if rest > 0 else 1


_NAMES: Mapping[str, object] = {
    "yes": lambda holds: "yes" if holds else "no",
    "test": lambda case, one: _of_test(
        case.algorithm, case.parameters.get("g", ""), one.place, one.level
    ),
    "inverse": _inverse,
    "level": _level,
    "inverse_of_rest": _inverse_of_rest,
    "levels": {"delta", "epsilon", "rho", "kappa", "warm_start", "g"},
}


@functools.cache
def _parts(place: str) -> tuple[str, Mapping[str, int], str | None]:
    """Return what is played at a place, its numbers by their letters, and its tournament."""
    found = re.findall(r"([a-z]+)(\d*)", place)
    kind = " ".join(word for word, digits in found if not digits)
    numbers = {word: int(digits) for word, digits in found if digits}
    by_itself = "r" not in numbers or kind in ("certify", "expose")
    tournament = None if by_itself else place.rpartition("r")[0]
    return kind or ("a tournament" if numbers else "a match by itself"), numbers, tournament


def _compared(results: Sequence[CaseResult]) -> list[CaseResult]:
    """Return the results that differ, and of the others enough, most of the same algorithms."""
    failing = {one.case.algorithm for one in results if one.divergence or one.fault}
    kept, groups = set[int](), defaultdict[bool, list[int]](list)
    for at, one in enumerate(results):
        if one.status is Status.CONFORMS:
            groups[one.case.algorithm in failing].append(at)
        else:
            kept.add(at)
    for same, ats in groups.items():
        matches = sum(len(getattr(results[at].case.expected, "matches", ())) for at in ats)
        kept.update(ats[:: 1 + matches // _MOST_MATCHES[same]])
    return [results[at] for at in sorted(kept)]


def by_a_hair(played: Sequence[ComparedMatch]) -> tuple[str, float]:
    """Return that matches end elsewhere only in cases that come near a boundary, and how near.

    Otherwise return "" and infinity.
    """
    parted = [(one, one.divergence) for one in played if one.divergence is not None]
    ends = [(one, of) for one, of in parted if of.parting in _ENDS]
    near = [float(one.expected.margin) for one, _ in ends if one.expected.margin]
    # An end that is far from the right one has another cause, as one of long matches only.
    far = any(one.match.length > 2 * (of.length or inf) for one, of in ends)
    far |= all(one.match.length > _LONG for one, _ in ends)
    ways, most = {of.parting for _, of in ends}, max(near, default=inf)
    if far or most > _HAIR or len(near) < max(_FEWEST, len(parted) / 2):
        return "", inf
    when = " or ".join(sorted(_ENDS[parting] for parting in ways))
    what = "rounding" if len(ways) > 1 else "a tolerance, or rounding"
    if ways == {Parting.WENT_ON} and most == 0:
        what = "equality does not stop a match (> for >=), or rounding"
    told = f"{what} ({len(near)} of {len(near)} that end elsewhere)"
    where = f"comes within {most:.0e} of" if most else "is exactly on"
    return f"they end {when} where a case {where} a boundary: {told}", most


def in_common(played: Sequence[ComparedMatch], hair: str, most: float) -> Iterator[str]:
    """Yield what the matches have in common that differ in the usual ways, not only by a hair."""
    of = Counter(one.divergence.parting for one in played if one.divergence)
    rare = {parting for parting, times in of.items() if 10 * times <= of.total()}
    usual = [one for one in played if not one.divergence or one.divergence.parting not in rare]
    if hair:
        usual = [one for one in usual if float(one.expected.margin or inf) <= most]
    yield level_of_others(usual)
    yield contrast(usual, _BY_CHANCE if hair else 0)


def causes_of(results: Sequence[CaseResult]) -> tuple[str, tuple[str, ...]]:
    """Return what matches that differ have in common, and mistakes with which they end so."""
    if all(result.divergence is None and result.fault is None for result in results):
        return "", ()
    from tgite_conform.mistakes import known_mistakes

    try:
        played = list(compared_matches(_compared(results)))
        hair, most = by_a_hair(played)
        known = known_mistakes(results, bool(hair))
        common = hair, *(() if known else in_common(played, hair, most))
        return "; ".join(filter(None, common)), tuple(known)
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        # The cases are told in any event.
        return "", (f"what they have in common could not be computed: {error!r}",)
