"""Verifies and parses deliveries, for receivers."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import time
from collections.abc import Iterable, Mapping
from typing import Literal, cast

from .types import DeliveryEvent

_TOLERANCE = 300
"""Largest difference between a delivery's timestamp and this machine's clock, in seconds."""

RejectedBecause = Literal["no_secret", "body_not_raw", "headers", "signature", "timestamp", "payload"]
"""
- `no_secret`: the secret is missing or empty. Anyone could sign with an empty secret.
- `body_not_raw`: the body is not the raw body: it was parsed or changed.
- `headers`: the timestamp or the signature is missing, repeated or malformed.
- `signature`: the signature does not match: another secret, or a changed delivery.
- `timestamp`: the signature is right, but the timestamp differs by more than 300 seconds.
- `payload`: the signature is right, but the body is not a delivery.
"""

Headers = Mapping[str, str] | Iterable[tuple[str, str]]
"""Headers of a request, with names in any case."""


class DeliveryRejected(Exception):
    """A delivery to ignore. Respond with 401, for every reason."""

    def __init__(self, reason: RejectedBecause, message: str) -> None:
        super().__init__(message)
        self.reason: RejectedBecause = reason


def verify_delivery(
    raw_body: bytes | str, headers: Headers, secret: str | Iterable[str], *, now: float | None = None
) -> DeliveryEvent:
    """
    Returns the event of a delivery if its signature is right and its timestamp differs by at most 300 seconds. Compares
    in constant time. A delivery can arrive twice: compare its `id`.

    :param raw_body: the body as received, before any parsing
    :param secret: the endpoint's signing secret, whsec_…; several during a rotation
    :param now: Unix seconds; defaults to this machine's clock
    :raises DeliveryRejected: with its reason
    """
    secrets = [secret] if isinstance(secret, str) else list(secret or [])
    if not secrets or not all(isinstance(each, str) and each for each in secrets):
        raise DeliveryRejected("no_secret", "A signing secret is required.")
    if not isinstance(raw_body, (bytes, bytearray, memoryview, str)):
        raise DeliveryRejected("body_not_raw", "The body must be the raw body, not a parsed one.")
    body = raw_body.encode() if isinstance(raw_body, str) else bytes(raw_body)
    timestamp = _header(headers, "x-botstead-timestamp")
    signature = _header(headers, "x-botstead-signature")
    if not re.fullmatch(r"[0-9]{1,12}", timestamp) or not re.fullmatch(r"[0-9a-f]{64}", signature):
        raise DeliveryRejected("headers", "The headers x-botstead-timestamp and x-botstead-signature are required.")
    signed = f"v1:{timestamp}:".encode() + body
    matches = [
        hmac.compare_digest(hmac.new(each.encode(), signed, hashlib.sha256).hexdigest(), signature) for each in secrets
    ]
    if not any(matches):
        raise DeliveryRejected("signature", "The signature does not match.")
    if abs((time.time() if now is None else now) - int(timestamp)) > _TOLERANCE:
        message = "The delivery's timestamp differs from this machine's clock by more than 300 seconds."
        raise DeliveryRejected("timestamp", message)
    return _parsed(body)


def _parsed(body: bytes) -> DeliveryEvent:
    try:
        event = json.loads(body.decode("utf-8", "replace"))
        if isinstance(event["id"], str) and isinstance(event["event"], str):
            return cast(DeliveryEvent, event)
    except (ValueError, KeyError, TypeError):
        pass  # not a delivery either
    raise DeliveryRejected("payload", "The body is not a delivery.")


def _header(headers: Headers, name: str) -> str:
    """Returns "" if the header is missing or repeated."""
    pairs = headers.items() if isinstance(headers, Mapping) or hasattr(headers, "items") else headers
    values = [value for each, value in pairs if each.lower() == name]
    return values[0] if len(values) == 1 else ""
