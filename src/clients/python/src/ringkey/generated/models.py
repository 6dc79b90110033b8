# Generated from the OpenAPI document: see "Client libraries" in .github/CONTRIBUTING.md.

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

class Account(TypedDict):
    """The owner of keys, merchants and sessions, in both modes."""

    account_id: str
    """The account, `acct_…`."""
    name: str
    """The name of the account, for display."""
    currency: str
    """ISO 4217. The currency of checkouts without a known merchant."""
    return_hosts: list[str] | None
    """Hosts that a `return_to` with a SIP URI may use, in both modes: a name, `*.example.com` for all its subdomains, an IP address, or `*` for every public host. Null until you set it: test mode then allows every public host, live mode allows none. Only the operator of the service can allow loopback and private addresses."""
    return_number_prefixes: list[str]
    """Allowed prefixes of phone numbers in `return_to` in live mode: `+` and 1 to 15 digits, such as `+44`. Emergency, short, premium and satellite numbers are never called."""
    text_countries: list[str]
    """Countries whose numbers the account may text, in both modes, in addition to those of its merchants: two-letter codes (ISO 3166-1), such as `MX`. Each merchant adds the countries of its currency and of its own numbers. Premium and satellite numbers are never texted."""
    attestation_url: str | None
    """Your HTTPS URL that returns the attestation level of a call, in the mode of the key. It is called once for each `create_checkout` with `caller_phone` and `platform_call_id`. [How it is called](/docs/screening#attestation-url). If null, no URL is called."""
    page_accent_color: str | None
    """The color of buttons, links and icons on the pay page, in the mode of the key: `#` and six hexadecimal digits. The page darkens it in its light theme and lightens it in its dark theme, so that text stays readable (WCAG 2.2, 4.5:1). Null, the default, is green."""
    page_support_phone: str | None
    """Phone number for questions, E.164, shown on the pay page, in the mode of the key. Everyone who has a pay link can read it. If null, none is shown."""
    page_support_email: str | None
    """Email address for questions, shown on the pay page, in the mode of the key. Everyone who has a pay link can read it. If null, none is shown."""
    page_terms_url: str | None
    """Your terms: an `https://` URL that the pay page links to, in the mode of the key. It opens in a new tab. If null, no link is shown."""
    page_privacy_url: str | None
    """Your privacy policy: an `https://` URL that the pay page links to, in the mode of the key. It opens in a new tab. If null, no link is shown."""


class AlertTargetLastMessage(TypedDict):
    kind: Literal["alert", "summary", "report", "test"]
    """`alert`: problems that opened or were resolved. `summary`: the daily summary. `report`: the reports of a month. `test`: a test message."""
    status: Literal["waiting", "sent", "failed"]
    """`waiting`: not sent yet, or waiting for the next attempt. `sent`: accepted by the server. `failed`: will not be retried."""
    error_code: str | None
    """The code of the last failure: of the mail server or of Slack, or `timeout`, `connection`, `forbidden_address`, `not_configured`. Otherwise null."""
    created_at: str
    """When it was created: ISO 8601, in UTC."""
    settled_at: str | None
    """When it was sent or failed. Null while it is `waiting`."""


class AlertTarget(TypedDict):
    """An email address or a Slack channel that gets messages about attention items."""

    alert_target_id: str
    """The target, `alert_…`."""
    channel: Literal["email", "slack"]
    """How messages are sent."""
    name: str
    """A name for people, such as the name of the Slack channel. Empty if there is none."""
    email: str | None
    """The address. Null for Slack: its URL is a secret, and never shown."""
    topics: list[Literal["payments", "processors", "deliveries", "keys", "service"]]
    """`payments`: to settle, paid late or twice, failed later, disputed. `processors`: refusing, slow, low success rates. `deliveries`: webhooks, texts, emails, alerts. `keys`: API keys about to expire, or expired. `service`: missing processes and servers."""
    urgent_only: bool
    """If true, only urgent problems are sent: processors that refuse or are slow, low success rates of the last hours, charges that were paid late or twice, failed captures, returned bank debits, and missing processes and servers."""
    time_zone: str
    """IANA name of the time zone of all hours and days."""
    quiet_from: int | None
    """Quiet hours begin at this hour. During them, only urgent problems are sent. Null: none."""
    quiet_until: int | None
    """Quiet hours end at this hour. Null: none."""
    summary_hour: int | None
    """The hour at which a summary of the day before is sent. Null: none."""
    summary_if_empty: bool
    """If true, the summary is also sent after a day without calls, payments and problems."""
    report_merchants: list[str]
    """Merchants whose reports of the month before are sent on the first day of each month, at `summary_hour` or at 8:00. See `retrieve_month_report`. Empty: none."""
    created_at: str
    """When it was created: ISO 8601, in UTC."""
    last_message: AlertTargetLastMessage | None
    """The newest message. Null if there was none in the last 30 days."""


class AttentionItem(TypedDict):
    """A problem that needs a person. Closes when its cause is gone."""

    attention_item_id: str
    """The item, `att_…`."""
    kind: Literal["charge_to_settle", "refund_to_settle", "hold_change_to_settle", "late_charge", "refund_failed_late", "capture_failed", "debit_returned", "processor_differs", "dispute_to_answer", "processor_refusing", "processor_slow", "success_rate_low", "success_rate_low_for_days", "endpoint_failing", "event_unsent", "texts_undelivered", "texts_near_limit", "emails_undelivered", "alerts_undelivered", "key_expiring", "limit_near", "key_near_limit", "certificate_expiring", "certificate_ending", "media_server_missing", "sip_server_missing", "phone_missing", "worker_missing"]
    """The kind of the cause. New kinds can be added: show `title` for a kind that you do not know."""
    title: str
    """What happened, in a few words."""
    detail: str
    """What it means."""
    advice: str
    """What to do."""
    dashboard_path: str
    """The page in the dashboard, after `/dashboard/test` or `/dashboard/live`."""
    object_id: str | None
    """The object with the cause: a charge, refund, dispute, merchant, webhook endpoint, event or key. Null if there is none."""
    merchant_id: str | None
    """The merchant, `mer_…`."""
    is_service: bool
    """True if the cause is a missing part of the service, which concerns all accounts."""
    opened_at: str
    """When the cause was found: ISO 8601, in UTC."""
    closed_at: str | None
    """When the cause was found to be gone. Otherwise null."""
    done_at: str | None
    """When it was last marked as done. Otherwise null."""
    quiet_until: str | None
    """Until when it is quiet. Otherwise null."""


class AuditEvent(TypedDict):
    """A change: who made it, and from where."""

    audit_event_id: str
    """The entry, `aud_…`."""
    action: Literal["account.created", "account.changed", "account.secret_rolled", "account.texts_near_limit", "key.created", "key.rolled", "key.revoked", "merchant.created", "merchant.changed", "merchant.processor_connected", "merchant.logo_set", "merchant.logo_removed", "merchant.notification_secret_set", "merchant.notification_secret_removed", "webhook_endpoint.created", "webhook_endpoint.changed", "webhook_endpoint.deleted", "webhook_endpoint.secret_rolled", "webhook_endpoint.failures_resent", "refund.created", "refund.settled", "refund.failed_late", "charge.settled", "charge.capture_requested", "charge.void_requested", "charge.created", "charge.paid_late", "charge.returned", "charge.capture_failed", "charge.acknowledged", "call.end_requested", "user.created", "user.invited", "user.role_changed", "user.merchants_changed", "user.removed", "user.credentials_changed", "user.signed_in", "user.sign_in_failed", "user.locked", "user.signed_out", "attention_item.done", "attention_item.quieted", "attention_item.reopened", "alert_target.created", "alert_target.changed", "alert_target.deleted", "saved_view.created", "saved_view.changed", "saved_view.deleted", "card.saved", "card.deleted", "consumer.note_changed", "consumer.erased"]
    """The kind of change."""
    object_type: str
    """The type of the changed object: the first word of `action`."""
    object_id: str
    """The ID of the changed object."""
    object_name: str | None
    """The present name of the merchant, for a change to a merchant. Otherwise null."""
    changes: dict[str, Any]
    """The values that were set. For changed fields, `{\"from\": …, \"to\": …}` by field. Never contains a secret."""
    actor: Literal["key", "user", "demo", "command", "system"]
    """Who made the change: `key`, a request with an API key; `user`, a user of the dashboard; `demo`, a visitor of the keyless demo; `command`, the command line; `system`, the service."""
    actor_id: str | None
    """The ID of the key or user, or the name of the operating system's user who ran the command. Otherwise null."""
    source: str | None
    """The IP address of the request, or the host on which the command ran. Otherwise null."""
    request_id: str | None
    """The request ID, as in the answer's `X-Request-Id`. Null if the change was not made by a request."""
    environment: Literal["test", "live", None]
    """`test`: the sandbox, no real money. `live`: real money. Always the mode of your key."""
    created_at: str
    """When it was created: ISO 8601, in UTC."""


class Call(TypedDict):
    """A call on the payment line."""

    call_id: str
    """The call on the payment line, `call_…`."""
    status: Literal["live", "ended"]
    """`live`: on the line now. `ended`: the call is over."""
    outcome: Literal["succeeded", "failed", "pending", "canceled", "expired", "agent", None]
    """How the call ended, as in `X-Ringkey-Outcome`: `succeeded`, `failed`, `pending` (the charge had no outcome yet), `canceled` (the caller asked to stop or hung up, or `end_call` ended the call), `expired`, `agent` (returned to the agent without paying). Null while the call is live."""
    reason: Literal["no_input", "invalid_input", "declined", "too_many_attempts", "error", "keypad_unavailable", "link_sent", "bank_debit", None]
    """Why the call failed or returned to the agent, as in `X-Ringkey-Reason`. Otherwise null."""
    stage: Literal["greeting", "card_number", "expiry", "security_code", "postal_code", "bank_account", "keep_card", "confirmation", "paying", "by_link", "waiting", "leaving", "returning", "ended", None]
    """The current step of a live call, at most a moment old: what the line is asking for, never what the caller entered. `ended` when the call is over. Null for calls recorded by earlier versions."""
    checkout_session_id: str | None
    """The checkout session, `cs_…`."""
    merchant_id: str | None
    """The merchant, `mer_…`."""
    business_name: str | None
    """The merchant's own name. Null if the call has no session or the merchant was deleted."""
    amount_cents: int | None
    """The amount, an integer in the currency's minor unit: 4250 is 42.50 USD, and 4250 JPY, which has no minor unit."""
    currency: str | None
    """ISO 4217, upper case: the merchant's currency."""
    order_id: str | None
    """The merchant's order, which is also the confirmation number to read back. Null if the checkout had none."""
    platform_call_id: str | None
    """The voice platform's ID of the call, as sent to `create_checkout`. Otherwise null."""
    caller_phone: str | None
    """The session's phone number, E.164. Null if the session has none, if it was cleared later, or if the call has no session."""
    charge_id: str | None
    """The charge, `ch_…`."""
    charge_status: Literal["pending", "authorized", "succeeded", "failed", "voided", "expired", None]
    """The current status of that charge. `outcome` keeps its value from the end of the call: a charge that was `pending` then may be settled now. Null if there is no charge."""
    charge_amount_cents: int | None
    """The amount of that charge, in minor units of `currency`: it differs from `amount_cents` if the caller paid a part or added a tip. Null if there is no charge."""
    sip_call_id: str
    """The SIP Call-ID of the inbound leg. Use it to find the call in your carrier’s trace."""
    return_sip_call_id: str | None
    """The SIP Call-ID of the leg to the agent, if the line called the agent and bridged the call. Otherwise null."""
    return_route: Literal["refer", "bridge", None]
    """How the caller was returned to the agent: by REFER or over a bridge. Null if the call ended on the payment line or has not been returned yet."""
    key_kind: Literal["telephone-event", "info", "inband", None]
    """How the caller's keys were received: `telephone-event` (RFC 4733), `info` (SIP INFO), `inband` (audio tones). Null if no keys were received, while the call is live, and for calls recorded by earlier versions."""
    codec: str | None
    """The codec of the caller's audio, as the media server names it. Null while the call is live, or if the media server did not report it."""
    packets_received: int | None
    """RTP audio packets received from the caller. Null while the call is live, or if the media server did not report it."""
    packets_lost: int | None
    """RTP packets from the caller that are missing from the sequence, as counted by the media server. FreeSWITCH counts too many when gaps follow each other. Null while the call is live, or if the media server did not report it."""
    jitter_ms: float | None
    """Jitter of the caller's RTP packets, in milliseconds: the highest standard deviation of the time between packets, as measured by the media server. Phones that send nothing during silence show a high value. Null while the call is live, or if the media server did not report it."""
    environment: Literal["test", "live"]
    """`test`: the sandbox, no real money. `live`: real money. Always the mode of your key."""
    created_at: str
    """When the call was received: ISO 8601, in UTC."""
    answered_at: str | None
    """When the call was answered. Null if it was not."""
    end_requested_at: str | None
    """When `end_call` was first requested. While `status` is `live`, the call is still ending. Null if it was not requested."""
    ended_at: str | None
    """When the call ended. Null while it is live."""


class CallEventDataCall(TypedDict):
    """The call, and what happened on it."""

    call_id: str
    """The call on the payment line, `call_…`."""
    checkout_session_id: str
    """The checkout session, `cs_…`."""
    merchant_id: str
    """The merchant, `mer_…`."""
    platform_call_id: str | None
    """The voice platform's ID of the call, as sent to `create_checkout`. Otherwise null."""
    step: NotRequired[Literal["greeting", "language", "saved_card", "card_number", "expiry", "security_code", "postal_code", "method", "bank_account", "confirm", "charging", "link", "returning"]]
    """Only in `call.step`: what the line does or asks for. `language`: the caller has changed it. `charging` is also a payment that is made elsewhere. `link`: the pay link was texted, and the line waits for the payment."""
    attempt: NotRequired[int]
    """Only in `call.step`, from 1: the line asks again, or charges another card. Never how many digits were entered."""
    return_route: NotRequired[Literal["refer", "bridge"]]
    """Only in `call.returned`: by REFER, or over a bridge."""
    outcome: NotRequired[Literal["succeeded", "failed", "pending", "canceled", "expired", "agent"]]
    """Only in `call.ended`. How the call ended, as in `X-Ringkey-Outcome`: `succeeded`, `failed`, `pending` (the charge had no outcome yet), `canceled` (the caller asked to stop or hung up, or `end_call` ended the call), `expired`, `agent` (returned to the agent without paying)."""
    reason: NotRequired[Literal["no_input", "invalid_input", "declined", "too_many_attempts", "error", "keypad_unavailable", "link_sent", "bank_debit", None]]
    """Only in `call.ended`: why the call failed or returned to the agent. Otherwise null."""
    charge_id: NotRequired[str | None]
    """Only in `call.ended`: the charge that `outcome` refers to, or null."""


class CallEventData(TypedDict):
    """What the event is about."""

    call: CallEventDataCall
    """The call, and what happened on it."""


class CallEvent(TypedDict):
    """One step of a call on the payment line, sent once and stored nowhere."""

    id: str
    """The event, `evt_…`."""
    type: Literal["call.answered", "call.step", "call.returned", "call.ended"]
    """What happened."""
    created_at: str
    """When it happened: ISO 8601, in UTC."""
    sequence: int
    """Counts the events of the call, from 1. If its process is lost, another one sends the last events, from 1001."""
    mode: Literal["test", "live"]
    """`test`: the sandbox, no real money. `live`: real money. Always the mode of your key."""
    data: CallEventData
    """What the event is about."""


class CallSentence(TypedDict):
    """What the line said."""

    text: str
    """The words. Digits of cards and phone numbers, and the payer's name, are replaced by `…`. Your own messages are replaced by the name of their field in brackets, such as `[success_message]`."""
    language: str
    """The BCP 47 language of the words."""
    until_ms: int | None
    """When the sentence ended or the caller interrupted it, in milliseconds since the INVITE. Null if the call ended before that, or while it is said."""


class CallStep(TypedDict):
    """One step of a call."""

    step: str
    """What happened, for people to read. The wording may change between versions. Never contains a digit that the caller entered."""
    at_ms: int
    """Milliseconds since the INVITE."""
    at: str
    """The same as a time, based on `created_at`."""
    said: CallSentence | None
    """The words, if the step is a sentence of the line. Null for other steps, and for calls recorded by earlier versions."""
    answer_ms: int | None
    """Only for a question that takes several keys: when the caller pressed the first one, in milliseconds since the INVITE. Otherwise null."""
    wrong_digits: int | None
    """Only for a question that is asked again because the card number was incomplete: how many digits were entered. Otherwise null."""


class CallTotalsTotals(TypedDict):
    calls: int
    """The number of calls, live and ended."""
    live: int
    """How many are live."""
    succeeded: int
    """How many have the outcome `succeeded`."""
    failed: int
    """How many have the outcome `failed`."""
    pending: int
    """How many have the outcome `pending`."""
    canceled: int
    """How many have the outcome `canceled`."""
    expired: int
    """How many have the outcome `expired`."""
    agent: int
    """How many have the outcome `agent`."""


class CallTotals(TypedDict):
    """The number of calls that match filters."""

    totals: CallTotalsTotals | None
    """The counts. Null if more than 10,000 calls match, or if counting takes too long: use a shorter period."""


