"""Light mirrored over cells is told from pieces, shadows and stronger lamps."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from testkit.lattice_tables import LatticeTable, in_each_light, misread, truth_of

from calibration.table import load_table
from sightline.simulated.table import SimulatedTable, write_table
from vision.lattice.cell_gleams import BareCells, bare_cells_of, reflected_over
from vision.lattice.gleams import neighbours_of
from vision.lattice.read import read_lattice

pytestmark = pytest.mark.film

Floats32 = NDArray[np.float32]

SIDE, STEPS = 17, np.linspace(-1, 1, 17)
X, Y = (way.ravel() for way in np.meshgrid(STEPS, STEPS))
PLANE = np.linalg.qr(np.stack([np.ones_like(X), X, Y, X * Y, X**2, Y**2], axis=1))[0]
ASKED = np.arange(SIDE * SIDE).reshape(SIDE, SIDE)[::2, ::2].ravel()
AT = np.array([[x, y] for y in range(0, 160, 32) for x in range(0, 160, 32)], dtype=np.float64)
"""25 cells 32 mm apart."""
CORNER = np.hypot(AT[:, 0], AT[:, 1]) < 50
GREEN, CREAM = np.array([0.02, 0.09, 0.03]), np.array([0.35, 0.45, 0.5])


def light(grain: int = 1) -> Floats32:
    """(25, 3, 289) the light of green cells with a cream line along one side."""
    line = np.abs(X + 0.9) < 0.12
    board = np.where(line, CREAM[:, None], GREEN[:, None])
    noise = np.random.default_rng(grain).normal(1.0, 0.03, (len(AT), *board.shape))
    return np.asarray(board * noise, dtype=np.float32)


def ready(light: Floats32) -> BareCells:
    return bare_cells_of(light, PLANE.astype(np.float32), ASKED, neighbours_of(AT))


BARE = ready(light())


def gleam(most: float) -> Floats32:
    """(289,) a soft light, brightest at one corner of a cell."""
    return np.asarray(most * (1 - 0.3 * np.hypot(X - 1, Y - 1)), dtype=np.float32)


def mirroring(light: Floats32, most: float) -> Floats32:
    """The same with light mirrored over the cells of the corner."""
    return np.asarray(light + CORNER[:, None, None] * gleam(most), dtype=np.float32)


@pytest.mark.parametrize("most", [0.03, 0.15])
@pytest.mark.parametrize("lit", [0.8, 1.0, 1.25])
def test_light_that_has_come_is_found_however_strongly_the_cell_is_lit(
    lit: float, most: float
) -> None:
    found = reflected_over(mirroring(lit * light(grain=2), most)[:, :, ASKED], BARE)
    assert found.cells.tolist() == np.flatnonzero(CORNER).tolist()
    assert found.lit == pytest.approx(lit, abs=0.05)
    assert found.added == pytest.approx(np.tile(gleam(most), (CORNER.sum(), 1)), abs=0.008)


@pytest.mark.parametrize("most", [0.03, 0.15])
@pytest.mark.parametrize("lit", [0.8, 1.0, 1.25])
def test_light_that_has_gone_is_found_however_strongly_the_cell_is_lit(
    lit: float, most: float
) -> None:
    found = reflected_over(lit * light(grain=2)[:, :, ASKED], ready(mirroring(light(), most)))
    assert found.cells.tolist() == np.flatnonzero(CORNER).tolist()
    assert found.added == pytest.approx(-lit * np.tile(gleam(most), (CORNER.sum(), 1)), abs=0.02)


@pytest.mark.parametrize("lit", [0.6, 0.85, 1.4])
def test_a_shadow_or_a_stronger_lamp_adds_no_light(lit: float) -> None:
    now = light(grain=2)
    now[CORNER] *= lit * (1 + 0.2 * X)
    assert not len(reflected_over(now[:, :, ASKED], BARE).cells)


def test_what_changes_in_one_cell_alone_is_no_reflection() -> None:
    now = light(grain=2)
    now[12] += gleam(0.1)
    assert not len(reflected_over(now[:, :, ASKED], BARE).cells)


def test_a_board_as_it_was_has_no_light_added() -> None:
    assert not len(reflected_over(light(grain=3)[:, :, ASKED], BARE).cells)


@pytest.fixture(scope="module")
def by_light() -> dict[str, SimulatedTable]:
    return in_each_light("quarterback", "turf")


@pytest.mark.parametrize(
    ("at_setup", "now"),
    [
        ("lamp", "panels"),
        ("lamp", "window"),
        ("window", "lamp"),
        ("window", "panels"),
        ("panels", "lamp"),
        ("panels", "window"),
    ],
)
def test_cells_are_read_in_another_light_than_at_the_set_up(
    by_light: dict[str, SimulatedTable], at_setup: str, now: str, tmp_path: Path
) -> None:
    table = load_table(write_table(by_light[at_setup], tmp_path / "table"))
    match = LatticeTable(simulated=by_light[now], table=table)
    for laid in ((), match.laid_at_random(0.6, seed=4)):
        seen = read_lattice(match.picture(laid), table)
        assert not seen.hand
        assert misread(seen, truth_of(laid)) == set()
        assert len(seen.unknown) <= 2
