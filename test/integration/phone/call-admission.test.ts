/** Call admission, and how it cleans up after a failure: a real database, and engines that answer as a test says. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Sql } from '../../../src/db/pool.ts';
import { insertSession, type NewSession } from '../../../src/db/sessions/sessions.ts';
import { newId, randomToken } from '../../../src/domain/ids.ts';
import type { E164 } from '../../../src/domain/phone-number.ts';
import { deferred } from '../../../src/lib/concurrency/deferred.ts';
import { DEMO_ACCOUNT, seedDemo } from '../../../src/local/standalone/demo-data.ts';
import type { PhoneSettings } from '../../../src/phone/deps.ts';
import { CallerGone, type IncomingCall, NoMedia } from '../../../src/phone/ports.ts';
import { useTestDatabase } from '../../support/fixtures.ts';
import { createTestMerchant } from '../../support/test-merchants.ts';
import { AdmissionHarness, Leg } from './admission-harness.ts';
import { sessionToPay } from './phone-records.ts';

const db = useTestDatabase();
beforeAll(async () => {
  await seedDemo(db.database);
});

let harness: AdmissionHarness;
beforeEach(() => {
  harness = new AdmissionHarness(db.database);
});

async function checkout(of: Partial<NewSession> = {}): Promise<{ user: string; id: string }> {
  const id = newId('CheckoutSession');
  const token = randomToken();
  await insertSession(db.database, {
    ...sessionToPay(id, token),
    callerPhone: null,
    orderId: null,
    platformCallId: null,
    ...of,
  });
  return { id, user: `${id}-${token}` };
}

const rowsOf = async (id: string) =>
  (
    await db.database.query(
      'select ended_at is not null as ended, outcome, timeline from calls where session_id = $1',
      [id],
    )
  ).rows;

describe('an incoming call', () => {
  it('without media gets 503, or 488 without a codec, and its row is closed', async () => {
    const { user, id } = await checkout();
    for (const [reason, status] of [
      ['no_server', 503],
      ['full', 503],
      ['no_common_codec', 488],
    ] as const) {
      harness.mediaAnswer = () => Promise.reject(new NoMedia(reason));
      expect(await harness.invite(user)).toBe(status);
      await harness.admission.idle();
    }
    expect(await rowsOf(id)).toEqual(Array.from({ length: 3 }, () => expect.objectContaining({ ended: true })));
  });

  it('to a session with a live call gets 486 and frees its media', async () => {
    const { user } = await checkout();
    const first = (await harness.invite(user)) as Leg;
    expect(await harness.invite(user)).toBe(486);
    expect(harness.destroyed).toBe(1);
    first.end({ by: 'them' });
    await harness.admission.idle();
    expect([harness.destroyed, harness.admission.calls]).toEqual([2, 0]);
  });

  it('canceled between lookup and answer leaves nothing behind', async () => {
    const { user, id } = await checkout();
    const canceled = new AbortController();
    harness.mediaAnswer = () => Promise.resolve(canceled.abort());
    await new Promise<void>((resolve) => {
      const answer = () => {
        resolve();
        return Promise.reject(new CallerGone());
      };
      void harness.invite(user, { canceled: canceled.signal, answer });
    });
    await harness.admission.idle();
    expect(harness.destroyed).toBe(1);
    expect(await rowsOf(id)).toMatchObject([{ ended: true, outcome: 'canceled' }]);
  });

  it.each(['canceled', 'refused', 'answered'])('that is %s leaves no early key behind', async (how) => {
    const { user } = await checkout();
    const held: number[] = [];
    const answer = () => {
      held.push(harness.earlyKey.length);
      return Promise.reject(how === 'canceled' ? new CallerGone() : new Error('no answer'));
    };
    const answered = harness.invite(user, how === 'answered' ? {} : { answer });
    if (how === 'answered') ((await answered) as Leg).end({ by: 'them' });
    await expect.poll(() => harness.admission.calls).toBe(0);
    await harness.admission.idle();
    expect(held).toEqual(how === 'answered' ? [] : [1]);
    expect(harness.earlyKey.length).toBe(0);
  });

  it('without an offer is hung up if the answer in its ACK is unusable', async () => {
    const { user, id } = await checkout();
    const leg = (await harness.invite(user, { offerSdp: null })) as Leg;
    await harness.admission.idle();
    expect([leg.hangUps, harness.destroyed]).toEqual([1, 1]);
    expect(await rowsOf(id)).toMatchObject([{ ended: true }]);
  });

  it('gets 503 if the engine throws an unexpected error, and its row is closed', async () => {
    const { user, id } = await checkout();
    harness.mediaAnswer = () => Promise.reject(new TypeError('undefined is not a function'));
    expect(await harness.invite(user)).toBe(503);
    await harness.admission.idle();
    expect(await rowsOf(id)).toMatchObject([{ ended: true }]);
  });
});

describe('an account', () => {
  const hangUp = async (leg: number | Leg, admission = harness.admission) => {
    (leg as Leg).end({ by: 'them' });
    await admission.idle();
  };

  /** Live calls of a separate account, up to its limit of two. */
  async function fullAccount() {
    const { accountId, merchantId, mode } = await createTestMerchant(db.database);
    const userOf = async () => (await checkout({ accountId, merchantId, mode })).user;
    harness = new AdmissionHarness(db.database, { maxCallsPerAccount: 2 });
    const elsewhere = new AdmissionHarness(db.database, { maxCallsPerAccount: 2 });
    const legs = [await harness.invite(await userOf()), await elsewhere.invite(await userOf())] as const;
    return { accountId, userOf, legs, elsewhere };
  }

  it('at its limit of calls in all processes gets 503, but other accounts do not', async () => {
    const { userOf, legs, elsewhere } = await fullAccount();
    const { user, id } = await checkout();
    const third = await userOf();
    expect(await harness.invite(third)).toBe(503);
    expect(await elsewhere.invite(third)).toBe(503);
    const stranger = await harness.invite(user);
    expect(stranger).toBeInstanceOf(Leg);
    expect(await rowsOf(id)).toMatchObject([{ ended: false }]);
    await hangUp(legs[1], elsewhere.admission);
    const again = await harness.invite(third);
    expect(again).toBeInstanceOf(Leg);
    for (const leg of [legs[0], stranger]) (leg as Leg).end({ by: 'them' });
    await hangUp(again);
  });

  it('does not count calls of dead processes', async () => {
    const { accountId, userOf, legs, elsewhere } = await fullAccount();
    for (const leg of legs) (leg as Leg).end({ by: 'them' });
    await Promise.all([harness.admission.idle(), elsewhere.admission.idle()]);
    // As after the loss of their process's lease.
    await db.database.query('update calls set ended_at = null, lease_id = 1000 where account_id = $1', [accountId]);
    await hangUp(await harness.invite(await userOf()));
    const { rows } = await db.database.query('select from calls where account_id = $1 and ended_at is null', [
      accountId,
    ]);
    expect(rows).toEqual([]);
  });
});

