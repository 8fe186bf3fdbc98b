"""What a strike's facts say: who struck, what fell and in which order, what jumped, who touched."""

from collections.abc import Sequence
from math import hypot

from msgspec import Struct, field

from rules.case import YES_NO, Case
from rules.departures import Gone, departed
from rules.doubts import Doubt
from rules.facts import (
    Contacted,
    Cushioned,
    Fact,
    Moved,
    Piece,
    Removed,
    Settled,
    Struck,
    Travelled,
    Unclear,
)
from rules.games.carrom.ground import MAN, QUEEN, STRIKER
from rules.games.carrom.state import State, Stroke
from rules.games.carrom.terms import Terms
from rules.geometry import Point, Seat
from rules.said import say
from rules.verdicts import SIGMAS, Verdict, order

STILL_MM = 2.0


class Reading(Struct):
    """A strike read along one way; what is not certain is asked of the case's oracle if needed.

    `own` and `theirs` are the pieces that fell, `queen` and `striker` these two where they fell;
    `jumped` left the board, `bounced` did so and came back by themselves.
    """

    case: Case
    state: State
    stroke: Stroke
    settled: Settled
    facts: tuple[Fact, ...]
    before: dict[str, Piece]
    rest: dict[str, Piece]
    seat: Seat
    own: list[Gone] = field(default_factory=list)
    theirs: list[Gone] = field(default_factory=list)
    queen: Gone | None = None
    striker: Gone | None = None
    striker_off: bool = False
    jumped: list[Gone] = field(default_factory=list)
    bounced: list[str] = field(default_factory=list)

    @property
    def team(self) -> int:
        return self.state.terms.team_at(self.seat)

    def own_before_queen(self) -> bool:
        """Return whether an own piece fell before the queen (CR-X.19)."""
        queen = self.queen
        assert queen is not None
        found = [order(g.at_ms, g.error_ms, queen.at_ms, queen.error_ms) for g in self.own]
        if Verdict.YES in found:
            return True
        if Verdict.CLOSE not in found:
            return False
        near = self.own[found.index(Verdict.CLOSE)]
        return self.case.oracle.yes(
            Doubt(
                key="own-before-queen",
                words=say("Did {piece} fall before the queen?", piece=near.name),
                answers=YES_NO,
                piece=near.name,
                margin_ms=queen.at_ms - near.at_ms,
                error_ms=hypot(near.error_ms, queen.error_ms),
            )
        )

    def disturbed(self) -> bool:
        """Return whether the striker touched a piece, or another piece moved or left."""
        if self.own or self.theirs or self.queen or self.jumped or self.bounced:
            return True
        if any(isinstance(f, Contacted) and self._is_striker(f.a, f.b) for f in self.facts):
            return True
        return any(
            name in self.rest and _shifted(piece, self.rest[name])
            for name, piece in self.before.items()
            if piece.kind != STRIKER
        )

    def _is_striker(self, *names: str) -> bool:
        return any(self.state.kind_of(name)[0] == STRIKER for name in names)

    def made(self) -> bool:
        """Return whether the strike was made: the base lines left or a piece touched (CR-X.20)."""
        if self.striker is not None or self.striker_off or self.disturbed():
            return True
        if self.seems_brought():
            return self.case.oracle.yes(
                Doubt(
                    key="strike-made",
                    words=say("The striker came onto base lines from elsewhere. Was it struck?"),
                    answers=YES_NO,
                    piece=self.stroke.strike.piece,
                    at=self.stroke.strike.at,
                )
            )
        if any(isinstance(f, Cushioned) and self._is_striker(f.piece) for f in self.facts):
            return True
        strike = self.stroke.strike
        path: list[Point] = []
        # where a hand hid how it set off, what was seen of it then tells how far it came
        error = 0.0 if strike.hidden else strike.error_mm
        for fact in self.facts:
            if isinstance(fact, Travelled) and self._is_striker(fact.piece):
                path += fact.path[1:] if strike.hidden else fact.path
                error = max(error, fact.error_mm)
        now = self.rest.get(strike.piece)
        if now is not None:
            path.append(now.at)
            error = max(error, now.error_mm)
        if not path:
            return True
        ground = self.state.terms.ground
        off = -min(ground.on_base_mm(self.seat, at) for at in path)
        return self.case.holds(
            off,
            error,
            "strike-made",
            say("Did the striker leave the base lines?"),
            piece=strike.piece,
            answers=(
                ("yes", say("Yes, the strike was made")),
                ("no", say("No, it may be set again")),
            ),
        )

    def seems_brought(self) -> bool:
        """Return whether it came onto base lines from beside its striker's own: as hands set it."""
        ground, seats = self.state.terms.ground, self.state.terms.seats
        strike = self.stroke.strike
        now = self.rest.get(strike.piece)
        if now is None or ground.on_base_mm(self.seat, strike.at) > -ground.striker_mm:
            return False
        return any(ground.on_base_mm(seat, now.at) >= 0 for seat in seats)

    def first_hit(self) -> str | None:
        """Return the disc that the striker touched first, where that was seen."""
        hits = [f for f in self.facts if isinstance(f, Contacted) and self._is_striker(f.a, f.b)]
        if not hits:
            return None
        first = min(hits, key=lambda f: f.at_ms)
        return first.b if self._is_striker(first.a) else first.a

    def shifted_from(self, name: str) -> Point | None:
        """Return where a disc was seen to be shifted from while the strike was running."""
        found = [f.before for f in self.facts if isinstance(f, Moved) and f.piece == name]
        return found[-1] if found else None


