/** The first step of a payment: one short transaction that locks the session, judges it and writes the pending charge. */
import type { Scope } from '../domain/account.ts';
import type { Charge, ChargeSource } from '../domain/charge.ts';
import type { CardConsent } from '../domain/consent.ts';
import type { ChargeId, CheckoutSessionId, InstrumentId } from '../domain/ids.ts';
import type { CheckoutSession } from '../domain/session.ts';
import { countAttempts, type VelocitySignals } from '../db/charges/attempts.ts';
import { type ChargedSession, lockChargedSession } from '../db/charges/charged-session.ts';
import { insertPendingCharge, listSessionCharges } from '../db/charges/charges.ts';
import { type CardAtSession, findCardAtSession } from '../db/cards/chargeable.ts';
import { insertConsent } from '../db/cards/consents.ts';
import type { Database, Sql } from '../db/pool.ts';
import { type BeginRefusal, type ChargeRules, isLive, whyNotCharge } from './rules.ts';

/** A charge to begin. What it takes, and where, is the session's to say. */
export interface ChargeToBegin {
  id: ChargeId;
  sessionId: CheckoutSessionId;
  scope: Scope;
  source: ChargeSource;
  card: CardToCharge;
  signals: Omit<VelocitySignals, 'callerPhone'>;
  /** To save the card; null: none. */
  consent: CardConsent | null;
  rules: ChargeRules;
  resolveAfterMs: number;
}

export type CardToCharge =
  /** Null: no id was given that could be one. `at`: when the card must not have expired. */
  | { kind: 'saved'; id: InstrumentId | null; at: Date }
  /** What is known of a card that is keyed, or a token. */
  | { kind: 'new'; brand: string | null; lastFour: string | null };

/** The order of a session that is charged. */
export type SessionOrder = Pick<CheckoutSession, 'orderId' | 'platformCallId'>;

export type Begun =
  /** `saved`: null where the card is not a saved one. `hasConsent`: a consent to save the card was written. */
  | { type: 'begun'; charge: Charge; order: SessionOrder; saved: CardAtSession | null; hasConsent: boolean }
  /** `charge`: the live one that is in the way. */
  | { type: 'refused'; reason: BeginRefusal; charge: Charge | null; order: SessionOrder }
  | { type: 'no_session' };

/**
 * Safe to repeat with the same charge id, when the answer of the database was lost: it finds the charge begun.
 * @throws a unique violation when another charge got past the session's lock: begin again, and it is found
 */
export function beginCharge(database: Database, charge: ChargeToBegin): Promise<Begun> {
  return database.transaction(async (sql) => {
    const session = await lockChargedSession(sql, charge.scope, charge.sessionId);
    if (session === null) return { type: 'no_session' };
    const { orderId, platformCallId, callerPhone } = session;
    const order = { orderId, platformCallId };
    const charges = await listSessionCharges(sql, session.id);
    const saved = await findSavedCard(sql, charge, session);
    // Without a caller there is nobody to save the card for.
    const consent = callerPhone === null ? null : charge.consent;
    const facts = { order, saved, hasConsent: consent !== null };
    const begunBefore = charges.find(({ id, status }) => id === charge.id && status === 'pending');
    if (begunBefore !== undefined) return { type: 'begun', charge: begunBefore, ...facts };
    const signals = { ...charge.signals, callerPhone };
    const attempts = await countAttempts(sql, charge.scope, signals, secondsOf(charge.rules));
    const reason = whyNotCharge(
      { session, charges, attempts, isSaved: charge.card.kind === 'saved', card: saved },
      charge.rules,
    );
    if (reason !== null) return { type: 'refused', reason, charge: charges.find(isLive) ?? null, order };
    const begun = await insertCharge(sql, charge, session, saved);
    if (consent !== null) await insertConsent(sql, begun, consent);
    return { type: 'begun', charge: begun, ...facts };
  });
}

/** @returns null where the card is not a saved one, or the scope has no such card */
async function findSavedCard(
  sql: Sql,
  { card, scope }: ChargeToBegin,
  session: ChargedSession,
): Promise<CardAtSession | null> {
  return card.kind === 'saved' && card.id !== null ? findCardAtSession(sql, scope, session, card.id, card.at) : null;
}

function secondsOf({ velocity: { caller, card, origin } }: ChargeRules) {
  return { caller: caller.seconds, card: card.seconds, origin: origin.seconds };
}

function insertCharge(
  sql: Sql,
  charge: ChargeToBegin,
  session: ChargedSession,
  saved: CardAtSession | null,
): Promise<Charge> {
  const { id, scope, source, card, signals, resolveAfterMs } = charge;
  const { merchantId, processor, amount, callerPhone } = session;
  if (merchantId === null || processor === null) throw new Error('the rules passed a session without a merchant');
  const facts = card.kind === 'new' ? card : saved;
  return insertPendingCharge(sql, {
    ...{ id, sessionId: session.id, ...scope, merchantId, amount, source, processor, resolveAfterMs },
    instrumentId: saved?.id ?? null,
    brand: facts?.brand ?? null,
    lastFour: facts?.lastFour ?? null,
    signals: { ...signals, callerPhone },
  });
}
