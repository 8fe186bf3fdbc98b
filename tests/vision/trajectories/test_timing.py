"""How sure times are; falls straight from rest, slow pushes, rebounds and hits that are hidden."""

from dataclasses import replace
from math import ceil, hypot

import numpy as np
import pytest
from testkit.tracks import played, random_shot, tracks_of

from rules.facts import Contacted, Cushioned, Fact, Pocketed, Rebounded, Struck, Unclear
from rules.geometry import Seat
from sightline.simulated.boards import club_board
from sightline.simulated.physics import Run
from sightline.simulated.pieces import Lying, surface_of
from vision.telling.spell_facts import spell_facts
from vision.tracking.track import Track
from vision.trajectories.gone import until_gone
from vision.trajectories.leaving import lost_into
from vision.trajectories.shots import solve_tracks
from vision.trajectories.timeline import Timeline
from vision.trajectories.timelines import timelines

BOARD = club_board()
FPS = 60.0
EXPOSURE_S = 0.004


def piece(name: str, kind: str, x_mm: float, y_mm: float) -> Lying:
    spec = next(s for s in BOARD.pieces if s.kind == kind)
    return Lying(name=name, spec=spec, x_mm=x_mm, y_mm=y_mm)


def sampled(run: Run, lying: tuple[Lying, ...], seed: int = 4) -> tuple[list[Track], float]:
    return tracks_of(run, lying, fps=FPS, noise_mm=0.15, exposure_s=EXPOSURE_S, seed=seed)


def told(tracks: list[Track], end_s: float) -> list[Fact]:
    spell = solve_tracks(tracks, BOARD, frame_s=1 / FPS, until_s=end_s, exposure_s=EXPOSURE_S)
    return spell_facts(spell)


def test_told_errors_hold_what_they_promise() -> None:
    inside = total = 0
    for seed in range(700, 720):
        lying, run = random_shot(seed, BOARD)
        for fact in told(*sampled(run, lying, seed)):
            match fact:
                case Contacted(a=a, b=b):
                    true = [h for h in run.happenings if {h.a, h.b} == {a, b}]
                case Cushioned(piece=name, border=side):
                    true = [h for h in run.happenings if (h.a, h.where) == (name, side.value)]
                case _:
                    continue
            off = min((abs(fact.at_ms - 1000 * h.at_s) for h in true), default=1e9)
            if off < 100:
                total += 1
                inside += off < 2 * fact.error_ms
    assert total > 60
    assert inside >= 0.9 * total


def test_a_sample_during_the_contact_does_not_shift_its_time() -> None:
    # the contact falls into the middle of an exposure: that place is a mixture of both ways
    lying = (piece("cue-puck", "cue-puck", 0, -300), piece("red-1", "puck", 0, 40))
    free = next(h for h in played(BOARD, lying, (0, 1600)).happenings if h.what == "contact")
    middle = (int(free.at_s * FPS) + 0.5 * EXPOSURE_S * FPS) / FPS
    run = played(BOARD, lying, (0, 1600), start_s=0.35 + middle - free.at_s)
    hit = next(f for f in told(*sampled(run, lying)) if isinstance(f, Contacted))
    assert hit.at_ms == pytest.approx(1000 * middle, abs=0.3)


def test_a_touch_just_before_a_place_was_measured_spoils_that_place_for_the_strike_too() -> None:
    # it hardly turns the striker, so that the place after it seems to lie on the way before it
    fps, exposure_s = 30.0, 0.006
    cue, man = piece("cue-puck", "cue-puck", 0, -300), piece("red-1", "puck", 0, -100)
    lying = (cue, replace(man, x_mm=0.7 * (cue.radius_mm + man.radius_mm)))
    free = next(h for h in played(BOARD, lying, (0, 2300)).happenings if h.what == "contact")
    start_s = 0.35 + (ceil(free.at_s * fps) - 0.04) / fps - free.at_s
    run = played(BOARD, lying, (0, 2300), start_s=start_s)
    tracks, end_s = tracks_of(run, lying, fps=fps, noise_mm=0.15, exposure_s=exposure_s, seed=4)
    spell = solve_tracks(tracks, BOARD, frame_s=1 / fps, until_s=end_s, exposure_s=exposure_s)
    struck = next(f for f in spell_facts(spell) if isinstance(f, Struck))
    assert struck.at_ms == pytest.approx(1000 * start_s, abs=0.1)


