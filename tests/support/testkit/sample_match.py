"""A Q-Square match in the middle of play, written out by hand, for the pages to show."""

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from math import cos, pi, sin
from pathlib import Path

import cv2
import numpy as np
from testkit.fake_desk import FakeDesk

from calibration.board_file import read_board
from rules.board import Board
from rules.facts import Piece
from rules.game import Clause
from rules.geometry import Point
from rules.rulings import (
    Announcement,
    Answer,
    Outcome,
    Question,
    Ruling,
    RulingId,
    RulingKind,
    Scoreboard,
    SideScore,
    Standing,
    Task,
)
from web.desk import Ruled, Sight, View

DATA = Path(__file__).parents[2] / "data"

RED_AT = [(-214, 131), (96, 210), (305, -42), (-58, -297), (188, 366), (-409, 22), (37, 74)]
BLACK_AT = [(-331, -188), (140, -164), (402, 251), (-118, 318), (262, 118), (-20, -102)]

CLAUSES = (
    Clause(
        code="QS-2.3",
        section="Object of the game",
        words="A player who pockets none of the other side's pucks loses the turn.",
    ),
    Clause(
        code="QS-2.2",
        section="Object of the game",
        words="A legal shot that pockets at least one of the other side's pucks keeps the turn.",
        exceptions="QS-2.5: not when one of your own falls with it.",
    ),
    Clause(
        code="QS-8a.4",
        section="Penalties",
        words="The cue-puck touches one of your own pucks first: one penalty puck comes back into "
        "the penalty zone in front of the opponent.",
        exceptions="QS-8n.2: not where all target pucks are dead and a border was touched before.",
    ),
    Clause(
        code="QS-9.4",
        section="Dead zones",
        words="A puck is in a zone when at least half of it lies inside.",
    ),
)


def sample_board() -> Board:
    return read_board(DATA / "tables" / "qsquare-oak" / "board.toml")


def sample_pieces() -> tuple[Piece, ...]:
    def puck(colour: str, number: int, x_mm: float, y_mm: float) -> Piece:
        return Piece(
            name=f"{colour}-{number}",
            kind="puck",
            colour=colour,
            at=Point(x_mm, y_mm),
            error_mm=0.06,
        )

    reds = [puck("red", number, *at) for number, at in enumerate(RED_AT, 1)]
    blacks = [puck("black", number, *at) for number, at in enumerate(BLACK_AT, 1)]
    queen = Piece(name="queen", kind="queen", colour="white", at=Point(0, 0), error_mm=0.05)
    cue = Piece(
        name="cue-puck", kind="cue-puck", colour="natural", at=Point(84, -446), error_mm=0.05
    )
    return (*reds, *blacks, queen, cue)


def score_items(
    *, to_pocket: int, pocketed: int, owes: str, games: int
) -> tuple[tuple[str, str], ...]:
    """A side's line as Q-Square writes it."""
    return (
        ("to pocket", str(to_pocket)),
        ("pocketed", str(pocketed)),
        ("off", "0"),
        ("owes", owes),
        ("Queen", "locked"),
        ("games", str(games)),
    )


def sample_scoreboard() -> Scoreboard:
    return Scoreboard(
        phase="Game 2 of 3",
        headline="Anna to shoot",
        turn="S",
        sides=(
            SideScore(
                side="S",
                name="Anna",
                colour="red",
                items=score_items(to_pocket=6, pocketed=2, owes="–", games=1),
            ),
            SideScore(
                side="N",
                name="Jānis",
                colour="black",
                items=score_items(to_pocket=7, pocketed=1, owes="1", games=0),
            ),
        ),
        announcements=(
            Announcement(what="miscue", words="Miscue", side="S"),
            Announcement(what="not tip", words="Not the tip", side="S"),
            Announcement(what="wrong player", words="Wrong player shot"),
            Announcement(what="hand", words="Anna’s hand", side="S"),
            Announcement(what="hand", words="Jānis’s hand", side="N"),
            Announcement(what="concede", words="Anna concedes", side="S"),
            Announcement(what="concede", words="Jānis concedes", side="N"),
            Announcement(what="pause", words="Pause"),
        ),
    )


def sample_rulings() -> tuple[Ruled, ...]:
    def ruled(
        seq: int, at_s: float, *rulings: Ruling, evidence: tuple[str, ...] = ()
    ) -> list[Ruled]:
        return [
            Ruled(id=RulingId(seq, one.code, nth), at_ms=at_s * 1000, ruling=one, evidence=evidence)
            for nth, one in enumerate(rulings)
        ]

    return tuple(
        ruled(
            12,
            212.4,
            Ruling(
                code="QS-2.2",
                words="Anna pocketed a black puck (NE pocket) and shoots again.",
                kind=RulingKind.POCKET,
                side="S",
                pieces=("black-7",),
            ),
            evidence=("s12-rest.jpg",),
        )
        + ruled(
            31,
            254.9,
            Ruling(
                code="QS-2.3",
                words="No black puck fell: the turn passes to Jānis.",
                kind=RulingKind.TURN,
                side="S",
            ),
        )
        + ruled(
            47,
            301.2,
            Ruling(
                code="QS-8a.4",
                words="The cue-puck hit black, Jānis's own colour, first. "
                "One red puck comes back, in front of Anna.",
                kind=RulingKind.PENALTY,
                side="N",
                pieces=("black-3",),
                margin_ms=8.4,
                error_ms=0.4,
            ),
            Ruling(
                code="QS-8.2",
                words="No red puck is down yet: Jānis owes it.",
                kind=RulingKind.NOTE,
                side="N",
            ),
            Ruling(
                code="QS-8g",
                words="The penalty ends the turn: Anna to shoot.",
                kind=RulingKind.TURN,
                side="N",
            ),
            evidence=("s47-contact.jpg", "s47-rest.jpg"),
        )
    )


