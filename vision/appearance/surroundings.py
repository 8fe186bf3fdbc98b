"""The board about the pieces, where their shadows fall: what the light is read from."""

from collections.abc import Iterable, Sequence

import numpy as np

from vision.appearance.light import Standing, Surroundings
from vision.appearance.patch import cut, reach_mm
from vision.appearance.scene import Scene

NEIGHBOUR_MM = 26.0
_MARGIN_PX = 13.0
_CUSHION_MM = 55.0


def beside(standing: Sequence[Standing], n: int) -> list[Standing]:
    """The pieces near enough to number `n` to hide or shade the board about it."""
    me = standing[n]
    return [
        s
        for k, s in enumerate(standing)
        if k != n
        and np.hypot(s.x_mm - me.x_mm, s.y_mm - me.y_mm)
        < s.body.radius_mm + me.body.radius_mm + NEIGHBOUR_MM
    ]


def surroundings(
    scene: Scene, standing: Sequence[Standing], numbers: Iterable[int], most: int = 14
) -> list[Surroundings]:
    """The board about the pieces that stand freest, for reading the light off their shadows."""
    view = scene.view
    found = []
    board = view.table.board
    inner = [
        n
        for n in numbers
        if abs(standing[n].x_mm) < board.width_mm / 2 - _CUSHION_MM
        and abs(standing[n].y_mm) < board.height_mm / 2 - _CUSHION_MM
    ]
    order = sorted(inner if len(inner) >= 5 else numbers, key=lambda n: len(beside(standing, n)))
    for n in order[:most]:
        me = standing[n]
        others = beside(standing, n)
        patch = cut(
            scene,
            me,
            others,
            margin_px=_MARGIN_PX,
        )
        if patch is None:
            continue
        free = np.ones(len(patch.seen), dtype=bool)
        for piece in (me, *others):
            free &= reach_mm(patch.foot, patch.drift, patch.origin, piece) * view.scale > 1.0
        free &= ~patch.apart
        free &= np.arange(len(free)) % 2 == 0
        if free.sum() < 60:
            continue
        expected = np.maximum(patch.board[free], 0.4)
        seen = patch.seen[free] / expected
        level = float(np.quantile(seen, 0.8))
        usual = np.abs(seen / level - 0.6) < 0.7
        found.append(
            Surroundings(
                pieces=(me, *others),
                foot=patch.foot[free],
                seen=seen / level,
                weight=usual * expected / expected.max(),
            )
        )
    return found