def test_a_first_touch_on_a_way_seen_twice_is_as_uncertain_as_the_strike() -> None:
    fps, exposure_s = 30.0, 0.006
    lying, run = random_shot(721, BOARD)
    tracks, end_s = tracks_of(run, lying, fps=fps, noise_mm=0.15, exposure_s=exposure_s, seed=721)
    spell = solve_tracks(tracks, BOARD, frame_s=1 / fps, until_s=end_s, exposure_s=exposure_s)
    hit = next(f for f in spell_facts(spell) if isinstance(f, Contacted))
    true = next(h for h in run.happenings if {h.a, h.b} == {hit.a, hit.b})
    assert abs(hit.at_ms - 1000 * true.at_s) < 2 * hit.error_ms


def test_a_piece_that_falls_straight_from_its_rest_was_touched_before() -> None:
    pocket = next(p for p in BOARD.pockets if p.id == "NE")
    x, y = pocket.centre.x_mm, pocket.centre.y_mm
    size = hypot(x, y)
    near = size - pocket.radius_mm - 16
    lying = (
        piece("cue-puck", "cue-puck", 0.4 * x, 0.4 * y),
        piece("red-1", "puck", x / size * near, y / size * near),
    )
    run = played(BOARD, lying, (3800 * x / size, 3800 * y / size))
    facts = told(*sampled(run, lying))
    hit = next(f for f in facts if isinstance(f, Contacted))
    true = next(h for h in run.happenings if h.what == "contact")
    assert hit.at_ms == pytest.approx(1000 * true.at_s, abs=0.5)
    assert any(isinstance(f, Pocketed) and f.piece == "red-1" for f in facts)


@pytest.mark.parametrize(
    ("x_mm", "told"), [(455.0, "SE"), (120.0, None)], ids=["beside a pocket", "far from any"]
)
def test_a_piece_lost_at_a_cushion_fell_only_where_a_pocket_is(
    x_mm: float, told: str | None
) -> None:
    # 1 m/s towards the border S, a little to the right, and not seen again
    t = np.arange(12) / FPS
    lying = piece("red-1", "puck", x_mm - 25.0, -250.0)
    run_s = np.maximum(t - 2.5 / FPS, 0.0)
    track = Track(
        "red-1",
        "puck",
        lying.radius_mm,
        1.0,
        (lying.x_mm, lying.y_mm),
        0.05,
        t,
        lying.x_mm + 150.0 * run_s,
        lying.y_mm - 1500.0 * run_s,
        np.full(12, 0.2),
        lost=True,
    )
    line = lost_into(timelines([track], BOARD, 1 / FPS, 2.0)[0], BOARD, 1 / FPS)
    expected = "pocketed" if told else "off_board"
    assert (line.ending.kind, line.ending.pocket or None) == (expected, told)


@pytest.mark.parametrize(
    ("x_mm", "along_mm_s", "kind"),
    [
        (395.0, 300.0, "lost"),
        (415.0, 40.0, "lost"),
        (440.0, -300.0, "off_board"),
        (120.0, 300.0, "off_board"),
    ],
    ids=["towards the pocket", "straight", "away from the pocket", "far from any"],
)
def test_a_fast_piece_lost_at_the_border_beside_a_pocket_that_it_may_have_turned_into_stays_lost(
    x_mm: float, along_mm_s: float, kind: str
) -> None:
    t = np.arange(4) / 30
    x, y = x_mm + along_mm_s * t, -250.0 - 2000.0 * t
    track = Track("red-1", "puck", 12.5, 1.0, (x_mm, -250.0), 0.05, t, x, y, np.full(4, 0.2), True)
    line = timelines([track], BOARD, 1 / 30, 2.0)[0]
    ending = lost_into(line, BOARD, 1 / 30).ending
    assert (ending.kind, ending.inferred) == (kind, kind == "off_board")


@pytest.mark.parametrize(("speed_mm_s", "kind"), [(4000.0, "lost"), (1700.0, "pocketed")])
def test_a_piece_lost_on_its_way_to_a_mouth_fell_unless_it_may_have_flown_over_it(
    speed_mm_s: float, kind: str
) -> None:
    pocket = next(p for p in BOARD.pockets if p.id == "SE").centre
    t = np.arange(4) / 30
    far = speed_mm_s * (t - t[-1]) / 2**0.5 - 60.0
    x, y = pocket.x_mm + far, pocket.y_mm - far
    home = (float(x[0]), float(y[0]))
    track = Track("red-1", "puck", 12.5, 1.0, home, 0.05, t, x, y, np.full(4, 0.2), True)
    line = timelines([track], BOARD, 1 / 30, 2.0)[0]
    assert lost_into(line, BOARD, 1 / 30).ending.kind == kind


