"""Quarterback's reachable squares by brute force, written from the rulebook alone.

Nothing here knows the engine: squares are (column, row) from 1 and -3, pieces a dict of letters,
and every sequence of steps is tried. Default rules only (docs/games/quarterback.md, 3 and 4).
"""

from dataclasses import dataclass
from itertools import product

COLUMNS = range(1, 12)
ROWS = range(-3, 13)
POWER = {"S": 3, "D": 2, "T": 1, "Q": 1}

Square = tuple[int, int]


@dataclass
class Table:
    """A position: what stands where, where the ball is and whether it is loose."""

    pieces: dict[Square, str]
    ball: Square
    loose: bool
    released: bool

    def copy(self) -> "Table":
        return Table(dict(self.pieces), self.ball, self.loose, self.released)


def power(letter: str) -> int:
    return POWER[letter.upper()]


def enemies(a: str, b: str) -> bool:
    return a.isupper() is not b.isupper()


def on_board(square: Square) -> bool:
    return square[0] in COLUMNS and square[1] in ROWS


def neighbours(square: Square) -> list[Square]:
    around = product((-1, 0, 1), repeat=2)
    return [
        (square[0] + x, square[1] + y)
        for x, y in around
        if (x or y) and on_board((square[0] + x, square[1] + y))
    ]


def beside_enemy_single(table: Table, letter: str, square: Square) -> bool:
    return any(
        table.pieces.get(near, "").upper() == "S" and enemies(table.pieces[near], letter)
        for near in neighbours(square)
    )


def may_push_to(table: Table, pushed: str, target: Square) -> bool:
    """QB-6.4 and 6.5: room, and for a Triple or quarterback no Single of the pushers nearby."""
    if not on_board(target) or target in table.pieces:
        return False
    return pushed.upper() not in "TQ" or not beside_enemy_single(table, pushed, target)


def may_tackle(tackler: str, carrier: str) -> bool:
    return not (tackler == "t" and carrier == "S")


def one_step(table: Table, start: Square, target: Square) -> tuple[Table, bool] | None:
    """The position after a step, and whether the half is over; None where it is not legal."""
    letter = table.pieces[start]
    kind = letter.upper()
    x, y = target[0] - start[0], target[1] - start[1]
    if not on_board(target) or max(abs(x), abs(y)) != 1:
        return None
    if letter == "t" and target[1] < 1:
        return None
    if letter in "ds" and not table.released and target[1] > 1:
        return None
    if x and y:
        for corner in ((target[0], start[1]), (start[0], target[1])):
            there = table.pieces.get(corner)
            if there and enemies(there, letter) and power(there) >= power(letter):
                return None
    after = table.copy()
    there = table.pieces.get(target)
    carries = not table.loose and table.ball == start
    if there is not None:
        if not enemies(there, letter):
            return None
        if not table.loose and table.ball == target:
            if not may_tackle(letter, there):
                return None
            if kind == "T" and beside_enemy_single(table, letter, target):
                return None
            return after, True
        if (
            carries
            or power(there) >= power(letter)
            or (kind, there.upper())
            in (
                ("S", "T"),
                ("S", "Q"),
            )
        ):
            return None
        landing = (target[0] + x, target[1] + y)
        cleared = table.copy()
        del cleared.pieces[start]
        if not may_push_to(cleared, there, landing):
            return None
        after.pieces[landing] = there
        if after.loose and after.ball == landing:
            if there.islower():
                return after, True
            after.loose = False
    elif kind in "TQ" and beside_enemy_single(table, letter, target):
        return None
    del after.pieces[start]
    after.pieces[target] = letter
    if carries:
        after.ball = target
    if letter in "DQ" and target[1] >= 1:
        after.released = True
    if after.loose and after.ball == target:
        if letter.islower():
            return after, True
        after.loose = False
    if kind == "S":
        carrier = None if after.loose else after.pieces[after.ball]
        if letter == "s" and carrier in ("T", "Q") and after.ball in neighbours(target):
            return after, True
        if after.loose or after.ball != target:
            for near in neighbours(target):
                other = after.pieces.get(near)
                if other is None or other.upper() not in "TQ" or not enemies(other, letter):
                    continue
                landing = (2 * near[0] - target[0], 2 * near[1] - target[1])
                if may_push_to(after, other, landing):
                    del after.pieces[near]
                    after.pieces[landing] = other
                    if after.loose and after.ball == landing:
                        if other.islower():
                            return after, True
                        after.loose = False
    return after, False


def steps_of(letter: str, start: Square) -> int:
    return {"S": 1, "D": 2, "T": 3}.get(letter.upper(), 4 if start[1] >= 1 else 3)


def reachable(table: Table, start: Square, steps: int) -> set[Square]:
    """Every square on which a move of up to `steps` steps can end."""
    ends: set[Square] = set()
    for target in neighbours(start) if steps else ():
        made = one_step(table, start, target)
        if made is None:
            continue
        ends.add(target)
        after, over = made
        if not over:
            ends |= reachable(after, target, steps - 1)
    return ends


def passes(table: Table) -> set[Square]:
    """Every square to which the carrier may pass (section 4.8)."""
    if table.loose:
        return set()
    column, row = table.ball
    found = set()
    for x, y in product((-1, 0, 1), repeat=2):
        for n in range(1, 17):
            target = (column + n * x, row + n * y)
            if not (x or y) or not on_board(target):
                break
            there = table.pieces.get(target)
            forward = target[1] > row
            may_forward = table.pieces[table.ball] == "Q" and row <= 0
            if (there is None or there.isupper()) and (may_forward or not forward):
                found.add(target)
            if there is not None:
                break
    return found
