"""The matches that were played, as the review room knows them (`sightline.review.library`)."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from rules.board import Board
from rules.decisions import Decision
from web.desk import Ruled, Undoable
from web.study import Moment, Overlay, Preview


class NotThere(LookupError):
    """There is no such match, or it cannot be read; the words say why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchLine:
    """One match in the list. `started` is ISO 8601."""

    name: str
    game: str
    started: str
    entries: int
    minutes: int
    running: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """A decision in force, in words."""

    seq: int
    at_ms: float
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ThenAndNow:
    """An entry of which something else was ruled at the time than the rules say now."""

    seq: int
    at_ms: float
    then: tuple[str, ...]
    now: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelf:
    """All that the review room shows of one match.

    `seq` is that of its last entry, `to_review` names decisions that no longer fit. `boards` are
    the settled boards (entry, time), `stills_ms` the match times of recorded frames, `still_px` the
    width and height of the first of them.
    """

    name: str
    title: str
    started: str
    outcome: str
    board: Board
    running: bool
    rulings: tuple[Ruled, ...]
    decisions: tuple[Decided, ...]
    changed: tuple[ThenAndNow, ...]
    boards: tuple[tuple[int, float], ...]
    stills_ms: tuple[float, ...]
    seq: int = 0
    still_px: tuple[int, int] | None = None
    undoable: tuple[Undoable, ...] = ()
    to_review: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DifferenceLine:
    """What was so then only ("-"), is so now only ("+") or is otherwise now ("~")."""

    sign: str
    at_ms: float
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LookAgain:
    """A second look at a recording. `state`: "running", "done" or "failed" (`words` say why)."""

    match: str
    seq: int
    table: str
    state: str
    words: str = ""
    done: int = 0
    of: int = 0
    frames: int = 0
    facts: tuple[DifferenceLine, ...] = ()
    rulings: tuple[DifferenceLine, ...] = ()


class Library(Protocol):
    """What the review room may look at. All methods may be called from any thread."""

    def matches(self) -> Sequence[MatchLine]: ...

    def shelf(self, match: str) -> Shelf:
        """Raises NotThere."""
        ...

    def picture(self, match: str, name: str) -> bytes | None:
        """A ruling's picture as JPEG, by a name that the log holds."""
        ...

    def still(self, match: str, number: int) -> bytes | None:
        """Exactly the recorded frame of that number, as JPEG; None where it is not kept."""
        ...

    def overlay(self, match: str, seq: int) -> Overlay | None:
        """What the settled board of entry `seq` looked like through the camera."""
        ...

    def measure(
        self, match: str, start: tuple[float, float], end: tuple[float, float], z_mm: float
    ) -> float | None:
        """Millimetres between two places of the picture (fractions), on the plane `z_mm`."""
        ...

    def moment(self, match: str, seq: int) -> Moment:
        """What was seen around entry `seq`. Raises NotThere."""
        ...

    def preview(self, match: str, decision: Decision) -> Preview:
        """What `decision` would change. Raises NotThere, ValueError where it makes no sense."""
        ...

    def decide(self, match: str, decision: Decision, *, seen: int, key: str) -> int:
        """Append a decision to a match that has ended, made on its log up to entry `seen`; its seq.

        The same `key` twice is one tap. Raises NotThere; Stale where the log has grown since or
        what it decides on no longer stands; ValueError where it makes no sense.
        """
        ...

    def tables(self, match: str) -> Sequence[str]:
        """The table folders to look again with, the match's own first. Raises NotThere."""
        ...

    def look_again(self, match: str, seq: int, table: str) -> None:
        """Begin a second look at what led to entry `seq`, with one of `tables`.

        Raises NotThere, ValueError where it cannot be begun now.
        """
        ...

    def second_look(self) -> LookAgain | None:
        """The second look that runs or was the last one."""
        ...

    def protest(self, match: str, folder: Path, language: str) -> Path:
        """Write the match's protest file into `folder`, its page in `language`, and return it.

        Raises NotThere, OSError.
        """
        ...
