"""Facts and rulings of Squarin' Off in the rulebook's readable form, and back."""

from rules.facts import Batch, Declared, Emptied, Fact, Filled, Loose, Restored
from rules.games.squarin_off.grid import groove_name, groove_named, square_name, square_named
from rules.games.squarin_off.places import (
    groove_at,
    letter_of,
    place_of_groove,
    place_of_square,
    real_colour,
    seat_number,
    seats_of,
    thing_of,
)
from rules.games.squarin_off.state import LETTERS, Terms
from rules.geometry import Seat
from rules.rulings import Ruling


def read_fact(text: str, terms: Terms, at_ms: float = 0.0) -> Fact:
    """The fact of a transcript line such as `stick e5n by 2`; ValueError where it is none."""
    word, _, rest = text.strip().partition(" ")
    if word == "batch:":
        parts = rest.split(";")
        return Batch(at_ms=at_ms, facts=tuple(read_fact(part, terms, at_ms) for part in parts))
    rest, seat = _by(rest.strip(), terms)
    match word:
        case "stick":
            place = place_of_groove(groove_named(rest))
            return Filled(at_ms=at_ms, place=place, kind="stick", colour="", by=seat)
        case "blocker":
            place = place_of_square(square_named(rest))
            return Filled(at_ms=at_ms, place=place, kind="blocker", colour="", by=seat)
        case "chip":
            letter, _, name = rest.partition(" ")
            if letter not in LETTERS or not letter:
                raise ValueError(f"expected `chip <colour> <square>`, got {text!r}")
            place, colour = place_of_square(square_named(name)), real_colour(terms, letter)
            return Filled(at_ms=at_ms, place=place, kind="chip", colour=colour, by=seat)
        case "unstick":
            place = place_of_groove(groove_named(rest))
            return Emptied(at_ms=at_ms, place=place, kind="stick", colour="", by=seat)
        case "unchip" | "unblock":
            kind = "chip" if word == "unchip" else "blocker"
            place = place_of_square(square_named(rest))
            return Emptied(at_ms=at_ms, place=place, kind=kind, colour="", by=seat)
        case "loose":
            return Loose(at_ms=at_ms, place=place_of_groove(groove_named(rest)), kind="stick")
        case "restored":
            return Restored(at_ms=at_ms)
        case "setup" | "draw" | "tally" | "pass":
            return Declared(at_ms=at_ms, what=word, value=rest)
        case _:
            raise ValueError(f"expected a fact of Squarin' Off, got {text!r}")


def _by(rest: str, terms: Terms) -> tuple[str, Seat | None]:
    place, by, number = rest.rpartition(" by ")
    if not by:
        return rest, None
    seats = seats_of(terms)
    if number not in map(str, range(1, len(seats) + 1)):
        raise ValueError(f"expected a seat from 1 to {len(seats)}, got {number!r}")
    return place, seats[int(number) - 1]


def write_fact(fact: Fact, terms: Terms) -> str | None:
    """The line that `read_fact` reads; None for a fact that Squarin' Off does not know."""
    match fact:
        case Filled(colour=colour, by=by):
            return _written_placement(fact, terms, colour, seat_number(terms, by))
        case Emptied(by=by):
            thing = thing_of(fact)
            if thing is None:
                return None
            kind, at = thing
            verb = {"stick": "unstick", "chip": "unchip", "blocker": "unblock"}[kind]
            seat = seat_number(terms, by)
            name = groove_name(at) if kind == "stick" else square_name(at)
            return f"{verb} {name}" + (f" by {seat}" if seat else "")
        case Loose(place=place):
            groove = groove_at(place)
            return None if groove is None else f"loose {groove_name(groove)}"
        case Restored():
            return "restored"
        case Batch(facts=facts):
            lines = [write_fact(part, terms) for part in facts]
            return "batch: " + "; ".join(line for line in lines if line)
        case Declared(what="setup" | "draw" | "tally" | "pass" as what, value=value):
            return f"{what} {value}".strip()
        case _:
            return None


def _written_placement(fact: Filled, terms: Terms, colour: str, seat: int | None) -> str | None:
    thing = thing_of(fact)
    if thing is None:
        return None
    kind, at = thing
    by = f" by {seat}" if seat else ""
    if kind == "stick":
        return f"stick {groove_name(at)}{by}"
    if kind == "blocker":
        return f"blocker {square_name(at)}{by}"
    letter = letter_of(terms, colour)
    return None if letter is None else f"chip {letter} {square_name(at)}{by}"


def write_rulings(rulings: tuple[Ruling, ...]) -> str:
    """`OK @SO-3.1 | TURN 2 @SO-3.7`."""
    return " | ".join(f"{ruling.call} @{ruling.code}" for ruling in rulings)
