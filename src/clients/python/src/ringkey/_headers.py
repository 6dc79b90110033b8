"""Headers as the libraries of HTTP and SIP give them."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping

_TOLERANCE_SECONDS = 300
"""Signatures must be this recent, so that an old message cannot be sent again."""


def header_reader(headers: Mapping[str, str]) -> Callable[[str], str]:
    """Reads a header by its name in lower case. An absent header, or one that is there twice, is empty."""
    values: dict[str, str] = {}
    for name, value in headers.items():
        key = name.lower()
        values[key] = value.strip() if isinstance(value, str) and key not in values else ""
    return lambda name: values.get(name, "")


def is_recent(unix_seconds: str, now: float | None) -> bool:
    """unix_seconds: text of a header."""
    if not re.fullmatch("[0-9]{1,12}", unix_seconds):
        return False
    return abs((time.time() if now is None else now) - int(unix_seconds)) <= _TOLERANCE_SECONDS
