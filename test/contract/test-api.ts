/** Starts the REST API for one test file: real HTTP on a free port, a real PostgreSQL and Redis, the demo data. */
import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { credentialsSource } from '../../src/accounts/merchants/processor.ts';
import type { OidcSettings } from '../../src/accounts/users/oidc.ts';
import { createProcessors } from '../../src/app/payments.ts';
import { orderSources } from '../../src/checkout/orders/sources.ts';
import { readConfig } from '../../src/config/config.ts';
import { transferNumbersIn } from '../../src/config/derived.ts';
import type { CardEntry } from '../../src/contract/cards.ts';
import type { ErrorObject } from '../../src/contract/error-object.ts';
import type { Database } from '../../src/db/pool.ts';
import type { Charge } from '../../src/domain/charge.ts';
import { operatorHosts } from '../../src/domain/return-permission.ts';
import { createApi } from '../../src/http/api/app.ts';
import type { ApiDeps } from '../../src/http/api/ports.ts';
import { openRateLimiter, type RateLimits } from '../../src/http/api/rate-limiter.ts';
import { errorsOf } from '../../src/http/api/reference/errors.ts';
import type { OperationRoute } from '../../src/http/api/reference/operation.ts';
import { createRequestLog, type RequestLog } from '../../src/http/api/request-log/request-log.ts';
import type { DashboardDeps } from '../../src/http/dashboard/ports.ts';
import { dashboardRoutes } from '../../src/http/dashboard/routes.ts';
import { signInRoutes } from '../../src/http/dashboard/sign-in/routes.ts';
import type { TestCalls } from '../../src/http/dashboard/try-it/ports.ts';
import { docsRoutes } from '../../src/http/docs/routes.tsx';
import { mcpRoutes } from '../../src/http/mcp/routes.ts';
import { loadPageScripts } from '../../src/http/pay-page/assets.ts';
import { payPageRoutes } from '../../src/http/pay-page/routes.ts';
import { InFlight } from '../../src/lib/concurrency/in-flight.ts';
import { createLog } from '../../src/lib/observability/log.ts';
import { createMetrics } from '../../src/lib/observability/metrics.ts';
import { createFingerprint } from '../../src/lib/vault/fingerprint.ts';
import { createVault } from '../../src/lib/vault/vault.ts';
import { DEMO_ACCOUNT, DEMO_KEY, seedDemo } from '../../src/local/standalone/demo-data.ts';
import type { CallProgress, Progress } from '../../src/notifications/progress/ports.ts';
import { openProgress } from '../../src/notifications/progress/progress.ts';
import { abandonPayment, actionOf, type ConfirmRequest, confirmPayment } from '../../src/payments/charges/confirm.ts';
import { type PaymentRequest as Payment, takePayment } from '../../src/payments/charges/take-payment.ts';
import { changeHold } from '../../src/payments/holds/change-hold.ts';
import { settleManually } from '../../src/payments/manual/manual-settlement.ts';
import type { Processor } from '../../src/payments/port/processor.ts';
import { refundCharge } from '../../src/payments/refunds/refund.ts';
import { createPageSandbox, createSandbox } from '../../src/payments/sandbox/index.ts';
import type { Screening } from '../../src/screening/screening.ts';
import { createEspeak } from '../../src/speech/espeak/espeak.ts';
import { createOpenai } from '../../src/speech/openai/openai.ts';
import type { Vocabulary } from '../../src/speech/ports.ts';
import { Synthesizers } from '../../src/speech/synthesizers.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { NO_TEXT_LIMITS } from '../support/fixtures.ts';
import { createTestRedis, type TestRedis } from '../support/redis.ts';

export const DOMAIN = '127.0.0.1:5070';
export const LINK_BASE = 'https://pay.example.com';
export const DASHBOARD_URL = 'https://ringkey.example.com/dashboard';
const DOCS_URL = 'https://docs.example.com';
/** The demo's, in test mode. */
export const TRANSFER_NUMBER = '+15550109999';
/** The demo's, in live mode. */
export const LIVE_TRANSFER_NUMBER = '+15550109998';
const TRANSFER_NUMBERS = transferNumbersIn(
  readConfig({
    RINGKEY_TRANSFER_NUMBERS: `${TRANSFER_NUMBER}=acct_demo:test,${LIVE_TRANSFER_NUMBER}=acct_demo:live`,
  }),
);

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  body: Body;
}

/** Parsed JSON. The types are for tests that read these fields; a field can still be absent. */
interface Body {
  [field: string]: unknown;
  checkout_session_id: string;
  transfer_to: string;
  expires_at: string;
  cards: CardEntry[];
  error: ErrorObject;
}

/** Requests with the demo key, unless `headers` say otherwise. */
export interface TestClient {
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  /** @param body sent unchanged if it is text or bytes, otherwise as JSON */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Any other method; without a body where none is given. */
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** The answer of `create_checkout`; fails the test when it is not 200. */
  checkout(body: Record<string, unknown>, headers?: Record<string, string>): Promise<Body>;
}

