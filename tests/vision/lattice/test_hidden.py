"""What an arm hides of a lattice board, however little it differs from the wood."""

import cv2
import numpy as np
import pytest
from testkit.lattice_tables import LatticeTable, lattice_table, noisy, pressed

from rules.geometry import Point, Seat
from vision.frame import Picture
from vision.lattice.arms import Arm
from vision.lattice.hidden import hidden
from vision.lattice.read import lattice_of
from vision.lattice.shrunk import quarter_of

_BROAD_MM, _REACH_MM = 60.0, 60.0


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> LatticeTable:
    return lattice_table("king_square", tmp_path_factory.mktemp("hidden") / "table")


def under_an_arm(table: LatticeTable, lighter: float) -> Picture:
    """An arm over the near side, of the wood's own colour but for so many times its code."""
    edge = -table.table.board.height_mm / 2 - 5.0
    half = _BROAD_MM / 2
    corners = [[-half, edge, 0], [half, edge, 0], [half, _REACH_MM, 0], [-half, _REACH_MM, 0]]
    outline = table.table.camera.project(np.array(corners)).round().astype(np.int32)
    shape = np.zeros(table.table.empty.shape[:2], dtype=np.uint8)
    arm = np.asarray(cv2.fillPoly(shape, [outline], 1), dtype=np.bool_)
    picture = table.picture(()).astype(float)
    picture[arm] = lighter * np.median(picture[arm], axis=0)
    return np.asarray(picture.clip(0, 255), dtype=np.uint8)


def tinted_arm(table: LatticeTable, blue: float) -> Picture:
    """The same arm with the board's grain, as bright, but with so many times its blue."""
    arm = under_an_arm(table, 0.0).max(axis=2) == 0
    picture = table.picture(()).astype(float)
    picture[arm] *= (blue, 1.0, 1.0)
    return np.asarray(picture.clip(0, 255).round(), dtype=np.uint8)


def share_hidden(table: LatticeTable, picture: Picture) -> float:
    """The share of the arm that is known to hide what lies beneath it."""
    lattice = lattice_of(table.table)
    quarter = quarter_of(picture, lattice.bare.part)
    edge = -table.table.board.height_mm / 2
    arm = Arm(side=Seat.S, at=Point(0.0, edge), width_mm=_BROAD_MM)
    gain = lattice.ground.gain(quarter)
    mask = hidden(quarter, table.table, lattice.bare, gain, (arm,))
    x, y = np.meshgrid(np.linspace(-40, 40, 17), np.linspace(edge + 5, _REACH_MM - 10, 30))
    at = np.column_stack([x.ravel(), y.ravel(), np.zeros(x.size)])
    u, v = ((table.table.camera.project(at) - lattice.bare.part.origin) / 4).astype(int).T
    return float(mask[v, u].mean())


@pytest.mark.parametrize("quality", [95, 65])
def test_an_arm_a_little_lighter_than_the_wood_hides_what_lies_beneath_it(
    table: LatticeTable, quality: int
) -> None:
    picture = pressed(noisy(under_an_arm(table, 1.28), 2.0), quality)
    assert share_hidden(table, picture) > 0.95


@pytest.mark.parametrize("blue", [1.16, 0.86], ids=["bluer", "yellower"])
def test_an_arm_as_bright_as_the_wood_and_hardly_of_another_colour_hides_what_lies_beneath_it(
    table: LatticeTable, blue: float
) -> None:
    assert share_hidden(table, noisy(tinted_arm(table, blue), 3.0)) > 0.9
