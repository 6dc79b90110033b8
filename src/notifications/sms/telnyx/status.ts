/** Telnyx' delivery status (https://developers.telnyx.com/docs/messaging/messages/receiving-webhooks). */
import { z } from 'zod';
import type { DeliveryReport } from '../../../db/texts/text-deliveries.ts';

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
