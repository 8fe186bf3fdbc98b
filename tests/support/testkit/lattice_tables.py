"""Simulated lattice tables, boards laid at random on them, and their pictures."""

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from calibration.table import Table, load_table
from rules.board import PieceSpec
from sightline.simulated.boards import club_board
from sightline.simulated.pieces import Lying
from sightline.simulated.scene import Limb, Scene
from sightline.simulated.table import (
    LAYERS,
    SimulatedTable,
    lattice_truth,
    set_up_table,
    write_table,
)
from sightline.words.place_names import places_of
from vision.frame import Observation, Picture

SIZE = (1280, 720)
STRAY_MM = {"holes": 0.1, "edges": 0.4, "cells": 2.0}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LatticeTable:
    """A simulated table, and the table folder made of it."""

    simulated: SimulatedTable
    table: Table

    def spec(self, kind: str, colour: str) -> PieceSpec:
        return self.table.board.piece(kind, colour)

    def lying(self, place: str, kind: str, colour: str, *, lift_mm: float = 0.0) -> Lying:
        at = self.table.board.at(place)
        assert at is not None
        return Lying(
            name=f"{place}/{kind}",
            spec=self.spec(kind, colour),
            x_mm=at.x_mm,
            y_mm=at.y_mm,
            place=place,
            turn_deg=90.0 if place.startswith("edges:v:") else 0.0,
            lift_mm=lift_mm,
        )

    def laid_at_random(self, share: float, seed: int) -> tuple[Lying, ...]:
        """About that share of all places filled, pieces a little off their middles."""
        draw = random.Random(seed)
        laid = []
        for layer, shapes in LAYERS.items():
            specs = [s for s in self.table.board.pieces if s.shape in shapes and s.kind != "ball"]
            for place in places_of(self.table.board, layer):
                if not specs or draw.random() > share * (0.4 if layer == "cells" else 1.0):
                    continue
                spec, stray = draw.choice(specs), STRAY_MM[layer]
                at = self.table.board.at(place)
                assert at is not None
                turn = draw.uniform(0, 90) if layer == "cells" else 0.0
                laid.append(
                    Lying(
                        name=place,
                        spec=spec,
                        x_mm=at.x_mm + draw.uniform(-stray, stray),
                        y_mm=at.y_mm + draw.uniform(-stray, stray),
                        place=place,
                        turn_deg=90.0 if place.startswith("edges:v:") else turn,
                    )
                )
        return tuple(laid)

    def picture(
        self, laid: Iterable[Lying], limbs: tuple[Limb, ...] = (), *, anew: bool = True
    ) -> Picture:
        """A picture of them; with the same noise every time, or else with some of its own."""
        bodies = tuple(piece.body() for piece in laid)
        if anew:
            self.simulated.photographer.begin_again()
        return self.simulated.photographer.picture(Scene(bodies=bodies, limbs=limbs))


def lattice_table(
    game: str, folder: Path, size: tuple[int, int] = SIZE, light: str = "panels"
) -> LatticeTable:
    simulated = set_up_table(size, board=club_board(game, size), light=light)
    return LatticeTable(simulated=simulated, table=load_table(write_table(simulated, folder)))


LIGHTS = ("lamp", "window", "panels")


def in_each_light(game: str, finish: str) -> dict[str, SimulatedTable]:
    """One table by three lights, each mirrored elsewhere, on the border too."""
    size = (960, 720)
    board = club_board(game, size)
    return {light: set_up_table(size, board=board, finish=finish, light=light) for light in LIGHTS}


def truth_of(laid: Iterable[Lying]) -> dict[str, object]:
    """What stands where, by full names ("holes:3,4"), as an observation's lattice says it."""
    return _by_full_names(lattice_truth(tuple(laid)))


def told_of(seen: Observation) -> dict[str, object]:
    """What is told to stand where, by full names."""
    return _by_full_names(seen.lattice)


def misread(seen: Observation, truth: Mapping[str, object]) -> set[str]:
    """The places that are told otherwise than they truly are, by full names."""
    told = told_of(seen)
    return {p for p in {*truth, *told} - seen.unknown if truth.get(p) != told.get(p)}


def _by_full_names(lattice: Mapping[str, Mapping[str, object]]) -> dict[str, object]:
    return {f"{la}:{key}": held for la, places in lattice.items() for key, held in places.items()}


def exposed(picture: Picture, gain: float) -> Picture:
    """As the camera would have seen it at another exposure."""
    return np.clip(picture * gain ** (1 / 2.2), 0, 255).round().astype(np.uint8)


def tinted(picture: Picture, bgr: tuple[float, float, float]) -> Picture:
    """In light of another colour."""
    scale = np.array(bgr) ** (1 / 2.2)
    return np.clip(picture * scale, 0, 255).round().astype(np.uint8)


def noisy(picture: Picture, sigma: float) -> Picture:
    added = np.random.default_rng(3).normal(0, sigma, picture.shape)
    return np.clip(picture + added, 0, 255).round().astype(np.uint8)


def pressed(picture: Picture, quality: int) -> Picture:
    """Through a JPEG of that quality."""
    coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), dtype=np.uint8)


def shaded(picture: Picture, least: float) -> Picture:
    """Darker to the right, down to that share of the light."""
    across = np.linspace(1.0, least, picture.shape[1])[None, :, None] ** (1 / 2.2)
    return np.clip(picture * across, 0, 255).round().astype(np.uint8)
