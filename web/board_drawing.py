"""A board as SVG, to scale: one unit is one millimetre, y runs up the page as on the board.

The drawing is all that does not move. What each kind of piece looks like is drawn here too, once,
as a named shape ("look"); the page only places those. Colours are never alone: every side's pieces
carry a pattern and a letter of their own.
"""

from collections.abc import Iterator
from string import ascii_lowercase

from markupsafe import Markup

from rules.board import Board, Lattice, Line, Zone
from rules.geometry import Point, Seat
from rules.said import say, word
from web.piece_looks import look_shape, looks_of, unknown_look
from web.saying import ENGLISH, in_language
from web.svg import circle, n, rect, slug, tag

PAINT = {
    "black": "#211d1a",
    "red": "#b3202a",
    "blue": "#1f4fa3",
    "green": "#1e7a46",
    "white": "#f4f1e8",
    "yellow": "#d9a514",
    "gold": "#b8892b",
    "brown": "#6b4423",
    "grey": "#77716a",
    "gray": "#77716a",
}
_MIN_LABEL_MM = 12.0


def draw_board(board: Board, language: str = ENGLISH) -> Markup:
    """Return the `<svg>` element of `board`, with empty groups for what the page places in it.

    Its name is told in `language`.
    """
    label = say("{board}: the board", board=word(board.name or board.game))
    half_w, half_h = board.width_mm / 2, board.height_mm / 2
    edge = board.border_width_mm
    box = (-half_w - edge, -half_h - edge, board.width_mm + 2 * edge, board.height_mm + 2 * edge)
    parts = [
        "<defs>",
        tag("clipPath", rect(-half_w, -half_h, board.width_mm, board.height_mm), id="surface-clip"),
        *(look_shape(look) for look in looks_of(board)),
        unknown_look(board),
        "</defs>",
        rect(*box, rx=min(edge, 24) * 0.6, class_="border"),
        rect(-half_w, -half_h, board.width_mm, board.height_mm, class_="surface"),
        '<g clip-path="url(#surface-clip)">',
        '<g class="zones">',
        *(_zone(zone) for zone in board.zones),
        "</g>",
        *(part for lattice in board.lattices for part in _lattice(lattice, bool(board.lines))),
        '<g class="lines" fill="none">',
        *(_line(line) for line in board.lines),
        "</g>",
        *(
            circle(pocket.centre, pocket.radius_mm, class_="pocket", data_id=pocket.id)
            for pocket in board.pockets
        ),
        "</g>",
        rect(-half_w, -half_h, board.width_mm, board.height_mm, class_="cushion"),
        *_seat_labels(board),
        *_coordinates(board),
        '<g id="ground"></g><g id="outlines"></g><g id="targets"></g><g id="pieces"></g>'
        '<g id="tokens"></g><g id="marks"></g>',
    ]
    return Markup(
        tag(
            "svg",
            "".join(parts),
            id="board",
            class_="board",
            viewBox=" ".join(n(number) for number in box),
            role="img",
            aria_label=in_language(label, language),
            xmlns="http://www.w3.org/2000/svg",
        )
    )


def _zone(zone: Zone) -> str:
    class_ = f"zone zone-{slug(zone.kind)}"
    if zone.polygon:
        points = " ".join(f"{n(at.x_mm)},{n(-at.y_mm)}" for at in zone.polygon)
        return tag("polygon", points=points, class_=class_, data_id=zone.id)
    if zone.centre is not None and zone.radius_mm is not None:
        # A quarter disc about a corner is the whole disc, cut off by the edge of the surface.
        return circle(zone.centre, zone.radius_mm, class_=class_, data_id=zone.id)
    return ""


def _line(line: Line) -> str:
    stroke = PAINT.get(line.colour.lower(), PAINT["black"])
    if line.centre is not None and line.radius_mm is not None:
        return circle(
            line.centre, line.radius_mm, stroke=stroke, stroke_width=line.width_mm, data_id=line.id
        )
    points = " ".join(f"{n(at.x_mm)},{n(-at.y_mm)}" for at in line.points)
    return tag(
        "polyline", points=points, stroke=stroke, stroke_width=line.width_mm, data_id=line.id
    )


