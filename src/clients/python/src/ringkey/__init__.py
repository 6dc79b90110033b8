"""Client library of Ringkey: the REST API, and the signatures of webhooks and SIP headers."""

from ._client import Ringkey
from ._request import VERSION as __version__
from .errors import (
    ApiConnectionError,
    ApiError,
    AuthenticationError,
    CardError,
    IdempotencyError,
    InvalidRequestError,
    PermissionDeniedError,
    ProcessorError,
    RateLimitError,
    RingkeyError,
    SignatureVerificationError,
)
from .generated import models
from .sip_headers import CallOutcome, verify_sip_headers
from .webhooks import verify_webhook

__all__ = [
    "ApiConnectionError",
    "ApiError",
    "AuthenticationError",
    "CallOutcome",
    "CardError",
    "IdempotencyError",
    "InvalidRequestError",
    "PermissionDeniedError",
    "ProcessorError",
    "RateLimitError",
    "Ringkey",
    "RingkeyError",
    "SignatureVerificationError",
    "__version__",
    "models",
    "verify_sip_headers",
    "verify_webhook",
]
