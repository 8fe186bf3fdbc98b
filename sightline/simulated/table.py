"""Sets the simulated table up as a club sets up a real one: a table folder."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2

from calibration.camera import Camera
from rules.board import Board, PieceSpec, Shape
from rules.geometry import Point
from sightline.simulated.boards import USUAL_FINISH, club_board, printed_cells
from sightline.simulated.optics.backdrop import FINISHES
from sightline.simulated.optics.light import LIGHTS, Light
from sightline.simulated.optics.renderer import Photographer, Picture
from sightline.simulated.pieces import Lying, free_place
from sightline.simulated.placing import hang_camera
from sightline.simulated.scene import Scene
from sightline.words.place_names import places_of

QUALITY = 95
LAYERS = {
    "holes": (Shape.PEG,),
    "edges": (Shape.STICK,),
    "cells": (Shape.DISC, Shape.RING, Shape.SQUARE),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedTable:
    """A board, the camera over it with its true pose, and the one who takes its pictures."""

    board: Board
    camera: Camera
    photographer: Photographer


def hung_nearer(board: Board) -> float:
    """How far off a camera is hung over a board, as a share of what is usual over Q-Square's."""
    return min(1.0, 0.4 + 0.6 * max(board.width_mm, board.height_mm) / 1016)


def set_up_table(
    size: tuple[int, int] = (960, 720),
    *,
    board: Board | None = None,
    finish: str | None = None,
    light: Light | str = "panels",
    noise: float = 1.6,
    height_mm: float | None = None,
    aside_mm: tuple[float, float] | None = None,
    turn_deg: float = 1.5,
    seed: int = 0,
) -> SimulatedTable:
    """A simulated table: the club's Q-Square board, unless another is given.

    `size` is the picture's (width, height); `finish` one of FINISHES, as usual for its game where
    None; `light` one of "panels", "window", "lamp" or a light of your own. Raises KeyError for
    another name. The camera hangs as high and as far aside as is usual for so large a board.
    """
    board = club_board(size=size) if board is None else board
    far = hung_nearer(board)
    aside_mm = (55.0 * far, -90.0 * far) if aside_mm is None else aside_mm
    camera = hang_camera(
        board,
        size,
        height_mm=1350.0 * far if height_mm is None else height_mm,
        aside_mm=aside_mm,
        turn_deg=turn_deg,
    )
    photographer = Photographer(
        board,
        camera,
        finish=FINISHES[finish or USUAL_FINISH.get(board.game, "oak")],
        light=LIGHTS[light] if isinstance(light, str) else light,
        noise=noise,
        seed=seed,
        tints=printed_cells(board),
    )
    return SimulatedTable(board=board, camera=camera, photographer=photographer)


def write_table(table: SimulatedTable, folder: Path) -> Path:
    """Writes the table folder (board.toml, camera.json, empty and teach pictures); its path.

    Only what a club would have is written: the lens, never the pose; pictures, never the truth of
    a match. `teach.json` tells where the taught pieces were laid, as whoever laid them would.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "board.toml").write_text(board_toml(table.board), encoding="utf-8")
    lens = table.camera.lens
    (folder / "camera.json").write_text(
        json.dumps(
            {
                "width": lens.width,
                "height": lens.height,
                "fx": lens.fx,
                "fy": lens.fy,
                "cx": lens.cx,
                "cy": lens.cy,
                "dist": list(lens.dist),
            }
        ),
        encoding="utf-8",
    )
    if not table.board.fiducials:
        (folder / "corners.json").write_text(json.dumps(_clicks(table)), encoding="utf-8")
    _write_picture(folder / "empty.jpg", table.photographer.picture(Scene()))
    taught = teaching_layout(table.board)
    scene = Scene(bodies=tuple(piece.body() for piece in taught))
    _write_picture(folder / "teach.jpg", table.photographer.picture(scene))
    told = [
        {
            "kind": p.spec.kind,
            "colour": p.spec.colour,
            "x": p.x_mm,
            "y": p.y_mm,
            "visible": 1.0,
        }
        for p in taught
    ]
    lattice = lattice_truth(taught)
    (folder / "teach.json").write_text(
        json.dumps({"pieces": told, "lattice": lattice} if lattice else {"pieces": told}),
        encoding="utf-8",
    )
    return folder


def _clicks(table: SimulatedTable) -> Mapping[str, list[float]]:
    """The surface's corners as a person clicks them: off by up to a pixel or so."""
    x, y = table.board.width_mm / 2, table.board.height_mm / 2
    corners = {"SW": (-x, -y), "SE": (x, -y), "NE": (x, y), "NW": (-x, y)}
    slips = {"SW": (0.8, -0.5), "SE": (-0.6, 0.9), "NE": (0.3, 0.7), "NW": (-0.9, -0.4)}
    clicked = {}
    for name, (px, py) in corners.items():
        u, v = table.photographer.rays.pixel(px, py, 0.0)
        clicked[name] = [round(u + slips[name][0], 1), round(v + slips[name][1], 1)]
    return clicked


def lattice_truth(pieces: Sequence[Lying]) -> dict[str, dict[str, object]]:
    """What stands where, in the form of a reference table's still; empty where nothing does."""
    layers: dict[str, dict[str, object]] = {}
    for piece in pieces:
        layer, _, place = piece.place.partition(":")
        match layer:
            case "":
                continue
            case "holes":
                told: object = piece.spec.colour
            case "edges":
                told = piece.spec.kind
            case _:
                told = {"kind": piece.spec.kind, "colour": piece.spec.colour}
        known = layers.setdefault(layer, {})
        below = known.get(place)
        known[place] = told if below is None else [*_items(below), told]
    return layers


