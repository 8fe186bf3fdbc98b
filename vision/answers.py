"""Observations as the JSON that `sightline observe` prints (the shapes of the table format)."""

from collections.abc import Mapping

from vision.frame import Observation, SeenPiece


def piece_answer(piece: SeenPiece) -> dict[str, object]:
    """One piece: kind, colour, place, its error and how much of it shows."""
    return {
        "kind": piece.kind,
        "colour": piece.colour,
        "x": round(piece.at.x_mm, 3),
        "y": round(piece.at.y_mm, 3),
        "error_mm": round(piece.error_mm, 3),
        "visible": round(piece.visible, 3),
    }


def still_answer(image: str, seen: Observation) -> dict[str, object]:
    """The line for one picture; `seen` of a line test may be "close". A blind one says why."""
    answer: dict[str, object] = {
        "image": image,
        "pieces": [piece_answer(p) for p in seen.pieces],
        "line_tests": [
            {
                "piece": t.piece,
                "x": round(seen.pieces[t.piece].at.x_mm, 3),
                "y": round(seen.pieces[t.piece].at.y_mm, 3),
                "line": t.line,
                "seen": "close" if t.seen is None else t.seen,
                "margin_mm": round(t.margin_mm, 4),
                "error_mm": round(t.error_mm, 4),
            }
            for t in seen.line_tests
        ],
        "hand": seen.hand,
    }
    if seen.lattice:
        answer["lattice"] = {layer: dict(places) for layer, places in seen.lattice.items()}
    if seen.unknown:
        answer["unknown"] = sorted(seen.unknown)
    if seen.blind is not None:
        answer["blind"] = seen.blind
    return answer


def clip_answer(
    clip: str, start: tuple[SeenPiece, ...], facts: list[Mapping[str, object]]
) -> dict[str, object]:
    """The line for one video: the pieces at its start, and its facts, which number them."""
    return {
        "clip": clip,
        "start": [piece_answer(p) for p in start],
        "facts": [dict(fact) for fact in facts],
    }
