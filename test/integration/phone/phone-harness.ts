/**
 * Runs the phone app on an engine for a test: real SIP, real RTP, a separate PostgreSQL database, the sandbox
 * processor.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { processorAtPage } from '../../../src/accounts/merchants/page-processor.ts';
import { createProcessors } from '../../../src/app/payments.ts';
import { type SendLinkDeps, textLinkToCaller } from '../../../src/checkout/send-link.ts';
import { setHeaderSecret } from '../../../src/db/keys/accounts.ts';
import { insertPayLink, markOpened } from '../../../src/db/pay-links/pay-links.ts';
import { type Database, openDatabase } from '../../../src/db/pool.ts';
import { insertSession, type NewSession } from '../../../src/db/sessions/sessions.ts';
import { type CheckoutSessionId, newId, newPayCodes, randomToken } from '../../../src/domain/ids.ts';
import type { Line } from '../../../src/flow/lines.ts';
import { deferred } from '../../../src/lib/concurrency/deferred.ts';
import { InFlight } from '../../../src/lib/concurrency/in-flight.ts';
import { createVault, sealHeaderSecret } from '../../../src/lib/vault/vault.ts';
import { DEMO_ACCOUNT, DEMO_SIGNING_SECRET, seedDemo } from '../../../src/local/standalone/demo-data.ts';
import { openProgress, type RedisProgress } from '../../../src/notifications/progress/progress.ts';
import { type PaymentResult, takePayment } from '../../../src/payments/charges/take-payment.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import type { CheckIdentities, PhoneLimits, PhoneSettings, TransferCodes } from '../../../src/phone/deps.ts';
import type { SessionTimerSettings } from '../../../src/phone/drachtio/session-timer.ts';
import type { FoundServers } from '../../../src/phone/freeswitch/pool.ts';
import { type Phone, startPhone } from '../../../src/phone/index.ts';
import type { HostResolver } from '../../../src/phone/next-hop.ts';
import type { Vocabulary } from '../../../src/speech/ports.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { NO_TEXT_LIMITS } from '../../support/fixtures.ts';
import { createTestRedis, type TestRedis } from '../../support/redis.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';
import { keyedCard } from '../payments/test-payments.ts';
import { Agent, Caller, type DialOptions } from './caller-and-agent.ts';
import { type Engine, type EngineOptions, registrationProcessed, startEngine } from './engine.ts';
import { EventLog } from './event-log.ts';
import { shortOf, wordsOf, writeSounds } from './lines-as-sounds.ts';
import { type CallRow, readCall, readEndedCall, sessionToPay } from './phone-records.ts';
import { PHONE_SETTINGS } from './phone-settings.ts';

/** `return_to` of calls that return by REFER only: nothing listens there. */
export const UNREACHABLE_AGENT_URI = 'sip:agent@127.0.0.1:9';
const VAULT = createVault([randomBytes(32)]);
/** A phone whose heartbeat is late, as on a busy machine, takes no calls for a moment. */
const DIAL_AGAIN_MS = 1_000;
const MOST_DIALS = 60;
const READY_LIMIT_MS = 180_000;

interface PhoneHarnessOptions {
  engine?: EngineOptions;
  /** More media servers. The engine's comes first among those with equal load. */
  spares?: readonly Engine['freeswitch'][];
  /** No other media servers than these, which DNS names. */
  foundFreeswitches?: FoundServers;
  /** More SIP servers, beside that of the engine. */
  moreSipServers?: readonly Engine['drachtio'][];
  /** RINGKEY_INSTANCE. */
  instance?: string;
  /** How often a call checks its session without news. */
  pollMs?: { away: number; connected: number };
  settings?: Partial<PhoneSettings>;
  limits?: Partial<PhoneLimits>;
  resolver?: HostResolver;
  sessionTimer?: SessionTimerSettings;
  /** As with RINGKEY_SRTP=required. */
  refusesOpenKeys?: boolean;
  checkIdentities?: CheckIdentities;
  codes?: TransferCodes;
  /** As for `startPhone`. */
  maxLoad?: number;
}

interface LogLine {
  level: 'info' | 'warn' | 'error';
  message: string;
  fields: Record<string, unknown>;
}

