"""What is struck with a cue, moved by so little that nobody can say whether it was struck."""

from collections.abc import Collection, Mapping, Sequence
from math import hypot

from rules.facts import Cushioned, Fact, Moved, Struck, Travelled
from rules.geometry import Point
from vision.motion.drags import STROKE_MM_S

_HARDLY_MM = 25.0  # no stroke is so soft, however fast it seems beneath the cue
_LITTLE_MM, _SOFT_MM_S = 50.0, 1.25 * STROKE_MM_S


def perhaps_adjusted(
    facts: Sequence[Fact], cued: Collection[str], ran: Mapping[str, tuple[float, float]]
) -> tuple[Fact, ...]:
    """`facts` of a spell of motion, one that may be a soft stroke or a push told as `Moved`.

    `cued` are the pieces that are struck with a cue, `ran` where those that moved came to rest, mm.
    Players put the cue-puck right with the cue before they strike: over a few centimetres, hitting
    nothing, either looks like the other. Whether it matters the rules say.
    """
    strokes = [fact for fact in facts if isinstance(fact, Struck) and fact.piece in cued]
    if len(strokes) != 1 or len(ran) != 1:
        return tuple(facts)
    (stroke,) = strokes
    alone = all(
        isinstance(f, Struck | Travelled | Cushioned) and f.piece == stroke.piece for f in facts
    )
    if stroke.dragged or stroke.piece not in ran or not alone:
        return tuple(facts)
    x, y = ran[stroke.piece]
    far = max(
        hypot(at.x_mm - stroke.at.x_mm, at.y_mm - stroke.at.y_mm)
        for at in (Point(x, y), *(at for f in facts if isinstance(f, Travelled) for at in f.path))
    )
    if far > (_LITTLE_MM if stroke.speed_mm_s < _SOFT_MM_S else _HARDLY_MM):
        return tuple(facts)
    moved = Moved(
        at_ms=stroke.at_ms,
        piece=stroke.piece,
        before=stroke.at,
        after=Point(x, y),
        error_mm=stroke.error_mm,
        by=stroke.by,
    )
    return (moved,)
