/** The processor's notifications about payments: signed, replayed, out of order, for another merchant, and forged. */
import { createHmac } from 'node:crypto';
import { newId } from '../../src/domain/ids.ts';
import type { Random } from '../support/random.ts';
import { ask, type SystemRun } from './run.ts';

const MERCHANT = 'mer_demo_diner';
const OTHER_MERCHANT = 'mer_demo_market';
const SECRET = 'the-secret-of-the-diner';
const OTHER_SECRET = 'the-secret-of-the-market';
/** Far older than a notification may be. */
const STALE_SECONDS = 3_600;

/** Gives two merchants their secrets. */
export async function connectNotifications(run: SystemRun): Promise<void> {
  for (const [merchant, notification_secret] of [
    [MERCHANT, SECRET],
    [OTHER_MERCHANT, OTHER_SECRET],
  ]) {
    await ask(run, `/v1/merchants/${merchant}/processor/notification_secret`, { notification_secret });
  }
}

interface Notification {
  merchant: string;
  secret: string;
  ageSeconds: number;
  body: string;
}

/** Sends some about a recent payment, and one that must be rejected. */
export async function notifyProcessor(run: SystemRun, random: Random): Promise<void> {
  const { rows } = await run.database.query<{ paymentId: string }>(
    `select payment_id as "paymentId" from sandbox_payments order by created_at desc limit 10`,
  );
  const payment = rows[random.below(rows.length)];
  if (payment === undefined) return;
  const ids = [newId('Request'), newId('Request')];
  const types = random.oneIn(2) ? ['refund.updated', 'payment.updated'] : ['payment.updated', 'refund.updated'];
  const bodies = ids.map((id, at) => JSON.stringify({ id, type: types[at], payment_id: payment.paymentId }));
  const [first = '', second = ''] = bodies;
  const genuine = { merchant: MERCHANT, secret: SECRET, ageSeconds: 0 };
  // The second one may overtake the first, and the first comes again.
  await Promise.all([deliver(run, { ...genuine, body: second }), deliver(run, { ...genuine, body: first })]);
  await deliver(run, { ...genuine, body: first });
  const bad = random.pick([
    { ...genuine, secret: OTHER_SECRET },
    { ...genuine, ageSeconds: STALE_SECONDS },
    { ...genuine, merchant: OTHER_MERCHANT },
  ]);
  if (random.oneIn(2)) await deliverForged(run, { ...bad, body: first });
}

/** Too many, or the database is away. */
const AGAIN = [429, 500, 503];

/** Until it is accepted, as processors do. */
async function deliver(run: SystemRun, notification: Notification): Promise<void> {
  const status = await send(run, notification);
  if (status === null || AGAIN.includes(status)) return deliver(run, notification);
  if (status !== 200) run.unexpected.push(`a genuine notification was answered with ${status}`);
}

async function deliverForged(run: SystemRun, notification: Notification): Promise<void> {
  const status = await send(run, notification);
  if (status !== null && status !== 401 && !AGAIN.includes(status)) {
    run.unexpected.push(`a forged notification was answered with ${status}`);
  }
}

/** @returns null without an answer */
async function send(
  { baseUrl }: SystemRun,
  { merchant, secret, ageSeconds, body }: Notification,
): Promise<number | null> {
  const time = Math.floor(Date.now() / 1_000) - ageSeconds;
  const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
  try {
    const response = await fetch(`${baseUrl}/hooks/processors/sandbox/${merchant}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sandbox-signature': `t=${time},v1=${signature}` },
      body,
    });
    await response.text();
    return response.status;
  } catch {
    return null;
  }
}
