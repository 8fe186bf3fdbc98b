"""Reference clips of a real-looking table: what happened, told by the clip's own truth."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from calibration.table import Table, load_table
from rules.facts import Piece
from rules.geometry import Point
from vision.answers_clip import watch_clip
from vision.frame import Observation, Picture, SeenPiece
from vision.sources import open_source

FOLDER = Path(__file__).parent.parent / "data" / "tables" / "qsquare-oak-720"


def told(pieces: list[dict[str, Any]]) -> Observation:
    return Observation(
        pieces=tuple(
            SeenPiece(kind=p["kind"], colour=p["colour"], at=Point(p["x"], p["y"]), error_mm=0.06)
            for p in pieces
        )
    )


def who_and_what(fact: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(fact.get(key) for key in ("fact", "piece", "a", "b", "side", "pocket"))


@pytest.mark.slow
@pytest.mark.parametrize("clip", ["001", "003", "005"])
def test_a_clip_is_told_as_it_happened(clip: str) -> None:
    truth = json.loads((FOLDER / "clips" / f"{clip}.json").read_text())

    def look(picture: Picture, table: Table, followed: Sequence[Piece]) -> Observation:
        del picture, table
        return told(truth["final" if followed else "start"])

    with open_source(str(FOLDER / "clips" / f"{clip}.mp4")) as source:
        answer: Any = watch_clip(source, load_table(FOLDER), look=look).as_json()
    assert [who_and_what(f) for f in answer["facts"]] == [who_and_what(f) for f in truth["facts"]]
    for seen, true in zip(answer["facts"], truth["facts"], strict=True):
        assert seen["t"] == pytest.approx(true["t"], abs=0.05)
