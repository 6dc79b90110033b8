/**
 * `text_after_drop`: a caller whose call broke off unpaid gets the pay link by text, once per session, by the rules of
 * send_link.
 */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProcessors } from '../../../src/app/payments.ts';
import { startWorker } from '../../../src/app/worker.ts';
import { textNextAfterDrop } from '../../../src/checkout/text-after-drop.ts';
import { closeLostCalls } from '../../../src/db/calls/lost-calls.ts';
import type { Database } from '../../../src/db/pool.ts';
import type { NewSession } from '../../../src/db/sessions/sessions.ts';
import type { CheckoutSessionId } from '../../../src/domain/ids.ts';
import { createVault } from '../../../src/lib/vault/vault.ts';
import { eventually } from '../../support/checkouts.ts';
import { NO_TEXT_LIMITS } from '../../support/fixtures.ts';
import { PhoneHarness, UNREACHABLE_AGENT_URI } from './phone-harness.ts';

let harness: PhoneHarness;
beforeAll(async () => {
  harness = await PhoneHarness.start();
  await wantTexts(true);
});
afterAll(() => harness.close());

const quiet = () => undefined;
const log = { info: quiet, warn: quiet, error: quiet };
const links = {
  vault: createVault([randomBytes(32)]),
  get processors() {
    return createProcessors(harness.db.database);
  },
  linkBase: () => 'https://pay.example.com',
  hasSmsCarrier: false,
  textLimits: NO_TEXT_LIMITS,
};
const depsOn = (database: Database) => ({ ...links, database, log });
/** A number without another session here. */
let callers = 0;
function number() {
  callers += 1;
  return `+1555020${String(callers).padStart(4, '0')}`;
}

async function wantTexts(isWanted: boolean) {
  await harness.db.database.query(`update merchants set text_after_drop = $1 where id = 'mer_demo_diner'`, [isWanted]);
}

/** A checkout whose call broke off while the card was keyed. */
async function brokenOff(fields: Partial<NewSession> = {}) {
  const call = await harness.answered({ returnTo: UNREACHABLE_AGENT_URI, callerPhone: number(), ...fields });
  await hangUpMidCard(call);
  return call;
}

async function hangUpMidCard({ caller, id }: Awaited<ReturnType<PhoneHarness['answered']>>) {
  await caller.press('4242424242424242');
  await eventually(180_000, async () => expect((await harness.call(id))?.answered_at).not.toBeNull());
  await caller.hangUp();
  await harness.endedCall(id);
}

/** When the text is due, in seconds after the end of the call. Null: it was texted. Undefined: none is due. */
async function dueAfter(id: CheckoutSessionId): Promise<number | null | undefined> {
  const { rows } = await harness.db.database.query<{ seconds: number | null }>(
    `select extract(epoch from due_at - broke_off_at)::integer as seconds from texts_after_drop where session_id = $1`,
    [id],
  );
  return rows[0]?.seconds;
}

/** Ends the 20 seconds of this session alone, then does what is due. */
async function whenDue(id: CheckoutSessionId, database = harness.db.database) {
  await harness.db.database.query('update texts_after_drop set due_at = now() where session_id = $1', [id]);
  while ((await textNextAfterDrop(depsOn(database))).more);
}

async function texts(id: CheckoutSessionId): Promise<number> {
  const { rows } = await harness.db.database.query(`select id from texts where session_id = $1 and kind = 'pay_link'`, [
    id,
  ]);
  return rows.length;
}

describe('a call that broke off while a card was keyed', () => {
  it('has the link texted twenty seconds later', async () => {
    const { id } = await brokenOff();
    expect(await dueAfter(id)).toBe(20);
    expect(await texts(id)).toBe(0);
    await whenDue(id);
    expect([await texts(id), await dueAfter(id)]).toEqual([1, null]);
  });

  it('has the link texted only once per session', async () => {
    const first = await brokenOff();
    await whenDue(first.id);
    // So that the sixty seconds of send_link are not the reason.
    await harness.db.database.query(
      `update pay_links set texted_at = array[now() - interval '2 hours'] where session_id = $1`,
      [first.id],
    );
    const again = await harness.caller();
    await again.dial(first.uri);
    await hangUpMidCard({ ...first, caller: again });
    expect(await dueAfter(first.id)).toBeNull();
    await whenDueAll();
    expect(await texts(first.id)).toBe(1);
  });

  it('and whose caller calls again has none until that call breaks off, too', async () => {
    const { id, uri } = await brokenOff();
    const again = await harness.caller();
    await again.dial(uri);
    await whenDue(id);
    expect([await texts(id), await dueAfter(id)]).toEqual([0, undefined]);
    await hangUpMidCard({ id, uri, caller: again });
    await whenDue(id);
    expect(await texts(id)).toBe(1);
  });

  it('and was paid meanwhile has none', async () => {
    const { id } = await brokenOff();
    await harness.payElsewhere(id);
    await whenDue(id);
    expect([await texts(id), await dueAfter(id)]).toEqual([0, undefined]);
  });

  it('and whose order was paid by another checkout meanwhile has none', async () => {
    const orderId = `order_${number()}`;
    const { id } = await brokenOff({ orderId });
    await harness.payElsewhere((await harness.checkout({ orderId, callerPhone: number() })).id);
    await whenDue(id);
    expect([await texts(id), await dueAfter(id)]).toEqual([0, undefined]);
  });

  it('and whose caller has a newer checkout with the merchant has none', async () => {
    const callerPhone = number();
    const { id } = await brokenOff({ callerPhone });
    await harness.checkout({ callerPhone });
    await whenDue(id);
    expect([await texts(id), await dueAfter(id)]).toEqual([0, undefined]);
  });

  it('has the link texted even if the number has older checkouts, and others have newer ones', async () => {
    const callerPhone = number();
    await harness.checkout({ callerPhone });
    const { id } = await brokenOff({ callerPhone });
    await harness.checkout({ callerPhone: number() });
    await whenDue(id);
    expect(await texts(id)).toBe(1);
  });

  it('and has expired meanwhile has none', async () => {
    const { id } = await brokenOff();
    await harness.db.database.query('update checkout_sessions set expires_at = now() where id = $1', [id]);
    await whenDue(id);
    expect(await texts(id)).toBe(0);
  });

  it('whose number has opted out of texts has none', async () => {
    const callerPhone = number();
    await harness.db.database.query('insert into text_opt_outs (phone, keyword) values ($1, $2)', [
      callerPhone,
      'STOP',
    ]);
    const { id } = await brokenOff({ callerPhone });
    await whenDue(id);
    expect(await texts(id)).toBe(0);
  });

  it('without a number has none', async () => {
    const { id } = await brokenOff({ callerPhone: null });
    await whenDue(id);
    expect(await texts(id)).toBe(0);
  });

  it('whose merchant has disabled it meanwhile has none', async () => {
    const { id } = await brokenOff();
    await wantTexts(false);
    try {
      await whenDue(id);
    } finally {
      await wantTexts(true);
    }
    expect(await texts(id)).toBe(0);
  });
});

