"""What every route of the app needs: the desk it shows and what is counted beside it."""

from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

from flask import Response, current_app

from web.desk import Desk
from web.languages import language
from web.library import Library
from web.present import dumps
from web.saying import translated
from web.streams import Messages, StreamCap
from web.study import Study
from web.wellbeing import Wellbeing

_EXTENSION = "sightline"


class Receipts:
    """The seqs of the newest taps by their keys, so that a tap sent twice gets the same answer.

    The desk keeps them too, in its log; but a tap that has taken effect no longer fits the view it
    was made on, and must be known before it is looked at. `lock` lets one tap in at a time.
    """

    def __init__(self, keep: int = 1000) -> None:
        self.lock = Lock()
        self._keep = keep
        self._seqs: OrderedDict[str, int] = OrderedDict()

    def find(self, key: str) -> int | None:
        return self._seqs.get(key)

    def put(self, key: str, seq: int) -> None:
        self._seqs[key] = seq
        while len(self._seqs) > self._keep:
            self._seqs.popitem(last=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    desk: Desk
    messages: Messages
    cap: StreamCap
    beat_s: float
    study: Study | None = None
    wellbeing: Wellbeing | None = None
    library: Library | None = None
    authority: Path | None = None
    bases: tuple[str, ...] = ()
    receipts: Receipts = field(default_factory=Receipts)

    @property
    def boot(self) -> str:
        return self.messages.boot

    def keep_in(self, extensions: dict[str, object]) -> None:
        extensions[_EXTENSION] = self


def here() -> Context:
    """Return the context of the app that answers now."""
    context = current_app.extensions[_EXTENSION]
    assert isinstance(context, Context)
    return context


def json_answer(message: object, status: int = 200) -> Response:
    """Return a message as JSON, with what the rules say in the language of this request."""
    text = dumps(translated(message, language()))
    return Response(text, status=status, mimetype="application/json")
