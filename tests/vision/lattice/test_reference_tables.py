"""The photo-real pictures of three lattice tables are read as they truly are, also washed out."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from calibration.picture_file import read_picture
from calibration.table import Table, load_table
from vision.frame import Observation, Picture
from vision.lattice.read import read_lattice

TABLES = Path(__file__).parents[2] / "data" / "tables"
STILLS = sorted(
    still
    for table in ("king-square-16", "quarterback-green", "squarin-off-walnut")
    for still in (TABLES / table / "stills").glob("*.json")
)
WITH_HAND = [still for still in STILLS if json.loads(still.read_text())["hand"]]


def named(still: Path) -> str:
    return f"{still.parents[1].name} {still.stem}"


def picture_of(still: Path) -> Picture:
    height, width = table_of(still.parents[1]).empty.shape[:2]
    return read_picture(still.with_suffix(".jpg"), width, height)


@cache
def table_of(folder: Path) -> Table:
    return load_table(folder)


def washed_out(picture: Picture) -> Picture:
    """What a camera with weak colours makes of it: 45 % of what differs between the channels."""
    light = (picture / 255.0) ** 2.2
    gray = light.mean(axis=2, keepdims=True)
    return np.asarray(np.rint(255 * (gray + 0.45 * (light - gray)) ** (1 / 2.2)), dtype=np.uint8)


@cache
def washed_out_table(folder: Path) -> Table:
    table = load_table(folder)
    assert table.teach is not None
    teach = replace(table.teach, picture=washed_out(table.teach.picture))
    return replace(table, empty=washed_out(table.empty), teach=teach)


def misread(seen: Observation, truth: Mapping[str, Mapping[str, object]]) -> Iterator[str]:
    """The places that are told, and told wrongly."""
    for layer in {*truth, *seen.lattice}:
        want, got = truth.get(layer, {}), seen.lattice.get(layer, {})
        for key in {*want, *got}:
            place = f"{layer}:{key}"
            if place not in seen.unknown and even(want.get(key)) != even(got.get(key)):
                yield place


def both_filled(place: str, seen: Observation, truth: Mapping[str, Mapping[str, object]]) -> bool:
    """Whether something lies there, and something is told of it: only its colour may be wrong."""
    layer, key = place.split(":", 1)
    return key in truth.get(layer, {}) and key in seen.lattice.get(layer, {})


def even(held: object) -> object:
    """What a place holds, whether it is one piece or a stack of them, from whichever side."""
    if held is None or isinstance(held, str):
        return held
    stack = held if isinstance(held, list) else [held]
    return sorted((piece["kind"], piece["colour"]) for piece in stack)


@pytest.mark.parametrize("still", STILLS, ids=named)
def test_every_place_is_read_as_it_is_or_lies_beneath_a_hand(still: Path) -> None:
    truth, table = json.loads(still.read_text()), table_of(still.parents[1])
    seen = read_lattice(picture_of(still), table)
    assert seen.hand == truth["hand"]
    assert list(misread(seen, truth["lattice"])) == []
    assert seen.hand or not seen.unknown


@pytest.mark.parametrize("still", WITH_HAND, ids=named)
def test_a_hand_as_pale_as_the_board_is_seen_and_nothing_told_of_what_it_hides(still: Path) -> None:
    truth, table = json.loads(still.read_text()), washed_out_table(still.parents[1])
    seen = read_lattice(washed_out(picture_of(still)), table)
    assert seen.hand
    wrong = misread(seen, truth["lattice"])
    assert [place for place in wrong if not both_filled(place, seen, truth["lattice"])] == []