class CallWithTimeline(TypedDict):
    """A call on the payment line, step by step."""

    call_id: str
    """The call on the payment line, `call_…`."""
    status: Literal["live", "ended"]
    """`live`: on the line now. `ended`: the call is over."""
    outcome: Literal["succeeded", "failed", "pending", "canceled", "expired", "agent", None]
    """How the call ended, as in `X-Ringkey-Outcome`: `succeeded`, `failed`, `pending` (the charge had no outcome yet), `canceled` (the caller asked to stop or hung up, or `end_call` ended the call), `expired`, `agent` (returned to the agent without paying). Null while the call is live."""
    reason: Literal["no_input", "invalid_input", "declined", "too_many_attempts", "error", "keypad_unavailable", "link_sent", "bank_debit", None]
    """Why the call failed or returned to the agent, as in `X-Ringkey-Reason`. Otherwise null."""
    stage: Literal["greeting", "card_number", "expiry", "security_code", "postal_code", "bank_account", "keep_card", "confirmation", "paying", "by_link", "waiting", "leaving", "returning", "ended", None]
    """The current step of a live call, at most a moment old: what the line is asking for, never what the caller entered. `ended` when the call is over. Null for calls recorded by earlier versions."""
    checkout_session_id: str | None
    """The checkout session, `cs_…`."""
    merchant_id: str | None
    """The merchant, `mer_…`."""
    business_name: str | None
    """The merchant's own name. Null if the call has no session or the merchant was deleted."""
    amount_cents: int | None
    """The amount, an integer in the currency's minor unit: 4250 is 42.50 USD, and 4250 JPY, which has no minor unit."""
    currency: str | None
    """ISO 4217, upper case: the merchant's currency."""
    order_id: str | None
    """The merchant's order, which is also the confirmation number to read back. Null if the checkout had none."""
    platform_call_id: str | None
    """The voice platform's ID of the call, as sent to `create_checkout`. Otherwise null."""
    caller_phone: str | None
    """The session's phone number, E.164. Null if the session has none, if it was cleared later, or if the call has no session."""
    charge_id: str | None
    """The charge, `ch_…`."""
    charge_status: Literal["pending", "authorized", "succeeded", "failed", "voided", "expired", None]
    """The current status of that charge. `outcome` keeps its value from the end of the call: a charge that was `pending` then may be settled now. Null if there is no charge."""
    charge_amount_cents: int | None
    """The amount of that charge, in minor units of `currency`: it differs from `amount_cents` if the caller paid a part or added a tip. Null if there is no charge."""
    sip_call_id: str
    """The SIP Call-ID of the inbound leg. Use it to find the call in your carrier’s trace."""
    return_sip_call_id: str | None
    """The SIP Call-ID of the leg to the agent, if the line called the agent and bridged the call. Otherwise null."""
    return_route: Literal["refer", "bridge", None]
    """How the caller was returned to the agent: by REFER or over a bridge. Null if the call ended on the payment line or has not been returned yet."""
    key_kind: Literal["telephone-event", "info", "inband", None]
    """How the caller's keys were received: `telephone-event` (RFC 4733), `info` (SIP INFO), `inband` (audio tones). Null if no keys were received, while the call is live, and for calls recorded by earlier versions."""
    codec: str | None
    """The codec of the caller's audio, as the media server names it. Null while the call is live, or if the media server did not report it."""
    packets_received: int | None
    """RTP audio packets received from the caller. Null while the call is live, or if the media server did not report it."""
    packets_lost: int | None
    """RTP packets from the caller that are missing from the sequence, as counted by the media server. FreeSWITCH counts too many when gaps follow each other. Null while the call is live, or if the media server did not report it."""
    jitter_ms: float | None
    """Jitter of the caller's RTP packets, in milliseconds: the highest standard deviation of the time between packets, as measured by the media server. Phones that send nothing during silence show a high value. Null while the call is live, or if the media server did not report it."""
    environment: Literal["test", "live"]
    """`test`: the sandbox, no real money. `live`: real money. Always the mode of your key."""
    created_at: str
    """When the call was received: ISO 8601, in UTC."""
    answered_at: str | None
    """When the call was answered. Null if it was not."""
    end_requested_at: str | None
    """When `end_call` was first requested. While `status` is `live`, the call is still ending. Null if it was not requested."""
    ended_at: str | None
    """When the call ended. Null while it is live."""
    timeline: list[CallStep]
    """The steps of the call in order, at most 300. A live call shows the steps recorded so far, at its milestones."""


class Caller(TypedDict):
    """A caller of the account: name, note, saved cards and consents."""

    caller_phone: str
    """The caller's number, E.164."""
    consumer_id: str | None
    """The caller, `con_…`. Null for a number without a saved card or a note."""
    first_name: str | None
    """The caller's first name. Null if it is not known."""
    last_name: str | None
    """The caller's last name. Null if it is not known."""
    email: str | None
    """The caller's email address. Null if it is not known."""
    note: str | None
    """The note about the caller. Null if there is none."""
    note_written_at: str | None
    """When the note was written. Otherwise null."""
    cards: list[CallerCard]
    """The saved cards at all merchants, newest first, including expired ones."""
    consents: list[CallerConsent]
    """The consents to save a card, newest first."""


class CallerCard(TypedDict):
    """A saved card of a caller, with the merchant at which it was saved."""

    instrument_id: str
    """The saved card. Send it to `charge` when the caller has chosen this card."""
    brand: str
    """Upper case, such as `VISA`, `MASTERCARD`, `AMERICAN_EXPRESS`, `DISCOVER`."""
    last_four: str
    """The last four digits, as a string."""
    expiry: str
    """The last month in which the card can be charged, `MM/YYYY`."""
    merchant_id: str
    """The merchant, `mer_…`."""
    business_name: str
    """The merchant's own name."""


class CallerConsent(TypedDict):
    """That a caller agreed to have a card saved."""

    merchant_id: str
    """The merchant, `mer_…`."""
    channel: Literal["phone", "page", "rest"]
    """`phone`: asked on the line. `page`: asked on the pay page. `rest`: asked by your agent."""
    wording: str | None
    """The sentence that the caller agreed to. Null if your agent asked and `save_card` did not send it."""
    language: str | None
    """The language of `wording`, BCP 47. Null for `rest`."""
    status: Literal["agreed", "kept", "not_kept"]
    """`kept`: the card was saved. `agreed`: it will be. `not_kept`: it could not be."""
    instrument_id: str | None
    """The saved card, `card_…`."""
    agreed_at: str
    """When the caller agreed: ISO 8601, in UTC."""


class CaptureChargeRequest(TypedDict):
    amount_cents: NotRequired[int]
    """The amount to capture, an integer in the currency's minor unit, at most the hold. If you omit the field, the whole hold is captured. `null` is rejected with `invalid_value`."""


class Card(TypedDict):
    """A saved card, as offered to the caller."""

    instrument_id: str
    """The saved card. Send it to `charge` when the caller has chosen this card."""
    brand: str
    """Upper case, such as `VISA`, `MASTERCARD`, `AMERICAN_EXPRESS`, `DISCOVER`."""
    last_four: str
    """The last four digits, as a string."""
    expiry: str
    """The last month in which the card can be charged, `MM/YYYY`."""


class ChangeAccountRequest(TypedDict):
    return_hosts: NotRequired[list[str] | None]
    """Hosts that a `return_to` with a SIP URI may use, in both modes: a name, `*.example.com` for all its subdomains, an IP address, or `*` for every public host. Null until you set it: test mode then allows every public host, live mode allows none. Only the operator of the service can allow loopback and private addresses."""
    return_number_prefixes: NotRequired[list[str]]
    """Allowed prefixes of phone numbers in `return_to` in live mode: `+` and 1 to 15 digits, such as `+44`. Emergency, short, premium and satellite numbers are never called."""
    text_countries: NotRequired[list[str]]
    """Countries whose numbers the account may text, in both modes, in addition to those of its merchants: two-letter codes (ISO 3166-1), such as `MX`. Each merchant adds the countries of its currency and of its own numbers. Premium and satellite numbers are never texted."""
    attestation_url: NotRequired[str | None]
    """Your HTTPS URL that returns the attestation level of a call, in the mode of the key. It is called once for each `create_checkout` with `caller_phone` and `platform_call_id`. [How it is called](/docs/screening#attestation-url). If null, no URL is called."""
    page_accent_color: NotRequired[str | None]
    """The color of buttons, links and icons on the pay page, in the mode of the key: `#` and six hexadecimal digits. The page darkens it in its light theme and lightens it in its dark theme, so that text stays readable (WCAG 2.2, 4.5:1). Null, the default, is green."""
    page_support_phone: NotRequired[str | None]
    """Phone number for questions, E.164, shown on the pay page, in the mode of the key. Everyone who has a pay link can read it. If null, none is shown."""
    page_support_email: NotRequired[str | None]
    """Email address for questions, shown on the pay page, in the mode of the key. Everyone who has a pay link can read it. If null, none is shown."""
    page_terms_url: NotRequired[str | None]
    """Your terms: an `https://` URL that the pay page links to, in the mode of the key. It opens in a new tab. If null, no link is shown."""
    page_privacy_url: NotRequired[str | None]
    """Your privacy policy: an `https://` URL that the pay page links to, in the mode of the key. It opens in a new tab. If null, no link is shown."""


class ChangeAlertTargetRequest(TypedDict):
    name: NotRequired[Literal[""] | str]
    """A name for people, such as the name of the Slack channel. Empty if there is none."""
    topics: NotRequired[list[Literal["payments", "processors", "deliveries", "keys", "service"]]]
    """`payments`: to settle, paid late or twice, failed later, disputed. `processors`: refusing, slow, low success rates. `deliveries`: webhooks, texts, emails, alerts. `keys`: API keys about to expire, or expired. `service`: missing processes and servers."""
    urgent_only: NotRequired[bool]
    """If true, only urgent problems are sent: processors that refuse or are slow, low success rates of the last hours, charges that were paid late or twice, failed captures, returned bank debits, and missing processes and servers."""
    time_zone: NotRequired[str]
    """IANA name of the time zone of all hours and days. The default is `UTC`."""
    quiet_from: NotRequired[int | None]
    """Quiet hours begin at this hour. During them, only urgent problems are sent. Null: none."""
    quiet_until: NotRequired[int | None]
    """Quiet hours end at this hour. Null: none."""
    summary_hour: NotRequired[int | None]
    """The hour at which a summary of the day before is sent. Null: none."""
    summary_if_empty: NotRequired[bool]
    """If true, the summary is also sent after a day without calls, payments and problems."""
    report_merchants: NotRequired[list[str]]
    """Merchants whose reports of the month before are sent on the first day of each month, at `summary_hour` or at 8:00. See `retrieve_month_report`. Empty: none."""
    slack_url: NotRequired[str]
    """The URL of an incoming webhook of Slack, or of a program that takes the same form. It is a secret: it is encrypted, and never shown. Must be https with a host on the public internet. Any other URL returns `invalid_url`."""


class ChangeCallerNoteRequest(TypedDict):
    caller_phone: str
    """The caller's number, E.164."""
    note: str | None
    """The note, up to 2000 characters. Null deletes it. Card data is rejected."""


class ChangeMerchantRequestOrderSource1(TypedDict):
    type: Literal["none"]
    """Orders are not looked up: a checkout needs `amount_cents`."""


class ChangeMerchantRequestOrderSource2(TypedDict):
    type: Literal["sandbox"]
    """The demo's orders. Test mode only, where it is the default."""


class ChangeMerchantRequestOrderSource3(TypedDict):
    type: Literal["http"]
    """Orders are looked up at the merchant's own URL, with signed requests."""
    url: str
    """We send it a signed POST (Standard Webhooks) `{\"order_id\", \"merchant_id\", \"mode\"}`. It must answer within 3 seconds: 200 `{\"amount_cents\", \"currency\"?}`, or 404 if the order does not exist. Must be https with a public host; a demo on your own machine also accepts `http://127.0.0.1`. Any other URL returns `invalid_url`."""


class ChangeMerchantRequest(TypedDict):
    business_name: NotRequired[str]
    """The name that the caller hears and that the pay page and the receipt show."""
    slug: NotRequired[str]
    """Identifies the merchant in `X-Ringkey-Merchant`. Must be unique within the account and mode. By default it is derived from the name."""
    numbers: NotRequired[list[str]]
    """The numbers that the merchant's callers dial, E.164. `merchant_number` finds the merchant by them. Each number must be unique within the account and mode. The payment line's own numbers are rejected. An update replaces the whole list."""
    currency: NotRequired[Literal["USD", "EUR", "GBP", "CAD", "AUD", "JPY", "KRW"]]
    """ISO 4217. The currency of all amounts. The default is `USD`."""
    payment_policy: NotRequired[Literal["never", "optional", "always", "above"]]
    """The verdict for each checkout. `never`: none. `optional`: optional. `always`: required. `above`: required from the threshold on, otherwise none. The default is `always`. Open sessions keep their verdict."""
    payment_policy_amount_cents: NotRequired[int | None]
    """The threshold for `above`, in minor units: payment is required from this amount on. Required with `above`; other policies reject it."""
    language: NotRequired[str]
    """The language in which callers are spoken and written to, BCP 47. The agent, the payment line, the pay page and the texts support `en`, `de`, `es`, `fr`. For any other language they use English. The default is `en-US`."""
    second_language: NotRequired[str | None]
    """A second language that the greeting offers in that language (\"para español, marque nueve\"). If the caller presses 9 before any other key, the line greets in it. Receipt, pay page and agent use it afterwards, too. Must be a supported language other than `language`. Null, the default, offers none."""
    time_zone: NotRequired[str]
    """IANA name of the time zone for times in texts to callers. The default is `UTC`."""
    voice: NotRequired[str | None]
    """The voice of the line, `<synthesizer>:<voice>`, such as `polly:Joanna`. The synthesizer must be configured on the service (`espeak-ng`, `openai`, `google`, `polly`, `elevenlabs`); the voice is the synthesizer's own name. A name without a colon is an `espeak-ng` voice. The voice speaks the merchant's language only. While it fails, espeak-ng speaks. Null uses the default voice of the language."""
    asks_postal_code: NotRequired[bool]
    """Whether the line asks for the card's postal code. The default is false."""
    asks_confirmation: NotRequired[bool]
    """Whether the line reads back the card and the amount and the caller must press 1 before it charges. The default is false."""
    card_saving: NotRequired[Literal["never", "ask"]]
    """Whether the line and the pay page ask callers to save their card for next time. `ask`: once per call, before the charge, if the caller has a number and the processor can save the card. The card is saved when the charge succeeds, with a record of the consent. `never`, the default: callers are not asked and no card is saved."""
    tip_percentages: NotRequired[list[int]]
    """Tips that the line offers after the card was entered, and the pay page above its form, in percent of the amount due: up to three whole numbers from 1 to 50, on keys 1 to 3. The caller can decline (0, or no key). The line then says the final amount, and charges it after the caller has pressed 1. `[]`, the default, offers no tip."""
    partial_minimum_cents: NotRequired[int | None]
    """Lets payers pay a part of the amount, from this many minor units on, in the merchant’s currency. The checkout is then complete, and `remaining_cents` says what is left. Not for holds, bank debits and checkouts that only save a card. Null, the default: only the whole amount."""
    text_after_drop: NotRequired[bool]
    """Whether callers whose call dropped before payment receive the pay link by SMS. It is sent after 20 seconds, once per session, unless the caller has called again or has a newer checkout with the merchant. The rules of `send_link` apply: not to numbers that have opted out, and at most three per hour. The default is false."""
    return_mode: NotRequired[Literal["auto", "refer", "bridge", None]]
    """How a call returns to `return_to`. `refer`: by SIP REFER. `bridge`: we call the target and connect both calls. `auto`: REFER if the other side supports it, otherwise a bridge. Null uses the service's default."""
    bank_debit_phone: NotRequired[str | None]
    """Lets callers pay from a US bank account, if a checkout offers it (`payment_methods`) and the processor makes bank debits. A number that is answered during business hours, E.164: the line and the text say it for questions and to revoke the debit. Null, the default: the merchant takes no bank debits."""
    accepted_brands: NotRequired[list[Literal["visa", "mastercard", "american-express", "discover", "diners-club", "jcb", "unionpay", "maestro"]]]
    """Card brands that the line accepts. If a caller enters a card of another brand, the line says so and the caller can enter another card. The default is Visa, Mastercard, American Express and Discover."""
    page_accent_color: NotRequired[str | None]
    """The color of buttons, links and icons on the merchant's pay pages, and of its emails: `#` and six hexadecimal digits. It is adjusted so that text stays readable (WCAG 2.2, 4.5:1). Null, the default: the account's."""
    page_support_phone: NotRequired[str | None]
    """Phone number for questions, E.164, on the merchant's pay pages and in its emails. Null, the default: the account's."""
    page_support_email: NotRequired[str | None]
    """Email address for questions, on the merchant's pay pages and in its emails. Null, the default: the account's."""
    page_terms_url: NotRequired[str | None]
    """The merchant's terms: an `https://` URL that its pay pages link to. Null, the default: the account's."""
    page_privacy_url: NotRequired[str | None]
    """The merchant's privacy policy: an `https://` URL that its pay pages link to. Null, the default: the account's."""
    order_source: NotRequired[ChangeMerchantRequestOrderSource1 | ChangeMerchantRequestOrderSource2 | ChangeMerchantRequestOrderSource3]
    """Where orders are looked up. The default is the sandbox in test mode and none in live mode."""


class ChangeWebhookEndpointRequest(TypedDict):
    url: NotRequired[str]
    """The URL to which events are sent. Must be https with a host on the public internet; a demo on your own machine also accepts `http://127.0.0.1`. Any other URL returns `invalid_url`."""
    events: NotRequired[list[Literal["checkout.succeeded", "checkout.failed", "checkout.completed", "checkout.pending", "checkout.expired", "charge.captured", "charge.voided", "charge.authorization_expired", "charge.capture_failed", "charge.returned", "refund.succeeded", "refund.failed", "dispute.created", "dispute.updated", "attention.opened", "attention.closed", "call.answered", "call.step", "call.returned", "call.ended"]]]
    """The event types to send, each listed once. Otherwise returns `invalid_events`. The `call.` types report the progress of calls. They are sent once, without retries, and dropped if they are late. The `attention.` types report problems that need a person."""
    disabled: NotRequired[bool]
    """If true, no events are sent until you set it to false."""


