"""Whether the instances satisfy Assumption 1, as the Experiments section says.

These checks are about instances and matrices, not about an algorithm.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from tgite.instances import cyclic, sparse
from tgite.playing.matrices import example
from tgite.preferences import PreferenceMatrix, Preferences
from tgite.questions import Arm
from tgite_checks.check import Cases, Depth, Kind, argument, at_most, by_depth, statement
from tgite_laws.enclosure import rational

_LARGEST = (64, 256, 256)
_GAPS = (("0.32", "0.38"), ("0.30", "0.38"), ("0.26", "0.44"))
HALF = Fraction(1, 2)

Beats = Callable[[int, int, int], bool]
"""A rule for the cycle: whether label x beats label y among n labels."""


def literal_rule(x: int, y: int, n: int) -> bool:
    """Return whether x beats y by the printed rule, with ``n = N - 1``."""
    return 2 * ((y - x) % n) <= n


def contradictions(N: int, beats: Beats = literal_rule) -> tuple[int, int]:
    """Count, for N arms, the labels that beat themselves and the pairs that beat each other."""
    n = N - 1
    itself = sum(beats(x, x, n) for x in range(n))
    each_other = sum(beats(x, y, n) and beats(y, x, n) for x in range(n) for y in range(x))
    return itself, each_other


def wrong_with_assumption(preferences: Preferences, gap: Fraction | None = None) -> str:
    """Return what violates Assumption 1 (with the global gap ``gap``), or nothing."""
    N = preferences.size
    winner = preferences.winner()
    p = preferences.probability
    for i in range(N):
        for j in range(N):
            if p(i, j) + p(j, i) != 1 or not 0 < p(i, j) < 1:
                return f"p({i},{j}) = {p(i, j)}, p({j},{i}) = {p(j, i)}"
        if i != winner and p(winner, i) <= HALF:
            return f"a* = {winner} does not beat {i}"
    smallest = min(abs(p(i, j) - HALF) for i in range(N) for j in range(i))
    if smallest == 0:
        return "two arms tie: Delta = 0"
    if gap is not None and smallest != gap:
        return f"Delta = {smallest}, not {gap}"
    return ""


@statement(
    "instances-assumption",
    kind=Kind.EXHAUSTIVE,
    domain="The instances of the three figures satisfy Assumption 1 for even N to 32, and for 64 "
    "and 256, with the winner at floor(N/2). A label is taken not to beat itself.",
    sizes={"N up to": _LARGEST},
    case="instance",
    refuses={"Assumption 1 for odd N too, by the printed rule": {"numbers": (2, 3, 4, 5)}},
)
def paper_instances(
    depth: Depth, *, numbers: tuple[int, ...] = (*range(2, 34, 2), 64, 256)
) -> Cases:
    for N in numbers:
        if by_depth(depth, *_LARGEST) < N:
            continue
        itself, each_other = contradictions(N, lambda x, y, n: x != y and literal_rule(x, y, n))
        if itself or each_other:
            yield f"N = {N}: the rule has {each_other} pairs of arms that beat each other"
            continue
        for star, other in _GAPS:
            smaller = min(Fraction(star), Fraction(other))
            expected = Fraction(star) if N == 2 else smaller
            preferences = sparse(N, star) if other == "0.44" else cyclic(N, star, other)
            yield wrong_with_assumption(preferences, expected)
            if preferences.winner() != N // 2:
                yield f"N = {N}: the winner is not at floor(N/2)"


@statement(
    "real-matrices-assumption",
    kind=Kind.EXHAUSTIVE,
    domain="The real matrices sushi16, whose Delta is 0.012, and mslr5 satisfy Assumption 1.",
    case="real matrix",
    refuses={"arxiv6 satisfies Assumption 1 too": {"names": ("sushi16", "mslr5", "arxiv6")}},
)
def real_matrices(depth: Depth, *, names: tuple[str, ...] = ("sushi16", "mslr5")) -> Cases:
    gaps = {"sushi16": Fraction("0.012"), "mslr5": None, "arxiv6": None}
    for name in names:
        wrong = wrong_with_assumption(example(name), gaps[name])
        yield f"{name}: {wrong}" if wrong else ""


def has_total_order(preferences: Preferences) -> bool:
    """Return whether "beats" is a strict total order of the arms."""
    N = preferences.size
    wins = [sum(preferences.probability(i, j) > HALF for j in range(N) if j != i) for i in range(N)]
    return sorted(wins) == list(range(N))


def ordered_matrix(N: int, gap: Fraction, ties: bool = False) -> PreferenceMatrix:
    """Return arms in a total order with one gap; with ``ties``, the last two of N >= 3 tie."""

    def entry(i: Arm, j: Arm) -> Fraction:
        if i == j or (ties and {i, j} == {N - 2, N - 1} and N > 2):
            return HALF
        return HALF + gap if i < j else HALF - gap

    return PreferenceMatrix(tuple(tuple(entry(i, j) for j in range(N)) for i in range(N)))


@statement(
    "instances-total-order",
    kind=Kind.EXHAUSTIVE,
    domain="Cyclic instances with even N from 4 to 32 have no total order. Ordered arms without "
    "ties, N = 2 to 11, satisfy Assumption 1.",
    case="matrix",
    refuses={"an order with two tied arms satisfies Assumption 1": {"ties": True}},
)
def total_orders(depth: Depth, *, ties: bool = False) -> Cases:
    # The cyclic instances have no total order from N = 4 on; with a total order Assumption 1 holds.
    for N in range(4, 34, 2):
        ordered = has_total_order(cyclic(N, "0.32", "0.38"))
        yield f"cyclic instance, N = {N}: has a total order" if ordered else ""
    for N in range(2, 12):
        for gap in (Fraction(1, 100), Fraction(2, 5)):
            yield wrong_with_assumption(ordered_matrix(N, gap, ties))


@statement(
    "sparse-ratio",
    kind=Kind.EXHAUSTIVE,
    domain='At the printed values Delta_sub is below twice Delta*, although the text has "much '
    'larger".',
    case="ratio",
    refuses={"a ratio below 8/5": {"most": Fraction(8, 5)}},
)
def sparse_ratio(depth: Depth, *, most: Fraction = Fraction(2)) -> Cases:
    instance = sparse(256, "0.26")
    value = rational(instance.delta_cyc / instance.delta_star)
    yield at_most("Delta_sub / Delta*, sparse N = 256", value, most)


Gaps = dict[tuple[Arm, Arm], int]
"""Signed gaps of the pairs of arms, in some unit."""


def signed_gaps(N: int, sizes: Sequence[int]) -> Iterator[Gaps]:
    """Yield the matrices of signed gaps among N arms with entries of these sizes."""
    pairs = list(itertools.combinations(range(N), 2))
    for chosen in itertools.product(sizes, repeat=len(pairs)):
        one_way = dict(zip(pairs, chosen, strict=True))
        yield one_way | {(j, i): -gap for (i, j), gap in one_way.items()}


def is_ordered(N: int, gaps: Gaps) -> bool:
    """Return whether some ranking has no arm that beats a higher-ranked one."""
    return any(
        all(gaps[pair] >= 0 for pair in itertools.combinations(ranking, 2))
        for ranking in itertools.permutations(range(N))
    )


def is_weakly_transitive(N: int, gaps: Gaps) -> bool:
    """Return whether gaps i to j and j to k that are not negative imply the same for i to k."""
    return all(
        gaps[i, k] >= 0
        for i, j, k in itertools.permutations(range(N), 3)
        if gaps[i, j] >= 0 and gaps[j, k] >= 0
    )


def is_strongly_transitive(N: int, gaps: Gaps) -> bool:
    """Return whether i beating j and j beating k makes i beat k by the larger of both gaps."""
    return all(
        gaps[i, k] >= max(gaps[i, j], gaps[j, k])
        for i, j, k in itertools.permutations(range(N), 3)
        if gaps[i, j] > 0 and gaps[j, k] > 0
    )


@statement(
    "transitivity-and-order",
    kind=Kind.EXHAUSTIVE,
    domain="With gaps of one or two units either way, strong transitivity implies weak "
    "transitivity, but not conversely. Weak transitivity implies an order, and with ties an order "
    "up to ties. All matrices are tried.",
    sizes={"numbers of arms:": ("3", "3 and 4", "3 and 4")},
    case="matrix",
    refuses={
        "weak transitivity implies the strong one": {"converse": True},
        "with ties the strong one implies the weak one": {"ties": (0,)},
    },
)
def transitivity(depth: Depth, *, converse: bool = False, ties: tuple[int, ...] = ()) -> Cases:
    for N in (3,) if depth is Depth.QUICK else (3, 4):
        only_weak = 0
        for gaps in signed_gaps(N, (-2, -1, *ties, 1, 2)):
            weak, strong = is_weakly_transitive(N, gaps), is_strongly_transitive(N, gaps)
            only_weak += weak and not strong
            if strong and not weak:
                yield f"{gaps}: strongly, but not weakly transitive"
            elif converse and weak and not strong:
                yield f"{gaps}: weakly, but not strongly transitive"
            else:
                right = ties or weak == is_ordered(N, gaps)
                yield "" if right else f"{gaps}: transitive or ordered, not both"
        yield "" if only_weak else f"N = {N}: both kinds of transitivity are one"
    for gaps in signed_gaps(3, (-1, 0, 1)):
        ordered = not is_weakly_transitive(3, gaps) or is_ordered(3, gaps)
        yield "" if ordered else f"{gaps}: weakly transitive, and no order up to ties"


@argument(case="matrix")
def ties_part_the_transitivities(depth: Depth) -> Cases:
    """Show three arms with two ties that are strongly but not weakly transitive."""
    gaps = {(0, 1): 0, (1, 0): 0, (1, 2): 0, (2, 1): 0, (0, 2): -1, (2, 0): 1}
    shown = is_strongly_transitive(3, gaps) and not is_weakly_transitive(3, gaps)
    yield "" if shown else f"{gaps}: both or neither"


def raw_labels(N: int) -> list[Arm]:
    """Return the labels from 0 that remain for the cycle if the arms keep their labels."""
    return [label for label in range(N) if label != N // 2]


@argument(case="number of arms")
def printed_rule_contradicts_itself(depth: Depth) -> Cases:
    """Show that the printed rule makes arms beat themselves and, for odd N, each other.

    With the arms' own labels, the first and the last arm beat each other for even N too.
    """
    for arms in range(3, 20):
        itself, each_other = contradictions(arms, literal_rule)
        expected = (arms - 1, (arms - 1) // 2 if arms % 2 else 0)
        yield "" if (itself, each_other) == expected else f"N = {arms}: {itself}, {each_other}"
    for arms in range(4, 20, 2):
        mutual = [
            (x, y)
            for x, y in itertools.combinations(raw_labels(arms), 2)
            if literal_rule(x, y, arms - 1) and literal_rule(y, x, arms - 1)
        ]
        yield "" if mutual == [(0, arms - 1)] else f"N = {arms}, labels as they are: {mutual}"