def teaching_layout(board: Board) -> tuple[Lying, ...]:
    """Four of each kind and colour of piece, one Queen, spread over the board."""
    if board.lattices:
        return _taught_on_lattice(board)
    rows: list[tuple[PieceSpec, int]] = [
        (spec, 1 if spec.kind in ("queen",) else 4) for spec in board.pieces
    ]
    laid: list[Lying] = []
    for row, (spec, count) in enumerate(rows):
        y = board.height_mm * (0.36 - 0.72 * row / max(1, len(rows) - 1)) * 0.8
        for k in range(count):
            x = board.width_mm * (0.31 * (k - (count - 1) / 2)) + 7.0 * row
            name = f"taught-{len(laid)}"
            if not free_place(board, spec, x, y + 5.0 * k, laid, 5.0):
                continue
            laid.append(Lying(name=name, spec=spec, x_mm=round(x, 3), y_mm=round(y + 5.0 * k, 3)))
    return tuple(laid)


def _taught_on_lattice(board: Board) -> tuple[Lying, ...]:
    """Four of each, on places spread over the board, each where such a piece belongs."""
    laid: list[Lying] = []
    for layer, shapes in LAYERS.items():
        specs = [spec for spec in board.pieces if spec.shape in shapes]
        places = places_of(board, layer)
        count = 4 * len(specs)
        if not places or not count:
            continue
        for k in range(count):
            # steps that have no common divisor with the number of columns wander over the board
            place = places[(k * len(places) // count + 7 * k + 3) % len(places)]
            at = board.at(place)
            if at is None or any(p.place == place for p in laid):
                continue
            laid.append(
                Lying(
                    name=f"taught-{len(laid)}",
                    spec=specs[k % len(specs)],
                    x_mm=at.x_mm,
                    y_mm=at.y_mm,
                    place=place,
                    turn_deg=90.0 if place.startswith("edges:v:") else 0.0,
                )
            )
    return tuple(laid)


def board_toml(board: Board) -> str:
    """The board as the text of a `board.toml`."""
    out = [f"game = {_value(board.game)}", f"name = {_value(board.name)}", 'units = "mm"']
    out += _section("[surface]", {"width": board.width_mm, "height": board.height_mm})
    out += _section("[border]", {"width": board.border_width_mm, "height": board.border_height_mm})
    for line in board.lines:
        shape: dict[str, object] = (
            {"centre": line.centre, "radius": line.radius_mm}
            if line.centre is not None
            else {"points": line.points}
        )
        out += _section(
            "[[line]]", {"id": line.id, "colour": line.colour, "width": line.width_mm, **shape}
        )
    for zone in board.zones:
        out += _section(
            "[[zone]]",
            {
                "id": zone.id,
                "kind": zone.kind,
                "seat": None if zone.seat is None else str(zone.seat),
                "polygon": zone.polygon or None,
                "centre": zone.centre,
                "radius": zone.radius_mm,
                "corner": zone.corner,
                "bounded_by": zone.bounded_by or None,
            },
        )
    for pocket in board.pockets:
        out += _section(
            "[[pocket]]", {"id": pocket.id, "centre": pocket.centre, "radius": pocket.radius_mm}
        )
    for lattice in board.lattices:
        out += _section(
            "[[lattice]]",
            {
                "id": lattice.id,
                "cols": lattice.cols,
                "rows": lattice.rows,
                "pitch": Point(lattice.pitch_x_mm, lattice.pitch_y_mm),
                "origin": lattice.origin,
            },
        )
    for spec in board.pieces:
        out += _section(
            "[[piece]]",
            {
                "kind": spec.kind,
                "colour": spec.colour,
                "shape": str(spec.shape),
                "diameter": spec.diameter_mm,
                "thickness": spec.thickness_mm,
                "hole": spec.hole_mm,
                "length": spec.length_mm,
                "rgb": list(spec.rgb),
            },
        )
    for fiducial in board.fiducials:
        out += _section(
            "[[fiducial]]",
            {
                "dictionary": fiducial.dictionary,
                "id": fiducial.id,
                "centre": fiducial.centre,
                "z": fiducial.z_mm,
                "size": fiducial.size_mm,
                "yaw": fiducial.yaw_deg,
            },
        )
    return "\n".join(out) + "\n"


def _section(head: str, values: Mapping[str, object]) -> list[str]:
    return ["", head] + [f"{k} = {_value(v)}" for k, v in values.items() if v is not None]


def _value(value: object) -> str:
    match value:
        case Point(x_mm=x, y_mm=y):
            return f"[{x!r}, {y!r}]"
        case str():
            return json.dumps(value, ensure_ascii=False)
        case tuple() | list():
            return "[" + ", ".join(_value(v) for v in _items(value)) + "]"
        case _:
            return repr(value)


def _items(values: object) -> Sequence[object]:
    return values if isinstance(values, list | tuple) else (values,)


def _write_picture(path: Path, picture: Picture) -> None:
    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    if not done:
        raise OSError(f"{path}: the picture could not be encoded as JPEG")
    path.write_bytes(data.tobytes())
