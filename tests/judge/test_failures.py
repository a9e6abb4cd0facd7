"""Failures of files, judges and tables, by their kind: nothing wrong is named with a guarantee."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import permutations, product
from pathlib import Path
from typing import cast
from urllib.request import Request

import pytest

from tgite import Arm, Confidence, InvalidInput
from tgite.beyond.certificate import Verdict, evidence_rule
from tgite_checks.bounds.judged_best import Simulated, drawn_chances
from tgite_judge import Ended, Found, find_best
from tgite_judge.endpoint import JudgeEndpoint
from tgite_judge.fingerprint import Fingerprint
from tgite_judge.items import read_items
from tgite_judge.journal import Head, Journal, Stage
from tgite_judge.judges import JudgeProgram
from tgite_judge.reader import read_data
from tgite_judge.replies import Answers, JudgeFailed, Said, Vocabulary
from tgite_judge.search import Goal, Meeting, MeetingState, Rules, Search
from tgite_judge.session import Session, ask
from tgite_judge.standings import error_bound

TEARING = [one for one in map(chr, range(0x3000)) if len(f"a{one}b".splitlines()) > 1]
"""The characters at which ``str.splitlines`` tears a line."""
TABLES = (
    "winner,loser\n{0},b\n",
    'loser;winner\nb;"{0}"\n',
    "winner loser\n{0} b\n",
    '{{"winner": "{0}", "loser": "b"}}\n',
    "{0},b\n0,3\n2,0\n",
    '{{"format":"tgite-journal/3","head":{{"items":["{0}","b"],"judge":{{"command":"x"}},'
    '"rules":{{}}}}}}\n{{"stage":"find","pair":[0,1],"number":0,"swapped":true,"said":"tie"}}\n',
)


@pytest.mark.parametrize("name", ["{}red", "red{}wine", "wine{}", "{}"])
def test_no_name_is_torn_where_lines_do_not_end(tmp_path: Path, name: str) -> None:
    path = tmp_path / "file"
    for tearing in TEARING:
        if tearing in "\r\n":
            continue
        torn, code = name.format(tearing), f"U\\+{ord(tearing):04X}"
        path.write_text(f"{torn}\nale\n", encoding="utf-8")
        with pytest.raises(InvalidInput, match=code):
            read_items(path)
        with pytest.raises(InvalidInput, match=code):
            find_best([torn, "ale"], min)
        for table in TABLES:
            path.write_text(table.format(torn), encoding="utf-8")
            with pytest.raises(InvalidInput):
                read_data(path)
        for answer in ("red", f"red{tearing}wine", f"red{tearing}", f"{tearing}wine"):
            if tearing in answer:
                with pytest.raises(JudgeFailed):
                    Vocabulary(["red", "wine"]).read(answer, "red", "wine")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_alike_in_items_tables_journals_and_answers(tmp_path: Path, end: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(f"ale{end} red wine {end}{end}tea".encode())
    assert read_items(path) == ("ale", "red wine", "tea")
    for table in TABLES:
        path.write_bytes(table.format("ale").replace("\n", end).encode())
        counts = read_data(path).counts
        assert counts is not None
        assert set(counts.names) == {"ale", "b"}
    journal = tmp_path / "journal"
    find_best(["ale", "tea"], min, journal=journal, budget=5)
    journal.write_bytes(journal.read_bytes().replace(b"\n", end.encode()))
    assert find_best(["ale", "tea"], min, journal=journal).comparisons == 17
    # The end of a line may come in two parts.
    source = (
        "import sys, time\nfor line in sys.stdin:\n    for one in {!r}:\n"
        "        sys.stdout.buffer.write(one); sys.stdout.flush(); time.sleep(0.02)\n"
    )
    (tmp_path / "judge.py").write_text(
        source.format([b"second", *(one.encode() for one in end)]), encoding="utf-8"
    )
    judge = JudgeProgram(f"{sys.executable} {tmp_path}/judge.py", Vocabulary("pq"), 20, 0)
    assert [judge.compare("p", "q").said for _ in "123"] == [Said.SECOND] * 3
    judge.close()


@pytest.mark.parametrize("unread", ["0", "3/5", "1"])
@pytest.mark.parametrize("lost", [False, True])
def test_a_match_is_wrong_as_rarely_as_stated_whichever_answers_are_unreadable(
    unread: str, lost: bool
) -> None:
    """Exactly, over all runs of nine questions about two items that tie, at level 1/2.

    The judge is unreadable only where it would prefer one of them, and then says the other one.
    """
    level, r = Confidence(Fraction(1, 2)), Fraction(unread)
    rule = evidence_rule(level, level, None)
    chances = {"kept": Fraction(1, 2), "against": (1 - r) / 2, "again": r / 2}
    wrong = Fraction(0)
    for run in product(chances, repeat=9):
        doubted: set[int] = set()
        state, chance = MeetingState(Meeting(Stage.CERTIFY, 0, 1), rule, doubted), Fraction(1)
        for number, one in enumerate(run):
            chance *= chances[one]
            doubted |= {number} if one == "again" else set()
            state.add((one != "against") is not lost)
            if state.result is (Verdict.LOST if lost else Verdict.WON):
                # Each beginning counts once, of all runs with it.
                counts = all(other == "kept" for other in run[number + 1 :])
                wrong += chance if counts else 0
            if state.result is not None:
                break
    assert Fraction(1, 5) < wrong <= level.rational


class Failing(JudgeEndpoint):
    """A model that refuses, contradicts itself or breaks where it would prefer some items."""

    def __init__(self, source: random.Random, chances: list[list[float]]) -> None:
        self.source = source
        self.fails = [source.choice((0.0, 0.0, 0.1, 0.6, 0.9)) for _ in chances]
        bias, ties = source.choice((0.0, 1.5)), source.choice((0.0, 0.2))
        self.judge = Simulated(chances, str(source.random()), bias, ties, source.choice((0, 0.9)))
        words, most = Vocabulary("0123456789", Answers.POSITIONS), source.choice((0, 2, 9))
        super().__init__("http://x", "m", "{first} {second}", words, retries=most)
        self.misled: Search | None = None

    def within_limit(self, ask: Callable[[], str]) -> str:
        """Answer at once."""
        return ask()

    def _sent(self, request: Request) -> str:
        asked = json.loads(cast(bytes, request.data))["messages"][0]["content"]
        first, second = map(int, asked.split())
        early = self.misled is not None and self.misled.certification is None
        said = self.judge.say(*((second, first) if early else (first, second)))
        item, text = {Said.FIRST: first, Said.SECOND: second}.get(said, -1), f"Verdict: {said}"
        if item >= 0 and self.source.random() < self.fails[item]:
            text = self.source.choice(("I cannot help with that.", "[[A]], [[B]]", ""))
        if not text:
            raise JudgeFailed("status 503", wait=0.0)
        return json.dumps({"choices": [{"message": {"content": text}}]})


def error_from(journal: Journal, arm: Arm, size: int) -> Fraction:
    """Compute the bound of a guess again, from the records alone: N times that of its worst pair.

    A tie does not count, and a question that was asked again is lost.
    """
    again = {one.question for one in journal.missed}
    results = {one.question: one.first_won for one in journal.records}
    bounds = []
    for other in set(range(size)) - {arm}:
        of_pair = {q: won for q, won in results.items() if {q.first, q.second} == {arm, other}}
        counted = [q for q, won in of_pair.items() if won is not None or q in again]
        wins = [q for q in counted if q not in again and of_pair[q] is (q.first == arm)]
        bounds.append(error_bound(len(counted), len(wins)))
    return min(Fraction(1), size * max(bounds))


def test_judges_drawn_from_a_grammar_of_failures_are_named_wrong_as_rarely_as_stated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two hundred of them, asked again whenever a run ends; certificates, guesses and pairs."""
    monkeypatch.setattr("os.fsync", lambda file: None)
    monkeypatch.setattr("random.uniform", lambda low, high: 0.0)
    delta, wrong = Confidence.of("1/5"), {"best": 0, "guess": 0, "pair": 0}
    ended, compared = set(), 0
    for seed in range(200):
        source = random.Random(f"failures {seed}")
        chances = [[0.5] * 2] * 2 if seed % 2 else drawn_chances(source)
        N, judge = len(chances), Failing(source, chances)
        beaten = {i for i in range(N) if any(chances[i][j] <= 0.5 for j in range(N) if i != j)}
        rules = Rules(seed, both_orders=source.random() < 0.2)
        path = tmp_path / f"{seed}"
        seen = set()
        for _ in range(60):
            with Journal(path, Head(tuple(map(str, range(N))), Fingerprint("x"), {})) as journal:
                session = Session(Goal(N, delta), rules, journal)
                # Then the tournament's winner is rejected, and another candidate follows.
                judge.misled = session.search if seed % 4 == 0 else None
                left = 400 - len(journal.records)
                end = ask(session, [judge], max(1, left), despite_position=True)
            ended.add(end)
            guess = session.guess()
            if end is Ended.CERTIFIED:
                assert guess.error == delta.rational
            elif not (rules.both_orders or Found.of(session, end).unused):
                assert guess.error == error_from(journal, guess.arm, N)
                compared += guess.error < 1
            seen |= {"best"} if end is Ended.CERTIFIED and session.best in beaten else set()
            seen |= {"guess"} if guess.error <= delta.rational and guess.arm in beaten else set()
            pairs = session.standings.decided
            seen |= {"pair"} if any(chances[i.better][i.worse] <= 0.5 for i in pairs) else set()
            if end is not Ended.JUDGE_FAILED or left <= 1:
                break
        for one in seen:
            wrong[one] += 1
    assert max(wrong.values()) <= 200 * delta.rational, wrong
    assert compared > 20
    assert {Ended.CERTIFIED, Ended.NO_BEST, Ended.UNREADABLE, Ended.JUDGE_FAILED} <= ended


