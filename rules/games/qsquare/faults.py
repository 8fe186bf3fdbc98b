"""Steps 1 to 4 of the decision table: was it a shot, and what was done wrong in it."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from rules.games.qsquare.case import YES_NO, Case
from rules.games.qsquare.doubts import Doubt
from rules.games.qsquare.reading import CUE, PUCK, QUEEN, Gone, Reading, Touch
from rules.games.qsquare.state import CENTRAL_ZONE, PENALTY_ZONE, State
from rules.games.qsquare.terms import PARTNER
from rules.games.qsquare.words import BORDERS, pucks
from rules.games.qsquare.zones import NOISE_MM
from rules.geometry import Seat
from rules.rulings import RulingKind

EDGE_MM = 5.0
FOUL, PENALTY, NOTE = RulingKind.FOUL, RulingKind.PENALTY, RulingKind.NOTE


@dataclass(slots=True)
class Faults:
    """What was done wrong in a shot: whether it is a foul, and the penalties as (letter, place)."""

    foul: bool = False
    penalties: list[tuple[str, str]] = field(default_factory=list)
    returned: str | None = None
    lost_by: int | None = None
    skips: set[Seat] = field(default_factory=set)

    def letter(self, letter: str, place: str) -> None:
        """Add a penalty: one per letter, but of letter b one per puck (QS-X.7)."""
        self.foul = True
        if letter == "b" or all(given != letter for given, _ in self.penalties):
            self.penalties.append((letter, place))

    def has(self, letters: str) -> bool:
        return any(letter in letters for letter, _ in self.penalties)


def whose_hand(
    case: Case, state: State, side: Seat | None, depth_mm: float, key: str
) -> Seat | None:
    """Return whose hand was over the surface by more than the 5 mm that are ignored (QS-4.5)."""
    seats = state.terms.seats
    if 0.0 < depth_mm <= EDGE_MM:
        return None
    if depth_mm <= 0.0 and not case.oracle.yes(
        Doubt(
            key=f"{key}-depth",
            words=f"Did the hand reach more than {EDGE_MM:g} mm over the surface?",
            answers=YES_NO,
        )
    ):
        return None
    if side in seats:
        return side
    answer = case.oracle.pick(
        Doubt(
            key=f"{key}-whose",
            words="Whose hand was over the surface?",
            answers=(
                *((str(seat), state.terms.who(seat)) for seat in seats),
                ("nobody", "No player’s"),
            ),
        )
    )
    return Seat(answer) if answer != "nobody" else None


def wrong_player(reading: Reading) -> bool:
    """Ask whether a player shot whose turn it was not (QS-X.23)."""
    state, strike = reading.state, reading.shot.strike
    if any(call.startswith("wrong player") for call in reading.shot.calls):
        return True
    other = strike.by if strike.by in state.terms.seats else None
    if other is None:
        homes = state.terms.ground.homes
        if homes[state.shooter].region.depth_mm(strike.at) > 0:
            return False
        there = (s for s in state.terms.seats if homes[s].region.depth_mm(strike.at) > 0)
        other = next(there, None)
    if other is None or other is state.shooter:
        return False
    return reading.case.oracle.yes(
        Doubt(
            key="wrong-player",
            words=f"Did {state.terms.who(other)} shoot, though it was "
            f"{state.terms.who(state.shooter)}’s turn?",
            answers=YES_NO,
            piece=strike.piece,
        )
    )


def execution(reading: Reading, faults: Faults) -> bool:
    """Find the faults of step 2; return whether the shot was a miscue."""
    case, state, shot = reading.case, reading.state, reading.shot
    side = state.terms.sides[state.side]
    who = state.terms.who(state.shooter)
    wrong = _placement(reading, side, who)
    if "not tip" in shot.calls:
        wrong |= case.rule(
            "QS-4.6", f"{who} struck the cue-puck with another part than the tip.", FOUL, side=side
        )
    for number, (hand, depth) in enumerate(shot.hands):
        wrong |= _hand(reading, hand, depth, f"hand-{number}", faults)
    if wrong:
        case.rule("QS-4.7", "A fault at the strike: the turn is lost, no penalty puck.", NOTE)
    miscue = "miscue" in shot.calls
    if miscue:
        miscue = case.rule(
            "QS-8f", f"{who} miscued: foul, no penalty puck for it.", FOUL, side=side
        )
    elif wrong:
        case.rule("QS-8f", "Foul without a penalty puck.", FOUL, side=side)
    faults.foul |= wrong or miscue
    return miscue


def _placement(reading: Reading, side: str, who: str) -> bool:
    case, strike = reading.case, reading.shot.strike
    ground = reading.state.terms.ground
    worst = None
    for call in ground.placement(reading.state.shooter, strike.at):
        if worst is None or call.margin_mm < worst.margin_mm:
            worst = call
    assert worst is not None
    calls = sorted(
        ground.placement(reading.state.shooter, strike.at), key=lambda call: call.margin_mm
    )
    for call in calls:
        legal = case.holds(
            call.margin_mm,
            strike.error_mm,
            f"placement-{call.line}",
            f"Was the line {call.line} hidden from the cue-puck’s hole at the strike?",
            piece=strike.piece,
            line=call.line,
            at=strike.at,
            answers=(("yes", "Yes: not seen in the hole, a legal place"), ("no", "No: line seen")),
        )
        if legal:
            continue
        if call.margin_mm + 2 * (call.inside_mm - call.margin_mm) <= NOISE_MM:
            case.rule("QS-4.2", "The cue-puck was not brought back into the Home Zone.", NOTE)
            return case.rule(
                "QS-4.1",
                f"{who} struck the cue-puck outside the Home Zone.",
                FOUL,
                side=side,
                pieces=(strike.piece,),
                margin_mm=call.margin_mm,
                error_mm=strike.error_mm,
            )
        return case.rule(
            "QS-4.4",
            f"The line {call.line} showed in the cue-puck’s hole at the strike, by "
            f"{-call.margin_mm:.1f} mm.",
            FOUL,
            side=side,
            pieces=(strike.piece,),
            margin_mm=call.margin_mm,
            error_mm=strike.error_mm,
        )
    if worst.margin_mm < ground.cue_radius_mm - ground.cue_hole_mm:
        case.rule("QS-4.3", "The cue-puck may stand anywhere in the Home Zone.", NOTE)
        case.rule(
            "QS-4.4",
            f"The cue-puck lies over the line {worst.line}, but the line is not in its hole: "
            "a legal place.",
            NOTE,
            side=side,
            pieces=(strike.piece,),
            margin_mm=worst.margin_mm,
            error_mm=strike.error_mm,
        )
    return False


def _hand(reading: Reading, hand: Seat | None, depth: float, key: str, faults: Faults) -> bool:
    case, state = reading.case, reading.state
    whose = whose_hand(case, state, hand, depth, key)
    if whose is None:
        return False
    if whose is state.shooter:
        return case.rule(
            "QS-4.5",
            f"{state.terms.who(whose)}’s hand was over the surface during the shot.",
            FOUL,
            side=state.terms.sides[state.side],
        )
    if idle_hand(case, state, whose):
        faults.skips.add(whose)
    return False


def idle_hand(case: Case, state: State, whose: Seat) -> bool:
    """Announce the hand of a player who is not shooting; return whether it costs the next turn."""
    costs = state.terms.options.idle_hand == "lose_next_turn"
    stands = case.rule(
        "QS-X.13",
        f"{state.terms.who(whose)}’s hand was over the surface while "
        f"{state.terms.who(state.shooter)} was shooting: "
        f"{'the next turn is lost' if costs else 'a warning'}.",
        FOUL if costs else NOTE,
        side=state.terms.sides[state.terms.side_at(whose)],
        pieces=(f"hand-{whose}",),
    )
    return costs and stands


# -- step 3: the first contact ---------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Contact:
    """What a contact of the cue-puck comes to: its price for choosing among split hits."""

    kind: str
    touch: Touch
    price: int


def judge_contact(reading: Reading, touch: Touch) -> Contact:
    """Say which rule a first contact falls under (section 6, step 3)."""
    state, name = reading.state, touch.name
    side = state.side
    open_queen = state.tally.counts[1 - side].on == 0
    kind, colour = reading.kind(name), reading.colour(name)
    if kind == QUEEN:
        if not open_queen:
            return Contact("queen", touch, 3)
        if state.terms.options.queen_dead == "on" and reading.dead(name) == "red":
            legal = reading.touched_opposite(touch)
            return Contact("queen open" if legal else "queen dead", touch, 0 if legal else 1)
        return Contact("queen open", touch, 0)
    if kind == CUE:
        return Contact("live", touch, 0)
    if colour == state.terms.colours[side]:
        return _own_contact(reading, touch, open_queen)
    where = reading.dead(name)
    if where == "live":
        return Contact("live", touch, 0)
    if reading.touched_opposite(touch):
        return Contact(f"{where} by border", touch, 0)
    if where == "home":
        return Contact("home", touch, 1)
    if state.terms.options.side_border == "direct" or not reading.touched_any(touch):
        return Contact("red", touch, 3)
    return Contact("red side", touch, 1)


def _own_contact(reading: Reading, touch: Touch, open_queen: bool) -> Contact:
    options = reading.state.terms.options
    if open_queen:
        return Contact("own", touch, 2)
    if options.ricochet_border == "opposite":
        ricochet = reading.touched_opposite(touch)
    else:
        ricochet = reading.touched_any(touch)
    if ricochet and (options.ricochet_own == "always" or reading.all_dead()):
        return Contact("own excused", touch, 0)
    return Contact("own", touch, 2)


def contact_fault(reading: Reading, first: tuple[Touch, ...], miscue: bool, faults: Faults) -> None:
    """Rule on the first contact with a puck."""
    case, state = reading.case, reading.state
    contacts = [judge_contact(reading, touch) for touch in first]
    if len(contacts) > 1:
        pick = min if state.terms.options.split_hit == "shooter" else max
        contact = pick(contacts, key=lambda c: c.price)
        case.rule(
            "QS-X.2",
            "The cue-puck hit "
            + " and ".join(t.name for t in first)
            + " at once: judged "
            + ("for" if pick is min else "against")
            + f" {state.terms.who(state.shooter)}.",
            NOTE,
            side=state.terms.sides[state.side],
            pieces=tuple(t.name for t in first),
        )
    else:
        contact = contacts[0]
    _explain_dead(reading, contact)
    _rule_contact(reading, contact, miscue, faults)
    if state.terms.options.dead_scope == "any_cue_contact":
        _later_contacts(reading, contact, faults)


def _rule_contact(reading: Reading, contact: Contact, miscue: bool, faults: Faults) -> None:
    case, state = reading.case, reading.state
    terms, options = state.terms, state.terms.options
    side, who = terms.sides[state.side], terms.who(state.shooter)
    name = contact.touch.name
    target, own = terms.colours[1 - state.side], terms.colours[state.side]
    pieces = (name,)
    match contact.kind:
        case "own":
            if state.tally.counts[1 - state.side].on == 0:
                case.rule(
                    "QS-X.16", "The Queen is the puck to hit: no other may be hit first.", NOTE
                )
            if miscue and options.miscue_absorbs == "on":
                return
            if case.rule(
                "QS-8a.4",
                f"The cue-puck hit {own} first: {who} {_must(state)} a {target} puck.",
                PENALTY,
                side=side,
                pieces=pieces,
            ):
                faults.letter("a", PENALTY_ZONE)
        case "own excused":
            case.rule(
                "QS-8n.2",
                f"Every {target} puck is dead and the cue-puck came off a border: hitting {own} "
                "first is no foul.",
                NOTE,
                side=side,
                pieces=pieces,
            )
        case "queen":
            left = state.tally.counts[1 - state.side].on
            case.rule(
                "QS-7.2", f"The Queen is locked while {target} pucks are left ({left}).", NOTE
            )
            if case.rule(
                "QS-8c",
                f"The cue-puck hit the Queen first with {pucks(left, target)} still on the table.",
                PENALTY,
                side=side,
                pieces=pieces,
            ):
                faults.letter("c", PENALTY_ZONE)
        case "queen dead":
            if case.rule(
                "QS-9.1",
                "The Queen lay dead inside the red line and was hit without the opposite border.",
                FOUL,
                side=side,
                pieces=pieces,
            ):
                faults.foul |= case.rule("QS-8f", "Foul without a penalty puck.", FOUL, side=side)
        case "home":
            _home_dead(reading, contact.touch, faults)
        case "red":
            _red_direct(reading, contact.touch, faults)
        case "red side":
            if case.rule(
                "QS-9.8",
                f"{name} lay dead inside the red line and was hit off another border than the "
                f"{BORDERS[_opposite(state)]} one.",
                FOUL,
                side=side,
                pieces=pieces,
            ):
                faults.foul |= case.rule("QS-8f", "Foul without a penalty puck.", FOUL, side=side)


def _must(state: State) -> str:
    return (
        "loses the turn and owes" if state.tally.counts[1 - state.side].down == 0 else "gives back"
    )


def _opposite(state: State) -> Seat:
    return PARTNER[state.shooter]


def _home_dead(reading: Reading, touch: Touch, faults: Faults) -> None:
    case, state = reading.case, reading.state
    side = state.terms.sides[state.side]
    if not case.rule(
        "QS-9.5",
        f"{touch.name} lay dead in {state.terms.who(state.shooter)}’s Home Zone or beside it and "
        f"was hit without the {BORDERS[_opposite(state)]} border first.",
        FOUL,
        side=side,
        pieces=(touch.name,),
    ):
        return
    if state.terms.options.home_dead_direct == "penalty":
        faults.letter("h", PENALTY_ZONE)
    else:
        case.rule("QS-8f", "Foul without a penalty puck.", FOUL, side=side)
    faults.foul = True


def _red_direct(reading: Reading, touch: Touch, faults: Faults) -> None:
    case, state = reading.case, reading.state
    side = state.terms.sides[state.side]
    if case.rule(
        "QS-9.7",
        f"{touch.name} lay dead inside the red line and was hit directly.",
        FOUL,
        side=side,
        pieces=(touch.name,),
    ) and case.rule(
        "QS-8e",
        f"{touch.name} goes back to the Central Zone, and a penalty puck is due.",
        PENALTY,
        side=side,
        pieces=(touch.name,),
    ):
        faults.letter("e", PENALTY_ZONE)
        faults.returned = touch.name


def _explain_dead(reading: Reading, contact: Contact) -> None:
    """Say how a target puck lay to the Dead Zones, where players will look for it (4.2)."""
    name = contact.touch.name
    if reading.kind(name) == QUEEN or contact.kind.startswith("own"):
        return
    call = reading.dead_call(name)
    if call is None:
        return
    piece = reading.before[name]
    where = reading.dead(name)
    zones = {"red": "QS-9.1", "home": "QS-9.2", "pocket": "QS-9.3"}
    seen = "a line shows in its hole" if call.line_visible else "no line shows in its hole"
    share = f"{100 * call.share:.0f} % of it inside, {seen}"
    if where != "live":
        words = {
            "red": "inside the red line",
            "home": "in the Home Zone",
            "pocket": "in the zone around a pocket beside the Home Zone",
        }
        zone = "red" if where == "red" else call.zone if call.zone != "red" else "home"
        reading.case.rule(zones[zone], f"{name} lay dead {words[zone]}.", NOTE, pieces=(name,))
        if contact.kind.endswith("by border"):
            reading.case.rule(
                "QS-9.6" if where == "red" else "QS-9.5",
                f"{name} was hit off the {BORDERS[_opposite(reading.state)]} border: legal.",
                NOTE,
                pieces=(name,),
            )
    if where != "live" or call.share > 0.0:
        reading.case.rule(
            "QS-9.4",
            f"{name} was {'live' if where == 'live' else 'dead'}: {share}.",
            NOTE,
            pieces=(name,),
            margin_mm=call.red_mm if where == "red" else call.margin_mm,
            error_mm=piece.error_mm,
        )
    if where == "live" and any(reading.dead(g.name) == "red" for g in _fallen_targets(reading)):
        reading.case.rule(
            "QS-9.6",
            f"What follows the hit on {name} is by its agency: legal.",
            NOTE,
            pieces=(name,),
        )


def _fallen_targets(reading: Reading) -> list[Gone]:
    colour = reading.state.terms.colours[1 - reading.state.side]
    return [g for g in reading.gone if g.kind == PUCK and g.colour == colour and g.pocket]


def _later_contacts(reading: Reading, first: Contact, faults: Faults) -> None:
    """Judge every contact with a target that was dead, the worst counting (any_cue_contact)."""
    worst: Contact | None = None
    live = False
    targets = set(reading.targets())
    for touch in reading.touches:
        if touch.name not in targets:
            continue
        contact = judge_contact(reading, touch)
        if contact.kind == "live":
            live = True
        elif live and contact.kind in ("red", "red side"):
            continue
        elif contact.price and (worst is None or contact.price > worst.price):
            worst = contact
    if worst is None or worst.price <= first.price or worst.touch.name == first.touch.name:
        return
    _explain_dead(reading, worst)
    _rule_contact(reading, worst, False, faults)


def missed(reading: Reading, miscue: bool, faults: Faults) -> None:
    """Rule on a stroke that crossed the line and touched no puck (QS-4.8)."""
    case, state = reading.case, reading.state
    terms = state.terms
    side, who = terms.sides[state.side], terms.who(state.shooter)
    target = terms.colours[1 - state.side]
    if state.tally.counts[1 - state.side].on == 0:
        case.rule("QS-X.16", f"{who} missed the Queen, the only puck to hit.", NOTE, side=side)
        if terms.options.queen_miss == "penalty" and case.rule(
            "QS-8a.3", "Missing the Queen costs a penalty puck.", PENALTY, side=side
        ):
            faults.letter("a", PENALTY_ZONE)
        return
    if reading.all_dead():
        case.rule(
            "QS-8n.1",
            f"Every {target} puck is dead: missing them is no foul.",
            NOTE,
            side=side,
        )
        return
    if miscue and terms.options.miscue_absorbs == "on":
        return
    if case.rule(
        "QS-4.8", f"The cue-puck crossed the line and hit no {target} puck.", FOUL, side=side
    ) and case.rule("QS-8a.3", f"{who} missed: one penalty puck.", PENALTY, side=side):
        faults.letter("a", PENALTY_ZONE)


def queen_touched(reading: Reading, faults: Faults) -> None:
    """With `queen_touch = any`, rule on a locked Queen that the cue-puck touched later."""
    state = reading.state
    if state.terms.options.queen_touch != "any" or state.tally.counts[1 - state.side].on == 0:
        return
    if faults.has("c"):
        return
    queens = [t.name for t in reading.touches if reading.kind(t.name) == QUEEN]
    if queens and reading.case.rule(
        "QS-8c",
        "The cue-puck touched the locked Queen.",
        PENALTY,
        side=state.terms.sides[state.side],
        pieces=(queens[0],),
    ):
        faults.letter("c", PENALTY_ZONE)


# -- step 4: what fell and what left ---------------------------------------------------------


def outcome(reading: Reading, faults: Faults) -> None:
    """Find the faults of step 4 in the drops and departures of the shot."""
    case, state = reading.case, reading.state
    terms = state.terms
    side, who = terms.sides[state.side], terms.who(state.shooter)
    for gone in reading.gone:
        if gone.kind == CUE:
            code = "QS-8a.1" if gone.pocket else "QS-8a.2"
            words = "went into a pocket" if gone.pocket else "left the table"
            if case.rule(
                code, f"{who}’s cue-puck {words}.", PENALTY, side=side, pieces=(gone.name,)
            ):
                faults.letter("a", PENALTY_ZONE)
    for gone in reading.gone:
        if gone.kind == PUCK and gone.pocket is None:
            _forced_off(reading, gone, faults)
        elif gone.kind == QUEEN and gone.pocket is None:
            if case.rule(
                "QS-X.6", "The Queen left the table.", PENALTY, side=side, pieces=(gone.name,)
            ):
                faults.letter("b", CENTRAL_ZONE)
        elif gone.kind == QUEEN:
            _queen_fell(reading, gone, faults)
    given = [letter for letter, _ in faults.penalties]
    causes = sum(r.kind is PENALTY and r.code.startswith("QS-8a.") for r in case.rulings)
    if len(given) > 1 or causes > 1:
        case.rule("QS-X.7", _added_up(terms.options.multi_penalty, len(given), causes), NOTE)


def _added_up(how: str, given: int, causes: int) -> str:
    if how == "worst_only":
        return "Several faults: one penalty puck in all."
    if given > 1:
        return f"{given} penalties in one shot: they add up."
    return f"{causes} causes under letter a: one penalty."


def _forced_off(reading: Reading, gone: Gone, faults: Faults) -> None:
    case, options = reading.case, reading.state.terms.options
    side = reading.state.terms.sides[reading.state.side]
    case.rule("QS-6.3", f"{gone.name} left the table: off the game.", NOTE, pieces=(gone.name,))
    if case.rule(
        "QS-8b",
        f"A {gone.colour} puck was forced off the table.",
        PENALTY,
        side=side,
        pieces=(gone.name,),
    ):
        faults.foul = True
        if options.off_puck != "is_the_penalty":
            faults.letter("b", CENTRAL_ZONE)


def _queen_fell(reading: Reading, gone: Gone, faults: Faults) -> None:
    case, state = reading.case, reading.state
    if not early_queen(reading, gone):
        return
    terms = state.terms
    side = terms.sides[state.side]
    if terms.options.early_queen == "loss_of_game":
        if case.rule(
            "QS-8d.2",
            f"The Queen fell too early: {terms.who(state.shooter)} loses the game, as agreed.",
            PENALTY,
            side=side,
            pieces=(gone.name,),
        ):
            faults.foul = True
            faults.lost_by = state.side
    elif case.rule(
        "QS-8d.1",
        f"The Queen fell while {terms.colours[1 - state.side]} pucks were on the table.",
        PENALTY,
        side=side,
        pieces=(gone.name,),
    ):
        faults.letter("d", CENTRAL_ZONE)


def early_queen(reading: Reading, queen: Gone) -> bool:
    """Return whether target pucks were still on the table when the Queen fell (step 4)."""
    state = reading.state
    target = 1 - state.side
    on = state.tally.counts[target].on
    colour = state.terms.colours[target]
    gone = [g for g in reading.gone if g.kind == PUCK and g.colour == colour]
    if on == 0:
        return False
    if len(gone) < on or state.terms.options.queen_same_shot == "never":
        return True
    return not reading.order_before(queen.name, gone, queen)


def ordered_faults(codes: Iterable[str], faults: Faults) -> None:
    """Treat as found the faults that the referee put in another ruling's place."""
    for code in codes:
        if code in ("QS-8a.1", "QS-8a.2", "QS-8a.3", "QS-8a.4"):
            faults.letter("a", PENALTY_ZONE)
        elif code in ("QS-8b", "QS-X.6"):
            faults.letter("b", CENTRAL_ZONE)
        elif code == "QS-8c":
            faults.letter("c", PENALTY_ZONE)
        elif code == "QS-8d.1":
            faults.letter("d", CENTRAL_ZONE)
        elif code == "QS-8e":
            faults.letter("e", PENALTY_ZONE)
        elif code in (
            "QS-4.1",
            "QS-4.4",
            "QS-4.5",
            "QS-4.6",
            "QS-4.7",
            "QS-8f",
            "QS-9.5",
            "QS-9.7",
            "QS-9.8",
            "QS-2.4",
        ):
            faults.foul = True
