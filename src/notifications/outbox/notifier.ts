/**
 * Sends notifications: relays the outbox, delivers webhooks, sends texts. Any number of workers can run, because the
 * tasks are rows in PostgreSQL. NOTIFY and BullMQ only announce sooner what a look finds every two seconds. First attempts
 * start in this process, right after the commit that creates them.
 */
import { setMaxListeners } from 'node:events';
import type { BaseLogger } from 'pino';
import { EVENTS_CHANNEL, TEXTS_QUEUED } from '../../db/events/events.ts';
import { listen } from '../../db/events/listen.ts';
import { findNotificationWork } from '../../db/events/outbox.ts';
import type { Database } from '../../db/pool.ts';
import { createFailureLog, type FailureLog } from '../../lib/concurrency/failure-log.ts';
import { createRerunner, type Rerunner } from '../../lib/concurrency/run-again.ts';
import { Connections } from '../../lib/http-client/post.ts';
import type { Metrics } from '../../lib/observability/metrics.ts';
import { outsideSpans } from '../../lib/observability/trace.ts';
import type { Vault } from '../../lib/vault/vault.ts';
import type { SmsCarrier } from '../sms/ports.ts';
import { TextQueue } from '../sms/text-queue.ts';
import { DeliveryQueue } from '../webhooks/delivery-queue.ts';
import { type Quarantined, relayBatch } from './relay.ts';

export interface NotifierDeps {
  database: Database;
  /** The same server, for a connection that listens. */
  databaseUrl: string;
  redisUrl: string;
  /** Null without encryption keys. */
  vault: Vault | null;
  docsUrl: string;
  /** Endpoints of test mode can have private addresses. */
  privateTargets: boolean;
  /** For live texts. Test texts go to the log. */
  carrier: SmsCarrier;
  testCarrier: SmsCarrier;
  log: Pick<BaseLogger, 'info' | 'warn' | 'error'>;
  /** For the metrics. */
  metrics?: Pick<Metrics, 'delivery' | 'firstDelivery' | 'text' | 'eventQuarantined'>;
  /** Between sweeps. */
  pollMs?: number;
  /** An endpoint's time to answer. */
  answerLimitMs?: number;
  connections?: Connections;
}

export interface Notifier {
  /** Relays the events that this process has just committed. Never throws. */
  relayNow(): void;
  /** Aborts waits and finishes the running tasks. Idempotent. */
  close(): Promise<void>;
}

const POLL_MS = 2_000;
const RELAY_WORDS = { failed: 'events not relayed, will retry', works: 'events are relayed again' };
const SWEEP_WORDS = {
  failed: 'sweep of webhooks or texts failed, will retry',
  works: 'sweep of webhooks or texts works again',
};

export function startNotifier(deps: NotifierDeps): Notifier {
  const { database, databaseUrl, redisUrl, vault, log, metrics, pollMs = POLL_MS } = deps;
  const connections = deps.connections ?? new Connections();
  const stop = new AbortController();
  // Each running attempt and each text adds a listener.
  setMaxListeners(0, stop.signal);
  const webhooks = new DeliveryQueue({
    ...deps,
    sql: database,
    connections,
    stop: stop.signal,
    ...(metrics && { onAttempt: metrics.delivery, onFirstAttempt: metrics.firstDelivery }),
  });
  const texts = new TextQueue({
    sql: database,
    redisUrl,
    vault,
    log,
    carriers: { live: deps.carrier, test: deps.testCarrier },
    stop: stop.signal,
    ...(metrics && { onText: metrics.text }),
  });
  let closing: Promise<void> | null = null;
  const relayFailures = createFailureLog(log, {}, RELAY_WORDS);
  // Outside of the payment that wakes it: the events are of others, too.
  const relay = createRerunner(() => outsideSpans(() => relayAll(deps, webhooks, texts, relayFailures, stop.signal)));
  const textSweep = createSweep('texts', texts, log);
  const webhookSweep = createSweep('webhooks', webhooks, log);
  // Separate, so that none waits for another.
  const runners = [relay, webhookSweep, textSweep];
  const onNotify = (payload: string) => (payload === TEXTS_QUEUED ? textSweep : relay).wake();
  const listener = listen({ url: databaseUrl, channel: EVENTS_CHANNEL, onNotify, onConnected: () => wakeAll(), log });
  const wakeAll = () => {
    for (const rerunner of runners) rerunner.wake();
  };
  const look = createRerunner(async () => {
    // If the database does not answer, the relay says so in the log.
    const unknown = { events: true, deliveries: true, texts: true };
    const due = await findNotificationWork(database).catch(() => unknown);
    if (due.events) relay.wake();
    if (due.deliveries) webhookSweep.wake();
    if (due.texts) textSweep.wake();
  });
  const timer = setInterval(() => look.wake(), pollMs);
  wakeAll();

  async function close(): Promise<void> {
    stop.abort();
    clearInterval(timer);
    await Promise.all([listener.close(), look.close(), ...runners.map((rerunner) => rerunner.close())]);
    await Promise.all([webhooks.close(), texts.close()]);
    connections.close();
  }
  return {
    relayNow: () => relay.wake(),
    close() {
      closing ??= close();
      return closing;
    },
  };
}

function createSweep(of: string, queue: DeliveryQueue | TextQueue, log: NotifierDeps['log']): Rerunner {
  const failures = createFailureLog(log, { of }, SWEEP_WORDS);
  return createRerunner(async () => {
    try {
      await queue.sweep();
      failures.worked();
    } catch (error) {
      failures.failed(error);
    }
  });
}

/** Relays everything in the outbox. Never throws. */
async function relayAll(
  deps: NotifierDeps,
  webhooks: DeliveryQueue,
  texts: TextQueue,
  failures: FailureLog,
  stop: AbortSignal,
): Promise<void> {
  try {
    for (let more = true; more && !stop.aborted; ) {
      const relayed = await relayBatch(deps);
      webhooks.start(relayed.deliveries);
      void texts.start(relayed.texts);
      for (const one of relayed.quarantined) reportQuarantined(deps, one);
      more = relayed.more;
    }
    failures.worked();
  } catch (error) {
    failures.failed(error);
  }
}

function reportQuarantined({ log, metrics }: NotifierDeps, quarantined: Quarantined): void {
  const { eventId, part, attempt, retryInMs, error } = quarantined;
  const fields = { eventId, part, attempt, retryInMs, err: error };
  if (retryInMs === null) log.error(fields, 'event given up: it cannot be rendered');
  else log.error(fields, 'event quarantined: it cannot be rendered, will retry');
  metrics?.eventQuarantined({ part, result: retryInMs === null ? 'given_up' : 'waiting' });
}
