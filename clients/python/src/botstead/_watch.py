"""Reads a stream of server-sent events to its end. Each new connection continues after the last event received."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx

from ._errors import BotsteadError, error_of_response, error_of_transport
from ._retry import Retry

_LAST = "end"
"""The API sends this event last."""


@dataclass
class _Place:
    """State across connections: where the next one continues, and when."""

    after: int | None
    pause: float = 2.0
    failures: int = 0


def watch(
    http: httpx.Client, url: str, headers: dict[str, str], timeout: float, retry: Retry, after: int | None
) -> Iterator[dict[str, Any]]:
    """
    :param timeout: longest time without data, in seconds; the time in which the caller handles an event does not count
    :raises BotsteadError: after too many connections in a row that delivered nothing
    """
    place = _Place(after)
    while True:
        try:
            for event in _connect(http, url, headers, timeout, place):
                place.after = event.get("id", place.after)
                yield event
                if event["event"] == _LAST:
                    return
            delay = place.pause  # the API closes each stream after some minutes
        except BotsteadError as error:
            place.failures += 1
            error.attempts = place.failures
            again = retry.delay_after(error, "GET", place.failures)
            if again is None:
                raise
            delay = again
        time.sleep(delay)


def _connect(
    http: httpx.Client, url: str, headers: dict[str, str], timeout: float, place: _Place
) -> Iterator[dict[str, Any]]:
    """Reads one connection. httpx counts the time-out only while it waits for data."""
    if place.after is not None:
        headers = {**headers, "last-event-id": str(place.after)}
    request = http.build_request("GET", url, headers=headers, timeout=timeout)
    try:
        response = http.send(request, stream=True, follow_redirects=False)
        try:
            if not response.headers.get("content-type", "").startswith("text/event-stream"):
                text = response.read().decode("utf-8", "replace")
                raise error_of_response(response.status_code, response.headers, text)
            yield from _events(response, place)
        finally:
            response.close()  # also if the caller stops iterating
    except httpx.TransportError as error:
        raise error_of_transport(error) from error


def _events(response: httpx.Response, place: _Place) -> Iterator[dict[str, Any]]:
    """
    Parses the stream. Reads lines from bytes, because `iter_lines` of httpx also splits at other characters, which JSON
    can contain.
    """
    fields: dict[str, str] = {}
    rest = b""
    received = False
    for part in response.iter_bytes():
        received = True
        place.failures = 0  # long runs need many connections and may be silent; only those without data are failures
        *lines, rest = (rest + part).split(b"\n")
        for line in lines:
            name, _, value = line.decode("utf-8", "replace").removesuffix("\r").partition(":")
            if name == "retry" and value.strip().isdecimal():
                place.pause = int(value) / 1000
            elif name:
                value = value.removeprefix(" ")
                fields[name] = f"{fields['data']}\n{value}" if name == "data" and "data" in fields else value
            elif line in (b"", b"\r"):
                if fields.get("event") and "data" in fields:
                    number = {"id": int(fields["id"])} if fields.get("id") else {}  # a delta has none
                    yield {**number, "event": fields["event"], "data": json.loads(fields["data"])}
                fields = {}
    if not received:
        raise BotsteadError("network", "The stream ended without data.", retryable=True)
