"""Verifies deliveries of events (Standard Webhooks)."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Mapping
from typing import cast

from ._headers import header_reader, is_recent
from .errors import SignatureVerificationError
from .generated import models


def verify_webhook(
    body: bytes | str, headers: Mapping[str, str], secret: str, *, now: float | None = None
) -> models.Event | models.CallEvent:
    """The event of a delivery.

    Raises SignatureVerificationError if it is not from Ringkey, or older than five minutes.

    Args:
        body: The raw body, before any JSON parser.
        headers: Names in any case.
        secret: Of the endpoint: `whsec_…`.
        now: Unix time, for tests.
    """
    header = header_reader(headers)
    timestamp = header("webhook-timestamp")
    if not is_recent(timestamp, now):
        raise SignatureVerificationError("The webhook is too old, or has no time.")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    if not key:
        raise ValueError("secret must be the signing secret of the endpoint.")
    raw = body.encode() if isinstance(body, str) else body
    signed = f"{header('webhook-id')}.{timestamp}.".encode() + raw
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    # Bytes: compare_digest raises TypeError for text that is not ASCII.
    given = header("webhook-signature").encode(errors="replace").split()
    if not any([hmac.compare_digest(each, expected) for each in given]):
        raise SignatureVerificationError("The webhook has no valid signature.")
    return cast(models.Event, json.loads(raw))
