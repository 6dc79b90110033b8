/** Saved cards over REST: saves the card of a token at the merchant's processor, finds and deletes cards and callers. */
import { openCredentials, processorFor } from '../../accounts/merchants/processor.ts';
import { ApiError, type CanSendLinks, linkFacts, ofOtherMode } from '../../contract/errors.ts';
import { insertAuditEvent } from '../../db/audit/audit-events.ts';
import { findInstrument, type Instrument, saveCardOverRest } from '../../db/cards/cards.ts';
import { eraseConsumer, findConsumerById } from '../../db/cards/erasure.ts';
import { deleteInstrument } from '../../db/cards/removals.ts';
import type { CallerDetails } from '../../db/cards/saved-cards.ts';
import type { MerchantRecord } from '../../db/merchants/merchant-records.ts';
import type { Database, Sql } from '../../db/pool.ts';
import { findTextFacts } from '../../db/texts/texts.ts';
import type { Scope } from '../../domain/account.ts';
import type { Actor } from '../../domain/audit.ts';
import { type ConsumerId, type InstrumentId, newId, parseId } from '../../domain/ids.ts';
import type { CardTerms, HandleAtRest, SavedCard } from '../../domain/instrument.ts';
import type { Merchant } from '../../domain/merchant.ts';
import { isWithinReach } from '../../domain/texts.ts';
import { withinLimit } from '../../lib/concurrency/time-limit.ts';
import { openHandle, requireVault, sealHandle, type Vault } from '../../lib/vault/vault.ts';
import type { Processor } from '../../payments/port/processor.ts';
import type { CardWallet } from '../../payments/port/saved-cards.ts';
import { checkedSavedCard } from '../../payments/shared/checked-answers.ts';
import type { TakesOnPage } from '../page-advice.ts';

export interface CardDeps {
  database: Database;
  processors: readonly Processor[];
  vault: Vault | null;
  now: () => Date;
  canSendLinks: CanSendLinks;
  takesOnPage: TakesOnPage;
  /** A card was deleted and must be removed at its processor: wakes the worker of this process, if it has one. */
  onCardDeleted?: () => void;
}

interface CardToSave {
  caller: CallerDetails;
  token: string;
  /** The processor that created the token; null: the merchant's. */
  vault: string | null;
  isDefault: boolean;
  /** What the caller agreed to, and the integrator's words for it. */
  consent: CardTerms & { wording: string | null };
}

const PROCESSOR_LIMIT_MS = 15_000;

/**
 * @throws ApiError `invalid_vault`, `processor_mismatch`, `merchant_not_connected`, `merchant_credentials_invalid`,
 *   `not_configured`, `card_save_failed`
 */
export async function saveCard(
  deps: CardDeps,
  by: Actor,
  scope: Scope,
  record: MerchantRecord,
  request: CardToSave,
): Promise<SavedCard> {
  const { processor, wallet } = await walletOf(deps, scope, record, request);
  const vault = requireVault(deps.vault);
  const credentials = openCredentials(deps, record);
  if (credentials === null) throw new ApiError('merchant_credentials_invalid');
  const newCard = newId('Instrument');
  const saveRequest = { instrumentId: newCard, mode: scope.mode, token: request.token, credentials };
  const answer = checkedSavedCard(await withinLimit(PROCESSOR_LIMIT_MS, (signal) => wallet.save(saveRequest, signal)));
  if (answer.status === 'refused') throw new ApiError('card_save_failed', { param: 'token' });
  if (answer.status !== 'saved') {
    throw new ApiError('card_save_failed', {
      advice: 'try_again_later',
      isTemporary: true,
      message: 'The processor could not be reached to save the card.',
    });
  }
  const { status: _, handle, ...facts } = answer;
  const card = { ...facts, isDefault: request.isDefault };
  const newRow = {
    ...card,
    id: newCard,
    merchantId: record.merchant.id,
    processor: processor.name,
    sealHandle: (cardId: InstrumentId) => sealHandle(vault, cardId, handle),
    isHandle: (stored: HandleAtRest) => openHandle(vault, stored) === handle,
  };
  const id = await saveCardOverRest(deps.database, by, scope, request.caller, newRow, request.consent);
  return { ...card, id };
}

