"""The language of a request, and the page's words in it: gettext catalogues, English as the key."""

from flask import Blueprint, Flask, Response, request

from rules.said import Said
from web.present import dumps
from web.reasons import REASONS
from web.saying import catalogue, in_language, rule_words

LANGUAGES = {"en": "English", "de": "Deutsch", "fr": "Français"}
COOKIE = "sightline_language"

bp = Blueprint("language", __name__)


def language() -> str:
    """Return the language of this request: asked for, chosen before, or what the browser likes."""
    for wish in (request.args.get("lang"), request.cookies.get(COOKIE)):
        if wish in LANGUAGES:
            return wish
    return request.accept_languages.best_match(list(LANGUAGES)) or "en"


def in_this_language(text: str) -> str:
    """Return `text` in the language of this request."""
    return catalogue(language()).get(text, text)


def shown(value: object) -> object:
    """Return what a template shows of a value: words of the rules in this request's language."""
    return in_language(value, language()) if isinstance(value, Said) else value


def install_languages(app: Flask) -> None:
    app.register_blueprint(bp)
    app.jinja_env.add_extension("jinja2.ext.i18n")
    app.jinja_env.install_gettext_callables(  # type: ignore[attr-defined]
        gettext=in_this_language,
        ngettext=lambda one, many, n: in_this_language(one if n == 1 else many),
        newstyle=True,
    )
    app.jinja_env.finalize = shown
    app.context_processor(
        lambda: {"language": language(), "languages": LANGUAGES, "reasons": REASONS}
    )


@bp.get("/words.js")
def words() -> Response:
    """The words of this request's language as a script that runs before those of its page."""
    chosen = language()
    said = dumps({**rule_words(chosen), **catalogue(chosen)})
    text = f"globalThis.sightlineWords = {{ language: {dumps(chosen)}, words: {said} }};\n"
    response = Response(text, mimetype="text/javascript")
    response.headers["Vary"] = "Cookie, Accept-Language"
    return response
