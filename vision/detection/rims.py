"""How much of a piece's rim shows as edges of the picture, bearing by bearing."""

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Floats
from calibration.looks import sample
from calibration.silhouette import Body
from vision.appearance.view import View
from vision.detection.edges import Edges

Mask = NDArray[np.bool_]

BEARINGS = 48
LEAST_OPEN = 0.15
"""Of a rim of which less is clear of a hand too little is seen to judge it by that."""

NEAR_MM = 1.6
"""So far in or out of where a rim should be its edge may show."""

_CLEAR, _FAINT = 7.0, 4.0  # a rim's edge, and one that is as pale as what it lies on
_ALONG, _ACROSS = 0.6, 0.9  # cosines to the rim's normal: no edge of it, surely one


def circle_px(view: View, places: Floats, radius: float, z_mm: float, bearings: int) -> Floats:
    """(N, bearings, 2) picture points of circles about (N, 2) places at height z."""
    angles = 2 * np.pi * np.arange(bearings) / bearings
    ring = radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    at = (places[:, None, :] + ring[None]).reshape(-1, 2)
    px = view.table.camera.project(np.concatenate([at, np.full((len(at), 1), z_mm)], axis=1))
    return px.reshape(len(places), bearings, 2)


def rim_support(
    view: View, edges: Edges, body: Body, radius: float, places: Floats, near_mm: float = NEAR_MM
) -> Floats:
    """(N,) share of the bearings of each place at which a circle of the top shows an edge.

    The edge may lie up to `near_mm` in or out of the circle.
    """
    return rim_shown(view, edges, body, radius, places, near_mm)[0]


def rim_shown(
    view: View,
    edges: Edges,
    body: Body,
    radius: float,
    places: Floats,
    near_mm: float = NEAR_MM,
    hidden: Mask | None = None,
) -> tuple[Floats, Floats]:
    """`rim_support`, and the same for edges that may be faint but have to run along the circle.

    Where pixels are `hidden` (h, w): of the bearings that are clear of these; 0 where these
    are too few.
    """
    clear, faint = rim_by_bearing(view, edges, body, radius, places, near_mm)
    if hidden is None:
        return clear.mean(axis=1), faint.mean(axis=1)
    shows = rim_unhidden(view, body, radius, places, hidden)
    many = np.where(shows.mean(axis=1) < LEAST_OPEN, np.inf, shows.sum(axis=1))
    return (clear * shows).sum(axis=1) / many, (faint * shows).sum(axis=1) / many


def wider(hidden: Mask) -> Mask:
    """(h, w) what is `hidden`, with the pixels next to it: a hand's own edge is no rim's."""
    return np.asarray(cv2.dilate(hidden.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0)


def rim_unhidden(view: View, body: Body, radius: float, places: Floats, hidden: Mask) -> Mask:
    """(N, BEARINGS) where the top's circle about each place is clear of what is `hidden` (h, w)."""
    px = circle_px(view, places, radius, body.thickness_mm, BEARINGS)
    columns, rows = np.round(px - (view.box.u0, view.box.v0)).astype(np.intp).transpose(2, 0, 1)
    high, wide = hidden.shape
    inside = (columns >= 0) & (columns < wide) & (rows >= 0) & (rows < high)
    return np.asarray(~(inside & hidden[rows % high, columns % wide]), dtype=np.bool_)


def rim_by_bearing(
    view: View, edges: Edges, body: Body, radius: float, places: Floats, near_mm: float = NEAR_MM
) -> tuple[Floats, Floats]:
    """(N, BEARINGS) each: how clear an edge shows, and how well a faint one runs along, 0..1."""
    inner = circle_px(view, places, radius - near_mm, body.thickness_mm, BEARINGS)
    outer = circle_px(view, places, radius + near_mm, body.thickness_mm, BEARINGS)
    way = outer - inner
    normal = way / np.sqrt(way[..., :1] * way[..., :1] + way[..., 1:] * way[..., 1:])
    flat = normal.reshape(-1, 2)
    steps, across = [], []
    for part in (0.0, 0.25, 0.5, 0.75, 1.0):
        px = (inner + part * way).reshape(-1, 2)
        got = sample(edges.planes, px, view.box.u0, view.box.v0)
        steps.append(got[:, :2])
        across.append(np.abs(got[:, 0] * flat[:, 0] + got[:, 1] * flat[:, 1]))
    where = np.argmax(across, axis=0)
    each = np.arange(len(where))
    at_best = np.array(steps)[where, each]
    best = np.array(across)[where, each].reshape(len(places), BEARINGS)
    length = np.hypot(at_best[:, 0], at_best[:, 1]).reshape(len(places), BEARINGS)
    cosine = best / (length + 0.5 * edges.noise)
    runs = np.clip((cosine - _ALONG) / (_ACROSS - _ALONG), 0, 1)
    clear = np.clip(best / (_CLEAR * edges.noise), 0, 1)
    faint = np.clip(best / (_FAINT * edges.noise), 0, 1) * runs
    return np.asarray(clear, dtype=np.float64), np.asarray(faint, dtype=np.float64)
