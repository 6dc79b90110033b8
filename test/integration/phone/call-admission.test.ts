/**
 * Call admission, and what it undoes when a call fails half-way: a real database, and engines that answer as the test
 * says.
 */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Sql } from '../../../src/db/pool.ts';
import { insertSession, type NewSession } from '../../../src/db/sessions/sessions.ts';
import { newId, parseId, randomToken } from '../../../src/domain/ids.ts';
import type { E164 } from '../../../src/domain/phone-number.ts';
import { Secret } from '../../../src/domain/secret.ts';
import { DEMO_ACCOUNT, seedDemo } from '../../../src/local/standalone/demo-data.ts';
import { CallAdmission } from '../../../src/phone/call-admission.ts';
import type { PhoneDeps, PhoneSettings } from '../../../src/phone/deps.ts';
import type { OverloadCause } from '../../../src/phone/load/overload.ts';
import {
  CallerGone,
  type CallLeg,
  DialFailure,
  type IncomingCall,
  type KeySink,
  type LegEnd,
  type MediaLeg,
  type MediaPool,
  NoMedia,
  type SipEdge,
} from '../../../src/phone/ports.ts';
import { deferred } from '../../support/deferred.ts';
import { useTestDatabase } from '../../support/fixtures.ts';
import { createTestMerchant } from '../../support/test-merchants.ts';

const db = useTestDatabase();
beforeAll(async () => {
  await seedDemo(db.database);
});

/** Call admission with stand-ins for the engines; a test changes the answer it is about. */
class AdmissionHarness {
  handler: (call: IncomingCall) => void = () => undefined;
  sql: Sql = db.database;
  mediaAnswer: () => Promise<void> = () => Promise.resolve();
  overload: OverloadCause | null = null;
  readonly refusals: unknown[] = [];
  retryAfter: string | null = null;
  destroyed = 0;
  /** Comes as soon as the media leg is there. */
  readonly earlyKey = Secret.of('4');
  readonly admission: CallAdmission;

  /**
   * @param lookUpMs limit of a database step; long, so that a busy machine does not reach it
   * @param maxCallsPerAccount more than a test leaves live
   * @param numbers settings of calls to a number
   */
  constructor(lookUpMs = 30_000, maxCallsPerAccount = 1_000, numbers: Partial<PhoneSettings> = {}) {
    const edge: SipEdge = {
      onCall: (handler) => {
        this.handler = handler;
      },
      takeCalls: () => undefined,
      dial: () => Promise.reject(new DialFailure(404)),
      lostDialog: () => new Leg(),
      endDialogs: () => undefined,
      connected: true,
      close: () => Promise.resolve(),
    };
    const pool: MediaPool = {
      answerOffer: (_sdp, onKey) => this.#leg(onKey),
      makeOffer: (onKey) => this.#leg(onKey),
      replace: (_lost, onKey) => this.#leg(onKey),
      takeUnendedKeys: (_instead, _sdp, onKey) => this.#leg(onKey),
      connected: true,
      onChange: () => undefined,
      close: () => Promise.resolve(),
    };
    const quiet = () => undefined;
    const deps: PhoneDeps = {
      edge,
      pool,
      vault: null,
      lease: { id: 999, instance: 'test', held: true, alone: true, onChange: () => undefined },
      sql: { query: ((...args: Parameters<Sql['query']>) => this.sql.query(...args)) as Sql['query'] },
      speech: { files: () => Promise.resolve(['/a.wav']), words: () => '', spokenLanguage: () => 'en-US' },
      progress: { publish: quiet, subscribe: () => quiet },
      takesKeypad: () => true,
      takesSavedCards: () => true,
      canKeepCards: () => false,
      links: { canSend: () => false, send: () => Promise.reject(new Error('nobody is texted here')) },
      pay: () => Promise.reject(new Error('nobody pays here')),
      log: { info: quiet, warn: quiet, error: quiet },
      settings: {
        maxCalls: 10,
        hasSmsCarrier: false,
        returnMode: 'auto',
        sipDomain: 'pay.example.com',
        trunks: [],
        directTrunks: [],
        trunkCountry: null,
        trunkTarget: null,
        trunkCredentials: null,
        returnCredentials: [],
        returnAllowed: [],
        transferNumbers: { owned: [], unassigned: null },
        numberUnknown: 'reject',
        maxCallsPerAccount,
        ...numbers,
      },
      limits: { lookUpMs },
      load: { refuses: () => this.overload },
      onRefusal: (...refusal) => void this.refusals.push(refusal),
    };
    this.admission = new CallAdmission(deps);
  }

