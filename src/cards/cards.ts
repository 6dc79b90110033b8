/** Saved cards over REST: saves a token's card at the merchant's processor, finds and deletes cards. */
import type { Scope } from '../domain/account.ts';
import { ApiError } from '../contract/errors.ts';
import { newId, parseId } from '../domain/ids.ts';
import type { SavedCard } from '../domain/instrument.ts';
import { requireVault } from '../merchants/deps.ts';
import { openCredentials, processorFor } from '../merchants/processor.ts';
import { withinLimit } from '../concurrency/time-limit.ts';
import type { CardWallet, Credentials, Processor } from '../payments/ports.ts';
import { findInstrument, type Instrument, saveCardOverRest } from '../db/cards/cards.ts';
import type { CallerDetails } from '../db/cards/saved-cards.ts';
import type { Database } from '../db/pool.ts';
import type { MerchantRecord } from '../db/merchants/merchant-records.ts';
import { deleteInstrument } from '../db/cards/removals.ts';
import { openHandle, sealHandle } from '../vault/handles.ts';
import type { Vault } from '../vault/vault.ts';

export interface CardDeps {
  database: Database;
  processors: readonly Processor[];
  vault: Vault | null;
  now: () => Date;
  /** A deleted card is to be removed at its processor: wakes the worker of this process, where there is one. */
  onCardDeleted?: () => void;
}

export interface CardToSave {
  caller: CallerDetails;
  token: string;
  /** The processor that made the token; null: the merchant's. */
  vault: string | null;
  isDefault: boolean;
}

const PROCESSOR_LIMIT_MS = 15_000;

/**
 * @throws ApiError `invalid_vault`, `processor_mismatch`, `merchant_not_connected`, `merchant_credentials_invalid`,
 *   `not_configured`, `card_save_failed`
 */
export async function saveCard(
  deps: CardDeps,
  scope: Scope,
  record: MerchantRecord,
  request: CardToSave,
): Promise<SavedCard> {
  const { processor, wallet } = walletOf(deps, scope, record, request.vault);
  const vault = requireVault(deps.vault);
  const credentials = credentialsOf(deps, record);
  const newCard = newId('Instrument');
  const answer = await withinLimit(PROCESSOR_LIMIT_MS, (signal) =>
    wallet.save({ instrumentId: newCard, mode: scope.mode, token: request.token, credentials }, signal),
  );
  if (answer.status !== 'saved') {
    if (answer.status === 'refused') throw new ApiError('card_save_failed', { param: 'token' });
    throw new ApiError('card_save_failed', {
      ...{ advice: 'try_again_later', isTemporary: true },
      message: 'The processor could not be asked to save the card.',
    });
  }
  const { status: _, handle, ...facts } = answer;
  const card = { ...facts, isDefault: request.isDefault };
  const id = await saveCardOverRest(deps.database, scope, request.caller, {
    ...{ ...card, id: newCard, merchantId: record.merchant.id, processor: processor.name },
    sealHandle: (id) => sealHandle(vault, id, handle),
    isHandle: (stored) => openHandle(vault, stored) === handle,
  });
  return { ...card, id };
}

function walletOf(
  deps: CardDeps,
  scope: Scope,
  { merchant }: MerchantRecord,
  vault: string | null,
): { processor: Processor; wallet: CardWallet } {
  if (vault !== null && deps.processors.every(({ name }) => name !== vault)) {
    throw new ApiError('invalid_vault', { param: 'vault' });
  }
  if (merchant.processor === null) throw new ApiError('merchant_not_connected');
  if (vault !== null && vault !== merchant.processor) throw new ApiError('processor_mismatch', { param: 'vault' });
  const processor = processorFor(deps.processors, scope.mode, merchant.processor);
  if (processor === null) throw new ApiError('merchant_not_connected');
  if (processor.wallet !== null) return { processor, wallet: processor.wallet };
  throw new ApiError('not_configured', { message: "The merchant's processor keeps no cards." });
}

function credentialsOf(deps: CardDeps, record: MerchantRecord): Credentials {
  const credentials = openCredentials(deps, record);
  if (credentials === null) throw new ApiError('merchant_credentials_invalid');
  return credentials;
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
  if (card.mode !== scope.mode) throw new ApiError('invalid_key');
  return card;
}

/** Deletes the card here at once. The worker removes it at its processor (forget.ts). */
export async function deleteCard(deps: CardDeps, card: Instrument): Promise<void> {
  await deleteInstrument(deps.database, card.id);
  deps.onCardDeleted?.();
}
