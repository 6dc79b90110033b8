/** Every operation with an ID: does not find objects of other accounts, and rejects those of the other mode. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { issueKey } from '../../src/accounts/keys/manage.ts';
import type { ErrorCode } from '../../src/contract/error-catalogue.ts';
import { insertAccount } from '../../src/db/keys/accounts.ts';
import { SYSTEM } from '../../src/domain/audit.ts';
import { type AccountId, newId, parseId } from '../../src/domain/ids.ts';
import { eventually } from '../support/checkouts.ts';
import { openDispute } from '../support/disputes.ts';
import { insertEndedCall } from '../support/ended-call.ts';
import { payOut } from '../support/payouts.ts';
import { bearer, CALLER, expectError } from './fixtures.ts';
import { type Answer, startTestApi, type TestApi } from './test-api.ts';

let api: TestApi;
/** `test` and `live` are keys of one account, whose objects are in test mode. */
let account: AccountId;
let keys: { test: string; live: string; others: string };
/** By the names that {@link CROSSINGS} uses. */
const ids: Record<string, string> = {};

beforeAll(async () => {
  api = await startTestApi({ logsRequests: true });
  const [own, other] = [newId('Account'), newId('Account')];
  account = own;
  for (const id of [own, other]) await insertAccount(api.database, { id, name: 'Test account' });
  const keyOf = async (accountId: typeof own, mode: 'test' | 'live') =>
    (await issueKey(api.database, SYSTEM, { accountId, mode })).text;
  keys = { test: await keyOf(own, 'test'), live: await keyOf(own, 'live'), others: await keyOf(other, 'test') };
  await provision();
});
afterAll(() => api.close());

