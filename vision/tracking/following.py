"""What a frame makes of a piece that is followed: found at a place, or lost; at rest, or gone."""

from math import hypot

import numpy as np
from numpy.typing import NDArray

from rules.board import Board
from vision.tracking.backdrop import mean_square
from vision.tracking.body import WHOLE, Body, Sample, Seal
from vision.tracking.covered import borne_out, unmoved_until
from vision.tracking.fitting import Fix
from vision.tracking.foresight import Runner
from vision.tracking.ground import Ground

Gray = NDArray[np.uint8]
_WHOLE_MM, _SEEMS_MM = 1.0, 2.0  # so far it may seem to be at rest
_PART = 0.11  # of the way from home: so far off it may be placed that a hand half hides
_LIES_MM = 0.15  # nearer, two places measured one after the other are one
_FLICKERS, _MOST_FLICKERS = 1.3, 3.0  # times what it flickered by, and at most what noise does
_RESTS = 2  # frames: longer still, and it lies
_RUNS, _POOR = 2, 0.6  # samples; of what explains it
_SHARPLY = 0.7  # of its speed: what has changed so much was hit, or came to a cushion
_STRAYED_MM, _STRAYED = 5.0, 0.4  # and of a step
_AS_FORESEEN = 0.25  # of a radius
_FALLEN_S = 0.2  # seen no more for so long, what was last seen in a mouth has fallen


def lose(body: Body, runner: Runner, board: Board, *, frame_s: float) -> None:
    """The piece is found nowhere: it runs on as foreseen.

    Where it was last seen poorly, and off its way, it was not: it may have flown over the border.
    """
    body.seal = None
    body.lost += 1
    if body.lost == 1 and _strayed(body) and not _in_a_mouth(body.last, board):
        body.samples.pop()
        body.lost += 1
        a, b = body.samples[-2:]
        span = (b.at_ms - a.at_ms) / 1000
        body.vx_mm_s, body.vy_mm_s = (b.x_mm - a.x_mm) / span, (b.y_mm - a.y_mm) / span
        body.x_mm = b.x_mm + body.vx_mm_s * body.lost * frame_s
        body.y_mm = b.y_mm + body.vy_mm_s * body.lost * frame_s
        body.speed = hypot(body.vx_mm_s, body.vy_mm_s)
    elif body.moved:
        body.x_mm, body.y_mm = runner.x_mm, runner.y_mm
        body.vx_mm_s, body.vy_mm_s = runner.vx_mm_s, runner.vy_mm_s


def follow(
    body: Body,
    found: Fix,
    at_ms: float,
    frame: int,
    *,
    frame_s: float,
    foreseen: Runner | None = None,
) -> None:
    """The piece is found at a place: it has one sample more, and a speed by it.

    Where it was `foreseen` to have turned back, and lies as foreseen, so is its speed: the way from
    one place to the next is no measure of it.
    """
    # from rest nobody knows when within the frame it set off
    span = frame_s * (body.lost + 1 if body.moved else 1)
    ax, ay = body.last
    vx, vy = (found.x_mm - ax) / span, (found.y_mm - ay) / span
    if foreseen is not None and body.runs_by_itself and not body.lost:
        vx, vy = _turned_back(body, found, foreseen, (vx, vy))
    quiet = hypot(vx, vy) * frame_s < max(0.25, 4 * found.error_mm)
    hidden_mm = 0.0
    if not body.moved:
        body.moved = sets_off(found, body)
        if body.moved and body.held and found.share < WHOLE * body.best:
            # the hand that has struck it may hide one end of its smear; it has left all the same
            hidden_mm = 2 * body.known.radius_mm * (1 - found.share / body.best)
            hidden_mm = min(hidden_mm, _PART * body.away_mm(found))
        if body.moved and body.lay_ms == at_ms:  # it had hardly left where it seemed to lie
            body.lay_ms = body.lay_before_ms
        if body.moved:
            body.unmoved_ms = unmoved_until(body)
            body.samples += borne_out(body.home, body.covered, found, at_ms)
        body.covered.clear()
        body.best = max(body.best, found.share)
        body.crept = body.moved and body.cued and quiet and body.still >= _RESTS
    body.still = body.still + 1 if quiet else 0
    rests = body.still > _RESTS
    # between two places it was not seen at in a row it may have been turned
    body.runs = 0 if not body.moved or rests else 1 if body.lost else body.runs + 1
    if body.runs_by_itself:
        body.push = 0.0
    unseen = body.held and body.lost > 1  # nobody knows since when it runs
    body.set_off_unseen = body.moved and (unseen or body.set_off_unseen)
    body.turned = body.moved and hypot(vx - body.vx_mm_s, vy - body.vy_mm_s) > _SHARPLY * body.speed
    if not body.moved or rests or unseen:
        vx = vy = 0.0
    body.x_mm, body.y_mm = found.x_mm, found.y_mm
    body.vx_mm_s, body.vy_mm_s = vx, vy
    body.speed = hypot(vx, vy)
    body.pace = max(body.speed, 0.75 * body.pace)
    if unseen and body.moved and body.lay_ms is not None and at_ms > body.lay_ms:
        body.pace = 1000 * body.away_mm(found) / (at_ms - body.lay_ms)  # at the least
    body.lost, body.held, body.shown = 0, False, 1.0
    error_mm = hypot(found.error_mm, hidden_mm)
    body.samples.append(Sample(at_ms, frame, found.x_mm, found.y_mm, error_mm, found.share))


