"""A lattice's board at one moment: what stood there, what it may have been, how it is called."""

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from testkit.lattice_tables import lattice_table

from rules.decisions import Amend
from rules.facts import Batch, Emptied, Fact, Filled, HandLeft
from rules.game import Entry, Setup
from rules.games.king_square.places import hole_name
from rules.games.quarterback.places import square_at as field_square
from rules.games.squarin_off.grid import groove_name, square_name
from rules.games.squarin_off.places import groove_at, square_at
from rules.registry import find_game
from rules.rulings import Ruling, RulingId
from sightline.games import built_in_board
from sightline.review.study import MatchStudy
from sightline.words.place_names import place_names
from web.desk import Ruled


def setup_of(game: str) -> Setup:
    return Setup(game=game, board=built_in_board(game))


def study(game: str, *facts: Fact) -> MatchStudy:
    entries = [Entry(seq=n, at_ms=fact.at_ms, body=fact) for n, fact in enumerate(facts, 1)]
    return MatchStudy(find_game(game), setup_of(game), entries)


def peg(at_ms: float, place: str, colour: str = "red") -> Filled:
    return Filled(at_ms=at_ms, place=place, kind="peg", colour=colour)


def own_names(game: str) -> Iterator[tuple[str, str | None]]:
    setup = setup_of(game)
    for place in place_names(find_game(game), setup):
        if game == "king_square":
            yield place, hole_name(place)
        elif game == "quarterback":
            field = find_game(game).start(setup).terms.field
            square = field_square(field, place)
            yield place, None if square is None else field.name(square)
        else:
            groove, cell = groove_at(place), square_at(place)
            yield place, groove_name(groove) if groove is not None else square_name(cell or 0)


@pytest.mark.parametrize(
    ("game", "places"), [("king_square", 100), ("squarin_off", 320), ("quarterback", 176)]
)
def test_places_are_called_as_the_games_own_rules_call_them(game: str, places: int) -> None:
    names = place_names(find_game(game), setup_of(game))
    assert names == dict(own_names(game))
    assert len(set(names.values())) == len(names) == places


def test_a_board_without_a_lattice_has_no_places() -> None:
    board = built_in_board("qsquare")
    assert place_names(find_game("qsquare"), Setup(game="qsquare", board=board)) == {}


def test_the_board_is_that_right_after_the_change_asked_about() -> None:
    looked = study(
        "king_square", peg(1, "holes:0,0"), peg(2, "holes:4,4", "natural"), HandLeft(at_ms=3)
    )
    first, second, left = (looked.moment(seq).lattice for seq in (1, 2, 3))
    assert first is not None
    assert second is not None
    assert [piece.name for piece in first.pieces] == ["holes:0,0"]
    assert [piece.name for piece in second.pieces] == ["holes:0,0", "holes:4,4"]
    assert left == second, "a hand that leaves changes nothing"
    assert (second.seq, second.names["holes:4,4"]) == (2, "e5")
    assert second.pieces[1].at == built_in_board("king_square").at("holes:4,4")


def test_what_the_change_put_there_may_have_been_put_beside_it_or_be_another_piece() -> None:
    lattice = study("king_square", peg(1, "holes:3,4"), peg(2, "holes:4,4")).moment(2).lattice
    assert lattice is not None
    [doubt] = lattice.doubts
    assert doubt.name == "holes:4,4"
    words = [runner.words for runner in doubt.runners]
    assert set(words[:3]) == {"f5", "e4", "e6"}, "next to it and empty; d5 is taken"
    assert "It was a natural peg" in words
    assert doubt.runners[-1].piece is None


def test_sticks_may_lie_on_edges_only() -> None:
    stick = Filled(at_ms=1, place="edges:v:1,8", kind="stick", colour="natural")
    lattice = study("squarin_off", stick).moment(1).lattice
    assert lattice is not None
    layers = {(look.kind, look.layer) for look in lattice.looks}
    assert layers == {("stick", "edges"), ("chip", "cells"), ("blocker", "cells")}
    places = [runner.piece.name for runner in lattice.doubts[0].runners if runner.piece]
    assert all(place.startswith("edges:") for place in places)
    assert lattice.pieces[0].turn_deg == 90.0


def test_facts_about_the_change_are_told_in_the_players_words() -> None:
    batch = Batch(
        at_ms=50,
        facts=(
            Emptied(at_ms=50, place="cells:5,5", kind="triple", colour="red"),
            Filled(at_ms=50, place="cells:2,2", kind="triple", colour="red"),
        ),
    )
    moment = study("quarterback", *(HandLeft(at_ms=n) for n in range(20)), batch).moment(21)
    assert moment.facts[-1].words == "red triple went from f2; red triple came onto cu1"
    assert len(moment.facts) < 12


def test_a_change_that_never_was_is_struck_out_by_what_the_page_sends() -> None:
    looked = study("king_square", peg(1, "holes:0,0"), peg(2, "holes:4,4", "natural"))
    assert looked.preview(Amend(seq=2, fact=peg(2, "holes:5,4", "natural"))).fresh


@pytest.mark.parametrize(
    ("game", "place", "kind", "colour"),
    [
        ("king_square", "holes:2,7", "peg", "red"),
        ("squarin_off", "edges:v:8,1", "stick", "natural"),
        ("squarin_off", "edges:h:2,9", "stick", "natural"),
        ("squarin_off", "cells:6,4", "blocker", "red"),
    ],
    ids=["a peg", "a stick that stands upright on the board", "one across", "a blocker"],
)
def test_a_change_is_outlined_where_the_camera_saw_it(
    game: str, place: str, kind: str, colour: str, tmp_path: Path
) -> None:
    club = lattice_table(game, tmp_path, (960, 720))
    came = Filled(at_ms=1, place=place, kind=kind, colour=colour)
    looked = MatchStudy(
        find_game(game),
        setup_of(game),
        [Entry(seq=1, at_ms=1, body=came, evidence=("seen.jpg",))],
        club.table,
    )
    ruled = Ruled(id=RulingId(1, "X"), at_ms=1, ruling=Ruling(code="X", words="It came."))
    overlay = looked.overlay(ruled, "seen.jpg")
    assert overlay is not None
    [outline] = overlay.outlines
    assert (outline.name, outline.named, overlay.focus is None) == (place, True, False)
    changed = cv2.absdiff(club.picture([club.lying(place, kind, colour)]), club.picture([]))
    spots = np.array([(spot.x * 960, spot.y * 720) for spot in outline.points], np.int32)
    inside = cv2.fillPoly(np.zeros((720, 960), np.uint8), [spots], 1).astype(bool)
    weight = changed.sum(axis=2)
    weight[weight < 40] = 0
    assert weight[inside].sum() > 0.5 * weight.sum(), "its side wall and shadow lie outside"
    assert looked.overlay(ruled, "another.jpg") is None
