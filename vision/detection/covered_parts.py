"""What of a piece a hand lies over: a part of its top, up to its rim, in another colour.

Such a part tells nothing of the piece. Its rim is judged by what shows of it, and the pixels that
are another's have no say in its place.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Floats
from calibration.looks import sample
from calibration.relight import Relit, to_code
from calibration.silhouette import Floats32
from vision.appearance.tints import Tints, log_codes, tint, tint_of_logs
from vision.appearance.view import View
from vision.detection.detect import Guess
from vision.detection.edges import Edges
from vision.detection.rims import BEARINGS, circle_px, rim_by_bearing

_RINGS = 6
_INSIDE_MM = 2.0  # so far within the rims colours are looked at: a guess may be so far off
_APART = 0.18  # natural logarithm of a ratio of two channels, between two things' colours
_BETWEEN = 0.62  # of all that the colours of a top differ, so much lies between the two
_SKIN_PX, _OWN, _APART_FROM_SKIN = 200, 0.6, 0.3
_OUT_MM, _RUNS_ON, _LEAST_BEARINGS = 2.5, 0.7, 3
_COLOURED, _GLOSS = 0.15, (0.4, 2.2)
_LEAST, _MOST = 0.03, 0.65  # of a top that may be covered
_UNLIKE_BOARD, _BRIGHTER, _DARKER = 0.07, 0.15, -0.9  # natural logarithms, too
_NEAR_MM = 120.0  # fingers may be no darker than wood: they are not all seen to hide it
_MAY_BE, _WHOLE, _COLOUR = 0.6, 0.97, 3.0  # a guess's score, rim and colour
_SHOWN = 0.9  # of the rim that is not covered, so much shows if it is a piece's
_BESIDE_MM = 8.0
_WIDER_PX = 5
_ROUNDS = 6


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CoveredPart:
    """Which part of a top is another's: (rings, BEARINGS), the innermost ring first."""

    part: NDArray[np.bool_]

    @property
    def rim(self) -> NDArray[np.bool_]:
        """(BEARINGS,) where the rim is covered, too."""
        outer = self.part[-1] | self.part[-2]
        return np.asarray(outer | np.roll(outer, 1) | np.roll(outer, -1))


