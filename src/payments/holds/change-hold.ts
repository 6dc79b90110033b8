/**
 * Captures and voids: the one path that changes a hold, built like refund.ts.
 *
 * 1. A short transaction locks the charge, judges it and writes the `pending` change: at most one a hold.
 * 2. The processor is asked once.
 * 3. One transaction writes the hold's state, the change's outcome and the event.
 *
 * A crash anywhere leaves a `pending` change, which the resolver settles by the hold's state (resolve-holds.ts).
 */

import { insertAuditEvent } from '../../db/audit/audit-events.ts';
import { findCharge } from '../../db/charges/charges.ts';
import {
  findLiveChange,
  insertPendingChange,
  lockHold,
  resumeChange,
  scheduleChange,
} from '../../db/holds/hold-changes.ts';
import type { Sql } from '../../db/pool.ts';
import type { Scope } from '../../domain/account.ts';
import type { Actor } from '../../domain/audit.ts';
import type { Charge } from '../../domain/charge.ts';
import type { HoldChange, HoldChangeKind } from '../../domain/hold.ts';
import { type ChargeId, newId } from '../../domain/ids.ts';
import { withinLimit } from '../../lib/concurrency/time-limit.ts';
import { unknown } from '../port/answers.ts';
import type { HoldAnswer } from '../port/holds.ts';
import { type HoldRefusal, whyNotChange } from '../rules/rules.ts';
import { checkedHold, paymentIdOf } from '../shared/checked-answers.ts';
import { credentialsOf, holdersOf, type Log, type PaymentDeps, processorOf, timingsOf } from '../shared/deps.ts';
import { RESOLVE_AFTER_MS } from '../shared/schedule.ts';
import { askOrUnknown, recordWithRetries, startWithRetries } from '../shared/steps.ts';
import { type HoldSettleDeps, settleHold } from './settle-hold.ts';

/** A requested capture or void. */
export interface HoldOrder {
  kind: HoldChangeKind;
  chargeId: ChargeId;
  scope: Scope;
  /** Who requests it. */
  by: Actor;
  /** Of a capture. Null: the whole hold. */
  amountCents: number | null;
  /** The request's log. By default, the process's. */
  log?: Log;
}

export type HoldDeps = Pick<
  PaymentDeps,
  'database' | 'processors' | 'inFlight' | 'log' | 'credentialsFor' | 'onPending' | 'timings'
> &
  HoldSettleDeps;

export type HoldResult =
  /** As requested, now or by an earlier request for the same. */
  | { type: 'done'; charge: Charge }
  /** The outcome is unknown. The resolver settles it. */
  | { type: 'pending'; charge: Charge }
  | { type: 'failed'; charge: Charge; change: HoldChange }
  /** Nothing was sent. `unavailable`: the database could not be reached. */
  | { type: 'refused'; reason: HoldRefusal | 'unavailable'; charge: Charge | null };

/** Together shorter than the time limit of an HTTP request. */
const LIMITS = { startLimitMs: 4_000, processorLimitMs: 18_000, recordLimitMs: 5_000 };

/** Changes a hold. It runs to its end even if the request is aborted; `deps.inFlight` tracks it. */
export function changeHold(given: HoldDeps, { log = given.log, ...order }: HoldOrder): Promise<HoldResult> {
  const deps = { ...given, log, timings: { ...LIMITS, ...given.timings } };
  return deps.inFlight.track(startAndSend(deps, order));
}

async function startAndSend(deps: HoldDeps, order: Omit<HoldOrder, 'log'>): Promise<HoldResult> {
  const about = { chargeId: order.chargeId };
  const { startLimitMs } = timingsOf(deps);
  const started = await startWithRetries(deps, about, startLimitMs, 'hold not changed: the database is away', () =>
    startChange(deps, order),
  );
  if (started === null) return { type: 'refused', reason: 'unavailable', charge: null };
  // The pending change may have been given up, and is due again.
  if (started.type === 'refused' && started.reason === 'in_progress') deps.onPending();
  if (started.type !== 'started') return started;
  const { charge, change } = started;
  const answer = await sendChange(deps, charge, change);
  const failure = 'outcome of a capture or void not recorded, left to the resolver';
  const settled = await recordWithRetries(deps, { changeId: change.id }, failure, () =>
    recordChange(deps, charge, change, answer),
  );
  if (settled?.change?.status === 'failed') return { type: 'failed', charge: settled.charge, change: settled.change };
  // The resolver may have settled the change before.
  if (settled != null && isRepeated(order, settled.charge)) return { type: 'done', charge: settled.charge };
  deps.onPending();
  return { type: 'pending', charge };
}

