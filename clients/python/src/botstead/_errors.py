"""The error of a call that got no successful response."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any

import httpx

from .types import RefusalDetailsItem

_WORTH_ANOTHER_TRY = frozenset({"rate_limited", "unavailable", "idempotency_in_progress", "internal"})
_GATEWAYS = frozenset({502, 503, 504})


class BotsteadError(Exception):
    """A refusal of the API, or a call without a response of the API. Decide by `code`."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: int = 0,
        request_id: str | None = None,
        details: list[RefusalDetailsItem] | None = None,
        reason: str | None = None,
        retryable: bool = False,
        retry_after: float | None = None,
        never_sent: bool = False,
    ) -> None:
        super().__init__(message)
        self.code = code
        """A code of the contract, or `network`, `timeout` or `unexpected_answer` of the client. Later versions add codes."""
        self.message = message
        self.status = status
        """0 without a response."""
        self.request_id = request_id
        """Id to quote when you contact the operator."""
        self.details: list[RefusalDetailsItem] = details or []
        """With `invalid_request`: the invalid fields. Otherwise empty."""
        self.reason = reason
        """Reason of the refusal, if `code` has several causes, for example `member_exists`."""
        self.retryable = retryable
        """
        Whether the same call may succeed later. The client has already retried where that is safe. To repeat a POST
        yourself, pass the same idempotency_key.
        """
        self.retry_after = retry_after
        """Seconds until the API accepts another attempt: the rest of the rate limit's window, otherwise Retry-After."""
        self.never_sent = never_sent
        """Whether the request certainly reached no server."""
        self.attempts = 1
        """Number of attempts."""

    def __str__(self) -> str:
        causes = [self.code, self.reason, self.request_id and f"request {self.request_id}"]
        return f"{self.message} ({', '.join(each for each in causes if each)})"


def error_of_response(status: int, headers: Mapping[str, str], text: str) -> BotsteadError:
    """From an unsuccessful response: of the API, or of a proxy in between."""
    refusal = _read_refusal(text)
    retry_after = _read_retry_after(headers.get("retry-after"))
    if refusal is None:
        return BotsteadError(
            "unexpected_answer",
            f"The response (status {status}) is not from the API.",
            status=status,
            request_id=headers.get("x-request-id"),
            retryable=status in _GATEWAYS,
            retry_after=retry_after,
        )
    if refusal["code"] == "rate_limited":
        window_rest = _read_window_rest(headers.get("ratelimit"))
        retry_after = retry_after if window_rest is None else window_rest
    details = refusal.get("details") or []
    sentences = [refusal["message"], *(f"{each['path']} {each['message']}." for each in details)]
    return BotsteadError(
        refusal["code"],
        " ".join(sentences),
        status=status,
        request_id=refusal.get("requestId") or headers.get("x-request-id"),
        details=details,
        reason=headers.get("x-botstead-reason"),
        retryable=refusal["code"] in _WORTH_ANOTHER_TRY,
        retry_after=retry_after,
    )


def error_of_transport(error: httpx.TransportError) -> BotsteadError:
    """From an error of httpx: a time-out, or the network."""
    never_sent = isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout))
    if isinstance(error, httpx.TimeoutException):
        return BotsteadError("timeout", "The request timed out.", retryable=True, never_sent=never_sent)
    message = f"The API could not be reached ({error})."
    return BotsteadError("network", message, retryable=True, never_sent=never_sent)


def _read_refusal(text: str) -> dict[str, Any] | None:
    try:
        refusal = json.loads(text)["error"]
        return refusal if isinstance(refusal["code"], str) and isinstance(refusal["message"], str) else None
    except (ValueError, KeyError, TypeError):
        return None


def _read_retry_after(value: str | None) -> float | None:
    """Seconds or a date. (RFC 9110, 10.2.3.)"""
    if value is None:
        return None
    if value.isascii() and value.isdecimal():
        return float(value)
    try:
        return max(parsedate_to_datetime(value).timestamp() - time.time(), 0.0)
    except ValueError:
        return None


def _read_window_rest(value: str | None) -> float | None:
    """The longest `t` of RateLimit: Retry-After of a refusal is always 60 seconds, and a window may end sooner."""
    rests = re.findall(r";\s*t=([0-9]+)", value or "")
    return max((float(each) for each in rests), default=None)
