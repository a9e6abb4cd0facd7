"""Walking match-level streams: every path once, replayed exactly, cut where it is to be."""

from __future__ import annotations

import itertools

import pytest

from tgite import (
    Arm,
    BalancedTree,
    Confidence,
    Incumbent,
    InvalidReply,
    Match,
    SelfPlay,
    Stream,
    bkt,
    match,
    tg_ite_strong_anytime,
    tg_ite_weak,
)
from tgite_laws.match_paths import NotDetermined, paths, replaying, walk, written

DELTA = Confidence.of("1/10")
TREE = BalancedTree.over(3)


def test_a_path_shows_matches_winners_and_the_end() -> None:
    path = walk(bkt([4, 2], DELTA, match), replaying([2]), 10)
    assert path.matches == path.asked == (Match(4, 2, Confidence.of("1/10 * 6/pi^2")),)
    assert str(path) == "(4,2 @ 1/10 * 6/pi^2) won by 2; returned 2"
    # A match too many would follow.
    path = walk(bkt(range(8), DELTA, match), replaying(()), 3)
    assert (len(path.matches), path.ended, path.result) == (3, False, None)
    assert str(path).endswith("cut")
    (path,) = paths(lambda: bkt([7], DELTA, match), 10)
    assert (path.asked, path.winners, path.ended, path.result) == ((), (), True, 7)


def test_paths_are_cut_before_a_match_too_many_and_after_announcements() -> None:
    weak = walk(tg_ite_weak(0, TREE, match), replaying(()), 100, announcements=2)
    cut = list(paths(lambda: tg_ite_weak(0, TREE, match), 2))
    assert [path.winners for path in cut] == [(0, 0), (0, 2), (1, 1), (1, 2)]
    kinds = [type(question) for question in weak.asked]
    assert kinds == [Match, Match, Incumbent, Match, Match, Incumbent]
    anytime = walk(tg_ite_strong_anytime(0, TREE, match), replaying(()), 100, announcements=1)
    assert [type(question) for question in anytime.asked] == [Match, Match, Incumbent, SelfPlay]


def test_a_winner_that_did_not_play_is_refused() -> None:
    with pytest.raises(InvalidReply):
        walk(bkt(range(4), DELTA, match), replaying([3]), 10)


def test_a_stream_that_depends_on_more_than_its_replies_is_found_out() -> None:
    runs = itertools.count()

    def make() -> Stream[Match, Arm, Arm]:
        return bkt([0, 1, 2, 3] if next(runs) < 2 else [1, 0, 2, 3], DELTA, match)

    with pytest.raises(NotDetermined):
        list(paths(make, 10))


def test_questions_are_written_however_long() -> None:
    assert written(Incumbent(3)) == "incumbent 3"
    assert written(SelfPlay(3, 16)) == "self-play of 3, 16 rounds"
    assert written(SelfPlay(3, 2**65536)) == "self-play of 3, 2^65536 rounds"
    assert written(SelfPlay(3, 2**65536 + 1)) == "self-play of 3, about 2^65536 rounds"
    assert written(Match(0, 1, Confidence.of("1/3 * 2^-65537"))) == "(0,1 @ 1/3 * 2^-65537)"
