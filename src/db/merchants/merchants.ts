/** Rows of `merchants`. */
import type { Scope } from '../../domain/account.ts';
import type { AccountId, MerchantId } from '../../domain/ids.ts';
import type { Currency } from '../../domain/money.ts';
import type { CardSaving, Merchant, Mode, PaymentPolicy, ReturnMode } from '../../domain/session.ts';
import { queryFirst, type Sql } from '../pool.ts';

/** As `select m.*` and `to_jsonb(m)` give it. */
export interface MerchantRow {
  id: MerchantId;
  account_id: AccountId;
  mode: Mode;
  slug: string;
  business_name: string;
  currency: Currency;
  policy: PaymentPolicy['kind'];
  policy_amount_cents: number | null;
  language: string;
  voice: string | null;
  asks_postal_code: boolean;
  asks_confirmation: boolean;
  return_mode: ReturnMode | null;
  accepted_brands: string[];
  processor: string | null;
  time_zone: string;
  card_saving: CardSaving;
}

export function merchantOf(row: MerchantRow): Merchant {
  return {
    id: row.id,
    accountId: row.account_id,
    mode: row.mode,
    slug: row.slug,
    businessName: row.business_name,
    currency: row.currency,
    policy: policyOf(row.policy, row.policy_amount_cents),
    language: row.language,
    voice: row.voice,
    asksPostalCode: row.asks_postal_code,
    asksConfirmation: row.asks_confirmation,
    returnMode: row.return_mode,
    acceptedBrands: row.accepted_brands,
    processor: row.processor,
    timeZone: row.time_zone,
    cardSaving: row.card_saving,
  };
}

/** A check of the table keeps kind and threshold together. */
function policyOf(kind: PaymentPolicy['kind'], amountCents: number | null): PaymentPolicy {
  if (kind !== 'above') return { kind };
  if (amountCents === null) throw new Error('a policy `above` without its threshold');
  return { kind, amountCents };
}

export async function findMerchantBySlug(sql: Sql, scope: Scope, slug: string): Promise<Merchant | null> {
  return queryFirst(sql, merchantOf, 'select * from merchants where slug = $1 and account_id = $2 and mode = $3', [
    slug,
    scope.accountId,
    scope.mode,
  ]);
}

/** @param onConflict SQL: what to do about an id that is there already; an error where not given */
export async function insertMerchantRow(sql: Sql, merchant: Merchant, onConflict = ''): Promise<void> {
  await sql.query(
    `insert into merchants (id, slug, business_name, currency, policy, policy_amount_cents, language, voice,
                            asks_postal_code, asks_confirmation, return_mode, accepted_brands, time_zone, card_saving,
                            account_id, mode, processor)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17) ${onConflict}`,
    [...settingValues(merchant), merchant.accountId, merchant.mode, merchant.processor],
  );
}

export async function updateMerchantRow(sql: Sql, merchant: Merchant): Promise<void> {
  await sql.query(
    `update merchants set slug = $2, business_name = $3, currency = $4, policy = $5, policy_amount_cents = $6,
       language = $7, voice = $8, asks_postal_code = $9, asks_confirmation = $10, return_mode = $11,
       accepted_brands = $12, time_zone = $13, card_saving = $14
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
  ];
}
