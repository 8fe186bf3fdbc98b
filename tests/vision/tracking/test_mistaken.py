"""Ways that a hand, or what lies under it, seems to give to a piece that is out of sight."""

from dataclasses import replace

import numpy as np
import pytest
from testkit.simulated_table import gray, lying
from testkit.tracked_table import LAID, tracking

from rules.geometry import Point
from vision.frame import SeenPiece
from vision.tracking.body import Body, Sample
from vision.tracking.hands import Glimpse
from vision.tracking.mistaken import disown, follows_a_hand, let_go_of_hands
from vision.tracking.tracker import Tracker

FRAME_S = 1 / 30


def followed(
    places: list[tuple[float, float, float]], *, lost: int = 20, hand_mm2: float = 20_000.0
) -> tuple[Tracker, Body]:
    """A piece followed to `places` (x, y, share of its best) and lost since."""
    tracker = tracking(gray(LAID))
    tracker.step(gray(LAID), 0.0, 0)
    body = tracker.bodies[2]
    body.moved, body.lost, body.best = True, lost, 0.95
    body.samples += [
        Sample(100.0 + 33 * k, k, x, y, 0.3, share * body.best)
        for k, (x, y, share) in enumerate(places)
    ]
    mask = np.zeros((2, 2), dtype=np.uint8)
    tracker.hands.glimpses.extend(Glimpse(33.0 * k, hand_mm2, 90.0, 0.0, mask) for k in range(40))
    return tracker, body


def test_what_seems_to_run_while_the_picture_stands_still_was_no_piece() -> None:
    tracker = tracking(gray(LAID))
    pushed = lying("red-1", "red", 66, -150)
    tracker.step(gray((LAID[0], pushed)), 0.0, 0)
    for body, step_mm in zip(tracker.bodies, (0.0, 0.02, 3.0), strict=True):
        body.moved = True
        body.samples = [Sample(60.0 + 20 * k, k, step_mm * k, 0.0, 0.1, 0.9) for k in range(6)]
    tracker.disown_mistaken()
    assert [len(body.samples) for body in tracker.bodies] == [6, 6, 0]
    assert not tracker.bodies[2].moved
    assert tracker.lost_names() == ["blue-1"]


@pytest.mark.parametrize(
    ("step_mm", "in_hand", "hidden"), [(3.0, True, True), (3.0, False, False), (0.02, True, False)]
)
def test_what_seems_to_run_in_a_hand_while_the_picture_stands_still_is_hidden_by_it(
    step_mm: float, in_hand: bool, hidden: bool
) -> None:
    tracker = tracking(gray(LAID))
    tracker.step(gray(LAID), 0.0, 0)
    body = tracker.bodies[2]
    body.moved = True
    body.samples = [
        Sample(60.0 + 20 * k, k, step_mm * k, 0.0, 0.1, 0.9, in_hand=in_hand) for k in range(6)
    ]
    assert tracker.hidden == hidden


def test_what_was_seen_to_run_before_it_was_taken_for_something_else_did_run() -> None:
    tracker = tracking(gray(LAID))
    tracker.step(gray(LAID), 200.0, 0)
    still_ms = tracker.still_since_ms
    body = tracker.bodies[2]
    body.moved, body.best = True, 0.9
    x, y = body.home
    ran = [Sample(still_ms - 150 + 20 * k, k, x + 20 * k, y, 0.1, 0.9) for k in range(1, 7)]
    stuck = [Sample(still_ms + 20 * k, k, x + 300 + k % 7, y, 0.1, 0.45) for k in range(20)]
    body.samples += [*ran, *stuck]
    tracker.disown_mistaken()
    assert body.moved
    assert body.samples[-6:] == ran
    assert body.lost >= len(stuck)


LIKE_A_HAND = [(0.0, 10.0, 0.6), (30.0, 8.0, 0.8), (-20.0, 40.0, 0.7)]


