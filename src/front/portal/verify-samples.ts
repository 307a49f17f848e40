/** Code that verifies a delivery, as in examples/python/webhook.py and examples/curl/verify-delivery.sh. */
export const samples: [language: string, text: string][] = [
  [
    "TypeScript",
    `import { Webhook } from "standardwebhooks"; // npm install standardwebhooks

const event = new Webhook(signingSecret).verify(rawBody, headers); // throws if the signature is wrong`,
  ],
  [
    "Python",
    `import hashlib
import hmac
import time


def is_botsteads(secret: str, headers: dict[str, str], raw_body: bytes) -> bool:
    timestamp = headers.get("x-botstead-timestamp", "")
    if not (timestamp.isascii() and timestamp.isdecimal()) or abs(time.time() - int(timestamp)) > 300:
        return False
    expected = hmac.new(secret.encode(), f"v1:{timestamp}:".encode() + raw_body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected.encode(), headers.get("x-botstead-signature", "").encode())`,
  ],
  [
    "Shell",
    `# For a check by hand: body.json has the raw body, TIMESTAMP and SIGNATURE the headers X-Botstead-Timestamp and X-Botstead-Signature.
expected=$({ printf 'v1:%s:' "$TIMESTAMP"; cat body.json; } | openssl dgst -sha256 -hmac "$SECRET" -r | cut -d ' ' -f 1)
[ "$expected" = "$SIGNATURE" ] && echo verified`,
  ],
];
