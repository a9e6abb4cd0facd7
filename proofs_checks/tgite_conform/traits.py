"""What failing cases have in common, and few others have."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tgite_conform.divergence import Divergence, Parting
from tgite_conform.flags import FLAGS
from tgite_conform.format import Case, Expected

_FEWEST = 2
_MOST_TOLD = 3


def common_traits(
    differing: Sequence[tuple[Case, Divergence]], right: Sequence[Case]
) -> Sequence[str]:
    """Return lines that say what the failing cases share; ``right`` are cases that conform."""
    played = [(case, found) for case, found in differing if isinstance(case.expected, Expected)]
    failing = {case.algorithm for case, _ in played}
    others = [one for one in right if one.algorithm in failing]
    if len(played) < _FEWEST:
        return ()
    return [*_lengths(played), *_sizes_shared(played, others)][:_MOST_TOLD]


def _lengths(differing: Sequence[tuple[Case, Divergence]]) -> Iterator[str]:
    """Yield what is common to the matches that end too early or too late."""
    for parting, when in ((Parting.STOPPED_EARLY, "early"), (Parting.WENT_ON, "late")):
        some = [
            (found.length, case.expected.matches[found.match].length)
            for case, found in differing
            if isinstance(case.expected, Expected) and found.parting is parting
            if found.match is not None and found.length is not None
        ]
        # The lengths of matches that go on are known in some cases only.
        if len({right for _, right in some}) < _FEWEST or 2 * len(some) < min(len(differing), 60):
            continue
        ends, by = {end for end, _ in some}, {abs(end - right) for end, right in some}
        if len(ends) == 1:
            yield f"all {len(some)} matches that end too {when} end after {min(ends)} duels"
        elif len(by) == 1:
            yield f"all {len(some)} matches that end too {when} do so by {min(by)} duel(s)"


def _sizes(case: Case, found: Divergence | None = None) -> dict[str, int]:
    """Return the largest numbers that a case reaches, at the match where it differs if it does."""
    S, expected = case.parameters.get("S"), case.expected
    matches = expected.matches if isinstance(expected, Expected) else ()
    sizes = {name: int(str(case.parameters[name])) for name in "Huv" if name in case.parameters}
    again = False
    if found is not None and found.match is not None:
        at = matches[found.match]
        again = any(one.pair == at.pair for one in matches[: found.match])
        again = again and not at.place.startswith("replace")
        matches = (at,)
    places = " ".join(one.place for one in matches)
    for name, letter in {"round": "r", "epoch or phase": "s"}.items():
        sizes[name] = max(map(int, re.findall(rf"\b{letter}(\d+)", places)), default=0)
    sizes["arms"] = len(S) if isinstance(S, tuple) else int(str(case.parameters.get("N", 2)))
    sizes["duels in a match"] = max((one.length for one in matches), default=0)
    sizes["an earlier match of the pair"] = again
    flags = {f"the flag {flag} ({meaning})": flag in case.flags for flag, meaning in FLAGS.items()}
    return sizes | flags


def _sizes_shared(
    differing: Sequence[tuple[Case, Divergence]], right: Sequence[Case]
) -> Iterator[str]:
    """Yield from which size on cases fail, where those below conform."""
    failing, others = [_sizes(*one) for one in differing], [_sizes(case) for case in right]
    for name in failing[0]:
        least = min(sizes.get(name, 0) for sizes in failing)
        as_large = sum(sizes.get(name, 0) >= least for sizes in others)
        if least and 4 * as_large <= len(failing) <= 2 * len(others):
            size = f" {least:,} or more" if least > 1 else ""
            yield f"all {len(failing)} have {name}{size}, and {as_large} that conform"