  async #leg(onKey: KeySink | null): Promise<MediaLeg> {
    await this.mediaAnswer();
    onKey?.(this.earlyKey, 'telephone_event');
    return {
      id: 'media',
      localSdp: 'v=0',
      play: () => new Promise(() => undefined),
      stop: () => undefined,
      detectTones: () => undefined,
      ignoreTones: () => undefined,
      receivesEvents: () => Promise.resolve(false),
      lost: new Promise(() => undefined),
      ring: () => undefined,
      quality: null,
      negotiate: () => Promise.reject(new Error('not usable')),
      bridge: () => Promise.resolve(),
      destroy: () => {
        this.destroyed += 1;
        return Promise.resolve();
      },
    };
  }

  /** Sends an INVITE. @returns the status of the refusal, or the leg that was answered */
  invite(user: string, change: Partial<IncomingCall> = {}): Promise<number | Leg> {
    return new Promise((resolve) => {
      this.handler({
        sipCallId: newId('Call'),
        dialogId: 'd',
        requestUser: user,
        calledNumber: null,
        divertedFrom: [],
        callingNumber: null,
        sourceAddress: '127.0.0.1',
        allowsRefer: false,
        offerSdp: 'v=0',
        attestation: { verstats: [], levels: [], identities: [] },
        receivedAt: new Date(),
        canceled: new AbortController().signal,
        reject: (status, headers = {}) => {
          this.retryAfter = headers['Retry-After'] ?? null;
          resolve(status);
        },
        answer: () => {
          const leg = new Leg();
          resolve(leg);
          return Promise.resolve(leg);
        },
        ...change,
      });
    });
  }
}

class Leg implements CallLeg {
  readonly sipCallId = 'x';
  readonly dialogId = 'd';
  readonly localContact = '<sip:x>';
  readonly facts = {
    callId: 'x',
    from: '<sip:x>;tag=1',
    to: '<sip:y>;tag=2',
    target: 'sip:y',
    routes: [],
    contact: '<sip:x>',
  };
  readonly reachable = true;
  readonly remoteSdp = '';
  hangUps = 0;
  end: (end: LegEnd) => void = () => undefined;
  readonly ended = new Promise<LegEnd>((resolve) => {
    this.end = resolve;
  });
  readonly onOffer = () => undefined;
  readonly offer = () => Promise.reject(new Error('nobody answers'));
  refer() {
    const result = Promise.resolve({ accepted: true } as const);
    return { result, succeededLate: new AbortController().signal };
  }
  hangUp(): Promise<void> {
    this.hangUps += 1;
    this.end({ by: 'us' });
    return Promise.resolve();
  }
}

let harness: AdmissionHarness;
beforeEach(() => {
  harness = new AdmissionHarness();
});