def was_moved(case: Case, fact: Moved) -> bool:
    """Return whether a disc was displaced by more than 2 mm (section 3, `touch`)."""
    return case.holds(
        fact.before.distance_mm(fact.after) - STILL_MM,
        fact.error_mm,
        f"moved-{fact.piece}",
        lambda: say(
            "Was {piece} moved by more than {still_mm:g} mm?", piece=fact.piece, still_mm=STILL_MM
        ),
        piece=fact.piece,
        at=fact.before,
    )


def _shifted(before: Piece, now: Piece) -> bool:
    reach = STILL_MM + SIGMAS * hypot(before.error_mm, now.error_mm)
    return now.at.distance_mm(before.at) > reach


def read(case: Case, state: State, stroke: Stroke, settled: Settled) -> Reading:
    """Read a finished strike."""
    opening = state.tally.strikes == state.tally.tries
    facts = case.spliced([fact for fact in stroke.facts if opening or not _only_touches(fact)])
    taken_up = {f.piece for f in facts if isinstance(f, Removed)}
    before = {p.name: p for p in state.pieces if p.kind != STRIKER or p.name not in taken_up}
    reading = Reading(
        case=case,
        state=state,
        stroke=stroke,
        settled=settled,
        facts=facts,
        before=before,
        rest={p.name: p for p in settled.pieces},
        seat=who_struck(case, state, stroke),
    )

    def stayed(name: str, over_border: bool) -> None:
        if over_border and state.kind_of(name)[0] != STRIKER:
            reading.bounced.append(name)

    gone = departed(
        case,
        before,
        reading.rest,
        facts,
        settled,
        state.terms.ground.pockets,
        kind_of=state.kind_of,
        stayed=stayed,
    )
    _sort(reading, gone)
    return reading


def _only_touches(fact: Fact) -> bool:
    """Return whether it is only unclear what touched what: that matters for a break alone."""
    return isinstance(fact, Unclear) and all(
        isinstance(told, Contacted | Cushioned) for answer in fact.answers for told in answer
    )


def _sort(reading: Reading, gone: Sequence[Gone]) -> None:
    state = reading.state
    for piece in gone:
        if piece.kind == STRIKER:
            if piece.pocket is None:
                reading.striker_off = True
            else:
                reading.striker = piece
        elif piece.pocket is None:
            reading.jumped.append(piece)
        elif piece.kind == QUEEN:
            if state.tally.queen.on_board:
                reading.queen = piece
        elif piece.kind == MAN:
            team = state.team_of(piece.colour)
            if team is not None:
                (reading.own if team == reading.team else reading.theirs).append(piece)


def who_struck(case: Case, state: State, stroke: Stroke) -> Seat:
    """Return whose strike it was: as said, as seen, else the player due (section 3).

    It is asked where the striker stood on the base line of another.
    """
    terms, strike = state.terms, stroke.strike
    for call in stroke.calls:
        said, _, seat = call.partition(" by ")
        if said == "out of turn":
            return Seat(seat)
    seen = strike.by if strike.by is not None and strike.by in terms.seats else state.seat
    stood = _base_of(terms, strike, seen)
    if stood is seen:
        return seen
    answer = case.oracle.pick(
        Doubt(
            key="who-struck",
            words=say("The striker stood on {who}’s base line. Who struck?", who=terms.who(stood)),
            answers=tuple((str(seat), terms.who(seat)) for seat in (seen, stood)),
            piece=strike.piece,
            at=strike.at,
        )
    )
    return Seat(answer)


def _base_of(terms: Terms, strike: Struck, likely: Seat) -> Seat:
    """Return whose base line the striker stood on: not `likely`'s only where that is certain."""
    ground, reach = terms.ground, SIGMAS * strike.error_mm
    if reach >= ground.striker_mm or ground.on_base_mm(likely, strike.at) >= -reach:
        return likely
    for seat in terms.seats:
        there = ground.placement(seat, strike.at, any_line=False, circles=False)
        if there.margin_mm > reach:
            return seat
    return likely
