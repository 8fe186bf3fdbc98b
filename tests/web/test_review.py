"""The review room: the frame asked for is the frame shown; measuring; then and now; protests."""

import io
import json
import random
import re
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import cv2
import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from flask.testing import FlaskClient
from playwright.sync_api import Page, Route, expect
from testkit.devices import DESKTOP, PHONE, TABLET, UPRIGHT, Device, Devices
from testkit.numbered_frames import read_number
from testkit.page_watch import PageWatch
from testkit.played import FIRST_FRAME, FRAMES, NAME, penalty_seq, play
from testkit.sample_match import sample_desk

from sightline.match_log.log import Store
from sightline.review.library import LogLibrary
from sightline.review.protest import verify_protest
from sightline.serving.serve import Address, serving
from web import create_app

MATCH = f"match={quote(NAME)}"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with play(tmp_path_factory.mktemp("played") / "matches.db") as store:
        yield store


@pytest.fixture(scope="module")
def library(store: Store) -> LogLibrary:
    return LogLibrary(store)


@pytest.fixture(scope="module")
def client(library: LogLibrary) -> FlaskClient:
    return create_app(sample_desk(), library=library).test_client()


@pytest.fixture(scope="module")
def seq(store: Store) -> int:
    return penalty_seq(store.read(NAME)[1])


def decoded(jpeg: bytes) -> np.ndarray:
    return cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)


def test_matches_are_listed(client: FlaskClient) -> None:
    page = client.get("/review/").text
    assert "final &amp; &lt;replay&gt;" in page
    assert 'href="/review/match?match=final' in page


def test_the_timeline_holds_every_ruling_and_what_is_ruled_otherwise_now(
    client: FlaskClient, seq: int
) -> None:
    shelf = client.get(f"/review/match.json?{MATCH}").json
    assert len(shelf["rulings"]) > 40
    assert len(shelf["stills_ms"]) == FRAMES
    assert shelf["decisions"][0]["words"].startswith("Waived QS-8")
    changed = {each["seq"]: each for each in shelf["changed"]}
    assert all(each["then"] != each["now"] for each in changed.values())
    overruled = [ruled for ruled in shelf["rulings"] if ruled["overruled_by"] is not None]
    assert [ruled["seq"] for ruled in overruled] == [seq]


def test_the_frame_shown_is_the_frame_asked_for_in_random_jumps(client: FlaskClient) -> None:
    chance = random.Random(11)
    numbers = [chance.randrange(FRAMES) for _ in range(60)]
    shown = [
        read_number(decoded(client.get(f"/review/still.jpg?{MATCH}&n={number}").data))
        for number in numbers
    ]
    assert shown == [FIRST_FRAME + number for number in numbers]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        (f"/review/still.jpg?{MATCH}&n={FRAMES}", 404),
        (f"/review/still.jpg?{MATCH}&n=-1", 400),
        (f"/review/still.jpg?{MATCH}&n=1e3", 400),
        (f"/review/still.jpg?{MATCH}", 400),
        ("/review/still.jpg?match=nobody&n=1", 404),
        ("/review/match?match=nobody", 404),
        ("/review/match.json", 404),
        ("/review/protest.zip?match=../x", 404),
        (f"/review/picture.jpg?{MATCH}&name=../../matches.db", 404),
        (f"/review/overlay.json?{MATCH}&seq=x", 400),
        (f"/review/measure.json?{MATCH}&x1=2", 400),
        (f"/review/measure.json?{MATCH}&x1=nan", 400),
        (f"/review/measure.json?{MATCH}&z=1e9", 400),
    ],
)
def test_what_is_not_there_or_makes_no_sense_is_said(
    client: FlaskClient, path: str, status: int
) -> None:
    answer = client.get(path)
    assert answer.status_code == status
    assert answer.json["words"]


def test_without_a_library_there_is_no_review() -> None:
    client = create_app(sample_desk()).test_client()
    assert client.get("/review/").status_code == 200
    assert client.get(f"/review/match.json?{MATCH}").status_code == 404


def test_a_rulings_picture_is_shown(client: FlaskClient) -> None:
    shelf = client.get(f"/review/match.json?{MATCH}").json
    name = next(ruled["evidence"][0] for ruled in shelf["rulings"] if ruled["evidence"])
    assert decoded(client.get(f"/review/picture.jpg?{MATCH}&name={name}").data).shape[1] == 1280


def test_a_settled_board_is_outlined_as_the_camera_saw_it(client: FlaskClient) -> None:
    shelf = client.get(f"/review/match.json?{MATCH}").json
    (seq, _), *_ = shelf["boards"]
    overlay = client.get(f"/review/overlay.json?{MATCH}&seq={seq}").json["overlay"]
    kinds = {outline["kind"] for outline in overlay["outlines"]}
    assert {"piece", "line"} <= kinds
    inside = [
        0 <= value <= 1 for o in overlay["outlines"] for spot in o["points"] for value in spot
    ]
    assert sum(inside) > 0.95 * len(inside)
    assert client.get(f"/review/overlay.json?{MATCH}&seq=999").json == {"overlay": None}


