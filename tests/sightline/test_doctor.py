"""What the doctor finds, and that it names a remedy for all that is bad."""

import json
import shutil
from pathlib import Path

import pytest
from testkit.clips import scene, write_video
from testkit.mjpeg_camera import MjpegCamera, serving
from testkit.reference_tables import TABLES

from sightline.checkup import Finding, Health, cameras, frames, look_over, table_folder
from sightline.cli import run

TABLE = TABLES / "qsquare-oak"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    copy = tmp_path / "table"
    shutil.copytree(TABLE, copy, ignore=shutil.ignore_patterns("stills", "clips"))
    return copy


def bad(findings: object) -> list[Finding]:
    assert isinstance(findings, tuple | list)
    return [each for each in findings if each.health is Health.BAD]


def test_a_sound_table_is_well(folder: Path) -> None:
    table, findings = table_folder(folder)

    assert table is not None
    assert not bad(findings)
    assert "1920 x 1080" in findings[0].words


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


@pytest.mark.parametrize(
    ("name", "spoil"),
    [
        ("board.toml", Path.unlink),
        ("camera.json", Path.unlink),
        ("empty.jpg", Path.unlink),
        ("empty.jpg", _cut),
        ("board.toml", lambda path: path.write_text('game = 7\nname = "x"\n')),
        ("camera.json", lambda path: path.write_text("{")),
    ],
    ids=["no board", "no lens", "no picture", "half a picture", "wrong type", "torn JSON"],
)
def test_each_damage_to_a_table_names_its_file_and_a_remedy(
    folder: Path, name: str, spoil: object
) -> None:
    assert callable(spoil)
    spoil(folder / name)

    table, findings = table_folder(folder)

    assert table is None
    (finding,) = bad(findings)
    assert name in finding.about + finding.words
    assert finding.remedy


def test_a_sound_video_of_enough_frames_is_well(tmp_path: Path) -> None:
    video = write_video(tmp_path / "shot.mp4", [scene(number) for number in range(30)])

    findings = list(frames(str(video), None))

    assert [each.health for each in findings] == [Health.GOOD]
    assert "50.0 frames a second" in findings[0].words


def test_a_source_that_is_not_there_is_bad_with_its_remedy(tmp_path: Path) -> None:
    (finding,) = frames(str(tmp_path / "no.mp4"), None)

    assert finding.health is Health.BAD
    assert finding.remedy


def test_a_camera_that_shows_nothing_is_bad() -> None:
    dark = [b"\x00"] * 3
    with serving(MjpegCamera(dark)) as camera:
        findings = list(frames(camera.address, None))

    assert bad(findings)


def test_a_slow_source_is_warned_of(tmp_path: Path) -> None:
    video = write_video(
        tmp_path / "slow.mp4",
        [scene(number) for number in range(8)],
        times_ms=[100 * number for number in range(8)],
    )

    (finding,) = frames(str(video), None)

    assert finding.health is Health.WARNING
    assert "10.0 frames a second" in finding.words


def test_cameras_are_named_by_their_stable_names(tmp_path: Path) -> None:
    device = tmp_path / "video0"
    device.touch()
    by_id = tmp_path / "by-id"
    by_id.mkdir()
    (by_id / "usb-Maker_Camera-video-index0").symlink_to(device)

    (finding,) = cameras([device], by_id)

    assert finding.health is Health.GOOD
    assert "usb-Maker_Camera-video-index0" in finding.words


def test_all_that_is_bad_on_this_machine_has_a_remedy(tmp_path: Path) -> None:
    for finding in look_over(data=tmp_path / "matches"):
        assert finding.words
        assert finding.health is Health.GOOD or finding.remedy


def test_the_command_exits_with_2_where_something_is_bad(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["doctor", str(tmp_path / "nowhere"), "--json"]) == 2

    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert any(line["health"] == "bad" and "nowhere" in line["about"] for line in lines)