@pytest.mark.parametrize(("far_mm", "kind"), [(45.0, "lost"), (15.0, "pocketed")])
@pytest.mark.parametrize("place", [slice(None), slice(2, None)], ids=["", "hardly seen at rest"])
def test_a_piece_seen_once_on_its_way_to_a_mouth_may_be_faster_than_that_place_tells(
    place: slice, far_mm: float, kind: str
) -> None:
    """It lay until a frame before; it may have been hit at any time since then."""
    pocket = next(p for p in BOARD.pockets if p.id == "SE").centre
    home = (pocket.x_mm - 60.0, pocket.y_mm + 60.0)
    t = np.arange(5) / 30
    far = np.array([0.0, 0.0, 0.0, 0.0, far_mm]) / 2**0.5
    x, y = home[0] + far, home[1] - far
    track = Track("red-1", "puck", 12.5, 1.0, home, 0.05, t, x, y, np.full(5, 0.2), True)
    line = timelines([track.part(place)], BOARD, 1 / 30, 2.0)[0]
    assert lost_into(line, BOARD, 1 / 30).ending.kind == kind


@pytest.mark.parametrize(("aside_mm", "kind"), [(-5.0, "lost"), (-25.0, "off_board")])
def test_a_fast_piece_seen_once_at_a_cushion_and_lost_may_have_run_on_along_it(
    aside_mm: float, kind: str
) -> None:
    t = np.arange(5) / 30
    part = np.array([0.0, 0.0, 0.0, 0.0, 1.0])
    home = (-27.2, -495.0)
    x, y = home[0] - 55.0 * part, home[1] + aside_mm * part
    track = Track("red-1", "puck", 12.5, 1.0, home, 0.05, t, x, y, np.full(5, 0.2), True)
    line = timelines([track], BOARD, 1 / 30, 2.0)[0]
    assert lost_into(line, BOARD, 1 / 30).ending.kind == kind


@pytest.mark.parametrize(
    ("speed_mm_s", "kind"), [(4000.0, "left"), (2500.0, "left"), (1400.0, "pocketed")]
)
def test_a_piece_seen_in_a_mouth_and_no_more_fell_unless_it_may_have_flown_over_the_border(
    speed_mm_s: float, kind: str
) -> None:
    pocket = next(p for p in BOARD.pockets if p.id == "SE")
    t = np.arange(5) / 30
    far = (speed_mm_s * (t - t[-1]) + 0.5 * pocket.radius_mm) / 2**0.5
    x, y = pocket.centre.x_mm + far, pocket.centre.y_mm - far
    home = (float(x[0]), float(y[0]))
    track = Track("red-1", "puck", 12.5, 1.0, home, 0.05, t, x, y, np.full(5, 0.2), True)
    ending = timelines([track], BOARD, 1 / 30, 2.0)[0].ending
    assert (ending.kind, ending.pocket) == (kind, "SE")


@pytest.mark.parametrize(("frames_since", "kind"), [(3, "lost"), (7, "off_board")])
def test_a_piece_lost_just_after_it_seemed_to_come_out_of_a_mouth_is_not_inferred_to_have_jumped(
    frames_since: int, kind: str
) -> None:
    # into the mouth SE, where it sinks; what comes back along the border S is one of its look
    pocket = next(p for p in BOARD.pockets if p.id == "SE").centre
    t = np.arange(4 + frames_since) / 30
    there, back = 60.0 * np.arange(3, -1, -1), np.arange(1, frames_since + 1)
    x = pocket.x_mm - np.concatenate([there, 40.0 * back])
    y = pocket.y_mm + np.concatenate([there, 140.0 - (140.0 - 20.0) * back / frames_since])
    home, sigma = (float(x[0]), float(y[0])), np.full(len(t), 0.2)
    track = Track("red-1", "puck", 12.5, 1.0, home, 0.05, t, x, y, sigma, True)
    line = timelines([track], BOARD, 1 / 30, 2.0)[0]
    assert line.rebounds
    assert lost_into(line, BOARD, 1 / 30).ending.kind == kind