type ChangeStart =
  | { type: 'started'; charge: Charge; change: HoldChange }
  | Extract<HoldResult, { type: 'done' | 'refused' }>;

function startChange(deps: HoldDeps, order: Omit<HoldOrder, 'log'>): Promise<ChangeStart> {
  const { kind, scope, by, chargeId, amountCents } = order;
  const { startLimitMs, processorLimitMs, recordLimitMs } = timingsOf(deps);
  const holders = holdersOf(deps.processors);
  const partial = deps.processors.filter(({ holds }) => holds?.partial === true).map(({ name }) => name);
  return deps.database.transaction(async (sql) => {
    const charge = await lockHold(sql, scope.accountId, chargeId);
    if (charge === null) return { type: 'refused', reason: 'no_charge', charge: null };
    const live = await findLiveChange(sql, charge.id);
    const reason = whyNotChange({ scope, kind, amountCents, holders, partial }, charge, live);
    if (reason === 'in_progress') await resumeChange(sql, charge.id);
    if (reason !== null)
      return isRepeated(order, charge) ? { type: 'done', charge } : { type: 'refused', reason, charge };
    const cents = kind === 'void' ? null : amountCents;
    const change = await insertPendingChange(sql, charge, {
      id: newId('HoldChange'),
      kind,
      amountCents: cents ?? charge.amount.amountCents,
      resolveAfterMs: startLimitMs + processorLimitMs + recordLimitMs,
    });
    await auditChange(sql, by, change);
    return { type: 'started', charge, change };
  });
}

/** The same was done before: a hold is captured or voided once, so a repeated request has nothing left to do. */
function isRepeated({ kind, scope, amountCents }: Omit<HoldOrder, 'log'>, charge: Charge): boolean {
  if (charge.mode !== scope.mode || charge.capture !== 'manual') return false;
  if (kind === 'void') return charge.status === 'voided';
  return charge.status === 'succeeded' && charge.capturedCents === (amountCents ?? charge.amount.amountCents);
}

function auditChange(sql: Sql, by: Actor, change: HoldChange): Promise<void> {
  const { accountId, mode, kind, chargeId: objectId, amount } = change;
  const changes = { amount_cents: amount.amountCents, currency: amount.currency };
  return insertAuditEvent(sql, by, { accountId, mode, action: `charge.${kind}_requested`, objectId, changes });
}

/** Sends a change that is in the database to the processor. */
export function sendChange(
  deps: Pick<HoldDeps, 'database' | 'processors' | 'credentialsFor' | 'timings' | 'log'>,
  charge: Charge,
  change: HoldChange,
  stop?: AbortSignal,
): Promise<HoldAnswer> {
  const { id: changeId, chargeId, processor: name, mode, kind, amount } = change;
  const failure = 'capture or void not sent, or its response not understood';
  return askOrUnknown<HoldAnswer>(deps, { changeId, processor: name }, failure, async () => {
    const processor = processorOf(deps, name);
    const holds = processor?.holds;
    if (processor === undefined || holds == null) return unknown('processor not configured');
    const credentials = await credentialsOf(deps, processor, change);
    if (credentials === null) return { status: 'refused', reason: 'credentials_rejected', processorCode: null };
    const send = async (signal: AbortSignal) => {
      const processorPaymentId = await paymentIdOf(deps.database, processor, change, credentials, signal);
      if (processorPaymentId === null) return unknown('payment id withheld');
      const request = { changeId, chargeId, processorPaymentId, mode, credentials };
      if (kind === 'void') return holds.void(request, signal);
      return holds.capture({ ...request, amount, held: charge.amount }, signal);
    };
    return checkedHold(await withinLimit(timingsOf(deps).processorLimitMs, send, stop));
  });
}

/** @returns null if the outcome is still unknown */
async function recordChange(deps: HoldDeps, charge: Charge, change: HoldChange, answer: HoldAnswer) {
  if (answer.status !== 'unknown') return settleHold(deps, charge, answer);
  await scheduleChange(deps.database, change.id, RESOLVE_AFTER_MS);
  const about = { chargeId: charge.id, processor: charge.processor, kind: change.kind, cause: answer.cause };
  deps.log.warn(about, 'outcome of a capture or void unknown');
  return null;
}

/** The charge of a change, which exists as long as the change. */
export async function chargeOf(sql: Sql, { chargeId }: HoldChange): Promise<Charge> {
  const charge = await findCharge(sql, chargeId);
  if (charge === null) throw new Error('a hold change without a charge');
  return charge;
}
