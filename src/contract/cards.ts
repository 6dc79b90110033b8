/** Saved cards as REST answers show them. */
import { z } from 'zod';
import { SAVE_TERMS, type SavedCard, type ShownConsent } from '../domain/instrument.ts';
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

/** What the caller agreed to at one merchant. */
export const CONSENT_FIELDS = {
  save_terms: field(
    z.enum(SAVE_TERMS),
    'What the caller agreed to. `returning`: the caller can choose the card when paying again. `merchant_initiated`: the merchant can also charge it without the caller (`create_charge`).',
    'returning',
  ),
  max_amount_cents: field(
    z.int().nullable(),
    'The highest amount of one charge without the caller, in minor units. Null if the caller agreed to any amount, or to no such charges.',
    null,
  ),
};

export const ConsentedCard = CardEntry.extend({
  ...CONSENT_FIELDS,
  consent: field(
    z
      .object({
        channel: field(z.enum(['phone', 'page', 'rest']), 'Where the caller was asked. `rest`: by your agent.', 'rest'),
        wording: field(
          z.string().nullable(),
          'The sentence that the caller agreed to. Null if your agent asked and `save_card` did not send it.',
          'We charge this card if you cancel later than a day before.',
        ),
        agreed_at: field(z.iso.datetime(), 'ISO 8601, in UTC.', '2026-11-20T12:00:40.000Z'),
      })
      .nullable(),
    'The consent. Null if the card was saved at another merchant that shares its account at the processor.',
  ),
}).meta({ id: 'ConsentedCard', description: 'A saved card, and what its caller agreed to.' });
export type ConsentedCard = z.infer<typeof ConsentedCard>;

export function consentedCard(card: SavedCard & { consent: ShownConsent | null }): ConsentedCard {
  const { consent } = card;
  return {
    ...cardEntry(card),
    save_terms: consent?.saveTerms ?? 'returning',
    max_amount_cents: consent?.maxAmountCents ?? null,
    consent: consent && {
      channel: consent.channel,
      wording: consent.wording,
      agreed_at: new Date(consent.agreedAtMs).toISOString(),
    },
  };
}

export function cardEntry({ id, brand, lastFour, expiryMonth, expiryYear }: SavedCard): CardEntry {
  const expiry = `${String(expiryMonth).padStart(2, '0')}/${expiryYear}`;
  return { instrument_id: id, brand, last_four: lastFour, expiry };
}

/** `cards` and `default_card_id`, in the order given. */
export function cardEntries(cards: readonly SavedCard[]): { cards: CardEntry[]; default_card_id: string | null } {
  return {
    cards: cards.map(cardEntry),
    default_card_id: defaultCardId(cards),
  };
}

export function defaultCardId(cards: readonly SavedCard[]): string | null {
  return cards.find((card) => card.isDefault)?.id ?? null;
}
