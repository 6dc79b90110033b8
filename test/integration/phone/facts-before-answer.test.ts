/** Facts in the database before a call is answered: said instead of the question for a card. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NewSession } from '../../../src/db/sessions/sessions.ts';
import { type CheckoutSessionId, newId } from '../../../src/domain/ids.ts';
import type { SipRequest } from '../../../src/local/softswitch/sip/index.ts';
import { PhoneHarness, UNREACHABLE_AGENT_URI } from './phone-harness.ts';

let harness: PhoneHarness;
beforeAll(async () => {
  harness = await PhoneHarness.start();
});
afterAll(() => harness.close());

/** Dials a checkout and lets the call end. @returns what the caller heard, and what the agent learned */
async function outcomeOf(id: CheckoutSessionId, uri: string) {
  const from = harness.said.entries.length;
  const caller = await harness.caller();
  expect(await caller.dial(uri)).toMatchObject({ status: 200 });
  const refer = await caller.followRefer();
  await harness.endedCall(id);
  // The greeting is looked up before the answer, even if it is not said.
  const said = harness.said.entries.slice(from).filter((line) => line !== 'greeting');
  return { said, ...headersOf(refer) };
}

function headersOf({ headers }: SipRequest) {
  const read = (wanted: string) => headers.find(({ name }) => name === wanted)?.value ?? null;
  return {
    outcome: read('X-Ringkey-Outcome'),
    reason: read('X-Ringkey-Reason'),
    charge: read('X-Ringkey-Charge'),
    ...(read('X-Ringkey-Captured') !== null && { captured: read('X-Ringkey-Captured') }),
  };
}

const checkout = (fields: Partial<NewSession> = {}) => harness.checkout({ returnTo: UNREACHABLE_AGENT_URI, ...fields });

/** A charge of the session whose payer has left, as a call leaves it. */
async function leavePending(id: CheckoutSessionId, source: 'phone' | 'page' | 'saved_card', isAnnounced = true) {
  const charge = newId('Charge');
  const { database } = harness.db;
  await database.query(
    `insert into charges (id, session_id, account_id, merchant_id, mode, amount_cents, currency, source, processor, resolve_at)
     select $1, id, account_id, merchant_id, mode, amount_cents, currency, $3, 'sandbox', now() + interval '1 hour'
       from checkout_sessions where id = $2`,
    [charge, id, source],
  );
  if (isAnnounced) await announcePending(id, charge);
  return charge;
}

async function announcePending(id: CheckoutSessionId, charge: string) {
  await harness.db.database.query(
    `insert into events (id, account_id, mode, session_id, charge_id, type, facts)
     select $1, account_id, mode, id, $3, 'checkout.pending', '{}' from checkout_sessions where id = $2`,
    [newId('Event'), id, charge],
  );
}

describe('a pending charge of the session', () => {
  it.each([
    ['an earlier call’s, not answered yet', 'phone', false, false],
    ['an earlier call’s, without an outcome', 'phone', true, true],
    ['the page’s, without an outcome', 'page', true, true],
    ['the agent’s, without an outcome', 'saved_card', true, true],
  ] as const)('%s means that the caller is asked for nothing', async (_, source, isAnnounced, textFollows) => {
    const { id, uri } = await checkout();
    const charge = await leavePending(id, source, isAnnounced);
    expect(await outcomeOf(id, uri)).toEqual({
      said: [`still_confirming ${textFollows ? 'with a text' : 'without a text'}`],
      outcome: 'pending',
      reason: null,
      charge,
    });
  });

  it('on the page makes the line wait while the bank asks the payer', async () => {
    const { id, uri } = await checkout();
    const charge = await leavePending(id, 'page', false);
    await harness.db.database.query(`update charges set action_deadline = now() + interval '5 minutes' where id = $1`, [
      charge,
    ]);
    const caller = await harness.caller();
    const from = harness.said.entries.length;
    await caller.dial(uri);
    const said = () => harness.said.entries.slice(from).filter((line) => line !== 'greeting');
    await harness.said.waitFor(() => said().includes('waiting_elsewhere'));
    // Its processor stops answering meanwhile.
    await harness.db.database.query('update charges set action_deadline = null where id = $1', [charge]);
    await announcePending(id, charge);
    harness.otherProgress.publish(id, 'charge_changed');
    const refer = await caller.followRefer();
    expect(said()).toEqual(['waiting_elsewhere', 'still_confirming with a text']);
    expect(headersOf(refer)).toEqual({ outcome: 'pending', reason: null, charge });
  });
});

