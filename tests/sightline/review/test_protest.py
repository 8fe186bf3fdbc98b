"""A protest file proves itself: a flipped bit, a foreign part, a false ruling: all are found."""

import hashlib
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
from sightline import games
from sightline.cli import run
from sightline.match_log.evidence import EvidenceFolder
from sightline.match_log.log import Draft, MatchHeader, Store
from sightline.review import protest
from sightline.review.protest import NotWhole, verify_protest, write_protest


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


def rehashed(file: Path, name: str, content: bytes, folder: Path) -> Path:
    """The same file with one part changed, and its hash in the manifest, and the zip built anew."""
    target = folder / "rehashed.zip"
    with zipfile.ZipFile(file) as old:
        parts = {each: old.read(each) for each in old.namelist()}
    parts[name] = content
    manifest = json.loads(parts.pop("manifest.json"))
    manifest["sha256"] = {n: hashlib.sha256(part).hexdigest() for n, part in sorted(parts.items())}
    parts["manifest.json"] = (json.dumps(manifest, ensure_ascii=False, indent=1) + "\n").encode()
    protest._build(target, parts)
    return target


@pytest.mark.parametrize(
    ("name", "was", "now"),
    [
        ("index.html", b'class="ruling overruled"', b'class="ruling note"'),
        ("index.html", b"</h1>", b"</h1><p>Ann wins.</p>"),
        ("index.html", b'<html lang="en">', b'<html lang="de">'),
        ("style.css", b".ruling {", b".overruled { display: none } .ruling {"),
    ],
    ids=["a ruling", "a sentence more", "the language", "the style"],
)
def test_a_page_that_does_not_say_what_the_log_says_is_found_though_all_hashes_fit(
    file: Path, tmp_path: Path, name: str, was: bytes, now: bytes
) -> None:
    with zipfile.ZipFile(file) as archive:
        content = archive.read(name)
    assert was in content
    assert verify_protest(rehashed(file, name, content, tmp_path)).page_told
    forged = rehashed(file, name, content.replace(was, now), tmp_path)
    assert not verify_protest(forged).page_told
    assert run(["verify", str(forged)]) == 2


def test_verify_says_that_a_page_cannot_be_gone_by(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["verify", str(file)]) == 0
    assert "its page says what its log says" in capsys.readouterr().out
    assert run(["verify", str(rehashed(file, "index.html", b"<p>Ann wins.", tmp_path))]) == 2
    assert "index.html is not the page" in capsys.readouterr().err


def test_a_picture_put_in_the_place_of_the_one_that_the_log_names_is_found(
    file: Path, tmp_path: Path
) -> None:
    with zipfile.ZipFile(file) as archive:
        [picture] = [name for name in archive.namelist() if name.startswith("pictures/")]
    with pytest.raises(NotWhole, match="not the picture that the log names"):
        verify_protest(rehashed(file, picture, b"another picture", tmp_path))
    with pytest.raises(NotWhole, match="does not belong"):
        verify_protest(rehashed(file, "pictures/more.jpg", b"another picture", tmp_path))
    with pytest.raises(NotWhole, match="does not belong"):
        verify_protest(rehashed(file, "index2.html", b"<p>Ann wins.", tmp_path))


@pytest.mark.parametrize(
    ("language", "told"), [("de", "Entscheide des Schiedsrichters"), ("fr", "le 2026-11-21 19:00")]
)
def test_the_page_is_in_the_language_asked_for_and_log_and_rulings_have_none(
    file: Path,
    tmp_path: Path,
    header: MatchHeader,
    evidence: EvidenceFolder,
    language: str,
    told: str,
) -> None:
    path = tmp_path / f"{language}.zip"
    clips = {"e2.mp4": tmp_path / "clip.mp4"}
    write_protest(path, header, entries(evidence), evidence, clips, language)
    with zipfile.ZipFile(path) as other, zipfile.ZipFile(file) as english:
        page = other.read("index.html").decode()
        for name in ("match.jsonl", "rulings.jsonl"):
            assert other.read(name) == english.read(name)
    assert f'<html lang="{language}">' in page
    assert told in page
    assert "Decisions of the referee" not in page
    assert verify_protest(path).page_told


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
