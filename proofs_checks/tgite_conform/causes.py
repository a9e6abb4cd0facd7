"""What the matches that differ have in common, and few others have, and what may be the cause."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import ceil, isqrt, log
from typing import TypeAlias

from tgite import Confidence
from tgite_conform.divergence import Divergence, Parting
from tgite_conform.flags import FLAGS
from tgite_conform.format import CHOICES, Case, Expected, ExpectedMatch
from tgite_conform.runner import CaseResult, Status

LEVELS = {"delta", "epsilon", "rho", "kappa", "warm_start"}
Value: TypeAlias = int | str
Traits: TypeAlias = Mapping[str, Value]
Condition: TypeAlias = tuple[str, frozenset[int]]
_FEWEST, _MOST_TOLD, _NEARLY_ALL = 3, 3, 0.9
_HALF, _MOST_SHARE, _CLOSE, _FEW_OTHERS = 0.5, 0.05, 0.01, 30
_IN_MATCH, _DUELS = "what is played", "duels in the match"
_ONLY_ABOVE = {_DUELS, "the largest integer", "1/level"}
_WIDTHS = 15, 16, 24, 31, 32, 53, 63, 64, 126, 149, 1022, 1024, 1074
_AT_ONCE = Divergence(Parting.REFUSED, 1, "", "", ())
"""The divergence of a run in which no match is known to differ."""
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
    """Yield the matches of all played cases, in the order of playing.

    Of a case that differs these are the matches before the first difference, and the match with it.
    """
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


def contrast(played: Sequence[ComparedMatch], most_share: float = _MOST_SHARE) -> str:
    """Return what the matches that differ have in common, and few others have, or "".

    At most this share of the others has it. Where most differences are in no match, whole cases
    are compared.
    """
    some = list(zip(traits_of(played), played, strict=True))
    parted = [of for of, one in some if one.divergence is not None]
    in_match = [of for of in parted if _IN_MATCH in of]
    if 2 * len(in_match) < len(parted):
        what, names = "cases", {name for of in parted for name in of if _IN_MATCH not in of}
        differing = {one.turn for _, one in some if one.divergence is not None}
        some = list({one.turn: (of, one) for of, one in some if one.turn not in differing}.values())
    else:
        what, parted, names = "matches", in_match, {name for of in in_match for name in of}
    agree = [of for of, one in some if one.divergence is None]
    if len(parted) < _FEWEST or not agree:
        return ""
    for share in (1.0, _NEARLY_ALL):
        least = ceil(share * len(parted))
        found = [one for name in sorted(names) for one in _conditions(parted, agree, name, least)]
        told, left = _together(found, len(agree))
        if told and left <= min(_FEW_OTHERS * len(parted), most_share * len(agree)):
            told += f" in {'' if share == 1 else 'nearly '}all {len(parted):,} {what} that differ"
            return f"{told}, and in {left:,} of the {len(agree):,} that agree"
    return ""


def _together(found: Sequence[Condition], agree: int) -> tuple[str, int]:
    """Return the few conditions that fewest of those that agree meet together, and how many."""
    left, chosen = frozenset(range(agree)), list[str]()
    while found and len(chosen) < _MOST_TOLD and len(left) > _CLOSE * agree:
        text, others = min(found, key=lambda one: len(left & one[1]))
        if len(left & others) > _HALF * len(left):
            break
        left &= others
        chosen.append(text)
    return ", and ".join(chosen), len(left)


def _conditions(
    parted: Sequence[Traits], agree: Sequence[Traits], name: str, least: int
) -> Iterator[Condition]:
    """Yield conditions that so many of the matches that differ meet, and which others do."""
    values = [of[name] for of in parted if name in of]
    if len(values) < least:
        return
    others = [(at, of[name]) for at, of in enumerate(agree) if name in of]
    value, times = Counter(values).most_common(1)[0]
    # That few duels are played is what follows, not the cause.
    if times >= least and name not in _ONLY_ABOVE:
        yield f"{name}: {_shown(value)}", frozenset(at for at, one in others if one == value)
    numbers = sorted(one for one in values if not isinstance(one, str))
    if len(numbers) < least:
        return
    lowest, highest = numbers[len(numbers) - least], numbers[least - 1]
    known = [(at, one) for at, one in others if not isinstance(one, str)]
    above = frozenset(at for at, one in known if one >= lowest)
    # What holds for all of them says no more than that they have the trait.
    if len(above) < len(known) or not known:
        highest_below = max((one for _, one in known if one < lowest), default=0)
        limits = _limits(name, highest_below, lowest)
        yield f"{name}: {_shown(lowest)} or more{limits}", above
    below = frozenset(at for at, one in known if one <= highest)
    if len(below) < len(known) and name not in _ONLY_ABOVE:
        yield f"{name}: {_shown(highest)} or less", below


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
                "the level's factor 6/pi^2": "there" if "pi" in match.level else "not there",
            }
        else:
            yield of_case
        earlier.update((match.place, match.pair))


@functools.cache
def _inverse(level: str) -> int:
    """Return the power of two at or below 1/level."""
    return int(2 ** int(Confidence.of(level).log_inverse / log(2)))


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
    of_case["the largest integer"] = max(n for n in whole if isinstance(n, int))
    of_case |= {f"the flag {flag} ({FLAGS.get(flag, '')})": "yes" for flag in case.flags}
    if case.algorithm.startswith("tg_ite_weak"):
        of_case["the parameter warm_start"] = "given" if "warm_start" in given else "not given"
    return of_case


def causes_of(results: Sequence[CaseResult]) -> tuple[str, tuple[str, ...]]:
    """Return what matches that differ have in common, and mistakes with which matches end so."""
    if all(result.divergence is None and result.fault is None for result in results):
        return "", ()
    # NumPy, which the others do not need, is imported only here.
    from tgite_conform.endings import ending_mistakes

    try:
        played = list(compared_matches(results))
        return contrast(played), tuple(ending_mistakes(played))
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        # The cases are told in any event.
        return "", (f"what they have in common could not be computed: {error!r}",)
