"""
Listens on PORT and verifies deliveries. On your own machine, SECRET is the secret that `npx botstead listen` prints.
With PUBLIC_URL, an https URL that leads to PORT, it creates an endpoint and sends a test. Needs a key of scope admin.
"""

import hashlib
import hmac
import json
import os
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from botstead import KEY, call

SECRET, PUBLIC_URL = os.environ.get("SECRET", ""), os.environ.get("PUBLIC_URL", "")
if not SECRET and not (KEY and PUBLIC_URL):
    print("usage: SECRET=whsec_… webhook.py, or BOTSTEAD_KEY=bsk_… PUBLIC_URL=https://… webhook.py", file=sys.stderr)
    sys.exit(2)

# Only the response to POST /webhooks has the secret. A real receiver stores it like a password.
endpoint = None if SECRET else call("POST", "/webhooks", {"url": PUBLIC_URL, "events": ["run.finished"]})
secret = endpoint["secret"] if endpoint else SECRET


def is_botsteads(secret: str, headers, raw_body: bytes) -> bool:
    timestamp = headers.get("x-botstead-timestamp", "")
    if not (timestamp.isascii() and timestamp.isdecimal()) or abs(time.time() - int(timestamp)) > 300:
        return False
    expected = hmac.new(secret.encode(), f"v1:{timestamp}:".encode() + raw_body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected.encode(), headers.get("x-botstead-signature", "").encode())


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        raw_body = self.rfile.read(int(self.headers.get("content-length", 0)))  # the raw body
        genuine = is_botsteads(secret, self.headers, raw_body)
        if not genuine:
            print("refused: signature", flush=True)
        self.send_response(200 if genuine else 401)
        self.send_header("content-length", "0")
        self.end_headers()
        if not genuine:
            return
        event = json.loads(raw_body)
        print(f"verified: {event['event']}, delivery {event['id']}", flush=True)
        if endpoint and event["event"] == "webhook.test":
            call("DELETE", f"/webhooks/{endpoint['id']}")
            threading.Thread(target=server.shutdown).start()

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8080"))), Receiver)
if endpoint:
    threading.Thread(target=call, args=("POST", f"/webhooks/{endpoint['id']}/test")).start()
server.serve_forever()
