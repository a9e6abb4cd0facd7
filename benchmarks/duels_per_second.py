"""Measure duels per second of our player, and of duelpy 1.0.0's SequentialElimination.

    python benchmarks/duels_per_second.py [--duelpy PYTHON]

It plays TG-ITE-BAI (delta = 0.1) on the cyclic instance with N = 256, gaps 0.32 and 0.38, and
seeded outcomes. ``--duelpy`` names the Python of an environment with duelpy 1.0.0 and numpy 1.23.5.
With it, duelpy's SequentialElimination plays on the same matrix in turn, round by round, and the
ratios are printed. Each counts its own duels. Times are wall-clock, so only the ratios matter.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import time

ROUNDS = 5
DUELPY = """
import sys, time
import numpy as np
from duelpy.algorithms import SequentialElimination
from duelpy.feedback import MatrixFeedback

N, winner = 256, 128
label = [arm if arm < winner else arm - 1 for arm in range(N)]
P = np.full((N, N), 0.5)
for i in range(N):
    for j in range(N):
        if i != j:
            near = (label[j] - label[i]) % (N - 1) <= (N - 1) // 2
            P[i, j] = 0.82 if i == winner else 0.18 if j == winner else 0.88 if near else 0.12
for line in sys.stdin:
    random = np.random.RandomState(int(line))
    feedback = MatrixFeedback(P, random_state=random)
    algorithm = SequentialElimination(feedback, random_state=random, epsilon_upper=0.32)
    began = time.perf_counter()
    algorithm.run()
    seconds = time.perf_counter() - began
    samples = algorithm.preference_estimate.get_num_samples
    print(sum(samples(i, j) for i in range(N) for j in range(i)), seconds, flush=True)
"""


def tgite_rate(seed: int, runs: int = 20) -> float:
    """Return duels per second of TG-ITE-BAI over ``runs`` runs."""
    from tgite import (
        BalancedTree,
        Confidence,
        SeededEnvironment,
        cyclic,
        duel_test,
        play,
        tg_ite_bai,
    )

    preferences = cyclic(256, "0.32", "0.38")
    tree, delta = BalancedTree.over(256), Confidence.of("0.1")
    duels = 0
    began = time.perf_counter()
    for run in range(runs):
        stream = tg_ite_bai(0, tree, delta, duel_test)
        environment = SeededEnvironment(preferences, seed * runs + run)
        duels += play(stream, environment, winner=preferences.winner()).comparisons
    return duels / (time.perf_counter() - began)


def main() -> None:
    """Print the rates and their ratios."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--duelpy", metavar="PYTHON", help="a Python that has duelpy 1.0.0")
    duelpy = parser.parse_args().duelpy
    ours, ratios = [], []
    other = None
    if duelpy is not None:
        other = subprocess.Popen(
            [duelpy, "-W", "ignore", "-c", DUELPY],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
    for seed in range(ROUNDS):
        ours.append(tgite_rate(seed))
        line = f"tgite {ours[-1]:12,.0f} duels/s"
        if other is not None and other.stdin is not None and other.stdout is not None:
            print(seed, file=other.stdin, flush=True)
            duels, seconds = other.stdout.readline().split()
            rate = float(duels) / float(seconds)
            ratios.append(ours[-1] / rate)
            line += f"   duelpy {rate:12,.0f} duels/s   ratio {ratios[-1]:.1f}"
        print(line)
    print(f"tgite, median of {ROUNDS}: {statistics.median(ours):,.0f} duels/s")
    if ratios:
        low, high = min(ratios), max(ratios)
        print(f"ratio, median: {statistics.median(ratios):.1f} (from {low:.1f} to {high:.1f})")


if __name__ == "__main__":
    main()
