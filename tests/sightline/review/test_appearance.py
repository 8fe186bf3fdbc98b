"""Which look a piece comes nearest to in the picture that its board was read from."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from testkit.reference_tables import TABLES

from calibration.table import Table, load_table
from rules.facts import Piece, Settled
from rules.geometry import Point
from sightline.review.alternatives import doubts_of
from sightline.review.appearance import alike_in_picture

TABLE = TABLES / "qsquare-oak-720"


@pytest.fixture(scope="module")
def table() -> Table:
    return load_table(TABLE)


@pytest.fixture(scope="module")
def pieces(table: Table) -> tuple[Piece, ...]:
    """Three of each of two looks of one kind."""
    first, second = [spec for spec in table.board.pieces if spec.kind == "puck"][:2]
    return tuple(
        Piece(
            name=f"{spec.colour}-{n}",
            kind=spec.kind,
            colour=spec.colour,
            at=Point(60.0 * n - 120, y_mm),
            error_mm=0.05,
        )
        for spec, y_mm in ((first, -60.0), (second, 60.0))
        for n in (1, 2, 3)
    )


def drawn(table: Table, pieces: tuple[Piece, ...], scale: float = 1.0) -> bytes:
    """A picture of the pieces on the empty board, as JPEG."""
    picture = table.empty.copy()
    for piece in pieces:
        spec = next(
            s for s in table.board.pieces if (s.kind, s.colour) == (piece.kind, piece.colour)
        )
        turns = np.linspace(0, 2 * np.pi, 40, endpoint=False)
        radius_mm = spec.diameter_mm / 2
        rim = np.stack(
            [
                piece.at.x_mm + radius_mm * np.cos(turns),
                piece.at.y_mm + radius_mm * np.sin(turns),
                np.full(40, spec.thickness_mm),
            ],
            axis=1,
        )
        corners = np.round(table.camera.project(rim)).astype(np.int32)
        cv2.fillPoly(picture, [corners], spec.rgb[::-1])
    if scale != 1.0:
        picture = cv2.resize(picture, None, fx=scale, fy=scale)
    return cv2.imencode(".jpg", picture)[1].tobytes()


@pytest.mark.parametrize("scale", [1.0, 0.5])
def test_a_piece_that_was_named_right_looks_like_its_own(
    table: Table, pieces: tuple[Piece, ...], scale: float
) -> None:
    alike = alike_in_picture(drawn(table, pieces, scale), table, pieces)
    assert {name: looks[0] for name, looks in alike.items()} == {
        piece.name: (piece.kind, piece.colour) for piece in pieces
    }


def test_a_piece_that_was_named_wrongly_is_doubtful_and_what_it_looks_like_comes_first(
    table: Table, pieces: tuple[Piece, ...]
) -> None:
    jpeg = drawn(table, pieces)
    other = pieces[-1]
    wrong = replace(pieces[0], kind=other.kind, colour=other.colour, name="wrong")
    read = (wrong, *pieces[1:])
    alike = alike_in_picture(jpeg, table, read)
    right = (pieces[0].kind, pieces[0].colour)
    assert alike["wrong"][0] == right

    known = {piece.name: piece for piece in (*pieces, replace(wrong, name="a-queen", kind="queen"))}
    doubts = doubts_of(Settled(at_ms=1, pieces=read), None, (), known, alike)
    doubt = next(doubt for doubt in doubts if doubt.name == "wrong")
    assert doubt.words.startswith(f"looks more like a {right[1]} {right[0]}")
    first = doubt.runners[0].piece
    assert first is not None
    assert (first.name, first.at) == (pieces[0].name, wrong.at)


def test_without_a_picture_nothing_is_said(table: Table, pieces: tuple[Piece, ...]) -> None:
    assert alike_in_picture(b"", table, pieces) == {}
    assert alike_in_picture(b"no picture", table, pieces) == {}
    away = replace(pieces[0], at=Point(5000, 0))
    assert alike_in_picture(drawn(table, pieces), table, (away,)) == {}
