"""The comparators' modules made anew, with a change; and their runs, recorded."""

from __future__ import annotations

import math
import random
import sys
import tomllib
import typing
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from hashlib import sha256
from itertools import islice, product
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

import tgite.comparators
from tgite import Confidence, Duel, SelfPlay, cyclic, duel_test, match

MODULES = (
    *("ties", "wins", "several_runs", "tsallis_inf", "rucb", "knockout", "winner_stays"),
    *("bkt_all", "seq_elim", "wsw_pe", "wr_tinf", "versatile_db", "wr_exp3_ix", "rmed"),
    *("double_ts", "beat_the_mean", "interleaved_filter", "merge_rucb"),
)
"""Each needs only those before it."""
FOLDER = Path(tgite.comparators.__file__).parent
ROWS = tomllib.loads(Path(__file__).with_name("comparators.toml").read_text("utf-8"))
ROUNDS = 1000
TENTH = Confidence(Fraction(1, 10))
NAMES = {"TENTH": TENTH, "QUARTER": Fraction(1, 4), "HALF": Fraction(1, 2), "cast": typing.cast}
NAMES |= {"Fraction": Fraction, "Confidence": Confidence, "ONE": random.Random(1), "math": math}
NAMES |= {"duel_test": duel_test, "match": match, "random": random, "np": np}
"""What the rows name, besides the modules."""


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
    for (name, made), N, gap in product(ROWS["runs"], (2, 9), ("0.3", "0.01")):
        if name.startswith(names):
            known = NAMES | vars(modules) | {"N": N, "choices": random.Random(N)}
            yield _line(f"{name}, N = {N}, {gap}", islice(asked(eval(made, known), N, gap), ROUNDS))
    for name in TOGETHER:
        if name.startswith(names):
            choices = [random.Random(seed) for seed in (0, 3, 4)]
            stream = getattr(vars(modules)[name], f"{name}_together")(6, choices)
            yield _line(f"{name}, together", islice(asked(stream, 6, "0.3"), 500))


def _line(name: str, steps: Iterator[str]) -> str:
    lines = list(steps)
    digest = sha256("\n".join(lines).encode()).hexdigest()[:16]
    return f"{name}: {len(lines)} steps to {lines[-1]}, {digest}: {' '.join(lines[:12])}"
