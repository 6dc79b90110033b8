/** Changing the language on a call, over SIP and RTP: 9 as the first key, and what the session stores. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findLanguage } from '../../../src/db/sessions/languages.ts';
import type { NewSession } from '../../../src/db/sessions/sessions.ts';
import { type CheckoutSessionId, parseId } from '../../../src/domain/ids.ts';
import { DEMO_ACCOUNT } from '../../../src/local/standalone/demo-data.ts';
import { PhoneHarness } from './phone-harness.ts';

let harness: PhoneHarness;
beforeAll(async () => {
  harness = await PhoneHarness.start();
});
afterAll(() => harness.close());

/** English, with Spanish as the second language. */
const MARKET = parseId('Merchant', 'mer_demo_market');

/** A call during its greeting. `languages`: those of its lines so far. */
async function greeted(overrides: Partial<NewSession> = {}) {
  const [from, first] = [harness.said.entries.length, harness.languages.length];
  const { caller, id } = await harness.answered({ merchantId: MARKET, callerPhone: null, ...overrides });
  const said = () => harness.said.entries.slice(from);
  const greetings = (count: number) =>
    harness.said.waitFor(() => said().filter((line) => line === 'greeting').length >= count);
  return { id, caller, greetings, languages: () => harness.languages.slice(first) };
}

const languageOf = (id: CheckoutSessionId) => findLanguage(harness.db.database, 'checkout_sessions', DEMO_ACCOUNT, id);

it('9 greets in the second language, which holds for the call and its session', async () => {
  const { id, caller, greetings, languages } = await greeted();
  await greetings(1);
  await caller.press('9');
  await greetings(2);
  await harness.keyCard(caller);
  expect(await caller.ended()).toBe('remote');
  expect(await harness.endedCall(id)).toMatchObject({ outcome: 'succeeded' });
  expect(languages()[0]).toBe('en-US');
  expect(new Set(languages().slice(1))).toEqual(new Set(['es']));
  expect(await languageOf(id)).toBe('es');
  const { rows } = await harness.db.database.query('select id from charges where session_id = $1', [id]);
  expect(await findLanguage(harness.db.database, 'charges', DEMO_ACCOUNT, String(rows[0]?.id))).toBe('es');
});

it('a call in the second language can change to the first', async () => {
  const { id, caller, greetings, languages } = await greeted({ language: 'es-MX' });
  await greetings(1);
  await caller.press('9');
  await greetings(2);
  await caller.hangUp();
  await harness.endedCall(id);
  expect(languages()).toEqual(['es-MX', 'en-US']);
  expect(await languageOf(id)).toBe('en-US');
});

it('9 is a digit if there is no second language', async () => {
  const { id, caller, greetings, languages } = await greeted({ merchantId: parseId('Merchant', 'mer_demo_diner') });
  await greetings(1);
  await caller.press('9');
  await caller.hangUp();
  await harness.endedCall(id);
  expect(languages()).toEqual(['en-US']);
  const { rows } = await harness.db.database.query('select chosen_language from checkout_sessions where id = $1', [id]);
  expect(rows).toEqual([{ chosen_language: null }]);
});
