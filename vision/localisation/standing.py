"""Whether what was fitted where a guess lies is a piece."""

import numpy as np

from vision.appearance.light import Standing
from vision.detection.detect import RUNS_ROUND, Guess
from vision.localisation.stand import Fit

STRAY_MM = 6.0
_WELL_STRAY_MM = 10.0
"""How far a fit may be from its guess; farther where it explains well what is seen. Beside a hand
the guess's rim has to be its own."""

NOISY = 1.2
"""So much more than usual is left over where a fit is doubted."""

_WRONG = 2.0
"""And so much more where there is no piece, and no other picture like this will show one."""

_HOPELESS = 0.5
"""A piece whose guess was some millimetres off has been explained better at the first fit."""

_SURE_COLOUR = 1.5
_SURE_CHANGE, _WHOLE_RIM = 0.12, 0.95
_FULL_RIM = 0.9
_FAINT_RIM = 0.1
_SURE_ROUND, _SURE_FAINT_COLOUR = 0.79, 0.8
_PLAIN_ROUND, _PLAIN_COLOUR = 0.84, 2.2
_LEAST_SCORE = 0.5
_EXPLAINED = 0.8
_CROSSED = 0.2
"""Edges all about that do not run round, and a poor fit, are another thing's, or a shadow's."""

_BESIDE_HAND, _UNLIKE_BESIDE_HAND = 0.3, 0.15
"""Fingers with bare board between them have rims and colours as a piece may have."""

_HAND_COLOUR, _LEAST_SEEN, _ROUND_RIM = 2.6, 0.4, 0.85
"""Skin lends its colour to what lies among fingers."""

_TOO_LITTLE = 0.28
"""Bare board between fingers is taken for a pale piece's top, a knuckle for a red one's: where no
more is seen, what lies there is not known."""

_NOTHING = -1.0  # it leaves twice as much over as the board does without it


def stands(guess: Guess, found: Fit, usual: float, *, hand: bool) -> bool:
    """A piece shows its rim all around and in its own colour, and the model explains it.

    Where shadows fool the model the rim speaks for the piece, where a hand's edge looks like a
    rim the model speaks against it; so they are weighed together. A piece as pale as the board
    leaves little to explain: there it counts that no more is left over than the `usual`.
    """
    near = is_near(guess, found, usual, hand=hand)
    rim = max(min(guess.rim, (guess.rim + guess.bore) / 2), guess.round + _FAINT_RIM)
    if found.explained < _NOTHING:
        return False  # a painted circle of its size and colour: it shows a rim, but no piece
    if hand and found.visible < _TOO_LITTLE:
        return False
    if is_sure(guess) or _is_plain(guess):
        return near
    if hand and _fits_beside_hand(guess, found, usual):
        return near
    score = found.explained + 1.3 * (rim - _FULL_RIM) - 0.1 * max(guess.colour - 1, 0)
    if found.noise < NOISY * usual:
        score += 0.1
    elif is_none(found, usual) and guess.round < RUNS_ROUND:
        score -= _CROSSED
    if found.visible < 0.5:
        score -= 0.15
    if hand:
        unlike = is_none(found, usual) and found.explained < _EXPLAINED
        score -= _BESIDE_HAND + _UNLIKE_BESIDE_HAND * unlike
    return bool(score > _LEAST_SCORE and near)


def is_near(guess: Guess, found: Fit, usual: float, *, hand: bool) -> bool:
    """Whether a fit is so near to its guess that it may be of the same piece."""
    well = (found.explained > _EXPLAINED or found.noise < usual) and not hand
    return strayed_mm(guess, found) < (_WELL_STRAY_MM if well else STRAY_MM)


def is_none(found: Fit, usual: float) -> bool:
    """Whether what does not stand the test leaves no doubt that it is none."""
    return found.noise > _WRONG * usual


def is_hopeless(found: Fit, usual: float) -> bool:
    """Whether a first fit leaves so much over that no better start can make it a piece."""
    return is_none(found, usual) and found.explained < _HOPELESS


def strayed_mm(guess: Guess, found: Fit) -> float:
    """How far `found` is from `guess` that it began at."""
    return float(np.hypot(found.x_mm - guess.x_mm, found.y_mm - guess.y_mm))


def is_sure(guess: Guess) -> bool:
    """Whether a whole rim about the right colour speaks for a piece by itself.

    Among touching pieces next to nothing of the board is in the patch, and what a fit explains of
    it means little. What is painted on the board shows a rim too, but no change. Nothing else has
    edges that run so round and are in this colour.
    """
    if _shows_whole(guess) and guess.colour < _SURE_COLOUR:
        return True
    return guess.round > _SURE_ROUND and guess.colour < _SURE_FAINT_COLOUR


def _is_plain(guess: Guess) -> bool:
    """Whether a whole rim runs round about what is no board, if only roughly in its own colour.

    By a high border the shade on a top, and what hides a part of it, fool the model.
    """
    return _shows_whole(guess) and guess.round > _PLAIN_ROUND and guess.colour < _PLAIN_COLOUR


def runs_round(guess: Guess) -> bool:
    """Whether its rim shows all round, in a colour that skin may have lent it."""
    return guess.rim > _ROUND_RIM and guess.round > RUNS_ROUND and guess.colour < _HAND_COLOUR


def _fits_beside_hand(guess: Guess, found: Fit, usual: float) -> bool:
    """Whether most of a piece is seen, its rim all round, and no more is left over than usual.

    Among fingers next to nothing of the board is in the patch, and what is explained of it says
    little.
    """
    return (
        runs_round(guess)
        and found.visible > _LEAST_SEEN
        and found.noise < usual
        and found.explained > 0
    )


def _shows_whole(guess: Guess) -> bool:
    return min(guess.rim, guess.bore) > _WHOLE_RIM and guess.change > _SURE_CHANGE


def moved(standing: Standing, found: Fit | None) -> Standing:
    """`standing` where the fit says, unless that strays too far to be the same piece."""
    if found is None:
        return standing
    if np.hypot(found.x_mm - standing.x_mm, found.y_mm - standing.y_mm) > STRAY_MM:
        return standing
    return standing.at(found.x_mm, found.y_mm)
