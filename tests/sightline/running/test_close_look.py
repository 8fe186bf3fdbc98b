"""A close look tells what it is doing, reads nothing spoiled, and survives a fault."""

from collections.abc import Sequence

import numpy as np
import pytest
from testkit.simulated_table import tables

from calibration.table import Table
from rules.facts import Piece
from sightline.running.album import Album
from sightline.running.close_look import CloseLook
from vision.frame import Frame, Observation, Picture
from vision.looking import Look


def test_a_close_look_says_its_steps_and_begins_anew_after_a_fault() -> None:
    table = tables()[1]
    album = Album()
    said: list[tuple[str, bool]] = []
    made: list[int] = []

    def note() -> None:
        doing = look.doing
        assert doing is not None
        said.append((doing.words, doing.first))

    def make() -> Look:
        made.append(len(made))

        def read(picture: Picture, table: Table, followed: Sequence[Piece]) -> Observation:
            note()
            if len(said) == 2:
                raise ArithmeticError("an odd picture")
            return Observation()

        return read

    look = CloseLook(table, album, make_look=make, learn=lambda table: note())
    album.add(Frame(image=table.empty, at_ms=0.0, number=0))
    with pytest.raises(ArithmeticError):
        look(table.empty, table)
    assert look.doing is None
    assert look(np.zeros_like(table.empty), table).blind is not None
    look(table.empty, table)
    look(table.empty, table)
    album.close()
    words = [what.removeprefix("Sightline ") for what, _ in said]
    assert words == [
        "gets to know the pieces of this table (step 1 of 2).",
        "reads the board for the first time (step 2 of 2).",
        "gets to know the pieces of this table (step 1 of 2).",
        "reads the board for the first time (step 2 of 2).",
        "reads the board.",
    ]
    assert [first for _, first in said] == [True] * 4 + [False]
    assert len(made) == 2
