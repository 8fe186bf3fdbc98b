"""Reference clips of a real-looking table: what happened, told by the clip's own truth."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import hypot
from typing import Any

import numpy as np
import pytest
from testkit.reference_tables import TABLES, reference_table

from calibration.table import Table
from rules.facts import Piece
from rules.geometry import Point
from vision.answers_clip import watch_clip
from vision.frame import Frame, Observation, Picture, SeenPiece
from vision.sources import open_source
from vision.sources.source import Readable

TABLE = "qsquare-oak-720"
FOLDER = TABLES / TABLE


def told(pieces: list[dict[str, Any]]) -> Observation:
    return Observation(
        pieces=tuple(
            SeenPiece(kind=p["kind"], colour=p["colour"], at=Point(p["x"], p["y"]), error_mm=0.06)
            for p in pieces
        )
    )


def who_and_what(fact: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(fact.get(key) for key in ("fact", "piece", "a", "b", "side", "pocket"))


def brighter(source: Readable, gain: float) -> Iterator[Frame]:
    """The frames of a clip in more light, at the camera's limit where there is too much."""
    for frame in source:
        image = np.clip(frame.in_colour() * gain, 0, 255).astype(np.uint8)
        yield replace(frame, image=image, jpeg=None, colour=None)


@pytest.mark.slow
@pytest.mark.film
@pytest.mark.parametrize(
    ("clip", "gain"),
    [
        # walls as bright as the board on one side, shadows longer than pieces are high on the other
        pytest.param("004", 0.7, id="low window, darker"),
        pytest.param("004", 1.3, id="low window, brighter"),
        pytest.param("003", 1.3, id="a cue-puck as pale as the board"),
    ],
)
def test_a_clip_is_told_as_it_happened_in_another_exposure(clip: str, gain: float) -> None:
    truth = json.loads((FOLDER / "clips" / f"{clip}.json").read_text())
    with open_source(str(FOLDER / "clips" / f"{clip}.mp4")) as source:
        answer: Any = watch_clip(brighter(source, gain), reference_table(TABLE)).as_json()
    number = {
        n: min(
            range(len(truth["start"])),
            key=lambda k: hypot(truth["start"][k]["x"] - p["x"], truth["start"][k]["y"] - p["y"]),
        )
        for n, p in enumerate(answer["start"])
    }
    whats = [
        (f["fact"], *sorted(number[f[key]] for key in ("piece", "a", "b") if key in f))
        for f in answer["facts"]
    ]
    assert whats == [
        (f["fact"], *sorted(f[key] for key in ("piece", "a", "b") if key in f))
        for f in truth["facts"]
    ]


@pytest.mark.slow
@pytest.mark.parametrize("clip", ["001", "003", "004", "005"])
def test_a_clip_is_told_as_it_happened(clip: str) -> None:
    truth = json.loads((FOLDER / "clips" / f"{clip}.json").read_text())

    def look(picture: Picture, table: Table, followed: Sequence[Piece]) -> Observation:
        del picture, table
        return told(truth["final" if followed else "start"])

    with open_source(str(FOLDER / "clips" / f"{clip}.mp4")) as source:
        answer: Any = watch_clip(source, reference_table(TABLE), look=look).as_json()
    assert [who_and_what(f) for f in answer["facts"]] == [who_and_what(f) for f in truth["facts"]]
    for seen, true in zip(answer["facts"], truth["facts"], strict=True):
        assert seen["t"] == pytest.approx(true["t"], abs=0.05)
