"""Looking at a recording again, with other settings: what would be seen, and ruled, otherwise.

Settings are the table's folder (calibrated anew, taught anew), the game's options, and this
Sightline itself, which may be newer than the one that refereed. Nothing of the match is changed.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from difflib import SequenceMatcher
from math import hypot
from typing import Any, cast

import cv2
from msgspec import structs

from calibration.table import Table
from rules.codec import snake
from rules.engine import replay
from rules.facts import Contacted, Declared, Fact, Piece, Settled, SightLost, SightRegained
from rules.game import Entry, Game, Setup
from rules.orders import fact_of
from rules.said import joined, say, word
from rules.transcript import ruling_line
from sightline.review.footage import Footage, Still
from sightline.running.told import told_of
from sightline.running.views import pieces_of
from sightline.running.watching import BLIND_AFTER_MS, shifted
from sightline.words.fact_words import words_of
from vision.answers_clip import witness_of
from vision.frame import Frame, Observation, Picture
from vision.frame_health import judge_frame, normal_of
from vision.frame_judge import FrameJudge
from vision.observe import Looker

SAME_MOMENT_MS = 700.0
"""Facts of one kind about the same pieces are the same fact where their times differ by less."""
SAME_PLACE_MM = 15.0
"""A piece that lies so near to where one lay is that one, whatever it is called now."""
SURE = 3.0
"""Places differ where they are more than so many standard deviations apart."""
LEAST_MM = 0.5

Told = Callable[[int, int], None]
"""Called with how many frames have been looked at, of how many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of the difference. `sign`: "-" then only, "+" now only, "~" otherwise now."""

    sign: str
    at_ms: float
    words: str
    told: str = ""  # the same for a page, where it is not `words`


@dataclass(frozen=True, slots=True, kw_only=True)
class Again:
    """What a second look brought, from `start_ms` to `end_ms` of the match."""

    start_ms: float
    end_ms: float
    frames: int
    untrusted: int
    facts_then: int
    facts_now: int
    facts: tuple[Line, ...]
    rulings: tuple[Line, ...]


def span_around(entries: Sequence[Entry], seq: int) -> tuple[float, float]:
    """Return when the settled board before entry `seq` was seen, and the one after it.

    ValueError where there is no fact of that entry.
    """
    facts = [(entry.seq, fact) for entry in entries if (fact := fact_of(entry)) is not None]
    here = next((n for n, (number, _) in enumerate(facts) if number == seq), None)
    if here is None:
        raise ValueError(f"entry {seq} holds no fact")
    settled = [n for n, (_, fact) in enumerate(facts) if isinstance(fact, Settled)]
    before = max((n for n in settled if n < here), default=0)
    after = min((n for n in settled if n >= here), default=len(facts) - 1)
    return facts[before][1].at_ms, facts[after][1].at_ms


def look_again(
    footage: Footage,
    table: Table,
    game: Game[Any],
    setup: Setup,
    entries: Sequence[Entry],
    *,
    options: dict[str, str] | None = None,
    start_ms: float = float("-inf"),
    end_ms: float = float("inf"),
    tell: Told = lambda done, of: None,
) -> Again:
    """Return what is seen and ruled otherwise when the recording is looked at again with `table`.

    From `start_ms` to `end_ms` (match time) vision's facts are those of the second look, before and
    after it those of the log; what people declared stays. `options` take the place of the setup's,
    the lines that were measured on `table` that of the board's.
    Decisions are left out on both sides: this compares what Sightline says. ValueError where
    nothing is recorded of that span.
    """
    stills = footage.between(start_ms, end_ms)
    if not stills:
        raise ValueError("nothing is recorded of this part of the match")
    start_ms, end_ms = stills[0].at_ms, stills[-1].at_ms
    old = [fact for entry in entries if (fact := fact_of(entry)) is not None]
    before = [fact for fact in old if fact.at_ms <= start_ms]
    within = [f for f in old if start_ms < f.at_ms <= end_ms and not isinstance(f, Declared)]
    pieces = pieces_of(before, setup.board)
    frames = _frames_of(footage, stills)
    seen, untrusted = _seen(frames, table, pieces, len(stills), tell)
    if before:
        seen = [fact for fact in seen if fact.at_ms > start_ms]
    seen = called_alike(within, seen, pieces)
    now = sorted(
        [f for f in old if not start_ms < f.at_ms <= end_ms or isinstance(f, Declared)] + seen,
        key=lambda fact: fact.at_ms,
    )
    settings = replace(
        setup, board=table.measured_board(), options={**setup.options, **(options or {})}
    )
    return Again(
        start_ms=start_ms,
        end_ms=end_ms,
        frames=len(stills),
        untrusted=untrusted,
        facts_then=len(within),
        facts_now=len(seen),
        facts=tuple(facts_difference(within, seen)),
        rulings=tuple(_rulings_difference(_ruled(game, setup, old), _ruled(game, settings, now))),
    )


def facts_difference(then: Sequence[Fact], now: Sequence[Fact]) -> Iterator[Line]:
    """Yield what was seen then only, now only, or otherwise now, in the order of time."""
    left = list(now)
    lines = []
    for fact in then:
        key = _key(fact)
        alike = [f for f in left if _key(f) == key and abs(f.at_ms - fact.at_ms) < SAME_MOMENT_MS]
        if not alike:
            lines.append(Line(sign="-", at_ms=fact.at_ms, words=words_of(fact)))
            continue
        found = min(alike, key=lambda f: abs(f.at_ms - fact.at_ms))
        left.remove(found)
        if isinstance(fact, Settled) and isinstance(found, Settled):
            changes = joined(_board_difference(fact, found), "; ")
            if changes:
                lines.append(Line(sign="~", at_ms=found.at_ms, words=changes))
    lines += [Line(sign="+", at_ms=fact.at_ms, words=words_of(fact)) for fact in left]
    yield from sorted(lines, key=lambda line: line.at_ms)


def called_alike(then: Sequence[Fact], now: Sequence[Fact], known: Sequence[Piece]) -> list[Fact]:
    """Return the facts of `now` with pieces called as those were that lay where they lie first."""
    was = next((f.pieces for f in then if isinstance(f, Settled)), tuple(known))
    here = next((f.pieces for f in now if isinstance(f, Settled)), ())
    pairs = sorted(
        (_apart_mm(mine, theirs), _look(mine) != _look(theirs), mine.name, theirs.name)
        for mine in here
        for theirs in was
    )
    names: dict[str, str] = {}
    for apart_mm, _, mine, theirs in pairs:
        if apart_mm < SAME_PLACE_MM and mine not in names and theirs not in names.values():
            names[mine] = theirs
    for piece in here:
        if piece.name not in names:
            free = piece.name
            while free in names.values() or any(free == other.name for other in was):
                free += "'"
            names[piece.name] = free
    return [cast(Fact, _renamed(fact, names)) for fact in now]


def _frames_of(footage: Footage, stills: tuple[Still, ...]) -> Iterator[Frame]:
    for number, (still, picture) in enumerate(footage.pictures(stills)):

        def colour(picture: Picture = picture) -> Picture:
            return picture

        gray = cast(Picture, cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))
        yield Frame(image=gray, at_ms=still.at_ms, number=number, colour=colour)


def _seen(
    frames: Iterable[Frame], table: Table, pieces: Sequence[Piece], of: int, tell: Told
) -> tuple[list[Fact], int]:
    """Return what vision says of the frames, as while refereeing, and how many it did not trust."""
    normal = normal_of(table.empty)
    observe = Looker()

    def look(picture: Picture, table: Table, followed: Sequence[Piece]) -> Observation:
        why = judge_frame(picture, reference=normal)
        return observe(picture, table, followed) if why is None else Observation(blind=why)

    eye = witness_of(table, look=look, pieces=pieces)
    health = FrameJudge(table.empty, live=False)
    facts: list[Fact] = []
    untrusted = 0
    since_ms: float | None = None
    blind = False
    for frame in frames:
        why = health(frame.image)
        if why is None:
            since_ms = None
            facts += (sighting.fact for sighting in eye.feed(frame))
            blind = False
        else:
            untrusted += 1
            since_ms = frame.at_ms if since_ms is None else since_ms
            if frame.at_ms - since_ms >= BLIND_AFTER_MS and not blind:
                facts += (sighting.fact for sighting in eye.lose(frame.at_ms, why))
                blind = True
        tell(frame.number + 1, of)
    facts += (sighting.fact for sighting in eye.finish())
    told = (f for f in facts if not isinstance(f, SightLost | SightRegained) or untrusted)
    return [shifted(fact, 0.0) for fact in told], untrusted


def _key(fact: Fact) -> tuple[object, ...]:
    """Return what a fact is about: its kind, and what it names."""
    names = ("piece", "a", "b", "pocket", "border", "place", "kind", "colour", "side", "what")
    said = [getattr(fact, name, None) for name in names]
    named = [each.name if isinstance(each, Piece) else each for each in said]
    if isinstance(fact, Contacted):
        named[1:3] = sorted((fact.a, fact.b))
    return (snake(type(fact).__name__), *named)


def _board_difference(then: Settled, now: Settled) -> Iterator[str]:
    was = {piece.name: piece for piece in then.pieces}
    here = {piece.name: piece for piece in now.pieces}
    for name in was.keys() - here.keys():
        yield say("{piece} was not there", piece=name)
    for name in here.keys() - was.keys():
        yield say("{piece} lay there", piece=name)
    for name in sorted(was.keys() & here.keys()):
        old, new = was[name], here[name]
        if (old.kind, old.colour) != (new.kind, new.colour):
            yield say(
                "{piece} was a {colour} {kind}",
                piece=name,
                colour=word(new.colour),
                kind=word(new.kind),
            )
        apart_mm = _apart_mm(old, new)
        if apart_mm > max(LEAST_MM, SURE * hypot(old.error_mm, new.error_mm)):
            yield say("{piece} lay {apart_mm:.2f} mm elsewhere", piece=name, apart_mm=apart_mm)


def _apart_mm(one: Piece, other: Piece) -> float:
    return hypot(one.at.x_mm - other.at.x_mm, one.at.y_mm - other.at.y_mm)


def _look(piece: Piece) -> tuple[str, str]:
    return piece.kind, piece.colour


def _renamed(value: Any, names: dict[str, str]) -> Any:
    """Return a fact with its pieces called by other names."""
    if isinstance(value, tuple):
        return tuple(_renamed(each, names) for each in value)
    if not is_dataclass(value) or isinstance(value, type):
        return value
    changed = {}
    for field in fields(value):
        held = getattr(value, field.name)
        named = field.name in {"piece", "a", "b", "name"} and isinstance(held, str)
        changed[field.name] = names.get(held, held) if named else _renamed(held, names)
    return replace(value, **changed)


def _ruled(game: Game[Any], setup: Setup, facts: Iterable[Fact]) -> list[tuple[float, str, str]]:
    """Return (time, line, what is told) of every ruling that the facts alone make."""
    entries = (Entry(seq=n, at_ms=f.at_ms, body=f) for n, f in enumerate(facts, start=1))
    record = replay(game, setup, entries)
    return [
        (
            step.fact.at_ms,
            ruling_line(structs.replace(ruling, margin_mm=None, margin_ms=None)),
            told_of(ruling),
        )
        for step in record.steps
        for ruling in step.rulings
    ]


def _rulings_difference(
    then: Sequence[tuple[float, str, str]], now: Sequence[tuple[float, str, str]]
) -> Iterator[Line]:
    matcher = SequenceMatcher(
        a=[line for _, line, _ in then], b=[line for _, line, _ in now], autojunk=False
    )
    for tag, a1, a2, b1, b2 in matcher.get_opcodes():
        if tag != "equal":
            for at_ms, line, told in then[a1:a2]:
                yield Line(sign="-", at_ms=at_ms, words=line, told=told)
            for at_ms, line, told in now[b1:b2]:
                yield Line(sign="+", at_ms=at_ms, words=line, told=told)