@pytest.mark.parametrize("both_orders", [False, True])
def test_a_judge_that_repeats_itself_is_noticed_by_pair_and_order(
    both_orders: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fixed answers to each two items in each order; what is certified is true of these answers."""
    monkeypatch.setattr("os.fsync", lambda file: None)
    wrong = 0
    for seed in range(20):
        drawn = random.Random(f"repeats {seed}")
        items = [f"item {number}" for number in range(drawn.randint(2, 5))]
        fixed = {pair: drawn.choice(pair) for pair in permutations(items, 2)}
        judge = partial(lambda fixed, u, v: fixed[u, v], fixed)
        found = find_best(items, judge, both_orders=both_orders, budget=160)
        assert found.repeats_itself
        assert found.different <= len(fixed)
        assert f"rest on {found.different} different ones" in str(found)
        best, others = found.best, [item for item in items if item != found.best]
        wrong += any(best not in (fixed[best, o], fixed[o, best]) for o in others if best)
        noisy = partial(lambda drawn, u, v: drawn.random() < 0.7, drawn)
        varied = find_best(items, noisy, both_orders=both_orders, budget=160)
        assert not varied.repeats_itself
    assert wrong <= 20 / 20


def test_questions_without_an_answer_are_kept_for_each_kind_of_failure(tmp_path: Path) -> None:
    """An exit after reading, prose, a delay, an empty line, an interrupt: each is asked again."""
    words = Vocabulary("pq")
    for number, failing in enumerate(("sys.exit()", "print('hm')", "time.sleep(9)", "print()")):
        path = tmp_path / f"judge{number}.py"
        path.write_text(
            "import os, sys, time\nfor number, line in enumerate(sys.stdin):\n"
            f"    if number == 1: {failing}; sys.stdout.flush(); time.sleep(9)\n"
            "    print('first', flush=True)\n",
            encoding="utf-8",
        )
        judge = JudgeProgram(f"{sys.executable} {path}", words, 0.7, 1)
        assert [judge.compare("p", "q").missed for _ in "123"] == [0, 1, 1]
        judge.close()
    asked = iter(range(100))

    def interrupted(first: str, second: str) -> bool:
        if next(asked) == 7:
            raise KeyboardInterrupt
        return True

    found = find_best(["p", "q"], interrupted, journal=tmp_path / "journal")
    assert (found.ended, found.comparisons, found.missed) == (Ended.INTERRUPTED, 7, 1)
