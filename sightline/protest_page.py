"""The page of a protest file: opened from a folder, without a network, without scripts."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from rules.game import Entry, Game, Record, Step
from rules.orders import decision_of, fact_of
from rules.rulings import Ruling, Standing
from sightline.fact_words import words_of
from sightline.log import MatchHeader
from sightline.place_names import place_names
from sightline.reading import clock_of
from sightline.views import decision_words

STYLE = """\
:root { color-scheme: light dark; --soft: #5b6b67; --edge: #ccd6d2; --panel: #f4f7f5;
  --foul: #b3221b; --ask: #8a5a00; }
@media (prefers-color-scheme: dark) { :root { --soft: #a9bab8; --edge: #2c3a3f;
  --panel: #172023; --foul: #ff8a80; --ask: #ffc24b; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 64rem; margin: 2rem auto; padding: 0 1rem; }
h1 { line-height: 1.15; margin-bottom: 0.2rem; }
p { margin: 0.3rem 0; }
.soft { color: var(--soft); }
.moment { border: 1px solid var(--edge); border-radius: 12px; background: var(--panel);
  padding: 0.8rem 1rem; margin: 0.9rem 0; }
.moment:target { outline: 3px solid #0b7a63; }
.ruling { padding: 0.35rem 0; }
.code { font-weight: 700; }
.foul, .penalty { color: var(--foul); }
.question, .refused { color: var(--ask); }
.overruled { text-decoration: line-through; color: var(--soft); }
.decision { border-left: 4px solid #0b5fa5; padding-left: 0.8rem; }
.pictures { display: flex; flex-wrap: wrap; gap: 0.6rem; margin-top: 0.5rem; }
.pictures img { width: 20rem; max-width: 100%; border-radius: 8px; display: block; }
video { width: 40rem; max-width: 100%; border-radius: 8px; }
summary { cursor: pointer; min-height: 2rem; }
table { border-collapse: collapse; } td, th { text-align: left; padding: 0.2rem 1rem 0.2rem 0; }
"""


def page_of(
    header: MatchHeader,
    game: Game[Any],
    entries: Sequence[Entry],
    record: Record[Any],
    pictures: Sequence[str],
    clips: Sequence[str],
) -> str:
    """Return the page: the result, every ruling with its pictures, every decision, the log."""
    body = "\n".join(_body(header, game, entries, record, frozenset(pictures), clips))
    title = escape(f"{game.title} · {header.name}")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<title>{title}</title>\n<link rel="stylesheet" href="style.css">\n</head>\n'
        f"<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _body(
    header: MatchHeader,
    game: Game[Any],
    entries: Sequence[Entry],
    record: Record[Any],
    pictures: frozenset[str],
    clips: Sequence[str],
) -> Iterator[str]:
    outcome = game.outcome(record.state)
    yield f"<h1>{escape(game.title)} · {escape(header.name)}</h1>"
    edition = f", rulebook edition {header.edition}" if header.edition else ""
    begun = f"begun {header.started[:16].replace('T', ' ')} UTC{edition}"
    yield f'<p class="soft">{escape(begun)}</p>'
    yield f"<p><strong>{escape('unfinished' if outcome is None else outcome.words)}</strong></p>"
    yield '<p class="soft">This file holds the whole log. <code>sightline verify FILE</code> proves'
    yield "that nothing in it was changed and that these rulings follow from these facts.</p>"
    yield "<table><tr><th>side</th><th>score</th></tr>"
    for side in game.scoreboard(record.state).sides:
        items = ", ".join(f"{label} {value}" for label, value in side.items)
        yield f"<tr><td>{escape(side.name or side.side)}</td><td>{escape(items)}</td></tr>"
    yield "</table>"
    times_ms = {step.seq: step.fact.at_ms for step in record.steps}
    for clip in clips:
        yield f"<h2>{_clip_title(clip, times_ms)}</h2>"
        yield f'<video controls preload="metadata" src="{escape(clip)}"></video>'
    yield "<h2>Rulings</h2>"
    evidence = {entry.seq: entry.evidence for entry in entries}
    decided = _decisions_on(entries)
    clauses = {clause.code: clause for clause in game.clauses()}
    places = place_names(game, header.setup)
    for step in record.steps:
        if step.rulings or step.replies:
            shown = [name for name in evidence.get(step.seq, ()) if name in pictures]
            words = words_of(step.fact, places)
            yield from _moment(step, words, shown, decided, clauses)
    yield "<h2>Decisions of the referee</h2>"
    facts = {e.seq: fact for e in entries if (fact := fact_of(e)) is not None}
    for entry in entries:
        decision = decision_of(entry)
        if decision is not None:
            words = escape(decision_words(decision, facts))
            yield f'<p class="decision">{clock_of(entry.at_ms)} · entry {entry.seq} · {words}</p>'
    yield "<h2>The log</h2>\n<details><summary>every fact, in order</summary>"
    for entry in entries:
        fact = fact_of(entry)
        if fact is not None:
            yield f"<p>{entry.seq} · {clock_of(fact.at_ms)} · {escape(words_of(fact, places))}</p>"
    yield "</details>"


def _clip_title(clip: str, times_ms: Mapping[int, float]) -> str:
    """Return which ruling a clip is about, as a link to it: "clips/entry-48.mp4" is entry 48's."""
    number = clip.rpartition("-")[2].removesuffix(".mp4")
    if not number.isdecimal() or int(number) not in times_ms:
        return escape(clip)
    seen = f"{clock_of(times_ms[int(number)])} · entry {number}"
    return f'<a href="#e{number}">{escape(seen)}</a>'


def _decisions_on(entries: Sequence[Entry]) -> dict[int, str]:
    return {
        entry.seq: decision_words(decision)
        for entry in entries
        if (decision := decision_of(entry)) is not None
    }


def _moment(
    step: Step[Any],
    words: str,
    pictures: Sequence[str],
    decided: dict[int, str],
    clauses: dict[str, Any],
) -> Iterator[str]:
    yield f'<section class="moment" id="e{step.seq}">'
    seen = f"{clock_of(step.fact.at_ms)} · entry {step.seq} · {words}"
    yield f'<p class="soft">{escape(seen)}</p>'
    for reply in step.replies:
        yield _ruling(reply.asked, clauses)
        yield f'<p class="decision">{escape(decided.get(reply.seq, reply.answer))}</p>'
    for ruling, *said in zip(step.rulings, step.overruled_by, step.confirmed_by, strict=True):
        yield _ruling(ruling, clauses)
        for by in filter(None, said):
            yield f'<p class="decision">{escape(decided.get(by, "decided"))}</p>'
    if pictures:
        yield '<div class="pictures">'
        for name in pictures:
            source = f"pictures/{escape(name)}"
            image = f'<img src="{source}" loading="lazy" alt="what the camera saw">'
            yield f'<a href="{source}">{image}</a>'
        yield "</div>"
    yield "</section>"


def _ruling(ruling: Ruling, clauses: dict[str, Any]) -> str:
    kind = "overruled" if ruling.standing is Standing.OVERRULED else ruling.kind.value
    clause = clauses.get(ruling.code)
    title = "" if clause is None else f' title="{escape(clause.words)}"'
    margin = ""
    if ruling.margin_mm is not None:
        margin = f" (margin {ruling.margin_mm:+.2f} mm"
        margin += ")" if ruling.error_mm is None else f" ± {1.96 * ruling.error_mm:.2f})"
    standing = "" if ruling.standing is Standing.FIRM else f" · {ruling.standing}"
    return (
        f'<p class="ruling {kind}"><span class="code"{title}>{escape(ruling.code)}</span> '
        f"{escape(ruling.words)}{margin}{standing}</p>"
    )
