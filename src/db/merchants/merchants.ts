/** The table `merchants`. */

import type { Scope } from '../../domain/account.ts';
import type { MerchantOrigins } from '../../domain/caller-search.ts';
import type { MerchantId } from '../../domain/ids.ts';
import type { Merchant } from '../../domain/merchant.ts';
import type { NumberOwner } from '../../domain/transfer-number.ts';
import { columnsOf } from '../columns.ts';
import { accountBranding, brandingOf, ONLY_ACCOUNT } from '../keys/accounts.ts';
import { readFirst, type Sql } from '../pool.ts';

/** SQL: a {@link Merchant} from a row of `merchants`. */
export const MERCHANT = columnsOf<Merchant>()(
  'merchants',
  [
    'id accountId mode slug businessName currency language timeZone voice asksPostalCode asksConfirmation cardSaving',
    'returnMode acceptedBrands processor secondLanguage textAfterDrop tipPercentages bankDebitPhone partialMinimumCents',
  ],
  {
    // Only `above` has an amount: a check of the table keeps the two together.
    policy: `json_strip_nulls(json_build_object('kind', policy, 'amountCents', policy_amount_cents))`,
    branding: brandingOf((name) => `merchants.page_branding ->> '${name}'`),
  },
);

/** SQL: the branding of a merchant's pages: its own, otherwise its account's in this mode. @param mode SQL */
export const merchantBranding = (mode: string) => {
  const ofAccount = accountBranding(mode);
  return brandingOf((name) => `coalesce(merchants.page_branding ->> '${name}', ${ofAccount(name)})`);
};

/** Whether any account has a live merchant. */
export async function hasLiveMerchant(sql: Sql): Promise<boolean> {
  return (await readFirst(sql, `select id from merchants where mode = 'live' limit 1`, [])) !== null;
}

/**
 * More languages than Ringkey has words for, including regional forms. Speech in further languages is rendered when a
 * checkout needs it.
 */
const MAX_LANGUAGES = 50;

/** In any account. */
export function findMerchant(sql: Sql, id: MerchantId): Promise<Merchant | null> {
  return readFirst(sql, `select ${MERCHANT} from merchants where id = $1`, [id]);
}

/** BCP 47: the languages of merchants' calls, the most common first. */
export async function readMerchantLanguages(sql: Sql): Promise<string[]> {
  const { rows } = await sql.query<{ language: string }>(
    `select spoken.language from merchants
       cross join lateral unnest(array[merchants.language, merchants.second_language]) as spoken (language)
      where spoken.language is not null group by spoken.language order by count(*) desc, spoken.language limit $1`,
    [MAX_LANGUAGES],
  );
  return rows.map(({ language }) => language);
}

export function findMerchantBySlug(sql: Sql, { accountId, mode }: Scope, slug: string): Promise<Merchant | null> {
  return readFirst(sql, `select ${MERCHANT} from merchants where slug = $1 and account_id = $2 and mode = $3`, [
    slug,
    accountId,
    mode,
  ]);
}

/** @param onConflict SQL for an ID that already exists. If omitted, that is an error */
export async function insertMerchantRow(sql: Sql, merchant: Merchant, onConflict = ''): Promise<void> {
  await sql.query(
    `insert into merchants (id, slug, business_name, currency, policy, policy_amount_cents, language, voice,
                            asks_postal_code, asks_confirmation, return_mode, accepted_brands, time_zone, card_saving,
                            second_language, text_after_drop, tip_percentages, bank_debit_phone, partial_minimum_cents,
                            page_branding, account_id, mode, processor)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23) ${onConflict}`,
    [...settingValues(merchant), merchant.accountId, merchant.mode, merchant.processor],
  );
}

export async function updateMerchantRow(sql: Sql, merchant: Merchant): Promise<void> {
  await sql.query(
    `update merchants set slug = $2, business_name = $3, currency = $4, policy = $5, policy_amount_cents = $6,
       language = $7, voice = $8, asks_postal_code = $9, asks_confirmation = $10, return_mode = $11,
       accepted_brands = $12, time_zone = $13, card_saving = $14, second_language = $15,
       text_after_drop = $16, tip_percentages = $17, bank_debit_phone = $18, partial_minimum_cents = $19,
       page_branding = $20
      where id = $1`,
    settingValues(merchant),
  );
}

function settingValues(merchant: Merchant): unknown[] {
  return [
    merchant.id,
    merchant.slug,
    merchant.businessName,
    merchant.currency,
    merchant.policy.kind,
    merchant.policy.kind === 'above' ? merchant.policy.amountCents : null,
    merchant.language,
    merchant.voice,
    merchant.asksPostalCode,
    merchant.asksConfirmation,
    merchant.returnMode,
    merchant.acceptedBrands,
    merchant.timeZone,
    merchant.cardSaving,
    merchant.secondLanguage,
    merchant.textAfterDrop,
    merchant.tipPercentages,
    merchant.bankDebitPhone,
    merchant.partialMinimumCents,
    JSON.stringify(merchant.branding),
  ];
}

/**
 * The language for a caller of a transfer number who has no session: that of most merchants of the number's account and
 * mode.
 * @returns BCP 47; null if there are no merchants
 */
export async function readNumberLanguage(sql: Sql, owner: NumberOwner): Promise<string | null> {
  const { accountId, mode } = owner === 'only_account' ? { accountId: null, mode: null } : owner;
  const row = await readFirst<{ language: string }>(
    sql,
    `select language from merchants
      where account_id = coalesce($1, ${ONLY_ACCOUNT}) and ($2::mode is null or mode = $2)
      group by language order by count(*) desc, language limit 1`,
    [accountId, mode],
  );
  return row?.language ?? null;
}

/** A few numbers are enough to know the countries. */
const MAX_NUMBERS = 50;

export async function readMerchantOrigins(sql: Sql, { accountId, mode }: Scope): Promise<MerchantOrigins> {
  const { rows } = await sql.query<MerchantOrigins>(
    `select array(select distinct currency from merchants where account_id = $1 and mode = $2) as currencies,
            array(select distinct language from merchants where account_id = $1 and mode = $2) as languages,
            array(select number from merchant_numbers where account_id = $1 and mode = $2 limit $3) as numbers`,
    [accountId, mode, MAX_NUMBERS],
  );
  return rows[0] ?? { currencies: [], languages: [], numbers: [] };
}