def test_distances_are_measured_in_millimetres_on_the_board(
    client: FlaskClient, library: LogLibrary
) -> None:
    """The playing surface is 1016 mm wide: measured along the middle, through the real lens."""
    table = library._table(library._filed(NAME).header.table)
    assert table is not None
    lens = table.camera.lens
    ends = table.camera.project(np.array([[-508.0, 0, 0], [508.0, 0, 0]])).reshape(-1, 2)
    (x1, y1), (x2, y2) = ends / [lens.width, lens.height]
    path = f"/review/measure.json?{MATCH}&x1={x1}&y1={y1}&x2={x2}&y2={y2}&z=0"
    assert client.get(path).json["mm"] == pytest.approx(1016.0, abs=0.05)


def test_the_protest_file_verifies_and_holds_a_clip_of_what_was_disputed(
    client: FlaskClient, seq: int, tmp_path: Path
) -> None:
    answer = client.get(f"/review/protest.zip?{MATCH}")
    assert answer.mimetype == "application/zip"
    path = tmp_path / "protest.zip"
    path.write_bytes(answer.data)
    answer.close()
    found = verify_protest(path)
    assert (found.match, found.pictures, found.clips, found.strays) == (NAME, 1, 1, ())
    with zipfile.ZipFile(io.BytesIO(path.read_bytes())) as archive:
        assert f"clips/entry-{seq}.mp4" in archive.namelist()
        assert json.loads(archive.read("manifest.json"))["game"] == "qsquare"


def test_recordings_of_what_was_disputed_are_kept(store: Store, library: LogLibrary) -> None:
    library.keep_disputed(NAME)
    assert (store.evidence(NAME).folder / "video" / "keep").read_text() == "000001\n"


# In a browser


@pytest.fixture
def address(library: LogLibrary) -> Iterator[Address]:
    with serving(sample_desk(), port=0, max_streams=4, library=library) as address:
        yield address


@pytest.fixture
def room(devices: Devices, address: Address) -> Iterator[Callable[..., Page]]:
    pages = []

    def go(device: Device = DESKTOP, fragment: str = "") -> Page:
        page = devices.open(device)
        pages.append((page, PageWatch(page)))
        page.goto(f"{address.url}review/match?{MATCH}{fragment}")
        expect(page.locator(".moment").first).to_be_attached()
        return page

    yield go
    for page, watch in pages:
        page.close()
        watch.check()


READ = """() => {
  const image = document.getElementById("still");
  const canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth; canvas.height = image.naturalHeight;
  const pen = canvas.getContext("2d");
  pen.drawImage(image, 0, 0);
  let number = 0;
  for (let bit = 0; bit < 16; bit += 1) {
    const [x, y] = [16 * (bit % 8) + 7, 24 + 40 * Math.floor(bit / 8)];
    if (pen.getImageData(x, y, 1, 1).data[0] > 128) number |= 1 << bit;
  }
  return number;
}"""


def seen(page: Page, number: int) -> int:
    expect(page.locator("#stage")).to_have_attribute("data-shown", str(number))
    return int(page.evaluate(READ))


@pytest.mark.browser
def test_stepping_and_jumping_show_exactly_the_frame(room: Callable[..., Page]) -> None:
    page = room()
    assert seen(page, 0) == FIRST_FRAME
    page.get_by_role("button", name="One frame forward").click()
    assert seen(page, 1) == FIRST_FRAME + 1
    page.keyboard.press("Shift+ArrowRight")
    assert seen(page, 31) == FIRST_FRAME + 31
    page.keyboard.press("ArrowLeft")
    assert seen(page, 30) == FIRST_FRAME + 30
    chance = random.Random(5)
    for number in [chance.randrange(FRAMES) for _ in range(15)]:
        page.locator("#slider").evaluate(
            "(one, n) => { one.value = n; one.dispatchEvent(new Event('input')); }", str(number)
        )
        assert seen(page, number) == FIRST_FRAME + number
    expect(page.locator("#stage-frame")).to_contain_text(f"of {FRAMES}")


@pytest.mark.browser
def test_a_link_leads_to_the_moment_and_playing_goes_on_from_there(
    room: Callable[..., Page], client: FlaskClient
) -> None:
    rulings = client.get(f"/review/match.json?{MATCH}").json["rulings"]
    seq = next(ruled["seq"] for ruled in rulings if ruled["at_ms"] > 9000)
    page = room(TABLET, f"#e{seq}")
    expect(page.locator(f'.moment.is-newest[data-seq="{seq}"]')).to_be_attached()
    stage = page.locator("#stage")
    expect(stage).to_have_attribute("data-shown", re.compile(r"^[1-9]\d*$"))
    start = int(stage.get_attribute("data-shown") or "-1")
    assert start > 0
    page.locator("#speed").select_option("4")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("#stage")).not_to_have_attribute("data-shown", str(start))
    page.locator("#play").click()
    number = int(page.locator("#slider").input_value())
    assert seen(page, number) == FIRST_FRAME + number


