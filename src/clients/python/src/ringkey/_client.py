"""The client of the REST API."""

from __future__ import annotations

import re
import urllib.parse
from collections.abc import Mapping
from typing import Any

from ._request import Settings, send_request
from .generated.operations import Operations


class Ringkey(Operations):
    """A client for one account and mode. It can be used by several threads.

    Args:
        api_key: `rk_test_…` or `rk_live_…`. It can create charges: keep it on your server.
        base_url: Address of the service: `https://ringkey.example.com`.
        timeout: How long to wait for data, in seconds, in each attempt.
        max_retries: How often a request is sent again after a 408, a 429, a 503 or a lost connection, if that is safe.
    """

    def __init__(self, api_key: str, base_url: str, *, timeout: float = 80, max_retries: int = 2) -> None:
        if not isinstance(api_key, str) or not re.fullmatch(r"[\w-]+", api_key, re.ASCII):
            raise ValueError("api_key must be an API key.")
        if urllib.parse.urlsplit(base_url).scheme not in ("http", "https"):
            raise ValueError("base_url must be an http(s) URL.")
        self._settings = Settings(api_key, base_url.rstrip("/"), timeout, max_retries)

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
        return send_request(
            self._settings,
            method,
            path,
            body=body,
            query=query,
            file=file,
            content_type=content_type,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
