/** Creates objects of the demo account for dashboard tests, over REST if possible. */
import type { CallStage } from '../../src/domain/call.ts';
import { type CallId, type CheckoutSessionId, type MerchantId, newId } from '../../src/domain/ids.ts';
import { DEMO_ACCOUNT, DEMO_DINER } from '../../src/local/standalone/demo-data.ts';
import { relayBatch } from '../../src/notifications/outbox/relay.ts';
import { createCharge } from '../contract/refunds-api.ts';
import type { TestApi } from '../contract/test-api.ts';
import { insertEndedCall } from '../support/ended-call.ts';
import { giveUp } from '../support/seed-payments.ts';

interface PaidCharge {
  charge: string;
  session: string;
}

/** A charge of $40.00 to the demo's saved Visa. @param order the checkout's order ID, set without asking an order source */
export async function paidCharge(api: TestApi, order: string | null = null): Promise<PaidCharge> {
  const { checkout_session_id: session } = await api.checkout({
    merchant_id: DEMO_DINER,
    amount_cents: 4_000,
    caller_phone: '+15550101234',
    allow_repeat: true,
    metadata: { table: '7' },
  });
  await api.database.query('update checkout_sessions set order_id = $2 where id = $1', [session, order]);
  const { status, text, body } = await api.post('/v1/charge', {
    checkout_session_id: session,
    instrument_id: 'card_demo_visa',
  });
  if (status !== 200) throw new Error(`charge answered ${status}: ${text}`);
  return { charge: String(body.charge_id), session };
}

/** A pending charge of $40.00 that the resolver has given up. */
export async function unsettledCharge(api: TestApi): Promise<PaidCharge> {
  const { id: charge, session } = await createCharge(api, 'hangs_taken');
  await giveUp(api.database, charge);
  return { charge, session };
}

/** A pending refund of $10.00, of a charge of $40.00, that the resolver has given up. */
export async function unsettledRefund(api: TestApi): Promise<{ charge: string; refund: string }> {
  const { id: charge } = await createCharge(api, 'refund_hangs');
  await api.post('/v1/refunds', { charge, amount_cents: 1_000 });
  const { body } = await api.get(`/v1/refunds?charge=${charge}`);
  const refund = (body.refunds as { refund_id: string }[])[0]?.refund_id ?? '';
  await giveUp(api.database, refund);
  return { charge, refund };
}

/** An endpoint's response. Without a status code, `failure` says why there was none. */
type WebhookAnswer = { url: string; status_code: number | null; failure: string | null };

/** Creates endpoints, and deliveries of all events so far with these responses. @returns the IDs of the endpoints */
export async function deliveredEvents(api: TestApi, answers: readonly WebhookAnswer[]): Promise<string[]> {
  const ids: string[] = [];
  for (const { url } of answers) {
    const { body } = await api.post('/v1/webhook_endpoints', { url, events: ['checkout.succeeded'] });
    ids.push(String(body.webhook_endpoint_id));
  }
  while ((await relayBatch({ database: api.database, docsUrl: 'https://docs.example.com' })).more);
  for (const [at, { status_code, failure }] of answers.entries()) {
    await api.database.query(
      `update webhook_deliveries set status = $2, attempts = 1, attempted_at = now(), latency_ms = 84, status_code = $3,
              answer = $4, failure = $5 where endpoint_id = $1`,
      [ids[at], failure === null ? 'delivered' : 'waiting', status_code, status_code === null ? null : 'ok', failure],
    );
    await api.database.query(
      `insert into webhook_attempts (event_id, endpoint_id, attempt, sent_at, signature, latency_ms, status_code, answer,
                                     failure)
       select event_id, endpoint_id, attempts, attempted_at, 'v1,SGVsbG8=', latency_ms, status_code, answer, failure
         from webhook_deliveries where endpoint_id = $1`,
      [ids[at]],
    );
  }
  return ids;
}

/** An ended call of the session that succeeded. @param session null: the caller never chose a payment */
export function endedCall({ database }: TestApi, session: string | null): Promise<string> {
  const of = { accountId: DEMO_ACCOUNT, mode: 'test', sessionId: session as CheckoutSessionId | null } as const;
  return insertEndedCall(database, { ...of, ...(session !== null && { merchantId: DEMO_DINER as MerchantId }) });
}

/** A live call of the session at this stage. */
export async function liveCall(
  { database }: Pick<TestApi, 'database'>,
  session: string,
  stage: CallStage | null,
): Promise<CallId> {
  const id = newId('Call');
  await database.query(
    `insert into calls (id, account_id, mode, session_id, instance, lease_id, sip_call_id, source_address, sip_dialogs, stage)
     values ($1, $2, 'test', $3, 'test', 1, 'x', '127.0.0.1', '{}', $4)`,
    [id, DEMO_ACCOUNT, session, stage],
  );
  return id;
}
