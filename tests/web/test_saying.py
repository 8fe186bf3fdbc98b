"""What the rules say in other languages: nothing is missing, and the pages show it."""

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from string import Formatter

import pytest
from msgspec import structs
from testkit.fake_desk import FakeDesk
from testkit.sample_match import sample_desk, sample_view

from rules.games.carrom.words import men
from rules.games.qsquare.words import pucks
from rules.rulings import Task
from rules.said import joined, listed, plural, say, word
from web import create_app
from web.languages import LANGUAGES
from web.saying import PAGE, catalogue, domains, translated
from web.streams import Messages

SCRIPTS = Path(__file__).parents[2] / "scripts"
TRANSLATED = [language for language in LANGUAGES if language != "en"]


@pytest.fixture(scope="module")
def said() -> Iterator[Mapping[str, Mapping[str, str]]]:
    sys.path.insert(0, str(SCRIPTS))
    from messages import said

    yield said()
    sys.path.remove(str(SCRIPTS))


@pytest.mark.parametrize("language", TRANSLATED)
def test_each_text_of_the_rules_is_in_its_catalogue_and_translated(
    said: Mapping[str, Mapping[str, str]], language: str
) -> None:
    assert set(domains(language)) == {PAGE, *said}
    for domain in said:
        known = catalogue(language, domain)
        assert [text for text in said[domain] if text not in known] == []
        assert [text for text in known if text not in said[domain]] == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_is_filled_by_what_fills_the_text(language: str) -> None:
    wrong = [
        (text, other)
        for domain in domains(language)
        if domain != PAGE
        for text, other in catalogue(language, domain).items()
        if is_template(text) and fields(text) != fields(other)
    ]
    assert wrong == []


def is_template(text: str) -> bool:
    return bool(re.search(r"\{[A-Za-z_]\w*[:}]", text))


def fields(template: str) -> set[tuple[str, str]]:
    return {
        (name[:1].lower() + name[1:], form or "")
        for _, name, form, _ in Formatter().parse(template)
        if name is not None
    }


@pytest.mark.parametrize(
    ("text", "german", "french"),
    [
        (
            say("{puck} lies {distance_mm:.1f} mm from its spot", puck="red-1", distance_mm=6.25),
            "red-1 liegt 6,2 mm neben seinem Platz",
            "red-1 est à 6,2 mm de sa place",
        ),
        (
            say("{Colour} was cleared by its own side.", colour=word("red")),
            "Rot wurde von der eigenen Seite abgeräumt.",
            "Le dernier palet rouge a été éliminé par son propre camp.",
        ),
        (
            say("{who} pocketed {pucks} and plays on.", who="Ann.1", pucks=pucks(2, word("red"))),
            "Ann.1 spielt weiter; versenkt: zwei Steine von Rot.",
            "Ann.1 continue ; empoché : deux palets (rouge).",
        ),
        (
            plural(
                2,
                one="{Men} comes back inside the circle.",
                many="{Men} come back inside the circle.",
                men=men(2, "white"),
            ),
            "Zwei weiße Steine kommen zurück in den Kreis.",
            "Deux pions blancs reviennent dans le cercle.",
        ),
        (joined([say("Yes"), listed(["a", "b", "c"])]), "Ja a, b und c", "Oui a, b et c"),
        (
            say("Words of no catalogue: {what}", what=say("No")),
            "Words of no catalogue: Nein",
            "Words of no catalogue: Non",
        ),
    ],
    ids=["decimal comma", "capital", "words in words", "counts", "lists", "not translated"],
)
def test_words_are_said_in_a_language(text: str, german: str, french: str) -> None:
    assert [translated([text], each) for each in ("en", "de", "fr")] == [
        [str(text)],
        [german],
        [french],
    ]


@pytest.fixture
def desk() -> FakeDesk:
    view = sample_view()
    ruled = replace(
        view.rulings[-1],
        ruling=structs.replace(
            view.rulings[-1].ruling, words=say("{name} is pocketed.", name="red-1")
        ),
    )
    board = replace(view.scoreboard, headline=say("{who} to shoot", who="Ann"))
    return sample_desk(
        sample_view(scoreboard=board, rulings=(*view.rulings[:-1], ruled)),
    )


