"""Applies the rulebook to one fact: a list of calls, each with the effect that it has.

The bench works on a state of its own, so that a call made late in a fact rests on those before it.
"""

import dataclasses

from msgspec.structs import replace

from rules.calls import Called, InTurn, is_kept, kept_with
from rules.facts import Batch, Declared, Emptied, Fact, Filled, Loose, Restored
from rules.games.squarin_off import effects as e
from rules.games.squarin_off import state as s
from rules.games.squarin_off.frames import presumed_orders
from rules.games.squarin_off.grid import (
    ALL_GROOVES,
    BESIDE,
    FENCE,
    SIDES,
    groove_name,
    members,
    near,
    square_name,
    values_of,
)
from rules.games.squarin_off.places import groove_at, letter_of, seat_number, seats_of, thing_of
from rules.games.squarin_off.sayings import judge_saying
from rules.games.squarin_off.state import Earlier, Foul, State


class Bench(InTurn):
    """Judges facts in turn and keeps what it said."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.calls: list[Called[State]] = []
        self.earlier: dict[int, Earlier] | None = None  # sticks by seat, within one frame

    def say(self, call: str, code: str, effect: object = None, **detail: str) -> None:
        self.calls.append(Called(call, code, effect, self.state, detail))
        if effect is not None:
            self.state = e.apply(self.state, effect)

    @property
    def fouled(self) -> bool:
        return self.state.foul is not None

    def judge(self, fact: Fact) -> None:
        """Judge one fact by the precedence of section 4.8."""
        if self.state.foul is not None:
            self._while_foul_stands(fact, self.state.foul)
            return
        match fact:
            case Filled(colour=colour, by=by):
                self._put(fact, colour, seat_number(self.state.terms, by))
            case Emptied():
                self._gone(fact)
            case Loose(place=place):
                groove = groove_at(place)
                if groove is not None:
                    self.say("WAIT", "SO-6.1", groove=groove_name(groove))
            case Batch(facts=facts, ordered=ordered):
                self._batch(facts, ordered)
            case Declared():
                judge_saying(self, fact)
            case _:
                pass

    # What comes

    def _put(self, fact: Filled, colour: str, by: int | None) -> None:
        match thing_of(fact):
            case ("stick", at):
                self._stick(at, by)
            case ("blocker", at):
                self._blocker(at, by)
            case ("chip", at):
                self._chip(at, letter_of(self.state.terms, colour), colour)
            case _:
                pass

    def _stick(self, groove: int, by: int | None) -> None:
        state = self.state
        seat = state.turn if by is None else by
        thing = ("stick", groove)
        if state.over:
            self._foul("game-over", "SO-5.1", seat, thing)
        elif seat != state.turn:
            if seat == state.last:
                earlier = None if self.earlier is None else self.earlier.get(seat)
                self._foul("second-stick", "SO-6.3", seat, thing, earlier)
            else:
                self._foul("out-of-turn", "SO-6.2", seat, thing)
        elif state.sticks >> groove & 1:
            self._foul("groove-taken", "SO-6.1", seat, thing)
        elif (
            state.owes is not None
            and not state.terms.stick_anywhere
            and groove not in SIDES[state.owes]
        ):
            self._foul("stick-away-from-blocker", "SO-4.4", seat, thing)
        elif self._must_close(groove):
            self._foul("must-close", "SO-3.6", seat, thing)
        else:
            self._lay(seat, groove)

    def _must_close(self, groove: int) -> bool:
        state = self.state
        if not state.terms.mandatory_close or state.owes is not None:
            return False
        closable = state.three & state.open
        return bool(closable) and not any(closable >> q & 1 for q in BESIDE[groove])

    def _lay(self, seat: int, groove: int) -> None:
        before = self.state
        owes = before.owes is not None
        self.say(
            "OK",
            "SO-4.4" if owes else "SO-3.1",
            e.Lay(seat, groove, owes),
            groove=groove_name(groove),
            seat=str(seat),
        )
        made = [q for q in BESIDE[groove] if self._is_full(q)]
        closed = [q for q in made if before.open >> q & 1]
        self._close(closed, groove)
        for square in made:
            if before.blocked >> square & 1:
                self.say(f"DEAD {square_name(square)}", "SO-4.9", square=square_name(square))
        self._shortage()
        if self.state.finished:
            self._game()
        elif closed and (not owes or self.state.terms.blocker_continues):
            self.say(f"AGAIN {seat}", "SO-3.5", e.Stay(), seat=str(seat))
        else:
            self._end_turn(before, owes, len(closed))
        if self.earlier is not None:
            said = tuple(f"{c.call} {c.code}" for c in self.calls if c.before is not before)
            self.earlier[seat] = Earlier(seat=seat, groove=groove, state=before, said=said)

    def _is_full(self, square: int) -> bool:
        return self.state.sticks & FENCE[square] == FENCE[square]

    def _close(self, squares: list[int], groove: int) -> None:
        terms = self.state.terms
        colour = self.state.colour_on_turn
        at = terms.colours.index(colour)
        values = values_of(terms.layout)
        code = "SO-3.4" if len(squares) == 2 else "SO-3.2"
        for square in squares:
            name = square_name(square)
            if terms.chips_stop and self.state.owned[at].bit_count() >= terms.issue_of(colour):
                self.say(
                    f"SHORT {colour}", "SO-6.12", e.Close(square, None), colour=colour, square=name
                )
                continue
            worth = values[square]
            self.say(
                f"CLOSE {name} {colour}+{worth}",
                code,
                e.Close(square, colour),
                square=name,
                colour=colour,
                worth=str(worth),
                groove=groove_name(groove),
            )

    def _shortage(self) -> None:
        state = self.state
        if state.terms.chips_stop:
            return
        for colour, mine in zip(state.terms.colours, state.owned, strict=True):
            if mine.bit_count() > state.terms.issue_of(colour) and colour not in state.short:
                self.say(f"SHORT {colour}", "SO-6.12", e.Short(colour), colour=colour)

    def _end_turn(self, before: State, owes: bool, closed: int) -> None:
        if not self.state.terms.mandatory_close:
            missed = _missed(before) - closed
            if missed > 0:
                self.say(f"MISSED {missed}", "SO-3.6", n=str(missed))
        self._pass_turn("SO-4.5" if owes else "SO-3.7")

    def _pass_turn(self, code: str) -> None:
        """The turn is over: say which squares are bare, and who is next."""
        state = self.state
        bare = [q for q in state.fresh if not state.marked >> q & 1]
        if bare:
            names = ",".join(map(square_name, bare))
            self.say(f"MARK-DUE {names}", "SO-6.9", squares=names, colour=state.colour_on_turn)
        following = state.terms.after(state.turn)
        self.say(f"TURN {following}", code, e.EndTurn(following), seat=str(following))

    def _game(self) -> None:
        state, terms = self.state, self.state.terms
        totals = s.side_totals(state)
        best = max(total for _, total, _ in totals)
        winners = [side for side in totals if side[1] == best]
        tied = len(winners) > 1
        if tied and terms.more_squares:
            most = max(count for _, _, count in winners)
            winners = [side for side in winners if side[2] == most]
        code = "SO-5.5" if tied else "SO-5.6" if terms.teams else "SO-5.4"
        names = "=".join(name for name, _, _ in winners)
        scores = " ".join(f"{name}{total}" for name, total, _ in totals)
        self.say(f"GAME {names} {scores}", code, e.Over(), winners=names, scores=scores)
        for seat, left in enumerate(state.left, start=1):
            used = state.terms.allotment[seat - 1] - left
            if used < terms.blockers_min:
                self.say("INFO blockers-unused", "SO-4.1", seat=str(seat), n=str(used))

    def _blocker(self, square: int, by: int | None) -> None:
        state, terms = self.state, self.state.terms
        seat = state.turn if by is None else by
        thing = ("blocker", square)
        if state.over:
            self._foul("game-over", "SO-5.1", seat, thing)
        elif seat != state.turn:
            late = seat == state.last
            reason, code = ("blocker-after-stick", "SO-4.3") if late else ("out-of-turn", "SO-6.2")
            self._foul(reason, code, seat, thing)
        elif terms.blocker_first and state.fresh:
            self._foul("blocker-after-stick", "SO-4.10", seat, thing)
        elif state.owes is not None:
            self._foul("second-blocker", "SO-4.6", seat, thing)
        elif state.left[seat - 1] <= 0:
            self._foul("no-blockers-left", "SO-4.8", seat, thing)
        elif not state.open >> square & 1:
            self._foul("blocker-on-filled", "SO-4.2", seat, thing)
        elif state.blocked & near(square, terms.gap):
            self._foul("blocker-adjacent", "SO-4.7", seat, thing)
        else:
            self.say(
                "OK", "SO-4.2", e.Block(seat, square), square=square_name(square), seat=str(seat)
            )

    def _chip(self, square: int, letter: str | None, colour: str) -> None:
        state, bit = self.state, 1 << square
        name, seat, thing = square_name(square), state.turn, ("chip", square)
        owner = state.owner(square)
        if state.blocked & bit:
            self._foul("chip-on-blocker", "SO-4.9", seat, thing)
        elif owner is None:
            self._foul("chip-on-open-square", "SO-6.5", seat, thing)
        elif state.marked & bit:
            self._foul("second-chip", "SO-6.7", seat, thing)
        elif letter is None and owner in state.short:
            self.say(f"MARK {name}", "SO-6.12", e.Mark(square), square=name, colour=owner)
        elif letter != owner:
            self._foul("wrong-colour", "SO-6.6", seat, thing)
        elif state.late & bit:
            self.say(f"MARK {name} late", "SO-6.9", e.Mark(square), square=name, colour=owner)
        else:
            self.say(f"MARK {name}", "SO-3.3", e.Mark(square), square=name, colour=owner)

    def _foul(
        self,
        reason: str,
        code: str,
        seat: int,
        extra: tuple[str, int],
        instead: Earlier | None = None,
    ) -> None:
        foul = Foul(reason=reason, seat=seat, extra=extra, instead=instead)
        self.say(f"FOUL {reason}", code, e.Stop(foul), seat=str(seat), place=_name_of(extra))

    # What goes

    def _gone(self, fact: Emptied) -> None:
        state = self.state
        thing = thing_of(fact)
        if thing is None or state.over or not _lies_there(state, thing):
            return
        kind, at = thing
        if (
            state.terms.takeback
            and state.before is not None
            and not _lies_there(state.before, thing)
        ):
            self.say("OK", "SO-6.4", e.TakeBack(), back=_name_of(thing))
            return
        colour = (state.owner(at) or "") if kind == "chip" else ""
        code = {"stick": "SO-6.4", "chip": "SO-6.8", "blocker": "SO-6.11"}[kind]
        foul = Foul(reason=f"{kind}-moved", seat=state.turn, missing=(kind, colour, at))
        self.say(f"FOUL {kind}-moved", code, e.Stop(foul), place=_name_of(thing))

    # While a foul stands (SO-6.15)

    def _while_foul_stands(self, fact: Fact, foul: Foul) -> None:
        if isinstance(fact, Batch):
            self.one_frame_while_fouled(fact)
        elif self.mends(fact):
            self._fixed(fact, foul)
        elif isinstance(fact, Filled | Emptied | Declared):
            self.say("HOLD", "SO-6.15", e.Keep(kept_with(self.state.kept, fact)))

    def keep_back(self, batch: Batch) -> None:
        later = tuple(part for part in batch.facts if isinstance(part, Filled | Emptied | Declared))
        kept = kept_with(self.state.kept, dataclasses.replace(batch, facts=later))
        for _ in later:
            self.say("HOLD", "SO-6.15", e.Keep(kept))

    def mends(self, fact: Fact) -> bool:
        return isinstance(fact, Restored) or self.undoes(fact)

    def undoes(self, fact: Fact) -> bool:
        foul = self.state.foul
        if foul is None:
            return False
        thing = thing_of(fact)
        if isinstance(fact, Emptied):
            other = None if foul.instead is None else ("stick", foul.instead.groove)
            return thing is not None and thing in (foul.extra, other)
        if isinstance(fact, Filled) and foul.missing is not None and thing is not None:
            kind, colour, at = foul.missing
            right = colour == "" or letter_of(self.state.terms, fact.colour) == colour
            held = is_kept(self.state.kept, fact.place)
            return thing == (kind, at) and right and not held
        return False

    def _fixed(self, fact: Fact, foul: Foul) -> None:
        kept, earlier = self.state.kept, foul.instead
        swapped = earlier is not None and thing_of(fact) == ("stick", earlier.groove)
        if earlier is not None and swapped and foul.extra is not None:
            bench = Bench(earlier.state)
            bench._stick(foul.extra[1], earlier.seat)
            self.say("FIXED", "SO-6.15", e.Fix(bench.state))
            said = tuple(f"{call.call} {call.code}" for call in bench.calls)
            if said[1:] != earlier.said:
                self.calls += [replace(call, effect=None) for call in bench.calls]
        else:
            self.say("FIXED", "SO-6.15", e.Fix())
        self._penalty(foul)
        for part in kept:
            self.judge(part)

    def _penalty(self, foul: Foul) -> None:
        state, terms = self.state, self.state.terms
        if terms.penalty == "lose_turn" and not state.over and foul.seat == state.turn:
            self._pass_turn("SO-3.7")
        elif terms.penalty.startswith("minus:"):
            points = int(terms.penalty.partition(":")[2])
            colour = terms.seats[foul.seat - 1]
            self.say(
                f"INFO minus {colour}{points}",
                "SO-6.15",
                e.Minus(colour, points),
                colour=colour,
                n=str(points),
            )

    # Several at once (SO-6.13)

    def _batch(self, facts: tuple[Fact, ...], ordered: bool) -> None:
        if len(facts) < 2 or ordered:
            self.one_by_one(facts, ordered=ordered)
            return
        if self.state.terms.one_player:
            facts = tuple(self._by_the_one_on_turn(fact) for fact in facts)
        chosen: Bench | None = None
        for order in presumed_orders(self.state, facts):
            bench = Bench(self.state)
            bench.earlier = {}
            bench.one_by_one(order, ordered=False)
            chosen = chosen or bench
            if not any(call.verb == "FOUL" for call in bench.calls):
                chosen = bench
                break
        self.say("INFO order-presumed", "SO-6.13")
        if chosen is not None:
            self.calls += chosen.calls
            self.state = chosen.state

    def _by_the_one_on_turn(self, fact: Fact) -> Fact:
        if isinstance(fact, Filled) and fact.by is None and fact.kind != "chip":
            return dataclasses.replace(fact, by=seats_of(self.state.terms)[self.state.turn - 1])
        return fact


def _missed(state: State) -> int:
    """How many squares could have been closed one after another on this board (SO-3.6)."""
    empty, still_open, count = ALL_GROOVES & ~state.sticks, state.open, 0
    ready = members(state.three & still_open)
    while ready:
        square = ready.pop()
        if not still_open >> square & 1:
            continue
        still_open ^= 1 << square
        count += 1
        gap = FENCE[square] & empty
        if not gap:
            continue
        empty ^= gap
        for beside in BESIDE[gap.bit_length() - 1]:
            if still_open >> beside & 1:
                gaps = FENCE[beside] & empty
                if not gaps & (gaps - 1):  # one at most
                    ready.append(beside)
    return count


def _lies_there(state: State, thing: tuple[str, int]) -> bool:
    kind, at = thing
    layer = {"stick": state.sticks, "chip": state.marked, "blocker": state.blocked}[kind]
    return bool(layer >> at & 1)


def _name_of(thing: tuple[str, int]) -> str:
    kind, at = thing
    return groove_name(at) if kind == "stick" else square_name(at)