class Charge(TypedDict):
    """One attempt to charge the amount of a session."""

    charge_id: str
    """The charge, `ch_…`."""
    status: Literal["pending", "authorized", "succeeded", "failed", "voided", "expired"]
    """`pending`: no outcome yet. Either the processor gave none and the money may have been taken, or the payer has ten minutes on the pay page to confirm to the bank (3-D Secure). Do not start another payment for this order; a webhook reports the outcome. `authorized`: the amount is held on the card until you capture or void it, or `capture_before` passes. `succeeded` is final, except for a bank debit that the bank returns later: it becomes `failed` with `returned_at`, or a charge whose capture fails later: `failed` with `capture_failed_at`. `voided` and `expired`: the hold was released and nothing was taken. `failed` is final unless the processor is later found to have taken the money: the charge then becomes `succeeded` with `was_late`."""
    amount_cents: int
    """The amount, an integer in the currency's minor unit: 4250 is 42.50 USD, and 4250 JPY, which has no minor unit."""
    processor_payment_id: str | None
    """The processor reference of the payment. Null until the processor has assigned one."""
    wallet: NotRequired[Literal["apple_pay", "google_pay"]]
    """`apple_pay` or `google_pay`, if the payer used the wallet button on the pay page. Absent for card charges."""
    payment_method: NotRequired[Literal["us_bank_account"]]
    """Only for a debit of a US bank account. Absent for card charges."""
    debited_at: NotRequired[str]
    """Only for a bank debit: when the processor accepted it, ISO 8601 in UTC. The charge stays `pending` until the bank has paid or returned it, in some days."""
    capture_failed_at: NotRequired[str]
    """Only for a charge that had succeeded, and whose amount the processor could not take after all: when Ringkey found out, ISO 8601 in UTC. The charge is `failed`. Otherwise absent."""
    returned_at: NotRequired[str]
    """Only for a bank debit that was paid and that the bank has returned since: when Ringkey found out, ISO 8601 in UTC. The charge is `failed`, and `failure.processor_code` has the bank's return code, such as `R10`. Otherwise absent."""
    was_late: NotRequired[Literal[True]]
    """True if the charge was reported as failed, or was lost, and the processor was later found to have taken the money. Otherwise absent."""
    duplicate_of: NotRequired[str]
    """Only for a late charge: another charge of the same session or order that was pending or succeeded when this one was found. Decide which of the two to refund. Otherwise absent."""
    capture_before: NotRequired[str]
    """Only for an `authorized` charge: when the processor releases the hold, ISO 8601 in UTC. Absent if the processor does not say."""
    captured_cents: NotRequired[int]
    """Only for a captured hold: the captured amount in minor units. The rest of `amount_cents` was released."""
    tip_cents: NotRequired[int]
    """Only if the caller added a tip: its amount in minor units. It is part of `amount_cents` of the charge, beside `amount_cents` of the session."""
    remaining_cents: NotRequired[int]
    """Only if the payer paid a part: what is left of `amount_cents` of the session, in minor units. The session is complete all the same. To collect the rest, create another checkout, without the `order_id` or with `allow_repeat`."""
    failure: NotRequired[ErrorObject]
    """Only for a failed charge: the error object that the charge operation would have returned."""


class ChargeRequest(TypedDict):
    checkout_session_id: str
    """The open checkout session, as returned by `create_checkout`."""
    instrument_id: str
    """The card that the caller chose from the session's `cards`. There is no default: the caller must have agreed to this card."""
    part_cents: NotRequired[int]
    """Charges this part instead of the whole amount, in minor units: at least `partial_minimum_cents` of the merchant. Only if the caller asked for it. Default: all."""
    tip_cents: NotRequired[int]
    """A tip that the caller adds, in minor units, charged in addition: only if the merchant has `tip_percentages`, and at most half of the amount. Default: none."""


class ChargeResponse(TypedDict):
    status: Literal["pending", "authorized", "succeeded", "failed", "voided", "expired"]
    """`pending`: no outcome yet. Either the processor gave none and the money may have been taken, or the payer has ten minutes on the pay page to confirm to the bank (3-D Secure). Do not start another payment for this order; a webhook reports the outcome. `authorized`: the amount is held on the card until you capture or void it, or `capture_before` passes. `succeeded` is final, except for a bank debit that the bank returns later: it becomes `failed` with `returned_at`, or a charge whose capture fails later: `failed` with `capture_failed_at`. `voided` and `expired`: the hold was released and nothing was taken. `failed` is final unless the processor is later found to have taken the money: the charge then becomes `succeeded` with `was_late`."""
    amount_cents: int
    """The charged amount in minor units, the tip included."""
    currency: str
    """ISO 4217, upper case: the merchant's currency."""
    replay: bool
    """True if this exact charge was made before and this is the original."""
    charge_id: str
    """The charge, `ch_…`."""
    checkout_session_id: str
    """The checkout session, `cs_…`."""
    processor_payment_id: str | None
    """The processor reference of the payment. Null until the processor has assigned one."""
    merchant_id: str
    """The merchant, `mer_…`."""
    order_id: str | None
    """The merchant's order, which is also the confirmation number to read back. Null if the checkout had none."""
    platform_call_id: str | None
    """The voice platform's ID of the call, as sent to `create_checkout`. Otherwise null."""
    wallet: NotRequired[Literal["apple_pay", "google_pay"]]
    """`apple_pay` or `google_pay`, if the payer used the wallet button on the pay page. Absent for card charges."""
    tip_cents: NotRequired[int]
    """The tip in `amount_cents`. Absent if there is none."""
    remaining_cents: NotRequired[int]
    """What a part leaves to pay. Absent if nothing is left."""


class ChargeTotalsTotals(TypedDict):
    currency: str
    """ISO 4217, upper case: the merchant's currency."""
    charges: int
    """The number of charges, in every status."""
    succeeded: int
    """How many of them succeeded. Holds count."""
    gross_cents: int
    """What the succeeded ones took, in minor units: of a captured hold, the captured part."""
    refunded_cents: int
    """What was refunded of them, including pending refunds."""
    net_cents: int
    """`gross_cents` less `refunded_cents`."""


class ChargeTotalsDeclines(TypedDict):
    decline_code: Literal["generic_decline", "do_not_honor", "insufficient_funds", "lost_card", "stolen_card", "expired_card", "incorrect_number", "incorrect_cvc", "incorrect_expiry", "incorrect_zip", "card_not_supported", "authentication_required", "processing_error", "try_again_later", None]
    """The reason. Null: the charges did not fail because of the card."""
    count: int
    """The number of charges that failed for this reason."""


class ChargeTotals(TypedDict):
    """The sums of the charges that match filters."""

    totals: list[ChargeTotalsTotals] | None
    """The sums by currency, the highest first. Null if more than 10,000 charges match, or if summing takes too long: use a shorter period."""
    declines: list[ChargeTotalsDeclines] | None
    """Why the charges failed, the most frequent reason first. Null if the filters also match other charges: send `status=failed`, `counted_as=failed` or `decline_code`. Also null if too many charges match, as with `totals`."""


class CheckoutSessionTokenization(TypedDict):
    processor: str
    """The processor whose browser SDK creates the token: `stripe`, `square`, `authorizenet`, `checkoutcom`, `braintree`, `worldpay`, `adyen`."""
    public_key: str
    """The processor's publishable key or application ID."""
    location_id: str | None
    """Square: the merchant's location. Stripe: the connected account (`stripeAccount` of Stripe.js), or null if the merchant has its own account. Authorize.net: the API login ID (`apiLoginID` of Accept.js). Adyen: the environment of Adyen Web."""
    environment: str
    """The processor's own name for the environment."""


class CheckoutSession(TypedDict):
    """A checkout session: what is due, the payer, the merchant, and the outcome."""

    checkout_session_id: str
    """The checkout session, `cs_…`."""
    session_status: Literal["open", "complete", "expired"]
    """`open`: can be paid. `complete`: paid, even if the bank returns a bank debit later (`returned_at` of the charge) or its capture fails later (`capture_failed_at`). `expired`: ended without a payment. An expired session becomes `complete` if one of its charges is found to be taken late (`was_late`)."""
    agent_message: str | None
    """What the agent says about the outcome so far, word for word, in the caller's language: paid, declined, nothing charged, the link was texted. Null while the caller is on the payment line."""
    payment_required: Literal["required", "optional", "none"]
    """The verdict of the payment policy. `required`: the call must be paid now; only then is there a `transfer_to`. `optional`: the caller chooses. `none`: nothing is due, so do not mention payment."""
    purpose: Literal["payment", "save_card"]
    """What the checkout is for: `payment`, or `save_card` if a card is only verified and saved. Then the amount and the `amount_cents` of its charges are 0."""
    amount_cents: int
    """The amount, an integer in the currency's minor unit: 4250 is 42.50 USD, and 4250 JPY, which has no minor unit."""
    remaining_cents: NotRequired[int]
    """Only if a part was paid: what is left of `amount_cents`, in minor units."""
    currency: str
    """ISO 4217, upper case: the merchant's currency."""
    merchant_id: str
    """The merchant. An empty string if no merchant has the dialed number."""
    business_name: str | None
    """The merchant's own name, for the header of a pay page. Null if the merchant was deleted."""
    processor: str | None
    """The merchant's processor: `sandbox`, `sandbox_page`, `stripe`, `square`, `authorizenet`, `checkoutcom`, `braintree`, `worldpay`, `hyperswitch`, `adyen`, `payconnector`. Null if none is connected or the merchant was deleted."""
    voice: str | None
    """The merchant's text-to-speech voice. Null for the default voice of its language."""
    environment: Literal["test", "live"]
    """The mode of your key."""
    order_id: str | None
    """The merchant's order, which is also the confirmation number to read back. Null if the checkout had none."""
    platform_call_id: str | None
    """The voice platform's ID of the call, as sent to `create_checkout`. Otherwise null."""
    caller_phone: str | None
    """The caller's number, E.164. Null if the session was created without one."""
    caller_first_name: str | None
    """The caller's first name, for a greeting. Null for an unknown caller. Identity only."""
    return_to: str | None
    """Where the caller goes after paying, as sent to `create_checkout`. Otherwise null."""
    success_message: str | None
    """What the line says after a successful payment. Null for the default sentence."""
    failure_message: str | None
    """What the line says after a decline. Null for the default sentence."""
    charge: Charge | None
    """The pending, authorized or succeeded charge. Otherwise the last failed one. Null before the first charge."""
    cards: list[Card]
    """The caller’s cards that this merchant can charge, newest first. Empty if nothing is due, if the session is paid or expired, or if screening returns `step_up`."""
    default_card_id: str | None
    """The `instrument_id` of the default card in `cards`. Null if none of them is the default."""
    instrument_id: str | None
    """The card that the caller saved with this checkout. Null if there is none. With some processors it appears only after the payment."""
    tokenization: CheckoutSessionTokenization | None
    """What the card field of a pay page needs to know about the merchant's processor. Contains no secrets. Null if the processor needs nothing or its configuration is incomplete."""
    screen: Screen | None
    """What screening found about the caller. Never speak it. Null until a check has finished, two days later, and in events."""
    metadata: dict[str, str | float | bool | None]
    """The metadata from the request. `{}` if there was none."""


class CheckoutSessionTotalsTotals(TypedDict):
    currency: str
    """ISO 4217, upper case: the merchant's currency."""
    checkout_sessions: int
    """The number of sessions, with every `session_status`."""
    open: int
    """How many are `open`."""
    complete: int
    """How many are `complete`."""
    expired: int
    """How many are `expired`."""
    amount_cents: int
    """The amounts of all of them, in minor units. `retrieve_charge_totals` sums what was paid."""
    complete_cents: int
    """The amounts of those that are `complete`."""


class CheckoutSessionTotals(TypedDict):
    """The sums of the checkout sessions that match filters."""

    totals: list[CheckoutSessionTotalsTotals] | None
    """The sums by currency, the highest first. Null if more than 10,000 checkout sessions match, or if summing takes too long: use a shorter period."""


class ConnectProcessorRequest(TypedDict):
    processor: str
    """`stripe`, `square`, `authorizenet`, `checkoutcom`, `braintree`, `worldpay`, `hyperswitch`, `adyen`, `payconnector`, or in test mode only `sandbox` or `sandbox_page`. `sandbox_page` takes cards on the pay page only, so the line texts the link at once. Any other value returns `invalid_processor`."""
    environment: NotRequired[Literal["test", "live"]]
    """Must be the mode of your key, which is the default."""
    credentials: NotRequired[dict[str, str]]
    """The credentials of the processor, by its own names. They are never shown again. `sandbox`, `sandbox_page`: none. `stripe`: `secret_key` and optionally `publishable_key` (card fields on the pay page) and `account_id` (an account connected to your platform). `square`: `access_token`, `application_id`, `location_id`. `authorizenet`: `api_login_id`, `transaction_key` and optionally `public_client_key` (card fields on the pay page). `checkoutcom`: `secret_key` and optionally `public_key`, `processing_channel_id` and `prefix`. `braintree`: `public_key`, `private_key`, `merchant_account_id`, `currency` and optionally `tokenization_key` (card fields on the pay page). `hyperswitch`: `base_url`, `api_key`, `connector` and optionally `profile_id`. `worldpay`: `username`, `password`, `entity`, `narrative` and optionally `checkout_id` (card fields on the pay page). `adyen`: `api_key`, `merchant_account`, in live mode `url_prefix`, and optionally `client_key` (card fields on the pay page) with its `environment`, and `report_api_key` (payouts). `payconnector`: `url`, `username`, `password` and optionally `lookup_url`."""
    notification_secret: NotRequired[str]
    """The secret that the processor signs its notifications with. It is stored encrypted and never shown again. If you omit the field, an earlier one is kept. It can also be set later."""


class ConsentedCardConsent(TypedDict):
    channel: Literal["phone", "page", "rest"]
    """Where the caller was asked. `rest`: by your agent."""
    wording: str | None
    """The sentence that the caller agreed to. Null if your agent asked and `save_card` did not send it."""
    agreed_at: str
    """ISO 8601, in UTC."""


class ConsentedCard(TypedDict):
    """A saved card, and what its caller agreed to."""

    instrument_id: str
    """The saved card. Send it to `charge` when the caller has chosen this card."""
    brand: str
    """Upper case, such as `VISA`, `MASTERCARD`, `AMERICAN_EXPRESS`, `DISCOVER`."""
    last_four: str
    """The last four digits, as a string."""
    expiry: str
    """The last month in which the card can be charged, `MM/YYYY`."""
    save_terms: Literal["returning", "merchant_initiated"]
    """What the caller agreed to. `returning`: the caller can choose the card when paying again. `merchant_initiated`: the merchant can also charge it without the caller (`create_charge`)."""
    max_amount_cents: int | None
    """The highest amount of one charge without the caller, in minor units. Null if the caller agreed to any amount, or to no such charges."""
    consent: ConsentedCardConsent | None
    """The consent. Null if the card was saved at another merchant that shares its account at the processor."""


class Consumer(TypedDict):
    """The identity of the caller, without any payment data."""

    id: str
    """The caller, `con_…`."""
    first_name: str | None
    """Null if it is not known."""
    last_name: str | None
    """Null if it is not known."""
    email: str | None
    """Null if it is not known."""


class CreateAlertTargetRequest(TypedDict):
    name: NotRequired[Literal[""] | str]
    """A name for people, such as the name of the Slack channel. Empty if there is none."""
    topics: NotRequired[list[Literal["payments", "processors", "deliveries", "keys", "service"]]]
    """`payments`: to settle, paid late or twice, failed later, disputed. `processors`: refusing, slow, low success rates. `deliveries`: webhooks, texts, emails, alerts. `keys`: API keys about to expire, or expired. `service`: missing processes and servers."""
    urgent_only: NotRequired[bool]
    """If true, only urgent problems are sent: processors that refuse or are slow, low success rates of the last hours, charges that were paid late or twice, failed captures, returned bank debits, and missing processes and servers."""
    time_zone: NotRequired[str]
    """IANA name of the time zone of all hours and days. The default is `UTC`."""
    quiet_from: NotRequired[int | None]
    """Quiet hours begin at this hour. During them, only urgent problems are sent. Null: none."""
    quiet_until: NotRequired[int | None]
    """Quiet hours end at this hour. Null: none."""
    summary_hour: NotRequired[int | None]
    """The hour at which a summary of the day before is sent. Null: none."""
    summary_if_empty: NotRequired[bool]
    """If true, the summary is also sent after a day without calls, payments and problems."""
    report_merchants: NotRequired[list[str]]
    """Merchants whose reports of the month before are sent on the first day of each month, at `summary_hour` or at 8:00. See `retrieve_month_report`. Empty: none."""
    email: NotRequired[str]
    """The address. Send this or `slack_url`."""
    slack_url: NotRequired[str]
    """The URL of an incoming webhook of Slack, or of a program that takes the same form. It is a secret: it is encrypted, and never shown. Must be https with a host on the public internet. Any other URL returns `invalid_url`."""


class CreateChargeRequest(TypedDict):
    initiator: Literal["merchant"]
    """Always `merchant`. To charge a card that a caller chose, use `charge`."""
    merchant_id: str
    """The merchant that gets paid. The caller must have agreed at this merchant."""
    instrument_id: str
    """The saved card. It was saved at this merchant with `save_terms` `merchant_initiated`."""
    amount_cents: int
    """The amount in minor units of the merchant's currency. At most the `max_amount_cents` that the caller agreed to."""
    order_id: str
    """The order in your own system, such as an invoice or a fee. Ringkey does not look it up at the order source."""
    allow_repeat: NotRequired[bool]
    """True to charge this order even if another charge of it succeeded or is pending."""
    metadata: NotRequired[dict[str, str | float | bool | None]]
    """Your own data, as in `create_checkout`."""


class CreateCheckoutRequestLineItems(TypedDict):
    name: str
    """The name of the item, shown to the payer."""
    quantity: int
    """The quantity."""
    amount_cents: int
    """The price of one item, in minor units."""