@pytest.mark.parametrize(
    ("language", "headline", "words"),
    [
        ("en", "Ann to shoot", "red-1 is pocketed."),
        ("de", "Ann ist am Zug", "red-1 ist versenkt."),
        ("fr", "À Ann de jouer", "red-1 est empoché."),
    ],
)
def test_a_page_gets_rulings_and_scoreboard_in_its_language(
    desk: FakeDesk, language: str, headline: str, words: str
) -> None:
    client = create_app(desk).test_client()
    state = client.get(f"/state?lang={language}").get_json()
    assert state["scoreboard"]["headline"] == headline
    assert state["rulings"]["tail"][-1]["words"] == words
    mark = client.get("/state").get_json()["rulings"]["tail"][-1]["mark"]
    assert state["rulings"]["tail"][-1]["mark"] == mark
    messages = Messages("boot")
    assert headline in messages.snapshot(desk.view(), language)
    assert headline in messages.change(sample_view(), desk.view(), language)


def test_a_colour_is_said_in_the_language_of_the_page_but_stays_a_key() -> None:
    view = sample_view()
    red = [replace(side, colour=word("red")) for side in view.scoreboard.sides]
    put = Task(words=say("Take {what} off", what="red-1"), kind="puck", colour=word("red"))
    board = replace(view.scoreboard, sides=tuple(red), tasks=(put,))
    client = create_app(sample_desk(sample_view(scoreboard=board))).test_client()
    said = client.get("/state?lang=de").get_json()["scoreboard"]
    assert [(side["colour"], side["colour_words"]) for side in said["sides"]] == [
        ("red", "Rot")
    ] * 2
    assert [(task["colour"], task["words"]) for task in said["tasks"]] == [
        ("red", "Wegnehmen: red-1")
    ]


def test_the_rulebook_is_looked_up_in_the_language_of_the_page(desk: FakeDesk) -> None:
    client = create_app(desk).test_client()
    sections = {c["section"] for c in client.get("/clauses?lang=de").get_json()["clauses"]}
    assert "Object of the game" not in sections
    assert "Ziel der Partie" in sections


@pytest.mark.parametrize(
    ("language", "others"),
    [
        ("de", ("Tasche", "eingelocht", "Eingelocht", "Pflock", "Rand der Bande", "Rückblick")),
        ("fr", ("une poche", "la poche", "planche", "blouse", "piquet")),
    ],
)
def test_a_thing_has_one_name_in_all_catalogues(language: str, others: tuple[str, ...]) -> None:
    """The glossaries at the heads of the catalogues say which: Loch, trou; Brett, plateau."""
    strange = [
        (domain, said)
        for domain in domains(language)
        for said in catalogue(language, domain).values()
        if any(other in said for other in others)
    ]
    assert strange == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_what_two_catalogues_hold_is_said_alike(language: str) -> None:
    first: dict[str, str] = {}
    unlike = [
        (text, first[text], other)
        for domain in domains(language)
        for text, other in catalogue(language, domain).items()
        if first.setdefault(text, other) != other
    ]
    assert unlike == []


TOLD = {"Stale", "Refused", "NotLetIn", "TooManyGuesses", "NotThere", "abort", "Finding"}
FOR_THE_COMMAND_LINE = {"checkup.py"}


def test_what_a_page_is_refused_or_told_of_its_health_is_said_and_not_written_plain() -> None:
    """A plain text would stay English on every page."""
    plain = [
        f"{path.name}:{node.lineno}"
        for package in ("web", "sightline")
        for path in sorted((SCRIPTS.parent / package).glob("*.py"))
        if path.name not in FOR_THE_COMMAND_LINE
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in TOLD
        for given in (*node.args, *(keyword.value for keyword in node.keywords))
        if isinstance(given, ast.JoinedStr)
        or (isinstance(given, ast.Constant) and isinstance(given.value, str) and given.value)
    ]
    assert plain == []