async function checkout(of: Partial<NewSession> = {}): Promise<{ user: string; id: string }> {
  const id = newId('CheckoutSession');
  const token = randomToken();
  await insertSession(db.database, {
    id,
    accountId: DEMO_ACCOUNT,
    mode: 'test',
    merchantId: parseId('Merchant', 'mer_demo_diner'),
    consumerId: null,
    verdict: 'required',
    amount: { amountCents: 100, currency: 'USD' },
    amountSource: 'request',
    callerPhone: null,
    orderId: null,
    platformCallId: null,
    returnTo: null,
    successMessage: null,
    failureMessage: null,
    lineItems: [],
    metadata: {},
    transferToken: token,
    ttlSeconds: 60,
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
  it('without media gets 503, or 488 without a codec; its row is closed', async () => {
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

  it('canceled between the look-up and the answer leaves nothing behind', async () => {
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

  it('without an offer, whose answer in the ACK can not be used, is hung up', async () => {
    const { user, id } = await checkout();
    const leg = (await harness.invite(user, { offerSdp: null })) as Leg;
    await harness.admission.idle();
    expect([leg.hangUps, harness.destroyed]).toEqual([1, 1]);
    expect(await rowsOf(id)).toMatchObject([{ ended: true }]);
  });

  it('for which the engine throws something unexpected gets 503, and its row is closed', async () => {
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

  /** Live calls of an account of its own, up to its limit of two. */
  async function fullAccount() {
    const { accountId, merchantId, mode } = await createTestMerchant(db.database);
    const userOf = async () => (await checkout({ accountId, merchantId, mode })).user;
    harness = new AdmissionHarness(30_000, 2);
    const elsewhere = new AdmissionHarness(30_000, 2);
    const legs = [await harness.invite(await userOf()), await elsewhere.invite(await userOf())] as const;
    return { accountId, userOf, legs, elsewhere };
  }

  it('with its most calls, over all processes, gets 503 for more; others do not', async () => {
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

  it('is not full of calls whose process is dead', async () => {
    const { accountId, userOf, legs, elsewhere } = await fullAccount();
    for (const leg of legs) (leg as Leg).end({ by: 'them' });
    await Promise.all([harness.admission.idle(), elsewhere.admission.idle()]);
    // As a process leaves them whose lease is gone.
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

  it('refuses more calls with 503 and Retry-After, and leaves those that are up alone', async () => {
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
  it('too slow for the look-up: 503', async () => {
    harness = new AdmissionHarness(100);
    const { user } = await checkout();
    harness.sql = { query: (() => new Promise(() => undefined)) as unknown as Sql['query'] };
    expect(await harness.invite(user)).toBe(503);
  });

  it('too slow for the row: 503, the media is freed, and the row that came late is closed', async () => {
    harness = new AdmissionHarness(1_500);
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
    const again = (await new AdmissionHarness().invite(user)) as Leg;
    again.end({ by: 'them' });
  });
});

describe('callers of a number of ours of whom no session waits, where they are told so', () => {
  const NUMBER = '+15550190000';
  const callers = (numberUnknown: PhoneSettings['numberUnknown'] = 'speak') =>
    new AdmissionHarness(30_000, 1_000, {
      numberUnknown,
      trunks: ['192.0.2.0/24'],
      transferNumbers: { owned: [{ number: NUMBER as E164, accountId: DEMO_ACCOUNT, mode: 'test' }], unassigned: null },
    });
  const stranger = { sourceAddress: '192.0.2.1', callingNumber: '+15550100099' };

  it('are answered four at a time, however many come; one that has gone makes room', async () => {
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

  it('are told also where they withhold their number; not from elsewhere, nor at a number that is not ours', async () => {
    const { invite, admission } = harnessOf(callers());
    expect(await invite(NUMBER, { ...stranger, callingNumber: 'anonymous' })).toBeInstanceOf(Leg);
    expect(await invite(NUMBER, { ...stranger, sourceAddress: '198.51.100.1' })).toBe(403);
    expect(await invite('+15550190009', stranger)).toBe(404);
    expect(await invite('somebody', stranger)).toBe(404);
    admission.closeAll();
    await admission.idle();
  });

  it('get 404 where they are not', async () => {
    const { invite } = harnessOf(callers('reject'));
    expect(await invite(NUMBER, stranger)).toBe(404);
  });

  const harnessOf = (one: AdmissionHarness) => ({
    invite: (user: string, change: Partial<IncomingCall>) => one.invite(user, change),
    admission: one.admission,
  });
  const countCalls = async () => (await db.database.query('select from calls')).rowCount;
});
