"""The lag for the break: each player drives an object puck against the far border (QS-5.2, 5.3)."""

from math import atan2, cos, sin

from rules.geometry import Seat
from sightline.simulated.floor import CUE, Floor
from sightline.simulated.pieces import Lying

ALONG_MM = 150.0
SHORT_OF_MM = 300.0
BEHIND_MM = 90.0
SPEED_MM_S = 2150.0


class LagPlay:
    """Plays a lag from seat S's side, step by step; `go_on` does the next step."""

    def __init__(self, floor: Floor) -> None:
        self.floor = floor
        self._step = 0

    def go_on(self) -> None:
        """Lays both pucks and the cue-puck, shoots twice; then begins again, if it must."""
        match self._step % 3:
            case 0:
                self._lay()
            case 1:
                self._shoot(0)
            case _:
                self._shoot(1)
        self._step += 1

    def _lay(self) -> None:
        floor = self.floor
        if floor.stage.lying:
            floor.carry(floor.stage.lying, Seat.S, brings=False, more_follow=True)
        y = -floor.board.height_mm / 2 + SHORT_OF_MM
        colours = list(dict.fromkeys(floor.colours.values()))
        laid = []
        for colour, x in zip(colours, (-ALONG_MM, ALONG_MM), strict=True):
            spec = floor.board.piece("puck", colour)
            jog = floor.draw.gauss(0, 0.5)
            laid.append(Lying(name=f"{colour}-1", spec=spec, x_mm=x, y_mm=y + jog))
        floor.carry(tuple(laid), Seat.S, brings=True, more_follow=True)
        spec = next(s for s in floor.board.pieces if s.kind == CUE)
        cue = Lying(name=CUE, spec=spec, x_mm=-ALONG_MM, y_mm=y - BEHIND_MM)
        floor.carry((cue,), Seat.S, brings=True)

    def _shoot(self, nth: int) -> None:
        floor = self.floor
        cue = floor.stage.piece(CUE)
        colour = list(dict.fromkeys(floor.colours.values()))[nth]
        puck = floor.stage.piece(f"{colour}-1")
        if cue is None or puck is None:
            self._step = -1
            return
        floor.haul(Seat.S, cue, (puck.x_mm, puck.y_mm - BEHIND_MM))
        cue = floor.stage.piece(CUE)
        assert cue is not None
        angle = atan2(puck.y_mm - cue.y_mm, puck.x_mm - cue.x_mm)
        angle += floor.draw.gauss(0, 0.004)
        speed = SPEED_MM_S * (1 + floor.draw.gauss(0, 0.04))
        floor.strike(Seat.S, (speed * cos(angle), speed * sin(angle)))
