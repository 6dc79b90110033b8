/** `DELETE /v1/consumers/{id}`: removes the person from all tables, and keeps what bookkeeping and law require. */
import { expect, test } from 'vitest';
import { findPayLink } from '../../src/db/pay-links/pay-links.ts';
import { insertTexts } from '../../src/db/texts/texts.ts';
import { parseId } from '../../src/domain/ids.ts';
import { ErasedConsumer, IdentifyResponse } from '../../src/http/api/routes/callers.ts';
import { DEMO_ACCOUNT } from '../../src/local/standalone/demo-data.ts';
import { useFixture } from '../support/fixtures.ts';
import { bearer, expectError, insertTestKeys, LIVE_KEY, OTHER_KEY } from './fixtures.ts';
import { startTestApi } from './test-api.ts';

let forgotten = 0;
const api = useFixture(async () => {
  const started = await startTestApi({
    onCardDeleted: () => {
      forgotten += 1;
    },
  });
  await insertTestKeys(started);
  return started;
});

const DINER = 'mer_demo_diner';
const PERSON = { first_name: 'Adelaide', last_name: 'Quincey', email: 'adelaide@example.com' };

const identify = async (caller_phone: string) =>
  IdentifyResponse.parse((await api.post('/v1/identify', { caller_phone })).body);
const erase = (id: string | undefined, key?: string) =>
  api.send('DELETE', `/v1/consumers/${id}`, undefined, key === undefined ? {} : bearer(key));

async function saveCard(caller_phone: string, token = 'tok_visa', who: object = { first_name: 'Bo' }): Promise<string> {
  const answer = await api.post('/v1/cards', { merchant_id: DINER, caller_phone, token, ...who });
  return String(answer.body.instrument_id);
}

/** A session with a charge, its events and a text. */
async function paidSession(caller_phone: string, instrument_id: string, caller_email?: string) {
  const { checkout_session_id } = await api.checkout({
    merchant_id: DINER,
    caller_phone,
    ...(caller_email !== undefined && { caller_email }),
    amount_cents: 700,
    platform_call_id: 'call-1',
    metadata: { table: '4' },
  });
  const { body } = await api.post('/v1/charge', { checkout_session_id, instrument_id });
  expect(body.status).toBe('succeeded');
  const session = parseId('CheckoutSession', checkout_session_id);
  const charge = parseId('Charge', String(body.charge_id));
  if (session === null || charge === null) throw new Error('ids that are none');
  return { session, charge };
}

function addText(sessionId: Awaited<ReturnType<typeof paidSession>>['session'], recipient: string, body = 'Hello') {
  const of = { accountId: DEMO_ACCOUNT, mode: 'test', sessionId, chargeId: null, kind: 'pay_link' } as const;
  return insertTexts(api.database, [{ ...of, recipient, body, segments: 1 }]);
}

/** The names of the tables that contain the text. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await api.database.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = current_schema() and table_type = 'BASE TABLE'`,
  );
  const found: string[] = [];
  for (const { name } of tables.rows) {
    const { rowCount } = await api.database.query(`select from "${name}" t where strpos(t::text, $1) > 0 limit 1`, [
      text,
    ]);
    if ((rowCount ?? 0) > 0) found.push(name);
  }
  return found;
}

/** Hashes of a charge, as the velocity rules count them. */
async function addSignals(charge: string): Promise<void> {
  await api.database.query(
    `insert into charge_signals (charge_id, account_id, mode, created_at, calling_number_hash)
     select id, account_id, mode, created_at, '\\x02' from charges where id = $1 on conflict do nothing`,
    [charge],
  );
  expect(await countSignals(charge)).toBe(1);
}

async function countSignals(charge: string): Promise<number | null> {
  return (await api.database.query('select from charge_signals where charge_id = $1', [charge])).rowCount;
}

