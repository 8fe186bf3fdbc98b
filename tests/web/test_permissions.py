"""Every route of the app, asked by every role: nobody gets past the table."""

from collections.abc import Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient
from testkit.door import WRITES, client_of
from testkit.fake_desk import FakeDesk
from testkit.sample_match import question_ruling, sample_desk
from werkzeug.routing import Rule

from rules.decisions import Overrule
from web import create_app
from web.access import Access, Role, may
from web.permissions import NEEDS
from web.present import mark_of

KEY = "0123456789abcdef"
ROLES = (None, *Role)
OBJECTS = {
    "name": ("s47-rest.jpg", "s60-hole.jpg"),
    "id": ("0123456789ab",),
    "seq": ("12", "4711"),
    "filename": ("js/main.js",),
}
"""What stands for a route's parameters: objects that are there and one that is not."""


@pytest.fixture
def access() -> Access:
    return Access(slowness=2)


@pytest.fixture
def desk() -> FakeDesk:
    return sample_desk()


@pytest.fixture
def app(desk: FakeDesk, access: Access) -> Flask:
    return create_app(desk, access=access, max_streams=50, beat_s=0.0, boot="b00t")


@pytest.fixture
def clients(app: Flask, access: Access) -> dict[Role | None, FlaskClient]:
    return {role: client_of(app, access, role) for role in ROLES}


def paths(rule: Rule) -> Iterator[str]:
    names = rule.arguments
    if not names:
        yield rule.rule
        return
    (name,) = names
    for value in OBJECTS[name]:
        start, _, rest = rule.rule.partition("<")
        yield start + value + rest.partition(">")[2]


def requests(app: Flask) -> Iterator[tuple[str, str, str]]:
    for rule in app.url_map.iter_rules():
        for method in sorted((rule.methods or set()) - {"OPTIONS"}):
            for path in paths(rule):
                yield method, path, rule.endpoint


def test_the_table_names_every_route_and_nothing_else(app: Flask) -> None:
    assert set(NEEDS) == {rule.endpoint for rule in app.url_map.iter_rules()}


def test_no_role_gets_past_the_table(app: Flask, clients: dict[Role | None, FlaskClient]) -> None:
    bypasses, asked = [], 0
    for method, path, endpoint in requests(app):
        if endpoint == "door.leave":
            continue  # it would end the session of whoever asks; tested by itself
        for role, client in clients.items():
            answer = client.open(
                path, method=method, headers=WRITES, json={} if method == "POST" else None
            )
            answer.close()
            asked += 1
            refused = answer.status_code == 403
            if endpoint == "door.join":
                refused = False  # it refuses what opens nothing, whoever sends it
            if refused == may(role, NEEDS[endpoint]):
                bypasses.append((role, method, path, answer.status_code))
    assert bypasses == []
    assert asked > 100


def test_a_route_that_is_not_in_the_table_is_refused_even_to_the_owner(
    desk: FakeDesk, access: Access
) -> None:
    app = create_app(desk, access=access)
    app.add_url_rule("/new", "new", lambda: "secret")
    assert client_of(app, access, Role.OWNER).get("/new").status_code == 403


def test_without_joining_whoever_reaches_the_loopback_may_do_all(desk: FakeDesk) -> None:
    client = create_app(desk).test_client()
    assert client.get("/devices").status_code == 200
    assert client.get("/me").json == {"role": "owner", "name": "", "joining": False}
    answer = client.post("/invitations", json={"role": "viewer", "minutes": 10}, headers=WRITES)
    assert answer.status_code == 409
    assert "--lan" in answer.json["words"]


@pytest.mark.parametrize("path", ["/", "/devices"])
def test_a_browser_that_nobody_knows_is_led_to_joining(
    clients: dict[Role | None, FlaskClient], path: str
) -> None:
    answer = clients[None].get(path, headers={"Accept": "text/html"})
    assert (answer.status_code, answer.headers["Location"]) == (302, "/join")
    assert clients[None].get("/state").status_code == 403


def test_a_role_that_is_too_low_is_told_so(clients: dict[Role | None, FlaskClient]) -> None:
    answer = clients[Role.SCORER].post("/decisions", json={}, headers=WRITES)
    assert answer.json["words"] == "This is for the referee; this device has joined as scorer."
    page = clients[Role.VIEWER].get("/devices", headers={"Accept": "text/html"})
    assert page.status_code == 403
    assert "for the owner" in page.text


def test_a_decision_is_signed_with_the_devices_name_whatever_it_says(
    clients: dict[Role | None, FlaskClient], desk: FakeDesk
) -> None:
    ruled = desk.view().rulings[-1]
    body = {
        "key": KEY,
        "seen": 5,
        "by": "somebody else",
        "overrule": {"ruling": str(ruled.id), "mark": mark_of(ruled)},
    }
    assert clients[Role.REFEREE].post("/decisions", json=body, headers=WRITES).status_code == 201
    decision = desk.decided[0][0]
    assert isinstance(decision, Overrule)
    assert decision.by == "a referee (referee)"


