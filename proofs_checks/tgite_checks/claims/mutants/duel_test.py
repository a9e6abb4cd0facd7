"""Wrong transcriptions of DuelTest (``alg:dueltest``)."""

from __future__ import annotations

from tgite_checks.mutation import Mutant


def _mutant(name: str, original: str, replaced: str, mistake: str) -> Mutant:
    return Mutant(f"dueltest-{name}", "alg:dueltest", "duel_test", original, replaced, mistake)


_RADIUS = "sqrt((log(2 * n * (n + 1)) + delta.log_inverse) / (2 * n))"

MUTANTS = (
    _mutant(
        "no-union-bound",
        _RADIUS,
        "sqrt((log(2) + delta.log_inverse) / (2 * n))",
        "The union bound over n is dropped: the radius of a single n.",
    ),
    _mutant(
        "n-for-n-n-plus-1",
        _RADIUS,
        "sqrt((log(2 * n) + delta.log_inverse) / (2 * n))",
        "2n where the union bound has 2n(n+1).",
    ),
    _mutant(
        "n-squared",
        _RADIUS,
        "sqrt((log(2 * n * n) + delta.log_inverse) / (2 * n))",
        "2n^2 where the union bound has 2n(n+1).",
    ),
    _mutant(
        "4n-for-2n",
        _RADIUS,
        "sqrt((log(4 * n * (n + 1)) + delta.log_inverse) / (2 * n))",
        "A factor of two too much inside the logarithm.",
    ),
    _mutant(
        "one-sided-bound",
        _RADIUS,
        "sqrt((log(n * (n + 1)) + delta.log_inverse) / (2 * n))",
        "The factor of two for the two sides is forgotten.",
    ),
    _mutant(
        "variance-4n",
        _RADIUS,
        "sqrt((log(2 * n * (n + 1)) + delta.log_inverse) / (4 * n))",
        "Divided by 4n instead of 2n.",
    ),
    _mutant(
        "log10",
        _RADIUS,
        "sqrt((log(2 * n * (n + 1), 10) + delta.log_inverse) / (2 * n))",
        "The logarithm to base ten for the natural one.",
    ),
    _mutant(
        "stale-samples",
        "        n, S = 0, 0  # L1\n        while True:  # L2\n            n += 1  # L3\n"
        "            Y = yield duel  # L4\n            S += Y  # L5\n",
        "        kept = vars(duel_test).setdefault('kept', {})\n"
        "        n, S = kept.get(duel, (0, 0))  # L1\n        while True:  # L2\n"
        "            n += 1  # L3\n            Y = yield duel  # L4\n            S += Y  # L5\n"
        "            kept[duel] = n, S\n",
        "n and S are not reset: a pair's earlier samples are used again.",
    ),
    _mutant(
        "next-radius",
        "> c(n, delta)",
        "> c(n + 1, delta)",
        "The mean of n duels is held against the radius of n + 1.",
    ),
    _mutant(
        "smoothed-mean",
        "mean = S / n  # L5",
        "mean = (S + 1) / (n + 2)  # L5",
        "The mean is smoothed by one win and one loss.",
    ),
    _mutant(
        "stops-above-only",
        "if abs(mean - 1 / 2) > c(n, delta):  # L6",
        "if mean - 1 / 2 > c(n, delta):  # L6",
        "The absolute value is forgotten: the test never stops for v.",
    ),
    _mutant(
        "outcome-flipped",
        "S += Y  # L5",
        "S += 1 - Y  # L5",
        "Y = 1 is read as a win of v.",
    ),
    _mutant(
        "worse-arm",
        "if mean > 1 / 2:  # L7",
        "if mean < 1 / 2:  # L7",
        "The worse arm is returned.",
    ),
    _mutant(
        "arguments-swapped",
        "duel = Duel(u, v)",
        "duel = Duel(v, u)",
        "v is compared with u, and the outcome still read as u's.",
    ),
    _mutant(
        "first-sample-lost",
        "n, S = 0, 0  # L1",
        "n, S = -1, 0  # L1\n        yield duel\n        n = 0",
        "One duel is played before the first that counts.",
    ),
)