def test_a_piece_turned_at_a_cushion_and_seen_once_more_went_where_it_then_ran() -> None:
    # to the border W, and turned there by another piece towards the pocket SW
    way = [(-349.2, -257.5), (-419.6, -284.2), (-490.0, -310.9), (-484.9, -389.8)]
    x, y = np.array(way).T
    t = 1 + np.arange(4) / 30
    track = Track("red-1", "puck", 12.5, 1.0, way[0], 0.05, t, x, y, np.full(4, 0.2), True)
    line = timelines([track], BOARD, 1 / 30, 2.0)[0]
    ends = [lost_into(each, BOARD, 1 / 30).ending for each in (line, _unturned(line))]
    assert [(end.kind, end.pocket) for end in ends] == [("pocketed", "SW"), ("off_board", "")]


def _unturned(line: Timeline) -> Timeline:
    """The same without the place at which it was seen last."""
    return replace(line, track=line.track.part(slice(-1)))


def test_a_push_of_two_millimetres_is_a_contact() -> None:
    lying = (piece("cue-puck", "cue-puck", 0, -300), piece("red-1", "puck", 0, 0))
    gap = 300 - lying[0].radius_mm - lying[1].radius_mm
    speed = (2 * 1500 * gap + 70**2) ** 0.5  # 70 mm/s are left when it arrives
    run = played(BOARD, lying, (0, speed))
    true = next(h for h in run.happenings if h.what == "contact")
    facts = told(*sampled(run, lying))
    hit = next(f for f in facts if isinstance(f, Contacted))
    assert abs(hit.at_ms - 1000 * true.at_s) < 3 * hit.error_ms + 2


def test_a_rebound_between_two_frames_is_told() -> None:
    lying, run = random_shot(114, BOARD)
    true = {(h.a, h.where) for h in run.happenings if h.what == "rebounded"}
    facts = told(*sampled(run, lying, 114))
    assert {(f.piece, f.pocket) for f in facts if isinstance(f, Rebounded)} == true != set()


@pytest.mark.parametrize(
    ("way", "rebounds"),
    [
        ([(-90.0, 0.0), (-30.0, 0.0), (-60.0, -30.0), (-110.0, -60.0)], True),
        ([(-90.0, 45.0), (-20.0, 32.2), (-50.0, -30.0), (-110.0, -60.0)], False),
        ([(-70.0, -70.0), (0.0, 0.0), (60.0, 60.0), (120.0, 120.0)], False),
    ],
    ids=["into the mouth and back", "along its rim", "over it and the border, in the air"],
)
def test_only_what_surely_was_in_a_mouth_and_came_back_rebounded(
    way: list[tuple[float, float]], rebounds: bool
) -> None:
    pocket = next(p for p in BOARD.pockets if p.id == "NE")
    x, y = (np.array(part) for part in zip(*way, strict=True))
    x, y = x + pocket.centre.x_mm, y + pocket.centre.y_mm
    t, home = np.arange(4) / FPS, (float(x[0]), float(y[0]))
    track = Track("red-1", "puck", 12.5, 1.0, home, 0.1, t, x, y, np.full(4, 0.2))
    assert [name for _, name in until_gone(track, BOARD, 1 / FPS)[2]] == ["NE"] * rebounds


def test_near_ties_are_told_so_that_their_order_stays_open() -> None:
    base = (piece("cue-puck", "cue-puck", 0, -300), piece("red-1", "puck", 0, 0))
    side = 0.8 * (base[0].radius_mm + base[1].radius_mm)
    lying = (
        base[0],
        replace(base[1], x_mm=-side, y_mm=40.0),
        replace(base[1], name="red-2", x_mm=side, y_mm=40.02),
    )
    facts = told(*sampled(played(BOARD, lying, (0, 1500)), lying))
    first, second = [f for f in facts if isinstance(f, Contacted)][:2]
    assert second.at_ms - first.at_ms < 2 * hypot(first.error_ms, second.error_ms)


