"""The completed tree, and passes over it, for any placement of the arms."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tgite import Arm, BalancedTree, Confidence, match, tree_ascent
from tgite_checks.fidelity.environments import decided_by, won_by
from tgite_laws.match_paths import walk


@st.composite
def placements(draw: st.DrawFn) -> BalancedTree:
    """Draw a tree whose arms and formal byes stand anywhere."""
    N = draw(st.integers(2, 40))
    M = 1 << (N - 1).bit_length()
    arms: list[Arm | None] = list(range(N))
    return BalancedTree(tuple(draw(st.permutations(arms + [None] * (M - N)))))


@given(placements(), st.data())
def test_the_blocks_partition_the_arms_wherever_they_stand(
    tree: BalancedTree, data: st.DataObject
) -> None:
    b = data.draw(st.integers(0, tree.N - 1))
    below = {b}
    for h in range(1, tree.L + 1):
        block = tree.sibling_block(b, h)
        assert len(block) <= tree.sibling_capacity(h) == 2 ** (h - 1)
        assert below.isdisjoint(block)
        below |= set(block)
        assert set(tree.ancestor_block(b, h)) == below
    assert below == set(range(tree.N))


@given(placements(), st.data())
def test_the_winner_enters_with_its_block(tree: BalancedTree, data: st.DataObject) -> None:
    b = data.draw(st.integers(0, tree.N - 1))
    winner = data.draw(st.integers(0, tree.N - 1))
    h = tree.winner_entry_level(b, winner)
    assert h == tree.winner_entry_level(winner, b)
    if b == winner:
        assert h == 0
    else:
        assert winner in tree.sibling_block(b, h)
        assert winner not in tree.ancestor_block(b, h - 1)


@given(placements(), st.data())
def test_tree_ascent_finds_the_winner_wherever_it_and_the_byes_stand(
    tree: BalancedTree, data: st.DataObject
) -> None:
    b, winner = (data.draw(st.integers(0, tree.N - 1)) for _ in range(2))
    stream = tree_ascent(b, tree, Confidence.of("1/10"), match)
    path = walk(stream, decided_by(won_by(winner)), 2 * tree.N)
    assert path.result == winner
    assert len(path.matches) == tree.N - 1
