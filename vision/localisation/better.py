"""Which of two fits is the better one."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.silhouette import Body
from vision.appearance.scene import Scene
from vision.detection.detect import Guess
from vision.detection.edges import Edges
from vision.detection.rims import rim_shown
from vision.localisation.stand import Fit
from vision.localisation.standing import runs_round, strayed_mm
from vision.localisation.starts import apart_mm

SAME_MM = 0.3
"""Fits nearer to each other are one place."""

_PER_SQUARE_MM = 0.06
"""What speaks against a fit, beside a hand, by how far it is from a guess whose rim shows."""

_RIM_MM = 0.7
"""How near to a rim its edge has to show."""


def worth(found: Fit) -> float:
    """The less a fit leaves over, the more; what it explains alone is no judge between fits."""
    return found.explained - float(np.log(found.noise))


@dataclass(frozen=True, slots=True, eq=False)
class Judge:
    """Chooses between fits by what the picture shows where they say; nothing where `hidden`."""

    scene: Scene
    edges: Edges
    hidden: NDArray[np.bool_] | None

    def better(self, guess: Guess, body: Body, one: Fit | None, other: Fit | None) -> Fit | None:
        """Of two fits of a guess the one that leaves less over, with more edges at its rims.

        What a fit explains is no judge between them: a wrong one explains the piece as its shadow.
        """
        if one is None or other is None:
            return one or other
        for_it = np.array([worth(one), worth(other)])
        if apart_mm(one, other) > SAME_MM:
            places = np.array([[f.x_mm, f.y_mm] for f in (one, other)])
            radii = [body.radius_mm] + [body.hole_mm] * (body.hole_mm > 0)
            for radius in radii:
                rims, _ = rim_shown(
                    self.scene.view, self.edges, body, radius, places, _RIM_MM, self.hidden
                )
                for_it = for_it + rims / len(radii)
            for_it -= [self._strays(guess, f) for f in (one, other)]
        return one if for_it[0] >= for_it[1] else other

    def _strays(self, guess: Guess, found: Fit) -> float:
        """What speaks against a fit so far from a guess whose rim shows, beside a hand.

        In the shades that fingers cast on a piece, fits millimetres apart explain it as badly.
        """
        if not (runs_round(guess) and self.scene.hand_about(guess.x_mm, guess.y_mm)):
            return 0.0
        return _PER_SQUARE_MM * strayed_mm(guess, found) ** 2
