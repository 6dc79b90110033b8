/** The agent's words are in the language of the merchant or the session: in checkouts, errors and reads. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkoutLine } from '../../src/contract/agent-lines.ts';
import type { ErrorCode } from '../../src/contract/error-catalogue.ts';
import { errorEntry, wordsOf } from '../../src/contract/errors.ts';
import { setChosenLanguage } from '../../src/db/sessions/languages.ts';
import type { DeclineCode } from '../../src/domain/charge.ts';
import type { CheckoutSessionId } from '../../src/domain/ids.ts';
import { CALLER, insertTestKeys } from './fixtures.ts';
import { type Answer, startTestApi, type TestApi } from './test-api.ts';

const LANGUAGE = 'es-MX';

let api: TestApi;
let merchant_id: string;
const cards: Record<string, string> = {};

beforeAll(async () => {
  api = await startTestApi();
  await insertTestKeys(api);
  const { body } = await api.post('/v1/merchants', { business_name: 'Taquería', language: LANGUAGE });
  merchant_id = String(body.merchant_id);
  await api.post(`/v1/merchants/${merchant_id}/processor`, { processor: 'sandbox' });
  for (const name of ['insufficient_funds', 'hangs_taken', 'visa']) {
    const saved = await api.post('/v1/cards', { merchant_id, caller_phone: CALLER, token: `tok_${name}` });
    cards[name] = String(saved.body.instrument_id);
  }
});
afterAll(() => api.close());

const open = (more: Record<string, unknown> = {}) =>
  api.checkout({ merchant_id, caller_phone: CALLER, amount_cents: 4250, ...more });
const charge = (checkout_session_id: string, card: string) =>
  api.post('/v1/charge', { checkout_session_id, instrument_id: cards[card] ?? card });

function expectSpanish({ body: { error } }: Answer, code: ErrorCode, declineCode: DeclineCode | null = null): void {
  const { agentMessage, displayMessage } = errorEntry(code, declineCode, 'es');
  expect(agentMessage).not.toBe(errorEntry(code, declineCode).agentMessage);
  expect(error).toMatchObject({ code, agent_message: agentMessage, display_message: displayMessage });
}

test('speaks the language of the merchant in a checkout', async () => {
  const said = checkoutLine({ language: LANGUAGE }, 'required', { takesKeypad: true, hasCards: true, canText: true });
  expect(said).toMatch(/línea de pago/);
  expect((await open()).agent_message).toBe(said);
});

test('speaks the language in errors about an unknown order', async () => {
  const request = { merchant_id, order_id: 'order_nowhere' };
  expectSpanish(await api.post('/v1/create_checkout', request), 'order_lookup_failed');
  expectSpanish(await api.get(`/v1/orders/order_nowhere?merchant_id=${merchant_id}`), 'order_lookup_failed');
});

test('speaks the language in a decline: in the answer, the session and the event', async () => {
  const { checkout_session_id: id } = await open();
  const declined = await charge(id, 'insufficient_funds');
  expectSpanish(declined, 'card_declined', 'insufficient_funds');
  const { agent_message } = declined.body.error;
  const read = await api.get(`/v1/checkout_sessions/${id}`);
  expect(read.body).toMatchObject({ charge: { failure: { agent_message } } });
  const events = await api.get(`/v1/events?checkout_session_id=${id}&type=checkout.failed`);
  expect(events.body.events).toMatchObject([
    { data: { charge: { failure: { agent_message } }, failure: { agent_message } } },
  ]);
});

test('speaks the language for an unknown outcome and the requests after it', async () => {
  const { checkout_session_id: id } = await open();
  const { error } = (await charge(id, 'hangs_taken')).body;
  const byText = wordsOf('outcome_by_text', 'es');
  expect(error).toMatchObject({ code: 'processor_unavailable', agent_message: byText.agentMessage });
  expect(error.display_message).toBe(byText.displayMessage);
  const events = await api.get(`/v1/events?checkout_session_id=${id}&type=checkout.pending`);
  const { agentMessage } = errorEntry('processor_unavailable', null, 'es');
  expect(events.body.events).toMatchObject([{ data: { failure: { agent_message: agentMessage } } }]);
});

test('speaks the language for unknown and unsaved cards', async () => {
  const { checkout_session_id: id } = await open();
  expectSpanish(await charge(id, 'card_nowhere'), 'instrument_not_found');
  const stranger = await open({ caller_phone: '+15550108888' });
  expectSpanish(await charge(stranger.checkout_session_id, 'card_nowhere'), 'needs_enrollment');
  const save = { merchant_id, caller_phone: CALLER, token: 'tok_nowhere' };
  expectSpanish(await api.post('/v1/cards', save), 'card_save_failed');
});

test('uses English for an unsupported language', async () => {
  await api.send('PATCH', `/v1/merchants/${merchant_id}`, { language: 'pt-BR' });
  try {
    const answer = await api.post('/v1/create_checkout', { merchant_id, order_id: 'order_nowhere' });
    expect(answer.body.error.agent_message).toBe(errorEntry('order_lookup_failed').agentMessage);
    expect((await open()).agent_message).toMatch(/^I'll transfer you/);
  } finally {
    await api.send('PATCH', `/v1/merchants/${merchant_id}`, { language: LANGUAGE });
  }
});

test("uses the caller's language in all messages", async () => {
  const french = checkoutLine({ language: 'fr' }, 'required', { takesKeypad: true, hasCards: true, canText: true });
  const opened = await open({ language: 'FR-ca' });
  expect(opened.agent_message).toBe(french);
  expect(opened.language).toBeUndefined();
  const id = opened.checkout_session_id;
  const { agentMessage } = errorEntry('card_declined', 'insufficient_funds', 'fr');
  const declined = await charge(id, 'insufficient_funds');
  expect(declined.body.error.agent_message).toBe(agentMessage);
  const read = await api.get(`/v1/checkout_sessions/${id}`);
  expect(read.body).toMatchObject({ charge: { failure: { agent_message: agentMessage } } });
  expect(read.body).not.toHaveProperty('language');
  const events = await api.get(`/v1/events?checkout_session_id=${id}&type=checkout.failed`);
  expect(events.body.events).toMatchObject([{ data: { failure: { agent_message: agentMessage } } }]);
  const missing = await api.post('/v1/create_checkout', { merchant_id, order_id: 'order_nowhere', language: 'de' });
  expect(missing.body.error.agent_message).toBe(errorEntry('order_lookup_failed', null, 'de').agentMessage);
});

test('does not ask for the card if the processor accepts none by keypad', async () => {
  await api.post(`/v1/merchants/${merchant_id}/processor`, { processor: 'sandbox_page' });
  try {
    const ways = { takesKeypad: false, hasCards: true, canText: true };
    const said = checkoutLine({ language: LANGUAGE }, 'required', ways);
    expect(said).not.toMatch(/tarjeta/);
    expect((await open()).agent_message).toBe(said);
  } finally {
    await api.post(`/v1/merchants/${merchant_id}/processor`, { processor: 'sandbox' });
  }
});

test('ignores an unsupported language of the caller', async () => {
  const spanish = checkoutLine({ language: LANGUAGE }, 'required', {
    takesKeypad: true,
    hasCards: true,
    canText: true,
  });
  for (const language of ['it', 'zz-Latn-US', null]) expect((await open({ language })).agent_message).toBe(spanish);
});

test.each(['español', 'en_US', 'e', '-', 'x'.repeat(40), 9, ['es']])('rejects the language %j', async (language) => {
  const { status, body } = await api.post('/v1/create_checkout', { merchant_id, amount_cents: 100, language });
  expect(status).toBe(400);
  expect(body.error).toMatchObject({ code: 'invalid_value', param: 'language' });
});

test('uses the language that the caller chose on the phone', async () => {
  const { checkout_session_id: id } = await open({ language: 'fr' });
  await setChosenLanguage(api.database, id as CheckoutSessionId, 'de-AT');
  const declined = await charge(id, 'insufficient_funds');
  expect(declined.body.error.agent_message).toBe(errorEntry('card_declined', 'insufficient_funds', 'de').agentMessage);
});

test('accepts a language in the tool form', async () => {
  const body = { amount_cents: 4250, language: 'de' };
  const { slug } = (await api.get(`/v1/merchants/${merchant_id}`)).body;
  const { status, body: opened } = await api.send('POST', '/api/tools/create_checkout', body, {
    'x-ringkey-merchant': String(slug),
  });
  expect(status).toBe(200);
  const declined = await charge(String(opened.id), 'card_nowhere');
  expect(declined.status).toBe(422);
});
