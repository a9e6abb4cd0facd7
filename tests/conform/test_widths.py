"""Numbers break at widths: what a tape repeats, and mistakes that only a wide enough case shows."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tgite import Confidence, Duel, InvalidInput, Outcome, Stream, budget
from tgite.beyond import Verdict
from tgite.beyond.certificate import Rule, evidence_rule, one_sided
from tgite.beyond.find_then_certify import Cell, Stage, gap_tried
from tgite_checks.fidelity.boundaries import least_budgeted_margin, least_margin
from tgite_checks.fidelity.find_then_certify import Expected
from tgite_checks.fidelity.rules import Due
from tgite_conform.algorithms import reference
from tgite_conform.certificates import Ending, ending_of
from tgite_conform.faults import Fault, FaultKind
from tgite_conform.format import Expected as Run
from tgite_conform.format import Parameter, Version, read_folder, read_vectors
from tgite_conform.protocol import handed
from tgite_conform.runner import Status, examine
from tgite_conform.subjects import BatchSubject, StreamSubject
from tgite_conform.tape import ENTRY, MatchOutcomes, packed, pieces_of, written_out
from tgite_conform.tape_player import first_stop, two_sided
from tgite_conform.testing import conformance
from tgite_laws.implementation import REFERENCE

WIDE = read_folder(Version("1.3").folder())

PIECES = st.lists(
    st.tuples(st.text("0123456789abcdef", min_size=1, max_size=3), st.integers(1, 40)), max_size=6
)


def _endings() -> Iterator[tuple[Ending, Rule]]:
    """Yield what ends matches of certificates, by definition and as the reference's rule."""
    for delta, against, margin in (
        ("1/10", "1/40", None),
        ("1/3", "2^-30", None),
        ("3/7", "3/7", None),
        ("1/10", "1/10", "1/4"),
        ("81/128", "81/128", "1/4"),
        ("1/2", "1/1000", "1/9"),
    ):
        levels = Confidence.of(delta), Confidence.of(against)
        of: dict[str, Parameter] = {"N": 2, "c": 0, "delta": delta, "against": against}
        of |= {} if margin is None else {"margin": margin}
        rule = evidence_rule(*levels, None if margin is None else Fraction(margin))
        yield ending_of(of, Due({0, 1}, levels[0], "certify", 0, (0, 1))), rule
    for s, delta, u, before in (
        (0, "2/3", 0, ((0, 0), (0, 0), (0, 0))),
        (1, "1/100", 0, ((40, 25), (7, 4), (3, 1))),
        (4, "1/3", 2, ((100, 61), (0, 0), (6, 3))),
    ):
        (cell, share), (earlier, own, others) = (Cell(Confidence.of(delta)), Fraction(1, 2)), before
        stage, g = Stage(4, s, 0, cell, share), gap_tried(s)
        level, now = cell.a or HALF, (own[0] + others[0], own[1] + others[1])
        every = earlier[0] + now[0], earlier[1] + now[1]
        cell.tallies[1].add(*every)
        stage.own[1].add(*own)
        stage.others[1].add(*others)
        mixture = every, 1 / (share * level.rational)
        likelihood = g, now, 1 / (share_of_stage(share) * level.rational)
        loses = (g, own, Fraction(1, 8**6)) if u == 0 else (2 * g, others, Fraction(1, 8))
        due = Expected((u, 1), "s0 certify r9", level, mixture, likelihood, loses, 0)
        yield ending_of({}, due), stage.rule(9, u, 1)


def share_of_stage(share: Fraction) -> Fraction:
    return (1 - share) * Fraction(4, 5)


HALF = Confidence.of("1/2")
ENDINGS = list(_endings())


def entry_of(pieces: list[tuple[str, int]]) -> str:
    return " ".join(
        [digits + (f"*{times}" if times > 1 else "") for digits, times in pieces] + ["0"]
    )


@given(pieces=PIECES, n=st.integers(0, 200), inverted=st.booleans())
def test_what_is_repeated_is_what_is_written_out(
    pieces: list[tuple[str, int]], n: int, inverted: bool
) -> None:
    entry = entry_of(pieces)
    assert ENTRY.fullmatch(entry)
    plain = written_out(entry)
    whole = 4 * len(plain)
    n = min(n, whole)
    coded, written = (MatchOutcomes(one, whole, inverted) for one in (entry, plain))
    outcomes = list(written.after(0))
    assert packed([outcome != inverted for outcome in outcomes]) == plain
    assert list(coded.after(n)) == outcomes[n:]
    assert coded.wins(n) == written.wins(n) == sum(outcomes[:n])
    with pytest.raises(InvalidInput):
        packed([*outcomes, True])


def stepped(
    stream: Stream[Duel, Outcome, Any], outcomes: MatchOutcomes
) -> tuple[int, int, Any] | None:
    """Play the reference duel by duel; return its length, the wins and what it returns."""
    asked, wins = next(stream), 0
    for n, outcome in enumerate(outcomes.after(0), start=1):
        assert asked == Duel(0, 1)
        wins += outcome
        try:
            asked = stream.send(outcome)
        except StopIteration as stop:
            return n, wins, stop.value
    return None