class CreateCheckoutRequest(TypedDict):
    merchant_id: NotRequired[str]
    """The merchant that gets paid. Send this or `merchant_number`. If you send both, they must match."""
    merchant_number: NotRequired[str]
    """The number that the caller dialed, E.164. Use it if the agent does not know the merchant. An unknown number is not an error: `merchant_id` is then empty and the verdict is `none`."""
    caller_phone: NotRequired[str]
    """The caller's number, E.164. `anonymous`, `unavailable`, `unknown` and `restricted` mean that the caller withholds it. Without a number there are no saved cards and no transfer by number, and `charge` and `send_link` return 422 `session_missing_consumer`."""
    caller_email: NotRequired[str]
    """Where the caller wants the receipt by email, in addition to the text. Only for receipts of this session. In test mode, emails are only logged."""
    order_id: NotRequired[str]
    """The order in the merchant's own system. The amount of the order takes precedence over `amount_cents`."""
    amount_cents: NotRequired[int]
    """An integer in the minor unit of the merchant's currency: 4250 is 42.50 USD, and 4250 JPY, which has no minor unit. Required without an `order_id`. It never overrides the amount of an order."""
    line_items: NotRequired[list[CreateCheckoutRequestLineItems]]
    """The items of the bill, shown on the pay page and the receipt. They do not determine the amount."""
    platform_call_id: NotRequired[str]
    """The voice platform's own ID of this call. Recommended: the SIP headers, the session and every event contain it."""
    return_to: NotRequired[str]
    """Where the caller goes after paying: a `sip:`, `sips:` or `tel:` URI, a number, or an `https:` URL for the pay page (`http:` in test mode only). On the phone, a URL is treated as a target that cannot be connected. The target must be one of the account's allowed hosts and numbers (`PATCH /v1/account`). Private addresses, emergency numbers and premium numbers are never allowed. Without `return_hosts`, an account can use every public host in test mode and none in live mode. A target that is not allowed, or that contains a password (`user:password@`), returns `invalid_value`. If you omit the field, the line says `success_message` and ends the call."""
    success_message: NotRequired[str]
    """What the line says after a successful payment, in the merchant's voice, if the call does not return to an agent. The default is a short sentence."""
    failure_message: NotRequired[str]
    """What the line says after a decline, instead of the default sentence."""
    metadata: NotRequired[dict[str, str | float | bool | None]]
    """Your own data: up to 50 names (40 characters) with strings (500 characters), numbers, booleans or nulls. Stored and returned, never interpreted. An integer beyond 9007199254740991 is rejected: send it as a string."""
    ttl_seconds: NotRequired[int]
    """How long the session can be paid, in seconds. The default is 1800. A wrong value returns `invalid_ttl`."""
    language: NotRequired[str]
    """The caller's language, BCP 47, if it is not the merchant's. It applies to `agent_message` here and in later errors, to the payment line, the pay page and the texts. Supported: `en`, `de`, `es`, `fr`. For any other language, the merchant's is used. A malformed tag returns `invalid_value`."""
    purpose: NotRequired[Literal["payment", "save_card"]]
    """`payment` (default), or `save_card`: the line, or the page of `send_link`, verifies a card without taking money, and saves it if the caller agrees. Then `caller_phone`, `save_terms` and `save_sentence` are required, there is no amount and no order, and the verdict is `required`. The session ends with `instrument_id`. If the merchant’s processor cannot do this, returns `invalid_value`."""
    save_terms: NotRequired[Literal["returning", "merchant_initiated"]]
    """Asks the caller to save the card, in your own words, before it is charged: on the line by keys 1 and 2, on the pay page by a box that is not ticked. What the caller agrees to: `returning` to choose the card when paying again, `merchant_initiated` also to charges without the caller (`create_charge`). Applies even if the merchant’s `card_saving` is `never`. Without `caller_phone`, or if the processor cannot save cards, the caller is not asked. If you omit it, the merchant’s `card_saving` applies."""
    save_sentence: NotRequired[str]
    """What the caller agrees to, as one or two spoken sentences in the language of the checkout. The line adds \"If you agree, press one.\" It is kept with the consent. Required with `save_terms`. If the caller changes the language, the standard question is asked instead, and the terms are `returning`."""
    save_max_amount_cents: NotRequired[int]
    """The highest amount of one charge without the caller, in minor units, as the sentence says. Only with `merchant_initiated`."""
    allow_repeat: NotRequired[bool]
    """True if this order can be paid although another session of it is paid or being paid, such as for an instalment or a second guest."""
    capture: NotRequired[Literal["automatic", "manual"]]
    """`automatic` (default): the payment takes the amount. `manual`: the payment only holds it on the card, and the charge is `authorized`. Capture it with `capture_charge` before `capture_before`, or release it with `void_charge`. The caller hears that a hold was placed. If the merchant’s processor cannot hold an amount, returns `invalid_value`."""
    payment_methods: NotRequired[list[Literal["card", "us_bank_account"]]]
    """What the caller can pay with on the line. `[\"card\"]` (default), or `[\"card\", \"us_bank_account\"]`: the caller can also key a US bank account, which is debited by ACH. That needs USD, a merchant with `bank_debit_phone`, a processor that makes bank debits, and `payer_name`. The charge is `pending` until the bank has paid, in some days. Not with `capture` `manual` or `save_terms`. The line offers it only if a text can confirm it in writing. The pay page takes cards only."""
    payer_name: NotRequired[str]
    """The name of the account’s owner. The line says it in the authorization, and the bank gets it. Required with `us_bank_account`."""


class CreateCheckoutResponse(TypedDict):
    checkout_session_id: str
    """The session. Use this ID for `charge` and `send_link`; events contain it."""
    merchant_id: str
    """The merchant that gets paid. An empty string if no merchant has the `merchant_number`."""
    agent_message: str
    """The one line that the agent says now, word for word: no payment needed, transferring now, or payment unavailable."""
    payment_required: Literal["required", "optional", "none"]
    """The verdict of the payment policy. `required`: the call must be paid now; only then is there a `transfer_to`. `optional`: the caller chooses. `none`: nothing is due, so do not mention payment."""
    amount_cents: int
    """The amount, an integer in the currency's minor unit: 4250 is 42.50 USD, and 4250 JPY, which has no minor unit."""
    currency: str
    """ISO 4217, upper case: the merchant's currency."""
    amount_source: Literal["order", "request"]
    """The source of the amount: the order source, or `amount_cents` of the request."""
    transfer_to: str | None
    """The SIP URI to transfer the call to. It contains a token that is valid for one live call and this session only, until the session is paid or expired. Null unless payment is required: do not transfer the call then."""
    transfer_to_number: str | None
    """The same hand-off as a phone number, for platforms that can only dial numbers. The session is then found by the caller’s number. Null if payment is not required, if the session has no `caller_phone`, or if the operator has not assigned a number to the account and mode."""
    transfer_code: str | None
    """Eight digits, for platforms whose calls to `transfer_to_number` do not show the caller’s number: dial them as soon as the line has answered (`,,12345678#`). They name the session, once, until it is paid or expired. Do not log them. Null if payment is not required or the account and mode have no number."""
    expires_at: str
    """When the session expires and can no longer be paid: ISO 8601, in UTC."""
    cards: list[Card]
    """The caller’s cards that this merchant can charge, newest first. If empty, text a pay link or transfer the call. Also empty if screening returns `step_up`."""
    default_card_id: str | None
    """The `instrument_id` of the default card in `cards`. Null if none of them is the default."""
    metadata: dict[str, str | float | bool | None]
    """The metadata from the request. `{}` if there was none."""


class CreateKeyRequest(TypedDict):
    environment: NotRequired[Literal["test", "live"]]
    """Must be the mode of your key, which is the default. No key can access the other mode."""
    name: NotRequired[str]
    """A name for people, to distinguish keys in a list."""
    scope: NotRequired[Literal["full", "agent"]]
    """What the key can do. `agent`: create checkouts, charge, text links, identify callers and read sessions, and nothing else. The default is `full`."""
    expires_at: NotRequired[str]
    """When the key expires, in the future. If you omit it, the key does not expire."""
    allowed_sources: NotRequired[list[str]]
    """IPv4 or IPv6 addresses and CIDR blocks from which requests are allowed. If empty, all addresses are allowed."""


class CreateKeyResponse(TypedDict):
    key_id: str
    """The key, `key_…`: its ID in lists, not the secret."""
    environment: Literal["test", "live"]
    """The mode of the key, as in its prefix."""
    name: str | None
    """The name from the request. Otherwise null."""
    scope: Literal["full", "agent"]
    """What the key can do. `agent`: create checkouts, charge, text links, identify callers and read sessions. `full`: everything."""
    allowed_sources: list[str]
    """Addresses and CIDR blocks from which requests are allowed. If empty, all addresses are allowed."""
    prefix: str
    """The first characters of the key, to recognize it."""
    created_at: str
    """When it was created: ISO 8601, in UTC."""
    expires_at: str | None
    """When the key expires or expired. Rolling the key can set an earlier time. Null if it does not expire."""
    revoked_at: str | None
    """When the key was revoked. Null if it was not."""
    key: str
    """The key itself, for the `Authorization` header. Use it on servers only. It is shown only once; we store only its hash."""


class CreateMerchantRequestOrderSource1(TypedDict):
    type: Literal["none"]
    """Orders are not looked up: a checkout needs `amount_cents`."""


class CreateMerchantRequestOrderSource2(TypedDict):
    type: Literal["sandbox"]
    """The demo's orders. Test mode only, where it is the default."""


class CreateMerchantRequestOrderSource3(TypedDict):
    type: Literal["http"]
    """Orders are looked up at the merchant's own URL, with signed requests."""
    url: str
    """We send it a signed POST (Standard Webhooks) `{\"order_id\", \"merchant_id\", \"mode\"}`. It must answer within 3 seconds: 200 `{\"amount_cents\", \"currency\"?}`, or 404 if the order does not exist. Must be https with a public host; a demo on your own machine also accepts `http://127.0.0.1`. Any other URL returns `invalid_url`."""


class CreateMerchantRequest(TypedDict):
    business_name: str
    """The name that the caller hears and that the pay page and the receipt show."""
    slug: NotRequired[str]
    """Identifies the merchant in `X-Ringkey-Merchant`. Must be unique within the account and mode. By default it is derived from the name."""
    numbers: NotRequired[list[str]]
    """The numbers that the merchant's callers dial, E.164. `merchant_number` finds the merchant by them. Each number must be unique within the account and mode. The payment line's own numbers are rejected. An update replaces the whole list."""
    currency: NotRequired[Literal["USD", "EUR", "GBP", "CAD", "AUD", "JPY", "KRW"]]
    """ISO 4217. The currency of all amounts. The default is `USD`."""
    payment_policy: NotRequired[Literal["never", "optional", "always", "above"]]
    """The verdict for each checkout. `never`: none. `optional`: optional. `always`: required. `above`: required from the threshold on, otherwise none. The default is `always`. Open sessions keep their verdict."""
    payment_policy_amount_cents: NotRequired[int | None]
    """The threshold for `above`, in minor units: payment is required from this amount on. Required with `above`; other policies reject it."""
    language: NotRequired[str]
    """The language in which callers are spoken and written to, BCP 47. The agent, the payment line, the pay page and the texts support `en`, `de`, `es`, `fr`. For any other language they use English. The default is `en-US`."""
    second_language: NotRequired[str | None]
    """A second language that the greeting offers in that language (\"para español, marque nueve\"). If the caller presses 9 before any other key, the line greets in it. Receipt, pay page and agent use it afterwards, too. Must be a supported language other than `language`. Null, the default, offers none."""
    time_zone: NotRequired[str]
    """IANA name of the time zone for times in texts to callers. The default is `UTC`."""
    voice: NotRequired[str | None]
    """The voice of the line, `<synthesizer>:<voice>`, such as `polly:Joanna`. The synthesizer must be configured on the service (`espeak-ng`, `openai`, `google`, `polly`, `elevenlabs`); the voice is the synthesizer's own name. A name without a colon is an `espeak-ng` voice. The voice speaks the merchant's language only. While it fails, espeak-ng speaks. Null uses the default voice of the language."""
    asks_postal_code: NotRequired[bool]
    """Whether the line asks for the card's postal code. The default is false."""
    asks_confirmation: NotRequired[bool]
    """Whether the line reads back the card and the amount and the caller must press 1 before it charges. The default is false."""
    card_saving: NotRequired[Literal["never", "ask"]]
    """Whether the line and the pay page ask callers to save their card for next time. `ask`: once per call, before the charge, if the caller has a number and the processor can save the card. The card is saved when the charge succeeds, with a record of the consent. `never`, the default: callers are not asked and no card is saved."""
    tip_percentages: NotRequired[list[int]]
    """Tips that the line offers after the card was entered, and the pay page above its form, in percent of the amount due: up to three whole numbers from 1 to 50, on keys 1 to 3. The caller can decline (0, or no key). The line then says the final amount, and charges it after the caller has pressed 1. `[]`, the default, offers no tip."""
    partial_minimum_cents: NotRequired[int | None]
    """Lets payers pay a part of the amount, from this many minor units on, in the merchant’s currency. The checkout is then complete, and `remaining_cents` says what is left. Not for holds, bank debits and checkouts that only save a card. Null, the default: only the whole amount."""
    text_after_drop: NotRequired[bool]
    """Whether callers whose call dropped before payment receive the pay link by SMS. It is sent after 20 seconds, once per session, unless the caller has called again or has a newer checkout with the merchant. The rules of `send_link` apply: not to numbers that have opted out, and at most three per hour. The default is false."""
    return_mode: NotRequired[Literal["auto", "refer", "bridge", None]]
    """How a call returns to `return_to`. `refer`: by SIP REFER. `bridge`: we call the target and connect both calls. `auto`: REFER if the other side supports it, otherwise a bridge. Null uses the service's default."""
    bank_debit_phone: NotRequired[str | None]
    """Lets callers pay from a US bank account, if a checkout offers it (`payment_methods`) and the processor makes bank debits. A number that is answered during business hours, E.164: the line and the text say it for questions and to revoke the debit. Null, the default: the merchant takes no bank debits."""
    accepted_brands: NotRequired[list[Literal["visa", "mastercard", "american-express", "discover", "diners-club", "jcb", "unionpay", "maestro"]]]
    """Card brands that the line accepts. If a caller enters a card of another brand, the line says so and the caller can enter another card. The default is Visa, Mastercard, American Express and Discover."""
    page_accent_color: NotRequired[str | None]
    """The color of buttons, links and icons on the merchant's pay pages, and of its emails: `#` and six hexadecimal digits. It is adjusted so that text stays readable (WCAG 2.2, 4.5:1). Null, the default: the account's."""
    page_support_phone: NotRequired[str | None]
    """Phone number for questions, E.164, on the merchant's pay pages and in its emails. Null, the default: the account's."""
    page_support_email: NotRequired[str | None]
    """Email address for questions, on the merchant's pay pages and in its emails. Null, the default: the account's."""
    page_terms_url: NotRequired[str | None]
    """The merchant's terms: an `https://` URL that its pay pages link to. Null, the default: the account's."""
    page_privacy_url: NotRequired[str | None]
    """The merchant's privacy policy: an `https://` URL that its pay pages link to. Null, the default: the account's."""
    order_source: NotRequired[CreateMerchantRequestOrderSource1 | CreateMerchantRequestOrderSource2 | CreateMerchantRequestOrderSource3]
    """Where orders are looked up. The default is the sandbox in test mode and none in live mode."""


class CreateRefundRequest(TypedDict):
    charge: str
    """The `charge_id` of the charge to refund."""
    amount_cents: NotRequired[int]
    """The amount to refund, an integer in the currency's minor unit. If you omit the field, everything not refunded yet is refunded. `null` is rejected with `invalid_value`."""
    reason: NotRequired[Literal["duplicate", "fraudulent", "requested_by_customer"]]
    """The reason. It is sent to Stripe, too: `fraudulent` adds the card to Stripe's block list."""
    metadata: NotRequired[dict[str, str | float | bool | None]]
    """Your own data: strings, numbers, booleans and nulls by name, stored and returned, never interpreted. At most 50 names of 40 characters, with values of 500 characters."""


class CreateWebhookEndpointRequest(TypedDict):
    url: str
    """The URL to which events are sent. Must be https with a host on the public internet; a demo on your own machine also accepts `http://127.0.0.1`. Any other URL returns `invalid_url`."""
    events: list[Literal["checkout.succeeded", "checkout.failed", "checkout.completed", "checkout.pending", "checkout.expired", "charge.captured", "charge.voided", "charge.authorization_expired", "charge.capture_failed", "charge.returned", "refund.succeeded", "refund.failed", "dispute.created", "dispute.updated", "attention.opened", "attention.closed", "call.answered", "call.step", "call.returned", "call.ended"]]
    """The event types to send, each listed once. Otherwise returns `invalid_events`. The `call.` types report the progress of calls. They are sent once, without retries, and dropped if they are late. The `attention.` types report problems that need a person."""


class CreateWebhookEndpointResponse(TypedDict):
    webhook_endpoint_id: str
    """The webhook endpoint, `we_…`."""
    url: str
    """The URL to which events are sent."""
    events: list[Literal["checkout.succeeded", "checkout.failed", "checkout.completed", "checkout.pending", "checkout.expired", "charge.captured", "charge.voided", "charge.authorization_expired", "charge.capture_failed", "charge.returned", "refund.succeeded", "refund.failed", "dispute.created", "dispute.updated", "attention.opened", "attention.closed", "call.answered", "call.step", "call.returned", "call.ended"]]
    """The event types that the endpoint receives."""
    disabled: bool
    """If true, no events are sent. An answer of 410 also sets it to true."""
    created_at: str
    """When it was created: ISO 8601, in UTC."""
    signing_secret: str
    """Signs the deliveries (Standard Webhooks). Shown only once."""


class DeleteAlertTargetResponse(TypedDict):
    alert_target_id: str
    """The target, `alert_…`."""
    deleted: Literal[True]
    """Always true. No more messages are sent to the target."""


class DeleteCardResponse(TypedDict):
    instrument_id: str
    """The saved card, `card_…`."""
    deleted: Literal[True]
    """The card is no longer offered or charged."""


class DeleteWebhookEndpointResponse(TypedDict):
    webhook_endpoint_id: str
    """The webhook endpoint, `we_…`."""
    deleted: Literal[True]
    """No more events are sent to the endpoint."""