def test_a_turn_that_nothing_seen_explains_is_asked_about() -> None:
    lying = (piece("cue-puck", "cue-puck", -5, -300), piece("red-1", "puck", 12, 40))
    tracks, end = sampled(played(BOARD, lying, (0, 1600)), lying)
    none = np.zeros(0)
    hidden = [
        track if track.name == "cue-puck" else replace(track, t=none, x=none, y=none, sigma=none)
        for track in tracks
    ]
    facts = told(hidden, end)
    assert any(isinstance(f, Struck) for f in facts)
    assert not any(isinstance(f, Contacted) for f in facts)
    asked = next(f for f in facts if isinstance(f, Unclear))
    named = {f.b for answer in asked.answers for f in answer if isinstance(f, Contacted)}
    assert named == {"red-1"}
    assert () in asked.answers
    assert len(asked.words) == len(asked.answers)


def test_a_place_that_passes_for_home_and_for_the_end_tells_no_stroke() -> None:
    # a millimetre and a half under a cue that half hides the piece: it came, but nobody saw when
    t = np.arange(40) / FPS
    x = np.select([t < 0.2, t < 0.5], [0.0, 0.75], 1.5)
    sigma = np.where((t >= 0.2) & (t < 0.5), 0.33, 0.05)
    track = Track(
        *("cue-puck", "cue-puck", 31.0, 1.0, (0.0, 0.0), 0.05), t=t, x=x, y=0 * t, sigma=sigma
    )
    assert told([track], 0.8) == []


@pytest.mark.parametrize("seed", range(20))
def test_a_strike_is_not_timed_by_a_way_that_began_at_a_touch(seed: int) -> None:
    # a hand hides the striker, the puck that it touches at once, and how both set off
    lying = (
        piece("cue-puck", "cue-puck", 0, -300),
        piece("red-1", "puck", 1.0, -235),
        piece("red-2", "puck", 1.0, -110),
    )
    run = played(BOARD, lying, (0, 1600))
    tracks, end = sampled(run, lying, seed)
    struck_s = run.start_s
    cue, first, other = tracks
    seen = cue.t > struck_s + 0.13
    none = np.zeros(0)
    hidden = [
        replace(cue.part(np.flatnonzero(seen)), lay_s=struck_s - 0.03),
        replace(first, t=none, x=none, y=none, sigma=none),
        other.part(np.flatnonzero(other.t > struck_s + 0.1)),
    ]
    [strike] = [f for f in told(hidden, end) if isinstance(f, Struck)]
    assert strike.piece == "cue-puck"
    assert abs(strike.at_ms - 1000 * struck_s) < 3 * strike.error_ms


def test_a_place_is_known_worse_the_farther_the_piece_ran_while_the_shutter_was_open() -> None:
    t = np.arange(8) / 30
    x = np.array([0.0, 0.0, 30.0, 120.0, 210.0, 300.0, 310.0, 320.0])
    track = Track("striker", "striker", 20.65, 427.0, (0.0, 0.0), 0.1, t, x, 0 * x, 0 * x + 0.2)
    sigma = track.smeared(0.006).sigma
    at_rest, set_off, fast, slowed = sigma[0], sigma[2], sigma[4], sigma[6]
    assert at_rest == pytest.approx(0.2)
    assert set_off == pytest.approx(fast)  # nobody knows when it set off: as fast as it goes on
    assert 0.4 < fast < 0.7
    assert slowed < 0.3
    assert list(track.smeared(0.0).sigma) == list(track.sigma)


@pytest.mark.parametrize("sigma_mm", [0.17, 0.19, 0.2, 0.21, 0.23])
def test_a_strike_is_uncertain_where_a_touch_unseen_spoils_the_second_place_seen(
    sigma_mm: float,
) -> None:
    # seen once on its way and once just after it was turned: from there its way leads on to a man
    # all the same, but not back to where it lay
    run = [(87.0, -152.2), (38.4, -79.9), (29.1, -84.4), (24.6, -90.4), (20.6, -95.5)]
    run += [(17.2, -99.7), (14.4, -103.2), (12.3, -106.0), (10.7, -107.9), (9.8, -109.0)]
    hit = [(-135.0, 3.6), (-169.6, 4.9), (-203.7, 6.3), (-236.6, 7.7), (-268.3, 9.0)]
    hit += [(-299.4, 10.4), (-329.4, 11.7)]
    lay, man = (150.0, -252.1), (25.8, -45.4)
    ways = (
        ("cue-puck", "cue-puck", 20.65, lay, 0.103, 0.17 + np.arange(10) / 30, run),
        ("red-1", "puck", 15.5, man, 0.167, 0.203 + np.array([0, *range(2, 9)]) / 30, [man, *hit]),
    )
    tracks = [
        Track(name, kind, r, r * r, home, 0.1, t, *np.array(seen).T, t * 0 + sigma_mm, lay_s=lay_s)
        for name, kind, r, home, lay_s, t, seen in ways
    ]
    spell = solve_tracks(tracks, BOARD, frame_s=1 / 30, until_s=1.0, exposure_s=0.006)
    (strike,) = (k for k in spell.knocks if k.kind == "strike")
    assert abs(strike.t_s - 0.133) < 3 * strike.error_s  # the first way is 118 mm, at 3270 mm/s


