"""The page of a protest file: opened from a folder, without a network, without scripts.

It is made of the log and of the names of the pictures and clips alone: `sightline.review.protest`
makes it once more to prove that nobody has changed it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from typing import Any

from rules.game import Entry, Game, Record, Step
from rules.orders import decision_of, fact_of
from rules.rulings import Ruling, Standing
from rules.said import Said, joined, say, word
from sightline.match_log.log import MatchHeader
from sightline.review.reading import clock_of
from sightline.running.views import decision_words
from sightline.words.fact_words import words_of
from sightline.words.place_names import place_names
from web.saying import ENGLISH, in_language

Tell = Callable[[str], str]
"""Makes words HTML, in the language of the page."""

_VERIFY = "sightline verify FILE"
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
    language: str = ENGLISH,
) -> str:
    """Return the page: the result, every ruling with its pictures, every decision, the log."""

    def tell(words: str) -> str:
        return escape(in_language(words, language) if isinstance(words, Said) else words)

    body = "\n".join(_body(header, game, entries, record, frozenset(pictures), clips, tell))
    title = escape(f"{game.title} · {header.name}")
    return (
        f'<!doctype html>\n<html lang="{escape(language)}">\n<head>\n<meta charset="utf-8">\n'
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
    tell: Tell,
) -> Iterator[str]:
    outcome = game.outcome(record.state)
    yield f"<h1>{escape(game.title)} · {escape(header.name)}</h1>"
    when = header.started[:16].replace("T", " ")
    begun = say(
        "begun {when} UTC, rulebook edition {edition}" if header.edition else "begun {when} UTC",
        when=when,
        edition=header.edition,
    )
    yield f'<p class="soft">{tell(begun)}</p>'
    result = say("unfinished") if outcome is None else outcome.words
    yield f"<p><strong>{tell(result)}</strong></p>"
    proof = say(
        "This file holds the whole log. {command} proves that nothing in it was changed, that "
        "these rulings follow from these facts, and that this page says what the log says.",
        command=_VERIFY,
    )
    yield f'<p class="soft">{tell(proof).replace(_VERIFY, f"<code>{_VERIFY}</code>")}</p>'
    yield f"<table><tr><th>{tell(say('side'))}</th><th>{tell(say('score'))}</th></tr>"
    for side in game.scoreboard(record.state).sides:
        items = joined((say("{label} {value}", label=n, value=v) for n, v in side.items), ", ")
        yield f"<tr><td>{tell(side.name or side.side)}</td><td>{tell(items)}</td></tr>"
    yield "</table>"
    times_ms = {step.seq: step.fact.at_ms for step in record.steps}
    for clip in clips:
        yield f"<h2>{_clip_title(clip, times_ms, tell)}</h2>"
        yield f'<video controls preload="metadata" src="{escape(clip)}"></video>'
    yield f"<h2>{tell(say('Rulings'))}</h2>"
    evidence = {entry.seq: entry.evidence for entry in entries}
    decided = _decisions_on(entries, record)
    clauses = {clause.code: clause for clause in game.clauses()}
    places = place_names(game, header.setup)
    for step in record.steps:
        if step.rulings or step.replies:
            shown = [name for name in evidence.get(step.seq, ()) if name in pictures]
            words = words_of(step.fact, places)
            yield from _moment(step, words, shown, decided, clauses, tell)
    yield f"<h2>{tell(say('Decisions of the referee'))}</h2>"
    for entry in entries:
        if entry.seq in decided:
            line = _line(entry.at_ms, entry.seq, decided[entry.seq])
            yield f'<p class="decision">{tell(line)}</p>'
    yield f"<h2>{tell(say('The log'))}</h2>"
    yield f"<details><summary>{tell(say('every fact, in order'))}</summary>"
    for entry in entries:
        fact = fact_of(entry)
        if fact is not None:
            yield f"<p>{entry.seq} · {clock_of(fact.at_ms)} · {tell(words_of(fact, places))}</p>"
    yield "</details>"


def _line(at_ms: float, seq: int, words: str = "") -> str:
    """Return when and in which entry something was, and what."""
    return say(
        "{clock} · entry {number} · {words}" if words else "{clock} · entry {number}",
        clock=clock_of(at_ms),
        number=seq,
        words=words,
    )


def _clip_title(clip: str, times_ms: Mapping[int, float], tell: Tell) -> str:
    """Return which ruling a clip is about, as a link to it: "clips/entry-48.mp4" is entry 48's."""
    number = clip.rpartition("-")[2].removesuffix(".mp4")
    if not number.isdecimal() or int(number) not in times_ms:
        return escape(clip)
    seen = _line(times_ms[int(number)], int(number))
    return f'<a href="#e{number}">{tell(seen)}</a>'


def _decisions_on(entries: Sequence[Entry], record: Record[Any]) -> dict[int, str]:
    facts = {e.seq: fact for e in entries if (fact := fact_of(e)) is not None}
    steps = {step.seq: step for step in record.steps}
    return {
        entry.seq: decision_words(decision, facts, steps)
        for entry in entries
        if (decision := decision_of(entry)) is not None
    }


def _moment(
    step: Step[Any],
    words: str,
    pictures: Sequence[str],
    decided: Mapping[int, str],
    clauses: Mapping[str, Any],
    tell: Tell,
) -> Iterator[str]:
    yield f'<section class="moment" id="e{step.seq}">'
    yield f'<p class="soft">{tell(_line(step.fact.at_ms, step.seq, words))}</p>'
    for reply in step.replies:
        yield _ruling(reply.asked, clauses, tell)
        yield f'<p class="decision">{tell(decided.get(reply.seq, reply.answer))}</p>'
    for ruling, *said in zip(step.rulings, step.overruled_by, step.confirmed_by, strict=True):
        yield _ruling(ruling, clauses, tell)
        for by in filter(None, said):
            yield f'<p class="decision">{tell(decided[by])}</p>'
    if pictures:
        yield '<div class="pictures">'
        for name in pictures:
            source = f"pictures/{escape(name)}"
            seen = tell(say("what the camera saw"))
            image = f'<img src="{source}" loading="lazy" alt="{seen}">'
            yield f'<a href="{source}">{image}</a>'
        yield "</div>"
    yield "</section>"


def _ruling(ruling: Ruling, clauses: Mapping[str, Any], tell: Tell) -> str:
    kind = "overruled" if ruling.standing is Standing.OVERRULED else ruling.kind.value
    clause = clauses.get(ruling.code)
    title = "" if clause is None else f' title="{tell(word(clause.words))}"'
    more = [part for part in (_margin(ruling), _STANDING.get(ruling.standing)) if part]
    return (
        f'<p class="ruling {kind}"><span class="code"{title}>{escape(ruling.code)}</span> '
        f"{' · '.join(map(tell, (ruling.words, *more)))}</p>"
    )


_STANDING = {Standing.OPEN: say("too close to call"), Standing.OVERRULED: say("overruled")}


def _margin(ruling: Ruling) -> str:
    if ruling.margin_mm is None:
        return ""
    if ruling.error_mm is None:
        return say("margin {margin_mm:+.2f} mm", margin_mm=ruling.margin_mm)
    return say(
        "margin {margin_mm:+.2f} mm ± {sure_mm:.2f}",
        margin_mm=ruling.margin_mm,
        sure_mm=1.96 * ruling.error_mm,
    )
