"""What may be agreed before a match (sections 2 and 6 of the rulebook)."""

from collections.abc import Mapping

from rules.board import Board
from rules.game import Player, Setup
from rules.games.king_square.field import field_of
from rules.games.king_square.places import CLOCKWISE
from rules.games.king_square.state import State, Terms
from rules.options import agreed

CHOICES: Mapping[str, tuple[str, ...]] = {
    "three_players": ("refused", "solo"),
    "first_start": ("declared", "lot", "winner_of_last_match"),
    "multi_square": ("one", "each"),
    "call": ("referee", "player"),
    "void_start": ("next", "same", "loser_of_last"),
    "dead_board": ("told", "auto", "off"),
    "pair_start": ("clockwise", "choose"),
    "supply_end": ("void", "move"),
    "takeback": ("no", "until_next_peg"),
    "penalty": ("none", "lose_board", "lose_turn"),
    "table_talk": ("allowed", "forbidden"),
}
NUMBERS: Mapping[str, tuple[int, int]] = {
    "seats": (2, 4),
    "target": (1, 99),
    "min_side": (1, 25),
    "last_winner": (1, 4),
}
WRITTEN = ("size", "supply")


def start_state(setup: Setup) -> State:
    """The start of a match as agreed; ValueError names the option, what it may be and what came."""
    options = agreed(setup.options, "ks.", "King Square", CHOICES, WRITTEN, NUMBERS)
    seats = int(options.get("seats", len(setup.players) or 2))
    solo = options.get("three_players") == "solo" and seats == 3
    if seats not in (2, 4) and not solo:
        raise ValueError(f"expected 2 players, or 4 in two pairs, got {seats}")
    cols, rows = _size(options.get("size"), setup.board)
    field = field_of(cols, rows, int(options.get("min_side", "1")))
    sides = 3 if solo else 2
    terms = Terms(
        seats=seats,
        target=int(options.get("target", "5")),
        supply=_supply(options.get("supply"), sides, cols * rows),
        colours=_colours(setup, seats, sides),
        names=_names(setup, seats),
        solo=solo,
        first_start=options.get("first_start", "declared"),
        each=options.get("multi_square") == "each",
        claimed=options.get("call") == "player",
        void_start=options.get("void_start", "next"),
        dead_board=options.get("dead_board", "told"),
        choose=options.get("pair_start") == "choose",
        moving=options.get("supply_end") == "move",
        takeback=options.get("takeback") == "until_next_peg",
        penalty=options.get("penalty", "none"),
        table_talk=options.get("table_talk", "allowed") == "allowed",
    )
    first = int(options.get("last_winner", "1")) if terms.first_start.startswith("winner") else 1
    if first > seats:
        raise ValueError(f"expected last_winner from 1 to {seats}, got {first}")
    return State(
        field=field,
        terms=terms,
        pegs=(0,) * sides,
        score=(0,) * sides,
        turn=first,
        starter=first,
    )


def _size(option: str | None, board: Board) -> tuple[int, int]:
    if option is not None:
        cols, _, rows = option.partition("x")
        if not (cols.isascii() and cols.isdigit() and rows.isascii() and rows.isdigit()):
            raise ValueError(f"expected size as columns x rows, like 10x10, got {option!r}")
        return int(cols), int(rows)
    for lattice in board.lattices:
        if lattice.id == "holes":
            return lattice.cols, lattice.rows
    return 10, 10


def _supply(option: str | None, sides: int, holes: int) -> tuple[int, ...]:
    if option is None:
        return (-(-holes // sides),) * sides
    parts = option.split(".")
    if len(parts) not in (1, sides) or not all(p.isascii() and p.isdigit() for p in parts):
        raise ValueError(f"expected supply as pegs per side, like 50.50, got {option!r}")
    return tuple(map(int, parts * sides if len(parts) == 1 else parts))


def _colours(setup: Setup, seats: int, sides: int) -> tuple[str, ...]:
    given = tuple(p.colour for p in _in_order(setup, seats) if p.colour)
    if given:
        by_side = tuple(given[:sides])
        if len(set(by_side)) != sides or len(set(given)) != sides:
            raise ValueError(f"expected a colour of its own for each side, got {', '.join(given)}")
        if len(given) == 4 and (given[0] != given[2] or given[1] != given[3]):
            raise ValueError(f"expected partners opposite each other, got {', '.join(given)}")
        return by_side
    known = list(dict.fromkeys(p.colour for p in setup.board.pieces if p.kind == "peg"))
    return tuple(known[:sides]) if len(known) >= sides else ("red", "blue", "yellow")[:sides]


def _names(setup: Setup, seats: int) -> tuple[str, ...]:
    return tuple(p.name for p in _in_order(setup, seats))


def _in_order(setup: Setup, seats: int) -> list[Player]:
    if seats == 2:
        return list(setup.players)
    return sorted(setup.players, key=lambda player: CLOCKWISE.index(player.seat))
