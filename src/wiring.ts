/** The roles of this process and what each is given: the one place that knows every adapter. */
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createApi } from './api/app.ts';
import { createHealth } from './api/health.ts';
import type { HealthCheck } from './api/ports.ts';
import type { TextReplies } from './api/routes/text-replies.ts';
import { HANDLER_LIMIT_MS } from './api/server.ts';
import { allowsPrivateTargets, type Config, isOwnMachine, mediaServersOf } from './config.ts';
import { ownEncryptionKey } from './dev/encryption-key.ts';
import { DEMO_ACCOUNT, DEMO_KEY, seedDemo } from './dev/seed.ts';
import { docsUrlOf } from './docs-url.ts';
import type { InstrumentId } from './domain/ids.ts';
import { type Ground, layGround } from './ground.ts';
import { startWorker, type Worker } from './jobs/worker.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { Log } from './log.ts';
import { credentialsSource, processorFor } from './merchants/processor.ts';
import { createBell } from './notify/bell.ts';
import { startNotify } from './notify/index.ts';
import { carriersOf } from './notify/sms/carriers.ts';
import { orderSources } from './orders/sources.ts';
import { counted } from './payments/counted.ts';
import type { CredentialsFor, PaymentDeps } from './payments/deps.ts';
import { InFlight } from './payments/in-flight.ts';
import type { Processor } from './payments/ports.ts';
import { type RefundDeps, type RefundOrder, type RefundResult, refundCharge } from './payments/refund.ts';
import { createSandbox } from './payments/sandbox/index.ts';
import { createSquare } from './payments/square/index.ts';
import { createStripe } from './payments/stripe/index.ts';
import { type PaymentRequest, type PaymentResult, takePayment } from './payments/take-payment.ts';
import { type Phone, type PhoneOptions, startPhone } from './phone/index.ts';
import { createEspeak } from './speech/espeak.ts';
import { createSpeech, type SpeechService } from './speech/speech.ts';
import { CannotStart, PortTaken } from './start-error.ts';
import { readBacklog } from './store/backlog.ts';
import { sealHandles } from './store/cards.ts';
import { openGate } from './store/gate.ts';
import { createFingerprint } from './vault/fingerprint.ts';
import { sealHandle } from './vault/handles.ts';
import { createVault, type Vault } from './vault/vault.ts';

/** What runs, for whoever wants to tell or test it. */
export interface Parts extends Pick<Ground, 'config' | 'servers' | 'engine' | 'transfer'> {
  /** Base of the HTTP surface: the whole API, or only the health checks where this process has not that role. */
  httpUrl: string;
}

const CLOSE_LIMIT_MS = 10_000;
/** Requests under way are bounded by the surface itself. */
const HTTP_CLOSE_LIMIT_MS = HANDLER_LIMIT_MS + 5_000;
/** Longer than a processor may take: an answer on its way is still recorded. */
const PAYMENTS_IDLE_LIMIT_MS = 45_000;
/** Past the drain: goodbyes and charges on their way, which the phone bounds itself. */
const PHONE_CLOSE_LIMIT_MS = 90_000;
const ENGINE_READY_LIMIT_MS = 10_000;
/** A synthesizer that takes longer goes on beside the first calls. */
const WARM_LIMIT_MS = 10_000;
const SEALING_BATCH = 500;
const DEFAULT_LANGUAGE = 'en-US';
const PROMPTS = fileURLToPath(new URL('../prompts', import.meta.url));