def _lattice(lattice: Lattice, lined: bool) -> Iterator[str]:
    """Yield a lattice's places; its geometry goes along, for what the page places on it."""
    pitch = min(lattice.pitch_x_mm, lattice.pitch_y_mm)
    places = ""
    for row in range(lattice.rows):
        for col in range(lattice.cols):
            x = lattice.origin.x_mm + col * lattice.pitch_x_mm
            y = lattice.origin.y_mm + row * lattice.pitch_y_mm
            place = f"{lattice.id}:{col},{row}"
            if lattice.id != "cells":
                places += circle(Point(x, y), pitch * 0.09, class_="place", data_place=place)
            elif not lined:  # else drawn by the board's own lines
                places += rect(
                    x - lattice.pitch_x_mm / 2,
                    -y - lattice.pitch_y_mm / 2,
                    lattice.pitch_x_mm,
                    lattice.pitch_y_mm,
                    class_="cell",
                    data_place=place,
                )
    if lattice.id == "dots":
        places = _grooves(lattice) + places
    yield tag(
        "g",
        places,
        class_="lattice",
        data_lattice=lattice.id,
        data_pitch=f"{n(lattice.pitch_x_mm)} {n(lattice.pitch_y_mm)}",
        data_origin=f"{n(lattice.origin.x_mm)} {n(lattice.origin.y_mm)}",
    )


def _coordinates(board: Board) -> Iterator[str]:
    """Yield the letters of the columns and the numbers of the rows, where players name places.

    They stand beside the lattice, or in the corners of its outermost cells where there is no room.
    A game whose rows have other names says so with marks of kind "row" (static/js/lattice.js).
    """
    for lattice in board.lattices:
        if lattice.id == "dots":
            continue
        pitch = min(lattice.pitch_x_mm, lattice.pitch_y_mm)
        left, bottom = lattice.origin.x_mm, lattice.origin.y_mm
        room = _room(min(board.width_mm / 2 + left, board.height_mm / 2 + bottom), pitch)
        size = 0.27 * pitch
        if lattice.id != "cells":
            across, down, to_x, to_y = 0.0, 0.46 * pitch, -0.46 * pitch, 0.0
        elif room > 0.2 * pitch:
            size = min(0.3 * pitch, 1.1 * room)
            across, down, to_x, to_y = 0.0, 0.5 * pitch + room, -0.5 * pitch - room, 0.0
        else:
            size = 0.24 * pitch
            across, down, to_x, to_y = 0.36 * pitch, 0.36 * pitch, -0.31 * pitch, 0.34 * pitch
        text: dict[str, object] = {"font_size": size, "text_anchor": "middle"}
        for col in range(lattice.cols):
            x, y = left + col * lattice.pitch_x_mm + across, -bottom + down + 0.35 * size
            name = ascii_lowercase[col % 26]
            yield tag("text", name, class_="coordinate", x=x, y=y, **text)
        for row in range(lattice.rows):
            x, y = left + to_x, -(bottom + row * lattice.pitch_y_mm + to_y) + 0.35 * size
            place = f"{lattice.id}:0,{row}"
            name = str(row + 1)
            yield tag("text", name, class_="coordinate", x=x, y=y, data_row=place, **text)


def _room(to_edge_mm: float, pitch_mm: float) -> float:
    """Half of what is left between the outermost cell and the edge of the surface."""
    return max(0.0, to_edge_mm - pitch_mm / 2) / 2


def _grooves(lattice: Lattice) -> str:
    """Return the lines from dot to dot, each where a stick may lie."""
    x0, y0 = lattice.origin.x_mm, lattice.origin.y_mm
    x1 = x0 + (lattice.cols - 1) * lattice.pitch_x_mm
    y1 = y0 + (lattice.rows - 1) * lattice.pitch_y_mm
    rows = (y0 + row * lattice.pitch_y_mm for row in range(lattice.rows))
    cols = (x0 + col * lattice.pitch_x_mm for col in range(lattice.cols))
    path = "".join(f"M{n(x0)} {n(-y)}H{n(x1)}" for y in rows)
    path += "".join(f"M{n(x)} {n(-y0)}V{n(-y1)}" for x in cols)
    return tag("path", d=path, class_="grooves")


def _seat_labels(board: Board) -> Iterator[str]:
    """Yield an empty text on each border, for the name of who sits there."""
    if board.border_width_mm < _MIN_LABEL_MM:
        return
    out_x = (board.width_mm + board.border_width_mm) / 2
    out_y = (board.height_mm + board.border_width_mm) / 2
    size = min(board.border_width_mm * 0.52, board.width_mm * 0.034)
    places = {
        Seat.S: (0.0, out_y, 0),
        Seat.N: (0.0, -out_y, 0),
        Seat.E: (out_x, 0.0, 90),
        Seat.W: (-out_x, 0.0, -90),
    }
    for seat, (x, y, turn) in places.items():
        yield tag(
            "text",
            "",
            class_="seat",
            data_seat=seat.value,
            text_anchor="middle",
            font_size=size,
            transform=f"translate({n(x)} {n(y)}) rotate({turn}) translate(0 {n(size * 0.35)})",
        )
