"""A client in 80 lines with Python's standard library, to copy and adapt."""

import json
import os
import re
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

URL = os.environ.get("BOTSTEAD_URL", "http://127.0.0.1:3000") + "/api/v1"
KEY = os.environ.get("BOTSTEAD_KEY", "")


def arguments(usage: str, count: int = 0) -> list[str]:
    """The program's arguments. Without a key or with fewer than `count`, it ends with one line of usage."""
    given = sys.argv[1:]
    if KEY and len(given) >= count:
        return given
    print(f"usage: BOTSTEAD_KEY=bsk_… {usage}", file=sys.stderr)
    sys.exit(2)


class BotsteadError(Exception):
    """A refusal: its status, the API's code, and the invalid fields."""

    def __init__(self, status: int, error: dict):
        super().__init__(f"{status} {error['code']}: {error['message']}")
        self.status = status
        self.code = error["code"]
        self.request_id = error["requestId"]
        self.details = error.get("details", [])


def call(method: str, path: str, body: dict | None = None, key: str = KEY, **query) -> dict:
    """Makes one call. Retries a GET, or a POST with the same Idempotency-Key."""
    address = URL + path + ("?" + urllib.parse.urlencode(query) if query else "")
    headers = {"authorization": f"Bearer {key}", "accept": "application/json"}
    data = None
    if body is not None:
        data = json.dumps(body).encode()
        headers["content-type"] = "application/json"
    if method == "POST":
        headers["idempotency-key"] = str(uuid.uuid4())
    for attempt in range(4):
        last = attempt == 3 or method not in ("GET", "POST")
        request = urllib.request.Request(address, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as refused:
            error = json.load(refused)["error"]
            if last or error["code"] not in ("rate_limited", "unavailable", "idempotency_in_progress"):
                raise BotsteadError(refused.code, error) from None
            # After rate_limited, RateLimit has the rest of the window: "key";r=0;t=12
            window = re.search(r";t=(\d+)", refused.headers.get("ratelimit", ""))
            limited = window and error["code"] == "rate_limited"
            time.sleep(float(window[1] if limited else refused.headers.get("retry-after", 2**attempt / 4)))
        except OSError:  # the network, or no answer in time
            if last:
                raise
            time.sleep(2**attempt / 4)
    raise AssertionError("the last attempt returns or raises")


def rows(path: str, **query):
    """Yields all rows of a list, newest first. Fetches each page when the caller reaches its first row."""
    while True:
        page = call("GET", path, **query)
        yield from page["data"]
        if page["nextCursor"] is None:
            return
        query["cursor"] = page["nextCursor"]
