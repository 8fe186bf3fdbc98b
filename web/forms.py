"""What a page may send, read strictly: every field checked, every refusal with its reason.

Bodies come from the network. Nothing here raises anything but `Refused`, whatever they hold.
"""

import json
import re
from dataclasses import dataclass

from rules.codec import fact_from_json
from rules.facts import Declared, Fact
from rules.said import joined, say

MAX_WORDS = 500
MAX_VALUES = 5000
"""A body may hold so many values: what is done with each of them must not take a server's time."""
_NO_FACT = Declared(at_ms=0.0, what="")
_KEY = re.compile(r"[A-Za-z0-9_-]{8,64}\Z")
_MAX_INT = 2**53


class Refused(Exception):
    """The request makes no sense; `reasons` say why, in words (HTTP 400)."""

    def __init__(self, *reasons: str) -> None:
        super().__init__(joined(reasons, "; "))
        self.reasons = reasons


@dataclass(frozen=True, slots=True, kw_only=True)
class OverruleTap:
    """Waive the ruling `ruling` ("seq/code/nth"), which said what `mark` stands for."""

    ruling: str
    mark: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmTap:
    """The ruling `ruling`, which said what `mark` stands for, is right."""

    ruling: str
    mark: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyTap:
    """Answer the question `question` that ruling `ruling` asks."""

    ruling: str
    question: str
    answer: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawTap:
    """Take back the decision of entry `seq`."""

    seq: int
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StrikeTap:
    """The fact of entry `seq` never happened."""

    seq: int
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclareTap:
    """What a person said: one of the announcements that the page offers."""

    what: str
    side: str | None = None
    value: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AmendTap:
    """The fact of entry `seq` was really `fact`."""

    seq: int
    fact: Fact
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class InsertTap:
    """The camera missed `fact`, right after entry `after`."""

    after: int
    fact: Fact
    reason: str = ""


Tap = OverruleTap | ConfirmTap | ReplyTap | WithdrawTap | StrikeTap | AmendTap | InsertTap
_KINDS = ("overrule", "confirm", "reply", "withdraw", "strike", "amend", "insert")


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope:
    """What every tap carries: its own `key` (twice the same is one tap), the version it was on.

    `boot` names the running process whose page it was; `by` whoever made it, where that is known.
    """

    key: str
    seen: int
    boot: str | None = None
    by: str = ""


def parse_decision(body: bytes) -> tuple[Envelope, Tap]:
    """Return the envelope and the one decision in `body`; `Refused` with all reasons otherwise."""
    form = Form(read_object(body))
    envelope = _envelope(form)
    kinds = [kind for kind in _KINDS if kind in form.fields]
    if len(kinds) != 1:
        raise Refused(
            *form.reasons, say("expected exactly one of {known}", known=", ".join(_KINDS))
        )
    inner = form.part(kinds[0])
    tap: Tap
    match kinds[0]:
        case "overrule":
            tap = OverruleTap(
                ruling=inner.text("ruling"), mark=inner.text("mark"), reason=inner.words("reason")
            )
        case "confirm":
            tap = ConfirmTap(
                ruling=inner.text("ruling"), mark=inner.text("mark"), reason=inner.words("reason")
            )
        case "reply":
            tap = ReplyTap(
                ruling=inner.text("ruling"),
                question=inner.text("question"),
                answer=inner.text("answer"),
                reason=inner.words("reason"),
            )
        case "withdraw":
            tap = WithdrawTap(seq=inner.number("seq"), reason=inner.words("reason"))
        case "amend":
            tap = AmendTap(
                seq=inner.number("seq"), fact=inner.fact("fact"), reason=inner.words("reason")
            )
        case "insert":
            tap = InsertTap(
                after=inner.number("after"), fact=inner.fact("fact"), reason=inner.words("reason")
            )
        case _:
            tap = StrikeTap(seq=inner.number("seq"), reason=inner.words("reason"))
    form.finish()
    return envelope, tap


def parse_declaration(body: bytes) -> tuple[Envelope, DeclareTap]:
    """Return the envelope and what was said; `Refused` with all reasons otherwise."""
    form = Form(read_object(body))
    envelope = _envelope(form)
    tap = DeclareTap(
        what=form.text("what"), side=form.text_or_none("side"), value=form.words("value")
    )
    form.finish()
    return envelope, tap


