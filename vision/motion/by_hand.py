"""Telling what a hand carried or took up from what was struck."""

from collections.abc import Sequence

from vision.motion.body import CUED
from vision.motion.breaks import Knock
from vision.motion.drags import STROKE_MM_S, carried, runs_faster, usual_mm_s
from vision.motion.timeline import Timeline
from vision.motion.track import Track

_ROUGH_MM = 2.0


def by_hand(lines: Sequence[Timeline], knocks: Sequence[Knock]) -> set[int]:
    """The numbers of the pieces that a hand carried.

    What is lost on the surface while nothing else moved was taken up if it was mostly slower than
    any stroke, or hardly seen. Where nothing was struck that may be, nothing can have hit a man
    that ran ever faster, nor one that set off by itself and was lost.
    """
    moved = [who for who, line in enumerate(lines) if line.moved]
    found = {who for who in moved if carried(lines[who].track)}
    if len(moved) == 1 and _hardly_ran(lines[moved[0]].track):
        found |= {who for who in moved if _lost_on_surface(lines[who])}
    if any(lines[who].track.kind in CUED for who in moved if who not in found):
        return found
    found |= {who for who in moved if runs_faster(lines[who].track)}
    return found | {k.a for k in knocks if k.kind == "strike" and _lost_on_surface(lines[k.a])}


def _hardly_ran(track: Track) -> bool:
    """Whether its places are mostly nearer to each other than a stroke would have them.

    A single one says so only if it is rough: what runs in sight is seen better than that. One that
    the hand half hides is some millimetres amiss.
    """
    error_mm = track.sigma[track.is_off()]
    if len(error_mm) < 2:
        return bool((error_mm > _ROUGH_MM).all())
    return usual_mm_s(track) < STROKE_MM_S


def _lost_on_surface(line: Timeline) -> bool:
    """Whether a piece was lost, and neither in a pocket nor in the air past the border."""
    return line.track.lost and line.track.flew is None and line.ending.kind != "pocketed"
