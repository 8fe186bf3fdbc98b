"""Printed sheets: true to the millimetre, and found again by those who look for them."""

import base64
import re
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.sheet import View, find_sheet, read_sheet
from rules.board import Fiducial
from rules.geometry import Point
from sightline.cli import run
from sightline.printing.drawing import PAPERS, POINTS_PER_MM, Block, Page, Stroke, Words, pdf_of
from sightline.printing.sheets import lens_page, lens_sheet, marker_pages

PX_PER_MM = 4


def printed(page: Page) -> NDArray[np.uint8]:
    """The page as a perfect printer would print its blocks."""
    size = (round(page.height_mm * PX_PER_MM), round(page.width_mm * PX_PER_MM))
    paper = np.full(size, 255, np.uint8)
    for block in page.things:
        if isinstance(block, Block):
            left, top = block.x_mm * PX_PER_MM, block.y_mm * PX_PER_MM
            right, bottom = left + block.width_mm * PX_PER_MM, top + block.height_mm * PX_PER_MM
            level = 0 if block.black else 255
            paper[round(top) : round(bottom), round(left) : round(right)] = level
    return paper


def markers(count: int = 4, size_mm: float = 40.0) -> list[Fiducial]:
    return [
        Fiducial(
            dictionary="DICT_4X4_50",
            id=number,
            centre=Point(500.0 * number, -500.0),
            z_mm=18.0,
            size_mm=size_mm,
        )
        for number in range(count)
    ]


@pytest.mark.parametrize("paper", PAPERS)
def test_the_calibration_sheet_is_found_whole_by_those_who_calibrate(paper: str) -> None:
    sheet = lens_sheet(PAPERS[paper])

    view = find_sheet(printed(lens_page(sheet, PAPERS[paper])), sheet)

    assert isinstance(view, View)
    assert len(view.pixels) == (sheet.squares_x - 1) * (sheet.squares_y - 1)
    assert sheet.squares_y % 2 == 1
    apart_mm = np.diff(view.pixels[view.places_mm[:, 1].argsort(kind="stable")], axis=0)[:5, 0]
    assert np.abs(apart_mm / PX_PER_MM - sheet.square_mm).max() < 0.1


@pytest.mark.parametrize("paper", PAPERS)
def test_nothing_is_drawn_beyond_what_printers_reach(paper: str) -> None:
    page = lens_page(lens_sheet(PAPERS[paper]), PAPERS[paper])

    for thing in page.things:
        if isinstance(thing, Block):
            assert thing.x_mm >= 8.0
            assert thing.y_mm >= 8.0
            assert thing.x_mm + thing.width_mm <= page.width_mm - 8.0
            assert thing.y_mm + thing.height_mm <= page.height_mm - 8.0


def test_a_boards_markers_are_found_at_their_true_size() -> None:
    (page,) = marker_pages(markers(), PAPERS["a4"])
    paper = printed(page)

    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    corners, ids, _ = detector.detectMarkers(paper)

    assert sorted(np.asarray(ids).ravel().tolist()) == [0, 1, 2, 3]
    for found in corners:
        sides = np.linalg.norm(np.diff(np.asarray(found).reshape(-1, 2), axis=0), axis=1)
        assert np.abs(sides / PX_PER_MM - 40.0).max() < 0.5


def test_many_or_large_markers_take_as_many_pages_as_they_need() -> None:
    pages = marker_pages(markers(9, 60.0), PAPERS["a4"])

    named = [thing.text for page in pages for thing in page.things if isinstance(thing, Words)]
    assert len(pages) > 1
    assert all(any(f"DICT_4X4_50 {number}:" in text for text in named) for number in range(9))


def test_a_marker_larger_than_the_paper_is_refused() -> None:
    with pytest.raises(ValueError, match="choose a larger paper"):
        marker_pages(markers(1, 150.0), PAPERS["a4"])


@pytest.mark.parametrize(("dictionary", "number"), [("DICT_9X9_1", 0), ("DICT_4X4_50", 50)])
def test_a_marker_that_does_not_exist_is_refused(dictionary: str, number: int) -> None:
    wrong = Fiducial(
        dictionary=dictionary, id=number, centre=Point(0.0, 0.0), z_mm=0.0, size_mm=40.0
    )
    with pytest.raises(ValueError, match="expected"):
        marker_pages([wrong], PAPERS["a4"])


def test_each_page_has_a_ruler_of_exactly_100_mm() -> None:
    sheet = lens_sheet(PAPERS["a4"])
    for page in (lens_page(sheet, PAPERS["a4"]), *marker_pages(markers(), PAPERS["a4"])):
        lengths = [
            thing.x2_mm - thing.x1_mm
            for thing in page.things
            if isinstance(thing, Stroke) and not thing.dashed and thing.y1_mm == thing.y2_mm
        ]
        assert lengths == [100.0]


def test_the_pdf_says_the_same_millimetres() -> None:
    page = Page(
        width_mm=210.0,
        height_mm=297.0,
        things=(Block(x_mm=10.0, y_mm=20.0, width_mm=30.0, height_mm=40.0),),
    )

    pdf = pdf_of([page], "A test")

    assert pdf == pdf_of([page], "A test")
    box = re.search(rb"/MediaBox \[ ?0 0 ([\d.]+) ([\d.]+) ?\]", pdf)
    assert box is not None
    assert [float(side) / POINTS_PER_MM for side in box.groups()] == pytest.approx([210.0, 297.0])
    stream = re.search(rb"stream\r?\n(.*?)~?>?endstream", pdf, re.S)
    assert stream is not None
    drawn = zlib.decompress(base64.a85decode(stream.group(1).strip().removesuffix(b"~>")))
    found = re.search(rb"([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re", drawn)
    assert found is not None
    assert [float(number) / POINTS_PER_MM for number in found.groups()] == pytest.approx(
        [10.0, 297.0 - 60.0, 30.0, 40.0], abs=1e-3
    )


def test_the_command_writes_sheets_that_calibration_can_read(tmp_path: Path) -> None:
    assert run(["sheets", "qsquare", "--out", str(tmp_path)]) == 0

    assert read_sheet(tmp_path / "charuco.json") == lens_sheet(PAPERS["a4"])
    for name in ("calibration-sheet.pdf", "marker-sheet.pdf"):
        assert (tmp_path / name).read_bytes().startswith(b"%PDF")


def test_a_board_that_is_not_there_is_said_with_the_games_there_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["sheets", "ludo", "--out", str(tmp_path)]) == 2

    assert "qsquare" in capsys.readouterr().err
