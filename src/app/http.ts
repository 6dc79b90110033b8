/** Starts the HTTP server: REST, the pay page and docs in the role `api`, otherwise health checks and metrics only. */
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { OidcSettings } from '../accounts/users/oidc.ts';
import { orderSources } from '../checkout/orders/sources.ts';
import {
  accountLimitsOf,
  allowedHosts,
  allowsPrivateTargets,
  hasSmsCarrier,
  isOwnMachine,
  oidcOf,
  returnAllowedIn,
  shutdownDelayMs,
  textLimitsOf,
} from '../config/derived.ts';
import type { Config } from '../config/settings.ts';
import { packageVersion } from '../config/version.ts';
import { requirePrimary, requireWritable, type Sql, withSilenceLimit } from '../db/pool.ts';
import { operatorHosts } from '../domain/return-permission.ts';
import { createApi } from '../http/api/app.ts';
import type { ApiDeps } from '../http/api/ports.ts';
import { openRateLimiter } from '../http/api/rate-limiter.ts';
import { createRequestLog, type RequestLog } from '../http/api/request-log/request-log.ts';
import type { HealthCheck, HealthDeps } from '../http/api/routes/health.ts';
import type { TextReplies } from '../http/api/routes/text-replies.ts';
import { createServer, HANDLER_LIMIT_MS } from '../http/api/server.ts';
import type { DashboardDeps } from '../http/dashboard/ports.ts';
import { dashboardRoutes } from '../http/dashboard/routes.ts';
import { signInRoutes } from '../http/dashboard/sign-in/routes.ts';
import type { TestCalls } from '../http/dashboard/try-it/ports.ts';
import { docsRoutes } from '../http/docs/routes.tsx';
import { mcpRoutes } from '../http/mcp/routes.ts';
import { associationRoute, loadPageScripts } from '../http/pay-page/assets.ts';
import type { PageDeps } from '../http/pay-page/ports.ts';
import { payPageRoutes } from '../http/pay-page/routes.ts';
import { CannotStart, PortInUse } from '../lib/start-error.ts';
import { createFingerprint } from '../lib/vault/fingerprint.ts';
import { DEMO_ACCOUNT, DEMO_KEY } from '../local/standalone/demo-data.ts';
import { createTextNotify } from '../notifications/outbox/notify.ts';
import type { Phone } from '../phone/index.ts';
import type { SpeechService } from '../speech/speech.ts';
import { dashboardUrlOf, docsUrlOf, linkBaseOf } from './addresses.ts';
import type { Infrastructure } from './infrastructure.ts';
import { CLOSE_LIMIT_MS } from './lifecycle.ts';
import type { Payments } from './payments.ts';
import { startScreening } from './screening.ts';

const DATABASE_CHECK_LIMIT_MS = 1_500;
/** A successful write counts for this long, and then only reads follow: `/readyz` is public, and a write costs WAL. */
const WRITE_COUNTS_MS = 5_000;
/** The handlers' own time limit ends open requests. */
const HTTP_CLOSE_LIMIT_MS = HANDLER_LIMIT_MS + 5_000;

/** @returns its base URL. @throws CannotStart, PortInUse if it cannot listen */
export async function startHttp(
  infrastructure: Infrastructure,
  speech: SpeechService,
  payments: Payments,
  phone: Phone | null,
  testCalls: TestCalls | null,
): Promise<string> {
  const { config, log, lifecycle, metrics } = infrastructure;
  const readers = config.RINGKEY_METRICS_FROM;
  const surface = {
    log,
    docsUrl: docsUrlOf(config),
    ...healthChecks(infrastructure, phone),
    metrics,
    ...(readers.length > 0 && { metricsReaders: readers }),
    trustedProxies: config.RINGKEY_TRUSTED_PROXIES,
  };
  const app = config.RINGKEY_ROLES.includes('api')
    ? restAndDocs(
        { ...surface, ...(await rest(infrastructure, speech, payments)), testCalls },
        config.RINGKEY_DEMO ? DEMO_KEY : null,
      )
    : createServer(surface).app;
  lifecycle.add('http', HTTP_CLOSE_LIMIT_MS, () => app.close());
  try {
    const url = await app.listen({ host: config.RINGKEY_HTTP_HOST, port: config.RINGKEY_HTTP_PORT });
    const delayMs = shutdownDelayMs(config);
    // A load balancer sends requests until it has seen that `/readyz` is 503.
    lifecycle.add('shutdown delay', delayMs + CLOSE_LIMIT_MS, () =>
      delay(Math.max(0, delayMs - lifecycle.closingForMs)),
    );
    return url;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw new PortInUse('RINGKEY_HTTP_PORT', config.RINGKEY_HTTP_PORT);
    if (code !== 'EADDRNOTAVAIL' && code !== 'EACCES') throw error;
    throw new CannotStart(`REST cannot listen (${message}): set RINGKEY_HTTP_HOST and RINGKEY_HTTP_PORT.`);
  }
}

type PageActions = Pick<Payments, 'actionOf' | 'confirm' | 'abandon'>;

function restAndDocs(
  deps: ApiDeps &
    PageActions &
    Pick<PageDeps, 'progress'> &
    Pick<DashboardDeps, 'testCalls' | 'dashboardUrl' | 'speech' | 'refundSignInAboveCents'> & {
      appleAssociation: Buffer | null;
      oidc: OidcSettings | null;
      publicUrl: string | null;
    },
  demoKey: string | null,
): FastifyInstance {
  const { app, operations, guard } = createApi(deps);
  mcpRoutes(app, { operations, guard, version: packageVersion() });
  payPageRoutes(app, { ...deps, scripts: loadPageScripts(deps.processors) });
  associationRoute(app, deps.appleAssociation);
  dashboardRoutes(app, deps);
  signInRoutes(app, deps);
  docsRoutes(app, operations, { docsUrl: deps.docsUrl, demoKey, processors: deps.processors });
  return app;
}

