"""Steps 5 to 8 of the decision table: what a shot comes to, who pays, who wins, who is next."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from rules.facts import Fact, Piece, Settled
from rules.games.qsquare.case import Case
from rules.games.qsquare.doubts import Doubt
from rules.games.qsquare.faults import (
    Faults,
    contact_fault,
    early_queen,
    execution,
    missed,
    ordered_faults,
    outcome,
    queen_touched,
    wrong_player,
)
from rules.games.qsquare.reading import CUE, PUCK, QUEEN, STILL_MM, Gone, Reading, order, read
from rules.games.qsquare.spots import Restoring, restoring
from rules.games.qsquare.state import (
    CENTRAL_ZONE,
    PENALTY_ZONE,
    Count,
    Errand,
    Phase,
    Ruled,
    State,
    Tally,
    lay,
)
from rules.games.qsquare.terms import Terms
from rules.games.qsquare.words import listed, possessive, pucks, verb
from rules.games.qsquare.zones import Verdict
from rules.geometry import Seat
from rules.rulings import RulingKind

PLACES = {PENALTY_ZONE: "the penalty zone", CENTRAL_ZONE: "the Central Zone"}


def play_shot(case: Case, state: State, fact: Fact) -> State:
    """Resolve the running shot at its `Settled`; the state after it."""
    assert isinstance(fact, Settled)
    assert state.shot is not None
    shot = state.shot
    reading = read(case, state, shot, fact)
    after = _resolved(case, state, reading, fact)
    known = {**case.oracle.known, **case.oracle.given}
    return replace(
        after,
        shot=None,
        called=None,
        drag=None,
        last=Ruled(before=state, settled=fact, known=known, waived=case.waived, at_ms=fact.at_ms),
    )


def _resolved(case: Case, state: State, reading: Reading, fact: Settled) -> State:
    seen = lay(state, fact.pieces)
    if wrong_player(reading):
        case.rule(
            "QS-X.23",
            f"It was {state.terms.who(state.shooter)}’s turn: the shot is void, the table is put "
            "back, no penalty.",
            RulingKind.TURN,
            side=state.terms.sides[state.side],
        )
        return _restored(seen, state)
    if "replay" in reading.shot.calls:
        case.rule(
            "QS-X.13",
            "The shot was spoiled: it is played again.",
            RulingKind.TURN,
            side=state.terms.sides[state.side],
        )
        return _restored(seen, state)
    if state.terms.options.cue_pucks == "per_side" and _cue_pucks(state) > 1:
        case.rule(
            "QS-1.3",
            "The other side’s cue-puck was on the table: the shot does not count.",
            RulingKind.REFUSED,
        )
        return _restored(seen, state)
    first = reading.first()
    cue_gone = any(gone.kind == CUE and gone.name == reading.cue for gone in reading.gone)
    crossed = not first and reading.crossed()
    if not first and not cue_gone and not crossed and not reading.gone:
        return _no_shot(case, state, seen)
    _opening_notes(case, state)
    faults = Faults()
    ordered_faults(case.ordered, faults)
    miscue = execution(reading, faults)
    if first:
        contact_fault(reading, first, miscue, faults)
    elif crossed:
        missed(reading, miscue, faults)
    queen_touched(reading, faults)
    outcome(reading, faults)
    if faults.penalties and any(r.code.startswith("QS-8n") for r in case.rulings):
        case.rule("QS-8n.3", "Only the miss is excused; every other penalty stands.")
    return Ending(case=case, state=state, reading=reading, faults=faults, seen=seen).end()


def _cue_pucks(state: State) -> int:
    return sum(piece.kind == CUE for piece in state.pieces)


def _opening_notes(case: Case, state: State) -> None:
    if state.tally.shots:
        return
    terms = state.terms
    case.rule("QS-5.6", "The opening break is judged like any other shot.")
    case.rule("QS-1.5", "Pucks are attacked with the cue-puck alone, driven by the cue.")
    case.rule(
        "QS-2.1",
        f"{terms.team(0)} {verb(terms, 0, 'pocket')} {terms.colours[1]}, "
        f"{terms.team(1)} {verb(terms, 1, 'pocket')} {terms.colours[0]}.",
    )


def _no_shot(case: Case, state: State, seen: State) -> State:
    case.rule(
        "QS-X.1",
        "The cue-puck crossed no line and touched nothing: not a shot.",
        RulingKind.TURN,
        side=state.terms.sides[state.side],
    )
    if state.terms.options.weak_stroke == "turn_lost":
        return lose_turn(case, seen, "QS-2.3", "No shot was made: the turn is lost.")
    case.rule("QS-4.3", "The cue-puck may be placed again.")
    return replace(seen, phase=Phase.AIMING)


def _restored(seen: State, before: State) -> State:
    """Return the state in which every piece must go back to where it lay in `before`."""
    now = {p.name: p for p in seen.pieces}
    errands = tuple(
        Errand(kind=p.kind, colour=p.colour, at=p.at, piece=p.name, why="put back")
        for p in before.pieces
        if p.kind != CUE and (p.name not in now or now[p.name].at.distance_mm(p.at) > STILL_MM)
    )
    lost = [p for p in before.pieces if p.kind == CUE and p.name not in now]
    errands += tuple(Errand(kind=CUE, colour=p.colour, why="cue-puck") for p in lost)
    return replace(seen, phase=Phase.SERVICE if errands else Phase.AIMING, errands=errands)


@dataclass(slots=True)
class Ending:
    """A shot's consequences, step by step."""

    case: Case
    state: State
    reading: Reading
    faults: Faults
    seen: State
    on: list[int] = field(default_factory=list)
    down: list[int] = field(default_factory=list)
    off: list[int] = field(default_factory=list)
    back: list[Gone] = field(default_factory=list)
    forced_back: list[Gone] = field(default_factory=list)
    stayed_down: list[Gone] = field(default_factory=list)
    queen_back: bool = False

    def end(self) -> State:
        tally = self.state.tally
        self.on = [count.on for count in tally.counts]
        self.down = [count.down for count in tally.counts]
        self.off = [count.off for count in tally.counts]
        fallen = [g for g in self.reading.gone if g.kind == PUCK and g.pocket is not None]
        forced = [g for g in self.reading.gone if g.kind == PUCK and g.pocket is None]
        self.queen_back = any(g.kind == QUEEN for g in self.reading.gone)
        if self.faults.lost_by is not None:
            return self._won(1 - self.faults.lost_by, fallen, forced)
        if self.faults.foul:
            return self._foul(fallen, forced)
        for gone in forced:  # its 8b was waived: it is off the game all the same
            self._leaves(gone)
        return self._legal(fallen)

    # -- step 5, legal -----------------------------------------------------------------------

    def _legal(self, fallen: list[Gone]) -> State:
        case, state, terms = self.case, self.state, self.state.terms
        me, target = state.side, 1 - state.side
        targets = [g for g in fallen if self._side(g) == target]
        owns = [g for g in fallen if self._side(g) == me]
        queens = [g for g in self.reading.gone if g.kind == QUEEN]
        early = bool(queens) and early_queen(self.reading, queens[0])
        for gone in fallen:
            self._goes_down(gone)
        for gone in targets:
            case.rule(
                "QS-6.1",
                f"{gone.name} is pocketed{'' if gone.pocket == '?' else f' in {gone.pocket}'}.",
                RulingKind.POCKET,
                side=terms.sides[me],
                pieces=(gone.name,),
            )
        if owns:
            case.rule(
                "QS-X.4",
                f"{pucks(len(owns), terms.colours[me]).capitalize()} of "
                f"{possessive(terms.team(me))} own stays down and counts for "
                f"{terms.team(target)}.",
                RulingKind.POCKET,
                side=terms.sides[target],
                pieces=tuple(g.name for g in owns),
            )
        if any(g.kind == QUEEN for g in self.reading.gone if g.pocket) and not early:
            won = self._queen_wins(queens[0])
            if won is not None:
                return won
        if terms.options.queen == "off" and self.on[target] == 0 and self._may_win():
            won = self._cleared(targets, owns)
            if won is not None:
                return won
        kept = bool(targets) and not owns
        if kept and terms.options.call_shots == "on" and not self._as_called(targets):
            kept = False
            case.rule(
                "QS-4.9",
                "The puck did not fall as called: it stays down, the turn is lost.",
                RulingKind.TURN,
                side=terms.sides[me],
            )
            return self._lost()
        if kept:
            if case.rule(
                "QS-2.2",
                f"{terms.who(state.shooter)} pocketed {pucks(len(targets), terms.colours[target])}"
                " and plays on.",
                RulingKind.TURN,
                side=terms.sides[me],
                pieces=tuple(g.name for g in targets),
            ):
                return self._keep()
            return self._lost()
        if targets and owns:
            lost = case.rule(
                "QS-2.5",
                f"Pucks of both colours fell: they stay down, {terms.who(state.shooter)} loses "
                "the turn.",
                RulingKind.TURN,
                side=terms.sides[me],
            )
        else:
            lost = case.rule(
                "QS-2.3",
                f"No {terms.colours[target]} puck fell: {terms.who(state.shooter)} loses the turn.",
                RulingKind.TURN,
                side=terms.sides[me],
            )
        if any(self._moved(p) for p in state.pieces if p.kind == QUEEN) and not queens:
            case.rule("QS-X.17", "The Queen was moved by a legal shot: it stays where it stopped.")
        return self._lost() if lost else self._keep()

    def _moved(self, piece: Piece) -> bool:
        rest = self.reading.rest.get(piece.name)
        return rest is not None and rest.at.distance_mm(piece.at) > STILL_MM

    def _queen_wins(self, queen: Gone) -> State | None:
        case, terms = self.case, self.state.terms
        me = self.state.side
        if terms.options.call_shots == "on" and not self._as_called([queen]):
            case.rule(
                "QS-4.9",
                "The Queen did not fall as called: it goes back, the turn is lost.",
                RulingKind.TURN,
                side=terms.sides[me],
            )
            return self._lost()
        if not self._may_win():
            return self._lost()
        if any(self._side(g) == me for g in self.reading.gone if g.kind == PUCK):
            case.rule("QS-2.6", "A win outranks the own puck that fell in the same shot.")
        case.rule("QS-7.2", f"No {terms.colours[1 - me]} puck is left: the Queen is open.")
        case.rule("QS-7.3", "The Queen decides the game.")
        if case.rule(
            "QS-2.6",
            f"{terms.team(me)} {verb(terms, me, 'pocket')} the Queen and {verb(terms, me, 'win')} "
            "the game.",
            RulingKind.WIN,
            side=terms.sides[me],
            pieces=(queen.name, "Queen wins"),
        ):
            self.queen_back = False
            return self._over(me)
        return None

    def _may_win(self) -> bool:
        """Return whether no debt stands in the way of a win (`debt_blocks_win`)."""
        me = self.state.side
        blocked = (
            self.state.terms.options.debt_blocks_win == "on"
            and bool(self.state.tally.debts[me])
            and self.down[1 - me] > 0
        )
        if blocked:
            self.case.rule(
                "QS-8.3",
                f"{self.state.terms.team(me)} must pay what is owed before winning, as agreed.",
                RulingKind.PENALTY,
                side=self.state.terms.sides[me],
                pieces=("before winning",),
            )
        return not blocked

    def _cleared(self, targets: list[Gone], owns: list[Gone]) -> State | None:
        """With `queen = off`: the target colour is cleared by a legal shot (QS-2.8, QS-X.12)."""
        case, terms = self.case, self.state.terms
        me, winner = self.state.side, self.state.side
        if self.on[me] == 0:
            how = terms.options.double_finish
            if how == "opponent" or (
                how == "drop_order" and self._own_cleared_first(targets, owns)
            ):
                winner = 1 - me
            case.rule(
                "QS-X.12",
                f"One shot cleared both colours: {terms.team(winner)} "
                f"{verb(terms, winner, 'win')}.",
                RulingKind.NOTE,
                side=terms.sides[winner],
            )
        case.rule("QS-2.7", "The game is played without the Queen.")
        if case.rule(
            "QS-2.8",
            f"{terms.team(winner)} {verb(terms, winner, 'win')} the game: every "
            f"{terms.colours[1 - winner]} puck is gone.",
            RulingKind.WIN,
            side=terms.sides[winner],
        ):
            return self._over(winner)
        return None

    def _own_cleared_first(self, targets: list[Gone], owns: list[Gone]) -> bool:
        """Return whether the opponents had cleared first: the colour cleared last loses."""
        if not targets or not owns:
            return not owns
        last_target = max(targets, key=lambda g: g.at_ms)
        last_own = max(owns, key=lambda g: g.at_ms)
        match order(last_own.at_ms, last_own.error_ms, last_target.at_ms, last_target.error_ms):
            case Verdict.YES:
                return True
            case Verdict.NO:
                return False
        return self.case.oracle.yes(
            Doubt(
                key="cleared-first",
                words=f"Did {last_own.name} fall before {last_target.name}?",
                answers=(("yes", "Yes"), ("no", "No")),
            )
        )

    def _as_called(self, gone: Sequence[Gone]) -> bool:
        called = (self.reading.shot.called or "").split()
        if not called:
            return False
        what, pocket = called[0], called[-1] if len(called) > 1 else ""
        return any(
            what in (g.name, g.colour, g.kind) and pocket in ("", g.pocket, "?") for g in gone
        )

    # -- step 5, foul ------------------------------------------------------------------------

    def _foul(self, fallen: list[Gone], forced: list[Gone]) -> State:
        case, state, terms = self.case, self.state, self.state.terms
        options = terms.options
        me, target = state.side, 1 - state.side
        scratch = any(g.kind == CUE and g.pocket is not None for g in self.reading.gone)
        returning = self._returning(fallen, scratch)
        for gone in fallen:
            if gone in returning:
                self.back.append(gone)
            else:
                self._goes_down(gone)
                self.stayed_down.append(gone)
        for gone in forced:
            if gone.name == self.faults.returned:
                self.back.append(gone)
            elif options.off_puck == "stays_off":
                self._leaves(gone)
            else:
                self.forced_back.append(gone)
                case.rule("QS-X.5", f"{gone.name} is put back, as agreed.", pieces=(gone.name,))
        for gone in self.back:
            if gone.pocket is not None and not case.rule(
                "QS-6.1",
                f"{gone.name} fell in a foul shot: not pocketed, it returns.",
                RulingKind.PLACE,
                side=terms.sides[me],
                pieces=(gone.name,),
            ):
                self._goes_down(gone)
        self.back = [g for g in self.back if g.pocket is None or self._still_back(g)]
        penalised = bool(self.faults.penalties)
        if scratch and fallen:
            case.rule(
                "QS-8a.6",
                f"The cue-puck fell with {pucks(len(fallen), 'object')}: what fell returns"
                f"{'' if self._two_only(fallen, scratch) else ', and a penalty puck besides'}.",
                RulingKind.PENALTY,
                side=terms.sides[me],
            )
        due = self._due(fallen, scratch)
        if "a" in [letter for letter, _ in due]:
            case.rule(
                "QS-8a.5",
                f"One penalty puck to {possessive(terms.who(self._penalty_seat_plain()))} "
                "penalty zone.",
                RulingKind.PENALTY,
                side=terms.sides[me],
            )
        owed = state.tally.debts[me] + tuple(place for _, place in due)
        if due and self.down[target] == 0:
            case.rule(
                "QS-8.2",
                f"No {terms.colours[target]} puck is down: the penalty is owed.",
                RulingKind.PENALTY,
                side=terms.sides[me],
            )
        if penalised:
            case.rule(
                "QS-8g",
                "A penalty ends the turn.",
                RulingKind.TURN,
                side=terms.sides[me],
            )
        lost = case.rule(
            "QS-2.4",
            f"Foul: {terms.who(state.shooter)} loses the turn.",
            RulingKind.TURN,
            side=terms.sides[me],
        )
        if forced and options.off_puck == "stays_off":
            self._explain_off(forced)
        return self._lost(owed, forced) if lost else self._keep(owed)

    def _still_back(self, gone: Gone) -> bool:
        return not self.case.waives("QS-6.1") or f"QS-6.1 {gone.name}" not in self.case.waived

    def _explain_off(self, forced: list[Gone]) -> None:
        names = [g.name for g in forced if g.name != self.faults.returned]
        if names:
            self.case.rule(
                "QS-X.5",
                f"{listed(names)} {'is' if len(names) == 1 else 'are'} out of the game for good.",
                pieces=tuple(names),
            )

    def _two_only(self, fallen: list[Gone], scratch: bool) -> bool:
        always = self.state.terms.options.scratch_returns == "always_2"
        return always and scratch and len(fallen) >= 2

    def _due(self, fallen: list[Gone], scratch: bool) -> list[tuple[str, str]]:
        """Return the penalties to be paid, in the order of step 6: a, b, c, d, e."""
        given = sorted(self.faults.penalties, key=lambda p: "abcdeh".index(p[0]))
        if self._two_only(fallen, scratch):
            given = [p for p in given if p[0] != "a"]
        if self.state.terms.options.multi_penalty == "worst_only" and given:
            return [min(given, key=lambda p: "acehdb".index(p[0]))]
        return given

    def _returning(self, fallen: list[Gone], scratch: bool) -> list[Gone]:
        """Return which of the fallen pucks come back from a foul shot (QS-6.1, QS-8a.6)."""
        options = self.state.terms.options
        target = 1 - self.state.side
        if scratch:
            return fallen[:2] if self._two_only(fallen, scratch) else fallen
        if options.foul_drops == "return_all":
            return fallen
        stays = [
            g
            for g in fallen
            if g.name != self.faults.returned
            and (options.foul_drops == "all_stay_down" or self._side(g) != target)
        ]
        gone = sum(self._side(g) == target for g in stays)
        gone += sum(
            self._side(g) == target
            for g in self.reading.gone
            if g.kind == PUCK and g.pocket is None and g.name != self.faults.returned
        )
        if options.queen == "off" and gone >= self.on[target]:
            last = [g for g in stays if self._side(g) == target][-1:]
            stays = [g for g in stays if g not in last]
        return [g for g in fallen if g not in stays]

    def _goes_down(self, gone: Gone) -> None:
        side = self._side(gone)
        self.on[side] -= 1
        self.down[side] += 1

    def _leaves(self, gone: Gone) -> None:
        side = self._side(gone)
        self.on[side] -= 1
        self.off[side] += 1

    def _side(self, gone: Gone) -> int:
        side = self.state.terms.side_of_colour(gone.colour)
        return 1 - self.state.side if side is None else side

    # -- step 6: what is put back ------------------------------------------------------------

    def _penalty_seat_plain(self) -> Seat:
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
                words=f"{terms.team(1 - state.side)}: in whose penalty zone is the puck put?",
                answers=tuple((str(seat), terms.who(seat)) for seat in seats),
            )
        )
        return Seat(answer)

    def _lost(self, owed: tuple[str, ...] | None = None, forced: Sequence[Gone] = ()) -> State:
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
            f"A penalty puck is a {terms.colours[target]} puck that was pocketed before.",
        )
        where = listed(dict.fromkeys(PLACES[place] for place in owed[:paying]))
        return case.rule(
            "QS-8.3",
            f"{pucks(paying, terms.colours[target]).capitalize()} "
            f"{'comes' if paying == 1 else 'come'} back to {where}"
            f"{f'; {len(owed) - paying} still owed' if len(owed) > paying else ''}.",
            RulingKind.PENALTY,
            side=terms.sides[me],
        )

    def _guard(
        self, owed: tuple[str, ...], forced: Sequence[Gone], put: Restoring
    ) -> tuple[str, ...]:
        """Put one forced-off target back where none would be left (the guard of QS-X.5)."""
        terms = self.state.terms
        target = 1 - self.state.side
        lost = [g for g in forced if self._side(g) == target and g.name != self.faults.returned]
        if self.on[target] > 0 or not lost or self.off[target] == 0:
            return owed
        if terms.options.off_puck != "stays_off" or self.down[target] > 0:
            return owed
        if not self.case.rule(
            "QS-X.5",
            f"No {terms.colours[target]} puck would be left: one that was forced off is put in "
            "the Central Zone and settles its own penalty.",
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
        targets = [g for g in rest if self._side(g) != state.side]
        owns = [g for g in rest if self._side(g) == state.side]
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
                "Put back in this order: the Queen, the dead puck, pucks that fell, penalty pucks.",
            )
        return put

    def _explain_return(self, to_zone: bool) -> None:
        where = "the penalty zone" if to_zone else "the Central Zone"
        self.case.rule("QS-X.3", f"What fell in the foul goes to {where}.", RulingKind.PLACE)

    # -- steps 7 and 8 -----------------------------------------------------------------------

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

    def _keep(self, owed: tuple[str, ...] | None = None) -> State:
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
                f"{terms.team(other)} {verb(terms, other, 'win')} the game: every "
                f"{terms.colours[me]} puck is gone.",
                RulingKind.WIN,
                side=terms.sides[other],
            ):
                case.rule(
                    "QS-X.4", f"{terms.colours[me].capitalize()} was cleared by its own side."
                )
                return game_over(case, replace(self.seen, tally=tally), other)
        tally = queen_locks(case, state, tally)
        errands = tuple(put.errands)
        cue = [g for g in self.reading.gone if g.kind == CUE]
        errands += tuple(Errand(kind=CUE, colour=g.colour, why="cue-puck") for g in cue)
        errands += leaning(case, self.seen, self.reading.shot.calls, put)
        if tally.to_shoot is not state.shooter:
            turn_note(case, state, tally, bool(self.faults.penalties))
        pieces = tuple(p for p in self.seen.pieces if p.name not in {g.name for g in cue})
        down = {g.name for g in self.reading.gone}
        return replace(
            self.seen,
            tally=tally,
            pieces=tuple(p for p in pieces if p.name not in down),
            phase=Phase.SERVICE if errands else Phase.AIMING,
            errands=errands,
        )

    def _won(self, winner: int, fallen: list[Gone], forced: list[Gone]) -> State:
        for gone in fallen:
            self._goes_down(gone)
        for gone in forced:
            self._leaves(gone)
        return self._over(winner)

    def _over(self, winner: int) -> State:
        debts = self.state.tally.debts[self.state.side]
        return game_over(self.case, replace(self.seen, tally=self._tally(debts)), winner)


