"""Step 3 of the decision table: the first contact, and dead pucks."""

from msgspec import Struct

from rules.departures import Gone
from rules.games.qsquare.faults import Faults
from rules.games.qsquare.reading import CUE, PUCK, QUEEN, Reading, Touch
from rules.games.qsquare.state import PENALTY_ZONE, State
from rules.games.qsquare.words import pucks
from rules.geometry import PARTNER, Seat
from rules.phrases import BORDERS
from rules.rulings import RulingKind
from rules.said import listed, say

_LAY_DEAD = {"red": "QS-9.1", "home": "QS-9.2", "pocket": "QS-9.3"}
FOUL, PENALTY, NOTE = RulingKind.FOUL, RulingKind.PENALTY, RulingKind.NOTE


class Contact(Struct, frozen=True):
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
            say(
                "The cue-puck hit {pucks} at once: judged for {who}."
                if pick is min
                else "The cue-puck hit {pucks} at once: judged against {who}.",
                pucks=listed(t.name for t in first),
                who=state.terms.who(state.shooter),
            ),
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
                    "QS-X.16", say("The Queen is the puck to hit: no other may be hit first."), NOTE
                )
            if miscue and options.miscue_absorbs == "on":
                return
            if case.rule(
                "QS-8a.4",
                say(
                    "The cue-puck hit {own} first: {who} loses the turn and owes a {target} puck."
                    if state.tally.counts[1 - state.side].down == 0
                    else "The cue-puck hit {own} first: {who} gives back a {target} puck.",
                    own=own,
                    who=who,
                    target=target,
                ),
                PENALTY,
                side=side,
                pieces=pieces,
            ):
                faults.letter("a", PENALTY_ZONE)
        case "own excused":
            case.rule(
                "QS-8n.2",
                say(
                    "Every {target} puck is dead and the cue-puck came off a border: hitting "
                    "{own} first is no foul.",
                    target=target,
                    own=own,
                ),
                NOTE,
                side=side,
                pieces=pieces,
            )
        case "queen":
            left = state.tally.counts[1 - state.side].on
            case.rule(
                "QS-7.2",
                say(
                    "The Queen is locked while {target} pucks are left ({left}).",
                    target=target,
                    left=left,
                ),
                NOTE,
            )
            if case.rule(
                "QS-8c",
                say(
                    "The cue-puck hit the Queen first with {pucks} still on the table.",
                    pucks=pucks(left, target),
                ),
                PENALTY,
                side=side,
                pieces=pieces,
            ):
                faults.letter("c", PENALTY_ZONE)
        case "queen dead":
            if case.rule(
                "QS-9.1",
                say(
                    "The Queen lay dead inside the red line and was hit without the opposite "
                    "border."
                ),
                FOUL,
                side=side,
                pieces=pieces,
            ):
                faults.foul |= case.rule(
                    "QS-8f", say("Foul without a penalty puck."), FOUL, side=side
                )
        case "home":
            _home_dead(reading, contact.touch, faults)
        case "red":
            _red_direct(reading, contact.touch, faults)
        case "red side":
            if case.rule(
                "QS-9.8",
                say(
                    "{name} lay dead inside the red line and was hit off another border than the "
                    "{border} one.",
                    name=name,
                    border=BORDERS[_opposite(state)],
                ),
                FOUL,
                side=side,
                pieces=pieces,
            ):
                faults.foul |= case.rule(
                    "QS-8f", say("Foul without a penalty puck."), FOUL, side=side
                )


def _opposite(state: State) -> Seat:
    return PARTNER[state.shooter]


