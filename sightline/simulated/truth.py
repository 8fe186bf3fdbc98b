"""What really happened on the simulated table, as facts and in the form of a clip's truth."""

from collections.abc import Mapping, Sequence

from rules.facts import (
    Contacted,
    Cushioned,
    Fact,
    LeftBoard,
    Piece,
    Pocketed,
    Rebounded,
    Settled,
    Struck,
    Travelled,
)
from rules.geometry import Point, Seat
from sightline.simulated.physics import Happening, Run
from sightline.simulated.pieces import Lying
from sightline.simulated.scene import Body

FAINTEST_MM_S = 5.0
REST_MS = 1000.0
SUNK_MM = 60.0


def shot_facts(
    run: Run, lying: Sequence[Lying], struck: str, *, by: Seat | None = None
) -> tuple[Fact, ...]:
    """The facts of one shot in order, ending with Settled `REST_MS` after the last motion.

    `lying` is what lay on the surface before. Contacts and cushions slower than `FAINTEST_MM_S` are
    not told, as nobody could see them.
    """
    first = run.paths[struck][1]
    facts: list[Fact] = [
        Struck(
            at_ms=1000 * run.start_s,
            piece=struck,
            at=Point(first.x_mm, first.y_mm),
            speed_mm_s=first.speed_mm_s,
            by=by,
        )
    ]
    facts += [fact for h in run.happenings if (fact := _fact(h)) is not None]
    rest_ms = 1000 * run.rest_s
    facts.append(Travelled(at_ms=rest_ms, piece=struck, path=_path(run, struck)))
    facts.append(Settled(at_ms=rest_ms + REST_MS, pieces=settled_pieces(run, lying)))
    return tuple(facts)


def settled_pieces(run: Run, lying: Sequence[Lying]) -> tuple[Piece, ...]:
    """What lies on the surface after a run."""
    return tuple(piece.piece() for piece in lying_after(run, lying))


def lying_after(run: Run, lying: Sequence[Lying]) -> tuple[Lying, ...]:
    """The pieces that are still on the surface, where they came to rest."""
    final = run.final()
    return tuple(
        Lying(name=p.name, spec=p.spec, x_mm=final[p.name][0], y_mm=final[p.name][1])
        for p in lying
        if p.name in final
    )


def bodies_at(run: Run, lying: Sequence[Lying], at_s: float) -> tuple[Body, ...]:
    """Every piece of a run at an instant, in flight and in pockets too, while it can be seen."""
    bodies = []
    for piece in lying:
        stretch = run.stretch(piece.name, at_s)
        height = stretch.height_mm(at_s)
        if height < -SUNK_MM:
            continue
        x, y = stretch.place(at_s)
        bodies.append(Body(name=piece.name, spec=piece.spec, x_mm=x, y_mm=y, lift_mm=height))
    return tuple(bodies)


def _fact(h: Happening) -> Fact | None:
    at_ms = 1000 * h.at_s
    match h.what:
        case "contact" if h.speed_mm_s >= FAINTEST_MM_S:
            return Contacted(at_ms=at_ms, a=h.a, b=h.b, at=Point(h.x_mm, h.y_mm))
        case "cushion" if h.speed_mm_s >= FAINTEST_MM_S:
            return Cushioned(at_ms=at_ms, piece=h.a, border=Seat(h.where))
        case "pocketed":
            return Pocketed(at_ms=at_ms, piece=h.a, pocket=h.where)
        case "rebounded":
            return Rebounded(at_ms=at_ms, piece=h.a, pocket=h.where)
        case "off_board":
            return LeftBoard(at_ms=at_ms, piece=h.a)
        case _:
            return None


def _path(run: Run, name: str) -> tuple[Point, ...]:
    """The corners of a disc's way, to its rest or to where it fell or left the board."""
    gone = run.gone().get(name)
    corners = [
        Point(s.x_mm, s.y_mm)
        for s in run.paths[name]
        if gone is None or s.start_s <= gone.at_s + 1e-9
    ]
    corners.append(
        Point(*run.paths[name][-1].place(float("inf")))
        if gone is None
        else Point(gone.x_mm, gone.y_mm)
    )
    way: list[Point] = []
    for corner in corners:
        if not way or corner.distance_mm(way[-1]) > 1e-6:
            way.append(corner)
    return tuple(way)


def clip_truth(
    run: Run, lying: Sequence[Lying], struck: str, *, fps: float, frames: int, exposure_s: float
) -> Mapping[str, object]:
    """The truth of a clip of this run, in the form that reference tables have it."""
    number = {piece.name: k for k, piece in enumerate(lying)}
    told: list[dict[str, object]] = [
        {"t": round(run.start_s, 6), "fact": "strike", "piece": number[struck]}
    ]
    for h in run.happenings:
        seconds = round(h.at_s, 6)
        match h.what:
            case "contact" if h.speed_mm_s >= FAINTEST_MM_S:
                a, b = sorted((number[h.a], number[h.b]))
                told.append(
                    {
                        "t": seconds,
                        "fact": "contact",
                        "a": a,
                        "b": b,
                        "x": round(h.x_mm, 3),
                        "y": round(h.y_mm, 3),
                    }
                )
            case "cushion" if h.speed_mm_s >= FAINTEST_MM_S:
                told.append(
                    {"t": seconds, "fact": "cushion", "piece": number[h.a], "side": h.where}
                )
            case "pocketed":
                told.append(
                    {"t": seconds, "fact": "pocketed", "piece": number[h.a], "pocket": h.where}
                )
            case "off_board":
                told.append({"t": seconds, "fact": "off_board", "piece": number[h.a]})
            case _:
                pass
    if run.rest_s < frames / fps:
        told.append({"t": round(run.rest_s, 6), "fact": "rest"})
    return {
        "fps": fps,
        "frames": frames,
        "exposure": exposure_s,
        "start": [_told(piece) for piece in lying],
        "final": [{**_told(p), "piece": number[p.name]} for p in lying_after(run, lying)],
        "facts": told,
    }


def _told(piece: Lying) -> dict[str, object]:
    return {
        "kind": piece.spec.kind,
        "colour": piece.spec.colour,
        "x": round(piece.x_mm, 3),
        "y": round(piece.y_mm, 3),
    }
