"""How many damaged camera pictures are noticed before anything is read from them.

    python benchmarks/damage.py --tables FOLDER [--count 3000]

Takes the stills of reference tables, damages them in the ways that cables, networks and failing
cameras do, and asks the two gates that every frame passes: decoding (`vision.sources`) and
`vision.frame_health.judge_frame` against the table's empty picture. A damage that changes no more
than `--blocks` blocks of 8 x 8 pixels by more than 12 levels is counted apart, as harmless. Sound
pictures (all stills, relit and noisy ones too) must pass: false alarms are counted.
"""

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

import cv2  # noqa: E402
import numpy as np  # noqa: E402
from numpy.typing import NDArray  # noqa: E402

from vision.frame_health import Normal, judge_frame, normal_of  # noqa: E402
from vision.sources import TornPicture, decode_picture  # noqa: E402

Picture = NDArray[np.uint8]
HEAD_BYTES = 700


def decoded(data: bytes) -> Picture | None:
    if not data:
        return None
    return cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)


def encoded(picture: Picture, quality: int = 90) -> bytes:
    return bytes(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes())


def _place(data: bytes, rng: random.Random) -> int:
    return rng.randrange(HEAD_BYTES, len(data) - 1200)


def tail_zeroed(data: bytes, rng: random.Random) -> bytes:
    at = _place(data, rng)
    return data[:at] + bytes(len(data) - at - 2) + data[-2:]


def tail_cut(data: bytes, rng: random.Random) -> bytes:
    return data[: _place(data, rng)]


def tail_cut_and_closed(data: bytes, rng: random.Random) -> bytes:
    return data[: _place(data, rng)] + b"\xff\xd9"


def packet_lost(data: bytes, rng: random.Random) -> bytes:
    at = _place(data, rng)
    return data[:at] + data[at + rng.choice((64, 512, 1024)) :]


def packet_zeroed(data: bytes, rng: random.Random) -> bytes:
    at = _place(data, rng)
    length = rng.choice((64, 512, 1024))
    return data[:at] + bytes(length) + data[at + length :]


def bytes_garbled(data: bytes, rng: random.Random) -> bytes:
    garbled = bytearray(data)
    for _ in range(rng.choice((1, 2, 8, 40))):
        garbled[_place(data, rng)] = rng.randrange(256)
    return bytes(garbled)


def bit_flipped(data: bytes, rng: random.Random) -> bytes:
    flipped = bytearray(data)
    flipped[_place(data, rng)] ^= 1 << rng.randrange(8)
    return bytes(flipped)


