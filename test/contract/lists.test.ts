/** The lists of calls, charges, checkout sessions and texts: items, filters, pages. */
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { CallWithTimelineResource } from '../../src/contract/calls.ts';
import { ListedChargeResource } from '../../src/contract/charges.ts';
import { ListedSessionResource } from '../../src/contract/listed-sessions.ts';
import { TextResource } from '../../src/contract/texts.ts';
import { insertTexts } from '../../src/db/texts/texts.ts';
import { newId, parseId } from '../../src/domain/ids.ts';
import { DEMO_ACCOUNT, DEMO_DINER } from '../../src/local/standalone/demo-data.ts';
import { handleOf, testCard } from '../../src/payments/sandbox/cards.ts';
import { insertEndedCall } from '../support/ended-call.ts';
import { useFixture } from '../support/fixtures.ts';
import { CALLER, expectError } from './fixtures.ts';
import { startTestApi } from './test-api.ts';

const api = useFixture(() => startTestApi());
const OTHER_CALLER = '+15550107777';

interface Paid {
  session: string;
  charge: string;
  call: string;
}
/** The first is of the diner and paid; the second of the market, by another caller, and open. */
let paid: Paid;
let open: Omit<Paid, 'charge'>;
/** Before and after these were made; tests come in any order. */
let [startedAt, seeded] = ['', ''];

/** Fails if the list is rejected. */
async function idsOf(path: string, name: string, id: string): Promise<string[]> {
  const { status, body, text } = await api.get(path);
  if (status !== 200) throw new Error(`${path} answered ${text}`);
  return (body[name] as Record<string, string>[]).map((item) => item[id] ?? '');
}
const calls = (query = '') => idsOf(`/v1/calls?${query}`, 'calls', 'call_id');
const charges = (query = '') => idsOf(`/v1/charges?${query}`, 'charges', 'charge_id');
const sessions = (query = '') => idsOf(`/v1/checkout_sessions?${query}`, 'checkout_sessions', 'checkout_session_id');
const texts = (query = '') => idsOf(`/v1/texts?${query}`, 'texts', 'text_id');

function sessionId(text: string) {
  const id = parseId('CheckoutSession', text);
  if (id === null) throw new Error(`${text} is no session`);
  return id;
}

beforeAll(async () => {
  startedAt = new Date(Date.now() - 1).toISOString();
  const scope = { accountId: DEMO_ACCOUNT, mode: 'test' } as const;
  const first = await api.checkout({
    merchant_id: 'mer_demo_diner',
    caller_phone: CALLER,
    order_id: 'order_1001',
    platform_call_id: 'call one',
    metadata: { table: 7 },
  });
  const chosen = { checkout_session_id: first.checkout_session_id, instrument_id: 'card_demo_visa' };
  const { body } = await api.post('/v1/charge', chosen);
  const second = await api.checkout({
    merchant_id: 'mer_demo_market',
    caller_phone: OTHER_CALLER,
    amount_cents: 900,
    platform_call_id: 'call two',
  });
  const market = parseId('Merchant', 'mer_demo_market') ?? DEMO_DINER;
  const [one, two] = [sessionId(first.checkout_session_id), sessionId(second.checkout_session_id)];
  paid = {
    session: one,
    charge: String(body.charge_id),
    call: await insertEndedCall(
      api.database,
      { ...scope, sessionId: one, merchantId: DEMO_DINER },
      { chargeId: parseId('Charge', String(body.charge_id)) },
    ),
  };
  open = {
    session: two,
    call: await insertEndedCall(
      api.database,
      { ...scope, sessionId: two, merchantId: market },
      { outcome: null, endedAt: null, stage: 'expiry', returnMode: null, packetsLost: null, codec: null },
    ),
  };
  const { rows } = await api.database.query<{ now: Date }>('select clock_timestamp() as now');
  seeded = new Date((rows[0]?.now.getTime() ?? 0) + 1).toISOString();
});

