"""The rounds in which a piece's place is fitted, compiled: they are most of what a frame costs.

Gauss and Newton's way with weights that tell little of what does not fit (iteratively reweighted
least squares; Lucas & Kanade 1981, Baker & Matthews 2004).
"""

import numpy as np
from numpy.typing import NDArray

from vision.compiled import compiled, inlined

Floats = NDArray[np.float64]
Points = NDArray[np.float32]
Patch = NDArray[np.float32]
Gray = NDArray[np.uint8]

NOTHING: Gray = np.zeros((0, 0), dtype=np.uint8)
NOBODY: Points = np.zeros(0, dtype=np.float32)
UNKNOWN_GAIN = -1.0
_FAR_ROUNDS = 2
_GUESSED = 6.0  # codes, one sd, of board that no picture has shown: 2 as a rule, 8 by the border
_PRIOR = (1 / 0.006**2, 1 / 20.0**2, 1 / 4.0**2, 1 / 4.0**2)  # of the light on the piece
_CLIP = 60.0


@compiled("float64(float64, float64)")
def lit_gain(level: float, own_level: float) -> float:
    """How much brighter the light is where the board has this level than where it has its own."""
    ratio = (level + 8.0) / (own_level + 8.0)
    return float(min(max(ratio, 0.4), 2.0) ** 0.7)


@compiled("float64(float32[::1])")
def lit_level(board: Points) -> float:
    """How bright the lit board is there: lines and pockets are dark in any light."""
    whole = 0.0
    for code in board:
        whole += code
    mean = whole / len(board)
    lit, many = 0.0, 0
    for code in board:
        if code >= mean:
            lit += code
            many += 1
    return lit / many if many else mean


@inlined
def aim(at_px: np.float32) -> tuple[int, int]:
    """The pixel before a place along a row or column, and the 32nd parts of a pixel beyond it."""
    at = int(np.rint(at_px * np.float32(32)))
    return at >> 5, at & 31


@inlined
def code_at(picture: Gray, x: int, y: int, a: int, b: int) -> np.float32:
    """What the picture shows `a` and `b` 32nd parts past a pixel; its border goes on beyond it.

    As the `remap` of OpenCV 4 reads it, to the bit.
    """
    high, wide = picture.shape
    right, below = x + 1, y + 1
    if not (0 <= x < wide - 1 and 0 <= y < high - 1):
        right, below = min(max(right, 0), wide - 1), min(max(below, 0), high - 1)
        x, y = min(max(x, 0), wide - 1), min(max(y, 0), high - 1)
    upper = (32 - a) * int(picture[y, x]) + a * int(picture[y, right])
    lower = (32 - a) * int(picture[below, x]) + a * int(picture[below, right])
    return np.float32(((32 - b) * upper + b * lower + 512) >> 10)


