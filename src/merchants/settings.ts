/** Creates and changes merchants: a request's settings over the defaults or the stored ones. */
import { randomBytes } from 'node:crypto';
import type { Scope } from '../domain/account.ts';
import { ApiError } from '../contract/errors.ts';
import { type MerchantId, newId } from '../domain/ids.ts';
import type { Currency } from '../domain/money.ts';
import type { E164 } from '../domain/phone-number.ts';
import { changedPolicy } from '../domain/policy.ts';
import type { CardSaving, Merchant, PaymentPolicy, ReturnMode } from '../domain/session.ts';
import type { Sql } from '../db/pool.ts';
import {
  createMerchantRecord,
  lockMerchantRecord,
  type MerchantRecord,
  setNumbers,
  SettingTaken,
  updateMerchant,
} from '../db/merchants/merchant-records.ts';
import { setOrderSource } from '../db/merchants/order-sources.ts';
import type { MerchantDeps } from './deps.ts';
import { newOrderSource, type OrderSourceRequest } from './order-source.ts';

/** Undefined: unchanged, or the default for a new merchant. */
export interface MerchantSettings {
  businessName?: string | undefined;
  slug?: string | undefined;
  numbers?: readonly E164[] | undefined;
  currency?: Currency | undefined;
  policy?: PaymentPolicy['kind'] | undefined;
  policyAmountCents?: number | null | undefined;
  language?: string | undefined;
  timeZone?: string | undefined;
  voice?: string | null | undefined;
  asksPostalCode?: boolean | undefined;
  asksConfirmation?: boolean | undefined;
  cardSaving?: CardSaving | undefined;
  returnMode?: ReturnMode | null | undefined;
  acceptedBrands?: readonly string[] | undefined;
  orderSource?: OrderSourceRequest | undefined;
}

export interface ChangedMerchant {
  record: MerchantRecord;
  /** Signing secret of a new order source; shown once. */
  orderSourceSecret: string | null;
}

const DEFAULT_BRANDS: readonly string[] = ['visa', 'mastercard', 'american-express', 'discover'];

/** @throws ApiError policy and threshold that do not fit, slug or number of another merchant, order source */
export async function createMerchant(
  deps: MerchantDeps,
  scope: Scope,
  settings: MerchantSettings & { businessName: string },
): Promise<ChangedMerchant> {
  const merchant = withSettings(blankMerchant(scope, settings.businessName, settings.currency ?? 'USD'), settings);
  return explainTaken(
    deps.database.transaction(async (sql) => {
      await createMerchantRecord(sql, merchant, settings.numbers ?? []);
      return writeOrderSource(deps, sql, merchant, null, settings);
    }),
  );
}

function blankMerchant(scope: Scope, businessName: string, currency: Currency): Merchant {
  return {
    id: newId('Merchant'),
    ...scope,
    slug: slugFor(businessName),
    businessName,
    currency,
    policy: { kind: 'always' },
    language: 'en-US',
    timeZone: 'UTC',
    voice: null,
    asksPostalCode: false,
    asksConfirmation: false,
    cardSaving: 'never',
    returnMode: null,
    acceptedBrands: DEFAULT_BRANDS,
    processor: null,
  };
}

const SLUG_WORDS_LENGTH = 40;

/** The name's letters and digits, and random ones that make it unique: `demo-diner-3f9a21c4`. */
function slugFor(businessName: string): string {
  const words = businessName
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_WORDS_LENGTH)
    .replace(/^-|-$/g, '');
  return [words, randomBytes(4).toString('hex')].filter((part) => part !== '').join('-');
}

/** @throws ApiError as {@link createMerchant}, `merchant_not_found`, `invalid_key` */
export function changeMerchant(
  deps: MerchantDeps,
  scope: Scope,
  id: MerchantId,
  settings: MerchantSettings,
): Promise<ChangedMerchant> {
  return explainTaken(
    deps.database.transaction(async (sql) => {
      const record = await lockMerchantRecord(sql, scope.accountId, id);
      if (record === null) throw new ApiError('merchant_not_found', { param: 'merchant_id' });
      if (record.merchant.mode !== scope.mode) throw new ApiError('invalid_key');
      const merchant = withSettings(record.merchant, settings);
      await updateMerchant(sql, merchant);
      if (settings.numbers !== undefined) await setNumbers(sql, merchant, settings.numbers);
      return writeOrderSource(deps, sql, merchant, record, settings);
    }),
  );
}

function withSettings(merchant: Merchant, settings: MerchantSettings): Merchant {
  return {
    ...merchant,
    slug: settings.slug ?? merchant.slug,
    businessName: settings.businessName ?? merchant.businessName,
    currency: settings.currency ?? merchant.currency,
    policy: policyWith(merchant.policy, settings),
    language: settings.language ?? merchant.language,
    timeZone: settings.timeZone ?? merchant.timeZone,
    voice: settings.voice === undefined ? merchant.voice : settings.voice,
    asksPostalCode: settings.asksPostalCode ?? merchant.asksPostalCode,
    asksConfirmation: settings.asksConfirmation ?? merchant.asksConfirmation,
    cardSaving: settings.cardSaving ?? merchant.cardSaving,
    returnMode: settings.returnMode === undefined ? merchant.returnMode : settings.returnMode,
    acceptedBrands: settings.acceptedBrands ?? merchant.acceptedBrands,
  };
}

/** @throws ApiError `invalid_payment_policy_amount_cents` */
function policyWith(current: PaymentPolicy, { policy, policyAmountCents }: MerchantSettings): PaymentPolicy {
  const changed = changedPolicy(current, { kind: policy, amountCents: policyAmountCents });
  if (changed !== null) return changed;
  throw new ApiError('invalid_payment_policy_amount_cents', { param: 'payment_policy_amount_cents' });
}

/** Writes the order source, if one is given, and reads the merchant back. */
async function writeOrderSource(
  deps: MerchantDeps,
  sql: Sql,
  merchant: Merchant,
  before: MerchantRecord | null,
  settings: MerchantSettings,
): Promise<ChangedMerchant> {
  let orderSourceSecret: string | null = null;
  if (settings.orderSource !== undefined) {
    const { setting, secret } = newOrderSource(deps, merchant, before?.orderSource ?? null, settings.orderSource);
    await setOrderSource(sql, merchant, setting);
    orderSourceSecret = secret;
  }
  const record = await lockMerchantRecord(sql, merchant.accountId, merchant.id);
  if (record === null) throw new Error('a merchant vanished under its lock');
  return { record, orderSourceSecret };
}

/** Names the setting that another merchant has, not that merchant. */
async function explainTaken<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof SettingTaken)) throw error;
    throw new ApiError('invalid_value', {
      param: error.what,
      message: 'Another merchant of this account and mode has it already.',
      cause: error,
    });
  }
}