export interface TestApi extends TestClient {
  url: string;
  app: FastifyInstance;
  database: Database;
  redis: TestRedis;
  progress: Progress & CallProgress;
  /** Empty unless `logsRequests`. */
  requestLog: RequestLog;
  /** Log lines so far. */
  log: string[];
  /** What `speech.prepare` was called with so far. */
  prepared: Vocabulary[];
  /** @throws Error if a log line has no request ID or an answer is not in the reference */
  close(): Promise<void>;
}

function createClient(url: string): TestClient {
  const send: TestClient['send'] = async (method, path, body, headers = {}) => {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${DEMO_KEY}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isRaw ? (body as BodyInit) : JSON.stringify(body) }),
    });
    const text = await response.text();
    const { status, headers: answered } = response;
    return { status, headers: answered, text, body: (text === '' ? {} : JSON.parse(text)) as Body };
  };
  return {
    send,
    get: (path, headers) => send('GET', path, undefined, headers),
    post: (path, body, headers) => send('POST', path, body, headers),
    async checkout(body, headers) {
      const answer = await send('POST', '/v1/create_checkout', body, headers);
      if (answer.status !== 200) throw new Error(`create_checkout answered ${answer.status}: ${answer.text}`);
      return answer.body;
    },
  };
}

/** Generous limits: on a busy machine, a slow component must not count as unavailable. */
const PATIENT_MS = 120_000;
/** More requests than the tests of a file send. */
const MANY = { requests: 10_000, windowSeconds: 1 };

const UNLIMITED: RateLimits = {
  key: MANY,
  address: MANY,
  failure: MANY,
  link: MANY,
  answer: MANY,
  signIn: MANY,
  transferCode: MANY,
  accountCode: MANY,
};

/** Collects answers that the reference does not describe: unlisted error codes and wrong schemas. */
function watchReference(app: FastifyInstance): ReadonlySet<string> {
  const undocumented = new Set<string>();
  app.addHook('onSend', async ({ routeOptions: { config, method } }, { statusCode }, payload) => {
    const { operation } = config;
    if (operation === undefined || typeof payload !== 'string') return payload;
    const body = JSON.parse(payload) as { error?: ErrorObject };
    if (statusCode < 300) {
      for (const { path, message } of operation.response.safeParse(body).error?.issues ?? [])
        undocumented.add(`${operation.id} answers ${path.join('.')}: ${message}`);
    } else if (body.error !== undefined && statusCode !== 503) {
      const route = { ...operation, method: String(method).toLowerCase() as OperationRoute['method'], path: '' };
      if (!errorsOf(route).includes(body.error.code)) undocumented.add(`${operation.id} answers ${body.error.code}`);
    }
    return payload;
  });
  return undocumented;
}

/** Log lines of the rate limiter, which are about the process and not about a request. */
const OF_THE_PROCESS = /"msg":"redis is (away|back)/;