class Delivery(TypedDict):
    """The delivery of an event to an endpoint. The fields about the answer describe the last attempt."""

    event_id: str
    """The event, `evt_…`."""
    type: Literal["checkout.succeeded", "checkout.failed", "checkout.completed", "checkout.pending", "checkout.expired", "charge.captured", "charge.voided", "charge.authorization_expired", "charge.capture_failed", "charge.returned", "refund.succeeded", "refund.failed", "dispute.created", "dispute.updated", "attention.opened", "attention.closed", "test"]
    """The type of the event."""
    sequence: int
    """The event's position in the order of events."""
    status: Literal["waiting", "delivered", "failed", "canceled"]
    """`waiting`: waiting for the next attempt. `delivered`: the endpoint answered 2xx. `failed`: all attempts failed. `canceled`: the endpoint was disabled or deleted."""
    attempts: int
    """The number of attempts so far."""
    next_attempt_at: str | None
    """When the next attempt starts. Null if there is none."""
    attempted_at: str | None
    """When the last attempt started. Null if there was none."""
    latency_ms: int | None
    """The duration of the last attempt until the answer or the timeout, in milliseconds. Null before the first attempt."""
    status_code: int | None
    """The HTTP status of the last answer. Null if there was no answer."""
    answer: str | None
    """The first 1,024 bytes of the last answer. Null if there was no answer."""
    failure: str | None
    """Why the last attempt failed: `status` (not 2xx), `redirect`, `gone` (410), `timeout` (15 s), `connection`, `forbidden_address` (not on the public internet), `too_old`. Null after a success."""
    failure_detail: str | None
    """Why there was no connection, if `failure` is `connection` and the cause is known: `host_not_found`, `host_lookup_failed`, `connection_refused`, `connection_reset`, `connection_timeout`, `unreachable`, `certificate_expired`, `certificate_wrong_host`, `certificate_unknown_issuer`, `certificate_invalid`, `tls_error`, `invalid_response`. More can be added. Otherwise null."""


DeliveryAttemptHeaders = TypedDict("DeliveryAttemptHeaders", {
    "webhook-id": 'str',
    "webhook-timestamp": 'str',
    "webhook-signature": 'str',
})


class DeliveryAttempt(TypedDict):
    """One attempt to deliver an event: the signed request and the answer. Kept for 30 days."""

    webhook_endpoint_id: str
    """The webhook endpoint, `we_…`."""
    url: str
    """The URL of the endpoint."""
    attempt: int
    """Counts the attempts of the delivery. It starts at 1 again after each resend."""
    sent_at: str
    """When the attempt started."""
    latency_ms: int
    """The duration until the answer or the timeout, in milliseconds."""
    status_code: int | None
    """The HTTP status of the last answer. Null if there was no answer."""
    answer: str | None
    """The first 1,024 bytes of the last answer. Null if there was no answer."""
    failure: str | None
    """Why the last attempt failed: `status` (not 2xx), `redirect`, `gone` (410), `timeout` (15 s), `connection`, `forbidden_address` (not on the public internet), `too_old`. Null after a success."""
    failure_detail: str | None
    """Why there was no connection, if `failure` is `connection` and the cause is known: `host_not_found`, `host_lookup_failed`, `connection_refused`, `connection_reset`, `connection_timeout`, `unreachable`, `certificate_expired`, `certificate_wrong_host`, `certificate_unknown_issuer`, `certificate_invalid`, `tls_error`, `invalid_response`. More can be added. Otherwise null."""
    headers: DeliveryAttemptHeaders
    """The headers that were signed. The signed body is the event as `retrieve_event` returns it, byte for byte."""


class Dispute(TypedDict):
    """A dispute of a charge by the payer's bank."""

    dispute_id: str
    """The dispute, `dp_…`."""
    charge: str
    """The `charge_id` of the disputed charge."""
    checkout_session_id: str
    """The checkout session, `cs_…`."""
    merchant_id: str
    """The merchant, `mer_…`."""
    kind: Literal["inquiry", "chargeback"]
    """`inquiry`: the payer's bank asks about the payment, and has taken nothing back yet. `chargeback`: the bank takes the amount back."""
    status: Literal["needs_response", "under_review", "won", "lost", "closed"]
    """`needs_response`: send evidence in the processor's dashboard before `evidence_due_at`. `under_review`: the bank decides. `won` and `lost`: decided, though some banks open another round. `closed`: ended without a decision, such as an inquiry that never became a chargeback."""
    reason: Literal["fraudulent", "duplicate", "not_received", "not_as_described", "canceled", "credit_not_processed", "amount_differs", "paid_by_other_means", "general"]
    """What the payer claims. `general`: the bank gave another reason or none. New reasons can be added."""
    processor_reason: str | None
    """The processor's or the card network's own code. Null if there is none."""
    amount_cents: int
    """The disputed amount, an integer in the currency's minor unit. It can differ from the charge."""
    currency: str
    """ISO 4217, upper case: the currency of the disputed amount."""
    evidence_due_at: str | None
    """Until when the processor accepts evidence: ISO 8601, in UTC. Null if it sets no time."""
    processor: str
    """The charge's processor."""
    processor_dispute_id: str
    """The processor reference of the dispute."""
    created_at: str
    """When the processor first notified us of the dispute: ISO 8601, in UTC."""
    updated_at: str
    """When the dispute last changed."""


class DisputeTotalsTotals(TypedDict):
    currency: str
    """ISO 4217, upper case: the merchant's currency."""
    disputes: int
    """The number of disputes, in every status."""
    disputed_cents: int
    """Their amounts, in minor units."""
    open_cents: int
    """The amounts of those with the status `needs_response` or `under_review`."""
    won_cents: int
    """The amounts of those that were won."""
    lost_cents: int
    """The amounts of those that were lost."""


class DisputeTotals(TypedDict):
    """The sums of the disputes that match filters."""

    totals: list[DisputeTotalsTotals] | None
    """The sums by currency, the highest first. Null if more than 10,000 disputes match, or if summing takes too long: use a shorter period."""


class Email(TypedDict):
    """A receipt by email."""

    email_id: str
    """The email, `eml_…`."""
    kind: Literal["receipt", "not_charged", "late_receipt", "debit_returned", "not_collected"]
    """`receipt`: the payment was taken, or the amount is held. `not_charged`: a pending charge failed. `late_receipt`: a charge that was reported as failed was taken. `debit_returned`: the bank returned a paid bank debit. `not_collected`: the capture of a payment failed after it had succeeded."""
    checkout_session_id: str
    """The checkout session, `cs_…`."""
    charge_id: str
    """The charge that the email is about."""
    recipient: str | None
    """The recipient's address, masked. Null if the caller was erased."""
    status: Literal["waiting", "sent", "failed"]
    """`waiting`: waiting for the next attempt. `sent`: the mail server has accepted it; in test mode, it was only logged. `failed`: it was not sent."""
    attempts: int
    """The number of attempts to send it."""
    error_code: str | None
    """Why it was not sent, or why the last attempt failed: the mail server's reply code, the code of the connection's failure, `not_configured`, `caller_erased`, or `replaced` by a later receipt. Otherwise null."""
    created_at: str
    """When it was created: ISO 8601, in UTC."""
    settled_at: str | None
    """When the mail server accepted the email, or when the attempts ended. Null before that."""


class EraseCallerRequest(TypedDict):
    caller_phone: str
    """The caller's number, E.164."""


class EraseCallerResponse(TypedDict):
    consumer_id: str
    """The caller, `con_…`, as returned by `identify`."""
    deleted: Literal[True]
    """The person and the number are erased."""


class EraseConsumerResponse(TypedDict):
    consumer_id: str
    """The caller, `con_…`, as returned by `identify`."""
    deleted: Literal[True]
    """The person and the number are erased."""


class Error(TypedDict):
    error: ErrorObject


class ErrorObject(TypedDict):
    """What went wrong, who has to act, and what the agent says and does."""

    type: Literal["invalid_request_error", "authentication_error", "permission_error", "card_error", "processor_error", "idempotency_error", "rate_limit_error", "api_error"]
    """The category of the error code."""
    code: Literal["invalid_json", "missing_required_fields", "invalid_value", "invalid_key", "card_declined", "instrument_not_authorized", "consent_missing", "consent_exceeded", "session_not_found", "instrument_not_found", "not_found", "processor_mismatch", "charge_details_mismatch", "session_expired", "session_missing_consumer", "merchant_not_connected", "merchant_credentials_invalid", "needs_enrollment", "processor_unavailable", "rate_limit", "charge_not_authorized", "charge_already_captured", "charge_already_voided", "authorization_expired", "capture_in_progress", "capture_amount_too_large", "partial_capture_unsupported", "capture_refused", "vendor_not_provisioned", "merchant_not_found", "invalid_processor", "invalid_credentials", "invalid_payment_policy", "invalid_payment_policy_amount_cents", "session_create_failed", "missing_checkout_session_id", "order_lookup_failed", "order_lookup_unsupported", "missing_instrument_fields", "card_save_failed", "invalid_vault", "key_not_found", "invalid_environment", "invalid_url", "invalid_events", "invalid_ttl", "invalid_state_key", "not_configured", "internal_error"]
    """What went wrong. Branch on this value, never on a message."""
    audience: Literal["developer", "caller"]
    """`caller`: the error concerns the person on the call. `developer`: the integration is at fault. The agent says nothing and does not mention payment."""
    message: str
    """For developers who read the logs. Never spoken."""
    advice_code: Literal["try_again_later", "do_not_try_again", "confirm_card_data"]
    """For your program: whether to send the same request again. With `confirm_card_data`, retry after the caller has checked the entered digits. It is independent of `agent_action`: `do_not_try_again` with this card can come with `offer_different_card`."""
    agent_message: str | None
    """What the agent says, word for word, in the caller's language (`en`, `de`, `es`, `fr`; English for any other). If null, say nothing."""
    display_message: str | None
    """The same message for a screen. Null if `agent_message` is null."""
    agent_action: Literal["retry_card", "offer_different_card", "send_link", "end_call", "escalate", None]
    """What the agent does next. `retry_card`: have the caller check the card and try it again. `offer_different_card`: offer another saved card, the payment line, or a link if pay links can be sent. `send_link`: call `send_link`. `end_call`: say goodbye. `escalate`: hand over to a person. Null: do nothing."""
    doc_url: str
    """Link to this code on the error codes page."""
    request_id: str
    """The value of the `X-Request-Id` header. Quote it when you ask for help. In events, the ID of the event."""
    decline_code: NotRequired[str]
    """Why the card was not charged, if the processor or the issuer gave a reason: `generic_decline`, `do_not_honor`, `insufficient_funds`, `lost_card`, `stolen_card`, `expired_card`, `incorrect_number`, `incorrect_cvc`, `incorrect_expiry`, `incorrect_zip`, `card_not_supported`, `authentication_required`, `processing_error`, `try_again_later`."""
    charge: NotRequired[str]
    """The charge that the error refers to."""
    param: NotRequired[str]
    """The field, parameter or header that is wrong, such as `metadata.table` or `Idempotency-Key`."""
    processor_code: NotRequired[str]
    """The processor's own code. Quote it to the processor's support."""
    request_log_url: NotRequired[str]
    """Link to this request and its answer in the dashboard. It works as long as the request log is kept. Absent if no key was accepted, in `failure` of a charge or refund, in events, and if requests are not logged."""


class EventData(TypedDict):
    """The data of the event."""

    checkout_session: CheckoutSession | None
    """The session at the time of the event, as `retrieve_checkout_session` returns it. Null in `test` and `attention.…` events."""
    charge: Charge | None
    """The charge that the event is about. Null if there is none, and in `test` and `attention.…` events."""
    refund: NotRequired[Refund]
    """The refund that a `refund.…` event is about. Absent in all other events."""
    dispute: NotRequired[Dispute]
    """The dispute that a `dispute.…` event is about, as it was then. Absent in all other events."""
    attention_item: NotRequired[AttentionItem]
    """The item that an `attention.…` event is about, as it was then. Absent in all other events."""
    failure: NotRequired[ErrorObject]
    """For a failed or pending charge: the error object that the charge operation would have returned."""
    outcome: NotRequired[Literal["succeeded", "failed", "pending", "expired"]]
    """The outcome so far. In `checkout.completed`, the final outcome of the session. Absent in `test`, `attention.…`, `charge.…`, `dispute.…` and `refund.…` events."""


class Event(TypedDict):
    """An event as endpoints receive it and the list shows it, byte for byte."""

    id: str
    """The event, `evt_…`. It is the same on every attempt, so store it to detect duplicates."""
    type: Literal["checkout.succeeded", "checkout.failed", "checkout.completed", "checkout.pending", "checkout.expired", "charge.captured", "charge.voided", "charge.authorization_expired", "charge.capture_failed", "charge.returned", "refund.succeeded", "refund.failed", "dispute.created", "dispute.updated", "attention.opened", "attention.closed", "test"]
    """What happened. `test`: a test event was requested."""
    created_at: str
    """When it happened: ISO 8601, in UTC."""
    sequence: int
    """Ascends in the order of the events. Ignore an event if you have seen a higher number for its session."""
    mode: Literal["test", "live"]
    """Whether real money is involved."""
    data: EventData
    """The data of the event."""


class EventDelivery(TypedDict):
    """The delivery of an event to one of its endpoints. The fields about the answer describe the last attempt."""

    status: Literal["waiting", "delivered", "failed", "canceled"]
    """`waiting`: waiting for the next attempt. `delivered`: the endpoint answered 2xx. `failed`: all attempts failed. `canceled`: the endpoint was disabled or deleted."""
    attempts: int
    """The number of attempts so far."""
    next_attempt_at: str | None
    """When the next attempt starts. Null if there is none."""
    attempted_at: str | None
    """When the last attempt started. Null if there was none."""
    latency_ms: int | None
    """The duration of the last attempt until the answer or the timeout, in milliseconds. Null before the first attempt."""
    status_code: int | None
    """The HTTP status of the last answer. Null if there was no answer."""
    answer: str | None
    """The first 1,024 bytes of the last answer. Null if there was no answer."""
    failure: str | None
    """Why the last attempt failed: `status` (not 2xx), `redirect`, `gone` (410), `timeout` (15 s), `connection`, `forbidden_address` (not on the public internet), `too_old`. Null after a success."""
    failure_detail: str | None
    """Why there was no connection, if `failure` is `connection` and the cause is known: `host_not_found`, `host_lookup_failed`, `connection_refused`, `connection_reset`, `connection_timeout`, `unreachable`, `certificate_expired`, `certificate_wrong_host`, `certificate_unknown_issuer`, `certificate_invalid`, `tls_error`, `invalid_response`. More can be added. Otherwise null."""
    webhook_endpoint_id: str
    """The webhook endpoint, `we_…`."""
    url: str
    """The URL of the endpoint."""


class EventTotalsTotals(TypedDict):
    events: int
    """The number of events, with and without deliveries."""
    waiting: int
    """How many `list_events` lists with `delivery=waiting`."""
    failing: int
    """How many `list_events` lists with `delivery=failing`."""
    delivered: int
    """How many `list_events` lists with `delivery=delivered`."""
    failed: int
    """How many `list_events` lists with `delivery=failed`."""
    canceled: int
    """How many `list_events` lists with `delivery=canceled`."""


class EventTotals(TypedDict):
    """The number of events that match filters."""

    totals: EventTotalsTotals | None
    """The counts. Null if more than 10,000 events match, or if counting takes too long: use a shorter period."""


class FindCallersResponse(TypedDict):
    callers: list[Caller]
    """The callers."""
    has_more: bool
    """Whether more numbers end with these digits."""


class IdentifyRequest(TypedDict):
    caller_phone: str
    """The caller's number, E.164. A withheld number (`anonymous`, `unavailable`, `unknown`, `restricted`) matches no caller."""


class IdentifyResponse(TypedDict):
    known: bool
    """Whether the account knows this number in this mode."""
    consumer: Consumer | None
    """The caller. Null if `known` is false."""


class Key(TypedDict):
    """An API key. The key itself is never shown."""

    key_id: str
    """The key, `key_…`: its ID in lists, not the secret."""
    environment: Literal["test", "live"]
    """The mode of the key, as in its prefix."""
    name: str | None
    """The name from the request. Otherwise null."""
    scope: Literal["full", "agent"]
    """What the key can do. `agent`: create checkouts, charge, text links, identify callers and read sessions. `full`: everything."""
    allowed_sources: list[str]
    """Addresses and CIDR blocks from which requests are allowed. If empty, all addresses are allowed."""
    prefix: str
    """The first characters of the key, to recognize it."""
    created_at: str
    """When it was created: ISO 8601, in UTC."""
    expires_at: str | None
    """When the key expires or expired. Rolling the key can set an earlier time. Null if it does not expire."""
    revoked_at: str | None
    """When the key was revoked. Null if it was not."""


class ListAlertTargetsResponse(TypedDict):
    alert_targets: list[AlertTarget]
    """Newest first."""
    has_more: bool
    """Whether there are more items. To get them, send the last item's ID as `starting_after`."""


class ListAttentionItemsResponse(TypedDict):
    attention_items: list[AttentionItem]
    """Newest first."""
    has_more: bool
    """Whether there are more items. To get them, send the last item's ID as `starting_after`."""


class ListAuditEventsResponse(TypedDict):
    audit_events: list[AuditEvent]
    """Newest first."""
    has_more: bool
    """Whether there are more items. To get them, send the last item's ID as `starting_after`."""


class ListCallsResponse(TypedDict):
    calls: list[Call]
    """Newest first."""
    has_more: bool
    """Whether there are more items. To get them, send the last item's ID as `starting_after`."""


class ListCardsResponse(TypedDict):
    cards: list[ConsentedCard]
    """Newest first. Contains only cards that this merchant can charge."""
    default_card_id: str | None
    """The `instrument_id` of the default card in `cards`. Null if none of them is the default."""
    has_more: bool
    """Whether there are more items. To get them, send the last item's ID as `starting_after`."""


class ListChargesResponse(TypedDict):
    charges: list[ListedCharge]
    """Newest first."""
    has_more: bool
    """Whether there are more items. To get them, send the last item's ID as `starting_after`."""


class ListCheckoutSessionsResponse(TypedDict):
    checkout_sessions: list[ListedCheckoutSession]
    """Newest first."""
    has_more: bool
    """Whether there are more items. To get them, send the last item's ID as `starting_after`."""


