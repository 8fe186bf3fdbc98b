"""Is it alive, can it referee, how is everything: for supervisors, for Prometheus, for people."""

from collections.abc import Iterator

from flask import Blueprint, Response, render_template
from flask.typing import ResponseReturnValue
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from rules.said import say
from web.context import Context, here, json_answer
from web.desk import HAND_STAYS_S, Sight, View
from web.present import open_questions
from web.wellbeing import Finding, Level

bp = Blueprint("health", __name__)

_TEXT = "text/plain; version=0.0.4; charset=utf-8"


@bp.get("/healthz")
def healthz() -> Response:
    """Say that the server answers, and what it sees."""
    context = here()
    view = context.desk.view()
    return json_answer(
        {
            "ok": True,
            "boot": context.boot,
            "version": view.version,
            "sight": view.sight.value,
            "sight_words": view.sight_words,
            "streams": context.cap.open,
            "max_streams": context.cap.limit,
        }
    )


@bp.get("/readyz")
def readyz() -> Response:
    """Say whether it can referee now: 200, or 503 with what stands in the way."""
    wrong = [
        say("{about}: {words}", about=f.about, words=f.words)
        for f in _findings(here())
        if f.level is Level.BAD
    ]
    return json_answer({"ready": not wrong, "wrong": wrong}, 503 if wrong else 200)


@bp.get("/metrics")
def metrics() -> Response:
    """The same as numbers, as Prometheus reads them."""
    registry = CollectorRegistry()
    registry.register(_Gauges(here()))
    return Response(generate_latest(registry), content_type=_TEXT)


@bp.get("/health")
def page() -> ResponseReturnValue:
    """The same for people, in words, with what to do."""
    return render_template("health.html", findings=_findings(here()))


@bp.get("/health.json")
def findings() -> Response:
    """The findings of the page, for its refreshing itself."""
    return json_answer(
        {
            "findings": [
                {"level": f.level, "about": f.about, "words": f.words, "remedy": f.remedy}
                for f in _findings(here())
            ]
        }
    )


def _findings(context: Context) -> tuple[Finding, ...]:
    known = () if context.wellbeing is None else tuple(context.wellbeing.findings())
    return (_sight(context.desk.view()), *known, _pages(context))


def _sight(view: View) -> Finding:
    since_s = max(0, round((view.now_ms - view.sight_since_ms) / 1000))
    words = say("{words} (for {since_s} s)", words=view.sight_words, since_s=since_s)
    if view.sight is Sight.HAND and since_s >= HAND_STAYS_S:
        return Finding(
            level=Level.WARNING,
            about=say("Sight"),
            words=words,
            remedy=say(
                "Take away what lies over the table. If nothing is there, the light has changed "
                "since the table was set up: set it up again."
            ),
        )
    if view.sight is not Sight.BLIND:
        return Finding(level=Level.GOOD, about=say("Sight"), words=words)
    return Finding(
        level=Level.BAD,
        about=say("Sight"),
        words=words,
        remedy=say(
            "Look at the camera’s picture: lens, light, cable. Until it sees again nothing is "
            "ruled; the referee decides by eye."
        ),
    )


def _pages(context: Context) -> Finding:
    used, limit = context.cap.open, context.cap.limit
    words = say("{used} of {limit} live connections are in use", used=used, limit=limit)
    if used < limit:
        return Finding(level=Level.GOOD, about=say("Pages"), words=words)
    return Finding(
        level=Level.WARNING,
        about=say("Pages"),
        words=words,
        remedy=say("Close pages that nobody looks at; further ones ask every 2 s."),
    )


class _Gauges(Collector):
    """All numbers at one moment."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def collect(self) -> Iterator[GaugeMetricFamily]:
        context = self._context
        view = context.desk.view()
        gauges = {
            "view_version": float(view.version),
            "log_entries": float(view.seq),
            "rulings": float(len(view.rulings)),
            "open_questions": float(len(open_questions(view))),
            "decisions_to_review": float(len(view.to_review)),
            "event_streams": float(context.cap.open),
            "event_streams_limit": float(context.cap.limit),
            "match_time_seconds": view.now_ms / 1000.0,
            **(context.wellbeing.numbers() if context.wellbeing is not None else {}),
        }
        for name, number in gauges.items():
            words = name.replace("_", " ")
            yield GaugeMetricFamily(f"sightline_{name}", words, value=number)
        sight = GaugeMetricFamily("sightline_sight", "the state of sight", labels=["state"])
        for state in Sight:
            sight.add_metric([state.value], 1.0 if view.sight is state else 0.0)
        yield sight
