"""Two neighbours by a cushion, shifted since the last look: their feet's edges are guessed."""

from pathlib import Path

import pytest

from calibration.table import Table, load_table
from rules.geometry import Point
from sightline.simulated.boards import club_board
from sightline.simulated.scene import Body, Scene
from sightline.simulated.table import SimulatedTable, set_up_table, write_table
from vision.frame import Picture
from vision.observe import look

SIZE = (960, 720)
STAY = {"red": ((-200.0, 0.0), (-80.0, -90.0), (40.0, -180.0)), "blue": ((160.0, -270.0),)}
Places = tuple[tuple[float, float], ...]


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> tuple[SimulatedTable, Table]:
    """The table as it is drawn, and as its folder tells it."""
    simulated = set_up_table(SIZE, board=club_board("qsquare", SIZE))
    folder: Path = tmp_path_factory.mktemp("table")
    return simulated, load_table(write_table(simulated, folder / "table"))


def picture(simulated: SimulatedTable, blue: Places) -> Picture:
    lie = {**STAY, "blue": (*STAY["blue"], *blue)}
    specs = {spec.colour: spec for spec in simulated.board.pieces}
    bodies = tuple(
        Body(name=f"{colour}-{k}", spec=specs[colour], x_mm=x, y_mm=y)
        for colour, places in lie.items()
        for k, (x, y) in enumerate(places)
    )
    simulated.photographer.begin_again()
    return simulated.photographer.picture(Scene(bodies=bodies))


@pytest.mark.parametrize(
    ("lay", "lie"),
    [
        (((495.0, 0.0), (495.0, 26.0)), ((491.5, 0.0), (493.5, 26.0))),
        (((-495.0, -150.0), (-495.0, -124.0)), ((-493.5, -150.0), (-491.5, -123.0))),
    ],
    ids=["east", "west"],
)
def test_neighbours_that_are_both_guessed_badly_do_not_vouch_for_each_other(
    tables: tuple[SimulatedTable, Table], lay: Places, lie: Places
) -> None:
    simulated, table = tables
    first = look(picture(simulated, lay), table)
    seen = look(picture(simulated, lie), table, first).seen.pieces
    for x, y in lie:
        assert min(p.at.distance_mm(Point(x, y)) for p in seen if p.colour == "blue") < 0.5
