/** Starts the sender of webhooks and texts, chooses the SMS carriers and mailers, and wires the texting of pay links. */
import type { BaseLogger } from 'pino';
import type { SendLinkDeps } from '../checkout/send-link.ts';
import { allowsPrivateTargets, hasSmsCarrier, textLimitsOf } from '../config/derived.ts';
import type { Config } from '../config/settings.ts';
import { readBacklog } from '../db/backlog.ts';
import { readPartitionsAhead } from '../db/partitions.ts';
import { createLogMailer } from '../notifications/email/log/mailer.ts';
import type { SendEmailsDeps } from '../notifications/email/send-emails.ts';
import { createSmtpMailer } from '../notifications/email/smtp/mailer.ts';
import { type Notifier, startNotifier } from '../notifications/outbox/notifier.ts';
import { createTextNotify } from '../notifications/outbox/notify.ts';
import { createLogCarrier } from '../notifications/sms/log/carrier.ts';
import type { SmsCarrier } from '../notifications/sms/ports.ts';
import { createTelnyx } from '../notifications/sms/telnyx/carrier.ts';
import { createTwilio } from '../notifications/sms/twilio/carrier.ts';
import { createCallClaims } from '../notifications/webhooks/call-claims.ts';
import { CallEventSender } from '../notifications/webhooks/call-events.ts';
import type { Processor } from '../payments/port/processor.ts';
import { docsUrlOf, linkBaseOf } from './addresses.ts';
import type { Infrastructure } from './infrastructure.ts';
import { CLOSE_LIMIT_MS } from './lifecycle.ts';

/** For the role `worker`. */
export function startNotifications(infrastructure: Infrastructure): Notifier {
  const { config, database, databaseUrl, redisUrl, redis, progress, vault, log, lifecycle, metrics } = infrastructure;
  metrics.watchBacklog(() => readBacklog(database, new Date()));
  metrics.watchPartitions(() => readPartitionsAhead(database));
  const { live: carrier, test: testCarrier } = carriersOf(config, log);
  const docsUrl = docsUrlOf(config) ?? '/docs';
  const privateTargets = allowsPrivateTargets(config);
  const notifier = startNotifier({
    database,
    databaseUrl,
    redisUrl,
    vault,
    docsUrl,
    privateTargets,
    carrier,
    testCarrier,
    log,
    metrics,
  });
  lifecycle.add('webhooks and texts', CLOSE_LIMIT_MS, () => notifier.close());
  const claim = createCallClaims(redis);
  const callEvents = new CallEventSender({ sql: database, vault, progress, claim, privateTargets, log });
  lifecycle.add('call events', CLOSE_LIMIT_MS, () => callEvents.close());
  return notifier;
}

/** `live` is the carrier of the settings. `test` sends nothing, because the numbers of test calls can be real. */
function carriersOf(config: Config, log: Pick<BaseLogger, 'info'>): Record<'live' | 'test', SmsCarrier> {
  const test = createLogCarrier(log, config.RINGKEY_DEMO);
  const from = config.RINGKEY_SMS_FROM ?? '';
  const base = config.RINGKEY_PUBLIC_URL;
  // With our ID, because a report can arrive before the database has the carrier's ID.
  const reports = (path: string) =>
    base === undefined ? {} : { statusUrl: (textId: string) => `${base}/hooks/sms/${path}?text=${textId}` };
  switch (config.RINGKEY_SMS) {
    case 'log':
      return { test, live: createLogCarrier(log, false) };
    case 'twilio': {
      const { TWILIO_ACCOUNT_SID: accountSid = '', TWILIO_AUTH_TOKEN: authToken = '' } = config;
      return { test, live: createTwilio({ accountSid, authToken, from, ...reports('twilio/status') }) };
    }
    case 'telnyx':
      return { test, live: createTelnyx({ apiKey: config.TELNYX_API_KEY ?? '', from, ...reports('telnyx') }) };
  }
}

/** `live` sends by the mail server of the settings. `test` sends nothing, because the addresses can be real. */
export function mailersOf({ config, log }: Pick<Infrastructure, 'config' | 'log'>): SendEmailsDeps['mailers'] {
  const { RINGKEY_SMTP_URL: url, RINGKEY_EMAIL_FROM: from } = config;
  const live = url === undefined || from === undefined ? null : createSmtpMailer({ url, from });
  return { live, test: createLogMailer(log, config.RINGKEY_DEMO) };
}

/** The dependencies of texting pay links to callers. */
export function linkDepsOf(
  { config, database, vault, log }: Pick<Infrastructure, 'config' | 'database' | 'vault' | 'log'>,
  processors: readonly Processor[],
): SendLinkDeps {
  return {
    database,
    vault,
    processors,
    linkBase: linkBaseOf(config),
    hasSmsCarrier: hasSmsCarrier(config),
    textLimits: textLimitsOf(config),
    log,
    onTextQueued: createTextNotify(database, log),
  };
}
