"""What was ruled when it was ruled, kept beside the log: the log itself holds facts and decisions.

Rulings are always worked out anew from the facts. This file is what the pages said at the time, for
a review that asks whether the rules of today, or a correction since, say otherwise. It holds no
language: each text is kept with how it was made (`sightline.words.kept_words`).
"""

import json
import logging
from collections.abc import Iterator, Mapping
from pathlib import Path

from rules.rulings import Ruling
from rules.said import say
from sightline.running.match import Change
from sightline.words.kept_words import kept, unkept

_LOG = logging.getLogger(__name__)


class Told:
    """Appends to a file what each change ruled. A `Match` listener; never fails the match."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def heard(self, change: Change) -> None:
        lines = [
            json.dumps({"seq": step.seq, "said": [kept(told_of(r)) for r in step.rulings]})
            for step in change.steps
            if step.rulings
        ]
        if not lines:
            return
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("a", encoding="utf-8") as file:
                file.write("".join(line + "\n" for line in lines))
        except OSError as err:
            _LOG.warning("%s cannot be written: %s", self._path, err)


def told_of(ruling: Ruling) -> str:
    """Return what is told of a ruling: its clause and its words."""
    return say("{code} {words}", code=ruling.code, words=ruling.words)


def first_told(path: Path) -> Mapping[int, tuple[str, ...]]:
    """Return what was ruled first on each entry; damaged lines are left out."""
    found: dict[int, tuple[str, ...]] = {}
    for seq, said in _lines(path):
        found.setdefault(seq, said)
    return found


def _lines(path: Path) -> Iterator[tuple[int, tuple[str, ...]]]:
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return
    for line in text.splitlines():
        try:
            read = json.loads(line)
            yield int(read["seq"]), tuple(unkept(words) for words in read["said"])
        except (ValueError, KeyError, TypeError, RecursionError):
            continue
