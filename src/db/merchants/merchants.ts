/** Merchants and the numbers their callers dial. */
import type { Scope } from '../../domain/account.ts';
import type { AccountId, MerchantId } from '../../domain/ids.ts';
import type { Currency } from '../../domain/money.ts';
import type { CardSaving, Merchant, Mode, PaymentPolicy, ReturnMode } from '../../domain/session.ts';
import type { Sql } from '../pool.ts';

/** As it comes from `select m.*` and from `to_jsonb(m)` alike. */
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

/** A row of `merchants` in the domain's words. */
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

/** The table's check keeps the threshold and the kind together. */
function policyOf(kind: PaymentPolicy['kind'], amountCents: number | null): PaymentPolicy {
  if (kind !== 'above') return { kind };
  if (amountCents === null) throw new Error('a policy `above` without its threshold');
  return { kind, amountCents };
}

/** The scope's merchant of that slug. */
export async function findMerchantBySlug(sql: Sql, scope: Scope, slug: string): Promise<Merchant | null> {
  const { rows } = await sql.query<MerchantRow>(
    'select * from merchants where slug = $1 and account_id = $2 and mode = $3',
    [slug, scope.accountId, scope.mode],
  );
  return rows[0] === undefined ? null : merchantOf(rows[0]);
}

/** Keeps a new merchant and the numbers its callers dial (E.164). What is there already is left as it is. */
export async function insertMerchant(sql: Sql, merchant: Merchant, numbers: readonly string[]): Promise<void> {
  await sql.query(
    `insert into merchants (id, account_id, mode, slug, business_name, currency, policy, policy_amount_cents, language,
                            voice, asks_postal_code, asks_confirmation, return_mode, accepted_brands, processor,
                            time_zone, card_saving)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
     on conflict (id) do nothing`,
    merchantValues(merchant),
  );
  await sql.query(
    `insert into merchant_numbers (account_id, mode, number, merchant_id)
     select $1, $2, number, $3 from unnest($4::text[]) as number
     on conflict do nothing`,
    [merchant.accountId, merchant.mode, merchant.id, numbers],
  );
}

function merchantValues(merchant: Merchant): unknown[] {
  return [
    merchant.id,
    merchant.accountId,
    merchant.mode,
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
    merchant.processor,
    merchant.timeZone,
    merchant.cardSaving,
  ];
}