@pytest.mark.parametrize(
    ("places", "lost", "hand_mm2", "mistaken"),
    [
        (LIKE_A_HAND, 20, 20_000.0, True),
        (LIKE_A_HAND, 2, 20_000.0, False),
        (LIKE_A_HAND, 20, 0.0, False),
        ([*LIKE_A_HAND, (60.0, 60.0, 0.97)], 20, 20_000.0, False),
    ],
    ids=["a hand", "seen a moment ago", "no hand there", "once like itself"],
)
def test_what_was_never_like_itself_under_a_hand_was_no_piece(
    places: list[tuple[float, float, float]], lost: int, hand_mm2: float, mistaken: bool
) -> None:
    tracker, body = followed(places, lost=lost, hand_mm2=hand_mm2)
    found = follows_a_hand(body, tracker.bodies, tracker.hands, frame_s=FRAME_S)
    assert found == mistaken


def test_a_place_where_another_piece_lies_is_not_its_own() -> None:
    tracker, body = followed(LIKE_A_HAND)
    x, y = tracker.bodies[0].home
    body.samples.append(Sample(300.0, 9, x + 1.0, y, 0.3, body.best))
    assert follows_a_hand(body, tracker.bodies, tracker.hands, frame_s=FRAME_S)
    tracker.bodies[0].lost = 3
    assert not follows_a_hand(body, tracker.bodies, tracker.hands, frame_s=FRAME_S)


@pytest.mark.parametrize(
    ("ran_mm", "off_mm", "gone", "share", "mistaken"),
    [
        (60.0, 0.2, False, 0.99, True),
        (60.0, 0.2, True, 0.9, True),
        (60.0, 3.0, False, 0.9, False),
        (4.0, 0.2, False, 0.9, True),
        (4.0, 0.2, False, 0.99, False),
    ],
    ids=["seen at home", "it seemed to fall", "seen elsewhere", "a hair off", "pushed and back"],
)
def test_what_seems_to_have_moved_but_lies_just_where_it_lay_never_left(
    ran_mm: float, off_mm: float, gone: bool, share: float, mistaken: bool
) -> None:
    tracker, body = followed([], lost=0)
    known, best = body.known, body.best
    body.gone, (body.x_mm, body.y_mm) = gone, (body.home[0] + ran_mm, body.home[1])
    body.samples.append(Sample(100.0, 1, body.x_mm, body.y_mm, 0.3, share * best))
    at = Point(known.x_mm + off_mm, known.y_mm)
    seen = SeenPiece(kind=known.kind, colour=known.colour, at=at, error_mm=0.1)
    tracker.disown_mistaken([seen])
    assert (body.moved or body.gone) is not mistaken


@pytest.mark.parametrize(
    ("at_home", "beside", "red_came", "ran"),
    [
        (True, False, False, False),
        (True, True, False, False),
        (False, True, False, True),
        (True, True, True, True),
    ],
    ids=["it lies there alone", "one like it was laid beside it", "it ran", "another came there"],
)
def test_what_seems_to_have_run_did_not_where_the_last_frame_shows_it_at_home(
    at_home: bool, beside: bool, red_came: bool, ran: bool
) -> None:
    tracker = tracking(gray(LAID))
    _, red, body = tracker.bodies
    x, y = body.home
    there = [(at_home, lying("one", "blue", x, y)), (beside, lying("other", "blue", x + 60.0, y))]
    tracker.step(gray((*LAID[:2], *(piece for lies, piece in there if lies))), 100.0, 0)
    if red_came:
        red.moved, red.x_mm, red.y_mm = True, x, y
    body.moved, body.x_mm = True, x + 60.0
    body.samples.append(Sample(100.0, 0, body.x_mm, y, 0.1, body.best))
    tracker.disown_mistaken()
    assert body.moved == ran


