"""Who is found where in one frame: each piece where it was foreseen, else where it may be."""

from collections.abc import Sequence
from math import hypot

from vision.tracking.body import LIKE_ITSELF, Body, Vain
from vision.tracking.differences import is_pale
from vision.tracking.fitting import Fix
from vision.tracking.following import on_its_way, sets_off
from vision.tracking.half_hidden import at_home_by_colour
from vision.tracking.hand_like import at_mouth, is_hand
from vision.tracking.held import by_unseen, lies_by_hand, may_be_sent_unseen
from vision.tracking.instant import Instant
from vision.tracking.lying import half_seen
from vision.tracking.nudged import about_where_it_lay, nudged
from vision.tracking.pushing import near_mover, push_on, pusher_of
from vision.tracking.returning import shows_at_home
from vision.tracking.seeking import (
    FARTHEST_FRAMES,
    ahead,
    around,
    fit_on,
    looks_like,
    search,
    sent_off,
)
from vision.tracking.set_down import set_down
from vision.tracking.stamp import Cover
from vision.tracking.tint import is_darker_another, is_mixed_of_another, is_of_another, tint_of
from vision.tracking.twins import alike, seems_pushed, untwined

_LONG_LOST, _JUST_LOST = 12, 2
_RARELY, _HELD_S = 4, 0.033  # frames and seconds from one search for it to the next
_JUST_RUNS = 2  # frames, in which it is foreseen badly
_PLAINLY = 0.95  # of what explains it best
_WHOLLY, _NUDGED = 0.96, 0.85  # of what explains it best: at rest, and pushed by a little
_AGAIN_MS, _STANDS_MS = 250.0, 100.0  # where nothing changes, it is looked for so often, and since
_HALF = 1.5  # radii: nearer, two places share so much


def find(now: Instant, fresh: Sequence[int]) -> None:
    """Set `now.fixes` for those of the `fresh` awake pieces that are found."""
    awake = now.awake
    offers: list[tuple[float, int, Fix]] = []
    weak: list[int] = []
    first: dict[int, Fix] = {}
    looked: list[int] = []
    sought = [k for k in fresh if not _as_before(now, k)]
    for k in sorted(sought, key=lambda k: (awake[k].lost, not awake[k].moved)):
        body = awake[k]
        if not body.cued:
            body.held = may_be_sent_unseen(body, awake, now.at_ms)
        if not body.moved and _covered(now, body):
            if body.cued or body.held:  # the hand that hides where it lay may have struck it
                weak.append(k)
            continue
        # where a lost piece might be says little: it must not hide one that lies there
        lately = 3 if body.moved else 1
        others = tuple(
            now.cover(i)
            for i in range(len(awake))
            if i != k and (i in now.fixes or awake[i].lost < lately)
        )
        lies = shows_at_home(now.ground, now.picture, body, others)
        if lies is not None:
            now.fixes[k] = lies
            continue
        found, near = _about(now, k, others)
        sure = found.share > body.enough and not _may_be_pushed(now, found, body, fresh)
        stands = near and sure and _apart(now, found, body)
        if stands and not (_leaves_as_hand(now, body, found) or _is_mistaken(now, body, found)):
            now.fixes[k] = found
            continue
        weak.append(k)
        first[k] = found
        if near and body.moved and looks_like(body, found):
            offers.append((found.share / body.best, k, found))
    # what a cue sets off, then what runs: they say how far they can have sent the others
    ranks = {k: 0 if awake[k].cued else 1 if awake[k].runs >= 2 else 2 for k in weak}
    last = max(ranks.values(), default=0)
    for rank in sorted(set(ranks.values())):
        for k in (k for k in weak if ranks[k] == rank):
            if awake[k].lost > _LONG_LOST and (now.frame + k) % _stride(now, awake[k]):
                continue  # long lost: look for it now and then
            offers += _seek(now, k, first.get(k))
            looked.append(k)
        pushed = [_may_be_pushed(now, found, awake[k], weak) for _, k, found in offers]
        ranked = sorted(zip(pushed, offers, strict=True), key=lambda o: (o[0], -o[1][0]))
        for another, (_, k, found) in ranked:
            if k in now.fixes or not _apart(now, found, awake[k]):
                continue
            if ranks[k] > rank or (another and rank < last):
                continue  # it is looked for elsewhere first, or its like is
            if not _of_another_colour(now, awake[k], found):
                now.fixes[k] = found
    now.fixes = untwined(now.fixes, offers, awake, now.runners)
    for k in sought:
        awake[k].vain = _in_vain(now, k) if k in looked and k not in now.fixes else None


