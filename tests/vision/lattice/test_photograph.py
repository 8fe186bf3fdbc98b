"""A lattice is read off a single photograph, given its corners and one example of each thing."""

import cv2
import numpy as np
import pytest

from vision.frame import Picture
from vision.lattice.photograph import BARE, PhotographedGrid, Place, read_photograph

SIDE = 9
GRID = PhotographedGrid(
    corners_px=((90.0, 70.0), (420.0, 55.0), (455.0, 400.0), (60.0, 410.0)),
    cols=SIDE,
    rows=SIDE,
    cells=False,
)
WHITE, BLACK = (225, 228, 230), (40, 38, 36)
STONES: dict[Place, tuple[int, int, int]] = {
    (2, 2): WHITE,
    (6, 2): BLACK,
    (4, 4): BLACK,
    (5, 4): WHITE,
    (4, 5): WHITE,
    (8, 8): BLACK,
    (0, 3): WHITE,
}
NAMES = {WHITE: "white", BLACK: "black"}


def photograph(brighter_to_the_right: float) -> Picture:
    """A wooden board with stones on its crossings, oblique, with noise, lit from one side."""
    span, edge = 40, 60
    flat = np.full((2 * edge + 8 * span, 2 * edge + 8 * span, 3), (120, 175, 205), dtype=np.uint8)
    for k in range(SIDE):
        at = edge + k * span
        cv2.line(flat, (edge, at), (edge + 8 * span, at), (40, 60, 70), 1, cv2.LINE_AA)
        cv2.line(flat, (at, edge), (at, edge + 8 * span), (40, 60, 70), 1, cv2.LINE_AA)
    for (col, row), colour in STONES.items():
        cv2.circle(flat, (edge + col * span, edge + row * span), 18, colour, -1, cv2.LINE_AA)
    ends = np.array([[0, 0], [8, 0], [8, 8], [0, 8]], dtype=np.float32) * span + edge
    to_picture = cv2.getPerspectiveTransform(ends, np.array(GRID.corners_px, dtype=np.float32))
    seen = cv2.warpPerspective(flat, to_picture, (520, 480), flags=cv2.INTER_AREA).astype(float)
    seen *= np.linspace(1.0, brighter_to_the_right, 520)[None, :, None]
    seen += np.random.default_rng(1).normal(0, 3, seen.shape)
    return np.clip(seen, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("light", [1.0, 0.6, 1.1], ids=["even", "darker aside", "brighter aside"])
def test_every_stone_is_read_and_nothing_else(light: float) -> None:
    examples = {(3, 3): BARE, (5, 4): "white", (4, 4): "black"}
    read = read_photograph(photograph(light), GRID, examples)
    assert {r.place: r.name for r in read if r.name != BARE} == {
        place: NAMES[colour] for place, colour in STONES.items()
    }


@pytest.mark.parametrize("examples", [{}, {(9, 0): "white"}], ids=["none", "off the grid"])
def test_examples_have_to_lie_on_the_grid(examples: dict[Place, str]) -> None:
    with pytest.raises(ValueError, match="expected examples at places of the grid"):
        read_photograph(photograph(1.0), GRID, examples)
