"""Videos and folders of pictures as sources of frames."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from testkit.clips import jpeg, scene, write_video

from vision.frame import Frame
from vision.sources import (
    Ended,
    Lost,
    Regained,
    SourceError,
    TornPicture,
    decode_picture,
    in_colour,
    open_source,
)

PICTURES = [scene(number) for number in range(40)]


def test_a_video_gives_every_frame_at_its_own_time(tmp_path: Path) -> None:
    times_ms = [0, 20, 40, 100, 120, 500, 520]
    path = write_video(tmp_path / "shot.mp4", PICTURES[:7], times_ms=times_ms)

    with open_source(path) as source:
        frames = list(source)

    assert [frame.at_ms for frame in frames] == pytest.approx(times_ms, abs=1.0)
    assert [frame.number for frame in frames] == list(range(7))
    assert source.ended is not None
    assert source.ended.why is None


def test_a_videos_pictures_are_what_was_filmed(tmp_path: Path) -> None:
    path = write_video(tmp_path / "shot.mp4", PICTURES[:3])

    frames = list(open_source(path))

    for frame, filmed in zip(frames, PICTURES, strict=False):
        assert frame.image.shape == (240, 320, 3)
        assert np.abs(frame.image.astype(int) - filmed).mean() < 12


def test_a_video_read_gray_gives_its_luma_and_its_colours_on_demand(tmp_path: Path) -> None:
    path = write_video(tmp_path / "shot.mp4", PICTURES[:2])

    gray = list(open_source(path, gray=True))
    colour = list(open_source(path))

    for one, other in zip(gray, colour, strict=True):
        assert one.image.shape == (240, 320)
        assert np.array_equal(in_colour(one), other.image)
        luma = cv2.cvtColor(other.image, cv2.COLOR_BGR2GRAY).astype(int)
        assert abs((one.image - luma).mean()) < 3
    assert in_colour(colour[0]) is colour[0].image


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("shot.mp4", {"movflags": "faststart"}),
        ("shot.mkv", {}),
    ],
)
def test_a_truncated_video_gives_frames_up_to_the_damage_and_says_where(
    tmp_path: Path, name: str, options: dict[str, str]
) -> None:
    path = write_video(tmp_path / name, PICTURES, options=options)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) * 6 // 10])

    with open_source(path) as source:
        frames = list(source)

    assert 5 < len(frames) < 38
    assert source.ended is not None
    assert source.ended.why is not None
    assert "ended early at frame" in source.ended.why
    assert "of 40" in source.ended.why
    assert source.read() == source.ended


def test_a_video_damaged_in_the_middle_loses_sight_and_regains_it(tmp_path: Path) -> None:
    path = write_video(tmp_path / "shot.mp4", PICTURES, options={"movflags": "faststart"})
    whole = bytearray(path.read_bytes())
    middle = len(whole) // 2
    whole[middle : middle + 3000] = bytes(3000)
    path.write_bytes(whole)

    with open_source(path) as source:
        events = []
        while not isinstance(event := source.read(), Ended):
            events.append(event)

    kinds = [type(event) for event in events]
    assert Lost in kinds
    assert Regained in kinds[kinds.index(Lost) :]
    assert kinds[kinds.index(Regained) + 1] is Frame
    times_ms = [event.at_ms for event in events if isinstance(event, Frame)]
    assert times_ms == sorted(times_ms)
    assert event.why is not None
    assert "cannot be trusted" in event.why


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("gone.mp4", None, "there is no such file"),
        ("empty.mp4", b"", "the file is empty"),
        ("text.mp4", b"this is not a video at all\n" * 50, "not a video that can be read"),
        ("torn.mp4", "cut", "not a video that can be read"),
    ],
)
def test_a_wrong_file_is_refused_with_a_remedy(
    tmp_path: Path, name: str, content: bytes | str | None, said: str
) -> None:
    path = tmp_path / name
    if content == "cut":  # an MP4 whose index would have come at its end
        write_video(path, PICTURES[:20])
        path.write_bytes(path.read_bytes()[:-2000])
    elif isinstance(content, bytes):
        path.write_bytes(content)

    with pytest.raises(SourceError, match=said) as refusal:
        open_source(path)

    assert str(path) in str(refusal.value)
    assert refusal.value.remedy


def test_a_folder_of_pictures_is_read_in_the_order_people_number(tmp_path: Path) -> None:
    for number in (2, 10, 1):
        cv2.imwrite(str(tmp_path / f"f{number}.png"), PICTURES[number])
    (tmp_path / "notes.txt").write_text("not a picture")

    with open_source(tmp_path, fps=10.0) as source:
        frames = list(source)

    assert [frame.at_ms for frame in frames] == [0.0, 100.0, 200.0]
    for frame, number in zip(frames, (1, 2, 10), strict=True):
        assert np.array_equal(frame.image, PICTURES[number])


def test_a_torn_picture_in_a_folder_is_left_out_and_named(tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / f"{number}.jpg").write_bytes(jpeg(PICTURES[number]))
    data = bytearray((tmp_path / "1.jpg").read_bytes())
    data[len(data) // 2 : -2] = bytes(len(data) - 2 - len(data) // 2)
    (tmp_path / "1.jpg").write_bytes(data)

    with open_source(tmp_path) as source:
        kinds = [source.read() for _ in range(5)]

    assert [type(event) for event in kinds] == [Frame, Lost, Regained, Frame, Ended]
    assert isinstance(kinds[1], Lost)
    assert "1.jpg" in kinds[1].why
    assert isinstance(kinds[4], Ended)
    assert kinds[4].why is not None
    assert "1 of 3 pictures" in kinds[4].why


def test_a_folder_without_pictures_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no pictures in this folder"):
        open_source(tmp_path)


def _zeroed(data: bytes) -> bytes:
    half = len(data) // 2
    return data[:half] + bytes(len(data) - half - 2) + data[-2:]


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[: len(data) // 2],
        lambda data: data[: len(data) // 2] + b"\xff\xd9",
        _zeroed,
        lambda data: data[:4000] + data[4500:],
        lambda data: b"",
        lambda data: b"<html>busy</html>",
        lambda data: data[2:],
    ],
    ids=["cut", "cut and closed", "half zeroed", "a piece lost", "empty", "a page", "headless"],
)
def test_a_damaged_jpeg_is_refused_though_opencv_may_read_it(damage: object) -> None:
    assert callable(damage)
    with pytest.raises(TornPicture):
        decode_picture(damage(jpeg(PICTURES[0])))


@pytest.mark.parametrize("gray", [False, True])
def test_a_whole_jpeg_decodes_to_the_pixels_that_opencv_sees(gray: bool) -> None:
    data = jpeg(PICTURES[0])
    flag = cv2.IMREAD_GRAYSCALE if gray else cv2.IMREAD_COLOR

    picture = decode_picture(data, gray=gray)

    assert (
        np.abs(picture.astype(int) - cv2.imdecode(np.frombuffer(data, np.uint8), flag)).max() <= 2
    )


def test_a_few_bytes_of_padding_are_no_damage() -> None:
    data = jpeg(PICTURES[0])
    padded = data[:-2] + b"\x00\x00" + data[-2:] + bytes(100)

    assert np.array_equal(decode_picture(padded), decode_picture(data))


def test_a_picture_is_turned_as_its_exif_says() -> None:
    data = jpeg(PICTURES[0])
    exif = (
        b"Exif\x00\x00II*\x00\x08\x00\x00\x00\x01\x00"
        b"\x12\x01\x03\x00\x01\x00\x00\x00\x06\x00\x00\x00\x00\x00\x00\x00"
    )
    segment = b"\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif

    turned = decode_picture(data[:2] + segment + data[2:])

    assert turned.shape == (320, 240, 3)


@pytest.mark.parametrize("spec", ["ftp://camera/1", "nowhere-at-all", "/dev/video-none"])
def test_a_source_that_is_nothing_is_refused_with_a_remedy(spec: str) -> None:
    with pytest.raises(SourceError) as refusal:
        open_source(spec)

    assert refusal.value.remedy