async function rest(infrastructure: Infrastructure, speech: SpeechService, payments: Payments) {
  const { config, database, redisUrl, progress, vault, transfer, log, lifecycle, metrics } = infrastructure;
  const rateLimiter = await openRateLimiter({ redisUrl, log });
  metrics.watch(
    'redis_failures',
    'Requests since the start that passed without a rate limit because Redis did not respond.',
    () => rateLimiter.failures,
  );
  lifecycle.add('rate limiter', CLOSE_LIMIT_MS, async () => rateLimiter.close());
  const requestLog = startRequestLog(infrastructure);
  const now = () => new Date();
  const [key] = infrastructure.encryptionKeys;
  const privateTargets = allowsPrivateTargets(config);
  return {
    database,
    rateLimiter,
    progress,
    vault,
    transfer,
    speech,
    mayHaveVoice: (voice: string) => speech.mayHaveVoice(voice),
    ...payments,
    privateTargets,
    privateTargetsLocally: config.RINGKEY_PRIVATE_TARGETS === undefined,
    allowedHosts: allowedHosts(config),
    isOperatorHost: operatorHosts(returnAllowedIn(config)),
    orders: orderSources({ sql: database, vault, privateTargets, now, log }),
    now,
    savedCards: config.RINGKEY_SAVED_CARDS,
    screening: startScreening(infrastructure),
    fingerprint: key === undefined ? null : createFingerprint(key),
    linkBase: linkBaseOf(config),
    appleAssociation: associationFile(config),
    onTextQueued: createTextNotify(database, log),
    textReplies: textReplies(config),
    hasSmsCarrier: hasSmsCarrier(config),
    textLimits: textLimitsOf(config),
    accountLimits: accountLimitsOf(config),
    publicUrl: config.RINGKEY_PUBLIC_URL ?? null,
    demoAccount: config.RINGKEY_DEMO ? DEMO_ACCOUNT : null,
    isPublicDemo: config.RINGKEY_DEMO && !isOwnMachine(config),
    refundSignInAboveCents: config.RINGKEY_REFUND_SIGN_IN_ABOVE_CENTS,
    oidc: oidcOf(config),
    dashboardUrl: dashboardUrlOf(config),
    ...(config.RINGKEY_MAX_LOAD < 100 && { pressure: {} }),
    ...(requestLog !== null && { requestLog }),
  };
}

/** Null if it is off. The last entries are written after the last response. */
function startRequestLog({ config, database, log, lifecycle, metrics }: Infrastructure): RequestLog | null {
  if (config.RINGKEY_REQUEST_LOG_DAYS === 0) return null;
  const requestLog = createRequestLog(database, log);
  metrics.watch(
    'requests_not_logged',
    'Requests since the start that are missing from the request log: too many at once, or the database failed.',
    () => requestLog.dropped,
  );
  lifecycle.add('request log', CLOSE_LIMIT_MS, () => requestLog.flush());
  return requestLog;
}

/** @throws CannotStart if the file does not exist */
function associationFile({ RINGKEY_APPLE_PAY_ASSOCIATION: path }: Config): Buffer | null {
  if (path === undefined) return null;
  try {
    return readFileSync(path);
  } catch (error) {
    throw new CannotStart(`RINGKEY_APPLE_PAY_ASSOCIATION cannot be read: ${(error as Error).message}`);
  }
}

/** The SMS carrier whose webhooks are served, and the keys for its signatures. */
function textReplies(config: Config): TextReplies {
  const { RINGKEY_SMS, TWILIO_AUTH_TOKEN: authToken, RINGKEY_PUBLIC_URL: publicUrl } = config;
  const publicKey = config.TELNYX_PUBLIC_KEY;
  if (RINGKEY_SMS === 'twilio' && authToken !== undefined && publicUrl !== undefined) {
    return { twilio: { authToken, publicUrl } };
  }
  return RINGKEY_SMS === 'telnyx' && publicKey !== undefined ? { telnyx: { publicKey } } : {};
}

/**
 * `/readyz` fails during shutdown, so that the process gets no new work. Without Redis everything works, only slower.
 */
function healthChecks({ database, redis, lifecycle }: Infrastructure, phone: Phone | null): HealthDeps {
  const impatient = withSilenceLimit(database, DATABASE_CHECK_LIMIT_MS);
  return {
    checks: { postgres: databaseCheck(impatient) },
    states: { process: () => !lifecycle.closing, ...(phone && { engine: () => phone.connected }) },
    ...(phone && { facts: () => ({ media_servers: mediaServerCounts(phone) }) }),
    optionalChecks: {
      redis: async () => {
        // Not PING, which every node of a cluster answers.
        await redis.exists('ringkey:ready');
      },
    },
  };
}

/** Drained ones are counted as such, whether they are connected or not. */
function mediaServerCounts({ media }: Phone): Record<'in_use' | 'drained' | 'away', number> {
  const undrained = media.states.filter(({ isDrained }) => !isDrained);
  const inUse = undrained.filter(({ isConnected }) => isConnected).length;
  return { in_use: inUse, drained: media.states.length - undrained.length, away: undrained.length - inUse };
}

function databaseCheck(sql: Sql): HealthCheck {
  let writableUntil = 0;
  return async () => {
    if (performance.now() < writableUntil) return requirePrimary(sql);
    await requireWritable(sql);
    writableUntil = performance.now() + WRITE_COUNTS_MS;
  };
}
