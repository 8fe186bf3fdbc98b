"""One evening on a referee's tablet, from a match at the simulated table to its protest file."""

import base64
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import cv2
import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect
from testkit.cuttable_line import CuttableLine
from testkit.devices import TABLET, Devices
from testkit.filmed_match import FPS, NAME, SIZE, FilmedMatch, TruthCamera
from testkit.page_watch import PageWatch

from calibration.table import load_table
from rules.decisions import Amend, Confirm, Overrule, Reply
from rules.facts import Struck
from sightline import cli
from sightline.match_log.archive import filed
from sightline.match_log.log import Store
from sightline.review.library import LogLibrary
from sightline.review.room_desk import RoomDesk
from sightline.serving.serve import Address, serving

pytestmark = pytest.mark.browser

FILMED_FROM_S, OVER_S = 23.0, 30.0


@pytest.fixture
def tablet(devices: Devices) -> Iterator[Page]:
    page = devices.open(TABLET)
    watch = PageWatch(page)
    yield page
    page.close()
    watch.check()


def test_a_match_is_refereed_reviewed_and_protested(
    tablet: Page, devices: Devices, tmp_path: Path
) -> None:
    with ExitStack() as evening:
        match = FilmedMatch(evening, tmp_path, film_from_s=FILMED_FROM_S, most_s=OVER_S)
        line = evening.enter_context(CuttableLine(match.serve(evening).port))
        join(tablet, line)
        answer_what_was_too_close(tablet, match)
        match.play_to(OVER_S)
        overrule_a_penalty(tablet)
        confirm_while_cut_off(tablet, line, match)
        end_the_match(tablet)
        camera = match.camera
    with ExitStack() as later:
        store = later.enter_context(Store(tmp_path / "matches.db"))
        room = open_room(later, store)
        find_the_match(tablet, room)
        struck_s = max(
            fact.at_ms / 1000
            for fact in match.evening.stage.truth
            if isinstance(fact, Struck) and not fact.dragged and fact.at_ms < 1000 * OVER_S
        )
        step_through_the_shot(tablet, camera, struck_s)
        measure_the_board(tablet, tmp_path / "table")
        correct_a_fact(tablet, store)
        protest = take_the_protest_file(tablet, tmp_path)
    open_it_offline(devices, protest, tmp_path / "unpacked")
    prove_it(protest, tmp_path / "changed.zip")


def join(tablet: Page, line: CuttableLine) -> None:
    tablet.goto(line.url)
    expect(tablet.locator("#link")).to_have_attribute("data-state", "live")
    expect(tablet.locator("#sight-name")).to_have_text("Still")


def answer_what_was_too_close(tablet: Page, match: FilmedMatch) -> None:
    """Both outcomes are shown beside the place of the call; the answer decides, play goes on."""
    match.play_to(OVER_S)
    assert match.camera.at_s < OVER_S
    card = tablet.locator(".ask")
    expect(card).to_contain_text("Was the line home-S hidden from the cue-puck’s hole")
    expect(card.locator(".gauge-words")).to_contain_text("−0.02 ± 0.20 mm")
    look, puck = card.locator(".magnifier"), card.locator(".outline-piece.is-named")
    expect(puck).to_have_count(1)
    assert overlap(look, puck), "the close look is of the picture in which the puck lay there"
    hidden, seen = card.locator(".answer").all()
    expect(hidden).to_contain_text("Ada to shoot")
    expect(seen).to_contain_text("Chika to shoot")
    assert Axe().run(tablet).response["violations"] == []
    seen.tap()
    expect(card).to_have_count(0)
    expect(tablet.locator("#latest")).to_contain_text("The line home-S showed")
    assert [type(one) for one in decisions(match.store)] == [Reply]


def overrule_a_penalty(tablet: Page) -> None:
    """What would change is said before the tap, what has changed after it."""
    expect(score(tablet, "N")).to_contain_text("owesone puck")
    tablet.get_by_role("button", name="Overrule QS-8a.4").tap()
    effects = tablet.locator("#overrule-effects")
    expect(effects).to_contain_text("Chikaowes one puck → –")
    expect(score(tablet, "N")).to_contain_text("owesone puck")
    tablet.get_by_role("button", name="Both players agree").tap()
    tablet.locator("#sheet-overrule").get_by_role("button", name="Overrule", exact=True).tap()
    expect(tablet.locator("#tray")).to_contain_text("Chika: owes one puck → –")
    expect(score(tablet, "N")).to_contain_text("owes–")


