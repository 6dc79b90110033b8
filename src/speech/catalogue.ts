/** The prompt catalogues: one JSON file a language under `prompts/`, validated as a whole when it is read. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { minorDigits } from '../domain/kept-formats.ts';
import { primaryLanguage } from '../domain/language.ts';
import { CURRENCIES } from '../domain/money.ts';
import { numberRulesOf } from './numbers/numbers.ts';

/** Every sentence a catalogue must have. */
const SENTENCE_NAMES = [
  'greeting',
  'welcome_back',
  'other_language',
  'choose_merchant.ask',
  'choose_merchant.1',
  'choose_merchant.2',
  'choose_merchant.3',
  'card_number.1',
  'card_number.2',
  'card_number.3',
  'card_number.another',
  'card_number.instead',
  'expiry.1',
  'expiry.2',
  'expiry.3',
  'expiry.doubted',
  'security_code.back.1',
  'security_code.back.2',
  'security_code.back.3',
  'security_code.back.doubted',
  'security_code.front.1',
  'security_code.front.2',
  'security_code.front.3',
  'security_code.front.doubted',
  'postal_code.1',
  'postal_code.2',
  'postal_code.3',
  'postal_code.doubted',
  'keep_card.1',
  'keep_card.2',
  'keep_card.3',
  'keep_card.pay',
  'confirmation.card',
  'confirmation.pay',
  'confirmation.change',
  'confirmation.keep',
  'saved_card.1',
  'saved_card.2',
  'saved_card.3',
  'saved_card.4',
  'saved_card.5',
  'saved_card.all',
  'saved_card.or_star',
  'saved_card.unusable',
  'way_out',
  'offer_link',
  'again.nothing_keyed',
  'again.incomplete',
  'again.number',
  'again.date',
  'again.choice',
  'again.choice_of_three',
  'again.listed',
  'again.merchant',
  'again.in_the_past',
  'again.card_not_accepted',
  'again.started_over',
  'again.needed_again',
  'again.link_not_sent',
  'declined.bank',
  'declined.card_number',
  'declined.expiry',
  'declined.security_code',
  'declined.postal_code',
  'declined.kind',
  'declined.later',
  'one_moment',
  'still_working',
  'page_opened',
  'page_patience',
  'paying_elsewhere.page',
  'paying_elsewhere.other',
  'waiting_for_page',
  'waiting_for_bank',
  'paid_elsewhere',
  'declined_elsewhere.page',
  'declined_elsewhere.other',
  'link_sent.number',
  'link_sent.stay',
  'link_opened',
  'link_waiting.text',
  'link_waiting.page',
  'link_good',
  'succeeded',
  'card_kept',
  'receipt',
  'unconfirmed',
  'still_confirming',
  'text_follows',
  'gave_up.no_input',
  'gave_up.invalid_input',
  'gave_up.no_choice',
  'gave_up.declined',
  'canceled',
  'call_ended.unpaid',
  'call_ended.declined',
  'link_stays.asked',
  'link_stays.no_payment',
  'link_stays.ended',
  'expired',
  'already_paid',
  'too_many_attempts',
  'unavailable',
  'merchant_fault',
  'session_not_taken',
  'no_payment_waiting',
  'keypad_unavailable',
  'hand_over',
  'goodbye',
  'no_agent',
  'stands.succeeded',
  'stands.pending',
  'stands.link',
  'stands.nothing_charged',
] as const;

export type SentenceName = (typeof SENTENCE_NAMES)[number];

const PLACEHOLDERS = ['business', 'amount', 'brand', 'brands'] as const;
export type Placeholder = (typeof PLACEHOLDERS)[number];

/** The placeholders in a text, e.g. `amount` for "To pay {amount}, press one." */
function placeholdersIn(text: string): string[] {
  return [...text.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name ?? '');
}

const sentence = z
  .strictObject({
    /** When it is said: for translators. */
    when: z.string().min(1),
    say: z.string().min(1).max(200),
    /** The wording without names and amounts, which can be recorded; needed where `say` has a placeholder. */
    plain: z.string().min(1).max(200).optional(),
  })
  .refine(({ say }) => placeholdersIn(say).every((name) => PLACEHOLDERS.some((known) => known === name)), {
    error: 'knows only {business}, {amount}, {brand} and {brands}',
  })
  .refine(({ say, plain }) => placeholdersIn(say).length > 0 === (plain !== undefined), {
    error: 'needs "plain" exactly when it has a placeholder',
  })
  .refine(({ plain }) => placeholdersIn(plain ?? '').length === 0, { error: '"plain" has no placeholder' });

const gender = z.enum(['masculine', 'feminine', 'neuter']);

const unit = z.strictObject({
  /** The unit behind one ("dollar") and behind other numbers ("dollars"). */
  one: z.string(),
  many: z.string(),
  /** Of this noun, in languages whose numbers change by it; masculine where not given. */
  gender: gender.optional(),
});

const unitWithMinor = unit.extend({
  /** Its hundredth. */
  minorOne: z.string(),
  minorMany: z.string(),
  minorGender: gender.optional(),
});

/** A currency in words; one without a minor unit, such as JPY, has no words for one. */
const currency = z.union([unitWithMinor, unit]);

export type CurrencyWords = z.infer<typeof currency>;

export const hasMinorUnit = (words: CurrencyWords): words is z.infer<typeof unitWithMinor> => 'minorOne' in words;

const schema = z.strictObject({
  /** BCP 47, for the synthesizer. */
  language: z.string().refine((tag) => numberRulesOf(tag) !== null, { error: 'has no number words' }),
  digits: z.array(z.string().min(1)).length(10),
  /** Between the units and the hundredths of an amount. */
  and: z.string().min(1),
  or: z.string().min(1),
  /** By credit-card-type id. */
  brands: z.record(z.string(), z.string().min(1)),
  /** By ISO 4217 code. */
  currencies: z
    .record(z.enum(CURRENCIES), currency)
    .refine((all) => CURRENCIES.every((code) => hasMinorUnit(all[code]) === minorDigits(code) > 0), {
      error: 'must have minorOne and minorMany exactly for a currency with a minor unit',
    }),
  sentences: z.record(z.enum(SENTENCE_NAMES), sentence),
});

export type Catalogue = z.infer<typeof schema>;

/** By primary language subtag, e.g. `en`. English is always there. */
export type Catalogues = ReadonlyMap<string, Catalogue> & { readonly english: Catalogue };

/** Checks one catalogue. @throws z.ZodError naming every sentence that is missing or can't be said. */
export function parseCatalogue(json: unknown): Catalogue {
  return schema.parse(json);
}

/** Reads every `<language>.json` of the folder. @throws when one can't be used, or there is no English one. */
export async function readCatalogues(folder: string): Promise<Catalogues> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json'));
  const read = await Promise.all(
    names.map(async (name): Promise<[string, Catalogue]> => {
      const text = await readFile(join(folder, name), 'utf8');
      return [name.slice(0, -'.json'.length), parseCatalogue(JSON.parse(text))];
    }),
  );
  const catalogues = new Map(read);
  const english = catalogues.get('en');
  if (english === undefined) throw new Error('there is no English prompt catalogue');
  return Object.assign(catalogues, { english });
}

/** The catalogue of a BCP 47 language, by its primary subtag; English where there is none. */
export function catalogueFor(catalogues: Catalogues, language: string): Catalogue {
  return catalogues.get(primaryLanguage(language)) ?? catalogues.english;
}
