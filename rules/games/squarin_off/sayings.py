"""What people declare: set-up, draw, totals, a pass (SO-1, SO-2, SO-3.8, SO-5.7)."""

from typing import TYPE_CHECKING

from msgspec.structs import replace

from rules.facts import Declared
from rules.games.squarin_off import effects as e
from rules.games.squarin_off import state as s
from rules.games.squarin_off.grid import values_of
from rules.games.squarin_off.state import LETTERS, Terms

if TYPE_CHECKING:
    from rules.games.squarin_off.bench import Bench

ISSUED = {2: 6, 3: 4, 4: 3}


def judge_saying(bench: "Bench", fact: Declared) -> None:
    match fact.what:
        case "setup":
            _setup(bench, fact.value)
        case "draw":
            _draw(bench, fact.value.strip())
        case "tally":
            _tally(bench, fact.value)
        case "pass":
            bench.say("REFUSED no-pass", "SO-3.8")
        case _:
            pass


def _setup(bench: "Bench", value: str) -> None:
    if bench.state.begun:
        bench.say("REFUSED started", "SO-2.4")
        return
    said = dict(part.split("=", 1) for part in value.split() if "=" in part)
    terms = replace(
        bench.state.terms,
        seats=said.get("seats", ""),
        teams=said.get("teams", "no") == "yes",
        layout=said.get("layout", bench.state.terms.layout),
    )
    allotment = said.get("allot", "").split(".")
    refused = _refusal(terms, allotment)
    if refused is not None:
        bench.say(*refused)
        return
    terms = replace(terms, allotment=tuple(map(int, allotment)))
    bench.say("OK", "SO-1.10", e.Agree(terms), setup=value)


def _refusal(terms: Terms, allotment: list[str]) -> tuple[str, str] | None:
    """The first test that a set-up fails, in the order SO-1.7, 1.9, 1.8, 1.2, 1.10."""
    count = len(terms.seats)
    if count not in ISSUED:
        return "REJECT players", "SO-1.7"
    if terms.teams and count != 4:
        return "REJECT teams", "SO-1.9"
    shared = [
        (a, b)
        for a in range(1, count + 1)
        for b in range(a + 1, count + 1)
        if terms.seats[a - 1] == terms.seats[b - 1]
    ]
    if terms.teams and any(terms.partner(a) != b for a, b in shared):
        return "REJECT team-seating", "SO-1.9"
    if (shared and not terms.teams) or not set(terms.seats) <= set(LETTERS):
        return "REJECT colours", "SO-1.8"
    try:
        values_of(terms.layout)
    except ValueError:
        return "REJECT layout", "SO-1.2"
    numbers = [int(n) for n in allotment if n.isascii() and n.isdigit()]
    fixed = terms.blockers_fixed
    if (
        len(numbers) != count
        or len(allotment) != count
        or any(not 2 <= n <= ISSUED[count] for n in numbers)
        or (fixed is not None and any(n != fixed for n in numbers))
    ):
        return "REJECT allotment", "SO-1.10"
    return None


def _draw(bench: "Bench", value: str) -> None:
    state = bench.state
    count = len(state.terms.seats)
    seat = int(value) if value.isascii() and value.isdigit() else 0
    if state.begun:
        bench.say("REFUSED started", "SO-2.4")
    elif not 1 <= seat <= count:
        bench.say("REFUSED no-such-seat", "SO-2.1" if count == 2 else "SO-2.2")
    else:
        seats = _with_black_for(state.terms.seats, seat) if state.terms.draw_sets_colour else None
        code = "SO-2.1" if count == 2 else "SO-2.2"
        bench.say(f"START {seat}", code, e.Begin(seat, seats), seat=str(seat))


def _with_black_for(seats: str, seat: int) -> str:
    """The colours by seat once a seat plays black; partners that share a colour still do."""
    drawn = seats[seat - 1]
    if len(set(seats)) < len(seats):
        return seats.translate(str.maketrans("K" + drawn, drawn + "K"))
    others = iter(colour for colour in seats if colour != "K")
    return "".join("K" if n == seat else next(others) for n in range(1, len(seats) + 1))


def _tally(bench: "Bench", value: str) -> None:
    said = dict(part.split("=", 1) for part in value.split() if "=" in part)
    right = {name: str(total) for name, total, _ in s.side_totals(bench.state)}
    wrong = [name + total for name, total in right.items() if said.get(name, total) != total]
    unknown = [name for name in said if name not in right]
    if wrong or unknown:
        shown = " ".join(wrong or [name + total for name, total in right.items()])
        bench.say(f"TALLY wrong {shown}", "SO-5.7", right=shown)
    else:
        bench.say("TALLY ok", "SO-5.7")
