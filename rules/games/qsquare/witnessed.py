"""From a shot's facts to its reading: what touched, what left, what is missing."""

from collections.abc import Sequence

from rules.facts import (
    Contacted,
    Fact,
    LeftBoard,
    Piece,
    Pocketed,
    Rebounded,
    Settled,
    Unclear,
)
from rules.games.qsquare.case import Case
from rules.games.qsquare.doubts import Doubt
from rules.games.qsquare.reading import (
    STILL_MM,
    TOUCHING_MM,
    UNSEEN_MS,
    Gone,
    Reading,
    Touch,
    order,
)
from rules.games.qsquare.state import Shot, State
from rules.games.qsquare.zones import Verdict, verdict
from rules.rulings import RulingKind


def read(case: Case, state: State, shot: Shot, settled: Settled) -> Reading:
    """Read a finished shot; notes on rebounds and returns from the border are ruled here."""
    facts = _spliced(case, shot.facts)
    rest = {p.name: p for p in settled.pieces}
    reading = Reading(
        case=case,
        state=state,
        shot=shot,
        rest=rest,
        facts=facts,
        cue=shot.strike.piece,
        before={p.name: p for p in state.pieces},
    )
    reading.gone = _gone(reading, settled)
    reading.touches = _touches(reading)
    return reading


