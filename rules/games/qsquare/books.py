"""The accounts of a shot: what returns to the table, what is paid, and where play stands."""

from collections.abc import Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from rules.case import Case
from rules.departures import Gone
from rules.doubts import Doubt
from rules.games.qsquare.faults import Faults
from rules.games.qsquare.reading import CUE, QUEEN, Reading
from rules.games.qsquare.spots import Restoring, restoring
from rules.games.qsquare.state import (
    CENTRAL_ZONE,
    PENALTY_ZONE,
    Count,
    Errand,
    Phase,
    State,
    Tally,
)
from rules.games.qsquare.turns import game_over, hand_over, queen_locks, turn_note
from rules.games.qsquare.words import pucks
from rules.geometry import Seat
from rules.rulings import RulingKind
from rules.said import listed, say

PLACES = {PENALTY_ZONE: say("the penalty zone"), CENTRAL_ZONE: say("the Central Zone")}


class Books(Struct):
    """The accounts of one shot: counts, what is put back, what is paid, and the state after."""

    case: Case
    state: State
    reading: Reading
    faults: Faults
    seen: State
    on: list[int]
    down: list[int]
    off: list[int]
    queen_back: bool
    back: list[Gone] = field(default_factory=list)
    forced_back: list[Gone] = field(default_factory=list)

    def goes_down(self, gone: Gone) -> None:
        side = self.side_of(gone)
        self.on[side] -= 1
        self.down[side] += 1

    def leaves(self, gone: Gone) -> None:
        side = self.side_of(gone)
        self.on[side] -= 1
        self.off[side] += 1

    def side_of(self, gone: Gone) -> int:
        side = self.state.terms.side_of_colour(gone.colour)
        return 1 - self.state.side if side is None else side

    def next_opponent(self) -> Seat:
        """Return the opponent whose penalty zone takes the puck (QS-10.6)."""
        return self.state.terms.after(self.state.shooter)

    def _penalty_seat(self) -> Seat:
        state, terms = self.state, self.state.terms
        if not terms.four or terms.options.penalty_home != "opponents_choose":
            return terms.after(state.shooter)
        seats = terms.seats_of(1 - state.side)
        answer = self.case.oracle.pick(
            Doubt(
                key="penalty-home",
                words=say(
                    "{team}: in whose penalty zone is the puck put?",
                    team=terms.team(1 - state.side),
                ),
                answers=tuple((str(seat), terms.who(seat)) for seat in seats),
            )
        )
        return Seat(answer)

    def lose(self, owed: tuple[str, ...] | None = None, forced: Sequence[Gone] = ()) -> State:
        """End the turn: restore, pay, guard, and hand over (steps 6 to 8)."""
        state, terms = self.state, self.state.terms
        me, target = state.side, 1 - state.side
        owed = state.tally.debts[me] if owed is None else owed
        put = self._restore_fallen()
        paying = min(len(owed), self.down[target])
        if paying and not self._pays(paying, owed):
            paying = 0
        for place in owed[:paying]:
            seat = self._penalty_seat() if place == PENALTY_ZONE else state.shooter
            put.place(place, terms.colours[target], seat, "penalty puck")
            self.down[target] -= 1
            self.on[target] += 1
        owed = owed[paying:]
        owed = self._guard(owed, forced, put)
        tally = hand_over(self.case, self._tally(owed), state, put)
        return self._finish(tally, put)

    def _pays(self, paying: int, owed: tuple[str, ...]) -> bool:
        case, terms = self.case, self.state.terms
        me, target = self.state.side, 1 - self.state.side
        case.rule(
            "QS-8.1",
            say(
                "A penalty puck is a {colour} puck that was pocketed before.",
                colour=terms.colours[target],
            ),
        )
        where = listed(dict.fromkeys(PLACES[place] for place in owed[:paying]))
        return case.rule(
            "QS-8.3",
            say(
                (
                    "{Pucks} comes back to {where}; {count} still owed."
                    if len(owed) > paying
                    else "{Pucks} comes back to {where}."
                )
                if paying == 1
                else (
                    "{Pucks} come back to {where}; {count} still owed."
                    if len(owed) > paying
                    else "{Pucks} come back to {where}."
                ),
                pucks=pucks(paying, terms.colours[target]),
                where=where,
                count=len(owed) - paying,
            ),
            RulingKind.PENALTY,
            side=terms.sides[me],
        )

    def _guard(
        self, owed: tuple[str, ...], forced: Sequence[Gone], put: Restoring
    ) -> tuple[str, ...]:
        """Put one forced-off target back where none would be left (the guard of QS-X.5)."""
        terms = self.state.terms
        target = 1 - self.state.side
        lost = [g for g in forced if self.side_of(g) == target and g.name != self.faults.returned]
        if self.on[target] > 0 or not lost or self.off[target] == 0:
            return owed
        if terms.options.off_puck != "stays_off" or self.down[target] > 0:
            return owed
        if not self.case.rule(
            "QS-X.5",
            say(
                "No {colour} puck would be left: one that was forced off is put in the "
                "Central Zone and settles its own penalty.",
                colour=terms.colours[target],
            ),
            RulingKind.PLACE,
            side=terms.sides[self.state.side],
            pieces=(lost[0].name,),
        ):
            return owed
        put.central(terms.colours[target], "forced off")
        self.off[target] -= 1
        self.on[target] += 1
        if CENTRAL_ZONE in owed:
            last = len(owed) - 1 - owed[::-1].index(CENTRAL_ZONE)
            owed = owed[:last] + owed[last + 1 :]
        return owed

    def _restore_fallen(self) -> Restoring:
        """Put back what the shot took away, in the order of QS-X.8."""
        case, state, terms = self.case, self.state, self.state.terms
        gone = {g.name for g in self.reading.gone}
        back = self.faults.returned
        lying = [p for p in self.seen.pieces if p.name not in gone and p.name != back]
        queen_moves = self.queen_back or self.faults.has("c")
        if queen_moves:
            lying = [p for p in lying if p.kind != QUEEN]
        put = restoring(terms, state.shooter, lying)
        if queen_moves:
            put.queen("queen")
        spot = self.reading.before.get(back) if back else None
        if back is not None and spot is not None:
            if terms.options.e_return == "near_centre":
                put.central(spot.colour, "dead puck")
            else:
                put.home(spot.colour, spot.at, "dead puck", None if back in gone else back)
        to_zone = self.faults.has("ace")
        rest = [g for g in self.back if g.name != back]
        targets = [g for g in rest if self.side_of(g) != state.side]
        owns = [g for g in rest if self.side_of(g) == state.side]
        for number, g in enumerate(targets):
            if number == 0:
                self._explain_return(to_zone)
            if to_zone:
                put.penalty(g.colour, self._penalty_seat(), "fell in a foul")
            else:
                put.central(g.colour, "fell in a foul")
        if owns and not targets:
            self._explain_return(False)
        for g in owns:
            put.central(g.colour, "fell in a foul")
        for g in self.forced_back:
            put.central(g.colour, "forced off")
        moved = [queen_moves, back is not None, bool(rest), bool(self.faults.penalties)]
        if sum(moved) > 1:
            case.rule(
                "QS-X.8",
                say(
                    "Put back in this order: the Queen, the dead puck, pucks that fell, penalty "
                    "pucks."
                ),
            )
        return put

    def _explain_return(self, to_zone: bool) -> None:
        where = say("the penalty zone" if to_zone else "the Central Zone")
        self.case.rule(
            "QS-X.3", say("What fell in the foul goes to {where}.", where=where), RulingKind.PLACE
        )

    def _tally(self, owed: tuple[str, ...]) -> Tally:
        tally = self.state.tally
        return replace(
            tally.owing(self.state.side, owed),
            counts=(
                Count(max(0, self.on[0]), max(0, self.down[0]), self.off[0]),
                Count(max(0, self.on[1]), max(0, self.down[1]), self.off[1]),
            ),
            shots=tally.shots + 1,
            skips=tally.skips | frozenset(self.faults.skips),
        )

    def keep(self, owed: tuple[str, ...] | None = None) -> State:
        put = self._restore_fallen()
        owed = self.state.tally.debts[self.state.side] if owed is None else owed
        return self._finish(self._tally(owed), put)

    def _finish(self, tally: Tally, put: Restoring) -> State:
        case, state, terms = self.case, self.state, self.state.terms
        me = state.side
        if terms.options.queen == "off" and tally.counts[me].on == 0:
            other = 1 - me
            if case.rule(
                "QS-2.8",
                say(
                    "{team} win the game: every {colour} puck is gone."
                    if terms.four
                    else "{team} wins the game: every {colour} puck is gone.",
                    team=terms.team(other),
                    colour=terms.colours[me],
                ),
                RulingKind.WIN,
                side=terms.sides[other],
            ):
                case.rule(
                    "QS-X.4", say("{Colour} was cleared by its own side.", colour=terms.colours[me])
                )
                return game_over(case, replace(self.seen, tally=tally), other)
        tally = queen_locks(case, state, tally)
        errands = tuple(put.errands)
        cue = [g for g in self.reading.gone if g.kind == CUE]
        errands += tuple(Errand(kind=CUE, colour=g.colour, why="cue-puck") for g in cue)
        errands += leaning(case, self.seen, self.reading.shot.calls, put)
        if tally.to_shoot is not state.shooter:
            turn_note(case, state, tally, bool(self.faults.penalties))
        lying = self.seen.pieces
        if self.reading.gone:
            down = {g.name for g in self.reading.gone}
            lying = tuple(p for p in lying if p.name not in down)
        return replace(
            self.seen,
            tally=tally,
            pieces=lying,
            phase=Phase.SERVICE if errands else Phase.AIMING,
            errands=errands,
        )

    def won(self, winner: int, fallen: list[Gone], forced: list[Gone]) -> State:
        for gone in fallen:
            self.goes_down(gone)
        for gone in forced:
            self.leaves(gone)
        return self.over(winner)

    def over(self, winner: int) -> State:
        debts = self.state.tally.debts[self.state.side]
        return game_over(self.case, replace(self.seen, tally=self._tally(debts)), winner)


def leaning(case: Case, seen: State, calls: Sequence[str], put: Restoring) -> tuple[Errand, ...]:
    """Return the errands for pucks that a person says stand on edge or lie on another (QS-X.24)."""
    if not calls:
        return ()
    before = len(put.errands)
    for call in calls:
        what, _, name = call.partition(" ")
        piece = seen.piece(name)
        if what != "leaning" or piece is None:
            continue
        case.rule(
            "QS-X.24",
            say("{name} is on the surface: it is laid flat where it touches.", name=name),
            RulingKind.PLACE,
            pieces=(name,),
        )
        flat = restoring(seen.terms, seen.shooter, [p for p in seen.pieces if p.name != name])
        flat.home(piece.colour, piece.at, "laid flat", name)
        put.errands += flat.errands
    added = tuple(put.errands[before:])
    del put.errands[before:]
    return added
