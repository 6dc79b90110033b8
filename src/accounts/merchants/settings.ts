/** Creates and changes merchants: applies a request's settings to the defaults or the stored settings. */
import { randomBytes } from 'node:crypto';
import { ApiError, merchantNotFound, merchantOfOtherMode } from '../../contract/errors.ts';
import { merchantResource } from '../../contract/merchants.ts';
import {
  createMerchantRecord,
  lockMerchantRecord,
  type MerchantRecord,
  SettingInUse,
  setNumbers,
  updateMerchant,
} from '../../db/merchants/merchant-records.ts';
import { setOrderSource } from '../../db/merchants/order-sources.ts';
import type { Sql } from '../../db/pool.ts';
import type { Scope } from '../../domain/account.ts';
import { type Actor, type AuditChanges, changedFields, withoutSecrets } from '../../domain/audit.ts';
import type { PageBranding } from '../../domain/branding.ts';
import { type MerchantId, newId } from '../../domain/ids.ts';
import { isSameLanguage } from '../../domain/language.ts';
import { changedPolicy, MERCHANT_DEFAULTS, type Merchant, type PaymentPolicy } from '../../domain/merchant.ts';
import type { E164 } from '../../domain/phone-number.ts';
import { ownerOf } from '../../domain/transfer-number.ts';
import { isSpoken, LANGUAGE_TAGS } from '../../languages/index.ts';
import { auditMerchant } from './audit.ts';
import type { MerchantDeps, MerchantSettingsDeps } from './deps.ts';
import { newOrderSource, type OrderSourceRequest } from './order-source.ts';

type Optional<T> = { [Key in keyof T]?: T[Key] | undefined };

/** Undefined keeps the setting, or uses the default for a new merchant. */
export interface MerchantSettings
  extends Optional<Omit<Merchant, 'id' | 'accountId' | 'mode' | 'policy' | 'processor' | 'branding'>> {
  numbers?: readonly E164[] | undefined;
  policy?: PaymentPolicy['kind'] | undefined;
  policyAmountCents?: number | null | undefined;
  orderSource?: OrderSourceRequest | undefined;
  /** Values that are omitted stay. */
  branding?: Partial<PageBranding> | undefined;
}

export interface ChangedMerchant {
  record: MerchantRecord;
  /** The signing secret of a new order source, shown once. */
  orderSourceSecret: string | null;
}

/**
 * @throws ApiError for an inconsistent policy and threshold, a slug or number in use, an unknown voice, an invalid
 * order source
 */
export async function createMerchant(
  deps: MerchantSettingsDeps,
  by: Actor,
  scope: Scope,
  settings: MerchantSettings & { businessName: string },
): Promise<ChangedMerchant> {
  const { businessName } = settings;
  refuseOwnNumbers(deps, settings);
  refuseUnknownVoice(deps, settings);
  const blank = { ...MERCHANT_DEFAULTS, ...scope, id: newId('Merchant'), slug: slugFor(businessName), businessName };
  const merchant = withSettings(blank, settings);
  return explainTaken(
    deps.database.transaction(async (sql) => {
      await createMerchantRecord(sql, merchant, settings.numbers ?? []);
      const created = await writeOrderSource(deps, sql, merchant, null, settings);
      await auditMerchant(sql, by, 'merchant.created', merchant, shown(created.record));
      return created;
    }),
  );
}

const SLUG_WORDS_LENGTH = 40;

/** Letters and digits of the name, and random ones that make it unique: `demo-diner-3f9a21c4`. */
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