@pytest.mark.parametrize(
    ("at", "push"),
    [
        ((-171.6, 12.4), (2768, 1614)),
        ((136.3, -8.1), (1068, 2073)),
        ((117.4, -25.8), (1370, 2513)),
        ((-180.6, 24.2), (3048, 1689)),
        ((-16.1, 61.9), (1774, 1202)),
    ],
)
def test_a_cushion_over_a_mouth_is_timed_roughly_as_the_rim_takes_some_of_the_speed(
    at: tuple[float, float], push: tuple[float, float]
) -> None:
    board = club_board("carrom", (960, 720))
    man = next(s for s in board.pieces if s.kind == "carromman")
    lying = (Lying(name="cue-puck", spec=man, x_mm=at[0], y_mm=at[1]),)
    run = played(board, lying, push)
    tracks, end = tracks_of(run, lying, fps=30, noise_mm=0.15, exposure_s=0.004, seed=4)
    facts = spell_facts(solve_tracks(tracks, board, frame_s=1 / 30, until_s=end, exposure_s=0.004))
    cushions = [f for f in facts if isinstance(f, Cushioned)]
    assert cushions
    for fact in cushions:
        true = [h.at_s for h in run.happenings if (h.what, h.where) == ("cushion", fact.border)]
        assert min(abs(fact.at_ms - 1000 * t) for t in true) < 2.5 * fact.error_ms


@pytest.mark.parametrize("speed_mm_s", [1630.0, 2200.0])
def test_a_cushion_shortly_after_a_touch_is_timed_by_the_way_on_which_the_piece_leaves(
    speed_mm_s: float,
) -> None:
    board = club_board("carrom", (960, 720))
    places = {"striker": (47.6, 253.5), "carromman": (-248.8, -333.9)}
    lying = tuple(
        Lying(name=kind, spec=next(s for s in board.pieces if s.kind == kind), x_mm=x, y_mm=y)
        for kind, (x, y) in places.items()
    )
    push = (-0.4107 * speed_mm_s, -0.9118 * speed_mm_s)
    run = played(board, lying, push, surface=surface_of(board, slowing_mm_s2=900.0))
    true_ms = next(1000 * h.at_s for h in run.happenings if h.what == "cushion")
    errors = []
    for seed in range(6):
        tracks, end = tracks_of(run, lying, fps=30, noise_mm=0.1, exposure_s=0.006, seed=seed)
        spell = solve_tracks(tracks, board, frame_s=1 / 30, until_s=end, exposure_s=0.006)
        cushion = next(f for f in spell_facts(spell) if isinstance(f, Cushioned))
        assert (cushion.piece, cushion.border) == ("striker", Seat.S)
        assert abs(cushion.at_ms - true_ms) < 3 * cushion.error_ms
        errors.append(cushion.error_ms)
    assert np.mean(errors) < 0.23


def test_a_cushion_met_slowly_is_not_where_the_way_in_passed_the_place_of_rest() -> None:
    lying = (piece("cue-puck", "cue-puck", 0, -400),)
    run = played(BOARD, lying, (30.0, -520.0))
    true_ms = next(1000 * h.at_s for h in run.happenings if h.what == "cushion")
    cushions = []
    for seed in range(6):
        tracks, end = tracks_of(run, lying, fps=30, noise_mm=0.1, exposure_s=0.006, seed=seed)
        spell = solve_tracks(tracks, BOARD, frame_s=1 / 30, until_s=end, exposure_s=0.006)
        cushions += [f for f in spell_facts(spell) if isinstance(f, Cushioned)]
    assert cushions
    for cushion in cushions:
        assert abs(cushion.at_ms - true_ms) < 4 * cushion.error_ms
