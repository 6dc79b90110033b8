// Generated from the OpenAPI document: see "Client libraries" in .github/CONTRIBUTING.md.

export type Account = {
    /** The account, `acct_…`. */
    account_id: string;
    /** The name of the account, for display. */
    name: string;
    /** ISO 4217. The currency of checkouts without a known merchant. */
    currency: string;
    /** Hosts that a `return_to` with a SIP URI may use, in both modes: a name, `*.example.com` for all its subdomains, an IP address, or `*` for every public host. Null until you set it: test mode then allows every public host, live mode allows none. Only the operator of the service can allow loopback and private addresses. */
    return_hosts: string[] | null;
    /** Allowed prefixes of phone numbers in `return_to` in live mode: `+` and 1 to 15 digits, such as `+44`. Emergency, short, premium and satellite numbers are never called. */
    return_number_prefixes: string[];
    /** Countries whose numbers the account may text, in both modes, in addition to those of its merchants: two-letter codes (ISO 3166-1), such as `MX`. Each merchant adds the countries of its currency and of its own numbers. Premium and satellite numbers are never texted. */
    text_countries: string[];
    /** Your HTTPS URL that returns the attestation level of a call, in the mode of the key. It is called once for each `create_checkout` with `caller_phone` and `platform_call_id`. [How it is called](/docs/screening#attestation-url). If null, no URL is called. */
    attestation_url: string | null;
    /** The color of buttons, links and icons on the pay page, in the mode of the key: `#` and six hexadecimal digits. The page darkens it in its light theme and lightens it in its dark theme, so that text stays readable (WCAG 2.2, 4.5:1). Null, the default, is green. */
    page_accent_color: string | null;
    /** Phone number for questions, E.164, shown on the pay page, in the mode of the key. Everyone who has a pay link can read it. If null, none is shown. */
    page_support_phone: string | null;
    /** Email address for questions, shown on the pay page, in the mode of the key. Everyone who has a pay link can read it. If null, none is shown. */
    page_support_email: string | null;
    /** Your terms: an `https://` URL that the pay page links to, in the mode of the key. It opens in a new tab. If null, no link is shown. */
    page_terms_url: string | null;
    /** Your privacy policy: an `https://` URL that the pay page links to, in the mode of the key. It opens in a new tab. If null, no link is shown. */
    page_privacy_url: string | null;
};
export type AlertTarget = {
    /** The target, `alert_…`. */
    alert_target_id: string;
    /** How messages are sent. */
    channel: "email" | "slack";
    /** A name for people, such as the name of the Slack channel. Empty if there is none. */
    name: string;
    /** The address. Null for Slack: its URL is a secret, and never shown. */
    email: string | null;
    /** `payments`: to settle, paid late or twice, failed later, disputed. `processors`: refusing, slow, low success rates. `deliveries`: webhooks, texts, emails, alerts. `keys`: API keys about to expire, or expired. `service`: missing processes and servers. */
    topics: ("payments" | "processors" | "deliveries" | "keys" | "service")[];
    /** If true, only urgent problems are sent: processors that refuse or are slow, low success rates of the last hours, charges that were paid late or twice, failed captures, returned bank debits, and missing processes and servers. */
    urgent_only: boolean;
    /** IANA name of the time zone of all hours and days. */
    time_zone: string;
    /** Quiet hours begin at this hour. During them, only urgent problems are sent. Null: none. */
    quiet_from: number | null;
    /** Quiet hours end at this hour. Null: none. */
    quiet_until: number | null;
    /** The hour at which a summary of the day before is sent. Null: none. */
    summary_hour: number | null;
    /** If true, the summary is also sent after a day without calls, payments and problems. */
    summary_if_empty: boolean;
    /** Merchants whose reports of the month before are sent on the first day of each month, at `summary_hour` or at 8:00. See `retrieve_month_report`. Empty: none. */
    report_merchants: string[];
    /** When it was created: ISO 8601, in UTC. */
    created_at: string;
    /** The newest message. Null if there was none in the last 30 days. */
    last_message: {
        /** `alert`: problems that opened or were resolved. `summary`: the daily summary. `report`: the reports of a month. `test`: a test message. */
        kind: "alert" | "summary" | "report" | "test";
        /** `waiting`: not sent yet, or waiting for the next attempt. `sent`: accepted by the server. `failed`: will not be retried. */
        status: "waiting" | "sent" | "failed";
        /** The code of the last failure: of the mail server or of Slack, or `timeout`, `connection`, `forbidden_address`, `not_configured`. Otherwise null. */
        error_code: string | null;
        /** When it was created: ISO 8601, in UTC. */
        created_at: string;
        /** When it was sent or failed. Null while it is `waiting`. */
        settled_at: string | null;
    } | null;
};
export type AttentionItem = {
    /** The item, `att_…`. */
    attention_item_id: string;
    /** The kind of the cause. New kinds can be added: show `title` for a kind that you do not know. */
    kind: "charge_to_settle" | "refund_to_settle" | "hold_change_to_settle" | "late_charge" | "refund_failed_late" | "capture_failed" | "debit_returned" | "processor_differs" | "dispute_to_answer" | "processor_refusing" | "processor_slow" | "success_rate_low" | "success_rate_low_for_days" | "endpoint_failing" | "event_unsent" | "texts_undelivered" | "texts_near_limit" | "emails_undelivered" | "alerts_undelivered" | "key_expiring" | "limit_near" | "key_near_limit" | "certificate_expiring" | "certificate_ending" | "media_server_missing" | "sip_server_missing" | "phone_missing" | "worker_missing";
    /** What happened, in a few words. */
    title: string;
    /** What it means. */
    detail: string;
    /** What to do. */
    advice: string;
    /** The page in the dashboard, after `/dashboard/test` or `/dashboard/live`. */
    dashboard_path: string;
    /** The object with the cause: a charge, refund, dispute, merchant, webhook endpoint, event or key. Null if there is none. */
    object_id: string | null;
    /** The merchant, `mer_…`. */
    merchant_id: string | null;
    /** True if the cause is a missing part of the service, which concerns all accounts. */
    is_service: boolean;
    /** When the cause was found: ISO 8601, in UTC. */
    opened_at: string;
    /** When the cause was found to be gone. Otherwise null. */
    closed_at: string | null;
    /** When it was last marked as done. Otherwise null. */
    done_at: string | null;
    /** Until when it is quiet. Otherwise null. */
    quiet_until: string | null;
};
export type AuditEvent = {
    /** The entry, `aud_…`. */
    audit_event_id: string;
    /** The kind of change. */
    action: "account.created" | "account.changed" | "account.secret_rolled" | "account.texts_near_limit" | "key.created" | "key.rolled" | "key.revoked" | "merchant.created" | "merchant.changed" | "merchant.processor_connected" | "merchant.logo_set" | "merchant.logo_removed" | "merchant.notification_secret_set" | "merchant.notification_secret_removed" | "webhook_endpoint.created" | "webhook_endpoint.changed" | "webhook_endpoint.deleted" | "webhook_endpoint.secret_rolled" | "webhook_endpoint.failures_resent" | "refund.created" | "refund.settled" | "refund.failed_late" | "charge.settled" | "charge.capture_requested" | "charge.void_requested" | "charge.created" | "charge.paid_late" | "charge.returned" | "charge.capture_failed" | "charge.acknowledged" | "call.end_requested" | "user.created" | "user.invited" | "user.role_changed" | "user.merchants_changed" | "user.removed" | "user.credentials_changed" | "user.signed_in" | "user.sign_in_failed" | "user.locked" | "user.signed_out" | "attention_item.done" | "attention_item.quieted" | "attention_item.reopened" | "alert_target.created" | "alert_target.changed" | "alert_target.deleted" | "saved_view.created" | "saved_view.changed" | "saved_view.deleted" | "card.saved" | "card.deleted" | "consumer.note_changed" | "consumer.erased";
    /** The type of the changed object: the first word of `action`. */
    object_type: string;
    /** The ID of the changed object. */
    object_id: string;
    /** The present name of the merchant, for a change to a merchant. Otherwise null. */
    object_name: string | null;
    /** The values that were set. For changed fields, `{"from": …, "to": …}` by field. Never contains a secret. */
    changes: {
        [key: string]: unknown;
    };
    /** Who made the change: `key`, a request with an API key; `user`, a user of the dashboard; `demo`, a visitor of the keyless demo; `command`, the command line; `system`, the service. */
    actor: "key" | "user" | "demo" | "command" | "system";
    /** The ID of the key or user, or the name of the operating system's user who ran the command. Otherwise null. */
    actor_id: string | null;
    /** The IP address of the request, or the host on which the command ran. Otherwise null. */
    source: string | null;
    /** The request ID, as in the answer's `X-Request-Id`. Null if the change was not made by a request. */
    request_id: string | null;
    /** `test`: the sandbox, no real money. `live`: real money. Always the mode of your key. */
    environment: "test" | "live" | null;
    /** When it was created: ISO 8601, in UTC. */
    created_at: string;
};
export type Call = {
    /** The call on the payment line, `call_…`. */
    call_id: string;
    /** `live`: on the line now. `ended`: the call is over. */
    status: "live" | "ended";
    /** How the call ended, as in `X-Ringkey-Outcome`: `succeeded`, `failed`, `pending` (the charge had no outcome yet), `canceled` (the caller asked to stop or hung up, or `end_call` ended the call), `expired`, `agent` (returned to the agent without paying). Null while the call is live. */
    outcome: "succeeded" | "failed" | "pending" | "canceled" | "expired" | "agent" | null;
    /** Why the call failed or returned to the agent, as in `X-Ringkey-Reason`. Otherwise null. */
    reason: "no_input" | "invalid_input" | "declined" | "too_many_attempts" | "error" | "keypad_unavailable" | "link_sent" | "bank_debit" | null;
    /** The current step of a live call, at most a moment old: what the line is asking for, never what the caller entered. `ended` when the call is over. Null for calls recorded by earlier versions. */
    stage: "greeting" | "card_number" | "expiry" | "security_code" | "postal_code" | "bank_account" | "keep_card" | "confirmation" | "paying" | "by_link" | "waiting" | "leaving" | "returning" | "ended" | null;
    /** The checkout session, `cs_…`. */
    checkout_session_id: string | null;
    /** The merchant, `mer_…`. */
    merchant_id: string | null;
    /** The merchant's own name. Null if the call has no session or the merchant was deleted. */
    business_name: string | null;
    /** The amount, an integer in the currency's minor unit: 4250 is 42.50 USD, and 4250 JPY, which has no minor unit. */
    amount_cents: number | null;
    /** ISO 4217, upper case: the merchant's currency. */
    currency: string | null;
    /** The merchant's order, which is also the confirmation number to read back. Null if the checkout had none. */
    order_id: string | null;
    /** The voice platform's ID of the call, as sent to `create_checkout`. Otherwise null. */
    platform_call_id: string | null;
    /** The session's phone number, E.164. Null if the session has none, if it was cleared later, or if the call has no session. */
    caller_phone: string | null;
    /** The charge, `ch_…`. */
    charge_id: string | null;
    /** The current status of that charge. `outcome` keeps its value from the end of the call: a charge that was `pending` then may be settled now. Null if there is no charge. */
    charge_status: "pending" | "authorized" | "succeeded" | "failed" | "voided" | "expired" | null;
    /** The amount of that charge, in minor units of `currency`: it differs from `amount_cents` if the caller paid a part or added a tip. Null if there is no charge. */
    charge_amount_cents: number | null;
    /** The SIP Call-ID of the inbound leg. Use it to find the call in your carrier’s trace. */
    sip_call_id: string;
    /** The SIP Call-ID of the leg to the agent, if the line called the agent and bridged the call. Otherwise null. */
    return_sip_call_id: string | null;
    /** How the caller was returned to the agent: by REFER or over a bridge. Null if the call ended on the payment line or has not been returned yet. */
    return_route: "refer" | "bridge" | null;
    /** How the caller's keys were received: `telephone-event` (RFC 4733), `info` (SIP INFO), `inband` (audio tones). Null if no keys were received, while the call is live, and for calls recorded by earlier versions. */
    key_kind: "telephone-event" | "info" | "inband" | null;
    /** The codec of the caller's audio, as the media server names it. Null while the call is live, or if the media server did not report it. */
    codec: string | null;
    /** RTP audio packets received from the caller. Null while the call is live, or if the media server did not report it. */
    packets_received: number | null;
    /** RTP packets from the caller that are missing from the sequence, as counted by the media server. FreeSWITCH counts too many when gaps follow each other. Null while the call is live, or if the media server did not report it. */
    packets_lost: number | null;
    /** Jitter of the caller's RTP packets, in milliseconds: the highest standard deviation of the time between packets, as measured by the media server. Phones that send nothing during silence show a high value. Null while the call is live, or if the media server did not report it. */
    jitter_ms: number | null;
    /** `test`: the sandbox, no real money. `live`: real money. Always the mode of your key. */
    environment: "test" | "live";
    /** When the call was received: ISO 8601, in UTC. */
    created_at: string;
    /** When the call was answered. Null if it was not. */
    answered_at: string | null;
    /** When `end_call` was first requested. While `status` is `live`, the call is still ending. Null if it was not requested. */
    end_requested_at: string | null;
    /** When the call ended. Null while it is live. */
    ended_at: string | null;
};
export type CallEvent = {
    /** The event, `evt_…`. */
    id: string;
    /** What happened. */
    "type": "call.answered" | "call.step" | "call.returned" | "call.ended";
    /** When it happened: ISO 8601, in UTC. */
    created_at: string;
    /** Counts the events of the call, from 1. If its process is lost, another one sends the last events, from 1001. */
    sequence: number;
    /** `test`: the sandbox, no real money. `live`: real money. Always the mode of your key. */
    mode: "test" | "live";
    /** What the event is about. */
    data: {
        /** The call, and what happened on it. */
        call: {
            /** The call on the payment line, `call_…`. */
            call_id: string;
            /** The checkout session, `cs_…`. */
            checkout_session_id: string;
            /** The merchant, `mer_…`. */
            merchant_id: string;
            /** The voice platform's ID of the call, as sent to `create_checkout`. Otherwise null. */
            platform_call_id: string | null;
            /** Only in `call.step`: what the line does or asks for. `language`: the caller has changed it. `charging` is also a payment that is made elsewhere. `link`: the pay link was texted, and the line waits for the payment. */
            step?: "greeting" | "language" | "saved_card" | "card_number" | "expiry" | "security_code" | "postal_code" | "method" | "bank_account" | "confirm" | "charging" | "link" | "returning";
            /** Only in `call.step`, from 1: the line asks again, or charges another card. Never how many digits were entered. */
            attempt?: number;
            /** Only in `call.returned`: by REFER, or over a bridge. */
            return_route?: "refer" | "bridge";
            /** Only in `call.ended`. How the call ended, as in `X-Ringkey-Outcome`: `succeeded`, `failed`, `pending` (the charge had no outcome yet), `canceled` (the caller asked to stop or hung up, or `end_call` ended the call), `expired`, `agent` (returned to the agent without paying). */
            outcome?: "succeeded" | "failed" | "pending" | "canceled" | "expired" | "agent";
            /** Only in `call.ended`: why the call failed or returned to the agent. Otherwise null. */
            reason?: "no_input" | "invalid_input" | "declined" | "too_many_attempts" | "error" | "keypad_unavailable" | "link_sent" | "bank_debit" | null;
            /** Only in `call.ended`: the charge that `outcome` refers to, or null. */
            charge_id?: string | null;
        };
    };
};
export type CallSentence = {
    /** The words. Digits of cards and phone numbers, and the payer's name, are replaced by `…`. Your own messages are replaced by the name of their field in brackets, such as `[success_message]`. */
    text: string;
    /** The BCP 47 language of the words. */
    language: string;
    /** When the sentence ended or the caller interrupted it, in milliseconds since the INVITE. Null if the call ended before that, or while it is said. */
    until_ms: number | null;
};
export type CallStep = {
    /** What happened, for people to read. The wording may change between versions. Never contains a digit that the caller entered. */
    step: string;
    /** Milliseconds since the INVITE. */
    at_ms: number;
    /** The same as a time, based on `created_at`. */
    at: string;
    /** The words, if the step is a sentence of the line. Null for other steps, and for calls recorded by earlier versions. */
    said: CallSentence | null;
    /** Only for a question that takes several keys: when the caller pressed the first one, in milliseconds since the INVITE. Otherwise null. */
    answer_ms: number | null;
    /** Only for a question that is asked again because the card number was incomplete: how many digits were entered. Otherwise null. */
    wrong_digits: number | null;
};
export type CallTotals = {
    /** The counts. Null if more than 10,000 calls match, or if counting takes too long: use a shorter period. */
    totals: {
        /** The number of calls, live and ended. */
        calls: number;
        /** How many are live. */
        live: number;
        /** How many have the outcome `succeeded`. */
        succeeded: number;
        /** How many have the outcome `failed`. */
        failed: number;
        /** How many have the outcome `pending`. */
        pending: number;
        /** How many have the outcome `canceled`. */
        canceled: number;
        /** How many have the outcome `expired`. */
        expired: number;
        /** How many have the outcome `agent`. */
        agent: number;
    } | null;
};
export type CallWithTimeline = {
    /** The call on the payment line, `call_…`. */
    call_id: string;
    /** `live`: on the line now. `ended`: the call is over. */
    status: "live" | "ended";
    /** How the call ended, as in `X-Ringkey-Outcome`: `succeeded`, `failed`, `pending` (the charge had no outcome yet), `canceled` (the caller asked to stop or hung up, or `end_call` ended the call), `expired`, `agent` (returned to the agent without paying). Null while the call is live. */
    outcome: "succeeded" | "failed" | "pending" | "canceled" | "expired" | "agent" | null;
    /** Why the call failed or returned to the agent, as in `X-Ringkey-Reason`. Otherwise null. */
    reason: "no_input" | "invalid_input" | "declined" | "too_many_attempts" | "error" | "keypad_unavailable" | "link_sent" | "bank_debit" | null;
    /** The current step of a live call, at most a moment old: what the line is asking for, never what the caller entered. `ended` when the call is over. Null for calls recorded by earlier versions. */
    stage: "greeting" | "card_number" | "expiry" | "security_code" | "postal_code" | "bank_account" | "keep_card" | "confirmation" | "paying" | "by_link" | "waiting" | "leaving" | "returning" | "ended" | null;
    /** The checkout session, `cs_…`. */
    checkout_session_id: string | null;
    /** The merchant, `mer_…`. */
    merchant_id: string | null;
    /** The merchant's own name. Null if the call has no session or the merchant was deleted. */
    business_name: string | null;
    /** The amount, an integer in the currency's minor unit: 4250 is 42.50 USD, and 4250 JPY, which has no minor unit. */
    amount_cents: number | null;
    /** ISO 4217, upper case: the merchant's currency. */
    currency: string | null;
    /** The merchant's order, which is also the confirmation number to read back. Null if the checkout had none. */
    order_id: string | null;
    /** The voice platform's ID of the call, as sent to `create_checkout`. Otherwise null. */
    platform_call_id: string | null;
    /** The session's phone number, E.164. Null if the session has none, if it was cleared later, or if the call has no session. */
    caller_phone: string | null;
    /** The charge, `ch_…`. */
    charge_id: string | null;
    /** The current status of that charge. `outcome` keeps its value from the end of the call: a charge that was `pending` then may be settled now. Null if there is no charge. */
    charge_status: "pending" | "authorized" | "succeeded" | "failed" | "voided" | "expired" | null;
    /** The amount of that charge, in minor units of `currency`: it differs from `amount_cents` if the caller paid a part or added a tip. Null if there is no charge. */
    charge_amount_cents: number | null;
    /** The SIP Call-ID of the inbound leg. Use it to find the call in your carrier’s trace. */
    sip_call_id: string;
    /** The SIP Call-ID of the leg to the agent, if the line called the agent and bridged the call. Otherwise null. */
    return_sip_call_id: string | null;
    /** How the caller was returned to the agent: by REFER or over a bridge. Null if the call ended on the payment line or has not been returned yet. */
    return_route: "refer" | "bridge" | null;
    /** How the caller's keys were received: `telephone-event` (RFC 4733), `info` (SIP INFO), `inband` (audio tones). Null if no keys were received, while the call is live, and for calls recorded by earlier versions. */
    key_kind: "telephone-event" | "info" | "inband" | null;
    /** The codec of the caller's audio, as the media server names it. Null while the call is live, or if the media server did not report it. */
    codec: string | null;
    /** RTP audio packets received from the caller. Null while the call is live, or if the media server did not report it. */
    packets_received: number | null;
    /** RTP packets from the caller that are missing from the sequence, as counted by the media server. FreeSWITCH counts too many when gaps follow each other. Null while the call is live, or if the media server did not report it. */
    packets_lost: number | null;
    /** Jitter of the caller's RTP packets, in milliseconds: the highest standard deviation of the time between packets, as measured by the media server. Phones that send nothing during silence show a high value. Null while the call is live, or if the media server did not report it. */
    jitter_ms: number | null;
    /** `test`: the sandbox, no real money. `live`: real money. Always the mode of your key. */
    environment: "test" | "live";
    /** When the call was received: ISO 8601, in UTC. */
    created_at: string;
    /** When the call was answered. Null if it was not. */
    answered_at: string | null;
    /** When `end_call` was first requested. While `status` is `live`, the call is still ending. Null if it was not requested. */
    end_requested_at: string | null;
    /** When the call ended. Null while it is live. */
    ended_at: string | null;
    /** The steps of the call in order, at most 300. A live call shows the steps recorded so far, at its milestones. */
    timeline: CallStep[];
};
export type CallerCard = {
    /** The saved card. Send it to `charge` when the caller has chosen this card. */
    instrument_id: string;
    /** Upper case, such as `VISA`, `MASTERCARD`, `AMERICAN_EXPRESS`, `DISCOVER`. */
    brand: string;
    /** The last four digits, as a string. */
    last_four: string;
    /** The last month in which the card can be charged, `MM/YYYY`. */
    expiry: string;
    /** The merchant, `mer_…`. */
    merchant_id: string;
    /** The merchant's own name. */
    business_name: string;
};
export type CallerConsent = {
    /** The merchant, `mer_…`. */
    merchant_id: string;
    /** `phone`: asked on the line. `page`: asked on the pay page. `rest`: asked by your agent. */
    channel: "phone" | "page" | "rest";
    /** The sentence that the caller agreed to. Null if your agent asked and `save_card` did not send it. */
    wording: string | null;
    /** The language of `wording`, BCP 47. Null for `rest`. */
    language: string | null;
    /** `kept`: the card was saved. `agreed`: it will be. `not_kept`: it could not be. */
    status: "agreed" | "kept" | "not_kept";
    /** The saved card, `card_…`. */
    instrument_id: string | null;
    /** When the caller agreed: ISO 8601, in UTC. */
    agreed_at: string;
};
export type Caller = {
    /** The caller's number, E.164. */
    caller_phone: string;
    /** The caller, `con_…`. Null for a number without a saved card or a note. */
    consumer_id: string | null;
    /** The caller's first name. Null if it is not known. */
    first_name: string | null;
    /** The caller's last name. Null if it is not known. */
    last_name: string | null;
    /** The caller's email address. Null if it is not known. */
    email: string | null;
    /** The note about the caller. Null if there is none. */
    note: string | null;
    /** When the note was written. Otherwise null. */
    note_written_at: string | null;
    /** The saved cards at all merchants, newest first, including expired ones. */
    cards: CallerCard[];
    /** The consents to save a card, newest first. */
    consents: CallerConsent[];
};
export type CaptureChargeRequest = {
    /** The amount to capture, an integer in the currency's minor unit, at most the hold. If you omit the field, the whole hold is captured. `null` is rejected with `invalid_value`. */
    amount_cents?: number;
};
export type Card = {
    /** The saved card. Send it to `charge` when the caller has chosen this card. */
    instrument_id: string;
    /** Upper case, such as `VISA`, `MASTERCARD`, `AMERICAN_EXPRESS`, `DISCOVER`. */
    brand: string;
    /** The last four digits, as a string. */
    last_four: string;
    /** The last month in which the card can be charged, `MM/YYYY`. */
    expiry: string;
};
export type ChangeAccountRequest = {
    /** Hosts that a `return_to` with a SIP URI may use, in both modes: a name, `*.example.com` for all its subdomains, an IP address, or `*` for every public host. Null until you set it: test mode then allows every public host, live mode allows none. Only the operator of the service can allow loopback and private addresses. */
    return_hosts?: string[] | null;
    /** Allowed prefixes of phone numbers in `return_to` in live mode: `+` and 1 to 15 digits, such as `+44`. Emergency, short, premium and satellite numbers are never called. */
    return_number_prefixes?: string[];
    /** Countries whose numbers the account may text, in both modes, in addition to those of its merchants: two-letter codes (ISO 3166-1), such as `MX`. Each merchant adds the countries of its currency and of its own numbers. Premium and satellite numbers are never texted. */
    text_countries?: string[];
    /** Your HTTPS URL that returns the attestation level of a call, in the mode of the key. It is called once for each `create_checkout` with `caller_phone` and `platform_call_id`. [How it is called](/docs/screening#attestation-url). If null, no URL is called. */
    attestation_url?: string | null;
    /** The color of buttons, links and icons on the pay page, in the mode of the key: `#` and six hexadecimal digits. The page darkens it in its light theme and lightens it in its dark theme, so that text stays readable (WCAG 2.2, 4.5:1). Null, the default, is green. */
    page_accent_color?: string | null;
    /** Phone number for questions, E.164, shown on the pay page, in the mode of the key. Everyone who has a pay link can read it. If null, none is shown. */
    page_support_phone?: string | null;
    /** Email address for questions, shown on the pay page, in the mode of the key. Everyone who has a pay link can read it. If null, none is shown. */
    page_support_email?: string | null;
    /** Your terms: an `https://` URL that the pay page links to, in the mode of the key. It opens in a new tab. If null, no link is shown. */
    page_terms_url?: string | null;
    /** Your privacy policy: an `https://` URL that the pay page links to, in the mode of the key. It opens in a new tab. If null, no link is shown. */
    page_privacy_url?: string | null;
};
export type ChangeAlertTargetRequest = {
    /** A name for people, such as the name of the Slack channel. Empty if there is none. */
    name?: string;
    /** `payments`: to settle, paid late or twice, failed later, disputed. `processors`: refusing, slow, low success rates. `deliveries`: webhooks, texts, emails, alerts. `keys`: API keys about to expire, or expired. `service`: missing processes and servers. */
    topics?: ("payments" | "processors" | "deliveries" | "keys" | "service")[];
    /** If true, only urgent problems are sent: processors that refuse or are slow, low success rates of the last hours, charges that were paid late or twice, failed captures, returned bank debits, and missing processes and servers. */
    urgent_only?: boolean;
    /** IANA name of the time zone of all hours and days. The default is `UTC`. */
    time_zone?: string;
    /** Quiet hours begin at this hour. During them, only urgent problems are sent. Null: none. */
    quiet_from?: number | null;
    /** Quiet hours end at this hour. Null: none. */
    quiet_until?: number | null;
    /** The hour at which a summary of the day before is sent. Null: none. */
    summary_hour?: number | null;
    /** If true, the summary is also sent after a day without calls, payments and problems. */
    summary_if_empty?: boolean;
    /** Merchants whose reports of the month before are sent on the first day of each month, at `summary_hour` or at 8:00. See `retrieve_month_report`. Empty: none. */
    report_merchants?: string[];
    /** The URL of an incoming webhook of Slack, or of a program that takes the same form. It is a secret: it is encrypted, and never shown. Must be https with a host on the public internet. Any other URL returns `invalid_url`. */
    slack_url?: string;
};
export type ChangeCallerNoteRequest = {
    /** The caller's number, E.164. */
    caller_phone: string;
    /** The note, up to 2000 characters. Null deletes it. Card data is rejected. */
    note: string | null;
};
export type ChangeMerchantRequest = {
    /** The name that the caller hears and that the pay page and the receipt show. */
    business_name?: string;
    /** Identifies the merchant in `X-Ringkey-Merchant`. Must be unique within the account and mode. By default it is derived from the name. */
    slug?: string;
    /** The numbers that the merchant's callers dial, E.164. `merchant_number` finds the merchant by them. Each number must be unique within the account and mode. The payment line's own numbers are rejected. An update replaces the whole list. */
    numbers?: string[];
    /** ISO 4217. The currency of all amounts. The default is `USD`. */
    currency?: "USD" | "EUR" | "GBP" | "CAD" | "AUD" | "JPY" | "KRW";
    /** The verdict for each checkout. `never`: none. `optional`: optional. `always`: required. `above`: required from the threshold on, otherwise none. The default is `always`. Open sessions keep their verdict. */
    payment_policy?: "never" | "optional" | "always" | "above";
    /** The threshold for `above`, in minor units: payment is required from this amount on. Required with `above`; other policies reject it. */
    payment_policy_amount_cents?: number | null;
    /** The language in which callers are spoken and written to, BCP 47. The agent, the payment line, the pay page and the texts support `en`, `de`, `es`, `fr`. For any other language they use English. The default is `en-US`. */
    language?: string;
    /** A second language that the greeting offers in that language ("para español, marque nueve"). If the caller presses 9 before any other key, the line greets in it. Receipt, pay page and agent use it afterwards, too. Must be a supported language other than `language`. Null, the default, offers none. */
    second_language?: string | null;
    /** IANA name of the time zone for times in texts to callers. The default is `UTC`. */
    time_zone?: string;
    /** The voice of the line, `<synthesizer>:<voice>`, such as `polly:Joanna`. The synthesizer must be configured on the service (`espeak-ng`, `openai`, `google`, `polly`, `elevenlabs`); the voice is the synthesizer's own name. A name without a colon is an `espeak-ng` voice. The voice speaks the merchant's language only. While it fails, espeak-ng speaks. Null uses the default voice of the language. */
    voice?: string | null;
    /** Whether the line asks for the card's postal code. The default is false. */
    asks_postal_code?: boolean;
    /** Whether the line reads back the card and the amount and the caller must press 1 before it charges. The default is false. */
    asks_confirmation?: boolean;
    /** Whether the line and the pay page ask callers to save their card for next time. `ask`: once per call, before the charge, if the caller has a number and the processor can save the card. The card is saved when the charge succeeds, with a record of the consent. `never`, the default: callers are not asked and no card is saved. */
    card_saving?: "never" | "ask";
    /** Tips that the line offers after the card was entered, and the pay page above its form, in percent of the amount due: up to three whole numbers from 1 to 50, on keys 1 to 3. The caller can decline (0, or no key). The line then says the final amount, and charges it after the caller has pressed 1. `[]`, the default, offers no tip. */
    tip_percentages?: number[];
    /** Lets payers pay a part of the amount, from this many minor units on, in the merchant’s currency. The checkout is then complete, and `remaining_cents` says what is left. Not for holds, bank debits and checkouts that only save a card. Null, the default: only the whole amount. */
    partial_minimum_cents?: number | null;
    /** Whether callers whose call dropped before payment receive the pay link by SMS. It is sent after 20 seconds, once per session, unless the caller has called again or has a newer checkout with the merchant. The rules of `send_link` apply: not to numbers that have opted out, and at most three per hour. The default is false. */
    text_after_drop?: boolean;
    /** How a call returns to `return_to`. `refer`: by SIP REFER. `bridge`: we call the target and connect both calls. `auto`: REFER if the other side supports it, otherwise a bridge. Null uses the service's default. */
    return_mode?: "auto" | "refer" | "bridge" | null;
    /** Lets callers pay from a US bank account, if a checkout offers it (`payment_methods`) and the processor makes bank debits. A number that is answered during business hours, E.164: the line and the text say it for questions and to revoke the debit. Null, the default: the merchant takes no bank debits. */
    bank_debit_phone?: string | null;
    /** Card brands that the line accepts. If a caller enters a card of another brand, the line says so and the caller can enter another card. The default is Visa, Mastercard, American Express and Discover. */
    accepted_brands?: ("visa" | "mastercard" | "american-express" | "discover" | "diners-club" | "jcb" | "unionpay" | "maestro")[];
    /** The color of buttons, links and icons on the merchant's pay pages, and of its emails: `#` and six hexadecimal digits. It is adjusted so that text stays readable (WCAG 2.2, 4.5:1). Null, the default: the account's. */
    page_accent_color?: string | null;
    /** Phone number for questions, E.164, on the merchant's pay pages and in its emails. Null, the default: the account's. */
    page_support_phone?: string | null;
    /** Email address for questions, on the merchant's pay pages and in its emails. Null, the default: the account's. */
    page_support_email?: string | null;
    /** The merchant's terms: an `https://` URL that its pay pages link to. Null, the default: the account's. */
    page_terms_url?: string | null;
    /** The merchant's privacy policy: an `https://` URL that its pay pages link to. Null, the default: the account's. */
    page_privacy_url?: string | null;
    /** Where orders are looked up. The default is the sandbox in test mode and none in live mode. */
    order_source?: {
        /** Orders are not looked up: a checkout needs `amount_cents`. */
        "type": "none";
    } | {
        /** The demo's orders. Test mode only, where it is the default. */
        "type": "sandbox";
    } | {
        /** Orders are looked up at the merchant's own URL, with signed requests. */
        "type": "http";
        /** We send it a signed POST (Standard Webhooks) `{"order_id", "merchant_id", "mode"}`. It must answer within 3 seconds: 200 `{"amount_cents", "currency"?}`, or 404 if the order does not exist. Must be https with a public host; a demo on your own machine also accepts `http://127.0.0.1`. Any other URL returns `invalid_url`. */
        url: string;
    };
};
export type ChangeWebhookEndpointRequest = {
    /** The URL to which events are sent. Must be https with a host on the public internet; a demo on your own machine also accepts `http://127.0.0.1`. Any other URL returns `invalid_url`. */
    url?: string;
    /** The event types to send, each listed once. Otherwise returns `invalid_events`. The `call.` types report the progress of calls. They are sent once, without retries, and dropped if they are late. The `attention.` types report problems that need a person. */
    events?: ("checkout.succeeded" | "checkout.failed" | "checkout.completed" | "checkout.pending" | "checkout.expired" | "charge.captured" | "charge.voided" | "charge.authorization_expired" | "charge.capture_failed" | "charge.returned" | "refund.succeeded" | "refund.failed" | "dispute.created" | "dispute.updated" | "attention.opened" | "attention.closed" | "call.answered" | "call.step" | "call.returned" | "call.ended")[];
    /** If true, no events are sent until you set it to false. */
    disabled?: boolean;
};
export type ErrorObject = {
    /** The category of the error code. */
    "type": "invalid_request_error" | "authentication_error" | "permission_error" | "card_error" | "processor_error" | "idempotency_error" | "rate_limit_error" | "api_error";
    /** What went wrong. Branch on this value, never on a message. */
    code: "invalid_json" | "missing_required_fields" | "invalid_value" | "invalid_key" | "card_declined" | "instrument_not_authorized" | "consent_missing" | "consent_exceeded" | "session_not_found" | "instrument_not_found" | "not_found" | "processor_mismatch" | "charge_details_mismatch" | "session_expired" | "session_missing_consumer" | "merchant_not_connected" | "merchant_credentials_invalid" | "needs_enrollment" | "processor_unavailable" | "rate_limit" | "charge_not_authorized" | "charge_already_captured" | "charge_already_voided" | "authorization_expired" | "capture_in_progress" | "capture_amount_too_large" | "partial_capture_unsupported" | "capture_refused" | "vendor_not_provisioned" | "merchant_not_found" | "invalid_processor" | "invalid_credentials" | "invalid_payment_policy" | "invalid_payment_policy_amount_cents" | "session_create_failed" | "missing_checkout_session_id" | "order_lookup_failed" | "order_lookup_unsupported" | "missing_instrument_fields" | "card_save_failed" | "invalid_vault" | "key_not_found" | "invalid_environment" | "invalid_url" | "invalid_events" | "invalid_ttl" | "invalid_state_key" | "not_configured" | "internal_error";
    /** `caller`: the error concerns the person on the call. `developer`: the integration is at fault. The agent says nothing and does not mention payment. */
    audience: "developer" | "caller";
    /** For developers who read the logs. Never spoken. */
    message: string;
    /** For your program: whether to send the same request again. With `confirm_card_data`, retry after the caller has checked the entered digits. It is independent of `agent_action`: `do_not_try_again` with this card can come with `offer_different_card`. */
    advice_code: "try_again_later" | "do_not_try_again" | "confirm_card_data";
    /** What the agent says, word for word, in the caller's language (`en`, `de`, `es`, `fr`; English for any other). If null, say nothing. */
    agent_message: string | null;
    /** The same message for a screen. Null if `agent_message` is null. */
    display_message: string | null;
    /** What the agent does next. `retry_card`: have the caller check the card and try it again. `offer_different_card`: offer another saved card, the payment line, or a link if pay links can be sent. `send_link`: call `send_link`. `end_call`: say goodbye. `escalate`: hand over to a person. Null: do nothing. */
    agent_action: "retry_card" | "offer_different_card" | "send_link" | "end_call" | "escalate" | null;
    /** Link to this code on the error codes page. */
    doc_url: string;
    /** The value of the `X-Request-Id` header. Quote it when you ask for help. In events, the ID of the event. */
    request_id: string;
    /** Why the card was not charged, if the processor or the issuer gave a reason: `generic_decline`, `do_not_honor`, `insufficient_funds`, `lost_card`, `stolen_card`, `expired_card`, `incorrect_number`, `incorrect_cvc`, `incorrect_expiry`, `incorrect_zip`, `card_not_supported`, `authentication_required`, `processing_error`, `try_again_later`. */
    decline_code?: string;
    /** The charge that the error refers to. */
    charge?: string;
    /** The field, parameter or header that is wrong, such as `metadata.table` or `Idempotency-Key`. */
    param?: string;
    /** The processor's own code. Quote it to the processor's support. */
    processor_code?: string;
    /** Link to this request and its answer in the dashboard. It works as long as the request log is kept. Absent if no key was accepted, in `failure` of a charge or refund, in events, and if requests are not logged. */
    request_log_url?: string;
};
export type Charge = {
    /** The charge, `ch_…`. */
    charge_id: string;
    /** `pending`: no outcome yet. Either the processor gave none and the money may have been taken, or the payer has ten minutes on the pay page to confirm to the bank (3-D Secure). Do not start another payment for this order; a webhook reports the outcome. `authorized`: the amount is held on the card until you capture or void it, or `capture_before` passes. `succeeded` is final, except for a bank debit that the bank returns later: it becomes `failed` with `returned_at`, or a charge whose capture fails later: `failed` with `capture_failed_at`. `voided` and `expired`: the hold was released and nothing was taken. `failed` is final unless the processor is later found to have taken the money: the charge then becomes `succeeded` with `was_late`. */
    status: "pending" | "authorized" | "succeeded" | "failed" | "voided" | "expired";
    /** The amount, an integer in the currency's minor unit: 4250 is 42.50 USD, and 4250 JPY, which has no minor unit. */
    amount_cents: number;
    /** The processor reference of the payment. Null until the processor has assigned one. */
    processor_payment_id: string | null;
    /** `apple_pay` or `google_pay`, if the payer used the wallet button on the pay page. Absent for card charges. */
    wallet?: "apple_pay" | "google_pay";
    /** Only for a debit of a US bank account. Absent for card charges. */
    payment_method?: "us_bank_account";
    /** Only for a bank debit: when the processor accepted it, ISO 8601 in UTC. The charge stays `pending` until the bank has paid or returned it, in some days. */
    debited_at?: string;
    /** Only for a charge that had succeeded, and whose amount the processor could not take after all: when Ringkey found out, ISO 8601 in UTC. The charge is `failed`. Otherwise absent. */
    capture_failed_at?: string;
    /** Only for a bank debit that was paid and that the bank has returned since: when Ringkey found out, ISO 8601 in UTC. The charge is `failed`, and `failure.processor_code` has the bank's return code, such as `R10`. Otherwise absent. */
    returned_at?: string;
    /** True if the charge was reported as failed, or was lost, and the processor was later found to have taken the money. Otherwise absent. */
    was_late?: true;
    /** Only for a late charge: another charge of the same session or order that was pending or succeeded when this one was found. Decide which of the two to refund. Otherwise absent. */
    duplicate_of?: string;
    /** Only for an `authorized` charge: when the processor releases the hold, ISO 8601 in UTC. Absent if the processor does not say. */
    capture_before?: string;
    /** Only for a captured hold: the captured amount in minor units. The rest of `amount_cents` was released. */
    captured_cents?: number;
    /** Only if the caller added a tip: its amount in minor units. It is part of `amount_cents` of the charge, beside `amount_cents` of the session. */
    tip_cents?: number;
    /** Only if the payer paid a part: what is left of `amount_cents` of the session, in minor units. The session is complete all the same. To collect the rest, create another checkout, without the `order_id` or with `allow_repeat`. */
    remaining_cents?: number;
    /** Only for a failed charge: the error object that the charge operation would have returned. */
    failure?: ErrorObject;
};
export type ChargeRequest = {
    /** The open checkout session, as returned by `create_checkout`. */
    checkout_session_id: string;
    /** The card that the caller chose from the session's `cards`. There is no default: the caller must have agreed to this card. */
    instrument_id: string;
    /** Charges this part instead of the whole amount, in minor units: at least `partial_minimum_cents` of the merchant. Only if the caller asked for it. Default: all. */
    part_cents?: number;
    /** A tip that the caller adds, in minor units, charged in addition: only if the merchant has `tip_percentages`, and at most half of the amount. Default: none. */
    tip_cents?: number;
};
export type ChargeResponse = {
    /** `pending`: no outcome yet. Either the processor gave none and the money may have been taken, or the payer has ten minutes on the pay page to confirm to the bank (3-D Secure). Do not start another payment for this order; a webhook reports the outcome. `authorized`: the amount is held on the card until you capture or void it, or `capture_before` passes. `succeeded` is final, except for a bank debit that the bank returns later: it becomes `failed` with `returned_at`, or a charge whose capture fails later: `failed` with `capture_failed_at`. `voided` and `expired`: the hold was released and nothing was taken. `failed` is final unless the processor is later found to have taken the money: the charge then becomes `succeeded` with `was_late`. */
    status: "pending" | "authorized" | "succeeded" | "failed" | "voided" | "expired";
    /** The charged amount in minor units, the tip included. */
    amount_cents: number;
    /** ISO 4217, upper case: the merchant's currency. */
    currency: string;
    /** True if this exact charge was made before and this is the original. */
    replay: boolean;
    /** The charge, `ch_…`. */
    charge_id: string;
    /** The checkout session, `cs_…`. */
    checkout_session_id: string;
    /** The processor reference of the payment. Null until the processor has assigned one. */
    processor_payment_id: string | null;
    /** The merchant, `mer_…`. */
    merchant_id: string;
    /** The merchant's order, which is also the confirmation number to read back. Null if the checkout had none. */
    order_id: string | null;
    /** The voice platform's ID of the call, as sent to `create_checkout`. Otherwise null. */
    platform_call_id: string | null;
    /** `apple_pay` or `google_pay`, if the payer used the wallet button on the pay page. Absent for card charges. */
    wallet?: "apple_pay" | "google_pay";
    /** The tip in `amount_cents`. Absent if there is none. */
    tip_cents?: number;
    /** What a part leaves to pay. Absent if nothing is left. */
    remaining_cents?: number;
};
export type ChargeTotals = {
    /** The sums by currency, the highest first. Null if more than 10,000 charges match, or if summing takes too long: use a shorter period. */
    totals: {
        /** ISO 4217, upper case: the merchant's currency. */
        currency: string;
        /** The number of charges, in every status. */
        charges: number;
        /** How many of them succeeded. Holds count. */
        succeeded: number;
        /** What the succeeded ones took, in minor units: of a captured hold, the captured part. */
        gross_cents: number;
        /** What was refunded of them, including pending refunds. */
        refunded_cents: number;
        /** `gross_cents` less `refunded_cents`. */
        net_cents: number;
    }[] | null;
    /** Why the charges failed, the most frequent reason first. Null if the filters also match other charges: send `status=failed`, `counted_as=failed` or `decline_code`. Also null if too many charges match, as with `totals`. */
    declines: {
        /** The reason. Null: the charges did not fail because of the card. */
        decline_code: "generic_decline" | "do_not_honor" | "insufficient_funds" | "lost_card" | "stolen_card" | "expired_card" | "incorrect_number" | "incorrect_cvc" | "incorrect_expiry" | "incorrect_zip" | "card_not_supported" | "authentication_required" | "processing_error" | "try_again_later" | null;
        /** The number of charges that failed for this reason. */
        count: number;
    }[] | null;
};
export type Screen = {
    /** `step_up`: no saved card of this caller is offered or charged; send a link or transfer the call. Only returned if screening found a positive risk signal. Otherwise `allow`. */
    decision: "allow" | "step_up";
    /** Every positive risk signal: `ported_recently`, `sim_swapped_recently`, `attestation_c`, `attestation_failed`. Empty with `allow`. */
    reasons: ("ported_recently" | "sim_swapped_recently" | "attestation_c" | "attestation_failed")[];
    /** What is missing or failed. A note never causes a step-up. From the lookup: `number_not_covered`, `port_date_missing`, `port_date_in_future`, `sim_swap_unavailable`, `sim_swap_period_differs`, `line_type_unavailable`, `number_lookup_timed_out`, `number_lookup_unavailable`, `number_lookup_rate_limited`, `number_lookup_over_budget`, `number_lookup_refused`, `number_lookup_unreadable`. From the attestation: `attestation_missing`, `attestation_timed_out`, `attestation_unavailable`, `attestation_rate_limited`, `attestation_refused`, `attestation_unreadable`, `call_not_attested`, `platform_leg_attested_a`, `platform_leg_attested_b`, `platform_leg_attested_c`, `platform_leg_attested_failed`, `identity_unreadable`, `identity_expired`, `identity_other_destination`, `identity_forwarded`, `identity_certificate_unavailable`, `identity_certificate_untrusted`. New values may be added. */
    notes: string[];
    /** How far the carriers confirm that the original call came from its number (STIR/SHAKEN): `A`, `B`, `C`, or `Failed` if a signature is invalid. Null if there is no attestation. */
    attestation: "A" | "B" | "C" | "Failed" | null;
    /** Whether the number was ported or its SIM swapped in the seven days before the lookup. */
    ported_recently: boolean;
    /** The result for those seven days: `ported`, `swapped` (the SIM), `clear` (neither), or `unknown` (the lookup could not tell, or there was none). */
    port_check: "clear" | "ported" | "swapped" | "unknown";
    /** `mobile`, `landline`, `voip`, `toll_free`, `other`, `unknown`. */
    line_type: "mobile" | "landline" | "voip" | "toll_free" | "other" | "unknown";
    /** The carrier of the number, as named by the lookup. Otherwise null. */
    carrier: string | null;
    /** When the number was looked up: ISO 8601, in UTC. Null if no lookup has finished. A lookup is reused for 24 hours. */
    checked_at: string | null;
    /** When the attestation was received. Null if there is none. */
    attested_at: string | null;
};
export type CheckoutSession = {
    /** The checkout session, `cs_…`. */
    checkout_session_id: string;
    /** `open`: can be paid. `complete`: paid, even if the bank returns a bank debit later (`returned_at` of the charge) or its capture fails later (`capture_failed_at`). `expired`: ended without a payment. An expired session becomes `complete` if one of its charges is found to be taken late (`was_late`). */
    session_status: "open" | "complete" | "expired";
    /** What the agent says about the outcome so far, word for word, in the caller's language: paid, declined, nothing charged, the link was texted. Null while the caller is on the payment line. */
    agent_message: string | null;
    /** The verdict of the payment policy. `required`: the call must be paid now; only then is there a `transfer_to`. `optional`: the caller chooses. `none`: nothing is due, so do not mention payment. */
    payment_required: "required" | "optional" | "none";
    /** What the checkout is for: `payment`, or `save_card` if a card is only verified and saved. Then the amount and the `amount_cents` of its charges are 0. */
    purpose: "payment" | "save_card";
    /** The amount, an integer in the currency's minor unit: 4250 is 42.50 USD, and 4250 JPY, which has no minor unit. */
    amount_cents: number;
    /** Only if a part was paid: what is left of `amount_cents`, in minor units. */
    remaining_cents?: number;
    /** ISO 4217, upper case: the merchant's currency. */
    currency: string;
    /** The merchant. An empty string if no merchant has the dialed number. */
    merchant_id: string;
    /** The merchant's own name, for the header of a pay page. Null if the merchant was deleted. */
    business_name: string | null;
    /** The merchant's processor: `sandbox`, `sandbox_page`, `stripe`, `square`, `authorizenet`, `checkoutcom`, `braintree`, `worldpay`, `hyperswitch`, `adyen`, `payconnector`. Null if none is connected or the merchant was deleted. */
    processor: string | null;
    /** The merchant's text-to-speech voice. Null for the default voice of its language. */
    voice: string | null;
    /** The mode of your key. */
    environment: "test" | "live";
    /** The merchant's order, which is also the confirmation number to read back. Null if the checkout had none. */
    order_id: string | null;
    /** The voice platform's ID of the call, as sent to `create_checkout`. Otherwise null. */
    platform_call_id: string | null;
    /** The caller's number, E.164. Null if the session was created without one. */
    caller_phone: string | null;
    /** The caller's first name, for a greeting. Null for an unknown caller. Identity only. */
    caller_first_name: string | null;
    /** Where the caller goes after paying, as sent to `create_checkout`. Otherwise null. */
    return_to: string | null;
    /** What the line says after a successful payment. Null for the default sentence. */
    success_message: string | null;
    /** What the line says after a decline. Null for the default sentence. */
    failure_message: string | null;
    /** The pending, authorized or succeeded charge. Otherwise the last failed one. Null before the first charge. */
    charge: Charge | null;
    /** The caller’s cards that this merchant can charge, newest first. Empty if nothing is due, if the session is paid or expired, or if screening returns `step_up`. */
    cards: Card[];
    /** The `instrument_id` of the default card in `cards`. Null if none of them is the default. */
    default_card_id: string | null;
    /** The card that the caller saved with this checkout. Null if there is none. With some processors it appears only after the payment. */
    instrument_id: string | null;
    /** What the card field of a pay page needs to know about the merchant's processor. Contains no secrets. Null if the processor needs nothing or its configuration is incomplete. */
    tokenization: {
        /** The processor whose browser SDK creates the token: `stripe`, `square`, `authorizenet`, `checkoutcom`, `braintree`, `worldpay`, `adyen`. */
        processor: string;
        /** The processor's publishable key or application ID. */
        public_key: string;
        /** Square: the merchant's location. Stripe: the connected account (`stripeAccount` of Stripe.js), or null if the merchant has its own account. Authorize.net: the API login ID (`apiLoginID` of Accept.js). Adyen: the environment of Adyen Web. */
        location_id: string | null;
        /** The processor's own name for the environment. */
        environment: string;
    } | null;
    /** What screening found about the caller. Never speak it. Null until a check has finished, two days later, and in events. */
    screen: Screen | null;
    /** The metadata from the request. `{}` if there was none. */
    metadata: {
        [key: string]: string | number | boolean | null;
    };
};
export type CheckoutSessionTotals = {
    /** The sums by currency, the highest first. Null if more than 10,000 checkout sessions match, or if summing takes too long: use a shorter period. */
    totals: {
        /** ISO 4217, upper case: the merchant's currency. */
        currency: string;
        /** The number of sessions, with every `session_status`. */
        checkout_sessions: number;
        /** How many are `open`. */
        open: number;
        /** How many are `complete`. */
        complete: number;
        /** How many are `expired`. */
        expired: number;
        /** The amounts of all of them, in minor units. `retrieve_charge_totals` sums what was paid. */
        amount_cents: number;
        /** The amounts of those that are `complete`. */
        complete_cents: number;
    }[] | null;
};
export type ConnectProcessorRequest = {
    /** `stripe`, `square`, `authorizenet`, `checkoutcom`, `braintree`, `worldpay`, `hyperswitch`, `adyen`, `payconnector`, or in test mode only `sandbox` or `sandbox_page`. `sandbox_page` takes cards on the pay page only, so the line texts the link at once. Any other value returns `invalid_processor`. */
    processor: string;
    /** Must be the mode of your key, which is the default. */
    environment?: "test" | "live";
    /** The credentials of the processor, by its own names. They are never shown again. `sandbox`, `sandbox_page`: none. `stripe`: `secret_key` and optionally `publishable_key` (card fields on the pay page) and `account_id` (an account connected to your platform). `square`: `access_token`, `application_id`, `location_id`. `authorizenet`: `api_login_id`, `transaction_key` and optionally `public_client_key` (card fields on the pay page). `checkoutcom`: `secret_key` and optionally `public_key`, `processing_channel_id` and `prefix`. `braintree`: `public_key`, `private_key`, `merchant_account_id`, `currency` and optionally `tokenization_key` (card fields on the pay page). `hyperswitch`: `base_url`, `api_key`, `connector` and optionally `profile_id`. `worldpay`: `username`, `password`, `entity`, `narrative` and optionally `checkout_id` (card fields on the pay page). `adyen`: `api_key`, `merchant_account`, in live mode `url_prefix`, and optionally `client_key` (card fields on the pay page) with its `environment`, and `report_api_key` (payouts). `payconnector`: `url`, `username`, `password` and optionally `lookup_url`. */
    credentials?: {
        [key: string]: string;
    };
    /** The secret that the processor signs its notifications with. It is stored encrypted and never shown again. If you omit the field, an earlier one is kept. It can also be set later. */
    notification_secret?: string;
};
export type ConsentedCard = {
    /** The saved card. Send it to `charge` when the caller has chosen this card. */
    instrument_id: string;
    /** Upper case, such as `VISA`, `MASTERCARD`, `AMERICAN_EXPRESS`, `DISCOVER`. */
    brand: string;
    /** The last four digits, as a string. */
    last_four: string;
    /** The last month in which the card can be charged, `MM/YYYY`. */
    expiry: string;
    /** What the caller agreed to. `returning`: the caller can choose the card when paying again. `merchant_initiated`: the merchant can also charge it without the caller (`create_charge`). */
    save_terms: "returning" | "merchant_initiated";
    /** The highest amount of one charge without the caller, in minor units. Null if the caller agreed to any amount, or to no such charges. */
    max_amount_cents: number | null;
    /** The consent. Null if the card was saved at another merchant that shares its account at the processor. */
    consent: {
        /** Where the caller was asked. `rest`: by your agent. */
        channel: "phone" | "page" | "rest";
        /** The sentence that the caller agreed to. Null if your agent asked and `save_card` did not send it. */
        wording: string | null;
        /** ISO 8601, in UTC. */
        agreed_at: string;
    } | null;
};
export type Consumer = {
    /** The caller, `con_…`. */
    id: string;
    /** Null if it is not known. */
    first_name: string | null;
    /** Null if it is not known. */
    last_name: string | null;
    /** Null if it is not known. */
    email: string | null;
};
export type CreateAlertTargetRequest = {
    /** A name for people, such as the name of the Slack channel. Empty if there is none. */
    name?: string;
    /** `payments`: to settle, paid late or twice, failed later, disputed. `processors`: refusing, slow, low success rates. `deliveries`: webhooks, texts, emails, alerts. `keys`: API keys about to expire, or expired. `service`: missing processes and servers. */
    topics?: ("payments" | "processors" | "deliveries" | "keys" | "service")[];
    /** If true, only urgent problems are sent: processors that refuse or are slow, low success rates of the last hours, charges that were paid late or twice, failed captures, returned bank debits, and missing processes and servers. */
    urgent_only?: boolean;
    /** IANA name of the time zone of all hours and days. The default is `UTC`. */
    time_zone?: string;
    /** Quiet hours begin at this hour. During them, only urgent problems are sent. Null: none. */
    quiet_from?: number | null;
    /** Quiet hours end at this hour. Null: none. */
    quiet_until?: number | null;
    /** The hour at which a summary of the day before is sent. Null: none. */
    summary_hour?: number | null;
    /** If true, the summary is also sent after a day without calls, payments and problems. */
    summary_if_empty?: boolean;
    /** Merchants whose reports of the month before are sent on the first day of each month, at `summary_hour` or at 8:00. See `retrieve_month_report`. Empty: none. */
    report_merchants?: string[];
    /** The address. Send this or `slack_url`. */
    email?: string;
    /** The URL of an incoming webhook of Slack, or of a program that takes the same form. It is a secret: it is encrypted, and never shown. Must be https with a host on the public internet. Any other URL returns `invalid_url`. */
    slack_url?: string;
};
export type CreateChargeRequest = {
    /** Always `merchant`. To charge a card that a caller chose, use `charge`. */
    initiator: "merchant";
    /** The merchant that gets paid. The caller must have agreed at this merchant. */
    merchant_id: string;
    /** The saved card. It was saved at this merchant with `save_terms` `merchant_initiated`. */
    instrument_id: string;
    /** The amount in minor units of the merchant's currency. At most the `max_amount_cents` that the caller agreed to. */
    amount_cents: number;
    /** The order in your own system, such as an invoice or a fee. Ringkey does not look it up at the order source. */
    order_id: string;
    /** True to charge this order even if another charge of it succeeded or is pending. */
    allow_repeat?: boolean;
    /** Your own data, as in `create_checkout`. */
    metadata?: {
        [key: string]: string | number | boolean | null;
    };
};
export type CreateCheckoutRequest = {
    /** The merchant that gets paid. Send this or `merchant_number`. If you send both, they must match. */
    merchant_id?: string;
    /** The number that the caller dialed, E.164. Use it if the agent does not know the merchant. An unknown number is not an error: `merchant_id` is then empty and the verdict is `none`. */
    merchant_number?: string;
    /** The caller's number, E.164. `anonymous`, `unavailable`, `unknown` and `restricted` mean that the caller withholds it. Without a number there are no saved cards and no transfer by number, and `charge` and `send_link` return 422 `session_missing_consumer`. */
    caller_phone?: string;
    /** Where the caller wants the receipt by email, in addition to the text. Only for receipts of this session. In test mode, emails are only logged. */
    caller_email?: string;
    /** The order in the merchant's own system. The amount of the order takes precedence over `amount_cents`. */
    order_id?: string;
    /** An integer in the minor unit of the merchant's currency: 4250 is 42.50 USD, and 4250 JPY, which has no minor unit. Required without an `order_id`. It never overrides the amount of an order. */
    amount_cents?: number;
    /** The items of the bill, shown on the pay page and the receipt. They do not determine the amount. */
    line_items?: {
        /** The name of the item, shown to the payer. */
        name: string;
        /** The quantity. */
        quantity: number;
        /** The price of one item, in minor units. */
        amount_cents: number;
    }[];
    /** The voice platform's own ID of this call. Recommended: the SIP headers, the session and every event contain it. */
    platform_call_id?: string;
    /** Where the caller goes after paying: a `sip:`, `sips:` or `tel:` URI, a number, or an `https:` URL for the pay page (`http:` in test mode only). On the phone, a URL is treated as a target that cannot be connected. The target must be one of the account's allowed hosts and numbers (`PATCH /v1/account`). Private addresses, emergency numbers and premium numbers are never allowed. Without `return_hosts`, an account can use every public host in test mode and none in live mode. A target that is not allowed, or that contains a password (`user:password@`), returns `invalid_value`. If you omit the field, the line says `success_message` and ends the call. */
    return_to?: string;
    /** What the line says after a successful payment, in the merchant's voice, if the call does not return to an agent. The default is a short sentence. */
    success_message?: string;
    /** What the line says after a decline, instead of the default sentence. */
    failure_message?: string;
    /** Your own data: up to 50 names (40 characters) with strings (500 characters), numbers, booleans or nulls. Stored and returned, never interpreted. An integer beyond 9007199254740991 is rejected: send it as a string. */
    metadata?: {
        [key: string]: string | number | boolean | null;
    };
    /** How long the session can be paid, in seconds. The default is 1800. A wrong value returns `invalid_ttl`. */
    ttl_seconds?: number;
    /** The caller's language, BCP 47, if it is not the merchant's. It applies to `agent_message` here and in later errors, to the payment line, the pay page and the texts. Supported: `en`, `de`, `es`, `fr`. For any other language, the merchant's is used. A malformed tag returns `invalid_value`. */
    language?: string;
    /** `payment` (default), or `save_card`: the line, or the page of `send_link`, verifies a card without taking money, and saves it if the caller agrees. Then `caller_phone`, `save_terms` and `save_sentence` are required, there is no amount and no order, and the verdict is `required`. The session ends with `instrument_id`. If the merchant’s processor cannot do this, returns `invalid_value`. */
    purpose?: "payment" | "save_card";
    /** Asks the caller to save the card, in your own words, before it is charged: on the line by keys 1 and 2, on the pay page by a box that is not ticked. What the caller agrees to: `returning` to choose the card when paying again, `merchant_initiated` also to charges without the caller (`create_charge`). Applies even if the merchant’s `card_saving` is `never`. Without `caller_phone`, or if the processor cannot save cards, the caller is not asked. If you omit it, the merchant’s `card_saving` applies. */
    save_terms?: "returning" | "merchant_initiated";
    /** What the caller agrees to, as one or two spoken sentences in the language of the checkout. The line adds "If you agree, press one." It is kept with the consent. Required with `save_terms`. If the caller changes the language, the standard question is asked instead, and the terms are `returning`. */
    save_sentence?: string;
    /** The highest amount of one charge without the caller, in minor units, as the sentence says. Only with `merchant_initiated`. */
    save_max_amount_cents?: number;
    /** True if this order can be paid although another session of it is paid or being paid, such as for an instalment or a second guest. */
    allow_repeat?: boolean;
    /** `automatic` (default): the payment takes the amount. `manual`: the payment only holds it on the card, and the charge is `authorized`. Capture it with `capture_charge` before `capture_before`, or release it with `void_charge`. The caller hears that a hold was placed. If the merchant’s processor cannot hold an amount, returns `invalid_value`. */
    capture?: "automatic" | "manual";
    /** What the caller can pay with on the line. `["card"]` (default), or `["card", "us_bank_account"]`: the caller can also key a US bank account, which is debited by ACH. That needs USD, a merchant with `bank_debit_phone`, a processor that makes bank debits, and `payer_name`. The charge is `pending` until the bank has paid, in some days. Not with `capture` `manual` or `save_terms`. The line offers it only if a text can confirm it in writing. The pay page takes cards only. */
    payment_methods?: ("card" | "us_bank_account")[];
    /** The name of the account’s owner. The line says it in the authorization, and the bank gets it. Required with `us_bank_account`. */
    payer_name?: string;
};
export type CreateCheckoutResponse = {
    /** The session. Use this ID for `charge` and `send_link`; events contain it. */
    checkout_session_id: string;
    /** The merchant that gets paid. An empty string if no merchant has the `merchant_number`. */
    merchant_id: string;
    /** The one line that the agent says now, word for word: no payment needed, transferring now, or payment unavailable. */
    agent_message: string;
    /** The verdict of the payment policy. `required`: the call must be paid now; only then is there a `transfer_to`. `optional`: the caller chooses. `none`: nothing is due, so do not mention payment. */
    payment_required: "required" | "optional" | "none";
    /** The amount, an integer in the currency's minor unit: 4250 is 42.50 USD, and 4250 JPY, which has no minor unit. */
    amount_cents: number;
    /** ISO 4217, upper case: the merchant's currency. */
    currency: string;
    /** The source of the amount: the order source, or `amount_cents` of the request. */
    amount_source: "order" | "request";
    /** The SIP URI to transfer the call to. It contains a token that is valid for one live call and this session only, until the session is paid or expired. Null unless payment is required: do not transfer the call then. */
    transfer_to: string | null;
    /** The same hand-off as a phone number, for platforms that can only dial numbers. The session is then found by the caller’s number. Null if payment is not required, if the session has no `caller_phone`, or if the operator has not assigned a number to the account and mode. */
    transfer_to_number: string | null;
    /** Eight digits, for platforms whose calls to `transfer_to_number` do not show the caller’s number: dial them as soon as the line has answered (`,,12345678#`). They name the session, once, until it is paid or expired. Do not log them. Null if payment is not required or the account and mode have no number. */
    transfer_code: string | null;
    /** When the session expires and can no longer be paid: ISO 8601, in UTC. */
    expires_at: string;
    /** The caller’s cards that this merchant can charge, newest first. If empty, text a pay link or transfer the call. Also empty if screening returns `step_up`. */
    cards: Card[];
    /** The `instrument_id` of the default card in `cards`. Null if none of them is the default. */
    default_card_id: string | null;
    /** The metadata from the request. `{}` if there was none. */
    metadata: {
        [key: string]: string | number | boolean | null;
    };
};
export type CreateKeyRequest = {
    /** Must be the mode of your key, which is the default. No key can access the other mode. */
    environment?: "test" | "live";
    /** A name for people, to distinguish keys in a list. */
    name?: string;
    /** What the key can do. `agent`: create checkouts, charge, text links, identify callers and read sessions, and nothing else. The default is `full`. */
    scope?: "full" | "agent";
    /** When the key expires, in the future. If you omit it, the key does not expire. */
    expires_at?: string;
    /** IPv4 or IPv6 addresses and CIDR blocks from which requests are allowed. If empty, all addresses are allowed. */
    allowed_sources?: string[];
};
export type CreateKeyResponse = {
    /** The key, `key_…`: its ID in lists, not the secret. */
    key_id: string;
    /** The mode of the key, as in its prefix. */
    environment: "test" | "live";
    /** The name from the request. Otherwise null. */
    name: string | null;
    /** What the key can do. `agent`: create checkouts, charge, text links, identify callers and read sessions. `full`: everything. */
    scope: "full" | "agent";
    /** Addresses and CIDR blocks from which requests are allowed. If empty, all addresses are allowed. */
    allowed_sources: string[];
    /** The first characters of the key, to recognize it. */
    prefix: string;
    /** When it was created: ISO 8601, in UTC. */
    created_at: string;
    /** When the key expires or expired. Rolling the key can set an earlier time. Null if it does not expire. */
    expires_at: string | null;
    /** When the key was revoked. Null if it was not. */
    revoked_at: string | null;
    /** The key itself, for the `Authorization` header. Use it on servers only. It is shown only once; we store only its hash. */
    key: string;
};
export type CreateMerchantRequest = {
    /** The name that the caller hears and that the pay page and the receipt show. */
    business_name: string;
    /** Identifies the merchant in `X-Ringkey-Merchant`. Must be unique within the account and mode. By default it is derived from the name. */
    slug?: string;
    /** The numbers that the merchant's callers dial, E.164. `merchant_number` finds the merchant by them. Each number must be unique within the account and mode. The payment line's own numbers are rejected. An update replaces the whole list. */
    numbers?: string[];
    /** ISO 4217. The currency of all amounts. The default is `USD`. */
    currency?: "USD" | "EUR" | "GBP" | "CAD" | "AUD" | "JPY" | "KRW";
    /** The verdict for each checkout. `never`: none. `optional`: optional. `always`: required. `above`: required from the threshold on, otherwise none. The default is `always`. Open sessions keep their verdict. */
    payment_policy?: "never" | "optional" | "always" | "above";
    /** The threshold for `above`, in minor units: payment is required from this amount on. Required with `above`; other policies reject it. */
    payment_policy_amount_cents?: number | null;
    /** The language in which callers are spoken and written to, BCP 47. The agent, the payment line, the pay page and the texts support `en`, `de`, `es`, `fr`. For any other language they use English. The default is `en-US`. */
    language?: string;
    /** A second language that the greeting offers in that language ("para español, marque nueve"). If the caller presses 9 before any other key, the line greets in it. Receipt, pay page and agent use it afterwards, too. Must be a supported language other than `language`. Null, the default, offers none. */
    second_language?: string | null;
    /** IANA name of the time zone for times in texts to callers. The default is `UTC`. */
    time_zone?: string;
    /** The voice of the line, `<synthesizer>:<voice>`, such as `polly:Joanna`. The synthesizer must be configured on the service (`espeak-ng`, `openai`, `google`, `polly`, `elevenlabs`); the voice is the synthesizer's own name. A name without a colon is an `espeak-ng` voice. The voice speaks the merchant's language only. While it fails, espeak-ng speaks. Null uses the default voice of the language. */
    voice?: string | null;
    /** Whether the line asks for the card's postal code. The default is false. */
    asks_postal_code?: boolean;
    /** Whether the line reads back the card and the amount and the caller must press 1 before it charges. The default is false. */
    asks_confirmation?: boolean;
    /** Whether the line and the pay page ask callers to save their card for next time. `ask`: once per call, before the charge, if the caller has a number and the processor can save the card. The card is saved when the charge succeeds, with a record of the consent. `never`, the default: callers are not asked and no card is saved. */
    card_saving?: "never" | "ask";
    /** Tips that the line offers after the card was entered, and the pay page above its form, in percent of the amount due: up to three whole numbers from 1 to 50, on keys 1 to 3. The caller can decline (0, or no key). The line then says the final amount, and charges it after the caller has pressed 1. `[]`, the default, offers no tip. */
    tip_percentages?: number[];
    /** Lets payers pay a part of the amount, from this many minor units on, in the merchant’s currency. The checkout is then complete, and `remaining_cents` says what is left. Not for holds, bank debits and checkouts that only save a card. Null, the default: only the whole amount. */
    partial_minimum_cents?: number | null;
    /** Whether callers whose call dropped before payment receive the pay link by SMS. It is sent after 20 seconds, once per session, unless the caller has called again or has a newer checkout with the merchant. The rules of `send_link` apply: not to numbers that have opted out, and at most three per hour. The default is false. */
    text_after_drop?: boolean;
    /** How a call returns to `return_to`. `refer`: by SIP REFER. `bridge`: we call the target and connect both calls. `auto`: REFER if the other side supports it, otherwise a bridge. Null uses the service's default. */
    return_mode?: "auto" | "refer" | "bridge" | null;
    /** Lets callers pay from a US bank account, if a checkout offers it (`payment_methods`) and the processor makes bank debits. A number that is answered during business hours, E.164: the line and the text say it for questions and to revoke the debit. Null, the default: the merchant takes no bank debits. */
    bank_debit_phone?: string | null;
    /** Card brands that the line accepts. If a caller enters a card of another brand, the line says so and the caller can enter another card. The default is Visa, Mastercard, American Express and Discover. */
    accepted_brands?: ("visa" | "mastercard" | "american-express" | "discover" | "diners-club" | "jcb" | "unionpay" | "maestro")[];
    /** The color of buttons, links and icons on the merchant's pay pages, and of its emails: `#` and six hexadecimal digits. It is adjusted so that text stays readable (WCAG 2.2, 4.5:1). Null, the default: the account's. */
    page_accent_color?: string | null;
    /** Phone number for questions, E.164, on the merchant's pay pages and in its emails. Null, the default: the account's. */
    page_support_phone?: string | null;
    /** Email address for questions, on the merchant's pay pages and in its emails. Null, the default: the account's. */
    page_support_email?: string | null;
    /** The merchant's terms: an `https://` URL that its pay pages link to. Null, the default: the account's. */
    page_terms_url?: string | null;
    /** The merchant's privacy policy: an `https://` URL that its pay pages link to. Null, the default: the account's. */
    page_privacy_url?: string | null;
    /** Where orders are looked up. The default is the sandbox in test mode and none in live mode. */
    order_source?: {
        /** Orders are not looked up: a checkout needs `amount_cents`. */
        "type": "none";
    } | {
        /** The demo's orders. Test mode only, where it is the default. */
        "type": "sandbox";
    } | {
        /** Orders are looked up at the merchant's own URL, with signed requests. */
        "type": "http";
        /** We send it a signed POST (Standard Webhooks) `{"order_id", "merchant_id", "mode"}`. It must answer within 3 seconds: 200 `{"amount_cents", "currency"?}`, or 404 if the order does not exist. Must be https with a public host; a demo on your own machine also accepts `http://127.0.0.1`. Any other URL returns `invalid_url`. */
        url: string;
    };
};
export type CreateRefundRequest = {
    /** The `charge_id` of the charge to refund. */
    charge: string;
    /** The amount to refund, an integer in the currency's minor unit. If you omit the field, everything not refunded yet is refunded. `null` is rejected with `invalid_value`. */
    amount_cents?: number;
    /** The reason. It is sent to Stripe, too: `fraudulent` adds the card to Stripe's block list. */
    reason?: "duplicate" | "fraudulent" | "requested_by_customer";
    /** Your own data: strings, numbers, booleans and nulls by name, stored and returned, never interpreted. At most 50 names of 40 characters, with values of 500 characters. */
    metadata?: {
        [key: string]: string | number | boolean | null;
    };
};
export type CreateWebhookEndpointRequest = {
    /** The URL to which events are sent. Must be https with a host on the public internet; a demo on your own machine also accepts `http://127.0.0.1`. Any other URL returns `invalid_url`. */
    url: string;
    /** The event types to send, each listed once. Otherwise returns `invalid_events`. The `call.` types report the progress of calls. They are sent once, without retries, and dropped if they are late. The `attention.` types report problems that need a person. */
    events: ("checkout.succeeded" | "checkout.failed" | "checkout.completed" | "checkout.pending" | "checkout.expired" | "charge.captured" | "charge.voided" | "charge.authorization_expired" | "charge.capture_failed" | "charge.returned" | "refund.succeeded" | "refund.failed" | "dispute.created" | "dispute.updated" | "attention.opened" | "attention.closed" | "call.answered" | "call.step" | "call.returned" | "call.ended")[];
};
export type CreateWebhookEndpointResponse = {
    /** The webhook endpoint, `we_…`. */
    webhook_endpoint_id: string;
    /** The URL to which events are sent. */
    url: string;
    /** The event types that the endpoint receives. */
    events: ("checkout.succeeded" | "checkout.failed" | "checkout.completed" | "checkout.pending" | "checkout.expired" | "charge.captured" | "charge.voided" | "charge.authorization_expired" | "charge.capture_failed" | "charge.returned" | "refund.succeeded" | "refund.failed" | "dispute.created" | "dispute.updated" | "attention.opened" | "attention.closed" | "call.answered" | "call.step" | "call.returned" | "call.ended")[];
    /** If true, no events are sent. An answer of 410 also sets it to true. */
    disabled: boolean;
    /** When it was created: ISO 8601, in UTC. */
    created_at: string;
    /** Signs the deliveries (Standard Webhooks). Shown only once. */
    signing_secret: string;
};
export type DeleteAlertTargetResponse = {
    /** The target, `alert_…`. */
    alert_target_id: string;
    /** Always true. No more messages are sent to the target. */
    deleted: true;
};
export type DeleteCardResponse = {
    /** The saved card, `card_…`. */
    instrument_id: string;
    /** The card is no longer offered or charged. */
    deleted: true;
};
export type DeleteWebhookEndpointResponse = {
    /** The webhook endpoint, `we_…`. */
    webhook_endpoint_id: string;
    /** No more events are sent to the endpoint. */
    deleted: true;
};
export type Delivery = {
    /** The event, `evt_…`. */
    event_id: string;
    /** The type of the event. */
    "type": "checkout.succeeded" | "checkout.failed" | "checkout.completed" | "checkout.pending" | "checkout.expired" | "charge.captured" | "charge.voided" | "charge.authorization_expired" | "charge.capture_failed" | "charge.returned" | "refund.succeeded" | "refund.failed" | "dispute.created" | "dispute.updated" | "attention.opened" | "attention.closed" | "test";
    /** The event's position in the order of events. */
    sequence: number;
    /** `waiting`: waiting for the next attempt. `delivered`: the endpoint answered 2xx. `failed`: all attempts failed. `canceled`: the endpoint was disabled or deleted. */
    status: "waiting" | "delivered" | "failed" | "canceled";
    /** The number of attempts so far. */
    attempts: number;
    /** When the next attempt starts. Null if there is none. */
    next_attempt_at: string | null;
    /** When the last attempt started. Null if there was none. */
    attempted_at: string | null;
    /** The duration of the last attempt until the answer or the timeout, in milliseconds. Null before the first attempt. */
    latency_ms: number | null;
    /** The HTTP status of the last answer. Null if there was no answer. */
    status_code: number | null;
    /** The first 1,024 bytes of the last answer. Null if there was no answer. */
    answer: string | null;
    /** Why the last attempt failed: `status` (not 2xx), `redirect`, `gone` (410), `timeout` (15 s), `connection`, `forbidden_address` (not on the public internet), `too_old`. Null after a success. */
    failure: string | null;
    /** Why there was no connection, if `failure` is `connection` and the cause is known: `host_not_found`, `host_lookup_failed`, `connection_refused`, `connection_reset`, `connection_timeout`, `unreachable`, `certificate_expired`, `certificate_wrong_host`, `certificate_unknown_issuer`, `certificate_invalid`, `tls_error`, `invalid_response`. More can be added. Otherwise null. */
    failure_detail: string | null;
};
export type DeliveryAttempt = {
    /** The webhook endpoint, `we_…`. */
    webhook_endpoint_id: string;
    /** The URL of the endpoint. */
    url: string;
    /** Counts the attempts of the delivery. It starts at 1 again after each resend. */
    attempt: number;
    /** When the attempt started. */
    sent_at: string;
    /** The duration until the answer or the timeout, in milliseconds. */
    latency_ms: number;
    /** The HTTP status of the last answer. Null if there was no answer. */
    status_code: number | null;
    /** The first 1,024 bytes of the last answer. Null if there was no answer. */
    answer: string | null;
    /** Why the last attempt failed: `status` (not 2xx), `redirect`, `gone` (410), `timeout` (15 s), `connection`, `forbidden_address` (not on the public internet), `too_old`. Null after a success. */
    failure: string | null;
    /** Why there was no connection, if `failure` is `connection` and the cause is known: `host_not_found`, `host_lookup_failed`, `connection_refused`, `connection_reset`, `connection_timeout`, `unreachable`, `certificate_expired`, `certificate_wrong_host`, `certificate_unknown_issuer`, `certificate_invalid`, `tls_error`, `invalid_response`. More can be added. Otherwise null. */
    failure_detail: string | null;
    /** The headers that were signed. The signed body is the event as `retrieve_event` returns it, byte for byte. */
    headers: {
        /** The event's ID. */
        "webhook-id": string;
        /** The signed time, in Unix seconds. */
        "webhook-timestamp": string;
        /** The signature, or two while a rolled secret is still valid. */
        "webhook-signature": string;
    };
};
export type Dispute = {
    /** The dispute, `dp_…`. */
    dispute_id: string;
    /** The `charge_id` of the disputed charge. */
    charge: string;
    /** The checkout session, `cs_…`. */
    checkout_session_id: string;
    /** The merchant, `mer_…`. */
    merchant_id: string;
    /** `inquiry`: the payer's bank asks about the payment, and has taken nothing back yet. `chargeback`: the bank takes the amount back. */
    kind: "inquiry" | "chargeback";
    /** `needs_response`: send evidence in the processor's dashboard before `evidence_due_at`. `under_review`: the bank decides. `won` and `lost`: decided, though some banks open another round. `closed`: ended without a decision, such as an inquiry that never became a chargeback. */
    status: "needs_response" | "under_review" | "won" | "lost" | "closed";
    /** What the payer claims. `general`: the bank gave another reason or none. New reasons can be added. */
    reason: "fraudulent" | "duplicate" | "not_received" | "not_as_described" | "canceled" | "credit_not_processed" | "amount_differs" | "paid_by_other_means" | "general";
    /** The processor's or the card network's own code. Null if there is none. */
    processor_reason: string | null;
    /** The disputed amount, an integer in the currency's minor unit. It can differ from the charge. */
    amount_cents: number;
    /** ISO 4217, upper case: the currency of the disputed amount. */
    currency: string;
    /** Until when the processor accepts evidence: ISO 8601, in UTC. Null if it sets no time. */
    evidence_due_at: string | null;
    /** The charge's processor. */
    processor: string;
    /** The processor reference of the dispute. */
    processor_dispute_id: string;
    /** When the processor first notified us of the dispute: ISO 8601, in UTC. */
    created_at: string;
    /** When the dispute last changed. */
    updated_at: string;
};
export type DisputeTotals = {
    /** The sums by currency, the highest first. Null if more than 10,000 disputes match, or if summing takes too long: use a shorter period. */
    totals: {
        /** ISO 4217, upper case: the merchant's currency. */
        currency: string;
        /** The number of disputes, in every status. */
        disputes: number;
        /** Their amounts, in minor units. */
        disputed_cents: number;
        /** The amounts of those with the status `needs_response` or `under_review`. */
        open_cents: number;
        /** The amounts of those that were won. */
        won_cents: number;
        /** The amounts of those that were lost. */
        lost_cents: number;
    }[] | null;
};
export type Email = {
    /** The email, `eml_…`. */
    email_id: string;
    /** `receipt`: the payment was taken, or the amount is held. `not_charged`: a pending charge failed. `late_receipt`: a charge that was reported as failed was taken. `debit_returned`: the bank returned a paid bank debit. `not_collected`: the capture of a payment failed after it had succeeded. */
    kind: "receipt" | "not_charged" | "late_receipt" | "debit_returned" | "not_collected";
    /** The checkout session, `cs_…`. */
    checkout_session_id: string;
    /** The charge that the email is about. */
    charge_id: string;
    /** The recipient's address, masked. Null if the caller was erased. */
    recipient: string | null;
    /** `waiting`: waiting for the next attempt. `sent`: the mail server has accepted it; in test mode, it was only logged. `failed`: it was not sent. */
    status: "waiting" | "sent" | "failed";
    /** The number of attempts to send it. */
    attempts: number;
    /** Why it was not sent, or why the last attempt failed: the mail server's reply code, the code of the connection's failure, `not_configured`, `caller_erased`, or `replaced` by a later receipt. Otherwise null. */
    error_code: string | null;
    /** When it was created: ISO 8601, in UTC. */
    created_at: string;
    /** When the mail server accepted the email, or when the attempts ended. Null before that. */
    settled_at: string | null;
};
export type EraseCallerRequest = {
    /** The caller's number, E.164. */
    caller_phone: string;
};
export type EraseCallerResponse = {
    /** The caller, `con_…`, as returned by `identify`. */
    consumer_id: string;
    /** The person and the number are erased. */
    deleted: true;
};
export type EraseConsumerResponse = {
    /** The caller, `con_…`, as returned by `identify`. */
    consumer_id: string;
    /** The person and the number are erased. */
    deleted: true;
};
export type Error = {
    error: ErrorObject;
};
export type Refund = {
    /** The refund, `re_…`. */
    refund_id: string;
    /** The `charge_id` of the refunded charge. */
    charge: string;
    /** The checkout session, `cs_…`. */
    checkout_session_id: string;
    /** The merchant, `mer_…`. */
    merchant_id: string;
    /** `pending`: the processor has accepted the refund, or its answer is not known yet. A webhook reports the outcome. `succeeded` is final unless the payer’s bank does not take the refund: it then becomes `failed`. `failed` is final unless the processor is later found to have made the refund. */
    status: "pending" | "succeeded" | "failed";
    /** The refunded amount, an integer in the currency's minor unit. */
    amount_cents: number;
    /** ISO 4217, upper case: the currency of the charge. */
    currency: string;
    /** The reason from the request. Null if there was none. */
    reason: "duplicate" | "fraudulent" | "requested_by_customer" | null;
    /** `ringkey`: requested here. `processor`: made in the processor's dashboard, and found by its notification. */
    origin: "ringkey" | "processor";
    /** The processor reference of the refund. Null until the processor has assigned one. */
    processor_refund_id: string | null;
    /** True if the refund is still pending and the processor is no longer asked about it. Otherwise absent. Look up the outcome at the processor, then report it with `settle_refund`. */
    needs_settling?: true;
    /** Only for a failed refund: the error object that the refund request would have returned. */
    failure?: ErrorObject;
    /** The metadata from the request. `{}` if there was none. */
    metadata: {
        [key: string]: string | number | boolean | null;
    };
    /** When the refund was requested, or was found at the processor: ISO 8601, in UTC. */
    created_at: string;
};
export type Event = {
    /** The event, `evt_…`. It is the same on every attempt, so store it to detect duplicates. */
    id: string;
    /** What happened. `test`: a test event was requested. */
    "type": "checkout.succeeded" | "checkout.failed" | "checkout.completed" | "checkout.pending" | "checkout.expired" | "charge.captured" | "charge.voided" | "charge.authorization_expired" | "charge.capture_failed" | "charge.returned" | "refund.succeeded" | "refund.failed" | "dispute.created" | "dispute.updated" | "attention.opened" | "attention.closed" | "test";
    /** When it happened: ISO 8601, in UTC. */
    created_at: string;
    /** Ascends in the order of the events. Ignore an event if you have seen a higher number for its session. */
    sequence: number;
    /** Whether real money is involved. */
    mode: "test" | "live";
    /** The data of the event. */
    data: {
        /** The session at the time of the event, as `retrieve_checkout_session` returns it. Null in `test` and `attention.…` events. */
        checkout_session: CheckoutSession | null;
        /** The charge that the event is about. Null if there is none, and in `test` and `attention.…` events. */
        charge: Charge | null;
        /** The refund that a `refund.…` event is about. Absent in all other events. */
        refund?: Refund;
        /** The dispute that a `dispute.…` event is about, as it was then. Absent in all other events. */
        dispute?: Dispute;
        /** The item that an `attention.…` event is about, as it was then. Absent in all other events. */
        attention_item?: AttentionItem;
        /** For a failed or pending charge: the error object that the charge operation would have returned. */
        failure?: ErrorObject;
        /** The outcome so far. In `checkout.completed`, the final outcome of the session. Absent in `test`, `attention.…`, `charge.…`, `dispute.…` and `refund.…` events. */
        outcome?: "succeeded" | "failed" | "pending" | "expired";
    };
};
export type EventDelivery = {
    /** `waiting`: waiting for the next attempt. `delivered`: the endpoint answered 2xx. `failed`: all attempts failed. `canceled`: the endpoint was disabled or deleted. */
    status: "waiting" | "delivered" | "failed" | "canceled";
    /** The number of attempts so far. */
    attempts: number;
    /** When the next attempt starts. Null if there is none. */
    next_attempt_at: string | null;
    /** When the last attempt started. Null if there was none. */
    attempted_at: string | null;
    /** The duration of the last attempt until the answer or the timeout, in milliseconds. Null before the first attempt. */
    latency_ms: number | null;
    /** The HTTP status of the last answer. Null if there was no answer. */
    status_code: number | null;
    /** The first 1,024 bytes of the last answer. Null if there was no answer. */
    answer: string | null;
    /** Why the last attempt failed: `status` (not 2xx), `redirect`, `gone` (410), `timeout` (15 s), `connection`, `forbidden_address` (not on the public internet), `too_old`. Null after a success. */
    failure: string | null;
    /** Why there was no connection, if `failure` is `connection` and the cause is known: `host_not_found`, `host_lookup_failed`, `connection_refused`, `connection_reset`, `connection_timeout`, `unreachable`, `certificate_expired`, `certificate_wrong_host`, `certificate_unknown_issuer`, `certificate_invalid`, `tls_error`, `invalid_response`. More can be added. Otherwise null. */
    failure_detail: string | null;
    /** The webhook endpoint, `we_…`. */
    webhook_endpoint_id: string;
    /** The URL of the endpoint. */
    url: string;
};
export type EventTotals = {
    /** The counts. Null if more than 10,000 events match, or if counting takes too long: use a shorter period. */
    totals: {
        /** The number of events, with and without deliveries. */
        events: number;
        /** How many `list_events` lists with `delivery=waiting`. */
        waiting: number;
        /** How many `list_events` lists with `delivery=failing`. */
        failing: number;
        /** How many `list_events` lists with `delivery=delivered`. */
        delivered: number;
        /** How many `list_events` lists with `delivery=failed`. */
        failed: number;
        /** How many `list_events` lists with `delivery=canceled`. */
        canceled: number;
    } | null;
};
export type FindCallersResponse = {
    /** The callers. */
    callers: Caller[];
    /** Whether more numbers end with these digits. */
    has_more: boolean;
};
export type IdentifyRequest = {
    /** The caller's number, E.164. A withheld number (`anonymous`, `unavailable`, `unknown`, `restricted`) matches no caller. */
    caller_phone: string;
};
export type IdentifyResponse = {
    /** Whether the account knows this number in this mode. */
    known: boolean;
    /** The caller. Null if `known` is false. */
    consumer: Consumer | null;
};
export type Key = {
    /** The key, `key_…`: its ID in lists, not the secret. */
    key_id: string;
    /** The mode of the key, as in its prefix. */
    environment: "test" | "live";
    /** The name from the request. Otherwise null. */
    name: string | null;
    /** What the key can do. `agent`: create checkouts, charge, text links, identify callers and read sessions. `full`: everything. */
    scope: "full" | "agent";
    /** Addresses and CIDR blocks from which requests are allowed. If empty, all addresses are allowed. */
    allowed_sources: string[];
    /** The first characters of the key, to recognize it. */
    prefix: string;
    /** When it was created: ISO 8601, in UTC. */
    created_at: string;
    /** When the key expires or expired. Rolling the key can set an earlier time. Null if it does not expire. */
    expires_at: string | null;
    /** When the key was revoked. Null if it was not. */
    revoked_at: string | null;
};
export type ListAlertTargetsResponse = {
    /** Newest first. */
    alert_targets: AlertTarget[];
    /** Whether there are more items. To get them, send the last item's ID as `starting_after`. */
    has_more: boolean;
};
export type ListAttentionItemsResponse = {
    /** Newest first. */
    attention_items: AttentionItem[];
    /** Whether there are more items. To get them, send the last item's ID as `starting_after`. */
    has_more: boolean;
};
export type ListAuditEventsResponse = {
    /** Newest first. */
    audit_events: AuditEvent[];
    /** Whether there are more items. To get them, send the last item's ID as `starting_after`. */
    has_more: boolean;
};
export type ListCallsResponse = {
    /** Newest first. */
    calls: Call[];
    /** Whether there are more items. To get them, send the last item's ID as `starting_after`. */
    has_more: boolean;
};
export type ListCardsResponse = {
    /** Newest first. Contains only cards that this merchant can charge. */
    cards: ConsentedCard[];
    /** The `instrument_id` of the default card in `cards`. Null if none of them is the default. */
    default_card_id: string | null;
    /** Whether there are more items. To get them, send the last item's ID as `starting_after`. */
    has_more: boolean;
};
export type ListedCharge = {
    /** The charge, `ch_…`. */
    charge_id: string;
    /** `pending`: no outcome yet. Either the processor gave none and the money may have been taken, or the payer has ten minutes on the pay page to confirm to the bank (3-D Secure). Do not start another payment for this order; a webhook reports the outcome. `authorized`: the amount is held on the card until you capture or void it, or `capture_before` passes. `succeeded` is final, except for a bank debit that the bank returns later: it becomes `failed` with `returned_at`, or a charge whose capture fails later: `failed` with `capture_failed_at`. `voided` and `expired`: the hold was released and nothing was taken. `failed` is final unless the processor is later found to have taken the money: the charge then becomes `succeeded` with `was_late`. */
    status: "pending" | "authorized" | "succeeded" | "failed" | "voided" | "expired";
    /** The amount, an integer in the currency's minor unit: 4250 is 42.50 USD, and 4250 JPY, which has no minor unit. */
    amount_cents: number;
    /** The processor reference of the payment. Null until the processor has assigned one. */
    processor_payment_id: string | null;
    /** `apple_pay` or `google_pay`, if the payer used the wallet button on the pay page. Absent for card charges. */
    wallet?: "apple_pay" | "google_pay";
    /** Only for a debit of a US bank account. Absent for card charges. */
    payment_method?: "us_bank_account";
    /** Only for a bank debit: when the processor accepted it, ISO 8601 in UTC. The charge stays `pending` until the bank has paid or returned it, in some days. */
    debited_at?: string;
    /** Only for a charge that had succeeded, and whose amount the processor could not take after all: when Ringkey found out, ISO 8601 in UTC. The charge is `failed`. Otherwise absent. */
    capture_failed_at?: string;
    /** Only for a bank debit that was paid and that the bank has returned since: when Ringkey found out, ISO 8601 in UTC. The charge is `failed`, and `failure.processor_code` has the bank's return code, such as `R10`. Otherwise absent. */
    returned_at?: string;
    /** True if the charge was reported as failed, or was lost, and the processor was later found to have taken the money. Otherwise absent. */
    was_late?: true;
    /** Only for a late charge: another charge of the same session or order that was pending or succeeded when this one was found. Decide which of the two to refund. Otherwise absent. */
    duplicate_of?: string;
    /** Only for an `authorized` charge: when the processor releases the hold, ISO 8601 in UTC. Absent if the processor does not say. */
    capture_before?: string;
    /** Only for a captured hold: the captured amount in minor units. The rest of `amount_cents` was released. */
    captured_cents?: number;
    /** Only if the caller added a tip: its amount in minor units. It is part of `amount_cents` of the charge, beside `amount_cents` of the session. */
    tip_cents?: number;
    /** Only if the payer paid a part: what is left of `amount_cents` of the session, in minor units. The session is complete all the same. To collect the rest, create another checkout, without the `order_id` or with `allow_repeat`. */
    remaining_cents?: number;
    /** Only for a failed charge: the error object that the charge operation would have returned. */
    failure?: ErrorObject;
    /** ISO 4217, upper case: the merchant's currency. */
    currency: string;
    /** The amount refunded so far, including pending refunds, in minor units. */
    refunded_cents: number;
    /** The part of `refunded_cents` that the processor has not confirmed, in minor units. Absent if there is none. */
    refund_pending_cents?: number;
    /** The checkout session, `cs_…`. */
    checkout_session_id: string;
    /** The merchant, `mer_…`. */
    merchant_id: string;
    /** The merchant's own name. */
    business_name: string;
    /** The merchant's order, which is also the confirmation number to read back. Null if the checkout had none. */
    order_id: string | null;
    /** The voice platform's ID of the call, as sent to `create_checkout`. Otherwise null. */
    platform_call_id: string | null;
    /** The caller's number when the charge was created, E.164. Null if there was none or it was cleared later. */
    caller_phone: string | null;
    /** True if the charge is still pending and the processor is no longer asked about it. Otherwise absent. Look up the outcome at the processor, then report it with `settle_charge`. */
    needs_settling?: true;
    /** True if the charge has `was_late`, was found in the last 30 days, was not acknowledged (`acknowledge_charge`), and neither it nor the charge in `duplicate_of` is fully refunded. The caller may have been told that nothing was charged. Otherwise absent. */
    needs_attention?: true;
    /** When a person acknowledged the late charge: ISO 8601, in UTC. Otherwise absent. */
    attention_acknowledged_at?: string;
    /** The source of the charge: a call (`phone`), the `charge` operation (`saved_card`), or the pay page (`page`). */
    source: "phone" | "saved_card" | "page";
    /** `caller`: the payer was on a call, on the pay page, or chose a saved card with your agent. `merchant`: a charge of a saved card without the caller (`create_charge`). */
    initiator: "caller" | "merchant";
    /** The processor of the charge. */
    processor: string;
    /** The payout that contains the charge, with its fee. Absent until the processor reports it. */
    payout?: {
        /** The payout, `po_…`. */
        payout_id: string;
        /** The processor's fee in minor units of `currency`. Negative if it is refunded. */
        fee_cents: number;
        /** `gross_cents` minus `fee_cents`, in minor units of `currency`. */
        net_cents: number;
        /** ISO 4217, upper case: the currency of the bank account. It can differ from the currency of the charge. Do not add up payouts of different currencies. */
        currency: string;
        /** The day on which the bank account gets the amount, as the processor says. Null if it does not say. */
        arrival_date: string | null;
    };
    /** The saved card, `card_…`. */
    instrument_id: string | null;
    /** The card brand, upper case, such as `VISA`. Null if only the processor knows it. */
    brand: string | null;
    /** The card's last four digits, as a string. Null if only the processor knows them. */
    last_four: string | null;
    /** `test`: the sandbox, no real money. `live`: real money. Always the mode of your key. */
    environment: "test" | "live";
    /** When the charge was created: ISO 8601, in UTC. */
    created_at: string;
    /** When the outcome was known. Null while the charge is pending. */
    settled_at: string | null;
};
export type ListChargesResponse = {
    /** Newest first. */
    charges: ListedCharge[];
    /** Whether there are more items. To get them, send the last item's ID as `starting_after`. */
    has_more: boolean;
};
export type ListedCheckoutSession = {
    /** The checkout session, `cs_…`. */
    checkout_session_id: string;
    /** `open`: can be paid. `complete`: paid, even if the bank returns a bank debit later (`returned_at` of the charge) or its capture fails later (`capture_failed_at`). `expired`: ended without a payment. An expired session becomes `complete` if one of its charges is found to be taken late (`was_late`). */
    session_status: "open" | "complete" | "expired";
    /** The verdict of the payment policy. `required`: the call must be paid now; only then is there a `transfer_to`. `optional`: the caller chooses. `none`: nothing is due, so do not mention payment. */
    payment_required: "required" | "optional" | "none";
    /** What the checkout is for: `payment`, or `save_card` if a card is only verified and saved. Then the amount and the `amount_cents` of its charges are 0. */
    purpose: "payment" | "save_card";
    /** The amount, an integer in the currency's minor unit: 4250 is 42.50 USD, and 4250 JPY, which has no minor unit. */
    amount_cents: number;
    /** ISO 4217, upper case: the merchant's currency. */
    currency: string;
    /** The merchant. An empty string if no merchant has the dialed number. */
    merchant_id: string;
    /** The merchant's own name, for the header of a pay page. Null if the merchant was deleted. */
    business_name: string | null;
    /** `test`: the sandbox, no real money. `live`: real money. Always the mode of your key. */
    environment: "test" | "live";
    /** The merchant's order, which is also the confirmation number to read back. Null if the checkout had none. */
    order_id: string | null;
    /** The voice platform's ID of the call, as sent to `create_checkout`. Otherwise null. */
    platform_call_id: string | null;
    /** The caller's number, E.164. Null if the session was created without one. */
    caller_phone: string | null;
    /** The pending, authorized or succeeded charge. Otherwise the last failed one. Null before the first charge. */
    charge: Charge | null;
    /** The metadata from the request. `{}` if there was none. */
    metadata: {
        [key: string]: string | number | boolean | null;
    };
    /** When it was created: ISO 8601, in UTC. */
    created_at: string;
    /** When the session expires and can no longer be paid: ISO 8601, in UTC. */
    expires_at: string;
};
export type ListCheckoutSessionsResponse = {
    /** Newest first. */
    checkout_sessions: ListedCheckoutSession[];
    /** Whether there are more items. To get them, send the last item's ID as `starting_after`. */
    has_more: boolean;
};
export type ListDisputesResponse = {
    /** Newest first. */
    disputes: Dispute[];
    /** Whether there are more items. To get them, send the last item's ID as `starting_after`. */
    has_more: boolean;
};
export type ListEmailsResponse = {
    /** Newest first. */
    emails: Email[];
    /** Whether there are more items. To get them, send the last item's ID as `starting_after`. */
    has_more: boolean;
};
export type ListEventAttemptsResponse = {
    /** Newest first, 100 at most. Attempts to deleted endpoints are not included. */
    attempts: DeliveryAttempt[];
};
export type ListEventDeliveriesResponse = {
    /** One delivery for each endpoint of the event, oldest endpoint first. Deleted endpoints are not included. */
    deliveries: EventDelivery[];
};
export type ListedEvent = {
    /** The event, `evt_…`. It is the same on every attempt, so store it to detect duplicates. */
    id: string;
    /** What happened. `test`: a test event was requested. */
    "type": "checkout.succeeded" | "checkout.failed" | "checkout.completed" | "checkout.pending" | "checkout.expired" | "charge.captured" | "charge.voided" | "charge.authorization_expired" | "charge.capture_failed" | "charge.returned" | "refund.succeeded" | "refund.failed" | "dispute.created" | "dispute.updated" | "attention.opened" | "attention.closed" | "test";
    /** When it happened: ISO 8601, in UTC. */
    created_at: string;
    /** Ascends in the order of the events. Ignore an event if you have seen a higher number for its session. */
    sequence: number;
    /** Whether real money is involved. */
    mode: "test" | "live";
    /** The data of the event. Null only while an error on our side prevents it from being shown and sent. */
    data: {
        /** The session at the time of the event, as `retrieve_checkout_session` returns it. Null in `test` and `attention.…` events. */
        checkout_session: CheckoutSession | null;
        /** The charge that the event is about. Null if there is none, and in `test` and `attention.…` events. */
        charge: Charge | null;
        /** The refund that a `refund.…` event is about. Absent in all other events. */
        refund?: Refund;
        /** The dispute that a `dispute.…` event is about, as it was then. Absent in all other events. */
        dispute?: Dispute;
        /** The item that an `attention.…` event is about, as it was then. Absent in all other events. */
        attention_item?: AttentionItem;
        /** For a failed or pending charge: the error object that the charge operation would have returned. */
        failure?: ErrorObject;
        /** The outcome so far. In `checkout.completed`, the final outcome of the session. Absent in `test`, `attention.…`, `charge.…`, `dispute.…` and `refund.…` events. */
        outcome?: "succeeded" | "failed" | "pending" | "expired";
    } | null;
};
export type ListEventsResponse = {
    /** Newest first, each as it is delivered. */
    events: ListedEvent[];
    /** Whether there are more items. To get them, send the last item's ID as `starting_after`. */
    has_more: boolean;
};
export type ListKeysResponse = {
    /** Newest first, including revoked keys. */
    keys: Key[];
    /** Whether there are more items. To get them, send the last item's ID as `starting_after`. */
    has_more: boolean;
};
export type Merchant = {
    /** The merchant, `mer_…`. */
    merchant_id: string;
    /** The mode of the merchant and of its key. */
    environment: "test" | "live";
    /** The name that the caller hears and that the pay page and the receipt show. */
    business_name: string;
    /** Identifies the merchant in `X-Ringkey-Merchant`. */
    slug: string;
    /** The numbers that the merchant's callers dial, E.164, ascending. */
    numbers: string[];
    /** ISO 4217. The currency of all amounts. */
    currency: "USD" | "EUR" | "GBP" | "CAD" | "AUD" | "JPY" | "KRW";
    /** The policy that decides the verdict of each checkout. */
    payment_policy: "never" | "optional" | "always" | "above";
    /** The threshold of the policy `above`, in minor units. Null for any other policy. */
    payment_policy_amount_cents: number | null;
    /** BCP 47, in its canonical form. */
    language: string;
    /** The second language that the greeting offers, BCP 47. Null if there is none. */
    second_language: string | null;
    /** IANA name of the time zone for times in texts to callers and for the expiry of saved cards. */
    time_zone: string;
    /** The voice of the line. Null for the default voice of the language. */
    voice: string | null;
    /** Whether the line asks for the card's postal code. */
    asks_postal_code: boolean;
    /** Whether the caller must press 1 to confirm before the line charges the card. */
    asks_confirmation: boolean;
    /** Whether callers are asked to save their card for next time. */
    card_saving: "never" | "ask";
    /** Tips that the line and the pay page offer, in percent of the amount due. Empty: none. */
    tip_percentages: number[];
    /** The smallest part of an amount that payers may pay instead of all, in minor units. Null: only the whole amount. */
    partial_minimum_cents: number | null;
    /** Whether callers whose call dropped before payment receive the pay link by SMS. */
    text_after_drop: boolean;
    /** How a call returns to `return_to`. Null uses the service's default. */
    return_mode: "auto" | "refer" | "bridge" | null;
    /** Card brands that the line accepts. */
    accepted_brands: string[];
    /** The number for questions about bank debits, E.164. Null: the merchant takes no bank debits. */
    bank_debit_phone: string | null;
    /** The color of buttons, links and icons on the merchant's pay pages, and of its emails: `#` and six hexadecimal digits. It is adjusted so that text stays readable (WCAG 2.2, 4.5:1). Null, the default: the account's. */
    page_accent_color: string | null;
    /** Phone number for questions, E.164, on the merchant's pay pages and in its emails. Null, the default: the account's. */
    page_support_phone: string | null;
    /** Email address for questions, on the merchant's pay pages and in its emails. Null, the default: the account's. */
    page_support_email: string | null;
    /** The merchant's terms: an `https://` URL that its pay pages link to. Null, the default: the account's. */
    page_terms_url: string | null;
    /** The merchant's privacy policy: an `https://` URL that its pay pages link to. Null, the default: the account's. */
    page_privacy_url: string | null;
    /** The connected processor: `sandbox`, `sandbox_page`, `stripe`, `square`, `authorizenet`, `checkoutcom`, `braintree`, `worldpay`, `hyperswitch`, `adyen`, `payconnector`. Null until one is connected. Its credentials are never shown. */
    processor: string | null;
    /** Where orders are looked up. */
    order_source: {
        /** The type of the order source. */
        "type": "none" | "sandbox" | "http";
        /** The URL that we call. Only for `http`. */
        url?: string;
        /** The secret that signs our requests to `url` (Standard Webhooks). Shown once, when you set the URL. Otherwise absent. */
        signing_secret?: string;
    };
    /** When it was created: ISO 8601, in UTC. */
    created_at: string;
};
export type ListMerchantsResponse = {
    /** Newest first. */
    merchants: Merchant[];
    /** Whether there are more items. To get them, send the last item's ID as `starting_after`. */
    has_more: boolean;
};
export type PayoutEntry = {
    /** The entry, `pe_…`. */
    payout_entry_id: string;
    /** The payout, `po_…`. */
    payout_id: string;
    /** The merchant, `mer_…`. */
    merchant_id: string;
    /** `charge`, `refund`, `dispute`: about a charge. `fee`: a fee that is about no single charge. `other`: anything else in the account at the processor. */
    kind: "charge" | "refund" | "dispute" | "fee" | "other";
    /** The `charge_id`. Null if the entry is about no charge of ours, or one that is older than 120 days. */
    charge: string | null;
    /** The merchant's order, which is also the confirmation number to read back. Null if the checkout had none. */
    order_id: string | null;
    /** The amount before the fee, in minor units of `currency`. Negative if the merchant returns the money. */
    gross_cents: number;
    /** The processor's fee in minor units of `currency`. Negative if it is refunded. */
    fee_cents: number;
    /** `gross_cents` minus `fee_cents`, in minor units of `currency`. */
    net_cents: number;
    /** ISO 4217, upper case: the currency of the bank account. It can differ from the currency of the charge. Do not add up payouts of different currencies. */
    currency: string;
    /** The day on which the bank account gets the amount, as the processor says. Null if it does not say. */
    arrival_date: string | null;
};
export type ListPayoutEntriesResponse = {
    /** Newest first. */
    payout_entries: PayoutEntry[];
    /** Whether there are more items. To get them, send the last item's ID as `starting_after`. */
    has_more: boolean;
};
export type Payout = {
    /** The payout, `po_…`. */
    payout_id: string;
    /** The merchant, `mer_…`. */
    merchant_id: string;
    /** `pending`: on its way. `paid`: the bank account has it. `failed`: the bank returned it. `canceled`: the processor or the merchant stopped it. */
    status: "pending" | "paid" | "failed" | "canceled";
    /** The amount in minor units of `currency`. Negative if the processor takes it from the bank account. */
    amount_cents: number;
    /** ISO 4217, upper case: the currency of the bank account. It can differ from the currency of the charge. Do not add up payouts of different currencies. */
    currency: string;
    /** The day on which the bank account gets the amount, as the processor says. Null if it does not say. */
    arrival_date: string | null;
    /** The processor. */
    processor: string;
    /** The processor reference of the payout. */
    processor_payout_id: string;
    /** When the processor first notified us: ISO 8601, in UTC. */
    created_at: string;
    /** When it was last read at the processor. */
    updated_at: string;
};
export type ListPayoutsResponse = {
    /** Newest first. */
    payouts: Payout[];
    /** Whether there are more items. To get them, send the last item's ID as `starting_after`. */
    has_more: boolean;
};
export type ListedRefund = {
    /** The refund, `re_…`. */
    refund_id: string;
    /** The `charge_id` of the refunded charge. */
    charge: string;
    /** The checkout session, `cs_…`. */
    checkout_session_id: string;
    /** The merchant, `mer_…`. */
    merchant_id: string;
    /** `pending`: the processor has accepted the refund, or its answer is not known yet. A webhook reports the outcome. `succeeded` is final unless the payer’s bank does not take the refund: it then becomes `failed`. `failed` is final unless the processor is later found to have made the refund. */
    status: "pending" | "succeeded" | "failed";
    /** The refunded amount, an integer in the currency's minor unit. */
    amount_cents: number;
    /** ISO 4217, upper case: the currency of the charge. */
    currency: string;
    /** The reason from the request. Null if there was none. */
    reason: "duplicate" | "fraudulent" | "requested_by_customer" | null;
    /** `ringkey`: requested here. `processor`: made in the processor's dashboard, and found by its notification. */
    origin: "ringkey" | "processor";
    /** The processor reference of the refund. Null until the processor has assigned one. */
    processor_refund_id: string | null;
    /** True if the refund is still pending and the processor is no longer asked about it. Otherwise absent. Look up the outcome at the processor, then report it with `settle_refund`. */
    needs_settling?: true;
    /** Only for a failed refund: the error object that the refund request would have returned. */
    failure?: ErrorObject;
    /** The metadata from the request. `{}` if there was none. */
    metadata: {
        [key: string]: string | number | boolean | null;
    };
    /** When the refund was requested, or was found at the processor: ISO 8601, in UTC. */
    created_at: string;
    /** The merchant's own name. */
    business_name: string;
    /** The caller's number when the charge was created, E.164. Null if there was none or it was cleared later. */
    caller_phone: string | null;
};
export type ListRefundsResponse = {
    /** Newest first. */
    refunds: ListedRefund[];
    /** Whether there are more items. To get them, send the last item's ID as `starting_after`. */
    has_more: boolean;
};
export type Request = {
    /** The request ID, as in the `X-Request-Id` header of its answer. */
    request_id: string;
    /** The HTTP method. */
    method: string;
    /** The path of the operation, as written in this reference. Null if no operation matches. */
    path: string | null;
    /** The requested path and query, decoded. Redacted like the bodies. */
    url: string;
    /** The HTTP status of the answer. 499 means that the client disconnected before the answer. */
    status: number;
    /** The error's `code`. Null if the request succeeded. */
    code: string | null;
    /** The error's `param`. Null if it has none. */
    param: string | null;
    /** Milliseconds from the first line of the request until the answer was sent. */
    duration_ms: number;
    /** The key, `key_…`: its ID in lists, not the secret. */
    key_id: string | null;
    /** The current name of the key. Null if it has none. */
    key_name: string | null;
    /** The IP address that the request came from. */
    source: string | null;
    /** `test`: the sandbox, no real money. `live`: real money. Always the mode of your key. */
    environment: "test" | "live";
    /** When the request was received: ISO 8601, in UTC. */
    created_at: string;
};
export type ListRequestsResponse = {
    /** Newest first. */
    requests: Request[];
    /** Whether there are more items. To get them, send the last item's ID as `starting_after`. */
    has_more: boolean;
};
export type Text = {
    /** The text, `txt_…`. */
    text_id: string;
    /** The purpose of the text: `pay_link`, `page_code` (a code to see saved cards), `receipt`, `not_charged` (a pending charge failed), `late_receipt` (a charge that was reported as failed was taken), `debit_terms` (what the caller authorized for a bank debit), `debit_returned` (the bank returned a paid bank debit), `not_collected` (the capture of a payment failed after it had succeeded). */
    kind: string;
    /** The checkout session, `cs_…`. */
    checkout_session_id: string;
    /** The charge, `ch_…`. */
    charge_id: string | null;
    /** The recipient's number, masked except for the last two digits. */
    recipient: string;
    /** The text. Null if it contains a pay link or a code: such texts are encrypted and never shown. */
    body: string | null;
    /** How many message segments the carrier counts. */
    segments: number;
    /** `waiting`: waiting for the next attempt. `sending`: being sent to the carrier. `sent`: the carrier has accepted it. `failed`: the carrier has not accepted it. `unknown`: the result is not known. `opted_out`: the recipient has answered STOP. */
    status: "waiting" | "sending" | "sent" | "failed" | "unknown" | "opted_out";
    /** The number of attempts to send it to the carrier. */
    attempts: number;
    /** The carrier that accepted the text. Null if none has yet. */
    carrier: string | null;
    /** The carrier's own error code if the text failed. Otherwise null. */
    error_code: string | null;
    /** What the carrier has reported since. `unconfirmed`: the network does not report delivery. Null if there is no report yet. */
    delivery: "delivered" | "undelivered" | "unconfirmed" | null;
    /** The carrier's own error code if the text was not delivered. Otherwise null. */
    delivery_code: string | null;
    /** When it was created: ISO 8601, in UTC. */
    created_at: string;
    /** When the carrier accepted the text, or when the attempts ended. Null before that. */
    settled_at: string | null;
    /** When `delivery` was last reported. Null if there is no report yet. */
    delivered_at: string | null;
};
export type ListTextsResponse = {
    /** Newest first. */
    texts: Text[];
    /** Whether there are more items. To get them, send the last item's ID as `starting_after`. */
    has_more: boolean;
};
export type ListWebhookDeliveriesResponse = {
    /** Newest event first. */
    deliveries: Delivery[];
    /** Whether there are more items. To get them, send the last item's ID as `starting_after`. */
    has_more: boolean;
};
export type WebhookEndpoint = {
    /** The webhook endpoint, `we_…`. */
    webhook_endpoint_id: string;
    /** The URL to which events are sent. */
    url: string;
    /** The event types that the endpoint receives. */
    events: ("checkout.succeeded" | "checkout.failed" | "checkout.completed" | "checkout.pending" | "checkout.expired" | "charge.captured" | "charge.voided" | "charge.authorization_expired" | "charge.capture_failed" | "charge.returned" | "refund.succeeded" | "refund.failed" | "dispute.created" | "dispute.updated" | "attention.opened" | "attention.closed" | "call.answered" | "call.step" | "call.returned" | "call.ended")[];
    /** If true, no events are sent. An answer of 410 also sets it to true. */
    disabled: boolean;
    /** When it was created: ISO 8601, in UTC. */
    created_at: string;
};
export type ListWebhookEndpointsResponse = {
    /** Newest first. */
    webhook_endpoints: WebhookEndpoint[];
    /** Whether there are more items. To get them, send the last item's ID as `starting_after`. */
    has_more: boolean;
};
export type MerchantLogo = {
    /** The merchant, `mer_…`. */
    merchant_id: string;
    /** Null: the pay page shows the first letter of the business name. */
    logo: {
        /** Where the pay page's own host serves it. It changes with the content, and can be cached. Null if this service has no address for pay links. */
        url: string | null;
        /** The format. */
        content_type: "image/png" | "image/svg+xml";
        /** The width, in pixels. For an SVG, `width` and `height` are its proportions. */
        width: number;
        /** The height, in pixels. */
        height: number;
        /** The size of the stored file, which was rewritten from the upload. */
        size_bytes: number;
        /** When it was uploaded. */
        updated_at: string;
    } | null;
};
export type MonthReport = {
    /** `test`: the sandbox, no real money. `live`: real money. Always the mode of your key. */
    environment: "test" | "live";
    /** The merchant, `mer_…`. */
    merchant_id: string;
    /** The merchant's name. */
    business_name: string;
    /** The month of the report. */
    month: string;
    /** The time zone in which days begin, IANA. */
    time_zone: string;
    /** When the month begins: ISO 8601, in UTC. */
    "from": string;
    /** When it ends. In the present month, when the present day ends. */
    to: string;
    /** The sums by currency, the highest gross amount first. */
    totals: {
        /** ISO 4217, upper case: the merchant's currency. */
        currency: string;
        /** Succeeded charges. Holds count once they are captured. */
        payments: number;
        /** What they took, in minor units: of a captured hold, the captured part. */
        gross_cents: number;
        /** Refunds that were made in this time, whenever the charge was made. Pending ones count, failed ones do not. */
        refunds: number;
        /** What they return. */
        refunded_cents: number;
        /** `gross_cents` less `refunded_cents`. Disputes and fees are not subtracted. */
        net_cents: number;
        /** Disputes that were opened in the month. */
        disputes: number;
        /** Their amounts. */
        disputed_cents: number;
        /** The amounts of those that are lost by now. */
        lost_cents: number;
        /** Payouts that arrived in the month. Only of processors that report them. */
        payouts: number;
        /** Of these, the payouts of a processor account that other merchants use, too. Each of their reports has the whole payout, so do not add them up. */
        shared_payouts: number;
        /** Their amounts, after fees. */
        paid_out_cents: number;
        /** The fees of these payouts. Null if there were none. */
        fee_cents: number | null;
        /** The payments by the way they were made. Ways without payments are left out. */
        ways: {
            /** As in `source` of a charge. */
            source: "phone" | "page" | "saved_card";
            /** Succeeded charges. Holds count once they are captured. */
            payments: number;
            /** What they took, in minor units: of a captured hold, the captured part. */
            gross_cents: number;
        }[];
        /** Each day of the month that has started. */
        days: {
            /** The day, in `time_zone`. */
            date: string;
            /** Succeeded charges. Holds count once they are captured. */
            payments: number;
            /** What they took, in minor units: of a captured hold, the captured part. */
            gross_cents: number;
            /** Refunds that were made in this time, whenever the charge was made. Pending ones count, failed ones do not. */
            refunds: number;
            /** What they return. */
            refunded_cents: number;
            /** `gross_cents` less `refunded_cents`. Disputes and fees are not subtracted. */
            net_cents: number;
        }[];
    }[];
};
export type PayoutEntryTotals = {
    /** The sums by currency, the highest first. Null if more than 10,000 payout entries match, or if summing takes too long: use a shorter period. */
    totals: {
        /** ISO 4217, upper case: the merchant's currency. */
        currency: string;
        /** The number of entries. */
        payout_entries: number;
        /** Their amounts before fees, in minor units of the currency of the payouts. */
        gross_cents: number;
        /** Their fees. */
        fee_cents: number;
        /** `gross_cents` less `fee_cents`. */
        net_cents: number;
    }[] | null;
};
export type PayoutTotals = {
    /** The sums by currency, the highest first. Null if more than 10,000 payouts match, or if summing takes too long: use a shorter period. */
    totals: {
        /** ISO 4217, upper case: the merchant's currency. */
        currency: string;
        /** The number of payouts, in every status. */
        payouts: number;
        /** The amounts of those that were paid, in minor units. Amounts that a processor took from the bank account are subtracted. */
        paid_cents: number;
        /** The amounts of those on their way. */
        pending_cents: number;
    }[] | null;
};
export type QuietAttentionItemRequest = {
    /** The number of hours, 1 to 720 (30 days). Then the item is shown again, if its cause is still there. */
    hours: number;
};
export type RefundTotals = {
    /** The sums by currency, the highest first. Null if more than 10,000 refunds match, or if summing takes too long: use a shorter period. */
    totals: {
        /** ISO 4217, upper case: the merchant's currency. */
        currency: string;
        /** The number of refunds, in every status. */
        refunds: number;
        /** How many of them succeeded. */
        succeeded: number;
        /** What the succeeded and pending ones return, in minor units. */
        refunded_cents: number;
        /** The pending part of `refunded_cents`. */
        pending_cents: number;
    }[] | null;
};
export type RequestWithBodies = {
    /** The request ID, as in the `X-Request-Id` header of its answer. */
    request_id: string;
    /** The HTTP method. */
    method: string;
    /** The path of the operation, as written in this reference. Null if no operation matches. */
    path: string | null;
    /** The requested path and query, decoded. Redacted like the bodies. */
    url: string;
    /** The HTTP status of the answer. 499 means that the client disconnected before the answer. */
    status: number;
    /** The error's `code`. Null if the request succeeded. */
    code: string | null;
    /** The error's `param`. Null if it has none. */
    param: string | null;
    /** Milliseconds from the first line of the request until the answer was sent. */
    duration_ms: number;
    /** The key, `key_…`: its ID in lists, not the secret. */
    key_id: string | null;
    /** The current name of the key. Null if it has none. */
    key_name: string | null;
    /** The IP address that the request came from. */
    source: string | null;
    /** `test`: the sandbox, no real money. `live`: real money. Always the mode of your key. */
    environment: "test" | "live";
    /** When the request was received: ISO 8601, in UTC. */
    created_at: string;
    /** The request body. JSON as a string, at most 8,192 characters. Longer text is cut and ends in `… [cut]`. Secrets, card-like digits, names and email addresses are replaced with `[cut]`, and phone numbers are masked. Null if there was none. `[no JSON]` if the body was not JSON. */
    request_body: string | null;
    /** The answer body. JSON as a string, at most 8,192 characters. Longer text is cut and ends in `… [cut]`. Secrets, card-like digits, names and email addresses are replaced with `[cut]`, and phone numbers are masked. Null for answers of the request log itself, which are not kept. */
    answer_body: string | null;
};
export type ResendEventRequest = {
    /** Only to this endpoint. Default: to all. */
    webhook_endpoint_id?: string;
};
export type ResendFailedEventsRequest = {
    /** Only deliveries whose last attempt was at this time or later: ISO 8601. */
    since: string;
    /** The `last_event_id` of the previous response. Only later events are sent. */
    starting_after?: string;
};
export type ResendFailedEventsResponse = {
    /** The number of deliveries that are sent again. */
    resent: number;
    /** Whether there may be more. Send the request again with the same `since`, and with `last_event_id` as `starting_after`. */
    has_more: boolean;
    /** The newest of these events. Null if there are none. */
    last_event_id: string | null;
};
export type RetrieveMerchantStatusResponse = {
    /** The merchant, `mer_…`. */
    merchant_id: string;
    /** The mode of the merchant. */
    environment: "test" | "live";
    /** The connected processor. Null if there is none. */
    processor: string | null;
    /** Whether checkouts in the merchant's own mode can be paid now. */
    can_take_payments: boolean;
    /** Whether real payments can be taken now. If the processor or the account accepts no keyed cards, they work with saved cards and on the pay page only. */
    can_take_live_payments: boolean;
    /** What still prevents live payments. Empty if nothing does. */
    requirements: {
        /** The code of the requirement. Branch on this value. */
        code: "test_environment" | "processor_missing" | "processor_unknown" | "credentials_unreadable" | "credentials_invalid" | "vendor_not_provisioned" | "keypad_unavailable" | "moto_disabled" | "card_numbers_disabled" | "bank_debits_disabled" | "processor_unavailable" | "sms_carrier_missing" | "pay_links_unavailable" | "policy_never";
        /** What you need to do, for people to read. */
        message: string;
    }[];
    /** Wallets that the processor shows on the pay page's host, on devices that support them. Null if the processor did not answer. */
    wallets: {
        /** Whether Apple Pay is shown. */
        apple_pay: boolean;
        /** Whether Google Pay is shown. */
        google_pay: boolean;
    } | null;
};
export type RetrieveNotificationSettingsResponse = {
    /** The merchant, `mer_…`. */
    merchant_id: string;
    /** The connected processor. Null if there is none. */
    processor: string | null;
    /** Whether the processor sends notifications that can be verified. */
    can_notify: boolean;
    /** The address to enter at the processor. Null if the service has no public address, or the processor sends no notifications that can be verified. */
    url: string | null;
    /** Whether a secret is set, so that notifications are accepted. */
    has_secret: boolean;
    /** Until when the former secret is accepted, too: ISO 8601, in UTC. Null if there is none. */
    previous_secret_until: string | null;
};
export type RetrieveOrderResponse = {
    /** The requested order. */
    order_id: string;
    /** The merchant, `mer_…`. */
    merchant_id: string;
    /** The amount, an integer in the currency's minor unit: 4250 is 42.50 USD, and 4250 JPY, which has no minor unit. */
    amount_cents: number;
    /** ISO 4217, upper case: the merchant's currency. */
    currency: string;
};
export type RetrieveWebhookHealthResponse = {
    /** The last 168 hours, oldest first. The last one is the current hour. */
    hours: {
        /** The start of the hour: ISO 8601, in UTC. */
        hour: string;
        /** The number of attempts in that hour. */
        attempts: number;
        /** The number of these attempts that failed. */
        failures: number;
    }[];
};
export type RollHeaderSigningSecretResponse = {
    /** The account, `acct_…`. */
    account_id: string;
    /** The key of the HMAC in `X-Ringkey-Signature`, base64 of 32 bytes. Shown only once. */
    header_signing_secret: string;
};
export type RollKeyRequest = {
    /** How long the old key stays valid, in seconds: 0 (not at all) to 604800 (seven days). The default is one day. */
    expires_in_seconds?: number;
};
export type RollKeyResponse = {
    /** The key, `key_…`: its ID in lists, not the secret. */
    key_id: string;
    /** The mode of the key, as in its prefix. */
    environment: "test" | "live";
    /** The name from the request. Otherwise null. */
    name: string | null;
    /** What the key can do. `agent`: create checkouts, charge, text links, identify callers and read sessions. `full`: everything. */
    scope: "full" | "agent";
    /** Addresses and CIDR blocks from which requests are allowed. If empty, all addresses are allowed. */
    allowed_sources: string[];
    /** The first characters of the key, to recognize it. */
    prefix: string;
    /** When it was created: ISO 8601, in UTC. */
    created_at: string;
    /** When the key expires or expired. Rolling the key can set an earlier time. Null if it does not expire. */
    expires_at: string | null;
    /** When the key was revoked. Null if it was not. */
    revoked_at: string | null;
    /** The key itself, for the `Authorization` header. Use it on servers only. It is shown only once; we store only its hash. */
    key: string;
    /** The old key, with its new `expires_at`. */
    replaces: Key;
};
export type RollWebhookSecretRequest = {
    /** How long the old secret also signs, in seconds: 0 (not at all) to 604800 (seven days). The default is one day. */
    expires_in_seconds?: number;
};
export type RollWebhookSecretResponse = {
    /** The webhook endpoint, `we_…`. */
    webhook_endpoint_id: string;
    /** The URL to which events are sent. */
    url: string;
    /** The event types that the endpoint receives. */
    events: ("checkout.succeeded" | "checkout.failed" | "checkout.completed" | "checkout.pending" | "checkout.expired" | "charge.captured" | "charge.voided" | "charge.authorization_expired" | "charge.capture_failed" | "charge.returned" | "refund.succeeded" | "refund.failed" | "dispute.created" | "dispute.updated" | "attention.opened" | "attention.closed" | "call.answered" | "call.step" | "call.returned" | "call.ended")[];
    /** If true, no events are sent. An answer of 410 also sets it to true. */
    disabled: boolean;
    /** When it was created: ISO 8601, in UTC. */
    created_at: string;
    /** Signs the deliveries (Standard Webhooks). Shown only once. */
    signing_secret: string;
};
export type SaveCardRequest = {
    /** The merchant that can charge the card. */
    merchant_id: string;
    /** The caller's number, E.164. An unknown number creates a new caller. */
    caller_phone: string;
    /** The token that the processor's own page or SDK created for the card. In the sandbox, a token of the test cards. Card numbers are rejected. */
    token: string;
    /** The processor whose wallet holds the token. The default is the merchant's processor. If the processor is unknown, returns `invalid_vault`. If it is not the merchant's, returns `processor_mismatch`. */
    vault?: string;
    /** Whether it becomes the caller's default card at this merchant. */
    "default"?: boolean;
    /** The caller's first name. If you omit it, it keeps its value. */
    first_name?: string;
    /** The caller's last name. If you omit it, it keeps its value. */
    last_name?: string;
    /** The caller's email address. If you omit it, it keeps its value. */
    email?: string;
    /** What the caller agreed to. `returning`, the default: the caller can choose the card when paying again. `merchant_initiated`: the merchant can also charge it without the caller (`create_charge`). Saving the card again as `returning` does not end an earlier consent; deleting the card does. */
    save_terms?: "returning" | "merchant_initiated";
    /** The highest amount of one charge without the caller, in minor units, if the caller agreed to one. Only with `merchant_initiated`. */
    max_amount_cents?: number;
    /** The sentence that the caller agreed to. It is kept with the consent, as the card networks require for charges without the caller. */
    consent_text?: string;
};
export type SaveCardResponse = {
    /** The saved card. Send it to `charge` when the caller has chosen this card. */
    instrument_id: string;
    /** Upper case, such as `VISA`, `MASTERCARD`, `AMERICAN_EXPRESS`, `DISCOVER`. */
    brand: string;
    /** The last four digits, as a string. */
    last_four: string;
    /** The last month in which the card can be charged, `MM/YYYY`. */
    expiry: string;
    /** What the caller agreed to. `returning`: the caller can choose the card when paying again. `merchant_initiated`: the merchant can also charge it without the caller (`create_charge`). */
    save_terms: "returning" | "merchant_initiated";
    /** The highest amount of one charge without the caller, in minor units. Null if the caller agreed to any amount, or to no such charges. */
    max_amount_cents: number | null;
    /** The merchant, `mer_…`. */
    merchant_id: string;
    /** Whether it is the caller's default card at this merchant. */
    "default": boolean;
};
export type SendLinkRequest = {
    /** The open checkout session, as returned by `create_checkout`. */
    checkout_session_id: string;
};
export type SendLinkResponse = {
    /** Whether this request has queued a text with the link. If false, the agent must not say that a text was sent. */
    sent: boolean;
    /** The pay link. Share it with the caller only: it allows payment of the session. */
    pay_url: string;
    /** The same link, shortened, as used in the text. */
    short_url: string;
    /** The verdict of the payment policy. `required`: the call must be paid now; only then is there a `transfer_to`. `optional`: the caller chooses. `none`: nothing is due, so do not mention payment. */
    payment_required: "required" | "optional" | "none";
    /** The checkout session, `cs_…`. */
    checkout_session_id: string;
    /** The merchant, `mer_…`. */
    merchant_id: string;
    /** The merchant's order, which is also the confirmation number to read back. Null if the checkout had none. */
    order_id: string | null;
    /** The voice platform's ID of the call, as sent to `create_checkout`. Otherwise null. */
    platform_call_id: string | null;
};
export type SetNotificationSecretRequest = {
    /** The secret that the processor signs its notifications with. It is stored encrypted and never shown again. The former one is accepted for 24 more hours. `null`: accept no notifications from now on. */
    notification_secret: string | null;
};
export type SetNotificationSecretResponse = {
    /** The merchant, `mer_…`. */
    merchant_id: string;
    /** The connected processor. Null if there is none. */
    processor: string | null;
    /** Whether the processor sends notifications that can be verified. */
    can_notify: boolean;
    /** The address to enter at the processor. Null if the service has no public address, or the processor sends no notifications that can be verified. */
    url: string | null;
    /** Whether a secret is set, so that notifications are accepted. */
    has_secret: boolean;
    /** Until when the former secret is accepted, too: ISO 8601, in UTC. Null if there is none. */
    previous_secret_until: string | null;
};
export type SettleChargeRequest = {
    /** The outcome at the processor. `succeeded`: it took the money. `not_received`: it does not know the charge and never will. */
    outcome: "succeeded" | "not_received";
    /** The processor reference of the payment. Required with `succeeded`, and not allowed otherwise. */
    processor_payment_id?: string;
};
export type SettleRefundRequest = {
    /** The outcome at the processor. `succeeded`: the money was refunded. `refused`: the processor accepted the refund, but it failed. `not_received`: it does not know the refund and never will. */
    outcome: "succeeded" | "refused" | "not_received";
    /** The processor reference of the refund. Required with `succeeded`, and not allowed otherwise. */
    processor_refund_id?: string;
};
export type StatisticsFigures = {
    /** Items created at this time or later are counted: ISO 8601, in UTC. */
    "from": string;
    /** Items created before this time are counted. */
    to: string;
    /** Charges that succeeded. */
    charges_succeeded: number;
    /** Charges that failed. */
    charges_failed: number;
    /** The charges that succeeded, and refunds, by currency. */
    payments: {
        /** ISO 4217, upper case: the merchant's currency. */
        currency: string;
        /** How many charges succeeded. */
        count: number;
        /** Their total, in minor units. Later refunds are not subtracted. */
        amount_cents: number;
        /** What was refunded of the charges of this time until now. The refund of a bank debit counts even if the bank has returned the debit. */
        refunded_cents: number;
        /** `amount_cents` minus `refunded_cents`. */
        net_cents: number;
    }[];
    /** Charges without an outcome yet. They are in no other figure. */
    charges_pending: number;
    /** Succeeded charges divided by succeeded and failed charges: 0 to 1. Each attempt counts. Null if there are none. */
    success_rate: number | null;
    /** The median time from answering a call to settling the charge that it ended with. Null if there is none. */
    median_seconds_to_pay: number | null;
    /** How far calls got, in the order of the steps. Counts answered calls of the period that are over. A step that a call skips (a confirmation, for example) does not count for that call, so it is not a loss there. */
    funnel: {
        /** The step. Most steps are named after the question that the line asks. `answered`: the call was answered. `charge`: the card was sent to the processor. `returned`: the caller was to return to the agent. */
        step: "answered" | "method" | "saved_card" | "card_number" | "expiry" | "security_code" | "postal_code" | "part" | "part_amount" | "tip" | "routing_number" | "account_number" | "account_number_again" | "account_type" | "debit_terms" | "keep_card" | "confirmation" | "charge" | "returned";
        /** Calls that reached this step: those that `list_calls` lists with this step in `reached`. 0 if the line did not ask for it. */
        reached: number;
        /** The calls that continued to a later step or were paid. For `charge`: calls that were paid. For `returned`: callers who are back with the agent. */
        went_on: number;
        /** For `charge`: calls that saved a card without a payment. They are not in `went_on`. 0 for other steps. */
        saved: number;
    }[];
    /** Failed charges by reason, the most frequent first. */
    declines: {
        /** As in the errors of charges. Null if the card was not the reason. */
        decline_code: "generic_decline" | "do_not_honor" | "insufficient_funds" | "lost_card" | "stolen_card" | "expired_card" | "incorrect_number" | "incorrect_cvc" | "incorrect_expiry" | "incorrect_zip" | "card_not_supported" | "authentication_required" | "processing_error" | "try_again_later" | null;
        /** Charges that failed for this reason. */
        count: number;
    }[];
};
export type Statistics = {
    /** `test`: the sandbox, no real money. `live`: real money. Always the mode of your key. */
    environment: "test" | "live";
    /** The merchant of the figures. Null for all merchants. */
    merchant_id: string | null;
    /** The time zone in which days begin, IANA. */
    time_zone: string;
    /** The requested period. */
    period: StatisticsFigures;
    /** A period of the same length before it, to compare with. See `compare_from`. */
    period_before: StatisticsFigures;
    /** Each day of the period. The first and the last day may be partial. */
    days: {
        /** The day, in `time_zone`. */
        date: string;
        /** Charges that succeeded. */
        charges_succeeded: number;
        /** Charges that failed. */
        charges_failed: number;
        /** The charges that succeeded, and refunds, by currency. */
        payments: {
            /** ISO 4217, upper case: the merchant's currency. */
            currency: string;
            /** How many charges succeeded. */
            count: number;
            /** Their total, in minor units. Later refunds are not subtracted. */
            amount_cents: number;
            /** What was refunded of the charges of this time until now. The refund of a bank debit counts even if the bank has returned the debit. */
            refunded_cents: number;
            /** `amount_cents` minus `refunded_cents`. */
            net_cents: number;
        }[];
    }[];
    /** The merchants of the period, at most 50, starting with the one with the most charges. */
    merchants: {
        /** The merchant, `mer_…`. */
        merchant_id: string;
        /** Charges that succeeded. */
        charges_succeeded: number;
        /** Charges that failed. */
        charges_failed: number;
        /** The charges that succeeded, and refunds, by currency. */
        payments: {
            /** ISO 4217, upper case: the merchant's currency. */
            currency: string;
            /** How many charges succeeded. */
            count: number;
            /** Their total, in minor units. Later refunds are not subtracted. */
            amount_cents: number;
            /** What was refunded of the charges of this time until now. The refund of a bank debit counts even if the bank has returned the debit. */
            refunded_cents: number;
            /** `amount_cents` minus `refunded_cents`. */
            net_cents: number;
        }[];
    }[];
};
export type StreamSessionEventsResponse = string;
export type TextTotals = {
    /** The counts. Null if more than 10,000 texts match, or if counting takes too long: use a shorter period. */
    totals: {
        /** The number of texts, with every delivery status. */
        texts: number;
        /** How many have the delivery status `waiting`. */
        waiting: number;
        /** How many have the delivery status `sending`. */
        sending: number;
        /** How many have the delivery status `sent`. */
        sent: number;
        /** How many have the delivery status `delivered`. */
        delivered: number;
        /** How many have the delivery status `undelivered`. */
        undelivered: number;
        /** How many have the delivery status `unconfirmed`. */
        unconfirmed: number;
        /** How many have the delivery status `failed`. */
        failed: number;
        /** How many have the delivery status `unknown`. */
        "unknown": number;
        /** How many have the delivery status `opted_out`. */
        opted_out: number;
    } | null;
};
export type ToolCreateCheckoutRequest = {
    /** An integer in the minor unit of the merchant's currency. If you send an `order_id`, the order's amount takes precedence. */
    amount_cents: number;
    /** The items of the bill, shown on the pay page and the receipt. They do not determine the amount. */
    line_items?: {
        /** The name of the item, shown to the payer. */
        name: string;
        /** The quantity. */
        quantity: number;
        /** The price of one item, in minor units. */
        amount_cents: number;
    }[];
    /** The caller's number, E.164. `anonymous`, `unavailable`, `unknown` and `restricted` mean that the caller withholds it. Without a number there are no saved cards and no transfer by number, and `charge` and `send_link` return 422 `session_missing_consumer`. */
    caller_phone?: string;
    /** The order in the merchant's own system. The amount of the order takes precedence over `amount_cents`. */
    order_id?: string;
    /** The voice platform's own ID of this call. Recommended: the SIP headers, the session and every event contain it. */
    platform_call_id?: string;
    /** Where the caller goes after paying: a `sip:`, `sips:` or `tel:` URI, a number, or an `https:` URL for the pay page (`http:` in test mode only). On the phone, a URL is treated as a target that cannot be connected. The target must be one of the account's allowed hosts and numbers (`PATCH /v1/account`). Private addresses, emergency numbers and premium numbers are never allowed. Without `return_hosts`, an account can use every public host in test mode and none in live mode. A target that is not allowed, or that contains a password (`user:password@`), returns `invalid_value`. If you omit the field, the line says `success_message` and ends the call. */
    return_to?: string;
    /** What the line says after a successful payment, in the merchant's voice, if the call does not return to an agent. The default is a short sentence. */
    success_message?: string;
    /** What the line says after a decline, instead of the default sentence. */
    failure_message?: string;
    /** The caller's language, BCP 47, if it is not the merchant's. It applies to `agent_message` here and in later errors, to the payment line, the pay page and the texts. Supported: `en`, `de`, `es`, `fr`. For any other language, the merchant's is used. A malformed tag returns `invalid_value`. */
    language?: string;
};
export type ToolCreateCheckoutResponse = {
    /** The checkout session, `cs_…`. */
    id: string;
    /** The one line that the agent says now, word for word: no payment needed, transferring now, or payment unavailable. */
    agent_message: string;
    /** The verdict of the payment policy. `required`: the call must be paid now; only then is there a `transfer_to`. `optional`: the caller chooses. `none`: nothing is due, so do not mention payment. */
    payment_required: "required" | "optional" | "none";
    /** The SIP URI to transfer the call to. It contains the session ID. Absent if the call must not be transferred. */
    transfer_to?: string;
};
export type VoidChargeRequest = {};
export type RetrieveCheckoutSessionQuery = {
    /** Seconds to wait for a change of `session_status`, `charge` or `agent_message`, 1 to 60. Without it, the answer comes at once. */
    wait?: number;
};
export type ListCheckoutSessionsQuery = {
    /** The maximum number of items, 1 to 100. The default is 20. */
    limit?: number;
    /** The ID of the last item on the previous page. The list continues after it. An ID that is not in the list is rejected. */
    starting_after?: string;
    /** Only items created at this time or later: ISO 8601, with `Z` or an offset. */
    created_after?: string;
    /** Only items created before this time. */
    created_before?: string;
    /** Only items of this merchant. */
    merchant_id?: string;
    /** Only items of the merchant's order with exactly this ID. */
    order_id?: string;
    /** Only items of callers with this number. Send it in E.164 (write `+` as `%2B` in a URL), as dialed in a country of your merchants, or as its last 4 to 10 digits. You can write digits as words in English, Spanish, French or German. Spaces, dots, dashes, slashes, brackets, invisible characters and an extension are ignored. A merchant's country comes from its currency, language and numbers. Withheld and cleared numbers match nothing. */
    caller_phone?: string;
    /** Only items of the voice platform's call with this ID, as sent to `create_checkout`. */
    platform_call_id?: string;
    /** Only sessions with a charge of a card with these last four digits, successful or declined. */
    last_four?: string;
    /** Only sessions with this `session_status`. A session that has just expired is found as `expired` within seconds. */
    status?: "open" | "complete" | "expired";
};
export type RetrieveCheckoutSessionTotalsQuery = {
    /** Only items created at this time or later: ISO 8601, with `Z` or an offset. */
    created_after?: string;
    /** Only items created before this time. */
    created_before?: string;
    /** Only items of this merchant. */
    merchant_id?: string;
    /** Only items of the merchant's order with exactly this ID. */
    order_id?: string;
    /** Only items of callers with this number. Send it in E.164 (write `+` as `%2B` in a URL), as dialed in a country of your merchants, or as its last 4 to 10 digits. You can write digits as words in English, Spanish, French or German. Spaces, dots, dashes, slashes, brackets, invisible characters and an extension are ignored. A merchant's country comes from its currency, language and numbers. Withheld and cleared numbers match nothing. */
    caller_phone?: string;
    /** Only items of the voice platform's call with this ID, as sent to `create_checkout`. */
    platform_call_id?: string;
    /** Only sessions with a charge of a card with these last four digits, successful or declined. */
    last_four?: string;
    /** Only sessions with this `session_status`. A session that has just expired is found as `expired` within seconds. */
    status?: "open" | "complete" | "expired";
};
export type ListKeysQuery = {
    /** The maximum number of items, 1 to 100. The default is 20. */
    limit?: number;
    /** The ID of the last item on the previous page. The list continues after it. An ID that is not in the list is rejected. */
    starting_after?: string;
};
export type ListCallsQuery = {
    /** The maximum number of items, 1 to 100. The default is 20. */
    limit?: number;
    /** The ID of the last item on the previous page. The list continues after it. An ID that is not in the list is rejected. */
    starting_after?: string;
    /** Only items created at this time or later: ISO 8601, with `Z` or an offset. */
    created_after?: string;
    /** Only items created before this time. */
    created_before?: string;
    /** Only items of this merchant. */
    merchant_id?: string;
    /** Only items of the merchant's order with exactly this ID. */
    order_id?: string;
    /** Only items of callers with this number. Send it in E.164 (write `+` as `%2B` in a URL), as dialed in a country of your merchants, or as its last 4 to 10 digits. You can write digits as words in English, Spanish, French or German. Spaces, dots, dashes, slashes, brackets, invisible characters and an extension are ignored. A merchant's country comes from its currency, language and numbers. Withheld and cleared numbers match nothing. */
    caller_phone?: string;
    /** Only items of the voice platform's call with this ID, as sent to `create_checkout`. */
    platform_call_id?: string;
    /** Only calls of sessions with a charge of a card with these last four digits, on the call or elsewhere. */
    last_four?: string;
    /** Only items of this checkout session. */
    checkout_session_id?: string;
    /** Only live calls, or only ended calls. */
    status?: "live" | "ended";
    /** Only calls with this outcome. How the call ended, as in `X-Ringkey-Outcome`: `succeeded`, `failed`, `pending` (the charge had no outcome yet), `canceled` (the caller asked to stop or hung up, or `end_call` ended the call), `expired`, `agent` (returned to the agent without paying). */
    outcome?: "succeeded" | "failed" | "pending" | "canceled" | "expired" | "agent";
    /** Only calls that the `funnel` of `retrieve_statistics` counts at this step: answered calls that are over and reached it. */
    reached?: "answered" | "method" | "saved_card" | "card_number" | "expiry" | "security_code" | "postal_code" | "part" | "part_amount" | "tip" | "routing_number" | "account_number" | "account_number_again" | "account_type" | "debit_terms" | "keep_card" | "confirmation" | "charge" | "returned";
};
export type RetrieveCallTotalsQuery = {
    /** Only items created at this time or later: ISO 8601, with `Z` or an offset. */
    created_after?: string;
    /** Only items created before this time. */
    created_before?: string;
    /** Only items of this merchant. */
    merchant_id?: string;
    /** Only items of the merchant's order with exactly this ID. */
    order_id?: string;
    /** Only items of callers with this number. Send it in E.164 (write `+` as `%2B` in a URL), as dialed in a country of your merchants, or as its last 4 to 10 digits. You can write digits as words in English, Spanish, French or German. Spaces, dots, dashes, slashes, brackets, invisible characters and an extension are ignored. A merchant's country comes from its currency, language and numbers. Withheld and cleared numbers match nothing. */
    caller_phone?: string;
    /** Only items of the voice platform's call with this ID, as sent to `create_checkout`. */
    platform_call_id?: string;
    /** Only calls of sessions with a charge of a card with these last four digits, on the call or elsewhere. */
    last_four?: string;
    /** Only items of this checkout session. */
    checkout_session_id?: string;
    /** Only live calls, or only ended calls. */
    status?: "live" | "ended";
    /** Only calls with this outcome. How the call ended, as in `X-Ringkey-Outcome`: `succeeded`, `failed`, `pending` (the charge had no outcome yet), `canceled` (the caller asked to stop or hung up, or `end_call` ended the call), `expired`, `agent` (returned to the agent without paying). */
    outcome?: "succeeded" | "failed" | "pending" | "canceled" | "expired" | "agent";
    /** Only calls that the `funnel` of `retrieve_statistics` counts at this step: answered calls that are over and reached it. */
    reached?: "answered" | "method" | "saved_card" | "card_number" | "expiry" | "security_code" | "postal_code" | "part" | "part_amount" | "tip" | "routing_number" | "account_number" | "account_number_again" | "account_type" | "debit_terms" | "keep_card" | "confirmation" | "charge" | "returned";
};
export type ListChargesQuery = {
    /** The maximum number of items, 1 to 100. The default is 20. */
    limit?: number;
    /** The ID of the last item on the previous page. The list continues after it. An ID that is not in the list is rejected. */
    starting_after?: string;
    /** Only items created at this time or later: ISO 8601, with `Z` or an offset. */
    created_after?: string;
    /** Only items created before this time. */
    created_before?: string;
    /** Only items of this merchant. */
    merchant_id?: string;
    /** Only items of the merchant's order with exactly this ID. */
    order_id?: string;
    /** Only items of callers with this number. Send it in E.164 (write `+` as `%2B` in a URL), as dialed in a country of your merchants, or as its last 4 to 10 digits. You can write digits as words in English, Spanish, French or German. Spaces, dots, dashes, slashes, brackets, invisible characters and an extension are ignored. A merchant's country comes from its currency, language and numbers. Withheld and cleared numbers match nothing. */
    caller_phone?: string;
    /** Only items of the voice platform's call with this ID, as sent to `create_checkout`. */
    platform_call_id?: string;
    /** Only charges of a card with these last four digits. */
    last_four?: string;
    /** Only items of this checkout session. */
    checkout_session_id?: string;
    /** Only charges with this status. */
    status?: "pending" | "authorized" | "succeeded" | "failed" | "voided" | "expired";
    /** `true`: only charges that need settlement, see their `needs_settling`. */
    needs_settling?: "true";
    /** `true`: only late charges that need attention, see their `needs_attention`. */
    needs_attention?: "true";
    /** Only charges that the statistics count this way. `succeeded` includes holds, `completed` is succeeded or failed. Charges that only verify a card are not counted. */
    counted_as?: "succeeded" | "failed" | "completed" | "pending";
    /** Only charges that failed for this reason. `none`: only charges that failed, but not because of the card. */
    decline_code?: "generic_decline" | "do_not_honor" | "insufficient_funds" | "lost_card" | "stolen_card" | "expired_card" | "incorrect_number" | "incorrect_cvc" | "incorrect_expiry" | "incorrect_zip" | "card_not_supported" | "authentication_required" | "processing_error" | "try_again_later" | "none";
};
export type RetrieveChargeTotalsQuery = {
    /** Only items created at this time or later: ISO 8601, with `Z` or an offset. */
    created_after?: string;
    /** Only items created before this time. */
    created_before?: string;
    /** Only items of this merchant. */
    merchant_id?: string;
    /** Only items of the merchant's order with exactly this ID. */
    order_id?: string;
    /** Only items of callers with this number. Send it in E.164 (write `+` as `%2B` in a URL), as dialed in a country of your merchants, or as its last 4 to 10 digits. You can write digits as words in English, Spanish, French or German. Spaces, dots, dashes, slashes, brackets, invisible characters and an extension are ignored. A merchant's country comes from its currency, language and numbers. Withheld and cleared numbers match nothing. */
    caller_phone?: string;
    /** Only items of the voice platform's call with this ID, as sent to `create_checkout`. */
    platform_call_id?: string;
    /** Only charges of a card with these last four digits. */
    last_four?: string;
    /** Only items of this checkout session. */
    checkout_session_id?: string;
    /** Only charges with this status. */
    status?: "pending" | "authorized" | "succeeded" | "failed" | "voided" | "expired";
    /** `true`: only charges that need settlement, see their `needs_settling`. */
    needs_settling?: "true";
    /** `true`: only late charges that need attention, see their `needs_attention`. */
    needs_attention?: "true";
    /** Only charges that the statistics count this way. `succeeded` includes holds, `completed` is succeeded or failed. Charges that only verify a card are not counted. */
    counted_as?: "succeeded" | "failed" | "completed" | "pending";
    /** Only charges that failed for this reason. `none`: only charges that failed, but not because of the card. */
    decline_code?: "generic_decline" | "do_not_honor" | "insufficient_funds" | "lost_card" | "stolen_card" | "expired_card" | "incorrect_number" | "incorrect_cvc" | "incorrect_expiry" | "incorrect_zip" | "card_not_supported" | "authentication_required" | "processing_error" | "try_again_later" | "none";
};
export type RetrieveStatisticsQuery = {
    /** Items created at this time or later are counted: ISO 8601, with `Z` or an offset. The default is 7 days before `to`; the maximum is 92 days. */
    "from"?: string;
    /** Items created before this time are counted. The default is now. */
    to?: string;
    /** When the period before begins, to compare with the same days of the week, for example. It is as long as the period, and must be over when that begins. The default is the period directly before. */
    compare_from?: string;
    /** Only items of this merchant. */
    merchant_id?: string;
    /** IANA name of the time zone in which days begin. The default is `UTC`. */
    time_zone?: string;
};
export type RetrieveMonthReportQuery = {
    /** The merchant. */
    merchant_id: string;
    /** The month, such as `2026-10`. The default is the month before the present one. */
    month?: string;
    /** IANA name of the time zone in which days begin. The default is the `time_zone` of the merchant. */
    time_zone?: string;
};
export type ListRefundsQuery = {
    /** The maximum number of items, 1 to 100. The default is 20. */
    limit?: number;
    /** The ID of the last item on the previous page. The list continues after it. An ID that is not in the list is rejected. */
    starting_after?: string;
    /** Only items created at this time or later: ISO 8601, with `Z` or an offset. */
    created_after?: string;
    /** Only items created before this time. */
    created_before?: string;
    /** Only items of this merchant. */
    merchant_id?: string;
    /** Only refunds of this charge. */
    charge?: string;
    /** Only refunds with this status. */
    status?: "pending" | "succeeded" | "failed";
    /** `true`: only refunds that need settlement, see their `needs_settling`. */
    needs_settling?: "true";
};
export type RetrieveRefundTotalsQuery = {
    /** Only items created at this time or later: ISO 8601, with `Z` or an offset. */
    created_after?: string;
    /** Only items created before this time. */
    created_before?: string;
    /** Only items of this merchant. */
    merchant_id?: string;
    /** Only refunds of this charge. */
    charge?: string;
    /** Only refunds with this status. */
    status?: "pending" | "succeeded" | "failed";
    /** `true`: only refunds that need settlement, see their `needs_settling`. */
    needs_settling?: "true";
};
export type ListDisputesQuery = {
    /** The maximum number of items, 1 to 100. The default is 20. */
    limit?: number;
    /** The ID of the last item on the previous page. The list continues after it. An ID that is not in the list is rejected. */
    starting_after?: string;
    /** Only items created at this time or later: ISO 8601, with `Z` or an offset. */
    created_after?: string;
    /** Only items created before this time. */
    created_before?: string;
    /** Only items of this merchant. */
    merchant_id?: string;
    /** Only items of this checkout session. */
    checkout_session_id?: string;
    /** Only disputes of this charge. */
    charge?: string;
    /** Only disputes with this status. */
    status?: "needs_response" | "under_review" | "won" | "lost" | "closed";
};
export type RetrieveDisputeTotalsQuery = {
    /** Only items created at this time or later: ISO 8601, with `Z` or an offset. */
    created_after?: string;
    /** Only items created before this time. */
    created_before?: string;
    /** Only items of this merchant. */
    merchant_id?: string;
    /** Only items of this checkout session. */
    checkout_session_id?: string;
    /** Only disputes of this charge. */
    charge?: string;
    /** Only disputes with this status. */
    status?: "needs_response" | "under_review" | "won" | "lost" | "closed";
};
export type ListPayoutsQuery = {
    /** The maximum number of items, 1 to 100. The default is 20. */
    limit?: number;
    /** The ID of the last item on the previous page. The list continues after it. An ID that is not in the list is rejected. */
    starting_after?: string;
    /** Only items created at this time or later: ISO 8601, with `Z` or an offset. */
    created_after?: string;
    /** Only items created before this time. */
    created_before?: string;
    /** Only items of this merchant. */
    merchant_id?: string;
    /** Only what arrives on this day. */
    arrival_date?: string;
    /** Only payouts with this status. */
    status?: "pending" | "paid" | "failed" | "canceled";
};
export type RetrievePayoutTotalsQuery = {
    /** Only items created at this time or later: ISO 8601, with `Z` or an offset. */
    created_after?: string;
    /** Only items created before this time. */
    created_before?: string;
    /** Only items of this merchant. */
    merchant_id?: string;
    /** Only what arrives on this day. */
    arrival_date?: string;
    /** Only payouts with this status. */
    status?: "pending" | "paid" | "failed" | "canceled";
};
export type ListPayoutEntriesQuery = {
    /** The maximum number of items, 1 to 100. The default is 20. */
    limit?: number;
    /** The ID of the last item on the previous page. The list continues after it. An ID that is not in the list is rejected. */
    starting_after?: string;
    /** Only items created at this time or later: ISO 8601, with `Z` or an offset. */
    created_after?: string;
    /** Only items created before this time. */
    created_before?: string;
    /** Only items of this merchant. */
    merchant_id?: string;
    /** Only what arrives on this day. */
    arrival_date?: string;
    /** Only entries of this payout. */
    payout?: string;
    /** Only entries of this charge. */
    charge?: string;
};
export type RetrievePayoutEntryTotalsQuery = {
    /** Only items created at this time or later: ISO 8601, with `Z` or an offset. */
    created_after?: string;
    /** Only items created before this time. */
    created_before?: string;
    /** Only items of this merchant. */
    merchant_id?: string;
    /** Only what arrives on this day. */
    arrival_date?: string;
    /** Only entries of this payout. */
    payout?: string;
    /** Only entries of this charge. */
    charge?: string;
};
export type ListTextsQuery = {
    /** The maximum number of items, 1 to 100. The default is 20. */
    limit?: number;
    /** The ID of the last item on the previous page. The list continues after it. An ID that is not in the list is rejected. */
    starting_after?: string;
    /** Only items created at this time or later: ISO 8601, with `Z` or an offset. */
    created_after?: string;
    /** Only items created before this time. */
    created_before?: string;
    /** Only items of this checkout session. */
    checkout_session_id?: string;
    /** Only items of callers with this number. Send it in E.164 (write `+` as `%2B` in a URL), as dialed in a country of your merchants, or as its last 4 to 10 digits. You can write digits as words in English, Spanish, French or German. Spaces, dots, dashes, slashes, brackets, invisible characters and an extension are ignored. A merchant's country comes from its currency, language and numbers. Withheld and cleared numbers match nothing. */
    caller_phone?: string;
    /** Only texts about the charge with this `charge_id`. */
    charge?: string;
    /** Only texts with this delivery status: the carrier's report (`delivery`), or `status` if there is no report yet. */
    delivery_status?: "waiting" | "sending" | "sent" | "delivered" | "unconfirmed" | "undelivered" | "failed" | "unknown" | "opted_out";
    /** `true`: only texts that could not be sent, or that the carrier reports as undelivered. */
    undelivered?: "true";
};
export type RetrieveTextTotalsQuery = {
    /** Only items created at this time or later: ISO 8601, with `Z` or an offset. */
    created_after?: string;
    /** Only items created before this time. */
    created_before?: string;
    /** Only items of this checkout session. */
    checkout_session_id?: string;
    /** Only items of callers with this number. Send it in E.164 (write `+` as `%2B` in a URL), as dialed in a country of your merchants, or as its last 4 to 10 digits. You can write digits as words in English, Spanish, French or German. Spaces, dots, dashes, slashes, brackets, invisible characters and an extension are ignored. A merchant's country comes from its currency, language and numbers. Withheld and cleared numbers match nothing. */
    caller_phone?: string;
    /** Only texts about the charge with this `charge_id`. */
    charge?: string;
    /** Only texts with this delivery status: the carrier's report (`delivery`), or `status` if there is no report yet. */
    delivery_status?: "waiting" | "sending" | "sent" | "delivered" | "unconfirmed" | "undelivered" | "failed" | "unknown" | "opted_out";
    /** `true`: only texts that could not be sent, or that the carrier reports as undelivered. */
    undelivered?: "true";
};
export type ListEmailsQuery = {
    /** The maximum number of items, 1 to 100. The default is 20. */
    limit?: number;
    /** The ID of the last item on the previous page. The list continues after it. An ID that is not in the list is rejected. */
    starting_after?: string;
    /** Only items created at this time or later: ISO 8601, with `Z` or an offset. */
    created_after?: string;
    /** Only items created before this time. */
    created_before?: string;
    /** Only items of this checkout session. */
    checkout_session_id?: string;
    /** Only emails about the charge with this `charge_id`. */
    charge?: string;
    /** Only emails with this status. */
    status?: "waiting" | "sent" | "failed";
    /** `true`: only emails that should have been sent and were not: those with the status `failed`, without `caller_erased` and `replaced`. */
    undelivered?: "true";
};
export type ListMerchantsQuery = {
    /** The maximum number of items, 1 to 100. The default is 20. */
    limit?: number;
    /** The ID of the last item on the previous page. The list continues after it. An ID that is not in the list is rejected. */
    starting_after?: string;
    /** Only merchants whose `business_name` contains this text, in upper or lower case, or whose `merchant_id` is this text. */
    search?: string;
};
export type RetrieveOrderQuery = {
    /** The merchant whose order source is asked. */
    merchant_id: string;
};
export type ListCardsQuery = {
    /** The maximum number of items, 1 to 100. The default is 20. */
    limit?: number;
    /** The ID of the last item on the previous page. The list continues after it. An ID that is not in the list is rejected. */
    starting_after?: string;
    /** The merchant that would charge the cards. */
    merchant_id: string;
    /** The caller's number, E.164. In a URL, write `+` as `%2B`. */
    caller_phone: string;
};
export type FindCallersQuery = {
    /** The number in E.164 (write `+` as `%2B` in a URL), as dialed in a country of your merchants, or its last 4 to 10 digits. Spaces, dots, dashes, slashes, brackets, invisible characters and an extension are ignored. */
    caller_phone: string;
};
export type ListWebhookEndpointsQuery = {
    /** The maximum number of items, 1 to 100. The default is 20. */
    limit?: number;
    /** The ID of the last item on the previous page. The list continues after it. An ID that is not in the list is rejected. */
    starting_after?: string;
};
export type ListAlertTargetsQuery = {
    /** The maximum number of items, 1 to 100. The default is 20. */
    limit?: number;
    /** The ID of the last item on the previous page. The list continues after it. An ID that is not in the list is rejected. */
    starting_after?: string;
};
export type ListWebhookDeliveriesQuery = {
    /** The maximum number of items, 1 to 100. The default is 20. */
    limit?: number;
    /** The ID of the last item on the previous page. The list continues after it. An ID that is not in the list is rejected. */
    starting_after?: string;
    /** Only deliveries with this status. */
    status?: "waiting" | "delivered" | "failed" | "canceled";
};
export type ListEventsQuery = {
    /** The maximum number of items, 1 to 100. The default is 20. */
    limit?: number;
    /** The ID of the last item on the previous page. The list continues after it. An ID that is not in the list is rejected. */
    starting_after?: string;
    /** Only items created at this time or later: ISO 8601, with `Z` or an offset. */
    created_after?: string;
    /** Only items created before this time. */
    created_before?: string;
    /** Only events of this type. */
    "type"?: "checkout.succeeded" | "checkout.failed" | "checkout.completed" | "checkout.pending" | "checkout.expired" | "charge.captured" | "charge.voided" | "charge.authorization_expired" | "charge.capture_failed" | "charge.returned" | "refund.succeeded" | "refund.failed" | "dispute.created" | "dispute.updated" | "attention.opened" | "attention.closed" | "test";
    /** Only events of this session. */
    checkout_session_id?: string;
    /** Only events with such a delivery: `waiting` for the first attempt, `failing` (waiting for a retry), `delivered`, `failed` (all attempts), or `canceled`. */
    delivery?: "waiting" | "failing" | "delivered" | "failed" | "canceled";
    /** Only events that were sent to this endpoint. With `delivery`, by their delivery to it. */
    webhook_endpoint_id?: string;
};
export type RetrieveEventTotalsQuery = {
    /** Only items created at this time or later: ISO 8601, with `Z` or an offset. */
    created_after?: string;
    /** Only items created before this time. */
    created_before?: string;
    /** Only events of this type. */
    "type"?: "checkout.succeeded" | "checkout.failed" | "checkout.completed" | "checkout.pending" | "checkout.expired" | "charge.captured" | "charge.voided" | "charge.authorization_expired" | "charge.capture_failed" | "charge.returned" | "refund.succeeded" | "refund.failed" | "dispute.created" | "dispute.updated" | "attention.opened" | "attention.closed" | "test";
    /** Only events of this session. */
    checkout_session_id?: string;
    /** Only events with such a delivery: `waiting` for the first attempt, `failing` (waiting for a retry), `delivered`, `failed` (all attempts), or `canceled`. */
    delivery?: "waiting" | "failing" | "delivered" | "failed" | "canceled";
    /** Only events that were sent to this endpoint. With `delivery`, by their delivery to it. */
    webhook_endpoint_id?: string;
};
export type ListAttentionItemsQuery = {
    /** The maximum number of items, 1 to 100. The default is 20. */
    limit?: number;
    /** The ID of the last item on the previous page. The list continues after it. An ID that is not in the list is rejected. */
    starting_after?: string;
    /** `open`, the default: needs attention. `set_aside`: marked as done, or quiet for now. `closed`: the cause is gone; kept for 90 days. */
    status?: "open" | "set_aside" | "closed";
};
export type ListRequestsQuery = {
    /** The maximum number of items, 1 to 100. The default is 20. */
    limit?: number;
    /** The ID of the last item on the previous page. The list continues after it. An ID that is not in the list is rejected. */
    starting_after?: string;
    /** Only items created at this time or later: ISO 8601, with `Z` or an offset. */
    created_after?: string;
    /** Only items created before this time. */
    created_before?: string;
    /** Only requests with this HTTP status in their answer. */
    status?: string;
    /** Only requests that returned an error with this code. */
    code?: "invalid_json" | "missing_required_fields" | "invalid_value" | "invalid_key" | "card_declined" | "instrument_not_authorized" | "consent_missing" | "consent_exceeded" | "session_not_found" | "instrument_not_found" | "not_found" | "processor_mismatch" | "charge_details_mismatch" | "session_expired" | "session_missing_consumer" | "merchant_not_connected" | "merchant_credentials_invalid" | "needs_enrollment" | "processor_unavailable" | "rate_limit" | "charge_not_authorized" | "charge_already_captured" | "charge_already_voided" | "authorization_expired" | "capture_in_progress" | "capture_amount_too_large" | "partial_capture_unsupported" | "capture_refused" | "vendor_not_provisioned" | "merchant_not_found" | "invalid_processor" | "invalid_credentials" | "invalid_payment_policy" | "invalid_payment_policy_amount_cents" | "session_create_failed" | "missing_checkout_session_id" | "order_lookup_failed" | "order_lookup_unsupported" | "missing_instrument_fields" | "card_save_failed" | "invalid_vault" | "key_not_found" | "invalid_environment" | "invalid_url" | "invalid_events" | "invalid_ttl" | "invalid_state_key" | "not_configured" | "internal_error";
    /** Only requests to the path of this operation, as written in this reference: `/v1/charges/{charge_id}`. */
    path?: string;
    /** Only requests with this key. */
    key_id?: string;
};
export type ListAuditEventsQuery = {
    /** The maximum number of items, 1 to 100. The default is 20. */
    limit?: number;
    /** The ID of the last item on the previous page. The list continues after it. An ID that is not in the list is rejected. */
    starting_after?: string;
    /** Only items created at this time or later: ISO 8601, with `Z` or an offset. */
    created_after?: string;
    /** Only items created before this time. */
    created_before?: string;
    /** Only changes to the object with this ID. */
    "object"?: string;
    /** Only this kind of change. */
    action?: "account.created" | "account.changed" | "account.secret_rolled" | "account.texts_near_limit" | "key.created" | "key.rolled" | "key.revoked" | "merchant.created" | "merchant.changed" | "merchant.processor_connected" | "merchant.logo_set" | "merchant.logo_removed" | "merchant.notification_secret_set" | "merchant.notification_secret_removed" | "webhook_endpoint.created" | "webhook_endpoint.changed" | "webhook_endpoint.deleted" | "webhook_endpoint.secret_rolled" | "webhook_endpoint.failures_resent" | "refund.created" | "refund.settled" | "refund.failed_late" | "charge.settled" | "charge.capture_requested" | "charge.void_requested" | "charge.created" | "charge.paid_late" | "charge.returned" | "charge.capture_failed" | "charge.acknowledged" | "call.end_requested" | "user.created" | "user.invited" | "user.role_changed" | "user.merchants_changed" | "user.removed" | "user.credentials_changed" | "user.signed_in" | "user.sign_in_failed" | "user.locked" | "user.signed_out" | "attention_item.done" | "attention_item.quieted" | "attention_item.reopened" | "alert_target.created" | "alert_target.changed" | "alert_target.deleted" | "saved_view.created" | "saved_view.changed" | "saved_view.deleted" | "card.saved" | "card.deleted" | "consumer.note_changed" | "consumer.erased";
};
