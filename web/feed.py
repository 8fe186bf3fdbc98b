"""What changes, as it changes: the event stream, and the same by asking."""

from collections.abc import Iterable, Iterator

from flask import Blueprint, Response, request
from flask.typing import ResponseReturnValue

from rules.said import say
from web.context import here, json_answer
from web.guard import access_here, device_here
from web.languages import language
from web.present import older_rulings
from web.streams import CARRIER, EventStream, StreamCap, events

bp = Blueprint("feed", __name__)


@bp.get("/events")
def stream() -> ResponseReturnValue:
    """Server-sent events. A page that was cut off names the last id it got and misses nothing."""
    context = here()
    have = request.headers.get("Last-Event-ID") or request.args.get("have")
    if not context.cap.take():
        busy = {
            "error": "busy",
            "words": say(
                "{count} pages are open; this one asks every 2 s instead.", count=context.cap.limit
            ),
        }
        response = json_answer(busy, 503)
        response.headers["Retry-After"] = "5"
        return response
    access, device = access_here(), device_here()
    stream = EventStream(
        context.desk,
        context.messages,
        have=have,
        language=language(),
        allowed=lambda: access is None or (device is not None and access.is_in(device.id)),
    )
    carry = request.environ.get(CARRIER)
    if carry is None or request.method == "HEAD":
        texts: Iterable[str] = _Counted(events(stream, beat_s=context.beat_s), context.cap)
    else:
        carry(stream, context.cap.give_back)
        texts = iter(("".join(stream.opening()),))
    return Response(texts, mimetype="text/event-stream", headers={"X-Accel-Buffering": "no"})


@bp.get("/state")
def state() -> ResponseReturnValue:
    """The newest view as one snapshot; 204 where `have` names it already."""
    context = here()
    view = context.desk.view()
    if request.args.get("have") == context.messages.event_id(view):
        return Response(status=204)
    return Response(context.messages.snapshot(view, language()), mimetype="application/json")


@bp.get("/rulings")
def rulings() -> ResponseReturnValue:
    """The rulings before position `before`, for a page that scrolls back."""
    before = request.args.get("before", default=0, type=int)
    return json_answer(older_rulings(here().desk.view(), before))


class _Counted:
    """An answer that gives its place back when it ends, even if it was never begun."""

    def __init__(self, texts: Iterator[str], cap: StreamCap) -> None:
        self._texts = texts
        self._cap = cap
        self._closed = False

    def __iter__(self) -> Iterator[str]:
        return self._texts

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._cap.give_back()
