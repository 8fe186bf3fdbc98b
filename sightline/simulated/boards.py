"""The simulated club's board: the built-in Q-Square board with printed markers on its frame."""

from dataclasses import replace

from rules.board import Board, Fiducial, Line, PieceSpec, Pocket, Shape
from rules.geometry import Point, Seat

MARKER = "DICT_4X4_50"


def with_markers(board: Board, size_mm: float = 44.0, z_mm: float | None = None) -> Board:
    """The board with markers on its frame's corners, ids 0 to 3 counter-clockwise from SW."""
    x = board.width_mm / 2 + board.border_width_mm / 2
    y = board.height_mm / 2 + board.border_width_mm / 2
    z = board.border_height_mm + 0.1 if z_mm is None else z_mm
    corners = ((-x, -y), (x, -y), (x, y), (-x, y))
    return replace(
        board,
        fiducials=tuple(
            Fiducial(dictionary=MARKER, id=k, centre=Point(px, py), z_mm=z, size_mm=size_mm)
            for k, (px, py) in enumerate(corners)
        ),
    )


def qsquare_board() -> Board:
    """The built-in Q-Square board (rulebook, section 1.2)."""
    half, home, black, red = 508.0, 408.0, 140.0, 100.0

    def square(k: float) -> tuple[Point, ...]:
        return tuple(Point(a * k, b * k) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)))

    ends = {
        Seat.S: ((-half, -home), (half, -home)),
        Seat.E: ((home, -half), (home, half)),
        Seat.N: ((half, home), (-half, home)),
        Seat.W: ((-home, half), (-home, -half)),
    }
    lines = [
        Line(id=f"home-{seat}", colour="black", width_mm=3.0, points=tuple(Point(*p) for p in pts))
        for seat, pts in ends.items()
    ]
    lines.append(Line(id="central", colour="black", width_mm=3.0, points=square(black)))
    lines.append(Line(id="central-red", colour="red", width_mm=3.0, points=square(red)))
    corners = {"SW": (-1, -1), "SE": (1, -1), "NE": (1, 1), "NW": (-1, 1)}
    return Board(
        game="qsquare",
        name="Q-Square",
        width_mm=1016.0,
        height_mm=1016.0,
        border_width_mm=60.0,
        border_height_mm=20.0,
        lines=tuple(lines),
        pockets=tuple(
            Pocket(id=k, centre=Point(470.0 * a, 470.0 * b), radius_mm=38.0)
            for k, (a, b) in corners.items()
        ),
        pieces=(
            _ring("cue-puck", "natural", 50.0, 16.0, (214, 176, 118)),
            _ring("puck", "red", 25.0, 8.0, (172, 30, 34)),
            _ring("puck", "blue", 25.0, 8.0, (28, 52, 132)),
            _ring("queen", "white", 25.0, 8.0, (230, 226, 216)),
        ),
    )


def _ring(
    kind: str, colour: str, diameter: float, hole: float, rgb: tuple[int, int, int]
) -> PieceSpec:
    return PieceSpec(
        kind=kind,
        colour=colour,
        shape=Shape.RING,
        diameter_mm=diameter,
        thickness_mm=12.0,
        hole_mm=hole,
        rgb=rgb,
    )
