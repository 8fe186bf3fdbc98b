"""The page in other languages: no text is missing, none is left over, and a browser shows them."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Browser, Page, expect
from testkit.sample_match import question_ruling, sample_desk

from sightline.serving.serve import Address, serving
from web import create_app
from web.languages import LANGUAGES
from web.saying import catalogue

SCRIPTS = Path(__file__).parents[2] / "scripts"
TRANSLATED = [language for language in LANGUAGES if language != "en"]
FIELD = re.compile(r"\{\w+\}")


@pytest.fixture(scope="module")
def texts() -> Iterator[dict[str, str]]:
    sys.path.insert(0, str(SCRIPTS))
    from messages import texts

    yield texts()
    sys.path.remove(str(SCRIPTS))


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_text_is_translated_and_no_translation_is_left_over(
    texts: dict[str, str], language: str
) -> None:
    known = catalogue(language)
    assert len(texts) > 200
    assert [text for text in texts if text not in known] == []
    assert [text for text in known if text not in texts] == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_fills_in_what_the_text_fills_in(language: str) -> None:
    wrong = [
        text
        for text, said in catalogue(language).items()
        if sorted(FIELD.findall(text)) != sorted(FIELD.findall(said))
    ]
    assert wrong == []


def test_all_words_of_scripts_go_through_the_catalogue() -> None:
    """A sentence in a script that `t` does not see would stay English for ever."""
    sentence = re.compile(r'(?<!t\()"[A-Z][a-z]+ [a-z]+[^"]*"')
    left = [
        f"{path.name}: {found}"
        for path in sorted((SCRIPTS.parent / "web/static/js").glob("*.js"))
        for found in sentence.findall(re.sub(r"/\*.*?\*/|//.*", "", path.read_text(), flags=re.S))
    ]
    assert left == []


@pytest.fixture
def client() -> FlaskClient:
    return create_app(sample_desk()).test_client()


@pytest.mark.parametrize(
    ("likes", "chosen", "query", "language"),
    [
        ("", None, "", "en"),
        ("de-AT,de;q=0.9,en;q=0.5", None, "", "de"),
        ("lv,fr;q=0.3", None, "", "fr"),
        ("xx", None, "", "en"),
        ("de", "fr", "", "fr"),
        ("", "../x", "", "en"),
        ("de", None, "?lang=fr", "fr"),
    ],
)
def test_the_language_is_the_one_chosen_or_the_browsers(
    client: FlaskClient, likes: str, chosen: str | None, query: str, language: str
) -> None:
    headers = {"Accept-Language": likes}
    if chosen is not None:
        client.set_cookie("sightline_language", chosen)
    page = client.get(f"/{query}", headers=headers).text
    assert f'<html lang="{language}">' in page
    assert (">Announce<" in page) == (language == "en")
    words = client.get(f"/words.js{query}", headers=headers)
    assert words.mimetype == "text/javascript"
    assert f'language: "{language}"' in words.text


@pytest.fixture
def address() -> Iterator[Address]:
    desk = sample_desk()
    desk.rule(question_ruling())
    with serving(desk, port=0, max_streams=2, beat_s=0.2) as address:
        yield address


@pytest.mark.browser
def test_a_referee_chooses_the_language_and_the_browser_keeps_it(
    chromium: Browser, address: Address
) -> None:
    page = chromium.new_page(locale="de-DE")
    page.goto(address.url)
    expect(page.locator("#sight-name")).to_have_text("Ruhig")
    expect(page.locator(".ask")).to_contain_text("Zu knapp zum Entscheiden")
    page.locator("#menu").click()
    page.get_by_label("Sprache").select_option("fr")
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    expect(page.locator("#sight-name")).to_have_text("Immobile")
    page.goto(address.url + "health")
    expect(page.locator("h1")).to_have_text("État")
    page.context.close()


@pytest.mark.browser
def test_a_page_asked_for_in_a_language_speaks_it_throughout(page: Page) -> None:
    with serving(sample_desk(), port=0, max_streams=2) as address:
        page.goto(f"{address.url}?lang=de")
        expect(page.locator("html")).to_have_attribute("lang", "de")
        expect(page.locator("#sight-name")).to_have_text("Ruhig")
