"""The witness on drawn frames: one simulated shot, from still picture to still picture."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from calibration.table import Table, load_table
from rules.facts import Contacted, Fact, Piece, Settled, SightLost, Struck
from sightline.simulated.shots import SimulatedShot, simulated_shot
from sightline.simulated.table import write_table
from vision.answers_clip import watch_clip
from vision.frame import Frame, Observation, Picture, SeenPiece
from vision.witness import Witness

FPS = 60.0


class Told:
    """Looks at still pictures by the truth, so that only the following is tested."""

    def __init__(self, shot: SimulatedShot) -> None:
        self.shot = shot
        self.now_ms = 0.0
        self.looks: list[tuple[float, Sequence[Piece]]] = []

    def look(self, picture: Picture, table: Table, followed: Sequence[Piece]) -> Observation:
        del picture, table
        self.looks.append((self.now_ms, followed))
        settled = self.shot.facts[-1]
        assert isinstance(settled, Settled)
        early = self.now_ms < self.shot.facts[0].at_ms
        pieces = [p.piece() for p in self.shot.lying] if early else list(settled.pieces)
        return Observation(pieces=tuple(_seen(piece) for piece in pieces))

    def frames(self) -> list[Frame]:
        return list(self.shot.frames)


def _seen(piece: Piece) -> SeenPiece:
    return SeenPiece(kind=piece.kind, colour=piece.colour, at=piece.at, error_mm=0.05)


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> tuple[SimulatedShot, Table]:
    shot = simulated_shot(3, fps=FPS, size=(640, 480), scenario="clean", pieces=6)
    folder: Path = tmp_path_factory.mktemp("table")
    write_table(shot.table, folder)
    return shot, load_table(folder)


def test_a_shot_is_told_from_strike_to_settled(watched: tuple[SimulatedShot, Table]) -> None:
    shot, table = watched
    told = Told(shot)
    witness = Witness(table, look=told.look)
    facts: list[Fact] = []
    for frame in shot.frames:
        told.now_ms = frame.at_ms
        facts += [sighting.fact for sighting in witness.feed(frame)]
    struck = [f for f in facts if isinstance(f, Struck)]
    assert [f.piece for f in struck] == ["cue-puck"]
    assert struck[0].at_ms == pytest.approx(shot.facts[0].at_ms, abs=4)
    true = next(f for f in shot.facts if isinstance(f, Contacted))
    hit = next(f for f in facts if isinstance(f, Contacted))
    assert hit.at_ms == pytest.approx(true.at_ms, abs=500 / FPS)
    settled = [f for f in facts if isinstance(f, Settled)]
    assert settled[-1].at_ms >= facts[-2].at_ms
    want = shot.facts[-1]
    assert isinstance(want, Settled)
    assert len(settled[-1].pieces) == len(want.pieces)


def test_a_shot_is_looked_at_once_as_soon_as_it_rests_and_where_the_pieces_ran_to(
    watched: tuple[SimulatedShot, Table],
) -> None:
    shot, table = watched
    told = Told(shot)
    witness = Witness(table, look=told.look)
    settled: list[Settled] = []
    for frame in shot.frames:
        told.now_ms = frame.at_ms
        settled += [s.fact for s in witness.feed(frame) if isinstance(s.fact, Settled)]
    came_to_rest_ms = settled[-1].at_ms - 1000.0
    after = [(at_ms, pieces) for at_ms, pieces in told.looks if at_ms > shot.facts[0].at_ms]
    assert len(after) == 1
    at_ms, followed = after[0]
    assert 100.0 <= at_ms - came_to_rest_ms < 200.0
    truth = {piece.name: piece.at for piece in settled[-1].pieces}
    assert {piece.name for piece in followed} == set(truth)
    assert all(piece.at.distance_mm(truth[piece.name]) < 1.0 for piece in followed)


def test_a_clip_answer_has_the_shape_of_the_truth(watched: tuple[SimulatedShot, Table]) -> None:
    shot, table = watched
    told = Told(shot)
    few = [frame for frame in shot.frames if frame.number < 12]
    answer = watch_clip(few, table, look=told.look).as_json()
    assert set(answer) == {"fps", "frames", "start", "facts", "final"}
    assert answer["frames"] == 12
    assert answer["fps"] == pytest.approx(FPS, abs=0.01)
    assert answer["facts"] == []


def test_a_frame_that_cannot_be_trusted_makes_the_witness_blind_once(
    watched: tuple[SimulatedShot, Table],
) -> None:
    shot, table = watched
    told = Told(shot)
    witness = Witness(
        table, look=told.look, judge=lambda picture: "dark" if picture.mean() < 5 else None
    )
    frame = shot.frames.frame(0)
    black = Frame(image=np.zeros_like(frame.image), at_ms=100.0, number=6)
    first = witness.feed(black)
    assert [s.fact for s in first] == [SightLost(at_ms=100.0, why="dark")]
    assert witness.feed(Frame(image=black.image, at_ms=116.0, number=7)) == []