const withoutRequestId = (log: readonly string[]) =>
  log.filter((line) => !/"request_id":"req_/.test(line) && !OF_THE_PROCESS.test(line));

/** Two synthesizers that are never called. */
const VOICES = new Synthesizers(
  [createEspeak(), createOpenai({ apiKey: 'none', url: null, model: 'gpt-4o-mini-tts' })],
  'espeak-ng',
);

export interface TestApiOptions extends Partial<ApiDeps> {
  /** No limit that tests reach, where not given. */
  rateLimits?: Partial<RateLimits>;
  /** The key in the reference's examples; none where not given. */
  demoKey?: string | null;
  /** Beside the sandboxes. */
  moreProcessors?: readonly Processor[];
  /** Requests are logged. Not where not given: a log that cannot be written says so. */
  logsRequests?: boolean;
  /** Screens callers; none are, where not given. */
  screeningOf?: (database: Database) => Screening;
  /** The dashboard's; none where not given. */
  testCalls?: TestCalls | null;
  /** The dashboard's; none where not given. */
  oidc?: OidcSettings | null;
  /** The dashboard's; without a synthesizer where not given. */
  voices?: DashboardDeps['speech'];
  /** The dashboard's; 0 where not given. */
  refundSignInAboveCents?: number;
}

/** A service without a synthesizer. */
export const NO_SPEECH: DashboardDeps['speech'] = {
  sample: async () => 'no_synthesizer',
  mayHaveVoice: (voice) => VOICES.mayHave(voice),
  voices: () => [],
};

export async function startTestApi({
  rateLimits,
  demoKey = null,
  screeningOf,
  logsRequests = false,
  testCalls = null,
  oidc = null,
  voices = NO_SPEECH,
  refundSignInAboveCents = 0,
  moreProcessors = [],
  ...overrides
}: TestApiOptions = {}): Promise<TestApi> {
  const testDatabase: TestDatabase = await createTestDatabase();
  const { database } = testDatabase;
  await seedDemo(database);
  const log: string[] = [];
  const prepared: Vocabulary[] = [];
  const logger = createLog({ level: 'debug', instance: 'test', destination: { write: (line) => log.push(line) } });
  const redis = await createTestRedis();
  const rateLimiter = await openRateLimiter({
    redisUrl: redis.url,
    log: logger,
    limits: { ...UNLIMITED, ...rateLimits },
    commandLimitMs: PATIENT_MS,
  });
  const progress = openProgress({ redisUrl: redis.url, log: { info: () => undefined, warn: () => undefined } });
  const publish = ({ sessionId }: Charge) => progress.publish(sessionId, 'charge_changed');
  const [vault, now] = [overrides.vault ?? createVault([randomBytes(32)]), () => new Date()];
  const { privateTargets = true } = overrides;
  const fingerprint = createFingerprint(randomBytes(32));
  const timings = { settleMs: 0, hangMs: 50, slowMs: 50 };
  const sandboxes = [createSandbox(database, timings), createPageSandbox(database, timings)];
  const processors = overrides.processors ?? [...sandboxes, ...moreProcessors];
  const credentialsFor = credentialsSource(database, vault);
  const paymentDeps = {
    database,
    inFlight: new InFlight(),
    log: logger,
    onPending: () => undefined,
    onStarted: publish,
    onPendingChanged: publish,
    onSettled: publish,
    vault,
    credentialsFor,
    processors,
    savedCards: overrides.savedCards ?? true,
  };
  const pageDeps = {
    database,
    processors,
    vault,
    rateLimiter,
    progress,
    hasSmsCarrier: false,
    metrics: createMetrics(),
    textLimits: overrides.textLimits ?? NO_TEXT_LIMITS,
    scripts: loadPageScripts(processors),
    confirm: (request: ConfirmRequest) => confirmPayment(paymentDeps, request),
    abandon: (request: ConfirmRequest) => abandonPayment(paymentDeps, request),
    actionOf: (charge: Charge) => actionOf(paymentDeps, charge),
  };
  const requestLog = createRequestLog(database, logger);
  const { app, operations, guard } = createApi({
    handlerLimitMs: PATIENT_MS,
    requestLimitMs: PATIENT_MS,
    ...(logsRequests && { requestLog, dashboardUrl: DASHBOARD_URL }),
    database,
    rateLimiter,
    progress,
    vault,
    log: logger,
    privateTargets,
    orders: orderSources({ sql: database, vault, privateTargets, now, log: logger }),
    processors,
    pay: (request) => takePayment(paymentDeps, request),
    refund: (order) => refundCharge(paymentDeps, order),
    changeHold: (order) => changeHold(paymentDeps, order),
    settle: (kind, order) => settleManually(paymentDeps, kind, order),
    speech: {
      prepare: async (vocabulary) => {
        prepared.push(vocabulary);
      },
    },
    mayHaveVoice: (voice) => VOICES.mayHave(voice),
    now,
    hasSmsCarrier: false,
    textLimits: NO_TEXT_LIMITS,
    // As a demo on its user's own machine has it.
    isOperatorHost: operatorHosts(['127.0.0.0/8']),
    transfer: { scheme: 'sip', domain: DOMAIN, numbers: TRANSFER_NUMBERS },
    demoAccount: DEMO_ACCOUNT,
    fingerprint,
    linkBase: () => LINK_BASE,
    docsUrl: DOCS_URL,
    checks: {},
    ...(screeningOf && { screening: screeningOf(database) }),
    ...overrides,
  });
  payPageRoutes(app, {
    ...pageDeps,
    pay: overrides.pay ?? ((request) => takePayment(paymentDeps, request)),
    now: overrides.now ?? now,
    isPublicDemo: overrides.isPublicDemo ?? false,
    fingerprint,
    linkBase: () => LINK_BASE,
    savedCards: overrides.savedCards ?? true,
    ...(overrides.onTextQueued && { onTextQueued: overrides.onTextQueued }),
  });
  mcpRoutes(app, { operations, guard, version: '0.0.0' });
  const { demoAccount = DEMO_ACCOUNT, isPublicDemo = false } = overrides;
  const dashboardDeps = {
    database,
    demoAccount,
    isPublicDemo,
    publicUrl: null,
    dashboardUrl: null,
    testCalls,
    progress,
    processors: createProcessors(database),
    pay: overrides.pay ?? ((request: Payment) => takePayment(paymentDeps, request)),
    speech: voices,
    refundSignInAboveCents,
    totalsWaitMs: PATIENT_MS,
    vault,
    now: overrides.now ?? now,
  };
  dashboardRoutes(app, dashboardDeps);
  signInRoutes(app, { ...dashboardDeps, rateLimiter, oidc });
  const docsUrl = overrides.docsUrl === undefined ? DOCS_URL : overrides.docsUrl;
  docsRoutes(app, operations, { docsUrl, demoKey, processors: createProcessors(database) });
  const undocumented = watchReference(app);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  return {
    ...createClient(url),
    url,
    app,
    database,
    redis,
    progress,
    log,
    prepared,
    requestLog,
    async close() {
      await app.close();
      await requestLog.flush();
      rateLimiter.close();
      progress.close();
      await Promise.all([testDatabase.close(), redis.close()]);
      const lines = withoutRequestId(log);
      if (lines.length > 0) throw new Error(`lines of the log without a request_id: ${lines.join('')}`);
      if (undocumented.size > 0) throw new Error(`the reference does not say that ${[...undocumented].join('; ')}`);
    },
  };
}
