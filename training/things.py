"""What the rendered tables are made of: kinds of pieces with turned rims, woods, painted lines."""

import json
import math
import random
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

PAINT_PX = 4064

Colour = Sequence[float]
Placed = list[tuple[int, float, float]]

WOODS: list[tuple[Colour, Colour]] = [
    ((0.40, 0.22, 0.08), (0.62, 0.38, 0.17)),
    ((0.55, 0.36, 0.18), (0.72, 0.52, 0.30)),
    ((0.45, 0.28, 0.12), (0.56, 0.38, 0.20)),
    ((0.62, 0.62, 0.58), (0.70, 0.70, 0.67)),
    ((0.25, 0.13, 0.06), (0.38, 0.21, 0.10)),
    ((0.50, 0.40, 0.26), (0.60, 0.49, 0.33)),
]
PAINTS: dict[str, list[Colour]] = {
    "red": [(0.30, 0.012, 0.015), (0.45, 0.03, 0.02), (0.25, 0.02, 0.03)],
    "black": [(0.012, 0.012, 0.012), (0.03, 0.03, 0.033), (0.02, 0.018, 0.016)],
    "blue": [(0.015, 0.04, 0.28), (0.02, 0.08, 0.35)],
    "green": [(0.02, 0.14, 0.05)],
    "white": [(0.78, 0.75, 0.68), (0.70, 0.62, 0.45)],
    "natural": [(0.62, 0.40, 0.18), (0.68, 0.48, 0.26), (0.55, 0.33, 0.14)],
}


_SUPPORT_MM = 0.02
"""So far from its bevel a face is held level; else its shading would make it a dome."""


class Piece:
    """One kind of piece: how large, how it is painted, how its rim is turned."""

    def __init__(
        self,
        dice: random.Random,
        kind: str,
        colour: str,
        diameter: float,
        thickness: float,
        hole: float,
    ) -> None:
        self.kind, self.colour = kind, colour
        self.diameter, self.thickness, self.hole = diameter, thickness, hole
        self.paint = [
            min(max(c + dice.uniform(-0.03, 0.03) * max(c, 0.1), 0.004), 0.95)
            for c in dice.choice(PAINTS[colour])
        ]
        self.bevel = dice.uniform(0.35, 0.7)
        self.rough = dice.uniform(0.12, 0.6)
        self.coat = dice.choice([0.0, 0.0, dice.uniform(0.2, 1)])
        self.grain = dice.random() < 0.4

    def profile(self) -> tuple[list[tuple[float, float]], bool]:
        """Points (r, z) of the cross-section in mm, and whether they close into a ring."""
        radius, hole = self.diameter / 2, self.hole / 2
        bevel = min(self.bevel, 0.3 * self.thickness)
        top = self.thickness - bevel

        def arc(r: float, z: float, first: float, last: float) -> list[tuple[float, float]]:
            turns = np.linspace(first, last, 6) * math.pi
            bend = [(r + bevel * math.cos(a), z + bevel * math.sin(a)) for a in turns]
            along = math.copysign(_SUPPORT_MM, last - first)
            (r0, z0), (r1, z1), a0, a1 = bend[0], bend[-1], turns[0], turns[-1]
            before = r0 + along * math.sin(a0), z0 - along * math.cos(a0)
            after = r1 - along * math.sin(a1), z1 + along * math.cos(a1)
            return [before, *bend, after]

        if hole:
            inner = [*arc(hole + bevel, bevel, 1.5, 1.0), *arc(hole + bevel, top, 1.0, 0.5)]
            outer = [*arc(radius - bevel, top, 0.5, 0.0), *arc(radius - bevel, bevel, 0.0, -0.5)]
            return inner + outer, True
        groove = 0.12
        moulded = [(0.75, 0.0), (0.68, groove), (0.40, 0.0), (0.33, groove)]
        points = [*arc(radius - bevel, bevel, -0.5, 0.0), *arc(radius - bevel, top, 0.0, 0.5)]
        points += [(radius * share, self.thickness - deep) for share, deep in moulded]
        return [*points, (0.001, self.thickness)], False


