"""The calibration sheet for the lens, and the markers for a board's corners."""

from collections.abc import Sequence
from math import floor
from typing import Any

import cv2
import numpy as np

from calibration.sheet import CharucoSheet
from rules.board import Fiducial
from sightline.printing.drawing import Block, Page, Stroke, Words, check_ruler

_SQUARES = (7, 9)  # odd rows: OpenCV changed the pattern of even ones between its versions
_DICTIONARY = "DICT_5X5_100"  # not the one of the boards' markers, so that they are never mixed up
_MARGIN_MM = 10.0
_FOOT_MM = 24.0
_QUIET = 0.25  # white around a marker, as a share of its side


def lens_sheet(paper_mm: tuple[float, float]) -> CharucoSheet:
    """The largest sheet of whole millimetres that fits on the paper."""
    across, down = _SQUARES
    square_mm = floor(
        min(
            (paper_mm[0] - 2 * _MARGIN_MM) / across,
            (paper_mm[1] - 2 * _MARGIN_MM - _FOOT_MM) / down,
        )
    )
    return CharucoSheet(
        dictionary=_DICTIONARY,
        squares_x=across,
        squares_y=down,
        square_mm=float(square_mm),
        marker_mm=float(floor(square_mm * 0.75)),
    )


def lens_page(sheet: CharucoSheet, paper_mm: tuple[float, float]) -> Page:
    """The calibration sheet drawn in the middle of the paper, with its check ruler beneath."""
    width_mm, height_mm = paper_mm
    left_mm = (width_mm - sheet.squares_x * sheet.square_mm) / 2
    things: list[Block | Stroke | Words] = []
    markers = _charuco_markers(sheet)
    for row in range(sheet.squares_y):
        for col in range(sheet.squares_x):
            x_mm, y_mm = left_mm + col * sheet.square_mm, _MARGIN_MM + row * sheet.square_mm
            if (col, row) in markers:
                inset_mm = (sheet.square_mm - sheet.marker_mm) / 2
                things += marker_blocks(
                    sheet.dictionary,
                    markers[col, row],
                    x_mm + inset_mm,
                    y_mm + inset_mm,
                    sheet.marker_mm,
                )
            else:
                side_mm = sheet.square_mm
                things.append(Block(x_mm=x_mm, y_mm=y_mm, width_mm=side_mm, height_mm=side_mm))
    foot_mm = _MARGIN_MM + sheet.squares_y * sheet.square_mm
    words = (
        f"Sightline calibration sheet: {sheet.squares_x} x {sheet.squares_y} squares of "
        f"{sheet.square_mm:g} mm, markers {sheet.marker_mm:g} mm, {sheet.dictionary}. "
        "Glue it to something flat."
    )
    things.append(Words(x_mm=left_mm, y_mm=foot_mm + 6.0, text=words, size_mm=3.0))
    things += check_ruler(left_mm, foot_mm + 15.0)
    return Page(width_mm=width_mm, height_mm=height_mm, things=tuple(things))


def marker_pages(fiducials: Sequence[Fiducial], paper_mm: tuple[float, float]) -> tuple[Page, ...]:
    """A board's markers at true size, with their white margins and lines to cut along.

    Each is drawn as it looks with its top edge towards N; ValueError for one larger than the paper.
    """
    pages: list[Page] = []
    waiting = list(fiducials)
    while waiting:
        things, waiting = _marker_page(waiting, paper_mm)
        pages.append(Page(width_mm=paper_mm[0], height_mm=paper_mm[1], things=tuple(things)))
    return tuple(pages)


def marker_blocks(
    dictionary: str, number: int, x_mm: float, y_mm: float, side_mm: float
) -> list[Block]:
    """A marker as black rectangles, neighbours in a row joined; ValueError for an unknown one."""
    bits = _bits(dictionary, number)
    cell_mm = side_mm / len(bits)
    blocks: list[Block] = []
    for row, line in enumerate(bits):
        edges = np.flatnonzero(np.diff(np.concatenate(([0], line, [0]))))
        blocks += [
            Block(
                x_mm=x_mm + begin * cell_mm,
                y_mm=y_mm + row * cell_mm,
                width_mm=(end - begin) * cell_mm,
                height_mm=cell_mm,
            )
            for begin, end in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)
        ]
    return blocks


