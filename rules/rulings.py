"""What the rulebook says of a fact: values, never exceptions."""

from dataclasses import dataclass
from enum import StrEnum

from msgspec import Struct

from rules.geometry import Point, Seat


class Standing(StrEnum):
    """How a ruling stands."""

    FIRM = "firm"
    OPEN = "open"  # too close to call, or unknown: the referee is asked
    OVERRULED = "overruled"


class RulingKind(StrEnum):
    """What a ruling is about, for its colour on the page and its weight in a review."""

    NOTE = "note"
    TURN = "turn"
    POCKET = "pocket"
    FOUL = "foul"
    PENALTY = "penalty"
    PLACE = "place"
    WIN = "win"
    REFUSED = "refused"
    QUESTION = "question"


class RulingId(Struct, frozen=True, order=True):
    """Which ruling: the log entry it rests on, its clause, the how-manieth of that clause there."""

    seq: int
    code: str
    nth: int = 0

    def __str__(self) -> str:
        return f"{self.seq}/{self.code}/{self.nth}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One answer to an open question, and what would follow from it, in words."""

    key: str
    words: str
    consequence: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What the referee is asked, because the measurement cannot tell and the outcomes differ."""

    key: str
    words: str
    answers: tuple[Answer, ...]
    piece: str | None = None
    line: str | None = None
    at: Point | None = None


class Ruling(Struct, frozen=True, kw_only=True):
    """One clause applied. `code` is the rulebook's own id and never changes its meaning.

    `side` is whom it concerns; `words` say it to a player; `margin_mm` (or `margin_ms`) is how
    clear the call was and `error_mm` (one standard deviation) how well it was measured, where it
    was a matter of measurement. `pieces` names what it is about; `call` is the ruling as the
    rulebook's transcripts write it ("KING A d4:1"), where its game has such; a `private` one is
    for the log and not told while the game runs; `effect` is the game's own value that `advance`
    applies.
    """

    code: str
    words: str
    kind: RulingKind = RulingKind.NOTE
    side: str | None = None
    standing: Standing = Standing.FIRM
    pieces: tuple[str, ...] = ()
    margin_mm: float | None = None
    error_mm: float | None = None
    margin_ms: float | None = None
    error_ms: float | None = None
    question: Question | None = None
    effect: object = None
    call: str = ""
    private: bool = False
    cites: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a match ended."""

    winner: str | None
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What must be done next on the table, by hand: "put a blue puck here".

    `at` or, on a lattice, `place` says where; `away` that the piece is to be taken from there;
    `by` who must do it, where it matters. `lies` is where the piece that is to go there lies now,
    where that is known: names are written on no piece.
    """

    words: str
    kind: str = ""
    colour: str = ""
    at: Point | None = None
    tolerance_mm: float = 5.0
    done: bool = False
    place: str = ""
    away: bool = False
    by: Seat | None = None
    lies: Point | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcement:
    """Something a person may declare now with one tap, and the fact's `what` and `value`."""

    what: str
    words: str
    side: str | None = None
    value: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SideScore:
    """One side's line on the scoreboard: `items` are (label, value) in reading order.

    `seats` are where its players sit, for a side that is not called by its seats.
    """

    side: str
    name: str
    colour: str
    items: tuple[tuple[str, str], ...] = ()
    seats: tuple[Seat, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """Something the rules add to the board as it is drawn: `places` of a lattice and what they are.

    One place is that place itself; several are the corners of an outline, in order. `kind` says
    what it is ("square", "owned", ...), `side` whose, `label` is written there, `words` say it.
    """

    kind: str
    places: tuple[str, ...]
    side: str | None = None
    label: str = ""
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timer:
    """Time that runs down: `left_ms` at `at_ms` of the match and, where `running`, less since."""

    left_ms: float
    at_ms: float
    running: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoreboard:
    """All that a page says of a state: whose turn, what is to be done, what may be declared.

    `seat` is where the one sits who is to play, in games whose sides are not called by seats.
    """

    phase: str
    headline: str
    turn: str | None = None
    sides: tuple[SideScore, ...] = ()
    tasks: tuple[Task, ...] = ()
    announcements: tuple[Announcement, ...] = ()
    seat: Seat | None = None
    marks: tuple[Mark, ...] = ()
    timer: Timer | None = None