@given(
    pieces=PIECES,
    level=st.sampled_from(["999/1000", "1/2", "1/10", "2^-64", "1/40 * 6/pi^2"]),
    gap=st.sampled_from([None, "1/2", "1/5", "1/30"]),
)
def test_where_a_match_stops_is_the_same_without_playing_it(
    pieces: list[tuple[str, int]], level: str, gap: str | None
) -> None:
    delta, g = Confidence.of(level), None if gap is None else Fraction(gap)
    entry = entry_of(pieces)
    outcomes = MatchOutcomes(entry, sum(piece.length for piece in pieces_of(entry)))
    rule = two_sided(
        lambda n: least_margin(n, delta) if g is None else least_budgeted_margin(n, g, delta)
    )
    test = REFERENCE.duel_test if g is None else REFERENCE.known_gap(g)
    ended = stepped(test(0, 1, delta), outcomes)
    stop = first_stop(outcomes, rule, None if g is None else budget(g, delta))
    assert stop == (None if ended is None else ended[:2])
    assert ended is None or (2 * ended[1] < ended[0]) == (ended[2] == 1)


@given(pieces=PIECES, ending=st.sampled_from(ENDINGS), most=st.sampled_from([None, 40, 400]))
def test_where_a_one_sided_match_stops_is_the_same_without_playing_it(
    pieces: list[tuple[str, int]], ending: tuple[Ending, Rule], most: int | None
) -> None:
    """By its definitions and far apart, or by the reference's rule and duel by duel."""
    by_definition, rule = ending
    outcomes = MatchOutcomes(entry_of(pieces))
    ended = stepped(one_sided(0, 1, rule, most), outcomes)
    assert first_stop(outcomes, by_definition.rule, most) == (None if ended is None else ended[:2])
    if ended is not None:
        n, wins, (verdict, *counts) = ended
        assert counts == [n, wins]
        expected = None if verdict is Verdict.BUDGET else verdict
        assert by_definition.rule.verdict(n, wins) is expected


def test_nothing_is_passed_over_that_ends_a_match() -> None:
    """A margin that falls to the lead within what is repeated; a budget at its very end."""
    falling = first_stop(MatchOutcomes("a*400"), two_sided(lambda n: max(1, 1000 - n)))
    assert falling == (999, 500)
    assert first_stop(MatchOutcomes("5*66 f*10"), two_sided(lambda n: 10**6), 264) == (264, 132)


def _fast(cases: list[dict[str, object]]) -> list[dict[str, object]]:
    raise AssertionError(cases)


_fast.runs = True  # type: ignore[attr-defined]


def test_longest_cases_are_played_on_demand_and_only_if_their_tape_can_be_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    longest = max(WIDE, key=lambda case: case.duels)
    assert longest.duels > 2**32
    (skipped,) = examine(StreamSubject(reference, "reference"), [longest])
    assert "say --long" in skipped.detail
    (skipped,) = examine(BatchSubject(lambda cases: [], "no runs"), [longest], long=True)
    assert "does not declare that it reads runs" in skipped.detail
    (parameter,) = vars(conformance(reference, [longest]))["pytestmark"][0].args[1]
    assert "more than 1,000,000 duels" in parameter.marks[0].kwargs["reason"]
    rows = handed(longest, runs=True).tape
    assert str(rows[0][2]).count("*") >= 1
    # What reads runs fast enough is not told to say --long, but has little time for its answer.
    subject = BatchSubject(_fast, "fast")
    monkeypatch.setattr(subject, "play", lambda case, level: 10**12)
    assert [one.status for one in examine(subject, [longest])] == ["skipped"]
    short = next(case for case in WIDE if case.algorithm == longest.algorithm)
    assert [one.status for one in examine(subject, [short, longest])] == ["conforms"] * 2
    assert subject.time_for(longest) < 10
    wide = next(case for case in WIDE if 2**16 < case.duels < 2**17)
    assert all(set("* ").isdisjoint(str(row[2])) for row in handed(wide).tape)


@pytest.mark.parametrize(
    ("known", "hangs", "status"),
    [(2**25, False, Status.CONFORMS), (2**25, True, Status.SKIPPED), (0, False, Status.SKIPPED)],
)
def test_long_cases_are_tried_after_fast_ones(known: int, hangs: bool, status: Status) -> None:
    """A player that stops matches without playing duels; what hangs there is not blamed."""
    long = max(WIDE, key=lambda case: case.duels)
    of_it = sorted(read_vectors(algorithms=[long.algorithm]), key=lambda one: one.duels)
    shorter = [one for one in of_it if one.duels < known]
    expected = {one.id: one.expected for one in (*shorter, long)}

    def play_all(cases: list[dict[str, object]]) -> list[object]:
        run = expected[str(cases[0]["case"])]
        assert isinstance(run, Run)
        if hangs and cases[0]["case"] == long.id:
            raise Fault(FaultKind.HUNG, "hung")
        ((u, v), length, winner) = next((one.pair, one.length, one.winner) for one in run.matches)
        return [{"matches": [[u, v, length, winner]], "result": run.result}]

    play_all.runs = True  # type: ignore[attr-defined]
    assert [*examine(BatchSubject(play_all, "it"), [*shorter[-1:], long])][-1].status is status
