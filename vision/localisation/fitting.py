"""Fits pieces among the others that stand about them, each to the pixels around it."""

from collections.abc import Sequence
from dataclasses import dataclass

from calibration.camera import Floats
from vision.appearance.light import Light, Standing
from vision.appearance.patch import cut
from vision.appearance.rendering import LOOSE, TIED
from vision.appearance.scene import Scene
from vision.appearance.surroundings import beside
from vision.localisation.stand import WIDE_HUB, Fit, fit

_WIDE_PX = 7.0
"""How far around a piece to look while its place is known to some millimetres only."""


@dataclass(frozen=True, slots=True, eq=False)
class Fitter:
    """Fits pieces of `scene`, among which some are known to be `staying`."""

    scene: Scene
    staying: Sequence[Standing]

    def fit(
        self,
        standing: Sequence[Standing],
        n: int,
        light: Light,
        *,
        rounds: int,
        margin_px: float = _WIDE_PX,
        blur_times: float = 1.0,
        pull: bool = False,
        loose: bool = False,
        hue: Floats | None = None,
        hub: float = WIDE_HUB,
        chequered: bool = True,
    ) -> Fit | None:
        """Number `n` of `standing` fitted; `chequered` will do unless hundredths of mm count.

        None where next to nothing of it is seen.
        """
        me, others = standing[n], self.beside(standing, n)
        patch = cut(self.scene, me, others, margin_px=margin_px, hue=hue, chequered=chequered)
        if patch is None:
            return None
        return fit(
            self.scene.view,
            patch,
            me,
            others,
            light,
            rounds=rounds,
            pull=pull,
            may=LOOSE if loose else TIED,
            hub=hub,
            blur_times=blur_times,
        )

    def from_each(
        self, standing: Sequence[Standing], n: int, light: Light, starts: Sequence[Standing]
    ) -> list[Fit]:
        """Fits of number `n` from each start; none where next to nothing of it is seen.

        All are to the same pixels: others would say how bright or dark these are.
        """
        view, others = self.scene.view, self.beside(standing, n)
        patch = cut(self.scene, standing[n], others, margin_px=_WIDE_PX, chequered=True)
        if patch is None:
            return []
        return [fit(view, patch, s, others, light, rounds=4, hub=WIDE_HUB) for s in starts]

    def beside(self, standing: Sequence[Standing], n: int) -> list[Standing]:
        """What may hide or shade the board about number `n`."""
        return beside([*standing, *self.staying], n)
