"""What stands upon another piece is told with what lies beneath it, or at least by itself."""

import random
from dataclasses import replace
from pathlib import Path

import pytest
from testkit.lattice_tables import LatticeTable, lattice_table

from sightline.simulated.pieces import Lying
from vision.lattice.read import read_lattice

PLACES = ("1,2", "4,8", "9,12", "5,4")
SMALL, USUAL = (640, 480), (960, 720)

Told = list[dict[str, str]]


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[int, int], LatticeTable]:
    folder: Path = tmp_path_factory.mktemp("stacks")
    return {
        size: lattice_table("quarterback", folder / str(size[0]), size) for size in (SMALL, USUAL)
    }


def _stacks(
    table: LatticeTable, kinds: tuple[str, str], colours: tuple[str, str], seed: int
) -> tuple[Lying, ...]:
    """In each place two pieces of these kinds and colours, lower one first, each laid by hand."""
    draw = random.Random(seed)
    laid: list[Lying] = []
    for place in PLACES:
        lift_mm = 0.0
        for kind, colour in zip(kinds, colours, strict=True):
            piece = table.lying(f"cells:{place}", kind, colour, lift_mm=lift_mm)
            lift_mm = piece.spec.thickness_mm
            x_mm, y_mm = (at + draw.uniform(-2, 2) for at in (piece.x_mm, piece.y_mm))
            laid.append(replace(piece, x_mm=x_mm, y_mm=y_mm, turn_deg=draw.uniform(0, 90)))
    return tuple(laid)


def _told(table: LatticeTable, laid: tuple[Lying, ...]) -> list[Told | None]:
    """What is told of each place, lower one first; None: unknown, or nothing."""
    seen = read_lattice(table.picture(laid), table.table)
    found: list[Told | None] = []
    for place in PLACES:
        held = None if f"cells:{place}" in seen.unknown else seen.lattice["cells"].get(place)
        found.append([held] if isinstance(held, dict) else held)
    return found


@pytest.mark.parametrize("size", [SMALL, USUAL])
@pytest.mark.parametrize("colours", [("red", "blue"), ("blue", "red")])
@pytest.mark.parametrize(
    ("kinds", "both"),
    [
        (("quarterback", "triple"), 4),
        (("single", "triple"), 3),
        (("double", "triple"), 4),
        (("quarterback", "double"), 1),  # of the square beneath there are the corners to be seen
        (("single", "double"), 2),
        (("double", "double"), 0),  # of the lower one an edge may show: that tells nothing
    ],
)
def test_the_upper_piece_is_told_and_no_other_one_beneath_it_than_there_is(
    tables: dict[tuple[int, int], LatticeTable],
    size: tuple[int, int],
    colours: tuple[str, str],
    kinds: tuple[str, str],
    both: int,
) -> None:
    table = tables[size]
    pair = [{"kind": k, "colour": c} for k, c in zip(kinds, colours, strict=True)]

    for seed in (1, 2):
        told = _told(table, _stacks(table, kinds, colours, seed))

        assert [t for t in told if t not in (pair, pair[1:])] == []
        assert told.count(pair) >= both
