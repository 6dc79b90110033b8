/**
 * Tells the outside world what happened: relays the outbox, delivers webhooks, sends texts. Any number of workers may
 * run: what there is to do stands in PostgreSQL. NOTIFY and BullMQ only say sooner what a sweep finds each second.
 */
import type { BaseLogger } from 'pino';
import { createRerunner } from '../concurrency/run-again.ts';
import { EVENTS_CHANNEL } from '../db/events/events.ts';
import { listen } from '../db/events/listen.ts';
import type { Database } from '../db/pool.ts';
import type { Metrics } from '../observability/metrics.ts';
import { Connections } from '../outgoing-http/post.ts';
import type { SmsCarrier } from '../sms/ports.ts';
import { TextQueue } from '../sms/text-queue.ts';
import type { Vault } from '../vault/vault.ts';
import { DeliveryQueue } from '../webhooks/delivery-queue.ts';
import type { Quarantined } from './quarantine.ts';
import { relayBatch } from './relay.ts';

export interface NotifierDeps {
  database: Database;
  /** The same server, for a connection that listens. */
  databaseUrl: string;
  redisUrl: string;
  /** Null without encryption keys. */
  vault: Vault | null;
  docsUrl: string;
  /** Endpoints of test mode may be at private addresses. */
  privateTargets: boolean;
  /** Of live texts; those of test mode go to the log. */
  carrier: SmsCarrier;
  testCarrier: SmsCarrier;
  log: Pick<BaseLogger, 'info' | 'warn' | 'error'>;
  /** For the counts. */
  metrics?: Pick<Metrics, 'delivery' | 'text' | 'eventQuarantined'>;
  /** Between sweeps. */
  pollMs?: number;
  /** An endpoint's time to answer. */
  answerLimitMs?: number;
  connections?: Connections;
}

export interface Notifier {
  /** Stops after what is under way, whose waits are cut short. Idempotent. */
  close(): Promise<void>;
}

const POLL_MS = 1_000;

export function startNotifier(deps: NotifierDeps): Notifier {
  const { database, databaseUrl, redisUrl, log, metrics, pollMs = POLL_MS } = deps;
  const connections = deps.connections ?? new Connections();
  const webhooks = new DeliveryQueue({
    ...{ ...deps, sql: database, connections },
    ...(metrics && { onAttempt: metrics.delivery }),
  });
  const texts = new TextQueue({
    ...{ sql: database, redisUrl, log, carriers: { live: deps.carrier, test: deps.testCarrier } },
    ...(metrics && { onText: metrics.text }),
  });
  let closing: Promise<void> | null = null;
  const relay = createRerunner(() => relayAll(deps, webhooks, texts, () => closing !== null));
  const sweep = createRerunner(async () => {
    try {
      await Promise.all([webhooks.sweep(), texts.sweep()]);
    } catch (error) {
      log.warn({ err: error }, 'sweep of webhooks and texts failed, will be tried again');
    }
  });
  const listener = listen({ url: databaseUrl, channel: EVENTS_CHANNEL, onNotify: relay.wake, log });
  const wakeAll = () => {
    relay.wake();
    sweep.wake();
  };
  const timer = setInterval(wakeAll, pollMs);
  wakeAll();

  async function close(): Promise<void> {
    clearInterval(timer);
    await Promise.all([listener.close(), relay.close(), sweep.close()]);
    await Promise.all([webhooks.close(), texts.close()]);
    connections.close();
  }
  return {
    close() {
      closing ??= close();
      return closing;
    },
  };
}

/** Relays all that waits in the outbox. Never throws. */
async function relayAll(
  deps: NotifierDeps,
  webhooks: DeliveryQueue,
  texts: TextQueue,
  isClosing: () => boolean,
): Promise<void> {
  try {
    for (let more = true; more && !isClosing(); ) {
      const relayed = await relayBatch(deps);
      void webhooks.enqueue(relayed.deliveries);
      void texts.enqueue(relayed.texts);
      for (const one of relayed.quarantined) reportQuarantined(deps, one);
      more = relayed.more;
    }
  } catch (error) {
    deps.log.warn({ err: error }, 'events not relayed, will be tried again');
  }
}

function reportQuarantined({ log, metrics }: NotifierDeps, quarantined: Quarantined): void {
  const { eventId, part, attempt, retryInMs, error } = quarantined;
  const fields = { eventId, part, attempt, retryInMs, err: error };
  if (retryInMs === null) log.error(fields, 'event given up: it cannot be rendered');
  else log.error(fields, 'event in quarantine: it cannot be rendered, will be tried again');
  metrics?.eventQuarantined({ part, result: retryInMs === null ? 'given_up' : 'waiting' });
}