def leaning(case: Case, seen: State, calls: Sequence[str], put: Restoring) -> tuple[Errand, ...]:
    """Return the errands for pucks that a person says stand on edge or lie on another (QS-X.24)."""
    before = len(put.errands)
    for call in calls:
        what, _, name = call.partition(" ")
        piece = seen.piece(name)
        if what != "leaning" or piece is None:
            continue
        case.rule(
            "QS-X.24",
            f"{name} is on the surface: it is laid flat where it touches.",
            RulingKind.PLACE,
            pieces=(name,),
        )
        flat = restoring(seen.terms, seen.shooter, [p for p in seen.pieces if p.name != name])
        flat.home(piece.colour, piece.at, "laid flat", name)
        put.errands += flat.errands
    added = tuple(put.errands[before:])
    del put.errands[before:]
    return added


def queen_locks(case: Case, state: State, tally: Tally) -> Tally:
    """Say when the Queen opens for a side, or locks again (QS-7.2)."""
    terms = state.terms
    if terms.options.queen == "off":
        return tally
    unlocked = (tally.counts[1].on == 0, tally.counts[0].on == 0)
    for side in (0, 1):
        if unlocked[side] and not state.tally.unlocked[side]:
            case.rule(
                "QS-7.2",
                f"The Queen is open for {terms.team(side)}: no {terms.colours[1 - side]} puck is "
                "left.",
                side=terms.sides[side],
                pieces=(f"open-{terms.sides[side]}",),
            )
        elif state.tally.unlocked[side] and not unlocked[side]:
            case.rule(
                "QS-7.2",
                f"The Queen is locked again for {terms.team(side)}.",
                side=terms.sides[side],
                pieces=(f"locked-{terms.sides[side]}",),
            )
    return replace(tally, unlocked=unlocked)


