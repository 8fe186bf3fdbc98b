"""What is said of pucks that are not yet put back where they lay."""

from dataclasses import replace

import pytest
from testkit.qsquare_table import Table

from rules.facts import Piece
from rules.games.qsquare.show import tasks
from rules.games.qsquare.spots import misplaced
from rules.games.qsquare.state import Errand, Phase
from rules.geometry import Point

SPOTS = (Point(0.0, 0.0), Point(30.0, 0.0))


def blue(name: str, x_mm: float, y_mm: float) -> Piece:
    return Piece(name=name, kind="puck", colour="blue", at=Point(x_mm, y_mm))


@pytest.mark.parametrize(
    ("lying", "told"),
    [
        (
            [blue("blue-1", 13.0, 8.0), blue("blue-2", 100.0, 0.0)],
            {SPOTS[0]: "blue-1", SPOTS[1]: "blue-2"},
        ),
        (
            [blue("blue-1", 60.0, 0.0), blue("blue-2", 0.0, 20.0)],
            {SPOTS[0]: "blue-2", SPOTS[1]: "blue-1"},
        ),
        ([blue("blue-1", 12.0, 0.0)], {SPOTS[0]: "blue-1"}),
        ([blue("blue-1", 30.0, 1.0), blue("blue-2", 40.0, 0.0)], {SPOTS[0]: "blue-2"}),
        ([blue("blue-1", 12.0, 0.0), blue("blue-3", 31.0, 8.0)], {SPOTS[0]: "blue-1"}),
    ],
    ids=["both near one", "crosswise", "one in a hand", "one right", "one of no concern"],
)
def test_no_puck_is_said_to_be_missing_from_two_spots(
    lying: list[Piece], told: dict[Point, str]
) -> None:
    errands = tuple(
        Errand(kind="puck", colour="blue", at=spot, piece=name)
        for spot, name in zip(SPOTS, ("blue-1", "blue-2"), strict=True)
    )
    state = replace(Table().open().reach(3, 0).state, errands=errands)
    assert {e.at: p.name for e, p in misplaced(state, lying)} == told


def test_the_page_knows_which_puck_is_to_go_where() -> None:
    errands = (
        Errand(kind="puck", colour="blue", at=SPOTS[0], piece="blue-1"),
        Errand(kind="puck", colour="red", at=SPOTS[1]),
    )
    lying = (blue("blue-1", 13.0, 8.0), blue("blue-2", 4.0, 30.0))
    state = Table().open().reach(3, 0).state
    state = replace(state, phase=Phase.SERVICE, errands=errands, pieces=lying)
    assert [task.lies for task in tasks(state)] == [Point(13.0, 8.0), None]
    lying = (blue("blue-1", 1.0, 1.0), blue("blue-2", 4.0, 30.0))
    assert tasks(replace(state, pieces=lying))[0].lies is None
