"""Property tests try the same examples in every run, unless asked to explore."""

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from testkit import exploring


def tried(profile: settings) -> list[int]:
    numbers: list[int] = []

    @given(st.integers())
    @profile
    def note(number: int) -> None:
        numbers.append(number)

    note()
    return numbers


def test_a_run_tries_the_examples_that_the_last_one_tried() -> None:
    usual = exploring.profile({})
    assert tried(usual) == tried(usual)


def test_an_exploring_run_tries_new_examples_and_as_many_as_asked_for() -> None:
    usual, exploring_run = exploring.profile({}), exploring.profile({"SIGHTLINE_EXPLORE": "3"})
    assert exploring_run.max_examples == 3 * usual.max_examples
    assert tried(exploring_run) != tried(exploring_run)


@pytest.mark.parametrize("said", ["0", "-1", "yes", "2.5", "²"])
def test_a_factor_that_is_no_whole_number_is_refused_by_name(said: str) -> None:
    with pytest.raises(ValueError, match="SIGHTLINE_EXPLORE to be a whole number from 1"):
        exploring.profile({"SIGHTLINE_EXPLORE": said})


def test_these_very_tests_run_by_what_the_environment_asks_for() -> None:
    here, asked = settings(), exploring.profile(os.environ)
    assert (here.derandomize, here.max_examples) == (asked.derandomize, asked.max_examples)


def test_a_test_with_a_number_of_its_own_tries_as_many_times_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("SIGHTLINE_EXPLORE", raising=False)
    assert exploring.examples(20) == 20
    monkeypatch.setenv("SIGHTLINE_EXPLORE", "7")
    assert exploring.examples(20) == 140