def confirm_while_cut_off(tablet: Page, line: CuttableLine, match: FilmedMatch) -> None:
    """The tap waits in sight while the line is cut, and is entered once when it is back."""
    line.cut()
    expect(tablet.locator("#banner-lost")).to_be_visible()
    tablet.get_by_role("button", name="Confirm QS-4.4").first.tap()
    waiting = tablet.locator('.tap[data-state="waiting"]')
    expect(waiting).to_contain_text("Confirm QS-4.4")
    assert Confirm not in map(type, decisions(match.store))
    line.mend()
    expect(tablet.locator("#link")).to_have_attribute("data-state", "live")
    expect(waiting).to_have_count(0)
    expect(tablet.locator('.tap[data-state="done"]', has_text="Confirm QS-4.4")).to_be_visible()
    assert [type(one) for one in decisions(match.store)] == [Reply, Overrule, Confirm]


def end_the_match(tablet: Page) -> None:
    more = tablet.get_by_role("button", name="More (")
    if more.count():
        more.tap()
    tablet.get_by_role("button", name="Ada concedes").tap()
    expect(tablet.locator("#headline")).to_contain_text("Chika wins")


def open_room(later: ExitStack, store: Store) -> Address:
    """The review room by itself, as `sightline room` opens it."""
    library = LogLibrary(store)
    later.callback(library.close)
    desk = RoomDesk(filed(store, None), store.evidence(NAME))
    return later.enter_context(serving(desk, port=0, library=library))


def find_the_match(tablet: Page, room: Address) -> None:
    tablet.goto(f"{room.url}review/")
    tablet.get_by_role("link", name=NAME).tap()
    expect(tablet.locator(".page-title")).to_have_text(f"Q-Square · {NAME}")
    expect(tablet.locator("#stage")).to_have_attribute("data-shown", "0")
    assert Axe().run(tablet).response["violations"] == []


def step_through_the_shot(tablet: Page, camera: TruthCamera, struck_s: float) -> None:
    """The picture is that of the frame whose time is told: no neighbour's."""
    first = round((struck_s - FILMED_FROM_S) * FPS) + 2
    tablet.locator("#slider").fill(str(first))
    forward = tablet.get_by_role("button", name="One frame forward")
    back = tablet.get_by_role("button", name="One frame back")
    for index, step in ((first + 1, forward), (first + 2, forward), (first + 1, back)):
        step.tap()
        expect(tablet.locator("#stage")).to_have_attribute("data-shown", str(index))
        told = frame_told(tablet)
        assert told == round(FILMED_FROM_S * FPS) + index
        assert likest(picture_shown(tablet), camera, told) == told


def measure_the_board(tablet: Page, table_folder: Path) -> None:
    """Between the two borders it is 1016 mm, tapped to the pixel."""
    table = load_table(table_folder)
    lens = table.camera.lens
    ends = table.camera.project(np.array([[-508.0, 0, 0], [508.0, 0, 0]])).reshape(-1, 2)
    tablet.get_by_role("button", name="Measure").tap()
    box = tablet.locator("#still").bounding_box()
    assert box is not None
    for u_px, v_px in ends:
        x, y = u_px / lens.width * box["width"], v_px / lens.height * box["height"]
        tablet.touchscreen.tap(box["x"] + x, box["y"] + y)
    measured = tablet.locator("#measured")
    expect(measured).to_contain_text(" mm")
    assert float(measured.inner_text().split()[0]) == pytest.approx(1016.0, abs=4.0)
    tablet.get_by_role("button", name="Measure").tap()


def correct_a_fact(tablet: Page, store: Store) -> None:
    """What fell is put right: the difference is shown before anything is kept."""
    before = len(decisions(store))
    tablet.get_by_label("Search the rulings").fill("foul shot")
    tablet.locator(".moment", has_text="fell in a foul shot").locator(".moment-jump").tap()
    tablet.locator(".moment.is-newest").get_by_role("button", name="Correct").tap()
    tablet.get_by_role("button", name="What happened").tap()
    fell = tablet.locator(".fact", has_text="blue-1 fell into")
    fell.get_by_role("button", name="Never happened").tap()
    expect(tablet.locator("#correct-effects")).to_contain_text("No longer ruled")
    assert len(decisions(store)) == before
    assert Axe().run(tablet, context="dialog[open]").response["violations"] == []
    tablet.locator("#correct-keep").tap()
    expect(tablet.locator("#undo-list")).to_contain_text("blue-1 fell into")
    assert isinstance(decisions(store)[-1], Amend)


