/** Compares what callers and agents were told with the database, the processor's records and the webhooks. */
import type { Sql } from '../../../src/db/pool.ts';
import { auditCharges, auditNotifications } from '../../chaos/charge-audit.ts';
import type { WebhookReceiver } from '../../chaos/webhook-receiver.ts';
import type { Announcement, CallRecord } from './caller.ts';

/** Longer silences count as wrong. */
export const MAX_SILENCE_MS = 10_000;

interface PaidCharge {
  sessionId: string;
  /** Milliseconds since 1970. */
  createdAt: number;
}

/** Every contradiction, in words. Call it when all charges are settled and everything is delivered. */
export async function audit(sql: Sql, stories: readonly CallRecord[], webhooks: WebhookReceiver): Promise<string[]> {
  const { rows } = await sql.query<PaidCharge>(
    `select session_id as "sessionId", extract(epoch from created_at)::double precision * 1000 as "createdAt"
       from charges where status = 'succeeded'`,
  );
  const paid = new Map(rows.map((charge) => [charge.sessionId, charge]));
  return [
    ...(await auditCharges(sql)),
    ...(await auditNotifications(sql, webhooks.received)),
    ...webhooks.unexpected,
    ...stories.flatMap((record) => wrongIn(record, paid.get(record.sessionId) ?? null)),
  ];
}

/** What was said, and is not so. */
export function falseAnnouncements(announced: readonly Announcement[], charge: PaidCharge | null): string[] {
  const wrong: string[] = [];
  for (const { at, by, what, text } of announced) {
    if (what === 'paid' && charge === null) wrong.push(`${by}: "${text}", and nothing was paid`);
    if (what === 'nothing charged' && charge !== null && charge.createdAt < at) {
      wrong.push(`${by}: "${text}", after the card was charged`);
    }
  }
  return wrong;
}

function wrongIn({ sessionId, announced, silence, calls }: CallRecord, charge: PaidCharge | null): string[] {
  const wrong = falseAnnouncements(announced, charge);
  if (charge === null && announced.at(-1)?.what !== 'unsure') wrong.push('not paid');
  if (silence.ms > MAX_SILENCE_MS)
    wrong.push(`silence of ${(silence.ms / 1_000).toFixed(1)} s from ${new Date(silence.from).toISOString()}`);
  return wrong.map((what) => `${sessionId}: ${what} (calls: ${calls.join(', ')})`);
}
