"""An arm over a lattice board is seen where it throws its shadow on a mirrored lamp, too."""

from pathlib import Path

import pytest
from testkit.lattice_tables import LIGHTS, LatticeTable, in_each_light, lattice_table

from calibration.table import load_table
from rules.geometry import Seat
from sightline.simulated.boards import club_board
from sightline.simulated.lattice.visit import Deed, Visit
from sightline.simulated.scene import Scene
from sightline.simulated.table import SimulatedTable, set_up_table, write_table
from vision.lattice.arms import arms
from vision.lattice.read import lattice_of


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> LatticeTable:
    folder = tmp_path_factory.mktemp("arms") / "table"
    return lattice_table("squarin_off", folder, (960, 720), light="window")


@pytest.mark.parametrize("at_s", [0.42, 0.5])
@pytest.mark.parametrize("place", ["edges:h:1,10", "edges:v:1,9", "edges:v:3,9", "edges:v:6,9"])
def test_an_arm_over_a_border_that_mirrors_a_window_is_seen(
    table: LatticeTable, place: str, at_s: float
) -> None:
    deed = Deed(piece=table.lying(place, "stick", "natural"), brings=True)
    visit = Visit(before=(), deeds=[deed], by=Seat.N, board=table.table.board)
    lattice = lattice_of(table.table)
    picture = table.simulated.photographer.picture(visit.scene(at_s))
    found = arms(picture, lattice.shore)
    assert [arm.side for arm in found] == [Seat.N]


def test_no_arm_is_seen_where_there_is_none(table: LatticeTable) -> None:
    lattice = lattice_of(table.table)
    picture = table.picture(())
    assert arms(picture, lattice.shore) == ()


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> LatticeTable:
    return lattice_table("squarin_off", tmp_path_factory.mktemp("corner") / "table", (960, 720))


@pytest.mark.parametrize("at_s", [0.36, 0.42, 0.5])
@pytest.mark.parametrize(
    ("by", "place"),
    [
        (Seat.E, "edges:h:9,0"),
        (Seat.E, "edges:h:7,0"),
        (Seat.E, "edges:h:8,10"),
        (Seat.W, "edges:h:1,0"),
        (Seat.S, "edges:v:0,1"),
        (Seat.N, "edges:v:10,8"),
    ],
)
def test_an_arm_that_comes_in_over_a_corner_is_seen(
    club: LatticeTable, by: Seat, place: str, at_s: float
) -> None:
    deed = Deed(piece=club.lying(place, "stick", "natural"), brings=True)
    visit = Visit(before=(), deeds=[deed], by=by, board=club.table.board)
    picture = club.simulated.photographer.picture(visit.scene(at_s))
    assert arms(picture, lattice_of(club.table).shore)


def test_a_soft_edge_at_a_corner_is_an_arms_where_the_border_has_just_moved(tmp_path: Path) -> None:
    """There a window is mirrored, too, and the skin is like the wood."""
    table = lattice_table("quarterback", tmp_path / "table", (960, 720), light="window")
    kind = table.table.board.pieces[0]
    deed = Deed(piece=table.lying("cells:0,15", kind.kind, kind.colour), brings=True)
    visit = Visit(before=(), deeds=[deed], by=Seat.W, board=table.table.board)
    picture = table.simulated.photographer.picture(visit.scene(0.5))
    assert arms(picture, lattice_of(table.table).shore, moved=lambda first, after: True)


@pytest.mark.parametrize("at_s", [0.36, 0.42, 0.5])
@pytest.mark.parametrize("place", ["holes:4,2", "holes:3,4", "holes:6,1"])
@pytest.mark.parametrize("by", [Seat.S, Seat.N, Seat.E, Seat.W])
def test_a_hand_that_with_its_shadow_fills_much_of_a_small_board_s_side_is_seen(
    pale: tuple[LatticeTable, SimulatedTable], by: Seat, place: str, at_s: float
) -> None:
    table, by_day = pale
    deed = Deed(piece=table.lying(place, "peg", "red"), brings=True)
    visit = Visit(before=(), deeds=[deed], by=by, board=table.table.board)
    picture = by_day.photographer.picture(visit.scene(at_s))
    found = arms(picture, lattice_of(table.table).shore)
    assert [arm.side for arm in found] == [by]


@pytest.fixture(scope="module")
def pale(tmp_path_factory: pytest.TempPathFactory) -> tuple[LatticeTable, SimulatedTable]:
    """A small board of birch, pale as a hand, set up by a lamp; and the same by daylight."""
    size = (960, 720)
    board = club_board("king_square", size)
    by_lamp, by_day = (
        set_up_table(size, board=board, finish="birch", light=light) for light in ("lamp", "window")
    )
    folder = write_table(by_lamp, tmp_path_factory.mktemp("pale") / "table")
    return LatticeTable(simulated=by_lamp, table=load_table(folder)), by_day


@pytest.fixture(scope="module", params=[("quarterback", "turf"), ("squarin_off", "walnut")])
def by_light(request: pytest.FixtureRequest) -> dict[str, SimulatedTable]:
    return in_each_light(*request.param)


@pytest.mark.parametrize("at_setup", LIGHTS)
def test_a_light_that_has_changed_since_the_table_was_set_up_is_no_hand(
    by_light: dict[str, SimulatedTable], at_setup: str, tmp_path: Path
) -> None:
    shore = lattice_of(load_table(write_table(by_light[at_setup], tmp_path / "table"))).shore
    bare = {light: by_light[light].photographer.picture(Scene()) for light in LIGHTS}
    assert {light: arms(picture, shore) for light, picture in bare.items()} == dict.fromkeys(
        LIGHTS, ()
    )


@pytest.mark.parametrize("by", [Seat.E, Seat.W])
def test_an_arm_where_a_lamp_is_mirrored_that_was_not_at_set_up_is_seen(
    tmp_path: Path, by: Seat
) -> None:
    size = (960, 720)
    board = club_board("quarterback", size)
    by_panels, by_lamp = (
        set_up_table(size, board=board, finish="turf", light=light) for light in ("panels", "lamp")
    )
    table = load_table(write_table(by_panels, tmp_path / "table"))
    piece = LatticeTable(simulated=by_panels, table=table).lying("cells:8,1", "single", "red")
    visit = Visit(before=(), deeds=[Deed(piece=piece, brings=True)], by=by, board=board)
    found = arms(by_lamp.photographer.picture(visit.scene(0.42)), lattice_of(table).shore)
    assert by in {arm.side for arm in found}
