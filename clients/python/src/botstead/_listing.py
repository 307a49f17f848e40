"""A list of the API."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar, cast

Row = TypeVar("Row")
Page = TypeVar("Page")


class Listing(Generic[Row, Page]):
    """Iterates over all rows of a list. Each page is fetched when iteration reaches it; each iteration starts again."""

    def __init__(self, fetch: Callable[[str | None], dict[str, Any]], cursor: str | None) -> None:
        self._fetch = fetch
        self._cursor = cursor

    def __iter__(self) -> Iterator[Row]:
        for page in self._pages():
            yield from page["data"]

    def pages(self) -> Iterator[Page]:
        """All pages. To continue after a page, pass its `nextCursor` as `cursor` to the method of the list."""
        return (cast(Page, page) for page in self._pages())

    def page(self) -> Page:
        """The first page, by one request."""
        return next(self.pages())

    def _pages(self) -> Iterator[dict[str, Any]]:
        cursor = self._cursor
        while True:
            page = self._fetch(cursor)
            yield page
            cursor = page["nextCursor"]
            if cursor is None:
                return
