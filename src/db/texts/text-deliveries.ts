/** Writes delivery reports to the rows of their texts. */
import type { Sql } from '../pool.ts';

export interface DeliveryReport {
  carrier: 'twilio' | 'telnyx';
  /** Our ID, if the carrier reports it; otherwise the carrier's ID identifies the text. */
  textId: string | null;
  carrierMessageId: string;
  /** `unconfirmed`: the network gives no confirmation. */
  delivery: 'delivered' | 'undelivered' | 'unconfirmed';
  /** The carrier's error code if it was not delivered. */
  code: string | null;
}

/**
 * Our own ID counts only if the carrier's ID does not contradict it, because Telnyx signs bodies, not URLs. A text in
 * doubt becomes `sent`, because the carrier has it. A delivered text stays delivered.
 * @returns the text's ID; null if it is not ours, or nothing changed
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
