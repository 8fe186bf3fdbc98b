"""A player's claim of a King-Square on four holes (KS-3.1, 3.3, 3.4, 3.6)."""

from typing import TYPE_CHECKING

from rules.facts import Declared
from rules.games.king_square import state as s
from rules.games.king_square.field import Square, place_of

if TYPE_CHECKING:
    from rules.games.king_square.bench import Bench


def judge_claim(bench: "Bench", fact: Declared) -> None:
    """Rule on a claim: `side` claims the holes of `value`, "d4,e4,d5,e5"."""
    state, side = bench.state, s.SIDES.find(fact.side or "?")
    names = [name.strip() for name in fact.value.split(",")]
    try:
        holes = [state.field.hole(name) for name in names]
    except ValueError:
        holes = []
    found = [hole for hole in holes if hole is not None]
    if (
        len(names) != 4
        or len(found) != 4
        or len(set(found)) != 4
        or not 0 <= side < state.terms.sides
    ):
        bench.say("REFUSED corners", "KS-3.1", holes=fact.value)
        return
    mask = sum(1 << hole for hole in found)
    called = any(square.mask == mask for square in state.kings)
    standing = [p & mask == mask for p in state.pegs]
    if called and any(standing):
        bench.say("INFO already-called", "KS-3.6")
    elif not standing[side]:
        wrong = next(h for h in found if not state.pegs[side] >> h & 1)
        what = "empty" if state.owner(wrong) is None else "of the other colour"
        bench.say("REFUSED corners", "KS-3.1", hole=state.field.name(wrong), what=what)
    else:
        _judge_figure(bench, mask, names)


def _judge_figure(bench: "Bench", mask: int, names: list[str]) -> None:
    state = bench.state
    square = next((q for q in state.field.squares if q.mask == mask), None)
    if square is not None:
        _judge_square(bench, square)
        return
    places = sorted(place_of(name) for name in names)
    cols, rows = sorted({c for c, _ in places}), sorted({r for _, r in places})
    if len(cols) == len(rows) == 2:
        width, height = cols[1] - cols[0], rows[1] - rows[0]
        if width == height:
            bench.say("REFUSED no-square", "KS-3.4", small=str(width))
        else:
            bench.say("REFUSED rectangle", "KS-3.4", p=str(width), q=str(height))
    elif _is_tilted_square(places):
        bench.say("REFUSED tilted", "KS-3.3")
    else:
        bench.say("REFUSED no-square", "KS-3.4")


def _judge_square(bench: "Bench", square: Square) -> None:
    made = bench.state.made
    if made is not None and square in made.squares:
        bench.king(made.seat, made.squares)
    elif bench.state.terms.claimed:
        bench.say("REFUSED lapsed", "KS-3.6")
    else:
        bench.say("INFO already-called", "KS-3.6")


def _is_tilted_square(places: list[tuple[int, int]]) -> bool:
    """Four points form a square when their six distances are four equal sides and two diagonals."""
    spans = sorted(
        (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2
        for i, a in enumerate(places)
        for b in places[i + 1 :]
    )
    return spans[0] == spans[3] and spans[4] == spans[5] == 2 * spans[0]
