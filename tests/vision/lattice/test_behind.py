"""Grooves that a tall piece in a square beside them hides in part, or wholly."""

import random

import pytest
from testkit.lattice_tables import LatticeTable, lattice_table, truth_of

from sightline.simulated.pieces import Lying
from sightline.words.place_names import places_of
from vision.lattice.read import read_lattice


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> LatticeTable:
    return lattice_table("squarin_off", tmp_path_factory.mktemp("behind") / "table", (960, 720))


def blocked(table: LatticeTable, seed: int, stray_mm: float) -> tuple[Lying, ...]:
    """Blockers in every other square, so far from its middle, and sticks in half of the grooves."""
    draw = random.Random(seed)
    laid = []
    for place in places_of(table.table.board, "cells"):
        column, row = place.removeprefix("cells:").split(",")
        at = table.table.board.at(place)
        assert at is not None
        if int(column) % 2 == seed % 2 and int(row) % 2 == seed % 2:
            laid.append(
                Lying(
                    name=place,
                    spec=table.spec("blocker", "red"),
                    x_mm=at.x_mm + draw.uniform(-stray_mm, stray_mm),
                    y_mm=at.y_mm + draw.uniform(-stray_mm, stray_mm),
                    place=place,
                    turn_deg=draw.choice([0.0, 0.0, draw.uniform(0, 90)]),
                )
            )
    grooves = places_of(table.table.board, "edges")
    sticks = [table.lying(place, "stick", "natural") for place in grooves if draw.random() < 0.5]
    return (*laid, *sticks)


@pytest.mark.parametrize(
    ("stray_mm", "seed", "at_most_unknown"),
    [(2.0, 0, 1), (3.0, 1, 2), (5.0, 4, 8), (5.0, 8, 8), (5.0, 10, 8)],
)
def test_a_groove_behind_a_block_is_read_by_what_shows_of_it_or_unknown(
    table: LatticeTable, stray_mm: float, seed: int, at_most_unknown: int
) -> None:
    laid = blocked(table, seed, stray_mm)
    seen = read_lattice(table.picture(laid), table.table)
    truth = {place for place in truth_of(laid) if place.startswith("edges:")}
    told = {f"edges:{groove}" for groove in seen.lattice["edges"]}
    assert (truth ^ told) - seen.unknown == set()
    assert len(seen.unknown) <= at_most_unknown
