/** Error answers of the fake Stripe (docs.stripe.com/api/errors). */
import type { VendorReply } from './fake-vendor-server.ts';

/** A 4xx. */
export class StripeRefusal extends Error {
  readonly reply: VendorReply;
  constructor(status: number, error: Record<string, unknown>) {
    super(String(error.message));
    this.reply = { status, body: { error: { type: 'invalid_request_error', ...error } } };
  }
}

/** Declines with a `code` of their own; the issuer's others are `card_declined` with a `decline_code`. */
const OWN_CODES = ['expired_card', 'incorrect_cvc', 'incorrect_number', 'processing_error'];

export function declineError(declineCode: string): Record<string, unknown> {
  const code = OWN_CODES.includes(declineCode) ? declineCode : 'card_declined';
  return {
    type: 'card_error',
    code,
    // Stripe sends a `decline_code` only with these two codes.
    ...(code === 'card_declined' || code === 'incorrect_cvc' ? { decline_code: declineCode } : {}),
    message: 'Your card was declined.',
    doc_url: `https://docs.stripe.com/error-codes/${code.replaceAll('_', '-')}`,
  };
}
