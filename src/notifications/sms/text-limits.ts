/**
 * Limits texts, so that a stolen key cannot text one number endlessly, nor many numbers. Receipts and not-charged
 * notices count, but are never held back: their callers have paid, or were promised a text.
 */
import type { BaseLogger } from 'pino';
import { ApiError } from '../../contract/errors.ts';
import { insertAuditEvent, wasAuditedWithin } from '../../db/audit/audit-events.ts';
import type { Database, Sql } from '../../db/pool.ts';
import { lockTextLimits, readTextWindows, type TextSender, type TextWindows } from '../../db/texts/text-limits.ts';
import { SYSTEM } from '../../domain/audit.ts';
import { isWithinReach, NEAR_LIMIT, TEXT_LIMITS, type TextLimits, type TextReach } from '../../domain/texts.ts';

export interface TextLimitDeps {
  database: Pick<Database, 'query' | 'transaction'>;
  /** RINGKEY_TEXTS_…, by default their defaults. */
  textLimits?: TextLimits;
  log?: Pick<BaseLogger, 'warn'>;
}

/** The account is warned at most once in this time. */
const WARNED_AT_MOST_EVERY = '1 hour';

/**
 * Runs `queue`, which queues a text to the recipient, in a transaction that locks the counts of the recipient and the
 * account.
 * @throws ApiError `rate_limit` if the text would exceed a limit
 */
export async function withTextTurn<T>(
  { database, textLimits = TEXT_LIMITS, log }: TextLimitDeps,
  turn: TextSender,
  queue: (sql: Sql) => Promise<T>,
): Promise<T> {
  const { accountId, mode } = turn;
  const { queued, near } = await database.transaction(async (sql) => {
    await lockTextLimits(sql, turn);
    const windows = await readTextWindows(sql, turn, textLimits);
    const over = LIMITS.filter((name) => windows[name].count >= textLimits[name]);
    if (over.length > 0) throw tooManyTexts(over, windows);
    const near = ACCOUNT_LIMITS.filter((name) => windows[name].count + 1 >= NEAR_LIMIT * textLimits[name]);
    const isWarned = near.length > 0 && (await warnAccount(sql, turn, near, windows, textLimits));
    return { queued: await queue(sql), near: isWarned ? near : [] };
  });
  if (near.length > 0) log?.warn({ accountId, mode, limits: near }, 'account is near its limit of texts');
  return queued;
}

const ACCOUNT_LIMITS = ['accountHour', 'accountDay'] as const satisfies (keyof TextLimits)[];
const LIMITS = ['recipientHour', 'recipientDay', ...ACCOUNT_LIMITS] satisfies (keyof TextLimits)[];

const MESSAGES: Readonly<Record<keyof TextLimits, string>> = {
  recipientHour: 'Too many texts were sent to this number in the last hour.',
  recipientDay: 'Too many texts were sent to this number in the last 24 hours.',
  accountHour: 'The account has reached its limit of texts for the last hour.',
  accountDay: 'The account has reached its limit of texts for the last 24 hours.',
};

function tooManyTexts(over: readonly (keyof TextLimits)[], windows: TextWindows): ApiError {
  const waits = over.map((name) => ({ name, seconds: windows[name].freeInSeconds ?? 1 }));
  const longest = waits.reduce((most, each) => (each.seconds > most.seconds ? each : most));
  return new ApiError('rate_limit', {
    message: MESSAGES[longest.name],
    words: 'link_not_texted',
    retryAfterSeconds: Math.max(1, longest.seconds),
  });
}

/** @throws ApiError `rate_limit` if the account must not text the number at all. Waiting does not help. */
export function requireWithinReach(phone: string, reach: TextReach): void {
  if (isWithinReach(phone, reach)) return;
  throw new ApiError('rate_limit', {
    message:
      "This number is not texted. It is a premium or satellite number, or its country is neither one of the account's merchants nor in its `text_countries`.",
    words: 'link_not_texted',
    advice: 'do_not_try_again',
  });
}

/** Whether an error means that the number cannot be texted now. */
export function isTextRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'rate_limit' && error.facts.words === 'link_not_texted';
}

/** Writes an audit event. @returns false if there was one recently */
async function warnAccount(
  sql: Sql,
  { accountId, mode }: TextSender,
  near: readonly (typeof ACCOUNT_LIMITS)[number][],
  windows: TextWindows,
  limits: TextLimits,
): Promise<boolean> {
  const entry = { accountId, mode, action: 'account.texts_near_limit', objectId: accountId } as const;
  if (await wasAuditedWithin(sql, entry, WARNED_AT_MOST_EVERY)) return false;
  const names = { accountHour: 'last_hour', accountDay: 'last_day' } as const;
  const changes = Object.fromEntries(
    near.map((name) => [names[name], { texts: windows[name].count + 1, limit: limits[name] }]),
  );
  await insertAuditEvent(sql, SYSTEM, { ...entry, changes });
  return true;
}
