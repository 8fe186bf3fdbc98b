"""Tracks as a camera would give them, made from simulated shots without drawing pictures."""

import random

import numpy as np

from rules.board import Board
from sightline.simulated.discs import Surface
from sightline.simulated.physics import Run, play
from sightline.simulated.pieces import Lying, surface_of
from sightline.simulated.shots import random_layout
from vision.tracking.track import Track
from vision.trajectories.gone import Ending
from vision.trajectories.paths import fit, resting
from vision.trajectories.timeline import Timeline

FRAME_S = 1 / 30
REST = Ending("rest", 2.0, 0.01)


def played(
    board: Board,
    lying: tuple[Lying, ...],
    push: tuple[float, float],
    *,
    start_s: float = 0.35,
    surface: Surface | None = None,
) -> Run:
    """The run that follows when the first piece is pushed."""
    field = surface if surface is not None else surface_of(board)
    discs = [piece.disc() for piece in lying]
    return play(field, discs, {lying[0].name: push}, start_s=start_s)


def random_shot(seed: int, board: Board, count: int = 12) -> tuple[tuple[Lying, ...], Run]:
    """A random layout, and a push at one of its pieces or anywhere."""
    rng = random.Random(f"track {seed}")
    lying = random_layout(rng, board, count)
    cue, target = lying[0], rng.choice(lying[1:])
    aim = np.arctan2(target.y_mm - cue.y_mm, target.x_mm - cue.x_mm) + rng.gauss(0, 0.06)
    speed = float(np.exp(rng.uniform(np.log(700), np.log(4200))))
    surface = surface_of(board, slowing_mm_s2=rng.uniform(900, 2200))
    push = (float(speed * np.cos(aim)), float(speed * np.sin(aim)))
    return lying, played(board, lying, push, surface=surface)


def tracks_of(
    run: Run,
    lying: tuple[Lying, ...],
    *,
    fps: float,
    noise_mm: float,
    exposure_s: float,
    seed: int,
) -> tuple[list[Track], float]:
    """Every piece's measured places, and the end of sight in seconds.

    A place is the mean over the exposure, plus noise. Pieces that never move have no samples, and
    a piece that has fallen or left is lost two frames later. What falls is seen as it sinks.
    """
    rng = np.random.default_rng(seed)
    end = run.rest_s + 0.4
    gone = run.gone()
    starts = np.arange(0, end, 1 / fps)
    parts = (np.arange(8) + 0.5) / 8 * exposure_s
    tracks = []
    for piece in lying:
        path = run.paths[piece.name]
        moved = len(path) > 1
        t, x, y = [], [], []
        first = path[1].start_s if moved else np.inf
        last = gone[piece.name].at_s + 2 / fps if piece.name in gone else np.inf
        for start in starts:
            if not first - 3 / fps <= start <= min(last, end):
                continue
            places = np.array([run.place(piece.name, float(start + p)) for p in parts])
            t.append(start + exposure_s / 2)
            x.append(places[:, 0].mean() + rng.normal(0, noise_mm))
            y.append(places[:, 1].mean() + rng.normal(0, noise_mm))
        tracks.append(
            Track(
                piece.name,
                piece.spec.kind,
                piece.radius_mm,
                piece.disc().mass_g,
                (piece.x_mm + rng.normal(0, 0.05), piece.y_mm + rng.normal(0, 0.05)),
                0.05,
                np.array(t),
                np.array(x),
                np.array(y),
                np.full(len(t), max(noise_mm, 0.05) * 1.3),
                lost=piece.name in gone,
                sank=piece.name in gone and gone[piece.name].what == "pocketed",
            )
        )
    return tracks, end


def running(
    name: str, home: tuple[float, float], speed: tuple[float, float], *, left_s: float
) -> Timeline:
    """A piece last seen at home at `left_s`, and twice on a straight way from there."""
    kind, radius_mm = ("striker", 20.65) if name == "striker" else ("carromman", 15.5)
    t = left_s + FRAME_S * np.array([1.0, 2.0])
    x, y = (place + part * (t - left_s) for place, part in zip(home, speed, strict=True))
    sigma = np.full(2, 0.2)
    track = Track(name, kind, radius_mm, 1.0, home, 0.1, t, x, y, sigma)
    way = fit(t, x, y, sigma, slowing=900.0, slowing_error=60.0)
    return Timeline(track, (resting(*home, 0.1, -1e9, left_s), way), REST)
