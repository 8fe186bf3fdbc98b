"""Applies the rulebook to one fact: a list of calls, each with the effect that it has.

The bench works on a state of its own, so that a call made late in a fact rests on those before it;
`advance` later applies the effects of the calls that still stand.
"""

from collections.abc import Sequence
from dataclasses import replace

from rules.calls import Called, InTurn, is_kept, kept_with
from rules.facts import Batch, Cleared, Declared, Emptied, Fact, Filled, Restored
from rules.games.king_square import effects as e
from rules.games.king_square import state as s
from rules.games.king_square.field import Square, completed, holes_in
from rules.games.king_square.frames import presumed_orders
from rules.games.king_square.places import hole_name, seat_number, side_named
from rules.games.king_square.sayings import judge_saying
from rules.games.king_square.state import Foul, Phase, State


class Bench(InTurn):
    """Judges facts in turn and keeps what it said."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.calls: list[Called[State]] = []

    def say(self, call: str, code: str, effect: object = None, **detail: str) -> None:
        self.calls.append(Called(call, code, effect, self.state, detail))
        self.state = e.apply(self.state, effect)

    @property
    def fouled(self) -> bool:
        return self.state.foul is not None

    def judge(self, fact: Fact) -> None:
        """Judge one fact by the precedence of section 4.7."""
        if self.state.foul is not None:
            self._while_foul_stands(fact, self.state.foul)
            return
        match fact:
            case Filled(place=place, colour=colour, by=by):
                name, side = hole_name(place), side_named(self.state.terms, colour)
                if name is not None and side is not None:
                    self._peg(name, side, seat_number(self.state.terms, by))
            case Emptied(place=place):
                name = hole_name(place)
                hole = None if name is None else self._hole(name)
                if hole is not None:
                    self._unpeg(hole)
            case Cleared():
                self._cleared()
            case Batch(facts=facts, ordered=ordered):
                self._batch(facts, ordered)
            case Declared():
                judge_saying(self, fact)
            case _:
                pass

    # Pegs

    def _hole(self, name: str) -> int | None:
        return self.state.field.hole(name)

    def _peg(self, name: str, side: int, by: int | None) -> None:
        state, hole = self.state, self._hole(name)
        credited = self._credited(side, by)
        if state.phase in (Phase.KING, Phase.VOID, Phase.OVER):
            self._foul("board-closed", "KS-6.6", credited, name)
        elif hole is None:
            self._foul("off-field", "KS-2.2", credited, name)
        elif (wrong := self._wrong_turn(side, by)) is not None:
            self._foul(*wrong, credited, name)
        elif state.taken >> hole & 1:
            self._foul("hole-taken", "KS-6.1", credited, name)
        elif state.lifted == hole:
            self.say("REFUSED no-pass", "KS-2.7", e.Lift(hole, back=True), hole=name)
        elif self._supply_left(side) <= 0:
            self._foul("no-pegs-left", "KS-5.3", credited, name)
        else:
            self._legal(state.turn, hole)

    def _credited(self, side: int, by: int | None) -> int:
        """Whose doing a peg is: where no hand was seen, its colour tells the side (KS-6.10)."""
        state, terms = self.state, self.state.terms
        if by is not None:
            return by
        seats = [state.turn] if state.last is None else [state.turn, state.last]
        seats += range(1, terms.seats + 1)
        return next(seat for seat in seats if terms.side_of(seat) == side)

    def _wrong_turn(self, side: int, by: int | None) -> tuple[str, str] | None:
        state, terms = self.state, self.state.terms
        if state.phase is Phase.CHOOSE:
            return "out-of-turn", "KS-6.2"
        if by == state.turn:
            right = side == terms.side_of(by)
            return None if right else ("wrong-colour", "KS-6.4")
        if by is None:
            if side == terms.side_of(state.turn):
                return None
            again = state.last is not None and side == terms.side_of(state.last)
        else:
            again = by == state.last
        return ("second-peg", "KS-6.3") if again else ("out-of-turn", "KS-6.2")

    def _supply_left(self, side: int) -> int:
        return self.state.terms.supply[side] - self.state.pegs[side].bit_count()

    def _foul(self, reason: str, code: str, seat: int, hole: str) -> None:
        self.say(
            f"FOUL {reason}", code, e.Stop(Foul(reason=reason, seat=seat, extra=hole)), hole=hole
        )

    def _legal(self, seat: int, hole: int) -> None:
        terms = self.state.terms
        self.say(
            "OK", "KS-2.2", e.Play(seat, hole), hole=self.state.field.name(hole), seat=str(seat)
        )
        side = terms.side_of(seat)
        squares = completed(self.state.field, self.state.pegs[side], hole)
        if squares and not terms.claimed:
            self.king(seat, squares)
            return
        made = s.Made(seat=seat, squares=squares) if squares else None
        if self.state.taken == self.state.field.full:
            self.say("VOID", "KS-5.1", e.Void(made))
            return
        following = terms.after(seat)
        if self._supply_left(terms.side_of(following)) <= 0 and not terms.moving:
            self.say("VOID", "KS-5.3", e.Void(made))
            return
        living = s.first_living(self.state)
        self.say(
            f"TURN {following}", "KS-2.1", e.Pass(following, made, living), seat=str(following)
        )
        squares_left = living < len(self.state.field.squares)
        if not squares_left and not self.state.told_dead and terms.dead_board != "off":
            self.say("DEAD-BOARD", "KS-5.2", e.Dead())
            if terms.dead_board == "auto":
                self.say("VOID", "KS-5.2", e.Void())

    def king(self, seat: int, squares: Sequence[Square]) -> None:
        terms, field = self.state.terms, self.state.field
        side = s.SIDES[terms.side_of(seat)]
        points = len(squares) if terms.each else 1
        first = squares[0]
        corners = ", ".join(field.name(h) for h in sorted(holes_in(first.mask), key=field.by_name))
        self.say(
            f"KING {side} {first.name}",
            "KS-3.1",
            e.King(seat, tuple(squares), points),
            side=side,
            corners=corners,
            length=str(first.side),
            seat=str(seat),
        )
        if len(squares) > 1:
            self.say("MULTI " + ",".join(q.name for q in squares), "KS-3.7", n=str(len(squares)))
        self._recorded(seat)

    def _recorded(self, seat: int) -> None:
        state = self.state
        score = "-".join(map(str, state.score))
        self.say(f"RECORD {score}", "KS-4.1", score=score)
        side = state.terms.side_of(seat)
        if state.score[side] >= state.terms.target:
            winner = s.SIDES[side]
            self.say(f"MATCH {winner} {score}", "KS-4.6", e.Over(), side=winner, score=score)
        else:
            self.say("CLEAR-DUE", "KS-4.2")

    # Pegs that go

    def _unpeg(self, hole: int) -> None:
        state, bit = self.state, 1 << hole
        if not state.taken & bit:
            return
        name = state.field.name(hole)
        if state.phase in (Phase.KING, Phase.VOID, Phase.OVER):
            self._taken_out(bit)
        elif self._may_lift(hole):
            self.say("OK", "KS-5.3", e.Lift(hole), hole=name, seat=str(state.turn))
        elif state.terms.takeback and state.last is not None and state.last_hole == hole:
            self.say("OK", "KS-2.2", e.Undo(state.last, hole), hole=name, back="yes")
        else:
            owner = state.owner(hole)
            foul = Foul(
                reason="peg-moved",
                seat=state.turn,
                missing=((hole, 0 if owner is None else owner),),
            )
            self.say("FOUL peg-moved", "KS-6.5", e.Stop(foul), hole=name)

    def _may_lift(self, hole: int) -> bool:
        state = self.state
        side = state.terms.side_of(state.turn)
        return (
            state.terms.moving
            and state.phase is Phase.BOARD
            and state.lifted is None
            and self._supply_left(side) <= 0
            and bool(state.pegs[side] >> hole & 1)
        )

    def _taken_out(self, holes: int) -> None:
        left = (self.state.taken & ~holes).bit_count()
        if left:
            self.say(f"CLEARING {left}", "KS-4.2", e.Take(holes), n=str(left))
            return
        self.say("CLEARED", "KS-4.2", e.Take(holes))
        if self.state.phase is not Phase.OVER:
            self._next_board()

    def clear_if_empty(self) -> None:
        """Go on at once where a board ended without a peg on the field: none will be taken out."""
        if self.state.phase in (Phase.KING, Phase.VOID) and not self.state.taken:
            self._taken_out(0)

    def _next_board(self) -> None:
        state, terms = self.state, self.state.terms
        last = state.last if state.last is not None else state.turn
        following = terms.after(last)
        if state.phase is Phase.VOID:
            if terms.void_start == "same" or (
                terms.void_start == "loser_of_last" and state.loser is None
            ):
                following = state.starter
            elif terms.void_start == "loser_of_last" and state.loser is not None:
                following = state.loser
            code = "KS-5.1"
        elif terms.choose and terms.seats == 4:
            self.say("INFO choose-starter", "KS-4.4", e.Choose())
            return
        else:
            code = "KS-4.4" if terms.seats == 4 else "KS-4.3"
        self.say(f"START {following}", code, e.Start(following, fresh=True), seat=str(following))

    def _cleared(self) -> None:
        state = self.state
        if not state.taken:
            return
        if state.phase in (Phase.KING, Phase.VOID, Phase.OVER):
            self._taken_out(state.taken)
            return
        missing = tuple(
            (hole, side) for side, pegs in enumerate(state.pegs) for hole in holes_in(pegs)
        )
        foul = Foul(reason="swept", seat=state.turn, missing=missing)
        self.say("FOUL swept", "KS-6.9", e.Stop(foul), position=s.write_position(state))

    # While a foul stands (KS-6.11)

    def _while_foul_stands(self, fact: Fact, foul: Foul) -> None:
        if isinstance(fact, Batch):
            self.one_frame_while_fouled(fact)
            return
        if isinstance(fact, Restored) or self.undoes(fact):
            self._fixed(foul)
            return
        if not isinstance(fact, Filled | Emptied | Cleared | Declared):
            return
        state = self.state
        missing = self._put_back(fact, foul)
        if missing is not None:
            self.say("HOLD", "KS-6.11", e.Keep(state.kept, missing))
            return
        self.say("HOLD", "KS-6.11", e.Keep(kept_with(state.kept, fact)))

    def keep_back(self, batch: Batch) -> None:
        later = tuple(
            part for part in batch.facts if isinstance(part, Filled | Emptied | Cleared | Declared)
        )
        kept = kept_with(self.state.kept, replace(batch, facts=later))
        for _ in later:
            self.say("HOLD", "KS-6.11", e.Keep(kept))

    def mends(self, fact: Fact) -> bool:
        foul = self.state.foul
        in_part = foul is not None and self._put_back(fact, foul) is not None
        return isinstance(fact, Restored) or self.undoes(fact) or in_part

    def undoes(self, fact: Fact) -> bool:
        foul = self.state.foul
        if foul is None:
            return False
        match fact:
            case Emptied(place=place):
                return foul.extra is not None and hole_name(place) == foul.extra
            case Filled():
                return self._put_back(fact, foul) == ()
            case Declared(what="record", value=value):
                right = value.strip() == "-".join(map(str, self.state.score))
                return foul.reason == "scoreboard" and right
            case _:
                return False

    def _put_back(self, fact: Fact, foul: Foul) -> tuple[tuple[int, int], ...] | None:
        """What still misses after a peg came back to its place; None: it was no such peg."""
        if not isinstance(fact, Filled) or not foul.missing:
            return None
        name, side = hole_name(fact.place), side_named(self.state.terms, fact.colour)
        hole = None if name is None else self._hole(name)
        if is_kept(self.state.kept, fact.place):
            return None
        if hole is None or (hole, side) not in foul.missing:
            return None
        return tuple(m for m in foul.missing if m != (hole, side))

    def _fixed(self, foul: Foul) -> None:
        kept = self.state.kept
        self.say("FIXED", "KS-6.11", e.Fix())
        self._penalty(foul)
        for fact in kept:
            self.judge(fact)

    def _penalty(self, foul: Foul) -> None:
        state, terms = self.state, self.state.terms
        if terms.penalty == "none" or state.phase is not Phase.BOARD or foul.reason == "scoreboard":
            return
        if terms.penalty == "lose_turn":
            if terms.side_of(foul.seat) == terms.side_of(state.turn):
                following = terms.after(state.turn)
                self.say(f"TURN {following}", "KS-2.1", e.Pass(following), seat=str(following))
            return
        winner = terms.after(foul.seat)
        side = s.SIDES[terms.side_of(winner)]
        self.say(f"KING {side}", "KS-3.1", e.King(winner, (), 1), side=side, penalty="yes")
        self._recorded(winner)
        self.clear_if_empty()

    # Several at once (KS-6.12)

    def _batch(self, facts: Sequence[Fact], ordered: bool) -> None:
        pegs = [f for f in facts if isinstance(f, Filled)]
        others = [f for f in facts if not isinstance(f, Filled)]
        if ordered:
            self.one_by_one(facts, ordered=True)
            return
        self.one_by_one(others, ordered=False)
        if len(pegs) < 2 or self.state.foul is not None:
            self.one_by_one(pegs, ordered=False)
            return
        orders = presumed_orders(self.state, pegs)
        presumed = next(orders)
        here = self.state
        expected = _kings_of(here, presumed)
        is_open = any(_kings_of(here, order) != expected for order in orders)
        order = ", ".join(hole_name(f.place) or f.place for f in presumed)
        self.say(f"INFO order-{'open' if is_open else 'presumed'}", "KS-6.12", order=order)
        self.one_by_one(presumed, ordered=False)


def _kings_of(state: State, order: Sequence[Fact]) -> tuple[str, ...]:
    bench = Bench(state)
    for fact in order:
        bench.judge(fact)
    return tuple(c.call for c in bench.calls if c.call.startswith(("KING", "MULTI")))
