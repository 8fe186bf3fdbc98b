"""The tables of docs/json.md, made from the types: `python -m testkit.vocabulary`."""

from collections.abc import Iterator
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from rules import board, facts, game, rulings
from rules.codec import FAMILIES, snake
from rules.geometry import Point
from rules.parts import parts_of
from rules.rulings import RulingId

OTHERS = (
    facts.Piece,
    rulings.Ruling,
    rulings.Question,
    rulings.Answer,
    rulings.Outcome,
    rulings.Scoreboard,
    rulings.SideScore,
    rulings.Task,
    rulings.Announcement,
    rulings.Mark,
    game.Setup,
    game.Player,
    game.Entry,
    board.Board,
    board.Line,
    board.Zone,
    board.Pocket,
    board.Lattice,
    board.PieceSpec,
    board.Fiducial,
)
PLAIN = {
    Point: "point",
    RulingId: "ruling id",
    float: "number",
    int: "whole number",
    str: "text",
    bool: "true or false",
    object: "anything",
}


def words(kind: Any) -> str:
    """Return how docs/json.md calls a type."""
    if kind in PLAIN:
        return PLAIN[kind]
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return _either([a for a in arguments if a is not NoneType], NoneType in arguments)
    if origin is tuple and arguments[-1] is Ellipsis:
        return f"[{words(arguments[0])}, …]"
    if origin is tuple:
        return "[" + ", ".join(map(words, arguments)) + "]"
    if origin is not None:
        return "{text: " + words(arguments[1]) + "}"
    if issubclass(kind, Enum):
        return " ".join(f'"{member.value}"' for member in kind)
    return snake(kind.__name__)


def _either(kinds: list[Any], or_null: bool) -> str:
    families = [family for family in ("fact", "decision") if set(kinds) & set(FAMILIES[family])]
    named = " or ".join(families) if families else " or ".join(map(words, kinds))
    return f"{named} or null" if or_null else named


def row(kind: Any) -> str:
    """Return a type's row: its name, the fields that must be there, those that may be left out."""
    hints = get_type_hints(kind)
    must, may = [], []
    for name, needed, default in parts_of(kind):
        if (kind, name) == (rulings.Ruling, "effect"):
            continue
        said = f"`{name}` {words(hints[name])}"
        if not needed and default not in (None, 0, 0.0, "", False, (), {}):
            said += f" = {getattr(default, 'value', default)}"
        (must if needed else may).append(said)
    return f"| `{snake(kind.__name__)}` | {', '.join(must)} | {', '.join(may)} |"


def tables() -> Iterator[tuple[str, list[str]]]:
    yield "Facts", [row(kind) for kind in FAMILIES["fact"]]
    yield "Decisions", [row(kind) for kind in FAMILIES["decision"]]
    yield "What they are made of", [row(kind) for kind in OTHERS]


if __name__ == "__main__":
    for title, rows in tables():
        print(f"\n## {title}\n\n| name | fields | fields that may be left out |\n|---|---|---|")
        print("\n".join(rows))
