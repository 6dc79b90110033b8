"""Verifies the SIP headers with which a caller returns, and reads the outcome from them."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, cast
from urllib.parse import unquote

from ._headers import header_reader, is_recent
from .errors import SignatureVerificationError

Outcome = Literal["succeeded", "failed", "pending", "canceled", "expired", "agent"]

_SIGNED = {
    "outcome": "o",
    "session": "s",
    "charge": "c",
    "amount": "a",
    "currency": "u",
    "order": "r",
    "decline-code": "d",
    "call": "i",
}
"""The signed headers after `x-ringkey-`, in signing order, each with its letter in User-to-User."""


@dataclass(frozen=True)
class CallOutcome:
    """What happened on the payment line."""

    outcome: Outcome
    checkout_session_id: str
    charge_id: str | None
    amount_cents: int | None
    currency: str | None
    order_id: str | None
    decline_code: str | None
    platform_call_id: str | None
    reason: str | None
    """Why it failed, or what was sent. Not signed."""


def verify_sip_headers(headers: Mapping[str, str], secret: str, *, now: float | None = None) -> CallOutcome:
    """The outcome of a returned call, from the `X-Ringkey-` headers, or from `User-to-User` if there are none.

    Raises SignatureVerificationError if they are not from Ringkey, or older than five minutes.

    Args:
        headers: Of the INVITE or REFER, or the URI headers of `Refer-To`. Names in any case, raw values.
        secret: The account's header signing secret, base64.
        now: Unix time, for tests.
    """
    header = header_reader(headers)
    if header("x-ringkey-outcome"):
        values = {name: header(f"x-ringkey-{name}") for name in _SIGNED}
        reason, signature = header("x-ringkey-reason"), header("x-ringkey-signature")
    else:
        fact = _user_to_user(header("user-to-user"))
        values = {name: fact(letter) for name, letter in _SIGNED.items()}
        reason, signature = fact("w"), f"t={fact('t')},v1={fact('v1')}"
    match = re.fullmatch("t=([0-9]{1,12}),v1=([0-9a-f]{64})", signature)
    if match is None or not is_recent(match[1], now):
        raise SignatureVerificationError("The SIP headers are too old, or have no signature.")
    key = base64.b64decode(secret)
    if not key:
        raise ValueError("secret must be the account's header signing secret.")
    lines = "\n".join([match[1], *values.values()])
    expected = hmac.new(key, lines.encode(errors="replace"), hashlib.sha256).hexdigest()
    if not hmac.compare_digest(expected, match[2]):
        raise SignatureVerificationError("The SIP headers have no valid signature.")
    return _outcome_of(values, reason)


def _user_to_user(value: str) -> Callable[[str], str]:
    """RFC 7433: hex of the same facts, for carriers that drop X- headers."""
    match = re.match(r"((?:[0-9a-f]{2})+)\s*;.*\bencoding=hex\b", value, re.IGNORECASE)
    text = bytes.fromhex(match[1]).decode("latin-1") if match else ""
    facts = dict(pair.partition("=")[::2] for pair in text.split("&"))
    return lambda letter: facts.get(letter, "")


def _outcome_of(values: Mapping[str, str], reason: str) -> CallOutcome:
    def read(name: str) -> str | None:
        return unquote(values[name]) or None

    amount = read("amount")
    return CallOutcome(
        outcome=cast(Outcome, read("outcome")),
        checkout_session_id=read("session") or "",
        charge_id=read("charge"),
        amount_cents=None if amount is None else int(amount),
        currency=read("currency"),
        order_id=read("order"),
        decline_code=read("decline-code"),
        platform_call_id=read("call"),
        reason=reason if re.fullmatch("[a-z_]+", reason) else None,
    )
