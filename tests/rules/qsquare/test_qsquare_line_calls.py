"""The hole-and-line test of section 4: exact boundaries, errors, and boards drawn otherwise."""

from dataclasses import replace

import pytest
from testkit.qsquare_table import GAME, Table

from rules.board import Board, Line, PieceSpec, Pocket, Shape, Zone
from rules.facts import Contacted, Struck
from rules.games.qsquare.board import default_board
from rules.games.qsquare.options import Options
from rules.games.qsquare.racking import board_words
from rules.games.qsquare.state import Phase
from rules.games.qsquare.zones import Ground, read_ground
from rules.geometry import Point, Seat
from rules.verdicts import Verdict, verdict

S, N = Seat.S, Seat.N
GROUND = read_ground(default_board(), Options())


def worst(ground: Ground, seat: Seat, x: float, y: float) -> float:
    return min(call.margin_mm for call in ground.placement(seat, Point(x, y)))


@pytest.mark.parametrize(
    ("x", "y", "margin"),
    [
        (0.0, -417.5, 0.0),
        (0.0, -417.4, -0.1),
        (0.0, -418.0, 0.5),
        (398.5, -450.0, 0.0),
        (-398.6, -450.0, -0.1),
        (0.0, 0.0, -417.5),
    ],
)
def test_the_cue_puck_is_legal_exactly_to_the_threshold(x: float, y: float, margin: float) -> None:
    assert worst(GROUND, S, x, y) == pytest.approx(margin)


@pytest.mark.parametrize(
    ("margin", "error", "expected"),
    [
        (0.0, 0.0, Verdict.YES),
        (-0.001, 0.0, Verdict.NO),
        (0.196, 0.1, Verdict.YES),
        (0.19, 0.1, Verdict.CLOSE),
        (0.0, 0.1, Verdict.CLOSE),
        (-0.19, 0.1, Verdict.CLOSE),
        (-0.197, 0.1, Verdict.NO),
    ],
)
def test_a_margin_within_its_error_is_too_close(
    margin: float, error: float, expected: Verdict
) -> None:
    assert verdict(margin, error) is expected


@pytest.mark.parametrize(
    ("at", "fault"),
    [((0.0, -417.5), False), ((0.0, -417.4), True), ((398.5, -460.0), False)],
    ids=["tangent shows nothing", "a tenth over", "tangent to the side line"],
)
def test_a_stroke_at_the_threshold_is_legal_and_past_it_a_fault(
    at: tuple[float, float], fault: bool
) -> None:
    table = Table().open().reach(3, 0)
    table.shot("blue-1", at=at)
    assert ("QS-4.4" in table.faults()) is fault


@pytest.mark.parametrize(
    ("y", "code"),
    [(-417.4, "QS-4.4"), (-399.0, "QS-4.4"), (-398.5, "QS-4.1"), (-300.0, "QS-4.1")],
)
def test_past_the_line_with_its_hole_clear_the_cue_puck_is_outside(y: float, code: str) -> None:
    table = Table().open().reach(3, 0)
    table.shot("blue-1", at=(0.0, y))
    assert table.faults() == {code, "QS-8f"}


@pytest.mark.parametrize(
    ("path", "shot"),
    [
        ([(0.0, -417.5), (0.0, -450.0)], False),
        ([(0.0, -417.3), (0.0, -450.0)], True),
        ([(-398.0, -450.0)], False),
        ([(-399.0, -450.0)], True),
    ],
    ids=["tangent", "0.2 mm over", "short of the side line", "over the side line"],
)
def test_a_stroke_is_a_shot_once_the_line_has_shown_in_its_hole(
    path: list[tuple[float, float]], shot: bool
) -> None:
    table = Table().open().reach(3, 0)
    table.shot(None, path=path)
    assert ("QS-8a.3" in table.codes()) is shot
    assert ("QS-X.1" in table.codes()) is not shot


def test_a_crossing_too_close_to_call_is_asked() -> None:
    table = Table().open().reach(3, 0)
    table.shot(None, path=[(0.0, -417.4), (0.0, -450.0)], error_mm=0.2)
    assert table.state.phase is Phase.PENDING_HUMAN
    table.answer("yes")
    assert "QS-X.1" in table.codes()
    assert table.state.shooter is S