def _spliced(case: Case, facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """Put what this way supposes in place of each thing that the camera could not tell."""
    told: list[Fact] = []
    for number, fact in enumerate(facts):
        if not isinstance(fact, Unclear) or not fact.answers:
            told.append(fact)
            continue
        words = [*fact.words, *(f"Answer {n + 1}" for n in range(len(fact.answers)))]
        answers = tuple((str(n + 1), words[n]) for n in range(len(fact.answers)))
        picked = case.oracle.pick(
            Doubt(key=f"unclear-{number}", words=fact.question, answers=answers)
        )
        told += fact.answers[int(picked) - 1]
    return tuple(sorted(told, key=lambda fact: fact.at_ms))


def _touches(reading: Reading) -> tuple[Touch, ...]:
    """Return the cue-puck's contacts in order, but no puck it merely rested against (QS-X.18)."""
    touches = []
    for fact in reading.facts:
        if isinstance(fact, Contacted) and reading.cue in (fact.a, fact.b):
            name = fact.b if fact.a == reading.cue else fact.a
            touches.append(Touch(name=name, at_ms=fact.at_ms, error_ms=fact.error_ms))
    strike = reading.shot.strike
    kept = list(touches)
    for piece in reading.before.values():
        if piece.name == reading.cue or not _rests_against(reading, piece):
            continue
        rest = reading.rest.get(piece.name)
        still = rest is not None and rest.at.distance_mm(piece.at) <= STILL_MM
        known = [t for t in kept if t.name == piece.name]
        early = [t for t in known if _at_strike(t, reading)]
        others = [
            f
            for f in reading.facts
            if isinstance(f, Contacted)
            and piece.name in (f.a, f.b)
            and reading.cue not in (f.a, f.b)
        ]
        if still and not others:
            kept = [t for t in kept if t not in early]
            reading.case.rule(
                "QS-X.18",
                f"The cue-puck rested against {piece.name}, which did not move: not a hit.",
                pieces=(piece.name,),
            )
        elif not still and not known and not others:
            kept.append(Touch(name=piece.name, at_ms=strike.at_ms, error_ms=strike.error_ms))
            reading.case.rule(
                "QS-X.18",
                f"The cue-puck rested against {piece.name}, which moved: the first contact.",
                pieces=(piece.name,),
            )
    return tuple(sorted(kept, key=lambda t: t.at_ms))


def _rests_against(reading: Reading, piece: Piece) -> bool:
    ground, cue = reading.state.terms.ground, reading.shot.strike.at
    most = ground.cue_radius_mm + ground.most_radius_mm + TOUCHING_MM
    if abs(piece.at.x_mm - cue.x_mm) > most or abs(piece.at.y_mm - cue.y_mm) > most:
        return False
    reach = ground.cue_radius_mm + ground.radius_mm(piece.kind, piece.colour)
    return piece.at.distance_mm(cue) - reach <= TOUCHING_MM


def _at_strike(touch: Touch, reading: Reading) -> bool:
    strike = reading.shot.strike
    return (
        touch.at_ms <= strike.at_ms
        or order(strike.at_ms, strike.error_ms, touch.at_ms, touch.error_ms) is Verdict.CLOSE
    )


def _gone(reading: Reading, settled: Settled) -> tuple[Gone, ...]:
    """Return what left the surface, in order; ask for a missing piece that nobody saw leave."""
    left: dict[str, Pocketed | LeftBoard] = {}
    bounced: dict[str, Rebounded] = {}
    for fact in reading.facts:
        if isinstance(fact, Pocketed | LeftBoard):
            left[fact.piece] = fact
        elif isinstance(fact, Rebounded):
            bounced[fact.piece] = fact
    gone: list[Gone] = []
    for name in dict.fromkeys([*reading.before, *left]):
        out, rest = left.get(name), reading.rest.get(name)
        pocket = None if rest is None else _pocket_under(reading, rest, out)
        if rest is not None and pocket is None:
            _stayed(reading, name, out, bounced.get(name))
            continue
        if out is not None:
            gone.append(
                Gone(
                    name=name,
                    kind=reading.kind(name),
                    colour=reading.colour(name),
                    at_ms=out.at_ms,
                    error_ms=out.error_ms,
                    pocket=out.pocket if isinstance(out, Pocketed) else None,
                )
            )
            continue
        if pocket is None:
            found = _missing(reading, name)
            if found is None:
                continue
            pocket = found
        gone.append(
            Gone(
                name=name,
                kind=reading.kind(name),
                colour=reading.colour(name),
                at_ms=settled.at_ms,
                error_ms=UNSEEN_MS,
                pocket=pocket or None,
            )
        )
    return tuple(sorted(gone, key=lambda g: g.at_ms))


def _stayed(
    reading: Reading, name: str, left: Pocketed | LeftBoard | None, bounced: Rebounded | None
) -> None:
    if isinstance(left, LeftBoard):
        reading.case.rule(
            "QS-X.15",
            f"{name} touched the border’s top and came back onto the surface: it has not left it.",
            pieces=(name,),
        )
    elif left is not None or bounced is not None:
        reading.case.rule(
            "QS-6.2",
            f"{name} came back out of the pocket: not pocketed.",
            RulingKind.NOTE,
            pieces=(name,),
        )


def _pocket_under(reading: Reading, piece: Piece, left: Pocketed | LeftBoard | None) -> str | None:
    """Return the pocket in which a piece seen at rest lies, its centre beyond the rim."""
    ground = reading.state.terms.ground
    if abs(piece.at.x_mm) < ground.pockets_from_mm:
        return None
    for pocket in ground.board.pockets:
        margin = pocket.radius_mm - pocket.centre.distance_mm(piece.at)
        sure = verdict(margin, piece.error_mm)
        if sure is Verdict.NO:
            continue
        if isinstance(left, Pocketed) or reading.case.holds(
            margin,
            piece.error_mm,
            f"in-pocket-{piece.name}",
            f"Has {piece.name} fallen into pocket {pocket.id}?",
            piece=piece.name,
            at=piece.at,
        ):
            return pocket.id
    return None


def _missing(reading: Reading, name: str) -> str | None:
    """Return where a missing piece went: "?" a pocket, "" off the game, None: it is still there."""
    kind, colour = reading.kind(name), reading.colour(name)
    stranger = next(
        (
            p
            for p in reading.rest.values()
            if p.name not in reading.before and (p.kind, p.colour) == (kind, colour)
        ),
        None,
    )
    if stranger is not None:
        return None
    answer = reading.case.oracle.pick(
        Doubt(
            key=f"missing-{name}",
            words=f"{name} is not on the table and was not seen to leave it: where did it go?",
            answers=(
                ("pocket", "Into a pocket"),
                ("off", "Off the table"),
                ("there", "It still lies on the surface"),
            ),
            piece=name,
        )
    )
    return {"pocket": "?", "off": ""}.get(answer)
