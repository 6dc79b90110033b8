/** The REST API: its routes, with authentication, rate limits and idempotency. */
import type { FastifyInstance } from 'fastify';
import { createKeyCache } from '../../accounts/keys/key-cache.ts';
import { createKeyNotes } from '../../accounts/keys/near-limit.ts';
import { takesKeypadWith } from '../../accounts/merchants/processor.ts';
import { type TakesOnPage, takesOnPageWith } from '../../checkout/page-advice.ts';
import { canSendLinksWith } from '../../checkout/pay-link.ts';
import type { CanSendLinks } from '../../contract/errors.ts';
import type { Database } from '../../db/pool.ts';
import { batchedCheckouts, type Checkouts, readCheckoutAlone } from '../../db/sessions/batched-checkouts.ts';
import { createBackground } from '../../lib/concurrency/in-flight.ts';
import { holdersOf, verifies } from '../../payments/shared/deps.ts';
import { limitInProcess } from './in-process.ts';
import { authenticate } from './plugins/auth.ts';
import { storeAnswers } from './plugins/idempotency.ts';
import { markLocalRequests } from './plugins/local-requests.ts';
import { limitedByRequest, refuseBeyondLimit } from './plugins/merchant-limit.ts';
import { lockPublicDemo } from './plugins/public-demo.ts';
import { traceRequests } from './plugins/trace.ts';
import { refuseUnderPressure } from './plugins/unavailable.ts';
import type { ApiDeps } from './ports.ts';
import { limitGuesses } from './rate-limiter.ts';
import { RecentCallEvents } from './recent-call-events.ts';
import type { OperationRoute } from './reference/operation.ts';
import { accountRoutes } from './routes/account.ts';
import { alertTargetRoutes } from './routes/alert-targets.ts';
import { attentionRoutes } from './routes/attention.ts';
import { auditEventRoute } from './routes/audit-events.ts';
import { callerRoutes } from './routes/caller-profiles.ts';
import { consumerRoute, identifyRoute } from './routes/callers.ts';
import { callRoutes } from './routes/calls.ts';
import { cardRoutes } from './routes/cards.ts';
import { chargeRoute } from './routes/charge.ts';
import { chargeListRoutes } from './routes/charges.ts';
import { checkoutSessionRoutes } from './routes/checkout-sessions.ts';
import { createChargeRoute } from './routes/create-charge.ts';
import { createCheckoutRoute } from './routes/create-checkout.ts';
import { demoTextsRoute } from './routes/demo-texts.tsx';
import { disputeRoutes } from './routes/disputes.ts';
import { emailListRoute } from './routes/emails.ts';
import { eventRoutes } from './routes/events.ts';
import { holdRoutes } from './routes/holds.ts';
import { keyRoutes } from './routes/keys.ts';
import { merchantLogoRoutes } from './routes/merchant-logo.ts';
import { merchantRoutes } from './routes/merchants.ts';
import { monthReportRoute } from './routes/month-report.ts';
import { notificationSettingsRoutes } from './routes/notification-settings.ts';
import { orderRoute } from './routes/orders.ts';
import { payoutRoutes } from './routes/payouts.ts';
import { processorHookRoutes } from './routes/processor-hooks.ts';
import { refundRoutes } from './routes/refunds.ts';
import { requestRoutes } from './routes/requests.ts';
import { sendLinkRoute } from './routes/send-link.ts';
import { createSessionStreams, sessionEventsRoute } from './routes/session-events.ts';
import { settleRoutes } from './routes/settle.ts';
import { statisticsRoute } from './routes/statistics.ts';
import { textReplyRoutes } from './routes/text-replies.ts';
import { textListRoutes } from './routes/texts.ts';
import { toolCreateCheckoutRoute } from './routes/tool-create-checkout.ts';
import { webhookDeliveryRoutes } from './routes/webhook-deliveries.ts';
import { webhookEndpointRoutes } from './routes/webhook-endpoints.ts';
import { webhookHealthRoutes } from './routes/webhook-health.ts';
import { createServer } from './server.ts';
import { SessionWaits } from './session-waits.ts';

const DRAIN_LIMIT_MS = 5_000;

interface Api {
  /** Ready to `listen`. `close` waits for open requests, then for the background work they started. */
  app: FastifyInstance;
  /** For the reference. Complete when the app is ready. */
  operations: readonly OperationRoute[];
  /** Guards routes of another protocol like those of REST: by key, source and rate limit. */
  guard: (app: FastifyInstance) => void;
}