test('removes the person from all tables, and keeps the payment', async () => {
  const phone = '+15550131001';
  const [visa, amex] = [await saveCard(phone, 'tok_visa', PERSON), await saveCard(phone, 'tok_amex', PERSON)];
  const { session, charge } = await paidSession(phone, visa, PERSON.email);
  const [text = ''] = await addText(session, phone, 'Hello Adelaide');
  const body = { caller_phone: phone, caller_first_name: 'Adel"aide', note: `"caller_phone":"${visa}"` };
  await api.database.query('update events set body = $2 where session_id = $1', [session, JSON.stringify(body)]);
  await api.database.query(
    `update charges set card_fingerprint = '\\x01', calling_number_hash = '\\x02' where id = $1`,
    [charge],
  );
  await addSignals(charge);
  expect(await tablesWith(phone)).toEqual(
    expect.arrayContaining(['charges', 'checkout_sessions', 'consumers', 'events', 'texts']),
  );
  const unpaid = (await api.checkout({ merchant_id: DINER, caller_phone: phone, amount_cents: 700 }))
    .checkout_session_id;
  const { short_url } = (await api.post('/v1/send_link', { checkout_session_id: unpaid })).body;
  const code = String(short_url).split('/').at(-1) ?? '';
  expect(await findPayLink(api.database, code)).not.toBeNull();
  const id = (await identify(phone)).consumer?.id;
  const before = forgotten;
  expect(ErasedConsumer.strict().parse((await erase(id)).body)).toEqual({ consumer_id: id, deleted: true });

  expect(await findPayLink(api.database, code)).toBeNull();
  const linkText = `select status, body, sealed_body, error_code from texts where kind = 'pay_link' and session_id = $1`;
  expect((await api.database.query(linkText, [unpaid])).rows).toEqual([
    { status: 'failed', body: '', sealed_body: null, error_code: 'caller_erased' },
  ]);
  expect(await tablesWith(phone)).toEqual([]);
  for (const word of ['Adel', 'Quincey', PERSON.email]) expect(await tablesWith(word)).toEqual([]);
  expect(await identify(phone)).toEqual({ known: false, consumer: null });
  expect((await api.get(`/v1/checkout_sessions/${session}`)).body).toMatchObject({
    session_status: 'complete',
    caller_phone: null,
    caller_first_name: null,
    platform_call_id: 'call-1',
    metadata: { table: '4' },
    charge: { charge_id: charge, status: 'succeeded', amount_cents: 700 },
  });
  const events = await api.database.query<{ body: string }>('select body from events where session_id = $1', [session]);
  for (const { body: left } of events.rows) {
    expect(JSON.parse(left)).toEqual({ caller_phone: null, caller_first_name: null, note: body.note });
  }
  const rows = await api.database.query(
    `select card_fingerprint, calling_number_hash, t.status, t.error_code, t.settled_at is not null as settled
       from charges, texts t where charges.id = $1 and t.id = $2`,
    [charge, text],
  );
  expect(rows.rows).toEqual([
    {
      card_fingerprint: null,
      calling_number_hash: null,
      status: 'failed',
      error_code: 'caller_erased',
      settled: true,
    },
  ]);
  expect(await countSignals(charge)).toBe(0);
  const removals = await api.database.query(`select status from card_removals where instrument_id = any($1)`, [
    [visa, amex],
  ]);
  expect(removals.rows).toEqual([{ status: 'waiting' }, { status: 'waiting' }]);
  expect(forgotten).toBe(before + 1);
  const audit = (await api.get(`/v1/audit_events?object=${id}`)).body.audit_events;
  expect(audit).toMatchObject([{ action: 'consumer.erased', changes: { cards: 2, sessions: 2, texts: 2 } }]);
  expect((await api.get(`/v1/audit_events?object=${amex}`)).body.audit_events).toMatchObject([
    { action: 'card.deleted' },
    { action: 'card.saved' },
  ]);
});

test('does nothing when repeated, also to a new caller with the number', async () => {
  const phone = '+15550131002';
  await saveCard(phone);
  const first = (await identify(phone)).consumer?.id;
  await erase(first);
  await saveCard(phone, 'tok_visa', { first_name: 'Bo' });
  const second = await identify(phone);
  expect(second.consumer).toMatchObject({ first_name: 'Bo' });
  expect(second.consumer?.id).not.toBe(first);
  expect((await erase(first)).body).toEqual({ consumer_id: first, deleted: true });
  expect(await identify(phone)).toEqual(second);
  expect((await api.get(`/v1/audit_events?object=${first}`)).body.audit_events).toHaveLength(1);
});

