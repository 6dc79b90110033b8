/**
 * Saves the card of a charge whose caller agreed. Some processors save it with the charge: their answer says so, and
 * the card is written with the outcome. Other processors are asked afterwards, until they answer yes or no. The payment
 * never depends on it.
 */

import {
  type CardToSave,
  claimCardsToKeep,
  lockOpenConsent,
  markCardNotSaved,
  markCardSaved,
} from '../../db/cards/consents.ts';
import { queueUnkeptRemoval } from '../../db/cards/removals.ts';
import { saveCard } from '../../db/cards/saved-cards.ts';
import type { Sql } from '../../db/pool.ts';
import type { Charge } from '../../domain/charge.ts';
import { type ChargeId, type InstrumentId, parseId } from '../../domain/ids.ts';
import { withinLimit } from '../../lib/concurrency/time-limit.ts';
import { openHandle, sealHandle, type Vault } from '../../lib/vault/vault.ts';
import type { ProcessorCard } from '../port/answers.ts';
import type { SavedCardAnswer } from '../port/saved-cards.ts';
import { checkedSavedCard } from '../shared/checked-answers.ts';
import { credentialsOf, type PaymentDeps, processorOf } from '../shared/deps.ts';
import { BATCH, runBatch } from '../shared/resolver.ts';

type KeepDeps = Pick<PaymentDeps, 'database' | 'processors' | 'log' | 'credentialsFor' | 'vault' | 'onCard'>;

const PROCESSOR_LIMIT_MS = 15_000;
const MINUTE = 60_000;
const DELAYS_MS: readonly number[] = [5_000, 30_000, 5 * MINUTE, 60 * MINUTE];
/** More than a day. A processor that does not answer by then will not. */
const MAX_ATTEMPTS = 30;

/** Derived from the charge: the processor's idempotency key. */
function idFor(chargeId: ChargeId): InstrumentId {
  const id = parseId('Instrument', `card_${chargeId.slice('ch_'.length)}`);
  if (id === null) throw new Error('a charge id whose random part is none');
  return id;
}

/**
 * Saves the card of a succeeded charge, if its caller agreed. Runs in the caller's transaction.
 * @returns false if there was no consent, or the card was saved before
 */
export async function keepCard(sql: Sql, vault: Vault, charge: CardOwner, saved: ProcessorCard): Promise<boolean> {
  const phone = await lockOpenConsent(sql, charge.id);
  if (phone === null) return false;
  const { handle, brand, lastFour, fingerprint, expiryMonth, expiryYear } = saved;
  const caller = { phone, firstName: null, lastName: null, email: null };
  const card = await saveCard(sql, charge, caller, {
    id: idFor(charge.id),
    merchantId: charge.merchantId,
    processor: charge.processor,
    brand,
    lastFour,
    fingerprint,
    expiryMonth,
    expiryYear,
    isDefault: false,
    sealHandle: (id) => sealHandle(vault, id, handle),
    isHandle: (stored) => openHandle(vault, stored) === handle,
  });
  await markCardSaved(sql, charge.id, card);
  return true;
}

/**
 * Has a verified card that may not be kept removed at the processor: its caller was erased, or was told that it is not
 * saved.
 */
export function removeUnkept(sql: Sql, vault: Vault, charge: CardOwner, { handle }: ProcessorCard): Promise<void> {
  const id = idFor(charge.id);
  return queueUnkeptRemoval(sql, { ...charge, id, processorHandle: sealHandle(vault, id, handle) });
}

type CardOwner = Pick<Charge, 'id' | 'accountId' | 'mode' | 'merchantId' | 'processor'>;

/**
 * Asks the processors about one batch of cards to save.
 * @returns whether there may be more
 */
export async function keepDueCards(deps: KeepDeps, stop: AbortSignal): Promise<{ more: boolean }> {
  const { vault, database, log } = deps;
  if (vault == null) return { more: false };
  const due = await claimCardsToKeep(database, BATCH, DELAYS_MS);
  return runBatch(log, due, 'card not saved, will retry', (card) => keepDueCard(deps, vault, card, stop));
}

async function keepDueCard(deps: KeepDeps, vault: Vault, card: CardToSave, stop: AbortSignal): Promise<void> {
  const answer = await askWallet(deps, card, stop);
  const fields = { chargeId: card.chargeId, processor: card.processor, attempt: card.attempt };
  if (answer.status === 'saved') {
    const charge = { ...card, id: card.chargeId };
    if (!(await deps.database.transaction((sql) => keepCard(sql, vault, charge, answer)))) return;
    deps.log.info(fields, 'card saved after its charge');
    deps.onCard?.('kept');
  } else if (answer.status === 'refused' || card.attempt >= MAX_ATTEMPTS) {
    await markCardNotSaved(deps.database, card.chargeId);
    deps.log.warn({ ...fields, answer: answer.status }, 'card not saved although the caller agreed');
    deps.onCard?.(answer.status === 'refused' ? 'refused' : 'failed');
  } else {
    deps.log.info(fields, 'card not saved yet, will retry');
  }
}

async function askWallet(deps: KeepDeps, card: CardToSave, stop: AbortSignal): Promise<SavedCardAnswer> {
  const processor = processorOf(deps, card.processor);
  const wallet = processor?.wallet ?? null;
  if (processor === undefined || wallet === null) return { status: 'unavailable' };
  const credentials = await credentialsOf(deps, processor, card);
  if (credentials === null) return { status: 'unavailable' };
  const { mode, processorPaymentId } = card;
  const request = { instrumentId: idFor(card.chargeId), mode, processorPaymentId, credentials };
  return checkedSavedCard(await withinLimit(PROCESSOR_LIMIT_MS, (signal) => wallet.saveCharged(request, signal), stop));
}