describe('an overloaded process', () => {
  const users = (count: number) => Promise.all(Array.from({ length: count }, async () => (await checkout()).user));

  it('refuses new calls with 503 and Retry-After, and does not affect live calls', async () => {
    const legs = (await Promise.all((await users(2)).map((user) => harness.invite(user)))) as Leg[];
    harness.overload = 'media_server';
    const { user, id } = await checkout();
    expect([await harness.invite(user), harness.retryAfter]).toEqual([503, '5']);
    expect(harness.refusals).toEqual([[503, 'media_server']]);
    expect(await rowsOf(id)).toEqual([]);
    expect(legs.map(({ hangUps }) => hangUps)).toEqual([0, 0]);
    harness.overload = null;
    const again = (await harness.invite(user)) as Leg;
    expect(again).toBeInstanceOf(Leg);
    for (const leg of [...legs, again]) leg.end({ by: 'them' });
    await harness.admission.idle();
  });
});

describe('a database', () => {
  it('that is too slow for the lookup causes 503', async () => {
    harness = new AdmissionHarness(db.database, { lookUpMs: 100 });
    const { user } = await checkout();
    harness.sql = { query: (() => new Promise(() => undefined)) as unknown as Sql['query'] };
    expect(await harness.invite(user)).toBe(503);
  });

  it('that is too slow for the row causes 503, frees the media, and the late row is closed', async () => {
    harness = new AdmissionHarness(db.database, { lookUpMs: 1_500 });
    const { user, id } = await checkout();
    const late = deferred<void>();
    const query = (...args: Parameters<Sql['query']>) => {
      if (!JSON.stringify(args).includes('insert into calls')) return db.database.query(...args);
      return late.promise.then(() => db.database.query(...args));
    };
    harness.sql = { query: query as unknown as Sql['query'] };
    expect(await harness.invite(user)).toBe(503);
    expect(harness.destroyed).toBe(1);
    late.resolve();
    await expect.poll(async () => (await rowsOf(id)).map(({ ended }) => ended)).toEqual([true]);
    const again = (await new AdmissionHarness(db.database).invite(user)) as Leg;
    again.end({ by: 'them' });
  });
});

