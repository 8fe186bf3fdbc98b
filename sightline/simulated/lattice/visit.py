"""One visit of a hand to a lattice board: it does one thing or several, and goes again."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import hypot

from rules.board import Board
from rules.facts import Batch, Cleared, Emptied, Fact, Filled, HandEntered, HandLeft
from rules.geometry import Seat
from sightline.simulated.acts.act import Pieces, hand_times
from sightline.simulated.hands import Spot, eased, fingertips_over, limb_at, resting_hand
from sightline.simulated.pieces import Lying
from sightline.simulated.scene import Body, Limb, Scene

REACH_S = 0.42
DWELL_S = 0.14
HURRIED_S = 0.07
QUIET_S = 0.5
OVER_MM_S = 900.0
LIFT_MM = 16.0
LIMB_MM = 40.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """A hand brings `piece`, or takes it away; its place is the piece's own."""

    piece: Lying
    brings: bool


class Visit:
    """A hand from `by` does its deeds in order. What changed is told once it has left, at once.

    Several changes come as a `Batch`: their order only the hand knows. What the hand itself undid
    before it left is no change. Deeds on places (docs/json.md names them) are told as facts of the
    lattice; a deed beside it is not told.
    """

    def __init__(
        self,
        *,
        before: Pieces,
        deeds: Sequence[Deed],
        by: Seat,
        board: Board,
        hurried: bool = False,
        quiet_s: float = QUIET_S,
    ) -> None:
        if not deeds:
            raise ValueError("expected a hand that does something, got no deeds")
        self.before = before
        self.by = by
        self._board = board
        self._deeds = tuple(deeds)
        self._layers = [before]
        for deed in deeds:
            lies = tuple(p for p in self._layers[-1] if p.name != deed.piece.name)
            self._layers.append(_stacked((*lies, deed.piece) if deed.brings else lies))
        self._bodies = [tuple(p.body() for p in layer) for layer in self._layers]
        dwell_s = HURRIED_S if hurried else DWELL_S
        spots = [(deed.piece.x_mm, deed.piece.y_mm) for deed in deeds]
        at_s, legs = REACH_S, [(0.0, resting_hand(board, by, spots[0])), (REACH_S, spots[0])]
        self._done_s: list[float] = []
        for here, there in pairwise([*spots, spots[-1]]):
            at_s += dwell_s
            legs.append((at_s, here))
            self._done_s.append(at_s)
            if there != here:
                at_s += 0.1 + hypot(there[0] - here[0], there[1] - here[1]) / OVER_MM_S
                legs.append((at_s, there))
        legs.append((at_s + REACH_S, resting_hand(board, by, spots[-1])))
        self._legs = legs
        self.over_s = legs[-1][0]
        self.lasts_s = self.over_s + quiet_s

    @property
    def after(self) -> Pieces:
        return self._layers[-1]

    def scene(self, at_s: float) -> Scene:
        done = sum(at_s >= s for s in self._done_s)
        if at_s >= self.over_s:
            return Scene(bodies=self._bodies[-1])
        grip = self._grip(at_s)
        held = self._held(done, grip)
        bodies = self._bodies[done]
        return Scene(bodies=(*bodies, held) if held else bodies, limbs=(self._limb(grip),))

    def _held(self, done: int, grip: Spot) -> Body | None:
        """What the hand carries: the piece it brings next, else what it took last."""
        if done < len(self._deeds) and self._deeds[done].brings:
            carried = self._deeds[done].piece
        elif done > 0 and not self._deeds[done - 1].brings:
            carried = self._deeds[done - 1].piece
        else:
            return None
        return replace(
            carried.body(),
            x_mm=grip[0],
            y_mm=grip[1],
            lift_mm=carried.lift_mm + LIFT_MM,
        )

    def _grip(self, at_s: float) -> Spot:
        for (t0, a), (t1, b) in pairwise(self._legs):
            if at_s <= t1:
                share = 0.0 if t1 == t0 else max(0.0, (at_s - t0) / (t1 - t0))
                return eased(a, b, share)
        return self._legs[-1][1]

    def _limb(self, grip: Spot) -> Limb:
        tips = fingertips_over(self._board, self.by, grip, ahead_mm=10.0)
        return limb_at(self._board, self.by, tips, LIMB_MM)

    def facts(self) -> tuple[Fact, ...]:
        entered, left, depth = hand_times(
            self._board, lambda t: self._limb(self._grip(t)), self.over_s
        )
        left_ms = 1000 * left
        hand = (
            HandEntered(at_ms=1000 * entered, side=self.by),
            HandLeft(at_ms=left_ms, side=self.by, depth_mm=depth),
        )
        return (*hand, *self.told(left_ms))

    def told(self, at_ms: float = 0.0) -> tuple[Fact, ...]:
        """The changes as a camera tells them that sees them at once; empty where nothing did."""
        changes = self.changes(at_ms)
        stood = sum(1 for p in self.before if p.place)
        if len(changes) < 2:
            return changes
        if stood == len(changes) and not any(p.place for p in self.after):
            return (Cleared(at_ms=at_ms),)
        return (Batch(at_ms=at_ms, facts=changes),)

    def changes(self, at_ms: float = 0.0) -> tuple[Fact, ...]:
        """What is otherwise on the lattice than before: first what is gone, then what came."""
        was, now = _standing(self.before), _standing(self.after)
        gone = [
            Emptied(at_ms=at_ms, place=place, kind=kind, colour=colour, by=self.by)
            for place, kind, colour in (was - now).elements()
        ]
        come = [
            Filled(at_ms=at_ms, place=place, kind=kind, colour=colour, by=self.by)
            for place, kind, colour in (now - was).elements()
        ]
        return (*gone, *come)


def _stacked(pieces: Pieces) -> Pieces:
    """The pieces, each as high as those beneath it on its place lift it: the first lies lowest."""
    heights: dict[str, float] = {}
    lying = []
    for piece in pieces:
        lift_mm = heights.get(piece.place, 0.0) if piece.place else piece.lift_mm
        heights[piece.place] = lift_mm + piece.spec.thickness_mm
        lying.append(piece if piece.lift_mm == lift_mm else replace(piece, lift_mm=lift_mm))
    return tuple(lying)


def _standing(pieces: Pieces) -> "Counter[tuple[str, str, str]]":
    return Counter((p.place, p.spec.kind, p.spec.colour) for p in pieces if p.place)
