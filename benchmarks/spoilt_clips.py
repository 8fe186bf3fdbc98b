"""Reference clips in other light, at other rates, out of focus, shaken: what is still told right.

    python benchmarks/spoilt_clips.py --tables FOLDER [--only brighter --only half-rate]

FOLDER holds table folders as in `clips.py`; the table's own pictures are not spoilt, as a light
that has changed since the table was set up. Each row is one way to spoil all clips: how many facts
are found and false, how many first contacts are right, and the time error. Rates below 25 frames a
second are left out: nobody promises anything there.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

import cv2  # noqa: E402
import numpy as np  # noqa: E402
from clips import Clock, Tally  # noqa: E402
from late_reader import read_late  # noqa: E402
from numpy.typing import NDArray  # noqa: E402

from benchmarks.cameras import coded  # noqa: E402
from calibration.table import load_table  # noqa: E402
from vision.answers_clip import watch_clip  # noqa: E402
from vision.frame import Frame, Picture  # noqa: E402
from vision.sources import open_source  # noqa: E402

LEAST_FPS = 25.0
Random = np.random.Generator
Change = Callable[[Picture, float, Random], Picture]


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoilt:
    """`change` makes a picture of one that was taken so many seconds after the first.

    Every `every`-th frame is kept, but for a share `dropped`, and for those that a reader who is
    `behind` is spared; times err by up to `late_ms`.
    """

    change: Change | None = None
    every: int = 1
    dropped: float = 0.0
    behind: bool = False
    late_ms: float = 0.0

    def of(self, frames: Iterable[Frame], random: Random) -> Iterator[Frame]:
        for k, frame in enumerate(read_late(frames, random) if self.behind else frames):
            if k % self.every or (k and random.random() < self.dropped):
                continue
            image = frame.in_colour()
            if self.change is not None:
                image = self.change(image, frame.at_ms / 1000, random)
            at_ms = frame.at_ms + random.uniform(-1, 1) * self.late_ms
            yield replace(frame, image=image, at_ms=at_ms, jpeg=None, colour=None)


def bytes_of(picture: NDArray[np.float32]) -> Picture:
    return np.clip(np.rint(picture), 0, 255).astype(np.uint8)


def gain(*each: float) -> Change:
    """Times `each`: one for all, or blue, green, red."""
    by = np.array(each, dtype=np.float32)
    return lambda picture, at_s, random: bytes_of(picture * by)


def gamma(power: float) -> Change:
    tones = bytes_of((255 * (np.arange(256) / 255.0) ** power).astype(np.float32))
    return lambda picture, at_s, random: tones[picture]


def noise(sd: float) -> Change:
    def change(picture: Picture, at_s: float, random: Random) -> Picture:
        return bytes_of(picture + random.normal(0, sd, picture.shape).astype(np.float32))

    return change


def jpeg(quality: int) -> Change:
    return lambda picture, at_s, random: coded(picture, quality)


def blur(sd_px: float) -> Change:
    return lambda picture, at_s, random: np.asarray(
        cv2.GaussianBlur(picture, (0, 0), sd_px), dtype=np.uint8
    )


def flicker(share: float) -> Change:
    """Lamps on mains of 50 Hz."""
    return lambda picture, at_s, random: bytes_of(
        picture * np.float32(1 + share * np.sin(2 * np.pi * 100 * at_s + 0.3))
    )


def drift(share_a_second: float) -> Change:
    """A camera that makes up for light as it thinks fit."""
    return lambda picture, at_s, random: bytes_of(picture * np.float32(1 + share_a_second * at_s))


def cloud(picture: Picture, at_s: float, random: Random) -> Picture:
    """A soft edge of shade, 0.7 of the light, wanders across the table."""
    x = np.arange(picture.shape[1]) / picture.shape[1]
    shade = 1 - 0.3 / (1 + np.exp(-10 * (x - 0.4 * at_s + 0.2)))
    return bytes_of(picture * shade[None, :, None].astype(np.float32))


def shake(by_px: float) -> Change:
    """A mount that swings."""

    def change(picture: Picture, at_s: float, random: Random) -> Picture:
        dx, dy = by_px * np.sin(2 * np.pi * 7 * at_s), by_px * np.cos(2 * np.pi * 5 * at_s)
        way = np.array([[1, 0, dx], [0, 1, dy]], dtype=np.float32)
        size = picture.shape[1], picture.shape[0]
        moved = cv2.warpAffine(
            picture, way, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(moved, dtype=np.uint8)

    return change


WAYS = {
    "as-taken": Spoilt(),
    "half-rate": Spoilt(every=2),
    "frames-lost": Spoilt(dropped=0.06),
    "reader-late": Spoilt(behind=True),
    "times-late": Spoilt(late_ms=3.0),
    "darker": Spoilt(change=gain(0.6)),
    "brighter": Spoilt(change=gain(1.3)),
    "warmer": Spoilt(change=gain(0.85, 1.0, 1.12)),
    "other-tones": Spoilt(change=gamma(0.75)),
    "noisy": Spoilt(change=noise(4.0)),
    "coded": Spoilt(change=jpeg(50)),
    "blurred": Spoilt(change=blur(1.0)),
    "flickering": Spoilt(change=flicker(0.04)),
    "drifting": Spoilt(change=drift(0.04)),
    "shaded": Spoilt(change=cloud),
    "shaken": Spoilt(change=shake(0.3)),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=Path, required=True)
    parser.add_argument("--only", action="append", default=[], choices=list(WAYS))
    args = parser.parse_args()
    cv2.setNumThreads(1)
    print(
        f"{'':12} {'found':>14} {'false':>6} {'first contact':>14} {'time error: median, 95 %':>26}"
    )
    for name in args.only or WAYS:
        tally = tally_of(args.tables, WAYS[name])
        true, hit = sum(tally.true.values()), sum(tally.hit.values())
        gaps_ms = 1000 * np.array(tally.gaps_s or [0.0])
        middle, most = np.median(gaps_ms), np.percentile(gaps_ms, 95)
        first = f"{sum(tally.first)} of {len(tally.first)}"
        print(
            f"{name:12} {100 * hit / max(true, 1):6.2f} % {hit:2}/{true:<2} "
            f"{sum(tally.false.values()):6} {first:>14} {middle:15.2f}, {most:.2f} ms",
            flush=True,
        )
        for clip, notes in tally.notes.items():
            print(f"    {clip}: {'; '.join(notes)}", flush=True)


def tally_of(tables: Path, spoilt: Spoilt) -> Tally:
    """What is told of all clips that are fast enough, spoilt so; the same noise each time."""
    tally = Tally(quiet=True)
    for folder in sorted(path.parent for path in tables.glob("*/board.toml")):
        if not (folder / "clips").is_dir() or "[[lattice]]" in (folder / "board.toml").read_text():
            continue
        table = load_table(folder)
        for file in sorted((folder / "clips").glob("*.json")):
            truth = json.loads(file.read_text())
            if truth["fps"] / spoilt.every < LEAST_FPS:
                continue
            clock = Clock(truth)
            with open_source(str(file.with_suffix(".mp4"))) as source:
                frames = spoilt.of(clock.follow(source), np.random.default_rng(1))
                answer = dict(watch_clip(frames, table).as_json())
            tally.add(f"{folder.name}/{file.stem}", truth, answer, 0.0)
    return tally


if __name__ == "__main__":
    main()
