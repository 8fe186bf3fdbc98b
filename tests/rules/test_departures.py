"""What left the surface in a shot: pieces at the brink of a pocket."""

from math import cos, radians, sin

import pytest

from rules.board import Pocket
from rules.case import Case
from rules.departures import departed
from rules.doubts import Oracle
from rules.facts import Fact, Piece, Pocketed, Settled
from rules.geometry import Point

POCKET = Pocket(id="NE", centre=Point(300.0, 300.0), radius_mm=22.0)
ERROR_MM = 0.06


def hanging(short_mm: float, turned_deg: float = 0.0) -> Piece:
    """A man whose centre is so far short of the rim, somewhere about it."""
    away_mm, turned = POCKET.radius_mm + short_mm, radians(180.0 + turned_deg)
    at = Point(300.0 + away_mm * cos(turned), 300.0 + away_mm * sin(turned))
    return Piece(name="white-5", kind="carromman", colour="white", at=at, error_mm=ERROR_MM)


def judged(
    before: Piece | None, after: Piece, facts: tuple[Fact, ...] = ()
) -> tuple[list[str], list[str]]:
    """The questions that are asked, and which pieces fell if all are answered "yes"."""
    case = Case(oracle=Oracle(known={}))
    gone = departed(
        case,
        {before.name: before} if before else {},
        {after.name: after},
        facts,
        Settled(at_ms=1000.0, pieces=(after,)),
        (POCKET,),
        kind_of=lambda name: ("carromman", "white"),
        stayed=lambda name, over: None,
    )
    return [doubt.key for doubt in case.oracle.met], [g.name for g in gone]


@pytest.mark.parametrize(
    ("lay", "lies", "asked", "fell"),
    [
        (hanging(0.05), hanging(0.03), [], []),
        (hanging(0.05), hanging(0.05, turned_deg=0.3), [], []),
        (hanging(0.9), hanging(0.05), ["in-pocket-white-5"], ["white-5"]),
        (hanging(0.05), hanging(0.05, turned_deg=5.0), ["in-pocket-white-5"], ["white-5"]),
        (hanging(0.05), hanging(-0.6), [], ["white-5"]),
        (hanging(0.05), hanging(0.6), [], []),
    ],
    ids=[
        "untouched",
        "untouched, as far as is known",
        "came to the brink",
        "was turned about the rim",
        "surely fell",
        "surely lies",
    ],
)
def test_of_a_piece_at_the_brink_it_is_asked_once_whether_it_fell(
    lay: Piece, lies: Piece, asked: list[str], fell: list[str]
) -> None:
    assert judged(lay, lies) == (asked, fell)


def test_a_piece_seen_to_fall_fell_though_it_lies_where_it_lay() -> None:
    fall = Pocketed(at_ms=500.0, piece="white-5", pocket="NE")
    assert judged(hanging(0.05), hanging(0.05), (fall,)) == ([], ["white-5"])
