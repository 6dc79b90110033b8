/** The end of a run: everything pending becomes due at once, and the service works it off. */
import { Queue } from 'bullmq';
import { expect } from 'vitest';
import type { Sql } from '../../src/db/pool.ts';
import {
  agePendingCharges,
  countPendingChanges,
  countPendingCharges,
  countUndelivered,
  releaseClaims,
} from '../chaos/charge-audit.ts';
import { agePendingRefunds, countPendingRefunds } from '../chaos/refund-audit.ts';
import { eventually } from '../support/checkouts.ts';

const LIMIT_MS = 600_000;

/** Only while no process of the service is running. */
export async function makeEverythingDue(sql: Sql): Promise<void> {
  await agePendingCharges(sql);
  await agePendingRefunds(sql);
  await sql.query(`update checkout_sessions set expires_at = now() where status = 'open'`);
  await sql.query(`update sandbox_disputes set opens_at = least(opens_at, now()),
                          decided_at = case when is_answered then least(decided_at, now()) else decided_at end`);
  // Decisions of disputes that wait for evidence are a week away.
  await sql.query(
    `update processor_notifications set due_at = now() where due_at between now() and now() + interval '1 hour'`,
  );
  await sql.query(`update webhook_endpoints set failures = 0, paused_until = '-infinity'`);
  await sql.query(`update webhook_deliveries set next_attempt_at = now() where status = 'waiting'`);
  await releaseClaims(sql);
}

/** Things that are still to be done, by name. */
const OPEN: Record<string, string> = {
  'calls in progress': `select id from calls where ended_at is null`,
  // Each start of the demo creates a checkout to look at.
  'open sessions': `select id from checkout_sessions where status = 'open' and expires_at <= now()`,
  'notifications of the processor': `select id from processor_notifications where due_at <= now()`,
  emails: `select id from emails where status in ('waiting', 'sending')`,
  'events that are not relayed': `select id from events where relayed_at is null`,
};

/** Waits until nothing is pending, in progress or queued. */
export async function waitUntilSettled(sql: Sql, redisUrl: string): Promise<void> {
  await eventually(LIMIT_MS, async () => {
    const open = [
      ['charges', await countPendingCharges(sql)],
      ['captures and voids', await countPendingChanges(sql)],
      ['refunds', await countPendingRefunds(sql)],
      ['events, deliveries and texts', await countUndelivered(sql)],
    ] as [string, number][];
    for (const [name, query] of Object.entries(OPEN)) open.push([name, (await sql.query(query)).rowCount ?? 0]);
    expect(open.filter(([, count]) => count > 0)).toEqual([]);
  });
  for (const name of ['{ringkey-texts}', '{ringkey-webhooks}']) {
    const queue = new Queue(name, { connection: { url: redisUrl } });
    try {
      await eventually(LIMIT_MS, async () => {
        const counts = Object.entries(await queue.getJobCounts()).filter(([, count]) => count > 0);
        expect(counts).toEqual([]);
      });
    } finally {
      await queue.close();
    }
  }
}
