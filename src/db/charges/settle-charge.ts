/**
 * The last step of a payment: its outcome, the events that tell of it and the session's completion, in one statement, hence
 * one transaction and one round trip.
 */
import type { Charge, DeclineCode } from '../../domain/charge.ts';
import type { InstrumentId } from '../../domain/ids.ts';
import { newId } from '../../domain/ids.ts';
import type { ProcessorAnswer } from '../../payments/ports.ts';
import { findCharge } from './charges.ts';
import type { Sql } from '../pool.ts';
import { isDuplicate } from '../duplicate.ts';
import type { EventFacts } from '../events/events.ts';
import { keepCard, keepValues, type SealedCard } from '../cards/kept-cards.ts';
import { oneLine } from '../one-line.ts';

/** A clear yes or no. */
export type Settlement = Exclude<ProcessorAnswer, { status: 'unknown' }>;

/**
 * The session is locked first, then its charge: a row is found to fit before it is changed. `not in`, and not
 * `= 'pending'`: that is what an index of pending charges says of itself, and a planner without statistics may read that
 * one from end to end instead of the primary key.
 * @param charge SQL: what the charge becomes; $4 and $5 are its card's brand and last four where it had none
 * @param held SQL: the session's id, locked
 * @param returned columns of the charge that `told` and what follows want
 */
const settled = (charge: string, held: string, returned: string) => `
  settled as (
    update charges c
       set ${charge}, processor_payment_id = $3, settled_at = now(),
           brand = coalesce(c.brand, $4), last_four = coalesce(c.last_four, $5)
     where c.id = $1 and c.session_id = (${held}) and c.status not in ('succeeded', 'failed')
    returning ${returned}
  )`;

const OUTCOME = 'c.account_id, c.mode, c.settled_at';

/** For an event that is there already: not asked first, for it costs a look at each unique index. */
const UNLESS_TOLD = 'on conflict do nothing';

interface Settling {
  name: string;
  text: string;
}

/** @param more CTEs that go with `settled`. @param kept SQL: id of the card that was kept */
function succeed(name: string, unless: string, more = '', kept = 'null::text'): Settling {
  const paid = `status = 'succeeded', card_fingerprint = null, origin_hash = null`;
  const held = 'select id from checkout_sessions where id = $2 for no key update';
  const text = `
  with ${settled(paid, held, more === '' ? OUTCOME : 'c.*')}, told as (
    insert into events (id, account_id, mode, type, session_id, charge_id, facts)
    select kind.id, settled.account_id, settled.mode, kind.type, $2, $1, $6::jsonb
      from settled, (values ($7, 'checkout.succeeded'), ($8, 'checkout.completed')) kind (id, type)
    ${unless}
  )${more}
  update checkout_sessions s set status = 'complete'
    from settled where s.id = $2
  returning settled.settled_at, ${kept} as kept_id`;
  return { name, text: oneLine(text) };
}

function fail(name: string, unless: string): Settling {
  const declined = `status = 'failed', decline_code = $8, processor_code = $9`;
  const text = `
  with held as (
    select id, status from checkout_sessions where id = $2 for no key update
  ), ${settled(declined, 'select id from held', OUTCOME)}, told as (
    insert into events (id, account_id, mode, type, session_id, charge_id, facts)
    select $7, account_id, mode, 'checkout.failed', $2, $1,
           jsonb_build_object('session_status', (select status from held)) || $6::jsonb
      from settled
    ${unless}
  )
  update checkout_sessions s set declines = s.declines + 1
    from settled where s.id = $2
  returning settled.settled_at, null::text as kept_id`;
  return { name, text: oneLine(text) };
}

const KEEPING = [`, ${keepCard(9)}`, '(select kept.id from kept)'] as const;

/** `first`: what is asked. `told`: where an event of it is there already. */
interface Statements {
  first: Settling;
  told: Settling;
}

const SUCCEED: Statements = {
  first: succeed('charge_succeeded', ''),
  told: succeed('charge_succeeded_told', UNLESS_TOLD),
};
const SUCCEED_AND_KEEP: Statements = {
  first: succeed('charge_succeeded_card_kept', '', ...KEEPING),
  told: succeed('charge_succeeded_card_kept_told', UNLESS_TOLD, ...KEEPING),
};
const FAIL: Statements = { first: fail('charge_failed', ''), told: fail('charge_failed_told', UNLESS_TOLD) };

