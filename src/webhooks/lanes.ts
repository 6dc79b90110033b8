/**
 * The lanes of this process: each delivers one endpoint's events, one after the other, in their order. A lane that waits
 * for a slow endpoint holds a socket and nothing else, so it is in nobody's way.
 */
import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { BaseLogger } from 'pino';
import type { WebhookEndpointId } from '../domain/ids.ts';
import type { Connections } from '../outgoing-http/post.ts';
import type { Sql } from '../db/pool.ts';
import { changeWebhookEndpoint } from '../db/webhooks/webhook-endpoints.ts';
import {
  cancelWaiting,
  type DueDelivery,
  type Lane,
  type LaneClaim,
  putLaneOff,
} from '../db/webhooks/webhook-lanes.ts';
import type { Vault } from '../vault/vault.ts';
import { attempt, type Sender } from './attempt.ts';
import { AttemptLog } from './attempt-log.ts';
import { type LaneRecord, openLaneRecord } from './lane-record.ts';
import { webhookSecretContext } from './secrets.ts';
import { GIVEN_UP_AFTER_MS, type Verdict, verdictOf } from './attempt-result.ts';

export interface LaneDeps {
  sql: Sql;
  /** Null without encryption keys: then no endpoint's secret can be read, and nothing is sent. */
  vault: Vault | null;
  connections: Connections;
  /** Endpoints of test mode may be at private addresses. */
  privateTargets: boolean;
  log: Pick<BaseLogger, 'info' | 'warn' | 'error'>;
  /** An endpoint has something to do in so many milliseconds. */
  onLater: (id: WebhookEndpointId, inMs: number) => void;
  /** For the counts: what came of an attempt. */
  onAttempt?: (observed: { result: Verdict['status']; seconds: number }) => void;
  /** An endpoint's time to answer; 15 s where not given. */
  answerLimitMs?: number;
  /** At once, in this process; the rest stays with the record. */
  maxLanes?: number;
}

const ANSWER_LIMIT_MS = 15_000;
const MAX_LANES = 500;
/**
 * No delivery begins on what was read of its endpoint longer ago than this. Successes are recorded together until then:
 * they are sent again if we die before.
 */
const FRESH_MS = 50;
const OUR_FAULT_MS = 60_000;

export class Lanes {
  readonly #deps: LaneDeps;
  readonly #stop = new AbortController();
  readonly #sender: Sender;
  readonly #record: LaneRecord;
  readonly #running = new Map<WebhookEndpointId, Promise<void>>();
  readonly #again = new Set<WebhookEndpointId>();

