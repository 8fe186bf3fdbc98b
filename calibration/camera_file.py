"""Reads and writes `camera.json`: the lens, as a lens calibration gives it, never the pose."""

import json
import math
from pathlib import Path

from calibration.camera import Lens
from calibration.damage import TableDamaged

_REMEDY = "calibrate the lens again: sightline calibrate lens"


def read_lens(path: Path | str) -> Lens:
    """Return the lens of a `camera.json`; `TableDamaged` says what is wrong with one."""
    file = Path(path)
    try:
        got = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise TableDamaged(file, "there is no lens calibration", _REMEDY) from None
    except OSError as err:
        raise TableDamaged(file, f"cannot be read ({err.strerror})", _REMEDY) from err
    except (UnicodeDecodeError, json.JSONDecodeError) as err:
        raise TableDamaged(file, f"is not JSON: {err}", _REMEDY) from None
    if not isinstance(got, dict):
        raise TableDamaged(file, "expected an object with width, height, fx, …", _REMEDY)
    for key in ("width", "height"):
        value = got.get(key)
        if isinstance(value, bool) or not isinstance(value, int) or value < 16:
            what = f"{key}: expected a whole number of pixels, got {value!r}"
            raise TableDamaged(file, what, _REMEDY)
    numbers = {key: _number(file, key, got.get(key)) for key in ("fx", "fy", "cx", "cy")}
    width, height = int(got["width"]), int(got["height"])
    for key in ("fx", "fy"):
        if not 0.2 * width <= numbers[key] <= 20 * width:
            what = f"{key}: {numbers[key]:g} px is no focal length of a {width} px wide picture"
            raise TableDamaged(file, what, _REMEDY)
    if not (0 <= numbers["cx"] <= width and 0 <= numbers["cy"] <= height):
        raise TableDamaged(file, "cx, cy: the optical axis lies outside the picture", _REMEDY)
    dist = got.get("dist")
    if not isinstance(dist, list) or len(dist) != 5:
        raise TableDamaged(file, f"dist: expected [k1, k2, p1, p2, k3], got {dist!r}", _REMEDY)
    k1, k2, p1, p2, k3 = (_number(file, f"dist[{n}]", value) for n, value in enumerate(dist))
    return Lens(width=width, height=height, **numbers, dist=(k1, k2, p1, p2, k3))


def write_lens(lens: Lens, path: Path | str) -> None:
    """Write `lens` as a `camera.json`."""
    told = {
        "width": lens.width,
        "height": lens.height,
        "fx": lens.fx,
        "fy": lens.fy,
        "cx": lens.cx,
        "cy": lens.cy,
        "dist": list(lens.dist),
    }
    Path(path).write_text(json.dumps(told) + "\n", encoding="utf-8")


def _number(file: Path, key: str, got: object) -> float:
    if isinstance(got, bool) or not isinstance(got, int | float) or not math.isfinite(got):
        raise TableDamaged(file, f"{key}: expected a number, got {got!r}", _REMEDY)
    return float(got)