@compiled(
    "void(float32[::1], int64, int64, float32[:,::1], float32, float32, float32, float32,"
    " float32[::1], float32[::1])"
)
def _draw(
    drawn: Points,
    start: int,
    side: int,
    at_mm: Patch,
    x_mm: np.float32,
    y_mm: np.float32,
    scale: np.float32,
    gain: np.float32,
    under: Points,
    weight: Points,
) -> None:
    """Draw a piece into `under`, and let what it hides count less than half."""
    half = np.float32((side - 1) // 2)
    for i in range(len(under)):
        u, to_right = aim((at_mm[0, i] - x_mm) * scale + half)
        v, to_below = aim((at_mm[1, i] - y_mm) * scale + half)
        a, b = np.float32(to_right) / np.float32(32), np.float32(to_below) / np.float32(32)
        if not (-1 <= u < side and -1 <= v < side):
            continue
        hide = layer = np.float32(0.0)
        for down in range(2):
            for right in range(2):
                if 0 <= u + right < side and 0 <= v + down < side:
                    part = (a if right else 1 - a) * (b if down else 1 - b)
                    at = start + 2 * ((v + down) * side + u + right)
                    hide += part * drawn[at]
                    layer += part * drawn[at + 1]
        under[i] = under[i] * (1 - hide) + gain * layer
        weight[i] *= 1 - np.float32(0.6) * min(max(hide, np.float32(0.0)), np.float32(1.0))


@compiled(
    "void(float32[::1], float32[::1], float32[::1], float32[:,::1], float32[:,::1],"
    " float32[:,::1], float32[::1], float64[::1], float32, float32[::1], float64[:,::1],"
    " float64[::1])"
)
def _equations(
    seen: Points,
    under: Points,
    through: Points,
    lights: Patch,
    through_falls: Patch,
    layer_falls: Patch,
    weight: Points,
    light: Floats,
    pull: np.float32,
    miss: Points,
    normal: Floats,
    right: Floats,
) -> None:
    """Set `miss` to what does not fit, and the equations of the next step."""
    l2, l3 = np.float32(light[0]), np.float32(light[1])
    l4, l5 = np.float32(light[2]), np.float32(light[3])
    n00 = n01 = n02 = n03 = n04 = n05 = n11 = n12 = n13 = n14 = n15 = np.float32(0.0)
    n22 = n23 = n24 = n25 = n33 = n34 = n35 = n44 = n45 = n55 = np.float32(0.0)
    r0 = r1 = r2 = r3 = r4 = r5 = np.float32(0.0)
    for i in range(len(seen)):
        c2, c3, c4, c5 = lights[0, i], lights[1, i], lights[2, i], lights[3, i]
        off = seen[i] - under[i] * through[i] - (l2 * c2 + l3 * c3 + l4 * c4 + l5 * c5)
        miss[i] = off
        c0 = under[i] * through_falls[0, i] + layer_falls[0, i]
        c1 = under[i] * through_falls[1, i] + layer_falls[1, i]
        far = off * pull
        heavy = weight[i] / (np.float32(1.0) + far * far)
        w0, w1, w2, w3, w4, w5 = (
            c0 * heavy,
            c1 * heavy,
            c2 * heavy,
            c3 * heavy,
            c4 * heavy,
            c5 * heavy,
        )
        n00 += w0 * c0
        n01 += w0 * c1
        n02 += w0 * c2
        n03 += w0 * c3
        n04 += w0 * c4
        n05 += w0 * c5
        n11 += w1 * c1
        n12 += w1 * c2
        n13 += w1 * c3
        n14 += w1 * c4
        n15 += w1 * c5
        n22 += w2 * c2
        n23 += w2 * c3
        n24 += w2 * c4
        n25 += w2 * c5
        n33 += w3 * c3
        n34 += w3 * c4
        n35 += w3 * c5
        n44 += w4 * c4
        n45 += w4 * c5
        n55 += w5 * c5
        r0 += w0 * off
        r1 += w1 * off
        r2 += w2 * off
        r3 += w3 * off
        r4 += w4 * off
        r5 += w5 * off
    normal[0, 0], normal[0, 1], normal[0, 2] = n00, n01, n02
    normal[0, 3], normal[0, 4], normal[0, 5] = n03, n04, n05
    normal[1, 1], normal[1, 2], normal[1, 3], normal[1, 4], normal[1, 5] = n11, n12, n13, n14, n15
    normal[2, 2], normal[2, 3], normal[2, 4], normal[2, 5] = n22, n23, n24, n25
    normal[3, 3], normal[3, 4], normal[3, 5] = n33, n34, n35
    normal[4, 4], normal[4, 5], normal[5, 5] = n44, n45, n55
    for row in range(6):
        for column in range(row):
            normal[row, column] = normal[column, row]
    right[0], right[1], right[2], right[3], right[4], right[5] = r0, r1, r2, r3, r4, r5


@compiled("void(float32[::1], float32[:,::1], float32[::1], float32[::1])")
def _even_out(codes: Points, at_mm: Patch, covers: Points, doubt: Points) -> None:
    """Take out of these `codes` what may come of light that was guessed amiss, where in `doubt`.

    Light changes evenly over a piece's breadth: what differs so is no sign of a piece.
    """
    normal, right = np.eye(3) * 1e-3, np.zeros(3)
    for i in range(len(codes)):
        level = np.float64(doubt[i])
        row = (level, level * 0.1 * at_mm[0, i], level * 0.1 * at_mm[1, i])
        for k in range(3):
            part = row[k] * covers[i]
            right[k] += part * codes[i]
            for j in range(3):
                normal[k, j] += part * row[j]
    even = np.linalg.solve(normal, right)
    for i in range(len(codes)):
        slope = even[1] * at_mm[0, i] + even[2] * at_mm[1, i]
        codes[i] -= np.float32(doubt[i] * (even[0] + 0.1 * slope))


@compiled("float64(float32[::1], float32[::1])")
def _power(codes: Points, covers: Points) -> float:
    power = 0.0
    for i in range(len(codes)):
        power += codes[i] * codes[i] * covers[i]
    return power


@inlined
def _along(
    at_px: float, by_x: float, by_y: float, x_mm: np.float32, y_mm: np.float32
) -> np.float32:
    """The pixel so far from one, in single precision."""
    return np.float32(at_px) + np.float32(by_x) * x_mm + np.float32(by_y) * y_mm


@inlined
def _step(normal: Floats, right: Floats, light: Floats, usual: float, floor: float) -> Floats:
    """The next step, once light on the piece is held near none: it changes as the piece runs.

    (6,): along x and y, then of an even gain and of a glow, even and sloped.
    """
    for k in range(6):
        normal[k, k] += 1e-9
    for k in range(4):
        hold = _PRIOR[k] * floor**2
        normal[k + 2, k + 2] += hold
        right[k + 2] -= hold * (light[k] - (usual if k == 0 else 0.0))
    return np.asarray(np.linalg.solve(normal, right), dtype=np.float64)


@inlined
def _told(
    seen: Points,
    under: Points,
    miss: Points,
    weight: Points,
    around: Points,
    through: Points,
    lights: Patch,
    usual: float,
    doubt: Points,
    at_mm: Patch,
) -> tuple[float, float, float, float]:
    """The mean misfit in codes, and as mean squares of codes what is not explained, what was to be
    explained and what a piece would show. The arrays up to `weight` are used up.
    """
    many = len(seen)
    due = np.empty(many, dtype=np.float32)
    gap, counts = seen, weight
    total, spread = 1e-6, 0.0
    for i in range(many):
        counts[i] *= around[i]
        miss[i] = _clipped(miss[i])
        due[i] = _clipped(usual * lights[0, i] - under[i] * (1 - through[i]))
        gap[i] = _clipped(seen[i] - under[i])
        total += counts[i]
        spread += abs(miss[i]) * counts[i]
    if doubt.any():  # the board may be otherwise than guessed, with the piece and without
        _even_out(gap, at_mm, counts, doubt)
        _even_out(due, at_mm, counts, doubt)
        _even_out(miss, at_mm, counts, doubt * through)
    return (
        spread / total,
        _power(miss, counts) / total,
        _power(gap, counts) / total,
        _power(due, counts) / total,
    )


@inlined
def _clipped(code: float) -> float:
    return min(max(code, -_CLIP), _CLIP)


@compiled(
    "(uint8[:,:], uint8[:,:], uint8[:,:], uint8[:,:], float64[::1], float32[:,::1],"
    " float32[::1], float32[:,::1], float32[:,::1], float32[:,::1], float32[::1], float32[::1],"
    " float64[:,::1], float64, float64, float64, int64)"
)
def descend(
    picture: Gray,
    board: Gray,
    doubtful: Gray,
    hidden: Gray,
    spot: Floats,
    at_mm: Patch,
    through: Points,
    lights: Patch,
    through_falls: Patch,
    layer_falls: Patch,
    around: Points,
    drawn: Points,
    covers: Floats,
    own_level: float,
    hum: float,
    step_mm: float,
    rounds: int,
) -> tuple[float, float, float, float, float, float, float, float]:
    """Fit a place in at most so many `rounds`.

    `spot`: the pixel of the guess, and what a millimetre along x and y is to the right and down.
    `covers` (K, 7), of the pieces drawn into the board: where its layers begin in `drawn`, their
    side, its place about the guess, pixels to a millimetre, its gain and its own level.
    Returned: the way from the guess in mm along x and y, the gain, the mean misfit in codes, what
    is not explained, what was to be explained and what a piece would show (mean squares of codes),
    and the place's variance for noise of one code (mm²).
    """
    many = len(through)
    u0, v0 = np.empty(many, dtype=np.float32), np.empty(many, dtype=np.float32)
    for i in range(many):
        u0[i] = _along(spot[0], spot[2], spot[3], at_mm[0, i], at_mm[1, i])
        v0[i] = _along(spot[1], spot[4], spot[5], at_mm[0, i], at_mm[1, i])
    under, seen = np.empty(many, dtype=np.float32), np.empty(many, dtype=np.float32)
    miss, weight = np.empty(many, dtype=np.float32), np.empty(many, dtype=np.float32)
    doubt = np.zeros(many, dtype=np.float32)
    normal, right, light = np.empty((6, 6)), np.empty(6), np.zeros(4)
    code = np.float32(1 / 255)
    floor = 2.0 * hum
    for i in range(many):
        (x, a), (y, b) = aim(u0[i]), aim(v0[i])
        under[i] = code_at(board, x, y, a, b)
        if doubtful.size:
            doubt[i] = code_at(doubtful, x, y, a, b) * code
    usual = light[0] = lit_gain(lit_level(under), own_level)
    trust = np.ones(many, dtype=np.float32)
    if doubtful.size:
        for i in range(many):
            trust[i] /= 1 + (doubt[i] * through[i] * np.float32(_GUESSED / floor)) ** 2
    dx = dy = 0.0
    for turn in range(rounds):
        du = np.float32(spot[2] * dx + spot[3] * dy)
        dv = np.float32(spot[4] * dx + spot[5] * dy)
        for i in range(many):
            (x, a), (y, b) = aim(u0[i] + du), aim(v0[i] + dv)
            under[i] = code_at(board, x, y, a, b)
            seen[i] = code_at(picture, x, y, a, b)
            weight[i] = trust[i]
            if hidden.size:
                weight[i] *= 1 - code_at(hidden, x, y, a, b) * code
        for cover in covers:
            gain = cover[5]
            if gain == UNKNOWN_GAIN:
                gain = lit_gain(lit_level(under), cover[6])
            x_mm, y_mm = np.float32(cover[2] - dx), np.float32(cover[3] - dy)
            start, side, scale = int(cover[0]), int(cover[1]), np.float32(cover[4])
            _draw(drawn, start, side, at_mm, x_mm, y_mm, scale, np.float32(gain), under, weight)
        # far off, all of it must pull; near, what does not fit is a cue or a neighbour
        pull = np.float32(1 / ((12.0 if turn < _FAR_ROUNDS else 3.0) * floor))
        _equations(
            seen,
            under,
            through,
            lights,
            through_falls,
            layer_falls,
            weight,
            light,
            pull,
            miss,
            normal,
            right,
        )
        step = _step(normal, right, light, usual, floor)
        size = np.hypot(step[0], step[1])
        part = min(1.0, 3.0 * step_mm / size) if size > 0 else 1.0
        dx += step[0] * part
        dy += step[1] * part
        for k in range(4):
            light[k] += step[k + 2]
        light[0] = min(1.7, max(0.5, light[0]))
        if size < 0.03 * step_mm and turn >= _FAR_ROUNDS:
            break
    told = _told(seen, under, miss, weight, around, through, lights, usual, doubt, at_mm)
    inverse = np.linalg.inv(normal)
    place_variance = 0.5 * (inverse[0, 0] + inverse[1, 1])
    return dx, dy, light[0], told[0], told[1], told[2], told[3], place_variance
