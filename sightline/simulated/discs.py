"""What slides on a board, and the board it slides on."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Disc:
    """A disc at rest: the centre of its foot, its size and its mass."""

    name: str
    x_mm: float
    y_mm: float
    radius_mm: float
    mass_g: float
    thickness_mm: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Hole:
    """A pocket in the surface."""

    id: str
    x_mm: float
    y_mm: float
    radius_mm: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Surface:
    """What the discs slide on. `half_x_mm`, `half_y_mm` reach to the cushions' inner faces.

    A disc whose centre passes a pocket's rim sinks under gravity; once it has sunk `lip_mm` it
    cannot come out again. `slowing_mm_s2` is the friction coefficient times gravity.
    """

    half_x_mm: float
    half_y_mm: float
    border_height_mm: float
    holes: tuple[Hole, ...] = ()
    slowing_mm_s2: float = 1500.0
    bounce_discs: float = 0.9
    bounce_cushion: float = 0.8
    lip_mm: float = 4.0
    lip_keeps: float = 0.6
