"""A protest file proves itself: a flipped bit, a foreign part, a false ruling: all are found."""

import json
import random
import re
import zipfile
from pathlib import Path

import pytest
from testkit.logs import HAND, POCKETED, lying
from testkit.sample_match import sample_board, sample_evidence
from testkit.toy import SETUP, Toy

from rules.decisions import Overrule
from rules.engine import replay
from rules.game import Entry, Setup
from rules.rulings import RulingId
from sightline import games, protest
from sightline.cli import run
from sightline.evidence import EvidenceFolder
from sightline.log import Draft, MatchHeader, Store
from sightline.protest import NotWhole, verify_protest, write_protest


@pytest.fixture(autouse=True)
def toy_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    known = games.game_called
    monkeypatch.setattr(
        protest, "game_called", lambda name: Toy() if name == SETUP.game else known(name)
    )


@pytest.fixture
def evidence(tmp_path: Path) -> EvidenceFolder:
    return EvidenceFolder(tmp_path / "files")


@pytest.fixture
def header() -> MatchHeader:
    return MatchHeader(name="final <b>7</b>", setup=SETUP, started="2026-11-21T19:00:00+00:00")


def entries(evidence: EvidenceFolder) -> tuple[Entry, ...]:
    picture = evidence.put(sample_evidence()["s47-rest.jpg"])
    bodies = (POCKETED, lying(3), HAND, POCKETED)
    log = [Entry(seq=n, at_ms=n * 1000.0, body=b) for n, b in enumerate(bodies, 1)]
    log[1] = Entry(seq=2, at_ms=2000, body=lying(3), evidence=(picture, "0" * 20 + ".jpg"))
    judged = replay(Toy(), SETUP, log).steps[0]
    waived = Overrule(ruling=RulingId(1, judged.rulings[0].code), was=judged.judged[0])
    return (*log, Entry(seq=5, at_ms=5000, body=waived))


@pytest.fixture
def file(tmp_path: Path, header: MatchHeader, evidence: EvidenceFolder) -> Path:
    clip = tmp_path / "clip.mp4"
    clip.write_bytes(b"not really a film" * 10)
    path = tmp_path / "protest.zip"
    write_protest(path, header, entries(evidence), evidence, {"e2.mp4": clip})
    return path


def changed(file: Path, name: str, content: bytes | None, folder: Path) -> Path:
    """The same zip with one part replaced, left out, or added."""
    target = folder / "changed.zip"
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(target, "w") as new:
        names = old.namelist()
        for each in names:
            if each != name:
                new.writestr(each, old.read(each))
            elif content is not None:
                new.writestr(each, content)
        if name not in names and content is not None:
            new.writestr(name, content)
    return target


def test_a_protest_file_is_whole_and_says_what_it_holds(file: Path) -> None:
    found = verify_protest(file)
    assert (found.match, found.entries, found.pictures, found.clips) == ("final <b>7</b>", 5, 1, 1)
    assert found.missing == ("0" * 20 + ".jpg",)
    assert found.strays == ()
    assert found.rulings > 0


def test_the_same_match_gives_the_same_bytes(
    file: Path, tmp_path: Path, header: MatchHeader, evidence: EvidenceFolder
) -> None:
    again = tmp_path / "again.zip"
    write_protest(again, header, entries(evidence), evidence, {"e2.mp4": tmp_path / "clip.mp4"})
    assert again.read_bytes() == file.read_bytes()


def test_every_flipped_bit_is_found(file: Path, tmp_path: Path) -> None:
    whole = file.read_bytes()
    tables = whole.index(b"PK\x01\x02")
    chance = random.Random(7)
    places = [chance.randrange(len(whole)) for _ in range(60)]
    places += [chance.randrange(tables, len(whole)) for _ in range(60)]
    damaged = tmp_path / "damaged.zip"
    missed = []
    for place in places:
        bit = chance.randrange(8)
        damaged.write_bytes(whole[:place] + bytes([whole[place] ^ 1 << bit]) + whole[place + 1 :])
        try:
            verify_protest(damaged)
            missed.append((place, bit))
        except NotWhole:
            pass
    assert missed == []


def test_bytes_cut_off_or_added_are_found(file: Path, tmp_path: Path) -> None:
    whole = file.read_bytes()
    other = tmp_path / "other.zip"
    for content in (whole[:-1], whole[: len(whole) // 2], whole + b"x", b"x" + whole, b"", b"PK"):
        other.write_bytes(content)
        with pytest.raises(NotWhole):
            verify_protest(other)


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("match.jsonl", b"{}\n", "match.jsonl is not as it was written"),
        ("rulings.jsonl", None, "rulings.jsonl is missing"),
        ("manifest.json", None, "no manifest.json"),
        ("manifest.json", b"[]", "no protest file"),
        ("manifest.json", b'{"sightline": "protest", "version": 99}', "another version"),
        ("extra.txt", b"x", "extra.txt is not in the manifest"),
        ("../../evil", b"x", "does not belong"),
        ("pictures/../evil", b"x", "does not belong"),
        ("/etc/passwd", b"x", "does not belong"),
    ],
)
def test_a_part_that_is_changed_missing_or_foreign_is_named(
    file: Path, tmp_path: Path, name: str, content: bytes | None, told: str
) -> None:
    with pytest.raises(NotWhole, match=told):
        verify_protest(changed(file, name, content, tmp_path))


def test_rulings_that_do_not_follow_from_the_facts_are_found_though_all_hashes_fit(
    tmp_path: Path, header: MatchHeader, evidence: EvidenceFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forged(record: object) -> str:
        lines = [json.loads(line) for line in honest(record).splitlines()]
        lines[0]["rulings"][0]["words"] = "Everything was fine."
        return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)

    honest = protest.rulings_text
    path = tmp_path / "forged.zip"
    with monkeypatch.context() as forging:
        forging.setattr(protest, "rulings_text", forged)
        write_protest(path, header, entries(evidence), evidence)
    assert verify_protest(path).strays == (1,)


def test_the_page_needs_nothing_but_the_files_beside_it(file: Path) -> None:
    with zipfile.ZipFile(file) as archive:
        page = archive.read("index.html").decode()
        names = set(archive.namelist())
    assert "final &lt;b&gt;7&lt;/b&gt;" in page
    assert "<script" not in page
    sources = set(re.findall(r'(?:src|href)="([^"#]+)"', page))
    assert sources - {"style.css"} == {n for n in names if n.startswith(("pictures/", "clips/"))}
    assert page.count('class="ruling overruled"') == 1


def test_the_commands_write_and_verify(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    setup = Setup(game="qsquare", board=sample_board())
    db = tmp_path / "matches.db"
    with Store(db) as store:
        log = store.create(MatchHeader(name="m1", setup=setup, started="2026-11-21T19:00:00+00:00"))
        log.append([Draft(at_ms=1, body=HAND)])
        log.close()
    path = tmp_path / "m1.zip"
    assert run(["protest", "m1", "--db", str(db), "-o", str(path)]) == 0
    assert run(["verify", str(path)]) == 0
    assert "its facts give its rulings" in capsys.readouterr().out
    path.write_bytes(path.read_bytes()[:-3])
    assert run(["verify", str(path)]) == 2
    assert "not a whole zip" in capsys.readouterr().err
