/** Saved cards as REST answers show them. */
import { z } from 'zod';
import type { SavedCard } from '../domain/instrument.ts';
import { FIELDS, field } from './fields.ts';

export const CardEntry = z
  .object({
    instrument_id: field(
      z.string(),
      'The saved card. Send it to `charge` when the caller has chosen this card.',
      'card_demo_visa',
    ),
    brand: field(z.string(), 'Upper case, such as `VISA`, `MASTERCARD`, `AMERICAN_EXPRESS`, `DISCOVER`.', 'VISA'),
    last_four: field(z.string(), 'The last four digits, as a string.', '4242'),
    expiry: FIELDS.expiry,
  })
  .meta({ id: 'Card', description: 'A saved card, as offered to the caller.' });
export type CardEntry = z.infer<typeof CardEntry>;

/** `cards` and `default_card_id`, in the order given. */
export function cardEntries(cards: readonly SavedCard[]): { cards: CardEntry[]; default_card_id: string | null } {
  return {
    cards: cards.map((card) => ({
      instrument_id: card.id,
      brand: card.brand,
      last_four: card.lastFour,
      expiry: `${String(card.expiryMonth).padStart(2, '0')}/${card.expiryYear}`,
    })),
    default_card_id: cards.find((card) => card.isDefault)?.id ?? null,
  };
}