def take_the_protest_file(tablet: Page, folder: Path) -> Path:
    with tablet.expect_download() as download:
        tablet.get_by_role("link", name="Protest file").tap()
    path = folder / "protest.zip"
    download.value.save_as(path)
    return path


def open_it_offline(devices: Devices, protest: Path, folder: Path) -> None:
    """Its page opens from the unpacked folder, with its pictures and a clip that plays."""
    with zipfile.ZipFile(protest) as archive:
        archive.extractall(folder)
    page = devices.open(TABLET)
    page.context.set_offline(True)
    page.goto((folder / "index.html").as_uri())
    expect(page.locator("h1")).to_contain_text(NAME)
    expect(page.locator("body")).to_contain_text("Chika wins")
    expect(page.locator("body")).to_contain_text("both players agree", ignore_case=True)
    pictures = page.evaluate(
        """() => Promise.all([...document.images].map(async (one) => {
          one.loading = "eager";
          await one.decode();
          return one.naturalWidth;
        }))"""
    )
    assert set(pictures) == {SIZE[0]}
    amended = page.locator('[id^="e"]', has_text="blue-1 is not on the table").last
    entry = (amended.get_attribute("id") or "").removeprefix("e")
    page.get_by_role("link", name=f"entry {entry}").click()
    expect(page.locator(f"#e{entry}:target")).to_contain_text("blue-1 is not on the table")
    clip = page.locator("video").first
    clip.evaluate("one => one.play()")
    page.wait_for_function("() => document.querySelector('video').currentTime > 0.2")
    assert Axe().run(page).response["violations"] == []
    page.context.set_offline(False)
    page.close()


def prove_it(protest: Path, changed: Path) -> None:
    assert cli.run(["verify", str(protest)]) == 0
    content = bytearray(protest.read_bytes())
    content[len(content) // 2] ^= 1
    changed.write_bytes(content)
    assert cli.run(["verify", str(changed)]) == 2


# Looking


def score(tablet: Page, side: str) -> Locator:
    return tablet.locator(f'.score[data-side="{side}"]')


def overlap(one: Locator, other: Locator) -> bool:
    a, b = one.bounding_box(), other.bounding_box()
    assert a is not None
    assert b is not None
    return all(
        a[at] < b[at] + b[length] and b[at] < a[at] + a[length]
        for at, length in (("x", "width"), ("y", "height"))
    )


def decisions(store: Store) -> list[object]:
    kinds = (Reply, Overrule, Confirm, Amend)
    return [entry.body for entry in store.read(NAME)[1] if isinstance(entry.body, kinds)]


def frame_told(tablet: Page) -> int:
    """The number of the frame by the time that is told, "00:26.433"."""
    minutes, seconds = tablet.locator("#stage-time").inner_text().split(":")
    return round((60 * int(minutes) + float(seconds)) * FPS)


def picture_shown(tablet: Page) -> np.ndarray:
    coded = tablet.evaluate(
        """() => {
          const image = document.getElementById("still");
          const canvas = document.createElement("canvas");
          canvas.width = image.naturalWidth; canvas.height = image.naturalHeight;
          canvas.getContext("2d").drawImage(image, 0, 0);
          return canvas.toDataURL("image/png").split(",")[1];
        }"""
    )
    return cv2.imdecode(np.frombuffer(base64.b64decode(coded), np.uint8), cv2.IMREAD_COLOR)


def likest(shown: np.ndarray, camera: TruthCamera, number: int) -> int:
    """Which of five frames of the camera `shown` is, by where those differ."""
    numbers = range(number - 2, number + 3)
    taken = np.stack([camera.frame(n).image for n in numbers]).astype(np.float32)
    moving = np.ptp(taken, axis=0).max(axis=-1) > 40
    assert moving.any()
    off = np.abs(taken - shown.astype(np.float32))[:, moving].mean(axis=(1, 2))
    return numbers[int(off.argmin())]