def test_an_object_is_refused_to_a_role_that_may_not_see_its_kind(
    clients: dict[Role | None, FlaskClient], desk: FakeDesk
) -> None:
    desk.rule(question_ruling(), evidence=("s60-hole.jpg",))
    for path in ("/evidence/s60-hole.jpg", "/live.jpg"):
        answers = {role: client.get(path).status_code for role, client in clients.items()}
        assert [role for role, status in answers.items() if status == 200] == list(Role)[1:]


def test_a_device_that_is_shut_out_loses_its_stream_at_the_next_event(
    clients: dict[Role | None, FlaskClient], access: Access, desk: FakeDesk
) -> None:
    stream = iter(clients[Role.VIEWER].get("/events").response)
    for _ in range(3):
        next(stream)
    (viewer,) = (device for device in access.devices() if device.role is Role.VIEWER)
    owner = clients[Role.OWNER]
    assert owner.post(f"/devices/{viewer.id}/revoke", json={}, headers=WRITES).status_code == 200
    desk.rule(question_ruling())
    assert list(stream) == []
    assert clients[Role.VIEWER].get("/state").status_code == 403
    assert owner.post(f"/devices/{viewer.id}/revoke", json={}, headers=WRITES).status_code == 404


def test_another_role_holds_from_the_next_request_on(
    clients: dict[Role | None, FlaskClient], access: Access
) -> None:
    (scorer,) = (device for device in access.devices() if device.role is Role.SCORER)
    path = f"/devices/{scorer.id}/role"
    assert clients[Role.SCORER].post("/decisions", json={}, headers=WRITES).status_code == 403
    answer = clients[Role.OWNER].post(path, json={"role": "referee"}, headers=WRITES)
    assert answer.status_code == 200
    assert clients[Role.SCORER].post("/decisions", json={}, headers=WRITES).status_code == 400
    wrong = clients[Role.OWNER].post(path, json={"role": "king"}, headers=WRITES)
    assert (wrong.status_code, "expected one of" in wrong.json["words"]) == (400, True)


def test_whoever_leaves_is_known_no_more(clients: dict[Role | None, FlaskClient]) -> None:
    client = clients[Role.REFEREE]
    assert client.get("/me").json["name"] == "a referee"
    assert client.post("/leave", json={}, headers=WRITES).status_code == 200
    assert client.get("/me").json["role"] is None


def test_an_invitation_tells_its_pin_once_and_is_listed_without_it(
    clients: dict[Role | None, FlaskClient],
) -> None:
    owner = clients[Role.OWNER]
    said = owner.post("/invitations", json={"role": "referee", "minutes": 60}, headers=WRITES).json
    assert said["links"][0]["url"].startswith("http://localhost/join#")
    assert said["links"][0]["path"].startswith("M4 4h7v1h-7z")
    listed = owner.get("/devices.json").json
    assert [set(each) for each in listed["invitations"] if each["id"] == said["id"]] == [
        {"id", "role", "until_s"}
    ]
    assert said["pin"] not in owner.get("/devices.json").text
    path = f"/invitations/{said['id']}/withdraw"
    assert owner.post(path, json={}, headers=WRITES).status_code == 200
    assert owner.post(path, json={}, headers=WRITES).status_code == 404


@pytest.mark.parametrize(
    "body",
    [{}, {"role": "king", "minutes": 10}, {"role": "viewer", "minutes": 99},
     {"role": "viewer", "minutes": 10, "x": 1}, {"role": ["viewer"], "minutes": 10}, []],
)  # fmt: skip
def test_an_invitation_that_makes_no_sense_is_refused(
    clients: dict[Role | None, FlaskClient], body: object
) -> None:
    answer = clients[Role.OWNER].post("/invitations", json=body, headers=WRITES)
    assert answer.status_code == 400


@pytest.mark.parametrize(
    ("body", "status"),
    [({}, 400), ({"pin": "123456", "secret": "x"}, 400), ({"secret": "x"}, 403),
     ({"pin": "no digits"}, 403), ({"pin": 123456}, 400), ("text", 400)],
)  # fmt: skip
def test_what_opens_nothing_lets_nobody_in(
    clients: dict[Role | None, FlaskClient], body: object, status: int
) -> None:
    answer = clients[None].post("/join", json=body, headers=WRITES)
    assert (answer.status_code, answer.headers.get("Set-Cookie")) == (status, None)


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(app: Flask, access: Access) -> None:
    secret = access.invite(Role.REFEREE, minutes=10).secret
    answer = app.test_client().post("/join", json={"secret": secret}, headers=WRITES)
    cookie = answer.headers["Set-Cookie"]
    assert cookie.startswith("sightline_0=")
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(cookie.split("; "))


def test_joining_from_another_site_is_refused(app: Flask, access: Access) -> None:
    secret = access.invite(Role.REFEREE, minutes=10).secret
    headers = {"X-Sightline": "1", "Origin": "http://evil.example"}
    answer = app.test_client().post("/join", json={"secret": secret}, headers=headers)
    assert answer.status_code == 403
