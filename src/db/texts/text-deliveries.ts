/** Delivery reports of texts, written to their rows. */
import type { Sql } from '../pool.ts';

export interface DeliveryReport {
  carrier: 'twilio' | 'telnyx';
  /** Ours, where the carrier says it; else the carrier's own id has to do. */
  textId: string | null;
  carrierMessageId: string;
  /** `unconfirmed`: the network does not say. */
  delivery: 'delivered' | 'undelivered' | 'unconfirmed';
  /** The carrier's code of why it was not. */
  code: string | null;
}

/**
 * Our own id counts only where the carrier's id does not contradict it: Telnyx signs bodies, not URLs. A text in doubt
 * is `sent` by this, because the carrier has it. What is delivered stays so.
 * @returns the text's id; null for none of ours, or no news
 */
export async function recordDelivery(sql: Sql, report: DeliveryReport): Promise<string | null> {
  const { rows } = await sql.query<{ id: string }>(
    `update texts
        set delivery = $4, delivery_code = $5, delivery_at = now(), carrier = $1,
            carrier_message_id = coalesce(carrier_message_id, $2),
            status = case when status in ('sending', 'unknown') then 'sent' else status end,
            settled_at = coalesce(settled_at, now())
      where case when $3::text is null then carrier_message_id = $2 and carrier = $1
                 else id = $3 and coalesce(carrier_message_id, $2) = $2 end
        and (delivery is null or delivery <> 'delivered' and delivery <> $4)
      returning id`,
    [report.carrier, report.carrierMessageId, report.textId, report.delivery, report.code],
  );
  return rows[0]?.id ?? null;
}