test('shows a call with its session, legs, outcome, keypad, audio and timed steps', async () => {
  const { body } = await api.get(`/v1/calls/${paid.call}`);
  const call = CallWithTimelineResource.strict().parse(body);
  expect(call).toMatchObject({
    call_id: paid.call,
    checkout_session_id: paid.session,
    merchant_id: 'mer_demo_diner',
    status: 'ended',
    outcome: 'succeeded',
    reason: null,
    stage: 'ended',
    charge_id: paid.charge,
    return_route: 'refer',
    order_id: 'order_1001',
    platform_call_id: 'call one',
    caller_phone: CALLER,
    sip_call_id: `sip-${paid.call}`,
    key_kind: 'telephone-event',
    codec: 'PCMU',
    packets_received: 2_000,
    packets_lost: 3,
    jitter_ms: 1.5,
  });
  expect(call.timeline.map(({ step, at_ms }) => [step, at_ms])).toEqual([
    ['invite', 0],
    ['answered', 80],
    ['caller hung up', 4_000],
  ]);
  expect(Date.parse(call.timeline[1]?.at ?? '') - Date.parse(call.created_at)).toBe(80);
  const live = (await api.get(`/v1/calls/${open.call}`)).body;
  expect(live).toMatchObject({ status: 'live', outcome: null, stage: 'expiry', ended_at: null, codec: null });
});

test('lists a call without a session until the caller has chosen the payment', async () => {
  const call = await insertEndedCall(
    api.database,
    { accountId: DEMO_ACCOUNT, mode: 'test', sessionId: null },
    { outcome: 'canceled', returnMode: null },
  );
  onTestFinished(async () => void (await api.database.query('delete from calls where id = $1', [call])));
  expect(await calls('outcome=canceled')).toEqual([call]);
  expect((await calls())[0]).toBe(call);
  expect(await calls('outcome=canceled&merchant_id=mer_demo_diner')).toEqual([]);
  const { body } = await api.get(`/v1/calls/${call}`);
  expect(CallWithTimelineResource.strict().parse(body)).toMatchObject({
    call_id: call,
    checkout_session_id: null,
    merchant_id: null,
    order_id: null,
    caller_phone: null,
    platform_call_id: null,
    outcome: 'canceled',
  });
});

test('shows a charge with its session and card, and a listed session with its charge', async () => {
  const { body } = await api.get(`/v1/charges/${paid.charge}`);
  expect(ListedChargeResource.strict().parse(body)).toMatchObject({
    charge_id: paid.charge,
    status: 'succeeded',
    checkout_session_id: paid.session,
    source: 'saved_card',
    last_four: '4242',
    brand: 'VISA',
    order_id: 'order_1001',
    caller_phone: CALLER,
    refunded_cents: 0,
  });
  const listed = (await api.get(`/v1/checkout_sessions?created_before=${seeded}&created_after=${startedAt}`)).body
    .checkout_sessions as unknown[];
  const [newest, oldest] = listed.map((item) => ListedSessionResource.strict().parse(item));
  expect(newest).toMatchObject({ checkout_session_id: open.session, session_status: 'open', charge: null });
  expect(oldest).toMatchObject({
    checkout_session_id: paid.session,
    session_status: 'complete',
    metadata: { table: 7 },
    charge: { charge_id: paid.charge, status: 'succeeded' },
    business_name: 'Demo Diner',
  });
});

test('shows the failure of a charge in the language of its session', async () => {
  const { checkout_session_id } = await api.checkout({
    merchant_id: 'mer_demo_diner',
    caller_phone: CALLER,
    amount_cents: 1_200,
    language: 'es-MX',
  });
  const instrument_id = newId('Instrument');
  await api.database.query(
    `insert into instruments (id, account_id, mode, consumer_id, merchant_id, processor, processor_handle, brand,
                              last_four, expiry_month, expiry_year)
     values ($1, $2, 'test', 'con_demo_caller', 'mer_demo_diner', 'sandbox', $3, 'VISA', '9995', 12, 2049)`,
    [instrument_id, DEMO_ACCOUNT, handleOf(testCard('insufficient_funds'))],
  );
  const declined = await api.post('/v1/charge', { checkout_session_id, instrument_id });
  const [id] = await charges(`checkout_session_id=${checkout_session_id}`);
  const { failure } = (await api.get(`/v1/charges/${id}`)).body;
  const { request_id: _, ...error } = declined.body.error;
  expect(failure).toMatchObject(error);
  expect(await charges('status=failed')).toEqual([id]);
  expect(await charges('status=failed&last_four=9995')).toEqual([id]);
});