export class PhoneHarness {
  readonly engine: Engine;
  readonly db: TestDatabase;
  /** The lines said so far. */
  readonly said = new EventLog<string>();
  /** For each line that may promise a text, whether it did. */
  readonly textPromises: boolean[] = [];
  /** The language of each line said. */
  readonly languages: string[] = [];
  readonly log = new EventLog<LogLine>();
  /** The payments requested so far. Each waits for `beforePayment`. */
  readonly payments = new EventLog<string>();
  beforePayment: () => Promise<void> = () => Promise.resolve();
  /** Runs before the processor answers, when the charge exists. */
  duringPayment: () => Promise<void> = () => Promise.resolve();
  /** Whether the processor accepts keyed cards, and can save them. */
  takesKeypad = true;
  keepsCards = true;
  /** Whether the synthesizer can render the merchant's own words. */
  rendersWords = true;
  /** RINGKEY_SAVED_CARDS */
  takesSavedCards = true;
  /** Whether texts with links are sent, and what to wait for before one is queued. */
  textsLinks = false;
  beforeLink: () => Promise<void> = () => Promise.resolve();
  phone!: Phone;
  /** The proxies between the app and its database, drachtio-server and FreeSWITCH. */
  readonly databaseProxy: TcpProxy;
  readonly drachtioProxy: TcpProxy;
  readonly mediaProxy: TcpProxy;
  /** The proxy between the phone and Redis. */
  readonly redisProxy: TcpProxy;
  readonly #redis: TestRedis;
  readonly #progress: RedisProgress;
  /** The progress of another process, such as the page, the API or the worker. */
  readonly otherProgress: RedisProgress;
  readonly #database: Database;
  readonly #url: string;
  readonly #options: PhoneHarnessOptions;
  readonly #folder: string;
  readonly #people: { close(): Promise<void> }[] = [];
  readonly #phones: Phone[] = [];
  readonly #inFlight = new InFlight();

  private constructor(
    engine: Engine,
    db: TestDatabase,
    proxies: Record<'database' | 'drachtio' | 'media' | 'redis', TcpProxy> & { databaseUrl: string },
    redis: TestRedis,
    folder: string,
    options: PhoneHarnessOptions,
  ) {
    this.engine = engine;
    this.db = db;
    this.databaseProxy = proxies.database;
    this.drachtioProxy = proxies.drachtio;
    this.mediaProxy = proxies.media;
    this.redisProxy = proxies.redis;
    this.#redis = redis;
    const quiet = { info: () => undefined, warn: () => undefined };
    const pollMs = options.pollMs ?? { away: 2_000, connected: 60_000 };
    this.#progress = openProgress({ redisUrl: proxies.redis.forwardTo(redis.url), log: quiet, pollMs });
    this.otherProgress = openProgress({ redisUrl: redis.url, log: quiet });
    this.#url = proxies.databaseUrl;
    this.#database = openDatabase({ url: this.#url, maxConnections: 8, onIdleError: () => undefined });
    this.#folder = folder;
    this.#options = options;
  }

  static async start(options: PhoneHarnessOptions = {}): Promise<PhoneHarness> {
    const [engine, db] = await Promise.all([startEngine(options.engine), createTestDatabase()]);
    await seedDemo(db.database);
    await setHeaderSecret(db.database, DEMO_ACCOUNT, sealHeaderSecret(VAULT, DEMO_ACCOUNT, DEMO_SIGNING_SECRET));
    const harness = await PhoneHarness.#make(engine, db, options);
    await harness.startPhone();
    return harness;
  }

  /**
   * Another process on the same engine and database, by default of the same instance. Closing it does not close those.
   */
  static async beside(first: PhoneHarness, change: PhoneHarnessOptions = {}): Promise<PhoneHarness> {
    const shared: Engine = { ...first.engine, close: () => Promise.resolve() };
    const db: TestDatabase = { ...first.db, close: () => Promise.resolve() };
    const harness = await PhoneHarness.#make(shared, db, { ...first.#options, ...change });
    await harness.startPhone();
    return harness;
  }

