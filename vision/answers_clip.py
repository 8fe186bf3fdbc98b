"""What a clip showed, in the shape of a clip's truth (docs/vision.md, the table format)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from calibration.table import Table
from rules.facts import (
    Batch,
    Contacted,
    Cushioned,
    Emptied,
    Fact,
    Filled,
    HandEntered,
    HandLeft,
    LeftBoard,
    Piece,
    Pocketed,
    Rebounded,
    Struck,
)
from vision.frame import Frame
from vision.lattice.stream import LatticeWitness
from vision.looking import Look
from vision.witness import Witness


@dataclass(frozen=True, slots=True, kw_only=True)
class ClipAnswer:
    """All that a clip showed. `start` and `final` are the pieces before and after, by name.

    `moments` says when changes on a lattice came about, by place and the time of the fact.
    """

    fps: float
    frames: int
    start: tuple[Piece, ...]
    final: tuple[Piece, ...]
    facts: tuple[Fact, ...]
    rest_ms: float | None
    first_ms: float
    moments: Mapping[tuple[str, float], float] = field(default_factory=dict)

    def as_json(self) -> dict[str, object]:
        """The JSON object of `observe --json CLIP`; piece numbers index its own `start`."""
        number = {piece.name: k for k, piece in enumerate(self.start)}
        facts = [one for fact in self.facts for one in self._fact(fact, number)]
        if self.rest_ms is not None:
            facts.append({"t": self._t(self.rest_ms), "fact": "rest"})
        _close_hands(facts, round(self.frames / self.fps, 5) if self.fps else 0.0)
        facts.sort(key=lambda fact: float(str(fact["t"])))
        return {
            "fps": round(self.fps, 4),
            "frames": self.frames,
            "start": [_piece(piece) for piece in self.start],
            "facts": facts,
            "final": [
                {**_piece(piece), **({"piece": number[piece.name]} if piece.name in number else {})}
                for piece in self.final
            ],
        }

    def _change(self, fact: Filled | Emptied) -> dict[str, object]:
        at_ms = self.moments.get((fact.place, fact.at_ms), fact.at_ms)
        name = "placed" if isinstance(fact, Filled) else "removed"
        what = {"kind": fact.kind, "colour": fact.colour, "at": fact.place}
        return {"t": self._t(at_ms), "fact": name, **what}

    def _t(self, at_ms: float) -> float:
        return round(max(at_ms - self.first_ms, 0.0) / 1000, 5)

    def _fact(self, fact: Fact, number: dict[str, int]) -> list[dict[str, object]]:
        at = self._t(fact.at_ms)
        match fact:
            case Struck(piece=piece, error_ms=error) if piece in number:
                return [_timed(at, "strike", error, piece=number[piece])]
            case Contacted(a=a, b=b, at=place, error_ms=error) if a in number and b in number:
                low, high = sorted((number[a], number[b]))
                x, y = round(place.x_mm, 2), round(place.y_mm, 2)
                return [_timed(at, "contact", error, a=low, b=high, x=x, y=y)]
            case Cushioned(piece=piece, border=border, error_ms=error) if piece in number:
                return [_timed(at, "cushion", error, piece=number[piece], side=border.value)]
            case Pocketed(piece=piece, pocket=pocket, error_ms=error) if piece in number:
                return [_timed(at, "pocketed", error, piece=number[piece], pocket=pocket)]
            case LeftBoard(piece=piece, error_ms=error) if piece in number:
                return [_timed(at, "off_board", error, piece=number[piece])]
            case Rebounded(piece=piece, pocket=pocket) if piece in number:
                return [_timed(at, "rebounded", 0.0, piece=number[piece], pocket=pocket)]
            case Batch(facts=parts):
                return [one for part in parts for one in self._fact(part, number)]
            case Filled() | Emptied():
                return [self._change(fact)]
            case HandEntered():
                return [{"t": at, "fact": "hand"}]
            case HandLeft():
                return [{"t": at, "fact": "_hand_left"}]
            case _:
                return []


def witness_of(
    table: Table, *, look: Look | None = None, pieces: Sequence[Piece] = ()
) -> Witness | LatticeWitness:
    """What watches this table: a board of places, or a surface on which pieces run."""
    if table.board.lattices:
        return LatticeWitness(table, look=look, pieces=pieces)
    return Witness(table, look=look, pieces=pieces)


def watch_clip(
    frames: Iterable[Frame],
    table: Table,
    *,
    look: Look | None = None,
    pieces: Sequence[Piece] = (),
    witness: Witness | LatticeWitness | None = None,
) -> ClipAnswer:
    """Watch a whole clip and say all that happened in it."""
    seer = witness or witness_of(table, look=look, pieces=pieces)
    facts: list[Fact] = []
    count, first, last = 0, 0.0, 0.0
    for frame in frames:
        if count == 0:
            first = frame.at_ms
        last = frame.at_ms
        count += 1
        facts += [sighting.fact for sighting in seer.feed(frame)]
    facts += [sighting.fact for sighting in seer.finish()]
    facts.sort(key=lambda fact: fact.at_ms)
    fps = 1000 * (count - 1) / (last - first) if count > 1 and last > first else 0.0
    return ClipAnswer(
        fps=fps,
        frames=count,
        start=seer.start_pieces,
        final=seer.final_pieces(),
        facts=tuple(facts),
        rest_ms=seer.rest_at_ms,
        first_ms=first,
        moments=seer.moments if isinstance(seer, LatticeWitness) else {},
    )


def _piece(piece: Piece) -> dict[str, object]:
    return {
        "kind": piece.kind,
        "colour": piece.colour,
        "x": round(piece.at.x_mm, 3),
        "y": round(piece.at.y_mm, 3),
        "error_mm": round(piece.error_mm, 4),
    }


def _timed(at: float, name: str, error_ms: float, **more: object) -> dict[str, object]:
    return {"t": at, "fact": name, **more, "error_ms": round(error_ms, 3)}


def _close_hands(facts: list[dict[str, object]], end_s: float) -> None:
    """Join each hand's coming and going into one fact with `until`."""
    facts.sort(key=lambda fact: float(str(fact["t"])))
    open_hand: dict[str, object] | None = None
    for fact in list(facts):
        if fact["fact"] == "hand":
            open_hand = fact
            fact["until"] = end_s
        elif fact["fact"] == "_hand_left":
            if open_hand is not None:
                open_hand["until"] = fact["t"]
                open_hand = None
            facts.remove(fact)
