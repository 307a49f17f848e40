"""
Retries: a request is sent again only if it cannot take effect twice.

- GET changes nothing.
- POST has an Idempotency-Key: the API does not perform it twice.
- PATCH and DELETE have no such key. They are retried only if it is certain that the API did not perform them.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from ._errors import BotsteadError


@dataclass(frozen=True)
class Retry:
    """When and how often the client retries. Times are seconds."""

    max_retries: int
    backoff: float
    max_delay: float

    def delay_after(self, error: BotsteadError, method: str, attempt: int) -> float | None:
        """Returns the delay, or None for no retry. `attempt` is the number of the failed attempt, from 1."""
        if attempt > self.max_retries or not _may_be_sent_again(error, method):
            return None
        if error.retry_after is not None:
            if error.retry_after > self.max_delay:
                return None
            return error.retry_after * (1 + random.random() / 10)
        longest: float = min(self.backoff * 2 ** (attempt - 1), self.max_delay)
        return longest * (0.5 + random.random() / 2)


def _may_be_sent_again(error: BotsteadError, method: str) -> bool:
    # An internal error would most likely recur.
    if not error.retryable or error.code == "internal":
        return False
    return method in ("GET", "POST") or error.code == "rate_limited" or error.never_sent