def turn_note(case: Case, state: State, tally: Tally, penalised: bool) -> None:
    """In the four-player game, say who is next and whose zone takes the penalty puck."""
    terms = state.terms
    if not terms.four:
        return
    case.rule("QS-X.10", f"{terms.who(tally.to_shoot)} shoots next.", RulingKind.TURN)
    if penalised or tally.debts != state.tally.debts:
        case.rule(
            "QS-10.6", "Penalty pucks go to the penalty zone of the opponent who shoots next."
        )


def hand_over(case: Case, tally: Tally, state: State, put: Restoring) -> Tally:
    """Return the tally with the turn handed on, past players who lose theirs (QS-X.10, QS-X.13)."""
    terms = state.terms
    seat = terms.after(state.shooter)
    while seat in tally.skips:
        case.rule(
            "QS-X.13",
            f"{terms.who(seat)} loses this turn for the hand over the surface.",
            RulingKind.TURN,
            side=terms.sides[terms.side_at(seat)],
            pieces=(f"skip-{seat}",),
        )
        tally = replace(tally, skips=tally.skips - {seat})
        tally = settle_debt(case, tally, terms, seat, put)
        seat = terms.after(seat)
    return replace(tally, to_shoot=seat)


def settle_debt(case: Case, tally: Tally, terms: Terms, seat: Seat, put: Restoring) -> Tally:
    """Pay what the side of `seat` owes, as far as pucks are down, its turn being lost (QS-8.3)."""
    me = terms.side_at(seat)
    target = 1 - me
    owed, count = tally.debts[me], tally.counts[target]
    paying = min(len(owed), count.down)
    if not paying or not case.rule(
        "QS-8.3",
        f"{pucks(paying, terms.colours[target]).capitalize()} of what was owed "
        f"{'comes' if paying == 1 else 'come'} back.",
        RulingKind.PENALTY,
        side=terms.sides[me],
    ):
        return tally
    for place in owed[:paying]:
        put.place(place, terms.colours[target], terms.after(seat), "penalty puck")
    return tally.owing(me, owed[paying:]).counted(
        target, Count(count.on + paying, count.down - paying, count.off)
    )


