/** The card of a payment: what is sent to the processor, and what may be stored. */
import { copyBankAccount, type KeyedBankAccount, shownDigits, wipeBankAccount } from '../../domain/bank-account.ts';
import { brandOf, lastFourOf } from '../../domain/card.ts';
import type { InstrumentId } from '../../domain/ids.ts';
import type { HandleAtRest } from '../../domain/instrument.ts';
import type { KeyedCard } from '../../flow/effects.ts';
import { openHandle, type Vault } from '../../lib/vault/vault.ts';
import type { PayableCard } from '../port/charges.ts';

/** Keyed on this call, saved earlier, or a token. The handle of a saved card is read when the charge is created. */
export type PaymentCard =
  | { kind: 'keyed'; card: KeyedCard }
  /** `instrumentId`: null if the request's ID is malformed. `at`: the time at which the card must not have expired. */
  | { kind: 'saved'; instrumentId: InstrumentId | null; at: Date }
  /** Created by the processor's script on the pay page. Only the processor knows the card. */
  | { kind: 'token'; token: string }
  /** Keyed on this call. */
  | { kind: 'bank_account'; account: KeyedBankAccount };

/** A payment's own copy of its card. It outlives the call, until the processor has responded. */
export interface HeldCard {
  means: PaymentCard;
  /** Null unless a card or a bank account was keyed. An account has no brand. */
  brand: string | null;
  lastFour: string | null;
  /** Idempotent. */
  wipe(): void;
}

/** Takes ownership of the card: the caller's Secrets are empty afterwards. */
export function takeOver(card: PaymentCard): HeldCard {
  if (card.kind === 'bank_account') return takeOverAccount(card.account);
  if (card.kind !== 'keyed') return { means: card, brand: null, lastFour: null, wipe: () => undefined };
  const given = card.card;
  const own: KeyedCard = {
    number: given.number.copy(),
    expiry: given.expiry.copy(),
    securityCode: given.securityCode.copy(),
    postalCode: given.postalCode?.copy() ?? null,
  };
  wipeCard(given);
  return {
    means: { kind: 'keyed', card: own },
    brand: brandOf(own.number)?.label ?? null,
    lastFour: lastFourOf(own.number),
    wipe: () => wipeCard(own),
  };
}

function takeOverAccount(given: KeyedBankAccount): HeldCard {
  const own = copyBankAccount(given);
  wipeBankAccount(given);
  return {
    means: { kind: 'bank_account', account: own },
    brand: null,
    lastFour: shownDigits(own.accountNumber),
    wipe: () => wipeBankAccount(own),
  };
}

/**
 * @param saved the saved card of the charge
 * @returns null if its handle cannot be decrypted
 */
export function payableCard(
  { means }: HeldCard,
  saved: HandleAtRest | null,
  vault: Vault | null,
): Exclude<PaymentCard, { kind: 'saved' }> | Extract<PayableCard, { kind: 'saved' }> | null {
  if (means.kind !== 'saved') return means;
  const handle = saved === null ? null : openHandle(vault, saved);
  return handle === null ? null : { kind: 'saved', handle };
}

function wipeCard(card: KeyedCard): void {
  card.number.wipe();
  card.expiry.wipe();
  card.securityCode.wipe();
  card.postalCode?.wipe();
}
