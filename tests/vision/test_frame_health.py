"""Pictures that cannot be trusted, and those that can."""

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from testkit.clips import jpeg, scene
from testkit.reference_tables import TABLES

from vision.frame_health import judge_frame, normal_of
from vision.frame_judge import FrameJudge
from vision.sources import TornPicture, decode_picture

Picture = NDArray[np.uint8]
EMPTY = scene(0, width=960, height=720)
SOUND = scene(9, width=960, height=720)
TABLES = (
    TABLES,
    Path(__file__).parents[3] / "shared" / "tables",
)


def painted(picture: Picture, rows: slice, level: tuple[int, int, int]) -> Picture:
    spoiled = picture.copy()
    spoiled[rows] = level
    return spoiled


def shifted(picture: Picture, levels: tuple[int, int, int]) -> Picture:
    """From the middle of a row of blocks on all blocks are brighter, as after a damaged one."""
    spoiled = picture.astype(int)
    spoiled[320:336, 480:] += levels
    spoiled[336:] += levels
    return np.clip(spoiled, 0, 255).astype(np.uint8)


def torn(picture: Picture) -> Picture:
    spoiled = picture.copy()
    spoiled[400:] = np.roll(picture, 333, axis=0)[400:]
    return spoiled


def with_zeroed_tail(picture: Picture) -> Picture:
    data = jpeg(picture)
    damaged = data[: len(data) // 2] + bytes(len(data) - len(data) // 2 - 2) + data[-2:]
    decoded = cv2.imdecode(np.frombuffer(damaged, np.uint8), cv2.IMREAD_COLOR)
    assert decoded is not None, "OpenCV reads it without an error; that is the trouble"
    return np.asarray(decoded, np.uint8)


def with_scarf(picture: Picture) -> Picture:
    rng = np.random.default_rng(3)
    cloth = cv2.GaussianBlur(rng.normal(100.0, 400.0, picture.shape[:2]), (0, 0), 20.0)
    return np.clip(cloth[:, :, None] + np.zeros(3), 0, 255).astype(np.uint8)


FAULTS: dict[str, tuple[Callable[[Picture], Picture], str]] = {
    "half grey": (lambda p: painted(p, slice(360, None), (128, 128, 128)), "missing"),
    "its last rows grey": (lambda p: painted(p, slice(700, None), (128, 128, 128)), "missing"),
    "half green": (lambda p: painted(p, slice(360, None), (0, 135, 0)), "missing"),
    "a grey patch": (lambda p: painted(p, slice(300, 400), (128, 128, 128)), "missing"),
    "zeroed data": (with_zeroed_tail, ""),
    "brighter from a block on": (lambda p: shifted(p, (20, 20, 20)), "torn"),
    "bluer from a block on": (lambda p: shifted(p, (25, 0, 0)), "torn"),
    "two pictures in one": (torn, "torn"),
    "dark": (lambda p: p // 14, "dark"),
    "overexposed": (lambda p: np.clip(p.astype(int) * 3 + 90, 0, 255).astype(np.uint8), "overexp"),
    "a scarf over the lens": (with_scarf, "does not show this table"),
    "a lid over the lens": (lambda p: np.full_like(p, 40), ""),
    "out of focus": (lambda p: np.asarray(cv2.GaussianBlur(p, (0, 0), 4.0), np.uint8), "focus"),
    "turned away": (lambda p: np.roll(p, (90, 200), (0, 1)), "does not show this table"),
    "half the size": (lambda p: p[::2, ::2], "480 x 360"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_picture_that_cannot_be_trusted_is_named_as_what_it_is(fault: str) -> None:
    spoil, said = FAULTS[fault]

    reason = judge_frame(spoil(SOUND), reference=EMPTY)

    assert reason is not None
    assert said in reason


@pytest.mark.parametrize(
    "fault",
    ["half grey", "half green", "a grey patch", "dark", "overexposed", "a lid over the lens"],
)
def test_some_faults_need_no_reference(fault: str) -> None:
    assert judge_frame(FAULTS[fault][0](SOUND)) is not None


def dimmed(picture: Picture) -> Picture:
    return (picture * 0.45).astype(np.uint8)


def lit_from_the_left(picture: Picture) -> Picture:
    slope = np.linspace(1.3, 0.6, picture.shape[1])[None, :, None]
    return np.clip(picture * slope * [0.8, 1.0, 1.15], 0, 255).astype(np.uint8)


def with_an_arm(picture: Picture) -> Picture:
    covered = picture.copy()
    cv2.line(covered, (420, 0), (520, 470), (120, 150, 200), 150)
    return covered


@pytest.mark.parametrize(
    "light", [np.copy, dimmed, lit_from_the_left, with_an_arm], ids=lambda each: each.__name__
)
@pytest.mark.parametrize("gray", [False, True])
def test_a_sound_picture_passes_in_any_light_and_with_an_arm_over_the_board(
    light: Callable[[Picture], Picture], gray: bool
) -> None:
    picture = light(SOUND)
    if gray:
        picture = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)

    assert judge_frame(picture, reference=normal_of(EMPTY)) is None
    assert judge_frame(picture) is None


def test_black_bars_around_a_picture_are_no_fault() -> None:
    assert judge_frame(painted(SOUND, slice(0, 60), (0, 0, 0))) is None


def test_the_very_same_picture_again_is_a_hanging_camera() -> None:
    assert judge_frame(SOUND, previous=scene(8, width=960, height=720)) is None
    reason = judge_frame(SOUND, previous=SOUND.copy())
    assert reason is not None
    assert "same picture" in reason


def test_no_reference_picture_raises_an_alarm_and_each_damaged_one_does() -> None:
    shown = ("qsquare-*/teach.jpg", "qsquare-*/stills/*.jpg")
    paths = [path for tables in TABLES for each in shown for path in sorted(tables.glob(each))]
    assert paths
    for path in paths:
        folder = next(each for each in path.parents if each.name.startswith("qsquare-"))
        normal = normal_of(decode_picture((folder / "empty.jpg").read_bytes()))
        data = path.read_bytes()
        picture = decode_picture(data)
        assert judge_frame(picture, reference=normal) is None, path
        with pytest.raises(TornPicture):
            decode_picture(data[: len(data) // 2] + bytes(len(data) // 2))
        assert judge_frame(painted(picture, slice(640, None), (128,) * 3), reference=normal)


def judged(pictures: list[Picture], *, live: bool = True) -> list[str | None]:
    judge = FrameJudge(EMPTY, live=live)
    return [judge(picture) for picture in pictures]


def test_in_a_stream_each_damaged_frame_is_noticed_and_no_other() -> None:
    grey = FAULTS["half grey"][0](SOUND)
    frames = [scene(1 + at, width=960, height=720) for at in range(12)]
    for at in (3, 4, 10):
        frames[at] = grey

    reasons = judged(frames)

    assert [at for at, reason in enumerate(reasons) if reason is not None] == [3, 4, 10]


@pytest.mark.parametrize("fault", ["two pictures in one", "a scarf over the lens", "out of focus"])
def test_in_a_stream_what_lasts_is_noticed_within_eight_frames(fault: str) -> None:
    sound = [scene(1 + at, width=960, height=720) for at in range(4)]
    spoiled = [FAULTS[fault][0](scene(9 + at, width=960, height=720)) for at in range(12)]

    reasons = judged(sound + spoiled)

    assert reasons[:4] == [None] * 4
    assert all(reason is not None for reason in reasons[4 + 8 :])


def test_a_camera_that_changes_its_size_is_noticed_at_once() -> None:
    assert judged([SOUND, SOUND[::2, ::2]], live=False)[1] is not None


@pytest.mark.parametrize(("live", "hangs"), [(True, True), (False, False)])
def test_only_a_live_camera_hangs_on_the_very_same_picture(live: bool, hangs: bool) -> None:
    reasons = judged([SOUND] * 20, live=live)

    assert reasons[:15] == [None] * 15
    assert (reasons[-1] is not None) is hangs
