"""A page's event stream, read as a program."""

import http.client
import json
from collections.abc import Iterator
from typing import Self


class EventStream:
    """One open stream; `status` is what the server said to it."""

    def __init__(self, port: int, have: str | None = None) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        headers = {} if have is None else {"Last-Event-ID": have}
        self._connection.request("GET", "/events", headers=headers)
        self._answer = self._connection.getresponse()
        self.status = self._answer.status

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[dict]:
        """Yield the events until the server hangs up."""
        event: dict[str, str] = {}
        while line := self._answer.readline().decode():
            if line != "\n":
                name, value = line.rstrip("\n").split(": ", 1)
                event[name] = value
            elif "data" in event:
                said = {"name": event["event"], "id": event.get("id")}
                yield {**said, **json.loads(event["data"])}
                event = {}

    def close(self) -> None:
        self._answer.close()
        self._connection.close()
