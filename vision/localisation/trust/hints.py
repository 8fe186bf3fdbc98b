"""What a drawing may have got wrong about a piece, and where the piece would go for each of it.

Some hints are a part of what is left over: of one region, on the side that is lit, in shadow. How
much experience takes of it says how far pixels there can be believed. Others are light that the
drawing does not know: of a region, or where two of them meet.
"""

from collections.abc import Iterator

import numpy as np

from calibration.camera import Floats
from calibration.silhouette import Floats32
from vision.localisation.trust.case import Case

_WHOLLY = 0.9
_DARK, _BRIGHT = 0.5, 1.1
_MEETING = (
    ("bevel", "beside"),
    ("wall", "beside"),
    ("bevel", "wall"),
    ("bevel", "top"),
    ("top", "beside"),
    ("lip", "through"),
    ("lip", "top"),
    ("lip", "bore"),
    ("bore", "through"),
)

Hint = tuple[str, Floats32]


def hints_mm(case: Case) -> dict[str, Floats]:
    """How far each hint, were it wholly so, would move the piece along x and y, by its name."""
    named = [*_left(case), *_unknown(case)]
    moved = case.moved_mm(np.stack([left for _, left in named]).astype(np.float32))
    whole = {"left": case.step_mm()}
    return whole | {name: by for (name, _), by in zip(named, moved, strict=True)}


def _left(case: Case) -> Iterator[Hint]:
    """Parts of what is left over."""
    parts, left, reach = case.parts, case.residual, case.reach_px
    places = {
        "top": parts.top,
        "bevel": parts.bevel,
        "wall": parts.wall,
        "lip": parts.lip,
        "bore": parts.bore,
        "through": parts.through,
        "foot": parts.outside * (reach < 1),
        "near": parts.outside * ((reach >= 1) & (reach < 2)),
        "about": parts.outside * (reach >= 2),
    }
    for name, share in places.items():
        yield f"left {name}", left * share
        yield f"left {name} lit", left * share * case.lit
    level = _board_level(case)
    yield "left shaded", left * parts.outside * (1 - case.kept)
    yield "left shaded through", left * parts.through * (1 - case.kept)
    yield "left undoubted", left * case.weight / (case.first + np.float32(1e-6))
    yield "left dark", left * (case.patch.seen < _DARK * level)
    yield "left bright", left * (case.patch.seen > _BRIGHT * level)


def _unknown(case: Case) -> Iterator[Hint]:
    """Light as bright as the board, or as the top, that the drawing may lack."""
    parts = case.parts
    level, top = _board_level(case), _top_level(case)
    for name in ("bevel", "wall", "lip", "bore"):
        share = getattr(parts, name)
        yield f"light {name}", level * share
        yield f"light {name} lit", level * share * case.lit
    for one, other in _MEETING:
        mixed = 4 * _share(case, one) * _share(case, other)
        yield f"light {one} {other}", level * mixed
        yield f"colour {one} {other}", top * mixed


def _share(case: Case, name: str) -> Floats32:
    share: Floats32 = case.parts.outside if name == "beside" else getattr(case.parts, name)
    return share


def _board_level(case: Case) -> np.float32:
    beside = case.parts.outside > _WHOLLY
    board = case.patch.board
    return np.float32(np.median(board[beside] if beside.any() else board))


def _top_level(case: Case) -> np.float32:
    top = case.parts.top > _WHOLLY
    return np.float32(np.median(case.patch.seen[top])) if top.any() else _board_level(case)
