"""What the server answers: pages, pictures, taps; and to whom it does not answer."""

import re
from dataclasses import replace

import pytest
from flask.testing import FlaskClient
from msgspec import structs
from testkit.fake_desk import FakeDesk
from testkit.sample_match import question_ruling, sample_desk, sample_view

from rules.decisions import Amend, Confirm, Overrule, Reply, Withdraw
from rules.facts import Declared
from web import create_app
from web.desk import Ruled
from web.guard import host_name
from web.present import mark_of

TAPS = {"X-Sightline": "1", "Origin": "http://localhost"}
KEY = "0123456789abcdef"


@pytest.fixture
def desk() -> FakeDesk:
    return sample_desk()


@pytest.fixture
def client(desk: FakeDesk) -> FlaskClient:
    app = create_app(desk, allowed_hosts=("table-3.local",), boot="b00t", max_streams=2)
    app.testing = True
    return app.test_client()


def tap(client: FlaskClient, path: str = "/decisions", *, key: str = KEY, **fields: object):
    fields = {"key": key, "seen": 5, **fields}
    return client.post(path, json=fields, headers=TAPS)


def newest(desk: FakeDesk, code: str) -> Ruled:
    return next(ruled for ruled in reversed(desk.view().rulings) if ruled.id.code == code)


def overrule(ruled: Ruled, reason: str = "") -> dict:
    return {"overrule": {"ruling": str(ruled.id), "mark": mark_of(ruled), "reason": reason}}


def test_the_page_shows_the_board_and_needs_no_other_site(client: FlaskClient) -> None:
    answer = client.get("/")
    assert answer.status_code == 200
    assert '<svg id="board"' in answer.text
    assert "<title>Q-Square · Sightline</title>" in answer.text
    assert "://" not in answer.text.replace('xmlns="http://www.w3.org/2000/svg"', "")


@pytest.mark.parametrize(
    "path", ["/", "/state", "/evidence/none", "/static/js/main.js", "/nowhere"]
)
def test_every_answer_forbids_inline_code_sniffing_and_framing(
    client: FlaskClient, path: str
) -> None:
    with client.get(path) as answer:
        headers = answer.headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"


def test_the_page_holds_no_inline_code_and_no_inline_style(client: FlaskClient) -> None:
    text = client.get("/").text
    assert "<style" not in text
    assert " style=" not in text
    assert " on" not in [attribute[:3] for attribute in text.split('"') if "=" in attribute]
    scripts = re.findall(r"<script.*?</script>", text, re.DOTALL)
    assert scripts
    assert all(re.fullmatch(r'<script [^<>]* ?src="/[^"<>]+"></script>', each) for each in scripts)


def test_the_state_is_the_newest_view_and_not_repeated(client: FlaskClient) -> None:
    answer = client.get("/state")
    assert answer.json["version"] == 5
    assert answer.json["since"] is None
    assert client.get("/state?have=b00t.5").status_code == 204
    assert client.get("/state?have=b00t.4").status_code == 200


def test_the_rulebook_can_be_looked_up(client: FlaskClient) -> None:
    clauses = client.get("/clauses").json["clauses"]
    assert {"QS-2.3", "QS-9.4"} <= {clause["code"] for clause in clauses}


def test_older_rulings_can_be_asked_for(client: FlaskClient) -> None:
    assert [ruled["seq"] for ruled in client.get("/rulings?before=2").json["rulings"]] == [12, 31]
    assert client.get("/rulings?before=x").json["rulings"] == []


def test_health_says_what_it_sees(client: FlaskClient) -> None:
    said = client.get("/healthz").json
    assert said["ok"] is True
    assert (said["sight"], said["streams"], said["max_streams"]) == ("still", 0, 2)


def test_a_picture_that_a_ruling_rests_on_is_shown(client: FlaskClient) -> None:
    answer = client.get("/evidence/s47-rest.jpg")
    assert answer.status_code == 200
    assert answer.mimetype == "image/jpeg"
    assert answer.data.startswith(b"\xff\xd8")


@pytest.mark.parametrize(
    "name",
    [
        "s60-hole.jpg",  # the desk has it, no ruling rests on it
        "../match.db",
        "..%2f..%2fetc%2fpasswd",
        "%00",
        "%ff%fe",
        "s47-rest.jpg/",
        "S47-REST.JPG",
        "a" * 3000,
    ],
)
def test_no_other_picture_is_even_looked_for(client: FlaskClient, name: str) -> None:
    assert client.get(f"/evidence/{name}").status_code == 404


def test_a_picture_no_longer_kept_is_said_so(client: FlaskClient, desk: FakeDesk) -> None:
    desk.rule(question_ruling(), evidence=("gone.jpg",))
    answer = client.get("/evidence/gone.jpg")
    assert answer.status_code == 404
    assert "no longer kept" in answer.text