def _envelope(form: "Form") -> Envelope:
    key = form.text("key")
    if key and not _KEY.match(key):
        form.reasons.append(say("key: expected 8 to 64 letters, digits, - or _"))
    return Envelope(
        key=key, seen=form.number("seen"), boot=form.text_or_none("boot"), by=form.words("by")
    )


def read_object(body: bytes) -> dict[str, object]:
    """Return the JSON object in `body`. Raises Refused."""
    try:
        read = json.loads(
            body.decode("utf-8"), object_pairs_hook=_no_twins, parse_constant=_no_constant
        )
    except Refused:
        raise
    except RecursionError:
        raise Refused(say("nested too deeply")) from None
    except ValueError as err:
        raise Refused(say("not JSON: {error}", error=str(err)[:200])) from None
    if not isinstance(read, dict):
        raise Refused(say("expected a JSON object"))
    if _values(read) > MAX_VALUES:
        raise Refused(say("more than {most} values", most=MAX_VALUES))
    return read


def _values(read: object) -> int:
    """How many values there are in what was read; counting ends where they are too many."""
    count, left = 0, [read]
    while left and count <= MAX_VALUES:
        one = left.pop()
        count += 1
        if isinstance(one, dict):
            left.extend(one.values())
        elif isinstance(one, list):
            left.extend(one)
    return count


def _no_twins(pairs: list[tuple[str, object]]) -> dict[str, object]:
    read = dict(pairs)
    if len(read) != len(pairs):
        raise Refused(say("a name occurs twice in one object"))
    return read


def _no_constant(name: str) -> object:
    raise Refused(say("{name} is no number", name=name))


class Form:
    """Reads the fields of one object and gathers what is wrong with them.

    Readers return an empty value where a field is wrong; `finish` then refuses the whole.
    """

    def __init__(
        self, fields: dict[str, object], prefix: str = "", reasons: list[str] | None = None
    ) -> None:
        self.fields = fields
        self.prefix = prefix
        self.reasons: list[str] = [] if reasons is None else reasons
        self._read: set[str] = set()
        self._inner: list[Form] = []

    def text(self, name: str) -> str:
        found = self._take(name)
        if not isinstance(found, str) or not found:
            return self._wrong(name, say("a text"))
        return self._clean(name, found)

    def words(self, name: str) -> str:
        """Return a text that may be empty or missing."""
        found = self._take(name)
        if found is None:
            return ""
        if not isinstance(found, str):
            return self._wrong(name, say("a text"))
        return self._clean(name, found)

    def text_or_none(self, name: str) -> str | None:
        return None if self._take(name) is None else self.text(name)

    def number(self, name: str) -> int:
        found = self._take(name)
        if isinstance(found, bool) or not isinstance(found, int) or not 0 <= found <= _MAX_INT:
            self._wrong(name, say("a whole number of at least 0"))
            return 0
        return found

    def fact(self, name: str) -> Fact:
        """Return a fact as docs/json.md writes it."""
        try:
            return fact_from_json(self._take(name), f"{self.prefix}{name}")
        except (ValueError, RecursionError) as err:
            self.reasons.append(str(err)[:300] or f"{self.prefix}{name}: expected a fact")
            return _NO_FACT

    def part(self, name: str) -> "Form":
        found = self._take(name)
        if not isinstance(found, dict):
            self._wrong(name, say("an object"))
            found = {}
        inner = Form(found, f"{self.prefix}{name}.", self.reasons)
        self._inner.append(inner)
        return inner

    def finish(self) -> None:
        for form in (self, *self._inner):
            for name in form.fields:
                if name not in form._read:
                    field = f"{form.prefix}{name[:40]}"
                    self.reasons.append(say("{field}: not expected here", field=field))
        if self.reasons:
            raise Refused(*self.reasons[:10])

    def _take(self, name: str) -> object:
        self._read.add(name)
        return self.fields.get(name)

    def _wrong(self, name: str, expected: str) -> str:
        field = f"{self.prefix}{name}"
        self.reasons.append(say("{field}: expected {expected}", field=field, expected=expected))
        return ""

    def _clean(self, name: str, found: str) -> str:
        if len(found) > MAX_WORDS:
            return self._wrong(name, say("at most {most} characters", most=MAX_WORDS))
        if any(char < " " or char == "\x7f" or "\ud800" <= char <= "\udfff" for char in found):
            return self._wrong(name, say("no control characters"))
        return found