  static async #make(engine: Engine, db: TestDatabase, options: PhoneHarnessOptions): Promise<PhoneHarness> {
    const folder = await mkdtemp(join(tmpdir(), 'ringkey-phone-'));
    await writeSounds(folder);
    const [database, drachtio, media, redis] = await Promise.all(Array.from({ length: 4 }, () => startTcpProxy()));
    if (!database || !drachtio || !media || !redis) throw new Error('four proxies were asked for');
    drachtio.forwardTo(`tcp://${engine.drachtio.host}:${engine.drachtio.port}`);
    media.forwardTo(`tcp://${engine.freeswitch.address}:${engine.freeswitch.port}`);
    const proxies = { database, drachtio, media, redis, databaseUrl: database.forwardTo(db.directUrl) };
    return new PhoneHarness(engine, db, proxies, await createTestRedis(), folder, options);
  }

  /** Starts the app. */
  async startPhone(): Promise<void> {
    const {
      instance = 'test',
      settings = {},
      limits = {},
      spares = [],
      foundFreeswitches,
      moreSipServers = [],
      resolver,
      sessionTimer,
      refusesOpenKeys = false,
      checkIdentities,
      codes,
      maxLoad,
    } = this.#options;
    const write = (level: LogLine['level']) => (fields: unknown, message?: unknown) =>
      this.log.push({ level, message: String(message), fields: fields as Record<string, unknown> });
    const phone = await startPhone({
      ...(maxLoad !== undefined && { maxLoad }),
      sql: this.#database,
      vault: VAULT,
      databaseUrl: this.#url,
      progress: this.#progress,
      instance,
      sipServers: [{ ...this.engine.drachtio, port: this.drachtioProxy.port }, ...moreSipServers].map((server) => ({
        ...server,
        refusesOpenKeys,
        ...(sessionTimer && { sessionTimer }),
      })),
      freeswitches: foundFreeswitches ? [] : [{ ...this.engine.freeswitch, port: this.mediaProxy.port }, ...spares],
      ...(foundFreeswitches && { foundFreeswitches }),
      speech: {
        files: (line, vocabulary) => this.#say(line, vocabulary),
        exactFiles: async (line, vocabulary) => (this.rendersWords ? this.#say(line, vocabulary) : null),
        words: wordsOf,
        spokenLanguage: () => 'en-US',
      },
      takesKeypad: () => this.takesKeypad,
      takesSavedCards: () => this.takesSavedCards,
      canKeepCards: () => this.keepsCards,
      links: {
        canSend: (at) => this.textsLinks && processorAtPage(this.linkDeps(), at) !== null,
        send: async (session) => {
          await this.beforeLink();
          return textLinkToCaller(this.linkDeps(), session);
        },
      },
      pay: async (request) => {
        this.payments.push('asked');
        await this.beforePayment();
        const publish = () => this.#progress.publish(request.sessionId, 'charge_changed');
        return takePayment(
          { ...this.#payDeps(), onStarted: publish, onPendingChanged: publish, onSettled: publish },
          request,
        );
      },
      settings: { ...PHONE_SETTINGS, ...settings },
      log: { info: write('info'), warn: write('warn'), error: write('error') },
      limits,
      ...(resolver && { resolver }),
      ...(checkIdentities && { checkIdentities }),
      ...(codes && { codes }),
    });
    this.phone = phone;
    this.#phones.push(phone);
    if (!(await phone.ready(READY_LIMIT_MS))) throw new Error(JSON.stringify(this.log.entries));
    await registrationProcessed(this.uri('anybody'));
  }

  /** Creates a checkout. @returns its id and the URI to dial */
  async checkout(overrides: Partial<NewSession> = {}): Promise<{ uri: string; id: CheckoutSessionId }> {
    const id = newId('CheckoutSession');
    const token = randomToken();
    await insertSession(this.db.database, { ...sessionToPay(id, token), ...overrides });
    return { id, uri: this.uri(`${id}-${token}`) };
  }

  uri(user: string): string {
    return `sip:${user}@127.0.0.1:${this.engine.sipPort}`;
  }

  async caller(): Promise<Caller> {
    const caller = await Caller.make();
    this.#people.push(caller);
    return caller;
  }

  /** A new caller whose call to a new checkout was answered. */
  async answered(
    overrides: Partial<NewSession> = {},
    options: DialOptions = {},
  ): Promise<{ caller: Caller; uri: string; id: CheckoutSessionId }> {
    const { uri, id } = await this.checkout(overrides);
    for (let dials = 1; ; dials += 1) {
      const caller = await this.caller();
      const { status } = await caller.dial(uri, options);
      if (status === 200) return { caller, uri, id };
      if (status !== 503 || dials === MOST_DIALS) throw new Error(`not answered: ${status}`);
      await delay(DIAL_AGAIN_MS);
    }
  }

  /** Makes all payments wait. @returns a function that releases them */
  holdPayments(): () => void {
    const held = deferred<void>();
    this.beforePayment = () => held.promise;
    return held.resolve;
  }

  /** Another process takes a payment of the session with a card, for the pay page or for the agent. */
  async payElsewhere(
    id: CheckoutSessionId,
    nameOrNumber = 'visa',
    {
      source = 'page',
      isDelivered = true,
      answersAfter = Promise.resolve(),
    }: { source?: 'page' | 'saved_card'; isDelivered?: boolean; answersAfter?: Promise<void> } = {},
  ): Promise<PaymentResult> {
    const sandbox = createSandbox(this.db.database);
    const charge: typeof sandbox.charge = (...given) => answersAfter.then(() => sandbox.charge(...given));
    const publish = () => isDelivered && this.otherProgress.publish(id, 'charge_changed');
    const deps = {
      ...this.#payDeps(),
      processors: [{ ...sandbox, charge }],
      onStarted: publish,
      onPendingChanged: publish,
      onSettled: publish,
    };
    const card = keyedCard(nameOrNumber);
    return takePayment(deps, { sessionId: id, scope: { accountId: DEMO_ACCOUNT, mode: 'test' }, source, card });
  }

  /** The caller opens the pay page. */
  async openPage(id: CheckoutSessionId): Promise<void> {
    const { database } = this.db;
    const scope = { accountId: DEMO_ACCOUNT, mode: 'test' } as const;
    const codes = newPayCodes();
    await insertPayLink(database, { sessionId: id, scope, codes, codesSealed: 'sealed' });
    await markOpened(database, id);
    this.otherProgress.publish(id, 'page_opened');
  }

  /** The caller opens the texted link. */
  async openTextedLink(id: CheckoutSessionId): Promise<void> {
    await markOpened(this.db.database, id);
    this.otherProgress.publish(id, 'page_opened');
  }

  async agent(take?: Parameters<typeof Agent.make>[0]): Promise<Agent> {
    const agent = await Agent.make(take);
    this.#people.push(agent);
    return agent;
  }

  /**
   * Waits for a change of the registration for new calls. @param after log lines to skip. @returns the line after it
   */
  async registration(taking: boolean, after = 0): Promise<number> {
    let place = after;
    await this.log.waitFor(({ message, fields }) => {
      place = this.log.entries.findIndex(
        (line, at) => at >= after && line.message === message && line.fields === fields,
      );
      return place >= 0 && message === 'registration for new calls changed' && fields.taking === taking;
    });
    return place + 1;
  }

  /** The session's newest call, once its end is written. */
  endedCall(id: CheckoutSessionId): Promise<CallRow> {
    return readEndedCall(this.db.database, id);
  }

  call(id: CheckoutSessionId): Promise<CallRow | undefined> {
    return readCall(this.db.database, id);
  }

  /** Waits for the greeting or the question for a card number, then presses all keys of a card. */
  async keyCard(caller: Caller, number = '4242424242424242', code = '123'): Promise<void> {
    await this.said.waitFor((line) => line.startsWith('greeting') || line.startsWith('ask card_number'));
    await caller.press(number);
    await caller.press('0431');
    await caller.press(code);
  }

  async close(): Promise<void> {
    await Promise.all(this.#phones.map((phone) => phone.close()));
    await Promise.all(this.#people.map((person) => person.close()));
    await this.engine.close();
    await this.#database.close();
    this.#progress.close();
    this.otherProgress.close();
    await this.#redis.close();
    await Promise.all(
      [this.databaseProxy, this.drachtioProxy, this.mediaProxy, this.redisProxy].map((proxy) => proxy.close()),
    );
    await this.db.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  #say(line: Line, { canText, language }: Vocabulary): Promise<string[]> {
    this.languages.push(language);
    if (line.name === 'succeeded' || line.name === 'paid_elsewhere' || line.name === 'unconfirmed')
      this.textPromises.push(canText);
    this.said.push(shortOf(line));
    const sound = line.name === 'greeting' ? 'long' : 'short';
    return Promise.resolve([join(this.#folder, `${sound}.wav`), join(this.#folder, 'short.wav')]);
  }

  linkDeps(): SendLinkDeps {
    const linkBase = () => 'https://pay.example.com';
    const processors = createProcessors(this.db.database);
    return {
      database: this.#database,
      vault: VAULT,
      processors,
      linkBase,
      hasSmsCarrier: false,
      textLimits: NO_TEXT_LIMITS,
    };
  }

  #payDeps() {
    const quiet = () => undefined;
    const sandbox = createSandbox(this.db.database);
    const charge: typeof sandbox.charge = (...given) => this.duringPayment().then(() => sandbox.charge(...given));
    return {
      database: this.#database,
      processors: [{ ...sandbox, charge }],
      inFlight: this.#inFlight,
      log: { info: quiet, warn: quiet, error: quiet },
      onPending: quiet,
      vault: VAULT,
    };
  }
}
