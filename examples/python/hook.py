"""Creates a hook, posts to it as another system would, and deletes it. Needs a key of scope admin."""

import hashlib
import hmac
import json
import sys
import time
import urllib.request
from urllib.parse import urljoin

from botstead import URL, arguments, call, rows

body = arguments("hook.py MESSAGE", 1)[0].encode()

bot = next(rows("/bots", limit=1), None)
if bot is None:
    sys.exit("There is no bot yet. Create one with POST /bots.")
hook = call("POST", "/hooks", {"botId": bot["id"], "name": "Alerts"})

# The other system's part: no key, but a signature over the time and the raw body, and a delivery id of its own.
timestamp = str(int(time.time()))
signed = b"v1:" + timestamp.encode() + b":" + body
headers = {
    "content-type": "text/plain",
    "x-botstead-timestamp": timestamp,
    "x-botstead-signature": hmac.new(hook["secret"].encode(), signed, hashlib.sha256).hexdigest(),
    "x-botstead-delivery": "alert-17",  # the same at each retry, so that it starts only one run
}
request = urllib.request.Request(urljoin(URL, hook["path"]), body, headers, method="POST")
with urllib.request.urlopen(request, timeout=30) as answer:
    run = call("GET", f"/runs/{json.load(answer)['runId']}")
print(f"started: {run['id']}, trigger {run['trigger']}")
call("DELETE", f"/hooks/{hook['id']}")
