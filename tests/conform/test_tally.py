"""Rounds and regrets, stated by implementations that count them."""

from __future__ import annotations

import sys
from collections.abc import Generator
from dataclasses import dataclass
from itertools import chain
from typing import Any, ClassVar

import pytest
from msgspec import structs

from shipped_vectors import PYTHONPATH, RUNS, played_of, run_of
from tgite import Duel, InvalidInput, SelfPlay, TapeEnvironment, play
from tgite_conform.algorithms import Group, reference, stream_of
from tgite_conform.divergence import Diverged, Parting
from tgite_conform.faults import Fault
from tgite_conform.format import Case, Expected, Outcomes, SaidCertificate
from tgite_conform.process import ProcessConnection
from tgite_conform.program import ProgramSubject
from tgite_conform.protocol import Tally, read_played, regret_against, tally
from tgite_conform.referee import Level
from tgite_conform.runner import Status, examine
from tgite_conform.subjects import declaration_of, function_subject, judge_played
from tgite_laws.implementation import REFERENCE

PLAYED = (*Group.PAPER.algorithms, *Group.BEYOND.algorithms)
"""All but the certificates."""

SHORT = [
    (case, expected) for case, expected in RUNS if case.duels <= 300 and case.algorithm in PLAYED
][::80]
WITH_SELF_PLAY = [
    (case, expected)
    for case, expected in RUNS
    if case.algorithm == "tg_ite_strong_known_horizon" and expected.self_play
][:12]
CHOSEN = [case for case, _ in (*SHORT, *WITH_SELF_PLAY)]


@dataclass(frozen=True)
class Counting:
    """The reference, counting rounds and regrets on its way; ``wrong`` says what is left out."""

    wrong: str = ""
    algorithms: ClassVar[tuple[str, ...]] = PLAYED
    regret: ClassVar[bool] = True

    def __call__(
        self, algorithm: str, parameters: dict[str, object]
    ) -> Generator[object, Any, object]:
        """Make a stream that returns what it counted, too."""
        given = dict(parameters)
        best = given.pop("regret_against")
        stream: Generator[Any, Any, Any] = reference(algorithm, given)
        rounds = weak = strong = 0
        told = None
        try:
            while True:
                question = stream.send(told)
                match question:
                    case Duel(u, v):
                        rounds, strong, weak = rounds + 1, strong + 1, weak + (best not in (u, v))
                    case SelfPlay(arm, block):
                        rounds += block
                        weak += block * (arm != best)
                        strong += block * (arm != best or self.wrong == "self-play")
                told = yield question
        except StopIteration as stop:
            rounds -= self.wrong == "rounds"
            weak += self.wrong == "weak" and weak >= 256
            return {"arm": stop.value, "rounds": rounds, "weak_regret": weak} | (
                {} if self.wrong == "nothing else" else {"strong_regret": strong}
            )


counting = Counting()


@pytest.mark.parametrize(("case", "expected"), [*SHORT, *WITH_SELF_PLAY])
def test_counts_are_those_of_the_player(case: Case, expected: Expected) -> None:
    outcomes = Outcomes(expected)
    numbers = range(len(expected.matches))
    tape = chain.from_iterable(outcomes.of(number).after(0) for number in numbers)
    stream = stream_of(REFERENCE, case.algorithm, case.parameters, case.conventions)
    best = regret_against(case)
    run = play(stream, TapeEnvironment(tape), winner=best, horizon=expected.horizon)
    counted = tally(expected, best)
    assert all(getattr(run, name) == getattr(counted, name) for name in Tally.__struct_fields__)


def test_the_arm_of_the_regret_varies_and_its_own_self_play_is_free() -> None:
    tallies = [tally(expected, regret_against(case)) for case, expected in WITH_SELF_PLAY]
    free = [one for one in tallies if one.strong_regret != one.rounds]
    assert 0 < len(free) < len(tallies)
    assert any(0 != one.weak_regret != one.rounds for one in tallies)


COUNTED = {"rounds": "rounds", "self-play": "strong regret", "weak": "weak regret"}


@pytest.mark.parametrize("wrong", ["", "nothing else", *COUNTED])
def test_who_counts_rightly_conforms_and_who_does_not_is_told(wrong: str) -> None:
    results = list(examine(function_subject(Counting(wrong), "it"), CHOSEN))
    found = [result.divergence for result in results if result.divergence is not None]
    assert bool(found) == (wrong in COUNTED)
    assert found or {result.status for result in results} == {Status.CONFORMS}
    for divergence in found:
        assert divergence.parting is Parting.COUNTED
        assert divergence.asked.startswith(f"counts {COUNTED[wrong]} ")
        assert "the best arm being" in divergence.expected


def test_programs_are_told_the_arm_and_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", PYTHONPATH)
    command = [sys.executable, "-m", "tgite_conform.serve", "test_tally:counting"]
    subject = ProgramSubject(ProcessConnection(command), "it", 20.0)
    assert subject.declaration.regret
    results = list(examine(subject, CHOSEN[::4]))
    subject.close()
    assert {result.status for result in results} == {Status.CONFORMS}


def test_whole_tapes_are_told_the_arm_and_judged_at_the_horizon_too() -> None:
    case, expected = run_of("tg_ite_strong_anytime")
    assert expected.horizon is not None
    said = structs.asdict(tally(expected, regret_against(case)))
    assert said["rounds"] == expected.horizon
    given: list[dict[str, object]] = []

    def play_all(cases: list[dict[str, object]]) -> list[object]:
        given.extend(cases)
        return [{**played_of(expected), **said} for _ in cases]

    play_all.plays_whole_tapes, play_all.regret = True, True  # type: ignore[attr-defined]
    subject = function_subject(play_all, "it")
    subject.play(case)
    assert given[0]["regret_against"] == regret_against(case)
    for name in said:
        played = read_played({**played_of(expected), name: said[name] + 1})
        with pytest.raises(Diverged, match=f"counts {name.replace('_', ' ')}"):
            judge_played(case, played, Level.MATCHES)


def returning(case: Case, returned: object) -> None:
    """Play a case as the reference does, but return something else."""

    def make(algorithm: str, parameters: dict[str, object]) -> Generator[Any, Any, Any]:
        yield from reference(algorithm, parameters)
        return returned

    make.algorithms = [case.algorithm]  # type: ignore[attr-defined]
    function_subject(make, "it").play(case)


def test_a_certificate_stands_beside_its_rounds_and_not_alone() -> None:
    case, expected = run_of("certify")
    answer = expected.result
    assert isinstance(answer, SaidCertificate)
    certificate = structs.asdict(answer)
    returning(case, {"certificate": certificate})
    returning(case, {"certificate": certificate, "rounds": expected.duels})
    with pytest.raises(Diverged, match="rounds"):
        returning(case, {"certificate": certificate, "rounds": expected.duels + 1})
    for faulty, told in (
        (certificate, r'a certificate is returned as \{"certificate": \{'),
        ({"certificate": {"verdict": "won"}}, 'must have the field "champion"'),
    ):
        with pytest.raises(Fault, match=told):
            returning(case, faulty)


def test_what_is_no_count_is_nonsense() -> None:
    with pytest.raises(Fault, match=r"cannot understand .*unknown field"):
        returning(SHORT[0][0], {"arm": 0, "regret": 3})
    with pytest.raises(InvalidInput, match="regret a bool"):
        declaration_of("it", None, {}, False, 1)
