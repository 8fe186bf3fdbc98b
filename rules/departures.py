"""What left the surface in a shot: into a pocket, over the border, or where nobody saw it."""

from collections.abc import Callable, Mapping, Sequence
from math import hypot, inf

from msgspec import Struct

from rules.board import Pocket
from rules.case import Case
from rules.doubts import Doubt
from rules.facts import Fact, LeftBoard, Piece, Pocketed, Rebounded, Settled
from rules.said import say
from rules.verdicts import Verdict, verdict

UNSEEN_MS = 1e9
_NEAR = 4.0  # standard deviations: farther from a pocket, a piece surely lies beside it


class Gone(Struct, frozen=True, kw_only=True):
    """A piece that left the surface in this shot: into `pocket`, or off the game where None."""

    name: str
    kind: str
    colour: str
    at_ms: float
    error_ms: float
    pocket: str | None


def departed(
    case: Case,
    before: Mapping[str, Piece],
    rest: Mapping[str, Piece],
    facts: Sequence[Fact],
    settled: Settled,
    pockets: Sequence[Pocket],
    *,
    kind_of: Callable[[str], tuple[str, str]],
    stayed: Callable[[str, bool], None],
) -> tuple[Gone, ...]:
    """Return what left the surface, in order; ask for a missing piece that nobody saw leave.

    `before` is what lay there at the shot, `rest` what lies there once `settled`, each by its name;
    `kind_of` says kind and colour of any other piece.
    `stayed` is told of each piece that came back onto the surface: its name, and whether over the
    border (else out of a pocket).
    """
    left: dict[str, Pocketed | LeftBoard] = {}
    bounced: set[str] = set()
    for fact in facts:
        if isinstance(fact, (Pocketed, LeftBoard)):
            left[fact.piece] = fact
        elif isinstance(fact, Rebounded):
            bounced.add(fact.piece)
    begins_mm = _from_middle_mm(pockets)
    at_pocket = {p.name for p in settled.pieces if abs(p.at.x_mm) >= begins_mm - _NEAR * p.error_mm}
    doubted = left.keys() | bounced | at_pocket
    names = [name for name in before if name not in rest or name in doubted]
    gone: list[Gone] = []
    for name in dict.fromkeys([*names, *left]):
        out, now = left.get(name), rest.get(name)
        known = before.get(name)
        kind, colour = (known.kind, known.colour) if known else kind_of(name)
        pocket = None
        if now is not None and name in at_pocket:
            pocket = _pocket_under(case, now, known, out, pockets)
        if now is not None and pocket is None:
            if isinstance(out, LeftBoard):
                stayed(name, True)
            elif out is not None or name in bounced:
                stayed(name, False)
            continue
        if out is not None:
            gone.append(
                Gone(
                    name=name,
                    kind=kind,
                    colour=colour,
                    at_ms=out.at_ms,
                    error_ms=out.error_ms,
                    pocket=out.pocket if isinstance(out, Pocketed) else None,
                )
            )
            continue
        if pocket is None:
            stranger = any(
                p.name not in before and (p.kind, p.colour) == (kind, colour)
                for p in settled.pieces
            )
            pocket = None if stranger else _missing(case, name)
            if pocket is None:
                continue
        gone.append(
            Gone(
                name=name,
                kind=kind,
                colour=colour,
                at_ms=settled.at_ms,
                error_ms=UNSEEN_MS,
                pocket=pocket or None,
            )
        )
    return tuple(sorted(gone, key=lambda g: g.at_ms))


def _from_middle_mm(pockets: Sequence[Pocket]) -> float:
    """Return how far from the middle, along x, the pocket nearest to it begins."""
    nearest = inf
    for pocket in pockets:
        nearest = min(nearest, abs(pocket.centre.x_mm) - pocket.radius_mm)
    return nearest


def _pocket_under(
    case: Case,
    piece: Piece,
    before: Piece | None,
    left: Pocketed | LeftBoard | None,
    pockets: Sequence[Pocket],
) -> str | None:
    """Return the pocket in which a piece seen at rest lies, its centre beyond the rim.

    One at the brink that lies as it lay `before` the shot has not fallen in it, and nobody is asked
    about it again.
    """
    for pocket in pockets:
        reach = abs(pocket.centre.x_mm - piece.at.x_mm)
        if reach > pocket.radius_mm + _NEAR * piece.error_mm:
            continue
        margin = pocket.radius_mm - pocket.centre.distance_mm(piece.at)
        sure = verdict(margin, piece.error_mm)
        if sure is Verdict.NO:
            continue
        if sure is Verdict.CLOSE and left is None and _lies_as(before, piece):
            continue
        if isinstance(left, Pocketed) or case.holds(
            margin,
            piece.error_mm,
            _fallen_key(piece.name),
            say("Has {piece} fallen into pocket {pocket}?", piece=piece.name, pocket=pocket.id),
            piece=piece.name,
            at=piece.at,
        ):
            return pocket.id
    return None


def ruled_fallen(answers: Mapping[str, str], name: str) -> bool:
    """Return whether a piece seen by a pocket was ruled to have fallen in, by these answers."""
    return answers.get(_fallen_key(name)) == "yes"


def fell_by_hand(fell: Pocketed, *, hand: bool, hand_left_ms: float) -> bool:
    """Return whether a piece fell while a hand was at the table: one `hand` still is, or the last
    left after it."""
    return hand or fell.at_ms < hand_left_ms


def _fallen_key(name: str) -> str:
    return f"in-pocket-{name}"


def _lies_as(before: Piece | None, piece: Piece) -> bool:
    """Return whether a piece lies where it lay, as far as its places are known."""
    if before is None:
        return False
    error = hypot(before.error_mm, piece.error_mm)
    return verdict(piece.at.distance_mm(before.at), error) is not Verdict.YES


def _missing(case: Case, name: str) -> str | None:
    """Return where a missing piece went: "?" a pocket, "" off the game, None: it is still there."""
    answer = case.oracle.pick(
        Doubt(
            key=f"missing-{name}",
            words=say(
                "{name} is not on the table and was not seen to leave it: where did it go?",
                name=name,
            ),
            answers=(
                ("pocket", say("Into a pocket")),
                ("off", say("Off the table")),
                ("there", say("It still lies on the surface")),
            ),
            piece=name,
        )
    )
    return {"pocket": "?", "off": ""}.get(answer)
