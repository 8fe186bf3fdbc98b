"""A piece that a larger one hides is known to be there until its place shows otherwise."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from testkit.lattice_tables import lattice_table

from rules.board import Board
from rules.facts import Batch, Emptied, Fact, Filled
from rules.geometry import Seat
from sightline.simulated.boards import club_board
from sightline.simulated.lattice.visit import Deed, Visit
from sightline.simulated.scene import Scene
from vision.frame import Frame, Observation
from vision.lattice.changes import Changes, Standing
from vision.lattice.places import layers_of
from vision.lattice.stream import LatticeWitness

FRAME_MS = 50.0
REST_MS = 700.0
SQUARE = "cells:2,2"

BALL = ("ball", "white")
RED_TRIPLE, BLUE_TRIPLE = ("triple", "red"), ("triple", "blue")
RED_DOUBLE, BLUE_DOUBLE = ("double", "red"), ("double", "blue")
BLUE_SINGLE = ("single", "blue")
QUARTERBACK = ("quarterback", "red")


@pytest.fixture(scope="module")
def board() -> Board:
    return club_board("quarterback")


def _changed(board: Board, known: Standing, shows: Standing) -> Mapping[str, Standing]:
    """What settles at a square of which `known` is known, and that `shows` this from now on."""
    changes = Changes(layers_of(board), {SQUARE: known})
    stack = [{"kind": kind, "colour": colour} for kind, colour in shows]
    seen = Observation(lattice={"cells": {"2,2": stack} if stack else {}})
    for at_ms in (0.0, 300.0, 600.0, 900.0):
        changes.look(at_ms, seen, stirred=frozenset(), hand=False)
    return changes.settled(900.0, 60.0, 900.0)


@pytest.mark.parametrize(
    ("known", "shows", "then"),
    [
        ((RED_TRIPLE,), (BLUE_DOUBLE,), (RED_TRIPLE, BLUE_DOUBLE)),
        ((RED_TRIPLE, BLUE_DOUBLE), (BLUE_DOUBLE,), None),
        ((RED_TRIPLE, BLUE_DOUBLE), (RED_TRIPLE,), (RED_TRIPLE,)),
        ((RED_TRIPLE, BLUE_DOUBLE), (), ()),
        ((RED_TRIPLE, BLUE_DOUBLE), (BLUE_SINGLE,), (RED_TRIPLE, BLUE_DOUBLE, BLUE_SINGLE)),
        ((RED_TRIPLE,), (BLUE_TRIPLE,), (BLUE_TRIPLE,)),
        ((RED_DOUBLE,), (BLUE_TRIPLE,), (BLUE_TRIPLE,)),
        ((QUARTERBACK,), (BLUE_DOUBLE,), (BLUE_DOUBLE,)),
        ((BALL,), (RED_TRIPLE, BALL), (RED_TRIPLE, BALL)),
        ((RED_DOUBLE, BALL), (BLUE_DOUBLE,), (BLUE_DOUBLE,)),
    ],
    ids=[
        "a smaller piece is still there",
        "and stays there",
        "it shows when the larger one goes",
        "or is gone by then",
        "three upon each other",
        "one of the same size is not hidden whole",
        "a larger one would show",
        "so would the corners of a square one",
        "what is seen upon it is not beneath it",
        "what lay upon a piece that went is not beneath the next",
    ],
)
def test_what_cannot_be_seen_beneath_a_piece_is_what_was_there(
    board: Board, known: Standing, shows: Standing, then: Standing | None
) -> None:
    assert _changed(board, known, shows) == ({} if then is None else {SQUARE: then})


def test_only_the_larger_piece_is_told_to_come_and_to_go(tmp_path: Path) -> None:
    table = lattice_table("quarterback", tmp_path / "quarterback")
    triple = table.lying(SQUARE, *RED_TRIPLE)
    double = table.lying(SQUARE, *BLUE_DOUBLE, lift_mm=triple.spec.thickness_mm)
    brings, takes = Deed(piece=double, brings=True), Deed(piece=double, brings=False)
    scenes: list[Scene] = []
    for before, deed in (((triple,), brings), ((triple, double), takes)):
        visit = Visit(before=before, deeds=[deed], by=Seat.N, board=table.table.board)
        after = visit.over_s + REST_MS / 1000
        scenes += [Scene(bodies=tuple(p.body() for p in before))] * round(REST_MS / FRAME_MS)
        scenes += [visit.scene(t) for t in np.arange(0.0, after, FRAME_MS / 1000).tolist()]
    witness = LatticeWitness(table.table)
    facts: list[Fact] = []
    for number, scene in enumerate(scenes):
        picture = table.simulated.photographer.picture(scene)
        frame = Frame(image=picture, at_ms=number * FRAME_MS, number=number)
        facts += [s.fact for s in witness.feed(frame)]
    changes = [f for f in facts if isinstance(f, Filled | Emptied | Batch)]
    assert [(type(f), getattr(f, "kind", "")) for f in changes] == [
        (Filled, "double"),
        (Emptied, "double"),
    ]
    assert [(p.kind, p.colour) for p in witness.pieces] == [RED_TRIPLE]