def sample_view(**changes: object) -> View:
    view = View(
        version=5,
        seq=47,
        match="club-evening-7",
        game="qsquare",
        title="Q-Square",
        sight=Sight.STILL,
        sight_words="the table is still",
        sight_since_ms=303_000,
        now_ms=312_000,
        scoreboard=sample_scoreboard(),
        pieces=sample_pieces(),
        rulings=sample_rulings(),
        live_picture=True,
    )
    return replace(view, **changes)  # type: ignore[arg-type]


def question_ruling() -> Ruling:
    return Ruling(
        code="QS-9.4",
        words="Is red-7 in the dead centre? It is too close to call.",
        kind=RulingKind.QUESTION,
        side="N",
        standing=Standing.OPEN,
        pieces=("red-7",),
        margin_mm=0.07,
        error_mm=0.06,
        question=Question(
            key="dead:red-7",
            words="Was red-7 inside the red line when Jānis struck?",
            piece="red-7",
            line="central-red",
            answers=(
                Answer(
                    key="yes",
                    words="Inside",
                    consequence="Direct hit on a dead puck: it goes back, one penalty puck, "
                    "Anna to shoot.",
                ),
                Answer(key="no", words="Outside", consequence="A legal shot: Jānis shoots again."),
            ),
        ),
    )


def service_scoreboard() -> Scoreboard:
    board = sample_scoreboard()
    return replace(
        board,
        headline="Put the pucks back, then Anna shoots",
        tasks=(
            Task(
                words="Put the cue-puck into Anna's home zone",
                kind="cue-puck",
                colour="natural",
                done=True,
            ),
            Task(
                words="Put a red puck at the middle of Anna's border",
                kind="puck",
                colour="red",
                at=Point(0, -493),
            ),
            Task(
                words="Put a black puck next to the queen",
                kind="puck",
                colour="black",
                at=Point(0, 29),
                lies=Point(200, 29),
            ),
        ),
    )


def final_view() -> View:
    return sample_view(
        outcome=Outcome(winner="S", words="Anna wins the match, 2 games to 0"),
        scoreboard=replace(sample_scoreboard(), turn=None, announcements=()),
    )


SAMPLE_SIZE_PX = (1280, 720)


def sample_places(points_mm: Iterable[tuple[float, float]]) -> np.ndarray:
    """(N, 2) where the sample's pictures show places of the board, in pixels."""
    square = np.array([[-570, 570], [570, 570], [570, -570], [-570, -570]], np.float32)
    corners = np.array([[140, 40], [1140, 40], [1264, 704], [16, 704]], np.float32)
    warp = cv2.getPerspectiveTransform(square, corners)
    return cv2.perspectiveTransform(np.array([list(points_mm)], np.float32), warp).reshape(-1, 2)


def circle_mm(centre: Point, radius_mm: float, count: int = 48) -> list[tuple[float, float]]:
    turns = [2 * pi * n / count for n in range(count)]
    return [
        (centre.x_mm + radius_mm * cos(turn), centre.y_mm + radius_mm * sin(turn)) for turn in turns
    ]


@cache
def sample_evidence() -> dict[str, bytes]:
    """Pictures to show: the board's drawing as a camera might see it, seen aslant."""
    width, height = SAMPLE_SIZE_PX
    picture = np.full((height, width, 3), (34, 36, 40), np.uint8)

    def at(points: Iterable[tuple[float, float]]) -> np.ndarray:
        return (16 * sample_places(points)).round().astype(np.int32)  # sixteenths of a pixel

    def fill(points: Iterable[tuple[float, float]], colour: tuple[int, int, int]) -> None:
        cv2.fillPoly(picture, [at(points)], colour, cv2.LINE_AA, 4)

    wood = (138, 184, 214)
    for half, colour in ((570, (30, 48, 74)), (508, wood)):
        fill([(-half, -half), (half, -half), (half, half), (-half, half)], colour)
    for half in (150, 132):
        box = [(-half, -half), (half, -half), (half, half), (-half, half)]
        cv2.polylines(picture, [at(box)], True, (30, 30, 40), 2, cv2.LINE_AA, 4)
    colours = {"red": (40, 40, 170), "black": (30, 30, 30), "white": (230, 230, 230)}
    for piece in sample_pieces():
        fill(circle_mm(piece.at, 16.0), colours.get(piece.colour, (120, 170, 210)))
        fill(circle_mm(piece.at, 4.0), wood)
    done, jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 82])
    assert done
    names = ("s12-rest.jpg", "s47-contact.jpg", "s47-rest.jpg", "s60-hole.jpg")
    return dict.fromkeys(names, jpeg.tobytes())


def sample_desk(view: View | None = None) -> FakeDesk:
    evidence = sample_evidence()
    return FakeDesk(
        view or sample_view(),
        sample_board(),
        clauses=CLAUSES,
        evidence=evidence,
        live=evidence["s12-rest.jpg"],
    )