def pieces_of(dice: random.Random, game: str) -> list[Piece]:
    """The large one, the two sides' and the queen."""
    if game == "carrom":
        thickness = round(dice.uniform(7, 9), 1)
        return [
            Piece(dice, "striker", "white", 41.3, round(dice.uniform(7, 9), 1), 0),
            Piece(dice, "carromman", "natural", 31.8, thickness, 0),
            Piece(dice, "carromman", "black", 31.8, thickness, 0),
            Piece(dice, "queen", "red", 31.8, thickness, 0),
        ]
    sides = dice.choice([("red", "black"), ("red", "blue"), ("green", "black")])
    size, thickness = dice.uniform(0.92, 1.1), round(dice.uniform(6, 8.5), 1)
    large = round(47 * size, 1), round(dice.uniform(8, 11), 1), round(14 * size, 1)
    side = round(30 * size, 1), thickness, round(9 * size, 1)
    queen = round(25 * size, 1), round(dice.uniform(6, 7), 1), round(8.5 * size, 1)
    return [
        Piece(dice, "cue-puck", "natural", *large),
        Piece(dice, "puck", sides[0], *side),
        Piece(dice, "puck", sides[1], *side),
        Piece(dice, "queen", "white", *queen),
    ]


def scattered(
    dice: random.Random, pieces: Sequence[Piece], surface_mm: float, count: int
) -> Placed:
    """Up to `count` pieces, some touching each other or the border, none overlapping."""
    any_, half = dice.uniform, surface_mm / 2
    kinds = [0] * 9 + [3] * 9 + [1, 2] * count
    placed: Placed = []
    for _ in range(9999):
        if len(placed) == count:
            break
        piece = kinds[len(placed)]
        radius = pieces[piece].diameter / 2
        chance = dice.random()
        x, y = any_(-half + radius, half - radius), any_(-half + radius, half - radius)
        if chance < 0.22 and placed:
            other, near_x, near_y = dice.choice(placed)
            bearing = any_(0, 2 * math.pi)
            gap = dice.choice([1e-4, 1e-4, any_(0, 8)])
            away = radius + pieces[other].diameter / 2 + gap
            x, y = near_x + away * math.cos(bearing), near_y + away * math.sin(bearing)
        elif chance < 0.42:
            x = (half - radius - 1e-4) * dice.choice([-1, 1])
            x, y = (y, x) if dice.random() < 0.5 else (x, y)
        free = max(abs(x), abs(y)) < half - radius and all(
            math.hypot(x - a, y - b) >= radius + pieces[k].diameter / 2 - 1e-6 for k, a, b in placed
        )
        if free:
            placed.append((piece, x, y))
    return placed


class Paint:
    """The drawn lines, as masks for the renderer and as text for board.toml."""

    def __init__(self, surface: float, width: float) -> None:
        at = (np.arange(PAINT_PX, dtype=np.float32) + 0.5) / PAINT_PX * surface - surface / 2
        self._x, self._y = np.meshgrid(at, at)
        self._step = surface / PAINT_PX
        self._width = width
        self.masks = {c: np.zeros((PAINT_PX, PAINT_PX), np.float32) for c in ("black", "red")}
        self.text: list[str] = []

    def line(self, name: str, points: list[list[float]], colour: str) -> None:
        for (ax, ay), (bx, by) in pairwise(points):
            dx, dy = bx - ax, by - ay
            along = np.clip(((self._x - ax) * dx + (self._y - ay) * dy) / (dx * dx + dy * dy), 0, 1)
            self._draw(np.hypot(self._x - ax - along * dx, self._y - ay - along * dy), colour)
        self._say(name, colour, f"points = {json.dumps(points)}")

    def circle(self, name: str, radius: float, colour: str) -> None:
        self._draw(np.abs(np.hypot(self._x, self._y) - radius), colour)
        self._say(name, colour, f"centre = [0.0, 0.0]\nradius = {radius:.2f}")

    def _draw(self, away: np.ndarray, colour: str) -> None:
        covered = np.clip((self._width / 2 - away) / self._step + 0.5, 0, 1)
        np.maximum(self.masks[colour], covered, out=self.masks[colour])

    def _say(self, name: str, colour: str, shape: str) -> None:
        self.text.append(
            f'[[line]]\nid = "{name}"\ncolour = "{colour}"\nwidth = {self._width:.2f}\n{shape}\n'
        )
