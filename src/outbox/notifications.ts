/**
 * Tells the outside world what happened: relays the outbox, delivers webhooks, sends texts. Any number of workers may
 * run; what there is to do is in the record, and everything else (PostgreSQL's bell, BullMQ) only says so sooner.
 */
import type { BaseLogger } from 'pino';
import type { WebhookEndpointId } from '../domain/ids.ts';
import type { Metrics } from '../observability/metrics.ts';
import { Connections } from '../outgoing-http/post.ts';
import type { Database } from '../db/pool.ts';
import { EVENTS_CHANNEL } from '../db/events/events.ts';
import { type Listener, listen } from '../db/events/listen.ts';
import { dueLanes } from '../db/webhooks/webhook-lanes.ts';
import type { Vault } from '../vault/vault.ts';
import { relayBatch } from './relay.ts';
import type { SetAside } from './quarantine.ts';
import type { SmsCarrier } from '../sms/ports.ts';
import { TextSender } from '../sms/sender.ts';
import { openWakeUps, type WakeUps } from '../webhooks/wake-ups.ts';
import { Lanes } from '../webhooks/lanes.ts';

export interface NotifyDeps {
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
/** Lanes in one sweep; the rest in the next. */
const SWEEP = 500;

export function startNotify(deps: NotifyDeps): Notifier {
  return new RunningNotifier(deps);
}

class RunningNotifier implements Notifier {
  readonly #deps: NotifyDeps;
  readonly #connections: Connections;
  readonly #lanes: Lanes;
  readonly #texts: TextSender;
  readonly #wakeUps: WakeUps;
  readonly #listener: Listener;
  #timer: NodeJS.Timeout | undefined;
  #relaying: Promise<void> | undefined;
  #rung = false;
  #sweeping: Promise<void> = Promise.resolve();
  #closing: Promise<void> | undefined;

  constructor(deps: NotifyDeps) {
    const { database, databaseUrl, redisUrl, vault, log, answerLimitMs, carrier, testCarrier, privateTargets } = deps;
    this.#deps = deps;
    this.#connections = deps.connections ?? new Connections();
    this.#lanes = new Lanes({
      ...{ sql: database, vault, connections: this.#connections, privateTargets, log },
      onLater: (id, inMs) => this.#later(id, inMs),
      ...(deps.metrics && { onAttempt: deps.metrics.delivery }),
      ...(answerLimitMs !== undefined && { answerLimitMs }),
    });
    this.#texts = new TextSender({
      sql: database,
      carriers: { live: carrier, test: testCarrier },
      log,
      ...(deps.metrics && { onText: deps.metrics.text }),
    });
    this.#wakeUps = openWakeUps({ redisUrl, onWake: (id) => this.#lanes.wake(id), log });
    this.#listener = listen({ url: databaseUrl, channel: EVENTS_CHANNEL, onNotify: () => this.#relay(), log });
    this.#tick();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    clearTimeout(this.#timer);
    await Promise.all([this.#listener.close(), this.#sweeping, this.#relaying]);
    await Promise.all([this.#lanes.close(), this.#texts.close()]);
    await this.#wakeUps.close();
    this.#connections.close();
  }

  #tick(): void {
    this.#sweeping = this.#sweep().finally(() => {
      if (this.#closing === undefined) this.#timer = setTimeout(() => this.#tick(), this.#deps.pollMs ?? POLL_MS);
    });
  }

  /** What nobody told us of. */
  async #sweep(): Promise<void> {
    this.#relay();
    this.#texts.wake();
    try {
      for (const id of await dueLanes(this.#deps.database, SWEEP)) this.#lanes.wake(id);
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'sweep of webhooks failed, will be tried again');
    }
  }

  /** One at a time; whoever rings meanwhile is heard after it. */
  #relay(): void {
    if (this.#closing !== undefined) return;
    this.#rung = true;
    this.#relaying ??= this.#relayAll().finally(() => {
      this.#relaying = undefined;
      if (this.#rung) this.#relay();
    });
  }

  async #relayAll(): Promise<void> {
    this.#rung = false;
    try {
      for (let more = true; more && this.#closing === undefined; ) {
        const relayed = await relayBatch(this.#deps);
        if (relayed.endpoints.length > 0) this.#now(relayed.endpoints);
        if (relayed.texts > 0) this.#texts.wake();
        for (const one of relayed.setAside) this.#tellOf(one);
        more = relayed.more;
      }
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'events not relayed, will be tried again');
    }
  }

  #tellOf({ eventId, part, attempt, retryInMs, error }: SetAside): void {
    const fields = { eventId, part, attempt, retryInMs, err: error };
    if (retryInMs === null) this.#deps.log.error(fields, 'event given up: it cannot be rendered');
    else this.#deps.log.error(fields, 'event set aside: it cannot be rendered, will be tried again');
    this.#deps.metrics?.eventQuarantined({ part, result: retryInMs === null ? 'given_up' : 'waiting' });
  }

  /** By BullMQ, so that workers share the load; by ourselves, where Redis is away. */
  #now(ids: readonly WebhookEndpointId[]): void {
    this.#wakeUps.now(ids).catch(() => {
      for (const id of ids) this.#lanes.wake(id);
    });
  }

  /** Where Redis is away, which it has said itself, the sweep finds the lane in time. */
  #later(id: WebhookEndpointId, inMs: number): void {
    this.#wakeUps.later(id, inMs).catch(() => undefined);
  }
}