export function createApi(deps: ApiDeps): Api {
  const { app, metrics, operations } = createServer(deps);
  if (deps.pressure !== undefined) refuseUnderPressure(app, metrics, deps.pressure);
  markLocalRequests(app, deps);
  const background = createBackground();
  const keyCache = createKeyCache(deps.database);
  const noteKeyNearLimit = createKeyNotes(deps.database, deps.log);
  const failedAuthentication = limitGuesses(deps.rateLimiter, 'failure');
  const authDeps = { ...deps, keyCache, noteKeyNearLimit, failedAuthentication };
  const checkouts = batchedCheckouts(deps.database, deps.now);
  const canSendLinks = canSendLinksWith(deps);
  const takesOnPage = takesOnPageWith(deps);
  const takesKeypad = takesKeypadWith(deps.processors);
  const holders = holdersOf(deps.processors);
  const canHold = (processor: string) => holders.includes(processor);
  const debtors = deps.processors.filter(({ debits }) => debits !== undefined).map(({ name }) => name);
  const canDebit = (processor: string) => debtors.includes(processor);
  const verifiers = deps.processors.filter(verifies).map(({ name }) => name);
  const alone = deps.processors.filter(({ can }) => can.merchantInitiated === true).map(({ name }) => name);
  const saving = {
    canVerify: (processor: string) => verifiers.includes(processor),
    canChargeAlone: (processor: string) => alone.includes(processor),
    canStoreCards: deps.vault !== null,
  };
  const ways = { canSendLinks, takesOnPage, takesKeypad, canHold, canDebit, ...saving };
  const checkoutDeps = { ...deps, ...ways, checkouts, background, onCheckout: metrics.checkout };
  app.addHook('onClose', () => background.drain(DRAIN_LIMIT_MS));
  const guard = (routes: FastifyInstance) => {
    authenticate(routes, authDeps);
    traceRequests(routes);
  };
  const limited = { ...deps, database: limitedByRequest(deps.database) };
  const readings: Pick<Checkouts, 'read'> = {
    read: (key) =>
      limitInProcess() === null ? checkouts.read(key) : readCheckoutAlone(limited.database, key, deps.now()),
  };
  const waits = new SessionWaits(deps.progress);
  const [streams, recent] = [createSessionStreams(), new RecentCallEvents(deps.progress)];
  app.addHook('preClose', async () => {
    waits.close();
    streams.close();
    recent.close();
  });
  app.register(
    (v1, _options, done) => {
      guard(v1);
      lockPublicDemo(v1, deps);
      refuseBeyondLimit(v1, deps.database);
      storeAnswers(v1, deps);
      createCheckoutRoute(v1, checkoutDeps);
      checkoutSessionRoutes(v1, { ...limited, checkouts: readings, waits });
      sessionEventsRoute(v1, { ...deps, checkouts, streams, recent });
      keyRoutes(v1, { ...deps, keyCache });
      resourceRoutes(v1, { ...limited, canSendLinks, takesOnPage, allRows: deps.database });
      done();
    },
    { prefix: '/v1' },
  );
  app.register(
    (tools, _options, done) => {
      guard(tools);
      refuseBeyondLimit(tools, deps.database);
      storeAnswers(tools, deps);
      toolCreateCheckoutRoute(tools, checkoutDeps);
      done();
    },
    { prefix: '/api/tools' },
  );
  app.register(
    (replies, _options, done) => {
      textReplyRoutes(replies, { ...deps, metrics });
      done();
    },
    { prefix: '/hooks/sms' },
  );
  app.register(
    (hooks, _options, done) => {
      processorHookRoutes(hooks, deps);
      done();
    },
    { prefix: '/hooks/processors' },
  );
  demoTextsRoute(app, deps);
  return { app, operations, guard };
}

interface ResourceDeps extends ApiDeps {
  canSendLinks: CanSendLinks;
  takesOnPage: TakesOnPage;
  /** The rows of all merchants, whatever the request's limit. */
  allRows: Database;
}

function resourceRoutes(v1: FastifyInstance, deps: ResourceDeps): void {
  identifyRoute(v1, deps);
  chargeRoute(v1, deps);
  sendLinkRoute(v1, deps);
  callRoutes(v1, deps);
  chargeListRoutes(v1, deps);
  createChargeRoute(v1, deps);
  statisticsRoute(v1, deps);
  monthReportRoute(v1, deps);
  refundRoutes(v1, deps);
  disputeRoutes(v1, deps);
  payoutRoutes(v1, deps);
  holdRoutes(v1, deps);
  settleRoutes(v1, deps);
  textListRoutes(v1, deps);
  emailListRoute(v1, deps);
  merchantRoutes(v1, { ...deps, transferNumbers: deps.transfer.numbers });
  merchantLogoRoutes(v1, deps);
  notificationSettingsRoutes(v1, deps);
  orderRoute(v1, deps);
  cardRoutes(v1, deps);
  callerRoutes(v1, deps);
  consumerRoute(v1, deps);
  accountRoutes(v1, deps);
  webhookEndpointRoutes(v1, deps);
  alertTargetRoutes(v1, deps);
  webhookDeliveryRoutes(v1, deps);
  webhookHealthRoutes(v1, deps);
  eventRoutes(v1, deps);
  attentionRoutes(v1, { ...deps, sweepsIn: deps.allRows });
  requestRoutes(v1, deps);
  auditEventRoute(v1, deps);
}
