/** A load of concurrent clients that refund paid charges over REST until the service stops answering. */

import type { Sql } from '../../src/db/pool.ts';
import { newId } from '../../src/domain/ids.ts';
import { DEMO_ACCOUNT } from '../../src/local/standalone/demo-data.ts';
import type { Random } from '../support/random.ts';
import type { AnsweredRefund } from './refund-audit.ts';

const MERCHANT = 'mer_demo_diner';
/** Test cards whose refunds are answered at once, each as often as its weight. */
export const FAST_CARDS = [
  ...Array.from({ length: 30 }, () => 'visa'),
  'refund_dawdles',
  'refund_dawdles',
  'refund_fails',
  'refund_fails',
  'refund_refused',
];
export const ALL_CARDS = [...FAST_CARDS, 'refund_hangs'];
const AMOUNT = 1_000;

/** Inserts paid charges, here and in the sandbox. @param sql a database with the demo data */
export async function insertPaidCharges(
  sql: Sql,
  count: number,
  { random, cardNames }: { random: Random; cardNames: readonly string[] },
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId('Charge'));
  const sessions = ids.map(() => newId('CheckoutSession'));
  const cards = ids.map(() => cardNames[random.below(cardNames.length)]);
  await sql.query(
    `insert into checkout_sessions (id, account_id, mode, merchant_id, status, verdict, amount_cents, currency,
                                    amount_source, expires_at)
     select id, $1, 'test', $2, 'complete', 'required', ${AMOUNT}, 'USD', 'request', now() + interval '1 day'
       from unnest($3::text[]) id`,
    [DEMO_ACCOUNT, MERCHANT, sessions],
  );
  await sql.query(
    `insert into charges (id, session_id, account_id, mode, merchant_id, status, amount_cents, currency, source, processor,
                          processor_payment_id, settled_at)
     select id, session_id, $1, 'test', $2, 'succeeded', ${AMOUNT}, 'USD', 'saved_card', 'sandbox', 'pay_' || id, now()
       from unnest($3::text[], $4::text[]) paid (id, session_id)`,
    [DEMO_ACCOUNT, MERCHANT, ids, sessions],
  );
  await sql.query(
    `insert into sandbox_payments (reference, payment_id, account_id, mode, status, amount_cents, currency, card_name)
     select id, 'pay_' || id, $1, 'test', 'succeeded', ${AMOUNT}, 'USD', card from unnest($2::text[], $3::text[]) paid (id, card)`,
    [DEMO_ACCOUNT, ids, cards],
  );
  return ids;
}

/** A refund request that can be repeated. */
export interface RefundRequest {
  /** The Idempotency-Key, which belongs to the API key `bearer`. */
  key: string;
  bearer: string;
  body: { charge: string; amount_cents?: number };
}

interface RefundLoadOptions {
  baseUrl: string;
  /** API keys, used in turn so that no rate limit is reached. */
  keys: readonly string[];
  charges: readonly string[];
  /** Unanswered requests of the last load, repeated first. */
  again: readonly RefundRequest[];
  clients: number;
  random: Random;
  onAnswer(answer: AnsweredRefund): void;
  /** Called with an unexpected answer. */
  onUnexpected(answer: string): void;
  isOver?(): boolean;
}

/** Runs all clients until the service stops answering, or until `isOver` if given. @returns the unanswered requests */
export async function runRefundLoad(options: RefundLoadOptions): Promise<RefundRequest[]> {
  const unanswered: RefundRequest[] = [];
  const waiting = [...options.again];

  async function client(): Promise<void> {
    for (let goesOn = true; goesOn; ) {
      const refund = waiting.pop() ?? newRefundRequest(options);
      // Every third request is sent twice at once, as an impatient client does.
      const times = options.random.oneIn(3) ? 2 : 1;
      const answers = await Promise.all(Array.from({ length: times }, () => ask(options, refund)));
      const answered = answers.every((one) => one);
      if (!answered) unanswered.push(refund);
      goesOn = options.isOver === undefined ? answered : !options.isOver();
    }
  }

  await Promise.all(Array.from({ length: options.clients }, client));
  return unanswered;
}

function newRefundRequest({ charges, keys, random }: RefundLoadOptions): RefundRequest {
  const charge = charges[random.below(charges.length)] ?? '';
  // One in eight refunds all that is left.
  const body = random.oneIn(8) ? { charge } : { charge, amount_cents: 50 + random.below(400) };
  return { key: newId('Request'), bearer: keys[random.below(keys.length)] ?? '', body };
}

/** Longer than the slowest regular answer. */
const ANSWER_LIMIT_MS = 120_000;

async function ask(options: RefundLoadOptions, refund: RefundRequest): Promise<boolean> {
  try {
    const response = await fetch(`${options.baseUrl}/v1/refunds`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${refund.bearer}`,
        'content-type': 'application/json',
        'idempotency-key': refund.key,
      },
      body: JSON.stringify(refund.body),
      signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
    });
    read(options, refund, response.status, (await response.json()) as AnswerBody);
    return true;
  } catch {
    return false;
  }
}

interface AnswerBody {
  refund_id?: string;
  status?: AnsweredRefund['status'];
  error?: { code: string; advice_code: string };
}

/**
 * Expected errors: too much or refused, outcome unknown, the key is in use, too many requests, the database is away.
 */
const EXPECTED_ERRORS = new Set([
  '400 invalid_value do_not_try_again',
  '424 processor_unavailable try_again_later',
  '409 charge_details_mismatch try_again_later',
  '429 rate_limit try_again_later',
  '500 internal_error try_again_later',
  '503 internal_error try_again_later',
]);

function read(
  options: RefundLoadOptions,
  { key }: RefundRequest,
  status: number,
  { refund_id, status: state, error }: AnswerBody,
): void {
  if (status === 200 && refund_id !== undefined && state !== undefined)
    options.onAnswer({ key, refundId: refund_id, status: state });
  else if (!EXPECTED_ERRORS.has(`${status} ${error?.code} ${error?.advice_code}`))
    options.onUnexpected(`${status} ${JSON.stringify(error)}`);
}
