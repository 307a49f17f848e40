"""
Creates a webhook endpoint, sends a test to it, and verifies the delivery. Needs a key of scope admin.
PUBLIC_URL is the public https URL, for example of your reverse proxy. This program listens on PORT behind it.
"""

import hashlib
import hmac
import json
import os
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from botstead import call

# Only this response has the secret. A real receiver stores it like a password.
endpoint = call("POST", "/webhooks", {"url": os.environ["PUBLIC_URL"], "events": ["run.finished"]})


def is_botsteads(secret: str, headers, raw_body: bytes) -> bool:
    timestamp = headers.get("x-botstead-timestamp", "")
    if not (timestamp.isascii() and timestamp.isdecimal()) or abs(time.time() - int(timestamp)) > 300:
        return False
    expected = hmac.new(secret.encode(), f"v1:{timestamp}:".encode() + raw_body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected.encode(), headers.get("x-botstead-signature", "").encode())


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        raw_body = self.rfile.read(int(self.headers.get("content-length", 0)))  # the raw body
        genuine = is_botsteads(endpoint["secret"], self.headers, raw_body)
        if not genuine:
            print("refused: signature", flush=True)
        self.send_response(200 if genuine else 401)
        self.send_header("content-length", "0")
        self.end_headers()
        if not genuine:
            return
        event = json.loads(raw_body)
        if event["event"] == "webhook.test":
            print(f"verified: {event['event']}, delivery {event['id']}", flush=True)
            call("DELETE", f"/webhooks/{endpoint['id']}")
            threading.Thread(target=server.shutdown).start()

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8080"))), Receiver)
threading.Thread(target=call, args=("POST", f"/webhooks/{endpoint['id']}/test")).start()
server.serve_forever()