def _marker_page(
    waiting: list[Fiducial], paper_mm: tuple[float, float]
) -> tuple[list[Block | Stroke | Words], list[Fiducial]]:
    """As many markers as fit, row by row, and those that are left."""
    things: list[Block | Stroke | Words] = []
    things += check_ruler(_MARGIN_MM, paper_mm[1] - _MARGIN_MM - 6.0)
    x_mm, y_mm, row_mm = _MARGIN_MM, _MARGIN_MM, 0.0
    for at, fiducial in enumerate(waiting):
        whole_mm = fiducial.size_mm * (1 + 2 * _QUIET)
        if x_mm + whole_mm > paper_mm[0] - _MARGIN_MM:
            x_mm, y_mm, row_mm = _MARGIN_MM, y_mm + row_mm, 0.0
        if (
            whole_mm > paper_mm[0] - 2 * _MARGIN_MM
            or y_mm + whole_mm + 6.0 > paper_mm[1] - _MARGIN_MM - _FOOT_MM
        ):
            if at == 0:
                raise ValueError(
                    f"expected paper for a marker of {fiducial.size_mm:g} mm and its margins, "
                    f"got {paper_mm[0]:g} x {paper_mm[1]:g} mm; choose a larger paper"
                )
            return things, waiting[at:]
        things += _cut_out(fiducial, x_mm, y_mm, whole_mm)
        x_mm += whole_mm
        row_mm = max(row_mm, whole_mm + 6.0)
    return things, []


def _cut_out(
    fiducial: Fiducial, x_mm: float, y_mm: float, whole_mm: float
) -> list[Block | Stroke | Words]:
    margin_mm = fiducial.size_mm * _QUIET
    corners = [
        (x_mm, y_mm),
        (x_mm + whole_mm, y_mm),
        (x_mm + whole_mm, y_mm + whole_mm),
        (x_mm, y_mm + whole_mm),
    ]
    cuts = [
        Stroke(x1_mm=a[0], y1_mm=a[1], x2_mm=b[0], y2_mm=b[1], width_mm=0.15, dashed=True)
        for a, b in zip(corners, corners[1:] + corners[:1], strict=True)
    ]
    turn = f", turned {fiducial.yaw_deg:g}°" if fiducial.yaw_deg else ""
    words = (
        f"{fiducial.dictionary} {fiducial.id}: at x {fiducial.centre.x_mm:g}, "
        f"y {fiducial.centre.y_mm:g}{turn}; this edge S"
    )
    return [
        *marker_blocks(
            fiducial.dictionary,
            fiducial.id,
            x_mm + margin_mm,
            y_mm + margin_mm,
            fiducial.size_mm,
        ),
        *cuts,
        Words(x_mm=x_mm + 1.0, y_mm=y_mm + whole_mm + 3.5, text=words, size_mm=2.0),
    ]


def _charuco_markers(sheet: CharucoSheet) -> dict[tuple[int, int], int]:
    """Which marker is in which square (col, row), by OpenCV's own word."""
    board = cv2.aruco.CharucoBoard(
        (sheet.squares_x, sheet.squares_y),
        sheet.square_mm,
        sheet.marker_mm,
        _dictionary(sheet.dictionary),
    )
    board.setLegacyPattern(sheet.legacy_pattern)
    return {
        (
            int(np.mean(np.asarray(corners).reshape(-1, 3)[:, 0]) // sheet.square_mm),
            int(np.mean(np.asarray(corners).reshape(-1, 3)[:, 1]) // sheet.square_mm),
        ): int(number)
        for corners, number in zip(
            board.getObjPoints(), np.asarray(board.getIds()).ravel(), strict=True
        )
    }


def _bits(dictionary: str, number: int) -> "np.ndarray[tuple[int, int], np.dtype[np.int8]]":
    """The marker's cells with its black rim, 1 for black."""
    known = _dictionary(dictionary)
    if not 0 <= number < len(known.bytesList):
        raise ValueError(
            f"expected a marker below {len(known.bytesList)} of {dictionary}, got {number}"
        )
    side = int(known.markerSize) + 2
    return (np.asarray(known.generateImageMarker(number, side)) < 128).astype(np.int8)


def _dictionary(name: str) -> Any:
    number = getattr(cv2.aruco, name, None)
    if not isinstance(number, int) or not name.startswith("DICT_"):
        raise ValueError(f'expected a dictionary of OpenCV such as "DICT_4X4_50", got {name!r}')
    return cv2.aruco.getPredefinedDictionary(number)
