/** Creates checkouts over REST and reads what a call writes to the database. */
import { setTimeout as delay } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import { DEMO_KEY } from '../../src/local/standalone/demo-data.ts';
import type { TestProduct } from './product.ts';

export interface Checkout {
  id: string;
  transferTo: string;
  transferToNumber: string | null;
}

/** Maximum number of retries of a checkout, if the response asks for one. */
const MOST_AGAIN = 30;
const DEFAULTS = { merchant_id: 'mer_demo_diner', amount_cents: 4_250, caller_phone: '+15550101234' };

/**
 * Creates a checkout of the demo diner that requires payment. @param fields of the request that replace the defaults
 */
export async function createCheckout(
  { baseUrl }: Pick<TestProduct, 'baseUrl'>,
  fields: Record<string, unknown> = {},
): Promise<Checkout> {
  const send = () =>
    fetch(`${baseUrl}/v1/create_checkout`, {
      method: 'POST',
      headers: { authorization: `Bearer ${DEMO_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...DEFAULTS, ...fields }),
    });
  let response = await send();
  // On a machine that is busy with other tests, the product asks for retries.
  for (let again = 0; response.status === 503 && again < MOST_AGAIN; again += 1) {
    const retryAfter = response.headers.get('retry-after');
    if (retryAfter === null) break;
    await delay(Number(retryAfter) * 1_000);
    response = await send();
  }
  const text = await response.text();
  if (!response.ok) throw new Error(`create_checkout answered ${response.status}: ${text}`);
  const body = JSON.parse(text) as Record<string, string>;
  return {
    id: body.checkout_session_id ?? '',
    transferTo: body.transfer_to ?? '',
    transferToNumber: body.transfer_to_number ?? null,
  };
}

export interface CallRow {
  id: string;
  instance: string;
  outcome: string | null;
  reason: string | null;
  return_mode: string | null;
  charge_id: string | null;
  media_leg_id: string | null;
  return_sip_call_id: string | null;
  answered_at: Date | null;
  ended_at: Date | null;
  /** Names of the steps in order. */
  steps: string[];
}

interface ChargeRow {
  id: string;
  status: string;
  amount_cents: number;
  decline_code: string | null;
}

type CallsRecord = TestProduct['testDatabase'];

/** The calls of a session so far, oldest first. */
export async function listCalls({ database }: CallsRecord, sessionId: string): Promise<CallRow[]> {
  const { rows } = await database.query<CallRow & { timeline: { step: string }[] }>(
    'select * from calls where session_id = $1 order by started_at',
    [sessionId],
  );
  return rows.map(({ timeline, ...row }) => ({ ...row, steps: timeline.map(({ step }) => step) }));
}

/** The line answered 503 because the database was slow, and the row was closed. Platforms and test callers dial again. */
const wasRefused = ({ answered_at, ended_at, outcome }: CallRow) =>
  answered_at === null && ended_at !== null && outcome === 'failed';

/** Waits for the end of a session's only call, apart from refused ones before it. */
export async function waitForEndedCall(record: CallsRecord, sessionId: string, limitMs = 200_000): Promise<CallRow> {
  return eventually(limitMs, async () => {
    const calls = await listCalls(record, sessionId);
    const last = calls.at(-1);
    const [call, ...others] = calls.filter((each) => each === last || !wasRefused(each));
    expect(others).toEqual([]);
    if (!call?.ended_at) throw new Error(`the call is ${call ? 'not closed' : 'not in the database'}`);
    return call;
  });
}

/** Waits until the charge of an ended call, and so the call's outcome, is settled. */
export async function waitForSettledCall(record: CallsRecord, sessionId: string): Promise<CallRow> {
  return eventually(300_000, async () => {
    const call = await waitForEndedCall(record, sessionId);
    if (call.outcome === 'pending') throw new Error('the outcome of the call is pending');
    return call;
  });
}

/** Waits until a session's latest call is answered. */
export async function waitForAnsweredCall(record: CallsRecord, sessionId: string, limitMs = 180_000): Promise<CallRow> {
  return eventually(limitMs, async () => {
    const call = (await listCalls(record, sessionId)).at(-1);
    if (!call?.answered_at) throw new Error('the call is not answered');
    return call;
  });
}

/** Waits until the timeline of a session's latest call has the step. Steps are written with the next milestone. */
export async function waitForStep(record: CallsRecord, sessionId: string, step: string): Promise<CallRow> {
  return eventually(180_000, async () => {
    const call = (await listCalls(record, sessionId)).at(-1);
    if (!call?.steps.includes(step)) throw new Error(`no step "${step}" in: ${call?.steps.join(', ')}`);
    return call;
  });
}

export async function listCharges({ database }: CallsRecord, sessionId: string): Promise<ChargeRow[]> {
  const { rows } = await database.query<ChargeRow>(
    'select id, status, amount_cents, decline_code from charges where session_id = $1 order by created_at',
    [sessionId],
  );
  return rows;
}

/** Waits until none of the session's charges is pending. */
export async function waitForSettledCharges(
  record: CallsRecord,
  sessionId: string,
  limitMs = 150_000,
): Promise<ChargeRow[]> {
  return eventually(limitMs, async () => {
    const charges = await listCharges(record, sessionId);
    if (charges.some(({ status }) => status === 'pending')) throw new Error('a charge is still pending');
    return charges;
  });
}

export async function readSessionStatus({ database }: CallsRecord, sessionId: string): Promise<string | undefined> {
  const { rows } = await database.query<{ status: string }>('select status from checkout_sessions where id = $1', [
    sessionId,
  ]);
  return rows[0]?.status;
}

/** Calls `attempt` until it does not throw; for conditions that no event announces. */
export async function eventually<T>(limitMs: number, attempt: () => Promise<T>): Promise<T> {
  return vi.waitFor(attempt, { timeout: limitMs, interval: 50 });
}