async function walletOf(
  deps: CardDeps,
  scope: Scope,
  { merchant }: MerchantRecord,
  { vault, caller }: CardToSave,
): Promise<{ processor: Processor; wallet: CardWallet }> {
  if (vault !== null && deps.processors.every(({ name }) => name !== vault)) {
    throw new ApiError('invalid_vault', { param: 'vault' });
  }
  if (merchant.processor === null) throw new ApiError('merchant_not_connected');
  if (vault !== null && vault !== merchant.processor) {
    throw new ApiError('processor_mismatch', {
      param: 'vault',
      ...linkFacts('processor_mismatch', await offersLink(deps, scope, merchant, caller.phone)),
    });
  }
  const processor = processorFor(deps.processors, scope.mode, merchant.processor);
  if (processor === null) throw new ApiError('merchant_not_connected');
  if (processor.wallet !== null) return { processor, wallet: processor.wallet };
  throw new ApiError('not_configured', { message: "The merchant's processor cannot save cards." });
}

/** Whether the caller could pay by a link instead. */
async function offersLink(
  { database, canSendLinks, takesOnPage }: CardDeps,
  scope: Scope,
  merchant: Merchant,
  phone: string,
): Promise<boolean> {
  if (!canSendLinks(scope.mode)) return false;
  const { hasOptedOut, textReach } = await findTextFacts(database, scope, { merchantId: merchant.id, phone });
  return !hasOptedOut && isWithinReach(phone, textReach) && takesOnPage(merchant, 'payment');
}

/** The account's card of this mode. @throws ApiError `instrument_not_found`, `invalid_key` */
export async function requireCardInScope(
  deps: Pick<CardDeps, 'database'>,
  scope: Scope,
  text: string,
): Promise<Instrument> {
  const id = parseId('Instrument', text);
  const card = id === null ? null : await findInstrument(deps.database, scope.accountId, id);
  if (card === null) throw new ApiError('instrument_not_found', { param: 'instrument_id' });
  if (card.mode !== scope.mode) throw ofOtherMode(scope.mode);
  return card;
}

/** Deletes the card here at once. The worker removes it at its processor (forget.ts). */
export async function deleteCard(deps: CardDeps, by: Actor, scope: Scope, card: Instrument): Promise<void> {
  await deps.database.transaction((sql) => deleteCardIn(sql, by, scope, card));
  deps.onCardDeleted?.();
}

/** Like {@link deleteCard}, in the caller's transaction. */
async function deleteCardIn(
  sql: Sql,
  by: Actor,
  scope: Scope,
  card: Pick<SavedCard, 'id' | 'brand' | 'lastFour'>,
): Promise<void> {
  if (!(await deleteInstrument(sql, card.id))) return;
  const { id: objectId, brand, lastFour: last_four } = card;
  await insertAuditEvent(sql, by, { ...scope, action: 'card.deleted', objectId, changes: { brand, last_four } });
}

/**
 * Erases a caller: the person's data and number here, and the saved cards also at their processors. Erases everything
 * or nothing. A repeat changes nothing more. The worker removes the cards at their processors
 * (forget.ts).
 * @throws ApiError `not_found`; `invalid_key` for a caller of the other mode
 */
export async function eraseCaller(
  deps: Pick<CardDeps, 'database' | 'onCardDeleted'>,
  by: Actor,
  scope: Scope,
  text: string,
): Promise<ConsumerId> {
  const id = parseId('Consumer', text);
  const consumer = id === null ? null : await findConsumerById(deps.database, scope.accountId, id);
  if (consumer === null) {
    throw new ApiError('not_found', { param: 'consumer_id', message: 'No caller of this account has this ID.' });
  }
  if (consumer.mode !== scope.mode) throw ofOtherMode(scope.mode);
  await deps.database.transaction(async (sql) => {
    const erased = await eraseConsumer(sql, scope, consumer.id);
    if (erased === null) return;
    const { cards, sessions, texts } = erased;
    for (const card of cards) await deleteCardIn(sql, by, scope, card);
    const changes = { cards: cards.length, sessions, texts };
    await insertAuditEvent(sql, by, { ...scope, action: 'consumer.erased', objectId: consumer.id, changes });
  });
  deps.onCardDeleted?.();
  return consumer.id;
}