  constructor(deps: LaneDeps) {
    this.#deps = deps;
    const limitMs = deps.answerLimitMs ?? ANSWER_LIMIT_MS;
    const { connections, privateTargets } = deps;
    // Each lane listens.
    setMaxListeners(0, this.#stop.signal);
    this.#record = openLaneRecord(deps, this.#stop.signal);
    this.#sender = { connections, privateTargets, limitMs, stop: this.#stop.signal };
  }

  /** There may be something to do for this endpoint. Cheap, and never too often. */
  wake(id: WebhookEndpointId): void {
    if (this.#stop.signal.aborted) return;
    if (this.#running.has(id)) {
      this.#again.add(id);
    } else if (this.#running.size < (this.#deps.maxLanes ?? MAX_LANES)) {
      this.#running.set(id, this.#run(id));
    }
  }

  /** Cuts the waits short; what was under way is sent again by whoever comes next. */
  async close(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#running.values());
  }

  async #run(id: WebhookEndpointId): Promise<void> {
    try {
      do {
        this.#again.delete(id);
        await this.#serve({ id, lease: randomUUID() });
      } while (this.#again.has(id) && !this.#stop.signal.aborted);
    } catch (error) {
      // The lease runs out, and the sweep finds the lane again.
      this.#deps.log.warn({ err: error, webhookEndpointId: id }, 'webhook lane failed, will be taken up again');
    } finally {
      this.#running.delete(id);
    }
  }

  /** Until there is nothing to do now, or we close. */
  async #serve(claim: LaneClaim): Promise<void> {
    let dueInMs: number | null = 0;
    while (dueInMs === 0 && !this.#stop.signal.aborted) {
      let lane = await this.#record.take(claim);
      while (lane !== null && (lane.closed || lane.due.length > 0)) lane = await this.#deliver(claim, lane);
      if (lane === null) return;
      dueInMs = await this.#record.leave(claim);
    }
    if (dueInMs !== null && !this.#stop.signal.aborted) this.#deps.onLater(claim.id, dueInMs);
  }

  /** Until the record has to be told. @returns what is to be done next; null when the lane is not ours any more */
  async #deliver(claim: LaneClaim, lane: Lane): Promise<Lane | null> {
    const { id, lease } = claim;
    if (lane.closed) {
      await cancelWaiting(this.#deps.sql, id);
      return { ...lane, closed: false, due: [] };
    }
    const secrets = this.#secretsOf(id, lane);
    if (secrets === null) {
      await putLaneOff(this.#deps.sql, id, lease, OUR_FAULT_MS);
      return null;
    }
    const log = new AttemptLog(this.#record, claim, lane.failures);
    const readAt = performance.now();
    for (const [at, delivery] of lane.due.entries()) {
      const verdict = this.#stop.signal.aborted ? null : await this.#attempt(id, lane, secrets, delivery, log);
      if (verdict === null) break;
      const [gone, pauseMs] = [isGone(verdict), pauseOf(verdict)];
      if (gone || pauseMs > 0) {
        const held = await log.flush(pauseMs, false);
        if (gone && held !== null) await this.#disable(id);
        return held;
      }
      const rest = lane.due.slice(at + 1);
      if (rest.length > 0 && performance.now() - readAt > FRESH_MS) {
        const held = await log.flush(0, false);
        return held === null ? null : { ...held, due: rest };
      }
    }
    return log.flush(0, !this.#stop.signal.aborted);
  }

  async #attempt(
    id: WebhookEndpointId,
    { url, mode }: Lane,
    secrets: readonly string[],
    delivery: DueDelivery,
    log: AttemptLog,
  ): Promise<Verdict | null> {
    const { eventId, body } = delivery;
    if (delivery.ageMs > GIVEN_UP_AFTER_MS) return log.giveUp(delivery);
    const report = await attempt(this.#sender, { url, mode, eventId, body, secrets });
    if (report === null) return null;
    const attempts = delivery.attempts + 1;
    const verdict = verdictOf(report.result, {
      ...{ attempts, failuresBefore: log.failures },
      ...{ now: new Date(), random: Math.random() },
    });
    log.add(delivery, report, verdict);
    this.#deps.onAttempt?.({ result: verdict.status, seconds: report.latencyMs / 1_000 });
    if (verdict.status === 'failed') {
      this.#deps.log.warn({ webhookEndpointId: id, eventId, attempts, failure: verdict.failure }, 'webhook given up');
    }
    return verdict;
  }

  async #disable(id: WebhookEndpointId): Promise<void> {
    this.#deps.log.info({ webhookEndpointId: id }, 'webhook endpoint answered 410 Gone: disabled');
    await changeWebhookEndpoint(this.#deps.sql, id, { disabled: true });
    await cancelWaiting(this.#deps.sql, id);
  }

  #secretsOf(id: WebhookEndpointId, { secrets }: Lane): string[] | null {
    const { vault, log } = this.#deps;
    try {
      if (vault === null) throw new Error('no encryption keys');
      return secrets.map((sealed) => vault.open(sealed, webhookSecretContext(id)));
    } catch (error) {
      log.error({ err: error, webhookEndpointId: id }, 'webhooks wait: their signing secret cannot be read');
      return null;
    }
  }
}

function isGone(verdict: Verdict): boolean {
  return verdict.status === 'failed' && verdict.gone;
}

function pauseOf(verdict: Verdict): number {
  return verdict.status === 'delivered' ? 0 : verdict.pauseMs;
}
