/**
 * The first step of a payment: one short transaction that locks the session, judges it and writes the pending charge.
 */

import { takeAdvisoryLocks } from '../../db/advisory-locks.ts';
import { insertAuditEvent } from '../../db/audit/audit-events.ts';
import { type CallHolder, holdsCall } from '../../db/calls/calls.ts';
import { type CardAtSession, findCardAtSession } from '../../db/cards/chargeable.ts';
import { findMandate, insertConsent, type MerchantMandate } from '../../db/cards/consents.ts';
import { type AttemptCounts, countAttempts, type Seconds, type VelocitySignals } from '../../db/charges/attempts.ts';
import { findOrderCharge } from '../../db/charges/charge-facts.ts';
import { type ChargedSession, lockChargedSession } from '../../db/charges/charged-session.ts';
import { insertPendingCharge, listSessionCharges } from '../../db/charges/charges.ts';
import { insertDebitAuthorization } from '../../db/charges/debit-authorizations.ts';
import type { Database, Sql } from '../../db/pool.ts';
import { insertSession, type NewSession } from '../../db/sessions/sessions.ts';
import type { Scope } from '../../domain/account.ts';
import type { Actor } from '../../domain/audit.ts';
import type { DebitAuthorization } from '../../domain/bank-account.ts';
import type { Charge, ChargeSource, Wallet } from '../../domain/charge.ts';
import { type CheckoutSessionId, chargeIdOf } from '../../domain/ids.ts';
import type { CardConsent } from '../../domain/instrument.ts';
import type { CheckoutSession } from '../../domain/session.ts';
import { type ChargeRules, isLive, type StartRefusal, whyNotCharge } from '../rules/rules.ts';
import type { HeldCard } from '../shared/card.ts';
import { type PaymentSignals, signalsAtSession } from './signals.ts';

/** A charge to create. The amount before the tip and the merchant come from the session. */
export interface NewCharge {
  /** Random. Shows on a repeat whether this payment wrote the row, or another one. */
  attemptToken: string;
  sessionId: CheckoutSessionId;
  scope: Scope;
  source: ChargeSource;
  card: Omit<HeldCard, 'wipe'>;
  /** Charged instead of the session's amount. Null: all of it. */
  partCents: number | null;
  /** Charged in addition. */
  tipCents: number;
  signals: PaymentSignals;
  /** For a merchant's charge without the caller: its session, inserted with the charge. Null for a session that exists. */
  opens: MerchantsSession | null;
  /** The call on which the card was keyed; null if there was none. */
  call: CallHolder | null;
  /** Consent to save the card; null if there is none. */
  consent: CardConsent | null;
  /** For a bank account: what the payer authorized. */
  authorization: DebitAuthorization | null;
  rules: ChargeRules;
  /** The wallet that the token comes from, if this processor's word for it can be trusted. */
  walletAt: (processor: string) => Wallet | null;
  idempotencyKeyHash: Buffer | null;
  resolveAfterMs: number;
}

/** The session of a merchant's charge without the caller, and who asked for it. */
export interface MerchantsSession {
  session: NewSession;
  by: Actor;
}

/** Another process has taken over the call and already reported its outcome to the agent. No charge may follow. */
export class CallTakenOver extends Error {
  constructor() {
    super('a card that was keyed on a call which another process has taken over');
    this.name = 'CallTakenOver';
  }
}

/** The order of the session. */
export type SessionOrder = Pick<CheckoutSession, 'orderId' | 'platformCallId'>;

type ChargeStart =
  | StartedCharge
  /** `charge`: the existing charge of this session or order that prevents a new one. */
  | { type: 'refused'; reason: StartRefusal; charge: Charge | null; order: SessionOrder }
  | { type: 'no_session' };

