"""What the matches that differ have in common, and few others have, and what may be the cause."""

from __future__ import annotations

import functools
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import inf, isqrt, log
from typing import TypeAlias

from tgite import Confidence
from tgite_conform.algorithms import test_of
from tgite_conform.divergence import Divergence, Parting
from tgite_conform.flags import FLAGS
from tgite_conform.format import CHOICES, Case, Expected, ExpectedMatch
from tgite_conform.runner import CaseResult, Status

Value: TypeAlias = int | str
Traits: TypeAlias = Mapping[str, Value]
_FEWEST, _MOST_TOLD, _HAIR, _LONG = 3, 3, 1e-6, 10_000
_HALF, _MOST_SHARE, _CLOSE, _FEW_OTHERS = 0.5, 0.05, 0.01, 30
_IN_MATCH, _DUELS = "what is played", "duels in the match"
_BUDGET, _LARGEST = "the budget of duels", "the largest integer"
_SIZES = dict.fromkeys((_DUELS, _BUDGET, _LARGEST, "1/level", "H", "N", "the higher arm"), 64)
_WIDTHS = 15, 16, 24, 31, 32, 53, 63, 64, 126, 149, 1022, 1024, 1074
_MOST_MATCHES = 3_000, 7_000  # of other algorithms, and of the same
_AT_ONCE = Divergence(Parting.REFUSED, 1, "", "", ())  # No match is known to differ.
_ENDS = {Parting.STOPPED_EARLY: "early", Parting.WENT_ON: "late"}
_OF_MATCHES = set(list(Parting)[: list(Parting).index(Parting.WRONG_LEVEL) + 1])


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


def contrast(played: Sequence[ComparedMatch]) -> str:
    """Return what the matches that differ have in common, and few others have, or "".

    Where most differences are in no match, whole cases are compared.
    """
    some = list(zip(traits_of(played), played, strict=True))
    parted, what = [of for of, one in some if one.divergence is not None], "matches"
    in_match = [of for of in parted if _IN_MATCH in of]
    if 2 * len(in_match) < len(parted):
        what, differing = "cases", {one.turn for _, one in some if one.divergence is not None}
        of_cases = {name for of in parted if _IN_MATCH not in of for name in of}
        parted = [{name: of[name] for name in of_cases & of.keys()} for of in parted]
        some = list({one.turn: (of, one) for of, one in some if one.turn not in differing}.values())
    else:
        parted = in_match
    agree = [of for of, one in some if one.divergence is None]
    if len(parted) < _FEWEST or not agree:
        return ""
    names = sorted(set(parted[0]).intersection(*parted))
    found = list(filter(None, (_condition(parted, agree, name) for name in names)))
    left, chosen = frozenset(range(len(agree))), list[str]()
    while found and len(chosen) < _MOST_TOLD and len(left) > _CLOSE * len(agree):
        text, others = min(found, key=lambda one: len(left & one[1]))
        if len(left & others) > _HALF * len(left):
            break
        left &= others
        chosen.append(text)
    if not chosen or len(left) > min(_FEW_OTHERS * len(parted), _MOST_SHARE * len(agree)):
        return ""
    told = f"{', and '.join(chosen)} in all {len(parted):,} {what} that differ"
    return f"{told}, and in {len(left):,} of {len(agree):,} that agree and were compared"


def _condition(
    parted: Sequence[Traits], agree: Sequence[Traits], name: str
) -> tuple[str, frozenset[int]] | None:
    """Return what all matches that differ have in common by name, and which others have it."""
    values = {of[name] for of in parted}
    others = [(at, of[name]) for at, of in enumerate(agree) if name in of]
    # That few duels are played is what follows, not the cause.
    if len(values) == 1 and name not in _SIZES:
        (value,) = values
        same = frozenset(at for at, one in others if one == value)
        return f"{name}: {_shown(value)}", same
    numbers = [one for one in values if not isinstance(one, str)]
    lowest = min(numbers, default=0)
    known = [(at, one) for at, one in others if not isinstance(one, str)]
    above = frozenset(at for at, one in known if one >= lowest)
    # What holds for all of them says no more than that they have it.
    if len(numbers) < len(values) or len(above) == len(known) > 0:
        return None
    # A small size is that of the first cases that are played.
    if lowest < _SIZES.get(name, 0):
        return None
    below = max((one for _, one in known if one < lowest), default=0)
    return f"{name}: {_shown(lowest)} or more{_limits(name, below, lowest)}", above


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
    of_case, turn, earlier = dict[str, Value](), -1, Counter[object]()
    for one in played:
        match, length = one.match, one.match.length
        if one.turn != turn:
            turn, of_case, earlier = one.turn, _traits_of_case(one.case), Counter()
            g = str(one.case.parameters.get("g", ""))
            widths = Counter(other.place for other in one.expected.matches)
        winners = {None: "nobody", match.first: "the first arm", match.second: "the second arm"}
        if one.divergence is None or one.divergence.parting in _OF_MATCHES:
            stopped = one.divergence.length if one.divergence is not None else None
            yield {
                **of_case,
                _DUELS: min(length, stopped or length),
                **_traits_of_place(match.place),
                "number of the match in its round": earlier[match.place] + 1,
                "matches in the round": widths[match.place],
                "the higher arm": max(match.pair),
                "earlier matches of the pair": earlier[match.pair],
                "who wins": winners[match.winner],
                "1/level": _inverse(match.level),
                **(_budget(one.case.algorithm, g, match.level) if g else {}),
                "the level's factor 6/pi^2": "there" if "pi" in match.level else "not there",
            }
        else:
            yield of_case
        earlier.update((match.place, match.pair))