def _home_dead(reading: Reading, touch: Touch, faults: Faults) -> None:
    case, state = reading.case, reading.state
    side = state.terms.sides[state.side]
    if not case.rule(
        "QS-9.5",
        say(
            "{touch} lay dead in {who}’s Home Zone or beside it and was hit without the "
            "{border} border first.",
            touch=touch.name,
            who=state.terms.who(state.shooter),
            border=BORDERS[_opposite(state)],
        ),
        FOUL,
        side=side,
        pieces=(touch.name,),
    ):
        return
    if state.terms.options.home_dead_direct == "penalty":
        faults.letter("h", PENALTY_ZONE)
    else:
        case.rule("QS-8f", say("Foul without a penalty puck."), FOUL, side=side)
    faults.foul = True


def _red_direct(reading: Reading, touch: Touch, faults: Faults) -> None:
    case, state = reading.case, reading.state
    side = state.terms.sides[state.side]
    if case.rule(
        "QS-9.7",
        say("{touch} lay dead inside the red line and was hit directly.", touch=touch.name),
        FOUL,
        side=side,
        pieces=(touch.name,),
    ) and case.rule(
        "QS-8e",
        say("{touch} goes back to the Central Zone, and a penalty puck is due.", touch=touch.name),
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
    if where != "live":
        zone = "red" if where == "red" else call.zone if call.zone != "red" else "home"
        reading.case.rule(_LAY_DEAD[zone], _lay_dead(zone, name), NOTE, pieces=(name,))
        if contact.kind.endswith("by border"):
            reading.case.rule(
                "QS-9.6" if where == "red" else "QS-9.5",
                say(
                    "{name} was hit off the {border} border: legal.",
                    name=name,
                    border=BORDERS[_opposite(reading.state)],
                ),
                NOTE,
                pieces=(name,),
            )
    if where != "live" or call.share > 0.0:
        seen = say("a line shows in its hole" if call.line_visible else "no line shows in its hole")
        share = say("{share:.0f} % of it inside, {seen}", share=100 * call.share, seen=seen)
        reading.case.rule(
            "QS-9.4",
            say(
                "{name} was live: {share}." if where == "live" else "{name} was dead: {share}.",
                name=name,
                share=share,
            ),
            NOTE,
            pieces=(name,),
            margin_mm=call.red_mm if where == "red" else call.margin_mm,
            error_mm=piece.error_mm,
        )
    if where == "live" and any(reading.dead(g.name) == "red" for g in _fallen_targets(reading)):
        reading.case.rule(
            "QS-9.6",
            say("What follows the hit on {name} is by its agency: legal.", name=name),
            NOTE,
            pieces=(name,),
        )


def _lay_dead(zone: str, name: str) -> str:
    match zone:
        case "red":
            return say("{name} lay dead inside the red line.", name=name)
        case "home":
            return say("{name} lay dead in the Home Zone.", name=name)
    return say("{name} lay dead in the zone around a pocket beside the Home Zone.", name=name)


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
        case.rule(
            "QS-X.16",
            say("{who} missed the Queen, the only puck to hit.", who=who),
            NOTE,
            side=side,
        )
        absorbed = miscue and terms.options.miscue_absorbs == "on"
        costs = terms.options.queen_miss == "penalty" and not absorbed
        if costs and case.rule(
            "QS-8a.3", say("Missing the Queen costs a penalty puck."), PENALTY, side=side
        ):
            faults.letter("a", PENALTY_ZONE)
        return
    if reading.all_dead():
        case.rule(
            "QS-8n.1",
            say("Every {target} puck is dead: missing them is no foul.", target=target),
            NOTE,
            side=side,
        )
        return
    if miscue and terms.options.miscue_absorbs == "on":
        return
    if case.rule(
        "QS-4.8",
        say("The cue-puck crossed the line and hit no {target} puck.", target=target),
        FOUL,
        side=side,
    ) and case.rule("QS-8a.3", say("{who} missed: one penalty puck.", who=who), PENALTY, side=side):
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
        say("The cue-puck touched the locked Queen."),
        PENALTY,
        side=state.terms.sides[state.side],
        pieces=(queens[0],),
    ):
        faults.letter("c", PENALTY_ZONE)
