"""Light mirrored over grooves is told by how much bright and dark squares beside them change."""

from pathlib import Path

import numpy as np
import pytest
from testkit.lattice_tables import LatticeTable, in_each_light, told_of, truth_of

from calibration.table import load_table
from sightline.simulated.table import SimulatedTable, write_table
from vision.lattice.gleams import added_light, neighbours_of
from vision.lattice.read import read_lattice

pytestmark = pytest.mark.film

AT = np.array([[x, y] for y in range(0, 160, 32) for x in range(0, 160, 32)], dtype=np.float64)
"""25 grooves 32 mm apart."""
YELLOW, BLUE, WOOD = (0.25, 0.55, 0.7), (0.2, 0.12, 0.08), (0.02, 0.05, 0.15)
BESIDE = np.array([YELLOW] * 12 + [BLUE] * 12 + [WOOD] * 4)[:, :, None]


def around(
    lit: float, added: float, where: np.ndarray, *, board: np.ndarray = BESIDE
) -> np.ndarray:
    """(N, 3, P) the light around each groove, with so much added `where` (P,), a little noisy."""
    noise = np.random.default_rng(5).normal(1.0, 0.02, (len(board), 3, len(AT)))
    return np.asarray((lit * board + added * where) * noise)


THEN = around(1.0, 0.0, np.zeros(len(AT)))
CORNER = (np.hypot(AT[:, 0], AT[:, 1]) < 50).astype(np.float64)


@pytest.mark.parametrize("added", [0.03, 0.1, -0.02])
@pytest.mark.parametrize("lit", [0.85, 1.0, 1.15])
def test_the_light_added_or_missing_is_found_however_the_place_is_lit(
    added: float, lit: float
) -> None:
    found = added_light(around(lit, added, CORNER), THEN, neighbours_of(AT))
    assert found[CORNER > 0] == pytest.approx(added, abs=0.005 + 0.1 * abs(added))
    assert not found[np.hypot(AT[:, 0], AT[:, 1]) > 100].any()


@pytest.mark.parametrize("lit", [0.6, 0.8, 1.3])
def test_a_shadow_or_a_stronger_lamp_adds_nothing(lit: float) -> None:
    assert not added_light(around(lit, 0.0, CORNER), THEN, neighbours_of(AT)).any()


def test_what_changes_about_one_groove_alone_is_no_reflection() -> None:
    alone = (np.arange(len(AT)) == 12).astype(np.float64)
    assert not added_light(around(1.0, 0.06, alone), THEN, neighbours_of(AT)).any()


def test_between_squares_of_one_colour_the_neighbours_tell() -> None:
    now, then = around(1.0, 0.06, CORNER), THEN.copy()
    plain = np.array([YELLOW] * len(BESIDE))[:, :, None]
    now[:, :, 0] = around(1.0, 0.06, CORNER, board=plain)[:, :, 0]
    then[:, :, 0] = around(1.0, 0.0, CORNER, board=plain)[:, :, 0]
    assert added_light(now, then, neighbours_of(AT))[0] == pytest.approx(0.06, abs=0.01)


@pytest.fixture(scope="module")
def by_light() -> dict[str, SimulatedTable]:
    return in_each_light("squarin_off", "walnut")


@pytest.mark.parametrize(
    ("at_setup", "now"),
    [("lamp", "panels"), ("window", "lamp"), ("window", "panels"), ("panels", "window")],
)
def test_grooves_that_a_lamp_is_mirrored_over_no_more_or_anew_are_not_told_as_filled(
    by_light: dict[str, SimulatedTable], at_setup: str, now: str, tmp_path: Path
) -> None:
    table = load_table(write_table(by_light[at_setup], tmp_path / "table"))
    match = LatticeTable(simulated=by_light[now], table=table)
    bare = read_lattice(match.picture(()), table)
    assert not bare.hand
    assert dict(bare.lattice["edges"]) == {}
    assert len(bare.unknown) < 8
    laid = match.laid_at_random(0.3, seed=4)
    full = read_lattice(match.picture(laid), table)
    true = truth_of(laid)
    sticks = {place for place in true if place.startswith("edges")}
    assert sticks <= {*told_of(full)} | full.unknown
    assert len(sticks - full.unknown) > 0.85 * len(sticks)


def test_a_stick_where_a_lamp_was_mirrored_at_set_up_alone_is_not_told_as_an_empty_groove(
    by_light: dict[str, SimulatedTable], tmp_path: Path
) -> None:
    table = load_table(write_table(by_light["lamp"], tmp_path / "table"))
    match = LatticeTable(simulated=by_light["window"], table=table)
    laid = match.laid_at_random(0.4, seed=0)
    seen = read_lattice(match.picture(laid), table)
    sticks = {place for place in truth_of(laid) if place.startswith("edges")}
    assert sticks <= {*told_of(seen)} | seen.unknown
    assert len(seen.unknown) < 8
