"""The simulated table calibrates like a real one: to where its camera hangs."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from calibration.board_file import read_board
from calibration.table import load_table
from rules.facts import Contacted, Pocketed, Settled, Struck
from sightline.simulated.boards import club_board
from sightline.simulated.shots import SCENARIOS, simulated_shot
from sightline.simulated.table import SimulatedTable, set_up_table, write_table


@pytest.fixture(scope="module")
def table() -> SimulatedTable:
    return set_up_table((640, 480))


@pytest.mark.parametrize(
    ("size", "worst_mm"),
    [((640, 480), 0.35), ((960, 720), 0.15)],
    ids=["clicked corners", "markers"],
)
def test_calibration_finds_the_camera_where_it_hangs(
    size: tuple[int, int], worst_mm: float, tmp_path: Path
) -> None:
    simulated = set_up_table(size)
    found = load_table(write_table(simulated, tmp_path))
    places = np.stack(np.meshgrid(np.linspace(-490, 490, 9), np.linspace(-490, 490, 9)), -1)
    flat = places.reshape(-1, 2)
    tops = np.column_stack([flat, np.full(len(flat), 12.0)])
    back = found.camera.to_plane(simulated.camera.project(tops), 12.0)
    assert np.abs(back - flat).max() < worst_mm


@pytest.mark.parametrize("size", [(640, 480), (1280, 720)])
def test_the_written_board_is_the_board(size: tuple[int, int], tmp_path: Path) -> None:
    board = club_board(size=size)
    folder = write_table(set_up_table((640, 480), board=board), tmp_path)
    assert read_board(folder / "board.toml") == board


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_simulated_shot_does_what_its_scenario_says(scenario: str, table: SimulatedTable) -> None:
    for seed in range(4):
        shot = simulated_shot(seed, scenario=scenario, table=table)
        facts = shot.facts
        assert isinstance(facts[0], Struck)
        assert isinstance(facts[-1], Settled)
        kinds = [type(fact).__name__ for fact in facts]
        contacts = [f for f in facts if isinstance(f, Contacted)]
        match scenario:
            case "clean" | "graze":
                assert kinds[1] == "Contacted"
            case "ricochet":
                assert kinds.index("Cushioned") < kinds.index("Contacted")
            case "together":
                assert contacts[1].at_ms - contacts[0].at_ms < 30
            case "jump":
                assert "LeftBoard" in kinds
            case "scratch":
                assert any(isinstance(f, Pocketed) for f in facts) or "Rebounded" in kinds
            case _:
                assert len(facts) >= 3


def test_the_same_shot_gives_the_same_frames_and_truth() -> None:
    first = simulated_shot(3, size=(640, 480), fps=60)
    again = simulated_shot(3, size=(640, 480), fps=60)
    assert first.facts == again.facts
    assert first.clip == again.clip
    assert len(first.frames) == len(again.frames)
    for a, b in zip(list(first.frames)[20:26], list(again.frames)[20:26], strict=True):
        assert a.at_ms == b.at_ms
        assert np.array_equal(a.image, b.image)


def test_the_clip_s_truth_says_what_the_facts_say(table: SimulatedTable) -> None:
    shot = simulated_shot(2, scenario="together", table=table)
    told = shot.clip["facts"]
    assert isinstance(told, list)
    contacts = [t for t in told if isinstance(t, Mapping) and t["fact"] == "contact"]
    facts = [f for f in shot.facts if isinstance(f, Contacted)]
    assert len(contacts) == len(facts)
    for t, fact in zip(contacts, facts, strict=True):
        assert 1000 * t["t"] == pytest.approx(fact.at_ms, abs=1e-2)
        names = {shot.lying[t["a"]].name, shot.lying[t["b"]].name}
        assert names == {fact.a, fact.b}


def test_an_unknown_scenario_is_refused(table: SimulatedTable) -> None:
    with pytest.raises(ValueError, match="scenario must be one of clean"):
        simulated_shot(1, scenario="magic", table=table)
