/**
 * Phone and page at the same moment, 200 times from a seed: real payments, database and Redis, and engines that speak
 * at once, so that a call takes milliseconds. Never two charges, and never a wrong report.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { textLinkToCaller } from '../../../src/checkout/send-link.ts';
import { createSessionStateReader } from '../../../src/db/sessions/session-state.ts';
import { insertSession } from '../../../src/db/sessions/sessions.ts';
import type { Charge } from '../../../src/domain/charge.ts';
import { type CheckoutSessionId, newId, randomToken } from '../../../src/domain/ids.ts';
import { Secret } from '../../../src/domain/secret.ts';
import type { Line } from '../../../src/flow/lines.ts';
import { InFlight } from '../../../src/lib/concurrency/in-flight.ts';
import { createVault } from '../../../src/lib/vault/vault.ts';
import { openProgress, type RedisProgress } from '../../../src/notifications/progress/progress.ts';
import { type PaymentResult, takePayment } from '../../../src/payments/charges/take-payment.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import { CallAdmission } from '../../../src/phone/call-admission.ts';
import {
  type CallLeg,
  DialFailure,
  type IncomingCall,
  type KeySink,
  type LegEnd,
  type MediaLeg,
} from '../../../src/phone/ports.ts';
import { NO_TEXT_LIMITS, useTestDatabase } from '../../support/fixtures.ts';
import { type Random, seededRandom } from '../../support/random.ts';
import { createTestRedis, type TestRedis } from '../../support/redis.ts';
import { createTestMerchant } from '../../support/test-merchants.ts';
import { keyedCard } from '../payments/test-payments.ts';
import { UNREACHABLE_AGENT_URI } from './phone-harness.ts';
import { sessionToPay } from './phone-records.ts';
import { PHONE_SETTINGS } from './phone-settings.ts';

const ROUNDS = 200;
const AT_ONCE = 10;
const SEED = 20_261_122;
/** A charge that settles in the last moment before the return may be too late for the agent. */
const LAST_MOMENT_MS = 150;
const GOOD = '4242424242424242';
const BAD = '4000000000000002';
const quiet = () => undefined;
const log = { info: quiet, warn: quiet, error: quiet };

const db = useTestDatabase();
let redis: TestRedis;
/** The connections of the phone's process and of the page's. */
let phone: RedisProgress;
let page: RedisProgress;

beforeAll(async () => {
  redis = await createTestRedis();
  [phone, page] = [0, 1].map(() => openProgress({ redisUrl: redis.url, log })) as [RedisProgress, RedisProgress];
});
afterAll(async () => {
  phone.close();
  page.close();
  await redis.close();
});

function payDeps(progress: RedisProgress) {
  const publish = ({ sessionId }: Charge) => progress.publish(sessionId, 'charge_changed');
  return {
    database: db.database,
    processors: [createSandbox(db.database, { slowMs: 5, settleMs: 5, hangMs: 5 })],
    inFlight: new InFlight(),
    log,
    onPending: quiet,
    onStarted: publish,
    onSettled: publish,
  };
}

const linkDeps = {
  get database() {
    return db.database;
  },
  vault: createVault([randomBytes(32)]),
  get processors() {
    return [createSandbox(db.database)];
  },
  linkBase: () => 'https://pay.example.com',
  hasSmsCarrier: false,
  textLimits: NO_TEXT_LIMITS,
};

/** One call, whose caller keys what is asked, gives up, or hangs up. */
class Round {
  readonly lines: Line[] = [];
  referred: { atMs: number; headers: Record<string, string> } | null = null;
  readonly #random: Random;
  #isPageLeft = false;
  #press: (key: Secret) => void = quiet;
  #hangUp: (end: LegEnd) => void = quiet;
  #stop: () => void = quiet;

  constructor(random: Random) {
    this.#random = random;
  }

