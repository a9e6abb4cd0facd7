"""The comparators' modules made anew, with a change; and their runs, recorded."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from hashlib import sha256
from itertools import islice
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

import tgite.comparators
from tgite import Confidence, Duel, SelfPlay, cyclic, duel_test

MODULES = (
    *("ties", "wins", "together", "tsallis_inf", "rucb", "knockout", "winner_stays"),
    *("bkt_all", "seq_elim", "wsw_pe", "wr_tinf", "versatile_db", "wr_exp3_ix", "rmed"),
    *("double_ts", "beat_the_mean", "interleaved_filter", "merge_rucb"),
)
"""Each needs only those before it."""
FOLDER = Path(tgite.comparators.__file__).parent
TENTH = Confidence(Fraction(1, 10))
QUARTER = Fraction(1, 4)
ROUNDS = 1000


@contextmanager
def made_anew(module: str = "", old: str = "", new: str = "") -> Iterator[Any]:
    """Execute all modules anew, the named one with a text that stands once replaced."""
    before = {name: value for name, value in sys.modules.items() if "comparators." in name}
    made = SimpleNamespace()
    try:
        for name in MODULES:
            full = f"tgite.comparators.{name}"
            path = FOLDER / f"{name}.py"
            source = path.read_text("utf-8")
            if name == module:
                assert source.count(old) == 1, f"{old!r} stands {source.count(old)} times"
                source = source.replace(old, new)
            fresh = sys.modules[full] = ModuleType(full)
            exec(compile(source, path, "exec"), vars(fresh))
            setattr(made, name, fresh)
        yield made
    finally:
        sys.modules.update(before)


Choices = random.Random
RUNS: dict[str, Callable[[Any, int, Choices], Any]] = {
    "bkt_all": lambda m, N, _: m.bkt_all.bkt_all(N, TENTH, duel_test),
    "seq_elim": lambda m, N, _: m.seq_elim.seq_elim(range(N), TENTH, duel_test),
    "seq_elim, PAC": lambda m, N, _: m.seq_elim.seq_eliminate_pac(
        range(N), -QUARTER, QUARTER, TENTH
    ),
    "seq_elim, PAC, near": lambda m, N, _: m.seq_elim.seq_eliminate_pac(
        range(N), QUARTER, Fraction(2, 5), TENTH
    ),
    "knockout": lambda m, N, _: m.knockout.knockout(range(N), QUARTER, TENTH),
    "knockout, shuffled": lambda m, N, choices: m.knockout.knockout(
        range(N), Fraction(1, 10), TENTH, shuffle=choices
    ),
    "wsw_pe": lambda m, N, _: m.wsw_pe.wsw_pe(N, TENTH),
    "winner_stays, weak": lambda m, N, _: m.winner_stays.ws_w(N),
    "winner_stays, at random": lambda m, N, choices: m.winner_stays.ws_w(
        N, m.ties.uniformly(choices)
    ),
    "winner_stays, strong": lambda m, N, _: m.winner_stays.ws_s(N, Fraction(3, 2)),
    "wr_tinf": lambda m, N, choices: m.wr_tinf.wr_tinf(N, choices),
    "versatile_db": lambda m, N, choices: m.versatile_db.versatile_db(N, choices),
    "wr_exp3_ix": lambda m, N, choices: m.wr_exp3_ix.wr_exp3_ix(N, choices),
    "rucb": lambda m, N, choices: m.rucb.rucb(N, choices),
    "rmed": lambda m, N, _: m.rmed.rmed1(N, 0.5),
    "double_ts": lambda m, N, choices: m.double_ts.double_ts(N, np.random.default_rng(N)),
    "beat_the_mean": lambda m, N, choices: m.beat_the_mean.beat_the_mean(N, 200, choices),
    "interleaved_filter": lambda m, N, _: m.interleaved_filter.interleaved_filter(N, 1),
    "interleaved_filter, pruning": lambda m, N, _: m.interleaved_filter.interleaved_filter(
        N, 1, pruning=True
    ),
    "merge_rucb": lambda m, N, choices: m.merge_rucb.merge_rucb(N, choices),
    "merge_rucb, pairs": lambda m, N, choices: m.merge_rucb.merge_rucb(N, choices, p=2),
}
TOGETHER = ("wr_tinf", "versatile_db", "wr_exp3_ix")


def asked(stream: Any, N: int, gap: str) -> Iterator[str]:
    """Play a stream on a cyclic instance; yield what it asks, and what it returns."""
    outcomes, instance = random.Random(N), cyclic(N + N % 2, gap, gap)
    try:
        question = next(stream)
        while True:
            match question:
                case Duel(u, v):
                    yield f"{u}-{v}"
                    told: Any = outcomes.random() < instance.probability(u, v)
                case SelfPlay(arm, rounds):
                    yield f"{arm}x{rounds}"
                    told = None
                case (i, j):
                    yield f"{list(i)}-{list(j)}"
                    told = [
                        None if u == v else outcomes.random() < instance.probability(u, v)
                        for u, v in zip(i, j, strict=True)
                    ]
            question = stream.send(told)
    except StopIteration as stop:
        yield f"returns {stop.value}"


def recorded(modules: Any, names: str = "") -> Iterator[str]:
    """Yield a line for each run whose name begins so: its end, a digest of all, its beginning."""
    for name, make in RUNS.items():
        for N in (2, 9):
            for gap in ("0.3", "0.01"):
                if name.startswith(names):
                    stream = make(modules, N, random.Random(N))
                    steps = islice(asked(stream, N, gap), ROUNDS)
                    yield _line(f"{name}, N = {N}, {gap}", steps)
    for name in TOGETHER:
        if name.startswith(names):
            choices = [random.Random(seed) for seed in (0, 3, 4)]
            stream = getattr(vars(modules)[name], f"{name}_together")(6, choices)
            yield _line(f"{name}, together", islice(asked(stream, 6, "0.3"), 500))


def _line(name: str, steps: Iterator[str]) -> str:
    lines = list(steps)
    digest = sha256("\n".join(lines).encode()).hexdigest()[:16]
    return f"{name}: {len(lines)} steps to {lines[-1]}, {digest}: {' '.join(lines[:12])}"
