"""Words that remember how they were made, and that nothing is said without them."""

import ast
import copy
import json
import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest
from testkit.wording import unsayable, words_of_match

from rules.engine import Fold
from rules.game import Entry
from rules.registry import GAMES, find_game
from rules.said import Said, joined, listed, number, plural, said_again, say, word, written
from sightline.games import built_in_board
from sightline.simulated.matches import play_truly
from sightline.simulated.repertoire import agreement_on

ROOT = Path(__file__).parents[1]
WORDS_IN = {"rule": 1, "holds": 3}
"""Calls that take words, and at which place."""


@pytest.mark.parametrize(
    ("said", "english"),
    [
        (say("A {b} {{c}}: {d:.1f}", b="x", d=2.25), "A x {c}: 2.2"),
        (say("Braces {stay} without values"), "Braces {stay} without values"),
        (say("{Who} to shoot", who="red"), "Red to shoot"),
        (say("{Who}", who=say("{colour} {n}", colour="red", n=2)), "Red 2"),
        (plural(0, none="none", one="one", many="{count} pucks"), "none"),
        (plural(0, one="one", many="{count} pucks"), "no pucks"),
        (plural(1, one="one puck", many="{count} pucks"), "one puck"),
        (plural(2, one="one puck", many="{count} pucks"), "two pucks"),
        (plural(12, one="one puck", many="{count} pucks"), "12 pucks"),
        (listed(["a", "b", "c"]), "a, b and c"),
        (listed(["a", "b"]), "a and b"),
        (listed([]), ""),
        (joined(["A.", "B.", "C."]), "A. B. C."),
        (joined(["a", "b"], "; "), "a; b"),
        (word("red"), "red"),
        (number(-1), "-1"),
    ],
)
def test_what_is_said_is_its_english_text(said: str, english: str) -> None:
    assert said == english
    assert hash(said) == hash(english)
    assert json.dumps([said]) == json.dumps([english])
    assert f"{said}" == english


def test_what_was_said_keeps_its_template_when_it_is_copied_or_sent() -> None:
    said = say("{who} has {what}", who="A", what=say("{n} pucks", n=2))
    for twin in (copy.deepcopy(said), copy.copy(said), pickle.loads(pickle.dumps(said))):
        assert isinstance(twin, Said)
        assert (twin, twin.template, twin.values) == (said, said.template, said.values)
        inner = twin.values["what"]
        assert isinstance(inner, Said)
        assert inner.template == "{n} pucks"


FELL = say("{piece} fell after {seconds} s")
FELL_LATE = say("{piece} fell after {seconds} s, too late")
STOPPED = say("stopped")


@pytest.mark.parametrize(
    ("text", "templates", "template"),
    [
        (written(FELL, piece="red-1", seconds="2.5"), (FELL, STOPPED), FELL.template),
        (written(STOPPED), (FELL, STOPPED), STOPPED.template),
        ("somebody fell", (FELL, STOPPED), None),
        ("red-1 fell after 2.5 s, too late", (FELL, FELL_LATE), FELL_LATE.template),
        ("red-1 fell after 2.5 s", (FELL, say("{what} after {seconds} s")), None),
        ("not stopped", (FELL, STOPPED), None),
    ],
    ids=["values", "no values", "none", "the whole of it", "two fit", "a part fits"],
)
def test_a_text_of_the_log_is_said_again_where_it_is_clear_what_it_was_made_of(
    text: str, templates: tuple[Said, ...], template: str | None
) -> None:
    assert not isinstance(text, Said)
    again = said_again(text, templates)
    assert again == text
    assert getattr(again, "template", None) == template


def test_a_value_that_is_missing_is_a_fault_at_once() -> None:
    with pytest.raises(KeyError):
        say("{who} and {what}", who="A")


@pytest.mark.parametrize("name", GAMES)
def test_all_that_a_match_says_can_be_said_in_another_language(name: str) -> None:
    evening = play_truly(built_in_board(name), agreement_on(name), seed=3)
    fold = Fold(find_game(name), evening.setup)
    for seq, step in enumerate(evening.truth.steps[:1500], start=1):
        fold.append(Entry(seq=seq, at_ms=step.fact.at_ms, body=step.fact))
    assert unsayable(words_of_match(fold)) == []


def speaking_modules() -> list[Path]:
    return sorted([*(ROOT / "rules").glob("*.py"), *(ROOT / "rules/games").glob("*/*.py")])


@pytest.mark.parametrize(
    "path", speaking_modules(), ids=lambda path: str(path.relative_to(ROOT / "rules"))
)
def test_no_ruling_question_or_order_is_given_plain_words(path: Path) -> None:
    found = [
        f"{path.name}:{text.lineno}: {ast.unparse(text)}"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        for given in words_given(node)
        for text in plain_texts(given)
    ]
    assert found == []


def words_given(call: ast.Call) -> Iterator[ast.expr]:
    """Yield the arguments of a call that are words for people."""
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    if name == "Clause":
        return
    if name in WORDS_IN and len(call.args) > WORDS_IN[name]:
        yield call.args[WORDS_IN[name]]
    for keyword in call.keywords:
        if keyword.arg in ("words", "consequence", "headline"):
            yield keyword.value
        elif keyword.arg == "answers" and isinstance(keyword.value, ast.Tuple):
            for pair in keyword.value.elts:
                if isinstance(pair, ast.Tuple) and len(pair.elts) == 2:
                    yield pair.elts[1]


def plain_texts(given: ast.expr) -> Iterator[ast.expr]:
    match given:
        case ast.JoinedStr():
            yield given
        case ast.Constant(value=str(text)) if text:
            yield given
        case ast.IfExp(body=one, orelse=other) | ast.BinOp(left=one, right=other):
            yield from plain_texts(one)
            yield from plain_texts(other)
        case ast.BoolOp(values=values):
            for value in values:
                yield from plain_texts(value)
