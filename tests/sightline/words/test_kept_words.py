"""Words kept in a file can be said in another language afterwards; a file cannot reach further."""

import json

import pytest

from rules.said import joined, listed, plural, say, word
from sightline.words.kept_words import kept, unkept
from web.saying import translated


@pytest.mark.parametrize(
    "text",
    [
        say("{colour} was cleared by its own side.", colour=word("red")),
        plural(2, one="{men} comes", many="{men} come", men=listed(["a", "b", "c"])),
        joined([say("Yes"), say("{moved_mm:.1f} mm of {count}", moved_mm=6.25, count=3)]),
        "plain {braces} and all",
    ],
    ids=["a word in words", "counts and lists", "numbers", "plain"],
)
def test_words_come_back_from_a_file_as_they_were(text: str) -> None:
    again = unkept(json.loads(json.dumps(kept(text))))
    assert again == text
    assert translated([again], "de") == translated([text], "de")


@pytest.mark.parametrize(
    "written",
    [
        None,
        5,
        [],
        {"words": "x"},
        {"say": 5},
        {"say": "{a}", "with": "a"},
        {"say": "{a.__class__}", "with": {"a": "x"}},
        {"say": "{a[0]}", "with": {"a": "x"}},
        {"say": "{a!r}", "with": {"a": "x"}},
        {"say": "{a:{b}}", "with": {"a": "x", "b": "y"}},
        {"say": "{a:d}", "with": {"a": "x"}},
        {"say": "{missing}", "with": {"a": "x"}},
        {"say": "{open", "with": {"a": "x"}},
    ],
    ids=repr,
)
def test_what_are_no_words_of_ours_is_refused(written: object) -> None:
    with pytest.raises(ValueError, match=r"words|brace|expected"):
        unkept(written)


def test_words_nested_without_end_are_refused() -> None:
    written: object = "x"
    for _ in range(40):
        written = {"say": "{a}", "with": {"a": written}}
    with pytest.raises(ValueError, match="too deeply"):
        unkept(written)
