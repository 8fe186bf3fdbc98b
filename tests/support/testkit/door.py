"""Devices that have joined, for tests: one client for each role, and hands on the clock."""

from flask import Flask
from flask.testing import FlaskClient

from web.access import Access, Role


class Hands:
    """A clock that moves when it is told to."""

    def __init__(self, now_s: float = 1_700_000_000.0) -> None:
        self._now_s = now_s

    def now(self) -> float:
        return self._now_s

    def pass_s(self, seconds: float) -> None:
        self._now_s += seconds


WRITES = {"X-Sightline": "1", "Origin": "http://localhost"}


def client_of(app: Flask, access: Access, role: Role | None) -> FlaskClient:
    """A client whose device has joined as `role`; None: one that has not joined."""
    client = app.test_client()
    if role is not None:
        secret = access.invite(role, minutes=10).secret
        answer = client.post("/join", json={"secret": secret, "name": f"a {role}"}, headers=WRITES)
        assert answer.status_code == 201
    return client
