/** Counts earlier attempts for the velocity rules. */
import type { Scope } from '../../domain/account.ts';
import type { MerchantId } from '../../domain/ids.ts';
import { readOne, type Sql } from '../pool.ts';

/** The signals by which attempts are counted. An unknown signal is null and counts nothing. Hashes are keyed. */
export interface VelocitySignals {
  /** E.164. */
  callerPhone: string | null;
  cardFingerprint: Buffer | null;
  /** Hash of the IP address of a payer on the pay page. */
  originHash: Buffer | null;
  /** Hash of the number that a call came from, if the session has none. */
  callingNumberHash: Buffer | null;
  /** Hash of the trunk or address that a call came from. */
  callSourceHash: Buffer | null;
}

/** Attempts with one signal: the declines, and all that are pending or settled. */
export interface Share {
  declines: number;
  all: number;
}

export interface AttemptCounts {
  /** Attempts that are pending or were declined. */
  caller: number;
  card: number;
  origin: number;
  /** Distinct other cards, whatever their outcome. */
  callerCards: number;
  originCards: number;
  callingNumber: Share;
  callSource: Share;
  /** Counts keyed cards and page tokens. */
  merchant: Share;
}

/** How many seconds each signal counts. */
export type Seconds = Readonly<Record<keyof AttemptCounts, number>>;

/** The attempt that is being judged. */
export interface Counted {
  scope: Scope;
  merchantId: MerchantId | null;
  signals: VelocitySignals;
  seconds: Seconds;
}

const SHARES = ['callingNumber', 'callSource', 'merchant'] as const;
type ShareName = (typeof SHARES)[number];

/** SQL: a payment refused because of the merchant is no attempt, and has no decline code. */
const IS_ATTEMPT = `(status <> 'failed' or decline_code is not null)`;
const IS_UNPAID = `status <> 'succeeded' and ${IS_ATTEMPT}`;
/** SQL: declined by a bank. Failures and timeouts of the processor say nothing about card testing. */
const IS_DECLINE = `status = 'failed' and decline_code not in ('try_again_later', 'processing_error')`;

/** SQL: the rows of each signal. `$1` account, `$2` mode; the parameter is the signal's value. */
const ROWS: Record<keyof AttemptCounts, (value: string) => string> = {
  caller: (value) => ofScope(`caller_phone = ${value}`),
  callerCards: (value) => ofScope(`caller_phone = ${value}`),
  card: (value) => ofScope(`card_fingerprint = ${value}`),
  origin: (value) => ofScope(`origin_hash = ${value}`),
  originCards: (value) => ofScope(`origin_hash = ${value}`),
  callingNumber: (value) => ofScope(`calling_number_hash = ${value}`),
  callSource: (value) => ofScope(`call_source_hash = ${value}`),
  merchant: (value) => ofScope(`merchant_id = ${value} and source <> 'saved_card'`),
};

function ofScope(condition: string): string {
  return `from charges where account_id = $1 and mode = $2 and ${condition}`;
}

/** SQL: recent enough to count for the signal. @param seconds SQL: {@link Seconds} as JSON */
function since(signal: keyof AttemptCounts, seconds: string): string {
  return `created_at > now() - (${seconds}::jsonb ->> '${signal}')::integer * interval '1 second'`;
}

/** SQL: the number of a signal's recent rows that meet `condition`, under the signal's name. */
function count(signal: keyof AttemptCounts, value: string, condition: string, what = '*'): string {
  return `(select count(${what})::integer ${ROWS[signal](value)} and ${since(signal, '$3')} and ${condition}) as "${signal}"`;
}

const OTHER_CARD = 'card_fingerprint is distinct from $5';
const CARDS = 'distinct card_fingerprint';

const COUNT = `select ${[
  count('caller', '$4', IS_UNPAID),
  count('callerCards', '$4', OTHER_CARD, CARDS),
  count('card', '$5', IS_UNPAID),
  count('origin', '$6', IS_UNPAID),
  count('originCards', '$6', OTHER_CARD, CARDS),
  count('callingNumber', '$7', IS_DECLINE),
  count('callSource', '$8', IS_DECLINE),
  count('merchant', '$9', IS_DECLINE),
].join(', ')}`;

type Counts = Record<keyof AttemptCounts, number>;

/**
 * Counts attempts within each signal's seconds. A busy trunk or merchant has many, so the total of a {@link Share} is
 * counted only from `atLeast` declines on; below that, `all` is the number of declines.
 */
export async function countAttempts(
  sql: Sql,
  counted: Counted,
  atLeast: Readonly<Record<ShareName, number>>,
): Promise<AttemptCounts> {
  const { scope, merchantId, signals, seconds } = counted;
  const { callerPhone, cardFingerprint, originHash, callingNumberHash, callSourceHash } = signals;
  const values = { callingNumber: callingNumberHash, callSource: callSourceHash, merchant: merchantId };
  const counts = await readOne<Counts>(sql, {
    name: 'count_attempts',
    text: COUNT,
    values: [
      scope.accountId,
      scope.mode,
      JSON.stringify(seconds),
      callerPhone,
      cardFingerprint,
      originHash,
      ...SHARES.map((name) => values[name]),
    ],
  });
  const share = async (name: ShareName): Promise<Share> => {
    const declines = counts[name];
    const isEnough = declines >= atLeast[name];
    return { declines, all: isEnough ? await countAll(sql, counted, name, values[name]) : declines };
  };
  const shares = { callingNumber: await share('callingNumber'), callSource: await share('callSource') };
  return { ...counts, ...shares, merchant: await share('merchant') };
}

async function countAll(
  sql: Sql,
  { scope, seconds }: Counted,
  name: ShareName,
  value: Buffer | MerchantId | null,
): Promise<number> {
  const text = `select count(*)::integer as "all" ${ROWS[name]('$4')} and ${since(name, '$3')} and ${IS_ATTEMPT}`;
  const values = [scope.accountId, scope.mode, JSON.stringify(seconds), value];
  return (await readOne<{ all: number }>(sql, text, values)).all;
}
