"""The best guess for a budget, and the order of all items: how often they are right."""

from __future__ import annotations

import csv
import random
import re
from itertools import permutations
from math import erf
from pathlib import Path

import numpy as np
import pytest
from markupsafe import escape

from tgite import Confidence
from tgite_judge import find_best
from tgite_judge.model import Floats, Model
from tgite_judge.order import order_of
from tgite_judge.replies import Said
from tgite_judge.search import Goal, Rules, Search
from tgite_judge.standings import Counts, Standings
from tgite_laws.cli.main import status

PAGE = Path(__file__).parents[2] / "docs/judges.md"
SELF_CONTAINED = "html meta title style h1 h2 p div table tr th td svg path circle"
N, RUNS, BUDGETS = 8, 60, (60, 100, 200, 300)


def instance(family: str, seed: int) -> tuple[Floats, Floats, set[int]]:
    """Return the strengths of eight items, the chances of their pairs, and the right answers."""
    drawn = random.Random(f"{family} {seed}")
    strengths = np.array([drawn.gauss(0, 1) for _ in range(N)])
    best = {int(strengths.argmax())}
    if family == "tied":
        best = set(map(int, np.argsort(-strengths)[: 2 + seed % 2]))
        strengths[list(best)] = strengths.max()
    chances = 1 / (1 + np.exp(np.subtract.outer(-strengths, -strengths)))
    if family == "Thurstone":
        chances = np.array([[(1 + erf((u - v) / 2)) / 2 for v in strengths] for u in strengths])
    if family == "cyclic":
        # One item beats each other one in 65%. The others are in a cycle, or in a steep order.
        for u, v in permutations(range(N), 2):
            ahead = (v - u) % N < N / 2 if seed % 2 else u < v
            chances[u, v] = 0.75 if ahead else 0.25
        (top,) = best
        chances[top], chances[:, top] = 0.65, 0.35
    return strengths, chances, best


@pytest.mark.parametrize("family", ["Bradley-Terry", "Thurstone", "cyclic", "tied"])
def test_guesses_are_right_as_often_as_the_page_says(family: str) -> None:
    """More often than plain practice; the model's chances and intervals are about right, too."""
    right, plainly = dict.fromkeys(BUDGETS, 0), dict.fromkeys(BUDGETS, 0)
    chance = covered = 0.0
    for seed in range(RUNS):
        strengths, chances, best = instance(family, seed)
        draws = np.random.default_rng(seed)
        search, wins = Search(Goal(N, Confidence.of("0.05")), Rules()), np.zeros((N, N))
        for asked in range(1, BUDGETS[-1] + 1):
            question = search.next_question()
            if question is not None:
                u, v = search.shown(question)
                said = Said.FIRST if draws.random() < chances[u, v] else Said.SECOND
                search.add(search.record(question, said))
            u, v = draws.choice(N, 2, replace=False)
            wins[(u, v) if draws.random() < chances[u, v] else (v, u)] += 1
            if asked in BUDGETS:
                model = Model.of_counts(search.counts())
                right[asked] += int(model.chances().argmax()) in best
                plainly[asked] += int(Model.of(wins, 0.0).strengths.argmax()) in best
                chance += model.chances().max() / len(BUDGETS)
                empty = Counts(tuple(map(str, range(N))), ((0,) * N,) * N)
                order = order_of(model, Standings(empty, Confidence.of("0.05").rational))
                level = 1 / (1 + np.exp(strengths.mean() - strengths))
                covered += sum(one.low < level[int(one.item)] < one.high for one in order)
    cells = " | ".join(f"{right[one]} ({plainly[one]})" for one in BUDGETS)
    assert f"| {family} | {cells} |" in PAGE.read_text(encoding="utf-8")
    assert all(right[one] >= plainly[one] for one in BUDGETS)
    if family == "Bradley-Terry":
        assert abs(chance - sum(right.values()) / len(BUDGETS)) < RUNS / 10
        assert 0.9 < covered / (RUNS * N * len(BUDGETS)) < 0.99


HOSTILE = ["<script>alert(1)</script>", "'\"&amp;", "</td>{{ 7 * 7 }}", "=1+1,2"]


def test_a_page_shows_any_name_as_it_is_and_loads_nothing(tmp_path: Path) -> None:
    """Also: a journal gives the same order as the search that wrote it."""
    draws, journal = random.Random(1), tmp_path / "journal"
    found = find_best(HOSTILE, lambda u, v: draws.random() < 0.6, journal=journal, budget=70)
    page, table = tmp_path / "page.html", tmp_path / "order.csv"
    assert status(["matrix", str(journal), "--html", str(page), "--csv", str(table)]) < 2
    text = page.read_text(encoding="utf-8")
    assert set(re.findall(r"<(\w+)", text)) <= set(SELF_CONTAINED.split())
    assert "//" not in text.replace("</", "")
    for name in HOSTILE:
        assert len(re.findall(f"[> ]{re.escape(escape(name))}</t[dh]>", text)) == 2
        assert f'title="{escape(name)} against ' in text
    rows = list(csv.DictReader(table.read_text(encoding="utf-8").splitlines()))
    assert [row["item"] for row in rows] == [re.sub("^=", "'=", one.item) for one in found.order]
    assert [float(row["score"]) for row in rows] == [one.score for one in found.order]