class ListDisputesResponse(TypedDict):
    disputes: list[Dispute]
    """Newest first."""
    has_more: bool
    """Whether there are more items. To get them, send the last item's ID as `starting_after`."""


class ListEmailsResponse(TypedDict):
    emails: list[Email]
    """Newest first."""
    has_more: bool
    """Whether there are more items. To get them, send the last item's ID as `starting_after`."""


class ListEventAttemptsResponse(TypedDict):
    attempts: list[DeliveryAttempt]
    """Newest first, 100 at most. Attempts to deleted endpoints are not included."""


class ListEventDeliveriesResponse(TypedDict):
    deliveries: list[EventDelivery]
    """One delivery for each endpoint of the event, oldest endpoint first. Deleted endpoints are not included."""


class ListEventsResponse(TypedDict):
    events: list[ListedEvent]
    """Newest first, each as it is delivered."""
    has_more: bool
    """Whether there are more items. To get them, send the last item's ID as `starting_after`."""


class ListKeysResponse(TypedDict):
    keys: list[Key]
    """Newest first, including revoked keys."""
    has_more: bool
    """Whether there are more items. To get them, send the last item's ID as `starting_after`."""


class ListMerchantsResponse(TypedDict):
    merchants: list[Merchant]
    """Newest first."""
    has_more: bool
    """Whether there are more items. To get them, send the last item's ID as `starting_after`."""


class ListPayoutEntriesResponse(TypedDict):
    payout_entries: list[PayoutEntry]
    """Newest first."""
    has_more: bool
    """Whether there are more items. To get them, send the last item's ID as `starting_after`."""


class ListPayoutsResponse(TypedDict):
    payouts: list[Payout]
    """Newest first."""
    has_more: bool
    """Whether there are more items. To get them, send the last item's ID as `starting_after`."""


class ListRefundsResponse(TypedDict):
    refunds: list[ListedRefund]
    """Newest first."""
    has_more: bool
    """Whether there are more items. To get them, send the last item's ID as `starting_after`."""


class ListRequestsResponse(TypedDict):
    requests: list[Request]
    """Newest first."""
    has_more: bool
    """Whether there are more items. To get them, send the last item's ID as `starting_after`."""


class ListTextsResponse(TypedDict):
    texts: list[Text]
    """Newest first."""
    has_more: bool
    """Whether there are more items. To get them, send the last item's ID as `starting_after`."""


class ListWebhookDeliveriesResponse(TypedDict):
    deliveries: list[Delivery]
    """Newest event first."""
    has_more: bool
    """Whether there are more items. To get them, send the last item's ID as `starting_after`."""


class ListWebhookEndpointsResponse(TypedDict):
    webhook_endpoints: list[WebhookEndpoint]
    """Newest first."""
    has_more: bool
    """Whether there are more items. To get them, send the last item's ID as `starting_after`."""


class ListedChargePayout(TypedDict):
    """The payout that contains the charge, with its fee. Absent until the processor reports it."""

    payout_id: str
    """The payout, `po_…`."""
    fee_cents: int
    """The processor's fee in minor units of `currency`. Negative if it is refunded."""
    net_cents: int
    """`gross_cents` minus `fee_cents`, in minor units of `currency`."""
    currency: str
    """ISO 4217, upper case: the currency of the bank account. It can differ from the currency of the charge. Do not add up payouts of different currencies."""
    arrival_date: str | None
    """The day on which the bank account gets the amount, as the processor says. Null if it does not say."""


class ListedCharge(TypedDict):
    """A charge, with its session and its card."""

    charge_id: str
    """The charge, `ch_…`."""
    status: Literal["pending", "authorized", "succeeded", "failed", "voided", "expired"]
    """`pending`: no outcome yet. Either the processor gave none and the money may have been taken, or the payer has ten minutes on the pay page to confirm to the bank (3-D Secure). Do not start another payment for this order; a webhook reports the outcome. `authorized`: the amount is held on the card until you capture or void it, or `capture_before` passes. `succeeded` is final, except for a bank debit that the bank returns later: it becomes `failed` with `returned_at`, or a charge whose capture fails later: `failed` with `capture_failed_at`. `voided` and `expired`: the hold was released and nothing was taken. `failed` is final unless the processor is later found to have taken the money: the charge then becomes `succeeded` with `was_late`."""
    amount_cents: int
    """The amount, an integer in the currency's minor unit: 4250 is 42.50 USD, and 4250 JPY, which has no minor unit."""
    processor_payment_id: str | None
    """The processor reference of the payment. Null until the processor has assigned one."""
    wallet: NotRequired[Literal["apple_pay", "google_pay"]]
    """`apple_pay` or `google_pay`, if the payer used the wallet button on the pay page. Absent for card charges."""
    payment_method: NotRequired[Literal["us_bank_account"]]
    """Only for a debit of a US bank account. Absent for card charges."""
    debited_at: NotRequired[str]
    """Only for a bank debit: when the processor accepted it, ISO 8601 in UTC. The charge stays `pending` until the bank has paid or returned it, in some days."""
    capture_failed_at: NotRequired[str]
    """Only for a charge that had succeeded, and whose amount the processor could not take after all: when Ringkey found out, ISO 8601 in UTC. The charge is `failed`. Otherwise absent."""
    returned_at: NotRequired[str]
    """Only for a bank debit that was paid and that the bank has returned since: when Ringkey found out, ISO 8601 in UTC. The charge is `failed`, and `failure.processor_code` has the bank's return code, such as `R10`. Otherwise absent."""
    was_late: NotRequired[Literal[True]]
    """True if the charge was reported as failed, or was lost, and the processor was later found to have taken the money. Otherwise absent."""
    duplicate_of: NotRequired[str]
    """Only for a late charge: another charge of the same session or order that was pending or succeeded when this one was found. Decide which of the two to refund. Otherwise absent."""
    capture_before: NotRequired[str]
    """Only for an `authorized` charge: when the processor releases the hold, ISO 8601 in UTC. Absent if the processor does not say."""
    captured_cents: NotRequired[int]
    """Only for a captured hold: the captured amount in minor units. The rest of `amount_cents` was released."""
    tip_cents: NotRequired[int]
    """Only if the caller added a tip: its amount in minor units. It is part of `amount_cents` of the charge, beside `amount_cents` of the session."""
    remaining_cents: NotRequired[int]
    """Only if the payer paid a part: what is left of `amount_cents` of the session, in minor units. The session is complete all the same. To collect the rest, create another checkout, without the `order_id` or with `allow_repeat`."""
    failure: NotRequired[ErrorObject]
    """Only for a failed charge: the error object that the charge operation would have returned."""
    currency: str
    """ISO 4217, upper case: the merchant's currency."""
    refunded_cents: int
    """The amount refunded so far, including pending refunds, in minor units."""
    refund_pending_cents: NotRequired[int]
    """The part of `refunded_cents` that the processor has not confirmed, in minor units. Absent if there is none."""
    checkout_session_id: str
    """The checkout session, `cs_…`."""
    merchant_id: str
    """The merchant, `mer_…`."""
    business_name: str
    """The merchant's own name."""
    order_id: str | None
    """The merchant's order, which is also the confirmation number to read back. Null if the checkout had none."""
    platform_call_id: str | None
    """The voice platform's ID of the call, as sent to `create_checkout`. Otherwise null."""
    caller_phone: str | None
    """The caller's number when the charge was created, E.164. Null if there was none or it was cleared later."""
    needs_settling: NotRequired[Literal[True]]
    """True if the charge is still pending and the processor is no longer asked about it. Otherwise absent. Look up the outcome at the processor, then report it with `settle_charge`."""
    needs_attention: NotRequired[Literal[True]]
    """True if the charge has `was_late`, was found in the last 30 days, was not acknowledged (`acknowledge_charge`), and neither it nor the charge in `duplicate_of` is fully refunded. The caller may have been told that nothing was charged. Otherwise absent."""
    attention_acknowledged_at: NotRequired[str]
    """When a person acknowledged the late charge: ISO 8601, in UTC. Otherwise absent."""
    source: Literal["phone", "saved_card", "page"]
    """The source of the charge: a call (`phone`), the `charge` operation (`saved_card`), or the pay page (`page`)."""
    initiator: Literal["caller", "merchant"]
    """`caller`: the payer was on a call, on the pay page, or chose a saved card with your agent. `merchant`: a charge of a saved card without the caller (`create_charge`)."""
    processor: str
    """The processor of the charge."""
    payout: NotRequired[ListedChargePayout]
    """The payout that contains the charge, with its fee. Absent until the processor reports it."""
    instrument_id: str | None
    """The saved card, `card_…`."""
    brand: str | None
    """The card brand, upper case, such as `VISA`. Null if only the processor knows it."""
    last_four: str | None
    """The card's last four digits, as a string. Null if only the processor knows them."""
    environment: Literal["test", "live"]
    """`test`: the sandbox, no real money. `live`: real money. Always the mode of your key."""
    created_at: str
    """When the charge was created: ISO 8601, in UTC."""
    settled_at: str | None
    """When the outcome was known. Null while the charge is pending."""


class ListedCheckoutSession(TypedDict):
    """A checkout session in a list."""

    checkout_session_id: str
    """The checkout session, `cs_…`."""
    session_status: Literal["open", "complete", "expired"]
    """`open`: can be paid. `complete`: paid, even if the bank returns a bank debit later (`returned_at` of the charge) or its capture fails later (`capture_failed_at`). `expired`: ended without a payment. An expired session becomes `complete` if one of its charges is found to be taken late (`was_late`)."""
    payment_required: Literal["required", "optional", "none"]
    """The verdict of the payment policy. `required`: the call must be paid now; only then is there a `transfer_to`. `optional`: the caller chooses. `none`: nothing is due, so do not mention payment."""
    purpose: Literal["payment", "save_card"]
    """What the checkout is for: `payment`, or `save_card` if a card is only verified and saved. Then the amount and the `amount_cents` of its charges are 0."""
    amount_cents: int
    """The amount, an integer in the currency's minor unit: 4250 is 42.50 USD, and 4250 JPY, which has no minor unit."""
    currency: str
    """ISO 4217, upper case: the merchant's currency."""
    merchant_id: str
    """The merchant. An empty string if no merchant has the dialed number."""
    business_name: str | None
    """The merchant's own name, for the header of a pay page. Null if the merchant was deleted."""
    environment: Literal["test", "live"]
    """`test`: the sandbox, no real money. `live`: real money. Always the mode of your key."""
    order_id: str | None
    """The merchant's order, which is also the confirmation number to read back. Null if the checkout had none."""
    platform_call_id: str | None
    """The voice platform's ID of the call, as sent to `create_checkout`. Otherwise null."""
    caller_phone: str | None
    """The caller's number, E.164. Null if the session was created without one."""
    charge: Charge | None
    """The pending, authorized or succeeded charge. Otherwise the last failed one. Null before the first charge."""
    metadata: dict[str, str | float | bool | None]
    """The metadata from the request. `{}` if there was none."""
    created_at: str
    """When it was created: ISO 8601, in UTC."""
    expires_at: str
    """When the session expires and can no longer be paid: ISO 8601, in UTC."""


class ListedEventData(TypedDict):
    checkout_session: CheckoutSession | None
    """The session at the time of the event, as `retrieve_checkout_session` returns it. Null in `test` and `attention.…` events."""
    charge: Charge | None
    """The charge that the event is about. Null if there is none, and in `test` and `attention.…` events."""
    refund: NotRequired[Refund]
    """The refund that a `refund.…` event is about. Absent in all other events."""
    dispute: NotRequired[Dispute]
    """The dispute that a `dispute.…` event is about, as it was then. Absent in all other events."""
    attention_item: NotRequired[AttentionItem]
    """The item that an `attention.…` event is about, as it was then. Absent in all other events."""
    failure: NotRequired[ErrorObject]
    """For a failed or pending charge: the error object that the charge operation would have returned."""
    outcome: NotRequired[Literal["succeeded", "failed", "pending", "expired"]]
    """The outcome so far. In `checkout.completed`, the final outcome of the session. Absent in `test`, `attention.…`, `charge.…`, `dispute.…` and `refund.…` events."""


class ListedEvent(TypedDict):
    """An event as endpoints receive it, byte for byte."""

    id: str
    """The event, `evt_…`. It is the same on every attempt, so store it to detect duplicates."""
    type: Literal["checkout.succeeded", "checkout.failed", "checkout.completed", "checkout.pending", "checkout.expired", "charge.captured", "charge.voided", "charge.authorization_expired", "charge.capture_failed", "charge.returned", "refund.succeeded", "refund.failed", "dispute.created", "dispute.updated", "attention.opened", "attention.closed", "test"]
    """What happened. `test`: a test event was requested."""
    created_at: str
    """When it happened: ISO 8601, in UTC."""
    sequence: int
    """Ascends in the order of the events. Ignore an event if you have seen a higher number for its session."""
    mode: Literal["test", "live"]
    """Whether real money is involved."""
    data: ListedEventData | None
    """The data of the event. Null only while an error on our side prevents it from being shown and sent."""


class ListedRefund(TypedDict):
    """A refund in a list, with its merchant and its caller."""

    refund_id: str
    """The refund, `re_…`."""
    charge: str
    """The `charge_id` of the refunded charge."""
    checkout_session_id: str
    """The checkout session, `cs_…`."""
    merchant_id: str
    """The merchant, `mer_…`."""
    status: Literal["pending", "succeeded", "failed"]
    """`pending`: the processor has accepted the refund, or its answer is not known yet. A webhook reports the outcome. `succeeded` is final unless the payer’s bank does not take the refund: it then becomes `failed`. `failed` is final unless the processor is later found to have made the refund."""
    amount_cents: int
    """The refunded amount, an integer in the currency's minor unit."""
    currency: str
    """ISO 4217, upper case: the currency of the charge."""
    reason: Literal["duplicate", "fraudulent", "requested_by_customer", None]
    """The reason from the request. Null if there was none."""
    origin: Literal["ringkey", "processor"]
    """`ringkey`: requested here. `processor`: made in the processor's dashboard, and found by its notification."""
    processor_refund_id: str | None
    """The processor reference of the refund. Null until the processor has assigned one."""
    needs_settling: NotRequired[Literal[True]]
    """True if the refund is still pending and the processor is no longer asked about it. Otherwise absent. Look up the outcome at the processor, then report it with `settle_refund`."""
    failure: NotRequired[ErrorObject]
    """Only for a failed refund: the error object that the refund request would have returned."""
    metadata: dict[str, str | float | bool | None]
    """The metadata from the request. `{}` if there was none."""
    created_at: str
    """When the refund was requested, or was found at the processor: ISO 8601, in UTC."""
    business_name: str
    """The merchant's own name."""
    caller_phone: str | None
    """The caller's number when the charge was created, E.164. Null if there was none or it was cleared later."""


class MerchantOrderSource(TypedDict):
    """Where orders are looked up."""

    type: Literal["none", "sandbox", "http"]
    """The type of the order source."""
    url: NotRequired[str]
    """The URL that we call. Only for `http`."""
    signing_secret: NotRequired[str]
    """The secret that signs our requests to `url` (Standard Webhooks). Shown once, when you set the URL. Otherwise absent."""


class Merchant(TypedDict):
    """Who gets paid, and how the line treats the merchant's callers."""

    merchant_id: str
    """The merchant, `mer_…`."""
    environment: Literal["test", "live"]
    """The mode of the merchant and of its key."""
    business_name: str
    """The name that the caller hears and that the pay page and the receipt show."""
    slug: str
    """Identifies the merchant in `X-Ringkey-Merchant`."""
    numbers: list[str]
    """The numbers that the merchant's callers dial, E.164, ascending."""
    currency: Literal["USD", "EUR", "GBP", "CAD", "AUD", "JPY", "KRW"]
    """ISO 4217. The currency of all amounts."""
    payment_policy: Literal["never", "optional", "always", "above"]
    """The policy that decides the verdict of each checkout."""
    payment_policy_amount_cents: int | None
    """The threshold of the policy `above`, in minor units. Null for any other policy."""
    language: str
    """BCP 47, in its canonical form."""
    second_language: str | None
    """The second language that the greeting offers, BCP 47. Null if there is none."""
    time_zone: str
    """IANA name of the time zone for times in texts to callers and for the expiry of saved cards."""
    voice: str | None
    """The voice of the line. Null for the default voice of the language."""
    asks_postal_code: bool
    """Whether the line asks for the card's postal code."""
    asks_confirmation: bool
    """Whether the caller must press 1 to confirm before the line charges the card."""
    card_saving: Literal["never", "ask"]
    """Whether callers are asked to save their card for next time."""
    tip_percentages: list[int]
    """Tips that the line and the pay page offer, in percent of the amount due. Empty: none."""
    partial_minimum_cents: int | None
    """The smallest part of an amount that payers may pay instead of all, in minor units. Null: only the whole amount."""
    text_after_drop: bool
    """Whether callers whose call dropped before payment receive the pay link by SMS."""
    return_mode: Literal["auto", "refer", "bridge", None]
    """How a call returns to `return_to`. Null uses the service's default."""
    accepted_brands: list[str]
    """Card brands that the line accepts."""
    bank_debit_phone: str | None
    """The number for questions about bank debits, E.164. Null: the merchant takes no bank debits."""
    page_accent_color: str | None
    """The color of buttons, links and icons on the merchant's pay pages, and of its emails: `#` and six hexadecimal digits. It is adjusted so that text stays readable (WCAG 2.2, 4.5:1). Null, the default: the account's."""
    page_support_phone: str | None
    """Phone number for questions, E.164, on the merchant's pay pages and in its emails. Null, the default: the account's."""
    page_support_email: str | None
    """Email address for questions, on the merchant's pay pages and in its emails. Null, the default: the account's."""
    page_terms_url: str | None
    """The merchant's terms: an `https://` URL that its pay pages link to. Null, the default: the account's."""
    page_privacy_url: str | None
    """The merchant's privacy policy: an `https://` URL that its pay pages link to. Null, the default: the account's."""
    processor: str | None
    """The connected processor: `sandbox`, `sandbox_page`, `stripe`, `square`, `authorizenet`, `checkoutcom`, `braintree`, `worldpay`, `hyperswitch`, `adyen`, `payconnector`. Null until one is connected. Its credentials are never shown."""
    order_source: MerchantOrderSource
    """Where orders are looked up."""
    created_at: str
    """When it was created: ISO 8601, in UTC."""


