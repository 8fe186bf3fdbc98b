"""How a cue moves about a stroke: it comes, swings, strikes, follows a little, and goes."""

from math import cos, hypot, pi, sin

from sightline.simulated.scene import Stick

BACK_MM = 60.0
SWING_S = 0.12
FOLLOW_MM = 35.0
LENGTH_MM = 1350.0
TIP_MM = 10.0
AWAY_MM = 900.0


def stroke_offset_mm(before_s: float) -> float:
    """How far the tip is ahead of the cue-puck's rim, along the stroke.

    `before_s` is the time to the strike, negative after it; negative offsets lie behind the rim.
    The tip touches the rim at exactly 0 s.
    """
    t = -before_s
    if t < -0.76:
        return -BACK_MM - (AWAY_MM - BACK_MM) * min(1.0, (-0.76 - t) / 0.4)
    if t < -SWING_S:
        return -0.5 * BACK_MM * (1 + cos(2 * pi * (t + SWING_S) / 0.64)) - 6.0
    if t < 0:
        start = -BACK_MM - 6.0
        share = (t + SWING_S) / SWING_S
        return start * (1 - share * share)
    if t < 0.09:
        return FOLLOW_MM * sin(0.5 * pi * t / 0.09)
    if t < 0.45:
        return FOLLOW_MM
    return FOLLOW_MM - (AWAY_MM + FOLLOW_MM) * min(1.0, (t - 0.45) / 0.6)


def stroke_stick(
    at_mm: tuple[float, float],
    radius_mm: float,
    direction: tuple[float, float],
    before_s: float,
    *,
    height_mm: float = 12.0,
) -> Stick | None:
    """The cue around a stroke at a piece at rest at `at_mm`; None while it is away."""
    far = hypot(*direction)
    ux, uy = direction[0] / far, direction[1] / far
    offset = stroke_offset_mm(before_s)
    if offset <= -AWAY_MM + 1e-6:
        return None
    reach = offset - radius_mm
    return stick_at((at_mm[0] + ux * reach, at_mm[1] + uy * reach), (ux, uy), height_mm * 0.5)


def stick_at(
    tip_mm: tuple[float, float], direction: tuple[float, float], tip_height_mm: float = TIP_MM
) -> Stick:
    """A cue whose tip is there and that points along `direction`, its butt rising behind it."""
    ux, uy = direction
    return Stick(
        tip_mm=(tip_mm[0], tip_mm[1], tip_height_mm),
        butt_mm=(tip_mm[0] - ux * LENGTH_MM, tip_mm[1] - uy * LENGTH_MM, tip_height_mm + 135.0),
    )
