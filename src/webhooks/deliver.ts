/** Delivers one event to one endpoint, by what its row says now, and writes what came of it. */
import type { BaseLogger } from 'pino';
import { withRetries } from '../concurrency/retries.ts';
import type { Sql } from '../db/pool.ts';
import { isTransient } from '../db/transient.ts';
import {
  cancelDeliveries,
  type Delivery,
  type DeliveryKey,
  enqueueNow,
  writeAttempt,
} from '../db/webhooks/deliveries.ts';
import { countFailure, FAILURES_TO_PAUSE, forgetFailures, pauseEndpoint } from '../db/webhooks/endpoint-pause.ts';
import { changeWebhookEndpoint } from '../db/webhooks/webhook-endpoints.ts';
import type { Connections } from '../outgoing-http/post.ts';
import type { Vault } from '../vault/vault.ts';
import { type AttemptReport, attempt } from './attempt.ts';
import { type AttemptOutcome, GIVEN_UP_AFTER_MS, outcomeOf } from './attempt-result.ts';
import { webhookSecretContext } from './secrets.ts';

/** Told what came of an attempt. */
export type DeliveryObserver = (observed: { result: AttemptOutcome['status']; seconds: number }) => void;

export interface DeliverDeps {
  sql: Sql;
  vault: Vault | null;
  connections: Connections;
  privateTargets: boolean;
  log: Pick<BaseLogger, 'info' | 'warn' | 'error'>;
  onAttempt?: DeliveryObserver;
  answerLimitMs?: number;
  /** We are closing: waits are cut short. */
  stop: AbortSignal;
}

/** For an endpoint whose secret cannot be read. */
const OUR_FAULT_MS = 60_000;
/** The database may be away for so long without an event being sent twice. */
const WRITE_LIMIT_MS = 45_000;

/**
 * What is not to be sent now is left to the sweep.
 * @param isOnlyOne whether no other delivery to the endpoint is under way: of those to one that looks down only one tries
 */
export async function deliver(
  deps: DeliverDeps,
  key: DeliveryKey,
  delivery: Delivery,
  isOnlyOne: boolean,
): Promise<void> {
  const { sql } = deps;
  if (delivery.closed) return cancelDeliveries(sql, key.endpointId);
  if (delivery.paused || (delivery.failures >= FAILURES_TO_PAUSE && !isOnlyOne)) return;
  const secrets = openSecrets(deps, key, delivery);
  if (secrets === null) return pauseEndpoint(sql, key.endpointId, OUR_FAULT_MS);
  if (delivery.ageMs > GIVEN_UP_AFTER_MS) return giveUp(sql, key, delivery);
  const report = await attempt(deps, { ...delivery, eventId: key.eventId, secrets });
  // Cut short: the next worker sends it at once.
  if (report === null) return enqueueNow(sql, key);
  const attempts = delivery.attempts + 1;
  const outcome = outcomeOf(report.result, { attempts, now: new Date(), random: Math.random() });
  deps.onAttempt?.({ result: outcome.status, seconds: report.latencyMs / 1_000 });
  await writeReport(deps, key, delivery, report, outcome);
  await followUp(deps, key, delivery, outcome);
}

/** Tries for as long as the database may be away. */
async function writeReport(
  { sql, log, stop }: DeliverDeps,
  key: DeliveryKey,
  { relayedAt }: Delivery,
  { result, latencyMs, answer }: AttemptReport,
  outcome: AttemptOutcome,
): Promise<void> {
  const row = {
    ...{ relayedAt, latencyMs, answer, status: outcome.status },
    nextInMs: outcome.status === 'waiting' ? outcome.nextInMs : null,
    statusCode: result.type === 'answered' ? result.status : null,
    failure: outcome.status === 'delivered' ? null : outcome.failure,
  };
  let waits = false;
  const onFailure = (error: Error) => {
    if (!waits) log.warn({ err: error, ...logFields(key) }, 'webhook attempt waits for the database');
    waits = true;
  };
  const mayRetry = (error: unknown) => isTransient(error) && !stop.aborted;
  const written = await withRetries(WRITE_LIMIT_MS, mayRetry, () => writeAttempt(sql, key, row), { onFailure });
  // It was asked for once more meanwhile.
  if (!written) await enqueueNow(sql, key);
}

/** What the outcome means for the endpoint. */
async function followUp(
  { sql, log }: DeliverDeps,
  key: DeliveryKey,
  { attempts, failures }: Delivery,
  outcome: AttemptOutcome,
): Promise<void> {
  const { endpointId } = key;
  if (outcome.status === 'delivered') {
    if (failures > 0) await forgetFailures(sql, endpointId);
    return;
  }
  const { failure } = outcome;
  if (outcome.status === 'failed') log.warn({ ...logFields(key), attempts: attempts + 1, failure }, 'webhook given up');
  if (failure !== 'gone') return countFailure(sql, endpointId, outcome.retryAfterMs);
  log.info({ webhookEndpointId: endpointId }, 'webhook endpoint answered 410 Gone: disabled');
  await changeWebhookEndpoint(sql, endpointId, { disabled: true });
}

/** It has waited for its endpoint longer than the whole schedule of retries takes. */
async function giveUp(sql: Sql, key: DeliveryKey, { relayedAt }: Delivery): Promise<void> {
  const nothing = { latencyMs: 0, answer: null, nextInMs: null, statusCode: null };
  await writeAttempt(sql, key, { ...nothing, relayedAt, status: 'failed', failure: 'too_old' });
}

function openSecrets({ vault, log }: DeliverDeps, { endpointId }: DeliveryKey, { secrets }: Delivery): string[] | null {
  try {
    if (vault === null) throw new Error('no encryption keys');
    return secrets.map((sealed) => vault.open(sealed, webhookSecretContext(endpointId)));
  } catch (error) {
    log.error({ err: error, webhookEndpointId: endpointId }, 'webhooks wait: their signing secret cannot be read');
    return null;
  }
}

export function logFields({ endpointId, eventId }: DeliveryKey): object {
  return { webhookEndpointId: endpointId, eventId };
}