class MerchantLogoLogo(TypedDict):
    url: str | None
    """Where the pay page's own host serves it. It changes with the content, and can be cached. Null if this service has no address for pay links."""
    content_type: Literal["image/png", "image/svg+xml"]
    """The format."""
    width: int
    """The width, in pixels. For an SVG, `width` and `height` are its proportions."""
    height: int
    """The height, in pixels."""
    size_bytes: int
    """The size of the stored file, which was rewritten from the upload."""
    updated_at: str
    """When it was uploaded."""


class MerchantLogo(TypedDict):
    merchant_id: str
    """The merchant, `mer_…`."""
    logo: MerchantLogoLogo | None
    """Null: the pay page shows the first letter of the business name."""


class MonthReportTotalsWays(TypedDict):
    source: Literal["phone", "page", "saved_card"]
    """As in `source` of a charge."""
    payments: int
    """Succeeded charges. Holds count once they are captured."""
    gross_cents: int
    """What they took, in minor units: of a captured hold, the captured part."""


class MonthReportTotalsDays(TypedDict):
    date: str
    """The day, in `time_zone`."""
    payments: int
    """Succeeded charges. Holds count once they are captured."""
    gross_cents: int
    """What they took, in minor units: of a captured hold, the captured part."""
    refunds: int
    """Refunds that were made in this time, whenever the charge was made. Pending ones count, failed ones do not."""
    refunded_cents: int
    """What they return."""
    net_cents: int
    """`gross_cents` less `refunded_cents`. Disputes and fees are not subtracted."""


class MonthReportTotals(TypedDict):
    currency: str
    """ISO 4217, upper case: the merchant's currency."""
    payments: int
    """Succeeded charges. Holds count once they are captured."""
    gross_cents: int
    """What they took, in minor units: of a captured hold, the captured part."""
    refunds: int
    """Refunds that were made in this time, whenever the charge was made. Pending ones count, failed ones do not."""
    refunded_cents: int
    """What they return."""
    net_cents: int
    """`gross_cents` less `refunded_cents`. Disputes and fees are not subtracted."""
    disputes: int
    """Disputes that were opened in the month."""
    disputed_cents: int
    """Their amounts."""
    lost_cents: int
    """The amounts of those that are lost by now."""
    payouts: int
    """Payouts that arrived in the month. Only of processors that report them."""
    shared_payouts: int
    """Of these, the payouts of a processor account that other merchants use, too. Each of their reports has the whole payout, so do not add them up."""
    paid_out_cents: int
    """Their amounts, after fees."""
    fee_cents: int | None
    """The fees of these payouts. Null if there were none."""
    ways: list[MonthReportTotalsWays]
    """The payments by the way they were made. Ways without payments are left out."""
    days: list[MonthReportTotalsDays]
    """Each day of the month that has started."""


MonthReport = TypedDict("MonthReport", {
    "environment": 'Literal["test", "live"]',
    "merchant_id": 'str',
    "business_name": 'str',
    "month": 'str',
    "time_zone": 'str',
    "from": 'str',
    "to": 'str',
    "totals": 'list[MonthReportTotals]',
})


class Payout(TypedDict):
    """A payout of a processor to a merchant's bank account."""

    payout_id: str
    """The payout, `po_…`."""
    merchant_id: str
    """The merchant, `mer_…`."""
    status: Literal["pending", "paid", "failed", "canceled"]
    """`pending`: on its way. `paid`: the bank account has it. `failed`: the bank returned it. `canceled`: the processor or the merchant stopped it."""
    amount_cents: int
    """The amount in minor units of `currency`. Negative if the processor takes it from the bank account."""
    currency: str
    """ISO 4217, upper case: the currency of the bank account. It can differ from the currency of the charge. Do not add up payouts of different currencies."""
    arrival_date: str | None
    """The day on which the bank account gets the amount, as the processor says. Null if it does not say."""
    processor: str
    """The processor."""
    processor_payout_id: str
    """The processor reference of the payout."""
    created_at: str
    """When the processor first notified us: ISO 8601, in UTC."""
    updated_at: str
    """When it was last read at the processor."""


class PayoutEntry(TypedDict):
    """One charge, refund, dispute or fee in a payout."""

    payout_entry_id: str
    """The entry, `pe_…`."""
    payout_id: str
    """The payout, `po_…`."""
    merchant_id: str
    """The merchant, `mer_…`."""
    kind: Literal["charge", "refund", "dispute", "fee", "other"]
    """`charge`, `refund`, `dispute`: about a charge. `fee`: a fee that is about no single charge. `other`: anything else in the account at the processor."""
    charge: str | None
    """The `charge_id`. Null if the entry is about no charge of ours, or one that is older than 120 days."""
    order_id: str | None
    """The merchant's order, which is also the confirmation number to read back. Null if the checkout had none."""
    gross_cents: int
    """The amount before the fee, in minor units of `currency`. Negative if the merchant returns the money."""
    fee_cents: int
    """The processor's fee in minor units of `currency`. Negative if it is refunded."""
    net_cents: int
    """`gross_cents` minus `fee_cents`, in minor units of `currency`."""
    currency: str
    """ISO 4217, upper case: the currency of the bank account. It can differ from the currency of the charge. Do not add up payouts of different currencies."""
    arrival_date: str | None
    """The day on which the bank account gets the amount, as the processor says. Null if it does not say."""


class PayoutEntryTotalsTotals(TypedDict):
    currency: str
    """ISO 4217, upper case: the merchant's currency."""
    payout_entries: int
    """The number of entries."""
    gross_cents: int
    """Their amounts before fees, in minor units of the currency of the payouts."""
    fee_cents: int
    """Their fees."""
    net_cents: int
    """`gross_cents` less `fee_cents`."""


class PayoutEntryTotals(TypedDict):
    """The sums of the payout entries that match filters."""

    totals: list[PayoutEntryTotalsTotals] | None
    """The sums by currency, the highest first. Null if more than 10,000 payout entries match, or if summing takes too long: use a shorter period."""


class PayoutTotalsTotals(TypedDict):
    currency: str
    """ISO 4217, upper case: the merchant's currency."""
    payouts: int
    """The number of payouts, in every status."""
    paid_cents: int
    """The amounts of those that were paid, in minor units. Amounts that a processor took from the bank account are subtracted."""
    pending_cents: int
    """The amounts of those on their way."""


class PayoutTotals(TypedDict):
    """The sums of the payouts that match filters."""

    totals: list[PayoutTotalsTotals] | None
    """The sums by currency, the highest first. Null if more than 10,000 payouts match, or if summing takes too long: use a shorter period."""


class QuietAttentionItemRequest(TypedDict):
    hours: int
    """The number of hours, 1 to 720 (30 days). Then the item is shown again, if its cause is still there."""


class Refund(TypedDict):
    """A refund of a succeeded charge to the payer's card."""

    refund_id: str
    """The refund, `re_…`."""
    charge: str
    """The `charge_id` of the refunded charge."""
    checkout_session_id: str
    """The checkout session, `cs_…`."""
    merchant_id: str
    """The merchant, `mer_…`."""
    status: Literal["pending", "succeeded", "failed"]
    """`pending`: the processor has accepted the refund, or its answer is not known yet. A webhook reports the outcome. `succeeded` is final unless the payer’s bank does not take the refund: it then becomes `failed`. `failed` is final unless the processor is later found to have made the refund."""
    amount_cents: int
    """The refunded amount, an integer in the currency's minor unit."""
    currency: str
    """ISO 4217, upper case: the currency of the charge."""
    reason: Literal["duplicate", "fraudulent", "requested_by_customer", None]
    """The reason from the request. Null if there was none."""
    origin: Literal["ringkey", "processor"]
    """`ringkey`: requested here. `processor`: made in the processor's dashboard, and found by its notification."""
    processor_refund_id: str | None
    """The processor reference of the refund. Null until the processor has assigned one."""
    needs_settling: NotRequired[Literal[True]]
    """True if the refund is still pending and the processor is no longer asked about it. Otherwise absent. Look up the outcome at the processor, then report it with `settle_refund`."""
    failure: NotRequired[ErrorObject]
    """Only for a failed refund: the error object that the refund request would have returned."""
    metadata: dict[str, str | float | bool | None]
    """The metadata from the request. `{}` if there was none."""
    created_at: str
    """When the refund was requested, or was found at the processor: ISO 8601, in UTC."""


class RefundTotalsTotals(TypedDict):
    currency: str
    """ISO 4217, upper case: the merchant's currency."""
    refunds: int
    """The number of refunds, in every status."""
    succeeded: int
    """How many of them succeeded."""
    refunded_cents: int
    """What the succeeded and pending ones return, in minor units."""
    pending_cents: int
    """The pending part of `refunded_cents`."""


class RefundTotals(TypedDict):
    """The sums of the refunds that match filters."""

    totals: list[RefundTotalsTotals] | None
    """The sums by currency, the highest first. Null if more than 10,000 refunds match, or if summing takes too long: use a shorter period."""


class Request(TypedDict):
    """A request to this API."""

    request_id: str
    """The request ID, as in the `X-Request-Id` header of its answer."""
    method: str
    """The HTTP method."""
    path: str | None
    """The path of the operation, as written in this reference. Null if no operation matches."""
    url: str
    """The requested path and query, decoded. Redacted like the bodies."""
    status: int
    """The HTTP status of the answer. 499 means that the client disconnected before the answer."""
    code: str | None
    """The error's `code`. Null if the request succeeded."""
    param: str | None
    """The error's `param`. Null if it has none."""
    duration_ms: int
    """Milliseconds from the first line of the request until the answer was sent."""
    key_id: str | None
    """The key, `key_…`: its ID in lists, not the secret."""
    key_name: str | None
    """The current name of the key. Null if it has none."""
    source: str | None
    """The IP address that the request came from."""
    environment: Literal["test", "live"]
    """`test`: the sandbox, no real money. `live`: real money. Always the mode of your key."""
    created_at: str
    """When the request was received: ISO 8601, in UTC."""


class RequestWithBodies(TypedDict):
    """A request to this API, with its body and its answer."""

    request_id: str
    """The request ID, as in the `X-Request-Id` header of its answer."""
    method: str
    """The HTTP method."""
    path: str | None
    """The path of the operation, as written in this reference. Null if no operation matches."""
    url: str
    """The requested path and query, decoded. Redacted like the bodies."""
    status: int
    """The HTTP status of the answer. 499 means that the client disconnected before the answer."""
    code: str | None
    """The error's `code`. Null if the request succeeded."""
    param: str | None
    """The error's `param`. Null if it has none."""
    duration_ms: int
    """Milliseconds from the first line of the request until the answer was sent."""
    key_id: str | None
    """The key, `key_…`: its ID in lists, not the secret."""
    key_name: str | None
    """The current name of the key. Null if it has none."""
    source: str | None
    """The IP address that the request came from."""
    environment: Literal["test", "live"]
    """`test`: the sandbox, no real money. `live`: real money. Always the mode of your key."""
    created_at: str
    """When the request was received: ISO 8601, in UTC."""
    request_body: str | None
    """The request body. JSON as a string, at most 8,192 characters. Longer text is cut and ends in `… [cut]`. Secrets, card-like digits, names and email addresses are replaced with `[cut]`, and phone numbers are masked. Null if there was none. `[no JSON]` if the body was not JSON."""
    answer_body: str | None
    """The answer body. JSON as a string, at most 8,192 characters. Longer text is cut and ends in `… [cut]`. Secrets, card-like digits, names and email addresses are replaced with `[cut]`, and phone numbers are masked. Null for answers of the request log itself, which are not kept."""


class ResendEventRequest(TypedDict):
    webhook_endpoint_id: NotRequired[str]
    """Only to this endpoint. Default: to all."""


class ResendFailedEventsRequest(TypedDict):
    since: str
    """Only deliveries whose last attempt was at this time or later: ISO 8601."""
    starting_after: NotRequired[str]
    """The `last_event_id` of the previous response. Only later events are sent."""


class ResendFailedEventsResponse(TypedDict):
    resent: int
    """The number of deliveries that are sent again."""
    has_more: bool
    """Whether there may be more. Send the request again with the same `since`, and with `last_event_id` as `starting_after`."""
    last_event_id: str | None
    """The newest of these events. Null if there are none."""


class RetrieveMerchantStatusResponseRequirements(TypedDict):
    code: Literal["test_environment", "processor_missing", "processor_unknown", "credentials_unreadable", "credentials_invalid", "vendor_not_provisioned", "keypad_unavailable", "moto_disabled", "card_numbers_disabled", "bank_debits_disabled", "processor_unavailable", "sms_carrier_missing", "pay_links_unavailable", "policy_never"]
    """The code of the requirement. Branch on this value."""
    message: str
    """What you need to do, for people to read."""


class RetrieveMerchantStatusResponseWallets(TypedDict):
    apple_pay: bool
    """Whether Apple Pay is shown."""
    google_pay: bool
    """Whether Google Pay is shown."""


class RetrieveMerchantStatusResponse(TypedDict):
    merchant_id: str
    """The merchant, `mer_…`."""
    environment: Literal["test", "live"]
    """The mode of the merchant."""
    processor: str | None
    """The connected processor. Null if there is none."""
    can_take_payments: bool
    """Whether checkouts in the merchant's own mode can be paid now."""
    can_take_live_payments: bool
    """Whether real payments can be taken now. If the processor or the account accepts no keyed cards, they work with saved cards and on the pay page only."""
    requirements: list[RetrieveMerchantStatusResponseRequirements]
    """What still prevents live payments. Empty if nothing does."""
    wallets: RetrieveMerchantStatusResponseWallets | None
    """Wallets that the processor shows on the pay page's host, on devices that support them. Null if the processor did not answer."""


class RetrieveNotificationSettingsResponse(TypedDict):
    merchant_id: str
    """The merchant, `mer_…`."""
    processor: str | None
    """The connected processor. Null if there is none."""
    can_notify: bool
    """Whether the processor sends notifications that can be verified."""
    url: str | None
    """The address to enter at the processor. Null if the service has no public address, or the processor sends no notifications that can be verified."""
    has_secret: bool
    """Whether a secret is set, so that notifications are accepted."""
    previous_secret_until: str | None
    """Until when the former secret is accepted, too: ISO 8601, in UTC. Null if there is none."""


class RetrieveOrderResponse(TypedDict):
    order_id: str
    """The requested order."""
    merchant_id: str
    """The merchant, `mer_…`."""
    amount_cents: int
    """The amount, an integer in the currency's minor unit: 4250 is 42.50 USD, and 4250 JPY, which has no minor unit."""
    currency: str
    """ISO 4217, upper case: the merchant's currency."""


class RetrieveWebhookHealthResponseHours(TypedDict):
    hour: str
    """The start of the hour: ISO 8601, in UTC."""
    attempts: int
    """The number of attempts in that hour."""
    failures: int
    """The number of these attempts that failed."""


class RetrieveWebhookHealthResponse(TypedDict):
    hours: list[RetrieveWebhookHealthResponseHours]
    """The last 168 hours, oldest first. The last one is the current hour."""


class RollHeaderSigningSecretResponse(TypedDict):
    account_id: str
    """The account, `acct_…`."""
    header_signing_secret: str
    """The key of the HMAC in `X-Ringkey-Signature`, base64 of 32 bytes. Shown only once."""


class RollKeyRequest(TypedDict):
    expires_in_seconds: NotRequired[int]
    """How long the old key stays valid, in seconds: 0 (not at all) to 604800 (seven days). The default is one day."""


class RollKeyResponse(TypedDict):
    key_id: str
    """The key, `key_…`: its ID in lists, not the secret."""
    environment: Literal["test", "live"]
    """The mode of the key, as in its prefix."""
    name: str | None
    """The name from the request. Otherwise null."""
    scope: Literal["full", "agent"]
    """What the key can do. `agent`: create checkouts, charge, text links, identify callers and read sessions. `full`: everything."""
    allowed_sources: list[str]
    """Addresses and CIDR blocks from which requests are allowed. If empty, all addresses are allowed."""
    prefix: str
    """The first characters of the key, to recognize it."""
    created_at: str
    """When it was created: ISO 8601, in UTC."""
    expires_at: str | None
    """When the key expires or expired. Rolling the key can set an earlier time. Null if it does not expire."""
    revoked_at: str | None
    """When the key was revoked. Null if it was not."""
    key: str
    """The key itself, for the `Authorization` header. Use it on servers only. It is shown only once; we store only its hash."""
    replaces: Key
    """The old key, with its new `expires_at`."""


class RollWebhookSecretRequest(TypedDict):
    expires_in_seconds: NotRequired[int]
    """How long the old secret also signs, in seconds: 0 (not at all) to 604800 (seven days). The default is one day."""


class RollWebhookSecretResponse(TypedDict):
    webhook_endpoint_id: str
    """The webhook endpoint, `we_…`."""
    url: str
    """The URL to which events are sent."""
    events: list[Literal["checkout.succeeded", "checkout.failed", "checkout.completed", "checkout.pending", "checkout.expired", "charge.captured", "charge.voided", "charge.authorization_expired", "charge.capture_failed", "charge.returned", "refund.succeeded", "refund.failed", "dispute.created", "dispute.updated", "attention.opened", "attention.closed", "call.answered", "call.step", "call.returned", "call.ended"]]
    """The event types that the endpoint receives."""
    disabled: bool
    """If true, no events are sent. An answer of 410 also sets it to true."""
    created_at: str
    """When it was created: ISO 8601, in UTC."""
    signing_secret: str
    """Signs the deliveries (Standard Webhooks). Shown only once."""


