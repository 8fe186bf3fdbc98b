"""Other tables, made from reference ones: turned, smaller, in other colours, through other lenses.

    python benchmarks/other_tables.py --tables FOLDER --into FOLDER [--only turned --only smaller]

What was tuned on three tables may hold on these alone. Here a whole table folder (lens, clicked
corners, empty board, teach picture, stills) is changed alike, so that what comes out is another
table whose truth is known as well: `--into` gets a folder for each way, with a table folder for
each of the tables in it. `stills.py --others` and `lattice.py --others` measure all of them,
`clips.py --way` does the same to the frames of videos. Pictures of a folder are coded as JPEG once
more, as a camera does.
"""

import argparse
import json
import shutil
import sys
import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

import cv2  # noqa: E402
import numpy as np  # noqa: E402
from numpy.typing import NDArray  # noqa: E402

from calibration.camera import Floats, Lens  # noqa: E402
from calibration.camera_file import read_lens, write_lens  # noqa: E402

Picture = NDArray[np.uint8]
Change = Callable[[Picture], Picture]

JPEG = 95
_GRAY = np.ones((3, 3)) / 3
_POWER = 2.2


@dataclass(frozen=True, slots=True, kw_only=True)
class Other:
    """Another camera's view: its `lens`, and what becomes of a `picture` and of places in it.

    `moved` takes (N, 2) pixels of the picture as it was to pixels of what becomes of it.
    """

    lens: Lens
    picture: Change
    moved: Callable[[Floats], Floats]


Way = Callable[[Lens], Other]


def turned_round(lens: Lens) -> Other:
    """By half a turn."""
    k1, k2, p1, p2, k3 = lens.dist
    far = np.array([lens.width - 1.0, lens.height - 1.0])
    return Other(
        lens=replace(lens, cx=far[0] - lens.cx, cy=far[1] - lens.cy, dist=(k1, k2, -p1, -p2, k3)),
        picture=lambda picture: _bytes(cv2.rotate(picture, cv2.ROTATE_180)),
        moved=lambda at: far - at,
    )


def turned_aside(lens: Lens) -> Other:
    """By a quarter of a turn, clockwise."""
    k1, k2, p1, p2, k3 = lens.dist
    low = lens.height - 1.0
    return Other(
        lens=Lens(
            width=lens.height,
            height=lens.width,
            fx=lens.fy,
            fy=lens.fx,
            cx=low - lens.cy,
            cy=lens.cx,
            dist=(k1, k2, p2, -p1, k3),
        ),
        picture=lambda picture: _bytes(cv2.rotate(picture, cv2.ROTATE_90_CLOCKWISE)),
        moved=lambda at: np.column_stack([low - at[:, 1], at[:, 0]]),
    )


def scaled(share: float) -> Way:
    """With `share` times as many pixels along each side."""

    def way(lens: Lens) -> Other:
        size = round(lens.width * share), round(lens.height * share)
        by = np.array(size) / (lens.width, lens.height)
        centre = (np.array([lens.cx, lens.cy]) + 0.5) * by - 0.5
        smooth = cv2.INTER_AREA if share < 1 else cv2.INTER_CUBIC
        return Other(
            lens=replace(
                lens,
                width=size[0],
                height=size[1],
                fx=lens.fx * float(by[0]),
                fy=lens.fy * float(by[1]),
                cx=float(centre[0]),
                cy=float(centre[1]),
            ),
            picture=lambda picture: _bytes(cv2.resize(picture, size, interpolation=smooth)),
            moved=lambda at: (at + 0.5) * by - 0.5,
        )

    return way


def bent(more: float) -> Way:
    """Through a lens whose first radial coefficient is larger by `more`."""

    def way(lens: Lens) -> Other:
        k1, k2, p1, p2, k3 = lens.dist
        other = replace(lens, dist=(k1 + more, k2 - 0.2 * more, p1, p2, k3))
        u, v = np.meshgrid(np.arange(lens.width), np.arange(lens.height))
        at = np.column_stack([u.ravel(), v.ravel()]).astype(np.float64)
        back = lens.distort(other.undistort(at)).reshape(lens.height, lens.width, 2)
        back = back.astype(np.float32)

        def seen(picture: Picture) -> Picture:
            smooth, beyond = cv2.INTER_LANCZOS4, cv2.BORDER_REFLECT
            return _bytes(cv2.remap(picture, back[..., 0], back[..., 1], smooth, borderMode=beyond))

        return Other(lens=other, picture=seen, moved=lambda at: other.distort(lens.undistort(at)))

    return way


def changed(change: Change) -> Way:
    """With each picture changed where it lies."""
    return lambda lens: Other(lens=lens, picture=change, moved=lambda at: at)


def lit(mixed: Floats) -> Way:
    """With blue, green and red light `mixed` (3, 3) anew."""

    def change(picture: Picture) -> Picture:
        light = (picture.astype(np.float32) / 255) ** _POWER @ mixed.T.astype(np.float32)
        return _bytes(255 * np.clip(light, 0, 1) ** (1 / _POWER))

    return changed(change)


