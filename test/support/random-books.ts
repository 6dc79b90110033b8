/** Writes the payments of random days by SQL: charges, holds, bank debits, refunds and disputes, in three currencies. */
import type { Database } from '../../src/db/pool.ts';
import type { Scope } from '../../src/domain/account.ts';
import { type MerchantId, newId } from '../../src/domain/ids.ts';

/** A repeatable sequence of numbers (mulberry32). */
export class Dice {
  #state: number;
  constructor(seed: number) {
    this.#state = seed;
  }

  /** From 0 to `below` - 1. */
  roll(below: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  }

  pick<T>(items: readonly T[]): T {
    const found = items[this.roll(items.length)];
    if (found === undefined) throw new Error('there is nothing to pick');
    return found;
  }
}

/** Times at which a day or month begins or the clocks change, and the milliseconds around them. */
export interface BookTimes {
  borders: readonly string[];
  from: string;
  to: string;
}

const AROUND_MS = [-60_000, -1, 0, 1, 60_000];

function timeIn(dice: Dice, { borders, from, to }: BookTimes): string {
  if (dice.roll(2) === 0) return new Date(Date.parse(dice.pick(borders)) + dice.pick(AROUND_MS)).toISOString();
  const seconds = (Date.parse(to) - Date.parse(from)) / 1_000;
  return new Date(Date.parse(from) + dice.roll(seconds) * 1_000).toISOString();
}

const KINDS = ['paid', 'paid', 'paid', 'tipped', 'captured', 'debited', 'returned', 'failed', 'pending'] as const;
const RARE_KINDS = ['authorized', 'voided', 'saved', 'debited', 'returned'] as const;
type Kind = (typeof KINDS)[number] | (typeof RARE_KINDS)[number];

const STATUS: Readonly<Record<Kind, string>> = {
  paid: 'succeeded',
  tipped: 'succeeded',
  captured: 'succeeded',
  debited: 'succeeded',
  // Until the bank returns it.
  returned: 'succeeded',
  saved: 'succeeded',
  failed: 'failed',
  pending: 'pending',
  authorized: 'authorized',
  voided: 'voided',
};

interface Charge {
  id: string;
  takenCents: number;
}

export async function writeRandomBooks(
  database: Database,
  scope: Scope,
  {
    dice,
    times,
    merchants,
    charges,
  }: { dice: Dice; times: BookTimes; merchants: readonly MerchantId[]; charges: number },
): Promise<void> {
  for (let made = 0; made < charges; made += 1) {
    const kind = dice.roll(4) === 0 ? dice.pick(RARE_KINDS) : dice.pick(KINDS);
    const charge = await writeCharge(database, scope, { kind, merchant: dice.pick(merchants), dice, times });
    if (charge.takenCents === 0) continue;
    await writeRefunds(database, charge, dice, times);
    if (dice.roll(3) === 0) await writeDispute(database, charge, dice, times);
    if (kind === 'returned')
      await database.query(
        `update charges set status = 'failed', decline_code = 'generic_decline', returned_at = now() where id = $1`,
        [charge.id],
      );
  }
}

async function writeCharge(
  database: Database,
  { accountId, mode }: Scope,
  { kind, merchant, dice, times }: { kind: Kind; merchant: MerchantId; dice: Dice; times: BookTimes },
): Promise<Charge> {
  const [session, id] = [newId('CheckoutSession'), newId('Charge')];
  const cents = kind === 'saved' ? 0 : 100 + dice.roll(100_000);
  const captured = kind === 'captured' ? 1 + dice.roll(cents) : null;
  const isHold = ['captured', 'authorized', 'voided'].includes(kind);
  const currency = dice.pick(['USD', 'EUR', 'JPY']);
  const at = timeIn(dice, times);
  await database.query(
    `insert into checkout_sessions (id, account_id, mode, merchant_id, verdict, amount_cents, currency, amount_source, created_at,
                                    expires_at, purpose)
     values ($1, $2, $3, $4, 'required', $5, $6, 'request', $7::timestamptz, $7::timestamptz + interval '1 hour', $8)`,
    [session, accountId, mode, merchant, cents, currency, at, cents === 0 ? 'save_card' : 'payment'],
  );
  await database.query(
    `insert into charges (id, session_id, account_id, mode, merchant_id, status, amount_cents, currency, source, processor,
                          decline_code, created_at, settled_at, capture, captured_cents, tip_cents, payment_method)
     values ($1, $2, $3, $4, $5, $6::charge_status, $7, $8, $9, 'sandbox', $10, $11::timestamptz,
             case when $6::charge_status <> 'pending' then $11::timestamptz end, $12, $13, $14, $15)`,
    [
      ...[id, session, accountId, mode, merchant, STATUS[kind], cents, currency],
      ...[dice.pick(['phone', 'page', 'saved_card']), kind === 'failed' ? 'do_not_honor' : null, at],
      ...[isHold ? 'manual' : 'automatic', captured, kind === 'tipped' ? 1 + dice.roll(cents - 1) : 0],
      kind === 'debited' || kind === 'returned' ? 'us_bank_account' : 'card',
    ],
  );
  return { id, takenCents: STATUS[kind] === 'succeeded' ? (captured ?? cents) : 0 };
}

const OF_CHARGE = `charge_id, session_id, account_id, mode, merchant_id, currency, processor`;
const FROM_CHARGE = `c.id, c.session_id, c.account_id, c.mode, c.merchant_id, c.currency, c.processor`;

/** Partial refunds, of which some fail, and one may fail after it had succeeded. */
async function writeRefunds(database: Database, { id, takenCents }: Charge, dice: Dice, times: BookTimes) {
  let left = takenCents;
  for (let made = dice.roll(4); made > 0 && left > 0; made -= 1) {
    const cents = 1 + dice.roll(left);
    const status = dice.pick(['succeeded', 'succeeded', 'pending', 'failed']);
    const refund = newId('Refund');
    await database.query(
      `insert into refunds (id, ${OF_CHARGE}, status, amount_cents, created_at, processor_payment_id, resolve_at, failure, settled_at)
       select $1, ${FROM_CHARGE}, $3::refund_status, $4, $5::timestamptz, 'pay', now() + interval '1 hour',
              case when $3 = 'failed' then 'refused' end, case when $3 <> 'pending' then now() end
         from charges c where c.id = $2`,
      [refund, id, status, cents, timeIn(dice, times)],
    );
    const failsLater = status === 'succeeded' && dice.roll(5) === 0;
    if (failsLater)
      await database.query(`update refunds set status = 'failed', failure = 'refused' where id = $1`, [refund]);
    if (status !== 'failed' && !failsLater) left -= cents;
  }
}

async function writeDispute(database: Database, { id, takenCents }: Charge, dice: Dice, times: BookTimes) {
  const status = dice.pick(['won', 'lost', 'lost', 'needs_response', 'under_review']);
  await database.query(
    `insert into disputes (id, ${OF_CHARGE}, status, amount_cents, created_at, processor_dispute_id, kind, reason, version)
     select $1::text, ${FROM_CHARGE}, $3, $4, $5::timestamptz, 'dispute_' || $1::text, 'chargeback', 'fraudulent', 1
       from charges c where c.id = $2`,
    [newId('Dispute'), id, status, 1 + dice.roll(takenCents), timeIn(dice, times)],
  );
}
