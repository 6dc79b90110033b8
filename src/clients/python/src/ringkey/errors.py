"""The errors of the client: one class for each ``type`` of the API's errors, and two of its own."""

from __future__ import annotations

from typing import Any

from .generated import models


class RingkeyError(Exception):
    """Any error of this library."""

    def __init__(
        self,
        message: str,
        *,
        code: str,
        status: int | None = None,
        request_id: str | None = None,
        details: models.ErrorObject | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        """What went wrong: a code of the API, or `connection_failed`, `timeout`, `invalid_answer`, `invalid_signature`."""
        self.status = status
        """Of the answer. None if there was none."""
        self.request_id = request_id
        """Quote it when you ask for help. None if there was no answer."""
        self.details = details
        """The API's error object. None if the API did not answer."""

    @property
    def agent_message(self) -> str | None:
        """What the agent says, word for word. If None, say nothing."""
        return self.details.get("agent_message") if self.details else None

    @property
    def agent_action(self) -> str | None:
        """What the agent does next."""
        return self.details.get("agent_action") if self.details else None


class InvalidRequestError(RingkeyError):
    """The request is wrong."""


class AuthenticationError(RingkeyError):
    """The key is missing, malformed or revoked."""


class PermissionDeniedError(RingkeyError):
    """The key, or the caller of the session, may not do this."""


class CardError(RingkeyError):
    """The card was declined."""


class ProcessorError(RingkeyError):
    """The merchant's processor did not answer, or is not connected."""


class IdempotencyError(RingkeyError):
    """The idempotency key was used with different details."""


class RateLimitError(RingkeyError):
    """Too many requests."""


class ApiError(RingkeyError):
    """The service failed, or something else answered in its place."""


class ApiConnectionError(RingkeyError):
    """No answer arrived. After a POST, repeat it with the same idempotency key."""


class SignatureVerificationError(RingkeyError):
    """The signature of a webhook or of SIP headers is wrong or too old."""

    def __init__(self, message: str) -> None:
        super().__init__(message, code="invalid_signature")


_CLASS_OF_TYPE: dict[str, type[RingkeyError]] = {
    "invalid_request_error": InvalidRequestError,
    "authentication_error": AuthenticationError,
    "permission_error": PermissionDeniedError,
    "card_error": CardError,
    "processor_error": ProcessorError,
    "idempotency_error": IdempotencyError,
    "rate_limit_error": RateLimitError,
    "api_error": ApiError,
}


def error_of(status: int, request_id: str | None, body: Any) -> RingkeyError:
    """The error for an answer that is no success. body: the parsed JSON, or None."""
    details = body.get("error") if isinstance(body, dict) else None
    if not isinstance(details, dict) or not isinstance(details.get("code"), str):
        message = f"The answer, with status {status}, is not from Ringkey."
        return ApiError(message, code="invalid_answer", status=status, request_id=request_id)
    error_class = _CLASS_OF_TYPE.get(str(details.get("type")), ApiError)
    message = str(details.get("message"))
    return error_class(message, code=details["code"], status=status, request_id=request_id, details=details)  # type: ignore[arg-type]