def hue(degrees: float) -> Floats:
    """(3, 3) that turns colours about gray, by so many degrees towards blue."""
    cos, sin = np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))
    across = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]]) / np.sqrt(3)
    return np.asarray(cos * np.eye(3) + (1 - cos) * _GRAY + sin * across)


def paler(share: float) -> Floats:
    """(3, 3) that leaves `share` of what differs between the colours."""
    return np.asarray(share * np.eye(3) + (1 - share) * _GRAY)


def tones(power: float) -> Way:
    """Coded by another curve."""
    codes = _bytes(255 * (np.arange(256) / 255.0) ** power)
    return changed(lambda picture: codes[picture])


def noisy(sd: float) -> Way:
    """With noise of `sd` codes, another one in each picture."""

    def change(picture: Picture) -> Picture:
        random = np.random.default_rng(zlib.crc32(picture.tobytes()))
        return _bytes(picture + random.normal(0, sd, picture.shape).astype(np.float32))

    return changed(change)


def pressed(quality: int) -> Way:
    """Coded as JPEG of that quality."""
    return changed(lambda picture: _decoded(_coded(picture, quality)))


def blurred(sd_px: float) -> Way:
    """Out of focus."""
    return changed(lambda picture: _bytes(cv2.GaussianBlur(picture, (0, 0), sd_px)))


def chain(*ways: Way) -> Way:
    """One after the other."""

    def way(lens: Lens) -> Other:
        links: list[Other] = []
        for each in ways:
            links.append(each(links[-1].lens if links else lens))

        def picture(seen: Picture) -> Picture:
            for link in links:
                seen = link.picture(seen)
            return seen

        def moved(at: Floats) -> Floats:
            for link in links:
                at = link.moved(at)
            return at

        return Other(lens=links[-1].lens, picture=picture, moved=moved)

    return way


def _bytes(picture: NDArray[np.generic]) -> Picture:
    if picture.dtype == np.uint8:
        return np.asarray(picture, dtype=np.uint8)
    return np.clip(np.rint(np.asarray(picture, dtype=np.float32)), 0, 255).astype(np.uint8)


def _coded(picture: Picture, quality: int) -> NDArray[np.uint8]:
    done, coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    assert done
    return np.asarray(coded, dtype=np.uint8)


def _decoded(coded: NDArray[np.uint8]) -> Picture:
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), dtype=np.uint8)


WAYS: dict[str, Way] = {
    "turned-round": turned_round,
    "turned-aside": turned_aside,
    "smaller": scaled(0.75),
    "larger": scaled(4 / 3),
    "hue+40": lit(hue(40)),
    "hue-60": lit(hue(-60)),
    "hue+20": lit(hue(20)),
    "hue-20": lit(hue(-20)),
    "paler": lit(paler(0.45)),
    "darker": lit(0.45 * np.eye(3)),
    "other-tones": tones(0.8),
    "other-lens": bent(0.06),
    "mixed": chain(
        turned_round, scaled(0.85), lit(hue(-30) @ np.diag([0.8, 0.9, 0.8])), bent(-0.05)
    ),
    "pressed": pressed(80),
    "noisy": noisy(2.5),
    "out-of-focus": blurred(0.7),
    "bluish": lit(np.diag([1.0, 0.88, 0.75])),
}
"""Each a way in which a table may differ from the reference ones."""


def make(folder: Path, into: Path, way: Way) -> None:
    """Write to `into` what `way` makes of the table in `folder`: all but clips and lens views."""
    other = way(read_lens(folder / "camera.json"))
    into.mkdir(parents=True, exist_ok=True)
    write_lens(other.lens, into / "camera.json")
    for name in ("board.toml", "teach.json"):
        if (folder / name).exists():
            shutil.copyfile(folder / name, into / name)
    if (folder / "corners.json").exists():
        corners = json.loads((folder / "corners.json").read_text())
        at = other.moved(np.array([corners[name] for name in corners], dtype=np.float64))
        (into / "corners.json").write_text(json.dumps(dict(zip(corners, at.tolist(), strict=True))))
    for name in ("empty.jpg", "teach.jpg"):
        if (folder / name).exists():
            _put(folder / name, into / name, other)
    for file in sorted((folder / "stills").glob("*.json")):
        (into / "stills").mkdir(exist_ok=True)
        shutil.copyfile(file, into / "stills" / file.name)
        picture = file.with_suffix(".jpg")
        _put(picture, into / "stills" / picture.name, other)


def _put(picture: Path, into: Path, other: Other) -> None:
    got = cv2.imread(str(picture))
    if got is None:
        sys.exit(f"{picture} cannot be read")
    into.write_bytes(_coded(other.picture(_bytes(got)), JPEG).tobytes())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=Path, required=True)
    parser.add_argument("--into", type=Path, required=True)
    parser.add_argument("--only", action="append", default=[], choices=list(WAYS))
    options = parser.parse_args()
    for name in options.only or WAYS:
        for file in sorted(options.tables.glob("*/board.toml")):
            make(file.parent, options.into / name / file.parent.name, WAYS[name])
            print(options.into / name / file.parent.name, flush=True)


if __name__ == "__main__":
    main()
