/** Callers as REST shows them: by number, with saved cards, consents and a note. */
import { z } from 'zod';
import type { CallerProfile } from '../domain/caller.ts';
import { CardEntry, cardEntries } from './cards.ts';
import { FIELDS, field } from './fields.ts';

const name = (what: string, example: string) =>
  field(z.string().nullable(), `The caller's ${what}. Null if it is not known.`, example);

const CallerCard = CardEntry.extend({
  merchant_id: FIELDS.merchant_id,
  business_name: field(z.string(), "The merchant's own name.", 'Demo Diner'),
}).meta({ id: 'CallerCard', description: 'A saved card of a caller, with the merchant at which it was saved.' });

const CallerConsent = z
  .object({
    merchant_id: FIELDS.merchant_id,
    channel: field(
      z.enum(['phone', 'page', 'rest']),
      '`phone`: asked on the line. `page`: asked on the pay page. `rest`: asked by your agent.',
      'phone',
    ),
    wording: field(
      z.string().nullable(),
      'The sentence that the caller agreed to. Null if your agent asked and `save_card` did not send it.',
      'To keep this card for next time, press 1.',
    ),
    language: field(z.string().nullable(), 'The language of `wording`, BCP 47. Null for `rest`.', 'en-US'),
    status: field(
      z.enum(['agreed', 'kept', 'not_kept']),
      '`kept`: the card was saved. `agreed`: it will be. `not_kept`: it could not be.',
      'kept',
    ),
    instrument_id: FIELDS.instrument_id.nullable().describe('The card. Null if it was not saved.'),
    agreed_at: field(z.iso.datetime(), 'When the caller agreed: ISO 8601, in UTC.', '2026-11-20T12:00:41.300Z'),
  })
  .meta({ id: 'CallerConsent', description: 'That a caller agreed to have a card saved.' });

export const CallerProfileResource = z
  .object({
    caller_phone: field(z.string(), "The caller's number, E.164.", '+15550101234'),
    consumer_id: field(
      z.string().nullable(),
      'The caller, `con_…`. Null for a number without a saved card or a note.',
      'con_demo_caller',
    ),
    first_name: name('first name', 'Demo'),
    last_name: name('last name', 'Caller'),
    email: name('email address', 'demo.caller@example.com'),
    note: field(z.string().nullable(), 'The note about the caller. Null if there is none.', null),
    note_written_at: field(z.iso.datetime().nullable(), 'When the note was written. Otherwise null.', null),
    cards: field(z.array(CallerCard), 'The saved cards at all merchants, newest first, including expired ones.'),
    consents: field(z.array(CallerConsent), 'The consents to save a card, newest first.'),
  })
  .meta({ id: 'Caller', description: 'A caller of the account: name, note, saved cards and consents.' });
export type CallerProfileResource = z.infer<typeof CallerProfileResource>;

export function callerProfileResource(profile: CallerProfile): CallerProfileResource {
  const entries = cardEntries(profile.cards).cards;
  return {
    caller_phone: profile.phone,
    consumer_id: profile.id,
    first_name: profile.firstName,
    last_name: profile.lastName,
    email: profile.email,
    note: profile.note,
    note_written_at: profile.noteWrittenAt?.toISOString() ?? null,
    cards: profile.cards.map(({ merchantId, businessName }, at) => ({
      ...(entries[at] as CardEntry),
      merchant_id: merchantId,
      business_name: businessName,
    })),
    consents: profile.consents.map((consent) => ({
      merchant_id: consent.merchantId,
      channel: consent.channel,
      wording: consent.wording,
      language: consent.language,
      status: consent.status,
      instrument_id: consent.cardId,
      agreed_at: new Date(consent.agreedAt).toISOString(),
    })),
  };
}