test.each([
  ['calls', 'merchant_id=mer_demo_diner', 'merchant_id=mer_demo_books'],
  ['calls', 'status=ended', 'status=ended&outcome=failed'],
  ['calls', 'outcome=succeeded', 'outcome=canceled'],
  ['calls', 'last_four=4242', 'last_four=1111'],
  ['calls', 'order_id=order_1001', 'order_id=order_100'],
  ['calls', `caller_phone=${encodeURIComponent(CALLER)}`, 'caller_phone=%2B15550100000'],
  ['calls', 'caller_phone=(555)%20010-1234', 'caller_phone=(555)%20010-0000'],
  ['charges', 'caller_phone=1555%20010%201234&last_four=4242', 'caller_phone=1555%20010%200000'],
  ['sessions', 'caller_phone=101234&last_four=4242', 'caller_phone=201234'],
  ['calls', 'caller_phone=1234', 'caller_phone=1235'],
  ['calls', 'platform_call_id=call%20one', 'platform_call_id=call'],
  ['calls', 'created_before=2100-01-01T00:00:00%2B02:00&status=ended', 'created_before=2020-01-01T00:00:00Z'],
  ['charges', 'merchant_id=mer_demo_diner&status=succeeded', 'merchant_id=mer_demo_market'],
  ['charges', 'order_id=order_1001', 'order_id=order_1002'],
  ['charges', 'platform_call_id=call%20one', 'platform_call_id=call%20two'],
  ['charges', 'last_four=4242&created_after=2020-01-01T00:00:00Z', 'created_after=2100-01-01T00:00:00Z'],
  ['sessions', 'status=complete', 'status=expired&merchant_id=mer_demo_diner'],
  ['sessions', 'platform_call_id=call%20one', 'platform_call_id=one'],
  ['sessions', 'order_id=order_1001', 'order_id=order_1001&status=open'],
  ['sessions', 'last_four=4242', 'last_four=4243'],
])('lists %s with %s, and none with %s', async (list, query, none) => {
  const [read, id] = { calls: [calls, paid.call], charges: [charges, paid.charge], sessions: [sessions, paid.session] }[
    list
  ] as [typeof calls, string];
  expect(await read(query)).toEqual([id]);
  expect(await read(none)).toEqual([]);
});

test('filters by caller, live calls and open sessions', async () => {
  expect(await calls('status=live')).toEqual([open.call]);
  expect(await calls(`checkout_session_id=${open.session}`)).toEqual([open.call]);
  expect(await sessions(`caller_phone=${encodeURIComponent(OTHER_CALLER)}`)).toEqual([open.session]);
  expect(await sessions('merchant_id=mer_demo_market&status=open')).toEqual([open.session]);
});

test('lists a session past its expiry as open only while its charge is pending, and as expired once it is swept', async () => {
  const { checkout_session_id: id } = await api.checkout({ merchant_id: 'mer_demo_books', amount_cents: 500 });
  expect(await sessions('merchant_id=mer_demo_books&status=open')).toEqual([id]);
  await api.database.query(`update checkout_sessions set expires_at = now() where id = $1`, [id]);
  await api.database.query(
    `insert into charges (id, session_id, account_id, mode, merchant_id, status, amount_cents, currency, source, processor)
     values ('ch_books', $1, $2, 'test', 'mer_demo_books', 'pending', 500, 'USD', 'phone', 'sandbox')`,
    [id, DEMO_ACCOUNT],
  );
  try {
    expect(await sessions('merchant_id=mer_demo_books&status=open')).toEqual([id]);
  } finally {
    await api.database.query(`delete from charges where id = 'ch_books'`);
  }
  expect(await sessions('merchant_id=mer_demo_books&status=open')).toEqual([]);
  expect(await sessions('merchant_id=mer_demo_books&status=expired')).toEqual([]);
  await api.database.query(`update checkout_sessions set status = 'expired' where id = $1`, [id]);
  expect(await sessions('merchant_id=mer_demo_books&status=expired')).toEqual([id]);
});

