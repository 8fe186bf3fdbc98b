"""What each kind of piece looks like in a drawing: a named shape, its pattern and its letter.

Colours are never alone: every side's pieces carry a pattern and a letter of their own.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from math import cos, pi, sin
from string import ascii_uppercase

from rules.board import Board, PieceSpec, Shape
from rules.geometry import Point
from web.svg import circle, disc_path, hex_of, luminance, mix, n, rect, tag

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


def look_shape(look: Look) -> str:
    spec = look.spec
    radius = spec.diameter_mm / 2
    fill = hex_of(spec.rgb)
    ink = "#ffffff" if luminance(spec.rgb) < 0.35 else "#1b1b1b"
    rim = hex_of(
        mix(spec.rgb, (0, 0, 0), 0.35) if ink != "#ffffff" else mix(spec.rgb, (255, 255, 255), 0.45)
    )
    stroke = max(radius * 0.07, 0.4)
    match spec.shape:
        case Shape.STICK:
            length = spec.length_mm or spec.diameter_mm * 6
            rim = hex_of(mix(spec.rgb, (0, 0, 0), 0.62))
            body = rect(
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
            body = rect(
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
            body = tag(
                "path",
                d=disc_path(radius - stroke / 2) + disc_path(spec.hole_mm / 2),
                fill=fill,
                fill_rule="evenodd",
                stroke=rim,
                stroke_width=stroke,
            )
        case _:
            body = circle(
                Point(0, 0), radius - stroke / 2, fill=fill, stroke=rim, stroke_width=stroke
            )
    if spec.shape is Shape.STICK:
        return _look(look, body, fill, ink)
    if look.rimmed:
        body += _side_rim(spec, radius, ink)
    letter = tag(
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
        return circle(Point(0, 0), radius * 0.82, fill="none", stroke=ink, stroke_width=width)
    half = radius * 0.8
    return rect(-half, -half, 2 * half, 2 * half, fill="none", stroke=ink, stroke_width=width)


def _look(look: Look, shape: str, fill: str, ink: str) -> str:
    return tag(
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
                f"M{n(cos(turn) * start)} {n(sin(turn) * start)}"
                f"L{n(cos(turn) * end)} {n(sin(turn) * end)}"
                for turn in turns
            ]
            return tag(
                "path",
                d="".join(marks),
                class_="pattern",
                fill="none",
                stroke=ink,
                stroke_width=width * 1.3,
                stroke_linecap="round",
            )
        case "ring":
            return circle(
                Point(0, 0), middle, class_="pattern", fill="none", stroke=ink, stroke_width=width
            )
        case "dots":
            return "".join(
                circle(
                    Point(cos(turn) * middle, sin(turn) * middle), width, class_="pattern", fill=ink
                )
                for turn in (third * 2 * pi / 3 for third in range(3))
            )
        case "own":
            return circle(
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


def unknown_look(board: Board) -> str:
    radius = min((spec.diameter_mm for spec in board.pieces), default=20.0) / 2
    text = tag(
        "text", "?", y=radius * 0.42, font_size=radius * 1.3, text_anchor="middle", fill="#1b1b1b"
    )
    disc = circle(Point(0, 0), radius, fill="#b9b4ab", stroke="#1b1b1b", stroke_width=radius * 0.08)
    return tag("g", disc + text, id="look-unknown", class_="look", data_radius=radius)