/** Starts everything the configuration asks for. @throws CannotStart for what its reader can mend */
export async function startParts(config: Config, log: Log, lifecycle: Lifecycle): Promise<Parts> {
  const ground = await layGround(config, log, lifecycle);
  if (config.RINGKEY_DEMO) await seedDemo(ground.database);
  await sealCards(ground);
  const has = (role: Config['RINGKEY_ROLES'][number]) => config.RINGKEY_ROLES.includes(role);
  const speech = await speechOf(ground);
  // What all calls share is audio before the first of them lands.
  const warm = speech.warm(DEFAULT_LANGUAGE, null);
  const processing = processorsOf(ground);
  const worker = has('worker') ? sweeps(ground, processing) : null;
  if (has('worker')) telling(ground);
  const payments = takingPayments(ground, processing, worker);
  const phone = has('phone') ? await line(ground, speech, payments) : null;
  await Promise.race([warm, delay(WARM_LIMIT_MS, undefined, { ref: false })]);
  const httpUrl = await http(ground, speech, payments, phone);
  // Added last, so it ends first: while calls finish, their agents can still ask how they went.
  if (phone) {
    const drainMs = config.RINGKEY_DRAIN_SECONDS * 1_000;
    lifecycle.add('phone', drainMs + PHONE_CLOSE_LIMIT_MS, () => phone.drain(config.RINGKEY_DRAIN_SECONDS));
  }
  const { servers, engine, transfer } = ground;
  return { config, servers, engine, transfer, httpUrl };
}

/** Handles that were kept before handles were sealed. */
async function sealCards(ground: Ground): Promise<void> {
  const vault = vaultOf(ground);
  if (vault === null) return;
  const seal = (id: InstrumentId, handle: string) => sealHandle(vault, id, handle);
  while ((await sealHandles(ground.database, SEALING_BATCH, seal)) === SEALING_BATCH);
}

async function speechOf({ config, log, lifecycle }: Ground): Promise<SpeechService> {
  const speech = await createSpeech({
    folder: config.RINGKEY_MEDIA_DIR ?? join(config.RINGKEY_HOME, 'speech'),
    promptsFolder: PROMPTS,
    synthesizer: config.RINGKEY_SYNTHESIZER === 'none' ? null : createEspeak(),
    defaultVoice: config.RINGKEY_VOICE ?? null,
    log,
  });
  lifecycle.add('speech', CLOSE_LIMIT_MS, async () => speech.close());
  return speech;
}

interface Processing extends Pick<RefundDeps, 'onEvents' | 'onSettled' | 'onRefund'>, Pick<PaymentDeps, 'onCard'> {
  processors: readonly Processor[];
  credentialsFor: CredentialsFor;
  vault: Vault | null;
}

/** All that a merchant can be connected to; how to add one: payments/ADDING-A-PROCESSOR.md. */
function processorsOf(ground: Ground): Processing {
  const { database, metrics } = ground;
  const vault = vaultOf(ground);
  return {
    processors: [createSandbox(database), createStripe(), createSquare()],
    credentialsFor: credentialsSource(database, vault),
    vault,
    onCard: metrics.card,
    onRefund: metrics.refund,
    onSettled: (charge) => metrics.charge(charge.status, charge),
    onEvents: createBell(database, ground.log),
  };
}

function sweeps({ database, log, lifecycle }: Ground, processing: Processing): Worker {
  const worker = startWorker({ database, ...processing, log });
  lifecycle.add('worker', CLOSE_LIMIT_MS, () => worker.close());
  return worker;
}

/** Webhooks and texts. */
function telling(ground: Ground): void {
  const { config, database, databaseUrl, redisUrl, log, lifecycle, metrics } = ground;
  metrics.watchBacklog(() => readBacklog(database, new Date()));
  const { live: carrier, test: testCarrier } = carriersOf(config, log);
  const docsUrl = docsUrlOf(config) ?? '/docs';
  const vault = vaultOf(ground);
  const privateTargets = allowsPrivateTargets(config);
  const notifier = startNotify({
    ...{ database, databaseUrl, redisUrl, vault, docsUrl, privateTargets, carrier, testCarrier, log, metrics },
  });
  lifecycle.add('webhooks and texts', CLOSE_LIMIT_MS, () => notifier.close());
}

