"""Facts and rulings of King Square in the rulebook's readable form, and back."""

from rules.calls import Moves
from rules.facts import Batch, Cleared, Declared, Emptied, Fact, Filled, Restored
from rules.games.king_square.places import hole_name, place_named, seat_number, seats_of, side_named
from rules.games.king_square.state import SIDES, Terms
from rules.rulings import Ruling


def read_fact(text: str, terms: Terms, at_ms: float = 0.0) -> Fact:
    """The fact of a transcript line such as `peg A d4 by 1`; ValueError where it is none."""
    word, _, rest = text.strip().partition(" ")
    rest = rest.strip()
    match word:
        case "peg":
            return _read_peg(rest, terms, at_ms)
        case "unpeg":
            return Emptied(at_ms=at_ms, place=place_named(rest), kind="peg", colour="")
        case "clear":
            return Cleared(at_ms=at_ms)
        case "restored":
            return Restored(at_ms=at_ms)
        case "batch:":
            facts = tuple(read_fact(part, terms, at_ms) for part in rest.split(";"))
            return Batch(at_ms=at_ms, facts=facts)
        case "claim":
            side, _, holes = rest.partition(" ")
            return Declared(at_ms=at_ms, what="claim", side=side, value=holes)
        case "setup" | "begin" | "record" | "agree" | "pass":
            return Declared(at_ms=at_ms, what=word, value=rest)
        case _:
            raise ValueError(f"expected a fact of King Square, got {text!r}")


def _read_peg(rest: str, terms: Terms, at_ms: float) -> Filled:
    parts = rest.split()
    if len(parts) not in (2, 4) or parts[0] not in SIDES or (len(parts) == 4 and parts[2] != "by"):
        raise ValueError(f"expected `peg <side> <hole> [by <seat>]`, got {rest!r}")
    seat = None
    if len(parts) == 4:
        seats = seats_of(terms)
        if parts[3] not in map(str, range(1, len(seats) + 1)):
            raise ValueError(f"expected a seat from 1 to {len(seats)}, got {parts[3]!r}")
        seat = seats[int(parts[3]) - 1]
    colour = terms.colours[SIDES.index(parts[0])]
    return Filled(at_ms=at_ms, place=place_named(parts[1]), kind="peg", colour=colour, by=seat)


def write_fact(fact: Fact, terms: Terms) -> str | None:
    """The line that `read_fact` reads; None for a fact that King Square does not know."""
    match fact:
        case Filled(place=place, colour=colour, by=by):
            side, name, seat = (
                side_named(terms, colour),
                hole_name(place),
                seat_number(terms, by),
            )
            if side is None or name is None:
                return None
            return f"peg {SIDES[side]} {name}" + (f" by {seat}" if seat else "")
        case Emptied(place=place):
            name = hole_name(place)
            return None if name is None else f"unpeg {name}"
        case Cleared():
            return "clear"
        case Restored():
            return "restored"
        case Batch(facts=facts):
            lines = [write_fact(part, terms) for part in facts]
            return "batch: " + "; ".join(line for line in lines if line)
        case Declared(what="claim", side=side, value=value):
            return f"claim {side} {value}"
        case Declared(what="setup" | "begin" | "record" | "agree" | "pass" as what, value=value):
            return f"{what} {value}".strip()
        case _:
            return None


def write_rulings(rulings: tuple[Ruling, ...]) -> str:
    """`OK @KS-2.2 | TURN 2 @KS-2.1`."""
    return " | ".join(f"{ruling.call} @{ruling.code}" for ruling in rulings)


def write_record(record: Moves | None) -> str:
    """The match's moves (section 1.2): `1:e5=d4:1 / 2:c3`."""
    return " ".join(record.in_order()) if record else ""
