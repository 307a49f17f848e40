"""The client."""

from __future__ import annotations

from types import TracebackType

from ._operations import Operations


class Botstead(Operations):
    """
    Calls the API with a key. Each operation is a method, for example `create_memory`.

    Use it in a `with` statement, or call `close`. Threads can share it.
    """

    def close(self) -> None:
        """Closes the connections, unless they belong to an `http_client` of the caller."""
        if self._owns_http:
            self._http.close()

    def __enter__(self) -> Botstead:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()
