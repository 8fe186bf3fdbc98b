"""Two pieces of one look: which of them was found, where one may have pushed the other on."""

from rules.geometry import off_segment_mm
from vision.motion.body import Body
from vision.motion.fitting import Fix

_REACH = 1.4  # radii: two lie two apart where they touch


def alike(a: Body, b: Body) -> bool:
    """Whether nothing but their places tells two pieces apart."""
    return (a.known.kind, a.known.colour) == (b.known.kind, b.known.colour)


def seems_pushed(found: Fix, runner: Body, other: Body) -> bool:
    """Whether `other`, not `runner`, is to be expected at a place found for the runner.

    So it is where the way there leads through the place where its like lay: the runner cannot have
    come through, and sent that one on instead.
    """
    if other is runner or other.moved or not runner.moved or not alike(runner, other):
        return False
    off_mm = off_segment_mm(other.home, runner.last, (found.x_mm, found.y_mm))
    return off_mm < _REACH * other.known.radius_mm
