"""The page's words in other languages: gettext catalogues in `web/locale`, English as the key.

What a rulebook says (rulings, clauses, announcements) comes from `rules` and stays as it is there.
"""

from functools import cache
from pathlib import Path

from babel.messages.pofile import read_po
from flask import Blueprint, Flask, Response, request

from web.present import dumps

LANGUAGES = {"en": "English", "de": "Deutsch", "fr": "Français"}
COOKIE = "sightline_language"
_FOLDER = Path(__file__).parent / "locale"

bp = Blueprint("language", __name__)


@cache
def catalogue(language: str) -> dict[str, str]:
    """Return what stands for each English text in `language`; nothing where it is English."""
    path = _FOLDER / language / "LC_MESSAGES" / "sightline.po"
    if language not in LANGUAGES or not path.exists():
        return {}
    with path.open("rb") as file:
        messages = read_po(file)
    return {
        message.id: message.string
        for message in messages
        if isinstance(message.id, str)
        and message.id
        and isinstance(message.string, str)
        and message.string
        and not message.fuzzy
    }


def language() -> str:
    """Return the language of this request: asked for, chosen before, or what the browser likes."""
    for wish in (request.args.get("lang"), request.cookies.get(COOKIE)):
        if wish in LANGUAGES:
            return wish
    return request.accept_languages.best_match(list(LANGUAGES)) or "en"


def say(text: str) -> str:
    """Return `text` in the language of this request."""
    return catalogue(language()).get(text, text)


def install_languages(app: Flask) -> None:
    app.register_blueprint(bp)
    app.jinja_env.add_extension("jinja2.ext.i18n")
    app.jinja_env.install_gettext_callables(  # type: ignore[attr-defined]
        gettext=say, ngettext=lambda one, many, n: say(one if n == 1 else many), newstyle=True
    )
    app.context_processor(lambda: {"language": language(), "languages": LANGUAGES})


@bp.get("/words.js")
def words() -> Response:
    """The words of this request's language as a script module."""
    chosen = language()
    said = dumps(catalogue(chosen))
    text = f"export const LANGUAGE = {dumps(chosen)};\nexport const WORDS = {said};\n"
    response = Response(text, mimetype="text/javascript")
    response.headers["Vary"] = "Cookie, Accept-Language"
    return response
