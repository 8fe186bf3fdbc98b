"""The laws of the sliding discs."""

import random
from itertools import pairwise
from math import cos, hypot, pi, sin

import pytest

from sightline.simulated.discs import Disc, Hole, Surface
from sightline.simulated.motion import Phase
from sightline.simulated.physics import Run, play

HOLES = tuple(
    Hole(id=id, x_mm=470.0 * a, y_mm=470.0 * b, radius_mm=38.0)
    for id, a, b in (("SW", -1, -1), ("SE", 1, -1), ("NE", 1, 1), ("NW", -1, 1))
)
PLAIN = Surface(half_x_mm=508, half_y_mm=508, border_height_mm=20)
POCKETS = Surface(half_x_mm=508, half_y_mm=508, border_height_mm=20, holes=HOLES)


def disc(name: str, x_mm: float, y_mm: float, radius_mm: float = 12.5, mass_g: float = 4.0) -> Disc:
    return Disc(
        name=name, x_mm=x_mm, y_mm=y_mm, radius_mm=radius_mm, mass_g=mass_g, thickness_mm=12
    )


def strewn(seed: int, count: int = 16) -> list[Disc]:
    draw = random.Random(seed)
    laid = [disc("cue", draw.uniform(-380, 380), -440, 25.0, 15.0)]
    while len(laid) < count:
        x, y = draw.uniform(-400, 400), draw.uniform(-400, 400)
        if all(hypot(x - o.x_mm, y - o.y_mm) > 12.5 + o.radius_mm for o in laid):
            laid.append(disc(f"puck-{len(laid)}", x, y))
    return laid


def shot(seed: int, surface: Surface) -> Run:
    draw = random.Random(-seed)
    speed, angle = draw.uniform(800, 4500), draw.uniform(0.15, pi - 0.15)
    return play(surface, strewn(seed), {"cue": (speed * cos(angle), speed * sin(angle))})


def energy(run: Run, at_s: float) -> float:
    total = 0.0
    for d in run.discs:
        vx, vy = run.stretch(d.name, at_s).velocity(at_s)
        total += d.mass_g * (vx * vx + vy * vy)
    return total


def instants(run: Run, step_s: float) -> list[float]:
    return [run.start_s + k * step_s for k in range(int(run.rest_s / step_s) + 2)]


@pytest.mark.parametrize("seed", range(12))
def test_energy_never_grows(seed: int) -> None:
    run = shot(seed, POCKETS)
    energies = [energy(run, t) for t in instants(run, 0.003)]
    assert energies[0] > 0
    assert all(b <= a * (1 + 1e-9) + 1e-9 for a, b in pairwise(energies))


@pytest.mark.parametrize("seed", range(8))
def test_discs_never_overlap_and_never_leave_the_surface(seed: int) -> None:
    run = shot(seed, POCKETS)
    for at_s in instants(run, 0.004):
        here = []
        for d in run.discs:
            stretch = run.stretch(d.name, at_s)
            if stretch.phase in (Phase.SLIDING, Phase.OVER_POCKET):
                here.append((*stretch.place(at_s), d.radius_mm))
        for i, (x, y, r) in enumerate(here):
            assert max(abs(x), abs(y)) <= 508 - r + 1e-6
            for ox, oy, other in here[:i]:
                assert hypot(x - ox, y - oy) >= r + other - 1e-6


@pytest.mark.parametrize("seed", range(6))
def test_a_contact_keeps_the_momentum_of_the_two_and_acts_along_their_centres(seed: int) -> None:
    run = shot(seed, PLAIN)
    masses = {d.name: d.mass_g for d in run.discs}
    contacts = [h for h in run.happenings if h.what == "contact" and h.speed_mm_s > 5]
    checked = 0
    for h in contacts:
        before, after = h.at_s - 1e-7, h.at_s + 1e-7
        change = {}
        for name in (h.a, h.b):
            was, now = run.stretch(name, before), run.stretch(name, after)
            wx, wy = was.velocity(before)
            nx, ny = now.velocity(after)
            change[name] = (masses[name] * (nx - wx), masses[name] * (ny - wy))
        (ax, ay), (bx, by) = change[h.a], change[h.b]
        if any(o is not h and abs(o.at_s - h.at_s) < 1e-6 for o in contacts):
            continue
        push = hypot(ax, ay)
        assert ax + bx == pytest.approx(0, abs=1e-4 * push)
        assert ay + by == pytest.approx(0, abs=1e-4 * push)
        px, py = run.place(h.a, h.at_s)
        qx, qy = run.place(h.b, h.at_s)
        assert ax * (qy - py) - ay * (qx - px) == pytest.approx(0, abs=1e-3 * push * 40)
        checked += 1
    assert checked == 0 or checked >= len(contacts) // 2