/** @throws ApiError like {@link createMerchant}, and `merchant_not_found`, `invalid_key` */
export async function changeMerchant(
  deps: MerchantSettingsDeps,
  by: Actor,
  scope: Scope,
  id: MerchantId,
  settings: MerchantSettings,
): Promise<ChangedMerchant> {
  refuseOwnNumbers(deps, settings);
  refuseUnknownVoice(deps, settings);
  return explainTaken(
    deps.database.transaction(async (sql) => {
      const record = await lockMerchantRecord(sql, scope.accountId, id);
      if (record === null) throw merchantNotFound(id);
      if (record.merchant.mode !== scope.mode) throw merchantOfOtherMode(scope.mode, record.merchant.id);
      const merchant = withSettings(record.merchant, settings);
      await updateMerchant(sql, merchant);
      if (settings.numbers !== undefined) await setNumbers(sql, merchant, settings.numbers);
      const changed = await writeOrderSource(deps, sql, merchant, record, settings);
      const changes = changedFields(shown(record), shown(changed.record));
      await auditMerchant(sql, by, 'merchant.changed', merchant, changes);
      return changed;
    }),
  );
}

/**
 * Refuses the payment line's own numbers: calls to them are not calls to the merchant. @throws ApiError `invalid_value`
 */
function refuseOwnNumbers({ transferNumbers }: MerchantSettingsDeps, { numbers = [] }: MerchantSettings): void {
  if (numbers.every((number) => ownerOf(transferNumbers, number) === null)) return;
  throw new ApiError('invalid_value', {
    param: 'numbers',
    message: "One of the numbers is the payment line's own. Send the numbers that the merchant's callers dial.",
  });
}

/** Refuses unknown voices. A voice that the merchant already has can stay. @throws ApiError `invalid_value` */
function refuseUnknownVoice(deps: MerchantSettingsDeps, { voice }: MerchantSettings): void {
  if (voice === undefined || voice === null || deps.mayHaveVoice(voice)) return;
  throw new ApiError('invalid_value', {
    param: 'voice',
    message:
      'This voice does not exist here. Use `<synthesizer>:<voice>` with a synthesizer that is configured on the service.',
  });
}

/** A merchant's settings for the audit trail. */
function shown(record: MerchantRecord): AuditChanges {
  const { order_source: source, ...resource } = merchantResource(record);
  const url = source.url === undefined ? {} : { url: withoutSecrets(source.url) };
  return { ...resource, order_source: { type: source.type, ...url } };
}

/** @throws ApiError `invalid_payment_policy_amount_cents`, `invalid_value` (`second_language`) */
function withSettings(merchant: Merchant, settings: MerchantSettings): Merchant {
  const { numbers: _, orderSource: __, policy: kind, policyAmountCents: amountCents, ...others } = settings;
  const policy = changedPolicy(merchant.policy, { kind, amountCents });
  if (policy === null) {
    throw new ApiError('invalid_payment_policy_amount_cents', { param: 'payment_policy_amount_cents' });
  }
  const given = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined));
  const changed = { ...merchant, ...given, policy, branding: { ...merchant.branding, ...settings.branding } };
  refuseUnspokenSecondLanguage(changed);
  return changed;
}

/**
 * The offer of a second language is spoken in that language, which must differ from the first.
 * @throws ApiError `invalid_value`
 */
function refuseUnspokenSecondLanguage({ language, secondLanguage }: Merchant): void {
  if (secondLanguage === null) return;
  const refused = (message: string) => new ApiError('invalid_value', { param: 'second_language', message });
  if (!isSpoken(secondLanguage)) throw refused(`\`second_language\` must be one of ${LANGUAGE_TAGS.join(', ')}.`);
  // A language without words is spoken to in English.
  if (isSameLanguage(secondLanguage, isSpoken(language) ? language : 'en')) {
    throw refused('`second_language` must differ from `language`.');
  }
}

/** Writes the order source, if there is a new one, and reads the merchant again. */
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

/** Names the setting that is in use, but not the merchant that has it. */
async function explainTaken<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof SettingInUse)) throw error;
    throw new ApiError('invalid_value', {
      param: error.what,
      message: 'Another merchant of this account and mode already has this value.',
      cause: error,
    });
  }
}