/** Where carriers tell us what callers answer. */
function textReplies(config: Config): TextReplies {
  const {
    RINGKEY_SMS,
    TWILIO_AUTH_TOKEN: authToken,
    RINGKEY_PUBLIC_URL: publicUrl,
    TELNYX_PUBLIC_KEY: publicKey,
  } = config;
  if (RINGKEY_SMS === 'twilio' && authToken !== undefined && publicUrl !== undefined) {
    return { twilio: { authToken, publicUrl } };
  }
  return RINGKEY_SMS === 'telnyx' && publicKey !== undefined ? { telnyx: { publicKey } } : {};
}

interface Payments {
  processors: readonly Processor[];
  onCardDeleted(): void;
  pay(request: PaymentRequest): Promise<PaymentResult>;
  refund(order: RefundOrder): Promise<RefundResult>;
}

/** Of the phone and of REST alike; ends after both. */
function takingPayments(ground: Ground, processing: Processing, worker: Worker | null): Payments {
  const { database, log, lifecycle, metrics } = ground;
  const [key] = encryptionKeys(ground);
  const inFlight = new InFlight();
  metrics.watch('payments_under_way', 'Payments that this process is taking.', () => inFlight.size);
  lifecycle.add('payments', PAYMENTS_IDLE_LIMIT_MS + CLOSE_LIMIT_MS, async () => {
    if (!(await inFlight.idle(PAYMENTS_IDLE_LIMIT_MS))) log.warn({ payments: inFlight.size }, 'payments left pending');
  });
  const deps = {
    ...{ sql: database, ...processing, inFlight, log, onPending: () => worker?.wake() },
    ...(key !== undefined && { fingerprint: createFingerprint(key) }),
  };
  return {
    processors: processing.processors,
    onCardDeleted: () => worker?.wake(),
    pay: counted((request) => takePayment(deps, request), metrics),
    refund: (order) => refundCharge(deps, order),
  };
}

async function line(ground: Ground, speech: SpeechService, { pay, processors }: Payments): Promise<Phone> {
  const vault = vaultOf(ground);
  const { config, database, databaseUrl, log, lifecycle } = ground;
  const phone = await startPhone({
    sql: database,
    databaseUrl,
    instance: config.RINGKEY_INSTANCE,
    ...engines(ground),
    speech,
    pay,
    canKeepCards: ({ mode, processor: name }) => {
      const processor = processorFor(processors, mode, name);
      return vault !== null && processor?.can.keypad === true && processor.wallet !== null;
    },
    settings: {
      maxCalls: config.RINGKEY_MAX_CALLS,
      returnMode: config.RINGKEY_RETURN_MODE,
      trunks: config.RINGKEY_TRUNKS,
      trunkTarget: config.RINGKEY_TRUNK_TARGET ?? null,
    },
    log,
    onCall: ground.metrics.call,
    onRefusal: ground.metrics.callRefused,
  });
  ground.metrics.watch('calls_live', 'Calls of this process that are up or arriving.', () => phone.calls);
  lifecycle.add('phone connections', CLOSE_LIMIT_MS, () => phone.close());
  if (!(await phone.ready(ENGINE_READY_LIMIT_MS)))
    log.warn('the engine is not there yet: calls will be taken when it is');
  return phone;
}

/** The built-in engine's two wires, or those of the daemons that the settings name. */
function engines({ config, engine }: Ground): Pick<PhoneOptions, 'drachtio' | 'freeswitches'> {
  if (engine) {
    const { ports, secret } = engine;
    const loopback = '127.0.0.1';
    return {
      drachtio: { host: loopback, port: ports.drachtioPort, secret },
      freeswitches: [{ address: loopback, port: ports.eslPort, secret, listenAddress: loopback, listenPort: 0 }],
    };
  }
  const advertised = config.FREESWITCH_ADVERTISED_ADDRESS;
  const listenPort = config.FREESWITCH_LISTEN_PORT;
  const freeswitches = mediaServersOf(config).map((server, place) => ({
    ...server,
    secret: config.FREESWITCH_SECRET,
    listenAddress: config.FREESWITCH_LISTEN_ADDRESS,
    // Each is listened to on a port of its own.
    listenPort: listenPort === 0 ? 0 : listenPort + place,
    ...(advertised !== undefined && { advertisedAddress: advertised }),
  }));
  const { DRACHTIO_HOST: host, DRACHTIO_PORT: port, DRACHTIO_SECRET: secret } = config;
  return { drachtio: { host, port, secret }, freeswitches };
}

