"""Roles, devices and invitations, without a server."""

import json
from pathlib import Path

import pytest
from testkit.door import Hands

from sightline.serving.access_file import AccessFile
from web.access import (
    GUESSES_HERE,
    GUESSES_IN_ALL,
    MAX_INVITATIONS,
    SESSION_S,
    Access,
    NotLetIn,
    Role,
    TooManyGuesses,
    may,
)


@pytest.fixture
def hands() -> Hands:
    return Hands()


@pytest.fixture
def access(hands: Hands) -> Access:
    return Access(now=hands.now, clock=hands.now, slowness=2)


def guess(access: Access, pin: str, address: str = "10.0.0.7") -> None:
    access.join_by_pin(pin, name="", browser="", address=address)


def test_each_role_may_do_all_that_those_before_it_may() -> None:
    allowed = {role: {need for need in Role if may(role, need)} for role in Role}
    assert [len(allowed[role]) for role in Role] == [1, 2, 3, 4, 5]
    assert all(may(role, None) for role in (None, *Role))
    assert not any(may(None, need) for need in Role)


def test_the_secret_of_an_invitation_lets_a_device_in_with_its_role(access: Access) -> None:
    invited = access.invite(Role.REFEREE, minutes=10)
    joined = access.join_by_secret(invited.secret, name="Marta’s tablet", browser="Chromium")
    assert (joined.device.role, joined.device.name) == (Role.REFEREE, "Marta’s tablet")
    assert access.known(joined.cookie) == joined.device
    assert access.known(joined.cookie + "x") is None
    assert access.known(None) is None


def test_the_pin_of_an_invitation_does_the_same(access: Access) -> None:
    invited = access.invite(Role.SCORER, minutes=10)
    assert len(invited.pin) == 6
    joined = access.join_by_pin(invited.pin, name="", browser="", address="10.0.0.7")
    assert (joined.device.role, joined.device.name) == (Role.SCORER, "scorer")


def test_an_invitation_for_one_device_is_spent_by_the_first(access: Access) -> None:
    invited = access.invite(Role.OWNER, minutes=10, once=True)
    access.join_by_secret(invited.secret, name="", browser="")
    with pytest.raises(NotLetIn):
        access.join_by_secret(invited.secret, name="", browser="")


def test_an_invitation_ends_with_its_time_or_when_withdrawn(access: Access, hands: Hands) -> None:
    early, late = access.invite(Role.VIEWER, minutes=10), access.invite(Role.VIEWER, minutes=60)
    hands.pass_s(601)
    with pytest.raises(NotLetIn):
        access.join_by_secret(early.secret, name="", browser="")
    assert access.withdraw(late.invitation.id)
    with pytest.raises(NotLetIn):
        access.join_by_secret(late.secret, name="", browser="")
    assert not access.withdraw(late.invitation.id)


def test_a_session_ends_after_twelve_hours(access: Access, hands: Hands) -> None:
    joined = access.join_by_secret(
        access.invite(Role.VIEWER, minutes=10).secret, name="", browser=""
    )
    hands.pass_s(SESSION_S - 1)
    assert access.known(joined.cookie) is not None
    hands.pass_s(2)
    assert access.known(joined.cookie) is None
    assert access.devices() == ()


def test_a_device_that_is_shut_out_is_known_no_more(access: Access) -> None:
    joined = access.join_by_secret(
        access.invite(Role.REFEREE, minutes=10).secret, name="", browser=""
    )
    assert access.is_in(joined.device.id)
    assert access.revoke(joined.device.id)
    assert access.known(joined.cookie) is None
    assert not access.is_in(joined.device.id)
    assert not access.revoke(joined.device.id)


def test_guessing_is_slowed_for_one_address_and_not_for_another(
    access: Access, hands: Hands
) -> None:
    invited = access.invite(Role.REFEREE, minutes=720)
    wrong = "0" * 6 if invited.pin != "0" * 6 else "1" * 6
    for _ in range(GUESSES_HERE):
        with pytest.raises(NotLetIn):
            guess(access, wrong)
    with pytest.raises(TooManyGuesses, match="min"):
        guess(access, invited.pin)
    guess(access, invited.pin, address="10.0.0.8")
    hands.pass_s(3601)
    guess(access, invited.pin)


def test_guessing_is_slowed_in_all_and_locks_nobody_out_who_is_in(access: Access) -> None:
    invited = access.invite(Role.REFEREE, minutes=720)
    inside = access.join_by_secret(invited.secret, name="", browser="")
    wrong = "0" * 6 if invited.pin != "0" * 6 else "1" * 6
    for number in range(GUESSES_IN_ALL):
        with pytest.raises(NotLetIn):
            guess(access, wrong, address=f"10.0.{number % 50}.1")
    with pytest.raises(TooManyGuesses):
        guess(access, invited.pin, address="10.9.9.9")
    assert access.known(inside.cookie) is not None
    assert access.join_by_secret(invited.secret, name="", browser="").device.role is Role.REFEREE


def test_there_are_only_so_many_invitations(access: Access) -> None:
    for _ in range(MAX_INVITATIONS):
        access.invite(Role.VIEWER, minutes=10)
    with pytest.raises(ValueError, match="too many open invitations"):
        access.invite(Role.VIEWER, minutes=10)


def test_who_has_joined_outlasts_a_restart_and_no_secret_is_on_disk(tmp_path: Path) -> None:
    path = tmp_path / "new" / "access.json"
    access = Access(AccessFile(path))
    invited = access.invite(Role.REFEREE, minutes=10)
    joined = access.join_by_pin(invited.pin, name="Zoë", browser="b", address="a")
    again = Access(AccessFile(path))
    known = again.known(joined.cookie)
    assert known is not None
    assert (known.name, known.role) == ("Zoë", Role.REFEREE)
    assert again.join_by_pin(invited.pin, name="", browser="", address="a").device.name == "referee"
    kept = path.read_text()
    assert not [word for word in (invited.secret, joined.cookie) if word in kept]
    assert invited.pin not in {each["pin"] for each in json.loads(kept)["invitations"]}
    assert path.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "kept",
    ["", "{", "[]", '{"version": 9}', '{"version": 1}', '{"version": 1, "salt": "zz"}',
     '{"version": 1, "salt": "00", "devices": [{"id": "x"}], "invitations": []}'],
)  # fmt: skip
def test_a_record_that_cannot_be_read_lets_nobody_in_and_joining_still_works(
    tmp_path: Path, kept: str
) -> None:
    path = tmp_path / "access.json"
    path.write_text(kept)
    access = Access(AccessFile(path))
    assert access.devices() == ()
    secret = access.invite(Role.VIEWER, minutes=10).secret
    assert access.known(access.join_by_secret(secret, name="", browser="").cookie) is not None


def test_a_disk_that_refuses_costs_only_the_memory_across_restarts(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    access = Access(AccessFile(blocked / "access.json"))
    secret = access.invite(Role.VIEWER, minutes=10).secret
    assert access.known(access.join_by_secret(secret, name="", browser="").cookie) is not None
