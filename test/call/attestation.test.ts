/**
 * The carriers' attestation of a call: in the INVITE of a direct trunk, of a forger and of a platform's leg, and from
 * the account's own URL.
 */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { AudioSessions } from '../../src/local/scripted-caller/audio.ts';
import { DEMO_KEY, DEMO_SIGNING_SECRET } from '../../src/local/standalone/demo-data.ts';
import { createCheckout, eventually } from '../support/checkouts.ts';
import { startFakeAttestationUrl } from '../support/fake-attestation-url.ts';
import { startProduct, type TestProduct } from '../support/product.ts';
import { TestCaller } from '../support/test-caller.ts';

vi.setConfig({ testTimeout: 400_000 });

/** Another loopback address. Callers of 127.0.0.1 come through a trunk that is not direct. */
const DIRECT_TRUNK = new AudioSessions('127.0.0.2');
const OTHER_TRUNK = new AudioSessions('127.0.0.1');
const NUMBER = '+15550109999';
/** The demo's caller, who has a saved card at the diner. */
const asserted = (verstat: string) => ({
  'P-Asserted-Identity': `<sip:+15550101234;verstat=${verstat}@trunk.example.com;user=phone>`,
});

let product: TestProduct;
const callers: TestCaller[] = [];

beforeAll(async () => {
  product = await startProduct({
    // A long limit, because the account's URL is served by this process.
    RINGKEY_NUMBER_LOOKUP_SECONDS: '30',
    RINGKEY_TRUNKS: '127.0.0.0/8',
    RINGKEY_DIRECT_TRUNKS: '127.0.0.2/32',
    RINGKEY_TRANSFER_NUMBER: NUMBER,
  });
});
afterAll(async () => {
  for (const caller of callers) await caller.close();
  await product.close();
});

async function request(method: string, path: string, body?: object) {
  const response = await fetch(`${product.baseUrl}/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${DEMO_KEY}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
const read = async (id: string) => (await request('GET', `checkout_sessions/${id}`)).body;

/** A call to the number, or with `byToken` to the session's own address. */
async function call(verstat: string, trunk: AudioSessions, byToken = false): Promise<TestCaller> {
  const checkout = await createCheckout(product);
  const host = checkout.transferTo.slice(checkout.transferTo.indexOf('@'));
  const caller = await TestCaller.create(product, {
    checkout,
    audio: trunk,
    headers: asserted(verstat),
    uriOf: (transferTo) => (byToken ? transferTo : `sip:${NUMBER}${host}`),
  });
  callers.push(caller);
  await caller.dial();
  return caller;
}

test('create_checkout asks the account’s own URL and the sandbox for the attestation', async () => {
  const fake = await startFakeAttestationUrl(DEMO_SIGNING_SECRET);
  fake.calls.set('CA-forged', { status: 200, body: { attestation: 'Failed' } });
  // On a busy machine, the answer may arrive after create_checkout.
  const expectScreened = async (platform_call_id: string, expected: object) => {
    const fields = { merchant_id: 'mer_demo_diner', amount_cents: 100, caller_phone: '+15550101234', platform_call_id };
    const { body } = await request('POST', 'create_checkout', fields);
    const id = String(body.checkout_session_id);
    await eventually(180_000, async () => expect(await read(id)).toMatchObject(expected));
  };
  try {
    expect(await request('PATCH', 'account', { attestation_url: fake.url })).toMatchObject({ status: 200 });
    await expectScreened('CA-forged', {
      cards: [],
      screen: { decision: 'step_up', reasons: ['attestation_failed'], attestation: 'Failed' },
    });
    await expectScreened('CA-unknown', {
      cards: [{}],
      screen: { decision: 'allow', notes: ['attestation_missing'] },
    });
    await expectScreened('test_attested_c', { cards: [], screen: { reasons: ['attestation_c'] } });
    expect(fake.violations).toEqual([]);
  } finally {
    await request('PATCH', 'account', { attestation_url: null });
    await fake.close();
  }
});

const savedCard = async () => {
  const { body } = await request('POST', 'create_checkout', {
    merchant_id: 'mer_demo_diner',
    amount_cents: 100,
    caller_phone: '+15550101234',
  });
  return (body.cards as { instrument_id: string }[])[0]?.instrument_id ?? '';
};

test('a call with a failed signature is offered and charged no saved card', async () => {
  const instrument_id = await savedCard();
  expect(instrument_id).toMatch(/^card_/);
  const caller = await call('TN-Validation-Failed', DIRECT_TRUNK);
  expect(await caller.waitForSentence(/card number/)).not.toMatch(/press one/i);
  const { id } = caller.checkout;
  await eventually(180_000, async () =>
    expect(await read(id)).toMatchObject({
      cards: [],
      screen: { decision: 'step_up', reasons: ['attestation_failed'], attestation: 'Failed' },
    }),
  );
  const refused = await request('POST', 'charge', { checkout_session_id: id, instrument_id });
  expect(refused).toMatchObject({
    status: 422,
    body: { error: { code: 'needs_enrollment', agent_action: 'send_link' } },
  });
  await caller.hangUp();
});

test('a call with a full attestation is offered the saved card', async () => {
  const caller = await call('TN-Validation-Passed', DIRECT_TRUNK);
  await caller.waitForSentence(/press one/i);
  await eventually(180_000, async () =>
    expect((await read(caller.checkout.id)).screen).toMatchObject({ decision: 'allow', attestation: 'A' }),
  );
  await caller.hangUp();
});

test('the attestation from a trunk that is not direct is ignored', async () => {
  const caller = await call('TN-Validation-Failed', OTHER_TRUNK);
  await caller.waitForSentence(/press one/i);
  await caller.hangUp();
  expect((await read(caller.checkout.id)).screen).toMatchObject({ decision: 'allow', attestation: null });
});

test('the attestation of a transferring platform’s leg is only a note', async () => {
  const caller = await call('TN-Validation-Passed-C', DIRECT_TRUNK, true);
  await caller.waitForSentence(/press one/i);
  await eventually(180_000, async () =>
    expect((await read(caller.checkout.id)).screen).toMatchObject({
      decision: 'allow',
      reasons: [],
      attestation: null,
      notes: ['platform_leg_attested_c'],
    }),
  );
  await caller.hangUp();
});
