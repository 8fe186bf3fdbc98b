"""What a frame costs while pieces move, against the gray JPEG decode of the same frames.

    python benchmarks/stream.py [--size 1920x1080] [--fps 60] [--shots 3] [--profile]

One core, frames drawn and compressed beforehand, decode and following interleaved in one run; the
least of three passes counts.
"""

import argparse
import cProfile
import pstats
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

import cv2  # noqa: E402
import numpy as np  # noqa: E402

from calibration.table import load_table  # noqa: E402
from sightline.simulated.shots import simulated_shot  # noqa: E402
from sightline.simulated.table import write_table  # noqa: E402
from vision.tracking.body import Known  # noqa: E402
from vision.tracking.tracker import Tracker, still_picture  # noqa: E402


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", default="1920x1080")
    parser.add_argument("--fps", type=float, default=60.0)
    parser.add_argument("--shots", type=int, default=3)
    parser.add_argument("--profile", action="store_true")
    args = parser.parse_args()
    width, height = (int(x) for x in args.size.split("x"))
    cv2.setNumThreads(1)
    simulated = table = None
    ratios = []
    for seed in range(args.shots):
        shot = simulated_shot(seed, fps=args.fps, size=(width, height), table=simulated)
        if simulated is None:
            simulated = shot.table
            with tempfile.TemporaryDirectory() as folder:
                write_table(simulated, Path(folder))
                table = load_table(Path(folder))
        assert table is not None
        begin, end = shot.run.start_s, shot.run.rest_s
        frames = [f for f in shot.frames if begin - 0.1 <= f.at_ms / 1000 <= min(end, begin + 1.2)]
        coded = [cv2.imencode(".jpg", f.image, [cv2.IMWRITE_JPEG_QUALITY, 85])[1] for f in frames]
        empty = np.asarray(cv2.cvtColor(table.empty, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
        pieces = [
            Known(
                name=p.name,
                kind=p.spec.kind,
                colour=p.spec.colour,
                x_mm=p.x_mm,
                y_mm=p.y_mm,
                error_mm=0.05,
                radius_mm=p.radius_mm,
                thickness_mm=p.spec.thickness_mm,
                hole_mm=p.spec.hole_mm,
            )
            for p in shot.lying
        ]
        best = np.inf
        for _ in range(3):
            tracker = Tracker(table.camera, table.board, empty)
            tracker.exposure_s = frames[0].exposure_ms / 1000
            still = [np.asarray(cv2.imdecode(c, cv2.IMREAD_GRAYSCALE)) for c in coded[:3]]
            picture, noise = still_picture(still)
            tracker.begin(picture, pieces, noise=noise)
            decode = follow = 0.0
            moving = []
            profile = cProfile.Profile()
            for frame, data in zip(frames[3:], coded[3:], strict=True):
                a = time.process_time()
                gray = np.asarray(cv2.imdecode(data, cv2.IMREAD_GRAYSCALE), dtype=np.uint8)
                b = time.process_time()
                if args.profile:
                    profile.enable()
                look = tracker.step(gray, frame.at_ms, frame.number)
                profile.disable()
                c = time.process_time()
                decode += b - a
                follow += c - b
                moving.append(look.moving)
            best = min(best, (decode + follow) / decode)
        ratios.append(best)
        size = np.mean([len(c) for c in coded]) / 1000
        print(
            f"shot {seed}: {len(frames)} frames of {size:.0f} KB, {np.mean(moving):.1f} moving, "
            f"decode {1000 * decode / len(moving):.2f} ms, with following {best:.2f} times as much"
        )
        if args.profile:
            pstats.Stats(profile).sort_stats("cumulative").print_stats(25)
    print(f"ratio: median {np.median(ratios):.2f}, worst {max(ratios):.2f}")


if __name__ == "__main__":
    main()