class Covers:
    """What lies over pieces near `hand` (h, w), where one is seen to hide the surface.

    Where it is not told from wood at all, it may be anywhere. `soft` is the picture, softened.
    """

    def __init__(
        self, view: View, relit: Relit, soft: Floats32, edges: Edges, hand: NDArray[np.bool_]
    ) -> None:
        self._view, self._relit, self._soft, self._edges = view, relit, soft, edges
        away = cv2.distanceTransform((~hand).astype(np.uint8), cv2.DIST_L2, 3)
        self._near = (away < _NEAR_MM * view.scale) | (not hand.any())
        shown = self._soft[hand & view.surface]
        self._skin = np.median(tint(shown), axis=0) if len(shown) > _SKIN_PX else None

    def judged(self, guesses: Sequence[Guess]) -> list[Guess]:
        """The guesses, by what shows of them where a part of one's rim may be covered."""
        return [self._judged(guess) if _may_be_covered(guess) else guess for guess in guesses]

    def hidden(self, chosen: Sequence[Guess]) -> NDArray[np.bool_]:
        """(h, w) pixels of the box that show what lies over one of the `chosen`, or beside it."""
        mask = np.zeros(self._view.surface.shape, dtype=np.uint8)
        for guess in chosen:
            cover = self.of(guess)
            if cover is not None:
                self._paint(mask, guess, cover)
        wider = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (_WIDER_PX, _WIDER_PX))
        return np.asarray(cv2.dilate(mask, wider) > 0)

    def of(self, guess: Guess) -> CoveredPart | None:
        """What lies over a guessed piece, if anything does: it shows beyond the rim as well."""
        look = self._view.pieces[guess.look]
        u0, v0 = self._relit.box.u0, self._relit.box.v0
        px = self._points(guess)
        column, row = np.round(px[0] - (u0, v0)).astype(int)
        if not self._near[row, column]:
            return None
        seen = log_codes(sample(self._soft, px, u0, v0))
        tints = tint_of_logs(seen)
        board = log_codes(sample(self._relit.board, px, u0, v0))
        gain = np.median(sample(self._relit.gain, px, u0, v0), axis=0) ** 2.2
        own = tint(to_code(np.array(look.light) * gain))
        place = np.array([[guess.x_mm, guess.y_mm]])
        body = look.body
        out = circle_px(self._view, place, body.radius_mm + _OUT_MM, body.thickness_mm, BEARINGS)[0]
        beyond, bare = (
            tint(sample(picture, out, u0, v0)) for picture in (self._soft, self._relit.board)
        )
        for other, like, as_skin in self._others(tints, own):
            rest = tints[~other].mean(axis=0)
            shows = beyond
            if as_skin:  # what shows there as well is skin, and not the board
                skin_like = np.hypot(*(beyond - like).T) < np.hypot(*(beyond - bare).T)
                shows = np.where(skin_like[:, None], beyond, np.inf)
            runs_on = _runs_on(other, like, rest, shows, self._on_surface(guess))
            if runs_on < _RUNS_ON or not _is_no_board(seen[other], board[other]):
                continue
            part = _from_outside(other.reshape(_RINGS, BEARINGS))
            if _LEAST < part.mean() < _MOST:
                return CoveredPart(part=part)
        return None

    def _others(self, tints: Tints, own: Tints) -> Iterator[tuple[NDArray[np.bool_], Tints, bool]]:
        """Which of (N, 2) tints of a top may be another's, its tint, and whether that is skin's.

        Where the top's own colour and what lies over it differ by too little to be two by
        themselves, the tint of the hand tells.
        """
        parts = _two(tints)
        if parts is not None:
            other = max(parts, key=lambda part: _off(tints[part].mean(axis=0), own))
            yield other, tints[other].mean(axis=0), False
        if self._skin is not None and (skin := _like(tints, self._skin)) is not None:
            yield skin, self._skin, True

    def _on_surface(self, guess: Guess) -> NDArray[np.bool_]:
        """(BEARINGS,) whether the board beyond the rim is neither border nor a pocket's mouth."""
        board = self._view.table.board
        reach_mm = self._view.pieces[guess.look].body.radius_mm + _OUT_MM
        angles = 2 * np.pi * np.arange(BEARINGS) / BEARINGS
        x = guess.x_mm + reach_mm * np.cos(angles)
        y = guess.y_mm + reach_mm * np.sin(angles)
        on = (np.abs(x) < board.width_mm / 2) & (np.abs(y) < board.height_mm / 2)
        for pocket in board.pockets:
            away = np.hypot(x - pocket.centre.x_mm, y - pocket.centre.y_mm)
            on &= away > pocket.radius_mm + _OUT_MM
        return np.asarray(on, dtype=np.bool_)

    def _points(self, guess: Guess) -> Floats:
        body = self._view.pieces[guess.look].body
        inner = body.hole_mm + (1.6 if body.hole_mm else 0.0)
        outer = max(body.radius_mm - _INSIDE_MM, inner + 0.5)
        place = np.array([[guess.x_mm, guess.y_mm]])
        rings = [
            circle_px(self._view, place, radius, body.thickness_mm, BEARINGS)[0]
            for radius in np.sqrt(np.linspace(inner**2 + 0.1, outer**2, _RINGS))
        ]
        return np.concatenate(rings)

    def _judged(self, guess: Guess) -> Guess:
        cover = self.of(guess)
        if cover is None:
            return guess
        view, shows = self._view, ~cover.rim
        if shows.mean() < 1 - _MOST:
            return guess
        body = view.pieces[guess.look].body
        place = np.array([[guess.x_mm, guess.y_mm]])
        clear, faint = rim_by_bearing(view, self._edges, body, body.radius_mm, place)
        rim, run = float(clear[0, shows].mean()), float(faint[0, shows].mean())
        if rim < _SHOWN:
            return guess
        if body.hole_mm:
            return replace(guess, rim=rim, round=max(guess.round, 0.75 * run + 0.25 * guess.bore))
        return replace(guess, rim=rim, bore=rim, round=max(guess.round, run))

    def _paint(self, mask: NDArray[np.uint8], guess: Guess, cover: CoveredPart) -> None:
        """Set in `mask` what `cover` is of a guessed piece, and what lies on beyond its rim."""
        body = self._view.pieces[guess.look].body
        u0, v0 = self._relit.box.u0, self._relit.box.v0
        points = (self._points(guess) - (u0, v0)).reshape(_RINGS, BEARINGS, 2)
        place = np.array([[guess.x_mm, guess.y_mm]])
        far = circle_px(
            self._view, place, body.radius_mm + _BESIDE_MM, body.thickness_mm, BEARINGS
        )[0] - (u0, v0)
        rings = np.concatenate([points, far[None]])
        part = np.concatenate([cover.part, cover.part[-1:]])
        for ring in range(_RINGS):
            for bearing in np.flatnonzero(part[ring] & part[ring + 1]):
                after = (bearing + 1) % BEARINGS
                before = bearing - 1
                corners = np.stack(
                    [
                        (rings[ring, bearing] + rings[ring, before]) / 2,
                        (rings[ring + 1, bearing] + rings[ring + 1, before]) / 2,
                        (rings[ring + 1, bearing] + rings[ring + 1, after]) / 2,
                        (rings[ring, bearing] + rings[ring, after]) / 2,
                    ]
                )
                cv2.fillConvexPoly(mask, np.round(corners).astype(np.int32).reshape(-1, 1, 2), 1)


