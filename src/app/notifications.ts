/** Webhooks and texts: what sends them, by which carrier. */
import { allowsPrivateTargets } from '../config/derived.ts';
import { readBacklog } from '../db/backlog.ts';
import { type Notifier, startNotifier } from '../notifications/outbox/notifications.ts';
import { docsUrlOf } from './docs-url.ts';
import type { Infrastructure } from './infrastructure.ts';
import { CLOSE_LIMIT_MS } from './lifecycle.ts';
import { carriersOf } from './sms-carriers.ts';

/** Of the role `worker`. */
export function startNotifications(infrastructure: Infrastructure): Notifier {
  const { config, database, databaseUrl, redisUrl, vault, log, lifecycle, metrics } = infrastructure;
  metrics.watchBacklog(() => readBacklog(database, new Date()));
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
  return notifier;
}