describe('an order that another session has, too', () => {
  const orderId = () => `order_${newId('CheckoutSession')}`;

  it('and whose amount is held there is announced as held, also in the headers', async () => {
    const order = { orderId: orderId() };
    const [first, second] = [await checkout(order), await checkout(order)];
    const charge = newId('Charge');
    await harness.db.database.query(
      `insert into charges (id, session_id, account_id, merchant_id, mode, amount_cents, currency, source, processor,
                            capture, status, settled_at, resolve_at, processor_payment_id)
       select $1, id, account_id, merchant_id, mode, amount_cents, currency, 'phone', 'sandbox', 'manual', 'authorized',
              now(), now(), 'held_by_test' from checkout_sessions where id = $2`,
      [charge, first.id],
    );
    expect(await outcomeOf(second.id, second.uri)).toEqual({
      said: ['already_held'],
      outcome: 'succeeded',
      reason: null,
      charge,
      captured: 'no',
    });
  });

  it('and that was paid there is announced as paid', async () => {
    const order = { orderId: orderId() };
    const [first, second] = [await checkout(order), await checkout(order)];
    await harness.payElsewhere(first.id);
    const { rows } = await harness.db.database.query('select id from charges where session_id = $1', [first.id]);
    expect(await outcomeOf(second.id, second.uri)).toEqual({
      said: ['already_paid'],
      outcome: 'succeeded',
      reason: null,
      charge: rows[0]?.id,
    });
  });

  it('and that was partly paid there is announced as partly paid', async () => {
    const order = { orderId: orderId() };
    const [first, second] = [await checkout(order), await checkout(order)];
    await harness.payElsewhere(first.id);
    await harness.db.database.query('update charges set remaining_cents = 1500 where session_id = $1', [first.id]);
    expect(await outcomeOf(second.id, second.uri)).toMatchObject({
      said: ['already_paid 1500 left'],
      outcome: 'succeeded',
    });
  });

  it('and that is pending there must not be paid again, and no text is promised', async () => {
    const order = { orderId: orderId() };
    const [first, second] = [await checkout(order), await checkout(order)];
    const charge = await leavePending(first.id, 'phone');
    expect(await outcomeOf(second.id, second.uri)).toEqual({
      said: ['still_confirming without a text'],
      outcome: 'pending',
      reason: null,
      charge,
    });
  });

  it('and that may be paid again makes the line ask for the card', async () => {
    const order = { orderId: orderId(), allowRepeat: true };
    const [first, second] = [await checkout(order), await checkout(order)];
    await harness.payElsewhere(first.id);
    const caller = await harness.caller();
    await caller.dial(second.uri);
    await harness.keyCard(caller);
    expect(headersOf(await caller.followRefer())).toMatchObject({ outcome: 'succeeded' });
  });
});

it('after five declines the line asks for no card', async () => {
  const { id, uri } = await checkout();
  for (let time = 0; time < 5; time += 1) await harness.payElsewhere(id, 'insufficient_funds', { isDelivered: false });
  expect(await outcomeOf(id, uri)).toMatchObject({
    said: ['too_many_attempts'],
    outcome: 'failed',
    reason: 'too_many_attempts',
  });
});

it('the line asks for no card of a merchant without a processor', async () => {
  const { id, uri } = await checkout();
  await harness.db.database.query(`update merchants set processor = null where id = 'mer_demo_diner'`);
  try {
    expect(await outcomeOf(id, uri)).toMatchObject({ said: ['merchant_fault'], outcome: 'failed', reason: 'error' });
  } finally {
    await harness.db.database.query(`update merchants set processor = 'sandbox' where id = 'mer_demo_diner'`);
  }
});

it('the caller hears that the agent was paid between lookup and answer', async () => {
  const { id, uri } = await checkout();
  const charge = await leavePending(id, 'saved_card', false);
  // The charge is settled and its session not completed yet: what a call at this moment reads.
  await harness.db.database.query(`update charges set status = 'succeeded', settled_at = now() where id = $1`, [
    charge,
  ]);
  expect(await outcomeOf(id, uri)).toMatchObject({ said: ['already_paid'], outcome: 'succeeded', charge });
});
