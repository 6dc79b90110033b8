/**
 * The tables `number_lookups` (a vendor's answers, separate for each account) and `number_lookup_turns` (the budget of
 * paid lookups).
 */

import DataLoader from 'dataloader';
import type { Scope } from '../../domain/account.ts';
import type { E164 } from '../../domain/phone-number.ts';
import type { LookupBudget, LookupFailure, NumberFacts } from '../../domain/screening.ts';
import { readFirst, type Sql } from '../pool.ts';

export interface LookedUp extends Scope {
  phone: E164;
  /** The name of the lookup service. */
  adapter: string;
}

/** An answer to store. */
interface AnsweredLookup extends LookedUp {
  facts: NumberFacts;
}

/**
 * SQL: a session has the number. Otherwise its caller was erased during the lookup. @param number SQL of account, mode
 * and phone
 */
const isCallers = ({ accountId, mode, phone }: Record<'accountId' | 'mode' | 'phone', string>) => `exists (
  select from checkout_sessions s where s.account_id = ${accountId} and s.mode = ${mode} and s.caller_phone = ${phone})`;

/**
 * Replaces the stored answer of each number. One answer per number. Does not wait for the disk (synchronous_commit
 * off): after a crash of PostgreSQL, the caller's next checkout repeats the lookup.
 */
async function saveLookups(sql: Sql, answers: readonly AnsweredLookup[]): Promise<void> {
  await sql.query({
    name: 'save_lookups',
    text: `
      with no_disk_wait as (select set_config('synchronous_commit', 'off', true))
      insert into number_lookups (account_id, mode, phone, adapter, is_answered, port_check, line_type, carrier, notes, failure,
                                  checked_at)
      select "accountId", mode, phone, adapter, true, "portCheck", "lineType", carrier,
             array(select json_array_elements_text(notes)), null, now()
        from no_disk_wait, json_to_recordset($1) as answer ("accountId" text, mode mode, phone text, adapter text, "portCheck" text,
          "lineType" text, carrier text, notes json)
       where ${isCallers({ accountId: 'answer."accountId"', mode: 'answer.mode', phone: 'answer.phone' })}
      on conflict (account_id, mode, phone) do update
         set adapter = excluded.adapter, is_answered = true, port_check = excluded.port_check, line_type = excluded.line_type,
             carrier = excluded.carrier, notes = excluded.notes, failure = null, checked_at = excluded.checked_at`,
    values: [JSON.stringify(answers.map(({ facts, ...number }) => ({ ...number, ...facts })))],
  });
}

/** A stored answer stays, because open sessions use it. */
export async function saveLookupFailure(sql: Sql, number: LookedUp, failure: LookupFailure): Promise<void> {
  const { accountId, mode, phone, adapter } = number;
  await sql.query({
    name: 'save_lookup_failure',
    text: `
      insert into number_lookups as kept (account_id, mode, phone, adapter, is_answered, port_check, line_type, carrier, notes,
                                          failure, checked_at)
      select $1, $2, $3, $4, false, 'unknown', 'unknown', null, '{}', $5, now()
       where ${isCallers({ accountId: '$1', mode: '$2', phone: '$3' })}
      on conflict (account_id, mode, phone) do update
         set failure = excluded.failure,
             checked_at = case when kept.is_answered then kept.checked_at else excluded.checked_at end`,
    values: [accountId, mode, phone, adapter, failure],
  });
}

const OPTIONS = { cache: false, maxBatchSize: 32, batchScheduleFn: (run: () => void) => void setImmediate(run) };

export type SaveLookup = (answer: AnsweredLookup) => Promise<void>;

export function batchedLookups(sql: Sql): SaveLookup {
  const saves = new DataLoader<AnsweredLookup, true>(async (answers) => {
    await saveLookups(sql, lastOfEach(answers));
    return answers.map(() => true);
  }, OPTIONS);
  return async (answer) => void (await saves.load(answer));
}

/** In the order of their keys, so that processes with the same numbers do not deadlock. */
function lastOfEach(answers: readonly AnsweredLookup[]): AnsweredLookup[] {
  const byNumber = new Map(answers.map((answer) => [`${answer.accountId} ${answer.mode} ${answer.phone}`, answer]));
  return [...byNumber].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, answer]) => answer);
}

/** SQL: the lookups of the other rows. Whole rows count, so that no hour or day exceeds its budget. */
const lookupsOfOthers = (span: string) => `(
  select coalesce(sum(t.lookups), 0) from number_lookup_turns t
   where t.account_id = $1 and t.mode = $2 and t.slot <> now_slot.slot
     and t.slot > now_slot.slot - interval '5 minutes' - interval '${span}')`;

/**
 * Counts a lookup if the account's budget allows it. Concurrent requests that share a row see each other.
 * @returns whether the vendor can be asked
 */
export async function takeFromLookupBudget(
  sql: Sql,
  { accountId, mode }: Scope,
  { hour, day }: LookupBudget,
): Promise<boolean> {
  const taken = await readFirst(sql, {
    name: 'take_from_lookup_budget',
    text: `with now_slot as (select date_bin('5 minutes', statement_timestamp(), 'epoch') as slot),
                others as (select slot, ${lookupsOfOthers('1 hour')} as hour, ${lookupsOfOthers('1 day')} as day from now_slot),
                gone as (delete from number_lookup_turns t using now_slot
                          where t.account_id = $1 and t.mode = $2 and t.slot < now_slot.slot - interval '25 hours')
           insert into number_lookup_turns as turns (account_id, mode, slot, lookups)
           select $1, $2, slot, 1 from others where hour < $3 and day < $4
           on conflict (account_id, mode, slot) do update set lookups = turns.lookups + 1
            where turns.lookups + (select hour from others) < $3 and turns.lookups + (select day from others) < $4
           returning slot`,
    values: [accountId, mode, hour, day],
  });
  return taken !== null;
}
