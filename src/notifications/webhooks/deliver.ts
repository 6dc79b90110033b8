/** Delivers one event to one endpoint according to its row, and writes the result. */
import type { BaseLogger } from 'pino';
import type { Sql } from '../../db/pool.ts';
import {
  type AttemptRow,
  cancelDeliveries,
  countFailure,
  type Delivery,
  type DeliveryKey,
  FAILURES_TO_PAUSE,
  forgetFailures,
  pauseEndpoint,
} from '../../db/webhooks/deliveries.ts';
import { disableWebhookEndpoint } from '../../db/webhooks/webhook-endpoints.ts';
import { SYSTEM } from '../../domain/audit.ts';
import type { Vault } from '../../lib/vault/vault.ts';
import { type AttemptReport, attempt, type Sender } from './attempt.ts';
import { auditEndpoint, webhookSecretContext } from './endpoints.ts';
import { GIVEN_UP_AFTER_MS, retryInMs } from './retry-schedule.ts';

/** Called with the result of an attempt. */
type DeliveryObserver = (observed: { result: AttemptRow['status']; seconds: number }) => void;

export interface DeliverDeps extends Sender {
  sql: Sql;
  /** Null without encryption keys: then no endpoint's secret can be read, and nothing is sent. */
  vault: Vault | null;
  log: Pick<BaseLogger, 'info' | 'warn' | 'error'>;
  /** For metrics. */
  onAttempt?: DeliveryObserver;
  /** For metrics: the first attempt begins. @param seconds since the event was created */
  onFirstAttempt?: (seconds: number) => void;
}

/** The delay for an endpoint whose secret cannot be decrypted. */
const OUR_FAULT_MS = 60_000;
/** The delay if another worker should take it. */
const SOON_MS = 100;

/**
 * Deliveries that cannot be sent now are left to the sweep.
 * @param isOnlyOne whether no other delivery to the endpoint is running: an endpoint that seems down gets one at a time
 * @param write returns false if the delivery was requested again meanwhile
 * @returns milliseconds until the next run; null if there is none for now
 */
export async function deliver(
  deps: DeliverDeps,
  delivery: Delivery,
  isOnlyOne: boolean,
  write: (row: AttemptRow) => Promise<boolean>,
): Promise<number | null> {
  const { sql, onAttempt } = deps;
  const { endpointId, failures } = delivery;
  if (delivery.closed) return over(cancelDeliveries(sql, endpointId));
  if (delivery.paused || (failures >= FAILURES_TO_PAUSE && !isOnlyOne)) return null;
  const secrets = openSecrets(deps, delivery);
  if (secrets === null) return over(pauseEndpoint(sql, endpointId, OUR_FAULT_MS));
  if (delivery.ageMs > GIVEN_UP_AFTER_MS) return over(write(tooOld(delivery)));
  if (delivery.firstDelayMs !== null) deps.onFirstAttempt?.(delivery.firstDelayMs / 1_000);
  const report = await attempt(deps, { ...delivery, secrets });
  if (report === null) return SOON_MS;
  const row = rowOf(delivery, report);
  onAttempt?.({ result: row.status, seconds: report.latencyMs / 1_000 });
  const isWritten = await write(row);
  if (report.failure === null && failures > 0) await forgetFailures(sql, endpointId);
  if (report.failure !== null) await takeFailure(deps, row, report);
  return isWritten ? null : 0;
}

async function over(work: Promise<unknown>): Promise<null> {
  await work;
  return null;
}

function rowOf(delivery: Delivery, { failure, retryAfterMs, ...answered }: AttemptReport): AttemptRow {
  const attempts = delivery.attempts + 1;
  const retryMs = failure === null || failure === 'gone' ? null : retryInMs(attempts, retryAfterMs, Math.random());
  const status = failure === null ? 'delivered' : retryMs === null ? 'failed' : 'waiting';
  return { ...keyOf(delivery), ...answered, attempts, failure, status, nextInMs: retryMs ?? 0 };
}

/** It has waited for its endpoint longer than the whole retry schedule. */
function tooOld(delivery: Delivery): AttemptRow {
  const request = { sentAt: null, signature: null, latencyMs: 0, nextInMs: 0 };
  const nothing = { ...request, statusCode: null, answer: null, failureDetail: null };
  return { ...keyOf(delivery), ...nothing, attempts: delivery.attempts + 1, status: 'failed', failure: 'too_old' };
}

function keyOf({ endpointId, eventId, relayedAt }: Delivery) {
  return { endpointId, eventId, relayedAt };
}

/** The consequence of a failure for the endpoint. */
async function takeFailure({ sql, log }: DeliverDeps, row: AttemptRow, report: AttemptReport): Promise<void> {
  const { endpointId, attempts, status } = row;
  const { failure, retryAfterMs } = report;
  if (status === 'failed') log.warn({ ...logFields(row), attempts, failure }, 'webhook given up');
  if (failure !== 'gone') return countFailure(sql, endpointId, retryAfterMs);
  log.info({ webhookEndpointId: endpointId }, 'webhook endpoint answered 410 Gone: disabled');
  const endpoint = await disableWebhookEndpoint(sql, endpointId);
  const changes = { disabled: { from: false, to: true }, answered: 410 };
  if (endpoint !== null) await auditEndpoint(sql, SYSTEM, 'webhook_endpoint.changed', endpoint, changes);
}

function openSecrets({ vault, log }: DeliverDeps, { endpointId, secrets }: Delivery): string[] | null {
  try {
    if (vault === null) throw new Error('no encryption keys');
    return secrets.map((sealed) => vault.open(sealed, webhookSecretContext(endpointId)));
  } catch (error) {
    log.error({ err: error, webhookEndpointId: endpointId }, 'webhooks postponed: the signing secret cannot be read');
    return null;
  }
}

export function logFields({ endpointId, eventId }: DeliveryKey): object {
  return { webhookEndpointId: endpointId, eventId };
}