@pytest.mark.parametrize(
    ("path", "error_mm", "asked"),
    [
        ([(0.0, -418.1)], 0.5, False),
        ([(0.0, -418.1), (0.0, -450.0)], 0.5, True),
        ([(0.0, -418.3), (0.0, -418.1)], 0.5, False),
    ],
    ids=["it rests there", "it turned there", "it crept to its rest"],
)
def test_where_the_cue_puck_rests_is_known_better_than_its_way(
    path: list[tuple[float, float]], error_mm: float, asked: bool
) -> None:
    table = Table().open().reach(3, 0)
    table.shot(None, path=path, error_mm=error_mm)
    assert (table.state.phase is Phase.PENDING_HUMAN) is asked
    assert ("QS-X.1" in table.codes()) is not asked


@pytest.mark.parametrize(
    ("at", "seats", "dead", "visible"),
    [
        ((-103.0, 0.0), (S,), False, True),
        ((-100.0, 0.0), (S,), True, True),
        ((-98.0, 0.0), (S,), True, True),
        ((-90.0, 0.0), (S,), True, False),
        ((99.0, 99.0), (S,), False, True),
        ((95.0, 95.0), (S,), True, True),
        ((-408.0, -450.0), (S,), True, True),
        ((-408.0, -408.0), (S,), True, True),
        ((408.0, 450.0), (S,), False, True),
        ((408.0, 450.0), (N,), True, True),
        ((0.0, -408.0), (S,), True, True),
        ((0.0, -407.9), (S,), False, True),
        ((0.0, 450.0), (S,), False, False),
        ((0.0, 450.0), (S, N), True, False),
        ((120.0, 0.0), (S,), False, False),
    ],
)
def test_a_puck_is_dead_from_half_inside(
    at: tuple[float, float], seats: tuple[Seat, ...], dead: bool, visible: bool
) -> None:
    call = GROUND.dead(seats, Point(*at), 12.5, 4.0)
    assert (verdict(call.margin_mm, 0.0) is Verdict.YES) is dead
    if call.share > 0:
        assert call.line_visible is visible


def test_the_margin_on_a_straight_edge_is_the_distance_to_it() -> None:
    for x in (-103.0, -101.25, -100.0, -98.0, -95.5):
        call = GROUND.dead((S,), Point(x, 0.0), 12.5, 4.0)
        assert call.margin_mm == pytest.approx(100.0 + x)


def test_a_dead_puck_too_close_to_call_is_asked_only_where_it_matters() -> None:
    for drops, asked in (([], True), (["blue-2"], True)):
        table = Table().open().reach(3, 0)
        table.put("blue-1", -100.05, 0.0, error_mm=0.1)
        table.settle()
        table.hush()
        table.shot("blue-1", drops=drops)
        assert any(r.question for r in table.told) is asked
    table = Table().open().reach(3, 0)
    table.put("blue-2", -100.05, 0.0, error_mm=0.1)
    table.settle()
    table.hush()
    table.shot("blue-1")
    assert not any(r.question for r in table.told)


def test_all_dead_is_asked_puck_by_puck_when_one_is_too_close() -> None:
    table = Table().open().reach(6, 0)
    table.put("blue-1", 200.0, -440.0)
    table.put("blue-2", -100.05, 0.0, error_mm=0.1)
    table.settle()
    table.hush()
    table.shot(None)
    assert table.state.phase is Phase.PENDING_HUMAN
    (ruling,) = [r for r in table.told if r.question]
    assert ruling.pieces == ("blue-2",)
    table.answer("yes")
    assert "QS-8n.1" in table.codes()


def outline(half: float) -> tuple[Point, ...]:
    return (Point(-half, -half), Point(half, -half), Point(half, half), Point(-half, half))