async function made(path: string, body: object, field: string): Promise<string> {
  const answer = await api.post(path, body, bearer(keys.test));
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.text}`);
  return String(answer.body[field]);
}

/** Creates one object of each kind. */
async function provision(): Promise<void> {
  ids.merchant = await made('/v1/merchants', { business_name: 'Shop', slug: 'shop' }, 'merchant_id');
  await made(`/v1/merchants/${ids.merchant}/processor`, { processor: 'sandbox' }, 'merchant_id');
  const card = { merchant_id: ids.merchant, caller_phone: CALLER, token: 'tok_visa' };
  ids.card = await made('/v1/cards', card, 'instrument_id');
  const { body: known } = await api.post('/v1/identify', { caller_phone: CALLER }, bearer(keys.test));
  ids.consumer = (known.consumer as { id: string }).id;
  const checkout = { merchant_id: ids.merchant, caller_phone: CALLER, amount_cents: 700 };
  ids.session = await made('/v1/create_checkout', checkout, 'checkout_session_id');
  const chosen = { checkout_session_id: ids.session, instrument_id: ids.card };
  ids.charge = await made('/v1/charge', chosen, 'charge_id');
  const [sessionId, merchantId] = [parseId('CheckoutSession', ids.session), parseId('Merchant', ids.merchant)];
  if (sessionId === null || merchantId === null) throw new Error('the fixtures have no session');
  ids.call = await insertEndedCall(api.database, { accountId: account, mode: 'test', sessionId, merchantId });
  ids.refund = await made('/v1/refunds', { charge: ids.charge, amount_cents: 100 }, 'refund_id');
  await openDispute(api.database, ids.charge);
  const disputed = await api.get('/v1/disputes', bearer(keys.test));
  await payOut(api.database, ids.charge);
  const paidOut = await api.get('/v1/payouts', bearer(keys.test));
  ids.payout = String((paidOut.body.payouts as { payout_id: string }[])[0]?.payout_id);
  ids.dispute = String((disputed.body.disputes as { dispute_id: string }[])[0]?.dispute_id);
  const hook = { url: 'https://hooks.example.com/', events: ['checkout.completed'] };
  ids.alert = await made('/v1/alert_targets', { email: 'ops@example.com' }, 'alert_target_id');
  ids.endpoint = await made('/v1/webhook_endpoints', hook, 'webhook_endpoint_id');
  ids.key = await made('/v1/keys', {}, 'key_id');
  const { body } = await api.get('/v1/events?limit=1', bearer(keys.test));
  ids.request = await eventually(120_000, async () => {
    await api.requestLog.flush();
    const listed = await api.get('/v1/requests?limit=1', bearer(keys.test));
    const [request] = listed.body.requests as { request_id: string }[];
    if (request === undefined) throw new Error('no request is logged yet');
    return request.request_id;
  });
  // A key that soon expires needs attention.
  await api.database.query(
    `insert into keys (id, account_id, mode, key_hash, prefix, created_at, expires_at, issued_until)
     values ('key_ending', $1, 'test', '', 'rk_test_', now() - interval '1 year', date_trunc('day', now()) + interval '2 days', date_trunc('day', now()) + interval '2 days')`,
    [account],
  );
  const items = await api.get('/v1/attention_items', bearer(keys.test));
  ids.item = String((items.body.attention_items as { attention_item_id: string }[])[0]?.attention_item_id);
  ids.event = String((body.events as { id: string }[])[0]?.id);
}

/**
 * Operation, method, path, body, and the error for a key of another account. For a key of the other mode, the error is
 * `invalid_key` or the last entry.
 */
type Crossing = [string, string, string, object | undefined, ErrorCode, ErrorCode?];

const ALONE = { initiator: 'merchant', amount_cents: 100, order_id: 'fee_1' };
const NEW_HOOK = { url: 'https://other.example.com/' };
const CROSSINGS: Crossing[] = [
  [
    'create_checkout',
    'POST',
    '/v1/create_checkout',
    { merchant_id: '$merchant', amount_cents: 1 },
    'merchant_not_found',
  ],
  ['retrieve_checkout_session', 'GET', '/v1/checkout_sessions/$session', undefined, 'session_not_found'],
  [
    'charge',

    'POST',
    '/v1/charge',
    { checkout_session_id: '$session', instrument_id: '$card' },
    'session_not_found',
  ],
  ['send_link', 'POST', '/v1/send_link', { checkout_session_id: '$session' }, 'session_not_found'],
  ['list_checkout_sessions', 'GET', '/v1/checkout_sessions?merchant_id=$merchant', undefined, 'merchant_not_found'],
  [
    'retrieve_checkout_session_totals',
    'GET',
    '/v1/checkout_sessions/totals?merchant_id=$merchant',
    undefined,
    'merchant_not_found',
  ],
  ['stream_session_events', 'GET', '/v1/checkout_sessions/$session/events', undefined, 'session_not_found'],
  ['list_calls', 'GET', '/v1/calls?checkout_session_id=$session', undefined, 'session_not_found'],
  ['retrieve_call_totals', 'GET', '/v1/calls/totals?checkout_session_id=$session', undefined, 'session_not_found'],
  ['retrieve_call', 'GET', '/v1/calls/$call', undefined, 'not_found'],
  ['end_call', 'POST', '/v1/calls/$call/end', undefined, 'not_found'],
  ['retrieve_charge_totals', 'GET', '/v1/charges/totals?merchant_id=$merchant', undefined, 'merchant_not_found'],
  ['list_charges', 'GET', '/v1/charges?merchant_id=$merchant', undefined, 'merchant_not_found'],
  [
    'create_charge',
    'POST',
    '/v1/charges',
    { ...ALONE, merchant_id: '$merchant', instrument_id: '$card' },
    'merchant_not_found',
  ],
  ['retrieve_month_report', 'GET', '/v1/reports/month?merchant_id=$merchant', undefined, 'merchant_not_found'],
  ['retrieve_statistics', 'GET', '/v1/statistics?merchant_id=$merchant', undefined, 'merchant_not_found'],
  ['retrieve_charge', 'GET', '/v1/charges/$charge', undefined, 'not_found'],
  ['list_texts', 'GET', '/v1/texts?charge=$charge', undefined, 'not_found'],
  ['retrieve_text_totals', 'GET', '/v1/texts/totals?charge=$charge', undefined, 'not_found'],
  ['list_emails', 'GET', '/v1/emails?charge=$charge', undefined, 'not_found'],
  ['create_refund', 'POST', '/v1/refunds', { charge: '$charge' }, 'not_found'],
  [
    'list_attention_items',
    'GET',
    '/v1/attention_items?starting_after=$item',
    undefined,
    'invalid_value',
    'invalid_value',
  ],
  ['capture_charge', 'POST', '/v1/charges/$charge/capture', {}, 'not_found'],
  ['void_charge', 'POST', '/v1/charges/$charge/void', {}, 'not_found'],
  ['acknowledge_charge', 'POST', '/v1/charges/$charge/acknowledge', undefined, 'not_found'],
  ['finish_attention_item', 'POST', '/v1/attention_items/$item/finish', undefined, 'not_found', 'not_found'],
  ['quiet_attention_item', 'POST', '/v1/attention_items/$item/quiet', { hours: 1 }, 'not_found', 'not_found'],
  ['reopen_attention_item', 'POST', '/v1/attention_items/$item/reopen', undefined, 'not_found', 'not_found'],
  ['settle_charge', 'POST', '/v1/charges/$charge/settle', { outcome: 'not_received' }, 'not_found'],
  ['settle_refund', 'POST', '/v1/refunds/$refund/settle', { outcome: 'not_received' }, 'not_found'],
  ['list_disputes', 'GET', '/v1/disputes?charge=$charge', undefined, 'not_found'],
  ['retrieve_dispute_totals', 'GET', '/v1/disputes/totals?charge=$charge', undefined, 'not_found'],
  ['retrieve_dispute', 'GET', '/v1/disputes/$dispute', undefined, 'not_found'],
  ['list_payouts', 'GET', '/v1/payouts?merchant_id=$merchant', undefined, 'merchant_not_found'],
  ['retrieve_payout_totals', 'GET', '/v1/payouts/totals?merchant_id=$merchant', undefined, 'merchant_not_found'],
  ['retrieve_payout', 'GET', '/v1/payouts/$payout', undefined, 'not_found'],
  ['list_payout_entries', 'GET', '/v1/payout_entries?payout=$payout', undefined, 'not_found'],
  ['retrieve_payout_entry_totals', 'GET', '/v1/payout_entries/totals?payout=$payout', undefined, 'not_found'],
  ['retrieve_refund_totals', 'GET', '/v1/refunds/totals?charge=$charge', undefined, 'not_found'],
  ['list_refunds', 'GET', '/v1/refunds?charge=$charge', undefined, 'not_found'],
  ['retrieve_refund', 'GET', '/v1/refunds/$refund', undefined, 'not_found'],
  ['retrieve_merchant', 'GET', '/v1/merchants/$merchant', undefined, 'merchant_not_found'],
  ['change_merchant', 'PATCH', '/v1/merchants/$merchant', { business_name: 'Mine' }, 'merchant_not_found'],
  ['connect_processor', 'POST', '/v1/merchants/$merchant/processor', { processor: 'sandbox' }, 'merchant_not_found'],
  [
    'set_notification_secret',
    'POST',
    '/v1/merchants/$merchant/processor/notification_secret',
    { notification_secret: 'a-secret-of-the-processor' },
    'merchant_not_found',
  ],
  [
    'retrieve_notification_settings',
    'GET',
    '/v1/merchants/$merchant/processor/notifications',
    undefined,
    'merchant_not_found',
  ],
  ['set_merchant_logo', 'PUT', '/v1/merchants/$merchant/logo', {}, 'merchant_not_found'],
  ['retrieve_merchant_logo', 'GET', '/v1/merchants/$merchant/logo', undefined, 'merchant_not_found'],
  ['remove_merchant_logo', 'DELETE', '/v1/merchants/$merchant/logo', undefined, 'merchant_not_found'],
  ['retrieve_merchant_status', 'GET', '/v1/merchants/$merchant/status', undefined, 'merchant_not_found'],
  ['retrieve_order', 'GET', '/v1/orders/order_1?merchant_id=$merchant', undefined, 'merchant_not_found'],
  [
    'save_card',
    'POST',
    '/v1/cards',
    { merchant_id: '$merchant', caller_phone: CALLER, token: 'tok_visa' },
    'merchant_not_found',
  ],
  [
    'list_cards',

    'GET',
    '/v1/cards?merchant_id=$merchant&caller_phone=%2B15550101234',
    undefined,
    'merchant_not_found',
  ],
  ['delete_card', 'DELETE', '/v1/cards/$card', undefined, 'instrument_not_found'],
  ['erase_consumer', 'DELETE', '/v1/consumers/$consumer', undefined, 'not_found'],
  ['list_keys', 'GET', '/v1/keys?starting_after=$key', undefined, 'invalid_value', 'invalid_value'],
  ['retrieve_key', 'GET', '/v1/keys/$key', undefined, 'key_not_found'],
  ['roll_key', 'POST', '/v1/keys/$key/roll', {}, 'key_not_found'],
  ['revoke_key', 'DELETE', '/v1/keys/$key', undefined, 'key_not_found'],
  ['list_merchants', 'GET', '/v1/merchants?starting_after=$merchant', undefined, 'invalid_value', 'invalid_value'],
  [
    'list_webhook_endpoints',

    'GET',
    '/v1/webhook_endpoints?starting_after=$endpoint',
    undefined,
    'invalid_value',
    'invalid_value',
  ],
  ['change_webhook_endpoint', 'PATCH', '/v1/webhook_endpoints/$endpoint', NEW_HOOK, 'not_found'],
  ['delete_webhook_endpoint', 'DELETE', '/v1/webhook_endpoints/$endpoint', undefined, 'not_found'],
  ['roll_webhook_secret', 'POST', '/v1/webhook_endpoints/$endpoint/roll_secret', {}, 'not_found'],
  [
    'resend_failed_events',
    'POST',
    '/v1/webhook_endpoints/$endpoint/resend_failed',
    { since: '2026-11-20T12:00:00Z' },
    'not_found',
  ],
  ['send_test_event', 'POST', '/v1/webhook_endpoints/$endpoint/test', undefined, 'not_found'],
  ['list_alert_targets', 'GET', '/v1/alert_targets?starting_after=$alert', undefined, 'invalid_value', 'invalid_value'],
  ['change_alert_target', 'PATCH', '/v1/alert_targets/$alert', { urgent_only: true }, 'not_found', 'not_found'],
  ['delete_alert_target', 'DELETE', '/v1/alert_targets/$alert', undefined, 'not_found', 'not_found'],
  ['send_test_alert', 'POST', '/v1/alert_targets/$alert/test', undefined, 'not_found', 'not_found'],
  ['retrieve_webhook_health', 'GET', '/v1/webhook_endpoints/$endpoint/health', undefined, 'not_found'],
  ['list_webhook_deliveries', 'GET', '/v1/webhook_endpoints/$endpoint/deliveries', undefined, 'not_found'],
  ['list_events', 'GET', '/v1/events?starting_after=$event', undefined, 'invalid_value', 'invalid_value'],
  ['list_requests', 'GET', '/v1/requests?key_id=$key', undefined, 'key_not_found'],
  ['retrieve_request', 'GET', '/v1/requests/$request', undefined, 'not_found'],
  ['retrieve_event', 'GET', '/v1/events/$event', undefined, 'not_found'],
  ['list_event_deliveries', 'GET', '/v1/events/$event/deliveries', undefined, 'not_found'],
  ['list_event_attempts', 'GET', '/v1/events/$event/attempts', undefined, 'not_found'],
  ['resend_event', 'POST', '/v1/events/$event/resend', undefined, 'not_found'],
];

/** Operations without an ID of an object. */
const NAME_NOTHING = [
  'retrieve_account',
  'change_account',
  'roll_header_signing_secret',
  // It finds nothing of other accounts and modes (audit-events.test.ts).
  'list_audit_events',
  'create_key',
  'create_merchant',
  'create_webhook_endpoint',
  'create_alert_target',
  // A number of another account or mode is an unknown caller (callers.test.ts).
  'identify',
  // The same (caller-profiles.test.ts).
  'find_callers',
  'change_caller_note',
  'erase_caller',
  // A slug is looked up in the scope only (create-checkout.test.ts).
  'tool_create_checkout',
  // Endpoints and sessions of another account match no event (list-totals.test.ts).
  'retrieve_event_totals',
];

const filled = (text: string) => text.replace(/\$(\w+)/g, (_, name: string) => ids[name] ?? `no ${name}`);

function ask([, method, path, body]: Crossing, key: string): Promise<Answer> {
  return api.send(method, filled(path), body === undefined ? undefined : filled(JSON.stringify(body)), bearer(key));
}

function codeOf(answer: Answer, code: ErrorCode): void {
  expect([answer.status, answer.body.error?.code]).toEqual([answer.status, code]);
  expectError(answer, code, answer.body.error.param);
}

test.each(CROSSINGS)('%s', async (...crossing) => {
  const [, , , , notTheirs, ofOtherMode = 'invalid_key'] = crossing;
  codeOf(await ask(crossing, keys.others), notTheirs);
  codeOf(await ask(crossing, keys.live), ofOtherMode);
});

test.each<[string, string, object | undefined, ErrorCode]>([
  ['PATCH', '/v1/merchants/cs_1', { business_name: 5 }, 'merchant_not_found'],
  ['POST', '/v1/merchants/mer_none/processor', {}, 'merchant_not_found'],
  ['PATCH', '/v1/webhook_endpoints/we_none', { url: 5 }, 'not_found'],
  ['POST', '/v1/webhook_endpoints/we_none/roll_secret', { expires_in_seconds: -1 }, 'not_found'],
  ['PATCH', '/v1/alert_targets/alert_none', { urgent_only: 5 }, 'not_found'],
  ['GET', '/v1/webhook_endpoints/we_none/deliveries?limit=0', undefined, 'not_found'],
])('%s %s reports the missing object before the invalid field', async (method, path, body, code) => {
  codeOf(await api.send(method, path, body, bearer(keys.test)), code);
});

test('lists no objects of another account or of the other mode', async () => {
  const lists = [
    'merchants',
    'refunds',
    'disputes',
    'payouts',
    'payout_entries',
    'webhook_endpoints',
    'events',
    'calls',
    'charges',
    'checkout_sessions',
    'texts',
    'attention_items',
    'alert_targets',
  ];
  for (const path of lists.map((name) => `/v1/${name}`)) {
    for (const key of [keys.others, keys.live]) {
      const { status, text } = await api.get(path, bearer(key));
      expect(status).toBe(200);
      for (const id of Object.values(ids)) expect(text).not.toContain(id);
    }
  }
});

test('covers every operation', async () => {
  const { paths } = JSON.parse((await api.get('/openapi.json')).text) as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods).map((o) => o.operationId));
  const known = [...CROSSINGS.map(([operation]) => operation), ...NAME_NOTHING];
  expect([...new Set(known)].sort()).toEqual([...operations].sort());
});