@functools.cache
def _budget(algorithm: str, g: str, level: str) -> Traits:
    most = test_of(algorithm, {"g": g}, "").most(_level(level))
    return {} if most is None else {_BUDGET: most}


_level = functools.cache(Confidence.of)


@functools.cache
def _inverse(level: str) -> int:
    """Return the power of two at or below 1/level."""
    return int(2 ** int(_level(level).log_inverse / log(2)))


@functools.cache
def _traits_of_place(place: str) -> Traits:
    found = re.findall(r"([a-z]+)(\d*)", place)
    kind = " ".join(word for word, digits in found if not digits)
    in_words = {"r": "round", "s": "epoch, phase or stage", "h": "block h"}
    kinds: Traits = {in_words[word]: int(digits) for word, digits in found if digits}
    return {_IN_MATCH: kind or ("a tournament" if kinds else "a match by itself"), **kinds}


def _traits_of_case(case: Case) -> dict[str, Value]:
    given = case.parameters
    of_case: dict[str, Value] = {name: str(getattr(case.conventions, name)) for name in CHOICES}
    of_case |= {name: int(str(given[name])) for name in "HN" if name in given}
    if isinstance(S := given.get("S"), tuple):
        of_case["N"] = len(S)
    for name in {"b", "b_0", "c"} & set(given):
        of_case["the start, from 0"] = int(str(given[name])) - case.conventions.first_arm
    whole = (
        *(S if isinstance(S, tuple) else ()),
        *given.values(),
        getattr(case.expected, "horizon", 0),
    )
    of_case[_LARGEST] = max(n for n in whole if isinstance(n, int))
    of_case |= {f"the flag {flag} ({FLAGS.get(flag, '')})": "yes" for flag in case.flags}
    if case.algorithm.startswith("tg_ite_weak"):
        of_case["the parameter warm_start"] = "given" if "warm_start" in given else "not given"
    return of_case


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


def by_a_hair(played: Sequence[ComparedMatch]) -> str:
    """Return that matches end elsewhere only in cases that come near a boundary, or ""."""
    parted = [(one, one.divergence) for one in played if one.divergence is not None]
    ends = [(one, of) for one, of in parted if of.parting in _ENDS]
    near = [float(one.expected.margin) for one, _ in ends if one.expected.margin]
    # An end that is far from the right one has another cause, as one of long matches only.
    far = any(one.match.length > 2 * (of.length or inf) for one, of in ends)
    far |= all(one.match.length > _LONG for one, _ in ends)
    ways, most = {of.parting for _, of in ends}, max(near, default=inf)
    if far or most > _HAIR or len(near) < max(_FEWEST, len(parted) / 2):
        return ""
    when = " or ".join(sorted(_ENDS[parting] for parting in ways))
    what = "rounding" if len(ways) > 1 else "a tolerance, or rounding"
    if ways == {Parting.WENT_ON} and most == 0:
        what = "equality does not stop a match (> for >=), or rounding"
    told = f"{what} ({len(near)} of {len(near)} that end elsewhere)"
    return f"they end {when} where a case comes within {most:.0e} of a boundary: {told}"


def causes_of(results: Sequence[CaseResult]) -> tuple[str, tuple[str, ...]]:
    """Return what matches that differ have in common, and mistakes with which they end so."""
    if all(result.divergence is None and result.fault is None for result in results):
        return "", ()
    from tgite_conform.mistakes import known_mistakes

    try:
        played = list(compared_matches(_compared(results)))
        hair = by_a_hair(played)
        known = known_mistakes(results, bool(hair))
        of = Counter(one.divergence.parting for one in played if one.divergence)
        rare = {parting for parting, times in of.items() if 10 * times <= of.total()}
        usual = [one for one in played if not one.divergence or one.divergence.parting not in rare]
        common = hair, "" if known else contrast(usual)
        return "; ".join(filter(None, common)), tuple(known)
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        # The cases are told in any event.
        return "", (f"what they have in common could not be computed: {error!r}",)
