"""What somebody did on the board, as it is judged."""

from msgspec import Struct

from rules.games.quarterback.state import Displaced


class Move(Struct, frozen=True, kw_only=True):
    """A move to be judged: its squares, or (not `seen`) only where it began and ended."""

    letter: str
    squares: tuple[int, ...]
    seen: bool = True
    displaced: tuple[Displaced, ...] = ()
    picked: bool = False

    @property
    def start(self) -> int:
        return self.squares[0]
