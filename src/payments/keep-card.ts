/**
 * Keeping the card of a charge whose caller agreed. A processor that keeps it with the charge itself says so in its
 * answer, and the card is written with the outcome. Another is asked afterwards, again and again until it has said yes or
 * no. Whatever becomes of the card, the payment stands.
 */
import { type ChargeId, type InstrumentId, parseId } from '../domain/ids.ts';
import { type CardToKeep, cardNotKept, claimCardsToKeep } from '../db/cards/consents.ts';
import type { Sql } from '../db/pool.ts';
import { findSameCard, keepCardLater, type SealedCard } from '../db/cards/kept-cards.ts';
import { openHandle, sealHandle } from '../vault/handles.ts';
import type { Vault } from '../vault/vault.ts';
import { withinLimit } from '../concurrency/time-limit.ts';
import { credentialsOf, type PaymentDeps } from './deps.ts';
import type { KeptCard, SavedCardAnswer } from './ports.ts';

export type KeepDeps = Pick<PaymentDeps, 'sql' | 'processors' | 'log' | 'credentialsFor' | 'vault' | 'onCard'>;

const BATCH = 20;
const PROCESSOR_LIMIT_MS = 15_000;
const MINUTE = 60_000;
const DELAYS_MS: readonly number[] = [5_000, 30_000, 5 * MINUTE, 60 * MINUTE];
/** A day and some: what a processor has forgotten by then it will not remember. */
const MAX_ATTEMPTS = 30;

/** One card a charge: asking twice for it is asking for the same. */
function idFor(chargeId: ChargeId): InstrumentId {
  const id = parseId('Instrument', `card_${chargeId.slice('ch_'.length)}`);
  if (id === null) throw new Error('a charge id whose random part is none');
  return id;
}

/** The card as the record keeps it: the caller's own of before, where it is that one. */
export async function sealedCard(sql: Sql, vault: Vault, chargeId: ChargeId, kept: KeptCard): Promise<SealedCard> {
  const { handle, ...facts } = kept;
  const same = facts.fingerprint === null ? null : await findSameCard(sql, chargeId, facts.fingerprint);
  const id = same?.id ?? idFor(chargeId);
  const replaces = same !== null && openHandle(vault, same) !== handle;
  return { id, ...facts, handle: sealHandle(vault, id, handle), replaces };
}

/** Asks for one batch of cards that are still to be kept. @returns whether there may be more */
export async function keepDueCards(deps: KeepDeps, stop: AbortSignal): Promise<{ more: boolean }> {
  const { vault, sql, log } = deps;
  if (vault == null) return { more: false };
  const due = await claimCardsToKeep(sql, BATCH, DELAYS_MS);
  const work = due.map((card) => keep(deps, vault, card, stop));
  for (const result of await Promise.allSettled(work)) {
    if (result.status === 'rejected') log.warn({ err: result.reason }, 'card not kept, will be tried again');
  }
  return { more: due.length === BATCH };
}

async function keep(deps: KeepDeps, vault: Vault, card: CardToKeep, stop: AbortSignal): Promise<void> {
  const answer = await ask(deps, card, stop);
  const fields = { chargeId: card.chargeId, processor: card.processor, attempt: card.attempt };
  if (answer.status === 'saved') {
    const sealed = await sealedCard(deps.sql, vault, card.chargeId, answer);
    if (!(await keepCardLater(deps.sql, card.chargeId, sealed))) return;
    deps.log.info(fields, 'card kept after its charge');
    deps.onCard?.('kept');
  } else if (answer.status === 'refused' || card.attempt >= MAX_ATTEMPTS) {
    await cardNotKept(deps.sql, card.chargeId);
    deps.log.warn({ ...fields, answer: answer.status }, 'card not kept though its caller agreed');
    deps.onCard?.(answer.status === 'refused' ? 'refused' : 'failed');
  } else {
    deps.log.info(fields, 'card still to be kept');
  }
}

async function ask(deps: KeepDeps, card: CardToKeep, stop: AbortSignal): Promise<SavedCardAnswer> {
  const processor = deps.processors.find(({ name }) => name === card.processor);
  const wallet = processor?.wallet ?? null;
  if (processor === undefined || wallet === null) return { status: 'unavailable' };
  const credentials = await credentialsOf(deps, processor, card);
  if (credentials === null) return { status: 'unavailable' };
  const { mode, processorPaymentId } = card;
  const request = { instrumentId: idFor(card.chargeId), mode, processorPaymentId, credentials };
  return withinLimit(PROCESSOR_LIMIT_MS, (signal) => wallet.saveCharged(request, signal), stop);
}
