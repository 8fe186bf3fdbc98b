"""What stands before the simulated camera at one instant."""

from dataclasses import dataclass

from rules.board import PieceSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """A piece: the centre of its foot and its foot's height (below 0 in a pocket).

    `turn_deg` is how far it is turned, counter-clockwise: a stick at 0 lies along x.
    """

    name: str
    spec: PieceSpec
    x_mm: float
    y_mm: float
    lift_mm: float = 0.0
    turn_deg: float = 0.0

    def __hash__(self) -> int:
        return hash((self.name, self.x_mm, self.y_mm, self.lift_mm))


@dataclass(frozen=True, slots=True, kw_only=True)
class Stick:
    """A cue, by the middle of its tip and of its butt."""

    tip_mm: tuple[float, float, float]
    butt_mm: tuple[float, float, float]
    tip_radius_mm: float = 5.5
    butt_radius_mm: float = 13.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Limb:
    """A hand and its arm: from the fingertips at `reach_mm` to `elbow_mm`."""

    reach_mm: tuple[float, float]
    elbow_mm: tuple[float, float]
    height_mm: float = 35.0
    tone: tuple[float, float, float] = (0.62, 0.38, 0.26)
    sleeve: tuple[float, float, float] = (0.05, 0.08, 0.18)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """All that can change from frame to frame; the board and the light do not."""

    bodies: tuple[Body, ...] = ()
    sticks: tuple[Stick, ...] = ()
    limbs: tuple[Limb, ...] = ()