@pytest.mark.browser
def test_rulings_are_filtered_searched_and_stepped_through(room: Callable[..., Page]) -> None:
    page = room()
    everything = page.locator(".ruling").count()
    page.locator("#filter").get_by_role("button", name="Fouls").click()
    expect(page.locator(".ruling")).not_to_have_count(everything)
    page.locator("#filter").get_by_role("button", name="All").click()
    page.locator("#search").fill("concedes")
    expect(page.locator(".ruling")).to_have_count(1)
    page.locator("#search").fill("")
    page.get_by_role("button", name="Next ruling").click()
    newest = page.locator(".moment.is-newest")
    first = newest.get_attribute("data-seq")
    assert first is not None
    page.get_by_role("button", name="Next ruling").click()
    expect(newest).not_to_have_attribute("data-seq", first)
    assert page.url.endswith(f"#e{newest.get_attribute('data-seq')}")


@pytest.mark.browser
def test_the_next_ruling_is_that_after_what_is_shown(
    room: Callable[..., Page], client: FlaskClient
) -> None:
    shelf = client.get(f"/review/match.json?{MATCH}").json
    times = shelf["stills_ms"]
    at_ms = [ruled["at_ms"] for ruled in shelf["rulings"]]
    middle = next(n for n, ms in enumerate(times) if ms > (at_ms[0] + times[-1]) / 2)
    after = next(r["seq"] for r in shelf["rulings"] if r["at_ms"] >= times[middle])
    before = [r["seq"] for r in shelf["rulings"] if r["at_ms"] < times[middle]][-1]
    page = room()
    newest = page.locator(".moment.is-newest")
    for button, seq in (("Next ruling", after), ("Previous ruling", before)):
        page.locator("#slider").evaluate(
            "(one, n) => { one.value = n; one.dispatchEvent(new Event('input')); }", str(middle)
        )
        page.get_by_role("button", name=button).click()
        expect(newest).to_have_attribute("data-seq", str(seq))


@pytest.mark.browser
def test_a_tap_that_comes_before_the_match_waits_for_it(page: Page, library: LogLibrary) -> None:
    late: list[Route] = []
    page.route("**/review/match.json?*", lambda route: late.append(route))
    with serving(sample_desk(), port=0, max_streams=2, library=library) as address:
        with page.expect_request("**/review/match.json?*"):
            page.goto(f"{address.url}review/match?{MATCH}")
        page.get_by_role("button", name="Next ruling").tap()
        page.get_by_role("button", name="Play").tap()
        late.pop().continue_()
        expect(page.locator(".moment.is-newest")).to_have_count(1)
        expect(page.locator("#play")).to_have_text("Stop")


@pytest.mark.browser
@pytest.mark.parametrize("device", [PHONE, UPRIGHT, TABLET, DESKTOP], ids=lambda each: each.name)
def test_what_comes_late_moves_nothing_under_a_finger(
    devices: Devices, address: Address, device: Device
) -> None:
    page = devices.open(device)
    late: list[Route] | None = []
    for path in ("still.jpg?*", "previews?*"):
        page.route(
            f"**/review/{path}",
            lambda route: route.continue_() if late is None else late.append(route),
        )
    with page.expect_request("**/review/still.jpg?*"), page.expect_request("**/review/previews?*"):
        page.goto(f"{address.url}review/match?{MATCH}")
    controls = page.locator(".transport .button, .undo-row .button, .moment").all()
    before = [control.bounding_box() for control in controls]
    assert len(before) > 20
    held, late = late, None
    for route in held:
        route.continue_()
    seen(page, 0)
    expect(page.locator("[data-undoes]")).to_contain_text("Undone:")
    assert [control.bounding_box() for control in controls] == before
    still = page.locator("#still")
    box = still.bounding_box()
    width, height = still.evaluate("image => [image.naturalWidth, image.naturalHeight]")
    assert box["width"] / box["height"] == pytest.approx(width / height, rel=0.01)
    page.close()


@pytest.mark.browser
def test_two_taps_measure_in_millimetres(room: Callable[..., Page]) -> None:
    page = room()
    seen(page, 0)
    page.get_by_role("button", name="Measure").click()
    box = page.locator("#still").bounding_box()
    for part in (0.3, 0.6):
        page.mouse.click(box["x"] + box["width"] * part, box["y"] + box["height"] * 0.5)
    expect(page.locator("#measured")).to_have_text(re.compile(r"^\d+\.\d mm$"))


@pytest.mark.browser
@pytest.mark.parametrize("device", [PHONE, TABLET, DESKTOP], ids=lambda device: device.name)
def test_the_room_fits_every_screen_and_axe_finds_nothing_amiss(
    room: Callable[..., Page], device: Device
) -> None:
    page = room(device)
    seen(page, 0)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert Axe().run(page).response["violations"] == []


@pytest.mark.browser
def test_the_list_of_matches_is_for_everybody(devices: Devices, address: Address) -> None:
    page = devices.open(PHONE)
    page.goto(address.url + "review/")
    assert Axe().run(page).response["violations"] == []
    page.get_by_role("link", name=NAME).click()
    expect(page.locator("h1")).to_contain_text(NAME)
    page.close()
