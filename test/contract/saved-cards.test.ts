/** Which saved cards are offered and charged, and the `tokenization` of a session. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Sql } from '../../src/db/pool.ts';
import type { Processor } from '../../src/payments/port/processor.ts';
import { createSandbox } from '../../src/payments/sandbox/index.ts';
import { startFakeSquare } from '../support/fake-square.ts';
import { ACCESS_TOKEN, LOCATION } from '../support/fake-square-requests.ts';
import { SECRET_KEY, startFakeStripe } from '../support/fake-stripe.ts';
import { squareProcessorAt, stripeProcessorAt } from '../support/vendor-processors.ts';
import { CALLER, expectError } from './fixtures.ts';
import { startTestApi, type TestApi } from './test-api.ts';

const DINER = 'mer_demo_diner';
const APPLICATION = 'sandbox-sq0idb-standin000000000000000';

let api: TestApi;
let clock = new Date('2031-03-10T12:00:00Z');
const servers = { stripe: startFakeStripe(), square: startFakeSquare() };
beforeAll(async () => {
  const [stripe, square] = await Promise.all([servers.stripe, servers.square]);
  const processors: Processor[] = [stripeProcessorAt(stripe), squareProcessorAt(square)];
  // The sandbox of the service's own database, which comes with the service.
  const late = { query: ((...args: Parameters<Sql['query']>) => api.database.query(...args)) as Sql['query'] };
  const sandbox = createSandbox(late, { settleMs: 0, hangMs: 50, slowMs: 50 });
  api = await startTestApi({ now: () => clock, processors: [sandbox, ...processors] });
});
afterAll(async () => {
  await api.close();
  await Promise.all([(await servers.stripe).close(), (await servers.square).close()]);
});

let callers = 0;
function newCaller(): string {
  callers += 1;
  return `+1555012${String(callers).padStart(4, '0')}`;
}

const save = async (merchant_id: string, caller_phone: string, fields: Record<string, unknown> = {}) => {
  const answer = await api.post('/v1/cards', { merchant_id, caller_phone, token: 'tok_visa', ...fields });
  expect(answer.status, answer.text).toBe(200);
  return String(answer.body.instrument_id);
};
const list = async (merchant: string, caller: string) =>
  (await api.get(`/v1/cards?merchant_id=${merchant}&caller_phone=${encodeURIComponent(caller)}`)).body;
const newMerchant = async (settings: Record<string, unknown> = {}) =>
  String((await api.post('/v1/merchants', { business_name: 'Shop', ...settings })).body.merchant_id);
const connect = async (merchant: string, processor: string, credentials: Record<string, string> = {}) => {
  const answer = await api.post(`/v1/merchants/${merchant}/processor`, { processor, credentials });
  expect(answer.status, answer.text).toBe(200);
};
const charge = (checkout_session_id: unknown, instrument_id: unknown) =>
  api.post('/v1/charge', { checkout_session_id, instrument_id });

describe('a card is good to the end of its month', () => {
  test.each([
    ['UTC', '2031-03-31T23:59:59.999Z', true],
    ['UTC', '2031-04-01T00:00:00.000Z', false],
    // Ten hours behind, and fourteen ahead.
    ['Pacific/Honolulu', '2031-04-01T09:59:59.000Z', true],
    ['Pacific/Honolulu', '2031-04-01T10:00:00.000Z', false],
    ['Pacific/Kiritimati', '2031-03-31T09:59:59.000Z', true],
    ['Pacific/Kiritimati', '2031-03-31T10:00:00.000Z', false],
    // The clocks of Berlin have gone forward the night before.
    ['Europe/Berlin', '2031-03-31T21:59:59.000Z', true],
    ['Europe/Berlin', '2031-03-31T22:00:00.000Z', false],
  ])('in %s at %s: %s', async (time_zone, at, good) => {
    const [merchant, caller] = [await newMerchant({ time_zone }), newCaller()];
    await connect(merchant, 'sandbox');
    clock = new Date('2031-03-10T12:00:00Z');
    const id = await save(merchant, caller, { default: true });
    await api.database.query('update instruments set expiry_month = 3, expiry_year = 2031 where id = $1', [id]);
    clock = new Date(at);
    const cards = good ? [{ instrument_id: id, expiry: '03/2031' }] : [];
    const offer = { cards, default_card_id: good ? id : null };
    expect(await list(merchant, caller)).toMatchObject(offer);
    const checkout = await api.checkout({ merchant_id: merchant, amount_cents: 100, caller_phone: caller });
    expect(checkout).toMatchObject(offer);
    const path = `/v1/checkout_sessions/${checkout.checkout_session_id}`;
    expect((await api.get(path)).body).toMatchObject(offer);
    const answer = await charge(checkout.checkout_session_id, id);
    if (!good) expectError(answer, 'needs_enrollment', 'instrument_id');
  });

  test('uses UTC for an invalid time zone', async () => {
    const [merchant, caller] = [await newMerchant(), newCaller()];
    await connect(merchant, 'sandbox');
    const id = await save(merchant, caller);
    await api.database.query(`update merchants set time_zone = 'Middle/Earth' where id = $1`, [merchant]);
    await api.database.query('update instruments set expiry_month = 12, expiry_year = 2031 where id = $1', [id]);
    clock = new Date('2031-12-31T23:59:59Z');
    expect((await list(merchant, caller)).cards).toHaveLength(1);
    clock = new Date('2032-01-01T00:00:00Z');
    expect((await list(merchant, caller)).cards).toHaveLength(0);
  });
});

describe('the same card', () => {
  test('keeps the ID of a card that is saved again, and lists it as the newest', async () => {
    const caller = newCaller();
    const first = await save(DINER, caller, { default: true });
    const amex = await save(DINER, caller, { token: 'tok_amex' });
    expect((await list(DINER, caller)).cards.map((card) => card.instrument_id)).toEqual([amex, first]);
    expect(await save(DINER, caller)).toBe(first);
    const cards = await list(DINER, caller);
    expect(cards.cards.map((card) => card.instrument_id)).toEqual([first, amex]);
    expect(cards.default_card_id).toBe(first);
  });

  test('creates a new card if it was deleted before', async () => {
    const caller = newCaller();
    const first = await save(DINER, caller);
    expect((await api.send('DELETE', `/v1/cards/${first}`)).status).toBe(200);
    expect(await save(DINER, caller)).not.toBe(first);
  });

  test('stores the handle of a card encrypted, and the consent', async () => {
    const id = await save(DINER, newCaller());
    const { rows } = await api.database.query(
      `select i.processor_handle, i.handle_sealed, k.channel, k.status, k.charge_id
         from instruments i join card_consents k on k.instrument_id = i.id where i.id = $1`,
      [id],
    );
    expect(rows).toMatchObject([{ handle_sealed: true, channel: 'rest', status: 'kept', charge_id: null }]);
    expect(rows[0]?.processor_handle).not.toContain('visa');
  });

  test('does not charge a card whose handle cannot be decrypted', async () => {
    const caller = newCaller();
    const id = await save(DINER, caller);
    await api.database.query(`update instruments set processor_handle = 'x' || processor_handle where id = $1`, [id]);
    const { checkout_session_id } = await api.checkout({ merchant_id: DINER, amount_cents: 100, caller_phone: caller });
    expectError(await charge(checkout_session_id, id), 'merchant_credentials_invalid');
  });
});

describe('an account at the processor', () => {
  const stripe = (account?: string) => ({
    secret_key: SECRET_KEY,
    publishable_key: 'pk_test_of_the_page',
    ...(account !== undefined && { account_id: account }),
  });

  test('offers a card at all merchants that share an account at the processor', async () => {
    const [one, other, sandboxed] = [await newMerchant(), await newMerchant(), await newMerchant()];
    await Promise.all([
      connect(one, 'stripe', stripe()),
      connect(other, 'stripe', stripe()),
      connect(sandboxed, 'sandbox'),
    ]);
    const [caller, token] = [newCaller(), (await servers.stripe).token('pm')];
    const id = await save(one, caller, { token });
    expect(await list(other, caller)).toMatchObject({ cards: [{ instrument_id: id }] });
    expect(await list(sandboxed, caller)).toMatchObject({ cards: [] });
    const { checkout_session_id } = await api.checkout({ merchant_id: other, amount_cents: 100, caller_phone: caller });
    expect((await charge(checkout_session_id, id)).body).toMatchObject({ status: 'succeeded', merchant_id: other });
    // The card is recognized at each of these merchants.
    const again = (await servers.stripe).token('pm');
    expect(await save(other, caller, { token: again })).toBe(id);
  });

  test('does not offer the cards of an account that the merchant has left', async () => {
    const [merchant, caller] = [await newMerchant(), newCaller()];
    await connect(merchant, 'stripe', stripe());
    const id = await save(merchant, caller, { token: (await servers.stripe).token('pm') });
    await api.database.query(
      `update merchant_processors set processor_account = 'acct_another' where merchant_id = $1`,
      [merchant],
    );
    expect(await list(merchant, caller)).toMatchObject({ cards: [] });
    const { checkout_session_id } = await api.checkout({
      merchant_id: merchant,
      amount_cents: 1,
      caller_phone: caller,
    });
    expectError(await charge(checkout_session_id, id), 'needs_enrollment', 'instrument_id');
  });
});

describe('tokenization', () => {
  const read = async (merchant_id: string) => {
    const { checkout_session_id } = await api.checkout({ merchant_id, amount_cents: 100, caller_phone: newCaller() });
    return (await api.get(`/v1/checkout_sessions/${checkout_session_id}`)).body.tokenization;
  };
  const publishable = { publishable_key: 'pk_test_51StandIn0000000000000000' };

  test('returns no tokenization if the processor needs none', async () => expect(await read(DINER)).toBeNull());

  test('returns the publishable key and the connected account for Stripe', async () => {
    const merchant = await newMerchant();
    await connect(merchant, 'stripe', { secret_key: SECRET_KEY });
    expect(await read(merchant)).toBeNull();
    const config = { processor: 'stripe', public_key: publishable.publishable_key, environment: 'test' };
    await connect(merchant, 'stripe', { secret_key: SECRET_KEY, ...publishable });
    expect(await read(merchant)).toEqual({ ...config, location_id: null });
    await connect(merchant, 'stripe', { secret_key: SECRET_KEY, ...publishable, account_id: 'acct_1Connected' });
    expect(await read(merchant)).toEqual({ ...config, location_id: 'acct_1Connected' });
  });

  test('returns application and location for Square', async () => {
    const merchant = await newMerchant();
    await connect(merchant, 'square', {
      access_token: ACCESS_TOKEN,
      application_id: APPLICATION,
      location_id: LOCATION,
    });
    expect(await read(merchant)).toEqual({
      processor: 'square',
      public_key: APPLICATION,
      location_id: LOCATION,
      environment: 'sandbox',
    });
  });

  test('returns no tokenization if the credentials cannot be decrypted', async () => {
    const merchant = await newMerchant();
    await connect(merchant, 'stripe', { secret_key: SECRET_KEY, ...publishable });
    await api.database.query(`update merchant_processors set credentials = 'x' || credentials where merchant_id = $1`, [
      merchant,
    ]);
    expect(await read(merchant)).toBeNull();
  });
});

test('offers and charges no saved cards with RINGKEY_SAVED_CARDS=off', async () => {
  const own = await startTestApi({ savedCards: false });
  try {
    const checkout = await own.checkout({ merchant_id: 'mer_demo_diner', amount_cents: 4250, caller_phone: CALLER });
    expect(checkout).toMatchObject({ payment_required: 'required', cards: [], default_card_id: null });
    const { checkout_session_id } = checkout;
    const read = await own.get(`/v1/checkout_sessions/${checkout_session_id}`);
    expect(read.body).toMatchObject({ cards: [], default_card_id: null });
    const charged = await own.post('/v1/charge', { checkout_session_id, instrument_id: 'card_demo_visa' });
    expectError(charged, 'needs_enrollment', 'instrument_id');
  } finally {
    await own.close();
  }
});