class SaveCardRequest(TypedDict):
    merchant_id: str
    """The merchant that can charge the card."""
    caller_phone: str
    """The caller's number, E.164. An unknown number creates a new caller."""
    token: str
    """The token that the processor's own page or SDK created for the card. In the sandbox, a token of the test cards. Card numbers are rejected."""
    vault: NotRequired[str]
    """The processor whose wallet holds the token. The default is the merchant's processor. If the processor is unknown, returns `invalid_vault`. If it is not the merchant's, returns `processor_mismatch`."""
    default: NotRequired[bool]
    """Whether it becomes the caller's default card at this merchant."""
    first_name: NotRequired[str]
    """The caller's first name. If you omit it, it keeps its value."""
    last_name: NotRequired[str]
    """The caller's last name. If you omit it, it keeps its value."""
    email: NotRequired[str]
    """The caller's email address. If you omit it, it keeps its value."""
    save_terms: NotRequired[Literal["returning", "merchant_initiated"]]
    """What the caller agreed to. `returning`, the default: the caller can choose the card when paying again. `merchant_initiated`: the merchant can also charge it without the caller (`create_charge`). Saving the card again as `returning` does not end an earlier consent; deleting the card does."""
    max_amount_cents: NotRequired[int]
    """The highest amount of one charge without the caller, in minor units, if the caller agreed to one. Only with `merchant_initiated`."""
    consent_text: NotRequired[str]
    """The sentence that the caller agreed to. It is kept with the consent, as the card networks require for charges without the caller."""


class SaveCardResponse(TypedDict):
    instrument_id: str
    """The saved card. Send it to `charge` when the caller has chosen this card."""
    brand: str
    """Upper case, such as `VISA`, `MASTERCARD`, `AMERICAN_EXPRESS`, `DISCOVER`."""
    last_four: str
    """The last four digits, as a string."""
    expiry: str
    """The last month in which the card can be charged, `MM/YYYY`."""
    save_terms: Literal["returning", "merchant_initiated"]
    """What the caller agreed to. `returning`: the caller can choose the card when paying again. `merchant_initiated`: the merchant can also charge it without the caller (`create_charge`)."""
    max_amount_cents: int | None
    """The highest amount of one charge without the caller, in minor units. Null if the caller agreed to any amount, or to no such charges."""
    merchant_id: str
    """The merchant, `mer_…`."""
    default: bool
    """Whether it is the caller's default card at this merchant."""


class Screen(TypedDict):
    """What screening found about the caller: why a caller receives a link instead of an offer of saved cards. Never speak it."""

    decision: Literal["allow", "step_up"]
    """`step_up`: no saved card of this caller is offered or charged; send a link or transfer the call. Only returned if screening found a positive risk signal. Otherwise `allow`."""
    reasons: list[Literal["ported_recently", "sim_swapped_recently", "attestation_c", "attestation_failed"]]
    """Every positive risk signal: `ported_recently`, `sim_swapped_recently`, `attestation_c`, `attestation_failed`. Empty with `allow`."""
    notes: list[str]
    """What is missing or failed. A note never causes a step-up. From the lookup: `number_not_covered`, `port_date_missing`, `port_date_in_future`, `sim_swap_unavailable`, `sim_swap_period_differs`, `line_type_unavailable`, `number_lookup_timed_out`, `number_lookup_unavailable`, `number_lookup_rate_limited`, `number_lookup_over_budget`, `number_lookup_refused`, `number_lookup_unreadable`. From the attestation: `attestation_missing`, `attestation_timed_out`, `attestation_unavailable`, `attestation_rate_limited`, `attestation_refused`, `attestation_unreadable`, `call_not_attested`, `platform_leg_attested_a`, `platform_leg_attested_b`, `platform_leg_attested_c`, `platform_leg_attested_failed`, `identity_unreadable`, `identity_expired`, `identity_other_destination`, `identity_forwarded`, `identity_certificate_unavailable`, `identity_certificate_untrusted`. New values may be added."""
    attestation: Literal["A", "B", "C", "Failed", None]
    """How far the carriers confirm that the original call came from its number (STIR/SHAKEN): `A`, `B`, `C`, or `Failed` if a signature is invalid. Null if there is no attestation."""
    ported_recently: bool
    """Whether the number was ported or its SIM swapped in the seven days before the lookup."""
    port_check: Literal["clear", "ported", "swapped", "unknown"]
    """The result for those seven days: `ported`, `swapped` (the SIM), `clear` (neither), or `unknown` (the lookup could not tell, or there was none)."""
    line_type: Literal["mobile", "landline", "voip", "toll_free", "other", "unknown"]
    """`mobile`, `landline`, `voip`, `toll_free`, `other`, `unknown`."""
    carrier: str | None
    """The carrier of the number, as named by the lookup. Otherwise null."""
    checked_at: str | None
    """When the number was looked up: ISO 8601, in UTC. Null if no lookup has finished. A lookup is reused for 24 hours."""
    attested_at: str | None
    """When the attestation was received. Null if there is none."""


class SendLinkRequest(TypedDict):
    checkout_session_id: str
    """The open checkout session, as returned by `create_checkout`."""


class SendLinkResponse(TypedDict):
    sent: bool
    """Whether this request has queued a text with the link. If false, the agent must not say that a text was sent."""
    pay_url: str
    """The pay link. Share it with the caller only: it allows payment of the session."""
    short_url: str
    """The same link, shortened, as used in the text."""
    payment_required: Literal["required", "optional", "none"]
    """The verdict of the payment policy. `required`: the call must be paid now; only then is there a `transfer_to`. `optional`: the caller chooses. `none`: nothing is due, so do not mention payment."""
    checkout_session_id: str
    """The checkout session, `cs_…`."""
    merchant_id: str
    """The merchant, `mer_…`."""
    order_id: str | None
    """The merchant's order, which is also the confirmation number to read back. Null if the checkout had none."""
    platform_call_id: str | None
    """The voice platform's ID of the call, as sent to `create_checkout`. Otherwise null."""


class SetNotificationSecretRequest(TypedDict):
    notification_secret: str | None
    """The secret that the processor signs its notifications with. It is stored encrypted and never shown again. The former one is accepted for 24 more hours. `null`: accept no notifications from now on."""


class SetNotificationSecretResponse(TypedDict):
    merchant_id: str
    """The merchant, `mer_…`."""
    processor: str | None
    """The connected processor. Null if there is none."""
    can_notify: bool
    """Whether the processor sends notifications that can be verified."""
    url: str | None
    """The address to enter at the processor. Null if the service has no public address, or the processor sends no notifications that can be verified."""
    has_secret: bool
    """Whether a secret is set, so that notifications are accepted."""
    previous_secret_until: str | None
    """Until when the former secret is accepted, too: ISO 8601, in UTC. Null if there is none."""


class SettleChargeRequest(TypedDict):
    outcome: Literal["succeeded", "not_received"]
    """The outcome at the processor. `succeeded`: it took the money. `not_received`: it does not know the charge and never will."""
    processor_payment_id: NotRequired[str]
    """The processor reference of the payment. Required with `succeeded`, and not allowed otherwise."""


class SettleRefundRequest(TypedDict):
    outcome: Literal["succeeded", "refused", "not_received"]
    """The outcome at the processor. `succeeded`: the money was refunded. `refused`: the processor accepted the refund, but it failed. `not_received`: it does not know the refund and never will."""
    processor_refund_id: NotRequired[str]
    """The processor reference of the refund. Required with `succeeded`, and not allowed otherwise."""


class StatisticsDaysPayments(TypedDict):
    currency: str
    """ISO 4217, upper case: the merchant's currency."""
    count: int
    """How many charges succeeded."""
    amount_cents: int
    """Their total, in minor units. Later refunds are not subtracted."""
    refunded_cents: int
    """What was refunded of the charges of this time until now. The refund of a bank debit counts even if the bank has returned the debit."""
    net_cents: int
    """`amount_cents` minus `refunded_cents`."""


class StatisticsDays(TypedDict):
    date: str
    """The day, in `time_zone`."""
    charges_succeeded: int
    """Charges that succeeded."""
    charges_failed: int
    """Charges that failed."""
    payments: list[StatisticsDaysPayments]
    """The charges that succeeded, and refunds, by currency."""


class StatisticsMerchantsPayments(TypedDict):
    currency: str
    """ISO 4217, upper case: the merchant's currency."""
    count: int
    """How many charges succeeded."""
    amount_cents: int
    """Their total, in minor units. Later refunds are not subtracted."""
    refunded_cents: int
    """What was refunded of the charges of this time until now. The refund of a bank debit counts even if the bank has returned the debit."""
    net_cents: int
    """`amount_cents` minus `refunded_cents`."""


class StatisticsMerchants(TypedDict):
    merchant_id: str
    """The merchant, `mer_…`."""
    charges_succeeded: int
    """Charges that succeeded."""
    charges_failed: int
    """Charges that failed."""
    payments: list[StatisticsMerchantsPayments]
    """The charges that succeeded, and refunds, by currency."""


class Statistics(TypedDict):
    """Payments in a period, compared with the period before."""

    environment: Literal["test", "live"]
    """`test`: the sandbox, no real money. `live`: real money. Always the mode of your key."""
    merchant_id: str | None
    """The merchant of the figures. Null for all merchants."""
    time_zone: str
    """The time zone in which days begin, IANA."""
    period: StatisticsFigures
    """The requested period."""
    period_before: StatisticsFigures
    """A period of the same length before it, to compare with. See `compare_from`."""
    days: list[StatisticsDays]
    """Each day of the period. The first and the last day may be partial."""
    merchants: list[StatisticsMerchants]
    """The merchants of the period, at most 50, starting with the one with the most charges."""


class StatisticsFiguresPayments(TypedDict):
    currency: str
    """ISO 4217, upper case: the merchant's currency."""
    count: int
    """How many charges succeeded."""
    amount_cents: int
    """Their total, in minor units. Later refunds are not subtracted."""
    refunded_cents: int
    """What was refunded of the charges of this time until now. The refund of a bank debit counts even if the bank has returned the debit."""
    net_cents: int
    """`amount_cents` minus `refunded_cents`."""


class StatisticsFiguresFunnel(TypedDict):
    step: Literal["answered", "method", "saved_card", "card_number", "expiry", "security_code", "postal_code", "part", "part_amount", "tip", "routing_number", "account_number", "account_number_again", "account_type", "debit_terms", "keep_card", "confirmation", "charge", "returned"]
    """The step. Most steps are named after the question that the line asks. `answered`: the call was answered. `charge`: the card was sent to the processor. `returned`: the caller was to return to the agent."""
    reached: int
    """Calls that reached this step: those that `list_calls` lists with this step in `reached`. 0 if the line did not ask for it."""
    went_on: int
    """The calls that continued to a later step or were paid. For `charge`: calls that were paid. For `returned`: callers who are back with the agent."""
    saved: int
    """For `charge`: calls that saved a card without a payment. They are not in `went_on`. 0 for other steps."""


class StatisticsFiguresDeclines(TypedDict):
    decline_code: Literal["generic_decline", "do_not_honor", "insufficient_funds", "lost_card", "stolen_card", "expired_card", "incorrect_number", "incorrect_cvc", "incorrect_expiry", "incorrect_zip", "card_not_supported", "authentication_required", "processing_error", "try_again_later", None]
    """As in the errors of charges. Null if the card was not the reason."""
    count: int
    """Charges that failed for this reason."""


StatisticsFigures = TypedDict("StatisticsFigures", {
    "from": 'str',
    "to": 'str',
    "charges_succeeded": 'int',
    "charges_failed": 'int',
    "payments": 'list[StatisticsFiguresPayments]',
    "charges_pending": 'int',
    "success_rate": 'float | None',
    "median_seconds_to_pay": 'float | None',
    "funnel": 'list[StatisticsFiguresFunnel]',
    "declines": 'list[StatisticsFiguresDeclines]',
})


class Text(TypedDict):
    """A text message to a caller."""

    text_id: str
    """The text, `txt_…`."""
    kind: str
    """The purpose of the text: `pay_link`, `page_code` (a code to see saved cards), `receipt`, `not_charged` (a pending charge failed), `late_receipt` (a charge that was reported as failed was taken), `debit_terms` (what the caller authorized for a bank debit), `debit_returned` (the bank returned a paid bank debit), `not_collected` (the capture of a payment failed after it had succeeded)."""
    checkout_session_id: str
    """The checkout session, `cs_…`."""
    charge_id: str | None
    """The charge, `ch_…`."""
    recipient: str
    """The recipient's number, masked except for the last two digits."""
    body: str | None
    """The text. Null if it contains a pay link or a code: such texts are encrypted and never shown."""
    segments: int
    """How many message segments the carrier counts."""
    status: Literal["waiting", "sending", "sent", "failed", "unknown", "opted_out"]
    """`waiting`: waiting for the next attempt. `sending`: being sent to the carrier. `sent`: the carrier has accepted it. `failed`: the carrier has not accepted it. `unknown`: the result is not known. `opted_out`: the recipient has answered STOP."""
    attempts: int
    """The number of attempts to send it to the carrier."""
    carrier: str | None
    """The carrier that accepted the text. Null if none has yet."""
    error_code: str | None
    """The carrier's own error code if the text failed. Otherwise null."""
    delivery: Literal["delivered", "undelivered", "unconfirmed", None]
    """What the carrier has reported since. `unconfirmed`: the network does not report delivery. Null if there is no report yet."""
    delivery_code: str | None
    """The carrier's own error code if the text was not delivered. Otherwise null."""
    created_at: str
    """When it was created: ISO 8601, in UTC."""
    settled_at: str | None
    """When the carrier accepted the text, or when the attempts ended. Null before that."""
    delivered_at: str | None
    """When `delivery` was last reported. Null if there is no report yet."""


class TextTotalsTotals(TypedDict):
    texts: int
    """The number of texts, with every delivery status."""
    waiting: int
    """How many have the delivery status `waiting`."""
    sending: int
    """How many have the delivery status `sending`."""
    sent: int
    """How many have the delivery status `sent`."""
    delivered: int
    """How many have the delivery status `delivered`."""
    undelivered: int
    """How many have the delivery status `undelivered`."""
    unconfirmed: int
    """How many have the delivery status `unconfirmed`."""
    failed: int
    """How many have the delivery status `failed`."""
    unknown: int
    """How many have the delivery status `unknown`."""
    opted_out: int
    """How many have the delivery status `opted_out`."""


class TextTotals(TypedDict):
    """The number of texts that match filters."""

    totals: TextTotalsTotals | None
    """The counts. Null if more than 10,000 texts match, or if counting takes too long: use a shorter period."""


class ToolCreateCheckoutRequestLineItems(TypedDict):
    name: str
    """The name of the item, shown to the payer."""
    quantity: int
    """The quantity."""
    amount_cents: int
    """The price of one item, in minor units."""


class ToolCreateCheckoutRequest(TypedDict):
    amount_cents: int
    """An integer in the minor unit of the merchant's currency. If you send an `order_id`, the order's amount takes precedence."""
    line_items: NotRequired[list[ToolCreateCheckoutRequestLineItems]]
    """The items of the bill, shown on the pay page and the receipt. They do not determine the amount."""
    caller_phone: NotRequired[str]
    """The caller's number, E.164. `anonymous`, `unavailable`, `unknown` and `restricted` mean that the caller withholds it. Without a number there are no saved cards and no transfer by number, and `charge` and `send_link` return 422 `session_missing_consumer`."""
    order_id: NotRequired[str]
    """The order in the merchant's own system. The amount of the order takes precedence over `amount_cents`."""
    platform_call_id: NotRequired[str]
    """The voice platform's own ID of this call. Recommended: the SIP headers, the session and every event contain it."""
    return_to: NotRequired[str]
    """Where the caller goes after paying: a `sip:`, `sips:` or `tel:` URI, a number, or an `https:` URL for the pay page (`http:` in test mode only). On the phone, a URL is treated as a target that cannot be connected. The target must be one of the account's allowed hosts and numbers (`PATCH /v1/account`). Private addresses, emergency numbers and premium numbers are never allowed. Without `return_hosts`, an account can use every public host in test mode and none in live mode. A target that is not allowed, or that contains a password (`user:password@`), returns `invalid_value`. If you omit the field, the line says `success_message` and ends the call."""
    success_message: NotRequired[str]
    """What the line says after a successful payment, in the merchant's voice, if the call does not return to an agent. The default is a short sentence."""
    failure_message: NotRequired[str]
    """What the line says after a decline, instead of the default sentence."""
    language: NotRequired[str]
    """The caller's language, BCP 47, if it is not the merchant's. It applies to `agent_message` here and in later errors, to the payment line, the pay page and the texts. Supported: `en`, `de`, `es`, `fr`. For any other language, the merchant's is used. A malformed tag returns `invalid_value`."""


class ToolCreateCheckoutResponse(TypedDict):
    id: str
    """The checkout session, `cs_…`."""
    agent_message: str
    """The one line that the agent says now, word for word: no payment needed, transferring now, or payment unavailable."""
    payment_required: Literal["required", "optional", "none"]
    """The verdict of the payment policy. `required`: the call must be paid now; only then is there a `transfer_to`. `optional`: the caller chooses. `none`: nothing is due, so do not mention payment."""
    transfer_to: NotRequired[str]
    """The SIP URI to transfer the call to. It contains the session ID. Absent if the call must not be transferred."""


class VoidChargeRequest(TypedDict):
    pass


class WebhookEndpoint(TypedDict):
    """An endpoint that receives events. Its secret is never shown again."""

    webhook_endpoint_id: str
    """The webhook endpoint, `we_…`."""
    url: str
    """The URL to which events are sent."""
    events: list[Literal["checkout.succeeded", "checkout.failed", "checkout.completed", "checkout.pending", "checkout.expired", "charge.captured", "charge.voided", "charge.authorization_expired", "charge.capture_failed", "charge.returned", "refund.succeeded", "refund.failed", "dispute.created", "dispute.updated", "attention.opened", "attention.closed", "call.answered", "call.step", "call.returned", "call.ended"]]
    """The event types that the endpoint receives."""
    disabled: bool
    """If true, no events are sent. An answer of 410 also sets it to true."""
    created_at: str
    """When it was created: ISO 8601, in UTC."""