describe('callers of our number without a waiting session', () => {
  const NUMBER = '+15550190000';
  const callers = (numberUnknown: PhoneSettings['numberUnknown'] = 'speak') =>
    new AdmissionHarness(db.database, {
      numbers: {
        numberUnknown,
        trunks: ['192.0.2.0/24'],
        transferNumbers: {
          owned: [{ number: NUMBER as E164, accountId: DEMO_ACCOUNT, mode: 'test' }],
          unassigned: null,
        },
      },
    });
  const stranger = { sourceAddress: '192.0.2.1', callingNumber: '+15550100099' };

  it('are answered four at a time, and the next one after one has left', async () => {
    const before = await countCalls();
    const { invite, admission } = harnessOf(callers());
    const all = await Promise.all(Array.from({ length: 10 }, () => invite(NUMBER, stranger)));
    const legs = all.filter((answer) => answer instanceof Leg);
    expect([legs.length, all.filter((answer) => answer === 404).length]).toEqual([4, 6]);
    legs[0]?.end({ by: 'them' });
    await expect.poll(() => admission.calls).toBe(3);
    expect(await invite(NUMBER, stranger)).toBeInstanceOf(Leg);
    admission.closeAll();
    await admission.idle();
    expect(legs.map(({ hangUps }) => hangUps)).toEqual([1, 1, 1, 1]);
    expect(await countCalls()).toBe(before);
  });

  it('hear the sentence also with a withheld number, but not from other sources or at other numbers', async () => {
    const { invite, admission } = harnessOf(callers());
    expect(await invite(NUMBER, { ...stranger, callingNumber: 'anonymous' })).toBeInstanceOf(Leg);
    expect(await invite(NUMBER, { ...stranger, sourceAddress: '198.51.100.1' })).toBe(403);
    expect(await invite('+15550190009', stranger)).toBe(404);
    expect(await invite('somebody', stranger)).toBe(404);
    admission.closeAll();
    await admission.idle();
  });

  it('get 404 if RINGKEY_NUMBER_UNKNOWN is reject', async () => {
    const { invite } = harnessOf(callers('reject'));
    expect(await invite(NUMBER, stranger)).toBe(404);
  });

  const harnessOf = (one: AdmissionHarness) => ({
    invite: (user: string, change: Partial<IncomingCall>) => one.invite(user, change),
    admission: one.admission,
  });
  const countCalls = async () => (await db.database.query('select from calls')).rowCount;
});
