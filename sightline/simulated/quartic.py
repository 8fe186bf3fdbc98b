"""When a polynomial of degree four first falls through zero: the moment two sliding discs touch.

Discs under Coulomb friction move along parabolas in time, so the square of their distance is a
quartic (Leckie and Greenspan, "An event-based pool physics simulator", 2005). Between its turning
points it is monotone, which makes the first descent through zero safe to bracket.
"""

from math import acos, cbrt, cos, pi, sqrt

Quartic = tuple[float, float, float, float, float]


def first_descent(poly: Quartic, until: float) -> float | None:
    """The first t in [0, until] at which the polynomial falls through zero; None: it never does.

    `poly` runs from the constant term up. A polynomial that starts at or below zero and falls there
    descends at once, at 0.0; one that starts there and rises must come up first.
    """
    c0, c1, c2, c3, c4 = poly
    if c0 <= 0.0 and (c1 < 0.0 or (c1 == 0.0 and c2 < 0.0)):
        return 0.0
    poly = (max(c0, 0.0), c1, c2, c3, c4)
    turns = sorted(t for t in _cubic_roots(4 * c4, 3 * c3, 2 * c2, c1) if 0.0 < t < until)
    low = 0.0
    for high in (*turns, until):
        if _value(poly, high) < 0.0:
            return _bisect(poly, low, high)
        low = high
    return None


def _value(poly: Quartic, t: float) -> float:
    c0, c1, c2, c3, c4 = poly
    return c0 + t * (c1 + t * (c2 + t * (c3 + t * c4)))


def _slope(poly: Quartic, t: float) -> float:
    _, c1, c2, c3, c4 = poly
    return c1 + t * (2 * c2 + t * (3 * c3 + t * 4 * c4))


def _bisect(poly: Quartic, low: float, high: float) -> float:
    """The zero between `low` (above it) and `high` (below): Newton's steps, kept in the bracket."""
    t = 0.5 * (low + high)
    for _ in range(80):
        value = _value(poly, t)
        if value >= 0.0:
            low = t
        else:
            high = t
        slope = _slope(poly, t)
        step = t - value / slope if slope < 0.0 else low
        nearer = step if low < step < high else 0.5 * (low + high)
        if abs(nearer - t) <= 1e-15 * max(1.0, abs(t)):
            return nearer
        t = nearer
    return t


def _cubic_roots(a: float, b: float, c: float, d: float) -> tuple[float, ...]:
    """The real roots of a t³ + b t² + c t + d."""
    scale = max(abs(a), abs(b), abs(c), abs(d))
    if scale == 0.0:
        return ()
    if abs(a) < 1e-14 * scale:
        return _square_roots(b, c, d)
    b, c, d = b / a, c / a, d / a
    p = c - b * b / 3
    q = 2 * b**3 / 27 - b * c / 3 + d
    shift = -b / 3
    part = q * q / 4 + p**3 / 27
    if part > 0:
        root = sqrt(part)
        # of the two terms one loses digits; it follows from the other
        u = cbrt(-q / 2 - root) if q > 0 else cbrt(-q / 2 + root)
        return (u - p / (3 * u) + shift if u != 0.0 else shift,)
    if p >= 0:
        return (shift,)
    reach = 2 * sqrt(-p / 3)
    angle = acos(max(-1.0, min(1.0, 3 * q / (p * reach)))) / 3
    return tuple(reach * cos(angle - 2 * pi * k / 3) + shift for k in range(3))


def _square_roots(a: float, b: float, c: float) -> tuple[float, ...]:
    if a == 0.0:
        return (-c / b,) if b != 0.0 else ()
    part = b * b - 4 * a * c
    if part < 0:
        return ()
    root = -0.5 * (b + (sqrt(part) if b >= 0 else -sqrt(part)))
    return tuple(t for t in ((root / a), (c / root if root != 0.0 else None)) if t is not None)
