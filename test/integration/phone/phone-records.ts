/** The rows of phone tests: the session that a call is for, and the call. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Sql } from '../../../src/db/pool.ts';
import type { NewSession } from '../../../src/db/sessions/sessions.ts';
import type { StoredStep } from '../../../src/domain/call.ts';
import { type CheckoutSessionId, parseId } from '../../../src/domain/ids.ts';
import { DEMO_ACCOUNT } from '../../../src/local/standalone/demo-data.ts';

/** A session of the demo's diner, to be paid by phone. */
export function sessionToPay(id: CheckoutSessionId, transferToken: string | null): NewSession {
  return {
    id,
    accountId: DEMO_ACCOUNT,
    mode: 'test',
    merchantId: parseId('Merchant', 'mer_demo_diner'),
    consumerId: null,
    verdict: 'required',
    amount: { amountCents: 4_250, currency: 'USD' },
    amountSource: 'request',
    callerPhone: '+15550101234',
    orderId: `order_${id}`,
    platformCallId: 'CA1',
    returnTo: null,
    successMessage: null,
    failureMessage: null,
    lineItems: [],
    metadata: {},
    transferToken,
    ttlSeconds: 600,
  };
}

export interface CallRow {
  outcome: string | null;
  reason: string | null;
  charge_id: string | null;
  return_mode: string | null;
  return_sip_call_id: string | null;
  media_leg_id: string | null;
  answered_at: Date | null;
  ended_at: Date | null;
  timeline: StoredStep[];
}

/** The steps of a call's timeline, in order. */
export function stepsOf({ timeline }: CallRow): string[] {
  return timeline.map(({ step }) => step);
}

/** All texts of a call's timeline as JSON. Without its times, which can look like the end of a card number. */
export function timelineTexts({ timeline }: CallRow): string {
  return JSON.stringify(timeline, (_, value: unknown) => (typeof value === 'number' ? null : value));
}

/** The session's newest call. */
export async function readCall(sql: Sql, id: CheckoutSessionId): Promise<CallRow | undefined> {
  const { rows } = await sql.query<CallRow>(
    'select * from calls where session_id = $1 order by started_at desc limit 1',
    [id],
  );
  return rows[0];
}

const LOOK_AGAIN_MS = 20;

/** The session's newest call, once its end is written. */
export async function readEndedCall(sql: Sql, id: CheckoutSessionId): Promise<CallRow> {
  for (;;) {
    const row = await readCall(sql, id);
    if (row?.ended_at) return row;
    await delay(LOOK_AGAIN_MS);
  }
}
