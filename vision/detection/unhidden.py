"""Guesses judged once more, by the bearings of their rims that no hand hides."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.appearance.view import View
from vision.detection.detect import RUNS_ROUND, Guess
from vision.detection.edges import Edges
from vision.detection.rims import LEAST_OPEN, Mask, rim_shown, rim_unhidden

_ENOUGH, _OWN_COLOUR = 0.25, 1.0
"""A guess may look better only by so much of its rim, and in a colour that is its own: the bit of a
knuckle's outline that a hand's mask leaves out runs round as well."""


def by_what_shows(view: View, edges: Edges, guesses: Sequence[Guess], hidden: Mask) -> list[Guess]:
    """The `guesses`, each by what of its rim is not `hidden` (h, w).

    A finger has edges of its own, which may run round as a rim does: seen by these, a place beside
    the one where a piece lies can seem the better one.
    """
    return [_judged(view, edges, guess, hidden) for guess in guesses]


def _judged(view: View, edges: Edges, guess: Guess, hidden: Mask) -> Guess:
    if guess.round > RUNS_ROUND:
        return guess
    body = view.pieces[guess.look].body
    place = np.array([[guess.x_mm, guess.y_mm]])
    shows = rim_unhidden(view, body, body.radius_mm, place, hidden)[0]
    if shows.all() or shows.mean() < LEAST_OPEN:
        return guess
    rims, runs = rim_shown(view, edges, body, body.radius_mm, place, hidden=hidden)
    rim, run = float(rims[0]), float(runs[0])
    if rim > guess.rim and (shows.mean() < _ENOUGH or guess.colour > _OWN_COLOUR):
        return guess
    if body.hole_mm:
        return replace(guess, rim=rim, round=0.75 * run + 0.25 * guess.bore)
    return replace(guess, rim=rim, bore=rim, round=run)