def _turned_back(
    body: Body, found: Fix, foreseen: Runner, speed: tuple[float, float]
) -> tuple[float, float]:
    """The `speed` along x and y of a piece found at a place, where it turned back as foreseen."""
    off_mm = hypot(found.x_mm - foreseen.x_mm, found.y_mm - foreseen.y_mm)
    if off_mm > _AS_FORESEEN * body.known.radius_mm:
        return speed
    vx = foreseen.vx_mm_s if foreseen.vx_mm_s * body.vx_mm_s < 0 else speed[0]
    vy = foreseen.vy_mm_s if foreseen.vy_mm_s * body.vy_mm_s < 0 else speed[1]
    return vx, vy


def _strayed(body: Body) -> bool:
    """Whether a piece that ran by itself was last found elsewhere, and little like itself."""
    if not body.moved or body.runs <= _RUNS or len(body.samples) <= _RUNS:
        return False
    a, b, last = body.samples[-3:]
    if last.share > _POOR * body.best or min(a.share, b.share) < WHOLE * body.best:
        return False
    part = (last.at_ms - b.at_ms) / (b.at_ms - a.at_ms)
    x, y = b.x_mm + part * (b.x_mm - a.x_mm), b.y_mm + part * (b.y_mm - a.y_mm)
    off, step = hypot(last.x_mm - x, last.y_mm - y), hypot(x - b.x_mm, y - b.y_mm)
    return off > max(_STRAYED_MM, _STRAYED * step)


def reseal(body: Body, found: Fix, picture: Gray, ground: Ground) -> None:
    """Keep what a piece at rest looks like where it was found."""
    if body.still <= _RESTS or found.share <= body.least:
        body.seal = None
    elif body.seal is None or body.seal.fix is not found:
        if (old := body.seal) is not None and _apart_mm(old.fix, found) < _LIES_MM:
            body.flicker = max(body.flicker, _changed(old, picture))
        view = ground.box_of(found.x_mm, found.y_mm, body.known, 1.0)
        body.seal = Seal(view, picture[view].copy(), found)


def intact(body: Body, picture: Gray, ground: Ground) -> Seal | None:
    """The seal of a piece at rest that looks as it did when it was last measured."""
    seal = body.seal
    if seal is None or not seal.pixels.size:
        return None
    usual = 2.6 * max(ground.noise, 1.0) ** 2 + 1.0
    # bright and coded pictures flicker more in some places than the noise of the whole tells
    most = min(max(usual, _FLICKERS * body.flicker), _MOST_FLICKERS * usual)
    return seal if _changed(seal, picture) < most else None


def _apart_mm(a: Fix, b: Fix) -> float:
    return hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm)


def _changed(seal: Seal, picture: Gray) -> float:
    """The mean square by which a piece looks otherwise than when it was sealed."""
    return mean_square(picture[seal.view], seal.pixels)


def sets_off(found: Fix, body: Body) -> bool:
    """Whether it is seen farther from where it lay than it may seem to be at rest.

    What is half hidden, or lies close to its like, seems farther off than one seen whole.
    """
    whole = body.cued and found.share > WHOLE * body.best
    least = _WHOLE_MM if whole else _SEEMS_MM
    return body.away_mm(found) > max(least, 8 * found.error_mm)


def is_gone(body: Body, board: Board, frame_s: float) -> bool:
    """Whether a piece has left play: deep in a pocket, or past the border, or long unseen."""
    if not body.moved:
        return False
    x, y = body.x_mm, body.y_mm
    if _in_a_mouth((x, y), board):
        body.inside += 1
        return body.inside * frame_s > _FALLEN_S or (body.lost >= 2 and body.inside > 2)
    body.inside = 0
    if body.lost * frame_s > _FALLEN_S and _in_a_mouth(body.last, board):
        return True  # though it was foreseen to come back from the cushion
    over = max(abs(x) - board.width_mm / 2, abs(y) - board.height_mm / 2)
    if over > body.known.radius_mm * 0.5:
        return over > 150 or body.lost >= 3
    return body.lost * frame_s > 3.0


def _in_a_mouth(place: tuple[float, float], board: Board) -> bool:
    return any(
        hypot(place[0] - pocket.centre.x_mm, place[1] - pocket.centre.y_mm) < pocket.radius_mm
        for pocket in board.pockets
    )


def on_its_way(found: Fix, body: Body, runner: Runner) -> bool:
    """Whether a place lies about where the piece was thought to run."""
    last = body.last
    wx, wy = runner.x_mm - last[0], runner.y_mm - last[1]
    far = hypot(wx, wy)
    if far < 2:
        return False
    dx, dy = found.x_mm - last[0], found.y_mm - last[1]
    along, aside = (dx * wx + dy * wy) / far, abs(dx * wy - dy * wx) / far
    return along > 0 and aside < 5 + 0.25 * along and along < 2.2 * far