/**
 * Writes the outcome, its events and the session's completion, all or nothing. Settled before: nothing changes.
 * @param card kept in the same statement, if the caller agreed
 * @returns the charge as the record has it, which may be another outcome than `settlement` if somebody was earlier.
 */
export async function settleCharge(
  sql: Sql,
  charge: Charge,
  settlement: Settlement,
  card: SealedCard | null = null,
): Promise<{ charge: Charge; now: boolean; cardKept: boolean }> {
  const row = await write(
    sql,
    settlement.status === 'succeeded' ? success(charge, settlement, card) : failure(charge, settlement),
  );
  if (row !== undefined) {
    return { charge: settledCharge(charge, settlement, row), now: true, cardKept: row.kept_id !== null };
  }
  const earlier = await findCharge(sql, charge.id);
  if (earlier === null) throw new Error('a charge to settle is not in the record');
  return { charge: earlier, now: false, cardKept: false };
}

interface Writing {
  statements: Statements;
  values: unknown[];
}

/** An event that is there already must not be what keeps an outcome out of the record. */
async function write(sql: Sql, { statements: { first, told }, values }: Writing): Promise<SettledRow | undefined> {
  try {
    return (await sql.query<SettledRow>({ name: first.name, text: first.text, values })).rows[0];
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    return (await sql.query<SettledRow>({ name: told.name, text: told.text, values })).rows[0];
  }
}

function success(charge: Charge, settlement: Settlement & { status: 'succeeded' }, card: SealedCard | null): Writing {
  const { processorPaymentId, card: facts } = settlement;
  const told = { session_status: 'complete', ...factsOf(charge, 'succeeded', processorPaymentId) } satisfies EventFacts;
  const values: unknown[] = [charge.id, charge.sessionId, processorPaymentId];
  values.push(facts?.brand ?? null, facts?.lastFour ?? null, JSON.stringify(told), newId('Event'), newId('Event'));
  return card === null
    ? { statements: SUCCEED, values }
    : { statements: SUCCEED_AND_KEEP, values: [...values, ...keepValues(card)] };
}

function failure(
  charge: Charge,
  { processorPaymentId, declineCode, processorCode }: Settlement & { status: 'declined' },
): Writing {
  const told = factsOf(charge, 'failed', processorPaymentId, declineCode, processorCode);
  const values: unknown[] = [charge.id, charge.sessionId, processorPaymentId, null, null];
  return { statements: FAIL, values: [...values, JSON.stringify(told), newId('Event'), declineCode, processorCode] };
}

/** What an event tells of a charge that has just been settled so; the session's state is the record's to say. */
function factsOf(
  { id, amount }: Charge,
  status: 'succeeded' | 'failed',
  paymentId: string | null,
  declineCode: DeclineCode | null = null,
  processorCode: string | null = null,
): Omit<EventFacts, 'session_status'> {
  return {
    outcome: status,
    charge: {
      charge_id: id,
      status,
      amount_cents: amount.amountCents,
      processor_payment_id: wellFormed(paymentId),
      decline_code: declineCode,
      processor_code: wellFormed(processorCode),
    },
  };
}

/** A processor's words as a column of text gets them: JSON would not take half of a surrogate pair. */
const wellFormed = (words: string | null) => (words === null ? null : Buffer.from(words).toString());

interface SettledRow {
  settled_at: Date;
  kept_id: InstrumentId | null;
}

function settledCharge(charge: Charge, settlement: Settlement, row: SettledRow): Charge {
  const { processorPaymentId } = settlement;
  const settled = { ...charge, processorPaymentId, settledAt: row.settled_at };
  if (settlement.status === 'declined') {
    const { declineCode, processorCode } = settlement;
    return { ...settled, status: 'failed', declineCode, processorCode };
  }
  const { card } = settlement;
  const [brand, lastFour] = [charge.brand ?? card?.brand ?? null, charge.lastFour ?? card?.lastFour ?? null];
  return { ...settled, status: 'succeeded', declineCode: null, processorCode: null, brand, lastFour };
}