def test_the_newest_frame_is_shown_where_there_is_one(client: FlaskClient, desk: FakeDesk) -> None:
    assert client.get("/live.jpg").headers["Cache-Control"] == "no-store"
    desk.live_frame = None
    assert client.get("/live.jpg").status_code == 404


def test_an_overrule_reaches_the_log_with_what_it_overrules(
    client: FlaskClient, desk: FakeDesk
) -> None:
    ruled = newest(desk, "QS-8a.4")
    answer = tap(client, **overrule(ruled, "both agree"), by="Marta")
    assert answer.status_code == 201
    decision, seen, key = desk.decided[0]
    assert decision == Overrule(ruling=ruled.id, was=ruled.ruling, reason="both agree", by="Marta")
    assert (seen, key, answer.json["seq"]) == (5, KEY, 48)


def test_a_confirmation_reaches_the_log_with_what_it_confirms(
    client: FlaskClient, desk: FakeDesk
) -> None:
    ruled = newest(desk, "QS-8a.4")
    answer = tap(client, confirm={"ruling": str(ruled.id), "mark": mark_of(ruled)})
    assert answer.status_code == 201
    assert desk.decided[0][0] == Confirm(ruling=ruled.id, was=ruled.ruling)
    again = client.get("/state").json["rulings"]["tail"]
    assert [r["confirmed_by"] for r in again if r["id"] == str(ruled.id)] == [answer.json["seq"]]
    stale = tap(
        client, confirm={"ruling": str(ruled.id), "mark": mark_of(ruled)}, key="another-key"
    )
    assert stale.status_code == 409


def test_the_same_tap_sent_twice_is_one_tap(client: FlaskClient, desk: FakeDesk) -> None:
    body = overrule(newest(desk, "QS-8a.4"))
    answers = [tap(client, **body) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [201, 201, 201]
    assert len({answer.json["seq"] for answer in answers}) == 1
    assert len(desk.decided) == 1


def test_an_overrule_of_a_ruling_that_has_changed_is_refused_with_the_newest_view(
    client: FlaskClient, desk: FakeDesk
) -> None:
    old = newest(desk, "QS-2.3")
    new = replace(old, ruling=structs.replace(old.ruling, words="something else"))
    desk.push(
        lambda view: replace(
            view, rulings=tuple(new if r.id == old.id else r for r in view.rulings)
        )
    )
    answer = tap(client, **overrule(old))
    assert answer.status_code == 409
    assert "changed" in answer.json["words"]
    assert answer.json["view"]["version"] == 6
    assert not desk.decided


def test_a_tap_from_before_a_restart_is_refused(client: FlaskClient, desk: FakeDesk) -> None:
    answer = tap(client, **overrule(newest(desk, "QS-2.3")), boot="other")
    assert answer.status_code == 409
    assert "started again" in answer.json["words"]


def test_an_answer_to_a_question_reaches_the_log(client: FlaskClient, desk: FakeDesk) -> None:
    desk.rule(question_ruling())
    asks = newest(desk, "QS-9.4")
    reply = {"ruling": str(asks.id), "question": "dead:red-7", "answer": "no"}
    assert tap(client, reply=reply).status_code == 201
    assert desk.decided[0][0] == Reply(seq=48, question="dead:red-7", answer="no")
    again = tap(client, reply=reply, key=KEY[::-1])
    assert again.status_code == 409
    assert "no longer open" in again.json["words"]


def test_an_answer_that_was_not_offered_is_refused(client: FlaskClient, desk: FakeDesk) -> None:
    desk.rule(question_ruling())
    asks = newest(desk, "QS-9.4")
    reply = {"ruling": str(asks.id), "question": "dead:red-7", "answer": "perhaps"}
    answer = tap(client, reply=reply)
    assert answer.status_code == 400
    assert "not one of the answers" in answer.json["words"]


def test_a_decision_can_be_taken_back_once(client: FlaskClient, desk: FakeDesk) -> None:
    before = newest(desk, "QS-8a.4")
    seq = tap(client, **overrule(before)).json["seq"]
    assert tap(client, withdraw={"seq": seq}, key="w" * 16).status_code == 201
    assert desk.decided[-1][0] == Withdraw(seq=seq)
    assert newest(desk, "QS-8a.4") == before
    assert tap(client, withdraw={"seq": seq}, key="x" * 16).status_code == 409


def test_an_announcement_reaches_the_log_and_can_be_struck_out(
    client: FlaskClient, desk: FakeDesk
) -> None:
    answer = tap(client, "/declarations", what="miscue", side="S")
    assert answer.status_code == 201
    assert desk.declared[0][0] == Declared(at_ms=312_000, what="miscue", side="S")
    seq = answer.json["seq"]
    assert tap(client, strike={"seq": seq}, key="k" * 16).status_code == 201
    assert desk.decided[-1][0] == Amend(seq=seq, fact=None)


@pytest.mark.parametrize(
    "said",
    [{"what": "miscue", "side": "N"}, {"what": "win", "side": "S"}, {"what": "miscue"}],
    ids=["by the wrong side", "not offered", "by nobody"],
)
def test_only_what_is_offered_can_be_announced(client: FlaskClient, said: dict) -> None:
    answer = tap(client, "/declarations", **said)
    assert answer.status_code == 409
    assert "no longer be announced" in answer.json["words"]


def test_a_fact_that_is_not_in_the_log_cannot_be_struck_out(client: FlaskClient) -> None:
    assert tap(client, strike={"seq": 4000}).status_code == 400
    assert tap(client, strike={"seq": 0}).status_code == 400


def test_reasons_for_a_refusal_are_given_one_by_one(client: FlaskClient) -> None:
    answer = client.post("/decisions", data=b'{"withdraw": 5}', headers=TAPS)
    assert answer.status_code == 400
    assert any(reason.startswith("key") for reason in answer.json["reasons"])


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8460", "localhost.evil.example", "", "local host", "127.0.0.1@x",
     "[::1", "localhost:port", "127.0.0.1/..", "127.1.1.1"],
)  # fmt: skip
def test_a_foreign_host_is_not_answered(client: FlaskClient, host: str) -> None:
    assert client.get("/state", headers={"Host": host}).status_code == 400


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "localhost:8460",
        "127.0.0.1:8460",
        "[::1]:8460",
        "table-3.local",
        "TABLE-3.local:1",
    ],
)
def test_our_own_names_are_answered(client: FlaskClient, host: str) -> None:
    assert client.get("/state", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    ("netloc", "name"),
    [("a:1", "a"), ("A", "a"), ("[::1]:80", "::1"), ("u@a", None), ("a:b", None), ("a?b", None)],
)
def test_the_name_of_a_host_is_read_without_its_port(netloc: str, name: str | None) -> None:
    assert host_name(netloc) == name


