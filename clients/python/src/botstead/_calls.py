"""Sends calls, with retries."""

from __future__ import annotations

import json
import re
import time
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar
from urllib.parse import quote, urlencode, urlsplit

import httpx

from ._errors import BotsteadError, error_of_response, error_of_transport
from ._listing import Listing
from ._retry import Retry
from ._watch import watch

Body = TypeVar("Body")


@dataclass(frozen=True)
class Response(Generic[Body]):
    """A successful response."""

    status: int
    body: Body
    headers: httpx.Headers
    request_id: str | None
    etag: str | None
    """The revision of a resource that PATCH changes, for `if_match`."""
    replayed: bool
    """True if the API replayed the response of an earlier request with the same Idempotency-Key."""


class Calls:
    """A connection to the API with a key. Threads can share it."""

    def __init__(
        self,
        base_url: str,
        key: str,
        *,
        timeout: float = 30.0,
        max_retries: int = 3,
        backoff: float = 0.25,
        max_delay: float = 60.0,
        http_client: httpx.Client | None = None,
    ) -> None:
        """
        :param base_url: for example https://botstead.example.com, with or without /api/v1
        :param key: a key of an organisation (bsk_…), or an operator's platform key (bsp_…)
        :param timeout: longest time without progress of an attempt, in seconds
        :param max_retries: maximum number of retries after the first attempt
        :param backoff: delay before the first retry, in seconds; each retry doubles it, and jitter subtracts up to half
        :param max_delay: longest delay before a retry, including a delay by RateLimit or Retry-After, in seconds
        :param http_client: replaces the client's own, for example to use a proxy; the caller closes it
        :raises ValueError: if base_url is no http(s) URL or the key is empty
        """
        if not key:
            raise ValueError("An API key is required: bsk_… or bsp_….")
        self._root = _root_of(base_url)
        self._key = key
        self._timeout = timeout
        self._retry = Retry(max_retries, backoff, max_delay)
        self._owns_http = http_client is None
        self._http = http_client or httpx.Client()

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        idempotency_key: str | None = None,
        if_match: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Response[Any]:
        """
        Any call by its method and path, such as `/runs/019aa0e4-…`. Returns also the status, headers, ETag and request id.

        :param if_match: the `etag` of a response. If the resource has changed since, nothing is changed, and the error is
            `conflict` with the reason `revision_changed`.
        :raises BotsteadError: after the last attempt
        """
        headers = self._headers("application/json")
        content = None
        if body is not None:
            content = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
            headers["content-type"] = "application/json"
        if method == "POST":
            headers["idempotency-key"] = idempotency_key or str(uuid.uuid4())
        if if_match is not None:
            headers["if-match"] = if_match
        request = self._http.build_request(
            method,
            self._root + path + _query_of(query),
            content=content,
            headers=headers,
            timeout=self._timeout if timeout is None else timeout,
        )
        retry = self._retry_of(max_retries)
        attempt = 1
        while True:
            try:
                return self._once(request)
            except BotsteadError as error:
                error.attempts = attempt
                delay = retry.delay_after(error, method, attempt)
                if delay is None:
                    raise
            time.sleep(delay)
            attempt += 1

    def _once(self, request: httpx.Request) -> Response[Any]:
        try:
            # The API never redirects, and the key must not reach another host.
            response = self._http.send(request, follow_redirects=False)
        except httpx.TransportError as error:
            raise error_of_transport(error) from error
        text = response.content.decode("utf-8", "replace")
        if not response.is_success:
            raise error_of_response(response.status_code, response.headers, text)
        try:
            body = json.loads(text)
        except ValueError:
            raise error_of_response(response.status_code, response.headers, text) from None
        return Response(
            status=response.status_code,
            body=body,
            headers=response.headers,
            request_id=response.headers.get("x-request-id"),
            etag=response.headers.get("etag"),
            replayed=response.headers.get("idempotent-replayed") == "true",
        )

    def _call(
        self, method: str, template: str, *, path: Mapping[str, str] | None = None, **options: Any
    ) -> Any:
        return self.request(method, _path_of(template, path or {}), **options).body

    def _list(
        self, template: str, *, path: Mapping[str, str] | None = None, query: Mapping[str, Any] | None = None, **options: Any
    ) -> Listing[Any, Any]:
        filled = _path_of(template, path or {})
        given = dict(query or {})

        def fetch(cursor: str | None) -> dict[str, Any]:
            page: dict[str, Any] = self.request("GET", filled, query={**given, "cursor": cursor}, **options).body
            return page

        return Listing(fetch, given.get("cursor"))

    def _watch(
        self,
        template: str,
        *,
        path: Mapping[str, str],
        query: Mapping[str, Any] | None = None,
        after: int | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Iterator[Any]:
        url = self._root + _path_of(template, path) + _query_of(query)
        return watch(
            self._http,
            url,
            self._headers("text/event-stream"),
            self._timeout if timeout is None else timeout,
            self._retry_of(max_retries),
            after,
        )

    def _headers(self, accept: str) -> dict[str, str]:
        return {"authorization": f"Bearer {self._key}", "accept": accept}

    def _retry_of(self, max_retries: int | None) -> Retry:
        return self._retry if max_retries is None else replace(self._retry, max_retries=max_retries)


def _root_of(base_url: str) -> str:
    url = urlsplit(base_url)
    if url.scheme not in ("http", "https") or not url.netloc:
        raise ValueError("base_url must be an http or https URL.")
    prefix = re.sub(r"/api/v1$", "", url.path.rstrip("/"))
    return f"{url.scheme}://{url.netloc}{prefix}/api/v1"


def _path_of(template: str, values: Mapping[str, str]) -> str:
    """
    :raises ValueError: if a path parameter would change the route: "", "." or ".."
    """
    for name, value in values.items():
        if value in ("", ".", ".."):
            raise ValueError(f"{template} needs {name}.")
        template = template.replace(f"{{{name}}}", quote(value, safe=""))
    return template


def _query_of(query: Mapping[str, Any] | None) -> str:
    given: dict[str, str] = {}
    for name, value in (query or {}).items():
        if isinstance(value, Mapping):  # as metadata[order]=4711
            given.update({f"{name}[{key}]": _text_of(each) for key, each in value.items()})
        elif value is not None:
            given[name] = _text_of(value)
    return f"?{urlencode(given)}" if given else ""


def _text_of(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
