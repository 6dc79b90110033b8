/** The public error codes as specified. Tests compare the error catalogue and the API's answers with them. */

interface TableRow {
  status: number;
  code: string;
  audience: 'developer' | 'caller';
  /** Null if the specification leaves it open. */
  type: string | null;
  advice: string | null;
  /** Undefined if the specification leaves it open. */
  action: string | null | undefined;
}

/** Codes of the charge operation and of routing: status, code, type, audience, advice, action. */
const INTERFACE_TABLE = `
| 400 | invalid_json | invalid_request_error | developer | do_not_try_again | null |
| 400 | missing_required_fields | invalid_request_error | developer | do_not_try_again | null |
| 400 | invalid_value | invalid_request_error | developer | do_not_try_again | null |
| 401 | invalid_key | authentication_error | developer | do_not_try_again | null |
| 402 | card_declined | card_error | caller | try_again_later | offer_different_card |
| 403 | instrument_not_authorized | permission_error | developer | do_not_try_again | null |
| 404 | session_not_found | invalid_request_error | developer | do_not_try_again | null |
| 404 | instrument_not_found | invalid_request_error | caller | do_not_try_again | offer_different_card |
| 404 | not_found | invalid_request_error | developer | do_not_try_again | null |
| 409 | processor_mismatch | invalid_request_error | caller | do_not_try_again | send_link |
| 409 | charge_details_mismatch | idempotency_error | developer | do_not_try_again | null |
| 410 | session_expired | invalid_request_error | developer | do_not_try_again | null |
| 422 | session_missing_consumer | invalid_request_error | developer | do_not_try_again | null |
| 422 | merchant_not_connected | invalid_request_error | developer | do_not_try_again | null |
| 422 | merchant_credentials_invalid | processor_error | caller | do_not_try_again | null |
| 422 | needs_enrollment | invalid_request_error | caller | do_not_try_again | send_link |
| 424 | processor_unavailable | processor_error | caller | try_again_later | null |
| 429 | rate_limit | rate_limit_error | caller | try_again_later | null |
`;

/** Other codes: status, code, audience. Type and advice are not specified. */
const OTHER_TABLE = `
| 403 | consent_missing | developer |
| 403 | consent_exceeded | developer |
| 409 | charge_not_authorized | developer |
| 409 | charge_already_captured | developer |
| 409 | charge_already_voided | developer |
| 409 | authorization_expired | developer |
| 409 | capture_in_progress | developer |
| 400 | capture_amount_too_large | developer |
| 422 | partial_capture_unsupported | developer |
| 422 | capture_refused | developer |
| 422 | vendor_not_provisioned | developer |
| 404 | merchant_not_found | developer |
| 400 | invalid_processor | developer |
| 422 | invalid_credentials | developer |
| 400 | invalid_payment_policy | developer |
| 400 | invalid_payment_policy_amount_cents | developer |
| 500 | session_create_failed | developer |
| 400 | missing_checkout_session_id | developer |
| 424 | order_lookup_failed | caller |
| 422 | order_lookup_unsupported | developer |
| 400 | missing_instrument_fields | developer |
| 422 | card_save_failed | caller |
| 400 | invalid_vault | developer |
| 404 | key_not_found | developer |
| 400 | invalid_environment | developer |
| 400 | invalid_url | developer |
| 400 | invalid_events | developer |
| 400 | invalid_ttl | developer |
| 400 | invalid_state_key | developer |
| 422 | not_configured | developer |
| 500 | internal_error | developer |
`;

function cells(table: string): string[][] {
  const lines = table.trim().split('\n');
  return lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

export const ERROR_TABLE: readonly TableRow[] = [
  ...cells(INTERFACE_TABLE).map(([status, code = '', type = '', audience, advice = '', action = '']) => ({
    status: Number(status),
    code,
    type,
    audience: audience as TableRow['audience'],
    advice,
    action: action === 'null' ? null : action,
  })),
  ...cells(OTHER_TABLE).map(([status, code = '', audience]) => ({
    status: Number(status),
    code,
    type: null,
    audience: audience as TableRow['audience'],
    advice: null,
    action: audience === 'developer' ? null : undefined,
  })),
];