@pytest.mark.parametrize(
    "headers",
    [
        {"X-Sightline": "1", "Origin": "http://evil.example"},
        {"X-Sightline": "1", "Origin": "null"},
        {"X-Sightline": "1", "Origin": "https://localhost"},
        {"X-Sightline": "1", "Origin": "http://localhost:1"},
        {"X-Sightline": "1", "Sec-Fetch-Site": "cross-site"},
        {"Origin": "http://localhost"},
        {},
    ],
    ids=["foreign", "null", "other scheme", "other port", "cross-site", "no header", "bare"],
)
@pytest.mark.parametrize("path", ["/decisions", "/declarations"])
def test_a_write_from_elsewhere_is_refused(
    client: FlaskClient, desk: FakeDesk, headers: dict, path: str
) -> None:
    body = {"key": KEY, "seen": 5, "withdraw": {"seq": 1}}
    assert client.post(path, json=body, headers=headers).status_code == 403
    assert not desk.decided
    assert not desk.declared


@pytest.mark.parametrize("path", ["/events", "/state", "/live.jpg", "/evidence/s47-rest.jpg"])
def test_another_site_cannot_read_the_match(client: FlaskClient, path: str) -> None:
    for headers in ({"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        assert client.get(path, headers=headers).status_code == 403


def test_a_link_from_another_site_opens_the_page(client: FlaskClient) -> None:
    headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert client.get("/", headers=headers).status_code == 200


def test_a_body_too_large_is_refused(client: FlaskClient) -> None:
    answer = client.post("/decisions", data=b"x" * 100_000, headers=TAPS)
    assert answer.status_code == 413


@pytest.mark.parametrize(
    ("accept", "mimetype"), [("text/html", "text/html"), ("*/*", "application/json")]
)
def test_an_error_is_told_to_people_as_a_page_and_to_programs_as_json(
    client: FlaskClient, accept: str, mimetype: str
) -> None:
    answer = client.get("/nowhere", headers={"Accept": accept})
    assert (answer.status_code, answer.mimetype) == (404, mimetype)


def test_a_failing_desk_is_an_error_with_words_not_a_traceback(desk: FakeDesk) -> None:
    class Broken(FakeDesk):
        def clauses(self):
            raise OSError("disk full at /secret/place")

    app = create_app(Broken(sample_view(), desk.board()))
    answer = app.test_client().get("/clauses")
    assert answer.status_code == 500
    assert "secret" not in answer.text
    assert answer.json["error"] == "Internal Server Error"
