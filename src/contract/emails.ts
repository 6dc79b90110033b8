/** Receipts by email as REST shows them. */
import { z } from 'zod';
import { EMAIL_KINDS, EMAIL_STATUSES, type ListedEmail, maskedEmail } from '../domain/emails.ts';
import { FIELDS, field } from './fields.ts';

export const EmailResource = z
  .object({
    email_id: field(z.string(), 'The email, `eml_…`.', 'eml_k7r2m9vqx4hdw6znt3cbyj8pe5'),
    kind: field(
      z.enum(EMAIL_KINDS),
      '`receipt`: the payment was taken, or the amount is held. `not_charged`: a pending charge failed. `late_receipt`: a charge that was reported as failed was taken. `debit_returned`: the bank returned a paid bank debit. `not_collected`: the capture of a payment failed after it had succeeded.',
      'receipt',
    ),
    checkout_session_id: FIELDS.checkout_session_id,
    charge_id: FIELDS.charge_id.describe('The charge that the email is about.'),
    recipient: field(
      z.string().nullable(),
      "The recipient's address, masked. Null if the caller was erased.",
      'j…@example.com',
    ),
    status: field(
      z.enum(EMAIL_STATUSES),
      '`waiting`: waiting for the next attempt. `sent`: the mail server has accepted it; in test mode, it was only logged. `failed`: it was not sent.',
      'sent',
    ),
    attempts: field(z.int(), 'The number of attempts to send it.', 1),
    error_code: field(
      z.string().nullable(),
      "Why it was not sent, or why the last attempt failed: the mail server's reply code, the code of the connection's failure, `not_configured`, `caller_erased`, or `replaced` by a later receipt. Otherwise null.",
      null,
    ),
    created_at: FIELDS.created_at,
    settled_at: field(
      z.iso.datetime().nullable(),
      'When the mail server accepted the email, or when the attempts ended. Null before that.',
      '2026-11-20T12:00:01.200Z',
    ),
  })
  .meta({ id: 'Email', description: 'A receipt by email.' });
export type EmailResource = z.infer<typeof EmailResource>;

export function emailResource(email: ListedEmail): EmailResource {
  return {
    email_id: email.id,
    kind: email.kind,
    checkout_session_id: email.sessionId,
    charge_id: email.chargeId,
    recipient: email.recipient === null ? null : maskedEmail(email.recipient),
    status: email.status,
    attempts: email.attempts,
    error_code: email.errorCode,
    created_at: email.createdAt.toISOString(),
    settled_at: email.settledAt?.toISOString() ?? null,
  };
}
