"""What a spell of motion tells of a piece that a cue has brought along, or has struck."""

from dataclasses import replace

import numpy as np
import pytest

from rules.facts import Struck
from vision.telling.spell_facts import spell_facts
from vision.tracking.track import Track
from vision.trajectories.breaks import Knock
from vision.trajectories.gone import Ending
from vision.trajectories.paths import fit, resting
from vision.trajectories.shots import Spell
from vision.trajectories.timeline import Timeline

FPS, LAY_S = 60.0, 0.2
REST = Ending("rest", 1.5, 0.01)


def line(kind: str, t: np.ndarray, x: np.ndarray, lay_s: float) -> Timeline:
    """A piece that lay at x[0] until then, and ran along x as seen at the times `t`."""
    radius = 25.0 if kind == "cue-puck" else 12.5
    sigma = np.full(len(t), 0.1)
    home = (float(x[0]), 0.0)
    track = Track(f"{kind}-1", kind, radius, radius**2, home, 0.1, t, x, 0 * x, sigma)
    runs = t > lay_s
    path = fit(t[runs], x[runs], 0 * x[runs], sigma[runs], slowing=900.0, slowing_error=300.0)
    return Timeline(track, (resting(*home, 0.1, -1e9, lay_s), path), REST)


def brought(long_mm: float, peak_mm_s: float) -> Timeline:
    """A cue-puck that is led from rest to rest, evenly."""
    t = np.arange(60) / FPS
    share = np.clip((t - LAY_S) / (1.5 * long_mm / peak_mm_s), 0, 1)
    return line("cue-puck", t, long_mm * share**2 * (3 - 2 * share), LAY_S)


def sent_off(speed_mm_s: float, gap_mm: float) -> Timeline:
    """A puck beside it that set off a little later."""
    since_s = LAY_S + 0.1
    t = np.arange(round(FPS * since_s), 40) / FPS
    run_s = np.clip(t - since_s, 0, speed_mm_s / 900.0)
    return line("puck", t, 37.5 + gap_mm + speed_mm_s * run_s - 450.0 * run_s**2, since_s)


@pytest.mark.parametrize(
    ("speed_mm_s", "gap_mm", "dragged"),
    [(570.0, 8.0, False), (200.0, 8.0, True), (570.0, 90.0, True)],
    ids=["sent off as by a stroke", "pushed aside", "far from there"],
)
def test_what_sent_a_puck_beside_it_off_as_a_stroke_does_was_struck(
    speed_mm_s: float, gap_mm: float, dragged: bool
) -> None:
    cue, puck = brought(24.0, 200.0), sent_off(speed_mm_s, gap_mm)
    knocks = (Knock("strike", LAY_S, 0.01, 0), Knock("strike", LAY_S + 0.1, 0.01, 1))
    facts = spell_facts(Spell((cue, puck), knocks, 1.5, 1.5))
    struck = {f.piece: f.dragged for f in facts if isinstance(f, Struck)}
    assert struck["cue-puck-1"] is dragged


def flicked(*, from_mm: float, along_mm_s: tuple[float, float], seen_s: float) -> Timeline:
    """A striker last seen at the origin at `seen_s`, that ran from beside there, when and how."""
    t = LAY_S + np.arange(2, 8) / FPS
    x, y = from_mm + along_mm_s[0] * (t - LAY_S), along_mm_s[1] * (t - LAY_S)
    sigma = np.full(len(t), 0.1)
    track = Track(
        "striker", "striker", 20.65, 427.0, (0.0, 0.0), 0.1, t, x, y, sigma, seen_s=seen_s
    )
    path = fit(t, x, y, sigma, slowing=900.0, slowing_error=300.0)
    return Timeline(track, (resting(0.0, 0.0, 0.1, -1e9, LAY_S), path), REST)


@pytest.mark.parametrize(
    ("from_mm", "along_mm_s", "seen_s", "shifted"),
    [
        (-23.0, (0.0, 900.0), LAY_S - 2.0, True),
        (0.0, (0.0, 900.0), LAY_S - 2.0, False),
        (0.0, (600.0, 900.0), LAY_S - 2.0, False),
        (-23.0, (0.0, 900.0), LAY_S - 0.1, False),
    ],
    ids=["from beside", "from there", "aslant from there", "seen there just before"],
)
def test_where_a_hand_hid_the_striker_its_place_is_known_only_if_it_runs_from_there(
    from_mm: float, along_mm_s: tuple[float, float], seen_s: float, shifted: bool
) -> None:
    line = flicked(from_mm=from_mm, along_mm_s=along_mm_s, seen_s=seen_s)
    (struck,) = (
        fact
        for fact in spell_facts(Spell((line,), (Knock("strike", LAY_S, 0.01, 0),), 1.5, 1.5))
        if isinstance(fact, Struck)
    )
    assert struck.hidden is shifted
    assert (struck.error_mm > 5.0) is shifted


def test_what_something_turned_before_its_first_run_was_seen_may_have_come_from_elsewhere() -> None:
    line = flicked(from_mm=0.0, along_mm_s=(600.0, 900.0), seen_s=LAY_S - 2.0)
    track = line.track
    seen_before = replace(
        track,
        t=np.insert(track.t, 0, LAY_S + 0.5 / FPS),
        x=np.insert(track.x, 0, -9.0),
        y=np.insert(track.y, 0, 3.0),
        sigma=np.insert(track.sigma, 0, 0.1),
    )
    turned = replace(line, track=seen_before)
    knock = Knock("strike", LAY_S, 0.01, 0)
    (struck,) = (
        f for f in spell_facts(Spell((turned,), (knock,), 1.5, 1.5)) if isinstance(f, Struck)
    )
    assert struck.hidden
