# Generated from the OpenAPI document: see "Client libraries" in .github/CONTRIBUTING.md.

from __future__ import annotations

from typing import Any, Literal

from .. import _request
from .._request import UNSET, Unset, path_of
from . import models


class Operations(_request.Sender):
    """A method for every operation."""

    def create_checkout(
        self,
        *,
        merchant_id: str | Unset = UNSET,
        merchant_number: str | Unset = UNSET,
        caller_phone: str | Unset = UNSET,
        caller_email: str | Unset = UNSET,
        order_id: str | Unset = UNSET,
        amount_cents: int | Unset = UNSET,
        line_items: list[models.CreateCheckoutRequestLineItems] | Unset = UNSET,
        platform_call_id: str | Unset = UNSET,
        return_to: str | Unset = UNSET,
        success_message: str | Unset = UNSET,
        failure_message: str | Unset = UNSET,
        metadata: dict[str, str | float | bool | None] | Unset = UNSET,
        ttl_seconds: int | Unset = UNSET,
        language: str | Unset = UNSET,
        purpose: Literal["payment", "save_card"] | Unset = UNSET,
        save_terms: Literal["returning", "merchant_initiated"] | Unset = UNSET,
        save_sentence: str | Unset = UNSET,
        save_max_amount_cents: int | Unset = UNSET,
        allow_repeat: bool | Unset = UNSET,
        capture: Literal["automatic", "manual"] | Unset = UNSET,
        payment_methods: list[Literal["card", "us_bank_account"]] | Unset = UNSET,
        payer_name: str | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.CreateCheckoutResponse:
        """Create a checkout.

        Args:
            merchant_id: The merchant that gets paid. Send this or `merchant_number`. If you send both, they must match.
            merchant_number: The number that the caller dialed, E.164. Use it if the agent does not know the merchant. An unknown number is not an error: `merchant_id` is then empty and the verdict is `none`.
            caller_phone: The caller's number, E.164. `anonymous`, `unavailable`, `unknown` and `restricted` mean that the caller withholds it. Without a number there are no saved cards and no transfer by number, and `charge` and `send_link` return 422 `session_missing_consumer`.
            caller_email: Where the caller wants the receipt by email, in addition to the text. Only for receipts of this session. In test mode, emails are only logged.
            order_id: The order in the merchant's own system. The amount of the order takes precedence over `amount_cents`.
            amount_cents: An integer in the minor unit of the merchant's currency: 4250 is 42.50 USD, and 4250 JPY, which has no minor unit. Required without an `order_id`. It never overrides the amount of an order.
            line_items: The items of the bill, shown on the pay page and the receipt. They do not determine the amount.
            platform_call_id: The voice platform's own ID of this call. Recommended: the SIP headers, the session and every event contain it.
            return_to: Where the caller goes after paying: a `sip:`, `sips:` or `tel:` URI, a number, or an `https:` URL for the pay page (`http:` in test mode only). On the phone, a URL is treated as a target that cannot be connected. The target must be one of the account's allowed hosts and numbers (`PATCH /v1/account`). Private addresses, emergency numbers and premium numbers are never allowed. Without `return_hosts`, an account can use every public host in test mode and none in live mode. A target that is not allowed, or that contains a password (`user:password@`), returns `invalid_value`. If you omit the field, the line says `success_message` and ends the call.
            success_message: What the line says after a successful payment, in the merchant's voice, if the call does not return to an agent. The default is a short sentence.
            failure_message: What the line says after a decline, instead of the default sentence.
            metadata: Your own data: up to 50 names (40 characters) with strings (500 characters), numbers, booleans or nulls. Stored and returned, never interpreted. An integer beyond 9007199254740991 is rejected: send it as a string.
            ttl_seconds: How long the session can be paid, in seconds. The default is 1800. A wrong value returns `invalid_ttl`.
            language: The caller's language, BCP 47, if it is not the merchant's. It applies to `agent_message` here and in later errors, to the payment line, the pay page and the texts. Supported: `en`, `de`, `es`, `fr`. For any other language, the merchant's is used. A malformed tag returns `invalid_value`.
            purpose: `payment` (default), or `save_card`: the line, or the page of `send_link`, verifies a card without taking money, and saves it if the caller agrees. Then `caller_phone`, `save_terms` and `save_sentence` are required, there is no amount and no order, and the verdict is `required`. The session ends with `instrument_id`. If the merchant’s processor cannot do this, returns `invalid_value`.
            save_terms: Asks the caller to save the card, in your own words, before it is charged: on the line by keys 1 and 2, on the pay page by a box that is not ticked. What the caller agrees to: `returning` to choose the card when paying again, `merchant_initiated` also to charges without the caller (`create_charge`). Applies even if the merchant’s `card_saving` is `never`. Without `caller_phone`, or if the processor cannot save cards, the caller is not asked. If you omit it, the merchant’s `card_saving` applies.
            save_sentence: What the caller agrees to, as one or two spoken sentences in the language of the checkout. The line adds \"If you agree, press one.\" It is kept with the consent. Required with `save_terms`. If the caller changes the language, the standard question is asked instead, and the terms are `returning`.
            save_max_amount_cents: The highest amount of one charge without the caller, in minor units, as the sentence says. Only with `merchant_initiated`.
            allow_repeat: True if this order can be paid although another session of it is paid or being paid, such as for an instalment or a second guest.
            capture: `automatic` (default): the payment takes the amount. `manual`: the payment only holds it on the card, and the charge is `authorized`. Capture it with `capture_charge` before `capture_before`, or release it with `void_charge`. The caller hears that a hold was placed. If the merchant’s processor cannot hold an amount, returns `invalid_value`.
            payment_methods: What the caller can pay with on the line. `[\"card\"]` (default), or `[\"card\", \"us_bank_account\"]`: the caller can also key a US bank account, which is debited by ACH. That needs USD, a merchant with `bank_debit_phone`, a processor that makes bank debits, and `payer_name`. The charge is `pending` until the bank has paid, in some days. Not with `capture` `manual` or `save_terms`. The line offers it only if a text can confirm it in writing. The pay page takes cards only.
            payer_name: The name of the account’s owner. The line says it in the authorization, and the bank gets it. Required with `us_bank_account`.
        """
        answer: models.CreateCheckoutResponse = self._send(
            "POST",
            "/v1/create_checkout",
            body={"merchant_id": merchant_id, "merchant_number": merchant_number, "caller_phone": caller_phone, "caller_email": caller_email, "order_id": order_id, "amount_cents": amount_cents, "line_items": line_items, "platform_call_id": platform_call_id, "return_to": return_to, "success_message": success_message, "failure_message": failure_message, "metadata": metadata, "ttl_seconds": ttl_seconds, "language": language, "purpose": purpose, "save_terms": save_terms, "save_sentence": save_sentence, "save_max_amount_cents": save_max_amount_cents, "allow_repeat": allow_repeat, "capture": capture, "payment_methods": payment_methods, "payer_name": payer_name},
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def retrieve_checkout_session(
        self,
        checkout_session_id: str,
        *,
        wait: int | Unset = UNSET,
        timeout: float | None = None,
    ) -> models.CheckoutSession:
        """Retrieve a checkout session.

        Args:
            wait: Seconds to wait for a change of `session_status`, `charge` or `agent_message`, 1 to 60. Without it, the answer comes at once.
        """
        answer: models.CheckoutSession = self._send(
            "GET",
            path_of("/v1/checkout_sessions/{checkout_session_id}", checkout_session_id),
            query={"wait": wait},
            timeout=timeout,
        )
        return answer

    def list_checkout_sessions(
        self,
        *,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        created_after: str | Unset = UNSET,
        created_before: str | Unset = UNSET,
        merchant_id: str | Unset = UNSET,
        order_id: str | Unset = UNSET,
        caller_phone: str | Unset = UNSET,
        platform_call_id: str | Unset = UNSET,
        last_four: str | Unset = UNSET,
        status: Literal["open", "complete", "expired"] | Unset = UNSET,
        timeout: float | None = None,
    ) -> models.ListCheckoutSessionsResponse:
        """List checkout sessions.

        Args:
            limit: The maximum number of items, 1 to 100. The default is 20.
            starting_after: The ID of the last item on the previous page. The list continues after it. An ID that is not in the list is rejected.
            created_after: Only items created at this time or later: ISO 8601, with `Z` or an offset.
            created_before: Only items created before this time.
            merchant_id: Only items of this merchant.
            order_id: Only items of the merchant's order with exactly this ID.
            caller_phone: Only items of callers with this number. Send it in E.164 (write `+` as `%2B` in a URL), as dialed in a country of your merchants, or as its last 4 to 10 digits. You can write digits as words in English, Spanish, French or German. Spaces, dots, dashes, slashes, brackets, invisible characters and an extension are ignored. A merchant's country comes from its currency, language and numbers. Withheld and cleared numbers match nothing.
            platform_call_id: Only items of the voice platform's call with this ID, as sent to `create_checkout`.
            last_four: Only sessions with a charge of a card with these last four digits, successful or declined.
            status: Only sessions with this `session_status`. A session that has just expired is found as `expired` within seconds.
        """
        answer: models.ListCheckoutSessionsResponse = self._send(
            "GET",
            "/v1/checkout_sessions",
            query={"limit": limit, "starting_after": starting_after, "created_after": created_after, "created_before": created_before, "merchant_id": merchant_id, "order_id": order_id, "caller_phone": caller_phone, "platform_call_id": platform_call_id, "last_four": last_four, "status": status},
            timeout=timeout,
        )
        return answer

    def retrieve_checkout_session_totals(
        self,
        *,
        created_after: str | Unset = UNSET,
        created_before: str | Unset = UNSET,
        merchant_id: str | Unset = UNSET,
        order_id: str | Unset = UNSET,
        caller_phone: str | Unset = UNSET,
        platform_call_id: str | Unset = UNSET,
        last_four: str | Unset = UNSET,
        status: Literal["open", "complete", "expired"] | Unset = UNSET,
        timeout: float | None = None,
    ) -> models.CheckoutSessionTotals:
        """Retrieve totals of checkout sessions.

        Args:
            created_after: Only items created at this time or later: ISO 8601, with `Z` or an offset.
            created_before: Only items created before this time.
            merchant_id: Only items of this merchant.
            order_id: Only items of the merchant's order with exactly this ID.
            caller_phone: Only items of callers with this number. Send it in E.164 (write `+` as `%2B` in a URL), as dialed in a country of your merchants, or as its last 4 to 10 digits. You can write digits as words in English, Spanish, French or German. Spaces, dots, dashes, slashes, brackets, invisible characters and an extension are ignored. A merchant's country comes from its currency, language and numbers. Withheld and cleared numbers match nothing.
            platform_call_id: Only items of the voice platform's call with this ID, as sent to `create_checkout`.
            last_four: Only sessions with a charge of a card with these last four digits, successful or declined.
            status: Only sessions with this `session_status`. A session that has just expired is found as `expired` within seconds.
        """
        answer: models.CheckoutSessionTotals = self._send(
            "GET",
            "/v1/checkout_sessions/totals",
            query={"created_after": created_after, "created_before": created_before, "merchant_id": merchant_id, "order_id": order_id, "caller_phone": caller_phone, "platform_call_id": platform_call_id, "last_four": last_four, "status": status},
            timeout=timeout,
        )
        return answer

    def create_key(
        self,
        *,
        environment: Literal["test", "live"] | Unset = UNSET,
        name: str | Unset = UNSET,
        scope: Literal["full", "agent"] | Unset = UNSET,
        expires_at: str | Unset = UNSET,
        allowed_sources: list[str] | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.CreateKeyResponse:
        """Create a key.

        Args:
            environment: Must be the mode of your key, which is the default. No key can access the other mode.
            name: A name for people, to distinguish keys in a list.
            scope: What the key can do. `agent`: create checkouts, charge, text links, identify callers and read sessions, and nothing else. The default is `full`.
            expires_at: When the key expires, in the future. If you omit it, the key does not expire.
            allowed_sources: IPv4 or IPv6 addresses and CIDR blocks from which requests are allowed. If empty, all addresses are allowed.
        """
        answer: models.CreateKeyResponse = self._send(
            "POST",
            "/v1/keys",
            body={"environment": environment, "name": name, "scope": scope, "expires_at": expires_at, "allowed_sources": allowed_sources},
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def list_keys(
        self,
        *,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        timeout: float | None = None,
    ) -> models.ListKeysResponse:
        """List keys.

        Args:
            limit: The maximum number of items, 1 to 100. The default is 20.
            starting_after: The ID of the last item on the previous page. The list continues after it. An ID that is not in the list is rejected.
        """
        answer: models.ListKeysResponse = self._send(
            "GET",
            "/v1/keys",
            query={"limit": limit, "starting_after": starting_after},
            timeout=timeout,
        )
        return answer

    def retrieve_key(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> models.Key:
        """Retrieve a key."""
        answer: models.Key = self._send(
            "GET",
            path_of("/v1/keys/{id}", id),
            timeout=timeout,
        )
        return answer

    def revoke_key(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> models.Key:
        """Revoke a key."""
        answer: models.Key = self._send(
            "DELETE",
            path_of("/v1/keys/{id}", id),
            timeout=timeout,
        )
        return answer

    def roll_key(
        self,
        id: str,
        *,
        expires_in_seconds: int | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.RollKeyResponse:
        """Roll a key.

        Args:
            expires_in_seconds: How long the old key stays valid, in seconds: 0 (not at all) to 604800 (seven days). The default is one day.
        """
        answer: models.RollKeyResponse = self._send(
            "POST",
            path_of("/v1/keys/{id}/roll", id),
            body={"expires_in_seconds": expires_in_seconds},
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def identify(
        self,
        *,
        caller_phone: str,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.IdentifyResponse:
        """Identify a caller.

        Args:
            caller_phone: The caller's number, E.164. A withheld number (`anonymous`, `unavailable`, `unknown`, `restricted`) matches no caller.
        """
        answer: models.IdentifyResponse = self._send(
            "POST",
            "/v1/identify",
            body={"caller_phone": caller_phone},
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def charge(
        self,
        *,
        checkout_session_id: str,
        instrument_id: str,
        part_cents: int | Unset = UNSET,
        tip_cents: int | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.ChargeResponse:
        """Charge a saved card.

        Args:
            checkout_session_id: The open checkout session, as returned by `create_checkout`.
            instrument_id: The card that the caller chose from the session's `cards`. There is no default: the caller must have agreed to this card.
            part_cents: Charges this part instead of the whole amount, in minor units: at least `partial_minimum_cents` of the merchant. Only if the caller asked for it. Default: all.
            tip_cents: A tip that the caller adds, in minor units, charged in addition: only if the merchant has `tip_percentages`, and at most half of the amount. Default: none.
        """
        answer: models.ChargeResponse = self._send(
            "POST",
            "/v1/charge",
            body={"checkout_session_id": checkout_session_id, "instrument_id": instrument_id, "part_cents": part_cents, "tip_cents": tip_cents},
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def send_link(
        self,
        *,
        checkout_session_id: str,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.SendLinkResponse:
        """Text a pay link.

        Args:
            checkout_session_id: The open checkout session, as returned by `create_checkout`.
        """
        answer: models.SendLinkResponse = self._send(
            "POST",
            "/v1/send_link",
            body={"checkout_session_id": checkout_session_id},
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def list_calls(
        self,
        *,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        created_after: str | Unset = UNSET,
        created_before: str | Unset = UNSET,
        merchant_id: str | Unset = UNSET,
        order_id: str | Unset = UNSET,
        caller_phone: str | Unset = UNSET,
        platform_call_id: str | Unset = UNSET,
        last_four: str | Unset = UNSET,
        checkout_session_id: str | Unset = UNSET,
        status: Literal["live", "ended"] | Unset = UNSET,
        outcome: Literal["succeeded", "failed", "pending", "canceled", "expired", "agent"] | Unset = UNSET,
        reached: Literal["answered", "method", "saved_card", "card_number", "expiry", "security_code", "postal_code", "part", "part_amount", "tip", "routing_number", "account_number", "account_number_again", "account_type", "debit_terms", "keep_card", "confirmation", "charge", "returned"] | Unset = UNSET,
        timeout: float | None = None,
    ) -> models.ListCallsResponse:
        """List calls.

        Args:
            limit: The maximum number of items, 1 to 100. The default is 20.
            starting_after: The ID of the last item on the previous page. The list continues after it. An ID that is not in the list is rejected.
            created_after: Only items created at this time or later: ISO 8601, with `Z` or an offset.
            created_before: Only items created before this time.
            merchant_id: Only items of this merchant.
            order_id: Only items of the merchant's order with exactly this ID.
            caller_phone: Only items of callers with this number. Send it in E.164 (write `+` as `%2B` in a URL), as dialed in a country of your merchants, or as its last 4 to 10 digits. You can write digits as words in English, Spanish, French or German. Spaces, dots, dashes, slashes, brackets, invisible characters and an extension are ignored. A merchant's country comes from its currency, language and numbers. Withheld and cleared numbers match nothing.
            platform_call_id: Only items of the voice platform's call with this ID, as sent to `create_checkout`.
            last_four: Only calls of sessions with a charge of a card with these last four digits, on the call or elsewhere.
            checkout_session_id: Only items of this checkout session.
            status: Only live calls, or only ended calls.
            outcome: Only calls with this outcome. How the call ended, as in `X-Ringkey-Outcome`: `succeeded`, `failed`, `pending` (the charge had no outcome yet), `canceled` (the caller asked to stop or hung up, or `end_call` ended the call), `expired`, `agent` (returned to the agent without paying).
            reached: Only calls that the `funnel` of `retrieve_statistics` counts at this step: answered calls that are over and reached it.
        """
        answer: models.ListCallsResponse = self._send(
            "GET",
            "/v1/calls",
            query={"limit": limit, "starting_after": starting_after, "created_after": created_after, "created_before": created_before, "merchant_id": merchant_id, "order_id": order_id, "caller_phone": caller_phone, "platform_call_id": platform_call_id, "last_four": last_four, "checkout_session_id": checkout_session_id, "status": status, "outcome": outcome, "reached": reached},
            timeout=timeout,
        )
        return answer

    def retrieve_call_totals(
        self,
        *,
        created_after: str | Unset = UNSET,
        created_before: str | Unset = UNSET,
        merchant_id: str | Unset = UNSET,
        order_id: str | Unset = UNSET,
        caller_phone: str | Unset = UNSET,
        platform_call_id: str | Unset = UNSET,
        last_four: str | Unset = UNSET,
        checkout_session_id: str | Unset = UNSET,
        status: Literal["live", "ended"] | Unset = UNSET,
        outcome: Literal["succeeded", "failed", "pending", "canceled", "expired", "agent"] | Unset = UNSET,
        reached: Literal["answered", "method", "saved_card", "card_number", "expiry", "security_code", "postal_code", "part", "part_amount", "tip", "routing_number", "account_number", "account_number_again", "account_type", "debit_terms", "keep_card", "confirmation", "charge", "returned"] | Unset = UNSET,
        timeout: float | None = None,
    ) -> models.CallTotals:
        """Retrieve totals of calls.

        Args:
            created_after: Only items created at this time or later: ISO 8601, with `Z` or an offset.
            created_before: Only items created before this time.
            merchant_id: Only items of this merchant.
            order_id: Only items of the merchant's order with exactly this ID.
            caller_phone: Only items of callers with this number. Send it in E.164 (write `+` as `%2B` in a URL), as dialed in a country of your merchants, or as its last 4 to 10 digits. You can write digits as words in English, Spanish, French or German. Spaces, dots, dashes, slashes, brackets, invisible characters and an extension are ignored. A merchant's country comes from its currency, language and numbers. Withheld and cleared numbers match nothing.
            platform_call_id: Only items of the voice platform's call with this ID, as sent to `create_checkout`.
            last_four: Only calls of sessions with a charge of a card with these last four digits, on the call or elsewhere.
            checkout_session_id: Only items of this checkout session.
            status: Only live calls, or only ended calls.
            outcome: Only calls with this outcome. How the call ended, as in `X-Ringkey-Outcome`: `succeeded`, `failed`, `pending` (the charge had no outcome yet), `canceled` (the caller asked to stop or hung up, or `end_call` ended the call), `expired`, `agent` (returned to the agent without paying).
            reached: Only calls that the `funnel` of `retrieve_statistics` counts at this step: answered calls that are over and reached it.
        """
        answer: models.CallTotals = self._send(
            "GET",
            "/v1/calls/totals",
            query={"created_after": created_after, "created_before": created_before, "merchant_id": merchant_id, "order_id": order_id, "caller_phone": caller_phone, "platform_call_id": platform_call_id, "last_four": last_four, "checkout_session_id": checkout_session_id, "status": status, "outcome": outcome, "reached": reached},
            timeout=timeout,
        )
        return answer

    def retrieve_call(
        self,
        call_id: str,
        *,
        timeout: float | None = None,
    ) -> models.CallWithTimeline:
        """Retrieve a call with its steps."""
        answer: models.CallWithTimeline = self._send(
            "GET",
            path_of("/v1/calls/{call_id}", call_id),
            timeout=timeout,
        )
        return answer

    def end_call(
        self,
        call_id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.CallWithTimeline:
        """End a call."""
        answer: models.CallWithTimeline = self._send(
            "POST",
            path_of("/v1/calls/{call_id}/end", call_id),
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def list_charges(
        self,
        *,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        created_after: str | Unset = UNSET,
        created_before: str | Unset = UNSET,
        merchant_id: str | Unset = UNSET,
        order_id: str | Unset = UNSET,
        caller_phone: str | Unset = UNSET,
        platform_call_id: str | Unset = UNSET,
        last_four: str | Unset = UNSET,
        checkout_session_id: str | Unset = UNSET,
        status: Literal["pending", "authorized", "succeeded", "failed", "voided", "expired"] | Unset = UNSET,
        needs_settling: Literal["true"] | Unset = UNSET,
        needs_attention: Literal["true"] | Unset = UNSET,
        counted_as: Literal["succeeded", "failed", "completed", "pending"] | Unset = UNSET,
        decline_code: Literal["generic_decline", "do_not_honor", "insufficient_funds", "lost_card", "stolen_card", "expired_card", "incorrect_number", "incorrect_cvc", "incorrect_expiry", "incorrect_zip", "card_not_supported", "authentication_required", "processing_error", "try_again_later", "none"] | Unset = UNSET,
        timeout: float | None = None,
    ) -> models.ListChargesResponse:
        """List charges.

        Args:
            limit: The maximum number of items, 1 to 100. The default is 20.
            starting_after: The ID of the last item on the previous page. The list continues after it. An ID that is not in the list is rejected.
            created_after: Only items created at this time or later: ISO 8601, with `Z` or an offset.
            created_before: Only items created before this time.
            merchant_id: Only items of this merchant.
            order_id: Only items of the merchant's order with exactly this ID.
            caller_phone: Only items of callers with this number. Send it in E.164 (write `+` as `%2B` in a URL), as dialed in a country of your merchants, or as its last 4 to 10 digits. You can write digits as words in English, Spanish, French or German. Spaces, dots, dashes, slashes, brackets, invisible characters and an extension are ignored. A merchant's country comes from its currency, language and numbers. Withheld and cleared numbers match nothing.
            platform_call_id: Only items of the voice platform's call with this ID, as sent to `create_checkout`.
            last_four: Only charges of a card with these last four digits.
            checkout_session_id: Only items of this checkout session.
            status: Only charges with this status.
            needs_settling: `true`: only charges that need settlement, see their `needs_settling`.
            needs_attention: `true`: only late charges that need attention, see their `needs_attention`.
            counted_as: Only charges that the statistics count this way. `succeeded` includes holds, `completed` is succeeded or failed. Charges that only verify a card are not counted.
            decline_code: Only charges that failed for this reason. `none`: only charges that failed, but not because of the card.
        """
        answer: models.ListChargesResponse = self._send(
            "GET",
            "/v1/charges",
            query={"limit": limit, "starting_after": starting_after, "created_after": created_after, "created_before": created_before, "merchant_id": merchant_id, "order_id": order_id, "caller_phone": caller_phone, "platform_call_id": platform_call_id, "last_four": last_four, "checkout_session_id": checkout_session_id, "status": status, "needs_settling": needs_settling, "needs_attention": needs_attention, "counted_as": counted_as, "decline_code": decline_code},
            timeout=timeout,
        )
        return answer

    def create_charge(
        self,
        *,
        initiator: Literal["merchant"],
        merchant_id: str,
        instrument_id: str,
        amount_cents: int,
        order_id: str,
        allow_repeat: bool | Unset = UNSET,
        metadata: dict[str, str | float | bool | None] | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.ListedCharge:
        """Charge a saved card without the caller.

        Args:
            initiator: Always `merchant`. To charge a card that a caller chose, use `charge`.
            merchant_id: The merchant that gets paid. The caller must have agreed at this merchant.
            instrument_id: The saved card. It was saved at this merchant with `save_terms` `merchant_initiated`.
            amount_cents: The amount in minor units of the merchant's currency. At most the `max_amount_cents` that the caller agreed to.
            order_id: The order in your own system, such as an invoice or a fee. Ringkey does not look it up at the order source.
            allow_repeat: True to charge this order even if another charge of it succeeded or is pending.
            metadata: Your own data, as in `create_checkout`.
        """
        answer: models.ListedCharge = self._send(
            "POST",
            "/v1/charges",
            body={"initiator": initiator, "merchant_id": merchant_id, "instrument_id": instrument_id, "amount_cents": amount_cents, "order_id": order_id, "allow_repeat": allow_repeat, "metadata": metadata},
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def retrieve_charge_totals(
        self,
        *,
        created_after: str | Unset = UNSET,
        created_before: str | Unset = UNSET,
        merchant_id: str | Unset = UNSET,
        order_id: str | Unset = UNSET,
        caller_phone: str | Unset = UNSET,
        platform_call_id: str | Unset = UNSET,
        last_four: str | Unset = UNSET,
        checkout_session_id: str | Unset = UNSET,
        status: Literal["pending", "authorized", "succeeded", "failed", "voided", "expired"] | Unset = UNSET,
        needs_settling: Literal["true"] | Unset = UNSET,
        needs_attention: Literal["true"] | Unset = UNSET,
        counted_as: Literal["succeeded", "failed", "completed", "pending"] | Unset = UNSET,
        decline_code: Literal["generic_decline", "do_not_honor", "insufficient_funds", "lost_card", "stolen_card", "expired_card", "incorrect_number", "incorrect_cvc", "incorrect_expiry", "incorrect_zip", "card_not_supported", "authentication_required", "processing_error", "try_again_later", "none"] | Unset = UNSET,
        timeout: float | None = None,
    ) -> models.ChargeTotals:
        """Retrieve totals of charges.

        Args:
            created_after: Only items created at this time or later: ISO 8601, with `Z` or an offset.
            created_before: Only items created before this time.
            merchant_id: Only items of this merchant.
            order_id: Only items of the merchant's order with exactly this ID.
            caller_phone: Only items of callers with this number. Send it in E.164 (write `+` as `%2B` in a URL), as dialed in a country of your merchants, or as its last 4 to 10 digits. You can write digits as words in English, Spanish, French or German. Spaces, dots, dashes, slashes, brackets, invisible characters and an extension are ignored. A merchant's country comes from its currency, language and numbers. Withheld and cleared numbers match nothing.
            platform_call_id: Only items of the voice platform's call with this ID, as sent to `create_checkout`.
            last_four: Only charges of a card with these last four digits.
            checkout_session_id: Only items of this checkout session.
            status: Only charges with this status.
            needs_settling: `true`: only charges that need settlement, see their `needs_settling`.
            needs_attention: `true`: only late charges that need attention, see their `needs_attention`.
            counted_as: Only charges that the statistics count this way. `succeeded` includes holds, `completed` is succeeded or failed. Charges that only verify a card are not counted.
            decline_code: Only charges that failed for this reason. `none`: only charges that failed, but not because of the card.
        """
        answer: models.ChargeTotals = self._send(
            "GET",
            "/v1/charges/totals",
            query={"created_after": created_after, "created_before": created_before, "merchant_id": merchant_id, "order_id": order_id, "caller_phone": caller_phone, "platform_call_id": platform_call_id, "last_four": last_four, "checkout_session_id": checkout_session_id, "status": status, "needs_settling": needs_settling, "needs_attention": needs_attention, "counted_as": counted_as, "decline_code": decline_code},
            timeout=timeout,
        )
        return answer

    def retrieve_charge(
        self,
        charge_id: str,
        *,
        timeout: float | None = None,
    ) -> models.ListedCharge:
        """Retrieve a charge."""
        answer: models.ListedCharge = self._send(
            "GET",
            path_of("/v1/charges/{charge_id}", charge_id),
            timeout=timeout,
        )
        return answer

    def acknowledge_charge(
        self,
        charge_id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.ListedCharge:
        """Acknowledge a late charge."""
        answer: models.ListedCharge = self._send(
            "POST",
            path_of("/v1/charges/{charge_id}/acknowledge", charge_id),
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def retrieve_statistics(
        self,
        *,
        from_: str | Unset = UNSET,
        to: str | Unset = UNSET,
        compare_from: str | Unset = UNSET,
        merchant_id: str | Unset = UNSET,
        time_zone: str | Unset = UNSET,
        timeout: float | None = None,
    ) -> models.Statistics:
        """Retrieve statistics.

        Args:
            from_: Items created at this time or later are counted: ISO 8601, with `Z` or an offset. The default is 7 days before `to`; the maximum is 92 days.
            to: Items created before this time are counted. The default is now.
            compare_from: When the period before begins, to compare with the same days of the week, for example. It is as long as the period, and must be over when that begins. The default is the period directly before.
            merchant_id: Only items of this merchant.
            time_zone: IANA name of the time zone in which days begin. The default is `UTC`.
        """
        answer: models.Statistics = self._send(
            "GET",
            "/v1/statistics",
            query={"from": from_, "to": to, "compare_from": compare_from, "merchant_id": merchant_id, "time_zone": time_zone},
            timeout=timeout,
        )
        return answer

    def retrieve_month_report(
        self,
        *,
        merchant_id: str,
        month: str | Unset = UNSET,
        time_zone: str | Unset = UNSET,
        timeout: float | None = None,
    ) -> models.MonthReport:
        """Retrieve the report of a month.

        Args:
            merchant_id: The merchant.
            month: The month, such as `2026-10`. The default is the month before the present one.
            time_zone: IANA name of the time zone in which days begin. The default is the `time_zone` of the merchant.
        """
        answer: models.MonthReport = self._send(
            "GET",
            "/v1/reports/month",
            query={"merchant_id": merchant_id, "month": month, "time_zone": time_zone},
            timeout=timeout,
        )
        return answer

    def create_refund(
        self,
        *,
        charge: str,
        amount_cents: int | Unset = UNSET,
        reason: Literal["duplicate", "fraudulent", "requested_by_customer"] | Unset = UNSET,
        metadata: dict[str, str | float | bool | None] | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.Refund:
        """Refund a charge.

        Args:
            charge: The `charge_id` of the charge to refund.
            amount_cents: The amount to refund, an integer in the currency's minor unit. If you omit the field, everything not refunded yet is refunded. `null` is rejected with `invalid_value`.
            reason: The reason. It is sent to Stripe, too: `fraudulent` adds the card to Stripe's block list.
            metadata: Your own data: strings, numbers, booleans and nulls by name, stored and returned, never interpreted. At most 50 names of 40 characters, with values of 500 characters.
        """
        answer: models.Refund = self._send(
            "POST",
            "/v1/refunds",
            body={"charge": charge, "amount_cents": amount_cents, "reason": reason, "metadata": metadata},
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def list_refunds(
        self,
        *,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        created_after: str | Unset = UNSET,
        created_before: str | Unset = UNSET,
        merchant_id: str | Unset = UNSET,
        charge: str | Unset = UNSET,
        status: Literal["pending", "succeeded", "failed"] | Unset = UNSET,
        needs_settling: Literal["true"] | Unset = UNSET,
        timeout: float | None = None,
    ) -> models.ListRefundsResponse:
        """List refunds.

        Args:
            limit: The maximum number of items, 1 to 100. The default is 20.
            starting_after: The ID of the last item on the previous page. The list continues after it. An ID that is not in the list is rejected.
            created_after: Only items created at this time or later: ISO 8601, with `Z` or an offset.
            created_before: Only items created before this time.
            merchant_id: Only items of this merchant.
            charge: Only refunds of this charge.
            status: Only refunds with this status.
            needs_settling: `true`: only refunds that need settlement, see their `needs_settling`.
        """
        answer: models.ListRefundsResponse = self._send(
            "GET",
            "/v1/refunds",
            query={"limit": limit, "starting_after": starting_after, "created_after": created_after, "created_before": created_before, "merchant_id": merchant_id, "charge": charge, "status": status, "needs_settling": needs_settling},
            timeout=timeout,
        )
        return answer

    def retrieve_refund_totals(
        self,
        *,
        created_after: str | Unset = UNSET,
        created_before: str | Unset = UNSET,
        merchant_id: str | Unset = UNSET,
        charge: str | Unset = UNSET,
        status: Literal["pending", "succeeded", "failed"] | Unset = UNSET,
        needs_settling: Literal["true"] | Unset = UNSET,
        timeout: float | None = None,
    ) -> models.RefundTotals:
        """Retrieve totals of refunds.

        Args:
            created_after: Only items created at this time or later: ISO 8601, with `Z` or an offset.
            created_before: Only items created before this time.
            merchant_id: Only items of this merchant.
            charge: Only refunds of this charge.
            status: Only refunds with this status.
            needs_settling: `true`: only refunds that need settlement, see their `needs_settling`.
        """
        answer: models.RefundTotals = self._send(
            "GET",
            "/v1/refunds/totals",
            query={"created_after": created_after, "created_before": created_before, "merchant_id": merchant_id, "charge": charge, "status": status, "needs_settling": needs_settling},
            timeout=timeout,
        )
        return answer

    def retrieve_refund(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> models.Refund:
        """Retrieve a refund."""
        answer: models.Refund = self._send(
            "GET",
            path_of("/v1/refunds/{id}", id),
            timeout=timeout,
        )
        return answer

    def list_disputes(
        self,
        *,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        created_after: str | Unset = UNSET,
        created_before: str | Unset = UNSET,
        merchant_id: str | Unset = UNSET,
        checkout_session_id: str | Unset = UNSET,
        charge: str | Unset = UNSET,
        status: Literal["needs_response", "under_review", "won", "lost", "closed"] | Unset = UNSET,
        timeout: float | None = None,
    ) -> models.ListDisputesResponse:
        """List disputes.

        Args:
            limit: The maximum number of items, 1 to 100. The default is 20.
            starting_after: The ID of the last item on the previous page. The list continues after it. An ID that is not in the list is rejected.
            created_after: Only items created at this time or later: ISO 8601, with `Z` or an offset.
            created_before: Only items created before this time.
            merchant_id: Only items of this merchant.
            checkout_session_id: Only items of this checkout session.
            charge: Only disputes of this charge.
            status: Only disputes with this status.
        """
        answer: models.ListDisputesResponse = self._send(
            "GET",
            "/v1/disputes",
            query={"limit": limit, "starting_after": starting_after, "created_after": created_after, "created_before": created_before, "merchant_id": merchant_id, "checkout_session_id": checkout_session_id, "charge": charge, "status": status},
            timeout=timeout,
        )
        return answer

    def retrieve_dispute_totals(
        self,
        *,
        created_after: str | Unset = UNSET,
        created_before: str | Unset = UNSET,
        merchant_id: str | Unset = UNSET,
        checkout_session_id: str | Unset = UNSET,
        charge: str | Unset = UNSET,
        status: Literal["needs_response", "under_review", "won", "lost", "closed"] | Unset = UNSET,
        timeout: float | None = None,
    ) -> models.DisputeTotals:
        """Retrieve totals of disputes.

        Args:
            created_after: Only items created at this time or later: ISO 8601, with `Z` or an offset.
            created_before: Only items created before this time.
            merchant_id: Only items of this merchant.
            checkout_session_id: Only items of this checkout session.
            charge: Only disputes of this charge.
            status: Only disputes with this status.
        """
        answer: models.DisputeTotals = self._send(
            "GET",
            "/v1/disputes/totals",
            query={"created_after": created_after, "created_before": created_before, "merchant_id": merchant_id, "checkout_session_id": checkout_session_id, "charge": charge, "status": status},
            timeout=timeout,
        )
        return answer

    def retrieve_dispute(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> models.Dispute:
        """Retrieve a dispute."""
        answer: models.Dispute = self._send(
            "GET",
            path_of("/v1/disputes/{id}", id),
            timeout=timeout,
        )
        return answer

    def list_payouts(
        self,
        *,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        created_after: str | Unset = UNSET,
        created_before: str | Unset = UNSET,
        merchant_id: str | Unset = UNSET,
        arrival_date: str | Unset = UNSET,
        status: Literal["pending", "paid", "failed", "canceled"] | Unset = UNSET,
        timeout: float | None = None,
    ) -> models.ListPayoutsResponse:
        """List payouts.

        Args:
            limit: The maximum number of items, 1 to 100. The default is 20.
            starting_after: The ID of the last item on the previous page. The list continues after it. An ID that is not in the list is rejected.
            created_after: Only items created at this time or later: ISO 8601, with `Z` or an offset.
            created_before: Only items created before this time.
            merchant_id: Only items of this merchant.
            arrival_date: Only what arrives on this day.
            status: Only payouts with this status.
        """
        answer: models.ListPayoutsResponse = self._send(
            "GET",
            "/v1/payouts",
            query={"limit": limit, "starting_after": starting_after, "created_after": created_after, "created_before": created_before, "merchant_id": merchant_id, "arrival_date": arrival_date, "status": status},
            timeout=timeout,
        )
        return answer

    def retrieve_payout_totals(
        self,
        *,
        created_after: str | Unset = UNSET,
        created_before: str | Unset = UNSET,
        merchant_id: str | Unset = UNSET,
        arrival_date: str | Unset = UNSET,
        status: Literal["pending", "paid", "failed", "canceled"] | Unset = UNSET,
        timeout: float | None = None,
    ) -> models.PayoutTotals:
        """Retrieve totals of payouts.

        Args:
            created_after: Only items created at this time or later: ISO 8601, with `Z` or an offset.
            created_before: Only items created before this time.
            merchant_id: Only items of this merchant.
            arrival_date: Only what arrives on this day.
            status: Only payouts with this status.
        """
        answer: models.PayoutTotals = self._send(
            "GET",
            "/v1/payouts/totals",
            query={"created_after": created_after, "created_before": created_before, "merchant_id": merchant_id, "arrival_date": arrival_date, "status": status},
            timeout=timeout,
        )
        return answer

    def retrieve_payout(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> models.Payout:
        """Retrieve a payout."""
        answer: models.Payout = self._send(
            "GET",
            path_of("/v1/payouts/{id}", id),
            timeout=timeout,
        )
        return answer

    def list_payout_entries(
        self,
        *,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        created_after: str | Unset = UNSET,
        created_before: str | Unset = UNSET,
        merchant_id: str | Unset = UNSET,
        arrival_date: str | Unset = UNSET,
        payout: str | Unset = UNSET,
        charge: str | Unset = UNSET,
        timeout: float | None = None,
    ) -> models.ListPayoutEntriesResponse:
        """List payout entries.

        Args:
            limit: The maximum number of items, 1 to 100. The default is 20.
            starting_after: The ID of the last item on the previous page. The list continues after it. An ID that is not in the list is rejected.
            created_after: Only items created at this time or later: ISO 8601, with `Z` or an offset.
            created_before: Only items created before this time.
            merchant_id: Only items of this merchant.
            arrival_date: Only what arrives on this day.
            payout: Only entries of this payout.
            charge: Only entries of this charge.
        """
        answer: models.ListPayoutEntriesResponse = self._send(
            "GET",
            "/v1/payout_entries",
            query={"limit": limit, "starting_after": starting_after, "created_after": created_after, "created_before": created_before, "merchant_id": merchant_id, "arrival_date": arrival_date, "payout": payout, "charge": charge},
            timeout=timeout,
        )
        return answer

    def retrieve_payout_entry_totals(
        self,
        *,
        created_after: str | Unset = UNSET,
        created_before: str | Unset = UNSET,
        merchant_id: str | Unset = UNSET,
        arrival_date: str | Unset = UNSET,
        payout: str | Unset = UNSET,
        charge: str | Unset = UNSET,
        timeout: float | None = None,
    ) -> models.PayoutEntryTotals:
        """Retrieve totals of payout entries.

        Args:
            created_after: Only items created at this time or later: ISO 8601, with `Z` or an offset.
            created_before: Only items created before this time.
            merchant_id: Only items of this merchant.
            arrival_date: Only what arrives on this day.
            payout: Only entries of this payout.
            charge: Only entries of this charge.
        """
        answer: models.PayoutEntryTotals = self._send(
            "GET",
            "/v1/payout_entries/totals",
            query={"created_after": created_after, "created_before": created_before, "merchant_id": merchant_id, "arrival_date": arrival_date, "payout": payout, "charge": charge},
            timeout=timeout,
        )
        return answer

    def capture_charge(
        self,
        charge_id: str,
        *,
        amount_cents: int | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.ListedCharge:
        """Capture a hold.

        Args:
            amount_cents: The amount to capture, an integer in the currency's minor unit, at most the hold. If you omit the field, the whole hold is captured. `null` is rejected with `invalid_value`.
        """
        answer: models.ListedCharge = self._send(
            "POST",
            path_of("/v1/charges/{charge_id}/capture", charge_id),
            body={"amount_cents": amount_cents},
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def void_charge(
        self,
        charge_id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.ListedCharge:
        """Void a hold."""
        answer: models.ListedCharge = self._send(
            "POST",
            path_of("/v1/charges/{charge_id}/void", charge_id),
            body={},
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def settle_charge(
        self,
        charge_id: str,
        *,
        outcome: Literal["succeeded", "not_received"],
        processor_payment_id: str | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.ListedCharge:
        """Settle a charge manually.

        Args:
            outcome: The outcome at the processor. `succeeded`: it took the money. `not_received`: it does not know the charge and never will.
            processor_payment_id: The processor reference of the payment. Required with `succeeded`, and not allowed otherwise.
        """
        answer: models.ListedCharge = self._send(
            "POST",
            path_of("/v1/charges/{charge_id}/settle", charge_id),
            body={"outcome": outcome, "processor_payment_id": processor_payment_id},
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def settle_refund(
        self,
        id: str,
        *,
        outcome: Literal["succeeded", "refused", "not_received"],
        processor_refund_id: str | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.Refund:
        """Settle a refund manually.

        Args:
            outcome: The outcome at the processor. `succeeded`: the money was refunded. `refused`: the processor accepted the refund, but it failed. `not_received`: it does not know the refund and never will.
            processor_refund_id: The processor reference of the refund. Required with `succeeded`, and not allowed otherwise.
        """
        answer: models.Refund = self._send(
            "POST",
            path_of("/v1/refunds/{id}/settle", id),
            body={"outcome": outcome, "processor_refund_id": processor_refund_id},
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def list_texts(
        self,
        *,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        created_after: str | Unset = UNSET,
        created_before: str | Unset = UNSET,
        checkout_session_id: str | Unset = UNSET,
        caller_phone: str | Unset = UNSET,
        charge: str | Unset = UNSET,
        delivery_status: Literal["waiting", "sending", "sent", "delivered", "unconfirmed", "undelivered", "failed", "unknown", "opted_out"] | Unset = UNSET,
        undelivered: Literal["true"] | Unset = UNSET,
        timeout: float | None = None,
    ) -> models.ListTextsResponse:
        """List texts.

        Args:
            limit: The maximum number of items, 1 to 100. The default is 20.
            starting_after: The ID of the last item on the previous page. The list continues after it. An ID that is not in the list is rejected.
            created_after: Only items created at this time or later: ISO 8601, with `Z` or an offset.
            created_before: Only items created before this time.
            checkout_session_id: Only items of this checkout session.
            caller_phone: Only items of callers with this number. Send it in E.164 (write `+` as `%2B` in a URL), as dialed in a country of your merchants, or as its last 4 to 10 digits. You can write digits as words in English, Spanish, French or German. Spaces, dots, dashes, slashes, brackets, invisible characters and an extension are ignored. A merchant's country comes from its currency, language and numbers. Withheld and cleared numbers match nothing.
            charge: Only texts about the charge with this `charge_id`.
            delivery_status: Only texts with this delivery status: the carrier's report (`delivery`), or `status` if there is no report yet.
            undelivered: `true`: only texts that could not be sent, or that the carrier reports as undelivered.
        """
        answer: models.ListTextsResponse = self._send(
            "GET",
            "/v1/texts",
            query={"limit": limit, "starting_after": starting_after, "created_after": created_after, "created_before": created_before, "checkout_session_id": checkout_session_id, "caller_phone": caller_phone, "charge": charge, "delivery_status": delivery_status, "undelivered": undelivered},
            timeout=timeout,
        )
        return answer

    def retrieve_text_totals(
        self,
        *,
        created_after: str | Unset = UNSET,
        created_before: str | Unset = UNSET,
        checkout_session_id: str | Unset = UNSET,
        caller_phone: str | Unset = UNSET,
        charge: str | Unset = UNSET,
        delivery_status: Literal["waiting", "sending", "sent", "delivered", "unconfirmed", "undelivered", "failed", "unknown", "opted_out"] | Unset = UNSET,
        undelivered: Literal["true"] | Unset = UNSET,
        timeout: float | None = None,
    ) -> models.TextTotals:
        """Retrieve totals of texts.

        Args:
            created_after: Only items created at this time or later: ISO 8601, with `Z` or an offset.
            created_before: Only items created before this time.
            checkout_session_id: Only items of this checkout session.
            caller_phone: Only items of callers with this number. Send it in E.164 (write `+` as `%2B` in a URL), as dialed in a country of your merchants, or as its last 4 to 10 digits. You can write digits as words in English, Spanish, French or German. Spaces, dots, dashes, slashes, brackets, invisible characters and an extension are ignored. A merchant's country comes from its currency, language and numbers. Withheld and cleared numbers match nothing.
            charge: Only texts about the charge with this `charge_id`.
            delivery_status: Only texts with this delivery status: the carrier's report (`delivery`), or `status` if there is no report yet.
            undelivered: `true`: only texts that could not be sent, or that the carrier reports as undelivered.
        """
        answer: models.TextTotals = self._send(
            "GET",
            "/v1/texts/totals",
            query={"created_after": created_after, "created_before": created_before, "checkout_session_id": checkout_session_id, "caller_phone": caller_phone, "charge": charge, "delivery_status": delivery_status, "undelivered": undelivered},
            timeout=timeout,
        )
        return answer

    def list_emails(
        self,
        *,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        created_after: str | Unset = UNSET,
        created_before: str | Unset = UNSET,
        checkout_session_id: str | Unset = UNSET,
        charge: str | Unset = UNSET,
        status: Literal["waiting", "sent", "failed"] | Unset = UNSET,
        undelivered: Literal["true"] | Unset = UNSET,
        timeout: float | None = None,
    ) -> models.ListEmailsResponse:
        """List emails.

        Args:
            limit: The maximum number of items, 1 to 100. The default is 20.
            starting_after: The ID of the last item on the previous page. The list continues after it. An ID that is not in the list is rejected.
            created_after: Only items created at this time or later: ISO 8601, with `Z` or an offset.
            created_before: Only items created before this time.
            checkout_session_id: Only items of this checkout session.
            charge: Only emails about the charge with this `charge_id`.
            status: Only emails with this status.
            undelivered: `true`: only emails that should have been sent and were not: those with the status `failed`, without `caller_erased` and `replaced`.
        """
        answer: models.ListEmailsResponse = self._send(
            "GET",
            "/v1/emails",
            query={"limit": limit, "starting_after": starting_after, "created_after": created_after, "created_before": created_before, "checkout_session_id": checkout_session_id, "charge": charge, "status": status, "undelivered": undelivered},
            timeout=timeout,
        )
        return answer

    def create_merchant(
        self,
        *,
        business_name: str,
        slug: str | Unset = UNSET,
        numbers: list[str] | Unset = UNSET,
        currency: Literal["USD", "EUR", "GBP", "CAD", "AUD", "JPY", "KRW"] | Unset = UNSET,
        payment_policy: Literal["never", "optional", "always", "above"] | Unset = UNSET,
        payment_policy_amount_cents: int | None | Unset = UNSET,
        language: str | Unset = UNSET,
        second_language: str | None | Unset = UNSET,
        time_zone: str | Unset = UNSET,
        voice: str | None | Unset = UNSET,
        asks_postal_code: bool | Unset = UNSET,
        asks_confirmation: bool | Unset = UNSET,
        card_saving: Literal["never", "ask"] | Unset = UNSET,
        tip_percentages: list[int] | Unset = UNSET,
        partial_minimum_cents: int | None | Unset = UNSET,
        text_after_drop: bool | Unset = UNSET,
        return_mode: Literal["auto", "refer", "bridge", None] | Unset = UNSET,
        bank_debit_phone: str | None | Unset = UNSET,
        accepted_brands: list[Literal["visa", "mastercard", "american-express", "discover", "diners-club", "jcb", "unionpay", "maestro"]] | Unset = UNSET,
        page_accent_color: str | None | Unset = UNSET,
        page_support_phone: str | None | Unset = UNSET,
        page_support_email: str | None | Unset = UNSET,
        page_terms_url: str | None | Unset = UNSET,
        page_privacy_url: str | None | Unset = UNSET,
        order_source: models.CreateMerchantRequestOrderSource1 | models.CreateMerchantRequestOrderSource2 | models.CreateMerchantRequestOrderSource3 | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.Merchant:
        """Create a merchant.

        Args:
            business_name: The name that the caller hears and that the pay page and the receipt show.
            slug: Identifies the merchant in `X-Ringkey-Merchant`. Must be unique within the account and mode. By default it is derived from the name.
            numbers: The numbers that the merchant's callers dial, E.164. `merchant_number` finds the merchant by them. Each number must be unique within the account and mode. The payment line's own numbers are rejected. An update replaces the whole list.
            currency: ISO 4217. The currency of all amounts. The default is `USD`.
            payment_policy: The verdict for each checkout. `never`: none. `optional`: optional. `always`: required. `above`: required from the threshold on, otherwise none. The default is `always`. Open sessions keep their verdict.
            payment_policy_amount_cents: The threshold for `above`, in minor units: payment is required from this amount on. Required with `above`; other policies reject it.
            language: The language in which callers are spoken and written to, BCP 47. The agent, the payment line, the pay page and the texts support `en`, `de`, `es`, `fr`. For any other language they use English. The default is `en-US`.
            second_language: A second language that the greeting offers in that language (\"para español, marque nueve\"). If the caller presses 9 before any other key, the line greets in it. Receipt, pay page and agent use it afterwards, too. Must be a supported language other than `language`. Null, the default, offers none.
            time_zone: IANA name of the time zone for times in texts to callers. The default is `UTC`.
            voice: The voice of the line, `<synthesizer>:<voice>`, such as `polly:Joanna`. The synthesizer must be configured on the service (`espeak-ng`, `openai`, `google`, `polly`, `elevenlabs`); the voice is the synthesizer's own name. A name without a colon is an `espeak-ng` voice. The voice speaks the merchant's language only. While it fails, espeak-ng speaks. Null uses the default voice of the language.
            asks_postal_code: Whether the line asks for the card's postal code. The default is false.
            asks_confirmation: Whether the line reads back the card and the amount and the caller must press 1 before it charges. The default is false.
            card_saving: Whether the line and the pay page ask callers to save their card for next time. `ask`: once per call, before the charge, if the caller has a number and the processor can save the card. The card is saved when the charge succeeds, with a record of the consent. `never`, the default: callers are not asked and no card is saved.
            tip_percentages: Tips that the line offers after the card was entered, and the pay page above its form, in percent of the amount due: up to three whole numbers from 1 to 50, on keys 1 to 3. The caller can decline (0, or no key). The line then says the final amount, and charges it after the caller has pressed 1. `[]`, the default, offers no tip.
            partial_minimum_cents: Lets payers pay a part of the amount, from this many minor units on, in the merchant’s currency. The checkout is then complete, and `remaining_cents` says what is left. Not for holds, bank debits and checkouts that only save a card. Null, the default: only the whole amount.
            text_after_drop: Whether callers whose call dropped before payment receive the pay link by SMS. It is sent after 20 seconds, once per session, unless the caller has called again or has a newer checkout with the merchant. The rules of `send_link` apply: not to numbers that have opted out, and at most three per hour. The default is false.
            return_mode: How a call returns to `return_to`. `refer`: by SIP REFER. `bridge`: we call the target and connect both calls. `auto`: REFER if the other side supports it, otherwise a bridge. Null uses the service's default.
            bank_debit_phone: Lets callers pay from a US bank account, if a checkout offers it (`payment_methods`) and the processor makes bank debits. A number that is answered during business hours, E.164: the line and the text say it for questions and to revoke the debit. Null, the default: the merchant takes no bank debits.
            accepted_brands: Card brands that the line accepts. If a caller enters a card of another brand, the line says so and the caller can enter another card. The default is Visa, Mastercard, American Express and Discover.
            page_accent_color: The color of buttons, links and icons on the merchant's pay pages, and of its emails: `#` and six hexadecimal digits. It is adjusted so that text stays readable (WCAG 2.2, 4.5:1). Null, the default: the account's.
            page_support_phone: Phone number for questions, E.164, on the merchant's pay pages and in its emails. Null, the default: the account's.
            page_support_email: Email address for questions, on the merchant's pay pages and in its emails. Null, the default: the account's.
            page_terms_url: The merchant's terms: an `https://` URL that its pay pages link to. Null, the default: the account's.
            page_privacy_url: The merchant's privacy policy: an `https://` URL that its pay pages link to. Null, the default: the account's.
            order_source: Where orders are looked up. The default is the sandbox in test mode and none in live mode.
        """
        answer: models.Merchant = self._send(
            "POST",
            "/v1/merchants",
            body={"business_name": business_name, "slug": slug, "numbers": numbers, "currency": currency, "payment_policy": payment_policy, "payment_policy_amount_cents": payment_policy_amount_cents, "language": language, "second_language": second_language, "time_zone": time_zone, "voice": voice, "asks_postal_code": asks_postal_code, "asks_confirmation": asks_confirmation, "card_saving": card_saving, "tip_percentages": tip_percentages, "partial_minimum_cents": partial_minimum_cents, "text_after_drop": text_after_drop, "return_mode": return_mode, "bank_debit_phone": bank_debit_phone, "accepted_brands": accepted_brands, "page_accent_color": page_accent_color, "page_support_phone": page_support_phone, "page_support_email": page_support_email, "page_terms_url": page_terms_url, "page_privacy_url": page_privacy_url, "order_source": order_source},
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def list_merchants(
        self,
        *,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        search: str | Unset = UNSET,
        timeout: float | None = None,
    ) -> models.ListMerchantsResponse:
        """List merchants.

        Args:
            limit: The maximum number of items, 1 to 100. The default is 20.
            starting_after: The ID of the last item on the previous page. The list continues after it. An ID that is not in the list is rejected.
            search: Only merchants whose `business_name` contains this text, in upper or lower case, or whose `merchant_id` is this text.
        """
        answer: models.ListMerchantsResponse = self._send(
            "GET",
            "/v1/merchants",
            query={"limit": limit, "starting_after": starting_after, "search": search},
            timeout=timeout,
        )
        return answer

    def retrieve_merchant(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> models.Merchant:
        """Retrieve a merchant."""
        answer: models.Merchant = self._send(
            "GET",
            path_of("/v1/merchants/{id}", id),
            timeout=timeout,
        )
        return answer

    def change_merchant(
        self,
        id: str,
        *,
        business_name: str | Unset = UNSET,
        slug: str | Unset = UNSET,
        numbers: list[str] | Unset = UNSET,
        currency: Literal["USD", "EUR", "GBP", "CAD", "AUD", "JPY", "KRW"] | Unset = UNSET,
        payment_policy: Literal["never", "optional", "always", "above"] | Unset = UNSET,
        payment_policy_amount_cents: int | None | Unset = UNSET,
        language: str | Unset = UNSET,
        second_language: str | None | Unset = UNSET,
        time_zone: str | Unset = UNSET,
        voice: str | None | Unset = UNSET,
        asks_postal_code: bool | Unset = UNSET,
        asks_confirmation: bool | Unset = UNSET,
        card_saving: Literal["never", "ask"] | Unset = UNSET,
        tip_percentages: list[int] | Unset = UNSET,
        partial_minimum_cents: int | None | Unset = UNSET,
        text_after_drop: bool | Unset = UNSET,
        return_mode: Literal["auto", "refer", "bridge", None] | Unset = UNSET,
        bank_debit_phone: str | None | Unset = UNSET,
        accepted_brands: list[Literal["visa", "mastercard", "american-express", "discover", "diners-club", "jcb", "unionpay", "maestro"]] | Unset = UNSET,
        page_accent_color: str | None | Unset = UNSET,
        page_support_phone: str | None | Unset = UNSET,
        page_support_email: str | None | Unset = UNSET,
        page_terms_url: str | None | Unset = UNSET,
        page_privacy_url: str | None | Unset = UNSET,
        order_source: models.ChangeMerchantRequestOrderSource1 | models.ChangeMerchantRequestOrderSource2 | models.ChangeMerchantRequestOrderSource3 | Unset = UNSET,
        timeout: float | None = None,
    ) -> models.Merchant:
        """Update a merchant.

        Args:
            business_name: The name that the caller hears and that the pay page and the receipt show.
            slug: Identifies the merchant in `X-Ringkey-Merchant`. Must be unique within the account and mode. By default it is derived from the name.
            numbers: The numbers that the merchant's callers dial, E.164. `merchant_number` finds the merchant by them. Each number must be unique within the account and mode. The payment line's own numbers are rejected. An update replaces the whole list.
            currency: ISO 4217. The currency of all amounts. The default is `USD`.
            payment_policy: The verdict for each checkout. `never`: none. `optional`: optional. `always`: required. `above`: required from the threshold on, otherwise none. The default is `always`. Open sessions keep their verdict.
            payment_policy_amount_cents: The threshold for `above`, in minor units: payment is required from this amount on. Required with `above`; other policies reject it.
            language: The language in which callers are spoken and written to, BCP 47. The agent, the payment line, the pay page and the texts support `en`, `de`, `es`, `fr`. For any other language they use English. The default is `en-US`.
            second_language: A second language that the greeting offers in that language (\"para español, marque nueve\"). If the caller presses 9 before any other key, the line greets in it. Receipt, pay page and agent use it afterwards, too. Must be a supported language other than `language`. Null, the default, offers none.
            time_zone: IANA name of the time zone for times in texts to callers. The default is `UTC`.
            voice: The voice of the line, `<synthesizer>:<voice>`, such as `polly:Joanna`. The synthesizer must be configured on the service (`espeak-ng`, `openai`, `google`, `polly`, `elevenlabs`); the voice is the synthesizer's own name. A name without a colon is an `espeak-ng` voice. The voice speaks the merchant's language only. While it fails, espeak-ng speaks. Null uses the default voice of the language.
            asks_postal_code: Whether the line asks for the card's postal code. The default is false.
            asks_confirmation: Whether the line reads back the card and the amount and the caller must press 1 before it charges. The default is false.
            card_saving: Whether the line and the pay page ask callers to save their card for next time. `ask`: once per call, before the charge, if the caller has a number and the processor can save the card. The card is saved when the charge succeeds, with a record of the consent. `never`, the default: callers are not asked and no card is saved.
            tip_percentages: Tips that the line offers after the card was entered, and the pay page above its form, in percent of the amount due: up to three whole numbers from 1 to 50, on keys 1 to 3. The caller can decline (0, or no key). The line then says the final amount, and charges it after the caller has pressed 1. `[]`, the default, offers no tip.
            partial_minimum_cents: Lets payers pay a part of the amount, from this many minor units on, in the merchant’s currency. The checkout is then complete, and `remaining_cents` says what is left. Not for holds, bank debits and checkouts that only save a card. Null, the default: only the whole amount.
            text_after_drop: Whether callers whose call dropped before payment receive the pay link by SMS. It is sent after 20 seconds, once per session, unless the caller has called again or has a newer checkout with the merchant. The rules of `send_link` apply: not to numbers that have opted out, and at most three per hour. The default is false.
            return_mode: How a call returns to `return_to`. `refer`: by SIP REFER. `bridge`: we call the target and connect both calls. `auto`: REFER if the other side supports it, otherwise a bridge. Null uses the service's default.
            bank_debit_phone: Lets callers pay from a US bank account, if a checkout offers it (`payment_methods`) and the processor makes bank debits. A number that is answered during business hours, E.164: the line and the text say it for questions and to revoke the debit. Null, the default: the merchant takes no bank debits.
            accepted_brands: Card brands that the line accepts. If a caller enters a card of another brand, the line says so and the caller can enter another card. The default is Visa, Mastercard, American Express and Discover.
            page_accent_color: The color of buttons, links and icons on the merchant's pay pages, and of its emails: `#` and six hexadecimal digits. It is adjusted so that text stays readable (WCAG 2.2, 4.5:1). Null, the default: the account's.
            page_support_phone: Phone number for questions, E.164, on the merchant's pay pages and in its emails. Null, the default: the account's.
            page_support_email: Email address for questions, on the merchant's pay pages and in its emails. Null, the default: the account's.
            page_terms_url: The merchant's terms: an `https://` URL that its pay pages link to. Null, the default: the account's.
            page_privacy_url: The merchant's privacy policy: an `https://` URL that its pay pages link to. Null, the default: the account's.
            order_source: Where orders are looked up. The default is the sandbox in test mode and none in live mode.
        """
        answer: models.Merchant = self._send(
            "PATCH",
            path_of("/v1/merchants/{id}", id),
            body={"business_name": business_name, "slug": slug, "numbers": numbers, "currency": currency, "payment_policy": payment_policy, "payment_policy_amount_cents": payment_policy_amount_cents, "language": language, "second_language": second_language, "time_zone": time_zone, "voice": voice, "asks_postal_code": asks_postal_code, "asks_confirmation": asks_confirmation, "card_saving": card_saving, "tip_percentages": tip_percentages, "partial_minimum_cents": partial_minimum_cents, "text_after_drop": text_after_drop, "return_mode": return_mode, "bank_debit_phone": bank_debit_phone, "accepted_brands": accepted_brands, "page_accent_color": page_accent_color, "page_support_phone": page_support_phone, "page_support_email": page_support_email, "page_terms_url": page_terms_url, "page_privacy_url": page_privacy_url, "order_source": order_source},
            timeout=timeout,
        )
        return answer

    def connect_processor(
        self,
        id: str,
        *,
        processor: str,
        environment: Literal["test", "live"] | Unset = UNSET,
        credentials: dict[str, str] | Unset = UNSET,
        notification_secret: str | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.Merchant:
        """Connect the merchant's processor.

        Args:
            processor: `stripe`, `square`, `authorizenet`, `checkoutcom`, `braintree`, `worldpay`, `hyperswitch`, `adyen`, `payconnector`, or in test mode only `sandbox` or `sandbox_page`. `sandbox_page` takes cards on the pay page only, so the line texts the link at once. Any other value returns `invalid_processor`.
            environment: Must be the mode of your key, which is the default.
            credentials: The credentials of the processor, by its own names. They are never shown again. `sandbox`, `sandbox_page`: none. `stripe`: `secret_key` and optionally `publishable_key` (card fields on the pay page) and `account_id` (an account connected to your platform). `square`: `access_token`, `application_id`, `location_id`. `authorizenet`: `api_login_id`, `transaction_key` and optionally `public_client_key` (card fields on the pay page). `checkoutcom`: `secret_key` and optionally `public_key`, `processing_channel_id` and `prefix`. `braintree`: `public_key`, `private_key`, `merchant_account_id`, `currency` and optionally `tokenization_key` (card fields on the pay page). `hyperswitch`: `base_url`, `api_key`, `connector` and optionally `profile_id`. `worldpay`: `username`, `password`, `entity`, `narrative` and optionally `checkout_id` (card fields on the pay page). `adyen`: `api_key`, `merchant_account`, in live mode `url_prefix`, and optionally `client_key` (card fields on the pay page) with its `environment`, and `report_api_key` (payouts). `payconnector`: `url`, `username`, `password` and optionally `lookup_url`.
            notification_secret: The secret that the processor signs its notifications with. It is stored encrypted and never shown again. If you omit the field, an earlier one is kept. It can also be set later.
        """
        answer: models.Merchant = self._send(
            "POST",
            path_of("/v1/merchants/{id}/processor", id),
            body={"processor": processor, "environment": environment, "credentials": credentials, "notification_secret": notification_secret},
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def retrieve_merchant_status(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> models.RetrieveMerchantStatusResponse:
        """List what live payments still require."""
        answer: models.RetrieveMerchantStatusResponse = self._send(
            "GET",
            path_of("/v1/merchants/{id}/status", id),
            timeout=timeout,
        )
        return answer

    def retrieve_merchant_logo(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> models.MerchantLogo:
        """Retrieve the merchant's logo."""
        answer: models.MerchantLogo = self._send(
            "GET",
            path_of("/v1/merchants/{id}/logo", id),
            timeout=timeout,
        )
        return answer

    def remove_merchant_logo(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> models.MerchantLogo:
        """Remove the merchant's logo."""
        answer: models.MerchantLogo = self._send(
            "DELETE",
            path_of("/v1/merchants/{id}/logo", id),
            timeout=timeout,
        )
        return answer

    def set_merchant_logo(
        self,
        id: str,
        *,
        file: bytes,
        content_type: Literal["image/png", "image/svg+xml"],
        timeout: float | None = None,
    ) -> models.MerchantLogo:
        """Set the merchant's logo."""
        answer: models.MerchantLogo = self._send(
            "PUT",
            path_of("/v1/merchants/{id}/logo", id),
            file=file,
            content_type=content_type,
            timeout=timeout,
        )
        return answer

    def set_notification_secret(
        self,
        id: str,
        *,
        notification_secret: str | None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.SetNotificationSecretResponse:
        """Set the secret of processor notifications.

        Args:
            notification_secret: The secret that the processor signs its notifications with. It is stored encrypted and never shown again. The former one is accepted for 24 more hours. `null`: accept no notifications from now on.
        """
        answer: models.SetNotificationSecretResponse = self._send(
            "POST",
            path_of("/v1/merchants/{id}/processor/notification_secret", id),
            body={"notification_secret": notification_secret},
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def retrieve_notification_settings(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> models.RetrieveNotificationSettingsResponse:
        """Retrieve the settings of processor notifications."""
        answer: models.RetrieveNotificationSettingsResponse = self._send(
            "GET",
            path_of("/v1/merchants/{id}/processor/notifications", id),
            timeout=timeout,
        )
        return answer

    def retrieve_order(
        self,
        id: str,
        *,
        merchant_id: str,
        timeout: float | None = None,
    ) -> models.RetrieveOrderResponse:
        """Look up an order.

        Args:
            merchant_id: The merchant whose order source is asked.
        """
        answer: models.RetrieveOrderResponse = self._send(
            "GET",
            path_of("/v1/orders/{id}", id),
            query={"merchant_id": merchant_id},
            timeout=timeout,
        )
        return answer

    def save_card(
        self,
        *,
        merchant_id: str,
        caller_phone: str,
        token: str,
        vault: str | Unset = UNSET,
        default: bool | Unset = UNSET,
        first_name: str | Unset = UNSET,
        last_name: str | Unset = UNSET,
        email: str | Unset = UNSET,
        save_terms: Literal["returning", "merchant_initiated"] | Unset = UNSET,
        max_amount_cents: int | Unset = UNSET,
        consent_text: str | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.SaveCardResponse:
        """Save a card.

        Args:
            merchant_id: The merchant that can charge the card.
            caller_phone: The caller's number, E.164. An unknown number creates a new caller.
            token: The token that the processor's own page or SDK created for the card. In the sandbox, a token of the test cards. Card numbers are rejected.
            vault: The processor whose wallet holds the token. The default is the merchant's processor. If the processor is unknown, returns `invalid_vault`. If it is not the merchant's, returns `processor_mismatch`.
            default: Whether it becomes the caller's default card at this merchant.
            first_name: The caller's first name. If you omit it, it keeps its value.
            last_name: The caller's last name. If you omit it, it keeps its value.
            email: The caller's email address. If you omit it, it keeps its value.
            save_terms: What the caller agreed to. `returning`, the default: the caller can choose the card when paying again. `merchant_initiated`: the merchant can also charge it without the caller (`create_charge`). Saving the card again as `returning` does not end an earlier consent; deleting the card does.
            max_amount_cents: The highest amount of one charge without the caller, in minor units, if the caller agreed to one. Only with `merchant_initiated`.
            consent_text: The sentence that the caller agreed to. It is kept with the consent, as the card networks require for charges without the caller.
        """
        answer: models.SaveCardResponse = self._send(
            "POST",
            "/v1/cards",
            body={"merchant_id": merchant_id, "caller_phone": caller_phone, "token": token, "vault": vault, "default": default, "first_name": first_name, "last_name": last_name, "email": email, "save_terms": save_terms, "max_amount_cents": max_amount_cents, "consent_text": consent_text},
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def list_cards(
        self,
        *,
        merchant_id: str,
        caller_phone: str,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        timeout: float | None = None,
    ) -> models.ListCardsResponse:
        """List a caller's cards at a merchant.

        Args:
            merchant_id: The merchant that would charge the cards.
            caller_phone: The caller's number, E.164. In a URL, write `+` as `%2B`.
            limit: The maximum number of items, 1 to 100. The default is 20.
            starting_after: The ID of the last item on the previous page. The list continues after it. An ID that is not in the list is rejected.
        """
        answer: models.ListCardsResponse = self._send(
            "GET",
            "/v1/cards",
            query={"merchant_id": merchant_id, "caller_phone": caller_phone, "limit": limit, "starting_after": starting_after},
            timeout=timeout,
        )
        return answer

    def delete_card(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> models.DeleteCardResponse:
        """Delete a saved card."""
        answer: models.DeleteCardResponse = self._send(
            "DELETE",
            path_of("/v1/cards/{id}", id),
            timeout=timeout,
        )
        return answer

    def find_callers(
        self,
        *,
        caller_phone: str,
        timeout: float | None = None,
    ) -> models.FindCallersResponse:
        """Find callers by number.

        Args:
            caller_phone: The number in E.164 (write `+` as `%2B` in a URL), as dialed in a country of your merchants, or its last 4 to 10 digits. Spaces, dots, dashes, slashes, brackets, invisible characters and an extension are ignored.
        """
        answer: models.FindCallersResponse = self._send(
            "GET",
            "/v1/callers",
            query={"caller_phone": caller_phone},
            timeout=timeout,
        )
        return answer

    def change_caller_note(
        self,
        *,
        caller_phone: str,
        note: str | None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.Caller:
        """Write a note about a caller.

        Args:
            caller_phone: The caller's number, E.164.
            note: The note, up to 2000 characters. Null deletes it. Card data is rejected.
        """
        answer: models.Caller = self._send(
            "POST",
            "/v1/callers/note",
            body={"caller_phone": caller_phone, "note": note},
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def erase_caller(
        self,
        *,
        caller_phone: str,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.EraseCallerResponse:
        """Erase a caller by number.

        Args:
            caller_phone: The caller's number, E.164.
        """
        answer: models.EraseCallerResponse = self._send(
            "POST",
            "/v1/callers/erase",
            body={"caller_phone": caller_phone},
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def erase_consumer(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> models.EraseConsumerResponse:
        """Erase a caller."""
        answer: models.EraseConsumerResponse = self._send(
            "DELETE",
            path_of("/v1/consumers/{id}", id),
            timeout=timeout,
        )
        return answer

    def retrieve_account(
        self,
        *,
        timeout: float | None = None,
    ) -> models.Account:
        """Retrieve the account."""
        answer: models.Account = self._send(
            "GET",
            "/v1/account",
            timeout=timeout,
        )
        return answer

    def change_account(
        self,
        *,
        return_hosts: list[str] | None | Unset = UNSET,
        return_number_prefixes: list[str] | Unset = UNSET,
        text_countries: list[str] | Unset = UNSET,
        attestation_url: str | None | Unset = UNSET,
        page_accent_color: str | None | Unset = UNSET,
        page_support_phone: str | None | Unset = UNSET,
        page_support_email: str | None | Unset = UNSET,
        page_terms_url: str | None | Unset = UNSET,
        page_privacy_url: str | None | Unset = UNSET,
        timeout: float | None = None,
    ) -> models.Account:
        """Update the account.

        Args:
            return_hosts: Hosts that a `return_to` with a SIP URI may use, in both modes: a name, `*.example.com` for all its subdomains, an IP address, or `*` for every public host. Null until you set it: test mode then allows every public host, live mode allows none. Only the operator of the service can allow loopback and private addresses.
            return_number_prefixes: Allowed prefixes of phone numbers in `return_to` in live mode: `+` and 1 to 15 digits, such as `+44`. Emergency, short, premium and satellite numbers are never called.
            text_countries: Countries whose numbers the account may text, in both modes, in addition to those of its merchants: two-letter codes (ISO 3166-1), such as `MX`. Each merchant adds the countries of its currency and of its own numbers. Premium and satellite numbers are never texted.
            attestation_url: Your HTTPS URL that returns the attestation level of a call, in the mode of the key. It is called once for each `create_checkout` with `caller_phone` and `platform_call_id`. [How it is called](/docs/screening#attestation-url). If null, no URL is called.
            page_accent_color: The color of buttons, links and icons on the pay page, in the mode of the key: `#` and six hexadecimal digits. The page darkens it in its light theme and lightens it in its dark theme, so that text stays readable (WCAG 2.2, 4.5:1). Null, the default, is green.
            page_support_phone: Phone number for questions, E.164, shown on the pay page, in the mode of the key. Everyone who has a pay link can read it. If null, none is shown.
            page_support_email: Email address for questions, shown on the pay page, in the mode of the key. Everyone who has a pay link can read it. If null, none is shown.
            page_terms_url: Your terms: an `https://` URL that the pay page links to, in the mode of the key. It opens in a new tab. If null, no link is shown.
            page_privacy_url: Your privacy policy: an `https://` URL that the pay page links to, in the mode of the key. It opens in a new tab. If null, no link is shown.
        """
        answer: models.Account = self._send(
            "PATCH",
            "/v1/account",
            body={"return_hosts": return_hosts, "return_number_prefixes": return_number_prefixes, "text_countries": text_countries, "attestation_url": attestation_url, "page_accent_color": page_accent_color, "page_support_phone": page_support_phone, "page_support_email": page_support_email, "page_terms_url": page_terms_url, "page_privacy_url": page_privacy_url},
            timeout=timeout,
        )
        return answer

    def roll_header_signing_secret(
        self,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.RollHeaderSigningSecretResponse:
        """Roll the secret of the SIP headers."""
        answer: models.RollHeaderSigningSecretResponse = self._send(
            "POST",
            "/v1/account/roll_header_signing_secret",
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def create_webhook_endpoint(
        self,
        *,
        url: str,
        events: list[Literal["checkout.succeeded", "checkout.failed", "checkout.completed", "checkout.pending", "checkout.expired", "charge.captured", "charge.voided", "charge.authorization_expired", "charge.capture_failed", "charge.returned", "refund.succeeded", "refund.failed", "dispute.created", "dispute.updated", "attention.opened", "attention.closed", "call.answered", "call.step", "call.returned", "call.ended"]],
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.CreateWebhookEndpointResponse:
        """Create a webhook endpoint.

        Args:
            url: The URL to which events are sent. Must be https with a host on the public internet; a demo on your own machine also accepts `http://127.0.0.1`. Any other URL returns `invalid_url`.
            events: The event types to send, each listed once. Otherwise returns `invalid_events`. The `call.` types report the progress of calls. They are sent once, without retries, and dropped if they are late. The `attention.` types report problems that need a person.
        """
        answer: models.CreateWebhookEndpointResponse = self._send(
            "POST",
            "/v1/webhook_endpoints",
            body={"url": url, "events": events},
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def list_webhook_endpoints(
        self,
        *,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        timeout: float | None = None,
    ) -> models.ListWebhookEndpointsResponse:
        """List webhook endpoints.

        Args:
            limit: The maximum number of items, 1 to 100. The default is 20.
            starting_after: The ID of the last item on the previous page. The list continues after it. An ID that is not in the list is rejected.
        """
        answer: models.ListWebhookEndpointsResponse = self._send(
            "GET",
            "/v1/webhook_endpoints",
            query={"limit": limit, "starting_after": starting_after},
            timeout=timeout,
        )
        return answer

    def change_webhook_endpoint(
        self,
        id: str,
        *,
        url: str | Unset = UNSET,
        events: list[Literal["checkout.succeeded", "checkout.failed", "checkout.completed", "checkout.pending", "checkout.expired", "charge.captured", "charge.voided", "charge.authorization_expired", "charge.capture_failed", "charge.returned", "refund.succeeded", "refund.failed", "dispute.created", "dispute.updated", "attention.opened", "attention.closed", "call.answered", "call.step", "call.returned", "call.ended"]] | Unset = UNSET,
        disabled: bool | Unset = UNSET,
        timeout: float | None = None,
    ) -> models.WebhookEndpoint:
        """Update a webhook endpoint.

        Args:
            url: The URL to which events are sent. Must be https with a host on the public internet; a demo on your own machine also accepts `http://127.0.0.1`. Any other URL returns `invalid_url`.
            events: The event types to send, each listed once. Otherwise returns `invalid_events`. The `call.` types report the progress of calls. They are sent once, without retries, and dropped if they are late. The `attention.` types report problems that need a person.
            disabled: If true, no events are sent until you set it to false.
        """
        answer: models.WebhookEndpoint = self._send(
            "PATCH",
            path_of("/v1/webhook_endpoints/{id}", id),
            body={"url": url, "events": events, "disabled": disabled},
            timeout=timeout,
        )
        return answer

    def delete_webhook_endpoint(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> models.DeleteWebhookEndpointResponse:
        """Delete a webhook endpoint."""
        answer: models.DeleteWebhookEndpointResponse = self._send(
            "DELETE",
            path_of("/v1/webhook_endpoints/{id}", id),
            timeout=timeout,
        )
        return answer

    def roll_webhook_secret(
        self,
        id: str,
        *,
        expires_in_seconds: int | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.RollWebhookSecretResponse:
        """Roll the signing secret.

        Args:
            expires_in_seconds: How long the old secret also signs, in seconds: 0 (not at all) to 604800 (seven days). The default is one day.
        """
        answer: models.RollWebhookSecretResponse = self._send(
            "POST",
            path_of("/v1/webhook_endpoints/{id}/roll_secret", id),
            body={"expires_in_seconds": expires_in_seconds},
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def resend_failed_events(
        self,
        id: str,
        *,
        since: str,
        starting_after: str | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.ResendFailedEventsResponse:
        """Send failed events again.

        Args:
            since: Only deliveries whose last attempt was at this time or later: ISO 8601.
            starting_after: The `last_event_id` of the previous response. Only later events are sent.
        """
        answer: models.ResendFailedEventsResponse = self._send(
            "POST",
            path_of("/v1/webhook_endpoints/{id}/resend_failed", id),
            body={"since": since, "starting_after": starting_after},
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def send_test_event(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.Event:
        """Send a test event."""
        answer: models.Event = self._send(
            "POST",
            path_of("/v1/webhook_endpoints/{id}/test", id),
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def create_alert_target(
        self,
        *,
        name: Literal[""] | str | Unset = UNSET,
        topics: list[Literal["payments", "processors", "deliveries", "keys", "service"]] | Unset = UNSET,
        urgent_only: bool | Unset = UNSET,
        time_zone: str | Unset = UNSET,
        quiet_from: int | None | Unset = UNSET,
        quiet_until: int | None | Unset = UNSET,
        summary_hour: int | None | Unset = UNSET,
        summary_if_empty: bool | Unset = UNSET,
        report_merchants: list[str] | Unset = UNSET,
        email: str | Unset = UNSET,
        slack_url: str | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.AlertTarget:
        """Create an alert target.

        Args:
            name: A name for people, such as the name of the Slack channel. Empty if there is none.
            topics: `payments`: to settle, paid late or twice, failed later, disputed. `processors`: refusing, slow, low success rates. `deliveries`: webhooks, texts, emails, alerts. `keys`: API keys about to expire, or expired. `service`: missing processes and servers.
            urgent_only: If true, only urgent problems are sent: processors that refuse or are slow, low success rates of the last hours, charges that were paid late or twice, failed captures, returned bank debits, and missing processes and servers.
            time_zone: IANA name of the time zone of all hours and days. The default is `UTC`.
            quiet_from: Quiet hours begin at this hour. During them, only urgent problems are sent. Null: none.
            quiet_until: Quiet hours end at this hour. Null: none.
            summary_hour: The hour at which a summary of the day before is sent. Null: none.
            summary_if_empty: If true, the summary is also sent after a day without calls, payments and problems.
            report_merchants: Merchants whose reports of the month before are sent on the first day of each month, at `summary_hour` or at 8:00. See `retrieve_month_report`. Empty: none.
            email: The address. Send this or `slack_url`.
            slack_url: The URL of an incoming webhook of Slack, or of a program that takes the same form. It is a secret: it is encrypted, and never shown. Must be https with a host on the public internet. Any other URL returns `invalid_url`.
        """
        answer: models.AlertTarget = self._send(
            "POST",
            "/v1/alert_targets",
            body={"name": name, "topics": topics, "urgent_only": urgent_only, "time_zone": time_zone, "quiet_from": quiet_from, "quiet_until": quiet_until, "summary_hour": summary_hour, "summary_if_empty": summary_if_empty, "report_merchants": report_merchants, "email": email, "slack_url": slack_url},
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def list_alert_targets(
        self,
        *,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        timeout: float | None = None,
    ) -> models.ListAlertTargetsResponse:
        """List alert targets.

        Args:
            limit: The maximum number of items, 1 to 100. The default is 20.
            starting_after: The ID of the last item on the previous page. The list continues after it. An ID that is not in the list is rejected.
        """
        answer: models.ListAlertTargetsResponse = self._send(
            "GET",
            "/v1/alert_targets",
            query={"limit": limit, "starting_after": starting_after},
            timeout=timeout,
        )
        return answer

    def change_alert_target(
        self,
        id: str,
        *,
        name: Literal[""] | str | Unset = UNSET,
        topics: list[Literal["payments", "processors", "deliveries", "keys", "service"]] | Unset = UNSET,
        urgent_only: bool | Unset = UNSET,
        time_zone: str | Unset = UNSET,
        quiet_from: int | None | Unset = UNSET,
        quiet_until: int | None | Unset = UNSET,
        summary_hour: int | None | Unset = UNSET,
        summary_if_empty: bool | Unset = UNSET,
        report_merchants: list[str] | Unset = UNSET,
        slack_url: str | Unset = UNSET,
        timeout: float | None = None,
    ) -> models.AlertTarget:
        """Update an alert target.

        Args:
            name: A name for people, such as the name of the Slack channel. Empty if there is none.
            topics: `payments`: to settle, paid late or twice, failed later, disputed. `processors`: refusing, slow, low success rates. `deliveries`: webhooks, texts, emails, alerts. `keys`: API keys about to expire, or expired. `service`: missing processes and servers.
            urgent_only: If true, only urgent problems are sent: processors that refuse or are slow, low success rates of the last hours, charges that were paid late or twice, failed captures, returned bank debits, and missing processes and servers.
            time_zone: IANA name of the time zone of all hours and days. The default is `UTC`.
            quiet_from: Quiet hours begin at this hour. During them, only urgent problems are sent. Null: none.
            quiet_until: Quiet hours end at this hour. Null: none.
            summary_hour: The hour at which a summary of the day before is sent. Null: none.
            summary_if_empty: If true, the summary is also sent after a day without calls, payments and problems.
            report_merchants: Merchants whose reports of the month before are sent on the first day of each month, at `summary_hour` or at 8:00. See `retrieve_month_report`. Empty: none.
            slack_url: The URL of an incoming webhook of Slack, or of a program that takes the same form. It is a secret: it is encrypted, and never shown. Must be https with a host on the public internet. Any other URL returns `invalid_url`.
        """
        answer: models.AlertTarget = self._send(
            "PATCH",
            path_of("/v1/alert_targets/{id}", id),
            body={"name": name, "topics": topics, "urgent_only": urgent_only, "time_zone": time_zone, "quiet_from": quiet_from, "quiet_until": quiet_until, "summary_hour": summary_hour, "summary_if_empty": summary_if_empty, "report_merchants": report_merchants, "slack_url": slack_url},
            timeout=timeout,
        )
        return answer

    def delete_alert_target(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> models.DeleteAlertTargetResponse:
        """Delete an alert target."""
        answer: models.DeleteAlertTargetResponse = self._send(
            "DELETE",
            path_of("/v1/alert_targets/{id}", id),
            timeout=timeout,
        )
        return answer

    def send_test_alert(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.AlertTarget:
        """Send a test message."""
        answer: models.AlertTarget = self._send(
            "POST",
            path_of("/v1/alert_targets/{id}/test", id),
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def list_webhook_deliveries(
        self,
        id: str,
        *,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        status: Literal["waiting", "delivered", "failed", "canceled"] | Unset = UNSET,
        timeout: float | None = None,
    ) -> models.ListWebhookDeliveriesResponse:
        """List deliveries to a webhook endpoint.

        Args:
            limit: The maximum number of items, 1 to 100. The default is 20.
            starting_after: The ID of the last item on the previous page. The list continues after it. An ID that is not in the list is rejected.
            status: Only deliveries with this status.
        """
        answer: models.ListWebhookDeliveriesResponse = self._send(
            "GET",
            path_of("/v1/webhook_endpoints/{id}/deliveries", id),
            query={"limit": limit, "starting_after": starting_after, "status": status},
            timeout=timeout,
        )
        return answer

    def list_event_deliveries(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> models.ListEventDeliveriesResponse:
        """List deliveries of an event."""
        answer: models.ListEventDeliveriesResponse = self._send(
            "GET",
            path_of("/v1/events/{id}/deliveries", id),
            timeout=timeout,
        )
        return answer

    def list_event_attempts(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> models.ListEventAttemptsResponse:
        """List delivery attempts of an event."""
        answer: models.ListEventAttemptsResponse = self._send(
            "GET",
            path_of("/v1/events/{id}/attempts", id),
            timeout=timeout,
        )
        return answer

    def retrieve_webhook_health(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> models.RetrieveWebhookHealthResponse:
        """Retrieve the health of a webhook endpoint."""
        answer: models.RetrieveWebhookHealthResponse = self._send(
            "GET",
            path_of("/v1/webhook_endpoints/{id}/health", id),
            timeout=timeout,
        )
        return answer

    def list_events(
        self,
        *,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        created_after: str | Unset = UNSET,
        created_before: str | Unset = UNSET,
        type: Literal["checkout.succeeded", "checkout.failed", "checkout.completed", "checkout.pending", "checkout.expired", "charge.captured", "charge.voided", "charge.authorization_expired", "charge.capture_failed", "charge.returned", "refund.succeeded", "refund.failed", "dispute.created", "dispute.updated", "attention.opened", "attention.closed", "test"] | Unset = UNSET,
        checkout_session_id: str | Unset = UNSET,
        delivery: Literal["waiting", "failing", "delivered", "failed", "canceled"] | Unset = UNSET,
        webhook_endpoint_id: str | Unset = UNSET,
        timeout: float | None = None,
    ) -> models.ListEventsResponse:
        """List events.

        Args:
            limit: The maximum number of items, 1 to 100. The default is 20.
            starting_after: The ID of the last item on the previous page. The list continues after it. An ID that is not in the list is rejected.
            created_after: Only items created at this time or later: ISO 8601, with `Z` or an offset.
            created_before: Only items created before this time.
            type: Only events of this type.
            checkout_session_id: Only events of this session.
            delivery: Only events with such a delivery: `waiting` for the first attempt, `failing` (waiting for a retry), `delivered`, `failed` (all attempts), or `canceled`.
            webhook_endpoint_id: Only events that were sent to this endpoint. With `delivery`, by their delivery to it.
        """
        answer: models.ListEventsResponse = self._send(
            "GET",
            "/v1/events",
            query={"limit": limit, "starting_after": starting_after, "created_after": created_after, "created_before": created_before, "type": type, "checkout_session_id": checkout_session_id, "delivery": delivery, "webhook_endpoint_id": webhook_endpoint_id},
            timeout=timeout,
        )
        return answer

    def retrieve_event_totals(
        self,
        *,
        created_after: str | Unset = UNSET,
        created_before: str | Unset = UNSET,
        type: Literal["checkout.succeeded", "checkout.failed", "checkout.completed", "checkout.pending", "checkout.expired", "charge.captured", "charge.voided", "charge.authorization_expired", "charge.capture_failed", "charge.returned", "refund.succeeded", "refund.failed", "dispute.created", "dispute.updated", "attention.opened", "attention.closed", "test"] | Unset = UNSET,
        checkout_session_id: str | Unset = UNSET,
        delivery: Literal["waiting", "failing", "delivered", "failed", "canceled"] | Unset = UNSET,
        webhook_endpoint_id: str | Unset = UNSET,
        timeout: float | None = None,
    ) -> models.EventTotals:
        """Retrieve totals of events.

        Args:
            created_after: Only items created at this time or later: ISO 8601, with `Z` or an offset.
            created_before: Only items created before this time.
            type: Only events of this type.
            checkout_session_id: Only events of this session.
            delivery: Only events with such a delivery: `waiting` for the first attempt, `failing` (waiting for a retry), `delivered`, `failed` (all attempts), or `canceled`.
            webhook_endpoint_id: Only events that were sent to this endpoint. With `delivery`, by their delivery to it.
        """
        answer: models.EventTotals = self._send(
            "GET",
            "/v1/events/totals",
            query={"created_after": created_after, "created_before": created_before, "type": type, "checkout_session_id": checkout_session_id, "delivery": delivery, "webhook_endpoint_id": webhook_endpoint_id},
            timeout=timeout,
        )
        return answer

    def retrieve_event(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> models.ListedEvent:
        """Retrieve an event."""
        answer: models.ListedEvent = self._send(
            "GET",
            path_of("/v1/events/{id}", id),
            timeout=timeout,
        )
        return answer

    def resend_event(
        self,
        id: str,
        *,
        webhook_endpoint_id: str | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.ListedEvent:
        """Send an event again.

        Args:
            webhook_endpoint_id: Only to this endpoint. Default: to all.
        """
        answer: models.ListedEvent = self._send(
            "POST",
            path_of("/v1/events/{id}/resend", id),
            body={"webhook_endpoint_id": webhook_endpoint_id},
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def list_attention_items(
        self,
        *,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        status: Literal["open", "set_aside", "closed"] | Unset = UNSET,
        timeout: float | None = None,
    ) -> models.ListAttentionItemsResponse:
        """List attention items.

        Args:
            limit: The maximum number of items, 1 to 100. The default is 20.
            starting_after: The ID of the last item on the previous page. The list continues after it. An ID that is not in the list is rejected.
            status: `open`, the default: needs attention. `set_aside`: marked as done, or quiet for now. `closed`: the cause is gone; kept for 90 days.
        """
        answer: models.ListAttentionItemsResponse = self._send(
            "GET",
            "/v1/attention_items",
            query={"limit": limit, "starting_after": starting_after, "status": status},
            timeout=timeout,
        )
        return answer

    def finish_attention_item(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.AttentionItem:
        """Mark an attention item as done."""
        answer: models.AttentionItem = self._send(
            "POST",
            path_of("/v1/attention_items/{id}/finish", id),
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def quiet_attention_item(
        self,
        id: str,
        *,
        hours: int,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.AttentionItem:
        """Quiet an attention item.

        Args:
            hours: The number of hours, 1 to 720 (30 days). Then the item is shown again, if its cause is still there.
        """
        answer: models.AttentionItem = self._send(
            "POST",
            path_of("/v1/attention_items/{id}/quiet", id),
            body={"hours": hours},
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def reopen_attention_item(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.AttentionItem:
        """Show an attention item again."""
        answer: models.AttentionItem = self._send(
            "POST",
            path_of("/v1/attention_items/{id}/reopen", id),
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def list_requests(
        self,
        *,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        created_after: str | Unset = UNSET,
        created_before: str | Unset = UNSET,
        status: str | Unset = UNSET,
        code: Literal["invalid_json", "missing_required_fields", "invalid_value", "invalid_key", "card_declined", "instrument_not_authorized", "consent_missing", "consent_exceeded", "session_not_found", "instrument_not_found", "not_found", "processor_mismatch", "charge_details_mismatch", "session_expired", "session_missing_consumer", "merchant_not_connected", "merchant_credentials_invalid", "needs_enrollment", "processor_unavailable", "rate_limit", "charge_not_authorized", "charge_already_captured", "charge_already_voided", "authorization_expired", "capture_in_progress", "capture_amount_too_large", "partial_capture_unsupported", "capture_refused", "vendor_not_provisioned", "merchant_not_found", "invalid_processor", "invalid_credentials", "invalid_payment_policy", "invalid_payment_policy_amount_cents", "session_create_failed", "missing_checkout_session_id", "order_lookup_failed", "order_lookup_unsupported", "missing_instrument_fields", "card_save_failed", "invalid_vault", "key_not_found", "invalid_environment", "invalid_url", "invalid_events", "invalid_ttl", "invalid_state_key", "not_configured", "internal_error"] | Unset = UNSET,
        path: str | Unset = UNSET,
        key_id: str | Unset = UNSET,
        timeout: float | None = None,
    ) -> models.ListRequestsResponse:
        """List requests.

        Args:
            limit: The maximum number of items, 1 to 100. The default is 20.
            starting_after: The ID of the last item on the previous page. The list continues after it. An ID that is not in the list is rejected.
            created_after: Only items created at this time or later: ISO 8601, with `Z` or an offset.
            created_before: Only items created before this time.
            status: Only requests with this HTTP status in their answer.
            code: Only requests that returned an error with this code.
            path: Only requests to the path of this operation, as written in this reference: `/v1/charges/{charge_id}`.
            key_id: Only requests with this key.
        """
        answer: models.ListRequestsResponse = self._send(
            "GET",
            "/v1/requests",
            query={"limit": limit, "starting_after": starting_after, "created_after": created_after, "created_before": created_before, "status": status, "code": code, "path": path, "key_id": key_id},
            timeout=timeout,
        )
        return answer

    def retrieve_request(
        self,
        request_id: str,
        *,
        timeout: float | None = None,
    ) -> models.RequestWithBodies:
        """Retrieve a request and its answer."""
        answer: models.RequestWithBodies = self._send(
            "GET",
            path_of("/v1/requests/{request_id}", request_id),
            timeout=timeout,
        )
        return answer

    def list_audit_events(
        self,
        *,
        limit: int | Unset = UNSET,
        starting_after: str | Unset = UNSET,
        created_after: str | Unset = UNSET,
        created_before: str | Unset = UNSET,
        object: str | Unset = UNSET,
        action: Literal["account.created", "account.changed", "account.secret_rolled", "account.texts_near_limit", "key.created", "key.rolled", "key.revoked", "merchant.created", "merchant.changed", "merchant.processor_connected", "merchant.logo_set", "merchant.logo_removed", "merchant.notification_secret_set", "merchant.notification_secret_removed", "webhook_endpoint.created", "webhook_endpoint.changed", "webhook_endpoint.deleted", "webhook_endpoint.secret_rolled", "webhook_endpoint.failures_resent", "refund.created", "refund.settled", "refund.failed_late", "charge.settled", "charge.capture_requested", "charge.void_requested", "charge.created", "charge.paid_late", "charge.returned", "charge.capture_failed", "charge.acknowledged", "call.end_requested", "user.created", "user.invited", "user.role_changed", "user.merchants_changed", "user.removed", "user.credentials_changed", "user.signed_in", "user.sign_in_failed", "user.locked", "user.signed_out", "attention_item.done", "attention_item.quieted", "attention_item.reopened", "alert_target.created", "alert_target.changed", "alert_target.deleted", "saved_view.created", "saved_view.changed", "saved_view.deleted", "card.saved", "card.deleted", "consumer.note_changed", "consumer.erased"] | Unset = UNSET,
        timeout: float | None = None,
    ) -> models.ListAuditEventsResponse:
        """List audit events.

        Args:
            limit: The maximum number of items, 1 to 100. The default is 20.
            starting_after: The ID of the last item on the previous page. The list continues after it. An ID that is not in the list is rejected.
            created_after: Only items created at this time or later: ISO 8601, with `Z` or an offset.
            created_before: Only items created before this time.
            object: Only changes to the object with this ID.
            action: Only this kind of change.
        """
        answer: models.ListAuditEventsResponse = self._send(
            "GET",
            "/v1/audit_events",
            query={"limit": limit, "starting_after": starting_after, "created_after": created_after, "created_before": created_before, "object": object, "action": action},
            timeout=timeout,
        )
        return answer
