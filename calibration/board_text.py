"""Writes a `Board` as `board.toml`."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime, time

from rules.board import Board, Fiducial, Lattice, Line, PieceSpec, Pocket, Zone
from rules.geometry import Point

Fields = dict[str, object]


def board_text(board: Board) -> str:
    """Return the text of a `board.toml` that reads back as this board."""
    top: Fields = {"game": board.game, "name": board.name, "units": "mm"}
    plain = {k: v for k, v in board.extra.items() if not isinstance(v, dict)}
    parts = [_rows(top | plain)]
    parts.append("[surface]\n" + _rows({"width": board.width_mm, "height": board.height_mm}))
    border = {"width": board.border_width_mm, "height": board.border_height_mm}
    parts.append("[border]\n" + _rows(border))
    parts += _each("line", map(_line, board.lines))
    parts += _each("zone", map(_zone, board.zones))
    parts += _each("pocket", map(_pocket, board.pockets))
    parts += _each("lattice", map(_lattice, board.lattices))
    parts += _each("piece", map(_piece, board.pieces))
    parts += _each("fiducial", map(_fiducial, board.fiducials))
    parts += [_table(k, v) for k, v in board.extra.items() if isinstance(v, dict)]
    return "\n".join(parts)


def _each(name: str, many: Iterable[Fields]) -> list[str]:
    return [f"[[{name}]]\n" + _rows(fields) for fields in many]


def _table(name: str, fields: Mapping[str, object]) -> str:
    return f"[{_key(name)}]\n" + _rows(fields)


def _rows(fields: Mapping[str, object]) -> str:
    return "".join(f"{_key(k)} = {_value(v)}\n" for k, v in fields.items())


def _key(key: str) -> str:
    bare = key and all(c.isascii() and (c.isalnum() or c in "-_") for c in key)
    return key if bare else _quoted(key)


def _quoted(text: str) -> str:
    out = []
    for c in text:
        if c in '"\\':
            out.append("\\" + c)
        elif ord(c) < 0x20 or ord(c) == 0x7F:
            out.append(f"\\u{ord(c):04x}")
        else:
            out.append(c)
    return '"' + "".join(out) + '"'


def _value(value: object) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return _quoted(value)
        case int() | float():
            return repr(value)
        case datetime() | date() | time():
            return value.isoformat()
        case Point():
            return f"[{value.x_mm!r}, {value.y_mm!r}]"
        case dict():
            return "{" + ", ".join(f"{_key(k)} = {_value(v)}" for k, v in value.items()) + "}"
        case list() | tuple():
            return "[" + ", ".join(map(_value, value)) + "]"
    raise ValueError(f"expected a value that TOML can hold, got {value!r}")


def _line(line: Line) -> Fields:
    fields: Fields = {"id": line.id, "colour": line.colour, "width": line.width_mm}
    if line.centre is not None:
        return fields | {"centre": line.centre, "radius": line.radius_mm}
    return fields | {"points": line.points}


def _zone(zone: Zone) -> Fields:
    fields: Fields = {"id": zone.id, "kind": zone.kind}
    if zone.seat is not None:
        fields["seat"] = zone.seat.value
    if zone.centre is not None:
        fields |= {"centre": zone.centre, "radius": zone.radius_mm}
        if zone.corner is not None:
            fields["corner"] = zone.corner
    else:
        fields["polygon"] = zone.polygon
    return fields | {"bounded_by": zone.bounded_by}


def _pocket(pocket: Pocket) -> Fields:
    return {"id": pocket.id, "centre": pocket.centre, "radius": pocket.radius_mm}


def _lattice(lattice: Lattice) -> Fields:
    return {
        "id": lattice.id,
        "cols": lattice.cols,
        "rows": lattice.rows,
        "pitch": (lattice.pitch_x_mm, lattice.pitch_y_mm),
        "origin": lattice.origin,
    }


def _piece(piece: PieceSpec) -> Fields:
    return {
        "kind": piece.kind,
        "colour": piece.colour,
        "shape": piece.shape.value,
        "diameter": piece.diameter_mm,
        "thickness": piece.thickness_mm,
        "hole": piece.hole_mm,
        "length": piece.length_mm,
        "rgb": piece.rgb,
    }


def _fiducial(mark: Fiducial) -> Fields:
    return {
        "dictionary": mark.dictionary,
        "id": mark.id,
        "centre": mark.centre,
        "z": mark.z_mm,
        "size": mark.size_mm,
        "yaw": mark.yaw_deg,
    }
