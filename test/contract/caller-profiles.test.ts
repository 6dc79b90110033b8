/** `/v1/callers`: finds a caller by number, however it is written; a note about one, and erasure by number. */
import { expect, test } from 'vitest';
import { CallerProfileResource } from '../../src/contract/callers.ts';
import { insertTexts } from '../../src/db/texts/texts.ts';
import { parseId } from '../../src/domain/ids.ts';
import { DEMO_ACCOUNT } from '../../src/local/standalone/demo-data.ts';
import { useFixture } from '../support/fixtures.ts';
import { bearer, expectError, insertTestKeys, LIVE_KEY, OTHER_KEY } from './fixtures.ts';
import { startTestApi } from './test-api.ts';

const api = useFixture(async () => {
  const started = await startTestApi();
  await insertTestKeys(started);
  return started;
});

const DINER = 'mer_demo_diner';

async function find(text: string, headers?: Record<string, string>) {
  const answer = await api.get(`/v1/callers?caller_phone=${encodeURIComponent(text)}`, headers);
  expect(answer.status, answer.text).toBe(200);
  return (answer.body.callers as unknown[]).map((each) => CallerProfileResource.strict().parse(each));
}
const numbers = async (text: string) => (await find(text)).map(({ caller_phone }) => caller_phone);
const note = (caller_phone: string, text: unknown, headers?: Record<string, string>) =>
  api.post('/v1/callers/note', { caller_phone, note: text }, headers);
const checkout = (caller_phone: string) => api.checkout({ merchant_id: DINER, caller_phone, amount_cents: 700 });

test('finds one caller by the whole number, as dialed in the country, and by the last digits', async () => {
  await checkout('+12125550142');
  for (const written of ['+12125550142', '+1 (212) 555-0142', '212-555-0142', '(212) 555 0142', '2125550142', '550142'])
    expect(await numbers(written), written).toEqual(['+12125550142']);
  await checkout('+13105550142');
  expect((await numbers('5550142')).sort()).toEqual(['+12125550142', '+13105550142']);
  expect(await numbers('9990000')).toEqual([]);
});

test('returns a whole number even if it is unknown, and rejects text that is not a number', async () => {
  expect(await find('+12125550199')).toEqual([
    {
      caller_phone: '+12125550199',
      consumer_id: null,
      first_name: null,
      last_name: null,
      email: null,
      note: null,
      note_written_at: null,
      cards: [],
      consents: [],
    },
  ]);
  expectError(await api.get('/v1/callers?caller_phone=12'), 'invalid_value', 'caller_phone');
  expectError(await api.get('/v1/callers'), 'missing_required_fields', 'caller_phone');
});

test('shows the saved cards of all merchants, and the consents', async () => {
  const phone = '+12125550150';
  for (const merchant_id of [DINER, 'mer_demo_market']) {
    await api.post('/v1/cards', { merchant_id, caller_phone: phone, token: 'tok_visa', first_name: 'Ada' });
  }
  const [caller] = await find(phone);
  expect(caller).toMatchObject({ first_name: 'Ada', consumer_id: expect.stringMatching(/^con_/) });
  expect(caller?.cards.map(({ business_name, last_four }) => [business_name, last_four]).sort()).toEqual([
    ['Demo Diner', '4242'],
    ['Demo Market', '4242'],
  ]);
  expect(caller?.consents).toMatchObject([
    { channel: 'rest', status: 'kept', wording: null },
    { channel: 'rest', status: 'kept', wording: null },
  ]);
});

test('writes, replaces and deletes a note, which the audit trail mentions without its words', async () => {
  const phone = '+12125550151';
  await checkout(phone);
  const written = await note(phone, 'Calls for the second floor.');
  expect(written.body).toMatchObject({ note: 'Calls for the second floor.', note_written_at: expect.any(String) });
  expect((await find(phone))[0]?.note).toBe('Calls for the second floor.');
  const { body, text } = await api.get(`/v1/audit_events?object=${written.body.consumer_id}`);
  expect(body.audit_events).toMatchObject([{ action: 'consumer.note_changed', changes: {} }]);
  expect(text).not.toMatch(/floor|5550151/);
  expect((await note(phone, null)).body).toMatchObject({ note: null, note_written_at: null });
  for (const wrong of ['', 'x'.repeat(2_001), 7, 'Card 4242 4242 4242 4242'])
    expectError(await note(phone, wrong), 'invalid_value', 'note');
  expectError(await note('12', 'x'), 'invalid_value', 'caller_phone');
});

test('erases a caller without a saved card by the number, with the note', async () => {
  const phone = '+12125550152';
  const { checkout_session_id: session } = await checkout(phone);
  await note(phone, 'Asked to be erased.');
  const erased = await api.post('/v1/callers/erase', { caller_phone: phone });
  expect(erased.body).toEqual({ consumer_id: expect.stringMatching(/^con_/), deleted: true });
  expect((await api.get(`/v1/checkout_sessions/${session}`)).body.caller_phone).toBeNull();
  expect(await find(phone)).toMatchObject([{ consumer_id: null, note: null }]);
  const left = await api.database.query(`select from consumers where phone = $1 or note like 'Asked%'`, [phone]);
  expect(left.rowCount).toBe(0);
});

test('lists the texts to a number', async () => {
  const [one, other] = ['+12125550153', '+12125550154'];
  for (const recipient of [one, other]) {
    const sessionId = parseId('CheckoutSession', (await checkout(recipient)).checkout_session_id);
    if (sessionId === null) throw new Error('no session');
    const of = { accountId: DEMO_ACCOUNT, mode: 'test', sessionId, chargeId: null, kind: 'receipt' } as const;
    await insertTexts(api.database, [{ ...of, recipient, body: `To ${recipient.slice(-2)}`, segments: 1 }]);
  }
  const { body } = await api.get(`/v1/texts?caller_phone=${encodeURIComponent(one)}`);
  expect(body.texts).toMatchObject([{ body: 'To 53' }]);
});

test('shows nothing of other accounts and the other mode, and changes nothing there', async () => {
  const phone = '+12125550155';
  await checkout(phone);
  await note(phone, 'Ours.');
  for (const key of [OTHER_KEY, LIVE_KEY]) {
    expect(await find(phone, bearer(key))).toMatchObject([{ consumer_id: null, note: null }]);
    expect(await find('5550155', bearer(key))).toEqual([]);
    await note(phone, 'Theirs.', bearer(key));
    await api.post('/v1/callers/erase', { caller_phone: phone }, bearer(key));
  }
  expect(await find(phone)).toMatchObject([{ note: 'Ours.' }]);
});
