"""Conventions: each choice, written out, and what all of them have in common."""

from __future__ import annotations

import itertools
from dataclasses import fields

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tgite import Arguments, Byes, Candidates, Conventions, End, Order, Pairing
from tgite_laws.cli.inputs import read_conventions

EVERY = st.builds(
    Conventions,
    *map(st.sampled_from, (Pairing, End, End, Arguments, Candidates, Order, Byes)),
    first_arm=st.sampled_from((0, 1)),
)


@given(EVERY)
def test_conventions_are_read_again_from_json_and_from_the_command_line(
    conventions: Conventions,
) -> None:
    assert msgspec.json.decode(msgspec.json.encode(conventions), type=Conventions) == conventions
    choices = [f"{field.name}={getattr(conventions, field.name)}" for field in fields(Conventions)]
    assert read_conventions(choices) == conventions


PAIRED = {
    (Pairing.CONSECUTIVE, End.LAST): ([(7, 5), (3, 9)], [1]),
    (Pairing.CONSECUTIVE, End.FIRST): ([(5, 3), (9, 1)], [7]),
    (Pairing.FOLD, End.LAST): ([(7, 9), (5, 3)], [1]),
    (Pairing.FOLD, End.FIRST): ([(5, 1), (3, 9)], [7]),
    (Pairing.HALVES, End.LAST): ([(7, 3), (5, 9)], [1]),
    (Pairing.HALVES, End.FIRST): ([(5, 9), (3, 1)], [7]),
}


@pytest.mark.parametrize(("pairing", "bye"), [*itertools.product(Pairing, End)])
def test_pairings_of_five_arms(pairing: Pairing, bye: End) -> None:
    arms = [7, 5, 3, 9, 1]
    pairs, sits_out = PAIRED[pairing, bye]
    found, out = Conventions(pairing=pairing, bye=bye).pairs_and_bye(arms)
    assert (found, list(out)) == (pairs, sits_out)
    later = Conventions(pairing=pairing, bye=bye, arguments=Arguments.LATER_FIRST)
    assert later.pairs_and_bye(arms)[0] == [(v, u) for u, v in pairs]


@given(EVERY, st.lists(st.integers(0, 99), min_size=1, unique=True))
def test_a_round_pairs_all_arms_but_one_at_most(conventions: Conventions, arms: list[int]) -> None:
    pairs, bye = conventions.pairs_and_bye(arms)
    assert sorted([*itertools.chain(*pairs), *bye]) == sorted(arms)
    assert len(bye) == len(arms) % 2
    earlier_first = conventions.arguments is Arguments.EARLIER_FIRST
    assert all((arms.index(u) < arms.index(v)) == earlier_first for u, v in pairs)


def test_replacement_candidates() -> None:
    assert {of: Conventions(candidates=of).replacement(3, [5, 0]) for of in Candidates} == {
        Candidates.INCUMBENT_FIRST: [3, 5, 0],
        Candidates.INCUMBENT_LAST: [5, 0, 3],
        Candidates.ASCENDING: [0, 3, 5],
    }


def test_leaves_of_five_arms() -> None:
    assert {byes: Conventions(byes=byes).leaves(5, 8) for byes in Byes} == {
        Byes.LAST: [0, 1, 2, 3, 4, None, None, None],
        Byes.FIRST: [None, None, None, 0, 1, 2, 3, 4],
        Byes.SPREAD: [0, 1, None, 2, 3, None, 4, None],
    }


@given(EVERY, st.integers(2, 300))
def test_each_arm_has_one_leaf(conventions: Conventions, N: int) -> None:
    M = 1 << (N - 1).bit_length()
    leaves = conventions.leaves(N, M)
    assert len(leaves) == M
    assert [leaf for leaf in leaves if leaf is not None] == list(range(N))
