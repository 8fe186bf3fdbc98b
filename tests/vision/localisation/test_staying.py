"""What a second look at a table takes over from the first: pieces, and guesses that were none."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from testkit.reference_tables import TABLES, reference_table

from calibration.relight import relight
from vision.appearance.view import view_of
from vision.detection.detect import Guess, choose, find
from vision.detection.edges import edges_of
from vision.frame import Picture
from vision.localisation.stand import Fit
from vision.localisation.standing import is_hopeless, is_none
from vision.localisation.staying import Staying, unchanged
from vision.observe import Look, look

OAK = TABLES / "qsquare-oak"
BARE_MM = (-60.0, -380.0)


def guess(x_mm: float, y_mm: float, look: int = 1) -> Guess:
    return Guess(
        look=look, x_mm=x_mm, y_mm=y_mm, rim=0.6, bore=0.5, colour=2.0, change=0.1, round=0.6
    )


@pytest.fixture(scope="module")
def seen() -> tuple[Picture, Look]:
    """A picture, and a look at it that refused a guess where the board is bare."""
    picture = np.asarray(cv2.imread(str(OAK / "stills" / "010.jpg")), dtype=np.uint8)
    first = look(picture, reference_table("qsquare-oak"))
    return picture, replace(first, refused=(guess(*BARE_MM),))


def painted(picture: Picture, first: Look) -> Picture:
    """The picture with something dark laid where the guess was refused."""
    assert first.scene is not None
    at = first.scene.view.table.camera.project(np.array([[*BARE_MM, 0.0]]))[0].astype(int)
    changed = picture.copy()
    cv2.circle(changed, (int(at[0]), int(at[1])), 12, (20, 20, 20), -1)
    return changed


def test_what_was_no_piece_is_none_as_long_as_nothing_changes_there(
    seen: tuple[Picture, Look],
) -> None:
    picture, first = seen
    table = reference_table("qsquare-oak")
    assert look(picture, table, first).refused == first.refused
    again = look(painted(picture, first), table, first)
    assert not any(g == first.refused[0] for g in again.refused)


def test_guesses_that_stand_in_a_piece_are_left_out_and_no_others(
    seen: tuple[Picture, Look],
) -> None:
    picture, first = seen
    table = reference_table("qsquare-oak")
    view = view_of(table)
    relit = relight(picture, table.empty, view.box, view.surface)
    edges = edges_of(relit, view.surface)
    among = [(f.look, f.fit.x_mm, f.fit.y_mm) for f in first.found[::2]]
    every, apart = find(view, relit, edges), find(view, relit, edges, among=among)
    assert 0 < len(apart) < len(every)
    assert choose(view, apart, among=among) == choose(view, every, among=among)


def test_where_the_light_is_new_all_is_looked_at_again(seen: tuple[Picture, Look]) -> None:
    picture, first = seen
    dim = np.asarray(picture * 0.6, dtype=np.uint8)
    darker = look(dim, reference_table("qsquare-oak")).scene
    assert first.scene is not None
    assert darker is not None
    assert unchanged(first.scene, darker, first.found, first.refused) == Staying()


@pytest.mark.parametrize(
    ("what", "offered", "left"),
    [
        ("the same again, beside it by noise", guess(101.0, 51.0), 0),
        ("another colour there", guess(100.0, 50.0, look=2), 1),
        ("the same elsewhere", guess(106.0, 50.0), 1),
    ],
)
def test_a_refused_guess_is_known_by_its_look_and_place(
    what: str, offered: Guess, left: int
) -> None:
    staying = Staying(refused=(guess(100.0, 50.0),))
    assert len(staying.without_refused([offered])) == left


@pytest.mark.parametrize(
    ("what", "noise", "explained", "none", "hopeless"),
    [
        ("as well as the others", 1.2, 0.95, False, False),
        ("badly, as pale as the board", 1.3, 0.3, False, False),
        ("a start off by the foot", 4.0, 0.7, True, False),
        ("nothing that is round", 7.0, 0.2, True, True),
    ],
)
def test_a_guess_is_given_up_where_much_more_than_usual_is_left_over(
    what: str, noise: float, explained: float, none: bool, hopeless: bool
) -> None:
    found = Fit(
        x_mm=0.0,
        y_mm=0.0,
        covariance=np.eye(2),
        noise=noise,
        explained=explained,
        left=1.0,
        visible=1.0,
    )
    assert is_none(found, usual=1.2) == none
    assert is_hopeless(found, usual=1.2) == hopeless
