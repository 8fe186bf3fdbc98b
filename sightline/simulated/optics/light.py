"""The light on the table: how bright where, of what colour, its glare, its shadows."""

from dataclasses import dataclass

import numpy as np

from sightline.simulated.optics.rays import Floats, Rays


@dataclass(frozen=True, slots=True, kw_only=True)
class Glare:
    """A lamp mirrored in the varnish: where on the board, how wide, how strong (1 is white)."""

    x_mm: float
    y_mm: float
    width_mm: float
    strength: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Light:
    """One lighting. `colour` is linear (blue, green, red).

    `slope` brightens along x and y per metre; `shade_mm` are the ways by which each lamp throws
    the shadow of something 10 mm high.
    """

    name: str = "panels"
    gain: float = 1.0
    colour: tuple[float, float, float] = (1.0, 1.0, 1.0)
    slope: tuple[float, float] = (0.06, -0.09)
    vignette: float = 0.12
    glares: tuple[Glare, ...] = ()
    shade_mm: tuple[tuple[float, float], ...] = ((5.0, -3.0), (-3.0, -4.0))
    shade: float = 0.17

    def on(self, rays: Rays) -> tuple[Floats, Floats]:
        """Two maps: the gain (H, W, 3) and the glare added to it (H, W, 1), both linear."""
        x, y = rays.plane(0.0, rays.whole)
        u, v = np.meshgrid(np.arange(rays.width), np.arange(rays.height))
        half = 0.5 * np.hypot(rays.width, rays.height)
        off = np.hypot(u - rays.width / 2, v - rays.height / 2) / half
        gain = self.gain * (1 - self.vignette * off**2)
        gain *= np.clip(1 + self.slope[0] * x / 1000 + self.slope[1] * y / 1000, 0.2, 3)
        glare = np.zeros((rays.height, rays.width), np.float32)
        for spot in self.glares:
            far = ((x - spot.x_mm) ** 2 + (y - spot.y_mm) ** 2) / spot.width_mm**2
            glare += np.float32(spot.strength) * np.exp(-0.5 * far)
        tinted = gain[..., None] * np.array(self.colour, dtype=np.float32)
        return tinted.astype(np.float32), glare[..., None].astype(np.float32)


PANELS = Light()
WINDOW = Light(
    name="window",
    gain=0.86,
    colour=(1.1, 1.0, 0.93),
    slope=(-0.3, 0.22),
    glares=(Glare(x_mm=-190, y_mm=260, width_mm=70, strength=0.10),),
    shade_mm=((9.0, 3.0), (2.0, -5.0)),
)
LAMP = Light(
    name="lamp",
    gain=0.72,
    colour=(0.72, 0.93, 1.12),
    slope=(0.1, 0.25),
    vignette=0.2,
    glares=(
        Glare(x_mm=220, y_mm=-230, width_mm=45, strength=0.16),
        Glare(x_mm=-240, y_mm=-200, width_mm=55, strength=0.08),
    ),
    shade_mm=((-6.0, 5.0),),
    shade=0.3,
)
LIGHTS = {light.name: light for light in (PANELS, WINDOW, LAMP)}
