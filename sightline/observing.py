"""What pictures and videos of a table show, one JSON value each (docs/json.md)."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, cast

from calibration.table import Table
from sightline.complaint import Complaint
from vision.answers import still_answer
from vision.answers_clip import watch_clip
from vision.frame import Observation
from vision.frame_health import Normal, judge_frame, normal_of
from vision.observe import observe
from vision.sources import Ended, SourceError, TornPicture, decode_picture, open_source
from vision.sources.pictures import PICTURE_ENDINGS


def seen_in(paths: list[Path], table: Table) -> Iterator[dict[str, object]]:
    """Yield what each file shows. Complaint names a file that cannot be opened."""
    normal = normal_of(table.empty)
    for path in paths:
        name, within = _place(path, table)
        if path.suffix.lower() in PICTURE_ENDINGS:
            yield {**still_answer(name, _still(path, table, normal)), **within}
        else:
            yield {"clip": name, **within, **_clip(path, table)}


def _still(path: Path, table: Table, normal: Normal) -> Observation:
    """Read one picture; what cannot be trusted is blind, with the reason, and shows nothing."""
    try:
        picture = decode_picture(path.read_bytes())
    except OSError as err:
        raise Complaint(f"{path}: cannot be read ({err.strerror})") from err
    except TornPicture as err:
        return Observation(blind=str(err))
    why = judge_frame(picture, reference=normal)
    return observe(picture, table) if why is None else Observation(blind=why)


def _clip(path: Path, table: Table) -> dict[str, object]:
    try:
        with closing(open_source(path, gray=True)) as source:
            answer = watch_clip(source, table).as_json()
            ended = source.ended
    except SourceError as err:
        raise Complaint(str(err)) from err
    if isinstance(ended, Ended) and ended.why is not None:
        answer["blind"] = ended.why
    return answer


def _place(path: Path, table: Table) -> tuple[str, dict[str, object]]:
    """Return which file it is: below the table's folder, with its name, else as it was given."""
    folder = table.folder.resolve()
    try:
        within = path.resolve().relative_to(folder)
    except ValueError:
        return str(path), {}
    return within.as_posix(), {"table": folder.name}


def in_words(seen: dict[str, object]) -> Iterator[str]:
    """Yield what one file shows, for people."""
    yield f"{seen.get('image') or seen.get('clip')}:"
    if seen.get("blind"):
        yield f"  cannot be read: {seen['blind']}"
    pieces = cast(list[dict[str, Any]], seen.get("pieces", seen.get("final", [])))
    for piece in pieces:
        error = f" ±{piece['error_mm']:.2f}" if "error_mm" in piece else ""
        place = f"({piece['x']:.2f}, {piece['y']:.2f}){error} mm"
        yield f"  {piece['colour']} {piece['kind']} at {place}"
    for test in cast(list[dict[str, Any]], seen.get("line_tests", [])):
        shows = {True: "shows", False: "does not show", "close": "is too close to call"}
        yield (
            f"  line {test['line']} {shows[test['seen']]} in the hole at "
            f"({test['x']:.1f}, {test['y']:.1f}), margin {test['margin_mm']:+.2f} mm"
        )
    for fact in cast(list[dict[str, Any]], seen.get("facts", [])):
        rest = ", ".join(f"{k} {v}" for k, v in fact.items() if k not in ("t", "fact"))
        yield f"  {fact['t']:8.3f} s  {fact['fact']} {rest}"
    if seen.get("hand"):
        yield "  a hand is over the surface"
