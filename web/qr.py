"""A QR code as the path of an SVG: one unit is one module, the quiet zone included."""

import segno

_QUIET = 4


def qr_path(text: str) -> tuple[int, str]:
    """Return the width of the code in modules and the path that draws its dark ones."""
    rows = tuple(segno.make(text, error="m", micro=False).matrix)
    parts: list[str] = []
    for y, row in enumerate(rows):
        x = 0
        while x < len(row):
            run = 0
            while x + run < len(row) and row[x + run]:
                run += 1
            if run:
                parts.append(f"M{x + _QUIET} {y + _QUIET}h{run}v1h-{run}z")
            x += run or 1
    return len(rows) + 2 * _QUIET, "".join(parts)
