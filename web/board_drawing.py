"""A board as SVG, to scale: one unit is one millimetre, y runs up the page as on the board.

The drawing is all that does not move. What each kind of piece looks like is drawn here too, once,
as a named shape ("look"); the page only places those. Colours are never alone: every side's pieces
carry a pattern and a letter of their own.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape
from math import cos, pi, sin
from string import ascii_lowercase, ascii_uppercase

from markupsafe import Markup

from rules.board import Board, Lattice, Line, PieceSpec, Shape, Zone
from rules.geometry import Point, Seat
from rules.said import say, word
from web.saying import ENGLISH, in_language

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
_PATTERNS = ("plain", "spokes", "ring", "dots")


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """How a kind and colour of piece is drawn: the id of its shape, its letter, its pattern.

    Where the letter tells the kind, the side is told by `rimmed`: a ring that is always there.
    """

    id: str
    spec: PieceSpec
    letter: str
    pattern: str
    rimmed: bool = False


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
        _tag(
            "clipPath", _rect(-half_w, -half_h, board.width_mm, board.height_mm), id="surface-clip"
        ),
        *(_look_shape(look) for look in looks_of(board)),
        _unknown_look(board),
        "</defs>",
        _rect(*box, rx=min(edge, 24) * 0.6, class_="border"),
        _rect(-half_w, -half_h, board.width_mm, board.height_mm, class_="surface"),
        '<g clip-path="url(#surface-clip)">',
        '<g class="zones">',
        *(_zone(zone) for zone in board.zones),
        "</g>",
        *(part for lattice in board.lattices for part in _lattice(lattice, bool(board.lines))),
        '<g class="lines" fill="none">',
        *(_line(line) for line in board.lines),
        "</g>",
        *(
            _circle(pocket.centre, pocket.radius_mm, class_="pocket", data_id=pocket.id)
            for pocket in board.pockets
        ),
        "</g>",
        _rect(-half_w, -half_h, board.width_mm, board.height_mm, class_="cushion"),
        *_seat_labels(board),
        *_coordinates(board),
        '<g id="ground"></g><g id="outlines"></g><g id="targets"></g><g id="pieces"></g>'
        '<g id="tokens"></g><g id="marks"></g>',
    ]
    return Markup(
        _tag(
            "svg",
            "".join(parts),
            id="board",
            class_="board",
            viewBox=" ".join(_n(number) for number in box),
            role="img",
            aria_label=in_language(label, language),
            xmlns="http://www.w3.org/2000/svg",
        )
    )


def looks_of(board: Board) -> tuple[Look, ...]:
    """Return the look of each of the board's pieces, letters unique among kinds and colours.

    A kind that comes in several colours is told by its colour, any other by its kind; where several
    kinds come in several colours, each is told by its kind, and the colours by their rims.
    """
    colours: dict[str, set[str]] = {}
    for spec in board.pieces:
        colours.setdefault(spec.kind, set()).add(spec.colour)
    several = {kind for kind, found in colours.items() if len(found) > 1}
    sides = list(dict.fromkeys(spec.colour for spec in board.pieces if spec.kind in several))
    by_kind = several if len(several) < 2 else set()
    names = dict.fromkeys(
        (spec.colour if spec.kind in by_kind else spec.kind)
        for spec in sorted(board.pieces, key=lambda spec: spec.kind not in by_kind)
    )
    letters: dict[str, str] = {}
    for name in names:
        letters[name] = _free_letter(name, letters.values())
    return tuple(
        Look(
            id=f"look-{number}",
            spec=spec,
            letter=letters[spec.colour if spec.kind in by_kind else spec.kind],
            pattern=_PATTERNS[sides.index(spec.colour) % len(_PATTERNS)]
            if spec.kind in several
            else "own",
            rimmed=len(several) > 1 and spec.kind in several and sides.index(spec.colour) % 2 == 1,
        )
        for number, spec in enumerate(board.pieces)
    )


def _free_letter(name: str, taken: Iterable[str]) -> str:
    used = set(taken)
    for letter in name.upper() + ascii_uppercase:
        if letter.isalnum() and letter not in used:
            return letter
    return "?"


def _look_shape(look: Look) -> str:
    spec = look.spec
    radius = spec.diameter_mm / 2
    fill = _hex(spec.rgb)
    ink = "#ffffff" if _luminance(spec.rgb) < 0.35 else "#1b1b1b"
    rim = _hex(
        _mix(spec.rgb, (0, 0, 0), 0.35)
        if ink != "#ffffff"
        else _mix(spec.rgb, (255, 255, 255), 0.45)
    )
    stroke = max(radius * 0.07, 0.4)
    match spec.shape:
        case Shape.STICK:
            length = spec.length_mm or spec.diameter_mm * 6
            rim = _hex(_mix(spec.rgb, (0, 0, 0), 0.62))
            body = _rect(
                -length / 2,
                -radius,
                length,
                spec.diameter_mm,
                rx=radius,
                fill=fill,
                stroke=rim,
                stroke_width=stroke,
            )
        case Shape.SQUARE:
            body = _rect(
                -radius,
                -radius,
                spec.diameter_mm,
                spec.diameter_mm,
                rx=radius * 0.15,
                fill=fill,
                stroke=rim,
                stroke_width=stroke,
            )
        case Shape.RING if spec.hole_mm > 0:
            body = _tag(
                "path",
                d=_disc_path(radius - stroke / 2) + _disc_path(spec.hole_mm / 2),
                fill=fill,
                fill_rule="evenodd",
                stroke=rim,
                stroke_width=stroke,
            )
        case _:
            body = _circle(
                Point(0, 0), radius - stroke / 2, fill=fill, stroke=rim, stroke_width=stroke
            )
    if spec.shape is Shape.STICK:
        return _look(look, body, fill, ink)
    if look.rimmed:
        body += _side_rim(spec, radius, ink)
    letter = _tag(
        "text",
        escape(look.letter),
        class_="letter",
        y=radius * 0.42,
        font_size=radius * 1.2,
        text_anchor="middle",
        fill=ink,
        stroke=fill,
        stroke_width=radius * 0.24,
        paint_order="stroke",
    )
    return _look(look, body + _pattern(look, radius, ink) + letter, fill, ink)


def _side_rim(spec: PieceSpec, radius: float, ink: str) -> str:
    """Return the ring, or the square, by which one side's pieces are told from the other's."""
    width = radius * 0.13
    if spec.shape is not Shape.SQUARE:
        return _circle(Point(0, 0), radius * 0.82, fill="none", stroke=ink, stroke_width=width)
    half = radius * 0.8
    return _rect(-half, -half, 2 * half, 2 * half, fill="none", stroke=ink, stroke_width=width)


def _look(look: Look, shape: str, fill: str, ink: str) -> str:
    return _tag(
        "g",
        shape,
        id=look.id,
        class_="look",
        data_kind=look.spec.kind,
        data_colour=look.spec.colour,
        data_letter=look.letter,
        data_radius=look.spec.diameter_mm / 2,
        data_fill=fill,
        data_ink=ink,
    )


def _pattern(look: Look, radius: float, ink: str) -> str:
    """Return the marks that tell a colour without its colour, on the body between hole and rim."""
    inner = look.spec.hole_mm / 2
    middle = (inner + radius) / 2
    width = max((radius - inner) * 0.16, 0.3)
    match look.pattern:
        case "spokes":
            start, end = inner + radius * 0.12, radius * 0.86
            turns = (pi / 4 + quarter * pi / 2 for quarter in range(4))
            marks = [
                f"M{_n(cos(turn) * start)} {_n(sin(turn) * start)}"
                f"L{_n(cos(turn) * end)} {_n(sin(turn) * end)}"
                for turn in turns
            ]
            return _tag(
                "path",
                d="".join(marks),
                class_="pattern",
                fill="none",
                stroke=ink,
                stroke_width=width * 1.3,
                stroke_linecap="round",
            )
        case "ring":
            return _circle(
                Point(0, 0), middle, class_="pattern", fill="none", stroke=ink, stroke_width=width
            )
        case "dots":
            return "".join(
                _circle(
                    Point(cos(turn) * middle, sin(turn) * middle), width, class_="pattern", fill=ink
                )
                for turn in (third * 2 * pi / 3 for third in range(3))
            )
        case "own":
            return _circle(
                Point(0, 0),
                radius * 0.8,
                class_="pattern",
                fill="none",
                stroke=ink,
                stroke_width=width * 0.6,
                stroke_opacity=0.55,
            )
        case _:
            return ""


def _unknown_look(board: Board) -> str:
    radius = min((spec.diameter_mm for spec in board.pieces), default=20.0) / 2
    text = _tag(
        "text", "?", y=radius * 0.42, font_size=radius * 1.3, text_anchor="middle", fill="#1b1b1b"
    )
    disc = _circle(
        Point(0, 0), radius, fill="#b9b4ab", stroke="#1b1b1b", stroke_width=radius * 0.08
    )
    return _tag("g", disc + text, id="look-unknown", class_="look", data_radius=radius)


def _zone(zone: Zone) -> str:
    class_ = f"zone zone-{_slug(zone.kind)}"
    if zone.polygon:
        points = " ".join(f"{_n(at.x_mm)},{_n(-at.y_mm)}" for at in zone.polygon)
        return _tag("polygon", points=points, class_=class_, data_id=zone.id)
    if zone.centre is not None and zone.radius_mm is not None:
        # A quarter disc about a corner is the whole disc, cut off by the edge of the surface.
        return _circle(zone.centre, zone.radius_mm, class_=class_, data_id=zone.id)
    return ""


def _line(line: Line) -> str:
    stroke = PAINT.get(line.colour.lower(), PAINT["black"])
    if line.centre is not None and line.radius_mm is not None:
        return _circle(
            line.centre, line.radius_mm, stroke=stroke, stroke_width=line.width_mm, data_id=line.id
        )
    points = " ".join(f"{_n(at.x_mm)},{_n(-at.y_mm)}" for at in line.points)
    return _tag(
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
                places += _circle(Point(x, y), pitch * 0.09, class_="place", data_place=place)
            elif not lined:  # else drawn by the board's own lines
                places += _rect(
                    x - lattice.pitch_x_mm / 2,
                    -y - lattice.pitch_y_mm / 2,
                    lattice.pitch_x_mm,
                    lattice.pitch_y_mm,
                    class_="cell",
                    data_place=place,
                )
    if lattice.id == "dots":
        places = _grooves(lattice) + places
    yield _tag(
        "g",
        places,
        class_="lattice",
        data_lattice=lattice.id,
        data_pitch=f"{_n(lattice.pitch_x_mm)} {_n(lattice.pitch_y_mm)}",
        data_origin=f"{_n(lattice.origin.x_mm)} {_n(lattice.origin.y_mm)}",
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
            yield _tag("text", name, class_="coordinate", x=x, y=y, **text)
        for row in range(lattice.rows):
            x, y = left + to_x, -(bottom + row * lattice.pitch_y_mm + to_y) + 0.35 * size
            place = f"{lattice.id}:0,{row}"
            name = str(row + 1)
            yield _tag("text", name, class_="coordinate", x=x, y=y, data_row=place, **text)


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
    path = "".join(f"M{_n(x0)} {_n(-y)}H{_n(x1)}" for y in rows)
    path += "".join(f"M{_n(x)} {_n(-y0)}V{_n(-y1)}" for x in cols)
    return _tag("path", d=path, class_="grooves")


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
        yield _tag(
            "text",
            "",
            class_="seat",
            data_seat=seat.value,
            text_anchor="middle",
            font_size=size,
            transform=f"translate({_n(x)} {_n(y)}) rotate({turn}) translate(0 {_n(size * 0.35)})",
        )


def _rect(x: float, y: float, width: float, height: float, **more: object) -> str:
    return _tag("rect", x=x, y=y, width=width, height=height, **more)


def _circle(centre: Point, radius_mm: float, **more: object) -> str:
    return _tag("circle", cx=centre.x_mm, cy=-centre.y_mm, r=radius_mm, **more)


def _disc_path(radius: float) -> str:
    r = _n(radius)
    return f"M{r} 0A{r} {r} 0 1 0 -{r} 0A{r} {r} 0 1 0 {r} 0Z"


def _tag(name: str, inner: str = "", /, **attributes: object) -> str:
    """Return an element; `inner` is markup already, attribute values are escaped here."""
    named = (
        (key.rstrip("_") if key == "class_" else _attribute(key), value)
        for key, value in attributes.items()
    )
    text = "".join(f' {key}="{escape(_value(value))}"' for key, value in named)
    return f"<{name}{text}>{inner}</{name}>"


def _attribute(key: str) -> str:
    return key if key in {"viewBox", "clipPath"} else key.replace("_", "-")


def _value(value: object) -> str:
    return _n(value) if isinstance(value, float) else str(value)


def _n(number: float) -> str:
    return f"{number:.3f}".rstrip("0").rstrip(".") if number else "0"


def _slug(text: str) -> str:
    return "".join(char if char.isascii() and char.isalnum() else "-" for char in text.lower())


def _hex(rgb: tuple[int, int, int]) -> str:
    return "#" + "".join(f"{max(0, min(255, round(part))):02x}" for part in rgb)


def _mix(a: tuple[int, int, int], b: tuple[int, int, int], share: float) -> tuple[int, int, int]:
    red, green, blue = (
        round(one * (1 - share) + other * share) for one, other in zip(a, b, strict=True)
    )
    return red, green, blue


def _luminance(rgb: tuple[int, int, int]) -> float:
    """Return the relative luminance of sRGB, 0 to 1 (WCAG 2.2)."""
    red, green, blue = (
        part / 3294.6 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in rgb
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
