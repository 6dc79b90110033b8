/** Rows of `number_lookup_turns`: how many paid look-ups an account has asked for lately. */
import type { Scope } from '../../domain/account.ts';
import type { LookupBudget } from '../../domain/screening.ts';
import { readFirst, type Sql } from '../pool.ts';

/** SQL: the look-ups of the other rows. Whole rows count, so that no hour or day has more than its budget. */
const lookupsOfOthers = (span: string) => `(
  select coalesce(sum(t.lookups), 0) from number_lookup_turns t
   where t.account_id = $1 and t.mode = $2 and t.slot <> now_slot.slot
     and t.slot > now_slot.slot - interval '5 minutes' - interval '${span}')`;

/**
 * Counts a look-up if the account's budget has room. Of several at once that share a row, the last ones see those
 * before them.
 * @returns whether the vendor may be asked
 */
export async function takeLookupTurn(
  sql: Sql,
  { accountId, mode }: Scope,
  { hour, day }: LookupBudget,
): Promise<boolean> {
  const taken = await readFirst(sql, {
    name: 'take_lookup_turn',
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
