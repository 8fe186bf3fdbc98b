"""Looking at a recording again: what counts as the same fact, and what the difference says."""

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from testkit.logs import HAND, log
from testkit.played import NAME, play

from rules.facts import Contacted, Piece, Pocketed, Settled
from rules.geometry import Point
from sightline.cli import cli
from sightline.review.again import called_alike, facts_difference, span_around


def piece(name: str, x_mm: float, error_mm: float = 0.05, colour: str = "red") -> Piece:
    return Piece(name=name, kind="puck", colour=colour, at=Point(x_mm, 0), error_mm=error_mm)


def settled(*pieces: Piece, at_ms: float = 1000.0) -> Settled:
    return Settled(at_ms=at_ms, pieces=pieces)


def fell(name: str, at_ms: float) -> Pocketed:
    return Pocketed(at_ms=at_ms, piece=name, pocket="NE")


def touched(a: str, b: str, at_ms: float = 500.0) -> Contacted:
    return Contacted(at_ms=at_ms, a=a, b=b, at=Point(0, 0))


@pytest.mark.parametrize(
    ("then", "now", "said"),
    [
        ((fell("red-1", 500),), (fell("red-1", 640),), []),
        ((fell("red-1", 500),), (fell("red-1", 2000),), ["-500", "+2000"]),
        ((fell("red-1", 500),), (), ["-500"]),
        ((), (fell("red-1", 500),), ["+500"]),
        ((touched("red-1", "cue-puck"),), (touched("cue-puck", "red-1"),), []),
        ((settled(piece("red-1", 0)),), (settled(piece("red-1", 0.3)),), []),
        ((settled(piece("red-1", 0)),), (settled(piece("red-1", 0.9)),), ["~1000"]),
        ((settled(piece("red-1", 0, 0.5)),), (settled(piece("red-1", 0.9)),), []),
        ((settled(piece("red-1", 0)),), (settled(),), ["~1000"]),
        ((settled(piece("red-1", 0)),), (settled(piece("red-1", 0, colour="blue")),), ["~1000"]),
    ],
    ids=[
        "a little later",
        "much later",
        "then only",
        "now only",
        "the other way round",
        "within what is measured",
        "elsewhere",
        "elsewhere, but measured poorly",
        "gone",
        "of another colour",
    ],
)
def test_the_difference_in_facts(then: tuple, now: tuple, said: list[str]) -> None:
    lines = list(facts_difference(then, now))
    assert [f"{line.sign}{line.at_ms:.0f}" for line in lines] == said


def test_pieces_are_called_as_those_that_lay_there_were_called() -> None:
    then = [settled(piece("red-1", 0), piece("red-2", 100))]
    now = [
        settled(piece("red-2", 1), piece("red-1", 101), piece("red-3", 300)),
        touched("red-2", "red-3"),
        fell("red-1", 700),
    ]
    board, contact, pocketed = called_alike(then, now, ())
    assert isinstance(board, Settled)
    assert [p.name for p in board.pieces] == ["red-1", "red-2", "red-3"]
    assert contact == touched("red-1", "red-3")
    assert pocketed == fell("red-2", 700)


def test_a_piece_that_was_not_there_takes_no_others_name() -> None:
    (board,) = called_alike([settled(piece("red-1", 0))], [settled(piece("red-1", 300))], ())
    assert isinstance(board, Settled)
    assert [p.name for p in board.pieces] == ["red-1'"]


def test_a_second_look_goes_from_one_settled_board_to_the_next() -> None:
    before, after = settled(at_ms=100), settled(at_ms=900)
    entries = log(replace(HAND, at_ms=10), before, fell("red-1", 500), after, fell("red-2", 1500))
    assert span_around(entries, 3) == (100, 900)
    assert span_around(entries, 4) == (100, 900)
    assert span_around(entries, 1) == (10, 100)
    assert span_around(entries, 5) == (900, 1500)
    with pytest.raises(ValueError, match="entry 9"):
        span_around(entries, 9)


def test_a_match_without_a_recording_cannot_be_looked_at_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nicer: list[int] = []
    monkeypatch.setattr("os.nice", nicer.append)  # the tests to come are as urgent as before
    db = tmp_path / "matches.db"
    play(db, video=False).close()
    result = CliRunner().invoke(cli, ["rerun", NAME, "--db", str(db)])
    assert "nothing is recorded" in result.output
    assert nicer == [10]
