"""What a still picture says of the pieces that were known."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from rules.facts import Moved, Piece, Placed, Removed
from rules.geometry import Point, Seat
from sightline.simulated.boards import club_board
from vision.detection.crossings import Crossing
from vision.frame import Observation, SeenPiece
from vision.telling.stocktaking import Followed, take_stock

BOARD = club_board()
RED = Piece(name="red-1", kind="puck", colour="red", at=Point(10.0, 20.0), error_mm=0.1)
CUE = Piece(name="cue-puck", kind="cue-puck", colour="natural", at=Point(0.0, -300.0))


def seen(*pieces: Piece, error_mm: float = 0.1) -> Observation:
    """`error_mm` is that of the last piece."""
    errors = [0.1] * (len(pieces) - 1) + [error_mm]
    return Observation(
        pieces=tuple(
            SeenPiece(kind=p.kind, colour=p.colour, at=p.at, error_mm=error)
            for p, error in zip(pieces, errors, strict=False)
        )
    )


def at(piece: Piece, x_mm: float, y_mm: float) -> Piece:
    return Piece(name=piece.name, kind=piece.kind, colour=piece.colour, at=Point(x_mm, y_mm))


def followed(
    ran: dict[str, tuple[float, float]] | None = None,
    *,
    touched: bool = True,
    places: dict[str, tuple[float, float]] | None = None,
    changed: bool = True,
    hidden: bool = False,
    ways: Sequence[tuple[float, float]] = (),
    unseen: frozenset[str] = frozenset(),
) -> Followed:
    return Followed(
        ran=ran or {},
        touched=lambda name: touched,
        places=places or {},
        changed_at=lambda x, y: changed,
        was_hidden=lambda x, y: hidden,
        unseen=unseen,
        reaching=lambda: [Crossing(side=Seat.S, at=Point(*at), width_mm=16.0) for at in ways],
    )


def test_a_piece_that_a_hand_has_shifted_was_moved_by_that_hand() -> None:
    stock = take_stock((RED, CUE), (), seen(at(RED, 60, 20), CUE), followed(), at_ms=5.0, by=Seat.E)
    (fact,) = stock.facts
    assert isinstance(fact, Moved)
    assert (fact.piece, fact.before, fact.after) == ("red-1", RED.at, Point(60, 20))
    assert (fact.at_ms, fact.by) == (5.0, Seat.E)


@pytest.mark.parametrize(
    ("piece", "off_mm", "told"),
    [(CUE, 1.1, True), (CUE, 0.6, False), (RED, 1.1, False)],
    ids=["farther than its error", "within its error", "not to be struck"],
)
def test_what_is_struck_is_told_as_moved_where_it_was_pushed_a_little_under_the_hand(
    piece: Piece, off_mm: float, told: bool
) -> None:
    pushed = at(piece, piece.at.x_mm, piece.at.y_mm + off_mm)
    stock = take_stock((piece,), (), seen(pushed), followed(), at_ms=5.0, by=Seat.N)
    assert [type(fact) for fact in stock.facts] == ([Moved] if told else [])


@pytest.mark.parametrize(
    ("known_mm", "off_mm", "told"),
    [(9.0, 4.4, False), (1.0, 4.4, True), (9.0, 14.0, True)],
    ids=["within what was known", "farther", "farther than anything is taken to lie"],
)
def test_a_piece_whose_place_was_known_badly_was_moved_only_where_it_lies_farther_off(
    known_mm: float, off_mm: float, told: bool
) -> None:
    badly = replace(RED, error_mm=known_mm)
    now = at(RED, RED.at.x_mm + off_mm, RED.at.y_mm)
    stock = take_stock((badly,), (), seen(now), followed(), at_ms=5.0, by=Seat.S)
    assert [type(fact) for fact in stock.facts] == ([Moved] if told else [])
    assert stock.pieces[0].at == now.at


def test_a_piece_nobody_touched_keeps_its_place_to_the_last_digit() -> None:
    stock = take_stock((RED,), (), seen(at(RED, 10.4, 20.3)), followed(touched=False), at_ms=0.0)
    assert stock.facts == ()
    assert stock.pieces == (RED,)


def test_a_piece_that_ran_lies_where_it_is_seen_without_being_moved() -> None:
    stock = take_stock(
        (CUE,), (), seen(at(CUE, 103, 50)), followed({"cue-puck": (100.0, 52.0)}), at_ms=0.0
    )
    assert stock.facts == ()
    assert stock.pieces[0].at == Point(103, 50)


@pytest.mark.parametrize(
    ("other_at", "moved"), [((203.0, 0.0), []), ((230.0, 0.0), ["red-2"])], ids=["there", "beside"]
)
def test_of_two_that_were_followed_to_one_place_a_hand_has_moved_neither(
    other_at: tuple[float, float], moved: list[str]
) -> None:
    other = replace(RED, name="red-2", at=Point(80.0, 20.0))
    ran = {"red-1": (200.0, 0.0), "red-2": other_at}
    lies = seen(at(RED, 201, 0), at(other, 130, 90))
    stock = take_stock((RED, other), (), lies, followed(ran), at_ms=0.0, by=Seat.S)
    assert [fact.piece for fact in stock.facts if isinstance(fact, Moved)] == moved
    assert {piece.at for piece in stock.pieces} == {Point(201, 0), Point(130, 90)}


@pytest.mark.parametrize(
    ("ran", "moved"),
    [({"red-2": (200.0, 0.0)}, False), ({}, True)],
    ids=["the other was taken to have run", "nothing ran"],
)
def test_one_that_ran_under_the_name_of_its_like_was_not_moved_to_where_that_lies(
    ran: dict[str, tuple[float, float]], moved: bool
) -> None:
    other = replace(RED, name="red-2", at=Point(80.0, 20.0))
    lies = seen(at(RED, 80, 20), at(other, 201, 0))
    stock = take_stock((RED, other), (), lies, followed(ran), at_ms=0.0, by=Seat.S)
    assert any(isinstance(fact, Moved) for fact in stock.facts) is moved
    assert {piece.at for piece in stock.pieces} == {Point(80, 20), Point(201, 0)}


def test_a_pocketed_cue_puck_that_is_brought_back_is_placed_under_its_old_name() -> None:
    stock = take_stock((RED,), ("cue-puck",), seen(RED, CUE), followed(), at_ms=0.0, by=Seat.S)
    (fact,) = stock.facts
    assert isinstance(fact, Placed)
    assert (fact.piece.name, fact.by) == ("cue-puck", Seat.S)
    assert stock.back == ("cue-puck",)


def test_a_new_piece_where_nothing_has_changed_is_none() -> None:
    stock = take_stock((RED,), (), seen(RED, CUE), followed(changed=False), at_ms=0.0)
    assert stock.facts == ()
    assert stock.pieces == (RED,)


@pytest.mark.parametrize(
    ("y_mm", "error_mm", "ways", "placed"),
    [
        (-270.0, 2.1, [(14.0, -508.0)], False),
        (-270.0, 2.1, [], True),
        (-270.0, 0.3, [(14.0, -508.0)], True),
        (-498.5, 0.7, [(14.0, -508.0)], False),
        (-495.5, 0.3, [(70.0, -508.0)], True),
        (-495.5, 0.3, [], True),
    ],
    ids=[
        "perhaps a cue's tip",
        "seen badly where no cue is",
        "seen well",
        "perhaps a cue's butt at the border",
        "beside a cue at the border",
        "at the border where no cue is",
    ],
)
def test_what_may_be_a_part_of_a_cue_is_no_new_piece(
    y_mm: float, error_mm: float, ways: list[tuple[float, float]], placed: bool
) -> None:
    new = at(Piece(name="queen", kind="queen", colour="white", at=Point(0, 0)), 15.0, y_mm)
    look = seen(RED, CUE, new, error_mm=error_mm)
    stock = take_stock((RED, CUE), (), look, followed(ways=ways), at_ms=0.0)
    assert [type(fact) for fact in stock.facts] == [Placed] * placed
    assert len(stock.pieces) == 2 + placed
    assert stock.doubtful == ((new.at,) if not placed else ())


@pytest.mark.parametrize(
    ("pale", "placed"), [(3, True), (0, False)], ids=["with its like", "alone"]
)
def test_a_new_piece_is_seen_well_enough_where_all_of_its_like_are_seen_no_better(
    pale: int, placed: bool
) -> None:
    """Men as pale as the board, in a rack with dark ones whose places are known much better."""
    dark = [at(RED, 40.0 * k, 0.0) for k in range(6)]
    white = Piece(name="white-1", kind="puck", colour="white", at=Point(0, 0))
    men = [*dark, *(at(white, 40.0 * k, 80.0) for k in range(pale + 1))]
    errors = [0.1] * len(dark) + [0.5] * pale + [1.2]
    look = Observation(
        pieces=tuple(
            SeenPiece(kind=p.kind, colour=p.colour, at=p.at, error_mm=error)
            for p, error in zip(men, errors, strict=True)
        )
    )
    stock = take_stock((), (), look, followed(ways=[(14.0, -508.0)]), at_ms=0.0)
    assert len(stock.facts) == len(dark) + pale + placed


@pytest.mark.parametrize(
    ("error_mm", "ways", "missed"),
    [(2.6, [(-480.0, 0.0)], True), (2.6, [], False), (0.2, [(-480.0, 0.0)], False)],
    ids=["a tip seen badly", "nothing reaches in", "seen well"],
)
def test_a_known_piece_does_not_lie_far_off_where_a_part_of_a_cue_may_be_seen(
    error_mm: float, ways: list[tuple[float, float]], missed: bool
) -> None:
    tip = at(RED, -370.0, -160.0)
    others = [
        Piece(name=f"blue-{n}", kind="puck", colour="blue", at=Point(0.0, 60.0 * n))
        for n in range(4)
    ]
    now = seen(*others, tip, error_mm=error_mm)
    stock = take_stock((RED, *others), (), now, followed(ways=ways), at_ms=5.0)
    assert [type(fact) for fact in stock.facts] == [Removed if missed else Moved]
    assert stock.doubtful == ((tip.at,) if missed else ())


def test_what_is_struck_with_a_cue_may_lie_far_off_beneath_it() -> None:
    ways = followed(ways=[(-480.0, 0.0)])
    stock = take_stock(
        (CUE, RED), (), seen(RED, at(CUE, -370.0, -160.0), error_mm=2.6), ways, at_ms=5.0
    )
    assert [(type(fact), fact.piece) for fact in stock.facts if isinstance(fact, Moved)] == [
        (Moved, "cue-puck")
    ]


def test_a_piece_told_as_gone_that_still_lies_where_it_lay_is_back() -> None:
    other = Piece(name="red-2", kind="puck", colour="red", at=Point(-90.0, 5.0))
    stock = take_stock(
        (RED, other),
        ("red-2", "red-1"),
        seen(at(RED, 10.4, 20.2)),
        followed(changed=False),
        at_ms=0.0,
    )
    (fact,) = stock.facts
    assert isinstance(fact, Placed)
    assert fact.piece.name == "red-1"
    assert stock.back == ("red-1",)


def test_a_piece_that_is_no_longer_there_was_removed() -> None:
    stock = take_stock((RED, CUE), (), seen(RED), followed(), at_ms=0.0)
    (fact,) = stock.facts
    assert isinstance(fact, Removed)
    assert fact.piece == "cue-puck"
    assert stock.gone == ("cue-puck",)


def test_a_piece_that_is_still_followed_stays_though_the_picture_misses_it() -> None:
    stock = take_stock(
        (RED, CUE), (), seen(RED), followed(places={"cue-puck": (0.0, -300.0)}), at_ms=0.0
    )
    assert stock.facts == ()
    assert {p.name for p in stock.pieces} == {"red-1", "cue-puck"}


def test_a_piece_that_was_followed_to_where_its_like_is_seen_lies_at_home_no_more() -> None:
    other = Piece(name="red-2", kind="puck", colour="red", at=Point(80.0, 20.0), error_mm=0.1)
    there = at(RED, 50.0, 20.0)  # either of them; the other has left
    look = followed(places={"red-1": (50.2, 20.1)})
    stock = take_stock((RED, other), (), seen(there), look, at_ms=5.0)
    assert [piece.at for piece in stock.pieces] == [there.at]
    assert stock.gone == ("red-1",)


def test_a_piece_that_seems_to_lie_where_its_like_is_seen_is_not_there() -> None:
    other = Piece(name="red-2", kind="puck", colour="red", at=Point(80.0, 20.0), error_mm=0.1)
    ran = {"red-2": (10.3, 20.2)}  # it was taken on its way for the one that lies there
    places = {"red-2": (10.3, 20.2)}
    stock = take_stock((RED, other), (), seen(RED), followed(ran, places=places), at_ms=5.0)
    assert [piece.name for piece in stock.pieces] == ["red-1"]
    assert stock.gone == ("red-2",)
    assert [type(fact) for fact in stock.facts] == [Removed]


def test_a_piece_that_a_hand_hid_from_the_start_lay_there_all_along() -> None:
    stock = take_stock((RED,), (), seen(RED, CUE), followed(touched=False, hidden=True), at_ms=0.0)
    assert stock.facts == ()
    assert {piece.kind for piece in stock.pieces} == {"puck", "cue-puck"}


def test_what_a_shot_did_unseen_was_done_by_no_hand() -> None:
    stock = take_stock(
        (RED, CUE),
        (),
        seen(at(RED, 60, 20)),
        followed(unseen=frozenset({"red-1", "cue-puck"})),
        at_ms=0.0,
    )
    assert stock.facts == ()
    assert [piece.at for piece in stock.pieces] == [Point(60, 20)]
    assert stock.gone == ("cue-puck",)


def test_a_piece_first_seen_half_hidden_by_a_hand_is_not_moved_by_being_seen_whole() -> None:
    stock = take_stock((RED,), (), seen(at(RED, 16, 24)), followed(hidden=True), at_ms=0.0)
    assert stock.facts == ()
    assert stock.pieces[0].at == Point(16, 24)
