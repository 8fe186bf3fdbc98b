"""Why the collector may make its rounds seldom: a match that is refereed leaves it nothing."""

import gc

import pytest

from rules.engine import replay
from rules.registry import find_game
from sightline.games import built_in_board
from sightline.heap import FRESH, collect_seldom
from sightline.simulated.matches import FoldedReferee, play_truly
from sightline.simulated.repertoire import agreement_on


@pytest.mark.parametrize("game", ["qsquare", "king_square"])
def test_a_match_that_was_judged_leaves_nothing_to_the_collector(game: str) -> None:
    evening = play_truly(built_in_board(game), agreement_on(game, players=2), seed=1)
    assert isinstance(evening.referee, FoldedReferee)
    log = list(evening.referee.fold.entries)
    gc.collect()
    gc.disable()
    try:
        judged = len(replay(find_game(game), evening.setup, log).steps)
        assert gc.collect() == 0
    finally:
        gc.enable()
    assert judged > 200


def test_the_collector_looks_only_once_many_values_are_new() -> None:
    usual = gc.get_threshold()
    try:
        collect_seldom()
        assert gc.get_threshold()[0] == FRESH > usual[0]
    finally:
        gc.set_threshold(*usual)