def club_board() -> Board:
    """A board drawn like real ones: full-width homes, arcs at the corners, a narrow band."""
    built_in = default_board()
    front = 386.0
    names = {"S": (0, -1), "E": (1, 0), "N": (0, 1), "W": (-1, 0)}
    lines, zones = [], []
    for seat, (ux, uy) in names.items():
        ends = tuple(Point(front * ux + 508 * k * uy, front * uy + 508 * k * ux) for k in (-1, 1))
        far = tuple(Point(508 * ux + 508 * k * uy, 508 * uy + 508 * k * ux) for k in (1, -1))
        lines.append(Line(id=f"home-{seat}", colour="black", width_mm=3.0, points=ends))
        zones.append(
            Zone(
                id=f"home-{seat}",
                kind="home",
                seat=Seat(seat),
                polygon=(*ends, *far),
                bounded_by=(f"home-{seat}",),
            )
        )
    for name, kind, half, width in (
        ("central", "central", 150.0, 3.0),
        ("central-red", "dead-centre", 132.0, 2.5),
    ):
        lines.append(
            Line(id=name, colour="red", width_mm=width, points=(*outline(half), outline(half)[0]))
        )
        zones.append(Zone(id=name, kind=kind, polygon=outline(half), bounded_by=(name,)))
    for name, x, y in (("SW", -1, -1), ("SE", 1, -1), ("NE", 1, 1), ("NW", -1, 1)):
        corner = Point(508.0 * x, 508.0 * y)
        id = f"pocket-zone-{name}"
        lines.append(Line(id=id, colour="black", width_mm=2.5, centre=corner, radius_mm=140.0))
        zones.append(
            Zone(
                id=id,
                kind="pocket-zone",
                centre=corner,
                radius_mm=140.0,
                corner=name,
                bounded_by=(id,),
            )
        )

    def ring(kind: str, colour: str, diameter: float, hole: float) -> PieceSpec:
        return PieceSpec(
            kind=kind,
            colour=colour,
            shape=Shape.RING,
            diameter_mm=diameter,
            thickness_mm=7.0,
            hole_mm=hole,
        )

    return replace(
        built_in,
        name="a club's board",
        lines=tuple(lines),
        zones=tuple(zones),
        pockets=tuple(
            Pocket(id=n, centre=Point(467.0 * x, 467.0 * y), radius_mm=38.0)
            for n, x, y in (("SW", -1, -1), ("SE", 1, -1), ("NE", 1, 1), ("NW", -1, 1))
        ),
        pieces=(
            ring("cue-puck", "natural", 47.0, 14.0),
            ring("puck", "red", 30.0, 9.0),
            ring("puck", "black", 30.0, 9.0),
            ring("queen", "white", 25.0, 8.5),
        ),
    )


def test_on_a_club_board_only_the_front_line_bounds_the_home_zone() -> None:
    ground = read_ground(club_board(), Options())
    calls = ground.placement(S, Point(-480.0, -450.0))
    assert [call.line for call in calls] == ["home-S"]
    assert calls[0].margin_mm == pytest.approx(64.0 - 7.0 - 1.5)


def test_on_a_club_board_overlapping_dead_zones_are_united() -> None:
    ground = read_ground(club_board(), Options())
    wholly = ground.dead((S,), Point(-480.0, -410.0), 15.0, 4.5)
    assert wholly.share == 1.0
    above = ground.dead((S,), Point(-470.0, -380.0), 15.0, 4.5)
    alone = ground.dead((S,), Point(0.0, -380.0), 15.0, 4.5)
    assert above.share > alone.share
    assert verdict(alone.margin_mm, 0.0) is Verdict.NO


def test_on_a_club_board_pucks_stand_astride_the_narrow_band() -> None:
    table = Table(board=club_board(), players=())
    assert "narrower than a puck" in board_words(table.state.terms)
    assert table.state.terms.colours == ("red", "black")
    table.say("lot", "S")
    table.say("break", "S")
    table.pieces = {}
    for n in range(8):
        table.put(f"red-{n + 1}", -105.0 + 30.0 * n, -141.0)
        table.put(f"black-{n + 1}", -105.0 + 30.0 * n, 141.0)
    table.put("queen", 0.0, 0.0)
    table.settle()
    assert table.state.phase is Phase.AIMING
    again = Table(board=club_board(), players=())
    again.say("lot", "S")
    again.say("break", "S")
    again.pieces = dict(table.pieces)
    again.put("red-4", -15.0, -131.0)
    again.settle()
    assert again.state.phase is Phase.RACKING
    assert "QS-3.1" in again.codes()


