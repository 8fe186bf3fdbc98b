"""What is seen in the mouths of the pockets, whichever piece it was.

Where a rack bursts, or pieces of one look change places unseen, nobody can say which of them went
where. That one of that look fell is seen in the mouth all the same, while it sinks.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rules.board import Board, Pocket
from rules.facts import Piece, Pocketed, Rebounded
from vision.tracking.body import Body
from vision.tracking.ground import Ground
from vision.tracking.hands import HandWatch
from vision.tracking.tint import Tint, off_tint

Gray = NDArray[np.uint8]
STEP_MM = 2.0  # so far apart a mouth is looked at
_INSIDE = 0.8  # of a mouth's radius
_STANDS_OUT, _NOISES = 10.0, 5.0  # codes
_RING_MM = 12.0  # farther off than a falling piece reaches: a hand over the mouth comes from there
_FILLED = 0.3  # of the mouth: what passes by fills less
_LIKE = 30.0  # codes, off all that a piece's colour may be there
_APART_MS = 150.0  # what is seen in a mouth again so soon is the same
_SAME_MS = 250.0  # so near in time, a fall that was followed is what was seen

Look = tuple[str, str]  # kind and colour


@dataclass(frozen=True, slots=True, eq=False)
class Ring:
    """Places (N,) spread over a ring about a mouth: rows and columns in the picture, and mm."""

    v: NDArray[np.intp]
    u: NDArray[np.intp]
    x_mm: NDArray[np.float64]
    y_mm: NDArray[np.float64]

    def part(self, which: NDArray[np.bool_]) -> "Ring":
        """Some of the places."""
        return Ring(self.v[which], self.u[which], self.x_mm[which], self.y_mm[which])


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """Something that was seen in a mouth from `at_ms` to `until_ms`, and what it looked like.

    `filled` is how much of the mouth it filled when it filled most.
    """

    pocket: str
    at_ms: float
    until_ms: float
    filled: float
    looks: frozenset[Look]

    @property
    def lasted(self) -> bool:
        """Whether it was seen in more frames than one."""
        return self.until_ms > self.at_ms


class MouthWatch:
    """Show it each frame in which pieces move; `begin` says what lies on the board."""

    def __init__(self, ground: Ground, board: Board) -> None:
        self._ground = ground
        widest = max((spec.diameter_mm or 0.0 for spec in board.pieces), default=0.0)
        self._mouths = [
            (
                pocket,
                ring_about(ground, pocket, 0.0, _INSIDE * pocket.radius_mm),
                ring_about(ground, pocket, beyond := pocket.radius_mm + widest, beyond + _RING_MM),
            )
            for pocket in board.pockets
        ]
        self._tints: list[tuple[Look, Tint]] = []
        self._looks: dict[str, Look] = {}
        self.visits: list[Visit] = []

    def begin(self, bodies: Sequence[Body]) -> None:
        """Forget what was seen; from now on these pieces may fall."""
        self.visits.clear()
        self._looks = {body.known.name: (body.known.kind, body.known.colour) for body in bodies}
        self._tints = [
            ((body.known.kind, body.known.colour), body.tint)
            for body in bodies
            if body.tint is not None
        ]

    def look(
        self, picture: Gray, at_ms: float, hands: HandWatch, in_colour: Callable[[], Gray] | None
    ) -> None:
        """Note what the mouths show in this frame that they did not show at rest."""
        if in_colour is None or not self._tints:
            return
        least = max(_STANDS_OUT, _NOISES * self._ground.noise)
        for pocket, inside, around in self._mouths:
            v, u = inside.v, inside.u
            gap = picture[v, u].astype(np.int16) - self._ground.backdrop[v, u]
            out = np.abs(gap) > least
            filled = float(out.mean()) if len(out) else 0.0
            if filled < _FILLED or hands.hides_any(around.v, around.u):
                continue
            k = self._going_on(pocket, at_ms)
            if k is not None and filled <= self.visits[k].filled:
                self.visits[k] = replace(self.visits[k], until_ms=at_ms)
                continue
            colours = in_colour()[v[out], u[out]]
            if colours.ndim != 2:
                return
            visit = Visit(
                pocket=pocket.id,
                at_ms=at_ms if k is None else self.visits[k].at_ms,
                until_ms=at_ms,
                filled=filled,
                looks=self._looks_of(np.median(colours, axis=0)),
            )
            if k is None:
                self.visits.append(visit)
            else:
                self.visits[k] = visit

    def _looks_of(self, seen: Tint) -> frozenset[Look]:
        black = np.zeros(3)
        return frozenset(
            look for look, own in self._tints if off_tint(seen, own, black, 0.0) < _LIKE
        )

    def _going_on(self, pocket: Pocket, at_ms: float) -> int | None:
        """The number of the visit that is seen in a mouth now, None where a new one begins."""
        for k, old in enumerate(self.visits):
            if old.pocket == pocket.id and at_ms - old.until_ms <= _APART_MS:
                return k
        return None

    def falls_of(
        self,
        gone: Sequence[Piece],
        told: Collection[Pocketed | Rebounded],
        frame_s: float,
        fast: Collection[str] = (),
    ) -> tuple[Pocketed, ...]:
        """The falls of those `gone` that were seen in a mouth; `told` falls are others'.

        `fast` are those that may have cleared the border.
        """
        left = [v for v in self.visits if not any(self._explains(fact, v) for fact in told)]
        return falls_by(left, gone, frame_s, fast)

    def _explains(self, fact: Pocketed | Rebounded, visit: Visit) -> bool:
        """Whether what was seen in a mouth is the piece of which a fall there is told."""
        return (
            fact.pocket == visit.pocket
            and visit.at_ms - _SAME_MS < fact.at_ms < visit.until_ms + _SAME_MS
            and (not visit.looks or self._looks.get(fact.piece) in {None, *visit.looks})
        )


def falls_by(
    visits: Sequence[Visit], gone: Sequence[Piece], frame_s: float, fast: Collection[str] = ()
) -> tuple[Pocketed, ...]:
    """The falls of those `gone` that visits of mouths tell of.

    What falls is seen to sink there, for longer than what passes by. Seen there but once, one of
    those so `fast` that it may have cleared the border has perhaps flown on; and which of more
    such visits than are gone of that look was the fall, nobody can say.
    """
    left = sorted(visits, key=lambda visit: visit.at_ms - visit.until_ms)
    found = []
    for k, piece in enumerate(gone):
        look = piece.kind, piece.colour
        like = [visit for visit in left if look in visit.looks]
        alike = sum((other.kind, other.colour) == look for other in gone[k:])
        if not like:
            continue
        visit = like[0]
        if not visit.lasted and (piece.name in fast or len(like) > alike):
            continue
        left.remove(visit)
        at_ms, error_ms = visit.at_ms - 500 * frame_s, 500 * frame_s
        found.append(
            Pocketed(at_ms=at_ms, piece=piece.name, pocket=visit.pocket, error_ms=error_ms)
        )
    return tuple(found)


def ring_about(ground: Ground, pocket: Pocket, least_mm: float, most_mm: float) -> Ring:
    """Places in the board's plane so far from a pocket's middle, those in the picture."""
    run = np.arange(-most_mm, most_mm + 1e-6, STEP_MM)
    x, y = (part.ravel() for part in np.meshgrid(run, run))
    ring = (np.hypot(x, y) >= least_mm) & (np.hypot(x, y) <= most_mm)
    x, y = pocket.centre.x_mm + x[ring], pocket.centre.y_mm + y[ring]
    px = np.rint(ground.camera.project(np.column_stack([x, y, np.zeros_like(x)]))).astype(np.intp)
    height, width = ground.empty.shape
    seen = (px >= 0).all(axis=1) & (px[:, 0] < width) & (px[:, 1] < height)
    return Ring(px[seen, 1], px[seen, 0], x[seen], y[seen])
