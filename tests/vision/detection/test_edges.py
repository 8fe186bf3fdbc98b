"""Edges of what stands on the board, and none of what is painted on it."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.relight import Box, Relit
from vision.detection.edges import Edges, edges_of

SIZE = 120
ON = np.ones((SIZE, SIZE), dtype=bool)


def painted_board() -> NDArray[np.float32]:
    """Wood with a red circle painted at (40, 60), 14 px in radius, and a black line."""
    board = np.full((SIZE, SIZE, 3), (130, 175, 205), dtype=np.float32)
    cv2.circle(board, (40, 60), 14, (40, 40, 170), -1, cv2.LINE_AA)
    cv2.line(board, (5, 20), (115, 20), (30, 30, 30), 2, cv2.LINE_AA)
    grain = np.random.default_rng(1).normal(0, 1.0, board.shape)
    return np.asarray(board + grain, dtype=np.float32)


def edges(picture: NDArray[np.float32], board: NDArray[np.float32]) -> Edges:
    noise = np.random.default_rng(2).normal(0, 1.0, picture.shape)
    relit = Relit(
        box=Box(u0=0, v0=0, u1=SIZE, v1=SIZE),
        picture=np.asarray(picture + noise, dtype=np.float32),
        board=board,
        gain=np.ones_like(board),
    )
    return edges_of(relit, ON)


def on_circle(found: Edges, u: int, v: int, radius: float) -> float:
    """How many times stronger than the noise the edge is all along a circle, on average."""
    angles = np.arange(60) * np.pi / 30
    columns = np.round(u + radius * np.cos(angles)).astype(int)
    rows = np.round(v + radius * np.sin(angles)).astype(int)
    return float(found.strength[rows, columns].mean() / found.noise)


@pytest.mark.parametrize("left", [1.0, 0.7, 0.45], ids=["clear", "paler", "half washed out"])
def test_paint_that_a_reflection_washes_out_shows_no_edge(left: float) -> None:
    board = painted_board()
    washed = np.asarray(230 + left * (board - 230), dtype=np.float32)
    assert on_circle(edges(washed, board), 40, 60, 14) < 3.5


def test_a_piece_shows_its_rim_beside_paint_and_on_it() -> None:
    board = painted_board()
    picture = board.copy()
    cv2.circle(picture, (85, 70), 14, (150, 190, 215), -1, cv2.LINE_AA)
    cv2.circle(picture, (40, 60), 14, (60, 60, 60), -1, cv2.LINE_AA)
    found = edges(picture, board)
    assert on_circle(found, 85, 70, 14) > 5
    assert on_circle(found, 40, 60, 14) > 5


def test_where_one_band_of_rows_ends_and_the_next_begins_edges_are_what_they_are() -> None:
    board = np.vstack([painted_board()] * 3)
    picture = board.copy()
    cv2.circle(picture, (70, 128), 14, (60, 60, 60), -1, cv2.LINE_AA)
    rows = slice(90, 170)
    box = Box(u0=0, v0=0, u1=SIZE, v1=3 * SIZE)
    whole = Relit(box=box, picture=picture, board=board, gain=np.ones_like(board))
    part = Relit(box=box, picture=picture[rows], board=board[rows], gain=np.ones_like(board[rows]))
    of_whole = edges_of(whole, np.ones((3 * SIZE, SIZE), dtype=bool)).planes[rows]
    of_part = edges_of(part, np.ones((80, SIZE), dtype=bool)).planes
    inner = slice(10, 70)
    assert np.allclose(of_whole[inner], of_part[inner], atol=1e-4)