def _about(now: Instant, k: int, others: tuple[Cover, ...]) -> tuple[Fix, bool]:
    """The fit of piece `k` from where it was foreseen, and whether it is about there.

    What has just set off may rest already: a cue or a finger that moved it has let go.
    """
    body, runner = now.awake[k], now.runners[k]
    blur = (runner.vx_mm_s * now.exposure_s, runner.vy_mm_s * now.exposure_s)
    guess = (runner.x_mm, runner.y_mm)
    found = fit_on(now, body, guess, blur_mm=blur, others=others)
    if body.moved and body.runs < _JUST_RUNS and found.share < _PLAINLY * body.best:
        rests = fit_on(now, body, body.last, blur_mm=(0.0, 0.0), others=others)
        if rests.share > found.share:
            found, guess = rests, body.last
    off = hypot(found.x_mm - guess[0], found.y_mm - guess[1])
    return found, off < 0.6 * body.known.radius_mm + 0.3 * hypot(*blur) + 4


def _stride(now: Instant, body: Body) -> int:
    """Every which frame a piece is looked for that has long been lost.

    What may be struck is looked for in each: it tells when it was. What it may send off unseen is
    so no more often than tells more.
    """
    if not body.held:
        return _RARELY
    return 1 if body.cued else max(1, round(_HELD_S / now.frame_s))


def _in_vain(now: Instant, k: int) -> Vain:
    """What this frame tells of piece `k`, which was looked for in it and found nowhere."""
    lay = now.awake[k].lay_ms == now.at_ms
    return Vain(now.at_ms, tuple(now.half_seen.get(k, ())), lay)


def _as_before(now: Instant, k: int) -> bool:
    """Whether a piece was just looked for in vain, as far off as it may be, in a picture that has
    stood still by then and does so still: what was told of it then is told again.

    A hand that rests by a piece would cost a search in every frame. Now and then another is due.
    """
    body = now.awake[k]
    vain = body.vain
    if vain is None or now.at_ms >= vain.at_ms + _AGAIN_MS:
        return False
    if not (vain.lay or body.lost >= FARTHEST_FRAMES):
        return False
    if vain.at_ms < now.still_since_ms + _STANDS_MS:
        return False
    now.half_seen[k] = [*vain.half_seen]
    if vain.lay:
        body.lies(now.at_ms)
    return True


def _seek(now: Instant, k: int, first: Fix | None = None) -> list[tuple[float, int, Fix]]:
    """(how good, k, where) for all places where piece `k` might be.

    `first` is the one that was found from where it was foreseen, however far off that lies.
    """
    body, runner = now.awake[k], now.runners[k]
    lies = lies_by_hand(body, now.ground, now.hands, now.in_colour, now.at_ms)
    others = tuple(now.cover(i) for i in now.fixes)
    body.push = max(body.push, push_on(body, now.found(), now.frame_s))
    twins = any(
        i != k and i not in now.fixes and alike(body, other) for i, other in enumerate(now.awake)
    )
    lying = tuple(
        now.cover(i)
        for i, other in enumerate(now.awake)
        if i != k and i not in now.fixes and not other.moved
    )
    offers = []
    places = search(now, body, others, lying=lying, twins=twins)
    if first is not None and not body.moved and body.like_itself(first.share):
        places.append(first)
    found = set_down(now, body, others, lies=lies)
    by_colour = None
    if found is None and lies and body.held and body.flicked and about_where_it_lay(body):
        by_colour = at_home_by_colour(now, body, others)
        if by_colour is not None and nudged(now, body, by_colour):
            found = by_colour
    if found is not None:
        return [(1.0, k, found)]
    if lies:  # about there: it may have been pushed a little
        places = [p for p in places if body.may_lie_at(p) or body.showed_near(p)]
    own = [p for p in places if not (body.may_be_a_hand(p) or _in_hand(now, body, p))]
    # what a cue hides is pushed by it; beside a finger it is the hand that looks like the piece
    half = own if body.flicked else places
    now.half_seen[k] = half if by_colour is None else [*half, by_colour]
    stays = 0.0 if body.moved else body.share_at_home(places)
    if half_seen(stays, body.best, body.shown):
        body.lies(now.at_ms)
    for found in own:
        if found.share < stays:
            continue
        if body.moved or _plausible(now, body, found):
            bonus = 0.1 if on_its_way(found, body, runner) else 0.0
            offers.append((found.share / body.best + bonus, k, found))
    score, _, best = max(offers, key=lambda offer: offer[0], default=(0.0, k, None))
    plain = score > 0.9 or body.is_as_foreseen(first, best)
    if body.lost <= 3 and not body.inside and not plain:
        offers += _offered(now, k, ahead(now, body, runner, others), bonus=0.1)
    if all(found.share <= body.least for _, _, found in offers):
        offers += _offered(now, k, _anywhere(now, body, others))
    return offers


def _offered(
    now: Instant, k: int, places: Sequence[Fix], bonus: float = 0.0
) -> list[tuple[float, int, Fix]]:
    """(how good, k, where) for those of `places` at which no hand looks like piece `k`."""
    body = now.awake[k]
    return [
        (found.share / body.best + bonus, k, found)
        for found in places
        if not _in_hand(now, body, found)
    ]