def _painted(data: bytes, rng: random.Random, level: tuple[int, int, int]) -> bytes:
    """Damaged before it was encoded (inside the camera or a converter): sound bytes."""
    picture = decode_picture(data).copy()
    from_row = rng.randrange(8, picture.shape[0] - 24)
    picture[from_row // 8 * 8 :] = level
    return encoded(picture)


def encoded_half_grey(data: bytes, rng: random.Random) -> bytes:
    return _painted(data, rng, (128, 128, 128))


def encoded_half_green(data: bytes, rng: random.Random) -> bytes:
    return _painted(data, rng, (0, 135, 0))


def encoded_garbled(data: bytes, rng: random.Random) -> bytes:
    """What a tolerant decoder made of a damaged picture, encoded again."""
    for _ in range(30):
        broken = rng.choice((tail_zeroed, packet_lost, tail_cut_and_closed))(data, rng)
        picture = decoded(broken)
        if picture is not None:
            return encoded(picture, 92)
    return tail_cut(data, rng)


def shifted_down(data: bytes, rng: random.Random) -> bytes:
    """Torn: from some row on, the picture begins anew, as when a camera loses its line count."""
    picture = decode_picture(data)
    row = rng.randrange(picture.shape[0] // 8, picture.shape[0] * 7 // 8)
    shift = rng.randrange(picture.shape[0] // 10, picture.shape[0] // 2)
    torn = picture.copy()
    torn[row:] = np.roll(picture, shift, axis=0)[row:]
    return encoded(torn)


def too_dark(data: bytes, rng: random.Random) -> bytes:
    return encoded((decode_picture(data) * (0.06 * rng.random())).astype(np.uint8))


def too_bright(data: bytes, rng: random.Random) -> bytes:
    picture = decode_picture(data).astype(np.float32) * (6.0 + 4.0 * rng.random()) + 60.0
    return encoded(np.clip(picture, 0, 255).astype(np.uint8))


def covered(data: bytes, rng: random.Random) -> bytes:
    sound = decode_picture(data)
    part = 1 / 8  # of its size: a blur so wide takes minutes on the whole picture
    small = cv2.resize(sound, None, fx=part, fy=part, interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(small, (0, 0), 90.0 * part)
    picture = cv2.resize(soft, sound.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    noise = np.random.default_rng(rng.randrange(1 << 30)).normal(0.0, 3.0, picture.shape)
    return encoded(np.clip(0.4 * picture + 30.0 + noise, 0, 255).astype(np.uint8))


def out_of_focus(data: bytes, rng: random.Random) -> bytes:
    sigma = (3.0 + 6.0 * rng.random()) * decode_picture(data).shape[1] / 1920.0
    return encoded(cv2.GaussianBlur(decode_picture(data), (0, 0), sigma))


def turned_away(data: bytes, rng: random.Random) -> bytes:
    picture = decode_picture(data)
    by = rng.choice((-1, 1)) * rng.randrange(60, 400)
    return encoded(np.roll(picture, (by, 2 * by), axis=(0, 1)))


DAMAGES: dict[str, Callable[[bytes, random.Random], bytes]] = {
    each.__name__.replace("_", " "): each
    for each in (
        tail_zeroed,
        tail_cut,
        tail_cut_and_closed,
        packet_lost,
        packet_zeroed,
        bytes_garbled,
        bit_flipped,
        encoded_half_grey,
        encoded_half_green,
        encoded_garbled,
        shifted_down,
        too_dark,
        too_bright,
        covered,
        out_of_focus,
        turned_away,
    )
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Still:
    path: Path
    data: bytes
    normal: Normal


def verdict(data: bytes, normal: Normal) -> str | None:
    """What the two gates say of the bytes."""
    try:
        picture = decode_picture(data)
    except TornPicture as torn:
        return str(torn)
    return judge_frame(picture, reference=normal)


def changed_blocks(data: bytes, sound: Picture) -> int:
    """How many 8 x 8 blocks a damage changed by more than 12 levels somewhere."""
    picture = decoded(data)
    if picture is None or picture.shape != sound.shape:
        return 1 << 20
    change = cv2.absdiff(picture, sound).max(axis=2)
    height, width = (side // 8 * 8 for side in change.shape)
    blocks = change[:height, :width].reshape(height // 8, 8, width // 8, 8).max(axis=(1, 3))
    return int((blocks > 12).sum())


def relit(picture: Picture, rng: np.random.Generator) -> Picture:
    """The same picture in a plausible other light: dimmer or brighter, uneven, warmer, noisier."""
    height, width = picture.shape[:2]
    across, down = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
    slope = 1.0 + rng.uniform(-0.3, 0.3) * across + rng.uniform(-0.3, 0.3) * down
    gain = 2.0 ** rng.uniform(-0.8, 0.5) * np.array([1.0, 1.0, rng.uniform(0.8, 1.25)])
    changed = picture * slope[:, :, None] * gain
    changed += rng.normal(0.0, rng.uniform(0.0, 6.0), picture.shape)
    return np.clip(changed, 0, 255).astype(np.uint8)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=Path, required=True)
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--blocks", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    stills = [
        Still(path=path, data=path.read_bytes(), normal=normal)
        for folder in sorted(options.tables.iterdir())
        if (folder / "empty.jpg").exists()
        for normal in [normal_of(decode_picture((folder / "empty.jpg").read_bytes()))]
        for path in sorted((folder / "stills").glob("*.jpg"))
    ]
    rng = random.Random(options.seed)
    made: Counter[str] = Counter()
    noticed: Counter[str] = Counter()
    harmless: Counter[str] = Counter()
    missed: list[str] = []
    for number in range(options.count):
        kind = list(DAMAGES)[number % len(DAMAGES)]
        still = rng.choice(stills)
        data = DAMAGES[kind](still.data, rng)
        made[kind] += 1
        if verdict(data, still.normal) is not None:
            noticed[kind] += 1
            continue
        blocks = changed_blocks(data, decode_picture(still.data))
        if blocks <= options.blocks:
            harmless[kind] += 1
        else:
            missed.append(f"{kind}: {blocks} blocks of {still.path}")
    print(f"{'damage':22} {'made':>5} {'noticed':>8} {'harmless':>9} {'missed':>7}")
    for kind in DAMAGES:
        lost = made[kind] - noticed[kind] - harmless[kind]
        print(f"{kind:22} {made[kind]:5} {noticed[kind]:8} {harmless[kind]:9} {lost:7}")
    harmful = sum(made.values()) - sum(harmless.values())
    share = 100.0 * sum(noticed.values()) / harmful
    print(f"noticed {sum(noticed.values())} of {harmful} damages that show: {share:.2f} %")
    for line in missed[:12]:
        print("  missed", line)

    noise = np.random.default_rng(options.seed)
    alarms = []
    for still in stills:
        picture = decode_picture(still.data)
        for name, sound in (("as it is", picture), ("relit", relit(picture, noise))):
            reason = judge_frame(sound, reference=still.normal) or judge_frame(sound)
            if reason:
                alarms.append(f"{still.path} {name}: {reason}")
    print(f"false alarms: {len(alarms)} of {2 * len(stills)} sound pictures")
    for line in alarms[:12]:
        print("  ", line)

    still = max(stills, key=lambda each: each.normal.size)
    gray = decode_picture(still.data, gray=True)
    began = time.process_time()
    for _ in range(20):
        decode_picture(still.data, gray=True)
    decoding = time.process_time() - began
    began = time.process_time()
    for _ in range(20):
        judge_frame(gray, reference=still.normal)
    judging = time.process_time() - began
    size = "x".join(str(side) for side in still.normal.size)
    print(f"judging costs {judging / decoding:.2f} of the gray decode of the same {size} picture")


if __name__ == "__main__":
    main()