@pytest.mark.parametrize(("rests", "share"), [(True, 0.99), (False, 0.99), (True, 0.8)])
def test_a_piece_whose_like_has_come_to_lie_just_where_it_lay_ran_itself(
    rests: bool, share: float
) -> None:
    tracker, body = followed([], lost=0)
    known, (x, y) = body.known, body.home
    body.samples.append(Sample(100.0, 1, x + 60.0, y, 0.3, share * body.best))
    body.x_mm = x + 60.0
    like = replace(body, known=replace(known, name="blue-2", x_mm=x + 90.0), home=(x + 90.0, y))
    like.samples, like.still = [Sample(100.0, 1, x, y, 0.1, body.best)], 3 if rests else 0
    like.x_mm = x
    tracker.bodies.append(like)
    at = Point(known.x_mm, known.y_mm)
    seen = SeenPiece(kind=known.kind, colour=known.colour, at=at, error_mm=0.1)
    tracker.disown_mistaken([seen])
    assert body.moved == (rests and share > 0.9)


def test_a_piece_without_a_way_of_its_own_is_out_of_sight_since_it_lay() -> None:
    tracker, body = followed(LIKE_A_HAND)
    disown(body)
    assert not body.moved
    assert body.samples == []
    assert body.lost == 1
    assert (body.x_mm, body.y_mm) == body.home
    assert "blue-1" in tracker.lost_names()


def test_a_piece_last_seen_in_a_hand_is_hidden_only_while_something_wide_is_there() -> None:
    tracker, body = followed([(30.0, 8.0, 0.6)])
    body.samples[-1].in_hand = True
    assert not tracker.hidden  # the hand has gone, wherever the piece is
    over = np.full_like(tracker.changes.surface, 255)
    tracker.hands.glimpses.append(Glimpse(1400.0, 20_000.0, 90.0, 0.0, over))
    assert tracker.hidden
    body.samples[-1].in_hand = False
    assert not tracker.hidden


@pytest.mark.parametrize(
    ("beside_mm", "kept"), [(0.3, []), (3.0, ["a", "b"])], ids=["just there", "elsewhere"]
)
def test_two_alike_that_seem_to_have_changed_places_beneath_a_hand_have_not_moved(
    beside_mm: float, kept: list[str]
) -> None:
    tracker = tracking(gray(LAID))
    tracker.step(gray(LAID), 0.0, 0)
    one, other = tracker.bodies[:2]
    other.known = replace(
        other.known, kind=one.known.kind, colour=one.known.colour, radius_mm=one.known.radius_mm
    )
    homes = one.home, other.home
    for name, body, (x, y) in (("a", one, homes[1]), ("b", other, homes[0])):
        body.known = replace(body.known, name=name)
        body.moved, body.still, body.lost = True, 5, 0
        body.samples += [Sample(30.0 * k, k, x + beside_mm, y, 0.1, body.best) for k in range(6)]
    tracker.disown_mistaken()
    assert [body.known.name for body in (one, other) if body.moved] == kept


@pytest.mark.parametrize(
    ("kind", "step_mm", "share", "let_go"),
    [
        ("striker", 3.0, 0.6, True),
        ("striker", 3.0, 0.9, False),
        ("striker", 0.02, 0.6, False),
        ("cue-puck", 3.0, 0.6, False),
    ],
    ids=["a hand", "like itself", "at rest", "none that a finger flicks"],
)
def test_a_striker_is_not_followed_where_it_wanders_unlike_itself_in_a_picture_that_stands_still(
    kind: str, step_mm: float, share: float, *, let_go: bool
) -> None:
    tracker = tracking(gray(LAID))
    tracker.step(gray(LAID), 0.0, 0)
    body = tracker.bodies[2]
    body.known = replace(body.known, kind=kind)
    body.moved, body.best = True, 0.95
    body.samples = [
        Sample(60.0 + 33 * k, k, 60.0 + step_mm * k, 0.0, 0.3, share * body.best) for k in range(6)
    ]
    let_go_of_hands(tracker.bodies, tracker.still_since_ms)
    assert (body.held, body.moved, len(body.samples)) == (let_go, not let_go, 0 if let_go else 6)
    assert ((body.x_mm, body.y_mm) == body.home and body.lost == 1) is let_go
