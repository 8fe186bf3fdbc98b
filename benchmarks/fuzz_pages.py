"""Sends the page's server requests that make no sense, and counts what it must never do.

    python benchmarks/fuzz_pages.py [--requests 20000] [--seed 1]

Every route gets damaged paths, queries, headers, cookies and bodies, as nobody, as a viewer and as
a referee in turn; some bodies are as large as may be sent. Counted: answers of 500, answers that
took more than 1 s (and the most processor time that any took, which other programs on the machine
have no part in), and how much larger the process has become since the first tenth of the requests.
"""

import argparse
import json
import random
import resource
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support")]

from testkit.door import WRITES, client_of  # noqa: E402
from testkit.fake_study import FakeStudy  # noqa: E402
from testkit.played import NAME, play  # noqa: E402
from testkit.sample_match import question_ruling, sample_desk  # noqa: E402

from sightline.review.library import LogLibrary  # noqa: E402
from web import create_app  # noqa: E402
from web.access import Access, Role  # noqa: E402

ODD = (
    "", "0", "-1", "1e9", "nan", "Infinity", "\x00", "%00", "../../etc/passwd", "’", "\ud800",
    "a" * 5000, "null", "true", "[]", "{}", "9" * 400, "s47-rest.jpg", NAME, "47/QS-8a.4/0",
)  # fmt: skip
KEYS = (
    "key", "seen", "boot", "by", "overrule", "reply", "withdraw", "strike", "amend", "insert",
    "what", "side", "value", "ruling", "mark", "question", "answer", "seq", "after", "fact",
    "reason", "role", "minutes", "pin", "secret", "name", "pieces", "at_ms", "at", "piece",
)  # fmt: skip


def value(chance: random.Random, depth: int = 0) -> object:
    kind = chance.randrange(8 if depth < 4 else 5)
    if kind == 0:
        return chance.choice(ODD)
    if kind == 1:
        return chance.choice((0, 1, 5, 47, -3, 2**60, 0.5, 1e308, True, None))
    if kind == 2:
        return "0123456789abcdef"
    if kind in (3, 4):
        return chance.choice(("contacted", "settled", "pocketed", "viewer", "S", "miscue"))
    if kind == 5:
        return [value(chance, depth + 1) for _ in range(chance.randrange(4))]
    return body(chance, depth + 1)


def body(chance: random.Random, depth: int = 0) -> dict[str, object]:
    made = {chance.choice(KEYS): value(chance, depth) for _ in range(chance.randrange(5))}
    if depth == 0 and chance.random() < 0.7:
        made.update(key="0123456789abcdef", seen=chance.choice((5, 6, 0, 99)))
    return made


def content(chance: random.Random) -> bytes:
    text = json.dumps(body(chance)).encode("utf-8", "surrogatepass")
    kind = chance.randrange(6)
    if kind == 0 and text:
        cut = chance.randrange(len(text))
        return text[:cut]
    if kind == 1:
        return bytes(chance.randrange(256) for _ in range(chance.randrange(60)))
    if kind == 2:
        return b"[" * chance.choice((10, 2000, 60000))
    if kind == 3 and chance.random() < 0.05:
        return large(chance)
    return text


def large(chance: random.Random) -> bytes:
    """A decision that is as large as the server lets through: a board of pieces, a path, words."""
    piece = {"name": "p", "kind": "puck", "colour": "red", "at": [0.5, 0.5]}
    many = chance.choice((100, 900, 12_000))
    facts: tuple[dict[str, object], ...] = (
        {
            "fact": "settled",
            "at_ms": 1,
            "pieces": [{**piece, "name": f"p{n}"} for n in range(many)],
        },
        {"fact": "travelled", "at_ms": 1, "piece": "p", "path": [[n, n] for n in range(4 * many)]},
        {"fact": "unclear", "at_ms": 1, "words": "x" * 60 * many},
    )
    tap = {
        "key": "0123456789abcdef",
        "seen": 6,
        "insert": {"after": 0, "fact": chance.choice(facts)},
    }
    return json.dumps(tap).encode()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    wishes = parser.parse_args()
    chance = random.Random(wishes.seed)
    folder = tempfile.TemporaryDirectory(prefix="sightline-fuzz-")
    store = play(Path(folder.name) / "matches.db")
    desk = sample_desk()
    desk.rule(question_ruling(), evidence=("s60-hole.jpg",))
    access = Access(slowness=2)
    app = create_app(
        desk, access=access, study=FakeStudy(), library=LogLibrary(store), max_streams=2
    )
    clients = [client_of(app, access, role) for role in (None, Role.VIEWER, Role.REFEREE)]
    routes = [
        (rule.rule, sorted((rule.methods or set()) - {"OPTIONS"}))
        for rule in app.url_map.iter_rules()
        if rule.endpoint not in {"feed.stream", "door.leave", "review.protest"}
    ]
    statuses: Counter[int] = Counter()
    slow = 0
    slowest = dearest = (0.0, "")
    first_kb = 0
    began = time.perf_counter()
    for number in range(wishes.requests):
        rule, methods = chance.choice(routes)
        path = rule
        while "<" in path:
            start, _, rest = path.partition("<")
            path = start + str(chance.choice(ODD)).replace("\ud800", "") + rest.partition(">")[2]
        query = {chance.choice((*KEYS, "match", "n", "x1", "z", "lang")): chance.choice(ODD)}
        if "review" in rule and chance.random() < 0.7:
            query["match"] = NAME
        query = {k: v.replace("\ud800", "") for k, v in query.items()}
        headers = dict(WRITES) if chance.random() < 0.8 else {}
        if chance.random() < 0.1:
            headers[chance.choice(("Host", "Origin", "Accept", "Cookie"))] = chance.choice(
                ("evil.example", "null", "text/html", "x=y", "localhost", "[::1", "a" * 900)
            )
        since, worked = time.perf_counter(), time.thread_time()
        answer = chance.choice(clients).open(
            path, method=chance.choice(methods), query_string=query, headers=headers,
            data=content(chance) if "POST" in methods else None,
        )  # fmt: skip
        statuses[answer.status_code] += 1
        answer.close()
        took = time.perf_counter() - since
        slow += took > 1.0
        slowest = max(slowest, (took, path))
        dearest = max(dearest, (time.thread_time() - worked, path))
        if number == wishes.requests // 10:
            first_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / first_kb - 1
    each_ms = 1000 * (time.perf_counter() - began) / wishes.requests
    print(f"{wishes.requests} requests, {each_ms:.2f} ms each: {dict(sorted(statuses.items()))}")
    print(f"answers of 500: {sum(n for status, n in statuses.items() if status >= 500)}")
    print(f"over 1 s: {slow}; slowest {slowest[0] * 1000:.0f} ms ({slowest[1][:60]})")
    print(f"most processor time {dearest[0] * 1000:.0f} ms ({dearest[1][:60]})")
    print(f"memory grew by {100 * grown:.1f} % after the first tenth")
    store.close()
    folder.cleanup()


if __name__ == "__main__":
    main()