async function http(ground: Ground, speech: SpeechService, payments: Payments, phone: Phone | null): Promise<string> {
  const { config, log, lifecycle, metrics } = ground;
  const readers = config.RINGKEY_METRICS_FROM;
  const surface = {
    log,
    docsUrl: docsUrlOf(config),
    checks: healthChecks(ground, phone),
    metrics,
    ...(readers.length > 0 && { metricsReaders: readers }),
    trustedProxies: config.RINGKEY_TRUSTED_PROXIES,
  };
  const app = config.RINGKEY_ROLES.includes('api')
    ? createApi({ ...surface, ...(await rest(ground, speech, payments)) })
    : createHealth(surface);
  lifecycle.add('http', HTTP_CLOSE_LIMIT_MS, () => app.close());
  try {
    return await app.listen({ host: config.RINGKEY_HTTP_HOST, port: config.RINGKEY_HTTP_PORT });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw new PortTaken('RINGKEY_HTTP_PORT', config.RINGKEY_HTTP_PORT);
    if (code !== 'EADDRNOTAVAIL' && code !== 'EACCES') throw error;
    throw new CannotStart(`REST cannot listen (${message}): set RINGKEY_HTTP_HOST and RINGKEY_HTTP_PORT.`);
  }
}

async function rest(ground: Ground, speech: SpeechService, payments: Payments) {
  const { config, database, redisUrl, transfer, log, lifecycle, metrics } = ground;
  const gate = await openGate(redisUrl, log);
  metrics.watch(
    'redis_failures',
    'Requests that Redis did not answer since the start: they pass uncounted.',
    () => gate.failures,
  );
  lifecycle.add('gate', CLOSE_LIMIT_MS, async () => gate.close());
  const vault = vaultOf(ground);
  const now = () => new Date();
  const privateTargets = allowsPrivateTargets(config);
  return {
    database,
    gate,
    vault,
    transfer,
    speech,
    ...payments,
    privateTargets,
    orders: orderSources({ sql: database, vault, privateTargets, now, log }),
    now,
    textReplies: textReplies(config),
    demoAccount: config.RINGKEY_DEMO ? DEMO_ACCOUNT : null,
    isPublicDemo: config.RINGKEY_DEMO && !isOwnMachine(config),
    demoKey: config.RINGKEY_DEMO ? DEMO_KEY : null,
  };
}

/** Null where the record is an outside one and no keys are set: then nothing that must be read again can be kept. */
function vaultOf(ground: Ground): Vault | null {
  const keys = encryptionKeys(ground);
  return keys.length > 0 ? createVault(keys) : null;
}

function encryptionKeys({ config, servers }: Ground): readonly Buffer[] {
  const keys = config.RINGKEY_ENCRYPTION_KEYS;
  if (keys.length > 0) return keys;
  return servers?.postgres ? [ownEncryptionKey(config.RINGKEY_HOME)] : [];
}

/** `/readyz` fails while the process drains, so that nobody sends it new work. */
function healthChecks({ database, redis, lifecycle }: Ground, phone: Phone | null): Record<string, HealthCheck> {
  return {
    process: async () => {
      if (lifecycle.closing) throw new Error('shutting down');
    },
    postgres: async () => {
      await database.query('select 1');
    },
    redis: async () => {
      await redis.ping();
    },
    ...(phone && {
      engine: async () => {
        if (!phone.connected) throw new Error('SIP edge or media server not connected');
      },
    }),
  };
}
