/** What the items of low success rates have in common: their facts, and the most frequent reasons of the failures. */
import type { AttentionFacts, FoundAttention } from '../../domain/attention.ts';
import type { MerchantId } from '../../domain/ids.ts';
import { type ChargeCounts, shareOf } from '../../domain/success-rate.ts';
import { IS_PAYMENT } from '../charges/charge-facts.ts';
import type { Sql } from '../pool.ts';
import { MOST_OF_AN_ACCOUNT } from './finder.ts';

interface LowRate {
  /** The counts of the window that is told. */
  told: ChargeCounts;
  usual: ChargeCounts;
  /** The length of that window. */
  hours: number;
  /** It begins and ends then: ISO 8601, in seconds. */
  from: string;
  until: string;
  /** What opened the item. Undefined if it opens now. */
  opened: AttentionFacts['opened'];
}

export function lowRateFacts({ told, usual, hours, from, until, opened }: LowRate): AttentionFacts {
  return {
    rate: 1 - shareOf(told),
    usualRate: 1 - shareOf(usual),
    count: told.failed,
    of: told.charges,
    hours,
    from,
    until,
    opened: opened ?? { hours, share: shareOf(told) },
  };
}

/** As `periodFacts` writes it. @param at in milliseconds */
export const timeText = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`;

/** The first items of each account and mode, so that none gets too many. */
export const firstOfEach = (found: readonly FoundAttention[]): FoundAttention[] =>
  found.filter((item, place) => found.slice(0, place).filter(isOfSameList(item)).length < MOST_OF_AN_ACCOUNT);

const isOfSameList =
  ({ accountId, mode }: FoundAttention) =>
  (other: FoundAttention): boolean =>
    other.accountId === accountId && other.mode === mode;

const MOST_REASONS = 3;

/** The most frequent reasons of each merchant's failed charges in the period of its item. */
const REASONS = `
  select period.merchant_id as "merchantId", json_agg(json_build_object('code', code, 'count', count)) as reasons
    from unnest($1::text[], $2::timestamptz[], $3::timestamptz[]) period (merchant_id, since, until)
    cross join lateral (
      select decline_code as code, count(*) as count from charges
       where charges.merchant_id = period.merchant_id and created_at >= period.since and created_at < period.until
         and status = 'failed' and ${IS_PAYMENT}
       group by decline_code order by count(*) desc, decline_code limit ${MOST_REASONS}) reason
   group by period.merchant_id`;

export async function withReasons(sql: Sql, found: readonly FoundAttention[]): Promise<FoundAttention[]> {
  if (found.length === 0) return [];
  const { rows } = await sql.query<{ merchantId: MerchantId; reasons: AttentionFacts['reasons'] & object }>(REASONS, [
    found.map(({ merchantId }) => merchantId),
    found.map(({ facts }) => facts.from),
    found.map(({ facts }) => facts.until),
  ]);
  const byMerchant = new Map(rows.map(({ merchantId, reasons }) => [merchantId, reasons]));
  return found.map((item) => {
    const reasons = item.merchantId === null ? undefined : byMerchant.get(item.merchantId);
    return { ...item, facts: { ...item.facts, ...(reasons && { reasons }) } };
  });
}