describe('no text is sent after a call', () => {
  it('that the caller left for the agent', async () => {
    const { caller, id } = await harness.answered({ returnTo: UNREACHABLE_AGENT_URI, callerPhone: number() });
    await caller.press('**');
    await caller.followRefer();
    await harness.endedCall(id);
    expect(await dueAfter(id)).toBeUndefined();
  });

  it('that has paid', async () => {
    const { caller, id } = await harness.answered({ returnTo: UNREACHABLE_AGENT_URI, callerPhone: number() });
    await harness.keyCard(caller);
    await caller.followRefer();
    await harness.endedCall(id);
    expect(await dueAfter(id)).toBeUndefined();
  });

  it('of a merchant that has disabled it', async () => {
    await wantTexts(false);
    try {
      const { id } = await brokenOff();
      expect(await dueAfter(id)).toBeUndefined();
    } finally {
      await wantTexts(true);
    }
  });
});

it('a caller who hung up during a decline is texted, too', async () => {
  const { caller, id } = await harness.answered({ returnTo: UNREACHABLE_AGENT_URI, callerPhone: number() });
  const release = harness.holdPayments();
  const paymentCount = harness.payments.entries.length + 1;
  await harness.keyCard(caller, '4000000000000002');
  await harness.payments.waitForCount('asked', paymentCount);
  await caller.hangUp();
  release();
  harness.beforePayment = () => Promise.resolve();
  await expect.poll(() => harness.call(id)).toMatchObject({ outcome: 'failed', reason: 'declined' });
  expect(await dueAfter(id)).toBe(20);
});

it('a worker that dies before the end has texted nothing, and the next one texts once', async () => {
  const { id } = await brokenOff();
  const dying: Database = {
    ...harness.db.database,
    query: harness.db.database.query.bind(harness.db.database),
    transaction: (work) =>
      harness.db.database.transaction(async (sql) => {
        await work(sql);
        throw new Error('killed');
      }),
  };
  await expect(whenDue(id, dying)).rejects.toThrow('killed');
  expect(await texts(id)).toBe(0);
  await whenDue(id);
  expect(await texts(id)).toBe(1);
});

it('only one of several workers texts', async () => {
  const { id } = await brokenOff();
  await harness.db.database.query('update texts_after_drop set due_at = now() where session_id = $1', [id]);
  await Promise.all(Array.from({ length: 8 }, () => textNextAfterDrop(depsOn(harness.db.database))));
  expect(await texts(id)).toBe(1);
});

it('the worker finds a due text by itself', async () => {
  const { id } = await brokenOff();
  await harness.db.database.query('update texts_after_drop set due_at = now() where session_id = $1', [id]);
  const { database } = harness.db;
  const worker = startWorker({
    database,
    links,
    log,
    processors: [],
    pollMs: 100,
  });
  try {
    await eventually(180_000, async () => expect(await texts(id)).toBe(1));
  } finally {
    await worker.close();
  }
});

it('is not texted if the page takes no card for the merchant', async () => {
  const { id } = await brokenOff();
  const { database } = harness.db;
  await database.query(`update merchants set processor = 'checkoutcom' where id = 'mer_demo_diner'`);
  await whenDue(id);
  await database.query(`update merchants set processor = 'sandbox' where id = 'mer_demo_diner'`);
  expect([await texts(id), await dueAfter(id)]).toEqual([0, undefined]);
});

it('after the death of a process the text waits a minute, because the caller may return to the agent first', async () => {
  const { id } = await harness.checkout({ callerPhone: number() });
  await harness.db.database.query(
    `insert into calls (id, account_id, mode, session_id, instance, lease_id, sip_call_id, sip_dialogs, source_address,
       allows_refer, answered_at)
     select 'call_' || id, account_id, mode, id, 'dead', 987654, 'sip', '{}', '127.0.0.1', true, now()
       from checkout_sessions where id = $1`,
    [id],
  );
  // The phone of this test closes it as well, and the first one counts.
  await closeLostCalls(harness.db.database, { id: 1, instance: 'other' });
  await harness.endedCall(id);
  expect(await dueAfter(id)).toBe(60);
  await harness.db.database.query(`update calls set return_mode = 'refer' where session_id = $1`, [id]);
  await whenDue(id);
  expect(await texts(id)).toBe(0);
});

async function whenDueAll() {
  while ((await textNextAfterDrop(depsOn(harness.db.database))).more);
}