def _may_be_covered(guess: Guess) -> bool:
    """Whether a guess is worth a look: it may be a piece, and not all of its rim shows."""
    return guess.score >= _MAY_BE and guess.rim < _WHOLE and guess.colour < _COLOUR


def _two(tints: Tints) -> tuple[NDArray[np.bool_], NDArray[np.bool_]] | None:
    """(N,) each: which of (N, 2) tints are one thing's, which another's; None where all are one's.

    Two means, begun at the ends of the line along which the tints differ most.
    """
    whole = tints - tints.mean(axis=0)
    along = whole @ np.linalg.eigh(whole.T @ whole)[1][:, -1]
    one = along < (along.min() + along.max()) / 2
    for _ in range(_ROUNDS):
        if one.all() or not one.any():
            return None
        means = np.stack([tints[one].mean(axis=0), tints[~one].mean(axis=0)])
        one = np.hypot(*(tints - means[0]).T) < np.hypot(*(tints - means[1]).T)
    within = np.where(one[:, None], tints - means[0], tints - means[1])
    between = 1 - (within**2).sum() / max((whole**2).sum(), 1e-9)
    if np.hypot(*(means[1] - means[0])) < _APART or between < _BETWEEN:
        return None
    return one, ~one


def _like(tints: Tints, skin: Tints) -> NDArray[np.bool_] | None:
    """(N,) which of (N, 2) tints are nearer to a hand's than to what the rest of the top has.

    None where the two are too much alike, or all is one's.
    """
    away = np.hypot(*(tints - skin).T)
    far = away >= np.quantile(away, _OWN)
    other = np.ones(len(tints), dtype=np.bool_)
    for _ in range(_ROUNDS):
        rest = np.median(tints[far], axis=0)
        if np.hypot(*(rest - skin)) < _APART_FROM_SKIN:
            return None
        other = away < np.hypot(*(tints - rest).T)
        far = ~other
        if other.all() or not other.any():
            return None
    return other


def _runs_on(
    part: NDArray[np.bool_],
    like: Tints,
    rest: Tints,
    beyond: Tints,
    counts: NDArray[np.bool_],
) -> float:
    """At what share of the bearings at which `part` of a top comes to the rim it shows beyond it as
    well, where (BEARINGS, 2) are seen; only bearings that `counts` count.

    `like` and `rest` are the tints of that part, and of the others.
    """
    outer = part.reshape(_RINGS, BEARINGS)[-1] & counts
    if outer.sum() < _LEAST_BEARINGS:
        return 0.0
    near = np.hypot(*(beyond[outer] - like).T) < 0.5 * np.hypot(*(rest - like))
    return float(near.mean())


def _off(tint: Tints, own: Tints) -> float:
    """How far a tint is from a piece's `own`, in more or less gloss."""
    length = float(np.hypot(*own))
    gloss = np.clip(tint @ own / length**2, *_GLOSS) if length > _COLOURED else 1.0
    return float(np.hypot(*(tint - gloss * own)))


def _is_no_board(seen: Tints, board: Tints) -> bool:
    """Whether what is `seen` (N, 3) is not the `board`, in light or in shade; logs of codes."""
    unlike = np.hypot(*(tint_of_logs(seen) - tint_of_logs(board)).mean(axis=0))
    lighter = float((seen - board).mean())
    return bool(unlike > _UNLIKE_BOARD or lighter > _BRIGHTER or lighter < _DARKER)


def _from_outside(part: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """`part` (rings, bearings), only what hangs together with the outermost ring."""
    bearings = part.shape[1]
    twice = np.concatenate([part, part], axis=1).astype(np.uint8)
    _, labels = cv2.connectedComponents(twice, connectivity=4)
    outer = np.unique(labels[-1][twice[-1] > 0])
    kept = np.isin(labels, outer) & (twice > 0)
    return np.asarray(kept[:, :bearings] | kept[:, bearings:])
