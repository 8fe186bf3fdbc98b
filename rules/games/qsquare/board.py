"""The built-in Q-Square board: the default dimensions of the rulebook's section 1.2."""

from rules.board import Board, Fiducial, Line, PieceSpec, Pocket, Shape, Zone
from rules.geometry import Point, Seat, turned

SURFACE_MM = 1016.0
HALF_MM = SURFACE_MM / 2
HOME_MM = 100.0
BLACK_MM = 140.0
RED_MM = 100.0
POCKET_MM = 38.0
PENALTY_HALF_MM = 50.0
PENALTY_DEPTH_MM = 30.0
LINE_MM = 3.0
BORDER_MM = 60.0
BORDER_HEIGHT_MM = 20.0
MARKER_OUT_MM = 30.0
PRINT_MM = 0.1


def _square(half_mm: float) -> tuple[Point, ...]:
    return (
        Point(-half_mm, -half_mm),
        Point(half_mm, -half_mm),
        Point(half_mm, half_mm),
        Point(-half_mm, half_mm),
    )


def _box(x0: float, y0: float, x1: float, y1: float, seat: Seat) -> tuple[Point, ...]:
    corners = (Point(x0, y0), Point(x1, y0), Point(x1, y1), Point(x0, y1))
    return tuple(turned(corner, seat) for corner in corners)


_CORNERS = {Seat.S: "SW", Seat.E: "SE", Seat.N: "NE", Seat.W: "NW"}
_LEFT = {Seat.S: Seat.W, Seat.E: Seat.S, Seat.N: Seat.E, Seat.W: Seat.N}


def default_board() -> Board:
    """Return the board that is used where no table folder says otherwise."""
    front = HALF_MM - HOME_MM
    lines: list[Line] = []
    homes: list[Zone] = []
    corners: list[Zone] = []
    penalties: list[Zone] = []
    for seat in Seat:
        left = _LEFT[seat]
        right = next(s for s in Seat if _LEFT[s] is seat)
        line = f"home-{seat}"
        ends = (Point(-HALF_MM, -front), Point(HALF_MM, -front))
        lines.append(
            Line(
                id=line,
                colour="black",
                width_mm=LINE_MM,
                points=tuple(turned(end, seat) for end in ends),
            )
        )
        homes.append(
            Zone(
                id=line,
                kind="home",
                seat=seat,
                polygon=_box(-front, -HALF_MM, front, -front, seat),
                bounded_by=(line, f"home-{left}", f"home-{right}"),
            )
        )
        corners.append(
            Zone(
                id=f"pocket-zone-{_CORNERS[seat]}",
                kind="pocket-zone",
                polygon=_box(-HALF_MM, -HALF_MM, -front, -front, seat),
                bounded_by=(line, f"home-{left}"),
            )
        )
        penalties.append(
            Zone(
                id=f"penalty-{seat}",
                kind="penalty",
                seat=seat,
                polygon=_box(
                    -PENALTY_HALF_MM, -HALF_MM, PENALTY_HALF_MM, -HALF_MM + PENALTY_DEPTH_MM, seat
                ),
            )
        )
    for name, colour, half in (("central", "black", BLACK_MM), ("central-red", "red", RED_MM)):
        outline = _square(half)
        lines.append(Line(id=name, colour=colour, width_mm=LINE_MM, points=(*outline, outline[0])))
    central = Zone(id="central", kind="central", polygon=_square(BLACK_MM), bounded_by=("central",))
    red = Zone(
        id="central-red", kind="dead-centre", polygon=_square(RED_MM), bounded_by=("central-red",)
    )
    pocket = Point(POCKET_MM - HALF_MM, POCKET_MM - HALF_MM)
    marker = Point(-HALF_MM - MARKER_OUT_MM, -HALF_MM - MARKER_OUT_MM)
    return Board(
        game="qsquare",
        name="Q-Square, built-in board",
        width_mm=SURFACE_MM,
        height_mm=SURFACE_MM,
        border_width_mm=BORDER_MM,
        border_height_mm=BORDER_HEIGHT_MM,
        lines=tuple(lines),
        zones=(*homes, central, red, *corners, *penalties),
        pockets=tuple(
            Pocket(id=_CORNERS[seat], centre=turned(pocket, seat), radius_mm=POCKET_MM)
            for seat in Seat
        ),
        pieces=(
            _ring("cue-puck", "natural", 50.0, 16.0, (214, 176, 118)),
            _ring("puck", "red", 25.0, 8.0, (176, 34, 34)),
            _ring("puck", "blue", 25.0, 8.0, (28, 48, 122)),
            _ring("queen", "white", 25.0, 8.0, (232, 230, 222)),
        ),
        fiducials=tuple(
            Fiducial(
                dictionary="DICT_4X4_50",
                id=number,
                centre=turned(marker, seat),
                z_mm=BORDER_HEIGHT_MM + PRINT_MM,
                size_mm=40.0,
            )
            for number, seat in enumerate(Seat)
        ),
    )


def _ring(
    kind: str, colour: str, diameter_mm: float, hole_mm: float, rgb: tuple[int, int, int]
) -> PieceSpec:
    return PieceSpec(
        kind=kind,
        colour=colour,
        shape=Shape.RING,
        diameter_mm=diameter_mm,
        thickness_mm=12.0,
        hole_mm=hole_mm,
        rgb=rgb,
    )