@pytest.mark.parametrize("seed", [0, 1, 2, 3, 5, 6])
def test_the_first_contact_is_where_fine_steps_find_it(seed: int) -> None:
    run = shot(seed, PLAIN)
    told = next((h for h in run.happenings if h.what == "contact"), None)
    if told is None:
        pytest.fail("the seed was chosen to give a contact")
    step = 2e-6
    x, y = run.discs[0].x_mm, run.discs[0].y_mm
    vx, vy = run.stretch("cue", 0.0).velocity(0.0)
    at_s = 0.0
    reach = 508 - 25.0
    while at_s < told.at_s + 0.01:
        for d in run.discs[1:]:
            if (x - d.x_mm) ** 2 + (y - d.y_mm) ** 2 < 37.5**2:
                assert d.name in (told.a, told.b)
                assert at_s == pytest.approx(told.at_s, abs=1e-5)
                return
        speed = hypot(vx, vy)
        slower = max(0.0, speed - PLAIN.slowing_mm_s2 * step) / speed
        x, y = x + vx * step * (1 + slower) / 2, y + vy * step * (1 + slower) / 2
        vx, vy = vx * slower, vy * slower
        if abs(x) > reach:
            x, vx = reach * (1 if x > 0 else -1), -vx * PLAIN.bounce_cushion
        if abs(y) > reach:
            y, vy = reach * (1 if y > 0 else -1), -vy * PLAIN.bounce_cushion
        at_s += step
    pytest.fail("the fine steps found no contact")


def test_the_same_shot_gives_the_same_run_to_the_last_bit() -> None:
    assert shot(3, POCKETS).happenings == shot(3, POCKETS).happenings


def test_a_free_disc_stops_where_friction_says() -> None:
    run = play(PLAIN, [disc("a", -300, 0)], {"a": (900.0, 0.0)})
    assert run.rest_s == pytest.approx(900 / 1500)
    assert run.final()["a"] == pytest.approx((-300 + 900**2 / 3000, 0.0))
    assert run.happenings == ()


def test_a_head_on_hit_between_equals_hands_over_all_but_the_loss() -> None:
    run = play(PLAIN, [disc("a", 0, 0), disc("b", 100, 0)], {"a": (1000.0, 0.0)})
    hit = run.happenings[0]
    speed = hit.speed_mm_s
    va, _ = run.stretch("a", hit.at_s).velocity(hit.at_s)
    vb, _ = run.stretch("b", hit.at_s).velocity(hit.at_s)
    assert (va, vb) == (pytest.approx(0.05 * speed), pytest.approx(0.95 * speed))
    assert (hit.x_mm, hit.y_mm) == (pytest.approx(87.5), pytest.approx(0))


def test_a_slow_disc_falls_where_it_passes_the_rim() -> None:
    run = play(POCKETS, [disc("a", 300, 470)], {"a": (800.0, 0.0)})
    fall = run.happenings[-1]
    assert (fall.what, fall.where) == ("pocketed", "NE")
    assert (fall.x_mm, fall.y_mm) == (pytest.approx(432.0), pytest.approx(470.0))
    assert run.final() == {}


def test_a_fast_disc_that_only_clips_a_pocket_comes_out_again() -> None:
    start = disc("a", 470 - 65.05, 470 + 19.8)
    run = play(POCKETS, [start], {"a": (1200.0, -1200.0)})
    first = run.happenings[0]
    assert (first.what, first.where) == ("rebounded", "NE")
    assert hypot(first.x_mm - 470, first.y_mm - 470) == pytest.approx(38.0)
    assert "a" in run.final()


def test_a_row_of_touching_discs_settles_without_overlap() -> None:
    row = [disc(f"r{k}", -87.5 + 25 * k, 0) for k in range(8)]
    cue = disc("cue", -30, -300, 25, 15)
    run = play(POCKETS, [*row, cue], {"cue": (100.0, 3000.0)})
    places = list(run.final().values())
    assert all(
        hypot(ax - bx, ay - by) >= 25 - 1e-6
        for i, (ax, ay) in enumerate(places[:-1])
        for bx, by in places[:i]
    )
    assert len({h.a for h in run.happenings} | {h.b for h in run.happenings}) >= 9


def test_a_disc_that_hops_leaves_over_the_border_without_touching_it() -> None:
    run = play(
        POCKETS,
        [disc("cue", -200, 0, 25, 15), disc("a", 0, 0)],
        {"cue": (3500.0, 0.0)},
        hops=lambda speed: True,
    )
    told = [(h.what, h.a, h.where) for h in run.happenings if "a" in (h.a, h.b)]
    assert told == [("contact", "cue", ""), ("off_board", "a", "E")]
    edge = run.happenings[1]
    assert run.stretch("a", edge.at_s).height_mm(edge.at_s) > POCKETS.border_height_mm


def test_a_push_for_nobody_is_refused() -> None:
    with pytest.raises(ValueError, match="no disc called ghost"):
        play(PLAIN, [disc("a", 0, 0)], {"ghost": (1.0, 0.0)})