export interface StartedCharge {
  type: 'started';
  charge: Charge;
  order: SessionOrder;
  /** Null unless the card is a saved card. */
  saved: CardAtSession | null;
  /** For a merchant's charge without the caller: what the caller agreed to. Otherwise null. */
  mandate: MerchantMandate | null;
  /** Whether a consent to save the card was written. */
  hasConsent: boolean;
  /** The merchant's encrypted credentials at the charge's processor; null if it needs none, or they were not read. */
  credentials: string | null;
  /** False if an earlier attempt wrote the row, and the database's response was lost. */
  isNew: boolean;
}

/**
 * Safe to repeat with the same `attemptToken` if the database's response was lost: it finds the charge.
 * @throws CallTakenOver
 * @throws a unique violation if another charge passed the session's lock. Repeat it, and it finds that charge.
 */
export async function startCharge(database: Database, charge: NewCharge): Promise<ChargeStart> {
  try {
    return await database.transaction((sql) => findOrStart(sql, charge));
  } catch (error) {
    if (error instanceof RefusedUnopened) return error.start;
    throw error;
  }
}

/** A merchant's charge was refused: its session is not inserted either. */
class RefusedUnopened extends Error {
  readonly start: ChargeStart;

  constructor(start: ChargeStart) {
    super('a charge without a caller was refused');
    this.name = 'RefusedUnopened';
    this.start = start;
  }
}

async function findOrStart(sql: Sql, charge: NewCharge): Promise<ChargeStart> {
  const { scope, sessionId, opens } = charge;
  const session = await lockChargedSession(sql, scope, sessionId);
  if (session !== null) return startIn(sql, charge, session);
  if (opens === null) return { type: 'no_session' };
  await insertSession(sql, opens.session);
  const opened = await lockChargedSession(sql, scope, sessionId);
  if (opened === null) throw new Error('a session that was just inserted is missing');
  const start = await startIn(sql, charge, opened);
  if (start.type !== 'started') throw new RefusedUnopened(start);
  const { id, amount, instrumentId: instrument } = start.charge;
  const changes = { instrument, order: opened.orderId, amount_cents: amount.amountCents, currency: amount.currency };
  await insertAuditEvent(sql, opens.by, { ...scope, action: 'charge.created', objectId: id, changes });
  return start;
}

async function startIn(sql: Sql, charge: NewCharge, session: ChargedSession): Promise<ChargeStart> {
  if (charge.call !== null && !(await holdsCall(sql, charge.call))) throw new CallTakenOver();
  const { orderId, platformCallId, callerPhone } = session;
  const order = { orderId, platformCallId };
  const signals = signalsAtSession(charge.signals, callerPhone);
  await takeAdvisoryLocks(sql, turnsOf(charge.scope, session, signals));
  const charges = await listSessionCharges(sql, session.id, charge.attemptToken, charge.idempotencyKeyHash);
  const saved = await findSavedCard(sql, charge, session);
  // Without a caller there is no customer to save the card for.
  const consent = callerPhone === null ? null : charge.consent;
  const mandate = await findMandateOf(sql, charge, session);
  const facts = { order, saved, hasConsent: consent !== null, mandate: mandate ?? null };
  const startedBefore = charges.find(({ isOwn, status }) => isOwn && status === 'pending');
  // The merchant may have left its processor since.
  if (startedBefore !== undefined)
    return { type: 'started', charge: startedBefore, ...facts, credentials: null, isNew: false };
  const repeated = charges.find(({ isRepeat }) => isRepeat);
  if (repeated !== undefined) return { type: 'refused', reason: 'repeated', charge: repeated, order };
  const orderCharge = session.allowRepeat ? null : await findOrderCharge(sql, session);
  const attempts = await countFor(sql, charge, session, signals);
  const reason = whyNotCharge(
    {
      session,
      hasConsent: consent !== null,
      charges,
      orderCharge,
      attempts,
      isSaved: charge.card.means.kind === 'saved',
      card: saved,
      ...(mandate !== undefined && { mandate }),
    },
    charge.rules,
  );
  if (reason !== null) return { type: 'refused', reason, charge: charges.find(isLive) ?? orderCharge, order };
  const started = await insertCharge(sql, charge, charges.length + 1, session, saved, signals);
  if (consent !== null) await insertConsent(sql, started, consent);
  if (charge.authorization !== null) await insertDebitAuthorization(sql, started, charge.authorization);
  return { type: 'started', charge: started, ...facts, credentials: session.credentials, isNew: true };
}