def _anywhere(now: Instant, body: Body, others: tuple[Cover, ...]) -> list[Fix]:
    """Fits all over where a piece may be that hardly stands out: where it ran, or was sent off."""
    if body.moved and body.lost == 0 and not body.inside:
        return around(now, body, others)
    if body.moved or body.lost >= _JUST_LOST or not is_pale(body):
        return []
    came_from = pusher_of(body, now.found(), now.frame_s)
    return [] if came_from is None else sent_off(now, body, came_from, others)


def _may_be_pushed(now: Instant, found: Fix, body: Body, sought: Sequence[int]) -> bool:
    """Whether what was found for a piece may be its like, pushed on, of those still sought."""
    return any(seems_pushed(found, body, now.awake[i]) for i in sought if i not in now.fixes)


def _apart(now: Instant, found: Fix, body: Body) -> bool:
    """Whether no other piece has been found, nor one of its like lay, where this would be."""
    if _like_lies(now, body, found, 0.25 * body.known.radius_mm):
        return False
    for k, other in now.fixes.items():
        reach = 0.75 * (body.known.radius_mm + now.awake[k].known.radius_mm)
        if now.awake[k] is not body and (
            hypot(found.x_mm - other.x_mm, found.y_mm - other.y_mm) < reach
        ):
            return False
    return True


def _like_lies(now: Instant, body: Body, found: Fix, within_mm: float) -> bool:
    """Whether another piece that looks like it lay so near to the place found for a piece."""
    return any(
        other is not body
        and not other.moved
        and alike(other, body)
        and other.away_mm(found) < within_mm
        for other in now.awake
    )


def _of_another_colour(now: Instant, body: Body, found: Fix) -> bool:
    """Whether what was found for a piece has the colour of another."""
    if now.in_colour is None or body.tint is None:
        return False
    place = (found.x_mm, found.y_mm, body.known.radius_mm)
    seen = tint_of(body.stamp.plane, now.in_colour(), *place)
    others = [
        b.tint for b in now.bodies if b.tint is not None and b.known.colour != body.known.colour
    ]
    if seen is None:
        return False
    if is_of_another(seen, body.tint, others):
        return True
    if at_mouth(found, now.board):  # in the dark
        return False
    if is_darker_another(seen, body.tint, others):
        return True
    board = now.ground.tint_of_board(body.stamp.plane, place[:2], body.known.radius_mm)
    run = hypot(*now.blur(body, body, found)) / (2 * body.known.radius_mm)
    return board is not None and is_mixed_of_another(seen, body.tint, others, board, run)


def _covered(now: Instant, body: Body) -> bool:
    """Whether a hand hides a good part of a resting piece (as of the frame before)."""
    share = now.hands.share_over(now.ground.box_of(*body.home, body.known, 1.0))
    return share > 0.2


def _in_hand(now: Instant, body: Body, found: Fix) -> bool:
    """Whether it is a hand that looks somewhat like the piece there."""
    return is_hand(
        body,
        found,
        hypot(*now.blur(body, body, found)),
        ground=now.ground,
        hands=now.hands,
        board=now.board,
        in_colour=now.in_colour,
    )


def _leaves_as_hand(now: Instant, body: Body, found: Fix) -> bool:
    """Whether a piece at rest seems to have left, where it is a hand that looks like it."""
    return not body.moved and sets_off(found, body) and _in_hand(now, body, found)


def _is_mistaken(now: Instant, body: Body, found: Fix) -> bool:
    """Whether what has just set off seems to be where another is that was sent off with it."""
    just = body.moved and body.runs < _JUST_RUNS
    return just and _of_another_colour(now, body, found)


def _plausible(now: Instant, body: Body, found: Fix) -> bool:
    """A piece half hidden by a hand or a cue seems to shift a little: that is no motion."""
    away = body.away_mm(found)
    pushed = body.cued or body.push > 0 or near_mover(body, now.awake, now.frame_s)
    if away < 0.6 * body.known.radius_mm:
        part = _NUDGED if pushed and away > 1.5 else _WHOLLY
        return found.share > max(part * body.best, 0.78)
    if _like_lies(now, body, found, body.known.radius_mm):
        return False  # that is its like, which something hides in part
    if not pushed and (body.held or by_unseen(body, now.awake)):
        part = _WHOLLY if _one_lay_about(now, body, found) else LIKE_ITSELF
        return found.share > part * body.best
    if not pushed and now.hands.was_over(0.4):
        return False  # a hand may hide it or carry it: the next still picture will tell
    return found.share > (0.5 if pushed else _WHOLLY) * body.best


def _one_lay_about(now: Instant, body: Body, found: Fix) -> bool:
    """Whether a piece or its like lay so near that the place may be half of that one."""
    near_mm = _HALF * body.known.radius_mm
    return any(alike(other, body) and other.away_mm(found) < near_mm for other in now.bodies)
