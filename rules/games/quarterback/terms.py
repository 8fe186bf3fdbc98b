"""What was agreed for a match of Quarterback."""

from dataclasses import dataclass
from dataclasses import field as kept

from rules.games.quarterback.field import Field, field_of
from rules.geometry import Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What was agreed and stays for the whole match. Sides are the players R and B, 0 and 1."""

    cols: int = 11
    behind: int = 3
    set_up: str = ""
    colours: tuple[str, str] = ("red", "blue")
    names: tuple[str, str] = ("", "")
    seats: tuple[Seat, Seat] | None = None  # of the players; else the attacker sits at S
    values: tuple[int, ...] = ()  # of the columns
    four_from_row0: bool = False
    defender_moves: int = 2
    singles_exempt: bool = False
    empty_turn: bool = False
    midmove_receive: bool = True
    release_for_game: bool = False
    release_by_push: bool = False
    push_offside_barred: bool = False
    both_corners: bool = False
    own_blocks: bool = False
    orthogonal: bool = False
    push_optional: bool = False
    immovable_refused: bool = False
    one_push: bool = False
    double_pushes_qb: bool = True
    tackles_literal: bool = False
    triple_tackles_single: bool = False
    zone_end_only: bool = False
    tackle_on_catch: bool = False
    behind_line: str = "mixed"
    touchdown: int | None = None
    stall_limit: int = 10
    declared_end: bool = False
    concession: bool = True
    pass_intercepted: bool = False
    forward_passes: int | None = None
    push_pickup: bool = True
    toss_chooses: bool = False
    disc_always: bool = False
    null_move: bool = True
    takeback: bool = False
    lose_turn: bool = False

    field: Field = kept(init=False, repr=False, compare=False)
    near: tuple[tuple[int, ...], ...] = kept(init=False, repr=False, compare=False)
    """The squares adjacent to each, as far as Singles are concerned."""

    def __post_init__(self) -> None:
        found = field_of(self.cols, self.behind)
        object.__setattr__(self, "field", found)
        object.__setattr__(self, "near", found.beside if self.orthogonal else found.around)

    def points_at(self, square: int) -> tuple[int, str]:
        """What a tackle on a square gives, and by which clause (QB-2.5, QB-2.7)."""
        row, value = self.field.row(square), self.values[square % self.cols]
        if row >= 1:
            return row + value, "QB-2.5"
        if self.behind_line == "zero" or (row < 0 and self.behind_line != "column"):
            return 0, "QB-2.7"
        return value, "QB-2.7"
