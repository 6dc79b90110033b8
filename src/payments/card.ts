/** The card of a payment on its way to the processor, and what of it may be kept. */
import { brandOf, lastFourOf } from '../domain/card.ts';
import type { InstrumentId } from '../domain/ids.ts';
import type { KeyedCard } from '../flow/types.ts';
import type { PayableCard } from './ports.ts';

/** Keyed on this call, or saved before; the latter with what the record knows of it. */
export type PaymentCard =
  | { kind: 'keyed'; card: KeyedCard }
  | { kind: 'saved'; handle: string; instrumentId: InstrumentId; brand: string; lastFour: string }
  /** Of the pay page's script; what card it stands for is the processor's to say. */
  | { kind: 'token'; token: string };

/** A payment's own card: whatever becomes of the call, it lives until the answer is in. */
export interface HeldCard {
  payable: PayableCard;
  instrumentId: InstrumentId | null;
  brand: string | null;
  lastFour: string | null;
  /** Idempotent. */
  wipe(): void;
}

/** Takes the card over: the giver's Secrets are empty afterwards. */
export function takeOver(card: PaymentCard): HeldCard {
  if (card.kind === 'saved') {
    const { handle, instrumentId, brand, lastFour } = card;
    return { payable: { kind: 'saved', handle }, instrumentId, brand, lastFour, wipe: () => undefined };
  }
  if (card.kind === 'token') {
    return { payable: card, instrumentId: null, brand: null, lastFour: null, wipe: () => undefined };
  }
  const given = card.card;
  const own: KeyedCard = {
    number: given.number.copy(),
    expiry: given.expiry.copy(),
    securityCode: given.securityCode.copy(),
    postalCode: given.postalCode?.copy() ?? null,
  };
  wipeCard(given);
  return {
    payable: { kind: 'keyed', card: own },
    instrumentId: null,
    brand: brandOf(own.number)?.label ?? null,
    lastFour: lastFourOf(own.number),
    wipe: () => wipeCard(own),
  };
}

function wipeCard(card: KeyedCard): void {
  card.number.wipe();
  card.expiry.wipe();
  card.securityCode.wipe();
  card.postalCode?.wipe();
}
