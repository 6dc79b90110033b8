/** Verifies deliveries of events (Standard Webhooks). */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { SignatureVerificationError } from './errors.ts';
import type { CallEvent, Event } from './generated/types.ts';
import { type GivenHeaders, headerReader, isRecent } from './headers.ts';

export interface WebhookRequest {
  /** The raw body, before any JSON parser. */
  body: string | Uint8Array;
  /** Of Node.js, Express, Fastify or `fetch`. */
  headers: GivenHeaders;
  /** Of the endpoint: `whsec_…`. */
  secret: string;
  /** For tests. */
  now?: Date;
}

/**
 * The event of a delivery.
 * @throws SignatureVerificationError if it is not from Ringkey, or older than five minutes
 */
export function verifyWebhook({ body, headers, secret, now = new Date() }: WebhookRequest): Event | CallEvent {
  const header = headerReader(headers);
  const timestamp = header('webhook-timestamp');
  if (!isRecent(timestamp, now)) throw new SignatureVerificationError('The webhook is too old, or has no time.');
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  if (key.length === 0) throw new TypeError('secret must be the signing secret of the endpoint.');
  const bytes = Buffer.from(body as string);
  const expected = createHmac('sha256', key)
    .update(`${header('webhook-id')}.${timestamp}.`)
    .update(bytes)
    .digest();
  const isSigned = header('webhook-signature')
    .split(' ')
    .some((each) => isSame(each, expected));
  if (!isSigned) throw new SignatureVerificationError('The webhook has no valid signature.');
  return JSON.parse(bytes.toString('utf8')) as Event | CallEvent;
}

function isSame(signature: string, expected: Buffer): boolean {
  const value = Buffer.from(/^v1,(.+)$/.exec(signature)?.[1] ?? '', 'base64');
  return value.length === expected.length && timingSafeEqual(value, expected);
}
