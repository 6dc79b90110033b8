/**
 * Telnyx' webhooks for an incoming message and for the delivery status of ours
 * (https://developers.telnyx.com/docs/messaging/messages/receiving-webhooks).
 */
import { createPublicKey, verify } from 'node:crypto';
import { z } from 'zod';
import type { DeliveryReport } from '../../../db/texts/texts.ts';
import type { Reply } from '../incoming.ts';

/** Timestamps further away may be replays. */
const TOLERANCE_SECONDS = 300;
/** Prefix that turns a raw Ed25519 key into SubjectPublicKeyInfo, RFC 8410. */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/**
 * Whether Telnyx sent it recently: Ed25519 over `<timestamp>|<body>`. @param publicKey base64 of 32 bytes
 */
export function isFromTelnyx(
  publicKey: string,
  body: Buffer,
  headers: { timestamp: string | undefined; signature: string | undefined },
  now: Date,
): boolean {
  const { timestamp = '', signature = '' } = headers;
  if (!/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(now.getTime() / 1_000 - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  const der = Buffer.concat([SPKI_PREFIX, Buffer.from(publicKey, 'base64')]);
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  return verify(null, Buffer.concat([Buffer.from(`${timestamp}|`), body]), key, Buffer.from(signature, 'base64'));
}

const Incoming = z.object({
  data: z.object({
    event_type: z.literal('message.received'),
    payload: z.object({ from: z.object({ phone_number: z.string() }), text: z.string() }),
  }),
});

/** Null for another event. */
export function telnyxReply(json: unknown): Reply | null {
  const { data } = Incoming.safeParse(json);
  return data === undefined ? null : { from: data.data.payload.from.phone_number, body: data.data.payload.text };
}

const DELIVERIES = {
  delivered: 'delivered',
  delivery_failed: 'undelivered',
  sending_failed: 'undelivered',
  delivery_unconfirmed: 'unconfirmed',
} as const;

const Finalized = z.object({
  data: z.object({
    event_type: z.literal('message.finalized'),
    payload: z.object({
      id: z.string(),
      to: z.array(z.object({ status: z.enum(Object.keys(DELIVERIES) as (keyof typeof DELIVERIES)[]) })).min(1),
      errors: z.array(z.object({ code: z.coerce.string() })).default([]),
    }),
  }),
});

/** Null for another event. @param textId ours, from the URL */
export function telnyxDelivery(json: unknown, textId: string | null): DeliveryReport | null {
  const { data } = Finalized.safeParse(json);
  const [recipient] = data?.data.payload.to ?? [];
  if (data === undefined || recipient === undefined) return null;
  const { id: carrierMessageId, errors } = data.data.payload;
  const delivery = DELIVERIES[recipient.status];
  return { carrier: 'telnyx', textId, carrierMessageId, delivery, code: errors[0]?.code ?? null };
}