test('erases once for two requests at once', async () => {
  const phone = '+15550131003';
  await paidSession(phone, await saveCard(phone));
  const id = (await identify(phone)).consumer?.id;
  const answers = await Promise.all([erase(id), erase(id), erase(id)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await api.get(`/v1/audit_events?object=${id}`)).body.audit_events).toHaveLength(1);
});

test('does not change other callers', async () => {
  const [phone, other] = ['+15550131004', '+15550131005'];
  await saveCard(phone);
  const otherSession = await paidSession(other, await saveCard(other, 'tok_amex', { first_name: 'Bo' }));
  await addText(otherSession.session, other);
  const before = await tablesWith(other);
  await erase((await identify(phone)).consumer?.id);
  expect(await tablesWith(other)).toEqual(before);
  expect((await api.get(`/v1/checkout_sessions/${otherSession.session}`)).body.caller_phone).toBe(other);
  const cards = await api.get(`/v1/cards?merchant_id=${DINER}&caller_phone=${encodeURIComponent(other)}`);
  expect(cards.body.cards).toHaveLength(1);
});

test('removes a number that a session got from its call, and its velocity counters', async () => {
  const phone = '+15550131006';
  const { session, charge } = await paidSession(phone, await saveCard(phone));
  await api.database.query('update checkout_sessions set caller_phone = null, lent_phone = $2 where id = $1', [
    session,
    phone,
  ]);
  await api.database.query(`update charges set caller_phone = null, calling_number_hash = '\\x02' where id = $1`, [
    charge,
  ]);
  await addSignals(charge);
  await erase((await identify(phone)).consumer?.id);
  expect(await countSignals(charge)).toBe(0);
  expect(await tablesWith(phone)).toEqual([]);
  const { rows } = await api.database.query('select calling_number_hash from charges where id = $1', [charge]);
  expect(rows).toEqual([{ calling_number_hash: null }]);
});

test('does not save a card that was waiting to be saved, and keeps the consent', async () => {
  const phone = '+15550131007';
  const { charge } = await paidSession(phone, await saveCard(phone));
  await api.database.query(
    `insert into card_consents (account_id, mode, merchant_id, charge_id, channel, wording_id, language, wording)
     select account_id, mode, merchant_id, id, 'phone', 'keep_card', 'en-US', 'May we keep it?' from charges where id = $1`,
    [charge],
  );
  await erase((await identify(phone)).consumer?.id);
  const { rows } = await api.database.query('select status, wording from card_consents where charge_id = $1', [charge]);
  expect(rows).toEqual([{ status: 'not_kept', wording: 'May we keep it?' }]);
});

test('continues an open session without a number', async () => {
  const phone = '+15550131008';
  const instrument_id = await saveCard(phone);
  const open = await api.checkout({ merchant_id: DINER, caller_phone: phone, amount_cents: 700 });
  await erase((await identify(phone)).consumer?.id);
  const read = await api.get(`/v1/checkout_sessions/${open.checkout_session_id}`);
  expect(read.body).toMatchObject({ session_status: 'open', caller_phone: null, cards: [] });
  const { checkout_session_id } = open;
  expect((await api.post('/v1/charge', { checkout_session_id, instrument_id })).status).not.toBe(200);
});

test('erases only callers of the key’s account and mode', async () => {
  const phone = '+15550131009';
  await saveCard(phone);
  const id = (await identify(phone)).consumer?.id;
  expectError(await erase(id, OTHER_KEY), 'not_found', 'consumer_id');
  expectError(await erase(id, LIVE_KEY), 'invalid_key');
  for (const none of ['con_nobody', 'nobody', DINER]) expectError(await erase(none), 'not_found', 'consumer_id');
  expect((await identify(phone)).known).toBe(true);
});