  readonly leg: CallLeg = {
    sipCallId: newId('Call'),
    dialogId: 'd',
    localContact: '<sip:x>',
    remoteSdp: '',
    facts: { callId: 'x', from: '<sip:x>;tag=1', to: '<sip:y>;tag=2', target: 'sip:y', routes: [], contact: '<sip:x>' },
    reachable: true,
    ended: new Promise<LegEnd>((resolve) => {
      this.#hangUp = resolve;
    }),
    onOffer: quiet,
    offer: () => Promise.reject(new Error('nobody answers')),
    refer: (_target, headers) => {
      this.referred = { atMs: performance.now(), headers };
      return { result: Promise.resolve({ accepted: true }), succeededLate: new AbortController().signal };
    },
    hangUp: async () => this.#hangUp({ by: 'us' }),
  };

  readonly media: MediaLeg = {
    id: 'media',
    localSdp: 'v=0',
    quality: null,
    lost: new Promise(() => undefined),
    ring: quiet,
    play: async ([line]) => {
      this.#onLine(JSON.parse(line ?? '') as Line);
      const stopped = new Promise<'stopped'>((resolve) => {
        this.#stop = () => resolve('stopped');
      });
      return Promise.race([stopped, delay(this.#random.below(8), 'finished' as const)]);
    },
    stop: () => this.#stop(),
    detectTones: quiet,
    ignoreTones: quiet,
    receivesEvents: () => Promise.resolve(false),
    negotiate: () => Promise.reject(new Error('not usable')),
    bridge: () => Promise.resolve(),
    destroy: () => Promise.resolve(),
  };

  /** The caller's phone sends its keys on the media leg from now on. */
  async createMedia(onKey: KeySink | null): Promise<MediaLeg> {
    this.#press = (key) => onKey?.(key, 'telephone_event');
    return this.media;
  }

  refused(status: number): never {
    throw new Error(`the call was refused: ${status}`);
  }

  #onLine(line: Line): void {
    this.lines.push(line);
    void delay(this.#random.below(25)).then(() => this.#answer(line));
  }

  /** The page is no longer used: a caller who waits for it returns. */
  pageIsLeft(): void {
    this.#isPageLeft = true;
    if (this.lines.at(-1)?.name.startsWith('link_')) this.#pressAll('**');
  }

  #answer(line: Line): void {
    if (this.#random.oneIn(60)) this.#hangUp({ by: 'them' });
    const keys = this.#random.oneIn(40)
      ? '**'
      : !this.#isPageLeft && this.#random.oneIn(6)
        ? '##'
        : this.#keysFor(line);
    this.#pressAll(keys);
  }

  #pressAll(keys: string): void {
    for (const key of keys) this.#press(Secret.of(key));
  }

  #keysFor(line: Line): string {
    const field = line.name === 'ask' ? line.field : line.name === 'declined' ? line.next : null;
    if (field === 'expiry') return '0431';
    if (field === 'security_code') return '123';
    // Some pay by keypad although the link was texted, at the very moment when the page does.
    const mayKey =
      ['link_sent', 'link_opened', 'link_waiting'].includes(line.name) && (this.#isPageLeft || !this.#random.oneIn(3));
    const asksForCard = field === 'card_number' || ['greeting', 'declined_elsewhere'].includes(line.name);
    return asksForCard || mayKey ? this.#random.pick([GOOD, GOOD, BAD]) : '';
  }
}

/** A separate line for the call, on engines that act as the round says. @returns its INVITE */
function openLine(round: Round): (call: IncomingCall) => void {
  let handler: (call: IncomingCall) => void = quiet;
  new CallAdmission({
    sql: db.database,
    readSessionState: createSessionStateReader(db.database),
    lease: { id: 999, instance: 'test', held: true, alone: true, onChange: quiet },
    edge: {
      onCall: (given) => {
        handler = given;
      },
      takeCalls: quiet,
      dial: () => Promise.reject(new DialFailure(404)),
      endDialogs: quiet,
      lostDialog: () => round.leg,
      connected: true,
      missing: 0,
      close: () => Promise.resolve(),
    },
    pool: {
      answerOffer: (_sdp, onKey) => round.createMedia(onKey),
      makeOffer: (onKey) => round.createMedia(onKey),
      makeOfferBeside: () => round.createMedia(null),
      replace: (_lost, onKey) => round.createMedia(onKey),
      takeUnendedKeys: (_instead, _sdp, onKey) => round.createMedia(onKey),
      connected: true,
      onChange: quiet,
      close: () => Promise.resolve(),
    },
    vault: null,
    // The line as text instead of its audio.
    speech: {
      files: async (line) => [JSON.stringify(line)],
      exactFiles: async (line) => [JSON.stringify(line)],
      words: () => '',
      spokenLanguage: () => 'en-US',
    },
    progress: phone,
    takesKeypad: () => true,
    takesSavedCards: () => true,
    canKeepCards: () => false,
    links: { canSend: () => true, send: (session) => textLinkToCaller(linkDeps, session) },
    pay: (request) => takePayment(payDeps(phone), request),
    log,
    settings: { ...PHONE_SETTINGS, returnMode: 'refer' },
  });
  return (call) => handler(call);
}

interface Played {
  payer: 'page' | 'phone' | 'nobody';
  /** The link was texted on the call. */
  byLink: boolean;
}

interface Answered {
  result: PaymentResult;
  atMs: number;
}

/** The payer on the page: at some time during the call, and again after a decline. */
async function payOnPage(pay: (card: string) => Promise<PaymentResult>, random: Random): Promise<Answered[]> {
  const answers: Answered[] = [];
  // Half of them give the caller time to key a card.
  const slowMs = random.pick([120, 600]);
  do {
    await delay(random.below(slowMs));
    const result = await pay(random.pick([GOOD, GOOD, BAD]));
    answers.push({ result, atMs: performance.now() });
  } while (answers.length < 2 && answers.at(-1)?.result.type === 'declined');
  return answers;
}

async function playRound(random: Random): Promise<Played> {
  const merchant = await createTestMerchant(db.database, { processor: 'sandbox' });
  const [id, token] = [newId('CheckoutSession'), randomToken()];
  const { accountId, mode } = merchant;
  await insertSession(db.database, {
    ...sessionToPay(id, token),
    ...merchant,
    callerPhone: random.oneIn(4) ? null : '+15550101234',
    orderId: null,
    platformCallId: null,
    returnTo: UNREACHABLE_AGENT_URI,
  });
  const round = new Round(random);
  openLine(round)({
    server: 'sip',
    sipCallId: newId('Call'),
    dialogId: 'd',
    requestUser: `${id}-${token}`,
    calledNumber: null,
    divertedFrom: [],
    callingNumber: null,
    sourceAddress: '127.0.0.1',
    allowsRefer: true,
    offerSdp: 'v=0',
    attestation: { verstats: [], levels: [], identities: [] },
    receivedAt: new Date(),
    canceled: new AbortController().signal,
    reject: (status) => round.refused(status),
    answer: async () => round.leg,
  });
  const request = { sessionId: id, scope: { accountId, mode }, source: 'page' as const };
  const pay = (card: string) => takePayment(payDeps(page), { ...request, card: keyedCard(card) });
  const answers = await payOnPage(pay, random);
  round.pageIsLeft();
  const call = await endedCall(id);
  const { rows: charges } = await db.database.query<{ id: string; status: string; source: string }>(
    'select id, status, source from charges where session_id = $1',
    [id],
  );
  const { rows: texts } = await db.database.query("select from texts where session_id = $1 and kind = 'pay_link'", [
    id,
  ]);
  check(round, { call, isTexted: texts.length > 0 }, answers, charges);
  const paid = charges.find(({ status }) => status === 'succeeded')?.source;
  const byLink = round.lines.some(({ name }) => name === 'link_sent');
  return { payer: paid === 'page' || paid === 'phone' ? paid : 'nobody', byLink };
}

interface EndedCall {
  outcome: string;
  charge_id: string | null;
}

async function endedCall(id: CheckoutSessionId): Promise<EndedCall> {
  for (;;) {
    const { rows } = await db.database.query<EndedCall & { ended_at: Date | null }>(
      'select outcome, charge_id, ended_at from calls where session_id = $1',
      [id],
    );
    const [call] = rows;
    // After a hang-up during a payment, the row is closed before the answer: as pending, without the charge.
    const isSettled = call?.outcome !== 'pending' || call.charge_id !== null;
    if (call?.ended_at && isSettled) return call;
    await delay(10);
  }
}

/** Lines that are true only for a charge of this source and status. */
const TRUE_OF: Partial<Record<Line['name'], { source: string; status: string }>> = {
  succeeded: { source: 'phone', status: 'succeeded' },
  paid_elsewhere: { source: 'page', status: 'succeeded' },
  already_paid: { source: 'page', status: 'succeeded' },
  declined: { source: 'phone', status: 'failed' },
  declined_elsewhere: { source: 'page', status: 'failed' },
};

function check(
  { lines, referred }: Round,
  { call, isTexted }: { call: EndedCall; isTexted: boolean },
  answers: readonly Answered[],
  charges: readonly { id: string; status: string; source: string }[],
): void {
  const facts = JSON.stringify({ lines, headers: referred?.headers, call, isTexted, answers, charges }, null, 1);
  const paid = charges.filter(({ status }) => status === 'succeeded');
  expect(charges.filter(({ status }) => status !== 'failed').length, facts).toBe(paid.length);
  expect(paid.length, facts).toBeLessThanOrEqual(1);
  for (const { name } of lines) {
    const truth = TRUE_OF[name];
    if (truth !== undefined) expect(charges, facts).toContainEqual(expect.objectContaining(truth));
  }
  // The page knows about its own charge, and about the other one if that came first.
  expect(
    answers.some(({ result }) => result.type === 'succeeded'),
    facts,
  ).toBe(paid[0]?.source === 'page');
  const returnHeaders = referred?.headers;
  const outcomes = [call.outcome, ...(returnHeaders === undefined ? [] : [returnHeaders['X-Ringkey-Outcome']])];
  for (const outcome of outcomes) {
    if (outcome === 'succeeded') expect(paid, facts).toHaveLength(1);
    else expect(['pending', 'failed', 'canceled', 'agent'], facts).toContain(outcome);
  }
  // The agent learns about a link only if a text was queued and the caller had heard about it: at the latest in the
  // last sentence, if the caller asked for the agent during the queueing.
  if (outcomes.includes('agent')) expect(isTexted, facts).toBe(true);
  if (returnHeaders?.['X-Ringkey-Outcome'] === 'agent') {
    expect(
      lines.some(({ name }) => name === 'link_sent' || name === 'link_stays'),
      facts,
    ).toBe(true);
  }
  if (call.outcome === 'succeeded') expect(call.charge_id, facts).toBe(paid[0]?.id);
  const paidAtMs = answers.find(({ result }) => result.type === 'succeeded')?.atMs ?? Number.POSITIVE_INFINITY;
  if (referred !== null && (paid[0]?.source === 'phone' || paidAtMs + LAST_MOMENT_MS < referred.atMs)) {
    expect(returnHeaders, facts).toMatchObject({ 'X-Ringkey-Outcome': 'succeeded', 'X-Ringkey-Charge': paid[0]?.id });
  }
}

it('phone and page never make two charges, and never report a wrong outcome', { timeout: 400_000 }, async () => {
  const payers = new Map<string, number>();
  for (let first = 0; first < ROUNDS; first += AT_ONCE) {
    const playing = Array.from({ length: AT_ONCE }, (_, place) => playRound(seededRandom(SEED + first + place)));
    for (const { payer, byLink } of await Promise.all(playing)) {
      for (const key of byLink ? [payer, `${payer} by link`] : [payer]) payers.set(key, (payers.get(key) ?? 0) + 1);
    }
  }
  // Both sides must have won some rounds for the result to mean something. The load of the machine decides how many.
  const ways = ['page', 'phone', 'page by link', 'phone by link'];
  expect(ways.filter((way) => !payers.has(way))).toEqual([]);
});
