"""How hands reach over the simulated table: where the arm comes from, and when it is over it."""

from math import hypot

from rules.board import Board
from rules.geometry import Seat
from sightline.simulated.scene import Limb

OUTWARDS = {Seat.S: (0.0, -1.0), Seat.E: (1.0, 0.0), Seat.N: (0.0, 1.0), Seat.W: (-1.0, 0.0)}
SHOULDER_MM = 620.0
FINGER_MM = 8.0
TONES = {
    Seat.S: ((0.62, 0.38, 0.26), (0.05, 0.08, 0.20)),
    Seat.E: ((0.36, 0.20, 0.13), (0.30, 0.30, 0.28)),
    Seat.N: ((0.70, 0.47, 0.36), (0.22, 0.04, 0.04)),
    Seat.W: ((0.50, 0.30, 0.19), (0.04, 0.14, 0.08)),
}

Spot = tuple[float, float]


def eased(a: Spot, b: Spot, share: float) -> Spot:
    """A place on the way from one to another, which is begun and ended slowly; `share` 0 to 1."""
    share = share * share * (3 - 2 * share)
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def shoulder(board: Board, seat: Seat, towards: Spot) -> Spot:
    """Where the arm of the player at `seat` comes from when it reaches `towards` a place."""
    ox, oy = OUTWARDS[seat]
    far_x = board.width_mm / 2 + board.border_width_mm + SHOULDER_MM
    far_y = board.height_mm / 2 + board.border_width_mm + SHOULDER_MM
    x, y = towards
    return (ox * far_x, 0.55 * y) if ox else (0.55 * x, oy * far_y)


def resting_hand(board: Board, seat: Seat, towards: Spot) -> Spot:
    """Where that hand waits: beyond the border, on its way to `towards`."""
    sx, sy = shoulder(board, seat, towards)
    x, y = towards
    ox, oy = OUTWARDS[seat]
    edge = (board.width_mm if ox else board.height_mm) / 2 + board.border_width_mm + 120.0
    start, end = (x * ox + y * oy), (sx * ox + sy * oy)
    share = (edge - start) / (end - start)
    return x + (sx - x) * share, y + (sy - y) * share


def limb_at(board: Board, seat: Seat, fingertips: Spot, height_mm: float) -> Limb:
    """The arm of the player at `seat` with its fingertips there."""
    tone, sleeve = TONES[seat]
    return Limb(
        reach_mm=fingertips,
        elbow_mm=shoulder(board, seat, fingertips),
        height_mm=height_mm,
        tone=tone,
        sleeve=sleeve,
    )


def fingertips_over(board: Board, seat: Seat, held: Spot, ahead_mm: float = 16.0) -> Spot:
    """Where the fingertips are while the hand holds a piece at `held`."""
    sx, sy = shoulder(board, seat, held)
    far = hypot(held[0] - sx, held[1] - sy)
    return (
        held[0] + (held[0] - sx) / far * ahead_mm,
        held[1] + (held[1] - sy) / far * ahead_mm,
    )


def depth_over(board: Board, limb: Limb) -> float:
    """How far the limb projects over the surface, seen straight down; not above 0: it does not."""
    x, y = limb.reach_mm
    over_x = board.width_mm / 2 + FINGER_MM - abs(x)
    over_y = board.height_mm / 2 + FINGER_MM - abs(y)
    if min(over_x, over_y) <= 0:
        return min(over_x, over_y)
    ex, ey = limb.elbow_mm
    if abs(ex) > board.width_mm / 2 and abs(ex) / board.width_mm >= abs(ey) / board.height_mm:
        return board.width_mm / 2 + FINGER_MM - x * (1 if ex > 0 else -1)
    return board.height_mm / 2 + FINGER_MM - y * (1 if ey > 0 else -1)