test('pages without gaps, even if items have the same creation time', async () => {
  const merchant = 'merchant_id=mer_demo_free';
  for (const amount of [1, 2, 3, 4]) await api.checkout({ merchant_id: 'mer_demo_free', amount_cents: amount });
  const sameMoment = `update checkout_sessions set created_at = now() - interval '1 day' where merchant_id = 'mer_demo_free'`;
  await api.database.query(sameMoment);
  const all = await sessions(merchant);
  expect(all).toHaveLength(4);
  const paged: string[] = [];
  while (paged.length < all.length) {
    const behind = paged.length === 0 ? '' : `&starting_after=${paged.at(-1)}`;
    const { body } = await api.get(`/v1/checkout_sessions?${merchant}&limit=1${behind}`);
    const [item, ...others] = body.checkout_sessions as { checkout_session_id: string }[];
    expect(others).toEqual([]);
    paged.push(item?.checkout_session_id ?? 'an empty page');
    expect(body.has_more).toBe(paged.length < all.length);
  }
  expect(paged).toEqual(all);
  expect(await sessions(`${merchant}&starting_after=${all.at(-1)}`)).toEqual([]);
});

test('shows texts with a masked number, and never a link or a code', async () => {
  const sent = await api.post('/v1/send_link', { checkout_session_id: open.session });
  expect(sent.status).toBe(200);
  const of = { accountId: DEMO_ACCOUNT, mode: 'test', sessionId: sessionId(paid.session) } as const;
  const receipt = { kind: 'receipt', recipient: CALLER, body: 'Paid.', segments: 1 };
  await insertTexts(api.database, [{ ...of, ...receipt, chargeId: parseId('Charge', paid.charge) }]);
  const { body } = await api.get('/v1/texts');
  const listed = (body.texts as unknown[]).map((item) => TextResource.strict().parse(item));
  expect(listed).toMatchObject([
    { kind: 'receipt', recipient: '…34', body: 'Paid.', charge_id: paid.charge, status: 'waiting' },
    { kind: 'pay_link', recipient: '…77', body: null, checkout_session_id: open.session, charge_id: null },
  ]);
  expect(await texts(`charge=${paid.charge}`)).toEqual([listed[0]?.text_id]);
  expect(await texts(`checkout_session_id=${open.session}`)).toEqual([listed[1]?.text_id]);
});

test.each([
  ['/v1/calls?outcome=lost', 'outcome'],
  ['/v1/calls?reached=hold', 'reached'],
  ['/v1/calls/totals?reached=', 'reached'],
  ['/v1/calls?created_after=yesterday', 'created_after'],
  ['/v1/charges?last_four=42', 'last_four'],
  ['/v1/charges?caller_phone=123', 'caller_phone'],
  ['/v1/calls?caller_phone=%2B15550101', 'caller_phone'],
  ['/v1/checkout_sessions?caller_phone=Ada', 'caller_phone'],
  ['/v1/checkout_sessions?caller_phone=5550%25', 'caller_phone'],
  ['/v1/checkout_sessions?status=paid', 'status'],
  ['/v1/checkout_sessions?created_before=2026-11-01T00:00:00', 'created_before'],
  ['/v1/texts?starting_after=txt_nobody', 'starting_after'],
  ['/v1/calls?caller=1', 'caller'],
])('rejects %s', async (path, param) => {
  const { status, body } = await api.get(path);
  expect([status, body.error.code, body.error.param]).toEqual([400, 'invalid_value', param]);
});

test.each([
  ['/v1/calls/call_nobody', 'not_found', 'call_id'],
  ['/v1/calls/1', 'not_found', 'call_id'],
  ['/v1/charges/ch_nobody', 'not_found', 'charge_id'],
  ['/v1/calls?merchant_id=mer_nobody', 'merchant_not_found', 'merchant_id'],
  ['/v1/charges?checkout_session_id=cs_nobody', 'session_not_found', 'checkout_session_id'],
  ['/v1/texts?charge=ch_nobody', 'not_found', 'charge'],
] as const)('%s is %s', async (path, code, param) => {
  expectError(await api.get(path), code, param);
});