/** Charges of one order take turns by this name. */
export const orderTurn = (merchantId: string | null, orderId: string) => `order ${merchantId} ${orderId}`;

/**
 * Charges of other sessions count towards limits, too: those of the same order, caller or card. Taking turns by these
 * keeps concurrent charges from passing a limit together. Calls' trunks and merchants take no turns: their limits are
 * shares of dozens, so one more attempt changes little, and all callers of a trunk would wait for each other.
 */
function turnsOf({ accountId, mode }: Scope, session: ChargedSession, signals: VelocitySignals): string[] {
  const { merchantId, orderId } = session;
  const hashes = [signals.cardFingerprint, signals.originHash, signals.callingNumberHash];
  return [
    ...(orderId === null ? [] : [orderTurn(merchantId, orderId)]),
    ...(signals.callerPhone === null ? [] : [`caller ${accountId} ${mode} ${signals.callerPhone}`]),
    ...hashes.flatMap((hash) => (hash === null ? [] : [`${mode} ${hash.toString('base64')}`])),
  ];
}

function countFor(
  sql: Sql,
  { scope, rules: { velocity } }: NewCharge,
  { merchantId }: ChargedSession,
  signals: VelocitySignals,
): Promise<AttemptCounts> {
  const rules = Object.entries(velocity) as [keyof AttemptCounts, { seconds: number }][];
  const seconds = Object.fromEntries(rules.map(([signal, rule]) => [signal, rule.seconds])) as Seconds;
  return countAttempts(sql, { scope, merchantId, signals, seconds });
}

/** @returns null unless the card is a saved card of the scope */
async function findSavedCard(
  sql: Sql,
  { card: { means }, scope }: NewCharge,
  session: ChargedSession,
): Promise<CardAtSession | null> {
  if (means.kind !== 'saved' || means.instrumentId === null) return null;
  return findCardAtSession(sql, scope, session, means.instrumentId, means.at);
}

/** @returns undefined unless the merchant charges without the caller */
async function findMandateOf(
  sql: Sql,
  { card: { means }, opens }: NewCharge,
  { merchantId, amount }: ChargedSession,
): Promise<MerchantMandate | null | undefined> {
  if (opens === null) return undefined;
  if (merchantId === null || means.kind !== 'saved' || means.instrumentId === null) return null;
  return findMandate(sql, merchantId, means.instrumentId, amount.currency);
}

function insertCharge(
  sql: Sql,
  charge: NewCharge,
  attempt: number,
  session: ChargedSession,
  saved: CardAtSession | null,
  signals: VelocitySignals,
): Promise<Charge> {
  const { attemptToken, scope, source, card, idempotencyKeyHash, resolveAfterMs } = charge;
  const tipCents = session.purpose === 'save_card' ? 0 : charge.tipCents;
  const { merchantId, processor, amount, capture } = session;
  if (merchantId === null || processor === null) throw new Error('the rules passed a session without a merchant');
  const dueCents = charge.partCents ?? amount.amountCents;
  if (dueCents > amount.amountCents) throw new Error('a part that is larger than the amount of its session');
  const { brand, lastFour } = saved ?? card;
  return insertPendingCharge(sql, {
    id: chargeIdOf(session.id, attempt),
    attemptToken,
    sessionId: session.id,
    ...scope,
    merchantId,
    amount: { ...amount, amountCents: dueCents + tipCents },
    tipCents,
    remainingCents: amount.amountCents - dueCents,
    capture,
    source,
    processor,
    idempotencyKeyHash,
    resolveAfterMs,
    paymentMethod: card.means.kind === 'bank_account' ? 'us_bank_account' : 'card',
    instrumentId: saved?.id ?? null,
    brand,
    lastFour,
    wallet: charge.walletAt(processor),
    signals,
  });
}
