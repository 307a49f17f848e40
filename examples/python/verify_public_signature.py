"""
Verifies a delivery by the public keys of the installation, without the secret of the endpoint. Needs the package cryptography.

  verify_public_signature.py ORGANISATION_ID KEYS.json HEADERS.json < BODY
      KEYS: /.well-known/webhooks.json of the API. HEADERS: an object of the headers, with lower-case names.
"""

import base64
import json
import sys
import time


def is_for(organisation_id: str, keys: list[dict], headers: dict[str, str], raw_body: bytes) -> bool:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    timestamp = headers.get("webhook-timestamp", "")
    if not (timestamp.isascii() and timestamp.isdecimal()) or abs(time.time() - int(timestamp)) > 300:
        return False
    content = f"{headers.get('webhook-id', '')}.{timestamp}.".encode() + raw_body
    sent = headers.get("webhook-signature", "").split(" ")
    signatures = [base64.b64decode(each[4:]) for each in sent if each.startswith("v1a,")]
    for key in (each for each in keys if each.get("crv") == "Ed25519"):
        public_key = Ed25519PublicKey.from_public_bytes(base64.urlsafe_b64decode(key["x"] + "="))
        for signature in signatures:
            try:
                public_key.verify(signature, content)
                return json.loads(raw_body)["organisationId"] == organisation_id
            except InvalidSignature:
                pass
    return False


def main() -> None:
    if len(sys.argv) != 4:
        print("usage: verify_public_signature.py ORGANISATION_ID KEYS.json HEADERS.json < BODY", file=sys.stderr)
        sys.exit(2)
    with open(sys.argv[2]) as keys, open(sys.argv[3]) as headers:
        is_ours = is_for(sys.argv[1], json.load(keys)["keys"], json.load(headers), sys.stdin.buffer.read())
    print("genuine" if is_ours else "refused")
    sys.exit(0 if is_ours else 1)


if __name__ == "__main__":
    main()
