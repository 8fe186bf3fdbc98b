"""From a shot's facts to its reading: what touched, what left, what is missing."""

from collections.abc import Iterator
from math import hypot

from rules.case import Case
from rules.departures import Gone, departed
from rules.facts import (
    Contacted,
    Piece,
    Settled,
)
from rules.games.qsquare.disturbed import was_moved
from rules.games.qsquare.reading import TOUCHING_MM, Reading, Touch
from rules.games.qsquare.state import Shot, State
from rules.said import say
from rules.verdicts import Verdict, order


def read(case: Case, state: State, shot: Shot, settled: Settled) -> Reading:
    """Read a finished shot; notes on rebounds and returns from the border are ruled here."""
    facts = case.spliced(shot.facts)
    reading = Reading(
        case=case,
        state=state,
        shot=shot,
        rest={p.name: p for p in settled.pieces},
        facts=facts,
        cue=shot.strike.piece,
        before={p.name: p for p in state.pieces},
    )
    reading.gone = _gone(reading, settled)
    reading.touches = _touches(reading)
    return reading


def _touches(reading: Reading) -> tuple[Touch, ...]:
    """Return the cue-puck's contacts in order, but no puck it merely rested against (QS-X.18)."""
    touches = []
    for fact in reading.facts:
        if isinstance(fact, Contacted) and reading.cue in (fact.a, fact.b):
            name = fact.b if fact.a == reading.cue else fact.a
            touches.append(Touch(name=name, at_ms=fact.at_ms, error_ms=fact.error_ms))
    strike = reading.shot.strike
    kept = list(touches)
    for piece in _resting_against(reading):
        still = _lay_still(reading, piece)
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
                say(
                    "The cue-puck rested against {piece}, which did not move: not a hit.",
                    piece=piece.name,
                ),
                pieces=(piece.name,),
            )
        elif not still and not known and not others:
            kept.append(Touch(name=piece.name, at_ms=strike.at_ms, error_ms=strike.error_ms))
            reading.case.rule(
                "QS-X.18",
                say(
                    "The cue-puck rested against {piece}, which moved: the first contact.",
                    piece=piece.name,
                ),
                pieces=(piece.name,),
            )
    return tuple(sorted(kept, key=lambda t: t.at_ms))


def _lay_still(reading: Reading, piece: Piece) -> bool:
    """Return whether a puck rests where it lay; one too close to call is asked about."""
    rest = reading.rest.get(piece.name)
    if rest is None:
        return False
    error_mm = hypot(piece.error_mm, rest.error_mm)
    return not was_moved(reading.case, piece.name, piece.at, rest.at, error_mm)


def _resting_against(reading: Reading) -> Iterator[Piece]:
    """Yield what the cue-puck touched, or may have, as it lay before the strike."""
    ground, cue = reading.state.terms.ground, reading.shot.strike.at
    x, y = cue.x_mm, cue.y_mm
    most = ground.cue_radius_mm + ground.most_radius_mm + TOUCHING_MM
    for piece in reading.before.values():
        at = piece.at
        if abs(at.x_mm - x) > most or abs(at.y_mm - y) > most or piece.name == reading.cue:
            continue
        reach = ground.cue_radius_mm + ground.radius_mm(piece.kind, piece.colour)
        if at.distance_mm(cue) - reach <= TOUCHING_MM:
            yield piece


def _at_strike(touch: Touch, reading: Reading) -> bool:
    strike = reading.shot.strike
    return (
        touch.at_ms <= strike.at_ms
        or order(strike.at_ms, strike.error_ms, touch.at_ms, touch.error_ms) is Verdict.CLOSE
    )


def _gone(reading: Reading, settled: Settled) -> tuple[Gone, ...]:
    """Return what left the surface, in order; say of what came back that it has not left it."""

    def stayed(name: str, over_border: bool) -> None:
        words = say(
            "{name} touched the border’s top and came back onto the surface: it has not left it."
            if over_border
            else "{name} came back out of the pocket: not pocketed.",
            name=name,
        )
        reading.case.rule("QS-X.15" if over_border else "QS-6.2", words, pieces=(name,))

    return departed(
        reading.case,
        reading.before,
        reading.rest,
        reading.facts,
        settled,
        reading.state.terms.ground.board.pockets,
        kind_of=reading.state.kind_of,
        stayed=stayed,
    )