def lose_turn(
    case: Case,
    state: State,
    code: str,
    words: str,
    errands: tuple[Errand, ...] = (),
    skips: frozenset[Seat] = frozenset(),
) -> State:
    """Lose the turn without a shot: what is owed is paid, the next player shoots."""
    terms, tally = state.terms, state.tally
    if not case.rule(code, words, RulingKind.TURN, side=terms.sides[state.side]):
        return replace(state, phase=Phase.SERVICE if errands else Phase.AIMING, errands=errands)
    spots = {e.piece: e.at for e in errands if e.piece is not None and e.at is not None}
    put = restoring(
        terms,
        state.shooter,
        [replace(p, at=spots.get(p.name, p.at)) for p in state.pieces],
    )
    tally = replace(tally, skips=tally.skips | skips)
    tally = settle_debt(case, tally, terms, state.shooter, put)
    tally = queen_locks(case, state, hand_over(case, tally, state, put))
    errands += tuple(put.errands)
    turn_note(case, state, tally, False)
    return replace(
        state,
        tally=tally,
        phase=Phase.SERVICE if errands else Phase.AIMING,
        errands=errands,
        called=None,
    )


def game_over(case: Case, state: State, winner: int) -> State:
    """End a game: the set goes on with a rack, or is over (QS-2.9, QS-X.11, QS-X.20)."""
    terms, tally = state.terms, state.tally
    games = (tally.games[0] + (winner == 0), tally.games[1] + (winner == 1))
    if any(tally.debts):
        case.rule("QS-X.20", "What was owed in this game is cancelled.")
    best = int(terms.options.best_of)
    if best > 1:
        case.rule(
            "QS-2.9",
            f"Games in this set: {terms.team(0)} {games[0]}, {terms.team(1)} {games[1]} "
            f"(best of {best}).",
            RulingKind.WIN,
            side=terms.sides[winner],
        )
    state = replace(state, errands=(), shot=None, hand=None, called=None, drag=None)
    if games[winner] >= terms.wins_needed():
        over = replace(tally, games=games, debts=((), ()), winner=winner)
        return replace(state, tally=over, phase=Phase.SET_OVER)
    side = {
        "alternate": 1 - terms.side_at(tally.breaker),
        "loser": 1 - winner,
        "winner": winner,
    }[terms.options.next_break]
    breaker = terms.seats_of(side)[0]
    case.rule(
        "QS-X.11",
        f"{terms.who(breaker)} breaks in game {tally.game + 1}.",
        RulingKind.TURN,
        side=terms.sides[side],
    )
    return replace(
        state,
        tally=Tally(
            counts=(Count(terms.pucks[0]), Count(terms.pucks[1])),
            to_shoot=breaker,
            breaker=breaker,
            games=games,
            game=tally.game + 1,
        ),
        phase=Phase.RACKING,
        said="",
    )
