"""One request to the API: retries, time limit, and the answer or a typed error."""

from __future__ import annotations

import http.client
import json
import random
import re
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from .errors import ApiConnectionError, RingkeyError, error_of

VERSION = "0.3.0"
"""As in pyproject.toml."""

_FIRST_RETRY_SECONDS = 0.5
_MAX_RETRY_AFTER_SECONDS = 30
"""An answer that asks for a longer wait is an error: a caller is waiting on the phone."""


class Unset(Enum):
    """The type of an argument that is left out. None is sent as null."""

    UNSET = "unset"


UNSET = Unset.UNSET


class Sender:
    """Sends the requests of the methods."""

    def _send(
        self,
        method: str,
        path: str,
        *,
        body: Mapping[str, Any] | None = None,
        query: Mapping[str, Any] | None = None,
        file: bytes | None = None,
        content_type: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> Any:
        raise NotImplementedError


def path_of(template: str, *ids: str) -> str:
    """A path with its parameters. Raises ValueError for an ID that would make it another path."""
    for each in ids:
        if not isinstance(each, str) or each in ("", ".", ".."):
            raise ValueError(f"Not an ID: {each!r}")
    values = iter(ids)
    return re.sub(r"\{\w+\}", lambda _: urllib.parse.quote(next(values), safe=""), template)


@dataclass(frozen=True, repr=False)
class Settings:
    """Of a client. Not printed, because it has the key."""

    api_key: str
    base_url: str
    timeout: float
    max_retries: int


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """The API never redirects. Another server must not get the key."""

    def redirect_request(self, *_args: Any) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirects)


@dataclass(frozen=True)
class _Failure:
    error: RingkeyError
    status: int | None = None
    """None if there was no answer."""
    retry_after: str | None = None


def send_request(
    settings: Settings,
    method: str,
    path: str,
    *,
    body: Mapping[str, Any] | None,
    query: Mapping[str, Any] | None,
    file: bytes | None,
    content_type: str | None,
    idempotency_key: str | None,
    timeout: float | None,
) -> Any:
    """Raises RingkeyError if the service answers with an error, or not at all."""
    url = settings.base_url + path
    if parameters := _given(query or {}):
        url += "?" + urllib.parse.urlencode(parameters)
    headers = {
        "Accept": "application/json",
        "Authorization": f"Bearer {settings.api_key}",
        "User-Agent": f"ringkey-client-python/{VERSION}",
    }
    data = file
    if content_type is not None:
        headers["Content-Type"] = content_type
    if method == "POST":
        headers["Idempotency-Key"] = idempotency_key or str(uuid.uuid4())
    if body is not None:
        headers["Content-Type"] = "application/json"
        data = json.dumps(_given(body)).encode()
    retries = 0
    while True:
        request = urllib.request.Request(url, data=data, headers=headers, method=method)
        result = _attempt(request, settings.timeout if timeout is None else timeout)
        if not isinstance(result, _Failure):
            return result
        delay = _retry_delay(method, result, retries) if retries < settings.max_retries else None
        if delay is None:
            raise result.error
        time.sleep(delay)
        retries += 1


def _given(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not UNSET}


def _attempt(request: urllib.request.Request, timeout: float) -> Any:
    """The parsed JSON of a success, or a _Failure."""
    try:
        try:
            with _opener.open(request, timeout=timeout) as response:
                status, headers, text = response.status, response.headers, response.read()
        except urllib.error.HTTPError as error:
            with error:
                status, headers, text = error.code, error.headers, error.read()
    except (OSError, http.client.HTTPException) as error:
        return _Failure(_connection_error(error))
    answer = _parsed(text)
    if 200 <= status < 300 and answer is not None:
        return answer
    error_answer = error_of(status, headers.get("X-Request-Id"), answer)
    return _Failure(error_answer, status, headers.get("Retry-After"))


def _connection_error(cause: Exception) -> ApiConnectionError:
    is_timeout = isinstance(cause, TimeoutError) or isinstance(getattr(cause, "reason", None), TimeoutError)
    message = "Ringkey did not answer in time." if is_timeout else "Ringkey could not be reached."
    error = ApiConnectionError(message, code="timeout" if is_timeout else "connection_failed")
    error.__cause__ = cause
    return error


def _parsed(text: bytes) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _retry_delay(method: str, failure: _Failure, retries: int) -> float | None:
    """How many seconds to wait before the request is sent again. None if it must not be.

    After a lost connection or a 503 it may have been done, so only a GET, or a POST with its key, is repeated. A 408
    or a 429 did nothing. A 409 with Retry-After means that the first request with this key is still in progress.
    """
    status, retry_after = failure.status, failure.retry_after
    is_safe = method in ("GET", "POST")
    is_busy = status in (None, 503) or (status == 409 and retry_after is not None)
    if status not in (408, 429) and not (is_safe and is_busy):
        return None
    if retry_after is None:
        return _FIRST_RETRY_SECONDS * 2.0**retries * random.uniform(0.5, 1)
    if not re.fullmatch("[0-9]{1,9}", retry_after) or int(retry_after) > _MAX_RETRY_AFTER_SECONDS:
        return None
    return int(retry_after)
