"""One simulated table for tests that draw their own frames, set up once a run."""

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import Table, load_table
from sightline.simulated.pieces import Lying
from sightline.simulated.scene import Body, Limb, Scene
from sightline.simulated.table import SimulatedTable, set_up_table, write_table
from vision.frame import Frame, Observation, SeenPiece
from vision.tracking.body import Known

SIZE = (640, 480)


@cache
def tables() -> tuple[SimulatedTable, Table]:
    """The table as it is drawn, and as its folder tells it."""
    simulated = set_up_table(SIZE, seed=5)
    with TemporaryDirectory() as folder:
        write_table(simulated, Path(folder))
        return simulated, load_table(Path(folder))


def lying(name: str, colour: str, x_mm: float, y_mm: float) -> Lying:
    """A piece of that colour on the simulated table."""
    spec = next(s for s in tables()[0].board.pieces if s.colour == colour)
    return Lying(name=name, spec=spec, x_mm=x_mm, y_mm=y_mm)


def scene(pieces: Sequence[Lying], *limbs: Limb) -> Scene:
    """Pieces at rest, and arms over them."""
    bodies = tuple(Body(name=p.name, spec=p.spec, x_mm=p.x_mm, y_mm=p.y_mm) for p in pieces)
    return Scene(bodies=bodies, limbs=limbs)


def gray(pieces: Sequence[Lying], *limbs: Limb) -> NDArray[np.uint8]:
    """A gray picture of them."""
    picture = tables()[0].photographer.picture(scene(pieces, *limbs))
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


def film(
    scene_at: Callable[[float], Scene], *, fps: float, lasts_s: float, first: int = 0
) -> list[Frame]:
    """Frames of a scene that changes; number and time go on from `first`.

    Their noise does not hang on what was drawn before.
    """
    photographer = tables()[0].photographer
    photographer.begin_again()
    frames = []
    for k in range(int(lasts_s * fps)):
        picture = photographer.frame(scene_at, k / fps, 0.004)
        at_ms = 1000 * (first + k) / fps
        frames.append(Frame(image=picture, at_ms=at_ms, number=first + k))
    return frames


def known(pieces: Sequence[Lying]) -> list[Known]:
    """The pieces as a tracker is told of them."""
    return [
        Known(
            name=p.name,
            kind=p.spec.kind,
            colour=p.spec.colour,
            x_mm=p.x_mm,
            y_mm=p.y_mm,
            error_mm=0.05,
            radius_mm=p.radius_mm,
            thickness_mm=p.spec.thickness_mm,
            hole_mm=p.spec.hole_mm,
        )
        for p in pieces
    ]


def observed(pieces: Sequence[Lying], *, hand: bool = False) -> Observation:
    """What a still picture of them would show."""
    return Observation(
        pieces=tuple(
            SeenPiece(kind=q.kind, colour=q.colour, at=q.at, error_mm=0.05)
            for q in (p.piece() for p in pieces)
        ),
        hand=hand,
    )
