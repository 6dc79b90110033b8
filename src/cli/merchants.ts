/** `ringkey merchant …`: an account's merchants, as far as no secret is among their settings; the rest is REST's. */
import type { ApiError } from '../contract/errors.ts';
import type { AccountId } from '../domain/ids.ts';
import type { Currency } from '../domain/money.ts';
import type { E164 } from '../domain/phone-number.ts';
import type { Merchant, Mode, PaymentPolicy } from '../domain/session.ts';
import { merchantResource } from '../merchants/resources.ts';
import { createMerchant } from '../merchants/settings.ts';
import type { Database } from '../db/pool.ts';
import { listMerchantRecords, type MerchantRecord } from '../db/merchants/merchant-records.ts';

export interface NewMerchantWords {
  accountId: AccountId;
  mode: Mode;
  name: string;
  slug: string | undefined;
  numbers: readonly E164[];
  /** The account's where not given. */
  currency: Currency | undefined;
  policy: PaymentPolicy['kind'] | undefined;
  /** Of the policy `above`. */
  thresholdCents: number | undefined;
}

/** What a command tells: for programs, and for people. */
export interface Report {
  json: object;
  lines: string[];
}

/** @throws ApiError what REST would answer with: a slug or a number of another merchant, a threshold without `above` */
export async function addMerchant(
  database: Database,
  words: NewMerchantWords,
  accountCurrency: Currency,
): Promise<Report> {
  // Neither secrets nor processors are among these settings.
  const deps = { database, processors: [], vault: null, privateTargets: false };
  const { record } = await createMerchant(deps, words, {
    businessName: words.name,
    slug: words.slug,
    numbers: words.numbers,
    currency: words.currency ?? accountCurrency,
    policy: words.policy,
    policyAmountCents: words.thresholdCents,
  });
  const { merchant } = record;
  return {
    json: merchantResource(record),
    lines: [
      `Merchant ${merchant.id}`,
      `  ${merchant.mode}, slug ${merchant.slug}, ${merchant.currency}, policy ${policyOf(merchant)}`,
      `  next: POST /v1/merchants/${merchant.id}/processor, with a ${merchant.mode} key of the account`,
    ],
  };
}

/** The newest first. @param limit a mode */
export async function showMerchants(
  database: Database,
  accountId: AccountId,
  modes: readonly Mode[],
  limit: number,
): Promise<Report> {
  const page = { limit, startingAfter: null };
  const pages = await Promise.all(modes.map((mode) => listMerchantRecords(database, { accountId, mode }, page)));
  const records = pages.flatMap((found) => found?.items ?? []);
  return {
    json: { merchants: records.map(merchantResource) },
    lines: records.length === 0 ? ['no merchants'] : records.map(lineOf),
  };
}

function lineOf({ merchant, numbers }: MerchantRecord): string {
  const { id, mode, slug, currency, processor, businessName } = merchant;
  const facts = [
    id,
    mode,
    slug,
    currency,
    policyOf(merchant),
    processor ?? 'no processor',
    numbers.join(','),
    businessName,
  ];
  return facts.filter((fact) => fact !== '').join('  ');
}

function policyOf({ policy }: Merchant): string {
  return policy.kind === 'above' ? `above ${policy.amountCents}` : policy.kind;
}

/** A REST error in a command's words: which of the words it is about. */
export function saidOf(error: ApiError): string {
  const { param } = error.facts;
  return param === undefined ? error.message : `${param}: ${error.message}`;
}