@pytest.mark.parametrize(
    ("off_mm", "error_mm", "asked", "accepted"),
    [
        (5.0, 0.0, False, True),
        (5.01, 0.0, False, False),
        (4.7, 0.13, False, True),
        (4.9, 0.13, True, None),
        (5.25, 0.13, True, None),
        (5.3, 0.13, False, False),
    ],
)
def test_a_puck_about_five_millimetres_off_its_spot_is_asked_about(
    off_mm: float, error_mm: float, asked: bool, accepted: bool | None
) -> None:
    def served() -> Table:
        table = Table().open().reach(3, 0)
        table.shot("blue-1", cue="falls")
        table.put("blue-8", 0.0, 495.5 - off_mm, error_mm=error_mm)
        table.home()
        table.settle()
        return table

    if not asked:
        assert (served().state.phase is Phase.AIMING) is accepted
        assert served().state.pending is None
        return
    yes, no = served(), served()
    assert yes.state.pending is not None
    assert yes.state.pending.question.key == "spot-blue-8"
    yes.answer("yes")
    assert yes.state.phase is Phase.AIMING
    no.answer("no")
    assert no.state.phase is Phase.SERVICE
    assert [task.done for task in GAME.scoreboard(no.state).tasks] == [False, True]
    assert any(f"{off_mm:.1f} mm from its spot" in ruling.words for ruling in no.told)


def test_a_puck_too_close_to_its_spot_s_bound_is_not_asked_about_while_another_is_missing() -> None:
    table = Table().open().reach(3, 0)
    table.shot("blue-1", drops=["blue-2"], cue="falls")
    table.put("blue-8", 0.0, 490.4, error_mm=0.13)
    table.home()
    table.settle()
    assert table.state.phase is Phase.SERVICE
    assert table.state.pending is None


@pytest.mark.parametrize(
    ("by_mm", "codes"),
    [(1.6, set()), (2.1, {"QS-X.19"}), (2.5, {"QS-X.21"})],
    ids=["surely not moved", "too close", "surely moved"],
)
def test_a_puck_that_the_dragged_cue_puck_shifts_by_about_two_millimetres_is_asked_about(
    by_mm: float, codes: set[str]
) -> None:
    table = Table().open().reach(3, 0)
    at = table.pieces["blue-1"].at
    table.tell(
        Struck(at_ms=table.tick(), piece="cue-puck", at=Point(0.0, 300.0), dragged=True),
        Contacted(at_ms=table.tick(), a="cue-puck", b="blue-1", at=at),
    )
    table.put("blue-1", at.x_mm, at.y_mm - by_mm, error_mm=0.15)
    table.settle()
    assert table.codes() & {"QS-X.19", "QS-X.21"} == codes


@pytest.mark.parametrize(
    ("by_mm", "codes"),
    [
        (0.4, {"QS-X.18"}),
        (1.9, {"QS-X.19"}),
        (2.1, {"QS-X.19"}),
        (2.6, {"QS-X.18", "QS-8a.4"}),
    ],
    ids=["surely not moved", "too close below", "too close above", "surely moved"],
)
def test_whether_an_own_puck_the_cue_puck_rested_against_was_hit_is_asked_near_two_millimetres(
    by_mm: float, codes: set[str]
) -> None:
    table = Table().open().reach(3, 0)
    table.put("red-2", 0.0, -412.5, error_mm=0.1)
    table.settle()
    table.hush()
    table.shot("blue-1", moves={"red-2": (0.0, -412.5 + by_mm)}, error_mm=0.1)
    assert table.codes() & {"QS-X.18", "QS-X.19", "QS-8a.4"} == codes


def test_a_note_that_says_one_thing_or_the_other_is_not_given_where_that_makes_no_difference() -> (
    None
):
    table = Table().open().reach(3, 0)
    table.put("blue-2", 0.0, -412.5, error_mm=0.1)
    table.settle()
    table.hush()
    table.shot("blue-1", moves={"blue-2": (0.0, -410.5)}, error_mm=0.1)
    assert table.codes() & {"QS-X.18", "QS-X.19"} == {"QS-X.19"}
    assert not any(ruling.question for ruling in table.told)
